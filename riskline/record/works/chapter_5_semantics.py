"""Printed numbers of the thesis' chapter 5 about beliefs: Examples 6, 7, 9 and section 5.4.4."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpcore import semantics
from dpcore.guarantees import (
    ApproximateDP,
    gaussian_probabilistic_epsilon,
    probabilistic_epsilon_from_rho,
    probabilistic_epsilon_from_rho_published,
)
from riskline.record.tables import thesis_row

_MANAGER = ApproximateDP(epsilon=0.1, delta=1e-7)
_COMPANY = ApproximateDP(epsilon=1.8, delta=1e-5)
_DAILY_RHO = 0.01
_NOT_A_BOUND = "Printed to the nearest digit; as an upper bound it must be rounded up."


def _manager(prior: float) -> semantics.BeliefBounds:
    return semantics.belief_bounds(_MANAGER, prior=prior, delta_prime=0.01)


def _company(prior: float) -> semantics.BeliefBounds:
    return semantics.belief_bounds(_COMPANY, prior=prior, delta_prime=0.05)


def _published(days: int) -> float:
    return float(probabilistic_epsilon_from_rho_published(rho=_DAILY_RHO * days, delta_prime=0.01))


def _worst_rise(days: int) -> float:
    return float(semantics.worst_prior_rise(epsilon=_published(days)))


def _first_day(route: Callable[..., object], crossed: Callable[[np.ndarray], np.ndarray]) -> int:
    """First day on which the bound of a route is crossed."""
    days = np.arange(1, 400)
    shifts = np.asarray(route(rho=_DAILY_RHO * days, delta_prime=0.01))
    return int(days[crossed(shifts)][0])


def _exceeds_99(shift: np.ndarray) -> np.ndarray:
    return np.asarray(semantics.posterior_upper(prior=0.5, epsilon=shift)) > 0.99


def _difference_exceeds_98(shift: np.ndarray) -> np.ndarray:
    return np.asarray(semantics.largest_difference(epsilon=shift)) > 0.98


def _company_worst() -> semantics.BeliefBounds:
    return _company(_company(0.5).worst_prior_rise)


_ROUTE = "Theorem 24, then Theorem 35, at the delta that gives the smallest bound."

ROWS = [
    # Example 6, the manager
    thesis_row(
        "Example 6",
        "lower bound on the manager's posterior from one half, in per cent",
        48,
        0,
        lambda: 100 * _manager(0.5).posterior_lower,
        "misrounded",
        "The bound is 47.50; 48 is rounded inward and false as a bound. Rounded outward it is 47.",
        47.502,
    ),
    thesis_row(
        "Example 6",
        "upper bound on the manager's posterior from one half, in per cent",
        52,
        0,
        lambda: 100 * _manager(0.5).posterior_upper,
        "misrounded",
        "The bound is 52.498; 52 is rounded inward and false as a bound. Rounded outward it is 53.",
        52.498,
    ),
    thesis_row(
        "Example 6",
        "largest ratio of posterior to prior",
        1.1,
        1,
        lambda: _manager(0.0).ratio_upper,
        "misrounded",
        _NOT_A_BOUND + " Rounded outward it is 1.11.",
        1.105,
    ),
    thesis_row("Example 6", "smallest ratio of posterior to prior", 0.90, 2, lambda: _manager(0.0).ratio_lower),
    thesis_row(
        "Example 6",
        "largest change of the manager's belief, in percentage points",
        2,
        0,
        lambda: 100 * _manager(0.5).largest_difference,
        "misrounded",
        "The bound is 2.49996 points. Rounded outward it is 2.5.",
        2.49996,
    ),
    # Example 7, daily releases
    *(
        thesis_row(
            f"Example 7, day {days}",
            "99 % bound on the posterior from one half, in per cent",
            printed,
            0,
            lambda days=days: 100 * float(semantics.posterior_upper(prior=0.5, epsilon=_published(days))),
            "reading",
            _ROUTE,
        )
        for days, printed in ((7, 83), (30, 96), (58, 99))
    ),
    *(
        thesis_row(
            f"Example 7, day {days}",
            "99 % bound on the change of any belief, in percentage points",
            printed,
            0,
            lambda days=days: 100 * float(semantics.largest_difference(epsilon=_published(days))),
            "reading",
            _ROUTE,
        )
        for days, printed in ((7, 38), (30, 67), (202, 98))
    ),
    thesis_row(
        "Example 7",
        "first day on which the bound on the posterior exceeds 99 %",
        58,
        0,
        lambda: _first_day(probabilistic_epsilon_from_rho_published, _exceeds_99),
        "reading",
        _ROUTE + " By the direct bound it is day 79, for Gaussian noise exactly day 112.",
    ),
    thesis_row(
        "Example 7",
        "first day on which the bound on the change exceeds 98 points",
        202,
        0,
        lambda: _first_day(probabilistic_epsilon_from_rho_published, _difference_exceeds_98),
        "reading",
        _ROUTE + " By the direct bound it is day 246, for Gaussian noise exactly day 326.",
    ),
    thesis_row("Example 7, day 7", "prior of the worst increase, in per cent", 31, 0, lambda: 100 * _worst_rise(7)),
    thesis_row(
        "Example 7, day 7", "posterior of the worst increase, in per cent", 69, 0, lambda: 100 * (1 - _worst_rise(7))
    ),
    thesis_row(
        "Example 7, day 30",
        "prior of the worst increase, in per cent",
        19,
        0,
        lambda: 100 * _worst_rise(30),
        "erratum",
        "From 19 to 81 is a change of 62 points; the 67 points printed beside it run from 16 to 84.",
        16.38,
    ),
    thesis_row(
        "Example 7, day 30",
        "posterior of the worst increase, in per cent",
        81,
        0,
        lambda: 100 * (1 - _worst_rise(30)),
        "erratum",
        "From 19 to 81 is a change of 62 points; the 67 points printed beside it run from 16 to 84.",
        83.62,
    ),
    thesis_row("Example 7, day 202", "prior of the worst increase, in per cent", 1, 0, lambda: 100 * _worst_rise(202)),
    thesis_row(
        "Example 7, day 202",
        "posterior of the worst increase, in per cent",
        99,
        0,
        lambda: 100 * (1 - _worst_rise(202)),
    ),
    # Example 8, the promise
    thesis_row(
        "Example 8",
        "epsilon that keeps every change of belief within 20 points",
        0.81,
        2,
        lambda: float(semantics.epsilon_from_difference(largest=0.2)),
    ),
    # Example 9, the company
    thesis_row(
        "Example 9",
        "95 % bound on the posterior from one half, in per cent",
        86,
        0,
        lambda: 100 * _company(0.5).posterior_upper,
    ),
    thesis_row(
        "Example 9",
        "95 % bound on the change from one half, in percentage points",
        36,
        0,
        lambda: 100 * _company(0.5).difference_upper,
    ),
    thesis_row(
        "Example 9",
        "95 % bound on the ratio from one half",
        1.7,
        1,
        lambda: _company(0.5).ratio_upper,
        "misrounded",
        _NOT_A_BOUND + " Rounded up it is 1.8.",
        1.716,
    ),
    thesis_row(
        "Example 9",
        "95 % bound on the posterior from 10 per cent, in per cent",
        40,
        0,
        lambda: 100 * _company(0.1).posterior_upper,
        "misrounded",
        _NOT_A_BOUND + " Rounded up it is 41.",
        40.2,
    ),
    thesis_row(
        "Example 9",
        "95 % bound on the change from 10 per cent, in percentage points",
        30,
        0,
        lambda: 100 * _company(0.1).difference_upper,
        "misrounded",
        _NOT_A_BOUND + " Rounded up it is 31.",
        30.2,
    ),
    thesis_row(
        "Example 9",
        "95 % bound on the ratio from 10 per cent",
        4.0,
        1,
        lambda: _company(0.1).ratio_upper,
        "misrounded",
        _NOT_A_BOUND + " Rounded up it is 4.1.",
        4.02,
    ),
    thesis_row("Example 9", "prior of the worst increase, in per cent", 29, 0, lambda: 100 * _company_worst().prior),
    thesis_row(
        "Example 9",
        "95 % bound on the posterior from the worst prior, in per cent",
        71,
        0,
        lambda: 100 * _company_worst().posterior_upper,
        "misrounded",
        _NOT_A_BOUND + " Rounded up it is 72.",
        71.1,
    ),
    thesis_row(
        "Example 9",
        "95 % bound on the largest change, in percentage points",
        42,
        0,
        lambda: 100 * _company_worst().difference_upper,
        "misrounded",
        _NOT_A_BOUND + " Rounded up it is 43.",
        42.19,
    ),
    thesis_row("Example 9", "95 % bound on the ratio at the worst prior", 2.5, 1, lambda: _company_worst().ratio_upper),
    thesis_row(
        "Example 9",
        "95 % bound on the ratio for a prior near zero (printed: at most 6)",
        6,
        0,
        lambda: _company(0.0).ratio_upper,
        "misrounded",
        "The bound is 6.05, so at most 6 is false. Rounded up it is 6.1.",
        6.051,
    ),
    # Section 5.4.4
    *(
        thesis_row(
            "Section 5.4.4",
            quantity,
            printed,
            2,
            compute,
            "reading",
            "The text uses epsilon 2, delta 1e-5, delta' 0.01; the captions of Figures 5.6 and 5.7 say 1.8 and 95 %.",
        )
        for quantity, printed, compute in (
            ("prior with the largest rise", 0.27, lambda: _section_544().worst_prior_rise),
            ("prior with the largest fall", 0.73, lambda: _section_544().worst_prior_fall),
            ("largest change of a belief", 0.46, lambda: _section_544().largest_difference),
        )
    ),
]


def _section_544() -> semantics.BeliefBounds:
    return semantics.belief_bounds(ApproximateDP(epsilon=2.0, delta=1e-5), prior=0.5, delta_prime=0.01)


def crossing_days() -> dict[str, tuple[int, int]]:
    """First day above 99 % and above 98 points, by the published route, the direct bound, and exactly."""
    routes: dict[str, Callable[..., object]] = {
        "published": probabilistic_epsilon_from_rho_published,
        "direct": probabilistic_epsilon_from_rho,
        "exact": gaussian_probabilistic_epsilon,
    }
    return {
        name: (_first_day(route, _exceeds_99), _first_day(route, _difference_exceeds_98))
        for name, route in routes.items()
    }
