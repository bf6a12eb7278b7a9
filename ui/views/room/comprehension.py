"""Questions with answers computed from what is set, and ways to show the same number: a belief before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from random import Random
from typing import Any

from dpcore._cache import MEGABYTE, cached_by_size
from dpcore.trial import Question, Setting
from dpcore.trial.questions import TRUE_COUNT
from riskline.case.value import Case
from ui.documents.label import Label
from ui.pictures.panels import Panels, icon_panels
from ui.pictures.people import IconArray
from ui.pictures.style import Style
from ui.views.memo import MemoInputs
from ui.views.memo.choices import Memo
from ui.views.memo.filing import label_of
from ui.views.public import PublicInputs, public_view
from ui.words.catalogue import label

PAGE = "room_understanding"
word = partial(label, PAGE)
WAYS = ("words", "picture", "icons", "odds", "sheet", "label")
COMPUTED = (
    *("at_most", "at_least", "stronger", "more_accurate", "together"),
    *("after_all", "even_guess", "half_width", "failures", "not_in"),
)
IN_WORDS = ("bound", "certainty", "negative")
"""Questions whose answers are the same in any setting; the first of their options is right."""
TABLES = ("stronger", "more_accurate")
SAID = {"together": "budget", "half_width": "off", "failures": ""}
"""How numbers are said that are not in 100."""


@dataclass(frozen=True)
class ComputedQuestion:
    """A question in words, its options in the order in which everybody sees them, and which of them is right."""

    name: str
    words: str
    options: tuple[str, ...]
    right: int


def setting_of(settings: Mapping[str, Any]) -> Setting:
    """The setting of the questions, by the choices of the activity."""
    given = {name: settings[f"understanding_{name}"] for name in ("epsilon", "other", "delta", "releases", "people")}
    shares = {name: settings[f"understanding_{name}"] / 100 for name in ("prior", "level")}
    return Setting(**given, **shares)


@cached_by_size(MEGABYTE)
def _asked(setting: Setting) -> dict[str, Question]:
    return {question.name: question for question in setting.questions}


def _digits(value: float) -> str:
    """A number with all its digits and no exponent.

    >>> _digits(0.1), _digits(1e-5), _digits(10_000)
    ('0.1', '0.00001', '10,000')
    """
    digits = f"{Decimal(repr(value)):,f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _said(name: str, value: float) -> str:
    if name in TABLES:
        return word(f"table.{value:g}")
    told = _digits(value)
    unit = SAID.get(name, "in_hundred")
    return word(unit, n=told) if unit else told


def options_of(name: str, setting: Setting) -> tuple[str, ...]:
    """The options in words, no two alike, the right one first.

    Where every known misreading gives the right answer, belief that stays as it was stands beside it.
    """
    if name in IN_WORDS:
        return tuple(word(f"choice.{name}").split(" / "))
    asked = _asked(setting)[name]
    values = [asked.answer, *(wrong.value for wrong in asked.wrong)]
    if name in TABLES:
        values += [0, 1, 2]
    elif len(values) == 1:
        values.append(_asked(setting)["not_in"].answer)
    return tuple(dict.fromkeys(_said(name, value) for value in values))


def computed_question(name: str, setting: Setting, order: int) -> ComputedQuestion:
    """One of the questions; `order` deals its options, to everybody alike."""
    told = options_of(name, setting)
    dealt = Random(f"{order} {name}").sample(told, len(told))
    numbers = ("epsilon", "other", "delta", "releases", "people")
    given = {one: _digits(getattr(setting, one)) for one in numbers}
    given |= {one: f"{100 * getattr(setting, one):.0f}" for one in ("prior", "level")}
    given |= {one: word(one, **given) for one in ("tables", "several")}
    words = word(f"ask.{name}", **given, count=TRUE_COUNT, most=_asked(setting)["at_most"].answer)
    return ComputedQuestion(name, words, tuple(dealt), dealt.index(told[0]))


@dataclass(frozen=True)
class ShownWay:
    """What one half sees: sentences, a drawing or both."""

    sentences: tuple[str, ...]
    drawing: Panels | None = None


def _odds(drawing: Panels, memo: Memo) -> str:
    """The numbers of the drawing as odds, of the same hundred."""
    before, after = (panel.after for panel in drawing.panels if isinstance(panel, IconArray))
    return word("odds", that=memo.words()["that"], before=before, rest=100 - before, after=after, left=100 - after)


def _lines(made: Label) -> tuple[str, ...]:
    """The lines of a label but for who decided."""
    return (made.lead, *(f"**{head}:** {text}" for head, text in made.rows[:-1]))


@cached_by_size(MEGABYTE)
def shown_way(way: str, prior: float, epsilon: float, dark: bool = False) -> ShownWay:
    """The same number in one of the ways, as other pages say and draw it; in plain words for every voice."""
    style = Style(dark=dark)
    case = Case(secret="presence", relation="add_or_remove", prior=prior).decided(value=epsilon, currency="epsilon")
    view, memo = public_view(PublicInputs(case=case), style), Memo(MemoInputs(case=case), style)
    assert view.picture is not None
    drawing = view.picture
    _, after = (panel for panel in drawing.panels if isinstance(panel, IconArray))
    makes: dict[str, Callable[[], ShownWay]] = {
        "words": lambda: ShownWay((view.answer,)),
        "odds": lambda: ShownWay((_odds(drawing, memo),)),
        "sheet": lambda: ShownWay((view.answer, *view.sentences, view.budget)),
        "label": lambda: ShownWay(_lines(label_of(memo, view))),
        "picture": lambda: ShownWay((), drawing),
        "icons": lambda: ShownWay((), icon_panels("public", (after,), style, "", drawing.legend)),
    }
    return makes[way]()
