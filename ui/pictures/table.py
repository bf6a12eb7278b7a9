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
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([spreadsheet_safe(cell) for cell in self.columns])
        writer.writerows([[spreadsheet_safe(cell) for cell in row] for row in self.rows])
        return out.getvalue()


def table_of(page: str, name: str, rows: Iterable[tuple[object, ...]], /, **words: object) -> Table:
    """A table whose caption and heads stand in the catalogue under its name."""
    return Table(label(page, f"{name}.caption", **words), heads(page, name, **words), tuple(rows))


def spreadsheet_safe(cell: object) -> object:
    """Text in which a formula would begin, marked as text; badges joined; everything else unchanged."""
    if isinstance(cell, (Badges, str)):
        return escaped_for_spreadsheet(str(cell))
    return cell
