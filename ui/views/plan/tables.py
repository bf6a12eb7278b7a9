"""A plan in rows: what each brings and takes, every rule beside the others, two observers, longer units."""

from __future__ import annotations

import math
from typing import Any

from dpcore.composition import LARGEST_PLAN, BeliefPromise, ReleasePlan
from dpcore.first_passage import passing_chances
from dpcore.privacy_loss import Side
from riskline.answers.composed import epsilon_each
from riskline.answers.errors import RowError
from riskline.case.fields import number_text, parse_number
from riskline.case.releases import BY_RHO, KINDS, LedgerRow
from ui.pictures.table import Table, table_of
from ui.views.explain.told import rarely
from ui.views.plan.accounts import Accounts
from ui.views.plan.budgets import any_rho_each, most_epsilon_each, own_rho_each
from ui.views.plan.promise import is_local, tells_two_ways
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import heads, label
from ui.words.phrasing import rounded_budget
from ui.words.quantities import Exact, Failure, Upper, number, share


def _held(accounts: Accounts, method: str) -> str:
    """What a rule's number is, and in the technical voice the theorem behind it."""
    if method == "exact":
        return label("plan", "held.close" if accounts.closely else "held.exact")
    kind = label("plan", "held.bound")
    return f"{kind} · {label('plan', f'theorem.{method}')}" if accounts.style.technical else kind


def totals_table(accounts: Accounts) -> Table:
    """Every rule beside the others: total epsilon, belief, first round over the promise."""
    chosen = accounts.inputs
    rows = []
    for method in accounts.methods:
        name, total = accounts.name_of(method), accounts.rule(method).total(chosen.rounds)
        rows.append(
            (
                name[0].upper() + name[1:],
                Upper(total, number(4)).digits,
                accounts.said(accounts.belief(accounts.largest_shift(method))).digits,
                accounts.when(method),
                accounts.when(method, some=True),
                _held(accounts, method),
            )
        )
    if accounts.plan.has_worst_mechanism and not accounts.long and chosen.promise == "cap":
        view = float(accounts.whole.privacy_loss.every_view_epsilon(chosen.failure))
        tight = accounts.exact or accounts.steps == 1
        kind = label("plan", "every_view.tight" if tight else "every_view.bound")
        held = label("plan", "every_view.these" if accounts.exact else "every_view.any", kind=kind)
        source = label("plan", "held.tight" if tight else "held.ours")
        rows.append((held, "", accounts.said(accounts.belief(view)).digits, "", "", source))
    return table_of("plan", "totals", rows, **accounts.context, wanted=label("plan", f"wanted.{chosen.promise}"))


def plan_numbers(accounts: Accounts) -> tuple[tuple[str, str, str], ...]:
    """The numbers on top: when the promise breaks or how far it is kept, the belief at the end, what may be spent."""
    context = accounts.context

    def note(name: str, **words: object) -> str:
        return label("plan", f"top.{name}", **(context | words))

    if accounts.exact:
        found = [
            (accounts.say("number_when"), context["when"], note("promised_by")),
            (accounts.say("number_some"), context["when_some"], note("some")),
        ]
    else:
        found = [(accounts.say("number_promised"), context["promised"], note("headline"))]
    after = note("bound", bound=context["bound"].digits)
    found.append((accounts.say("number_after"), context["belief"].digits, after))
    if "direct" in accounts.methods:
        rho = accounts.cells * accounts.ledger.rho * accounts.inputs.rounds
        found.append((accounts.say("number_rho"), f"ρ = {Upper(rho, number(4)).digits}", note("rho")))
    if any(row.kind in BY_RHO for row in accounts.inputs.rows):
        amount, noise = own_rho_each(accounts)
        by_any = note("each_rho", noise=noise, amount=rounded_budget(any_rho_each(accounts)))
        return (*found, (accounts.say("number_each"), f"ρ = {amount}", by_any))
    each = most_epsilon_each(accounts)
    by_any = label("plan", "own_noise.any")
    if accounts.moves == 1 and all(tells_two_ways(row.source) for row in accounts.ledger.rows):
        by_any = note("each_epsilon", amount=rounded_budget(each))
        each = epsilon_each(accounts.promise, accounts.whole.releases, "exact", accounts.inputs.delta)
    return (*found, (accounts.say("number_each"), f"ε = {rounded_budget(each)}", by_any))


MOST_WATCHED = 365  # rounds followed one by one for the table of two observers


def observers_table(accounts: Accounts) -> Table:
    """How often the promise fails for who looks once and for who reads every round, in both worlds."""
    chosen, promise = accounts.inputs, accounts.promise
    rounds = min(chosen.rounds, accounts.at_most, MOST_WATCHED)
    ever, rise = accounts.context["ville"], promise.direction == "rise"
    falls, rises = (label("plan", f"observed.{way}", ever=f"{ever:at most}") for way in ("falls", "rises"))
    worlds: tuple[tuple[str, Side, str], ...] = (
        (accounts.context["if_true"], "present", label("plan", "observed.no_bound") if rise else falls),
        (accounts.context["if_false"], "absent", f"{ever:at most}" if rise else rises),
    )
    rows: list[tuple[object, ...]] = []
    for name, side, bound in worlds:
        cells = 2 * [label("plan", "observed.too_many" if accounts.plan.has_exact_law else "observed.no_law")]
        if accounts.exact:
            cells = [often(chance) for chance in _failing(accounts.plan, promise, rounds, side)]
        rows.append((name, *cells, bound))
    last = {"watched": accounts.rounds(rounds), "last": f"{rounds:,}"}
    return table_of("plan", "observers", rows, every=accounts.round, **last)


def often(probability: float) -> str:
    """A chance that is rounded up, in people out of 100 or rarer.

    Examples
    --------
    >>> often(0.0103), often(0.0), often(3e-14)
    ('2 in 100', 'never', 'less than 1 in a million million')
    """
    if probability == 0.0:
        return label("plan", "often.never")
    return Failure(probability, rarely).digits if probability >= 1e-12 else label("plan", "often.rarely")


@kept_for_session
def _failing(plan: ReleasePlan, promise: BeliefPromise, rounds: int, side: Side) -> tuple[float, float]:
    """Chances that the promise fails on the last round and on some round, rounded up by what is not known exactly."""
    found = passing_chances(
        plan.privacy_loss, shift=promise.epsilon_prime, rounds=rounds, side=side, direction=promise.direction
    )
    return float(found.given[-1]), float(max(found.some_upper[-1], found.given[-1]))


LENSES = {
    "day": (1, 7, 30, 91, 365),
    "week": (1, 4, 13, 52),
    "month": (1, 3, 12, 60),
    "quarter": (1, 4, 20),
    "year": (1, 5, 10),
    "round": (1, 10, 100),
    "release": (1, 10, 100),
}
"""So many rounds have a name of their own, and stand for a longer unit of protection."""


def lens_table(accounts: Accounts) -> Table:
    """The same plan with the unit of protection made longer: person-day to person-year."""
    rows: list[tuple[object, ...]] = []
    for rounds in LENSES[accounts.every]:
        if rounds * accounts.plan.releases > LARGEST_PLAN:
            break
        best = accounts.shift(accounts.best_bound_after(rounds), rounds)
        span = label("plan", f"lens.{accounts.every}.{rounds}")
        row: list[object] = [accounts.say("lens_row", whose=accounts.context["whose"], span=span)]
        if "direct" in accounts.methods:
            row.append(Upper(accounts.cells * accounts.ledger.rho * rounds, number(4)).digits)
        row.append(accounts.said(accounts.belief(best)).digits)
        if accounts.exact:
            row.append(accounts.said(accounts.belief(accounts.shift("exact", rounds))).digits)
        rows.append(tuple(row))
    columns = [label("plan", f"longer.{name}") for name in ("protected", "rho", "bound")]
    if "direct" not in accounts.methods:
        del columns[1]
    if accounts.exact:
        columns.append(accounts.context["how_sure"])
    return Table(label("plan", "longer.caption", failure=accounts.context["failure"]), tuple(columns), tuple(rows))


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
    return Table(brought.caption, heads("plan", "ledger"), rows)


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
