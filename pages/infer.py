"""Learn from a noisy release."""

import streamlit as st

from ui.ask.infer import ask, ask_more, drawn
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.infer import FIELDS, InferInputs, infer_view
from ui.views.shared.strip import only_epsilon, tried
from ui.words.catalogue import label

require_frame()
form = Form("infer", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-infer"):
    left, centre = st.columns([1.0, 2.4], gap="medium")
with left:
    form.choice("part", style="select")
    own = ask(form)
if form.values["part"] != "coverage":
    with st.expander(label("infer", "fold.more"), key="infer.more"):
        ask_more(form)
chosen = InferInputs(**form.close(), case=held_case())
if chosen.part != "folder":
    show.tries(tried(*chosen.budget, held_case()))
with centre:
    running = st.empty()
shown, draws, older = drawn(chosen, running, afresh=form.from_link)
view, refusal = show.view_or_last_good("infer", infer_view, shown, style(), draws, own)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=older or refusal is not None)
    if chosen.part != "folder" and not chosen.by_rho:
        show.notice(only_epsilon(held_case(), style().voice))
with centre:
    show.picture(view.main)
    show.way(PageLink("accuracy", label("infer", "next")))
for note in view.notes:
    show.notice(note)
show.picture(view.spread)
show.show_table(view.table)
if view.command:
    st.code(view.command, language="bash", wrap_lines=True)
show.computed(view.computed, key="infer")
