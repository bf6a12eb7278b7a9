"""What stands between the network and the app: bounds on files, walls against other pages, whom a request is from."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
import streamlit as st
import uvicorn
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette.starlette_server import _bind_socket

from ui.frame import server
from ui.words.refusals import BEYOND_NUMBERS, BROKEN

ROOT = Path(__file__).resolve().parents[2]
Told = TypeVar("Told")


class Manager:
    """Files as Streamlit's own manager keeps them, with sizes only."""

    def __init__(self, sizes: dict[str, list[int]]) -> None:
        self.file_storage = {
            session: {
                str(number): SimpleNamespace(file_id=str(number), data=range(size)) for number, size in enumerate(some)
            }
            for session, some in sizes.items()
        }

    def remove_file(self, session: str, file_id: str) -> None:
        del self.file_storage[session][file_id]


@pytest.mark.parametrize(
    ("sizes", "room", "left"),
    [
        ({}, True, []),
        ({"me": [1] * 7}, True, [0, 1, 2, 3, 4, 5, 6]),
        ({"me": [1] * 8}, True, [1, 2, 3, 4, 5, 6, 7]),
        ({"me": [4 * server.MEGABYTE, 3 * server.MEGABYTE - 1, 1]}, True, [0, 1, 2]),
        ({"me": [4 * server.MEGABYTE, 3 * server.MEGABYTE, 1]}, True, [1, 2]),
        ({"me": [1], "you": [server.MOST_OF_ALL - 5 * server.MEGABYTE]}, False, [0]),
        ({"you": [server.MOST_OF_ALL - 5 * server.MEGABYTE]}, True, []),
    ],
)
def test_the_oldest_files_make_room_and_all_together_have_a_limit(
    sizes: dict[str, list[int]], room: bool, left: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = Manager(sizes)
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    assert server._make_room_for("me", 5 * server.MEGABYTE) is room
    assert list(manager.file_storage.get("me", {})) == [str(number) for number in left]


async def _answer(app: Any, *, path: str = "/_stcore/upload_file/me/1", headers: Any = ()) -> dict[str, Any]:
    told: dict[str, Any] = {"body": b""}

    async def send(message: Any) -> None:
        told["status"] = message.get("status", told.get("status"))
        told["body"] += message.get("body", b"")

    async def receive() -> Any:
        await asyncio.sleep(60)

    scope = {"type": "http", "method": "PUT", "path": path, "headers": list(headers)}
    await server.FewFiles(app)(scope, receive, send)
    return told


def _answered(answer: Coroutine[Any, Any, Told]) -> Told:
    """What came of it in a thread of its own: a browser test before this one leaves a loop running in ours."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, answer).result()


async def _slow(scope: Any, receive: Any, send: Any) -> None:
    await receive()


async def _quick(scope: Any, receive: Any, send: Any) -> None:
    await PlainTextResponse("taken")(scope, receive, send)


def test_a_full_server_and_a_slow_file_are_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LONGEST_UPLOAD", 0.05)
    manager = Manager({"you": [server.MOST_OF_ALL - server.MEGABYTE]})
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    full = _answered(_answer(_quick))
    assert (full["status"], full["body"].decode()) == (503, server.FULL)
    small = _answered(_answer(_quick, headers=[(b"content-length", b"%d" % server.MEGABYTE)]))
    assert (small["status"], small["body"]) == (200, b"taken")
    monkeypatch.setattr(server, "FIRST_PAUSE", 5.0)
    slow = _answered(_answer(_slow, headers=[(b"content-length", b"1")]))
    assert (slow["status"], slow["body"].decode()) == (408, server.SLOW)
    other = _answered(_answer(_quick, path="/media/upload_file/me/1"))
    assert other["status"] == 200


def test_slow_readers_hold_up_nobody_else_and_themselves_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=Manager({})))
    monkeypatch.setattr(server, "FIRST_PAUSE", 0.3)
    monkeypatch.setattr(server, "SLOWEST", 1000)
    bound = server.FewFiles(_reading)

    async def put(session: str, pieces: int, pause: float, size: int = 10) -> tuple[int, float]:
        told: dict[str, Any] = {}
        sent = 0

        async def send(message: Any) -> None:
            told.setdefault("status", message.get("status"))

        async def receive() -> Any:
            nonlocal sent
            await asyncio.sleep(pause)
            sent += 1
            return {"type": "http.request", "body": b"x" * size, "more_body": sent < pieces}

        path = f"/_stcore/upload_file/{session}/1"
        begun = time.monotonic()
        await bound({"type": "http", "method": "PUT", "path": path, "headers": []}, receive, send)
        return told["status"], time.monotonic() - begun

    async def everybody() -> list[tuple[int, float]]:
        slow = [put(f"slow{number}", 1000, 0.02) for number in range(20)]
        return await asyncio.gather(put("steady", 10, 0.02, 1000), put("slow0", 1, 0.0), *slow)

    steady, after_slow, *slow = _answered(everybody())
    assert steady[0] == 200
    assert after_slow[0] == 200
    assert {status for status, _ in slow} == {408}
    assert max(seconds for _, seconds in slow) < 5.0
    assert not bound.arriving
    assert not bound.turns


async def _reading(scope: Any, receive: Any, send: Any) -> None:
    while (await receive())["more_body"]:
        pass
    await PlainTextResponse("taken")(scope, receive, send)


def test_files_that_arrive_count_as_if_they_were_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=Manager({})))
    assert server._make_room_for("me", server.MEGABYTE, server.MOST_OF_ALL - server.MEGABYTE)
    assert not server._make_room_for("me", server.MEGABYTE + 1, server.MOST_OF_ALL - server.MEGABYTE)


async def _walled(path: str, host: str, kind: str = "http") -> tuple[int | str, dict[bytes, bytes], bytes]:
    """What a server with walls answers: status, or what becomes of a websocket; headers; body."""
    told: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await (PlainTextResponse("in")(scope, receive, send) if kind == "http" else send({"type": "websocket.accept"}))

    async def send(message: Any) -> None:
        told.append(message)

    scope = {"type": kind, "method": "GET", "path": path, "headers": [(b"host", host.encode())]}
    await server.Walls(app)(scope, None, send)  # type: ignore[arg-type]
    if kind == "websocket":
        return told[0]["type"], {}, b""
    return told[0]["status"], dict(told[0]["headers"]), told[1]["body"]


@pytest.mark.parametrize(
    ("host", "let_in"),
    [
        *((host, True) for host in ("localhost", "LOCALHOST:8501", "127.0.0.1:8501", "[::1]:80", "192.168.1.20:8501")),
        *((host, True) for host in ("stats.example", "Stats.example.:443", "other.example:80", "a.localhost")),
        *(
            (host, False)
            for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "x@y")
        ),
    ],
)
def test_a_name_that_the_server_was_not_started_for_gets_neither_a_page_nor_a_socket(
    host: str, let_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"browser.serverAddress": "stats.example", "server.corsAllowedOrigins": ["https://other.example"]}
    monkeypatch.setattr(server.st, "get_option", options.get)
    status, _, body = _answered(_walled("/choose", host))
    assert (status, body == b"in") == ((200, True) if let_in else (421, False))
    opened, _, _ = _answered(_walled("/_stcore/stream", host, "websocket"))
    assert opened == ("websocket.accept" if let_in else "websocket.close")


async def _address_seen(peer: str, forwarded: str) -> str:
    """Whom the app takes a request for that comes from a peer and says whom it is forwarded for."""
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])

    config = uvicorn.Config(app)
    config.load()
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    scope = {"type": "websocket", "client": (peer, 5), "headers": headers}
    await config.loaded_app(scope, None, None)
    return seen[0]


@pytest.mark.parametrize(
    ("named", "peer", "forwarded", "seen"),
    [
        ("", "127.0.0.1", "203.0.113.5", "127.0.0.1"),
        ("", "203.0.113.9", "203.0.113.5", "203.0.113.9"),
        ("127.0.0.1", "127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.9", "203.0.113.5", "203.0.113.9"),  # a stranger
        ("127.0.0.1", "127.0.0.1", "192.0.2.1, 203.0.113.5", "203.0.113.5"),  # written by a reader, then by the proxy
        ("10.0.0.0/24, 2001:db8::1", "10.0.0.7", "203.0.113.5", "203.0.113.5"),
        ("10.0.0.0/24, 2001:db8::1", "2001:db8::1", "192.0.2.1, 203.0.113.5, 10.0.0.9", "203.0.113.5"),
        ("10.0.0.0/24", "127.0.0.1", "203.0.113.5", "127.0.0.1"),
    ],
)
def test_who_a_request_is_forwarded_for_is_believed_of_named_proxies_alone(
    named: str, peer: str, forwarded: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RISKLINE_PROXIES", named)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    monkeypatch.setattr(uvicorn.config, "ProxyHeadersMiddleware", uvicorn.config.ProxyHeadersMiddleware)
    steps = ("disable_address_lookup", "send_at_once", "spare_streamlit", "keep_uploads_in_memory")
    for step in (*steps, "redact_logs", "keep_swept"):
        monkeypatch.setattr(server, step, lambda: None)
    monkeypatch.setattr(server.view_workers, "start", lambda meanwhile: None)
    server.prepare()
    assert _answered(_address_seen(peer, forwarded)) == seen


def test_messages_do_not_wait_for_one_another_on_a_socket_as_streamlit_makes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asyncio.base_events, "_set_nodelay", asyncio.base_events._set_nodelay)  # type: ignore[attr-defined]

    async def at_once() -> bool:
        listening, seen = _bind_socket("127.0.0.1", 0, 1), asyncio.Queue[Any]()

        async def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            await seen.put(bool(found))
            writer.close()

        async with await asyncio.start_server(met, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return bool(await seen.get())

    assert not asyncio.run(at_once())  # else nothing is to be done here any more
    server.send_at_once()
    assert asyncio.run(at_once())


def test_what_streamlit_is_spared_is_what_it_would_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "get_options_for_section", config.get_options_for_section)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    sections = ("theme", *(f"theme.{each.value}" for each in config.CustomThemeCategories))
    found = [config.get_options_for_section(section) for section in sections]
    assert found[0]["chartCategoricalColors"] is not None
    server.spare_streamlit()
    for _ in range(2):
        assert [config.get_options_for_section(section) for section in sections] == found
    PagesManager(str(ROOT / "app.py"))  # as the first session makes it
    assert PagesManager.uses_pages_directory is False


@pytest.mark.parametrize("named", ["proxy.example", "10.0.0.1/24", "0.0.0.0/0", "::/0", "127.0.0.1 *"])
def test_a_proxy_that_is_no_address_or_everybody_stops_the_start(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RISKLINE_PROXIES", named)
    with pytest.raises(
        SystemExit,
        match=re.escape(
            f"RISKLINE_PROXIES must name the addresses of proxies, such as "
            f"127.0.0.1 or 10.0.0.0/24; got {named.split()[-1]!r}."
        ),
    ):
        server.named_proxies()


@pytest.mark.parametrize(
    "path", ["/", "/_stcore/metrics", "/choose/_stcore/metrics", "/_stcore/host-config", "/media/x"]
)
def test_every_answer_has_the_walls_that_nginx_would_give_it(path: str) -> None:
    status, headers, body = _answered(_walled(path, "localhost"))
    written = (ROOT / "docs" / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    told = dict(re.findall(r'add_header ([A-Za-z-]+) ("[^"]+"|[a-z-]+) always;', written))
    assert len(told) == 5
    hashes = re.search(r"'sha256-[A-Za-z0-9+/=]+'", headers[b"content-security-policy"].decode())
    assert hashes is not None
    for name, value in told.items():
        assert headers[name.lower().encode()].decode() == value.strip('"').replace("@SCRIPTS@", hashes[0])
    assert status == (404 if "metrics" in path else 200)
    assert path != "/_stcore/host-config" or json.loads(body)["allowedOrigins"] == []


def test_a_server_is_called_by_what_it_was_started_for_and_by_this_computers_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = {"browser.serverAddress": "Stats.example:80", "server.corsAllowedOrigins": ["https://other.example:8443"]}
    monkeypatch.setattr(server.st, "get_option", options.get)
    monkeypatch.setattr(server.socket, "gethostname", lambda: "Box")
    monkeypatch.setenv("RISKLINE_NAMES", "one.example, http://two.example./x  [bad")
    names = {"stats.example", "other.example", "box", "box.local", "localhost", "one.example", "two.example"}
    assert server.own_names() == names
    assert not server.called_so("", server.own_names()), "a name that cannot be read lets nobody in"
    options["browser.serverAddress"] = None
    assert server.own_names() == names - {"stats.example"}


def test_only_requests_and_sockets_are_walled_and_what_an_app_says_of_itself_stays() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])
        if scope["type"] == "http":
            await PlainTextResponse("in", headers={"x-own": "1"})(scope, receive, send)

    async def asked() -> None:
        async def send(message: Any) -> None:
            seen.append(message)

        walls = server.Walls(app)
        for scope in ({"type": "lifespan"}, {"type": "http", "path": "/", "headers": [(b"host", b"localhost")]}):
            await walls(scope, None, send)  # type: ignore[arg-type]

    _answered(asked())
    assert seen[:2] == ["lifespan", "http"]
    headers = dict(seen[2]["headers"])
    assert (headers[b"x-own"], headers[b"x-content-type-options"]) == (b"1", b"nosniff")
    assert len(headers) == len(server.HEADERS) + 4


def test_only_files_are_counted_and_of_one_reader_one_comes_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=Manager({})))
    met: list[Any] = []
    monkeypatch.setattr(server.DRAWING, "meet", met.append)
    inside: list[tuple[str, dict[str, int]]] = []

    async def everybody() -> None:
        bound = server.FewFiles(None)  # type: ignore[arg-type]

        async def app(scope: Any, receive: Any, send: Any) -> None:
            inside.append((scope["path"], dict(bound.arriving)))
            await asyncio.sleep(0.02)
            inside.append((scope["path"], dict(bound.arriving)))

        bound.app = app
        scopes = [
            {"type": "http", "method": "PUT", "path": f"/_stcore/upload_file/me/{number}", "headers": headers}
            for number, headers in ((1, [(b"content-length", b"5")]), (2, [(b"content-length", b"9" * 12)]))
        ]
        await asyncio.gather(*(bound(scope, None, None) for scope in scopes))  # type: ignore[arg-type]
        for other in ({"method": "DELETE"}, {"path": "/x"}, {"type": "websocket"}):
            await bound(scopes[0] | other, None, None)  # type: ignore[arg-type]

    _answered(everybody())
    first, second = ("/_stcore/upload_file/me/1", {"me": 5}), ("/_stcore/upload_file/me/2", {"me": server.LARGEST_BODY})
    assert inside[:4] == [first, first, second, second]
    assert [arriving for _, arriving in inside[4:]] == [{}] * 6
    assert len(met) == 5


def test_before_the_first_reader_comes_all_is_done_for_the_whole_process(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    steps = ("disable_address_lookup", "send_at_once", "spare_streamlit", "keep_uploads_in_memory")
    steps += ("believe_named_proxies", "redact_logs", "read_all_code", "keep_swept")  # type: ignore[assignment]
    for step in steps:
        monkeypatch.setattr(server, step, partial(done.append, step))
    monkeypatch.setattr(server.view_workers, "start", lambda meanwhile: meanwhile())
    server.prepare()
    assert tuple(done) == steps
    monkeypatch.undo()
    for name in ("get_external_ip", "get_internal_ip"):
        monkeypatch.setattr(server.net_util, name, lambda: "203.0.113.1")
    monkeypatch.setattr(server.MultiPartParser, "spool_max_size", 1)
    server.disable_address_lookup()
    server.keep_uploads_in_memory()
    assert server.net_util.get_external_ip() is server.net_util.get_internal_ip() is None
    assert server.MultiPartParser.spool_max_size == server.LARGEST_BODY >= server.LARGEST_FILE
    assert [layer.cls for layer in server.MIDDLEWARE] == [  # type: ignore[comparison-overlap]
        *(server.Walls, server.FewFiles, server.CompressedCode, server.EntryPage)
    ]
    assert st.get_option("server.maxUploadSize") * server.MEGABYTE == server.LARGEST_FILE


def failing() -> None:
    from ui.frame import server

    for error in (ValueError("x"), ZeroDivisionError("x"), MemoryError()):
        assert server.sentence_for(error)


def test_an_error_outside_the_frames_care_is_a_sentence_and_counts_as_shown() -> None:
    test = AppTest.from_function(failing, default_timeout=30).run()
    assert not test.exception
    assert [told.value for told in test.error] == [BROKEN, BEYOND_NUMBERS, BEYOND_NUMBERS]
