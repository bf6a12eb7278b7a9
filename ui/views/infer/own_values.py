"""The noisy mean and variance of a reader's own values, which are forgotten once these have their noise."""

from __future__ import annotations

import math

import numpy as np

from dpcore.inference import NoisyMoments, draw_noisy_moments, noise_scales

DIGITS_OF_NOISE = 3
"""Digits of the noise's scale that a drawn number keeps."""


def drawn_release(
    values: list[float],
    *,
    lower: float,
    upper: float,
    epsilon_mean: float,
    epsilon_variance: float,
    generator: np.random.Generator,
) -> NoisyMoments:
    """The noisy mean and variance of the values, as one would publish them: with the digits that the noise leaves."""
    bounds_and_budgets = {
        "lower": lower,
        "upper": upper,
        "epsilon_mean": epsilon_mean,
        "epsilon_variance": epsilon_variance,
    }
    drawn = draw_noisy_moments(values, **bounds_and_budgets, seed=generator)
    scales = noise_scales(n=drawn.n, **bounds_and_budgets)
    mean, variance = (
        round(value, DIGITS_OF_NOISE - 1 - math.floor(math.log10(scale)))
        for value, scale in zip((drawn.mean, drawn.variance), scales, strict=True)
    )
    return NoisyMoments(
        n=drawn.n,
        mean=mean,
        variance=variance,
        epsilon_mean=epsilon_mean,
        epsilon_variance=epsilon_variance,
        lower=lower,
        upper=upper,
    )
