"""Several releases."""

import streamlit as st

from ui.ask.explain import ask_also, offer_presets
from ui.ask.line import ask_secret
from ui.ask.plan import SHEET, ask_limit, ask_noise, ask_rounds, tell
from ui.ask.running import offer_spending, tell_spent
from ui.ask.sheet import edit_sheet
from ui.frame.case import held_case
from ui.frame.form import Form, put_example
from ui.frame.run import require_frame, show, style
from ui.views.plan import PRESETS, PlanInputs, beginning, plan_view
from ui.words.catalogue import label

require_frame()
form = Form("plan", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-plan"):
    left, centre, right = st.columns([1.0, 2.4, 0.9], gap="medium")
with left:
    ask_rounds(form)
readers = st.container()
rows = edit_sheet(form, SHEET, sentence=label("plan", "last_rows"), one_row=ask_noise)
with st.columns(2)[0]:
    own = ask_also(form, style().voice)
offer_presets("plan", PRESETS, make=put_example)
with st.expander(label("plan", "fold.more"), key="plan.more"):
    ask_limit(form)
with st.expander(label("case", "promise"), key="plan.whose"):
    ask_secret(form)
    form.choice("released", style="segmented")
chosen = PlanInputs(**form.close())
view, refusal = show.view_or_last_good("plan", plan_view, chosen, style(), own, finished=chosen.finished)
with top:
    show.answer(view.answer, view.small_print, stale=refusal is not None)
    show.notice(view.notice)
    tell_spent(style())
with centre:
    for picture in view.pictures:
        show.picture(picture)
with right:
    show.numbers(view.numbers)
    show.way(view.next)
with readers:
    show.show_table(view.readers)
with rows:
    tell(refusal, form.values["rows"])
for name, tables in (("rows", (view.rows, view.inverse)), ("longer", (view.lens, view.totals))):
    with st.expander(label("plan", f"fold.{name}"), key=f"plan.{name}"):
        for table in tables:
            show.show_table(table)
offer_spending(style())
if view.computed:
    show.computed(view.computed, key="plan")
