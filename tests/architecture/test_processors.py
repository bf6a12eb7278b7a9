"""Examples in docstrings say the same on every processor: here with the oldest instructions that it can be held to.

Sums come out another digit where NumPy and OpenBLAS know a processor's wider instructions, so an example that asks for
the last digit is right in one place only. What this machine knows best, all other tests use.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).resolve().parents[2]


def test_every_example_of_the_library_holds_without_wide_instructions() -> None:
    known = [name for name in __cpu_dispatch__ if __cpu_features__[name]]
    plain = {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": " ".join(known)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "dpcore"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | plain, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout
