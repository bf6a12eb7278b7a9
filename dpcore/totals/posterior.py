"""What a reader can still infer: the posterior of the true counts given noisy or given released counts.

The prior is uniform on non-negative counts. Given noisy counts the posterior is the noise law itself cut at 0 and
tied by the total: exact by convolution, any number of parts. Given released counts the likelihood is the probability
that the noisy parts fall in the wedge of weights whose multinomial mode is the release. The wedge does not depend on
the true counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from dpcore import _checks
from dpcore.chains import effective_sample_size, split_r_hat
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric
from dpcore.totals._counts import cell_epsilons, whole_counts
from dpcore.totals._partial_sums import CellNoise, Chain, FloatArray, IntArray, add_term, window_reach
from dpcore.totals.apportionment import EXACT_RATIO_LIMIT, TIE_RULES, RowRule, TieRule, apportion_rows, multinomial_mode
from dpcore.totals.conditioning import CellLaw, _law

TAIL = 40.0
"""Windows reach TAIL/epsilon beyond the counts: what is left out is below exp(-40) of the peak."""

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


def _noisy_chain(total: int, centres: IntArray, epsilon_total: float, epsilons: FloatArray) -> tuple[Chain, FloatArray]:
    """Chain of the parts around their centres, and the total's weights on its sum."""
    gap = abs(total - int(centres.sum()))
    reach = gap + window_reach(epsilons)
    chain = Chain.of(CellNoise.of_epsilons(epsilons), tuple(-int(s) for s in centres), reach)
    sums = np.arange(-reach, reach + 1) + int(centres.sum())
    distance = np.abs(total - sums)
    return chain, np.exp(-epsilon_total * (distance - distance.min()))


def posterior_from_noisy(
    noisy_total: int, noisy_parts: ArrayLike, *, epsilon_total: float, epsilon_parts: ArrayLike
) -> NoisyPosterior:
    """Posterior of the true counts given the noisy total and the noisy parts.

    It reads a release: the promise stays that of the noisy counts, about one step that moves each by one. Exact to
    rounding, under a uniform prior on non-negative true parts.
    Source: wang_reiter, (6); ours, forward and backward convolution; checked by enumeration

    Parameters
    ----------
    noisy_total : int; noisy total, of any sign
    noisy_parts : array_like of int, shape (parts,); noisy parts, of any sign
    epsilon_total : float; budget of the total's double-geometric noise, greater than 0
    epsilon_parts : float or array_like of float, shape (parts,); budget of each part's noise, greater than 0

    Examples
    --------
    >>> found = posterior_from_noisy(11, [1, 9], epsilon_total=1.0, epsilon_parts=1.0)
    >>> [round(mean, 4) for mean in found.means]
    [1.387, 9.3065]
    """
    parts = whole_counts("noisy_parts", noisy_parts, -math.inf)
    total = _checks.count("noisy_total", noisy_total, -(2**40), 2**40)
    budget = _checks.number("epsilon_total", epsilon_total, 0.0, open_low=True)
    budgets = cell_epsilons(epsilon_parts, parts.size)
    # on non-negative counts a^|n - N| of a negative n is a constant times a^N: the same law as n = 0
    centres = np.maximum(0, parts)
    chain, terminal = _noisy_chain(max(0, total), centres, budget, budgets)
    laws = tuple(_law(weights, int(centre)) for weights, centre in zip(chain.marginals(terminal), centres, strict=True))
    return NoisyPosterior(laws, _law(chain.law * terminal, int(centres.sum())))


def _log_cdf(u: FloatArray, epsilon: FloatArray) -> FloatArray:
    """Log P(noise <= u), one epsilon a column (a Geometric holds one)."""
    low = -epsilon * np.abs(np.minimum(u, 0)) - np.log1p(np.exp(-epsilon))
    high = np.log1p(-np.exp(-epsilon * (np.maximum(u, 0) + 1)) / (1 + np.exp(-epsilon)))
    return np.where(u <= 0, low, high)


def _log_interval(low: FloatArray, high: FloatArray, epsilon: FloatArray) -> FloatArray:
    """Log P(low <= noise <= high), exact in either tail; -inf when empty."""
    # move intervals of the upper side to the lower side, where the distribution function keeps relative accuracy
    flip = low > 0
    below, above = np.where(flip, -high, low), np.where(flip, -low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        top = _log_cdf(above, epsilon)
        bottom = np.where(np.isneginf(below), -np.inf, _log_cdf(below - 1, epsilon))
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
    def around(cls, released: IntArray, centres: IntArray, epsilons: FloatArray) -> _Wedge:
        """The boxes with v within TAIL/epsilon of the part's centre or of the release."""
        margins = np.ceil(TAIL / epsilons).astype(np.int64)
        return cls._between(released, np.minimum(released, centres) - margins, np.maximum(released, centres) + margins)

    @classmethod
    def of_totals(cls, released: IntArray, reach: int) -> _Wedge:
        """The boxes of every noisy table whose positive parts sum to the released total give or take the reach.

        All units awarded beat v/(k_j + 1) and all others lose to it, so v/(k_j + 1) lies between the noisy sum over
        the units awarded and the ones not, and the noisy sum over the units awarded alone.
        """
        total, parts = int(released.sum()), len(released)
        low = (released + 1) * max(total - reach, 0) // (total + parts)
        high = -(-(released + 1) * (total + reach) // total)
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

    def log_weights(self, true: IntArray, epsilons: FloatArray) -> FloatArray:
        """Log-probability of every box given the true parts."""
        return np.asarray(_log_interval(self.low - true, self.high - true, epsilons).sum(axis=1))


def _shift(
    true: IntArray,
    noise: IntArray,
    box: int,
    wedge: _Wedge,
    *,
    epsilon: float,
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
    off = epsilon * np.abs(total - 0.5 * (low + high).sum(axis=1))
    logs = np.where((sizes >= 1).all(axis=1), logs - off, -np.inf)
    chances = np.cumsum(np.exp(logs - logs.max()))
    for _ in range(SHIFTS):
        picked = int(np.searchsorted(chances, generator.random() * chances[-1], side="right"))
        proposed = (low[picked] + np.floor(generator.random(len(noise)) * sizes[picked])).astype(np.int64)
        gain = epsilon * (abs(total - true.sum()) - abs(total - proposed.sum())) + off[picked] - off[box]
        if math.log(1.0 - generator.random()) < gain:
            true, box = proposed, picked
    return true


def _equal_share_log(true: IntArray, released: IntArray, epsilons: FloatArray, ties: TieRule) -> float:
    """Log-probability that every noisy part is at most 0, if sharing equally gives the release; -inf otherwise."""
    share = multinomial_mode(int(released.sum()), np.ones(len(released)), ties=ties)
    if share != released.tolist():
        return -math.inf
    return float(_log_cdf(-true.astype(float), epsilons).sum())


def _total_log(released_total: int, true_total: ArrayLike, epsilon: float) -> FloatArray:
    """Log-probability of the released total max(0, noisy total)."""
    gap = released_total - np.asarray(true_total, dtype=float)
    noise = Geometric(epsilon=epsilon)
    return np.asarray(noise.log_cdf(gap) if released_total == 0 else noise.log_pmf(gap))


def released_log_likelihood(
    released: ArrayLike,
    true: ArrayLike,
    *,
    epsilon_total: float,
    epsilon_parts: ArrayLike,
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
    epsilon_total : float; budget of the total's noise, greater than 0
    epsilon_parts : float or array_like of float, shape (parts,); budget of each part's noise, greater than 0
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
    budget = _checks.number("epsilon_total", epsilon_total, 0.0, open_low=True)
    budgets = cell_epsilons(epsilon_parts, given.size)
    rule = _checks.choice("ties", ties, TIE_RULES)
    total = float(_total_log(int(given.sum()), counts.sum(), budget))
    if given.sum() == 0 or given.size == 1:
        return total
    if rule == "finucan_first_index":
        if given.size != 2:
            raise Refused("ties", "be 'lowest_index' for more than two parts", ties, Code.UNSUPPORTED)
        region = _Region.of(given, counts, counts, budgets, rule)
        return total + float(np.log(region.probability(counts[:1], counts[1:])[0, 0]))
    wedge = _Wedge.around(given, counts, budgets)
    pieces = wedge.log_weights(counts, budgets)
    if share_equally:
        pieces = np.append(pieces, _equal_share_log(counts, given, budgets, rule))
    return total + float(logsumexp(pieces))


@dataclass(frozen=True)
class _Region:
    """Noisy pairs that are released as the given pair: a mask over two ranges of noisy counts."""

    first: IntArray
    second: IntArray
    mask: FloatArray
    epsilons: FloatArray

    @classmethod
    def of(cls, released: IntArray, low: IntArray, high: IntArray, epsilons: FloatArray, ties: TieRule) -> _Region:
        """The region for true counts from `low` to `high`, found once: it does not depend on them."""
        margins = np.ceil(TAIL / epsilons).astype(np.int64)
        axes = [np.arange(low[i] - margins[i], high[i] + margins[i] + 1) for i in range(2)]
        if len(axes[0]) * len(axes[1]) > REGION_LIMIT or max(abs(axis).max() for axis in axes) > EXACT_RATIO_LIMIT:
            raise Refused(
                "window", f"leave at most {REGION_LIMIT} noisy pairs", [len(axis) for axis in axes], Code.TOO_LARGE
            )
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
        return cls(axes[0], axes[1], mask, epsilons)

    def probability(self, first: IntArray, second: IntArray) -> FloatArray:
        """P(noisy pair in the region) for every pair of true counts, shape (first, second)."""
        # both axes by the one-sided recursions: no matrix product, whose threads wait on a busy machine
        along_second = add_term(self.mask, float(self.epsilons[1]))[:, second - self.second[0]]
        along_both = add_term(along_second.T.copy(), float(self.epsilons[0]))[:, first - self.first[0]].T
        constants = -np.expm1(-self.epsilons) / (1 + np.exp(-self.epsilons))
        return np.asarray(along_both * constants.prod())


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
        one, two = whole_counts("pair", pair, -math.inf)
        i, j = int(one - self.first[0]), int(two - self.second[0])
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


def posterior_from_released_pair(
    released: ArrayLike,
    *,
    epsilon_total: float,
    epsilon_parts: ArrayLike,
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
    epsilon_total : float; budget of the total's noise, greater than 0
    epsilon_parts : float or array_like of float, shape (2,); budget of each part's noise, greater than 0
    ties : {'finucan_first_index', 'lowest_index'}; tie rule of the release
    window : int, optional; true counts this far from the released ones are compared; by default 40 over the smallest
        budget

    Examples
    --------
    >>> found = posterior_from_released_pair([250, 357], epsilon_total=1, epsilon_parts=1, window=30)
    >>> round(found.probability([250, 357]), 4)
    0.2136
    """
    given = whole_counts("released", released)
    if given.size != 2:
        raise Refused("released", "be two counts", given.size, Code.WRONG_SHAPE)
    budget = _checks.number("epsilon_total", epsilon_total, 0.0, open_low=True)
    budgets = cell_epsilons(epsilon_parts, 2)
    rule = _checks.choice("ties", ties, TIE_RULES)
    width = math.ceil(TAIL / min(budget, *budgets)) if window is None else _checks.count("window", window, 1)
    low, high = np.maximum(0, given - width), given + width
    region = _Region.of(given, low, high, budgets, rule)
    first, second = (np.arange(low[i], high[i] + 1) for i in range(2))
    total = _total_log(int(given.sum()), first[:, None] + second[None, :], budget)
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


def _draw_in_box(low: FloatArray, high: FloatArray, epsilons: FloatArray, generator: np.random.Generator) -> IntArray:
    """Double-geometric noise given that it lies in [low, high], one a part, by inversion."""
    flip = low > 0
    below, above = np.where(flip, -high, low), np.where(flip, -low, high)
    top = np.exp(_log_cdf(above, epsilons))
    with np.errstate(invalid="ignore"):
        bottom = np.where(np.isneginf(below), 0.0, np.exp(_log_cdf(below - 1, epsilons)))
    level = bottom + (top - bottom) * generator.random(len(low))
    # F(u) = a^-u/(1 + a) for u <= 0, 1 - a^(u + 1)/(1 + a) for u >= 0
    growth = 1 + np.exp(-epsilons)
    with np.errstate(divide="ignore"):
        lower = np.ceil(np.log(level * growth) / epsilons)
        upper = np.ceil(-np.log(np.maximum(1 - level, 1e-300) * growth) / epsilons - 1)
    noise = np.clip(np.where(level * growth <= 1, lower, np.maximum(upper, 0)), below, above)
    return np.asarray(np.where(flip, -noise, noise).astype(np.int64))


def posterior_from_released(
    released: ArrayLike,
    *,
    epsilon_total: float,
    epsilon_parts: ArrayLike,
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
    epsilon_total : float; budget of the total's noise, greater than 0
    epsilon_parts : float or array_like of float, shape (parts,); budget of each part's noise, greater than 0
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
    budget = _checks.number("epsilon_total", epsilon_total, 0.0, open_low=True)
    budgets = cell_epsilons(epsilon_parts, given.size)
    kept, warm = _checks.count("sweeps", sweeps, 1), _checks.count("warm_up", warm_up)
    width = _checks.count("chains", chains, 1)
    generator = _checks.seeded(seed)
    total = int(given.sum())
    wedge = None
    if total and given.size > 1:
        wedge = _Wedge.of_totals(given, math.ceil(TAIL / min(budget, *budgets)))
    shared = math.isfinite(_equal_share_log(given, given, budgets, "lowest_index"))

    def sweep_from(true: IntArray) -> IntArray:
        """True parts after all three moves."""
        low, high = np.full(given.size, -np.inf), np.full(given.size, np.inf)
        box = 0
        if wedge is not None:
            logs = np.append(wedge.log_weights(true, budgets), _equal_share_log(true, given, budgets, "lowest_index"))
            chances = np.cumsum(np.exp(logs - logs.max()))
            box = int(np.searchsorted(chances, generator.random() * chances[-1], side="right"))
            if box < len(wedge.part):
                low, high = wedge.low[box], wedge.high[box]
            else:
                high = np.zeros(given.size)
        noise = _draw_in_box(low - true, high - true, budgets, generator)
        if wedge is not None:
            true = _shift(true, noise, box, wedge, epsilon=budget, shared=shared, generator=generator)
        centres = np.maximum(0, true + noise)
        chain, terminal = _noisy_chain(total, centres, budget, budgets)
        sums = np.cumsum(chain.law * terminal)
        at = int(np.searchsorted(sums, generator.random() * sums[-1], side="right")) - chain.reach
        return np.asarray(centres + chain.draw(np.array([at]), generator)[0])

    # chains start apart: the release, and the release with its total and its parts moved as far as noise moves them
    scale = 1.0 + generator.laplace(0.0, 1.0 / budget, (width, 1)) / max(total, 1)
    started = np.round(given * scale + generator.laplace(0.0, 1.0, (width, given.size)) / budgets)
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
