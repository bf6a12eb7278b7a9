"""Mechanisms as values: the law of their noise, their error, the guarantee they give, their privacy loss.

Four additive mechanisms for counts and sums (`Geometric`, `Laplace`, `Gaussian`, `DiscreteGaussian`) and one for
answers to a question (`RandomizedResponse`). Each is a frozen value. Laws are exact, tails in log space; functions of
a point accept scalars or arrays. A point is a value of the *noise*, in the units of the published number.

Four more are known by their curve of epsilon and delta alone: `KnownCurve` by points, a trade-off or losses of somebody
else's computation, `SubsampledGaussian`, `ShuffledRandomizedResponse` and `ExponentialMechanism` by their parameters
(`CURVES`). An `EstimatedCurve` is made of draws, and limits nothing.
They add up and have a trade-off, as bounds. There is none for the sparse vector technique, whose number of answers
depends on the data, nor for noise, sampling or clipping that a training run chooses by what it has released.

The privacy loss of one release is handed out raw: `privacy_loss_atoms()` for lattice losses (`LossAtoms`), or
`privacy_loss_cdf` for continuous ones. It is the loss Z = log P(output)/Q(output) with the output drawn from P, the
data with the person, at the full sensitivity. All these pairs are symmetric: with the person absent, the same function
of an output drawn from Q has the law of -Z.

Draws here are seeded and reproducible: they are for teaching and checking, **not for release**.
"""

from dpcore.mechanisms.additive import ContinuousNoise, NoiseMechanism, WholeNoise
from dpcore.mechanisms.discrete_gaussian import DiscreteGaussian
from dpcore.mechanisms.discrete_gaussian_law import (
    discrete_gaussian_log_normaliser,
    discrete_gaussian_log_pmf,
    discrete_gaussian_log_tail,
    discrete_gaussian_variance,
)
from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.geometric import Geometric, geometric_log_tail
from dpcore.mechanisms.known_curve import EstimatedCurve, KnownCurve
from dpcore.mechanisms.laplace import Laplace, laplace_log_tail
from dpcore.mechanisms.layers import BracketedCurve, BudgetKind, CountLaw, Curve, Mechanism
from dpcore.mechanisms.losses import LossAtoms, LossParts
from dpcore.mechanisms.randomized_response import RandomizedResponse
from dpcore.mechanisms.registry import (
    CURVES,
    MECHANISMS,
    Noise,
    NoiseKind,
    curve_kind,
    mechanism_kind,
    noise_kind,
    noise_kinds,
)
from dpcore.mechanisms.shuffled_response import ShuffledRandomizedResponse
from dpcore.mechanisms.subsampled_gaussian import SubsampledGaussian

__all__ = [
    "CURVES",
    "MECHANISMS",
    "BracketedCurve",
    "BudgetKind",
    "ContinuousNoise",
    "CountLaw",
    "Curve",
    "DiscreteGaussian",
    "EstimatedCurve",
    "ExponentialMechanism",
    "Gaussian",
    "Geometric",
    "KnownCurve",
    "Laplace",
    "LossAtoms",
    "LossParts",
    "Mechanism",
    "Noise",
    "NoiseKind",
    "NoiseMechanism",
    "RandomizedResponse",
    "ShuffledRandomizedResponse",
    "SubsampledGaussian",
    "WholeNoise",
    "curve_kind",
    "discrete_gaussian_log_normaliser",
    "discrete_gaussian_log_pmf",
    "discrete_gaussian_log_tail",
    "discrete_gaussian_variance",
    "geometric_log_tail",
    "laplace_log_tail",
    "mechanism_kind",
    "noise_kind",
    "noise_kinds",
]
