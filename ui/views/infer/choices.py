"""What a reader chooses about a noisy mean and variance, and the release and prior these choices stand for."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.inference import (
    ConjugatePrior,
    FlatPrior,
    NoisyMoments,
    PowerPrior,
    Prior,
)
from riskline.case.fields import Field
from ui.views.infer.coverage_study import COVERAGE_FIELDS, CoverageChoice
from ui.views.infer.noisy_regression import REGRESSION_FIELDS, SMALLEST, RegressionChoice

PARTS = ("moments", "regression", "coverage")
PRIORS = ("conjugate", "flat", "power", "usual")
LARGEST = 1e9
MOST_VALUES = 20_000
FIELDS: tuple[Field, ...] = (
    Field("part", "Question", "choice", "moments", options=PARTS),
    Field("n", "Number of values", "count", 43, low=2, high=MOST_VALUES),
    Field("lower", "Lowest possible value", "number", 0.0, low=-LARGEST, high=LARGEST),
    Field("upper", "Highest possible value", "number", 100.0, low=-LARGEST, high=LARGEST),
    Field("mean", "Published mean", "number", 34.3027, low=-1e12, high=1e12),
    Field("variance", "Published variance", "number", 2224.8, low=-1e18, high=1e18),
    Field("epsilon_mean", "ε of the mean", "number", 0.25, low=SMALLEST, high=1000),
    Field("epsilon_variance", "ε of the variance", "number", 0.25, low=SMALLEST, high=1000),
    Field("level", "Probability of the interval", "number", 0.95, low=0.5, high=0.999),
    Field("prior", "What did you believe before?", "choice", "conjugate", options=PRIORS),
    Field("guess", "Guess of the mean", "number", 12.5, low=-LARGEST, high=LARGEST),
    Field(
        "guess_weight", "Its weight, in values", "number", 1.0, low=SMALLEST, high=10_000, span=(0.1, 40.0), step=0.1
    ),
    Field("guess_spread", "Guess of the spread before (standard deviation)", "number", 3.8, low=0, high=LARGEST),
    Field("spread_weight", "Weight of that guess, in values", "number", 1.0, low=0, high=10_000),
    Field("power", "Power a: variance to the minus a", "number", 0.5, low=-3, high=3, span=(-1.0, 2.0), step=0.05),
    Field("other", "Another ε for each number", "number", 1.0, low=SMALLEST, high=1000),
    Field("seed", "Seed of the chain", "count", 1, low=0, high=999_999),
    *REGRESSION_FIELDS,
    *COVERAGE_FIELDS,
)


@dataclass(frozen=True, kw_only=True)
class InferInputs(RegressionChoice, CoverageChoice):
    """What a reader chose on this page."""

    part: str = "moments"
    n: int = 43
    lower: float = 0.0
    upper: float = 100.0
    mean: float = 34.3027
    variance: float = 2224.8
    epsilon_mean: float = 0.25
    epsilon_variance: float = 0.25
    level: float = 0.95
    prior: str = "conjugate"
    guess: float = 12.5
    guess_weight: float = 1.0
    guess_spread: float = 3.8
    spread_weight: float = 1.0
    power: float = 0.5
    other: float = 1.0
    seed: int = 1

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
