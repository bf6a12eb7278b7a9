"""The press on another page that begins an activity in a room: in the one this session moderates, or in a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.ask.room import STARTING
from ui.frame.form import touch
from ui.rooms.store import rooms_off


def offer_room(words: str, kind: str, settings: Mapping[str, Any], *, key: str) -> None:
    """A button that starts this activity in a room, with these of its settings; nothing where rooms are off."""
    if rooms_off():
        return
    st.button(words, key=key, on_click=_ask_for, args=(kind, settings))
    if STARTING in st.session_state:
        st.switch_page("pages/room.py")


def _ask_for(kind: str, settings: Mapping[str, Any]) -> None:
    st.session_state[STARTING] = (kind, dict(settings))
    touch()
