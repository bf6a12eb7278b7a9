"""The rebuild page from its links."""

from __future__ import annotations

from tests.app.test_pages import open_page, sound, text_of


def test_a_block_and_a_seed_come_from_the_link() -> None:
    test = open_page("rebuild", people="12", seed="3", noise="none")
    sound(test)
    assert "of 12</strong>" in text_of(test)
    assert text_of(test).count("<svg") == 2


def test_a_block_that_is_too_large_is_told() -> None:
    test = open_page("rebuild", source="table", table="39-14")
    sound(test)
    assert "from 1 to 100 people; got 209" in "\n".join(element.value for element in test.error)


def test_a_block_of_the_synthetic_county_is_rebuilt_beside_the_rest_of_it() -> None:
    test = open_page("rebuild", source="table", table="synthetic", place="2")
    sound(test)
    assert "the shares in the rest of the table" in text_of(test)
