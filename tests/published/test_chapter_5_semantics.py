"""What chapter 5's notes say beside the printed numbers."""

from __future__ import annotations

from dpcore.guarantees import (
    gaussian_rho_from_probabilistic,
    rho_from_probabilistic,
    rho_from_probabilistic_published,
)
from dpcore.semantics import epsilon_from_difference
from riskline.record.works.chapter_5_semantics import crossing_days


def test_the_crossing_days_named_beside_example_7_are_right() -> None:
    assert crossing_days() == {"published": (58, 202), "direct": (79, 246), "exact": (112, 326)}


def test_sharper_routes_allow_example_8_more_budget() -> None:
    promise = {"epsilon_prime": epsilon_from_difference(largest=0.2), "delta_prime": 0.01}
    rhos = [
        route(**promise)
        for route in (rho_from_probabilistic_published, rho_from_probabilistic, gaussian_rho_from_probabilistic)
    ]
    assert [round(float(rho), 5) for rho in rhos] == [0.01731, 0.03061, 0.0484]
