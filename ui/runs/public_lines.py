"""Lines that arrive one by one on the page 'public_information': kept in the session, shown with progress, stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dpcore.public_information import ErrorLine
from ui.frame import show
from ui.frame.form import touch
from ui.views.own_records import OwnRecords
from ui.views.public_information import PublicInformationInputs, best_by_rows, lines_of, methods_of, row_counts
from ui.words.refusals import refusal_sentence

HELD = "_public_lines"


@dataclass
class Arrived:
    """What has been computed for one set of choices, and whether the reader stopped it."""

    study: tuple[Any, ...]
    lines: list[ErrorLine] = field(default_factory=list)
    by_rows: list[tuple[int, float]] = field(default_factory=list)
    stopped: bool = False

    def hold(self, stopped: bool) -> None:
        """Stop, or go on."""
        self.stopped = stopped
        touch()


def forget_lines() -> None:
    """Drop what was computed, and with it the records it was computed from."""
    st.session_state.pop(HELD, None)


def arrived(chosen: PublicInformationInputs, own: OwnRecords | None = None) -> Arrived:
    """What this session already has for these choices and these files."""
    study = (chosen.study, own)
    held = st.session_state.get(HELD)
    if held is None or held.study != study:
        held = st.session_state[HELD] = Arrived(study)
    found: Arrived = held
    return found


def arriving(
    chosen: PublicInformationInputs, held: Arrived, place: Any, own: OwnRecords | None = None
) -> Iterator[None]:
    """Compute what is missing, a line at a time; any change of a choice, or Stop, ends it and keeps the lines."""
    if len(held.lines) == len(methods_of(own)) and len(held.by_rows) == len(row_counts(chosen, own)):
        return
    with place.container():
        if held.stopped:
            st.button("Go on drawing", on_click=held.hold, args=(False,), key="public_information.go_on")
            return
        told, halt = st.columns([4, 1.3], vertical_alignment="center")
        bar = told.progress(0.0, "Simulating releases")
        halt.button("Stop drawing", on_click=held.hold, args=(True,), key="public_information.stop")

    def tell(done: int, every: int) -> None:
        bar.progress(done / every, f"Simulating releases: {done} of {every} runs")

    try:
        for line in lines_of(chosen, own, without=[line.method for line in held.lines], progress=tell):
            held.lines.append(line)
            yield
        bar.progress(1.0, "Finding what the public rows allow at best")
        for value in best_by_rows(chosen, own, known=len(held.by_rows)):
            held.by_rows.append(value)
            yield
    except ValueError as error:
        held.stopped = True
        show.refused(refusal_sentence(error))
    place.empty()
