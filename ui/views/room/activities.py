"""The activities of a room, in the order in which a moderator is offered them."""

from __future__ import annotations

from ui.views.room.activity import Activity
from ui.views.room.prediction import Prediction

ACTIVITIES: dict[str, Activity] = {activity.kind: activity for activity in (Prediction(),)}
