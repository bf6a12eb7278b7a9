"""What one answer may take of the machine, on a page or in a terminal: processor time, and memory beside its code."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

if sys.platform != "win32":
    import resource

LONGEST = 12.0
"""Seconds of processor time; every legal link takes less than three."""
MEGABYTES = 300.0
"""Memory beyond what a process has when it begins with an answer."""
AGAIN = 1.0
"""Seconds until an answer that goes on is ended once more."""
STATUS = Path("/proc/self/status")


class TooLong(ArithmeticError):
    """An answer that took more processor time than one may."""


def limit_memory(megabytes: float = MEGABYTES) -> None:
    """Hold this process for good to so much memory beyond what it has now, where the system can."""
    if STATUS.exists():
        most = _held() + int(megabytes * 2**20)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


@contextmanager
def within_limits(seconds: float = LONGEST, megabytes: float = MEGABYTES) -> Iterator[None]:
    """Hold what is computed inside to so much, where the system can: `TooLong` or `MemoryError` where it takes more.

    >>> with within_limits():
    ...     2 + 2
    4
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    stopped = signal.signal(signal.SIGPROF, _stop)
    try:
        if STATUS.exists():
            allowed = [each for each in before if each != resource.RLIM_INFINITY]
            resource.setrlimit(resource.RLIMIT_DATA, (min([_held() + int(megabytes * 2**20), *allowed]), before[1]))
        # it counts from now; a limit on the process counts ticks, which on a busy machine run ahead of its clock
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_DATA, before)
        signal.signal(signal.SIGPROF, stopped)


def _stop(*_: Any) -> None:
    raise TooLong


def _held() -> int:
    """Bytes of this process's own data now."""
    held = next(line for line in STATUS.read_text(encoding="ascii").splitlines() if line.startswith("VmData"))
    return int(held.split()[1]) * 1024
