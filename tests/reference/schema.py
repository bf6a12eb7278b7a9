"""Kinds of case in the areas `schema` and `steps`, answered by `dpcore.schema` and `dpcore.tradeoff`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.schema import Areas, Counts, Level, Means, Moves, Schema, Totals
from dpcore.tradeoff import TradeOff, trade_off_over_steps
from tests.reference.choices import one_of

_ROWS: Mapping[str, Callable[..., Any]] = {"count": Counts, "total": Totals, "mean": Means}
_MOVES = {"fixed": Moves("nowhere"), "movable": Moves("anywhere")}
_BUDGETS: Mapping[str, Callable[[float], Any]] = {
    "pure": lambda epsilon: PureDP(epsilon=epsilon),
    "zero_concentrated": lambda rho: ZeroConcentratedDP(rho=rho),
}


def _sensitivity(table: str, relation: str, area: str, areas: int = 1, group: int = 1, **row: Any) -> dict[str, float]:
    places = Areas((Level("area", areas),))
    schema = Schema((one_of("table", table, _ROWS)(level="area", **row),), places, one_of("area", area, _MOVES))
    found = schema.sensitivity(0, relation, group=group, exactly=True)
    return {"l1": found.l1, "l2": found.l2}


def _curve(budget: float, kind: str, steps: int) -> TradeOff:
    return trade_off_over_steps(one_of("kind", kind, _BUDGETS)(budget), steps=steps)


ANSWERS: Mapping[str, Callable[..., Any]] = {"sensitivity": _sensitivity}

STEPS: Mapping[str, Callable[..., Any]] = {
    "power": lambda budget, kind, steps, false_alarms: _curve(budget, kind, steps).detection(false_alarms),
    "right_guess": lambda budget, kind, steps, prior=0.5: _curve(budget, kind, steps).right_guess(prior=prior),
    "delta_at": lambda budget, kind, steps, epsilon: _curve(budget, kind, steps).delta_at(epsilon),
}
