"""What a moderator chooses on the page of a room: its groups, what happens next, how that is set; results as files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from riskline.case.fields import Field, pairs_of
from ui.link.page_fields import worded
from ui.pictures.table import Table
from ui.rooms.codes import read_code, read_key
from ui.rooms.meeting import StartedActivity, StoredAnswer
from ui.rooms.store import MOST_GROUPS
from ui.views.room.activity import Activity, fitting, read_groups, values_of
from ui.views.room.attack import Attack
from ui.views.room.coin_survey import CoinSurvey
from ui.views.room.line import DrawALine
from ui.views.room.prediction import Prediction
from ui.views.room.vote import Vote
from ui.words.quantities import Typed, whole

ACTIVITIES: dict[str, Activity] = {
    activity.kind: activity for activity in (DrawALine(), Prediction(), CoinSurvey(), Attack(), Vote())
}
"""In the order in which a moderator is offered them."""


def code_field() -> Field:
    """The code of a room in an address and in a box; empty where there is none yet."""
    field = Field("code", "", "custom", "", read=_read_code, write=str, private=True)
    return worded(field, "room")


def _read_code(text: str) -> str:
    return read_code(text) if text.strip() else ""


def key_field(page: str, name: str) -> Field:
    """A key in an address: of the moderator, or of one participant."""
    return worded(Field(name, "", "custom", "", read=_read_key, write=str, private=True), page)


def _read_key(text: str) -> str:
    return read_key(text) if text else ""


SETTINGS = tuple(
    field for activity in ACTIVITIES.values() for field in activity.settings if field.name not in activity.late
)

FIELDS: tuple[Field, ...] = (
    code_field(),
    key_field("room", "key"),
    key_field("room", "wall"),
    worded(
        Field("groups", "", "custom", (), read=read_groups, write="; ".join),
        "room",
        most=Typed(MOST_GROUPS, whole),
    ),
    worded(Field("activity", "", "choice", next(iter(ACTIVITIES)), options=tuple(ACTIVITIES)), "room"),
    *SETTINGS,
)


@dataclass(frozen=True)
class RoomInputs:
    """What a moderator set: the next activity and the settings of all of them. No key and no code."""

    activity: str = next(iter(ACTIVITIES))
    settings: tuple[tuple[str, Any], ...] = tuple((field.name, field.default) for field in SETTINGS)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> RoomInputs:
        """The choices of a page's values."""
        return cls(values["activity"], tuple((name, values[name]) for name, _ in cls.settings))

    @property
    def next_activity(self) -> Activity:
        """The activity that a press on Start begins."""
        return ACTIVITIES[self.activity]


Results = Iterable[tuple[StartedActivity, Sequence[StoredAnswer]]]
COLUMNS = ("activity", "kind", "group", "answer")


def as_csv(results: Results) -> str:
    """One line for each answer, as a link spells it."""
    rows = [(started.number, started.kind, *told) for started, answers in results for told in _told(started, answers)]
    return Table("", COLUMNS, tuple(rows)).as_csv()


def as_json(results: Results) -> str:
    """Every activity with its settings and answers, as links spell them."""
    held = [
        {
            "activity": started.number,
            "kind": started.kind,
            "settings": dict(pairs_of(started.settings)),
            "answers": [{"group": group, "answer": answer} for group, answer in _told(started, answers)],
        }
        for started, answers in results
    ]
    return json.dumps({"riskline_room": 2, "activities": held}, indent=2, ensure_ascii=False) + "\n"


def _told(started: StartedActivity, answers: Sequence[StoredAnswer]) -> list[tuple[str, str]]:
    activity = ACTIVITIES[started.kind]
    settings = values_of(activity.settings, started.settings)
    return activity.handed_on(settings, fitting(activity, settings, answers))
