"""Turns: no more threads than turns, and who comes back goes before who arrives."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from types import SimpleNamespace
from typing import Any

import pytest

from ui.frame.turns import Turns


def test_no_more_have_a_turn_than_there_are() -> None:
    turns, inside, most = Turns(2), [0], [0]
    lock = threading.Lock()

    def one() -> None:
        with turns.taken():
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            time.sleep(0.02)
            with lock:
                inside[0] -= 1

    threads = [threading.Thread(target=one) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert most == [2]


def test_who_lent_a_turn_comes_back_before_who_waited_for_one() -> None:
    turns, order = Turns(1), list[str]()
    lent, come_back = threading.Event(), threading.Event()

    def lender() -> None:
        with turns.taken():
            with turns.lent():
                lent.set()
                come_back.wait(20)
                time.sleep(0.1)
            order.append("lender")

    def holder() -> None:
        with turns.taken():
            order.append("holder")
            come_back.set()
            time.sleep(0.4)  # the lender is in line by now, behind the one who arrived

    def arriving() -> None:
        with turns.taken():
            order.append("arriving")

    threads = [threading.Thread(target=each) for each in (lender, holder, arriving)]
    threads[0].start()
    assert lent.wait(20)
    threads[1].start()
    assert come_back.wait(20)
    threads[2].start()
    for thread in threads:
        thread.join(20)
    assert order == ["holder", "lender", "arriving"]


def test_a_turn_is_given_back_when_the_page_fails() -> None:
    turns = Turns(1)
    for _ in range(3):
        try:
            with turns.taken(), turns.lent():
                raise KeyError
        except KeyError:
            pass
    taken = threading.Event()

    def one() -> None:
        with turns.taken():
            taken.set()

    thread = threading.Thread(target=one)
    thread.start()
    thread.join(20)
    assert taken.is_set()


def test_lending_without_a_turn_does_nothing() -> None:
    turns = Turns(1)
    with turns.lent(), turns.taken():
        pass


def test_who_has_had_a_turn_lends_none_and_each_turn_is_given_back_once() -> None:
    turns = Turns(2)
    with turns.taken():
        with turns.lent():
            assert turns._free == 2
        assert turns._free == 1
    assert turns._free == 2
    with turns.lent():
        assert turns._free == 2, "it was given back already"
    assert turns._free == 2


def test_a_turn_does_not_wait_for_ever_for_a_loop_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.frame.turns.LONGEST_PAUSE", 0.05)
    turns, asked = Turns(1), list[Any]()
    turns.loop = SimpleNamespace(call_soon_threadsafe=asked.append)  # type: ignore[assignment]
    begun = time.monotonic()
    with turns.taken():
        assert 0.04 < time.monotonic() - begun < 2
    assert len(asked) == 1


def test_a_call_that_the_loop_takes_later_has_its_arguments_and_its_context_and_a_closed_loop_is_told() -> None:
    turns, found, name = Turns(1), list[Any](), ContextVar("name", default="nobody")
    loops: list[asyncio.AbstractEventLoop] = []

    async def serving() -> None:
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        loops.append(loop)
        turns.meet(loop)
        woken = loop.call_soon_threadsafe
        turns.meet(loop)  # as every request does
        assert loop.call_soon_threadsafe is woken
        own = copy_context()
        own.run(name.set, "a reader")
        loop.call_soon_threadsafe(lambda *given: found.append((name.get(), *given)), 1, 2, context=own)
        loop.call_soon_threadsafe(lambda: found.append(name.get()))
        loop.call_soon_threadsafe(done.set)
        await asyncio.wait_for(done.wait(), 20)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, serving()).result()
    assert found == [("a reader", 1, 2), "nobody"]
    for _ in range(2):  # each is told, not only the first
        with pytest.raises(RuntimeError):
            loops[0].call_soon_threadsafe(print)


def test_a_turn_begins_when_the_event_loop_has_done_what_was_waiting() -> None:
    turns, order = Turns(1), list[str]()

    def draw() -> None:
        with turns.taken():
            order.append("drawn")

    async def busy() -> None:
        turns.loop = asyncio.get_running_loop()
        drawing = threading.Thread(target=draw)
        drawing.start()
        time.sleep(0.2)  # the loop admits nobody meanwhile
        order.append("let in")
        await asyncio.to_thread(drawing.join)

    loop = threading.Thread(target=lambda: asyncio.run(busy()))  # a browser's loop may run in this thread
    loop.start()
    loop.join(20)
    assert not loop.is_alive()
    assert order == ["let in", "drawn"]
    draw()  # the loop is closed, and nobody waits for it
    assert order[-1] == "drawn"
    assert len(order) == 3


def test_the_loop_is_woken_once_for_many_calls_and_loses_none() -> None:
    turns, called, woken = Turns(1), list[tuple[int, int]](), [0]
    done, threads, calls, failed = threading.Event(), 4, 2000, list[dict[str, Any]]()

    async def serving() -> None:
        loop = asyncio.get_running_loop()
        plain = loop.call_soon_threadsafe

        def counted(*given: Any, **named: Any) -> asyncio.Handle:
            woken[0] += 1
            return plain(*given, **named)

        loop.call_soon_threadsafe = counted  # type: ignore[method-assign]
        loop.set_exception_handler(lambda _, context: failed.append(context))
        turns.meet(loop)
        turns.meet(loop)  # as every request does
        again = asyncio.Event()
        loop.call_soon_threadsafe(called.append, (-1, 0)).cancel()
        loop.call_soon_threadsafe(lambda: loop.call_soon_threadsafe(again.set))  # while the loop is called
        await asyncio.wait_for(again.wait(), 20)

        def send(number: int) -> None:
            for call in range(calls):
                loop.call_soon_threadsafe(called.append, (number, call))

        senders = [threading.Thread(target=send, args=(number,)) for number in range(threads)]
        for sender in senders:
            sender.start()
        deadline = time.monotonic() + 20
        while len(called) < threads * calls and time.monotonic() < deadline:
            await asyncio.sleep(0.001)
        for sender in senders:
            sender.join(20)
        await asyncio.sleep(0.01)
        done.set()

    kept: list[asyncio.AbstractEventLoop] = []

    def run() -> None:
        with asyncio.Runner() as runner:
            kept.append(runner.get_loop())
            runner.run(serving())

    loop = threading.Thread(target=run)
    loop.start()
    loop.join(60)
    assert done.is_set()
    assert not failed
    for number in range(threads):
        assert [call for one, call in called if one == number] == list(range(calls))
    assert len(called) == threads * calls  # what was cancelled is not called
    assert woken[0] < threads * calls / 2
    for _ in range(2):
        with pytest.raises(RuntimeError, match="closed"):
            kept[0].call_soon_threadsafe(done.set)
