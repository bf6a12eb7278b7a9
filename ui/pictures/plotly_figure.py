"""A described picture as a Plotly figure, for pages."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.basedatatypes import BaseFigure

from ui.pictures import marks as m
from ui.pictures.columns import Column
from ui.pictures.decision_tiles import tile_places
from ui.pictures.description import Description, FloatArray, Renderer
from ui.pictures.palette import Palette, bare_layout, palette, shaded, veiled
from ui.words.markdown import shortened

Trace = dict[str, Any]
LEGENDS: dict[str, dict[str, Any]] = {
    "above": {"x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
    "above right": {"x": 1, "xanchor": "right", "y": 1.02, "yanchor": "bottom"},
    "below": {"x": 0, "xanchor": "left", "y": 0, "yref": "container", "yanchor": "bottom"},
}
UNSEEN = "rgba(0,0,0,0)"
MOST_WRITTEN = 24
ROOM_ABOVE = 34
WIDEST_TITLE = 48
"""Letters of a title in one line: a phone has room for so many."""
WIDEST_ROW = 24
HALF_BAR = 0.19
"""Half the thickness of a bar with words above it, in rows."""
HALF_HEIGHT = 0.5
"""At least so much of a picture's height is between its axes."""
HALO = 0.72
"""How much of a line a name on the picture covers, so that both can be read."""
HEAT_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)


def figure_of(picture: Description) -> go.Figure:
    """The figure of a picture: its marks in their order, their names on it, its axes with what they measure."""
    return _Drawing(picture).made()


class PlainFigure(BaseFigure):
    """A figure that has been made elsewhere: the plain dictionary a browser draws, and nothing to change in it."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self.__dict__["plain"] = plain  # Plotly's own figures validate every assignment

    def __reduce__(self) -> tuple[Any, ...]:
        """It travels on as it came: what all phones show goes to each phone's own view."""
        return PlainFigure, (self.to_dict(),)

    def to_dict(self) -> dict[str, Any]:
        """Traces and layout."""
        plain: dict[str, Any] = self.__dict__["plain"]
        return plain


def _with_gaps(outlines: Sequence[FloatArray]) -> NDArray[np.float32]:
    """Outlines as one curve with a gap after each but the last."""
    gap = np.array([np.nan])
    curve = [part for outline in outlines for part in (outline, gap)][:-1]
    return np.concatenate(curve or [gap]).astype(np.float32)


def _escaped(words: str) -> str:
    return html.escape(words, quote=False).replace("\n", "<br>")


def _finite(values: FloatArray) -> NDArray[np.float32]:
    """The values as single precision, a gap where they are beyond it."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    single[~np.isfinite(single)] = np.nan
    return single


def _wrapped(words: str, width: int) -> str:
    """Words in lines of at most so many letters, so that a phone shows all of them."""
    return "\n".join(textwrap.wrap(words, width)) if width else words


def _balanced(words: str, width: int) -> str:
    """The same in as few lines, about as long as each other."""
    fewest = len(textwrap.wrap(words, width))
    return next(
        "\n".join(lines)
        for narrow in range(max(-(-len(words) // max(fewest, 1)), 1), width + 1)
        if len(lines := textwrap.wrap(words, narrow)) <= fewest
    )


def _bold_first(words: str) -> str:
    first, *rest = (html.escape(line, quote=False) for line in words.split("\n"))
    return "<br>".join([f"<b>{first}</b>", *rest])


class _Drawing(Renderer):
    """The traces and the layout of one picture while they are made."""

    def __init__(self, picture: Description) -> None:
        super().__init__(picture)
        self.style = picture.style
        self.colours: Palette = palette(self.style.dark)
        self.layout = bare_layout(dark=self.style.dark, large=self.style.large, height=picture.height)
        self.data: list[Trace] = []

    def made(self) -> go.Figure:
        for mark in self.picture.marks:
            self.draw(mark)
        across, up = self.layout.pop("xaxis"), self.layout.pop("yaxis")
        shares = [panel.share for panel in self.picture.panels]
        room, start = 1 - self.picture.gap * (len(shares) - 1), 0.0
        for panel, share in enumerate(shares):
            width = room * share / sum(shares)
            self._axes(panel, across, up, (start, start + width))
            start += width + self.picture.gap
        if self.picture.legend:
            self.layout |= {"showlegend": True, "legend": {"orientation": "h"} | LEGENDS[self.picture.legend]}
        above = any(isinstance(mark, m.Upright) and mark.at > 1 for mark in self.picture.marks)
        titles = [self._panel_title(panel).count("\n") for panel in self.picture.panels if panel.title]
        if above or titles:
            self.layout["margin"]["t"] = ROOM_ABOVE + self.size(18, 23) * max(titles, default=0)
        # Plotly's check of every property takes six times as long as the figure; tests make that check instead
        return go.Figure({"data": self.data, "layout": self.layout | {"template": {}}}, _validate=False)

    # what every mark needs

    def colour(self, role: str) -> str:
        return str(getattr(self.colours, role))

    def refs(self, mark: m.Mark, *, whole: str = "") -> dict[str, Any]:
        """The axes of a mark's panel, for words and rules; along the `whole` axis they run from 0 to 1."""
        number = "" if mark.panel == 0 else str(mark.panel + 1)
        found = {"xref": f"x{number}", "yref": f"y{number}"} if number else {}
        if whole:
            found[f"{whole}ref"] = f"{whole}{number} domain" if number else "paper"
        return found

    def place(self, mark: m.Mark, value: float, *, across: bool) -> float:
        """A value as a place for words: its logarithm on a logarithmic axis."""
        log = self.picture.axis(mark.panel, across=across).log
        return float(np.log10(value)) if log else float(value)

    def hover(self, x: Column, y: Column) -> str:
        at = "" if x.of_words else f"%{{x:{x.hover}}}: "
        return f"{at}%{{y:{y.hover}}}<extra>{_escaped(y.name)}</extra>"

    def size(self, normal: float, large: float) -> float:
        return large if self.style.large else normal

    def add(self, mark: m.Mark, **trace: Any) -> None:
        number = mark.panel + 1
        axes = {} if number == 1 else {"xaxis": f"x{number}", "yaxis": f"y{number}"}  # the first needs no name
        self.data.append({"type": "scatter"} | trace | axes)

    def say(self, words: str, x: float, y: float | str, colour: str, **placement: Any) -> None:
        """Words on the picture in the colour of what they name."""
        said = {"x": x, "y": y, "text": words, "showarrow": False, "font": {"color": colour}}
        self.layout["annotations"].append(said | placement)

    def rule(self, **where: Any) -> None:
        self.layout["shapes"].append({"type": "line"} | where)

    def worded(self, mark: m.Bars | m.Dots, rows: Sequence[int]) -> Trace:
        """What is said of each row under the mouse."""
        words = [_escaped(str(self.column(mark.words).values[row])) for row in rows]
        return {"hovertext": words, "hovertemplate": "%{hovertext}<extra></extra>"}

    # marks

    def line(self, mark: m.Line) -> None:
        x, y = self.along(mark)
        named, colour = self.column(mark.y), self.colour(mark.role)
        width = 1 if mark.hairline else self.size(2.8, 4.5) * mark.width
        trace: Trace = {
            "x": x.astype(np.float32),
            "y": _finite(y),
            "mode": "lines",
            "name": _escaped(named.name),
            "line": {"color": colour, "width": width, "dash": mark.dash},
        }
        trace |= {"hovertemplate": self.hover(self.column(mark.x), named)} if mark.hover else {"hoverinfo": "skip"}
        if mark.symbols:
            few = {"maxdisplayed": 9} if mark.few_symbols else {}
            marker = {"symbol": mark.symbols, "size": self.size(8, 10), "color": colour} | few
            trace |= {"mode": "lines+markers" if mark.joined else "markers", "marker": marker}
        if self.picture.legend and not (mark.in_legend and mark.where is None):
            shared = mark.in_legend and not any(named.name == str(one.get("name")) for one in self.data)
            trace |= {"legendgroup": trace["name"], "showlegend": shared}
        self.add(mark, **trace)
        if (at := self.named_at(mark, y)) is not None:
            self.name_beside(mark, float(x[at]), float(y[at]), colour)

    def name_beside(self, mark: m.Line, x: float, y: float, colour: str) -> None:
        name, (across, up) = _wrapped(shortened(self.column(mark.y).name, mark.shortened), mark.wrapped), mark.beside
        shift = {"left": 6, "right": -6, "bottom": 2, "top": -2}
        placement: Trace = {"xanchor": across, "yanchor": up}
        placement |= {"xshift": shift.get(across, 0), "yshift": shift.get(up, 0)}
        placement |= {"align": across} if "\n" in name else {}
        ground, on_line = self.colours.ground, mark.beside == m.ON_LINE
        placement |= {"bgcolor": ground, "borderpad": 2} if on_line else {"bgcolor": veiled(ground, HALO)}
        across_at, up_at = self.place(mark, x, across=True), self.place(mark, y, across=False)
        self.say(_escaped(name), across_at, up_at, colour, **placement, **self.refs(mark))

    def band(self, mark: m.Band) -> None:
        x, low, high = self.x(mark, mark.x), self.y(mark, mark.low), self.y(mark, mark.high)
        line = {"color": self.colour(mark.edge), "width": 1} if mark.edge else {"width": 0}
        there = np.isfinite(low) & np.isfinite(high)
        runs = [run for run in np.split(np.arange(x.size), np.flatnonzero(np.diff(there)) + 1) if there[run].any()]
        self.add(
            mark,
            x=_with_gaps([np.concatenate([x[run], x[run][::-1]]) for run in runs]),
            y=_with_gaps([np.concatenate([low[run], high[run][::-1]]) for run in runs]),
            mode="lines",
            fill="toself",
            fillcolor=self.colour(mark.role),
            line=line,
            name=_escaped(self.column(mark.high).name),
            showlegend=bool(self.picture.legend) and mark.in_legend,
            hoverinfo="skip",
        )

    def dots(self, mark: m.Dots) -> None:
        x, y = self.x(mark, mark.x), self.y(mark, mark.y)
        on_rows = self.picture.axis(mark.panel, across=False).rows
        colour, named = self.colour(mark.role), self.column(mark.x if on_rows else mark.y)
        kept = ~(np.isnan(x) | np.isnan(y))
        rows = [row for row, here in zip(self.drawn_rows(mark), kept, strict=True) if here]
        size: Any = mark.size * self.size(1, 1.4)
        marker: Trace = {"symbol": mark.symbol, "color": colour, "size": size}
        if mark.chosen:
            chosen = self.column(mark.chosen).values
            marker["size"] = [size * (15 / 9 if chosen[row] else 1) for row in rows]
            marker |= {"opacity": 1, "line": {"width": 2, "color": colour}}
        elif mark.outlined:
            marker["line"] = {"color": self.colours.ground, "width": 1}
        trace: Trace = {"mode": "markers", "name": _escaped(named.name), "marker": marker}
        trace |= {"x": x[kept] + mark.shift, "y": y[kept]}
        if mark.words:
            trace |= self.worded(mark, rows)
        elif mark.low:
            low, high = self.y(mark, mark.low)[kept], self.y(mark, mark.high)[kept]
            ends = {"type": "data", "symmetric": False, "array": high - y[kept], "arrayminus": y[kept] - low}
            look = {"color": colour, "thickness": self.size(2.2, 3.5), "width": 0 if x.size > 20 else 4}
            trace["error_y"] = ends | look
            trace["customdata"] = np.column_stack([low, high])
            between = "%{customdata[0]:.3~g} to %{customdata[1]:.3~g}"
            trace["hovertemplate"] = f"%{{y:.3~g}} ({between})<extra>{_escaped(named.name)}</extra>"
        elif on_rows:
            trace["hovertemplate"] = f"%{{x:{named.hover}}}<extra>{_escaped(named.name)}</extra>"
        else:
            trace["hovertemplate"] = self.hover(self.column(mark.x), named)
        self.add(mark, **trace)

    def joins(self, mark: m.Joins) -> None:
        start, end, y = self.x(mark, mark.start), self.x(mark, mark.end), self.y(mark, mark.y)
        both = ~(np.isnan(start) | np.isnan(end))
        gap = np.full(int(both.sum()), np.nan)
        ends = np.column_stack([start[both], end[both], gap]).ravel()
        line = {"color": self.colour("quiet"), "width": 1, "dash": "dot"}
        self.add(mark, x=ends, y=np.repeat(y[both], 3), mode="lines", line=line, hoverinfo="skip", showlegend=False)

    def bars(self, mark: m.Bars) -> None:
        x, y = self.x(mark, mark.x), self.y(mark, mark.y)
        lengths = x if mark.flat else y
        measured = self.column(mark.x if mark.flat else mark.y)
        named = mark.name or measured.name
        colour = self.colour(mark.role)
        marker: Trace = {"color": colour}
        if mark.words:
            shape = "x" if np.isnan(lengths).any() else mark.pattern
            marker["pattern"] = {"shape": shape, "fillmode": "replace", "fgcolor": colour, "solidity": 0.5}
            marker["line"] = {"color": colour, "width": 2}
        elif mark.pattern:
            ground = self.colours.ground
            marker["pattern"] = {"shape": mark.pattern, "fgcolor": ground, "fillmode": "overlay", "size": 6}
        drawn = self.bar_ends(mark, lengths)
        trace: Trace = {
            "type": "bar",
            "x": drawn if mark.flat else x,
            "y": y if mark.flat else drawn,
            "name": _escaped(named),
            "marker": marker,
            "hovertemplate": f"%{{x:{self.column(mark.x).hover}}}: %{{y:{measured.hover}}}<extra></extra>",
        }
        if mark.flat:
            trace |= {"orientation": "h", "hovertemplate": f"%{{x:{measured.hover}}}<extra>{_escaped(named)}</extra>"}
            trace["width"] = 0.3 if mark.thin else 0.65
        if mark.words:
            trace |= self.worded(mark, self.drawn_rows(mark)) | {"width": 2 * HALF_BAR}
            above: Trace = {"xanchor": "left", "yanchor": "bottom"}
            for words, up in zip(trace["hovertext"], y, strict=True):
                self.say(words, 0.0, float(up) - HALF_BAR, self.colours.ink, **above)
        self.add(mark, **trace)
        several = sum(isinstance(other, m.Bars) for other in self.picture.marks) > 1
        stacked = several and mark.flat and not mark.words
        self.layout |= {"barmode": "stack" if stacked else "overlay", "bargap": 0.35 if mark.flat else 0.12}

    def heat(self, mark: m.Heat) -> None:
        x, y, z = self.column(mark.x), self.column(mark.y), self.column(mark.z)
        across, up = np.unique(x.numbers), np.unique(y.numbers)
        quantity = z.numbers.reshape(across.size, up.size)
        ticks = [tick for tick in HEAT_TICKS if tick <= mark.ceiling]
        bar: Trace = {"tickvals": [float(np.log10(tick)) for tick in ticks]}
        bar["ticktext"] = [f"{tick:g}" for tick in ticks[:-1]] + [f"{ticks[-1]:g}+"]
        bar |= {"thickness": 12, "outlinewidth": 0, "title": {"text": _escaped(z.name), "side": "right"}}
        at = f"{_escaped(x.name)} %{{x:.3~g}}, {_escaped(y.name)} %{{y:.3~g}}"
        self.add(
            mark,
            type="heatmap",
            x=across.astype(np.float32),
            y=up.astype(np.float32),
            z=np.log10(np.clip(quantity, 1e-3, mark.ceiling)).T.astype(np.float32),
            customdata=quantity.T.astype(np.float32),
            name=_escaped(z.name),
            colorscale="Cividis",
            reversescale=self.style.dark,
            colorbar=bar,
            hovertemplate=f"{at}: %{{customdata:.4~g}}<extra></extra>",
        )

    def areas(self, mark: m.Areas) -> None:
        """A trace for each area, so that its words appear wherever the mouse is in it; one for the bar of shades."""
        z, colours, chosen = self.column(mark.z), self.colours, self.chosen(mark)
        low, high = self.shades(mark)
        for row, points in self.outlines(mark):
            value, words = z.numbers[row], _escaped(self.told_of(mark, row))
            share = (value - low) / (high - low) if high > low else 0.5
            line: Trace = {"color": colours.quiet, "width": 1}
            if row in chosen:
                line = {"color": colours.mark, "width": self.size(4, 6)}
            if np.isnan(value):
                line["dash"] = "dot"
            look: Trace = {"fill": "toself", "fillcolor": colours.ground if np.isnan(value) else shaded(colours, share)}
            x, y = points.T.astype(np.float32)
            look |= {"mode": "lines", "line": line, "hoveron": "fills", "hoverinfo": "text", "text": words}
            self.add(mark, x=x, y=y, name=words, showlegend=False, **look)
            if row in chosen:
                across, up = self.middle(points)
                name = _escaped(shortened(str(self.column(mark.names).values[row]), WIDEST_ROW))
                self.say(name, across, up, colours.ink, bgcolor=veiled(colours.ground, HALO), **self.refs(mark))
        bar: Trace = {"orientation": "h", "thickness": 10, "outlinewidth": 0, "y": 0, "yanchor": "top", "nticks": 6}
        bar["title"] = {"text": _escaped(z.axis_title), "side": "bottom", "font": {"size": self.layout["font"]["size"]}}
        marker = {"color": [low], "cmin": low, "cmax": high, "showscale": True, "colorbar": bar, "opacity": 0}
        marker["colorscale"] = [[at, shade] for at, shade in enumerate(colours.shades)]
        self.add(mark, x=[None], y=[None], mode="markers", marker=marker, hoverinfo="skip", showlegend=False)
        self.layout["yaxis"] |= {"scaleanchor": "x"}

    def tiles(self, mark: m.Tiles) -> None:
        """Tiles of belief, a line where the decision changes, a mark on a release.

        An unseen mark lies on every tile, so that a tile can be hovered and chosen.
        """
        placed, belief, colours = tile_places(self.picture, mark), self.column(mark.z), self.colours
        released = [self.column(key).numbers for key in (mark.group, mark.x, mark.y)]
        self.add(
            mark,
            type="heatmap",
            x=np.arange(placed.beliefs.shape[1]),
            y=placed.up,
            z=placed.beliefs,
            zmin=0,
            zmax=1,
            name=belief.name,
            colorscale=[[0, colours.accent], [0.5, colours.ground], [1, colours.reach]],
            showscale=False,
            hoverinfo="skip",
        )
        edge = {"color": colours.ink, "width": self.size(1.8, 3)}
        self.add(mark, x=placed.edge_x, y=placed.edge_y, mode="lines", line=edge, hoverinfo="skip")
        unseen = {"marker": {"opacity": 0}}
        self.add(
            mark,
            x=placed.across.astype(np.int16),
            y=released[2].astype(np.int16),
            customdata=np.rint(np.stack([*released, 100 * belief.numbers], axis=1)).astype(np.int16),
            mode="markers",
            marker={"size": 7, "opacity": 0, "color": colours.ink, "symbol": "square"},
            selected=unseen,
            unselected=unseen,
            hovertemplate=mark.hover + "<extra></extra>",
        )
        if placed.chosen is not None:
            seen, rim = {"marker": {"opacity": 1}}, {"color": colours.ground, "width": 2}
            marker = {"size": self.size(12, 15), "symbol": "diamond", "color": colours.mark, "line": rim}
            x, y = ([end] for end in placed.chosen)
            self.add(mark, x=x, y=y, mode="markers", marker=marker, hoverinfo="skip", selected=seen, unselected=seen)
        places = [place for _, place in placed.panels]
        written = ["<b>{}</b><br>{}".format(*words.split("\n")) for words, _ in placed.panels]
        self.layout["xaxis"] |= {"tickvals": places, "ticktext": written, "showgrid": False, "ticks": ""}
        self.layout["xaxis"]["range"] = [-0.7, placed.beliefs.shape[1] - 0.3]
        self.layout["yaxis"] |= {"showgrid": False}
        self.layout["clickmode"] = "event+select"
        self.layout["margin"]["t"] = ROOM_ABOVE
        paper = {"xref": "paper", "yref": "paper"}
        self.say(f"■ {mark.names[0]}", 0.0, 1.0, colours.accent, **paper, xanchor="left", yanchor="bottom")
        self.say(f"■ {mark.names[1]}", 1.0, 1.0, colours.reach, **paper, xanchor="right", yanchor="bottom")

    def glass(self, mark: m.Glass) -> None:
        named = self.column(mark.y)
        value = float(named.numbers[0])
        colour, quiet = self.colour(mark.role), self.colours.quiet
        bar: Trace = {"type": "bar", "x": [0], "width": 0.8}
        self.add(mark, **bar, y=[1], marker={"color": UNSEEN, "line": {"color": quiet, "width": 1}}, hoverinfo="skip")
        bar |= {"hovertemplate": f"%{{y:{named.hover}}}<extra></extra>"}
        self.add(mark, **bar, y=[value], name=_escaped(named.name), marker={"color": colour})
        above = value > 0.92  # no room above the filling: put the number over the glass
        where = self.refs(mark) | {"yanchor": "bottom", "yshift": 2}
        self.say(f"<b>{_escaped(str(named.cell(0)))}</b>", 0, 1 if above else value, colour, **where)
        self.say(_escaped(named.name), 0, 0, quiet, **self.refs(mark), yanchor="top", yshift=-4)
        if mark.low:
            ends, ink = [float(self.column(key).numbers[0]) for key in (mark.low, mark.high)], self.colours.ink
            drawn = {"mode": "lines+markers", "hovertemplate": bar["hovertemplate"], "line": {"color": ink, "width": 2}}
            marker = {"symbol": "line-ew-open", "size": 16, "color": ink}
            self.add(mark, x=[0.3, 0.3], y=ends, marker=marker, **drawn)
        self.layout["barmode"] = "overlay"

    def spot(self, mark: m.Spot) -> None:
        x, y = self.x(mark, mark.x), self.y(mark, mark.y)
        name, colour = self.column(mark.y).name, self.colour(mark.role)
        marker: Trace = {"size": self.size(11, 15), "color": colour, "symbol": mark.symbol}
        if mark.boxed:  # the background has many colours
            marker |= {"size": 14, "color": "#ffffff", "line": {"color": "#000000", "width": 2}}
        trace: Trace = {"x": x, "y": y, "mode": "markers", "marker": marker, "cliponaxis": False}
        trace |= {"name": _escaped(name), "hovertemplate": f"{_escaped(name)}<extra></extra>"}
        self.add(mark, **trace, showlegend=mark.in_legend)
        axis = self.picture.axis(mark.panel, across=True)
        if not mark.labelled or (axis.log and axis.range is not None and x[0] < axis.range[0]):
            return
        place = self.place(mark, float(x[0]), across=True), self.place(mark, float(y[0]), across=False)
        side = "left" if self.in_left_half(mark.panel, float(x[0])) else "right"
        placement: Trace = {"xanchor": side, "yanchor": "top", "yshift": -8}
        if mark.beside is not None:
            across, up = mark.beside
            placement = {"xanchor": across, "yanchor": up, "yshift": 9 if up == "bottom" else -9}
        elif mark.boxed:
            placement = {"xanchor": side, "xshift": 12 if side == "left" else -12, "yanchor": "bottom"}
        if mark.wrapped:
            name = _wrapped(name, mark.wrapped)
            placement |= {"align": side, "xshift": 8 if side == "left" else -8, "yshift": -2}
            placement["bgcolor"] = self.colours.ground
            if ends := self.picture.axis(mark.panel, across=False).range:
                low, high = (self.place(mark, end, across=False) for end in ends)
                room = (place[1] - low) / (high - low) * HALF_HEIGHT * self.layout["height"]
                if room < (name.count("\n") + 1) * 1.4 * self.layout["font"]["size"]:  # else it overlaps the axis
                    place = place[0], low
                    placement |= {"yanchor": "bottom", "yshift": 2}
        ground: Trace = {"bgcolor": "rgba(0,0,0,0.6)"} if mark.boxed else {}
        words = "#ffffff" if mark.boxed else colour
        self.say(_escaped(name), place[0], place[1], words, **placement, **ground, **self.refs(mark))

    def level(self, mark: m.Level) -> None:
        column, colour = self.column(mark.y), self.colour(mark.role)
        height = float(column.numbers[0])
        line = {"color": colour, "width": 2 if mark.heavy else 1, "dash": "solid" if mark.heavy else mark.dash}
        whole = self.refs(mark, whole="x")
        self.rule(**whole, x0=0, x1=1, y0=height, y1=height, line=line)
        if mark.labelled:
            side: Trace = {"xanchor": "left" if mark.left else "right", "yanchor": "bottom"}
            place = self.place(mark, height, across=False)
            self.say(_escaped(column.name), 0.005 if mark.left else 1, place, colour, **whole, **side)

    def upright(self, mark: m.Upright) -> None:
        column, colour = self.column(mark.x), self.colour(mark.role)
        at = float(column.numbers[0])
        top = 0.9 if mark.flag else 1
        line = {"color": colour, "width": 2 if mark.flag else 1.5, "dash": "solid" if mark.flag else mark.dash}
        whole = self.refs(mark, whole="y")
        if not mark.flag:
            self.rule(**whole, y0=0, y1=top, x0=at, x1=at, line=line)
        else:
            ends = self.picture.axis(mark.panel, across=False).range or (0.0, 1.0)
            top = max(ends[0], 0.0) + 0.9 * ends[1]
            self.add(mark, x=[at, at], y=[0, top], mode="lines", line=line, hoverinfo="skip")
            named = _escaped(column.name.split("\n")[0])
            marker = {"symbol": "diamond", "size": self.size(11, 13), "color": colour}
            hover = f"{named}<extra></extra>"
            self.add(mark, x=[at], y=[top], mode="markers", name=named, marker=marker, hovertemplate=hover)
        if not mark.labelled:
            return
        shift = 10 if mark.flag else 4
        beside: Trace = {"xanchor": mark.beside, "xshift": {"left": shift, "right": -shift}.get(mark.beside, 0)}
        if mark.flag:
            beside |= {"align": mark.beside, "yanchor": "middle"}
            self.say(_bold_first(column.name), at, top, colour, **beside, **self.refs(mark))
            return
        height = min(mark.at, 1.0)
        beside["yanchor"] = "bottom" if mark.at > 1 or mark.at < 0.5 else "top"
        self.say(_escaped(column.name), self.place(mark, at, across=True), height, colour, **beside, **whole)

    # axes

    def _axes(self, panel: int, across: Trace, up: Trace, domain: tuple[float, float]) -> None:
        number = "" if panel == 0 else str(panel + 1)
        described = self.picture.panels[panel]
        x = self._axis(panel, across, described.x, horizontal=True)
        y = self._axis(panel, up, described.y, horizontal=False)
        if len(self.picture.panels) > 1:
            x |= {"domain": list(domain), "anchor": f"y{number}"}
            y |= {"anchor": f"x{number}"}
        if described.same_rows:
            y |= {"matches": "y", "showticklabels": False, "title": {"text": ""}}
        self.layout[f"xaxis{number}"], self.layout[f"yaxis{number}"] = x, y
        if described.title:
            above = {"xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "bottom"}
            self.say(_escaped(self._panel_title(described)), sum(domain) / 2, 1.0, self.colours.ink, **above)

    def _panel_title(self, panel: m.Panel) -> str:
        """The words over a panel, in lines as wide as the panel is on a phone."""
        share = panel.share / sum(one.share for one in self.picture.panels)
        return _balanced(panel.title, max(10, int(WIDEST_TITLE * share)))

    def _title(self, panel: int, *, horizontal: bool) -> str:
        """What an axis measures, in lines that fit a phone; three panels or more that share it say it in the middle."""
        said = [self.picture.axis_title(place, across=horizontal) for place in range(len(self.picture.panels))]
        if horizontal and len(said) > 2 and len({*said}) == 1 and panel != len(said) // 2:
            return ""
        return "\n".join(_balanced(line, WIDEST_TITLE) for line in said[panel].split("\n"))

    def _axis(self, panel: int, bare: Trace, axis: m.Axis, *, horizontal: bool) -> Trace:
        title = _escaped(self._title(panel, horizontal=horizontal)) if axis.titled else ""
        found: Trace = bare | {"title": bare["title"] | {"text": title}}
        if not axis.shown:
            found |= {"showgrid": False, "showticklabels": False, "zeroline": False, "ticks": "", "linecolor": UNSEEN}
            return found | {"title": {"text": ""}} | ({"range": list(axis.range)} if axis.range else {})
        if axis.rows:
            return found | self._rows(panel, axis, horizontal=horizontal)
        if axis.log:
            size = round(0.8 * self.layout["font"]["size"])  # Plotly draws powers a quarter larger
            found |= {"type": "log", "dtick": 1, "exponentformat": "power", "tickfont": {"size": size}}
        if axis.above:
            found["side"] = "top"
        if axis.range is not None:
            found["range"] = [float(np.log10(end)) if axis.log else float(end) for end in axis.range]
        if axis.ticks:
            found.pop("dtick", None)
            found.pop("tickfont", None)
            found |= {"tickvals": [place for place, _ in axis.ticks], "ticktext": [words for _, words in axis.ticks]}
            if horizontal and axis.range is not None and axis.ticks[-1][0] >= 0.98 * axis.range[1]:
                self.layout["margin"]["r"] = self.size(24, 32)  # Plotly leaves out a last tick whose words stand out
        if axis.every is not None:
            found["dtick"] = axis.every
        if not axis.grid:
            found["showgrid"] = False
        if axis.zero:
            found["rangemode"] = "tozero"
            if axis.range is not None and axis.range[0] < 0:
                found |= {"zeroline": True, "zerolinecolor": self.colours.quiet}
        return found

    def _rows(self, panel: int, axis: m.Axis, *, horizontal: bool) -> Trace:
        placed = self.picture.places(panel, across=horizontal)
        number = len(placed.words)
        every = max(1, -(-number // MOST_WRITTEN)) if horizontal else 1
        bold = {*placed.headings} | {at for at, words in enumerate(placed.words) if words.startswith("▸")}
        written = [
            _bold_first(words)
            if at in bold or "\n" in words
            else _escaped(words if horizontal or axis.groups else _balanced(words, WIDEST_ROW))
            for at, words in enumerate(placed.words)
        ]
        found: Trace = {
            "tickvals": list(range(number))[::every],
            "ticktext": written[::every],
            "showgrid": False,
            "range": [-0.6, number - 0.4] if horizontal else [number - 0.5, -0.5],
        }
        if not horizontal:
            found |= {"ticks": "", "title": {"text": ""}}
        if axis.groups:
            size = 11 if number > MOST_WRITTEN else 13
            found |= {"range": [number - 0.4, -0.7], "tickfont": {"size": self.size(size, size + 3)}}
            self.layout["margin"] = {"l": 4, "r": 10, "t": 26, "b": 4}
        rule = {"color": self.colours.grid, "width": 1}
        for at in placed.headings:
            self.rule(xref="paper", x0=0, x1=1, y0=at, y1=at, line=rule)
        dotted = {"color": self.colours.quiet, "width": 1, "dash": "dot"}
        for at in axis.breaks:
            self.rule(yref="paper", y0=0, y1=1, x0=at - 0.5, x1=at - 0.5, line=dotted)
        if axis.chosen and not axis.groups:
            chosen = [bool(value) for value in self.column(axis.chosen).values]
            band: Trace = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "layer": "below", "line": {"width": 0}}
            for at in np.flatnonzero(chosen).tolist():
                self.rule(**band, y0=at - 0.45, y1=at + 0.45, fillcolor=self.colours.band)
        return found
