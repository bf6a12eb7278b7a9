"""Everything that *How we know* shows: the record of published numbers, glossary, sources, limits."""

from __future__ import annotations

from dataclasses import dataclass

import dpcore
from dpcore.populations import census_rho
from dpcore.sources import WORKS
from riskline.case.fields import Field
from ui.pictures.columns import Column, Numbers, side_by_side
from ui.pictures.marks import Axis, Bars, Panel
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.how_we_know.peers import agreement, asked_of_peers, largest_excess, peers_table
from ui.views.how_we_know.published import OwnErratumNote, PublishedRow, errata, own_errata, published_rows
from ui.words.catalogue import say
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Exact, Upper, number

VERDICTS = {
    "agrees": "as printed",
    "reading": "under the reading given",
    "misrounded": "rounded to the unsafe side",
    "erratum": "differs",
}
FIELDS: tuple[Field, ...] = (
    Field("source", "Work", "choice", "all", options=("all", *WORKS)),
    Field("verdict", "Verdict", "choice", "all", options=("all", *VERDICTS)),
    Field("find", "Find words, for example: Table 2.4", "text", ""),
)


@dataclass(frozen=True)
class HowWeKnowInputs:
    """Which of the numbers a reader wants to see."""

    source: str = "all"
    verdict: str = "all"
    find: str = ""


@dataclass(frozen=True)
class Note:
    """One disagreement in words: title, where, what is printed, the reason, the line to run and what it prints."""

    title: str
    where: str
    printed: str
    reason: str
    line: str
    result: str
    inferred: bool


@dataclass(frozen=True)
class HowWeKnowView:
    """Everything the page shows."""

    answer: str
    small_print: str
    picture: Picture
    errata_head: str
    notes: tuple[Note, ...]
    own_head: str
    own_notes: tuple[OwnErratumNote, ...]
    table_head: str
    table: Table
    peers_head: str
    peers: Table
    sources: Table
    limits: str
    glossary: str
    python: CodeLines | None = None
    refusal: str | None = None


def sources_in_use() -> tuple[str, ...]:
    """Keys of the works whose printed numbers are recomputed, the most numbers first."""
    rows = published_rows()
    counts = {key: sum(row.source == key for row in rows) for key in {row.source for row in rows}}
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


def how_we_know_view(inputs: HowWeKnowInputs, style: Style) -> HowWeKnowView:
    """The page for these choices."""
    rows, chosen = published_rows(), chosen_rows(inputs)
    others, holding, equal = agreement()
    notes = tuple(
        Note(
            note.title,
            f"{WORKS[note.source].short}, {note.locator}",
            note.printed,
            note.reason,
            note.line,
            note.result,
            note.inferred,
        )
        for note in errata()
        if inputs.source in ("all", note.source)
    )
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
        "equal": f"{equal}",
        "excess": Upper(largest_excess(), number(2)),
    } | {name: f"{sum(row.verdict == name for row in rows)}" for name in VERDICTS}

    def words(name: str) -> str:
        return say("how_we_know", style.voice, name, **context)

    return HowWeKnowView(
        answer=words("answer"),
        small_print=words("small_print"),
        picture=_picture(rows, words("reading_tallies"), style),
        errata_head=words("errata_head"),
        notes=notes,
        own_head=words("own_head"),
        own_notes=own_errata(),
        table_head=words("table_head"),
        table=_table(chosen),
        peers_head=words("peers_head"),
        peers=peers_table(),
        sources=_sources(),
        limits=words("limits"),
        glossary=words("glossary"),
        python=_in_python(),
    )


def _in_python() -> CodeLines:
    """The lines that check the first of the printed numbers."""
    code, first = CodeWriter(), published_rows()[0]
    code.note(f"{WORKS[first.source].short}, {first.locator}: {first.quantity}; printed {first.printed}")
    return code.ending(code(census_rho, "nation"), Exact(census_rho("nation"), number(6)))


def _table(rows: tuple[PublishedRow, ...]) -> Table:
    return Table(
        "Published numbers, printed and computed",
        ("where", "what", "printed", "computed", "verdict", "reading"),
        tuple(
            (
                f"{WORKS[row.source].short}, {row.locator}",
                row.quantity,
                row.printed,
                plain_number(row.computed, 6),
                VERDICTS[row.verdict],
                row.reading,
            )
            for row in rows
        ),
    )


def _picture(rows: tuple[PublishedRow, ...], reading: str, style: Style) -> Picture:
    keys = sources_in_use()
    names = tuple(WORKS[key].short for key in keys)
    kinds = [
        (words, [sum(row.source == key and row.verdict == verdict for row in rows) for key in keys])
        for verdict, words in VERDICTS.items()
    ]
    columns = [Column("work", "work", names)]
    marks = []
    for place, (words, counts) in enumerate(kinds):
        columns.append(Column(f"kind_{place}", words, counts, quantity="printed numbers", said=int, hover="d"))
        pattern, role = ("", ".", "/", "x")[place % 4], ("accent", "third", "fourth", "reach")[place % 4]
        marks.append(Bars(x=f"kind_{place}", y="work", role=role, pattern=pattern, flat=True))
    return Picture(
        key="verdicts",
        numbers=Numbers(reading, (side_by_side(*columns),)),
        marks=tuple(marks),
        panels=(Panel(y=Axis(rows=True)),),
        reading=reading,
        style=style,
        legend="above",
        height=110 + 42 * len(keys),
    )


def _sources() -> Table:
    return Table(
        "Works that Riskline computes from",
        ("work", "title", "where it appeared"),
        tuple((work.short, work.title, work.venue) for work in WORKS.values()),
    )
