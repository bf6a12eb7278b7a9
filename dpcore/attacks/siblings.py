"""The rest of the block group: what an attacker believes about it, and the noise of the sum of its counts.

The prior on the siblings decides whether the counts above a block help an attacker, so it is always a choice that is
shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.attacks._inputs import check_width, positive, whole_numbers
from dpcore.errors import Code, Refused
from dpcore.mechanisms import _lattice

PriorKind = Literal["flat", "bounded", "point", "siblings"]
PRIOR_KINDS: tuple[PriorKind, ...] = get_args(PriorKind)
EXACT_NOISE_FROM = 0.5
"""Above this ρ the approximation (2.9) of the summed noise is visibly wrong; use the exact law."""
LARGEST_TOTAL = 1_000_000
"""Most people of a group in a belief: each count up to it may be summed over."""
WIDE = 0.1
"""Below this ρ a sum of noises is too wide to add up one by one, and (2.9) is right to more digits than floats have."""


@call_hint
@dataclass(frozen=True)
class SiblingPrior:
    """What the attacker believes about the people of the target's kind in the rest of the block group.

    A part of attacks on the presence of one person; no promise belongs to it.
    Source: thesis, equations (2.30) and (2.31); ours, kind 'siblings'

    Parameters
    ----------
    kind : {'flat', 'bounded', 'point', 'siblings'}; 'flat': every count of the siblings from 0 up is as likely as any
        other. 'bounded': the whole block group holds a count between the block's and `total`, each as likely. 'point':
        the block group holds exactly `total`. 'siblings': the siblings hold j people with probability proportional to
        `weights[j]`.
    total : int, optional; for 'bounded' and 'point': from 0 to 1,000,000
    weights : tuple of float, optional; for 'siblings': at least 0, not all 0

    Examples
    --------
    >>> SiblingPrior("siblings", weights=(0.99, 0.01)).kind
    'siblings'
    """

    kind: PriorKind = "flat"
    total: int | None = None
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        _checks.choice("kind", self.kind, PRIOR_KINDS)
        if self.kind in ("bounded", "point"):
            object.__setattr__(self, "total", _checks.count("total", self.total, 0, LARGEST_TOTAL))
        if self.kind == "siblings":
            values = np.atleast_1d(_checks.array("weights", () if self.weights is None else self.weights, 0.0))
            if values.ndim != 1 or values.sum() <= 0:
                raise Refused("weights", "have positive mass", values.tolist(), Code.EMPTY)
            object.__setattr__(self, "weights", tuple(float(value) for value in values))


FLAT = SiblingPrior()


@call_hint
def sparse_prior(*, empty: float, mean_if_occupied: float = 1.0, largest: int = 30) -> SiblingPrior:
    """A belief that the rest of the block group most likely holds nobody of the target's kind.

    A part of attacks on the presence of one person; no promise belongs to it. Of kind 'siblings'.
    Source: ours, prior

    Parameters
    ----------
    empty : float; probability of nobody, in [0, 1]
    mean_if_occupied : float; mean count when there is somebody, at least 1: one plus a geometric count
    largest : int; largest count considered, at least 1

    Examples
    --------
    >>> sparse_prior(empty=0.99).weights[:2]
    (0.99, 0.01)
    """
    nobody = _checks.number("empty", empty, 0, 1)
    mean = _checks.number("mean_if_occupied", mean_if_occupied, 1)
    stays = 1 - 1 / mean
    occupied = stays ** np.arange(_checks.count("largest", largest, 1))
    weights = np.concatenate([[nobody], (1 - nobody) * occupied / occupied.sum()])
    return SiblingPrior("siblings", weights=tuple(round(float(weight), 15) for weight in weights))


@call_hint
def leaf_prior(*, mean: float, size: float = 0.2, largest: int = 30) -> FloatArray:
    """A sparse belief about one small place: probabilities of 0, 1, 2, ... people of the target's kind.

    A part of attacks on the presence of one person; no promise belongs to it. Adds up to 1.
    Source: ours, prior

    Parameters
    ----------
    mean : float; mean count, greater than 0
    size : float; size of the negative binomial, greater than 0; the smaller, the more places are empty
    largest : int; largest count considered, at least 0. The law is cut there and rescaled.

    Examples
    --------
    >>> bool(leaf_prior(mean=0.01)[0] > 0.99)
    True
    """
    average = _checks.number("mean", mean, 0, open_low=True)
    shape = _checks.number("size", size, 0, open_low=True)
    k = np.arange(1.0, _checks.count("largest", largest) + 1)
    steps = np.log((k - 1 + shape) / k) - np.log1p(shape / average)  # each weight by the one before
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    law = np.exp(logs - logs.max())
    return np.asarray(law / law.sum())


@overload
def sum_noise_log_probability(total: Number, *, terms: int, rho: float) -> float: ...
@overload
def sum_noise_log_probability(total: ArrayLike, *, terms: int, rho: float) -> FloatArray: ...
@call_hint
def sum_noise_log_probability(total: ArrayLike, *, terms: int, rho: float) -> FloatArray | float:
    """Logarithm of the probability that independent discrete Gaussian noises add up to a total.

    A part of attacks on the presence of one person; no promise belongs to it. Exact in log space, also far in the
    tails: shifting each of n noises by k multiplies the weight by exp(-rho (n k² + 2 k rest)).
    Source: thesis, Proposition 2 (the law it approximates); ours, exact law

    Parameters
    ----------
    total : int or array; whole numbers
    terms : int; how many noises are added, at least 0 and at most 100,000
    rho : float; ρ of each, greater than 0

    Examples
    --------
    >>> round(float(np.exp(sum_noise_log_probability(0, terms=5, rho=1.0))), 4)
    0.2532
    """
    values = whole_numbers("total", total)
    number = _checks.count("terms", terms, 0, 100_000)
    rate = float(positive("rho", _checks.number("rho", rho)))
    check_width("terms and rho", number, rate)
    return _checks.scalar_or_array(_lattice.log_sum_pmf(values, number, rate), total)


@overload
def approximate_sum_noise_log_probability(total: Number, *, terms: int, rho: float) -> float: ...
@overload
def approximate_sum_noise_log_probability(total: ArrayLike, *, terms: int, rho: float) -> FloatArray: ...
@call_hint
def approximate_sum_noise_log_probability(total: ArrayLike, *, terms: int, rho: float) -> FloatArray | float:
    """Logarithm of approximation (2.9) to the law of a sum of noises.

    A part of attacks on the presence of one person; no promise belongs to it. It is one discrete Gaussian, with ρ
    divided by the number of noises.

    Parameters and errors are those of `sum_noise_log_probability`, with at least one term.
    Source: thesis, equation (2.9)

    Examples
    --------
    >>> round(float(np.exp(approximate_sum_noise_log_probability(0, terms=5, rho=1.0))), 4)
    0.2523
    """
    values = whole_numbers("total", total)
    rate = float(positive("rho", _checks.number("rho", rho))) / _checks.count("terms", terms, 1, 100_000)
    return _checks.scalar_or_array(_lattice.log_pmf(values, rate), total)


@call_hint
def sum_noise_error(*, terms: int, rho: float) -> float:
    """Total variation distance between the exact law of a sum of noises and approximation (2.9).

    A part of attacks on the presence of one person; no promise belongs to it. Exact to about 14 digits absolutely. No
    probability computed with (2.9) is off by more.
    Source: thesis, Proposition 2; ours, the error

    Parameters
    ----------
    terms : int; at least 0; with none there is no noise and no error
    rho : float; ρ of each, greater than 0

    Examples
    --------
    >>> round(sum_noise_error(terms=5, rho=1.0), 5)
    0.00108
    """
    number = _checks.count("terms", terms, 0, 100_000)
    rate = float(positive("rho", _checks.number("rho", rho)))
    if number == 0:
        return 0.0
    span = math.ceil(math.sqrt(_lattice.DROP * number / rate)) + number
    totals = np.arange(-span, span + 1.0)
    if rate < WIDE:
        ring = next_fast_len(2 * span + 1, real=True)  # nothing that counts goes round it
        one = rfft(np.fft.ifftshift(np.exp(_lattice.log_pmf(np.arange(ring) - ring // 2, rate)))).real  # it is even
        exact = np.roll(irfft((one / one[0]) ** number, ring), span)[: totals.size]
    else:
        exact = np.exp(_lattice.log_sum_pmf(totals, number, rate))
    return float(0.5 * np.abs(exact - np.exp(_lattice.log_pmf(totals, rate / number))).sum())


@call_hint
def log_convolution(left: FloatArray, right: FloatArray) -> FloatArray:
    """Logarithms of the convolution of two laws given by their logarithms, safe where plain numbers underflow.

    A part of attacks on the presence of one person; no promise belongs to it.
    Source: ours, log-space convolution

    Examples
    --------
    >>> np.exp(log_convolution(np.log([0.5, 0.5]), np.log([0.5, 0.5]))).round(3).tolist()
    [0.25, 0.5, 0.25]
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    for name, law in (("left", left), ("right", right)):
        if law.ndim != 1 or not law.size or not law.max() < np.inf:
            raise Refused(name, "be a list of logarithms below inf", law.tolist(), Code.WRONG_SHAPE)
    if left.size < right.size:
        left, right = right, left
    highest = left.max(), right.max()
    if -np.inf in highest:
        return np.full(left.size + right.size - 1, -np.inf)
    finite = left[np.isfinite(left)], right[np.isfinite(right)]
    if highest[0] - finite[0].min() + highest[1] - finite[1].min() < 600:
        with np.errstate(divide="ignore"):
            plain = np.convolve(np.exp(left - highest[0]), np.exp(right - highest[1]))
            return np.asarray(np.log(plain) + (highest[0] + highest[1]))
    result = np.full(left.size + right.size - 1, -np.inf)
    for shift, weight in enumerate(right):
        if weight > -np.inf:
            part = slice(shift, shift + left.size)
            result[part] = np.logaddexp(result[part], left + weight)
    return result


@call_hint
def sibling_kernel(noisy_counts: ArrayLike, *, rho: float, prior: ArrayLike) -> FloatArray:
    """Logarithm of how well each total of the siblings fits all of their noisy counts and a belief about each.

    A part of attacks on the presence of one person; no promise belongs to it. Entry y is the logarithm of the sum, over
    siblings' counts that add up to y, of prior times likelihood. Exact.
    Source: ours, convolution over siblings

    Parameters
    ----------
    noisy_counts : array of int; one per sibling. May be empty.
    rho : float; ρ of each count, greater than 0
    prior : array of float; weights of 0, 1, 2, ... people in one sibling, at least 0, not all 0; or one row per
        sibling.

    Examples
    --------
    >>> sibling_kernel([], rho=0.1, prior=[1.0]).tolist()
    [0.0]
    """
    counts = np.atleast_1d(whole_numbers("noisy_counts", noisy_counts if np.size(noisy_counts) else np.empty(0)))
    if counts.ndim != 1:
        raise Refused("noisy_counts", "be a list, with one entry per sibling", counts.shape, Code.WRONG_SHAPE)
    rate = float(positive("rho", _checks.number("rho", rho)))
    weights = np.atleast_1d(_checks.array("prior", prior, 0.0))
    if weights.size == 0 or (np.atleast_2d(weights).sum(axis=1) <= 0).any():
        raise Refused("prior", "have positive mass", weights.tolist(), Code.EMPTY)
    if weights.ndim > 2 or (weights.ndim == 2 and len(weights) != counts.size):
        raise Refused(
            "prior",
            "have one row per sibling",
            (len(weights), counts.size),
            Code.WRONG_SHAPE,
            got=f"{len(weights)} for {counts.size} siblings",
        )
    rows: Sequence[FloatArray] = list(weights) if weights.ndim == 2 else [weights] * counts.size
    kernel = np.zeros(1)
    with np.errstate(divide="ignore"):
        for count, row in zip(counts, rows, strict=True):
            kernel = log_convolution(kernel, np.log(row) - rate * (count - np.arange(row.size)) ** 2)
    return kernel
