"""What each of so many equal releases may spend under a promise, by every rule."""

from __future__ import annotations

import math

from dpcore.composition import RhoRoute
from riskline.answers.composed import LONGEST_SEARCH, certified_each, epsilon_each, rho_each
from riskline.case.releases import BY_RHO
from ui.pictures.table import Table, table_of
from ui.views.plan.accounts import Accounts
from ui.words.catalogue import label, say
from ui.words.phrasing import exact_budget, rounded_budget
from ui.words.quantities import Allowed, Upper, number


def any_rho_each(accounts: Accounts, route: RhoRoute = "direct") -> float:
    """What each of so many equal releases could spend, whatever they are: the ρ of one step."""
    each = rho_each(accounts.promise, accounts.released_to_any, route)
    return each / accounts.steps**2 / accounts.cells


def any_epsilon_each(accounts: Accounts, rule: str) -> float:
    """The same as an ε, by a rule; by ρ, as which a small ε counts little."""
    if rule == "direct":
        return math.sqrt(2 * any_rho_each(accounts))
    releases, promise = accounts.released_to_any, accounts.promise
    if rule == "basic":
        each = promise.epsilon_prime / releases
    else:
        each = epsilon_each(promise, releases, rule, accounts.inputs.delta)
    return each / accounts.steps / accounts.cells


def most_epsilon_each(accounts: Accounts) -> float:
    """The most that a rule for any mechanism lets each of the releases spend, as an ε."""
    searched = ("free",) if accounts.released_to_any <= LONGEST_SEARCH else ()
    return max(any_epsilon_each(accounts, rule) for rule in ("basic", "direct", *searched))


def own_rho_each(accounts: Accounts) -> tuple[str, str]:
    """What each of so many equal releases could spend with the ledger's own noise, and which noise that is."""
    kinds = {row.kind for row in accounts.inputs.rows if row.kind in BY_RHO}
    releases, moves = accounts.whole.releases, accounts.moves**2
    if kinds == {"discrete_gaussian"} and moves == 1:
        each = certified_each(accounts.promise, releases).recommended_each
        return exact_budget(each), "discrete"
    if kinds == {"gaussian"}:
        each = rho_each(accounts.promise, releases, "gaussian")
        return rounded_budget(each / moves), "gaussian"
    return rounded_budget(any_rho_each(accounts)), "any"


def budgets_table(accounts: Accounts) -> Table:
    """How much each of so many equal releases may spend under the promise."""
    chosen, total, released = accounts.inputs, accounts.whole.releases, accounts.released
    rows: list[tuple[object, ...]] = []

    def add(name: str, each: float) -> None:
        rows.append(
            (
                say("plan", "technical", name),
                rounded_budget(each),
                rounded_budget(each * released),
                Allowed(each, number(7)).digits,
            )
        )

    by_epsilon = ["basic"]
    if any(row.kind not in BY_RHO for row in chosen.rows):
        by_epsilon.append("direct")
        if total <= LONGEST_SEARCH and chosen.delta < chosen.failure:
            by_epsilon += ["advanced", "optimal", "free"]
            if accounts.exact and accounts.moves == 1:
                by_epsilon.append("exact")
    for rule in by_epsilon:
        if rule == "exact":
            add(f"by_epsilon.{rule}", epsilon_each(accounts.promise, total, rule, chosen.delta))
        else:
            add(f"by_epsilon.{rule}", any_epsilon_each(accounts, rule))
    for route in ("published", "direct"):
        add(f"by_rho.{route}", any_rho_each(accounts, route))
    if accounts.exact:
        each = rho_each(accounts.promise, total, "gaussian") / accounts.moves**2
        add("by_rho.gaussian", each)
    if not accounts.exact or accounts.moves > 1:
        return _table_of(accounts, rows)
    integer = certified_each(accounts.promise, total)
    recommended = exact_budget(integer.recommended_each)
    together = Upper(round(integer.recommended_each * released, 15), number(6)).digits  # spent, not recommended
    largest = Allowed(integer.largest_rho, number(7)).digits
    rows.append((say("plan", "technical", "by_rho.discrete"), recommended, together, largest))
    return _table_of(accounts, rows)


def _table_of(accounts: Accounts, rows: list[tuple[object, ...]]) -> Table:
    total = accounts.released
    each = label("plan", "of_equal.one" if total == 1 else "of_equal.many", n=f"{total:,}")
    whose = label("plan", "of_equal.whose") if accounts.exact else ""
    return table_of("plan", "each", rows, each=each, whose=whose)
