"""Every choice that a case is made of, declared once: its name in a link, its words, its range and its first value.

A page that asks about a part of the case puts `case_field(name)` among its fields; the frame keeps such a field in the
case and not among the page's own choices, so that it says the same on every page.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dpcore.composition import LARGEST_PLAN
from dpcore.deployments import published
from dpcore.guarantees import Relation
from dpcore.mechanisms import noise_kinds
from dpcore.promise import Observer, Secret
from riskline.case.decision import read_decision, write_decision
from riskline.case.declaration import DECLARED
from riskline.case.fields import Field
from riskline.case.interview import read_answers
from riskline.case.labels import case_labels
from riskline.case.levels import decode_levels, encode_levels
from riskline.case.line import DEFAULT_POINTS, INTERPOLATIONS, LINES, SMALLEST_HELD
from riskline.case.methods import read_method, write_method
from riskline.case.points import decode_points, encode_points
from riskline.case.promise import BOTH, UNITS
from riskline.case.releases import DEFAULT_LEDGER, decode_ledger, encode_ledger
from riskline.case.spending import read_spending, write_spending
from riskline.case.tables import HEALTH_YEAR, decode_tables, encode_tables

WORDS = case_labels()
GROUPS = {unit: WORDS[f"group.{unit}"] for unit in ("records", "household", "days")}
_NOISES = sorted(noise_kinds(), key=lambda kind: (kind.budget_kind != "rho", not kind.is_whole))
NOISES = tuple(kind.name for kind in _NOISES)
BY_RHO = tuple(kind.name for kind in _NOISES if kind.budget_kind == "rho")
EVERY = ("day", "week", "month", "quarter", "year", "release")
SMALLEST = 1e-15  # smaller beliefs and exceptions are typing errors, and bounds lose their digits there
NO_LINE = "none"
ANYTHING = "anything"
"""A release that nobody has described: every bound is one for any mechanism."""
RELEASES = (ANYTHING, "count", "table", "tables", "plan", "coins")
UNDECIDED = ""
"""Whether a record can lie in another area in the other world is not decided: it then counts as anywhere."""


def _group_called(values: Mapping[str, Any]) -> tuple[str, str]:
    """What belongs together, by whom the promise is about; a published budget counts its own units."""
    if values.get("guarantee") == "deployment":
        return WORDS["group.units"], ""
    return GROUPS.get(values["unit"], WORDS["group"]), ""


def _held_called(values: Mapping[str, Any]) -> tuple[str, str]:
    """The belief that does not vary along the line, and what its value means."""
    if values["secret"] == Secret.PRESENCE:
        return WORDS["held.value"], WORDS["held.value_help"]
    return WORDS["held.presence"], WORDS["held.presence_help"]


def _rounds_called(values: Mapping[str, Any]) -> tuple[str, str]:
    return WORDS["asked_rounds"].format(many=WORDS[f"rounds.{values['every']}"]), ""


SUBJECT: tuple[Field, ...] = (
    Field("title", "", "text", ""),
    Field("released", "", "text", "", former_name="release"),
    Field("hidden", "", "text", "", former_name="phrase"),
    Field("one", "", "text", ""),
    Field("many", "", "text", ""),
    Field("office", "", "text", "", former_name="organisation"),
    Field("author", "", "text", ""),
    Field("date", "", "text", ""),
)
PROMISE: tuple[Field, ...] = (
    Field(
        "secret",
        "",
        "choice",
        Secret.PRESENCE.value,
        options=(Secret.PRESENCE.value, Secret.VALUE.value, BOTH),
        former_name="question",
        former_options={"membership": Secret.PRESENCE.value},
    ),
    Field("unit", "", "choice", "person", options=tuple(UNITS)),
    Field("group", "", "count", 1, low=1, high=10_000, called=_group_called),
    Field(
        "relation",
        "",
        "choice",
        Relation.ADD_OR_REMOVE.value,
        options=tuple(relation.value for relation in Relation),
        former_name="neighbours",
        former_options={"unbounded": Relation.ADD_OR_REMOVE.value, "bounded": Relation.REPLACE.value},
    ),
    Field("observer", "", "choice", Observer.GIVEN.value, options=tuple(Observer)),
)
RELEASE: tuple[Field, ...] = (
    Field("release", "", "choice", ANYTHING, options=(ANYTHING, "count", "table", "tables", "plan", "coins")),
    Field("areas", "", "count", 1, low=1, high=1_000_000),
    Field("moves", "", "choice", UNDECIDED, options=(UNDECIDED, "nowhere", "anywhere"), undecided=UNDECIDED),
    Field("guarantee", "", "choice", "pure", options=("pure", "approximate", "zero_concentrated")),
    Field("route", "", "choice", "direct", options=("direct", "gaussian", "discrete_gaussian", "published")),
    Field("releases", "", "count", 1, low=1, high=100_000),
    Field("noise", "", "choice", "discrete_gaussian", options=NOISES),
    Field("tables", "", "custom", HEALTH_YEAR, read=decode_tables, write=encode_tables),
    Field("geography", "", "custom", (), read=decode_levels, write=encode_levels),
    Field("rows", "", "custom", DEFAULT_LEDGER, read=decode_ledger, write=encode_ledger),
    Field("every", "", "choice", "day", options=EVERY),
    Field("rounds", "", "count", 58, low=1, high=LARGEST_PLAN, span=(1, 400), step=1, called=_rounds_called),
)
LINE: tuple[Field, ...] = (
    Field("line", "", "choice", LINES[0], options=(NO_LINE, *LINES), undecided=NO_LINE),
    Field("ratio", "", "number", 3.0, low=1, high=1_000_000, span=(1.0, 10.0), step=0.1),
    Field("cap", "", "number", 0.25, low=0, high=1, open_high=True, span=(0.0, 0.95), step=0.01),
    Field("increase", "", "number", 0.2, low=0, high=1, open_low=True, open_high=True, span=(0.01, 0.95), step=0.01),
    Field("low", "", "number", 0.01, low=0, high=1),
    Field("high", "", "number", 0.5, low=0, high=1, open_low=True),
    Field("points", "", "custom", DEFAULT_POINTS, read=decode_points, write=encode_points),
    Field("interpolation", "", "choice", "linear", options=tuple(INTERPOLATIONS)),
    Field("interview", "", "custom", "", read=read_answers, write=str),
)
PRIORS: tuple[Field, ...] = (
    Field("held", "", "number", 1.0, low=SMALLEST_HELD, high=1, called=_held_called),
    Field("prior", "", "number", 0.5, low=SMALLEST, high=1, open_high=True),
    Field("failure", "", "number", 0.01, low=SMALLEST, high=1, open_high=True),
    Field("delta", "", "number", 1e-6, low=SMALLEST, high=1, open_high=True),
)
BUDGET: tuple[Field, ...] = (
    Field("chosen", "", "custom", None, read=read_decision, write=write_decision),
    Field(
        "published",
        "",
        "choice",
        UNDECIDED,
        options=(UNDECIDED, *(entry.name for entry in published())),
        undecided=UNDECIDED,
    ),
)
SECTORS = ("technology", "healthcare", "education", "government", "energy", "finance")
FILING: tuple[Field, ...] = (
    Field("intended_use", "", "text", ""),
    Field("region", "", "text", ""),
    Field("data_sector", "", "choice", UNDECIDED, options=(UNDECIDED, *SECTORS), undecided=UNDECIDED),
    Field("publication_date", "", "text", ""),
    Field("data_source", "", "choice", UNDECIDED, options=(UNDECIDED, "static", "dynamic"), undecided=UNDECIDED),
    Field("preprocessing", "", "text", ""),
    Field("post_processing", "", "text", ""),
    Field("security", "", "text", ""),
)
"""What only registers and assessments ask."""
RELATIVES: tuple[Field, ...] = (
    Field("relatives", "", "count", 3, low=0, high=1000, span=(0, 10), step=1),
    Field("share_if_yes", "", "number", 0.6, low=0, high=1, step=0.01, format="percent"),
    Field("share_if_no", "", "number", 0.05, low=0, high=1, step=0.01, format="percent"),
)
SPENT: tuple[Field, ...] = (Field("spent", "", "custom", None, read=read_spending, write=write_spending),)
TODAY: tuple[Field, ...] = (Field("method_today", "", "custom", None, read=read_method, write=write_method),)
FIELDS: Mapping[str, Field] = {
    field.name: replace(field, of_case=True, label=WORDS[field.name], help=WORDS.get(f"{field.name}.help", ""))
    for part in (SUBJECT, PROMISE, RELEASE, LINE, PRIORS, BUDGET, TODAY, FILING, RELATIVES, SPENT)
    for field in part
}
"""Every choice of a case by its name, in the order of a link."""
LINE_NAMES = frozenset(field.name for field in LINE if field.name != "interview")
"""Setting one of these draws the line, the rest of it as the page shows it; answers of an interview do not yet."""
RELATIVE_NAMES = frozenset(field.name for field in RELATIVES)
"""How many relatives resemble somebody, and how alike: a question asked of a case, and no part of what is decided."""


def case_field(name: str, **differently: Any) -> Field:
    """The declaration of a choice of the case, for a page that asks it.

    `differently` is what only this page says otherwise: its words, a narrower range, what it shows while the case has
    none.

    >>> case_field("prior", default=0.05).default, case_field("prior").of_case
    (0.05, True)
    """
    return replace(FIELDS[name], **differently)


def of_case(name: str, **differently: Any) -> Any:
    """A choice of the case, and what only this page says otherwise about it."""
    field = case_field(name, **differently)
    return dataclasses.field(default=field.default, metadata={DECLARED: field})


@dataclasses.dataclass(frozen=True, kw_only=True)
class CountsReleases:
    """How many releases have the case's budget each, for a page that tells of one of them."""

    releases: int = of_case("releases")
    published: str = of_case("published")

    @property
    def number_of_releases(self) -> int:
        """How many: one where somebody published the budget, which is for all that it covers."""
        return 1 if self.published else self.releases


def declarations(choices: type[Any]) -> Iterator[Field]:
    """The choices that a class declares, in its order; one that has the name of a choice of the case is that choice.

    >>> from riskline.case.declaration import number
    >>> @dataclasses.dataclass(frozen=True)
    ... class Chosen:
    ...     level: float = number(0.95, low=0.5, high=1)
    ...     prior: float = 0.5
    >>> [(field.name, field.default, field.of_case) for field in declarations(Chosen)]
    [('level', 0.95, False), ('prior', 0.5, True)]
    """
    for attribute in dataclasses.fields(choices):
        declared = attribute.metadata.get(DECLARED) or FIELDS.get(attribute.name)
        if declared is not None:
            yield dataclasses.replace(declared, name=attribute.name)


PROMISE_FIELDS = tuple(FIELDS[name] for name in ("secret", "unit", "group", "relation"))
"""What a page asks about a promise."""
LINE_FIELDS = tuple(
    FIELDS[name] for name in ("secret", "held", *(field.name for field in LINE if field.name in LINE_NAMES))
)
"""What a page asks about a line of acceptable risk."""
