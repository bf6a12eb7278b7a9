"""The questions of the attack through the hierarchy: the belief about the other blocks, the release, the setting."""

from __future__ import annotations

import streamlit as st

from dpcore.census import Measurements
from ui.ask.table_choice import begin_again
from ui.frame.form import Form, touch
from ui.frame.upload import ask_file, empty_box, show_fault
from ui.link.measured_file import read_measurements
from ui.link.sheet_file import LARGEST_FILE
from ui.views.hierarchy.choices import encode_levels, word
from ui.words.catalogue import label

FILE = "own_measurements"
OWN = f"_{FILE}"


def ask_attack(form: Form) -> None:
    """What the attacker believes about the other blocks."""
    form.choice("budget", style="segmented")
    chosen = form.choice("belief")
    if chosen == "bounded":
        form.number("largest")
    elif chosen == "point":
        form.number("total")
    elif chosen == "sparse":
        form.number("empty")


def ask_setting(form: Form) -> None:
    """What is published, budgets, blocks, what is known."""
    left, middle, right = st.columns(3)
    with left:
        if form.values["budget"] != "own":
            form.number("total_rho")
        else:
            form.number("rho_block")
            form.number("rho_group")
            form.lines("rho_above", encode_levels, commas_part_counts=False)
            form.lines("siblings_above", encode_levels, commas_part_counts=False)
    with middle:
        form.number("x1")
        form.number("x2")
        form.number("y")
    with right:
        form.number("siblings")
        form.number("prior")
        form.number("known")


def _take(content: bytes) -> None:
    st.session_state[OWN] = read_measurements(content)


def _forget(form: Form) -> None:
    st.session_state.pop(OWN, None)
    empty_box(FILE)
    begin_again(form, ("person", "instead"))
    touch()


def ask_measured(form: Form) -> Measurements | None:
    """The one place where a reader's own noisy tables are read: into this session's memory and nowhere else."""
    ask_file(word("own"), FILE, _take, most=LARGEST_FILE, help=word("own.help"))
    st.caption(label("table_choice", "promise"))
    show_fault(FILE)
    form.text("person")
    form.text("instead")
    held: Measurements | None = st.session_state.get(OWN)
    if held is not None:
        st.button(label("table_choice", "forget"), on_click=_forget, args=(form,), key=f"{form.stem}.forget")
    return held
