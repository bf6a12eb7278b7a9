"""Which table is attacked and who in it, as widgets; and the one place where a reader's own table is read.

A table that was uploaded is kept in this session's memory and nowhere else: it is not written, logged or linked.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.populations import LARGEST_FILE, CountTable, read_counts
from ui.frame import show
from ui.frame.form import Form, touch
from ui.frame.upload import ask_file, empty_box, show_fault
from ui.views.shared.table_choice import MOST_OFFERED, TABLES, TableChoice, chosen_table, offered_people
from ui.words.phrasing import people, so_many

OWN = "_own_table"
FILE = "own_table_file"
PROMISE = (
    "Counts only, no rows about single people. The table is read into the memory of this session, is never written or "
    "logged, is not part of the link, and is gone when the session ends."
)
LAYOUT = (
    "Long: `place, age, count`, one row a cell. Wide: `place, adult, child`, one row a place. Columns in any order."
)


def own_table() -> CountTable | None:
    """The table this session has read, if any."""
    found: CountTable | None = st.session_state.get(OWN)
    return found


ABOUT_ONE_TABLE = ("place", "person", "bets", "told")
"""Choices that mean nothing in another table: with another one they begin again."""


def begin_again(form: Form, names: tuple[str, ...]) -> None:
    """Set these choices, as far as the page has them, back to their defaults."""
    for name in names:
        if name in form.fields:
            form.values[name] = form.fields[name].default
            st.session_state.pop(f"{form.stem}.{name}", None)


def _forget(form: Form) -> None:
    st.session_state.pop(OWN, None)
    empty_box(FILE)
    begin_again(form, ABOUT_ONE_TABLE)
    touch()


def _take(form: Form, content: bytes) -> None:
    st.session_state[OWN] = read_counts(content)
    begin_again(form, ABOUT_ONE_TABLE)


def _ask_upload(form: Form) -> None:
    ask_file("CSV file of counts", FILE, partial(_take, form), most=LARGEST_FILE, help=LAYOUT)
    st.caption(PROMISE)
    held = own_table()
    if held is not None:
        show.caption(
            f"Held now: {so_many(len(held.places), 'place')}, {so_many(len(held.cells), 'cell')}, "
            f"{people(held.people)}. " + " ".join(held.notes)
        )
        st.button("Forget this table", on_click=_forget, args=(form,), key=f"{form.stem}.forget")


def ask_table(form: Form, *, person: bool = True) -> CountTable | None:
    """The questions about the table: which, where in it, who. Returns the session's own table for the view."""
    before = (form.values["table"], form.values["county"])
    form.choice("table", TABLES, style="select")
    if form.values["table"] == "synthetic":
        form.number("county")
    if form.values["table"] == "own":
        with st.popover("Your CSV file", width="stretch"):
            _ask_upload(form)
        show_fault(FILE)
    if before != (
        form.values["table"],
        form.values["county"],
    ):  # by a widget, just now: a link says itself whom it means
        begin_again(form, ABOUT_ONE_TABLE)
    own = own_table()
    choice = TableChoice(**{name: form.values[name] for name in ("table", "county", "place")})
    table = chosen_table(choice, own)
    if 1 < len(table.places) <= MOST_OFFERED:
        form.pick("place", dict(enumerate(table.places, 1)))
    elif len(table.places) > MOST_OFFERED:
        form.number("place")
        st.caption(f"Row 1 to {len(table.places):,}")
    if person and 1 <= form.values["place"] <= len(table.places):
        offered = offered_people(table, form.values["place"])
        if offered:
            form.pick("person", offered)
    return own
