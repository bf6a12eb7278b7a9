"""Calls for workers of views to make: they have to be in a module that a worker can import."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpcore._checks import probability
from ui.views.shared.session_results import kept_for_session

UNREAD = (
    "import sys; from ui.frame import view_process\n"
    "view_process._warm = lambda: None; view_process.main(int(sys.argv[1]))"
)


def start_unread(_: str, *arguments: str, **streams: Any) -> subprocess.Popen[bytes]:
    """The process that workers come from, which has read no code of views: to read all takes most of a test."""
    return subprocess.Popen([sys.executable, "-c", UNREAD, *arguments], **streams)


@dataclass(frozen=True)
class ViewedInputs:
    text: str = ""


def viewed(inputs: ViewedInputs, *others: Any) -> tuple[str, int]:
    return f"{inputs} {others}", time.monotonic_ns()


def viewed_slowly(inputs: ViewedInputs, *others: Any) -> tuple[str, int]:
    busy(0.1)
    return viewed(inputs, *others)


def doubled(value: float) -> float:
    return 2 * value


def refused(value: float) -> Any:
    return probability("prior", value)


def busy(seconds: float) -> str:
    begun = time.process_time()
    while time.process_time() < begun + seconds:
        pass
    return "done"


def niceness_after(seconds: float) -> int:
    busy(seconds)
    return os.nice(0)


def code_read_for(view_of: Callable[..., Any], chosen: Any, style: Any) -> list[str]:
    before = set(sys.modules)
    pickle.dumps(view_of(chosen, style))
    return sorted(set(sys.modules) - before)


HOARD: list[bytes] = []


def hoarding(size: int) -> int:
    HOARD.append(b"x" * size)
    return size


def ending() -> None:
    os._exit(3)


def greedy(megabytes: int) -> int:
    return len(bytearray(megabytes * 2**20))


@kept_for_session
def _process_that_computed(name: str) -> int:
    return os.getpid() + time.monotonic_ns()


def kept(name: str) -> tuple[int, int]:
    return _process_that_computed(name), _process_that_computed(name)
