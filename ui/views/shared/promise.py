"""The promise on a page: what must stay secret, about whom, what counts as one change; the same words everywhere.

A page adds `PROMISE_FIELDS` of the case to its fields and `PromiseChoice` to its inputs, asks with
`ui.ask.promise.ask_secret`, and says `promise_words` in its sentence and small print. What it prints about a belief it
also states as a `StatedBelief`, so that one test holds every page against a release that reaches what is promised.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, ClassVar, ParamSpec, TypeVar

from dpcore.promise import Promise, Secret, Unit
from dpcore.scope import Scope
from riskline.case.value import Case
from ui.pictures.style import Style
from ui.words.catalogue import label, labels, passages, say
from ui.words.python_lines import CodeLines
from ui.words.quantities import Quantity
from ui.words.refusals import refusal_sentence

Arguments = ParamSpec("Arguments")
View = TypeVar("View", bound="PageAnswer")


def promise_words(
    promise: Promise,
    voice: str,
    *,
    scope: Scope = Scope.ANY_MECHANISM,
    joint: bool = False,
    hidden: str = "",
    one: str = "",
) -> dict[str, str]:
    """The words every page uses for a promise.

    promise : what is promised
    voice : {'plain', 'technical'}; whose words
    scope : what the number speaks of: any release, one plain count of what is asked about, or a table of counts with
        noise on each cell. It decides how many steps the small print tells.
    joint : whether the secret is being in the data *and* having the value; the promise is then one about a value
    hidden, one : the reader's own words for the secret, as a clause, and for one of those it is about; neutral words
        without

    `whose`: a given person; `secret`: whether a given person is in the data; `that`: that a given person is in the
    data; `if_true`, `if_false`: the two worlds; `relation`: what counts as one change; `change`: the
    same, with how many lie between the worlds; `promise`: one sentence with both.
    """
    passage = partial(say, "promise", voice)
    hidden, one = (" ".join(words.replace("*", "").split()).rstrip(".") for words in (hidden, called(one)))
    kind = "both" if joint else promise.secret.value
    several = promise.group > 1
    unit = promise.unit.value if several or promise.unit is Unit.RECORD else "person"
    whose = passage(f"whose_{unit}_{promise.group > 1}".lower(), group=f"{promise.group:,}")
    if one and unit == "person" and not several:
        whose = passage("whose_own", one=one)
    own = ("own_both" if joint else "own") if hidden else kind
    steps = {Scope.COUNT: promise.group, Scope.TABLE: promise.cells * promise.group}.get(scope, promise.steps)
    between = "" if steps == 1 else passage(f"steps_{'both' if joint else scope}", steps=f"{steps:,}")
    change = passage("relation_answer" if promise.secret is Secret.ANSWER else f"relation_{promise.relation.value}")
    words = {"whose": whose, "relation": change, "change": change + between}
    words |= secret_words(own, voice, whose=whose, hidden=hidden)
    return words | {"promise": passage("promise", secret=words["secret"], change=change, steps=between)}


def secret_words(kind: str, voice: str, **words: str) -> dict[str, str]:
    """The secret of a kind, as a question and as a clause, and its two worlds."""
    fact = say("promise", voice, f"fact_{kind}", **words)
    asked = f"secret_{kind}" if f"secret_{kind}" in passages("promise", voice) else "secret"
    return {
        "secret": say("promise", voice, asked, fact=fact, **words),
        "that": say("promise", voice, "that", fact=fact),
        "if_true": say("promise", voice, "if_true"),
        "if_false": say("promise", voice, "if_false"),
    }


def relatives_independent(voice: str) -> str:
    """What every number about relatives who resemble somebody assumes, and which one does not."""
    return say("promise", voice, "relatives_independent")


def called(one: str) -> str:
    """What one of those whom a case is about is called: the article that was typed before it stands in our words.

    >>> called("one pupil"), called("a pupil "), called("Oneida member")
    ('pupil', 'pupil', 'Oneida member')
    """
    return re.sub(r"^(one|an?|each|every|the)\s+(?=\S)", "", one.strip(), flags=re.IGNORECASE)


def several(many: str) -> str:
    """What several of those are called whom a case is about.

    >>> several("pupils *"), several("")
    ('pupils', 'people')
    """
    return " ".join(many.replace("*", "").split()) or label("public", "people")


def page_question(page: str, case: Case) -> str:
    """What a page answers, as a person would ask it, about one of those whom the case is about.

    >>> page_question("choose", Case(one="pupil")), page_question("choose", Case(unit="household"))
    ('How much may somebody learn about one pupil?', 'How much may somebody learn about one household?')
    """
    return label(page, "question", whom=whom(case)) if "question" in labels(page) else label("frame", page)


def whom(case: Case) -> str:
    """One of those whom the case is about, in few words.

    >>> whom(Case(one="pupil")), whom(Case(unit="household"))
    ('one pupil', 'one household')
    """
    own = called(case["one"]) if case["unit"] == "person" else ""
    return label("promise", "whom.own", one=own) if own else label("promise", f"whom.{case['unit']}")


@dataclass(frozen=True)
class StatedBelief:
    """An upper bound on a belief as a page prints it, with what is needed to check it.

    prior : belief before
    said : the largest belief after, and how the page says it
    promise : what it belongs to; its failure probability is the exception the page names
    source : everything released: for one step of the promise's relation, or, where the budget holds for one noise only,
        the law of what it tells about the whole unit
    scope : for which releases it holds
    absent : where the secret is being in *and* having the value: the belief before that the unit is not in the data
    on_average : whether the bound is one on the average belief in the world where the secret is so, not on every belief
    printed : whether the page prints it as it stands here; otherwise only what is made of it
    before : the belief before as the page prints it beside the one after; nothing where it names no number
    rows : of named tables of counts: what each spends, its cells in an area, how many of them a record is in, areas
    """

    prior: float
    said: Quantity
    promise: Promise
    source: Any
    scope: Scope = Scope.ANY_MECHANISM
    absent: float = 0.0
    on_average: bool = False
    printed: bool = True
    before: str = ""
    rows: tuple[tuple[float, int, int, int], ...] = ()

    @property
    def at_most(self) -> float:
        """The largest belief after, unrounded."""
        return self.said.value

    @property
    def words(self) -> str:
        """The belief as the page prints it; nothing where it prints only what is made of it."""
        return self.said.digits if self.printed else ""


@dataclass(frozen=True, kw_only=True)
class PageAnswer:
    """What every page's view begins with: an answer, how sure it is, which beliefs it bounds; or why there is none.

    `computed` and `python` say how it is computed.
    """

    answer: str = ""
    small_print: str = ""
    stated: tuple[StatedBelief, ...] = ()
    refusal: str | None = None
    computed: str = ""
    python: CodeLines | None = None


@dataclass(frozen=True)
class PageInMaking:
    """A page on the way to words and pictures: what a reader chose, and how it is told."""

    page: ClassVar[str]
    inputs: Any
    style: Style

    def say(self, name: str, /, **words: object) -> str:
        """A passage of the page in the reader's voice."""
        return say(self.page, self.style.voice, name, **words)


def refusing(
    view: type[View], page: str = "", *also: type[Exception]
) -> Callable[[Callable[Arguments, View]], Callable[Arguments, View]]:
    """A page's function whose refusals, and what `also` is raised, are views that say why there is no answer."""
    refusals: tuple[type[Exception], ...] = (ValueError, *also)

    def made(function: Callable[Arguments, View]) -> Callable[Arguments, View]:
        @wraps(function)
        def call(*given: Arguments.args, **named: Arguments.kwargs) -> View:
            try:
                return function(*given, **named)
            except refusals as refused:
                return view(refusal=refusal_sentence(refused, page))

        return call

    return made
