"""The printed examples of the thesis beside what the page computes of them."""

from __future__ import annotations

from functools import cache

from scipy.special import expit

from dpcore.guarantees import (
    ApproximateDP,
)
from dpcore.rounding import round_up
from dpcore.semantics import belief_bounds, largest_difference
from ui.pictures.table import Table
from ui.views.explain.readings import points
from ui.words.phrasing import plain_number
from ui.words.quantities import Lower, Upper, number, share


@cache
def examples_table() -> Table:
    """The printed examples beside what this page computes, bounds rounded outwards."""
    manager = belief_bounds(ApproximateDP(epsilon=0.1, delta=1e-7), prior=0.5, delta_prime=0.01)
    company = ApproximateDP(epsilon=1.8, delta=1e-5)
    half = belief_bounds(company, prior=0.5, delta_prime=0.05)
    tenth = belief_bounds(company, prior=0.1, delta_prime=0.05)
    worst = float(expit(-1.0))
    return Table(
        "Printed in chapter 5 of the thesis, and computed here with bounds rounded outwards",
        ("example", "printed", "computed", "note"),
        (
            (
                "Example 6, the manager: belief from 50 %",
                "48 to 52 %",
                f"{Lower(manager.posterior_lower, share()).digits} to {Upper(manager.posterior_upper, share()).digits}",
                f"47.50 and 52.50 unrounded; printed rounded inwards, so 48 to 52 is not a bound "
                f"({plain_number(manager.posterior_lower, 6)}, {plain_number(manager.posterior_upper, 6)})",
            ),
            (
                "Example 6: largest change of any belief",
                "2 points",
                points(manager.largest_difference),
                "rounded up",
            ),
            (
                "Example 9, the company: belief from 50 %",
                "86 %",
                Upper(half.posterior_upper, share()).digits,
                "δ′ = 0.05",
            ),
            (
                "Example 9: belief from 10 %",
                "40 %",
                Upper(tenth.posterior_upper, share()).digits,
                f"{Upper(tenth.posterior_upper, share(2)).digits} unrounded; 40 is rounded down",
            ),
            (
                "Section 5.4.4, ε = 2: the belief that can rise most",
                "0.27, to 0.73",
                f"{worst:.4f}, to {round_up(1 - worst, 4):.4f}",
                f"a change of {Upper(float(largest_difference(epsilon=2.0)), number(4)).digits}, printed 0.46",
            ),
        ),
    )
