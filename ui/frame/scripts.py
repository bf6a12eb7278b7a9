"""Scripts of ours: a button that copies the address of the page, and a page begun at its top."""

from __future__ import annotations

import html
from functools import cache

import streamlit as st

from ui.components.lean import component
from ui.link.page_table import PAGES
from ui.words.catalogue import label

_BUTTON = (
    f'<button type="button">{label("frame", "copy_link")}</button> <span role="status"></span>'
    f'<input readonly hidden aria-label="{label("frame", "copied_address")}">'
)


@cache
def _own_keys() -> list[str]:
    """The names in an address that are one reader's key: whoever has it acts as that reader."""
    fields = [field for entry in PAGES for field in entry.fields if field.private and field.in_address]
    return sorted({field.name for field in fields} - {"code"})


def offer_link() -> None:
    """Put a button on the page that copies its address, with every choice in it but the reader's own key."""
    button = component("riskline_copy_link", "copy_link.js", style="copy_link.css", html=_BUTTON)
    button(key="riskline-copy-link", width="content", data={"left_out": _own_keys()})


def begin_at_top(moment: str) -> None:
    """Have the browser go to the top of the page whenever what it shows is called otherwise than before."""
    st.html(f'<span data-riskline-moment="{html.escape(moment)}" hidden></span>')
