"""What a reader chooses on *Choose a budget*: the line, the guarantee, the releases, the unit."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from dpcore.promise import Promise
from dpcore.schema import Movement
from riskline.answers import Terms
from riskline.case.declaration import flag, of_case, of_session, option, text
from riskline.case.line import LineChoice
from riskline.case.promise import asked_about, promise_of
from ui.link.page_fields import fields_of
from ui.views.shared.promise import promise_words


@dataclass(frozen=True)
class ChooseInputs(LineChoice):
    """What a reader chose on this page."""

    view: str = option("posterior", "ratio", "difference")
    log: bool = flag()
    guarantee: str = of_case("guarantee")
    route: str = of_case("route")
    delta: float = of_case("delta")
    failure: float = of_case("failure")
    releases: int = of_case("releases")
    release: str = of_case("release")
    areas: int = of_case("areas")
    moves: Movement | Literal[""] = of_case("moves")
    unit: str = of_case("unit")
    group: int = of_case("group")
    relation: str = of_case("relation")
    population: str = of_session(text())
    statistic: Literal["mean", "median"] = option("mean", "median")
    interview: str = of_case("interview")
    hidden: str = of_case("hidden")
    one: str = of_case("one")

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
        scope, joint = self.terms.scope, self.asked == "both"
        return promise_words(self.promise, voice, scope=scope, joint=joint, hidden=self.hidden, one=self.one)


FIELDS = fields_of("choose", ChooseInputs)
