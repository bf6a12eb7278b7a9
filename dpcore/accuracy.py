"""What a budget costs: error of noisy counts, wrong-side chances, and from a wanted accuracy back to the budget.

Errors are those of one published number with the mechanism's noise, exactly. The *wrong side* of a target is the event
that the published count meets the target while the true one does not, or the other way round. Continuous noise is
rounded to a whole number before a count is compared or called exact.

The inverses return the mechanism with the smallest budget that reaches the accuracy. Its budget is needed, not allowed:
rounded for print it goes *up* (`dpcore.rounding.round_up`), whereas a budget that a promise allows goes down.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, count, kind_of, number, refuse_fractions, scalar_or_array
from dpcore._roots import bracketed_root
from dpcore.guarantees import (
    Guarantee,
)
from dpcore.mechanisms import Noise as Noise
from dpcore.mechanisms import NoiseKind, NoiseMechanism, noise_kind, noise_kinds

NOISES = tuple(kind.name for kind in noise_kinds())
"""The names of the kinds of additive noise."""
AdditiveMechanism = NoiseMechanism
SMALLEST_CHANCE = 1e-12
"""Of a smaller chance, the chance of the opposite leaves no digits."""
_ROUNDED = 2e-13  # more than the law of a noise loses of a chance, relative to it


@call_hint
def noise_with_budget(budget: float, noise: NoiseKind, *, sensitivity: float = 1) -> NoiseMechanism:
    """The mechanism of a kind with a budget in its native definition: epsilon, or rho for the Gaussian kinds.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity. The mechanism
    as a value.
    Source: ours, a choice by name

    Parameters
    ----------
    budget : float; epsilon (geometric, Laplace) or rho (Gaussian, discrete Gaussian), above 0
    noise : str or type; "geometric", "laplace", "gaussian" or "discrete_gaussian"
    sensitivity : float, optional; largest change by one person; a whole number for integer noise

    Examples
    --------
    >>> round(noise_with_budget(0.5, "laplace").std ** 2, 9)
    8.0
    """
    return noise_kind(noise).with_budget(budget, sensitivity=sensitivity)


@call_hint
def noise_under(guarantee: Guarantee, noise: NoiseKind, *, sensitivity: float = 1) -> NoiseMechanism:
    """The mechanism of a kind with the least noise that gives a guarantee, by the conversion named here.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity. Geometric and
    Laplace noise with the guarantee's epsilon; for zCDP with epsilon = sqrt(2 rho), which is enough. Gaussian noise:
    exactly calibrated for approximate and for probabilistic DP. Discrete Gaussian noise: the largest rho whose general
    conversion suffices, so slightly more noise than necessary.
    Source: bun_steinke, Proposition 1.4 (epsilon-DP is epsilon^2/2-zCDP); balle_wang, Theorem 8
    Source: canonne_kamath_steinke, Corollary 13

    Parameters
    ----------
    guarantee : guarantee; what the release must satisfy, with a budget above 0
    noise : str or type; kind of noise, see `noise_with_budget`
    sensitivity : float, optional; largest change by one person

    Examples
    --------
    >>> from dpcore.guarantees import PureDP
    >>> noise_under(PureDP(epsilon=1.0), "geometric")
    Geometric(epsilon=1.0, sensitivity=1)
    """
    kind = noise_kind(noise)
    kind_of("guarantee", guarantee, Guarantee, "a guarantee such as PureDP(epsilon=1.0)")
    return kind.under(guarantee, sensitivity=sensitivity)


@call_hint
@dataclass(frozen=True)
class CountError:
    """The error of one published count.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity.

    Parameters
    ----------
    root_mean_square : float; root mean square error, equal to the standard deviation (the noise has mean zero)
    mean_absolute : float; mean absolute error
    half_width : float; smallest h with the published count within h of the truth with probability at least `level`
    level : float; the probability of that central range
    within : float; the probability that the published count is within `half_width`, at least `level`
    probability_exact : float; probability that the published count is exactly right

    Examples
    --------
    >>> from dpcore.mechanisms import Laplace
    >>> error = count_error(Laplace(epsilon=1.0))
    >>> round(error.root_mean_square**2, 9), error.mean_absolute
    (2.0, 1.0)
    """

    root_mean_square: float
    mean_absolute: float
    half_width: float
    level: float
    within: float
    probability_exact: float


@call_hint
def count_error(mechanism: NoiseMechanism, *, level: float = 0.95) -> CountError:
    """The error of one count published with the mechanism, exactly.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity. Exact values;
    the half-width of integer noise is the smallest whole number.
    Source: thesis, Tables 3.1 and 3.5 (standard deviation and probability exact)

    Parameters
    ----------
    mechanism : additive noise
    level : float, optional; probability of the central range, in [0, 1)

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> error = count_error(Geometric(epsilon=math.log(9)))
    >>> round(error.root_mean_square, 2), error.half_width, round(error.probability_exact, 9)
    (0.53, 1, 0.8)
    """
    kind_of("mechanism", mechanism, NoiseMechanism, "noise such as Geometric(epsilon=1.0)")
    number("level", level, 0.0, 1.0, open_high=True)
    half_width = mechanism.half_width(level)
    return CountError(
        root_mean_square=mechanism.std,
        mean_absolute=mechanism.mean_absolute,
        half_width=half_width,
        level=level,
        within=float(mechanism.probability_within(half_width)),
        probability_exact=mechanism.probability_exact,
    )


# The wrong side of a target


@call_hint
@dataclass(frozen=True, kw_only=True)
class RateTarget:
    """A target for a rate per thousand, on a known base: met when the count is at most the target count.

    It is about accuracy: no promise about a secret belongs to it.
    Source: thesis, Example 3 and Figure 3.2

    Parameters
    ----------
    total : int; size of the base (births, residents), a whole number of at least 1
    target_per_thousand : float; the target rate, at least 0

    Examples
    --------
    >>> target = RateTarget(total=4012, target_per_thousand=6.0)
    >>> target.target_count, target.deviation_counts([0.25, 0.5, 1, 2])
    (24, (1, 2, 4, 8))
    """

    total: int
    target_per_thousand: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", count("total", self.total, 1))
        object.__setattr__(self, "target_per_thousand", number("target_per_thousand", self.target_per_thousand, 0.0))

    def _events(self, per_thousand: float) -> int:
        exact = Decimal(repr(per_thousand)) * self.total / 1000
        return int(exact.to_integral_value(rounding=ROUND_HALF_EVEN))

    @property
    def target_count(self) -> int:
        """Number of events that the target rate allows, to the nearest whole number (ties to even)."""
        return self._events(self.target_per_thousand)

    def deviation_counts(self, per_thousand: ArrayLike) -> tuple[int, ...]:
        """Numbers of events that deviations of the rate amount to, each to the nearest whole number (ties to even)."""
        return tuple(self._events(float(deviation)) for deviation in array("per_thousand", per_thousand, 0.0).ravel())


@overload
def wrong_side_probability(mechanism: NoiseMechanism, *, excess: Number) -> float: ...
@overload
def wrong_side_probability(mechanism: NoiseMechanism, *, excess: ArrayLike) -> FloatArray: ...
@call_hint
def wrong_side_probability(mechanism: NoiseMechanism, *, excess: ArrayLike) -> float | Any:
    """Probability that the published count is on the other side of a target than the true count.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity. The
    probability, exact. A truth k below the target is safer than a truth k above, since a count equal to the target
    meets it: P[noise >= 1 + k] against P[noise <= -k], smaller by the factor e^rate for geometric noise.
    Source: thesis, Figure 3.2 and Example 3; ours, the other direction

    Parameters
    ----------
    mechanism : additive noise
    excess : array_like; true count minus target count, whole numbers. Above 0 the target is missed, and the publication
        errs when noise of at most -excess makes it look met; at 0 or below the target is met (a count equal to the
        target meets it), and the publication errs when noise of at least 1 - excess makes it look missed.

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> noise = Geometric(epsilon=math.log(9))
    >>> round(wrong_side_probability(noise, excess=1), 9), round(wrong_side_probability(noise, excess=-1), 9)
    (0.1, 0.011111111)
    """
    kind_of("mechanism", mechanism, NoiseMechanism, "noise such as Geometric(epsilon=1.0)")
    k = array("excess", excess)
    refuse_fractions("excess", k)
    needed = mechanism.off_by(np.where(k > 0, k, 1 - k))
    return scalar_or_array(np.asarray(mechanism.tail(needed)), excess)


# From a wanted accuracy to the smallest budget


def _smallest(
    noise: NoiseKind, sensitivity: float, enough: Callable[[NoiseMechanism], float], guess: float
) -> NoiseMechanism:
    """The mechanism with the smallest budget at which the increasing function `enough` is at least 0."""

    def at(log_budget: float) -> float:
        return enough(noise_with_budget(math.exp(log_budget), noise, sensitivity=sensitivity))

    low = high = math.log(guess)
    while at(low) >= 0:
        low -= 2.0
    while at(high) < 0:
        high += 2.0
    log_budget = float(
        bracketed_root(lambda x: np.asarray([at(float(point)) for point in x]), np.array([low]), np.array([high]))[0]
    )
    budget, step = math.exp(log_budget), 2.0**-50
    while enough(noise_with_budget(budget, noise, sensitivity=sensitivity)) < 0:  # the root's last digits, upwards
        budget, step = budget * (1 + step), 2 * step
    return noise_with_budget(budget, noise, sensitivity=sensitivity)


def _often_within(width: float, wanted: float) -> Callable[[NoiseMechanism], float]:
    """How far noise keeps within a width oftener than wanted: in the smaller of the chances that it does or does not.

    At least 0 says that it does, whatever a float has rounded.
    """
    if wanted < 0.5:
        return lambda mechanism: math.log(max(mechanism.probability_within(width), 1e-300) / wanted) - _ROUNDED
    allowed = math.log1p(-wanted) - math.log(2)
    return lambda mechanism: allowed - float(mechanism.log_survival(width)) - _ROUNDED


def _guess(noise: NoiseKind, std: float, sensitivity: float) -> float:
    """The budget of about this standard deviation, where the search starts."""
    ratio = min(max(sensitivity / std, 1e-150), 1e3)
    return math.sqrt(2) * ratio if noise_kind(noise).budget_kind == "epsilon" else ratio * ratio / 2


@call_hint
def noise_for_std(std: float, noise: NoiseKind, *, sensitivity: float = 1) -> NoiseMechanism:
    """The mechanism with the smallest budget whose standard deviation is at most `std`.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity. The mechanism;
    its epsilon or rho is the smallest that suffices, to the last digits of a float. Round it up.
    Source: ours, root of the exact standard deviation

    Parameters
    ----------
    std : float; wanted standard deviation (root mean square error), above 0
    noise : str or type; kind of noise, see `noise_with_budget`
    sensitivity : float, optional; largest change by one person

    Examples
    --------
    >>> round(noise_for_std(2.0, "laplace").epsilon, 9) == round(math.sqrt(0.5), 9)
    True
    """
    wanted = number("std", std, 0.0, 1e100, open_low=True)

    def enough(mechanism: NoiseMechanism) -> float:
        return math.log(wanted / max(mechanism.std, 1e-300))

    return _smallest(noise, sensitivity, enough, _guess(noise, wanted, sensitivity))


@call_hint
def noise_for_range(
    half_width: float, noise: NoiseKind, *, level: float = 0.95, sensitivity: float = 1
) -> NoiseMechanism:
    """The mechanism with the smallest budget that keeps a count within +-half_width with the wanted probability.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity. The mechanism;
    its epsilon or rho suffices and is, to twelve digits, the smallest that does. Round it up.
    Source: ours, root of the exact tail probability

    Parameters
    ----------
    half_width : float; largest acceptable error, at least 0; integer noise uses its whole part, continuous noise must
        be > 0
    noise : str or type; kind of noise, see `noise_with_budget`
    level : float, optional; probability of an error of at most `half_width`, in [1e-12, 1)
    sensitivity : float, optional; largest change by one person

    Examples
    --------
    >>> mechanism = noise_for_range(10, "geometric")
    >>> round(mechanism.epsilon, 3), mechanism.half_width(0.95)
    (0.284, 10)
    """
    width = number("half_width", half_width, 0.0, 1e100, open_low=not noise_kind(noise).is_whole)
    p = number("level", level, SMALLEST_CHANCE, 1.0, open_high=True)
    return _smallest(noise, sensitivity, _often_within(width, p), _guess(noise, max(width, 0.5), sensitivity))


@call_hint
def noise_for_exact(probability_exact: float, noise: NoiseKind, *, sensitivity: float = 1) -> NoiseMechanism:
    """The mechanism with the smallest budget that publishes the exact count with the wanted probability.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity. The mechanism;
    its epsilon or rho suffices and is, to twelve digits, the smallest that does. Round it up.
    Source: ours, root of the exact probability

    Parameters
    ----------
    probability_exact : float; wanted probability, in [1e-12, 1); continuous noise is rounded to a whole number first
    noise : str or type; kind of noise, see `noise_with_budget`
    sensitivity : float, optional; largest change by one person

    Examples
    --------
    >>> round(noise_for_exact(0.8, "geometric").epsilon, 9)  # the logarithm of 9
    2.197224577
    """
    p = number("probability_exact", probability_exact, SMALLEST_CHANCE, 1.0, open_high=True)
    width = 0.0 if noise_kind(noise).is_whole else 0.5
    return _smallest(noise, sensitivity, _often_within(width, p), _guess(noise, 1.0, sensitivity))


@call_hint
def noise_for_wrong_side(largest: float, noise: NoiseKind, *, excess: int, sensitivity: float = 1) -> NoiseMechanism:
    """The mechanism with the smallest budget whose chance of publishing on the wrong side of a target is acceptable.

    It is about accuracy; the promise is the noise's guarantee, for one step of at most the sensitivity. The mechanism;
    its epsilon or rho is the smallest that suffices, to the last digits of a float. Round it up.
    Source: ours, root of the exact tail probability

    Parameters
    ----------
    largest : float; largest acceptable probability, in (0, 1/2)
    noise : str or type; kind of noise, see `noise_with_budget`
    excess : int; true count minus target count, a whole number; see `wrong_side_probability`
    sensitivity : float, optional; largest change by one person

    Examples
    --------
    >>> round(noise_for_wrong_side(0.1, "geometric", excess=1).epsilon, 9) == round(math.log(9), 9)
    True
    """
    allowed = math.log(number("largest", largest, 0.0, 0.5, open_low=True, open_high=True))
    whole = count("excess", excess, -(10**15))
    needed = float(noise_kind(noise).off_by(whole if whole > 0 else 1 - whole))
    return _smallest(
        noise,
        sensitivity,
        lambda mechanism: allowed - float(mechanism.log_tail(needed)),
        _guess(noise, needed, sensitivity),
    )
