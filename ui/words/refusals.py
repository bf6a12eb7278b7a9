"""What a reader is told instead of an answer: a refusal as a sentence, in the page's own words, or a failure.

A caller that must tell one refusal from another asks a refusal of dpcore for its `code`, `name` and `value`; its text
is only shown.
"""

from __future__ import annotations

import traceback

from dpcore.composition import LARGEST_PLAN
from dpcore.errors import Code, Refused
from riskline.case.fields import as_sentence
from ui.words.catalogue import label, option_words
from ui.words.quantities import Typed, whole

ON_PAGES = {
    ("choose", "route", Code.UNSUPPORTED): "two_worlds",
    ("choose", "route", Code.INCONSISTENT): "integer_counts",
    ("choose", "delta", Code.INFEASIBLE): "smaller_delta",
    ("choose", "delta", Code.OUT_OF_RANGE): "smaller_delta",
    ("deployments", "route", Code.UNSUPPORTED): "two_worlds",
    ("deployments", "route", Code.INCONSISTENT): "integer_counts",
    ("publication", "route", Code.UNSUPPORTED): "rho_of_a_value",
    ("publication", "route", Code.INCONSISTENT): "integer_counts",
    ("publication", "moves", Code.UNSUPPORTED): "means_of_areas",
    ("plan", "rows", Code.TOO_LARGE): "too_many",
    ("plan", "count", Code.OUT_OF_RANGE): "too_many",
    ("plan", "cap", Code.INFEASIBLE): "low_cap",
    ("infer", "power", Code.UNSUPPORTED): "variance_power",
}
"""What a page says instead where its reader knows the refused input by another name: by page, name and code."""

SPOKEN = option_words("frame", "spoken")
"""What a reader calls an input whose name in dpcore is no word of any page."""

UNCOMPUTABLE = (ArithmeticError, MemoryError, RecursionError)
BROKEN = label("frame", "broken")
TOO_FAR = label("frame", "too_far")
BEYOND_NUMBERS = f"{TOO_FAR} {label('frame', 'change_one')}"


def refusal_words(refusal: Exception) -> str:
    """What was refused, by which rule, as it stands inside a sentence or under a box."""
    return str(refusal)


def refusal_sentence(refusal: Exception, page: str = "") -> str:
    """A refusal, or what is beyond numbers, as a sentence of its own: a capital first, one full stop last.

    >>> refusal_sentence(Refused("prior", "lie in [0, 1]", 1.2, Code.OUT_OF_RANGE))
    'Prior must lie in [0, 1]; got 1.2.'
    >>> refusal_sentence(Refused("cap", "be at least the prior", 0.1, Code.INFEASIBLE), "plan")
    'The highest acceptable belief must be at least the belief before.'
    >>> refusal_sentence(Refused("upper", "be greater than lower = 5", 1.0, Code.INFEASIBLE))
    'The upper bound must be greater than lower = 5; got 1.0.'
    """
    if isinstance(refusal, UNCOMPUTABLE):
        return BEYOND_NUMBERS
    text = refusal_words(refusal)
    if isinstance(refusal, Refused) and (name := ON_PAGES.get((page, refusal.name, refusal.code))):
        text = label("frame", f"refused.{name}", text=text, value=refusal.value, most=Typed(LARGEST_PLAN, whole))
    elif isinstance(refusal, Refused) and refusal.name in SPOKEN:
        text = SPOKEN[refusal.name] + text.removeprefix(refusal.name)
    return as_sentence(text)


def refuse_larger(file: bytes | str, most: int) -> None:
    """Refuse a file of more bytes than its reader takes."""
    if len(file) > most:
        raise ValueError(label("frame", "too_large", most=Typed(most, whole), size=f"{len(file):,}"))


def sentence_of(error: BaseException) -> str:
    """The sentence for an error that nobody foresaw; its own message is for developers and is not shown.

    >>> sentence_of(ZeroDivisionError())[:37], sentence_of(KeyError("x"))[:28]
    ('These choices lead to numbers that ca', 'This page could not be drawn')
    """
    return BEYOND_NUMBERS if isinstance(error, UNCOMPUTABLE) else BROKEN


def without_words(error: BaseException) -> str:
    """What a log may hold of an error: its kind and the lines of code it passed; its message quotes readers."""
    return "".join(traceback.format_tb(error.__traceback__)) + type(error).__name__
