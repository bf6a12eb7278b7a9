"""Attack on one plain noisy count: what an attacker who knows everybody else believes about one person.

The attacker knows that `known` people of a block have the target's characteristics and holds prior probability
`prior` that the target has them too, so the true count is `known` or `known + 1`. The count is released with discrete
Gaussian noise of probability proportional to exp(-rho z²) (ρ-zCDP for a count that one person changes by one), or
with geometric noise (ε-DP). Everything depends on the noisy count less `known`.

These numbers belong to the promise of one plain count that the person moves by one: added or removed, or in this cell
instead of another one that nobody looks at. For a value of which both cells are seen there is `moved_value`; what any
release with a budget permits takes a `Promise`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri

from dpcore import _checks
from dpcore.attacks import _lattice
from dpcore.attacks._inputs import known_count, open_probability, positive, whole_numbers
from dpcore.mechanisms import DiscreteGaussian, discrete_gaussian_log_tail
from dpcore.promise import Promise

FloatArray = NDArray[np.float64]

EQUIVALENT_ATTACKS: dict[str, str] = {
    "characteristics": (
        "Is the target, with these characteristics, in the data? The prior is the attacker's belief that they are."
    ),
    "answered": "Did the target answer at all? The prior is the belief that they answered; everybody else did.",
    "truthful": "Did the target answer correctly? The prior is the belief that they did; everybody else did.",
    "unknown variable": (
        "What is one unknown characteristic of the target? The prior is the belief in the one asked about; "
        "everything else about everybody is known."
    ),
}
"""Attacks with the same mathematics and another meaning of the prior (thesis, Chapter 2.6.2)."""


def _truth(value: int) -> int:
    return _checks.count("truth", value, 0, 1)


def rho_per_count(rho: ArrayLike, *, sensitivity: float) -> FloatArray | float:
    """The ρ that protects one plain count when noise is scaled to a query of larger sensitivity.

    Noise for a query of sensitivity Δ has variance near Δ²/(2ρ). One person still moves one count by one, so that
    count is protected as with ρ/Δ². With neighbours that differ in one person's presence (add or remove) a histogram
    has sensitivity 1; with neighbours that differ in one person's answers (replace) it has √2, which halves ρ. There is
    no default: which of the two holds is for the release to say.

    Parameters
    ----------
    rho : float or array
        ρ of the whole query, greater than 0.
    sensitivity : float
        Largest Euclidean change of the query between neighbours, greater than 0.

    Returns
    -------
    float or array
        Exact.

    Raises
    ------
    ValueError
        ``rho must be greater than 0 and finite; got ...``, likewise for ``sensitivity``.

    References
    ----------
    thesis, Definition 2 (sensitivity 1); ours, scaling

    Examples
    --------
    >>> round(rho_per_count(0.1, sensitivity=2**0.5), 12)
    0.05
    """
    values = positive("rho", rho)
    scale = _checks.number("sensitivity", sensitivity, 0, open_low=True)
    return _checks.scalar_or_array(np.asarray(values / (scale * scale)), rho)


def log_odds(noisy_count: ArrayLike, *, rho: ArrayLike, prior: ArrayLike, known: ArrayLike = 0) -> FloatArray | float:
    """Logarithm of the attacker's odds that the target is counted, given one plain count that they move by one.

    Parameters
    ----------
    noisy_count : int or array
        Released count; whole, may be negative.
    rho : float or array
        ρ of the count, greater than 0; noise has probability proportional to exp(-rho z²).
    prior : float or array
        Belief before the release, in (0, 1).
    known : int or array
        Other people with the same characteristics, known to the attacker; at least 0.

    Returns
    -------
    float or array
        Exact; does not saturate where the posterior rounds to 0 or 1.

    Raises
    ------
    ValueError
        ``noisy_count must be a whole number; got ...``, ``rho must be greater than 0 and finite; got ...``, ``prior
        must lie in (0, 1); got ...``, ``known must be at least 0; got ...``.

    References
    ----------
    thesis, equation (2.3); thesis, Chapter 2.6.1 (known people)

    Examples
    --------
    >>> log_odds(1, rho=0.1, prior=0.5)
    0.1
    """
    counts = whole_numbers("noisy_count", noisy_count)
    rate, belief, others = positive("rho", rho), open_probability(prior), known_count(known)
    result = logit(belief) + rate * (2 * (counts - others) - 1)
    return _checks.scalar_or_array(np.asarray(result), noisy_count, rho, prior, known)


def posterior(noisy_count: ArrayLike, *, rho: ArrayLike, prior: ArrayLike, known: ArrayLike = 0) -> FloatArray | float:
    """The attacker's belief that the target is counted, given one plain count that they move by one.

    Parameters and errors are those of `log_odds`. Vectorised: all cells of a table at once are one call.

    References
    ----------
    thesis, equation (2.3)

    Examples
    --------
    >>> round(posterior(2, rho=0.0992, prior=0.5), 3)
    0.574
    """
    return _checks.scalar_or_array(
        np.asarray(expit(log_odds(noisy_count, rho=rho, prior=prior, known=known))), noisy_count, rho, prior, known
    )


def risk(noisy_count: ArrayLike, *, rho: ArrayLike, prior: ArrayLike, known: ArrayLike = 0) -> FloatArray | float:
    """How many times larger than the prior the posterior is, given one plain count.

    Parameters and errors are those of `log_odds`.

    References
    ----------
    thesis, equation (2.4)

    Examples
    --------
    >>> round(risk(5, rho=0.0992, prior=0.5), 2)
    1.42
    """
    result = np.asarray(posterior(noisy_count, rho=rho, prior=prior, known=known)) / open_probability(prior)
    return _checks.scalar_or_array(np.asarray(result), noisy_count, rho, prior, known)


def release_probability(
    noisy_count: ArrayLike, *, rho: ArrayLike, truth: int = 1, known: ArrayLike = 0
) -> FloatArray | float:
    """Probability that one plain count with discrete Gaussian noise is released as exactly this number.

    Parameters
    ----------
    noisy_count, rho, known
        As in `log_odds`.
    truth : {0, 1}
        Whether the target is counted.

    References
    ----------
    thesis, equation (2.2)

    Examples
    --------
    >>> round(release_probability(1, rho=0.0992), 3)
    0.178
    """
    counts, others = whole_numbers("noisy_count", noisy_count), known_count(known)
    result = np.exp(_lattice.log_pmf(counts - others - _truth(truth), positive("rho", rho)))
    return _checks.scalar_or_array(result, noisy_count, rho, known)


def noise_grid(rho: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Noise values (last axis) and their weights that average a logistic of the noise to 15 digits.

    For small ρ every h-th value suffices: the sum is a trapezoidal rule whose error is near exp(-π²/(ρ h²)).

    References
    ----------
    ours, thinned lattice sum

    Examples
    --------
    >>> values, weights = noise_grid(np.asarray(0.1))
    >>> bool(abs((weights * values**2).sum() - 5) < 1e-9)
    True
    """
    step = np.maximum(1.0, np.floor(np.sqrt(0.2 / rho)))
    values = np.multiply.outer(step, np.arange(-31.0, 32.0))
    weights = np.exp(-rho[..., None] * values * values)
    return values, weights / weights.sum(axis=-1, keepdims=True)


def marginal_posterior(*, rho: ArrayLike, prior: ArrayLike, truth: int = 1) -> FloatArray | float:
    """The attacker's average belief that the target is counted, over all releases of one plain count.

    Parameters
    ----------
    rho : float or array
        ρ of the count, greater than 0.
    prior : float or array
        Belief before the release, in (0, 1).
    truth : {0, 1}
        Whether the target is counted.

    Returns
    -------
    float or array
        Exact to about 15 digits (a sum over the noise, no simulation). It rises with ρ, except where the noise is
        narrow and the prior small: with prior 1/864 it falls by 0.0009 between ρ = 2.8 and 3.2, because a surprise of
        one more becomes rarer faster than it becomes telling.

    Raises
    ------
    ValueError
        ``rho must be greater than 0 and finite; got ...``, ``prior must lie in (0, 1); got ...``, ``truth must be a
        whole number from 0 to 1; got ...``.

    References
    ----------
    thesis, equation (2.5)

    Examples
    --------
    >>> round(marginal_posterior(rho=0.0992, prior=0.5), 3)
    0.524
    """
    sign = 2 * _truth(truth) - 1
    rate, belief = np.broadcast_arrays(positive("rho", rho), open_probability(prior))
    values, weights = noise_grid(rate)
    beliefs = expit(logit(belief)[..., None] + rate[..., None] * (2 * values + sign))
    return _checks.scalar_or_array(np.asarray((weights * beliefs).sum(axis=-1)), rho, prior)


def marginal_risk(*, rho: ArrayLike, prior: ArrayLike) -> FloatArray | float:
    """How many times the prior the average posterior is, when the target is counted in one plain count.

    Parameters and errors are those of `marginal_posterior`.

    References
    ----------
    thesis, equation (2.6)

    Examples
    --------
    >>> round(marginal_risk(rho=0.0992, prior=0.5), 2)
    1.05
    """
    result = np.asarray(marginal_posterior(rho=rho, prior=prior)) / open_probability(prior)
    return _checks.scalar_or_array(np.asarray(result), rho, prior)


def _steps(promise: Promise) -> int:
    if not isinstance(promise, Promise):
        raise ValueError(f"promise must be a Promise; got {promise!r}")
    return promise.steps


def marginal_posterior_upper(*, rho: ArrayLike, prior: ArrayLike, promise: Promise) -> FloatArray | float:
    """Largest average belief, in the world where it is true, that any ρ-zCDP release permits about a promise's secret.

    Parameters
    ----------
    rho : float or array
        ρ of everything released, for one step of the promise's relation, greater than 0.
    prior : float or array
        Belief before the release, in (0, 1).
    promise : Promise
        What must stay secret, and under which change of the data: it says how many steps n lie between the worlds.

    Returns
    -------
    float or array
        An upper bound, expit(logit prior + 2 n² rho), for any release. For one step the ratio to the prior tends to
        exp(2 rho) for small priors, and discrete Gaussian noise on one count attains that limit; at prior 1/2 the
        bound's excess over the prior is about twice that of the noise.

    Raises
    ------
    ValueError
        ``promise must be a Promise; got ...`` and as `marginal_posterior`.

    References
    ----------
    ours, Jensen's inequality and the Rényi divergence of order 2
    bun_steinke, Proposition 1.9 (n² rho)

    Examples
    --------
    >>> presence = Promise(secret="presence", relation="add_or_remove")
    >>> round(marginal_posterior_upper(rho=0.0992, prior=0.5, promise=presence), 3)
    0.549
    >>> value = Promise(secret="value", relation="add_or_remove")  # two steps: four rho
    >>> round(marginal_posterior_upper(rho=0.0992, prior=0.5, promise=value), 3)
    0.689
    """
    between = _steps(promise)
    result = np.asarray(expit(logit(open_probability(prior)) + 2 * between**2 * positive("rho", rho)))
    return _checks.scalar_or_array(result, rho, prior)


def posterior_upper(*, epsilon: ArrayLike, prior: ArrayLike, promise: Promise) -> FloatArray | float:
    """Largest belief that any ε-DP release permits about a promise's secret.

    Parameters
    ----------
    epsilon : float or array
        ε of everything released, for one step of the promise's relation, greater than 0.
    prior : float or array
        Belief before the release, in (0, 1).
    promise : Promise
        What must stay secret, and under which change of the data: it says how many steps n lie between the worlds.

    Returns
    -------
    float or array
        An upper bound, expit(logit prior + n epsilon), for any release and every outcome. For a value under records
        added or removed a histogram with geometric noise reaches it.

    Raises
    ------
    ValueError
        ``promise must be a Promise; got ...``, ``epsilon must be greater than 0 and finite; got ...`` and as
        `marginal_posterior`.

    References
    ----------
    thesis, Theorem 27; dwork_roth, Theorem 2.2 (n epsilon)

    Examples
    --------
    >>> round(posterior_upper(epsilon=0.5, prior=0.5, promise=Promise(secret="value", relation="add_or_remove")), 4)
    0.7311
    """
    between = _steps(promise)
    result = np.asarray(expit(logit(open_probability(prior)) + between * positive("epsilon", epsilon)))
    return _checks.scalar_or_array(result, epsilon, prior)


def _threshold(rate: FloatArray, belief: FloatArray) -> FloatArray:
    """Smallest noisy count, less the known people, at which the log odds are positive beyond a tie."""
    return _lattice.first_beyond_tie(0.5 - logit(belief) / (2 * rate))


def decision_threshold(*, rho: ArrayLike, prior: ArrayLike, known: ArrayLike = 0) -> FloatArray | float:
    """Smallest noisy number of one plain count from which the attacker decides that the target is counted.

    The attacker decides so when the posterior exceeds 1/2; a tie is decided against.

    Parameters and errors are those of `log_odds`; the result is a whole number.

    References
    ----------
    thesis, equations (2.7) and (2.8)

    Examples
    --------
    >>> decision_threshold(rho=0.0992, prior=0.5)
    1.0
    >>> decision_threshold(rho=0.6, prior=0.2)
    2.0
    """
    result = _threshold(positive("rho", rho), open_probability(prior)) + known_count(known)
    return _checks.scalar_or_array(np.asarray(result), rho, prior, known)


def probability_right(*, rho: ArrayLike, prior: ArrayLike, truth: int = 1) -> FloatArray | float:
    """Probability that the attacker's decision about one plain count is right.

    Falls slowly in ρ and jumps up whenever the threshold drops by one, for priors below 1/2.

    Parameters and errors are those of `marginal_posterior`.

    Returns
    -------
    float or array
        Exact. Ties are decided against the target being counted.

    References
    ----------
    thesis, equation (2.8)

    Examples
    --------
    >>> round(probability_right(rho=0.0992, prior=0.5), 4)
    0.5888
    >>> round(probability_right(rho=0.6, prior=0.2), 2)
    0.28
    """
    counted = _truth(truth)
    rate, belief = np.broadcast_arrays(positive("rho", rho), open_probability(prior))
    threshold = _threshold(rate, belief)
    result = _lattice.tail(threshold - 1, rate) if counted else _lattice.tail(1 - threshold, rate)
    return _checks.scalar_or_array(result, rho, prior)


def average_probability_right(*, rho: ArrayLike, prior: ArrayLike) -> FloatArray | float:
    """Probability that the decision about one plain count is right, over both truths as the prior weighs them.

    Parameters and errors are those of `marginal_posterior`.

    Returns
    -------
    float or array
        Exact. Never below the larger of `prior` and 1 - `prior`, which guessing without the release attains. Except at
        prior 1/2 it can fall a little as ρ grows (by 0.006 just above ρ = 2 at prior 0.9): a larger ρ does not make
        whole-number noise a clearer copy of the noise at a smaller ρ.

    References
    ----------
    thesis, equation (2.8); ours, the average over both truths

    Examples
    --------
    >>> round(average_probability_right(rho=0.0992, prior=0.5), 4)
    0.5888
    >>> round(average_probability_right(rho=0.0992, prior=0.01), 4)
    0.99
    """
    belief = open_probability(prior)
    counted = np.asarray(probability_right(rho=rho, prior=prior, truth=1))
    absent = np.asarray(probability_right(rho=rho, prior=prior, truth=0))
    return _checks.scalar_or_array(belief * counted + (1 - belief) * absent, rho, prior)


def decision_jumps(*, prior: float, lowest: float, highest: float) -> FloatArray:
    """Every ρ of one plain count at which the decision threshold moves by one and the chance of a right call jumps.

    Parameters
    ----------
    prior : float
        Belief before the release, in (0, 1).
    lowest, highest : float
        Ends of the interval of ρ, greater than 0.

    Returns
    -------
    array
        Exact, falling: |logit prior| / (2 j - 1) for j = 1, 2, ...; at most the 1,000 largest. Empty at prior 1/2.

    Raises
    ------
    ValueError
        ``prior must lie in (0, 1); got ...``, ``lowest must be greater than 0 and finite; got ...`` and likewise.

    References
    ----------
    thesis, equation (2.8); ours, where its threshold is a whole number

    Examples
    --------
    >>> decision_jumps(prior=0.2, lowest=0.4, highest=5).round(3).tolist()
    [1.386, 0.462]
    """
    size = abs(float(logit(float(open_probability(prior)))))
    low, high = float(positive("lowest", lowest)), float(positive("highest", highest))
    if size < _lattice.TIE:
        return np.empty(0)
    first = max(1, int(np.ceil((size / high + 1) / 2)))
    last = min(int(np.floor((size / low + 1) / 2)), first + 999)
    return np.asarray(size / (2 * np.arange(first, last + 1.0) - 1))


def probability_of_tie(*, rho: float, prior: float, truth: int = 1) -> float:
    """Probability that the posterior after one plain count is exactly 1/2.

    Parameters and errors are those of `marginal_posterior`, for single values.

    References
    ----------
    ours, lattice sum

    Examples
    --------
    >>> probability_of_tie(rho=0.5, prior=0.5)
    0.0
    """
    rate, belief = float(positive("rho", rho)), float(open_probability(prior))
    below = float(_threshold(np.asarray(rate), np.asarray(belief))) - 1
    tied = abs(float(logit(belief)) + rate * (2 * below - 1)) < _lattice.TIE
    return float(np.exp(_lattice.log_pmf(below - _truth(truth), rate))) if tied else 0.0


def delta_of_count(*, epsilon: ArrayLike, rho: ArrayLike) -> FloatArray | float:
    """The δ, at a given ε, of one plain count with discrete Gaussian noise that one person moves by one.

    Parameters
    ----------
    epsilon : float or array
        At least 0.
    rho : float or array
        ρ of the count, greater than 0.

    Returns
    -------
    float or array
        Exact: P[Z >= k] - exp(epsilon) P[Z > k] with k the smallest noise whose privacy loss rho (2k + 1) exceeds
        epsilon.

    Raises
    ------
    ValueError
        ``epsilon must be at least 0 and finite; got ...``, ``rho must be greater than 0 and finite; got ...``.

    References
    ----------
    canonne_kamath_steinke, Theorem 7

    Examples
    --------
    >>> round(delta_of_count(epsilon=1.0, rho=0.0992), 5)
    0.00328
    """
    loss, rate = _checks.array("epsilon", epsilon, 0.0), positive("rho", rho)
    first = np.ceil((loss / rate - 1) / 2)
    above = np.asarray(discrete_gaussian_log_tail(first, rate))
    beyond = loss + np.asarray(discrete_gaussian_log_tail(first + 1, rate))
    result = np.exp(above) * -np.expm1(np.minimum(beyond - above, 0.0))
    return _checks.scalar_or_array(np.asarray(result), epsilon, rho)


@dataclass(frozen=True, eq=False)
class PosteriorLaw:
    """Every noisy count that matters, with its probability and the posterior it leads to, in increasing order."""

    noisy_counts: FloatArray
    probabilities: FloatArray
    posteriors: FloatArray


def posterior_law(*, rho: float, prior: float, truth: int = 1, known: int = 0) -> PosteriorLaw:
    """The whole distribution of the attacker's belief over releases of one plain count.

    Parameters
    ----------
    rho : float
        At least 1e-6: the law has about 9/sqrt(rho) atoms.
    prior, truth, known
        As in `marginal_posterior` and `log_odds`.

    Returns
    -------
    PosteriorLaw
        Exact; atoms below exp(-42) of the largest are left out.

    Raises
    ------
    ValueError
        As `log_odds`; ``rho must be at least 1e-06 and finite; got ...``.

    References
    ----------
    thesis, equations (2.3) and (2.5)

    Examples
    --------
    >>> law = posterior_law(rho=0.0992, prior=0.5)
    >>> round(float((law.probabilities * law.posteriors).sum()), 3)
    0.524
    """
    rate = _checks.number("rho", rho, 1e-6)
    reach = _lattice.reach(rate)
    counts = np.arange(-reach, reach + 1.0) + _truth(truth) + float(known_count(known))
    return PosteriorLaw(
        counts,
        np.asarray(release_probability(counts, rho=rate, truth=truth, known=known)),
        np.asarray(posterior(counts, rho=rate, prior=prior, known=known)),
    )


def posterior_quantile(level: float, *, rho: ArrayLike, prior: float, truth: int = 1) -> FloatArray | float:
    """The belief that a share of all releases of one plain count does not exceed.

    Parameters
    ----------
    level : float
        The share, in (0, 1).
    rho : float or array
        ρ of the count, greater than 0.
    prior, truth
        As in `marginal_posterior`, for single values.

    Returns
    -------
    float or array
        Exact: the smallest attainable posterior x with P[posterior <= x] of at least `level`.

    Raises
    ------
    ValueError
        As `marginal_posterior`; ``level must lie in (0, 1); got ...``.

    References
    ----------
    thesis, equation (2.3); ours, bisection on the exact tail of the noise

    Examples
    --------
    >>> round(posterior_quantile(0.5, rho=0.0992, prior=0.5), 4)
    0.5248
    """
    share = float(open_probability(level, "level"))
    rate, belief = positive("rho", rho), float(open_probability(prior))

    def reached(noise: FloatArray) -> NDArray[np.bool_]:
        """Whether P[Z <= noise] is at least the share, by whichever tail is small."""
        if share > 0.5:
            return np.asarray(discrete_gaussian_log_tail(noise + 1, rate)) <= np.log1p(-share)
        return np.asarray(discrete_gaussian_log_tail(-noise, rate)) >= np.log(share)

    near = np.round(ndtri(share) / np.sqrt(2 * rate))  # the normal quantile is seldom more than one away
    farthest = np.ceil(9.0 / np.sqrt(rate)) + 2
    low = np.where(reached(near - 2), -farthest, near - 2)
    high = np.where(reached(near + 1), near + 1, farthest)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        enough = reached(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    odds = logit(belief) + rate * (2 * high + 2 * _truth(truth) - 1)
    return _checks.scalar_or_array(np.asarray(expit(odds)), rho)


def quantile_jumps(level: float, *, lowest: float, highest: float) -> FloatArray:
    """Every ρ of one plain count at which the belief that a share of all releases does not exceed jumps.

    At such a ρ the probability of a noise of -k or less falls below the share (or that of k or more below what is left
    of it), and the quantile of the noise moves by one.

    Parameters
    ----------
    level : float
        The share, in (0, 1). The jumps of 1 - level are the same: the noise is symmetric.
    lowest, highest : float
        Ends of the interval of ρ, greater than 0.

    Returns
    -------
    array
        Exact to about 12 digits, falling; at most the 100 largest.

    Raises
    ------
    ValueError
        ``level must lie in (0, 1); got ...``, ``lowest must be greater than 0 and finite; got ...`` and likewise.

    References
    ----------
    ours, bisection on the exact tail of the noise

    Examples
    --------
    >>> quantile_jumps(0.05, lowest=0.5, highest=5).round(3).tolist()
    [2.891, 0.546]
    """
    share = float(open_probability(level, "level"))
    low, high = float(positive("lowest", lowest)), float(positive("highest", highest))
    if share == 0.5:
        return np.empty(0)  # a noise of 1 or more has less than half of the probability at every ρ
    jumps = _quantile_jumps(min(share, 1 - share))
    return jumps[(low < jumps) & (jumps <= high)]


@lru_cache(maxsize=16)
def _quantile_jumps(share: float) -> FloatArray:
    """The ρ at which P[noise >= k] is a share below one half, for k = 1, ..., 100: falling."""
    k = np.arange(1.0, 101.0)
    # P[noise >= 1] is the smallest share at ρ = 745, and one unit in the last place below one half at ρ = 4e-32.
    below, above = np.full(k.size, 1e-40), np.full(k.size, 800.0)
    for _ in range(60):
        middle = np.sqrt(below * above)
        found = np.asarray(discrete_gaussian_log_tail(k, middle)) < np.log(share)
        below, above = np.where(found, below, middle), np.where(found, middle, above)
    above.flags.writeable = False
    return above


def missing_people_posterior(noisy_count: int, *, rho: float, prior: float, others: ArrayLike, known: int = 0) -> float:
    """The attacker's belief that the target is counted in one plain count when more people are unknown.

    Parameters
    ----------
    noisy_count, rho, prior, known
        As in `log_odds`, for single values.
    others : array of float
        For each further unknown person, the belief in [0, 1] that they have the characteristics, independently. May
        be empty.

    Returns
    -------
    float
        Exact: the others' count has a Poisson-binomial law, computed by convolution.

    Raises
    ------
    ValueError
        As `log_odds`; ``others must lie in [0, 1]; got ...``.

    References
    ----------
    ours, extension of thesis, equation (2.3)

    Examples
    --------
    >>> missing_people_posterior(1, rho=0.1, prior=0.5, others=[]) == posterior(1, rho=0.1, prior=0.5)
    True
    """
    count = float(whole_numbers("noisy_count", noisy_count))
    rate, belief, sure = float(positive("rho", rho)), float(open_probability(prior)), float(known_count(known))
    beliefs = np.atleast_1d(_checks.probability("others", others if np.size(others) else np.empty(0)))
    law = np.ones(1)
    for one in beliefs:
        law = np.convolve(law, [1 - one, one])
    gap = count - sure - np.arange(law.size)
    with np.errstate(divide="ignore"):
        weights = np.log(law)
    absent = np.logaddexp.reduce(weights - rate * gap**2)
    present = np.logaddexp.reduce(weights - rate * (gap - 1) ** 2)
    return float(expit(logit(belief) + present - absent))


def all_cells_posterior(residuals: ArrayLike, *, rho: float, prior: ArrayLike) -> FloatArray:
    """The attacker's belief in every cell of a histogram, for a target known to be in exactly one (a value).

    Parameters
    ----------
    residuals : array of int
        Noisy count less the known people, for each cell.
    rho : float
        ρ of each count, greater than 0.
    prior : array of float
        Belief in each cell before the release: at least 0, adding up to 1. Cells known to be impossible have 0.

    Returns
    -------
    array
        Exact; adds up to 1.

    Raises
    ------
    ValueError
        ``residuals must hold whole numbers; got ...``, ``prior must have one entry per cell; got ...``, ``prior must
        add up to 1; got ...``.

    References
    ----------
    ours, extension of thesis, equation (2.3)

    Examples
    --------
    >>> all_cells_posterior([1, 1], rho=0.5, prior=[0.5, 0.5]).tolist()
    [0.5, 0.5]
    """
    cells = np.atleast_1d(whole_numbers("residuals", residuals))
    rate = float(positive("rho", rho))
    beliefs = np.atleast_1d(_checks.probability("prior", prior))
    if beliefs.shape != cells.shape or cells.ndim != 1:
        raise ValueError(f"prior must have one entry per cell; got {beliefs.size} for {cells.size} cells")
    if abs(beliefs.sum() - 1) > 1e-9:
        raise ValueError(f"prior must add up to 1; got {float(beliefs.sum())!r}")
    with np.errstate(divide="ignore"):
        weights = np.log(beliefs) + 2 * rate * cells
    return np.asarray(np.exp(weights - np.logaddexp.reduce(weights)))


def all_cells_probability_right(*, rho: float, prior: ArrayLike) -> float:
    """Probability that the best guess of the target's cell (a value) is right, when every cell's count is released.

    Parameters
    ----------
    rho : float
        ρ of each count, at least 1e-6.
    prior : array of float
        Belief in each of at most 200 cells before the release: at least 0, adding up to 1.

    Returns
    -------
    float
        Exact, over all releases and over cells as the prior weighs them; ties go to the earlier cell. Never below the
        largest entry of `prior`, which guessing without the release attains.

    Raises
    ------
    ValueError
        ``rho must be at least 1e-06 and finite; got ...``, ``prior must add up to 1; got ...``, ``prior must have from
        1 to 200 entries; got ...``.

    References
    ----------
    ours, extension of thesis, equation (2.8), to all cells

    Examples
    --------
    >>> all_cells_probability_right(rho=100, prior=[0.5, 0.5])
    1.0
    >>> round(all_cells_probability_right(rho=1e-6, prior=[0.7, 0.3]), 3)
    0.7
    """
    rate = _checks.number("rho", rho, 1e-6)
    beliefs = np.atleast_1d(_checks.probability("prior", prior))
    if beliefs.ndim != 1 or not 1 <= beliefs.size <= 200:
        raise ValueError(f"prior must have from 1 to 200 entries; got {beliefs.size}")
    if abs(beliefs.sum() - 1) > 1e-9:
        raise ValueError(f"prior must add up to 1; got {float(beliefs.sum())!r}")
    possible = np.flatnonzero(beliefs > 0)
    reach = _lattice.reach(rate)
    noise = np.arange(-reach, reach + 1.0)
    mass = np.exp(_lattice.log_pmf(noise, rate))
    at_most = np.append(0.0, np.cumsum(mass) / mass.sum())
    total = 0.0
    for cell in possible:
        wins = mass.copy()
        for other in possible[possible != cell]:
            # The other's noise may be at most this; at equality the earlier cell is preferred.
            most = 1 + noise + (np.log(beliefs[cell]) - np.log(beliefs[other])) / (2 * rate)
            allowed = np.ceil(most - _lattice.TIE) - 1 if other < cell else np.floor(most + _lattice.TIE)
            wins *= at_most[np.clip(allowed + reach + 1, 0, noise.size).astype(int)]
        total += float(beliefs[cell] * wins.sum())
    return min(total, 1.0)


def draw_releases(count: int, *, rho: float, draws: int, seed: int) -> NDArray[np.int64]:
    """Noisy counts of a true count, drawn with discrete Gaussian noise from a seed.

    Parameters
    ----------
    count : int
        True count, at least 0.
    rho : float
        At least 1e-6.
    draws : int
        How many, at least 0.
    seed : int
        At least 0; the same seed gives the same draws, for the whole class.

    Returns
    -------
    array of int
        For teaching: drawn from a floating-point generator, which is not fit to protect real data.

    Raises
    ------
    ValueError
        ``count must be a whole number of at least 0; got ...`` and likewise.

    References
    ----------
    thesis, equation (2.2)

    Examples
    --------
    >>> bool((draw_releases(1, rho=0.1, draws=5, seed=3) == draw_releases(1, rho=0.1, draws=5, seed=3)).all())
    True
    """
    true_count = _checks.count("count", count)
    noise = DiscreteGaussian(rho=_checks.number("rho", rho, 1e-6))
    return np.asarray(true_count + noise.simulate_noise(_checks.count("draws", draws), _checks.count("seed", seed)))


def geometric_log_odds(
    noisy_count: ArrayLike, *, epsilon: ArrayLike, prior: ArrayLike, known: ArrayLike = 0
) -> FloatArray | float:
    """Logarithm of the odds that the target is counted, given one plain count with geometric noise.

    Parameters
    ----------
    noisy_count, prior, known
        As in `log_odds`.
    epsilon : float or array
        ε of the count, greater than 0; noise has probability proportional to exp(-epsilon |z|).

    Returns
    -------
    float or array
        Exact: the prior's log odds plus ε from `known + 1` upwards, less ε below.

    Raises
    ------
    ValueError
        As `log_odds`; ``epsilon must be greater than 0 and finite; got ...``.

    References
    ----------
    ghosh, Definition 2.3 (the mechanism); ours, likelihood ratio

    Examples
    --------
    >>> geometric_log_odds(7, epsilon=0.5, prior=0.5)
    0.5
    """
    gap = whole_numbers("noisy_count", noisy_count) - known_count(known)
    size = positive("epsilon", epsilon)
    result = np.asarray(logit(open_probability(prior)) + np.where(gap >= 1, size, -size))
    return _checks.scalar_or_array(result, noisy_count, epsilon, prior, known)


def geometric_posterior(
    noisy_count: ArrayLike, *, epsilon: ArrayLike, prior: ArrayLike, known: ArrayLike = 0
) -> FloatArray | float:
    """The attacker's belief that the target is counted, given one plain count with geometric noise.

    Parameters and errors are those of `geometric_log_odds`.

    References
    ----------
    ours, likelihood ratio of geometric noise

    Examples
    --------
    >>> round(geometric_posterior(1, epsilon=0.5, prior=0.5), 4)
    0.6225
    """
    result = np.asarray(expit(geometric_log_odds(noisy_count, epsilon=epsilon, prior=prior, known=known)))
    return _checks.scalar_or_array(result, noisy_count, epsilon, prior, known)


def geometric_marginal_posterior(*, epsilon: ArrayLike, prior: ArrayLike, truth: int = 1) -> FloatArray | float:
    """The average belief that the target is counted, over all releases of one plain count with geometric noise.

    Parameters and errors are those of `geometric_log_odds` and `marginal_posterior`.

    References
    ----------
    ours, closed form with two atoms

    Examples
    --------
    >>> round(geometric_marginal_posterior(epsilon=0.5, prior=0.5), 4)
    0.53
    """
    size, belief = np.broadcast_arrays(positive("epsilon", epsilon), open_probability(prior))
    towards_truth = expit(size)
    sign = 2 * _truth(truth) - 1
    odds = logit(belief)
    result = towards_truth * expit(odds + sign * size) + (1 - towards_truth) * expit(odds - sign * size)
    return _checks.scalar_or_array(np.asarray(result), epsilon, prior)


def geometric_probability_right(*, epsilon: ArrayLike, prior: ArrayLike, truth: int = 1) -> FloatArray | float:
    """Probability that the decision about one plain count with geometric noise is right.

    The decision follows the release only when ε exceeds the prior's log odds in size; otherwise the prior decides
    alone.

    Parameters and errors are those of `geometric_log_odds` and `marginal_posterior`.

    References
    ----------
    ours, closed form with two atoms

    Examples
    --------
    >>> round(geometric_probability_right(epsilon=0.5, prior=0.5), 4)
    0.6225
    >>> geometric_probability_right(epsilon=0.5, prior=0.2)
    0.0
    """
    size, belief = np.broadcast_arrays(positive("epsilon", epsilon), open_probability(prior))
    odds = logit(belief)
    # decided 'counted' after a count above the known people, and after one at or below them
    above, below = odds + size > _lattice.TIE, odds - size > _lattice.TIE
    counted = _truth(truth)
    above_mass = expit(size) if counted else expit(-size)
    decided = np.where(above, above_mass, 0.0) + np.where(below, 1 - above_mass, 0.0)
    return _checks.scalar_or_array(np.asarray(decided if counted else 1 - decided), epsilon, prior)


def geometric_average_probability_right(*, epsilon: ArrayLike, prior: ArrayLike) -> FloatArray | float:
    """Probability that the decision about one plain count with geometric noise is right, over both truths.

    Parameters and errors are those of `geometric_log_odds` and `marginal_posterior`; the result is exact.

    References
    ----------
    ours, closed form with two atoms

    Examples
    --------
    >>> round(geometric_average_probability_right(epsilon=0.5, prior=0.5), 4)
    0.6225
    >>> round(geometric_average_probability_right(epsilon=0.5, prior=0.2), 4)
    0.8
    """
    belief = open_probability(prior)
    counted = np.asarray(geometric_probability_right(epsilon=epsilon, prior=prior, truth=1))
    absent = np.asarray(geometric_probability_right(epsilon=epsilon, prior=prior, truth=0))
    return _checks.scalar_or_array(belief * counted + (1 - belief) * absent, epsilon, prior)
