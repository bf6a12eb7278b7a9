"""Who somebody is in a room: joining, another group or nickname, and leaving with everything they answered."""

from __future__ import annotations

import streamlit as st

from ui.frame import show
from ui.frame.form import Form, put
from ui.frame.run import style
from ui.rooms.meeting import Phase
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import store
from ui.views.join import FIELDS, NICKNAME, Phone
from ui.words.catalogue import say
from ui.words.refusals import refusal_words

PENDING = "_join_pending"  # an answer that no database has confirmed yet: room, activity, text
TROUBLE = "_join_trouble"
KEPT = "_join_kept"  # a press on Keep that the database has confirmed
INSIDE = "_join_inside"  # room and key of the participant whom the database last had here
REMOVED = "_join_removed"  # the room that had this participant, and has them no longer
FRESH = "_join_key"  # made in this session for somebody who has not joined yet
PILLS, NAME, SURE = "join.pills", "join.nickname", "join.sure"


def ask_to_join(form: Form, phone: Phone) -> None:
    """Group and nickname, both optional, and the press that joins; nothing while nobody may join."""
    if phone.room.door_closed:
        return
    if phone.room.groups:
        st.pills("Your group", phone.room.groups, key=PILLS)
    st.button("Join", key="join.join", type="primary", on_click=_join, args=(form,))
    with st.expander("A nickname", key="join.nickname_fold"):
        _ask_nickname()


def ask_who(form: Form, phone: Phone) -> None:
    """Another group or nickname of somebody who has joined, as long as they may change; and the way out for good."""
    who, running = phone.participant, phone.room.activity
    if who is None:
        return
    changing = running is None or running.phase is Phase.OPEN  # what is about to be shown, or is, keeps its names
    named = "Your group, your nickname" if phone.room.groups else "Your nickname"
    with st.expander(f"{named}, leaving the room" if changing else "Leaving the room", key="join.who"):
        if changing:
            if phone.room.groups:
                st.session_state.setdefault(PILLS, who.group if who.group in phone.room.groups else None)
                st.pills("Your group", phone.room.groups, key=PILLS)
            st.session_state.setdefault(NAME, who.nickname)
            _ask_nickname()
            st.button("Keep", key="join.keep", on_click=_join, args=(form,), kwargs={"again": True})
            if st.session_state.pop(KEPT, False):
                show.told(say("join", style().voice, "kept"))
        sure = st.checkbox(say("join", style().voice, "sure"), key=SURE)
        show.caption(say("join", style().voice, "leaving"))
        st.button("Delete me and my answers", key="join.delete", disabled=not sure, on_click=_leave, args=(form,))


def _ask_nickname() -> None:
    """The box for a nickname; what cannot be one stays in it with a sentence under it."""
    typed = st.text_input(NICKNAME.label, key=NAME, help=NICKNAME.help)
    try:
        NICKNAME.decode(typed or "")
    except ValueError as error:
        show.refused_below(refusal_words(error), box=NAME)


def _join(form: Form, *, again: bool = False) -> None:
    """Have the database know this participant, by a group and a nickname that stay out of the address."""
    try:
        nickname = NICKNAME.decode(st.session_state.get(NAME, ""))
        store().join(form.values["code"], form.values["me"], nickname, st.session_state.get(PILLS) or "")
    except ValueError:
        return  # the box says why
    except RoomRefused as refused:
        st.session_state[TROUBLE] = refused.code.value
    else:
        st.session_state[KEPT] = again


def _leave(form: Form) -> None:
    """Have the database delete this participant, and keep nothing here either; a room that is gone has deleted them."""
    try:
        store().leave(form.values["code"], form.values["me"])
    except RoomRefused as refused:
        if refused.code is not RoomCode.UNKNOWN:
            st.session_state[TROUBLE] = "not_left"
            return
    forget()
    st.session_state[TROUBLE] = "left"


def forget() -> None:
    """Nothing of it stays in this session or its address: the next one to use this device may be somebody else."""
    for held in (PENDING, INSIDE, REMOVED, FRESH, PILLS, NAME, SURE):
        st.session_state.pop(held, None)
    put("join", **{field.name: field.default for field in FIELDS})
