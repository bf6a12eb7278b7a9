"""What fifty readers of one server meet: time of a rerun, two hundred openings at once, hostile links beside.

    python -m benchmarks.load_sessions [changes|openings|hostile] [--sessions 50] [--changes 6] [--pace 3]

Each session is a websocket that speaks Streamlit's own messages to a server started here on 127.0.0.1; nothing else is
asked, and everything ends after ten minutes whatever happens.

`changes`: a session opens a page by its link, moves its controls, goes on to the next page, and so on. Between two
changes a person looks: `--pace` is the mean number of seconds, drawn evenly from half to one and a half of it.
`--pace 0` lets all of them press again as soon as the answer is there, which asks how much one process does and not how
it feels. A rerun is timed from the change that is sent to the message that the page is complete.

`openings`: two hundred readers connect to a server that nobody has asked anything yet, all at once, a twentieth of them
or so to each page; timed from the connection to the complete page.

`hostile`: the walk of `changes` with, beside it, one reader for each page who opens the dearest link known for it and
opens it again a second after each answer. What the others wait is timed; a minute after the last of them has left, the
server's memory is compared with what it was before.

The exit status is the number of targets missed.
"""

from __future__ import annotations

import argparse
import asyncio
import math
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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection

from riskline.phones import Session, connected
from ui.link.case_links import own_name
from ui.link.page_table import PAGES
from ui.views import block, choose, explain

ROOT = Path(__file__).resolve().parents[1]
MOST_SESSIONS, MOST_CHANGES, LONGEST = 200, 100, 600.0
MEDIAN, LAST_TWENTIETH, OPENED, BESIDE_HOSTILE = 0.5, 1.0, 4.0, 2.0  # seconds
GROWTH, SETTLED = 50.0, 60.0  # megabytes, seconds
OPENINGS = 200
WALK = (
    ("choose", "line=cap_or_ratio", {"choose.ratio": (1.5, 6.0, 0.1), "choose.cap": (0.0, 0.5, 0.01)}),
    ("explain", "guarantee=pure", {"explain.epsilon": (0.1, 4.0, 0.05), "explain.prior": (0.05, 0.9, 0.01)}),
    ("block", "", {"block.prior": (0.05, 0.9, 0.01), "block.again_button": None}),
)
HOSTILE = {
    "home": "points=" + "_".join(f"{0.001 + 0.015 * n:g}~{0.05 + 0.0145 * n:g}" for n in range(64)),
    "choose": "increase=1e-6&releases=1831&line=cap_or_ratio",
    "accuracy": "total=1000000&epsilon=25&prior=1e-15",
    "plan": "rows=" + "!".join(f"d~{0.0001 * (n + 1):g}~1" for n in range(200)) + "&rounds=365",
    "positions": "unit=household&held=1",
    "memo": "release=0.1&choose=&yearly=500&household=100",
    "explain": "guarantee=discrete_gaussian&sensitivity=1000&rho=0.001",
    "deployments": "prior=0.001&sector=any&delta=0.5",
    "lessons": "lesson=45&people=100000",
    "block": "table=28-21&level=own&hides=answers&seed=999999",
    "play": "county=1&table=synthetic&seed=999",
    "hierarchy": "noise=exact&total_rho=0.5&largest=300&siblings=100&seed=999999",
    "rebuild": "people=100&rho=0.001&size_known=no",
    "exact_totals": "exact=both&epsilon=1e-6&prior=1e-6&table=" + "/".join(["7 7 7 7 7 7 7 7 7 7"] * 10),
    "add_up": "learn=yes&rule=webster&counts=" + "%20".join(["300000"] * 200),
    "public_information": "target=0.03&people=5000&data=own&rate_if_yes=1e-15",
    "infer": "prior=flat&epsilon_variance=500",
    "how_we_know": "source=all",
}
"""For each page with choices the dearest link that a seeded walk over their corners found."""
WALKED = {
    f"{stem}.{asked.name}": (own_name(stem, asked), asked.default)
    for stem, fields in (("choose", choose.FIELDS), ("explain", explain.FIELDS), ("block", block.FIELDS))
    for asked in fields
}
"""What each control is called in a link, and where it begins."""


@dataclass
class Outcome:
    """What all sessions met."""

    reruns: dict[str, list[float]] = field(default_factory=lambda: {stem: [] for stem, _, _ in WALK})
    openings: list[float] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lost: int = 0


class Reader(Session):
    """One reader who moves controls as chance has it."""

    def __init__(self, connection: ClientConnection, outcome: Outcome, chance: random.Random) -> None:
        super().__init__(connection, outcome.errors)
        self.chance = chance

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
            written = float(dict(parse_qsl(self.query)).get(*WALKED[key]))
            if abs(written - value) > 1e-9:
                self.errors.append(f"{stem}: {name} was set to {value:g}, the link says {written:g}")
        if not self.told.answer:
            self.errors.append(f"no answer after {key} was changed")
        if span is None and self.query == before:
            self.errors.append(f"{key} changed nothing")
        return seconds


async def walk(address: str, outcome: Outcome, *, number: int, changes: int, pace: float, begun: list[int]) -> None:
    """The whole way of one session; whatever ends it early is an error."""
    chance = random.Random(number)

    async def style() -> None:
        await asyncio.sleep(pace * chance.uniform(0.5, 1.5))

    try:
        await asyncio.sleep(chance.uniform(0, pace))
        async with connected(address) as connection:
            session = Reader(connection, outcome, chance)
            for place, (stem, link, controls) in enumerate(WALK):
                session.query, session.moved = link, {}
                if place:
                    session.page = session.told.pages[stem]
                outcome.openings.append(await session.run(name=stem))
                begun[place] += 1
                if not session.told.answer:
                    outcome.errors.append(f"{stem}: opened without an answer")
                for turn in range(changes):
                    await style()
                    outcome.reruns[stem].append(await session.change(controls, turn))
                    outcome.bytes.append(session.told.bytes)
            while begun[-1] < begun[0]:
                await asyncio.sleep(0.2)  # nobody leaves before all have reached the last page
    except Exception as error:
        begun[0] -= 1
        outcome.lost += 1
        outcome.errors.append(f"session {number}: {type(error).__name__}: {error}")


def family(process: int) -> list[int]:
    """A process and all that it has started, and they."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
    found = [process]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found


def memory(process: int) -> float:
    """Megabytes of a server and its workers; what several of them share is counted once."""
    held = 0
    for each in family(process):
        with suppress(OSError):
            shares = Path(f"/proc/{each}/smaps_rollup").read_text()
            held += int(re.findall(r"^Pss:\s+(\d+) kB", shares, flags=re.MULTILINE)[0])
    return held / 1024


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
    """All sessions of the walk side by side."""
    begun = [0] * len(WALK)
    walks = (
        walk(address, outcome, number=number, changes=changes, pace=pace, begun=begun) for number in range(sessions)
    )
    try:
        await asyncio.wait_for(asyncio.gather(*walks), LONGEST)
    except TimeoutError:
        outcome.errors.append(f"not done after {LONGEST:.0f} s")


async def all_open(address: str, outcome: Outcome, *, readers: int) -> None:
    """Readers who connect at once, one page each, and stay until everybody has seen theirs."""

    async def one(number: int) -> None:
        start = time.perf_counter()
        try:
            async with connected(address) as connection:
                session = Reader(connection, outcome, random.Random(number))
                await asyncio.wait_for(session.run(name=PAGES[number % len(PAGES)].address), 60)
                outcome.openings.append(time.perf_counter() - start)
                while len(outcome.openings) + outcome.lost < readers:
                    await asyncio.sleep(0.2)
        except Exception as error:
            outcome.lost += 1
            outcome.errors.append(f"reader {number}: {type(error).__name__}: {error}")

    await asyncio.wait_for(asyncio.gather(*(one(number) for number in range(readers))), LONGEST)


async def besieged(address: str, stem: str, query: str, done: asyncio.Event, rounds: dict[str, list[float]]) -> None:
    """One reader who opens a link again a second after it was answered, until the others are done."""
    while not done.is_set():
        await asyncio.sleep(1)
        async with connected(address) as connection:
            session = Session(connection, [])
            session.query = query
            with suppress(TimeoutError):
                rounds[stem].append(await asyncio.wait_for(session.run(name=stem), 60))


def tail(seconds: list[float], share: float) -> float:
    """The value that a share of all does not exceed; infinite when there is none."""
    return float(np.quantile(seconds, share)) if seconds else math.inf


def spread(seconds: list[float]) -> str:
    """Median, last tenth, last twentieth and the largest, in words."""
    if not seconds:
        return "none"
    points = f"median {tail(seconds, 0.5):.3f} s, p90 {tail(seconds, 0.9):.3f} s, p95 {tail(seconds, 0.95):.3f} s"
    return f"{points}, most {max(seconds):.2f} s ({len(seconds)})"


@contextmanager
def server_under_load(outcome: Outcome) -> Iterator[tuple[int, str]]:
    """A server of its own with the load of its machine told, and what its log says of errors counted."""
    print("load of the machine over 1, 5, 15 minutes before: {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        begun = time.monotonic()
        server, address = start_server(log)
        print(f"started  {time.monotonic() - begun:.1f} s until it is healthy, {memory(server.pid):.0f} MB")
        used, begun = processor(server.pid), time.monotonic()
        try:
            yield server.pid, address
            share = (processor(server.pid) - used) / (time.monotonic() - begun)
            print(f"server   its own process had {share:.0%} of one core")
        finally:
            server.terminate()
            server.wait(timeout=20)
        for line in log.read_text(errors="replace").splitlines():
            if re.search(r"Traceback|ERROR|Exception", line):
                outcome.errors.append(f"server log: {line}")


def verdict(words: str, met: bool) -> int:
    """Say whether a target is met; the number missed."""
    print(f"target   {words}: {'met' if met else 'NOT met'}")
    return 0 if met else 1


def say_reruns(outcome: Outcome) -> list[float]:
    """Print what the walking sessions met; the seconds of all their reruns."""
    reruns = [seconds for each in outcome.reruns.values() for seconds in each]
    print(f"rerun    {spread(reruns)}")
    for stem, each in outcome.reruns.items():
        print(f"  {stem:<8}{spread(each)}")
    print(f"opening  {spread(outcome.openings)}")
    print(f"sent     {statistics.median(outcome.bytes or [0]) / 1000:.0f} kB a rerun")
    return reruns


def say_errors(outcome: Outcome) -> None:
    """Print the errors, each once."""
    print(f"errors   {len(outcome.errors)}, {outcome.lost} sessions lost")
    for text in sorted(set(outcome.errors))[:20]:
        print(f"  {outcome.errors.count(text)} x {text}")


def measure_changes(sessions: int, changes: int, pace: float) -> int:
    """The walk of readers who look at what they see."""
    outcome = Outcome()
    print(f"{sessions} sessions, {changes} changes on each of {len(WALK)} pages, {pace:g} s between changes")
    with server_under_load(outcome) as (process, address):
        asyncio.run(everybody(address, Outcome(), sessions=1, changes=1, pace=0))
        before = memory(process)
        asyncio.run(everybody(address, outcome, sessions=sessions, changes=changes, pace=pace))
        print(f"memory   {before:.0f} MB after the first session, {memory(process):.0f} MB after all")
    reruns = say_reruns(outcome)
    say_errors(outcome)
    whole = not outcome.errors and len(reruns) == len(WALK) * sessions * changes
    return (
        verdict("every session to its end without an error", whole)
        + verdict(f"median rerun of at most {MEDIAN} s", tail(reruns, 0.5) <= MEDIAN)
        + verdict(f"19 of 20 reruns within {LAST_TWENTIETH} s", tail(reruns, 0.95) <= LAST_TWENTIETH)
    )


def measure_openings() -> int:
    """Two hundred readers open a page each of a server that has just started."""
    outcome = Outcome()
    print(f"{OPENINGS} openings at once, spread over {len(PAGES)} pages")
    with server_under_load(outcome) as (_, address):
        asyncio.run(all_open(address, outcome, readers=OPENINGS))
    print(f"opening  {spread(outcome.openings)}")
    say_errors(outcome)
    return verdict("no reader lost, no error", not outcome.errors) + verdict(
        f"19 of 20 openings within {OPENED} s", tail(outcome.openings, 0.95) <= OPENED
    )


def measure_hostile(sessions: int, changes: int, pace: float) -> int:
    """The walk with a hostile link of every page beside it, opened again and again."""
    outcome, rounds = Outcome(), {stem: [] for stem in HOSTILE}

    async def beside(address: str) -> None:
        done = asyncio.Event()
        hostile = [asyncio.create_task(besieged(address, stem, query, done, rounds)) for stem, query in HOSTILE.items()]
        await everybody(address, outcome, sessions=sessions, changes=changes, pace=pace)
        done.set()
        for task in hostile:
            task.cancel()
        await asyncio.gather(*hostile, return_exceptions=True)

    print(f"{sessions} sessions, {changes} changes on each of {len(WALK)} pages, {pace:g} s between changes")
    print(f"beside them one reader each for {len(HOSTILE)} hostile links")
    with server_under_load(outcome) as (process, address):
        asyncio.run(all_open(address, Outcome(), readers=len(PAGES)))
        before = memory(process)
        asyncio.run(beside(address))
        at_end, left = memory(process), time.monotonic()
        while (after := memory(process)) > before + GROWTH and time.monotonic() < left + SETTLED:
            time.sleep(1)
        settled = time.monotonic() - left
        print(f"memory   {before:.0f} MB before, {at_end:.0f} MB at the end, {after:.0f} MB {settled:.0f} s later")
    reruns = say_reruns(outcome)
    slowest = sorted(rounds, key=lambda stem: -max(rounds[stem], default=math.inf))[:4]
    print("hostile  " + ", ".join(f"{stem} {spread(rounds[stem])}" for stem in slowest))
    say_errors(outcome)
    whole = not outcome.errors and len(reruns) == len(WALK) * sessions * changes
    return (
        verdict("every session to its end without an error", whole)
        + verdict(f"19 of 20 reruns within {BESIDE_HOSTILE} s", tail(reruns, 0.95) <= BESIDE_HOSTILE)
        + verdict(f"memory within {GROWTH:g} MB a minute later", after <= before + GROWTH)
    )


def main() -> int:
    """Read the arguments and keep them within bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("load", choices=("changes", "openings", "hostile"), nargs="?", default="changes")
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--changes", type=int, default=6, help="on each page")
    parser.add_argument("--pace", type=float, default=3.0, help="mean seconds between two changes of one session")
    asked = parser.parse_args()
    if not (1 <= asked.sessions <= MOST_SESSIONS and 1 <= asked.changes <= MOST_CHANGES and 0 <= asked.pace <= 60):
        parser.error(f"at most {MOST_SESSIONS} sessions, {MOST_CHANGES} changes and 60 s between them")
    if asked.load == "openings":
        return measure_openings()
    measure = measure_changes if asked.load == "changes" else measure_hostile
    return measure(asked.sessions, asked.changes, asked.pace)


if __name__ == "__main__":
    sys.exit(main())
