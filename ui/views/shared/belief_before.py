"""The belief before, as a page prints it beside a limit on the belief after.

A limit for a belief holds for every smaller one and for no larger one, so the belief before is rounded down where the
limit is one from above; where limits stand on both of its sides it keeps the digits that were typed.
"""

from __future__ import annotations

from ui.pictures.look import Look
from ui.words.phrasing import believed_before, decimal_belief, typed_belief, typed_frequency
from ui.words.quantities import Lower


def decided(prior: float, look: Look) -> str:
    """A belief before that was computed, such as the one that decides a line's budget, rounded down."""
    if not prior:
        return "nearly 0"
    return Lower(prior, decimal_belief if look.technical else believed_before).digits


def typed_down(prior: float, look: Look) -> str:
    """A belief before that was typed, with four digits and rounded down."""
    return Lower(prior, decimal_belief if look.technical else typed_frequency).digits


def as_typed(prior: float, look: Look) -> str:
    """A belief before with all the digits that were typed."""
    return typed_belief(prior) if look.technical else typed_frequency(prior)
