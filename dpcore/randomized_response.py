"""A survey with coins: forced answers and true ones, what one answer tells, and the share of yes behind all of them.

Each person's coins decide whether they must say yes, must say no, or answer truly. Whoever collects the answers sees
only what was said: the promise is local, its secret is a person's answer, and that they took part is known. The share
of the people asked is a whole number of them and its posterior is exact; the share of a population of which they are a
random sample has a mixture of beta laws, exact too.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, NamedTuple, get_args, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, betainc, betaincinv, gammaln, logsumexp, xlogy

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.guarantees import PureDP, Relation
from dpcore.mechanisms import RandomizedResponse
from dpcore.mechanisms.losses import IntArray
from dpcore.promise import Promise, Secret, Unit

LARGEST_SURVEY = 2_000
"""Most people of a survey: its laws are tables with a row for each true count and a column for each count said."""

IntervalKind = Literal["posterior", "guaranteed"]
INTERVALS: tuple[IntervalKind, ...] = get_args(IntervalKind)

_ROWS_AT_ONCE = 64


@call_hint
@dataclass(frozen=True)
class RandomizedAnswer:
    """How the coins of one person answer a question: a forced yes, a forced no, or the truth.

    The promise is about one person's answer, exchanged for the other; that they took part is visible.
    Source: dwork_roth, section 3.2; ours, unequal probabilities

    Parameters
    ----------
    forced_yes : float; probability of a yes whatever the truth, in [0, 1]
    forced_no : float; probability of a no whatever the truth, in [0, 1]; both together at most 1

    Examples
    --------
    >>> coins = RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4)  # heads: the truth; tails: what a second coin says
    >>> round(coins.epsilon, 6), round(coins.belief_after_yes(0.5), 9)  # log 3
    (1.098612, 0.75)
    """

    _: KW_ONLY
    forced_yes: float
    forced_no: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "forced_yes", _checks.number("forced_yes", self.forced_yes, 0.0, 1.0))
        object.__setattr__(self, "forced_no", _checks.number("forced_no", self.forced_no, 0.0, 1.0))
        if self.forced_yes + self.forced_no > 1.0:
            raise Refused(
                "forced_yes and forced_no",
                "be at most 1 together",
                (self.forced_yes, self.forced_no),
                Code.INCONSISTENT,
                got=f"{self.forced_yes + self.forced_no!r}",
            )

    @classmethod
    def of(cls, mechanism: RandomizedResponse) -> RandomizedAnswer:
        """The coins of randomised response to a question with two answers."""
        _checks.kind_of("mechanism", mechanism, RandomizedResponse, "RandomizedResponse with two categories")
        if mechanism.categories != 2:
            raise Refused("categories", "be 2 for a yes or a no", mechanism.categories, Code.UNSUPPORTED)
        return cls(forced_yes=mechanism.probability_other, forced_no=mechanism.probability_other)

    @property
    def truthful(self) -> float:
        """Probability that the coins ask for the truth."""
        left = 1.0 - self.forced_yes - self.forced_no
        return left if left > 2.0**-52 else 0.0  # 0.7 and 0.3 leave 6e-17 by rounding

    @property
    def log_odds_of_yes(self) -> float:
        """How far a yes moves the log odds of every belief that the truth is yes; inf where only a true yes says so."""
        if self.truthful == 0.0:
            return 0.0
        if self.forced_yes == 0.0:
            return math.inf
        return math.log1p(self.truthful / self.forced_yes)

    @property
    def log_odds_of_no(self) -> float:
        """How far a no moves the log odds of every belief that the truth is yes; at most 0."""
        if self.truthful == 0.0:
            return 0.0
        if self.forced_no == 0.0:
            return -math.inf
        return -math.log1p(self.truthful / self.forced_no)

    @property
    def epsilon(self) -> float:
        """Epsilon of one answer: the larger of the two shifts; inf where an answer can give a person away."""
        return max(self.log_odds_of_yes, -self.log_odds_of_no)

    @property
    def guarantee(self) -> PureDP:
        """Pure DP of one answer when a truth is replaced by the other; refused where epsilon is infinite."""
        return PureDP(epsilon=self.epsilon, relation=Relation.REPLACE)

    def promise(self, *, answers: int = 1) -> Promise:
        """The promise of the survey: what a person answered, though all see that they took part; so many answers."""
        group = _checks.count("answers", answers, 1)
        return Promise(secret=Secret.ANSWER, relation=Relation.REPLACE, unit=Unit.PERSON, group=group)

    @overload
    def said_yes(self, share: Number) -> float: ...
    @overload
    def said_yes(self, share: ArrayLike) -> FloatArray: ...
    def said_yes(self, share: ArrayLike) -> Any:
        """Probability of a yes from somebody whose truth is yes with this probability."""
        truth = _checks.probability("share", share)
        return _checks.scalar_or_array(np.asarray(self.forced_yes + self.truthful * truth), share)

    @overload
    def belief_after_yes(self, prior: Number) -> float: ...
    @overload
    def belief_after_yes(self, prior: ArrayLike) -> FloatArray: ...
    def belief_after_yes(self, prior: ArrayLike) -> Any:
        """Belief that a person's truth is yes after their yes, for a belief before in [0, 1]; exact."""
        return self._belief(prior, 1.0 - self.forced_no, self.forced_yes, "yes")

    @overload
    def belief_after_no(self, prior: Number) -> float: ...
    @overload
    def belief_after_no(self, prior: ArrayLike) -> FloatArray: ...
    def belief_after_no(self, prior: ArrayLike) -> Any:
        """Belief that a person's truth is yes after their no, for a belief before in [0, 1]; exact."""
        return self._belief(prior, self.forced_no, 1.0 - self.forced_yes, "no")

    def _belief(self, prior: ArrayLike, if_yes: float, if_no: float, said: str) -> Any:
        before = _checks.probability("prior", prior)
        yes, no = before * if_yes, (1.0 - before) * if_no
        never = yes + no == 0.0
        if never.any():
            raise Refused("prior", f"let a {said} happen", float(before[never].flat[0]), Code.INFEASIBLE)
        return _checks.scalar_or_array(np.asarray(yes / (yes + no)), prior)

    def estimate(self, *, people: int, said_yes: int) -> float:
        """Unbiased estimate of the share of yes among the people asked: the coins taken out again.

        It can lie below 0 or above 1. Refused where the coins never ask for the truth.
        """
        asked = _survey(people)
        yes = _checks.count("said_yes", said_yes, 0, asked)
        return (yes / asked - self.forced_yes) / self._some_truth()

    @overload
    def estimate_std(self, share: Number, *, people: int) -> float: ...
    @overload
    def estimate_std(self, share: ArrayLike, *, people: int) -> FloatArray: ...
    def estimate_std(self, share: ArrayLike, *, people: int) -> Any:
        """Standard deviation of the estimate over the coins alone, when this share of the people asked is a yes."""
        true, asked = _checks.probability("share", share), _survey(people)
        spread = true * self.forced_no * (1.0 - self.forced_no) + (1.0 - true) * self.forced_yes * (
            1.0 - self.forced_yes
        )
        return _checks.scalar_or_array(np.asarray(np.sqrt(spread / asked) / self._some_truth()), share)

    def so_few_if_none(self, *, people: int, said_yes: int) -> float:
        """Probability that so few or fewer say yes when nobody's truth is yes: the most for any number of true yeses.

        Examples
        --------
        >>> RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4).so_few_if_none(people=2, said_yes=0)  # 3/4 of 3/4
        0.5625
        """
        asked = _survey(people)
        return float(bdtr(_checks.count("said_yes", said_yes, 0, asked), asked, self.forced_yes))

    def so_many_if_all(self, *, people: int, said_yes: int) -> float:
        """Probability that so many or more say yes when everybody's truth is yes: the most for any such number.

        Examples
        --------
        >>> RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4).so_many_if_all(
        ...     people=2, said_yes=1
        ... )  # 1 less 1/4 of 1/4
        0.9375
        """
        asked = _survey(people)
        return float(bdtr(asked - _checks.count("said_yes", said_yes, 0, asked), asked, self.forced_no))

    def _some_truth(self) -> float:
        if self.truthful == 0.0:
            raise Refused(
                "forced_yes and forced_no",
                "leave some truth: below 1 together",
                (self.forced_yes, self.forced_no),
                Code.INFEASIBLE,
                got="1",
            )
        return self.truthful

    def simulate_answers(self, truth: ArrayLike, *, seed: int | np.random.Generator) -> IntArray:
        """Seeded answers, 1 for yes and 0 for no, of people whose truth is 1 or 0; for teaching, not for release."""
        answers = np.asarray(_checks.array("truth", truth))
        if not np.isin(answers, (0.0, 1.0)).all():
            wrong = float(answers[~np.isin(answers, (0.0, 1.0))].flat[0])
            raise Refused("truth", "be 0 or 1", wrong, Code.OUT_OF_RANGE)
        coins = _checks.seeded(seed).random(answers.shape)
        forced = np.where(coins < self.forced_yes, 1, np.where(coins >= 1.0 - self.forced_no, 0, answers))
        return np.asarray(forced, dtype=np.int64)


def _coins(answer: RandomizedAnswer) -> None:
    _checks.kind_of("answer", answer, RandomizedAnswer, "a RandomizedAnswer")


def _survey(people: int) -> int:
    return _checks.count("people", people, 1, LARGEST_SURVEY)


class ShareInterval(NamedTuple):
    """A range of shares, both ends included.

    It is about the share of yes among all: the promise about one person's answer is that of the coins.

    Examples
    --------
    >>> ShareInterval(low=0.25, high=0.5).low
    0.25
    """

    low: float
    high: float


def _log_likelihood(answer: RandomizedAnswer, people: int, said_yes: int) -> FloatArray:
    """log P[said yes | true yes] for 0 … people true ones: true ones who say yes, and others who do, add up."""
    true, others = np.arange(people + 1.0), people - np.arange(people + 1.0)
    found = np.empty(people + 1)
    for begin in range(0, people + 1, _ROWS_AT_ONCE):
        k, rest = true[begin : begin + _ROWS_AT_ONCE, None], others[begin : begin + _ROWS_AT_ONCE, None]
        kept = np.arange(said_yes + 1.0)  # those with a true yes who say yes
        forced = said_yes - kept
        possible = (kept <= k) & (forced <= rest)
        lost, left = np.where(possible, k - kept, 0.0), np.where(possible, rest - forced, 0.0)
        terms = (
            gammaln(k + 1) - gammaln(kept + 1) - gammaln(lost + 1) + gammaln(rest + 1) - gammaln(forced + 1)
        ) - gammaln(left + 1)
        terms = terms + xlogy(kept, 1.0 - answer.forced_no) + xlogy(lost, answer.forced_no)
        terms = terms + xlogy(forced, answer.forced_yes) + xlogy(left, 1.0 - answer.forced_yes)
        found[begin : begin + _ROWS_AT_ONCE] = logsumexp(np.where(possible, terms, -np.inf), axis=1)
    return found


def _log_prior(people: int, prior_yes: float, prior_no: float) -> FloatArray:
    """log probability of each true count when the share has a beta law."""
    k = np.arange(people + 1.0)
    choices = gammaln(people + 1.0) - gammaln(k + 1) - gammaln(people - k + 1)
    # as rising factorials: beta functions cancel where the prior is strong
    up, down = np.cumsum(np.log(prior_yes + k)), np.cumsum(np.log(prior_no + k))
    both = np.log(prior_yes + prior_no + k[:-1]).sum()
    return np.asarray(choices + np.append(0.0, up[:-1]) + np.append(down[-2::-1], 0.0) - both)


@call_hint
@dataclass(frozen=True, kw_only=True)
class SharePosterior:
    """Exact posterior of the share of yes after a survey with coins.

    It is about the share of yes among all: the promise about one person's answer is that of the coins. Assumes that
    everybody follows the coins, and answers once: several answers of one person are several releases. Methods with
    `count` are about the people asked, those with `share` about a population of which they are a random sample. About
    accuracy: what one answer says about one person is said by the beliefs of `RandomizedAnswer`.
    Source: ours, enumeration of the coins; a mixture of beta laws for the population

    Parameters
    ----------
    answer : RandomizedAnswer; the coins, the same for everybody
    people : int; how many answered, once each, from 1 to 2000
    said_yes : int; how many said yes
    prior_yes, prior_no : float; the beta law of the share before, both above 0; 1 and 1 is the flat one

    Examples
    --------
    >>> coins = RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4)
    >>> one = SharePosterior(answer=coins, people=1, said_yes=1)
    >>> one.count_probabilities.round(9)  # one person, yes and no equally likely before: the belief after their yes
    array([0.25, 0.75])
    >>> SharePosterior(answer=coins, people=30, said_yes=12).count_interval(0.95)
    ShareInterval(low=0.03333333333333333, high=0.6333333333333333)
    """

    answer: RandomizedAnswer
    people: int
    said_yes: int
    prior_yes: float = 1.0
    prior_no: float = 1.0
    _log_pmf: FloatArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _coins(self.answer)
        object.__setattr__(self, "people", _survey(self.people))
        object.__setattr__(self, "said_yes", _checks.count("said_yes", self.said_yes, 0, self.people))
        for name in ("prior_yes", "prior_no"):
            object.__setattr__(self, name, _checks.number(name, getattr(self, name), 0.0, open_low=True))
        likelihood = _log_likelihood(self.answer, self.people, self.said_yes)
        if np.isneginf(likelihood).all():
            raise Refused("said_yes", "be possible with these coins", self.said_yes, Code.INFEASIBLE)
        joint = likelihood + _log_prior(self.people, self.prior_yes, self.prior_no)
        object.__setattr__(self, "_log_pmf", joint - logsumexp(joint))

    @property
    def count_probabilities(self) -> FloatArray:
        """Probability of each number of people, from nobody to all, whose truth is yes."""
        return np.asarray(np.exp(self._log_pmf))

    @property
    def count_mean(self) -> float:
        """Mean share of yes among the people asked."""
        return float(self.count_probabilities @ np.arange(self.people + 1)) / self.people

    def count_interval(self, level: float = 0.95) -> ShareInterval:
        """Range that holds the share among the people asked with at least the level, in (0, 1).

        Ends are counts over people; below and above it lies at most half of 1 - level each.
        """
        low, high = _middle_counts(self.count_probabilities[None], _level(level))
        return ShareInterval(float(low[0]) / self.people, float(high[0]) / self.people)

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Weights and the two parameters of the beta laws."""
        k = np.arange(self.people + 1.0)
        return self.count_probabilities, self.prior_yes + k, self.prior_no + self.people - k

    @property
    def share_mean(self) -> float:
        """Mean share of yes in the population."""
        weight, yes, no = self._parts
        return min(float(weight @ (yes / (yes + no))), 1.0)

    @overload
    def share_cdf(self, share: Number) -> float: ...
    @overload
    def share_cdf(self, share: ArrayLike) -> FloatArray: ...
    def share_cdf(self, share: ArrayLike) -> Any:
        """Probability that the share of the population is at most this one."""
        at = _checks.probability("share", share)
        weight, yes, no = self._parts
        return _checks.scalar_or_array(np.asarray(betainc(yes, no, at[..., None]) @ weight), share)

    def share_quantile(self, level: float) -> float:
        """Share of the population below which lies this probability, in (0, 1)."""
        wanted = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
        low, high = 0.0, 1.0
        while high - low > 1e-14 and low < (middle := (low + high) / 2) < high:
            low, high = (middle, high) if self.share_cdf(middle) < wanted else (low, middle)
        return high

    def share_interval(self, level: float = 0.95) -> ShareInterval:
        """Range that holds the share of the population with the level, in (0, 1): as much below it as above."""
        outside = (1.0 - _level(level)) / 2
        return ShareInterval(self.share_quantile(outside), self.share_quantile(1.0 - outside))


def _level(level: float) -> float:
    return _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)


def _middle_counts(probabilities: FloatArray, level: float) -> tuple[IntArray, IntArray]:
    """Ends of the counts left when at most half of 1 - level is taken away at each end; a row a law."""
    most = (1.0 - level) / 2 * (1.0 + 1e-12)
    low = (np.cumsum(probabilities, axis=1) <= most).sum(axis=1)
    above = (np.cumsum(probabilities[:, ::-1], axis=1) <= most).sum(axis=1)
    last = probabilities.shape[1] - 1
    low, high = np.minimum(low, last), np.maximum(last - above, 0)
    return np.minimum(low, high), np.maximum(low, high)  # next to no level is left between the middle's two neighbours


def _likelihoods(answer: RandomizedAnswer, people: int) -> FloatArray:
    """P[said yes | true yes]: a row for each true count, a column for each count said."""
    table = np.empty((people + 1, people + 1))
    for true in range(people + 1):
        ours, others = (_binomial(true, 1.0 - answer.forced_no), _binomial(people - true, answer.forced_yes))
        table[true] = np.convolve(ours, others)
    return table


def _binomial(trials: int, probability: float) -> FloatArray:
    k = np.arange(trials + 1.0)
    choices = gammaln(trials + 1.0) - gammaln(k + 1) - gammaln(trials - k + 1)
    return np.asarray(np.exp(choices + xlogy(k, probability) + xlogy(trials - k, 1.0 - probability)))


def _flat_posteriors(likelihoods: FloatArray) -> FloatArray:
    """Law of the true count, a row for each count said, when all true counts are equally likely before."""
    mass = likelihoods.sum(axis=0)
    return np.asarray((likelihoods / np.where(mass > 0.0, mass, 1.0)).T)


@call_hint
def guaranteed_interval(
    answer: RandomizedAnswer, *, people: int, said_yes: int, level: float = 0.95, of_population: bool = False
) -> ShareInterval:
    """Range of the share of yes that holds the true one at least as often as the level says, whatever it is.

    It is about the share of yes among all: the promise about one person's answer is that of the coins. All shares for
    which neither so few nor so many yeses has a probability below (1 - level)/2; where there is none, the nearest. It
    holds the true share with at least the level, whatever it is; no prior is needed.
    Source: ours, the exact tests of each share turned round

    Parameters
    ----------
    answer : RandomizedAnswer; the coins
    people : int; how many answered, from 1 to 2000
    said_yes : int; how many said yes
    level : float, optional; in (0, 1)
    of_population : bool, optional; whether the share is that of a population of which the people are a random sample,
        instead of theirs

    Examples
    --------
    >>> coins = RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4)
    >>> guaranteed_interval(coins, people=2, said_yes=2, level=0.8)  # nobody true: 2 yeses in 1 of 16, below 0.1
    ShareInterval(low=0.5, high=1.0)
    """
    _coins(answer)
    asked = _survey(people)
    yes, wanted = _checks.count("said_yes", said_yes, 0, asked), _level(level)
    if of_population:
        low, high = _guaranteed_shares(answer, asked, wanted)
        return ShareInterval(float(low[yes]), float(high[yes]))
    least, most = _guaranteed_counts(_likelihoods(answer, asked), wanted)
    return ShareInterval(float(least[yes]) / asked, float(most[yes]) / asked)


def _guaranteed_counts(likelihoods: FloatArray, level: float) -> tuple[IntArray, IntArray]:
    """Ends, for each count said, of the true counts that no test refuses; more true yeses say yes more often."""
    last, most = likelihoods.shape[0] - 1, (1.0 - level) / 2 * (1.0 - 1e-12)
    at_least = np.cumsum(likelihoods[:, ::-1], axis=1)[:, ::-1]
    at_most = np.cumsum(likelihoods, axis=1)
    low = np.minimum((at_least <= most).sum(axis=0), last)
    high = np.maximum(last - (at_most <= most).sum(axis=0), 0)
    # tests so strict that no count passes leave its two neighbours
    return np.minimum(low, high), np.maximum(low, high)


def _guaranteed_shares(answer: RandomizedAnswer, people: int, level: float) -> tuple[FloatArray, FloatArray]:
    """The same for a population: the exact range of the probability of a yes, with the coins taken out."""
    truth, outside, yes = answer._some_truth(), (1.0 - level) / 2, np.arange(people + 1.0)
    low, high = np.zeros(people + 1), np.ones(people + 1)
    low[1:] = betaincinv(yes[1:], people - yes[1:] + 1, outside)
    high[:-1] = betaincinv(yes[:-1] + 1, people - yes[:-1], 1.0 - outside)
    ends = [np.clip((end - answer.forced_yes) / truth, 0.0, 1.0) for end in (low, high)]
    return ends[0], ends[1]


@call_hint
def count_coverage(
    answer: RandomizedAnswer, *, people: int, level: float = 0.95, interval: IntervalKind = "posterior"
) -> FloatArray:
    """How often the range of a survey holds the true share of the people asked, for each true share.

    It is about the share of yes among all: the promise about one person's answer is that of the coins. Probability over
    the coins for 0, 1, …, people true yeses; exact. The posterior's range reaches its level on average over its prior
    and not at every share; the guaranteed one at every share.
    Source: ours, enumeration of all counts that can be said

    Parameters
    ----------
    answer : RandomizedAnswer; the coins
    people : int; how many answer, from 1 to 2000
    level : float, optional; of the range, in (0, 1)
    interval : {"posterior", "guaranteed"}; `SharePosterior.count_interval` with the flat prior, or
        `guaranteed_interval`

    Examples
    --------
    >>> coins = RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4)
    >>> [round(float(count_coverage(coins, people=40, interval=kind).min()), 4) for kind in INTERVALS]
    [0.9456, 0.9567]
    """
    _coins(answer)
    asked, wanted, kind = _survey(people), _level(level), _checks.choice("interval", interval, INTERVALS)
    likelihoods = _likelihoods(answer, asked)
    if kind == "guaranteed":
        low, high = _guaranteed_counts(likelihoods, wanted)
    else:
        low, high = _middle_counts(_flat_posteriors(likelihoods), wanted)
    true = np.arange(asked + 1)[:, None]
    return np.asarray((likelihoods * ((low <= true) & (true <= high))).sum(axis=1))


@overload
def share_coverage(
    answer: RandomizedAnswer, share: Number, *, people: int, level: float = ..., interval: IntervalKind = ...
) -> float: ...
@overload
def share_coverage(
    answer: RandomizedAnswer, share: ArrayLike, *, people: int, level: float = ..., interval: IntervalKind = ...
) -> FloatArray: ...
@call_hint
def share_coverage(
    answer: RandomizedAnswer,
    share: ArrayLike,
    *,
    people: int,
    level: float = 0.95,
    interval: IntervalKind = "posterior",
) -> Any:
    """How often the range of a survey holds the share of a population, over the sample and the coins.

    It is about the share of yes among all: the promise about one person's answer is that of the coins. Exact: a sum
    over all counts that can be said.
    Source: ours, enumeration of all counts that can be said

    Parameters
    ----------
    answer : RandomizedAnswer; the coins
    share : array_like; true share of the population, in [0, 1]
    people : int; how many answer, a random sample of the population, from 1 to 2000
    level : float, optional; of the range, in (0, 1)
    interval : {"posterior", "guaranteed"}; `SharePosterior.share_interval` with the flat prior, or
        `guaranteed_interval` of the population

    Examples
    --------
    >>> coins = RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4)
    >>> bool(share_coverage(coins, [0.0, 0.3, 1.0], people=40, interval="guaranteed").min() >= 0.95)
    True
    """
    _coins(answer)
    true = _checks.probability("share", share)
    asked, wanted, kind = _survey(people), _level(level), _checks.choice("interval", interval, INTERVALS)
    slack = 1e-12  # the compared values are rounded, so a share at an end counts as inside
    if kind == "guaranteed":
        low, high = _guaranteed_shares(answer, asked, wanted)
        held = (low - slack <= true[..., None]) & (true[..., None] <= high + slack)
    else:
        k, outside = np.arange(asked + 1.0), (1.0 - wanted) / 2
        below = betainc(k + 1.0, asked - k + 1.0, true[..., None]) @ _flat_posteriors(_likelihoods(answer, asked)).T
        held = (below >= outside - slack) & (below <= 1.0 - outside + slack)
    chance = np.stack([_binomial(asked, p) for p in np.ravel(answer.said_yes(true)).tolist()])
    return _checks.scalar_or_array((chance.reshape(*true.shape, asked + 1) * held).sum(axis=-1), share)
