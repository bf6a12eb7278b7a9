"""Test a claim."""

import streamlit as st

from ui.ask.audit import ask_before, ask_claim, ask_evidence, ask_reading
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.audit import FIELDS, AuditInputs, audit_view
from ui.views.shared.strip import beginning_with_case
from ui.words.catalogue import label

require_frame()
form = Form("audit", beginning_with_case(FIELDS, held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-audit"):
    left, centre = st.columns([1.05, 2.6], gap="medium")
with left:
    ask_claim(form)
    own = ask_evidence(form)
    ask_reading(form)
told, asked = st.columns([2.4, 1.0], gap="medium")
with asked:
    ask_before(form, own)
chosen = AuditInputs(**form.close())
show.tries(chosen.trial(held_case()))
view, refusal = show.view_or_last_good("audit", audit_view, chosen, style(), own)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
    for notice in view.notices:
        show.notice(notice)
with centre:
    show.picture(view.main)
    show.way(PageLink("explain", label("frame", "explain")))
with told:
    show.sentence(*view.how, view.before)
show.computed(view.computed, key="audit")
