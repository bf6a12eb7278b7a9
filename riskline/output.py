"""What a command answers: a page's sentence with its numbers, as text for people and as JSON for programs."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import dpcore
from riskline.case.fields import Field
from ui.pictures.table import Table
from ui.words.markdown import without_marks
from ui.words.python_lines import CodeLines
from ui.words.quantities import Quantity

FORMAT = 1
WIDEST = 100
"""Letters in a line of text, however wide the terminal is."""
Said = Quantity | tuple[Quantity, ...]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer to a command.

    sentence, small_print : what the page says, in the voice asked for
    quantities : the numbers of the answer by name, exact; a list of them where each row of a table has one
    cards : the page's numbers on top: what, how much, and what it says
    tables : what people read below them
    notes : further sentences of the page
    lines : the lines of Python that come to the number of the sentence
    failed : whether what was checked is not as it should be
    """

    sentence: str
    small_print: str = ""
    quantities: Mapping[str, Said]
    cards: tuple[tuple[str, str, str], ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    lines: CodeLines | None = None
    failed: bool = False


def as_text(answer: Answer, *, link: str, width: int = WIDEST) -> str:
    """The answer for people: its sentence, its numbers, its tables, its small print, and where its page has it."""
    width = max(40, min(width, WIDEST))
    parts = [_filled(answer.sentence, width)]
    if answer.cards:
        parts.append("\n".join(_card(card, width) for card in answer.cards))
    parts += [_table(table, width) for table in answer.tables]
    parts += [_filled(note, width) for note in answer.notes]
    if answer.small_print:
        parts.append(_filled(answer.small_print, width))
    parts.append(f"On its page: {link}")
    return "\n\n".join(parts)


def _filled(passage: str, width: int) -> str:
    lines = without_marks(passage).split("\n")
    return "\n".join(textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) for line in lines)


def _card(card: tuple[str, str, str], width: int) -> str:
    name, number, note = (without_marks(str(part)) for part in card)
    said = f"{name}: {number}" + (f" ({note})" if note else "")
    return textwrap.fill(said, width, initial_indent="  ", subsequent_indent="    ", break_long_words=False)


def _table(table: Table, width: int) -> str:
    """The table in columns, or row by row where they do not fit beside each other."""
    caption = [_filled(table.caption, width)] if table.caption else []
    heads, *rows = [[without_marks(str(cell)) for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    if sum(widths) + 2 * len(widths) > width + 2:
        return "\n".join([*caption, *(_row(heads, row, width) for row in rows)])
    ruled = [heads, ["-" * wide for wide in widths], *rows]
    lines = ["  ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip() for row in ruled]
    return "\n".join([*caption, *lines])


def _row(heads: list[str], row: list[str], width: int) -> str:
    said = "; ".join(f"{head} {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell)
    return textwrap.fill(
        f"{row[0]}: {said}", width, initial_indent="  ", subsequent_indent="    ", break_long_words=False
    )


def as_json(
    answer: Answer, *, command: str, fields: Iterable[Field], values: Mapping[str, Any], link: str, **more: Any
) -> str:
    """The answer for programs; `docs/command-line.md` names every key."""
    return _document(
        command,
        **more,
        choices={field.name: _choice(field, values[field.name]) for field in fields},
        link=link,
        answer=without_marks(answer.sentence),
        small_print=without_marks(answer.small_print),
        quantities={name: _quantity(said) for name, said in answer.quantities.items()},
        tables=[
            {
                "caption": without_marks(table.caption),
                "columns": list(table.columns),
                "rows": [[str(cell) for cell in row] for row in table.rows],
            }
            for table in answer.tables
        ],
        notes=[without_marks(note) for note in answer.notes],
        python=answer.lines.text if answer.lines is not None else "",
    )


def refusal_as_json(command: str, refusals: Iterable[tuple[str, str]], *, computable: bool) -> str:
    """Why a command has no answer, for programs."""
    told = [{"choice": choice, "sentence": sentence} for choice, sentence in refusals]
    return _document(command, refused=told, computable=computable)


def _document(command: str, **more: Any) -> str:
    begun = {"riskline": dpcore.__version__, "format": FORMAT, "command": command}
    return json.dumps(begun | more, indent=2, allow_nan=False)


def _choice(field: Field, value: Any) -> Any:
    """A choice as JSON has it: numbers, words and yes or no as they are, everything else as the link spells it."""
    return value if field.kind in ("number", "count", "flag", "choice", "text") else field.encode(value)


def _quantity(said: Said) -> Any:
    if isinstance(said, Quantity):
        return {"value": _finite(said.value), "side": type(said).__name__.lower(), "said": said.digits}
    return {
        "value": [_finite(one.value) for one in said],
        "side": type(said[0]).__name__.lower() if said else "exact",
        "said": [one.digits for one in said],
    }


def _finite(value: float) -> float | None:
    """The number; JSON has none that is infinite."""
    return float(value) if math.isfinite(value) else None
