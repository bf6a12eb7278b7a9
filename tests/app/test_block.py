"""The pages block and play from their links: the state of the link, what is refused, what is told."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, answer, answer_in_words, open_page, sound, text_of


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
    assert address(test) == {"seed": "9"}


def test_names_of_a_class_are_words_in_a_table_and_in_no_link() -> None:
    test = open_page("play", bets="1231231231", told="yes")
    assert "of 10</strong> rounds," in text_of(test)
    test.text_area(key="_class_names").set_value("Ada 9\n<img src=x onerror=alert(1)> 2").run()
    sound(test)
    assert "&lt;img src=x onerror=alert(1)&gt;" in text_of(test)
    assert "<img" not in text_of(test)
    assert address(test) == {"bets": "1231231231", "told": "yes"}


def test_nobody_of_a_printed_table_is_attacked_where_the_reader_types_how_many_are_alike() -> None:
    test = open_page("block")
    assert "Who is attacked?" in [box.label for box in test.selectbox]
    test.text_input(key="block.alike").set_value("2").run()
    assert "Who is attacked?" not in [box.label for box in test.selectbox]


def drawing(test: AppTest) -> list[str]:
    return [chart.proto.spec for chart in test.get("plotly_chart")]


def test_a_new_draw_moves_the_belief_and_the_same_seed_brings_it_back() -> None:
    test = open_page("block", seed="7", asked="value", block_tables="all")
    sound(test)
    said, drawn = answer(test), drawing(test)
    assert "49 in 100" in said
    test.button(key="block.again_button").click().run()
    assert address(test)["seed"] == "8"
    assert answer(test) != said
    assert drawing(test) != drawn
    other = open_page("block", **address(test))
    assert (answer(other), drawing(other)) == (answer(test), drawing(test))
    test.button(key="block.hundred_button").click().run()
    sound(test)
    assert "Over a hundred releases" in answer(test)
    assert address(test)["draws"] == "hundred"


def test_more_releases_are_told_in_their_fold_and_leave_the_answer() -> None:
    test = open_page("block", asked="presence")
    said = answer(test)
    assert "6</strong> releases of the same count" not in text_of(test)
    test.slider(key="block.repeats").set_value(6).run()
    sound(test)
    assert "6</strong> releases of the same count" in text_of(test)
    assert answer(test) == said


def test_a_household_that_is_one_of_only_two_reads_its_own_answer() -> None:
    test = open_page("block", asked="presence")
    said = answer_in_words(test)
    assert "If the attacker knows the others, being one of many hides nobody" in " ".join(
        one.value for one in test.caption
    )
    test.text_input(key="block.alike").set_value("2").run()
    sound(test)
    assert "in your area, or not in the data" in text_of(test)
    assert "The true count is <strong>1</strong> without the person and <strong>2</strong> with" in text_of(test)
    assert answer_in_words(test) == said
    assert "alike" not in address(test)
