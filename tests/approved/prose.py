"""A page as its reader meets it, in words: from the views, without Streamlit and without a browser.

Numbers of pictures are said by where each line begins, passes and ends, so that swapped columns, axes or names show.
"""

from __future__ import annotations

import base64
import html
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go

from riskline.case.fields import pairs_of, write_query
from tests.approved.states import FOLDS, PRESETS, REFUSED, STATES
from tests.cases import inputs_of
from ui.documents.document import Block, Code, Document, Facts, Figure, Link, Listing, Paragraph, Row, Square
from ui.link.page_table import PageEntry, PageLink
from ui.pictures.description import Description
from ui.pictures.palette import palette
from ui.pictures.panels import Panels
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.drawing import Editor
from ui.words.catalogue import label
from ui.words.python_lines import CodeLines

VOICES = ("plain", "technical")
LONG_TABLE, TWIN = 48, 6
"""Rows of a table that are all read, and of the table behind a picture; of a longer one so many, evenly spread."""

SHORT = 30
"""Length of a line that is repeated rather than counted."""

PART = "["
"""Begins the name of a part, which is repeated whatever its length."""

STOPWATCH = re.compile(r"\([\d.e-]+ s\)")
"""The seconds that a search took, which no two runs share."""

ALL_DIGITS = re.compile(r"(?<![\w.])\d*\.(?!9{9}|0{9})\d{13,}(?:e[-+]?\d+)?")
"""A number with the last digits of a float, which not every processor computes; next to 0 and 1 each digit is meant."""

NOTHING = 1e-12
"""What is drawn as 0: the last bits of a sum."""

COLOURS = {value: name for name, value in vars(palette(dark=False)).items() if isinstance(value, str)}

UNSEEN = {
    "home": ("editor",),
    "choose": ("budget", "decided", "stated", "editor"),
    "accuracy": ("mechanism", "error", "stated"),
    "plan": ("stated",),
    "publication": ("stated",),
    "positions": ("standings", "ranges", "stated", "editor"),
    "memo": ("address", "deck", "noise", "stated"),  # the slides say sentences of the document
    "public": ("address", "stated"),
    "explain": ("panels", "offered", "right_guess", "stated"),
    "deployments": ("entries", "conversion", "meaning", "fits", "lesson", "production", "stated"),
    "lessons": ("stated",),
    "block": ("stated",),
    "play": ("round", "told", "over", "score"),
    "exact_totals": ("price",),
    "methods": ("told", "prior", "limit", "noise", "stated"),
    "audit": ("shown", "planned", "stated"),
}
"""What a view carries for other code and no reader sees as it is."""


def file_of(stem: str) -> Path:
    """The approved words of a page."""
    return Path(__file__).with_name(f"{stem}.md")


def inputs_and_view(stem: str) -> tuple[Any, Any]:
    """The class of a page's choices (None for the front door) and its view."""
    module = import_module(f"ui.views.{stem}")
    name = "".join(part.capitalize() for part in stem.split("_"))
    return getattr(module, f"{name}Inputs", None), getattr(module, f"{stem}_view")


def chosen(stem: str, query: str) -> Any:
    """The choices of a link that the page takes as they stand."""
    found, refusals = inputs_of(stem, pairs_of(query))
    assert not refusals, (stem, refusals)
    return found


def shown_view(stem: str, query: str, style: Style) -> Any:
    """What the page shows of a link."""
    kind, view_of = inputs_and_view(stem)
    return view_of(style) if kind is None else view_of(chosen(stem, query), style)


def page_in_words(entry: PageEntry) -> str:
    """Everything the page says in its approved settings, in reading order; what was said before is not repeated."""
    lines = [f"# {entry.title}", "", f"{entry.group_title}.", ""]
    said: set[str] = set()
    for state, query in STATES[entry.stem].items():
        for voice in VOICES:
            head = f"{state} ({voice})"
            lines += [f"## {head[0].upper()}{head[1:]}", *([f"?{query}"] if query and voice == "plain" else []), ""]
            for name, block in blocks(entry.stem, query, Style(voice=voice)):
                lines += [f"[{name}]", *new_lines(block, said), ""]
    if entry.stem in PRESETS:
        lines += ["## Examples to begin with", ""]
        for name, values in PRESETS[entry.stem].items():
            words = label(entry.stem, f"preset.{name}")
            lines.append(f"- {words}: {_query(write_query(entry.fields, values).items())}")
        lines.append("")
    if entry.stem in REFUSED:
        lines += ["## Refused", ""]
        for query in REFUSED[entry.stem]:
            refusal = shown_view(entry.stem, query, Style()).refusal
            assert refusal is not None, f"{entry.stem}?{query} is answered"
            lines += [f"- ?{query}", f"  {refusal}"]
        lines.append("")
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def new_lines(block: list[str], said: set[str]) -> Iterator[str]:
    """The lines that were not said before on this page; of the others how many there are."""
    before = 0
    for line in [*block, None]:
        if line is not None and len(line) > SHORT and line.strip() in said and not line.strip().startswith(PART):
            before += 1
            continue
        if before:
            yield f"  ({before} as before)"
            before = 0
        if line is not None:
            said.add(line.strip())
            yield line


def blocks(stem: str, query: str, style: Style, *, folds: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Each part of a page that says something, by its name in the view, then what is behind its folds."""
    for name, words in _parts(stem, query, style, folds):
        yield name, [ALL_DIGITS.sub(lambda number: f"{float(number[0]):.12g}…", line) for line in words]


def _parts(stem: str, query: str, style: Style, folds: bool) -> Iterator[tuple[str, list[str]]]:
    view = shown_view(stem, query, style)
    for field in fields(view):
        if field.name not in UNSEEN.get(stem, ()) and not (
            field.name.startswith("python") and style.technical
        ):  # is the same
            words = list(in_words(getattr(view, field.name)))
            if words:
                yield field.name.replace("_", " "), words
    if getattr(view, "editor", None) is not None:
        yield "line editor", list(in_words(view.editor))
    for fold, told in FOLDS.get(stem, {}).items() if folds else ():
        try:
            words = list(in_words(told(chosen(stem, query), style)))
        except ValueError as error:
            words = [f"refused: {error}"]
        if words:
            yield f"fold: {fold}", words


def in_words(thing: Any) -> Iterator[str]:
    """What a part of a view says, line by line; a kind of part that is not known here is an error."""
    if thing is None or thing == "" or thing == ():
        return
    if isinstance(thing, str):
        yield from _markup(thing) if thing.startswith("<") else STOPWATCH.sub("(a moment)", thing).splitlines()
    elif isinstance(thing, bool | int):
        yield str(thing)
    elif isinstance(thing, float):
        yield f"{thing:g}"
    elif isinstance(thing, Picture):
        yield from _picture(thing)
    elif isinstance(thing, Description):
        yield f"files of {thing.key}: {thing.reading}"
        yield from (f"  {line}" for line in _marks(thing))
        yield from _table(thing.table, TWIN)
    elif isinstance(thing, Table):
        yield from _table(thing)
    elif isinstance(thing, Panels):
        yield from _markup(thing.html)
        yield from _table(thing.table, TWIN)
        if thing.under:
            yield f"under it: {thing.under}"
    elif isinstance(thing, PageLink):
        yield f"-> {thing.words} ({thing.stem}{_query(thing.query)})"
    elif isinstance(thing, Editor):
        yield f"drawn line {_run(*zip(*thing.points, strict=True))}, straight in {thing.interpolation}"
        yield f"an attacker can reach {_run(*np.asarray(thing.reachable, dtype=float).T)}"
        yield "nothing decides" if thing.binding is None else "decided at " + _point(*thing.binding)
    elif isinstance(thing, CodeLines):
        yield from thing.text.splitlines()
    elif isinstance(thing, Document):
        yield from _document(thing)
    elif isinstance(thing, tuple) and len(thing) == 3 and all(isinstance(part, str) for part in thing):
        name, value, note = thing
        yield f"- {name}: {value}" + (f" ({note})" if note else "")
    elif isinstance(thing, tuple):
        for part in thing:
            yield from in_words(part)
    elif is_dataclass(thing):
        yield "* " + " | ".join(line for field in fields(thing) for line in in_words(getattr(thing, field.name)))
    else:
        raise TypeError(f"{type(thing).__name__} is not put into words")


def _query(pairs: Iterable[tuple[str, str]]) -> str:
    text = "&".join(f"{name}={value}" for name, value in pairs)
    return f"?{text}" if text else ""


def _markup(source: str) -> Iterator[str]:
    """Icons of our own: their alternative texts, words and marks, and how often each mark has which title."""
    for drawing in re.split(r"(?=<figure)", source):
        titles = Counter(html.unescape(words) for words in re.findall(r"<title>([^<]*)</title>", drawing))
        spoken = [html.unescape(words) for words in re.findall(r'aria-label="([^"]*)"', drawing)]
        bare = re.sub(r"<[^>]*>", " ", re.sub(r"<title>.*?</title>", " ", drawing))
        words = html.unescape(re.sub(r"\s+", " ", bare)).strip()
        if spoken or words:
            yield " | ".join([*spoken, words, f"{len(re.findall('<(path|rect|circle)', drawing))} marks"])
            yield from (f"  {often} × {title}" for title, often in titles.items())


def _table(table: Table, most: int = LONG_TABLE) -> Iterator[str]:
    yield f'table "{table.caption}": ' + " | ".join(table.columns)
    rows = [" | ".join(_cell(cell) for cell in row) for row in table.rows]
    places = range(len(rows)) if len(rows) <= most else [round(i * (len(rows) - 1) / (most - 1)) for i in range(most)]
    yield from (f"  {rows[place]}" for place in places)
    if len(rows) > most:
        yield f"  (of {len(rows)} rows)"


def _cell(cell: object) -> str:
    return _number(cell) if isinstance(cell, float | np.floating) else str(cell)


def _number(value: Any) -> str:
    """Six digits: what a change of the formula moves, and not what the last bits of another processor do."""
    return f"{float(value):.6g}" if isinstance(value, int | float | np.number) else str(value)


def _point(x: Any, y: Any) -> str:
    return f"({_spot(x)}, {_spot(y)})"


def _spot(value: Any) -> str:
    if not isinstance(value, int | float | np.number):
        return str(value)
    return "0" if abs(value) < NOTHING else f"{float(value):.3g}"


def _run(x: Any, y: Any) -> str:
    """Where a line begins, is in the middle and ends."""
    pairs = [(a, b) for a, b in zip(x, y, strict=False) if not (isinstance(b, float) and math.isnan(b))]
    if len(pairs) <= 3:
        return " ".join(_point(*pair) for pair in pairs)
    ninths = (2 * len(pairs) // 9, 4 * len(pairs) // 9, 7 * len(pairs) // 9)  # beside the middle, where laws jump
    places = (0, *ninths, len(pairs) - 1)
    return f"{len(pairs)} points: " + " … ".join(_point(*pairs[place]) for place in places)


def _picture(picture: Picture) -> Iterator[str]:
    yield f"picture {picture.key}: {picture.reading}"
    read = picture.reading.replace("**", "")
    rest = picture.alt.removeprefix(read).strip()
    yield "  alternative text: " + (
        "the same" if not rest else f"the same, and: {rest}" if rest != picture.alt else rest
    )
    yield from (f"  {line}" for line in _drawing(picture.figure))
    caption = "the same" if picture.table.caption.strip() == read.strip() else picture.table.caption
    yield from (f"  {line}" for line in _table(replace(picture.table, caption=caption), TWIN))


def _marks(drawn: Description) -> Iterator[str]:
    """What is drawn of the numbers of a picture that no page shows itself: each mark, its look, its places."""
    for mark in drawn.marks:
        look = ((field, getattr(mark, field.name)) for field in fields(mark))
        told = [f"{field.name} {value}" for field, value in look if value != field.default]
        yield f"{type(mark).__name__.lower()}: {', '.join(told)}"
        places = [getattr(mark, side, None) for side in ("x", "y")]
        if all(isinstance(place, str) and place for place in places):
            yield "  " + _run(*(drawn.numbers.column(str(place)).values for place in places))


def plain_parts(part: Any) -> Any:
    """A drawing with its packed arrays unpacked."""
    if isinstance(part, dict):
        if "bdata" in part:
            values = np.frombuffer(base64.b64decode(part["bdata"]), dtype=part["dtype"])
            return values.reshape([int(side) for side in str(part["shape"]).split(",")]) if "shape" in part else values
        return {name: plain_parts(value) for name, value in part.items()}
    return [plain_parts(value) for value in part] if isinstance(part, list | tuple) else part


def _drawing(figure: go.Figure) -> Iterator[str]:
    plain = plain_parts(figure.to_plotly_json())
    layout = plain["layout"]
    for name in sorted(key for key in layout if re.fullmatch(r"[xy]axis\d*", key)):
        axis = layout[name]
        title = axis.get("title", {})
        told = [f'"{title.get("text", "") if isinstance(title, dict) else title}"']
        told += [axis["type"]] if axis.get("type") else []
        told += (
            [f"from {_spot(axis['range'][0])} to {_spot(axis['range'][1])}"] if axis.get("range") is not None else []
        )
        told += ["ticks " + ", ".join(map(str, axis["ticktext"]))] if axis.get("ticktext") is not None else []
        yield f"{name}: " + "; ".join(told)
    for trace in plain["data"]:
        yield _trace(trace)
    for note in layout.get("annotations", ()):
        yield f'note "{note.get("text")}" at {_point(note.get("x"), note.get("y"))}'
    for shape in layout.get("shapes", ()):
        corners = (_point(shape.get("x0"), shape.get("y0")), _point(shape.get("x1"), shape.get("y1")))
        yield f"{shape.get('type')} from {corners[0]} to {corners[1]}"


def _trace(trace: dict[str, Any]) -> str:
    kind = trace.get("mode") or trace["type"]
    name = f' "{trace["name"]}"' if trace.get("name") else ""
    line, marker = trace.get("line", {}), trace.get("marker", {})
    style = [
        COLOURS.get(line.get("color") or marker.get("color") if isinstance(marker.get("color"), str | None) else "", "")
    ]
    style += [line.get("dash", "") if line.get("dash") != "solid" else "", marker.get("symbol", "") or ""]
    told = [f"{kind}{name}", *(str(part) for part in style if isinstance(part, str) and part)]
    if trace.get("z") is not None:
        grid = np.asarray(trace["z"], dtype=float)
        told.append(f"from {_point(trace['x'][0], trace['y'][0])} to {_point(trace['x'][-1], trace['y'][-1])}")
        told.append("corners " + ", ".join(_spot(grid[row, column]) for row in (0, -1) for column in (0, -1)))
        told.append(f"middle {_spot(grid[grid.shape[0] // 2, grid.shape[1] // 2])}")
    elif trace.get("x") is not None and trace.get("y") is not None:
        told.append(_run(trace["x"], trace["y"]))
        for side in ("error_x", "error_y"):
            if trace.get(side):
                told.append(f"{side} {_spot(np.atleast_1d(trace[side].get('array', [0]))[0])}")
    for words in ("text", "hovertext"):
        if trace.get(words) is not None:
            said = [trace[words]] if isinstance(trace[words], str) else [str(item) for item in np.ravel(trace[words])]
            told += [f"{words} " + " / ".join(dict.fromkeys((said[0], said[-1])))] if said else []
    if trace.get("hovertemplate"):
        hover = (
            trace["hovertemplate"]
            .replace("<extra></extra>", "")
            .replace(f"<extra>{trace.get('name')}</extra>", " and name")
        )
        told.append(f"hover {hover}")
    if trace.get("fill") not in (None, "none"):
        told.append(f"filled {trace['fill']}")
    return "; ".join(told)


def _document(document: Document) -> Iterator[str]:
    yield f"document: {document.title} / {document.byline}"
    for section in document.sections:
        if section.part:
            yield f"  [{section.part}]"
        yield f"  {section.heading}"
        yield from _blocks(section.blocks)
    yield f"  foot: {document.foot}"


def _blocks(blocks: tuple[Block, ...]) -> Iterator[str]:
    for part in blocks:
        if isinstance(part, Paragraph | Code):
            yield from (f"    {line}" for line in part.text.splitlines())
        elif isinstance(part, Listing):
            yield from (f"    - {item}" for item in part.items)
        elif isinstance(part, Figure):
            yield f"    figure: {part.reading}"
            drawn = part.picture
            told = _markup(drawn.html) if isinstance(drawn, Panels) else _marks(drawn)
            yield from (f"      {line}" for line in told)
        elif isinstance(part, Facts):
            yield from (f"    {name}: {value}" for name, value in part.rows)
        elif isinstance(part, Row):
            yield from (line for cell in part.cells for line in _blocks(cell))
        elif isinstance(part, Link):
            yield f"    {part.shown}"
        elif isinstance(part, Square):
            yield f"    code: {part.address}"
        else:
            yield from (f"    {line}" for line in _table(part))
