"""All answers of a room as files: a line for each part of each answer, or everything by activity."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from ui.link.fields import pairs_of
from ui.pictures.table import Table
from ui.rooms.meeting import StartedActivity, StoredAnswer

Everything = Iterable[tuple[StartedActivity, Sequence[StoredAnswer]]]
COLUMNS = ("activity", "kind", "participant", "nickname", "group", "part", "answer")


def as_csv(everything: Everything) -> str:
    """One line for each part of each answer, as a link spells it."""
    rows = [
        (
            activity.number,
            activity.kind,
            stored.participant.number,
            stored.participant.nickname,
            stored.participant.group,
            part,
            value,
        )
        for activity, answers in everything
        for stored in answers
        for part, value in pairs_of(stored.answer)
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
                {
                    "participant": stored.participant.number,
                    "nickname": stored.participant.nickname,
                    "group": stored.participant.group,
                    "answer": dict(pairs_of(stored.answer)),
                }
                for stored in answers
            ],
        }
        for activity, answers in everything
    ]
    return json.dumps({"riskline_room": 1, "activities": held}, indent=2, ensure_ascii=False) + "\n"
