"""What a reader chooses on *Choose a budget*: the line, the guarantee, the releases, the unit."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dpcore.promise import Promise
from riskline.case.fields import Field
from ui.views.choose.interview import INTERVIEW
from ui.views.shared.drawing import LINE_FIELDS, LineChoice
from ui.views.shared.promise import GROUP, RELATION, UNIT, asked_about, promise_of, promise_words

FIELDS: tuple[Field, ...] = (
    *LINE_FIELDS,
    Field("view", "How the line is looked at", "choice", "posterior", options=("posterior", "ratio", "difference")),
    Field("log", "Logarithmic axis of beliefs", "flag", False),
    Field("guarantee", "For what guarantee?", "choice", "pure", options=("pure", "approximate", "zero_concentrated")),
    Field(
        "route",
        "From ρ to a belief by",
        "choice",
        "direct",
        options=("direct", "gaussian", "discrete_gaussian", "published"),
    ),
    Field("delta", "δ, of all releases together", "number", 1e-6, low=0, high=1, open_low=True, open_high=True),
    Field(
        "failure",
        "Probability with which the promise may fail (δ′)",
        "number",
        0.01,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
    ),
    Field("releases", "How many releases share the budget?", "count", 1, low=1, high=100_000),
    Field("release", "Each release is", "choice", "anything", options=("anything", "count")),
    UNIT,
    GROUP,
    RELATION,
    Field("population", "Public values, for example 1, 2, 3, 4", "text", ""),
    Field("statistic", "Statistic", "choice", "mean", options=("mean", "median")),
    INTERVIEW,
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
    p_cut: float = 1.0
    q_cut: float = 0.1

    @property
    def line_choice(self) -> LineChoice:
        """The line alone."""
        return LineChoice(**{field.name: getattr(self, field.name) for field in fields(LineChoice)})

    @property
    def asked(self) -> str:
        """What the line is about: presence, value, or being in and having the value."""
        return asked_about(self.question, self.held)

    @property
    def promise(self) -> Promise:
        """The promise; `ValueError` where the choices contradict each other."""
        secret = "presence" if self.asked == "presence" else "value"
        return promise_of(secret, self.unit, self.group, self.relation)

    def words(self, voice: str) -> dict[str, str]:
        """The words of the promise."""
        release = "count" if self.release == "count" else "any"
        return promise_words(self.promise, voice, release=release, joint=self.asked == "both")
