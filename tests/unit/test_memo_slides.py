"""The memo's slides open, say the memo's own sentences and draw its own numbers; a wrong one is found."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest
from pptx import Presentation
from pptx.chart.data import XyChartData
from pptx.util import Inches, Pt
from scipy.special import logit

from dpcore.mechanisms import Geometric
from tests.cases import memo_inputs
from ui.documents.document import Deck, Slide
from ui.documents.slides import LONGEST, slides_file
from ui.pictures.columns import Column, Numbers, side_by_side
from ui.pictures.marks import Bars, Line
from ui.pictures.palette import LIGHT, ROLES
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.memo import MemoView, memo_view

TITLES = [
    "Privacy budget for a release",
    "What must stay secret",
    "The line",
    "What an attacker can reach",
    "What it costs",
    "Beside published budgets",
    "What was given up",
    "Who decided, and until when",
]


def memo(query: str = "", **fields: Any) -> MemoView:
    return memo_view(memo_inputs(query, **fields), Style())


def opened(data: bytes) -> Any:
    return Presentation(io.BytesIO(data))


def saved(shown: Any) -> bytes:
    out = io.BytesIO()
    shown.save(out)
    return out.getvalue()


def charts_of(page: Any) -> list[Any]:
    return [shape.chart for shape in page.shapes if shape.has_chart]


def texts_of(page: Any) -> list[str]:
    """What a slide says in sentences and cells, without its title and its number."""
    lines = []
    for shape in page.shapes:
        if shape.has_text_frame and shape != page.shapes.title:
            lines += [paragraph.text for paragraph in shape.text_frame.paragraphs]
        if shape.has_table:
            lines += [cell.text for row in shape.table.rows for cell in row.cells]
    return [line for line in lines if line and " / 8" not in line]


def numbers_of(chart: Any) -> dict[str, list[tuple[float, float]]]:
    """Each series of a native chart as places."""
    found = {}
    for series in chart.plots[0].series:
        across = [float(point.text) for point in series._element.findall(".//{*}xVal//{*}v")]
        found[series.name] = list(zip(across, series.values, strict=True))
    return found


def hold(view: MemoView, data: bytes) -> None:
    """Every sentence and cell of the slides is the memo's, and every chart has the numbers of the memo's picture."""
    pages = list(opened(data).slides)
    assert [page.shapes.title.text_frame.text for page in pages] == TITLES
    for page, slide in zip(pages, view.deck.slides, strict=True):
        for line in texts_of(page):
            assert line in view.words, line
        for chart in charts_of(page):
            assert slide.picture is not None
            marks = slide.picture.marks
            for mark, series in zip(marks, chart.plots[0].series, strict=True):
                if isinstance(mark, Bars):
                    values = [0.0 if value is None else value for value in series.values]
                    exact = np.where(slide.picture.taken(mark, mark.y), slide.picture.numbers.column(mark.y).numbers, 0)
                    assert values == pytest.approx(exact.tolist(), rel=1e-12)
                    continue
                places = numbers_of(chart)[series.name]
                x = slide.picture.drawn(mark, mark.x, across=True)  # type: ignore[attr-defined]
                y = slide.picture.drawn(mark, mark.y, across=False)  # type: ignore[attr-defined]
                kept = np.isfinite(x) & np.isfinite(y)
                assert np.array(places) == pytest.approx(np.column_stack([x[kept], y[kept]]), rel=1e-12)


@pytest.mark.parametrize(
    ("query", "charts"),
    [
        ("", [0, 0, 1, 1, 1, 0, 0, 0]),
        ("question=both&release=count&releases=3", [0, 0, 0, 0, 1, 0, 0, 0]),
        ("guarantee=zero_concentrated&line=drawn&points=0.01~0.25_0.1~0.3_0.5~0.9", [0, 0, 1, 1, 1, 0, 0, 0]),
        ("line=constant&ratio=1", [0, 0, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_the_slides_say_and_draw_what_the_memo_does(query: str, charts: list[int]) -> None:
    view = memo(query)
    data = slides_file(view.deck)
    hold(view, data)
    pages = list(opened(data).slides)
    assert [len(charts_of(page)) for page in pages] == charts
    pictures = [sum(shape.shape_type == 13 for shape in page.shapes) for page in pages]
    assert pictures == [0, 0, 0, 1 if "both" in query else 0, 0, 0, 0, 0]  # PowerPoint has no chart for a map


def test_the_charts_follow_the_budget_and_the_law_of_its_noise() -> None:
    """Odds rise by e^1.29 along the curve; a bar is the probability of its error under geometric noise."""
    pages = list(opened(slides_file(memo().deck)).slides)
    assert "**" not in "".join(texts_of(pages[0]))
    reach = np.array(numbers_of(charts_of(pages[3])[0])["what an attacker can reach"]) / 100
    assert logit(reach[:-1, 1]) - logit(reach[:-1, 0]) == pytest.approx(1.29, abs=1e-6)
    (chart,) = charts_of(pages[4])
    law = Geometric(epsilon=1.29)
    for series in chart.plots[0].series:
        for error, chance in zip(chart.plots[0].categories, series.values, strict=True):
            if chance is not None:
                assert chance == pytest.approx(law.pmf(int(error)), rel=1e-9)
                assert (abs(int(error)) <= 2) == (series.name == "within ± 2")
    sums = sum(chance for series in chart.plots[0].series for chance in series.values if chance is not None)
    assert 0.99 < sums <= 1 + 1e-12


def with_wrong_words(shown: Any) -> None:
    run = next(
        run for part in shown.slides[0].shapes[1].text_frame.paragraphs for run in part.runs if "1.29" in run.text
    )
    run.text = run.text.replace("1.29", "1.30")


def with_wrong_cell(shown: Any) -> None:
    grid = next(shape for shape in shown.slides[5].shapes if shape.has_table).table
    grid.cell(1, 2).text = "at most 78 in 100"


def with_wrong_chart(shown: Any) -> None:
    (chart,) = charts_of(shown.slides[3])
    data = XyChartData()
    for name, places in numbers_of(chart).items():
        series = data.add_series(name)
        for across, up in places:
            series.add_data_point(across, up + (0.01 if name == "decides the budget" else 0))
    chart.replace_data(data)


@pytest.mark.parametrize("plant", [with_wrong_words, with_wrong_cell, with_wrong_chart])
def test_a_wrong_number_on_a_slide_is_found(plant: Any) -> None:
    view = memo()
    shown = opened(slides_file(view.deck))
    plant(shown)
    with pytest.raises(AssertionError):
        hold(view, saved(shown))


def test_a_refused_line_gives_one_slide_that_says_why() -> None:
    view = memo("line=box&low=0.9&high=0.1")
    (page,) = opened(slides_file(view.deck)).slides
    assert view.refusal is not None
    assert view.refusal in "".join(shape.text_frame.text for shape in page.shapes)


def test_what_a_reader_typed_is_text_on_the_slides() -> None:
    bad = "<a:t>one</a:t> & \x00\x0b**\nsecond line"
    view = memo("ratio=2", title=bad, author=bad, reasons=bad + "x" * 3000, until=bad, hidden=bad)
    shown = opened(slides_file(view.deck))
    said = "\n".join(text for page in shown.slides for text in texts_of(page))
    assert "<a:t>one</a:t> &" in said
    assert "second line" in said
    assert shown.core_properties.author.startswith("<a:t>one")
    assert max(map(len, said.splitlines())) <= LONGEST
    assert math.isclose(shown.slide_width / shown.slide_height, 16 / 9, rel_tol=1e-3)


def test_a_slide_without_anything_but_its_title_is_one_too() -> None:
    (page,) = opened(slides_file(Deck("T", "", (Slide("Only"),)))).slides
    assert page.shapes.title.text_frame.text == "Only"


def lines_of(text: str, size: float, wide: float) -> int:
    """Lines that a text takes in a box so many points wide, a letter being half as wide as its type is high."""
    return max(math.ceil(len(text) * 0.5 * size / wide), 1)


def height_of(paragraphs: Any, wide: float) -> float:
    """Points that paragraphs take in a box so many points wide."""
    high = 0.0
    for paragraph in paragraphs:
        size = max((run.font.size.pt for run in paragraph.runs), default=11)
        high += lines_of(paragraph.text, size, wide) * 1.2 * size + (paragraph.space_after or Pt(0)).pt
    return high


LONG = "A rather long sentence that somebody typed about the decision. " * 40


@pytest.mark.parametrize(
    ("query", "typed"),
    [
        ("", {}),
        ("ratio=3", {"until": LONG, "released": LONG, "office": LONG, "title": LONG[:200]}),
        ("question=both&release=count&releases=3", {"reasons": LONG}),
    ],
)
def test_everything_on_a_slide_has_its_room(query: str, typed: dict[str, str]) -> None:
    """Nothing leaves the slide or stands on something else, no text is higher than its box, none too small to read."""
    shown = opened(slides_file(memo(query, **typed).deck))
    for page in shown.slides:
        shapes = sorted(page.shapes, key=lambda shape: shape.top)
        for shape, after in zip(shapes, [*shapes[1:], None], strict=True):
            assert shape.left >= 0
            assert shape.left + shape.width <= shown.slide_width
            assert shape.top + shape.height <= (shown.slide_height if after is None else after.top) + 1
            if shape.has_text_frame:
                inner = (shape.width - Inches(0.2)) / Pt(1)
                assert height_of(shape.text_frame.paragraphs, inner) <= shape.height / Pt(1)
            if shape.has_table:
                assert sum(row.height for row in shape.table.rows) <= shape.height + 20
                for row in shape.table.rows:
                    for cell, column in zip(row.cells, shape.table.columns, strict=True):
                        inner = (column.width - Inches(0.2)) / Pt(1)
                        assert height_of(cell.text_frame.paragraphs, inner) <= row.height / Pt(1)
            for run in (run for part in texts_in(shape) for run in part.runs):
                assert run.font.size >= Pt(9)


def texts_in(shape: Any) -> list[Any]:
    """The paragraphs of a shape, or of the cells of its table."""
    frames = [shape.text_frame] if shape.has_text_frame else []
    if shape.has_table:
        frames = [cell.text_frame for row in shape.table.rows for cell in row.cells]
    return [paragraph for frame in frames for paragraph in frame.paragraphs]


def test_a_line_on_a_slide_has_the_colour_of_its_role() -> None:
    points = [Column("x", "x", [0.0, 1.0]), *(Column(role, role, [0.0, 1.0], quantity="y") for role in ROLES[:3])]
    marks = tuple(Line(x="x", y=role, role=role) for role in ROLES[:3])
    numbers = Numbers("n", (side_by_side(*points),))
    drawn = Picture(key="k", numbers=numbers, marks=marks, reading="r", style=Style())
    page = Presentation(io.BytesIO(slides_file(Deck("t", "a", (Slide("t", picture=drawn),))))).slides[0]
    series = next(shape for shape in page.shapes if shape.has_chart).chart.plots[0].series
    told = [str(one.format.line.color.rgb) for one in series]
    assert told == [getattr(LIGHT, role).removeprefix("#").upper() for role in ROLES[:3]]
