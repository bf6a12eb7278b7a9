"""What the introduction of ptable 1.0.0 prints of its table for D = 2 and V = 1, and where that is another law."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from dpcore.methods import CellKey

KEYS = CellKey(largest_noise=2, variance=1)


def test_the_full_row_is_the_printed_one() -> None:
    law = KEYS.law(2)
    assert law.probability[0] == pytest.approx(0.0638, abs=5e-5)
    assert law.probability[2] == pytest.approx(0.383, abs=5e-4)
    assert law.mean_square_error == pytest.approx(1)


def test_the_printed_row_of_1_may_not_fall_to_the_left_and_so_misses_the_variance() -> None:
    printed, noise = np.array([0.3665, 0.3665, 0.1676, 0.0995]), np.arange(-1.0, 3.0)
    found = minimize(
        lambda p: float(p @ np.log(p)),
        np.full(4, 0.25),
        jac=lambda p: np.log(p) + 1,
        method="SLSQP",
        bounds=[(1e-9, 1)] * 4,
        constraints=[
            {"type": "eq", "fun": lambda p: [p.sum() - 1, p @ noise]},
            {"type": "ineq", "fun": lambda p: [p[1] - p[0], 1 - p @ noise**2]},
        ],
        options={"ftol": 1e-14},
    )
    assert found.x == pytest.approx(printed, abs=1e-4)
    assert found.x @ noise**2 == pytest.approx(0.932, abs=5e-4)
    assert KEYS.law(1).probability[0] > KEYS.law(1).probability[1] + 0.09  # ours keeps variance 1, and falls
