"""The trade-off that a rho allows at most: no release with the guarantee finds more."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit, logit

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore._roots import bracketed_root
from dpcore.tradeoff.curves import TIGHT, Both, TradeOff

_SMALLEST_RHO = 1e-30  # a smaller rho counts as this one: detection rises by less than a float shows


def _loss_of_true(log_odds: FloatArray, gain: FloatArray) -> FloatArray:
    """ln y/x of two coins, from logit x and logit y - logit x."""
    small = gain < 1.0
    near = -np.log1p(expit(-log_odds) * np.expm1(-np.where(small, gain, 0.0)))
    return near if small.all() else np.where(small, near, log_expit(log_odds + gain) - log_expit(log_odds))


def _loss_of_false(log_odds: FloatArray, gain: FloatArray) -> FloatArray:
    """ln (1 - x)/(1 - y)."""
    small = gain < 1.0
    near = np.log1p(expit(log_odds) * np.expm1(np.where(small, gain, 0.0)))
    if small.all():
        return near
    return np.where(small, near, np.logaddexp(log_expit(-log_odds), log_expit(log_odds) + gain))


@dataclass(frozen=True)
class _Divergence:
    """Renyi divergences of two coins, D_a(y || x) forward or D_a(x || y) backward, from logit x and the gain in logit.

    (a - 1) D_a(y || x) = ln(y e^((a - 1) r) + (1 - y) e^(-(a - 1) q)), with r = ln y/x, q = ln (1 - x)/(1 - y).
    """

    log_up: FloatArray
    log_down: FloatArray
    up: FloatArray
    down: FloatArray

    @classmethod
    def of(cls, log_odds: FloatArray, gain: FloatArray, *, forward: bool) -> _Divergence:
        r, q = _loss_of_true(log_odds, gain), _loss_of_false(log_odds, gain)
        if forward:
            return cls(log_expit(log_odds + gain), log_expit(-log_odds - gain), r, -q)
        return cls(log_expit(-log_odds), log_expit(log_odds), q, -r)

    def share(self, excess: FloatArray) -> FloatArray:
        """D_a/a at the order a = 1 + excess; for a -> 1 the Kullback-Leibler divergence."""
        rise, fall = excess * self.up, excess * self.down
        near = rise < 600.0
        all_near = bool(near.all())
        rising, falling = (rise, fall) if all_near else (np.where(near, rise, 0.0), np.where(near, fall, 0.0))
        inner = np.log1p(self.high * np.expm1(rising) + self.low * np.expm1(falling))
        moment = inner if all_near else np.where(near, inner, np.logaddexp(self.log_up + rise, self.log_down + fall))
        limit = excess <= 0.0
        if not limit.any():
            return moment / (excess * (1 + excess))
        return np.where(limit, self.relative_entropy, moment / np.where(limit, 1.0, excess)) / (1 + excess)

    @cached_property
    def high(self) -> FloatArray:
        """Probability of the answer whose loss is `up`."""
        return np.exp(self.log_up)

    @cached_property
    def low(self) -> FloatArray:
        """Probability of the other answer."""
        return np.exp(self.log_down)

    @property
    def relative_entropy(self) -> FloatArray:
        """The limit of D_a for a -> 1."""
        return self.high * self.up + self.low * self.down


_SCAN = np.linspace(0.0, 1.0, 32)[:, None]
_BESIDE = np.array([[-1.0], [1.0]])
_SECANTS = 9  # tried before a root is bracketed
_SETTLED = 4e-15  # of the logarithm of D_a/(a rho); what it leaves of a gain is far below `_ROUND_UP`


def _most_binding(pair: _Divergence, gain: FloatArray, rho: float) -> FloatArray:
    """The excess order a - 1 at which D_a/a is largest: a scan in its logarithm, then parabolas; or the limit a -> 1.

    No order beyond D_inf/rho can matter, since D_a never exceeds the largest loss D_inf.
    """
    top = np.log(np.maximum(pair.up / rho, 1e-3))
    bottom = np.minimum(np.log(1e-4) - np.log(np.maximum(gain, 1.0)), top - 7.0)
    scan = bottom + _SCAN * (top - bottom)
    columns = np.arange(gain.size)
    shares = pair.share(np.exp(scan))
    chosen = shares.argmax(axis=0)
    best, value = scan[chosen, columns], shares[chosen, columns]
    spacing = scan[1] - scan[0]
    for _ in range(6):
        below, above = pair.share(np.exp(best + _BESIDE * spacing))
        bend = below - 2 * value + above
        with np.errstate(divide="ignore", invalid="ignore"):
            move = np.where(bend < 0.0, np.clip(0.5 * (below - above) / bend, -1.0, 1.0), 0.0)
        nearer = best + move * spacing
        there = pair.share(np.exp(nearer))
        better = there > value
        best, value = np.where(better, nearer, best), np.where(better, there, value)
        spacing = spacing / 4
    return np.where(pair.relative_entropy >= value, 0.0, np.exp(best))


def _solved(function: Callable[[FloatArray], FloatArray], high: FloatArray, at_high: FloatArray) -> FloatArray:
    """Where a function that rises from 0 is 1, below `high`: the secant of logarithms, in which it is nearly straight.

    Where that does not settle, the root is bracketed.
    """
    with np.errstate(all="ignore"):
        last, over = np.log(high), np.log(at_high)
        at = last - 0.6 * over
        for _ in range(_SECANTS):
            found = np.exp(at)
            now = np.log(function(found))
            settled = np.abs(now) <= _SETTLED
            if settled.all():
                return found
            step = now * (at - last) / (now - over)
            last, over, at = at, now, np.where(settled, at, at - step)
    return np.where(settled, found, bracketed_root(lambda gain: function(gain) - 1.0, np.zeros(high.size), high))


def _reduced(log_odds: FloatArray, gain: FloatArray, rho: float, *, forward: bool) -> FloatArray:
    """The gain, brought down until every order of one direction holds: D_a at most a rho.

    Each order alone gives an upper bound on the gain, since D_a rises with y; the most binding one at the present gain
    is solved for, and again until none binds. The answer is approached from above, so it is never too small.
    """
    gain = gain.copy()
    open_ones = np.arange(gain.size)
    for _ in range(60):
        odds, present = log_odds[open_ones], gain[open_ones]
        excess = _most_binding(_Divergence.of(odds, present, forward=forward), present, rho)

        def used(at: FloatArray, odds: FloatArray = odds, excess: FloatArray = excess) -> FloatArray:
            return _Divergence.of(odds, at, forward=forward).share(excess) / rho

        at_present = used(present)
        binds = at_present > 1 + 1e-14
        if not binds.any():
            break
        fallen = np.where(binds, np.minimum(_solved(used, present, at_present), present), present)
        gain[open_ones] = fallen
        open_ones = open_ones[binds & (present - fallen > 1e-13 * present)]
        if not open_ones.size:
            break
    return gain


def _first_gain(log_x: FloatArray, log_rest: FloatArray, rho: float) -> FloatArray:
    """An upper bound on logit y - logit x, within a factor of two or so.

    y^a x^(1 - a) <= e^(a (a - 1) rho) at its best order: sqrt(-ln y) >= sqrt(-ln x) - sqrt(rho), and the same for
    1 - x and 1 - y.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        largest_r = np.where(-log_x > rho, 2 * np.sqrt(-log_x * rho) - rho, np.inf)
        drop = np.expm1(-largest_r) / -np.expm1(log_x)
        by_true = np.where(drop > -1.0, -np.log1p(np.maximum(drop, -1.0)), np.inf)
        largest_q = rho + 2 * np.sqrt(-log_rest * rho)
        near = np.log1p(np.expm1(np.minimum(largest_q, 30.0)) / np.exp(log_x))
        by_false = np.where(largest_q < 30.0, near, largest_q - log_x)
    return np.minimum(by_true, by_false) * (1 + 1e-12)


def _largest_gain(log_odds: FloatArray, log_x: FloatArray, log_rest: FloatArray, rho: float) -> FloatArray:
    """Largest logit y - logit x of a pair of coins with every D_a at most a rho, both ways."""
    gain = _first_gain(log_x, log_rest, rho)
    rare = log_odds + gain / 2 < 0.0  # where "true" is rare, the forward divergences bind first
    for side in (rare, ~rare):
        for forward in (side is rare, side is not rare):
            if side.any():
                gain[side] = _reduced(log_odds[side], gain[side], rho, forward=forward)
    return gain


_ROUND_UP = 1 + 1e-12  # more than the roots' last digits: a gain is never too small


@dataclass(frozen=True)
class ConcentratedCurve(TradeOff):
    """The largest detection over all releases with a rho: over pairs of coins, since a test's answer is one.

    Post-processing keeps zCDP, so the answers of a test are a pair of coins with the same rho; and every such pair is
    a release. Renyi divergences are jointly quasi-convex, so the pairs form a convex region and the curve is concave.
    Over several steps the curve is iterated (`dpcore.tradeoff.steps`).
    """

    rho: float
    certainty: str = TIGHT
    steps: int = 1

    def _best(self, false_alarm: FloatArray) -> Both:
        if self.rho == 0.0:
            return false_alarm, 1 - false_alarm
        end = self._after(logit(false_alarm), self.steps)
        return expit(end), expit(-end)

    def _after(self, odds: FloatArray, steps: int) -> FloatArray:
        """logit of the detection so many steps after the log odds of a false alarm."""
        for _ in range(steps):
            gain = _largest_gain(odds, log_expit(odds), log_expit(-odds), max(self.rho, _SMALLEST_RHO))
            odds = odds + gain * _ROUND_UP
        return odds

    def _least_error(self, prior: FloatArray) -> FloatArray:
        if self.rho == 0.0:
            return np.minimum(prior, 1 - prior)
        even = prior == 0.5
        error = np.full(prior.shape, self._even_error)
        if not even.all():
            error[~even] = self._searched_error(prior[~even])
        return error

    @cached_property
    def _even_error(self) -> float:
        """x where the curve crosses 1 - x: by symmetry half of the steps lead from the middle of the curve to 1 - x.

        The middle is 1/2, or for an odd number of steps the crossing of one step, randomised response.
        """
        middle = randomized_response_epsilon(self.rho) if self.steps % 2 else 0.0
        return float(expit(-self._after(np.array([middle]), self.steps // 2))[0])

    def _searched_error(self, prior: FloatArray) -> FloatArray:
        """A common scan over logit x, then nested scans around each prior's best; the error is convex in x.

        The curve has corners, as where x = 1 - y, which is the best guess of many priors. By convexity the least error
        lies no further below the best point of the last scan than its neighbours lie above it.
        """
        scan = np.linspace(-46.0, 46.0, 93)
        missed = expit(-self._after(scan, self.steps))
        best = (prior[:, None] * missed + (1 - prior[:, None]) * expit(scan)).argmin(axis=1)
        centre, reach = scan[best], scan[1] - scan[0]
        least = np.minimum(np.minimum(prior, 1 - prior), self._even_error)
        offsets, rows = np.linspace(-1.0, 1.0, 33), np.arange(prior.size)
        for _ in range(6):
            odds = centre[:, None] + reach * offsets
            missed = expit(-self._after(odds.ravel(), self.steps)).reshape(odds.shape)
            found = prior[:, None] * missed + (1 - prior[:, None]) * expit(odds)
            chosen = np.clip(found.argmin(axis=1), 1, offsets.size - 2)
            here = found[rows, chosen]
            centre, reach = odds[rows, chosen], reach * 0.07
        beside = np.maximum(found[rows, chosen - 1], found[rows, chosen + 1])
        return np.minimum(least, here - (beside - here) * (1 + 1e-6))


def randomized_response_epsilon(rho: float) -> float:
    """Epsilon of the randomised response that is exactly rho-zCDP: epsilon tanh(epsilon/2) = rho.

    The promise is for one step, whose two worlds rho compares. The epsilon whose Kullback-Leibler divergence is rho; no
    order is more demanding. Its answer is right with probability e^epsilon/(1 + e^epsilon), the largest right guess on
    an even bet that any rho-zCDP release allows. Exact.
    Source: bun_steinke, Definition 1.1
    Source: ours, the best pair of coins on an even bet; checked against the search over all orders and random pairs

    Parameters
    ----------
    rho : float; at least 0

    Examples
    --------
    >>> round(randomized_response_epsilon(math.tanh(0.5)), 12)
    1.0
    """
    r = _checks.number("rho", rho, 0.0)
    if r == 0.0:
        return 0.0
    # eps tanh(eps/2) <= min(eps, eps^2/2), and eps tanh(eps/2) >= rho at rho + sqrt(2 rho) + 1e-300
    root = bracketed_root(
        lambda e: e * np.tanh(e / 2) - r,
        np.array([max(r, math.sqrt(2 * r)) * (1 - 1e-15)]),
        np.array([r + 2 * math.sqrt(r)]),
    )
    return float(root[0])
