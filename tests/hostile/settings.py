"""What a hostile reader puts into the fields of a page: both ends of every field in random company, and nonsense."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl

from riskline.case.choices import FIELDS as CASE
from riskline.case.fields import Field
from tests.cases import OF_A_CASE
from ui.link.page_table import page_entry

NUMBERS = (
    "nan inf -inf NaN -1 0 1 1e308 -1e308 1e-308 1e999 0.0 1.0 0.9999999999999999 1e-17 5e-324 2 3.5 1/0 1/3 5% 0,5 "
    "1_000"
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
ODD = ("", " ", "abc", "9" * 20, "../../etc/passwd", "\u202e\u0000", "🙂" * 50, "x" * 5000, "True", "None", "1/" * 90)
POINTS = ("_~_~_", "0.1~0.05", "0.5~0.6_0.4~0.7", "0.1~0.2_0.3~1", "1~1", "0.001~1", "0~0.3_1~0.3")
NONSENSE = (*NUMBERS.split(), *CODE, *ODD, *POINTS)
TABLES = {
    "counts": ("0", "1", "1 0 0", "10000000 10000000 1", " ".join(["3"] * 24), " ".join(["300000"] * 200)),
    "table": (
        "0",
        "0 0 / 0 0",
        "1 0 / 0 100000",
        "/".join(["7 " * 10] * 10),
        "/".join(["90000 " * 10] * 20),
        "9 " * 200,
    ),
    "tables": (
        "A~counts~1e-300",
        "A~counts~1e9~100000~1e9~1e9~1e9",
        "A~total~1~1~1~~~~-1e9~1e9!B~total~1e9~100000~~~~~0~1",
        "A~mean~1e-9~1~1~~~~-1e9~1e9~1!B~mean~1~1~1~~~~0~1e-300~1e9",
        "A~~~~~~~~~~~~1!B~~~~~~~~~~~~1",
        "A~counts~5~~~~~~~~~1e-300!B~~5~~~~~~~~~1e9",
        "!".join(f"A{n}~counts~{n + 1}~{n + 1}" for n in range(200)),
        "<b>x</b>~counts~5!=1%2B1~counts~7",
    ),
    "areas": (
        "0",
        "Ash~0~1_Birch~10000000~1000000000",
        "_".join(["~10000000~1"] * 400),
        "<b>**x**</b>; 3; 7",
        "=1+1,2,3",
    ),
    "room": (
        "lines~presence~person~1~0~~1e6~0~0",
        "lines~value_replaced~days~10000~300~0~1e-300~300~1e6!" + "!".join(["group~<b>**x**</b>~300~0"] * 6),
        "vote!" + "!".join(["option~=1%2B1~300~0"] * 19),
    ),
    "chosen": ("1.02~epsilon", "1000~rho~~~~~", "1e-9~epsilon~<b>**x**</b>~~memo~=1+1~0"),
    "places": ("0", "Ash~0_10000000_Birch~3", " ".join(["10000000"] * 200), "<b>**x**</b>; 3", "=1+1,2"),
}
SEARCHED = "0.4"  # seconds that *Rebuild a block* may search: the reader's own limit, not the link's cost

CHOSEN = {"choice": 0.3, "flag": 0.3, "number": 0.15, "count": 0.15}
"""How often a reader chooses otherwise than a page begins, by the kind of choice."""

FOUND: dict[str, tuple[str, ...]] = {  # each once took gigabytes, minutes or the page, or read as no sentence
    "memo": ("case=own&ratio=1.0000000000000002",),
    "plan": (
        "rows=d~1e-8~1",
        "rows=d~1e-8~100000&rounds=1",
        "rows=d~1e-15~1&failure=1e-15",
        "rows=n~100~1!l~0.0001~1",
        "rows=a~0.1~1~0.9&rounds=365",
        "rows=a~0.01~365~0.1",
        "rows=l~1e-15~1",
        "rows=l~0.03~1&rounds=100000",
        "rows=d~1e-5~100000&rounds=1",
        "rows=d~0.0005~1&rounds=3000",
        "rows=n~0.3~1!n~0.1~2&rounds=26&promise=difference&difference=0.6&failure=0.2",
        "rows=r~2.495~7!g~2.935~7!n~2.803e-06~2!d~100~7&rounds=365&failure=1e-15&cap=0.999999999&prior=1e-15&secret=value",
        "rows=d~0.001332~100!n~2.969e-08~100&rounds=365&failure=1e-12&promise=difference&difference=9.066e-10",
        "rows=d~53.41~7!r~3.252e-06~1&rounds=7&failure=3e-13&delta=1e-15&promise=difference&difference=5.057e-06&secret=value",
        "rows=g~7e-09~1!d~100~7!r~1.4e-15~1&rounds=365&failure=0.9999&promise=difference&difference=9.6e-12&secret=value",
        "rows=n~100~2!d~0.0001208~1&rounds=1000&cap=0.99&delta=0.999&prior=1e-15",
        "rows=" + "!".join(f"{'gdnlrpz'[n % 7]}~{0.001 * (n + 1):g}~1" for n in range(200)) + "&rounds=30&secret=value",
        "rows=" + "!".join(f"d~{0.0001 * (n + 1):g}~1" for n in range(200)) + "&rounds=365",
        "rows=" + "!".join(f"d~{0.0001 * (n + 1):g}~1" for n in range(199)) + "!a~0.1~1~1e-6",
    ),
    "infer": (
        "n=2&variance=1e12",
        "n=2&prior=flat",
        "prior=flat&variance=-10000",
        "n=20000&epsilon_mean=1000&epsilon_variance=1000",
        "lower=0&upper=1e-300",
        "epsilon_mean=1e-15&epsilon_variance=1e-15",
        "currency=rho&n=2&mean=-1e12&variance=1e18&rho_mean=1000",
        "currency=rho&rho_mean=1e-15&rho_variance=1e-15",
        "part=regression&sums=own&points=5&sum_yy=-1e9&intercept_guess=-1000",
        "part=regression&sums=own&points=100000&epsilon_each=1000",
        "part=regression&sums=own&points=3&epsilon_each=1000&shape=1e-15&rate=1e-15",
    ),
    "add_up": (
        "epsilon_total=1&epsilon_parts=10",
        "epsilon_total=20&epsilon_parts=0.05&counts=" + "+".join(["3"] * 24),
        "counts=10000000+10000000+1&epsilon_total=0.05&epsilon_parts=0.05",
        "epsilon_parts=0.05&source=parts&counts=" + "+".join(["300000"] * 200),
    ),
    "exact_totals": ("exact=both&epsilon=0.05&table=" + "/".join(["90000+" * 10] * 20),),
    "public_information": ("people=5000&rate_if_no=0.9&rate_if_yes=0.1&target=0.01",),
    "explain": ("guarantee=discrete_gaussian&sensitivity=1000&rho=1e-7", "guarantee=gaussian&rho=100&prior=1e-15"),
    "hierarchy": ("siblings=100&belief=point&x1=2943&x2=-9999&y=83734",),
}


def corners(field: Field) -> list[str]:
    """Texts at and next to the ends of a field, as a link would bring them; the ends themselves where it has them."""
    if field.kind == "choice":
        return list(field.options)
    if field.kind == "flag":
        return ["yes", "no"]
    if field.name in TABLES and field.kind == "custom":
        return list(TABLES[field.name])
    if field.kind in ("text", "custom"):
        return [field.encode(field.default), *(POINTS if "points" in field.name else CODE[:2])]
    if field.name == "limit":
        return [SEARCHED]
    low, high = max(field.low, -1e12), min(field.high, 1e12)
    width = high - low
    beside = [low + 1e-9 * width, high - 1e-9 * width, low + 1e-3 * width, 0.5 * high]
    values = [low, high, *beside, 0.0, 1.0, 1e-15, 1e-6]
    ends = {field.low} if field.open_low else set()
    ends |= {field.high} if field.open_high else set()
    inside = [value for value in values if field.low <= value <= field.high and value not in ends]
    if field.kind == "count":
        return sorted({str(int(value)) for value in inside if int(value) >= field.low and int(value) not in ends})
    return sorted({repr(float(value)) for value in inside})


def ledger(dice: random.Random) -> str:
    """A legal ledger of *Several releases*."""
    rows = []
    for _ in range(dice.choice([1, 1, 2, 3, 5])):
        kind, value = dice.choice("gdnlrpaz"), math.exp(dice.uniform(math.log(1e-15), math.log(100)))
        budget = f"{value:.4g}" if dice.random() < 0.7 else dice.choice(["1e-15", "100"])
        row = f"{kind}~{budget}~{dice.choice([1, 1, 2, 7, 100])}"
        rows.append(row + (f"~{dice.choice(['0', '1e-15', '1e-6', '0.9'])}" if kind == "a" else ""))
    return "!".join(rows)


def legal_text(stem: str, field: Field, dice: random.Random) -> str:
    """What a field could hold: an end every other time, else anything between."""
    if field.name == "rows":
        return ledger(dice)
    if field.name == "bets":
        return "".join(dice.choice("123456") for _ in range(dice.randint(0, 10)))
    if field.kind in ("number", "count") and field.name != "limit" and dice.random() < 0.5:
        low, high = max(field.low, -1e12), min(field.high, 1e12)
        value = low + (high - low) * dice.random() ** dice.choice((1, 3, 8, 12))
        return str(int(value)) if field.kind == "count" else repr(float(value))
    return dice.choice(corners(field))


def walked(stem: str) -> tuple[Field, ...]:
    """What a link to a page may hold: its own choices, and every part of the case where it is of the whole of it."""
    fields = page_entry(stem).fields
    return (*CASE.values(), *(field for field in fields if not field.of_case)) if stem in OF_A_CASE else fields


def walk_of(stem: str, dice: random.Random) -> dict[str, str]:
    """A legal query in which a few fields are chosen at random."""
    fields = walked(stem)
    chosen = dice.sample(fields, k=min(len(fields), dice.choice((1, 2, 2, 3, 5, 8))))
    whole = {"case": "own"} if stem in OF_A_CASE else {}
    return whole | {field.name: legal_text(stem, field, dice) for field in chosen}


def ordinary(stem: str, count: int, seed: int = 2026) -> Iterator[dict[str, str]]:
    """So many queries as a reader comes to them: any options together, and numbers near those a page begins with.

    Every other query of a page about the whole case chooses parts of the case too. Each field is drawn by itself, so
    that one more leaves the others alone.
    """
    own = [field for field in page_entry(stem).fields if not (stem in OF_A_CASE and field.of_case)]
    apart = [field for field in own if field.name not in CASE]
    for place in range(count):
        of_case = stem in OF_A_CASE and place % 2 == 1
        query = {"case": "own"} if of_case else {}
        for field in [*CASE.values(), *apart] if of_case else own:
            dice = random.Random(f"{stem} ordinary {seed} {place} {field.name}")
            if dice.random() < CHOSEN.get(field.kind, 0) and field.name != "limit" and (text := _near(field, dice)):
                query[field.name] = text
        yield query


def _near(field: Field, dice: random.Random) -> str:
    """An option, or a number within a factor of e of the field's own; nothing where the field takes no such number."""
    if field.kind in ("choice", "flag"):
        return dice.choice(corners(field))
    value = float(f"{float(field.default or 1) * math.exp(dice.uniform(-1, 1)):.3g}")
    with suppress(ValueError):
        return field.encode(field.checked(max(1, round(value)) if field.kind == "count" else value))
    return ""


def queries(stem: str, count: int, seed: int = 2026) -> Iterator[dict[str, str]]:
    """So many queries of a page: what was found before, then every corner in turn in random company, some of it absurd.

    A corner of one field meets corners of others at random, so that a long walk holds every pair.
    """
    dice = random.Random(f"{stem} {seed}")
    entry = page_entry(stem)
    limit = {"limit": SEARCHED} if any(field.name == "limit" for field in entry.fields) else {}
    for link in FOUND.get(stem, ()):
        yield dict(parse_qsl(link, keep_blank_values=True))
    ends: list[tuple[str, str]] = []
    for _ in range(count - len(FOUND.get(stem, ()))):
        if not entry.fields:
            yield {"odd": dice.choice(NONSENSE)}
            continue
        if not ends:
            ends = [(field.name, text) for field in walked(stem) for text in corners(field)]
            dice.shuffle(ends)
        name, text = ends.pop()
        query = walk_of(stem, dice) | {name: text}
        if dice.random() < 0.2:
            absurd = dice.choice(walked(stem))
            query[absurd.name] = dice.choice(NONSENSE)
        yield query | limit


def settings(stem: str, count: int, seed: int = 2026, whole: int = 0) -> list[dict[str, Any]]:
    """Queries with a voice each; of so many all is drawn: the whole page, its papers and its runs."""
    return [
        {"query": query, "voice": ("plain", "technical")[place % 2], "whole": place * whole % count < whole}
        for place, query in enumerate(queries(stem, count, seed))
    ]
