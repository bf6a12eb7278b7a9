"""What a reader chooses on *Compare positions*: the parties with their lines, and what they are compared by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from dpcore.promise import Promise
from riskline.case.choices import LINE_FIELDS, PROMISE_FIELDS, case_field
from riskline.case.fields import Field
from riskline.case.line import LineChoice
from riskline.case.promise import asked_about, promise_of, records_together
from ui.views.shared.promise import promise_words

MOST = 6
LONGEST_NAME = 40
STARTS: tuple[tuple[str, LineChoice], ...] = (
    ("Agency", LineChoice(line="cap_or_ratio", cap=0.25, ratio=3.0)),
    ("Advocates", LineChoice(line="constant", ratio=2.0)),
    ("Data users", LineChoice(line="increase", increase=0.4)),
    ("Regulator", LineChoice(line="cap_or_ratio", cap=0.1, ratio=2.0)),
    ("Researchers", LineChoice(line="cap_or_ratio", cap=0.5, ratio=4.0)),
    ("Ministry", LineChoice(line="cap_or_ratio", cap=0.15, ratio=2.5)),
)
ONE_FOR_ALL = {
    False: {"strictest": "Everybody's promise kept", "mean": "Average of the lines"},
    True: {"strictest": "Pointwise minimum", "mean": "Mean of log odds"},
}
"""The one line for all by what it is made of, in the plain and the technical voice."""
SHARED = ("secret", "held")
OWN = tuple(field for field in LINE_FIELDS if field.name not in SHARED)


def read_name(text: str) -> str:
    """A party's name: one line of 1 to 40 characters.

    Raises
    ------
    ValueError
        ``must be 1 to 40 characters; got 55``.

    Examples
    --------
    >>> read_name("  Data   users ")
    'Data users'
    """
    name = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"must be 1 to {LONGEST_NAME} characters; got {len(name)}")
    return name


def told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of which no two are the same to a reader: the number of its position is added to one that another has.

    Examples
    --------
    >>> told_apart(("Agency", "agency", "Advocates"))
    ('Agency (1)', 'agency (2)', 'Advocates')
    """
    ours = (name for voice in ONE_FOR_ALL.values() for name in voice.values())
    heard = Counter(name.casefold() for name in (*names, *ours))
    if all(heard[name.casefold()] == 1 for name in names):
        return names
    numbered = tuple(
        f"{name} ({place})" if heard[name.casefold()] > 1 else name for place, name in enumerate(names, start=1)
    )
    return told_apart(numbered)  # a name may be another's with its number


def _own_fields() -> tuple[Field, ...]:
    made = []
    for place, (name, line) in enumerate(STARTS, start=1):
        label, which = f"Name, at most {LONGEST_NAME} characters", f"{place}"
        made.append(Field(f"name{place}", label, "custom", name, which=which, read=read_name, write=str))
        for field in OWN:
            own = replace(
                field, name=f"{field.name}{place}", which=which, default=getattr(line, field.name), of_case=False
            )
            made.append(own)
    return tuple(made)


FIELDS: tuple[Field, ...] = (
    Field("parties", "Number of positions", "count", 3, low=2, high=MOST),
    Field("edited", "Whose line?", "count", 1, low=1, high=MOST),
    *PROMISE_FIELDS,
    case_field("held"),
    *_own_fields(),
    # links that do not name it were made when the average was what the page began with
    Field("middle", "One line for all", "choice", "mean", options=("strictest", "mean", "none")),
    Field("view", "How the line is looked at", "choice", "posterior", options=("posterior", "ratio", "difference")),
    Field("log", "Logarithmic axis of beliefs", "flag", False),
    Field("total", "Base of the rate, for example births", "count", 4012, low=1, high=1_000_000_000),
    Field("target", "Target per thousand", "number", 6.0, low=0, high=1000),
    Field("deviation", "Truth above the target by, per thousand", "number", 0.25, low=0, high=1000),
)


@dataclass(frozen=True)
class PositionsInputs:
    """What a reader chose on this page: the parties with their lines, and what they are compared by."""

    names: tuple[str, ...] = tuple(name for name, _ in STARTS[:3])
    lines: tuple[LineChoice, ...] = tuple(line for _, line in STARTS[:3])
    edited: int = 1
    unit: str = "person"
    group: int = 1
    relation: str = "add_or_remove"
    middle: str = "mean"
    view: str = "posterior"
    log: bool = False
    total: int = 4012
    target: float = 6.0
    deviation: float = 0.25

    @property
    def called(self) -> tuple[str, ...]:
        """What the positions are called: their names, told apart where two have the same."""
        return told_apart(self.names)

    @property
    def together(self) -> int:
        """Records that belong together."""
        return records_together(self.unit, self.group)

    @property
    def promise(self) -> Promise:
        """What every position is about."""
        secret = "presence" if self.asked == "presence" else "value"
        return promise_of(secret, self.unit, self.group, self.relation)

    @property
    def in_a_room(self) -> dict[str, Any] | None:
        """What the lines of a room are set to be about where they are about the same; None where rooms have no such."""
        about = {"presence": "presence", "value": "value_replaced" if self.relation == "replace" else "value"}
        if self.asked not in about or (self.asked == "presence" and self.relation == "replace"):
            return None
        return {"line_about": about[self.asked], "line_unit": self.unit, "line_group": self.group}

    @property
    def asked(self) -> str:
        """What every line is about: presence, value, or both."""
        return asked_about(self.lines[0].secret, self.lines[0].held)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        return promise_words(self.promise, voice, joint=self.asked == "both")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> PositionsInputs:
        """The inputs from the page's choices by name."""
        numbers = range(1, values["parties"] + 1)
        shared = {name: values[name] for name in SHARED}
        own = [field.name for field in OWN]
        rest = {field.name: values[field.name] for field in fields(cls) if field.name not in ("names", "lines")}
        return cls(
            names=tuple(values[f"name{number}"] for number in numbers),
            lines=tuple(
                LineChoice(**shared, **{name: values[f"{name}{number}"] for name in own}) for number in numbers
            ),
            **rest | {"edited": min(values["edited"], values["parties"])},
        )
