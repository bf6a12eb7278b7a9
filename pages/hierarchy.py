"""Attack through the hierarchy."""

import streamlit as st

from ui.ask.hierarchy import ask_attack, ask_setting
from ui.frame.case import held_case
from ui.frame.form import Form, put
from ui.frame.run import require_frame, show, style
from ui.views.hierarchy import HierarchyInputs, hierarchy_view
from ui.views.hierarchy.attacked import beginning, word
from ui.views.hierarchy.folds import after_fitting, build_up, noise_of_sums, printed_beside_exact
from ui.views.hierarchy.view import clicked_release
from ui.words.catalogue import say


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
show.sentence(view.conclusion)
show.picture(view.beliefs)
for key, picture_of in (("levels", build_up), ("fitted", after_fitting), ("sums", noise_of_sums)):
    fold = st.expander(word(f"fold.{key}"), key=f"hierarchy.{key}", on_change="rerun")
    if fold.open and refusal is None:
        with fold:
            show.picture(picture_of(chosen, style()))
printed = st.expander(word("fold.printed"), key="hierarchy.printed", on_change="rerun")
if printed.open:
    with printed:
        show.sentence(say("hierarchy", style().voice, "printed"))
        show.show_table(printed_beside_exact())
show.computed(view.computed, key="hierarchy")
