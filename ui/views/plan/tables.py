"""A plan in rows: what each brings and takes, three readers, every rule beside the others, what a promise leaves."""

from __future__ import annotations

import math
from typing import Any

from dpcore.composition import LARGEST_PLAN, ReleasePlan, RhoRoute
from dpcore.scope import Scope
from riskline.answers.composed import LONGEST_SEARCH, certified_each, epsilon_each, rho_each
from riskline.answers.errors import RowError
from riskline.case.fields import number_text, parse_number
from riskline.case.releases import BY_RHO, HEADS, KINDS, LedgerRow
from ui.pictures.table import Table, table_of
from ui.views.plan.accounts import Accounts, is_local, tells_two_ways
from ui.words.catalogue import label, say
from ui.words.phrasing import exact_budget, rounded_budget
from ui.words.quantities import Allowed, Exact, Upper, number, share


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
        amounts = (rounded_budget(each), rounded_budget(each * released), Allowed(each, number(7)).digits)
        rows.append((say("plan", "technical", name), *amounts))

    by_epsilon = ["basic"]
    if any(row.kind not in BY_RHO for row in chosen.rows):
        by_epsilon.append("direct")
        if total <= LONGEST_SEARCH and chosen.delta < chosen.failure:
            by_epsilon += ["advanced", "optimal", "free"]
            if accounts.exact and accounts.moves == 1:
                by_epsilon.append("exact")
    for rule in by_epsilon:
        of_noise = rule == "exact"
        each = (
            epsilon_each(accounts.promise, total, rule, chosen.delta) if of_noise else any_epsilon_each(accounts, rule)
        )
        add(f"by_epsilon.{rule}", each)
    for route in ("published", "direct"):
        add(f"by_rho.{route}", any_rho_each(accounts, route))
    if accounts.exact:
        add("by_rho.gaussian", rho_each(accounts.promise, total, "gaussian") / accounts.moves**2)
    if accounts.exact and accounts.moves == 1:
        integer = certified_each(accounts.promise, total)
        recommended = exact_budget(integer.recommended_each)
        together = Upper(round(integer.recommended_each * released, 15), number(6)).digits  # spent, not recommended
        largest = Allowed(integer.largest_rho, number(7)).digits
        rows.append((say("plan", "technical", "by_rho.discrete"), recommended, together, largest))
    equal = label("plan", "of_equal.one" if released == 1 else "of_equal.many", n=f"{released:,}")
    whose = label("plan", "of_equal.whose") if accounts.exact else ""
    return table_of("plan", "each", rows, each=equal, whose=whose)


def _held(accounts: Accounts, method: str) -> str:
    """What a rule's number is, and in the technical voice the theorem behind it."""
    if method == "exact":
        return label("plan", "held.close" if accounts.closely else "held.exact")
    kind = label("plan", "held.bound")
    return f"{kind} · {say('plan', 'technical', f'theorem.{method}')}" if accounts.style.technical else kind


def readers_table(accounts: Accounts) -> Table:
    """What three readers can believe after all rounds, and how long the limit is kept from each."""
    best, rows = accounts.best_bound, []
    if accounts.exact:
        always = accounts.every_view or accounts.after(best)
        for name, bound in (("once", accounts.after("exact")), ("always", always)):
            when = accounts.when("exact", some=name == "always")
            said = accounts.cell(bound, Scope.PLAN)
            rows.append((label("plan", f"readers.{name}"), said, label("plan", "readers.broken", when=when)))
    kept = accounts.promised(max(best, accounts.longest_bound, key=accounts.lasts))
    said = accounts.cell(accounts.after(best), Scope.ANY_MECHANISM)
    rows.append((label("plan", "readers.any"), said, label("plan", "readers.kept", promised=kept)))
    words = accounts.context
    heads = label("plan", "readers.who"), words["wanted"], label("plan", "readers.limit", limit=words["limit"])
    return Table(label("plan", "readers.caption", **words), heads, tuple(rows))


def totals_table(accounts: Accounts) -> Table:
    """Every rule beside the others: total epsilon, belief, first round over the limit."""
    rows, every = [], tuple(map(accounts.after, accounts.methods))
    for method in accounts.methods:
        name, total = accounts.name_of(method), accounts.rule(method).total(accounts.inputs.rounds)
        spent = Upper(total, number(4)).digits
        reached = accounts.cell(accounts.after(method), beside=every)
        broken = (accounts.when(method), accounts.when(method, some=True))
        rows.append((name[0].upper() + name[1:], spent, reached, *broken, _held(accounts, method)))
    if (view := accounts.every_view) is not None:
        name = label("plan", f"every_view.{'any' if view.scope is Scope.ANY_MECHANISM else 'these'}")
        held = label("plan", "held.tight" if accounts.exact or accounts.steps == 1 else "held.bound")
        rows.append((name, "", accounts.cell(view), "", "", held))
    return table_of("plan", "totals", rows, **accounts.context)


def plan_numbers(accounts: Accounts) -> tuple[tuple[str, str, str], ...]:
    """The numbers beside the picture: what all rounds spend, and what each release could."""
    found = []
    if "direct" in accounts.methods and accounts.style.technical:
        rho = accounts.cells * accounts.ledger.rho * accounts.inputs.rounds
        found.append((accounts.say("number_rho"), f"ρ = {Upper(rho, number(4)).digits}", label("plan", "top.rho")))
    if any(row.kind in BY_RHO for row in accounts.inputs.rows):
        amount, noise = own_rho_each(accounts)
        each, letter = any_rho_each(accounts), "ρ"
    else:
        each, noise, letter = most_epsilon_each(accounts), "any", "ε"
        amount = rounded_budget(each)
        if accounts.moves == 1 and all(tells_two_ways(row.source) for row in accounts.ledger.rows):
            own = epsilon_each(accounts.promise, accounts.whole.releases, "exact", accounts.inputs.delta)
            amount, noise = rounded_budget(own), "finite"
    told = label("plan", f"own_noise.{noise}")
    note = told if noise == "any" else label("plan", "top.each", noise=told, amount=rounded_budget(each))
    return (*found, (accounts.say("number_each"), f"{letter} = {amount}", note))


LENSES = {
    "day": (1, 7, 30, 91, 365),
    "week": (1, 4, 13, 52),
    "month": (1, 3, 12, 60),
    "quarter": (1, 4, 20),
    "year": (1, 5, 10),
    "round": (1, 10, 100),
    "release": (1, 10, 100),
}
"""Rounds that make the next longer units of time."""


def lens_table(accounts: Accounts) -> Table:
    """The same plan with the unit of protection made longer: person-day to person-year."""
    rows: list[tuple[object, ...]] = []
    for rounds in LENSES[accounts.every]:
        if rounds * accounts.plan.releases > LARGEST_PLAN:
            break
        row: list[object] = [accounts.rounds(rounds)]
        if "direct" in accounts.methods:
            row.append(Upper(accounts.cells * accounts.ledger.rho * rounds, number(4)).digits)
        best = accounts.shift(accounts.best_bound_after(rounds), rounds)
        found = [accounts.at(best, Scope.ANY_MECHANISM)]
        if accounts.exact:
            found.append(accounts.at(accounts.shift("exact", rounds), Scope.PLAN))
        rows.append((*row, *(accounts.cell(bound, beside=found) for bound in found)))
    columns = [label("plan", name) for name in ("longer.time", "longer.rho", "fan.any")]
    if "direct" not in accounts.methods:
        del columns[1]
    if accounts.exact:
        columns.append(label("plan", "longer.noise", **accounts.context))
    return Table(label("plan", "longer.caption", **accounts.context), tuple(columns), tuple(rows))


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
    return table_of("plan", "rows", rows, unit=unit)


def ledger_table(accounts: Accounts) -> Table:
    """Each row with its noise and its budget too, for a page that does not show the ledger itself."""
    brought = rows_table(accounts)
    rows = tuple(
        (name, KINDS[typed.kind], budget_words(typed), often, within, cost)
        for typed, (name, within, often, cost) in zip(accounts.inputs.rows, brought.rows, strict=True)
    )
    what, within, often, cost = brought.columns
    return Table(brought.caption, (what, HEADS["kind"], HEADS["budget"], often, within, cost), rows)


def budget_words(row: LedgerRow) -> str:
    """The budget of one release of a row, as it was typed.

    >>> budget_words(LedgerRow("A", "approximate", "1/2", "1e-6")), budget_words(LedgerRow("B", "gaussian", "0.01"))
    ('ε = 0.5, δ = 1e-06', 'ρ = 0.01')
    """
    size = f"{'ρ' if row.kind in BY_RHO else 'ε'} = {number_text(parse_number(row.budget))}"
    return f"{size}, δ = {number_text(parse_number(row.delta or '0'))}" if row.kind == "approximate" else size


def noise_range(source: Any) -> str:
    """The range that holds at least 95 of 100 errors of one number; a guarantee alone does not say it."""
    if is_local(source):
        return label("plan", "range.answers")
    if not hasattr(source, "guarantee"):
        return label("plan", "range.unknown")
    return f"± {Upper(RowError(source, LEVEL).error.half_width, number(3)).digits}"


def shares(ledger: ReleasePlan) -> tuple[str, list[float | None]]:
    """In which unit the rows of a round can be compared, in words, and each row's share in it."""
    kinds = {type(row.guarantee).__name__ for row in ledger.rows}
    if kinds == {"PureDP"}:
        costs, unit = [row.count * row.guarantee.epsilon for row in ledger.rows], "epsilon"
    elif kinds <= {"PureDP", "ZeroConcentratedDP"}:
        costs, unit = [ReleasePlan((row,)).rho for row in ledger.rows], "both" if len(kinds) > 1 else "rho"
    else:
        return label("plan", "shares.none"), [None] * len(ledger.rows)
    whole = math.fsum(costs)
    return label("plan", f"shares.{unit}"), [cost / whole for cost in costs]
