"""Who is in a room, for its moderator: the door, nicknames that go, people who go, and a new address for moderating."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.frame import show
from ui.frame.form import Form, put
from ui.frame.run import style
from ui.rooms.meeting import Participant, Room
from ui.rooms.refusals import RoomRefused
from ui.rooms.store import store
from ui.words.catalogue import say

CHOSEN = "room.person"
Moderate = Callable[[Form, Callable[[str, str], object]], None]


def ask_people(form: Form, room: Room, moderate: Moderate) -> None:
    """Folded: whether more people may join, and what can be taken from somebody who has; never what they answered."""
    with st.expander("People and addresses", key="room.people"):
        show.caption(say("room", style().voice, "door"))
        words = "Let people join again" if room.door_closed else "No more people join"

        def turn(code: str, key: str) -> None:
            store().set_door(code, key, closed=not room.door_closed)

        st.button(words, key="room.door", on_click=moderate, args=(form, turn))
        _ask_person(form, moderate)
        show.caption(say("room", style().voice, "new_address"))

        def renew(code: str, key: str) -> None:
            put("room", key=store().renew_key(code, key))

        st.button("New address for moderating", key="room.renew", on_click=moderate, args=(form, renew))


def _ask_person(form: Form, moderate: Moderate) -> None:
    """One of those in the room, by number, nickname and group, and the two presses; nothing where nobody is."""
    try:
        people = {one.number: one for one in store().people(form.values["code"], form.values["key"])}
    except RoomRefused:
        return
    if not people:
        return
    if st.session_state.get(CHOSEN) not in people:
        st.session_state[CHOSEN] = next(iter(people))
    number = st.selectbox("Who", list(people), format_func=lambda chosen: named(people[chosen]), key=CHOSEN)
    show.caption(say("room", style().voice, "removing"))

    def take_nickname(code: str, key: str) -> None:
        store().take_nickname(code, key, number)

    def remove(code: str, key: str) -> None:
        store().remove(code, key, number)

    with st.container(horizontal=True, gap="small"):
        st.button(
            "Take the nickname away",
            key="room.take_nickname",
            disabled=not people[number].nickname,
            on_click=moderate,
            args=(form, take_nickname),
        )
        st.button("Remove with all answers", key="room.remove", on_click=moderate, args=(form, remove))


def named(person: Participant) -> str:
    """Somebody in a room as the moderator tells them apart.

    Examples
    --------
    >>> named(Participant(3, "Ada", "agency")), named(Participant(4, "", ""))
    ('3: Ada (agency)', '4: without a nickname')
    """
    group = f" ({person.group})" if person.group else ""
    return f"{person.number}: {person.nickname or 'without a nickname'}{group}"
