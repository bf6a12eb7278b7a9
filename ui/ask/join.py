"""A participant's device: finding the room, joining it, answering, and sending until the database has the answer."""

from __future__ import annotations

import streamlit as st

from ui.ask.join_activities import AFTERWARDS, ASKS
from ui.ask.join_who import FRESH, INSIDE, PENDING, REMOVED, TROUBLE, forget
from ui.ask.waiting import tried
from ui.frame import show
from ui.frame.form import Form
from ui.frame.run import style
from ui.rooms.codes import new_key
from ui.rooms.meeting import Participant
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import store
from ui.views.join import ANSWER_FIELDS, Phone
from ui.views.room import ACTIVITIES, Activity, values_of
from ui.words.catalogue import say
from ui.words.refusals import refusal_sentence

NOT_TAKEN = "_join_not_taken"
QUESTION = "_join_question"  # what the boxes of this session are about: room, participant, activity


def found_room(form: Form) -> tuple[Phone | None, str]:
    """The room of this address and who this is in it; else why there is none, if one was asked for."""
    code = form.values["code"]
    if not code:
        return None, st.session_state.pop(TROUBLE, "")
    try:
        key = form.values["me"]
        tried(code, holds_key=lambda: bool(key) and store().participant(code, key) is not None)
        rooms = store()
        participant = rooms.participant(code, key) if key else None
        removed = _is_removed(code, key, participant)
        if participant is None and key != st.session_state.get(FRESH):
            # made before anybody presses Join, so that a press that is sent twice is one person; and made here, so that
            # nobody joins by a key that came with somebody else's link
            key = form.values["me"] = st.session_state[FRESH] = new_key()
        send_waiting(form)
        room = rooms.room(code)
        running = room.activity
        sent = rooms.own_answer(code, key, running.number) if participant and running else None
        trouble = st.session_state.pop(TROUBLE, "")
        phone = Phone(room, participant, sent, rooms.where, st.context.timezone or "")
        return phone, "removed" if removed else trouble
    except RoomRefused as refused:
        return None, refused.code.value


def _is_removed(code: str, key: str, participant: Participant | None) -> bool:
    """Whether the room had this participant when this session last asked, and has nobody of that key since."""
    state = st.session_state
    if participant is not None:
        state[INSIDE] = (code, key)
        state.pop(REMOVED, None)
    elif state.get(INSIDE) == (code, key):
        del state[INSIDE]
        state[REMOVED] = code
    return bool(state.get(REMOVED) == code)


def is_outside(phone: Phone | None, reason: str) -> bool:
    """Whether nobody of this tab is in a room; false where that cannot be told at the moment."""
    return reason in ("", "left", RoomCode.UNKNOWN) if phone is None else phone.participant is None


def ask_code(form: Form) -> None:
    """The box for the code of another room."""
    before = form.values["code"]
    if form.number("code", pictured=False) != before:
        st.rerun()  # the room is looked for before the box is read
    st.button("Find the room", key="join.find", type="primary")


def offer_to_leave(phone: Phone | None) -> None:
    """The way out of a room that is gone, or that is another one than was meant: it deletes nothing there."""
    st.button("Another room", key="join.leave", on_click=forget, type="tertiary")
    if phone is not None and phone.participant is not None:
        show.caption(say("join", style().voice, "another"))


def ask_answer(form: Form, phone: Phone) -> None:
    """The activity that runs: its question, while it wants an answer of this participant, or what is left of it."""
    running, drawn = phone.room.activity, AFTERWARDS if phone.asked is None else ASKS
    if running is None or running.kind not in drawn:
        return
    activity = ACTIVITIES[running.kind]
    settings = values_of(activity.settings, running.settings)
    _begin_with_sent(form, activity, (phone.room.code, form.values["me"], running.number), phone.sent)

    def send(text: str) -> None:
        """Have the database take an answer; until it has confirmed it, the answer waits in this session."""
        try:
            activity.judged(settings, values_of(activity.answers, text))
        except ValueError as error:
            st.session_state[NOT_TAKEN] = refusal_sentence(error)
            return
        st.session_state[PENDING] = (form.values["code"], running.number, text)
        send_waiting(form)

    drawn[running.kind](form, activity, settings, phone, send)
    if NOT_TAKEN in st.session_state:
        reason = st.session_state.pop(NOT_TAKEN)
        show.refused(say("join", style().voice, "not_taken", reason=reason))


def _begin_with_sent(form: Form, activity: Activity, question: tuple[str, str, int], sent: str | None) -> None:
    """What is asked begins with the answer that the database has, or as it comes: not with that to another question."""
    if st.session_state.get(QUESTION) == question:
        return
    st.session_state[QUESTION] = question
    form.values.update({field.name: field.default for field in ANSWER_FIELDS} | values_of(activity.answers, sent or ""))
    for field in ANSWER_FIELDS:
        st.session_state.pop(f"join.{field.name}", None)


def send_waiting(form: Form) -> bool:
    """Give the waiting answer to the store, if there is one; true when it is no longer waiting."""
    if PENDING not in st.session_state:
        return False
    code, number, text = st.session_state[PENDING]
    if code == form.values["code"]:
        try:
            store().answer(code, form.values["me"], number, text)
        except RoomRefused as refused:
            if refused.code is RoomCode.UNAVAILABLE:
                return False
            st.session_state[TROUBLE] = refused.code.value
    del st.session_state[PENDING]
    return True


def waits(form: Form) -> bool:
    """Whether an answer is kept here that the room does not have yet."""
    return PENDING in st.session_state and st.session_state[PENDING][0] == form.values["code"]
