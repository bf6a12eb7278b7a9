"""What a reader chooses about noisy moments, a line and the study, and the release and prior they stand for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpcore.inference import (
    ConjugatePrior,
    FlatPrior,
    NoisyMoments,
    NoisySums,
    PowerPrior,
    Prior,
    RegressionPrior,
    cirrhosis_data,
    draw_noisy_moments,
    draw_noisy_sums,
    noise_scales,
)
from riskline.case.declaration import count, flag, number, option
from ui.link.page_fields import fields_of

LARGEST = 1e9
SMALLEST = 1e-15  # of a budget, a weight, a shape, a rate: below it sums of numbers no longer hold it
MOST_VALUES = 20_000
SUMS = ("sum_x", "sum_xx", "sum_y", "sum_xy", "sum_yy")
MEASURES = ("coverage", "length")
DIGITS_OF_NOISE = 3
"""Digits of the noise's scale that a drawn number keeps."""


@dataclass(frozen=True, kw_only=True)
class InferInputs:
    """What a reader chose on this page."""

    part: str = option("moments", "regression", "coverage")
    n: int = count(43, low=2, high=MOST_VALUES)
    lower: float = number(0.0, low=-LARGEST, high=LARGEST)
    upper: float = number(100.0, low=-LARGEST, high=LARGEST)
    mean: float = number(34.3027, low=-1e12, high=1e12)
    variance: float = number(2224.8, low=-1e18, high=1e18)
    epsilon_mean: float = number(0.25, low=SMALLEST, high=1000)
    epsilon_variance: float = number(0.25, low=SMALLEST, high=1000)
    level: float = number(0.95, low=0.5, high=0.999, format="percent")
    prior: str = option("conjugate", "flat", "power", "usual")
    guess: float = number(12.5, low=-LARGEST, high=LARGEST)
    guess_weight: float = number(1.0, low=SMALLEST, high=10_000, span=(0.1, 40.0), step=0.1)
    guess_spread: float = number(3.8, low=0, high=LARGEST)
    spread_weight: float = number(1.0, low=0, high=10_000)
    power: float = number(0.5, low=-3, high=3, span=(-1.0, 2.0), step=0.05)
    sums: str = option("cirrhosis", "own")
    points: int = count(46, low=3, high=100_000)
    sum_x: float = number(9.6, low=-LARGEST, high=LARGEST)
    sum_xx: float = number(3.9, low=-LARGEST, high=LARGEST)
    sum_y: float = number(18.7, low=-LARGEST, high=LARGEST)
    sum_xy: float = number(-3.9, low=-LARGEST, high=LARGEST)
    sum_yy: float = number(3.6, low=-LARGEST, high=LARGEST)
    epsilon_each: float = number(0.1, low=SMALLEST, high=1000)
    intercept_guess: float = number(1.0, low=-1000, high=1000)
    slope_guess: float = number(0.0, low=-1000, high=1000)
    line_weight: float = number(0.25, low=SMALLEST, high=10_000)
    shape: float = number(20.0, low=SMALLEST, high=10_000)
    rate: float = number(0.5, low=SMALLEST, high=10_000)
    draw_seed: int = count(1, low=0, high=999_999)
    compute: bool = flag()
    population: str = option("low", "middle")
    study_epsilon: str = option("0.1", "1")
    measure: str = option(*MEASURES)

    @property
    def release(self) -> NoisyMoments:
        """The published mean and variance with what is known about them."""
        return NoisyMoments(
            n=self.n,
            mean=self.mean,
            variance=self.variance,
            epsilon_mean=self.epsilon_mean,
            epsilon_variance=self.epsilon_variance,
            lower=self.lower,
            upper=self.upper,
        )

    @property
    def chosen_prior(self) -> Prior:
        """The prior of the analyst."""
        if self.prior == "conjugate":
            return ConjugatePrior(self.guess, self.guess_weight, self.guess_spread**2, self.spread_weight)
        if self.prior == "flat":
            return FlatPrior()
        return PowerPrior(1.0 if self.prior == "usual" else self.power)

    @property
    def noisy_sums(self) -> NoisySums:
        """The five released sums: drawn round those of the cirrhosis data, or typed."""
        if self.sums == "cirrhosis":
            return draw_noisy_sums(cirrhosis_data(), self.epsilon_each, seed=self.draw_seed)
        return NoisySums(self.points, *(getattr(self, name) for name in SUMS), epsilon_each=self.epsilon_each)

    @property
    def line_prior(self) -> RegressionPrior:
        """The prior of the line."""
        guess, weight = (self.intercept_guess, self.slope_guess), (self.line_weight, self.line_weight)
        return RegressionPrior(guess, weight, self.shape, self.rate)


FIELDS = fields_of("infer", InferInputs, "case")


def drawn_release(values: list[float], *, generator: np.random.Generator, **known: float) -> NoisyMoments:
    """The noisy mean and variance of a reader's values, as one would publish them: with the digits the noise leaves.

    `known` are the bounds and the two budgets. The values are forgotten once these have their noise.
    """
    drawn = draw_noisy_moments(values, **known, seed=generator)
    mean, variance = (
        round(value, DIGITS_OF_NOISE - 1 - math.floor(math.log10(scale)))
        for value, scale in zip((drawn.mean, drawn.variance), noise_scales(n=drawn.n, **known), strict=True)
    )
    return replace(drawn, mean=mean, variance=variance)
