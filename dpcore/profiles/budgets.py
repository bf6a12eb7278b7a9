"""From a profile to a budget: under which guarantee, for how many releases, for how many records together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from scipy.optimize import bisect

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.errors import Code, Refused
from dpcore.guarantees import (
    ApproximateDP,
    PureDP,
    Relation,
    ZeroConcentratedDP,
    approximate_epsilon_from_probabilistic,
    gaussian_rho_from_probabilistic,
    rho_from_probabilistic,
    rho_from_probabilistic_published,
)
from dpcore.profile_certificate import ProfileCertificate
from dpcore.profiles.base import RiskProfile, check_profile
from dpcore.profiles.results import Axis, Certainty, ImpliedEpsilon, Status
from dpcore.rounding import round_down
from dpcore.schema import Change
from dpcore.scope import KNOWS_ALL, UNSURE_INDEPENDENTLY, Reader


class Route(StrEnum):
    """The guarantee asked for, and for zCDP the way from rho to a belief.

    The promise is about the secret that the profile's priors name (presence, value or both), of a group of records,
    under one relation, to an observer of all releases. `PUBLISHED_ZCDP` goes through (epsilon, delta), `ZCDP` bounds
    the tail of the privacy loss directly (larger rho, same promise), `GAUSSIAN` is exact for an attacker who sees
    continuous Gaussian noise on an answer and knows all other records. It is no budget for integer noise: that is
    `DISCRETE_GAUSSIAN`, verified on the exact law of discrete Gaussian noise on one integer count, for the same
    attacker.

    Examples
    --------
    >>> from dpcore.profiles import CapOrRatio
    >>> agency = CapOrRatio(0.25, 3, value_prior=1.0)
    >>> [budget(agency, route=route, delta_prime=0.01).recommended_total for route in (Route.ZCDP, Route.GAUSSIAN)]
    [0.077, 0.12]
    """

    PURE = "pure"
    APPROXIMATE = "approximate"
    PUBLISHED_ZCDP = "zero-concentrated, published route"
    ZCDP = "zero-concentrated"
    GAUSSIAN = "gaussian"
    DISCRETE_GAUSSIAN = "discrete gaussian"


_RHO = {
    Route.PUBLISHED_ZCDP: rho_from_probabilistic_published,
    Route.ZCDP: rho_from_probabilistic,
    Route.GAUSSIAN: gaussian_rho_from_probabilistic,
}

_NOISE = {Route.GAUSSIAN: "gaussian", Route.DISCRETE_GAUSSIAN: "discrete_gaussian"}
"""The routes that are exact for named noise, and the noise."""


@call_hint
@dataclass(frozen=True)
class Budget:
    """A budget that keeps a profile: per release and in total, with what it promises.

    The promise is about the secret that the profile's priors name (presence, value or both), of a group of records,
    under one relation, to an observer of all releases.

    Attributes
    ----------
    answer : ImpliedEpsilon; the bound on beliefs behind it: where the profile binds, and how sure that is
    route : Route; the guarantee asked for
    each, total : guarantee; for one record: of each release, and of all releases by basic composition. Unrounded.
    releases, group : int; number of releases; number of records protected together
    failure_probability : float; probability delta' with which a posterior may leave the profile; 0 under pure DP
    certificate : DiscreteCertificate or None; of the route "discrete gaussian": which rho is verified, and how often
        another one fails
    profile_certificate : ProfileCertificate or None; the same of both routes through named noise, for a reader who is
        unsure about others
    reader : Reader; for whom the budget is certified; a budget by another route holds for a reader who is unsure about
        others

    Examples
    --------
    >>> from dpcore.profiles import CapOrRatio
    >>> found = budget(CapOrRatio(0.25, 3, value_prior=1.0), releases=2)
    >>> found.recommended_each, found.recommended_total, found.failure_probability
    (0.64, 1.29, 0.0)
    """

    answer: ImpliedEpsilon
    route: Route
    each: PureDP | ApproximateDP | ZeroConcentratedDP
    total: PureDP | ApproximateDP | ZeroConcentratedDP
    releases: int
    group: int
    failure_probability: float
    certificate: DiscreteCertificate | None = None
    profile_certificate: ProfileCertificate | None = None
    reader: Reader = UNSURE_INDEPENDENTLY

    @property
    def _verified(self) -> DiscreteCertificate | ProfileCertificate | None:
        return self.certificate or self.profile_certificate

    @property
    def recommended_each(self) -> float:
        """Epsilon (or rho) of each release, rounded down; by the discrete route to a decimal that is certified too."""
        return _down(_size(self.each)) if self._verified is None else self._verified.recommended_each

    @property
    def recommended_total(self) -> float:
        """Epsilon (or rho) of all releases together, rounded down; by the discrete route so many times that of each."""
        if self._verified is None:
            return _down(_size(self.total))
        return float(self.releases * Decimal(repr(self.recommended_each)))


def _size(guarantee: PureDP | ApproximateDP | ZeroConcentratedDP) -> float:
    return guarantee.rho if isinstance(guarantee, ZeroConcentratedDP) else guarantee.epsilon


def _down(value: float) -> float:
    """Two decimals, or two significant digits when those are finer, never above the value."""
    return value if value <= 0.0 else round_down(value, max(2, 1 - math.floor(math.log10(value))))


@call_hint
def budget(
    profile: RiskProfile,
    *,
    route: str = "pure",
    delta: float | None = None,
    delta_prime: float | None = None,
    releases: int = 1,
    group: int = 1,
    value_exponent: float = 2.0,
    relation: str = "add_or_remove",
    answer: ImpliedEpsilon | None = None,
    reader: Reader = KNOWS_ALL,
) -> Budget:
    """Largest budget under which every attacker stays within a profile.

    The promise is about the secret that the profile's priors name (presence, value or both), of a group of records,
    under one relation, to an observer of all releases. Under pure epsilon-DP the attacker of Theorem 4 is meant: who
    knows the mechanism, and for whom the target is independent of the other records. The other routes bound the shift
    of log odds between two worlds, and need that the profile speaks about two worlds only: membership (value prior held
    at 1), or one plain count (in S or not), or a value where records are replaced (the target surely in). They then
    hold for an attacker who knows all other records; for an attacker who does not, averaging over those records keeps
    (epsilon, delta)-DP and zCDP, but not the exact laws that "gaussian" and "discrete gaussian" use: with
    `reader=UNSURE_INDEPENDENTLY` they go through the privacy profile, and promise that a belief in the secret rises no
    further. Replacing records does not hide membership, so it needs the membership prior at 1. Discrete Gaussian noise
    is certified for one count that the group moves by its size in each release: where records are replaced that needs
    plain counts (value_exponent 1), since a moved value changes two cells of a table, which has another law.

    Exact when the profile's epsilon is exact and the route is "pure" or "gaussian" with one release, or "discrete
    gaussian"; otherwise a lower bound on what would do. The safe side: budgets are never too large. By the route
    "discrete gaussian" the recommended budget is certified, and a smaller one need not be.
    Source: thesis, Theorem 5 (pure), Theorem 28 and Theorem 35 (approximate), Theorem 24 (published zCDP route)
    Source: dwork_roth, Theorem 2.2 (groups) and Theorem 3.16 (basic composition)
    Source: ours, the direct bound, the exact Gaussian laws, continuous and discrete; which profiles admit them

    Parameters
    ----------
    profile : RiskProfile; what is acceptable
    route : str; a `Route`: "pure", "approximate", "zero-concentrated", "zero-concentrated, published route", "gaussian"
        (for continuous noise), "discrete gaussian" (for integer noise on one count)
    delta : float, optional; total delta of all releases for one record, in (0, delta_prime); route "approximate" only
    delta_prime : float, optional; probability with which the posterior may leave the profile, in (0, 1); all routes but
        "pure"
    releases : int; number of releases, at least 1, in equal shares; their budgets add (basic composition)
    group : int; number of records protected together (a household, a person's days), at least 1
    value_exponent : float; 2 for any mechanism, 1 when each release is one plain count of the set S
    relation : {"add_or_remove", "replace"}; whether a record is added or removed, or replaced with the number of
        records known
    answer : ImpliedEpsilon, optional; the epsilon that this profile implies, where it is known already: for
        `value_exponent`, or for 1 where records are replaced
    reader : Reader, optional; `KNOWS_ALL`, or `UNSURE_INDEPENDENTLY` for the smaller budget that holds for readers who
        are unsure about other records too, and for every view; the routes that do not go through named noise hold for
        both alike

    Examples
    --------
    >>> from dpcore.profiles import CapOrRatio
    >>> agency = CapOrRatio(0.25, 3, value_prior=1.0)
    >>> budget(agency).recommended_total
    1.29
    >>> budget(agency, route="approximate", delta=1e-6, delta_prime=0.01).recommended_total
    1.29
    >>> [budget(agency, route=noise, delta_prime=0.01).recommended_total for noise in ("gaussian", "discrete gaussian")]
    [0.12, 0.14]
    >>> round(budget(agency, releases=4, group=2).each.epsilon, 4)  # log(2.75 / 0.75) / 8
    0.1624
    >>> unsure = budget(agency, route="discrete gaussian", delta_prime=0.01, reader=UNSURE_INDEPENDENTLY)
    >>> unsure.recommended_total
    0.1
    """
    check_profile(profile)
    kind = Route(_checks.choice("route", route, [option.value for option in Route]))
    side = Relation(_checks.choice("relation", relation, [option.value for option in Relation]))
    replaced = side is Relation.REPLACE
    _checks.kind_of("reader", reader, Reader, "a reader such as KNOWS_ALL")
    if not UNSURE_INDEPENDENTLY.contains(reader):
        rule = "be one that a bound for 'unsure_independently' holds for"
        raise Refused("reader", rule, reader.name, Code.TOO_NARROW)
    k, m = _checks.count("releases", releases, 1), _checks.count("group", group, 1)
    exponent = _checks.number("value_exponent", value_exponent, 0.0, 2.0)
    held_in = profile.axis is Axis.VALUE and profile.fixed == 1.0
    if replaced and not held_in:
        raise Refused(
            "relation",
            "be 'add_or_remove' unless the profile holds the membership prior at 1: "
            "replacing a record does not hide who is in",
            side.value,
            Code.INCONSISTENT,
        )
    two_worlds = replaced or exponent == 1.0 or (profile.axis is Axis.MEMBERSHIP and profile.fixed == 1.0)
    if kind is not Route.PURE and not two_worlds:
        raise Refused(
            "route",
            "be 'pure' unless the profile is about membership (value prior 1), each release is one plain count "
            "(value_exponent 1), or records are replaced",
            kind.value,
            Code.UNSUPPORTED,
        )
    if kind is Route.DISCRETE_GAUSSIAN and replaced and exponent != 1.0:
        raise Refused(
            "route",
            "be another than 'discrete gaussian' unless each release is one plain count (value_exponent 1): "
            "a replaced record moves two cells of a table",
            exponent,
            Code.INCONSISTENT,
            got=f"value_exponent {exponent:g}",
        )
    between = 1.0 if replaced else exponent
    if answer is None:
        answer = profile.implied_epsilon(value_exponent=between)
    _checks.kind_of("answer", answer, ImpliedEpsilon, "the profile's `implied_epsilon()`")
    if answer.profile is not profile or answer.value_exponent != between:
        own = answer.profile is profile
        raise Refused(
            "answer",
            f"be the profile's own for value_exponent {between:g}",
            answer,
            Code.INCONSISTENT,
            got=f"one for value_exponent {answer.value_exponent:g}" if own else "one of another profile",
        )
    if answer.status is Status.BINDS_NOTHING:
        raise Refused("profile", "ask for something somewhere", answer.status, Code.EMPTY, got="one that binds nothing")
    if answer.certainty is Certainty.ESTIMATE:
        raise Refused(
            "profile", "have a certified epsilon", answer.certainty, Code.UNSUPPORTED, got="an estimate from sampling"
        )
    if kind is Route.PURE:
        if delta is not None or delta_prime is not None:
            name = "delta" if delta is not None else "delta_prime"
            raise Refused(
                name, "be left out for pure DP", delta if delta is not None else delta_prime, Code.INCONSISTENT
            )
        total = answer.lower / m
        return Budget(
            answer, kind, PureDP(epsilon=total / k, relation=side), PureDP(epsilon=total, relation=side), k, m, 0.0
        )
    if delta_prime is None:
        raise Refused("delta_prime", f"be given for the route {kind.value!r}", None, Code.INCONSISTENT, got="None")
    failure = _checks.number("delta_prime", delta_prime, 0.0, 1.0, open_low=True, open_high=True)
    if kind is Route.APPROXIMATE:
        if delta is None:
            raise Refused("delta", "be given for the route 'approximate'", None, Code.INCONSISTENT, got="None")
        share = _checks.number("delta", delta, 0.0, failure, open_low=True, open_high=True)
        total = _approximate_total(answer.lower, share, failure, m)
        return Budget(
            answer,
            kind,
            ApproximateDP(epsilon=total / k, delta=share / k, relation=side),
            ApproximateDP(epsilon=total, delta=share, relation=side),
            k,
            m,
            failure,
        )
    if delta is not None:
        raise Refused("delta", f"be left out for the route {kind.value!r}", delta, Code.INCONSISTENT)
    certificate = profile_certificate = None
    rho = 0.0
    of_noise = _NOISE.get(kind) if reader != KNOWS_ALL else None
    if of_noise is not None:
        moved = (Change((float(m),)),)
        profile_certificate = ProfileCertificate(
            epsilon_prime=answer.lower, delta_prime=failure, noise=of_noise, releases=k, changes=moved
        )
        rho = k * profile_certificate.largest_rho
    elif kind is Route.DISCRETE_GAUSSIAN:
        certificate = DiscreteCertificate(epsilon_prime=answer.lower, delta_prime=failure, releases=k, group=m)
        rho = k * certificate.largest_rho
    elif answer.lower > 0.0:
        rho = float(_RHO[kind](epsilon_prime=answer.lower, delta_prime=failure)) / m**2
    return Budget(
        answer,
        kind,
        ZeroConcentratedDP(rho=rho / k, relation=side),
        ZeroConcentratedDP(rho=rho, relation=side),
        k,
        m,
        failure,
        certificate,
        profile_certificate,
        reader if kind in _NOISE else UNSURE_INDEPENDENTLY,
    )


def _approximate_total(epsilon_prime: float, delta: float, delta_prime: float, group: int) -> float:
    """Largest epsilon of one record whose group guarantee keeps the promise (Theorem 35 solved for epsilon)."""
    if group == 1:
        try:
            return float(
                approximate_epsilon_from_probabilistic(
                    epsilon_prime=epsilon_prime, delta=delta, delta_prime=delta_prime
                )
            )
        except Refused:
            rule = f"leave room for the promise within delta_prime {delta_prime:g}"
            raise Refused("delta", rule, delta, Code.INFEASIBLE) from None

    def excess(epsilon: float) -> float:
        together = ApproximateDP(epsilon=epsilon, delta=delta).for_group(group)
        if together.delta >= delta_prime:
            return math.inf
        return float(together.probabilistic_epsilon(delta_prime)) - epsilon_prime

    if excess(0.0) > 0.0:
        raise Refused(
            "delta",
            f"leave room for the promise to a group of {group} (the group's delta grows at least {group}-fold)",
            delta,
            Code.INFEASIBLE,
        )
    high = epsilon_prime / group
    if excess(high) <= 0.0:
        return high
    return float(bisect(excess, 0.0, high, xtol=1e-300, rtol=1e-14)) * (1.0 - 1e-13)  # by its sign: it may be infinite
