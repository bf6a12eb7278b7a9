"""The pages block and play from their links: the state of the link, what is refused, what is told."""

from __future__ import annotations

from tests.app.opened_page import open_page, sound, text_of


def test_block_opens_in_the_state_of_its_link() -> None:
    test = open_page("block", prior="0.2", seed="3", table="synthetic", draws="hundred", voice="technical")
    sound(test)
    assert "100 independent releases" in text_of(test)
    assert "Seed 3; data: invented" in text_of(test)


def test_a_person_of_another_table_is_told_and_replaced_by_the_first() -> None:
    test = open_page("block", person="99")
    sound(test)
    assert any("there is no number 99 here" in caption.value for caption in test.caption)
    assert "54 in 100" in text_of(test)


def test_a_link_to_somebody_elses_table_says_that_it_is_not_here() -> None:
    test = open_page("block", table="own")
    sound(test)
    assert "No table is held: district 28-21 is shown" in text_of(test)


def test_a_round_is_bet_on_and_told() -> None:
    test = open_page("play", seed="5")
    sound(test)
    test.button(key="play.row2").click().run()
    sound(test)
    assert "of 1</strong> round, the ideal player" in text_of(test)
    test.button(key="play.next").click().run()
    assert "Round <strong>2</strong> of 10" in text_of(test)


def test_bets_in_a_link_are_kept_and_bad_ones_told() -> None:
    assert "of 2</strong> rounds, the ideal player" in text_of(open_page("play", bets="12", seed="4"))
    told = open_page("play", bets="9x")
    sound(told)
    assert any("digits from 1 to 6" in warning.value.replace("\\", "") for warning in told.warning)


def test_another_seed_from_its_box_begins_without_bets() -> None:
    test = open_page("play", bets="12")
    test.text_input(key="play.seed").set_value("9").run()
    assert "Round <strong>1</strong> of 10" in text_of(test)


def test_nobody_of_a_printed_table_is_attacked_where_the_reader_types_how_many_are_alike() -> None:
    test = open_page("block")
    assert "Who is attacked?" in [box.label for box in test.selectbox]
    test.text_input(key="block.alike").set_value("2").run()
    assert "Who is attacked?" not in [box.label for box in test.selectbox]
