"""Slides as a PowerPoint file of a theme of its own: a sentence, and a native chart, a table, points or a QR code."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.chart.data import XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_MARKER_STYLE, XL_TICK_LABEL_POSITION
from pptx.enum.dml import MSO_LINE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Inches, Pt

from ui.documents.charts import drawing_of
from ui.documents.document import LANGUAGE, Deck, Facts, Slide, lines_of, printable, saved
from ui.pictures.description import Description
from ui.pictures.marks import Dots, Line, Spot
from ui.pictures.palette import LIGHT
from ui.words.markdown import parts_of

KIND = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
WIDE, HIGH, EDGE = 13.333, 7.5, 0.6  # inches
TITLE_ONLY = 5  # the layout of python-pptx's own template that has a title and nothing else
LONGEST = 600
"""Letters of one text that a slide shows at most; what a reader typed beyond is in the brief."""
TOP, COVER, FOOT = 1.35, 3.4, 6.85  # inches: below the band, and the one of the first slide; where the footnote is
NUMBERED = 1.2  # inches at the right of the footnote, for the number alone
INSET = 0.1  # inches: what PowerPoint leaves free at the sides of a text
LETTER, LEADING = 0.56, 1.25
"""How wide a letter and how high a line is, in sizes of type: rather more than in the fonts there are."""
SMALLEST, LARGEST = 16, 48
CODE, DOT = 3.2, 24  # inches of a QR code; points of a dot that fills the slide with a hundred
MARKERS = {"circle": XL_MARKER_STYLE.CIRCLE, "diamond": XL_MARKER_STYLE.DIAMOND}
BAND = "0B3D5C"
THEME = {"dk1": "1B1F24", "lt1": "FFFFFF", "dk2": BAND, "lt2": "EEF2F5", "accent1": "0072B2", "accent2": "B34A00"}
THEME |= {"accent3": "007A58", "accent4": "A8527F", "accent5": "7D6608", "accent6": "5B646E"}
DECORATIVE = (
    f'<a:extLst {nsdecls("a")}><a:ext uri="{{C183D7F6-B498-43B3-948B-1728B52AA6E4}}"><adec:decorative '
    'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>'
)
"""What tells a reader aloud to pass over a drawing."""
TABLE = "{7A1B6B52-5B0C-4E53-9A55-0C6B7D1E2F30}"
"""The name by which tables know their style, which is the file's own."""


def _table_styles() -> str:
    def lines(*sides: str) -> str:
        drawn = '<a:ln w="12700"><a:solidFill><a:schemeClr val="accent6"/></a:solidFill></a:ln>'
        return "<a:tcBdr>" + "".join(f"<a:{side}>{drawn}</a:{side}>" for side in sides) + "</a:tcBdr>"

    whole = f"<a:tcStyle>{lines('bottom', 'insideH')}<a:fill><a:noFill/></a:fill></a:tcStyle>"
    bold = '<a:tcTxStyle b="on"><a:schemeClr val="{}"/></a:tcTxStyle>'
    head = '<a:tcStyle><a:tcBdr/><a:fill><a:solidFill><a:schemeClr val="dk2"/></a:solidFill></a:fill></a:tcStyle>'
    return (
        f'<a:tblStyleLst {nsdecls("a")} def="{TABLE}"><a:tblStyle styleId="{TABLE}" styleName="Riskline">'
        f'<a:wholeTbl><a:tcTxStyle><a:schemeClr val="dk1"/></a:tcTxStyle>{whole}</a:wholeTbl>'
        f"<a:firstCol>{bold.format('dk1')}<a:tcStyle><a:tcBdr/></a:tcStyle></a:firstCol>"
        f"<a:firstRow>{bold.format('lt1')}{head}</a:firstRow></a:tblStyle></a:tblStyleLst>"
    )


def _apply_theme(shown: Any) -> None:
    """The theme and the table style of the file: the template's are Office's."""
    for relation in (*shown.part.rels.values(), *shown.slide_master.part.rels.values()):
        part, name = relation.target_part, str(relation.target_part.partname)
        if "/theme/" in name:
            theme = etree.fromstring(part.blob)
            theme.set("name", "Riskline")
            colours = theme.find(f".//{qn('a:clrScheme')}")
            colours.set("name", "Riskline")
            for role, value in THEME.items():
                colour = colours.find(qn(f"a:{role}"))
                colour[:] = [parse_xml(f'<a:srgbClr {nsdecls("a")} val="{value}"/>')]
            for font in theme.iterfind(f".//{qn('a:fontScheme')}/*/{qn('a:latin')}"):
                font.set("typeface", "Arial")
            part._blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)
        elif name.endswith("/tableStyles.xml"):
            part._blob = _table_styles().encode()


def _colour(role: str) -> RGBColor:
    return RGBColor.from_string(getattr(LIGHT, role).removeprefix("#").upper())


def _shown(text: str, most: int = LONGEST) -> str:
    text = " ".join(printable(text).split())
    cut = text if len(text) <= most else f"{text[: most - 1].rstrip('*')}…"
    return cut + "**" * ((cut.count("**") - text.count("**")) % 2)  # what was bold stays so


def _words(paragraph: Any, text: str, size: float, *, role: str = "ink") -> None:
    """Runs of a text in which ``**…**`` sets bold."""
    for part, bold in parts_of(text):
        if part:
            run = paragraph.add_run()
            run.text = part.replace("± ", "±\u00a0")
            run.font.size, run.font.bold = Pt(size), bold or None
            run.font.color.rgb = _colour(role)


def height_of(texts: Sequence[str], size: float, wide: float, gap: float = 0.0) -> float:
    """Inches that texts of this size of type take in a box so many inches wide, with points of a gap after each."""
    letters = max(int(72 * (wide - 2 * INSET) / (LETTER * size)), 1)
    lines = [max(len(lines_of(text.replace("**", ""), letters)), 1) for text in texts]
    return (sum(lines) * LEADING * size + len(lines) * gap) / 72 + INSET


def _fitted(texts: Sequence[str], most: int, wide: float, high: float, gap: float = 0.0) -> tuple[list[str], int]:
    """The texts and the size of type in which they have room: what has none in the smallest is cut."""
    letters = LONGEST
    while True:
        cut = [_shown(text, letters) for text in texts]
        for size in range(most, SMALLEST - 1, -1):
            if height_of(cut, size, wide, gap) <= high:
                return cut, size
        letters = letters * 3 // 4


def _text(page: Any, texts: Sequence[str], place: Place, most: int, *, role: str = "ink", gap: float = 0.0) -> float:
    """Texts in a box, in the largest type in which they have room; where they end."""
    left, top, wide, high = place
    cut, size = _fitted(texts, most, wide, high, gap)
    needed = height_of(cut, size, wide, gap)
    frame = page.shapes.add_textbox(*map(Inches, (left, top, wide, needed))).text_frame
    frame.word_wrap = True
    for at, text in enumerate(cut):
        paragraph = frame.paragraphs[0] if at == 0 else frame.add_paragraph()
        paragraph.space_after = Pt(gap)
        _words(paragraph, text, size, role=role)
    return top + needed


Place = tuple[float, float, float, float]
"""Left, top, width and height, in inches."""


def _chart(page: Any, picture: Description, place: Place) -> None:
    """The picture as a native chart, or drawn where no chart of PowerPoint shows such marks."""
    told = _shown(picture.reading).replace("**", "")
    left, top, wide, high = map(Inches, place)
    if not all(isinstance(mark, Line | Spot | Dots) for mark in picture.marks):
        image = page.shapes.add_picture(io.BytesIO(drawing_of(picture).png), left, top, height=high)
        if image.width > wide:
            image.width, image.height = wide, round(image.height * wide / image.width)
        image._element.nvPicPr.cNvPr.set("descr", told)
        return
    data = XyChartData()
    drawn = sorted((_places(picture, mark) for mark in picture.marks), key=lambda one: -len(one[1]))
    for mark, places in drawn:  # LibreOffice draws no series that is longer than the first
        series = data.add_series(picture.numbers.column(mark.y).name)
        for across, up in places:
            series.add_data_point(across, up)
    frame = page.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS, left, top, wide, high, data)
    frame._element.nvGraphicFramePr.cNvPr.set("descr", told)
    chart = frame.chart
    for (mark, _), one in zip(drawn, chart.plots[0].series, strict=True):
        _style_series(mark, one)
    for one in chart._chartSpace.iter(qn("c:axId"), qn("c:crossAx")):
        one.set("val", one.get("val").removeprefix("-"))  # python-pptx names axes by numbers below 0, which none may be
    chart.has_title, chart.has_legend = False, True
    chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.TOP, False
    chart.font.size = Pt(SMALLEST)
    for axis, across in ((chart.category_axis, True), (chart.value_axis, False)):
        described = picture.axis(0, across=across)
        axis.has_major_gridlines = False
        axis.visible = described.shown
        axis.has_title = described.shown
        if described.shown:
            axis.axis_title.text_frame.text = picture.axis_title(0, across=across)
            axis.axis_title.text_frame.paragraphs[0].runs[0].font.size = Pt(SMALLEST)
        axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
        if described.log:
            axis._element.find(qn("c:scaling")).insert(0, parse_xml(f'<c:logBase {nsdecls("c")} val="10"/>'))
        if described.range is not None:
            axis.minimum_scale, axis.maximum_scale = described.range


def _places(picture: Description, mark: Any) -> tuple[Any, list[tuple[float, float]]]:
    x, y = picture.drawn(mark, mark.x, across=True), picture.drawn(mark, mark.y, across=False)
    return mark, [place for place in zip(x.tolist(), y.tolist(), strict=True) if all(map(math.isfinite, place))]


def _style_series(mark: Line | Spot | Dots, drawn: Any) -> None:
    drawn.smooth = False
    if isinstance(mark, Line):
        drawn.format.line.color.rgb, drawn.format.line.width = _colour(mark.role), Pt(1 if mark.hairline else 3)
        if mark.dash != "solid":
            drawn.format.line.dash_style = MSO_LINE.DASH
        return
    drawn.format.line.fill.background()
    drawn.marker.style = MARKERS[mark.symbol]
    drawn.marker.size = 12 if isinstance(mark, Spot) else DOT * mark.size // 9
    fill, line = drawn.marker.format.fill, drawn.marker.format.line
    line.color.rgb = _colour(mark.role)
    fill.solid()  # LibreOffice fills every dot
    fill.fore_color.rgb = _colour(mark.role)


def _table(page: Any, shown: Any, place: Place) -> None:
    """A table in the largest type in which it has room; columns are as wide as their longest words ask."""
    left, top, whole, room = place
    heads = () if isinstance(shown, Facts) else shown.columns
    rows = [[str(cell) for cell in row] for row in (*filter(None, [heads]), *shown.rows)]
    longest = [6 + min(max(map(len, column)), 50) for column in zip(*rows, strict=True)]
    wide = [whole * letters / sum(longest) for letters in longest]

    def heights(size: float, letters: int) -> list[float]:
        def high(cell: str, width: float) -> float:
            return height_of((_shown(cell, letters),), size, width)

        return [max(map(high, row, wide)) for row in rows]

    cut = [LONGEST * 3**step // 4**step for step in range(16)]
    sizes = [(24 - step, LONGEST) for step in range(24 - SMALLEST)] + [(SMALLEST, letters) for letters in cut]
    size, letters = next((one for one in sizes if sum(heights(*one)) <= room), sizes[-1])
    spare = min((room - sum(heights(size, letters))) / len(rows), 0.9)
    high = [height + max(spare, 0.0) for height in heights(size, letters)]
    grid = page.shapes.add_table(len(rows), len(rows[0]), *map(Inches, (left, top, whole, sum(high)))).table
    grid.first_row, grid.first_col, grid.horz_banding = bool(heads), True, False
    grid._tbl.tblPr.find(qn("a:tableStyleId")).text = TABLE
    for column, width in zip(grid.columns, wide, strict=True):
        column.width = Inches(width)
    for at, row in enumerate(rows):
        grid.rows[at].height = Inches(high[at])
        for column, cell in enumerate(row):
            shown_in = grid.cell(at, column)
            shown_in.vertical_anchor = MSO_ANCHOR.MIDDLE
            role = "ground" if heads and at == 0 else "ink"
            _words(shown_in.text_frame.paragraphs[0], _shown(cell, letters), size, role=role)


def _band(page: Any, slide: Slide, *, cover: bool) -> None:
    """The title on the band, and on the first slide the decision."""
    high = COVER if cover else 1.05
    band = page.shapes.add_shape(1, 0, 0, Inches(WIDE), Inches(high))
    band.fill.solid()
    band.fill.fore_color.rgb = RGBColor.from_string(BAND)
    band.line.fill.background()
    band._element.nvSpPr.cNvPr.append(parse_xml(DECORATIVE))
    title = page.shapes.title
    page.shapes._spTree.remove(band._element)
    page.shapes._spTree.insert(2, band._element)  # behind the title
    place = EDGE, 0.9 if cover else 0.1, WIDE - 2 * EDGE, 2.4 if cover else 0.85
    title.left, title.top, title.width, title.height = map(Inches, place)
    title.text_frame.word_wrap, title.text_frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
    title.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    (text,), size = _fitted((slide.title,), 44 if cover else 32, *place[2:])
    _words(title.text_frame.paragraphs[0], text, size, role="ground")


def _body(page: Any, slide: Slide, *, cover: bool) -> None:
    """What stands under the band: the sentence, and below it the picture with its points, the table or the code."""
    wide, top = WIDE - 2 * EDGE, COVER + 0.3 if cover else TOP
    below = slide.picture is not None or slide.table is not None
    if slide.sentence:
        place = (EDGE, top, wide, 1.6 if below else FOOT - top)
        top = 0.1 + _text(page, (slide.sentence,), place, LARGEST if cover else 26)
    room = FOOT - top - 0.1
    if slide.square is not None:
        wide -= CODE + 0.3
    beside = 4.2 if slide.picture is not None and slide.points else 0.0
    if slide.picture is not None:
        _chart(page, slide.picture, (EDGE, top, wide - beside, room))
    if slide.points:
        left = EDGE + wide - beside + 0.2 if beside else EDGE
        _text(page, slide.points, (left, top + 0.2, beside - 0.2 if beside else wide, room - 0.2), 22, gap=14)
    if slide.table is not None:
        _table(page, slide.table, (EDGE, top, wide, room))
    if slide.square is not None:  # read after what stands on its left
        code = page.shapes.add_picture(io.BytesIO(slide.square.png), *map(Inches, (EDGE + wide + 0.3, top, CODE, CODE)))
        code._element.nvPicPr.cNvPr.set("descr", _shown(slide.square.address, 2000))


def _say_language(shown: Any) -> None:
    """The language of all that slides, notes and charts say: the template's is another one."""
    for default in shown.part._element.iter(qn("a:defRPr")):
        default.set("lang", LANGUAGE)
    notes = (page.notes_slide._element for page in shown.slides if page.has_notes_slide)
    charts = (shape.chart._chartSpace for page in shown.slides for shape in page.shapes if shape.has_chart)
    for part in (*(page._element for page in shown.slides), *notes, *charts):
        for run in part.iter(qn("a:r")):
            run.get_or_add_rPr().set("lang", LANGUAGE)


def slides_file(deck: Deck) -> bytes:
    """The slides' PowerPoint file."""
    shown = Presentation()
    shown.slide_width, shown.slide_height = Inches(WIDE), Inches(HIGH)
    _apply_theme(shown)
    for number, slide in enumerate(deck.slides, 1):
        page = shown.slides.add_slide(shown.slide_layouts[TITLE_ONLY])
        cover = number == 1
        _band(page, slide, cover=cover)
        _body(page, slide, cover=cover)
        high = HIGH - FOOT - 0.1
        if slide.foot:
            place = (EDGE, FOOT, WIDE - 2 * EDGE - NUMBERED - 0.2, high)
            _text(page, (slide.foot,), place, SMALLEST, role="quiet")
        counted = f"{number} / {len(deck.slides)}"
        _text(page, (counted,), (WIDE - EDGE - NUMBERED, FOOT, NUMBERED, high), SMALLEST, role="quiet")
        if slide.notes:
            page.notes_slide.notes_text_frame.text = printable(slide.notes).replace("**", "")
    _say_language(shown)
    return saved(shown, deck)
