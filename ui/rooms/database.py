"""SQLite or PostgreSQL under the rooms: how each is opened, asked, written to, and given up when it does not answer.

The four tables are rooms, who is in them, what was started, what was answered. Whatever is of a room is deleted with
its row. A column that came later has a default of the database's own, or may be empty: tables of an earlier Riskline
get it when they are first asked, and one that still runs beside goes on without.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock
from typing import Any
from weakref import WeakSet

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateColumn

from ui.rooms.refusals import RoomCode, RoomRefused

TABLES = sa.MetaData()

ROOMS = sa.Table(
    "riskline_rooms",
    TABLES,
    sa.Column("room", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("code", sa.String(6), nullable=False, unique=True),
    sa.Column("moderator_hash", sa.LargeBinary, nullable=False),
    sa.Column("group_names", sa.Text, nullable=False),  # a list in JSON
    sa.Column("running", sa.Integer, nullable=False),  # number of the activity started last, 0 before the first
    sa.Column("state", sa.BigInteger, nullable=False),
    sa.Column("answers", sa.BigInteger, nullable=False),
    sa.Column("ends", sa.BigInteger, nullable=False, index=True),  # seconds since 1970
    sa.Column("latest", sa.BigInteger, nullable=False, server_default="0"),  # no use moves the end beyond; 0: none does
    sa.Column("numbered", sa.Integer, nullable=False, server_default="0"),  # highest number that a participant ever had
    sa.Column("wall_hash", sa.LargeBinary, nullable=True),  # empty where the room was opened before walls had keys
    sa.Column("door_closed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("script", sa.Text, nullable=False, server_default=""),  # what is prepared and still to come
    sa.Column("names_typed", sa.Boolean, nullable=False, server_default=sa.false()),  # whether people may type a name
)


def _of_room() -> sa.Column[int]:
    return sa.Column("room", sa.ForeignKey(ROOMS.c.room, ondelete="CASCADE"), primary_key=True)


PARTICIPANTS = sa.Table(
    "riskline_participants",
    TABLES,
    _of_room(),
    sa.Column("participant", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("key_hash", sa.LargeBinary, nullable=False),
    sa.Column("nickname", sa.Text, nullable=False),
    sa.Column("group_name", sa.Text, nullable=False),
    sa.Column("name_shown", sa.Boolean, nullable=False, server_default=sa.false()),  # others see the nickname
    sa.UniqueConstraint("room", "key_hash"),
)

ACTIVITIES = sa.Table(
    "riskline_activities",
    TABLES,
    _of_room(),
    sa.Column("activity", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("phase", sa.String(6), nullable=False),
    sa.Column("first_answer_stays", sa.Boolean, nullable=False),  # an answer can only go on from what was answered
    sa.Column("beside", sa.Integer, nullable=False, server_default="0"),  # the earlier one that is shown with it
    sa.Column("tally", sa.Text, nullable=True),  # how often each answer was given, in JSON, where nobody's own is kept
    sa.Column("question", sa.Text, nullable=True),  # letters and digits of one that a room asks once
    sa.Column("names", sa.BigInteger, nullable=False, server_default="0"),  # from which names are drawn; 0: none are
    # up to which number whoever is in the room counts, even without an answer; empty: only who answered
    sa.Column("counts_to", sa.Integer, nullable=True),
)

ANSWERS = sa.Table(
    "riskline_answers",
    TABLES,
    sa.Column("room", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("activity", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("participant", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("group_name", sa.Text, nullable=False, server_default=""),  # theirs when answers were closed
    sa.Column("agreed", sa.Boolean, nullable=False, server_default=sa.false()),  # to be shown of fewer than three
    sa.ForeignKeyConstraint(["room", "activity"], [ACTIVITIES.c.room, ACTIVITIES.c.activity], ondelete="CASCADE"),
    sa.ForeignKeyConstraint(
        ["room", "participant"], [PARTICIPANTS.c.room, PARTICIPANTS.c.participant], ondelete="CASCADE"
    ),
)

PATIENCE = 3  # seconds until a database that does not answer is given up
FAULTS = (SQLAlchemyError, sqlite3.Error, OSError)
_ALL_ROOMS_LOCK = 7_254_081_936  # of PostgreSQL's advisory locks: what concerns all rooms is done by one at a time

_log = logging.getLogger(__name__)
_OPENED: WeakSet[Database] = WeakSet()


class Database:
    """A database with the tables of the rooms; they are made when they are first needed.

    A SQLite file is made with the first room, for its owner alone. Parameters are hidden: a fault would else quote the
    nickname or the answer at hand.
    """

    def __init__(self, address: str) -> None:
        url = _url(address)
        self.file = Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None
        try:
            self._engine = _sqlite(url) if self.file else _postgresql(url)
        except ModuleNotFoundError:
            _log.warning("RISKLINE_ROOMS_URL asks for PostgreSQL; its driver comes with riskline[postgres]")
            raise RoomRefused(RoomCode.UNAVAILABLE) from None
        self.holds_deleted = self.file is not None  # what a process that was killed may have left
        self._ready = Event()
        self._kept_in: tuple[int, int] | None = None  # the file in which the tables were found
        self._doubted = Event()
        self._make_locks()
        _OPENED.add(self)

    def is_made(self) -> bool:
        """Whether there is anything to ask: a SQLite file is made with the first room only."""
        return self.file is None or self.file.exists()

    @contextmanager
    def asked_once(self) -> Iterator[sa.Connection]:
        """A connection for a single question, without the way there and back of a transaction."""
        self._prepare()
        with self._alone() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction whose questions are all about one moment."""
        self._prepare()
        level = {} if self.file else {"isolation_level": "REPEATABLE READ"}
        with self._engine.connect().execution_options(**level) as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction that writes; what is behind it has been committed."""
        self._prepare()
        with self._writing() as connection:
            yield connection

    def lock_all_rooms(self, connection: sa.Connection) -> None:
        """Until the end of this transaction nobody else does what concerns all rooms. SQLite has one writer anyway."""
        if not self.file:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _ALL_ROOMS_LOCK})

    def forget_deleted(self) -> bool:
        """Have SQLite write its log into the file, where deleted rows are overwritten, and empty it.

        Whoever reads keeps the log from being emptied: it is tried until they are done, or for as long as a page may
        wait. Whether nothing deleted is left; where something is, the next call for it tries again.
        """
        if not self.file or not self.file.exists():
            return True
        until = time.monotonic() + PATIENCE
        while True:
            with self._alone() as connection:
                busy = connection.execute(sa.text("PRAGMA wal_checkpoint(TRUNCATE)")).one()[0]
            if not busy or time.monotonic() > until:
                self.holds_deleted = bool(busy)
                return not busy
            time.sleep(0.02)

    @contextmanager
    def patience(self) -> Iterator[None]:
        """Around whatever is asked. After somebody waited in vain, one at a time tries again, and nobody waits behind.

        A page that waits keeps others from being drawn; a database that is frozen would hold up all of Riskline.
        """
        doubted = self._doubted.is_set()
        if doubted and not self._trying.acquire(blocking=False):
            raise RoomRefused(RoomCode.UNAVAILABLE)
        began = time.monotonic()
        try:
            yield
        except FAULTS:
            if time.monotonic() - began > 1:
                self._doubted.set()
            raise
        except RoomRefused:
            self._doubted.clear()  # it did answer
            raise
        else:
            self._doubted.clear()
        finally:
            if doubted:
                self._trying.release()

    def give_up(self, fault: Exception) -> RoomRefused:
        """The refusal for a fault of the database, whose own words (they can quote what was sent) are dropped."""
        self._ready.clear()  # whoever comes back may come back empty
        cause = getattr(fault, "orig", None) or fault
        state = (
            getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None) or ""
        )  # its own name for it
        _log.warning("the rooms' database does not answer: %s %s", type(cause).__name__, state)
        return RoomRefused(RoomCode.UNAVAILABLE)

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def begin_again(self) -> None:
        """In a process that was forked: the connections are the parent's, and whoever held a lock is not here."""
        self._engine.dispose(close=False)
        self._make_locks()

    def _make_locks(self) -> None:
        self._preparing = Lock()
        self._trying = Lock()
        self._one_writer = Lock()  # threads wait here; SQLite would have them sleep and try again

    def _alone(self) -> sa.Connection:
        return self._engine.connect().execution_options(isolation_level="AUTOCOMMIT", begin="")

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        if not self.file:
            with self._engine.begin() as connection:
                yield connection
            return
        if not self._one_writer.acquire(timeout=PATIENCE):
            raise TimeoutError
        try:
            with self._engine.connect().execution_options(begin="BEGIN IMMEDIATE") as connection, connection.begin():
                yield connection
        finally:
            self._one_writer.release()

    def _prepare(self) -> None:
        """Make what is not there yet. A file that was taken away is not written to any more by those who hold it."""
        if self._ready.is_set() and self._kept_in == _identity(self.file):
            return
        with self._preparing:
            if self._ready.is_set() and self._kept_in == _identity(self.file):
                return
            if self._kept_in not in (None, _identity(self.file)):
                self._engine.dispose()
                _log.warning("the file of the rooms was taken away or replaced: they begin anew")
            if self.file and not self.file.exists():
                _make_file(self.file)
            with self._alone() as connection:
                complete = not any(_missing(connection).values())
            if not complete:
                with self._writing() as connection:
                    self.lock_all_rooms(connection)  # replicas that start together make the tables one after the other
                    _complete(connection)
            self._kept_in = _identity(self.file)
            self._ready.set()


def _identity(file: Path | None) -> tuple[int, int] | None:
    """Which file a name stands for now; None for no file."""
    with suppress(OSError):
        if file is not None:
            return (found := file.stat()).st_dev, found.st_ino
    return None


def _missing(connection: sa.Connection) -> dict[sa.Table, list[sa.Column[Any]]]:
    """The columns that are not there yet, by table; all of a table that is not there."""
    there = sa.inspect(connection)
    names = set(there.get_table_names())
    held = {name: {column["name"] for column in there.get_columns(name)} for name in TABLES.tables if name in names}
    return {
        table: [column for column in table.columns if column.name not in held.get(name, ())]
        for name, table in TABLES.tables.items()
    }


def _complete(connection: sa.Connection) -> None:
    """Make the tables, or give those of an earlier Riskline the columns that came later."""
    TABLES.create_all(connection)
    for table, columns in _missing(connection).items():
        for column in columns:
            added = CreateColumn(column).compile(dialect=connection.dialect)
            connection.execute(sa.DDL(f"ALTER TABLE {table.name} ADD COLUMN {added}"))


def _begin_again_everywhere() -> None:
    for database in _OPENED:
        database.begin_again()


os.register_at_fork(after_in_child=_begin_again_everywhere)


def _url(address: str) -> sa.URL:
    """The address of a database, with the driver that is locked."""
    try:
        url = sa.make_url(address)
    except (SQLAlchemyError, ValueError):
        pass  # its words quote the address with its password
    else:
        if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
            return url.set(drivername="postgresql+psycopg")
        if url.drivername == "sqlite" and url.database and url.database != ":memory:":
            return url
    raise RoomRefused(RoomCode.UNAVAILABLE)


def _engine(url: sa.URL, **more: Any) -> sa.Engine:
    """Few connections, for none of which is waited long; what a fault quotes is without parameters."""
    return sa.create_engine(url, hide_parameters=True, pool_size=8, max_overflow=8, pool_timeout=PATIENCE, **more)


def _postgresql(url: sa.URL) -> sa.Engine:
    import psycopg  # the extra `postgres` brings it

    longest = PATIENCE + 1  # the server itself says sooner that a statement took too long

    class PatientConnection(psycopg.Connection[Any]):
        """A connection that a server cannot keep waiting: one that is frozen sends no error, and ends no connection."""

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            try:
                return super().wait(gen, interval, longest if timeout is None else timeout)
            except psycopg.errors._WaitTimeout:
                self.pgconn.finish()  # whatever comes now would be the answer to the question before
                raise

    milliseconds = 1000 * PATIENCE
    options = {
        "statement_timeout": milliseconds,
        "idle_in_transaction_session_timeout": 4 * milliseconds,
        "synchronous_commit": "on",  # also where the database's own setting would confirm what a crash takes back
    }
    asked = {
        "connect_timeout": max(PATIENCE - 1, 2),
        "tcp_user_timeout": milliseconds,
        "options": " ".join(f"-c {name}={value}" for name, value in options.items()),
    }
    engine = _engine(url, pool_pre_ping=True, connect_args=asked)

    @sa.event.listens_for(engine, "do_connect")
    def connect(dialect: Any, record: Any, given: Any, named: Any) -> Any:
        return PatientConnection.connect(*given, **named)

    return engine


def _sqlite(url: sa.URL) -> sa.Engine:
    engine = _engine(url, connect_args={"timeout": PATIENCE, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None  # BEGIN is ours, below
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {setting}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        if words := connection.get_execution_options().get("begin", "BEGIN"):
            connection.exec_driver_sql(words)

    return engine


def _make_file(file: Path) -> None:
    """An empty file for its owner alone, in a folder likewise; SQLite's own files beside it take its permissions."""
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        return
    raise RoomRefused(RoomCode.NO_FOLDER)
