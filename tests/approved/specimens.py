"""One small picture for each way of drawing, as both renderers draw it: every line, size, colour and place in words.

Pages are approved by what they say; these pictures by how any page's picture looks. Three or four rows are enough for
every mark, option of a mark and kind of axis.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from tests.approved.prose import in_words, plain_parts
from ui.documents.charts import CONFIG, drawing_of, framed_specification
from ui.pictures import marks as m
from ui.pictures.columns import Column, Numbers, side_by_side, single
from ui.pictures.palette import bare_layout
from ui.pictures.panels import Panels
from ui.pictures.people import IconArray, PeopleGrid
from ui.pictures.picture import Picture
from ui.pictures.ranges import Ranges, ranges_picture
from ui.pictures.style import Style
from ui.pictures.table import Table

FILE = Path(__file__).with_name("specimens.txt")
PROJECTED = Style(dark=True, large=True)

X = Column("x", "budget", np.array([0.1, 0.5, 1.0, 4.0]), quantity="privacy loss", unit="ε")
SHARE = {"quantity": "share"}
BELIEF = {"quantity": "belief after"}
LOW = Column("low", "at least", np.array([0.1, 0.2, 0.3, 0.5]), **BELIEF)
MIDDLE = Column("middle", "in the middle & more", np.array([0.2, 0.4, 0.5, 0.7]), **BELIEF)
HIGH = Column("high", "at most\nof all", np.array([0.3, 0.6, 0.8, 0.9]), **BELIEF)
SOME = Column("some", "some", (0.25, None, 0.0, 0.85), **BELIEF, hover=".2f")
DONE = Column("done", "chosen", (False, True, False, False), listed=False)
KIND = Column("kind", "kind", ("one", "other", "one", "other"), listed=False)
SAID = Column("said", "said", ("a < b", "no limit", "c", "d"), listed=False)
CURVES = side_by_side(X, LOW, MIDDLE, HIGH, SOME, DONE, KIND, SAID)
AT = side_by_side(
    single("at", "half", 0.5, quantity="privacy loss", unit="ε"), single("height", "where\nit is", 0.55, **BELIEF)
)
FAR = side_by_side(
    single("far", "far", 3.0, quantity="privacy loss", unit="ε"), single("top", "near the top", 0.95, **BELIEF)
)

ROWS = side_by_side(
    Column("row", "attacker", ("A", "B", "C & D", "E")),
    Column("from", "before", (0.1, 0.2, None, 0.4), quantity="belief"),
    Column("to", "after", (0.3, 0.25, 0.5, 0.9), quantity="belief"),
    Column("group", "group", ("first", "first", "second", "second"), listed=False),
    Column("taken", "taken", (False, True, False, True), listed=False),
    Column("end", "end", ("3 in 10", "", "no limit", "9 in 10"), listed=False),
)
PLACE = np.repeat([0.1, 0.2, 0.4], 4), np.tile([1.0, 2.0, 3.0, 4.0], 3)
MAP = side_by_side(
    Column("across", "chance", PLACE[0]),
    Column("up", "rounds", PLACE[1]),
    Column("z", "epsilon", 40.0 * PLACE[0] ** 2 * PLACE[1] ** 3),
)
COUNTS = [(g, x, y) for g in (4, 5) for x in (7, 8, 9) for y in (1, 2)]
TILES = side_by_side(
    Column("group", "block", [c[0] for c in COUNTS]),
    Column("across", "group", [c[1] for c in COUNTS]),
    Column("up", "siblings", [c[2] for c in COUNTS]),
    Column("z", "belief", np.array([0.1, 0.2, 0.4, 0.6, 0.9, 0.7, 0.3, 0.6, 0.2, 0.8, 0.9, 0.95])),
    Column("words", "words", ["block count" if c[0] == 4 else "one more" for c in COUNTS]),
)
CHOSEN = side_by_side(single("g", "g", 5), single("c", "c", 8), single("r", "r", 2))


def _of(numbers: Any, *drawn: m.Mark, **more: Any) -> Callable[[Style], Picture]:
    rows = numbers if isinstance(numbers, tuple) else (numbers,)

    def picture(style: Style) -> Picture:
        return Picture(
            key="specimen",
            numbers=Numbers("What **is** drawn", rows),
            marks=drawn,
            reading="It reads **3**.",
            style=style,
            **more,
        )

    return picture


def _ranges(style: Style) -> Picture:
    cells = (Column("cell", "cell", ("a", "b", "c")),)
    low, high = np.array([-2.0, -1, 0]), np.array([1.0, 2, 4])
    ways = [Ranges(f"way {n}", low - n, (low + high) / 2, high + n) for n in range(3)]
    ways.append(Ranges("without a range", low, low, low))
    return ranges_picture(
        "ranges",
        cells,
        ways,
        measured="error",
        said=str,
        caption="Errors",
        reading="They err.",
        style=style,
        breaks=(0, 1, 3),
    )


PICTURES: dict[str, Callable[[Style], Picture]] = {
    "lines, named beside them": _of(
        (CURVES, AT),
        m.Line(x="x", y="low", label=9, role="reach", dash="dash", width=0.5, beside=("right", "top")),
        m.Line(x="x", y="middle", label=1, beside=m.ON_LINE, wrapped=8, hairline=True),
        m.Line(x="x", y="high", label=3, symbols="square", few_symbols=True, dash="longdashdot", shortened=4),
        m.Line(x="x", y="some", hover=False, in_legend=False),
        m.Spot(x="at", y="height"),
        m.Level(y="height"),
    ),
    "lines, named in a legend, on decades": _of(
        (CURVES, AT, FAR),
        m.Line(x="x", y="low", symbols="diamond"),
        m.Line(x="x", y="middle", where=("kind", "one"), role="third"),
        m.Line(x="x", y="middle", where=("kind", "other"), role="third"),
        m.Line(x="x", y="some", label=0, in_legend=False),
        m.Spot(x="at", y="height", in_legend=True, symbol="x", beside=("center", "bottom"), role="fourth"),
        m.Spot(x="far", y="top", boxed=True),
        m.Upright(x="at", at=1.1, beside="left"),
        m.Upright(x="far", at=0.2, beside="center"),
        m.Level(y="top", left=True, heavy=True, role="reach"),
        panels=(m.Panel(x=m.Axis(log=True, range=(0.05, 5.0)), y=m.Axis(log=True, range=(0.01, 1.0))),),
        legend="above",
        told="Told first.",
    ),
    "a band": _of(
        (CURVES, AT, FAR),
        m.Band(x="x", low="low", high="high", edge="reach"),
        m.Band(x="x", low="low", high="middle", in_legend=False),
        m.Line(x="x", y="middle"),
        m.Upright(x="at", flag=True, role="accent"),
        m.Upright(x="far", at=0.7, dash="dash"),
        m.Spot(x="far", y="top", wrapped=6),
        m.Spot(x="at", y="height", wrapped=6, labelled=False),
        panels=(m.Panel(x=m.Axis(zero=True, every=0.5), y=m.Axis(range=(-0.2, 1.0), zero=True, grid=False)),),
        legend="below",
    ),
    "dots": _of(
        CURVES,
        m.Dots(x="x", y="middle", low="low", high="high", shift=-0.1, symbol="diamond"),
        m.Dots(x="x", y="some", chosen="done", role="reach", words="said"),
        m.Dots(x="x", y="high", outlined=True, size=12, symbol="circle-open", where=("kind", "one")),
        panels=(m.Panel(x=m.Axis(ticks=((0.1, "a tenth"), (4.0, "four"))), y=m.Axis(titled=False)),),
        legend="above right",
    ),
    "lying bars in rows, with dots": _of(
        ROWS,
        m.Bars(x="to", y="row", flat=True, thin=True),
        m.Dots(x="to", y="row", symbol="x"),
        panels=(m.Panel(y=m.Axis(rows=True, chosen="taken")),),
    ),
    "rows in groups, joined, in two panels": _of(
        ROWS,
        m.Joins(start="from", end="to", y="row"),
        m.Dots(x="from", y="row"),
        m.Dots(x="to", y="row", symbol="square", role="reach", chosen="taken"),
        m.Bars(x="to", y="row", flat=True, panel=1),
        panels=(
            m.Panel(y=m.Axis(rows=True, groups="group", chosen="taken"), title="Before & after", share=2.0),
            m.Panel(y=m.Axis(rows=True, groups="group"), same_rows=True, title="After"),
        ),
        gap=0.1,
    ),
    "bars up": _of(
        CURVES,
        m.Bars(x="x", y="low"),
        m.Bars(x="x", y="some", pattern="/", role="reach", where=("kind", "one"), name="one"),
    ),
    "bars stacked to the right": _of(
        ROWS,
        m.Bars(x="from", y="row", flat=True, name="before it"),
        m.Bars(x="to", y="row", flat=True, thin=True, pattern="x", role="third"),
        panels=(m.Panel(x=m.Axis(range=(0.0, 2.0)), y=m.Axis(rows=True)),),
    ),
    "bars without a limit": _of(
        ROWS,
        m.Bars(x="from", y="row", flat=True, words="end", role="fourth"),
        m.Bars(x="to", y="row", flat=True, words="end", where=("group", "second")),
        panels=(m.Panel(x=m.Axis(range=(0.0, 2.0), shown=False), y=m.Axis(rows=True)),),
    ),
    "words across": _of(
        ROWS,
        m.Dots(x="row", y="to"),
        m.Dots(x="row", y="from", role="third"),
        panels=(m.Panel(x=m.Axis(rows=True, breaks=(2,))),),
    ),
    "more words across than are written": _of(
        side_by_side(Column("n", "cell", [f"c{n}" for n in range(50)]), Column("v", "error", np.arange(50.0))),
        m.Dots(x="n", y="v"),
        panels=(m.Panel(x=m.Axis(rows=True)),),
    ),
    "a map": _of(MAP, m.Heat(x="across", y="up", z="z", ceiling=50.0)),
    "tiles": _of(
        (TILES, CHOSEN),
        m.Tiles(
            group="group",
            x="across",
            y="up",
            z="z",
            words="words",
            names=("out", "in"),
            hover="%{customdata[3]}",
            chosen=("g", "c", "r"),
        ),
    ),
    "tiles, nothing chosen": _of(
        TILES, m.Tiles(group="group", x="across", y="up", z="z", words="words", names=("out", "in"), hover="")
    ),
    "glasses": _of(
        (
            side_by_side(
                single("full", "right", 0.95, **SHARE),
                single("half", "guess", 0.5, **SHARE),
                single("from", "from", 0.4, **SHARE),
                single("to", "to", 0.6, **SHARE),
            ),
        ),
        m.Glass(y="full"),
        m.Glass(y="half", low="from", high="to", panel=1, role="reach"),
        panels=(
            m.Panel(x=m.Axis(shown=False), y=m.Axis(range=(0.0, 1.0), shown=False)),
            m.Panel(x=m.Axis(shown=False, range=(-1.0, 1.0)), y=m.Axis(shown=False)),
        ),
    ),
    "ranges side by side": _ranges,
}
ICONS = (
    IconArray("The bound", "at most & no more", 12, 31, 100, "bound"),
    IconArray("Exactly", "fewer", 31, 12, 100, "exact"),
    IconArray("Exactly more", "more", 3, 5, 100, "exact"),
    IconArray("Small", "of many", 150, 472, 10_000, "every_view"),
)
GRIDS = (
    PeopleGrid("Most likely", (("men & boys", 5, 3), ("women", 9, 10), ("others", 1, 1))),
    PeopleGrid("A large block", (("men", 50, 40), ("women", 20, 33))),
)


def specimens_in_words() -> str:
    """All of them, the projected look by what it changes."""
    lines = ["# Empty, for pages", *_lines("layout", bare_layout(dark=False, large=False)), ""]
    lines += ["# Empty, projected", *_lines("layout", bare_layout(dark=True, large=True)), ""]
    lines += ["# For documents", _compact(CONFIG), ""]
    for name, picture_for in PICTURES.items():
        here, there = (list(_drawn(picture_for(style))) for style in (Style(), PROJECTED))
        lines += [f"# {name[0].upper()}{name[1:]}", *in_words(picture_for(Style())), "", "## On a page", *here, ""]
        lines += ["## Projected", *(line for line in there if line not in here), ""]
        lines += ["## In a document", *_charted(drawing_of(picture_for(Style())).specification), ""]
    framed = framed_specification(PICTURES["dots"](Style()), source="Riskline, page “Specimens”")
    lines += ["# A file of a picture", *_charted(framed), ""]
    for name, drawn in (("People", ICONS), ("Blocks of people", GRIDS)):
        panels = (Panels(name, drawn, Table("", (), ()), style) for style in (Style(), PROJECTED))
        here, there = (list(_shapes(each.html)) for each in panels)
        lines += [f"# {name}", *here, "", "## Projected", *(line for line in there if line not in here), ""]
    return "\n".join(lines).rstrip() + "\n"


def _compact(part: Any) -> str:
    return json.dumps(_rounded(part), ensure_ascii=False)


def _rounded(part: Any) -> Any:
    """Numbers to six digits: arrays that were packed as lists, whole numbers without a point."""
    if isinstance(part, np.ndarray):
        return _rounded(part.tolist())
    if isinstance(part, dict):
        return {name: _rounded(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_rounded(value) for value in part]
    if isinstance(part, np.generic):
        return _rounded(part.item())
    return float(f"{part:.6g}") if isinstance(part, float) else part


def _lines(name: str, part: dict[str, Any]) -> Iterator[str]:
    yield from (f"{name} {key}: {_compact(value)}" for key, value in part.items())


def _drawn(picture: Picture) -> Iterator[str]:
    """The traces of a figure, and of its layout what differs from an empty one."""
    plain = plain_parts(picture.figure.to_plotly_json())
    bare = bare_layout(dark=picture.style.dark, large=picture.style.large)
    for trace in plain["data"]:
        yield f"trace {_compact(trace)}"
    for key, value in plain["layout"].items():
        if key in ("annotations", "shapes"):
            yield from (f"{key.removesuffix('s')} {_compact(part)}" for part in value)
        elif isinstance(value, dict):
            usual = bare.get(re.sub(r"\d+$", "", key), {})
            changed = {name: part for name, part in value.items() if name not in usual or usual[name] != part}
            if changed:
                yield f"{key} {_compact(changed)}"
        elif bare.get(key) != value:
            yield f"{key} {_compact(value)}"


def _charted(specification: dict[str, Any]) -> Iterator[str]:
    """The parts of a specification for documents, each with its rows beside it."""
    rows = specification.get("datasets", {})
    seen: set[str] = set()

    def parts(part: dict[str, Any], depth: int) -> Iterator[str]:
        inner = [(key, part[key]) for key in ("vconcat", "hconcat", "layer") if key in part]
        own = {
            key: value
            for key, value in part.items()
            if key not in ("vconcat", "hconcat", "layer", "datasets", "config", "$schema")
        }
        if isinstance(own.get("data"), dict) and "name" in own["data"]:
            own["data"] = rows[own["data"]["name"]]
        for channel in ("x", "y"):
            axis = _compact(own.get("encoding", {}).get(channel, {}))
            if axis in seen and "axis" in axis:
                own["encoding"] = own["encoding"] | {channel: "as before"}
            seen.add(axis)
        yield "  " * depth + f"{inner[0][0] + ' ' if inner else ''}{_compact(own)}"
        for _, below in inner:
            for one in below:
                yield from parts(one, depth + 1)

    yield from parts(specification, 0)


def _shapes(source: str) -> Iterator[str]:
    """The elements of a drawing of ours; of many alike how many, the first and the last."""
    pieces = [html.unescape(piece) for piece in re.split(r"(?=<(?!/|title|strong))", source) if piece]
    for _, run in groupby(pieces, key=lambda piece: re.sub(r' (d|x|y)="[^"]*"', "", piece)):
        alike = list(run)
        yield alike[0] if len(alike) == 1 else f"{len(alike)} × {alike[0]} … {alike[-1]}"
