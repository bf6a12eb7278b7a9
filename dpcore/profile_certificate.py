"""Budgets certified by the privacy profile: for readers who do not know every other record, and for every view.

The exact chance that a belief passes a limit is that of a reader who knows every other record and sees the raw numbers.
It does not carry over to one who is unsure about others: on the default line, prior 1 in 12 and discrete Gaussian noise
at the rho certified for 1 %, an attacker unsure about one other person passes the cap with 1.92 %. The privacy profile
does carry over. Whatever the reader is unsure about, independently of the secret, the two worlds are mixtures over the
states of the others, and the hockey-stick divergence is jointly convex: delta(epsilon) is largest at one state. With
additive noise it is the same at every state.

Let B be the releases after which the log odds have risen by more than s. There P1 > e^s P0, so
P1[B] <= e^epsilon P0[B] + delta(epsilon) <= e^(epsilon - s) P1[B] + delta(epsilon) and
P1[B] <= delta(epsilon)/(1 - e^(epsilon - s)) for every epsilon below s. The least of these is reached by somebody who
is only told whether the most telling event took place: the bound is sharp for views of the output.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._properties import cached_property
from dpcore.guarantees import gaussian_rho_from_probabilistic
from dpcore.mechanisms import noise_kind, noise_kinds
from dpcore.rounding import round_down
from dpcore.schema import Change
from dpcore.worst_change import WorstChange, losses_of_changes

NOISES = tuple(kind.name for kind in noise_kinds() if kind.budget_kind == "rho")
"""The noises whose rho can be certified: continuous Gaussian and discrete Gaussian."""
KEPT_BELOW = 1e-6  # a certified rho is certified down to this relative distance below it
COMPUTED_TO = 1e-10  # relative allowance for the computation of a shift
SMALLEST_SHIFT = 1e-100  # smaller allowed shifts count as none


@call_hint
@dataclass(frozen=True, kw_only=True)
class ProfileCertificate:
    """A promise about the belief in one secret, for readers unsure about others and for every view: with which rho.

    The promise is about a rise of the log odds in the world where the secret is true; in the other world it is rarer.

    Every rho here is that of *one number moved by one*: 1/(2 sigma²), as in `DiscreteCertificate`. The reader may be
    unsure of any other records as long as they are independent of the secret.
    Source: thesis, Theorem 35 (proof)
    Source: ours, every epsilon below the shift; joint convexity of the hockey-stick divergence; checked against
        mixtures

    Parameters
    ----------
    epsilon_prime : float; allowed rise of the log odds, at least 0
    delta_prime : float; allowed failure probability, in (0, 1)
    noise : {"gaussian", "discrete_gaussian"}, optional; the noise of each published number
    releases : int, optional; number of releases with fresh noise and the same rho each, at least 1
    changes : tuple of Change, optional; how the protected unit can move the published numbers of one release:
        `Schema.changes`, or the largest one for one record; one number by one without it

    Examples
    --------
    >>> line = ProfileCertificate(epsilon_prime=math.log(11 / 3), delta_prime=0.01)  # 25 in 100 from 1 in 12
    >>> round(line.largest_rho, 3), line.recommended_each
    (0.106, 0.1)
    >>> line.certifies(0.14)  # certified for whoever knows every other record
    False
    """

    epsilon_prime: float
    delta_prime: float
    noise: str = "discrete_gaussian"
    releases: int = 1
    changes: tuple[Change, ...] = (Change((1.0,)),)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon_prime", _checks.number("epsilon_prime", self.epsilon_prime, 0.0))
        failure = _checks.number("delta_prime", self.delta_prime, 0.0, 1.0, open_low=True, open_high=True)
        object.__setattr__(self, "delta_prime", failure)
        _checks.choice("noise", self.noise, NOISES)
        object.__setattr__(self, "releases", _checks.count("releases", self.releases, 1))
        losses_of_changes(noise_kind(self.noise).with_budget(1.0), self.changes)  # refuses changes that do not fit

    def _losses(self, rho: float) -> WorstChange:
        """The losses of every change."""
        noise = noise_kind(self.noise).with_budget(rho)
        return WorstChange(losses_of_changes(noise, self.changes, releases=self.releases))

    def shift(self, rho: float) -> float:
        """Smallest rise that no reader and no view passes but with probability delta' at this rho.

        The minimum over epsilon of epsilon - ln(1 - delta(epsilon)/delta'), largest over the changes; an upper bound
        where the loss is on a grid.

        Parameters
        ----------
        rho : float; of each release for one number moved by one, above 0
        """
        budget = _checks.number("rho", rho, 0.0, open_low=True)
        return self._losses(budget).every_view_epsilon(self.delta_prime)

    def exceedance(self, rho: float) -> float:
        """Largest probability with which some such reader, or some view, passes epsilon' at this rho.

        The minimum over epsilon below epsilon' of delta(epsilon)/(1 - e^(epsilon - epsilon')), largest over the
        changes: reached by some view of the output, to a relative 1e-9 from above; at least 1e-300.

        Parameters
        ----------
        rho : float; of each release for one number moved by one, above 0
        """
        budget = _checks.number("rho", rho, 0.0, open_low=True)
        losses, low, high = self._losses(budget), math.log(1e-300), 0.0
        while high - low > 1e-9:
            middle = (low + high) / 2
            passed = losses.every_view_epsilon(math.exp(middle)) > self.epsilon_prime
            low, high = (middle, high) if passed else (low, middle)
        return math.exp(high)

    def certifies(self, rho: float) -> bool:
        """Whether this rho keeps the promise, and every rho up to a millionth below it.

        Parameters
        ----------
        rho : float; of each release for one number moved by one, above 0
        """
        budget = _checks.number("rho", rho, 0.0, open_low=True)
        allowed = self.epsilon_prime * (1 - COMPUTED_TO)
        return all(self.shift(at) <= allowed for at in (budget, budget * (1 - KEPT_BELOW)))

    @cached_property
    def largest_rho(self) -> float:
        """Largest certified rho of each release, for one number moved by one; 0 where epsilon' is 0."""
        if self.epsilon_prime < SMALLEST_SHIFT:
            return 0.0
        whole = float(gaussian_rho_from_probabilistic(epsilon_prime=self.epsilon_prime, delta_prime=self.delta_prime))
        low = high = math.log(whole / self.releases / max(change.l2 for change in self.changes) ** 2)
        step = 0.25
        while not self.certifies(math.exp(low)):
            low, step = low - step, 2 * step
        step = 0.25
        while self.certifies(math.exp(high)):
            low, high, step = high, high + step, 2 * step
        while high - low > 1e-9:
            middle = (low + high) / 2
            low, high = (middle, high) if self.certifies(math.exp(middle)) else (low, middle)
        return math.exp(low)

    @cached_property
    def recommended_each(self) -> float:
        """Largest short decimal rho of each release that is certified itself: two decimals, or two digits."""
        value = self.largest_rho
        while value > 0.0:
            value = round_down(value, max(2, 1 - math.floor(math.log10(value))))
            if value > 0.0 and self.certifies(value):
                break
            value *= 1 - 1e-9
        return value
