"""Turns of the interpreter: few pages are drawn at once, the others wait in line.

Each message that a page sends lets go of the interpreter, and takes it back behind every other thread that wants it.
With two hundred pages drawn at once all of them were complete after twenty seconds, and none before. For the same
reason a turn begins only when the event loop has caught up: else pages wait, complete, until all readers are let in;
and the loop is woken once for many messages, not for each.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context
from typing import Any

LONGEST_PAUSE = 1.0  # seconds


class Turns:
    """Turns for a number of threads at once; who lent theirs comes before who had none yet, each in order."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._lock = threading.Lock()
        self._returning: deque[threading.Event] = deque()
        self._arriving: deque[threading.Event] = deque()
        self._own = threading.local()
        self.loop: asyncio.AbstractEventLoop | None = None
        """What takes readers in and sends their pages; each turn begins when it has done what was waiting."""

    def _take(self, line: deque[threading.Event]) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            line.append(called)
        called.wait()

    def _give(self) -> None:
        with self._lock:
            if line := self._returning or self._arriving:
                line.popleft().set()
            else:
                self._free += 1

    def _let_messages_out(self) -> None:
        done = threading.Event()
        with suppress(RuntimeError):  # the loop is closed
            if self.loop is not None:
                self.loop.call_soon_threadsafe(done.set)
                done.wait(LONGEST_PAUSE)

    def meet(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have the loop that takes readers in be woken once for all that other threads have for it by then."""
        if self.loop is loop:
            return
        self.loop, wake = loop, loop.call_soon_threadsafe
        waiting: deque[asyncio.Handle] = deque()
        woken = False

        def call_all() -> None:
            nonlocal woken
            woken = False  # first: what comes from now on wakes the loop again
            for _ in range(len(waiting)):
                called = waiting.popleft()
                if not called.cancelled():
                    called._run()

        def call_soon(callback: Callable[..., object], *given: Any, context: Context | None = None) -> asyncio.Handle:
            nonlocal woken
            called = asyncio.Handle(callback, given, loop, context)
            waiting.append(called)
            if not woken:
                woken = True
                try:
                    wake(call_all)
                except RuntimeError:  # the loop is closed
                    woken = False
                    raise
            return called

        loop.call_soon_threadsafe = call_soon  # type: ignore[assignment]

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for a turn, and have it until the end of the block."""
        self._take(self._arriving)
        self._own.held = True
        try:
            self._let_messages_out()
            yield
        finally:
            self._own.held = False
            self._give()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let others go on while this thread waits for something outside the interpreter; nothing without a turn."""
        if not getattr(self._own, "held", False):
            yield
            return
        self._give()
        try:
            yield
        finally:
            self._take(self._returning)


DRAWING = Turns(1)
"""Pages drawn at once: one has the interpreter, and lends its turn while a worker computes.

With three, two hundred openings take a fifth longer, and half of them stay incomplete until nearly the end.
"""
