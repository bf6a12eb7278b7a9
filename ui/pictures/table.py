"""The numbers behind a picture, as a reader and a spreadsheet may have them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from dpcore.populations import escaped_for_spreadsheet
from ui.words.catalogue import heads, label


class Badges(tuple[str, ...]):
    """Words in one cell that are read one by one: a unit, a model, a definition."""

    __slots__ = ()

    def __str__(self) -> str:
        return "; ".join(self)


@dataclass(frozen=True)
class Table:
    """A caption, column heads and rows of text or numbers."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    def as_csv(self) -> str:
        r"""The table as CSV; text that a spreadsheet would run as a formula is quoted with an apostrophe.

        >>> Table("", ("name", "n"), (("=cmd", -1),)).as_csv()
        "name,n\n'=cmd,-1\n"
        """
        return csv_of((self.columns, *self.rows))


def table_of(page: str, name: str, rows: Iterable[tuple[object, ...]], /, **words: object) -> Table:
    """A table whose caption and heads stand in the catalogue under its name."""
    return Table(label(page, f"{name}.caption", **words), heads(page, name, **words), tuple(rows))


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV: text in which a formula would begin is marked as text, badges are joined, all else is unchanged."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [escaped_for_spreadsheet(str(cell)) if isinstance(cell, Badges | str) else cell for cell in row] for row in rows
    )
    return out.getvalue()
