"""Phones that are none: websockets that speak Streamlit's own messages, to rehearse a class and to measure a server."""

from __future__ import annotations

import asyncio
import re
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

ANSWER = re.compile(r'class="riskline-answer[^"]*"[^>]*>(.*?)</p>', re.DOTALL)
SENT = "riskline-told"
"""What a phone's page holds once the database has its answer."""
WITHIN, EVERY, LONGEST = 5.0, 0.5, 180.0
"""Seconds: in which phones of a rehearsal come, between two looks of theirs, and until they give up."""


@dataclass
class Told:
    """What one run of the script sent."""

    answer: str = ""
    bytes: int = 0
    ids: dict[str, str] = field(default_factory=dict)
    options: dict[str, list[str]] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)


class Session:
    """One reader: a connection, the last page seen, and the controls moved so far; errors go into a list."""

    def __init__(self, connection: ClientConnection, errors: list[str]) -> None:
        self.connection, self.errors = connection, errors
        self.told = Told()
        self.moved: dict[str, WidgetState] = {}
        self.query = ""
        self.page = ""

    async def run(self, pressed: WidgetState | None = None, *, name: str = "") -> float:
        """Ask for one run and read until the page is complete; the seconds it took."""
        states = [*self.moved.values(), *([pressed] if pressed is not None else [])]
        ask = self._asked(states)
        ask.rerun_script.page_name = name
        ask.rerun_script.context_info.timezone = "UTC"
        ask.rerun_script.context_info.url = f"http://127.0.0.1/{name}"
        ask.rerun_script.context_info.color_scheme = "light"
        return await self._answered(ask)

    def _asked(self, states: Any) -> BackMsg:
        ask = BackMsg()
        ask.rerun_script.query_string = self.query
        ask.rerun_script.page_script_hash = self.page
        ask.rerun_script.widget_states.CopyFrom(WidgetStates(widgets=states))
        return ask

    async def _answered(self, ask: BackMsg) -> float:
        start = time.perf_counter()
        await self.connection.send(ask.SerializeToString())
        while not self._take(await self.connection.recv(decode=False)):
            pass
        return time.perf_counter() - start

    def _take(self, raw: bytes) -> bool:
        message = ForwardMsg.FromString(raw)
        kind = message.WhichOneof("type")
        self.told.bytes += len(raw)
        if kind == "new_session":
            self.told = Told(pages=self.told.pages, bytes=len(raw))
            self.page = message.new_session.page_script_hash
        elif kind == "navigation":
            self.told.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
            self.page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._take_element(message.delta.new_element)
        elif kind in ("page_not_found", "ref_hash", "auth_redirect"):
            self.errors.append(f"the server sent {kind}")
        elif kind == "session_event":
            if message.session_event.WhichOneof("type") == "script_compilation_exception":
                self.errors.append("a script did not compile")
        elif kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                self.errors.append("a script did not compile")
            return bool(message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY)
        return False

    def _take_element(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"exception on the page: {element.exception.message}")
        elif kind == "alert":
            self.errors.append(f"alert on the page: {element.alert.body}")
        elif kind == "html":
            found = ANSWER.search(element.html.body)
            if found:
                self.told.answer = found.group(1)
        else:
            identity = str(getattr(getattr(element, kind), "id", ""))
            key = re.search(r"-([a-z_]+\.[a-z_.0-9]+)$", identity)
            if key:
                self.told.ids[key.group(1)] = identity
            if key and kind == "radio":
                self.told.options[key.group(1)] = list(element.radio.options)


class Device(Session):
    """A page of a room: it looks when its page asked it to, and takes what a look brings."""

    def __init__(self, connection: ClientConnection, errors: list[str]) -> None:
        super().__init__(connection, errors)
        self.fragment, self.every = "", 0.0
        self.html = ""
        self.before = self.told, self.html

    def _take(self, raw: bytes) -> bool:
        message = ForwardMsg.FromString(raw)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.before = self.told, self.html  # looks that find nothing new leave the page as it is
            self.html = ""
        if kind == "auto_rerun":
            self.fragment, self.every = message.auto_rerun.fragment_id, message.auto_rerun.interval
        elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "html":
            self.html += message.delta.new_element.html.body
        done = super()._take(raw)
        if kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY:
            self.told, self.html = self.before
            return True
        return done

    async def press(self, button: str) -> float:
        """Press a button; the seconds until the page was complete."""
        return await self.run(WidgetState(id=self.told.ids[button], trigger_value=True))

    async def send(self, number: int) -> float:
        """Type a number and press Send; the seconds until the page was complete."""
        self.moved["join.number"] = WidgetState(id=self.told.ids["join.number"], string_value=f"{number}")
        return await self.press("join.send")

    async def bet(self, at: int, row: int, stake: str) -> float:
        """Choose a row (from 1), which the phone keeps, and press a stake; the seconds until the page was complete."""
        rows = f"join.row.{at}"
        chosen = self.told.options[rows][row - 1]
        self.moved[rows] = WidgetState(id=self.told.ids[rows], string_value=chosen)
        return await self.press(f"join.stake.{at}.{stake}")

    async def look(self) -> float:
        """One look at the room, as the page does it by itself; what changed is drawn when this returns."""
        ask = self._asked(self.moved.values())
        ask.rerun_script.fragment_id = self.fragment
        ask.rerun_script.is_auto_rerun = True
        return await self._answered(ask)


def connected(address: str, secure: ssl.SSLContext | None = None) -> connect:
    """A connection as a page of this server makes it."""
    s = "s" if secure else ""
    return connect(
        f"ws{s}://{address}/_stcore/stream",
        origin=Origin(f"http{s}://{address}"),
        subprotocols=[Subprotocol("streamlit")],
        max_size=2**24,
        proxy=None,
        open_timeout=60,
        ssl=secure,
    )


@dataclass
class Rehearsed:
    """What the phones of a rehearsal met: seconds until each was in, until each answer was confirmed, and errors."""

    joined: list[float] = field(default_factory=list)
    confirmed: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


async def rehearsed(
    address: str, code: str, ask: Callable[[], object], *, phones: int, secure: ssl.SSLContext | None = None
) -> Rehearsed:
    """Phones that join a room within five seconds and all answer at once when its question is asked, by `ask`."""
    met, asked = Rehearsed(), asyncio.Event()

    async def phone(number: int) -> None:
        async with asyncio.timeout(LONGEST), connected(address, secure) as connection:
            device = Device(connection, met.errors)
            device.query = f"code={code}"
            opened = await device.run(name="join")
            met.joined.append(opened + await device.press("join.join"))
            await asked.wait()
            while "join.send" not in device.told.ids:
                await asyncio.sleep(EVERY)
                await device.look()
            seconds = await device.send(number)
            if SENT in device.html:
                met.confirmed.append(seconds)

    async def kept(number: int) -> None:
        await asyncio.sleep(WITHIN * number / phones)
        try:
            await phone(number)
        except Exception as error:
            met.errors.append(f"{type(error).__name__}: {error}")

    everybody = [asyncio.create_task(kept(number)) for number in range(phones)]
    while len(met.joined) < phones and not all(each.done() for each in everybody):
        if sum(each.done() for each in everybody) + len(met.joined) >= phones:
            break
        await asyncio.sleep(0.1)
    ask()
    asked.set()
    await asyncio.gather(*everybody)
    return met
