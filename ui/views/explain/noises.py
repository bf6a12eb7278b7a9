"""The noises that are named, and what one is for records that move its number together."""

from __future__ import annotations

from typing import Any

from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

Noise = Geometric | Laplace | Gaussian | DiscreteGaussian
NOISES = {
    "geometric": "geometric noise",
    "laplace": "Laplace noise",
    "gaussian": "Gaussian noise",
    "discrete_gaussian": "discrete Gaussian noise",
    "randomised_response": "randomised response",
}


def moved_together(mechanism: Noise, records: int) -> Noise:
    """The mechanism as it stands for so many records that move its number together: the same noise, a larger move."""
    if records == 1:
        return mechanism
    kind: Any = type(mechanism)
    moved = records * mechanism.sensitivity
    if isinstance(mechanism, Geometric | Laplace):
        stronger: Noise = kind(epsilon=records * mechanism.epsilon, sensitivity=moved)
    else:
        stronger = kind(rho=records**2 * mechanism.rho, sensitivity=moved)
    return stronger
