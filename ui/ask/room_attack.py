"""From the wall of a game to the class table of *Be the attacker*: nicknames and scores go by the session, no link."""

from __future__ import annotations

import streamlit as st

from riskline.case.fields import read_query
from ui.ask.play import HANDED, NAMES
from ui.frame import show
from ui.frame.form import put
from ui.frame.run import style
from ui.views.play import FIELDS
from ui.views.room import ACTIVITIES, Held, answered, values_of
from ui.views.room.attack import TEXT, class_lines, played_in
from ui.words.catalogue import say


def offer_class_table(held: Held) -> None:
    """A press that opens the same game with the room's scores in its class table; nothing where nobody has a name."""
    running = held.room.activity
    if running is None or running.kind != "attack":
        return
    activity = ACTIVITIES["attack"]
    settings = values_of(activity.settings, running.settings)
    lines = class_lines(settings, answered(activity, settings, held.answers))
    if not lines:
        return

    def hand_over() -> None:
        st.session_state[NAMES] = lines
        st.session_state[HANDED] = True
        put("play", **read_query(FIELDS, dict(played_in(settings))).values)

    if st.button(say(TEXT, style().voice, "class_table"), key="room.class_table", on_click=hand_over):
        show.go_to("play")
