"""The fold of *Plan a publication* about bounds: which total or mean, which amounts, and the best bound into its row.

Amounts of a reader's own are held in this session's memory and nowhere else: not written, not logged, not linked.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.ask.publication import TABLES
from ui.ask.sheet import set_rows
from ui.frame import show
from ui.frame.form import Form, touch
from ui.frame.run import style
from ui.frame.upload import ask_file, empty_box, set_fault, show_fault
from ui.views.publication import LARGEST, MOST_AMOUNTS, PublicationInputs, clipped_rows, clipping_advice
from ui.views.shared.own_values import LARGEST_FILE, read_values
from ui.words.phrasing import so_many
from ui.words.refusals import refusal_words

TITLE = "Where to clip amounts: what is cut off against noise"
AMOUNTS = {
    "days": "made up: days in hospital",
    "earnings": "made up: earnings in a month",
    "scores": "made up: scores in a test",
    "hours": "made up: hours in a week",
    "own": "my own",
}
OWN = "_own_amounts"
PASTED = "_own_amounts_pasted"
FILE = "own_amounts_file"
LAYOUT = (
    "One amount on each line, with a decimal point, below a head or not; of several columns the one headed amount or "
    "value."
)
PROMISE = (
    "Amounts are read into the memory of this session, are never written or logged, are not part of the link, and are "
    "gone when the session ends."
)


def clipping_fold(form: Form) -> Any:
    """The fold; None where no row is a total or a mean."""
    if not clipped_rows(form.values["tables"]):
        return None
    return st.expander(TITLE, key=f"{form.stem}.clipping", on_change="rerun")


def ask_amounts(form: Form, fold: Any) -> None:
    """Which total or mean, and the amounts that bounds are tried on."""
    if not fold.open:
        return
    rows, places = form.values["tables"], clipped_rows(form.values["tables"])
    with fold:
        left, right = st.columns(2, vertical_alignment="bottom")
        with left:
            form.pick("clipped", {place: f"{place}. {rows[place - 1].name}" for place in places})
        with right:
            form.choice("amounts", AMOUNTS, style="select")
        if form.values["amounts"] == "own":
            _ask_own()


def _ask_own() -> None:
    """Amounts that are pasted or come from a file."""
    pasted, uploaded = st.columns(2)
    with pasted:
        st.text_area("Typed or pasted amounts", key=PASTED, on_change=_paste, max_chars=LARGEST_FILE, help=LAYOUT)
    with uploaded:
        ask_file("CSV file of amounts", FILE, _take, most=LARGEST_FILE, kind="csv", help=LAYOUT)
    show_fault(FILE, "The amounts were not taken: {fault}.")
    held = st.session_state.get(OWN)
    show.caption(PROMISE + ("" if held is None else f" Held now: {so_many(len(held), 'amount')}."))
    if held is not None:
        st.button("Forget these amounts", on_click=_forget, key="publication.forget")


def _take(content: bytes) -> None:
    st.session_state[OWN] = tuple(read_values(content, most=MOST_AMOUNTS, largest=LARGEST))


def _paste() -> None:
    """What was pasted leaves its box once it is read; what cannot be read stays there."""
    touch()
    set_fault(FILE, None)
    try:
        if st.session_state[PASTED].strip():
            _take(st.session_state[PASTED].encode("utf-8", "replace"))
            st.session_state[PASTED] = ""
    except ValueError as error:
        set_fault(FILE, refusal_words(error))


def _forget() -> None:
    touch()
    for key in (OWN, PASTED):
        st.session_state.pop(key, None)
    empty_box(FILE)


def show_advice(fold: Any, chosen: PublicationInputs) -> None:
    """The advice, computed when the fold is open."""
    if not fold.open:
        return
    own = st.session_state.get(OWN) if chosen.amounts == "own" else None
    with fold:
        advice = clipping_advice(chosen, style(), own)
        if advice is None:
            return
        show.refused(advice.refusal)
        if advice.sentence:
            show.sentence(advice.sentence)
        show.notice(advice.caution)
        if advice.taken:
            st.button(
                advice.take,
                key="publication.take",
                on_click=set_rows,
                args=(TABLES, chosen.tables, advice.taken, advice.place),
            )
        show.picture(advice.picture)
        if advice.small_print:
            show.caption(advice.small_print)
