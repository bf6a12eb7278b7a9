"""What a reader chooses on *Plan a publication*: tables, noise, the budget or the line, the rule that shares."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from dpcore.guarantees import Relation
from dpcore.publication import PublishedLevels, census_levels_2020
from dpcore.rounding import round_down
from riskline.answers import CaseBudget, Source, budget_together
from riskline.case.choices import BY_RHO, of_case
from riskline.case.declaration import count, flag, number, option
from riskline.case.fields import Field, number_text
from riskline.case.levels import Levels
from riskline.case.line import LINES, LineChoice
from riskline.case.promise import records_together
from riskline.case.sheet import without
from riskline.case.tables import MOST_ROWS, Sheet, TableRow, unfinished
from riskline.case.value import EXAMPLE, Case
from ui.link.page_table import fields_of
from ui.views.choose.answer import ChooseInputs
from ui.views.shared.strip import beginning_with, beginning_with_case

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


IN_RHO = "discrete_gaussian"
"""Noise in ρ that is offered beside noise in ε."""
LEAST_TRIED, MOST_TRIED = {False: 1e-4, True: 1e-6}, 100.0
"""Budgets that can be typed, by whether they are a ρ."""


@dataclass(frozen=True, kw_only=True)
class PublicationInputs(LineChoice):
    """What a reader chose on this page: the tables and their budget."""

    tables: Sheet = of_case("tables")
    geography: Levels = of_case("geography")
    noise: str = of_case("noise")
    start: str = option("line", "budget")
    epsilon: float = number(1.0, low=LEAST_TRIED[False], high=MOST_TRIED)
    rho: float = number(0.5, low=LEAST_TRIED[True], high=MOST_TRIED)
    rule: str = option("meet_wishes", "least_weighted_error", "same_error", "same_budget")
    reserve: float = number(0.0, low=0, high=0.95, span=(0.0, 0.5), step=0.01, format="percent")
    level: float = number(0.95, low=0.5, high=1, open_high=True)
    prior: float = of_case("prior", default=0.08, format="percent")
    failure: float = of_case("failure")
    levels: bool = flag()
    clipped: int = count(1, low=1, high=MOST_ROWS)
    amounts: str = option("days", "earnings", "scores", "hours", "own")
    unit: str = of_case("unit")
    group: int = of_case("group")
    relation: str = of_case("relation")
    moves: str = of_case("moves")
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
    def case_offers(self) -> bool:
        """Whether the budget can be the case's: it has one that this noise takes, or a line that leaves none."""
        if self.case.is_example or self.together is None:
            return self.case.is_example or self.case.line is not None
        return (self.together.currency == "rho") is self.by_rho

    @property
    def typed(self) -> bool:
        """Whether the budget is typed: to try one, or because the case offers none."""
        return self.start == "budget" or not self.case_offers

    @property
    def trial(self) -> CaseBudget | None:
        """The budget of one record that the page tries; None where it is that of the case, or all is the example."""
        if self.case.is_example or not self.typed:
            return None
        value, group = self.rho if self.by_rho else self.epsilon, records_together(self.unit, self.group)
        if self.together is not None and (self.together.value, self.together.currency == "rho") == (value, self.by_rho):
            return None
        one = round_down(value / (group**2 if self.by_rho else group), 3, significant=True)
        return CaseBudget(one, "rho" if self.by_rho else "epsilon", Source.TRIED)

    @property
    def choose(self) -> ChooseInputs:
        """The line and the promise as *Choose a budget* has them; everything of the publication is one release."""
        if not self.case.is_example:
            return replace(self.case.of(ChooseInputs), release="tables")
        names = (*(field.name for field in fields(LineChoice)), "failure", "unit", "group", "relation")
        own = {name: getattr(self, name) for name in names}
        return ChooseInputs(**own, guarantee="zero_concentrated" if self.by_rho else "pure")

    @property
    def finished(self) -> PublicationInputs:
        """The same without the tables that are still being filled in: those without a name, as a named one shares.

        Where all have names, those that ask for nothing.
        """
        waiting = unfinished(self.tables)
        unnamed = [place for place in waiting if not self.tables[place - 1].name.strip()]
        return replace(self, tables=without(self.tables, unnamed or waiting))


FIELDS = fields_of("publication", PublicationInputs)


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
    return beginning_with(beginning_with_case(FIELDS, case), {} if held is None else {held.currency: held.value})


CENSUS = census_levels_2020()
SURVEY = {"line": LINES[0], "secret": "value", "relation": "replace"}
PRESETS: dict[str, dict[str, Any]] = {
    "health": {},
    "census": {
        "tables": _levels(CENSUS),
        "noise": "discrete_gaussian",
        "start": "budget",
        "rho": math.fsum(CENSUS.budgets),
        "levels": True,
    },
    "school": SURVEY | {"tables": SCHOOL, "noise": "gaussian", "moves": "nowhere", "amounts": "scores"},
    "labour": SURVEY | {"tables": LABOUR, "noise": "discrete_gaussian", "amounts": "earnings"},
}
