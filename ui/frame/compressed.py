"""Scripts and styles of the app sent compressed, each compressed once: a reader far away waits half as long."""

from __future__ import annotations

import asyncio
import gzip
from functools import cache
from mimetypes import guess_type
from pathlib import Path

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.file_util import get_static_dir

from ui.frame.entry import ASSETS, KEPT, SCRIPT_PATH

SMALLEST = 1024
STATIC = Path(get_static_dir())
FILES = {
    path.relative_to(STATIC).as_posix(): path
    for kind in ("js", "css")
    for path in STATIC.glob(f"static/{kind}/*.{kind}")
    if path.stat().st_size >= SMALLEST
} | {SCRIPT_PATH: ASSETS / "entry.js"}
"""Streamlit's code and ours by the end of its address, which changes with its content."""


class CompressedCode:
    """Answers a browser that takes gzip with scripts and styles that were compressed once; all else passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file compressed where it is code of ours or Streamlit's."""
        file = _asked(scope)
        if file is None:
            await self.app(scope, receive, send)
            return
        body = await asyncio.to_thread(compressed, file)
        headers = KEPT | {"content-encoding": "gzip", "vary": "Accept-Encoding"}
        await Response(body, headers=headers, media_type=guess_type(file.name)[0])(scope, receive, send)


def _asked(scope: Scope) -> Path | None:
    """The file that a browser asks for as a whole and takes compressed."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    headers = dict(scope["headers"])
    takes_gzip = b"range" not in headers and b"gzip" in headers.get(b"accept-encoding", b"")
    return FILES.get("/".join(scope["path"].split("/")[-3:])) if takes_gzip else None


@cache
def compressed(file: Path) -> bytes:
    """The bytes of a file, compressed."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)
