"""A vote on a participant's device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui.frame.form import Form
from ui.views.join import Phone
from ui.views.room import Activity, text_of, values_of
from ui.words.markdown import escape_markdown


def ask(form: Form, activity: Activity, settings: Mapping[str, Any], phone: Phone, send: Callable[[str], None]) -> None:
    """A button for each option; a press is the vote."""
    given = "" if phone.sent is None else values_of(activity.answers, phone.sent)["vote_choice"]
    for place, option in enumerate(settings["vote_options"]):
        st.button(
            escape_markdown(option),
            key=f"join.vote{place}",
            type="primary" if option == given else "secondary",
            on_click=_vote,
            args=(form, activity, option, send),
            width="stretch",
        )


def _vote(form: Form, activity: Activity, option: str, send: Callable[[str], None]) -> None:
    form.values["vote_choice"] = option
    send(text_of(activity.answers, {"vote_choice": option}))
