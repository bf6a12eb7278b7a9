"""Ten questions about a release, with right answers computed from its setting and wrong ones from known misreadings.

The words of the questions belong to who asks them. A wrong answer here is what somebody says who reads the setting in
one of the ways known to be wrong, never a random number; where a misreading happens to give the right answer, in this
setting it is not offered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from scipy.special import ndtri

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.accuracy import count_error
from dpcore.mechanisms import Geometric
from dpcore.rounding import round_down, round_up
from dpcore.semantics import posterior_lower, posterior_upper
from dpcore.trial._inputs import items_of, typed

TRUE_COUNT = 40
"""The count of the question about accuracy."""


class Misreading(StrEnum):
    """Ways to read a setting that are known to be wrong: a closed set; no promise about a secret belongs to it.

    Examples
    --------
    >>> Misreading("nothing_fails") is Misreading.NOTHING_FAILS
    True
    """

    FACTOR_OF_BELIEF = "factor_of_belief"
    """e^epsilon multiplies the belief itself, and not its odds."""
    ADDED_TO_BELIEF = "added_to_belief"
    """"13 in 100" is taken for 13 more."""
    ONLY_RAISES = "only_raises"
    """A release can only raise beliefs."""
    LARGER_PROTECTS = "larger_protects"
    """The larger number is the better protection."""
    ACCURATE_IS_SAFE = "accurate_is_safe"
    """The table that protects better is the more accurate one too."""
    NO_CONNECTION = "no_connection"
    """Accuracy has nothing to do with protection."""
    LARGEST_COUNTS = "largest_counts"
    """Several releases cost what the largest of them costs."""
    MEAN_COUNTS = "mean_counts"
    """Several releases cost what they cost on average."""
    BELIEFS_ADD = "beliefs_add"
    """The beliefs after several releases are added up."""
    FIRST_ONLY = "first_only"
    """After several releases a belief stands where the first one left it."""
    GUESSER_KNOWS = "guesser_knows"
    """The best guesser is always right."""
    GUESSER_LEARNS_NOTHING = "guesser_learns_nothing"
    """The best guesser is right as often as a coin."""
    EXACT = "exact"
    """The number shown is the true one."""
    NOISE_GROWS = "noise_grows"
    """Noise grows with the count, as a sample's error would."""
    NOTHING_FAILS = "nothing_fails"
    """A promise with an exception never fails."""
    ONE_IN_HUNDRED = "one_in_hundred"
    """The exception exposes one person in 100."""
    OUT_IS_SAFE = "out_is_safe"
    """Nothing can be believed about who does not take part."""


@call_hint
@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer and the misreadings that lead to it.

    An answer as a value; no promise about a secret belongs to it.

    Parameters
    ----------
    value : float; as in `Question.answer`
    misreadings : tuple of Misreading; one or several

    Examples
    --------
    >>> WrongAnswer(100, (Misreading.GUESSER_KNOWS,)).value
    100
    """

    value: float
    misreadings: tuple[Misreading, ...]

    def __post_init__(self) -> None:
        _checks.number("value", self.value)
        read = items_of("misreadings", self.misreadings, "be misreadings")
        checked = tuple(_checks.choice("misreadings", one, list(Misreading)) for one in read)
        object.__setattr__(self, "misreadings", checked)


@call_hint
@dataclass(frozen=True)
class Question:
    """One of the ten questions in one setting: its name, its right answer and the wrong ones that are offered.

    A question about a promise in a setting; no promise about a secret belongs to it.

    Parameters
    ----------
    name : str; as in `Setting.answers`
    answer : float; the right answer, as in `Setting.answers`
    wrong : tuple of WrongAnswer; each with a value of its own, none of them right

    Examples
    --------
    >>> asked = Setting(prior=0.5, epsilon=2.0, other=1.0, delta=0.0, releases=2, people=100).questions[6]
    >>> asked.name, asked.answer, [wrong.value for wrong in asked.wrong]
    ('even_guess', 89, [100, 50])
    """

    name: str
    answer: float
    wrong: tuple[WrongAnswer, ...]


def _hundred(share: float) -> float:
    """A share in 100, whole where it is whole."""
    return _plain(float(typed(share) * 100))


def _plain(value: float) -> float:
    return int(value) if value == math.floor(value) else value


def _at_most(prior: float, epsilon: float) -> int:
    return round(100 * round_up(posterior_upper(prior=prior, epsilon=epsilon), 2))


def _at_least(prior: float, epsilon: float) -> int:
    return round(100 * round_down(posterior_lower(prior=prior, epsilon=epsilon), 2))


@call_hint
@dataclass(frozen=True, kw_only=True)
class Setting:
    """What ten questions are about: a belief, two budgets, an exception, several releases, a level and some people.

    The beliefs are about whether one person is in a count of people, for a pure epsilon of adding or removing one
    record; "at most" is rounded up and "at least" down. The count has geometric noise.
    Source: thesis, Corollary 32; ghosh, Definition 2.2
    Source: ours, misreadings written as numbers

    Parameters
    ----------
    prior : float; belief before the release, in [0, 1]
    epsilon, other : float; budgets of the first and the second of two tables, above 0
    delta : float; chance that each person's promise fails, in [0, 1)
    releases : int; how many releases with the first budget there are, at least 1
    people : int; how many have a promise of their own, at least 1
    level : float, optional; how often the number shown lies within its range, in (0, 1)

    Examples
    --------
    >>> asked = Setting(prior=0.05, epsilon=1.0, other=0.5, delta=1e-5, releases=3, people=10_000)
    >>> asked.answers["at_most"], asked.answers["together"], asked.answers["failures"]
    (13, 3.0, 0.1)
    """

    prior: float
    epsilon: float
    other: float
    delta: float
    releases: int
    people: int
    level: float = 0.95

    def __post_init__(self) -> None:
        read = {
            "prior": _checks.number("prior", self.prior, 0.0, 1.0),
            "epsilon": _checks.number("epsilon", self.epsilon, 0.0, open_low=True),
            "other": _checks.number("other", self.other, 0.0, open_low=True),
            "delta": _checks.number("delta", self.delta, 0.0, 1.0, open_high=True),
            "releases": _checks.count("releases", self.releases, 1, 10**9),
            "people": _checks.count("people", self.people, 1, 10**12),
            "level": _checks.number("level", self.level, 0.0, 1.0, open_low=True, open_high=True),
        }
        for name, value in read.items():
            object.__setattr__(self, name, value)
        _checks.number("epsilon of all releases", typed(self.epsilon) * self.releases)

    @property
    def answers(self) -> dict[str, float]:
        """The right answers, by the name of the question; beliefs and shares in 100.

        `at_most`, `at_least`: the belief after one release; `stronger`, `more_accurate`: 1 for the first table, 2 for
        the second, 0 for neither; `together`: the budget of all releases; `after_all`: the belief after them, at most;
        `even_guess`: how often the best guess about an even bet is right, at most; `half_width`: how far a number shown
        is from the true count, at the level; `failures`: how many promises fail on average, at most; `not_in`: what her
        own record lets anybody believe about a person who does not take part, where her presence is the secret.
        """
        second = (self.other < self.epsilon) - (self.other > self.epsilon)
        together = float(typed(self.epsilon) * self.releases)
        return {
            "at_most": _at_most(self.prior, self.epsilon),
            "at_least": _at_least(self.prior, self.epsilon),
            "stronger": {1: 2, 0: 0, -1: 1}[second],
            "more_accurate": {1: 1, 0: 0, -1: 2}[second],
            "together": together,
            "after_all": _at_most(self.prior, together),
            "even_guess": _at_most(0.5, self.epsilon),
            "half_width": int(count_error(Geometric(epsilon=self.epsilon), level=self.level).half_width),
            "failures": float(typed(self.delta) * self.people),
            "not_in": _hundred(self.prior),
        }

    @property
    def questions(self) -> tuple[Question, ...]:
        """The ten questions in their order, each with the wrong answers that its misreadings give."""
        answers, misread = self.answers, self._misread()
        return tuple(Question(name, answer, _offered(answer, misread[name])) for name, answer in answers.items())

    def _misread(self) -> dict[str, dict[Misreading, float]]:
        """What each misreading answers; a belief of 100 in 100 or more is kept at 100."""
        answers, before = self.answers, _hundred(self.prior)
        factor = math.exp(min(self.epsilon, 700.0))
        sampling = -float(ndtri((1.0 - self.level) / 2)) * math.sqrt(TRUE_COUNT)
        most = answers["at_most"]
        return {
            "at_most": {
                Misreading.FACTOR_OF_BELIEF: _belief(math.ceil(min(before * factor, 100.0))),
                Misreading.ADDED_TO_BELIEF: _belief(before + most),
            },
            "at_least": {Misreading.ONLY_RAISES: before},
            "stronger": {Misreading.LARGER_PROTECTS: answers["more_accurate"]},
            "more_accurate": {
                Misreading.ACCURATE_IS_SAFE: answers["stronger"],
                Misreading.NO_CONNECTION: 0,
            },
            "together": {Misreading.LARGEST_COUNTS: self.epsilon, Misreading.MEAN_COUNTS: self.epsilon},
            "after_all": {Misreading.BELIEFS_ADD: _belief(self.releases * most), Misreading.FIRST_ONLY: most},
            "even_guess": {Misreading.GUESSER_KNOWS: 100, Misreading.GUESSER_LEARNS_NOTHING: 50},
            "half_width": {Misreading.EXACT: 0, Misreading.NOISE_GROWS: math.ceil(sampling)},
            "failures": {Misreading.NOTHING_FAILS: 0, Misreading.ONE_IN_HUNDRED: self.people / 100},
            "not_in": {Misreading.OUT_IS_SAFE: 0},
        }


def _belief(hundredths: float) -> float:
    return min(hundredths, 100)


def _offered(answer: float, misread: dict[Misreading, float]) -> tuple[WrongAnswer, ...]:
    """The different wrong values, each with all misreadings that lead to it."""
    reasons: dict[float, list[Misreading]] = {}
    for misreading, value in misread.items():
        if value != answer:
            reasons.setdefault(value, []).append(misreading)
    return tuple(WrongAnswer(value, tuple(found)) for value, found in reasons.items())
