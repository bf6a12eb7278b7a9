"""One position: its line, its budget, what the budget brings to a count; and one line for all of several."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dpcore.accuracy import CountError, RateTarget, count_error, noise_with_budget, wrong_side_probability
from dpcore.profiles import Budget, ImpliedEpsilon, LogOddsMean, PointwiseMinimum, RiskProfile, Status, budget
from riskline.case.line import LineChoice, chosen_profile
from ui.pictures.style import Style
from ui.views.positions.choices import ONE_FOR_ALL, PositionsInputs
from ui.views.shared import belief_before
from ui.words.phrasing import decimal_belief, frequency, rounded_budget
from ui.words.quantities import Upper, number

ABSENT = "–"
"""What a position that asks for no limit leaves empty."""


@dataclass(frozen=True)
class Standing:
    """One position, or one line for all of them: its line, its budget, and what the budget brings to a count."""

    name: str
    profile: RiskProfile
    implied: ImpliedEpsilon
    error: CountError | None
    wrong_side: float | None
    budget: Budget | None
    middle: bool = False

    @property
    def epsilon(self) -> float:
        """The budget of one record to recommend: rounded down; infinite when the line sets no limit."""
        return math.inf if self.budget is None else self.budget.recommended_total

    @property
    def together(self) -> int:
        """Records that belong together."""
        return 1 if self.budget is None else self.budget.group

    @property
    def shift(self) -> float:
        """What that budget lets records that belong together add up to."""
        return self.epsilon * self.together


def unstarred(name: str) -> str:
    """A name whose own stars do not set anything bold."""
    return name.replace("*", "∗")


def parties_differ(standings: tuple[Standing, ...]) -> bool:
    """Whether the budgets of the parties, as recommended, are not all the same."""
    return len({standing.epsilon for standing in standings}) > 1


def standing_of(name: str, line: LineChoice, inputs: PositionsInputs) -> Standing:
    """One party with its line; a refusal of the line carries the party's name."""
    try:
        profile = chosen_profile(line)
        return _with_error(name, profile, inputs)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _with_error(name: str, profile: RiskProfile, inputs: PositionsInputs, middle: bool = False) -> Standing:
    implied = profile.implied_epsilon(value_exponent=1.0 if inputs.relation == "replace" else 2.0)
    spent, error, wrong = None, None, None
    if implied.status is not Status.BINDS_NOTHING:
        spent = budget(profile, group=inputs.together, relation=inputs.relation, answer=implied)
    if spent is not None and spent.recommended_total > 0:
        noise = noise_with_budget(spent.recommended_total, "geometric")
        error = count_error(noise, level=0.95)
        off = RateTarget(total=inputs.total, target_per_thousand=inputs.target).deviation_counts([inputs.deviation])[0]
        wrong = float(wrong_side_probability(noise, excess=off)) if off else None
    return Standing(name, profile, implied, error, wrong, spent, middle)


def middle_of(parties: tuple[Standing, ...], inputs: PositionsInputs, style: Style) -> tuple[Standing, ...]:
    """One line for all parties as one more position, if one is asked for."""
    members = [party.profile for party in parties]
    if inputs.middle == "strictest":
        return (_with_error(ONE_FOR_ALL[style.technical]["strictest"], PointwiseMinimum(members), inputs, True),)
    if inputs.middle == "mean":
        return (_with_error(ONE_FOR_ALL[style.technical]["mean"], LogOddsMean(members), inputs, True),)
    return ()


def spend_words(standing: Standing) -> str:
    """The budget a position may spend on one record, rounded down."""
    if standing.implied.status is Status.BINDS_NOTHING:
        return "no limit"
    return f"ε = {rounded_budget(standing.implied.lower / standing.together)}"


def half_width_words(standing: Standing) -> str:
    """How far a count is off at least 95 times in 100 at that budget, rounded up."""
    if standing.implied.status is Status.BINDS_NOTHING:
        return ABSENT
    return "nothing usable" if standing.error is None else f"± {Upper(standing.error.half_width, number(3)).digits}"


def belief_words(style: Style) -> Any:
    """How beliefs are said: as people in the plain voice, as decimals else."""
    return decimal_belief if style.technical else frequency


def place_words(standing: Standing, style: Style) -> str:
    """The prior that decides a position's budget."""
    binding = standing.implied.binding
    if binding is None:
        return ABSENT
    after = None
    if binding.prior > 0:
        reached = float(standing.implied.reachable(binding_at(standing), epsilon=standing.implied.lower))
        after = Upper(reached, belief_words(style))
    return belief_before.decided(binding.prior, style, after)


def binding_at(standing: Standing) -> float:
    """The binding place as a coordinate along the line."""
    binding = standing.implied.binding
    assert binding is not None
    return binding.membership_prior if standing.profile.axis.value == "membership" else binding.value_prior
