"""A mechanism in a file on the command line: what its curve allows, beside its usual point, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from dpcore.guarantees import ApproximateDP
from dpcore.mechanisms import (
    EstimatedCurve,
    ExponentialMechanism,
    Gaussian,
    KnownCurve,
    ShuffledRandomizedResponse,
    SubsampledGaussian,
)
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import trade_off, trade_off_over_steps
from riskline.case.releases import LedgerRow
from tests.command_line import told
from ui.link.mechanism_file import OWN, holds_mechanism, read_choices, read_mechanism
from ui.pictures.style import Style
from ui.views.plan import PlanInputs
from ui.views.plan.accounts import Accounts

TRAINING = str(Path(__file__).with_name("noisy_training.csv"))


def written(folder: Path, text: str) -> str:
    """The path of a file with this text."""
    file = folder / "own.csv"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_training_says_58_by_its_curve_and_86_by_its_usual_point() -> None:
    found = told("tradeoff", TRAINING, "--json").document
    assert found["quantities"]["right_guess"]["value"] == pytest.approx(0.5805, abs=1e-4)
    assert found["quantities"]["right_guess_by_the_usual_point"]["value"] == pytest.approx(0.8616, abs=1e-4)
    assert found["link"] == "explain?guarantee=subsampled_gaussian"  # as the page begins: sigma 1, q .01, 1,000 steps
    page = told("tradeoff", "--link", found["link"], "--json").document
    assert page["quantities"] == found["quantities"]
    point = told("tradeoff", "--guarantee", "approximate", "--epsilon", "1.829", "--delta", "1e-5", "--json").document
    assert point["quantities"]["found"]["value"] == pytest.approx(
        found["quantities"]["found_by_the_usual_point"]["value"], rel=1e-12
    )
    text = " ".join(told("tradeoff", TRAINING).out.split())
    assert "right at most 581 in 1,000 on an even bet" in text  # rounded up
    assert "usual point (ε = 1.829, δ = 1e-5), at most 862 in 1,000" in text
    assert "sparse vector" in text


def test_a_belief_is_bounded_by_the_whole_curve(tmp_path: Path) -> None:
    noise, epsilons = Gaussian(rho=0.1), np.linspace(0.0, 4.0, 801)
    deltas = PrivacyLoss.of(noise).delta_at(epsilons)
    file = written(
        tmp_path,
        "epsilon,delta\n" + "\n".join(f"{e!r},{d!r}" for e, d in zip(epsilons.tolist(), deltas.tolist(), strict=True)),
    )
    found = told("explain", file, "--prior", "0.1", "--failure", "0.05", "--json").document["quantities"]
    shift = PrivacyLoss.of(noise).every_view_epsilon(0.05)
    assert shift <= found["epsilon_of_the_secret"]["value"] < shift + 1e-3
    odds = math.exp(found["epsilon_of_the_secret"]["value"]) / 9
    assert found["posterior_if_true"]["value"] == pytest.approx(odds / (1 + odds))
    assert found["right_guess"]["value"] == pytest.approx(trade_off(noise).right_guess(), abs=1e-5)


def test_a_value_is_two_steps_of_what_is_known(tmp_path: Path) -> None:
    file = written(tmp_path, "epsilon,delta\n0.5,0.001\n")
    found = told("tradeoff", file, "--secret", "value", "--json").document["quantities"]
    two = trade_off_over_steps(ApproximateDP(epsilon=0.5, delta=0.001), steps=2)
    assert found["right_guess"]["value"] == pytest.approx(two.right_guess(), rel=1e-9)
    assert found["found"]["value"] == pytest.approx(two.detection(0.05), rel=1e-9)
    one = told("explain", file, "--json").document["quantities"]["posterior_if_true"]["value"]
    assert (
        one < told("explain", file, "--secret", "value", "--json").document["quantities"]["posterior_if_true"]["value"]
    )


READ = [
    ("epsilon;delta\n1;0\n", KnownCurve(epsilons=(1.0,), deltas=(0.0,))),
    ("Missed,False alarms\n0.7,0.1\n", KnownCurve.of_trade_off(false_alarms=[0.1], missed=[0.7])),
    ("steps\trate\tnoise multiplier\n3\t0.5\t2\n", SubsampledGaussian(noise_multiplier=2.0, rate=0.5, steps=3)),
    ("people,epsilon\n90,1.5\n", ShuffledRandomizedResponse(epsilon=1.5, people=90)),
    ("loss_range\n0.4\n", ExponentialMechanism(epsilon=0.4)),
    (
        "loss,probability\n0.5,0.6\n-0.5,0.3\ninf,0.1\n",
        KnownCurve.of_losses([0.5, -0.5], [0.6, 0.3], infinity_mass=0.1),
    ),
    ("simulated_loss\n0.5\ninf\n-0.5\n", EstimatedCurve.of_draws([0.5, np.inf, -0.5])),
    (
        "simulated_loss,reverse\n0.5,0\n0.4,1\n-0.4,1\n",
        EstimatedCurve.of_draws([0.5], reverse=[0.4, -0.4]),
    ),
    (
        "loss,probability,reverse\n0.5,0.6,0\n-0.5,0.4,\n0.7,0.5,1\n-0.7,0.5,1\n",
        KnownCurve.of_losses([0.5, -0.5], [0.6, 0.4], reverse=([0.7, -0.7], [0.5, 0.5], 0.0)),
    ),
]


@pytest.mark.parametrize(("text", "mechanism"), READ)
def test_headings_say_what_is_known(text: str, mechanism: object) -> None:
    assert read_mechanism(text.encode()) == mechanism


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("epsilon,delta\n1,0.1\nx,0.2\n", "row 2: epsilon must be a number; got 'x'"),
        ("epsilon,delta\n1,0.1\n2,1.2\n", "deltas must lie in [0, 1] (row 2); got 1.2"),
        ("epsilon,delta\n1,inf\n", "row 1: delta must be finite; got 'inf'"),
        ("false_alarms,missed\n0.1,0.5\n0.2,0.6\n", "missed must never rise (row 2); got 0.6"),
        ("loss,probability\n-inf,0.5\n", "row 1: loss must be finite, or inf; got '-inf'"),
        ("loss,probability,reverse\n1,0.5,2\n", "row 1: reverse must be 0 or 1; got '2'"),
        ("loss,probability\n1,0.8\n2,0.8\n", "probabilities must add up to at most 1 with the infinite one; got 1.6"),
        ("noise_multiplier,rate,steps\n1,0.1,10\n1,0.1,10\n", "must hold at most 1 rows; got 2"),
        ("noise_multiplier,rate,steps\n1,0,10\n", "rate must lie in [1e-12, 1]; got 0.0"),
        ("noise_multiplier,rate,steps\n1_0,0.1,5\n", "row 1: noise_multiplier must be a number; got '1_0'"),
        ("noise_multiplier,rate\n1,0.1\n", "row 1: steps must be a number; got ''"),
        ("colour,taste\n1,2\n", "line 1 must name the columns (epsilon, delta); got 'colour, taste'"),
    ],
)
def test_what_no_mechanism_is_is_refused_by_row_and_rule(text: str, sentence: str, tmp_path: Path) -> None:
    found = told("explain", written(tmp_path, text))
    assert (found.code, found.out) == (2, "")
    assert sentence in found.complaint


def test_a_mechanism_is_chosen_from_the_list_up_to_the_largest_epsilon_of_the_page() -> None:
    for largest, guarantee in ((1.5, "shuffled_response"), (1.4, OWN)):
        chosen, own = read_choices(b"people,epsilon\n90,1.5\n", largest)
        assert (chosen["guarantee"], own is None) == (guarantee, guarantee != OWN)
    for others, held in ((["name", "epsilon"], True), (["epsilon", "delta"], False)):
        assert holds_mechanism(b"epsilon,delta", others) is held


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--steps", "2"), "The file sets steps; leave out --steps"),
        (("--reading", "exact"), "--reading: must be bound for a mechanism by its curve"),
        (("--case", TRAINING), "Give a file or a case, not both"),
    ],
)
def test_a_choice_beside_a_file_is_refused(options: tuple[str, ...], sentence: str) -> None:
    found = told("explain", TRAINING, *options)
    assert found.code == 2
    assert sentence in found.complaint


def test_a_plan_takes_a_mechanisms_file_beside_the_rows_of_its_link_and_a_file_of_rows_as_ever(tmp_path: Path) -> None:
    rows = "plan?rows=d~0.1~12~~Monthly&rounds=1"
    training = told("plan", TRAINING, "--link", rows, "--json").document
    assert training["link"] == "plan?also=subsampled_gaussian&" + rows.partition("?")[2]
    own = written(tmp_path, "epsilon,delta\n1,0\n0.2,0.3\n")
    beside = told("plan", own, "--link", rows, "--json").document["quantities"]
    inputs = PlanInputs(rows=(LedgerRow("Monthly", "discrete_gaussian", "0.1", "", "12"),), rounds=1, also=OWN)
    accounts = Accounts(inputs, Style(), own=read_mechanism(Path(own).read_bytes()))
    assert beside["shift_of_log_odds"]["value"] == pytest.approx(accounts.largest_shift(accounts.headline), rel=1e-9)
    alone = told("plan", "--link", rows, "--json").document["quantities"]
    assert beside["shift_of_log_odds"]["value"] > alone["shift_of_log_odds"]["value"]
    assert "give the mechanism's" in told("plan", "--also", OWN).complaint
