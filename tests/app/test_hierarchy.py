"""The hierarchy page from its links."""

from __future__ import annotations

import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, answer_in_words, open_page, sound, text_of
from tests.command_line import told
from ui.frame.case import STORE
from ui.link.measured_file import read_measurements
from ui.pictures.style import Style
from ui.views.hierarchy import HierarchyInputs
from ui.views.hierarchy.view import measured_view


def test_a_release_and_a_belief_come_from_the_link() -> None:
    test = open_page("hierarchy", belief="sparse", x1="3", y="-4", empty="0.9")
    sound(test)
    assert [test.text_input(key=f"hierarchy.{name}").value for name in ("x1", "y", "empty")] == ["3", "-4", "0.9"]


def test_a_refused_choice_is_told() -> None:
    test = open_page("hierarchy", belief="point", known="40", total="3")
    sound(test)
    assert "must hold one more than the 40 known" in "\n".join(element.value for element in test.error)


def test_a_decimal_comma_in_a_list_of_budgets_stands_between_no_counts() -> None:
    test = open_page("hierarchy", budget="own")
    for name, typed in (("rho_above", "0,125 0.1"), ("siblings_above", "3 1,125")):
        test.text_area(key=f"hierarchy.{name}").set_value(typed).run()
        sound(test)
        assert not [caption.value for caption in test.caption if "comma" in caption.value], name
    assert test.session_state[STORE]["hierarchy"]["rho_above"] == (0.125, 0.1)


def test_another_belief_about_the_siblings_turns_the_sentence() -> None:
    test = open_page("hierarchy")
    known = "likely that somebody is counted. With nothing known of other blocks, the larger area makes it 46 in 100."
    assert known in answer_in_words(test)
    test.radio(key="hierarchy.belief").set_value("sparse").run()
    sound(test)
    assert "nearby, the larger area makes it 63 in 100." in answer_in_words(test)
    assert "68 in 100" in text_of(test)
    assert address(test) == {"belief": "sparse"}


def test_the_levels_are_computed_once_their_fold_is_open() -> None:
    test = open_page("hierarchy", voice="technical")
    drawn, by_level = len(test.get("plotly_chart")), "0.051449 → 0.053345"
    assert by_level not in text_of(test)
    test.session_state["hierarchy.levels"] = True  # as a reader opens the fold
    sound(test.run())
    assert by_level in text_of(test)
    assert len(test.get("plotly_chart")) == drawn + 1


def bring_tables(test: AppTest, content: bytes) -> None:
    (box,) = [box for box in test.file_uploader if "noisy tables" in box.label]
    box.set_value(("drawn.csv", content, "text/csv"))
    sound(test.run())


def test_noisy_tables_that_the_command_drew_are_attacked(tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.csv"
    made = told("census", "draw", "--seed", "3", "--out", str(drawn))
    [person] = re.findall(r"--person '([^']+)'", made.out + made.complaint)
    test = open_page("hierarchy")
    hostile = b"level,area,table,cell,value,variance,<script>alert(1)</script>\nnation,N,cenrace,0,1,1,0\n"
    bring_tables(test, hostile)
    (refused,) = [element.value.replace("\\", "") for element in test.error]
    assert re.search(r"line 1 names .*script.alert\(1\).*its columns may be", refused, re.IGNORECASE)
    assert "<script>" not in text_of(test)
    bring_tables(test, drawn.read_bytes())
    test.text_input(key="hierarchy.person").set_value(person).run()
    sound(test)
    assert not test.error
    view = measured_view(read_measurements(drawn.read_bytes()), person, "", HierarchyInputs().prior, Style())
    assert view.levels is not None
    assert view.answer in [element.value for element in test.caption]
    assert "cenrace" not in str(address(test))
