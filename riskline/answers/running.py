"""What of a total is granted and left while releases are asked for one after another, each chosen after the others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from scipy.optimize import brentq

from dpcore._properties import cached_property
from dpcore.filters import BudgetFilter, ByAnswer, GaussianDP, WorstReader, by_answer, worst_reader
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from riskline.case.spending import AskedRelease, Spending

KINDS: dict[str, Callable[[float, float], Any]] = {
    "epsilon": lambda budget, delta: PureDP(epsilon=budget),
    "rho": lambda budget, delta: ZeroConcentratedDP(rho=budget),
    "approximate": lambda budget, delta: ApproximateDP(epsilon=budget, delta=delta),
    "squares": lambda budget, delta: ApproximateDP(epsilon=budget, delta=delta),
    "mu": lambda budget, delta: GaussianDP(budget),
}
"""The guarantee of a total or a release, by what is summed."""


@dataclass(frozen=True)
class Step:
    """A release that was asked for: its budget and δ, whether it was granted, and what could be spent before and after.

    What is left is the largest budget that fits next, and the δ that is left.
    """

    asked: AskedRelease
    budget: float
    delta: float
    granted: bool
    left: tuple[float, float]
    left_after: tuple[float, float]


@dataclass(frozen=True)
class Running:
    """A total with the releases asked for so far; a refused one may be followed by a smaller one.

    >>> third = tuple(AskedRelease("", "", budget) for budget in ("0.1", "0.35", "0.2"))
    >>> found = Running(Spending(total="0.3", asked=third))
    >>> [step.granted for step in found.steps], found.left
    ([True, False, True], (0.0, 0.0))
    """

    spending: Spending

    def filter_of(self, number: int) -> BudgetFilter:
        """The filter after so many have been asked for."""
        made, chosen = KINDS[self.spending.sums], self.spending
        total, delta = chosen.whole
        part = delta / 2 if chosen.sums == "squares" else None
        asked = tuple(made(*chosen.amount(place)) for place in range(number))
        return BudgetFilter(made(total, delta), delta_prime=part, asked=asked)

    @cached_property
    def now(self) -> BudgetFilter:
        """The filter after all that has been asked for."""
        return self.filter_of(len(self.spending.asked))

    @property
    def guarantee(self) -> Any:
        """What all that is granted keeps together, however it was chosen."""
        return self.now.guarantee

    def _left(self, filtered: BudgetFilter) -> tuple[float, float]:
        """The largest budget that fits next, without a δ, and the δ that is left; rounded down."""
        left, delta = filtered.left, filtered.left.get("delta", 0.0)
        if self.spending.sums in ("epsilon", "rho", "approximate"):
            return left["rho" if self.spending.sums == "rho" else "epsilon"], delta
        if self.spending.sums == "mu":
            found = math.sqrt(left["mu_squared"])
        else:
            found = _epsilon_of(left["rho"])
        while found > 0.0 and not filtered.fits(KINDS[self.spending.sums](found, 0.0)):
            found = found * (1.0 - 1e-15) if found > 1e-12 else 0.0
        return found, delta

    @cached_property
    def left(self) -> tuple[float, float]:
        """The largest budget that fits next, and the δ that is left."""
        return self._left(self.now)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every release that was asked for."""
        left = [self._left(self.filter_of(number)) for number in range(len(self.spending.asked) + 1)]
        return tuple(
            Step(asked, *self.spending.amount(place), self.now.granted[place], left[place], left[place + 1])
            for place, asked in enumerate(self.spending.asked)
        )

    def asking(self, asked: AskedRelease) -> Running:
        """The same after one more; `ValueError` where its cells are no release."""
        return Running(replace(self.spending, asked=(*self.spending.asked, asked)))


def _epsilon_of(rho: float) -> float:
    """The ε whose ε tanh(ε/2) is this ρ."""
    if rho <= 0.0:
        return 0.0
    return float(brentq(lambda epsilon: epsilon * math.tanh(epsilon / 2) - rho, 0.0, rho + 2.0 * math.sqrt(rho) + 2.0))


WORST_EPSILONS, WORST_BUDGET = (0.3, 1.0), 0.6
"""A small tree: answers by coin at these ε, as often as a total of ρ lasts."""
BY_ANSWER = {"first": 0.5, "mu": 1.5, "response": 1.6, "epsilon": 1.1}
"""Two fixed plans, and a reader who takes the one or the other by the first answer."""


@lru_cache(maxsize=4)
def worst_readers(points: int = 13) -> tuple[tuple[float, WorstReader], ...]:
    """What the worst reader gets from the small tree, by ε: who chooses by the answers, by a fixed plan, and at most.

    >>> epsilon, found = worst_readers()[7]
    >>> round(epsilon, 2), found.fixed < found.adaptive < found.promised
    (0.7, True)
    """
    priced: dict[str, Any] = {"epsilons": WORST_EPSILONS, "currency": "rho", "budget": WORST_BUDGET}
    return tuple((step / 10, worst_reader(epsilon=step / 10, **priced)) for step in range(points))


@lru_cache(maxsize=1)
def passed_by_answer() -> ByAnswer:
    """What a reader gets who chooses by the first answer, where a total is the curve of two fixed plans.

    >>> found = passed_by_answer()
    >>> round(found.by_answer, 4), round(found.always_gaussian, 4)
    (0.4045, 0.3316)
    """
    return by_answer(**BY_ANSWER)
