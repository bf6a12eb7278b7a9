"""The questions of the attack through the hierarchy: the belief about the other blocks, the release, the setting."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.census import Measurements
from ui.ask.table_choice import begin_again
from ui.frame.form import Form
from ui.frame.upload import ask_file, offer_to_forget, show_fault
from ui.link.measured_file import read_measurements
from ui.link.sheet_file import LARGEST_FILE
from ui.views.hierarchy.choices import encode_levels, word
from ui.words.catalogue import label

FILE = "own_measurements"
OWN = f"_{FILE}"


def ask_attack(form: Form) -> None:
    """What the attacker believes about the other blocks."""
    form.choice("budget", style="segmented")
    more = {"bounded": "largest", "point": "total", "sparse": "empty"}.get(form.choice("belief"))
    form.ask(*filter(None, [more]))


def ask_setting(form: Form) -> None:
    """What is published, budgets, blocks, what is known."""
    levels = partial(form.lines, written=encode_levels, commas_part_counts=False)
    own = "rho_block", "rho_group", partial(levels, "rho_above"), partial(levels, "siblings_above")
    budgets = own if form.values["budget"] == "own" else "total_rho"
    form.beside(budgets, ("x1", "x2", "y"), ("siblings", "prior", "known"))


def ask_measured(form: Form) -> Measurements | None:
    """The one place where a reader's own noisy tables are read: into this session's memory and nowhere else."""
    ask_file(word("own"), FILE, read_measurements, most=LARGEST_FILE, help=word("own.help"), held=OWN)
    st.caption(label("table_choice", "promise"))
    show_fault(FILE)
    form.ask("person", "instead")
    held: Measurements | None = st.session_state.get(OWN)
    if held is not None:
        again = partial(begin_again, form, ("person", "instead"))
        words = label("table_choice", "forget")
        offer_to_forget(words, f"{form.stem}.forget", held=[OWN], boxes=[FILE], also=again)
    return held
