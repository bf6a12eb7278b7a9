"""A mechanism known by its curve on *What an ε means*: its whole curve beside its usual point; estimates; refusals."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.guarantees import Relation
from dpcore.mechanisms import EstimatedCurve, Gaussian, KnownCurve, SubsampledGaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.promise import Promise, Secret
from dpcore.tradeoff import trade_off, trade_off_of_secret, trade_off_over_steps
from riskline.answers.relatives import RelativesChoice
from tests.command_line import told
from tests.python_lines import run
from ui.pictures.style import Style
from ui.views.explain import ExplainInputs, explain_relatives, explain_view
from ui.views.explain.meaning import Meaning
from ui.words.quantities import number

TECHNICAL = Style(voice="technical")
TRAINING = ExplainInputs(guarantee="subsampled_gaussian")
OF_A_FILE = ExplainInputs(guarantee="own_mechanism")
GRID = np.linspace(0.0, 6.0, 601)
NOISE = KnownCurve(epsilons=tuple(GRID), deltas=tuple(PrivacyLoss.of(Gaussian(rho=0.1)).delta_at(GRID)))
"""What somebody may have read off Gaussian noise."""
DRAWN = EstimatedCurve.of_draws(np.random.default_rng(1).normal(0.1, math.sqrt(0.2), 20_000))
"""Losses of the same noise, drawn."""


def test_training_says_58_by_its_curve_and_86_by_its_usual_point() -> None:
    view = explain_view(TRAINING, Style())
    assert "right at most **581 in 1,000** on an even bet" in view.why  # .5805, rounded up
    assert "(ε = 1.829, δ = 1e-5), at most **862 in 1,000**" in view.why  # .8616
    assert view.trade_off is not None
    assert "finds at most **12 of 100**" in view.trade_off.reading
    assert "any release with ε = 1.829, δ = 1e-5: at most **32 of 100**" in view.trade_off.reading


def quantities(*arguments: str) -> dict[str, Any]:
    """What the command answers, by name."""
    found: dict[str, Any] = told("explain", *arguments, "--json").document["quantities"]
    return found


@pytest.mark.parametrize(
    "asked",
    [
        {"guarantee": "shuffled_response", "epsilon": 1.5, "people": 40, "prior": 0.07},
        {"guarantee": "shuffled_response", "epsilon": 0.4, "people": 3, "unit": "household", "group": 3},
        {"guarantee": "exponential", "epsilon": 0.8, "secret": "value"},
        {"guarantee": "exponential", "epsilon": 2.5, "prior": 0.6, "failure": 0.001},
        {"guarantee": "subsampled_gaussian", "steps": 50, "rate": 0.2},
    ],
)
def test_the_page_says_what_the_command_and_the_curve_say(asked: dict[str, Any]) -> None:
    meaning = Meaning(ExplainInputs(**asked), Style())
    view = explain_view(meaning.inputs, Style())
    found = quantities(*(word for name, value in asked.items() for word in (f"--{name.replace('_', '-')}", str(value))))
    assert meaning.told("bound", number(3)).value == found["posterior_if_true"]["value"]
    assert found["posterior_if_true"]["said"] in view.answer
    assert meaning.curve is not None
    assert view.python is not None
    curve = trade_off_over_steps(meaning.curve, steps=meaning.promise.steps)
    assert found["right_guess"]["value"] == curve.right_guess()
    # of all views the most telling is the rarest yes of the best test
    shift = math.log(meaning.inputs.failure / float(curve.false_alarm(meaning.inputs.failure)))
    assert meaning.bounds.epsilon_prime == pytest.approx(shift, rel=2e-3, abs=1e-6)
    assert run(view.python) == pytest.approx(found["posterior_if_true"]["value"], rel=1e-9)


def test_a_curve_of_a_file_answers_as_the_noise_it_was_read_of() -> None:
    for style in (Style(), TECHNICAL):
        view = explain_view(OF_A_FILE, style, NOISE)
        assert view.refusal is None
        assert "he mechanism of your file" in view.small_print
        assert view.python is None  # more points than somebody would read
    right = Meaning(OF_A_FILE, Style(), NOISE).guesses[0].value
    assert trade_off(Gaussian(rho=0.1)).right_guess() <= right < trade_off(Gaussian(rho=0.1)).right_guess() + 1e-5


def test_an_estimate_is_called_one_and_limits_nothing() -> None:
    assert DRAWN.is_estimate
    for style in (Style(), TECHNICAL):
        view = explain_view(OF_A_FILE, style, DRAWN)
        said = " ".join((view.answer, view.small_print, view.why, view.computed, *view.trade_off.reading.split()))  # type: ignore[union-attr]
        assert "simulat" in view.answer
        assert re.sub("except for at most|at most 1 in 100 releases", "", said).count("at most") == 0
        assert (view.stated, view.readings) == ((), None)
        assert [panel.caption for panel in view.panels] == ["about", "about"]
    assert float(Meaning(OF_A_FILE, Style(), DRAWN).guesses[0].value) == pytest.approx(
        trade_off(Gaussian(rho=0.1)).right_guess(), abs=0.01
    )


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"guarantee": "own_mechanism"}, "A link holds no file: give the mechanism's."),
        ({"secret": "value", "relation": "replace"}, "One change must be a record added or removed."),
        ({"relation": "replace"}, "Replacing a record does not hide who is in the data"),
        ({"noise_multiplier": 0.1, "rate": 1.0}, "δ′ 0.01 must exceed what counts as certain disclosure, 1."),
        ({"guarantee": "shuffled_response", "epsilon": 0.0}, "psilon must lie in (0, 20]"),
        ({"guarantee": "shuffled_response", "unit": "records", "group": 500}, "of a curve"),
    ],
)
def test_what_a_curve_cannot_answer_is_refused(asked: dict[str, Any], sentence: str) -> None:
    view = explain_view(ExplainInputs(**{"guarantee": "subsampled_gaussian"} | asked), Style())
    assert sentence in (view.refusal or "")


def test_nothing_of_one_noisy_count_is_offered() -> None:
    view = explain_view(TRAINING, Style())
    assert view.offered == ("bound",)
    assert [way.stem for way in view.ways] == ["exact_totals"]
    assert explain_relatives(TRAINING, RelativesChoice(), Style()).tables == ()
    assert TRAINING.trial(None) is None  # type: ignore[arg-type]
    assert found_code("--reading", "exact") == 2


def found_code(*arguments: str) -> int:
    """How the command ends about noisy training."""
    return told("explain", "--guarantee", "subsampled_gaussian", *arguments).code


def test_who_sees_more_is_said_where_the_curve_leaves_somebody_out() -> None:
    def small(kind: str) -> str:
        return explain_view(ExplainInputs(guarantee=kind), Style()).small_print

    assert "Whoever sees unshuffled answers can pass it." in small("shuffled_response")
    assert "unshuffled" not in small("subsampled_gaussian")


def test_a_curve_of_another_change_is_refused_by_code() -> None:
    replaced = Promise(secret=Secret.VALUE, relation=Relation.REPLACE)
    with pytest.raises(Refused, match="relation must be that of the guarantee"):
        trade_off_of_secret(SubsampledGaussian(noise_multiplier=1.0, rate=0.1), replaced)
    assert trade_off_of_secret(NOISE, replaced).right_guess() > 0.5  # of points nobody said which change they are of
