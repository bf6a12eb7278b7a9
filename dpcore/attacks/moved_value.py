"""Attack on a value through a whole table: which of two cells somebody is in, when both noisy counts are seen.

The attacker knows that the target is in the data, in one of two cells, and knows everybody else in both. The count of
the cell asked about is `known` or `known + 1`, and that of the other cell `known_other + 1` or `known_other`. Each
count carries its own noise: discrete Gaussian with probability proportional to exp(-rho z²), or geometric. The
promise these numbers belong to is that of a value and two cells: twice the privacy loss of one count, in either
relation of neighbours. What is `block` for somebody who sees the one count is here for somebody who sees the histogram.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from dpcore import _checks
from dpcore.attacks import _lattice
from dpcore.attacks._inputs import known_count, open_probability, positive, whole_numbers
from dpcore.attacks.block import noise_grid
from dpcore.mechanisms import discrete_gaussian_log_normaliser

FloatArray = NDArray[np.float64]


def _excess(
    noisy_count: ArrayLike, other_noisy_count: ArrayLike, known: ArrayLike, known_other: ArrayLike
) -> FloatArray:
    """How many more people the first cell shows beyond the known ones than the second."""
    first = whole_numbers("noisy_count", noisy_count) - known_count(known)
    second = whole_numbers("other_noisy_count", other_noisy_count) - known_count(known_other, "known_other")
    return np.asarray(first - second)


def log_odds(
    noisy_count: ArrayLike,
    other_noisy_count: ArrayLike,
    *,
    rho: ArrayLike,
    prior: ArrayLike,
    known: ArrayLike = 0,
    known_other: ArrayLike = 0,
) -> FloatArray | float:
    """Logarithm of the attacker's odds that the target is in the first of two cells (a value; both counts are seen).

    Parameters
    ----------
    noisy_count, other_noisy_count : int or array
        Released counts of the cell asked about and of the other one; whole, may be negative.
    rho : float or array
        ρ of each count, greater than 0; noise has probability proportional to exp(-rho z²).
    prior : float or array
        Belief, in (0, 1), that the target is in the first cell; in the other one else.
    known, known_other : int or array
        Other people in each cell, known to the attacker; at least 0.

    Returns
    -------
    float or array
        Exact: logit prior + 2 rho times how many more the first cell shows beyond the known than the other.

    Raises
    ------
    ValueError
        ``other_noisy_count must be a whole number; got ...``, ``known_other must be at least 0; got ...`` and as
        `block.log_odds`.

    References
    ----------
    ours, product law of two cells; thesis, equation (2.3) for each

    Examples
    --------
    >>> log_odds(1, 0, rho=0.1, prior=0.5)
    0.2
    """
    excess = _excess(noisy_count, other_noisy_count, known, known_other)
    result = np.asarray(logit(open_probability(prior)) + 2 * positive("rho", rho) * excess)
    return _checks.scalar_or_array(result, noisy_count, other_noisy_count, rho, prior, known, known_other)


def posterior(
    noisy_count: ArrayLike,
    other_noisy_count: ArrayLike,
    *,
    rho: ArrayLike,
    prior: ArrayLike,
    known: ArrayLike = 0,
    known_other: ArrayLike = 0,
) -> FloatArray | float:
    """The attacker's belief that the target is in the first of two cells (a value; both counts are seen).

    Parameters and errors are those of `log_odds`.

    References
    ----------
    ours, product law of two cells

    Examples
    --------
    >>> round(posterior(2, -1, rho=0.0992, prior=0.5), 3)
    0.645
    """
    odds = log_odds(noisy_count, other_noisy_count, rho=rho, prior=prior, known=known, known_other=known_other)
    return _checks.scalar_or_array(
        np.asarray(expit(odds)), noisy_count, other_noisy_count, rho, prior, known, known_other
    )


def _parity_logs(rate: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log weights that turn exp(-rho d²/2) into the law of a difference of two noises: for even d, for odd d.

    With d = 2j the two noises are j + u and u - j: exp(-rho (d²/2 + 2u²)), summed over whole u, or half ones for odd d.
    """
    each = np.asarray(discrete_gaussian_log_normaliser(rate))
    even = np.asarray(discrete_gaussian_log_normaliser(2 * rate))
    odd = np.log(2) + _lattice.log_half_sum(2 * rate, -0.5)
    return even - 2 * each, odd - 2 * each


def marginal_posterior(*, rho: ArrayLike, prior: ArrayLike, truth: int = 1) -> FloatArray | float:
    """The attacker's average belief that the target is in the first of two cells (a value; both counts are seen).

    Parameters
    ----------
    rho : float or array
        ρ of each count, greater than 0.
    prior : float or array
        Belief before the release, in (0, 1).
    truth : {0, 1}
        Whether the target is in the first cell.

    Returns
    -------
    float or array
        Exact to about 15 digits (a sum over the difference of the two noises). For noise whose ρ is that of the table
        it stays below `block.marginal_posterior_upper` with four ρ for a value, and it can exceed the one with ρ.

    Raises
    ------
    ValueError
        As `block.marginal_posterior`.

    References
    ----------
    ours, product law of two cells

    Examples
    --------
    >>> round(marginal_posterior(rho=0.0992, prior=0.5), 3)
    0.545
    """
    sign = 2 * _checks.count("truth", truth, 0, 1) - 1
    rate, belief = np.broadcast_arrays(positive("rho", rho), open_probability(prior))
    values, weights = noise_grid(rate / 2)  # exp(-rho d²/2), thinned where the noise is wide
    even, odd = _parity_logs(rate)
    weights = weights * np.where(values % 2 == 0, 1.0, np.exp(odd - even)[..., None])
    weights = weights / weights.sum(axis=-1, keepdims=True)
    beliefs = expit(logit(belief)[..., None] + 2 * rate[..., None] * (values + sign))
    return _checks.scalar_or_array(np.asarray((weights * beliefs).sum(axis=-1)), rho, prior)


def _tail(k: FloatArray, rate: FloatArray) -> FloatArray:
    """Probability that the difference of two noises is at least the whole number k."""
    k, rate = np.broadcast_arrays(k, rate)
    first = np.where(k >= 1, k, 1 - k)  # the law is symmetric: below 1 by the other side
    even, odd = _parity_logs(rate)
    # d = 2j for even, 2j + 1 for odd: exp(-2 rho (j + parity/2)²)
    from_even = even + _lattice.log_half_sum(2 * rate, -np.ceil(first / 2))
    from_odd = odd + _lattice.log_half_sum(2 * rate, -(np.ceil((first - 1) / 2) + 0.5))
    upper = np.exp(np.logaddexp(from_even, from_odd))
    return np.asarray(np.where(k >= 1, upper, 1 - upper))


def probability_right(*, rho: ArrayLike, prior: ArrayLike, truth: int = 1) -> FloatArray | float:
    """Probability that the call which of two cells the target is in is right (a value; both counts are seen).

    The attacker calls the first cell when the posterior exceeds 1/2; a tie is decided against it, and at prior 1/2
    with equal surpluses there is one.

    Parameters and errors are those of `marginal_posterior`; the result is exact.

    References
    ----------
    ours, product law of two cells

    Examples
    --------
    >>> round(probability_right(rho=0.0992, prior=0.5), 4), round(probability_right(rho=0.0992, prior=0.5, truth=0), 4)
    (0.5628, 0.6824)
    """
    counted = _checks.count("truth", truth, 0, 1)
    rate, belief = np.broadcast_arrays(positive("rho", rho), open_probability(prior))
    threshold = _lattice.first_beyond_tie(-logit(belief) / (2 * rate))
    result = _tail(threshold - 1, rate) if counted else _tail(-threshold, rate)
    return _checks.scalar_or_array(result, rho, prior)


def average_probability_right(*, rho: ArrayLike, prior: ArrayLike) -> FloatArray | float:
    """Probability of a right call of a value from two cells, over both truths as the prior weighs them.

    Parameters and errors are those of `marginal_posterior`; the result is exact and never below the larger of `prior`
    and 1 - `prior`.

    References
    ----------
    ours, product law of two cells

    Examples
    --------
    >>> round(average_probability_right(rho=2.56, prior=0.5), 4)
    0.9375
    """
    belief = open_probability(prior)
    counted = np.asarray(probability_right(rho=rho, prior=prior, truth=1))
    other = np.asarray(probability_right(rho=rho, prior=prior, truth=0))
    return _checks.scalar_or_array(belief * counted + (1 - belief) * other, rho, prior)


def geometric_posterior(
    noisy_count: ArrayLike,
    other_noisy_count: ArrayLike,
    *,
    epsilon: ArrayLike,
    prior: ArrayLike,
    known: ArrayLike = 0,
    known_other: ArrayLike = 0,
) -> FloatArray | float:
    """The attacker's belief that the target is in the first of two cells (a value), when the noise is geometric.

    Parameters
    ----------
    noisy_count, other_noisy_count, prior, known, known_other
        As in `log_odds`.
    epsilon : float or array
        ε of each count, greater than 0; noise has probability proportional to exp(-epsilon |z|).

    Returns
    -------
    float or array
        Exact: each cell moves the log odds by ε, up or down, so they move by -2ε, 0 or 2ε.

    Raises
    ------
    ValueError
        As `log_odds`; ``epsilon must be greater than 0 and finite; got ...``.

    References
    ----------
    ours, product law of two cells

    Examples
    --------
    >>> round(geometric_posterior(3, -2, epsilon=0.5, prior=0.5), 4)  # expit(2 epsilon)
    0.7311
    """
    first = whole_numbers("noisy_count", noisy_count) - known_count(known)
    second = whole_numbers("other_noisy_count", other_noisy_count) - known_count(known_other, "known_other")
    size = positive("epsilon", epsilon)
    moved = np.where(first >= 1, size, -size) - np.where(second >= 1, size, -size)
    result = np.asarray(expit(logit(open_probability(prior)) + moved))
    return _checks.scalar_or_array(result, noisy_count, other_noisy_count, epsilon, prior, known, known_other)


def _geometric_law(size: FloatArray) -> tuple[tuple[float, FloatArray], ...]:
    """Privacy loss of a moved value in units of epsilon, with its probability under the truth."""
    towards = expit(size)
    return (2.0, towards**2), (0.0, 2 * towards * (1 - towards)), (-2.0, (1 - towards) ** 2)


def geometric_marginal_posterior(*, epsilon: ArrayLike, prior: ArrayLike, truth: int = 1) -> FloatArray | float:
    """The attacker's average belief that the target is in the first of two cells (a value), with geometric noise.

    Parameters and errors are those of `geometric_posterior` and `marginal_posterior`; the result is exact.

    References
    ----------
    ours, closed form with three atoms

    Examples
    --------
    >>> round(geometric_marginal_posterior(epsilon=0.5, prior=0.5), 4)
    0.5566
    """
    sign = 2 * _checks.count("truth", truth, 0, 1) - 1
    size, belief = np.broadcast_arrays(positive("epsilon", epsilon), open_probability(prior))
    odds = logit(belief)
    result = sum(mass * expit(odds + sign * times * size) for times, mass in _geometric_law(size))
    return _checks.scalar_or_array(np.asarray(result), epsilon, prior)


def geometric_average_probability_right(*, epsilon: ArrayLike, prior: ArrayLike) -> FloatArray | float:
    """Probability of a right call of a value from two cells with geometric noise, over both truths.

    Parameters and errors are those of `geometric_posterior` and `marginal_posterior`.

    Returns
    -------
    float or array
        Exact: the sum over -2ε, 0 and 2ε of the larger of the two joint probabilities.

    References
    ----------
    ours, closed form with three atoms

    Examples
    --------
    >>> round(geometric_average_probability_right(epsilon=1.0, prior=0.5), 4)  # no better than one count: expit(1)
    0.7311
    """
    size, belief = np.broadcast_arrays(positive("epsilon", epsilon), open_probability(prior))
    law = _geometric_law(size)
    result = sum(
        np.maximum(belief * law[at][1], (1 - belief) * law[-1 - at][1]) for at in range(len(law))
    )  # in the other world the atoms stand the other way round
    return _checks.scalar_or_array(np.asarray(result), epsilon, prior)
