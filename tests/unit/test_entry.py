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

from ui.frame import entry
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


def through(start: dict[str, Any], **asked: Any) -> tuple[list[Any], list[Any]]:
    """What a browser gets of an app that begins its answer so, and what the app was asked."""
    said: list[Any] = []
    scopes: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scopes.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]} | start)
        await send({"type": "http.response.body", "body": STREAMLITS})

    async def send(message: Any) -> None:
        said.append(message)

    headers = [(b"accept", b"text/html"), (b"accept-encoding", b"br"), (b"x-own", b"1")]
    scope = {"type": "http", "method": "GET", "path": "/choose", "headers": headers, "extensions": {"pathsend": {}}}
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, EntryPage(app)(scope | asked, None, send)).result()  # type: ignore[arg-type]
    return said, scopes


@pytest.mark.parametrize(
    "start",
    [
        {"status": 404},
        {"headers": [(b"content-type", b"text/html"), (b"content-disposition", b"attachment")]},
        {"headers": [(b"content-type", b"text/html"), (b"content-encoding", b"br")]},
        {"headers": []},
    ],
)
def test_what_is_no_whole_page_passes_through_as_it_is(start: dict[str, Any]) -> None:
    said, _ = through(start)
    assert said[1]["body"] == STREAMLITS
    assert said[0]["headers"] == start.get("headers", [(b"content-type", b"text/html")])


@pytest.mark.parametrize("asked", [{"method": "POST"}, {"type": "websocket"}, {"method": "HEAD"}])
def test_what_does_not_ask_for_a_page_is_asked_of_the_app_as_it_came(asked: dict[str, str]) -> None:
    said, (scope,) = through({}, **asked, path="/favicon.png")
    assert scope["extensions"] == {"pathsend": {}}
    assert said[1]["body"] == STREAMLITS


def test_a_page_is_asked_of_the_app_whole_and_sent_under_the_headers_it_has_now() -> None:
    old = [(b"Last-Modified", b"x"), (b"Accept-Ranges", b"bytes"), (b"Vary", b"x"), (b"ETag", b"x"), (b"x-own", b"2")]
    said, (scope,) = through({"headers": [(b"content-type", b"text/html"), *old]})
    assert scope["extensions"] == {}, "no file by its path"
    assert [name for name, _ in scope["headers"]] == [b"accept", b"x-own"], "not compressed"
    length = len(with_our_lines(STREAMLITS))
    kept = [(b"content-type", b"text/html"), (b"x-own", b"2"), (b"vary", b"Accept-Encoding")]
    assert said[0]["headers"] == [*kept, (b"content-length", b"%d" % length)]
    assert (said[0]["status"], said[1]["body"]) == (200, with_our_lines(STREAMLITS))


def test_a_page_with_another_head_stays_as_it_is_and_code_of_another_name_is_not_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for page in (b"<html></head></html>", b'</head><script type="module" src="x"></script>', b'<script type="module">'):
        assert with_our_lines(page) == page
    folder = tmp_path / "static" / "js"
    folder.mkdir(parents=True)
    monkeypatch.setattr(entry, "STATIC", tmp_path)
    for names, found in (
        (["Html.12345678.js"], ("static/js/Html.12345678.js",)),
        (["purify.es.abcdefgh.js", "purify.es.abcdefgi.js"], ("static/js/Html.12345678.js",)),
    ):
        for name in names:
            (folder / name).touch()
        assert entry.needed_early.__wrapped__() == found
