"""From a plan to tables, and from tables to an answer."""

import streamlit as st

from riskline.case.value import EXAMPLE
from ui.ask.publish import ask_parts, ask_question, ask_release, ask_shapes
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.publish import FIELDS, PublishInputs, publish_view
from ui.views.publish.held import example
from ui.words.catalogue import label

require_frame()
form = Form("publish", FIELDS)
show.refusals(form.refusals)
top = st.container()
sentences, asked, pictures = [], [], []
for number in range(1, 5):
    sentences.append(st.container())
    with st.container(key=f"riskline-stage-publish-{number}"):
        left, right = st.columns([1.05, 2.6], gap="medium")
    asked.append(left)
    pictures.append(right)
plan, make, adjust, analyse = asked
with plan:
    own = ask_release(form)
shown = own or example(EXAMPLE, 1)  # its parts have the same names under every case
with make:
    ask_parts(form, shown, "table", "time", "level", "cell")
with adjust:
    shapes = ask_shapes(form, own)
with analyse:
    ask_question(form, shown)
chosen = PublishInputs(**form.close(), case=held_case())
view, refusal = show.view_or_last_good("publish", publish_view, chosen, style(), own, shapes)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
    show.notice(view.notice)
for place, sentence in zip(sentences, (view.plan, view.make, view.adjust, view.analyse), strict=True):
    with place:
        show.sentence(sentence)
for place, picture in zip(pictures, (view.ranges, view.noisy, view.adjusted, view.estimates), strict=True):
    with place:
        show.picture(picture)
for place, command in zip((plan, adjust, analyse), view.commands, strict=False):
    with place:
        st.code(command, language=None, wrap_lines=True)
show.way(chosen.learned(label("publish", "next")))
show.computed(view.computed, key="publish")
