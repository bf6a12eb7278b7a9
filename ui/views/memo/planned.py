"""The releases that are planned: the ledger of *Several releases*, and until when its promise holds."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl

from ui.documents.document import Paragraph, Section
from ui.views.memo.choices import carried_values
from ui.views.memo.draft import Memo
from ui.views.plan import PlanInputs, plan_summary
from ui.views.positions import unstarred

PLANNED = "The releases that are planned"


def planned_section(memo: Memo) -> Section | None:
    """The plan's answer in its page's numbers, and its rows; nothing where nobody planned."""
    if not memo.inputs.told("plan"):
        return None
    chosen = PlanInputs(**carried_values("plan", memo.inputs.told("plan")))
    told = plan_summary(chosen, memo.look)
    if told.long:
        return Section(PLANNED, (Paragraph(memo.say("planned_long", rows=f"{len(chosen.rows)}")),))
    if told.rows is None:
        return Section(PLANNED, (Paragraph(memo.say("planned_refused", reason=told.refusal)),))
    answer = memo.say(f"planned_{told.kind}", **told.facts)
    ours = memo.is_about(chosen.choice.promise.secret.value, chosen.choice.promise)
    words = memo.say("planned", **told.facts, answer=memo.own(answer) if ours else answer)
    apart = () if ours else (Paragraph(memo.say("planned_apart"), "quiet"),)
    asked = dict(parse_qsl(memo.inputs.told("plan")))
    if chosen.promise not in asked:  # the cap or the largest change
        apart = (Paragraph(memo.say(f"planned_unset_{chosen.promise}"), "quiet"), *apart)
    rows = tuple((unstarred(str(name)), *cells) for name, *cells in told.rows.rows)
    table = replace(told.rows, rows=rows)
    return Section(PLANNED, (Paragraph(words), *apart, table, Paragraph(told.small_print, "quiet")))
