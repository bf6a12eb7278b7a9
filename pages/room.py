"""Open a room."""

import streamlit as st

from ui.ask import room
from ui.ask.waiting import WALL, watch
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.rooms.meeting import Phase
from ui.views.room import FIELDS, RoomInputs, room_view
from ui.views.room.lines import beginning_with_case
from ui.words.catalogue import label

require_frame()
form = Form("room", beginning_with_case(FIELDS, held_case()))
show.refusals(form.refusals)
held, reason = room.held_room(form)
top = st.container()
if held is None:
    room.ask_to_open(form, reason)
elif not held.projected:
    room.take_script(form, held)
    activity = held.room.activity
    shown = activity is not None and activity.phase is Phase.SHOWN and not held.room.withheld
    with st.container(key="riskline-room"):  # a result has the whole width, below what is pressed next
        # on a small screen the presses come before the square
        wall, way_in = (st.container(), None) if shown else st.columns([2.6, 1], gap="large")
    with wall:  # another activity folds the next one away
        if not shown:
            question = st.container()
        room.ask_phase(form, held.room)
        number = activity.number if activity else 0
        with st.expander(label("room", "next"), expanded=not activity and not held.script, key=f"room.next{number}"):
            room.ask_next(form, held.room)
        if shown:
            question = st.container()
        room.ask_after(form, held.room)
        room.ask_rest(form, held.room)
seen = held
if held is not None and (found := room.choose_shown(held.room, form.values["key"] or form.values["wall"])):
    seen = held.with_result(found)
view = show.view_of(room_view, RoomInputs.of(form.close()), style(), seen, reason)
with top:
    room.tell(reason)
    if held is not None and held.projected:
        room.show_projected(view)
    else:
        show.answer(view.answer, view.small_print if view.wall else "")
        if view.small_print and not view.wall:
            show.sentence(view.small_print)
    if held is None:
        if not form.values["code"]:
            room.tell_reach()
        show.caption(view.stored)
if held is None and reason == "unavailable":
    watch(form.values["code"], None, every=WALL, whole=True)
elif held is not None:
    if not held.projected:
        if way_in:
            with way_in:
                room.show_way_in(view)
        with question:
            if way_in and view.question:
                show.question(view.question, view.question_help)
            if view.wall is not None:
                room.show_result(form, view)
        show.caption(view.stored)
    show.begin_at_top(view.moment)
    versions, renewed = held.room.versions, lambda: room.has_next_key(form)
    watch(held.room.code, versions, every=WALL, whole=view.wall is None, also=renewed)
