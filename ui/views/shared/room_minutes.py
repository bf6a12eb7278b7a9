"""What a memo's minutes tell of a room: numbers, the names of groups and options; nobody's name and no single line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from dpcore.promise import Secret
from riskline.case.choices import FIELDS
from riskline.case.fields import number_text
from riskline.case.promise import UNITS
from riskline.case.sheet import cell_number, decode_sheet, encode_sheet
from ui.words.catalogue import label

WHAT = "minutes of a room"
MOST_PEOPLE = 300
MOST_ROWS = 20
LARGEST = 1e6
"""Of an ε that a line allows; one beyond it is told as none."""


@dataclass(frozen=True)
class GroupLines:
    """The lines of one group: how many, and what the middle one allows; None for no limit."""

    name: str
    lines: int
    middle: float | None


@dataclass(frozen=True)
class LinesMinutes:
    """What was asked and what came out when a room drew lines; budgets of one record, rounded down, None for no limit.

    about : {'presence', 'value', 'value_replaced'}; the secret with what counts as one change
    unit, group : whose secret, and how many records belong together
    lines : how many lines were drawn
    middle, asked, every : what the middle line allows, the budget that was in question, and up to where all lines are
        kept
    kept : how many lines are kept at the budget in question
    groups : the groups that may be told apart
    """

    about: str
    unit: str
    group: int
    lines: int
    middle: float | None
    asked: float | None
    kept: int
    every: float | None
    groups: tuple[GroupLines, ...] = ()


@dataclass(frozen=True)
class OptionVotes:
    """The votes for one option; `before` is None where there was no earlier vote."""

    name: str
    now: int
    before: int | None

    @property
    def epsilon(self) -> float | None:
        """The budget that the option ends with, as Riskline writes it; None where it names none.

        >>> [OptionVotes(name, 3, None).epsilon for name in ("At most 50 in 100 (ε = 2.19)", "ε = 0,5", "yes")]
        [2.19, 0.5, None]
        """
        found = re.search(r"ε\s*=\s*([\d.,]+)\)?$", self.name)
        with suppress(ValueError):
            return _budget("", found[1]) if found else None
        return None


@dataclass(frozen=True)
class RoomMinutes:
    """What a room drew and voted."""

    lines: LinesMinutes | None = None
    question: str = ""
    votes: tuple[OptionVotes, ...] = ()

    @property
    def decided(self) -> OptionVotes | None:
        """The option that has more votes than every other one and names a budget; None where there is none."""
        most = max((option.now for option in self.votes), default=0)
        leading = [option for option in self.votes if option.now == most]
        return leading[0] if len(leading) == 1 and leading[0].epsilon is not None else None


NOTHING = RoomMinutes()


def both(earlier: RoomMinutes, newer: RoomMinutes) -> RoomMinutes:
    """The newer minutes, with what only the earlier ones of the same room tell.

    >>> votes = RoomMinutes(None, "Which?", (OptionVotes("a", 3, None),))
    >>> drawn = RoomMinutes(LinesMinutes("presence", "person", 1, 21, 1.29, 0.9, 14, 0.4))
    >>> both(votes, drawn) == both(drawn, votes)
    True
    """
    question, votes = (newer.question, newer.votes) if newer.votes else (earlier.question, earlier.votes)
    return RoomMinutes(newer.lines or earlier.lines, question, votes)


ABOUT: dict[str, tuple[Secret, str]] = {
    "presence": (Secret.PRESENCE, "add_or_remove"),
    "value": (Secret.VALUE, "add_or_remove"),
    "value_replaced": (Secret.VALUE, "replace"),
}
"""What the lines of a room can be about: the secret with what counts as one change, where there is a promise."""


def write_minutes(minutes: RoomMinutes) -> str:
    """Minutes as text of a link.

    >>> write_minutes(RoomMinutes(LinesMinutes("presence", "person", 1, 21, 1.29, 0.9, 14, 0.4)))
    'lines~presence~person~1~21~1.29~0.9~14~0.4'
    """
    rows: list[Sequence[str]] = []
    drawn = minutes.lines
    if drawn is not None:
        numbers = (_text(drawn.middle), _text(drawn.asked), f"{drawn.kept}", _text(drawn.every))
        rows.append(("lines", drawn.about, drawn.unit, f"{drawn.group}", f"{drawn.lines}", *numbers))
        rows += [("group", each.name, f"{each.lines}", _text(each.middle)) for each in drawn.groups]
    if minutes.votes:
        rows.append(("vote", minutes.question))
        rows += [("option", each.name, f"{each.now}", _text(each.before)) for each in minutes.votes]
    return encode_sheet(rows) if rows else ""


def read_minutes(text: str) -> RoomMinutes:
    """The minutes that a link spells.

    Raises ValueError as `decode_sheet` and `cell_number`; ``row 1 must begin with lines, group, vote or option; got
    …``, ``row 1 must count no more lines kept than drawn; got 14 of 12``.

    >>> read_minutes("lines~presence~person~1~21~1.29~0.9~14~0.4").lines.kept
    14
    """
    drawn: LinesMinutes | None = None
    groups: list[GroupLines] = []
    question, votes = "", []
    for place, row in enumerate(decode_sheet(text, cells=9, most_rows=MOST_ROWS, what=WHAT), start=1):
        at = label("sheet", "minutes.row", place=place)
        if row[0] == "lines":
            drawn = _lines(at, row)
        elif row[0] == "group":
            groups.append(GroupLines(row[1], _people(at, row[2]), _budget(at, row[3])))
        elif row[0] == "vote":
            question = row[1]
        elif row[0] == "option":
            votes.append(OptionVotes(row[1], _people(at, row[2]), _people(at, row[3]) if row[3] else None))
        else:
            raise ValueError(label("sheet", "minutes.begin", at=at, got=repr(row[0])))
    if drawn is not None:
        drawn = LinesMinutes(**vars(drawn) | {"groups": tuple(groups)})
    return RoomMinutes(drawn, question, tuple(votes))


def _lines(at: str, row: Sequence[str]) -> LinesMinutes:
    about, unit = row[1], row[2]
    if about not in ABOUT or unit not in UNITS:
        raise ValueError(label("sheet", "minutes.about", at=at, about=repr(about), unit=repr(unit)))
    group = _whole(at, row[3], FIELDS["group"].low, FIELDS["group"].high)
    lines, kept = _people(at, row[4]), _people(at, row[7] or "0")
    if kept > lines:
        raise ValueError(label("sheet", "minutes.kept", at=at, kept=kept, lines=lines))
    return LinesMinutes(about, unit, group, lines, _budget(at, row[5]), _budget(at, row[6]), kept, _budget(at, row[8]))


def _people(at: str, cell: str) -> int:
    return _whole(at, cell, 0, MOST_PEOPLE)


def _whole(at: str, cell: str, low: float, high: float) -> int:
    number = cell_number(at, cell, low, high)
    if not number.is_integer():
        raise ValueError(label("sheet", "minutes.whole", at=at, got=repr(cell)))
    return int(number)


def _budget(at: str, cell: str) -> float | None:
    return cell_number(at, cell, 0, LARGEST) if cell else None


def _text(value: float | None) -> str:
    return "" if value is None or value > LARGEST else number_text(value)
