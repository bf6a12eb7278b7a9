"""A file that a reader brings: read once when it arrives, refused in a sentence, and forgotten with what was read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.fields import MAX_VALUE_LENGTH
from ui.frame import upload
from ui.words.catalogue import label


def asking() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.frame import upload
    from ui.frame.case import CURRENT, arrive
    from ui.frame.form import Form

    state = st.session_state

    def take(content: object) -> object:
        state.setdefault("taken", []).append(content)
        if content == b"bad":
            raise ValueError("rows must be at most 3; got 9")
        if content == b"\xff":
            content.decode()
        return content

    fields = (Field("table", "Table", "custom", (), read=lambda text: tuple(text.split()), write=" ".join),)
    arrive("demo", fields)
    upload.ask_file("One", "one", take, most=1_000_001, kind="csv", help="Only one", held="latest")
    upload.show_fault("one")
    upload.ask_file("Several", "several", take, most=99_000_000, several=True)
    upload.show_fault("several", "Of several: {fault}")
    look = {"held": ("own", "gone"), "boxes": ("one", "several"), "disabled": False}
    upload.offer_to_forget("Forget", "forget", also=lambda: state.update(also=True), **look)
    form = Form("demo", fields)
    upload.ask_counts_file(form, "table", "A row for each place.")
    state[CURRENT] = "demo"
    state["said"] = form.close()


def bring(test: AppTest, place: int, *files: bytes) -> AppTest:
    named = [(f"{number}.csv", content, "text/csv") for number, content in enumerate(files)]
    box = test.file_uploader[place]
    box.set_value(named if place == 1 else (named[0] if named else None))
    test.run()
    assert not test.exception
    return test


def told(test: AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in test.error]


def test_a_file_is_read_once_when_it_arrives_and_a_fault_goes_with_the_next_one() -> None:
    test = AppTest.from_function(asking, default_timeout=30).run()
    one, several, counts = test.file_uploader
    assert (one.label, one.help, one.proto.max_upload_size_mb, one.proto.multiple_files) == (
        "One",
        "Only one",
        2,
        False,
    )
    assert list(one.proto.type) == [".csv"]
    assert (several.proto.max_upload_size_mb, several.proto.multiple_files, list(several.proto.type)) == (5, True, [])
    assert (counts.label, counts.proto.max_upload_size_mb) == (label("frame", "counts_file"), 1)
    bring(test, 0, b"good")
    assert test.run().session_state["taken"] == [b"good"]
    assert test.session_state["latest"] == b"good"
    for content, sentence in (
        (b"bad", label("frame", "file_refused", fault="rows must be at most 3; got 9")),
        (b"\xff", label("frame", "file_refused", fault=label("frame", "no_text"))),
    ):
        assert told(bring(test, 0, content)) == [sentence]
    bring(test, 1, b"1", b"bad")
    assert test.session_state["taken"][-1] == [("0.csv", b"1"), ("1.csv", b"bad")]
    assert told(bring(test, 0, b"good")) == []


def test_a_fault_is_said_in_the_words_of_its_box_and_not_at_all_where_there_is_none() -> None:
    test = AppTest.from_function(asking, default_timeout=30)
    test.session_state["_upload_faults"] = {"several": "no", "one": None}
    assert told(test.run()) == ["Of several: no."]


def test_what_is_forgotten_goes_with_its_files_and_their_faults() -> None:
    test = AppTest.from_function(asking, default_timeout=30).run()
    bring(test, 0, b"bad")
    test.session_state["own"] = "read"
    test.query_params["table"] = "lag"
    test.button(key="forget").click().run()
    assert not test.exception
    assert "own" not in test.session_state
    assert test.session_state["also"] is True
    assert (told(test), test.session_state["said"]) == ([], {"table": ()}), "the address lags behind"
    assert test.session_state["_renewed"] == {"one": 1, "several": 1}
    assert [box.value for box in test.file_uploader] == [None, [], None]


def test_a_file_of_more_than_its_reader_takes_is_refused_in_one_sentence() -> None:
    test = AppTest.from_function(asking, default_timeout=30).run()
    bring(test, 0, b"x" * 1_000_002)
    assert told(test) == ["File not taken: the file must be at most 1,000,001 bytes; got 1,000,002."]
    assert "taken" not in test.session_state


def test_counts_of_a_file_become_the_choice_up_to_what_a_link_could_hold() -> None:
    test = AppTest.from_function(asking, default_timeout=30).run()
    (words,) = [one.value for one in test.caption]
    assert words.endswith("A row for each place.")
    assert "4,000" in words
    bring(test, 2, b"\xef\xbb\xbf1 2")
    assert test.session_state["said"] == {"table": ("1", "2")}
    bring(test, 2, b"3 " * (MAX_VALUE_LENGTH // 2))
    assert test.session_state["said"]["table"][0] == "3"
    bring(test, 2, b"4" * (MAX_VALUE_LENGTH + 1))
    assert test.session_state["said"]["table"][0] == "3"
    assert "4,001" in told(test)[0]


def test_nothing_is_read_while_one_file_takes_the_place_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {"_upload_faults": {"one": "old"}}
    monkeypatch.setattr(upload.st, "session_state", state)
    read: list[object] = []
    for there in (None, []):
        state["one.0"] = there
        upload._arrived("one", "one.0", read.append, 1, "")
    assert (read, state["_upload_faults"], state["_touched"]) == ([], {"one": None}, True)
    state["one.0"] = SimpleNamespace(name="x.csv", getvalue=lambda: b"x")
    upload._arrived("one", "one.0", read.append, 1, "")
    assert read == [b"x"]
