"""Decision memo."""

import streamlit as st

from ui.ask.case import ask_decision, show_smallest
from ui.ask.filing import ask_filing, offer_filing
from ui.documents.document import Document
from ui.documents.page import article, html_page
from ui.documents.slides import KIND as SLIDES
from ui.documents.slides import slides_file
from ui.documents.word import KIND, word_file
from ui.frame.case import held_case, is_claim
from ui.frame.form import Form, changed
from ui.frame.run import require_frame, scenario_of_session, show, style
from ui.link.page_table import PageLink
from ui.views.memo import BESIDE, FIELDS, MemoInputs, MemoView, memo_view
from ui.words.catalogue import label


def ask(form: Form) -> None:
    for column, names in zip(
        st.columns(3),
        (("title", "office", "author"), ("date", "released", "hidden"), ("areas", "household", "yearly")),
        strict=True,
    ):
        with column:
            for name in names:
                (form.number if name in ("areas", "household", "yearly") else form.text)(name)
    form.text("reasons", lines=3)
    with st.container(horizontal=True):
        for stem, there_is in MemoInputs.told_by(held_case(), beside).items():
            if there_is or not form.values[f"tell_{stem}"]:
                form.flag(f"tell_{stem}")
        if form.values["room"] != form.fields["room"].default:
            form.flag("tell_room")


def offer(view: MemoView, memo: Document) -> None:
    deck = view.shown_at(show.root_address())  # a download that is made later no longer knows the address
    for name, data, file, kind in (
        ("html", lambda: html_page(memo), "riskline-memo.html", "text/html"),
        ("docx", lambda: word_file(memo), "riskline-memo.docx", KIND),
        ("pptx", lambda: slides_file(deck), "riskline-memo.pptx", SLIDES),
        ("json", scenario_of_session(), "riskline-scenario.json", "application/json"),
    ):
        words = label("memo", f"file.{name}")
        st.download_button(words, data, file, kind, on_click="ignore", key=f"memo.{file}", width="stretch")
    if view.refusal is None:
        show.tell_no_code()


require_frame()
form = Form("memo", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-memo"):
    left, centre = st.columns([1.0, 2.6], gap="medium")
beside = {stem: changed(stem) for stem in BESIDE}
with left:
    ask_decision("memo", style().voice)
    form.text("until")
with st.expander(label("memo", "fold"), key="memo.fold"):
    ask(form)
files = ask_filing(form)
values = form.close()
inputs = MemoInputs.of(values, held_case(), beside, claimed=is_claim(held_case()))
view = show.view_of(memo_view, inputs, style())
memo = view.printed_at(show.root_address())
with top:
    show.refused(view.refusal)
    show.answer(view.answer, view.small_print)
    show.notice(view.notice)
with left:
    show_smallest(view.noise_said)
    show.way(PageLink("public", label("frame", "public"), (("until", inputs.until),) if inputs.until else ()))
    offer(view, memo)
    st.page_link("pages/choose.py", label=label("memo", "change"))
offer_filing(files, inputs)
with centre:
    show.paper(article(memo, level=2), label("memo", "paper"))  # the first level is the page's own heading
