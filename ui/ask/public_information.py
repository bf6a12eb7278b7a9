"""The questions about public information, and the one place where a reader's own records are read.

Files that were uploaded are kept in this session's memory and nowhere else: they are not written, logged or linked.
"""

from __future__ import annotations

import streamlit as st

from dpcore.public_information.records import LARGEST_FILE
from ui.frame.form import Form, touch
from ui.frame.upload import ask_file, empty_box, set_fault, show_fault
from ui.runs.follow import forget
from ui.views.public_information.own_records import OwnRecords, read_private, with_public
from ui.words.phrasing import so_many
from ui.words.refusals import refusal_words

OWN = "_own_records"
PUBLIC_FILE = "_own_public_file"
LINES = "lines"
DATA = {"invented": "Invented", "own": "Your files"}
KINDS = {"private": "Private records", "public": "Public records, same columns"}
PROMISE = (
    "The files are read into the memory of this session, are never written or logged, are not part of the link or of "
    "the scenario file, and are gone when the session ends."
)
LAYOUT = (
    "The first line names the columns; every other line is a person, with a category in each column. At most 200,000 "
    "private and 20,000 public records, 20 columns, 100 categories a column."
)


def own_records(form: Form) -> OwnRecords | None:
    """The files this session holds, if the reader asks for them."""
    found: OwnRecords | None = st.session_state.get(OWN)
    return found if form.values["data"] == "own" else None


def _forget() -> None:
    for key in (OWN, PUBLIC_FILE):
        st.session_state.pop(key, None)
    for kind in KINDS:
        empty_box(_box(kind))
    forget(LINES)
    touch()


def _box(kind: str) -> str:
    return f"own_{kind}_file"


def _take_private(content: bytes) -> None:
    """The private records; public ones that are held already are coded anew, like these."""
    state = st.session_state
    own = read_private(content)
    forget(LINES)
    state[OWN] = own
    set_fault(_box("public"), None)
    if PUBLIC_FILE in state:
        try:
            state[OWN] = with_public(own, state[PUBLIC_FILE])
        except ValueError as error:
            del state[PUBLIC_FILE]
            set_fault(_box("public"), refusal_words(error))


def _take_public(content: bytes) -> None:
    both = with_public(st.session_state[OWN], content)
    forget(LINES)
    st.session_state[OWN], st.session_state[PUBLIC_FILE] = both, content


def _ask_own(form: Form) -> None:
    held: OwnRecords | None = st.session_state.get(OWN)
    with st.popover("Your CSV files", width="stretch"):
        ask_file(KINDS["private"], _box("private"), _take_private, most=LARGEST_FILE, kind="csv", help=LAYOUT)
        if held is not None:
            ask_file(KINDS["public"], _box("public"), _take_public, most=LARGEST_FILE, kind="csv", help=LAYOUT)
        st.caption(PROMISE)
    for kind in KINDS:
        show_fault(_box(kind), f"The {kind} file was not taken: {{fault}}.")
    if held is not None:
        public = "no public records" if held.public is None else so_many(len(held.public.rows), "public record")
        st.caption(
            f"Held now: {so_many(len(held.private.rows), 'private record')}, {public}, "
            f"{so_many(len(held.private.attributes), 'column')}."
        )
        st.button("Forget these files", on_click=_forget, key=f"{form.stem}.forget", width="stretch")


def ask_hurts(form: Form) -> None:
    """How far the others' answers depend on the person's."""
    form.number("people")
    form.slider("rate_if_no")
    form.slider("rate_if_yes")
    form.number("target")


def ask_helps(form: Form) -> None:
    """Whose records: invented people, more or less alike, or the reader's own files."""
    form.choice("data", DATA, style="segmented")
    if form.values["data"] == "own":
        _ask_own(form)
    else:
        form.slider("shift")
        form.number("public")
        form.number("records")
    form.number("seed")
