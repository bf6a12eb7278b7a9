"""Several releases."""

import streamlit as st

from ui.ask.explain import offer_presets
from ui.ask.plan import LEDGER, ask_noise, ask_promise, tell
from ui.ask.promise import ask_secret
from ui.ask.sheet import edit_sheet
from ui.frame.case import held_case
from ui.frame.form import Form, put_example
from ui.frame.run import require_frame, show, style
from ui.views.plan import PRESETS, PlanInputs, PlanView, beginning, plan_view
from ui.words.catalogue import label


def show_below(view: PlanView) -> None:
    if view.totals is not None:
        show.show_table(view.totals)
    if view.observers is not None:
        st.markdown(view.observers_reading)
        show.show_table(view.observers)
    if view.inverse is not None:
        show.show_table(view.inverse)
    if view.lens is not None:
        st.markdown(view.lens_reading)
        show.show_table(view.lens)
    for place, (title, passage, table) in enumerate(view.lessons):
        with st.expander(title, key=f"plan.lesson.{place}"):
            st.markdown(passage)
            show.show_table(table)
    if view.next is not None:
        show.way(view.next)
    if view.computed:
        show.computed(view.computed, key="plan")


require_frame()
form = Form("plan", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
ledger = edit_sheet(form, LEDGER, sentence=label("plan", "last_ledger"), one_row=ask_noise)
with st.container(key="riskline-stage-plan"):
    left, centre, right = st.columns([1.0, 2.4, 0.9], gap="medium")
with left:
    ask_promise(form)
offer_presets("plan", PRESETS, set_all=put_example)
with st.expander(label("case", "promise"), key="plan.whose"):
    ask_secret(form)
    form.choice("released", style="segmented")
with st.expander(label("plan", "fold.more"), key="plan.more"):
    for name in ("prior", "failure", "delta"):
        form.number(name)
view, refusal = show.view_or_last_good("plan", plan_view, PlanInputs(**form.close()), style())
with ledger:
    tell(refusal, form.values["rows"])
    show.show_table(view.rows)
with top:
    show.answer(view.answer, view.small_print, stale=refusal is not None)
    if view.notice:
        show.notice(view.notice)
with centre:
    for picture in view.pictures:
        show.picture(picture)
with right:
    show.numbers(view.numbers)
show_below(view)
