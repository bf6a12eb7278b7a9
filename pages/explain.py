"""What an epsilon means."""

import streamlit as st

from ui.ask.explain import ask_budget, ask_release, ask_test, ask_whose_secret, offer_presets
from ui.ask.relatives import offer_relatives
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.explain import CURVE_KINDS, FIELDS, PRESETS, ExplainInputs, explain_relatives, explain_view
from ui.views.shared.strip import beginning_with_case

require_frame()
form = Form("explain", beginning_with_case(FIELDS, held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-explain"):
    left, centre = st.columns([1.0, 2.2], gap="large")
ask_release(form)
with left:
    own = ask_budget(form, style().voice)
    why = st.container()
ask_whose_secret(form)
offer_presets("explain", PRESETS)
curve = st.container()
relatives = st.container()
with st.container(key="riskline-test-explain"):
    ask_test(form)
    test = st.container()
chosen = ExplainInputs(**form.close())
show.tries(chosen.trial(held_case()))
view, refusal = show.view_or_last_good("explain", explain_view, chosen, style(), own)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with why:
    show.prose(view.why)
    for leading in view.ways[:1]:
        show.way(leading)
with centre:
    show.icons(view.icons, reading=view.icons_reading)
with curve:
    show.picture(view.curve)
if refusal is None and chosen.guarantee not in CURVE_KINDS:
    with relatives:
        offer_relatives("explain", explain_relatives, chosen, style())
with test:
    show.picture(view.trade_off)
for leading in view.ways[1:]:
    show.way(leading)
show.computed(view.computed, key="explain", table=view.readings)
