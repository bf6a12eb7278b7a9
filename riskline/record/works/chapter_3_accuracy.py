"""Printed accuracies of the thesis' chapter 3: geometric noise on a count."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.accuracy import RateTarget, wrong_side_probability
from dpcore.mechanisms import Geometric
from dpcore.profiles import CapOrRatio
from riskline.record.tables import PublishedValue, thesis_row

_TABLE_3_1 = {"A": ((0.25, 1.5), 2.74, 25), "B": ((0.25, 3.0), 1.02, 57), "C": ((0.25, 6.0), 0.59, 77)}
_TABLE_3_5 = {"A": (0.025, 1.24, 50), "B": (0.15, 1.10, 54), "C": (0.3, 0.56, 78)}


def _member(cap: float, ratio: float) -> Geometric:
    """The noise on a count when membership is certain to be possible: the value prior is 1 (Table 3.1)."""
    return Geometric(epsilon=CapOrRatio(cap, ratio, value_prior=1.0).implied_epsilon().epsilon)


def _sampled(cap: float) -> Geometric:
    """The noise on a count of a 5 per cent sample, ratio 3 (Table 3.5)."""
    return Geometric(epsilon=CapOrRatio(cap, 3.0, membership_prior=0.05).implied_epsilon().epsilon)


def _pair(locator: str, noise: Geometric, std: float, exact: float) -> Iterator[PublishedValue]:
    yield thesis_row(locator, "standard deviation of the noise on a count", std, 2, lambda: noise.std)
    yield thesis_row(
        locator,
        "probability that the published count is exact, in per cent",
        exact,
        0,
        lambda: 100 * noise.probability_exact,
    )


ROWS = [
    *(
        row
        for agency, ((cap, ratio), std, exact) in _TABLE_3_1.items()
        for row in _pair(f"Table 3.1, agency {agency}", _member(cap, ratio), std, exact)
    ),
    *(
        row
        for agency, (cap, std, exact) in _TABLE_3_5.items()
        for row in _pair(f"Table 3.5, agency {agency}", _sampled(cap), std, exact)
    ),
]

_DURHAM = RateTarget(total=4012, target_per_thousand=6.0)


def _durham_noise() -> Geometric:
    """Example 3's choice: a cap of one half or a ratio of five, membership only."""
    return _member(0.5, 5.0)


ROWS += [
    thesis_row("Example 3", "epsilon of the most aggressive risk profile", 2.20, 2, lambda: _durham_noise().epsilon),
    thesis_row("Example 3", "root mean square error of the number of deaths", 0.53, 2, lambda: _durham_noise().std),
    thesis_row(
        "Example 3",
        "chance of a switch at a deviation of 0.25 per 1,000, in per cent (printed: below 10)",
        10,
        0,
        lambda: 100 * float(wrong_side_probability(_durham_noise(), excess=_DURHAM.deviation_counts([0.25])[0])),
        verdict="reading",
        reading="It is exactly 10 per cent, not below: e^-epsilon is 1/9 and one death too many is missed with 1/10.",
    ),
]
