"""What an activity of a room is: what the moderator sets, what a participant answers, what the wall says of it all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

from riskline.case.fields import Field, pairs_of
from ui.link.page_link import PageLink
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.promise import StatedBelief
from ui.words.python_lines import CodeLines
from ui.words.refusals import refusal_words


@dataclass(frozen=True)
class Asked:
    """The question of an activity in words, on the wall and on every phone; a line of help below it."""

    question: str
    help: str = ""


@dataclass(frozen=True)
class Answered:
    """One participant's answer, decoded and judged; nickname and group are empty where none was given."""

    participant: int
    nickname: str
    group: str
    values: Mapping[str, Any]


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
    python: CodeLines | None = None
    stated: tuple[StatedBelief, ...] = ()


class Activity(Protocol):
    """One kind of activity; a value without state.

    `settings` are fields of the page `room` and `answers` fields of the page `join`, so both are judged by the same
    rules and words as every other choice of Riskline, and the database holds them as a link spells them. `option_words`
    are the words of each option of a setting that is a choice.
    """

    kind: str
    title: str
    purpose: str
    settings: tuple[Field, ...]
    answers: tuple[Field, ...]
    first_answer_stays: bool
    option_words: Mapping[str, Mapping[str, str]]

    def asked(self, settings: Mapping[str, Any], style: Style) -> Asked:
        """The question in words."""

    def judged(self, settings: Mapping[str, Any], values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values of one answer where they fit these settings; `ValueError` with a sentence where they do not."""

    def own_words(self, settings: Mapping[str, Any], values: Mapping[str, Any], style: Style) -> str:
        """What one participant is told about their own answer, on their own device."""

    def summary(
        self,
        settings: Mapping[str, Any],
        answers: Sequence[Answered],
        style: Style,
        earlier: Sequence[Answered] = (),
    ) -> Wall:
        """What the wall shows of these answers; `earlier` are those of the activity that `earlier_activity` names."""

    def earlier_activity(self, settings: Mapping[str, Any]) -> int:
        """Number of an earlier activity of the room whose answers are shown beside these; 0 for none."""


def text_of(fields: Sequence[Field], values: Mapping[str, Any]) -> str:
    """The values of these fields as the database holds them: every one, as a link spells it.

    Examples
    --------
    >>> text_of([Field("number", "Your guess", "number", 0.5)], {"number": 0.25})
    'number=0.25'
    """
    return urlencode([(field.name, field.encode(values.get(field.name, field.default))) for field in fields])


def values_of(fields: Sequence[Field], text: str) -> dict[str, Any]:
    """The values that a text of the database, or of a browser, stands for.

    Raises
    ------
    ValueError
        The sentence of the first value that its field refuses, a name that is none of the fields', or one named twice.

    Examples
    --------
    >>> values_of([Field("number", "Your guess", "number", 0.5, low=0, high=1)], "number=25%25")
    {'number': 0.25}
    """
    table = {field.name: field for field in fields}
    given = pairs_of(text)
    names = [name for name, _ in given]
    if len(set(names)) < len(names) or not set(names) <= set(table):
        raise ValueError("An answer must name each of its parts once and nothing else")
    values = {name: field.default for name, field in table.items()}
    for name, typed in given:
        try:
            values[name] = table[name].decode(typed)
        except ValueError as error:
            raise ValueError(refusal_words(error)) from None
    return values
