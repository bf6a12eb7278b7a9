"""Each place for a file: what is right is taken, what is wrong gets a sentence and leaves what is held."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.value import Case
from tests.app.opened_page import open_page, sound
from ui.link import scenario

COUNTS = b"place,adult,child\nA,9,3\nB,4,4\n"


def bring(test: AppTest, label: str, content: bytes, name: str = "mine.csv", *, megabytes: int = 1) -> AppTest:
    """The page with this file in a box, which says how much its reader takes."""
    box = next(box for box in test.file_uploader if label in box.label)
    assert box.proto.max_upload_size_mb == megabytes
    box.set_value((name, content, "text/csv"))
    test.run()
    sound(test)
    return test


def told(test: AppTest) -> str:
    return "\n".join(element.value for element in test.error).replace("\\", "")


def held(test: AppTest, stem: str, name: str) -> Any:
    """What this session holds of a choice; a reader's own counts are in no address."""
    return test.session_state["_choices"][stem][name]


def test_a_table_of_ones_own_is_taken_kept_and_forgotten() -> None:
    test = bring(open_page("block", table="own"), "CSV file of counts", COUNTS, megabytes=2)
    assert any("2 places, 2 cells, 20 people" in one.value for one in test.caption)
    bring(test, "CSV file of counts", b"place,adult\nA,-1\n", megabytes=2)
    assert "The file was not taken: " in told(test)
    assert any("2 places, 2 cells, 20 people" in one.value for one in test.caption)
    next(one for one in test.button if one.label == "Forget this table").click()
    test.run()
    sound(test)
    assert "_own_table" not in test.session_state
    assert "The file was not taken" not in told(test)


def test_counts_from_a_file_become_the_choice() -> None:
    test = bring(open_page("exact_totals"), "CSV file of counts", b"11,12\n13,14\n")
    assert "11" in str(held(test, "exact_totals", "table"))
    assert "table" not in test.query_params
    for content, words in ((b"\xff\xfe\x00", "not text in UTF-8"), (b"1," * 9_000, "must be at most")):
        bring(test, "CSV file of counts", content)
        assert "The file was not taken: " in told(test)
        assert words in told(test)
        assert "11" in str(held(test, "exact_totals", "table"))


def test_districts_from_a_file_become_the_choice() -> None:
    content = b'district,count\nAsh,12\n"St. Mary, North",0\ntotal,12\n'
    test = bring(open_page("accuracy"), "CSV file of counts", content)
    assert held(test, "accuracy", "places") == (("Ash", 12), ("St. Mary, North", 0))
    bring(test, "CSV file of counts", b"Ash,12\nBirch,x\n")
    assert "line 2 must end with a whole number; got 'Birch,x'" in told(test)
    assert held(test, "accuracy", "places") == (("Ash", 12), ("St. Mary, North", 0))


@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_a_scenario_file_is_applied_at_once_and_a_foreign_one_changes_nothing(voice: str) -> None:
    test = bring(open_page("choose", line="constant", ratio="2"), "scenario", b'{"hello": 1}', "foreign.json")
    assert told(test) == "This is not a Riskline scenario file. Nothing was changed."
    content = scenario.write({}, Case(line="constant", ratio=4.0), voice=voice)
    bring(test, "scenario", content.encode(), "mine.json")
    assert not told(test)
    assert test.query_params["ratio"] == "4"
    assert ("voice" in test.query_params) == (voice == "technical")
