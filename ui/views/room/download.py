"""All answers of a room as files: a line for each part of each answer, or everything by activity.

Of a survey with coins the answers alone, sorted: neither who gave them nor in which order they came.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from riskline.case.fields import pairs_of
from ui.pictures.table import Table
from ui.rooms.meeting import StartedActivity, StoredAnswer
from ui.views.room.activities import NAMELESS

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
                {name: told for name, told in zip(WHO, who, strict=True) if activity.kind not in NAMELESS}
                | {"answer": dict(pairs_of(answer))}
                for who, answer in _taken(activity, answers)
            ],
        }
        for activity, answers in everything
    ]
    return json.dumps({"riskline_room": 1, "activities": held}, indent=2, ensure_ascii=False) + "\n"


def _taken(activity: StartedActivity, answers: Sequence[StoredAnswer]) -> list[tuple[tuple[int | str, str, str], str]]:
    """Who gave each answer, and the answer; of a survey with coins nobody, in an order that tells nothing."""
    if activity.kind in NAMELESS:
        return [(("", "", ""), answer) for answer in sorted(stored.answer for stored in answers)]
    return [
        ((stored.participant.number, stored.participant.nickname, stored.participant.group), stored.answer)
        for stored in answers
    ]
