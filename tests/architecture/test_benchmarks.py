"""Benchmarks run on demand, so that a name they lost would be found late: each is imported."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tests.each import each

BENCHMARKS = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "benchmarks").glob("bench_*.py"))


@each("stem", BENCHMARKS)
def test_a_benchmark_finds_what_it_measures(stem: str) -> None:
    assert callable(import_module(f"benchmarks.{stem}").run)
