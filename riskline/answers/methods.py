"""What a method of disclosure control tells of one cell, and noise of the same error beside it, with their scope."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore.accuracy import AdditiveMechanism, noise_with_budget
from dpcore.errors import Code, Refused
from dpcore.methods import DisclosureControl, TwoWorlds, certain_somewhere, equal_error_budget
from dpcore.privacy_loss import Side
from dpcore.promise import Promise
from dpcore.rounding import round_up
from dpcore.scope import Bound, Scope
from dpcore.scope import Side as BoundSide
from riskline.case.choices import NO_LINE
from riskline.case.line import LineChoice, chosen_profile
from riskline.case.promise import BOTH, asked_about

LEFT_OUT = 1e-16
"""Noise further off than it is with this probability is in no float."""
MOST_COUNTS = 5_000
"""So many counts of the others are asked for the one at which most is told."""
BUDGET_DIGITS = 3
"""Significant digits of the budget whose noise has a method's error, rounded up."""


@dataclass(frozen=True)
class Told:
    """What one published number tells somebody who knows its law and everybody else: exact, for this release alone.

    worlds : its laws where the secret is so and where it is not
    promise : whose secret

    >>> from dpcore.methods import RandomRounding
    >>> presence = Promise(secret="presence", relation="add_or_remove")
    >>> told = Told(RandomRounding(base=3).presence(0), presence)
    >>> round(told.certain("present").value, 9), told.certain("present").scope.value, told.certain("absent").value
    (0.333333333, 'count', 0.0)
    """

    worlds: TwoWorlds
    promise: Promise

    def _exact(self, value: float) -> Bound:
        return Bound(value=min(value, 1.0), side=BoundSide.EXACT, scope=Scope.COUNT, promise=self.promise)

    def certain(self, side: Side) -> Bound:
        """How often somebody becomes certain: that the secret is so where it is, or that it is not where it is not."""
        return self._exact(self.worlds.probability_certain(side=side))

    def passed(self, limit: float, prior: float, side: Side) -> Bound:
        """How often the belief ends above the line's limit."""
        return self._exact(self.worlds.probability_above(limit, prior=prior, side=side))

    def right_guess(self, prior: float = 0.5) -> Bound:
        """How often the best guess is right."""
        return self._exact(self.worlds.right_guess(prior=prior))

    def highest(self, prior: float) -> Bound:
        """The highest belief after, from a belief before."""
        value = float(np.max(self.worlds.posteriors(prior=prior)))
        return Bound(value=value, side=BoundSide.AT_MOST, scope=Scope.COUNT, promise=self.promise)

    @property
    def odds(self) -> float:
        """By how much the odds of a belief rise at most: the line that a constant ratio of odds draws; or infinite."""
        with np.errstate(over="ignore"):
            return float(np.exp(np.max(self.worlds.evidence)))


def most_telling_count(method: DisclosureControl, people: int = 1) -> int:
    """The count of the others at which somebody becomes certain of presence most often; of these, is right most often.

    >>> from dpcore.methods import NearestRounding, RandomRounding
    >>> most_telling_count(RandomRounding(base=3)), most_telling_count(NearestRounding(base=5))
    (0, 2)
    """
    counts = method.counts_of_others(people)
    if len(counts) > MOST_COUNTS:
        raise Refused("method", f"have at most {MOST_COUNTS:,} different counts", len(counts), Code.TOO_LARGE)

    def tells(others: int) -> tuple[float, float, int]:
        worlds = method.presence(others, people=people)
        return round(worlds.probability_certain(), 12), round(worlds.right_guess(), 12), -others

    return max(counts, key=tells)


def noise_of_same_error(method: DisclosureControl, counts: Sequence[int], kind: str) -> AdditiveMechanism | None:
    """Noise whose root mean square error at these counts is no larger than a method's, its budget rounded up.

    None where the method makes no error at them, or publishes one of them not as a number.

    >>> from dpcore.methods import CellKey, NearestRounding
    >>> noise_of_same_error(CellKey(largest_noise=2, variance=1), [30], "geometric").budget
    1.32
    >>> noise_of_same_error(NearestRounding(base=3), [3, 6], "geometric") is None
    True
    """
    try:
        budget = equal_error_budget(method, counts=counts, noise=kind)  # type: ignore[arg-type]
    except Refused as refusal:
        if refusal.code is Code.UNSUPPORTED:
            return None
        raise
    if math.isinf(budget):
        return None
    return noise_with_budget(round_up(budget, BUDGET_DIGITS, significant=True), kind)  # type: ignore[arg-type]


def told_by_noise(noise: AdditiveMechanism, promise: Promise) -> Told:
    """What noise on one count tells of people who are counted together or not at all."""
    reach = math.ceil(noise.half_width(1.0 - LEFT_OUT))
    published = np.arange(-reach, reach + promise.group + 1)
    present, absent = (noise.log_law(published, count=counted) for counted in (promise.group, 0))
    return Told(TwoWorlds(tuple(published.tolist()), present, absent), promise)


def told_somewhere(cells: Sequence[Told]) -> Bound:
    """How often somebody becomes certain in one cell at least, of different people in each, all of them counted."""
    found = certain_somewhere([(cell.worlds, 1) for cell in cells])
    return Bound(value=found, side=BoundSide.EXACT, scope=Scope.TABLE, promise=cells[0].promise)


def limit_of_line(line: LineChoice, prior: float) -> float | None:
    """The highest belief that a line accepts after this one; None where none is drawn, or it is about two beliefs.

    >>> limit_of_line(LineChoice(), 0.08), limit_of_line(LineChoice(line="none"), 0.08)
    (0.25, None)
    """
    if line.line == NO_LINE or asked_about(line.secret, line.held) == BOTH:
        return None
    return min(max(float(np.asarray(chosen_profile(line).highest_posterior(prior))), prior), 1.0)
