"""What a reader chooses on *Compare positions*: the parties with their lines, and what they are compared by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from dpcore.promise import Promise
from riskline.case.choices import LINE_FIELDS
from riskline.case.declaration import count, flag, of_case, option
from riskline.case.fields import Field
from riskline.case.line import LineChoice
from riskline.case.promise import asked_about, promise_of, records_together
from ui.link.page_fields import fields_of
from ui.views.shared.promise import promise_words
from ui.words.catalogue import VOICES, label, say
from ui.words.quantities import Typed, whole

MOST = 6
LONGEST_NAME = 40
STARTS: tuple[tuple[str, LineChoice], ...] = tuple(
    (label("positions", f"party.{place}"), line)
    for place, line in enumerate(
        (
            LineChoice(line="cap_or_ratio", cap=0.25, ratio=3.0),
            LineChoice(line="constant", ratio=2.0),
            LineChoice(line="increase", increase=0.4),
            LineChoice(line="cap_or_ratio", cap=0.1, ratio=2.0),
            LineChoice(line="cap_or_ratio", cap=0.5, ratio=4.0),
            LineChoice(line="cap_or_ratio", cap=0.15, ratio=2.5),
        ),
        start=1,
    )
)
MIDDLES = ("strictest", "mean", "none")
SHARED = ("secret", "held")
OWN = tuple(field for field in LINE_FIELDS if field.name not in SHARED)


def read_name(text: str) -> str:
    """A party's name: one line of 1 to 40 characters.

    Raises ValueError: ``must be 1 to 40 characters; got 55``.

    >>> read_name("  Data   users ")
    'Data users'
    """
    name = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"must be 1 to {LONGEST_NAME} characters; got {len(name)}")
    return name


def told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of which no two are the same to a reader: the number of its position is added to one that another has.

    >>> told_apart(("Agency", "agency", "Advocates"))
    ('Agency (1)', 'agency (2)', 'Advocates')
    """
    ours = (say("positions", voice, f"one_for_all_{middle}") for voice in VOICES for middle in MIDDLES[:2])
    heard = Counter(name.casefold() for name in (*names, *ours))
    if all(heard[name.casefold()] == 1 for name in names):
        return names
    numbered = tuple(
        f"{name} ({place})" if heard[name.casefold()] > 1 else name for place, name in enumerate(names, start=1)
    )
    return told_apart(numbered)  # a name may be another's with its number


@dataclass(frozen=True)
class AllPositions:
    """How many positions there are, and the beliefs that all of them are about."""

    parties: int = count(3, low=2, high=MOST)
    secret: str = of_case("secret")
    held: float = of_case("held")


@dataclass(frozen=True)
class PositionsInputs:
    """What a reader chose on this page: the parties with their lines, and what they are compared by."""

    names: tuple[str, ...] = tuple(name for name, _ in STARTS[:3])
    lines: tuple[LineChoice, ...] = tuple(line for _, line in STARTS[:3])
    edited: int = count(1, low=1, high=MOST)
    unit: str = of_case("unit")
    group: int = of_case("group")
    relation: str = of_case("relation")
    hidden: str = of_case("hidden")
    one: str = of_case("one")
    # links that do not name it were made when the average was what the page began with
    middle: str = option(*MIDDLES, default="mean")
    view: str = option("posterior", "ratio", "difference")
    log: bool = flag()

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
        joint = self.asked == "both"
        return promise_words(self.promise, voice, joint=joint, hidden=self.hidden, one=self.one)

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


def _of_party(place: int, name: str, line: LineChoice) -> Iterator[Field]:
    """The name and the line of one position, as choices of this page."""
    called = label("positions", "name", longest=Typed(LONGEST_NAME, whole))
    yield Field(f"name{place}", called, "custom", name, which=f"{place}", read=read_name, write=str)
    for field in OWN:
        own = {"name": f"{field.name}{place}", "default": getattr(line, field.name)}
        own |= {"options": field.offered, "undecided": None}  # a position has a line
        yield replace(field, **own, which=f"{place}", of_case=False)


FIELDS = (
    *fields_of("positions", AllPositions),
    *fields_of("positions", PositionsInputs),
    *(field for place, start in enumerate(STARTS, start=1) for field in _of_party(place, *start)),
)
