"""How the page tells budgets, rare chances and beliefs next to none or to certainty."""

from __future__ import annotations

import math

from dpcore.guarantees import ApproximateDP, Guarantee, ProbabilisticDP, ZeroConcentratedDP
from ui.words.catalogue import label
from ui.words.phrasing import NEAREST, decimal_belief, frequency, joined, plain_number, rounded
from ui.words.quantities import Upper

NO_BELIEF = 1e-100  # a lower bound below this is printed as 0


def rarely(probability: float, direction: str) -> str:
    """A probability that is rounded up as people out of 100 or 10,000, or as one in so many where rarer.

    >>> rarely(0.0149, "up"), rarely(1e-6, "up")
    ('2 in 100', '1 in 1,000,000')
    """
    if probability >= 1e-4 or direction != Upper.direction:
        return frequency(probability, direction)
    return label("explain", "one_in", people=f"{math.floor(1 / probability * (1 + 1e-12)):,}")


def budget_words(guarantee: Guarantee, direction: str = NEAREST) -> str:
    """The parameters of a guarantee: ρ = 0.1, or ε = 1, or ε = 1, δ = 1e-6."""
    if isinstance(guarantee, ZeroConcentratedDP):
        return f"ρ = {plain_number(guarantee.rho, 4, direction)}"
    text = f"ε = {plain_number(guarantee.epsilon, 4, direction)}"
    if isinstance(guarantee, ApproximateDP | ProbabilisticDP):
        text += f", δ = {plain_number(guarantee.delta, 3, direction)}"
    return text


def at_least_none(belief: float, direction: str) -> str:
    """A belief as people, where a lower bound that is too small for them is none.

    >>> at_least_none(0.00001, "down"), at_least_none(0.25, "down")
    ('0 in 10,000', '25 in 100')
    """
    none = belief > 0 and rounded(belief, 4, direction) == 0
    return joined("in", "", 0, 10_000) if none else frequency(belief, direction)


def settled(lower: float) -> float:
    """A lower bound, or none at all where its digits would only be a float's."""
    return lower if lower > NO_BELIEF else 0.0


def belief_digits(belief: float, direction: str = NEAREST) -> str:
    """A belief as a decimal; one of which only a float's last digits are left goes to its safe side.

    >>> belief_digits(0.25), belief_digits(1e-300, "down"), belief_digits(1e-300, "up")
    ('0.25', '0', '1e-99')
    """
    if 0 < belief < NO_BELIEF:
        belief = NO_BELIEF if direction == "up" else 0.0
    return decimal_belief(belief, direction)


def as_sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
