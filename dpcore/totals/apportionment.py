"""Whole numbers that add up: a total shared out among parts in proportion to weights.

The mode of a multinomial law is the D'Hondt (Jefferson) apportionment: the next unit goes to the part with the largest
``weight / (units + 1)``. Webster divides by ``2 units + 1``; Hamilton rounds the exact shares down and gives what is
left to the largest remainders. Everything is decided in integers, so ties are ties and the tie rule is explicit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.errors import Code, Refused

IntArray = NDArray[np.int64]

TieRule = Literal["finucan_first_index", "lowest_index"]
RowRule = Literal["mode", "lowest_index", "webster", "hamilton"]
TIE_RULES: tuple[TieRule, ...] = get_args(TieRule)
"""Tie rules of `multinomial_mode`: Finucan's published procedure, or every tied unit to the lowest index."""

EXACT_RATIO_LIMIT = 2**26
"""Below this, two different ratios of whole numbers are at least 2^-52 apart, relatively: floats order them exactly."""

MODES_LIMIT = 100_000
"""Most tied modes that `all_multinomial_modes` lists."""


def _whole_weights(weights: ArrayLike) -> list[int]:
    """The weights as whole numbers in the same proportions (a float is the fraction it stores)."""
    values = _checks.array("weights", weights, 0.0)
    if values.ndim != 1 or values.size == 0:
        raise Refused(
            "weights", "be a list of at least one number", values.shape, Code.EMPTY, got=f"shape {values.shape}"
        )
    fractions = [Fraction(value) for value in np.asarray(weights).tolist()]
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    return [int(fraction * scale) for fraction in fractions]


def _checked(units: Any, weights: ArrayLike) -> tuple[int, list[int]]:
    total = _checks.count("units", units)
    whole = _whole_weights(weights)
    if total > 0 and not any(whole):
        raise Refused(
            "weights", "hold a positive number when there are units to share", weights, Code.EMPTY, got="zeros only"
        )
    return total, whole


def _divisor_method(total: int, weights: Sequence[int], step: int) -> list[int]:
    """Greedy awards by `weight / (step * units + 1)`, ties to the lowest index, from a start no run can miss.

    Every run awards each unit whose ratio is above the last awarded one, so counting those first leaves at most one
    award a part.
    """
    mass = sum(weights)
    if total == 0:
        return [0] * len(weights)
    if step == 1:  # units j with w/j > mass/total number ceil(w total/mass) - 1; their sum is below the total
        units = [max(0, -(-weight * total // mass) - 1) for weight in weights]
    else:  # units j with w/(2j-1) > mass/(2 total - parts): their sum is at most the total
        reach = 2 * total - len(weights)
        units = [0 if reach <= 0 else max(0, -((mass - weight * reach) // (2 * mass))) for weight in weights]
    for _ in range(total - sum(units)):
        best = 0
        for i in range(1, len(weights)):
            if weights[i] * (step * units[best] + 1) > weights[best] * (step * units[i] + 1):
                best = i
        units[best] += 1
    return units


def _finucan(total: int, weights: Sequence[int]) -> list[int]:
    """Finucan's procedure in integers: start at floor((total + parts/2) share), then correct, first index first."""
    parts, mass = len(weights), sum(weights)
    if total == 0:
        return [0] * parts
    units = [(2 * total + parts) * weight // (2 * mass) for weight in weights]
    while (gap := total - sum(units)) != 0:
        best = -1
        for i in range(parts):
            if gap > 0:
                better = best < 0 or weights[i] * (units[best] + 1) > weights[best] * (units[i] + 1)
            else:  # a part without units cannot give one back
                better = units[i] > 0 and (best < 0 or weights[i] * units[best] < weights[best] * units[i])
            if better:
                best = i
        units[best] += 1 if gap > 0 else -1
    return units


def multinomial_mode(units: int, weights: ArrayLike, *, ties: TieRule = "finucan_first_index") -> list[int]:
    """Most likely way in which a multinomial law shares the units among the parts.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays. Units of each part,
    exactly adding up. Exact: the comparisons are made in integers.
    Source: wang_reiter, Section 2.2
    Source: ours, the mode is the D'Hondt apportionment; checked against the multinomial law by enumeration

    Parameters
    ----------
    units : int; number of units to share (trials), at least 0
    weights : array_like of float, shape (parts,); weights of the parts, each at least 0; probabilities up to a common
        factor
    ties : {'finucan_first_index', 'lowest_index'}; which mode is taken when there are several: the one that Finucan's
        procedure finds with the first index at each tie, or the one in which every tied unit goes to the lowest index

    Examples
    --------
    >>> multinomial_mode(11, [1, 9])
    [1, 10]
    """
    rule = _checks.choice("ties", ties, TIE_RULES)
    total, whole = _checked(units, weights)
    return _finucan(total, whole) if rule == "finucan_first_index" else _divisor_method(total, whole, 1)


def dhondt(units: int, weights: ArrayLike) -> list[int]:
    """Apportionment by the largest `weight / (units + 1)`, ties to the lowest index (D'Hondt, Jefferson).

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays. Units of each part,
    exactly adding up. Exact.
    Source: ours, equal to the multinomial mode up to the tie rule

    Parameters
    ----------
    units : int; number of units to share, at least 0
    weights : array_like of float, shape (parts,); weights of the parts, each at least 0

    Examples
    --------
    >>> dhondt(3, [1, 1])
    [2, 1]
    """
    return _divisor_method(*_checked(units, weights), 1)


def webster(units: int, weights: ArrayLike) -> list[int]:
    """Apportionment by the largest `weight / (2 units + 1)`, ties to the lowest index (Webster, Sainte-Lague).

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays. It favours neither
    large nor small parts, unlike the multinomial mode, which favours large ones. Units of each part, exactly adding up.
    Exact.
    Source: ours, the even-handed counterpart of the mode step

    Parameters
    ----------
    units : int; number of units to share, at least 0
    weights : array_like of float, shape (parts,); weights of the parts, each at least 0

    Examples
    --------
    >>> webster(11, [1, 9])
    [1, 10]
    >>> webster(5, [3, 3, 4])
    [2, 1, 2]
    """
    return _divisor_method(*_checked(units, weights), 2)


def hamilton(units: int, weights: ArrayLike) -> list[int]:
    """Apportionment by exact shares rounded down, then one unit each to the largest remainders (Hamilton).

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays. Units of each part,
    exactly adding up; equal remainders go to the lowest index. Exact.
    Source: ours, largest remainder in integers

    Parameters
    ----------
    units : int; number of units to share, at least 0
    weights : array_like of float, shape (parts,); weights of the parts, each at least 0

    Examples
    --------
    >>> hamilton(10, [1, 1, 1, 4])
    [2, 1, 1, 6]
    """
    total, whole = _checked(units, weights)
    if total == 0:
        return [0] * len(whole)
    mass = sum(whole)
    shared = [total * weight // mass for weight in whole]
    order = sorted(range(len(whole)), key=lambda i: -(total * whole[i] % mass))
    for i in order[: total - sum(shared)]:
        shared[i] += 1
    return shared


def all_multinomial_modes(units: int, weights: ArrayLike) -> list[list[int]]:
    """Every most likely way in which a multinomial law shares the units, in lexicographic order.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.
    Source: ours, checked by brute force over all compositions

    Parameters
    ----------
    units : int; number of units to share, at least 0
    weights : array_like of float, shape (parts,); weights of the parts, each at least 0

    Returns
    -------
    list of list of int
        The modes. All agree except on which parts receive the units tied for the last places. Exact.

    Examples
    --------
    >>> all_multinomial_modes(2, [1, 1, 1])
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    total, whole = _checked(units, weights)
    if total == 0:
        return [[0] * len(whole)]
    last = min(Fraction(w, k) for w, k in zip(whole, _divisor_method(total, whole, 1), strict=True) if k > 0)
    certain = [math.ceil(w / last) - 1 if w else 0 for w in whole]
    tied = [i for i, w in enumerate(whole) if w and (w / last).denominator == 1]
    left = total - sum(certain)
    if math.comb(len(tied), left) > MODES_LIMIT:
        raise Refused(
            "units",
            f"leave at most {MODES_LIMIT} tied modes",
            (total, math.comb(len(tied), left)),
            Code.TOO_LARGE,
            got=f"{total} units, {math.comb(len(tied), left)} modes",
        )
    modes = []
    for chosen in itertools.combinations(tied, left):
        mode = list(certain)
        for i in chosen:
            mode[i] += 1
        modes.append(mode)
    return sorted(modes)


def _greedy(units: IntArray, weights: IntArray, gaps: IntArray, step: int) -> None:
    """Award the missing units row by row, in place (ties to the lowest index)."""
    rows = np.flatnonzero(gaps > 0)
    while rows.size:
        best = np.argmax(weights[rows] / (step * units[rows] + 1), axis=1)
        units[rows, best] += 1
        gaps[rows] -= 1
        rows = rows[gaps[rows] > 0]


def apportion_rows(units: ArrayLike, weights: ArrayLike, *, rule: RowRule = "mode") -> IntArray:
    """Apportionment of many draws at once: row by row the same answer as the function for one list.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.
    Source: ours, the functions of this module over rows

    Parameters
    ----------
    units : array_like of int, shape (draws,); units to share in each draw, from 0 to 2^26
    weights : array_like of int, shape (draws, parts); whole weights of each draw, from 0 to 2^26. A row of zeros shares
        equally.
    rule : {'mode', 'lowest_index', 'webster', 'hamilton'}; multinomial mode with Finucan's tie rule, multinomial mode
        with ties to the lowest index, Webster, or Hamilton

    Returns
    -------
    numpy.ndarray of int, shape (draws, parts)
        Rows that add up to `units`. Exact: below 2^26 a correctly rounded quotient orders ratios without error.

    Examples
    --------
    >>> apportion_rows([11, 2], [[1, 9], [0, 0]]).tolist()
    [[1, 10], [1, 1]]
    """
    rule = _checks.choice("rule", rule, ("mode", "lowest_index", "webster", "hamilton"))
    given = {"units": units, "weights": weights}
    checked = {name: _checks.array(name, values, 0, EXACT_RATIO_LIMIT) for name, values in given.items()}
    for name, values in checked.items():
        _checks.refuse_fractions(name, values, as_list=True)
    total, weight = checked["units"].astype(np.int64), np.array(checked["weights"].astype(np.int64), ndmin=2)
    if total.shape != weight.shape[:1] or weight.shape[1] == 0:
        raise Refused(
            "weights",
            f"have one row for each of the {total.size} units",
            weight.shape,
            Code.WRONG_SHAPE,
            got=f"shape {weight.shape}",
        )
    weight[weight.sum(axis=1) == 0] = 1
    parts, mass, column = weight.shape[1], weight.sum(axis=1)[:, None], total[:, None]
    if rule == "mode":
        shared = (2 * column + parts) * weight // (2 * mass)
    elif rule == "lowest_index":
        shared = np.maximum(0, -(-weight * column // mass) - 1)
    elif rule == "webster":
        reach = 2 * column - parts
        shared = np.where(reach > 0, np.maximum(0, -((mass - weight * reach) // (2 * mass))), 0)
    else:
        shared, remainder = np.divmod(column * weight, mass)
        order = np.argsort(-remainder, axis=1, kind="stable")
        extra = np.arange(parts) < (total - shared.sum(axis=1))[:, None]
        np.put_along_axis(shared, order, np.take_along_axis(shared, order, axis=1) + extra, axis=1)
        return np.asarray(shared)
    gaps = total - shared.sum(axis=1)
    _greedy(shared, weight, gaps, 2 if rule == "webster" else 1)
    rows = np.flatnonzero(gaps < 0)
    while rows.size:
        held = shared[rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            worst = np.argmin(np.where(held > 0, weight[rows] / held, np.inf), axis=1)
        shared[rows, worst] -= 1
        gaps[rows] += 1
        rows = rows[gaps[rows] < 0]
    return np.asarray(shared)
