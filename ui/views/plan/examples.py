"""The published examples of adding up, computed once: the 2020 Census, Examples 7 and 8, Figure 5.3."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
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
from ui.pictures.table import Table, table_of
from ui.words.catalogue import label
from ui.words.quantities import Upper, in_points, number, share

_told = partial(label, "plan")


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
    rows = (
        (_told("adding_row.converted"), "17.14", "2.47", f"ε = {both.added_epsilons:.2f}"),
        (
            _told("adding_row.rho"),
            "2.56",
            "0.07",
            f"ρ = {both.rho:.2f}, ε = {Upper(both.converted_once, number(4)).digits}",
        ),
    )
    return table_of("plan", "adding", rows)


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
    for days, printed in ((7, "83 %"), (30, "96 %"), (58, _told("seven_row.more_than"))):
        found = (Upper(beliefs(route, days), share(1)).digits for route in routes)
        rows.append((_told("seven_row.belief", days=days), printed, *found))
    for name, printed, promise in (
        ("above", "58", belief),
        ("change", "202", change),
    ):
        days_told = (f"{first_broken(rules[route], promise):,}" for route in routes)
        rows.append((_told(f"seven_row.{name}"), printed, *days_told))
    some = first_passing(PrivacyLoss.of(Gaussian(rho=0.01)), shift=belief.epsilon_prime, failure=0.01, at_most=200).some
    bounds = (f"{first_broken(rules[route], belief):,}" for route in routes[:2])
    rows.append((_told("seven_row.some"), "", *bounds, f"{some:,}"))
    for days, most in ((7, 38), (30, 67), (202, 98)):
        changes = (float(reached_by_shift(rules[route].shift(days, delta_prime=0.01), None)) for route in routes)
        found = (Upper(change, in_points).digits for change in changes)
        points = _told("seven_row.points", n=most)
        rows.append((_told("seven_row.largest", days=days), points, *found))
    worst = float(worst_prior_rise(epsilon=rules["published"].shift(30, delta_prime=0.01)))
    rows.append(
        (
            _told("seven_row.rise"),
            _told("seven_row.from_to", low=19, high=81),
            _told("seven_row.from_to", low=f"{100 * worst:.0f}", high=f"{100 - 100 * worst:.0f}"),
            _told("seven_row.gap"),
            "",
        )
    )
    return table_of("plan", "seven", rows)


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
    rhos = {route: rho_each(promise, 12, route) for route in ("published", "direct", "gaussian")}
    rows = [
        (_told(f"by_epsilon.{rule}"), f"{each[rule]:.5f}", f"{12 * each[rule]:.3f}", _told(f"eight_note.{rule}"))
        for rule in RULES
    ]
    for route, rho in rhos.items():
        spread = _told("eight_note.spread", std=f"{math.sqrt(1 / (2 * rho)):.1f}")
        rows.append((_told(f"by_rho.{route}"), f"{rho:.5f}", f"{12 * rho:.5f}", spread))
    return table_of("plan", "eight", rows)


@cache
def figure_table() -> Table:
    """Figure 5.3: the first of many releases at epsilon .05 that lets a belief pass 80 %, by rule and reading."""
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)

    def first(rule: Rule) -> str:
        return f"{first_broken(rule, promise):,}"

    rules: tuple[tuple[str, str, Callable[[bool], Rule]], ...] = (
        ("basic", "28", lambda charge: BasicRule(epsilon=0.05, charge=charge)),
        ("advanced", "51", lambda charge: AdvancedRule(epsilon=0.05, total_delta=1e-3, charge=charge)),
        ("optimal", "96", lambda charge: OptimalRule(epsilon=0.05, total_delta=1e-3, charge=charge)),
    )
    rows: list[tuple[object, ...]] = [
        (_told(f"figure_row.{name}"), printed, first(rule_for(False)), first(rule_for(True)))
        for name, printed, rule_for in rules
    ]
    exact = first(ExactRule.of(Geometric(epsilon=0.05)))
    rows.append((_told("figure_row.geometric"), "", "", exact))
    return table_of("plan", "figure", rows)
