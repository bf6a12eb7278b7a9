"""A mechanism known by its curve beside published budgets: its guess is that of its own page, or it is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore.guarantees import Relation
from dpcore.mechanisms import Curve, EstimatedCurve, Gaussian, KnownCurve, SubsampledGaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import trade_off
from ui.pictures.style import Style
from ui.views.deployments import DeploymentsInputs, deployments_view
from ui.views.deployments.view import Beside, mechanism_beside
from ui.views.explain import ExplainInputs, explain_view

TRAINING: dict[str, Any] = {"also": "subsampled_gaussian", "secret": "presence", "prior": 0.5}
GRID = np.linspace(0.0, 6.0, 301)
READ = KnownCurve(epsilons=tuple(GRID), deltas=tuple(PrivacyLoss.of(Gaussian(rho=0.02)).delta_at(GRID)))


def beside(own: Curve | None = None, **chosen: Any) -> Beside:
    found = mechanism_beside(DeploymentsInputs(**chosen), "plain", own)
    assert isinstance(found, Beside)
    return found


def test_training_is_guessed_as_its_whole_curve_says() -> None:
    by_curve = trade_off(SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=1000)).right_guess(prior=0.5)
    found = beside(**TRAINING)
    assert found.guess.value == pytest.approx(by_curve, rel=1e-12)
    assert 0.580 < found.guess.value < 0.581
    view = deployments_view(DeploymentsInputs(**TRAINING), Style())
    assert view.about_mechanism == (
        "**Noisy training (σ = 1, q = 0.01, 1,000 steps)**: presence is guessed right at most **59 in 100**, instead "
        "of **50 in 100**, for whatever is computed from it. One change: one unit added or removed."
    )
    rare = deployments_view(DeploymentsInputs(**TRAINING | {"prior": 0.2}), Style())
    assert "instead of **80 in 100**" in rare.about_mechanism, "whoever thinks it rare is right by saying no"
    assert view.guesses is not None
    assert "noisy training (σ = 1, q = 0.01, 1,000 steps)" in view.guesses.numbers.as_csv()


@pytest.mark.parametrize("secret", ["presence", "value"])
def test_a_guess_is_that_of_the_page_of_one_mechanism(secret: str) -> None:
    mechanism = {"steps": 200, "noise_multiplier": 0.8, "rate": 0.02}
    found = beside(also="subsampled_gaussian", secret=secret, prior=0.5, **mechanism)
    chosen = ExplainInputs(guarantee="subsampled_gaussian", secret=secret, prior=0.5, **mechanism)
    assert f"at most **{math.ceil(1000 * found.guess.value)} in 1,000**" in explain_view(chosen, Style()).right_guess


def test_a_value_takes_two_steps_under_records_added_and_an_answer_one() -> None:
    assert beside(READ, also="own_mechanism", secret="value").guess.promise.steps == 2
    assert beside(READ, also="own_mechanism", secret="presence").guess.promise.steps == 1
    assumed = deployments_view(DeploymentsInputs(also="exponential", secret="presence"), Style()).about_mechanism
    assert "One change: one unit added or removed (assumed)." in assumed
    assert "(assumed)" not in deployments_view(DeploymentsInputs(**TRAINING), Style()).about_mechanism
    answer = beside(also="shuffled_response", secret="value").guess.promise
    assert (answer.steps, answer.relation, answer.secret.value) == (1, Relation.REPLACE, "answer")


@pytest.mark.parametrize(
    ("chosen", "own", "said"),
    [
        ({"also": "own_mechanism"}, None, "A link holds no file: give the mechanism's."),
        ({"also": "shuffled_response", "secret": "presence"}, None, "hides a value, not who is in the data"),
        (
            {"also": "own_mechanism"},
            EstimatedCurve.of_draws([0.1, 0.2, 0.4]),
            "estimates: they stand beside no limit",
        ),
        ({}, READ, ""),
    ],
)
def test_what_cannot_stand_there_is_said_and_the_page_goes_on(
    chosen: dict[str, Any], own: Curve | None, said: str
) -> None:
    view = deployments_view(DeploymentsInputs(**chosen), Style(), own=own)
    assert said in view.about_mechanism
    assert bool(view.about_mechanism) == bool(said)
    assert view.guesses is not None
    assert view.answer == deployments_view(DeploymentsInputs(secret=chosen.get("secret", "value")), Style()).answer
