"""The questions about those who will read the tables: which table, the areas' own counts, a target."""

from __future__ import annotations

from typing import Any

import streamlit as st

from riskline.case.fields import LONGEST_IN_FILE
from ui.frame import show
from ui.frame.form import Form
from ui.frame.run import style
from ui.frame.upload import ask_counts_file
from ui.frame.view_workers import computed_by_worker
from ui.views.publication import PUBLIC, PublicationInputs, PublicationView, counted, reading_told
from ui.views.shared.typed_districts import areas_as_lines

MET = {"at_most": "at or below it", "at_least": "at or above it"}
NOISIEST = "the noisiest table"
USED = "How readers will use it: orders, differences, shares, ranks, averages"
READINGS = {
    "order": "which of two areas is higher",
    "difference": "how far apart two areas are",
    "share": "the share of a part in its whole",
    "rank": "which rank an area has",
    "average": "the median and the mean of all areas",
}
SAME_TABLE = "published in the same table"
TOLD = (
    "A name, a count and, for a rate, a number of people on each line, or in another order under a line of heads; a "
    "total at the end is checked. They stay in this session."
)


def ask_small_places(form: Form) -> Any:
    """Which table, the areas' own counts, and a target. The place for what is said of them."""
    st.header("Small places first")
    asked, told = st.columns([1.05, 3.25], gap="medium")
    with asked:
        form.pick("row", {0: NOISIEST} | counted(form.values["tables"]))
        form.lines("areas", areas_as_lines, commas_part_counts=False, longest=LONGEST_IN_FILE)
        ask_counts_file(form, "areas", TOLD, longest=LONGEST_IN_FILE)
        if form.values["exceeding"] or any(area.exceeds for area in form.values["areas"]):
            form.flag("exceeding")
        form.number("target" if form.values["areas"][0].people is None else "rate")
        form.choice("met", MET, style="segmented")
    return told


def readings_fold(form: Form) -> Any:
    """The fold about how readers will use the numbers, with its questions when it is open; None without counts."""
    tables = counted(form.values["tables"])
    if not tables:
        return None
    fold = st.expander(USED, key=f"{form.stem}.readings", on_change="rerun")
    if fold.open:
        with fold:
            areas = {place: area.name or f"area {place}" for place, area in enumerate(form.values["areas"], 1)}
            asked, one, another = st.columns(3)
            with asked:
                reading = form.choice("reading", READINGS, style="select")
            if reading != "average":
                with one:
                    form.pick("first", areas)
            if reading in ("order", "difference", "share"):
                with another:
                    form.pick("second", areas)
            if reading == "share":
                form.pick("whole", {0: SAME_TABLE, PUBLIC: "public"} | tables)
    return fold


def tell_reading(fold: Any, chosen: PublicationInputs) -> None:
    """The reading, computed when the fold is open."""
    if fold is None or not fold.open:
        return
    with fold:
        told = computed_by_worker(reading_told, chosen, style())
        if told is None:
            return
        show.sentence(told.words)
        show.picture(told.picture)
        show.show_table(told.table)
        if told.small_print:
            show.caption(told.small_print)
        show.python_lines("These numbers in Python", told.python, key="publication.reading.python")


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
