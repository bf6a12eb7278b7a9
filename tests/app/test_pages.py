"""Every page runs from its link, in both voices, and shows the numbers of its view."""

from __future__ import annotations

from urllib.parse import parse_qs
from xml.etree.ElementTree import fromstring

import pytest

from tests.app.opened_page import ROOT, answer, open_page, sound, text_of
from tests.approved.outline import downloads
from tests.approved.prose import shown_view
from ui.frame import show
from ui.link.page_table import PAGES
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view


@pytest.mark.parametrize("voice", ["plain", "technical"])
@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.stem)
def test_every_page_opens_from_its_link_in_both_voices(entry, voice: str) -> None:
    test = open_page(entry.stem, voice=voice)
    sound(test)
    assert "riskline-answer" in text_of(test)
    folds = [fold.label for fold in test.expander]
    assert folds.count("The same in Python") == (entry.stem not in ("room", "join"))  # they wait for people
    tables = sum(element.proto.body.count('<table class="riskline-table') for element in test.get("html"))
    assert len([button for button in test.get("download_button") if button.proto.label == "Download as CSV"]) == tables
    drawings = sum("riskline-icon-row" in element.value for element in test.markdown)
    figures = len(test.get("plotly_chart")) + drawings + (entry.stem in DRAWN_BY_HAND)
    assert folds.count("Numbers and files") == figures


DRAWN_BY_HAND = ("home", "choose", "publication")
"""Pages with a line editor; on *Compare positions* each line has a picture of its own."""


def test_a_case_without_noise_on_counts_has_no_headings_of_what_it_costs() -> None:
    assert [head.value for head in open_page("accuracy").header] == [
        "The wrong side of a target",
        "Districts",
        "Budget by noise",
    ]
    refused = open_page("accuracy", release="coins")
    sound(refused)
    assert [head.value for head in refused.header] == []
    assert [one.value for one in refused.error] == ["A survey with coins puts no noise on counts."]


KEEPING = [path.stem for path in sorted((ROOT / "pages").glob("*.py")) if "view_or_last_good" in path.read_text()]
"""Pages that keep their last answer beside the reason why another has none."""


@pytest.mark.parametrize("stem", KEEPING)
def test_an_answer_that_was_kept_is_pale_beside_the_reason(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = show.view_or_last_good
    monkeypatch.setattr(show, "view_or_last_good", lambda *asked, **how: (computed(*asked, **how)[0], "Not like this."))
    test = open_page(stem)
    sound(test)
    assert ("riskline-stale" in answer(test)) == (stem != "home")  # whose answer is always the same
    assert [element.value for element in test.error] == ["Not like this."]


@pytest.mark.parametrize("stem", ["choose", "play", "lessons"])
def test_a_way_to_another_page_keeps_voice_and_type(stem: str) -> None:
    ways = [
        parse_qs(way.proto.query_string) for way in open_page(stem, voice="technical", type="large").get("page_link")
    ]
    ways = [way for way in ways if way]  # the menu itself has none
    assert ways
    assert all(way["voice"] == ["technical"] and way["type"] == ["large"] for way in ways)
    assert not [way for way in open_page(stem).get("page_link") if "voice" in way.proto.query_string]


def test_a_drawing_of_people_leaves_as_vectors_pixels_and_numbers() -> None:
    with downloads() as found:
        test = open_page("explain")
        test.session_state["people.table"] = True
        test.run()
    sound(test)
    files = {name: data() if callable(data) else data for name, _, data in found.values()}
    assert files["riskline-people.csv"].splitlines()[0] == "case,before,after,of"
    drawn = fromstring(files["riskline-people.svg"])
    assert "page “What an ε means”" in "".join(drawn.itertext())
    assert len([part for part in drawn.iter() if part.tag.endswith("path")]) == 200
    assert files["riskline-people.png"].startswith(b"\x89PNG")


@pytest.mark.parametrize("stem", [entry.stem for entry in PAGES if entry.group == "decide" and entry.stem != "memo"])
def test_each_page_of_a_decision_leads_on_to_the_memo(stem: str) -> None:
    seen = {"home"}
    ways = [stem]
    while ways:
        seen.add(ways[-1])
        view = shown_view(ways.pop(), "", Style())
        found = getattr(view, "next", ())
        leading = found if isinstance(found, tuple) else (found,)
        ways += [way.stem for way in leading if way.stem not in seen and way.stem != "memo"]
        if any(way.stem == "memo" for way in leading):
            return
    raise AssertionError(f"no way from {stem} to the memo; seen {seen}")


def test_choose_opens_in_the_state_of_its_link() -> None:
    test = open_page("choose", line="constant", ratio="2", secret="value", held="0.05")
    sound(test)
    assert "ε = 0.66" in text_of(test)


def test_a_refused_value_in_a_link_is_told() -> None:
    for asked, words in (
        ({"ratio": "abc"}, "must be a number; got 'abc'"),
        ({"held": "7"}, "must be from"),
        ({"held": "nan"}, "must be a finite number; got 'nan'"),
        ({"points": "1~2"}, "Drawn points: point 1"),
        ({"line": "blue"}, "“Which line?” must be one of"),
        ({"colour": "red"}, "no choice called 'colour'"),
        ({"voice": "loud"}, "Voice must be one of plain, technical; got 'loud'"),
    ):
        test = open_page("choose", **asked)
        sound(test)
        (told,) = [element.value.replace("\\", "") for element in test.warning]
        assert words in told
        assert "ε = 1.29" in text_of(test)


def test_accuracy_opens_in_the_state_of_its_link() -> None:
    test = open_page("accuracy", start="accuracy", half_width="10")
    sound(test)
    assert "ε = 0.29" in text_of(test)
    assert not test.code, "the lines come with their fold"
    test.session_state["accuracy.python"] = True
    test.run()
    view = accuracy_view(AccuracyInputs(start="accuracy", half_width=10.0), Style())
    assert [code.value for code in test.code] == [view.python.text]


def test_refused_choices_offer_no_python() -> None:
    test = open_page("accuracy", relation="replace")
    assert test.error
    assert "The same in Python" not in [fold.label for fold in test.expander]


def test_names_of_a_class_stay_while_other_pages_are_visited() -> None:
    test = open_page("play")
    test.text_area("_class_names").input("Ada 3").run()
    test.switch_page("pages/accuracy.py").run()
    test.switch_page("pages/play.py").run()
    sound(test)
    assert test.text_area("_class_names").value == "Ada 3"
    assert "Ada" in text_of(test)


def test_a_share_stands_in_its_box_as_a_percentage_and_is_typed_as_one() -> None:
    test = open_page("accuracy", level="0.9")
    box = test.text_input(key="accuracy.level")
    assert box.value == "90 %"
    assert "90 of 100 times" in text_of(test)
    box.set_value("80 %").run()
    assert "80 of 100 times" in text_of(test)


def test_two_beliefs_at_once_have_two_maps() -> None:
    test = open_page("choose", question="both")
    sound(test)
    assert "ε = 0.64" in text_of(test)
    assert len(test.get("plotly_chart")) == 2
