"""Every picture of every page's default view: what either renderer draws are the columns that its marks name.

The expectation is worked out here from the columns and the fields of the marks, not by the renderers' own code.
"""

from __future__ import annotations

import csv
import io
import json
import pickle
import re
import struct
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from importlib import import_module
from typing import Any

import altair as alt
import numpy as np
import plotly.graph_objects as go
import pytest

from tests.approved.rooms import shown_wall
from tests.cases import inputs_of
from tests.each import each
from ui.documents.charts import FRAMED, drawing_of, framed_specification, picture_file, pixels_of
from ui.link.page_table import PAGES, PageEntry
from ui.pictures import marks as m
from ui.pictures.columns import Column, Misdrawn, Numbers, side_by_side, single
from ui.pictures.description import Renderer
from ui.pictures.palette import palette
from ui.pictures.panels import icon_panels
from ui.pictures.people import IconArray
from ui.pictures.picture import Picture
from ui.pictures.plotly_figure import WIDEST_TITLE
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.choose import ChooseInputs, choose_view
from ui.views.explain import ExplainInputs, explain_view
from ui.views.infer import infer_view
from ui.views.plan import PlanInputs, plan_view
from ui.views.publish import PublishInputs, publish_view
from ui.views.room import ACTIVITIES

VIEWED = [entry for entry in PAGES if entry.fields]
TRACES = {m.Line: 1, m.Band: 1, m.Dots: 1, m.Joins: 1, m.Bars: 1, m.Heat: 1, m.Glass: 2, m.Spot: 1}


def pictures_in(value: Any) -> list[Picture]:
    """All pictures a view holds, however deep."""
    if isinstance(value, Picture):
        return [value]
    if is_dataclass(value) and not isinstance(value, type) and type(value).__module__.startswith("ui."):
        return [found for field in fields(value) for found in pictures_in(getattr(value, field.name))]
    if isinstance(value, (tuple, list)):
        return [found for item in value for found in pictures_in(item)]
    return []


@cache
def pictures_of(entry: PageEntry, style: Style) -> list[Picture]:
    """The pictures of a page's default view."""
    module = import_module(f"ui.views.{entry.stem}")
    return pictures_in(getattr(module, f"{entry.stem}_view")(inputs_of(entry.stem, ())[0], style))


REGRESSION = {"part": "regression", "sums": "own", "sum_xy": "4.2", "compute": "no"}
OTHER_VIEWS = {
    "choose, both": lambda: choose_view(ChooseInputs(secret="both"), Style()),
    "explain, gaussian": lambda: explain_view(ExplainInputs(guarantee="gaussian"), Style(voice="technical")),
    "accuracy, gaussian": lambda: accuracy_view(AccuracyInputs(noise="gaussian"), Style(voice="technical")),
    "publish, groups": lambda: publish_view(PublishInputs(level=2, area=2, more_areas=(4,)), Style(dark=True)),
    "publish, dots": lambda: publish_view(PublishInputs(shown="dots"), Style()),
    "publish, rates of which some are unknown": lambda: publish_view(
        PublishInputs(cell=2, area=25, wanted="ratio", other_cell=2), Style()
    ),
    "infer, a regression that waits": lambda: infer_view(inputs_of("infer", REGRESSION.items())[0], Style()),
    **{f"room, {kind}": partial(shown_wall, kind, Style()) for kind in ACTIVITIES},
    "plan, no cap": lambda: plan_view(PlanInputs(promise="difference"), Style()),
}


def numbers_of(picture: Picture, mark: m.Mark, key: str, *, across: bool) -> np.ndarray:
    """The cells of a column as numbers: their values, or the places of their words from the first row on."""
    column = picture.numbers.column(key)
    rows = range(len(column.values))
    if mark.where is not None:
        chooser = picture.numbers.column(mark.where[0]).values
        rows = [row for row in rows if chooser[row] == mark.where[1]]  # type: ignore[assignment]
    panel = picture.panels[mark.panel]
    axis = panel.x if across else panel.y
    if not axis.rows:
        return np.array([np.nan if column.values[row] is None else float(column.values[row]) for row in rows])
    first = picture.on_axis(mark.panel, across=across)[0]
    places, place, group = {}, 0, None
    for row, word in enumerate(first.values):
        if axis.groups and picture.numbers.column(axis.groups).values[row] != group:
            group = picture.numbers.column(axis.groups).values[row]
            place += 1
        places[row if column is first else word] = place
        place += 1
    return np.array([places[row if column is first else column.values[row]] for row in rows], dtype=float)


def assert_same(drawn: Any, wanted: np.ndarray) -> None:
    """Equal in single precision; what is missing or beyond it is a gap."""
    with np.errstate(over="ignore"):
        wanted = wanted.ravel().astype(np.float32)
    wanted[~np.isfinite(wanted)] = np.nan
    found = np.array(
        [np.nan if value is None else value for value in np.asarray(drawn, dtype=object).ravel()], dtype=float
    )
    found[~np.isfinite(found)] = np.nan
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-30)


def check_figure(picture: Picture) -> None:
    """Trace by trace: the values, the name and the panel."""
    traces = iter(picture.figure.data)
    for mark in picture.marks:
        if isinstance(mark, m.Tiles):
            tiles, _, marks = (next(traces) for _ in range(3))
            told = np.asarray(marks.customdata, dtype=float)
            for place, key in enumerate((mark.group, mark.x, mark.y)):
                assert_same(told[:, place], picture.numbers.column(key).numbers)
            assert sorted(np.asarray(tiles.z)[np.isfinite(tiles.z)]) == pytest.approx(
                sorted(picture.numbers.column(mark.z).numbers), abs=1e-6
            )
            return
        if isinstance(mark, m.Upright) and mark.flag:
            assert next(traces).x[0] == next(traces).x[0] == picture.numbers.column(mark.x).numbers[0]
            continue
        if isinstance(mark, (m.Level, m.Upright)):
            lines = picture.figure.layout.shapes
            at = picture.numbers.column(mark.y if isinstance(mark, m.Level) else mark.x)
            ends = "y0" if isinstance(mark, m.Level) else "x0"
            assert any(shape.type == "line" and shape[ends] == at.numbers[0] for shape in lines)
            if mark.labelled:
                assert any(note.text == at.name for note in picture.figure.layout.annotations)
            continue
        if isinstance(mark, m.Areas):
            check_areas(picture, mark, [next(traces) for _ in {*picture.numbers.column(mark.of).values}])
            bar = next(traces).marker
            assert (bar.cmin, bar.cmax) == (
                np.nanmin(known := picture.numbers.column(mark.z).numbers),
                np.nanmax(known),
            )
            assert bar.colorbar.title.text == picture.numbers.column(mark.z).axis_title
            continue
        drawn = [next(traces) for _ in range(TRACES[type(mark)])]
        check_traces(picture, mark, drawn)
        if isinstance(mark, m.Glass) and mark.low:
            assert_same(next(traces).y, np.array([picture.numbers.column(k).numbers[0] for k in (mark.low, mark.high)]))
    assert next(traces, None) is None


def rings_of(picture: Picture, mark: m.Areas, row: int) -> list[list[tuple[float, float]]]:
    """The rings of a row: its points up to each gap."""
    rings: list[list[tuple[float, float]]] = [[]]
    for of, x, y in zip(*(picture.numbers.column(key).values for key in (mark.of, mark.x, mark.y)), strict=True):
        if of == row and np.isfinite(x):
            rings[-1].append((float(x), float(y)))
        elif of == row:
            rings.append([])
    return [ring for ring in rings if ring]


def mixed(shades: tuple[str, str], share: float) -> list[float]:
    """Red, green and blue between two shades."""
    parts = ([int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in shades)
    return [a + share * (b - a) for a, b in zip(*parts, strict=True)]


def check_areas(picture: Picture, mark: m.Areas, drawn: list[Any]) -> None:
    """A filled outline for each row that has points: its rings, its shade, its words, and a heavy line if chosen."""
    column = picture.numbers.column
    values, names = column(mark.z).numbers, list(column(mark.names).values)
    low, high = np.nanmin(values), np.nanmax(values)
    colours = palette(picture.style.dark)
    assert {trace.fill for trace in drawn} == {"toself"}
    widths = dict.fromkeys((True, False), 0.0)
    for trace in drawn:
        row = names.index(trace.text.split(": ")[0])
        gap = np.array([[np.nan, np.nan]])
        wanted = np.concatenate([part for ring in rings_of(picture, mark, row) for part in (np.array(ring), gap)])
        assert_same(np.column_stack([trace.x, trace.y]), wanted)
        assert str(column(mark.z).cell(row) or "–") in trace.text
        if mark.low and np.isfinite(values[row]):
            assert trace.text.endswith(f"({column(mark.low).cell(row)} … {column(mark.high).cell(row)})")
        widths[bool(mark.chosen and column(mark.chosen).values[row])] = trace.line.width
        if np.isnan(values[row]):
            assert (trace.fillcolor, trace.line.dash) == (colours.ground, "dot")
        else:
            shade = mixed(colours.shades, 0.5 if low == high else (values[row] - low) / (high - low))
            np.testing.assert_allclose([int(trace.fillcolor[at : at + 2], 16) for at in (1, 3, 5)], shade, atol=0.51)
    assert widths[True] > 2 * widths[False] or not widths[False]
    assert picture.figure.layout.yaxis.scaleanchor == "x"


def check_drawn_areas(picture: Picture, mark: m.Areas, layers: list[dict[str, Any]], rows_of: Any) -> None:
    """Documents have the same rings, by value; those without one, and the chosen ones, in layers of their own."""
    column = picture.numbers.column
    values = column(mark.z).numbers
    known, *others = (layer for layer in layers if layer["mark"]["type"] == "geoshape")
    assert known["projection"] == {"type": "identity", "reflectY": True}
    scale = known["encoding"]["color"]["scale"]
    assert scale["domain"] == [np.nanmin(values), np.nanmax(values)]
    assert tuple(scale["range"]) == palette(False).shades
    there = sorted({int(row) for row in column(mark.of).values})
    wanted = [(values[row], rings_of(picture, mark, row)) for row in there if np.isfinite(values[row])]

    def found(layer: dict[str, Any]) -> list[Any]:
        rings = (
            [[tuple(point) for point in ring] for ring in one["geometry"]["coordinates"]] for one in rows_of(layer)
        )
        return sorted(zip((one["z"] for one in rows_of(layer)), rings, strict=True), key=str)

    assert found(known) == sorted(wanted, key=str)
    apart = [[row for row in there if np.isnan(values[row])], [row for row in there if column(mark.chosen).values[row]]]
    outlines = [sorted(rings_of(picture, mark, row) for row in rows) for rows in apart if rows]
    assert [sorted(rings for _, rings in found(layer)) for layer in others] == outlines


def check_traces(picture: Picture, mark: m.Mark, drawn: list[Any]) -> None:
    """The traces of one mark: its columns, under the name of the column that it draws."""
    trace = drawn[-1]
    assert (trace.xaxis or "x") == ("x" if mark.panel == 0 else f"x{mark.panel + 1}")
    column = picture.numbers.column
    if isinstance(mark, m.Heat):
        across, up = np.unique(column(mark.x).numbers), np.unique(column(mark.y).numbers)
        assert_same(trace.customdata, column(mark.z).numbers.reshape(across.size, up.size).T)
        assert_same(trace.x, across)
        assert_same(trace.y, up)
        return
    if isinstance(mark, m.Glass):
        assert_same(trace.y, column(mark.y).numbers)
        assert trace.name == column(mark.y).name
        return
    if isinstance(mark, m.Band):
        x = numbers_of(picture, mark, mark.x, across=True)
        low, high = (numbers_of(picture, mark, key, across=False) for key in (mark.low, mark.high))
        there = np.isfinite(low) & np.isfinite(high)
        drawn = np.array([trace.x, trace.y], dtype=float)
        gaps = np.flatnonzero(np.isnan(drawn[1]))
        assert gaps.size == (np.sum(there & ~np.r_[False, there[:-1]]) - 1 if there.any() else 1)
        outlines = [each[:, ~np.isnan(each[1])] for each in np.split(drawn, gaps, axis=1)]
        forth, back = zip(*(np.hsplit(each, 2) for each in outlines), strict=True)
        lower, upper = np.hstack(forth), np.hstack([each[:, ::-1] for each in back])
        assert_same(lower, np.array([x, low])[:, there])
        assert_same(upper, np.array([x, high])[:, there])
        return
    if isinstance(mark, m.Joins):
        start, end = (numbers_of(picture, mark, key, across=True) for key in (mark.start, mark.end))
        both = np.isfinite(start) & np.isfinite(end)
        assert_same(np.asarray(trace.x, dtype=float)[::3], start[both])
        assert_same(np.asarray(trace.x, dtype=float)[1::3], end[both])
        return
    x, y = (numbers_of(picture, mark, key, across=k) for key, k in ((mark.x, True), (mark.y, False)))
    names_x = getattr(mark, "flat", False) or (isinstance(mark, m.Dots) and picture.panels[mark.panel].y.rows)
    named = column(mark.x if names_x else mark.y).name
    if isinstance(mark, m.Bars):
        named = mark.name or named
        assert len(set(column(mark.where[0]).values)) > 1 if mark.name and mark.where else True
        edge = picture.panels[mark.panel].x.range
        x = np.where(np.isnan(x), edge[1], x) if edge else x
    if isinstance(mark, m.Dots):
        kept = np.isfinite(x) & np.isfinite(y)
        x, y = x[kept] + mark.shift, y[kept]
        if mark.low:
            low, high = (numbers_of(picture, mark, key, across=False)[kept] for key in (mark.low, mark.high))
            np.testing.assert_allclose(np.asarray(trace.error_y.array, dtype=float), high - y, atol=1e-9)
            np.testing.assert_allclose(np.asarray(trace.error_y.arrayminus, dtype=float), y - low, atol=1e-9)
    if isinstance(mark, m.Line):
        kept = np.isfinite(x) & ((x > 0) | (not picture.panels[mark.panel].x.log))
        x, y = x[kept], y[kept]
    assert_same(trace.x, x)
    assert_same(trace.y, y)
    assert trace.name.replace("<br>", "\n") == named.replace("&", "&amp;")


def check_titles(picture: Picture) -> None:
    """Each axis says what its columns measure."""
    for number, panel in enumerate(picture.panels):
        place = "" if number == 0 else str(number + 1)
        for across, axis in ((True, panel.x), (False, panel.y)):
            columns = picture.on_axis(number, across=across)
            title = picture.figure.layout[f"{'x' if across else 'y'}axis{place}"].title.text
            if not axis.titled or not axis.shown or not columns or (not across and (axis.rows or panel.same_rows)):
                assert not title
            elif across and number != len(picture.panels) // 2 and not title:  # several panels say it in the middle
                said = {picture.axis_title(other, across=True) for other in range(len(picture.panels))}
                assert len(picture.panels) > 2
                assert said == {columns[0].axis_title}
            else:
                assert title.replace("<br>", " ").split() == columns[0].axis_title.split()
                assert all(len(line) <= WIDEST_TITLE for line in title.split("<br>"))
                assert columns[0].axis_title in (columns[0].quantity, columns[0].name)


def layers_of(specification: dict[str, Any]) -> list[dict[str, Any]]:
    """All layers with marks of a Vega-Lite specification, each with its data, which may stand above it."""
    found = [specification] if "mark" in specification else []
    for part in ("layer", "hconcat", "vconcat"):
        for inner in specification.get(part, []):
            found += layers_of({"data": specification.get("data", {})} | inner)
    return found


def with_few_rows(part: Any) -> Any:
    """The specification with the first rows of its data: Altair takes milliseconds for each, whatever it holds."""
    if isinstance(part, list):
        return [with_few_rows(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    return {
        key: {name: rows[:3] if isinstance(rows, list) else rows for name, rows in inner.items()}
        if key in ("data", "datasets")
        else with_few_rows(inner)
        for key, inner in part.items()
    }


def check_drawing(picture: Picture) -> None:
    """The drawing of documents has a layer with the very places of each line, symbol, stem and spot, and the titles."""
    specification = drawing_of(picture).specification
    alt.Chart.from_dict(with_few_rows(specification))  # Altair's own check of every property
    layers = layers_of(specification)
    seen = []
    titles = set()
    for layer in layers:
        rows = layer.get("data", {}).get(
            "values", specification.get("datasets", {}).get(layer.get("data", {}).get("name"))
        )
        kind = layer["mark"]["type"]
        seen.append((kind, [(row.get("x"), row.get("y")) for row in rows]))
        for channel in ("x", "y"):
            title = (layer["encoding"].get(channel, {}).get("axis") or {}).get("title")
            titles |= {"\n".join(title) if isinstance(title, list) else title}
    for mark in picture.marks:
        if isinstance(mark, m.Areas):
            check_drawn_areas(picture, mark, layers, lambda layer: specification["datasets"][layer["data"]["name"]])
        if not isinstance(mark, (m.Line, m.Dots, m.Spot)):
            continue
        x, y = (numbers_of(picture, mark, key, across=k) for key, k in ((mark.x, True), (mark.y, False)))
        panel = picture.panels[mark.panel]
        if isinstance(mark, m.Line):
            y = np.where((y > 0) | (not panel.y.log), y, np.nan)
            kept = np.isfinite(x) & ((x > 0) | (not panel.x.log))
        else:
            kept = np.isfinite(x) & np.isfinite(y)
        shifted = x[kept] + getattr(mark, "shift", 0.0)
        if not shifted.size or (isinstance(mark, m.Spot) and panel.x.log and panel.x.range and x[0] < panel.x.range[0]):
            continue
        wanted = [(float(a), float(b) if np.isfinite(b) else None) for a, b in zip(shifted, y[kept], strict=True)]
        assert ("line" if isinstance(mark, m.Line) else "point", wanted) in seen, mark
    for number, panel in enumerate(picture.panels):
        for across, axis in ((True, panel.x), (False, panel.y)):
            columns = picture.on_axis(number, across=across)
            if columns and axis.titled and axis.shown and not (axis.rows and not across):
                assert columns[0].axis_title in titles


@pytest.mark.parametrize("dark", [False, True])
@each("entry", VIEWED, ids=lambda entry: entry.stem)
def test_a_page_draws_the_columns_that_its_marks_name(entry: PageEntry, dark: bool) -> None:
    for picture in pictures_of(entry, Style(dark=dark, large=dark)):
        go.Figure(picture.figure.to_plotly_json())  # Plotly's own check of every property
        check_figure(picture)
        check_titles(picture)


@each("entry", VIEWED, ids=lambda entry: entry.stem)
def test_a_document_draws_the_columns_that_its_marks_name(entry: PageEntry) -> None:
    for picture in pictures_of(entry, Style()):
        check_drawing(picture)


@pytest.mark.parametrize("name", OTHER_VIEWS)
def test_so_do_views_in_other_states(name: str) -> None:
    pictures = pictures_in(OTHER_VIEWS[name]())
    assert pictures
    for picture in pictures:
        check_figure(picture)
        check_titles(picture)
        check_drawing(picture)


def test_the_walk_over_views_finds_their_pictures() -> None:
    assert len(pictures_in(OTHER_VIEWS["choose, both"]())) == 2
    assert sum(len(pictures_of(entry, Style())) for entry in VIEWED) >= 25


@pytest.mark.parametrize("entry", VIEWED, ids=lambda entry: entry.stem)
def test_the_table_is_a_selection_of_the_rows_that_are_drawn(entry: PageEntry) -> None:
    for picture in pictures_of(entry, Style()):
        first = picture.numbers.rows[0]
        if picture.numbers.summary is None:
            listed = [column for column in first.columns if column.listed]
            places = list(range(first.size) if first.listed is None else first.listed)
            assert picture.table.columns == tuple(column.listed_head for column in listed)
            assert [row[0] for row in picture.table.rows] == [listed[0].cell(at) for at in places]
        rows = list(csv.reader(io.StringIO(picture.numbers.as_csv())))
        assert len(rows) == 1 + sum(part.size for part in picture.numbers.rows)
        assert len({len(row) for row in rows}) == 1
        for at, column in enumerate(first.columns):
            cells = [row[at] for row in rows[1 : 1 + first.size]]
            if not column.of_words and first.size:
                exact = [float({"True": "1", "False": "0"}.get(cell, cell or "nan")) for cell in cells]
                np.testing.assert_array_equal(exact, column.numbers)
        assert all(len(set(row)) == len(row) for row in rows[:1]), rows[0]


PRIOR = Column("prior", "prior", np.array([0.1, 0.2]), quantity="belief before")
REACH = Column("reach", "reachable", np.array([0.3, 0.4]), quantity="belief after")
LINE = Column("line", "your line", np.array([0.5, 0.6]), quantity="belief after")
TWO = Picture(
    key="two",
    numbers=Numbers("Two lines", (side_by_side(PRIOR, REACH, LINE), side_by_side(single("at", "half", 0.5)))),
    marks=(m.Line(x="prior", y="reach"), m.Line(x="prior", y="line")),
    reading="It reaches **0.4**.",
    style=Style(),
)


def test_swapped_axes_cannot_be_written_and_a_lone_swap_is_told_by_the_titles() -> None:
    with pytest.raises(Misdrawn, match="columns of one axis must measure the same; got belief after and belief before"):
        replace(TWO, marks=(m.Line(x="prior", y="reach"), m.Line(x="line", y="prior")))
    swapped = replace(TWO, marks=(m.Line(x="reach", y="prior"),))
    assert swapped.figure.layout.xaxis.title.text == "belief after"


def test_what_is_not_there_cannot_be_drawn() -> None:
    with pytest.raises(Misdrawn, match="a mark must name a column of prior, reach, line, at; got 'nothing'"):
        replace(TWO, marks=(m.Line(x="prior", y="nothing"),))
    with pytest.raises(Misdrawn, match="the columns of one mark must stand in the same rows; got at, line"):
        replace(TWO, marks=(m.Line(x="at", y="line"),))
    with pytest.raises(Misdrawn, match="columns must have one length; got prior 2, at 1"):
        side_by_side(PRIOR, single("at", "half", 0.5))
    with pytest.raises(Misdrawn, match="columns must have a key each; got 'prior' twice"):
        Numbers("", (side_by_side(PRIOR), side_by_side(PRIOR)))


def test_a_table_counts_in_its_own_unit_and_a_file_in_that_of_its_values() -> None:
    share = Column("share", "share", [0.25], said=lambda value: f"{100 * value:.0f}", said_in="in 100")
    found = Numbers("", (side_by_side(share),))
    assert (found.table().columns, found.table().rows) == (("share in 100",), (("25",),))
    assert found.as_csv() == "share\n0.25\n"


def test_words_numbers_and_tables_of_a_picture_come_from_its_columns() -> None:
    assert TWO.alt == "It reaches 0.4. Drawn: reachable, your line; across: belief before; up: belief after."
    assert TWO.title == "belief after by belief before"
    assert TWO.table.columns == ("prior", "reachable", "your line")
    assert TWO.numbers.as_csv() == "prior,reachable,your line,half\n0.1,0.3,0.5,\n0.2,0.4,0.6,\n,,,0.5\n"
    assert next(iter(TWO.figure.data)).hovertemplate.endswith("<extra>reachable</extra>")


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_leaves_the_page_with_title_reading_and_source(kind: str) -> None:
    from xml.etree import ElementTree

    picture = pictures_in(choose_view(ChooseInputs(), Style(dark=True)))[0]
    made = picture_file(picture, source="Riskline 0, page “Choose a budget”", kind=kind)
    if kind == "png":
        assert made.startswith(b"\x89PNG\r\n\x1a\n")
        assert len(made) > 10_000
        return
    words = " ".join(
        "".join(part.itertext()) for part in ElementTree.fromstring(made).iter() if part.tag.endswith("text")
    )
    said = "".join(words.split())
    for sentence in (
        picture.title,
        picture.reading.replace("**", ""),
        "Riskline 0, page “Choose a budget”",
        "ε = 1.29",
    ):
        assert "".join(sentence.split()) in said
    assert "http" not in made.decode().replace("http://www.w3.org", "")
    assert "#ffffff" in made.decode()  # always light, whatever the page's theme


def test_a_picture_in_pixels_is_as_sharp_as_where_it_is_shown_asks() -> None:
    def size(png: bytes) -> tuple[int, ...]:
        return struct.unpack(">II", png[16:24])

    drawing = drawing_of(TWO)
    file, sharp = (picture_file(TWO, source="Riskline", kind=kind) for kind in ("svg", "png"))
    for svg, png, times in (
        (drawing.svg, drawing.png, 3),  # printed
        (file.decode(), sharp, 2),
        (SVG := '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="6"/>', pixels_of(SVG), 2),
    ):
        wide, high = (float(re.search(rf'{side}="([0-9.]+)"', svg)[1]) for side in ("width", "height"))
        assert size(png) == pytest.approx((times * wide, times * high), abs=times)


@pytest.mark.parametrize("entry", VIEWED, ids=lambda entry: entry.stem)
def test_a_picture_travels_between_processes_with_its_figure(entry: PageEntry) -> None:
    for picture in pictures_of(entry, Style()):
        sent = pickle.loads(pickle.dumps(picture))
        assert "figure" in sent.__dict__
        assert repr(sent.figure.to_dict()) == repr(picture.figure.to_dict())
        assert sent.table == picture.table
        assert sent.numbers.as_csv() == picture.numbers.as_csv()


def test_titles_break_into_lines_as_long_as_each_other_that_fit_a_phone() -> None:
    long = "how much the others' share of yes changes with the person's own answer"
    rows = side_by_side(
        Column("x", "x", [0.0, 1.0], quantity=long), Column("y", "y", [0.0, 1.0], quantity="a share of all")
    )
    figure = Picture(
        key="broken",
        numbers=Numbers("Two points", (rows,)),
        marks=(m.Line(x="x", y="y"), m.Line(x="x", y="y", panel=1), m.Line(x="x", y="y", panel=2)),
        panels=tuple(m.Panel(title=f"acceptable up to {share} in 100") for share in (10, 25, 50)),
        reading="Two points.",
        style=Style(),
    ).figure
    middle = "how much the others' share of yes<br>changes with the person's own answer"
    assert [figure.layout[f"xaxis{place}"].title.text for place in ("", "2", "3")] == ["", middle, ""]
    titles = [note for note in figure.layout.annotations if note.xanchor == "center"]
    assert [note.text for note in titles] == [f"acceptable up<br>to {share} in 100" for share in (10, 25, 50)]
    np.testing.assert_allclose([note.x for note in titles], [0.157, 0.5, 0.843], atol=0.001)


def test_what_a_bar_says_begins_at_its_foot_and_stands_above_it() -> None:
    rows = side_by_side(
        Column("who", "who", ("one", "two")),
        Column("loss", "loss", [1.0, np.nan], quantity="loss"),
        Column("words", "words", ("as much as a phone has room for", "nothing limits it")),
    )
    figure = Picture(
        key="bars",
        numbers=Numbers("Two bars", (rows,)),
        marks=(m.Bars(x="loss", y="who", flat=True, words="words"),),
        panels=(m.Panel(x=m.Axis(range=(0.0, 2.0)), y=m.Axis(rows=True)),),
        reading="Two bars.",
        style=Style(),
    ).figure
    half = figure.data[0].width / 2
    assert [(note.x, note.y, note.yanchor) for note in figure.layout.annotations] == [
        (0.0, pytest.approx(row - half), "bottom") for row in (0, 1)
    ]


def test_the_words_of_a_low_spot_stand_on_the_axis_and_not_below_it() -> None:
    def note(height: float) -> Any:
        rows = side_by_side(
            Column("x", "x", [0.1], quantity="across"),
            Column("y", "one word after the other in three lines", [height], quantity="up"),
        )
        spot = m.Spot(x="x", y="y", wrapped=14)
        panel = m.Panel(x=m.Axis(range=(0.0, 1.0)), y=m.Axis(range=(0.0, 1.0)))
        shown = Picture(
            key="spot", numbers=Numbers("One", (rows,)), marks=(spot,), panels=(panel,), reading="One.", style=Style()
        )
        return shown.figure.layout.annotations[0]

    assert (note(0.8).y, note(0.8).yanchor) == (0.8, "top")
    assert (note(0.1).y, note(0.1).yanchor) == (0.0, "bottom")


@pytest.mark.parametrize(("axis", "left"), [(m.Axis(), 0.4), (m.Axis(log=True, range=(1e-4, 1.0)), 0.009)])
def test_the_left_half_of_a_logarithmic_axis_ends_at_the_middle_of_its_powers(axis: m.Axis, left: float) -> None:
    numbers = Numbers("n", (side_by_side(Column("x", "x", [0.0, 1.0]), Column("y", "y", [0.0, 1.0])),))
    line, panels = m.Line(x="x", y="y"), (m.Panel(x=axis),)
    drawing = Renderer(Picture(key="k", numbers=numbers, marks=(line,), panels=panels, reading="r", style=Style()))
    assert (drawing.in_left_half(0, left), drawing.in_left_half(0, left + 0.2)) == (True, False)


@pytest.mark.parametrize("above", [True, False])
def test_an_axis_that_stands_above_stands_there_in_a_file_too(above: bool) -> None:
    drawn = json.dumps(framed_specification(replace(TWO, panels=(m.Panel(x=m.Axis(above=above)),)), source="Riskline"))
    assert ('"orient": "top"' in drawn) is above


def test_a_file_of_a_tall_picture_is_as_tall_and_of_a_low_one_as_the_frame() -> None:
    (drawn,) = pictures_of(next(entry for entry in PAGES if entry.stem == "positions"), Style())[:1]
    for height, expected in ((FRAMED[1] + 400, FRAMED[1] + 400), (FRAMED[1] - 100, FRAMED[1])):
        chart = framed_specification(replace(drawn, height=height), source="Riskline")["vconcat"][0]
        assert f'"height": {expected}' in json.dumps(chart)


def test_what_marks_stand_for_is_told_in_a_picture_of_panels_unless_a_document_tells_it_beside() -> None:
    panels = icon_panels("panels", (IconArray("A", "B", 8, 25, 100, "bound"),), Style(), legend="Filled: it is so")
    assert "Filled: it is so" in panels.svg(reading="It is so.", source="Here")
    assert "Filled: it is so" not in panels.svg(reading="", source="")
