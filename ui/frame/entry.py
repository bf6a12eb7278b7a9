"""The page that starts the app in a browser, with what a browser far away would find out later, and the app's code.

Streamlit's page stays as it is in its package; what is sent is that page with lines in its head. Scripts and styles
are sent compressed, each compressed once: a reader far away waits half as long.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
from functools import cache, lru_cache
from mimetypes import guess_type
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.file_util import get_static_dir

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SCRIPT = (ASSETS / "entry.js").read_bytes()
ICON = (ASSETS / "favicon.png").read_bytes()
SCRIPT_PATH = f"static/js/riskline.{hashlib.sha256(SCRIPT).hexdigest()[:8]}.js"
KEPT = {"cache-control": "public, immutable, max-age=31536000"}
STATIC = Path(get_static_dir())
SMALLEST = 1024  # bytes of a file that is worth compressing
FILES = {
    path.relative_to(STATIC).as_posix(): path
    for kind in ("js", "css")
    for path in STATIC.glob(f"static/{kind}/*.{kind}")
    if path.stat().st_size >= SMALLEST
} | {SCRIPT_PATH: ASSETS / "entry.js"}
"""Streamlit's code and ours by the end of its address, which changes with its content."""
FIRST_DRAWN = ("Html", "purify.es")
"""Streamlit's code for what stands first on every page, by the names of its files: the browser learns of it only when
the server has sent the page, and then waits twice more."""

_FONT = re.compile(rb'\s*<link\s+rel="preload"[^>]*\bas="font"[^>]*/>')
_FIRST_SCRIPT = re.compile(rb'<script type="module"')


@lru_cache(maxsize=1)
def needed_early() -> tuple[str, ...]:
    """The files of `FIRST_DRAWN` as they are called in the installed Streamlit, each once."""
    found = [sorted(STATIC.glob(f"static/js/{stem}.????????.js")) for stem in FIRST_DRAWN]
    return tuple(f"static/js/{files[0].name}" for files in found if len(files) == 1)


def with_our_lines(page: bytes) -> bytes:
    """Streamlit's page with our script before its own, and links to the code that is needed early after all others.

    The font, a sixth of all bytes, is asked for behind the code. A page without Streamlit's script stays as it is.
    """
    begins = _FIRST_SCRIPT.search(page)
    ends = page.find(b"</head>")
    if begins is None or ends < begins.start():
        return page
    script = f'<script defer src="./{SCRIPT_PATH}"></script>\n    '.encode()
    early = "".join(f'  <link rel="modulepreload" crossorigin href="./{path}">\n  ' for path in needed_early()).encode()
    fonts = b"".join(_FONT.findall(page))
    head = page[: begins.start()] + script + page[begins.start() : ends] + early
    return _FONT.sub(b"", head) + fonts + b"\n  " + page[ends:]


class EntryPage:
    """Sends the page that starts the app with our lines in it, their script and our icon; all else passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for script and icon; look at what is sent as a page."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
        elif scope["path"].endswith("/" + SCRIPT_PATH):
            await Response(SCRIPT, media_type="text/javascript", headers=KEPT)(scope, receive, send)
        elif scope["path"].endswith("/favicon.png"):  # as Streamlit's page calls its own
            await Response(ICON, media_type="image/png")(scope, receive, send)
        elif "text/html" in Headers(scope=scope).get("accept", ""):
            plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            packs = "gzip" in Headers(scope=scope).get("accept-encoding", "")
            await self.app({**scope, "headers": plain, "extensions": {}}, receive, _adding_our_lines(send, packs))
        else:
            await self.app(scope, receive, send)


def _adding_our_lines(send: Send, packs: bool) -> Send:
    """Sends on what comes; a whole page is held until it has ended, and sent with our lines, compressed or not."""
    begun: list[Message] = []
    pieces: list[bytes] = []

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            begun.append(message)
        elif not begun:
            await send(message)
        else:
            pieces.append(message.get("body", b""))
            if not message.get("more_body", False):
                body = _as_sent(b"".join(pieces), packs)
                await send({**begun[0], "headers": _headers(begun[0], len(body), packs)})
                await send({"type": "http.response.body", "body": body})

    return sending


@lru_cache(maxsize=4)
def _as_sent(page: bytes, packs: bool) -> bytes:
    return gzip.compress(with_our_lines(page), 9, mtime=0) if packs else with_our_lines(page)


def _is_page(start: Message) -> bool:
    headers = dict(start.get("headers", ()))
    page = headers.get(b"content-type", b"").startswith(b"text/html") and b"content-disposition" not in headers
    return start["status"] == 200 and page and b"content-encoding" not in headers


def _headers(start: Message, length: int, packed: bool) -> list[tuple[bytes, bytes]]:
    """The headers without those that belong to the page as it was."""
    old = (b"content-length", b"etag", b"last-modified", b"accept-ranges", b"vary")
    kept = [(name, value) for name, value in start["headers"] if name.lower() not in old]
    told = [(b"content-encoding", b"gzip")] if packed else []
    return [*kept, *told, (b"vary", b"Accept-Encoding"), (b"content-length", b"%d" % length)]


class CompressedCode:
    """Answers a browser that takes gzip with scripts and styles that were compressed once; all else passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file compressed where it is code of ours or Streamlit's, asked for as a whole."""
        asked = Headers(scope=scope) if scope["type"] == "http" and scope["method"] == "GET" else {}
        takes_gzip = "range" not in asked and "gzip" in asked.get("accept-encoding", "")
        file = FILES.get("/".join(scope["path"].split("/")[-3:])) if takes_gzip else None
        if file is None:
            await self.app(scope, receive, send)
            return
        body = await asyncio.to_thread(compressed, file)
        headers = KEPT | {"content-encoding": "gzip", "vary": "Accept-Encoding"}
        await Response(body, headers=headers, media_type=guess_type(file.name)[0])(scope, receive, send)


@cache
def compressed(file: Path) -> bytes:
    """The bytes of a file, compressed."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)
