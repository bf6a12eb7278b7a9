"""What an epsilon means."""

import streamlit as st

from ui.ask.explain import ask_guarantee, ask_test, ask_whose_secret, offer_presets
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.explain import FIELDS, PRESETS, ExplainInputs, ExplainView, explain_view
from ui.views.shared.trial import beginning_with_case
from ui.words.catalogue import label


def show_below(view: ExplainView) -> None:
    if view.readings is not None:
        show.show_table(view.readings)
    for picture in view.pictures[1:]:
        show.picture(picture)
    st.markdown(view.failing)
    for leading in view.ways:
        show.way(leading)
    with st.expander(label("explain", "fold.weakening"), key="explain.weakening"):
        st.markdown(view.weakening)
        if view.weakening_table is not None:
            show.show_table(view.weakening_table)
    if view.examples is not None:
        with st.expander(label("explain", "fold.examples"), key="explain.examples"):
            show.show_table(view.examples)
    show.computed(view.computed, key="explain")


require_frame()
form = Form("explain", beginning_with_case(FIELDS, held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-explain"):
    left, centre, right = st.columns([1.05, 2.2, 1.0], gap="medium")
with left:
    ask_guarantee(form)
ask_whose_secret(form)
offer_presets("explain", PRESETS)
curve = st.container()
with st.container(key="riskline-test-explain"):
    ask_test(form)
    test = st.container()
chosen = ExplainInputs(**form.close())
show.tries(chosen.trial(held_case()))
view, refusal = show.view_or_last_good("explain", explain_view, chosen, style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.icons(view.icons, reading=view.icons_reading)
with right:
    show.numbers(view.numbers)
with curve:
    for picture in view.pictures[:1]:
        show.picture(picture)
with test:
    show.picture(view.trade_off)
    st.markdown(view.right_guess)
show_below(view)
