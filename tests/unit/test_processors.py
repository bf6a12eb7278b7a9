"""Examples in docstrings and published values say the same on every processor: here on older ones that it can act as.

Sums come out another digit where NumPy and OpenBLAS know a processor's wider instructions, so an example that asks for
the last digit is right in one place only. What this machine knows best, all other tests use.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).resolve().parents[2]
KNOWN = [name for name in __cpu_dispatch__ if __cpu_features__[name]]
WIDER = {"Nehalem": "", "Haswell": "X86_V4|AVX512", "SkylakeX": "AVX512_(?!SKX)"}
"""OpenBLAS's name of a processor, and how those instructions that NumPy knows begin which it does not have."""
WIDE = "AVX512F" in __cpu_features__ and __cpu_features__["AVX512F"]


@pytest.mark.long
@pytest.mark.parametrize("kind", [pytest.param("Nehalem", marks=pytest.mark.study), "Haswell", "SkylakeX"])
def test_examples_and_published_values_hold_on_other_processors(kind: str) -> None:
    if kind == "SkylakeX" and not WIDE:
        pytest.skip("NOT run as on a processor with AVX-512: this one has none")
    without = " ".join(name for name in KNOWN if re.match(WIDER[kind], name))
    if kind != "Nehalem" and not without:  # what OpenBLAS computes for AMD's Zen is Haswell's to the last digit
        pytest.skip(f"NOT run again as on {kind}: this processor knows no more, and all other tests used it")
    acting = os.environ | {"OPENBLAS_CORETYPE": kind, "NPY_DISABLE_CPU_FEATURES": without}
    alone = ["-p", "no:cacheprovider", "--noconftest"]  # what tests share is of pages, and takes seconds to import
    command = [sys.executable, "-m", "pytest", "-q", *alone, "dpcore", "tests/published"]
    done = subprocess.run(command, cwd=ROOT, env=acting, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_a_kind_of_processor_leaves_out_what_came_after_it() -> None:
    names = ("X86_V3", "AVX2", "X86_V4", "AVX512F", "AVX512_SKX", "AVX512_ICL", "AVX512_SPR")
    left = {kind: [name for name in names if not re.match(begins, name)] for kind, begins in WIDER.items()}
    assert left["Nehalem"] == []
    assert left["Haswell"] == ["X86_V3", "AVX2"]
    assert left["SkylakeX"] == ["X86_V3", "AVX2", "X86_V4", "AVX512F", "AVX512_SKX"]
