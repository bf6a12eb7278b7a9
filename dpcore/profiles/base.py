"""What every risk profile can do: say its cap, its epsilon at each prior, and the places that may decide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._calls import go_together
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused
from dpcore.profiles.point import epsilon_from_shift, shift_from_cap, shift_from_parts, shift_from_ratio, weights
from dpcore.profiles.results import Axis, Candidates, Certainty, ImpliedEpsilon, Place, Status, places_along


def is_free_belief(belief: float | str | None) -> bool:
    """Whether a belief of a template runs over (0, 1] instead of being held at a number.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    """
    return belief is None or belief == "any"


def check_named_belief(membership_prior: float | str | None, value_prior: float | str | None) -> None:
    """Refuse a profile that does not say what it is about: over both beliefs it allows half the budget of one.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    """
    for name, belief in (("membership_prior", membership_prior), ("value_prior", value_prior)):
        if isinstance(belief, str) and belief != "any":
            raise Refused(name, "be a number in (0, 1] or 'any'", belief, Code.UNKNOWN_CHOICE)
    if membership_prior is None and value_prior is None:
        raise Refused(
            "value_prior",
            "be named: 1 asks about presence alone (membership_prior=1 instead: about the value of one who is there), "
            "'any' about presence and value together, with half the budget",
            None,
            Code.EMPTY,
            got="nothing",
        )


class RiskProfile(ABC):
    """Highest acceptable posterior for each prior: a line over one belief, or a surface over both.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.

    Examples
    --------
    >>> from dpcore.profiles import CapOrRatio
    >>> line = CapOrRatio(cap=0.25, ratio=3, value_prior=1.0)
    >>> isinstance(line, RiskProfile), line.highest_posterior(0.05), line.highest_posterior(0.2)
    (True, 0.25, 0.6)
    """

    @property
    @abstractmethod
    def axis(self) -> Axis:
        """Which belief varies."""

    @property
    @abstractmethod
    def fixed(self) -> float | None:
        """The value of the belief that does not vary; None when both do."""

    @abstractmethod
    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        """Log-odds shift allowed at each place; infinite where nothing is required."""

    @abstractmethod
    def implied_epsilon(self, *, value_exponent: float = 2.0) -> ImpliedEpsilon:
        """Largest epsilon that keeps every attacker under this profile."""

    def _places(self, prior: ArrayLike, value_prior: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
        membership, value = places_along(self, prior, value_prior)
        go_together(prior=membership, value_prior=value)
        return (
            _checks.probability("prior" if value_prior is None else "membership_prior", membership, open_low=True),
            _checks.probability("prior" if value_prior is None else "value_prior", value, open_low=True),
        )

    @overload
    def highest_posterior(self, prior: Number, value_prior: Number | None = ...) -> float: ...
    @overload
    def highest_posterior(self, prior: ArrayLike, value_prior: ArrayLike | None = ...) -> FloatArray: ...
    def highest_posterior(self, prior: ArrayLike, value_prior: ArrayLike | None = None) -> Any:
        """Highest acceptable posterior at each prior; 1 where nothing is required.

        `prior` runs along the belief that varies; a profile over both takes the membership prior and `value_prior`.
        """
        membership, value = self._places(prior, value_prior)
        x = membership * value
        with np.errstate(under="ignore"):
            other = (membership * (1.0 - value) + (1.0 - membership)) * np.exp(-self._shift(membership, value))
        result = x / np.where(x + other > 0.0, x + other, 1.0)
        return _checks.scalar_or_array(np.asarray(result), prior, 0.0 if value_prior is None else value_prior)

    @overload
    def largest_epsilon(
        self, prior: Number, value_prior: Number | None = ..., *, value_exponent: float = ...
    ) -> float: ...
    @overload
    def largest_epsilon(
        self, prior: ArrayLike, value_prior: ArrayLike | None = ..., *, value_exponent: float = ...
    ) -> FloatArray: ...
    def largest_epsilon(
        self, prior: ArrayLike, value_prior: ArrayLike | None = None, *, value_exponent: float = 2.0
    ) -> Any:
        """Largest epsilon each prior would allow (Theorem 5); infinite where nothing is required."""
        membership, value = self._places(prior, value_prior)
        exponent = _checks.number("value_exponent", value_exponent, 0.0, 2.0)
        result = epsilon_from_shift(self._shift(membership, value), *weights(membership, value), exponent)
        return _checks.scalar_or_array(np.asarray(result), prior, 0.0 if value_prior is None else value_prior)


class ProfileOfBound(RiskProfile):
    """A profile that a bound over both beliefs gives, a ratio, a posterior or an increase; one belief may be held.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    """

    kind: str
    membership_prior: float | None
    value_prior: float | None

    def _check_kind_and_beliefs(self) -> None:
        _checks.choice("kind", self.kind, ("ratio", "posterior", "increase"))
        for name in ("membership_prior", "value_prior"):
            if getattr(self, name) is not None:
                _checks.number(name, getattr(self, name), 0.0, 1.0, open_low=True)

    @property
    def axis(self) -> Axis:
        """Which belief varies; membership when neither does."""
        if self.value_prior is not None:
            return Axis.MEMBERSHIP
        return Axis.VALUE if self.membership_prior is not None else Axis.BOTH

    @property
    def fixed(self) -> float | None:
        """The value of the belief that does not vary; None when both do."""
        return self.value_prior if self.value_prior is not None else self.membership_prior

    def _least(self, prior: FloatArray) -> FloatArray:
        """The bound of the kind that accepts no more than the prior itself."""
        return {"ratio": np.ones(()), "posterior": prior, "increase": np.zeros(())}[self.kind]

    def _shift_to(self, bound: FloatArray, membership: FloatArray, value: FloatArray) -> FloatArray:
        """Log-odds shift that a bound allows."""
        prior = membership * value
        bound = np.maximum(bound, self._least(prior))
        if self.kind == "ratio":
            return shift_from_ratio(membership, value, bound)
        if self.kind == "posterior":
            return shift_from_cap(membership, value, np.minimum(bound, 1.0))
        with np.errstate(divide="ignore"):
            return shift_from_parts(bound, prior, 1.0 - prior - bound, np.log(membership) + np.log(value))


class ProfileWithCandidates(RiskProfile):
    """A profile whose smallest epsilon is certain to be at one of a finite list of places.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    """

    @abstractmethod
    def candidates(self, value_exponent: float) -> Candidates:
        """Places among which the smallest epsilon is certain to be."""

    def implied_epsilon(self, *, value_exponent: float = 2.0) -> ImpliedEpsilon:
        """Largest epsilon that keeps every attacker under this profile: the smallest of the candidates' epsilons."""
        exponent = _checks.number("value_exponent", value_exponent, 0.0, 2.0)
        found = self.candidates(exponent)
        membership, value = found.membership_prior, found.value_prior
        epsilons = epsilon_from_shift(found.shift, *weights(membership, value), exponent)
        best = _first_smallest(epsilons, found.attained)
        epsilon = float(epsilons[best])
        vacuous = epsilon == np.inf
        return ImpliedEpsilon(
            epsilon=epsilon,
            lower=epsilon,
            certainty=Certainty.EXACT,
            status=Status.BINDS_NOTHING if vacuous else Status.ZERO_BUDGET if epsilon == 0.0 else Status.BINDS,
            binding=None if vacuous else Place(float(membership[best]), float(value[best])),
            attained=bool(found.attained[best]) and not vacuous,
            formula=found.formula,
            strictest_ratio=found.strictest,
            value_exponent=exponent,
            profile=self,
        )


def _first_smallest(epsilons: FloatArray, attained: NDArray[np.bool_]) -> int:
    """Index of the smallest epsilon; among equals one that is attained."""
    best = int(np.argmin(epsilons))
    if not attained[best]:
        equal = np.flatnonzero((epsilons == epsilons[best]) & attained)
        if equal.size:
            return int(equal[0])
    return best


def check_profile(profile: Any) -> None:
    """Refuse what is no risk profile.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    """
    such_as = "a line of acceptable risk such as CapOrRatio(cap=0.25, ratio=3, value_prior=1)"
    _checks.kind_of("profile", profile, RiskProfile, such_as)


def risk_profiles(profiles: Any) -> tuple[RiskProfile, ...]:
    """One or more risk profiles as a tuple.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    """
    members = tuple(profiles) if isinstance(profiles, Iterable) else profiles
    if not isinstance(members, tuple) or not members or not all(isinstance(one, RiskProfile) for one in members):
        raise Refused("profiles", "be one or more risk profiles", members, Code.WRONG_TYPE, got=_checks._shown(members))
    return members
