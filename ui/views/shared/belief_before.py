"""The belief before, as a page prints it beside a limit on the belief after.

A limit for a belief holds for every smaller one and for no larger one, so the belief before is rounded down where the
limit is one from above, to as many digits as the limit needs to be that of the printed belief too; where limits stand
on both of its sides it keeps the digits that were typed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ui.pictures.style import Style
from ui.words.phrasing import LEAST_BEFORE, believed_before, decimal_belief, typed_belief, typed_frequency
from ui.words.quantities import Lower, Quantity, Spoken, number, number_named

MOST_DIGITS = 15
"""All that a float has: a limit that its line allows by a hair is printed with twelve, and needs a few more here."""


def decided(prior: float, style: Style, after: Quantity | None = None, of: int = 0) -> str:
    """A belief before that was computed, such as the one that decides a line's budget, rounded down.

    `of` is of how many people it is told, where that is said of `after` too.

    From the printed belief the same budget reaches `after` as it is printed: where it reaches a smaller number, the
    belief gets more digits.

    >>> from ui.words.phrasing import frequency
    >>> from ui.words.quantities import Upper
    >>> decided(1 / 6, Style()), decided(1 / 6, Style(), Upper(0.5, frequency))
    ('16 in 100', '16.6 in 100')
    """
    return "nearly 0" if prior < LEAST_BEFORE else _agreeing(finer(prior, style, of), prior, after)


def typed_down(prior: float, style: Style, after: Quantity | None = None) -> str:
    """A belief before that was typed, as `decided`, with four digits at least."""
    said = finer(prior, style)
    if not style.technical:
        next(said), next(said)
    return _agreeing(said, prior, after)


def _agreeing(said: Iterator[str], prior: float, after: Quantity | None) -> str:
    """The first words for a belief before from which a budget that takes `prior` to `after` does so too, as printed."""
    words, *more_digits = said
    if after is None or not 0 < prior < after.value < 1:
        return words
    shift = log_odds(after.value) - log_odds(prior)

    def agrees(words: str) -> bool:
        if not 0 < number_named(words) < 1:
            return False
        reached = 1 / (1 + math.exp(-log_odds(number_named(words)) - shift))
        return replace(after, value=reached).digits == after.digits

    return next(filter(agrees, (words, *more_digits)), words)


def finer(prior: float, style: Style, of: int = 0) -> Iterator[str]:
    """A belief rounded down in the page's own way, and then with one digit more each."""
    spoken: Spoken = decimal_belief if style.technical else believed_before
    if style.technical or not of:
        yield Lower(prior, spoken).digits
    for digits in range(5, MOST_DIGITS + 1) if style.technical else range(3, MOST_DIGITS + 1):
        finer_still = number(digits) if style.technical else partial(typed_frequency, digits=digits, of=of)
        yield Lower(prior, finer_still).digits


def log_odds(belief: float) -> float:
    """Log odds of a belief between 0 and 1."""
    return math.log(belief) - math.log1p(-belief)


def as_typed(prior: float, style: Style) -> str:
    """A belief before with all the digits that were typed."""
    return typed_belief(prior) if style.technical else typed_frequency(prior)
