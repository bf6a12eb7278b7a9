"""What the database of the rooms holds of an activity, which the store itself tells nobody before it was shown."""

from __future__ import annotations

from ui.rooms import store as rooms
from ui.rooms.meeting import StoredAnswer
from ui.rooms.store import RoomStore


def stored_answers(store: RoomStore, code: str, number: int) -> tuple[StoredAnswer, ...]:
    """All answers to an activity, each with whose it is, as far as that is kept."""
    with store._reading(code) as (connection, row):
        activity = rooms._activity(connection, row, number)
        return () if activity is None else rooms._answers(connection, row, activity)
