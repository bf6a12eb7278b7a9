"""What a link or a file smuggles into a notice stays text, and nothing a reader brings breaks the frame."""

from __future__ import annotations

import json
import logging
import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import ROOT, open_page, text_of
from ui.frame import show
from ui.link import scenario
from ui.views import accuracy
from ui.words.markdown import APART, escape_markdown
from ui.words.refusals import BEYOND_NUMBERS, BROKEN

SMUGGLED = "![](//evil.example/a.png) [x](//evil) www.evil.example https://evil.example :red[y] $z$"
TYPED = "jabberwock"
RAW = re.compile(r"(?<!\\)\]\(|://|www\.|(?<!\\)\$z|(?<!\\):red")


def notices(test: AppTest) -> list[str]:
    kinds = (test.warning, test.error, test.info, test.caption, test.markdown)
    return [element.value for kind in kinds for element in kind]


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("choose", "voice"),
        ("choose", "ratio"),
        ("choose", "line"),
        ("choose", SMUGGLED),
        ("plan", "rows"),
        ("exact_totals", "table"),
        ("positions", "name1"),
        ("memo", "choose"),
        ("memo", "title"),
        ("play", "bets"),
        ("infer", "n"),
    ],
)
def test_what_a_link_smuggles_into_a_notice_stays_text(stem: str, name: str) -> None:
    test = open_page(stem, **{name: SMUGGLED})
    assert not test.exception
    said = notices(test)
    shown = [text for text in said if "evil" in text]
    assert shown or stem != "choose"
    assert [text for text in shown if RAW.search(text)] == []


def test_names_in_a_ledger_and_of_positions_stay_text() -> None:
    for test in (
        open_page("plan", rows=f"a~0.1~1~~{SMUGGLED[:25].replace('~', '')}!a~0.1~x"),
        open_page("positions", name1=SMUGGLED[:38]),
    ):
        assert not test.exception
        assert [text for text in notices(test) if RAW.search(text) and "evil" in text] == []


def test_a_scenario_file_with_a_smuggling_page_name_stays_text() -> None:
    test = open_page("choose")
    document = {"riskline_scenario": 1, "pages": {SMUGGLED: {}, "choose": {"ratio": "1/" * 900, "held": "\ud800"}}}
    test.session_state["_pending_scenario"] = scenario.read(json.dumps(document))
    test.run()
    assert not test.exception
    said = "\n".join(element.value for element in test.warning)
    assert "no page called" in said
    assert "at most one /" in said
    assert not RAW.search(said)
    assert "riskline-answer" in text_of(test)
    said.encode("utf-8")


def test_a_failure_while_a_file_is_applied_leaves_the_page_standing(caplog: pytest.LogCaptureFixture) -> None:
    test = open_page("choose")
    test.session_state["_pending_scenario"] = "not a scenario"
    with caplog.at_level(logging.ERROR, "riskline"):
        test.run()
    assert not test.exception
    assert [element.value for element in test.error] == [BROKEN]
    assert "riskline-answer" in text_of(test)
    assert "AttributeError" in caplog.text


@pytest.mark.parametrize(
    ("error", "sentence"), [(ZeroDivisionError, BEYOND_NUMBERS), (MemoryError, BEYOND_NUMBERS), (KeyError, BROKEN)]
)
def test_an_error_of_a_page_is_a_sentence_and_the_log_has_its_lines_of_code_but_not_its_words(
    error: type[Exception], sentence: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*_: object) -> None:
        raise error(TYPED)

    monkeypatch.setattr(accuracy, "accuracy_view", failing)
    with caplog.at_level(logging.ERROR, "riskline"):
        test = open_page("accuracy")
    assert [element.value for element in test.error] == [sentence]
    assert error.__name__ in caplog.text
    assert "page accuracy" in caplog.text
    assert f", in {failing.__name__}\n    raise error(TYPED)" in caplog.text
    assert TYPED not in caplog.text


def last_good_page() -> None:
    from types import SimpleNamespace

    import streamlit as st

    from ui.frame import show

    def view_of(asked: int) -> SimpleNamespace:
        return SimpleNamespace(shown=1 / asked, refusal=None)

    view, sentence = show.view_or_last_good("demo", view_of, st.number_input("x", value=2))
    show.refused(sentence)
    st.write(f"shown {view.shown}")


def test_numbers_beyond_computing_keep_the_last_good_answer() -> None:
    test = AppTest.from_function(last_good_page, default_timeout=30).run()
    test.number_input[0].set_value(0).run()
    assert not test.exception
    assert test.error[0].value == escape_markdown(BEYOND_NUMBERS)
    assert test.markdown[-1].value == "shown 0.5"


def test_a_choice_named_twice_in_a_link_is_told() -> None:
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    test.query_params["ratio"] = ["2", "5"]
    test.query_params["voice"] = ["plain", "technical"]
    test.switch_page("pages/choose.py")
    test.run()
    told = [element.value.replace(APART, "").replace("\\", "") for element in test.warning]
    assert "The link names 'voice' 2 times; the last value, 'technical', counts." in told
    assert "The link names 'ratio' 2 times; the last value, '5', counts." in told


def many_refusals() -> None:
    from riskline.case.fields import Refusal
    from ui.frame import show

    show.refusals([Refusal("x", f"No {number}.") for number in range(30)])


def test_many_refusals_are_counted_and_not_all_repeated() -> None:
    (warning,) = AppTest.from_function(many_refusals, default_timeout=30).run().warning
    assert warning.value.count("No ") == show.MOST_REFUSALS
    assert warning.value.endswith("22 more.")
