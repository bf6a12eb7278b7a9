"""What a profile implies: the epsilon, the prior that decides it, and how sure the number is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.profiles.point import epsilon_from_shift, reachable_posterior, shift_from_ratio, weights
from dpcore.rounding import round_down
from dpcore.semantics import relative_risk_upper


class Status(StrEnum):
    """What kind of answer a profile has.

    A part of an answer about a profile: no promise by itself.

    Examples
    --------
    >>> from dpcore.profiles import Constant
    >>> Constant(1, value_prior=1.0).implied_epsilon().status
    <Status.ZERO_BUDGET: 'zero budget'>
    """

    BINDS = "binds"
    ZERO_BUDGET = "zero budget"
    BINDS_NOTHING = "binds nothing"


class Certainty(StrEnum):
    """How the number was found: exactly, between certified bounds, or by sampling (then it may be too large).

    A part of an answer about a profile: no promise by itself.

    Examples
    --------
    >>> from dpcore.profiles import Constant
    >>> Constant(2, value_prior=1.0).implied_epsilon().certainty
    <Certainty.EXACT: 'exact'>
    """

    EXACT = "exact"
    BRACKET = "certified bracket"
    ESTIMATE = "estimate"


class Axis(StrEnum):
    """Which belief varies along a profile.

    A part of an answer about a profile: no promise by itself.

    Examples
    --------
    >>> from dpcore.profiles import Constant
    >>> Constant(2, value_prior=1.0).axis, Constant(2, membership_prior=1.0).axis
    (<Axis.MEMBERSHIP: 'membership'>, <Axis.VALUE: 'value'>)
    """

    MEMBERSHIP = "membership"
    VALUE = "value"
    BOTH = "both"


class InfeasibleProfile(Refused):
    """A profile that asks for a posterior below the prior, which no release can promise.

    A part of an answer about a profile: no promise by itself. Attributes `membership_prior`, `value_prior` and `value`
    (the offending ratio, cap or increase) say where.

    Examples
    --------
    >>> from dpcore.profiles import DrawnLine, InfeasibleProfile
    >>> try:
    ...     DrawnLine([(0.1, 0.3), (0.5, 0.4)], along="membership")
    ... except InfeasibleProfile as refusal:
    ...     print(refusal.membership_prior, refusal.value)
    0.5 0.4
    """

    def __init__(
        self,
        name: str,
        rule: str,
        value: float,
        *,
        membership_prior: float,
        value_prior: float,
        got: str | None = None,
    ) -> None:
        super().__init__(name, rule, value, Code.INFEASIBLE, got=got)
        self.membership_prior = membership_prior
        self.value_prior = value_prior


@dataclass(frozen=True)
class Place:
    """A prior: P[target in the data] and P[value in S | in]; `prior` is their product.

    A part of an answer about a profile: no promise by itself.

    Examples
    --------
    >>> Place(membership_prior=0.5, value_prior=0.1).prior
    0.05
    """

    membership_prior: float
    value_prior: float

    @property
    def prior(self) -> float:
        """Prior probability of the disclosure, p q."""
        return self.membership_prior * self.value_prior


class Candidates(NamedTuple):
    """Places among which the smallest epsilon of a profile is certain to be.

    A part of an answer about a profile: no promise by itself. `shift` is the log-odds shift the profile allows there,
    `attained` is False where the place is only approached (a limit), `strictest` the smallest posterior / prior the
    profile allows anywhere.
    """

    membership_prior: FloatArray
    value_prior: FloatArray
    shift: FloatArray
    attained: NDArray[np.bool_]
    strictest: float
    formula: str


class Profile(Protocol):
    """What `ImpliedEpsilon` needs of a profile.

    A part of an answer about a profile: no promise by itself.
    """

    @property
    def axis(self) -> Axis:
        """Which belief varies."""

    @property
    def fixed(self) -> float | None:
        """The belief that does not vary."""

    def highest_posterior(self, prior: ArrayLike, value_prior: ArrayLike | None = None) -> Any:
        """Highest acceptable posterior at each prior."""

    def largest_epsilon(
        self, prior: ArrayLike, value_prior: ArrayLike | None = None, *, value_exponent: float = 2.0
    ) -> Any:
        """Largest epsilon at each prior."""


@dataclass(frozen=True)
class ImpliedEpsilon:
    """The largest epsilon that keeps every attacker under a profile, and where it is decided.

    The promise is pure epsilon-DP for one record, about the secret that the profile's priors name.

    Attributes
    ----------
    epsilon : float; the infimum over the profile of the largest epsilon at each prior; unrounded. For a bracket, its
        upper end.
    lower : float; what is certain: equal to `epsilon` when exact, the certified lower end of a bracket, 0 for an
        estimate
    certainty : Certainty; exact, certified bracket, or estimate
    status : Status; binds; zero budget (the profile touches the prior); binds nothing (epsilon is infinite)
    binding : Place or None; the prior that decides; None when nothing binds
    attained : bool; false when the infimum is only approached at `binding` (an open end, a posterior that tends to 1)
    formula : str; which result gave the number, as a key: "theorem_10", "theorem_11", "segment_minimum", ...
    strictest_ratio : float; smallest posterior / prior the profile accepts anywhere
    value_exponent : float; 2 for any mechanism, 1 for one plain count

    Examples
    --------
    >>> from dpcore.profiles import CapOrRatio
    >>> answer = CapOrRatio(cap=0.25, ratio=3, value_prior=1.0).implied_epsilon()
    >>> answer.recommended, round(answer.binding.prior, 4), round(answer.reachable(answer.binding.prior), 12)
    (1.29, 0.0833, 0.25)
    """

    epsilon: float
    lower: float
    certainty: Certainty
    status: Status
    binding: Place | None
    attained: bool
    formula: str
    strictest_ratio: float
    value_exponent: float
    profile: Profile = field(repr=False, compare=False)

    @property
    def recommended(self) -> float:
        """The epsilon to recommend: the certain value rounded down, to two decimals or two significant digits.

        An estimate is certain of nothing and recommends 0.
        """
        if self.lower <= 0.0 or math.isinf(self.lower):
            return self.lower
        return round_down(self.lower, max(2, 1 - math.floor(math.log10(self.lower))))

    @property
    def baseline(self) -> float:
        """Budget of the constant profile at the strictest ratio, asked about the same beliefs and kind of release.

        log(ratio) / 2 over both beliefs for any mechanism (Theorem 10), log(ratio) for membership alone and for one
        plain count: never above `epsilon`, which would compare different questions.
        """
        if not self.strictest_ratio < math.inf:
            return math.inf
        membership, value = self._extreme_beliefs
        shift = shift_from_ratio(membership, value, np.array(max(self.strictest_ratio, 1.0)))
        return float(epsilon_from_shift(shift, *weights(membership, value), self.value_exponent).min())

    @property
    def _extreme_beliefs(self) -> tuple[FloatArray, FloatArray]:
        """The beliefs about membership and value at the ends of what the profile is asked about."""
        beliefs = dict.fromkeys((Axis.MEMBERSHIP, Axis.VALUE), (0.0, 1.0))
        if self.profile.fixed is not None:
            held = Axis.MEMBERSHIP if self.profile.axis is Axis.VALUE else Axis.VALUE
            beliefs[held] = (self.profile.fixed, self.profile.fixed)
        membership, value = np.meshgrid(beliefs[Axis.MEMBERSHIP], beliefs[Axis.VALUE])
        return membership.ravel(), value.ravel()

    def largest_ratio(self, *, epsilon: float | None = None) -> float:
        """Largest posterior / prior that any belief the profile is asked about reaches at this epsilon (or another).

        The smallest of the bilinear weights of Theorem 4 lies at an end of each belief; approached there, where the
        belief is 0. Beliefs of which the profile requires nothing count too.

        Examples
        --------
        >>> from dpcore.profiles import Constant
        >>> answer = Constant(3, value_prior=1.0).implied_epsilon()
        >>> round(answer.largest_ratio(), 12), round(answer.largest_ratio(epsilon=math.log(2)), 12)
        (3.0, 2.0)
        """
        membership, value = self._extreme_beliefs
        asked = self.epsilon if epsilon is None else epsilon
        if asked == math.inf:  # what no epsilon protects from: the value, at exponent 0
            kept = membership if self.value_exponent == 0.0 else membership * value
            with np.errstate(divide="ignore"):
                return float(np.max(1.0 / kept))
        ratios = relative_risk_upper(
            membership_prior=membership,
            value_prior=value,
            epsilon=asked,
            value_exponent=self.value_exponent,
        )
        return float(np.max(ratios))

    @property
    def gain(self) -> float:
        """How much budget the profile gains over the baseline, at most: of a bracket its upper end is compared."""
        if math.isinf(self.epsilon) or math.isinf(self.baseline):
            return math.inf
        return self.epsilon - self.baseline

    def largest_epsilon(self, prior: ArrayLike, value_prior: ArrayLike | None = None) -> Any:
        """Largest epsilon each prior along the profile would allow; infinite where nothing is required."""
        return self.profile.largest_epsilon(prior, value_prior, value_exponent=self.value_exponent)

    def reachable(self, prior: ArrayLike, value_prior: ArrayLike | None = None, *, epsilon: float | None = None) -> Any:
        """Largest posterior an attacker reaches at this epsilon (or another), along the profile (Theorem 4)."""
        membership, value = places_along(self.profile, prior, value_prior)
        return reachable_posterior(
            membership_prior=membership,
            value_prior=value,
            epsilon=self.epsilon if epsilon is None else epsilon,
            value_exponent=self.value_exponent,
        )


def places_along(profile: Profile, prior: ArrayLike, value_prior: ArrayLike | None) -> tuple[Any, Any]:
    """The pair (membership prior, value prior) for a coordinate along a line, or for both coordinates.

    A part of an answer about a profile: no promise by itself.
    """
    if profile.axis is Axis.BOTH:
        if value_prior is None:
            raise Refused(
                "value_prior",
                "be given for a profile over both beliefs",
                value_prior,
                Code.INCONSISTENT,
                got="",
            )
        return prior, value_prior
    if value_prior is not None:
        raise Refused(
            "value_prior",
            "be left out for a profile along one belief",
            value_prior,
            Code.INCONSISTENT,
            got="",
        )
    try:
        held = np.full(np.shape(prior), profile.fixed)[()]
    except ValueError:  # lists of different lengths
        raise Refused("prior", "be numbers", prior, Code.NOT_A_NUMBER, got=_checks._shown(prior)) from None
    return (prior, held) if profile.axis is Axis.MEMBERSHIP else (held, prior)
