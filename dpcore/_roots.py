"""Roots of functions of one variable, many at once: Chandrupatla's bracketed method on arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpcore._checks import FloatArray

_ITERATIONS = 200
_TOLERANCE = 2.0 * np.finfo(float).eps
_TINY = np.finfo(float).tiny


def bracketed_root(function: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray) -> FloatArray:
    """The points between `low` and `high` where the function changes sign, to the last digits of a float.

    The function is evaluated on arrays of the broadcast shape of both ends and must have opposite signs (or a zero)
    at the two ends of each bracket; where it has not, the end with the smaller absolute value is returned.
    """
    a, b = (np.array(end, dtype=np.float64) for end in np.broadcast_arrays(high, low))
    fa, fb = function(a), function(b)
    c, fc = a.copy(), fa.copy()
    t = np.full(a.shape, 0.5)
    settled = (fa == 0) | (fb == 0) | (np.sign(fa) == np.sign(fb))
    for _ in range(_ITERATIONS):
        if settled.all():
            break
        x = np.where(settled, a, a + t * (b - a))
        fx = function(x)
        same = np.sign(fx) == np.sign(fa)
        kept = settled | same
        c, fc = np.where(settled, c, np.where(same, a, b)), np.where(settled, fc, np.where(same, fa, fb))
        b, fb = np.where(kept, b, a), np.where(kept, fb, fa)
        a, fa = np.where(settled, a, x), np.where(settled, fa, fx)
        best = np.where(np.abs(fa) < np.abs(fb), a, b)
        tolerance = _TOLERANCE * np.abs(best) + _TINY
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            share = tolerance / np.abs(b - c)
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            inverse_quadratic = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        settled |= (np.abs(b - a) <= 2 * tolerance) | (fa == 0)
        usable = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi) & np.isfinite(inverse_quadratic)
        t = np.where(usable, inverse_quadratic, 0.5)
        share = np.where(np.isfinite(share), np.minimum(share, 0.5), 0.5)
        t = np.clip(t, share, 1 - share)
    return np.where(np.abs(fa) <= np.abs(fb), a, b)
