"""A plan as other pages tell it: its rows and its answer, without everything else that its own page computes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.plan.accounts import Accounts
from ui.views.plan.choices import PlanInputs
from ui.views.plan.promise import no_promise
from ui.views.plan.rows import ledger_table
from ui.words.catalogue import say
from ui.words.failures import BEYOND_NUMBERS, UNCOMPUTABLE
from ui.words.refusals import refusal_sentence

SHORT_LEDGER = 3  # different releases: every exact number of more can take seconds, which another page has not got
MOST_ROWS_TOLD = 20  # of more rows even the bounds can take seconds


@dataclass(frozen=True)
class PlanSummary:
    """The rows, the words and numbers of the answer, and which answer it is.

    Parameters
    ----------
    kind : 'cap' or 'difference', with '_bound' behind it where no exact law says when the promise breaks
    refusal : why the choices give no answer
    long : whether there are more rows than another page has time and room for; nothing is computed then
    """

    kind: str = ""
    context: dict[str, Any] = field(default_factory=dict)
    rows: Table | None = None
    small_print: str = ""
    refusal: str = ""
    long: bool = False


def plan_summary(inputs: PlanInputs, style: Style) -> PlanSummary:
    """What another page tells of these choices."""
    if len(inputs.rows) > MOST_ROWS_TOLD:
        return PlanSummary(long=True)
    if contradictory := no_promise(inputs):
        return PlanSummary(refusal=contradictory)
    try:
        accounts = Accounts(inputs, style, SHORT_LEDGER)
        context, rows = accounts.context, ledger_table(accounts)
    except ValueError as error:
        return PlanSummary(refusal=refusal_sentence(error, "plan"))
    except UNCOMPUTABLE:
        return PlanSummary(refusal=BEYOND_NUMBERS)
    law = "exact" if accounts.exact else "bound"
    return PlanSummary(
        kind=inputs.promise + ("" if accounts.exact else "_bound"),
        context=context,
        rows=rows,
        small_print=say("plan", style.voice, f"small_print_{law}", **context),
    )
