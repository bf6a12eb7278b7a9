"""The questions about what noise costs: its budget, and a list of districts."""

from __future__ import annotations

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


def ask_districts(form: Form) -> None:
    """The districts, typed or from a file, how far off is too far, and which example is drawn."""
    form.lines("places", districts_as_lines, commas_part_counts=False)
    ask_counts_file(form, "places", label("accuracy", "places_file"))
    if AccuracyInputs(**form.values).asks_where:
        form.choice("moves", style="select")
    form.number("more_than")
    form.beside("seed", form.draw_again, vertical_alignment="bottom")
