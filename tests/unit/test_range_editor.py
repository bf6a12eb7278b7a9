"""What a browser may say of the ranges that are dragged, and what of it is taken."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ui.components import range_editor
from ui.components.range_editor import RangeRow, Span, _Memory, _taken, sent_moves

ROWS = [
    RangeRow("A", 25.0, 37.0, 60.0, "± 25", "± 37", "60 %"),
    RangeRow("B", None, 3.0, 30.0, "–", "± 3", "30 %"),
    RangeRow("C", 8.0, 9.0, 10.0, "± 8", "± 9", "10 %"),
]
WHOLE = Span(1.0, 1e9, whole=True)
LAST = _Memory(given="a1", made="a1", revision=4)


def test_moves_are_ranges_by_row_of_six_digits() -> None:
    assert sent_moves([[0, 18.00000001], [2, 1234567]], ROWS, WHOLE) == {0: 18.0, 2: 1234570.0}
    assert sent_moves([], ROWS, WHOLE) == {}


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (None, "moves must be pairs"),
        ({"0": 18}, "moves must be pairs"),
        ([[0, 1]] * 4, "moves must be pairs"),
        ([18], "moves must be pairs"),
        ([[0, 18, 2]], "moves must be pairs"),
        ([[3, 18]], "row must be one that asks for a range"),
        ([[-1, 18]], "row must be one that asks for a range"),
        ([[True, 18]], "row must be one that asks for a range"),
        ([["0", 18]], "row must be one that asks for a range"),
        ([[1, 18]], "row must be one that asks for a range"),
        ([[0, 0.5]], r"range must lie in \[1, "),
        ([[0, 1e10]], "range must lie in"),
        ([[0, math.nan]], "range must lie in"),
        ([[0, "18"]], "range must be a number, not text; got '18'"),
    ],
)
def test_anything_else_is_refused(sent: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        sent_moves(sent, ROWS, WHOLE)
    memory, moves = _taken({"rev": 5, "sheet": "a1", "moves": sent}, LAST, ROWS, WHOLE)
    assert moves == {}
    assert memory.refused is not None
    assert memory.revision == 5  # so that the browser drops it


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "moves",
        {"moves": [[0, 18]]},
        {"rev": 4, "sheet": "a1", "moves": [[0, 18]]},
        {"rev": True, "sheet": "a1", "moves": [[0, 18]]},
        {"rev": 2**60, "sheet": "a1", "moves": [[0, 18]]},
        {"rev": 5, "sheet": "b2", "moves": [[0, 18]]},
        {"rev": 5, "moves": [[0, 18]]},
    ],
)
def test_what_is_older_or_about_other_rows_changes_nothing(sent: Any) -> None:
    assert _taken(sent, LAST, ROWS, WHOLE) == (LAST, {})


def test_moves_are_made_once_and_of_rows_that_are_out_of_date_none(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {}
    mounted: list[dict[str, Any]] = []
    made: list[Any] = []
    monkeypatch.setattr(range_editor.st, "session_state", state)
    monkeypatch.setattr(range_editor, "_component", lambda: lambda **given: mounted.append(given))

    def mount(sheet: str, *, stale: bool = False) -> dict[str, Any]:
        words = {name: name for name in ("caption", "axis", "asks", "gets", "share")}
        look: dict[str, Any] = {"span": WHOLE, "words": words, "stale": stale, "large": True}

        def moved(moves: Any) -> str:
            made.append(moves)
            return "b2"

        range_editor.range_editor(ROWS, key="ranges", sheet=sheet, on_move=moved, **look)
        data: dict[str, Any] = mounted[-1]["data"]
        return data

    def sends(sheet: str, revision: int) -> None:
        state["ranges"] = {"ranges": {"rev": revision, "sheet": sheet, "moves": [[0, 18.0]]}}
        mounted[-1]["on_ranges_change"]()

    data = mount("a1", stale=True)
    assert (data["sheet"], data["rev"], data["stale"], data["large"]) == ("a1", 0, True, True)
    assert data["rows"][0]["name"] == "A"
    assert (data["least"], data["most"], data["whole"], data["caption"]) == (1.0, 1e9, True, "caption")
    sends("a1", 3)
    assert made == []
    mount("a1")
    sends("a1", 4)
    assert made == [{0: 18.0}]
    assert mount("b2")["sheet"] == "a1", "the browser goes on with its rows, which these are made of"
    data = mount("c3")
    assert (data["sheet"], data["rev"]) == ("c3", 4), "other rows begin behind what was sent"
    sends("a1", 5)
    assert len(made) == 1
