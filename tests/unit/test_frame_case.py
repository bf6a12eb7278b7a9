"""What an address brings into a session, by who or what caused the run: its case, its choices, and what it leaves."""

from __future__ import annotations

from typing import Any

import pytest

from riskline.case.decision import Decision
from riskline.case.value import EXAMPLE, Case
from ui.frame import case as frame
from ui.link.page_table import page_entry


class Address(dict[str, list[str]]):
    """The parameters of an address, each as often as it is named."""

    def get_all(self, name: str) -> list[str]:
        return self[name]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(frame.st, "session_state", state)
    return state


def come(monkeypatch: pytest.MonkeyPatch, stem: str = "explain", **query: str | list[str]) -> frame.Arrival:
    """A run of a page with this address, after which the session is there, and the address is what was written."""
    asked = Address({name: [text] if isinstance(text, str) else text for name, text in query.items()})
    monkeypatch.setattr(frame.st, "query_params", asked)
    frame.arrive(stem, page_entry(stem).fields)
    state: Any = frame.st.session_state
    state[frame.CURRENT] = stem
    state[frame.WRITTEN][stem] = {name: texts[-1] for name, texts in asked.items() if name not in ("voice", "type")}
    found: frame.Arrival = state[frame.ARRIVAL]
    return found


def test_a_first_address_brings_its_case_and_its_own_choices(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = come(monkeypatch, case="own", unit="household", epsilon=["2", "3"], voice="technical")
    assert found.asked == [("case", "own"), ("unit", "household"), ("epsilon", "2"), ("epsilon", "3")]
    assert found.own == [("epsilon", "2"), ("epsilon", "3")]
    assert (found.own_otherwise, found.touched, found.loaded) == (True, False, False)
    assert frame.held_case() == Case(unit="household")
    assert session[frame.CASE_REFUSALS] == ()


def test_a_run_that_a_control_caused_keeps_what_is_held_whatever_the_address_still_says(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    come(monkeypatch, case="own", unit="household", group="none", epsilon="2")
    assert [refusal.name for refusal in session[frame.CASE_REFUSALS]] == ["group"]
    frame.choose_in_case(unit="days")
    frame.touch()
    session[frame.LOADED] = True
    found = come(monkeypatch, case="own", unit="household", epsilon="9")
    assert (found.own, found.own_otherwise, found.touched, found.loaded) == ([], False, True, True)
    assert frame.held_case() == Case(unit="days")
    assert session[frame.CASE_REFUSALS] == ()
    again = come(monkeypatch, case="own", unit="household", epsilon="9")
    assert (again.touched, again.loaded, again.own_otherwise) == (False, False, False)
    assert frame.held_case() == Case(unit="days"), "the address says what was written into it"


def test_another_address_of_the_same_page_is_taken_also_where_it_asks_for_nothing(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    come(monkeypatch, case="own", unit="household", epsilon="2")
    found = come(monkeypatch, epsilon="2")
    assert found.own_otherwise
    assert frame.held_case() == EXAMPLE, "Back to before there was a case"
    come(monkeypatch, case="own", unit="household")
    assert come(monkeypatch).own_otherwise
    assert frame.held_case() == EXAMPLE


def test_from_another_page_an_address_without_a_case_or_choices_leaves_both(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    come(monkeypatch, case="own", unit="household")
    frame.touch()  # a control of the page that was left
    found = come(monkeypatch, "accuracy")
    assert (found.touched, found.own_otherwise) == (False, False)
    assert frame.held_case() == Case(unit="household")
    assert come(monkeypatch, "explain", epsilon="3").own_otherwise
    assert frame.held_case() == Case(unit="household")
    assert not come(monkeypatch, "accuracy").own_otherwise
    come(monkeypatch, "explain", case="own", unit="days")
    assert frame.held_case() == Case(unit="days")


def test_back_to_a_page_brings_the_case_of_its_address_also_where_that_was_the_last_one_written(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    come(monkeypatch, case="own", unit="household", epsilon="2")
    come(monkeypatch, "accuracy", case="own", unit="household")
    frame.choose_in_case(unit="days")
    found = come(monkeypatch, case="own", unit="household", epsilon="2")
    assert frame.held_case() == Case(unit="household")
    assert not found.own_otherwise


def test_what_a_link_leaves_out_is_kept_where_this_session_has_it_and_else_told(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame.hold_case(Case(unit="household", released="tables"))
    come(monkeypatch, case="own", unit="days", missing="released office")
    assert frame.held_case() == Case(unit="days", released="tables")
    (told,) = session[frame.CASE_REFUSALS]
    assert told.name == "missing"
    assert "office" in told.sentence
    assert "released" not in told.sentence
    come(monkeypatch, case="own", unit="days", missing="released")
    assert session[frame.CASE_REFUSALS] == ()


def test_a_link_that_says_the_case_as_it_stands_keeps_what_a_file_brought_with_it(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame.hold_case(Case(unit="household", kept={"later": 5}))
    come(monkeypatch, case="own", unit="household")
    assert frame.held_case().kept == {"later": 5}


def test_an_old_link_with_the_choices_of_other_pages_brings_them_there(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    session |= {"plan.rounds": 1, "explain.prior": 1}
    come(monkeypatch, "memo", plan="rounds=3&x=1&difference=none", accuracy="half_width=4")
    assert session[frame.STORE] == {"plan": {"difference": 0.2}, "accuracy": {"half_width": 4.0}}
    assert [refusal.name for refusal in session[frame.CASE_REFUSALS]] == ["x", "difference"]
    assert "plan.rounds" not in session
    assert "explain.prior" in session


def test_a_decision_of_this_session_is_no_claim(session: dict[str, Any]) -> None:
    case = Case(ratio=2.0).decided(value=0.5, currency="epsilon")
    assert isinstance(case.decision, Decision)
    assert frame.is_claim(case)
    session[frame.MADE_HERE] = [case.decision]
    assert not frame.is_claim(case)
    assert not frame.is_claim(Case(ratio=2.0))
