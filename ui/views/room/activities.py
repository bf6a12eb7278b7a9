"""The activities of a room, in the order in which a moderator is offered them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ui.views.room.activity import Activity
from ui.views.room.attack import Attack, with_a_seed
from ui.views.room.coin_survey import CoinSurvey
from ui.views.room.line import DrawALine
from ui.views.room.prediction import Prediction
from ui.views.room.vote import Vote

ACTIVITIES: dict[str, Activity] = {
    activity.kind: activity for activity in (DrawALine(), Prediction(), CoinSurvey(), Attack(), Vote())
}
AFTER: dict[str, tuple[str, ...]] = {"line": ("line_epsilon",)}
"""Settings that a moderator may still change while the result is on the wall."""
LATE: dict[str, tuple[str, ...]] = {"prediction": ("prediction_truth",)}
"""Settings that a moderator is asked for once answers are closed; the database holds them, and no address does."""
NAMELESS = frozenset({CoinSurvey.kind})
"""Kinds whose answers are taken away without whose they are: what coins protect, a number or a name shall not join."""


def begun(activity: Activity, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings as an activity begins: what its moderator left to chance is drawn."""
    return with_a_seed(settings) if activity.kind == Attack.kind else settings
