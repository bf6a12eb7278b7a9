"""What `import dpcore` adds to NumPy's and SciPy's own import. Run: python -m benchmarks import."""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import Any

from benchmarks.timing import ROOT, within

EVERY_MODULE = "import dpcore; [getattr(dpcore, name) for name in dpcore.__all__]"


def _started(lines: str, repeats: int = 5) -> float:
    """Processor seconds of a new process that runs the lines, the least of several."""
    found = []
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", lines], cwd=ROOT, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def run() -> list[dict[str, Any]]:
    """One row: the front alone, beside every module at once."""
    theirs = _started("import numpy, scipy")
    ours = max(_started("import numpy, scipy, dpcore") - theirs, 1e-4)
    everything = max(_started(f"import numpy, scipy; {EVERY_MODULE}") - theirs, 1e-4)
    return [within("import dpcore, beyond numpy and scipy", ours, 0.15, "every module at once", everything)]
