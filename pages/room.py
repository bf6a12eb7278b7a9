"""Open a room."""

import streamlit as st

from ui.ask.room import (
    ask_groups,
    ask_next,
    ask_phase,
    ask_to_open,
    held_room,
    inputs,
    offer_everything,
    offer_to_leave,
    start_if_asked,
    tell,
)
from ui.ask.room_attack import offer_class_table
from ui.ask.waiting import WALL, watch
from ui.frame.form import Form
from ui.frame.run import look, require_frame, show
from ui.views.room import FIELDS, RoomView, Wall, room_view


def show_way_in(view: RoomView) -> None:
    """The square, the code and the address, as they are read from the back of a room."""
    show.square(view.square, view.square_words)
    show.code(view.code, view.address)


def show_wall(wall: Wall) -> None:
    show.picture(wall.picture)
    for words in wall.sentences:
        show.sentence(words)
    for table in wall.tables:
        show.show_table(table)
    for picture in wall.more:
        show.picture(picture)
    for way in wall.ways:
        show.way(way)


require_frame()
form = Form("room", FIELDS)
show.refusals(form.refusals)
start_if_asked(form)
held, reason = held_room(form)
top = st.container()
if held is None:
    if form.values["code"]:
        offer_to_leave()
    else:
        ask_to_open(form)
else:
    with st.container(key="riskline-room"):
        way_in, wall = st.columns([1, 2.6], gap="large")
    with st.container(key="riskline-room-steps"):
        ask_phase(form, held.room)
    running = held.room.activity.number if held.room.activity else 0  # another activity folds the next one away
    with st.expander("Next activity", expanded=not running, key=f"room.next{running}"):
        ask_next(form, held.room)
    with st.expander("Groups, download, end", key="room.rest"):
        ask_groups(form, held.room)
        offer_everything(form)
view = show.view_of(room_view, inputs(form), look(), held)
with top:
    tell(reason)
    show.answer(view.answer, view.small_print)
    show.caption(view.stored)
if held is not None:
    with way_in:
        show_way_in(view)
    with wall:
        if view.question:
            show.question(view.question, view.question_help)
        if view.wall is not None:
            show_wall(view.wall)
            offer_class_table(held)
    watch(held.room.code, held.room.standing, every=WALL, whole=view.wall is None)
elif reason == "unavailable":
    watch(form.values["code"], None, every=WALL, whole=True)
