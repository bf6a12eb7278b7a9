"""What a reader is told, and what a log may hold, when something ends in an error instead of an answer."""

from __future__ import annotations

import traceback

from ui.words.catalogue import label

UNCOMPUTABLE = (ArithmeticError, MemoryError, RecursionError)
BROKEN = label("frame", "broken")
TOO_FAR = label("frame", "too_far")
BEYOND_NUMBERS = f"{TOO_FAR} {label('frame', 'change_one')}"


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
