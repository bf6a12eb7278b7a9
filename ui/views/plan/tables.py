"""A plan in rows: every rule beside the others, two observers, longer units of protection, and the numbers on top."""

from __future__ import annotations

from dpcore.composition import LARGEST_PLAN, BeliefPromise, ReleasePlan
from dpcore.first_passage import passing_chances
from dpcore.privacy_loss import Side
from riskline.answers.composed import epsilon_each
from riskline.case.releases import BY_RHO
from ui.pictures.table import Table
from ui.views.explain.told import rarely
from ui.views.plan.accounts import Accounts
from ui.views.plan.budgets import any_rho_each, most_epsilon_each, own_rho_each
from ui.views.shared.session_results import kept_for_session
from ui.words.catalogue import say
from ui.words.phrasing import rounded_budget
from ui.words.quantities import Failure, Upper, number

SOURCES = {
    "basic": ("bound", "Theorem 25.1"),
    "advanced": ("bound", "Theorem 25.2"),
    "optimal": ("bound", "Theorem 25.3, Kairouz et al."),
    "divergences": ("bound", "ours, divergences added"),
    "published": ("bound", "Theorems 24, 26 and 35"),
    "direct": ("bound", "ours, tail of zCDP"),
    "exact": ("exact", ""),
}


def _held(accounts: Accounts, method: str) -> str:
    """What a rule's number is, and in the technical voice the theorem behind it."""
    kind, theorem = SOURCES[method]
    if kind == "exact" and accounts.closely:
        return "close estimate"
    return f"{kind} · {theorem}" if accounts.style.technical and theorem else kind


def totals_table(accounts: Accounts) -> Table:
    """Every rule beside the others: total epsilon, belief, first round over the promise."""
    chosen = accounts.inputs
    rows = []
    for method in accounts.methods:
        total = accounts.rule(method).total(chosen.rounds)
        rows.append(
            (
                accounts.name_of(method)[0].upper() + accounts.name_of(method)[1:],
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
        held = f"{'Tight' if tight else 'Bound'} for {'these' if accounts.exact else 'any'} mechanisms"
        rows.append(
            (
                f"{held}, over every view",
                "",
                accounts.said(accounts.belief(view)).digits,
                "",
                "",
                "tight bound · ours" if tight else "bound · ours",
            )
        )
    wanted = "largest change" if chosen.promise == "difference" else "belief at most"
    return Table(
        f"{accounts.context['span']}, {accounts.context['releases']}: every rule, δ = {accounts.context['delta']}, "
        f"δ′ = {accounts.context['failure']}",
        (
            "rule",
            "total ε",
            wanted,
            f"first {accounts.every} over (a bound: not promised), looking once",
            f"first {accounts.every} over (a bound: not promised), reading every {accounts.every}",
            "kind and source",
        ),
        tuple(rows),
    )


def plan_numbers(accounts: Accounts) -> tuple[tuple[str, str, str], ...]:
    """The numbers on top: when the promise breaks or how far it is kept, the belief at the end, what may be spent."""
    voice, context = accounts.style.voice, accounts.context
    other = f"{context['other']}: {context['promised_other']}"
    if accounts.exact:
        found = [
            (say("plan", voice, "number_when"), context["when"], f"promised by {other}"),
            (
                say("plan", voice, "number_some"),
                context["when_some"],
                f"this noise, on some {accounts.every} up to then",
            ),
        ]
    else:
        found = [(say("plan", voice, "number_promised"), context["promised"], f"{context['headline']}; {other}")]
    found += [
        (
            say("plan", voice, "number_after"),
            context["belief"].digits,
            f"best bound here for any mechanism {context['bound'].digits}",
        ),
    ]
    if "direct" in accounts.methods:
        rho = accounts.cells * accounts.ledger.rho * accounts.inputs.rounds
        found.append((say("plan", voice, "number_rho"), f"ρ = {Upper(rho, number(4)).digits}", "all releases added up"))
    if any(row.kind in BY_RHO for row in accounts.inputs.rows):
        amount, noise = own_rho_each(accounts)
        note = f"{noise}; {rounded_budget(any_rho_each(accounts))} by any"
        found.append((say("plan", voice, "number_each"), f"ρ = {amount}", note))
    else:
        general = most_epsilon_each(accounts)
        each, note = general, "any mechanism, safe"
        both = {"geometric", "randomised_response"}  # which have this law
        if accounts.moves == 1 and {row.kind for row in accounts.inputs.rows} <= both:
            each = epsilon_each(accounts.promise, accounts.whole.releases, "exact", accounts.inputs.delta)
            note = f"this noise, exact; {rounded_budget(general)} by any"
        found.append((say("plan", voice, "number_each"), f"ε = {rounded_budget(each)}", note))
    return tuple(found)


MOST_WATCHED = 365  # rounds followed one by one for the table of two observers


def observers_table(accounts: Accounts) -> Table:
    """How often the promise fails for who looks once and for who reads every round, in both worlds."""
    chosen, promise = accounts.inputs, accounts.promise
    rounds = min(chosen.rounds, accounts.at_most, MOST_WATCHED)
    ever, rise = accounts.context["ville"], promise.direction == "rise"
    worlds: tuple[tuple[str, Side, str], ...] = (
        (accounts.context["if_true"], "present", "no such bound" if rise else f"falls alone: {ever:at most}"),
        (accounts.context["if_false"], "absent", f"{ever:at most}" if rise else f"rises alone: {ever:at most}"),
    )
    rows: list[tuple[object, ...]] = []
    for name, side, bound in worlds:
        cells = 2 * ["not computed for so many" if accounts.plan.has_exact_law else "not known: no law"]
        if accounts.exact:
            given, some = _failing(accounts.plan, promise, rounds, side)
            cells = [often(given), often(some)]
        rows.append((name, *cells, bound))
    every = accounts.every
    return Table(
        f"How often the promise fails within {rounds:,} {every}" + ("s" if rounds > 1 else ""),
        ("case", f"on {every} {rounds:,} itself", f"on some {every} up to then", "ever, by any mechanism (Ville)"),
        tuple(rows),
    )


def often(probability: float) -> str:
    """A chance that is rounded up, in people out of 100 or rarer.

    Examples
    --------
    >>> often(0.0103), often(0.0), often(3e-14)
    ('2 in 100', 'never', 'less than 1 in a million million')
    """
    if probability == 0.0:
        return "never"
    return Failure(probability, rarely).digits if probability >= 1e-12 else "less than 1 in a million million"


@kept_for_session
def _failing(plan: ReleasePlan, promise: BeliefPromise, rounds: int, side: Side) -> tuple[float, float]:
    """Chances that the promise fails on the last round and on some round, rounded up by what is not known exactly."""
    found = passing_chances(
        plan.privacy_loss, shift=promise.epsilon_prime, rounds=rounds, side=side, direction=promise.direction
    )
    return float(found.given[-1]), float(max(found.some_upper[-1], found.given[-1]))


LENSES = {
    "day": (("one day", 1), ("one week", 7), ("one month", 30), ("one quarter", 91), ("one year", 365)),
    "week": (("one week", 1), ("four weeks", 4), ("one quarter", 13), ("one year", 52)),
    "month": (("one month", 1), ("one quarter", 3), ("one year", 12), ("five years", 60)),
    "quarter": (("one quarter", 1), ("one year", 4), ("five years", 20)),
    "year": (("one year", 1), ("five years", 5), ("ten years", 10)),
    "round": (("one round", 1), ("ten rounds", 10), ("a hundred rounds", 100)),
    "release": (("one release", 1), ("ten releases", 10), ("a hundred releases", 100)),
}


def lens_table(accounts: Accounts) -> Table:
    """The same plan with the unit of protection made longer: person-day to person-year."""
    rows: list[tuple[object, ...]] = []
    for name, rounds in LENSES[accounts.every]:
        if rounds * accounts.plan.releases > LARGEST_PLAN:
            break
        best = accounts.shift(accounts.best_bound_after(rounds), rounds)
        row: list[object] = [say("plan", accounts.style.voice, "lens_row", whose=accounts.context["whose"], span=name)]
        if "direct" in accounts.methods:
            row.append(Upper(accounts.cells * accounts.ledger.rho * rounds, number(4)).digits)
        row.append(accounts.said(accounts.belief(best)).digits)
        if accounts.exact:
            row.append(accounts.said(accounts.belief(accounts.shift("exact", rounds))).digits)
        rows.append(tuple(row))
    of_one = ["total ρ, of one record"] if "direct" in accounts.methods else []
    heads = ["protected", *of_one, "bound for any mechanism"]
    return Table(
        f"What the promise covers, and what can then be believed (δ′ = {accounts.context['failure']})",
        (*heads, *((accounts.context["how_sure"],) if accounts.exact else ())),
        tuple(rows),
    )
