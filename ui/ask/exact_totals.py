"""The questions about exact totals: a table of counts, typed or from a file."""

from __future__ import annotations

from functools import partial

import streamlit as st

from riskline.case.fields import MAX_VALUE_LENGTH, Field
from ui.frame.form import Form, put
from ui.frame.upload import ask_file, show_fault


def _take(stem: str, field: Field, longest: int, content: bytes) -> None:
    if len(content) > longest:
        raise ValueError(f"a file of counts must be at most {longest:,} bytes; got {len(content):,}")
    put(stem, **{field.name: field.decode(content.decode("utf-8-sig"), longest=longest)})


COUNTS_TOLD = "Names and totals may be in it; totals are checked. The counts stay in this session."


def ask_counts_file(form: Form, name: str, told: str = COUNTS_TOLD, *, longest: int = MAX_VALUE_LENGTH) -> None:
    """A place for a CSV file of counts, with or without names and totals; what the choice reads of it becomes it."""
    box = f"{form.stem}_{name}_file"
    with st.popover("From a CSV file", width="stretch"):
        take = partial(_take, form.stem, form.fields[name], longest)
        ask_file("CSV file of counts", box, take, most=longest, kind="csv")
        st.caption(f"At most {longest:,} bytes. {told}")
    show_fault(box)
