"""A document as a Word file."""

from __future__ import annotations

import io
import re
from itertools import zip_longest
from typing import Any

from docx import Document as WordDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt, RGBColor

from ui.documents import document as part
from ui.documents.document import LANGUAGE, is_whole, printable, saved
from ui.words.markdown import parts_of

KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
WIDTH = 17.0  # centimetres of text on an A4 page with these margins
QUIET = RGBColor(0x4D, 0x56, 0x60)
LINK = RGBColor(0x0B, 0x53, 0x94)
WHITE = RGBColor(0xFF, 0xFF, 0xFF)
BAND, CODE_WIDTH, GAP = "0B3D5C", 3.2, 0.6  # colour of the band; centimetres of a QR code, and between cells
LETTER, PADDED = 0.21, 0.4  # centimetres of a bold letter in a table, and of what is free beside a cell's text


def _size(text: Any, size: float) -> None:
    """The type of a run or a style, also of scripts that Word calls complex: Hebrew, Arabic and their like."""
    text.font.size = Pt(size)
    of_complex = text.font._element.rPr.find(qn("w:szCs"))
    if of_complex is None:
        of_complex = parse_xml(f"<w:szCs {nsdecls('w')}/>")
        text.font._element.rPr.find(qn("w:sz")).addnext(of_complex)
    of_complex.set(qn("w:val"), f"{2 * size:.0f}")


def _words(paragraph: Any, text: str, *, size: float | None = None, colour: RGBColor | None = None) -> Any:
    """Runs of a text in which ``**…**`` sets bold; a budget stays on its line."""
    for piece, bold in parts_of(re.sub(" = (?=[0-9])", "\u00a0=\u00a0", printable(text))):
        if not piece:
            continue
        run = paragraph.add_run(piece)
        run.bold = run.font.cs_bold = bold
        if size is not None:
            _size(run, size)
        if colour is not None:
            run.font.color.rgb = colour
    return paragraph


def _link(paragraph: Any, link: part.Link) -> None:
    run = _words(paragraph, link.shown, size=9).runs[-1]
    if not is_whole(link.address):
        return
    target = paragraph.part.relate_to(printable(link.address), RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    run.font.color.rgb, run.font.underline = LINK, True
    around = parse_xml(f'<w:hyperlink {nsdecls("w", "r")} r:id="{target}"/>')
    run._r.addprevious(around)
    around.append(run._r)


def _page_number(paragraph: Any) -> None:
    paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    for name, before in (("PAGE", ""), ("NUMPAGES", " / ")):
        _words(paragraph, before, size=8, colour=QUIET)
        field = f'<w:fldSimple {nsdecls("w")} w:instr="{name}"><w:r><w:rPr><w:sz w:val="16"/></w:rPr><w:t>1</w:t></w:r>'
        paragraph._p.append(parse_xml(f"{field}</w:fldSimple>"))


def _say_heads(table: Any, *, first_row: bool, first_column: bool) -> None:
    """What of a table is heads: a reader aloud says them with each cell."""
    look = table._tbl.tblPr.find(qn("w:tblLook"))
    look.set(qn("w:firstRow"), str(int(first_row)))
    look.set(qn("w:firstColumn"), str(int(first_column)))
    look.set(qn("w:val"), f"{0x400 | 0x20 * first_row | 0x80 * first_column:04X}")  # the same, for older readers


def _widths(rows: list[tuple[object, ...]], wide: float) -> tuple[float, ...]:
    """Centimetres of each column: room for its longest word, where there is so much, and a share by its text beyond."""
    columns = [[str(cell).replace("**", "") for cell in column] for column in zip(*rows, strict=True)]
    longest = [max(len(part) for cell in column for part in (*cell.split(), "")) for column in columns]
    words = [LETTER * letters + PADDED for letters in longest]
    least = words if sum(words) < wide else [0.0] * len(words)
    text = [max(map(len, column)) + 1 for column in columns]
    beyond = [(all_of_it - (low > 0) * word) ** 0.5 for all_of_it, low, word in zip(text, least, longest, strict=True)]
    return tuple(low + (wide - sum(least)) * part / sum(beyond) for low, part in zip(least, beyond, strict=True))


def _rows(word: Any, rows: list[tuple[object, ...]], wide: float, *, heads: bool) -> None:
    table = word.add_table(len(rows), len(rows[0]))
    table.style = "Table Grid"
    table.autofit = False
    first, size = (3.8, 9.0) if len(rows[0]) == 4 and not heads else (4.6, 10.0)  # centimetres, points
    widths = _widths(rows, wide) if heads else (first, 2 * wide / len(rows[0]) - first) * (len(rows[0]) // 2)
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
        for cell, value, width in zip(line.cells, row, widths, strict=True):
            cell.width, text = Cm(width), str(value)
            cell.paragraphs[0].paragraph_format.space_after = Pt(1)
            _words(cell.paragraphs[0], f"**{text}**" if heads and at == 0 and text else text, size=size)
    _say_heads(table, first_row=heads, first_column=True)
    if heads:
        table.rows[0]._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))
    after = word.add_paragraph().paragraph_format
    after.space_after, after.line_spacing = Pt(0), Pt(4)


def _beside(word: Any, row: part.Row, wide: float) -> None:
    """The cells of a row, those of a QR code as narrow as it is."""
    narrow = [any(isinstance(block, part.Square) for block in cell) for cell in row.cells]
    share = (wide - CODE_WIDTH * sum(narrow)) / max(narrow.count(False), 1)
    table = word.add_table(1, len(row.cells))
    _say_heads(table, first_row=False, first_column=False)
    table.autofit = False
    for column, cell, blocks, code in zip(table.columns, table.rows[0].cells, row.cells, narrow, strict=True):
        column.width = cell.width = Cm(CODE_WIDTH if code else share)
        for block in blocks:
            _block(cell, block, CODE_WIDTH - GAP if code else share - GAP)
        first = cell.paragraphs[0]._p
        first.getparent().remove(first)  # an empty one, with which a cell begins


def _picture(word: Any, pixels: bytes, wide: float, told: str) -> None:
    paragraph = word.add_paragraph()
    shape = paragraph.add_run().add_picture(io.BytesIO(pixels), width=Cm(wide))
    shape._inline.docPr.set("descr", printable(told).replace("**", ""))
    paragraph.paragraph_format.keep_with_next = True


def _block(word: Any, block: part.Block, wide: float = WIDTH) -> None:
    match block:
        case part.Paragraph(text, style):
            size = {"lead": 18.0, "quiet": 9.0}.get(style)
            _words(word.add_paragraph(), text, size=size, colour=QUIET if style == "quiet" else None)
        case part.Listing(items):
            for item in items:
                _words(word.add_paragraph(style="List Bullet"), item)
        case part.Code(text):
            run = word.add_paragraph().add_run(printable(text))
            run.font.name = "DejaVu Sans Mono"
            _size(run, 7)
        case part.Figure():
            _picture(word, block.drawing.png, min(block.width / 470 * 14, wide), block.reading)
            _words(word.add_paragraph(), block.reading)
        case part.Link():
            _link(word.add_paragraph(), block)
        case part.Square(address):
            _picture(word, block.png, wide, address)
        case part.Row():
            _beside(word, block, wide)
        case part.Facts(rows):
            half = -(-len(rows) // 2)
            beside = [(*one, *other) for one, other in zip_longest(rows[:half], rows[half:], fillvalue=("", ""))]
            _rows(word, beside if block.is_long else list(rows), wide, heads=False)
        case _:
            if block.caption:
                caption = _words(word.add_paragraph(), block.caption, size=9, colour=QUIET)
                caption.paragraph_format.keep_with_next = True
            _rows(word, [block.columns, *block.rows], wide, heads=True)


def _band(paragraph: Any) -> Any:
    edge = f'w:val="single" w:sz="4" w:space="6" w:color="{BAND}"'
    sides = "".join(f"<w:{side} {edge}/>" for side in ("top", "left", "bottom", "right"))
    paragraph._p.get_or_add_pPr().append(parse_xml(f"<w:pBdr {nsdecls('w')}>{sides}</w:pBdr>"))
    paragraph._p.pPr.append(parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="{BAND}"/>'))
    paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = Pt(0)
    return paragraph


def word_file(document: part.Document) -> bytes:
    """The document's Word file."""
    word = WordDocument()
    for name, related in list(word.part.rels.items()):
        if related.reltype.endswith("/stylesWithEffects"):  # of Word 2010, in the template; contradicts the styles
            word.part.rels.pop(name)
    next(word.styles.element.iter(qn("w:lang"))).set(qn("w:val"), LANGUAGE)
    sheet = word.sections[0]
    sheet.page_width, sheet.page_height = Cm(21), Cm(29.7)
    sheet.left_margin = sheet.right_margin = Cm(2.0)
    sheet.top_margin = sheet.bottom_margin = Cm(1.6)
    normal = word.styles["Normal"]
    normal.font.name = "Arial"
    _size(normal, 11)
    normal.paragraph_format.space_after, normal.paragraph_format.line_spacing = Pt(4), 1.05
    for level, size in ((1, 18), (2, 12.5)):
        heading = word.styles[f"Heading {level}"]
        heading.font.name, heading.font.color.rgb = "Arial", RGBColor(0x1B, 0x1F, 0x24)
        _size(heading, size)
        heading.paragraph_format.space_before = Pt(8)
        fonts = heading.element.rPr.rFonts
        for named in [name for name in fonts.attrib if name.endswith("Theme")]:
            del fonts.attrib[named]  # a font of the theme, which would be drawn instead
    _page_number(sheet.footer.paragraphs[0])
    if document.byline:
        _words(_band(word.add_paragraph()), document.byline, size=9, colour=WHITE)
    _words(_band(word.add_heading(level=1)), document.title, colour=WHITE)
    for section in document.sections:
        if section.part:
            heading = _words(word.add_heading(level=2), section.part)
            heading.paragraph_format.page_break_before = True
            for run in heading.runs:
                _size(run, 15)
        _words(word.add_heading(level=2), section.heading)
        for block in section.blocks:
            _block(word, block)
    _words(word.add_paragraph(), document.foot, size=9, colour=QUIET)
    return saved(word, document)
