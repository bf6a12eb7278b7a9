"""Values of a reader's own: read from a file, and forgotten once their mean and variance have their noise."""

from __future__ import annotations

import math

import numpy as np

from dpcore.inference import NoisyMoments, draw_noisy_moments, noise_scales
from ui.link.fields import parse_number, shown
from ui.views.infer.choices import LARGEST, MOST_VALUES

LARGEST_FILE = 1_000_000
DIGITS_OF_NOISE = 3
"""Digits of the noise's scale that a drawn number keeps."""


def read_values(content: bytes) -> list[float]:
    r"""The values of a file with one on each line; a first line that is no number is a head.

    Raises
    ------
    ValueError
        ``a file of values must be at most 1,000,000 bytes; got ...``, ``line 3 must be one number, with a decimal
        point; got 'x'``, ``must have 2 to 20,000 values; got 1``.

    Examples
    --------
    >>> read_values(b"lead\n12.5\n8\n")
    [12.5, 8.0]
    """
    if len(content) > LARGEST_FILE:
        raise ValueError(f"a file of values must be at most {LARGEST_FILE:,} bytes; got {len(content):,}")
    lines = [line.strip().strip('"') for line in content.decode("utf-8-sig").splitlines()]
    values = []
    for number, line in enumerate(lines, start=1):
        try:
            value = _value(line)
        except ValueError:
            if number == 1:
                continue
            raise ValueError(f"line {number} must be one number, with a decimal point; got {shown(line)!r}") from None
        if value is not None:
            values.append(value)
    if not 2 <= len(values) <= MOST_VALUES:
        raise ValueError(f"must have 2 to {MOST_VALUES:,} values; got {len(values):,}")
    return values


def _value(line: str) -> float | None:
    if not line:
        return None
    if not line.replace(".", "").replace("-", "").replace("+", "").replace("e", "").replace("E", "").isdigit():
        raise ValueError(line)
    value = parse_number(line)
    if abs(value) > LARGEST:
        raise ValueError(line)
    return value


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
    return NoisyMoments(drawn.n, mean, variance, epsilon_mean, epsilon_variance, lower, upper)
