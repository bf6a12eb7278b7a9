"""Reference and tutorials of dpcore beside the pages, where they were built: `make docs` writes build/docs."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ui.words.catalogue import label

FOLDER = "RISKLINE_REFERENCE"
"""Where the built pages lie, if not in build/docs beside app.py."""

ROOT = Path(__file__).resolve().parents[2]
NAME = "reference"


def built() -> Path | None:
    """The folder of the built pages; None where there are none."""
    folder = Path(os.environ.get(FOLDER) or ROOT / "build" / "docs")
    return folder if (folder / "index.html").is_file() else None


def routes() -> list[BaseRoute]:
    """The routes that serve them, below the app's own address; the first leads from the folder to its first page."""
    folder = built()
    if folder is None:
        return []
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    path = "/" + f"{base}/{NAME}".lstrip("/")
    first = Route(path, lambda request: RedirectResponse(f"{NAME}/index.html"))
    return [first, Mount(path, StaticFiles(directory=folder, html=True))]


def link() -> str:
    """What the foot of a page says of them, nothing where there are none."""
    return f" [{label('frame', 'reference')}]({NAME}/index.html)." if built() else ""
