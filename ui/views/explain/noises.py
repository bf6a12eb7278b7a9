"""The noises that are named, and what one is for records that move its number together."""

from __future__ import annotations

NOISES = {
    "geometric": "geometric noise",
    "laplace": "Laplace noise",
    "gaussian": "Gaussian noise",
    "discrete_gaussian": "discrete Gaussian noise",
    "randomised_response": "randomised response",
}
