"""The questions about those who will read the tables: which table, the areas' own counts, a target."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.ask.exact_totals import ask_counts_file
from ui.frame import show
from ui.frame.form import Form
from ui.link.scenario import LONGEST
from ui.views.publication import PublicationView, counted
from ui.views.shared.typed_districts import areas_as_lines

MET = {"at_most": "at or below it", "at_least": "at or above it"}
WEIGHS_MOST = "where the noise weighs most"
TOLD = "A name, a count and, for a rate, a number of people on each line; a total at the end is checked."


def ask_small_places(form: Form) -> Any:
    """Which table, the areas' own counts, and a target. The place for what is said of them."""
    st.header("Small places first")
    asked, told = st.columns([1.05, 3.25], gap="medium")
    with asked:
        form.pick("row", {0: WEIGHS_MOST} | counted(form.values["tables"]))
        form.lines("areas", areas_as_lines, commas_part_counts=False, longest=LONGEST)
        ask_counts_file(form, "areas", TOLD, longest=LONGEST)
        form.number("target" if form.values["areas"][0].people is None else "rate")
        form.choice("met", MET, style="segmented")
    return told


def tell_small_places(view: PublicationView) -> None:
    """The areas on the wrong side of the target, the smallest first."""
    show.sentence(view.wrong)
    show.caption(view.wrong_print)
    if view.wrong_unknown:
        show.caption(view.wrong_unknown)
    show.picture(view.wrong_sides)
    show.long_table(view.at_risk, key="at-risk")
    show.python_lines("This number in Python", view.wrong_python, key="publication.wrong.python")
    show.way(view.one_count)
