"""Published budgets."""

import streamlit as st

from ui.ask.explain import ask_also
from ui.ask.filing import ask_record, held_record
from ui.ask.line import choose_secret
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.deployments import DeploymentsInputs, deployments_view
from ui.views.deployments.choices import NAMED_BY_DATA, beginning
from ui.words.catalogue import label


def ask(form: Form) -> None:
    form.choice("chosen", NAMED_BY_DATA["chosen"], style="select")
    choose_secret(form)
    form.slider("prior")
    if not held_case().is_example:
        form.flag("every")


def ask_more(form: Form) -> None:
    for name in ("unit", "definition", "change", "sector", "order"):
        form.choice(name, NAMED_BY_DATA.get(name), style="select")
    form.choice("formula", style="select")
    form.number("delta")


require_frame()
form = Form("deployments", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-deployments"):
    left, centre, right = st.columns([1.15, 2.4, 0.85], gap="medium")
with left:
    ask(form)
with right:
    beside = st.container()
below = st.container()
with below, st.expander(label("deployments", "fold.filter"), key="deployments.filter"):
    ask_more(form)
    ask_record(form)
    own = ask_also(form, style().voice)
chosen = DeploymentsInputs(**form.close())
told = chosen, style(), held_case(), held_record(), own
view, refusal = show.view_or_last_good("deployments", deployments_view, *told)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.notice(view.not_ranked)
    show.picture(view.guesses)
    show.caption(view.covered)
with beside:
    if view.about_chosen:
        show.numbers(view.numbers[:1])
        show.sentence(view.about_chosen)
    show.numbers(view.numbers[1 if view.about_chosen else 0 :])
    show.way(PageLink("explain", label("frame", "explain")))
with below:
    if view.about_mechanism:
        show.sentence(view.about_mechanism)
    if view.about_record:
        show.sentence(view.about_record)
        show.show_table(view.beside_record, words=True)
    with st.expander(label("deployments", "fold.listing"), key="deployments.listing"):
        show.show_table(view.listing, words=True)
    show.computed(view.computed, key="deployments")
