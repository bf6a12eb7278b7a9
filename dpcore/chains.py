"""What a simulated chain is worth: effective sample size and the agreement of its parts.

Both are estimates from the chains alone. They notice chains that have not met; they cannot notice what no chain has
visited.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import fft

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused


def _chains(series: ArrayLike, least: int) -> FloatArray:
    """The series as (chains, steps), refused when a chain is too short."""
    values = np.atleast_2d(_checks.array("series", series))
    if values.ndim != 2 or len(values) == 0:
        raise Refused("series", "be one chain or a list of them", values.shape, Code.WRONG_SHAPE)
    if values.shape[1] < least:
        raise Refused("series", f"hold at least {least} values a chain", values.shape[-1], Code.EMPTY)
    return values


def effective_sample_size(series: ArrayLike) -> float:
    """Independent draws that a stationary series is worth for its mean (Geyer's initial monotone sequence).

    It judges samplers: no promise about a secret belongs to it. An estimate, between 1 and the number of values; a
    constant series is worth 1. Differences between the means of parallel chains count as correlation that does not
    fade.
    Source: ours, autocovariances by Fourier transform, truncated where a sum of two neighbours turns negative

    Parameters
    ----------
    series : array_like of float, shape (steps,) or (chains, steps); one chain, or parallel chains of the same length

    Examples
    --------
    >>> effective_sample_size([1.0] * 10)
    1.0
    """
    values = _chains(series, 2)
    chains, steps = values.shape
    centred = values - values.mean()
    size = fft.next_fast_len(2 * steps, real=True)
    power = np.abs(fft.rfft(centred, size, axis=1)) ** 2
    covariance = fft.irfft(power, size, axis=1)[:, :steps].mean(axis=0) / steps
    if np.ptp(values) == 0 or covariance[0] <= 0:
        return 1.0
    pairs = covariance[: steps // 2 * 2].reshape(-1, 2).sum(axis=1) / covariance[0]
    negative = np.flatnonzero(pairs <= 0)
    pairs = np.minimum.accumulate(pairs[: negative[0]] if negative.size else pairs)
    time = max(2 * float(pairs.sum()) - 1.0, 1.0 / (chains * steps))
    return float(np.clip(chains * steps / time, 1.0, chains * steps))


def split_r_hat(series: ArrayLike) -> float:
    """Split R-hat: how much wider all chains together are than their halves are on average; 1 when they agree.

    It judges samplers: no promise about a secret belongs to it. An estimate of the square root of pooled over mean
    within-half variance; infinite when halves stand still at different values, 1 when nothing moves at all.
    Source: vehtari, (1) to (4)

    Parameters
    ----------
    series : array_like of float, shape (steps,) or (chains, steps); one chain, or parallel chains of the same length,
        at least 4 steps

    Examples
    --------
    >>> split_r_hat([[0.0, 1.0, 0.0, 1.0], [5.0, 6.0, 5.0, 6.0]]) > 4
    True
    >>> split_r_hat([2.0] * 8)
    1.0
    """
    values = _chains(series, 4)
    half = values.shape[1] // 2
    parts = np.concatenate([values[:, :half], values[:, -half:]])
    within = float(parts.var(axis=1, ddof=1).mean())
    between = float(parts.mean(axis=1).var(ddof=1))
    if between <= 0 or between <= (1e-14 * float(np.abs(values).max())) ** 2:
        return 1.0
    return float(np.sqrt((half - 1) / half + between / within)) if within > 0 else float("inf")
