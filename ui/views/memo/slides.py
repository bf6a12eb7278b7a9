"""The memo as slides for the meeting: its own sentences, pictures and tables, none computed a second time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ui.documents.document import Deck, Facts, Paragraph, Section, Slide
from ui.pictures.description import Description
from ui.pictures.marks import Heat, Line
from ui.pictures.table import Table
from ui.views.memo.beside import PLANNED, POSITIONS, PUBLISHED, Published
from ui.views.memo.brief import DECIDED, GIVEN_UP, PERSON, READERS, WHO
from ui.views.memo.costs import COST
from ui.views.memo.draft import Memo
from ui.views.memo.record import BESIDE
from ui.views.memo.risk import QUESTION, line_in_words
from ui.words.catalogue import VOICES, label, say

word = partial(label, "memo")
SHOWN_OF_PUBLISHED = (0, 2, 4)
"""Columns of the published budgets that a slide has room for: which, as published, right guess."""
MOST_ROWS = 8
"""Rows of a table that a slide has room for below sentences, at the smallest type."""


VOICED = tuple(say("memo", voice, f"{voice}_voice", answer="") for voice in VOICES)
"""How the sentences of *Choose a budget* begin in the annex, which the slides leave there."""


def _texts(section: Section) -> tuple[str, ...]:
    return tuple(block.text for block in section.blocks if isinstance(block, Paragraph))


def _accepted_alone(drawn: Description) -> Description | None:
    """The picture of the line without what an attacker can reach; nothing of a map, which shows no line."""
    if any(isinstance(mark, Heat) for mark in drawn.marks):
        return None
    return replace(drawn, marks=tuple(mark for mark in drawn.marks if isinstance(mark, Line) and mark.y != "reach"))


def memo_slides(
    memo: Memo,
    sections: tuple[Section, ...],
    *,
    first: str,
    line: Description | None,
    noise: Description | None,
    published: Published | None = None,
) -> Deck:
    """The memo's sections and pictures as slides; those of positions, plan and publication where there are."""
    by_heading: Mapping[str, Section] = {section.heading: section for section in sections}
    decided, person, seen, cost, promise, given_up = (
        _texts(by_heading[heading]) if heading in by_heading else ()
        for heading in (DECIDED, PERSON, READERS, COST, QUESTION, GIVEN_UP)
    )
    who = next(block for block in by_heading[WHO].blocks if isinstance(block, Facts))
    title = memo.inputs.title
    slides = [
        Slide(title, (first, *decided[:-1], *person)),
        Slide(word("slide.secret"), (decided[-1], *(text for text in promise if not text.startswith(VOICED)))),
    ]
    if memo.line is not None:
        alone = None if line is None else _accepted_alone(line)
        slides.append(Slide(word("slide.line"), (line_in_words(memo.line.inputs),), alone))
    if person:
        slides.append(Slide(word("slide.reach"), person, line))
    if cost:
        slides.append(Slide(COST, (*([] if published is not None else seen[:1]), *cost[:1]), noise))
    if BESIDE in by_heading:
        (others,) = (block for block in by_heading[BESIDE].blocks if isinstance(block, Table))
        told = Table("", _columns(others.columns), tuple(_columns(row) for row in others.rows))
        slides.append(Slide(BESIDE, table=told, small=others.caption))
    if given_up:
        slides.append(Slide(GIVEN_UP, given_up))
    slides += [
        *_of_section(by_heading.get(POSITIONS)),
        *_of_section(by_heading.get(PLANNED)),
        *_of_publication(published),
        Slide(WHO, (first,), table=Table("", (), who.rows)),
    ]
    return Deck(title, memo.inputs.author, tuple(slides))


def _of_section(section: Section | None) -> tuple[Slide, ...]:
    """A section's sentences, the quiet ones in small print, and its table where a slide has room for the rows."""
    if section is None:
        return ()
    words = [block for block in section.blocks if isinstance(block, Paragraph)]
    table = next((block for block in section.blocks if isinstance(block, Table)), None)
    return (
        Slide(
            section.heading,
            tuple(block.text for block in words if block.style != "quiet"),
            table=replace(table, caption="") if table is not None and len(table.rows) <= MOST_ROWS else None,
            small=" ".join(block.text for block in words if block.style == "quiet"),
        ),
    )


def _of_publication(published: Published | None) -> tuple[Slide, ...]:
    """What was decided for the publication with the ranges of a few tables, and its risk against its use."""
    if published is None:
        return ()
    words = published.decided
    few = next((block for block in published.ranges if isinstance(block, Table)), None)
    quiet = [block.text for block in words if block.style == "quiet"]
    first = Slide(
        word("slide.publication"),
        tuple(block.text for block in words if block.style != "quiet"),
        table=None if few is None else replace(few, caption=""),
        small=" ".join([*quiet, *([few.caption] if few is not None and few.caption else [])]),
    )
    if published.picture is None:
        return (first,)
    return first, Slide(PUBLISHED, (published.picture.reading,), published.picture)


def _columns(row: tuple) -> tuple:  # type: ignore[type-arg]
    return tuple(row[at] for at in SHOWN_OF_PUBLISHED)
