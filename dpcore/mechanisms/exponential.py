"""The exponential mechanism: a choice among options, likelier the better it is; and whatever has a bounded range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlog1py, xlogy

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, count, number, scalar_or_array
from dpcore.guarantees import PureDP
from dpcore.mechanisms.layers import Curve

_MOST_TERMS = 5_000  # of the exact sum; its square is what it takes


@call_hint
@dataclass(frozen=True, kw_only=True)
class ExponentialMechanism(Curve):
    """A choice with odds e^(epsilon score/(2 sensitivity)), or any release whose losses span at most epsilon.

    The promise is for one step of the relation under which the sensitivity of the score is stated. Of neighbouring
    tables the loss of any two outputs differs by at most epsilon (bounded range), which is pure DP and more: the worst
    pair for each epsilon has the losses t and t - epsilon for one t. The curve is the largest over all t, so it adds up
    whoever chooses the next mechanism by the outputs before, as a bound; for equal ones that are all fixed beforehand
    `delta_of_fixed` is exact. A score that moves one way only as a record is added needs half of the 2 in the odds.
    Source: dong_durfee_rogers, sections 4 (two losses, epsilon apart) and 5 (fixed beforehand)
    Source: ours, the largest over t in closed form; checked against a search over t and enumeration of sums

    Parameters
    ----------
    epsilon : float; the range of the loss, at least 0

    Examples
    --------
    >>> choice = ExponentialMechanism(epsilon=1.0)
    >>> round(choice.delta_at(0.0), 4)  # (e^(1/2) - 1)^2/(e - 1), where pure DP of the same epsilon allows .4621
    0.2449
    """

    name = "exponential"
    label = "the exponential mechanism"
    short = "exponential"

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0, 300.0))

    @property
    def guarantee(self) -> PureDP:
        """Pure DP with the same epsilon; its curve says more."""
        return PureDP(epsilon=self.epsilon)

    @property
    def last_epsilon(self) -> float:
        """Epsilon from which on delta falls no more."""
        return self.epsilon

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> Any:
        """Smallest delta of one release: (1 - e^((epsilon' - epsilon)/2))^2/(1 - e^-epsilon) up to its own epsilon."""
        at = array("epsilon", epsilon, 0.0)
        if self.epsilon == 0.0:
            return scalar_or_array(np.zeros(at.shape), epsilon)
        short = np.expm1(np.minimum(at - self.epsilon, 0.0) / 2)
        return scalar_or_array(short**2 / -math.expm1(-self.epsilon), epsilon)

    def delta_of_fixed(self, epsilon: float, *, releases: int) -> float:
        """Smallest delta of so many releases with this range that are all fixed before the first; exact.

        Fewer than `PrivacyLoss.of(self, releases).delta_at` allows, which holds for adaptive choice too.
        Source: dong_durfee_rogers, section 5

        Parameters
        ----------
        epsilon : float; at least 0
        releases : int; at least 1, at most 5,000

        Examples
        --------
        >>> round(ExponentialMechanism(epsilon=1.0).delta_of_fixed(0.0, releases=1), 4)
        0.2449
        """
        at, k = number("epsilon", epsilon, 0.0), count("releases", releases, 1, _MOST_TERMS)
        if self.epsilon == 0.0:
            return 0.0
        lower = np.arange(k + 1.0)  # how many of the losses are the lower one
        log_ways = gammaln(k + 1) - gammaln(lower + 1) - gammaln(k - lower + 1)
        found = 0.0
        for t in np.unique(np.clip((at + (lower + 1) * self.epsilon) / (k + 1), 0.0, self.epsilon)):
            upper = math.expm1(self.epsilon - t) / -math.expm1(-self.epsilon) * math.exp(t - self.epsilon)
            sums = k * t - lower * self.epsilon
            mass = np.exp(log_ways + xlogy(k - lower, upper) + xlog1py(lower, -upper))
            found = max(found, float((mass * -np.expm1(np.minimum(at - sums, 0.0))).sum()))
        return min(found, 1.0)
