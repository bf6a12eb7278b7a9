"""How we know."""

import streamlit as st

from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.how_we_know import FIELDS, VERDICTS, HowWeKnowInputs, Note, how_we_know_view, source_names
from ui.views.how_we_know.published import OwnErratumNote


def show_note(note: Note) -> None:
    with st.expander(f"{note.title} ({note.where})"):
        show.sentence(f"Printed: {note.printed}")
        show.sentence(f"Computed: {note.reason}")
        if note.inferred:
            st.caption("The explanation is inferred from the numbers.")
        st.code(f"{note.line}\n# prints {note.result}", language="python", wrap_lines=True)


def show_own(note: OwnErratumNote) -> None:
    with st.expander(f"{note.title} (version {note.version}: {note.where})"):
        show.sentence(f"Said: {note.printed}")
        show.sentence(f"Right: {note.reason}")
        st.code(f"{note.line}\n# prints {note.result}", language="python", wrap_lines=True)


require_frame()
form = Form("how_we_know", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-how-we-know"):
    left, centre = st.columns([1.05, 3.25], gap="medium")
with left:
    form.choice("source", {"all": "All works"} | source_names(), style="select")
    form.choice("verdict", {"all": "All verdicts"} | VERDICTS, style="select")
    form.text("find")
view = show.view_of(how_we_know_view, HowWeKnowInputs(**form.close()), style())
with top:
    show.answer(view.answer, view.small_print)
with centre:
    show.picture(view.picture)
st.header("Where print and computation differ")
show.sentence(view.errata_head)
for note in view.notes:
    show_note(note)
st.header("Our own errata")
show.sentence(view.own_head)
for own in view.own_notes:
    show_own(own)
st.header("Every number")
show.sentence(view.table_head)
show.long_table(view.table, key="published")
st.header("Other libraries asked the same")
show.sentence(view.peers_head)
show.long_table(view.peers, key="peers")
with st.expander("Glossary"):
    st.markdown(view.glossary)
with st.expander("Sources"):
    show.show_table(view.sources, words=True)
with st.expander("Limits"):
    st.markdown(view.limits)
