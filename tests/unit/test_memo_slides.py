"""The memo's slides open, say the memo's own sentences and draw its own numbers; a wrong one is found."""

from __future__ import annotations

import io
import math
import re
from typing import Any
from unicodedata import east_asian_width
from zipfile import ZipFile

import numpy as np
import pytest
from pptx import Presentation
from pptx.chart.data import XyChartData
from pptx.enum.dml import MSO_FILL
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.oxml.ns import qn
from pptx.util import Inches, Pt

from riskline.case.value import Case
from tests.cases import memo_inputs
from tests.read_aloud import unheard
from ui.documents import slides
from ui.documents.document import Deck, Slide
from ui.documents.slides import LONGEST, SMALLEST, _fitted, _shown, slides_file
from ui.pictures.columns import Column, Numbers, side_by_side
from ui.pictures.marks import Line
from ui.pictures.palette import LIGHT, ROLES
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.memo import MemoView, memo_view

TITLES = [
    "Privacy budget for a release",
    "What somebody could learn",
    "What the tables still tell",
    "The line",
    "Other budgets",
    "Who decided, until when",
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
    return [line.replace("\u00a0", " ") for line in lines if line and " / 6" not in line]


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
            assert line.rstrip(".") in view.words, line
        for chart in charts_of(page):
            assert slide.picture is not None
            drawn = {slide.picture.numbers.column(mark.y).name: mark for mark in slide.picture.marks}  # type: ignore[attr-defined]
            assert set(numbers_of(chart)) == set(drawn)
            for name, places in numbers_of(chart).items():
                x = slide.picture.drawn(drawn[name], drawn[name].x, across=True)  # type: ignore[attr-defined]
                y = slide.picture.drawn(drawn[name], drawn[name].y, across=False)  # type: ignore[attr-defined]
                kept = np.isfinite(x) & np.isfinite(y)
                assert np.array(places) == pytest.approx(np.column_stack([x[kept], y[kept]]), rel=1e-12)
            lengths = [len(series.values) for series in chart.plots[0].series]
            assert lengths[0] == max(lengths)  # LibreOffice draws none that is longer than the first


@pytest.mark.parametrize(
    ("query", "charts"),
    [
        ("", [0, 1, 1, 1, 0, 0]),
        ("secret=both&release=count&releases=3", [0, 1, 1, 0, 0, 0]),
        ("guarantee=zero_concentrated&line=drawn&points=0.01~0.25_0.1~0.3_0.5~0.9", [0, 1, 1, 1, 0, 0]),
    ],
)
def test_the_slides_say_and_draw_what_the_memo_does(query: str, charts: list[int]) -> None:
    view = memo(query)
    data = slides_file(view.deck)
    hold(view, data)
    pages = list(opened(data).slides)
    assert [len(charts_of(page)) for page in pages] == charts
    pictures = [sum(shape.shape_type == 13 for shape in page.shapes) for page in pages]
    assert pictures == [0, 0, 0, 1 if "both" in query else 0, 0, 0]  # a map is no chart of PowerPoint


def dots_of(page: Any) -> dict[str, int]:
    """How many dots of each kind a slide shows."""
    (chart,) = charts_of(page)
    return {series.name: len(series.values) for series in chart.plots[0].series}


def test_the_dots_are_the_beliefs_and_the_law_of_the_noise_and_the_line_ends_where_it_was_drawn() -> None:
    """Odds of 1 to 11 times e^1.29: 25 of a hundred at most; r = e^-1.29, and (1 - r)/(1 + r) are right."""
    pages = list(opened(slides_file(memo("areas=40").deck)).slides)
    assert "**" not in "".join(texts_of(pages[0]))
    assert dots_of(pages[1]) == {"believed before": 8, "more afterwards, at most": 17, "not believed": 75}
    r = math.exp(-1.29)
    right, off = round(40 * (1 - r) / (1 + r)), round(40 * 2 * r**3 / (1 + r))
    assert dots_of(pages[2]) == {"exactly right": right, "further off": off, "within ± 2": 40 - right - off}
    line = numbers_of(charts_of(pages[3])[0])["accepted line"]
    assert max(across for across, _ in line) < 100 / 3  # from a third on it accepts anything
    drawn = numbers_of(
        charts_of(list(opened(slides_file(memo("line=drawn&points=0.1~0.3_0.5~0.9").deck)).slides)[3])[0]
    )["accepted line"]
    assert 10 <= min(across for across, _ in drawn) < max(across for across, _ in drawn) <= 50


@pytest.mark.parametrize("noise", [0.3, 0.5, 0.9, 1.29, 3.0])
@pytest.mark.parametrize("areas", [5, 38, 99])
def test_as_many_districts_are_drawn_as_are_told(areas: int, noise: float) -> None:
    view = memo("", case=Case(areas=areas, release="table").decided(value=noise, currency="epsilon"))
    page = list(opened(slides_file(view.deck)).slides)[2]
    right, off = re.findall(r"average (.+?) are exactly right and (.+?) off by", " ".join(texts_of(page)))[0]
    drawn = dots_of(page)
    assert drawn.get("exactly right", 0) == int(right.replace("fewer than 1", "0"))
    assert drawn.get("further off", 0) == int(off.replace("fewer than 1", "0"))
    assert sum(drawn.values()) == areas


def test_the_rest_is_drawn_alike_wherever_it_is_read() -> None:
    """LibreOffice fills every dot, PowerPoint and browsers do not: those of the rest are filled, and small."""
    page = opened(slides_file(memo("").deck)).slides[1]
    markers = {series.name: series.marker for series in charts_of(page)[0].plots[0].series}
    assert all(marker.format.fill.type == MSO_FILL.SOLID for marker in markers.values())
    assert markers["not believed"].size < markers["believed before"].size / 2
    joined = [series.format.line.fill.type for series in charts_of(page)[0].plots[0].series]
    assert joined == [MSO_FILL.BACKGROUND] * len(markers), "no line joins the dots"


def test_a_drawn_line_has_no_name_and_the_band_says_that_it_was_decided() -> None:
    drawn = Case(office="Office", areas=38, release="table", line="drawn", points=((0.001, 0.01), (0.05, 0.15)))
    view = memo("", case=drawn.decided(value=0.48, currency="epsilon", by="A", date="23 November 2026"))
    table = memo("", case=drawn).deck.slides[-2].table
    assert table is not None
    heads = [row[0] for row in table.rows]
    assert len(heads) == 3
    assert heads[0] == "Budget"  # where other kinds of line have their names
    assert view.document.byline == view.deck.slides[0].foot == "Office · Decided 23 November 2026"
    assert memo("", case=drawn).document.byline == "Office · Draft"


def test_a_point_of_the_line_is_told_out_of_one_number_of_people() -> None:
    points = ((0.001, 0.01), (0.05, 0.15), (0.5, 0.8))
    view = memo("", case=Case(line="drawn", points=points).decided(value=0.48, currency="epsilon"))
    told = [line for line in view.words.splitlines() if " the line accepts up to " in line]
    people = [set(re.findall(r"in ([\d,]+\d)", line)) for line in told]
    assert people == [{"1,000"}] * 3
    assert told[0].startswith("From 1 in 1,000 the line accepts up to 10 in 1,000")
    odds = math.exp(0.48) / 999
    assert f"at most {math.ceil(1000 * odds / (1 + odds))} in 1,000" in told[0]


@pytest.mark.parametrize("points", [((0.05, 0.15), (0.33, 0.99), (0.5, 1.0)), ((0.01, 0.5), (0.2, 0.995), (0.5, 1.0))])
def test_every_point_of_a_line_is_told_out_of_the_same_people(points: tuple[tuple[float, float], ...]) -> None:
    view = memo("", case=Case(line="drawn", points=points).decided(value=1.2, currency="epsilon"))
    told = [line for line in view.words.splitlines() if line.startswith("From ") and " the line accepts " in line]
    people = set(re.findall(r"\d in ([\d,]*\d)", " ".join(told)))
    assert len(people) == 1
    of = int(people.pop().replace(",", ""))
    assert " the line accepts anything" in told[-1]
    for line, (before, accepted) in zip(told[:2], points, strict=False):
        first, limit, reached = (int(one.replace(",", "")) for one in re.findall(r"([\d,]+) in \d", line))
        assert first == round(before * of)
        assert limit == math.floor(accepted * of + 1e-9)
        assert reached == math.ceil(of * before * math.exp(1.2) / (1 - before + before * math.exp(1.2)) - 1e-9)


def test_a_small_belief_is_told_in_dots_of_ten_thousand_without_the_rest() -> None:
    view = memo("", case=Case(prior=0.0005).decided(value=0.5, currency="epsilon"))
    assert dots_of(opened(slides_file(view.deck)).slides[1]) == {"believed before": 5, "more afterwards, at most": 4}


def test_every_slide_has_one_sentence_of_25_words_and_its_speaker_the_scope_and_the_exception() -> None:
    view = memo("guarantee=zero_concentrated&route=gaussian", hidden="is ill", areas=38)
    shown = opened(slides_file(view.deck))
    for slide, page in zip(view.deck.slides, shown.slides, strict=True):
        words = re.sub(r",? except with a probability of [\d,]+ in [\d,]+", "", slide.sentence)
        assert len(re.sub(r"(\d) in (\d)", r"\1\2", words).split()) <= 25, slide.sentence
        assert page.notes_slide.notes_text_frame.text
    told = [page.notes_slide.notes_text_frame.text for page in shown.slides][1]
    for said in (
        "except with a probability of 1 in 100",
        "The limit holds for",
        "one change adds or removes one record",
        "is ill",
    ):
        assert said in told


def with_wrong_words(shown: Any) -> None:
    run = next(
        run for part in shown.slides[0].shapes[2].text_frame.paragraphs for run in part.runs if "1.29" in run.text
    )
    run.text = run.text.replace("1.29", "1.30")


def with_wrong_cell(shown: Any) -> None:
    grid = next(shape for shape in shown.slides[4].shapes if shape.has_table).table
    grid.cell(2, 2).text = "ε = 1.28"


def with_wrong_chart(shown: Any) -> None:
    (chart,) = charts_of(shown.slides[3])
    data = XyChartData()
    for name, places in numbers_of(chart).items():
        series = data.add_series(name)
        for across, up in places:
            series.add_data_point(across, up + (0.01 if name == "accepted line" else 0))
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
    assert "…" in said
    assert math.isclose(shown.slide_width / shown.slide_height, 16 / 9, rel_tol=1e-3)


def test_a_slide_without_anything_but_its_title_is_one_too() -> None:
    (page,) = opened(slides_file(Deck("T", "", (Slide("Only"),)))).slides
    assert page.shapes.title.text_frame.text == "Only"


def lines_of(text: str, size: float, wide: float) -> int:
    """Lines that a text takes in a box so many points wide: a letter is half as wide as high, 長 as wide."""
    return max(math.ceil(sum(0.5 + 0.5 * (east_asian_width(mark) == "W") for mark in text) * size / wide), 1)


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
        ("guarantee=zero_concentrated&failure=0.02&unit=household&group=4", {"hidden": LONG[:200]}),
        ("question=both&release=count&releases=3", {"reasons": LONG}),
        (
            "",
            {
                "title": "長" * 150,
                "hidden": "期" * 90,
                "released": "欠" * 300,
                "reasons": "席" * 300,
                "until": "年" * 200,
            },
        ),
    ],
)
def test_everything_on_a_slide_has_its_room(query: str, typed: dict[str, str]) -> None:
    """Nothing leaves the slide or stands on something else, no text is higher than its box, none too small to read."""
    data = slides_file(memo(query, **typed).shown_at("https://riskline.example/"))
    assert unheard(data) == []
    shown = opened(data)
    for page in shown.slides:
        shapes = [shape for shape in page.shapes if shape.shape_type != MSO_SHAPE_TYPE.AUTO_SHAPE]  # without the band
        for place, shape in enumerate(shapes):
            assert shape.left >= 0
            assert shape.top >= 0
            assert shape.left + shape.width <= shown.slide_width
            assert shape.top + shape.height <= shown.slide_height
            assert [other.name for other in shapes[place + 1 :] if overlap(shape, other)] == []
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
                assert run.font.size >= Pt(16)
        number, *others = reversed(shapes)
        feet = [shape for shape in others if shape.top >= number.top]
        assert all(foot.left + foot.width + Pt(12) <= number.left for foot in feet)


def overlap(first: Any, second: Any) -> bool:
    """Whether two shapes lie on one another."""
    across = first.left < second.left + second.width and second.left < first.left + first.width
    return bool(across and first.top < second.top + second.height and second.top < first.top + first.height)


def test_the_file_has_a_theme_and_a_table_style_of_its_own_and_every_picture_its_words() -> None:
    data = slides_file(memo("").shown_at("https://riskline.example/"))
    with ZipFile(io.BytesIO(data)) as parts:
        theme, styles = (parts.read(f"ppt/{name}").decode() for name in ("theme/theme1.xml", "tableStyles.xml"))
    assert theme.count('name="Riskline"') == 2  # the theme and its colours
    assert "Calibri" not in theme
    assert "4F81BD" not in theme  # the blue of Office
    pages = list(opened(data).slides)
    tables = [shape.table for page in pages for shape in page.shapes if shape.has_table]
    assert len(tables) == 2
    assert all(table._tbl.tblPr.find(qn("a:tableStyleId")).text in styles for table in tables)
    drawn = [shape for page in pages for shape in page.shapes if shape.has_chart or shape.shape_type == 13]
    assert [bool(shape._element.find(f".//{qn('p:cNvPr')}").get("descr")) for shape in drawn] == [True] * 4


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


def test_slides_of_more_than_the_line_allows_say_so_before_the_line_and_what_is_not_protected() -> None:
    view = memo("", case=Case(line="constant", ratio=2.0).decided(value=0.8, currency="epsilon"))
    shown = opened(slides_file(view.deck))
    titles = [page.shapes.title.text_frame.text for page in shown.slides]
    assert "The line allows only ε = 0.69." in "\n".join(texts_of(shown.slides[0]))
    assert "The line we accepted" not in titles
    line = texts_of(shown.slides[titles.index("The line, which this budget passes")])
    assert "this budget allows at most 3 in 100" in "\n".join(line)
    for page in shown.slides:
        assert "Protected: whether a given person is in the data" in page.notes_slide.notes_text_frame.text
    assert "Not protected: what the release teaches about groups." in shown.slides[1].notes_slide.notes_text_frame.text
    kept = [slide.title for slide in memo("", case=Case(ratio=3.0).decided(value=1.0, currency="epsilon")).deck.slides]
    assert "The line we accepted" in kept


def test_what_a_decision_still_misses_is_for_the_speaker_and_not_for_the_wall() -> None:
    view = memo("", case=Case(ratio=3.0).decided(value=1.0, currency="epsilon"))
    first = opened(slides_file(view.deck)).slides[0]
    assert "Still missing:" in first.notes_slide.notes_text_frame.text
    assert "Still missing:" not in "\n".join(texts_of(first))


@pytest.mark.parametrize("most", range(60, 75))
def test_what_is_cut_within_bold_words_stays_bold_without_its_stars(most: int) -> None:
    text = f"**Decided** by {'the board ' * 4}: **ε = 0.50**, of **whether a pupil was absent**."
    shown = _shown(text, most)
    assert shown.count("**") % 2 == 0
    assert shown.replace("**", "").endswith("…")
    assert shown.replace("*", "")[:-1] == text.replace("*", "")[: len(shown.replace("*", "")) - 1]
    assert _shown("2**3 is 8, and so on", 12) == "2**3 is 8, …"


def test_a_text_that_has_no_room_in_the_smallest_type_is_cut_no_more_than_it_must_be() -> None:
    text = "Somebody who knows everything else can believe it at most so likely. " * 60
    (cut,), size = _fitted([text], 20, wide=3.0, high=1.0)
    assert len(text) > len(cut) > LONGEST // 20
    assert slides.height_of([cut], size, 3.0) <= 1.0 < slides.height_of([text[: 3 * len(cut) // 2]], SMALLEST, 3.0)


def test_a_line_holds_the_letters_that_fit_between_the_insets_of_a_box() -> None:
    size, wide = 10.0, 2 * slides.INSET + 20 * slides.LETTER * 10.0 / 72 + 1e-9
    one, two = (slides.height_of(["m" * letters], size, wide) for letters in (20, 21))
    assert two - one == pytest.approx(slides.LEADING * size / 72)


def test_the_title_of_the_cover_has_the_room_of_three_lines_of_its_large_type() -> None:
    first, second, *_ = opened(slides_file(memo("ratio=3").deck)).slides
    assert [first.shapes.title.height, second.shapes.title.height] == [Inches(2.4), Inches(0.85)]
    assert first.shapes.title.text_frame.paragraphs[0].runs[0].font.size >= Pt(40)
