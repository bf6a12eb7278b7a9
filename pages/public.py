"""For the public."""

import streamlit as st

from ui.ask.case import show_smallest
from ui.ask.relatives import ask_relatives
from ui.documents.page import html_page
from ui.frame.case import held_case, is_claim
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.public import FIELDS, PublicInputs, PublicView, public_view
from ui.words.catalogue import label


def offer(view: PublicView) -> None:
    if view.sheet is not None:
        sheet = view.sheet_at(show.root_address())
        words, name = label("public", "file.sheet"), "riskline-public.html"
        st.download_button(words, lambda: html_page(sheet), name, "text/html", on_click="ignore", key="public.sheet")
        show.tell_no_code()
    show.picture_file(view.picture, label("public", "file.picture"), reading=view.answer)


require_frame()
form = Form("public", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-public"):
    left, centre = st.columns([1.0, 1.6], gap="large")
with left:
    said = st.container()
    form.text("until")
questions = st.container()
asked = {"household": form.made("household")}
inputs = PublicInputs(**form.values | asked, case=held_case(), claimed=is_claim(held_case()))
view = show.view_of(public_view, inputs, style())
with top:
    show.refused(view.refusal)
    show.answer(view.answer, view.small_print)
with said:
    for sentence in (*view.sentences, view.decided):
        show.sentence(sentence)
    show_smallest(view.noise_said)
    offer(view)
    for way in view.next:
        show.way(way)
with centre:
    show.icons(view.picture, reading=view.answer, told=True)
if view.asked:
    with questions:
        st.header(label("public", "asked"))
        for question, answer, way, follows in view.asked:
            show.sentence(f"**{question}** {answer}")
            if way is not None:
                show.way(way)
            if follows == "relatives":
                ask_relatives()
            elif follows:
                with st.columns([1.0, 1.6], gap="large")[0]:
                    form.slider(follows)
        show.sentence(view.budget)
form.close()
