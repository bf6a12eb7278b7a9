"""The same in Python: from the line and the tables to how wide the ranges are."""

from __future__ import annotations

from dpcore.profiles import budget
from dpcore.publication import allocate, publication_errors, total_for_wishes
from riskline.case.tables import shares_by_hand
from ui.views.publication.shared import Shared
from ui.words.phrasing import times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Exact, Lower, Upper, number, share, whole


def in_python(shared: Shared, answer: str) -> CodeLines:
    """The lines for the number of this answer: the stretch, the budget to spare, or how many ranges are kept."""
    code, chosen, asked = CodeWriter(), shared.inputs, shared.publication
    total = code.let("total", _total(shared, code))
    publication = code.let("publication", asked)
    by_hand = shares_by_hand(chosen.tables)
    more = {"shares": list(by_hand)} if any(by_hand) else {}
    shares = code(allocate, publication, total, rule=chosen.rule, reserve=chosen.reserve, **more)
    if answer in ("answer_wide", "answer_wide_some"):
        return code.ending(Source(f"{shares}.stretch"), Upper(float(shared.allocation.stretch or 0.0), times))
    if answer == "answer_kept":
        spare = Source(f"max(1 - {code(total_for_wishes, publication)} / {total}, 0.0)")
        return code.ending(spare, Lower(shared.spare, share(0)))
    if answer == "answer_unasked":
        return code.ending(total, Allowed(shared.total, number(6)))
    shares = code.let("shares", shares)
    errors = code.let("errors", code(publication_errors, publication, Source("shares.budgets"), level=chosen.level))
    kept = Source(
        "sum(bool(row.wish) and width <= row.wish.half_width * (1 + 1e-12) "
        f"for row, width in zip({publication}.rows, {errors}.half_width))"
    )
    return code.ending(kept, Exact(float(sum(one is True for one in shared.kept)), whole))


def _total(shared: Shared, code: CodeWriter) -> object:
    """The budget of everything together: typed, or that of the line for those who belong together."""
    if shared.line is None:
        return shared.total
    line = code.let("line", shared.line.profile)
    chosen = code.let("chosen", code(budget, line, **shared.inputs.choose.terms.asked))
    together = f"{chosen}.recommended_each"
    if shared.publication.group > 1:
        together += f" * {chosen}.group" + ("**2" if shared.inputs.by_rho else "")
    return Source(together)
