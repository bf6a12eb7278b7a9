"""The fold *What if relatives resemble?*: how many relatives and how alike, which the case keeps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import streamlit as st

from riskline.answers.relatives import RelativesChoice
from riskline.case.choices import FIELDS, RELATIVES
from ui.frame import show
from ui.frame.case import held_case
from ui.frame.form import Form, choice_button
from ui.frame.view_workers import computed_by_worker
from ui.pictures.style import Style
from ui.views.shared.relatives import EXAMPLES, RelativesView, word
from ui.words.catalogue import label

Inputs = TypeVar("Inputs")


def ask_relatives() -> RelativesChoice:
    """How many relatives, and how alike: in sliders, or as an example has it."""
    form = Form("case", tuple(FIELDS[field.name] for field in RELATIVES), of_page=False)
    with st.container(horizontal=True, vertical_alignment="center", key="riskline-presets-relatives"):
        st.caption(word("examples"), width="content")
        for name, example in EXAMPLES.items():
            choice_button(word(f"example.{name}"), "case", f"relatives.{name}", vars(example), type="tertiary")
    form.beside(*(partial(form.slider, name) for name in form.fields), gap="medium")
    return held_case().of(RelativesChoice)


def offer_relatives(
    stem: str, view: Callable[[Inputs, RelativesChoice, Style], RelativesView], chosen: Inputs, style: Style
) -> None:
    """The fold, which asks and computes nothing until it is opened."""
    fold = st.expander(word("fold"), key=f"{stem}.relatives", on_change="rerun")
    if not fold.open:
        return
    with fold:
        found = computed_by_worker(view, chosen, ask_relatives(), style)
        show.refused(found.refusal)
        show.sentence(found.answer, found.keeps)
        for table in found.tables:
            show.show_table(table)
        show.caption(found.small_print)
        show.python_lines(label("frame", "same_in_python"), found.python, key=f"{stem}.relatives.python")
