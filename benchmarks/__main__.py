"""Runs every benchmark, or those named: `python -m benchmarks profiles composition`."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

STEMS = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))


for library in ("OPENBLAS", "OMP"):  # as for view processes: waiting threads use processor time
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def main(wanted: list[str]) -> int:
    """Print each row; the exit status is the number of targets that were not met."""
    missed = 0
    for stem in STEMS:
        if wanted and stem.removeprefix("bench_") not in wanted:
            continue
        print(f"== {stem.removeprefix('bench_')}")
        for row in import_module(f"benchmarks.{stem}").run():
            ratio = f", {row['ratio']:,.0f} times faster than {row['baseline']}" if row["ratio"] else ""
            verdict = "met" if row["met"] else "NOT met"
            print(f"{row['name']}: {1000 * row['seconds']:.3f} ms{ratio} ({row['target']}: {verdict})")
            missed += not row["met"]
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
