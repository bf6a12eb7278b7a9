"""What the page 'public_information' claims is what dpcore computes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpcore.mechanisms import Geometric
from dpcore.public_information import CorrelatedAnswers, ErrorLine, crossing_epsilon
from tests.each import each
from ui.pictures.style import Style
from ui.views.public_information import (
    EPSILONS,
    FIELDS,
    NEEDED,
    PublicInformationInputs,
    _lines_picture,
    arriving,
    public_information_view,
)

PLAIN, TECHNICAL = Style(), Style(voice="technical")
SMALL = PublicInformationInputs(side="helps", records=2_000, public=200, rounds=3, repeats=2)


def line(method: str, *errors: float) -> ErrorLine:
    return ErrorLine(method, EPSILONS, errors, (0.0,) * len(EPSILONS))


def test_the_default_sentence_is_true() -> None:
    view = public_information_view(PublicInformationInputs(), PLAIN)
    answers = CorrelatedAnswers(people=100, rate_if_no=0.45, rate_if_yes=0.55)
    assert 11.3 < answers.noise_multiplier(1.0) <= 11.4  # less noise than told would not be enough
    assert "ε = 1 takes **11.4 times** the usual noise" in view.answer
    assert view.picture is not None
    spread = f"{Geometric(epsilon=answers.noise_epsilon(1.0)).std:.3g}"
    assert f"Noise of **{spread}** (15.6 by the safe rule, 1.36 as usual)" in view.picture.reading
    assert "The usual noise gives **ε = 10.2**" in view.picture.reading
    assert answers.loss(1.0) == pytest.approx(10.2, abs=0.1)


def test_the_safe_rule_never_asks_for_less_noise_than_the_exact_loss() -> None:
    for rate in (0.2, 0.9):
        view = public_information_view(PublicInformationInputs(rate_if_yes=rate), TECHNICAL)
        assert view.picture is not None
        for _, exact, bound in view.picture.table.rows:
            assert float(str(bound).replace(",", "")) >= float(str(exact).replace(",", "")) * (1 - 1e-3)


def test_only_the_lines_have_a_place_in_the_legend() -> None:
    view = public_information_view(PublicInformationInputs(), PLAIN)
    assert view.picture is not None
    named = [trace.name for trace in view.picture.figure.data if trace.showlegend is not False]
    assert named == ["safe rule", "exact"]


def test_unrelated_answers_need_the_usual_noise() -> None:
    view = public_information_view(PublicInformationInputs(rate_if_no=0.5, rate_if_yes=0.5), PLAIN)
    assert view.answer.startswith("The usual noise is enough for ε = 1")


@each("name", ("records", "public", "shift", "delta", "rounds", "repeats", "seed"))
def test_lines_of_another_study_are_drawn_anew(name: str) -> None:
    inputs = PublicInformationInputs(side="helps")
    assert replace(inputs, **{name: 2 * getattr(inputs, name)}).study != inputs.study


def test_lines_arrive_one_by_one_and_the_rest_can_be_asked_for_later() -> None:
    everything = list(arriving(SMALL))
    assert everything[0].method == "public_alone"
    assert [list(arriving(SMALL, known=everything[:count])) for count in (2, 5)] == [everything[2:], everything[5:]]
    for style in (PLAIN, TECHNICAL):
        seen = [public_information_view(SMALL, style, everything[:count]) for count in range(len(everything) + 1)]
        assert seen[0].picture is None
        assert [len(view.picture.figure.data) for view in seen[1:] if view.picture] == [1, 2, 3, 4, 5, 6]
        assert len({view.picture.key for view in seen[1:] if view.picture}) == 6
        assert {view.picture.axis_title(0, across=False) for view in seen[1:] if view.picture} == {"points"}
        assert seen[-1].answer != seen[0].answer


def test_errors_are_drawn_in_points_and_those_too_small_for_the_axis_at_its_foot() -> None:
    errors = (0.5, 0.25, 1e-9, 0.01, 0.02)
    found = ErrorLine("gaussian", EPSILONS, errors, (0.003,) * len(EPSILONS))
    (trace,) = _lines_picture([found], "", PLAIN).figure.data  # on a logarithmic axis
    assert [*trace.y] == pytest.approx([50, 25, 1e-3, 1, 2])


@pytest.mark.parametrize(
    ("gaussian", "assisted", "words"),
    [
        (
            (0.5, 0.2, 0.1, 0.05, 0.01),
            (0.3, 0.25, 0.2, 0.2, 0.2),
            "From **ε = 0.1** on, plain noise is better",
        ),
        ((0.5, 0.4, 0.3, 0.2, 0.1), (0.01,) * 5, "Public data helps at every budget shown"),
        ((0.01,) * 5, (0.5, 0.4, 0.3, 0.2, 0.1), "Here plain noise is as good or better"),
    ],
)
def test_the_sentence_follows_the_lines(gaussian: tuple, assisted: tuple, words: str) -> None:
    lines = [line(method, *errors) for method, errors in zip(NEEDED, ((0.6,) * 5, gaussian, assisted), strict=True)]
    view = public_information_view(SMALL, PLAIN, lines)
    assert words in view.answer
    crossing = crossing_epsilon(lines[2], lines[1])
    assert (crossing is None) == ("every budget" in words)
    assert view.picture is not None
    told = (
        f"At ε = 0.05: **{100 * assisted[0]:g}** with public data, **{100 * gaussian[0]:g}** with plain noise, **60**"
    )
    assert told in view.picture.reading


def test_a_delta_that_promises_nothing_is_warned_about() -> None:
    view = public_information_view(PublicInformationInputs(side="helps", records=1_000, delta=0.001), PLAIN)
    assert "Choose a smaller δ" in view.note
    assert public_information_view(SMALL, PLAIN).note == ""


def test_the_fields_are_the_inputs() -> None:
    assert PublicInformationInputs(**{field.name: field.default for field in FIELDS}) == PublicInformationInputs()


def test_two_people_with_opposite_answers_break_no_picture() -> None:
    view = public_information_view(PublicInformationInputs(people=2, rate_if_no=1.0), PLAIN)
    assert view.picture is not None
    view = public_information_view(PublicInformationInputs(people=2, rate_if_no=1.0, rate_if_yes=0.0), PLAIN)
    assert view.refusal is not None
    assert "must depend on the person's answer" in view.refusal


def test_unrelated_answers_are_not_said_to_weaken_the_promise() -> None:
    same = public_information_view(PublicInformationInputs(rate_if_no=0.5, rate_if_yes=0.5), PLAIN)
    assert same.picture is not None
    assert "Noise of **1.36** (1.36 by the safe rule, 1.36 as usual)" in same.picture.reading
    assert "The usual noise gives **ε = 1**." in same.picture.reading
    assert "DG(ε) keeps its loss" in same.computed
    assert "keeps its loss" not in public_information_view(PublicInformationInputs(), PLAIN).computed
