"""A table of counts from a file: read into the page's own box of counts, or refused with a sentence."""

from __future__ import annotations

import streamlit as st

from ui.frame import show
from ui.frame.form import Form, put, touch
from ui.link.fields import MAX_VALUE_LENGTH, Field
from ui.words.refusals import refusal_words


def _take(stem: str, field: Field, key: str) -> None:
    """Put what was just uploaded into the choice; a file with a fault leaves the last table where it is."""
    touch()
    st.session_state.pop(f"_{key}", None)
    upload = st.session_state.get(key)
    if upload is None:
        return
    content = upload.getvalue()
    try:
        if len(content) > MAX_VALUE_LENGTH:
            raise ValueError(f"a file of counts must be at most {MAX_VALUE_LENGTH:,} bytes; got {len(content):,}")
        put(stem, **{field.name: field.decode(content.decode("utf-8-sig"))})
    except UnicodeDecodeError:
        st.session_state[f"_{key}"] = "it is not text in UTF-8"
    except ValueError as error:
        st.session_state[f"_{key}"] = refusal_words(error)


def offer_file(form: Form, name: str) -> None:
    """A place for a CSV file of counts, with or without names and totals; its counts become the choice."""
    key = f"{form.stem}.{name}_file"
    with st.popover("From a CSV file", width="stretch"):
        st.file_uploader(
            "CSV file of counts", type="csv", key=key, on_change=_take, args=(form.stem, form.fields[name], key)
        )
        st.caption("Names and totals may be in it; totals are checked. The counts become part of the link.")
    fault = st.session_state.get(f"_{key}")
    if fault:
        show.refused(f"The file was not taken: {fault}.")
