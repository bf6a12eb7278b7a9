"""The page *What an ε means* from a deep link."""

from __future__ import annotations

from tests.app.test_pages import open_page, sound, text_of


def test_explain_opens_in_the_state_of_its_link() -> None:
    test = open_page("explain", guarantee="gaussian", rho="0.3", reading="exact")
    sound(test)
    assert "<strong>90 in 100</strong>" in text_of(test)
    assert "Gaussian noise at ρ = 0.3" in text_of(test)


def test_a_refused_choice_is_a_sentence() -> None:
    test = open_page("explain", guarantee="approximate", delta="0.2")
    sound(test)
    assert any("must be larger than δ" in element.value for element in test.error)
