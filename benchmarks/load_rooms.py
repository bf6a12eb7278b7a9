"""What the phones of a room meet: joining, answering until it is confirmed, and how current the wall is.

    python -m benchmarks.load_rooms [--phones 200] [--rooms 1] [--within 30] [--replicas 1] [--postgresql] [--idle 30]
                                    [--activity attack [--between 20]]

Each phone is a websocket that speaks Streamlit's own messages to a server started here on 127.0.0.1: it opens the
address with the code, presses Join, looks at the room every four seconds as the page itself asks it to, and answers the
question once, at a moment of its own. An answer is confirmed when the page says "Sent". Other activities go by steps,
each confirmed before the page shows the next, some 20 seconds (10 to 30) apart: `attack` has ten bets, each a row that
the phone keeps and the press of a stake that sends both, `proof` guesses and `understanding` questions, a press each. A
wall a room looks every two seconds. Then all rest and the processor time of a resting phone is told. In the end the
database is read: every answer that was confirmed must be there, once, and every step.

`--postgresql` keeps the rooms in a PostgreSQL started here; with `--replicas 3` phones go to three servers in turn.
The exit status is the number of targets missed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.load_sessions import (
    Outcome,
    processor,
    say_errors,
    spread,
    start_server,
    tail,
    verdict,
)
from riskline.phones import SENT, Device, connected
from tests.postgresql import PostgreSQL
from tests.stored_answers import stored_answers
from ui.rooms.meeting import OpenedRoom
from ui.rooms.store import RoomStore
from ui.views.play import ROUNDS
from ui.views.room import ACTIVITIES
from ui.views.room.activity import Values, text_of, values_of
from ui.views.room.attack import STAKES
from ui.views.room.understanding import questions_of

LONGEST = 420.0
MEDIAN, LAST_TWENTIETH, WALL_BEHIND, JOINED_WITHIN = 0.5, 1.5, 3.0, 30.0  # seconds
ANSWERS = re.compile(r"<strong>([0-9,]+) (?:answers?|of [0-9,]+)</strong>")


def steps_of(kind: str) -> int:
    """How many steps an answer to an activity has, as it opens."""
    settings = settings_of(kind)
    if kind == "understanding":
        return len(questions_of(ACTIVITIES[kind].begun(settings)))
    return {"attack": ROUNDS, "proof": settings.get("proof_rounds", 1)}.get(kind, 1)


def settings_of(kind: str) -> Values:
    """The settings of an activity, as it opens."""
    activity = ACTIVITIES[kind]
    return values_of(activity.settings, "prediction_question=Which+number%3F" if kind == "prediction" else "")


def next_step(kind: str, at: int) -> str:
    """What is there to press, or to choose, once a step can be taken."""
    names = {"attack": f"row.{at}", "proof": f"guess.{at}.i", "understanding": f"understood.{at}.0"}
    return f"join.{names.get(kind, 'send')}"


async def take(device: Device, kind: str, at: int, number: int) -> float:
    """A step of this phone; the seconds until it was confirmed."""
    if kind == "attack":
        return await device.bet(at, 1 + number % 3, [*STAKES][number % 3])
    if kind == "prediction":
        return await device.send(number)
    chosen = f"guess.{at}.{'io'[number % 2]}" if kind == "proof" else f"understood.{at}.{number % 2}"
    return await device.press(f"join.{chosen}")


@dataclass
class Met:
    """What everybody met, in seconds."""

    joined: list[float] = field(default_factory=list)
    found: list[float] = field(default_factory=list)
    confirmed: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)  # when each answer was confirmed
    walls: list[tuple[float, int]] = field(default_factory=list)  # when a wall showed how many answers


async def phone(
    address: str,
    room: OpenedRoom,
    number: int,
    met: Met,
    outcome: Outcome,
    *,
    asked: argparse.Namespace,
    done: asyncio.Event,
) -> None:
    """One participant from the first opening to the end of the rest."""
    chance = random.Random(number)
    try:
        await asyncio.sleep(chance.uniform(0, asked.within))
        start = time.perf_counter()
        async with connected(address) as connection:
            device = Device(connection, outcome.errors)
            device.query = f"code={room.code}"
            await device.run(name="join")
            await device.press("join.join")
            met.joined.append(time.perf_counter() - start)
            answer_at: float | None = None
            kind, taken, steps = asked.activity, 0, steps_of(asked.activity)
            next_look = time.perf_counter() + device.every
            while not done.is_set():
                now = time.perf_counter()
                if answer_at is None and next_step(kind, 0) in device.told.ids:
                    answer_at = now + chance.uniform(0, asked.within)
                if answer_at is not None and now >= answer_at:
                    met.confirmed.append(await take(device, kind, taken, number))
                    taken += 1
                    answer_at = time.perf_counter() + asked.between * chance.uniform(0.5, 1.5)
                    if taken == steps:
                        answer_at = float("inf")
                        met.moments.append(time.perf_counter())
                    if SENT not in device.html and (taken == steps or next_step(kind, taken) not in device.told.ids):
                        outcome.errors.append("an answer was not confirmed")
                elif now >= next_look:
                    met.looks.append(await device.look())
                    next_look = max(next_look + device.every, time.perf_counter())
                await asyncio.sleep(max(0.0, min(next_look, answer_at or next_look) - time.perf_counter(), 0.01))
    except Exception as error:
        outcome.lost += 1
        outcome.errors.append(f"phone: {type(error).__name__}: {error}")


async def wall(address: str, room: OpenedRoom, met: Met, outcome: Outcome, done: asyncio.Event) -> None:
    """The moderator's page: how many answers it shows, and when."""
    async with connected(address) as connection:
        device = Device(connection, outcome.errors)
        device.query = f"code={room.code}&key={room.moderator_key}"
        await device.run(name="room")
        while not done.is_set():
            await asyncio.sleep(device.every)
            await device.look()
            if found := ANSWERS.search(device.html):
                met.walls.append((time.perf_counter(), int(found[1].replace(",", ""))))


async def meeting(
    addresses: list[str],
    rooms: list[OpenedRoom],
    store: RoomStore,
    met: Met,
    outcome: Outcome,
    asked: argparse.Namespace,
    processes: list[int],
) -> tuple[float, float]:
    """All rooms side by side; seconds of the rest, and of processor time during it."""
    done = asyncio.Event()
    each = asked.phones // len(rooms)
    devices = [
        asyncio.create_task(
            phone(
                addresses[(place * each + at) % len(addresses)],
                room,
                place * each + at,
                met,
                outcome,
                asked=asked,
                done=done,
            )
        )
        for place, room in enumerate(rooms)
        for at in range(each)
    ]
    walls = [asyncio.create_task(wall(addresses[0], room, met, outcome, done)) for room in rooms]
    many = each * len(rooms)
    await until(lambda: len(met.joined) + outcome.lost >= many)
    activity = ACTIVITIES[asked.activity]
    typed = activity.begun(settings_of(asked.activity))
    for room in rooms:
        kept = activity.kept(typed)
        store.start(room.code, room.moderator_key, activity.kind, text_of(activity.settings, typed), **kept)
    playing = 2 * (steps_of(asked.activity) - 1) * asked.between
    await until(lambda: len(met.moments) + outcome.lost >= many, longest=LONGEST / 2 + playing)
    await asyncio.sleep(5)
    begun, used = time.perf_counter(), sum(map(processor, processes))
    met.looks.clear()
    await asyncio.sleep(asked.idle)
    rest = time.perf_counter() - begun, sum(map(processor, processes)) - used
    done.set()
    await asyncio.gather(*devices, *walls)
    return rest


async def until(happened: Callable[[], bool], longest: float = LONGEST / 2) -> None:
    """Wait for something, but not for ever."""
    deadline = time.perf_counter() + longest
    while not happened() and time.perf_counter() < deadline:
        await asyncio.sleep(0.1)


def behind(met: Met) -> float:
    """The longest time for which a wall did not show an answer that was confirmed, for one room."""
    worst = 0.0
    for place, moment in enumerate(sorted(met.moments), start=1):
        shown = next((seen for seen, answers in met.walls if answers >= place and seen >= moment), None)
        if shown is None:
            return float("inf")
        worst = max(worst, shown - moment)
    return worst


@contextmanager
def servers(asked: argparse.Namespace, folder: Path) -> Iterator[tuple[list[int], list[str], str]]:
    """The servers and where they keep rooms."""
    with ExitStack() as stack:
        if asked.postgresql:
            database = PostgreSQL()
            stack.callback(database.remove)
            url = os.environ["RISKLINE_ROOMS_URL"] = database.url
        else:
            os.environ["RISKLINE_ROOMS_FOLDER"] = str(folder)
            url = f"sqlite:///{folder / 'rooms.sqlite3'}"
        processes, addresses = [], []
        for number in range(asked.replicas):
            server, address = start_server(folder / f"server{number}.log")
            stack.callback(server.wait, timeout=20)
            stack.callback(server.terminate)
            processes.append(server.pid)
            addresses.append(address)
        yield processes, addresses, url


def main() -> int:
    """Read the command, play the meeting, say what was met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--rooms", type=int, default=1)
    parser.add_argument("--within", type=float, default=30.0, help="seconds within which all join, and all answer")
    parser.add_argument("--replicas", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    kinds = ("prediction", "attack", "proof", "understanding")
    parser.add_argument("--activity", choices=kinds, default="prediction", help="one answer, or steps of each phone")
    parser.add_argument("--between", type=float, default=20.0, help="mean seconds from a step to the next one")
    parser.add_argument("--idle", type=float, default=30.0, help="seconds of rest at the end")
    asked = parser.parse_args()
    outcome, met = Outcome(), Met()
    print("load of the machine over 1, 5, 15 minutes before: {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
    within = f"{asked.within:g} s to join, and to answer"
    print(f"{asked.phones} phones, {asked.rooms} rooms, {asked.replicas} servers, {within}")
    with tempfile.TemporaryDirectory() as name, servers(asked, Path(name)) as (processes, addresses, url):
        store = RoomStore(url)
        rooms = [store.open_room() for _ in range(asked.rooms)]
        used = sum(map(processor, processes))
        begun = time.perf_counter()
        seconds, resting = asyncio.run(meeting(addresses, rooms, store, met, outcome, asked, processes))
        share = (sum(map(processor, processes)) - used) / (time.perf_counter() - begun)
        fields = ACTIVITIES[asked.activity].answers
        found = [
            values_of(fields, one.answer)[fields[0].name]
            for room in rooms
            for one in stored_answers(store, room.code, 1)
        ]
        for log in Path(name).glob("*.log"):
            for line in log.read_text(errors="replace").splitlines():
                if re.search(r"Traceback|ERROR|Exception", line):
                    outcome.errors.append(f"server log: {line}")
    print(f"servers  had {share:.0%} of one core from the first joining to the end")
    print(f"joined   {spread(met.joined)}")
    print(f"sent     {spread(met.confirmed)}")
    print(f"look     {spread(met.looks)} at rest")
    print(
        f"rest     {resting / seconds:.0%} of one core, {resting / max(1, len(met.looks)) * 1000:.1f} ms of processor "
        f"time a look, {resting / seconds / asked.phones * 1000:.2f} ms a second for each phone"
    )
    late = behind(met) if asked.rooms == 1 else 0.0
    print(f"wall     at most {late:.2f} s behind" if asked.rooms == 1 else "wall     not followed with several rooms")
    say_errors(outcome)
    many = asked.phones // asked.rooms * asked.rooms
    each = steps_of(asked.activity)
    if asked.activity == "prediction":
        stored = sorted(found) == [float(number) for number in range(many)]
    else:
        stored = len(found) == many and {len(steps) for steps in found} == {each}
    return (
        verdict(
            "every phone joined, answered and was confirmed", len(met.confirmed) == each * many and not outcome.errors
        )
        + verdict("every confirmed answer stored, once", stored)
        + verdict(f"median confirmation within {MEDIAN} s", tail(met.confirmed, 0.5) <= MEDIAN)
        + verdict(f"19 of 20 confirmations within {LAST_TWENTIETH} s", tail(met.confirmed, 0.95) <= LAST_TWENTIETH)
        + verdict(f"wall current within {WALL_BEHIND:g} s", late <= WALL_BEHIND)
    )


if __name__ == "__main__":
    raise SystemExit(main())
