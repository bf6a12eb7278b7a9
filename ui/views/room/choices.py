"""What a moderator chooses on the page of a room: its groups, what happens next, and how that is set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from riskline.case.fields import Field
from ui.rooms.codes import read_code, read_key
from ui.views.room.activities import ACTIVITIES, LATE
from ui.views.room.activity import Activity
from ui.views.room.typed import MOST_GROUPS, read_groups, write_groups


def code_field() -> Field:
    """The code of a room in an address and in a box; empty where there is none yet."""
    return Field(
        "code",
        "Code of the room",
        "custom",
        "",
        read=lambda text: read_code(text) if text.strip() else "",
        write=str,
        private=True,
        help="Six letters and digits, as they stand on the wall",
    )


def key_field(name: str, label: str) -> Field:
    """A key in an address: of the moderator, or of one participant."""
    return Field(name, label, "custom", "", read=lambda text: read_key(text) if text else "", write=str, private=True)


SETTINGS = tuple(
    field
    for kind, activity in ACTIVITIES.items()
    for field in activity.settings
    if field.name not in LATE.get(kind, ())
)

FIELDS: tuple[Field, ...] = (
    code_field(),
    key_field("key", "The moderator's key"),
    key_field("wall", "The key of the wall"),
    Field(
        "groups",
        f"Groups, at most {MOST_GROUPS}",
        "custom",
        (),
        read=read_groups,
        write=write_groups,
        help="Between semicolons: agency; advocates; data users",
    ),
    Field("activity", "What happens next", "choice", next(iter(ACTIVITIES)), options=tuple(ACTIVITIES)),
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
