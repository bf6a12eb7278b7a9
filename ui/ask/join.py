"""A participant's device: finding the room, joining it, answering, and sending until the database has the answer."""

from __future__ import annotations

import streamlit as st

from ui.ask.join_activities import AFTERWARDS, ASKS
from ui.ask.waiting import tried
from ui.frame import show
from ui.frame.form import Form, put
from ui.frame.run import look
from ui.rooms.codes import new_key
from ui.rooms.meeting import Phase
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import store
from ui.views.join import FIELDS, NICKNAME, Phone
from ui.views.room import ACTIVITIES, values_of
from ui.words.passages import say
from ui.words.refusals import refusal_sentence, refusal_words

PENDING = "_join_pending"  # an answer that no database has confirmed yet: room, activity, text
NOT_TAKEN = "_join_not_taken"
TROUBLE = "_join_trouble"
FRESH = "_join_key"  # made in this session for somebody who has not joined yet
PILLS, NAME = "join.pills", "join.nickname"


def found_room(form: Form) -> tuple[Phone | None, str]:
    """The room of this address and who this is in it; else why there is none, if one was asked for."""
    code = form.values["code"]
    if not code:
        return None, ""
    try:
        tried(code)
        rooms = store()
        key = form.values["me"]
        participant = rooms.participant(code, key) if key else None
        if participant is None and key != st.session_state.get(FRESH):
            # made before anybody presses Join, so that a press that is sent twice is one person; and made here, so that
            # nobody joins by a key that came with somebody else's link
            key = form.values["me"] = st.session_state[FRESH] = new_key()
        send_waiting(form)
        room = rooms.room(code)
        running = room.activity
        sent = rooms.own_answer(code, key, running.number) if participant and running else None
        return Phone(room, participant, sent, rooms.where, st.context.timezone or ""), st.session_state.pop(TROUBLE, "")
    except RoomRefused as refused:
        return None, refused.code.value


def ask_code(form: Form) -> None:
    """The box for the code of another room."""
    before = form.values["code"]
    if form.number("code") != before:
        st.rerun()  # the room is looked for before the box is read
    st.button("Find the room", key="join.find", type="primary")


def _leave() -> None:
    """Nothing of it stays in the address: the next one to use this device may be somebody else."""
    put("join", **{field.name: field.default for field in FIELDS})


def offer_to_leave() -> None:
    """The way out of a room that is gone, or that is another one than was meant."""
    st.button("Another room", key="join.leave", on_click=_leave, type="tertiary")


def ask_to_join(form: Form, phone: Phone) -> None:
    """Group and nickname, both optional, and the press that joins."""
    if phone.room.groups:
        st.pills("Your group", phone.room.groups, key=PILLS)
    st.button("Join", key="join.join", type="primary", on_click=_join, args=(form,))
    with st.expander("A nickname", key="join.nickname_fold"):
        _ask_nickname()


def ask_who(form: Form, phone: Phone) -> None:
    """Another group or nickname of somebody who has joined: groups can come later, and so can the wish for a name."""
    who, running = phone.participant, phone.room.activity
    if who is None or (running is not None and running.phase is not Phase.OPEN):
        return  # what is about to be shown, or is, keeps the names that it has
    with st.expander("Your group and nickname" if phone.room.groups else "Your nickname", key="join.who"):
        if phone.room.groups:
            st.session_state.setdefault(PILLS, who.group if who.group in phone.room.groups else None)
            st.pills("Your group", phone.room.groups, key=PILLS)
        st.session_state.setdefault(NAME, who.nickname)
        _ask_nickname()
        st.button("Keep", key="join.keep", on_click=_join, args=(form,))


def _ask_nickname() -> None:
    """The box for a nickname; what cannot be one stays in it with a sentence under it."""
    typed = st.text_input(NICKNAME.label, key=NAME, help=NICKNAME.help)
    try:
        NICKNAME.decode(typed or "")
    except ValueError as error:
        show.refused_below(refusal_words(error), box=NAME)


def _join(form: Form) -> None:
    """Have the database know this participant, by a group and a nickname that stay out of the address."""
    try:
        nickname = NICKNAME.decode(st.session_state.get(NAME, ""))
        store().join(form.values["code"], form.values["me"], nickname, st.session_state.get(PILLS) or "")
    except ValueError:
        return  # the box says why
    except RoomRefused as refused:
        st.session_state[TROUBLE] = refused.code.value


def ask_answer(form: Form, phone: Phone) -> None:
    """The activity that runs: its question, while it wants an answer of this participant, or what is left of it."""
    running, drawn = phone.room.activity, AFTERWARDS if phone.asked is None else ASKS
    if running is None or running.kind not in drawn:
        return
    activity = ACTIVITIES[running.kind]
    settings = values_of(activity.settings, running.settings)

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
        show.refused(say("join", look().voice, "not_taken", reason=reason))


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
