"""The lines of a room: what they are about, the budget each allows, the middle line, how many a budget keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpcore._properties import cached_property
from dpcore.profiles import LinesKept, LogOddsMedian, RiskProfile
from dpcore.promise import Promise
from riskline.answers import LineBudget, Terms, profile_budget, standing
from riskline.case.choices import FIELDS as CASE_FIELDS
from riskline.case.choices import GROUPS
from riskline.case.declaration import number, of_case, option
from riskline.case.fields import Field
from riskline.case.line import chosen_profile
from riskline.case.points import Line
from riskline.case.promise import promise_of, records_together
from riskline.case.value import Case
from ui.views.choose import ChooseInputs
from ui.views.room.activity import Answered, groups_shown
from ui.views.shared.promise import promise_words
from ui.views.shared.room_minutes import ABOUT

PAGE = "room_line"


def _group_called(values: Mapping[str, Any]) -> tuple[str, str]:
    return GROUPS.get(values["line_unit"], CASE_FIELDS["group"].label), ""


@dataclass(frozen=True)
class LineSettings:
    """What a moderator sets of lines to be drawn."""

    line_about: str = option(*ABOUT)
    line_unit: str = of_case("unit", of_case=False)
    line_group: int = of_case("group", called=_group_called, of_case=False)
    line_epsilon: float = number(0.0, low=0, high=1000)


def beginning_with_case(fields: Iterable[Field], case: Case) -> tuple[Field, ...]:
    """The settings of a room, whose question about lines begins as that of the case it is opened with.

    >>> from ui.link.page_fields import fields_of
    >>> begins = beginning_with_case(
    ...     fields_of(PAGE, LineSettings), Case(secret="value", relation="replace", unit="household", group=4)
    ... )
    >>> [field.default for field in begins]
    ['value_replaced', 'household', 4, 0.0]
    """
    if case.is_example:
        return tuple(fields)
    about = "presence" if case["secret"] == "presence" else "value"
    about += "_replaced" if about == "value" and case["relation"] == "replace" else ""
    budget = standing(case).budget
    begins = {"line_about": about, "line_unit": case["unit"], "line_group": case["group"]}
    if budget is not None and budget.currency == "epsilon":
        begins["line_epsilon"] = budget.value
    return tuple(replace(field, default=begins.get(field.name, field.default)) for field in fields)


@dataclass(frozen=True)
class LineQuestion:
    """The secret, whose it is, and what counts as one change."""

    about: str = "presence"
    unit: str = "person"
    group: int = 1

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> LineQuestion:
        """The question of an activity's settings."""
        return cls(settings["line_about"], settings["line_unit"], settings["line_group"])

    @property
    def secret(self) -> str:
        """What must stay secret: "presence" or "value"."""
        return ABOUT[self.about][0].value

    @property
    def relation(self) -> str:
        """What counts as one change."""
        return ABOUT[self.about][1]

    @property
    def together(self) -> int:
        """Records that belong together."""
        return records_together(self.unit, self.group)

    @property
    def promise(self) -> Promise:
        """What every line is about."""
        return promise_of(self.secret, self.unit, self.group, self.relation)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        return promise_words(self.promise, voice)

    def choices(self, points: Line, interview: str = "") -> ChooseInputs:
        """A line of the room as *Choose a budget* has it."""
        asked: dict[str, Any] = {name: getattr(self, name) for name in ("secret", "unit", "group", "relation")}
        return ChooseInputs(line="drawn", points=points, interview=interview, **asked)


def allowed(profile: RiskProfile, question: LineQuestion) -> LineBudget:
    """The budget that a line allows."""
    return profile_budget(profile, Terms(unit=question.unit, group=question.group, relation=question.relation))


def profile_of(points: Line, question: LineQuestion) -> RiskProfile:
    """A drawn line as a profile of risk."""
    return chosen_profile(question.choices(points).line_choice)


@dataclass(frozen=True)
class LinesDrawn:
    """Every line of a room with its group, in an order that tells nothing about who drew it."""

    question: LineQuestion
    points: tuple[Line, ...]
    groups: tuple[str, ...]

    @classmethod
    def of(cls, question: LineQuestion, answers: Sequence[Answered]) -> LinesDrawn:
        """The lines of these answers; a group that may not be told apart is nobody's."""
        told = groups_shown([answer.group for answer in answers])
        drawn = sorted(
            (answer.values["line_points"], answer.group if answer.group in told else "") for answer in answers
        )
        return cls(question, tuple(points for points, _ in drawn), tuple(group for _, group in drawn))

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self.points)

    @property
    def told(self) -> tuple[str, ...]:
        """The groups that are told apart, by name."""
        return tuple(sorted({group for group in self.groups if group}, key=str.casefold))

    @cached_property
    def lines(self) -> tuple[LineBudget, ...]:
        """Each line with its budget."""
        return tuple(allowed(profile_of(points, self.question), self.question) for points in self.points)

    @cached_property
    def middle(self) -> LineBudget:
        """The middle line of all."""
        return self._middle_of(self.lines)

    @cached_property
    def middles(self) -> tuple[LineBudget, ...]:
        """The middle line of each group that is told."""
        return tuple(self._middle_of(self.of_group(group)) for group in self.told)

    def of_group(self, group: str) -> tuple[LineBudget, ...]:
        """The lines of a group; of "" those of no group that is told."""
        return tuple(line for line, own in zip(self.lines, self.groups, strict=True) if own == group)

    def _middle_of(self, lines: Sequence[LineBudget]) -> LineBudget:
        return allowed(LogOddsMedian([line.profile for line in lines]), self.question)

    @cached_property
    def kept(self) -> LinesKept:
        """How many lines a budget of one record keeps."""
        return LinesKept([line.limit for line in self.lines])

    @property
    def strictest(self) -> LineBudget:
        """The line that allows least."""
        return min(self.lines, key=lambda line: line.limit)
