"""The ledger as a spreadsheet: rows are typed, pasted, added and deleted in place; buttons reorder, duplicate, undo.

The rows are a choice of the page like any other and stand in the link. The session keeps only what a spreadsheet needs
beside them: the rows the editor started from (it reports changes against them) and the stack of undo.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from ui.frame import show
from ui.frame.form import Form, put, touch
from ui.frame.run import look
from ui.views.plan.ledger import (
    KINDS,
    LONGEST_CELL,
    MOST_ROWS,
    Ledger,
    LedgerRow,
    first_fault,
    kind_read,
    printable,
    unfinished,
)
from ui.words.passages import say

BASE = "_plan_ledger"
UNDO, REDO = "_plan_undo", "_plan_redo"
ROW = "_plan_row"
MOST_STEPS = 100
COLUMNS = ("name", "kind", "budget", "delta", "often")


def _frame(rows: Ledger) -> pd.DataFrame:
    cells = [(row.name, KINDS.get(row.kind, row.kind), row.budget, row.delta, row.often) for row in rows]
    return pd.DataFrame(cells, columns=list(COLUMNS), dtype="object")


def _text(cell: Any) -> str:
    return "" if cell is None or cell != cell else printable(str(cell))[:LONGEST_CELL]


def rows_of(frame: pd.DataFrame) -> Ledger:
    """The rows of an edited table, as typed; rows without any text are left out."""
    found = []
    for row in frame.loc[:, list(COLUMNS)].itertuples(index=False, name=None):
        name, kind, budget, delta, often = (_text(cell) for cell in row)
        if name or kind or budget or delta or often:
            found.append(LedgerRow(name, kind_read(kind), budget, delta, often or "1"))
    return tuple(found)


def edit_ledger(form: Form, *, sentence: str) -> Any:
    """The table and its buttons; what it says becomes the page's rows at once. The place for what is said of them."""
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
            "kind": st.column_config.TextColumn(
                "how", width="medium", max_chars=LONGEST_CELL, help="; ".join(KINDS.values())
            ),
            "budget": st.column_config.TextColumn("budget of one release", max_chars=LONGEST_CELL),
            "delta": st.column_config.TextColumn("δ, if it has one", max_chars=LONGEST_CELL),
            "often": st.column_config.TextColumn("how often in a round", max_chars=LONGEST_CELL),
        },
    )
    beside = st.container()
    if len(edited) > MOST_ROWS:
        with beside:
            show.refused(f"The list must hold at most {MOST_ROWS} rows; got {len(edited):,}. {sentence}")
    else:
        found = rows_of(edited)
        if found != rows:
            _remember(rows)
            state[ROW] = _changed(rows, found)
            form.values["rows"] = rows = found
    state[BASE] = (version, base, rows)
    _buttons(rows)
    return beside


def tell(refusal: str | None, rows: Ledger) -> None:
    """Why the ledger has no answer; a row that is still being filled in is waited for, not refused."""
    place = first_fault(rows) if refusal else None
    if place in unfinished(rows):
        show.caption(say("plan", look().voice, "unfinished", row=f"{place}"))
    else:
        show.refused(refusal)


def _changed(before: Ledger, after: Ledger) -> int:
    """The first row that differs."""
    return next((at for at, row in enumerate(after) if row not in before[at : at + 1]), 0)


def _remember(rows: Ledger) -> None:
    st.session_state[UNDO] = [*st.session_state.get(UNDO, []), rows][-MOST_STEPS:]
    st.session_state[REDO] = []


def _set(before: Ledger, after: Ledger, place: int) -> None:
    _remember(before)
    st.session_state[ROW] = place
    put("plan", rows=after)


def _step(taken: str, kept: str, rows: Ledger) -> None:
    """One step of undo or redo: the ledger that is left goes to the other stack."""
    stack = st.session_state.get(taken, [])
    if stack:
        st.session_state[taken] = stack[:-1]
        st.session_state[kept] = [*st.session_state.get(kept, []), rows][-MOST_STEPS:]
        put("plan", rows=stack[-1])


def moved(rows: Ledger, place: int, step: int) -> Ledger:
    """The rows with one of them a place further up (-1) or down (1)."""
    other = place + step
    if not (0 <= place < len(rows) and 0 <= other < len(rows)):
        return rows
    changed = list(rows)
    changed[place], changed[other] = changed[other], changed[place]
    return tuple(changed)


def _name(rows: Ledger, place: int) -> str:
    """A row as the box of rows calls it."""
    if place >= len(rows):
        return ""
    row = rows[place]
    return f"{place + 1}. {row.name or KINDS.get(row.kind, row.kind) or '(empty)'}"


def _buttons(rows: Ledger) -> None:
    """A new row; noise, up, down, duplicate and delete for one row; undo and redo for the whole ledger."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="riskline-ledger-buttons"):
        added = (*rows, LedgerRow(kind=rows[-1].kind if rows else "gaussian"))
        full = len(added) > MOST_ROWS
        st.button("New row", key="plan.action.add", on_click=_set, args=(rows, added, len(rows)), disabled=full)
        places = range(len(rows))
        if st.session_state.get(ROW) not in places:
            st.session_state.pop(ROW, None)
        place = st.selectbox("Row", places, format_func=lambda at: _name(rows, at), key=ROW, width=220)
        at = place if place is not None and place < len(rows) else 0
        if rows:
            _noise(rows, at)
        actions = (
            ("Move up", moved(rows, at, -1), at - 1),
            ("Move down", moved(rows, at, 1), at + 1),
            ("Duplicate", (*rows[: at + 1], *rows[at:]) if rows else rows, at + 1),
            ("Delete", (*rows[:at], *rows[at + 1 :]), max(at - 1, 0)),
        )
        for words, after, there in actions:
            usable = after != rows and len(after) <= MOST_ROWS
            st.button(words, key=f"plan.action.{words}", on_click=_set, args=(rows, after, there), disabled=not usable)
        for words, taken, kept in (("Undo", UNDO, REDO), ("Redo", REDO, UNDO)):
            there_is = bool(st.session_state.get(taken))
            st.button(
                words, key=f"plan.action.{words}", on_click=_step, args=(taken, kept, rows), disabled=not there_is
            )


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
        _set(rows, (*rows[:at], replace(rows[at], kind=chosen), *rows[at + 1 :]), at)
