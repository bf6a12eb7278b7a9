"""The memo as six slides for the meeting: one sentence on each, and the full statements for who speaks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ui.documents.document import Block, Deck, Facts, Figure, Paragraph, Slide
from ui.pictures.description import Description
from ui.pictures.marks import Line
from ui.pictures.table import Table
from ui.views.memo.brief import (
    byline,
    decided_words,
    districts_scope,
    first_line,
    missing_words,
    person_scope,
    who_decided,
)
from ui.views.memo.draft import Memo
from ui.views.memo.line import line_in_words, line_points
from ui.words.catalogue import label

word = partial(label, "memo")


def memo_slides(
    memo: Memo, *, people: tuple[Block, ...], readers: tuple[Block, ...], line: Description | None, taken: Table | None
) -> Deck:
    """Title, person, tables, line, what was not taken, who decided; those of which there is something to tell."""
    title, first = memo.inputs.title, first_line(memo)
    scope = " ".join((*person_scope(memo), *districts_scope(memo), memo.words()["promise"]))
    slides = [
        Slide(
            title, decided_words(memo, short=True), foot=byline(memo, "office"), notes=f"{decided_words(memo)} {scope}"
        )
    ]
    if people:
        slides.append(_told(word("heading.person"), people, scope))
    if readers:
        slides.append(_told(word("heading.readers"), readers, scope))
    if memo.line is not None:
        words, points = line_in_words(memo.line.inputs), line_points(memo, with_reach=False)
        reading = "" if line is None else line.reading
        alone = None if line is None else _accepted_alone(line)
        slides.append(
            Slide(
                word("heading.line"),
                words,
                alone,
                points=points,
                notes=" ".join((words, *line_points(memo), reading, scope)),
            )
        )
    if taken is not None:
        reasons = memo.inputs.reasons.strip()
        slides.append(Slide(word("heading.not_taken"), reasons, table=taken, notes=scope))
    slides.append(Slide(word("heading.who"), missing_words(memo), table=Facts(who_decided(memo)), notes=first))
    return Deck(title, memo.inputs.author, tuple(slides))


def _told(title: str, blocks: tuple[Block, ...], scope: str) -> Slide:
    """A slide of the first sentence of blocks, with the picture or table among them; the rest is said."""
    figure = next((block for block in blocks if isinstance(block, Figure)), None)
    table = next((block for block in blocks if isinstance(block, Table)), None)
    words = [block.text for block in blocks if isinstance(block, Paragraph)]
    sentence, picture = (figure.reading, figure.picture) if figure is not None else (words[0], None)
    notes = " ".join(filter(None, (sentence, *words, "" if table is None else table.caption, scope)))
    return Slide(title, sentence, picture, None if table is None else replace(table, caption=""), notes=notes)


def _accepted_alone(drawn: Description) -> Description:
    """The picture of the line without what an attacker can reach; a map as it is."""
    marks = tuple(mark for mark in drawn.marks if isinstance(mark, Line) and mark.y != "reach")
    return replace(drawn, marks=marks) if marks else drawn
