"""`riskline class` from the command to the first phone, and a rehearsal of it over HTTPS."""

from __future__ import annotations

import asyncio
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from riskline.classroom import FIRST, PHONES, STOPPED_EMPTY, TO_ITSELF, WAITING
from riskline.dashboard import STOPPED
from riskline.phones import Device, connected
from tests.postgresql import free_port
from ui.rooms.store import RoomStore

ROOT = Path(__file__).resolve().parents[2]
WAIT = 150.0


class Class:
    """The command as it runs: what it prints, line by line."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        self.database = f"sqlite:///{folder / 'rooms.sqlite3'}"
        command = [sys.executable, "-m", "riskline", "class", "--address", "127.0.0.1", "--port", f"{self.port}"]
        environment = os.environ | {"RISKLINE_ROOMS_URL": self.database, "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            [*command, *options], cwd=ROOT, env=environment, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def until(self, wanted: str) -> list[str]:
        """What it prints up to a line."""
        said = [self.lines.get(timeout=WAIT)]
        while said[-1] != wanted:
            said.append(self.lines.get(timeout=WAIT))
        return said

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@contextmanager
def started(folder: Path, *options: str) -> Iterator[Class]:
    running = Class(folder, *options)
    try:
        yield running
    finally:
        running.process.terminate()  # and the server with it
        running.process.wait(timeout=60)


async def _join(port: int, code: str) -> list[str]:
    errors: list[str] = []
    async with connected(f"127.0.0.1:{port}") as connection:
        phone = Device(connection, errors)
        phone.query = f"code={code}"
        await asyncio.wait_for(phone.run(name="join"), WAIT)
        await asyncio.wait_for(phone.press("join.join"), WAIT)
    return errors


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_the_first_phone_that_joins_is_told_and_the_server_ends_with_the_command(tmp_path: Path) -> None:
    with started(tmp_path, "--no-browser") as running:
        said = running.until(WAITING)
        assert TO_ITSELF.format(host="127.0.0.1") in said
        (address,) = (line.strip() for line in said if "/join?code=" in line)
        assert address.startswith(f"http://127.0.0.1:{running.port}/join?code=")
        code = address.partition("=")[2]
        (own,) = (line for line in said if "/room?" in line)
        key = re.findall(rf"/room\?code={code}&key=([\w-]{{22}})$", own)[0]
        assert RoomStore(running.database).is_moderator(code, key)
        with ThreadPoolExecutor(1) as other:  # a browser's tests in this process have an event loop in this thread
            assert other.submit(asyncio.run, _join(running.port, code)).result() == []
        assert running.until(FIRST) == [FIRST]
        assert running.stop() == STOPPED
        assert RoomStore(running.database).versions(code) is not None
        assert is_free(running.port)


def test_a_room_that_nobody_joined_goes_with_the_command(tmp_path: Path) -> None:
    with started(tmp_path, "--no-browser") as running:
        code = re.findall(r"/join\?code=(\w{6})", "\n".join(running.until(WAITING)))[0]
        assert RoomStore(running.database).versions(code) is not None
        assert running.stop() == STOPPED
        assert running.until(STOPPED_EMPTY)[-1] == STOPPED_EMPTY
        assert RoomStore(running.database).versions(code) is None


def test_a_rehearsal_over_https_tells_what_it_measured_and_leaves_no_room(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.fail("no openssl to make a certificate with")
    certificate, key = str(tmp_path / "own.pem"), str(tmp_path / "own.key")
    make = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
    subprocess.run([*make, "-days", "2", "-subj", "/CN=stats.example"], check=True, capture_output=True)
    with started(tmp_path, "--rehearsal", "--certificate", certificate, "--key", key) as running:
        assert running.process.wait(timeout=2 * WAIT) == 0
        said = "\n".join(
            iter(
                lambda: running.lines.get(timeout=5),
                "All phones were this computer: its speed was measured, not the network's. Try one real phone too.",
            )
        )
        numbers = r"half within \d+\.\d\d s, all within \d+\.\d\d s\."
        assert re.fullmatch(
            rf"{PHONES} of {PHONES} phones joined: {numbers}\n"
            rf"{PHONES} of {PHONES} answers sent at once were confirmed: {numbers}\nThe room counts {PHONES} answers\.",
            said,
        )
        with RoomStore(running.database)._database.read() as connection:
            assert connection.exec_driver_sql("select count(*) from riskline_rooms").scalar() == 0
