"""Today's methods."""

import streamlit as st

from riskline.case.methods import LONGEST_TABLE, SETTINGS, read_table, table_as_lines
from ui.ask.method import keep_method
from ui.frame.case import held_case
from ui.frame.form import Form, put
from ui.frame.run import require_frame, show, style
from ui.frame.upload import ask_counts_file, ask_file, show_fault
from ui.views.methods import MethodsInputs, beginning, methods_view
from ui.views.shared.typed_table import districts_as_lines
from ui.words.catalogue import label

CHOSEN = ("method", "rounding", "zero", "single", "against", "side")


def take(content: bytes) -> None:
    put("methods", table=read_table(content.decode("utf-8-sig")))


def ask(form: Form) -> None:
    for name in SETTINGS[form.choice("method", style="select")]:
        if name == "table":
            form.lines("table", table_as_lines, commas_part_counts=False)
            ask_file(label("methods", "table_file"), "methods_table", take, most=LONGEST_TABLE, kind="csv")
            show_fault("methods_table")
        elif name in CHOSEN:
            form.choice(name, style="segmented")
        else:
            form.number(name)


require_frame()
form = Form("methods", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-methods"):
    left, centre = st.columns([1.0, 2.8], gap="medium")
with left:
    ask(form)
    form.choice("side", style="segmented")
    onwards = st.container()
told, asked = st.columns([2.4, 1.0], gap="medium")
with asked:
    form.choice("against", style="select")
    form.number("prior")
    form.lines("places", districts_as_lines, commas_part_counts=False)
    ask_counts_file(form, "places", label("accuracy", "places_file"))
inputs = MethodsInputs(**form.close())
view, refusal = show.view_or_last_good("methods", methods_view, inputs, style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    if view.note:
        show.notice(view.note)
    show.picture(view.beliefs)
with onwards:
    show.way(view.next)
    keep_method(None if refusal else inputs.recorded)
with told:
    show.show_table(view.compared, words=True)
    show.long_table(view.districts, key="methods")
show.computed(view.computed, key="methods")
