"""Several releases under one line of risk: what each of them may spend, by every way of adding up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from dpcore.composition import BeliefPromise, ExactRule, OptimalRule, Rule, largest_budget
from dpcore.errors import Refused
from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Geometric
from dpcore.profiles import Status
from riskline.answers import line_budget
from riskline.case.promise import records_together
from ui.pictures.table import Table
from ui.views.choose.answer import Answered
from ui.words.phrasing import exact_budget, plain_number, rounded_budget
from ui.words.quantities import Allowed, Failure, number

LONGEST_SEARCH = 2000  # releases: beyond it the searches by optimal and exact composition would keep a reader waiting

BY_EPSILON: dict[str, tuple[str, str, str]] = {
    "optimal": ("ε, optimal composition at δ", "any mechanism", "Theorems 25.3 and 35"),
    "exact": ("ε, geometric counts exactly", "exact, for who knows everybody else and sees the raw numbers", "ours"),
}
BY_RHO = {
    "published": ("ρ, published formula", "any mechanism", "Theorems 24, 26 and 35"),
    "direct": ("ρ, direct bound", "any mechanism", "ours"),
    "gaussian": (
        "ρ, continuous Gaussian noise exactly",
        "exact, for who knows everybody else and sees the raw numbers; not for whole-number noise",
        "ours",
    ),
    "discrete_gaussian": (
        "ρ, discrete Gaussian counts, certified",
        "exact, for this ρ and who knows everybody else and sees the raw numbers",
        "ours",
    ),
}


@lru_cache(maxsize=256)
def _epsilon_each(rule: str, epsilon_prime: float, failure: float, delta: float, releases: int, group: int) -> float:
    """Largest epsilon of each release for the protected unit, a group that moves a count by its size, by a rule."""
    rules: dict[str, Callable[[float], Rule]] = {
        "optimal": lambda epsilon: OptimalRule(epsilon=epsilon, total_delta=delta, between_steps=True),
        "exact": lambda epsilon: ExactRule.of(Geometric(epsilon=epsilon, sensitivity=group)),
    }
    promise = BeliefPromise(epsilon_prime=epsilon_prime, delta_prime=failure)
    return largest_budget(rules[rule], promise, releases=releases)


def several_releases(answer: Answered) -> Table | None:
    """The table for more than one release; None for one, and where only plain addition is justified."""
    inputs, implied = answer.inputs, answer.implied
    if inputs.releases == 1 or implied.status is not Status.BINDS:
        return None
    releases, failure, delta = inputs.releases, inputs.failure, inputs.delta
    group = records_together(inputs.unit, inputs.group)
    pure = line_budget(inputs.line_choice, replace(inputs.terms, guarantee="pure")).budget
    assert pure is not None
    assert isinstance(pure.each, PureDP)
    rows: list[tuple[object, ...]] = [_row("ε, plain addition", pure.each.epsilon, releases, "any mechanism; certain")]
    by_rho = {}
    for route in BY_RHO:
        try:
            terms = replace(inputs.terms, guarantee="zero_concentrated", route=route)
            found = line_budget(inputs.line_choice, terms).budget
        except Refused as refusal:  # not a question about two worlds, or not about counts where records are replaced
            if refusal.name != "route":
                raise
        else:
            assert found is not None
            by_rho[route] = found
    if not by_rho:  # only plain addition is justified
        return None
    if releases * group <= LONGEST_SEARCH:
        for rule, (name, whom, theorem) in BY_EPSILON.items():
            if rule == "exact" or delta < failure:
                each = _epsilon_each(rule, pure.answer.lower, failure, delta, releases, group) / group
                rows.append(_row(name, each, releases, f"{whom}; {theorem}" if answer.style.technical else whom))
    for route, found in by_rho.items():
        assert isinstance(found.each, ZeroConcentratedDP)
        name, whom, theorem = BY_RHO[route]
        note = f"{whom}; {theorem}" if answer.style.technical else whom
        amounts = exact_budget(found.recommended_each), exact_budget(found.recommended_total)
        rows.append((name, *amounts, Allowed(found.each.rho, number(7)).digits, note))
    return Table(
        f"What each of {releases:,} equal releases may spend under your line, rounded down; all but plain addition "
        f"may fail with probability δ′ = {Failure(failure, number(3))} (δ = {plain_number(delta, 3)})",
        ("rule", "each", "together", "unrounded", "for whom"),
        tuple(rows),
    )


def _row(name: str, each: float, releases: int, note: str) -> tuple[object, ...]:
    return (
        name,
        rounded_budget(each),
        rounded_budget(each * releases),
        Allowed(each, number(7)).digits,
        note,
    )
