"""The mechanisms there are: pages, the command line, the reference and tests walk this list; a new one is one line."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.mechanisms.additive import NoiseMechanism
from dpcore.mechanisms.discrete_gaussian import DiscreteGaussian
from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.geometric import Geometric
from dpcore.mechanisms.laplace import Laplace
from dpcore.mechanisms.layers import Curve, Mechanism
from dpcore.mechanisms.randomized_response import RandomizedResponse
from dpcore.mechanisms.shuffled_response import ShuffledRandomizedResponse
from dpcore.mechanisms.subsampled_gaussian import SubsampledGaussian

MECHANISMS: list[type[Mechanism]] = [
    Geometric,
    Laplace,
    Gaussian,
    DiscreteGaussian,
    RandomizedResponse,
]
"""Every mechanism, by the order in which choices list them."""

CURVES: tuple[type[Curve], ...] = (SubsampledGaussian, ShuffledRandomizedResponse, ExponentialMechanism)
"""Mechanisms that are known by their curve alone, and that by their parameters."""

Noise = str
"""The name of a kind of additive noise, as `NoiseMechanism.name` has it."""
NoiseKind = Noise | type[NoiseMechanism]
"""A kind of additive noise: its name on the list, or its class, which need not be on it."""


@call_hint
def noise_kinds() -> Iterator[type[NoiseMechanism]]:
    """Every additive noise on the list.

    It names kinds of noise; no promise about a secret belongs to a name.
    Source: ours, a list

    Examples
    --------
    >>> [kind.name for kind in noise_kinds()]
    ['geometric', 'laplace', 'gaussian', 'discrete_gaussian']
    """
    return (kind for kind in MECHANISMS if issubclass(kind, NoiseMechanism))


@call_hint
def mechanism_kind(name: str) -> type[Mechanism] | None:
    """The class of a mechanism by its name; None where the list has none of that name.

    It names a mechanism; no promise about a secret belongs to a name.
    Source: ours, a list

    Parameters
    ----------
    name : str; by which links, files and arguments know it

    Examples
    --------
    >>> mechanism_kind("randomised_response").is_local, mechanism_kind("pure")
    (True, None)
    """
    return next((kind for kind in MECHANISMS if kind.name == name), None)


@call_hint
def curve_kind(name: str) -> type[Curve] | None:
    """The class of a mechanism that is known by its curve; None where `CURVES` has none of that name.

    It names a mechanism; no promise about a secret belongs to a name.
    Source: ours, a list

    Parameters
    ----------
    name : str; by which links, files and arguments know it

    Examples
    --------
    >>> curve_kind("shuffled_response").is_local, curve_kind("laplace")
    (True, None)
    """
    return next((kind for kind in CURVES if kind.name == name), None)


@call_hint
def noise_kind(noise: NoiseKind) -> type[NoiseMechanism]:
    """The class of a kind of additive noise, by its name or by itself.

    It names a kind of noise; no promise about a secret belongs to a name.
    Source: ours, a list

    Parameters
    ----------
    noise : str or type; a name on the list, or a class of additive noise

    Examples
    --------
    >>> noise_kind("laplace").label
    'Laplace noise'
    """
    if isinstance(noise, type) and issubclass(noise, NoiseMechanism):
        return noise
    known = {kind.name: kind for kind in noise_kinds()}
    return known[_checks.choice("noise", noise, known)]
