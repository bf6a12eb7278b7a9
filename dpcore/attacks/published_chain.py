"""The chain behind the printed tables of the two-level attack, if it were run for ever.

The chain draws X₂ given X₁ (with X₂ ≥ X₁) and X₁ given X₂ *without* X₁ ≤ X₂ (see `two_levels` for the model). We infer
this from the printed numbers; we have not seen the code. Its law is not the posterior of the stated model: use
`two_levels` for that. What it speaks of is the same, one person's presence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.attacks._group_model import group_mixture, one_release, released, releases_above, true_counts
from dpcore.attacks.two_levels import BLOCK_COUNTS, GROUP_COUNTS, SIBLING_SUMS, DecisionMap, Effects, TwoLevels
from dpcore.errors import Code, Refused
from dpcore.mechanisms import _lattice


def _drift(
    x1: FloatArray, x2: FloatArray, y: FloatArray, design: TwoLevels, normalised: bool
) -> tuple[FloatArray, FloatArray]:
    """Rates at which the published chain moves to 'counted' and back."""
    prior, m = design.sibling_prior, design.known
    if design.siblings == 0:
        raise Refused("siblings", "be at least 1 for the published chain", 0, Code.UNSUPPORTED)
    if design.noise != "approximate":
        raise Refused("noise", "be 'approximate' for the published chain", design.noise, Code.UNSUPPORTED)
    if prior.kind == "bounded" and prior.total == m:
        rule = f"be above the {m} known people for the published chain"
        raise Refused("total", rule, prior.total, Code.INCONSISTENT)
    if prior.kind == "siblings":
        raise Refused(
            "sibling_prior", "be 'flat', 'bounded' or 'point' for the published chain", prior.kind, Code.UNSUPPORTED
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


@overload
def posterior(
    block_count: Number, group_count: Number, sibling_sum: Number, *, design: TwoLevels, normalised: bool = ...
) -> float: ...
@overload
def posterior(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, *, design: TwoLevels, normalised: bool = ...
) -> FloatArray: ...
@call_hint
def posterior(
    block_count: ArrayLike,
    group_count: ArrayLike,
    sibling_sum: ArrayLike,
    *,
    design: TwoLevels,
    normalised: bool = False,
) -> FloatArray | float:
    """Share of the time that the chain behind the printed tables spends on one person's presence.

    An attack as it was printed, and no promise: it is about the presence of one person. The exact stationary
    probability of that chain, without sampling.
    Source: thesis, Table 2.7; ours, the stationary law and the inference that this is the chain

    Parameters
    ----------
    block_count, group_count, sibling_sum, design
        As in `two_levels.log_odds`; the approximate noise law and a prior of kind 'flat', 'bounded' or 'point'.
    normalised : bool; for a bounded prior: whether the chain keeps the normaliser 1/(total - X₁ + 1). The printed
        figures dropped it.

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(posterior(2, 1, -1, design=design), 3)
    0.578
    """
    x1, x2, y = released(block_count, group_count, sibling_sum, design)
    up, down = _drift(x1, x2, y, design, normalised)
    return _checks.scalar_or_array(np.asarray(up / (up + down)), block_count, group_count, sibling_sum)


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
    """Share of the time that the chain spends on a count of the group, when one person's presence is the secret.

    An attack as it was printed, and no promise: it is about the presence of one person. Parameters and errors are those
    of `two_levels.group_posterior` and `posterior`; the result is exact for the inferred chain.
    Source: thesis, Table 2.8; ours, the stationary law

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> [round(100 * float(mass), 1) for mass in group_posterior([0, 1, 2], 2, 1, -1, design=design)]
    [11.0, 39.5, 30.5]
    """
    x1, x2, y = one_release(block_count, group_count, sibling_sum)
    result = group_mixture(group, posterior(x1, x2, y, design=design), x2, y, design)
    return _checks.scalar_or_array(result, group)


@call_hint
def decision_map(
    *,
    design: TwoLevels,
    block_counts: Sequence[int] = BLOCK_COUNTS,
    group_counts: Sequence[int] = GROUP_COUNTS,
    sibling_sums: Sequence[int] = SIBLING_SUMS,
) -> DecisionMap:
    """What the chain decides about one person's presence at every combination of released counts.

    An attack as it was printed, and no promise: it is about the presence of one person. Parameters and errors are those
    of `two_levels.decision_map` and `posterior`; the result is exact for the inferred chain.
    Source: thesis, Figure 2.4; ours, the stationary law

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> int(decision_map(design=design).decisions[5, 4, 29])
    1
    """
    return DecisionMap.of(
        lambda x1, x2, y: np.asarray(logit(posterior(x1, x2, y, design=design))),
        design=design,
        block_counts=block_counts,
        group_counts=group_counts,
        sibling_sums=sibling_sums,
    )


@call_hint
def effects(*, block: int, group: int, design: TwoLevels, normalised: bool = False) -> Effects:
    """How the chain behind the printed figures fares on one person's presence, if it were run for ever.

    An attack as it was printed, and no promise: it is about the presence of one person. Parameters and errors are those
    of `two_levels.effects` and `posterior`. Exact for the inferred chain; ties are not sought (`tie` is 0).
    Source: thesis, Chapter 2.4.3 (2.48 %, 1.83 %, 59.05 %) and Chapter 2.9; ours, the stationary law

    Examples
    --------
    >>> design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    >>> round(effects(block=1, group=1, design=design).right, 3)
    0.595
    """
    true_block, true_group = true_counts(block, group, design)
    x2, y, weights = releases_above(true_block, true_group, design, 100_000)
    kept = weights > 1e-12  # far below the three digits that were printed
    x2, y, weights = x2[kept], y[kept], weights[kept]
    span = _lattice.reach(design.rho_block, 28.0)
    alone_threshold = float(design.block_attack.decision_threshold())
    average = decided = gained = lost = alone = 0.0
    for noise in range(-span, span + 1):
        probability = float(np.exp(_lattice.log_pmf(noise, design.rho_block)))
        count = float(true_block + noise)
        up, down = _drift(np.full_like(x2, count), x2, y, design, normalised)
        average += probability * float(weights @ (up / (up + down)))
        yes = up > down
        mass = probability * float(weights @ yes)
        decided += mass
        if count >= alone_threshold:
            alone += probability
            lost += probability * float(weights.sum()) - mass
        else:
            gained += mass
    return Effects(average, decided, 0.0, gained, lost, alone, "present" if true_block > design.known else "absent")
