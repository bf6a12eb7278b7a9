"""Which noise or method protects a table, its settings, and the method that the case keeps."""

from __future__ import annotations

import streamlit as st

from riskline.case.methods import SETTINGS, MethodChoice
from ui.frame.case import choose_in_case, held_case, hold_case, touch
from ui.frame.form import Form
from ui.words.catalogue import label, option_words


def ask_protection(form: Form) -> str:
    """The kinds of noise of the page and the methods beside them; the settings of a method that is chosen."""
    noise = form.choice("noise", option_words(form.stem, "noise") | option_words("methods", "method"), style="select")
    form.ask(*(name for name in SETTINGS.get(noise, ()) if name in form.fields))
    return noise


def keep_method(method: MethodChoice | None) -> None:
    """Buttons that make the method shown the case's, or take the case's away; None where it cannot be kept."""
    held = held_case()["method_today"]

    def keep() -> None:
        choose_in_case(method_today=method)
        touch()

    def forget() -> None:
        hold_case(held_case().without("method_today"))
        touch()

    if method not in (None, held):
        st.button(label("methods", "keep"), key="methods.keep", on_click=keep)
    if held is not None:
        st.button(label("methods", "forget"), key="methods.forget", on_click=forget, type="tertiary")
