"""What the page *What an ε means* says: numbers are those of dpcore, icons count the sentence, readings stay apart."""

from __future__ import annotations

import re

import pytest

from dpcore.guarantees import PureDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric
from dpcore.privacy_loss import PrivacyLoss
from dpcore.semantics import belief_bounds
from ui.figures.icons import IconArray, icon_arrays
from ui.figures.look import Look
from ui.text import passages, placeholders
from ui.views.explain import (
    DEPLOYMENTS,
    FIELDS,
    GUARANTEES,
    MECHANISMS,
    PRESETS,
    READINGS,
    ExplainInputs,
    Meaning,
    _weakening,
    among,
    explain_view,
    rare,
)

VOICES = (Look(), Look(voice="technical"))


def bold(text: str) -> list[str]:
    return re.findall(r"\*\*(.+?)\*\*", text)


def drawn(html: str, kind: str) -> list[int]:
    """Icons of a kind in each panel, counted in the drawing itself."""
    panels = html.split("<figure")[1:]
    return [
        len(re.findall(rf'<path class="{kind}"', panel))
        + sum(int(n) for n in re.findall(rf'<rect class="{kind}"[^>]*data-count="(\d+)"', panel))
        for panel in panels
    ]


@pytest.mark.parametrize("kind", GUARANTEES + MECHANISMS)
@pytest.mark.parametrize("reading", READINGS)
def test_every_kind_answers_in_both_voices_with_the_same_counts(kind: str, reading: str) -> None:
    said = []
    for look in VOICES:
        view = explain_view(ExplainInputs(guarantee=kind, reading=reading), look)
        assert view.refusal is None
        assert view.offered == (READINGS if kind in MECHANISMS else ("bound",))
        said.append(view.panels)
        for panel in view.panels:
            assert f"{panel.after:,} in {panel.of:,}" in bold(view.answer)
    assert said[0] == said[1]


@pytest.mark.parametrize("prior", [0.5, 0.013, 0.001, 0.97])
@pytest.mark.parametrize("kind", ["pure", "gaussian", "deployment"])
def test_icons_count_what_the_sentence_says(kind: str, prior: float) -> None:
    view = explain_view(ExplainInputs(guarantee=kind, prior=prior, reading="exact"), Look())
    said = [int(text.split(" in ")[0].replace(",", "")) for text in bold(view.answer)[:3]]
    kept, moved, rest = (drawn(view.icons, name) for name in ("kept", "moved", "rest"))
    before, up, down = said
    of = view.panels[0].of
    assert [kept[0] + moved[0], kept[1], kept[1] + moved[1]] == [up, down, before]
    assert [sum(panel) for panel in zip(kept, moved, rest, strict=True)] == [of, of]
    assert f"in {of:,}" in view.answer


def test_the_manager_reads_47_to_53_not_48_to_52() -> None:
    values = PRESETS[0].values
    view = explain_view(ExplainInputs(**values), Look())
    assert bold(view.answer) == ["50 in 100", "53 in 100", "47 in 100"]
    assert view.examples is not None
    assert view.examples.rows[0][1:3] == ("48 to 52 %", "47 % to 53 %")


def test_bounds_are_rounded_outwards_and_the_average_to_the_nearest() -> None:
    bound = Meaning(ExplainInputs(epsilon=0.1), Look())
    assert bound.counts == (50, 53, 47)
    average = Meaning(ExplainInputs(guarantee="geometric", epsilon=0.1, reading="average"), Look())
    assert average.counts == (50, 50, 50)


def test_the_readings_are_those_of_dpcore_and_in_order() -> None:
    meaning = Meaning(ExplainInputs(guarantee="discrete_gaussian", rho=0.3, prior=0.2), Look())
    loss = PrivacyLoss.of(DiscreteGaussian(rho=0.3))
    bound, view, exact, average = (meaning.beliefs(reading, 0.2) for reading in READINGS)
    assert bound[0] == belief_bounds(DiscreteGaussian(rho=0.3).guarantee, prior=0.2, delta_prime=0.01).posterior_upper
    assert view[0] == pytest.approx(loss.posterior_every_view(0.01, prior=0.2))
    assert exact[0] == loss.posterior_quantile(0.99, prior=0.2)
    assert exact[1] == loss.posterior_quantile(0.01, prior=0.2, side="absent")
    assert average[0] == loss.posterior_mean(prior=0.2)
    assert bound[0] > view[0] > exact[0] > average[0] > 0.2 > average[1] > exact[1] > view[1] > bound[1]


def test_a_pure_promise_never_fails_and_an_approximate_one_says_how_often() -> None:
    assert "Never" in explain_view(ExplainInputs(), Look()).failing
    view = explain_view(ExplainInputs(guarantee="approximate", delta=1e-6, failure=0.01), Look())
    assert "one in 1,000,000" in view.failing
    assert "expect at most 10 for whom" in view.failing
    assert "except in at most 1 in 100 releases" in view.answer


def test_expected_numbers_of_people_are_rounded_up() -> None:
    assert among(0.0101) == "at most 11"
    assert among(0.01) == "at most 10"
    assert among(3e-7) == "fewer than one: one in 3,333,333"
    assert among(1e-20) == "far fewer than one in a million million"
    assert rare(2e-5) == "1 in 50,000"


def test_post_processing_can_weaken_a_promise_that_may_fail() -> None:
    raw, cell, most, rise = _weakening()
    assert (round(raw, 4), round(cell, 4)) == (0.0049, 0.0101)
    assert rise > 2.3
    assert raw < cell < most < 0.0116
    text = explain_view(ExplainInputs(), Look()).weakening
    for words in ("49 in 10,000", "101 in 10,000", "116 in 10,000"):
        assert words in text


def test_the_law_reads_as_dpcore_computes_it() -> None:
    view = explain_view(ExplainInputs(guarantee="geometric"), Look(voice="technical"))
    law = view.pictures[1]
    assert law.table.rows[-1] == ("mean", "0.6068", "0.3932")
    assert PrivacyLoss.of(Geometric(epsilon=1.0)).posterior_mean(prior=0.5) == pytest.approx(0.6068, abs=5e-5)


def test_the_three_readings_are_drawn_differently() -> None:
    lines = explain_view(ExplainInputs(guarantee="gaussian"), Look()).pictures[0].figure.data
    dashes = {line.name: line.line.dash for line in lines if line.name and line.mode == "lines"}
    assert dashes == {
        "learns nothing": "solid",
        "bound, any mechanism": "dash",
        "any view of this one": "dot",
        "this one exactly": "solid",
    }
    styles = {
        reading: icon_arrays((IconArray("a", "b", 50, 60, 100, reading),), Look()).split('class="moved"')[1][:70]
        for reading in READINGS
    }
    assert len(set(styles.values())) == 4


def test_refused_combinations_get_a_sentence() -> None:
    view = explain_view(ExplainInputs(guarantee="approximate", delta=0.02, failure=0.01), Look())
    assert view.refusal is not None
    assert "must be larger than δ" in view.refusal
    view = explain_view(ExplainInputs(guarantee="laplace", epsilon=0.0), Look())
    assert view.refusal == "Epsilon must be greater than 0 for a mechanism; got 0."
    assert explain_view(ExplainInputs(epsilon=0.0), Look()).panels[0].moved == 0


def test_extreme_choices_still_answer() -> None:
    for chosen in (
        ExplainInputs(epsilon=100.0, prior=1e-9),
        ExplainInputs(guarantee="gaussian", rho=100.0, prior=0.999999),
        ExplainInputs(guarantee="geometric", epsilon=100.0, sensitivity=1000),
        ExplainInputs(guarantee="discrete_gaussian", rho=0.0005, failure=1e-9, reading="every_view"),
        ExplainInputs(guarantee="randomised_response", categories=1000),
    ):
        assert explain_view(chosen, Look()).refusal is None


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_every_central_deployment_can_be_read(name: str) -> None:
    view = explain_view(ExplainInputs(guarantee="deployment", deployment=name, failure=1e-3), Look())
    assert view.refusal is None
    assert name in view.small_print


def test_both_voices_have_the_same_passages_and_technical_says_every_number() -> None:
    plain, technical = passages("explain", "plain"), passages("explain", "technical")
    assert set(plain) == set(technical)
    for name in plain:
        if name.startswith("answer"):
            assert {"before", "up", "down", "of"} <= placeholders(technical[name]) & placeholders(plain[name])


def test_defaults_are_the_fields_defaults() -> None:
    assert ExplainInputs() == ExplainInputs(**{field.name: field.default for field in FIELDS})
    assert PureDP(epsilon=ExplainInputs().epsilon) == Meaning(ExplainInputs(), Look()).guarantee
    assert Meaning(ExplainInputs(guarantee="gaussian"), Look()).mechanism == Gaussian(rho=0.1)


def test_the_page_leads_to_what_exact_totals_do_with_the_same_belief() -> None:
    for look in (Look(), Look(voice="technical")):
        leading = explain_view(ExplainInputs(prior=0.2), look).exact_totals
        assert leading is not None
        assert leading.stem == "exact_totals"
        assert leading.query == (("prior", "0.2"),)
        assert "exact totals" in leading.words
