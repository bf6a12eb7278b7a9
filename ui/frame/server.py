"""The server around the pages: asks nobody outside, keeps few files of a reader, logs no word that a reader typed."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
import os
import pkgutil
import re
import socket
from base64 import b64encode
from contextlib import suppress
from functools import cache
from importlib import import_module
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

import streamlit as st
import uvicorn.config
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, net_util, runtime
from streamlit.file_util import get_static_dir
from streamlit.runtime import app_session
from streamlit.runtime.pages_manager import PagesManager
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import ui
from ui.documents.page import article
from ui.frame import view_workers
from ui.frame.entry import CompressedCode, EntryPage
from ui.frame.turns import DRAWING
from ui.pictures.style import Style
from ui.rooms.store import keep_swept
from ui.views.memo import MemoInputs, memo_view
from ui.views.rebuild import opened
from ui.words.catalogue import label
from ui.words.refusals import sentence_of, without_words

UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")
MEGABYTE = 2**20
LARGEST_FILE = 5 * MEGABYTE  # as server.maxUploadSize in .streamlit/config.toml
LARGEST_BODY = 6 * MEGABYTE  # a file of that size and what a form puts around it
MOST_FILES = 8
"""Files the server keeps for one reader; the oldest goes first. A page has read a file when the next one arrives."""
MOST_OF_ONE = 12 * MEGABYTE
MOST_OF_ALL = 128 * MEGABYTE
LONGEST_UPLOAD = 60.0  # seconds
FIRST_PAUSE, SLOWEST = 5.0, 64 * 1024  # seconds that a file may keep one waiting, and bytes a second it then must bring
FULL = label("frame", "no_room_for_file")
ELSEWHERE = "Refused a connection of a page that is not ours. Pages of another address: server.corsAllowedOrigins."
SLOW = label("frame", "slow_file")
NOT_OURS = label("frame", "not_ours")
NO_PROXY = "RISKLINE_PROXIES must name the addresses of proxies, such as 127.0.0.1 or 10.0.0.0/24; got {told!r}."
METRICS, HOST_CONFIG = "/_stcore/metrics", "/_stcore/host-config"
NO_HOST: dict[str, Any] = {"allowedOrigins": []} | dict.fromkeys(
    ("useExternalAuthToken", "enableCustomParentMessages", "enforceDownloadInNewTab", "blockErrorDialogs"), False
)
POLICY = (
    "default-src 'self'; script-src 'self' blob: {scripts}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)


def disable_address_lookup() -> None:
    """Take away Streamlit's look-up of this machine's own addresses: it asks another host, to print and to compare.

    Without them the server still accepts pages of its own address, of localhost, and of `server.corsAllowedOrigins`.
    """
    net_util.get_external_ip = net_util.get_internal_ip = lambda: None


def send_at_once() -> None:
    """Let no message wait until the reader's computer has acknowledged the one before, which takes 40 ms and more.

    asyncio asks for that of sockets that name TCP; Streamlit's names no protocol, which stands for the same.
    """

    def without_delay(sock: socket.socket) -> None:
        if sock.family in (socket.AF_INET, socket.AF_INET6) and sock.type == socket.SOCK_STREAM:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    asyncio.base_events._set_nodelay = without_delay  # type: ignore[attr-defined]


def spare_streamlit() -> None:
    """Do once what Streamlit does for every run: to look for the theme among its options, and to spell their names.

    Before anybody has come it takes `pages` for a folder of its first kind, and draws pages outside the frame.
    """
    config.get_options_for_section = cache(config.get_options_for_section)
    app_session.to_snake_case = cache(app_session.to_snake_case)
    PagesManager.uses_pages_directory = False


def keep_uploads_in_memory() -> None:
    """Let a file that is being uploaded lie in memory until it is whole, and not in a temporary file."""
    MultiPartParser.spool_max_size = LARGEST_BODY


def believe_named_proxies() -> None:
    """Take a reader's address from `X-Forwarded-For` where a proxy named in `RISKLINE_PROXIES` sends it, else never.

    uvicorn alone would believe every process of this computer, and so whatever a reader wrote there, through nginx.
    """
    named = [str(proxy) for proxy in named_proxies()]

    def believing(app: Any, trusted_hosts: object) -> ProxyHeadersMiddleware:
        return ProxyHeadersMiddleware(app, named)

    uvicorn.config.ProxyHeadersMiddleware = believing  # type: ignore[assignment, misc]


def named_proxies() -> list[IPv4Network | IPv6Network]:
    """The proxies in front of this server; everybody is none."""
    found = []
    for told in os.environ.get("RISKLINE_PROXIES", "").replace(",", " ").split():
        try:
            proxy = ip_network(told)
        except ValueError:
            proxy = None
        if proxy is None or proxy.prefixlen == 0:
            raise SystemExit(NO_PROXY.format(told=told[:60]))
        found.append(proxy)
    return found


def redact_logs() -> None:
    """Keep what others send out of every log of this process: messages of errors, which quote it, and odd addresses."""
    made = logging.getLogRecordFactory()

    def record(*arguments: Any, **named: Any) -> logging.LogRecord:
        found = made(*arguments, **named)
        if "disallowed Origin" in str(found.msg):
            found.msg, found.args = ELSEWHERE, ()
        if found.exc_info and found.exc_info[1] is not None:
            found.exc_text = without_words(found.exc_info[1])
        return found

    logging.setLogRecordFactory(record)


def sentence_for(error: Exception) -> bool:
    """Show a sentence for an error outside the frame's care, such as one in a callback; `True`: it was shown."""
    st.error(sentence_of(error))
    return True


class FewFiles:
    """The bound on files kept for readers: by number and size for one, by size for all; one of each arriving at once.

    A file that arrives counts as if it were there, and nobody waits for another reader's: one who sends slowly holds up
    only himself, and not for long.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.arriving: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Make room for a file before it is read, or refuse it with a sentence."""
        DRAWING.meet(asyncio.get_running_loop())
        found = UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        session = found["session"]
        turn = self.turns.setdefault(session, asyncio.Lock())
        length = dict(scope["headers"]).get(b"content-length", b"")
        coming = min(int(length), LARGEST_BODY) if length.isdigit() else LARGEST_BODY
        started = False

        async def sending(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            async with asyncio.timeout(LONGEST_UPLOAD), turn:
                if not _make_room_for(session, coming, sum(self.arriving.values())):
                    await PlainTextResponse(FULL, status_code=503)(scope, receive, send)
                    return
                self.arriving[session] = coming
                try:
                    await self.app(scope, _with_least_rate(receive), sending)
                finally:
                    del self.arriving[session]
        except TimeoutError:
            if not started:
                await PlainTextResponse(SLOW, status_code=408)(scope, receive, send)


def _with_least_rate(receive: Receive) -> Receive:
    """The pieces of a body as they come, and `TimeoutError` once they come more slowly than they must."""
    begun, came, whole = asyncio.get_running_loop().time(), 0, False

    async def receiving() -> Message:
        nonlocal came, whole
        async with asyncio.timeout_at(None if whole else begun + FIRST_PAUSE + came / SLOWEST):
            message = await receive()
        came += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        return message

    return receiving


def _make_room_for(session: str, coming: int, arriving: int = 0) -> bool:
    """Whether a file of this size may come beside those arriving, once the session's oldest have made room for it."""
    manager: Any = runtime.get_instance().uploaded_file_mgr
    kept: dict[str, dict[str, Any]] = manager.file_storage
    own = list(kept[session].values()) if session in kept else []
    while own and (len(own) >= MOST_FILES or sum(len(file.data) for file in own) + coming > MOST_OF_ONE):
        manager.remove_file(session, own.pop(0).file_id)
    everyone = sum(len(file.data) for files in list(kept.values()) for file in list(files.values()))
    return everyone + arriving + coming <= MOST_OF_ALL


class Walls:
    """What keeps other pages out where no proxy stands in front: headers, and whom a request takes this server for.

    A name that somebody else's page made lead here (DNS rebinding) is none that this server was started for. An address
    in digits cannot lead elsewhere.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.walls = [(b"content-security-policy", content_policy().encode()), *HEADERS]
        self.names = own_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request that is not for us; give every answer the headers."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *self.walls]}
            await send(message)

        if not called_so(dict(scope["headers"]).get(b"host", b"").decode("latin-1"), self.names):
            refusal = PlainTextResponse(NOT_OURS, status_code=421)
            await (refusal(scope, receive, sending) if scope["type"] == "http" else send({"type": "websocket.close"}))
        elif METRICS in scope["path"]:
            await PlainTextResponse("", status_code=404)(scope, receive, sending)
        elif scope["path"].endswith(HOST_CONFIG):  # which other sites may show us in a frame and speak to us: none
            await JSONResponse(NO_HOST)(scope, receive, sending)
        else:
            await self.app(scope, receive, sending)


def content_policy() -> str:
    """Scripts of our own address alone, and Streamlit's one inline script by its hash; nothing of other hosts."""
    page = (Path(get_static_dir()) / "index.html").read_text(encoding="utf-8")  # as Streamlit brings it
    scripts = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", page, flags=re.DOTALL)
    hashes = (b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return POLICY.format(scripts=" ".join(f"'sha256-{found}'" for found in hashes))


def own_names() -> frozenset[str]:
    """The names by which browsers may call this server: those it was started for, and this computer's."""
    told = [st.get_option("browser.serverAddress") or "", *st.get_option("server.corsAllowedOrigins")]
    told += os.environ.get("RISKLINE_NAMES", "").replace(",", " ").split()
    own = socket.gethostname()
    hosts = (_host(name).lower().removesuffix(".") for name in (*told, own, f"{own}.local", "localhost"))
    return frozenset(filter(None, hosts))  # what names no host would let in whoever names none


def called_so(host: str, names: frozenset[str]) -> bool:
    """Whether a request's Host is one of these names, below localhost, or an address in digits.

    >>> [called_so(host, frozenset({"stats.example"})) for host in ("stats.example:8501", "[::1]:80", "evil.example")]
    [True, True, False]
    """
    name = _host(host).lower().removesuffix(".")
    if name in names or name == "localhost" or name.endswith(".localhost"):
        return True
    with suppress(ValueError):
        return bool(ip_address(name))
    return False


def _host(address: str) -> str:
    """The name in an address, with or without scheme and port."""
    try:
        return urlsplit(address if "://" in address else f"//{address}").hostname or ""
    except ValueError:
        return ""


MIDDLEWARE = tuple(Middleware(layer) for layer in (Walls, FewFiles, CompressedCode, EntryPage))


def read_all_code() -> None:
    """Import now what every page would import for its first reader, who would wait for seconds with all the others.

    What is there by then stays, so the collector of garbage need not look at it again: a look takes 0.15 s, in which
    no page moves. And it looks after 20,000 new objects instead of 700: what a page leaves behind is hardly ever a
    circle.
    """
    for found in pkgutil.walk_packages(ui.__path__, "ui."):
        import_module(found.name)
    article(memo_view(MemoInputs(), Style()).document, level=2)  # the first chart of a process takes a second
    opened()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def prepare() -> None:
    """Everything that holds for the whole process, before the first reader comes."""
    disable_address_lookup()
    send_at_once()
    spare_streamlit()
    keep_uploads_in_memory()
    believe_named_proxies()
    redact_logs()
    view_workers.start(meanwhile=read_all_code)
    keep_swept()
