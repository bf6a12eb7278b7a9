"""What an activity of a room is, and what activities share: typed lines, groups that may be told, stacks of people."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from typing import Any
from urllib.parse import urlencode

from riskline.case.declaration import custom
from riskline.case.fields import Field, pairs_of, shown
from ui.link.page_table import PageLink
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.meeting import FEWEST, MOST_GROUPS, Participant, StoredAnswer
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import label, option_words, say
from ui.words.python_lines import CodeLines

LONGEST_NAME = 40
Values = Mapping[str, Any]
"""Settings of an activity, or the parts of an answer, by name."""
STACKS = 40
"""So many stacks side by side fill a picture."""
MOST_TICKS = 8


@dataclass(frozen=True)
class Asked:
    """The question of an activity in words, on the wall and on every phone; a line of help below it."""

    question: str
    help: str = ""


@dataclass(frozen=True)
class ParticipantAnswer:
    """One participant's answer, decoded and judged, and who gave it."""

    who: Participant
    values: Values

    def group_in(self, told: frozenset[str]) -> str:
        """The group of whoever gave it, where that is one of those that are told."""
        return self.who.group if self.who.group in told else ""


Answers = Sequence[ParticipantAnswer]


@dataclass(frozen=True)
class Wall:
    """What the wall shows of an activity once its result is shown."""

    answer: str
    small_print: str
    picture: Picture | None = None
    more: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    sentences: tuple[str, ...] = ()
    ways: tuple[PageLink, ...] = ()
    counted: tuple[tuple[int, int], ...] = ()  # of a game: how many rounds count, by how many somebody played
    vote: tuple[str, tuple[str, ...]] | None = None  # what can be put to the vote next: a question and its options
    python: CodeLines | None = None
    stated: tuple[StatedBelief, ...] = ()

    @property
    def vote_settings(self) -> Values:
        """The same as settings of the vote; empty where there is nothing to vote on."""
        return dict(zip(("vote_question", "vote_options"), self.vote or (), strict=False))


class Activity(ABC):
    """One kind of activity; a value without state, whose words stand in the catalogue under its kind.

    `settings` are fields of the page `room` and `answers` fields of the page `join`, so both are judged by the same
    rules and words as every other choice of Riskline, and the database holds them as a link spells them.
    """

    kind: str
    settings: tuple[Field, ...]
    answers: tuple[Field, ...]
    first_answer_stays = False
    """Whether what was answered stays: it can be gone on from, and not changed."""
    after: tuple[str, ...] = ()
    """Settings that a moderator may still change while the result is on the wall."""
    late: tuple[str, ...] = ()
    """Settings that a moderator is asked for once answers are closed; the database holds them, and no address does."""
    scripted: tuple[str, ...] = ()
    """Settings that a line of a script names, between semicolons; the last of them is the rest of the line."""
    tallied = False
    """Whether answers are only counted: which one is whose, not even the database knows."""
    counts_all = False
    """Whether the result holds everybody who was in the room, with an empty answer from who gave none."""
    by_group = False
    """Whether the result tells groups apart."""

    @property
    def goes_on(self) -> bool:
        """Whether an answer is gone on from: what was answered stays, and its sender is known."""
        return self.first_answer_stays and not self.tallied

    @property
    def title(self) -> str:
        """What it is called."""
        return label(f"room_{self.kind}", "title")

    @property
    def purpose(self) -> str:
        """What happens in it."""
        return label(f"room_{self.kind}", "purpose")

    def options(self, setting: str) -> Mapping[str, str]:
        """The words of each option of a setting."""
        return option_words(f"room_{self.kind}", setting)

    def named_in_script(self, rest: str) -> tuple[Mapping[str, str], str]:
        """The settings that a line of a script names, as `rho = 0.1` between semicolons, and the line without them.

        They have the names of a link, without the kind. What else would be no setting, no question and no option is
        refused where it looks like a setting.
        """
        names = {field.name.removeprefix(f"{self.kind}_"): field.name for field in self.settings}
        named, asked = {}, []
        for part in filter(None, map(str.strip, rest.split(";"))):
            name, equals, typed = (piece.strip() for piece in part.partition("="))
            if equals and name in names:
                named[names[name]] = typed
            elif equals and not self.asks_in_script:
                raise ValueError(label("room", "no_setting", title=self.title, names=", ".join(names), got=shown(part)))
            else:
                asked.append(part)
        return named, "; ".join(asked)

    @property
    def asks_in_script(self) -> bool:
        """Whether a line of a script says what is asked."""
        return bool(self.scripted)

    def in_script(self, rest: str) -> Mapping[str, str]:
        """The settings that a line of a script names after the title, as typed; what none of them takes is a remark."""
        parts = map(str.strip, rest.split(";", max(len(self.scripted) - 1, 0)))
        return {name: typed for name, typed in zip(self.scripted, parts, strict=False) if typed}

    def earlier_activity(self, settings: Values) -> int:
        """Number of an earlier activity of the room whose answers are shown beside these; 0 for none."""
        return 0

    def kept(self, settings: Values) -> dict[str, Any]:
        """How the store keeps what is answered to it."""
        return {
            "first_answer_stays": self.first_answer_stays,
            "beside": self.earlier_activity(settings),
            "counts_all": self.counts_all,
            "tallied_question": self.asked(settings, Style()).question if self.tallied else None,
        }

    def handed_on(self, settings: Values, answers: Answers) -> list[tuple[str, str]]:
        """Group and answer of everybody as a file has them: as the wall told them, in an order that tells nothing.

        Beside an earlier activity no group is told: who came or went between the two could be alone in the difference.
        """
        field, apart = self.answers[0], self.by_group and not self.earlier_activity(settings)
        told = groups_shown([answer.who.group for answer in answers]) if apart else frozenset()
        return sorted((answer.group_in(told), field.encode(answer.values[field.name])) for answer in answers)

    @abstractmethod
    def asked(self, settings: Values, style: Style) -> Asked:
        """The question in words."""

    @abstractmethod
    def judged(self, settings: Values, values: Values) -> Mapping[str, Any]:
        """The values of one answer where they fit these settings; `ValueError` with a sentence where they do not."""

    def begun(self, settings: Values) -> Values:
        """The settings with what is drawn when it is started."""
        return settings

    def forecast(self, people: int, style: Style) -> str:
        """What is told before it is started, of so many people; nothing of most."""
        return ""

    def finished(self, settings: Values, values: Values) -> bool:
        """Whether an answer that stays is whole, and nothing more is wanted of who gave it."""
        return True

    def progress(self, settings: Values, people: int, lengths: Sequence[int], style: Style) -> str:
        """How far people are, from the lengths of answers that are gone on from; nothing where none are."""
        return ""

    def own_words(self, settings: Values, values: Values, style: Style) -> str:
        """What one participant is told about their own answer, on their own device; nothing where a table tells it."""
        return ""

    def counted(self, wall: Wall, values: Values) -> Values:
        """The part of an answer that a result counts."""
        return values

    def with_own(self, picture: Picture, settings: Values, own: ParticipantAnswer, style: Style) -> Picture:
        """The picture of a result with one participant's own answer in it, for their own device."""
        return picture

    @abstractmethod
    def summary(self, settings: Values, answers: Answers, style: Style, earlier: Answers = ()) -> Wall:
        """What the wall shows of these answers, one or more; `earlier` are those of what `earlier_activity` names."""


class InRounds(Activity):
    """An activity whose answer has one part, to which every round adds."""

    first_answer_stays = True
    letters = 1
    """Letters that a round adds to the answer as it is kept."""
    progress_page = "room_attack"
    """Whose passage tells how far people are."""

    @abstractmethod
    def rounds(self, settings: Values) -> int:
        """How many rounds there are."""

    def finished(self, settings: Values, values: Values) -> bool:
        """After the last round."""
        return len(values[self.answers[0].name]) >= self.rounds(settings)

    def progress(self, settings: Values, people: int, lengths: Sequence[int], style: Style) -> str:
        """How many have finished all rounds, and how many are at which; whoever has sent nothing is at the first."""
        before, last = len(text_of(self.answers, {})), self.rounds(settings)
        made = Counter((length - before) // self.letters for length in lengths)
        made[0] += people - len(lengths)
        at = [label("room_attack", "at_round", n=f"{made[n]:,}", round=n + 1) for n in reversed(range(last)) if made[n]]
        words = {"finished": f"{made[last]:,}", "people": f"{people:,}", "at": "".join(at)}
        return say(self.progress_page, style.voice, "progress", **words)


def passage_of(page: str, style: Style, name: str, **words: object) -> str:
    """A passage of a page, or of an activity, in the reader's voice."""
    return say(page, style.voice, name, **words)


def letters(pattern: str, rule: str) -> Any:
    """A choice of letters as this pattern has them, refused by this rule where they are others."""

    def read(text: str) -> str:
        if not re.fullmatch(pattern, text, re.ASCII):
            raise ValueError(f"must be {rule}; got {shown(text)!r}")
        return text

    return custom("", read=read)


def text_of(fields: Sequence[Field], values: Values) -> str:
    """The values of these fields as the database holds them: every one, as a link spells it.

    >>> text_of([Field("number", "Your guess", "number", 0.5)], {"number": 0.25})
    'number=0.25'
    """
    return urlencode([(field.name, field.encode(values.get(field.name, field.default))) for field in fields])


def values_of(fields: Sequence[Field], text: str) -> dict[str, Any]:
    """The values that a text of the database, or of a browser, stands for.

    >>> values_of([Field("number", "Your guess", "number", 0.5, low=0, high=1)], "number=25%25")
    {'number': 0.25}
    """
    table = {field.name: field for field in fields}
    given = pairs_of(text)
    names = [name for name, _ in given]
    if len(set(names)) < len(names) or not set(names) <= set(table):
        raise ValueError("An answer must name each of its parts once and nothing else")
    return {name: field.default for name, field in table.items()} | {
        name: table[name].decode(typed) for name, typed in given
    }


def fitting(activity: Activity, settings: Any, answers: Sequence[StoredAnswer]) -> tuple[ParticipantAnswer, ...]:
    """The answers that fit the question, decoded and judged by the rules of the page that took them; no other ones."""
    found: list[ParticipantAnswer] = []
    for stored in answers:
        with suppress(ValueError):
            values = activity.judged(settings, values_of(activity.answers, stored.answer))
            found.append(ParticipantAnswer(stored.participant, values))
    return tuple(found)


def read_line(text: str, longest: int = LONGEST_NAME) -> str:
    r"""One line of printable characters, at most so many; empty where nothing was typed.

    >>> read_line("  Ada  of the\ncensus ")
    'Ada of the census'
    """
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    if len(line) > longest:
        raise ValueError(f"must be at most {longest} characters; got {len(line)}")
    return line


def read_groups(text: str) -> tuple[str, ...]:
    """The groups of a room between semicolons, commas or lines: at most six, told apart whatever their capitals.

    >>> read_groups("agency; advocates; data users")
    ('agency', 'advocates', 'data users')
    """
    names = [read_line(name) for name in text.replace(",", ";").replace("\n", ";").split(";")]
    groups = tuple(name for name in names if name)
    if len(groups) > MOST_GROUPS:
        raise ValueError(f"must be at most {MOST_GROUPS} groups; got {len(groups)}")
    if len({name.casefold() for name in groups}) < len(groups):
        raise ValueError(f"must have different names; got {shown(text)!r}")
    return groups


def groups_shown(groups: Sequence[str]) -> frozenset[str]:
    """The groups whose answers are marked as theirs, from the group of each answer (empty where none was chosen).

    A group has three answers or more. What is not told must not tell a group either: it is nothing, or three answers or
    more, which are then of two groups at least or of people without one; the smallest told group goes untold until so.

    >>> sorted(groups_shown(["agency"] * 4 + ["advocates"] * 3))
    ['advocates', 'agency']
    >>> sorted(groups_shown(["agency"] * 4 + ["advocates"] * 3 + ["users"] * 2))  # two lines left over would be theirs
    ['agency']
    """
    counted = Counter(groups)
    told = {group for group, answers in counted.items() if group and answers >= FEWEST}
    while told:
        untold = [group for group in groups if group not in told]
        if not untold or len(untold) >= FEWEST:
            break
        told.remove(min(told, key=lambda group: (counted[group], group)))
    return frozenset(told)


def stacked(values: Sequence[float], low: float, high: float, taken: dict[int, int] | None = None) -> list[int]:
    """How high each value lies on those before it in its stack, from 1; `taken` holds what other marks fill.

    >>> stacked([1.0, 1.01, 2.0, 1.02], 1.0, 2.0)
    [1, 2, 1, 3]
    """
    heights = {} if taken is None else taken
    width = (high - low) / STACKS or 1.0
    found = []
    for value in values:
        stack = int((value - low) / width)
        heights[stack] = heights.get(stack, 0) + 1
        found.append(heights[stack])
    return found


def step_of_people(most: int) -> int:
    """How many people lie between two ticks of an axis that counts so many: whole ones, and few ticks.

    >>> step_of_people(2), step_of_people(300)
    (1, 38)
    """
    return max(1, ceil(most / MOST_TICKS))
