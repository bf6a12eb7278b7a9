"""A noisy count known to lie between 0 and n: what it says about the rate behind it, and what it promises.

The public fact is the number of people asked. A release can ignore it (raw), be clamped to 0 to n afterwards (clamped),
or be drawn conditioned on that range (conditioned).
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

import numpy as np
from scipy.special import betainc, gammaln

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric
from dpcore.public_information.count_tables import _log_rising

Treatment = Literal["raw", "clamped", "conditioned"]
TREATMENTS: tuple[Treatment, ...] = get_args(Treatment)
LARGEST_PEOPLE = 20_000


@call_hint
@dataclass(frozen=True)
class RangedCount:
    """A count of 0 to `people` released with two-sided geometric noise and one of three treatments of its range.

    The promise is about one person's answer, exchanged for the other while the number of people is public.
    Source: seeman, section 4.1 (projection) and Lemma 5 (conditioning)

    Parameters
    ----------
    people : int; number of people asked, public; from 1 to 20,000
    epsilon : float; parameter of the noise: ratio exp(-epsilon) a step; greater than 0
    treatment : {"raw", "clamped", "conditioned"}; raw: released as drawn, any integer. Clamped: values outside 0 to
        people are moved to the nearest end. Conditioned: noise drawn given that the release lies in 0 to people.

    Examples
    --------
    Clamping is post-processing and keeps the promise; conditioning costs more.

    >>> RangedCount(people=10, epsilon=0.5, treatment="clamped").loss
    0.5
    >>> RangedCount(people=10, epsilon=0.5, treatment="conditioned").loss > 0.7
    True
    """

    _: KW_ONLY
    people: int
    epsilon: float
    treatment: Treatment = "raw"

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", _checks.count("people", self.people, 1, LARGEST_PEOPLE))
        object.__setattr__(self, "epsilon", _checks.number("epsilon", self.epsilon, 0, open_low=True))
        _checks.choice("treatment", self.treatment, TREATMENTS)

    @cached_property
    def _log_inside(self) -> FloatArray:
        """Log of the noise mass that keeps each true count 0 to people inside the range, up to one constant."""
        step = math.exp(-self.epsilon)
        x = np.arange(self.people + 1)
        left = step * -np.expm1(-self.epsilon * x)
        right = step * -np.expm1(-self.epsilon * (self.people - x))
        result: FloatArray = np.log1p((left + right) / -math.expm1(-self.epsilon))
        return result

    def log_likelihood(self, release: int) -> FloatArray:
        """Log probability of the release under each true count 0 to people (exact).

        Source: ghosh, Definition 2.1, summed over the range

        Parameters
        ----------
        release : int; the released value; in 0 to people unless the treatment is raw
        """
        x = np.arange(self.people + 1)
        if self.treatment == "raw":
            result: FloatArray = Geometric(epsilon=self.epsilon).log_pmf(
                _checks.count("release", release, -(2**53), 2**53) - x
            )
            return result
        release = _checks.count("release", release, 0, self.people)
        kernel = -self.epsilon * np.abs(release - x)
        if self.treatment == "conditioned":
            return kernel - self._log_inside
        if release in (0, self.people):  # all noise beyond the end lands on it: a^k / (1 + a)
            return kernel - math.log1p(math.exp(-self.epsilon))
        return kernel + math.log(math.tanh(self.epsilon / 2))  # (1 - a)/(1 + a)

    @cached_property
    def loss(self) -> float:
        """Exact privacy loss for one more yes in a count of at most `people` (clamped and raw: epsilon).

        Conditioned: epsilon plus the largest change in the log mass inside the range, attained at the end of the range;
        between epsilon and 2 epsilon.
        Source: ours, closed form; seeman, Lemma 5 gives the bound 2 epsilon
        """
        if self.treatment != "conditioned":
            return self.epsilon
        # the mass is a - a^n larger, a = e^-epsilon, around a true count of 1 than around 0: (1 - a^(n + 1))/(1 - a)
        gained, room = (-math.expm1(-self.epsilon * steps) for steps in (self.people - 1, self.people + 1))
        return self.epsilon + math.log1p(math.exp(-self.epsilon) * gained * (-math.expm1(-self.epsilon) / room))

    def expected_absolute_error(self, true: int) -> float:
        """Exact mean absolute error of the release at a true count.

        Source: ours, sums of geometric terms

        Parameters
        ----------
        true : int; the true count, from 0 to people

        Examples
        --------
        >>> raw = RangedCount(people=10, epsilon=1.0).expected_absolute_error(0)
        >>> round(raw / RangedCount(people=10, epsilon=1.0, treatment="clamped").expected_absolute_error(0), 3)
        2.0
        """
        true = _checks.count("true", true, 0, self.people)
        if self.treatment == "raw":
            return Geometric(epsilon=self.epsilon).mean_absolute
        distance = np.abs(np.arange(self.people + 1) - true)
        kernel = np.exp(-self.epsilon * distance)
        if self.treatment == "conditioned":
            return float(np.sum(kernel * distance) / np.sum(kernel))
        mass = kernel * math.tanh(self.epsilon / 2)
        mass[[0, -1]] = kernel[[0, -1]] / (1 + math.exp(-self.epsilon))
        return float(np.sum(mass * distance))

    def rate_posterior(self, release: int, *, prior: tuple[float, float] = (1.0, 1.0)) -> RatePosterior:
        """Exact posterior of the rate of yes given the release, under a Beta prior.

        Source: seeman, Theorem 3 and Algorithm 1, as an exact mixture over the true count

        Parameters
        ----------
        release : int; the released value
        prior : pair of float, optional; the two parameters of the Beta prior, greater than 0

        Examples
        --------
        >>> round(RangedCount(people=20, epsilon=0.5).rate_posterior(1).mean, 6)
        0.138685
        """
        a, b = _prior(prior)
        x = np.arange(self.people + 1)
        log_prior = (
            gammaln(self.people + 1)
            - gammaln(x + 1)
            - gammaln(self.people - x + 1)
            + _log_rising(a, x)
            + _log_rising(b, self.people - x)
            - _log_rising(a + b, self.people)
        )
        log_likelihood = self.log_likelihood(release)
        log_joint = log_prior + log_likelihood
        peak = float(np.max(log_joint))
        if not peak > -math.inf:
            raise Refused("release", "be possible under the prior", release, Code.INFEASIBLE)
        joint = np.exp(log_joint - peak)
        evidence = float(np.sum(joint))
        accepted = evidence * math.exp(peak - float(np.max(log_likelihood)))
        return RatePosterior(people=self.people, prior=(a, b), weights=joint / evidence, acceptance=accepted)


def _prior(prior: tuple[float, float]) -> tuple[float, float]:
    try:
        values = _checks.array("prior", prior, 0, open_low=True)
    except ValueError:
        values = np.empty(0)
    if values.shape != (2,):
        raise Refused("prior", "be two numbers greater than 0", prior, Code.WRONG_SHAPE)
    return float(values[0]), float(values[1])


@call_hint
@dataclass(frozen=True)
class RatePosterior:
    """Exact posterior of a rate: a mixture of Beta(a + x, b + people - x) over the true counts x.

    It reads a release: the promise stays that of the count, about one person's answer.
    Source: seeman, Theorem 3

    Attributes
    ----------
    people : int; number of people asked
    prior : pair of float; the Beta prior's parameters a and b
    weights : array, shape (people + 1,); posterior probability of each true count
    acceptance : float; share of proposals that Algorithm 1 accepts when it compares a uniform number with the
        likelihood of the observed release over the largest such likelihood of any true count (the printed inequality is
        reversed, and its largest value is taken over the release alone)

    Examples
    --------
    >>> found = RangedCount(people=20, epsilon=50.0).rate_posterior(5)  # hardly any noise: beta(6, 16)
    >>> round(found.mean, 6) == round(6 / 22, 6)
    True
    """

    people: int
    prior: tuple[float, float]
    weights: FloatArray
    acceptance: float

    @property
    def _parameters(self) -> tuple[FloatArray, FloatArray]:
        x = np.arange(self.people + 1, dtype=np.float64)
        return self.prior[0] + x, self.prior[1] + (self.people - x)

    @property
    def mean(self) -> float:
        """Posterior mean of the rate (exact)."""
        a, b = self._parameters
        return float(np.sum(self.weights * a / (a + b)))

    @property
    def variance(self) -> float:
        """Posterior variance of the rate (exact)."""
        a, b = self._parameters
        means = a / (a + b)
        within = means * (1 - means) / (a + b + 1)
        return float(np.sum(self.weights * (within + (means - self.mean) ** 2)))

    def cdf(self, rate: float) -> float:
        """Posterior probability that the rate is at most the given one (exact).

        Source: seeman, Theorem 3, as a mixture of incomplete beta functions

        Parameters
        ----------
        rate : float; a rate in [0, 1]
        """
        a, b = self._parameters
        return min(1.0, float(np.sum(self.weights * betainc(a, b, _checks.number("rate", rate, 0, 1)))))

    def quantile(self, level: float) -> float:
        """Rate below which the posterior puts the given probability (solved by bisection to 1e-12).

        Source: seeman, Theorem 3

        Parameters
        ----------
        level : float; a probability in (0, 1)
        """
        level = _checks.number("level", level, 0, 1, open_low=True, open_high=True)
        low, high = 0.0, 1.0
        while high - low > 1e-12:
            middle = (low + high) / 2
            if self.cdf(middle) < level:
                low = middle
            else:
                high = middle
        return (low + high) / 2


@call_hint
def draw_rate_by_rejection(
    release: RangedCount,
    observed: int,
    *,
    proposals: int,
    seed: int | np.random.Generator,
    prior: tuple[float, float] = (1.0, 1.0),
) -> FloatArray:
    """Accepted rates among simulated proposals: Algorithm 1 with its inequality the right way, for study.

    It reads a release: the promise stays that of the count, about one person's answer. The accepted rates: exact
    independent draws from the posterior; their number is random.
    Source: seeman, Algorithm 1: accept when U is at most the ratio, the numerator at the observed release, the largest
        value over the true count

    Parameters
    ----------
    release : RangedCount; how the count was released
    observed : int; the released value
    proposals : int; number of proposals, from 1 to 10,000,000
    seed : int or numpy.random.Generator; seed of the generator
    prior : pair of float, optional; beta prior's parameters, greater than 0

    Examples
    --------
    >>> rates = draw_rate_by_rejection(RangedCount(people=20, epsilon=0.5), 1, proposals=1000, seed=1)
    >>> 100 < rates.size < 200  # 15 in 100 are accepted
    True
    """
    _checks.kind_of("release", release, RangedCount, "a count such as RangedCount(people=20, epsilon=0.5)")
    proposals = _checks.count("proposals", proposals, 1, 10_000_000)
    generator = _checks.seeded(seed)
    a, b = _prior(prior)
    log_likelihood = release.log_likelihood(observed)
    ratio = np.exp(log_likelihood - log_likelihood.max())
    rates = generator.beta(a, b, proposals)
    counts = generator.binomial(release.people, rates)
    accepted: FloatArray = rates[generator.random(proposals) <= ratio[counts]]
    return accepted
