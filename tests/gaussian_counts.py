"""Attacks on discrete Gaussian counts, at one budget or at many, as the tests of several folders write them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore.attacks.moved_value import MovedValueAttack
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import Side

SIDE_OF: tuple[Side, Side] = ("absent", "present")
"""Which side it is, by how often the person is in the true count."""


def gaussian(rho: ArrayLike, prior: ArrayLike = 0.5, known: ArrayLike = 0) -> CountAttack:
    """The attack on one count with discrete Gaussian noise."""
    if np.ndim(rho) == 0:
        return CountAttack(DiscreteGaussian(rho=rho), prior=prior, known=known)  # type: ignore[arg-type]
    return CountAttack(DiscreteGaussian(rho=1.0), prior=prior, known=known).over(rho)


def two_gaussians(rho: ArrayLike, prior: ArrayLike = 0.5, known: int = 0, known_other: int = 0) -> MovedValueAttack:
    """The attack on a value with discrete Gaussian noise on each of two cells."""
    return MovedValueAttack(DiscreteGaussian(rho=1.0), prior=prior, known=known, known_other=known_other).over(rho)


def gaussians(rhos: Sequence[float], prior: float = 0.5, knowns: ArrayLike | None = None) -> RepeatedAttack:
    """The attack on several counts with discrete Gaussian noise of these budgets."""
    return RepeatedAttack([DiscreteGaussian(rho=rho) for rho in rhos], prior=prior, knowns=knowns)
