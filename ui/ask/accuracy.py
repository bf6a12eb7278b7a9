"""The questions about what noise costs: its budget, a rate with a target, a belief, a list of districts."""

from __future__ import annotations

import streamlit as st

from riskline.case.choices import BY_RHO
from ui.frame.form import Form
from ui.frame.upload import ask_counts_file
from ui.views.accuracy import AccuracyInputs
from ui.views.shared.typed_table import districts_as_lines
from ui.words.catalogue import label


def ask_budget(form: Form) -> None:
    """The budget of the noise, or the accuracy it is for."""
    form.choice("start", style="segmented")
    if form.values["start"] == "budget":
        form.slider("rho" if form.made("noise") in BY_RHO else "epsilon")
    else:
        form.slider("half_width")


def ask_noise(form: Form) -> None:
    """The kind of noise, how often a range holds, and a count to show it on."""
    noise, level, count = st.columns(3, gap="medium")
    with noise:
        form.choice("noise", style="select")
    with level:
        form.number("level")
    with count:
        form.number("count")


def ask_belief(form: Form) -> None:
    """A belief before, and how often the promise of a ρ may fail."""
    before, failing = st.columns(2)
    with before:
        form.number("prior")
    with failing:
        form.number("failure")


def ask_districts(form: Form) -> None:
    """The districts, typed or from a file, how far off is too far, and which example is drawn."""
    form.lines("places", districts_as_lines, commas_part_counts=False)
    ask_counts_file(form, "places", label("accuracy", "places_file"))
    if AccuracyInputs(**form.values).asks_where:
        form.choice("moves", style="select")
    form.number("more_than")
    seed, again = st.columns(2, vertical_alignment="bottom")
    with seed:
        form.number("seed")
    with again:
        form.draw_again()
