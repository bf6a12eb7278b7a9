"""Evidence of one person in noisy counts: how far a release moves the log odds, and how often it moves them where.

The evidence is the privacy loss of one count that the person moves by one. Each kind of noise has one class in its own
file, its rate an array, so that a curve over budgets is one call; noise without one has `NoiseEvidence`. A *gap* is a
noisy count less the known people: the noise, and one more if the person is `counted`, which is 1 on the side "present"
and 0 on the side "absent". Odds are log odds before the release, broadcast against the rates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore.errors import Code, Refused
from dpcore.mechanisms._lattice import TIE

FloatArray = NDArray[np.float64]

MOST_JUMPS = 1_000
BEYOND = 1e300
"""A threshold no release reaches, as a number the tails take."""


class TwoWorlds(ABC):
    """What all releases together say of a person: the average belief, and how often the call is right."""

    @abstractmethod
    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        """Average belief over all releases of a side."""

    @abstractmethod
    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of a right call; a tie is decided against the person being counted."""


@dataclass(frozen=True, eq=False)
class Evidence(TwoWorlds):
    """Evidence in one noisy count, at one rate or an array of rates."""

    rate: FloatArray
    whole: ClassVar[bool] = True
    """Whether noisy counts are whole numbers."""
    named: ClassVar[str]
    """The noise as a refusal names it."""
    adds_up: ClassVar[bool] = False
    """Whether several together are one of their kind, whose rate is the sum of theirs."""

    def check(self, gap: FloatArray) -> None:
        """Refuse a gap that no release has."""

    @abstractmethod
    def loss(self, gap: FloatArray) -> FloatArray:
        """How far a gap moves the log odds; it never falls with the gap."""

    @abstractmethod
    def log_law(self, noise: FloatArray) -> FloatArray:
        """Log probability, or log density, of a noise."""

    @abstractmethod
    def threshold(self, odds: FloatArray) -> FloatArray:
        """Smallest gap from which (if continuous: beyond which) the call is 'counted'; inf for none, -inf for all."""

    @abstractmethod
    def at_least(self, noise: FloatArray) -> FloatArray:
        """Probability that the noise is at least this."""

    @abstractmethod
    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        """The evidence that a share of all releases does not exceed."""

    @abstractmethod
    def two_cells(self) -> TwoWorlds:
        """The same noise on each of the two cells between which a value moves."""

    @abstractmethod
    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        """Logarithm of E[exp(s loss)] over all releases about a counted person, at complex s, for one rate."""

    def atoms(self, counted: int) -> tuple[FloatArray, FloatArray]:
        """Every loss and its probability, for one rate."""
        rule = "move the log odds in steps, or all be Gaussian, for the chance of a call"
        raise Refused("mechanisms", rule, self.named, Code.UNSUPPORTED)

    def log_release(self, gap: FloatArray, counted: int) -> FloatArray:
        """Log probability, or log density, of a gap on a side."""
        return self.log_law(gap - counted)

    def losses(self, counted: int) -> tuple[FloatArray, FloatArray]:
        """Every loss that matters on a side, rising, and its probability, for one rate and whole noise."""
        gaps = self.gaps(counted)
        return self.loss(gaps), np.exp(self.log_release(gaps, counted))

    def tie(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of log odds of exactly zero: of the atoms at either end, where the evidence has an end."""
        at_start, at_end = self.at_least(np.asarray(counted)), self.at_least(np.asarray(1 - counted))
        tied_at_start, tied_at_end = (np.abs(odds - sign * self.rate) < TIE for sign in (1, -1))
        return np.where(tied_at_start, at_start, np.where(tied_at_end, at_end, 0.0))

    def gaps(self, counted: int) -> FloatArray:
        """Every gap that matters on a side, rising, for one rate and whole noise."""
        raise Refused("mechanism", "have noise of whole numbers for a law of releases", self.named, Code.UNSUPPORTED)

    def jumps(self, size: float, low: float, high: float) -> FloatArray:
        """Rates in an interval, falling, at which the rule of an attacker with log odds of this size changes."""
        return np.array([size] if low < size < high else [])

    def quantile_jumps(self, share: float, low: float, high: float) -> FloatArray:
        """Rates in an interval, falling, at which the evidence that a share of releases does not exceed jumps."""
        return np.empty(0)

    def decides_counted(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability that the call is 'counted'."""
        return self.at_least(self.threshold(odds) - counted)

    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of a right call: for the person who is not counted the other tail, by symmetry of the noise."""
        return self.decides_counted(odds, 1) if counted else self.at_least(float(self.whole) - self.threshold(odds))


def weighed(weights: FloatArray, beliefs: FloatArray) -> FloatArray:
    return np.asarray((weights * beliefs).sum(axis=-1))


def two_sided(odds: FloatArray, rate: FloatArray, between: FloatArray) -> FloatArray:
    """A threshold for evidence within ± rate: none where it cannot reach, all where it cannot hold back."""
    return np.where(odds + rate <= TIE, np.inf, np.where(odds - rate > TIE, -np.inf, between))


class ContinuousEvidence(Evidence):
    """Noise on any real number: a count may be a fraction, and no count is certain to the last digit."""

    whole = False


@dataclass(frozen=True, eq=False)
class NoiseEvidence(Evidence):
    """Evidence in noise whose law alone is known, and whose loss never falls with the count: by sums and bisection."""

    kind: Any  # a class of additive noise

    @property
    def whole(self) -> bool:  # type: ignore[override]
        """Whether noisy counts are whole numbers."""
        return bool(self.kind.is_whole)

    @property
    def named(self) -> str:  # type: ignore[override]
        """The noise as a refusal names it."""
        return str(self.kind.label)

    def _each(self, ask: Callable[..., Any], *others: Any) -> FloatArray:
        """What the noise of each rate answers about each of the others."""
        rows = np.broadcast(self.rate, *others)
        made: dict[float, Any] = {}
        found = []
        for rate, *rest in rows:
            noise = made.get(rate) or made.setdefault(rate, self.kind.with_budget(float(rate)))
            found.append(ask(noise, *rest))
        return np.array(found, dtype=np.float64).reshape(rows.shape)

    def loss(self, gap: FloatArray) -> FloatArray:
        """How far a gap moves the log odds."""
        return self._each(_loss, gap)

    def log_law(self, noise: FloatArray) -> FloatArray:
        """Log probability, or log density, of a noise."""
        return self._each(lambda one, at: one.log_noise(at), noise)

    def threshold(self, odds: FloatArray) -> FloatArray:
        """Smallest gap from which (if continuous: beyond which) the call is 'counted'; inf for none, -inf for all."""
        return self._each(lambda one, at: _first_gap(one, TIE - at), odds)

    def at_least(self, noise: FloatArray) -> FloatArray:
        """Probability that the noise is at least this."""
        return self._each(lambda one, at: np.exp(one.log_tail(at)) if np.isfinite(at) else float(at < 0), noise)

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        """Average belief over all releases of a side: the law summed, or its quadrature."""

        def mean(one: Any, at: float) -> float:
            places, weights = one._places(self._turns(counted))
            return float(weights @ expit(at + _loss(one, places + counted)))

        return self._each(mean, odds)

    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        """The evidence that a share of all releases does not exceed."""
        return self._each(lambda one: _loss(one, one.quantile(share) + counted))

    def tie(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of log odds of exactly zero."""
        first = self._each(lambda one, at: _first_gap(one, -TIE - at), odds)
        return np.maximum(self.at_least(first - counted) - self.at_least(self.threshold(odds) - counted), 0.0)

    def jumps(self, size: float, low: float, high: float) -> FloatArray:
        """None is known."""
        return np.empty(0)

    def gaps(self, counted: int) -> FloatArray:
        """Every gap that matters on a side, rising, for one rate and whole noise."""
        return self._one()._places()[0] + counted if self.whole else super().gaps(counted)

    def atoms(self, counted: int) -> tuple[FloatArray, FloatArray]:
        """Every loss and its probability, for one rate and whole noise."""
        if not self.whole:
            return super().atoms(counted)
        places, weights = self._one()._places()
        return np.asarray(_loss(self._one(), places + counted)), weights

    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        """Logarithm of E[exp(s loss)] over all releases about a counted person."""
        places, weights = self._one()._places(self._turns(1))
        loss = _loss(self._one(), places + 1)
        moved = np.multiply.outer(s, loss)
        top = moved.real.max(axis=-1)
        return np.asarray(np.log(np.exp(moved - top[..., None]) @ weights) + top)

    def two_cells(self) -> TwoWorlds:
        """Refused: the law of two cells is known for the noises of this package."""
        raise Refused("mechanism", "have a known law of two cells", self.named, Code.UNSUPPORTED)

    def _turns(self, counted: int) -> tuple[float, ...]:
        """Noises at which the evidence on a side has a corner."""
        return tuple(kink + step - counted for kink in self.kind.kinks for step in (0.0, 1.0))

    def _one(self) -> Any:
        return self.kind.with_budget(float(self.rate))


def _loss(noise: Any, gap: Any) -> Any:
    return noise.log_noise(gap - 1) - noise.log_noise(gap)


def _first_gap(noise: Any, least: float) -> float:
    """Smallest gap whose loss is above a value, by bisection; infinite where none or all are."""
    far = float(noise._places()[0].max()) + 1
    low, high = -far, far
    if _loss(noise, high) <= least:
        return np.inf
    if _loss(noise, low) > least:
        return -np.inf
    while high - low > (1.0 if noise.is_whole else 1e-13 * far):
        middle = np.floor((low + high) / 2) if noise.is_whole else (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if _loss(noise, middle) > least else (middle, high)
    return float(high)
