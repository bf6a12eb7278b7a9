"""Attack on a block with the count of its block group: the exact posterior of the stated model.

The target's block holds X₁ people of the target's kind, `known` or one more; its block group holds X₂ = X₁ + Y, where
Y ≥ 0 is the count of the `siblings` other blocks. The attacker sees a noisy count of the block, a noisy count of the
block group, and the sum of the siblings' noisy counts. `many_levels` goes on upwards; `published_chain` reproduces the
printed tables, which are not this posterior: 0.503 against the printed 0.570 in the thesis' example.

The secret is the presence of one person: added or removed, they move the block's count and the group's by one each
(sensitivity 1). A release that hides answers (one record replaced) scales its noise to √2: its ρ of a count is half the
ρ of its query, see `one_count.rho_per_count`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtr

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.attacks import siblings
from dpcore.attacks._group_model import (
    GRID_DROP,
    group_mixture,
    noise_of_sum,
    one_release,
    released,
    releases_above,
    sibling_support,
    true_counts,
)
from dpcore.attacks._inputs import open_probability, whole_numbers
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.siblings import FLAT, SiblingPrior
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, _lattice
from dpcore.mechanisms.discrete_gaussian import noise_grid
from dpcore.privacy_loss import Side

NoiseLaw = Literal["approximate", "exact"]
NOISE_LAWS: tuple[NoiseLaw, ...] = get_args(NoiseLaw)
_AT_ONCE = 4_000
BLOCK_COUNTS = tuple(range(-3, 6))
GROUP_COUNTS = tuple(range(-3, 6))
SIBLING_SUMS = tuple(range(-30, 31))


@call_hint
@dataclass(frozen=True)
class TwoLevels:
    """The design of an attack on one person's presence through two levels: budgets, siblings, beliefs.

    An attack and no promise: it is about the presence of one person, who moves both counts by one.
    Source: thesis, Chapter 2.3.2

    Parameters
    ----------
    rho_block : float; ρ of each block's count, greater than 0
    rho_group : float; ρ of the block group's count, greater than 0
    siblings : int; other blocks of the group, at least 0. With none the group is the block.
    prior : float; belief that the target is counted, in (0, 1)
    known : int; people of the target's kind in the block whom the attacker knows, at least 0
    sibling_prior : SiblingPrior; belief about the rest of the group
    noise : {'approximate', 'exact'}; law of the summed noise of the siblings in the attacker's model: approximation
        (2.9), or exact. The releases themselves always follow the exact law.

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(posterior(2, 1, -1, design=design), 3)
    0.503
    """

    _: KW_ONLY
    rho_block: float
    rho_group: float
    siblings: int
    prior: float
    known: int = 0
    sibling_prior: SiblingPrior = FLAT
    noise: NoiseLaw = "approximate"

    def __post_init__(self) -> None:
        for name in ("rho_block", "rho_group"):
            object.__setattr__(self, name, _checks.number(name, getattr(self, name), 0, open_low=True))
        object.__setattr__(self, "siblings", _checks.count("siblings", self.siblings, 0, 100_000))
        object.__setattr__(self, "prior", float(open_probability(_checks.number("prior", self.prior))))
        object.__setattr__(self, "known", _checks.count("known", self.known))
        _checks.choice("noise", self.noise, NOISE_LAWS)
        if not isinstance(self.sibling_prior, SiblingPrior):
            raise Refused("sibling_prior", "be a SiblingPrior", self.sibling_prior, Code.WRONG_TYPE)
        if self.sibling_prior.kind in ("bounded", "point") and (self.sibling_prior.total or 0) < self.known:
            raise Refused(
                "total", f"be at least the {self.known} known people", self.sibling_prior.total, Code.INCONSISTENT
            )

    @property
    def block_attack(self) -> CountAttack:
        """The attack on the block's count alone."""
        return CountAttack(DiscreteGaussian(rho=self.rho_block), prior=self.prior, known=self.known)

    @property
    def rho_siblings(self) -> float:
        """ρ of the siblings' sum under approximation (2.9)."""
        return self.rho_block / self.siblings if self.siblings else math.inf


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
        away = noise_of_sum(y - (prior.total - m), design)
        if prior.total == m:  # the target cannot be counted in a group that holds only the known people
            return np.full(np.broadcast(x2, y).shape, -np.inf)
        return np.asarray(noise_of_sum(y - (prior.total - m - 1), design) - away + 0 * x2)
    if x2.shape == y.shape and x2.size > _AT_ONCE:
        # each release has hundreds of terms: sum a grid of releases in pieces to bound memory
        pieces = [
            _evidence_ratio(one, other, design)
            for one, other in zip(
                np.array_split(x2.ravel(), math.ceil(x2.size / _AT_ONCE)),
                np.array_split(y.ravel(), math.ceil(x2.size / _AT_ONCE)),
                strict=True,
            )
        ]
        return np.concatenate(pieces).reshape(x2.shape)
    counts, log_prior = sibling_support(x2, y, design)

    def evidence(block: int) -> FloatArray:
        weights = log_prior
        if prior.kind == "bounded" and design.siblings:
            assert prior.total is not None
            inside = counts <= prior.total - block
            weights = np.where(inside, -np.log(max(prior.total - block + 1, 1)), -np.inf)
        fit = -design.rho_group * (x2[..., None] - block - counts) ** 2 + noise_of_sum(y[..., None] - counts, design)
        return np.asarray(np.logaddexp.reduce(fit + weights, axis=-1))

    with np.errstate(invalid="ignore"):
        return np.asarray(evidence(m + 1) - evidence(m))


@overload
def log_odds(block_count: Number, group_count: Number, sibling_sum: Number, *, design: TwoLevels) -> float: ...
@overload
def log_odds(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, *, design: TwoLevels
) -> FloatArray: ...
@call_hint
def log_odds(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, *, design: TwoLevels
) -> FloatArray | float:
    """Logarithm of the attacker's odds of one person's presence, given counts of two levels that it moves by one.

    An attack and no promise: it is about the presence of one person, who moves both counts by one. Exact. With a flat
    prior and approximation (2.9) a closed form (two half theta sums); otherwise a finite sum.
    Source: thesis, equations (2.9) to (2.11); ours, closed form and exact sums instead of sampling

    Parameters
    ----------
    block_count, group_count, sibling_sum : int or array; noisy count of the block, of the block group, and sum of the
        siblings' noisy counts; whole, broadcast together
    design : TwoLevels; budgets, siblings and beliefs

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.1, rho_group=0.2, siblings=0, prior=0.5)
    >>> abs(log_odds(1, 1, 0, design=design) - 0.3) < 1e-12
    True
    """
    x1, x2, y = released(block_count, group_count, sibling_sum, design)
    own = design.rho_block * (2 * (x1 - design.known) - 1)
    result = np.asarray(logit(design.prior) + own + _evidence_ratio(x2, y, design))
    return _checks.scalar_or_array(result, block_count, group_count, sibling_sum)


@overload
def posterior(block_count: Number, group_count: Number, sibling_sum: Number, *, design: TwoLevels) -> float: ...
@overload
def posterior(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, *, design: TwoLevels
) -> FloatArray: ...
@call_hint
def posterior(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, *, design: TwoLevels
) -> FloatArray | float:
    """The attacker's belief in one person's presence, given counts of two levels that it moves by one.

    An attack and no promise: it is about the presence of one person, who moves both counts by one. Parameters and
    errors are those of `log_odds`. Vectorised: a decision map or all cells of all blocks are one call.
    Source: thesis, equations (2.9) to (2.11); ours, closed form

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(posterior(2, 1, -1, design=design), 3)
    0.503
    """
    result = np.asarray(expit(log_odds(block_count, group_count, sibling_sum, design=design)))
    return _checks.scalar_or_array(result, block_count, group_count, sibling_sum)


@overload
def group_posterior(
    group: Number, block_count: int, group_count: int, sibling_sum: int, *, design: TwoLevels
) -> float: ...
@overload
def group_posterior(
    group: ArrayLike, block_count: int, group_count: int, sibling_sum: int, *, design: TwoLevels
) -> FloatArray: ...
@call_hint
def group_posterior(
    group: ArrayLike, block_count: int, group_count: int, sibling_sum: int, *, design: TwoLevels
) -> FloatArray | float:
    """The attacker's belief that the block group holds a given count, when one person's presence is the secret.

    An attack and no promise: it is about the presence of one person, who moves both counts by one. Exact.
    Source: thesis, Table 2.8

    Parameters
    ----------
    group : int or array; counts of the group
    block_count, group_count, sibling_sum
        As in `log_odds`, single values.
    design : TwoLevels

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> [round(100 * float(mass), 1) for mass in group_posterior([0, 1, 2], 2, 1, -1, design=design)]
    [12.9, 38.7, 29.8]
    """
    x1, x2, y = one_release(block_count, group_count, sibling_sum)
    result = group_mixture(group, posterior(x1, x2, y, design=design), x2, y, design)
    return _checks.scalar_or_array(result, group)


@call_hint
@dataclass(frozen=True, eq=False)
class DecisionMap:
    """Posterior and decision for every combination of released counts.

    An attack and no promise: it is about the presence of one person, who moves both counts by one. `posteriors` and
    `decisions` have shape (block counts, group counts, sibling sums). A decision is 1 for 'counted', 0 for 'not
    counted' and also for a tie, which `ties` marks. `block_only` is the decision from the block's count alone.

    Examples
    --------
    >>> alone = TwoLevels(rho_block=0.1, rho_group=0.2, siblings=0, prior=0.5)
    >>> decided = decision_map(design=alone, block_counts=(0, 1), group_counts=(0, 1), sibling_sums=(0,))
    >>> decided.decisions[:, :, 0].tolist()  # 0.1 (2 block - 1) + 0.2 (2 group - 1) above 0
    [[0, 1], [0, 1]]
    """

    block_counts: FloatArray
    group_counts: FloatArray
    sibling_sums: FloatArray
    posteriors: FloatArray
    decisions: NDArray[np.int8]
    ties: NDArray[np.bool_]
    block_only: NDArray[np.int8]

    @classmethod
    def of(
        cls,
        log_odds: Callable[[FloatArray, FloatArray, FloatArray], FloatArray],
        *,
        design: TwoLevels,
        block_counts: Sequence[int],
        group_counts: Sequence[int],
        sibling_sums: Sequence[int],
    ) -> DecisionMap:
        """The map of an attacker with these log odds on a grid of released counts."""
        first, second, third = (
            np.atleast_1d(whole_numbers(name, values))
            for name, values in (
                ("block_counts", block_counts),
                ("group_counts", group_counts),
                ("sibling_sums", sibling_sums),
            )
        )
        odds = log_odds(*np.meshgrid(first, second, third, indexing="ij"))
        alone = first >= float(design.block_attack.decision_threshold())
        return cls(
            first,
            second,
            third,
            np.asarray(expit(odds)),
            (odds > _lattice.TIE).astype(np.int8),
            np.abs(odds) <= _lattice.TIE,
            alone.astype(np.int8),
        )


@call_hint
def decision_map(
    *,
    design: TwoLevels,
    block_counts: Sequence[int] = BLOCK_COUNTS,
    group_counts: Sequence[int] = GROUP_COUNTS,
    sibling_sums: Sequence[int] = SIBLING_SUMS,
) -> DecisionMap:
    """What the attacker decides about one person's presence at every combination of released counts.

    An attack and no promise: it is about the presence of one person, who moves both counts by one. Exact.
    Source: thesis, Figures 2.4, 2.10 and 2.11

    Parameters
    ----------
    design : TwoLevels
    block_counts, group_counts, sibling_sums : sequence of int; the grid; the default is the one of the printed figure

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> int(decision_map(design=design).decisions[5, 4, 29])
    1
    """
    return DecisionMap.of(
        lambda x1, x2, y: np.asarray(log_odds(x1, x2, y, design=design)),
        design=design,
        block_counts=block_counts,
        group_counts=group_counts,
        sibling_sums=sibling_sums,
    )


@call_hint
@dataclass(frozen=True)
class Effects:
    """How the attack fares over all releases of one side.

    An attack and no promise: it is about the presence of one person, who moves both counts by one.
    Source: thesis, Figures 2.4 to 2.6

    Parameters
    ----------
    marginal_posterior : float; average belief that the target is counted
    decides_counted : float; probability that the posterior exceeds 1/2
    tie : float; probability that it is exactly 1/2; a tie is decided as 'not counted'
    switched_to_counted, switched_to_not : float; probability that the upper level changes the decision of the block's
        count alone, either way
    block_only : float; probability of deciding 'counted' from the block's count alone
    side : {"present", "absent"}; whether the target is counted

    Examples
    --------
    >>> fared = effects(block=1, group=1, design=TwoLevels(rho_block=0.1, rho_group=0.2, siblings=0, prior=0.5))
    >>> fared.side, fared.right == fared.decides_counted
    ('present', True)
    """

    marginal_posterior: float
    decides_counted: float
    tie: float
    switched_to_counted: float
    switched_to_not: float
    block_only: float
    side: Side

    @property
    def right(self) -> float:
        """Probability that the decision is right."""
        return self.decides_counted if self.side == "present" else 1 - self.decides_counted


@call_hint
def effects(*, block: int, group: int, design: TwoLevels) -> Effects:
    """How the exact two-level attack on one person's presence fares over all releases of a true block and group.

    An attack and no promise: it is about the presence of one person, who moves both counts by one. Exact to about 14
    digits: the decision is a threshold in the block's count, so the noise of that count is summed in closed form and
    the other two on their lattice.
    Source: thesis, Figures 2.4 to 2.6; ours, exact sums instead of simulation

    Parameters
    ----------
    block : int; true count of the block: `known` or one more
    group : int; true count of the block group, at least `block`
    design : TwoLevels

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(effects(block=1, group=1, design=design).right, 3)
    0.318
    """
    true_block, true_group = true_counts(block, group, design)
    x2, y, weights = releases_above(true_block, true_group, design, 2_000_000)
    rho, counted = design.rho_block, true_block - design.known
    base = logit(design.prior) + _evidence_ratio(x2, y, design)
    crossing = 0.5 - base / (2 * rho)  # block count, less the known, at which the log odds are zero
    with np.errstate(invalid="ignore"):
        threshold = _lattice.first_beyond_tie(crossing)
    span = _lattice.reach(rho, GRID_DROP)
    bounded = np.clip(np.nan_to_num(threshold, posinf=1e9, neginf=-1e9), counted - span - 2, counted + span + 2)
    z = np.arange(-span - 3, span + 4)
    law = np.exp(_lattice.log_pmf(z, rho))
    beyond = np.append(np.cumsum(law[::-1])[::-1], 0.0)

    def at_least(level: FloatArray) -> FloatArray:
        return beyond[np.asarray(level - counted, dtype=int) + span + 3]

    decided = at_least(bounded)
    with np.errstate(invalid="ignore"):
        tied = np.abs(base + rho * (2 * (bounded - 1) - 1)) < _lattice.TIE
    alone_threshold = np.clip(
        float(design.block_attack.decision_threshold()) - design.known, counted - span - 2, counted + span + 2
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
        side="present" if counted else "absent",
    )


@call_hint
def effects_of_readings(*, block: int, group: int, design: TwoLevels) -> Effects:
    """How the attack on one person's presence fares where each number is a reading of several tables.

    An attack and no promise: it is about the presence of one person, who moves both counts by one. A reading is a mean
    of noisy counts weighted by ρ (`dpcore.attacks.weighted`): not a whole number, and ρ is the sum of theirs. Its noise
    is taken as Gaussian, which is an estimate: for the tables of the 2020 census chances of a right call differ by less
    than 0.002 from 400,000 simulated releases. Never a tie. Parameters are those of `effects`; the noise law of the
    design must be the approximation.
    Source: ours, sufficient readings and trapezoidal sums; thesis, Figures 2.4 to 2.6

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.051449, rho_group=0.391634, siblings=27, prior=0.5)
    >>> found = effects_of_readings(block=1, group=1, design=design)
    >>> round(found.right, 3), round(found.block_only, 3)
    (0.243, 0.564)
    """
    true_block, true_group = true_counts(block, group, design)
    if design.noise != "approximate":
        raise Refused("noise", "be 'approximate' for readings, which are not whole", design.noise, Code.UNSUPPORTED)
    rho, counted = design.rho_block, true_block - design.known
    steps = np.linspace(-8.0, 8.0, 81)
    law = np.exp(-steps * steps / 2)
    law /= law.sum()
    x2 = true_group + steps / math.sqrt(2 * design.rho_group)
    y = np.zeros(1) if not design.siblings else true_group - true_block + steps / math.sqrt(2 * design.rho_siblings)
    weights = np.outer(law, law if design.siblings else np.ones(1)).ravel()
    one, other = (np.ravel(axis) for axis in np.meshgrid(x2, y, indexing="ij"))
    base = logit(design.prior) + _evidence_ratio(one, other, design)

    def decided(odds: FloatArray) -> FloatArray:
        return np.asarray(ndtr(math.sqrt(2 * rho) * (counted - 0.5 + odds / (2 * rho))))

    here, alone = decided(base), decided(np.asarray(logit(design.prior)))
    shifts = rho * (2 * (counted + steps / math.sqrt(2 * rho)) - 1)
    average = sum(share * float(weights @ expit(base + shift)) for share, shift in zip(law, shifts, strict=True))
    return Effects(
        marginal_posterior=float(average),
        decides_counted=float(weights @ here),
        tie=0.0,
        switched_to_counted=float(weights @ np.maximum(here - alone, 0.0)),
        switched_to_not=float(weights @ np.maximum(alone - here, 0.0)),
        block_only=float(alone),
        side="present" if counted else "absent",
    )


@call_hint
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

    An attack and no promise: it is about the presence of one person, who moves both counts by one. The average belief,
    the probability of deciding 'counted', of a tie, and of a right call.
    Source: thesis, Figures 2.5 and 2.6

    Parameters
    ----------
    generator : numpy.random.Generator; not used: the point is exact
    group, block
        The truth, as in `effects`.
    rho_group, rho_block, siblings, prior
        The design, under a flat prior on the siblings, as in `TwoLevels`.

    Examples
    --------
    >>> point = sweep_point(np.random.default_rng(0), group=1, rho_group=0.2465, rho_block=0.0992, siblings=27)
    >>> round(point["right"], 3)
    0.318
    """
    result = effects(
        block=block,
        group=group,
        design=TwoLevels(rho_block=rho_block, rho_group=rho_group, siblings=siblings, prior=prior),
    )
    return {
        "marginal_posterior": result.marginal_posterior,
        "decides_counted": result.decides_counted,
        "tie": result.tie,
        "right": result.right,
    }


@call_hint
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

    An attack and no promise: it is about the presence of one person, who moves both counts by one. Exact.
    Source: ours, convolution over siblings

    Parameters
    ----------
    block_count, group_count : int; noisy counts of the block and the block group
    sibling_counts : array of int; noisy count of each sibling
    sibling_weights : array of float; weights of 0, 1, 2, ... people in one sibling (see `siblings.leaf_prior`), or one
        row per sibling.
    rho_block, rho_group : float; greater than 0
    prior : float; belief before the release, in (0, 1)
    known : int; people of the target's kind in the block whom the attacker knows

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
    return float(expit(logit(_checks.number("prior", prior, 0, 1, open_low=True, open_high=True)) + present - absent))
