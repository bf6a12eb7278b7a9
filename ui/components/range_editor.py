"""The ranges that tables get, as dots, and the ranges they ask for, as rings that are dragged or moved with keys.

The page hands over its rows and is told, on release, which of them ask for another range. What the browser sends is
checked like any stranger's input. It names the rows it was about: what was asked of others is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore._checks import number
from ui.components.lean import component
from ui.words.refusals import refusal_words

_HIGHEST_REVISION = 2**52
_DIGITS = 6  # significant digits of a range that was dragged


@dataclass(frozen=True)
class RangeRow:
    """One row: the range asked for, if any, the range it gets and its share in per cent, each also as it is said."""

    name: str
    asked: float | None
    gets: float
    share: float
    asked_said: str
    gets_said: str
    share_said: str


@dataclass(frozen=True)
class Span:
    """The ranges that can be asked for; whole numbers where the noise is whole."""

    least: float
    most: float
    whole: bool


@dataclass(frozen=True)
class _Memory:
    """Which rows the browser was given, which ones its moves have made of them, and the last message that was read."""

    given: str
    made: str
    revision: int = 0
    refused: str | None = None


def range_editor(
    rows: Sequence[RangeRow],
    *,
    key: str,
    sheet: str,
    on_move: Callable[[Mapping[int, float]], str],
    span: Span,
    words: Mapping[str, str],
    stale: bool,
    large: bool,
) -> None:
    """Mount the editor where this call stands on the page.

    `sheet` tells these rows from others: a message about others is not taken. `on_move` is called before the script
    runs again with the new ranges by row, and says what tells the rows that it has made; `stale` rows cannot be
    dragged. `words` name the picture (caption), what its axis measures (axis), its columns (asks, gets, share).
    """
    place = f"{key}/memory"
    memory: _Memory | None = st.session_state.get(place)
    if memory is None or memory.made != sheet:
        memory = _Memory(given=sheet, made=sheet, revision=memory.revision if memory else 0)
    st.session_state[place] = memory

    def changed() -> None:
        """Take what the browser sent, then let the page change its rows."""
        taken, moves = _taken((st.session_state.get(key) or {}).get("ranges"), st.session_state[place], rows, span)
        if moves and not stale:
            taken = replace(taken, made=on_move(moves))
        st.session_state[place] = taken

    state = {"sheet": memory.given, "rev": memory.revision, "refused": memory.refused, "stale": stale, "large": large}
    data = {"rows": [asdict(row) for row in rows]} | state | asdict(span) | {**words}
    _component()(key=key, data=data, on_ranges_change=changed)


def _taken(sent: Any, last: _Memory, rows: Sequence[RangeRow], span: Span) -> tuple[_Memory, Mapping[int, float]]:
    """What is remembered after a message, and the moves in it; none of one that is older or about other rows."""
    revision = sent.get("rev") if isinstance(sent, dict) else None
    if type(revision) is not int or not last.revision < revision < _HIGHEST_REVISION or sent.get("sheet") != last.given:
        return last, {}
    try:
        return replace(last, revision=revision, refused=None), sent_moves(sent.get("moves"), rows, span)
    except ValueError as reason:
        return replace(last, revision=revision, refused=refusal_words(reason)), {}


def sent_moves(sent: Any, rows: Sequence[RangeRow], span: Span) -> Mapping[int, float]:
    """The ranges that a browser asks for, by row, counted from 0."""
    pairs: list[Any] = sent if isinstance(sent, list) else [None]
    if len(pairs) > len(rows) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise ValueError("moves must be pairs (row, range), one for a row")
    moves: dict[int, float] = {}
    for row, wanted in pairs:
        if type(row) is not int or not 0 <= row < len(rows) or rows[row].asked is None:
            raise ValueError("row must be one that asks for a range")
        moves[row] = float(f"{number('range', wanted, span.least, span.most):.{_DIGITS}g}")
    return moves


_component = partial(component, "riskline_range_editor", "element.js", "ranges.js", style="ranges.css")
