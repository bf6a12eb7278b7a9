"""A room's wall: on a page of its own for the projector, and its result as it is shown there and to the moderator."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from ui.ask.room_minutes import to_memo
from ui.frame import show
from ui.frame.form import Form
from ui.rooms.codes import wall_key
from ui.views.room import RoomView


def offer_wall(form: Form) -> None:
    """The way to the page for the projector, in a tab of its own: by its own key, which does nothing else."""
    query = {"code": form.values["code"], "wall": wall_key(form.values["key"])} | show.switches_query()
    address = f"{show.root_address()}room?{urlencode(query | {'type': 'large'})}"
    st.link_button("Wall for the projector", address, help="In large type, with nothing on it to press")


def show_projected(view: RoomView) -> None:
    """All that everybody sees: the way in, the question and the count; then the result, and no control."""
    with st.container(key="riskline-wall"):
        if view.wall is not None:
            show.answer(view.answer, view.small_print)
            show_wall(view, alone=True)
            show.code(view.code, view.address)
        else:
            way_in, asked = st.columns([1, 1.7], gap="large", vertical_alignment="center")
            with way_in:
                show_way_in(view)
            with asked:
                if view.question:
                    show.question(view.question, view.question_help)
                show.answer(view.answer, view.small_print)
        show.caption(view.stored)


def show_way_in(view: RoomView) -> None:
    """Where and by which code people join, and the square that says the same."""
    show.square(view.square, view.square_words)
    show.code(view.code, view.address)


def show_wall(view: RoomView, *, alone: bool = False) -> None:
    """The result, its question above the picture."""
    show.sentence(view.question)
    wall = view.wall
    if wall is None:
        return
    show.picture(wall.picture, alone=alone)
    for words in wall.sentences:
        show.sentence(words)
    for table in wall.tables:
        show.show_table(table, alone=alone)
    for picture in wall.more:
        show.picture(picture, alone=alone)
    for way in wall.ways:
        show.way(to_memo(way, view.code))
