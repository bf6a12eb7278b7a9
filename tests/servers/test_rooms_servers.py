"""A server is killed in mid-meeting and phones drop off: by their own links everybody goes on as they were."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from riskline.phones import SENT, Device, connected
from tests.postgresql import free_port
from tests.stored_answers import stored_answers
from ui.rooms.meeting import OpenedRoom
from ui.rooms.store import RoomStore
from ui.views.room import ACTIVITIES
from ui.views.room.activity import text_of

ROOT = Path(__file__).resolve().parents[2]
PREDICTION = ACTIVITIES["prediction"]
WAIT = 120.0


@contextmanager
def server(port: int, database: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The app on a port, with its rooms in this database, once it answers."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    environment = os.environ | {"RISKLINE_ROOMS_URL": database}
    with log.open("ab") as out:
        started = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + WAIT
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2)
                break
            except OSError:
                assert started.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.1)
        yield started
    finally:
        started.kill()
        started.wait(timeout=30)


async def device(address: str, errors: list[str], query: str, page: str = "join") -> Device:
    """A page opened by its link."""
    connection = await connected(address)
    opened = Device(connection, errors)
    opened.query = query
    await asyncio.wait_for(opened.run(name=page), WAIT)
    return opened


def started_prediction(store: RoomStore, room: OpenedRoom) -> None:
    settings = text_of(PREDICTION.settings, {"prediction_question": "Which number?"})
    store.start(room.code, room.moderator_key, PREDICTION.kind, settings)


def stored(store: RoomStore, room: OpenedRoom) -> list[str]:
    return [found.answer for found in stored_answers(store, room.code, 1)]


async def _meeting(port: int, database: str, log: Path) -> None:
    errors: list[str] = []
    address = f"127.0.0.1:{port}"
    store = RoomStore(database)
    room = store.open_room()
    with server(port, database, log) as first:
        phones = [await device(address, errors, f"code={room.code}") for _ in range(3)]
        for phone in phones:
            await phone.press("join.join")
        started_prediction(store, room)
        for number, phone in enumerate(phones[:2], start=1):
            await phone.look()
            await asyncio.wait_for(phone.send(number), WAIT)
            assert SENT in phone.html
        links = [phone.query for phone in phones]
        first.send_signal(signal.SIGKILL)
        first.wait(timeout=30)
        assert stored(store, room) == ["number=1", "number=2"]
    with server(port, database, log):
        again = [await device(address, errors, link) for link in links]
        assert [SENT in phone.html for phone in again] == [True, True, False]
        await asyncio.wait_for(again[2].send(3), WAIT)
        await again[0].connection.close()  # a phone that slept: its connection is gone, and it returns by its link
        awake = await device(address, errors, links[0])
        assert SENT in awake.html
        await asyncio.wait_for(awake.send(10), WAIT)  # what was sent can still be changed, and counts once
        wall = await device(address, errors, f"code={room.code}&key={room.moderator_key}", "room")
        assert "<strong>3 answers</strong>" in wall.html
        assert "3 people" in wall.html
        for one in (*again, awake, wall):
            await one.connection.close()
    assert stored(store, room) == ["number=10", "number=2", "number=3"]
    assert not errors


def test_a_killed_server_loses_no_confirmed_answer_and_everybody_goes_on_by_their_own_link(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'rooms.sqlite3'}"
    with ThreadPoolExecutor(1) as own:  # a browser's tests in this process have an event loop in this thread
        own.submit(asyncio.run, _meeting(free_port(), database, tmp_path / "log")).result()
    said = (tmp_path / "log").read_text(errors="replace")
    assert "Traceback" not in said
    assert "key=" not in said
    assert "me=" not in said
