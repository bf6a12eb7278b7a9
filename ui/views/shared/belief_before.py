"""A belief before, as a page prints it, and the limits beside it: computed from the printed belief, in the same unit.

The plain voice prints whole people of 100, or of the next power of ten that keeps the belief, the technical one
decimals. The belief is rounded down before anything is computed from it, so the sentence is true as it is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ui.pictures.style import Style
from ui.words.catalogue import label
from ui.words.phrasing import LEAST_BEFORE, TYPED_DIGITS, frequency, is_nearly_certain, people_told_of, typed_belief
from ui.words.quantities import Allowed, Lower, Quantity, Spoken, below_certain, in_people, number, number_named

MOST_PLACES = 14
"""Decimal places that keep every belief that is said as a number."""
MOST_TYPED = 10_000
"""Of no more people is a typed belief told as exactly as it was typed."""
LEAST_KEPT = 0.9
"""The share of a belief that is left at least when it is rounded down: 12.5 in 100 is 12 in 100, 1.9 is 19 in 1,000."""


@dataclass(frozen=True)
class Told:
    """A belief before as it is printed: its number, its words, of how many people, and how beliefs beside it are said.

    Decimals are told of 1.
    """

    prior: float
    words: str
    of: int
    spoken: Spoken


@dataclass(frozen=True)
class Rise(Told):
    """The same with the limit on the belief after."""

    after: Quantity


def told(prior: float, style: Style, *, typed: bool = False) -> Told:
    """A belief before in the coarsest unit that keeps it; a typed one with all its digits where few people tell them.

    >>> told(1 / 6, Style()).words, told(0.0123, Style()).words, told(3.152e-7, Style()).words
    ('16 in 100', '12 in 1,000', '3 in 10,000,000')
    >>> told(0.125, Style(), typed=True).words, told(1 / 12, Style(), typed=True).words, told(0, Style()).words
    ('125 in 1,000', '8 in 100', 'nearly 0')
    >>> told(1 / 12, Style(voice="technical")).words
    '0.08333'
    """
    return next(_units(prior, style, typed))


def rise(
    prior: float,
    reached: Callable[[float], Quantity],
    style: Style,
    *,
    typed: bool = False,
    accepted: Callable[[float], float] | None = None,
) -> Rise:
    """A belief before with the limit that is `reached` from it as printed, both told of as many people.

    A limit within what a line has `accepted` is printed no higher than that. One above 9,999 in 10,000 asks for no more
    people than the belief before does.

    >>> from ui.words.quantities import Upper
    >>> found = rise(0.5, lambda prior: Upper(0.9934, frequency), Style())
    >>> found.words, found.after.digits
    ('500 in 1,000', '994 in 1,000')
    >>> found = rise(0.5, lambda prior: Upper(0.99997, frequency), Style())
    >>> found.words, found.after.digits
    ('50 in 100', 'nearly 100 in 100')
    """
    found = []
    for unit in _units(prior, style, typed):
        after = reached(unit.prior)
        certain = unit.of > 1 and is_nearly_certain(after.value)
        after = replace(after, spoken=in_people(unit.of) if certain else unit.spoken)
        after = below_certain(after) if certain and unit.prior < 1 else after
        found.append(Rise(**vars(unit), after=after))
        kept = _within(found[-1], 1.0 if accepted is None else accepted(unit.prior))
        alike = unit.of in (1, people_told_of(after.value, after.direction, unit.of))
        if kept and (alike or certain):
            return found[-1]
    return found[0]


def rises_alike(
    priors: Sequence[float],
    reached: Callable[[float], Quantity],
    style: Style,
    *,
    typed: bool,
    accepted: Callable[[float], float],
) -> tuple[Rise, ...]:
    """The same for several beliefs, all out of one number of people where one of at most 10,000 tells them all."""
    if priors and not style.technical:
        units = [{unit.of: unit for unit in _units(prior, style, typed) if unit.of <= MOST_TYPED} for prior in priors]
        for of in sorted(set.intersection(*map(set, units))):
            spoken = in_people(of)
            found = [replace(unit[of], spoken=spoken) for unit in units]
            rises = tuple(Rise(**vars(unit), after=replace(reached(unit.prior), spoken=spoken)) for unit in found)
            if all(_within(one, accepted(one.prior)) and number_named(one.after.digits) < 1 for one in rises):
                return rises
    return tuple(rise(prior, reached, style, typed=typed, accepted=accepted) for prior in priors)


def _within(found: Rise, limit: float) -> bool:
    """Whether a belief after is printed no higher than the limit that it keeps."""
    if found.after.value > limit:
        return True
    return number_named(found.after.digits) <= number_named(Allowed(limit, found.spoken).digits)


def _units(prior: float, style: Style, typed: bool) -> Iterator[Told]:
    """The belief in each unit that keeps it, the coarsest first."""
    if prior < LEAST_BEFORE and not (typed and prior == 0):
        yield Told(prior, label("numbers", "nearly", share=0), 1, style.belief)
    elif style.technical:
        for digits in range(4, TYPED_DIGITS + 1):
            spoken = style.belief if digits == 4 else number(digits)
            words = typed_belief(prior) if typed else Lower(prior, spoken).digits
            yield Told(prior if typed else number_named(words), words, 1, spoken)
    else:
        units = [_of_people(prior, 10**places) for places in range(2, MOST_PLACES + 1)]
        kept = [unit for unit in units if unit.prior >= LEAST_KEPT * prior]
        exact = [unit for unit in units if unit.prior >= (1 - 1e-12) * prior]
        yield from exact if typed and exact and exact[0].of <= MOST_TYPED else kept


def _of_people(prior: float, of: int) -> Told:
    words = Lower(prior, in_people(of)).digits
    return Told(number_named(words), words, of, partial(frequency, of=of))


def as_printed(inputs: Any, style: Style) -> tuple[Any, Style]:
    """The choices of a page with the belief before as it is printed, and the style in which beliefs beside it are.

    For pages whose limits stand on both sides of it.
    """
    found = told(inputs.prior, style, typed=True)
    return replace(inputs, prior=found.prior), replace(style, of=max(found.of, style.of))
