"""Work that the tests of `ui.runs` send to a process of its own."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator

Progress = Callable[[int, int], None]


def numbers(upto: int, *, progress: Progress) -> Iterator[int]:
    for number in range(upto):
        print("a library that prints")
        progress(number + 1, upto)
        yield number


def twice(value: float, *, progress: Progress) -> float:
    progress(1, 1)
    return 2 * value


def first_and_then_never(pid_too: bool = False, *, progress: Progress) -> Iterator[int]:
    progress(1, 4)
    yield os.getpid() if pid_too else 1
    time.sleep(600)


def burn(*, progress: Progress) -> Iterator[int]:
    yield 1
    while True:
        pass


def hungry(megabytes: int, *, progress: Progress) -> int:
    return len(bytearray(megabytes * 2**20))


def refused(*, progress: Progress) -> Iterator[int]:
    yield 7
    raise ValueError("counts must be at least 0; got -1")


def out_of_numbers(*, progress: Progress) -> float:
    return 1.0 / 0


def broken(typed: str, *, progress: Progress) -> int:
    raise KeyError(typed)


def killed(*, progress: Progress) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def gone(*, progress: Progress) -> None:
    os._exit(3)
