"""The view of an attack on one block: its numbers are dpcore's, both voices, every kind of noise, refusals."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore.attacks import block
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.populations import census_rho, read_counts
from dpcore.semantics import ExactPosterior
from ui.figures.look import Look
from ui.phrasing import frequency
from ui.views.block import Attack, BlockInputs, block_view, times_as_likely
from ui.views.table_choice import chosen_table, chosen_target

PLAIN, TECHNICAL = Look(), Look(voice="technical")
RHO = census_rho("block")


def attack(**chosen: object) -> Attack:
    inputs = BlockInputs(**chosen)
    table = chosen_table(inputs.table_choice)
    return Attack(inputs, table, chosen_target(table, inputs.table_choice), PLAIN)


def test_the_first_sentence_says_before_after_right_and_guessing() -> None:
    assert block_view(BlockInputs(), PLAIN).answer == (
        "Before: **50 in 100**. After this release: **57 in 100**. Over all releases an attacker is right "
        "**59 in 100** times; guessing: **50**."
    )


def test_the_default_release_is_the_two_that_the_source_reads() -> None:
    shown = attack()
    assert shown.drawn[0] == 2
    assert shown.after[0] == pytest.approx(0.5739, abs=5e-5)
    assert "0.5739" in block_view(BlockInputs(), TECHNICAL).answer


def test_one_seed_gives_one_picture_and_the_next_another() -> None:
    first, again, other = (block_view(BlockInputs(seed=seed), PLAIN) for seed in (3, 3, 4))
    assert first.release is not None
    assert again.release is not None
    assert other.release is not None
    assert first.release.figure.to_json() == again.release.figure.to_json()
    assert first.release.figure.to_json() != other.release.figure.to_json()


def test_the_first_of_a_hundred_is_the_release_shown_alone() -> None:
    alone, hundred = attack(seed=11), attack(seed=11, draws="hundred")
    assert (alone.drawn == hundred.drawn).all()
    view = block_view(BlockInputs(seed=11, draws="hundred"), PLAIN)
    hits = int((hundred.after > 0.5).sum())
    assert f"**{hits} of the 100**" in view.answer


def test_the_likelihood_ratio_on_the_picture_is_the_ratio_of_the_two_laws() -> None:
    for chosen in ({}, {"noise": "geometric"}, {"person": 1, "seed": 5}, {"hides": "answers"}):
        one = attack(**chosen)
        noisy, known = int(one.drawn[0]), one.target.known
        assert one.likelihood == pytest.approx(one.noise.pmf(noisy - known - 1) / one.noise.pmf(noisy - known))


def test_risk_picture_holds_bound_exact_and_average_in_order() -> None:
    risk = block_view(BlockInputs(), PLAIN).pictures[0]
    lines = {trace.name: np.asarray(trace.y, dtype=float) for trace in risk.figure.data if trace.name}
    assert (lines["bound on the average"] >= lines["average: exact"] - 1e-6).all()
    assert (lines["1 in 20 higher"] >= lines["1 in 20 lower"]).all()
    marked = [shape for shape in risk.figure.layout.shapes if shape.yref == "paper"]
    assert [shape.x0 for shape in marked] == [RHO]
    assert frequency(float(block.marginal_posterior(rho=RHO, prior=0.5))) in risk.reading


def test_a_right_call_jumps_where_the_threshold_moves() -> None:
    view = block_view(BlockInputs(prior=0.2), PLAIN)
    assert "0.462, 1.39" in view.pictures[1].reading
    trace = next(trace for trace in view.pictures[1].figure.data if trace.name == "people who are counted")
    x, y = np.asarray(trace.x, dtype=float), np.asarray(trace.y, dtype=float)
    at = int(np.searchsorted(x, math.log(4)))
    assert y[at + 1] - y[at - 1] > 0.6


def test_an_answer_hidden_halves_the_budget_of_one_count() -> None:
    assert attack(hides="answers").rate == pytest.approx(RHO / 2)
    assert attack(hides="answers", noise="geometric").rate == 0.25
    view = block_view(BlockInputs(hides="answers"), PLAIN)
    assert "half the budget" in view.sensitivity
    assert "nothing here is a claim about a real census table" in view.sensitivity


@pytest.mark.parametrize("noise", ["gaussian", "geometric"])
def test_repeats_multiply_to_the_last_belief(noise: str) -> None:
    view = block_view(BlockInputs(noise=noise, repeats=8), PLAIN)
    assert view.repeats is not None
    rows = view.repeats.table.rows
    assert len(rows) == 8
    product = math.prod(float(str(row[2])) for row in rows)
    assert 0.5 * product == pytest.approx(float(str(rows[-1][3])), rel=2e-3)
    mechanism = Geometric(epsilon=0.5) if noise == "geometric" else DiscreteGaussian(rho=RHO)
    mean = ExactPosterior(mechanism=mechanism, prior=0.5, releases=8).mean()
    assert float(str(rows[-1][4])) == pytest.approx(mean, abs=1e-5)


def test_missing_people_are_asked_about_with_gaussian_noise_only() -> None:
    view = block_view(BlockInputs(missing=3, missing_belief=0.2), PLAIN)
    assert view.missing is not None
    expected = block.missing_people_posterior(2, rho=RHO, prior=0.5, others=[0.2] * 3)
    assert frequency(expected) in view.missing.reading
    assert block_view(BlockInputs(noise="geometric"), PLAIN).missing is None


def test_the_question_changes_words_and_no_number() -> None:
    views = [
        block_view(BlockInputs(question=question), PLAIN)
        for question in ("characteristics", "answered", "truthful", "unknown_variable")
    ]
    assert len({view.answer for view in views}) == 1
    assert len({view.release.reading for view in views if view.release}) == 4


@pytest.mark.parametrize("look", [PLAIN, TECHNICAL, Look(dark=True, large=True)])
@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"draws": "hundred", "counted": False},
        {"noise": "geometric", "prior": 0.02},
        {"table": "synthetic", "scale": "risk", "prior": 1e-6},
        {"level": "own", "rho": 1e-5, "prior": 0.999},
        {"level": "own", "rho": 100.0, "prior": 0.999999},
        {"noise": "geometric", "epsilon": 50.0, "repeats": 12},
        {"table": "39-14", "missing": 30, "missing_belief": 1.0},
    ],
)
def test_every_picture_of_extreme_choices_is_valid_and_has_words_and_rows(
    look: Look, chosen: dict[str, object]
) -> None:
    view = block_view(BlockInputs(**chosen), look)
    assert view.refusal is None
    for picture in (view.release, *view.pictures, view.repeats, view.missing):
        if picture is None:
            continue
        go.Figure(picture.figure.to_plotly_json())  # Plotly's own check of every property
        assert picture.reading
        assert "**" not in picture.alt
        assert picture.table.rows
        assert len(picture.table.rows) <= 400


def test_a_person_who_is_not_there_is_refused_in_a_sentence() -> None:
    view = block_view(BlockInputs(person=99), PLAIN)
    assert view.refusal == "Person must be a cell with somebody in it; got 99."
    assert view.release is None


def test_labels_of_an_uploaded_table_stay_text() -> None:
    own = read_counts("block,<b>x</b>,=cmd\n<script>alert(1)</script>,1,2\n")
    view = block_view(BlockInputs(table="own", person=2), PLAIN, own)
    assert view.release is not None
    assert "=cmd" in view.release.reading
    assert "<script>" in view.release.reading  # escaped where it is shown, in ui/show.py


def test_a_ratio_reads_as_times() -> None:
    assert times_as_likely(1e-9) == "less than a millionth"
    assert times_as_likely(0.05) == "0.05 times"
