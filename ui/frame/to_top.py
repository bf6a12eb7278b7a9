"""A page that comes to show something else begins at its top again."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_SCRIPT = Path(__file__).with_name("to_top.js").read_text(encoding="utf-8")


def begin_at_top(moment: str) -> None:
    """Have the browser go to the top of the page whenever what it shows is called otherwise than before."""
    made = st.components.v2.component("riskline_to_top", html="<span></span>", js=_SCRIPT)
    made(key="riskline-to-top", data={"moment": moment})
