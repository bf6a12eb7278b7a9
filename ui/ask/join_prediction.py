"""A guess on a participant's device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui.frame.form import Form
from ui.views.join import Phone
from ui.views.room import Activity, text_of


def ask(form: Form, activity: Activity, settings: Mapping[str, Any], phone: Phone, send: Callable[[str], None]) -> None:
    """A box for the number and the press that sends it."""
    form.number("number", pictured=False)
    st.button("Send", key="join.send", type="primary", on_click=_send, args=(form, activity, send))


def _send(form: Form, activity: Activity, send: Callable[[str], None]) -> None:
    try:
        number = form.made("number")
    except ValueError:
        return  # the box says why
    send(text_of(activity.answers, {"number": number}))
