"""The four tables: rooms, who is in them, what was started, what was answered.

Whatever is of a room is deleted with its row. A column that came later has a default of the database's own, or may be
empty: tables of an earlier Riskline get it when they are first asked, and one that still runs beside goes on without.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

TABLES = MetaData()

ROOMS = Table(
    "riskline_rooms",
    TABLES,
    Column("room", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("code", String(6), nullable=False, unique=True),
    Column("moderator_hash", LargeBinary, nullable=False),
    Column("group_names", Text, nullable=False),  # a list in JSON
    Column("running", Integer, nullable=False),  # number of the activity started last, 0 before the first
    Column("state", BigInteger, nullable=False),
    Column("answers", BigInteger, nullable=False),
    Column("ends", BigInteger, nullable=False, index=True),  # seconds since 1970
    Column("latest", BigInteger, nullable=False, server_default="0"),  # no use moves the end beyond; 0: none moves it
    Column("numbered", Integer, nullable=False, server_default="0"),  # highest number that a participant ever had
    Column("wall_hash", LargeBinary, nullable=True),  # empty where the room was opened before walls had keys
    Column("door_closed", Boolean, nullable=False, server_default=false()),
)


def _of_room() -> Column[int]:
    return Column("room", ForeignKey(ROOMS.c.room, ondelete="CASCADE"), primary_key=True)


PARTICIPANTS = Table(
    "riskline_participants",
    TABLES,
    _of_room(),
    Column("participant", Integer, primary_key=True, autoincrement=False),
    Column("key_hash", LargeBinary, nullable=False),
    Column("nickname", Text, nullable=False),
    Column("group_name", Text, nullable=False),
    UniqueConstraint("room", "key_hash"),
)

ACTIVITIES = Table(
    "riskline_activities",
    TABLES,
    _of_room(),
    Column("activity", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("phase", String(6), nullable=False),
    Column("first_answer_stays", Boolean, nullable=False),
    Column("beside", Integer, nullable=False, server_default="0"),  # the earlier one whose answers are shown with it
    Column("minimum_waived", Boolean, nullable=False, server_default=false()),  # shown of fewer than three answers, too
)

ANSWERS = Table(
    "riskline_answers",
    TABLES,
    Column("room", BigInteger, primary_key=True, autoincrement=False),
    Column("activity", Integer, primary_key=True, autoincrement=False),
    Column("participant", Integer, primary_key=True, autoincrement=False),
    Column("answer", Text, nullable=False),
    Column("group_name", Text, nullable=False, server_default=""),  # theirs when answers were closed
    ForeignKeyConstraint(["room", "activity"], [ACTIVITIES.c.room, ACTIVITIES.c.activity], ondelete="CASCADE"),
    ForeignKeyConstraint(
        ["room", "participant"], [PARTICIPANTS.c.room, PARTICIPANTS.c.participant], ondelete="CASCADE"
    ),
)
