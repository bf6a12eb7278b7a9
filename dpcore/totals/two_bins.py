"""Two bins with a known total and Laplace noise: the densities of conditioning and of two projections.

Each bin carries Lap(2/epsilon) noise: epsilon for a person who moves between the bins (bounded neighbours).
"""

from __future__ import annotations

from typing import Any, Literal, get_args, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number

TwoBinMethod = Literal["conditional", "l2", "l1"]
METHODS: tuple[TwoBinMethod, ...] = get_args(TwoBinMethod)
"""Conditioning; least squares; least absolute change with weight `share` on the first bin's noise."""


@overload
def conditional_density(error: Number, *, epsilon: Number) -> float: ...
@overload
def conditional_density(error: ArrayLike, *, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def conditional_density(error: ArrayLike, *, epsilon: ArrayLike) -> Any:
    """Density of the first bin's error after conditioning on the total.

    The promise is about the bin of one person (a value), who moves to the other while the total stays. The value is
    (epsilon/2) exp(-epsilon |error|). Exact.
    Source: gong_meng, (4.6)

    Parameters
    ----------
    error : float or array_like of float; released minus true first bin
    epsilon : float or array_like of float; budget for a person who moves between the bins, greater than 0

    Examples
    --------
    >>> conditional_density(0.0, epsilon=1.0)
    0.5
    """
    u = _checks.array("error", error)
    budget = _checks.array("epsilon", epsilon, 0.0, open_low=True)
    return _checks.scalar_or_array(np.asarray(budget / 2 * np.exp(-budget * np.abs(u))), error, epsilon)


@overload
def projected_density(error: Number, *, epsilon: Number, share: float = ...) -> float: ...
@overload
def projected_density(error: ArrayLike, *, epsilon: ArrayLike, share: float = ...) -> FloatArray: ...
@call_hint
def projected_density(error: ArrayLike, *, epsilon: ArrayLike, share: float = 0.5) -> Any:
    """Density of the first bin's error after projection onto the total.

    The promise is about the bin of one person (a value), who moves to the other while the total stays. Density of share
    u1 - (1 - share) u2, both Lap(2/epsilon). Exact and stable near share = 0.5, where the printed form is 0/0.
    Source: gong_meng, (A.1) and (A.2); ours, stable form; checked by numerical convolution

    Parameters
    ----------
    error : float or array_like of float; released minus true first bin
    epsilon : float or array_like of float; budget for a person who moves between the bins, greater than 0
    share : float; weight in [0, 1] of the first bin's noise in its error; 0.5 is least squares, any weight is a
        least-absolute solution

    Examples
    --------
    >>> projected_density(0.0, epsilon=1.0)
    0.25
    """
    u = np.abs(_checks.array("error", error))
    budget = _checks.array("epsilon", epsilon, 0.0, open_low=True)
    weight = _checks.number("share", share, 0.0, 1.0)
    larger, smaller = max(weight, 1 - weight), min(weight, 1 - weight)
    slow = budget / (2 * larger)  # the slower decay rate; the other is budget/(2 smaller)
    if smaller == 0.0:
        return _checks.scalar_or_array(np.asarray(slow / 2 * np.exp(-slow * u)), error, epsilon)
    fast = budget / (2 * smaller)
    bend = 1 + slow * u * exprel(-(fast - slow) * u)
    return _checks.scalar_or_array(
        np.asarray(slow * fast / (2 * (slow + fast)) * np.exp(-slow * u) * bend), error, epsilon
    )


@overload
def two_bin_variance(epsilon: Number, *, method: TwoBinMethod, share: float = ...) -> float: ...
@overload
def two_bin_variance(epsilon: ArrayLike, *, method: TwoBinMethod, share: float = ...) -> FloatArray: ...
def two_bin_variance(epsilon: ArrayLike, *, method: TwoBinMethod, share: float = 0.5) -> Any:
    """Variance of the first bin after conditioning or projection onto the total.

    The promise is about the bin of one person (a value), who moves to the other while the total stays. The value is
    2/epsilon^2, 4/epsilon^2, 8 (share^2 + (1 - share)^2)/epsilon^2. Exact.
    Source: gong_meng, Table 2

    Parameters
    ----------
    epsilon : float or array_like of float; budget for a person who moves between the bins, greater than 0
    method : {'conditional', 'l2', 'l1'}; conditioning, least squares, or least absolute change
    share : float; with 'l1': weight in [0, 1] of the first bin's noise

    Examples
    --------
    >>> two_bin_variance(1.0, method="conditional")
    2.0
    """
    budget = _checks.array("epsilon", epsilon, 0.0, open_low=True)
    rule = _checks.choice("method", method, METHODS)
    weight = _checks.number("share", share, 0.0, 1.0)
    factor = {"conditional": 2.0, "l2": 4.0, "l1": 8 * (weight**2 + (1 - weight) ** 2)}[rule]
    return _checks.scalar_or_array(factor / budget**2, epsilon)


@overload
def two_bin_loss(epsilon: Number, *, method: TwoBinMethod, share: float = ...) -> float: ...
@overload
def two_bin_loss(epsilon: ArrayLike, *, method: TwoBinMethod, share: float = ...) -> FloatArray: ...
def two_bin_loss(epsilon: ArrayLike, *, method: TwoBinMethod, share: float = 0.5) -> Any:
    """Privacy loss attained for a person who moves between the bins.

    The promise is about the bin of one person (a value), who moves to the other while the total stays. The value is
    epsilon for conditioning and least squares, epsilon/(2 max(share, 1 - share)) for least absolute change. Exact.
    Source: gong_meng, Appendix A

    Parameters
    ----------
    epsilon : float or array_like of float; budget for a person who moves between the bins, greater than 0
    method : {'conditional', 'l2', 'l1'}; conditioning, least squares, or least absolute change
    share : float; with 'l1': weight in [0, 1] of the first bin's noise

    Examples
    --------
    >>> two_bin_loss(1.0, method="l1", share=1.0)
    0.5
    """
    budget = _checks.array("epsilon", epsilon, 0.0, open_low=True)
    rule = _checks.choice("method", method, METHODS)
    weight = _checks.number("share", share, 0.0, 1.0)
    return _checks.scalar_or_array(
        np.asarray(budget / (2 * max(weight, 1 - weight)) if rule == "l1" else budget), epsilon
    )
