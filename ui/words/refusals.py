"""The words of a refusal: the one place where what was refused becomes a sentence.

Whoever has to decide something asks a refusal of dpcore for its `code`, `name` and `value`; its text is only shown.
"""

from __future__ import annotations

from dpcore.composition import LARGEST_PLAN
from dpcore.errors import Code, Refused
from riskline.case.fields import as_sentence

TWO_WORLDS = (
    "This kind of guarantee needs a question about two worlds: whether someone is in the data (with the belief about "
    "the value held at 1), or releases that are plain counts"
)
RHO_OF_A_VALUE = (
    "A line about a value of somebody gives no budget ρ while records are added or removed: let a record be replaced, "
    "ask whether someone is in the data, or take noise with a budget ε"
)
INTEGER_COUNTS = (
    "Discrete Gaussian noise is certified for releases that are one plain count each. Several counts have another law "
    "together: those of a household, or the two cells between which a value moves. Take the direct bound"
)
MEANS_OF_AREAS = (
    "Means of several districts need somebody's district to be taken as known, for else the public numbers of people "
    "would change with it: say that the two possibilities place nobody in another district, or publish totals"
)
SMALLER_DELTA = "δ must be smaller than δ′, the probability with which the promise may fail ({text})"
TOO_MANY = f"All rounds together must be at most {LARGEST_PLAN:,} releases; got {{value:,}}"

ON_PAGES = {
    ("choose", "route", Code.UNSUPPORTED): TWO_WORLDS,
    ("choose", "route", Code.INCONSISTENT): INTEGER_COUNTS,
    ("choose", "delta", Code.INFEASIBLE): SMALLER_DELTA,
    ("choose", "delta", Code.OUT_OF_RANGE): SMALLER_DELTA,
    ("publication", "route", Code.UNSUPPORTED): RHO_OF_A_VALUE,
    ("publication", "route", Code.INCONSISTENT): INTEGER_COUNTS,
    ("publication", "moves", Code.UNSUPPORTED): MEANS_OF_AREAS,
    ("plan", "rows", Code.TOO_LARGE): TOO_MANY,
    ("plan", "count", Code.OUT_OF_RANGE): TOO_MANY,
    ("plan", "cap", Code.INFEASIBLE): "The highest acceptable belief must be at least the belief before",
}
"""What a page says instead where its reader knows the refused input by another name: by page, name and code."""

SPOKEN = {
    "posterior_cap": "the highest acceptable belief",
    "upper": "the upper bound",
    "lower": "the lower bound",
}
"""What a reader calls an input whose name in dpcore is no word of any page."""


def refusal_words(refusal: Exception) -> str:
    """What was refused, by which rule, as it stands inside a sentence or under a box."""
    return str(refusal)


def refusal_sentence(refusal: Exception, page: str = "") -> str:
    """A refusal as a sentence of its own: a capital first, one full stop last.

    Examples
    --------
    >>> refusal_sentence(Refused("prior", "lie in [0, 1]", 1.2, Code.OUT_OF_RANGE))
    'Prior must lie in [0, 1]; got 1.2.'
    >>> refusal_sentence(Refused("cap", "be at least the prior", 0.1, Code.INFEASIBLE), "plan")
    'The highest acceptable belief must be at least the belief before.'
    >>> refusal_sentence(Refused("upper", "be greater than lower = 5", 1.0, Code.INFEASIBLE))
    'The upper bound must be greater than lower = 5; got 1.0.'
    """
    text = refusal_words(refusal)
    if isinstance(refusal, Refused) and (words := ON_PAGES.get((page, refusal.name, refusal.code))):
        text = words.format(text=text, value=refusal.value)
    elif isinstance(refusal, Refused) and refusal.name in SPOKEN:
        text = SPOKEN[refusal.name] + text.removeprefix(refusal.name)
    return as_sentence(text)
