"""The page that starts the app: our script before Streamlit's, code that is needed early named, all else as it came."""

from __future__ import annotations

import asyncio
import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from streamlit.file_util import get_static_dir

from ui.frame.entry import ASSETS, FIRST_DRAWN, SCRIPT, SCRIPT_PATH, EntryPage, with_our_lines

STATIC = Path(get_static_dir())
STREAMLITS = (STATIC / "index.html").read_bytes()


def get(
    body: bytes, path: str = "/choose", kind: bytes = b"text/html; charset=utf-8", **asked: str
) -> tuple[Any, bytes]:
    """The headers and the body that a browser gets of an app which sends this in two pieces."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked = dict(scope["headers"])
        packed = asked.get(b"accept-encoding") == b"gzip" and kind == b"text/css"
        headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), (b"etag", b"old")]
        headers += [(b"content-encoding", b"gzip")] if packed else []
        sent = gzip.compress(body) if packed else body
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": sent[:50], "more_body": True})
        await send({"type": "http.response.body", "body": sent[50:]})

    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in asked.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": given}
    with ThreadPoolExecutor(1) as thread:  # a browser's loop may run in this one
        thread.submit(asyncio.run, EntryPage(app)(scope, None, send)).result()  # type: ignore[arg-type]
    return dict(said[0]["headers"]), b"".join(message.get("body", b"") for message in said[1:])


def test_the_installed_page_gets_our_script_first_and_names_code_that_is_there() -> None:
    page = with_our_lines(STREAMLITS).decode()
    before = STREAMLITS.decode()
    scripts = re.findall(r'<script [^>]*src="\./([^"]+)"', page)
    assert scripts[0] == SCRIPT_PATH
    assert scripts[1:] == re.findall(r'<script [^>]*src="\./([^"]+)"', before)
    named = re.findall(r'<link rel="modulepreload" crossorigin href="\./([^"]+)"', page)
    known = re.findall(r'<link rel="modulepreload" crossorigin href="\./([^"]+)"', before)
    assert named[: len(known)] == known
    assert [Path(path).name.rsplit(".", 2)[0] for path in named[len(known) :]] == list(FIRST_DRAWN)
    assert all((STATIC / path).is_file() for path in named)
    (font,) = re.findall(r"<link[^>]*font[^>]*>", page)
    assert font in before
    assert page.index(font) > page.rindex("modulepreload")
    added = re.compile(r'<script defer[^>]*></script>|<link rel="modulepreload"[^>]*>|<link[^>]*font[^>]*>|\s')
    assert added.sub("", page) == added.sub("", before)


@pytest.mark.parametrize("packs", [True, False])
def test_a_browser_gets_the_page_whole_under_headers_of_its_own(packs: bool) -> None:
    headers, body = get(STREAMLITS, accept="text/html,*/*", **({"accept_encoding": "gzip, br"} if packs else {}))
    assert (gzip.decompress(body) if packs else body) == with_our_lines(STREAMLITS)
    assert headers.get(b"content-encoding") == (b"gzip" if packs else None)
    assert headers[b"content-length"] == b"%d" % len(body)
    assert b"etag" not in headers


@pytest.mark.parametrize(
    ("body", "kind", "asked"),
    [
        (b"<html><head></head><body>The memo</body></html>" * 9, b"text/html", {"accept": "text/html"}),
        (STREAMLITS, b"application/octet-stream", {"accept": "text/html", "accept_encoding": "gzip"}),
        (STREAMLITS, b"text/html", {"accept": "*/*", "accept_encoding": "gzip"}),
        (b"a { color: red }" * 99, b"text/css", {"accept": "text/css,*/*"}),
    ],
)
def test_all_else_passes_through(body: bytes, kind: bytes, asked: dict[str, str]) -> None:
    headers, sent = get(body, kind=kind, **asked)
    assert sent == body
    assert headers[b"content-length"] == b"%d" % len(body)


def test_the_script_is_sent_under_its_name_and_kept_by_browsers() -> None:
    headers, body = get(b"not there", path=f"/behind/a/proxy/{SCRIPT_PATH}")
    assert body == SCRIPT
    assert headers[b"content-type"].startswith(b"text/javascript")
    assert b"immutable" in headers[b"cache-control"]


def test_a_page_has_our_icon_where_streamlits_page_looks_for_its_own() -> None:
    (named,) = re.findall(r'<link rel="shortcut icon" href="\.(/[^"]+)"', STREAMLITS.decode())
    headers, body = get(STREAMLITS, named, accept="image/*")
    assert body == (ASSETS / "favicon.png").read_bytes() != (STATIC / "favicon.png").read_bytes()
    assert headers[b"content-type"] == b"image/png"
