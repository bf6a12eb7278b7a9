"""What a look at a room and a confirmed answer cost the server, asked by one thread and by eight at once.

Processor time of the process that asks, on SQLite and, where it is installed, on PostgreSQL; what PostgreSQL itself
needs is not in it, nor the wait for the disk. Run: python -m benchmarks rooms.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from benchmarks.timing import within
from tests.postgresql import PostgreSQL, find_postgresql
from ui.rooms.codes import new_key
from ui.rooms.store import RoomStore

PEOPLE = 200
CALLS = 400


@contextmanager
def _databases() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        found = {"SQLite": f"sqlite:///{folder}/rooms.sqlite3"}
        server = PostgreSQL() if find_postgresql() else None
        try:
            yield found | ({"PostgreSQL": server.url} if server else {})
        finally:
            if server:
                server.remove()


def _each(call: Callable[[int], object], threads: int, calls: int = CALLS) -> float:
    """Processor seconds of one call, the least of three rounds."""
    found = []
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(call, range(threads)))  # connections are made
        for _ in range(3):
            start = time.process_time()
            list(pool.map(call, range(calls)))
            found.append((time.process_time() - start) / calls)
    return min(found)


def _rows(name: str, address: str) -> Iterator[dict[str, Any]]:
    store = RoomStore(address)
    room = store.open_room()
    keys = [new_key() for _ in range(PEOPLE)]
    for key in keys:
        store.join(room.code, key)
    number = store.start(room.code, room.moderator_key, "vote", "")
    sent = iter(range(10**9))

    def answer(at: int) -> object:
        return store.answer(room.code, keys[at % PEOPLE], number, f"a={next(sent)}")

    for threads, words in ((1, "one thread"), (8, "eight threads")):
        whole = _each(lambda _: store.room(room.code), threads)
        style = _each(lambda _: store.versions(room.code), threads)
        yield within(f"a look at a room, {name}, {words}", style, 0.001, "reading the room", whole, 2)
        yield within(f"a confirmed answer, {name}, {words}", _each(answer, threads), 0.01)
    store.end(room.code, room.moderator_key)
    store.close()


def run() -> list[dict[str, Any]]:
    """Two rows for each database and number of threads."""
    with _databases() as found:
        return [row for name, address in found.items() for row in _rows(name, address)]
