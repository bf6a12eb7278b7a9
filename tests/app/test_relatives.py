"""What if relatives resemble? A fold that costs nothing while it is shut, and says the same on every page of a case."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, go, open_page, sound, strip, text_of
from ui.views.shared.relatives import RelativesView

LINK = {"case": "own", "secret": "value", "relation": "replace", "line": "cap_or_ratio", "prior": "0.05"}
SHARES = {"relatives": "3", "share_if_yes": "0.8", "share_if_no": "0.3"}
FOLD = ("explain", "choose")


def opened(stem: str, **query: str) -> AppTest:
    test = open_page(stem, **query)
    test.session_state[f"{stem}.relatives"] = True  # as a reader opens the fold
    sound(test.run())
    return test


@pytest.mark.parametrize("stem", FOLD)
def test_a_shut_fold_asks_and_computes_nothing(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []

    def counted(*arguments: object, **named: object) -> RelativesView:
        computed.append(named)
        return RelativesView()

    monkeypatch.setattr(f"ui.views.{stem}.view.relatives_view", counted)
    test = open_page(stem, **LINK, **SHARES)
    sound(test)
    assert [slider.key for slider in test.slider if str(slider.key).startswith("case.")] == []
    assert computed == []
    test.session_state[f"{stem}.relatives"] = True
    sound(test.run())
    assert len(computed) == 1


def test_the_fold_on_what_an_epsilon_means_says_the_numbers_of_the_note() -> None:
    """ε = 1, from 5 in 100: alone 13, three relatives at .8 against .3 36, three copies 75; .408 keeps 13 anyway."""
    test = opened("explain", **LINK, **SHARES, epsilon="1")
    told = text_of(test)
    assert re.search(r"<strong>36 in 100</strong> with them, at most 13 in 100 without", told)
    assert re.search(r"<strong>ε = 0\.40</strong> keeps at most 13 in 100", told)
    assert [f"<td>{limit} in 100</td>" in told for limit in (13, 36, 75)] == [True] * 3
    assert any("only “however alike” holds" in caption.value for caption in test.caption)


@pytest.mark.parametrize("stem", FOLD)
def test_an_example_sets_the_relatives_of_the_case_and_the_link_keeps_them(stem: str) -> None:
    test = opened(stem, **LINK)
    test.button("case.relatives.twin").click().run()
    sound(test)
    kept = {name: address(test).get(name) for name in ("relatives", "share_if_yes", "share_if_no", "line")}
    assert kept == {"relatives": "1", "share_if_yes": "0.9", "share_if_no": "0.05", "line": "cap_or_ratio"}
    assert test.slider("case.relatives").value == 1
    go(test, "public")
    assert "With 1 relative, 90 in 100 likely to have it" in text_of(test)


@pytest.mark.parametrize("stem", [*FOLD, "public"])
def test_the_example_stays_one_when_its_relatives_are_asked_about(stem: str) -> None:
    test = open_page("public") if stem == "public" else opened(stem)
    before = strip(test)
    test.slider("case.share_if_yes").set_value(0.9).run()
    sound(test)
    assert strip(test) == before
    assert address(test) == {"case": "example", "share_if_yes": "0.9"}
    again = open_page("public", **address(test))
    assert strip(again).startswith("Example · ")
    assert "each 90 in 100 likely" in text_of(again)


def test_all_pages_say_one_limit_of_one_case() -> None:
    """The line's budget at the belief that decides: *choose*, the sheet and the memo; the same relatives."""
    case = LINK | SHARES
    (limit,) = re.findall(r"<strong>(\d+ in 100)</strong> with them", text_of(opened("choose", **case)))
    for stem in ("public", "memo"):
        test = open_page(stem, **case)
        sound(test)
        told = text_of(test)
        assert re.search(rf"30 in 100 if not: at most <strong>{limit}</strong> from", told), stem
    del case["relatives"], case["share_if_yes"], case["share_if_no"]
    assert "however alike" not in text_of(open_page("memo", **case))


def test_where_nothing_is_known_the_fold_says_so() -> None:
    for more in ({"unit": "household", "group": "3"}, {"guarantee": "approximate", "delta": "1e-06"}):
        test = opened("choose", **LINK, **more)
        assert "Only for one belief, and one person’s ε or ρ" in text_of(test)
