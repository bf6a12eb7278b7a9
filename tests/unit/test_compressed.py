"""Scripts and styles sent compressed: the same file, compressed once, and everything else untouched."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ui.frame import compressed
from ui.frame.compressed import CompressedCode

CODE = b"const risk = 1;\n" * 400


class Files:
    """An app that sends a file in two pieces and counts how often it was asked."""

    def __init__(self, body: bytes = CODE, status: int = 200) -> None:
        self.body, self.status, self.asked = body, status, 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        headers = [(b"content-type", b"text/javascript"), (b"content-length", b"%d" % len(self.body)), (b"etag", b"x")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body[:100], "more_body": True})
        await send({"type": "http.response.body", "body": self.body[100:]})


def get(
    app: Any, path: str = "/static/js/index.abc.js", *, receive: Any = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    with ThreadPoolExecutor(1) as thread:  # a browser's loop may run in this one
        thread.submit(asyncio.run, app(scope, receive, send)).result()
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:])


def test_code_is_compressed_once_and_is_the_same_code() -> None:
    files = Files()
    app = CompressedCode(files)
    for _ in range(3):
        status, headers, body = get(app, accept_encoding="gzip, br")
        assert (status, headers["content-encoding"], headers["content-type"]) == (200, "gzip", "text/javascript")
        assert (headers["content-length"], headers["vary"]) == (str(len(body)), "Accept-Encoding")
        assert "etag" not in headers
        assert gzip.decompress(body) == CODE
        assert len(body) < len(CODE) / 10
    assert files.asked == 1


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/static/js/index.abc.js", {}),
        ("/static/js/index.abc.js", {"accept_encoding": "identity"}),
        ("/static/js/index.abc.js", {"accept_encoding": "gzip", "range": "bytes=0-9"}),
        ("/static/media/font.woff2", {"accept_encoding": "gzip"}),
        ("/_stcore/health", {"accept_encoding": "gzip"}),
        ("/choose", {"accept_encoding": "gzip"}),
    ],
)
def test_everything_else_passes_through(path: str, headers: dict[str, str]) -> None:
    status, found, body = get(CompressedCode(Files()), path, **headers)
    assert (status, body) == (200, CODE)
    assert "content-encoding" not in found


@pytest.mark.parametrize("files", [Files(b"tiny"), Files(CODE, 404)], ids=["tiny", "not there"])
def test_what_is_not_worth_it_or_not_there_is_sent_as_it_is(files: Files) -> None:
    app = CompressedCode(files)
    for _ in range(2):
        status, found, body = get(app, accept_encoding="gzip")
        assert (status, body) == (files.status, files.body)
        assert "content-encoding" not in found
    assert files.asked == 2


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed, "MOST_BYTES", 150)
    app = CompressedCode(Files())
    for number in range(9):
        _, _, body = get(app, f"/static/js/n{number}.js", accept_encoding="gzip")
        assert body in (CODE, gzip.compress(CODE, 9, mtime=0))
    assert 0 < app.bytes <= 150


class LeavingEnds(Files):
    """An app that stops in the middle of the file when its reader has gone, as servers of files may."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        headers = [(b"content-type", b"text/javascript"), (b"content-length", b"%d" % len(self.body))]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body[:2048], "more_body": True})
        await receive()
        with contextlib.suppress(TimeoutError):
            gone = await asyncio.wait_for(receive(), 0.05)
            assert gone["type"] == "http.disconnect"
            return
        await send({"type": "http.response.body", "body": self.body[2048:]})


async def gone_at_once() -> Any:
    return {"type": "http.disconnect"}


def test_a_reader_who_leaves_while_a_file_is_read_spoils_it_for_nobody() -> None:
    files = LeavingEnds()
    app = CompressedCode(files)
    get(app, receive=gone_at_once, accept_encoding="gzip")
    _, headers, body = get(app, accept_encoding="gzip")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == CODE
    assert files.asked == 1


class Shortened(Files):
    """An app that tells of more bytes than it sends."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        headers = [(b"content-type", b"text/javascript"), (b"content-length", b"%d" % len(self.body))]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body[:2048]})


def test_a_file_that_is_not_whole_is_not_kept() -> None:
    files = Shortened()
    app = CompressedCode(files)
    get(app, accept_encoding="gzip")
    assert app.packed == {}
    asked = files.asked
    get(app, accept_encoding="gzip")
    assert files.asked > asked
