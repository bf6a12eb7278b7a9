"""What each row of the ledger is, brings and takes: its budget, the noise on one number, its share of the whole."""

from __future__ import annotations

import math
from typing import Any

from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.mechanisms import RandomizedResponse
from riskline.answers.errors import RowError
from riskline.case.fields import number_text, parse_number
from riskline.case.releases import BY_RHO, KINDS, LedgerRow
from ui.pictures.table import Table
from ui.views.plan.accounts import Accounts
from ui.words.quantities import Exact, Upper, number, share

LEVEL = 0.95


def rows_table(accounts: Accounts) -> Table:
    """Each row: the range that holds 95 of 100 errors of one number, how often, its share of a round's budget."""
    unit, costs = shares(accounts.ledger)
    rows = [
        (
            row.name or KINDS[typed.kind],
            noise_range(row.source),
            f"{row.count:,}",
            "–" if cost is None else Exact(cost, share(1)).digits,
        )
        for row, typed, cost in zip(accounts.ledger.rows, accounts.inputs.rows, costs, strict=True)
    ]
    return Table(
        "What each row brings and takes. The range is that of one number, which a record moves by at most 1 where its "
        f"row says nothing else. {unit}",
        ("what is released", "at least 95 of 100 times within", "releases in a round", "share of the budget"),
        tuple(rows),
    )


def ledger_table(accounts: Accounts) -> Table:
    """Each row with its noise and its budget too, for a page that does not show the ledger itself."""
    brought = rows_table(accounts)
    rows = tuple(
        (name, KINDS[typed.kind], budget_words(typed), often, within, cost)
        for typed, (name, within, often, cost) in zip(accounts.inputs.rows, brought.rows, strict=True)
    )
    what, within, often, cost = brought.columns
    return Table(brought.caption, (what, "noise", "budget of one release", often, within, cost), rows)


def budget_words(row: LedgerRow) -> str:
    """The budget of one release of a row, as it was typed.

    Examples
    --------
    >>> budget_words(LedgerRow("A", "approximate", "1/2", "1e-6")), budget_words(LedgerRow("B", "gaussian", "0.01"))
    ('ε = 0.5, δ = 1e-06', 'ρ = 0.01')
    """
    size = f"{'ρ' if row.kind in BY_RHO else 'ε'} = {number_text(parse_number(row.budget))}"
    return f"{size}, δ = {number_text(parse_number(row.delta or '0'))}" if row.kind == "approximate" else size


def noise_range(source: Any) -> str:
    """The range that holds at least 95 of 100 errors of one number; a guarantee alone does not say it."""
    if isinstance(source, RandomizedResponse):
        return "depends on how many answer"
    if not hasattr(source, "guarantee"):
        return "not known: no noise named"
    return f"± {Upper(RowError(source, LEVEL).error.half_width, number(3)).digits}"


def shares(ledger: ReleasePlan) -> tuple[str, list[float | None]]:
    """In which unit the rows of a round can be compared, in words, and each row's share in it."""
    kinds = {type(row.guarantee).__name__ for row in ledger.rows}
    if kinds == {"PureDP"}:
        costs, unit = [row.count * row.guarantee.epsilon for row in ledger.rows], "Shares are of ε, added up."
    elif kinds <= {"PureDP", "ZeroConcentratedDP"}:
        costs = [_rho(row) for row in ledger.rows]
        unit = "Shares are of ρ, added up" + ("; a row of ε counts as ρ = ½ε²." if len(kinds) > 1 else ".")
    else:
        return "Rows with a δ of their own have no share of one number.", [None] * len(ledger.rows)
    whole = math.fsum(costs)
    return unit, [cost / whole for cost in costs]


def _rho(row: PlannedRelease) -> float:
    return ReleasePlan((row,)).rho
