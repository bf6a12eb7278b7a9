"""What a reader can still infer: the posterior of the true counts given noisy or given released counts.

The prior is uniform on non-negative counts. Given noisy counts the posterior is the noise law itself cut at 0 and
tied by the total: exact by convolution, any number of parts. Given released counts the likelihood is the probability
that the noisy parts fall in the wedge of weights whose multinomial mode is the release. The wedge does not depend on
the true counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from dpcore import _checks
from dpcore._cache import cached_by_size
from dpcore.chains import effective_sample_size, split_r_hat
from dpcore.errors import Code, Refused
from dpcore.mechanisms import WholeNoise
from dpcore.totals._counts import Noise, total_and_parts, whole_counts
from dpcore.totals._partial_sums import CellNoise, Chain, FloatArray, IntArray
from dpcore.totals.apportionment import EXACT_RATIO_LIMIT, TIE_RULES, RowRule, TieRule, apportion_rows, multinomial_mode
from dpcore.totals.conditioning import CellLaw, _law

TAIL = 40.0
"""Windows reach beyond the counts until noise is below exp(-40) of its peak: TAIL/epsilon, or sqrt(TAIL/rho)."""

LIGHT = 32.0
"""Boxes of the wedge that are exp(-32) of the heaviest weigh nothing; noise at 0.9 of its window is that light."""

SHIFTS = 4
"""Moves along the total in each sweep of the sampler: the boxes are weighed once for all of them."""

REGION_LIMIT = 40_000_000
"""Most noisy pairs that the exact two-part posterior looks at."""


@dataclass(frozen=True)
class NoisyPosterior:
    """Exact posterior of the true parts given a noisy total and noisy parts.

    It reads a release: the promise stays that of the noisy counts, about one step that moves each by one.

    Attributes
    ----------
    parts : tuple of CellLaw; law of each true part
    total : CellLaw; law of the true total

    Examples
    --------
    >>> found = posterior_from_noisy(10, [5, 5], epsilon_total=1.0, epsilon_parts=1.0)
    >>> [round(mean, 6) for mean in found.means]  # the same: nothing tells the parts apart
    [5.000079, 5.000079]
    """

    parts: tuple[CellLaw, ...]
    total: CellLaw

    @property
    def means(self) -> list[float]:
        """Posterior mean of each part."""
        return [law.mean for law in self.parts]

    @property
    def standard_deviations(self) -> list[float]:
        """Posterior standard deviation of each part."""
        return [math.sqrt(law.variance) for law in self.parts]


def _noisy_chain(
    noisy_total: int, noisy_parts: IntArray, of_total: WholeNoise, of_parts: CellNoise, *, raised: bool = False
) -> tuple[Chain, IntArray, FloatArray]:
    """Chain of the parts around their centres, these, and the total's weights on its sum.

    A part is centred on its noisy count, or on 0 where that is negative. On non-negative counts a^|n - N| of a negative
    n is then a constant times a^N: the law of n = 0; a^((n - N)^2) is a constant times a^(N^2 - 2 n N): its offset.
    `raised`, a total of 0 stands for any noisy total that is not above it.
    """
    centres = np.maximum(0, noisy_parts)
    power, strength = of_parts.power, of_total.strength
    total = max(0, noisy_total) if power == 1 else noisy_total
    if power != 1:
        of_parts = replace(of_parts, offsets=centres - noisy_parts)
    gap = abs(total - int(centres.sum()))
    reach = gap + of_parts.reach
    chain = Chain.of(of_parts, tuple(-int(s) for s in centres), reach)
    sums = np.arange(-reach, reach + 1) + int(centres.sum())
    distance = np.abs(total - sums) ** power
    terminal = np.exp(-strength * np.maximum(distance - distance[sums >= 0].min(), 0))
    if raised and total == 0 and power != 1:
        terminal = np.exp(np.asarray(of_total.log_cdf(-np.maximum(sums, 0.0))))
    if not (chain.law * terminal).any():
        got = f"{noisy_total} for {int(noisy_parts.sum())}"
        raise Refused(
            "noisy_total", "be one that noisy parts like these can have", noisy_total, Code.INFEASIBLE, got=got
        )
    return chain, centres, terminal


def posterior_from_noisy(
    noisy_total: int,
    noisy_parts: ArrayLike,
    *,
    epsilon_total: float | None = None,
    epsilon_parts: ArrayLike | None = None,
    noise_total: WholeNoise | None = None,
    noise_parts: Noise | None = None,
) -> NoisyPosterior:
    """Posterior of the true counts given the noisy total and the noisy parts.

    It reads a release: the promise stays that of the noisy counts, about one step that moves each by one. Exact to
    rounding, under a uniform prior on non-negative true parts.
    Source: wang_reiter, (6); ours, forward and backward convolution; checked by enumeration

    Parameters
    ----------
    noisy_total : int; noisy total, of any sign
    noisy_parts : array_like of int, shape (parts,); noisy parts, of any sign
    epsilon_total : float, optional; budget of the total's double-geometric noise, greater than 0
    epsilon_parts : float or array_like of float, shape (parts,), optional; budget of each part's noise, greater than 0
    noise_total : WholeNoise, optional; geometric or discrete Gaussian noise of the total, instead of `epsilon_total`
    noise_parts : WholeNoise or sequence of WholeNoise, optional; noise of the parts, of the same kind

    Examples
    --------
    >>> found = posterior_from_noisy(11, [1, 9], epsilon_total=1.0, epsilon_parts=1.0)
    >>> [round(mean, 4) for mean in found.means]
    [1.387, 9.3065]
    """
    parts = whole_counts("noisy_parts", noisy_parts, -math.inf)
    total = _checks.count("noisy_total", noisy_total, -(2**40), 2**40)
    noises = total_and_parts(epsilon_total, epsilon_parts, noise_total, noise_parts, parts.size)
    chain, centres, terminal = _noisy_chain(total, parts, *noises)
    laws = tuple(_law(weights, int(centre)) for weights, centre in zip(chain.marginals(terminal), centres, strict=True))
    return NoisyPosterior(laws, _law(chain.law * terminal, int(centres.sum())))


def _log_cdf(u: FloatArray, noise: CellNoise) -> FloatArray:
    """Log P(noise <= u), one part a column (a noise holds one strength)."""
    if noise.power != 1:
        return _tabled_log_cdf(u, noise)
    epsilon = noise.strengths
    low = -epsilon * np.abs(np.minimum(u, 0)) - np.log1p(np.exp(-epsilon))
    high = np.log1p(-np.exp(-epsilon * (np.maximum(u, 0) + 1)) / (1 + np.exp(-epsilon)))
    return np.where(u <= 0, low, high)


def _tabled_log_cdf(u: FloatArray, noise: CellNoise) -> FloatArray:
    """The same for noise without a closed form, by a table of whole numbers for each strength."""
    result, columns = np.empty(u.shape), np.broadcast_to(noise.strengths, u.shape)
    for strength in np.unique(noise.strengths):
        mine = columns == strength
        at = u[mine]
        finite = np.isfinite(at)
        found = np.where(at > 0, 0.0, -np.inf)
        if finite.any():
            whole = at[finite].astype(np.int64)
            values, place = np.arange(whole.min(), whole.max() + 1), whole - whole.min()
            if len(values) > 4 * len(whole):
                values, place = np.unique(whole, return_inverse=True)
            # P(noise <= v) = P(noise > -v - 1), by symmetry
            found[finite] = noise.kind.log_survivals(np.full(len(values), strength), -values - 1.0)[place]
        result[mine] = found
    return result


def _log_interval(low: FloatArray, high: FloatArray, noise: CellNoise) -> FloatArray:
    """Log P(low <= noise <= high), exact in either tail; -inf when empty."""
    # move intervals of the upper side to the lower side, where the distribution function keeps relative accuracy
    flip = low > 0
    below, above = np.where(flip, -high, low), np.where(flip, -low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        top = _log_cdf(above, noise)
        bottom = np.where(np.isneginf(below), -np.inf, _log_cdf(below - 1, noise))
        result = top + np.log(-np.expm1(np.minimum(bottom - top, 0.0)))
    return np.where(low > high, -np.inf, np.where(np.isneginf(bottom), top, result))


@dataclass(frozen=True)
class _Wedge:
    """The noisy parts whose mode (ties to the lowest index) is the release, cut by the best unit not awarded.

    Given that this unit is number k_j + 1 of part j and that w_j = v, every other part i lies in an interval: its last
    awarded unit beats v/(k_j + 1), its next one does not. For positive v the pieces (j, v) are disjoint boxes.
    """

    released: IntArray
    part: IntArray
    value: IntArray
    low: FloatArray
    high: FloatArray

    @classmethod
    def weighed_around(cls, released: IntArray, true: IntArray, noise: CellNoise) -> FloatArray:
        """Log-probability given the true parts of every box with v so near to both counts that no other one weighs.

        Along v of a part the probability is log-concave: the boxes go on until those at the ends are light.
        """
        nearest, farthest, margins = np.minimum(released, true), np.maximum(released, true), noise.within(TAIL)
        while True:
            wedge = cls._between(released, nearest - margins, farthest + margins)
            logs, part = wedge.log_weights(true, noise), wedge.part
            beyond = np.maximum(nearest[part] - wedge.value, wedge.value - farthest[part])
            outer = beyond > (margins - np.maximum(margins // 10, 3))[part]
            if logs[outer].max(initial=-math.inf) < logs.max(initial=-math.inf) - LIGHT:
                return logs
            margins = 2 * margins

    @classmethod
    def of_totals(cls, released: IntArray, reach: int) -> _Wedge:
        """The boxes of every noisy table whose positive parts sum to the released total give or take the reach.

        All units awarded beat v/(k_j + 1) and all others lose to it, so v/(k_j + 1) lies between the noisy sum over
        the units awarded and the ones not, and the noisy sum over the units awarded alone.
        """
        total, parts = int(released.sum()), len(released)
        many = released.astype(object) + 1  # products of counts beyond 2^31 leave 64 bits
        low = many * max(total - reach, 0) // (total + parts)
        high = -(-many * (total + reach) // total)
        return cls._between(released, low, high)

    @classmethod
    def _between(cls, released: IntArray, low_values: IntArray, high_values: IntArray) -> _Wedge:
        """The boxes with v between two values for each part, and at least 1."""
        parts, values = [], []
        for j, (first, last) in enumerate(zip(low_values, high_values, strict=True)):
            grid = np.arange(max(1, int(first)), int(last) + 1)
            parts.append(np.full(len(grid), j))
            values.append(grid)
        part, value = np.concatenate(parts), np.concatenate(values)
        k, index = released[None, :], np.arange(len(released))[None, :]
        if int(value.max(initial=0)) * (int(released.max()) + 1) >= 2**63:
            k = k.astype(object)
        ratio_top, ratio_bottom = value[:, None], released[part][:, None] + 1  # v/(k_j + 1)
        wins_tie = index < part[:, None]
        # w_i/k_i beats v/(k_j + 1): w_i (k_j + 1) > v k_i, or equal and i comes first
        exact_low = ratio_top * k
        low = np.where(wins_tie, -(-exact_low // ratio_bottom), exact_low // ratio_bottom + 1).astype(float)
        low[np.broadcast_to(k == 0, low.shape)] = -np.inf
        # w_i/(k_i + 1) loses to v/(k_j + 1): w_i (k_j + 1) < v (k_i + 1), or equal and i comes later
        exact_high = ratio_top * (k + 1)
        high = np.where(wins_tie, -(-exact_high // ratio_bottom) - 1, exact_high // ratio_bottom).astype(float)
        own = np.arange(len(released))[None, :] == part[:, None]
        low = np.where(own, ratio_top, low)
        high = np.where(own, ratio_top, high)
        kept = (low <= high).all(axis=1)
        return cls(released, part[kept], value[kept], low[kept], high[kept])

    def log_weights(self, true: IntArray, of_parts: CellNoise) -> FloatArray:
        """Log-probability of every box given the true parts."""
        return np.asarray(_log_interval(self.low - true, self.high - true, of_parts).sum(axis=1))


def _shift(
    true: IntArray,
    noise: IntArray,
    box: int,
    wedge: _Wedge,
    *,
    of_total: WholeNoise,
    shared: bool,
    generator: np.random.Generator,
) -> IntArray:
    """True parts moved with the noisy ones, the noise kept: an exact move along the total that the two blocks lack.

    Given the noise, every table whose noisy parts stay in a box of the wedge is as likely as its total makes it. A box
    is proposed by its number of tables and its middle total, a table in it evenly, and taken or not by the total it
    has (Metropolis and Hastings). `shared` says whether no positive part at all leads to the release too.
    """
    total = float(wedge.released.sum())
    low, high = np.maximum(wedge.low - noise, 0.0), wedge.high - noise
    if shared:
        low, high = np.vstack([low, np.zeros(len(noise))]), np.vstack([high, -noise])
    sizes = high - low + 1.0
    with np.errstate(divide="ignore"):
        logs = np.log(np.maximum(sizes, 0.0)).sum(axis=1)
    power, strength = of_total.log_power or 1, of_total.strength
    off = strength * np.abs(total - 0.5 * (low + high).sum(axis=1)) ** power
    logs = np.where((sizes >= 1).all(axis=1), logs - off, -np.inf)
    chances = np.cumsum(np.exp(logs - logs.max()))
    for _ in range(SHIFTS):
        picked = int(np.searchsorted(chances, generator.random() * chances[-1], side="right"))
        proposed = (low[picked] + np.floor(generator.random(len(noise)) * sizes[picked])).astype(np.int64)
        fallen = strength * (abs(total - true.sum()) ** power - abs(total - proposed.sum()) ** power)
        gain = fallen + off[picked] - off[box]
        if math.log(1.0 - generator.random()) < gain:
            true, box = proposed, picked
    return true


def _equal_share_log(true: IntArray, released: IntArray, of_parts: CellNoise, ties: TieRule) -> float:
    """Log-probability that every noisy part is at most 0, if sharing equally gives the release; -inf otherwise."""
    share = multinomial_mode(int(released.sum()), np.ones(len(released)), ties=ties)
    if share != released.tolist():
        return -math.inf
    return float(_log_cdf(-true.astype(float), of_parts).sum())


def _total_log(released_total: int, true_total: ArrayLike, noise: WholeNoise) -> FloatArray:
    """Log-probability of the released total max(0, noisy total)."""
    gap = released_total - np.asarray(true_total, dtype=float)
    return np.asarray(noise.log_cdf(gap) if released_total == 0 else noise.log_pmf(gap))


def released_log_likelihood(
    released: ArrayLike,
    true: ArrayLike,
    *,
    epsilon_total: float | None = None,
    epsilon_parts: ArrayLike | None = None,
    noise_total: WholeNoise | None = None,
    noise_parts: Noise | None = None,
    ties: TieRule = "lowest_index",
    share_equally: bool = True,
) -> float:
    """Log-probability of released parts given the true parts (flavour 'independent').

    It reads a release: the promise stays that of the noisy counts, about one step that moves each by one. Exact to
    rounding for any number of parts: the sum over the best unit not awarded of a product of interval probabilities.
    Source: wang_reiter, (11); ours, the wedge as disjoint boxes; checked by enumeration of noisy tables

    Parameters
    ----------
    released, true : array_like of int, shape (parts,); released and true parts, at least 0. The released total is the
        sum of the released parts.
    epsilon_total : float, optional; budget of the total's noise, greater than 0
    epsilon_parts : float or array_like of float, shape (parts,), optional; budget of each part's noise, greater than 0
    noise_total : WholeNoise, optional; geometric or discrete Gaussian noise of the total, instead of `epsilon_total`
    noise_parts : WholeNoise or sequence of WholeNoise, optional; noise of the parts, of the same kind
    ties : {'lowest_index', 'finucan_first_index'}; tie rule of the release. Finucan's rule is covered for two parts.
    share_equally : bool; whether a positive total with no positive noisy part counts as released in equal shares, as
        `release_additive` does. The paper leaves that case undefined; False leaves it out.

    Examples
    --------
    >>> round(released_log_likelihood([1, 4, 7], [2, 4, 6], epsilon_total=1, epsilon_parts=1), 4)
    -3.258
    """
    given = whole_counts("released", released)
    counts = whole_counts("true", true)
    if counts.size != given.size:
        raise Refused(
            "true",
            "have one count for each released part",
            (counts.size, given.size),
            Code.WRONG_SHAPE,
            got=f"{counts.size} for {given.size}",
        )
    of_total, of_parts = total_and_parts(epsilon_total, epsilon_parts, noise_total, noise_parts, given.size)
    rule, in_shares = _checks.choice("ties", ties, TIE_RULES), _checks.flag("share_equally", share_equally)
    total = float(_total_log(int(given.sum()), counts.sum(), of_total))
    if given.sum() == 0 or given.size == 1:
        return total
    if rule == "finucan_first_index":
        if given.size != 2:
            raise Refused("ties", "be 'lowest_index' for more than two parts", ties, Code.UNSUPPORTED)
        # noise less likely than the released pair by exp(-TAIL) is left out
        fall = float((of_parts.strengths * np.abs(given - counts).astype(float) ** of_parts.power).sum())
        more = of_parts.within(TAIL + fall) - of_parts.within(TAIL)
        region = _Region.of(given, counts - more, counts + more, of_parts, rule)
        return total + float(np.log(region.probability(counts[:1], counts[1:])[0, 0]))
    pieces = _Wedge.weighed_around(given, counts, of_parts)
    if in_shares:
        pieces = np.append(pieces, _equal_share_log(counts, given, of_parts, rule))
    return total + float(logsumexp(pieces))


@dataclass(frozen=True)
class _Region:
    """Noisy pairs that are released as the given pair: a mask over two ranges of noisy counts."""

    first: IntArray
    second: IntArray
    mask: FloatArray
    noise: CellNoise

    @classmethod
    def of(cls, released: IntArray, low: IntArray, high: IntArray, noise: CellNoise, ties: TieRule) -> _Region:
        """The region for true counts from `low` to `high`, found once: it does not depend on them."""
        margins = noise.within(TAIL)
        first, last = low - margins, high + margins
        largest, sizes = int(np.maximum(-first, last).max()), (last - first + 1).tolist()
        if largest > EXACT_RATIO_LIMIT:
            raise Refused("released", f"stay within {EXACT_RATIO_LIMIT} with its noise", largest, Code.TOO_LARGE)
        if sizes[0] * sizes[1] > REGION_LIMIT:
            raise Refused("window", f"leave at most {REGION_LIMIT} noisy pairs", sizes, Code.TOO_LARGE)
        axes = [np.arange(first[i], last[i] + 1) for i in range(2)]
        total = int(released.sum())
        if total == 0:
            mask = np.ones((len(axes[0]), len(axes[1])))
        else:  # only the positive pairs differ; the rest of each axis weighs 0
            positive = [axis[axis > 0] for axis in axes]
            heads = [np.concatenate([[0], axis]) for axis in positive]
            near = _near_ray(heads[0], heads[1], released)
            at = np.nonzero(near)
            pairs = np.column_stack([heads[0][at[0]], heads[1][at[1]]])
            rule: RowRule = "mode" if ties == "finucan_first_index" else "lowest_index"
            small = np.zeros(near.shape)
            small[at] = apportion_rows(np.full(len(pairs), total), pairs, rule=rule)[:, 0] == released[0]
            places = [np.maximum(0, np.searchsorted(positive[i], axes[i], side="right")) for i in range(2)]
            mask = small[np.ix_(*places)]
        return cls(axes[0], axes[1], mask, noise)

    def probability(self, first: IntArray, second: IntArray) -> FloatArray:
        """P(noisy pair in the region) for every pair of true counts, shape (first, second)."""
        # one axis after the other: no matrix product, whose threads wait on a busy machine
        along_second = self.noise.smoothed(self.mask, 1)[:, second - self.second[0]]
        along_both = self.noise.smoothed(along_second.T.copy(), 0)[:, first - self.first[0]].T
        return np.asarray(along_both * self.noise.constants.prod())


def _near_ray(first: IntArray, second: IntArray, released: IntArray) -> np.ndarray:
    """Pairs whose share could round to the release: a mode is never further than one unit and a half from its share."""
    mass = np.maximum(first[:, None] + second[None, :], 1)
    near = np.abs(first[:, None] * released.sum() - released[0] * mass) < 2 * mass
    near[0, 0] = True  # no positive part: shared equally
    return np.asarray(near)


@dataclass(frozen=True)
class TwoPartPosterior:
    """Exact posterior of two true counts given the released ones.

    It reads a release: the promise stays that of the noisy counts, about one step that moves each by one.

    Attributes
    ----------
    first, second : array of int; values of the two true counts
    probabilities : array of float, shape (len(first), len(second)); joint posterior

    Examples
    --------
    >>> even = TwoPartPosterior(np.array([0, 1]), np.array([0, 1]), np.array([[0.25, 0.25], [0.25, 0.25]]))
    >>> even.probability([1, 0]), even.total.probability(1)
    (0.25, 0.5)
    """

    first: IntArray
    second: IntArray
    probabilities: FloatArray

    def probability(self, pair: ArrayLike) -> float:
        """Posterior probability of one pair of true counts (0 outside the window)."""
        counts = whole_counts("pair", pair, -math.inf)
        if counts.size != 2:
            raise Refused("pair", "be two counts", counts.size, Code.WRONG_SHAPE)
        i, j = int(counts[0] - self.first[0]), int(counts[1] - self.second[0])
        inside = 0 <= i < len(self.first) and 0 <= j < len(self.second)
        return float(self.probabilities[i, j]) if inside else 0.0

    @property
    def laws(self) -> tuple[CellLaw, CellLaw]:
        """Marginal laws of the two counts."""
        return CellLaw(self.first, self.probabilities.sum(axis=1)), CellLaw(self.second, self.probabilities.sum(axis=0))

    @property
    def total(self) -> CellLaw:
        """Law of the true total."""
        sums = self.first[:, None] + self.second[None, :]
        weights = np.bincount((sums - sums.min()).ravel(), weights=self.probabilities.ravel()).astype(np.float64)
        return CellLaw(np.arange(len(weights)) + int(sums.min()), weights)


def _reach(of_total: WholeNoise, of_parts: CellNoise) -> int:
    """Distance from the release that noise leaves out: TAIL/epsilon of the widest, or the same of the sum under a rho.

    A sum of normal-like noises reaches as far as its variance; the parts below 0 that weigh 0 raise it by up to half
    the deviations.
    """
    if of_parts.power == 1:
        return math.ceil(TAIL / min(of_total.strength, *of_parts.strengths))
    spread = TAIL * (1 / of_total.strength + float((1 / of_parts.strengths).sum()))
    return math.ceil(math.sqrt(spread) + 0.5 * float(np.sqrt(0.5 / of_parts.strengths).sum()))


def posterior_from_released_pair(
    released: ArrayLike,
    *,
    epsilon_total: float | None = None,
    epsilon_parts: ArrayLike | None = None,
    noise_total: WholeNoise | None = None,
    noise_parts: Noise | None = None,
    ties: TieRule = "finucan_first_index",
    window: int | None = None,
) -> TwoPartPosterior:
    """Posterior of two true counts given the released counts (flavour 'independent').

    It reads a release: the promise stays that of the noisy counts, about one step that moves each by one. Exact to
    rounding inside the window, under a uniform prior on non-negative counts. The region of noisy pairs is found once
    and each axis is smoothed by the noise, instead of 61^2 x 61^2 runs of the mode finder.
    Source: wang_reiter, (11) and Table 3; ours, region once; equal to the published procedure

    Parameters
    ----------
    released : array_like of int, shape (2,); released parts, at least 0; they add up to the released total
    epsilon_total : float, optional; budget of the total's noise, greater than 0
    epsilon_parts : float or array_like of float, shape (2,), optional; budget of each part's noise, greater than 0
    noise_total : WholeNoise, optional; geometric or discrete Gaussian noise of the total, instead of `epsilon_total`
    noise_parts : WholeNoise or sequence of WholeNoise, optional; noise of the parts, of the same kind
    ties : {'finucan_first_index', 'lowest_index'}; tie rule of the release
    window : int, optional; true counts this far from the released ones are compared; by default 40 over the smallest
        epsilon, or as far as the sum of discrete Gaussian noise falls by exp(-40)

    Examples
    --------
    >>> found = posterior_from_released_pair([250, 357], epsilon_total=1, epsilon_parts=1, window=30)
    >>> round(found.probability([250, 357]), 4)
    0.2136
    """
    given = whole_counts("released", released)
    if given.size != 2:
        raise Refused("released", "be two counts", given.size, Code.WRONG_SHAPE)
    of_total, of_parts = total_and_parts(epsilon_total, epsilon_parts, noise_total, noise_parts, 2)
    rule = _checks.choice("ties", ties, TIE_RULES)
    width = _reach(of_total, of_parts) if window is None else _checks.count("window", window, 1)
    low, high = np.maximum(0, given - width), given + width
    region = _Region.of(given, low, high, of_parts, rule)
    first, second = (np.arange(low[i], high[i] + 1) for i in range(2))
    total = _total_log(int(given.sum()), first[:, None] + second[None, :], of_total)
    weights = region.probability(first, second) * np.exp(total - total.max())
    return TwoPartPosterior(first, second, weights / weights.sum())


@dataclass(frozen=True)
class SampledPosterior:
    """Posterior of the true counts given released counts, from parallel Gibbs chains: an estimate.

    It reads a release: the promise stays that of the noisy counts, about one step that moves each by one.

    Attributes
    ----------
    draws : array of int, shape (chains, sweeps, parts); true parts after each sweep

    Examples
    --------
    >>> drawn = SampledPosterior(np.array([[[1, 4], [3, 4]], [[2, 4], [2, 4]]]))
    >>> drawn.means
    [2.0, 4.0]
    """

    draws: IntArray

    @property
    def means(self) -> list[float]:
        """Estimated posterior mean of each part."""
        return [float(mean) for mean in self.draws.mean(axis=(0, 1))]

    @property
    def standard_deviations(self) -> list[float]:
        """Estimated posterior standard deviation of each part."""
        return [float(deviation) for deviation in self.draws.std(axis=(0, 1))]

    @property
    def effective(self) -> FloatArray:
        """Effective sample size of each part; all draws where chains that started apart stand at one value."""
        count = self.draws.shape[0] * self.draws.shape[1]
        still = np.ptp(self.draws, axis=(0, 1)) == 0
        return np.array(
            [count if still[i] else effective_sample_size(self.draws[:, :, i]) for i in range(self.draws.shape[2])],
            dtype=np.float64,
        )

    @property
    def r_hat(self) -> float:
        """Largest split R-hat of the parts: 1 when the halves of all chains agree."""
        return max(split_r_hat(self.draws[:, :, i]) for i in range(self.draws.shape[2]))

    @property
    def standard_errors(self) -> FloatArray:
        """Simulation error of each mean."""
        return np.asarray(self.draws.std(axis=(0, 1)) / np.sqrt(self.effective))


def _draw_in_box(low: FloatArray, high: FloatArray, of_parts: CellNoise, generator: np.random.Generator) -> IntArray:
    """Noise given that it lies in [low, high], one a part, by inversion."""
    if of_parts.power != 1:
        return _draw_weighed(low, high, of_parts, generator)
    epsilons = of_parts.strengths
    flip = low > 0
    below, above = np.where(flip, -high, low), np.where(flip, -low, high)
    top = np.exp(_log_cdf(above, of_parts))
    with np.errstate(invalid="ignore"):
        bottom = np.where(np.isneginf(below), 0.0, np.exp(_log_cdf(below - 1, of_parts)))
    level = bottom + (top - bottom) * generator.random(len(low))
    # F(u) = a^-u/(1 + a) for u <= 0, 1 - a^(u + 1)/(1 + a) for u >= 0
    growth = 1 + np.exp(-epsilons)
    with np.errstate(divide="ignore"):
        lower = np.ceil(np.log(level * growth) / epsilons)
        upper = np.ceil(-np.log(np.maximum(1 - level, 1e-300) * growth) / epsilons - 1)
    noise = np.clip(np.where(level * growth <= 1, lower, np.maximum(upper, 0)), below, above)
    return np.asarray(np.where(flip, -noise, noise).astype(np.int64))


def _draw_weighed(low: FloatArray, high: FloatArray, of_parts: CellNoise, generator: np.random.Generator) -> IntArray:
    """The same from weights listed around the likeliest value of each box, until they are exp(-TAIL) of its."""
    drawn = np.empty(len(low), dtype=np.int64)
    for part, (strength, uniform) in enumerate(zip(of_parts.strengths, generator.random(len(low)), strict=True)):
        likeliest = min(max(0.0, low[part]), high[part])
        far = math.ceil((abs(likeliest) ** of_parts.power + TAIL / strength) ** (1 / of_parts.power))
        values = np.arange(max(low[part], -far), min(high[part], far) + 1)
        falls = np.abs(values) ** of_parts.power - abs(likeliest) ** of_parts.power
        cumulated = np.cumsum(np.exp(-strength * falls))
        drawn[part] = values[np.searchsorted(cumulated, uniform * cumulated[-1], side="right")]
    return drawn


def posterior_from_released(
    released: ArrayLike,
    *,
    epsilon_total: float | None = None,
    epsilon_parts: ArrayLike | None = None,
    noise_total: WholeNoise | None = None,
    noise_parts: Noise | None = None,
    sweeps: int = 250,
    warm_up: int = 50,
    chains: int = 4,
    seed: int | np.random.Generator = 0,
    progress: Callable[[int, int], bool | None] | None = None,
) -> SampledPosterior:
    """Posterior of any number of true counts given the released counts, sampled (ties to the lowest index).

    It reads a release: the promise stays that of the noisy counts, about one step that moves each by one. Three moves
    alternate. The noisy parts given the true ones are drawn exactly: a box of the wedge by its probability, then each
    part inside its box. True and noisy parts move together, their difference kept, along the total. The true parts
    given the noisy parts and the total are drawn exactly and jointly. (One true count at a time is not enough: the
    wedge need not be connected by single steps; nor are the two exact draws when the parts hardly have noise.) An
    estimate; `effective` says how many independent draws it is worth.
    Source: wang_reiter, (11)
    Source: ours, two exact blocks and a move along the total; checked against the exact two-part posterior and
        enumeration

    Parameters
    ----------
    released : array_like of int, shape (parts,); released parts, at least 0, that add up to the released total
    epsilon_total : float, optional; budget of the total's noise, greater than 0
    epsilon_parts : float or array_like of float, shape (parts,), optional; budget of each part's noise, greater than 0
    noise_total : WholeNoise, optional; geometric or discrete Gaussian noise of the total, instead of `epsilon_total`
    noise_parts : WholeNoise or sequence of WholeNoise, optional; noise of the parts, of the same kind
    sweeps, warm_up, chains : int; sweeps kept of each chain, sweeps left out before them, and chains, which start apart
    seed : int or numpy.random.Generator; seed of the generator
    progress : callable, optional; called with (done, all) after each sweep of all chains; returning True stops early
        and keeps what there is

    Examples
    --------
    >>> found = posterior_from_released([3, 5, 2], epsilon_total=1, epsilon_parts=1, sweeps=20, warm_up=2, seed=1)
    >>> found.draws.shape
    (4, 20, 3)
    """
    given = whole_counts("released", released)
    of_total, of_parts = total_and_parts(epsilon_total, epsilon_parts, noise_total, noise_parts, given.size)
    kept, warm = _checks.count("sweeps", sweeps, 1), _checks.count("warm_up", warm_up)
    width = _checks.count("chains", chains, 1)
    generator = _checks.seeded(seed)
    total = int(given.sum())
    wedge = None
    if total and given.size > 1:
        wedge = _Wedge.of_totals(given, _reach(of_total, of_parts))
    shared = math.isfinite(_equal_share_log(given, given, of_parts, "lowest_index"))

    @cached_by_size()
    def chances_of_boxes(*true: int) -> FloatArray:
        """Cumulated weights of the boxes given the true parts, the last that of no positive part."""
        assert wedge is not None
        at = np.array(true)
        logs = np.append(wedge.log_weights(at, of_parts), _equal_share_log(at, given, of_parts, "lowest_index"))
        return np.cumsum(np.exp(logs - logs.max()))

    @cached_by_size()
    def chain_of_parts(*noisy: int) -> tuple[Chain, IntArray, FloatArray]:
        """Chain of the true parts given the noisy ones, its centres and the cumulated law of its sum."""
        chain, centres, terminal = _noisy_chain(total, np.array(noisy), of_total, of_parts, raised=True)
        return chain, centres, np.cumsum(chain.law * terminal)

    def sweep_from(true: IntArray) -> IntArray:
        """True parts after all three moves."""
        low, high = np.full(given.size, -np.inf), np.full(given.size, np.inf)
        box = 0
        if wedge is not None:
            chances = chances_of_boxes(*true.tolist())
            box = int(np.searchsorted(chances, generator.random() * chances[-1], side="right"))
            if box < len(wedge.part):
                low, high = wedge.low[box], wedge.high[box]
            else:
                high = np.zeros(given.size)
        noise = _draw_in_box(low - true, high - true, of_parts, generator)
        if wedge is not None:
            true = _shift(true, noise, box, wedge, of_total=of_total, shared=shared, generator=generator)
        chain, centres, sums = chain_of_parts(*(true + noise).tolist())
        at = int(np.searchsorted(sums, generator.random() * sums[-1], side="right")) - chain.reach
        return np.asarray(centres + chain.draw(np.array([at]), generator)[0])

    # chains start apart: the release, and the release with its total and its parts moved as far as noise moves them
    of_total_scale, scales = (x ** (1 / of_parts.power) for x in (of_total.strength, of_parts.strengths))
    scale = 1.0 + generator.laplace(0.0, 1.0 / of_total_scale, (width, 1)) / max(total, 1)
    started = np.round(given * scale + generator.laplace(0.0, 1.0, (width, given.size)) / scales)
    state = np.maximum(started, 0).astype(np.int64)
    state[0] = given
    draws = np.empty((width, kept, given.size), dtype=np.int64)
    done = 0
    for sweep in range(warm + kept):
        state = np.array([sweep_from(true) for true in state])
        if sweep >= warm:
            draws[:, sweep - warm] = state
            done = sweep - warm + 1
        if progress is not None and progress(sweep + 1, warm + kept) and done:
            break
    return SampledPosterior(draws[:, :done])
