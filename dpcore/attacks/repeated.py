"""Several independent plain counts of the same person: repeated releases, and uniqueness at several levels.

The promise is that of one person added to or removed from every count together. Log odds add and risks multiply. The
target is counted in each of the releases or in none of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._properties import cached_property
from dpcore.attacks._attack import counted_on, evidence_of
from dpcore.attacks._inputs import known_count, whole_numbers
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Mechanism, _lattice
from dpcore.mechanisms._evidence import Evidence
from dpcore.privacy_loss import Side

FloatArray = NDArray[np.float64]

_MOST_ATOMS = 8_000_000


@call_hint
@dataclass(frozen=True, eq=False)
class RepeatedAttack:
    """Attack on one person through several plain counts that they move by one each, each with its own noise.

    An attack and no promise: it is about the presence of one person, for an attacker who sees every release.
    Source: thesis, equations (2.8), (2.12) and (2.39), Figure 2.7
    Source: ours, Mellin's integral of the logistic function; meet in the middle; noises other than the discrete
        Gaussian

    Parameters
    ----------
    mechanisms : sequence of DiscreteGaussian, Gaussian, Geometric, Laplace or RandomizedResponse; the noise of each
        count, as in `one_count.CountAttack`; kinds may differ. None: nothing is released.
    prior : float; belief before the releases, in (0, 1)
    knowns : array of int, optional; for each release, the other people with the same characteristics, known to the
        attacker; 0 when left out

    Examples
    --------
    >>> from dpcore.mechanisms import DiscreteGaussian, Geometric
    >>> attack = RepeatedAttack([DiscreteGaussian(rho=0.0992), DiscreteGaussian(rho=0.2465)], prior=0.5)
    >>> round(attack.posterior([2, 1]), 3), round(attack.marginal_posterior(), 4), round(attack.probability_right(), 4)
    (0.633, 0.5745, 0.6613)
    >>> twice = RepeatedAttack([Geometric(epsilon=1.0)] * 2, prior=0.5)  # both up with chance 0.731², then odds e²
    >>> round(twice.probability_decides_counted(), 4)
    0.5344
    """

    mechanisms: Sequence[Mechanism]
    _: KW_ONLY
    prior: float
    knowns: ArrayLike | None = None

    def __post_init__(self) -> None:
        _ = self._odds, self._others  # wrong arguments are refused here, by name

    @cached_property
    def _seen(self) -> tuple[Evidence, ...]:
        """The evidence in each count."""
        return tuple(evidence_of(mechanism) for mechanism in self.mechanisms)

    @cached_property
    def _odds(self) -> float:
        return float(logit(_checks.number("prior", self.prior, 0, 1, open_low=True, open_high=True)))

    @cached_property
    def _others(self) -> FloatArray:
        others = 0 if self.knowns is None else known_count(self.knowns, "knowns")
        if self.knowns is None:
            return np.zeros(len(self._seen))
        return self._one_each("knowns", np.atleast_1d(others))

    def _one_each(self, name: str, values: FloatArray) -> FloatArray:
        if values.shape == (len(self._seen),):
            return values
        sizes = values.size, len(self._seen)
        got = f"{sizes[0]} for {sizes[1]} releases"
        raise Refused(name, "have one entry per release", sizes, Code.WRONG_SHAPE, got=got)

    def _moved(self, noisy_counts: ArrayLike) -> FloatArray:
        """How far each release moves the log odds."""
        counts = self._one_each("noisy_counts", np.atleast_1d(_checks.array("noisy_counts", noisy_counts)))
        whole_numbers("noisy_counts", counts[[one.whole for one in self._seen]])
        gaps = counts - self._others
        for one, gap in zip(self._seen, gaps, strict=True):
            one.check(gap)
        return np.array([float(one.loss(gap)) for one, gap in zip(self._seen, gaps, strict=True)])

    def log_odds(self, noisy_counts: ArrayLike) -> float:
        """Logarithm of the attacker's odds that the target is counted, given the noisy counts, one per release; exact.

        Source: thesis, equation (2.12)
        """
        return self._odds + float(self._moved(noisy_counts).sum())

    def posterior(self, noisy_counts: ArrayLike) -> float:
        """The attacker's belief that the target is counted, given the noisy counts, one per release; exact."""
        return float(expit(self.log_odds(noisy_counts)))

    def risks(self, noisy_counts: ArrayLike) -> FloatArray:
        """The risk that each release adds, in order: how many times the belief grows. Their product is the total risk.

        Source: thesis, equation (2.39)
        """
        odds = self._odds + np.concatenate([[0.0], np.cumsum(self._moved(noisy_counts))])
        log_beliefs = -np.logaddexp(0.0, -odds)
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(np.diff(log_beliefs)))

    def marginal_posterior(self, *, side: Side = "present") -> float:
        """The attacker's average belief that the target is counted, over all releases.

        Exact to about 12 digits, for any number of releases and any noises: one integral of their transforms.
        Source: thesis, equation (2.12) averaged (Figure 2.7); ours, Mellin's integral of the logistic function
        """
        counted = counted_on(side)
        if not self._seen:
            return float(self.prior)
        if len(self._seen) == 1:
            return float(self._seen[0].average(np.asarray(self._odds), counted))
        # Absent, the odds move by the mirror image of the shift: E[expit(l - S)] is what is left of E[expit(-l + S)].
        believed, left = _average_logistic(self._seen, self._odds if counted else -self._odds)
        return believed if counted else left

    def probability_decides_counted(self, *, side: Side = "present") -> float:
        """Probability that the attacker decides that the target is counted; a tie is decided against.

        Exact: half of the noise combinations are sorted and the other half looked up in them; Gaussian counts alone are
        one Gaussian count of all their ρ. Mixed with other noise, and for Laplace noise, no such sum is known here.
        Source: thesis, equation (2.8) with (2.12); ours, meet in the middle
        """
        counted = counted_on(side)
        if self._seen and all(one.adds_up and type(one) is type(self._seen[0]) for one in self._seen):
            together = replace(self._seen[0], rate=np.asarray(sum(float(one.rate) for one in self._seen)))
            return float(together.decides_counted(np.asarray(self._odds), counted))
        laws = sorted((one.atoms(counted) for one in self._seen), key=lambda law: -law[0].size)
        halves: list[list[tuple[FloatArray, FloatArray]]] = [[], []]
        for law in laws:  # the largest first: each goes to the half with fewer combinations
            sizes = [sum(math.log(values.size) for values, _ in half) for half in halves]
            halves[int(sizes[1] < sizes[0])].append(law)
        (left, left_weight), (right, right_weight) = (_combined(half) for half in halves)
        order = np.argsort(right)
        right, beyond = right[order], np.append(np.cumsum(right_weight[order][::-1])[::-1], 0.0)
        first = np.searchsorted(right, _lattice.TIE - self._odds - left, side="right")
        return float(left_weight @ beyond[first])

    def probability_right(self, *, side: Side = "present") -> float:
        """Probability that the attacker's decision is right; exact as `probability_decides_counted`."""
        decided = self.probability_decides_counted(side=side)
        return decided if side == "present" else 1 - decided


def _combined(laws: list[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    """Sum of independent evidence: values and probabilities, all combinations that matter."""
    values, weights = np.zeros(1), np.ones(1)
    for more, chances in laws:
        if values.size * more.size > _MOST_ATOMS:
            raise Refused(
                "mechanisms",
                f"need at most {_MOST_ATOMS:,} combinations of noise; these need more",
                values.size * more.size,
                Code.TOO_LARGE,
                got="",
            )
        values = (values[:, None] + more).ravel()
        weights = (weights[:, None] * chances).ravel()
        kept = weights > 1e-17 * weights.max()
        # A counted target shifts the noise by one, so an atom also matters when it is likely after that shift.
        kept |= weights * np.exp(np.minimum(values, 600.0)) > 1e-17
        values, weights = values[kept], weights[kept]
    return values, weights


def _average_logistic(seen: tuple[Evidence, ...], odds: float) -> tuple[float, float]:
    """E[expit(odds + S)] and what is left of it to 1, S the evidence of all releases about a counted person.

    expit(x) is the integral of exp(s x) pi/sin(pi s) over a vertical line between 0 and 1, divided by 2 pi i, so its
    mean needs only the transform of S: a sum over a thousand places at most, whatever the number of releases. Of the
    mean and what is left of it, the one with the smaller integrand is summed, on the line where that is smallest.
    """
    lines = np.linspace(0.08, 0.92, 43)
    signed = np.concatenate([lines, -lines])

    def log_transform(s: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(sum(one.log_transform(s) for one in seen))

    sizes = log_transform(signed.astype(np.complex128)).real + signed * odds - np.log(np.sin(np.pi * np.abs(signed)))
    best = float(signed[int(np.argmin(sizes))])
    sign, line = (1 if best > 0 else -1), abs(best)
    step = 2 * math.pi * min(line, 1 - line) / 40
    t = np.arange(0.0, 13.5, step)
    s = line + 1j * t
    # pi/sin(pi s), by its exponentials where t is large
    turned = np.exp(1j * math.pi * s)
    kernel = 2j * math.pi * turned / (turned * turned - 1)
    integrand = np.exp(sign * s * odds + log_transform(sign * s)) * kernel
    weights = np.full(t.size, step)
    weights[0] /= 2
    mean = float(np.clip((weights @ integrand.real) / math.pi, 0.0, 1.0))
    return (mean, 1 - mean) if sign > 0 else (1 - mean, mean)
