"""Published budgets."""

import streamlit as st

from ui.ask.promise import choose_secret
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.deployments import CHOICES, FIELDS, DeploymentsInputs, deployments_view, detection_picture


def ask(form: Form) -> None:
    form.choice("chosen", CHOICES["chosen"], style="select")
    choose_secret(form)
    form.number("prior")
    form.choice("formula", CHOICES["formula"], style="select")
    form.number("delta")
    form.number("accused")


def ask_filter(form: Form) -> None:
    form.choice("unit", CHOICES["unit"], style="select")
    form.choice("definition", CHOICES["definition"], style="select")
    form.choice("change", CHOICES["change"], style="select")
    form.choice("sector", CHOICES["sector"], style="select")
    form.choice("order", CHOICES["order"], style="select")


require_frame()
form = Form("deployments", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-deployments"):
    left, centre, right = st.columns([1.15, 2.4, 0.85], gap="medium")
with left:
    ask(form)
    ask_filter(form)
with right:
    beside = st.container()
below = st.container()
chosen = DeploymentsInputs(**form.close())
view, refusal = show.view_or_last_good("deployments", deployments_view, chosen, style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    if view.not_ranked:
        show.notice(view.not_ranked)
    show.picture(view.guesses)
with beside:
    show.numbers(view.numbers)
with below:
    found = st.expander(
        "How many are found, and how many wrongly accused", key="deployments.detection", on_change="rerun"
    )
    if found.open and refusal is None:
        with found:
            show.sentence(view.detection_words)
            show.picture(detection_picture(chosen, style()))
    fold = st.expander("The published numbers on one ruler", key="deployments.published", on_change="rerun")
    if fold.open:
        with fold:
            show.picture(view.ruler)
    st.header("Three formulas, and which published value fits which")
    show.sentence(view.formulas_words)
    show.show_table(view.formulas)
    st.header("The lesson of 19.61")
    show.sentence(view.lesson_words)
    show.show_table(view.lesson_table)
    with st.expander("What ran, and what was published: three Census products", key="deployments.production"):
        show.sentence(view.production_words)
        show.show_table(view.production_table, words=True)
    with st.expander("What each budget means, with its source", key="deployments.listing"):
        show.show_table(view.listing, words=True)
    show.computed(view.computed, key="deployments")
