"""A document as a Word file."""

from __future__ import annotations

import io
from typing import Any

from docx import Document as WordDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt, RGBColor

from ui.documents.document import Block, Code, Document, Facts, Figure, Links, Listing, Paragraph, is_whole, printable
from ui.words.markdown import parts_of

KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
WIDTH = 17.0  # centimetres of text on an A4 page with these margins
QUIET = RGBColor(0x4D, 0x56, 0x60)
LINK = RGBColor(0x0B, 0x53, 0x94)


def _words(paragraph: Any, text: str, *, size: float | None = None, quiet: bool = False) -> Any:
    """Runs of a text in which ``**…**`` sets bold."""
    for part, bold in parts_of(printable(text)):
        if not part:
            continue
        run = paragraph.add_run(part)
        run.bold = bold
        if size is not None:
            run.font.size = Pt(size)
        if quiet:
            run.font.color.rgb = QUIET
    return paragraph


def _link(paragraph: Any, address: str) -> None:
    """An address that can be followed."""
    target = paragraph.part.relate_to(printable(address), RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    run = _words(paragraph, address, size=9).runs[-1]
    run.font.color.rgb, run.font.underline = LINK, True
    around = parse_xml(f'<w:hyperlink {nsdecls("w", "r")} r:id="{target}"/>')
    run._r.addprevious(around)
    around.append(run._r)


def _page_number(paragraph: Any) -> None:
    """The number of the page, and of how many."""
    paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    for name, before in (("PAGE", ""), ("NUMPAGES", " / ")):
        _words(paragraph, before, size=8, quiet=True)
        field = f'<w:fldSimple {nsdecls("w")} w:instr="{name}"><w:r><w:rPr><w:sz w:val="16"/></w:rPr><w:t>1</w:t></w:r>'
        paragraph._p.append(parse_xml(f"{field}</w:fldSimple>"))


def _widths(rows: list[tuple[object, ...]]) -> tuple[float, ...]:
    """Column widths in centimetres: by the square root of the longest text."""
    longest = [max(len(str(row[at])) for row in rows) ** 0.5 for at in range(len(rows[0]))]
    return tuple(WIDTH * length / sum(longest) for length in longest)


def _rows(word: Any, rows: list[tuple[object, ...]], *, heads: bool, links: bool = False) -> None:
    table = word.add_table(rows=len(rows), cols=len(rows[0]))
    table.style = word.styles["Table Grid"]
    table.autofit = False
    widths = _widths(rows) if heads else (4.6, WIDTH - 4.6)
    for column, width in zip(table.columns, widths, strict=True):
        column.width = Cm(width)
    borders = parse_xml(
        f'<w:tblBorders {nsdecls("w")}><w:top w:val="nil"/><w:left w:val="nil"/>'
        '<w:bottom w:val="single" w:sz="4" w:color="C9CED4"/><w:right w:val="nil"/>'
        '<w:insideH w:val="single" w:sz="4" w:color="DFE3E7"/><w:insideV w:val="nil"/></w:tblBorders>'
    )
    table._tbl.tblPr.find(qn("w:tblLayout")).addprevious(borders)  # the schema prescribes an order
    for at, (line, row) in enumerate(zip(table.rows, rows, strict=True)):
        line._tr.get_or_add_trPr().append(parse_xml(f"<w:cantSplit {nsdecls('w')}/>"))
        cells = line.cells
        for cell, value, width in zip(cells, row, widths, strict=True):
            cell.width = Cm(width)
            text = str(value)
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_after = Pt(1)
            if links and cell is not cells[0] and is_whole(text):
                _link(paragraph, text)
            else:
                _words(paragraph, f"**{text}**" if heads and at == 0 and text else text, size=9)
    if heads:
        repeat = parse_xml(f"<w:tblHeader {nsdecls('w')}/>")
        table.rows[0]._tr.get_or_add_trPr().append(repeat)
    after = word.add_paragraph().paragraph_format
    after.space_after, after.line_spacing = Pt(0), Pt(6)


def _block(word: Any, block: Block) -> None:
    if isinstance(block, Paragraph):
        size = {"lead": 13.0, "quiet": 9.0}.get(block.style)
        _words(word.add_paragraph(), block.text, size=size, quiet=block.style == "quiet")
    elif isinstance(block, Listing):
        for item in block.items:
            _words(word.add_paragraph(style="List Bullet"), item)
    elif isinstance(block, Code):
        paragraph = word.add_paragraph()
        run = paragraph.add_run(printable(block.text))
        run.font.name, run.font.size = "DejaVu Sans Mono", Pt(8)
    elif isinstance(block, Figure):
        word.add_picture(io.BytesIO(block.drawing.png), width=Cm(12.5))
        shape = word.inline_shapes[-1]
        shape._inline.docPr.set("descr", block.reading.replace("**", ""))
        word.paragraphs[-1].paragraph_format.keep_with_next = True
        _words(word.add_paragraph(), block.reading, size=9, quiet=True)
    elif isinstance(block, Facts):
        _rows(word, [tuple(row) for row in block.rows], heads=False, links=isinstance(block, Links))
    else:
        if block.caption:
            caption = _words(word.add_paragraph(), block.caption, size=9, quiet=True)
            caption.paragraph_format.keep_with_next = True
        _rows(word, [block.columns, *block.rows], heads=True)


def word_file(document: Document) -> bytes:
    """The document's Word file."""
    word = WordDocument()
    for name, part in list(word.part.rels.items()):
        if part.reltype.endswith("/stylesWithEffects"):  # of Word 2010, in the template; contradicts the styles
            word.part.rels.pop(name)
    sheet = word.sections[0]
    sheet.page_width, sheet.page_height = Cm(21), Cm(29.7)
    sheet.left_margin = sheet.right_margin = Cm(2.0)
    sheet.top_margin = sheet.bottom_margin = Cm(1.6)
    normal = word.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(10)
    normal.paragraph_format.space_after = Pt(4)
    for level, size in ((1, 18), (2, 12.5)):
        heading = word.styles[f"Heading {level}"]
        heading.font.name, heading.font.size, heading.font.color.rgb = "Calibri", Pt(size), RGBColor(0x1B, 0x1F, 0x24)
        heading.paragraph_format.space_before = Pt(8)
    word.core_properties.title = printable(document.title).replace("**", "")[:250]
    word.core_properties.author = printable(document.author).replace("**", "")[:250] or "Riskline"
    _page_number(sheet.footer.paragraphs[0])
    if document.notice:
        _words(word.add_paragraph(), f"**{document.notice}**")
    _words(word.add_heading(level=1), document.title)
    if document.byline:
        _words(word.add_paragraph(), document.byline, size=9, quiet=True)
    for section in document.sections:
        if section.part:
            heading = _words(word.add_heading(level=2), section.part)
            heading.paragraph_format.page_break_before = True
            for run in heading.runs:
                run.font.size = Pt(15)
        _words(word.add_heading(level=2), section.heading)
        for block in section.blocks:
            _block(word, block)
    _words(word.add_paragraph(), document.foot, size=9, quiet=True)
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()
