"""How we know."""

import streamlit as st

from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.how_we_know import (
    FIELDS,
    ErratumNote,
    HowWeKnowInputs,
    OwnErratumNote,
    how_we_know_view,
    place_of,
    source_names,
    word,
)


def show_note(note: ErratumNote | OwnErratumNote) -> None:
    words = vars(note)
    if isinstance(note, ErratumNote):
        title, said, right = word("note", where=place_of(note), **words), "printed", "computed"
    else:
        title, said, right = word("own_note", **words), "said", "right"
    with st.expander(title):
        show.sentence(word(said, **words), word(right, **words))
        if isinstance(note, ErratumNote) and note.inferred:
            st.caption(word("inferred_note"))
        st.code(f"{note.line}\n# {word('result', **words)}", language="python", wrap_lines=True)


require_frame()
form = Form("how_we_know", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-how-we-know"):
    left, centre = st.columns([1.05, 3.25], gap="medium")
with left:
    form.choice("source", {"all": word("source.all")} | source_names(), style="select")
    form.choice("verdict", style="select")
    form.text("find")
    show.way(PageLink("explain", word("next")))
view = show.view_of(how_we_know_view, HowWeKnowInputs(**form.close()), style())
with top:
    show.answer(view.answer, view.small_print)
with centre:
    show.picture(view.picture)
st.header(word("errata"))
show.sentence(view.errata_head)
for note in view.notes:
    show_note(note)
st.header(word("own_errata"))
show.sentence(view.own_head)
for own in view.own_notes:
    show_note(own)
st.header(word("numbers"))
show.sentence(view.table_head)
show.long_table(view.table, key="published")
st.header(word("peers"))
show.sentence(view.peers_head)
show.long_table(view.peers, key="peers")
with st.expander(word("more_fold")):
    st.markdown(view.limits)
    st.markdown(view.glossary)
    show.show_table(view.sources, words=True)
