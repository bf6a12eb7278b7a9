"""One long computation in a process of its own: pieces as they are found, progress, and everything that ends it early.

A run ends when its work is done, when its reader stops it, when nobody waits for it any more (the session is gone, or
the reader is on another page), and when it has used its processor time or its memory. The process is ended from
outside, so that no computation, however long its pieces, outlives its reader.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import IO, Any

from riskline.limits import MEGABYTES
from ui.frame.view_workers import start_process
from ui.words.catalogue import label
from ui.words.refusals import BROKEN, without_words

LONGEST = 120.0
"""Seconds of processor time that one run may take."""
PATIENCE = 10.0
"""Seconds after which a run that no page follows is ended."""
TICK = 0.2
AT_ONCE = max(1, min(4, os.cpu_count() or 1))
"""Runs of all readers that compute at once; the others wait their turn."""
TOO_LONG = label("frame", "too_long")
TOO_MUCH = label("frame", "too_much")

_TURNS = threading.BoundedSemaphore(AT_ONCE)


class State(StrEnum):
    """Where a run stands."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    """By its reader, who may let it go on."""
    EXHAUSTED = "exhausted"
    """Out of processor time: `Run.failure` is the sentence; its reader may let it go on."""
    LEFT = "left"
    """Nobody waited for it any more."""
    FAILED = "failed"
    """Refused, out of memory, or broken: `Run.failure` is the sentence."""


class Run:
    """A piece of work for one reader, started at once.

    work : a function of a module, called as ``work(*arguments, progress=progress)`` in another process, where
        ``progress(done, total)`` tells how far it is. It returns its result, or yields several one by one.
    arguments : pickled on their way to that process, as what it finds is on the way back
    found : what an earlier run found already
    present : whether the reader is still there; asked several times a second, from another thread
    longest, megabytes : processor time in seconds, and memory
    """

    def __init__(
        self,
        work: Callable[..., Any],
        arguments: tuple[Any, ...],
        *,
        found: Sequence[Any] = (),
        present: Callable[[], bool] = lambda: True,
        longest: float = LONGEST,
        megabytes: float = MEGABYTES,
    ) -> None:
        self.pieces = list(found)
        self.done, self.total = 0, 0
        self.state = State.WAITING
        self.failure: str | None = None
        self.end_is_shown = False  # seen by the page being drawn: the run may end meanwhile
        self._present = present
        self._followed = time.monotonic()
        self._settled = threading.Lock()
        job = (work, arguments, longest, megabytes)
        self._thread = threading.Thread(target=self._wait_and_compute, args=(job,), daemon=True)
        self._thread.start()

    @property
    def going(self) -> bool:
        """Whether more may come."""
        return self.state in (State.WAITING, State.RUNNING)

    @property
    def may_resume(self) -> bool:
        """Whether its reader may let it go on."""
        return self.state in (State.STOPPED, State.EXHAUSTED)

    @property
    def share(self) -> float:
        """How much of the work is done, from 0 to 1."""
        return min(self.done / self.total, 1.0) if self.total else 0.0

    def follow(self) -> None:
        """Say that somebody still waits for it."""
        self._followed = time.monotonic()

    def stop(self) -> None:
        """End it for its reader; what it has found stays."""
        self._end(State.STOPPED)

    def leave(self) -> None:
        """End it because nobody waits for it; it may be taken up again where it stands."""
        self._end(State.LEFT)

    def resume(self) -> None:
        """Let it be taken up again where it stands: stopped no more, only left."""
        with self._settled:
            if self.may_resume:
                self.failure, self.state = None, State.LEFT

    def wait(self, seconds: float) -> bool:
        """Wait until its process has ended, at most so long; whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _end(self, state: State, failure: str | None = None) -> None:
        """The first end counts."""
        with self._settled:
            if self.going:
                self.failure = failure
                self.state = state

    def _unwanted(self) -> bool:
        if self.going and (not self._present() or time.monotonic() - self._followed > PATIENCE):
            self.leave()
        return not self.going

    def _wait_and_compute(self, job: tuple[Any, ...]) -> None:
        while not _TURNS.acquire(timeout=TICK):
            if self._unwanted():
                return
        try:
            with self._settled:
                if self.going:
                    self.state = State.RUNNING
            if not self._unwanted():
                self._compute(job)
        finally:
            _TURNS.release()

    def _compute(self, job: tuple[Any, ...]) -> None:
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        process = start_process("ui.runs.worker", stdin=pipe, stdout=pipe, stderr=nowhere)
        assert process.stdin is not None
        assert process.stdout is not None
        watching = threading.Thread(target=self._watch, args=(process,), daemon=True)
        watching.start()
        try:
            pickle.dump(job, process.stdin)
            process.stdin.flush()
            self._receive(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):  # it was killed in mid-message or mid-work
            pass
        except Exception as error:  # something that cannot be pickled
            logging.getLogger("riskline").error("run\n%s", without_words(error))
            self._end(State.FAILED, BROKEN)
        process.kill()
        code = process.wait()
        watching.join()
        process.stdout.close()
        with suppress(OSError):
            process.stdin.close()
        if code >= 0:
            self._end(State.FAILED, BROKEN)
        if code == -getattr(signal, "SIGXCPU", 0):
            self._end(State.EXHAUSTED, TOO_LONG)
        self._end(State.FAILED, TOO_MUCH)

    def _receive(self, telling: IO[bytes]) -> None:
        """Take what arrives until the work has ended."""
        while self.going:
            kind, *values = pickle.load(telling)
            if kind == "progress":
                self.done, self.total = values
            elif kind == "piece":
                self.pieces.append(values[0])
            elif kind == "finished":
                self._end(State.FINISHED)
            else:
                if kind == "broken":
                    logging.getLogger("riskline").error("run\n%s", values[0])
                self._end(State.FAILED, values[0] if kind == "refused" else TOO_MUCH if kind == "memory" else BROKEN)

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """End the process as soon as nobody wants what it computes."""
        while process.poll() is None:
            if self._unwanted():
                process.kill()
                return
            time.sleep(TICK / 4)
