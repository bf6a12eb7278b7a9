"""The page for the public opens from a link, asks nothing twice, and hands out what it shows."""

from __future__ import annotations

import re

from tests.app.opened_page import address, go, open_page, sound, text_of
from tests.approved.outline import files_of

LINK = {
    "case": "own",
    "title": "School absence",
    "hidden": "was absent more than 20 days",
    "one": "pupil",
    "office": "Education Office",
    "secret": "value",
    "relation": "replace",
    "areas": "38",
    "line": "cap_or_ratio",
    "until": "2030",
}


def test_a_link_opens_the_page_of_its_case() -> None:
    test = open_page("public", **LINK)
    sound(test)
    told = text_of(test)
    for words in (
        "What can be learned about one pupil?",
        "at most <strong>25 in 100</strong> sure",
        "that a given pupil was absent more than 20 days. Through “School absence”, they can become",
        "<strong>Draft:</strong> nobody has decided.",
        "Not protected: who is in the data",
        "<strong>ε = 1.29</strong> is the privacy budget",
        "For a household of 4 together",
    ):
        assert words in told
    test.slider("public.household").set_value(3).run()
    sound(test)
    assert "For a household of 3 together" in text_of(test)
    assert address(test)["household"] == "3"
    test.slider("case.relatives").set_value(2).run()
    sound(test)
    assert "With 2 relatives, each" in text_of(test)
    assert (address(test)["relatives"], address(test)["areas"]) == ("2", "38")


def test_memo_and_page_lead_to_each_other_with_the_end_of_the_decision() -> None:
    test = open_page("memo", **LINK)
    (there,) = (way for way in test.get("page_link") if way.proto.page == "public")
    assert "until=2030" in there.proto.query_string
    back = open_page("public", **LINK)
    (memo,) = (way for way in back.get("page_link") if way.proto.page == "memo")
    assert "until=2030" in memo.proto.query_string


def test_a_household_is_asked_only_where_the_limit_is_not_about_one() -> None:
    test = open_page("public", **(LINK | {"unit": "household", "group": "3"}))
    sound(test)
    assert not [slider for slider in test.slider if slider.key == "public.household"]
    assert "The limit covers the whole household, however rare" in text_of(test)


def test_without_a_line_there_is_neither_picture_nor_sheet() -> None:
    test = open_page("public", case="own", title="School absence")
    sound(test)
    assert "nothing is promised yet" in text_of(test)
    assert [
        slider.key for slider in test.slider if slider.key.startswith(("public.", "case."))
    ] == []  # no answer needs them
    (way,) = (way for way in test.get("page_link") if way.proto.page in ("choose", "memo"))
    assert way.proto.page == "choose"  # the next step, not another page without an answer
    assert not [button for button in test.get("download_button") if "sheet" in button.proto.id]
    go(test, "home")
    sound(test)


def test_the_sheet_and_the_picture_leave_as_files() -> None:
    files = files_of("public", **LINK)
    sheet = files["riskline-public.html"]
    for words in (
        "School absence",
        "at most <strong>25 in 100</strong> sure",
        "Questions; limits from the same belief",
        "data:image/svg+xml",
    ):
        assert words in sheet
    assert files["riskline-public.png"].startswith(b"\x89PNG")


def test_the_answer_is_told_once_and_not_again_under_its_picture() -> None:
    test = open_page("public")
    (told,) = re.findall(r'<p class="riskline-answer[^>]*>(.*?)</p>', text_of(test))
    assert text_of(test).count(told) == 1
    assert "<svg" in text_of(test)
