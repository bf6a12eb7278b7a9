"""The published examples of adding up, computed once: the 2020 Census, Examples 7 and 8, Figure 5.3."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from dpcore.composition import (
    AdvancedRule,
    BasicRule,
    BeliefPromise,
    ConcentratedRoute,
    ConcentratedRule,
    ExactRule,
    OptimalRule,
    Rule,
    first_broken,
)
from dpcore.deployments import adding_up, deployment
from dpcore.first_passage import first_passing
from dpcore.mechanisms import Gaussian, Geometric
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from dpcore.semantics import worst_prior_rise
from riskline.answers.composed import RULES, epsilon_each, reached_by_shift, rho_each
from ui.pictures.table import Table
from ui.views.plan.budgets import BY_EPSILON, RHO_ROUTES
from ui.words.quantities import Upper, in_points, number, share


@cache
def _adding_up() -> Any:
    return adding_up(
        deployment("2020 Census redistricting data, persons"),
        deployment("2020 Census redistricting data, housing units"),
    )


def adding_facts() -> dict[str, Any]:
    """What the passage about adding the two parts of the 2020 Census says."""
    both = _adding_up()
    return {
        "added": f"{both.added_epsilons:.2f}",
        "rho": f"{both.rho:.2f}",
        "once": Upper(both.converted_once, number(4)),
    }


@cache
def adding_table() -> Table:
    """The two parts of the 2020 Census, added in both ways."""
    both = _adding_up()
    return Table(
        "The two parts of the 2020 redistricting data at δ = 1e-10",
        ("how", "persons", "housing units", "a unit in both"),
        (
            ("add the converted ε: no unit has this", "17.14", "2.47", f"ε = {both.added_epsilons:.2f}"),
            (
                "add ρ, convert once",
                "2.56",
                "0.07",
                f"ρ = {both.rho:.2f}, ε = {Upper(both.converted_once, number(4)).digits}",
            ),
        ),
    )


@cache
def seven_table() -> Table:
    """Example 7: daily counts with rho .01, delta' .01, by three routes, with the erratum."""
    routes: tuple[ConcentratedRoute, ...] = ("published", "direct", "gaussian")
    rules = {route: ConcentratedRule(rho=0.01, route=route) for route in routes}
    belief = BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01, direction="rise")
    change = BeliefPromise.largest_difference(cap=0.98, delta_prime=0.01)
    loss = {days: PrivacyLoss.of(Gaussian(rho=0.01), days) for days in (7, 30, 58)}

    def beliefs(route: ConcentratedRoute, days: int) -> float:
        if route == "gaussian":
            return float(ExactPosterior(loss[days], prior=0.5).quantile(0.99))
        return float(reached_by_shift(rules[route].shift(days, delta_prime=0.01, direction="rise"), 0.5))

    rows: list[tuple[object, ...]] = []
    for days, printed in ((7, "83 %"), (30, "96 %"), (58, "more than 99 %")):
        found = (Upper(beliefs(route, days), share(1)).digits for route in routes)
        rows.append((f"belief from 50 % after {days} days", printed, *found))
    for name, printed, promise in (
        ("first day above 99 %", "58", belief),
        ("first day on which a belief can change by more than 98 points", "202", change),
    ):
        rows.append((name, printed, *(f"{first_broken(rules[route], promise):,}" for route in routes)))
    some = first_passing(PrivacyLoss.of(Gaussian(rho=0.01)), shift=belief.epsilon_prime, failure=0.01, at_most=200).some
    bounds = (f"{first_broken(rules[route], belief):,}" for route in routes[:2])
    rows.append(("first day by which it was above 99 % on some day", "", *bounds, f"{some:,}"))
    for days, printed in ((7, "38 points"), (30, "67 points"), (202, "98 points")):
        changes = (float(reached_by_shift(rules[route].shift(days, delta_prime=0.01), None)) for route in routes)
        found = (Upper(change, in_points).digits for change in changes)
        rows.append((f"largest change of a belief after {days} days", printed, *found))
    worst = float(worst_prior_rise(epsilon=rules["published"].shift(30, delta_prime=0.01)))
    rows.append(
        (
            "belief that can rise most after 30 days",
            "19 to 81 %",
            f"{100 * worst:.0f} to {100 - 100 * worst:.0f} %",
            "printed 19–81 is a gap of 62 points, not 67",
            "",
        )
    )
    return Table(
        "Example 7: a daily count with ρ = 0.01, δ′ = 0.01",
        ("what", "printed", "published route", "direct bound", "Gaussian noise exactly"),
        tuple(rows),
    )


EIGHT = 0.135


@cache
def _eight() -> tuple[BeliefPromise, dict[str, float], float, float]:
    """Example 8: the promise, epsilon each by rule, and how often twelve counts at .135 break it."""
    promise = BeliefPromise.largest_difference(cap=0.2, delta_prime=0.01)
    each = {rule: epsilon_each(promise, 12, rule, 1e-6) for rule in RULES}
    loss = PrivacyLoss.of(Geometric(epsilon=EIGHT), 12)
    rises, either = (
        float(loss.exceedance(promise.epsilon_prime, direction=direction)) for direction in ("rise", "either")
    )
    return promise, each, rises, either


def eight_facts() -> dict[str, str]:
    """What the passage about Example 8 says."""
    promise, each, rises, either = _eight()
    return {
        "total": f"{promise.epsilon_prime:.2f}",
        "basic": f"{each['basic']:.4f}",
        "optimal": f"{each['optimal']:.4f}",
        "exact": f"{each['exact']:.4f}",
        "rises": f"{100 * rises:.1f}",
        "either": f"{100 * either:.1f}",
        "printed": f"{EIGHT:g}",
    }


@cache
def eight_table() -> Table:
    """Example 8: what each of twelve counts may spend, by every rule, beside what is printed."""
    promise, each, _, _ = _eight()
    notes = {
        "basic": "printed 0.068, rounded up: no budget",
        "advanced": "worse than plain addition here",
        "optimal": "printed 0.135, which is 0.81/6 and needs δ = 0.009, nine thousand times the stated 1e-6",
        "free": "δ chosen for the promise",
        "exact": "the most that keeps the promise with 99 in 100",
    }
    rhos = {route: rho_each(promise, 12, route) for route in RHO_ROUTES}
    rows: list[tuple[object, ...]] = [
        (BY_EPSILON[rule], f"{each[rule]:.5f}", f"{12 * each[rule]:.3f}", notes[rule]) for rule in RULES
    ]
    rows += [
        (name, f"{rhos[route]:.5f}", f"{12 * rhos[route]:.5f}", f"σ = {math.sqrt(1 / (2 * rhos[route])):.1f} each")
        for route, name in RHO_ROUTES.items()
    ]
    return Table(
        "Example 8: twelve counts, no belief may change by more than 20 points but in 1 of 100 releases",
        ("rule", "each", "together", "note"),
        tuple(rows),
    )


@cache
def figure_table() -> Table:
    """Figure 5.3: the first of many releases at epsilon .05 that lets a belief pass 80 %, by rule and reading."""
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)

    def first(rule: Rule) -> str:
        return f"{first_broken(rule, promise):,}"

    rules: tuple[tuple[str, str, Callable[[bool], Rule]], ...] = (
        ("plain addition", "28", lambda charge: BasicRule(epsilon=0.05, charge=charge)),
        ("advanced", "51", lambda charge: AdvancedRule(epsilon=0.05, total_delta=1e-3, charge=charge)),
        ("optimal", "96", lambda charge: OptimalRule(epsilon=0.05, total_delta=1e-3, charge=charge)),
    )
    rows: list[tuple[object, ...]] = [
        (name, printed, first(rule_for(False)), first(rule_for(True))) for name, printed, rule_for in rules
    ]
    exact = first(ExactRule.of(Geometric(epsilon=0.05)))
    rows.append(("geometric counts exactly", "", "", exact))
    return Table(
        "Figure 5.3: first release of ε = 0.05 after which a belief of 50 % can pass 80 %",
        ("rule", "printed", "δ read as the failure probability", "as described, δ′ = 0.05"),
        tuple(rows),
    )
