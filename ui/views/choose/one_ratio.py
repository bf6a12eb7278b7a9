"""One ratio for everybody: the strictest ratio of a line, held at every belief, as a budget beside the line's own."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dpcore.errors import Refused
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.profiles import Budget, Status
from riskline.answers import line_budget
from ui.views.choose.answer import Answered
from ui.words.quantities import Allowed, Lower, as_recommended, number


@dataclass(frozen=True)
class OneRatio:
    """The budget of the strictest ratio of a line, for the line's question, unit, guarantee and releases.

    Parameters
    ----------
    budget : Budget or None
        None where no budget keeps so strict a ratio.
    each : Allowed
        Its ε or ρ of each release, as the line's own is recommended.
    spend : str
        In the words of the line's budget.
    gain : Lower
        How much more ε or ρ the line leaves each release, from the unrounded budgets.
    gained : str
        What the gain is more of.
    """

    budget: Budget | None
    each: Allowed
    spend: str
    gain: Lower
    gained: str


def one_ratio(answer: Answered) -> OneRatio | None:
    """What one ratio for everybody would leave to spend; None for a line that decides nothing."""
    ours = answer.budget
    if ours is None or answer.implied.status is not Status.BINDS or math.isinf(answer.implied.strictest_ratio):
        return None
    ratio = max(answer.implied.strictest_ratio, 1.0)
    constant = replace(answer.inputs.line_choice, line="constant", ratio=ratio)
    try:
        found = line_budget(constant, answer.inputs.terms).budget
    except Refused:  # the line has room for this δ, and so strict a ratio has none
        found = None
    each = 0.0 if found is None else found.recommended_each
    more = max(_each(ours) - (0.0 if found is None else _each(found)), 0.0)
    return OneRatio(
        budget=found,
        each=Allowed(each, as_recommended),
        spend=answer.spending(each),
        gain=Lower(more, number(3)),
        gained=f"{answer.symbol}{' in each release' if ours.releases > 1 else ''}",
    )


def _each(budget: Budget) -> float:
    """The ε or ρ of each release, unrounded."""
    return budget.each.rho if isinstance(budget.each, ZeroConcentratedDP) else budget.each.epsilon
