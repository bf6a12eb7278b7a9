"""How we know: every published number recomputed, the disagreements with their reasons, glossary, sources, limits.

`scripts/write_published_table` writes the numbers from `riskline/record`; `python -m benchmarks.peers` asks other
libraries. Tests hold both files to what they give now.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import dpcore
from dpcore.census import demonstration_loss
from dpcore.sources import WORKS
from riskline.case.declaration import option, text
from ui.link.page_table import fields_of
from ui.pictures.columns import Column, side_by_side
from ui.pictures.marks import Axis, Bars
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.promise import PageAnswer
from ui.words.catalogue import label, say
from ui.words.phrasing import one_in, plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Upper, number

FILE = Path(__file__).resolve().parents[1] / "data" / "published.json"
PEERS = FILE.with_name("peers.json")
ROUNDING = 1e-12
"""Of the truth: what a computer's own rounding can make of a right answer."""


@dataclass(frozen=True)
class PublishedRow:
    """One printed number beside the computed one; `verdict` as in the tests' tables."""

    source: str
    locator: str
    quantity: str
    printed: str
    computed: float
    verdict: str
    reading: str


@dataclass(frozen=True)
class ErratumNote:
    """One disagreement: what is printed where, the reason, one line that anyone can run and what it prints."""

    title: str
    source: str
    locator: str
    printed: str
    reason: str
    line: str
    result: str
    inferred: bool


@dataclass(frozen=True)
class OwnErratumNote:
    """One thing an earlier version of Riskline said wrongly: what and where, what is right, a line that shows it."""

    title: str
    version: str
    where: str
    printed: str
    reason: str
    line: str
    result: str


@cache
def _content() -> dict[str, list[dict[str, Any]]]:
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def published_rows() -> tuple[PublishedRow, ...]:
    """Every published number, in the order of the sources' tables."""
    return tuple(PublishedRow(**item) for item in _content()["rows"])


@cache
def errata() -> tuple[ErratumNote, ...]:
    """The disagreements that are told in words."""
    return tuple(ErratumNote(**item) for item in _content()["errata"])


@cache
def own_errata() -> tuple[OwnErratumNote, ...]:
    """What earlier versions of Riskline said wrongly."""
    return tuple(OwnErratumNote(**item) for item in _content()["own_errata"])


@cache
def asked_of_peers() -> tuple[dict[str, Any], ...]:
    """Every question to other libraries, with its truth and the answers.

    >>> asked_of_peers()[0]["truth"]
    '4.886554117462212'
    """
    return tuple(json.loads(PEERS.read_text(encoding="utf-8")))


def agreement() -> tuple[int, int, int]:
    """Answers of other libraries; of these those that hold; and our own that are equal to twelve digits."""
    pairs = [(one, float(asked["truth"])) for asked in asked_of_peers() for one in asked["answers"]]
    others = [(one, truth) for one, truth in pairs if one["tool"] != "dpcore"]
    holding = sum(one["safe_excess"] >= -ROUNDING * truth for one, truth in others)
    ours = sum(abs(one["safe_excess"]) <= ROUNDING * truth for one, truth in pairs if one["tool"] == "dpcore")
    return len(others), holding, ours


def largest_excess() -> tuple[float, float]:
    """By how much an answer claims more than holds, at the most, and as a share of what holds; 0 but for rounding."""
    pairs = [(one["safe_excess"], float(asked["truth"])) for asked in asked_of_peers() for one in asked["answers"]]
    wrong = [(-excess, -excess / truth) for excess, truth in pairs if excess < -ROUNDING * truth]
    return max((excess for excess, _ in wrong), default=0.0), max((share for _, share in wrong), default=0.0)


word = partial(label, "how_we_know")
VERDICTS = ("agrees", "reading", "misrounded", "erratum")


@dataclass(frozen=True)
class HowWeKnowInputs:
    """Which of the numbers a reader wants to see."""

    source: str = option("all", *WORKS)
    verdict: str = option("all", *VERDICTS)
    find: str = text()


FIELDS = fields_of("how_we_know", HowWeKnowInputs)


@dataclass(frozen=True, kw_only=True)
class HowWeKnowView(PageAnswer):
    """Everything the page shows."""

    picture: Picture
    errata_head: str
    notes: tuple[ErratumNote, ...]
    own_head: str
    own_notes: tuple[OwnErratumNote, ...]
    table_head: str
    table: Table
    peers_head: str
    peers: Table
    sources: Table
    limits: str
    glossary: str


def sources_in_use() -> tuple[str, ...]:
    """Keys of the works whose printed numbers are recomputed, the most numbers first."""
    counts = Counter(row.source for row in published_rows())
    return tuple(sorted(counts, key=lambda key: (-counts[key], key)))


def source_names() -> dict[str, str]:
    """Those works in the words of a list."""
    return {key: WORKS[key].short for key in sources_in_use()}


def chosen_rows(inputs: HowWeKnowInputs) -> tuple[PublishedRow, ...]:
    """The numbers that a reader wants to see."""
    words = inputs.find.lower().split()
    return tuple(
        row
        for row in published_rows()
        if inputs.source in ("all", row.source)
        and inputs.verdict in ("all", row.verdict)
        and all(word in f"{row.locator} {row.quantity} {row.reading}".lower() for word in words)
    )


def place_of(printed: PublishedRow | ErratumNote) -> str:
    """Work and place where something is printed."""
    return word("note_where", work=WORKS[printed.source].short, locator=printed.locator)


def how_we_know_view(inputs: HowWeKnowInputs, style: Style) -> HowWeKnowView:
    """The page for these choices."""
    rows, chosen = published_rows(), chosen_rows(inputs)
    others, holding, equal = agreement()
    excess, share = largest_excess()
    notes = tuple(note for note in errata() if inputs.source in ("all", note.source))
    context = {
        "rows": f"{len(rows)}",
        "shown": f"{len(chosen)}",
        "notes": f"{len(notes)}",
        "inferred": f"{sum(note.inferred for note in notes)}",
        "thesis": f"{sum(row.source == 'thesis' for row in rows)}",
        "version": dpcore.__version__,
        "own": f"{len(own_errata())}",
        "questions": f"{len(asked_of_peers())}",
        "others": f"{others}",
        "holding": f"{holding}",
        "failing": f"{others - holding}",
        "equal": f"{equal}",
        "excess": Upper(excess, number(2)),
        "share": Upper(share, one_in),
    } | {name: f"{sum(row.verdict == name for row in rows)}" for name in VERDICTS}

    told = partial(say, "how_we_know", style.voice, **context)
    works = ((work.short, work.title, work.venue) for work in WORKS.values())
    return HowWeKnowView(
        answer=told("answer"),
        small_print=told("small_print"),
        picture=_picture(rows, told("reading_tallies"), style),
        errata_head=told("errata_head"),
        notes=notes,
        own_head=told("own_head"),
        own_notes=own_errata(),
        table_head=told("table_head"),
        table=_table("table", ("where", "what", "printed", "computed", "verdict", "reading"), map(_row, chosen)),
        peers_head=told("peers_head"),
        peers=_peers(),
        sources=_table("sources_table", ("work", "title", "venue"), works),
        limits=told("limits"),
        glossary=told("glossary"),
        python=_in_python(),
    )


def _in_python() -> CodeLines:
    """The lines that check the first of the printed numbers."""
    code, first = CodeWriter(), published_rows()[0]
    code.note(f"{WORKS[first.source].short}, {first.locator}: {first.quantity}; printed {first.printed}")
    loss = code.let("loss", code(demonstration_loss))
    return code.ending(Source(f"{loss}.epsilon_at(1e-10)"), Exact(demonstration_loss().epsilon_at(1e-10), number(6)))


def _table(caption: str, heads: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Table:
    return Table(word(caption), tuple(word(f"head.{head}") for head in heads), tuple(rows))


def _row(row: PublishedRow) -> tuple[object, ...]:
    verdict = word(f"verdict.{row.verdict}")
    return place_of(row), row.quantity, row.printed, plain_number(row.computed, 6), verdict, row.reading


def _peers() -> Table:
    """Each answer of each library, how far it lies from the truth and on which side, and its time."""
    rows = (
        (
            asked["words"],
            f"{one['tool']} {one['version']}".strip(),
            f"{one['answer']:.8g}",
            against_the_truth(one["safe_excess"], float(asked["truth"])),
            word("milliseconds", milliseconds=f"{1000 * one['seconds']:.1f}"),
        )
        for asked in asked_of_peers()
        for one in asked["answers"]
    )
    return _table("peers", ("question", "library", "answer", "against", "time"), rows)


def against_the_truth(excess: float, truth: float) -> str:
    """How far an answer lies from the truth, and whether what it promises holds all the same.

    >>> against_the_truth(0.25, 5.0), against_the_truth(-0.001, 5.0), against_the_truth(1e-15, 5.0)
    ('holds, gives away 0.25', 'claims too much, by 0.001', 'equal to 12 digits')
    """
    if abs(excess) <= ROUNDING * truth:
        return word("equal_digits")
    return word("gives_away" if excess > 0 else "claims", excess=f"{abs(excess):.2g}")


def _picture(rows: tuple[PublishedRow, ...], reading: str, style: Style) -> Picture:
    keys = sources_in_use()
    columns = [Column("work", word("work"), tuple(WORKS[key].short for key in keys))]
    marks = []
    strokes = (("accent", ""), ("third", "."), ("fourth", "/"), ("reach", "x"))
    for place, (verdict, (role, pattern)) in enumerate(zip(VERDICTS, strokes, strict=True)):
        counts = [sum(row.source == key and row.verdict == verdict for row in rows) for key in keys]
        named = word(f"verdict.{verdict}")
        columns.append(Column(f"kind_{place}", named, counts, quantity=word("tallied"), said=int, hover="d"))
        marks.append(Bars(x=f"kind_{place}", y="work", role=role, pattern=pattern, flat=True))
    tallies, height = side_by_side(*columns), 110 + 42 * len(keys)
    return Picture.of(
        "verdicts", (tallies,), marks, reading=reading, y=Axis(rows=True), style=style, legend="above", height=height
    )
