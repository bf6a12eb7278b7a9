"""What the introduction of ptable 1.0.0 prints of its table for D = 2 and V = 1, and where that is another law."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from riskline.record.works.ptable import KEYS, PRINTED_ROW_OF_1, row_of_1_that_never_falls


def test_the_printed_row_of_1_may_not_fall_to_the_left_and_so_misses_the_variance() -> None:
    noise = np.arange(-1.0, 3.0)
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
    assert found.x == pytest.approx(row_of_1_that_never_falls(), abs=1e-5)
    assert found.x == pytest.approx(PRINTED_ROW_OF_1, abs=1e-4)
    assert found.x @ noise**2 == pytest.approx(0.932, abs=5e-4)
    assert KEYS.law(1).probability[0] > KEYS.law(1).probability[1] + 0.09  # ours keeps variance 1, and falls
