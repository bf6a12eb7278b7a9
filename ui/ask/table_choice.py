"""Which table is attacked and who in it, as widgets; and the one place where a reader's own table is read.

A table that was uploaded is kept in this session's memory and nowhere else: it is not written, logged or linked.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.populations import LARGEST_FILE, CountTable, read_counts
from ui.frame import show
from ui.frame.form import Form
from ui.frame.upload import ask_file, offer_to_forget, show_fault
from ui.views.shared.table_choice import MOST_OFFERED, TableChoice, chosen_table, offered_people, word
from ui.words.catalogue import label, option_words

OWN = "_own_table"
FILE = "own_table_file"


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


def _take(form: Form, content: bytes) -> None:
    st.session_state[OWN] = read_counts(content)
    begin_again(form, ABOUT_ONE_TABLE)


def _ask_upload(form: Form) -> None:
    ask_file(label("frame", "counts_file"), FILE, partial(_take, form), most=LARGEST_FILE, help=word("layout"))
    st.caption(word("promise"))
    held = own_table()
    if held is not None:
        counts = {"places": len(held.places), "cells": len(held.cells), "people": held.people}
        told = {name: f"{number:,}" for name, number in counts.items()}
        show.caption(word("held", notes=" ".join(held.notes), **told))
        again, key = partial(begin_again, form, ABOUT_ONE_TABLE), f"{form.stem}.forget"
        offer_to_forget(word("forget"), key, held=[OWN], boxes=[FILE], also=again)


def ask_table(form: Form) -> CountTable | None:
    """The questions about the table: which, and where in it. Returns the session's own table for the view."""
    values = form.values
    before = (values["table"], values["county"])
    form.choice("table", option_words("table_choice", "table"), style="select")
    if values["table"] == "synthetic":
        form.number("county")
    if values["table"] == "own":
        with st.popover(word("file"), width="stretch"):
            _ask_upload(form)
        show_fault(FILE)
    if before != (values["table"], values["county"]):  # by a widget, just now: a link says itself whom it means
        begin_again(form, ABOUT_ONE_TABLE)
    own = own_table()
    table = _table_of(form, own)
    if 1 < len(table.places) <= MOST_OFFERED:
        form.pick("place", dict(enumerate(table.places, 1)))
    elif len(table.places) > MOST_OFFERED:
        form.number("place")
        st.caption(word("numbered", most=f"{len(table.places):,}"))
    return own


def _table_of(form: Form, own: CountTable | None) -> CountTable:
    return chosen_table(TableChoice(table=form.values["table"], county=form.values["county"]), own)


def ask_person(form: Form, own: CountTable | None) -> None:
    """Who in the place is attacked, where anybody is there."""
    table, place = _table_of(form, own), form.values["place"]
    offered = offered_people(table, place) if 1 <= place <= len(table.places) else {}
    if offered:
        form.pick("person", offered)
