"""A file of areas on *Plan a publication*: read once, its levels into the case, its areas into this session alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from dpcore.schema import Level
from riskline.case.levels import BETWEEN, Levels, parts_of
from riskline.case.tables import Sheet, renamed
from riskline.release.areas import AreaList, areas_of_file
from ui.frame import show
from ui.frame.form import put, touch
from ui.frame.upload import ask_file, by_worker, offer_to_forget, set_fault, show_fault
from ui.words.catalogue import label
from ui.words.refusals import refusal_words

OWN = "_own_areas"
FILE = "own_areas_file"
NAMES = "publication.level_names"
NAMED = "_level_names"  # the levels that the box of names was last filled with
LARGEST_FILE = 5_000_000
words = partial(label, "publication")


def held_areas(levels: Levels) -> AreaList | None:
    """The areas that this session holds, under the names of these levels; None where it holds none of them."""
    held: AreaList | None = st.session_state.get(OWN)
    if held is None or np.bincount(held.level_of).tolist() != [level.areas for level in levels]:
        return None
    names = tuple(level.name for level in levels)
    if held.levels != names:  # somebody calls them otherwise
        held = st.session_state[OWN] = replace(held, levels=names)
    return held


def ask_areas(levels: Levels, tables: Sheet) -> None:
    """Where areas are brought, and what the case says of them: levels, and whether their file is here."""
    with st.popover(words("areas"), width="stretch"):
        ask_file(words("areas"), FILE, partial(_take, levels), most=LARGEST_FILE, kind="csv", help=words("areas.help"))
        st.caption(words("own_amounts.promise"))
        if levels:
            if st.session_state.get(NAMED) != levels or NAMES not in st.session_state:
                st.session_state[NAMES] = f"{BETWEEN} ".join(level.name for level in levels)
                st.session_state[NAMED] = levels
            st.text_input(label("case", "geography"), key=NAMES, on_change=_rename, args=(levels, tables))
        if OWN in st.session_state:
            offer_to_forget(words("own_amounts.forget"), "publication.forget_areas", held=[OWN], boxes=[FILE])
    show_fault(FILE)
    if levels:
        named = " · ".join(f"{one.name}: {one.areas:,}" for one in levels)
        show.caption(words("areas.use", levels=named))
        show.notice("" if held_areas(levels) else words("areas.missing"))


def _take(levels: Levels, content: bytes) -> None:
    """Where a file has as many areas as each level of the case, they are those, under the names that tables use."""
    areas = by_worker(areas_of_file, label("frame", "no_text"))(content)
    counts = np.bincount(areas.level_of).tolist()
    if counts != [level.areas for level in levels]:
        put("publication", geography=tuple(map(Level, areas.levels, counts)))
    st.session_state[OWN] = areas


def _rename(levels: Levels, tables: Sheet) -> None:
    """Other names for the levels, in the tables too."""
    touch()
    set_fault(FILE, None)
    names = parts_of(st.session_state[NAMES])
    try:
        if len(names) != len(levels):
            raise ValueError(words("areas.as_many", number=len(levels)))
        other = renamed(tables, {level.name: name for level, name in zip(levels, names, strict=True)})
        called = tuple(replace(one, name=name) for one, name in zip(levels, names, strict=True))
        put("publication", geography=called, **({"tables": other} if other != tables else {}))
    except ValueError as error:
        set_fault(FILE, refusal_words(error))
