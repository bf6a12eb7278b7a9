"""The report of a room: every result that was shown, as the projector view had it, as a document and as slides."""

from __future__ import annotations

from collections.abc import Iterable

import dpcore
from ui.documents.document import Block, Deck, Document, Figure, Paragraph, Section, Slide
from ui.pictures.style import Style
from ui.rooms.meeting import Result
from ui.views.room.activity import Wall, fitting, values_of
from ui.views.room.choices import ACTIVITIES
from ui.words.catalogue import label, say

Shown = tuple[tuple[str, Wall], ...]
"""The question and the result of each activity."""


def shown_again(results: Iterable[Result], style: Style) -> Shown:
    """What the projector view had of these results, each with its question; of answers that fit no question nothing."""
    found = []
    for result in results:
        activity = ACTIVITIES[result.activity.kind]
        settings = values_of(activity.settings, result.activity.settings)
        answers, earlier = (fitting(activity, settings, given) for given in (result.answers, result.earlier))
        if answers:
            question = activity.asked(settings, style).question
            found.append((question, activity.summary(settings, answers, style, earlier)))
    return tuple(found)


def report(shown: Shown, style: Style) -> Document:
    """All results with their pictures and tables, to be read."""
    foot = say("memo", style.voice, "foot", version=dpcore.__version__)
    sections = tuple(Section(question, tuple(_blocks(wall))) for question, wall in shown)
    return Document(label("room", "report"), say("room", style.voice, "files"), sections, foot)


def _blocks(wall: Wall) -> Iterable[Block]:
    yield Paragraph(wall.answer, "lead")
    for picture in filter(None, (wall.picture, *wall.more)):
        yield Figure(picture, picture.reading)
    yield from map(Paragraph, wall.sentences)
    yield from wall.tables
    yield Paragraph(wall.small_print, "quiet")


def slides(shown: Shown, style: Style) -> Deck:
    """A slide for each result."""
    title = label("room", "report")
    made = (
        Slide(question, wall.answer, wall.picture, notes="\n".join((*wall.sentences, wall.small_print)))
        for question, wall in shown
    )
    return Deck(title, "", (Slide(title, say("room", style.voice, "files")), *made))
