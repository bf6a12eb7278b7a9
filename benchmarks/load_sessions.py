"""Fifty people at once walk choose, explain and block: time of a rerun, errors, the server's memory.

    python -m benchmarks.load_sessions [--sessions 50] [--changes 8] [--pace 6]

Each session is a websocket that speaks Streamlit's own messages to a server started here on 127.0.0.1; nothing else is
asked. A session opens a page by its link, moves its controls, goes on to the next page, and so on. Between two changes
a person looks: `--pace` is the mean number of seconds, drawn evenly from half to one and a half of it. `--pace 0` lets
all of them press again as soon as the answer is there, which asks how much one process does and not how it feels.
A rerun is timed from the change that is sent to the message that the page is complete.
The exit status is 0 when no session met an error and the median rerun took at most half a second.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect

from ui.views import block, choose, explain

ROOT = Path(__file__).resolve().parents[1]
MOST_SESSIONS, MOST_CHANGES, LONGEST = 200, 100, 600.0
LIMIT = 0.5
ANSWER = re.compile(r'class="riskline-answer[^"]*"[^>]*>(.*?)</p>', re.DOTALL)
WALK = (
    ("choose", "line=cap_or_ratio", {"choose.ratio": (1.5, 6.0, 0.1), "choose.cap": (0.0, 0.5, 0.01)}),
    ("explain", "guarantee=pure", {"explain.epsilon": (0.1, 4.0, 0.05), "explain.prior": (0.05, 0.9, 0.01)}),
    ("block", "", {"block.prior": (0.05, 0.9, 0.01), "block.again_button": None}),
)
DEFAULTS = {
    f"{stem}.{asked.name}": asked.default
    for stem, fields in (("choose", choose.FIELDS), ("explain", explain.FIELDS), ("block", block.FIELDS))
    for asked in fields
}


@dataclass
class Told:
    """What one run of the script sent."""

    answer: str = ""
    bytes: int = 0
    ids: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)


@dataclass
class Outcome:
    """What all sessions met."""

    reruns: dict[str, list[float]] = field(default_factory=lambda: {stem: [] for stem, _, _ in WALK})
    openings: list[float] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def _widget_id(element: Any) -> str:
    found = getattr(element, element.WhichOneof("type"))
    return str(getattr(found, "id", ""))


class Session:
    """One reader: a connection, the last page seen, and the controls moved so far."""

    def __init__(self, connection: ClientConnection, outcome: Outcome, chance: random.Random) -> None:
        self.connection, self.outcome, self.chance = connection, outcome, chance
        self.told = Told()
        self.moved: dict[str, WidgetState] = {}
        self.query = ""
        self.page = ""

    async def run(self, pressed: WidgetState | None = None, *, name: str = "") -> float:
        """Ask for one run and read until the page is complete; the seconds it took."""
        ask = BackMsg()
        ask.rerun_script.query_string = self.query
        ask.rerun_script.page_script_hash = self.page
        ask.rerun_script.page_name = name
        ask.rerun_script.context_info.timezone = "UTC"
        ask.rerun_script.context_info.url = f"http://127.0.0.1/{name}"
        ask.rerun_script.context_info.color_scheme = "light"
        states = [*self.moved.values(), *([pressed] if pressed is not None else [])]
        ask.rerun_script.widget_states.CopyFrom(WidgetStates(widgets=states))
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
            self.outcome.errors.append(f"the server sent {kind}")
        elif kind == "session_event":
            if message.session_event.WhichOneof("type") == "script_compilation_exception":
                self.outcome.errors.append("a script did not compile")
        elif kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                self.outcome.errors.append("a script did not compile")
            return message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        return False

    def _take_element(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.outcome.errors.append(f"exception on the page: {element.exception.message}")
        elif kind == "alert":
            self.outcome.errors.append(f"alert on the page: {element.alert.body}")
        elif kind == "html":
            found = ANSWER.search(element.html.body)
            if found:
                self.told.answer = found.group(1)
        else:
            identity = _widget_id(element)
            key = re.search(r"-([a-z_]+\.[a-z_.0-9]+)$", identity)
            if key:
                self.told.ids[key.group(1)] = identity

    async def change(self, controls: dict[str, tuple[float, float, float] | None], number: int) -> float:
        """Move the next control of the page; the link must then say what was chosen, and the page have an answer."""
        key, span = list(controls.items())[number % len(controls)]
        before, state = self.query, WidgetState(id=self.told.ids[key])
        if span is None:
            state.trigger_value = True
            seconds = await self.run(state)
        else:
            low, high, step = span
            steps = round((high - low) / step)
            value = low + step * self.chance.randrange(steps)
            state.double_array_value.data.append(value)
            self.moved[key] = state
            seconds = await self.run()
            stem, _, name = key.partition(".")
            written = float(dict(parse_qsl(self.query)).get(name, DEFAULTS[key]))
            if abs(written - value) > 1e-9:
                self.outcome.errors.append(f"{stem}: {name} was set to {value:g}, the link says {written:g}")
        if not self.told.answer:
            self.outcome.errors.append(f"no answer after {key} was changed")
        if span is None and self.query == before:
            self.outcome.errors.append(f"{key} changed nothing")
        return seconds


async def walk(address: str, outcome: Outcome, *, number: int, changes: int, pace: float, begun: list[int]) -> None:
    """The whole way of one session; whatever ends it early is an error."""
    chance = random.Random(number)

    async def look() -> None:
        await asyncio.sleep(pace * chance.uniform(0.5, 1.5))

    try:
        await asyncio.sleep(chance.uniform(0, pace))
        async with connect(
            f"ws://{address}/_stcore/stream", origin=f"http://{address}", subprotocols=["streamlit"], max_size=2**24,
            proxy=None,
        ) as connection:  # fmt: skip
            session = Session(connection, outcome, chance)
            for place, (stem, link, controls) in enumerate(WALK):
                session.query, session.moved = link, {}
                if place:
                    session.page = session.told.pages[stem]
                outcome.openings.append(await session.run(name=stem))
                begun[place] += 1
                if not session.told.answer:
                    outcome.errors.append(f"{stem}: opened without an answer")
                for turn in range(changes):
                    await look()
                    outcome.reruns[stem].append(await session.change(controls, turn))
                    outcome.bytes.append(session.told.bytes)
            while begun[-1] < begun[0]:
                await asyncio.sleep(0.2)  # nobody leaves before everybody has arrived at the last page
    except Exception as error:
        begun[0] -= 1
        outcome.errors.append(f"session {number}: {type(error).__name__}: {error}")


def memory(process: int) -> tuple[float, float]:
    """Resident megabytes of a process, and the most it ever held."""
    text = Path(f"/proc/{process}/status").read_text()
    found = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", text, flags=re.MULTILINE))
    return int(found["VmRSS"]) / 1024, int(found["VmHWM"]) / 1024


def processor(process: int) -> float:
    """Seconds of processor time a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_server(log: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A server of its own on a free port of this machine, once it is healthy."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    host, port = address.split(":")
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address", host, "--server.port", port]
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"http://{address}/_stcore/health", timeout=2)
            return server, address
        except OSError:
            if server.poll() is not None or time.monotonic() > deadline:
                server.kill()
                raise SystemExit("the server did not start:\n" + log.read_text()) from None
            time.sleep(0.1)


async def everybody(address: str, outcome: Outcome, *, sessions: int, changes: int, pace: float) -> None:
    """All sessions side by side, ended after ten minutes whatever happens."""
    begun = [0] * len(WALK)
    walks = (
        walk(address, outcome, number=number, changes=changes, pace=pace, begun=begun) for number in range(sessions)
    )
    try:
        await asyncio.wait_for(asyncio.gather(*walks), LONGEST)
    except TimeoutError:
        outcome.errors.append(f"not done after {LONGEST:.0f} s")


def spread(seconds: list[float]) -> str:
    """Median, the nine tenths point and the largest, in words."""
    if len(seconds) < 2:
        return "none"
    ninth = statistics.quantiles(seconds, n=10)[-1]
    return f"median {statistics.median(seconds):.3f} s, p90 {ninth:.3f} s, most {max(seconds):.2f} s ({len(seconds)})"


def measure(sessions: int, changes: int, pace: float) -> int:
    """Run the load, print what was met; 0 when the target holds."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        load = os.getloadavg()
        server, address = start_server(log)
        try:
            asyncio.run(everybody(address, Outcome(), sessions=1, changes=1, pace=0))  # a first reader pays the imports
            before, used, start = memory(server.pid)[0], processor(server.pid), time.monotonic()
            asyncio.run(everybody(address, outcome, sessions=sessions, changes=changes, pace=pace))
            lasted, used = time.monotonic() - start, processor(server.pid) - used
            after, most = memory(server.pid)
        finally:
            server.terminate()
            server.wait(timeout=20)
        for line in log.read_text(errors="replace").splitlines():
            if re.search(r"Traceback|ERROR|Exception", line):
                outcome.errors.append(f"server log: {line}")
    reruns = [seconds for each in outcome.reruns.values() for seconds in each]
    runs = len(reruns) + len(outcome.openings)
    print(
        f"{sessions} sessions, {changes} changes on each of 3 pages, {pace:g} s between changes, {lasted:.0f} s in all"
    )
    print(f"load of the machine over 1, 5, 15 minutes before: {load[0]:.1f}, {load[1]:.1f}, {load[2]:.1f}")
    print(f"rerun    {spread(reruns)}")
    for stem, each in outcome.reruns.items():
        print(f"  {stem:<8}{spread(each)}")
    print(f"opening  {spread(outcome.openings)}")
    print(f"server   {used / max(runs, 1):.3f} s of processor time a run, {runs / lasted:.1f} runs a second")
    print(f"sent     {statistics.median(outcome.bytes or [0]) / 1000:.0f} kB a rerun")
    print(f"memory   {before:.0f} MB after the first session, {after:.0f} MB after all, {most:.0f} MB at most")
    print(f"errors   {len(outcome.errors)}")
    for text in sorted(set(outcome.errors))[:20]:
        print(f"  {outcome.errors.count(text)} x {text}")
    met = not outcome.errors and len(reruns) == 3 * sessions * changes and statistics.median(reruns) <= LIMIT
    print(f"target   no error and a median rerun of at most {LIMIT} s: {'met' if met else 'NOT met'}")
    return 0 if met else 1


def main() -> int:
    """Read the arguments and keep them within bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--changes", type=int, default=8, help="on each page")
    parser.add_argument("--pace", type=float, default=6.0, help="mean seconds between two changes of one session")
    asked = parser.parse_args()
    if not (1 <= asked.sessions <= MOST_SESSIONS and 1 <= asked.changes <= MOST_CHANGES and 0 <= asked.pace <= 60):
        parser.error(f"at most {MOST_SESSIONS} sessions, {MOST_CHANGES} changes and 60 s between them")
    return measure(asked.sessions, asked.changes, asked.pace)


if __name__ == "__main__":
    sys.exit(main())
