"""Scripts and styles as they travel to the browser."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st


def component(name: str, *scripts: str, style: str | None = None, html: str | None = None) -> Any:
    """A component of this folder. Streamlit keeps registrations per server, so each run registers anew: it is cheap."""
    return st.components.v2.component(name, html=html, js=lean(*scripts), css=style and lean(style))


@cache
def lean(*names: str) -> str:
    """The scripts or styles of this folder, one after the other, without indentation and comments that end a line.

    They travel on every run.
    """
    whole = "\n".join((Path(__file__).parent / name).read_text(encoding="utf-8") for name in names)
    lines = (line.partition(" // ")[0].strip() for line in whole.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/**")))
