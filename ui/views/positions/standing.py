"""One position: its line, its budget, what the budget brings to a count; and one line for all of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.accuracy import CountError, RateTarget, wrong_side_probability
from dpcore.profiles import LogOddsMean, PointwiseMinimum, RiskProfile, Status
from riskline.answers import LineBudget, Terms, profile_budget
from riskline.answers.errors import noise_error
from riskline.case.line import LineChoice, chosen_profile
from ui.pictures.style import Style
from ui.views.positions.choices import ONE_FOR_ALL, PositionsInputs
from ui.views.shared import belief_before
from ui.words.phrasing import decimal_belief, frequency, rounded_budget
from ui.words.quantities import Upper, number

ABSENT = "–"
"""What a position that asks for no limit leaves empty."""


@dataclass(frozen=True, kw_only=True)
class Standing(LineBudget):
    """One position, or one line for all of them: its line, its budget, and what the budget brings to a count."""

    name: str
    error: CountError | None = None
    wrong_side: float | None = None
    middle: bool = False


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
    found = profile_budget(profile, Terms(unit=inputs.unit, group=inputs.group, relation=inputs.relation))
    error, wrong = None, None
    if found.budget is not None and found.epsilon > 0:
        row = noise_error(found.epsilon, "geometric")
        error = row.error
        off = RateTarget(total=inputs.total, target_per_thousand=inputs.target).deviation_counts([inputs.deviation])[0]
        wrong = float(wrong_side_probability(row.noise, excess=off)) if off else None
    return Standing(**vars(found), name=name, error=error, wrong_side=wrong, middle=middle)


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
