"""How we know opens in the state of its link."""

from __future__ import annotations

from tests.app.opened_page import open_page, sound, text_of


def test_a_link_to_one_work_shows_its_disagreements() -> None:
    test = open_page("how_we_know", source="liu", verdict="erratum")
    sound(test)
    assert "Definition 2.4" in text_of(test)
    assert [code.value for code in test.code if "renyi_divergence" in code.value]
