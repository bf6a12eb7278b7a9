"""A room as its moderator sees it: what happens next, the wall, the activities."""

from ui.views.room.choices import ACTIVITIES, FIELDS, RoomInputs
from ui.views.room.view import room_view

__all__ = ["ACTIVITIES", "FIELDS", "RoomInputs", "room_view"]
