"""How long the pages exact_totals, add_up and public_information take, in processor time.

`python -m benchmarks view_totals`
"""

from __future__ import annotations

from typing import Any

from benchmarks.timing import all_within, median
from dpcore.totals import concentrated_gamma, simulate_releases
from ui.pictures.style import Style
from ui.views import add_up, exact_totals, public_information


def _totals(exact: str) -> None:
    exact_totals.exact_totals_view(exact_totals.ExactTotalsInputs(exact=exact), Style())


def _two_rules() -> None:
    for rule in ("multinomial mode", "L2 + largest remainder"):
        simulate_releases(add_up.DEFAULT_COUNTS[0], epsilon_total=1, epsilon_parts=1, rule=rule, size=2000, seed=1)


def _add_up() -> None:
    add_up.add_up_view(add_up.AddUpInputs(), Style())


def _hurts() -> None:
    public_information._noise_by_rate.cache_clear()
    public_information.public_information_view(public_information.PublicInformationInputs(), Style())


def _lines(count: int) -> None:
    public_information._data.cache_clear()
    asked = public_information.PublicInformationInputs(side="helps")
    arriving = public_information.arriving(asked)
    lines = [next(arriving) for _ in range(count)]
    public_information.public_information_view(asked, Style(), lines)


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of the three pages."""
    rows = [
        ("exact totals, grand total: whole view", median(lambda: _totals("total")), 0.050),
        ("exact totals, row totals: whole view", median(lambda: _totals("rows")), 0.050),
        ("exact totals, rows and columns: whole view", median(lambda: _totals("both")), 0.300),
        ("gamma of 6 cells, total 34", median(lambda: concentrated_gamma(cells=6, total=34, epsilon=0.5)), 0.020),
        ("2,000 draws by two rules, 10 parts", median(_two_rules), 0.300),
        ("tables that add up: whole view", median(_add_up), 0.300),
        ("public information hurts: whole view", median(_hurts), 0.150),
        ("public information helps: first line and its view", median(lambda: _lines(1), 5), 0.500),
        ("public information helps: four lines and the verdict", median(lambda: _lines(4), 3), 2.0),
    ]
    return all_within(rows)
