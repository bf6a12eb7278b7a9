"""The case of this session: as an address brought it, as a control changed it, and as every address says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from riskline.case.fields import FRAME_NAMES, Field, Refusal, read_pairs
from riskline.case.link import CaseReading
from riskline.case.value import EXAMPLE, Case
from ui.link.case_links import LinkParts, Pairs, parts_of
from ui.link.page_table import page_entry
from ui.words.catalogue import label

CASE = "_case"  # the case itself
CASE_REFUSALS = "_case_refusals"
ARRIVAL = "_arrival"  # what this run found in the address
TOUCHED = "_touched"  # a control of ours caused this run, so the address may lag behind
LOADED = "_loaded"  # a scenario file caused this run; its refusals are still to be shown
STORE = "_choices"  # what each page of this session holds, for links to the other pages
WRITTEN = "_written"  # what was last written into the address, by page
CURRENT = "_page"
MADE_HERE = "_decided_here"  # decisions of this session; one that came with a link is a claim


def touch() -> None:
    """Mark this run as caused by a control: the choices then win over the address."""
    st.session_state[TOUCHED] = True


def held_case() -> Case:
    """The case of this session; the example until somebody makes a choice."""
    found: Case = st.session_state.get(CASE, EXAMPLE)
    return found


def is_claim(case: Case) -> bool:
    """Whether the decision of a case came with a link or a file, and was not made in this session."""
    return case.decision is not None and case.decision not in st.session_state.get(MADE_HERE, ())


def hold_case(case: Case) -> None:
    """Let this be the case of the session from now on."""
    st.session_state[CASE] = case


def choose_in_case(**made: Any) -> None:
    """Make choices of the case; what is not named stays."""
    hold_case(held_case().with_choices(**made))


def forget_widgets(*stems: str) -> None:
    """Let every widget of these pages start again from what they hold."""
    for key in [key for key in st.session_state if str(key).split(".")[0] in stems]:
        del st.session_state[key]


@dataclass(frozen=True)
class Arrival:
    """What a run of a page found in the address: the page's own pairs by field, all but the frame's, and its cause.

    `own_otherwise` is whether the address asks for other choices of the page's own than were last written into it. One
    that leads here from another page and asks for none leaves them as this session has them.
    """

    own: Pairs
    asked: Pairs
    own_otherwise: bool
    touched: bool
    loaded: bool


def arrive(stem: str, fields: Iterable[Field]) -> None:
    """Read the address that a page was opened with: its case becomes the session's, where it says one."""
    state, names = st.session_state, [name for name in st.query_params if name not in FRAME_NAMES]
    pairs = [(name, text) for name in names for text in st.query_params.get_all(name)]
    arrived = state.get(CURRENT) != stem
    touched = bool(state.pop(TOUCHED, False)) and not arrived
    written = state.setdefault(WRITTEN, {}).get(stem)
    otherwise = not touched and dict(pairs) != written
    parts = LinkParts(CaseReading(None), [])
    if touched:
        state[CASE_REFUSALS] = ()
    elif otherwise or arrived:
        parts = parts_of(stem, fields, pairs)
        _take(parts, arrived)
        _take_beside(parts)
    own_otherwise = otherwise and bool(parts.own or not arrived)
    state[ARRIVAL] = Arrival(parts.own, pairs, own_otherwise, touched, bool(state.pop(LOADED, False)))


def _take_beside(parts: LinkParts) -> None:
    """Let other pages have what the link says of their own choices."""
    state = st.session_state
    for stem, pairs in parts.beside.items():
        own, named = [field for field in page_entry(stem).fields if not field.of_case], dict(pairs)
        reading = read_pairs(own, pairs)
        said = [field.name for field in own if field.name in named]
        state.setdefault(STORE, {})[stem] = {name: reading.values[name] for name in said}
        state[CASE_REFUSALS] = (*state[CASE_REFUSALS], *reading.refusals)
        forget_widgets(stem)


def _take(parts: LinkParts, arrived: bool) -> None:
    """Hold the case of an address; one without a case keeps the session's, but for Back to before there was any."""
    reading, before = parts.case, held_case()
    st.session_state[CASE_REFUSALS] = reading.refusals
    if reading.case is None:
        if not arrived:
            hold_case(EXAMPLE)
        return
    kept = {name: before[name] for name in reading.missing if name in before}
    lost = [name for name in reading.missing if name not in before]
    case = reading.case.with_choices(**kept)
    if case.made != before.made:
        hold_case(case)
    if lost:
        told = label("frame", "left_out", names=", ".join(lost))
        st.session_state[CASE_REFUSALS] = (*reading.refusals, Refusal("missing", told))
