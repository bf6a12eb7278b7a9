"""A room's wall: for the projector on a page of its own, as its moderator has it, and what goes to other pages."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from riskline.case.fields import write_query
from ui.frame import show
from ui.frame.form import Form, held
from ui.frame.run import style
from ui.link.page_table import PageLink
from ui.rooms.codes import wall_key
from ui.rooms.meeting import Result, Room
from ui.rooms.refusals import RoomRefused
from ui.rooms.store import store
from ui.views import memo
from ui.views.room.activity import Wall
from ui.views.room.choices import activity_of
from ui.views.room.view import MOST_BESIDE, RoomView, reach_words
from ui.views.shared.room_minutes import both, read_minutes, write_minutes
from ui.words.catalogue import label

OFFERED = "_minutes_offered"
"""Which room each text of minutes was offered for in this session: those of another room are not mixed in."""
SHORT = 80
"""Characters of a sentence that has room above a table beside the picture."""


def offer_wall(form: Form) -> None:
    """The way to the page for the projector, in a tab of its own: by its own key, which does nothing else."""
    query = {"code": form.values["code"], "wall": wall_key(form.values["key"])} | show.switches_query()
    address = f"{show.root_address()}room?{urlencode(query | {'type': 'large'})}"
    st.link_button(label("room", "projector"), address)


def show_projected(view: RoomView) -> None:
    """All that everybody sees: the way in, the question and the count; then the result, and no control."""
    with st.container(key="riskline-wall"):
        if view.wall is not None:
            _show_projected_result(view, view.wall)
        else:
            way_in, asked = st.columns([1, 1.7], gap="large", vertical_alignment="center")
            with way_in:
                show_way_in(view, projected=True)
            with asked:
                if view.question:
                    show.question(view.question, view.question_help)
                show.answer(view.answer, "")
                show.sentence(view.small_print)  # nobody presses on a projector
        show.caption(view.stored)


def _show_projected_result(view: RoomView, wall: Wall) -> None:
    """The result as far as it fits the height of a projector: the picture beside what is said of it, the rest below."""
    show.answer(view.answer, "")
    show.sentence(view.question)
    narrow = [table for table in wall.tables if len(table.columns) <= MOST_BESIDE]
    wide = [table for table in wall.tables if table not in narrow]
    # a long sentence would push the table off the wall, and a long table what is said
    leading = [words for words in wall.sentences if not narrow or len(words) <= SHORT][: 1 if narrow else None]
    drawn, told = st.columns([1.7, 1], gap="medium")
    with drawn:
        show.picture(wall.picture, alone=True)
        for words in wall.sentences:
            if words not in leading:
                show.sentence(words)
    with told:
        for words in (view.joining, *leading):
            show.sentence(words)
        for table in narrow:
            show.show_table(table, alone=True)
    for table in wide:
        show.show_table(table, alone=True)
    for picture in wall.more:
        show.picture(picture, alone=True)
    show.caption(view.small_print)


def choose_shown(room: Room, key: str) -> Result | None:
    """An earlier result of the room that is looked at once more, until something else happens there; None for none."""
    questions = {}
    for one in room.shown:
        activity, settings = activity_of(one)
        question = activity.asked(settings, style()).question
        questions[one.number] = label("room", "earlier_vote", number=one.number, question=question)
    if not questions or room.activity is None:
        return None
    number = st.selectbox(
        label("room", "earlier"),
        list(questions),
        index=None,
        format_func=questions.__getitem__,
        key=f"room.earlier.{room.activity.number}.{room.activity.phase}",
    )
    try:
        return None if number is None else store().result(room.code, key, number)
    except RoomRefused:
        return None


def tell_reach(part: slice = slice(None)) -> bool:
    """That phones cannot open the address of this page, and what to do, where they cannot; whether it is so."""
    told = reach_words(show.root_address(), style().voice)
    for words in told[part]:
        show.sentence(words)
    return bool(told)


def show_way_in(view: RoomView, *, projected: bool = False) -> None:
    """Where and by which code people join, and the square that says the same; none that no phone can open.

    What to do about that is long, and stands below the code.
    """
    if view.door_closed:
        show.sentence(view.door_closed)
        return
    if not tell_reach(slice(1)):
        show.square(view.square, view.square_words)
    show.code(view.code, view.address)
    if not projected:
        tell_reach(slice(1, None))


def show_wall(view: RoomView) -> None:
    """The result as its moderator has it, its question above the picture."""
    show.sentence(view.question)
    wall = view.wall
    if wall is None:
        return
    show.picture(wall.picture)
    for words in wall.sentences:
        show.sentence(words)
    for table in wall.tables:
        show.show_table(table)
    for picture in wall.more:
        show.picture(picture)
    for way in wall.ways:
        if way.stem == "memo":  # it brings what its writer chose, and what it holds of this room
            way = with_earlier(way, view.code, held("memo"), st.session_state.setdefault(OFFERED, {}))
        show.way(way)


def with_earlier(way: PageLink, code: str, chosen: Mapping[str, Any], offered: MutableMapping[str, str]) -> PageLink:
    """The way to a memo that holds these choices already; `offered` is told which room the minutes are of."""
    minutes = read_minutes(dict(way.query)["room"])
    earlier = chosen.get("room")
    if earlier is not None and offered.get(write_minutes(earlier)) == code:
        minutes = both(earlier, minutes)
    offered[write_minutes(minutes)] = code
    return replace(way, query=tuple(write_query(memo.FIELDS, {**chosen, "room": minutes}).items()))
