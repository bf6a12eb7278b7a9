"""A total and its parts released so that they add up (Wang and Reiter), and the exact law of the summed noise.

Noise goes on the total and on every part. The released total is the most likely true total, either from its own
noisy value or also from the sum of the noisy parts; the released parts are a mode of the multinomial law with the
noisy parts as weights. Negative counts weigh 0; when every part weighs 0 the total is shared equally.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric, WholeNoise
from dpcore.totals._counts import Noise, refuse_large, total_and_parts, whole_counts
from dpcore.totals._partial_sums import CellNoise, IntArray, add_term, check_weights, window_reach
from dpcore.totals.apportionment import RowRule, TieRule, apportion_rows, multinomial_mode, webster
from dpcore.totals.noise import draw_noise
from dpcore.totals.projection import project_with_largest_remainder

Flavour = Literal["independent", "summed"]
"""Whether the total has noise of its own or is the sum of the noisy parts."""

FLAVOURS: tuple[Flavour, ...] = get_args(Flavour)
"""Where the released total comes from: its own noisy value, or also the sum of the noisy parts."""

TotalRule = Literal["multinomial mode", "Webster", "L2 + largest remainder", "proportional share"]
RULES: tuple[TotalRule, ...] = get_args(TotalRule)
"""How the parts are made to add up. 'proportional share' leaves fractions; it serves to compare bias."""

SMALLEST_LINEAR = 1e-280
"""Weights below this are recomputed on the log scale."""
LARGEST_LINEAR = 1e250
"""Weights above this are divided by the largest."""


def summed_noise_variance(epsilons: ArrayLike) -> float:
    """Variance of the sum of independent double-geometric noises.

    It is about accuracy: no promise about a secret belongs to it. Sum of 2a/(1 - a)^2, a = exp(-epsilon). Exact.
    Source: wang_reiter, Section 3.3

    Parameters
    ----------
    epsilons : array_like of float, shape (parts,); budget of each term, greater than 0

    Examples
    --------
    >>> round(summed_noise_variance([1.0] * 50), 1)
    92.1
    """
    budgets = _checks.array("epsilons", epsilons, 0.0, open_low=True)
    return float(sum(Geometric(epsilon=budget).variance for budget in budgets.ravel()))


def truncated_noise_variance(epsilon: float, *, limit: int) -> float:
    """Variance of double-geometric noise whose support is cut at -limit..limit.

    It is about accuracy: no promise about a secret belongs to it. Cutting the support breaks the privacy promise; the
    value explains published variances that are a few per cent low. Exact.
    Source: wang_reiter, Section 3.3; ours, the support they may have used in scenario 3

    Parameters
    ----------
    epsilon : float; budget, greater than 0
    limit : int; largest absolute noise kept, at least 0

    Examples
    --------
    >>> truncated_noise_variance(1.0, limit=0)
    0.0
    """
    budget = _checks.number("epsilon", epsilon, 0.0, open_low=True)
    k = np.arange(_checks.count("limit", limit, 0, 10_000_000) + 1, dtype=float)
    weights = np.exp(-budget * k)
    return float(2 * (k * k) @ weights / (2 * weights.sum() - 1))


@overload
def clamping_bias(true: Number, *, epsilon: Number) -> float: ...
@overload
def clamping_bias(true: ArrayLike, *, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def clamping_bias(true: ArrayLike, *, epsilon: ArrayLike) -> Any:
    """Mean of max(0, noisy count) minus the true count.

    It is about accuracy: no promise about a secret belongs to it. The value is a^(true + 1)/((1 + a)(1 - a)), a =
    exp(-epsilon). Exact.
    Source: ours, sum of the lower tail

    Parameters
    ----------
    true : int or array_like of int; true counts, at least 0
    epsilon : float or array_like of float; budgets, greater than 0

    Examples
    --------
    >>> round(clamping_bias(0, epsilon=1.0), 4)
    0.4255
    """
    counts = _checks.array("true", true, 0.0)
    _checks.refuse_fractions("true", counts, as_list=True)
    budgets = _checks.array("epsilon", epsilon, 0.0, open_low=True)
    return _checks.scalar_or_array(np.asarray(np.exp(-budgets * (counts + 1)) / -np.expm1(-2 * budgets)), true, epsilon)


def _log_add_term(log_weights: FloatArray, epsilon: float) -> FloatArray:
    """`add_term` without bounds on the log scale: slower, and safe from underflow."""

    def one_sided(values: FloatArray) -> FloatArray:
        result, step = values.copy(), 1
        while step < len(result):
            result[step:] = np.logaddexp(result[step:], result[:-step] - epsilon * step)
            step *= 2
        return result

    upward = one_sided(log_weights)
    downward = one_sided(log_weights[::-1])[::-1]
    upward[:-1] = np.logaddexp(upward[:-1], downward[1:] - epsilon)
    return upward


@overload
def summed_noise_log_pmf(value: Number, *, epsilons: ArrayLike) -> float: ...
@overload
def summed_noise_log_pmf(value: ArrayLike, *, epsilons: ArrayLike) -> FloatArray: ...
def summed_noise_log_pmf(value: ArrayLike, *, epsilons: ArrayLike) -> Any:
    """Log-probability of the sum of independent double-geometric noises.

    It is about accuracy: no promise about a secret belongs to it. Exact to rounding, relative in the tails too: two
    one-sided recursions a term, all terms positive; on the log scale where the probabilities leave the range of a
    double.
    Source: wang_reiter, Section 3.1.2, exactly instead of by 10,000 draws
    Source: ours, one-sided recursions; checked against rational arithmetic

    Parameters
    ----------
    value : int or array_like of int; values of the sum
    epsilons : array_like of float, shape (parts,); budget of each term, greater than 0

    Examples
    --------
    >>> round(summed_noise_log_pmf(100, epsilons=[1.0] * 50), 3)
    -43.175
    """
    at = _checks.array("value", value, -(2.0**31), 2.0**31)
    _checks.refuse_fractions("value", at, as_list=True)
    budgets = np.atleast_1d(_checks.array("epsilons", epsilons, 0.0, open_low=True))
    if budgets.ndim != 1 or budgets.size == 0:
        raise Refused(
            "epsilons", "be a list of at least one budget", budgets.shape, Code.EMPTY, got=f"shape {budgets.shape}"
        )
    furthest = int(np.abs(at).max(initial=0.0))
    reach = furthest + window_reach(budgets)
    check_weights(4 * (2 * reach + 1))  # four such arrays in each step
    index = at.astype(np.int64) + reach
    constant = float((np.log(-np.expm1(-budgets)) - np.log1p(np.exp(-budgets))).sum())
    weights = np.zeros(2 * reach + 1)
    weights[reach] = 1.0
    taken_out = 0.0
    for budget in budgets:
        weights = add_term(weights, float(budget))
        if weights[reach] > LARGEST_LINEAR:  # many small budgets: each multiplies the centre by up to 2/epsilon
            taken_out += math.log(weights[reach])
            weights /= weights[reach]
    if weights[reach + furthest] > SMALLEST_LINEAR:
        log_weights = taken_out + np.log(weights[index])
    else:
        log_window = np.full(2 * reach + 1, -np.inf)
        log_window[reach] = 0.0
        for budget in budgets:
            log_window = _log_add_term(log_window, float(budget))
        log_weights = log_window[index]
    return _checks.scalar_or_array(np.asarray(constant + log_weights), value)


LARGEST_SUM = 2**23
"""Most pairs of values of two partial sums whose noise is not the same."""


def _summed_log_pmf(values: IntArray, of_parts: CellNoise) -> FloatArray:
    """Log-probability of the sum of the parts' noise at whole values from 0 on, of either kind."""
    if of_parts.power == 1:
        return np.asarray(summed_noise_log_pmf(values, epsilons=of_parts.strengths))
    distinct, terms = np.unique(of_parts.strengths, return_counts=True)
    noises = [of_parts.kind.with_budget(float(strength)) for strength in distinct]
    if len(noises) == 1:
        return noises[0].log_sum_pmf(values.astype(float), int(terms[0]))
    reach = int(values.max(initial=0)) + of_parts.reach
    if (2 * reach + 1) ** 2 > LARGEST_SUM:
        raise Refused("noise_parts", "be the same for all parts where it is this wide", reach, Code.TOO_LARGE)
    window = np.arange(-reach, reach + 1)
    laws = [noise.log_sum_pmf(window.astype(float), int(count)) for noise, count in zip(noises, terms, strict=True)]
    log_sum = laws[0]
    for law in laws[1:]:
        steps = window[:, None] - window
        inside = np.where(np.abs(steps) <= reach, law[np.clip(steps + reach, 0, 2 * reach)], -np.inf)
        log_sum = logsumexp(inside + log_sum, axis=1)
    return np.asarray(log_sum[values + reach])


def _blended(total: IntArray, parts: IntArray, of_total: WholeNoise, of_parts: CellNoise) -> IntArray:
    """Most likely totals between their noisy values and the sums of the noisy parts, for normal-like noise.

    The j-th step from the noisy total costs strength (2 j - 1) and gains what the log of the summed law rises by. That
    law is log-concave, so the steps that pay come first.
    """
    gaps = np.abs(parts - total)
    farthest = int(gaps.max(initial=0))
    check_weights(8 * (farthest + 1))  # before the values are listed
    rises = -np.diff(_summed_log_pmf(np.arange(farthest + 1), of_parts))
    distinct, place = np.unique(gaps, return_inverse=True)
    costs = of_total.strength * (2 * np.arange(len(rises)) + 1) * (1 + 1e-10)  # as likely: no step
    steps = np.array([int((rises[:gap][::-1] > costs[:gap]).sum()) for gap in distinct], dtype=np.int64)
    return np.asarray(total + np.sign(parts - total) * steps[place].reshape(gaps.shape))


@lru_cache(maxsize=256)
def _switch(epsilon_total: float, epsilons: tuple[float, ...], gap: int) -> int:
    """Largest distance, up to `gap`, that the summed noise may keep from its own value in the released total.

    The summed law is log-concave: its fall from v to v + 1 grows with v. The total moves towards the sum while the
    summed law gains more than epsilon_total a step.
    """
    check_weights(8 * (gap + 1))  # before the values are listed
    falls = -np.diff(summed_noise_log_pmf(np.arange(gap + 1), epsilons=epsilons))
    return int(np.searchsorted(falls, epsilon_total, side="right"))


@overload
def released_totals(
    noisy_total: Number,
    noisy_sum: Number,
    *,
    epsilon_total: float | None = ...,
    epsilon_parts: ArrayLike | None = ...,
    noise_total: WholeNoise | None = ...,
    noise_parts: Noise | None = ...,
) -> int: ...
@overload
def released_totals(
    noisy_total: ArrayLike,
    noisy_sum: ArrayLike,
    *,
    epsilon_total: float | None = ...,
    epsilon_parts: ArrayLike | None = ...,
    noise_total: WholeNoise | None = ...,
    noise_parts: Noise | None = ...,
) -> IntArray: ...
@call_hint
def released_totals(
    noisy_total: ArrayLike,
    noisy_sum: ArrayLike,
    *,
    epsilon_total: float | None = None,
    epsilon_parts: ArrayLike | None = None,
    noise_total: WholeNoise | None = None,
    noise_parts: Noise | None = None,
) -> Any:
    """Most likely true total given its noisy value and the sum of the noisy parts (step 3').

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.
    Source: wang_reiter, (10); ours, the switch and the slope argument; checked by direct maximisation

    Parameters
    ----------
    noisy_total, noisy_sum : int or array_like of int; noisy total, and sum of the noisy parts
    epsilon_total : float, optional; budget of the total, greater than 0
    epsilon_parts : array_like of float, shape (parts,), optional; budget of each part, greater than 0
    noise_total : WholeNoise, optional; geometric or discrete Gaussian noise of the total, instead of `epsilon_total`
    noise_parts : sequence of WholeNoise, optional; noise of each part, of the same kind

    Returns
    -------
    int or numpy.ndarray of int
        Exact mode, at least 0. When epsilon_total is at least the smallest part's budget it is max(0, noisy total)
        whatever the parts say: the log of the summed law never falls by the smallest part's budget in one step, so
        moving away from the noisy total always loses. Otherwise the total follows the sum at a fixed distance: a
        switch, not a blend. With discrete Gaussian noise it is a blend at any budget: far from the sum the log of the
        summed law falls ever faster, and the total moves about as far as the variances weigh.

    Examples
    --------
    >>> released_totals(870, 861, epsilon_total=0.5, epsilon_parts=[0.5, 1, 2, 4])
    870
    >>> released_totals(21249, 21230, epsilon_total=0.1, epsilon_parts=[5.0] * 50)
    21230
    """
    counts = {}
    for name, item in (("noisy_total", noisy_total), ("noisy_sum", noisy_sum)):
        values = _checks.array(name, item)
        _checks.refuse_fractions(name, values, as_list=True)
        refuse_large(name, values)
        counts[name] = values.astype(np.int64)
    size = len(noise_parts) if isinstance(noise_parts, Sequence) else 1
    if epsilon_parts is not None:
        size = np.size(epsilon_parts)
    of_total, of_parts = total_and_parts(epsilon_total, epsilon_parts, noise_total, noise_parts, size)
    budget, budgets = of_total.strength, of_parts.strengths
    total, parts = np.broadcast_arrays(counts["noisy_total"], counts["noisy_sum"])
    if of_parts.power != 1:
        result = np.maximum(0, _blended(total, parts, of_total, of_parts))
    elif budget >= budgets.min():
        result = np.maximum(0, total)
    else:
        gap = int(np.abs(parts - total).max(initial=0))
        reach = _switch(budget, tuple(budgets.tolist()), gap) if gap else 0
        result = np.maximum(0, np.clip(total, parts - reach, parts + reach))
    return int(result) if result.ndim == 0 else np.asarray(result)


@dataclass(frozen=True)
class AdditiveRelease:
    """A released total and released parts that add up to it, none of them negative.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.

    Examples
    --------
    >>> AdditiveRelease(total=11, parts=(1, 10)).largest
    10
    """

    total: int
    parts: tuple[int, ...]

    @property
    def largest(self) -> int:
        """Largest released part."""
        return max(self.parts)


def _noisy(name: str, values: ArrayLike) -> IntArray:
    return whole_counts(name, values, -math.inf)


def release_additive(
    noisy_total: int,
    noisy_parts: ArrayLike,
    *,
    flavour: Flavour = "independent",
    epsilon_total: float = 1.0,
    epsilon_parts: ArrayLike = 1.0,
    noise_total: WholeNoise | None = None,
    noise_parts: Noise | None = None,
    rule: TotalRule = "multinomial mode",
    ties: TieRule = "finucan_first_index",
) -> AdditiveRelease:
    """Total and parts that add up, made from noisy counts.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays. Whole, non-negative
    numbers that add up. It uses only noisy counts: adding up costs no privacy.
    Source: wang_reiter, Section 3.2

    Parameters
    ----------
    noisy_total : int; noisy total; a negative one is released as 0
    noisy_parts : array_like of int, shape (parts,); noisy parts; negative ones weigh 0. When all weigh 0 and the total
        is positive it is shared equally.
    flavour : {'independent', 'summed'}; step 3 (the total alone) or step 3' (the total and the sum of the parts)
    epsilon_total, epsilon_parts : float or array_like of float; budgets of the noise, used by the flavour 'summed',
        greater than 0
    noise_total, noise_parts : WholeNoise, optional; the noise instead; of the parts, one or one for each
    rule : {'multinomial mode', 'Webster', 'L2 + largest remainder'}; how the parts are made to add up
    ties : {'finucan_first_index', 'lowest_index'}; tie rule of the multinomial mode. An analyst who infers the true
        counts needs to know it.

    Examples
    --------
    >>> release_additive(11, [1, 9])
    AdditiveRelease(total=11, parts=(1, 10))
    """
    parts = _noisy("noisy_parts", noisy_parts)
    total = _checks.count("noisy_total", noisy_total, -(2**40), 2**40)
    source = _checks.choice("flavour", flavour, FLAVOURS)
    kind = _checks.choice("rule", rule, RULES[:3])
    if source == "summed":
        noises = _noises(epsilon_total, epsilon_parts, noise_total, noise_parts, parts.size)
        total = int(released_totals(total, int(parts.sum()), **noises))
    total = max(0, total)
    if kind == "L2 + largest remainder":
        return AdditiveRelease(total, tuple(project_with_largest_remainder(parts, total).tolist()))
    weights = np.maximum(0, parts)
    if not weights.any():
        weights = np.ones_like(parts)
    if kind == "Webster":
        shared = webster(total, weights)
    else:
        shared = multinomial_mode(total, weights, ties=ties)
    return AdditiveRelease(total, tuple(shared))


def _noises(
    epsilon_total: float | None,
    epsilon_parts: ArrayLike | None,
    noise_total: WholeNoise | None,
    noise_parts: Noise | None,
    parts: int,
) -> dict[str, Any]:
    """What `released_totals` is asked with: epsilons where no noise is given, one for each part."""
    if noise_total is None and noise_parts is None:
        _, of_parts = total_and_parts(epsilon_total, epsilon_parts, None, None, parts)
        return {"epsilon_total": epsilon_total, "epsilon_parts": of_parts.strengths}
    total_and_parts(None, None, noise_total, noise_parts, parts)
    each = list(noise_parts) if isinstance(noise_parts, Sequence) else [noise_parts]
    return {"noise_total": noise_total, "noise_parts": each * parts if len(each) == 1 else each}


@dataclass(frozen=True)
class SimulatedReleases:
    """Simulated releases of a table: noisy counts and what was released, one draw a row. Not for release.

    A simulation, not for release, makes no promise: who knows the seed can take the noise off.

    Attributes
    ----------
    noisy_totals, totals : array of int, shape (draws,); noisy and released totals
    noisy_parts : array of int, shape (draws, parts); noisy parts
    parts : array, shape (draws, parts); released parts; whole numbers except for the rule 'proportional share'

    Examples
    --------
    >>> drawn = simulate_releases([5, 3], epsilon_total=1, epsilon_parts=1, size=4, seed=1)
    >>> drawn.noisy_parts.shape, bool((drawn.parts >= 0).all())
    ((4, 2), True)
    """

    noisy_totals: IntArray
    noisy_parts: IntArray
    totals: IntArray
    parts: np.ndarray


def simulate_releases(
    true: ArrayLike,
    *,
    epsilon_total: float | None = None,
    epsilon_parts: ArrayLike | None = None,
    noise_total: WholeNoise | None = None,
    noise_parts: Noise | None = None,
    rule: TotalRule = "multinomial mode",
    flavour: Flavour = "independent",
    ties: Literal["finucan_first_index", "lowest_index", "random"] = "finucan_first_index",
    size: int = 2000,
    seed: int | np.random.Generator = 0,
) -> SimulatedReleases:
    """Many simulated releases of one table, all draws at once. Not for release.

    A simulation, not for release, makes no promise: who knows the seed can take the noise off. Estimates made from it
    carry simulation error.
    Source: wang_reiter, Section 3.3

    Parameters
    ----------
    true : array_like of int, shape (parts,); true parts, at least 0; the true total is their sum
    epsilon_total : float, optional; budget of the total, greater than 0
    epsilon_parts : float or array_like of float, shape (parts,), optional; budget of the parts, greater than 0
    noise_total : WholeNoise, optional; geometric or discrete Gaussian noise of the total, instead of `epsilon_total`
    noise_parts : WholeNoise or sequence of WholeNoise, optional; noise of the parts, of the same kind
    rule : {'multinomial mode', 'Webster', 'L2 + largest remainder', 'proportional share'}; how the parts are made to
        add up. After the projection the units left over are a tie between all cells that stay positive; here they go to
        tied cells at random.
    flavour : {'independent', 'summed'}; where the released total comes from
    ties : {'finucan_first_index', 'lowest_index', 'random'}; tie rule of the multinomial mode and of Webster
        ('lowest_index' unless 'random'). With 'random' the parts are taken in random order in each draw; a procedure
        that compares floats behaves about like this.
    size : int; number of draws, at least 1
    seed : int or numpy.random.Generator; Seed. The noise depends on seed, budgets and size only, so two rules with the
        same seed see the same noise.

    Examples
    --------
    >>> drawn = simulate_releases([5, 3, 0], epsilon_total=1, epsilon_parts=1, size=4, seed=1)
    >>> bool((drawn.parts.sum(axis=1) == drawn.totals).all())
    True
    """
    counts = whole_counts("true", true)
    kind = _checks.choice("rule", rule, RULES)
    source = _checks.choice("flavour", flavour, FLAVOURS)
    tie_rule = _checks.choice("ties", ties, ("finucan_first_index", "lowest_index", "random"))
    total_and_parts(epsilon_total, epsilon_parts, noise_total, noise_parts, counts.size)
    generator = _checks.seeded(seed)
    draws = _checks.count("size", size, 1)
    of_total = draw_noise(epsilon=epsilon_total, noise=noise_total, cells=1, size=draws, seed=generator)
    noisy_totals = counts.sum() + of_total[:, 0]
    noise = draw_noise(epsilon=epsilon_parts, noise=noise_parts, cells=counts.size, size=draws, seed=generator)
    noisy_parts = counts + noise
    if source == "summed":
        noises = _noises(epsilon_total, epsilon_parts, noise_total, noise_parts, counts.size)
        totals = np.asarray(released_totals(noisy_totals, noisy_parts.sum(axis=1), **noises))
    else:
        totals = np.maximum(0, noisy_totals)
    weights = np.maximum(0, noisy_parts)
    parts: np.ndarray
    if kind == "L2 + largest remainder":
        parts = project_with_largest_remainder(noisy_parts, totals, tie_seed=generator)
    elif kind == "proportional share":
        weights[weights.sum(axis=1) == 0] = 1
        parts = totals[:, None] * (weights / weights.sum(axis=1, keepdims=True))
    else:
        name: RowRule = "webster" if kind == "Webster" else "lowest_index" if tie_rule == "lowest_index" else "mode"
        if tie_rule == "random":
            order = np.argsort(generator.random(weights.shape), axis=1)
            shuffled = apportion_rows(totals, np.take_along_axis(weights, order, axis=1), rule=name)
            parts = np.empty_like(shuffled)
            np.put_along_axis(parts, order, shuffled, axis=1)
        else:
            parts = apportion_rows(totals, weights, rule=name)
    return SimulatedReleases(noisy_totals, noisy_parts, totals, parts)
