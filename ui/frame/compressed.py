"""Scripts and styles of the app sent compressed, each compressed once: a reader far away waits half as long."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

CODE = re.compile(r"/static/(js|css)/[^/]+\.(js|css)$")
"""Files whose name changes with their content, so that what was compressed stays right."""

SMALLEST = 1024
MOST_BYTES = 16 * 2**20
"""All of Streamlit's scripts together are half of this."""

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Packed:
    """A file as it is sent: its headers and its compressed bytes."""

    headers: Headers
    body: bytes


class CompressedCode:
    """Answers a browser that takes gzip with scripts and styles that were compressed once; all else passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.packed: dict[str, Packed] = {}
        self.bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file from here where it is, and keep it where it was asked for the first time."""
        if not _wants(scope):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if path not in self.packed:
            start, body = await self._whole(scope)
            if not _is_complete(start, body):
                await self.app(scope, receive, send)
                return
            packed = await asyncio.to_thread(_packed, start["headers"], body) if _is_worth_it(start, body) else None
            if packed is None or self.bytes + len(packed.body) > MOST_BYTES:
                await send(start)
                await send({"type": "http.response.body", "body": body})
                return
            self.packed[path] = packed
            self.bytes += len(packed.body)
        found = self.packed[path]
        await send({"type": "http.response.start", "status": 200, "headers": found.headers})
        await send({"type": "http.response.body", "body": found.body})

    async def _whole(self, scope: Scope) -> tuple[Message, bytes]:
        """The answer to a request for all of a file: how it begins, and its bytes.

        It is asked for on nobody's behalf: were it the reader's own request, one who leaves while it is read would end
        it, and everybody after them would be sent the part that was read.
        """
        asked = [(name, value) for name, value in scope["headers"] if name not in (b"range", b"if-none-match")]
        start: Message = {"type": "http.response.start", "status": 500, "headers": []}
        pieces: list[bytes] = []

        async def take(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                pieces.append(message.get("body", b""))

        await self.app({**scope, "headers": asked, "extensions": {}}, _from_nobody(), take)
        return start, b"".join(pieces)


def _wants(scope: Scope) -> bool:
    """Whether this is a request for a script or a style by a browser that takes gzip."""
    if scope["type"] != "http" or scope["method"] != "GET" or not CODE.search(scope["path"]):
        return False
    headers = dict(scope["headers"])
    return b"range" not in headers and b"gzip" in headers.get(b"accept-encoding", b"")


def _from_nobody() -> Receive:
    """A request without a body by somebody who never leaves."""
    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            await asyncio.Event().wait()
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return receive


def _is_complete(start: Message, body: bytes) -> bool:
    """Whether every byte is there that the headers tell of."""
    told = {name.lower(): value for name, value in start["headers"]}.get(b"content-length", b"")
    return told.isdigit() and int(told) == len(body)


def _is_worth_it(start: Message, body: bytes) -> bool:
    named = {name.lower() for name, _ in start["headers"]}
    return start["status"] == 200 and len(body) >= SMALLEST and b"content-encoding" not in named


def _packed(headers: Iterable[tuple[bytes, bytes]], body: bytes) -> Packed:
    """The file compressed, with the headers that this changes."""
    smaller = gzip.compress(body, 9, mtime=0)
    changed = (b"content-length", b"etag", b"accept-ranges", b"vary")
    kept = [(name, value) for name, value in headers if name.lower() not in changed]
    told = [(b"content-encoding", b"gzip"), (b"vary", b"Accept-Encoding"), (b"content-length", b"%d" % len(smaller))]
    return Packed(kept + told, smaller)
