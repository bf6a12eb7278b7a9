"""What the page *What an ε means* says: numbers are those of dpcore, icons count the sentence, readings stay apart."""

from __future__ import annotations

import math
import re
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit

from dpcore.deployments import deployment
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from dpcore.semantics import belief_bounds
from dpcore.tradeoff import trade_off
from riskline.answers.evidence import moved_together
from riskline.case.fields import read_query
from riskline.case.tables import TableRow
from tests.each import each
from tests.said import placeholders
from ui.link.page_table import page_entry
from ui.pictures.people import IconArray
from ui.pictures.style import Style
from ui.views import accuracy, deployments
from ui.views.deployments.choices import NAMES
from ui.views.explain import FIELDS, PRESETS, ExplainInputs, ExplainView, explain_view
from ui.views.explain.meaning import (
    DEPLOYMENTS,
    GUARANTEES,
    LARGEST_MOVE,
    MECHANISMS,
    READINGS,
    RELEASED,
    Meaning,
    belief_digits,
    rarely,
)
from ui.views.explain.view import among
from ui.views.shared.published_budgets import in_symbols
from ui.words.catalogue import passages, say
from ui.words.phrasing import frequency
from ui.words.quantities import Failure, Upper, in_people, number

VOICES = (Style(), Style(voice="technical"))


def bold(text: str) -> list[str]:
    """Numbers set bold, without the words of their side."""
    return re.findall(r"\*\*(?:At most |No useful limit: nearly )?(?:nearly )?(.+?)(?: on average)?\*\*", text)


def counted(view: ExplainView) -> list[str]:
    """The belief before, and those after in both worlds, as the page counts them."""
    up, before = bold(view.answer)[:2]
    if view.panels[0].of == 100:
        assert up == f"{view.panels[0].after:,} in 100"
    return [before, up, f"{view.panels[1].after:,} in {view.panels[1].of:,}"]


def drawn(html: str, kind: str) -> list[int]:
    """Icons of a kind in each panel, counted in the drawing itself."""
    panels = html.split("<figure")[1:]
    return [
        len(re.findall(rf'<path class="{kind}"', panel))
        + sum(int(n) for n in re.findall(rf'<rect class="{kind}"[^>]*data-count="(\d+)"', panel))
        for panel in panels
    ]


@pytest.mark.parametrize("kind", GUARANTEES + MECHANISMS)
def test_a_bound_among_the_readings_is_stated_with_the_belief_and_the_failure_of_its_row(kind: str) -> None:
    view = explain_view(ExplainInputs(guarantee=kind, failure=0.02, prior=0.2), VOICES[0])
    assert view.readings is not None
    bounds = [row for row in view.readings.rows if str(row[0]).startswith("Bound")]
    for (_, at_most, _, holds), stated in zip(bounds, view.stated[-len(bounds) :], strict=True):
        failure = stated.promise.failure_probability
        assert at_most == f"{stated.said:at most}"
        assert holds == (f"{Failure(failure, number(3)):except with probability}" if failure else "always")


@pytest.mark.parametrize("reading", READINGS)
@each("kind", GUARANTEES + MECHANISMS)
def test_every_kind_answers_in_both_voices_with_the_same_counts(kind: str, reading: str) -> None:
    said = []
    for style in VOICES:
        view = explain_view(ExplainInputs(guarantee=kind, reading=reading), style)
        assert view.refusal is None
        assert view.offered == (READINGS if kind in MECHANISMS else ("bound",))
        said.append(view.panels)
        for panel in view.panels if style.technical else view.panels[:1]:
            assert f"{panel.after:,} in {panel.of:,}" in bold(view.answer)
    assert said[0] == said[1]


@pytest.mark.parametrize("prior", [0.5, 0.013, 0.001, 0.97])
@pytest.mark.parametrize("kind", ["pure", "gaussian", "deployment"])
def test_icons_count_what_the_sentence_says(kind: str, prior: float) -> None:
    view = explain_view(ExplainInputs(guarantee=kind, prior=prior, reading="exact"), Style())
    said = [int(text.split(" in ")[0].replace(",", "")) for text in counted(view)]
    kept, moved, rest = (drawn(view.icons.html, name) for name in ("kept", "moved", "rest"))
    before, up, down = said
    of = view.panels[0].of
    assert [kept[0] + moved[0], kept[1], kept[1] + moved[1]] == [up, down, before]
    assert [sum(panel) for panel in zip(kept, moved, rest, strict=True)] == [of, of]
    assert f"in {of:,}" in view.answer


def test_the_manager_reads_47_to_53_not_48_to_52() -> None:
    values = PRESETS["manager"]
    view = explain_view(ExplainInputs(**values), Style())
    assert counted(view) == ["50 in 100", "53 in 100", "47 in 100"]


def test_bounds_are_rounded_outwards_and_the_average_to_the_nearest() -> None:
    bound = Meaning(ExplainInputs(epsilon=0.1), Style())
    assert bound.counts(100) == (50, 53, 47)
    average = Meaning(ExplainInputs(guarantee="geometric", epsilon=0.1, reading="average"), Style())
    assert average.counts(100) == (50, 50, 50)


def test_the_readings_are_those_of_dpcore_and_in_order() -> None:
    meaning = Meaning(ExplainInputs(guarantee="discrete_gaussian", rho=0.3, prior=0.2), Style())
    loss = PrivacyLoss.of(DiscreteGaussian(rho=0.3))
    bound, view, exact, average = (meaning.evidence.beliefs(reading, 0.2) for reading in READINGS)
    assert bound[0] == belief_bounds(DiscreteGaussian(rho=0.3).guarantee, prior=0.2, delta_prime=0.01).posterior_upper
    assert view[0] == pytest.approx(ExactPosterior(loss, prior=0.2).every_view(0.01))
    assert exact[0] == ExactPosterior(loss, prior=0.2).quantile(0.99)
    assert exact[1] == ExactPosterior(loss, prior=0.2).quantile(0.01, side="absent")
    assert average[0] == ExactPosterior(loss, prior=0.2).mean()
    assert bound[0] > view[0] > exact[0] > average[0] > 0.2 > average[1] > exact[1] > view[1] > bound[1]


def test_a_pure_promise_never_fails_and_an_approximate_one_says_how_often() -> None:
    assert "**Failure probability 0**" in explain_view(ExplainInputs(), Style()).computed
    view = explain_view(ExplainInputs(guarantee="approximate", delta=1e-6, failure=0.01), Style())
    assert "one in 1,000,000" in view.computed
    assert "expect at most 10 beyond it" in view.computed
    assert "except for at most 1 in 100 releases" in view.answer


@pytest.mark.parametrize("secret", ["value", "presence"])
@pytest.mark.parametrize("style", VOICES, ids=lambda style: style.voice)
def test_exact_totals_of_the_case_are_an_exception_of_every_limit_but_a_published_one(
    secret: str, style: Style
) -> None:
    totals = (TableRow("Births", areas="40", exact="40"),)
    exception = say("publication", style.voice, f"exact_{secret}")
    of_case = {"secret": secret, "release": "tables", "tables": totals}

    def answers(**chosen: Any) -> str:
        view = explain_view(ExplainInputs(**(of_case | chosen)), style)
        return view.answer + view.small_print + view.computed

    for guarantee in ("pure", "approximate", "zero_concentrated", "geometric"):
        assert exception in answers(guarantee=guarantee), guarantee
    for otherwise in ({"release": "table"}, {"tables": (TableRow("Births", areas="40"),)}):
        assert exception not in answers(guarantee="pure", **otherwise)
    assert exception not in answers(guarantee="deployment", secret="value")
    assert exception not in answers(guarantee="randomised_response")


def test_expected_numbers_of_people_are_rounded_up() -> None:
    assert among(0.0101) == "at most 11"
    assert among(0.01) == "at most 10"
    assert among(3e-7) == "fewer than one: one in 3,333,333"
    assert among(1e-20) == "far fewer than one in a million million"
    assert rarely(2e-5, "up") == "1 in 50,000"


def test_the_three_readings_are_drawn_differently() -> None:
    lines = explain_view(ExplainInputs(guarantee="gaussian"), Style()).curve.figure.data  # type: ignore[union-attr]
    dashes = {line.name: line.line.dash for line in lines if line.name and line.mode == "lines"}
    assert dashes == {
        "learns nothing": "solid",
        "any mechanism": "dash",
        "any view of this one": "dot",
        "this one exactly": "solid",
    }
    styles = {
        reading: IconArray("a", "b", 50, 60, 100, reading).drawing(Style()).split('class="moved"')[1][:70]
        for reading in READINGS
    }
    assert len(set(styles.values())) == 4


def test_refused_combinations_get_a_sentence() -> None:
    view = explain_view(ExplainInputs(guarantee="approximate", delta=0.02, failure=0.01), Style())
    assert view.refusal is not None
    assert "must be larger than δ" in view.refusal
    view = explain_view(ExplainInputs(guarantee="laplace", epsilon=0.0), Style())
    assert view.refusal == "Noise needs an ε above 0."
    assert explain_view(ExplainInputs(epsilon=0.0), Style()).panels[0].parts["moved"] == 0


def test_extreme_choices_still_answer() -> None:
    for chosen in (
        ExplainInputs(epsilon=100.0, prior=1e-9),
        ExplainInputs(guarantee="gaussian", rho=100.0, prior=0.999999),
        ExplainInputs(guarantee="geometric", epsilon=100.0, sensitivity=1000),
        ExplainInputs(guarantee="discrete_gaussian", rho=0.0005, failure=1e-9, reading="every_view"),
        ExplainInputs(guarantee="randomised_response", categories=1000),
    ):
        assert explain_view(chosen, Style()).refusal is None


@each("name", DEPLOYMENTS)
def test_every_central_deployment_can_be_read(name: str) -> None:
    view = explain_view(ExplainInputs(guarantee="deployment", deployment=name, failure=1e-3), Style())
    assert view.refusal is None
    assert name in view.small_print


def test_both_voices_have_the_same_passages_and_technical_says_every_number() -> None:
    plain, technical = passages("explain", "plain"), passages("explain", "technical")
    assert set(plain) <= set(technical)
    for name in plain:
        if name.startswith("answer"):
            assert {"before", "up", "down"} <= placeholders(technical[name])
            assert {"before", "up", "exception"} - placeholders(plain[name]) <= (
                {"exception"} if "average" in name else set()
            )


def test_defaults_are_the_fields_defaults() -> None:
    assert ExplainInputs() == ExplainInputs(**{field.name: field.default for field in FIELDS})
    assert PureDP(epsilon=ExplainInputs().epsilon) == Meaning(ExplainInputs(), Style()).evidence.guarantee
    assert Meaning(ExplainInputs(guarantee="gaussian"), Style()).evidence.mechanism == Gaussian(rho=0.1)


def test_the_page_leads_on_with_its_own_choices() -> None:
    asked = {"secret": "value", "unit": "household", "group": 4, "relation": "replace", "prior": 0.2}
    for style in VOICES:
        pure = explain_view(ExplainInputs(**asked), style).ways  # type: ignore[arg-type]
        assert [way.stem for way in pure] == ["accuracy", "exact_totals"]
        assert dict(pure[0].query) == {"noise": "geometric", "epsilon": "1"}
        assert ("prior", "0.2") in pure[1].query
        assert "xact total" in pure[1].words
        noisy = explain_view(ExplainInputs(guarantee="gaussian", rho=0.3, **asked), style).ways[0]  # type: ignore[arg-type]
        reading = read_query(accuracy.FIELDS, dict(noisy.query))
        assert (noisy.stem, reading.refusals) == ("accuracy", ())
        assert dict(noisy.query) == {"noise": "gaussian", "rho": "0.3"}  # the case holds the belief and the promise
        published = explain_view(ExplainInputs(guarantee="deployment", prior=0.2), style).ways[0]
        reading = read_query(deployments.FIELDS, dict(published.query))
        assert (published.stem, reading.refusals) == ("deployments", ())
        assert NAMES[reading.values["chosen"]] == DEPLOYMENTS[0]
        assert (reading.values["secret"], reading.values["prior"]) == ("value", 0.2)
        for way in explain_view(ExplainInputs(guarantee="geometric", **asked), style).ways:  # type: ignore[arg-type]
            assert read_query(page_entry(way.stem).fields, dict(way.query)).refusals == ()


def test_noise_on_a_table_is_no_count_whose_error_another_page_tells() -> None:
    for choices in ({"released": "cells"}, {"released": "difference"}, {"sensitivity": 2}, {"epsilon": 60.0}):
        ways = explain_view(ExplainInputs(guarantee="geometric", **choices), Style()).ways  # type: ignore[arg-type]
        assert [way.stem for way in ways] == ["exact_totals"]


# ---- which promise a number belongs to -----------------------------------------------------------------------------

PROMISES: tuple[dict[str, Any], ...] = (
    {},
    {"unit": "records", "group": 3},
    {"secret": "value"},
    {"secret": "value", "relation": "replace"},
    {"secret": "value", "unit": "household", "group": 4},
    {"secret": "value", "relation": "replace", "unit": "days", "group": 30},
)


def everything_said(view: ExplainView) -> str:
    """All words of the page: sentences, panels, headings and captions of tables, legends, alternative texts."""
    assert view.icons is not None
    assert view.curve is not None
    pieces = [view.answer, view.small_print, view.icons.html, view.icons_reading, view.computed]
    for table in (view.readings, view.curve.table):
        assert table is not None
        pieces += [table.caption, *table.columns, *(str(cell) for row in table.rows for cell in row)]
    return "\n".join(
        [*pieces, view.curve.reading, view.curve.alt, *(str(line.name) for line in view.curve.figure.data)]
    )


@pytest.mark.parametrize("style", VOICES, ids=("plain", "technical"))
@pytest.mark.parametrize("kind", GUARANTEES + MECHANISMS)
def test_every_word_names_the_secret_whose_it_is_and_what_one_change_is(kind: str, style: Style) -> None:
    for choices in PROMISES:
        inputs = ExplainInputs(guarantee=kind, epsilon=0.2, delta=1e-8, reading="exact", failure=0.05, **choices)
        view = explain_view(inputs, style)
        assert view.refusal is None, choices
        meaning = Meaning(inputs, style)
        said = everything_said(view)
        assert not re.search(r"\bshe\b|takes part\b|person is in\b", said.replace("given person is in", "")), choices
        assert meaning.words["that"] in view.answer, choices
        assert meaning.words["that"] in view.icons_reading, choices
        own = "change" if meaning.reading == "bound" else "change_of_noise"
        assert meaning.context[own] in view.small_print, choices
        assert meaning.subject in view.small_print, choices
        assert view.readings is not None
        assert view.curve is not None
        assert meaning.words["promise"] in view.readings.caption, choices
        assert meaning.words["promise"] in view.curve.table.caption, choices
        for case in meaning.worlds():
            assert case in view.readings.columns[1] + view.readings.columns[2]
            assert case[0].upper() + case[1:] in view.icons.html
            assert case in view.curve.alt
        secret = {"randomised_response": "answer", "deployment": "value"}.get(kind, inputs.secret)
        assert meaning.promise.secret.value == secret, choices
        if inputs.unit != "person":
            assert str(meaning.promise.group) in view.answer, choices


@pytest.mark.parametrize("kind", ["pure", "geometric", "zero_concentrated", "probabilistic"])
def test_presence_is_not_hidden_by_replacing(kind: str) -> None:
    for style in VOICES:
        refusal = explain_view(ExplainInputs(guarantee=kind, relation="replace"), style).refusal
        assert refusal is not None
        assert "Replacing a record does not hide who is in the data" in refusal


@pytest.mark.parametrize("kind", ["deployment", "randomised_response"])
def test_where_the_relation_is_not_asked_it_cannot_contradict(kind: str) -> None:
    asked = explain_view(ExplainInputs(guarantee=kind, relation="replace"), Style())
    assert asked.refusal is None
    assert asked.answer == explain_view(ExplainInputs(guarantee=kind), Style()).answer


def test_a_value_takes_two_steps_where_records_are_added_or_removed() -> None:
    def said(**choices: Any) -> list[str]:
        return counted(explain_view(ExplainInputs(epsilon=1.0, **choices), Style()))[1:]

    assert said() == ["74 in 100", "26 in 100"]  # expit(1)
    assert said(secret="value") == ["89 in 100", "11 in 100"]  # expit(2)
    assert said(secret="value", relation="replace") == ["74 in 100", "26 in 100"]
    assert said(unit="household", group=2) == ["89 in 100", "11 in 100"]
    small = explain_view(ExplainInputs(secret="value"), Style()).small_print
    assert "Between the cases: ε = 2." in small
    assert "the secret takes 2 such changes" in small
    assert "Between the cases" not in explain_view(ExplainInputs(), Style()).small_print


def test_a_group_of_an_approximate_budget_has_a_larger_delta_too() -> None:
    meaning = Meaning(ExplainInputs(guarantee="approximate", epsilon=0.5, delta=1e-6, secret="value"), Style())
    own = meaning.evidence.guarantee
    assert isinstance(own, ApproximateDP)
    assert own.epsilon == 1.0
    assert own.delta == pytest.approx(1e-6 * (1 + math.exp(0.5)), rel=1e-12)
    assert "δ = 2.65e-6" in explain_view(meaning.inputs, Style()).computed
    refused = explain_view(ExplainInputs(guarantee="approximate", epsilon=3, delta=1e-3, secret="value"), Style())
    assert refused.refusal is not None
    assert "δ′ 0.01 must be larger than δ, 0.0211 for the secret." in refused.refusal


@pytest.mark.parametrize(
    ("released", "secret", "epsilon", "rho"),
    [
        ("count", "presence", 0.5, 0.1),
        ("count", "value", 0.5, 0.1),
        ("cells", "presence", 0.5, 0.1),
        ("cells", "value", 1.0, 0.2),
        ("difference", "presence", 0.5, 0.1),
        ("difference", "value", 1.0, 0.4),
    ],
)
def test_what_the_noise_is_on_decides_what_the_secret_has(
    released: str, secret: str, epsilon: float, rho: float
) -> None:
    pure = Meaning(ExplainInputs(guarantee="geometric", epsilon=0.5, released=released, secret=secret), Style())
    assert isinstance(pure.evidence.of_noise, PureDP)
    assert pure.evidence.of_noise.epsilon == epsilon
    noisy = Meaning(ExplainInputs(guarantee="gaussian", rho=0.1, released=released, secret=secret), Style())
    assert isinstance(noisy.evidence.of_noise, ZeroConcentratedDP)
    assert noisy.evidence.of_noise.rho == pytest.approx(rho)
    any_release = (pure.evidence.guarantee.epsilon, noisy.evidence.guarantee.rho)  # type: ignore[union-attr]
    assert any_release == pytest.approx((0.5, 0.1) if secret == "presence" else (1.0, 0.4))
    words = {
        "count": "on one count",
        "cells": "on each cell of a table",
        "difference": "on the difference of two counts",
    }
    assert words[released] in explain_view(noisy.inputs, Style()).small_print


def test_links_without_a_word_on_the_release_speak_of_one_plain_count() -> None:
    for kind in MECHANISMS[:2] + MECHANISMS[3:]:
        meaning = Meaning(ExplainInputs(guarantee=kind), Style())
        assert meaning.evidence.pair == (meaning.evidence.mechanism, 1)
        assert meaning.evidence.guarantee == meaning.evidence.mechanism.guarantee  # type: ignore[union-attr]


def test_the_same_noise_hides_records_that_move_together_as_a_larger_move() -> None:
    for one in (
        Geometric(epsilon=0.3, sensitivity=2),
        Laplace(epsilon=0.3),
        Gaussian(rho=0.2),
        DiscreteGaussian(rho=0.2),
    ):
        three = moved_together(one, 3)
        assert three.std == pytest.approx(one.std, rel=1e-12)
        assert three.sensitivity == 3 * one.sensitivity
        assert three.guarantee == one.guarantee.for_group(3)
        assert moved_together(one, 1) is one


# ---- explicit releases ---------------------------------------------------------------------------------------------


def listed(noise: Geometric | DiscreteGaussian, moves: tuple[int, ...]) -> tuple[Any, Any]:
    """Losses and their probabilities in the true world, output by output: each cell has its own noise and its move."""
    reach = 60 + max(abs(move) for move in moves)
    outputs = np.arange(-reach, reach + 1)
    losses, mass = np.zeros(1), np.ones(1)
    for move in moves:
        present, absent = noise.log_pmf(outputs - move), noise.log_pmf(outputs)
        losses = np.add.outer(losses, present - absent).ravel()
        mass = np.multiply.outer(mass, np.exp(present)).ravel()
    return losses, mass


def reached(losses: Any, mass: Any, prior: float, failure: float) -> tuple[float, float]:
    """Quantile of the belief after, in the true world, and its mean."""
    order = np.argsort(losses)
    place = int(np.searchsorted(np.cumsum(mass[order]), (1 - failure) * (1 - 1e-12)))
    return float(expit(logit(prior) + losses[order][place])), float(mass @ expit(logit(prior) + losses))


MOVES = (
    ("count", "presence", "add_or_remove", 1, (1,)),
    ("count", "value", "add_or_remove", 3, (3,)),
    ("cells", "presence", "add_or_remove", 2, (2,)),
    ("cells", "value", "add_or_remove", 1, (1, -1)),
    ("cells", "value", "replace", 2, (2, -2)),
    ("difference", "value", "add_or_remove", 1, (2,)),
    ("difference", "value", "replace", 3, (6,)),
)


@pytest.mark.parametrize("kind", ["geometric", "discrete_gaussian"])
@pytest.mark.parametrize(("released", "secret", "relation", "group", "moves"), MOVES)
def test_printed_beliefs_are_those_of_the_release_listed_output_by_output(
    kind: str, released: str, secret: str, relation: str, group: int, moves: tuple[int, ...]
) -> None:
    prior, failure = 0.2, 0.07
    chosen: dict[str, Any] = {"released": released, "secret": secret, "relation": relation, "unit": "records"}
    inputs = ExplainInputs(guarantee=kind, epsilon=0.6, rho=0.25, prior=prior, failure=failure, group=group, **chosen)
    meaning = Meaning(inputs, Style())
    noise = Geometric(epsilon=0.6) if kind == "geometric" else DiscreteGaussian(rho=0.25)
    losses, mass = listed(noise, moves)
    quantile, mean = reached(losses, mass, prior, failure)
    assert meaning.evidence.beliefs("exact", prior)[0] == pytest.approx(quantile, rel=1e-9)
    assert meaning.evidence.beliefs("average", prior)[0] == pytest.approx(mean, rel=1e-9)
    most_telling = np.sort(losses)[::-1]
    assert meaning.evidence.beliefs("every_view", prior)[0] >= quantile - 1e-12
    if kind == "geometric" and (released != "count" or secret == "presence"):  # the most telling output reaches it
        assert meaning.evidence.beliefs("bound", prior)[0] == pytest.approx(
            float(expit(logit(prior) + most_telling[0])), rel=1e-9
        )
    else:
        assert meaning.evidence.beliefs("bound", prior)[0] >= quantile
    view = explain_view(inputs, Style())
    assert view.panels[0].after >= 100 * meaning.evidence.beliefs("bound", prior)[0] - 1e-9


@pytest.mark.parametrize("categories", [2, 4])
def test_randomised_response_is_listed_answer_by_answer(categories: int) -> None:
    """Three answers of one person, each through its own coin: what she said, or everywhere another answer."""
    inputs = ExplainInputs(
        guarantee="randomised_response", epsilon=0.7, categories=categories, unit="records", group=3, prior=0.3
    )
    meaning = Meaning(inputs, Style())
    rest = math.exp(0.7) + categories - 1
    said, other = math.exp(0.7) / rest, 1 / rest
    coin = [(said, other), (other, said), *[(other, other)] * (categories - 2)]
    losses, mass = [], []
    for answers in product(coin, repeat=3):
        losses.append(sum(math.log(true / false) for true, false in answers))
        mass.append(math.prod(true for true, _ in answers))
    quantile, mean = reached(np.array(losses), np.array(mass), 0.3, 0.01)
    assert sum(mass) == pytest.approx(1)
    assert meaning.evidence.beliefs("exact", 0.3)[0] == pytest.approx(quantile, rel=1e-9)
    assert meaning.evidence.beliefs("average", 0.3)[0] == pytest.approx(mean, rel=1e-9)
    assert meaning.evidence.beliefs("bound", 0.3)[0] == pytest.approx(float(expit(logit(0.3) + max(losses))), rel=1e-12)
    view = explain_view(inputs, Style())
    assert "likely that a given person with 3 records gave a certain answer" in view.answer
    assert "taking part is visible" in view.small_print


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    ("released", "secret", "group", "moves"),
    [
        ("count", "value", 3, (3,)),
        ("cells", "value", 1, (1, -1)),
        ("cells", "value", 2, (2, -2)),
        ("difference", "value", 1, (2,)),
    ],
)
def test_printed_beliefs_are_those_of_simulated_continuous_noise(
    kind: str, released: str, secret: str, group: int, moves: tuple[int, ...]
) -> None:
    prior, failure, draws = 0.2, 0.35, 400_000
    inputs = ExplainInputs(
        guarantee=kind, epsilon=0.8, rho=0.2, prior=prior, failure=failure, released=released, secret=secret,
        unit="records", group=group,
    )  # fmt: skip
    meaning, random = Meaning(inputs, Style()), np.random.default_rng(11)
    losses = np.zeros(draws)
    for move in moves:
        noise = random.laplace(0, 1 / 0.8, draws) if kind == "laplace" else random.normal(0, math.sqrt(2.5), draws)
        if kind == "laplace":
            losses += 0.8 * (np.abs(noise + move) - np.abs(noise))
        else:
            losses += 0.2 * ((noise + move) ** 2 - noise**2)
    beliefs = expit(logit(prior) + losses)
    assert meaning.evidence.beliefs("exact", prior)[0] == pytest.approx(
        float(np.quantile(beliefs, 1 - failure)), abs=4e-3
    )
    assert meaning.evidence.beliefs("average", prior)[0] == pytest.approx(float(beliefs.mean()), abs=2e-3)
    assert meaning.evidence.beliefs("bound", prior)[0] >= np.quantile(beliefs, 1 - failure) - 4e-3


def test_quantiles_from_a_grid_are_its_outer_ends() -> None:
    meaning = Meaning(ExplainInputs(guarantee="laplace", secret="value", released="cells", failure=0.35), Style())
    assert meaning.evidence.loss is not None
    assert meaning.evidence.loss.certainty == "bracketed"
    high = ExactPosterior(meaning.evidence.loss, prior=0.5).quantile_bracket(0.65, side="present").high
    low = ExactPosterior(meaning.evidence.loss, prior=0.5).quantile_bracket(0.35, side="absent").low
    assert meaning.evidence.beliefs("exact", 0.5) == (pytest.approx(high, rel=1e-12), pytest.approx(low, rel=1e-12))
    assert meaning.evidence.beliefs("exact", np.array([0.0, 0.5, 1.0]))[0].tolist() == pytest.approx([0.0, high, 1.0])
    small = explain_view(ExplainInputs(guarantee="laplace", secret="value", released="cells", reading="exact"), Style())
    assert "Computed on a grid for Laplace noise" in small.small_print


# ---- published budgets ---------------------------------------------------------------------------------------------


def test_a_value_of_the_symptom_trends_takes_two_steps() -> None:
    """At a belief of 1 in 100: expit(logit .01 + 1.68) for presence, expit(logit .01 + 3.36) for a value."""
    chosen = {"guarantee": "deployment", "deployment": "Google symptom search trends", "prior": 0.01}
    said = {
        secret: counted(explain_view(ExplainInputs(**chosen, secret=secret), Style()))[1]  # type: ignore[arg-type]
        for secret in ("presence", "value")
    }
    assert said == {"presence": "515 in 10,000", "value": "2,253 in 10,000"}
    small = explain_view(ExplainInputs(**chosen, secret="value"), Style()).small_print  # type: ignore[arg-type]
    assert "One change is one unit added or removed, and the secret takes 2 such changes (read in" in small
    assert "one user's symptom searches on one day" in small


def test_a_published_budget_that_does_not_hide_presence_says_so_and_answers_for_the_value() -> None:
    for style in VOICES:
        asked = explain_view(ExplainInputs(guarantee="deployment", prior=0.1), style)
        value = explain_view(ExplainInputs(guarantee="deployment", prior=0.1, secret="value"), style)
        assert asked.answer.startswith("The published promise is about a unit replaced and says nothing about who")
        assert bold(asked.answer) == bold(value.answer)
        assert "the published budget" in value.small_print
        assert asked.answer.endswith(value.answer)
        assert "one unit (person) has a certain value" in asked.answer or "being present, has the value" in asked.answer


def test_a_relation_that_was_not_read_is_not_relied_on() -> None:
    entry = deployment("Meta Movement Range Maps")
    assert entry.relation == "unknown"
    chosen: dict[str, Any] = {"guarantee": "deployment", "deployment": entry.name}
    presence = explain_view(ExplainInputs(**chosen), Style())
    assert presence.answer.startswith("What counts as one change was not found; presence is promised only if")
    assert "In that case: **At most" in presence.answer
    assert "the published budget ε = 2," in presence.small_print
    value = Meaning(ExplainInputs(**chosen, secret="value"), Style())
    assert value.evidence.guarantee.epsilon == 4.0  # type: ignore[union-attr]
    small = explain_view(value.inputs, Style()).small_print
    assert "the number holds for units replaced and for units added or removed" in small


def test_several_published_units_belong_together() -> None:
    inputs = ExplainInputs(
        guarantee="deployment", deployment="Google symptom search trends", unit="days", group=7, prior=0.001
    )
    meaning = Meaning(inputs, Style())
    assert meaning.evidence.guarantee.epsilon == pytest.approx(7 * 1.68)  # type: ignore[union-attr]
    assert "a group of 7 units (user on one day each) is in the data" in explain_view(inputs, Style()).answer


# ---- bounds that may fail ------------------------------------------------------------------------------------------


def test_a_probabilistic_bound_speaks_of_the_raw_release_and_another_one_of_every_view() -> None:
    inputs = ExplainInputs(guarantee="probabilistic", epsilon=1.0, delta=1e-3, failure=0.01)
    view, meaning = explain_view(inputs, Style()), Meaning(inputs, Style())
    assert "What is made from the release can go further." in view.small_print
    assert "except for at most 10 in 10,000 releases" in view.answer
    assert view.answer.endswith("gets no further from the raw release.")
    assert view.readings is not None
    first, second = view.readings.rows[:2]
    assert str(first[0]).endswith("raw output")
    assert "every view" in str(second[0])
    implied = ApproximateDP(epsilon=1.0, delta=1e-3).probabilistic_epsilon(0.01)
    assert meaning.evidence.other_shifts["over_every_view"] == implied
    assert implied > 1.05
    assert float(str(second[1]).split()[-2]) / 100 >= float(expit(implied))
    late = explain_view(ExplainInputs(guarantee="probabilistic", delta=0.02, failure=0.01), Style())
    assert late.refusal is None
    assert late.readings is not None
    assert not any("every view" in str(row[0]) for row in late.readings.rows)
    assert "every view" not in view.answer


def test_two_steps_of_a_probabilistic_budget_are_those_of_the_approximate_one_it_implies() -> None:
    inputs = ExplainInputs(guarantee="probabilistic", epsilon=0.5, delta=1e-6, secret="value")
    assert isinstance(Meaning(inputs, Style()).evidence.step, ProbabilisticDP)
    assert isinstance(Meaning(inputs, Style()).evidence.guarantee, ApproximateDP)
    assert "What is made from" not in explain_view(inputs, Style()).small_print


@pytest.mark.parametrize(
    ("kind", "cited"),
    [
        ("pure", "Theorem 28 and Corollary 32"),
        ("approximate", "Theorem 35 and Corollary 36"),
        ("probabilistic", "Theorem 28, for probabilistic privacy"),
        ("zero_concentrated", "Theorem 28, with our tail bound of ρ after Bun and Steinke"),
    ],
)
def test_each_bound_cites_its_own_theorem_and_only_pure_ones_never_fail(kind: str, cited: str) -> None:
    for style in VOICES:
        view = explain_view(ExplainInputs(guarantee=kind), style)
        assert cited in (view.small_print if style.technical else view.computed)
        assert "Theorem 5" not in everything_said(view)
        never = "Failure probability 0" in view.computed
        assert never == (kind == "pure")


def test_failure_probabilities_are_printed_rounded_up() -> None:
    assert rarely(0.0149, "up") == "2 in 100"
    view = explain_view(ExplainInputs(guarantee="zero_concentrated", failure=0.0149), Style())
    assert "except for at most 2 in 100 releases" in view.answer
    assert "expect at most 15 beyond it" in view.computed
    view = explain_view(ExplainInputs(guarantee="gaussian", rho=0.1, failure=0.01234567), Style())
    assert "δ′ = 0.0124" in view.computed


def test_a_chance_too_small_to_compute_is_not_called_none() -> None:
    far = explain_view(ExplainInputs(guarantee="gaussian", rho=0.001, failure=1e-15), Style())
    assert "P[|Z| > ε′] = 1e-15**" in far.computed
    assert "P[|Z| > ε′] = 0**" in explain_view(ExplainInputs(guarantee="geometric"), Style()).computed


def test_the_average_says_over_what() -> None:
    for style, words in zip(
        VOICES,
        (
            "on average**, from **50 in 100**: the belief that a given person is in the data, if that is so.",
            "mean posterior over the noise",
        ),
        strict=True,
    ):
        view = explain_view(ExplainInputs(guarantee="geometric", reading="average"), style)
        assert words in view.answer
        assert "mean over its noise" in str(view.readings)


def test_the_curve_reads_the_bound_also_when_another_reading_is_shown() -> None:
    view = explain_view(ExplainInputs(guarantee="geometric", reading="average"), Style())
    assert view.curve is not None
    assert "**50 in 100** becomes at most **74 in 100** (if in the data), at least **26 in 100**" in view.curve.reading


def test_every_upper_bound_that_is_printed_is_stated() -> None:
    for kind in GUARANTEES + MECHANISMS:
        inputs = ExplainInputs(guarantee=kind, secret="value", prior=0.1, delta=1e-6)
        view, meaning = explain_view(inputs, Style()), Meaning(inputs, Style())
        words = [stated.words for stated in view.stated]
        assert f"{view.panels[0].after:,} in {view.panels[0].of:,}" in words
        assert view.readings is not None
        printed = [
            str(row[1]).removeprefix("at most ") for row in view.readings.rows if str(row[0]).startswith("Bound")
        ]
        assert set(printed) <= set(words)
        assert all(stated.source == meaning.evidence.step for stated in view.stated)
        assert meaning.bounds.failure_probability in {stated.promise.failure_probability for stated in view.stated}


@pytest.mark.parametrize(("epsilon", "stated"), [(1.0, 3), (60.0, 2)])
def test_a_budget_that_limits_nothing_states_a_belief_less(epsilon: float, stated: int) -> None:
    view = explain_view(ExplainInputs(epsilon=epsilon), Style())
    assert len(view.stated) == stated


def test_a_belief_or_a_budget_next_to_nothing_still_reads() -> None:
    said = explain_view(ExplainInputs(prior=1e-9), Style()).answer
    assert said.startswith("**At most 3 in 1,000,000,000**. Whoever thinks it **1 in 1,000,000,000** likely ")
    for inputs in (ExplainInputs(epsilon=5e-324), ExplainInputs(guarantee="approximate", delta=1e-300)):
        assert explain_view(inputs, Style()).refusal == "ε and δ must be 0 or at least 1e-15."
    for kind in ("geometric", "laplace", "randomised_response", "pure"):
        view = explain_view(ExplainInputs(guarantee=kind, epsilon=1e-15, secret="value", released="cells"), Style())
        assert view.refusal is None
        assert "50 in 100" in view.answer
    for field in FIELDS:
        if field.name in ("rho", "prior", "failure"):
            with pytest.raises(ValueError, match=r"1e-15|1e-13 %"):
                field.decode("5e-324")


def test_a_move_too_long_to_list_is_refused() -> None:
    for kind in ("geometric", "discrete_gaussian"):
        inputs = ExplainInputs(guarantee=kind, sensitivity=1000, unit="days", group=101)
        assert explain_view(inputs, Style()).refusal == (
            f"The exact law takes moves up to {LARGEST_MOVE:,}, not 101,000."
        )
    assert explain_view(ExplainInputs(guarantee="laplace", unit="days", group=10_000), Style()).refusal is None


def test_what_is_released_is_asked_by_its_field() -> None:
    assert next(field.options for field in FIELDS if field.name == "released") == RELEASED


def test_a_huge_group_reads_as_certainty_without_a_float_s_last_digits() -> None:
    for kind, group, reading in (("gaussian", 4883, "average"), ("pure", 717, "bound"), ("laplace", 717, "exact")):
        for style in VOICES:
            inputs = ExplainInputs(guarantee=kind, unit="days", group=group, reading=reading)
            view = explain_view(inputs, style)
            assert view.refusal is None
            assert not re.search(r"e-(?!100)[1-9][0-9]{2}", everything_said(view))
    noisy = Meaning(ExplainInputs(guarantee="gaussian", rho=3.0, unit="days", group=32, reading="average"), Style())
    assert noisy.here == (1.0, 0.0)
    assert noisy.evidence.loss is not None
    assert ExactPosterior(noisy.evidence.loss, prior=0.5).mean() == pytest.approx(1.0, abs=1e-15)


# ---- what a test of the secret finds ---------------------------------------------------------------------------------


def found_by_listing(losses: Any, mass: Any, false_alarm: float) -> float:
    """Largest detection at a rate of wrong accusations: outputs in the order of their loss, the last one split."""
    order = np.argsort(-losses)
    true, false = mass[order], mass[order] * np.exp(-losses[order])
    before = np.concatenate([[0.0], np.cumsum(false)])
    last = int(np.searchsorted(before, false_alarm)) - 1
    return float(true[:last].sum() + true[last] * (false_alarm - before[last]) / false[last])


@pytest.mark.parametrize("kind", ["geometric", "discrete_gaussian"])
@pytest.mark.parametrize(("released", "secret", "relation", "group", "moves"), MOVES)
def test_what_a_test_finds_is_that_of_the_release_listed_output_by_output(
    kind: str, released: str, secret: str, relation: str, group: int, moves: tuple[int, ...]
) -> None:
    chosen: dict[str, Any] = {"released": released, "secret": secret, "relation": relation, "unit": "records"}
    inputs = ExplainInputs(guarantee=kind, epsilon=0.6, rho=0.25, prior=0.2, group=group, false_alarm=0.07, **chosen)
    meaning, view = Meaning(inputs, Style()), explain_view(inputs, Style())
    losses, mass = listed(Geometric(epsilon=0.6) if kind == "geometric" else DiscreteGaussian(rho=0.25), moves)
    assert meaning.evidence.tests is not None
    found = found_by_listing(losses, mass, 0.07)
    assert meaning.evidence.tests.detection(0.07) == pytest.approx(found, rel=1e-9)
    assert meaning.evidence.most_telling.detection(0.07) >= found - 1e-12
    guess = float(np.maximum(0.2 * mass, 0.8 * mass * np.exp(-losses)).sum())
    assert meaning.evidence.tests.right_guess(prior=0.2) == pytest.approx(guess, rel=1e-9)
    assert view.trade_off is not None
    here, most = re.findall(r"\*\*([\d,]+) of ([\d,]+)\*\*", view.trade_off.reading)
    assert " in ".join(here) == frequency(found)  # exact for this noise: to the nearest
    shares = [int(number.replace(",", "")) / int(of.replace(",", "")) for number, of in (here, most)]
    assert shares[1] >= shares[0]
    assert f"**{belief_digits(guess)}** for this noise" in view.right_guess  # exact: to the nearest


def test_the_attacker_is_right_87_times_with_gaussian_noise_and_94_6_with_the_worst_of_any_kind() -> None:
    normal = NormalDist()
    noise = explain_view(ExplainInputs(guarantee="gaussian", rho=2.56), Style(voice="technical"))
    found = normal.cdf(normal.inv_cdf(0.05) + math.sqrt(5.12))
    assert noise.trade_off is not None
    assert f"**{found:.4f}**" in noise.trade_off.reading
    assert "p = ½, **0.8711** for this noise, ≤ **0.9463**." in noise.right_guess
    assert "any release with ρ = 2.56" in noise.right_guess
    value = explain_view(
        ExplainInputs(guarantee="zero_concentrated", rho=2.56, secret="value"), Style(voice="technical")
    )
    assert "≤ **0.9969**" in value.right_guess  # two steps; one of four times the ρ would give .99996


@pytest.mark.parametrize("style", VOICES, ids=("plain", "technical"))
@pytest.mark.parametrize("kind", GUARANTEES + MECHANISMS)
def test_the_picture_of_tests_names_the_secret_and_how_each_line_holds(kind: str, style: Style) -> None:
    for choices in PROMISES[1::3]:
        inputs = ExplainInputs(guarantee=kind, epsilon=0.2, delta=1e-8, rho=0.01, failure=0.05, prior=0.1, **choices)
        view, meaning = explain_view(inputs, style), Meaning(inputs, style)
        picture = view.trade_off
        assert picture is not None
        assert say("trade_off", style.voice, f"who_{meaning.promise.secret.value}") in picture.reading
        assert meaning.any_release in view.right_guess
        assert view.right_guess in view.computed
        assert meaning.words["secret"] in view.computed or not style.technical
        lines = {line.name: line.line.dash for line in picture.figure.data if line.mode == "lines"}
        assert lines[meaning.any_release] == "dash"
        assert ("this noise" in lines) == (kind in MECHANISMS)
        if kind in MECHANISMS:
            assert lines["this noise"] == "solid"
            assert meaning.evidence.tests is not None
            rates = np.linspace(0.001, 0.999, 50)
            bound, own = meaning.evidence.most_telling.detection(rates), meaning.evidence.tests.detection(rates)
            assert np.all(np.asarray(bound) >= np.asarray(own) - 1e-9)
        tight = "Some release allows that" in picture.reading or "Tight over all releases" in picture.reading
        sharp = meaning.promise.steps <= 8 or not isinstance(meaning.evidence.step, ZeroConcentratedDP)
        several = isinstance(meaning.evidence.step, ProbabilisticDP) and meaning.promise.steps > 1
        assert tight == (kind in GUARANTEES and sharp and not several)


@pytest.mark.parametrize("noise", ["geometric", "laplace", "gaussian", "discrete_gaussian"])
@pytest.mark.parametrize(
    ("secret", "relation"), [("presence", "add_or_remove"), ("value", "add_or_remove"), ("value", "replace")]
)
@pytest.mark.parametrize("group", [1, 3])
def test_any_release_is_bounded_from_the_budget_that_was_typed_and_never_from_one_count(
    noise: str, secret: str, relation: str, group: int
) -> None:
    """The difference of the two cells is a release with the typed budget: for a value it moves by two a record."""
    chosen: dict[str, Any] = {"secret": secret, "relation": relation, "unit": "records", "group": group}
    meaning = Meaning(ExplainInputs(guarantee=noise, epsilon=0.6, rho=0.1, prior=0.2, **chosen), Style())
    steps = group * (2 if (secret, relation) == ("value", "add_or_remove") else 1)
    assert meaning.evidence.mechanism is not None
    difference = PrivacyLoss.of(moved_together(meaning.evidence.mechanism, steps))  # type: ignore[arg-type]
    rates = np.linspace(0.001, 0.999, 50)
    assert np.all(
        meaning.evidence.most_telling.detection(rates) >= np.asarray(trade_off(difference).detection(rates)) - 1e-9
    )
    for prior in (0.2, 0.5):
        assert (
            meaning.evidence.most_telling.right_guess(prior=prior)
            >= trade_off(difference).right_guess(prior=prior) - 1e-9
        )
    failing = 0.0 if noise in ("geometric", "laplace") else 0.01
    assert meaning.bounds.epsilon_prime >= difference.loss_quantile(1 - failing) - 1e-9
    said = explain_view(meaning.inputs, Style())
    assert "any release as private as" in said.small_print
    assert f"{steps:,} steps" in said.right_guess or f"for each of {steps:,} changes" in said.right_guess or steps == 1


def test_the_most_of_any_release_about_a_value_is_that_of_two_sharp_steps() -> None:
    """One count .588, two cells of a table .624, the difference .673, and .7121 the most: 62 was said."""
    said = {}
    for released in ("count", "cells", "difference"):
        chosen = ExplainInputs(guarantee="gaussian", rho=0.1, secret="value", released=released)
        meaning = Meaning(chosen, Style())
        assert meaning.evidence.tests is not None
        said[released] = round(meaning.evidence.tests.right_guess(), 3)
        assert round(meaning.evidence.most_telling.right_guess(), 4) == 0.7121
        guess = explain_view(chosen, Style()).right_guess
        assert re.search(r"≤ \*\*0\.7121\*\* for any release with ρ = 0\.1 for each of 2 changes", guess)
    assert said == {"count": 0.588, "cells": 0.624, "difference": 0.673}


def test_the_marked_point_follows_the_rate_of_wrong_accusations() -> None:
    for rate in (0.05, 0.2, 1e-3):
        for log in (False, True):
            view = explain_view(ExplainInputs(epsilon=1.0, false_alarm=rate, log_accused=log), Style())
            assert view.trade_off is not None
            spot = next(line for line in view.trade_off.figure.data if line.mode == "markers")
            assert spot.x[0] == rate
            assert spot.y[0] == pytest.approx(math.e * rate)
            assert (view.trade_off.figure.layout.xaxis.type == "log") == log


def test_the_best_guess_from_a_belief_is_told_beside_what_is_right_without_a_release() -> None:
    view = explain_view(ExplainInputs(epsilon=1.0, prior=0.3), Style())
    right = max(
        0.7, 0.3 * math.e / (1 + math.e) + 0.7 * math.e / (1 + math.e)
    )  # randomised response, both kinds of test
    assert (
        f"p = 0.3, ≤ **{Upper(right, belief_digits).digits}** for any release with ε = 1, 0.7 without"
        in view.right_guess
    )


@pytest.mark.parametrize("kind", ["pure", "zero_concentrated"])
def test_no_finite_budget_is_said_to_make_certain_and_no_exponent_is_read_aloud(kind: str) -> None:
    chosen = ExplainInputs(guarantee=kind, epsilon=60.0, rho=40.0)
    plain, technical = (explain_view(chosen, Style(voice=voice)) for voice in ("plain", "technical"))
    assert plain.answer.startswith("**No useful limit: nearly 10,000 in 10,000**. Whoever")
    assert "nearly 10,000 in 10,000" in technical.answer
    assert re.search(r"odds ≤ × \d\.\d+e\d\d;", technical.computed)
    assert not re.search(r"\de-?\d", plain.answer + plain.icons_reading)


def test_a_published_budget_is_reported_in_its_symbols() -> None:
    entry = deployment("2020 Census redistricting data, persons")
    assert re.search(r"\b(eps|rho|delta)\b", entry.as_reported)
    chosen = ExplainInputs(guarantee="deployment", deployment=entry.name, secret="value")
    for voice in ("plain", "technical"):
        said = explain_view(chosen, Style(voice=voice)).small_print
        assert f"reported: {in_symbols(entry.as_reported)}" in said
        assert not re.search(r"\b(eps|rho)\b", said)


@pytest.mark.parametrize("style", VOICES, ids=["plain", "technical"])
@pytest.mark.parametrize("kind", ["approximate", "probabilistic"])
def test_a_promise_without_delta_holds_always(kind: str, style: Style) -> None:
    """(ε, 0)-privacy is ε-privacy: nothing fails, whatever δ′ was typed for another kind."""
    found, pure = (
        explain_view(ExplainInputs(guarantee=named, epsilon=1.0, delta=0.0, failure=0.3), style)
        for named in (kind, "pure")
    )
    assert found.answer == pure.answer
    assert found.small_print == pure.small_print
    assert found.readings == pure.readings
    assert "Failure probability 0" in found.computed
    assert "except" not in found.answer + found.small_print + found.icons_reading
    assert all(stated.promise.failure_probability == 0 for stated in found.stated)


def test_a_lower_bound_too_small_for_people_is_none_in_whatever_words(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"in": "{count} auf {of}", "fewer_than": "weniger als {share}"}
    monkeypatch.setattr("ui.words.phrasing.label", lambda page, name, **given: words[name].format(**given))
    assert frequency(0.00001, "down") == "weniger als 1 auf 10,000"
    assert in_people(10_000)(0.00001, "down") == "0 auf 10,000"
    assert in_people(10_000)(0.0034, "down") == "34 auf 10,000"


@pytest.mark.parametrize("style", VOICES, ids=["plain", "technical"])
@pytest.mark.parametrize(
    "chosen",
    [
        ExplainInputs(guarantee="geometric", reading="exact", prior=0.2),
        ExplainInputs(guarantee="laplace", reading="exact", epsilon=2.0),
        ExplainInputs(guarantee="randomised_response", categories=3, reading="exact", epsilon=2.0),
        ExplainInputs(guarantee="geometric", reading="every_view", released="cells", secret="value"),
    ],
)
def test_a_limit_at_the_largest_loss_never_fails_and_binds_who_knows_less(chosen: ExplainInputs, style: Style) -> None:
    view, meaning = explain_view(chosen, style), Meaning(chosen, style)
    loss = meaning.evidence.loss
    assert loss is not None
    for side in ("present", "absent"):  # the law itself: nothing lies beyond
        assert loss.exceedance(loss.largest, side=side, direction="either") == 0.0  # type: ignore[call-overload]
    assert float(logit(meaning.evidence.beliefs(chosen.reading, 0.5)[0])) == pytest.approx(loss.largest)
    assert "except for" not in view.answer + view.icons_reading
    assert view.readings is not None
    rows = {row[0]: row[3] for row in view.readings.rows}
    assert rows[
        "This mechanism, every view" if chosen.reading == "every_view" else "This mechanism exactly, raw output"
    ] == ("always")
    if chosen.reading == "exact":
        assert "can pass it more often" not in view.small_print
        assert ("cannot pass it, if" if style is VOICES[0] else "bounds every view") in view.small_print


@pytest.mark.parametrize("kind", ["geometric", "gaussian"])
def test_a_limit_below_the_largest_loss_keeps_its_exception(kind: str) -> None:
    chosen = ExplainInputs(guarantee=kind, epsilon=1.0, reading="exact", failure=0.6, released="cells", secret="value")
    view = explain_view(chosen, Style())
    assert "except for at most 60 in 100 releases" in view.answer
    assert "can pass it more often" in view.small_print
