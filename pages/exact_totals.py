"""What if totals must be exact?"""

import streamlit as st

from riskline.case.releases import BY_RHO
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.frame.upload import ask_counts_file
from ui.link.page_table import PageLink
from ui.views.exact_totals import FIELDS, ExactTotalsInputs, exact_totals_view
from ui.views.shared.strip import beginning_with_case
from ui.views.shared.typed_table import counts_as_lines
from ui.words.catalogue import label


def ask(form: Form) -> None:
    form.choice("exact", style="select")
    form.lines("table", counts_as_lines)
    ask_counts_file(form, "table", label("exact_totals", "file_told"))
    form.choice("guarantee", style="segmented")
    form.number("rho" if form.values["guarantee"] in BY_RHO else "epsilon")
    form.choice("method", style="segmented")
    before, seeded = st.columns(2)
    with before:
        form.number("prior")
    with seeded:
        form.number("seed")
    if form.values["guarantee"] in BY_RHO:
        form.number("failure")


require_frame()
form = Form("exact_totals", beginning_with_case(FIELDS, held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-exact_totals"):
    left, centre = st.columns([1.05, 3.25], gap="medium")
with left:
    ask(form)
cells, given = st.columns([1.6, 1], gap="medium")
chosen = ExactTotalsInputs(**form.close())
show.tries(chosen.trial(held_case()))
view, refusal = show.view_or_last_good("exact_totals", exact_totals_view, chosen, style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.picture(view.losses or view.cells)
    show.way(PageLink("explain", label("exact_totals", "explain")))
with cells:
    if view.losses is not None:
        show.picture(view.cells)
with given:
    show.show_table(view.given_away)
show.computed(view.computed, key="exact_totals")
