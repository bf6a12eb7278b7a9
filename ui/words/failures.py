"""What a reader is told, and what a log may hold, when something ends in an error instead of an answer."""

from __future__ import annotations

import traceback

UNCOMPUTABLE = (ArithmeticError, MemoryError, RecursionError)
BROKEN = "This page could not be drawn. Your choices are still in the address; change one, or reload the page."
TOO_FAR = "These choices lead to numbers that cannot be computed with here: too large, too small or too many at once."
BEYOND_NUMBERS = f"{TOO_FAR} They are still in the address; change one."


def sentence_of(error: BaseException) -> str:
    """The sentence for an error that nobody foresaw; its own message is for developers and is not shown.

    Examples
    --------
    >>> sentence_of(ZeroDivisionError())[:37], sentence_of(KeyError("x"))[:28]
    ('These choices lead to numbers that ca', 'This page could not be drawn')
    """
    return BEYOND_NUMBERS if isinstance(error, UNCOMPUTABLE) else BROKEN


def without_words(error: BaseException) -> str:
    """What a log may hold of an error: its kind and the lines of code it passed; its message quotes readers."""
    return "".join(traceback.format_tb(error.__traceback__)) + type(error).__name__
