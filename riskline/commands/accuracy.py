"""`riskline accuracy`: the error a budget brings, or the budget an accuracy needs, as *What it costs* answers."""

from __future__ import annotations

from functools import partial

from riskline.answers.errors import RowError
from riskline.commands import Command, refuse
from riskline.output import Answer, Said
from ui.pictures.style import Style
from ui.views.accuracy import FIELDS, AccuracyInputs, accuracy_view
from ui.views.shared.strip import beginning_with_case
from ui.words.phrasing import decimal_belief
from ui.words.quantities import Exact, Failure, Least, Typed, Upper, number, whole


def answer(inputs: AccuracyInputs, style: Style) -> Answer:
    """The noise of a budget or the budget of a range, how far counts lie off, and what everybody may learn."""
    view = accuracy_view(inputs, style)
    refuse(view.refusal)
    mechanism, error = view.mechanism, view.error
    assert mechanism is not None
    assert error is not None
    assert view.kinds is not None
    wide, chance = RowError(mechanism, inputs.level).whole_range
    symbol = "rho" if inputs.concentrated else "epsilon"
    spent = Typed if inputs.start == "budget" else Least
    quantities: dict[str, Said] = {
        symbol: spent(float(getattr(inputs.whole(mechanism), symbol)), number(4)),
        "whole_count_within": Upper(wide, whole),
        "chance_within": Exact(chance, decimal_belief),
        "half_width": Upper(error.half_width, number(4)),
        "standard_deviation": Exact(error.root_mean_square, number(4)),
        "chance_exactly_right": Exact(error.probability_exact, decimal_belief),
        "posterior_reached": view.stated[0].said,
    }
    if inputs.concentrated:
        quantities["failure_probability"] = Failure(inputs.failure, number(3))
    return Answer(
        sentence=view.answer,
        small_print=view.small_print,
        quantities=quantities,
        tables=(view.kinds,),
        notes=tuple(picture.reading for picture in (view.wrong_side, view.districts_off) if picture is not None),
        lines=view.python,
    )


COMMAND = Command(
    stem="accuracy",
    fields=FIELDS,
    inputs=AccuracyInputs,
    answer=answer,
    examples=(
        "accuracy --epsilon 1.29",
        "accuracy --noise discrete_gaussian --rho 0.02 --level 99%",
        "accuracy --start accuracy --half-width 10 --noise laplace",
        "accuracy --total 4012 --target 6 --deviation 0.25 --json",
    ),
    left_out=("published",),
    of_case=partial(beginning_with_case, FIELDS),
    budgets=("epsilon", "rho"),
)
