"""Every page: the belief it prints for a secret is at least what an explicit release reaches that keeps the budget."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields as fields_of
from dataclasses import is_dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit

from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, Relation, ZeroConcentratedDP
from dpcore.promise import Promise, Secret
from dpcore.semantics import posterior_upper, worst_prior_rise
from riskline.case.choices import FIELDS as CASE
from riskline.case.fields import Field, pairs_of
from tests.approved.states import STATES
from tests.cases import OF_A_CASE, inputs_of
from tests.reached_beliefs import reached, spoken
from ui.link.page_table import page_entry
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.explain import ExplainInputs, explain_view
from ui.views.shared.belief_before import LEAST_KEPT
from ui.views.shared.promise import StatedBelief
from ui.words.phrasing import frequency
from ui.words.quantities import Upper

STATING = (
    "accuracy",
    "block",
    "choose",
    "deployments",
    "explain",
    "lessons",
    "memo",
    "methods",
    "plan",
    "positions",
    "public",
    "publication",
)
UNTOLD = ("block", "plan")
"""Pages whose stated beliefs stand in tables without the belief before."""
OUTWARDS = ("explain",)
"""Pages that print beliefs rounded outwards on either side of a rise, further apart than the budget takes one."""
SETTINGS = 26
MOST_COMBINED = {"choose": 70, "deployments": 40}
"""Settings of a page whose choices change the steps of a secret only together."""
SLOWEST = {"accuracy": 14, "explain": 14, "lessons": 14, "positions": 14}
"""Settings of a page that take longest, where fewer meet every secret."""
APART = ("published",)
"""Choices of a case whose promise is somebody else's."""


def ordinary_text(field: Field, dice: random.Random) -> str | None:
    """A value a reader could choose; None leaves the default."""
    if field.name == "release":
        return dice.choice(("anything", "count"))
    if field.name == "also" and dice.random() < 0.7:  # it refuses what other choices ask for
        return None
    if field.kind == "choice":
        return dice.choice(field.options)
    if field.kind == "flag":
        return dice.choice(("yes", "no"))
    if field.name == "held" and dice.random() < 0.6:
        return "1"
    if field.name == "tables":
        return dice.choice(("Cases~counts~5~2~3!Deaths~counts~9", "By kind~counts~20~~4~6~3"))
    if field.name == "group":
        return str(dice.randint(1, 6))
    if field.name in ("prior", "cap", "difference", "ratio", "epsilon", "rho", "failure", "delta", "releases", "held"):
        low = {"ratio": 1.1, "releases": 1, "held": 0.05}.get(field.name, 1e-3)
        high = {"ratio": 10, "epsilon": 4, "rho": 1, "failure": 0.2, "delta": 0.01, "releases": 12}.get(
            field.name, 0.95
        )
        value = math.exp(dice.uniform(math.log(low), math.log(high)))
        return str(round(value)) if field.kind == "count" else repr(value)
    return None


def settings_of(stem: str) -> list[Any]:
    """Views of a page at random ordinary settings, in both voices, that are not refused."""
    module = import_module(f"ui.views.{stem}")
    found = []
    for step in range((MOST_COMBINED | SLOWEST).get(stem, SETTINGS)):
        asked = {}
        whole = stem in OF_A_CASE
        for field in (*(CASE.values() if whole else ()), *page_entry(stem).fields):
            dice = random.Random(f"{stem} promises {step} {field.name}")  # other fields leave it alone
            if field.name not in APART and (text := ordinary_text(field, dice)) and dice.random() < 0.7:
                asked[field.name] = text
        if whole:
            asked["case"] = "own"
        chosen, _ = inputs_of(stem, asked.items())
        view = getattr(module, f"{stem}_view")(chosen, Style(voice=("plain", "technical")[step % 2]))
        if view.refusal is None:
            found.append(view)
    return found


def printed(view: Any) -> str:
    """All that a view prints: its own words and the tables of its pictures."""
    values = [getattr(view, field.name) for field in fields_of(view)]
    pictures = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
    with np.printoptions(threshold=0, edgeitems=1):  # arrays of numbers: what is printed are words
        return repr(view) + "".join(repr(one.table.rows) for one in pictures if isinstance(one, Picture))


def passages(value: Any) -> Iterator[str]:
    """Every text that a view holds, and each row of numbers or of a table as one text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        if not any(is_dataclass(one) or isinstance(one, tuple | list) for one in value):
            yield " | ".join(str(one) for one in value)
        for one in value:
            yield from passages(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields_of(value):
            yield from passages(getattr(value, field.name))


def beside_each_other(texts: Sequence[str], stated: StatedBelief) -> bool:
    """Whether one text, or one row, says the belief before as well as the one after."""
    return any(stated.before in text and stated.words in text for text in texts)


def reach_of_the_printed(stated: StatedBelief, said_before: float) -> str | None:
    """What the budget of a sentence allows from the belief before that it prints, in its words; None next to 1."""
    if not 0 < said_before < 1 or not stated.prior < stated.at_most < 1 - 1e-9:
        return None
    if said_before == pytest.approx(stated.prior, rel=1e-9):
        return stated.words
    shift = logit(stated.at_most) - logit(stated.prior)
    return stated.said.spoken(float(expit(logit(said_before) + shift)), stated.said.direction)


@pytest.mark.parametrize("stem", STATING)
def test_no_release_with_the_budget_goes_beyond_what_the_page_says(stem: str) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    told = agreeing = 0
    for view in settings_of(stem):
        whole, texts = printed(view), tuple(passages(view))
        for stated in view.stated:
            reach = reached(stated)
            assert stated.at_most >= reach - 1e-12, (stem, stated)
            if stated.words:
                assert spoken(stated.words) >= reach - 1e-12, (stem, stated)
                assert spoken(stated.words) >= stated.at_most - 1e-12, (stem, stated)
                assert stated.words in whole, (stem, stated)
            if stated.words and stated.before not in (
                "",
                "nearly 0",
            ):  # from the printed belief nobody reaches more than is printed
                said_before = spoken(stated.before)
                assert spoken(stated.words) >= reached(replace(stated, prior=said_before)) - 1e-12, (stem, stated)
                assert beside_each_other(texts, stated), (stem, stated)
                printed_reach = None if stem in OUTWARDS else reach_of_the_printed(stated, said_before)
                if printed_reach is not None:
                    assert printed_reach == stated.words, (stem, stated)
                    agreeing += 1
                told += said_before != 0.5
            seen[stated.promise.secret.value, stated.promise.relation.value] += 1
    assert told > 1 or stem in UNTOLD, told
    assert agreeing > 1 or stem in (*UNTOLD, *OUTWARDS), agreeing
    assert seen["presence", "add_or_remove"] > 0, seen
    assert seen["value", "add_or_remove"] > 0, seen
    assert seen["value", "replace"] + seen["answer", "replace"] > 0, seen


TYPED = ("deployments", "exact_totals", "explain")
"""Pages whose limits stand on both sides of the belief before, so that it is printed as it was typed."""
BEFORE = re.compile(
    r"(?:belief of|thinks it|thought it|from prior|from p =|at prior|prior of|from(?= [0-9., in]+ before))"
    r" [*]*"
    r"([0-9][0-9.,e-]*(?: in [0-9,]+)?)[*]*"
)


@pytest.mark.parametrize("voice", ["plain", "technical"])
@pytest.mark.parametrize("stem", [*TYPED, "accuracy", "plan"])
def test_a_belief_before_is_printed_as_typed_or_on_the_side_on_which_the_sentence_holds(stem: str, voice: str) -> None:
    module, dice = import_module(f"ui.views.{stem}"), random.Random(f"{stem} {voice} printed priors")
    kept = {"start": "accuracy"} if stem == "accuracy" else {}
    told = 0
    for digits in (3, 17):
        prior = float(f"{math.exp(dice.uniform(math.log(2e-5), math.log(0.9))):.{digits}g}")
        cap = float(f"{dice.uniform(0.91, 0.99):.{digits}g}")
        asked = kept | ({"cap": repr(cap)} if stem == "plan" else {}) | {"prior": repr(prior)}
        chosen, _ = inputs_of(stem, asked.items())
        view = getattr(module, f"{stem}_view")(chosen, Style(voice=voice))
        assert view.refusal is None
        for words in BEFORE.findall(
            f"{view.answer} {view.small_print}" if stem in ("accuracy", "deployments") else view.answer
        ):
            least = LEAST_KEPT if voice == "plain" else 1.0 if stem in TYPED else 0.998
            assert (least - 1e-14) * prior <= spoken(words.rstrip(",")) <= prior * (1 + 1e-14), (view.answer, prior)
            told += 1
        if stem == "plan":
            cap_words = re.search(r"limit of ([0-9.,]+(?: in [0-9,]+)?)", view.readers.columns[-1])
            assert cap_words is not None
            assert spoken(cap_words[1]) == pytest.approx(cap, rel=1e-14), view.readers
    assert told >= 2, told


def test_every_page_that_states_a_belief_is_held_to_it() -> None:
    from ui.link.page_table import PAGES

    stating = []
    for entry in PAGES:
        view = getattr(import_module(f"ui.views.{entry.stem}"), f"{entry.stem}_view")
        shown = getattr(import_module(view.__module__), view.__annotations__["return"])
        if "stated" in {field.name for field in fields_of(shown)}:
            stating.append(entry.stem)
    assert set(STATING) <= set(stating)
    for stem in set(stating) - set(STATING):  # their views could state one, as all of this kind, and state none
        page = import_module(f"ui.views.{stem}")
        for query in ("", *list(STATES[stem].values())[::3]):
            chosen, _ = inputs_of(stem, pairs_of(query))
            assert getattr(page, f"{stem}_view")(chosen, Style()).stated == (), (stem, query)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (PureDP(epsilon=0.5), "a value's two steps"),
        (ApproximateDP(epsilon=0.5, delta=1e-6), "a value's two steps"),
        (ProbabilisticDP(epsilon=0.5, delta=1e-6), "a value's two steps"),
        (ZeroConcentratedDP(rho=0.1), "a value's four rho"),
    ],
)
def test_the_worst_releases_reach_more_than_one_step_explains(source: Any, words: str) -> None:
    """The comparison itself can fail: a bound that forgets a step lies below what is reached."""
    value = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE, failure_probability=0.01)
    presence = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE, failure_probability=0.01)
    one = reached(StatedBelief(0.1, Upper(0.0, frequency), presence, source))
    two = reached(StatedBelief(0.1, Upper(0.0, frequency), value, source))
    assert two > one + 0.02, words


def test_the_belief_that_rises_most_is_printed_to_rise_no_further_than_any_belief_is_said_to() -> None:
    dice, seen = random.Random("rising most"), set()
    for _ in range(SETTINGS):
        inputs = ExplainInputs(epsilon=float(f"{math.exp(dice.uniform(math.log(1e-6), math.log(9))):.3g}"))
        extremes = explain_view(inputs, Style()).computed
        most = float(re.search(r"≤ ([0-9.e-]+) points over all priors", extremes)[1])  # type: ignore[index]
        before, after = re.search(r"worst prior (\S+), to at most (\S+)\.$", extremes).groups()  # type: ignore[union-attr]
        assert 100 * (spoken(after) - spoken(before)) <= most + 1e-9, (inputs.epsilon, before, after)
        assert spoken(before) <= worst_prior_rise(epsilon=inputs.epsilon) * (1 + 1e-12)
        assert spoken(after) >= posterior_upper(prior=spoken(before), epsilon=inputs.epsilon) * (1 - 1e-12)
        seen.add(before)
    assert len(seen) > SETTINGS // 2
