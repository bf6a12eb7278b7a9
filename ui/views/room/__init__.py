"""A room as its moderator sees it: what happens next, the wall, the activities."""

from ui.views.room.activities import ACTIVITIES, AFTER, LATE, begun
from ui.views.room.activity import Activity, Answered, Asked, Wall, text_of, values_of
from ui.views.room.choices import FIELDS, RoomInputs, code_field, key_field
from ui.views.room.groups import groups_shown
from ui.views.room.reach import reach_words
from ui.views.room.typed import LONGEST_NAME, read_line
from ui.views.room.view import (
    BOUNDS,
    WALL_ENDED,
    Held,
    RoomView,
    answered,
    at,
    refusal_of_room,
    room_view,
    spaced,
)

__all__ = [
    "ACTIVITIES",
    "AFTER",
    "BOUNDS",
    "FIELDS",
    "LATE",
    "LONGEST_NAME",
    "WALL_ENDED",
    "Activity",
    "Answered",
    "Asked",
    "Held",
    "RoomInputs",
    "RoomView",
    "Wall",
    "answered",
    "at",
    "begun",
    "code_field",
    "groups_shown",
    "key_field",
    "reach_words",
    "read_line",
    "refusal_of_room",
    "room_view",
    "spaced",
    "text_of",
    "values_of",
]
