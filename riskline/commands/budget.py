"""`riskline budget`: the privacy budget that a line of acceptable risk implies, as *Choose a budget* answers."""

from __future__ import annotations

import math
from functools import partial

from dpcore.guarantees import ZeroConcentratedDP
from riskline.case.choices import NO_LINE
from riskline.commands import Command, refuse
from riskline.output import Answer, Said
from ui.pictures.style import Style
from ui.views.choose import FIELDS, ChooseInputs, ChooseView, choose_view
from ui.views.shared.strip import beginning_with_case
from ui.words.quantities import Allowed, Failure, Lower, as_recommended, as_told, number


def answer(inputs: ChooseInputs, style: Style) -> Answer:
    """The budget to spend, what decides it, and what an attacker can reach there."""
    view = choose_view(inputs, style)
    refuse(view.refusal or (view.answer.replace("**", "") if inputs.line == NO_LINE else None))
    return Answer(
        sentence=view.answer,
        small_print=view.small_print,
        quantities=_quantities(inputs, view),
        cards=view.numbers,
        tables=(view.comparisons,) if view.comparisons is not None else (),
        lines=view.python,
    )


def _quantities(inputs: ChooseInputs, view: ChooseView) -> dict[str, Said]:
    budget = view.budget
    symbol = "rho" if inputs.guarantee == "zero_concentrated" else "epsilon"
    if budget is None:
        return {f"{symbol}_of_each_release": Allowed(math.inf, as_recommended)}
    total = budget.total
    unrounded = total.rho if isinstance(total, ZeroConcentratedDP) else total.epsilon
    found: dict[str, Said] = {
        f"{symbol}_of_each_release": Allowed(budget.recommended_each, as_recommended),
        f"{symbol}_unrounded_of_all": Allowed(unrounded, number(7)),
    }
    if inputs.guarantee == "approximate":
        found["delta_of_each_release"] = Allowed(inputs.delta / budget.releases, number(2))
    if budget.failure_probability:
        found["failure_probability"] = Failure(budget.failure_probability, number(3))
    for decided in view.decided:
        found |= {"binding_prior": Lower(decided.prior, as_told(decided.before)), "posterior_reached": decided.said}
    return found


COMMAND = Command(
    stem="choose",
    fields=FIELDS,
    inputs=ChooseInputs,
    answer=answer,
    examples=(
        "budget --cap 0.25 --ratio 3",
        "budget --line drawn --points 0.01~0.10_0.20~0.40_0.60~0.80",
        "budget --secret value --guarantee zero_concentrated --route discrete_gaussian --release count --releases 12",
        "budget --link 'choose?ratio=2.5&unit=household&group=4' --json",
    ),
    left_out=("view", "log", "interview"),
    of_case=partial(beginning_with_case, FIELDS),
)
