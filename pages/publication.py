"""Plan a publication."""

import streamlit as st

from ui.ask import publication as ask
from ui.ask.case import ask_decision
from ui.ask.explain import offer_presets
from ui.ask.plan import take_over
from ui.ask.sheet import edit_sheet, rows_before
from ui.frame.case import held_case
from ui.frame.form import Form, put_example
from ui.frame.run import require_frame, show, style
from ui.views.publication import PRESETS, PublicationInputs, beginning, publication_view

require_frame()
form = Form("publication", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
sheet = edit_sheet(form, ask.TABLES, sentence=ask.words("last_tables"))
with st.container(key="riskline-stage-publication"):
    left, centre, right = st.columns([1.0, 2.4, 0.9], gap="medium")
with left:
    ask.ask_budget(form)
offer_presets("publication", PRESETS, set_all=put_example)
with st.expander(ask.words("fold.risk"), key="publication.risk"):
    ask.ask_line_and_promise(form)
below = st.container()
small_places = ask.ask_small_places(form)
readings = ask.readings_fold(form)
clipping = ask.ask_clipping(form)
chosen = PublicationInputs(**form.close(), case=held_case())
show.tries(chosen.trial)
view, refusal = show.view_or_last_good(
    "publication", publication_view, chosen, style(), rows_before(ask.TABLES, chosen.tables)
)
with sheet:
    ask.tell(refusal, form.values["tables"])
with top:
    show.answer(view.answer, view.small_print, stale=refusal is not None)
    if view.small_places:
        show.sentence(view.small_places)
    if view.notice:
        show.notice(view.notice)
with centre:
    if view.ranges is not None:
        ask.drag_ranges(view.ranges, chosen.tables, noise=chosen.noise, stale=refusal is not None)
        if view.paid:
            show.sentence(view.paid)
        show.reading(view.ranges)
with right:
    show.numbers(view.numbers)
    ask_decision("publication", style().voice)
with below:
    show.show_table(view.results)
    if view.frontier is not None:
        st.header(ask.words("frontier.title"))
        show.picture(view.frontier)
    if view.levels is not None:
        st.header(ask.words("levels.title"))
        show.picture(view.levels)
        show.show_table(view.levels_table)
        show.sentence(view.levels_attack)
with small_places:
    ask.tell_small_places(view)
if refusal is None:
    ask.tell_reading(readings, chosen)
    ask.show_advice(clipping, chosen)
for way in view.ways:
    show.way(way)
show.way(view.next)
if view.ledger:
    take_over(view.ledger, view.released, view.to_ledger, stem="publication")
if view.computed:
    show.computed(view.computed, key="publication")
show.python_lines(ask.words("fold.opendp"), view.python_opendp, key="publication.opendp")
