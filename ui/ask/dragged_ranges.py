"""The ranges of a publication on the page: what is dragged there becomes the wish of its row in the sheet."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from ui.ask.publication import TABLES
from ui.ask.sheet import set_rows
from ui.components.range_editor import RangeRow, Span, Words, range_editor
from ui.frame.run import style
from ui.pictures.description import Description
from ui.views.publication import LARGEST, SMALLEST, TableRow, asked_otherwise

Tables = tuple[TableRow, ...]
WHOLE = ("discrete_gaussian", "geometric")


def drag_ranges(picture: Description, tables: Tables, *, noise: str, stale: bool) -> None:
    """Mount the picture of ranges; a ring that is let go, or keys that rest, are one change of the sheet."""

    def taken(moves: Mapping[int, float]) -> str:
        after = asked_otherwise(tables, moves)
        set_rows(TABLES, tables, after, min(moves))
        return _told_apart(after)

    numbers = picture.numbers
    names, asked, gets, share = (numbers.column(key) for key in ("table", "asked", "gets", "share"))
    rows = [
        RangeRow(
            str(names.values[place]),
            None if (wish := float(asked.numbers[place])) != wish else wish,
            float(gets.numbers[place]),
            float(share.numbers[place]),
            f"± {asked.cell(place)}" if wish == wish else "–",
            f"± {gets.cell(place)}",
            f"{share.cell(place)} %",
        )
        for place in range(len(names.values))
    ]
    range_editor(
        rows,
        key="publication.ranges",
        sheet=_told_apart(tables),
        on_move=taken,
        span=Span(1.0 if noise in WHOLE else SMALLEST, LARGEST, noise in WHOLE),
        words=Words(numbers.caption, asked.axis_title, asked.name, f"{gets.name} {gets.aspect}", share.name),
        stale=stale,
        large=style().large,
    )


def _told_apart(tables: Tables) -> str:
    """What tells these rows from others."""
    return f"{zlib.crc32(repr(tables).encode('utf-8', 'replace')):x}"
