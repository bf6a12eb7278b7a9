"""How fast the variance of each noise falls with its strength, which decides how a budget is shared among tables."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from tests.logistic_noise import Logistic

KINDS = (Laplace, Geometric, Gaussian, DiscreteGaussian, Logistic)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("strength", [0.02, 0.3, 1.0, 2.5])
def test_the_slope_is_that_of_the_variance_and_the_strength_of_a_slope_is_the_one_that_has_it(
    kind: type[Laplace], strength: float
) -> None:
    def variance(at: float) -> float:
        return float(kind.stds(np.asarray(at)) ** 2)

    step = 1e-4 * strength
    falls = (variance(strength - step) - variance(strength + step)) / (2 * step)
    slope, bend = (float(one) for one in kind.log_variance_slope(np.asarray(np.log(strength))))
    assert slope == pytest.approx(np.log(falls), abs=1e-5)
    near = [float(kind.log_variance_slope(np.asarray(np.log(strength) + side))[0]) for side in (-1e-4, 1e-4)]
    assert bend == pytest.approx((near[1] - near[0]) / 2e-4, abs=1e-4)
    found, there = kind.log_strength_of_slope(np.asarray(slope))
    assert float(found) == pytest.approx(np.log(strength), abs=1e-7)
    assert float(there) == pytest.approx(bend, abs=1e-4)
