"""How numbers read: natural frequencies with a fixed denominator, and the safe direction of rounding.

A risk bound goes up (a lower bound down), a recommended budget goes down; `dpcore.rounding` does the digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from dpcore.rounding import round_down, round_up
from ui.words.catalogue import label

UP, DOWN, NEAREST = "up", "down", "nearest"
ROUNDING: dict[str, Callable[[float, int], float]] = {UP: round_up, DOWN: round_down, NEAREST: round}
SMALLEST = 1e-99
"""Below this a number is printed as less than it (rounded down: 0): nobody reads the difference."""
LARGEST = 1e300
LARGEST_BUDGET_PLACES = 9
TYPED_DIGITS = 15  # all the digits somebody typed, without float noise
LEAST_BEFORE = 1e-12  # smaller beliefs are not said as numbers
MOST_TOLD = 10_000  # people that a limit is told of
LEAST_ON_AVERAGE = 0.001
NOISE = 1e-9  # how far arithmetic may carry a probability out of [0, 1]


def _number(value: float) -> float:
    """The value as a plain float without a sign on zero; a sentence with nan in it is never printed."""
    value = float(value) + 0.0
    if math.isnan(value):
        raise ValueError("a number in a sentence must not be nan")
    return value


def _probability(value: float) -> float:
    value = _number(value)
    if not -NOISE <= value <= 1 + NOISE:
        raise ValueError(f"a probability in a sentence must lie in [0, 1]; got {value!r}")
    return min(max(value, 0.0), 1.0)


def rounded(value: float, digits: int, direction: str) -> float:
    """The value to so many decimal places (tens, hundreds for negative ones), up, down or to the nearest."""
    value = _number(value)
    if digits < 0:
        return rounded(value / 10**-digits, 0, direction) * 10**-digits
    return ROUNDING[direction](value, digits) + 0.0


def frequency(probability: float, direction: str = NEAREST, of: int = 100) -> str:
    """A probability as people out of 100 or another power of ten, or out of 10,000 next to none and to all of those.

    Only certainty is 100 in 100: a limit next to it is told out of up to a million, and then as nearly 100 in 100.

    >>> frequency(0.2501, "up"), frequency(0.0034), frequency(0.99961, "up")
    ('26 in 100', '34 in 10,000', '9,997 in 10,000')
    >>> frequency(2e-7, "up"), frequency(2e-7, "down"), frequency(1.0), frequency(0.99999, "up")
    ('1 in 10,000', 'fewer than 1 in 10,000', '100 in 100', '99,999 in 100,000')
    >>> frequency(1 - 1e-9, "up"), frequency(1 - 1e-9)
    ('nearly 100 in 100', 'more than 9,999 in 10,000')
    >>> frequency(0.1234, "up", of=1_000), frequency(0.9991, "up", of=1_000)
    ('124 in 1,000', '9,991 in 10,000')
    """
    return joined("in", *_people_of(probability, direction, of))


def rate(probability: float, direction: str = NEAREST) -> str:
    """The same as how many of so many.

    >>> rate(0.573), rate(2e-7)
    ('57 of 100', 'fewer than 1 of 10,000')
    """
    return joined("of", *_people_of(probability, direction))


def one_in(share: float, direction: str) -> str:
    """A small share as one in so many, to two digits.

    >>> one_in(8.31e-8, "up"), one_in(8.31e-8, "down"), one_in(0.0, "up")
    ('1 in 12,000,000', '1 in 13,000,000', '0')
    """
    if share == 0:
        return "0"
    return label("numbers", "in", count="1", of=plain_number(1 / share, 2, DOWN if direction == UP else UP))


def joined(joint: str, beyond: str, count: int, of: int) -> str:
    """A number of people *in*, or *of*, so many; and how it lies beyond the truth, if it does."""
    return _beyond(beyond, label("numbers", joint, count=f"{count:,}", of=f"{of:,}"))


def _beyond(beyond: str, share: str) -> str:
    return label("numbers", beyond, share=share) if beyond else share


def _people_of(probability: float, direction: str, of: int = 100) -> tuple[str, int, int]:
    """How a number of people lies beyond the truth if it does, that number, and of how many they are."""
    probability = _probability(probability)
    if probability in (0.0, 1.0):
        return "", round(of * probability), of
    if not 1 / of <= probability <= 1 - 1 / of:
        of = max(of, 10_000)
    count = round(rounded(probability, len(str(of)) - 1, direction) * of)
    if count == 0:
        return "fewer_than", 1, of
    if count == of:
        return _next_to_certain(probability) if direction == UP else ("more_than", of - 1, of)
    return "", count, of


def _next_to_certain(probability: float) -> tuple[str, int, int]:
    """A limit above 9,999 in 10,000, rounded up."""
    for digits in (5, 6):
        count, denominator = round(rounded(probability, digits, UP) * 10**digits), 10**digits
        if count < denominator:
            return "", count, denominator
    return "nearly", 100, 100


def limits_nothing(probability: float) -> bool:
    """Whether a limit on a probability, rounded up to a millionth, is certainty.

    >>> limits_nothing(1 - 1e-5), limits_nothing(1 - 1e-9)
    (False, True)
    """
    return rounded(_probability(probability), 6, UP) >= 1


def is_nearly_certain(belief: float) -> bool:
    """Whether a limit on a belief, rounded up, is everybody of the most people that a limit is told of."""
    return rounded(_probability(belief), 4, UP) >= 1


def people_for(*limits: float, of: int = 100) -> int:
    """Of how many people limits are told that stand in one answer: the fewest, from `of` on, that keep them apart.

    >>> people_for(0.77, 0.9406), people_for(0.77, 0.9961), people_for(0.5, 0.99999), people_for(0.0075)
    (100, 1000, 100, 10000)
    """
    told = [limit for limit in limits if not is_nearly_certain(limit)]
    if any(limit < 1 / of for limit in told):
        return max(of, MOST_TOLD)
    while of < MOST_TOLD and any(rounded(limit, len(str(of)) - 1, UP) >= 1 for limit in told):
        of *= 10
    return of


def how_often(probability: float, direction: str = NEAREST) -> str:
    """A probability as how many of so many times something happens.

    >>> how_often(0.573), how_often(0.0034), how_often(1.0)
    ('57 of 100 times', '34 of 10,000 times', '100 of 100 times')
    """
    return label("numbers", "how_often", share=rate(probability, direction))


def people_told_of(probability: float, direction: str = NEAREST, of: int = 100) -> int:
    """Of how many people, or times, a probability is told.

    >>> people_told_of(0.5), people_told_of(0.999994, "up")
    (100, 1000000)
    """
    return _people_of(probability, direction, of)[2]


def count_of_hundred(probability: float, direction: str = NEAREST) -> str:
    """Just the number of people out of 100 (with the denominator where it is 10,000).

    >>> count_of_hundred(0.05), count_of_hundred(0.131, "up")
    ('5', '14')
    """
    beyond, count, of = _people_of(probability, direction)
    return _beyond(beyond, f"{count}") if of == 100 else joined("in", beyond, count, of)


def decimals_for(value: float) -> int:
    """Decimal places that show two significant digits of a small number, and at least two.

    >>> decimals_for(1.29), decimals_for(0.0421), decimals_for(0.00058)
    (2, 3, 5)
    """
    if value == 0 or not math.isfinite(value):
        return 2
    return max(2, 1 - math.floor(math.log10(abs(value))))


def rounded_budget(value: float) -> str:
    """A budget as recommended: rounded down to two decimals, or to two significant digits when it is small.

    >>> rounded_budget(1.29928), rounded_budget(0.05619), rounded_budget(0.0)
    ('1.29', '0.056', '0')
    >>> rounded_budget(1.239e-12), rounded_budget(1e-300)
    ('1.2e-12', '0')
    """
    places = decimals_for(value)
    return _odd_budget(value, 2) or f"{round_down(value, places):.{places}f}"


def exact_budget(value: float) -> str:
    """A budget that is a short decimal already, with all its places: a recommended one, or its multiple.

    >>> exact_budget(0.1), exact_budget(0.05), exact_budget(0.0428), exact_budget(12 * 0.0099)
    ('0.10', '0.050', '0.0428', '0.1188')
    """
    if odd := _odd_budget(value, 12):
        return odd
    exponent = Decimal(f"{value:.12g}").normalize().as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else 0
    return f"{value:.{max(places, decimals_for(value))}f}"


def _odd_budget(value: float, digits: int) -> str:
    """A budget that is none, without limit, or too small or large for decimals; empty for any other."""
    value = _number(value)
    if value <= 0:
        return "0"
    if math.isinf(value):
        return label("numbers", "unlimited")
    return plain_number(value, digits, DOWN) if decimals_for(value) > LARGEST_BUDGET_PLACES or value >= 1e9 else ""


def plain_number(value: float, digits: int = 3, direction: str = NEAREST) -> str:
    """A number with so many significant digits, thousands separated, no exponent where people would not write one.

    >>> plain_number(1234567.0, 3), plain_number(0.05679), plain_number(12.0), plain_number(3e-9)
    ('1,230,000', '0.0568', '12', '3e-9')
    >>> plain_number(1e-300), plain_number(1e-300, direction="up"), plain_number(1e-300, direction="down")
    ('less than 1e-99', '1e-99', '0')
    """
    value = _number(value)
    if value == 0:
        return "0"
    outwards = UP if value > 0 else DOWN
    if abs(value) < SMALLEST:
        limit = "1e-99" if value > 0 else "-1e-99"
        if direction == NEAREST:
            return label("numbers", "less_than" if value > 0 else "greater_than", number=limit)
        return limit if direction == outwards else "0"
    if abs(value) >= LARGEST:
        if math.isinf(value) or direction == outwards:
            return label("numbers", "unlimited" if value > 0 else "minus_unlimited")
        limit = "1e300" if value > 0 else "-1e300"
        if direction != NEAREST:
            return limit
        return label("numbers", "greater_than" if value > 0 else "less_than", number=limit)
    places = digits - 1 - math.floor(math.log10(abs(value)))
    if direction == NEAREST:
        shown = round(value, places)
    else:
        shown = (round_up if direction == UP else round_down)(value, digits, significant=True)
    if abs(shown) < 1e-4 or abs(shown) >= 1e9:
        mantissa, exponent = f"{shown:.{digits - 1}e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        return f"{mantissa}e{int(exponent)}"
    text = f"{shown:,.{max(places, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def on_average(value: float, direction: str = NEAREST) -> str:
    """A mean number of districts or people: two digits, and nothing below a thousandth.

    >>> on_average(0.393), on_average(705_123.0), on_average(1e-22)
    ('0.39', '710,000', 'less than 0.001')
    """
    if value < LEAST_ON_AVERAGE:
        return label("numbers", "less_than", number=f"{LEAST_ON_AVERAGE}")
    return plain_number(value, 2, direction)


def whole_on_average(value: float, direction: str = NEAREST) -> str:
    """A mean number of districts as whole ones, of which a picture shows as many.

    >>> whole_on_average(8.9), whole_on_average(2.5), whole_on_average(0.37), whole_on_average(0.0)
    ('9', '3', 'fewer than 1', '0')
    """
    if 0 < value < 0.5:
        return _beyond("fewer_than", "1")
    return f"{math.floor(rounded(value + 0.5, 9, direction)):,}"


def percent(value: float, digits: int = 0, direction: str = NEAREST) -> str:
    """A share in per cent.

    >>> percent(0.57), percent(0.0212, 1, "up")
    ('57 %', '2.2 %')
    """
    value = _number(value)
    if abs(value) >= 1e7:
        return f"{plain_number(value * 100, 3, direction)} %"
    return f"{rounded(value * 100, digits, direction):.{digits}f} %"


def typed_frequency(value: float, direction: str = NEAREST) -> str:
    """A belief that somebody typed, with all its digits: in as many people as are whole.

    >>> typed_frequency(0.125), typed_frequency(0.25), typed_frequency(0.123456), typed_frequency(0.0012)
    ('125 in 1,000', '25 in 100', '123,456 in 1,000,000', '12 in 10,000')
    >>> typed_frequency(3e-7), typed_frequency(0.29)
    ('3 in 10,000,000', '29 in 100')
    """
    places = -int(Decimal(f"{value:.{TYPED_DIGITS}g}").normalize().as_tuple().exponent)
    of = 10 ** max(places, 2)
    return label("numbers", "in", count=f"{round(value * of):,}", of=f"{of:,}")


def typed_belief(value: float) -> str:
    """A belief that somebody typed, as a decimal with all its digits.

    >>> typed_belief(0.123456), typed_belief(0.1)
    ('0.123456', '0.1')
    """
    return plain_number(value, TYPED_DIGITS)


def times(value: float, direction: str = UP) -> str:
    """A ratio as 'N times', to one decimal (two below 2).

    >>> times(3.0), times(1.105171), times(6.04)
    ('3 times', '1.11 times', '6.1 times')
    """
    value = _number(value)
    shown = rounded(value, 2 if value < 2 else 1, direction)
    text = plain_number(value, 3, direction) if value >= 1e9 else f"{shown:,.2f}".rstrip("0").rstrip(".")
    return label("numbers", "times", ratio=text)


def factor(value: float, direction: str = NEAREST) -> str:
    """What something is multiplied by, as it is said aloud: in millions where digits would need an exponent.

    >>> factor(2.718, "up"), factor(1.0072e13, "up"), factor(4.95e28, "up")
    ('2.72', '10.1 million million', 'nearly unlimited')
    >>> factor(2.5e9, "down"), factor(2e-29, "down"), factor(4.95e28, "down")
    ('2,500 million', 'nearly 0', 'more than a million million million')
    >>> factor(2.5e6), factor(3e11), factor(2e12)
    ('2,500,000', '300,000 million', '2 million million')
    """
    value = _number(value)
    if value >= 1e18:
        return label("numbers", "as_good_as_unlimited" if direction == UP else "beyond_millions")
    for unit, name in ((1e12, "million_million"), (1e6, "million")):
        if value >= max(unit, 1e9):
            return label("numbers", name, number=plain_number(value / unit, 3, direction))
    return label("numbers", "nearly", share=0) if 0 < value < 1e-4 else plain_number(value, 3, direction)


def decimal_belief(probability: float, direction: str = NEAREST) -> str:
    """A probability as a decimal with four significant digits, never rounded onto 0 or 1.

    Next to 1 the two first digits of what is missing to 1 are kept.

    >>> decimal_belief(1 / 12), decimal_belief(0.2494), decimal_belief(0.99999999, "up")
    ('0.08333', '0.2494', '0.99999999')
    >>> decimal_belief(0.9999607750779632, "up"), decimal_belief(0.9999607750779632)
    ('0.999961', '0.999961')
    """
    probability = _probability(probability)
    if probability in (0.0, 1.0):
        return f"{probability:.0f}"
    text = plain_number(probability, 4, direction)
    if text != "1":
        return text
    step = Decimal(1).scaleb(math.floor(math.log10(1 - probability)) - 1)
    to = {UP: ROUND_CEILING, DOWN: ROUND_FLOOR}.get(direction, ROUND_HALF_EVEN)
    return str(Decimal(probability).quantize(step, rounding=to).normalize())


def people(count: int) -> str:
    """A number of people in words a reader counts with.

    >>> people(1), people(34), people(29364)
    ('1 person', '34 people', '29,364 people')
    """
    return label("numbers", "people", n=f"{count:,}")


def capitalised(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
