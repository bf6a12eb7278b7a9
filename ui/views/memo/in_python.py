"""The same in Python: the budget of the line, or how far somebody can come with the budget that stands instead."""

from __future__ import annotations

from dpcore.semantics import posterior_upper, shift_bound
from ui.views.choose.answer import along
from ui.views.choose.view import in_python as line_in_python
from ui.views.memo.draft import Memo
from ui.words.phrasing import times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Upper


def in_python(memo: Memo) -> CodeLines | None:
    """The lines that come to the memo's number; none without a line or a budget."""
    line, spent = memo.line, memo.spent
    if spent is None or (spent.is_implied and line is not None):
        return None if line is None else line_in_python(line)
    place = None if line is None else line.implied.binding
    if line is None or place is None or spent.entry is not None:
        return _of_secret(memo)
    code = CodeWriter()
    drawn = code.let("line", line.profile)
    implied = code.let("implied", Source(f"{drawn}.implied_epsilon(value_exponent={line.implied.value_exponent!r})"))
    shift = f"epsilon={line.shift!r}"
    if place.prior == 0:
        return code.ending(Source(f"{implied}.largest_ratio({shift})"), Upper(line.largest_ratio, times))
    belief = ", ".join(repr(float(one)) for one in along(line.inputs, place))
    return code.ending(Source(f"{implied}.reachable({belief}, {shift})"), memo.reached_words()[1])


def _of_secret(memo: Memo) -> CodeLines:
    """From the guarantee between the two worlds of the secret to the belief."""
    assert memo.spent is not None
    code = CodeWriter()
    shift = code.let("shift", code(shift_bound, memo.spent.of_secret(), delta_prime=memo.spent.failure))
    return code.ending(code(posterior_upper, prior=memo.before, epsilon=shift), memo.reached_words()[1])
