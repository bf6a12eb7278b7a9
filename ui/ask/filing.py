"""What only registers and assessments ask of a case, and the files that are made from it; records that are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from riskline.registry import LARGEST_FILE, deployment_of, read_record
from ui.documents.page import html_page
from ui.frame import show
from ui.frame.form import Form
from ui.frame.run import style
from ui.frame.upload import ask_file, offer_to_forget, show_fault
from ui.views.memo import MemoInputs
from ui.views.memo.filing import FilingView, filing_view
from ui.views.shared.published_budgets import RELATION_NAMES
from ui.words.catalogue import label

RECORD, BOX = "_registry_record", "registry_record"
ASKED = (
    ("intended_use", "region", "data_sector", "publication_date"),
    ("data_source", "preprocessing", "post_processing", "security"),
)


def ask_filing(form: Form) -> Any:
    """A fold with what a register asks, in two columns; the place over it for the files, or None while it is closed."""
    with st.expander(label("filing", "fold"), key="memo.filing", on_change="rerun") as fold:
        if not fold.open:
            return None
        place = st.container()
        form.beside(*ASKED)
    return place


def offer_filing(place: Any, inputs: MemoInputs) -> None:
    """The label, the record and the annexes as files in their place, where it is open; why there are none."""
    if place is not None:
        with place:
            _offer(show.view_of(filing_view, inputs, style()))


def _offer(filed: FilingView) -> None:
    show.refused(filed.refusal)
    if filed.card is None:
        return
    root = show.root_address()
    made: dict[str, tuple[str, str, Callable[[], str | bytes]]] = {
        "label": ("html", "text/html", lambda: filed.label_at(root).page),
        "svg": ("svg", show.MIMES["svg"], lambda: filed.label_at(root).svg),
        "png": ("png", show.MIMES["png"], lambda: show.pixels(lambda: filed.label_at(root).svg)),
        "record": ("yaml", "application/yaml", lambda: filed.record_at(root)),
    }
    made |= {name: ("html", "text/html", partial(html_page, annex)) for name, annex in filed.annexes.items()}
    with st.container(horizontal=True):
        for name, (kind, mime, data) in made.items():
            file = f"riskline-{'label' if name in ('svg', 'png') else name}.{kind}"
            st.download_button(label("filing", f"file.{name}"), data, file, mime, on_click="ignore", key=f"memo.{file}")
    if filed.open:
        show.caption(label("filing", "missing_some", number=len(filed.open)))


def ask_record(form: Form) -> None:
    """A box for the record of a register, and how its reader understands what counts as one change."""
    ask_file(label("deployments", "record"), BOX, _read, most=LARGEST_FILE, kind="yaml", held=RECORD)
    show_fault(BOX)
    if RECORD in st.session_state:
        form.choice("read_as", {name: RELATION_NAMES[name] for name in form.fields["read_as"].options}, style="select")
        offer_to_forget(label("deployments", "record.forget"), "deployments.forget", held=(RECORD,), boxes=(BOX,))


def held_record() -> dict[str, Any] | None:
    """The record that this session holds."""
    found: dict[str, Any] | None = st.session_state.get(RECORD)
    return found


def _read(content: bytes) -> dict[str, Any]:
    record = read_record(content)
    deployment_of(record)  # one that cannot be compared is refused here
    return record
