"""The largest memory of this process itself.

`ru_maxrss` begins with the size of the process that started this one, so a small child of a large test run would seem
as large as the run; the kernel's high-water mark of the process's own memory does not.
"""

from __future__ import annotations

import resource
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak_bytes() -> int:
    """Largest resident memory of this process so far, in bytes."""
    if STATUS.exists():
        (mark,) = (line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return 1024 * int(mark.split()[1])
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
