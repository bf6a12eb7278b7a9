"""Several independent plain counts of the same person: repeated releases, and uniqueness at several levels.

The promise is that of one person added to or removed from every count together. Log odds add and risks multiply. The
target is counted in each of the releases or in none of them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from dpcore import _checks
from dpcore.attacks import _lattice
from dpcore.attacks._inputs import known_count, open_probability, positive, whole_numbers
from dpcore.attacks.one_count import CountAttack
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian

FloatArray = NDArray[np.float64]

_MOST_ATOMS = 8_000_000


def _same_length(name: str, values: FloatArray, rhos: FloatArray) -> None:
    if values.shape != rhos.shape:
        raise Refused(
            name,
            "have one entry per release",
            (values.size, rhos.size),
            Code.WRONG_SHAPE,
            got=f"{values.size} for {rhos.size} releases",
        )


def _releases(noisy_counts: ArrayLike, rhos: ArrayLike, knowns: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    counts = np.atleast_1d(whole_numbers("noisy_counts", noisy_counts))
    rates = np.atleast_1d(positive("rhos", rhos))
    _same_length("noisy_counts", counts, rates)
    others = np.zeros_like(counts) if knowns is None else np.atleast_1d(known_count(knowns, "knowns"))
    _same_length("knowns", others, rates)
    return counts - others, rates


def log_odds(noisy_counts: ArrayLike, *, rhos: ArrayLike, prior: float, knowns: ArrayLike | None = None) -> float:
    """Logarithm of the attacker's odds that the target is counted, given plain counts that they move by one each.

    Parameters
    ----------
    noisy_counts : array of int
        One per release; whole, may be negative.
    rhos : array of float
        ρ of each release, greater than 0.
    prior : float
        Belief before the releases, in (0, 1).
    knowns : array of int, optional
        For each release, the other people with the same characteristics; 0 when left out.

    Returns
    -------
    float
        Exact.

    Raises
    ------
    ValueError
        ``noisy_counts must have one entry per release; got ...`` and the refusals of `CountAttack`.

    References
    ----------
    thesis, equation (2.12)

    Examples
    --------
    >>> log_odds([1, 1], rhos=[0.1, 0.2], prior=0.5) == 0.1 + 0.2
    True
    """
    gaps, rates = _releases(noisy_counts, rhos, knowns)
    return float(logit(open_probability(prior)) + (rates * (2 * gaps - 1)).sum())


def posterior(noisy_counts: ArrayLike, *, rhos: ArrayLike, prior: float, knowns: ArrayLike | None = None) -> float:
    """The attacker's belief that the target is counted, given plain counts that they move by one each.

    Parameters and errors are those of `log_odds`.

    References
    ----------
    thesis, equation (2.12)

    Examples
    --------
    >>> round(posterior([2, 1], rhos=[0.0992, 0.2465], prior=0.5), 3)
    0.633
    """
    return float(expit(log_odds(noisy_counts, rhos=rhos, prior=prior, knowns=knowns)))


def risks(noisy_counts: ArrayLike, *, rhos: ArrayLike, prior: float, knowns: ArrayLike | None = None) -> FloatArray:
    """The risk that plain counts the person moves by one add, in order: how many times the belief grows, each time.

    Their product is the total risk.

    Parameters and errors are those of `log_odds`.

    References
    ----------
    thesis, equation (2.39)

    Examples
    --------
    >>> both = risks([2, 3], rhos=[0.1, 0.1], prior=0.5)
    >>> bool(abs(both.prod() - posterior([2, 3], rhos=[0.1, 0.1], prior=0.5) / 0.5) < 1e-12)
    True
    """
    gaps, rates = _releases(noisy_counts, rhos, knowns)
    start = float(logit(open_probability(prior)))
    odds = start + np.concatenate([[0.0], np.cumsum(rates * (2 * gaps - 1))])
    log_beliefs = -np.logaddexp(0.0, -odds)
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(np.diff(log_beliefs)))


def _atoms(rates: list[float], shift: int) -> tuple[FloatArray, FloatArray]:
    """Sum of rate (2 z + shift) over independent noises: values and probabilities, all combinations."""
    values, weights = np.zeros(1), np.ones(1)
    for rate in rates:
        span = _lattice.reach(rate, 34.0) + 1
        if values.size * (2 * span + 1) > _MOST_ATOMS:
            raise Refused(
                "rhos",
                f"need at most {_MOST_ATOMS:,} combinations of noise; these need more",
                values.size * (2 * span + 1),
                Code.TOO_LARGE,
                got="",
            )
        z = np.arange(-span, span + 1.0)
        values = (values[:, None] + rate * (2 * z + shift)).ravel()
        weights = (weights[:, None] * np.exp(_lattice.log_pmf(z, rate))).ravel()
        kept = weights > 1e-17 * weights.max()
        # A counted target shifts the noise by one, so an atom also matters when it is likely after that shift.
        kept |= weights * np.exp(np.minimum(values, 600.0)) > 1e-17
        values, weights = values[kept], weights[kept]
    return values, weights


def marginal_posterior(*, rhos: ArrayLike, prior: float, truth: int = 1) -> float:
    """The attacker's average belief that the target is counted, over all releases of plain counts moved by one each.

    Parameters
    ----------
    rhos : array of float
        ρ of each release, greater than 0.
    prior : float
        Belief before the releases, in (0, 1).
    truth : {0, 1}
        Whether the target is counted.

    Returns
    -------
    float
        Exact to about 12 digits, for any number of releases: one integral of their transforms.

    Raises
    ------
    ValueError
        As `CountAttack`.

    References
    ----------
    thesis, equation (2.12) averaged (Figure 2.7); ours, Mellin's integral of the logistic function

    Examples
    --------
    >>> round(marginal_posterior(rhos=[0.0992, 0.2465], prior=0.5), 4)
    0.5745
    """
    rates = np.atleast_1d(positive("rhos", rhos))
    belief = float(open_probability(prior))
    counted = _checks.count("truth", truth, 0, 1)
    if rates.size == 0:
        return belief
    if rates.size == 1:
        return float(CountAttack(DiscreteGaussian(rho=float(rates[0])), prior=belief).marginal_posterior(truth))
    odds = float(logit(belief))
    # Absent, the odds move by the mirror image of the shift: E[expit(l - S)] is what is left of E[expit(-l + S)].
    believed, left = _average_logistic(rates, odds if counted else -odds)
    return believed if counted else left


def _log_transform(rates: FloatArray, s: NDArray[Any]) -> NDArray[Any]:
    """Logarithm of E[exp(s S)], S the sum of rho (2 Z + 1) over the noises Z: a theta function of each rate.

    The nearest whole number is taken out of s: exp(2 rho s z) tilts the noise by s, and the lattice looks the same from
    every whole number.
    """
    whole = np.rint(s.real)
    rest = s - whole
    total = np.zeros(s.shape, dtype=np.complex128)
    for rate in rates:
        span = math.ceil(math.sqrt(_lattice.DROP / rate)) + 1
        step = max(1, math.floor(math.sqrt(0.2 / rate)))  # as in the average over one release
        z = np.arange(-(span // step) - 1, span // step + 2, dtype=float) * step
        weights = np.exp(-rate * z * z)
        weights /= weights.sum()
        tilted = np.exp(2 * rate * np.multiply.outer(rest, z)) @ weights
        total += np.log(tilted) + rate * (s + whole * (2 * rest + whole))
    return total


def _average_logistic(rates: FloatArray, odds: float) -> tuple[float, float]:
    """E[expit(odds + S)] and what is left of it to 1, S as in `_log_transform`.

    expit(x) is the integral of exp(s x) pi/sin(pi s) over a vertical line between 0 and 1, divided by 2 pi i, so its
    mean needs only the transform of S: a sum over a thousand places at most, whatever the number of releases. Of the
    mean and what is left of it, the one with the smaller integrand is summed, on the line where that is smallest.
    """
    lines = np.linspace(0.08, 0.92, 43)
    signed = np.concatenate([lines, -lines])
    sizes = (
        _log_transform(rates, signed.astype(np.complex128)).real
        + signed * odds
        - np.log(np.sin(np.pi * np.abs(signed)))
    )
    best = float(signed[int(np.argmin(sizes))])
    sign, line = (1 if best > 0 else -1), abs(best)
    step = 2 * math.pi * min(line, 1 - line) / 40
    t = np.arange(0.0, 13.5, step)
    s = line + 1j * t
    # pi/sin(pi s), by its exponentials where t is large
    turned = np.exp(1j * math.pi * s)
    kernel = 2j * math.pi * turned / (turned * turned - 1)
    integrand = np.exp(sign * s * odds + _log_transform(rates, sign * s)) * kernel
    weights = np.full(t.size, step)
    weights[0] /= 2
    mean = float(np.clip((weights @ integrand.real) / math.pi, 0.0, 1.0))
    return (mean, 1 - mean) if sign > 0 else (1 - mean, mean)


def probability_decides_counted(*, rhos: ArrayLike, prior: float, truth: int = 1) -> float:
    """Probability that the attacker decides that the target is counted, after plain counts that they move by one each.

    Parameters are those of `marginal_posterior`.

    Raises
    ------
    ValueError
        As `marginal_posterior`; ``rhos must need at most 8,000,000 combinations of noise; these need more``.

    Returns
    -------
    float
        Exact: half of the noise combinations are sorted and the other half looked up in them. Ties are decided against.

    References
    ----------
    thesis, equation (2.8) with (2.12); ours, meet in the middle

    Examples
    --------
    >>> round(probability_decides_counted(rhos=[0.0992, 0.2465], prior=0.5), 4)
    0.6613
    """
    rates = np.sort(np.atleast_1d(positive("rhos", rhos)))
    odds = float(logit(open_probability(prior)))
    counted = _checks.count("truth", truth, 0, 1)
    halves: list[list[float]] = [[], []]
    for rate in rates.tolist():  # smallest first: each goes to the half with fewer combinations
        sizes = [sum(math.log(2 * _lattice.reach(r, 34.0) + 3) for r in half) for half in halves]
        halves[int(sizes[1] < sizes[0])].append(rate)
    (left, left_weight), (right, right_weight) = (_atoms(half, 2 * counted - 1) for half in halves)
    order = np.argsort(right)
    right, beyond = right[order], np.append(np.cumsum(right_weight[order][::-1])[::-1], 0.0)
    first = np.searchsorted(right, _lattice.TIE - odds - left, side="right")
    return float(left_weight @ beyond[first])


def probability_right(*, rhos: ArrayLike, prior: float, truth: int = 1) -> float:
    """Probability that the attacker's decision is right after plain counts that the target moves by one each.

    Parameters and errors are those of `marginal_posterior`; the result is exact as `probability_decides_counted`.

    References
    ----------
    thesis, equation (2.8) with (2.12)

    Examples
    --------
    >>> round(probability_right(rhos=[0.0992, 0.2465], prior=0.5), 4)
    0.6613
    """
    decided = probability_decides_counted(rhos=rhos, prior=prior, truth=truth)
    return decided if truth else 1 - decided
