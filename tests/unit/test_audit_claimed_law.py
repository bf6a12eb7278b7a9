"""Whether noise has its claimed law: Pearson's test beside SciPy's, its cells, and what it does not ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from dpcore.audit import Alarms, ThresholdRule, joined_cells, law_test
from dpcore.errors import Code, Refused
from dpcore.guarantees import PureDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, NoiseMechanism

NOISES: list[NoiseMechanism] = [Geometric(epsilon=1.0), Geometric(epsilon=0.02), DiscreteGaussian(rho=0.05)]
NOISES += [Laplace(epsilon=0.5), Gaussian(rho=0.5)]


def counted(outputs: np.ndarray, edges: np.ndarray) -> np.ndarray:
    return np.bincount(np.searchsorted(edges, outputs), minlength=edges.size + 1)


@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_the_statistic_is_scipys_on_the_chances_of_the_cells(noise: NoiseMechanism) -> None:
    edges = joined_cells(noise, draws=500, centre=3.0)
    seen = counted(np.asarray(noise.simulate_noise(500, seed=2)) + 3, edges)
    chances = np.diff([0.0, *(float(noise.cdf(edge - 3.0)) for edge in edges), 1.0])
    expected = chisquare(seen, 500 * chances)
    found = law_test(noise, seen, edges=edges, centre=3.0)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.cells == edges.size + 1


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("draws", [30, 1000])
def test_every_joined_cell_expects_enough(noise: NoiseMechanism, draws: int) -> None:
    edges = joined_cells(noise, draws=draws)
    chances = np.diff([0.0, *(float(noise.cdf(edge)) for edge in edges), 1.0])
    assert (draws * chances > 5 - 1e-6).all()
    assert 1 <= edges.size <= 49
    assert edges.size >= 2


def test_noise_of_its_law_is_contradicted_about_as_often_as_the_level_says() -> None:
    noise = Geometric(epsilon=0.5)
    edges = joined_cells(noise, draws=200)
    outputs = np.asarray(noise.simulate_noise((1000, 200), seed=8))
    wrongly = np.mean([law_test(noise, counted(one, edges), edges=edges).p_value <= 0.05 for one in outputs])
    assert 0.03 < wrongly < 0.07
    other = np.asarray(Geometric(epsilon=0.8).simulate_noise((50, 200), seed=8))
    assert np.mean([law_test(noise, counted(one, edges), edges=edges).p_value <= 0.05 for one in other]) > 0.8


def test_a_private_release_with_other_noise_is_contradicted() -> None:
    """More noise than was said: the budget is kept, and the law is not."""
    claimed, used = Geometric(epsilon=1.0), Geometric(epsilon=0.5)
    edges = joined_cells(claimed, draws=400)
    outputs = np.asarray(used.simulate_noise((2, 400), seed=3))
    assert law_test(claimed, counted(outputs[0], edges), edges=edges).p_value < 0.001
    assert ThresholdRule(1).alarms(absent=outputs[0], present=outputs[1] + 1).p_value(PureDP(epsilon=1.0)) == 1.0


def test_noise_that_is_repeated_keeps_its_law_and_no_budget() -> None:
    """Two counts of one person with the same noise: each has its law, and their difference tells all."""
    noise = Geometric(epsilon=1.0)
    once = np.asarray(noise.simulate_noise(400, seed=6))
    edges = joined_cells(noise, draws=400)
    assert law_test(noise, counted(once, edges), edges=edges).p_value > 0.05
    told = Alarms(draws_absent=400, alarms_absent=0, draws_present=400, alarms_present=400)
    assert told == ThresholdRule(1).alarms(absent=once - once, present=(once + 1) - once)
    assert told.p_value(PureDP(epsilon=2.0)) < 1e-9


REFUSED: list[tuple[Callable[[], Any], str, Code]] = [
    (lambda: law_test(1.0, [10, 10], edges=[0]), "noise must be noise such as Geometric", Code.WRONG_TYPE),  # type: ignore[arg-type]
    (
        lambda: law_test(NOISES[0], [10, 10], edges=[0, 1]),
        r"counts must hold one number for each cell \(3\)",
        Code.WRONG_SHAPE,
    ),
    (lambda: law_test(NOISES[0], [10], edges=[]), "counts must hold one number for each cell", Code.WRONG_SHAPE),
    (lambda: law_test(NOISES[0], [10.5, 10], edges=[0]), "counts must be whole numbers; got 10.5", Code.NOT_WHOLE),
    (lambda: law_test(NOISES[0], [1e308, 1e308], edges=[0]), r"counts must lie in \[0, 1e\+15\]", Code.OUT_OF_RANGE),
    (lambda: law_test(NOISES[0], [9, 9, 9], edges=[1, 0]), "edges must be in increasing order", Code.WRONG_ORDER),
    (
        lambda: law_test(Geometric(epsilon=2.0), [1, 2, 9, 2, 0], edges=[-2, -1, 0, 1]),
        "counts must expect at least 5 draws in every cell; got ",
        Code.INFEASIBLE,
    ),
    (lambda: joined_cells(NOISES[0], draws=9), "draws must be a whole number of at least 10; got 9", Code.OUT_OF_RANGE),
    (
        lambda: joined_cells(Geometric(epsilon=9.0), draws=50),
        "draws must expect at least 5 in two cells",
        Code.INFEASIBLE,
    ),
]


@pytest.mark.parametrize(("call", "words", "code"), REFUSED)
def test_cells_that_cannot_be_judged_are_refused(call: Callable[[], Any], words: str, code: Code) -> None:
    with pytest.raises(Refused, match=words) as caught:
        call()
    assert caught.value.code is code
