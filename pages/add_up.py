"""Make noisy tables add up."""

import streamlit as st

from riskline.case.releases import BY_RHO
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.runs.follow import asked, follow, latest, leave
from ui.views.add_up import BUDGETS, AddUpInputs, add_up_view, beginning, learned, learned_picture
from ui.views.shared.typed_table import counts_as_lines
from ui.words.catalogue import label, say


def ask(form: Form) -> None:
    form.choice("rule", style="select")
    form.lines("counts", counts_as_lines)
    form.choice("guarantee", style="segmented")
    for name in BUDGETS[form.values["guarantee"] in BY_RHO]:
        form.number(name)


def ask_rest(form: Form) -> None:
    source, seed, again = st.columns(3, vertical_alignment="bottom")
    with source:
        form.choice("source", style="select")
    with seed:
        form.number("seed")
    with again:
        form.draw_again()


require_frame()
form = Form("add_up", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-add_up"):
    left, centre = st.columns([1.05, 3.25], gap="medium")
with left:
    ask(form)
one = st.container()
ask_rest(form)
form.flag("learn")
chosen = AddUpInputs(**form.close())
show.tries(chosen.trial(held_case()))
view, refusal = show.view_or_last_good("add_up", add_up_view, chosen, style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.picture(view.spread)
    show.way(PageLink("exact_totals", label("add_up", "next")))
with one:
    show.sentence(view.note)
    show.show_table(view.one_draw)
running, concluded = st.empty(), st.container()
if chosen.learn and refusal is None:
    run = asked("learned", chosen.learned_from, learned, lambda found: (chosen,))
    words, act = label("add_up", "learning"), label("add_up", "learning_act")
    follow(run, running, key="add_up", words=words, act=act)
    told, pieces, older = latest("learned", run, chosen)
    with concluded:
        if older:
            show.notice(say("add_up", style().voice, "older"))
        for found in pieces:
            show.picture(learned_picture(told, found, style()))
else:
    leave("learned")
show.computed(view.computed, key="add_up")
