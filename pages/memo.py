"""Decision memo."""

import streamlit as st

from ui.documents.document import Document
from ui.documents.page import article, html_page
from ui.documents.slides import KIND as SLIDES
from ui.documents.slides import slides_file
from ui.documents.word import KIND, word_file
from ui.frame.form import Form
from ui.frame.run import look, require_frame, show
from ui.views.memo import CARRIED, FIELDS, OPTIONAL, MemoInputs, MemoView, fields_of, memo_view


def ask(form: Form) -> None:
    form.text("title")
    form.text("organisation")
    form.text("author")
    form.text("date")
    form.text("release")
    form.text("phrase")
    form.text("decided_by")
    form.text("until")
    form.text("decision", lines=4)
    form.text("reasons", lines=3)
    form.number("districts")
    form.number("household")
    form.number("yearly")
    for stem in OPTIONAL:
        if form.values[stem]:
            form.flag(f"tell_{stem}")
    if form.values["room"] != form.fields["room"].default:
        form.flag("tell_room")


def offer(view: MemoView, memo: Document) -> None:
    for name, data, file, kind in (
        ("Page to print (HTML)", lambda: html_page(memo), "riskline-memo.html", "text/html"),
        ("Word", lambda: word_file(memo), "riskline-memo.docx", KIND),
        ("Slides (PowerPoint)", lambda: slides_file(view.deck), "riskline-memo.pptx", SLIDES),
        ("Scenario (JSON)", lambda: view.scenario, "riskline-scenario.json", "application/json"),
    ):
        st.download_button(name, data, file, kind, on_click="ignore", key=f"memo.{file}", width="stretch")


def change_choices() -> None:
    st.page_link("pages/choose.py", label="Change the line and the budget")
    st.page_link("pages/accuracy.py", label="Change count, noise and target")


require_frame()
form = Form("memo", FIELDS)
for name in CARRIED:
    form.carry(name, fields_of(name), where_used=name in OPTIONAL)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-memo"):
    left, centre, right = st.columns([1.05, 2.4, 0.85], gap="medium")
with left:
    ask(form)
inputs = MemoInputs(**form.values)
for name, value in vars(inputs.in_link).items():
    form.values[name] = value
form.close()
view = show.view_of(memo_view, inputs, look())
memo = view.printed_at(show.root_address())
with top:
    show.refused(view.refusal)
    show.answer(view.answer, view.small_print)
    if view.notice:
        show.notice(view.notice)
with right:
    offer(view, memo)
    change_choices()
with centre:
    show.paper(article(memo), "The memo as it prints")
