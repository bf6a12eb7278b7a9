"""Promises of dpcore.chains: closed forms of an autoregression, and chains that do not meet."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import chains, inference, totals
from dpcore.chains import effective_sample_size, split_r_hat


def autoregression(correlation: float, shape: tuple[int, int], seed: int) -> np.ndarray:
    """Stationary chains of variance 1 whose neighbours have the correlation."""
    noise = np.random.default_rng(seed).normal(size=shape)
    series = noise.copy()
    for step in range(1, shape[1]):
        series[:, step] = correlation * series[:, step - 1] + math.sqrt(1 - correlation**2) * noise[:, step]
    return series


def test_the_effective_size_of_an_autoregression_is_its_closed_form() -> None:
    assert effective_sample_size(autoregression(0.8, (20, 4000), 1)) == pytest.approx(80_000 / 9, rel=0.1)
    assert effective_sample_size(autoregression(0.0, (20, 4000), 1)) == pytest.approx(80_000, rel=0.1)
    assert effective_sample_size([2.0, 2.0, 2.0]) == effective_sample_size([0.1, 0.1, 0.1]) == 1.0


def test_the_split_r_hat_of_an_autoregression_is_its_closed_form() -> None:
    """Means of halves of 50 steps with a correlation time of 9 vary by close to 9/50 of the variance."""
    steps = np.arange(-49, 50)
    of_means = float(((50 - np.abs(steps)) * 0.8 ** np.abs(steps)).sum()) / 50**2
    wanted = math.sqrt(49 / 50 + of_means / ((1 - of_means) * 50 / 49))
    assert split_r_hat(autoregression(0.8, (4000, 100), 2)) == pytest.approx(wanted, abs=0.004)
    assert split_r_hat(autoregression(0.0, (4000, 100), 2)) == pytest.approx(1.0, abs=0.002)


def test_chains_that_do_not_meet_or_drift_are_noticed() -> None:
    series = autoregression(0.0, (10, 200), 3)
    assert split_r_hat(series + 3.0 * np.arange(10)[:, None]) > 5
    assert split_r_hat(series + np.linspace(0, 4, 200)) > 1.3
    assert split_r_hat(np.repeat([[0.0], [1.0]], 10, axis=1)) == math.inf
    assert effective_sample_size(series + 3.0 * np.arange(10)[:, None]) < 30


def test_there_is_one_effective_sample_size() -> None:
    assert inference.effective_sample_size is totals.effective_sample_size is chains.effective_sample_size


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: effective_sample_size([1.0]), "series must hold at least 2 values a chain; got 1"),
        (lambda: effective_sample_size([1.0, float("nan")]), "series must be finite; got nan"),
        (lambda: split_r_hat([1.0, 2.0, 3.0]), "series must hold at least 4 values a chain; got 3"),
        (lambda: split_r_hat(np.ones((2, 3, 4))), r"series must be one chain or a list of them; got \(2, 3, 4\)"),
        (lambda: effective_sample_size(np.ones((0, 5))), r"series must be one chain or a list of them; got \(0, 5\)"),
    ],
)
def test_bad_series_are_refused(call, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()
