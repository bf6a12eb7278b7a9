"""Attack on a block with the counts above it: the exact posterior, and the chain behind the printed tables.

The target's block holds X₁ people of the target's kind, `known` or one more; its block group holds X₂ = X₁ + Y, where
Y ≥ 0 is the count of the `siblings` other blocks. The attacker sees a noisy count of the block, a noisy count of the
block group, and the sum of the siblings' noisy counts. The default everywhere is the exact posterior of that model.
`published_chain_*` reproduce the printed tables: a chain whose update of X₁ ignores X₁ ≤ X₂, which we infer from the
numbers. The two differ: 0.503 against the printed 0.570 in the thesis' example.

The secret is the presence of one person: added or removed, they move the block's count and the group's by one each
(sensitivity 1). A release that hides answers (one record replaced) scales its noise to √2: its ρ of a count is half the
ρ of its query, see `block.rho_per_count`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from dpcore import _checks
from dpcore.attacks import _lattice, siblings
from dpcore.attacks.block import decision_threshold, noise_grid, open_probability, whole_numbers
from dpcore.attacks.siblings import FLAT, SiblingPrior

FloatArray = NDArray[np.float64]

NOISE_LAWS = ("approximate", "exact")
_TIE = 1e-9
_AT_ONCE = 4_000
_GRID_DROP = 34.0
"""Releases less likely than exp(-34) of the likeliest are left out of averages: 2e-15 of the whole."""


@dataclass(frozen=True)
class TwoLevels:
    """The design of a two-level attack: budgets, siblings, beliefs.

    Parameters
    ----------
    rho_block : float
        ρ of each block's count, greater than 0.
    rho_group : float
        ρ of the block group's count, greater than 0.
    siblings : int
        Other blocks of the group, at least 0. With none the group is the block.
    prior : float
        Belief that the target is counted, in (0, 1).
    known : int
        People of the target's kind in the block whom the attacker knows, at least 0.
    sibling_prior : SiblingPrior
        Belief about the rest of the group.
    noise : {'approximate', 'exact'}
        Law of the summed noise of the siblings in the attacker's model: approximation (2.9), or exact. The releases
        themselves always follow the exact law.

    Raises
    ------
    ValueError
        ``rho_block must be greater than 0 and finite; got ...``, ``siblings must be a whole number of at least 0; got
        ...``, ``prior must lie in (0, 1); got ...``, ``noise must be one of 'approximate', 'exact'; got ...`` and
        likewise.

    References
    ----------
    thesis, Chapter 2.3.2

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(posterior(2, 1, -1, design=design), 3)
    0.503
    """

    rho_block: float
    rho_group: float
    siblings: int
    prior: float
    known: int = 0
    sibling_prior: SiblingPrior = FLAT
    noise: str = "approximate"

    def __post_init__(self) -> None:
        for name in ("rho_block", "rho_group"):
            object.__setattr__(self, name, _checks.number(name, getattr(self, name), 0, open_low=True))
        object.__setattr__(self, "siblings", _checks.count("siblings", self.siblings, 0, 100_000))
        object.__setattr__(self, "prior", float(open_probability(_checks.number("prior", self.prior))))
        object.__setattr__(self, "known", _checks.count("known", self.known))
        _checks.choice("noise", self.noise, NOISE_LAWS)
        if not isinstance(self.sibling_prior, SiblingPrior):
            raise ValueError(f"sibling_prior must be a SiblingPrior; got {self.sibling_prior!r}")
        if self.sibling_prior.kind in ("bounded", "point") and (self.sibling_prior.total or 0) < self.known:
            raise ValueError(f"total must be at least the {self.known} known people; got {self.sibling_prior.total}")

    @property
    def rho_siblings(self) -> float:
        """ρ of the siblings' sum under approximation (2.9)."""
        return self.rho_block / self.siblings if self.siblings else math.inf


def _noise_of_sum(gap: FloatArray, design: TwoLevels) -> FloatArray:
    """Log weight of a noise `gap` in the siblings' sum, in the attacker's model, up to a constant."""
    if design.siblings == 0:
        return np.where(gap == 0, 0.0, -np.inf)
    if design.noise == "exact":
        return _lattice.log_sum_pmf(gap, design.siblings, design.rho_block)
    return -design.rho_siblings * gap * gap


def _sibling_support(x2: FloatArray, y: FloatArray, design: TwoLevels) -> tuple[FloatArray, FloatArray]:
    """Counts of the siblings with weight (one row for all, or one per release) and their log prior, for X₁ = known.

    A flat prior is cut where the likelihood is below exp(-42) of its largest; the window is one longer for X₁ = known
    + 1.
    """
    prior = design.sibling_prior
    if design.siblings == 0:
        return np.zeros(1), np.zeros(1)
    if prior.kind == "siblings":
        assert prior.weights is not None
        with np.errstate(divide="ignore"):
            return np.arange(float(len(prior.weights))), np.log(np.array(prior.weights))
    if prior.kind == "bounded":
        assert prior.total is not None
        return np.arange(prior.total - design.known + 1.0), np.zeros(prior.total - design.known + 1)
    rate = design.rho_group + design.rho_siblings
    peak = (design.rho_group * (x2 - design.known) + design.rho_siblings * y) / rate
    span = _lattice.reach(rate) + 1
    first = np.maximum(np.floor(peak) - span, 0.0)
    return first[..., None] + np.arange(2 * span + 2.0), np.zeros(2 * span + 2)


def _evidence_ratio(x2: FloatArray, y: FloatArray, design: TwoLevels) -> FloatArray:
    """Log of how much better the group's count and the siblings' sum fit X₁ = known + 1 than X₁ = known."""
    prior, m = design.sibling_prior, design.known
    if design.siblings and prior.kind == "flat" and design.noise == "approximate":
        rate = design.rho_group + design.rho_siblings
        shared = design.rho_group * design.rho_siblings / rate
        start = (design.rho_group * (x2 - m) + design.rho_siblings * y) / rate
        counted = start - design.rho_group / rate
        edge = _lattice.log_half_sum(rate, counted) - _lattice.log_half_sum(rate, start)
        return np.asarray(shared * (2 * (x2 - y - m) - 1) + edge)
    if design.siblings and prior.kind == "point":
        assert prior.total is not None
        away = _noise_of_sum(y - (prior.total - m), design)
        if prior.total == m:  # the target cannot be counted in a group that holds only the known people
            return np.full(np.broadcast(x2, y).shape, -np.inf)
        return np.asarray(_noise_of_sum(y - (prior.total - m - 1), design) - away + 0 * x2)
    if x2.shape == y.shape and x2.size > _AT_ONCE:
        # a release has hundreds of terms: a grid of releases is summed in pieces, so that memory stays bounded
        pieces = [
            _evidence_ratio(one, other, design)
            for one, other in zip(
                np.array_split(x2.ravel(), math.ceil(x2.size / _AT_ONCE)),
                np.array_split(y.ravel(), math.ceil(x2.size / _AT_ONCE)),
                strict=True,
            )
        ]
        return np.concatenate(pieces).reshape(x2.shape)
    counts, log_prior = _sibling_support(x2, y, design)

    def evidence(block: int) -> FloatArray:
        weights = log_prior
        if prior.kind == "bounded" and design.siblings:
            assert prior.total is not None
            inside = counts <= prior.total - block
            weights = np.where(inside, -np.log(max(prior.total - block + 1, 1)), -np.inf)
        fit = -design.rho_group * (x2[..., None] - block - counts) ** 2 + _noise_of_sum(y[..., None] - counts, design)
        return np.asarray(np.logaddexp.reduce(fit + weights, axis=-1))

    with np.errstate(invalid="ignore"):
        return np.asarray(evidence(m + 1) - evidence(m))


def _released(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, design: TwoLevels
) -> tuple[FloatArray, FloatArray, FloatArray]:
    x1 = whole_numbers("block_count", block_count)
    x2 = whole_numbers("group_count", group_count)
    y = whole_numbers("sibling_sum", sibling_sum)
    if design.siblings == 0 and (y != 0).any():
        raise ValueError(f"sibling_sum must be 0 without siblings; got {float(y[y != 0].flat[0]):g}")
    one, two, three = np.broadcast_arrays(x1, x2, y)
    return one, two, three


def log_odds(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, *, design: TwoLevels
) -> FloatArray | float:
    """Logarithm of the attacker's odds of one person's presence, given counts of two levels that it moves by one.

    Parameters
    ----------
    block_count, group_count, sibling_sum : int or array
        Noisy count of the block, of the block group, and sum of the siblings' noisy counts; whole, broadcast together.
    design : TwoLevels
        Budgets, siblings and beliefs.

    Returns
    -------
    float or array
        Exact. With a flat prior and approximation (2.9) a closed form (two half theta sums); otherwise a finite sum.

    Raises
    ------
    ValueError
        ``block_count must be a whole number; got ...`` and likewise; ``sibling_sum must be 0 without siblings; got
        ...``.

    References
    ----------
    thesis, equations (2.9) to (2.11); ours, closed form and exact sums instead of sampling

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.1, rho_group=0.2, siblings=0, prior=0.5)
    >>> abs(log_odds(1, 1, 0, design=design) - 0.3) < 1e-12
    True
    """
    x1, x2, y = _released(block_count, group_count, sibling_sum, design)
    own = design.rho_block * (2 * (x1 - design.known) - 1)
    result = np.asarray(logit(design.prior) + own + _evidence_ratio(x2, y, design))
    return _checks.scalar_or_array(result, block_count, group_count, sibling_sum)


def posterior(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, *, design: TwoLevels
) -> FloatArray | float:
    """The attacker's belief in one person's presence, given counts of two levels that it moves by one.

    Parameters and errors are those of `log_odds`. Vectorised: a decision map or all cells of all blocks are one call.

    References
    ----------
    thesis, equations (2.9) to (2.11); ours, closed form

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(posterior(2, 1, -1, design=design), 3)
    0.503
    """
    result = np.asarray(expit(log_odds(block_count, group_count, sibling_sum, design=design)))
    return _checks.scalar_or_array(result, block_count, group_count, sibling_sum)


def _group_law(x2: float, y: float, block: int, design: TwoLevels) -> tuple[FloatArray, FloatArray]:
    """Counts of the group and their log weights when the block holds `block`."""
    prior = design.sibling_prior
    if prior.kind == "point" and design.siblings:
        assert prior.total is not None
        possible = np.array([float(prior.total)])
        return possible, np.where(possible >= block, 0.0, -np.inf)
    counts, log_prior = _sibling_support(np.asarray(x2), np.asarray(y), design)
    counts = counts.ravel()
    if prior.kind == "bounded" and design.siblings:
        assert prior.total is not None
        log_prior = np.where(counts <= prior.total - block, -math.log(max(prior.total - block + 1, 1)), -np.inf)
    fit = -design.rho_group * (x2 - block - counts) ** 2 + _noise_of_sum(y - counts, design)
    return block + counts, np.asarray(fit + log_prior)


def group_posterior(
    group: ArrayLike, block_count: int, group_count: int, sibling_sum: int, *, design: TwoLevels, chain: str = "exact"
) -> FloatArray | float:
    """The attacker's belief that the block group holds a given count, when one person's presence is the secret.

    Parameters
    ----------
    group : int or array
        Counts of the group.
    block_count, group_count, sibling_sum
        As in `log_odds`, single values.
    design : TwoLevels
    chain : {'exact', 'published'}
        The stated posterior, or the law of the chain behind the printed tables (see `published_chain_posterior`).

    Returns
    -------
    float or array
        Exact for the law that is named.

    Raises
    ------
    ValueError
        ``chain must be one of 'exact', 'published'; got ...`` and the refusals of `log_odds`.

    References
    ----------
    thesis, Table 2.8

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> [round(100 * float(mass), 1) for mass in group_posterior([0, 1, 2], 2, 1, -1, design=design)]
    [12.9, 38.7, 29.8]
    """
    wanted = whole_numbers("group", group)
    _checks.choice("chain", chain, ["exact", "published"])
    method = posterior if chain == "exact" else published_chain_posterior
    belief = float(method(block_count, group_count, sibling_sum, design=design))
    result = np.zeros(wanted.shape)
    for block, mass in ((design.known, 1 - belief), (design.known + 1, belief)):
        counts, logs = _group_law(float(group_count), float(sibling_sum), block, design)
        if not np.isfinite(logs).any():
            continue
        law = np.exp(logs - np.logaddexp.reduce(logs))
        index = wanted - counts[0]
        inside = (index >= 0) & (index < counts.size)
        result += mass * np.where(inside, law[np.where(inside, index, 0).astype(int)], 0.0)
    return _checks.scalar_or_array(result, group)


def _chain_drift(
    x1: FloatArray, x2: FloatArray, y: FloatArray, design: TwoLevels, normalised: bool
) -> tuple[FloatArray, FloatArray]:
    """Rates at which the published chain moves to 'counted' and back."""
    prior, m = design.sibling_prior, design.known
    if prior.kind == "siblings" or design.siblings == 0:
        raise ValueError(
            f"sibling_prior must be 'flat', 'bounded' or 'point' for the published chain; got {prior.kind!r}"
        )
    rate = design.rho_group + design.rho_siblings
    span = _lattice.reach(rate) + 1

    def expectation(block: int, towards: int) -> FloatArray:
        peak = (design.rho_group * x2 + design.rho_siblings * (y + block)) / rate
        last = math.inf if prior.total is None else prior.total
        if prior.kind == "point":
            counts = np.full((*peak.shape, 1), float(last))
        else:
            first = np.clip(np.floor(peak) - span, block, max(last, block))
            counts = first[..., None] + np.arange(2 * span + 2.0)
        logs = np.where(counts <= last, -rate * (counts - peak[..., None]) ** 2, -np.inf)
        if prior.kind == "point":
            logs = np.zeros_like(counts)
        weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        odds = (
            logit(design.prior)
            + design.rho_block * (2 * (x1[..., None] - m) - 1)
            - design.rho_siblings * (2 * (y[..., None] - counts + m) + 1)
        )
        if normalised and prior.kind == "bounded":
            odds = odds + math.log((last - m + 1) / max(last - m, 1))
        return np.asarray((weights * expit(towards * odds)).sum(axis=-1))

    return expectation(m, 1), expectation(m + 1, -1)


def published_chain_posterior(
    block_count: ArrayLike,
    group_count: ArrayLike,
    sibling_sum: ArrayLike,
    *,
    design: TwoLevels,
    normalised: bool = False,
) -> FloatArray | float:
    """Share of the time that the chain behind the printed tables spends on one person's presence.

    The chain draws X₂ given X₁ (with X₂ ≥ X₁) and X₁ given X₂ *without* X₁ ≤ X₂. We infer this from the printed
    numbers; we have not seen the code. It is not the posterior of the stated model: use `posterior` for that.

    Parameters
    ----------
    block_count, group_count, sibling_sum, design
        As in `log_odds`; the approximate noise law and a prior of kind 'flat', 'bounded' or 'point'.
    normalised : bool
        For a bounded prior: whether the chain keeps the normaliser 1/(total - X₁ + 1). The printed figures dropped it.

    Returns
    -------
    float or array
        The exact stationary probability of that chain, without sampling.

    Raises
    ------
    ValueError
        ``sibling_prior must be 'flat', 'bounded' or 'point' for the published chain; got ...`` and as `log_odds`.

    References
    ----------
    thesis, Table 2.7; ours, the stationary law and the inference that this is the chain

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(published_chain_posterior(2, 1, -1, design=design), 3)
    0.578
    """
    x1, x2, y = _released(block_count, group_count, sibling_sum, design)
    up, down = _chain_drift(x1, x2, y, design, normalised)
    return _checks.scalar_or_array(np.asarray(up / (up + down)), block_count, group_count, sibling_sum)


@dataclass(frozen=True, eq=False)
class DecisionMap:
    """Posterior and decision for every combination of released counts.

    `posteriors` and `decisions` have shape (block counts, group counts, sibling sums). A decision is 1 for 'counted',
    0 for 'not counted' and also for a tie, which `ties` marks. `block_only` is the decision from the block's count
    alone.
    """

    block_counts: FloatArray
    group_counts: FloatArray
    sibling_sums: FloatArray
    posteriors: FloatArray
    decisions: NDArray[np.int8]
    ties: NDArray[np.bool_]
    block_only: NDArray[np.int8]


def decision_map(
    *,
    design: TwoLevels,
    block_counts: Sequence[int] = tuple(range(-3, 6)),
    group_counts: Sequence[int] = tuple(range(-3, 6)),
    sibling_sums: Sequence[int] = tuple(range(-30, 31)),
    chain: str = "exact",
) -> DecisionMap:
    """What the attacker decides about one person's presence at every combination of released counts.

    Parameters
    ----------
    design : TwoLevels
    block_counts, group_counts, sibling_sums : sequence of int
        The grid; the default is the one of the printed figure.
    chain : {'exact', 'published'}
        The stated posterior, or the chain behind the printed figure.

    Returns
    -------
    DecisionMap
        Exact.

    Raises
    ------
    ValueError
        As `log_odds` and `published_chain_posterior`.

    References
    ----------
    thesis, Figures 2.4, 2.10 and 2.11

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> int(decision_map(design=design).decisions[5, 4, 29])
    1
    """
    _checks.choice("chain", chain, ["exact", "published"])
    axes = [
        np.atleast_1d(whole_numbers(name, values))
        for name, values in (
            ("block_counts", block_counts),
            ("group_counts", group_counts),
            ("sibling_sums", sibling_sums),
        )
    ]
    x1, x2, y = np.meshgrid(*axes, indexing="ij")
    if chain == "exact":
        odds = np.asarray(log_odds(x1, x2, y, design=design))
    else:
        odds = logit(np.asarray(published_chain_posterior(x1, x2, y, design=design)))
    alone = axes[0] >= float(decision_threshold(rho=design.rho_block, prior=design.prior, known=design.known))
    return DecisionMap(
        axes[0],
        axes[1],
        axes[2],
        np.asarray(expit(odds)),
        (odds > _TIE).astype(np.int8),
        np.abs(odds) <= _TIE,
        alone.astype(np.int8),
    )


@dataclass(frozen=True)
class Effects:
    """How the attack fares over all releases of a truth.

    Parameters
    ----------
    marginal_posterior : float
        Average belief that the target is counted.
    decides_counted : float
        Probability that the posterior exceeds 1/2.
    tie : float
        Probability that it is exactly 1/2; a tie is decided as 'not counted'.
    switched_to_counted, switched_to_not : float
        Probability that the upper level changes the decision of the block's count alone, either way.
    block_only : float
        Probability of deciding 'counted' from the block's count alone.
    truth_counted : bool
        Whether the target is counted.

    References
    ----------
    thesis, Figures 2.4 to 2.6
    """

    marginal_posterior: float
    decides_counted: float
    tie: float
    switched_to_counted: float
    switched_to_not: float
    block_only: float
    truth_counted: bool

    @property
    def right(self) -> float:
        """Probability that the decision is right."""
        return self.decides_counted if self.truth_counted else 1 - self.decides_counted


def _releases_above(block: int, group: int, design: TwoLevels, most: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Noisy group counts and sibling sums that matter, flattened, and their probabilities under the truth."""
    span = _lattice.reach(design.rho_group, _GRID_DROP)
    combinations = 4 * _GRID_DROP * math.sqrt(design.siblings / design.rho_block / design.rho_group)
    if combinations > most:
        raise ValueError(
            f"rho_block and rho_group must need at most {most:,} combinations of noise; got about {combinations:,.0f}"
        )
    z = np.arange(-span, span + 1.0)
    z_law = np.exp(_lattice.log_pmf(z, design.rho_group))
    others = design.siblings
    if others:
        reach = math.ceil(math.sqrt(_GRID_DROP * others / design.rho_block)) + (others if design.rho_block > 1 else 0)
        w = np.arange(-reach, reach + 1.0)
        w_law = np.exp(_lattice.log_sum_pmf(w, others, design.rho_block))
    else:
        w, w_law = np.zeros(1), np.ones(1)
    weights = np.outer(z_law, w_law)
    x2, y = np.broadcast_arrays(group + z[:, None], group - block + w[None, :])
    kept = weights > 1e-17
    return x2[kept], y[kept], weights[kept]


def _truth(block: int, group: int, design: TwoLevels) -> tuple[int, int]:
    first = _checks.count("block", block)
    second = _checks.count("group", group)
    if first not in (design.known, design.known + 1):
        raise ValueError(f"block must be the {design.known} known people or one more; got {first}")
    if second < first:
        raise ValueError(f"group must be at least the block's count {first}; got {second}")
    if design.siblings == 0 and second != first:
        raise ValueError(f"group must be the block's count {first} without siblings; got {second}")
    return first, second


def effects(*, block: int, group: int, design: TwoLevels) -> Effects:
    """How the exact two-level attack on one person's presence fares over all releases of a true block and group.

    Parameters
    ----------
    block : int
        True count of the block: `known` or one more.
    group : int
        True count of the block group, at least `block`.
    design : TwoLevels

    Returns
    -------
    Effects
        Exact to about 14 digits: the decision is a threshold in the block's count, so the noise of that count is
        summed in closed form and the other two on their lattice.

    Raises
    ------
    ValueError
        ``group must be at least the block's count ...; got ...``, ``block must be the ... known people or one more; got
        ...``, ``rho_block and rho_group must need at most ... combinations of noise; got about ...``.

    References
    ----------
    thesis, Figures 2.4 to 2.6; ours, exact sums instead of simulation

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(effects(block=1, group=1, design=design).right, 3)
    0.318
    """
    true_block, true_group = _truth(block, group, design)
    x2, y, weights = _releases_above(true_block, true_group, design, 2_000_000)
    rho, counted = design.rho_block, true_block - design.known
    base = logit(design.prior) + _evidence_ratio(x2, y, design)
    crossing = 0.5 - base / (2 * rho)  # block count, less the known, at which the log odds are zero
    with np.errstate(invalid="ignore"):
        threshold = np.floor(crossing + _TIE * np.maximum(1.0, np.abs(crossing))) + 1
    span = _lattice.reach(rho, _GRID_DROP)
    bounded = np.clip(np.nan_to_num(threshold, posinf=1e9, neginf=-1e9), counted - span - 2, counted + span + 2)
    z = np.arange(-span - 3, span + 4)
    law = np.exp(_lattice.log_pmf(z, rho))
    beyond = np.append(np.cumsum(law[::-1])[::-1], 0.0)

    def at_least(level: FloatArray) -> FloatArray:
        return beyond[np.asarray(level - counted, dtype=int) + span + 3]

    decided = at_least(bounded)
    with np.errstate(invalid="ignore"):
        tied = np.abs(base + rho * (2 * (bounded - 1) - 1)) < _TIE
    alone_threshold = np.clip(
        float(decision_threshold(rho=rho, prior=design.prior)), counted - span - 2, counted + span + 2
    )
    alone = float(at_least(np.asarray(alone_threshold)))
    gains = np.maximum(decided - alone, 0.0)
    losses = np.maximum(alone - decided, 0.0)
    tie_mass = np.where(tied, at_least(bounded - 1) - decided, 0.0)
    average = 0.0
    nodes, node_weights = noise_grid(np.asarray(rho))
    for noise, probability in zip(nodes, node_weights, strict=True):
        if probability > 1e-18:
            average += probability * float(weights @ expit(base + rho * (2 * (counted + noise) - 1)))
    return Effects(
        marginal_posterior=average,
        decides_counted=float(weights @ decided),
        tie=float(weights @ tie_mass),
        switched_to_counted=float(weights @ gains),
        switched_to_not=float(weights @ losses),
        block_only=alone,
        truth_counted=bool(counted),
    )


def sweep_point(
    generator: np.random.Generator,
    *,
    group: int,
    rho_group: float,
    rho_block: float,
    siblings: int,
    prior: float = 0.5,
    block: int = 1,
) -> dict[str, float]:
    """The effects on one person's presence at one point of a sweep over designs, as a task of `dpcore.studies`.

    Parameters
    ----------
    generator : numpy.random.Generator
        Not used: the point is exact.
    group, block
        The truth, as in `effects`.
    rho_group, rho_block, siblings, prior
        The design, under a flat prior on the siblings, as in `TwoLevels`.

    Returns
    -------
    dict
        The average belief, the probability of deciding 'counted', of a tie, and of a right call.

    Raises
    ------
    ValueError
        As `TwoLevels` and `effects`.

    References
    ----------
    thesis, Figures 2.5 and 2.6

    Examples
    --------
    >>> point = sweep_point(np.random.default_rng(0), group=1, rho_group=0.2465, rho_block=0.0992, siblings=27)
    >>> round(point["right"], 3)
    0.318
    """
    result = effects(block=block, group=group, design=TwoLevels(rho_block, rho_group, siblings, prior))
    return {
        "marginal_posterior": result.marginal_posterior,
        "decides_counted": result.decides_counted,
        "tie": result.tie,
        "right": result.right,
    }


def published_chain_effects(*, block: int, group: int, design: TwoLevels, normalised: bool = False) -> Effects:
    """How the chain behind the printed figures fares on one person's presence, if it were run for ever.

    Parameters and errors are those of `effects` and `published_chain_posterior`.

    Returns
    -------
    Effects
        Exact for the inferred chain; ties are not sought (`tie` is 0).

    References
    ----------
    thesis, Chapter 2.4.3 (2.48 %, 1.83 %, 59.05 %) and Chapter 2.9; ours, the stationary law

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(published_chain_effects(block=1, group=1, design=design).right, 3)
    0.595
    """
    true_block, true_group = _truth(block, group, design)
    x2, y, weights = _releases_above(true_block, true_group, design, 100_000)
    kept = weights > 1e-12  # far below the three digits that were printed
    x2, y, weights = x2[kept], y[kept], weights[kept]
    span = _lattice.reach(design.rho_block, 28.0)
    alone_threshold = float(decision_threshold(rho=design.rho_block, prior=design.prior, known=design.known))
    average = decided = gained = lost = alone = 0.0
    for noise in range(-span, span + 1):
        probability = float(np.exp(_lattice.log_pmf(noise, design.rho_block)))
        count = float(true_block + noise)
        up, down = _chain_drift(np.full_like(x2, count), x2, y, design, normalised)
        average += probability * float(weights @ (up / (up + down)))
        yes = up > down
        mass = probability * float(weights @ yes)
        decided += mass
        if count >= alone_threshold:
            alone += probability
            lost += probability * float(weights.sum()) - mass
        else:
            gained += mass
    return Effects(average, decided, 0.0, gained, lost, alone, true_block > design.known)


def effective_rho(rhos: Sequence[float], siblings: Sequence[int]) -> float:
    """The ρ of one plain count that teaches as much about one person's presence as a hierarchy away from its edge.

    The edge is where siblings hold nobody: their counts cannot be less than none.

    Parameters
    ----------
    rhos : sequence of float
        ρ of each level from the block up, greater than 0.
    siblings : sequence of int
        Siblings at each level below the top, at least 0: one fewer than `rhos`.

    Returns
    -------
    float
        Exact for continuous Gaussian noise and a prior without edge. With d siblings it never exceeds the block's ρ
        times 1 + 1/d, however large the ρ above.

    Raises
    ------
    ValueError
        ``siblings must have one entry per level below the top; got ...`` and the refusals of each value.

    References
    ----------
    ours, recursion over levels; explains thesis, Figure 2.6

    Examples
    --------
    >>> round(effective_rho([0.0992, 0.2465], [27]), 4)
    0.1028
    """
    rates = [_checks.number("rhos", value, 0, open_low=True) for value in rhos]
    numbers = [_checks.count("siblings", value) for value in siblings]
    if not rates or len(numbers) != len(rates) - 1:
        raise ValueError(
            f"siblings must have one entry per level below the top; got {len(numbers)} for {len(rates)} levels"
        )
    total = rates[-1]
    for rate, number in zip(rates[-2::-1], numbers[::-1], strict=True):
        total = rate + 1 / (1 / total + number / rate)
    return total


def chain_log_odds(
    counts: ArrayLike,
    sibling_sums: ArrayLike,
    *,
    rhos: ArrayLike,
    siblings_per_level: Sequence[int],
    prior: float = 0.5,
    known: int = 0,
    noise: str = "approximate",
) -> float:
    """Logarithm of the attacker's odds of one person's presence, given counts of every level up to the nation.

    Parameters
    ----------
    counts : array of int
        Noisy count of the target's block, block group, and so on upwards.
    sibling_sums : array of int
        At each level below the top, the sum of the noisy counts of the siblings; one fewer than `counts`.
    rhos : array of float
        ρ of each level, greater than 0.
    siblings_per_level : sequence of int
        Siblings at each level below the top, at least 0.
    prior : float
        Belief before the release, in (0, 1). At 1/2 the result is the weight of evidence.
    known : int
        People of the target's kind in the block whom the attacker knows.
    noise : {'approximate', 'exact'}
        Law of the summed noise of the siblings.

    Returns
    -------
    float
        Exact, under a flat prior on the siblings' count at each level: a message passes from the top down to the
        block over a window that leaves out less than exp(-40) of the posterior.

    Raises
    ------
    ValueError
        ``sibling_sums must have one entry per level below the top; got ...``, ``sibling_sums must be 0 without
        siblings; got ...`` and the refusals of each value.

    References
    ----------
    ours, message passing; extends thesis, Chapter 2.3.2

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> chained = chain_log_odds([2, 1], [-1], rhos=[0.0992, 0.2465], siblings_per_level=[27])
    >>> abs(chained - log_odds(2, 1, -1, design=design)) < 1e-10
    True
    """
    x = np.atleast_1d(whole_numbers("counts", counts))
    s = np.atleast_1d(whole_numbers("sibling_sums", sibling_sums if np.size(sibling_sums) else np.empty(0)))
    rates = np.atleast_1d(_checks.array("rhos", rhos, 0.0, open_low=True))
    numbers = [_checks.count("siblings_per_level", value, 0, 100_000) for value in siblings_per_level]
    _checks.choice("noise", noise, NOISE_LAWS)
    m = _checks.count("known", known)
    odds = float(logit(open_probability(prior)))
    if x.size == 0 or rates.size != x.size:
        raise ValueError(f"rhos must have one entry per level; got {rates.size} for {x.size} levels")
    for name, size in (("sibling_sums", s.size), ("siblings_per_level", len(numbers))):
        if size != x.size - 1:
            raise ValueError(f"{name} must have one entry per level below the top; got {size} for {x.size} levels")
    if any(number == 0 and total != 0 for number, total in zip(numbers, s, strict=True)):
        raise ValueError("sibling_sums must be 0 without siblings; got another value")
    windows = _chain_windows(x, s, rates, numbers, m)
    first, last = windows[-1]
    message = -rates[-1] * (x[-1] - np.arange(first, last + 1)) ** 2
    for level in range(x.size - 2, -1, -1):
        low, high = windows[level] if level else (m, m + 1)
        here = np.arange(low, high + 1)
        gaps = np.arange(first - high, last - low + 1.0)  # siblings' counts, seen from the highest count here first
        with np.errstate(invalid="ignore"):
            if numbers[level] == 0:
                fit = np.where(gaps == 0, 0.0, -np.inf)
            elif noise == "exact":
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


def _chain_windows(
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

    Parameters
    ----------
    noisy_count : int
        Released count.
    rho : float
        ρ of that count, greater than 0.
    parts : tuple of Place
        The places it is made of; empty for a block.
    weights : tuple of float
        For a block other than the target's: weights of 0, 1, 2, ... people, at least 0, not all 0.

    References
    ----------
    ours, whole-tree attack
    """

    noisy_count: int
    rho: float
    parts: tuple[Place, ...] = ()
    weights: tuple[float, ...] = (1.0,)


def tree_log_odds(tree: Place, path: Sequence[int], *, prior: float, known: int = 0) -> float:
    """Logarithm of the attacker's odds of one person's presence, using every count of a tree of places.

    Parameters
    ----------
    tree : Place
        The top place.
    path : sequence of int
        Which part to take at each level down to the target's block; empty when the top is the block.
    prior : float
        Belief before the release, in (0, 1).
    known : int
        People of the target's kind in the block whom the attacker knows.

    Returns
    -------
    float
        Exact: each place sends its parent the law of its count; the target's path carries both hypotheses.

    Raises
    ------
    ValueError
        ``path must lead to a block of the tree; got ...``, ``weights must have positive mass; got ...`` and the
        refusals of each value.

    References
    ----------
    ours, upward messages over the tree

    Examples
    --------
    >>> group = Place(1, 0.2, parts=(Place(2, 0.1), Place(0, 0.1, weights=(1.0,))))
    >>> abs(tree_log_odds(group, [0], prior=0.5) - 0.1 * 3 - 0.2) < 1e-12
    True
    """
    m = _checks.count("known", known)
    odds = float(logit(open_probability(prior)))
    route = list(path)

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
    for index in route:
        parts = line[-1].parts
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(parts):
            raise ValueError(f"path must lead to a block of the tree; got {route!r}")
        line.append(parts[index])
    if line[-1].parts:
        raise ValueError(f"path must lead to a block of the tree; got {route!r}")
    messages = [own(line[-1], m + counted, 1) for counted in (0, 1)]
    for place, index in zip(line[-2::-1], route[::-1], strict=True):
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


def sibling_kernel_posterior(
    block_count: int,
    group_count: int,
    sibling_counts: ArrayLike,
    *,
    sibling_weights: ArrayLike,
    rho_block: float,
    rho_group: float,
    prior: float,
    known: int = 0,
) -> float:
    """The attacker's belief in one person's presence, using every sibling's count and a belief about each sibling.

    Parameters
    ----------
    block_count, group_count : int
        Noisy counts of the block and the block group.
    sibling_counts : array of int
        Noisy count of each sibling.
    sibling_weights : array of float
        Weights of 0, 1, 2, ... people in one sibling (see `siblings.leaf_prior`), or one row per sibling.
    rho_block, rho_group : float
        Greater than 0.
    prior : float
        Belief before the release, in (0, 1).
    known : int
        People of the target's kind in the block whom the attacker knows.

    Returns
    -------
    float
        Exact.

    Raises
    ------
    ValueError
        As `log_odds` and `siblings.sibling_kernel`.

    References
    ----------
    ours, convolution over siblings

    Examples
    --------
    >>> alone = sibling_kernel_posterior(1, 1, [0], sibling_weights=[1.0], rho_block=0.1, rho_group=0.2, prior=0.5)
    >>> abs(alone - 1 / (1 + math.exp(-0.3))) < 1e-12
    True
    """
    x1, x2 = float(whole_numbers("block_count", block_count)), float(whole_numbers("group_count", group_count))
    first = _checks.number("rho_block", rho_block, 0, open_low=True)
    second = _checks.number("rho_group", rho_group, 0, open_low=True)
    m = _checks.count("known", known)
    kernel = siblings.sibling_kernel(sibling_counts, rho=first, prior=sibling_weights)
    totals = np.arange(kernel.size)
    absent, present = (
        np.logaddexp.reduce(kernel - first * (x1 - block) ** 2 - second * (x2 - block - totals) ** 2)
        for block in (m, m + 1)
    )
    return float(expit(logit(open_probability(prior)) + present - absent))
