"""Releases of three kinds added up by their Renyi divergences: epsilons, epsilons with a delta, and rhos in one plan.

Turning every rho into an epsilon and a delta before adding gives most of it away. Divergences of every order add up
instead, also when the next release is chosen after seeing the ones before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.privacy_loss import DIRECTIONS, Direction


@call_hint
@dataclass(frozen=True, kw_only=True)
class AddedDivergences:
    """What releases with epsilons, deltas and rhos guarantee together, by adding Renyi divergences.

    The promise is each release's: one secret under one relation, to an observer of all. Outside an event of probability
    `delta`, the divergence of order alpha between the worlds is at most the sum of rho alpha and, for each epsilon, the
    smaller of epsilon and epsilon^2 alpha/2.
    Source: bun_steinke, Propositions 3 and 10: an epsilon as a rho, and divergences that add up
    Source: kairouz, Theorem 3.3: an (epsilon, delta) release is an epsilon release outside an event of probability
        delta
    Source: ours, the promise about events

    Parameters
    ----------
    epsilons : tuple of float, optional; one for each kind of release that has an epsilon, each at least 0
    counts : tuple of float, optional; how often each of them is released, each at least 1
    rho : float, optional; sum of the rhos of the releases that have one, at least 0
    delta : float, optional; sum of all deltas, at least 0

    Examples
    --------
    >>> both = AddedDivergences(epsilons=(0.4,), counts=(1,), rho=0.03)
    >>> round(both.shift(0.01, direction="rise"), 6)  # 0.4 + 0.03 + 2 sqrt(0.03 ln 100)
    1.173384
    """

    epsilons: tuple[float, ...] = ()
    counts: tuple[float, ...] = ()
    rho: float = 0.0
    delta: float = 0.0

    def __post_init__(self) -> None:
        epsilons = _checks.array("epsilons", self.epsilons, 0.0)
        counts = _checks.array("counts", self.counts, 1.0)
        if counts.shape != epsilons.shape:
            raise Refused("counts", f"hold one number per epsilon ({epsilons.size})", counts.size, Code.WRONG_SHAPE)
        _checks.number("rho", self.rho, 0.0)
        _checks.number("delta", self.delta, 0.0)

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray]:
        """Sums A and R with a divergence of at most A + R alpha: the smallest epsilons, one more at a time, as rhos."""
        order = np.argsort(self.epsilons)
        epsilons = np.asarray(self.epsilons, dtype=float)[order]
        counts = np.asarray(self.counts, dtype=float)[order]
        as_rho = np.concatenate([[0.0], np.cumsum(counts * epsilons**2 / 2)])
        as_epsilon = np.concatenate([np.cumsum((counts * epsilons)[::-1])[::-1], [0.0]])
        return as_epsilon, self.rho + as_rho

    def _best(self, length: float) -> float:
        """The least A + R + 2 sqrt(R length) over which epsilons count as rhos."""
        as_epsilon, rho = self._parts
        return float(np.min(as_epsilon + rho + 2 * np.sqrt(rho * length)))

    def epsilon_at(self, delta: float) -> float:
        """Epsilon at a total delta, an upper bound; infinite where the releases' own deltas use it up."""
        total = _checks.number("delta", delta, 0.0, 1.0)
        if total < self.delta:
            return math.inf
        if total == self.delta:
            return math.inf if self.rho > 0 else float(self._parts[0][0])
        return self._best(-math.log(total - self.delta))

    def shift(self, delta_prime: float, *, direction: Direction = "either") -> float:
        """Bound on the shift of log odds, except with probability delta'; infinite where deltas use that up.

        An event of probability t > delta in one world has at least t - delta outside what the deltas excuse, so its
        odds are at most t/(t - delta) times those that the divergences permit. Falls are rarer than rises by e^-shift.
        """
        failure = _checks.number("delta_prime", delta_prime, 0.0, 1.0, open_high=True)
        _checks.choice("direction", direction, DIRECTIONS)
        if self.delta == 0.0 and self.rho == 0.0 and failure == 0.0:
            return float(self._parts[0][0])

        def rise(probability: float) -> float:
            beyond = probability - self.delta
            return math.inf if beyond <= 0 else self._best(-math.log(beyond)) + math.log(probability / beyond)

        if direction != "either":
            return rise(failure)
        highest = rise(failure / 2)
        if not math.isfinite(highest) or highest == 0.0:
            return highest
        lowest = rise(failure / (1 + math.exp(-highest)))
        if lowest >= highest * (1 - 1e-12):
            return highest
        found = float(brentq(lambda s: s - rise(failure / (1 + math.exp(-s))), lowest, highest, xtol=1e-12))
        return max(found, rise(failure / (1 + math.exp(-found))))  # each covers the other, the larger is safe
