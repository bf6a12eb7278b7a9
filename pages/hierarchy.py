"""Attack through the hierarchy."""

import streamlit as st

from ui.ask.hierarchy import ask_attack, ask_measured, ask_setting
from ui.frame.case import held_case
from ui.frame.form import Form, put
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.hierarchy import HierarchyInputs, beginning, hierarchy_view
from ui.views.hierarchy.choices import word
from ui.views.hierarchy.view import build_up, clicked_release, measured_view


def click(chosen: HierarchyInputs) -> None:
    points = st.session_state["hierarchy-map"].selection.points
    if points:
        put("hierarchy", **clicked_release(chosen, points[0]["x"], points[0]["y"]))


require_frame()
form = Form("hierarchy", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-hierarchy"):
    left, centre, right = st.columns([1.05, 2.6, 0.75], gap="medium")
with left:
    ask_attack(form)
with st.expander(word("setting"), key="hierarchy.setting"):
    ask_setting(form)
with st.expander(word("own"), key="hierarchy.own"):
    own = ask_measured(form)
    told = st.container()
chosen = HierarchyInputs(**form.close())
show.tries(chosen.trial(held_case()))
view, refusal = show.view_or_last_good("hierarchy", hierarchy_view, chosen, style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.picture(view.map, on_point=lambda: click(chosen))
with right:
    show.numbers(view.numbers)
    show.way(PageLink("block", word("next")))
show.picture(view.beliefs)
fold = st.expander(word("levels"), key="hierarchy.levels", on_change="rerun")
if fold.open and refusal is None:
    with fold:
        show.picture(build_up(chosen, style()))
if own is not None:
    measured = measured_view(own, chosen.person, chosen.instead, chosen.prior, style())
    with told:
        show.refused(measured.refusal)
        show.caption(measured.answer)
        show.caption(measured.small_print)
        show.show_table(measured.levels)
show.computed(view.computed, key="hierarchy")
