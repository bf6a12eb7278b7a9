"""A reader's own files on the page *Public information*: taken, refused with a sentence, forgotten."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, answer, open_page, sound, stopped_run, text_of
from ui.runs.run import Run, State

pytestmark = pytest.mark.usefixtures("runs_here")
PRIVATE = ("sex,race\n" + "f,A\nm,B\nf,B\nm,A\nf,A\n" * 40).encode()
PUBLIC = ("race,sex\n" + "A,f\nB,m\nB,f\n" * 10).encode()


def opened() -> AppTest:
    return open_page(
        "public_information", side="helps", data="own", rounds="2", repeats="1", records="200", public="50"
    )


def bring(test: AppTest, which: int, content: bytes) -> AppTest:
    uploaders = [one for one in test.file_uploader if "records" in one.label]
    uploaders[which].set_value(("mine.csv", content, "text/csv"))
    return test.run()


def latest(test: AppTest) -> Run:
    return list(test.session_state["_runs"]["lines"].values())[-1]


def told(test: AppTest) -> str:
    return "\n".join(element.value for element in test.error).replace("\\", "")


def test_lines_of_the_choices_before_stay_until_the_first_new_one_is_there() -> None:
    test = open_page("public_information", side="helps", rounds="1", repeats="1", records="200", public="50")
    sound(test)
    older = "show earlier choices"
    assert older not in "".join(one.value for one in test.info)
    drawn = text_of(test).partition("Largest error of any share")[2][:40]
    ((study, own),) = test.session_state["_runs"]["lines"]
    stopped = stopped_run()  # one of other choices that has found nothing yet
    test.session_state["_runs"]["lines"] = {((*study[:-1], study[-1] + 1), own): stopped}
    number = next(box for box in test.text_input if box.label == "Seed")
    number.set_value(str(study[-1] + 1)).run()
    sound(test)
    assert older in "".join(one.value for one in test.info)
    assert drawn
    assert drawn in text_of(test)
    assert len(test.get("plotly_chart")) == 1
    next(button for button in test.button if button.label == "Go on drawing")


def test_own_files_are_drawn_and_forgotten() -> None:
    test = opened()
    sound(test)
    assert "No file held" in text_of(test)
    bring(test, 0, PRIVATE)
    sound(test)
    assert "<strong>200</strong> records" in text_of(test)
    assert "need a public file" in text_of(test)
    bring(test, 1, PUBLIC)
    sound(test)
    assert not told(test)
    assert any("200 private records, 30 public records, 2 columns" in one.value for one in test.caption)
    assert "need a public file" not in text_of(test)
    assert "Largest error of any share" in text_of(test)
    assert not any("race" in str(value) for value in test.query_params.values())
    assert len(latest(test).pieces) == 6
    next(one for one in test.button if one.label == "Forget these files").click()
    test.run()
    sound(test)
    assert "_own_records" not in test.session_state
    assert "_own_public_file" not in test.session_state
    assert "No file held" in text_of(test)
    assert all(key[1] is None for key in test.session_state["_runs"]["lines"]), "no run holds the records"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"sex,race\nf,A\nm\n", "row 3: a record must have 2 categories; got 1"),
        (
            b"sex,<script>alert(1)</script>\nf,A\nm,\n",
            "row 3, column '<script>alert(1)</script>': a category must not be",
        ),
        (b"sex,race\nf,\xff\n", "the file must be encoded as UTF-8"),
    ],
)
def test_a_faulty_file_gets_a_sentence_and_what_is_held_stays(content: bytes, sentence: str) -> None:
    test = bring(opened(), 0, PRIVATE)
    bring(test, 0, content)
    sound(test)
    assert sentence in told(test)
    assert "<script>" not in "\n".join(element.value for element in test.error)
    assert "<script>" not in text_of(test)
    assert any("200 private records" in one.value for one in test.caption)


def test_a_public_file_with_other_categories_is_refused() -> None:
    test = bring(opened(), 0, PRIVATE)
    bring(test, 1, b"sex,race\nf,<script>x</script>\n")
    sound(test)
    assert "row 2, column 'race': a category must be one of the levels of the other file" in told(test)
    assert "need a public file" in text_of(test)
    bring(test, 0, PRIVATE + b"x,C\n")
    assert "a category must be one of" not in told(test), "what was refused beside other records"


def test_other_private_records_code_the_public_file_anew_or_drop_it() -> None:
    test = bring(bring(opened(), 0, PRIVATE), 1, PUBLIC)
    bring(test, 0, PRIVATE + b"x,C\n")
    assert any("201 private records, 30 public" in one.value for one in test.caption)
    bring(test, 0, b"sex,town\nf,A\nm,B\n")
    sound(test)
    assert "Public file not taken: column 'town'" in told(test)
    assert any("2 private records, no public records" in one.value for one in test.caption)


def test_lines_that_were_stopped_stay_and_go_on_where_they_stand() -> None:
    test = open_page("public_information", side="helps", rounds="2", repeats="1", records="200", public="50")
    run = latest(test)
    everything = run.pieces[:]
    del run.pieces[2:]
    run.state = State.STOPPED
    test.run()
    sound(test)
    drawn = "".join(chart.proto.spec for chart in test.get("plotly_chart"))
    assert "public data alone" in drawn
    assert "no public data" not in drawn
    next(button for button in test.button if button.label == "Go on drawing").click()
    test.run()
    sound(test)
    assert latest(test) is not run
    assert repr(latest(test).pieces) == repr(everything)
    assert not [button for button in test.button if button.label.endswith("drawing")]


def test_a_run_out_of_processor_time_says_so_and_may_go_on() -> None:
    test = open_page("public_information", side="helps", rounds="2", repeats="1", records="200", public="50")
    run = latest(test)
    run.state, run.failure = State.EXHAUSTED, "Out of time."
    test.run()
    assert "Out of time." in told(test)
    assert [button for button in test.button if button.label == "Go on drawing"]


def test_the_other_side_is_one_choice_away_and_its_lines_are_drawn() -> None:
    test = open_page("public_information", side="hurts", records="200", public="50", rounds="2", repeats="1")
    assert "takes <strong>11.4 times</strong> the usual noise" in answer(test)
    test.selectbox(key="public_information.side").set_value("helps").run()
    sound(test)
    assert address(test)["side"] == "helps"
    assert "ublic data" in answer(test)
    assert len(latest(test).pieces) == 6
    assert len(test.get("plotly_chart")) == 1


def test_numbers_out_of_range_get_a_sentence_each() -> None:
    test = open_page("public_information", shift="9", public="0")
    sound(test)
    refused = "\n".join(element.value for element in test.warning).replace("\\", "")
    assert "“How different are public people?” must be from -2 to 2; got '9'" in refused
    assert "Public rows must be a whole number from 1 to 20,000; got '0'" in refused
