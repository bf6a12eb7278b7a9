"""The questions about public information, and the one place where a reader's own records are read.

Files that were uploaded are kept in this session's memory and nowhere else: they are not written, logged or linked.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.public_information.records import LARGEST_FILE
from ui.frame.form import Form
from ui.frame.upload import ask_file, offer_to_forget, set_fault, show_fault
from ui.runs.follow import forget
from ui.views.public_information import OwnRecords, read_private, with_public, word
from ui.words.refusals import refusal_words

OWN = "_own_records"
PUBLIC_FILE = "_own_public_file"
LINES = "lines"
KINDS = ("private", "public")


def own_records(form: Form) -> OwnRecords | None:
    """The files this session holds, if the reader asks for them."""
    found: OwnRecords | None = st.session_state.get(OWN)
    return found if form.values["data"] == "own" else None


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
    with st.popover(word("files"), width="stretch"):
        for kind, take in zip(KINDS, (_take_private, _take_public), strict=True):
            if kind == "private" or held is not None:
                help = word("files_layout")
                ask_file(word(f"file.{kind}"), _box(kind), take, most=LARGEST_FILE, kind="csv", help=help)
        st.caption(word("files_promise"))
    for kind in KINDS:
        show_fault(_box(kind), word(f"file_refused.{kind}"))
    if held is not None:
        public = word("none") if held.public is None else f"{len(held.public.rows):,}"
        counts = {"private": f"{len(held.private.rows):,}", "columns": f"{len(held.private.attributes):,}"}
        st.caption(word("held", public=public, **counts))
        key, held_by, boxes = f"{form.stem}.forget", [OWN, PUBLIC_FILE], [_box(kind) for kind in KINDS]
        also = partial(forget, LINES)
        offer_to_forget(word("forget"), key, held=held_by, boxes=boxes, also=also, width="stretch")


def ask_rest(form: Form, *, helping: bool) -> None:
    """Other choices, in columns."""
    invented = [("public", "records")] if form.values["data"] == "invented" else []
    helps = ("delta", "rounds"), ("repeats", "seed"), *invented
    form.beside(*(helps if helping else (partial(form.slider, "rate_if_no"), "people", "target")))


def ask_side(form: Form) -> bool:
    """Whether public information hurts or helps, and what matters most there; true where a public file helps."""
    helping = form.choice("side", style="select") == "helps"
    if not helping:
        form.slider("rate_if_yes")
    elif form.choice("data", style="segmented") == "own":
        _ask_own(form)
    else:
        form.slider("shift")
    return helping
