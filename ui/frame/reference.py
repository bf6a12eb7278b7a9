"""Reference and tutorials of dpcore beside the pages, where they were built: `make docs` writes build/docs."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

FOLDER = "RISKLINE_REFERENCE"
"""Where the built pages lie, if not in build/docs beside app.py."""

ROOT = Path(__file__).resolve().parents[2]
NAME = "reference"


def built() -> Path | None:
    """The folder of the built pages; None where there are none."""
    folder = Path(os.environ.get(FOLDER) or ROOT / "build" / "docs")
    return folder if (folder / "index.html").is_file() else None


def routes() -> list[BaseRoute]:
    """The route that serves them, below the app's own address."""
    folder = built()
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return [Mount("/" + f"{base}/{NAME}".lstrip("/"), StaticFiles(directory=folder, html=True))] if folder else []


def link() -> str:
    """What the foot of a page says of them, nothing where there are none."""
    return f" [Reference and tutorials of dpcore]({NAME}/index.html)." if built() else ""
