"""A count whose other answers go together with one person's: how much noise the same promise needs.

Public information says how the other people answer when the person says no, and when the person says yes. The count
then moves by more than one, and noise made for a change of one promises less.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore._roots import bracketed_root
from dpcore.errors import Code, Refused

# Two cumulative probabilities are the same level when their logs agree this closely: sums of up to a hundred thousand
# binomial terms carry a relative error near 1e-10, and true ties (equal rates) must not count as a step.
TIE = 1e-9


def _log_binomial(trials: int, rate: float) -> FloatArray:
    """Log probabilities of the counts 0 to `trials`."""
    k = np.arange(trials + 1)
    log_choose = gammaln(trials + 1) - gammaln(k + 1) - gammaln(trials - k + 1)
    result: FloatArray = log_choose + xlogy(k, rate) + xlog1py(trials - k, -rate)
    return result


def _log_cumulative(log_pmf: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Logs of P[X <= k] and P[X > k], each summed from its own small end."""
    below = np.logaddexp.accumulate(log_pmf)
    above = np.append(np.logaddexp.accumulate(log_pmf[::-1])[::-1][1:], -np.inf)
    return below, above


def _reach(from_law: FloatArray, to_law: FloatArray) -> int:
    """Largest step up from a value of the first law to the value of the second at the same level."""
    below_from, above_from = _log_cumulative(from_law)
    below_to, above_to = _log_cumulative(to_law)
    possible = np.flatnonzero(from_law > -np.inf)
    # Smallest j with F_to(j) >= F_from(k): compare the small side of each level, where the logs resolve it.
    by_lower = np.searchsorted(below_to, below_from[possible] - TIE)
    by_upper = np.searchsorted(-above_to, -above_from[possible] - TIE)
    upper_half = above_from[possible] < below_from[possible]
    target = np.where(upper_half, by_upper, by_lower)
    return int(np.max(target - possible))


@dataclass(frozen=True)
class CorrelatedAnswers:
    """A yes-no count in which the others' answers depend on one person's, as public information tells it.

    The promise is about one person's answer, to somebody who knows how the others' answers go with it. When the person
    says no, each of the other ``people - 1`` says yes with probability `rate_if_no`, independently; when the person
    says yes, with probability `rate_if_yes`. The count is then Bin(people - 1, rate_if_no) or 1 + Bin(people - 1,
    rate_if_yes). Two-sided geometric noise with parameter ``epsilon`` (ratio exp(-epsilon) a step) is added to it.

    The others are independent given the person's answer. Without that assumption the distance can reach `people`.
    Source: seeman, Example 3 and equation (6)

    Parameters
    ----------
    people : int; everyone counted, the person included; from 1 to 100,000
    rate_if_no, rate_if_yes : float; share of yes among the others, in [0, 1]

    Examples
    --------
    >>> CorrelatedAnswers(people=10, rate_if_no=0.1, rate_if_yes=0.9).distance
    9
    """

    people: int
    _: KW_ONLY
    rate_if_no: float
    rate_if_yes: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", _checks.count("people", self.people, 1, 100_000))
        object.__setattr__(self, "rate_if_no", _checks.number("rate_if_no", self.rate_if_no, 0, 1))
        object.__setattr__(self, "rate_if_yes", _checks.number("rate_if_yes", self.rate_if_yes, 0, 1))

    @cached_property
    def _log_laws(self) -> tuple[FloatArray, FloatArray]:
        """Log laws of the count on 0 to people, given no and given yes."""
        given_no = np.append(_log_binomial(self.people - 1, self.rate_if_no), -np.inf)
        given_yes = np.append(-np.inf, _log_binomial(self.people - 1, self.rate_if_yes))
        return given_no, given_yes

    def law(self, *, says_yes: bool) -> FloatArray:
        """Probabilities of the counts 0 to people, given the person's answer (exact).

        Source: seeman, Example 3

        Examples
        --------
        >>> CorrelatedAnswers(people=2, rate_if_no=0.25, rate_if_yes=0.75).law(says_yes=True).round(12).tolist()
        [0.0, 0.25, 0.75]
        """
        result: FloatArray = np.exp(self._log_laws[_checks.flag("says_yes", says_yes)])
        return result

    @cached_property
    def distance(self) -> int:
        """Farthest that any mass travels between the two laws of the count (exact).

        The infinity-Wasserstein distance: the largest difference of the two quantile functions, over the levels of
        both laws, each level compared on its smaller side (the printed level set uses one law only and can be one
        too small when `rate_if_yes` is below `rate_if_no`).
        Source: seeman, equation (6), level set completed

        Examples
        --------
        >>> CorrelatedAnswers(people=10, rate_if_no=0.9, rate_if_yes=0.1).distance
        7
        """
        given_no, given_yes = self._log_laws
        return max(_reach(given_no, given_yes), _reach(given_yes, given_no))

    @property
    def _travelled(self) -> int:
        """The distance, refused when it is 0: the loss is then 0 whatever the noise."""
        if self.distance == 0:
            raise Refused(
                "the count",
                "depend on the person's answer for any noise to be needed",
                (self.people, self.rate_if_no, self.rate_if_yes),
                Code.INFEASIBLE,
                got=f"people {self.people}, rate_if_no {self.rate_if_no}, rate_if_yes {self.rate_if_yes}",
            )
        return self.distance

    def loss_bound(self, epsilon: float) -> float:
        """Upper bound on the privacy loss of the noisy count: epsilon times the distance.

        Source: seeman, Corollary 1

        Parameters
        ----------
        epsilon : float; parameter of the noise, per step of the count; greater than 0

        Examples
        --------
        >>> CorrelatedAnswers(people=10, rate_if_no=0.1, rate_if_yes=0.9).loss_bound(0.5)
        4.5
        """
        return _checks.number("epsilon", epsilon, 0, open_low=True) * self.distance

    def loss(self, epsilon: float) -> float:
        """Exact privacy loss of the noisy count about the person's answer: the largest log ratio of any release.

        With rate_if_yes >= rate_if_no the likelihood ratio rises with the release, so both extremes lie outside the
        range of the count and have a closed form. Otherwise the ratio is evaluated at every count.
        Source: ours, closed form by monotone likelihood ratio; checked against the sum over every release

        Parameters
        ----------
        epsilon : float; parameter of the noise, per step of the count; greater than 0

        Examples
        --------
        With equal rates the others say nothing about the person, and the loss is the parameter.

        >>> CorrelatedAnswers(people=5, rate_if_no=0.5, rate_if_yes=0.5).loss(1.0)
        1.0
        """
        epsilon = _checks.number("epsilon", epsilon, 0, open_low=True)
        if self.rate_if_yes < self.rate_if_no:
            return float(np.max(np.abs(self._log_ratio(epsilon))))
        others = self.people - 1
        high = epsilon + others * (_log_moment(self.rate_if_yes, epsilon) - _log_moment(self.rate_if_no, epsilon))
        low = epsilon + others * (_log_moment(self.rate_if_no, -epsilon) - _log_moment(self.rate_if_yes, -epsilon))
        return max(high, low)

    def _log_ratio(self, epsilon: float) -> FloatArray:
        """Log ratio of the release's probability, given yes over given no, at the releases 0 to people."""
        given_no, given_yes = (_smoothed(law, epsilon) for law in self._log_laws)
        return given_yes - given_no

    def noise_epsilon(self, target: float) -> float:
        """Noise parameter at which the exact privacy loss is the target (exact, solved to the last digits).

        Source: ours, the exact loss solved for the noise

        Parameters
        ----------
        target : float; wanted privacy loss about the person's answer, greater than 0

        Examples
        --------
        >>> round(CorrelatedAnswers(people=10, rate_if_no=0.4, rate_if_yes=0.6).noise_epsilon(1.0), 6)
        0.359504
        """
        target = _checks.number("target", target, 0, open_low=True)
        low = target / self._travelled
        high = max(2 * low, target)
        while self.loss(high) < target:
            low, high = high, 2 * high
        if self.loss(low) >= target:  # the bound is attained
            return low

        def excess(epsilon: FloatArray) -> FloatArray:
            return np.asarray(self.loss(float(epsilon)) - target)

        return float(bracketed_root(excess, np.asarray(low), np.asarray(high)))

    def noise_epsilon_bound(self, target: float) -> float:
        """Noise parameter that surely keeps the loss at the target: target over the distance (safe, often too small).

        Source: seeman, Corollary 1

        Parameters
        ----------
        target : float; wanted privacy loss about the person's answer, greater than 0

        Examples
        --------
        >>> CorrelatedAnswers(people=10, rate_if_no=0.1, rate_if_yes=0.9).noise_epsilon_bound(4.5)
        0.5
        """
        return _checks.number("target", target, 0, open_low=True) / self._travelled

    def noise_multiplier(self, target: float) -> float:
        """How many times wider the noise must be than for unrelated answers, at the same loss (exact).

        The ratio of standard deviations of two-sided geometric noise.
        Source: ours, ratio of standard deviations

        Parameters
        ----------
        target : float; wanted privacy loss about the person's answer, greater than 0

        Examples
        --------
        >>> CorrelatedAnswers(people=50, rate_if_no=0.3, rate_if_yes=0.3).noise_multiplier(1.0)
        1.0
        """
        epsilon = self.noise_epsilon(target)
        with np.errstate(over="ignore"):
            wider = float(np.exp((target - epsilon) / 2))
        return wider * (math.expm1(-target) / math.expm1(-epsilon))


def _log_moment(rate: float, slope: float) -> float:
    """Log of E[exp(slope X)] for one answer X with the given rate of yes."""
    if rate == 0:
        return 0.0
    if rate == 1:
        return slope
    if abs(slope) < 1:
        return math.log1p(rate * math.expm1(slope))
    return float(np.logaddexp(math.log1p(-rate), math.log(rate) + slope))


def _smoothed(log_law: FloatArray, epsilon: float) -> FloatArray:
    """Log of sum_x law(x) exp(-epsilon |y - x|) at y = 0 to n: two one-sided sums of positive terms."""
    k = np.arange(log_law.size)
    from_left = np.logaddexp.accumulate(log_law + epsilon * k) - epsilon * k
    strictly_right = np.append(np.logaddexp.accumulate((log_law - epsilon * k)[::-1])[::-1][1:], -np.inf)
    result: FloatArray = np.logaddexp(from_left, strictly_right + epsilon * k)
    return result
