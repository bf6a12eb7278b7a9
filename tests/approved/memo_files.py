"""A memo's slides and its Word file as their readers meet them: every word, number and alternative text, read back.

The files are written as a reader downloads them and opened again, so that what is lost or swapped between a view and
its file shows. Sizes and places on a sheet are those of the specimen (`document_specimen`), and not told here.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from docx import Document as open_word
from docx.oxml.ns import qn
from docx.table import Table as WordTable
from docx.text.paragraph import Paragraph as WordParagraph
from lxml.etree import fromstring
from openxml_audit import OpenXmlValidator
from pptx import Presentation
from pptx.oxml.ns import qn as slide_qn

from tests.approved.prose import new_lines, shown_view
from tests.approved.states import STATES
from ui.documents.slides import slides_file
from ui.documents.word import word_file
from ui.pictures.style import Style

TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
SLIDES = Path(__file__).with_name("memo_slides.md")
WORD = Path(__file__).with_name("memo_word.md")


@cache
def files_of(query: str) -> tuple[bytes, bytes]:
    """The slides and the Word file of a memo in this state."""
    view = shown_view("memo", query, Style())
    return slides_file(view.deck), word_file(view.document)


def slides_in_words() -> str:
    """The slides of the memo in every approved state, each told whole: what is swapped between two of them shows."""
    return _in_words("slides of a memo", [[*slides_read_back(files_of(query)[0])] for query in STATES["memo"].values()])


def word_in_words() -> str:
    """The Word file of the memo in every approved state; what it repeats is counted."""
    said = set[str]()
    found = [word_read_back(files_of(query)[1]) for query in STATES["memo"].values()]
    return _in_words("memo in Word", [[*new_lines([*one], said)] for one in found])


def _in_words(title: str, states: Iterable[list[str]]) -> str:
    lines = [f"# The {title}, read back from the file", ""]
    for state, found in zip(STATES["memo"], states, strict=True):
        lines += [f"## {state[:1].upper()}{state[1:]}", *found, ""]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def slides_read_back(file: bytes) -> Iterator[str]:
    """What stands on each slide, shape by shape as a screen reader goes through them."""
    shown = Presentation(io.BytesIO(file))
    yield f"[of the file] {shown.core_properties.title} | {shown.core_properties.author}"
    for number, slide in enumerate(shown.slides, 1):
        yield f"[slide {number}]"
        for shape in slide.shapes:
            yield from _shape(shape)
        if slide.has_notes_slide:
            yield f"notes: {slide.notes_slide.notes_text_frame.text}"


def _shape(shape: Any) -> Iterator[str]:
    if shape.is_placeholder:
        yield f"title: {shape.text_frame.text}"
    elif shape.has_text_frame:
        yield from (_marked(paragraph.runs) for paragraph in shape.text_frame.paragraphs)
    told = shape._element.find(f".//{slide_qn('p:cNvPr')}").get("descr")
    if told:
        yield f"instead of it: {told}"
    if getattr(shape, "has_table", False) and shape.has_table:
        heads = shape.table.first_row
        for at, row in enumerate(shape.table.rows):
            yield ("heads: " if heads and at == 0 else "- ") + " | ".join(cell.text_frame.text for cell in row.cells)
    if getattr(shape, "has_chart", False) and shape.has_chart:
        yield from _chart(shape.chart)


def _chart(chart: Any) -> Iterator[str]:
    for name, axis in (("across", chart.category_axis), ("up", chart.value_axis)):
        ends = "" if axis.minimum_scale is None else f", {axis.minimum_scale:.4g} to {axis.maximum_scale:.4g}"
        logs = ", by tens" if axis._element.find(f".//{slide_qn('c:logBase')}") is not None else ""
        yield f"{name}: {axis.axis_title.text_frame.text}{ends}{logs}"
    for series in chart.plots[0].series:
        x = [float(point.text) for point in series._element.findall(f"{slide_qn('c:xVal')}//{slide_qn('c:v')}")]
        across = [f"{value:.4g}" for value in x] or [str(one) for one in chart.plots[0].categories]
        points = [
            f"({at}, {value:.4g})"
            for at, value in zip(across, series.values, strict=True)
            if value is not None and math.isfinite(value)
        ]
        some = points if len(points) <= 5 else [points[at * (len(points) - 1) // 4] for at in range(5)]
        yield f"- {series.name}: {len(points)} points; {' '.join(some)}"


def _marked(runs: Iterable[Any]) -> str:
    """The text of runs, what is bold between stars."""
    said = "".join(f"**{run.text}**" if run.font.bold and run.text.strip() else run.text for run in runs)
    return said.replace("\u00a0=\u00a0", " = ")


def word_read_back(file: bytes) -> Iterator[str]:
    """The paragraphs and tables of a Word file in their order, and what stands for its pictures."""
    word = open_word(io.BytesIO(file))
    yield f"[of the file] {word.core_properties.title} | {word.core_properties.author}"
    for part in word.iter_inner_content():
        yield from _table(part) if isinstance(part, WordTable) else _paragraph(part)
    for section in word.sections:
        yield from (f"foot: {paragraph.text}" for paragraph in section.footer.paragraphs)


def _paragraph(paragraph: WordParagraph) -> Iterator[str]:
    for drawn in paragraph._p.iter(qn("wp:docPr")):
        yield f"picture: {drawn.get('descr')}"
    text = "".join(_marked(one.runs if hasattr(one, "runs") else [one]) for one in paragraph.iter_inner_content())
    style = str(paragraph.style.name)
    before = {"Heading 1": "[[", "Heading 2": "[", "List Bullet": "- "}.get(style, "")
    yield from (f"{before}{line}" for line in text.splitlines() if line.strip())


def _table(table: WordTable) -> Iterator[str]:
    for row in table.rows:
        heads = row._tr.find(f".//{qn('w:tblHeader')}") is not None
        cells = [" / ".join(_marked(paragraph.runs) for paragraph in cell.paragraphs) for cell in row.cells]
        linked = [row.cells[0].part.rels[one.get(qn("r:id"))].target_ref for one in row._tr.iter(qn("w:hyperlink"))]
        yield ("heads: " if heads else "- ") + " | ".join([*cells, *(f"-> {address}" for address in linked)])


def faults_of(file: bytes) -> list[str]:
    """What is wrong with a file of Office: by its schemas and relations, and what the audit of these does not see."""
    with TemporaryDirectory() as folder, ZipFile(io.BytesIO(file)) as parts:
        names = parts.namelist()
        kind = "pptx" if "ppt/presentation.xml" in names else "docx"
        path = Path(folder) / f"memo.{kind}"
        path.write_bytes(file)
        found = [str(error) for error in OpenXmlValidator().validate(path).errors]
        types = fromstring(parts.read("[Content_Types].xml"))
        typed = {one.get("PartName", "").removeprefix("/") for one in types.iter(f"{TYPES}Override")}
        xml = [name for name in names if name.startswith(("ppt/", "word/")) and name.endswith(".xml")]
        found += [f"{name} has no type of its own" for name in xml if name not in typed]
        if not found:
            found += _slides_faults(file) if kind == "pptx" else _word_faults(file)
        return found


def _slides_faults(file: bytes) -> list[str]:
    tables = [
        (number, shape.table)
        for number, slide in enumerate(Presentation(io.BytesIO(file)).slides, 1)
        for shape in slide.shapes
        if shape.has_table
    ]
    return [
        f"slide {number} has a row of {len(row._tr.tc_lst)} cells in {len(table.columns)} columns"
        for number, table in tables
        for row in table.rows
        if len(row._tr.tc_lst) != len(table.columns)
    ]


def _word_faults(file: bytes) -> list[str]:
    word = open_word(io.BytesIO(file))
    pictures = [drawn.get("id") for drawn in word.element.body.iter(qn("wp:docPr"))]
    found = [f"two pictures have the id {one}" for one in {*pictures} if pictures.count(one) > 1]
    for number, table in enumerate(word.tables, 1):
        wrong = [row for row in table._tbl.tr_lst if len(row.tc_lst) != len(table.columns)]
        found += [
            f"table {number} has a row of {len(row.tc_lst)} cells in {len(table.columns)} columns" for row in wrong
        ]
    return found
