"""Plan a publication."""

import streamlit as st

from ui.ask.case import ask_decision
from ui.ask.clipping import ask_amounts, clipping_fold, show_advice
from ui.ask.dragged_ranges import drag_ranges
from ui.ask.explain import offer_presets
from ui.ask.ledger import take_over
from ui.ask.publication import ask_budget, ask_line_and_promise, edit_tables, tables_before, tell
from ui.ask.readers import ask_small_places, readings_fold, tell_reading, tell_small_places
from ui.frame.case import held_case
from ui.frame.form import Form, put_example
from ui.frame.run import require_frame, show, style
from ui.views.publication import PRESETS, PublicationInputs, beginning, publication_view

require_frame()
form = Form("publication", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
sheet = edit_tables(form, sentence="The last tables that fit are still computed below.")
with st.container(key="riskline-stage-publication"):
    left, centre, right = st.columns([1.0, 2.4, 0.9], gap="medium")
with left:
    ask_budget(form)
offer_presets("publication", PRESETS, set_all=put_example)
with st.expander("The line, whose secret, how often ranges hold", key="publication.risk"):
    ask_line_and_promise(form)
below = st.container()
small_places = ask_small_places(form)
readings = readings_fold(form)
clipping = clipping_fold(form)
if clipping is not None:
    ask_amounts(form, clipping)
chosen = PublicationInputs(**form.close(), case=held_case())
show.tries(chosen.trial)
view, refusal = show.view_or_last_good("publication", publication_view, chosen, style(), tables_before(chosen.tables))
with sheet:
    tell(refusal, form.values["tables"])
with top:
    show.answer(view.answer, view.small_print, stale=refusal is not None)
    if view.small_places:
        show.sentence(view.small_places)
    if view.notice:
        show.notice(view.notice)
with centre:
    if view.ranges is not None:
        drag_ranges(view.ranges, chosen.tables, noise=chosen.noise, stale=refusal is not None)
        if view.paid:
            show.sentence(view.paid)
        show.reading(view.ranges)
with right:
    show.numbers(view.numbers)
    ask_decision("publication", style().voice)
with below:
    show.show_table(view.results)
    if view.frontier is not None:
        st.header("Risk against use")
        show.picture(view.frontier)
    if view.levels is not None:
        st.header("Levels that add up")
        show.picture(view.levels)
        show.show_table(view.levels_table)
        show.sentence(view.levels_attack)
with small_places:
    tell_small_places(view)
if refusal is None:
    tell_reading(readings, chosen)
if clipping is not None and refusal is None:
    show_advice(clipping, chosen)
for way in view.ways:
    show.way(way)
show.way(view.next)
if view.ledger:
    take_over(view.ledger, view.released, view.to_ledger, stem="publication")
if view.computed:
    show.computed(view.computed, key="publication")
show.python_lines("The release with OpenDP", view.python_opendp, key="publication.opendp")
