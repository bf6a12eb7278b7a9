"""The ledger of *Several releases* as a spreadsheet, with the noise of one row chosen from a list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from riskline.case.releases import HEADS, KINDS, MOST_ROWS, Ledger, LedgerRow, cells_of, first_fault, row_of, unfinished
from riskline.case.sheet import LONGEST_CELL
from ui.ask.sheet import Sheet, edit_sheet, set_rows
from ui.frame import show
from ui.frame.form import Form, put
from ui.frame.run import style
from ui.words.catalogue import say

LEDGER = Sheet(
    stem="plan",
    field="rows",
    heads=HEADS,
    columns={
        "name": st.column_config.TextColumn(HEADS["name"], width="medium", max_chars=LONGEST_CELL),
        "kind": st.column_config.TextColumn(
            HEADS["kind"], width="medium", max_chars=LONGEST_CELL, help="; ".join(KINDS.values())
        ),
        "budget": st.column_config.TextColumn(HEADS["budget"], max_chars=LONGEST_CELL),
        "delta": st.column_config.TextColumn(HEADS["delta"], max_chars=LONGEST_CELL),
        "often": st.column_config.TextColumn(HEADS["often"], max_chars=LONGEST_CELL),
        "moved": st.column_config.TextColumn(
            HEADS["moved"],
            max_chars=LONGEST_CELL,
            help="A count by 1, which an empty cell stands for; a sum of days from 0 to 30 by up to 30.",
        ),
    },
    row_of=row_of,
    cells_of=cells_of,
    called=lambda row: row.name or KINDS.get(row.kind, row.kind),
    new=lambda rows: LedgerRow(kind=rows[-1].kind if rows else "gaussian"),
    most=MOST_ROWS,
)


def edit_ledger(form: Form, *, sentence: str) -> Any:
    """The ledger and its buttons. The place for what is said of its rows."""
    return edit_sheet(form, LEDGER, sentence=sentence, one_row=_noise)


def take_over(rows: Ledger, released: str, words: str, *, stem: str) -> None:
    """A button that makes these the releases of the case, all of them once, and opens their page."""
    made = {"rows": rows, "every": "release", "rounds": 1, "released": released}
    if st.button(words, key=f"{stem}.take_over", on_click=put, args=("plan",), kwargs=made):
        show.go_to("plan")


def tell(refusal: str | None, rows: Ledger) -> None:
    """Why the ledger has no answer; a row that is still being filled in is waited for, not refused."""
    place = first_fault(rows) if refusal else None
    if place in unfinished(rows):
        show.caption(say("plan", style().voice, "unfinished", row=f"{place}"))
    else:
        show.refused(refusal)


def _noise(rows: Ledger, at: int) -> None:
    """The noise of one row, chosen from the list; a name that the page does not know is none of them."""
    kinds, kind = list(KINDS), rows[at].kind
    key = f"_plan_noise_{at}_{kind}"
    st.selectbox(
        "Its noise",
        kinds,
        index=kinds.index(kind) if kind in kinds else None,
        format_func=KINDS.__getitem__,
        key=key,
        width=240,
        placeholder="which noise?",
        on_change=_choose_noise,
        args=(rows, at, key),
    )


def _choose_noise(rows: Ledger, at: int, key: str) -> None:
    chosen = st.session_state[key]
    if chosen is not None:
        set_rows(LEDGER, rows, (*rows[:at], replace(rows[at], kind=chosen), *rows[at + 1 :]), at)
