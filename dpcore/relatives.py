"""What a promise about one record is worth where others in the data resemble the person.

The promise is kept for one record replaced: an output is at most e^ε times as likely with one value of hers as with
another, everybody else's record being what it is. A reader who does not know the relatives compares mixtures over them,
and there a release tells of her through each of them too. `Relatives` has the exact limits for releases with a pure ε,
bounds for zero-concentrated ones, the budget that keeps a belief under a cap all the same, and what the answers of
relatives tell before any release. `RelativesCount` is exact for one noisy count of them all, `joint_shift_limits` for
relatives whose values hang together in any way.

All but the last assume that relatives are independent of each other given her value. That is an assumption and not the
worst case: relatives who copy each other can tell more. With m records that depend on the secret, mε always holds.
What a study teaches about relatives whether or not she takes part is in these limits too. The promise itself, for each
fixed table of the others, is not broken by any of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, linprog, minimize_scalar
from scipy.sparse import coo_array
from scipy.special import expit, logit, logsumexp

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property
from dpcore._roots import bracketed_root
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseMechanism
from dpcore.privacy_loss import DIRECTIONS, LOG_TAIL, SIDES, Direction, Side
from dpcore.semantics import epsilon_from_posterior, posterior_lower, posterior_upper

AT_ONCE = 100_000
"""Chances of relatives' values that one look at several orders may take."""

MOST_RELATIVES = 5_000
"""Relatives that one computation takes."""
MOST_COMPARISONS = 1 << 14
"""Pairs of combinations of values, different in one relative, for which `joint_shift_limits` solves its program."""
LARGEST_RANGE = 18.0
"""Largest epsilon times relatives there: beyond it chances differ by more than a program can tell."""
_TOLERANCE = 1e-10  # tolerance of the program, whose corners are then rounded to whole powers
_SMALLEST_RHO = 1e-290  # a smaller rho counts as this one where a shift is bounded, and is 0 where it is asked for
_SMALL = 0.1  # epsilon below which the program looks for what powers differ by
_MOST_TERMS = 1 << 24  # counts times sizes of a household in one exact law
_MASS = 1e-9  # by how much typed chances of a law may miss 1


@call_hint
@dataclass(frozen=True)
class ShiftLimits:
    """By how much the log odds of the secret can rise and fall: logarithms of the largest ratios of an event's chances.

    The promise is for one record replaced, about that person's value; relatives are what a reader reckons with, not
    records that are protected together.

    Attributes
    ----------
    up, down : float; in log-odds units, at least 0; infinite where nothing limits them

    Examples
    --------
    >>> limits = Relatives.of_shares(share_if_yes=[1.0], share_if_no=[0.0]).shift_limits(epsilon=1.0)  # a copy of her
    >>> limits.up, limits.down, limits.epsilon
    (2.0, 2.0, 2.0)
    >>> [round(belief, 4) for belief in limits.posterior_bounds(prior=0.5)]
    [0.1192, 0.8808]
    """

    up: float
    down: float

    @property
    def epsilon(self) -> float:
        """The larger of the two: the budget that somebody without relatives would need to be told as much."""
        return max(self.up, self.down)

    @overload
    def posterior_bounds(self, *, prior: Number) -> tuple[float, float]: ...
    @overload
    def posterior_bounds(self, *, prior: ArrayLike) -> tuple[FloatArray, FloatArray]: ...
    def posterior_bounds(self, *, prior: ArrayLike) -> tuple[float | FloatArray, float | FloatArray]:
        """Smallest and largest belief after the release, for a belief `prior` before it; numbers or arrays."""
        return posterior_lower(prior=prior, epsilon=self.down), posterior_upper(prior=prior, epsilon=self.up)


def _law(name: str, chances: ArrayLike) -> tuple[float, ...]:
    """A law of at least two values, as numbers that sum to one."""
    law = _checks.probability(name, chances)
    if law.ndim != 1 or law.size < 2:
        raise Refused(name, "have a chance for each of at least two values", law.tolist(), Code.WRONG_SHAPE)
    if abs(float(law.sum()) - 1.0) > _MASS:
        raise Refused(name, "sum to 1", law.tolist(), Code.INCONSISTENT, got=f"a sum of {float(law.sum()):g}")
    return tuple((law / law.sum()).tolist())


def _log_chance(share: FloatArray, epsilon: float) -> FloatArray:
    """ln(e^-epsilon + share (1 - e^-epsilon)), without cancellation at either end and for any epsilon."""
    taken = -math.expm1(-epsilon)
    if taken == 0.0:
        return np.zeros(share.shape)
    with np.errstate(divide="ignore"):
        small = np.logaddexp(-epsilon, np.log(share) + math.log(taken))
        return np.where((1.0 - share) * taken < 0.5, np.log1p(-(1.0 - share) * taken), small)


@call_hint
@dataclass(frozen=True, kw_only=True)
class Relative:
    """One person who resembles her: the chances of that person's values, where the secret is true and where it is not.

    The promise is for one record replaced, about that person's value; relatives are what a reader reckons with, not
    records that are protected together.

    Parameters
    ----------
    if_yes, if_no : sequence of float; a chance for each of the relative's values, in one order, each summing to 1. For
        a relative who may be absent that is one more value where a record's presence can be changed in one step.

    Examples
    --------
    >>> Relative.of_shares(share_if_yes=0.75, share_if_no=0.25)
    Relative(if_yes=(0.25, 0.75), if_no=(0.75, 0.25))
    """

    if_yes: tuple[float, ...]
    if_no: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "if_yes", _law("if_yes", self.if_yes))
        object.__setattr__(self, "if_no", _law("if_no", self.if_no))
        if len(self.if_yes) != len(self.if_no):
            rule = f"have as many values as if_yes ({len(self.if_yes)})"
            raise Refused("if_no", rule, self.if_no, Code.WRONG_SHAPE, got=str(len(self.if_no)))

    @classmethod
    def of_shares(cls, *, share_if_yes: float, share_if_no: float) -> Relative:
        """A relative with two values, no and yes: the chances of yes where the secret is true and where it is not."""
        yes = _checks.number("share_if_yes", share_if_yes, 0.0, 1.0)
        no = _checks.number("share_if_no", share_if_no, 0.0, 1.0)
        return cls(if_yes=(1.0 - yes, yes), if_no=(1.0 - no, no))

    def belief(self, *, prior: float) -> tuple[float, ...]:
        """What a reader with this belief in the secret believes of the relative's values."""
        p = _checks.number("prior", prior, 0.0, 1.0)
        return tuple(p * yes + (1.0 - p) * no for yes, no in zip(self.if_yes, self.if_no, strict=True))


@call_hint
@dataclass(frozen=True)
class Relatives:
    """The people in the data who resemble her, each independent of the others given her value.

    The promise is for one record replaced, about that person's value; relatives are what a reader reckons with, not
    records that are protected together. With a range for a share, take the largest share if yes and the smallest if no
    for `up`, and the opposite for `down`: where the first is at least the second, `up` rises with the one and falls
    with the other.

    Parameters
    ----------
    members : sequence of Relative; those whose record is in the data, at most 5,000; none where nobody resembles her

    Examples
    --------
    >>> three = Relatives.of_shares(share_if_yes=[0.8] * 3, share_if_no=[0.3] * 3)
    >>> limits = three.shift_limits(epsilon=1.0)
    >>> round(math.exp(limits.up), 2), round(math.exp(limits.down), 2), round(limits.epsilon, 2)
    (10.46, 11.98, 2.48)
    """

    members: tuple[Relative, ...]

    def __post_init__(self) -> None:
        such_as = "relatives such as Relative.of_shares(share_if_yes=0.8, share_if_no=0.3)"
        _checks.kind_of("members", self.members, Sequence, such_as)
        for member in self.members:
            _checks.kind_of("members", member, Relative, such_as)
        if len(self.members) > MOST_RELATIVES:
            raise Refused("members", f"be at most {MOST_RELATIVES}", len(self.members), Code.TOO_LARGE)
        object.__setattr__(self, "members", tuple(self.members))

    @classmethod
    def of_shares(cls, *, share_if_yes: ArrayLike, share_if_no: ArrayLike) -> Relatives:
        """Relatives with two values: for each the chance of yes where the secret is true, and where it is not."""
        yes, no = (
            np.atleast_1d(_checks.probability(name, shares))
            for name, shares in (("share_if_yes", share_if_yes), ("share_if_no", share_if_no))
        )
        for name, shares in (("share_if_yes", yes), ("share_if_no", no)):
            if shares.ndim != 1:
                got = f"the shape {shares.shape}"
                raise Refused(name, "be a list of shares", shares.tolist(), Code.WRONG_SHAPE, got=got)
        if yes.shape != no.shape:
            rule = f"have one share for each relative ({yes.size})"
            raise Refused("share_if_no", rule, no.tolist(), Code.WRONG_SHAPE, got=str(no.size))
        return cls(tuple(Relative.of_shares(share_if_yes=a, share_if_no=b) for a, b in zip(yes, no, strict=True)))

    @classmethod
    def alike(cls, number: int, *, share: float, correlation: float) -> Relatives:
        """So many relatives whose value has this correlation with hers, and whose own share is that of the population.

        Parameters
        ----------
        number : int; of relatives, from 0 to 5,000
        share : float; of yes in the population, in [0, 1]; also the reader's belief about her, or the reader
            contradicts itself
        correlation : float; between her value and a relative's, in [0, 1]: 0 is no resemblance, 1 copies

        Examples
        --------
        >>> (twin,) = Relatives.alike(1, share=0.2, correlation=0.5).members
        >>> round(twin.if_yes[1], 12), round(twin.if_no[1], 12), round(twin.belief(prior=0.2)[1], 12)
        (0.6, 0.1, 0.2)
        """
        count = _checks.count("number", number, 0, MOST_RELATIVES)
        p, alike = _checks.number("share", share, 0.0, 1.0), _checks.number("correlation", correlation, 0.0, 1.0)
        return cls((Relative.of_shares(share_if_yes=p + alike * (1.0 - p), share_if_no=p * (1.0 - alike)),) * count)

    @property
    def exchanged(self) -> Relatives:
        """The same relatives with the two worlds exchanged: what rises for these falls for those."""
        return Relatives(tuple(Relative(if_yes=member.if_no, if_no=member.if_yes) for member in self.members))

    @cached_property
    def _laws(self) -> tuple[FloatArray, FloatArray]:
        """The relatives' laws in both worlds, one a row; values that a relative does not have have no chance."""
        laws = np.zeros((2, len(self.members), max((len(member.if_yes) for member in self.members), default=1)))
        for row, member in enumerate(self.members):
            laws[0, row, : len(member.if_yes)], laws[1, row, : len(member.if_no)] = member.if_yes, member.if_no
        return laws[0], laws[1]

    # ---- pure epsilon -----------------------------------------------------------------------------------------------

    def shift_limits(self, *, epsilon: float) -> ShiftLimits:
        """The largest shifts of the log odds that any release with this ε for one record allows.

        Exact, reached by some release: where all shares are larger if yes, by geometric noise on the count of her and
        her relatives. Between ε and ε times the number of records, hers included.
        Source: ours, one relative exchanged at a time; equal to linear programs over all releases

        Parameters
        ----------
        epsilon : float; pure-DP budget for one record replaced, at least 0

        Examples
        --------
        >>> rare = Relatives.of_shares(share_if_yes=[0.5] * 3, share_if_no=[0.01] * 3)
        >>> round(math.exp(rare.shift_limits(epsilon=1.0).up), 1)  # e (1 + 0.5 (e - 1))^3/(1 + 0.01 (e - 1))^3
        16.6
        """
        budget = _checks.number("epsilon", epsilon, 0.0)
        yes, no = self._laws
        return ShiftLimits(budget + _log_factors(yes, no, budget), budget + _log_factors(no, yes, budget))

    def epsilon_from_posterior(self, *, prior: float, cap: float) -> float:
        """Largest ε for one record with which no release lifts a belief above a cap, relatives and all.

        Rounded down; exact, one root. Infinite for a cap of 1 or a prior of 0.
        Source: ours, `shift_limits` solved for epsilon

        Parameters
        ----------
        prior : float; belief before the release, in [0, 1]
        cap : float; highest acceptable belief after it, above the prior, at most 1

        Examples
        --------
        >>> three = Relatives.of_shares(share_if_yes=[0.8] * 3, share_if_no=[0.3] * 3)
        >>> round(three.epsilon_from_posterior(prior=0.05, cap=0.13), 3)
        0.425
        >>> round(Relatives(()).epsilon_from_posterior(prior=0.05, cap=0.13), 2)  # nobody who resembles her
        1.04
        """
        p, c = _checks.number("prior", prior, 0.0, 1.0), _checks.number("cap", cap, 0.0, 1.0)
        if c <= p:
            raise Refused("cap", f"be above the prior ({p:g})", cap, Code.INFEASIBLE)
        return self.epsilon_from_shift(epsilon_from_posterior(prior=p, cap=c))

    def epsilon_from_shift(self, shift: float) -> float:
        """Largest ε for one record with which no release lifts the log odds of the secret by more than `shift`.

        Rounded down; exact, one root, at whatever belief: a line of acceptable risk that allows this shift without
        relatives allows this ε with them. Infinite where the shift is.
        Source: ours, `shift_limits` solved for epsilon

        Parameters
        ----------
        shift : float; in log-odds units, at least 0

        Examples
        --------
        >>> copy = Relatives.of_shares(share_if_yes=[1.0], share_if_no=[0.0])  # her record counts twice
        >>> round(copy.epsilon_from_shift(1.0), 12)
        0.5
        """
        allowed = _checks.number("shift", shift, 0.0, allow_infinite=True)
        if allowed in (0.0, math.inf):
            return allowed

        def excess(epsilon: float) -> float:
            return epsilon + _log_factors(*self._laws, epsilon) - allowed

        found = float(brentq(excess, 0.0, allowed, xtol=1e-300, rtol=1e-15))
        while excess(found) > 0.0:
            found = math.nextafter(found, 0.0)
        return found

    # ---- what the reader knows of them ------------------------------------------------------------------------------

    def _seen(self, seen: Sequence[int | None]) -> list[tuple[Relative, int | None]]:
        if len(seen) != len(self.members):
            rule = f"say a value or None of each relative ({len(self.members)})"
            raise Refused("seen", rule, seen, Code.WRONG_SHAPE, got=str(len(seen)))
        values = (
            None if value is None else _checks.count("seen", value, 0, len(member.if_yes) - 1)
            for member, value in zip(self.members, seen, strict=True)
        )
        return list(zip(self.members, values, strict=True))

    def belief_knowing(self, seen: Sequence[int | None], *, prior: float) -> float:
        """The belief of a reader who has learned some relatives' values, before any release.

        Exact, by Bayes. Nothing of it comes from the release.
        Source: ours, Bayes

        Parameters
        ----------
        seen : sequence of int or None; for each relative the place of its value in its law (1 for yes of two), None
            where it is not known
        prior : float; belief without them, in [0, 1]

        Raises
        ------
        Refused
            ``seen must leave the secret open; got ...`` where one relative's value settles it,
            ``seen must be possible; got ...``, ``seen must say a value or None of each relative (...); got ...``

        Examples
        --------
        >>> siblings = Relatives.of_shares(share_if_yes=[0.6, 0.6], share_if_no=[0.05, 0.1])
        >>> round(siblings.belief_knowing([1, None], prior=0.02), 2)  # odds of 2 to 98, times 12
        0.2
        """
        p = _checks.number("prior", prior, 0.0, 1.0)
        shift = 0.0
        for member, value in self._seen(seen):
            if value is not None:
                yes, no = member.if_yes[value], member.if_no[value]
                if yes == 0.0 or no == 0.0:
                    rule = "be possible" if yes == no else "leave the secret open"
                    raise Refused("seen", rule, list(seen), Code.INCONSISTENT)
                shift += math.log(yes) - math.log(no)
        return float(expit(logit(p) + shift))

    def unknown(self, seen: Sequence[int | None]) -> Relatives:
        """The relatives who are still unknown: through these alone a release adds to `belief_knowing`."""
        return Relatives(tuple(member for member, value in self._seen(seen) if value is None))

    # ---- zero-concentrated releases ---------------------------------------------------------------------------------

    @cached_property
    def _log_differing(self) -> FloatArray:
        """ln of the chances that so many relatives differ under couplings in which each differs as seldom as it can."""
        yes, no = self._laws
        return _log_count_law(np.abs(yes - no).sum(axis=1) / 2)

    def divergence_by_coupling(self, *, rho: float, order: float) -> float:
        """A bound on the Rényi divergence of the two worlds by a coupling of the relatives, for any ρ-zCDP release.

        The value is ln E[e^(α(α-1)ρ(1+B)²)]/(α-1), B the number of relatives that the coupling changes. An upper bound
        in both directions, at most m²ρα for m records.
        Source: bun_steinke, Proposition 1.9 (so many records changed)
        Source: ours, joint convexity of e^((α-1) D) under a maximal coupling

        Parameters
        ----------
        rho : float; zCDP budget for one record replaced, at least 0
        order : float; of the divergence, above 1

        Examples
        --------
        >>> copies = Relatives.of_shares(share_if_yes=[1, 1], share_if_no=[0, 0])
        >>> round(copies.divergence_by_coupling(rho=0.1, order=2), 12)  # 3² records² times 0.1 times 2
        1.8
        """
        budget, alpha = _rho_and_order(rho, order)
        return float(self._coupled(budget, np.array([alpha]))[0])

    def divergence(self, *, rho: float, order: float) -> float:
        """A bound on the Rényi divergence of the world where the secret is true from the other, for any ρ-zCDP release.

        Parameters and refusals are those of `divergence_by_coupling`. The smaller of that bound and αρ plus the
        relatives' own divergences, which reveals them all and is infinite where a value is possible in the first world
        alone. The other direction is that of `exchanged`.
        Source: bun_steinke, Proposition 1.9; ours, a coupling, and the chain rule with the relatives revealed

        Examples
        --------
        >>> three = Relatives.of_shares(share_if_yes=[0.9, 0.8, 0.7], share_if_no=[0.2, 0.3, 0.1])
        >>> [round(three.divergence(rho=0.2, order=order), 2) for order in (2, 20)]
        [4.2, 8.39]
        """
        budget, alpha = _rho_and_order(rho, order)
        return float(self._divergences(budget, np.array([alpha]))[0])

    def _coupled(self, rho: float, orders: FloatArray) -> FloatArray:
        """`divergence_by_coupling` of several orders."""
        alpha, changed = orders[:, None], np.arange(1.0, len(self.members) + 2.0) ** 2
        return _log_mean_exp(self._log_differing, alpha * (alpha - 1.0) * rho * changed) / (orders - 1.0)

    def _divergences(self, rho: float, orders: FloatArray) -> FloatArray:
        """`divergence` of several orders."""
        alpha = orders[:, None, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            yes, no = (np.log(law) for law in self._laws)
            evidence = np.where(np.isneginf(yes), 0.0, (alpha - 1.0) * (yes - no))
        revealed = _log_mean_exp(yes, evidence).sum(axis=1) / (orders - 1.0)
        return np.fmin(self._coupled(rho, orders), orders * rho + revealed)

    def concentrated_shift_limits(self, *, rho: float, delta_prime: float) -> ShiftLimits:
        """Shifts of the log odds that any ρ-zCDP release passes with probability at most δ′.

        Upper bounds, whichever world is true and whatever is computed from the release: the smallest over orders of
        `divergence` plus ln(1/δ′)/(α - 1).
        Source: bun_steinke, Lemma 3.5 (Markov's inequality on the moment of the loss); ours, `divergence`

        Parameters
        ----------
        rho : float; zCDP budget for one record replaced, at least 0
        delta_prime : float; failure probability of each of the two limits, in (0, 1)

        Examples
        --------
        >>> limits = Relatives(()).concentrated_shift_limits(rho=0.1, delta_prime=0.01)
        >>> round(limits.up, 4)  # 0.1 + 2 sqrt(0.1 ln 100)
        1.4572
        """
        budget = _checks.number("rho", rho, 0.0)
        log_inverse = -math.log(_checks.number("delta_prime", delta_prime, 0.0, 1.0, open_low=True, open_high=True))
        if budget == 0.0:
            return ShiftLimits(0.0, 0.0)
        least = max(budget, _SMALLEST_RHO)
        return ShiftLimits(*(people._passed(least, log_inverse) for people in (self, self.exchanged)))

    def rho_from_shift(self, shift: float, *, delta_prime: float) -> float:
        """A ρ for one record with which no release lifts the log odds by more than `shift`, except with chance δ′.

        Rounded down; the largest that `concentrated_shift_limits` allows, which is a bound: more may be safe.
        Source: ours, `concentrated_shift_limits` solved for rho

        Parameters
        ----------
        shift : float; in log-odds units, at least 0, finite
        delta_prime : float; failure probability of the limit upwards, in (0, 1)

        Examples
        --------
        >>> round(Relatives(()).rho_from_shift(1.4572, delta_prime=0.01), 4)  # 0.1 + 2 sqrt(0.1 ln 100)
        0.1
        """
        allowed = _checks.number("shift", shift, 0.0)
        log_inverse = -math.log(_checks.number("delta_prime", delta_prime, 0.0, 1.0, open_low=True, open_high=True))
        alone = (allowed / (math.sqrt(log_inverse + allowed) + math.sqrt(log_inverse))) ** 2
        if alone < _SMALLEST_RHO * 10.0 * (1 + len(self.members)) ** 2:
            return 0.0

        def excess(log_rho: float) -> float:
            return self._passed(math.exp(log_rho), log_inverse) - allowed

        high = math.log(alone)
        low = high - 2.0 * math.log1p(len(self.members)) - 1.0  # so many records together have m² rho
        found = high if excess(high) <= 0.0 else float(brentq(excess, low, high, xtol=1e-12))
        while excess(found) > 0.0:
            found -= 1e-10
        return math.exp(found)

    def _passed(self, rho: float, log_inverse: float) -> float:
        """The smallest over orders of the divergence plus ln(1/δ')/(order - 1); any order gives a bound."""

        def bounds(log_excesses: FloatArray) -> FloatArray:
            excesses = np.array([math.exp(one) for one in log_excesses])
            return self._divergences(rho, 1.0 + excesses) + log_inverse / excesses

        alone = 0.5 * math.log(log_inverse / rho)  # the best order of one record; more records want a smaller one
        tried = np.linspace(alone - 2.0 * math.log1p(len(self.members)) - 2.0, alone + 3.0, 64)
        together = max(1, AT_ONCE // self._laws[0].size) if self.members else tried.size
        values = np.concatenate([bounds(tried[at : at + together]) for at in range(0, tried.size, together)])
        at = int(np.argmin(values))
        ends = tried[max(at - 1, 0)], tried[min(at + 1, tried.size - 1)]
        nearer = minimize_scalar(
            lambda one: float(bounds(np.array([one]))[0]), bounds=ends, method="bounded", options={"xatol": 1e-10}
        )
        return min(float(values[at]), float(nearer.fun))


def _rho_and_order(rho: float, order: float) -> tuple[float, float]:
    return _checks.number("rho", rho, 0.0), _checks.number("order", order, 1.0, open_low=True)


def _log_factors(one: FloatArray, other: FloatArray, epsilon: float) -> float:
    """ln of the product over relatives of the largest (1 + R1(A) a)/(1 + R0(A) a), a = e^epsilon - 1.

    The best set A of a relative's values holds those whose ratio of chances is above some number.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        order = np.argsort(-np.where(one > 0.0, one / other, 0.0), axis=1, kind="stable")
    inside = (np.minimum(np.take_along_axis(law, order, 1).cumsum(axis=1), 1.0) for law in (one, other))
    yes, no = (_log_chance(share, epsilon) for share in inside)
    return float(np.maximum(yes - no, 0.0).max(axis=1, initial=0.0).sum())


def _log_mean_exp(log_law: FloatArray, exponents: FloatArray) -> FloatArray:
    """ln E[e^x] under a law, along the last axis; near an x of 0 without the cancellation of a mean near 1."""
    near = np.abs(exponents).max(axis=-1) < 1.0
    rises = np.expm1(np.where(near[..., None], exponents, 0.0))
    return np.where(near, np.log1p((np.exp(log_law) * rises).sum(axis=-1)), logsumexp(log_law + exponents, axis=-1))


def _log_count_law(shares: FloatArray) -> FloatArray:
    """ln of the chances that so many of independent events with these chances happen."""
    law = np.zeros(1)
    with np.errstate(divide="ignore"):
        happens, fails = np.log(shares), np.log1p(-np.minimum(shares, 1.0))
    for yes, no in zip(happens, fails, strict=True):
        law = np.logaddexp(np.append(law + no, -math.inf), np.append(-math.inf, law + yes))
    return law


@call_hint
def joint_shift_limits(*, if_yes: ArrayLike, if_no: ArrayLike, epsilon: float) -> ShiftLimits:
    """The largest shifts of the log odds that any release with this ε allows, for relatives who hang together anyhow.

    The promise is for one record replaced, about that person's value; relatives are what a reader reckons with, not
    records that are protected together. Exact: a linear program over all releases, whose corners are whole powers of
    e^ε.
    Source: ours, linear program; checked against closed forms of independent relatives and of relatives who copy each
        other

    Parameters
    ----------
    if_yes, if_no : array_like; chances of every combination of the relatives' values where the secret is true, and
        where it is not: one axis for each relative, each array summing to 1
    epsilon : float; pure-DP budget for one record replaced, at least 0; times the number of relatives at most 18

    Examples
    --------
    >>> yes, no = np.diag([0.5, 0.5]), np.diag([0.99, 0.01])  # two relatives who say the same
    >>> limits = joint_shift_limits(if_yes=yes, if_no=no, epsilon=1.0)
    >>> round(math.exp(limits.up), 3)  # e (1 + 0.5 (e² - 1))/(1 + 0.01 (e² - 1))
    10.717
    """
    laws = []
    for name, chances in (("if_yes", if_yes), ("if_no", if_no)):
        law = _checks.probability(name, chances)
        if (pairs := law.size * sum(values - 1 for values in law.shape)) > MOST_COMPARISONS:
            raise Refused(
                name, f"need at most {MOST_COMPARISONS:,} comparisons", pairs, Code.TOO_LARGE, got=f"{pairs:,}"
            )
        if abs(float(law.sum()) - 1.0) > _MASS:
            raise Refused(name, "sum to 1", law.tolist(), Code.INCONSISTENT, got=f"a sum of {float(law.sum()):g}")
        laws.append(law / law.sum())
    yes, no = laws
    if yes.shape != no.shape:
        raise Refused(
            "if_no", f"have the shape of if_yes {yes.shape}", no.tolist(), Code.WRONG_SHAPE, got=str(no.shape)
        )
    budget = _checks.number("epsilon", epsilon, 0.0)
    if budget * yes.ndim > LARGEST_RANGE:
        rule = f"be at most {LARGEST_RANGE:g} over the relatives' number ({LARGEST_RANGE / yes.ndim:g})"
        raise Refused("epsilon", rule, epsilon, Code.TOO_LARGE)
    return ShiftLimits(budget + _largest_log_ratio(yes, no, budget), budget + _largest_log_ratio(no, yes, budget))


def _largest_log_ratio(one: FloatArray, other: FloatArray, epsilon: float) -> float:
    """ln max of E[F] under one law over E[F] under the other, F changing by at most e^epsilon with one relative.

    At a small epsilon F hardly differs from 1, so the program finds (F - 1)/(e^epsilon - 1), of mean 0.
    """
    if epsilon == 0.0 or one.size == 1:
        return 0.0
    small, grown = epsilon < _SMALL, math.expm1(epsilon)
    places = np.arange(one.size).reshape(one.shape)
    pairs = [
        (places.take(a, axis).ravel(), places.take(b, axis).ravel())
        for axis, values in enumerate(one.shape)
        for a in range(values)
        for b in range(values)
        if a != b
    ]
    more, less = (np.concatenate(side) for side in zip(*pairs, strict=True))
    rows, ones = np.arange(more.size), np.ones(more.size)
    limits = coo_array(
        (np.append(math.exp(-epsilon) * ones, -ones), (np.append(rows, rows), np.append(more, less))),
        shape=(more.size, one.size),
    )
    solved = linprog(  # type: ignore[call-overload]
        -one.ravel(),
        A_ub=limits.tocsr(),
        b_ub=(math.exp(-epsilon) if small else 0.0) * ones,
        A_eq=other.reshape(1, -1),
        b_eq=[0.0 if small else 1.0],
        bounds=(None if small else 0.0, None),
        method="highs-ds",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    top = solved.x.max()
    if small:
        powers = np.rint(np.log1p(grown * (solved.x - top) / (1.0 + grown * top)) / epsilon)
        less = np.expm1(epsilon * powers)
        return math.log1p(float(one.ravel() @ less)) - math.log1p(float(other.ravel() @ less))
    chances = np.exp(epsilon * np.rint(np.log(solved.x / top) / epsilon))
    return math.log(float(one.ravel() @ chances)) - math.log(float(other.ravel() @ chances))


@call_hint
@dataclass(frozen=True)
class RelativesCount:
    """One noisy count of her and her relatives, seen by a reader who knows none of them: exact for the named noise.

    The promise is for one record replaced, about that person's value; relatives are what a reader reckons with, not
    records that are protected together. Others who are counted too and known shift the count. Others who are unknown,
    independently of her and her relatives, are further noise: right guess and detection are then at most what is told
    here.
    Source: ours, the two mixtures of shifted noise; checked by enumeration and against `Relatives.shift_limits`

    Parameters
    ----------
    relatives : Relatives; with two values each, no and yes; the count is of yes, hers included
    noise : Geometric, Laplace, Gaussian or DiscreteGaussian; of the count

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> three = Relatives.of_shares(share_if_yes=[0.8] * 3, share_if_no=[0.3] * 3)
    >>> count = RelativesCount(three, Geometric(epsilon=1.0))
    >>> round(math.exp(count.shift_limits.up), 2)  # as much as any release with this ε
    10.46
    >>> round(count.posterior(4, prior=0.05), 3)
    0.355
    """

    relatives: Relatives
    noise: NoiseMechanism

    def __post_init__(self) -> None:
        _checks.kind_of("relatives", self.relatives, Relatives, "Relatives with two values each")
        for member in self.relatives.members:
            if len(member.if_yes) != 2:
                raise Refused("relatives", "be Relatives with two values each", member, Code.UNSUPPORTED)
        _checks.kind_of("noise", self.noise, NoiseMechanism, "noise such as Geometric(epsilon=1.0)")
        if (terms := self._number_of_points * self._sizes.size) > _MOST_TERMS:
            rule = f"need at most {_MOST_TERMS:,} terms"
            raise Refused("noise and relatives", rule, terms, Code.TOO_LARGE, got=f"{terms:,}")

    # ---- the two mixtures -------------------------------------------------------------------------------------------

    @property
    def _whole(self) -> bool:
        return self.noise.is_whole

    @cached_property
    def _sizes(self) -> FloatArray:
        """The true counts that can be: nobody to everybody."""
        return np.arange(len(self.relatives.members) + 2.0)

    @cached_property
    def _log_weights(self) -> tuple[FloatArray, FloatArray]:
        """ln of the chance of each true count, where the secret is true and where it is not."""
        yes, no = (_log_count_law(law[:, -1]) for law in self.relatives._laws)
        return np.append(-math.inf, yes), np.append(no, -math.inf)

    @cached_property
    def _reach(self) -> float:
        """How far the noise goes on either side, but for a chance of 1e-18."""
        return -float(self.noise.quantile(math.exp(-LOG_TAIL)))

    @property
    def _number_of_points(self) -> int:
        """Noisy counts that are looked at: whole ones, or so many that the log ratio changes little between them."""
        width = self._sizes[-1] + 2 * self._reach
        if self._whole:
            return int(width) + 1
        return math.ceil(16 * width / min(self.noise.std, self.noise.variance)) + 1

    @cached_property
    def _points(self) -> FloatArray:
        low, high = -self._reach, self._sizes[-1] + self._reach
        if self._whole:
            return np.arange(low, high + 1.0)
        return np.union1d(np.linspace(low, high, self._number_of_points), self._sizes)

    def _logs(self, noisy: FloatArray) -> tuple[FloatArray, FloatArray]:
        """ln of the chance, or density, of noisy counts where the secret is true, and where it is not."""
        found = np.empty((2, noisy.size))
        rows = max(1, (1 << 18) // self._sizes.size)
        for start in range(0, noisy.size, rows):
            gaps = noisy[start : start + rows, None] - self._sizes
            of_noise = self.noise.log_noise(gaps)
            for world, weights in enumerate(self._log_weights):
                terms = of_noise + weights
                top = terms.max(axis=1)
                found[world, start : start + rows] = top + np.log(np.exp(terms - top[:, None]).sum(axis=1))
        return found[0], found[1]

    @cached_property
    def _logs_of_points(self) -> tuple[FloatArray, FloatArray]:
        """ln of the chance, or density, of each point in both worlds."""
        return self._logs(self._points)

    @cached_property
    def _ratios(self) -> FloatArray:
        """ln of the ratio at each point."""
        yes, no = self._logs_of_points
        return yes - no

    @cached_property
    def _sums(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Ratios of whole counts, rising, and the chances in both worlds of those from each on; none above the last."""
        order = np.argsort(self._ratios, kind="stable")
        yes, no = (np.exp(law[order]) for law in self._logs_of_points)
        above = [np.concatenate([[1.0], np.cumsum(law[:0:-1])[::-1], [0.0]]) for law in (yes, no)]
        return self._ratios[order], above[0], above[1]

    def _above(self, threshold: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Chances, where the secret is true and where it is not, that the log ratio exceeds each threshold."""
        if self._whole:
            ratios, yes, no = self._sums
            at = np.searchsorted(ratios, threshold, side="right")
            return np.minimum(yes[at], 1.0), np.minimum(no[at], 1.0)
        points, found = self._points, np.empty((2, threshold.size))
        rows = max(1, (1 << 22) // points.size)
        for start in range(0, threshold.size, rows):
            some = threshold[start : start + rows]
            over = self._ratios > some[:, None]
            owner, cell = np.nonzero(over[:, 1:] != over[:, :-1])
            crossed = bracketed_root(partial(self._over, some[owner]), points[cell], points[cell + 1])
            sign = np.where(over[owner, cell + 1], 1.0, -1.0)
            beyond = np.asarray(self.noise.survival(crossed[:, None] - self._sizes))
            for world, weights in enumerate(self._log_weights):
                parts = np.bincount(owner, sign * (beyond @ np.exp(weights)), minlength=some.size)
                found[world, start : start + rows] = over[:, 0] + parts
        return np.clip(found[0], 0.0, 1.0), np.clip(found[1], 0.0, 1.0)

    def _over(self, threshold: FloatArray, noisy: FloatArray) -> FloatArray:
        """By how much the log ratio at noisy counts exceeds thresholds, one each."""
        yes, no = self._logs(noisy)
        return yes - no - threshold

    # ---- what a noisy count tells -----------------------------------------------------------------------------------

    @overload
    def log_ratio(self, noisy_count: Number) -> float: ...
    @overload
    def log_ratio(self, noisy_count: ArrayLike) -> FloatArray: ...
    def log_ratio(self, noisy_count: ArrayLike) -> Any:
        """By how much a noisy count moves the log odds of the secret.

        Parameters
        ----------
        noisy_count : array_like; scalar or array; whole where the noise is
        """
        at = _checks.array("noisy_count", noisy_count)
        if self._whole:
            _checks.refuse_fractions("noisy_count", at)
        yes, no = self._logs(at.ravel())
        return _checks.scalar_or_array((yes - no).reshape(at.shape), noisy_count)

    @overload
    def posterior(self, noisy_count: Number, *, prior: Number) -> float: ...
    @overload
    def posterior(self, noisy_count: ArrayLike, *, prior: ArrayLike) -> FloatArray: ...
    def posterior(self, noisy_count: ArrayLike, *, prior: ArrayLike) -> Any:
        """Belief of a reader of a noisy count, for a belief `prior` in [0, 1] before it; they broadcast."""
        p = _checks.probability("prior", prior)
        return _checks.scalar_or_array(expit(logit(p) + self.log_ratio(noisy_count)), noisy_count, prior)

    @property
    def shift_limits(self) -> ShiftLimits:
        """By how much the log odds can move; infinite where Gaussian or discrete Gaussian noise lets the ratio grow."""
        if self.noise.log_power == 1:  # constant beyond the true counts, monotone between two of them
            at = self.log_ratio(self._sizes)
            return ShiftLimits(float(at.max()), float(-at.min()))
        if self.noise.budget_kind == "epsilon":
            raise Refused("noise", "be exponential or Gaussian for the limits of a shift", self.noise, Code.UNSUPPORTED)
        yes, no = (np.flatnonzero(np.isfinite(weights)) for weights in self._log_weights)
        weighed = self._log_weights[0][yes], self._log_weights[1][no]
        ends = [float(weighed[0][at] - weighed[1][at]) for at in (0, -1) if yes[at] == no[at]]
        up, down = max([float(self._ratios.max()), *ends]), max([-float(self._ratios.min()), *(-end for end in ends)])
        grows, falls = yes[-1] > no[-1] or yes[0] < no[0], no[-1] > yes[-1] or no[0] < yes[0]
        return ShiftLimits(math.inf if grows else up, math.inf if falls else down)

    @overload
    def right_guess(self, *, prior: Number = ...) -> float: ...
    @overload
    def right_guess(self, *, prior: ArrayLike = ...) -> FloatArray: ...
    def right_guess(self, *, prior: ArrayLike = 0.5) -> Any:
        """Probability that the best guess from the count is right, for a belief `prior` in [0, 1] before it.

        At least the larger of the belief and its complement; an average over the noise and over the relatives.
        """
        p = _checks.probability("prior", prior)
        yes, no = self._above(-logit(p.ravel()))
        guess = (p.ravel() * yes + (1.0 - p.ravel()) * (1.0 - no)).reshape(p.shape)
        return _checks.scalar_or_array(np.clip(guess, np.maximum(p, 1.0 - p), 1.0), prior)

    @overload
    def exceedance(self, shift: Number, *, side: Side = ..., direction: Direction = ...) -> float: ...
    @overload
    def exceedance(self, shift: ArrayLike, *, side: Side = ..., direction: Direction = ...) -> FloatArray: ...
    def exceedance(self, shift: ArrayLike, *, side: Side = "present", direction: Direction = "rise") -> Any:
        """Probability that the log odds of the reader's belief move by more than `shift`.

        Parameters
        ----------
        shift : array_like; at least 0, in log-odds units; a ratio within 1e-12 of it counts as equal to it
        side : str, optional; ``"present"`` where the secret is true, ``"absent"`` where it is not
        direction : str, optional; ``"rise"``, ``"fall"`` or ``"either"``
        """
        world = SIDES[:2].index(_checks.choice("side", side, SIDES[:2]))
        _checks.choice("direction", direction, DIRECTIONS)
        allowed = _checks.array("shift", shift, 0.0, allow_infinite=True)
        c = (allowed + 1e-12 * np.maximum(1.0, allowed)).ravel()
        found = np.zeros(c.size)
        if direction != "fall":
            found += self._above(c)[world]
        if direction != "rise":
            found += 1.0 - self._above(-c)[world]
        return _checks.scalar_or_array(found.reshape(allowed.shape), shift)

    @overload
    def detection(self, false_alarm: Number) -> float: ...
    @overload
    def detection(self, false_alarm: ArrayLike) -> FloatArray: ...
    def detection(self, false_alarm: ArrayLike) -> Any:
        """Largest probability of finding a true secret, for a test that accuses wrongly with this probability.

        The trade-off of the count: Neyman-Pearson. Unlike that of one record it need not be symmetric.

        Parameters
        ----------
        false_alarm : array_like; in [0, 1]; scalar or array
        """
        x = _checks.probability("false_alarm", false_alarm)
        low, high = np.full(x.size, self._ratios.min() - 1.0), np.full(x.size, self._ratios.max())
        for _ in range(50):  # so small an error of the threshold enters the result squared
            middle = (low + high) / 2
            more = self._above(middle)[1] > x.ravel()
            low, high = np.where(more, middle, low), np.where(more, high, middle)
        yes, no = self._above(high)
        found = np.clip(yes + np.exp(high) * (x.ravel() - no), x.ravel(), 1.0)
        return _checks.scalar_or_array(found.reshape(x.shape), false_alarm)
