"""All that the three files of a memo say, read back from the files."""

from __future__ import annotations

import html
import io
import re
from functools import cache

from docx import Document as WordDocument
from pptx import Presentation

from ui.documents.page import html_page
from ui.documents.slides import slides_file
from ui.documents.word import word_file
from ui.views.memo import MemoView


@cache
def slide_texts(view: MemoView) -> tuple[tuple[str, str], ...]:
    """Every slide of the PowerPoint file: its title, and all that it says."""
    found = []
    for page in Presentation(io.BytesIO(slides_file(view.deck))).slides:
        words = [shape.text_frame.text for shape in page.shapes if shape.has_text_frame]
        tables = [shape.table for shape in page.shapes if shape.has_table]
        words += [cell.text for table in tables for row in table.rows for cell in row.cells]
        found.append((page.shapes.title.text_frame.text, "\n".join(words)))
    return tuple(found)


@cache
def word_text(view: MemoView) -> str:
    """All that the Word file says."""
    held = WordDocument(io.BytesIO(word_file(view.document)))
    cells = [cell.text for table in held.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in held.paragraphs), *cells]).replace("\u00a0=\u00a0", " = ")


@cache
def page_text(view: MemoView) -> str:
    """All that the page to print says, with the alternative texts of its pictures left out."""
    page = html_page(view.document).partition("<body>")[2].partition("</style>")[2]
    return html.unescape(re.sub(r"<[^>]+>", "\n", re.sub(r"</?strong>", "", page)))
