"""A choice of a page that is a spreadsheet: rows are typed, pasted, read from a file; buttons reorder and undo.

The rows are a choice of the page like any other and stand in the link. The session keeps only what a spreadsheet needs
beside them: the rows the editor started from (it reports changes against them) and the stack of undo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from riskline.case.fields import thousands_reading
from riskline.case.sheet import LONGEST_CELL, printable
from ui.frame import show
from ui.frame.form import Form, put, show_new_words, touch
from ui.frame.upload import ask_file, empty_box, show_fault
from ui.link.sheet_file import LARGEST_FILE, read_sheet_csv, sheet_csv, under_heads
from ui.words.catalogue import label

Rows = tuple[Any, ...]
MOST_STEPS = 100
NAMES = "name"
"""The column of what rows are called, which holds no numbers."""
MOST_TOLD = 3


@dataclass(frozen=True)
class Sheet:
    """What a spreadsheet on a page is: its page and field, its heads in their order, and how its cells are rows.

    `help` and `wide` are about some of the columns. `row_of` gives None for cells that are no row, `called` what a row
    is called where one is picked, `new` the row that is added to others.
    """

    stem: str
    field: str
    heads: Mapping[str, str]
    help: Mapping[str, str]
    row_of: Callable[[tuple[str, ...]], Any]
    cells_of: Callable[[Any], tuple[str, ...]]
    called: Callable[[Any], str]
    new: Callable[[Rows], Any]
    most: int
    wide: tuple[str, ...] = ()

    @property
    def columns(self) -> dict[str, Any]:
        """How the editor shows each column: as text, whatever stands in it."""
        column = partial(st.column_config.TextColumn, default="", max_chars=LONGEST_CELL)
        return {
            name: column(head, width="medium" if name in self.wide else None, help=self.help.get(name))
            for name, head in self.heads.items()
        }

    def kept(self, name: str) -> str:
        """The key under which the session keeps something of this sheet."""
        return f"_{self.stem}_{name}"

    def rows_of(self, frame: pd.DataFrame) -> Rows:
        """The rows of an edited table, as typed; those without any text, and a line of heads, are left out."""
        return self.rows_typed(under_heads(self.cells_typed(frame), list(self.heads.values())))

    def cells_typed(self, frame: pd.DataFrame) -> list[tuple[str, ...]]:
        """The cells of an edited table as text, row by row."""
        return [tuple(map(_text, row)) for row in frame.loc[:, list(self.heads)].itertuples(index=False, name=None)]

    def rows_typed(self, cells: Iterable[tuple[str, ...]]) -> Rows:
        """The rows that cells mean; those without any text are left out."""
        return tuple(row for typed in cells if (row := self.row_of(typed)) is not None)


def _text(cell: Any) -> str:
    return "" if cell is None or cell != cell else printable(str(cell))[:LONGEST_CELL]


def edit_sheet(form: Form, sheet: Sheet, *, sentence: str, one_row: Callable[[Rows, int], None] | None = None) -> Any:
    """The table and its buttons; what it says becomes the page's rows at once. The place for what is said of them.

    Rows that are pasted with a line of heads stand in the columns that it names.
    """
    state, rows = st.session_state, form.values[sheet.field]
    version, base, last = state.get(sheet.kept("ledger"), (0, (), None))
    key = f"{sheet.stem}.ledger.{version}"
    if last != rows or key not in state:  # set by the link, a button or a preset: the table starts again from it
        version, base = version + 1, rows
        key = f"{sheet.stem}.ledger.{version}"
    frame = pd.DataFrame([sheet.cells_of(row) for row in base], columns=list(sheet.heads), dtype="object")
    look: dict[str, Any] = {"num_rows": "dynamic", "hide_index": True, "column_config": sheet.columns}
    edited = st.data_editor(frame, key=key, on_change=touch, **look)
    beside = st.container()
    if len(edited) > sheet.most:
        with beside:
            show.refused(label("sheet", "too_many", most=sheet.most, n=f"{len(edited):,}", sentence=sentence))
    else:
        found = sheet.rows_of(edited)
        if found != rows:
            remember(sheet, rows, found)
            first_changed = (at for at, row in enumerate(found) if row not in rows[at : at + 1])
            state[sheet.kept("row")] = next(first_changed, 0)
            form.values[sheet.field] = rows = found
            if len(found) < len(sheet.rows_typed(sheet.cells_typed(edited))):  # the table starts again without heads
                state[sheet.kept("ledger")] = (version, base, None)
                touch()
                st.rerun()
    state[sheet.kept("ledger")] = (version, base, rows)
    with beside:
        _tell_commas(sheet, rows)
    _buttons(sheet, rows, one_row)
    return beside


def _tell_commas(sheet: Sheet, rows: Rows) -> None:
    """What commas that may have been meant as decimal ones were taken for."""
    told = [
        label("sheet", "comma", place=place, head=sheet.heads[head], reading=reading[0].lower() + reading[1:])
        for place, row in enumerate(rows, 1)
        for head, cell in zip(sheet.heads, sheet.cells_of(row), strict=True)
        if head != NAMES and (reading := thousands_reading(cell))
    ]
    for words in told[:MOST_TOLD]:
        show.caption(words)


def remember(sheet: Sheet, before: Rows, after: Rows) -> None:
    """Keep the rows before for a step of undo; what was undone before is gone."""
    state = st.session_state
    state[sheet.kept("undo")] = [*state.get(sheet.kept("undo"), []), before][-MOST_STEPS:]
    state[sheet.kept("redo")] = []
    state[sheet.kept("step")] = (before, after)


def rows_before(sheet: Sheet, rows: Rows) -> Rows | None:
    """The rows as they were before the change that made them these, where that was the last thing that was done."""
    before, after = st.session_state.get(sheet.kept("step"), (None, None))
    return before if after == rows else None


def set_rows(sheet: Sheet, before: Rows, after: Rows, place: int) -> None:
    """Other rows, and the row that is picked next."""
    remember(sheet, before, after)
    st.session_state[sheet.kept("row")] = place
    put(sheet.stem, **{sheet.field: after})


def _step(sheet: Sheet, taken: str, left: str, rows: Rows) -> None:
    """One step of undo or redo: the rows that are left go to the other stack."""
    state = st.session_state
    stack = state.get(sheet.kept(taken), [])
    if stack:
        state[sheet.kept(taken)] = stack[:-1]
        state.pop(sheet.kept("step"), None)
        state[sheet.kept(left)] = [*state.get(sheet.kept(left), []), rows][-MOST_STEPS:]
        put(sheet.stem, **{sheet.field: stack[-1]})


def moved(rows: Rows, place: int, step: int) -> Rows:
    """The rows with one of them a place further up (-1) or down (1)."""
    other = place + step
    if not (0 <= place < len(rows) and 0 <= other < len(rows)):
        return rows
    changed = list(rows)
    changed[place], changed[other] = changed[other], changed[place]
    return tuple(changed)


def _name(sheet: Sheet, rows: Rows, place: int | None) -> str:
    return f"{place + 1}. {sheet.called(rows[place]) or label('sheet', 'empty')}" if place is not None else ""


def _buttons(sheet: Sheet, rows: Rows, one_row: Callable[[Rows, int], None] | None) -> None:
    """A new row; what one row is asked, up, down, duplicate and delete; undo and redo for all of them; the rows as CSV.

    Rows that come as CSV take the place of these, which is one step of undo.
    """
    heads = list(sheet.heads.values())
    with st.container(horizontal=True, vertical_alignment="bottom", key="riskline-ledger-buttons"):
        state, added = st.session_state, (*rows, sheet.new(rows))

        def button(name: str, act: Callable[..., None], *given: Any, usable: bool) -> None:
            words = label("sheet", name if name == "new" else f"action.{name}")
            key = f"{sheet.stem}.action.{'add' if name == 'new' else words}"
            st.button(words, key=key, on_click=act, args=(sheet, *given), disabled=not usable)

        button("new", set_rows, rows, added, len(rows), usable=len(added) <= sheet.most)
        places = range(len(rows))
        row, named = sheet.kept("row"), partial(_name, sheet, rows)
        if state.get(row) not in places:
            state[row] = 0 if rows else None
        show_new_words(row, named)
        at = st.selectbox(label("sheet", "row"), places, format_func=named, key=row, width=300) or 0
        if rows and one_row is not None:
            one_row(rows, at)
        for name, after, there in (
            ("up", moved(rows, at, -1), at - 1),
            ("down", moved(rows, at, 1), at + 1),
            ("duplicate", (*rows[: at + 1], *rows[at:]) if rows else rows, at + 1),
            ("delete", (*rows[:at], *rows[at + 1 :]), max(at - 1, 0)),
        ):
            button(name, set_rows, rows, after, there, usable=after != rows and len(after) <= sheet.most)
        for taken, left in (("undo", "redo"), ("redo", "undo")):
            button(taken, _step, taken, left, rows, usable=bool(state.get(sheet.kept(taken))))

        def saved() -> str:
            return sheet_csv(heads, map(sheet.cells_of, rows))

        words, name, key = label("sheet", "save"), f"riskline-{sheet.stem}-rows.csv", f"{sheet.stem}.action.save"
        st.download_button(words, saved, name, "text/csv", on_click="ignore", key=key)
    box = f"{sheet.stem}_{sheet.field}_file"

    def take(content: bytes) -> None:
        set_rows(sheet, rows, sheet.rows_typed(read_sheet_csv(content, heads=heads, most_rows=sheet.most)), 0)
        empty_box(box)

    ask_file(label("sheet", "open"), box, take, most=LARGEST_FILE, kind="csv", help=label("sheet", "told"))
    show_fault(box)
