"""Randomised response: a person's own answer, published at random."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._calls import call_hint
from dpcore._checks import (
    Number,
    array,
    count,
    number,
    probability,
    refuse_fractions,
    scalar_or_array,
    seeded,
)
from dpcore.errors import Code, Refused
from dpcore.guarantees import PureDP, Relation
from dpcore.mechanisms._evidence import Evidence, FloatArray, TwoWorlds
from dpcore.mechanisms.geometric import _GeometricEvidence
from dpcore.mechanisms.layers import Mechanism
from dpcore.mechanisms.losses import IntArray, Lattice, LossAtoms, LossParts


@call_hint
@dataclass(frozen=True, kw_only=True)
class RandomizedResponse(Mechanism):
    """A person's own answer to a question with d categories, kept with the largest probability epsilon allows.

    The promise is about one person's answer, exchanged for another; that they took part is visible.
    Source: kairouz, section 2 (the extremal pair); dwork_roth, section 3.2

    Parameters
    ----------
    epsilon : float; pure-DP budget of the answer, at least 0
    categories : int, optional; number of possible answers, at least 2

    Examples
    --------
    >>> RandomizedResponse(epsilon=math.log(3)).probability_truthful
    0.75
    """

    name = "randomised_response"
    label = "randomised response"
    short = "randomised response"
    spellings = ("randomised response", "randomized response", "randomised response (epsilon)", "coin")
    letter = "r"
    is_local = True

    epsilon: float
    categories: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0))
        object.__setattr__(self, "categories", count("categories", self.categories, 2))

    @classmethod
    def choices(cls) -> tuple[str, ...]:
        """The number of possible answers."""
        return ("categories",)

    @property
    def guarantee(self) -> PureDP:
        """Pure DP of one answer when the true one is replaced by another; it does not hide who answers."""
        return PureDP(epsilon=self.epsilon, relation=Relation.REPLACE)

    @property
    def probability_truthful(self) -> float:
        """Probability that the true answer is published: e^epsilon/(e^epsilon + d - 1)."""
        return 1 / (1 + (self.categories - 1) * math.exp(-self.epsilon))

    @property
    def probability_other(self) -> float:
        """Probability that a given wrong answer is published: 1/(e^epsilon + d - 1)."""
        return math.exp(-self.epsilon) * self.probability_truthful

    @property
    def probability_exact(self) -> float:
        """Probability that the published answer is right."""
        return self.probability_truthful

    @overload
    def estimate_variance(self, proportion: Number, *, respondents: int) -> float: ...
    @overload
    def estimate_variance(self, proportion: ArrayLike, *, respondents: int) -> FloatArray: ...
    def estimate_variance(self, proportion: ArrayLike, *, respondents: int) -> Any:
        """Variance, over the randomisation and the sampling of answers, of the unbiased estimate of a proportion."""
        share = probability("proportion", proportion)
        if self.epsilon == 0:
            raise Refused("epsilon", "be greater than 0 and finite", 0.0, Code.OUT_OF_RANGE)
        gain = -math.expm1(-self.epsilon) * self.probability_truthful
        reported = self.probability_other + gain * share
        return scalar_or_array(reported * (1 - reported) / (count("respondents", respondents, 1) * gain**2), proportion)

    def simulate_answers(self, truth: ArrayLike, *, seed: int | np.random.Generator) -> IntArray:
        """Seeded published answers for true answers 0..d-1, for teaching and checking; not for release."""
        true = array("truth", truth)
        refuse_fractions("truth", true)
        answers = true.astype(np.int64)
        if ((answers < 0) | (answers >= self.categories)).any():
            raise Refused("truth", f"lie in [0, {self.categories - 1}]", truth, Code.OUT_OF_RANGE)
        generator = seeded(seed)
        other = (answers + generator.integers(1, self.categories, answers.shape)) % self.categories
        return np.where(generator.random(answers.shape) < self.probability_truthful, answers, other)

    def privacy_loss_atoms(self) -> LossAtoms:
        """Exact law of the privacy loss: epsilon, 0 and -epsilon with odds e^epsilon : d - 2 : 1."""
        log_total = -math.log(self.probability_truthful)  # of e^epsilon + d - 1, less epsilon
        if self.categories == 2:
            return LossAtoms(-self.epsilon, 2 * self.epsilon, 0, np.array([-self.epsilon, 0.0]) - log_total)
        middle = math.log(self.categories - 2) - self.epsilon
        return LossAtoms(-self.epsilon, self.epsilon, 0, np.array([-self.epsilon, middle, 0.0]) - log_total)

    def loss_parts(self) -> LossParts:
        """The exact privacy loss of one answer: a lattice."""
        return LossParts(finite=Lattice.of_atoms(self.privacy_loss_atoms()) if self.epsilon > 0 else None)

    def evidence(self, budgets: ArrayLike | None = None, *, known: ArrayLike | None = None) -> Evidence:
        """What one answer to a question with two tells, whoever is known: at its own budget or at each of these."""
        if self.categories != 2:
            raise Refused("categories", "be 2 for an answer that is counted", self.categories, Code.UNSUPPORTED)
        if self.epsilon == 0:
            raise Refused("epsilon", "be greater than 0 and finite", 0.0, Code.OUT_OF_RANGE)
        others = np.asarray(0 if known is None else known)
        if budgets is None:
            return _RandomizedResponseEvidence(np.asarray(self.epsilon), others)
        return _RandomizedResponseEvidence(array("epsilon", budgets, 0.0, open_low=True), others)

    def simulate_counts(
        self, counted: int, *, size: int, seed: int | np.random.Generator, known: ArrayLike = 0
    ) -> IntArray:
        """Seeded answers of a person who is counted so often, 1 or 0, beside those known; not for release."""
        return self.simulate_answers(np.full(size, counted), seed=seed) + np.asarray(known)


@dataclass(frozen=True, eq=False)
class _RandomizedResponseEvidence(_GeometricEvidence):
    """A person's own answer, kept with odds exp(rate): the evidence is that of geometric noise, the counts are two."""

    known: NDArray[Any]
    named = "randomised response"

    def gaps(self, counted: int) -> FloatArray:
        return np.array([0.0, 1.0])

    def check(self, gap: FloatArray) -> None:
        outside = (gap != 0) & (gap != 1)
        if outside.any():
            published = int((gap + self.known)[outside].flat[0])
            raise Refused("noisy_count", "be the known people or one more", published, Code.OUT_OF_RANGE)

    def log_law(self, noise: FloatArray) -> FloatArray:
        return np.where(noise == 0, -np.log1p(np.exp(-self.rate)), -np.log1p(np.exp(self.rate)))

    def two_cells(self) -> TwoWorlds:
        raise Refused("mechanism", "add noise to each cell", self.named, Code.UNSUPPORTED)
