"""What *Plan a publication* says about bounds of amounts: recomputed value by value, and kept once it is taken."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from dpcore.publication import ClippedMean
from riskline.case.tables import LARGEST, TableRow
from ui.pictures.style import Style
from ui.views.publication import (
    PRESETS,
    PublicationInputs,
)
from ui.views.publication.clipping import ClippingAdvice, clipped_rows, clipping_advice, made_up, upper_bounds
from ui.views.publication.shared import Shared
from ui.words.quantities import number

PLAIN, TECHNICAL = Style(), Style(voice="technical")
PAY = [0.0, 800.5, 1200, 1900, 2000, 2500, 2500, 3100, 4000, 30_000] * 30
TOTAL = TableRow("Pay", "total", wish="9000", low="0", high="3000")
COUNTS = TableRow("Staff", wish="9")
OWN: dict[str, Any] = {"noise": "gaussian", "start": "budget", "rho": 0.02, "amounts": "own"}


def advice(inputs: PublicationInputs, own: list[float] | None = None, style: Style = PLAIN) -> ClippingAdvice:
    found = clipping_advice(inputs, style, own)
    assert found is not None
    return found


def up(value: float) -> str:
    return number(3)(value, "up")


@pytest.mark.parametrize("rho", [0.02, 0.002])
def test_the_sentence_is_that_of_the_clipped_values_and_the_noise_of_the_bound(rho: float) -> None:
    """One row spends all of ρ: the noise has the deviation 3,000/√(2ρ); 90 of 300 values lie above 3,000.

    At ρ = 0.002 the smallest range and the smallest squared error have different bounds.
    """
    found = advice(PublicationInputs(tables=(TOTAL,), **OWN | {"rho": rho}), PAY)
    missed = math.fsum(max(value - 3000, 0) for value in PAY)
    noise = norm(scale=3000 / math.sqrt(2 * rho))
    assert "the bounds **0** and **3,000** change **30 in 100** people's amounts" in found.sentence
    assert f"the total is too low by **{number(2)(100 * missed / sum(PAY), 'nearest')} %**" in found.sentence
    assert f"noise is up to **± {up(noise.ppf(0.975))}**, at least 95 of 100 times" in found.sentence
    assert "Your amounts (300), median 2,000, largest 30,000" in found.small_print
    assert "as one area's" in found.small_print
    assert found.picture is not None
    numbers = found.picture.numbers
    for place, high in enumerate(numbers.column("bound").numbers):
        bias = math.fsum(max(value - high, 0) for value in PAY)
        law = norm(scale=high / math.sqrt(2 * rho))
        assert numbers.column("noise").numbers[place] == pytest.approx(law.ppf(0.975), rel=1e-9)
        cut = numbers.column("bias").numbers[place]
        assert cut == pytest.approx(bias, rel=1e-9) if bias else math.isnan(cut)
        together = numbers.column("together").numbers[place]
        assert law.cdf(together - bias) - law.cdf(-together - bias) == pytest.approx(0.95, abs=1e-9)
    best = int(np.argmin(numbers.column("together").numbers))
    bound, error = (numbers.column(key).numbers[best] for key in ("bound", "together"))
    assert numbers.column("best_bound").numbers.tolist() == [bound]
    assert numbers.column("best_error").numbers.tolist() == [error]
    assert numbers.column("today_bound").numbers.tolist() == [3000]
    now = numbers.column("today_error").numbers[0]
    assert now > error
    assert f"Smallest together at **{bound:,.0f}**: within **± {up(error)}**" in found.sentence
    assert f"instead of within **± {up(now)}**" in found.sentence


@pytest.mark.parametrize("choices", [{}, dict(PRESETS["school"]), dict(PRESETS["labour"])], ids=["days", "mean", "pay"])
@pytest.mark.parametrize("rule", ["meet_wishes", "same_budget", "least_weighted_error"])
def test_the_bound_that_is_taken_stays_the_best_and_no_other_row_pays_for_it(choices: Any, rule: str) -> None:
    before = PublicationInputs(**choices | {"rule": rule})
    found = advice(before)
    after = replace(before, tables=found.taken)
    at = clipped_rows(before.tables)[0] - 1
    assert found.place == at
    assert float(after.tables[at].high) == found.picture.numbers.column("best_bound").numbers[0]  # type: ignore[union-attr]
    assert [row for place, row in enumerate(after.tables) if place != at] == [
        row for place, row in enumerate(before.tables) if place != at
    ]
    assert bool(after.tables[at].share) == (rule != "same_budget")
    assert ("keep its share" in found.take) == (rule != "same_budget")
    budgets = [Shared(inputs, PLAIN).allocation.budgets for inputs in (before, after)]
    assert budgets[1] == pytest.approx(budgets[0], rel=2e-3)
    again = advice(after)
    assert again.taken == ()
    assert again.take == ""
    assert "no bound tried is noticeably better" in again.sentence


def test_a_share_that_is_kept_by_hand_stays_as_it_was_typed() -> None:
    rows = (COUNTS, replace(TOTAL, share="1/3"))
    found = advice(PublicationInputs(tables=rows, **OWN), PAY)
    assert found.taken[1] == replace(rows[1], high=found.taken[1].high)
    assert found.take.startswith("Take ")
    assert "share" not in found.take


def test_a_typical_total_and_the_people_of_a_mean_say_for_how_many_the_amounts_stand() -> None:
    total = replace(TOTAL, typical=f"{4 * sum(PAY):.0f}")
    few, many = (advice(PublicationInputs(tables=(row,), **OWN), PAY).picture for row in (TOTAL, total))
    assert few is not None
    assert many is not None
    for key, factor in (("bias", 4), ("noise", 1)):
        shares = many.numbers.column(key).numbers / few.numbers.column(key).numbers
        assert shares[~np.isnan(shares)] == pytest.approx(factor, rel=1e-9)
    found = advice(PublicationInputs(tables=(total,), **OWN), PAY)
    assert "as about 1,200 people with a total of 5,760,060" in found.small_print.replace("**", "")
    mean = TableRow("Pay", "mean", wish="5", low="0", high="3000", people="250")
    inputs = PublicationInputs(tables=(mean,), **OWN | {"secret": "value", "relation": "replace"})
    told = advice(inputs, PAY)
    assert "the mean is too low by" in told.sentence
    assert "as 250 people" in told.small_print
    row = ClippedMean(low=0, high=3000, people=250, noise="gaussian")
    assert f"**± {up(row.noise_of_number(0.02, 'replace').half_width(0.95))}**" in told.sentence


def test_a_household_needs_the_noise_of_all_its_records() -> None:
    one = PublicationInputs(tables=(TOTAL,), **OWN)
    three = replace(one, unit="household", group=3)
    alone, together = (advice(inputs, PAY).picture for inputs in (one, three))
    assert alone is not None
    assert together is not None
    widths = [picture.numbers.column("noise").numbers for picture in (alone, together)]
    assert widths[1] == pytest.approx(3 * widths[0], rel=1e-9)


def test_amounts_that_are_raised_make_a_total_too_high() -> None:
    rows = (TableRow("Pay", "total", wish="9", low="3000", high="40000"),)
    said = advice(PublicationInputs(tables=rows, **OWN), PAY).sentence
    raised = math.fsum(max(3000 - value, 0) for value in PAY)
    assert f"the total is too high by **{number(2)(100 * raised / sum(PAY), 'nearest')} %**" in said
    assert "the bounds **3,000** and **40,000** change **70 in 100** people's amounts" in said
    zero = (TableRow("Change", "total", wish="9", low="-1", high="9"),)
    assert "the total is too high by **1**" in advice(PublicationInputs(tables=zero, **OWN), [-2.0, 2.0]).sentence


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_made_up_amounts_are_said_to_be_and_own_ones_waited_for(style: Style) -> None:
    word = "made-up" if style is PLAIN else "synthetic"
    for kind in ("days", "earnings", "scores", "hours"):
        found = advice(PublicationInputs(tables=(TOTAL,), amounts=kind), style=style)
        assert found.small_print.startswith(f"{made_up(kind).size:,} {word} amounts")
        assert "budget" in found.caution
    waiting = advice(PublicationInputs(tables=(TOTAL,), amounts="own"), style=style)
    assert waiting.sentence.startswith("Bring ")
    assert waiting.picture is None
    ignored = advice(PublicationInputs(tables=(TOTAL,)), PAY, style=style)
    assert ignored.small_print.startswith(f"5,000 {word} amounts")


def test_a_publication_of_counts_alone_or_without_a_budget_has_no_bounds_to_advise_on() -> None:
    assert clipped_rows((COUNTS, TOTAL, replace(TOTAL, kind="mean"))) == (2, 3)
    assert clipping_advice(PublicationInputs(tables=(COUNTS,)), PLAIN) is None
    assert clipping_advice(PublicationInputs(tables=(TOTAL,), line="constant", ratio=1.0), PLAIN) is None
    second = PublicationInputs(tables=(COUNTS, TOTAL, replace(TOTAL, name="Rent", high="700")), clipped=3, **OWN)
    assert advice(second, PAY).sentence.startswith("Rent: the bounds **0** and **700** change")
    assert advice(replace(second, clipped=1), PAY).sentence.startswith("Pay: ")


@pytest.mark.parametrize(
    ("choices", "own", "words"),
    [
        ({"noise": "discrete_gaussian"}, PAY, "needs whole amounts; value 2 is 800.5"),
        ({}, [-3.0, 0.0], "Some amount must exceed the lower bound (0); the largest is 0"),
        ({"tables": (replace(TOTAL, high="much"),)}, PAY, "Row 1 (Pay): amounts to must be a number; got 'much'"),
    ],
)
def test_amounts_that_give_no_advice_are_told(choices: Any, own: list[float], words: str) -> None:
    found = advice(PublicationInputs(**{"tables": (TOTAL,)} | OWN | choices), own)
    assert found.refusal is not None
    assert words in found.refusal


def test_upper_bounds_are_round_steps_above_the_lower_one_past_the_largest_amount() -> None:
    tried = upper_bounds(np.array([-50.0, 3.0, 20.0]), low=-50, high=20, whole=True)
    assert tried[:3] == [-49, -48, -47]
    assert tried[-6:] == [10, 20, 30, 40, 50, 70]
    assert all(bound == math.floor(bound) for bound in tried)
    fine = upper_bounds(np.array([0.1, 0.4, 0.7]), low=0.1, high=1.0, whole=False)
    assert {0.11, 0.3, 0.7, 1.0} <= set(fine)
    assert fine[-3:] == [1.0, 1.1, 1.3]
    assert max(upper_bounds(np.array([LARGEST]), low=0, high=1, whole=True)) == 2 * LARGEST


def test_one_huge_amount_leaves_bounds_to_try_among_the_others() -> None:
    tried = upper_bounds(np.array([2000.0] * 99 + [3e7]), low=0, high=3000, whole=False)
    assert {1000, 2000, 3000, 30_000_000} <= set(tried)
    assert len(tried) <= 40
    extreme = upper_bounds(np.array([1e-9, 1e9]), low=0, high=1, whole=False)
    assert len(extreme) <= 40
    assert extreme[-1] >= 1e9
