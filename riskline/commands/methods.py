"""`riskline methods`: what a method of disclosure control gives away under a line, as *Today's methods* answers."""

from __future__ import annotations

from typing import Any

from dpcore.privacy_loss import Side
from riskline.case.methods import read_table
from riskline.commands import Command, File, refuse
from riskline.output import Answer, Said
from ui.pictures.style import Style
from ui.views.methods import FIELDS, MethodsInputs, beginning, methods_view
from ui.words.phrasing import decimal_belief
from ui.words.quantities import Allowed, Exact, Least, Upper, number


def answer(inputs: MethodsInputs, style: Style) -> Answer:
    """How often somebody becomes certain and passes the line, in each world, and the budget of the same error."""
    view = methods_view(inputs, style)
    refuse(view.refusal)
    told = view.told
    assert told is not None
    assert view.compared is not None
    sides: dict[str, Side] = {"true": "present", "not": "absent"}
    quantities: dict[str, Said] = {
        f"certain_if_{name}": Exact(told.certain(side).value, decimal_belief) for name, side in sides.items()
    }
    if view.limit is not None:
        quantities["line_stops_at"] = Allowed(view.limit, decimal_belief)
        quantities |= {
            f"line_passed_if_{name}": Exact(told.passed(view.limit, view.prior, side).value, decimal_belief)
            for name, side in sides.items()
        }
    quantities["right_guess"] = Exact(told.right_guess().value, decimal_belief)
    quantities["highest_posterior"] = Upper(told.highest(view.prior).value, decimal_belief)
    quantities["smallest_epsilon"] = Exact(told.worlds.epsilon(), number(4))
    if view.noise is not None:
        quantities[f"{view.noise.budget_kind}_of_the_same_error"] = Least(view.noise.budget, number(3))
    return Answer(
        sentence=view.answer,
        small_print=view.small_print,
        quantities=quantities,
        tables=(view.compared, *([] if view.districts is None else [view.districts])),
        notes=tuple(filter(None, (view.note, "" if view.beliefs is None else view.beliefs.reading))),
        lines=view.python,
    )


def _own(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"method": "table", "table": read_table(content.decode("utf-8-sig"))}, {}


COMMAND = Command(
    stem="methods",
    fields=FIELDS,
    inputs=MethodsInputs,
    answer=answer,
    examples=(
        "methods --base 3",
        "methods --method cell_key --largest-noise 5 --variance 3 --others 30",
        "methods --method suppress --threshold 10 --places 'Ash;3 / Elm;40'",
        "methods --method swap --rate 10% --stratum 50 --ratio 2 --json",
    ),
    file=File("A CSV file of a table of cell keys: columns i, j and p in any order.", _own),
    of_case=beginning,
)
