"""Passing a shift on a given round, or on some round up to then: the running maximum of an attacker's log odds.

A plan is carried out round after round; its releases are independent and of named mechanisms. After t rounds the log
odds of the attacker's belief have moved by S_t = X_1 + ... + X_t, a random walk whose steps X are the privacy loss of
a whole round. Two observers ask two questions. One looks once, after round t: P(S_t > shift). One reads every round and
remembers: P(S_u > shift for some u up to t), which is larger. *On some round* is looked at after all releases of a
round, not between them; a plan with one release a round looks after each.

How the second chance is found: mass beyond the shift is taken out after every round, the rest moves on.

- Losses on a common lattice: exact, by convolution.
- Gaussian noise, with or without lattice losses: the equation v_(t+1)(x) = P(X > shift - x) + E[v_t(x + X); not beyond]
  by a trapezoid with end corrections of order 8; the error told is the difference to a grid coarser by a quarter.
- Everything else: one round's law is moved to a grid; the error told is what moving the shift by one step changes.

A guarantee alone is refused: the worst mechanism for delta (randomised response) has not the heaviest tails. What holds
for *any* mechanism, whatever its law and however the next release is chosen after seeing the ones before:

- In the world where the secret is false the likelihood ratio is a martingale, so it ever exceeds e^s with probability
  at most e^-s (`ville_bound`).
- Passing on some round up to t is one event of all releases up to t, and its odds are above e^s. So a bound on every
  event of them (epsilon and delta of all releases turned into a promise, a promise over every view, the tail of zCDP)
  holds for the observer who reads every round as it does for the one who looks once.

References
----------
ville, the maximal inequality for nonnegative martingales
ours, recursion, end corrections and the statement about every event; checked by simulation and enumeration
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import log_ndtr, ndtr

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property
from dpcore.privacy_loss import (
    DIRECTIONS,
    LOG_TAIL,
    SIDES,
    Direction,
    PrivacyLoss,
    RoundParts,
    Side,
    common_step,
    spectrum_power,
)

MOST_ROUNDS = 100_000
DIRECT_UP_TO = 1 << 18  # up to this many products of a round are summed directly, without a transform
MOST_POINTS = 1 << 18  # points of the lattice or grid on which one round moves
MOST_NODES = 1 << 15  # nodes of a trapezoidal rule
MOST_CENTRES = 1 << 20  # normal laws in a mixture, times the nodes at which each is known
LEAST_POINTS = 1 << 12
MOST_GRID = 1 << 14
MOST_ON_GRID = 1 << 17  # points of a grid between the farthest moves of a walk
MOST_PLACES = 1 << 15  # points of a grid that holds all its places
EXACT_WORK = 1 << 25  # points times rounds up to which a lattice is kept
WORK = 1 << 20  # points times rounds where losses have to be rounded
NODES_PER_STD = 6.0  # nodes for the normal part of one round
ROUNDING = 4e-17  # smaller shares of the largest mass are noise of the transform
NEGLIGIBLE = 1e-40  # share of a round's mass that is left out at its ends
SMALLEST_LOG = -740.0  # smaller chances underflow
TILT_BELOW = 1e-4  # smaller chances are computed from a tilted law
ORDERS: FloatArray = np.geomspace(1e-3, 1e3, 121)  # Chernoff orders tried


@overload
def ville_bound(shift: Number) -> float: ...
@overload
def ville_bound(shift: ArrayLike) -> FloatArray: ...
@call_hint
def ville_bound(shift: ArrayLike) -> float | FloatArray:
    """Largest chance that log odds ever rise by more than a shift although the secret is false.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round. A
    bound for **any mechanisms**, any number of releases, and any choice of the next release after seeing the ones
    before, in the world where the secret is false (the target is not in the data); also for a fall where it is true. It
    says nothing about a rise where the secret is true. The value is e^-shift, an upper bound.
    Source: ville, the maximal inequality for nonnegative martingales

    Parameters
    ----------
    shift : array_like; in log-odds units, at least 0; scalar or array

    Examples
    --------
    >>> round(ville_bound(math.log(99)), 6)  # a cap of 99 in 100 on a belief of 1 in 2
    0.010101
    """
    return _checks.scalar_or_array(np.exp(-_checks.array("shift", shift, 0.0)), shift)


@overload
def brownian_passing(*, rho: float, rounds: Number, shift: float) -> float: ...
@overload
def brownian_passing(*, rho: float, rounds: ArrayLike, shift: float) -> FloatArray: ...
@call_hint
def brownian_passing(*, rho: float, rounds: ArrayLike, shift: float) -> float | FloatArray:
    """Chance that a Brownian motion with the same drift and variance has passed a shift: Gaussian noise from above.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round.
    The walk of Gaussian losses is a Brownian motion with drift rho and variance 2 rho a round that is looked at only at
    whole rounds, so it passes less often. A bound, for Gaussian noise, the target in the data, rises. The value is
    Phi((rho t - s)/sqrt(2 rho t)) + e^s Phi(-(rho t + s)/sqrt(2 rho t)).
    Source: ours, Bachelier and Levy's law of the maximum; e^(2 drift s/variance) is e^s

    Parameters
    ----------
    rho : float; of one round, above 0
    rounds : array_like; at least 1; scalar or array
    shift : float; in log-odds units, above 0

    Examples
    --------
    >>> round(brownian_passing(rho=0.01, rounds=105, shift=math.log(99)), 4)  # the walk itself: .0103
    0.0121
    """
    variance = 2 * _checks.number("rho", rho, 0.0, open_low=True) * _checks.array("rounds", rounds, 1.0)
    s = _checks.number("shift", shift, 0.0, open_low=True)
    std = np.sqrt(variance)
    found = ndtr((variance / 2 - s) / std) + np.exp(s + log_ndtr(-(variance / 2 + s) / std))
    return _checks.scalar_or_array(np.minimum(found, 1.0), rounds)


@call_hint
@dataclass(frozen=True, eq=False)
class PassingChances:
    """Chances that log odds have moved by more than a shift, after rounds 1, 2, ..., for an observer of raw outputs.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round.

    Parameters
    ----------
    given : array; after round t itself, as somebody finds who looks once
    some : array; after some round up to t, as somebody finds who reads every round; it never falls
    error : array; by how much an entry of `some` may be off: below 1e-14 where certainty is ``"exact"``, else estimated
    certainty : str; ``"exact"`` or ``"estimate"``

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> twice = passing_chances(PrivacyLoss.of(Geometric(epsilon=math.log(3))), shift=1.0, rounds=2)
    >>> twice.given.round(6).tolist(), twice.some.round(6).tolist()  # up: 3/4; both up: 9/16; at first: 3/4
    ([0.75, 0.5625], [0.75, 0.75])
    """

    given: FloatArray
    some: FloatArray
    error: FloatArray
    certainty: str

    @property
    def some_upper(self) -> FloatArray:
        """The chances on some round with their error added: the safe side."""
        return np.minimum(self.some + self.error, 1.0)


@call_hint
def passing_chances(
    loss: PrivacyLoss, *, shift: float, rounds: int, side: Side = "present", direction: Direction = "rise"
) -> PassingChances:
    """Chances that the log odds of a belief have moved by more than a shift, on a given round and on some round.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round.
    One chance per round. Exact where losses share a lattice, otherwise an estimate with its error told.
    Source: ours, absorbing recursion; checked against enumeration and 200,000 simulated paths

    Parameters
    ----------
    loss : PrivacyLoss; the privacy loss of one round, of named mechanisms, independent from round to round
    shift : float; in log-odds units, at least 0; a loss within 1e-12 of it counts as equal to it, and equal is not
        beyond
    rounds : int; how many, from 1 to 100,000
    side : str, optional; whether the target is in the data (``"present"``) or not (``"absent"``)
    direction : str, optional; ``"rise"``, ``"fall"`` or ``"either"``

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> twice = passing_chances(PrivacyLoss.of(Geometric(epsilon=1.0)), shift=0.5, rounds=2)
    >>> [round(float(chance), 6) for chance in (*twice.given, *twice.some)]  # up, up-up; up, up at first
    [0.731059, 0.534447, 0.731059, 0.731059]
    """
    walk = _walk(loss, shift, _checks.count("rounds", rounds, 1, MOST_ROUNDS), side, direction)
    some, error = walk.passed()
    given = walk.beyond(1, walk.rounds)
    return PassingChances(
        given,
        np.maximum.accumulate(some),
        error,
        "exact" if walk.impossible or walk.lattice is not None else "estimate",
    )


@call_hint
@dataclass(frozen=True, kw_only=True)
class FirstPassing:
    """First rounds after which a shift is passed more often than allowed; None where no round looked at is.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round.

    Parameters
    ----------
    given : int or None; by the chance on that very round
    some : int or None; by the chance on some round up to then; never later than `given`

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> day = PrivacyLoss.of(Geometric(epsilon=math.log(3)))  # up on the first day: 3/4
    >>> first_passing(day, shift=1.0, failure=0.7, at_most=9)
    FirstPassing(given=1, some=1)
    """

    given: int | None
    some: int | None


@call_hint
def first_passing(
    loss: PrivacyLoss,
    *,
    shift: float,
    failure: float,
    at_most: int,
    side: Side = "present",
    direction: Direction = "rise",
) -> FirstPassing:
    """First rounds after which a shift is passed with more than a given chance, on that round and on some round.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round.
    Both rounds. The chance on a given round can fall again, so every round is looked at; where the chance on some round
    is an estimate its error is added first.
    Source: ours, checked by simulation

    Parameters
    ----------
    loss, shift, side, direction : PrivacyLoss or float or str; as in `passing_chances`
    failure : float; allowed chance, in [0, 1)
    at_most : int; rounds looked at

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian
    >>> day = PrivacyLoss.of(Gaussian(rho=0.01))
    >>> first_passing(day, shift=math.log(99), failure=0.01, at_most=3650)
    FirstPassing(given=112, some=105)
    """
    most = _checks.count("at_most", at_most, 1, MOST_ROUNDS)
    given = first_round_beyond(loss, shift=shift, failure=failure, at_most=most, side=side, direction=direction)
    some = first_round_passed(loss, shift=shift, failure=failure, at_most=given or most, side=side, direction=direction)
    return FirstPassing(given=given, some=given if some is None else some)


@call_hint
def first_round_passed(
    loss: PrivacyLoss,
    *,
    shift: float,
    failure: float,
    at_most: int,
    side: Side = "present",
    direction: Direction = "rise",
) -> int | None:
    """First round up to which a shift was passed on some round with more than a given chance; None up to `at_most`.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round.
    Exact on a lattice; elsewhere the error of the chance is added first, so the round may be early and never late. The
    parameters are those of `first_passing`.
    Source: ours, absorbing recursion up to the first round

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian
    >>> day = PrivacyLoss.of(Gaussian(rho=0.01))
    >>> first_round_passed(day, shift=math.log(99), failure=0.01, at_most=112)
    105
    """
    allowed = _checks.number("failure", failure, 0.0, 1.0, open_high=True)
    most = _checks.count("at_most", at_most, 1, MOST_ROUNDS)
    c, _ = _asked(loss, shift, side, direction)  # refuses anything else, even where the answer does not depend on it
    if allowed == 0.0:
        return _first_possible(loss, c, most)
    safe = safe_rounds(loss, shift=shift, failure=failure, side=side, direction=direction)
    horizon, last = min(max(2 * (safe + 1), 32), most), 0
    while safe < most and last < most:
        walk = _walk(loss, shift, horizon, side, direction)
        chances, error = walk.passed(stop_above=allowed)
        beyond = np.flatnonzero(np.minimum(chances + error, 1.0) > allowed)
        if beyond.size:
            return int(beyond[0]) + 1
        last, horizon = horizon, min(4 * horizon, most)
    return None


@call_hint
def safe_rounds(
    loss: PrivacyLoss, *, shift: float, failure: float, side: Side = "present", direction: Direction = "rise"
) -> int:
    """A number of rounds up to which a shift is passed with at most a given chance, on a round and on some round.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round.
    The largest t with min over s of e^(t k(s) - s shift) at most `failure`, k the logarithm of the moment E[e^(s X)]:
    e^(s S_t - t k(s)) is a martingale. A lower bound on the first round beyond, at most 100,000.
    Source: ours, Chernoff and Doob

    Parameters
    ----------
    loss, shift, side, direction : PrivacyLoss or float or str; as in `passing_chances`
    failure : float; allowed chance, in [0, 1)

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian
    >>> safe_rounds(PrivacyLoss.of(Gaussian(rho=0.01)), shift=math.log(99), failure=0.01)
    78
    """
    allowed = _checks.number("failure", failure, 0.0, 1.0, open_high=True)
    c, sign = _asked(loss, shift, side, direction)
    if allowed == 0.0 or c == 0.0:
        return 0
    if direction == "either":  # falls are rarer than rises by e^-shift in the world where rises are likely
        allowed, sign = allowed / (1 + math.exp(-c)), 1.0
    orders = _orders(loss, c)
    per_round = loss.log_moments(sign * orders)
    gained = math.log(allowed) + orders * c
    usable = gained > 0
    if not usable.any():
        return 0
    if (per_round[usable] <= 0).any():
        return MOST_ROUNDS
    return int(min(float((gained[usable] / per_round[usable]).max()) * (1 - 1e-9), MOST_ROUNDS))


@call_hint
def first_round_beyond(
    loss: PrivacyLoss,
    *,
    shift: float,
    failure: float,
    at_most: int,
    side: Side = "present",
    direction: Direction = "rise",
) -> int | None:
    """First round after which log odds lie beyond a shift with more than a given chance; None up to `at_most`.

    The promise is about the one secret that every round tells of, to an observer of a given round or of every round.
    The exact first round of losses on a lattice and of Gaussian ones: rounds a Chernoff bound does not clear are looked
    at one by one, because the chance can fall again after a round. The parameters are those of `first_passing`.
    Source: ours, checked against a scan

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> plan = PrivacyLoss(((Geometric(epsilon=0.3), 1), (Geometric(epsilon=0.1), 2)))
    >>> first_round_beyond(plan, shift=4 * math.atanh(0.6), failure=0.2, at_most=100, direction="either")
    24
    """
    allowed = _checks.number("failure", failure, 0.0, 1.0, open_high=True)
    most = _checks.count("at_most", at_most, 1, MOST_ROUNDS)
    c, _ = _asked(loss, shift, side, direction)  # refuses anything else, even where the answer does not depend on it
    if allowed == 0.0:
        return _first_possible(loss, c, most)
    start, length = safe_rounds(loss, shift=shift, failure=failure, side=side, direction=direction) + 1, 64
    while start <= most:
        last = min(start + length - 1, most)
        walk = _walk(loss, shift, last, side, direction)
        found = np.flatnonzero(walk.beyond(start, last) > allowed * (1 + 1e-13))
        if found.size:
            return start + int(found[0])
        start, length = last + 1, 2 * length
    return None


def _orders(loss: PrivacyLoss, distance: float) -> FloatArray:
    """Chernoff orders worth trying: around one, around the losses' own scale, and around what a distance asks for."""
    _, deviation, _ = loss.tilted(0.0)
    found = [ORDERS]
    if deviation > 0.0:
        found += [ORDERS / deviation, np.geomspace(0.1, 10.0, 21) * distance / deviation**2]
    orders = np.unique(np.concatenate(found))
    return orders[(orders > 1e-30) & (orders < 1e140)]


def _first_possible(loss: PrivacyLoss, shift: float, at_most: int) -> int | None:
    """First round after which a loss beyond the shift is possible at all; a loss reaches as far down as up."""
    if not math.isfinite(loss.largest):
        return 1
    c = shift + 1e-12 * max(1.0, shift)
    if loss.largest == 0.0 or c / loss.largest >= at_most:
        return None
    return math.floor(c / loss.largest) + 1


# ---- the law of one round -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Steps:
    """Losses offset + step (lowest + i) with masses tilted by e^(order z) and divided by their sum e^cumulant."""

    step: float
    offset: float
    lowest: int
    mass: FloatArray
    cumulant: float = 0.0

    @property
    def values(self) -> FloatArray:
        """The losses."""
        return np.asarray(self.offset + self.step * (self.lowest + np.arange(self.mass.size)))

    def mirrored(self) -> _Steps:
        """The law of minus the loss."""
        lowest = -(self.lowest + self.mass.size - 1)
        return _Steps(self.step, -self.offset, lowest, self.mass[::-1], self.cumulant)

    def on_multiples(self) -> _Steps:
        """The same law without an offset, on half the step where the losses lie between its multiples."""
        halves = round(2 * self.offset / self.step)
        if halves % 2 == 0:
            return _Steps(self.step, 0.0, self.lowest + halves // 2, self.mass, self.cumulant)
        spread = np.zeros(2 * self.mass.size - 1)
        spread[::2] = self.mass
        return _Steps(self.step / 2, 0.0, 2 * self.lowest + halves, spread, self.cumulant)


def _tilted(lowest: int, log_mass: FloatArray, exponents: FloatArray, count: int) -> tuple[int, FloatArray, float]:
    """Lowest index, masses and cumulant of `count` equal losses, each tilted, empty ends left out."""
    logs = log_mass + exponents
    top = float(logs.max())
    weights = np.exp(logs - top)
    kept = np.flatnonzero(weights > NEGLIGIBLE)
    first = int(kept[0])
    weights = weights[first : int(kept[-1]) + 1]
    total = float(weights.sum())
    at, power = _power(weights / total, count)
    return count * (lowest + first) + at, power, count * (top + math.log(total))


def _sum_of(one: FloatArray, other: FloatArray) -> FloatArray:
    """Masses of a sum: products added up where they are few, else by a transform."""
    if one.size * other.size <= DIRECT_UP_TO:
        return np.convolve(one, other)
    size = int(next_fast_len(one.size + other.size - 1, real=True))
    found = irfft(rfft(one, size) * rfft(other, size), size)[: one.size + other.size - 1]
    found[found < ROUNDING * found.max()] = 0.0
    return found


def _power(mass: FloatArray, count: int) -> tuple[int, FloatArray]:
    """Masses of the sum of `count` equal losses, by repeated squaring, empty ends left out, and where they begin."""
    found, square, at, square_at = np.ones(1), mass, 0, 0
    while True:
        if count & 1:
            found, at = _sum_of(found, square), at + square_at
        count >>= 1
        if not count:
            break
        square = _sum_of(square, square)
        kept = np.flatnonzero(square > NEGLIGIBLE)
        square, square_at = square[kept[0] : kept[-1] + 1], 2 * square_at + int(kept[0])
    return at, found


def _on_lattice(parts: RoundParts, order: float) -> _Steps | None:
    """The lattice losses of a round on their common lattice; None where there is none that is small enough."""
    if not parts.lattices:
        return _Steps(1.0, 0.0, 0, np.ones(1))
    step = common_step([part.step for part, _ in parts.lattices])
    if step is None:
        return None
    sizes = [count * (part.size - 1) * round(part.step / step) + 1 for part, count in parts.lattices]
    if sum(sizes) > MOST_POINTS:
        return None
    offset, lowest, mass, cumulant = 0.0, 0, np.ones(1), 0.0
    for part, count in parts.lattices:
        stride = round(part.step / step)
        first, own, more = _tilted(part.lowest, part.log_mass, order * part.values, count)
        spread = np.zeros((own.size - 1) * stride + 1)
        spread[::stride] = own
        mass = _sum_of(mass, spread)
        offset, lowest, cumulant = offset + count * part.offset, lowest + first * stride, cumulant + more
    return _Steps(step, offset, lowest, mass, cumulant)


def _split(values: FloatArray, mass: FloatArray, step: float, order: float = 0.0) -> tuple[int, FloatArray]:
    """Logarithms of masses moved to the multiples of a step, onto both neighbours so that the mean is kept.

    Masses may be tilted by e^(order value); they come back tilted by e^(order node).
    """
    position = values / step
    nearest = np.rint(position)
    position = np.where(np.abs(position - nearest) < 1e-9, nearest, position)
    below = np.floor(position).astype(np.int64)
    lowest, size = int(below.min()), int(below.max() - below.min()) + 2
    up = position - below
    down_mass, up_mass = mass * (1 - up), mass * up
    if order != 0.0:
        down_mass, up_mass = down_mass * np.exp(-order * step * up), up_mass * np.exp(order * step * (1 - up))
    moved = np.bincount(below - lowest, down_mass, size) + np.bincount(below - lowest + 1, up_mass, size)
    with np.errstate(divide="ignore"):
        return lowest, np.asarray(np.log(moved), dtype=np.float64)


def _laplace_steps(epsilon: float, step: float) -> tuple[int, FloatArray]:
    """One Laplace release on the multiples of a step: both atoms, and the density in cells with their means kept."""
    cells = max(8, math.ceil(2 * epsilon / step))
    width = 2 * epsilon / cells
    start = np.asarray(-epsilon + width * np.arange(cells), dtype=np.float64)
    mass = 0.5 * np.exp((start - epsilon) / 2) * math.expm1(width / 2)
    beyond_middle = width**2 / 24 if width < 1e-2 else width / 2 / math.tanh(width / 4) - 2
    places = np.append(start + (width / 2 + beyond_middle), [-epsilon, epsilon])
    return _split(np.asarray(places, dtype=np.float64), np.append(mass, [0.5 * math.exp(-epsilon), 0.5]), step)


def _normal_steps(rho: float, step: float, order: float) -> tuple[int, FloatArray]:
    """A normal loss on the multiples of a step: its density, or two atoms with its variance where it is narrower."""
    std = math.sqrt(2 * rho)
    if std < step:
        return _split(np.array([rho - std, rho + std]), np.array([0.5, 0.5]), step)
    reach = math.ceil(10 * std / step)
    centre = round((rho + 2 * rho * order) / step)  # where the tilted law is centred
    nodes = np.arange(centre - reach, centre + reach + 1)
    density = -(((nodes * step - rho) / std) ** 2) / 2 + math.log(step / std) - 0.5 * math.log(2 * math.pi)
    return int(nodes[0]), np.asarray(density)


def _on_grid(parts: RoundParts, step: float, order: float) -> _Steps:
    """The law of a round on the multiples of a step, each release's losses moved to them."""
    lowest, mass, cumulant = 0, np.ones(1), 0.0
    singles = [(_laplace_steps(epsilon, step), count) for epsilon, count in parts.laplaces]
    if parts.rho > 0.0:
        singles.append((_normal_steps(parts.rho, step, order), 1))
    for part, count in parts.lattices:  # composed on their own lattice and moved once
        start, own, more_cumulant = _tilted(part.lowest, part.log_mass, order * part.values, count)
        at = np.asarray(count * part.offset + part.step * (start + np.arange(own.size, dtype=np.float64)))
        singles.append((_split(at, own, step, order), 1))
        cumulant += more_cumulant
    for place, ((first, log_mass), count) in enumerate(singles):
        untilted = place < len(singles) - len(parts.lattices)
        nodes = first + np.arange(log_mass.size, dtype=np.float64)
        more = _tilted(first, log_mass, order * step * nodes if untilted else np.zeros(nodes.size), count)
        lowest, mass, cumulant = lowest + more[0], _sum_of(mass, more[1]), cumulant + more[2]
    return _Steps(step, 0.0, lowest, mass, cumulant)


# ---- the walk ------------------------------------------------------------------------------------------------------


def _asked(loss: PrivacyLoss, shift: float, side: str, direction: str) -> tuple[float, float]:
    """The shift, and +1 where the movement is a rise of the loss with the target in the data, else -1."""
    _checks.kind_of("loss", loss, PrivacyLoss, "a loss such as PrivacyLoss.of(Geometric(epsilon=0.1))")
    _checks.choice("side", side, SIDES[:2])
    _checks.choice("direction", direction, DIRECTIONS)
    c = _checks.number("shift", shift, 0.0)
    return c, 1.0 if direction == "either" or (side == "present") == (direction == "rise") else -1.0


def _walk(loss: PrivacyLoss, shift: float, rounds: int, side: str, direction: str) -> _Walk:
    c, sign = _asked(loss, shift, side, direction)
    return _Walk(loss, c + 1e-12 * max(1.0, c), rounds, sign, direction == "either")


def _end_weights() -> FloatArray:
    """Weights of the first nodes of a trapezoid on a half line, exact for polynomials up to degree 7.

    The sum over j >= 1 of f(j) exceeds the integral from 0 by the sum of zeta(-k) f^(k)(0)/k! (Euler and Maclaurin).
    """
    bernoulli = (1.0, 0.5, 1 / 6, 0.0, -1 / 30, 0.0, 1 / 42, 0.0, -1 / 30)
    wanted = [bernoulli[k + 1] / (k + 1) for k in range(8)]
    nodes = np.arange(8, dtype=float)
    extra = np.linalg.solve(np.vander(nodes, increasing=True).T, np.array(wanted))
    return np.asarray((nodes > 0) + extra)


END_WEIGHTS = _end_weights()


@dataclass(frozen=True)
class _Walk:
    """A random walk of losses with a barrier above its start, or on both sides."""

    loss: PrivacyLoss
    shift: float
    rounds: int
    sign: float
    two_sided: bool

    @cached_property
    def parts(self) -> RoundParts:
        return self.loss.round_parts

    @cached_property
    def smooth(self) -> RoundParts:
        """The parts of a round, wide discrete Gaussian noise as its normal limit."""
        return self.loss.smooth_round_parts

    def cumulant(self, order: float) -> float:
        """ln E[e^(order X)] of one round."""
        return self.loss.log_moment(self.sign * order)

    @cached_property
    def order(self) -> float:
        """The tilt under which small chances keep their digits: Chernoff's best where its bound is small."""
        if self.two_sided:
            return 0.0
        order, bound = self.chernoff
        return order if bound < math.log(TILT_BELOW) else 0.0

    @cached_property
    def orders(self) -> FloatArray:
        return _orders(self.loss, self.shift / self.rounds)

    @cached_property
    def chernoff(self) -> tuple[float, float]:
        """The order of the best bound on a passing in one direction, and its logarithm."""
        bounds = self.rounds * self.loss.log_moments(self.sign * self.orders) - self.orders * self.shift
        best = int(np.argmin(bounds))
        return float(self.orders[best]), float(bounds[best])

    @cached_property
    def impossible(self) -> bool:
        """Whether the shift is beyond all losses together, or passed with a chance below the smallest float."""
        if self.rounds * self.loss.largest <= self.shift:
            return True
        ways = (1.0, -1.0) if self.two_sided else (self.sign,)
        return all(replace(self, two_sided=False, sign=sign).chernoff[1] < SMALLEST_LOG for sign in ways)

    @cached_property
    def reach(self) -> tuple[float, float]:
        """How far the tilted walk goes down and up but with a chance of 1e-18."""
        at = self.cumulant(self.order)
        found = []
        for way in (-1.0, 1.0):
            rises = self.loss.log_moments(self.sign * (self.order + way * self.orders)) - at
            found.append(float(((LOG_TAIL + self.rounds * np.maximum(rises, 0.0)) / self.orders).min()))
        return found[0], found[1]

    @cached_property
    def lowest(self) -> float:
        """Positions below it are left out: hardly a walk comes there, or comes back from there to the barrier."""
        down, up = self.reach
        return -self.shift if self.two_sided else max(-down, self.shift - up)

    @cached_property
    def lattice(self) -> _Steps | None:
        """One round, where its losses share a lattice that is small enough."""
        if self.parts.rho > 0.0 or self.parts.laplaces:
            return None
        found = _on_lattice(self.parts, self.sign * self.order)
        if found is None or sum(self.reach) / found.step > MOST_POINTS:
            return None
        if (self.shift - self.lowest) / found.step * max(self.rounds, 64) > EXACT_WORK:
            return None
        return found if self.sign > 0 else found.mirrored()

    @cached_property
    def normal(self) -> tuple[float, FloatArray, FloatArray] | None:
        """Std, centres and masses of a mixture of normal laws, where the trapezoid needs few enough nodes."""
        parts = self.smooth
        std = math.sqrt(2 * parts.rho)
        if std == 0.0 or parts.laplaces or (self.shift - self.lowest) * NODES_PER_STD / std > MOST_NODES:
            return None
        atoms = _on_lattice(parts, 0.0)
        if atoms is None:
            return None
        kept = atoms.mass > NEGLIGIBLE
        nodes = (self.shift - self.lowest) * NODES_PER_STD / std
        if np.count_nonzero(kept) * max(nodes, 64.0) > MOST_CENTRES:
            return None
        return std, self.sign * (atoms.values[kept] + parts.rho), atoms.mass[kept]

    @cached_property
    def grid(self) -> _Steps:
        """One round with its losses moved to a grid."""
        points = min(max(WORK // self.rounds, LEAST_POINTS), MOST_GRID)
        return self._on_grid(max((self.shift - self.lowest) / points, sum(self.reach) / MOST_ON_GRID))

    @cached_property
    def wide_grid(self) -> _Steps:
        """The same on a grid that is coarse enough to hold every place the walk may come to."""
        return self._on_grid(max((self.shift - self.lowest) / MOST_GRID, sum(self.reach) / MOST_PLACES))

    def _on_grid(self, step: float) -> _Steps:
        widest = max((epsilon for epsilon, _ in self.parts.laplaces), default=0.0)
        if widest >= step:  # the atoms lie on the grid
            step = widest / math.ceil(widest / step)
        found = _on_grid(self.smooth, step, self.sign * self.order)
        return found if self.sign > 0 else found.mirrored()

    # ---- on a given round -----------------------------------------------------------------------------------------

    def beyond(self, first: int, last: int) -> FloatArray:
        """Chances after rounds first, ..., last themselves."""
        if self.impossible:
            return np.zeros(last - first + 1)
        parts = self.parts
        if parts.rho > 0.0 and not parts.lattices and not parts.laplaces:
            rho = parts.rho * np.arange(first, last + 1)
            found = ndtr((self.sign * rho - self.shift) / np.sqrt(2 * rho))
            return found + ndtr((-rho - self.shift) / np.sqrt(2 * rho)) if self.two_sided else found
        if self.two_sided:
            up, down = (replace(self, two_sided=False, sign=sign) for sign in (1.0, -1.0))
            return np.minimum(up.beyond(first, last) + down.beyond(first, last), 1.0)
        if self.lattice is not None:
            return _beyond(self.lattice, self, lambda places: (places > self.shift).astype(float), first, last)
        step = self.wide_grid.step  # a node stands for what lies within half a step of it
        return _beyond(self.wide_grid, self, lambda at: np.clip((at - self.shift) / step + 0.5, 0.0, 1.0), first, last)

    # ---- on some round --------------------------------------------------------------------------------------------

    def passed(self, stop_above: float = math.inf) -> tuple[FloatArray, FloatArray]:
        """Chances on some round up to 1, 2, ... and their errors; rounds end once a chance exceeds `stop_above`."""
        if self.impossible:
            return np.zeros(self.rounds), np.zeros(self.rounds)
        if self.lattice is not None:
            some = _absorbed(self.lattice, self, self.shift, stop_above)
            return some, np.zeros(some.size)
        if self.normal is not None:
            nearer = replace(self, shift=self.shift - self.smooth.slack)  # a limit and the law it stands for differ
            fine = _trapezoid(self, NODES_PER_STD, stop_above)
            coarse = _trapezoid(nearer, 0.75 * NODES_PER_STD, stop_above)
            size = min(fine.size, coarse.size)
            return fine[:size], np.abs(fine[:size] - coarse[:size])
        return self._between_cells(lambda barrier: _absorbed(self.grid, self, barrier, stop_above))

    def _between_cells(self, chances: Callable[[float], FloatArray]) -> tuple[FloatArray, FloatArray]:
        """Chances at the barrier from those half a step below and above two nodes; the second is how far they differ.

        A node stands for what lies within half a step of it, so mass up to node k is mass up to k and a half.
        """
        step = self.grid.step
        cell = math.floor(self.shift / step - 0.5)
        near, far = (chances((cell + k + 0.5) * step) for k in (0, 1))
        size, weight = min(near.size, far.size), self.shift / step - (cell + 0.5)
        near, far = near[:size], far[:size]
        return (1 - weight) * near + weight * far, near - far


def _beyond(law: _Steps, walk: _Walk, weights: Callable[[FloatArray], FloatArray], first: int, last: int) -> FloatArray:
    """Means of weights that are zero below the barrier, after rounds first, ..., last: powers of one spectrum.

    The sum over places of mass and weight is a sum over frequencies (Parseval), so a round costs one product.
    """
    tilted, cumulant = law.on_multiples(), law.cumulant
    down, up = walk.reach
    step, order, c = tilted.step, walk.order, walk.shift
    size = int(next_fast_len(math.ceil((down + up) / step) + 2 * tilted.mass.size + 8, real=True))
    spectrum = rfft(np.bincount((tilted.lowest + np.arange(tilted.mass.size)) % size, tilted.mass, size))
    start = math.floor(c / step) - 2
    length = min(max(math.ceil((up - c) / step) + tilted.mass.size, 8), size)
    places: FloatArray = step * (start + np.arange(length, dtype=np.float64))
    ring = np.zeros(size)
    ring[(start + np.arange(length)) % size] = weights(places) * np.exp(np.clip(order * (c - places), -700.0, 700.0))
    against = rfft(ring) * (2.0 / size)
    against[0] /= 2.0
    if size % 2 == 0:
        against[-1] /= 2.0
    power = spectrum_power(spectrum, first)
    found = np.empty(last - first + 1)
    for t in range(first, last + 1):
        if (t - first) % 16 == 0:  # frequencies without weight would only cost time
            heard = np.abs(power) > 1e-26
            power, spectrum, against = power[heard], spectrum[heard], against[heard]
        mean = max(float(np.vdot(against, power).real), 0.0)
        found[t - first] = mean * math.exp(min(t * cumulant - order * c, 700.0))
        power = power * spectrum
    return np.minimum(found, 1.0)


def _absorbed(law: _Steps, walk: _Walk, barrier: float, stop_above: float) -> FloatArray:
    """Chances of having been beyond a barrier: after every round what lies beyond is taken out, the rest moves on."""
    step, order, cumulant = law.step, walk.order, law.cumulant
    least = -barrier if walk.two_sided else walk.lowest
    longest = math.ceil((barrier - least) / step) + math.ceil(abs(law.offset) / step) + 4
    moves, log_above, log_below = _moves_within(law, order, longest)
    farthest_up, farthest_down = law.lowest + law.mass.size, law.lowest
    directly = longest * moves.mass.size <= DIRECT_UP_TO
    size = int(next_fast_len(longest + moves.mass.size, real=True))
    spectrum = None if directly else rfft(moves.mass, size)
    state, lowest, total = np.ones(1), 0, 0.0
    found = np.empty(walk.rounds)
    for t in range(1, walk.rounds + 1):
        base = t * law.offset
        highest, smallest = math.floor((barrier - base) / step), math.ceil((least - base) / step)
        near = min(max(highest - farthest_up - lowest, 0), state.size)  # no move from below it reaches the barrier
        places = lowest + np.arange(near, state.size)
        untilted = t * cumulant - order * ((t - 1) * law.offset + step * places)
        gone = np.minimum(log_above[np.clip(highest - places, -longest, longest)] + untilted, 0.0)
        total += float(state[near:] @ np.exp(np.maximum(gone, -800.0)))
        if walk.two_sided:
            near = min(max(smallest - farthest_down - lowest, 0), state.size)
            places = lowest + np.arange(near)
            total += float(state[:near] @ np.exp(log_below[np.clip(smallest - places, -longest, longest)]))
        found[t - 1] = total
        if total > stop_above:
            return np.minimum(found[:t], 1.0)
        if spectrum is None:
            state = np.convolve(state, moves.mass)
        else:
            state = irfft(rfft(state, size) * spectrum, size)[: state.size + moves.mass.size - 1]
        state[state < 1e-200] = 0.0  # rounding errors, and numbers so small that they only cost time
        lowest += moves.lowest
        first, last = max(smallest - lowest, 0), max(highest - lowest + 1, 0)
        state, lowest = state[first:last], lowest + first
        if state.size == 0 or total >= 1.0 - 1e-15:
            found[t:] = total
            break
    return np.minimum(found, 1.0)


def _moves_within(law: _Steps, order: float, longest: int) -> tuple[_Steps, FloatArray, FloatArray]:
    """Moves of at most so many steps, and ln of the chance of one above d and below d, negative d from the end.

    The first chance is divided by e^(cumulant) and multiplied by e^(-order move): what a tilted place has to be
    multiplied by to tell the chance of leaving from it.
    """
    indices = law.lowest + np.arange(law.mass.size)
    with np.errstate(divide="ignore"):
        logs = np.log(law.mass) - order * law.values
        top = float(logs.max())
        weights = np.exp(logs - top)
        above = np.append(np.cumsum(weights[::-1])[::-1], 0.0)  # at or above the i-th move
        below = np.append(0.0, np.cumsum(law.mass))  # below the i-th move
        distances = np.append(np.arange(longest + 1), np.arange(-longest, 0))
        log_above = np.log(above[np.searchsorted(indices, distances, side="right")]) + top
        log_below = np.log(below[np.searchsorted(indices, distances, side="left")])
    first, last = np.searchsorted(indices, (-longest, longest + 1))
    if first >= last:
        return _Steps(law.step, law.offset, 0, np.zeros(1), law.cumulant), log_above, log_below
    kept = law.mass[first:last]
    return _Steps(law.step, law.offset, int(indices[first]), kept, law.cumulant), log_above, log_below


def _trapezoid(walk: _Walk, nodes_per_std: float, stop_above: float) -> FloatArray:
    """Chances of having been beyond the barrier for a mixture of normal laws, the density kept at equal nodes."""
    assert walk.normal is not None
    std, centres, mass = walk.normal
    order, c = walk.order, walk.shift
    width = c - walk.lowest
    count = max(math.ceil(width * nodes_per_std / std) + 1, 4 * END_WEIGHTS.size)
    step = width / (count - 1)
    at: FloatArray = c - step * np.arange(count, dtype=np.float64)  # from the barrier down
    weights = np.full(count, step)
    weights[: END_WEIGHTS.size] *= END_WEIGHTS
    if walk.two_sided:
        weights[-END_WEIGHTS.size :] *= END_WEIGHTS[::-1]
    cumulant = walk.cumulant(order)

    def density(moves: FloatArray) -> FloatArray:
        """Of one move, tilted."""
        found = np.zeros(moves.size)
        for centre, share in zip(centres, mass, strict=True):
            found += share * np.exp(-(((moves - centre) / std) ** 2) / 2 + order * moves - cumulant)
        return found / (std * math.sqrt(2 * math.pi))

    def leaving(places: FloatArray) -> FloatArray:
        """Chance of moving beyond a barrier, times e^(-order place)."""
        found = np.zeros(places.size)
        for centre, share in zip(centres, mass, strict=True):
            found += share * np.exp(log_ndtr((centre + places - c) / std) - order * places)
            if walk.two_sided:
                found += share * ndtr((-c - places - centre) / std)
        return found

    size = int(next_fast_len(2 * count, real=True))
    moves = np.zeros(size)
    moves[:count] = density(at - c)  # down
    moves[size - count + 1 :] = density(c - at[:0:-1])  # up
    spectrum = rfft(moves)
    gone = leaving(at) * weights
    found = np.empty(walk.rounds)
    total = found[0] = float(leaving(np.zeros(1))[0])
    held = density(at)
    for t in range(1, walk.rounds):
        if total > stop_above:
            return np.minimum(found[:t], 1.0)
        total += float(gone @ held) * math.exp(min(t * cumulant, 700.0))
        found[t] = total
        if total >= 1.0 - 1e-15:
            found[t:] = total
            break
        held = irfft(rfft(held * weights, size) * spectrum, size)[:count]
        held[held < 1e-100] = 0.0  # rounding errors, and numbers so small that they only cost time
    return np.minimum(found, 1.0)
