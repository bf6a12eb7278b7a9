"""The page *What an ε means* from a deep link."""

from __future__ import annotations

import re

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, answer, open_page, sound, text_of


def test_explain_opens_in_the_state_of_its_link() -> None:
    test = open_page("explain", guarantee="gaussian", rho="0.3", reading="exact")
    sound(test)
    assert "<strong>At most 90 in 100</strong>" in text_of(test)
    assert "Gaussian noise at ρ = 0.3" in text_of(test)


def test_a_refused_choice_is_a_sentence() -> None:
    test = open_page("explain", guarantee="approximate", delta="0.2")
    sound(test)
    assert any("must be larger than δ" in element.value for element in test.error)


def test_the_promise_is_in_the_link_and_in_every_sentence() -> None:
    test = open_page("explain", epsilon="0.5", secret="value", unit="household", group="4", relation="replace")
    sound(test)
    assert "likely that a given household of 4 has a certain value" in text_of(test)
    assert "One change replaces one record" in text_of(test)
    assert "<strong>At most 89 in 100</strong>" in text_of(test)
    assert [box.value for box in test.selectbox if box.label == "What must stay secret?"] == ["value"]


def test_what_the_noise_is_on_is_asked_for_noise_on_counts_alone() -> None:
    label = "What has this noise?"
    noisy = open_page("explain", guarantee="gaussian", rho="0.3", secret="value", released="cells")
    sound(noisy)
    assert [group.value for group in noisy.button_group if group.label == label] == ["cells"]
    assert "Gaussian noise at ρ = 0.3 on each cell of a table" in text_of(noisy)
    for kind in ("pure", "randomised_response", "deployment"):
        other = open_page("explain", guarantee=kind)
        sound(other)
        assert not [group for group in other.button_group if group.label == label]


def test_a_local_survey_asks_for_no_secret_and_a_published_budget_for_no_relation() -> None:
    local = open_page("explain", guarantee="randomised_response")
    published = open_page("explain", guarantee="deployment", secret="value")
    for test, kept in ((local, {"About whom?"}), (published, {"About whom?", "What must stay secret?"})):
        sound(test)
        asked = {box.label for box in test.selectbox}
        assert asked & {"About whom?", "What must stay secret?", "What counts as one change?"} == kept
    assert "gave a certain answer" in text_of(local)


def test_presence_under_replacement_is_a_sentence() -> None:
    test = open_page("explain", relation="replace")
    sound(test)
    assert any("Replacing a record does not hide who is in the data" in element.value for element in test.error)


def test_the_point_on_the_picture_of_tests_is_in_the_link() -> None:
    test = open_page("explain", guarantee="gaussian", rho="0.5", false_alarm="0.2", log_accused="yes")
    sound(test)
    text = text_of(test)
    assert "Falsely accusing <strong>20 in 100</strong>, the best attacker finds" in text
    assert [slider.value for slider in test.slider if slider.label == "Falsely accused, at most"] == [0.2]
    assert "**Right guess**" in text


def test_noisy_training_opens_by_its_parameters_and_says_what_no_curve_covers() -> None:
    test = open_page("explain", guarantee="subsampled_gaussian", steps="500")
    sound(test)
    text = text_of(test)
    assert "noisy training (σ = 1, q = 0.01, 500 steps)" in text
    assert [box.value for box in test.text_input if box.label in ("Noise σ", "Sampling rate q", "Steps")] == [
        "1",
        "0.01",
        "500",
    ]
    assert not [group for group in test.button_group if group.label == "What has this noise?"]
    assert not [box for box in test.selectbox if box.label == "Read it for"]
    assert not [fold for fold in test.expander if "relatives" in fold.label]
    assert any("sparse vector" in caption.value for caption in test.caption)


def test_a_mechanism_in_a_file_is_asked_for_taken_and_forgotten() -> None:
    test = open_page("explain", guarantee="own_mechanism", prior="0.1")
    sound(test)
    assert any("link holds no file" in element.value for element in test.error)
    test.file_uploader[0].set_value(("own.csv", b"epsilon,delta\n1,x\n", "text/csv"))
    test.run()
    sound(test)
    assert any("delta must be a number; got 'x'" in element.value for element in test.error)
    test.file_uploader[0].set_value(("own.csv", b"epsilon,delta\n1,0\n0.2,0.3\n", "text/csv"))
    test.run()
    sound(test)
    assert not test.error
    assert "A limit for the mechanism of your file" in text_of(test)
    assert address(test) == {"case": "own", "prior": "0.1", "explain_guarantee": "own_mechanism"}, "nothing of the file"
    next(button for button in test.button if button.label == "Forget this file").click()
    test.run()
    sound(test)
    assert any("link holds no file" in element.value for element in test.error)


def test_a_file_of_parameters_becomes_the_pages_choices() -> None:
    test = open_page("explain", guarantee="own_mechanism")
    test.file_uploader[0].set_value(("own.csv", b"noise_multiplier,rate,steps\n2,0.1,10\n", "text/csv"))
    test.run()
    sound(test)
    assert not test.error
    assert "noisy training (σ = 2, q = 0.1, 10 steps)" in text_of(test)
    assert address(test)["explain_guarantee"] == "subsampled_gaussian"


def test_a_slider_stretches_to_what_a_link_or_its_box_holds() -> None:
    low = open_page("explain", epsilon="0.001", prior="0.001", false_alarm="0.9")
    sound(low)
    assert [(slider.min, slider.value) for slider in low.slider[:2]] == [(0.001, 0.001)] * 2
    assert (low.slider[2].max, low.slider[2].value) == (0.9, 0.9)
    high = open_page("explain", epsilon="40")
    sound(high)
    assert (high.slider[0].min, high.slider[0].max, high.slider[0].value) == (0.05, 40.0, 40.0)


KINDS = ("kept", "moved", "rest")


def said(test: AppTest) -> list[int]:
    """The beliefs after and before in the answer, of 100."""
    return [
        int(found) for found in re.findall(r"<strong>(?:At most )?(\d+) in 100</strong>(?! releases)", answer(test))
    ]


def icons(test: AppTest) -> list[list[int]]:
    """Of both panels, how many people have the colour of each kind."""
    (drawn,) = [element.value for element in test.markdown if "riskline-icon-row" in element.value]
    return [[panel.count(f'<path class="{kind}"') for kind in KINDS] for panel in drawn.split("<svg")[1:]]


def test_icons_count_what_the_sentence_says() -> None:
    test = open_page("explain", guarantee="approximate", epsilon="0.1", delta="1e-7")
    assert said(test) == [53, 50]
    assert icons(test) == [[50, 3, 47], [47, 3, 50]]


def test_a_published_example_is_one_press_away() -> None:
    test = open_page("explain")
    test.button(key="explain.preset.3").click().run()  # daily counts
    sound(test)
    assert "Gaussian noise at ρ = 0.3" in text_of(test)
    assert said(test) == [90, 50]
    assert [panel[0] for panel in icons(test)] == [50, 10]
    assert address(test)["explain_guarantee"] == "gaussian"
    assert len(test.get("plotly_chart")) == 2


def test_a_refused_combination_keeps_the_last_picture_and_what_was_typed() -> None:
    test = open_page("explain", guarantee="approximate", delta="1e-6")
    before = said(test), icons(test)
    test.text_input(key="explain.delta").set_value("0.5").run()
    sound(test)
    assert any("must be larger than δ" in element.value for element in test.error)
    assert (said(test), icons(test)) == before
    assert "riskline-stale" in answer(test)
    assert test.text_input(key="explain.delta").value == "0.5"
