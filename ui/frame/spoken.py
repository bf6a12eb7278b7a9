"""What a page tells who hears it: a place that stays while answers change, and boxes that say they are refused."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_SCRIPT = Path(__file__).with_name("spoken.js").read_text(encoding="utf-8")
_PLACES = '<p role="status" aria-live="polite"></p><p role="alert" aria-live="assertive"></p>'
_STYLE = "p { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }"


def speak() -> None:
    """Put the place on the page from which a screen reader hears of each new answer and each refusal."""
    st.components.v2.component("riskline_spoken", html=_PLACES, css=_STYLE, js=_SCRIPT)(key="riskline-spoken")
