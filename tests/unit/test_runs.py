"""A long computation ends when it is done, stopped, left or out of time or memory; what it found stays."""

from __future__ import annotations

import logging
import os
import time
from typing import Any

import pytest

from tests.unit import long_works
from ui.runs import run as runs
from ui.runs.run import TOO_LONG, TOO_MUCH, Run, State
from ui.runs.worker import NICENESS
from ui.words.refusals import BEYOND_NUMBERS, BROKEN

SOON = 20.0


def until(true: Any, seconds: float = SOON) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def ended(run: Run) -> Run:
    end = time.monotonic() + SOON
    while run.going and time.monotonic() < end:
        run.follow()
        time.sleep(0.02)
    assert run.wait(SOON)
    return run


def with_its_process(**words: Any) -> tuple[Run, int]:
    run = Run(long_works.first_and_then_never, (True,), **words)
    until(lambda: run.pieces)
    assert alive(run.pieces[0])
    return run, run.pieces[0]


def test_pieces_arrive_in_their_order_with_progress() -> None:
    run = ended(Run(long_works.numbers, (5,)))
    assert (run.state, run.pieces, run.share) == (State.FINISHED, [0, 1, 2, 3, 4], 1.0)
    assert (run.done, run.total) == (5, 5)


class NicenessWhenRead:
    """An argument that arrives as the niceness of the process that reads it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.nice, (0,)


def test_a_run_computes_behind_pages_from_its_first_line() -> None:
    run = ended(Run(long_works.twice, (NicenessWhenRead(),)))
    assert run.pieces == [2 * min(os.nice(0) + NICENESS, 19)]


def test_a_single_result_is_one_piece() -> None:
    assert ended(Run(long_works.twice, (21.0,))).pieces == [42.0]


def test_what_an_earlier_run_found_comes_first() -> None:
    assert ended(Run(long_works.twice, (1.0,), found=[8.0])).pieces == [8.0, 2.0]


def test_stop_ends_the_process_within_a_piece_and_keeps_what_was_found() -> None:
    run, process = with_its_process()
    run.stop()
    assert run.wait(2.0)
    assert not alive(process)
    assert (run.state, run.pieces, run.failure) == (State.STOPPED, [process], None)


def test_a_session_that_is_gone_ends_the_process_within_a_piece() -> None:
    session = {"here": True}
    run, process = with_its_process(present=lambda: session["here"])
    session["here"] = False
    assert run.wait(2.0)
    assert not alive(process)
    assert (run.state, run.pieces) == (State.LEFT, [process])


def test_a_run_that_no_page_follows_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "PATIENCE", 1.5)
    run = Run(long_works.first_and_then_never, ())
    end = time.monotonic() + 3.0
    while time.monotonic() < end:
        run.follow()
        time.sleep(0.05)
    assert run.going, "it goes on while a page follows it"
    assert run.wait(5.0)
    assert run.state is State.LEFT


def test_a_reader_who_leaves_while_waiting_takes_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_TURNS", runs.threading.BoundedSemaphore(1))
    first, process = with_its_process()
    waiting = Run(long_works.twice, (1.0,))
    time.sleep(0.5)
    assert waiting.state is State.WAITING
    waiting.stop()
    assert waiting.wait(2.0)
    second = Run(long_works.twice, (1.0,))
    first.stop()
    assert ended(second).pieces == [2.0]
    assert waiting.pieces == []
    assert not alive(process)


def test_processor_time_ends_it_with_a_sentence_and_what_was_found() -> None:
    run = ended(Run(long_works.burn, (), longest=1.0))
    assert (run.state, run.failure, run.pieces) == (State.EXHAUSTED, TOO_LONG, [1])


def test_memory_ends_it_with_a_sentence() -> None:
    run = ended(Run(long_works.hungry, (100,), megabytes=50.0))
    assert (run.state, run.failure) == (State.FAILED, TOO_MUCH)
    assert ended(Run(long_works.hungry, (20,), megabytes=50.0)).pieces == [20 * 2**20]


def test_an_error_in_the_work_is_a_sentence() -> None:
    run = ended(Run(long_works.refused, ()))
    assert (run.state, run.failure, run.pieces) == (State.FAILED, "Counts must be at least 0; got -1.", [7])
    assert ended(Run(long_works.out_of_numbers, ())).failure == BEYOND_NUMBERS
    assert ended(Run(long_works.killed, ())).failure == TOO_MUCH
    assert ended(Run(long_works.gone, ())).failure == BROKEN


def test_an_unforeseen_error_tells_the_log_where_and_nobody_what(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "riskline"):
        run = ended(Run(long_works.broken, ("secret words",)))
    assert run.failure == BROKEN
    assert "long_works.py" in caplog.text
    assert "KeyError" in caplog.text
    assert "secret" not in caplog.text


def test_work_that_cannot_be_sent_is_a_sentence() -> None:
    assert ended(Run(lambda *, progress: 1, ())).failure == BROKEN


def test_the_first_end_counts() -> None:
    run = ended(Run(long_works.twice, (1.0,)))
    run.stop()
    run.leave()
    assert run.state is State.FINISHED


def test_what_was_stopped_may_go_on_and_what_failed_may_not() -> None:
    run, _ = with_its_process()
    run.stop()
    run.resume()
    assert (run.state, run.failure) == (State.LEFT, None)
    failed = ended(Run(long_works.refused, ()))
    failed.resume()
    assert failed.state is State.FAILED
