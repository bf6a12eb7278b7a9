"""The time that rooms go by: that of the system when the process started, and what has passed since.

Somebody who sets the system's clock in the middle of a meeting neither ends rooms early nor keeps them for longer.
"""

from __future__ import annotations

import time
from collections.abc import Callable


def passed() -> float:
    """Seconds since some moment before the process began, those in which the computer slept included where it tells."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def steady_clock(wall: Callable[[], float] = time.time, steady: Callable[[], float] = passed) -> Callable[[], float]:
    """A clock in seconds since 1970 that is set once, now."""
    began = wall() - steady()
    return lambda: began + steady()


now = steady_clock()
