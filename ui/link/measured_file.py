"""Noisy measurements of a census in a reader's file: CSV, or Parquet where pyarrow is there; read by its headings.

A file is hostile input: its size, rows and cells are checked before anything is made of them.
"""

from __future__ import annotations

import io
from functools import partial

from dpcore.census import Measurement, Measurements
from dpcore.census.measurements import MOST_ROWS
from dpcore.errors import Code, Refused
from riskline.case.fields import written_number
from riskline.case.sheet import LONGEST_CELL, printable
from ui.link.sheet_file import LARGEST_FILE, Cells, columns_by_head, head_words, read_sheet_csv
from ui.words.catalogue import label
from ui.words.quantities import Typed, whole
from ui.words.refusals import refuse_larger

HEADS = ("level", "area", "table", "cell", "value", "variance", "known")
"""The columns of a file, in any order; `known` may be missing or empty."""
PARQUET = b"PAR1"
CODECS = ("UNCOMPRESSED", "SNAPPY")
"""How a Parquet file may be compressed: what it unpacks to is at most some twenty times as large."""
word = partial(label, "sheet")


def read_measurements(content: bytes) -> Measurements:
    r"""The noisy measurements of a file; `ValueError` says in a sentence what cannot be read, and where.

    >>> read_measurements(b"Level,Area,Table,Cell,Value,Variance\nblock,1001,cenrace,5,3,100.5\n").areas
    {'block': '1001'}
    """
    refuse_larger(content, LARGEST_FILE)
    if content[:4] == PARQUET:
        rows = _parquet(content)
    else:
        rows = read_sheet_csv(content, heads=HEADS, most_rows=MOST_ROWS)
    return Measurements([_measurement(number, row) for number, row in enumerate(rows, 1)])


def _measurement(number: int, row: Cells) -> Measurement:
    level, area, table, cell, value, variance, known = (text.strip() for text in row)
    at = f"measurement {number}"
    try:
        return Measurement(
            level.lower().replace(" ", "_"),
            area,
            table.lower().replace(" ", ""),
            cell.replace(" ", ""),
            value=_number("value", value),  # type: ignore[arg-type]
            variance=_number("variance", variance),
            known=None if known == "" else _number("known", known),  # type: ignore[arg-type]
        )
    except Refused as refusal:
        raise Refused(refusal.name, refusal.rule, refusal.value, refusal.code, at=at) from None


def _number(name: str, text: str) -> float:
    """A number as it is written: a whole one stays whole."""
    try:
        return int(text) if text.lstrip("+-").isdecimal() and text.isascii() else written_number(text)
    except ValueError:
        raise Refused(name, "be a number", text, Code.NOT_A_NUMBER) from None


def _parquet(content: bytes) -> tuple[Cells, ...]:
    """The rows of a Parquet file, their cells as text in the order of the heads."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise Refused(
            "pyarrow", "be installed to read Parquet; CSV needs nothing", None, Code.NOT_INSTALLED, got=""
        ) from None
    try:
        file = parquet.ParquetFile(io.BytesIO(content))
        about = file.metadata
        if about.num_rows > MOST_ROWS:
            raise ValueError(word("csv.rows", most=Typed(MOST_ROWS, whole), n=f"{about.num_rows:,}"))
        groups = [about.row_group(place) for place in range(about.num_row_groups)]
        packed = {group.column(place).compression for group in groups for place in range(group.num_columns)}
        if not packed <= set(CODECS):
            rule = f"be compressed as one of {', '.join(CODECS)}"
            raise Refused("the Parquet file", rule, sorted(packed), Code.UNSUPPORTED, got=", ".join(sorted(packed)))
        named = [name for name in file.schema_arrow.names if head_words(name) in HEADS]
        places = columns_by_head(named, {head: head for head in HEADS}.get)
        if not places:
            raise ValueError(
                word("csv.heads", line=1, heads=", ".join(HEADS), got=repr(printable(", ".join(named))[:80]))
            )
        kinds = {name: file.schema_arrow.field(name).type for name in named}
        texts = [name for name, kind in kinds.items() if pyarrow.types.is_string(kind)]
        for name, kind in kinds.items():
            if not (name in texts or pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind)):
                raise Refused(
                    f"column {name!r}", "hold text or numbers", str(kind), Code.WRONG_TYPE, got=str(kind)[:40]
                )
        read = parquet.ParquetFile(io.BytesIO(content), read_dictionary=texts).read(columns=named)
        columns = {head: _column(read.column(named[place]), head) for head, place in places.items()}
    except (pyarrow.ArrowException, OSError):
        raise Refused("the Parquet file", "be one that can be read", None, Code.WRONG_FORM, got="") from None
    size = max(map(len, columns.values()))
    if not size:
        raise ValueError(word("csv.no_rows"))
    return tuple(zip(*(columns.get(head, [""] * size) for head in HEADS), strict=True))


def _column(held: object, head: str) -> list[str]:
    """The values of a column as text; each text of a dictionary is measured before its rows are made."""
    found: list[str] = []
    for chunk in held.chunks:  # type: ignore[attr-defined]
        values = chunk.dictionary.to_pylist() if hasattr(chunk, "dictionary") else None
        longest = max((len(text) for text in values or [] if text is not None), default=0)
        if longest > LONGEST_CELL:
            raise ValueError(word("csv.cell", line=1, head=head, most=Typed(LONGEST_CELL, whole), n=longest))
        found += ["" if value is None else printable(str(value)) for value in chunk.to_pylist()]
    return found
