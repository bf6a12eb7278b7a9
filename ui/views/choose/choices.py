"""What a reader chooses on *Choose a budget*: the line, the guarantee, the releases, the unit."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dpcore.promise import Promise
from riskline.answers import Terms
from riskline.case.choices import LINE_FIELDS, case_field
from riskline.case.fields import Field, of_session
from riskline.case.line import LineChoice
from riskline.case.promise import asked_about, promise_of
from ui.views.shared.promise import promise_words

FIELDS: tuple[Field, ...] = (
    *LINE_FIELDS,
    Field("view", "How the line is looked at", "choice", "posterior", options=("posterior", "ratio", "difference")),
    Field("log", "Logarithmic axis of beliefs", "flag", False),
    *map(case_field, ("guarantee", "route", "delta", "failure", "releases", "release", "unit", "group", "relation")),
    of_session(Field("population", "Public values, for example 1, 2, 3, 4", "text", "")),
    Field("statistic", "Statistic", "choice", "mean", options=("mean", "median")),
    *map(case_field, ("interview", "hidden", "one")),
    Field("p_cut", "Cut: belief of being in the data", "number", 1.0, low=0.01, high=1, step=0.01),
    Field("q_cut", "Cut: belief about the value", "number", 0.1, low=0.01, high=1, step=0.01),
)


@dataclass(frozen=True)
class ChooseInputs(LineChoice):
    """What a reader chose on this page."""

    view: str = "posterior"
    log: bool = False
    guarantee: str = "pure"
    route: str = "direct"
    delta: float = 1e-6
    failure: float = 0.01
    releases: int = 1
    release: str = "anything"
    unit: str = "person"
    group: int = 1
    relation: str = "add_or_remove"
    population: str = ""
    statistic: str = "mean"
    interview: str = ""
    hidden: str = ""
    one: str = ""
    p_cut: float = 1.0
    q_cut: float = 0.1

    @property
    def line_choice(self) -> LineChoice:
        """The line alone."""
        return LineChoice(**{field.name: getattr(self, field.name) for field in fields(LineChoice)})

    @property
    def terms(self) -> Terms:
        """What the line's budget is asked for."""
        return Terms(**{field.name: getattr(self, field.name) for field in fields(Terms)})

    @property
    def asked(self) -> str:
        """What the line is about: presence, value, or being in and having the value."""
        return asked_about(self.secret, self.held)

    @property
    def promise(self) -> Promise:
        """The promise; `ValueError` where the choices contradict each other."""
        secret = "presence" if self.asked == "presence" else "value"
        return promise_of(secret, self.unit, self.group, self.relation)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        release = "count" if self.release == "count" else "any"
        return promise_words(
            self.promise, voice, release=release, joint=self.asked == "both", hidden=self.hidden, one=self.one
        )
