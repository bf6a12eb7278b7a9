"""The questions about public information, and the one place where a reader's own records are read.

Files that were uploaded are kept in this session's memory and nowhere else: they are not written, logged or linked.
"""

from __future__ import annotations

import streamlit as st

from ui.frame import show
from ui.frame.form import Form, touch
from ui.runs.follow import forget
from ui.views.own_records import OwnRecords, read_private, with_public
from ui.words.refusals import refusal_words

OWN = "_own_records"
PUBLIC_FILE = "_own_public_file"
FAULTS = "_own_records_faults"
TURN = "_own_records_turn"
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
    for key in (OWN, PUBLIC_FILE, FAULTS):
        st.session_state.pop(key, None)
    forget(LINES)
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1  # fresh, empty boxes for files
    touch()


def _take(kind: str, key: str) -> None:
    """Read what was just uploaded; a file with a fault, or one taken away, leaves what is held where it is."""
    touch()
    state = st.session_state
    faults: dict[str, str] = state.setdefault(FAULTS, {})
    faults.pop(kind, None)
    upload = state.get(key)
    if upload is None:  # also for a moment while one file replaces another
        return
    content = upload.getvalue()
    forget(LINES)
    try:
        if kind == "public":
            state[OWN] = with_public(state[OWN], content)
            state[PUBLIC_FILE] = content
            return
        state[OWN] = read_private(content)
    except ValueError as error:
        faults[kind] = refusal_words(error)
        return
    faults.pop("public", None)
    if PUBLIC_FILE in state:  # held already: coded anew, like the new private records
        try:
            state[OWN] = with_public(state[OWN], state[PUBLIC_FILE])
        except ValueError as error:
            del state[PUBLIC_FILE]
            faults["public"] = refusal_words(error)


def _ask_file(form: Form, kind: str) -> None:
    key = f"{form.stem}.{kind}_file.{st.session_state.get(TURN, 0)}"
    st.file_uploader(KINDS[kind], type="csv", key=key, on_change=_take, args=(kind, key), help=LAYOUT)


def _ask_own(form: Form) -> None:
    held: OwnRecords | None = st.session_state.get(OWN)
    with st.popover("Your CSV files", width="stretch"):
        _ask_file(form, "private")
        if held is not None:
            _ask_file(form, "public")
        st.caption(PROMISE)
    for kind, fault in st.session_state.get(FAULTS, {}).items():
        show.refused(f"The {kind} file was not taken: {fault}.")
    if held is not None:
        public = "no public records" if held.public is None else f"{len(held.public.rows):,} public records"
        st.caption(
            f"Held now: {len(held.private.rows):,} private records, {public}, {len(held.private.attributes)} columns."
        )
        st.button("Forget these files", on_click=_forget, key=f"{form.stem}.forget", width="stretch")


def ask_hurts(form: Form) -> None:
    """How far the others' answers depend on the person's."""
    form.number("people")
    form.slider("rate_if_no", step=0.01, label="Others say yes, if the person says no")
    form.slider("rate_if_yes", step=0.01, label="Others say yes, if the person says yes")
    form.number("target")


def ask_helps(form: Form) -> None:
    """Whose records: invented people, more or less alike, or the reader's own files."""
    form.choice("data", DATA, style="segmented", label="Whose records?")
    if form.values["data"] == "own":
        _ask_own(form)
    else:
        form.slider("shift", low=0.0, high=1.0, step=0.05, label="How different are the public people?")
        form.number("public")
        form.number("records")
    form.number("seed")
