"""Printed numbers about releases that add up: chapter 5 of the thesis, Figure 5.3 and Examples 7 and 8."""

from __future__ import annotations

from collections.abc import Callable

from dpcore.composition import (
    AdvancedRule,
    BasicRule,
    BeliefPromise,
    ConcentratedRule,
    ExactRule,
    OptimalRule,
    Rule,
    first_broken,
    largest_budget,
    largest_epsilon_each,
    optimal_composition,
)
from dpcore.mechanisms import Gaussian, Geometric
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from riskline.record.tables import thesis_row

FIGURE = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)


def _first(rule: Rule, promise: BeliefPromise) -> Callable[[], float]:
    return lambda: float(first_broken(rule, promise) or 0)


def _exact_percent(days: int) -> Callable[[], float]:
    loss = PrivacyLoss.of(Gaussian(rho=0.01), days)
    return lambda: 100 * ExactPosterior(loss, prior=0.5).quantile(0.99)


_EXAMPLE_8 = BeliefPromise.largest_difference(cap=0.2, delta_prime=0.01)

ROWS = [
    thesis_row(
        "Figure 5.3",
        "first release of epsilon 0.05 after which basic composition allows a belief above 80 %",
        28,
        0,
        _first(BasicRule(epsilon=0.05), FIGURE),
    ),
    thesis_row(
        "Figure 5.3",
        "the same by advanced composition at delta 0.001",
        51,
        0,
        _first(AdvancedRule(epsilon=0.05, total_delta=0.001, charge=False), FIGURE),
        verdict="reading",
        reading="Comes out only when delta itself is read as the failure probability, without the step of Theorem 35.",
    ),
    thesis_row(
        "Figure 5.3, as the text describes it",
        "the same by advanced composition at delta 0.001 and delta' 0.05",
        51,
        0,
        _first(AdvancedRule(epsilon=0.05, total_delta=0.001), FIGURE),
        verdict="erratum",
        reading="With the step of Theorem 35 that the text describes, release 49 is the first one above the cap.",
        computed=49,
    ),
    thesis_row(
        "Figure 5.3",
        "the same by optimal composition at delta 0.001, with or without the step of Theorem 35",
        96,
        0,
        _first(OptimalRule(epsilon=0.05, total_delta=0.001), FIGURE),
        reading="Release 97 is below the cap again (parity); a bound for 101 releases holds for every smaller number.",
    ),
    *(
        thesis_row(
            "Example 7",
            f"exact 99 % quantile of the belief after {days} days, in %",
            printed,
            0,
            _exact_percent(days),
            verdict="erratum",
            reading="The printed bound holds for every mechanism with this rho; under Gaussian noise, with the raw "
            "releases seen, the belief stays below the computed value in 99 of 100 cases.",
            computed=exact,
        )
        for days, printed, exact in ((7, 83, 72), (30, 96, 89), (58, 99, 96))
    ),
    thesis_row(
        "Example 7",
        "first day on which the bound on the belief exceeds 99 %",
        58,
        0,
        _first(
            ConcentratedRule(rho=0.01, route="published"),
            BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01),
        ),
    ),
    thesis_row(
        "Example 7",
        "first day on which the bound on the largest difference exceeds 98 points",
        202,
        0,
        _first(
            ConcentratedRule(rho=0.01, route="published"), BeliefPromise.largest_difference(cap=0.98, delta_prime=0.01)
        ),
    ),
    thesis_row(
        "Example 7",
        "first day on which the belief exceeds 99 % with probability above 1 %, Gaussian noise exactly",
        58,
        0,
        _first(
            ExactRule.of(Gaussian(rho=0.01)),
            BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01, direction="rise"),
        ),
        verdict="erratum",
        reading="58 is a bound for every mechanism with this rho; Gaussian noise itself lasts until day 112.",
        computed=112,
    ),
    thesis_row(
        "Example 8", "total epsilon that keeps every belief within 20 points", 0.81, 2, lambda: _EXAMPLE_8.epsilon_prime
    ),
    thesis_row(
        "Example 8",
        "epsilon of each of twelve releases by basic composition",
        0.068,
        3,
        lambda: largest_budget(lambda eps: BasicRule(epsilon=eps), _EXAMPLE_8, releases=12),
    ),
    thesis_row(
        "Example 8",
        "epsilon of each of twelve releases by optimal composition at a total delta of 0.000001",
        0.135,
        3,
        lambda: largest_epsilon_each(
            releases=12, total_epsilon=_EXAMPLE_8.epsilon_prime, total_delta=1e-6, delta_each=1e-8, rule="exact"
        ),
        verdict="erratum",
        reading="Twelve releases of 0.135 reach 0.81 only at a delta of 0.009, nine thousand times the stated one. The "
        "largest epsilon that keeps the stated guarantee is 0.0678.",
        computed=0.068,
    ),
    thesis_row(
        "Example 8",
        "delta of twelve releases of epsilon 0.135 at a total epsilon of 0.81",
        0.000001,
        6,
        lambda: optimal_composition(releases=12, epsilon=0.135, total_delta=0.00901).delta,
        verdict="erratum",
        reading="The delta used at l = 3 is 0.008999.",
        computed=0.008999,
    ),
    thesis_row(
        "Example 8",
        "probability, in %, that twelve counts at epsilon 0.135 move a belief by more than 20 points",
        1,
        0,
        lambda: (
            100 * PrivacyLoss.of(Geometric(epsilon=0.135), 12).exceedance(_EXAMPLE_8.epsilon_prime, direction="either")
        ),
        verdict="erratum",
        reading="The promise of 99 in 100 fails at the printed epsilon: 4.4 %, of which 3.3 % are rises.",
        computed=4,
    ),
    thesis_row(
        "Example 8",
        "largest epsilon of each of twelve geometric counts that keeps the 99 % promise, exactly",
        0.135,
        3,
        lambda: largest_budget(lambda eps: ExactRule.of(Geometric(epsilon=eps)), _EXAMPLE_8, releases=12),
        verdict="erratum",
        reading="The exact law of twelve counts allows 0.101, not 0.135.",
        computed=0.101,
    ),
]
