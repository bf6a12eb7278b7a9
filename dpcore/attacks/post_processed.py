"""Attack on a count that was made to add up: post-processing takes a little away from the attacker.

A block and its siblings are fitted by least squares to a fixed count of the block group, cut to its range and
rounded. The attacker sees the fitted count and knows the group's true count. All comparisons are made in whole numbers.
The secret is in which block one person is, known to be in the group or not: they move the block's count by one, and the
siblings' sum by one the other way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from dpcore import _checks
from dpcore._calls import call_hint, go_together
from dpcore._checks import FloatArray, Number
from dpcore.attacks._inputs import open_probability, whole_numbers
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.mechanisms import DiscreteGaussian, _lattice

HalfRounding = Literal["half_even", "half_up", "half_down"]
ROUNDINGS: tuple[HalfRounding, ...] = get_args(HalfRounding)
LARGEST_COUNT, LARGEST_GROUP = 10**12, 10**7
_DROP = 38.0


def _fitted(numerator: NDArray[np.int64], parts: int, largest: int, rounding: HalfRounding) -> NDArray[np.int64]:
    """numerator / parts, rounded to a whole number and cut to [0, largest], without floating point."""
    below, rest = np.divmod(numerator, parts)
    twice = 2 * rest
    up = twice > parts
    if rounding == "half_up":
        up |= twice == parts
    elif rounding == "half_even":
        up |= (twice == parts) & (below % 2 == 1)
    return np.minimum(np.maximum(below + up, 0), largest)  # np.clip takes three times as long on short arrays


@overload
def fitted_count(
    block_count: Number, sibling_sum: Number, *, group: int, siblings: int, rounding: HalfRounding = ...
) -> int: ...
@overload
def fitted_count(
    block_count: ArrayLike, sibling_sum: ArrayLike, *, group: int, siblings: int, rounding: HalfRounding = ...
) -> NDArray[np.int64]: ...
@call_hint
def fitted_count(
    block_count: ArrayLike, sibling_sum: ArrayLike, *, group: int, siblings: int, rounding: HalfRounding = "half_even"
) -> NDArray[np.int64] | int:
    """The block's count after the block and its siblings are made to add up to the group's.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays. The least-squares
    fit, cut to 0 ... group and rounded.
    Source: thesis, equations (2.41) and (2.42)

    Parameters
    ----------
    block_count, sibling_sum : int or array; noisy count of the block, sum of the siblings' noisy counts; whole,
        within ± 1e12
    group : int; fixed count of the group, from 0 to 10,000,000
    siblings : int; other blocks of the group, at least 0
    rounding : {'half_even', 'half_up', 'half_down'}; what happens to halves

    Examples
    --------
    >>> fitted_count(2, -1, group=1, siblings=27)
    1
    """
    x1, y = whole_numbers("block_count", block_count), whole_numbers("sibling_sum", sibling_sum)
    for name, counts in (("block_count", x1), ("sibling_sum", y)):
        _checks.array(name, counts, -LARGEST_COUNT, LARGEST_COUNT)
    go_together(block_count=x1, sibling_sum=y)
    x1, y = x1.astype(np.int64), y.astype(np.int64)
    top = _checks.count("group", group, 0, LARGEST_GROUP)
    number = _checks.count("siblings", siblings, 0, 100_000)
    _checks.choice("rounding", rounding, ROUNDINGS)
    result = _fitted(np.asarray(number * x1 + top - y), number + 1, top, rounding)
    return int(result) if result.ndim == 0 else result


@call_hint
@dataclass(frozen=True, eq=False)
class FittedLaw:
    """Every fitted count, its probability if the target is counted or not, and the belief it leads to.

    An attack and no promise: it is about the block of one person (a value), who is known to be in the group.

    Examples
    --------
    >>> law = fitted_law(group=2, rho=0.0992, siblings=27, prior=0.5)
    >>> law.fitted_counts.tolist(), round(float(law.if_counted.sum()), 12)
    ([0, 1, 2], 1.0)
    >>> abs(law.marginal_posterior - float(law.if_counted @ law.posteriors)) < 1e-12
    True
    """

    fitted_counts: NDArray[np.int64]
    if_counted: FloatArray
    if_not: FloatArray
    posteriors: FloatArray

    @property
    def marginal_posterior(self) -> float:
        """Average belief that the target is counted, when they are."""
        return float(self.if_counted @ self.posteriors)


@call_hint
def fitted_law(
    *, group: int, rho: float, siblings: int, prior: float, true_group: int = 1, rounding: HalfRounding = "half_even"
) -> FittedLaw:
    """What the fitted count of a block tells about one person's block (a value), when the group's count is known.

    An attack and no promise: it is about the block of one person (a value), who is known to be in the group. Exact
    under approximation (2.9) for the siblings' noise.
    Source: thesis, equations (2.43) to (2.47)

    Parameters
    ----------
    group : int; published count of the group, to which the blocks were fitted; at least 0
    rho : float; ρ of each block's count, at least 1e-5
    siblings : int; other blocks of the group, at least 1
    prior : float; belief that the target is counted, in (0, 1)
    true_group : int; true count of the group, which the attacker knows; at least 1
    rounding : {'half_even', 'half_up', 'half_down'}

    Examples
    --------
    >>> law = fitted_law(group=2, rho=0.0992, siblings=27, prior=0.5)
    >>> round(law.marginal_posterior, 4)
    0.5182
    """
    top = _checks.count("group", group, 0, LARGEST_GROUP)
    rate = _checks.number("rho", rho, 1e-5)
    number = _checks.count("siblings", siblings, 1, 100_000)
    belief = float(open_probability(_checks.number("prior", prior)))
    truth = _checks.count("true_group", true_group, 1)
    _checks.choice("rounding", rounding, ROUNDINGS)
    span = _lattice.reach(rate, _DROP)
    wide = math.ceil(math.sqrt(_DROP * number / rate))
    z, w = np.arange(-span, span + 1), np.arange(-wide, wide + 1)
    z_law = np.exp(_lattice.log_pmf(z, rate))
    w_law = np.exp(_lattice.log_pmf(w, rate / number))
    laws = []
    first, last = top, 0
    for counted in (0, 1):
        base = number * counted + top - (truth - counted)
        ends = [
            _fitted(np.asarray(base + sign * (number * span + wide)), number + 1, top, rounding) for sign in (-1, 1)
        ]
        first, last = min(first, int(ends[0])), max(last, int(ends[1]))
    for counted in (0, 1):
        law = np.zeros(last - first + 1)
        for noise, probability in zip(z, z_law, strict=True):
            numerator = number * (counted + noise) + top - (truth - counted + w)
            law += probability * np.bincount(
                _fitted(numerator, number + 1, top, rounding) - first, weights=w_law, minlength=law.size
            )
        laws.append(law / law.sum())
    kept = (laws[0] > 0) | (laws[1] > 0)
    absent, present = laws[0][kept], laws[1][kept]
    with np.errstate(divide="ignore"):
        posteriors = expit(logit(belief) + np.log(present) - np.log(absent))
    return FittedLaw(np.arange(first, last + 1)[kept], present, absent, np.asarray(posteriors))


@call_hint
def marginal_posterior(
    *, group: int, rho: float, siblings: int, prior: float, true_group: int = 1, rounding: HalfRounding = "half_even"
) -> float:
    """Average belief in one person's true block (a value) after post-processing, when the group's count is known.

    An attack and no promise: it is about the block of one person (a value), who is known to be in the group.
    Parameters, errors and the kind of result are those of `fitted_law`. This is a probability; divide by the prior for
    a risk.
    Source: thesis, equation (2.47), Figure 2.12

    Examples
    --------
    >>> round(marginal_posterior(group=50, rho=0.0992, siblings=27, prior=0.5), 4)
    0.5232
    """
    return fitted_law(
        group=group, rho=rho, siblings=siblings, prior=prior, true_group=true_group, rounding=rounding
    ).marginal_posterior


@call_hint
def marginal_posterior_upper(*, rho: float, siblings: int, prior: float) -> float:
    """Largest average belief in one person's true block (a value) under any post-processing of two plain counts.

    An attack and no promise: it is about the block of one person (a value), who is known to be in the group. The
    attacker knows the group's true count, so the person moves the block's count by one and the siblings' sum by one the
    other way. Such an attacker sees at most the block's count and the siblings' sum; post-processing adds nothing. The
    value without the siblings' sum is smaller and is not a bound. An upper bound, exact for the attacker who sees both
    counts (approximation 2.9).
    Source: ours, data-processing inequality; corrects the line of thesis, Figure 2.12

    Parameters
    ----------
    rho : float; ρ of each block's count, greater than 0
    siblings : int; at least 1
    prior : float; in (0, 1)

    Examples
    --------
    >>> round(marginal_posterior_upper(rho=0.0992, siblings=27, prior=0.5), 4)
    0.5245
    """
    rate = _checks.number("rho", rho, 0, open_low=True)
    number = _checks.count("siblings", siblings, 1)
    return RepeatedAttack(
        [DiscreteGaussian(rho=rate), DiscreteGaussian(rho=rate / number)], prior=prior
    ).marginal_posterior()
