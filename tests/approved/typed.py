"""What every reader of typed or pasted text makes of the same texts, of its own examples, and at the ends of numbers.

A list pasted from a spreadsheet, a number with a comma, a line of heads alone: each is read by some and refused by
others, and which it is was decided once. A reader that takes one more, or one fewer, shows here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, is_dataclass
from dataclasses import fields as fields_of
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from riskline.case import choices, decision, interview, levels, methods, points, releases, spending, tables
from riskline.case.fields import Field, parse_number, shown
from ui.link.page_table import PAGES
from ui.rooms import codes
from ui.views.audit.held import read_chances
from ui.views.lessons.class_guesses import read_guesses
from ui.views.play import read_bets
from ui.views.positions.standing import read_name
from ui.views.room import activity, coin_survey, prediction, vote
from ui.views.room.choices import read_script
from ui.views.shared.room_minutes import read_minutes
from ui.views.shared.typed_table import decode_counts, decode_districts, decode_list, read_values

LONG = 60
"""Letters of a text that is written whole."""

FILE = Path(__file__).with_name("typed.txt")

Reader = Callable[[str], Any]

READERS: dict[str, tuple[Reader, tuple[str, ...]]] = {
    "a number": (parse_number, ("0.05", "1/20", "1 in 20", "1,000.5", "1.000,5", "1 000", "1e-6", "\u22123")),
    "a share": (partial(parse_number, share=True), ("5 %", "5%", "1 of 20", "120 %", "0,5 %", "5 % %")),
    "a whole number": (partial(parse_number, whole=True), ("1.000", "2.5", "1,000", "12", "1.0", "0.5")),
    "counts": (decode_counts, ("3 4 / 5 6", "total,men,women\n7,3,4", "3,4\n5,6,7", "1,200;3", "3 4\n7")),
    "a list": (decode_list, ("3 0 7", "3\n0\n7", "1,234; 5", "-1 2", "3 4 / 5")),
    "districts": (decode_districts, ("Ash 412\nBirch 3", "area,people,count\nAsh,900,12\ntotal,900,12", "Ash~412")),
    "amounts": (
        lambda text: read_values(text.encode(), most=6, largest=1e9),
        ("1\n-1e9\n1e9", "1\n-1.1e9", "1\n1.1e9", "id;Amount\n1;12.5\n2;8", "1\n2\n3\n4\n5\n6\n7", '"3"\n\n4'),
    ),
    "a ledger": (releases.decode_ledger, ("d~2.56~1~~Persons!d~0.07~1", "g~0.1~2", "a~0.1~1~1e-6", "x~1~1", "g~0.1~0")),
    "tables": (tables.decode_tables, ("Cases~counts~5~2~3!Deaths~counts~9", "A~total~1~1~1~~~~0~1", "A~sums~1")),
    "levels": (levels.decode_levels, ("state~1!county~4", "state~1", "nation", "block~0.5")),
    "points": (points.decode_points, ("0.1~0.3_0.5~0.8", "0.5~0.3_0.1~0.8", "0.1~0.05", "0~0.1_1~1", "10 %~30 %")),
    "a decision": (
        decision.read_decision,
        (
            *("1.02~epsilon", "1000~rho", "1001~rho", "1~rho~A. B~3 May~plan~enough~ab12"),
            *(f"1~rho~{'x' * length}" for length in (300, 301)),
        ),
    ),
    "an interview": (interview.read_answers, ("ct23344yn", "ct23344y", "xt23344yn")),
    "rows of cells": (methods.read_table, ("i;j;p\n0;0;1\n1;1;1", "i,j,p\n0,0,0.5\n0,1,0.5", "i;j\n0;0")),
    "classes": (methods.read_classes, ("0:4, 12:6", "0:4, 0:6", "4:0", "12")),
    "shares": (methods.read_shares, ("0.2, 0.8", "20 %, 80 %", "0.2 0.9", "1")),
    "a method": (methods.read_method, ("round_random~base=3~down=", "round_random~base=1", "swap~rate=0.1", "round")),
    "spending": (spending.read_spending, ("epsilon~0.3!A~press~0.1", "rho~1", "mu~1~1e-6!B~~0.1")),
    "chances": (read_chances, ("0.5\n0.6\n1", "0.5, 1.2", "50 %", "0")),
    "bets": (read_bets, ("123456", "7", "12 3", "")),
    "guesses of a class": (
        partial(read_guesses, unit="hundred"),
        ("12 15 20", "12, 15, 20 %", "12\nhalf", "-1 4", "101"),
    ),
    "a script": (
        read_script,
        ("12; Draw a line of risk\n8; Vote", "soon; Vote", "3; Vote; Keep it?; yes; no", "0; Vote"),
    ),
    "minutes of a room": (read_minutes, ("vote!option~A~3~0!option~B~4~0", "group~A~3~0", "lines~presence~person~1")),
    "a nickname": (read_name, ("Ann", "x" * 40, "x" * 41, " Ann  B ")),
    "a line of a room": (activity.read_line, ("Keep it?", "x" * 80, "x" * 81, "a\tb")),
    "groups": (activity.read_groups, ("North\nSouth", "North, South", "North\nnorth", "one")),
    "options": (vote.read_options, ("yes\nno", "yes", "yes\nyes", "\n".join("abcdefghijklmnopqrst"))),
    "a statement": (coin_survey.read_statement, ("I have cheated.", "?", "x" * 200, "x" * 201)),
    "chance of a coin": (coin_survey.read_probability, ("1/2", "0.5", "0", "1", "75 %", "1.5")),
    "a truth": (prediction.read_truth, ("30", "", "1,000", "a few")),
    "a guess": (prediction.read_guess, ("30", "", "-1", "1e12", "12 %")),
    "a room's code": (codes.read_code, ("ABCD-EFGH", "abcd efgh", "ABC", "0O1I-LLLL")),
    "a room's key": (codes.read_key, ("a" * 16, "a" * 43, "not a key")),
}
"""Each reader, and texts that it is for or nearly for."""

TEXTS = (
    *(
        "",
        " ",
        "0",
        "-1",
        "1",
        "2.5",
        "1,234",
        "12,5",
        "1.234.567",
        "1e3",
        "1e999",
        "nan",
        "50 %",
        "1/3",
        "1/0",
        "½",
        "x",
    ),
    *("1 2 3", "1,2,3", "1;2;3", "1\t2\t3", "1\n2\n3", "1 / 2 / 3", "1_2_3", "1~2", "a~b", "1,,3", "1;;3", "1\n\n3"),
    *("1 2\n3 4", "1,2\n3,4", "1,2\n3", "a 1\nb 2", "a,1\nb,2", "a;1\nb;2", "a,1,2\nb,3,4", "a b 1", '"a,b",1\nc,2'),
    *("name,count\na,1\nb,2", "name,count", "count\n1\n2", "count,count\n1,2", "a,1\ntotal,1", "a,1\ntotal,2"),
    *("a,1\na,2", "1 2 3 6", "\ufeff1\n2", "1\r\n2\r\n", "'1", "=1+1", "<b>1</b>", "**a** 1", "a" * 200, "9" * 12),
    *("1!2", "!", "~", "_", ";", "a=1", "a:1", "a: 1, b: 2", "0:1", "yes", "no", "[]", "{}", "1 2 x", "-1 -2", "0 0 0"),
)
"""What anybody might put into any box."""


def _of_fields() -> Iterator[tuple[str, Reader, tuple[str, ...]]]:
    """The reader of each kind of number: its field's own, at the ends of the field and beside them."""
    seen = set()
    fields: list[Field] = [*choices.FIELDS.values(), *(field for entry in PAGES for field in entry.fields)]
    for field in fields:
        if field.kind not in ("number", "count") or (kind := (field.name, field.rule)) in seen:
            continue
        seen.add(kind)
        ends = [end for end in (field.low, field.high) if np.isfinite(end)]
        beside = [np.nextafter(end, way) for end in ends for way in (-np.inf, np.inf)]
        whole = [end + step for end in ends for step in (-1, 1)] if field.kind == "count" else beside
        yield f"{field.name}: {field.rule}", field.decode, tuple(f"{one:.17g}" for one in (*ends, *whole))


def _told(read: Reader, text: str) -> str:
    try:
        value = read(text)
    except ValueError as refusal:
        return f"refused: {refusal}"
    return "as typed" if isinstance(value, str) and value == text else _written(value)


def _named(text: str) -> str:
    return repr(text) if len(text) <= LONG else f"{text[: LONG // 3]!r} and {len(text) - LONG // 3:,} letters more"


def _written(value: Any) -> str:
    """A value with what it is made of, but for what it would have by itself."""
    if isinstance(value, np.ndarray):
        return str(value.tolist())
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return f"({', '.join(map(_written, value))})"
    if is_dataclass(value) and not isinstance(value, type):
        parts = [(field.name, getattr(value, field.name), field.default) for field in fields_of(value)]
        own = (f"{name}={_written(part)}" for name, part, default in parts if default is MISSING or part != default)
        return f"{type(value).__name__}({', '.join(own)})"
    return repr(value) if not isinstance(value, str) else _named(value)


def typed_in_words() -> str:
    """Each reader with what it makes of its own texts, and of those of everybody; what it refuses alike together."""
    lines = []
    for name, (read, own) in READERS.items():
        lines += [f"# {name}", ""]
        lines += [f"{_named(text)}: {_told(read, text)}" for text in own]
        alike: dict[str, list[str]] = {}
        for text in TEXTS:
            alike.setdefault(_told(read, text).replace(repr(shown(text)), "…"), []).append(_named(text))
        lines += [f"{told}\n  {'  '.join(texts)}" for told, texts in alike.items()]
        lines.append("")
    lines += ["# Ends of numbers", ""]
    for name, read, own in _of_fields():
        lines += [name, *(f"  {text}: {_told(read, text)}" for text in own)]
    return "\n".join(lines) + "\n"
