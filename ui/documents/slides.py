"""Slides as a PowerPoint file: sentences, a native chart that can be edited, or a table on each."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_MARKER_STYLE
from pptx.enum.dml import MSO_LINE
from pptx.util import Inches, Pt

from ui.documents.charts import drawing_of
from ui.documents.document import printable
from ui.pictures.description import Description
from ui.pictures.marks import Bars, Line, Mark, Spot
from ui.pictures.palette import LIGHT
from ui.pictures.table import Table

KIND = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
WIDE, HIGH, EDGE = 13.333, 7.5, 0.6  # inches
TITLE_ONLY = 5  # the layout of python-pptx's own template that has a title and nothing else
LONGEST = 1200
"""Letters of one text that a slide shows; what a reader typed beyond is in the memo."""


@dataclass(frozen=True)
class Slide:
    """A title over sentences, and one picture or one table below them; `small` is set in small print."""

    title: str
    texts: tuple[str, ...] = ()
    picture: Description | None = None
    table: Table | None = None
    small: str = ""


@dataclass(frozen=True)
class Deck:
    """Slides with the title and the author that the file tells of itself."""

    title: str
    author: str
    slides: tuple[Slide, ...]


def _colour(role: str) -> RGBColor:
    return RGBColor.from_string(getattr(LIGHT, role).removeprefix("#").upper())


def _shown(text: str) -> str:
    text = " ".join(printable(text).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _words(paragraph: Any, text: str, size: float, *, role: str = "ink") -> None:
    """Runs of a text in which ``**…**`` sets bold."""
    parts = _shown(text).split("**")
    if len(parts) % 2 == 0:
        parts = [_shown(text)]
    for index, part in enumerate(parts):
        if part:
            run = paragraph.add_run()
            run.text = part
            run.font.size, run.font.bold = Pt(size), index % 2 == 1
            run.font.color.rgb = _colour(role)


def _size(texts: tuple[str, ...], most: float) -> float:
    """A size of type in which so much text has room."""
    letters = sum(min(len(text), LONGEST) for text in texts)
    return most if letters <= 420 else max(10.0, most * math.sqrt(420 / letters))


def _box(page: Any, top: float, high: float) -> Any:
    frame = page.shapes.add_textbox(Inches(EDGE), Inches(top), Inches(WIDE - 2 * EDGE), Inches(high)).text_frame
    frame.word_wrap = True
    return frame


def _is_native(picture: Description) -> bool:
    return all(isinstance(mark, Line | Spot | Bars) for mark in picture.marks)


def _lines(page: Any, picture: Description, place: tuple[Any, ...]) -> Any:
    data = XyChartData()
    for mark in picture.marks:
        assert isinstance(mark, Line | Spot)
        series = data.add_series(picture.numbers.column(mark.y).name)
        x, y = picture.drawn(mark, mark.x, across=True), picture.drawn(mark, mark.y, across=False)
        for across, up in zip(x.tolist(), y.tolist(), strict=True):
            if math.isfinite(across) and math.isfinite(up):
                series.add_data_point(across, up)
    chart = page.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS, *place, data).chart
    for mark, drawn in zip(picture.marks, chart.plots[0].series, strict=True):
        _styled(mark, drawn)
    return chart


def _styled(mark: Mark, drawn: Any) -> None:
    drawn.smooth = False
    if isinstance(mark, Line):
        drawn.format.line.color.rgb, drawn.format.line.width = _colour(mark.role), Pt(1 if mark.hairline else 3)
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


def _chart(page: Any, picture: Description, top: float) -> None:
    """The picture as a native chart, or drawn where no chart of PowerPoint shows such marks."""
    left, wide, high = Inches(EDGE), Inches(WIDE - 2 * EDGE), Inches(HIGH - top - 0.5)
    if not _is_native(picture):
        image = page.shapes.add_picture(io.BytesIO(drawing_of(picture).png), left, Inches(top), height=high)
        image._element.nvPicPr.cNvPr.set("descr", _shown(picture.reading).replace("**", ""))
        return
    place = (left, Inches(top), wide, high)
    drawn = (_bars if any(isinstance(mark, Bars) for mark in picture.marks) else _lines)(page, picture, place)
    frame = page.shapes[-1]
    frame._element.nvGraphicFramePr.cNvPr.set("descr", _shown(picture.reading).replace("**", ""))
    drawn.has_title = False
    drawn.has_legend = True
    drawn.legend.position, drawn.legend.include_in_layout = XL_LEGEND_POSITION.TOP, False
    drawn.font.size = Pt(14)
    for axis, across in ((drawn.category_axis, True), (drawn.value_axis, False)):
        axis.has_title = True
        axis.axis_title.text_frame.text = picture.axis_title(0, across=across)
        axis.has_major_gridlines = False
        ends = picture.axis(0, across=across).range
        if ends is not None:
            axis.minimum_scale, axis.maximum_scale = ends


def _table(page: Any, table: Table, top: float) -> None:
    rows = [table.columns, *table.rows] if table.columns else list(table.rows)
    place = Inches(EDGE), Inches(top), Inches(WIDE - 2 * EDGE), Inches(0.4 * len(rows))
    grid = page.shapes.add_table(len(rows), len(rows[0]), *place).table
    grid.first_row = bool(table.columns)
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            paragraph = grid.cell(at, column).text_frame.paragraphs[0]
            head = at == 0 and table.columns
            _words(paragraph, str(cell), 14 if len(rows) < 9 else 12, role="ground" if head else "ink")


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
        _words(heading.text_frame.paragraphs[0], slide.title, _size((slide.title * 6,), 32))
        below = slide.picture is not None or slide.table is not None
        high = (1.5 if slide.picture is not None else 0.9) if below else 5.2
        lines = tuple(line for text in slide.texts for line in text.splitlines() if line.strip())
        if lines:
            frame = _box(page, 1.35, high)
            for at, text in enumerate(lines):
                paragraph = frame.paragraphs[0] if at == 0 else frame.add_paragraph()
                paragraph.space_after = Pt(6 if below else 14)
                _words(paragraph, text, _size(lines, 18 if below else 26))
        top = 1.4 + (high if lines else 0)
        if slide.picture is not None:
            _chart(page, slide.picture, top)
        if slide.table is not None:
            _table(page, slide.table, top)
        foot = _box(page, HIGH - (0.95 if slide.small else 0.45), 0.4)
        if slide.small:
            _words(foot.paragraphs[0], slide.small, 11, role="quiet")
            foot.add_paragraph()
        _words(foot.paragraphs[-1], f"{number} / {len(deck.slides)}", 11, role="quiet")
    out = io.BytesIO()
    shown.save(out)
    return out.getvalue()
