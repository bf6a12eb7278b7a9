"""A hostile walk: random, absurd and malicious settings of every choice never lead to a traceback."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.app.test_pages import open_page, sound
from ui.link.fields import Field, read_query
from ui.link.page_table import PAGES, PageEntry
from ui.pictures.look import Look

ROOT = Path(__file__).resolve().parents[2]
STEPS = 2_000
UNREADABLE = re.compile(
    r"Traceback|np\.|\bnan\b|\binf\b(?! (?:ε|of|over)\b)|\bNone\b(?! of\b)|array\(|<class|object at 0x|e-[1-9][0-9]{2}"
    r"|(?<![\w.])-0 in |[0-9]{40}"
)
ELSEWHERE = (
    "document",
    "figure",
    "scenario",
    "releasing",
    "reproducing",
    "result",
)  # the last: what a line of code prints
NUMBERS = (
    "nan inf -inf NaN -1 0 1 1e308 -1e308 1e-308 1e999 0.0 1.0 0.9999999999999999 1e-17 2 3.5 1/0 1/3 5% 0,5 1_000"
)
CODE = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "'; DROP TABLE x; --",
    "{answer.__class__}",
    "%s%n",
    "[]",
    "{}",
)
ODD = ("", " ", "abc", "9" * 20, "../../etc/passwd", "\u202e\u0000", "🙂" * 50, "x" * 5000, "True", "None")
POINTS = ("_~_~_", "0.1~0.05", "0.5~0.6_0.4~0.7", "0.1~0.2_0.3~1", "1~1", "0.001~1")
NONSENSE = (*NUMBERS.split(), *CODE, *ODD, *POINTS)


def hostile_text(field: Field, dice: random.Random) -> str:
    """A value for a field: absurd, at its edges, or anything a reader could choose."""
    kind = dice.random()
    if kind < 0.25:
        return dice.choice(NONSENSE)
    if field.kind == "choice":
        return dice.choice(field.options)
    if field.kind == "flag":
        return dice.choice(("yes", "no"))
    if field.kind in ("number", "count"):
        low, high = max(field.low, -1e12), min(field.high, 1e12)
        if kind < 0.5:
            return repr(dice.choice((low, high, low + 1e-9 * (high - low), high - 1e-9 * (high - low))))
        value = low + (high - low) * dice.random() ** dice.choice((1, 3, 12))
        return str(int(value)) if field.kind == "count" else repr(value)
    if field.write is not None and kind < 0.9:
        return field.write(field.default)
    return dice.choice(NONSENSE)


def with_view(entry: PageEntry) -> bool:
    return hasattr(import_module(f"ui.views.{entry.stem}"), inputs_name(entry))


def sentences(value: Any, depth: int = 0) -> Iterator[str]:
    """Every text of a view, as deep as tables in tuples of pictures; documents and files have tests of their own."""
    if isinstance(value, str):
        yield value
    elif depth < 5 and isinstance(value, (tuple, list)):
        for part in value:
            yield from sentences(part, depth + 1)
    elif depth < 5 and is_dataclass(value):
        for field in dataclass_fields(value):
            if field.name not in ELSEWHERE:
                yield from sentences(getattr(value, field.name), depth + 1)


def inputs_name(entry: PageEntry) -> str:
    return "".join(part.capitalize() for part in entry.stem.split("_")) + "Inputs"


VIEWED = [entry for entry in PAGES if entry.fields and with_view(entry)]


def test_the_walk_covers_the_pages_with_choices() -> None:
    assert {"choose", "accuracy"} <= {entry.stem for entry in VIEWED}


@pytest.mark.parametrize("entry", VIEWED, ids=lambda entry: entry.stem)
def test_no_setting_breaks_a_view(entry: PageEntry) -> None:
    module = import_module(f"ui.views.{entry.stem}")
    view_of, inputs_of = getattr(module, f"{entry.stem}_view"), getattr(module, inputs_name(entry))
    dice = random.Random(f"{entry.stem} 2026")
    fields = entry.fields
    answered = 0
    for step in range(max(STEPS // len(VIEWED), 120)):
        touched = dice.sample(fields, k=dice.randint(1, min(len(fields), 6)))
        query = {field.name: hostile_text(field, dice) for field in touched}
        reading = read_query(fields, query)
        look = Look(dark=step % 2 == 0, large=step % 3 == 0, voice="technical" if step % 5 == 0 else "plain")
        try:
            chosen = inputs_of.of(reading.values) if hasattr(inputs_of, "of") else inputs_of(**reading.values)
            view: Any = view_of(chosen, look)
        except Exception as error:
            pytest.fail(f"{query!r}: {error!r}")
        assert view.answer or view.refusal, query
        typed = " ".join(query.values()).lower()
        found = [
            odd for said in sentences(view) if (odd := UNREADABLE.search(said)) and odd.group().lower() not in typed
        ]
        assert not found, (query, found[0].string[max(0, found[0].start() - 80) : found[0].end() + 40])
        answered += view.refusal is None
    assert answered > 10


@pytest.mark.parametrize("entry", [entry for entry in PAGES if entry.fields], ids=lambda entry: entry.stem)
def test_no_link_breaks_a_page(entry: PageEntry) -> None:
    dice = random.Random(f"{entry.stem} links")
    for _ in range(4):
        touched = dice.sample(entry.fields, k=dice.randint(1, min(len(entry.fields), 8)))
        query = {field.name: hostile_text(field, dice) for field in touched} | {
            "odd": "1",
            "voice": dice.choice(NONSENSE),
        }
        test = open_page(entry.stem, **query)
        sound(test)


def test_no_typing_breaks_choose() -> None:
    dice = random.Random("typing")
    test = open_page("choose", guarantee="approximate", unit="household", line="box")
    for _ in range(15):
        box = dice.choice(list(test.text_input))
        box.set_value(dice.choice(NONSENSE))
        test.run()
        sound(test)
        assert not test.exception
