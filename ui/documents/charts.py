"""A described picture as an Altair chart, for documents and downloads: rendered by vl-convert, without a browser and
without the network, always in light colours.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import vl_convert
from altair.utils.schemapi import disable_debug_mode

from dpcore._cache import cached_by_size
from ui.pictures import marks as m
from ui.pictures.decision_tiles import tile_places
from ui.pictures.description import Description, FloatArray, Renderer
from ui.pictures.palette import LIGHT
from ui.words.markdown import shortened, without_marks

disable_debug_mode()  # checking each part as it is made takes a quarter of the time; tests check the whole
Chart: Any = alt.Chart  # the type lists hundreds of colour names
DASHES = {"solid": [1, 0], "dash": [7, 4], "dot": [2, 3], "dashdot": [7, 3, 2, 3], "longdash": [11, 4]}
DASHES |= {"longdashdot": [11, 3, 2, 3]}
SHAPES = {"circle": "circle", "square": "square", "diamond": "diamond", "triangle-up": "triangle-up", "x": "cross"}
SHAPES |= {"star-diamond": "diamond", "x-thin": "cross"}
CONFIG = {"aria": False, "font": "sans-serif", "view": {"stroke": None}, "axis": {"gridColor": LIGHT.grid}}
TITLE: Any = {"anchor": "start", "fontSize": 15, "subtitleFontSize": 12, "subtitleColor": LIGHT.ink, "offset": 14}
SIZE = 11
LETTER = 6.2  # width of a letter of that size, on average
STROKE = 2.4
FRAMED = (640, 340)
LEAST = 1e-3  # smallest value of a quantity shown in colours, on a logarithmic scale
RAMP = [LIGHT.accent, LIGHT.ground, LIGHT.reach]


@dataclass(frozen=True)
class Drawing:
    """A picture as its Vega-Lite specification, rendered as SVG or as PNG when it is asked for."""

    key: str
    specification: dict[str, Any]

    @property
    def svg(self) -> str:
        """The picture as vectors."""
        return _kept_vectors(json.dumps(self.specification))

    @property
    def png(self) -> bytes:
        """The picture in three pixels a point."""
        return _pixels(json.dumps(self.specification), 3)


def _vectors(specification: str) -> str:
    return str(vl_convert.vegalite_to_svg(specification, allowed_base_urls=[]))


_kept_vectors = cached_by_size()(_vectors)


def _pixels(specification: str, scale: int) -> bytes:
    return bytes(vl_convert.vegalite_to_png(specification, scale=scale, allowed_base_urls=[]))


def drawing_of(picture: Description, *, width: int = 470, height: int = 185) -> Drawing:
    """The drawing of a picture for a document, which says its reading itself."""
    chart = _Chart(picture, width, height)
    return Drawing(picture.key, chart.specification(chart.made()))


def picture_file(picture: Description, *, source: str, kind: str) -> bytes:
    """A picture as a file of its own, "svg" or "png": with title, reading and source line, kept nowhere."""
    specification = json.dumps(framed_specification(picture, source=source))
    return _pixels(specification, 2) if kind == "png" else _vectors(specification).encode()


def pixels_of(svg: str) -> bytes:
    """A drawing of our own in two pixels a point."""
    return bytes(vl_convert.svg_to_png(svg, scale=2))


def framed_specification(picture: Description, *, source: str) -> dict[str, Any]:
    """The specification of a picture with its title and reading above it and a source line below."""
    width, height = FRAMED
    chart = _Chart(picture, width, max(height, picture.height))
    letters = int(width / 5.6)
    told = textwrap.wrap(without_marks(picture.reading), letters)
    named = textwrap.wrap(picture.title.replace("\n", " "), int(width / 8))
    title = alt.TitleParams(named, subtitle=told, **TITLE)
    foot = _text(source, 0, 12, LIGHT.quiet, size=10).properties(width=width, height=14)
    whole = alt.vconcat(chart.made(), foot, spacing=12, title=title, background=LIGHT.ground, padding=14)
    return chart.specification(whole)


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _rings(points: FloatArray) -> list[list[list[float]]]:
    """Outlines with gaps between as lists of points."""
    parts = np.split(points, np.flatnonzero(np.isnan(points[:, 0])))
    return [ring for part in parts if (ring := part[~np.isnan(part[:, 0])].tolist())]


def _text(words: str, x: float, y: float, colour: str, *, size: int = SIZE) -> Any:
    """Words at a place of a chart, in points from its corner."""
    look = {"align": "left", "baseline": "middle", "color": colour, "fontSize": size}
    mark = Chart(alt.Data(values=[{"t": words}])).mark_text(**look)
    return mark.encode(text=alt.Text("t:N"), x=alt.XValue(x), y=alt.YValue(y))


class _Chart(Renderer):
    """The layers of one picture while they are made."""

    def __init__(self, picture: Description, width: int, height: int) -> None:
        super().__init__(picture)
        self.width, self.height = width, height
        self.layers: list[list[Any]] = [[] for _ in picture.panels]
        self.named: dict[str, tuple[str, str, str]] = {}
        self.said: set[str] = set()
        self.stacked: dict[int, FloatArray] = {}
        self.panel = 0
        self.rows: dict[str, list[dict[str, Any]]] = {}

    def made(self) -> Any:
        for mark in self.picture.marks:
            self.panel = mark.panel
            self.draw(mark)
        shares = [panel.share for panel in self.picture.panels]
        charts = []
        for panel, layers in zip(self.picture.panels, self.layers, strict=True):
            size: dict[str, Any] = {"width": int(self.width * panel.share / sum(shares)), "height": self.height}
            if panel.title:
                size["title"] = alt.TitleParams(panel.title, fontSize=12)
            charts.append(alt.layer(*layers, **size))
        whole: Any = charts[0] if len(charts) == 1 else alt.hconcat(*charts, spacing=10)
        self.named = {name: style for name, style in self.named.items() if name not in self.said}
        if self.named and (self.picture.legend or len(self.named) > 1):
            whole = alt.vconcat(self._legend(), whole, spacing=6)
        return whole

    def _legend(self) -> Any:
        """The names that are not on the picture, in lines above it."""
        parts: list[Any] = []
        x, y = 0.0, 8.0
        for name, (colour, dash, shape) in self.named.items():
            long = 40 + LETTER * len(name)
            if x and x + long > self.width:
                x, y = 0.0, y + 18
            if shape:
                place = Chart(self.data(t=[name])).encode(x=alt.XValue(x + 10), y=alt.YValue(y))
                parts.append(place.mark_point(**self.symbol(shape), color=colour, size=60))
            else:
                ends = {"x": alt.XValue(x), "x2": alt.X2Value(x + 20), "y": alt.YValue(y)}
                rule = Chart(self.data(t=[name])).mark_rule(color=colour, strokeDash=DASHES[dash], strokeWidth=STROKE)
                parts.append(rule.encode(**ends))
            parts.append(_text(name, x + 26, y, colour))
            x += long
        return alt.layer(*parts, width=self.width, height=y + 8)

    # what every mark needs

    def add(self, chart: Any, **fields: Any) -> None:
        """A layer on the axes of its panel; `fields` are encodings beside the places."""
        self.layers[self.panel].append(chart.encode(x=self.axis(across=True), y=self.axis(across=False), **fields))

    def put(self, kind: str, columns: dict[str, Any], fields: dict[str, Any] | None = None, **style: Any) -> None:
        """A layer of one kind of mark with these columns, of which x2 and y2 are the other ends."""
        ends = {"x2": alt.X2("x2:Q"), "y2": alt.Y2("y2:Q")}
        drawn = getattr(Chart(self.data(**columns)), f"mark_{kind}")(**style)
        self.add(drawn, **(fields or {}), **{name: ends[name] for name in ends if name in columns})

    def data(self, **columns: Iterable[Any]) -> Any:
        """Columns as the data of a chart, by name: Altair copies what it holds for each encoding. No infinities."""
        name = f"rows_{len(self.rows)}"
        rows = zip(*columns.values(), strict=True)
        self.rows[name] = [dict(zip(columns, map(_plain, row), strict=True)) for row in rows]
        return alt.NamedData(name=name)

    def specification(self, whole: Any) -> dict[str, Any]:
        """A chart of these layers for Vega-Lite, with their rows; set here, for `properties` copies all of it."""
        whole.config = CONFIG
        found: dict[str, Any] = whole.to_dict(validate=False)
        return found | {"datasets": found.get("datasets", {}) | self.rows}

    def axis(self, *, across: bool) -> Any:
        described = self.picture.axis(self.panel, across=across)
        channel, name = (alt.X, "x:Q") if across else (alt.Y, "y:Q")
        title = self.picture.axis_title(self.panel, across=across) if described.titled and described.shown else ""
        scale: dict[str, Any] = {"nice": described.range is None, "zero": described.zero}
        axis: dict[str, Any] = {"title": title.split("\n") or None, "grid": described.grid, "tickCount": 8}
        if described.above:
            axis["orient"] = "top"
        if described.log:
            scale["type"] = "log"
            axis |= {"grid": False, "labelOverlap": True}
        if described.range is not None:
            scale["domain"] = list(described.range)
        if described.ticks:
            axis |= self._written(described.ticks)
        if described.every is not None:
            axis |= {"tickMinStep": described.every}
        placed = [tile_places(self.picture, mark) for mark in self.picture.marks if isinstance(mark, m.Tiles)]
        if placed and across:
            axis |= self._written((at, words.replace("\n", ", ")) for words, at in placed[0].panels) | {"grid": False}
        if not described.shown:
            return channel(name, axis=None, scale=alt.Scale(**scale))
        if described.rows:
            places = self.picture.places(self.panel, across=across)
            number = len(places.words)
            step = max(1, -(-number // 24)) if across else 1
            axis |= self._written([(at, words) for at, words in enumerate(places.words)][::step]) | {"grid": False}
            scale |= {"domain": [-0.6, number - 0.4], "nice": False}
            if places.headings:
                heading = {"test": f"indexof({list(places.headings)}, datum.value) >= 0", "value": "bold"}
                axis |= {"labelFontWeight": {"condition": heading, "value": "normal"}}
            if not across:
                axis |= {"title": None, "ticks": False}
                scale |= {"reverse": True}
            if self.picture.panels[self.panel].same_rows:
                axis |= {"labels": False}
        if "values" in axis:
            axis.pop("tickCount")
        return channel(name, axis=alt.Axis(**axis), scale=alt.Scale(**scale))

    @staticmethod
    def _written(ticks: Iterable[tuple[float, str]]) -> dict[str, Any]:
        said = {at: f"abs(datum.value / {at or 1} - {int(at != 0)}) < 1e-6 ? {json.dumps(t)}" for at, t in ticks}
        return {"values": list(said), "labelExpr": f"{' : '.join(said.values())} : ''", "labelLimit": 260}

    def say(self, words: str, x: float, y: float, colour: str, beside: tuple[str, str]) -> None:
        """Words on the picture with a rim of its ground, so that they can be read on a line."""
        across, up = beside
        shift = {"dx": {"left": 6, "right": -6}.get(across, 0), "dy": {"bottom": -3, "top": 4}.get(up, 0)}
        style = {"align": across, "baseline": up, "fontSize": SIZE, "lineBreak": "\n"} | shift
        place = Chart(self.data(x=[x], y=[y], t=[words]))
        self.add(place.mark_text(**style, color=LIGHT.ground, stroke=LIGHT.ground, strokeWidth=3), text=alt.Text("t:N"))
        self.add(place.mark_text(**style, color=colour), text=alt.Text("t:N"))
        self.said.add(words)

    def legend(self, name: str, colour: str, *, dash: str = "solid", shape: str = "") -> None:
        self.named.setdefault(name, (colour, dash, shape))

    @staticmethod
    def symbol(name: str) -> dict[str, Any]:
        shape = SHAPES[name.removesuffix("-open")]
        return {"shape": shape, "filled": not name.endswith("-open"), "opacity": 1}

    @staticmethod
    def colour(role: str) -> str:
        return str(getattr(LIGHT, role))

    # marks

    def line(self, mark: m.Line) -> None:
        x, y = self.along(mark)
        if self.picture.axis(mark.panel, across=False).log:
            y = np.where(y > 0, y, np.nan)
        if not x.size:
            return
        colour, name = self.colour(mark.role), self.column(mark.y).name
        style = {"color": colour, "strokeDash": DASHES[mark.dash], "strokeWidth": 1 if mark.hairline else STROKE}
        if mark.joined:
            self.put("line", {"i": range(x.size), "x": x, "y": y}, {"order": alt.Order("i:Q")}, **style, clip=True)
        if mark.symbols:
            some = slice(None, None, max(1, x.size // 9) if mark.few_symbols else 1)
            drawn = self.symbol(mark.symbols) | {"color": colour, "size": 45, "clip": True}
            self.put("point", {"x": x[some], "y": y[some]}, **drawn)
        if mark.in_legend:
            self.legend(name, colour, dash=mark.dash, shape="")
        if (at := self.named_at(mark, y)) is not None:
            self.say(shortened(name, mark.shortened), float(x[at]), float(y[at]), colour, mark.beside)

    def band(self, mark: m.Band) -> None:
        x, low, high = self.x(mark, mark.x), self.y(mark, mark.low), self.y(mark, mark.high)
        self.put("area", {"x": x, "y": low, "y2": high}, color=self.colour(mark.role), clip=True, opacity=1)
        if mark.edge:
            order: dict[str, Any] = {"order": alt.Order("i:Q")}
            style: dict[str, Any] = {"color": self.colour(mark.edge), "strokeWidth": 1, "clip": True}
            for side in (low, high):
                self.put("line", {"i": range(x.size), "x": x, "y": side}, order, **style)
        if mark.in_legend:
            self.legend(self.column(mark.high).name, self.colour(mark.edge or "accent"))

    def dots(self, mark: m.Dots) -> None:
        x, y = self.x(mark, mark.x) + mark.shift, self.y(mark, mark.y)
        kept = ~(np.isnan(x) | np.isnan(y))
        colour = self.colour(mark.role)
        if mark.low:
            low, high = self.y(mark, mark.low)[kept], self.y(mark, mark.high)[kept]
            self.put("rule", {"x": x[kept], "y": low, "y2": high}, color=colour, strokeWidth=2)
        size = np.full(x.size, 7.0 * mark.size)
        if mark.chosen:
            chosen = self.column(mark.chosen).values
            size[[bool(chosen[row]) for row in self.drawn_rows(mark)]] *= 2.5
        drawn, sizes = self.symbol(mark.symbol), {"size": alt.Size("s:Q", scale=None, legend=None)}
        self.put("point", {"x": x[kept], "y": y[kept], "s": size[kept]}, sizes, **drawn, color=colour, strokeWidth=1.5)
        on_rows = self.picture.axis(mark.panel, across=False).rows
        self.legend(self.column(mark.x if on_rows else mark.y).name, colour, shape=mark.symbol)

    def joins(self, mark: m.Joins) -> None:
        start, end, y = self.x(mark, mark.start), self.x(mark, mark.end), self.y(mark, mark.y)
        both = ~(np.isnan(start) | np.isnan(end))
        places = {"x": start[both], "x2": end[both], "y": y[both]}
        self.put("rule", places, color=self.colour("quiet"), strokeDash=DASHES["dot"])

    def bars(self, mark: m.Bars) -> None:
        x, y = self.x(mark, mark.x), self.y(mark, mark.y)
        style: dict[str, Any] = {"color": self.colour(mark.role), "opacity": 0.6 if mark.pattern else 1}
        lengths, places = (x, y) if mark.flat else (y, x)
        ends = self.bar_ends(mark, lengths)
        half = 0.15 if mark.thin else 0.33
        if not mark.flat:
            apart = np.diff(np.unique(self.column(mark.x).numbers))
            half = 0.44 * float(apart.min()) if apart.size else 0.44
        start = np.zeros(ends.size)
        if mark.flat and not mark.words:
            start = self.stacked.get(mark.panel, start)
            self.stacked[mark.panel] = ends = start + ends
        sides = {"x": start, "x2": ends, "y": places - half, "y2": places + half}
        if not mark.flat:
            sides = {"x": places - half, "x2": places + half, "y": start, "y2": ends}
        self.put("rect", sides, **style)
        named = mark.name or self.column(mark.x if mark.flat else mark.y).name
        self.legend(named, self.colour(mark.role), shape="square")
        if mark.words:
            for at, row in enumerate(self.drawn_rows(mark)):
                words = str(self.column(mark.words).values[row])
                free = bool(np.isnan(lengths[at]))
                place = 0.0 if free else float(ends[at])
                self.say(words, place, float(y[at]), LIGHT.ground if free else LIGHT.ink, ("left", "middle"))

    def heat(self, mark: m.Heat) -> None:
        x, y, z = (self.column(key).numbers for key in (mark.x, mark.y, mark.z))
        step_x, step_y = (float(np.diff(np.unique(values))[0]) for values in (x, y))
        cells = {"x": x - step_x, "x2": x, "y": y - step_y, "y2": y}
        cells = {name: np.round(ends, 6) for name, ends in cells.items()} | {"z": np.clip(z, LEAST, mark.ceiling)}
        scale = alt.Scale(scheme="blues", type="log", clamp=True)
        colour = alt.Color("z:Q", title=self.column(mark.z).name, scale=scale, legend=alt.Legend(tickCount=5))
        self.put("rect", cells, {"color": colour})

    def areas(self, mark: m.Areas) -> None:
        low, high = self.shades(mark)
        z, names, chosen = self.column(mark.z).numbers, self.column(mark.names).values, self.chosen(mark)
        rows, points = zip(*self.outlines(mark), strict=True)
        rings = [_rings(one) for one in points]
        shade = alt.Scale(domain=[low, high], range=list(LIGHT.shades), interpolate="rgb")
        colour = alt.Color("z:Q", title=self.column(mark.z).axis_title, scale=shade, legend=alt.Legend(tickCount=5))

        def drawn(kept: list[int], fields: dict[str, Any], **style: Any) -> None:
            shapes = [{"type": "Polygon", "coordinates": rings[at]} for at in kept]
            some = self.data(type=["Feature"] * len(kept), geometry=shapes, z=[z[rows[at]] for at in kept])
            layer = Chart(some).mark_geoshape(**style).encode(**fields)
            self.layers[self.panel].append(layer.project(type="identity", reflectY=True))

        known = [at for at, row in enumerate(rows) if np.isfinite(z[row])]
        drawn(known, {"color": colour}, stroke=LIGHT.quiet, strokeWidth=0.7)
        unknown = [at for at in range(len(rows)) if at not in known]
        if unknown:
            drawn(unknown, {}, filled=False, stroke=LIGHT.quiet, strokeDash=DASHES["dot"])
        heavy = [at for at, row in enumerate(rows) if row in chosen]
        if heavy:
            drawn(heavy, {}, filled=False, stroke=LIGHT.mark, strokeWidth=STROKE)
            x, y = zip(*(self.middle(points[at]) for at in heavy), strict=True)
            words = Chart(self.data(x=x, y=y, t=[str(names[rows[at]]) for at in heavy]))
            places = {"longitude": "x:Q", "latitude": "y:Q", "text": "t:N"}
            for style in ({"stroke": LIGHT.ground, "strokeWidth": 3}, {}):
                text = words.mark_text(fontSize=SIZE, color=LIGHT.ink, **style).encode(**places)
                self.layers[self.panel].append(text.project(type="identity", reflectY=True))

    def tiles(self, mark: m.Tiles) -> None:
        placed = tile_places(self.picture, mark)
        z, place, up = self.column(mark.z).numbers, placed.across, self.column(mark.y).numbers
        colour = alt.Color("z:Q", scale=alt.Scale(domain=[0, 0.5, 1], range=RAMP, interpolate="rgb"), legend=None)
        tiles = {"x": place - 0.5, "x2": place + 0.5, "y": up - 0.5, "y2": up + 0.5, "z": z}
        self.put("rect", tiles, {"color": colour})
        edge = {"i": range(len(placed.edge_x)), "x": placed.edge_x, "y": placed.edge_y}
        self.put("line", edge, {"order": alt.Order("i:Q")}, color=LIGHT.ink, strokeWidth=1.6)
        for name, shade in zip(mark.names, (LIGHT.accent, LIGHT.reach), strict=True):
            self.legend(name, shade, shape="square")
        if placed.chosen is not None:
            chosen = {"x": [placed.chosen[0]], "y": [placed.chosen[1]]}
            self.put("point", chosen, shape="diamond", filled=True, opacity=1, size=110, color=LIGHT.mark)

    def glass(self, mark: m.Glass) -> None:
        named = self.column(mark.y)
        value, colour = float(named.numbers[0]), self.colour(mark.role)
        glass = {"x": [-0.4], "x2": [0.4], "y": [0.0]}
        self.put("rect", glass | {"y2": [value]}, color=colour)
        self.put("rect", glass | {"y2": [1.0]}, filled=False, stroke=LIGHT.quiet)
        self.say(str(named.cell(0)), 0.0, 1.0 if value > 0.92 else value, colour, ("center", "bottom"))
        self.say(named.name, 0.0, 0.0, LIGHT.quiet, ("center", "top"))
        if mark.low:
            low, high = (float(self.column(key).numbers[0]) for key in (mark.low, mark.high))
            self.put("rule", {"x": [0.3], "y": [low], "y2": [high]}, color=LIGHT.ink, strokeWidth=2)

    def spot(self, mark: m.Spot) -> None:
        x, y = float(self.x(mark, mark.x)[0]), float(self.y(mark, mark.y)[0])
        axis = self.picture.axis(mark.panel, across=True)
        if np.isnan(x) or np.isnan(y) or (axis.log and axis.range is not None and x < axis.range[0]):
            return
        name, colour = self.column(mark.y).name, self.colour(mark.role)
        self.put("point", {"x": [x], "y": [y]}, **self.symbol(mark.symbol), size=95, color=colour)
        if mark.in_legend:
            self.legend(name, colour, shape=mark.symbol)
        if mark.labelled:
            side = "left" if self.in_left_half(mark.panel, x) else "right"
            if mark.wrapped:
                name = "\n".join(textwrap.wrap(name, mark.wrapped))
            self.say(name, x, y, colour, mark.beside or (side, "bottom" if mark.boxed else "top"))

    def level(self, mark: m.Level) -> None:
        column, colour = self.column(mark.y), self.colour(mark.role)
        dash = DASHES["solid" if mark.heavy else mark.dash]
        style = {"color": colour, "strokeWidth": 2 if mark.heavy else 1, "strokeDash": dash}
        data = Chart(self.data(y=[float(column.numbers[0])], t=[column.name]))
        up = self.axis(across=False)
        self.layers[self.panel].append(data.mark_rule(**style).encode(y=up))
        if mark.labelled:
            words = data.mark_text(align="left" if mark.left else "right", dy=-6, color=colour, fontSize=SIZE)
            x = alt.XValue(2 if mark.left else "width")
            self.layers[self.panel].append(words.encode(x=x, y=up, text=alt.Text("t:N")))

    def upright(self, mark: m.Upright) -> None:
        column, colour = self.column(mark.x), self.colour(mark.role)
        style = {"color": colour, "strokeWidth": 1.5, "strokeDash": DASHES["solid" if mark.flag else mark.dash]}
        data = Chart(self.data(x=[float(column.numbers[0])], t=[column.name]))
        across = self.axis(across=True)
        self.layers[self.panel].append(data.mark_rule(**style).encode(x=across))
        if mark.labelled:
            at = 0.94 if mark.flag else min(mark.at, 1.0)
            shift = {"left": 5, "right": -5}.get(mark.beside, 0)
            words = data.mark_text(align=mark.beside, dx=shift, color=colour, fontSize=SIZE, lineBreak="\n")
            y = alt.YValue(-6 if mark.at > 1 else (1 - at) * self.height + (6 if at > 0.5 else -6))
            self.layers[self.panel].append(words.encode(x=across, y=y, text=alt.Text("t:N")))
