"""Two laws of what is published, one where a secret is so and one where it is not, and what a reader learns.

Whoever knows the method, its parameters and every other record knows both laws. What is published moves the log odds of
a belief by its evidence, ln P(value | present) - ln P(value | absent); infinite evidence is certainty. Nothing is
assumed of the two laws: they need not be mirror images, and their supports may differ.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, logsumexp

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.privacy_loss import SIDES, Side
from dpcore.rounding import largest_remainders

HIDDEN = "x"
"""What is published in the place of a suppressed count."""
MOST_PAIRS = 1 << 22
"""So many pairs of losses may be added up at once when cells are combined."""
MOST_RELEASES = 10**15
"""So many releases a tally counts: a float tells each from the next."""
TOUCHES = 1e-12
"""A belief that is over a limit by no more than this share of it keeps to it: it is the error of the computation."""
SUMS_TO_ONE = 1e-9
"""How far from 1 the probabilities that are typed for a law may sum."""
LARGEST_TIMES = 10**15
"""Most cells of one kind."""
BELOW_CERTAINTY = math.nextafter(1.0, 0.0)
"""The largest belief that is not certainty."""
TOO_RARE = 1e-290
"""Smaller chances are computed from their logarithms."""
SMALLEST_CHANCE = math.ulp(0.0)
"""The smallest float above 0, which stands for every chance below it."""


@call_hint
def in_order(values: Sequence[Any]) -> list[Any]:
    """Published values in the order in which they are listed: numbers rising, what is hidden last.

    The method makes no promise: this is exact for the two laws, and for whoever knows them both.
    """
    try:
        return sorted(values, key=lambda value: (value == HIDDEN, 0 if value == HIDDEN else value))
    except TypeError:
        rule = f"be of one kind that has an order, or {HIDDEN!r} for what is hidden"
        raise Refused("values", rule, tuple(values), Code.WRONG_TYPE) from None


@call_hint
@dataclass(frozen=True, eq=False)
class TwoWorlds:
    """What is published where a secret is so and where it is not: both laws on the same values.

    The method makes no promise: this is exact for the two laws, and for whoever knows them both. Beliefs at a prior of
    0 or 1 are kept whatever is published. Everything is exact for the two laws, up to the rounding of floats.
    Source: ours, Bayes' theorem on two finite laws; checked by enumeration and simulation

    Parameters
    ----------
    values : tuple of object; what can be published in one of the worlds at least, each once
    log_present, log_absent : array; natural logarithm of the probability of each value where the secret is so, and
        where it is not; minus infinity where it cannot be published there

    Examples
    --------
    >>> rounded = TwoWorlds.from_laws(present={0: 1 / 3, 3: 2 / 3}, absent={0: 2 / 3, 3: 1 / 3})  # 2 or 1, to base 3
    >>> round(rounded.posterior_after(3, prior=0.5), 9), round(rounded.right_guess(), 9)
    (0.666666667, 0.666666667)
    >>> round(math.exp(rounded.epsilon(0.0)), 9)
    2.0
    """

    values: tuple[Hashable, ...]
    log_present: FloatArray
    log_absent: FloatArray

    @classmethod
    def from_laws(cls, *, present: Mapping[Any, float], absent: Mapping[Any, float]) -> TwoWorlds:
        """Two laws as the probability of each value in each world; values that cannot be published may be left out.

        Each must sum to 1 within 1e-9. Values are listed rising, a suppressed one last.
        """
        for name, law in (("present", present), ("absent", absent)):
            _checks.kind_of(name, law, Mapping, "values with their probabilities, such as {0: 0.5, 3: 0.5}")
            mass = _checks.array(name, list(law.values()), 0.0, 1.0)
            if abs(math.fsum(mass) - 1.0) > SUMS_TO_ONE:
                raise Refused(name, "sum to 1", law, Code.INCONSISTENT, got=f"{math.fsum(mass):g}")
        return cls.from_logs(
            *({value: math.log(mass) for value, mass in law.items() if mass > 0} for law in (present, absent))
        )

    @classmethod
    def from_logs(cls, present: Mapping[Any, float], absent: Mapping[Any, float]) -> TwoWorlds:
        """As `from_laws`, from logarithms that are taken as they are; only what can be published is listed."""
        values = in_order([*present, *(value for value in absent if value not in present)])
        logs = (np.array([law.get(value, -math.inf) for value in values]) for law in (present, absent))
        return cls(tuple(values), *logs)

    @property
    def present(self) -> FloatArray:
        """Probability of each value where the secret is so."""
        return np.exp(self.log_present)

    @property
    def absent(self) -> FloatArray:
        """Probability of each value where the secret is not so."""
        return np.exp(self.log_absent)

    @property
    def exchanged(self) -> TwoWorlds:
        """The same with the worlds exchanged: the count that a person leaves when the secret is so."""
        return TwoWorlds(self.values, self.log_absent, self.log_present)

    @cached_property
    def evidence(self) -> FloatArray:
        """By how much each value moves the log odds of a belief: infinite where it is possible in one world only."""
        return self.log_present - self.log_absent

    def _log_law(self, side: Side) -> FloatArray:
        return self.log_present if _checks.choice("side", side, SIDES[:2]) == "present" else self.log_absent

    def _law(self, side: Side) -> FloatArray:
        return np.exp(self._log_law(side))

    # ---- beliefs ----------------------------------------------------------------------------------------------

    @overload
    def posterior_after(self, value: Hashable, *, prior: Number) -> float: ...
    @overload
    def posterior_after(self, value: Hashable, *, prior: ArrayLike) -> FloatArray: ...
    def posterior_after(self, value: Hashable, *, prior: ArrayLike) -> Any:
        """Belief that the secret is so after a published value, for a belief before in [0, 1]."""
        if value not in self.values:
            raise Refused("value", "be possible in one of the two worlds", value, Code.INFEASIBLE)
        after = self.posteriors(prior=prior)[..., self.values.index(value)]
        return _checks.scalar_or_array(np.asarray(after), prior)

    def posteriors(self, *, prior: ArrayLike) -> FloatArray:
        """Belief that the secret is so after each value: the values along the last axis, priors along the others."""
        before = _checks.probability("prior", prior)[..., None]
        inside = (before > 0.0) & (before < 1.0)
        return np.where(inside, expit(logit(np.where(inside, before, 0.5)) + self.evidence), before)

    @overload
    def mean_posterior(self, *, prior: Number, side: Side = ...) -> float: ...
    @overload
    def mean_posterior(self, *, prior: ArrayLike, side: Side = ...) -> FloatArray: ...
    def mean_posterior(self, *, prior: ArrayLike, side: Side = "present") -> Any:
        """Expected belief in one of the worlds; over both, weighted by the prior, it is the prior itself."""
        return _checks.scalar_or_array(np.asarray(self.posteriors(prior=prior) @ self._law(side)), prior)

    @overload
    def probability_above(self, limit: Number, *, prior: Number, side: Side = ...) -> float: ...
    @overload
    def probability_above(self, limit: ArrayLike, *, prior: ArrayLike, side: Side = ...) -> FloatArray: ...
    @call_hint
    def probability_above(self, limit: ArrayLike, *, prior: ArrayLike, side: Side = "present") -> Any:
        """Probability that the belief ends above a limit: how often a line is passed, at its height for each prior.

        Exact, and 0 only where it is impossible. A belief keeps to a limit that it touches: one that is higher by a
        part in 10^12 at most. Certainty keeps to no limit below 1.

        Parameters
        ----------
        limit : array_like; highest acceptable belief after, at least the belief before; 1 is never passed
        prior : array_like; belief before, in [0, 1]; broadcast against `limit`
        side : {"present", "absent"}, optional; the world in which the release is drawn
        """
        highest, before = np.broadcast_arrays(_checks.probability("limit", limit), _checks.probability("prior", prior))
        if (highest < before).any():
            raise Refused("limit", "be at least the prior", float(highest[highest < before][0]), Code.WRONG_ORDER)
        kept = np.where(highest < 1.0, np.minimum(highest * (1 + TOUCHES), BELOW_CERTAINTY), 1.0)
        above = self.posteriors(prior=before) > kept[..., None]
        return _checks.scalar_or_array(self._chance(above, side), limit, prior)

    def probability_certain(self, *, side: Side = "present") -> float:
        """Probability that a value is published that rules the other world out, whatever the prior.

        With `side` "present" somebody becomes certain that the secret is so; with "absent" that it is not. It is 0 only
        where that is impossible: a chance that no float holds is the smallest float.
        """
        return float(self._chance(self._certain(side), side))

    def tally(self, groups: ArrayLike, *, releases: int = 100, side: Side = "present") -> NDArray[np.int64]:
        """How many of so many releases fall into each group of values: whole ones, by largest remainders.

        As whole releases are counted or drawn, not as they would fall: each is within 1 of what is expected.

        Parameters
        ----------
        groups : array of int; for each of `values` in their order the number of its group, from 0
        releases : int, optional; how many there are in all, at least 0
        side : {"present", "absent"}, optional; the world they come from

        Examples
        --------
        >>> rounded = TwoWorlds.from_laws(present={0: 1 / 3, 3: 2 / 3}, absent={0: 2 / 3, 3: 1 / 3})
        >>> rounded.tally([0, 1]).tolist(), rounded.tally([1, 0], side="absent").tolist()
        ([33, 67], [33, 67])
        """
        placed, count = np.asarray(groups), _checks.count("releases", releases, 0, MOST_RELEASES)
        if placed.shape != (len(self.values),) or placed.dtype.kind not in "iu" or placed.min(initial=0) < 0:
            rule = "be a whole number from 0 for each value"
            raise Refused("groups", rule, placed.tolist(), Code.WRONG_SHAPE)
        if placed.max(initial=0) >= MOST_PAIRS:
            raise Refused("groups", f"be less than {MOST_PAIRS}", placed.tolist(), Code.TOO_LARGE)
        return largest_remainders(np.bincount(placed, weights=self._law(side)), total=count)

    def _chance(self, values: NDArray[np.bool_], side: Side) -> FloatArray:
        """Probability of some of the values, along the last axis: 0 only of none that is possible, 1 surely of all."""
        possible, law = self._log_law(side) > -math.inf, self._law(side)
        some, every = (values & possible).any(axis=-1), (values | ~possible).all(axis=-1)
        return np.where(every, 1.0, np.where(some, np.clip(values @ law, SMALLEST_CHANCE, 1.0), 0.0))

    def _certain(self, side: Side) -> NDArray[np.bool_]:
        """Which values of one world rule the other one out."""
        return np.isposinf(self.evidence if side == "present" else -self.evidence)

    @overload
    def right_guess(self, *, prior: Number = ...) -> float: ...
    @overload
    def right_guess(self, *, prior: ArrayLike) -> FloatArray: ...
    def right_guess(self, *, prior: ArrayLike = 0.5) -> Any:
        """Largest probability that a guess about the secret is right, for a secret that is so with this probability.

        At least max(prior, 1 - prior); at 1/2 it is (1 + total variation distance)/2.
        """
        before = _checks.probability("prior", prior)
        if np.isinf(self.evidence).all():  # no value is possible in both worlds
            return _checks.scalar_or_array(np.ones(before.shape), prior)
        here, there = before[..., None] * self.present, (1.0 - before)[..., None] * self.absent
        best = np.clip(np.maximum(here, there).sum(axis=-1), np.maximum(before, 1.0 - before), 1.0)
        return _checks.scalar_or_array(best, prior)

    # ---- the privacy profile ----------------------------------------------------------------------------------

    @overload
    def delta(self, epsilon: Number, *, side: Side = ...) -> float: ...
    @overload
    def delta(self, epsilon: ArrayLike, *, side: Side = ...) -> FloatArray: ...
    def delta(self, epsilon: ArrayLike, *, side: Side = "present") -> Any:
        """The privacy profile in one direction: the largest P(event) - e^epsilon P'(event) over all events.

        Exact; it falls in epsilon.

        Parameters
        ----------
        epsilon : array_like; at least 0; infinity asks for `probability_certain`
        side : {"present", "absent"}, optional; the world of P; P' is the other one
        """
        asked = _checks.array("epsilon", epsilon, 0.0, allow_infinite=True)
        law, sign = self._law(side), 1.0 if side == "present" else -1.0
        found = np.array(
            [
                self.probability_certain(side=side) if one == math.inf else _excess(one, law, sign * self.evidence)
                for one in asked.ravel().tolist()
            ]
        )
        return _checks.scalar_or_array(found.reshape(asked.shape), epsilon)

    def epsilon(self, delta: float = 0.0) -> float:
        """Smallest epsilon at which neither direction of the profile is above delta; infinite where none is.

        Exact: the profile is piecewise linear in e^epsilon. Infinite where somebody becomes certain more often than
        delta; a chance that touches delta, higher by a part in 10^12 at most, keeps to it.

        Parameters
        ----------
        delta : float, optional; in [0, 1]
        """
        allowed = _checks.number("delta", delta, 0.0, 1.0)
        return max(
            _smallest_epsilon(allowed, self.log_present, self.log_absent),
            _smallest_epsilon(allowed, self.log_absent, self.log_present),
        )


def _excess(epsilon: float, law: FloatArray, evidence: FloatArray) -> float:
    """Sum of the positive parts of P - e^epsilon P', from P and its evidence against P'."""
    certain = np.isposinf(evidence)
    over = np.zeros(law.size)
    np.subtract(evidence, epsilon, out=over, where=(evidence > epsilon) & ~certain)
    return min(float(law @ np.where(certain, 1.0, -np.expm1(-over))), 1.0)


def _smallest_epsilon(delta: float, log_law: FloatArray, log_other: FloatArray) -> float:
    """Smallest epsilon of at least 0 with sum (P - e^epsilon P')+ <= delta."""
    evidence = log_law - log_other
    order = np.argsort(-evidence, kind="stable")
    knots, logs, others = evidence[order], log_law[order], log_other[order]
    first = int(np.isposinf(knots).sum())
    kept = slice(first, int((knots > 0.0).sum()))
    certain = float(np.exp(logs[:first]).sum())
    if certain > delta * (1 + TOUCHES) or (first and delta == 0.0):  # certainty may be too rare for a float
        return math.inf
    knots = knots[kept]
    if not knots.size:
        return 0.0
    if delta == 0.0:  # the largest evidence, however rare
        return float(knots[0])
    sums = certain + np.cumsum(np.exp(logs[kept]))
    log_sums = np.logaddexp.accumulate(others[kept])
    # the profile at a knot leaves that knot's own part out, so those of all parts up to it agree
    over = np.flatnonzero(sums - np.exp(knots + log_sums) > delta)
    # the first part whose own knot is over delta ends the piece on which the profile reaches delta
    last = (int(over[0]) if over.size else knots.size) - 1
    if last < 0:
        return float(knots[0])
    if sums[last] <= delta:
        return 0.0
    return max(math.log(sums[last] - delta) - float(log_sums[last]), 0.0)


# ---- several cells ----------------------------------------------------------------------------------------------


def _pairs(cells: Sequence[tuple[TwoWorlds, int]]) -> list[tuple[TwoWorlds, int]]:
    found = []
    for cell in cells:
        if not (isinstance(cell, tuple) and len(cell) == 2 and isinstance(cell[0], TwoWorlds)):
            raise Refused("cells", "be pairs of TwoWorlds and how many cells are like it", cell, Code.WRONG_TYPE)
        found.append((cell[0], _checks.count("times", cell[1], 1, LARGEST_TIMES)))
    if not found:
        raise Refused("cells", "name at least one cell", (), Code.EMPTY)
    return found


@call_hint
def certain_somewhere(cells: Sequence[tuple[TwoWorlds, int]], *, side: Side = "present") -> float:
    """Probability that at least one of many cells gives its secret away for certain.

    The method makes no promise: this is exact for the two laws, and for whoever knows them both. The value is 1 -
    prod(1 - c) over the chances c of the single cells: exact for independent cells.
    Source: ours, the product law

    Parameters
    ----------
    cells : sequence of tuple of TwoWorlds, int; a cell in its two worlds, and how many independent cells are like it.
        Cells with different people in them, or the same person in tables of different people; cells of exactly the same
        people count once.
    side : {"present", "absent"}, optional; the world in which the cells are drawn: a certain presence, or a certain
        absence

    Examples
    --------
    >>> shown = TwoWorlds.from_laws(present={0: 2 / 3, 3: 1 / 3}, absent={0: 1})  # 1 or 0, rounded at random to base 3
    >>> round(certain_somewhere([(shown, 2)]), 9)  # 1 - (2/3)^2
    0.555555556
    """
    logs = []
    for worlds, times in _pairs(cells):
        certain = worlds.probability_certain(side=side)
        logs.append(times * math.log1p(-certain) if certain < 1.0 else -math.inf)
    return abs(math.expm1(math.fsum(logs))) if min(logs) > -math.inf else 1.0


def _log_certain_somewhere(pairs: Sequence[tuple[TwoWorlds, int]], side: Side) -> float:
    """Its logarithm: where it is too small for a float, that of the sum of the chances, which are hardly together."""
    found = certain_somewhere(pairs, side=side)
    if found > TOO_RARE:
        return math.log(found)
    logs = [
        log + math.log(times)
        for worlds, times in pairs
        for log in worlds._log_law(side)[worlds._certain(side)].tolist()
    ]
    return float(logsumexp(logs)) if logs else -math.inf


@dataclass(frozen=True, eq=False)
class _Atoms:
    """The finite part of both laws of a sum of evidence, each value once, rising."""

    log_present: FloatArray
    log_absent: FloatArray

    @classmethod
    def of(cls, log_present: FloatArray, log_absent: FloatArray) -> _Atoms:
        """The atoms with equal evidence put together."""
        evidence = log_present - log_absent
        order = np.argsort(evidence, kind="stable")
        rising = evidence[order]
        apart = np.diff(rising) > TOUCHES * np.maximum(1.0, np.abs(rising[1:]))
        starts = np.concatenate([[0], np.flatnonzero(apart) + 1]) if rising.size else np.zeros(0, dtype=int)
        sums = (np.logaddexp.reduceat(logs[order], starts) if logs.size else logs for logs in (log_present, log_absent))
        return cls(*sums)

    def __add__(self, other: _Atoms) -> _Atoms:
        pairs = self.log_present.size * other.log_present.size
        if pairs > MOST_PAIRS:
            raise Refused("cells", f"have at most {MOST_PAIRS:,} pairs of losses to add up", pairs, Code.TOO_LARGE)
        return _Atoms.of(
            np.add.outer(self.log_present, other.log_present).ravel(),
            np.add.outer(self.log_absent, other.log_absent).ravel(),
        )

    def times(self, count: int) -> _Atoms:
        """The sum over so many equal cells, by repeated doubling."""
        if count == 1:
            return self
        half = self.times(count // 2)
        both = half + half
        return both + self if count % 2 else both


@call_hint
def combine(cells: Sequence[tuple[TwoWorlds, int]]) -> TwoWorlds:
    """Two worlds of several independent cells about one secret, as the laws of their summed evidence.

    The method makes no promise: this is exact for the two laws, and for whoever knows them both. Its values are the
    sums of evidence, infinite where a cell rules a world out: all that a belief depends on. Exact; sums that agree
    within 1e-12 are one value.
    Source: ours, convolution of the two laws of the evidence; checked by enumeration

    Parameters
    ----------
    cells : sequence of tuple of TwoWorlds, int; a cell in the two worlds of one secret, and how many independent cells
        are like it

    Examples
    --------
    >>> rounded = TwoWorlds.from_laws(present={0: 1 / 3, 3: 2 / 3}, absent={0: 2 / 3, 3: 1 / 3})
    >>> twice = combine([(rounded, 2)])
    >>> [round(math.exp(value), 9) for value in twice.values], twice.present.round(9).tolist()
    ([0.25, 1.0, 4.0], [0.111111111, 0.444444444, 0.444444444])
    """
    pairs = _pairs(cells)
    total: _Atoms | None = None
    for worlds, times in pairs:
        finite = np.isfinite(worlds.evidence)
        several = _Atoms.of(worlds.log_present[finite], worlds.log_absent[finite]).times(times)
        total = several if total is None else total + several
    assert total is not None
    sums = total.log_present - total.log_absent
    never = -math.inf
    logs = [_log_certain_somewhere(pairs, side) for side in ("absent", "present")]
    keep = np.array([logs[0] > never, *np.ones(sums.size, dtype=bool), logs[1] > never])
    values = np.concatenate([[-math.inf], sums, [math.inf]])[keep]
    return TwoWorlds(
        tuple(values.tolist()),
        np.concatenate([[never], total.log_present, [logs[1]]])[keep],
        np.concatenate([[logs[0]], total.log_absent, [never]])[keep],
    )
