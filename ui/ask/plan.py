"""The questions of *Several releases*: its rows as a spreadsheet, how many rounds, which limit."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from riskline.case.releases import (
    HEADS,
    KINDS,
    MOST_ROWS,
    Ledger,
    LedgerRow,
    cells_of,
    first_fault,
    ignored,
    row_of,
    unfinished,
)
from ui.ask.sheet import MOST_TOLD, Sheet, set_rows
from ui.frame import show
from ui.frame.form import Form, pick_one, put
from ui.frame.run import style
from ui.words.catalogue import label, say

SHEET = Sheet(
    stem="plan",
    field="rows",
    heads=HEADS,
    help={"kind": "; ".join(KINDS.values()), "moved": label("plan", "moved.help")},
    wide=("name", "kind"),
    row_of=row_of,
    cells_of=cells_of,
    called=lambda row: row.name or KINDS.get(row.kind, row.kind),
    new=lambda rows: LedgerRow(kind=rows[-1].kind if rows else "gaussian"),
    most=MOST_ROWS,
)


def take_over(rows: Ledger, released: str, words: str, *, stem: str) -> None:
    """A button that makes these the releases of the case, all of them once, and opens their page."""
    made = {"rows": rows, "every": "release", "rounds": 1, "released": released}
    if st.button(words, key=f"{stem}.take_over", on_click=put, args=("plan",), kwargs=made):
        show.go_to("plan")


def tell(refusal: str | None, rows: Ledger) -> None:
    """Why the ledger has no answer, and what in it is ignored; a row that is being filled in is waited for."""
    place = first_fault(rows) if refusal else None
    if place in unfinished(rows):
        show.caption(say("plan", style().voice, "unfinished", row=f"{place}"))
    else:
        show.refused(refusal)
    for row, typed in ignored(rows)[:MOST_TOLD]:
        show.caption(label("plan", "ignored", row=f"{row}", noise=KINDS[rows[row - 1].kind], typed=typed))


def ask_noise(rows: Ledger, at: int) -> None:
    """The noise of one row, chosen from the list; a name that the page does not know is none of them."""
    kind, which = rows[at].kind, label("plan", "which_noise")
    key = f"_plan_noise_{at}_{kind}"

    def choose() -> None:
        chosen = st.session_state[key]
        if chosen is not None:
            set_rows(SHEET, rows, (*rows[:at], replace(rows[at], kind=chosen), *rows[at + 1 :]), at)

    said = label("plan", "noise_of_row")
    pick_one(said, KINDS, key=key, chosen=kind, width=240, placeholder=which, on_change=choose)


def ask_rounds(form: Form) -> None:
    """How often everything is released."""
    form.ask("every")
    form.slider("rounds")


def ask_limit(form: Form) -> None:
    """The limit, the belief before, and how rarely the limit may fail."""
    form.slider(form.choice("promise", style="select"))
    form.ask("prior", "failure", "delta")
