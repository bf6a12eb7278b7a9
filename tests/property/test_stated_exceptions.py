"""Every sentence that states how far a belief can come names, in itself, the exception of a promise that may fail."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any
from urllib.parse import urlencode

import pytest

from riskline.case.fields import read_query
from tests.cases import case_of
from ui.pictures.style import Style
from ui.views.choose import FIELDS, ChooseInputs, choose_view
from ui.views.lessons.view import label_of
from ui.views.memo import MemoInputs, memo_view

LIMIT = re.compile(
    r"\*\*At most|allows at most|can believe it|can come to|could become|can become|can reach(?! touch)|could reach"
    r"|posterior [^.]*(?:at most|≤)|posterior reachable"
)
HEADS = {"an attacker can reach", "what an attacker can reach", "what an attacker can reach without noise"}
"""Heads of columns and names of lines, whose captions state the exception, and the title of a slide."""
LINES = (
    {"line": "constant"},
    {"line": "cap_or_ratio"},
    {"line": "box", "low": "0"},
    {"line": "increase"},
    {"line": "drawn", "interview": "ct22222yn", "points": "0.001~0.05_0.01~0.1_0.05~0.25_0.2~0.4_0.5~0.75"},
)
MAY_FAIL = (
    {"guarantee": "approximate"},
    {"guarantee": "zero_concentrated"},
    {"guarantee": "zero_concentrated", "route": "gaussian"},
    {"guarantee": "zero_concentrated", "route": "discrete_gaussian"},
)
WHOSE: tuple[dict[str, str], ...] = ({}, {"secret": "value", "relation": "replace", "release": "count"})


def texts(value: Any) -> Iterator[str]:
    """Every text that a view, a document or a deck holds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from texts(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from texts(getattr(value, field.name))


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.:;])\s", text)


@pytest.mark.parametrize("voice", ["plain", "technical"])
@pytest.mark.parametrize("line", LINES, ids=lambda line: line["line"])
def test_a_limit_that_may_be_passed_is_never_stated_without_its_exception(line: dict[str, str], voice: str) -> None:
    seen = set()
    for fails, whose in itertools.product(MAY_FAIL, WHOSE):
        query = line | fails | whose
        style, asked = Style(voice=voice), urlencode(query)
        chosen = choose_view(ChooseInputs(**read_query(FIELDS, query).values), style)
        assert chosen.refusal is None, chosen.refusal
        memo = memo_view(MemoInputs(case_of(asked)), style)
        label = label_of(case_of(asked), style).document
        pages = {
            "choose": (chosen.answer, chosen.permitted, chosen.questions, chosen.line, chosen.pictures),
            "memo": memo.document,
            "slides": memo.deck,
            "label": label,
        }
        for page, shown in pages.items():
            for text in texts(shown):
                for sentence in sentences(text):
                    if LIMIT.search(sentence) and text.lower() not in HEADS:
                        assert "except with a probability of" in sentence, (page, query, sentence)
                        seen.add(page)
    assert seen == {"choose", "memo", "slides", "label"}


@pytest.mark.parametrize("voice", ["plain", "technical"])
@pytest.mark.parametrize("route", ["gaussian", "discrete_gaussian"])
def test_an_exact_tail_is_only_promised_for_who_knows_all_others_and_sees_the_raw_numbers(
    route: str, voice: str
) -> None:
    """Unsure about one other person, 1 in 100 becomes up to 1.92 in 100 (below); a coarser view does the same."""
    asked = f"guarantee=zero_concentrated&route={route}&releases=2"
    style = Style(voice=voice)
    chosen = choose_view(ChooseInputs(guarantee="zero_concentrated", route=route, releases=2), style)
    memo = memo_view(MemoInputs(case_of(asked)), style)
    person = next(each for each in memo.document.sections if each.heading == "What somebody could learn")
    register = next(each for each in memo.document.sections if each.heading.startswith("For a public register"))
    slide = next(each for each in memo.deck.slides if each.title == "What somebody could learn")
    exact = [row[-1] for row in chosen.several.rows if "exact" in row[-1]] if chosen.several else []
    assert len(exact) == 3
    told = [chosen.small_print, *exact, *(" ".join(texts(each)) for each in (person, register, slide))]
    told.append(" ".join(texts(label_of(case_of(asked), style).document)))
    for words in told:
        assert re.search(r"knows? every(body|one) else|every other record|[Ss]trong adversary", words), words
        assert re.search(
            r"raw (output|numbers)|numbers themselves|noisy (answer|count) itself|sees the noisy numbers", words
        ), words
        own = re.sub(
            r"For (?:an adversary|readers) unsure about other[^.]*?\*\*.*?\*\*.*?\.", "", words
        )  # another budget
        assert "independent" not in own, own
