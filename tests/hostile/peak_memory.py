"""The largest memory of this process itself.

`ru_maxrss` begins with the size of the process that started this one, so a small child of a large test run would seem
as large as the run; the kernel's high-water mark of the process's own memory does not.
"""

from __future__ import annotations

import resource
from contextlib import suppress
from pathlib import Path

STATUS = Path("/proc/self/status")


def _of_status(name: str) -> int:
    (mark,) = (line for line in STATUS.read_text().splitlines() if line.startswith(name))
    return 1024 * int(mark.split()[1])


def peak_bytes() -> int:
    """Largest resident memory of this process so far, in bytes."""
    if STATUS.exists():
        return _of_status("VmHWM:")
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def forget_peak() -> None:
    """Begin the high-water mark anew (proc(5): 5 written to clear_refs); elsewhere it stays the largest so far."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def resident_bytes() -> int:
    """Resident memory of this process now, in bytes."""
    return _of_status("VmRSS:") if STATUS.exists() else peak_bytes()
