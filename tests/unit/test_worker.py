"""What the process of a run tells of its work, message by message, and what it is held to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dpcore.errors import Code, Refused
from riskline.limits import TooLong
from ui.runs import worker
from ui.words.refusals import BEYOND_NUMBERS


def messages(work: Callable[..., Any], *arguments: Any) -> list[Any]:
    told: list[Any] = []
    worker.compute(work, arguments, lambda *message: told.append(message))
    return told


def one(value: int, *, progress: Callable[[int, int], None]) -> Any:
    return [value]


def several(most: int, *, progress: Callable[[int, int], None]) -> Iterator[int]:
    for done in range(most):
        progress(done + 1, most)
        yield done


def failing(error: BaseException, *, progress: Callable[[int, int], None]) -> Iterator[int]:
    yield 7
    raise error


def test_a_result_is_one_piece_and_an_iterator_gives_several(monkeypatch: pytest.MonkeyPatch) -> None:
    assert messages(one, 5) == [("piece", [5]), ("finished",)]
    now = iter([0.05, 0.15, 0.15, 0.2, 0.22, 0.22])
    monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: next(now)))
    assert messages(several, 4) == [
        *(("piece", 0), ("progress", 2, 4), ("piece", 1), ("piece", 2), ("progress", 4, 4), ("piece", 3)),
        ("finished",),
    ]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Refused("counts", "be at least 0", -1, Code.OUT_OF_RANGE), ("refused", "Counts must be at least 0; got -1.")),
        (ZeroDivisionError(), ("refused", BEYOND_NUMBERS)),
        (TooLong(), ("refused", BEYOND_NUMBERS)),
        (MemoryError(), ("memory",)),
    ],
)
def test_what_ends_it_early_is_told_after_what_it_found(error: BaseException, told: tuple[str, ...]) -> None:
    assert messages(failing, error) == [("piece", 7), told]


def test_a_fault_is_told_by_its_lines_and_not_by_its_words() -> None:
    piece, (kind, lines) = messages(failing, KeyError("jabberwock"))
    assert (piece, kind) == (("piece", 7), "broken")
    assert "in failing" in lines
    assert "jabberwock" not in lines


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_a_process_is_held_to_more_than_it_has_used(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Any] = []
    monkeypatch.setattr(worker.resource, "setrlimit", lambda what, ends: limits.append((what, ends)))
    monkeypatch.setattr(worker, "limit_memory", limits.append)
    for used, allowed, ends in ((3.2, 10.0, (13, 14)), (0.0, 0.1, (1, 2))):
        monkeypatch.setattr(worker, "time", SimpleNamespace(process_time=lambda used=used: used))
        worker.limit(allowed, 50.0)
        assert limits[-2:] == [(worker.resource.RLIMIT_CPU, ends), 50.0]
