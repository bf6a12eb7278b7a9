"""Scripts and styles sent compressed: the same file, compressed once, and everything else untouched."""

from __future__ import annotations

import asyncio
import gzip
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.applications import Starlette
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_assets_routes

from ui.frame.entry import ASSETS, FILES, SCRIPT_PATH, SMALLEST, STATIC, CompressedCode, compressed

PLACE = min(FILES, key=lambda place: FILES[place].stat().st_size)
STYLE = next(place for place in FILES if place.endswith(".css"))
TINY = next(path for path in STATIC.glob("static/js/*.js") if path.stat().st_size < SMALLEST)
ELSEWHERE = b"sent by the app"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """What answers for all that is no compressed code."""
    headers = [(b"content-type", b"text/javascript"), (b"content-length", b"%d" % len(ELSEWHERE))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": ELSEWHERE})


def get(path: str, answering: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "root_path": "",
        "query_string": b"",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def nobody_leaves() -> Any:
        await asyncio.Event().wait()

    answer = answering or CompressedCode(app)
    with ThreadPoolExecutor(1) as thread:  # a browser's loop may run in this one
        thread.submit(asyncio.run, answer(scope, nobody_leaves, send)).result()
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize("place", [PLACE, STYLE, SCRIPT_PATH])
def test_code_is_compressed_once_and_is_the_same_code(place: str) -> None:
    compressed.cache_clear()
    for _ in range(3):
        status, headers, body = get(f"/{place}", accept_encoding="gzip, br")
        assert (status, headers["content-encoding"]) == (200, "gzip")
        assert (headers["content-length"], headers["vary"]) == (str(len(body)), "Accept-Encoding")
        assert "etag" not in headers
        assert gzip.decompress(body) == FILES[place].read_bytes()
        assert len(body) < len(FILES[place].read_bytes())
    assert compressed.cache_info().misses == 1


@pytest.mark.parametrize("place", [PLACE, STYLE])
def test_streamlit_would_send_the_same_under_the_same_headers(place: str) -> None:
    _, plain, content = get(f"/{place}", Starlette(routes=create_streamlit_static_assets_routes(None)))
    _, headers, body = get(f"/{place}", accept_encoding="gzip")
    assert gzip.decompress(body) == content
    for name in ("content-type", "cache-control"):
        assert headers[name] == plain[name]


def test_our_own_script_is_the_one_in_its_folder() -> None:
    _, _, body = get(f"/behind/a/proxy/{SCRIPT_PATH}", accept_encoding="gzip")
    assert gzip.decompress(body) == (ASSETS / "entry.js").read_bytes()


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (f"/{PLACE}", {}),
        (f"/{PLACE}", {"accept_encoding": "identity"}),
        (f"/{PLACE}", {"accept_encoding": "gzip", "range": "bytes=0-9"}),
        ("/static/js/not-there.00000000.js", {"accept_encoding": "gzip"}),
        ("/static/js/../../index.html", {"accept_encoding": "gzip"}),
        (f"/static/js/{TINY.name}", {"accept_encoding": "gzip"}),
        ("/static/media/font.woff2", {"accept_encoding": "gzip"}),
        ("/_stcore/health", {"accept_encoding": "gzip"}),
        ("/choose", {"accept_encoding": "gzip"}),
    ],
)
def test_everything_else_passes_through(path: str, headers: dict[str, str]) -> None:
    status, found, body = get(path, **headers)
    assert (status, body) == (200, ELSEWHERE)
    assert "content-encoding" not in found
