"""What an explicit release reaches that keeps a budget: the measure of every belief that a page prints.

The worst releases are written out here by themselves: randomised response, Gaussian noise on the difference of the two
cells between which a value moves, and a table with noise on each cell. The steps are counted here too, so that a page
which forgets one of the two steps of a value fails.
"""

from __future__ import annotations

import math
import re

from scipy.special import expit, logit, ndtri

from dpcore.guarantees import Relation, ZeroConcentratedDP
from dpcore.mechanisms import Curve
from dpcore.privacy_loss import PrivacyLoss
from dpcore.promise import Promise, Secret
from dpcore.scope import Scope
from dpcore.tradeoff import trade_off_over_steps
from ui.views.shared.promise import StatedBelief


def spoken(words: str) -> float:
    """The belief that the words say: 7 in 100, 12 in 10,000, 7 %, 0.0859."""
    number = re.search(r"([\d,.]+) in ([\d,]+)", words)
    if number:
        return float(number[1].replace(",", "")) / float(number[2].replace(",", ""))
    number = re.search(r"([\d.]+) %", words)
    if number:
        return float(number[1]) / 100
    return float(words)


def changes(promise: Promise) -> int:
    """Records removed and added between the two worlds, counted one by one."""
    count = 0
    for _record in range(promise.group):
        if promise.secret is Secret.PRESENCE or promise.relation is Relation.REPLACE:
            count += 1
        else:
            count += len(("the old value is removed", "the new one is added"))
    return count


def cells_moved_for_one(rows: tuple[tuple[float, int, int, int], ...]) -> float:
    """How many cells a moved value changes for each that a record is in, on average over what the tables spend.

    A value that moves leaves the cells it was in and enters as many others, in another area perhaps; in the one cell of
    one area it is counted in one world and not in the other.
    """
    moved = [min(2 * places, cells) if areas == 1 else 2 * places for _, cells, places, areas in rows]
    spent = [row[0] for row in rows]
    return sum(spend * cells / row[2] for spend, cells, row in zip(spent, moved, rows, strict=True)) / sum(spent)


def reached(stated: StatedBelief) -> float:
    """The belief that an explicit release reaches more often than the page's exception allows."""
    promise, source, failing = stated.promise, stated.source, stated.promise.failure_probability
    if isinstance(source, PrivacyLoss):  # a named noise: the loss that is passed no more often than may fail
        return float(expit(logit(stated.prior) + max(float(source.loss_quantile(1 - failing)), 0.0)))
    if isinstance(source, Curve):  # one bit, the best test's at its rarest yes; the lines of a curve lie just above it
        alarms = float(trade_off_over_steps(source, steps=changes(promise)).false_alarm(failing))
        return float(expit(logit(stated.prior) + math.log(failing / alarms) * (1 - 1e-4)))
    steps: float = {Scope.ANY_MECHANISM: changes(promise), Scope.COUNT: promise.group}.get(stated.scope, math.nan)
    if stated.scope is Scope.PLAN:
        steps = promise.group * cells_moved_for_one(stated.rows)
    if isinstance(source, ZeroConcentratedDP):
        squares = steps**2 if stated.scope is not Scope.PLAN else promise.group * steps
        rho = squares * source.rho
        if stated.on_average:
            return max(average_of_response(response_of(rho), stated.prior), average_of_gaussian(rho, stated.prior))
        by_noise = rho - math.sqrt(2 * rho) * float(ndtri(failing)) if failing else 0.0  # difference of two cells
        shift = max(by_noise, response_of(rho))
    else:
        shift = steps * source.epsilon  # randomised response on the number of changes
    if stated.absent:  # geometric noise on "with the value" less "with another": +1, 0 when absent, -1
        other = 1.0 - stated.prior - stated.absent
        return stated.prior / (stated.prior + other * math.exp(-shift) + stated.absent * math.exp(-shift / 2))
    return float(expit(logit(stated.prior) + shift))


def average_of_response(epsilon: float, prior: float) -> float:
    """Average belief in the truth after randomised response."""
    truthful, odds = float(expit(epsilon)), float(logit(prior))
    return truthful * float(expit(odds + epsilon)) + (1 - truthful) * float(expit(odds - epsilon))


def average_of_gaussian(rho: float, prior: float) -> float:
    """Average belief in the truth after Gaussian noise: the odds move by a normal loss of mean rho, variance 2 rho."""
    steps = [0.01 * step for step in range(-900, 901)]
    weights = [math.exp(-step * step / 2) for step in steps]
    beliefs = [float(expit(logit(prior) + rho + math.sqrt(2 * rho) * step)) for step in steps]
    return sum(weight * belief for weight, belief in zip(weights, beliefs, strict=True)) / sum(weights)


def response_of(rho: float) -> float:
    """Epsilon of the randomised response that is rho-zCDP: its divergence of order 1 is epsilon tanh(epsilon/2)."""
    low, high = 0.0, rho + 2.0 * math.sqrt(rho) + 2.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * math.tanh(middle / 2) <= rho else (low, middle)
    return low
