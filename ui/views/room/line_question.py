"""What the lines of a room are about: the promise that every one of them is drawn for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpcore.promise import Promise
from riskline.answers import Terms, standing
from riskline.case.choices import FIELDS as CASE_FIELDS
from riskline.case.choices import GROUPS
from riskline.case.fields import Field
from riskline.case.points import Line
from riskline.case.promise import promise_of, records_together
from riskline.case.value import Case
from ui.views.choose import ChooseInputs
from ui.views.shared.promise import promise_words
from ui.views.shared.room_minutes import ABOUT
from ui.words.catalogue import option_words

ABOUT_WORDS = {
    "presence": "whether somebody is in the data",
    "value": "which value somebody has; records are added or removed",
    "value_replaced": "which value somebody has; everybody is known to be in the data",
}


def _group_called(values: Mapping[str, Any]) -> tuple[str, str]:
    return GROUPS.get(values["line_unit"], CASE_FIELDS["group"].label), ""


FIELDS: tuple[Field, ...] = (
    Field("line_about", "What must stay secret?", "choice", "presence", options=tuple(ABOUT)),
    replace(CASE_FIELDS["unit"], name="line_unit", of_case=False),
    replace(CASE_FIELDS["group"], name="line_group", called=_group_called, of_case=False),
)


def beginning_with_case(fields: Iterable[Field], case: Case) -> tuple[Field, ...]:
    """The settings of a room, whose question about lines begins as that of the case it is opened with.

    Examples
    --------
    >>> begins = beginning_with_case(FIELDS, Case(secret="value", relation="replace", unit="household", group=4))
    >>> [field.default for field in begins]
    ['value_replaced', 'household', 4]
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
        return "presence" if self.about == "presence" else "value"

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
        return promise_of(ABOUT[self.about][0].value, self.unit, self.group, self.relation)

    @property
    def terms(self) -> Terms:
        """What the budget of a line is asked for."""
        return Terms(unit=self.unit, group=self.group, relation=self.relation)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        return promise_words(self.promise, voice)

    def choices(self, points: Line, interview: str = "") -> ChooseInputs:
        """A line of the room as *Choose a budget* has it."""
        return ChooseInputs(
            secret=self.secret,
            line="drawn",
            points=points,
            unit=self.unit,
            group=self.group,
            relation=self.relation,
            interview=interview,
        )


OPTION_WORDS = {"line_about": ABOUT_WORDS, "line_unit": option_words("case", "unit")}
