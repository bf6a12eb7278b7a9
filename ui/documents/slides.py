"""Slides as a PowerPoint file: sentences, a native chart that can be edited, or a table on each."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_MARKER_STYLE, XL_TICK_LABEL_POSITION
from pptx.enum.dml import MSO_LINE
from pptx.enum.text import PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Inches, Pt

from ui.documents.charts import drawing_of
from ui.documents.document import Deck, printable
from ui.pictures.description import Description
from ui.pictures.marks import Bars, Level, Line, Mark, Spot
from ui.pictures.palette import LIGHT
from ui.pictures.table import Table
from ui.words.markdown import parts_of

KIND = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
WIDE, HIGH, EDGE = 13.333, 7.5, 0.6  # inches
TITLE_ONLY = 5  # the layout of python-pptx's own template that has a title and nothing else
LONGEST = 1200
"""Letters of one text that a slide shows at most; what a reader typed beyond is in the memo."""
TOP, FOOT = 1.35, 0.2  # inches: where sentences begin, and what stays free below the last line
INSET = 0.1  # inches: what PowerPoint leaves free at the sides of a text
LETTER, LEADING = 0.56, 1.25
"""How wide a letter and how high a line is, in sizes of type: rather more than in the fonts there are."""
SMALLEST = 9
ABOVE_PICTURE = 1.9  # inches that sentences may take from the picture or table below them


def _colour(role: str) -> RGBColor:
    return RGBColor.from_string(getattr(LIGHT, role).removeprefix("#").upper())


def _shown(text: str, most: int = LONGEST) -> str:
    text = " ".join(printable(text).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _words(paragraph: Any, text: str, size: float, *, role: str = "ink") -> None:
    """Runs of a text in which ``**…**`` sets bold."""
    for part, bold in parts_of(_shown(text)):
        if part:
            run = paragraph.add_run()
            run.text = part
            run.font.size, run.font.bold = Pt(size), bold
            run.font.color.rgb = _colour(role)


def height_of(texts: Sequence[str], size: float, wide: float, gap: float = 0.0) -> float:
    """Inches that texts of this size of type take in a box so many inches wide, with points of a gap after each."""
    letters = max(int(72 * (wide - 2 * INSET) / (LETTER * size)), 1)
    lines = [max(len(textwrap.wrap(_shown(text).replace("**", ""), letters)), 1) for text in texts]
    return (sum(lines) * LEADING * size + len(lines) * gap) / 72 + INSET


def _fitted(texts: tuple[str, ...], most: int, high: float, gap: float = 0.0) -> tuple[tuple[str, ...], int, float]:
    """The texts, the size of type in which they have room, and their height: what has none in the smallest is cut."""
    wide, letters = WIDE - 2 * EDGE, LONGEST
    while True:
        for size in range(most, SMALLEST - 1, -1):
            needed = height_of(texts, size, wide, gap)
            if needed <= high:
                return texts, size, needed
        letters = letters * 3 // 4
        texts = tuple(_shown(text, letters) for text in texts)


def _box(page: Any, top: float, high: float) -> Any:
    frame = page.shapes.add_textbox(Inches(EDGE), Inches(top), Inches(WIDE - 2 * EDGE), Inches(high)).text_frame
    frame.word_wrap = True
    return frame


def _is_native(picture: Description) -> bool:
    return all(isinstance(mark, Line | Spot | Bars | Level) for mark in picture.marks)


def _lines(page: Any, picture: Description, place: tuple[Any, ...]) -> Any:
    data = XyChartData()
    for mark in picture.marks:
        assert isinstance(mark, Line | Spot | Level)
        series = data.add_series(picture.numbers.column(mark.y).name)
        y = picture.drawn(mark, mark.y, across=False)
        if isinstance(mark, Level):
            x, y = np.array(picture.ends(0, across=True)), np.repeat(y, 2)
        else:
            x = picture.drawn(mark, mark.x, across=True)
        for across, up in zip(x.tolist(), y.tolist(), strict=True):
            if math.isfinite(across) and math.isfinite(up):
                series.add_data_point(across, up)
    chart = page.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS, *place, data).chart
    for mark, drawn in zip(picture.marks, chart.plots[0].series, strict=True):
        _styled(mark, drawn)
    return chart


def _styled(mark: Mark, drawn: Any) -> None:
    drawn.smooth = False
    if isinstance(mark, Line | Level):
        thin = isinstance(mark, Level) or mark.hairline
        drawn.format.line.color.rgb, drawn.format.line.width = _colour(mark.role), Pt(1 if thin else 3)
        if mark.dash != "solid":
            drawn.format.line.dash_style = MSO_LINE.DASH
    elif isinstance(mark, Spot):
        drawn.format.line.fill.background()
        drawn.marker.style, drawn.marker.size = XL_MARKER_STYLE.DIAMOND, 12
        drawn.marker.format.fill.solid()
        drawn.marker.format.fill.fore_color.rgb = _colour(mark.role)


def _bars(page: Any, picture: Description, place: tuple[Any, ...]) -> Any:
    bars = [mark for mark in picture.marks if isinstance(mark, Bars)]
    column = picture.numbers.column(bars[0].x)
    data = CategoryChartData(number_format="0 %")
    data.categories = [str(column.cell(row)) for row in range(len(column.values))]
    for mark in bars:
        values = np.where(picture.taken(mark, mark.y), picture.numbers.column(mark.y).numbers, np.nan)
        series = [value if math.isfinite(value) else None for value in values.tolist()]
        data.add_series(mark.name or picture.numbers.column(mark.y).name, series)
    chart = page.shapes.add_chart(XL_CHART_TYPE.COLUMN_STACKED, *place, data).chart
    chart.plots[0].gap_width = 20
    for mark, drawn in zip(bars, chart.plots[0].series, strict=True):
        drawn.format.fill.solid()
        drawn.format.fill.fore_color.rgb = _colour(mark.role)
    return chart


def _chart(page: Any, picture: Description, top: float, room: float) -> None:
    """The picture as a native chart, or drawn where no chart of PowerPoint shows such marks."""
    left, wide, high = Inches(EDGE), Inches(WIDE - 2 * EDGE), Inches(room)
    if not _is_native(picture):
        image = page.shapes.add_picture(io.BytesIO(drawing_of(picture).png), left, Inches(top), height=high)
        if image.width > wide:
            image.width, image.height = wide, round(image.height * wide / image.width)
        image._element.nvPicPr.cNvPr.set("descr", _shown(picture.reading).replace("**", ""))
        return
    place = (left, Inches(top), wide, high)
    drawn = (_bars if any(isinstance(mark, Bars) for mark in picture.marks) else _lines)(page, picture, place)
    frame = page.shapes[-1]
    frame._element.nvGraphicFramePr.cNvPr.set("descr", _shown(picture.reading).replace("**", ""))
    for one in drawn._chartSpace.iter(qn("c:axId"), qn("c:crossAx")):
        one.set("val", one.get("val").removeprefix("-"))  # python-pptx gives axes negative ids, which are invalid
    drawn.has_title = False
    drawn.has_legend = True
    drawn.legend.position, drawn.legend.include_in_layout = XL_LEGEND_POSITION.TOP, False
    drawn.font.size = Pt(14)
    for axis, across in ((drawn.category_axis, True), (drawn.value_axis, False)):
        axis.has_title = True
        axis.axis_title.text_frame.text = picture.axis_title(0, across=across)
        axis.has_major_gridlines = False
        axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
        if picture.axis(0, across=across).log:
            axis._element.find(qn("c:scaling")).insert(0, parse_xml(f'<c:logBase {nsdecls("c")} val="10"/>'))
        ends = picture.axis(0, across=across).range
        if ends is not None:
            axis.minimum_scale, axis.maximum_scale = ends


def _table(page: Any, table: Table, top: float, room: float) -> None:
    """The table in the largest type in which it has room; columns are as wide as their longest words ask."""
    rows = [[str(cell) for cell in row] for row in ([table.columns] if table.columns else []) + list(table.rows)]
    longest = [6 + min(max(len(row[at]) for row in rows), 50) for at in range(len(rows[0]))]
    wide = [(WIDE - 2 * EDGE) * letters / sum(longest) for letters in longest]

    def heights(size: float, letters: int) -> list[float]:
        return [
            max(height_of((_shown(cell, letters),), size, width) for cell, width in zip(row, wide, strict=True))
            for row in rows
        ]

    cut = [LONGEST * 3**step // 4**step for step in range(12)]
    sizes = [(20 - step, LONGEST) for step in range(20 - SMALLEST)] + [(SMALLEST, letters) for letters in cut]
    size, letters = next((one for one in sizes if sum(heights(*one)) <= room), sizes[-1])
    place = Inches(EDGE), Inches(top), Inches(WIDE - 2 * EDGE), Inches(sum(heights(size, letters)))
    grid = page.shapes.add_table(len(rows), len(rows[0]), *place).table
    grid.first_row = bool(table.columns)
    for column, width in zip(grid.columns, wide, strict=True):
        column.width = Inches(width)
    for at, (row, high) in enumerate(zip(rows, heights(size, letters), strict=True)):
        grid.rows[at].height = Inches(high)
        for column, cell in enumerate(row):
            paragraph = grid.cell(at, column).text_frame.paragraphs[0]
            head = at == 0 and table.columns
            _words(paragraph, _shown(cell, letters), size, role="ground" if head else "ink")


def slides_file(deck: Deck) -> bytes:
    """The slides' PowerPoint file."""
    shown = Presentation()
    shown.slide_width, shown.slide_height = Inches(WIDE), Inches(HIGH)
    shown.core_properties.title = printable(deck.title).replace("**", "")[:250]
    shown.core_properties.author = printable(deck.author).replace("**", "")[:250] or "Riskline"
    for number, slide in enumerate(deck.slides, 1):
        page = shown.slides.add_slide(shown.slide_layouts[TITLE_ONLY])
        heading = page.shapes.title
        heading.left, heading.top, heading.width, heading.height = map(Inches, (EDGE, 0.35, WIDE - 2 * EDGE, 0.9))
        heading.text_frame.word_wrap = True
        heading.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT
        (title,), size, _ = _fitted((slide.title,), 32, 0.9)
        _words(heading.text_frame.paragraphs[0], title, size)
        foot = ((slide.small,) if slide.small else ()) + (f"{number} / {len(deck.slides)}",)
        low = HIGH - FOOT - height_of(foot, 11, WIDE - 2 * EDGE)
        below = slide.picture is not None or slide.table is not None
        lines, top = tuple(line for text in slide.texts for line in text.splitlines() if line.strip()), TOP
        if lines:
            gap = 6 if below else 14
            lines, size, high = _fitted(lines, 20 if below else 28, ABOVE_PICTURE if below else low - TOP, gap)
            frame = _box(page, TOP, high)
            for at, text in enumerate(lines):
                paragraph = frame.paragraphs[0] if at == 0 else frame.add_paragraph()
                paragraph.space_after = Pt(gap)
                _words(paragraph, text, size)
            top = TOP + high + 0.1
        if slide.picture is not None:
            _chart(page, slide.picture, top, low - top)
        if slide.table is not None:
            _table(page, slide.table, top, low - top)
        frame = _box(page, low, HIGH - FOOT - low)
        for at, text in enumerate(foot):
            _words(frame.paragraphs[0] if at == 0 else frame.add_paragraph(), text, 11, role="quiet")
    out = io.BytesIO()
    shown.save(out)
    return out.getvalue()
