"""The press on another page that begins an activity in a room: in the one this session moderates, or in a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.ask.room import STARTING
from ui.frame import show
from ui.frame.form import STORE, touch
from ui.frame.run import style
from ui.rooms.store import rooms_off
from ui.words.catalogue import say


def offer_room(words: str, new: str, kind: str, settings: Mapping[str, Any], *, key: str) -> None:
    """A button that starts this activity in a room, with these of its settings; nothing where rooms are off.

    `new` are its words where this session moderates no room, so that one will be opened for it.
    """
    if rooms_off():
        return
    moderates = bool(st.session_state.get(STORE, {}).get("room", {}).get("key"))
    st.button(
        words if moderates else new,
        key=key,
        help=None if moderates else say("room", style().voice, "opens_new"),
        on_click=_ask_for,
        args=(kind, settings),
    )
    if STARTING in st.session_state:
        show.go_to("room")


def _ask_for(kind: str, settings: Mapping[str, Any]) -> None:
    st.session_state[STARTING] = (kind, dict(settings))
    touch()
