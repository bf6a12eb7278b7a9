"""What a file of Word or PowerPoint keeps from somebody who hears it: the questions of a checker of documents."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from zipfile import ZipFile

from docx import Document as open_word
from docx.oxml.ns import qn as word_qn
from pptx import Presentation
from pptx.oxml.ns import qn

from ui.documents.document import LANGUAGE

DECORATIVE = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"


def unheard(file: bytes) -> list[str]:
    """Every fault of a file: its title and language, its headings or titles, words for pictures, heads of tables."""
    with ZipFile(io.BytesIO(file)) as parts:
        is_deck = "ppt/presentation.xml" in parts.namelist()
    opened = (Presentation if is_deck else open_word)(io.BytesIO(file))
    told = opened.core_properties
    found = [] if told.title.strip() else ["the file has no title"]
    found += [] if told.language == LANGUAGE else [f"the file is in {told.language!r}"]
    return [*found, *(_of_slides(opened) if is_deck else _of_word(opened))]


def _of_word(word: Any) -> Iterator[str]:
    """One title, no level of headings left out, every picture in its line and with words."""
    body = word.element.body
    parts = (*body.iter(word_qn("w:lang")), *word.styles.element.iter(word_qn("w:lang")))
    languages = {one.get(word_qn("w:val")) for one in parts}
    if languages != {LANGUAGE}:
        yield f"words are in {sorted(languages)}"
    heads = [(int(one.style.name[-1]), one.text) for one in word.paragraphs if one.style.name.startswith("Heading ")]
    levels = [level for level, _ in heads]
    if levels[:1] != [1] or levels.count(1) != 1:
        yield f"headings of levels {levels} have not one title before them"
    yield from (f"level {after} follows {before}" for before, after in pairwise(levels) if after > before + 1)
    yield from ("a heading is empty" for _, text in heads if not text.strip())
    for drawn in body.iter(word_qn("wp:docPr")):
        if not _is_told(drawn):
            yield f"picture {drawn.get('id')} has no words"
    if any(True for _ in body.iter(word_qn("wp:anchor"))):
        yield "a picture floats beside the text"
    yield from (fault for table in body.iter(word_qn("w:tbl")) for fault in _of_table(table))


def _of_table(table: Any) -> Iterator[str]:
    """A table of more rows than one says what its heads are; a single row only sets things side by side."""
    rows = table.findall(word_qn("w:tr"))
    look = table.find(f"{word_qn('w:tblPr')}/{word_qn('w:tblLook')}")
    first_row, first_column = (look.get(word_qn(f"w:{name}")) == "1" for name in ("firstRow", "firstColumn"))
    marked = [row.find(f"{word_qn('w:trPr')}/{word_qn('w:tblHeader')}") is not None for row in rows]
    if marked != [first_row, *[False] * (len(rows) - 1)]:
        yield f"a table of {len(rows)} rows marks other heads than its first row"
    if len(rows) > 1 and not (first_row or first_column):
        yield f"a table of {len(rows)} rows has no heads"
    if any(True for _ in table.iter(word_qn("w:gridSpan"), word_qn("w:vMerge"))):
        yield "cells are merged"


def _of_slides(shown: Any) -> Iterator[str]:
    """A title of its own for each slide, read first; then every shape with words, in the order in which it is seen."""
    titles = ["" if one.shapes.title is None else one.shapes.title.text_frame.text.strip() for one in shown.slides]
    yield from (f"slide {number} has no title" for number, title in enumerate(titles, 1) if not title)
    yield from (f"two slides are called “{title}”" for title in {*titles} if titles.count(title) > 1)
    if {one.get("lang") for one in shown.part._element.iter(qn("a:defRPr")) if one.get("lang")} - {LANGUAGE}:
        yield "what is added is in another language"
    for number, slide in enumerate(shown.slides, 1):
        yield from (f"slide {number}: {fault}" for fault in _of_slide(slide))


def _of_slide(slide: Any) -> Iterator[str]:
    heard = [shape for shape in slide.shapes if not _is_decorative(_properties(shape))]
    if [shape.shape_id for shape in heard[:1]] != [getattr(slide.shapes.title, "shape_id", None)]:
        yield "the title is not read first"
    for shape in heard:
        table = shape.table if shape.has_table else None
        if table is not None and not (table.first_row or table.first_col):
            yield f"{shape.name} has no heads"
        says = table is not None or (shape.has_text_frame and shape.text_frame.text.strip())
        if not says and not _is_told(_properties(shape)):
            yield f"{shape.name} has no words"
    for before, after in pairwise(heard):
        if _is_seen_first(after, before):
            yield f"{after.name} is read after {before.name}"
    charts = [shape.chart._chartSpace for shape in heard if shape.has_chart]
    notes = [slide.notes_slide._element] if slide.has_notes_slide else []
    runs = [run for part in (slide._element, *notes, *charts) for run in part.iter(qn("a:r"))]
    languages = {run.get_or_add_rPr().get("lang") for run in runs} - {LANGUAGE}
    yield from (f"words are in {language}" for language in languages)


def _properties(shape: Any) -> Any:
    return shape._element.find(f".//{qn('p:cNvPr')}")


def _is_decorative(properties: Any) -> bool:
    """Whether a drawing is marked as one that has nothing to say."""
    return any(one.get("val") == "1" for one in properties.iter(DECORATIVE))


def _is_told(properties: Any) -> bool:
    return bool((properties.get("descr") or "").strip()) or _is_decorative(properties)


def _is_seen_first(one: Any, other: Any) -> bool:
    """Whether a shape stands wholly above another one, or wholly on its left in the same line."""
    above = one.top + one.height <= other.top
    in_line = one.top < other.top + other.height and other.top < one.top + one.height
    return bool(above or (in_line and one.left + one.width <= other.left))
