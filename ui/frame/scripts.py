"""Scripts of ours: a button that copies the address of the page, a place that is heard, a page begun at its top."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from ui.link.page_table import PAGES
from ui.words.catalogue import label


def _script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


_COPY = _script("copy_link.js")
_BUTTON = (
    f'<button type="button">{label("frame", "copy_link")}</button> <span role="status"></span>'
    f'<input readonly hidden aria-label="{label("frame", "copied_address")}">'
)
_BUTTON_STYLE = _script("copy_link.css")
_SPEAK = _script("spoken.js")
_PLACES = '<p role="status" aria-live="polite"></p><p role="alert" aria-live="assertive"></p>'
_UNSEEN = "p { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }"
_TO_TOP = _script("to_top.js")


@cache
def _own_keys() -> list[str]:
    """The names in an address that are one reader's key: whoever has it acts as that reader."""
    fields = [field for entry in PAGES for field in entry.fields if field.private and field.in_address]
    return sorted({field.name for field in fields} - {"code"})


def offer_link() -> None:
    """Put a button on the page that copies its address, with every choice in it but the reader's own key."""
    made = st.components.v2.component("riskline_copy_link", html=_BUTTON, css=_BUTTON_STYLE, js=_COPY)
    made(key="riskline-copy-link", width="content", data={"left_out": _own_keys()})


def speak() -> None:
    """Put the place on the page from which a screen reader hears of each new answer and each refusal."""
    st.components.v2.component("riskline_spoken", html=_PLACES, css=_UNSEEN, js=_SPEAK)(key="riskline-spoken")


def begin_at_top(moment: str) -> None:
    """Have the browser go to the top of the page whenever what it shows is called otherwise than before."""
    made = st.components.v2.component("riskline_to_top", html="<span></span>", js=_TO_TOP)
    made(key="riskline-to-top", data={"moment": moment})
