"""Attack on a block with every count above it, up to the nation, or with every count of a tree of places.

The secret is the presence of one person, as in `two_levels`: added or removed, they move by one each count of a place
they live in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from dpcore import _checks
from dpcore.attacks import siblings
from dpcore.attacks._inputs import check_width, whole_numbers
from dpcore.attacks.two_levels import NOISE_LAWS, NoiseLaw
from dpcore.attacks.weighted import weighted_reading
from dpcore.errors import Code, Refused
from dpcore.mechanisms import _lattice

FloatArray = NDArray[np.float64]
MOST_PRODUCTS = 200_000_000
"""Most pairs of counts of two levels that are held at once."""


def effective_rho(rhos: Sequence[float], *, siblings: Sequence[int]) -> float:
    """The ρ of one plain count that teaches as much about one person's presence as a hierarchy away from its edge.

    An attack and no promise: it is about the presence of one person, who moves each count above them by one. The edge
    is where siblings hold nobody: their counts cannot be less than none. Exact for continuous Gaussian noise and a
    prior without edge. With d siblings it never exceeds the block's ρ times 1 + 1/d, however large the ρ above.
    Source: ours, recursion over levels; explains thesis, Figure 2.6

    Parameters
    ----------
    rhos : sequence of float; ρ of each level from the block up, greater than 0
    siblings : sequence of int; siblings at each level below the top, at least 0: one fewer than `rhos`

    Examples
    --------
    >>> round(effective_rho([0.0992, 0.2465], siblings=[27]), 4)
    0.1028
    """
    rates = [_checks.number("rhos", value, 0, open_low=True) for value in rhos]
    numbers = [_checks.count("siblings", value) for value in siblings]
    if not rates or len(numbers) != len(rates) - 1:
        raise Refused(
            "siblings",
            "have one entry per level below the top",
            (len(numbers), len(rates)),
            Code.WRONG_SHAPE,
            got=f"{len(numbers)} for {len(rates)} levels",
        )
    total = rates[-1]
    for rate, number in zip(rates[-2::-1], numbers[::-1], strict=True):
        total = rate + 1 / (1 / total + number / rate)
    return total


def log_odds(
    counts: ArrayLike,
    sibling_sums: ArrayLike,
    *,
    rhos: ArrayLike,
    siblings_per_level: Sequence[int],
    prior: float = 0.5,
    known: int = 0,
    noise: NoiseLaw = "approximate",
) -> float:
    """Logarithm of the attacker's odds of one person's presence, given counts of every level up to the nation.

    An attack and no promise: it is about the presence of one person, who moves each count above them by one. Exact,
    under a flat prior on the siblings' count at each level: a message passes from the top down to the block over a
    window that leaves out less than exp(-40) of the posterior.
    Source: ours, message passing; extends thesis, Chapter 2.3.2

    Parameters
    ----------
    counts : array of int; noisy count of the target's block, block group, and so on upwards
    sibling_sums : array of int; at each level below the top, the sum of the noisy counts of the siblings; one fewer
        than `counts`
    rhos : array of float; ρ of each level, greater than 0
    siblings_per_level : sequence of int; siblings at each level below the top, at least 0
    prior : float; belief before the release, in (0, 1). At 1/2 the result is the weight of evidence.
    known : int; people of the target's kind in the block whom the attacker knows
    noise : {'approximate', 'exact'}; law of the summed noise of the siblings

    Examples
    --------
    >>> from dpcore.attacks import two_levels
    >>> design = two_levels.TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> found = log_odds([2, 1], [-1], rhos=[0.0992, 0.2465], siblings_per_level=[27])
    >>> abs(found - two_levels.log_odds(2, 1, -1, design=design)) < 1e-10
    True
    """
    x = np.atleast_1d(whole_numbers("counts", counts))
    s = np.atleast_1d(whole_numbers("sibling_sums", sibling_sums if np.size(sibling_sums) else np.empty(0)))
    rates = np.atleast_1d(_checks.array("rhos", rhos, 0.0, open_low=True))
    _checks.choice("noise", noise, NOISE_LAWS)
    return _log_odds(x, s, rates, siblings_per_level, prior, _checks.count("known", known), noise)


def log_odds_of_tables(
    counts: Sequence[ArrayLike],
    sibling_sums: Sequence[ArrayLike],
    *,
    rhos: Sequence[ArrayLike],
    siblings_per_level: Sequence[int],
    prior: float = 0.5,
    known: int = 0,
) -> float:
    """Logarithm of the attacker's odds of one person's presence, given several tables of every level up to the nation.

    An attack and no promise: it is about the presence of one person, who moves each count above them by one. Each
    table of a level counts the target in one of its cells. It is assumed that everybody who is in such a cell without
    being in the smallest of them, the cell of all characteristics, is known: then all tables of a level read one whole
    number and are one reading (`dpcore.attacks.weighted`). Somebody who knows less guesses no better, if the others
    tell nothing of the secret. Otherwise as `log_odds`: exact under a flat prior on the siblings' count, with
    approximation (2.9) of each sum.
    Source: ours, sufficient readings and message passing; extends thesis, Chapter 2.3.2

    Parameters
    ----------
    counts : sequence of array of int; for the target's block, block group, and so on upwards: the noisy count of each
        table, less the people in it who are known not to be of the target's kind
    sibling_sums : sequence of array of int; at each level below the top, for each table the sum of the noisy counts of
        the siblings, less those who are known; one fewer than `counts`
    rhos : sequence of array of float; ρ of each of these counts, greater than 0
    siblings_per_level : sequence of int; siblings at each level below the top, at least 0
    prior : float; belief before the release, in (0, 1)
    known : int; people of the target's kind in the block whom the attacker knows

    Examples
    --------
    >>> rhos = [[0.05, 0.02], [0.1, 0.1]]
    >>> found = log_odds_of_tables([[2, 4], [1, 3]], [[0, 0]], rhos=rhos, siblings_per_level=[0])
    >>> round(found, 10)  # 0.05 * 3 + 0.02 * 7 + 0.1 * 1 + 0.1 * 5
    0.89
    """
    shapes = len(counts), len(sibling_sums) + 1, len(siblings_per_level) + 1
    if len({*shapes, len(rhos)}) > 1:
        got = f"{shapes[0]}, {shapes[1] - 1}, {shapes[2] - 1} and {len(rhos)}"
        rule = "have one entry per level, sums and siblings one fewer"
        raise Refused("counts, sibling_sums, siblings_per_level and rhos", rule, shapes, Code.WRONG_SHAPE, got=got)
    levels = [weighted_reading(one, rhos=rho) for one, rho in zip(counts, rhos, strict=True)]
    sums = [weighted_reading(one, rhos=rho) for one, rho in zip(sibling_sums, rhos[:-1], strict=True)]
    x, s = (np.array([reading.count for reading in found]) for found in (levels, sums))
    rates = np.array([reading.rho for reading in levels])
    return _log_odds(x, s, rates, siblings_per_level, prior, _checks.count("known", known), "approximate")


def _log_odds(
    x: FloatArray,
    s: FloatArray,
    rates: FloatArray,
    siblings_per_level: Sequence[int],
    prior: float,
    m: int,
    noise: NoiseLaw,
) -> float:
    """The log odds of readings, whole or not, of every level."""
    numbers = [_checks.count("siblings_per_level", value, 0, 100_000) for value in siblings_per_level]
    odds = float(logit(_checks.number("prior", prior, 0, 1, open_low=True, open_high=True)))
    for name, values in (("counts", x), ("sibling_sums", s), ("rhos", rates)):
        if values.ndim != 1:
            raise Refused(name, "be a list, with one entry per level", values.shape, Code.WRONG_SHAPE)
    if x.size == 0 or rates.size != x.size:
        raise Refused(
            "rhos",
            "have one entry per level",
            (rates.size, x.size),
            Code.WRONG_SHAPE,
            got=f"{rates.size} for {x.size} levels",
        )
    for name, size in (("sibling_sums", s.size), ("siblings_per_level", len(numbers))):
        if size != x.size - 1:
            raise Refused(
                name,
                "have one entry per level below the top",
                (size, x.size),
                Code.WRONG_SHAPE,
                got=f"{size} for {x.size} levels",
            )
    if any(number == 0 and total != 0 for number, total in zip(numbers, s, strict=True)):
        raise Refused("sibling_sums", "be 0 without siblings", s.tolist(), Code.INCONSISTENT, got="another value")
    windows = _windows(x, s, rates, numbers, m)
    first, last = windows[-1]
    message = -rates[-1] * (x[-1] - np.arange(first, last + 1)) ** 2
    for level in range(x.size - 2, -1, -1):
        low, high = windows[level] if level else (m, m + 1)
        if (high - low + 1) * (last - first + 1) > MOST_PRODUCTS:
            rule = f"be so large that at most {MOST_PRODUCTS:,} pairs of counts of two levels matter"
            raise Refused("rhos", rule, float(rates.min()), Code.TOO_LARGE)
        here = np.arange(low, high + 1)
        gaps = np.arange(first - high, last - low + 1.0)  # siblings' counts, seen from the highest count here first
        with np.errstate(invalid="ignore"):
            if numbers[level] == 0:
                fit = np.where(gaps == 0, 0.0, -np.inf)
            elif noise == "exact":
                check_width("siblings_per_level and rhos", numbers[level], float(rates[level]))
                fit = _lattice.log_sum_pmf(s[level] - gaps, numbers[level], float(rates[level]))
            else:
                fit = -rates[level] / numbers[level] * (s[level] - gaps) ** 2
        fit = np.where(gaps >= 0, fit, -np.inf)
        table = sliding_window_view(fit, last - first + 1)[::-1] + message
        peak = table.max(axis=1)
        safe = np.where(np.isfinite(peak), peak, 0.0)
        with np.errstate(divide="ignore"):
            passed = np.log(np.exp(table - safe[:, None]).sum(axis=1)) + safe
        message = passed - rates[level] * (x[level] - here) ** 2
        first, last = low, high
    if x.size == 1:
        message = -rates[0] * (x[0] - np.array([m, m + 1])) ** 2
    return float(odds + message[1] - message[0])


def _windows(
    x: FloatArray, s: FloatArray, rates: FloatArray, numbers: Sequence[int], known: int
) -> list[tuple[int, int]]:
    """Counts of each level that can hold more than exp(-40) of the posterior.

    The posterior is log-concave with curvature at least 2ρ at each level, so it falls at least as fast as a Gaussian
    from its constrained mode. The mode is a non-negative least-squares problem in the siblings' counts.
    """
    from scipy.optimize import nnls  # 0.2 s to import, and only attacks of many levels need it

    levels = x.size
    free = [level for level in range(levels - 1) if numbers[level]]
    rows, right = [], []
    for level in range(levels):
        weight = math.sqrt(rates[level])
        rows.append([weight if below < level else 0.0 for below in free])
        right.append(weight * (x[level] - known))
    for level in free:
        weight = math.sqrt(rates[level] / numbers[level])
        rows.append([weight if below == level else 0.0 for below in free])
        right.append(weight * s[level])
    mode = nnls(np.array(rows), np.array(right))[0] if free else np.zeros(0)
    counts = [
        known + float(sum(size for size, below in zip(mode, free, strict=True) if below < level))
        for level in range(levels)
    ]
    windows = []
    for level in range(levels):
        span = _lattice.reach(float(rates[level]), 40.0) + 2
        middle = round(counts[level])
        windows.append((max(known, middle - span), middle + span))
    return windows


@dataclass(frozen=True)
class Place:
    """A place of a whole-tree attack: its noisy count, its ρ, and its parts or the belief about it.

    What an attack reads, at each level; no promise by itself.
    Source: ours, whole-tree attack

    Parameters
    ----------
    noisy_count : int; released count
    rho : float; ρ of that count, greater than 0
    parts : tuple of Place; the places it is made of; empty for a block
    weights : tuple of float; for a block other than the target's: weights of 0, 1, 2, ... people, at least 0, not all
        0.

    Examples
    --------
    >>> block = Place(noisy_count=2, rho=0.1)
    >>> Place(noisy_count=1, rho=0.2, parts=(block, Place(noisy_count=0, rho=0.1, weights=(1.0,)))).parts[0] is block
    True
    """

    noisy_count: int
    _: KW_ONLY
    rho: float
    parts: tuple[Place, ...] = ()
    weights: tuple[float, ...] = (1.0,)


def tree_log_odds(tree: Place, path: Sequence[int], *, prior: float, known: int = 0) -> float:
    """Logarithm of the attacker's odds of one person's presence, using every count of a tree of places.

    An attack and no promise: it is about the presence of one person, who moves each count above them by one. Exact:
    each place sends its parent the law of its count; the target's path carries both hypotheses.
    Source: ours, upward messages over the tree

    Parameters
    ----------
    tree : Place; the top place
    path : sequence of int; which part to take at each level down to the target's block; empty when the top is the block
    prior : float; belief before the release, in (0, 1)
    known : int; people of the target's kind in the block whom the attacker knows

    Examples
    --------
    >>> group = Place(1, rho=0.2, parts=(Place(2, rho=0.1), Place(0, rho=0.1, weights=(1.0,))))
    >>> abs(tree_log_odds(group, [0], prior=0.5) - 0.1 * 3 - 0.2) < 1e-12
    True
    """
    m = _checks.count("known", known)
    odds = float(logit(_checks.number("prior", prior, 0, 1, open_low=True, open_high=True)))
    turns = list(path)

    def own(place: Place, start: int, size: int) -> FloatArray:
        count = float(whole_numbers("noisy_count", place.noisy_count))
        rate = _checks.number("rho", place.rho, 0, open_low=True)
        return np.asarray(-rate * (count - start - np.arange(size)) ** 2)

    def law(place: Place) -> FloatArray:
        if not place.parts:
            return siblings.sibling_kernel([place.noisy_count], rho=place.rho, prior=place.weights)
        together = np.zeros(1)
        for part in place.parts:
            together = siblings.log_convolution(together, law(part))
        return together + own(place, 0, together.size)

    line = [tree]
    for index in turns:
        parts = line[-1].parts
        if isinstance(index, bool) or not isinstance(index, (int, np.integer)) or not 0 <= index < len(parts):
            raise Refused("path", "lead to a block of the tree", turns, Code.OUT_OF_RANGE)
        line.append(parts[index])
    if line[-1].parts:
        raise Refused("path", "lead to a block of the tree", turns, Code.OUT_OF_RANGE)
    messages = [own(line[-1], m + counted, 1) for counted in (0, 1)]
    for place, index in zip(line[-2::-1], turns[::-1], strict=True):
        rest = np.zeros(1)
        for other, part in enumerate(place.parts):
            if other != index:
                rest = siblings.log_convolution(rest, law(part))
        messages = [
            (joined := siblings.log_convolution(message, rest)) + own(place, m + counted, joined.size)
            for counted, message in enumerate(messages)
        ]
    absent, present = (float(np.logaddexp.reduce(message)) for message in messages)
    return odds + present - absent
