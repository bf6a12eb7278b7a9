"""Kinds of case in the area `filters`, answered by `dpcore.filters`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dpcore.filters import (
    BudgetFilter,
    GaussianDP,
    adaptive_epsilons,
    by_answer,
    odometer_shifts,
    worst_reader,
)
from dpcore.guarantees import PureDP


def _sum(budget: float, asks: Sequence[float], rule: Any) -> dict[str, Any]:
    found = BudgetFilter(PureDP(epsilon=budget), rule=rule).ask(*(PureDP(epsilon=one) for one in asks))
    return {"granted": [int(one) for one in found.granted], "spent": found.spent["epsilon"]}


def _gaussian(mus: Sequence[float], delta: float) -> dict[str, float]:
    releases = [GaussianDP(mu) for mu in mus]
    begun = BudgetFilter(GaussianDP(sum(mus))).ask(*releases)
    whole = GaussianDP(begun.spent["mu_squared"] ** 0.5)
    return {"mu": whole.mu, "epsilon": whole.epsilon_at(delta), "right_guess": whole.right_guess()}


def _worst_reader(choices: Sequence[float], currency: Any, budget: float, at: float) -> dict[str, float]:
    found = worst_reader(choices, currency=currency, budget=budget, epsilon=at)
    return {"adaptive": found.adaptive, "fixed": found.fixed}


ANSWERS: Mapping[str, Callable[..., Any]] = {
    "sum": _sum,
    "advanced": lambda epsilons, delta: asdict(adaptive_epsilons(epsilons, delta=delta)),
    "gaussian": _gaussian,
    "odometer": lambda rhos, first, delta: odometer_shifts(rhos, first=first, delta=delta).tolist(),
    "worst_reader": _worst_reader,
    "by_answer": lambda first, gaussian, response, at: asdict(
        by_answer(first=first, mu=gaussian, response=response, epsilon=at)
    ),
}
