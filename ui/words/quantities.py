"""Numbers that know their side: which way they are rounded, and which words may stand beside them.

A view hands a passage an `Upper`, a `Lower`, an `Exact`, an `Estimate`, a `Typed`, an `Allowed` or a `Failure`, with
its exact value and how such a number is spoken. The passage chooses the form, so rounding stands beside its words::

    You can come to think so {posterior:at most **…**}, except with a probability of {failing:…}.

A form that says the other side, or no side where one is needed, raises: a wrong direction is an error, not a reading.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import ClassVar

from dpcore.scope import Bound, Scope, Side
from ui.words import phrasing
from ui.words.catalogue import SPOKEN, label
from ui.words.phrasing import DOWN, NEAREST, UP, percent, plain_number, times

Spoken = Callable[[float, str], str]
"""How a number is said, rounded in a direction: `frequency`, `times`, or one of the functions below."""

PLACE = "…"


@lru_cache(maxsize=4096)
def said_in(form: str, phrases: tuple[str, ...]) -> str:
    """The first of the phrases that stands in the form as words of its own; nothing where none does."""
    for phrase in phrases:
        if re.search(rf"(?<![\w]){re.escape(phrase)}(?!\w)", form, re.IGNORECASE):
            return phrase
    return ""


class WrongSide(TypeError):
    """A passage says a number with the wrong direction, or with none: a fault of ours, never a refusal of an input."""


@dataclass(frozen=True)
class Quantity:
    """A number on its way into a sentence: its exact value, and how it is said when rounded in a direction."""

    value: float
    spoken: Spoken

    direction: ClassVar[str] = NEAREST
    needed: ClassVar[str] = ""
    refused: ClassVar[tuple[str, ...]] = ()
    """The sides, as `Language.phrases` names them, one of which a form must say, and those that it must not."""

    @property
    def digits(self) -> str:
        """The number alone, rounded to its safe side: for a column or a card whose words say the side."""
        return self.spoken(self.value, self.direction)

    @property
    def bounded(self) -> str:
        """The number with the plainest phrase of the side that it needs: *at most 26 in 100*.

        >>> Upper(0.256, number(2)).bounded, Lower(0.256, number(2)).bounded, Exact(0.25, number(2)).bounded
        ('at most 0.26', 'at least 0.25', '0.25')
        """
        return label("numbers", f"side.{self.needed}", number=self) if self.needed else self.digits

    def __str__(self) -> str:
        return self.digits

    def __format__(self, form: str) -> str:
        """The number in a passage's form, `…` (or the end of the form) being its place."""
        kind = type(self).__name__.lower()
        for wrong in filter(None, (said_in(form, SPOKEN.phrases(side)) for side in self.refused)):
            raise WrongSide(f"form of a {kind} number must not say {wrong!r}; got {form!r}")
        if self.needed and not said_in(form, phrases := SPOKEN.phrases(self.needed)):
            raise WrongSide(f"form of a {kind} number must say one of {', '.join(phrases)}; got {form!r}")
        if not form:
            return self.digits
        form, digits = form if PLACE in form else f"{form} {PLACE}", self.digits
        limits_nothing = self.needed and digits.startswith(label("numbers", "nearly", share=""))  # said without side
        if limits_nothing and (unsaid := said_in(form, SPOKEN.phrases(self.needed)[:1])):
            digits = digits.capitalize() if unsaid.capitalize() in form else digits
            form = re.sub(rf"{unsaid} (?=\W*{PLACE})", "", form, count=1, flags=re.IGNORECASE)
        return form.replace(PLACE, digits)


class Upper(Quantity):
    """A number that the truth does not exceed: rounded up, said with *at most* or its like.

    >>> from ui.words.phrasing import frequency
    >>> f"{Upper(0.2501, frequency):at most **…**}"
    'at most **26 in 100**'
    >>> f"{Upper(0.2501, frequency):at least **…**}"
    Traceback (most recent call last):
    ui.words.quantities.WrongSide: form of a upper number must not say 'at least'; got 'at least **…**'
    >>> f"{Upper(1 - 1e-9, frequency):believe it at most **…** likely}"
    'believe it **nearly 100 in 100** likely'
    """

    direction = UP
    needed = "no_more"
    refused = ("no_less", "roughly")


class Lower(Quantity):
    """A number that the truth does not fall below: rounded down, said with *at least* or its like.

    >>> from ui.words.phrasing import frequency
    >>> f"{Lower(0.2599, frequency):no less than …}"
    'no less than 25 in 100'
    """

    direction = DOWN
    needed = "no_less"
    refused = ("no_more", "roughly")


class Exact(Quantity):
    """A number as it is, said to the nearest digit: bare, or with *about*.

    >>> f"{Exact(12.04, number(3)):about …}", f"{Exact(12.04, number(3))}"
    ('about 12', '12')
    """

    refused = ("no_more", "no_less")


class Estimate(Quantity):
    """A number that was drawn or approximated, said to the nearest digit; never with a side, and never as exact."""

    refused = ("no_more", "no_less", "exactly")


class Typed(Quantity):
    """A number as a reader, a law or a source set it, with all its digits: its passage says what it is a limit of.

    >>> from ui.words.phrasing import typed_frequency
    >>> f"{Typed(0.125, typed_frequency):at most …}"
    'at most 125 in 1,000'
    """


class Least(Quantity):
    """The largest or smallest whole number or budget that is enough: rounded up, said as what is needed.

    A needed budget errs towards more budget, a needed sample towards more people.
    """

    direction = UP
    refused = ("no_more", "roughly")


class Allowed(Quantity):
    """A budget to spend, or a limit that a line sets: rounded down, so that nobody spends more.

    >>> f"{Allowed(1.29928, to_spend)}"
    '1.29'
    """

    direction = DOWN
    refused = ("no_less", "roughly")


class Failure(Quantity):
    """How often a promise may fail: rounded up; said bare or with *at most*, never with *at least*.

    >>> from ui.words.phrasing import frequency
    >>> f"{Failure(0.00051, frequency):except with a probability of …}"
    'except with a probability of 6 in 10,000'
    """

    direction = UP
    refused = ("no_less", "roughly")


def claimed(bound: Bound, scope: Scope, spoken: Spoken) -> Quantity:
    """A bound as a sentence about releases of this scope says it; refused where it does not reach so far.

    >>> from dpcore.promise import Promise
    >>> of_count = Bound(
    ...     value=0.25,
    ...     side=Side.AT_MOST,
    ...     scope=Scope.COUNT,
    ...     promise=Promise(secret="presence", relation="add_or_remove"),
    ... )
    >>> claimed(of_count, Scope.ANY_MECHANISM, number(2))
    Traceback (most recent call last):
    dpcore.errors.Refused: scope must be one that a bound for 'count' holds for; got 'any_mechanism'
    """
    kinds = {Side.AT_MOST: Upper, Side.AT_LEAST: Lower, Side.EXACT: Exact}
    found = bound.claimed_as(scope)
    return kinds[found.side](found.value, spoken)


def below_certain(said: Quantity) -> Quantity:
    """A belief that only a float makes 1, said below it: no finite budget makes anybody certain.

    >>> f"{below_certain(Upper(1.0, in_people(100))):at most …}"
    'nearly 100 in 100'
    """
    return replace(said, value=min(said.value, math.nextafter(1.0, 0.0)))


def number(digits: int) -> Spoken:
    """A plain number with so many significant digits.

    >>> number(2)(0.0123, "up")
    '0.013'
    """
    return partial(_with, plain_number, digits)


def _with(said: Callable[..., str], digits: int, value: float, direction: str) -> str:
    return said(value, digits, direction)


def in_people(of: int) -> Spoken:
    """A belief as people out of a power of ten that a whole sentence shares.

    >>> in_people(10_000)(0.00231, "up"), in_people(100)(0.0299, "down"), in_people(100)(0.001, "nearest")
    ('24 in 10,000', '2 in 100', 'fewer than 1 in 100')
    >>> in_people(10_000)(0.99999, "up"), in_people(10_000)(1.0, "up")
    ('nearly 10,000 in 10,000', '10,000 in 10,000')
    """
    return partial(_people, "in", of)


def of_times(of: int) -> Spoken:
    """How many times, out of as many as a whole sentence shares.

    >>> of_times(10_000)(0.5, "up"), of_times(100)(0.99998, "up")
    ('5,000 of 10,000 times', 'nearly 100 of 100 times')
    """
    return partial(_times_of, of)


def as_often_as(chance: float) -> Spoken:
    """How many times, out of as many as a chance beside it, rounded down, is told.

    >>> as_often_as(0.957)(0.0076, "nearest"), as_often_as(0.9991)(0.0076, "nearest")
    ('1 of 100 times', '76 of 10,000 times')
    """
    return of_times(phrasing.people_told_of(chance, DOWN))


def out_of(of: int) -> Spoken:
    """How many of so many, where what they are stands behind it.

    >>> out_of(100)(0.87, "nearest"), out_of(100)(6e-5, "up")
    ('87 of 100', '1 of 100')
    """
    return partial(_people, "of", of)


def _times_of(of: int, value: float, direction: str) -> str:
    return label("numbers", "how_often", share=_people("of", of, value, direction))


def _people(joint: str, of: int, value: float, direction: str) -> str:
    count = round(phrasing.rounded(value, len(str(of)) - 1, direction) * of)
    beyond = ""
    if direction == NEAREST and count == 0 < value:
        beyond, count = "fewer_than", 1
    elif direction == NEAREST and count == of and value < 1:
        beyond, count = "more_than", of - 1
    elif direction == UP and count == of and value < 1:
        beyond = "nearly"
    return phrasing.joined(joint, beyond, count, of)


def share(places: int = 0) -> Spoken:
    """A share in per cent with so many decimal places.

    >>> share(1)(0.0212, "up")
    '2.2 %'
    """
    return partial(_with, percent, places)


def belief_in_percent(value: float, direction: str) -> str:
    """A limit on a belief in per cent to one decimal place: one that is rounded to none or all is nearly that.

    >>> [belief_in_percent(value, "up") for value in (0.0212, 0.9999, 1.0)], belief_in_percent(0.0001, "down")
    (['2.2 %', 'nearly 100 %', '100.0 %'], 'nearly 0 %')
    """
    said = percent(value, 1, direction)
    whole = number_named(said) / 100
    return label("numbers", "nearly", share=percent(whole)) if whole in (0, 1) and value != whole else said


def in_order(*said: Quantity) -> tuple[Quantity, ...]:
    """Quantities that stand in an order, the smallest first, with as many digits as keep that order in print.

    An upper number and one that is rounded down can pass each other: then each gets one digit more, and so on.

    >>> reached, line = Upper(2.912, times), Allowed(2.934, times)
    >>> reached.digits, line.digits, [one.digits for one in in_order(reached, line)]
    ('3 times', '2.9 times', ['2.92 times', '2.93 times'])
    """
    for digits in range(2, MOST_DIGITS + 1):
        finer = ((one, _so_many_times if one.spoken is times else plain_number) for one in said)
        told = said if digits == 2 else tuple(replace(one, spoken=partial(_with, as_, digits)) for one, as_ in finer)
        numbers = [number_named(one.digits) for one in told]
        if all(smaller <= larger for smaller, larger in pairwise(numbers)):
            return told
    return said


MOST_DIGITS = 12
"""More would be those of the computation."""


def _so_many_times(value: float, digits: int, direction: str) -> str:
    return label("numbers", "times", ratio=plain_number(value, digits, direction))


NUMBERS = re.compile(r"[\d.,]*\d(?:e-?\d+)?")


def number_named(words: str) -> float:
    """The number that the words of a quantity say: 0.505, 505 in 1,000, nearly 100 in 100, 3 times.

    >>> number_named("166 in 1,000"), number_named("0.0833"), number_named("nearly 100 in 100")
    (0.166, 0.0833, 1.0)
    """
    found = [float(told.replace(",", "")) for told in NUMBERS.findall(words)]
    return math.nan if not found else found[0] / found[1] if len(found) > 1 else found[0]


def in_points(value: float, direction: str) -> str:
    """A difference of beliefs in points of 100, with three digits.

    >>> in_points(0.12341, "up"), in_points(0.0512, "down")
    ('12.4 points', '5.12 points')
    """
    return label("numbers", "points", number=plain_number(100 * value, 3, direction))


def whole(value: float, direction: str) -> str:
    """A whole number with its thousands separated; what lies between is rounded in its direction.

    >>> whole(1234.2, "up"), whole(1234.2, "down")
    ('1,235', '1,234')
    """
    return plain_number(value, max(len(f"{abs(value):.0f}"), 1), direction)


def as_told(words: str) -> Spoken:
    """A number in the words in which its page tells it.

    >>> Typed(0.377, as_told("37 in 100")).digits
    '37 in 100'
    """
    return partial(_as_told, words)


def _as_told(words: str, value: float, direction: str) -> str:
    return words


def to_spend(value: float, direction: str) -> str:
    """A recommended budget; a direction other than down is refused."""
    if direction != DOWN:
        raise ValueError(f"direction of a budget must be down; got {direction!r}")
    return phrasing.rounded_budget(value)


def as_recommended(value: float, direction: str) -> str:
    """A budget that was rounded down already, with all its places."""
    if direction != DOWN:
        raise ValueError(f"direction of a budget must be down; got {direction!r}")
    return phrasing.exact_budget(value)
