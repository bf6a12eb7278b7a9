"""The memo as slides for the meeting: its own sentences, pictures and tables, none computed a second time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ui.documents.document import Facts, Paragraph, Section
from ui.documents.slides import Deck, Slide
from ui.pictures.description import Description
from ui.pictures.marks import Heat, Line
from ui.pictures.table import Table
from ui.views.memo.draft import Memo
from ui.views.memo.minutes import MINUTES
from ui.views.memo.planned import PLANNED
from ui.views.memo.published import PUBLISHED, Published
from ui.views.memo.risk import line_in_words

SHOWN_OF_PUBLISHED = (0, 2, 4)
"""Columns of the published budgets that a slide has room for: which, as published, right guess."""
MOST_ROWS = 8
"""Rows of a table that a slide has room for below sentences, at the smallest type."""


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
    notice: str,
    line: Description | None,
    noise: Description | None,
    published: Published | None = None,
) -> Deck:
    """Eight slides of the memo's sections and pictures; and those of positions, plan, publication, where there are."""
    by_heading: Mapping[str, Section] = {section.heading: section for section in sections}
    decided = _texts(by_heading["What was decided"])
    person = _texts(by_heading["What it means for one person"])
    seen = _texts(by_heading["What readers of the tables will see"])
    (others,) = (block for block in by_heading["Beside published budgets"].blocks if isinstance(block, Table))
    who = next(block for block in by_heading["Who decided, and until when"].blocks if isinstance(block, Facts))
    inputs, missing = memo.inputs, (notice,) if notice else ()
    shared = published is not None and published.shares_the_decided_budget  # its ranges have a slide of their own
    promise = _texts(by_heading["Question, unit and guarantee"])[2:]
    slides = (
        Slide(inputs.title, (*missing, *decided[:-1], *person)),
        Slide("What must stay secret", (decided[-1], *promise)),
        Slide("The line", (line_in_words(inputs.choices),), None if line is None else _accepted_alone(line)),
        Slide("What an attacker can reach", person, line),
        Slide("What it costs", (*([] if shared else seen[:1]), *_texts(by_heading["What it costs"])[:1]), noise),
        Slide(
            "Beside published budgets",
            table=Table("", _columns(others.columns), tuple(_columns(row) for row in others.rows)),
            small=others.caption,
        ),
        Slide("What was given up", _texts(by_heading["What was given up"])),
        *_of_section(by_heading.get(MINUTES)),
        *_of_section(by_heading.get(PLANNED)),
        *_of_publication(published),
        Slide("Who decided, and until when", missing, table=Table("", (), who.rows)),
    )
    return Deck(inputs.title, inputs.author.strip(), slides)


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
        "The publication",
        tuple(block.text for block in words if block.style != "quiet"),
        table=None if few is None else replace(few, caption=""),
        small=" ".join([*quiet, *([few.caption] if few is not None and few.caption else [])]),
    )
    if published.picture is None:
        return (first,)
    return first, Slide(PUBLISHED, (published.picture.reading,), published.picture)


def _columns(row: tuple) -> tuple:  # type: ignore[type-arg]
    return tuple(row[at] for at in SHOWN_OF_PUBLISHED)
