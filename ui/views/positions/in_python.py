"""The same in Python: the budgets of the two positions that lie furthest apart."""

from __future__ import annotations

from dpcore.profiles import Status, budget
from ui.views.positions.choices import PositionsInputs
from ui.views.positions.standing import Standing
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, as_recommended


def in_python(strictest: Standing, loosest: Standing, inputs: PositionsInputs) -> CodeLines | None:
    """The lines for the budget of one record under either line; none where no line sets a limit."""
    code, found, said = CodeWriter(), [], []
    for name, each in (("strictest", strictest), ("loosest", loosest)):
        if each.implied.status is not Status.BINDS_NOTHING:
            asked = {"group": inputs.together, "relation": inputs.relation}
            line = code.let(name, each.profile)
            found.append(Source(f"{code(budget, line, **asked)}.recommended_total"))
            said.append(Allowed(each.epsilon, as_recommended))
    return code.ending(found, *said) if found else None
