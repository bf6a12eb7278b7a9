"""A choice that is a spreadsheet: what is typed or pasted becomes the page's rows, and each press can be undone."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address
from tests.approved.outline import downloads
from ui.ask import sheet as ask
from ui.ask.sheet import MOST_STEPS, MOST_TOLD, Sheet, moved
from ui.words.catalogue import label

GRID = Sheet(
    stem="demo",
    field="rows",
    heads={"name": "Table", "wish": "Wanted"},
    help={"wish": "How near"},
    row_of=lambda cells: cells if any(cells) else None,
    cells_of=lambda row: row,
    called=lambda row: row[0],
    new=lambda rows: (f"new {len(rows)}", ""),
    most=4,
    wide=("name",),
)
A, B, C = ("A", "1"), ("B", "2"), ("C", "3")


def page() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.ask.sheet import edit_sheet, rows_before
    from ui.frame.case import CURRENT, arrive
    from ui.frame.form import Form

    grid = st.session_state["grid"]
    fields = (Field("rows", "Rows", "custom", st.session_state["at_first"], read=lambda text: (), write=repr),)
    arrive("demo", fields)
    form = Form("demo", fields)
    asked = []
    one_row = (lambda rows, at: asked.append((rows, at))) if st.session_state.get("one", True) else None
    with edit_sheet(form, grid, sentence="The last ones stay.", one_row=one_row):
        st.write("beside")
    st.session_state[CURRENT] = "demo"
    st.session_state["said"] = form.close()["rows"]
    st.session_state["asked"] = asked
    st.session_state["before"] = rows_before(grid, form.values["rows"])
    st.query_params.from_dict(st.session_state["_page_query"])


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What somebody typed into the grid of `page`, as the editor gives it back once; how it was drawn."""
    held: dict[str, Any] = {"rows": None, "drawn": []}

    def editor(frame: pd.DataFrame, *, key: str, **look: Any) -> pd.DataFrame:
        held["drawn"].append((key, [tuple(row) for row in frame.itertuples(index=False)], look))
        ask.st.session_state.setdefault(key, {})
        rows = held.pop("rows", None)
        if rows is None:
            return held.get("edited", {}).get(key, frame)
        edited = pd.DataFrame(rows, columns=["name", "wish"], dtype="object")
        held["edited"] = {key: edited}
        return edited

    monkeypatch.setattr(ask.st, "data_editor", editor)
    return held


def again(test: AppTest) -> AppTest:
    test.run()
    assert not test.exception, test.exception
    return test


def opened() -> AppTest:
    test = AppTest.from_function(page, default_timeout=30)
    test.session_state["grid"], test.session_state["at_first"] = GRID, (A, B, C)
    return again(test)


def press(test: AppTest, name: str) -> Any:
    words = "add" if name == "add" else label("sheet", f"action.{name}")
    test.button(key=f"demo.action.{words}").click()
    return again(test).session_state["said"]


def usable(test: AppTest) -> set[str]:
    return {button.label for button in test.button if not button.disabled}


def named(*names: str) -> set[str]:
    return {label("sheet", "new" if name == "add" else f"action.{name}") for name in names}


def test_presses_add_move_copy_and_take_out_the_row_that_is_picked(typed: dict[str, Any]) -> None:
    test = opened()
    picked = test.selectbox(key="_demo_row")
    assert (picked.label, picked.options) == (label("sheet", "row"), ["1. A", "2. B", "3. C"])
    assert usable(test) == named("add", "down", "duplicate", "delete")
    for name, before in (("down", (A, B, C)), ("undo", None), ("redo", None), ("undo", None)):
        press(test, name)
        assert test.session_state["before"] == before, "a step back or on is no change that made these"
    test.selectbox(key="_demo_row").set_value(0)
    again(test)
    steps = [("down", (B, A, C), 1), ("down", (B, C, A), 2), ("up", (B, A, C), 1), ("duplicate", (B, A, A, C), 2)]
    steps += [("delete", (B, A, C), 1), ("delete", (B, C), 0), ("delete", (C,), 0)]
    for name, rows, at in steps:
        assert press(test, name) == rows, name
        assert test.selectbox(key="_demo_row").value == at, name
        assert test.session_state["asked"] == [(rows, at)]
    undone = [(B, C), (B, A, C), (B, A, A, C)]
    for rows in undone:
        assert press(test, "undo") == rows
        assert test.session_state["before"] is None
    assert usable(test) == named("down", "delete", "undo", "redo"), "no more than four rows"
    assert press(test, "redo") == (B, A, C)
    assert press(test, "add") == (B, A, C, ("new 3", ""))
    assert (test.selectbox(key="_demo_row").value, test.session_state["before"]) == (3, (B, A, C))
    assert "redo" not in {button.label.lower() for button in test.button if not button.disabled}
    assert press(test, "undo") == (B, A, C)
    assert address(test)["demo_rows"] == repr((B, A, C))


def test_without_rows_there_is_none_to_press_for(typed: dict[str, Any]) -> None:
    test = opened()
    for _ in range(3):
        press(test, "delete")
    assert (test.session_state["said"], test.session_state["asked"]) == ((), [])
    assert usable(test) == named("add", "undo")
    assert press(test, "add") == (("new 0", ""),)


def test_what_is_typed_becomes_the_rows_and_the_grid_goes_on_from_where_it_began(typed: dict[str, Any]) -> None:
    test = opened()
    key, begun, look = typed["drawn"][-1]
    assert (key, begun, look["num_rows"], look["hide_index"]) == ("demo.ledger.1", [A, B, C], "dynamic", True)
    typed["rows"] = [A, ("B", "1,234"), C, (None, float("nan"))]
    again(test)
    assert test.session_state["said"] == (A, ("B", "1,234"), C)
    assert typed["drawn"][-1][:2] == (key, [A, B, C]), "changes are against what it began with"
    assert test.session_state["before"] == (A, B, C)
    assert test.selectbox(key="_demo_row").value == 1, "the first row that changed"
    told = label("sheet", "comma", place=2, head="Wanted", reading="read as 1234: the comma stands between thousands.")
    assert [one.value.replace("\\", "") for one in test.caption] == [told]
    assert press(test, "undo") == (A, B, C)
    assert typed["drawn"][-1][:2] == ("demo.ledger.2", [A, B, C]), "rows of a press begin another grid"
    typed["rows"] = [("x", "")] * 5
    again(test)
    assert test.session_state["said"] == (A, B, C)
    (refused,) = test.error
    assert refused.value == label("sheet", "too_many", most=4, n="5", sentence="The last ones stay.")


def test_rows_that_are_pasted_under_their_heads_stand_in_the_columns_that_these_name(typed: dict[str, Any]) -> None:
    test = opened()
    typed["rows"] = [("Wanted", "Table"), ("9", "Z"), ("8", "Y")]
    again(test)
    assert test.session_state["said"] == (("Z", "9"), ("Y", "8"))
    assert typed["drawn"][-1][:2] == ("demo.ledger.2", [("Z", "9"), ("Y", "8")]), "without the heads"


def test_rows_leave_as_a_file_and_those_of_another_are_one_step(typed: dict[str, Any]) -> None:
    with downloads() as files:
        test = opened()
    ((name, kind, saved),) = files.values()
    assert (name, kind, saved()) == ("riskline-demo-rows.csv", "text/csv", "Table,Wanted\nA,1\nB,2\nC,3\n")
    test.selectbox(key="_demo_row").set_value(2)
    again(test)
    (box,) = test.file_uploader
    assert (box.label, box.help) == (label("sheet", "open"), label("sheet", "told"))
    box.set_value(("x.csv", b"wanted;table\n5;E\n;\n6;F\n", "text/csv"))
    again(test)
    assert test.session_state["said"] == (("E", "5"), ("F", "6"))
    assert test.selectbox(key="_demo_row").value == 0
    assert test.file_uploader[0].value is None
    test.file_uploader[0].set_value(("x.csv", b"table\n" + b"x\n" * 5, "text/csv"))
    again(test)
    assert (len(test.error), test.session_state["said"]) == (1, (("E", "5"), ("F", "6")))
    assert press(test, "undo") == (A, B, C)


@pytest.mark.parametrize(
    ("place", "step", "found"),
    [
        *((0, 1, (B, A, C)), (2, -1, (A, C, B)), (1, 1, (A, C, B))),
        *((0, -1, (A, B, C)), (2, 1, (A, B, C)), (3, -1, (A, B, C)), (-1, 1, (A, B, C))),
    ],
)
def test_a_row_moves_past_its_neighbour_and_not_over_an_end(place: int, step: int, found: Any) -> None:
    assert moved((A, B, C), place, step) == found


def test_only_so_many_steps_are_kept_and_a_new_one_ends_what_was_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {"_demo_redo": [(A,)]}
    monkeypatch.setattr(ask.st, "session_state", state)
    for number in range(MOST_STEPS + 1):
        ask.remember(GRID, (number,), (number + 1,))
    assert (len(state["_demo_undo"]), state["_demo_undo"][0], state["_demo_redo"]) == (MOST_STEPS, (1,), [])
    assert ask.rows_before(GRID, (MOST_STEPS + 1,)) == (MOST_STEPS,)
    assert ask.rows_before(GRID, (7,)) is None


def test_commas_are_told_of_a_few_numbers_and_of_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(ask.show, "caption", said.append)
    ask._tell_commas(GRID, (("1,234", "1,5"),))
    assert not said
    ask._tell_commas(GRID, tuple(("x", f"{number},000") for number in range(1, 9)))
    assert len(said) == MOST_TOLD
    assert said[0] == label(
        "sheet", "comma", place=1, head="Wanted", reading="read as 1000: the comma stands between thousands."
    )


def test_cells_are_text_of_one_line_and_no_longer_than_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame([["b\n" + "x" * 99, 3], [None, float("nan")]], columns=["name", "wish"], dtype="object")
    (name, wish), empty = GRID.cells_typed(frame)
    assert (len(name), name[:3], wish, empty) == (60, "b x", "3", ("", ""))
    columns = GRID.columns
    assert [columns[head]["width"] for head in ("name", "wish")] == ["medium", None]
    assert [columns[head]["label"] for head in ("name", "wish")] == ["Table", "Wanted"]
    assert columns["wish"]["help"] == "How near"
    assert columns["name"]["default"] == ""
