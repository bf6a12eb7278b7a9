"""The hierarchy page from its links."""

from __future__ import annotations

from tests.app.opened_page import open_page, sound
from ui.frame.case import STORE


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
