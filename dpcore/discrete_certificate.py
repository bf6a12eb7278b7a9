"""Budgets certified on the exact law of discrete Gaussian noise: integer counts, raw outputs, a strong attacker.

A promise about beliefs says: the log odds of an attacker move by at most epsilon', except with probability delta'. The
budget that keeps it for *continuous* Gaussian noise does not keep it for *integer* noise: the loss sits on a lattice,
and a whole step of it may lie just beyond epsilon'. A certificate speaks about one named mechanism, discrete Gaussian
noise on one count that the protected unit moves, released once or several times with fresh noise of the same rho each;
about the published numbers themselves (a view computed from them can pass epsilon' more often than delta'); and about
an attacker who knows every other record.

The law. Noise y with concentration rho has P[y] proportional to e^(-rho y^2). A unit that moves each of k counts by g
has the loss rho g (2 Y + k g), Y the sum of the k noises. With tau = epsilon'/(2 rho g) - k g/2 the log odds rise
too far when Y > tau, and fall too far when Y < -(tau + k g). While rho grows, tau falls; between two whole numbers the
failure probability *falls* with rho (the noise narrows), and it jumps up just after tau has reached a whole number n.
So the largest certified rho is one of rho_n = epsilon'/(g (2 n + k g)), and a smaller rho need not be certified.

A table. Where the unit can move several counts, by amounts a_i, the loss is rho N with the whole number
N = sum over i and releases of a_i (2 Y_i + a_i), and the same holds with rho_n = epsilon'/n. The failure probability is
then the largest over all changes that the unit can make: a unit in at most two cells fails the promise more often in
one of them than in both, or less.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.guarantees import gaussian_rho_from_probabilistic
from dpcore.mechanisms import DiscreteGaussian, discrete_gaussian_log_tail
from dpcore.privacy_loss import DIRECTIONS, Direction, PrivacyLoss
from dpcore.rounding import round_down
from dpcore.schema import Change
from dpcore.worst_change import WorstChange, losses_of_changes

WIDE_NOISE = 0.125  # concentrations up to it: the sum of k noises has the law of one at concentration rho/k, see Notes
KEPT_BELOW = 1e-6  # a certified rho is certified down to this relative distance below it: a written scale is rounded
COMPUTED_TO = 1e-10  # relative allowance for the computation of a failure probability
SMALLEST_SHIFT = 1e-100  # smaller allowed shifts count as none
LARGEST_COUNT = 1_000_000


@call_hint
@dataclass(frozen=True, kw_only=True)
class DiscreteCertificate:
    """A promise about the belief in one secret, to be kept by discrete Gaussian noise on one count: with which rho.

    Every rho here is that of *one record*: 1/(2 sigma^2), the noise `DiscreteGaussian(rho=rho)`. Where one person moves
    the count by s, put s for `group`; the rho of that person is s^2 times as large.

    Promise: two worlds that differ by the unit, in each release by the full `group`; then a unit that moves every count
    by less is covered too (tau grows). A unit that is in some of the releases only has another law, and so has one in
    several cells of a table, for which there are `changes`. Whoever watches all releases has the log odds at the end in
    mind, not their largest value on the way.

    Exact. One release: the tail of the discrete Gaussian. Several: a convolution for narrow noise; for a concentration
    up to 1/8 the sum of k noises has, point by point, the law of one discrete Gaussian of concentration rho/k up to a
    factor below 1 + 1e-15. (Adding one noise to j of them multiplies that law by a sum over the integers of a Gaussian
    of variance s^2 = j/(2 (j + 1) rho), constant up to 1 +- 2.1 e^(-2 pi^2 s^2) by Poisson's formula.)
    Source: thesis, Theorem 28 (what the promise says); canonne_kamath_steinke, Definition 1
    Source: ours, the steps of the failure probability; checked against enumeration, convolution and a dense scan

    Parameters
    ----------
    epsilon_prime : float; allowed shift of the attacker's log odds, at least 0
    delta_prime : float; allowed failure probability, in (0, 1)
    releases : int, optional; number of releases of the count with fresh noise and the same rho each, at least 1
    group : int, optional; by how much the protected unit moves each count, at least 1: 1 for a person, g for a
        household of g
    direction : str, optional; ``"either"``, or ``"rise"`` for rises alone (in a world with the unit; falls in the world
        without it have the same law), or ``"fall"`` for falls in the world with the unit
    changes : tuple of Change, optional; instead of `group`, how the unit can move the counts of a table: every change
        that the schema allows (`Schema.changes`), of whole amounts

    Examples
    --------
    >>> promise = DiscreteCertificate(epsilon_prime=math.log(11 / 3), delta_prime=0.01)
    >>> round(promise.exceedance(0.12), 4)  # the budget of continuous noise: 1.62 % for 1 %
    0.0162
    >>> round(promise.largest_rho, 4), promise.recommended_each, round(promise.exceedance(0.14), 4)  # ln(11/3)/9
    (0.1444, 0.14, 0.0096)
    >>> round(promise.every_rho_up_to, 4)  # ln(11/3)/11
    0.1181
    >>> table = DiscreteCertificate(
    ...     epsilon_prime=math.log(11 / 3), delta_prime=0.01, changes=(Change((1,)), Change((1, 1)))
    ... )
    >>> table.recommended_each, table.certifies(0.14)
    (0.064, False)
    """

    epsilon_prime: float
    delta_prime: float
    releases: int = 1
    group: int = 1
    direction: Direction = "either"
    changes: tuple[Change, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon_prime", _checks.number("epsilon_prime", self.epsilon_prime, 0.0))
        failure = _checks.number("delta_prime", self.delta_prime, 0.0, 1.0, open_low=True, open_high=True)
        object.__setattr__(self, "delta_prime", failure)
        object.__setattr__(self, "releases", _checks.count("releases", self.releases, 1, LARGEST_COUNT))
        object.__setattr__(self, "group", _checks.count("group", self.group, 1, LARGEST_COUNT))
        _checks.choice("direction", self.direction, DIRECTIONS)
        if self.changes:
            if self.group != 1:
                raise Refused("group", "be 1 where changes are given", self.group, Code.INCONSISTENT)
            self._worst(1.0)  # refuses changes that do not fit

    def _worst(self, rho: float) -> WorstChange:
        return WorstChange(losses_of_changes(DiscreteGaussian(rho=rho), self.changes, releases=self.releases))

    @property
    def _moved(self) -> float:
        """By how much the unit moves all counts together."""
        return float(self.releases) * self.group

    def _tail(self, least: float, rho: float) -> float:
        """P[Y >= least] for the sum of the noises at concentration rho."""
        if self.releases == 1 or rho <= WIDE_NOISE:
            return math.exp(float(discrete_gaussian_log_tail(least, rho=rho / self.releases)))
        if least <= 0:
            return 1.0 - self._tail(1.0 - least, rho)
        loss = PrivacyLoss.of(DiscreteGaussian(rho=rho), self.releases)  # rho (2 Y + k)
        return float(loss.exceedance(rho * (2 * least + self.releases - 1), direction="rise"))

    def _failure(self, step: float, rho: float, direction: Direction) -> float:
        """Failure probability at concentration rho when a sum of noises, or N, up to `step` is not too much."""
        if self.changes:
            return self._worst(rho).exceedance(rho * (step + 0.5), direction=direction)
        rise = self._tail(step + 1, rho) if direction != "fall" else 0.0
        fall = self._tail(step + 1 + self._moved, rho) if direction != "rise" else 0.0
        return min(rise + fall, 1.0)

    def _allows(self, failure: float) -> bool:
        return failure * (1 + COMPUTED_TO) <= self.delta_prime

    def _step(self, rho: float, allowance: float) -> float:
        """The largest whole Y, or N, that stays within epsilon', up to a relative allowance for ties."""
        if self.changes:
            return float(math.floor(self.epsilon_prime / rho * (1 + allowance)))
        reach = self.epsilon_prime / (rho * self.group)
        return float(math.floor((reach * (1 + allowance) - self._moved) / 2))

    def exceedance(self, rho: float) -> float:
        """Probability that the log odds move by more than epsilon' at this rho: exact.

        The probability in the world with the unit. A loss within 1e-12 of epsilon' counts as equal to it.

        Parameters
        ----------
        rho : float; of each release for one record, above 0
        """
        budget = _checks.number("rho", rho, 0.0, open_low=True)
        return self._failure(self._step(budget, 1e-12), budget, self.direction)

    def certifies(self, rho: float) -> bool:
        """Whether this rho keeps the promise, and every rho up to a millionth below it, verified on the exact law.

        Parameters
        ----------
        rho : float; of each release for one record, above 0
        """
        budget = _checks.number("rho", rho, 0.0, open_low=True)
        # The step of the largest rho and the width of the smallest bound the failure between them.
        step, narrowest = self._step(budget, -4e-13), budget * (1 - KEPT_BELOW)
        return self._allows(self._failure(step, narrowest, self.direction))

    def _at_step(self, step: float) -> float:
        """The rho at which the sum of noises, or N, of `step` uses up epsilon', less a rounding error."""
        if self.changes:
            return self.epsilon_prime / step * (1 - 1e-12)
        return self.epsilon_prime / (self.group * (2 * step + self._moved)) * (1 - 1e-12)

    def _first_step(self, holds: Callable[[float], bool]) -> float:
        """The smallest step at which a condition holds, by doubling and bisection around the continuous value."""
        total = float(gaussian_rho_from_probabilistic(epsilon_prime=self.epsilon_prime, delta_prime=self.delta_prime))
        guess = self.epsilon_prime * self.group * self.releases / (2 * total) - self._moved / 2
        if self.changes:
            guess = self.epsilon_prime * self.releases * max(change.l2 for change in self.changes) ** 2 / total
        low, high = 0.0 if self.changes else -1.0, max(float(math.ceil(guess)), 1.0)
        while not holds(high):
            low, high = high, 2 * high
        while high - low > max(1.0, 1e-12 * high):
            middle = float(math.floor((low + high) / 2))
            low, high = (low, middle) if holds(middle) else (middle, high)
        return high

    @cached_property
    def largest_rho(self) -> float:
        """Largest certified rho of each release, for one record; 0 where epsilon' is 0. A smaller rho may fail.

        The largest of all where the failure probability is below one half and the direction is not ``"fall"``; else one
        that keeps the promise, with a mean of the loss of at most epsilon'; for a table always the latter. (Noise that
        hides nothing never lowers a true belief, so for falls alone there is no largest rho.)
        """
        if self.epsilon_prime < SMALLEST_SHIFT:
            return 0.0
        return self._at_step(self._first_step(lambda step: self.certifies(self._at_step(step))))

    @cached_property
    def every_rho_up_to(self) -> float:
        """Largest rho that is certified together with every smaller one: for a budget that may be spent in part.

        Where only falls are promised, that of a promise about either direction. Refused for a table: there the failure
        probability moves up and down between the losses of its changes, and `certifies` tells for one rho.
        """
        if self.changes:
            raise Refused("changes", "be left out to certify every smaller rho", self.changes, Code.UNSUPPORTED, got="")
        if self.epsilon_prime < SMALLEST_SHIFT:
            return 0.0
        direction: Direction = "rise" if self.direction == "rise" else "either"
        # Between two steps the failure probability is largest just above the lower rho, that of the next step.
        return self._at_step(
            self._first_step(lambda step: self._allows(self._failure(step, self._at_step(step + 1), direction)))
        )

    @cached_property
    def recommended_each(self) -> float:
        """Largest short decimal rho of each release that is certified itself.

        Two decimals, or two digits where finer; up to three places more where that would give away over a tenth.
        """
        found = [0.0]
        for places in range(4):
            found.append(self._printed(places))
            if found[-1] >= 0.9 * self.largest_rho:
                break
        return max(found)

    def _printed(self, more_places: int) -> float:
        value = self.largest_rho
        while value > 0.0:
            value = round_down(value, max(2, 1 - math.floor(math.log10(value))) + more_places)
            if value > 0.0 and self.certifies(value):
                break
            value *= 1 - 1e-9
        return value

    @property
    def recommended_total(self) -> float:
        """The recommended rho of all releases together: so many times that of each. Other shares of it may fail."""
        return float(self.releases * Decimal(repr(self.recommended_each)))
