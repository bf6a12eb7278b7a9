"""A button that copies the address of the page, with every choice in it but the reader's own key."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from ui.link.page_table import PAGES
from ui.words.catalogue import label

_SCRIPT = Path(__file__).with_name("copy_link.js").read_text(encoding="utf-8")
_HTML = (
    f'<button type="button">{label("frame", "copy_link")}</button> <span role="status"></span>'
    f'<input readonly hidden aria-label="{label("frame", "copied_address")}">'
)
_STYLE = """
button { font: inherit; color: inherit; background: none; padding: 0.4rem 0.7rem; cursor: pointer; white-space: nowrap;
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius); }
button:focus-visible, input:focus-visible { outline: 2px solid var(--st-primary-color); }
span { font-size: 0.86rem; }
input { font: inherit; width: 12rem; }
"""


@cache
def _own_keys() -> list[str]:
    """The names in an address that are one reader's key: whoever has it acts as that reader."""
    fields = [field for entry in PAGES for field in entry.fields if field.private and field.in_address]
    return sorted({field.name for field in fields} - {"code"})


def offer_link() -> None:
    """Put the button on the page."""
    made = st.components.v2.component("riskline_copy_link", html=_HTML, css=_STYLE, js=_SCRIPT)
    made(key="riskline-copy-link", width="content", data={"left_out": _own_keys()})
