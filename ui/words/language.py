"""What a language does to numbers, lists and sides; its words stand in the catalogue's folder `numbers`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from ui.words.catalogue import LANGUAGE, label, labels

SIDES = ("no_more", "no_less", "roughly", "exactly")
"""What phrases say of a number: that the truth does not exceed it, does not fall below it, is near it, is it."""


@dataclass(frozen=True)
class Language:
    """The rules of a language that its catalogue cannot hold.

    is_singular : which numbers are followed by the first of two words
    ordinal_form : which of the endings `one`, `two`, `few` and `other` the place of a number takes
    """

    is_singular: Callable[[int], bool]
    ordinal_form: Callable[[int], str]

    def plural(self, count: int, one: str, many: str) -> str:
        """A number with what is counted, in the form that goes with it."""
        return f"{count:,} {one if self.is_singular(count) else many}"

    def ordinal(self, number: int) -> str:
        """A place in an order.

        >>> [ENGLISH.ordinal(number) for number in (1, 2, 3, 11, 21, 112)]
        ['1st', '2nd', '3rd', '11th', '21st', '112th']
        """
        return label("numbers", f"ordinal.{self.ordinal_form(number)}", n=number)

    def listed(self, items: Sequence[str], joint: str = "and") -> str:
        """Words with commas between them and *and*, or *or*, before the last.

        >>> ENGLISH.listed(["a", "b", "c"]), ENGLISH.listed(["a", "b"], "or"), ENGLISH.listed(["a"])
        ('a, b and c', 'a or b', 'a')
        """
        *many, last = items
        return label("numbers", joint, many=", ".join(many), last=last) if many else last

    def phrases(self, side: str) -> tuple[str, ...]:
        """The phrases that say a side.

        >>> ENGLISH.phrases("roughly")
        ('about', 'around', 'roughly', 'nearly', 'some')
        """
        return _phrases(labels("numbers")[side])


@cache
def _phrases(listed: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in listed.split(" / "))


def _english_ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "other"
    return {1: "one", 2: "two", 3: "few"}.get(number % 10, "other")


ENGLISH = Language(lambda count: count == 1, _english_ordinal)
LANGUAGES = {"en": ENGLISH}
SPOKEN = LANGUAGES[LANGUAGE]
