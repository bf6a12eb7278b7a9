"""Every command tells what its page tells of the same choices; and whatever is typed, it answers in sentences."""

from __future__ import annotations

import json
import math
import random
import re
import string
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from riskline.case.choices import NO_LINE
from riskline.case.fields import pairs_of, read_query
from riskline.choices import of_option, option
from riskline.command import ANSWERING, command_of
from tests.approved.prose import inputs_and_view
from tests.command_line import Told, told
from tests.hostile.settings import NONSENSE, walk_of
from ui.link.page_table import page_entry
from ui.pictures.style import Style
from ui.words.refusals import BEYOND_NUMBERS

LINKS, LISTS = 30, 320
OF_A_PAGE = tuple(name for name in ANSWERING if name != "cases")
"""What `cases` tells is computed anew, and not what its page shows: tests/unit/test_command.py compares both."""
TOLD = ("answer", "small_print", "notes", "tables")
"""Where an answer holds words."""
CHEAP = ("budget", "explain", "tradeoff")
"""Commands whose every answer takes milliseconds."""
SAYS: dict[str, Callable[[Any], tuple[str, str | None, str]]] = {
    "tradeoff": lambda view: (view.trade_off.reading, None, ""),
}
"""Where a page says what its command says, if not in its answer, its small print and its lines of Python."""


def page_of(stem: str, query: dict[str, str], voice: str) -> tuple[Any, tuple[str, ...]]:
    """What the page shows of a link, and why it does not take each value that it replaces."""
    reading = read_query(page_entry(stem).fields, query)
    inputs_of, view_of = inputs_and_view(stem)
    return view_of(inputs_of(**reading.values), Style(voice=voice)), tuple(one.why for one in reading.refusals)


def numbers_in(document: Any) -> list[float]:
    """Every exact number of an answer."""
    values = (one["value"] for one in document["quantities"].values())
    return [value for each in values for value in (each if isinstance(each, list) else [each])]


def said_by(name: str, view: Any) -> tuple[str, str | None, str]:
    """The answer of the page, its small print and its lines of Python, as its command tells them."""
    if name in SAYS:
        return SAYS[name](view)
    return view.answer, view.small_print, "" if view.python is None else view.python.text


def assert_tells_its_page(name: str, found: Told, stem: str, query: dict[str, str], voice: str) -> None:
    view, refusals = page_of(stem, query, voice)
    document = found.document
    if name == "budget" and query.get("line") == NO_LINE and view.refusal is None:  # no budget: the page says so
        view = replace(view, refusal=view.answer.replace("**", ""))
    if refusals or view.refusal is not None:
        computable = view.refusal != BEYOND_NUMBERS or bool(refusals)
        said = [one["sentence"] for one in document["refused"]]
        assert sorted(said) == sorted(refusals or (view.refusal,)) or not computable  # the link is read before options
        options = ((one["choice"], one["sentence"]) for one in document["refused"])
        named = {field.name: field.named for field in page_entry(stem).fields}
        assert all(of_option(key, why, named.get(key)) in found.complaint for key, why in options)
        assert not labels_in(found.complaint, stem), found.complaint
        assert (found.code, document["computable"]) == (2 if computable else 1, computable)
        return
    assert (found.code, found.complaint) == (0, "")
    answer, small_print, lines = said_by(name, view)
    assert document["answer"] == answer.replace("**", "")
    assert small_print is None or document["small_print"] == small_print.replace("**", "")
    assert document["python"] == lines
    assert_said_once_and_of_no_control(document, stem)
    told_too = json.dumps({key: document[key] for key in TOLD}, ensure_ascii=False)
    for key in {"prior", "binding_prior"} & set(document["quantities"]):
        assert document["quantities"][key]["said"] in told_too, key  # the same words in a sentence and for programs
    numbers = numbers_in(document)
    for number in view.python.answer if lines else ():
        wanted = number.value if math.isfinite(number.value) else None
        assert any(value == wanted or value == pytest.approx(wanted, rel=1e-12) for value in numbers), number
    own = {field.name for field in page_entry(stem).fields if field.in_old_links}
    link = dict(read_back(document["link"]))
    assert not own & set(link)  # one's own counts are in no link
    again = page_of(stem, link | {key: query[key] for key in own & set(query)}, voice)[0]
    assert said_by(name, again) == said_by(name, view)


SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“])")
NO_TERMINAL = re.compile(r"(?<!\w)\*+\w|\bSwitch\b|\bslider\b|\(see ")
"""Marks of emphasis, and what a page has in place of options; a symbol such as x* is none."""
LEAST_LETTERS = 25
"""A shorter sentence may come again, such as the word of a table."""


def labels_in(words: str, stem: str) -> list[str]:
    """Labels of the page's controls that stand between quotation marks."""
    labels = [field.label for field in page_entry(stem).fields]
    return [label for label in labels if any(f"{mark}{label}" in words for mark in ("“", '"', "'"))]


def assert_said_once_and_of_no_control(document: Any, stem: str) -> None:
    """A terminal has no slider, switch or fold, and what was said need not be said again."""
    parts = (document["answer"], document["small_print"], *document["notes"])
    assert not any(NO_TERMINAL.search(part) or labels_in(part, stem) for part in parts), parts
    sentences = Counter(one.strip() for part in parts for one in SENTENCE.split(part) if len(one) >= LEAST_LETTERS)
    assert max(sentences.values()) == 1, sentences.most_common(2)


def read_back(link: str) -> list[tuple[str, str]]:
    """The choices that the link of an answer spells."""
    return [(name, text) for name, text in pairs_of(link.partition("?")[2]) if name != "voice"]


@pytest.mark.parametrize("name", OF_A_PAGE)
def test_a_command_tells_what_its_page_tells_of_random_links(name: str) -> None:
    dice, found = random.Random(f"links of {name}"), command_of(name)
    for place in range(LINKS // len(OF_A_PAGE) + 1):
        today = {field.name: field.encode(field.default) for field in found.fields if field.formerly}  # as links say it
        query, voice = today | walk_of(found.stem, dice), ("plain", "technical")[place % 2]
        if dice.random() < 0.15:
            query[dice.choice(found.fields).name] = dice.choice(NONSENSE[:20])
        query = dict(said for key, said in found.implied.items() if key in query) | query
        typed = [f"{option(key)}={text}" for key, text in query.items() if key not in found.left_out]
        drawn = {key: text for key, text in query.items() if key in found.left_out}
        asked = [f"--link={urlencode(drawn)}", *typed] if place % 3 else [f"--link={found.stem}?{urlencode(query)}"]
        assert_tells_its_page(name, told(name, *asked, f"--voice={voice}", "--json"), found.stem, query, voice)


def typed_words(dice: random.Random) -> list[str]:
    """A list of arguments as a careless or hostile hand types it."""
    name = dice.choice((*OF_A_PAGE, *CHEAP * 9, "bugdet", "", "--version", "help", "-h"))
    options = ["--json", "--python", "--link", "--voice", "--help", "--", "-x", "--rtio", "-"]
    if name in OF_A_PAGE:
        options += 3 * [option(field.name) for field in command_of(name).fields]
    words = [name]
    if name in CHEAP and dice.random() < 0.6:  # choices that are legal, each by itself
        found = command_of(name)
        legal = walk_of(found.stem, dice).items()
        words += [f"{option(key)}={text}" for key, text in legal if key not in found.left_out]
        if dice.random() < 0.8:
            return words
    for _ in range(dice.choice((0, 1, 1, 2, 3, 6))):
        word, value = (
            dice.choice(options),
            dice.choice((*NONSENSE, *"0123456789", "".join(dice.choices(string.printable, k=5)))),
        )
        words += dice.choice(([word], [word, value], [f"{word}={value}"], [value]))
    return words


def test_whatever_is_typed_is_answered_in_sentences() -> None:
    dice = random.Random("typed")
    ends = {0: 0, 1: 0, 2: 0}
    for _ in range(LISTS):
        words = typed_words(dice)
        found = told(*words)
        ends[found.code] += 1
        if found.code:
            assert found.complaint.strip(), words
            assert all(line[-1] in ".?" for line in found.complaint.splitlines()), words
            if "--json" in words and found.out:
                assert json.loads(found.out)["refused"], words
        else:
            assert found.out.strip(), words
        assert "Traceback" not in found.complaint + found.out
        assert "Error" not in found.complaint, words
    assert ends[0] > LISTS // 3
    assert ends[2] > LISTS // 4
