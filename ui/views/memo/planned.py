"""The releases that are planned: their rows, and until when their promise holds."""

from __future__ import annotations

from dataclasses import replace

from ui.documents.document import Paragraph, Section
from ui.views.memo.draft import Memo
from ui.views.plan import FIELDS, plan_summary
from ui.views.positions.standing import unstarred

BEGINS = {field.name: field.default for field in FIELDS}
PLANNED = "The releases that are planned"


def planned_section(memo: Memo) -> Section | None:
    """The plan's answer in its page's numbers, and its rows; nothing where nobody planned."""
    if memo.inputs.plan is None:
        return None
    told = plan_summary(memo.inputs.plan, memo.style)
    if told.long:
        return Section(PLANNED, (Paragraph(memo.say("planned_long", rows=f"{len(memo.inputs.plan.rows)}")),))
    if told.rows is None:
        return Section(PLANNED, (Paragraph(memo.say("planned_refused", reason=told.refusal)),))
    answer = memo.say(f"planned_{told.kind}", **told.context)
    words = memo.say("planned", **told.context, answer=memo.own(answer))
    apart: tuple[Paragraph, ...] = ()
    if getattr(memo.inputs.plan, memo.inputs.plan.promise) == BEGINS[memo.inputs.plan.promise]:
        apart = (Paragraph(memo.say(f"planned_unset_{memo.inputs.plan.promise}"), "quiet"),)
    rows = tuple((unstarred(str(name)), *cells) for name, *cells in told.rows.rows)
    table = replace(told.rows, rows=rows)
    return Section(PLANNED, (Paragraph(words), *apart, table, Paragraph(told.small_print, "quiet")))
