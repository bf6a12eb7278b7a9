"""Kinds of case in the area `publication`, answered by public calls of `dpcore.publication`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcore import publication
from dpcore.publication import ClippedMean, ClippedTotal, CountTable, Row
from tests.reference.choices import one_of

_ROWS: Mapping[str, Callable[..., Row]] = {
    "count": lambda cells_per_person=1, records_per_cell=1: CountTable(
        cells=2 * cells_per_person, cells_per_person=cells_per_person, records_per_cell=records_per_cell
    ),
    "total": lambda low, high: ClippedTotal(low=low, high=high, noise="laplace"),
    "mean": lambda low, high, people: ClippedMean(low=low, high=high, people=people),
}


def _sensitivity(table: str, neighbours: str, **what: Any) -> dict[str, float]:
    try:
        row = one_of("table", table, _ROWS)(**what)
    except TypeError as missing:
        raise ValueError(f"table must have its own fields only; got {sorted(what)}") from missing
    moved = row.sensitivity(neighbours)
    return {"l1": moved.l1, "l2": moved.l2}


def _of_currency(noise: str, l1: float, l2: float) -> float:
    return l1 if noise in ("geometric", "laplace") else l2


def _row_error(noise: str, budget: float, l1: float, l2: float, level: float = 0.95) -> dict[str, float]:
    error = publication.range_error(budget, noise, sensitivity=_of_currency(noise, l1, l2), level=level)
    found = {"sd": error.std, "half_width": error.half_width}
    return found if error.empty_shown is None else {**found, "empty_shown": error.empty_shown}


def _row_budget(noise: str, half_width: float, l1: float, l2: float, level: float = 0.95) -> float:
    return float(publication.budget_for_range(half_width, noise, level=level, sensitivity=_of_currency(noise, l1, l2)))


def _least_stretch(noise: str, **inputs: Any) -> dict[str, Any]:
    found = publication.least_stretch(noise=noise, **inputs)
    return {"stretch": found.stretch, "needed": found.needed, "budgets": found.budgets.tolist()}


def _tree_variances(fanouts: Sequence[int], variances: Sequence[float | str]) -> list[float]:
    return [float(value) for value in publication.tree_variances(fanouts, [float(value) for value in variances])]


ANSWERS: Mapping[str, Callable[..., Any]] = {
    "sensitivity": _sensitivity,
    "row_error": _row_error,
    "row_budget": _row_budget,
    "least_weighted_variance": lambda **inputs: publication.least_weighted_variance(**inputs).tolist(),
    "least_stretch": _least_stretch,
    "tree_variances": _tree_variances,
}
