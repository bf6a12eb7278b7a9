"""Attack on one plain noisy count: what an attacker who knows every other record believes about one person.

The attacker knows that `known` people of a block have the target's characteristics and holds prior probability
`prior` that the target has them too, so the true count is `known` or `known + 1`. The count is released with the noise
of a mechanism: everything depends on the noisy count less `known`, and on the mechanism's own law.

These numbers belong to the promise of one plain count that the person moves by one: added or removed, or in this cell
instead of another one that nobody looks at. For a value of which both cells are seen there is `moved_value`; what any
release with a budget permits is said by `any_release`, which takes a `Promise`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from dpcore import _checks
from dpcore._calls import call_hint, go_together
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property
from dpcore.attacks._attack import NoisyAttack, counted_on, evidence_of
from dpcore.attacks._inputs import (
    known_count,
    open_probability,
    positive,
    whole_numbers,
)
from dpcore.errors import Code, Refused
from dpcore.mechanisms import _lattice
from dpcore.mechanisms._evidence import Evidence
from dpcore.privacy_loss import Side

EQUIVALENT_ATTACKS: dict[str, str] = {
    "characteristics": (
        "Is the target, with these characteristics, in the data? The prior is the attacker's belief that they are."
    ),
    "answered": "Did the target answer at all? The prior is the belief that they answered; everybody else did.",
    "truthful": "Did the target answer correctly? The prior is the belief that they did; everybody else did.",
    "unknown variable": (
        "What is one unknown characteristic of the target? The prior is the belief in the one asked about; "
        "everything else about everybody is known."
    ),
}
"""Attacks with the same mathematics and another meaning of the prior (thesis, Chapter 2.6.2)."""


@overload
def rho_per_count(rho: Number, *, sensitivity: float) -> float: ...
@overload
def rho_per_count(rho: ArrayLike, *, sensitivity: float) -> FloatArray: ...
@call_hint
def rho_per_count(rho: ArrayLike, *, sensitivity: float) -> FloatArray | float:
    """The ρ that protects one plain count when noise is scaled to a query of larger sensitivity.

    The promise meant is that of one plain count and of one step, under the relation that the release names. Noise for a
    query of sensitivity Δ has variance near Δ²/(2ρ). One person still moves one count by one, so that count is
    protected as with ρ/Δ². With neighbours that differ in one person's presence (add or remove) a histogram has
    sensitivity 1; with neighbours that differ in one person's answers (replace) it has √2, which halves ρ. There is no
    default: which of the two holds is for the release to say. Exact.
    Source: thesis, Definition 2 (sensitivity 1); ours, scaling

    Parameters
    ----------
    rho : float or array; ρ of the whole query, greater than 0
    sensitivity : float; largest Euclidean change of the query between neighbours, greater than 0

    Examples
    --------
    >>> round(rho_per_count(0.1, sensitivity=2**0.5), 12)
    0.05
    """
    values = positive("rho", rho)
    scale = _checks.number("sensitivity", sensitivity, 0, open_low=True)
    return _checks.scalar_or_array(np.asarray(values / (scale * scale)), rho)


@call_hint
@dataclass(frozen=True, eq=False)
class PosteriorLaw:
    """Every noisy count that matters, with its probability and the posterior it leads to, in increasing order.

    An attack and no promise: it is about one person who moves one count by one, by presence or by a value whose other
    cell nobody looks at.

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> law = CountAttack(Geometric(epsilon=float(np.log(3))), prior=0.5).posterior_law()
    >>> round(float(law.probabilities.sum()), 12)
    1.0
    >>> sorted({round(float(belief), 6) for belief in law.posteriors})  # odds of 3, down or up
    [0.25, 0.75]
    """

    noisy_counts: FloatArray
    probabilities: FloatArray
    posteriors: FloatArray


@call_hint
@dataclass(frozen=True, eq=False)
class CountAttack(NoisyAttack):
    """Attack on one plain count that the target moves by one, by an attacker who knows every other record.

    An attack and no promise: it is about one person who moves one count by one, by presence or by a value whose other
    cell nobody looks at. With a noise of concentration c the log odds move by c (2 (noisy count - known) - 1); with
    geometric noise by the rate, up from `known + 1` on and down below; with Laplace noise by the rate times the same,
    cut to ± 1. Counts with continuous noise may be fractions. Everything broadcasts: all cells of a table at once are
    one call.
    Source: thesis, equations (2.2) to (2.8); thesis, Chapter 2.6.1 (known people)
    Source: ghosh, Definition 2.3 (geometric noise); ours, its likelihood ratio, Laplace and Gaussian noise

    Parameters
    ----------
    mechanism : DiscreteGaussian, Gaussian, Geometric, Laplace or RandomizedResponse; the noise of the count. Its
        sensitivity may be larger than the one person that is asked about. Randomised response counts one answer of two:
        the release is `known` or one more. Or a method of `dpcore.methods` that publishes a number, such as
        RandomRounding: then with one `known`, without `budgets`, and without what rests on a threshold.
    prior : float or array; belief before the release, in (0, 1)
    known : int or array; other people with the same characteristics, known to the attacker; at least 0
    budgets : array, optional; budgets (ρ or ε of the mechanism) at which the attack is made instead of its own; see
        `over`

    Examples
    --------
    >>> from dpcore.mechanisms import DiscreteGaussian
    >>> attack = CountAttack(DiscreteGaussian(rho=0.0992), prior=0.5)
    >>> round(attack.posterior(2), 3), round(attack.marginal_posterior(), 3), round(attack.probability_right(), 4)
    (0.574, 0.524, 0.5888)
    >>> attack.over([0.5, 0.6]).probability_right(side="absent").round(3).tolist()
    [0.699, 0.719]
    """

    _: KW_ONLY
    known: ArrayLike = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        go_together(known=self._others, prior=self._belief, budgets=self._evidence.rate)

    @cached_property
    def _evidence(self) -> Evidence:
        """The evidence in this count."""
        return evidence_of(self.mechanism, self.budgets, known=self._others)

    @cached_property
    def _others(self) -> FloatArray:
        return known_count(self.known)

    @property
    def _seen(self) -> Evidence:
        return self._evidence

    def _gap(self, noisy_count: ArrayLike) -> FloatArray:
        """Noisy counts less the known people."""
        read = whole_numbers if self._evidence.whole else _checks.array
        seen = read("noisy_count", noisy_count)
        go_together(noisy_count=seen, known=self._others, prior=self._belief, budgets=self._evidence.rate)
        gap = seen - self._others
        self._evidence.check(gap)
        return gap

    def log_odds(self, noisy_count: ArrayLike) -> FloatArray | float:
        """Logarithm of the odds that the target is counted; does not saturate where the posterior rounds to 0 or 1."""
        return self._shaped(self._odds + self._evidence.loss(self._gap(noisy_count)), noisy_count, self._others)

    def posterior(self, noisy_count: ArrayLike) -> FloatArray | float:
        """Belief that the target is counted, after a release."""
        return self._shaped(expit(self.log_odds(noisy_count)), noisy_count, self._others)

    def risk(self, noisy_count: ArrayLike) -> FloatArray | float:
        """How many times larger than the prior the posterior is."""
        return self._shaped(np.asarray(self.posterior(noisy_count)) / self._belief, noisy_count, self._others)

    def release_probability(self, noisy_count: ArrayLike, *, side: Side = "present") -> FloatArray | float:
        """Probability (with continuous noise: density) of exactly this release when the target is counted, or not."""
        result = np.exp(self._evidence.log_release(self._gap(noisy_count), counted_on(side)))
        return _checks.scalar_or_array(result, noisy_count, self._others, self._evidence.rate)

    def decision_threshold(self) -> FloatArray | float:
        """Smallest noisy count from which the attacker decides that the target is counted.

        The attacker decides so when the posterior exceeds 1/2; a tie is decided against. Infinite where no release
        suffices, minus infinite where any does. With continuous noise the decision is taken beyond it.
        """
        return self._shaped(self._evidence.threshold(self._odds) + self._others, self._others)

    def probability_of_tie(self, *, side: Side = "present") -> FloatArray | float:
        """Probability that the posterior is exactly 1/2."""
        return self._shaped(self._evidence.tie(self._odds, counted_on(side)))

    def posterior_quantile(self, level: float, *, side: Side = "present") -> FloatArray | float:
        """The belief that a share of all releases does not exceed.

        Exact: the smallest attainable posterior x with P[posterior <= x] of at least `level`, in (0, 1).
        """
        share = float(open_probability(level, "level"))
        return self._shaped(expit(self._odds + self._evidence.loss_quantile(share, counted_on(side))))

    def posterior_law(self, *, side: Side = "present") -> PosteriorLaw:
        """The whole distribution of the belief over releases, for whole noise of one budget.

        Exact; releases below exp(-42) of the likeliest are left out. Refuses noise so wide that it would have more than
        some ten thousand of them.
        """
        _checks.number("prior", self._belief)
        counts = self._evidence.gaps(counted_on(side)) + _checks.number("known", self._others)
        return PosteriorLaw(
            counts, np.asarray(self.release_probability(counts, side=side)), np.asarray(self.posterior(counts))
        )

    def _one_budget(self, lowest: float, highest: float) -> tuple[float, float, float]:
        """Ends of an interval of budgets as rates of the count, and the budget of a rate of one."""
        if self.budgets is not None:
            raise Refused("budgets", "be left out where jumps are sought", self.budgets, Code.INCONSISTENT)
        each = self.mechanism.budget / float(self._evidence.rate)
        return float(positive("lowest", lowest)) / each, float(positive("highest", highest)) / each, each

    def decision_jumps(self, *, lowest: float, highest: float) -> FloatArray:
        """Every budget in an interval at which the decision rule jumps, and the chance of a right call with it.

        Exact, falling. With discrete Gaussian noise the threshold moves by one at ρ = abs(logit prior)/(2 j - 1),
        j = 1, 2, ... (at most the 1,000 largest); with geometric and Laplace noise the attacker follows the release
        from ε = abs(logit prior) on; with Gaussian noise the rule moves smoothly. Empty at prior 1/2.
        """
        low, high, each = self._one_budget(lowest, highest)
        _checks.number("prior", self._belief)
        size = abs(float(self._odds))
        if size < _lattice.TIE:
            return np.empty(0)
        return each * self._evidence.jumps(size, low, high)

    def quantile_jumps(self, level: float, *, lowest: float, highest: float) -> FloatArray:
        """Every budget in an interval at which the belief that a share of all releases does not exceed jumps.

        Exact to about 12 digits, falling, at most the 100 largest: with whole noise the probability of a noise of -k or
        less falls below the share there (or that of k or more below what is left of it). With discrete Gaussian noise
        the jumps of 1 - level are the same. With continuous noise there are none.
        """
        share = float(open_probability(level, "level"))
        low, high, each = self._one_budget(lowest, highest)
        return each * self._evidence.quantile_jumps(share, low, high) if low < high else np.empty(0)

    def missing_people_posterior(self, noisy_count: float, *, others: ArrayLike) -> float:
        """Belief that the target is counted when more people are unknown, by convolution; exact.

        `others` holds, for each further unknown person, the belief in [0, 1] that they have the characteristics,
        independently; it may be empty.
        """
        beliefs = np.atleast_1d(_checks.probability("others", others if np.size(others) else np.empty(0)))
        known, _ = (_checks.number(name, value) for name, value in (("known", self._others), ("prior", self._belief)))
        law = np.ones(1)
        for one in beliefs:
            law = np.convolve(law, [1 - one, one])
        read = whole_numbers if self._evidence.whole else _checks.array
        noise = _checks.number("noisy_count", read("noisy_count", noisy_count)) - known - np.arange(float(law.size))
        with np.errstate(divide="ignore"):
            weights = np.log(law)
        absent = np.logaddexp.reduce(weights + self._evidence.log_law(noise))
        present = np.logaddexp.reduce(weights + self._evidence.log_law(noise - 1))
        return float(expit(self._odds + present - absent))

    def draw_releases(
        self, *, side: Side = "present", size: int, seed: int | np.random.Generator
    ) -> NDArray[np.int64] | FloatArray:
        """Releases drawn from a seed; the same seed gives the same draws, for the whole class.

        For teaching: drawn from a floating-point generator, which is not fit to protect real data.
        """
        counted, number = counted_on(side), _checks.count("size", size)
        if self.budgets is not None:
            raise Refused("budgets", "be left out where releases are drawn", self.budgets, Code.INCONSISTENT)
        others = int(_checks.number("known", self._others))
        drawn: NDArray[np.int64] | FloatArray = self.mechanism.simulate_counts(
            counted, size=number, seed=seed, known=others
        )
        return drawn
