"""The same in Python: the budget of a line, from the line and the promise."""

from __future__ import annotations

import math

from dpcore.profiles import budget
from ui.views.choose.answer import Answered
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, as_recommended, to_spend


def in_python(answer: Answered) -> CodeLines:
    """The lines for the budget of each release, or for the ε of a line that sets no limit."""
    code = CodeWriter()
    line = code.let("line", answer.profile)
    if answer.budget is None:
        implied = Source(f"{line}.implied_epsilon(value_exponent={answer.implied.value_exponent!r})")
        return code.ending(Source(f"{implied}.epsilon"), Allowed(math.inf, to_spend))
    chosen = code.let("chosen", code(budget, line, **answer.inputs.terms.asked))
    return code.ending(Source(f"{chosen}.recommended_each"), Allowed(answer.budget.recommended_each, as_recommended))
