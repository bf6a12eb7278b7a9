"""Promises of dpcore.totals.two_bins."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.totals import conditional_density, projected_density, two_bin_loss, two_bin_variance

LINE = np.linspace(-250, 250, 500_001)
STEP = LINE[1] - LINE[0]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.500001, 1.0])
def test_the_projected_density_has_mass_one_and_the_stated_variance(share: float) -> None:
    density = projected_density(LINE, epsilon=0.8, share=share)
    assert density.sum() * STEP == pytest.approx(1, rel=1e-5)
    assert (LINE**2 @ density) * STEP == pytest.approx(two_bin_variance(0.8, method="l1", share=share), rel=1e-5)


def test_the_conditional_density_has_mass_one_and_the_stated_variance() -> None:
    density = conditional_density(LINE, epsilon=0.8)
    assert density.sum() * STEP == pytest.approx(1, rel=1e-5)
    assert (LINE**2 @ density) * STEP == pytest.approx(two_bin_variance(0.8, method="conditional"), rel=1e-5)


@pytest.mark.parametrize(("method", "share"), [("conditional", 0.5), ("l2", 0.5), ("l1", 0.8), ("l1", 1.0)])
def test_the_attained_loss_is_the_steepest_fall_of_the_density(method: str, share: float) -> None:
    density = (
        conditional_density(LINE, epsilon=0.8)
        if method == "conditional"
        else projected_density(LINE, epsilon=0.8, share=share)
    )
    steepest = np.abs(np.diff(np.log(density))).max() / STEP
    tolerance = 0.02 if method == "l2" else 1e-3  # least squares approaches its loss only in the tail
    assert steepest == pytest.approx(two_bin_loss(0.8, method=method, share=share), rel=tolerance)


def test_equal_weights_are_least_squares() -> None:
    assert two_bin_variance(0.8, method="l2") == two_bin_variance(0.8, method="l1", share=0.5)
    assert two_bin_loss([0.5, 1.0], method="l2").tolist() == [0.5, 1.0]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: conditional_density(float("nan"), epsilon=1), "error must be finite; got nan"),
        (lambda: conditional_density(1, epsilon=0), "epsilon must be greater than 0 and finite; got 0"),
        (lambda: projected_density(1, epsilon=1, share=1.2), r"share must lie in \[0, 1\]; got 1.2"),
        (lambda: two_bin_variance(1, method="l3"), "method must be one of 'conditional', 'l2', 'l1'; got 'l3'"),
        (lambda: two_bin_loss(-1, method="l2"), "epsilon must be greater than 0 and finite; got -1"),
        (lambda: conditional_density([1, 2], epsilon=[1, 2, 3]), "error and epsilon must have shapes that go together"),
        (lambda: projected_density([1, 2], epsilon=[1, 2, 3]), "error and epsilon must have shapes that go together"),
    ],
)
def test_bad_questions_are_refused(call, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()
