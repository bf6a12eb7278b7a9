"""The lines of a room together: the budget each allows, the middle line, and how many lines a budget keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpcore._properties import cached_property
from dpcore.guarantees import PureDP, Relation
from dpcore.profiles import LinesKept, LogOddsMedian, RiskProfile
from riskline.answers import LineBudget, profile_budget
from riskline.case.line import chosen_profile
from riskline.case.points import Line
from ui.views.room.activity import Answered
from ui.views.room.groups import groups_shown
from ui.views.room.line_question import LineQuestion


def allowed(profile: RiskProfile, question: LineQuestion) -> LineBudget:
    """The budget that a line allows."""
    return profile_budget(profile, question.terms)


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

    def guarantee(self, line: LineBudget) -> PureDP:
        """A release at the budget that a line allows."""
        return PureDP(epsilon=line.epsilon, relation=Relation(self.question.relation))
