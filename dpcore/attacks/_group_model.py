"""The block group in the two-level model: what was released, what its siblings may hold, which releases matter."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._calls import go_together
from dpcore.attacks._inputs import check_width, whole_numbers
from dpcore.attacks.siblings import SiblingPrior
from dpcore.errors import Code, Refused
from dpcore.mechanisms import _lattice

FloatArray = NDArray[np.float64]

GRID_DROP = 34.0
"""Releases less likely than exp(-34) of the likeliest are left out of averages: 2e-15 of the whole."""


class GroupDesign(Protocol):
    """What the model of a group needs to know of a release on two levels."""

    @property
    def rho_block(self) -> float:
        """ρ of the block's count."""

    @property
    def rho_group(self) -> float:
        """ρ of the group's count."""

    @property
    def rho_siblings(self) -> float:
        """ρ of the siblings' sum."""

    @property
    def siblings(self) -> int:
        """Number of sibling blocks."""

    @property
    def known(self) -> int:
        """People in the block whom the attacker knows."""

    @property
    def sibling_prior(self) -> SiblingPrior:
        """Belief about the rest of the group."""

    @property
    def noise(self) -> str:
        """Law of the summed noise of the siblings, ``"approximate"`` or ``"exact"``."""


def noise_of_sum(gap: FloatArray, design: GroupDesign) -> FloatArray:
    """Log weight of a noise `gap` in the siblings' sum, in the attacker's model, up to a constant."""
    if design.siblings == 0:
        return np.where(gap == 0, 0.0, -np.inf)
    if design.noise == "exact":
        check_width("siblings and rho_block", design.siblings, design.rho_block)
        return _lattice.log_sum_pmf(gap, design.siblings, design.rho_block)
    return -design.rho_siblings * gap * gap


def sibling_support(x2: FloatArray, y: FloatArray, design: GroupDesign) -> tuple[FloatArray, FloatArray]:
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


def released(
    block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike, design: GroupDesign
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The three released numbers, checked and broadcast together."""
    x1 = whole_numbers("block_count", block_count)
    x2 = whole_numbers("group_count", group_count)
    y = whole_numbers("sibling_sum", sibling_sum)
    go_together(block_count=x1, group_count=x2, sibling_sum=y)
    if design.siblings == 0 and (y != 0).any():
        first = float(y[y != 0].flat[0])
        raise Refused("sibling_sum", "be 0 without siblings", first, Code.INCONSISTENT, got=f"{first:g}")
    one, two, three = np.broadcast_arrays(x1, x2, y)
    return one, two, three


def one_release(block_count: ArrayLike, group_count: ArrayLike, sibling_sum: ArrayLike) -> tuple[float, float, float]:
    """The three released numbers where several have no answer."""
    block, group = _checks.number("block_count", block_count), _checks.number("group_count", group_count)
    return block, group, _checks.number("sibling_sum", sibling_sum)


def group_law(x2: float, y: float, block: int, design: GroupDesign) -> tuple[FloatArray, FloatArray]:
    """Counts of the group and their log weights when the block holds `block`."""
    prior = design.sibling_prior
    if prior.kind == "point" and design.siblings:
        assert prior.total is not None
        possible = np.array([float(prior.total)])
        return possible, np.where(possible >= block, 0.0, -np.inf)
    counts, log_prior = sibling_support(np.asarray(x2), np.asarray(y), design)
    counts = counts.ravel()
    if prior.kind == "bounded" and design.siblings:
        assert prior.total is not None
        log_prior = np.where(counts <= prior.total - block, -math.log(max(prior.total - block + 1, 1)), -np.inf)
    fit = -design.rho_group * (x2 - block - counts) ** 2 + noise_of_sum(y - counts, design)
    return block + counts, np.asarray(fit + log_prior)


def group_mixture(group: ArrayLike, belief: float, x2: float, y: float, design: GroupDesign) -> FloatArray:
    """Probability of each count of the group when the target is counted with probability `belief`."""
    wanted = whole_numbers("group", group)
    result = np.zeros(wanted.shape)
    for block, mass in ((design.known, 1 - belief), (design.known + 1, belief)):
        counts, logs = group_law(x2, y, block, design)
        if not np.isfinite(logs).any():
            continue
        law = np.exp(logs - np.logaddexp.reduce(logs))
        index = wanted - counts[0]
        inside = (index >= 0) & (index < counts.size)
        result += mass * np.where(inside, law[np.where(inside, index, 0).astype(int)], 0.0)
    return result


def releases_above(block: int, group: int, design: GroupDesign, most: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Noisy group counts and sibling sums that matter, flattened, and their probabilities under the truth."""
    span = _lattice.reach(design.rho_group, GRID_DROP)
    combinations = 4 * GRID_DROP * math.sqrt(design.siblings / design.rho_block / design.rho_group)
    if combinations > most:
        raise Refused(
            "rho_block and rho_group",
            f"need at most {most:,} combinations of noise",
            combinations,
            Code.TOO_LARGE,
            got=f"about {combinations:,.0f}",
        )
    z = np.arange(-span, span + 1.0)
    z_law = np.exp(_lattice.log_pmf(z, design.rho_group))
    others = design.siblings
    if others:
        reach = math.ceil(math.sqrt(GRID_DROP * others / design.rho_block)) + (others if design.rho_block > 1 else 0)
        w = np.arange(-reach, reach + 1.0)
        w_law = np.exp(_lattice.log_sum_pmf(w, others, design.rho_block))
    else:
        w, w_law = np.zeros(1), np.ones(1)
    weights = np.outer(z_law, w_law)
    x2, y = np.broadcast_arrays(group + z[:, None], group - block + w[None, :])
    kept = weights > 1e-17
    return x2[kept], y[kept], weights[kept]


def true_counts(block: int, group: int, design: GroupDesign) -> tuple[int, int]:
    """True counts of the block and of the group, checked against the design."""
    first = _checks.count("block", block)
    second = _checks.count("group", group)
    if first not in (design.known, design.known + 1):
        raise Refused("block", f"be the {design.known} known people or one more", first, Code.INCONSISTENT)
    if second < first:
        raise Refused("group", f"be at least the block's count {first}", second, Code.INCONSISTENT)
    if design.siblings == 0 and second != first:
        raise Refused("group", f"be the block's count {first} without siblings", second, Code.INCONSISTENT)
    return first, second
