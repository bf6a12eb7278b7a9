"""Wang and Reiter (2021): the statements that are not one printed number."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.totals import (
    multinomial_mode,
    posterior_from_released_pair,
    released_totals,
    simulate_releases,
    summed_noise_log_pmf,
)
from riskline.record.works.wang_reiter import SCENARIOS, SMALL_COUNTS, SPREAD_COUNTS, simulated, table_3_posterior


def test_the_counts_meet_the_printed_features() -> None:
    assert len(SPREAD_COUNTS) == len(SMALL_COUNTS) == 50
    assert (sum(SPREAD_COUNTS), SPREAD_COUNTS[11], SPREAD_COUNTS[24], SPREAD_COUNTS[37]) == (21249, 60, 382, 736)
    assert (sum(SMALL_COUNTS), SMALL_COUNTS[11], SMALL_COUNTS[24], SMALL_COUNTS[37]) == (863, 2, 6, 11)


@pytest.mark.parametrize("scenario", [1, 3, 4])
def test_step_3_and_step_3_prime_release_the_same_total(scenario: int) -> None:
    # not a matter of chance: the summed law never falls by the smallest part's budget in one step
    _, total, part = SCENARIOS[scenario]
    falls = -np.diff(summed_noise_log_pmf(np.arange(400), epsilons=[part] * 50))
    assert (np.diff(falls) > -1e-9).all()
    assert falls.max() < part <= total
    drawn = simulated(scenario, "independent")
    sums = drawn.noisy_parts.sum(axis=1)
    assert (
        released_totals(drawn.noisy_totals, sums, epsilon_total=total, epsilon_parts=[part] * 50) == drawn.totals
    ).all()


def test_the_summed_total_is_a_switch_and_not_a_blend() -> None:
    noisy = np.arange(21_200, 21_300)
    followed = released_totals(noisy, np.full(100, 21_249), epsilon_total=0.1, epsilon_parts=[5.0] * 50)
    assert set(np.abs(followed - 21_249).tolist()) <= {0}
    wider = released_totals(noisy, np.full(100, 21_249), epsilon_total=0.5, epsilon_parts=[1.0] * 50)
    distance = int(np.abs(wider - 21_249).max())
    assert distance > 0
    assert (wider == np.clip(noisy, 21_249 - distance, 21_249 + distance)).all()


def test_table_3_is_asymmetric_because_a_tie_goes_to_the_first_index() -> None:
    assert multinomial_mode(607, [251, 357], ties="finucan_first_index") == [250, 357]
    assert multinomial_mode(607, [251, 357], ties="lowest_index") == [251, 356]
    first = table_3_posterior()
    other = posterior_from_released_pair([250, 357], epsilon_total=1, epsilon_parts=1, window=30, ties="lowest_index")
    assert first.probability([251, 356]) > 1.9 * first.probability([249, 358])
    assert other.probability([251, 356]) < first.probability([251, 356])


def test_the_mode_step_and_not_the_zeros_biases_the_largest_part() -> None:
    bias = {}
    for rule in ("multinomial mode", "Webster", "proportional share", "L2 + largest remainder"):
        drawn = simulate_releases(SMALL_COUNTS, epsilon_total=1, epsilon_parts=1, rule=rule, size=20_000, seed=3)
        bias[rule] = drawn.parts[:, -1].mean() - 435
    assert bias["multinomial mode"] == pytest.approx(2.63, abs=0.15)
    assert bias["Webster"] == pytest.approx(-1.07, abs=0.2)
    assert bias["proportional share"] == pytest.approx(-0.72, abs=0.15)
    assert bias["L2 + largest remainder"] == pytest.approx(-0.03, abs=0.06)
