"""The ledger as a spreadsheet: rows are typed, pasted, added and deleted in place; buttons reorder, duplicate, undo.

The rows are a choice of the page like any other and stand in the link. The session keeps only what a spreadsheet needs
beside them: the rows the editor started from (it reports changes against them) and the stack of undo.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from ui.frame import show
from ui.frame.form import Form, put, touch
from ui.views.plan.ledger import KINDS, LONGEST_CELL, MOST_ROWS, Ledger, LedgerRow, printable

BASE = "_plan_ledger"
UNDO = "_plan_undo"
MOST_STEPS = 100
WORD_OF = KINDS
KIND_OF = {word: kind for kind, word in KINDS.items()}
COLUMNS = ("name", "kind", "budget", "delta", "often")


def _frame(rows: Ledger) -> pd.DataFrame:
    cells = [(row.name, WORD_OF[row.kind], row.budget, row.delta, row.often) for row in rows]
    return pd.DataFrame(cells, columns=list(COLUMNS), dtype="object")


def _text(cell: Any) -> str:
    return "" if cell is None or cell != cell else printable(str(cell))[:LONGEST_CELL]


def rows_of(frame: pd.DataFrame) -> Ledger:
    """The rows of an edited table, as typed; rows without any text are left out."""
    found = []
    for name, kind, budget, delta, often in frame.loc[:, list(COLUMNS)].itertuples(index=False, name=None):
        cells = [_text(cell) for cell in (name, budget, delta, often)]
        if any(cells) or _text(kind):
            found.append(LedgerRow(cells[0], KIND_OF.get(_text(kind), "gaussian"), cells[1], cells[2], cells[3] or "1"))
    return tuple(found)


def edit_ledger(form: Form, *, sentence: str) -> None:
    """The table and its buttons; what it says becomes the page's rows at once."""
    state, rows = st.session_state, form.values["rows"]
    version, base, last = state.get(BASE, (0, (), None))
    key = f"plan.ledger.{version}"
    if last != rows or key not in state:  # set by the link, a button or a preset: the table starts again from it
        version, base = version + 1, rows
        key = f"plan.ledger.{version}"
    edited = st.data_editor(
        _frame(base),
        key=key,
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        on_change=touch,
        column_config={
            "name": st.column_config.TextColumn("what is released", width="medium", max_chars=LONGEST_CELL),
            "kind": st.column_config.SelectboxColumn("how", options=list(KIND_OF), width="medium"),
            "budget": st.column_config.TextColumn("budget of one release", max_chars=LONGEST_CELL),
            "delta": st.column_config.TextColumn("δ, if it has one", max_chars=LONGEST_CELL),
            "often": st.column_config.TextColumn("how often in a round", max_chars=LONGEST_CELL),
        },
    )
    if len(edited) > MOST_ROWS:
        show.refused(f"The ledger must hold at most {MOST_ROWS} rows; got {len(edited):,}. {sentence}")
    else:
        found = rows_of(edited)
        if found != rows:
            _remember(rows)
            form.values["rows"] = rows = found
    state[BASE] = (version, base, rows)
    _buttons(rows)


def _remember(rows: Ledger) -> None:
    st.session_state[UNDO] = [*st.session_state.get(UNDO, []), rows][-MOST_STEPS:]


def _set(before: Ledger, after: Ledger) -> None:
    _remember(before)
    put("plan", rows=after)


def _undo() -> None:
    stack = st.session_state.get(UNDO, [])
    if stack:
        st.session_state[UNDO] = stack[:-1]
        put("plan", rows=stack[-1])


def moved(rows: Ledger, place: int, step: int) -> Ledger:
    """The rows with one of them a place further up (-1) or down (1)."""
    other = place + step
    if not (0 <= place < len(rows) and 0 <= other < len(rows)):
        return rows
    changed = list(rows)
    changed[place], changed[other] = changed[other], changed[place]
    return tuple(changed)


def _buttons(rows: Ledger) -> None:
    """Up, down, duplicate and delete for one row; undo for the whole ledger."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="riskline-ledger-buttons"):
        places = range(len(rows))
        if st.session_state.get("_plan_row") not in places:
            st.session_state.pop("_plan_row", None)
        place = st.selectbox(
            "Row",
            places,
            format_func=lambda at: f"{at + 1}. {rows[at].name or WORD_OF[rows[at].kind]}" if at < len(rows) else "",
            key="_plan_row",
            width=220,
        )
        at = place if place is not None and place < len(rows) else 0
        actions = (
            ("Move up", moved(rows, at, -1)),
            ("Move down", moved(rows, at, 1)),
            ("Duplicate", (*rows[: at + 1], *rows[at:]) if rows else rows),
            ("Delete", (*rows[:at], *rows[at + 1 :])),
        )
        for words, after in actions:
            usable = after != rows and len(after) <= MOST_ROWS
            st.button(words, key=f"plan.action.{words}", on_click=_set, args=(rows, after), disabled=not usable)
        st.button("Undo", key="plan.action.undo", on_click=_undo, disabled=not st.session_state.get(UNDO))
