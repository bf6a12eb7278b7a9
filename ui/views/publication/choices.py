"""What a reader chooses on *Plan a publication*: tables, noise, the budget or the line, the rule that shares."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

from dpcore.guarantees import Relation
from dpcore.publication import PublishedLevels, census_levels_2020
from riskline.answers import CaseBudget, Source, budget_together
from riskline.case.choices import BY_RHO, LINE_FIELDS, case_field
from riskline.case.fields import Field, number_text
from riskline.case.line import LINES, LineChoice
from riskline.case.promise import records_together
from riskline.case.tables import HEALTH_YEAR, MOST_ROWS, Sheet, TableRow
from riskline.case.value import EXAMPLE, Case
from ui.views.choose.choices import ChooseInputs
from ui.views.explain import Preset
from ui.views.publication.reader_choices import READER_FIELDS, ReaderChoice
from ui.views.shared.trial import beginning_with_case

AMOUNTS = ("days", "earnings", "scores", "hours", "own")
RULES = ("meet_wishes", "least_weighted_error", "same_error", "same_budget")
SCHOOL: Sheet = (
    TableRow("Pupils by school and grade", wish="12", areas="180", cells="6", typical="22"),
    TableRow("Bullied, by school", wish="12", areas="180", typical="7"),
    TableRow("Reading score", "mean", wish="8", areas="180", low="0", high="100", people="60", typical="61"),
    TableRow("Hours of homework", "mean", wish="3", areas="180", low="0", high="20", people="60", typical="6"),
)
LABOUR: Sheet = (
    TableRow("Employed, by region and branch", wish="40", areas="20", cells="88", typical="900"),
    TableRow("Registered unemployed, each month", wish="30", times="3", areas="20", typical="2400"),
    TableRow("Earnings, by region", "total", wish="150000", areas="20", low="0", high="9000", typical="310000000"),
    TableRow("Vacancies by branch", wish="40", cells="88", typical="150"),
)
FIELDS: tuple[Field, ...] = (
    case_field("tables"),
    case_field("noise"),
    Field("start", "Where does the budget come from?", "choice", "line", options=("line", "budget")),
    Field("epsilon", "Budget ε of everything together", "number", 1.0, low=1e-4, high=100),
    Field("rho", "Budget ρ of everything together", "number", 0.5, low=1e-6, high=100),
    Field("rule", "How is it shared?", "choice", "meet_wishes", options=RULES),
    Field("reserve", "Kept in reserve", "number", 0.0, low=0, high=0.95, span=(0.0, 0.5), step=0.01, format="percent"),
    Field("level", "Ranges hold how often (0.95: 95 times in 100)", "number", 0.95, low=0.5, high=1, open_high=True),
    case_field("prior", label="What an attacker believes before", default=0.08),
    case_field("failure"),
    Field("levels", "The rows are levels that add up, the largest area first", "flag", False),
    Field("clipped", "Which total or mean?", "count", 1, low=1, high=MOST_ROWS),
    Field("amounts", "Amounts to try bounds on", "choice", "days", options=AMOUNTS),
    *LINE_FIELDS,
    *map(case_field, ("unit", "group", "relation", "moves")),
    *READER_FIELDS,
)


@dataclass(frozen=True)
class PublicationInputs(ReaderChoice, LineChoice):
    """What a reader chose on this page."""

    tables: Sheet = HEALTH_YEAR
    noise: str = "discrete_gaussian"
    start: str = "line"
    epsilon: float = 1.0
    rho: float = 0.5
    rule: str = "meet_wishes"
    reserve: float = 0.0
    level: float = 0.95
    prior: float = 0.08
    failure: float = 0.01
    levels: bool = False
    clipped: int = 1
    amounts: str = "days"
    unit: str = "person"
    group: int = 1
    relation: str = "add_or_remove"
    moves: str = ""
    case: Case = EXAMPLE

    @property
    def asks_where(self) -> bool:
        """Whether it matters if the two possibilities place somebody in different areas, as the cells read."""
        replaced = self.relation == Relation.REPLACE or self.choose.asked != "presence"
        return replaced and any(row.areas.strip() not in ("", "1") for row in self.tables)

    @property
    def by_rho(self) -> bool:
        """Whether the budget is a ρ; else it is an ε."""
        return self.noise in BY_RHO

    @property
    def together(self) -> CaseBudget | None:
        """The budget of the reader's case, for everybody who belongs together; None where the case has none."""
        return None if self.case.is_example else budget_together(self.case)

    @property
    def typed(self) -> bool:
        """Whether the budget is typed: to try one, or because the case has none, or none that this noise takes."""
        if self.start == "budget" or self.case.is_example:
            return self.start == "budget"
        if self.together is None:
            return self.case.line is None
        return (self.together.currency == "rho") is not self.by_rho

    @property
    def trial(self) -> CaseBudget | None:
        """The budget of one record that the page tries; None where it is that of the case, or all is the example."""
        if self.case.is_example or not self.typed:
            return None
        value, group = self.rho if self.by_rho else self.epsilon, records_together(self.unit, self.group)
        if self.together is not None and (self.together.value, self.together.currency == "rho") == (value, self.by_rho):
            return None
        if self.by_rho:
            return CaseBudget(value / group**2, "rho", Source.TRIED)
        return CaseBudget(value / group, "epsilon", Source.TRIED)

    @property
    def choose(self) -> ChooseInputs:
        """The line and the promise as *Choose a budget* has them; everything of the publication is one release."""
        if not self.case.is_example:
            return replace(self.case.of(ChooseInputs), release="tables")
        line = {field.name: getattr(self, field.name) for field in fields(LineChoice)}
        return ChooseInputs(
            **line,
            guarantee="zero_concentrated" if self.by_rho else "pure",
            failure=self.failure,
            unit=self.unit,
            group=self.group,
            relation=self.relation,
        )


def _levels(found: PublishedLevels) -> Sheet:
    """The levels of a publication as rows, each with the share of the budget that it was given."""
    whole = number_text(math.fsum(found.budgets))
    return tuple(
        TableRow(
            name=name,
            areas=number_text(row.areas),
            cells=number_text(row.numbers // row.areas),
            share=f"{number_text(rho)}/{whole}",
        )
        for name, row, rho in zip(found.names, found.publication.rows, found.budgets, strict=True)
    )


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, of which the typed budget begins with that of the case."""
    held = None if case.is_example else budget_together(case)
    return tuple(
        replace(field, default=held.value)
        if held is not None and field.name == held.currency and field.low <= held.value <= field.high
        else field
        for field in beginning_with_case(FIELDS, case)
    )


CENSUS = census_levels_2020()
PRESETS = tuple(
    Preset(label, values)
    for label, values in (
        ("A health office's year", {}),
        (
            "2020 Census, one query on six levels",
            {
                "tables": _levels(CENSUS),
                "noise": "discrete_gaussian",
                "start": "budget",
                "rho": math.fsum(CENSUS.budgets),
                "levels": True,
            },
        ),
        (
            "A school survey with small groups",
            {
                "tables": SCHOOL,
                "noise": "gaussian",
                "line": LINES[0],
                "secret": "value",
                "relation": "replace",
                "moves": "nowhere",
                "amounts": "scores",
            },
        ),
        (
            "A labour-market quarter",
            {
                "tables": LABOUR,
                "noise": "discrete_gaussian",
                "line": LINES[0],
                "secret": "value",
                "relation": "replace",
                "amounts": "earnings",
            },
        ),
    )
)
