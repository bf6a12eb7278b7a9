"""What is right, computed slowly and plainly: with mpmath's fifty digits, or by adding up a lattice term by term."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import comb

import numpy as np
from mpmath import binomial, exp, factorial, log, mp, mpf, ncdf

mp.dps = 50


def _root(falling: Callable[[mpf], mpf], low: mpf, high: mpf) -> mpf:
    """Where a falling function is nought, by halving: it is asked for its sign alone."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return high


def gaussian_delta(epsilon: mpf, mu: mpf) -> mpf:
    """Smallest δ of Gaussian noise whose shift is mu standard deviations (Balle and Wang, Theorem 8)."""
    return ncdf(mu / 2 - epsilon / mu) - exp(epsilon) * ncdf(-mu / 2 - epsilon / mu)


def gaussian_epsilon(mu: mpf, delta: mpf) -> mpf:
    """Smallest ε at this δ."""
    return _root(lambda epsilon: gaussian_delta(epsilon, mu) - delta, mpf(0), mpf(100))


def gaussian_scale(epsilon: mpf, delta: mpf) -> mpf:
    """Smallest standard deviation of Gaussian noise on a count that is (ε, δ)-DP."""
    return _root(lambda sigma: gaussian_delta(epsilon, 1 / sigma) - delta, mpf(1) / 100, mpf(100))


def gaussian_advantage(mu: mpf) -> mpf:
    """Total variation: by how much an attacker's right and false alarms can differ."""
    return 2 * ncdf(mu / 2) - 1


def laplace_epsilon(count: int, epsilon: mpf, delta: mpf) -> mpf:
    """Smallest ε at this δ of so many releases with Laplace noise.

    One loss is +ε with probability 1/2, -ε with probability e^(-ε)/2, and between them has the density e^((z-ε)/2)/4.
    Of so many losses, those in between add up to e^((z-mε)/2)/4^m times the m-fold convolution of the indicator of
    (-ε, ε), a piecewise polynomial with known pieces; the others shift it. So δ is a finite sum of integrals of
    polynomials times exponentials, each by parts.
    """

    def integral(power: int, rate: mpf, length: mpf) -> mpf:
        """∫ u^power e^(rate u) du over (0, length)."""
        total, term = mpf(0), 1 / rate
        for i in range(power + 1):
            total += (-1) ** i * factorial(power) / factorial(power - i) * length ** (power - i) * term
            term /= rate
        return exp(rate * length) * total - (-1) ** power * factorial(power) / rate ** (power + 1)

    def above(threshold: mpf) -> mpf:
        """E[1 - e^(threshold - Z)] over losses Z above the threshold."""
        found = mpf(0)
        for up in range(count + 1):
            for down in range(count + 1 - up):
                between = count - up - down
                ways = binomial(count, up) * binomial(count - up, down) * mpf(2) ** -(up + down) * exp(-down * epsilon)
                shift = (up - down) * epsilon
                if between == 0:
                    found += ways * max(mpf(0), 1 - exp(threshold - shift))
                    continue
                scale = ways * exp(-between * epsilon / 2) / mpf(4) ** between / factorial(between - 1)
                end = between * epsilon
                for j in range(between + 1):  # (z + end - 2jε)_+^(between - 1), each with its sign
                    start = 2 * j * epsilon - end
                    first = max(start, threshold - shift)
                    if first >= end:
                        continue
                    sign = (-1) ** j * binomial(between, j)
                    for rate, weight in ((mpf(1) / 2, mpf(1)), (-mpf(1) / 2, -exp(threshold - shift))):
                        piece = integral(between - 1, rate, end - start)
                        if first > start:
                            piece -= integral(between - 1, rate, first - start)
                        found += scale * sign * weight * exp(rate * start) * piece
        return found

    return _root(lambda at: above(at) - delta, mpf(0), count * epsilon)


def discrete_gaussian_epsilon(count: int, variance: float, delta: float) -> float:
    """Smallest ε at this δ of so many counts with discrete Gaussian noise: the sum of the noise decides the loss."""
    reach = int(14 * math.sqrt(variance))
    noise = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * variance))
    noise /= noise.sum()
    law = np.ones(1)
    for _ in range(count):
        law = np.convolve(law, noise)  # term by term: a transform would round small tails away
    sums = np.arange(law.size) - law.size // 2
    losses = (2 * sums + count) / (2 * variance)

    def above(epsilon: float) -> float:
        counted = losses > epsilon
        return math.fsum(law[counted] * -np.expm1(epsilon - losses[counted]))

    low, high = 0.0, float(losses.max())
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) > delta else (low, middle)
    return high


def response_epsilon(count: int, epsilon: mpf, delta: mpf) -> mpf:
    """Smallest ε at this δ of so many randomised responses (Kairouz, Oh and Viswanath, Theorem 3.3)."""
    yes = exp(epsilon) / (1 + exp(epsilon))

    def above(at: mpf) -> mpf:
        return sum(
            comb(count, j) * yes**j * (1 - yes) ** (count - j) * (1 - exp(at - (2 * j - count) * epsilon))
            for j in range(count + 1)
            if (2 * j - count) * epsilon > at
        )

    return _root(lambda at: above(at) - delta, mpf(0), count * epsilon)


def concentrated_missed(rho: float, false_alarms: float) -> float:
    """Least share of the present that a test of any ρ-zCDP release overlooks, at these false alarms.

    Among two outcomes of a test, every Rényi divergence is at most ρ times its order, both ways round (data
    processing); two outcomes that keep to this are themselves such a release, so nothing smaller is right.
    """

    def divergence(first: mpf, second: mpf, order: mpf) -> mpf:
        return log(first**order * second ** (1 - order) + (1 - first) ** order * (1 - second) ** (1 - order)) / (
            order - 1
        )

    def kept(found: mpf, wrongly: mpf) -> bool:
        for first, second in ((found, wrongly), (wrongly, found)):

            def excess(order: mpf, first: mpf = first, second: mpf = second) -> mpf:
                return divergence(first, second, order) - rho * order

            orders = [1 + mpf(10) ** (mpf(step) / 20 - 4) for step in range(181)]
            best = max(range(len(orders)), key=lambda place: excess(orders[place]))
            low, high = orders[max(best - 1, 0)], orders[min(best + 1, len(orders) - 1)]
            for _ in range(120):  # the largest excess, between its neighbours
                left, right = low + (high - low) / 3, high - (high - low) / 3
                low, high = (left, high) if excess(left) < excess(right) else (low, right)
            if excess((low + high) / 2) > 0:
                return False
        return True

    wrongly = mpf(false_alarms)
    low, high = wrongly, 1 - mpf(10) ** -30
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if kept(middle, wrongly) else (low, middle)
    return float(1 - low)
