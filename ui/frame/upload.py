"""A file of a reader: read once, when it arrives, into the session's memory; what is wrong with it is a sentence.

A file with a fault, or one that is taken away, leaves what is held where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import streamlit as st

from riskline.case.fields import MAX_VALUE_LENGTH, as_sentence
from ui.frame import show
from ui.frame.form import Form, as_renewed, put, renew, touch
from ui.frame.view_workers import computed_by_worker
from ui.words.catalogue import label
from ui.words.quantities import Typed, whole
from ui.words.refusals import UNCOMPUTABLE, refusal_words, refuse_larger

Read = TypeVar("Read")
FAULTS = "_upload_faults"
MEGABYTE = 1_000_000


def ask_file(
    label: str,
    name: str,
    take: Callable[..., Any],
    *,
    most: int,
    kind: str | None = None,
    help: str | None = None,
    several: bool = False,
    held: str = "",
) -> None:
    """A box for a file; `take` reads it before the next run, and refuses it with a `ValueError`.

    Of a box for `several` it reads names and contents. What it makes of them is `held` by the session under this name.
    `most` is how many bytes its reader takes: the box says so, in whole megabytes, and holds back what is larger.
    """
    megabytes = min(-(-most // MEGABYTE), st.get_option("server.maxUploadSize"))
    key = as_renewed(name)
    st.file_uploader(
        label,
        type=kind,
        accept_multiple_files=several,
        key=key,
        on_change=_arrived,
        args=(name, key, take, most, held),
        help=help,
        max_upload_size=megabytes,
    )


def by_worker(read: Callable[..., Read], refusal: str) -> Callable[..., Read]:
    """The reader in a worker, which holds it to memory and time whatever is in a file; what is beyond is refused."""

    def reading(*given: Any) -> Read:
        try:
            return computed_by_worker(read, *given)
        except UNCOMPUTABLE:
            raise ValueError(refusal) from None

    return reading


def _arrived(name: str, key: str, take: Callable[..., Any], most: int, held: str) -> None:
    touch()
    set_fault(name, None)
    upload = st.session_state.get(key)
    if not upload:  # also briefly while one file replaces another
        return
    try:
        several = isinstance(upload, list)
        files = [(one.name, one.getvalue()) for one in (upload if several else [upload])]
        for _, content in files:
            refuse_larger(content, most)
        found = take(files if several else files[0][1])
        if held:
            st.session_state[held] = found
    except UnicodeDecodeError:
        set_fault(name, label("frame", "no_text"))
    except ValueError as error:
        set_fault(name, refusal_words(error))


def set_fault(name: str, fault: str | None) -> None:
    """What is wrong with the file of this box, or that nothing is."""
    st.session_state.setdefault(FAULTS, {})[name] = fault


def show_fault(name: str, words: str = "") -> None:
    """The sentence about a file that was not taken, in these words or those of a file."""
    fault = st.session_state.get(FAULTS, {}).get(name)
    if fault:
        show.refused(as_sentence(words.format(fault=fault)) if words else label("frame", "file_refused", fault=fault))


def empty_box(name: str) -> None:
    """Let the box begin again, without a file and without a fault."""
    set_fault(name, None)
    renew(name)


def offer_to_forget(
    words: str, key: str, *, held: Iterable[str], boxes: Iterable[str], also: Callable[[], None] = touch, **look: Any
) -> None:
    """A button that lets go of what was read: what the session holds under these names, and the files in the boxes."""

    def forget() -> None:
        touch()
        for name in held:
            st.session_state.pop(name, None)
        for box in boxes:
            empty_box(box)
        also()

    st.button(words, key=key, on_click=forget, **look)


def ask_counts_file(form: Form, name: str, told: str) -> None:
    """A place for a CSV file of counts, with or without names and totals; what the choice reads of it becomes it."""

    def take(content: bytes) -> None:
        put(form.stem, **{name: form.fields[name].decode(content.decode("utf-8-sig"))})

    box = f"{form.stem}_{name}_file"
    with st.popover(label("frame", "from_file"), width="stretch"):
        ask_file(label("frame", "counts_file"), box, take, most=MAX_VALUE_LENGTH, kind="csv")
        st.caption(f"{label('frame', 'file_size', longest=Typed(MAX_VALUE_LENGTH, whole))} {told}")
    show_fault(box)
