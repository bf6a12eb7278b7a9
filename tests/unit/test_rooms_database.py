"""The database under the rooms: who waits for it and who does not, what a fault tells, how a connection is opened."""

from __future__ import annotations

import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from ui.rooms import database
from ui.rooms.database import Database
from ui.rooms.refusals import RoomCode, RoomRefused


class Waiting:
    """A database whose clock stands until a test moves it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database, self.now = Database(f"sqlite:///{folder / 'rooms.sqlite3'}"), 0.0
        monkeypatch.setattr(database, "time", SimpleNamespace(monotonic=lambda: self.now, sleep=lambda _: None))

    def asks(self, fault: Exception | None, seconds: float) -> str:
        """What becomes of a question that takes so long, and ends so."""
        try:
            with self.database.patience():
                self.now += seconds
                if fault is not None:
                    raise fault
        except RoomRefused as refused:
            return refused.code.value
        except database.FAULTS:
            return "fault"
        return "answered"


@pytest.fixture
def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Waiting:
    return Waiting(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("fault", "seconds", "doubted"),
    [(None, 9.0, False), (OSError(), 0.5, False), (OSError(), 1.0, False), (TimeoutError(), 1.5, True)],
)
def test_a_database_is_doubted_after_somebody_waited_in_vain(
    fault: Exception | None, seconds: float, doubted: bool, waiting: Waiting
) -> None:
    waiting.asks(fault, seconds)
    assert waiting.database._doubted.is_set() is doubted


def test_of_a_doubted_database_one_asks_and_nobody_waits_behind_until_it_answers(waiting: Waiting) -> None:
    for answer, said in ((None, "answered"), (RoomRefused(RoomCode.NOT_OPEN), "not_open")):
        assert waiting.asks(OSError(), 2.0) == "fault"
        with waiting.database.patience():
            with ThreadPoolExecutor(1) as thread:
                assert thread.submit(waiting.asks, None, 0.0).result(10) == "unavailable"
            waiting.database._doubted.set()  # the one who asks has no answer yet
        waiting.database._doubted.set()
        assert waiting.asks(OSError(), 0.1) == "fault", "it may be tried again"
        assert waiting.asks(answer, 0.0) == said
        assert not waiting.database._doubted.is_set(), "it did answer"
    assert waiting.asks(None, 0.0) == "answered"


def test_a_fault_is_told_by_its_kind_and_begins_everything_anew(
    waiting: Waiting, caplog: pytest.LogCaptureFixture
) -> None:
    cause = sqlite3.OperationalError("jabberwock is locked")
    cause.sqlite_errorname = "SQLITE_BUSY"
    for fault, words in (
        (sa.exc.OperationalError("SELECT jabberwock", {}, cause), "OperationalError SQLITE_BUSY"),
        (SimpleNamespace(orig=SimpleNamespace(sqlstate="57014")), "SimpleNamespace 57014"),
        (TimeoutError("jabberwock"), "TimeoutError"),
    ):
        caplog.clear()
        waiting.database._ready.set()
        with caplog.at_level(logging.WARNING):
            refused = waiting.database.give_up(fault)  # type: ignore[arg-type]
        assert refused.code is RoomCode.UNAVAILABLE
        assert not waiting.database._ready.is_set()
        assert [one.getMessage().strip() for one in caplog.records] == [
            f"the rooms' database does not answer: {words}".strip()
        ]


def test_what_is_deleted_leaves_the_log_once_nobody_reads_on(waiting: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    assert waiting.database.forget_deleted(), "there is no file yet"
    assert waiting.database.holds_deleted
    (waiting.database.file or Path()).touch()
    busy = [1, 1, 0]

    class Connection:
        def __enter__(self) -> Any:
            return self

        def __exit__(self, *fault: Any) -> None:
            pass

        def execute(self, asked: Any) -> Any:
            assert "wal_checkpoint(TRUNCATE)" in str(asked)
            waiting.now += 0.5
            return SimpleNamespace(one=lambda: (busy.pop(0), 0, 0))

    monkeypatch.setattr(waiting.database, "_alone", Connection)
    assert waiting.database.forget_deleted()
    assert (busy, waiting.database.holds_deleted) == ([], False)
    busy[:] = [1] * 100
    assert not waiting.database.forget_deleted()
    assert waiting.database.holds_deleted
    assert len(busy) == 100 - 7, "for as long as a page may wait, and once more"


def test_a_file_is_made_with_the_first_room_and_taken_away_it_begins_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = Database(f"sqlite:///{tmp_path / 'new' / 'rooms.sqlite3'}")
    assert (made.is_made(), made.holds_deleted) == (False, True)

    def tables() -> int:
        with made.write() as connection:
            return len(sa.inspect(connection).get_table_names())

    assert tables() == len(database.TABLES.tables)
    assert made.is_made()
    assert made.file is not None
    assert oct(made.file.stat().st_mode)[-3:] == "600"
    with made.read() as connection:
        settings = ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
        assert [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in settings] == ["wal", 2, 1, 1]
    for file in made.file.parent.iterdir():
        file.unlink()
    assert not caplog.records
    assert tables() == len(database.TABLES.tables)
    assert len(caplog.records) == 1
    made.give_up(TimeoutError())
    assert tables() == len(database.TABLES.tables)
    assert len(caplog.records) == 2, "it was only busy"
    made.close()


@pytest.mark.parametrize(
    ("address", "driver"),
    [
        *((f"{name}://me:secret@host/rooms", "postgresql+psycopg") for name in ("postgres", "postgresql")),
        ("postgresql+psycopg://host/rooms", "postgresql+psycopg"),
        ("sqlite:////tmp/rooms", "sqlite"),
        *((wrong, None) for wrong in ("sqlite://", "sqlite:///:memory:", "mysql://host/rooms", "rooms", "")),
    ],
)
def test_an_address_is_that_of_a_database_that_keeps_rooms(address: str, driver: str | None) -> None:
    if driver is not None:
        assert database._url(address).drivername == driver
        return
    with pytest.raises(RoomRefused) as refused:
        database._url(address)
    assert refused.value.code is RoomCode.UNAVAILABLE
