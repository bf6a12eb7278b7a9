"""What a moderator chooses on the page of a room: its groups, what happens next, how that is set; all answers as files.

Of a survey with coins the files have the answers alone, sorted: neither who gave them nor in which order they came.
"""

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
from ui.views.room.activity import Activity, read_groups
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


Everything = Iterable[tuple[StartedActivity, Sequence[StoredAnswer]]]
WHO = ("participant", "nickname", "group")
COLUMNS = ("activity", "kind", *WHO, "part", "answer")


def as_csv(everything: Everything) -> str:
    """One line for each part of each answer, as a link spells it."""
    rows = [
        (activity.number, activity.kind, *who, part, value)
        for activity, answers in everything
        for who, answer in _taken(activity, answers)
        for part, value in pairs_of(answer)
    ]
    return Table("", COLUMNS, tuple(rows)).as_csv()


def as_json(everything: Everything) -> str:
    """Every activity with its settings and answers, as links spell them."""
    held = [
        {
            "activity": activity.number,
            "kind": activity.kind,
            "settings": dict(pairs_of(activity.settings)),
            "answers": [
                {name: told for name, told in zip(WHO, who, strict=True) if not ACTIVITIES[activity.kind].nameless}
                | {"answer": dict(pairs_of(answer))}
                for who, answer in _taken(activity, answers)
            ],
        }
        for activity, answers in everything
    ]
    return json.dumps({"riskline_room": 1, "activities": held}, indent=2, ensure_ascii=False) + "\n"


def _taken(activity: StartedActivity, answers: Sequence[StoredAnswer]) -> list[tuple[tuple[int | str, str, str], str]]:
    """Who gave each answer, and the answer; of a survey with coins nobody, in an order that tells nothing."""
    if ACTIVITIES[activity.kind].nameless:
        return [(("", "", ""), answer) for answer in sorted(stored.answer for stored in answers)]
    return [
        ((stored.participant.number, stored.participant.nickname, stored.participant.group), stored.answer)
        for stored in answers
    ]
