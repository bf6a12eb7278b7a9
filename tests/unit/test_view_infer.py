"""The view of learning from a noisy release: its claims are those of dpcore, in both voices; refusals are words."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore.adjustment import count_posterior
from dpcore.inference import ConjugatePrior, NoisyMoments, posterior
from dpcore.inference.coverage import coverage_table
from riskline.case.value import EXAMPLE, Case
from tests.noisy_folders import release, written, zipped
from tests.python_lines import run as run_lines
from ui.pictures.style import Style
from ui.views.infer import FIELDS, InferInputs, infer_view, learned
from ui.views.infer import view as shown
from ui.views.infer.learned import drawn_release, outwards
from ui.views.infer.view import COMMAND, regression_draws
from ui.views.publish.held import Held, example, read_upload
from ui.views.shared.typed_table import read_values

PLAIN, TECHNICAL = Style(), Style(voice="technical")
RELEASE = NoisyMoments(
    n=43, mean=34.3027, variance=2224.8, epsilon_mean=0.25, epsilon_variance=0.25, lower=0, upper=100
)
EXPERT = ConjugatePrior(12.5, 1, 3.8**2, 1)


def test_the_first_sentence_gives_the_interval_with_and_without_the_bounds() -> None:
    view = infer_view(InferInputs(), PLAIN)
    assert view.answer == (
        "Given the belief before the release, the mean lies between **5** and **45**, "
        "except with a probability of 5 in 100."
    )
    assert view.main is not None
    assert "**5** to **45** with the bounds, **4** to **48** without" in view.main.reading
    technical = infer_view(InferInputs(), TECHNICAL).answer
    for number in ("**5**", "**45**", "**4** to **48**"):
        assert number in technical


def test_the_intervals_are_those_of_the_core_rounded_outwards() -> None:
    for constrained in (True, False):
        low, high = posterior(RELEASE, EXPERT, constrained=constrained).mean.shortest_interval(0.95)
        told_low, told_high = outwards(low, high)
        assert float(told_low) <= low
        assert float(told_high) >= high
        view = infer_view(InferInputs(), PLAIN)
        assert view.main is not None
        told = f"**{told_low}** to **{told_high}** {'with the bounds' if constrained else 'without'}"
        assert told in view.main.reading


def test_a_flat_prior_wastes_more_than_half_its_belief_on_the_impossible() -> None:
    view = infer_view(InferInputs(prior="flat"), PLAIN)
    assert "Without the bounds, **61 in 100** of the belief falls on impossible values" in view.spread.reading


def test_an_improper_prior_is_refused_with_its_theorem() -> None:
    for chosen in (InferInputs(prior="usual"), InferInputs(prior="power", power=1.2), InferInputs(spread_weight=0)):
        for style in (PLAIN, TECHNICAL):
            refusal = infer_view(chosen, style).refusal
            assert refusal is not None
            assert "Theorem 17" in refusal
    assert infer_view(InferInputs(prior="power", power=0.8), PLAIN).refusal is None


def test_a_power_too_near_1_is_refused_by_the_name_of_its_control() -> None:
    (control,) = (field.named for field in FIELDS if field.name == "power")
    told = "farther below 1, as too much of the posterior would lie next to a variance of 0; got 0.99."
    assert infer_view(InferInputs(prior="power", power=0.99), PLAIN).refusal == f"{control} must be {told}"


def test_without_the_bounds_three_values_say_nothing_and_the_page_says_so() -> None:
    view = infer_view(InferInputs(n=3, prior="flat"), PLAIN)
    assert view.main is not None
    assert "no answer without" in view.main.reading
    assert view.spread is not None
    assert "impossible" not in view.spread.reading
    assert any("Theorem 18" in note for note in view.notes)


def test_moments_that_do_not_exist_are_warned_about() -> None:
    assert any("does not exist" in note for note in infer_view(InferInputs(n=6, prior="flat"), PLAIN).notes)


def test_bounds_the_wrong_way_round_are_refused_by_name() -> None:
    refusal = infer_view(InferInputs(lower=5, upper=1), PLAIN).refusal
    assert refusal == "The upper bound must be greater than lower = 5; got 1."


def test_a_prior_beyond_any_digit_is_refused() -> None:
    view = infer_view(InferInputs(guess=-5e8, guess_weight=10_000, epsilon_mean=99.0), PLAIN)
    assert view.refusal is not None
    assert "Prior must leave the release and the bounds possible" in view.refusal


def test_numbers_that_fail_their_own_check_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "TRUSTED", 0.0)
    chosen = InferInputs(n=41, lower=0, upper=1, mean=0.3, variance=0.1, prior="flat")
    assert "published numbers contradict the bounds" in (infer_view(chosen, PLAIN).refusal or "")


def test_a_release_that_contradicts_itself_is_answered() -> None:
    chosen = InferInputs(
        n=200, lower=0, upper=1, mean=0.0, variance=0.5, epsilon_mean=3, epsilon_variance=4, prior="flat"
    )
    assert infer_view(chosen, PLAIN).refusal is None


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("n", "1", "Number of values must be a whole number from 2"),
        ("epsilon_mean", "0", "ε of the mean must be from 1e-15 to 1,000"),
        ("epsilon_mean", "5e-324", "ε of the mean must be from 1e-15 to 1,000"),
        ("epsilon_variance", "-1", "ε of the variance must be from 1e-15 to 1,000"),
        ("mean", "nan", "Published mean must be a finite number"),
        ("variance", "1/0", "must not divide by zero"),
        ("rate", "0", "Variance: rate must be from 1e-15 to 10,000"),
        ("epsilon_each", "0", "ε of each sum must be from 1e-15 to 1,000"),
    ],
)
def test_a_number_that_cannot_be_used_gets_a_sentence(name: str, text: str, words: str) -> None:
    field = next(field for field in FIELDS if field.name == name)
    with pytest.raises(ValueError) as caught:
        field.decode(text)
    assert words in str(caught.value).replace("“", "").replace("”", "")


def test_noise_may_push_the_release_out_of_the_possible_range() -> None:
    for chosen in (InferInputs(variance=-500.0), InferInputs(variance=9999.0), InferInputs(mean=-40.0)):
        view = infer_view(chosen, PLAIN)
        assert view.refusal is None
        assert view.main is not None


def test_a_heavier_guess_moves_the_answer_towards_itself() -> None:
    def middle(weight: float, guess: float) -> float:
        answer = infer_view(InferInputs(guess_weight=weight, guess=guess), PLAIN).answer
        return sum(float(end) for end in re.findall(r"\*\*(\d+)\*\*", answer)) / 2

    assert middle(30, 12.5) < middle(1, 12.5)
    assert middle(30, 80) > middle(1, 80) > middle(1, 12.5)


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many draws as agree with each other: what is said of them does not ask for more."""
    for name, size in (("CHAINS", 60), ("DRAWS", 100), ("WARM_UP", 60)):
        monkeypatch.setattr(shown, name, size)


@pytest.mark.usefixtures("few_draws")
def test_regression_waits_until_it_is_asked_for_and_then_says_what_is_left() -> None:
    inputs = InferInputs(part="regression")
    waiting = infer_view(inputs, PLAIN)
    assert "Compute" in waiting.answer
    steps: list[tuple[int, int]] = []
    draws = regression_draws(inputs, lambda done, total: steps.append((done, total)))
    assert not isinstance(draws, str)
    assert steps[-1][0] == steps[-1][1] == len(steps)
    view = infer_view(inputs, PLAIN, draws)
    low, high = np.quantile(draws.slope, [0.025, 0.975])
    assert f"{math.floor(100 * low) / 100:.2f} to {math.ceil(100 * high) / 100:.2f}" in view.answer
    assert view.main is not None
    assert "Without noise the line rises by **0.54 to 1.04**" in view.main.reading
    assert view.table is not None
    assert len(view.table.rows) == 5
    assert view.notes  # the released sums of this seed are not those of any 46 pairs
    assert regression_draws(replace(inputs, shape=0.0)) == "shape must be greater than 0 and finite; got 0.0"


@pytest.mark.usefixtures("few_draws")
def test_draws_that_are_no_posterior_are_refused_in_words() -> None:
    """Sums typed by a reader that leave no possible line, or that no chain can follow, once ended the page."""
    inputs = InferInputs(
        part="regression", sums="own", points=5, sum_yy=-1e9, intercept_guess=-1000, slope_guess=-1000, shape=1e-15
    )
    told = regression_draws(inputs)
    assert isinstance(told, str)
    assert "prior must leave at least 0.01 of its lines possible" in told
    view = infer_view(inputs, PLAIN, told)
    assert view.refusal == f"{told[0].upper()}{told[1:]}."
    assert view.main is None


def test_own_sums_have_no_truth_beside_them() -> None:
    view = infer_view(InferInputs(part="regression", sums="own"), TECHNICAL)
    assert {row[2] for row in view.table.rows} == {"–"}  # type: ignore[union-attr]


@pytest.mark.parametrize("measure", ["coverage", "length"])
def test_the_study_shows_its_committed_table_and_the_command_that_makes_it(measure: str) -> None:
    view = infer_view(InferInputs(part="coverage", measure=measure), PLAIN)
    assert "**0.79** times as long as the range" in view.answer
    assert "62 in 100" in view.answer
    assert view.command == COMMAND
    assert view.main is not None
    assert len(view.main.table.rows) == 21
    first = coverage_table()[0]
    assert view.main.table.rows[0][1] == f"{first.constrained.coverage:.3f}"


@pytest.mark.parametrize("part", ["moments", "regression", "coverage"])
@pytest.mark.parametrize("style", [PLAIN, TECHNICAL, Style(dark=True, large=True)], ids=["plain", "technical", "large"])
def test_every_part_is_complete_in_both_voices(part: str, style: Style) -> None:
    view = infer_view(InferInputs(part=part), style)
    assert view.answer
    assert view.small_print
    assert view.computed
    assert view.main is not None


@pytest.mark.parametrize(
    ("changed", "what", "exponent"),
    [
        ({"mean": 1e9}, "mean", 1e7 * 43 * 0.25 - 43 * 0.25 + math.log(2)),  # noise scale 100/(43 * 0.25)
        ({"mean": -300.0}, "mean", 3 * 43 * 0.25 + math.log(2)),
        ({"variance": 1e6}, "variance", (100 - 43 / (4 * 42)) * 43 * 0.25 + math.log(2)),
        ({"variance": -1e5}, "variance", 10 * 43 * 0.25 + math.log(2)),
    ],
)
def test_a_number_that_noise_hardly_explains_is_asked_about_first(changed, what: str, exponent: float) -> None:
    zeros = f"{math.floor(exponent / math.log(10)):,}"
    inputs = replace(InferInputs(), **changed)
    plain, technical = infer_view(inputs, PLAIN).answer, infer_view(inputs, TECHNICAL).answer
    assert plain.startswith(f"Is the published {what} of **")
    assert "a typing error?" in plain
    assert "Noise practically never reaches it" in plain
    assert f"**10^(−{zeros})**" in technical
    assert "Given the belief before the release, the mean lies between" in plain


def test_a_release_a_little_outside_is_analysed_without_a_question() -> None:
    for changed in ({"mean": -40.0}, {"mean": 250.0}, {"variance": -500.0}, {"variance": 9999.0}):
        assert infer_view(replace(InferInputs(), **changed), PLAIN).answer.startswith(
            "Given the belief before the release, the mean lies between"
        )


def test_the_chance_of_the_noise_is_the_simulated_one() -> None:
    release = NoisyMoments(n=20, mean=1.15, variance=-0.1, epsilon_mean=1.0, epsilon_variance=1.0)
    noise = np.random.default_rng(3).laplace(0, 1 / 20, 400_000)
    assert math.exp(release.log_chance_of_mean) == pytest.approx((noise >= 0.15).mean(), rel=0.05)
    assert math.exp(release.log_chance_of_variance) == pytest.approx((noise <= -0.1).mean(), rel=0.05)
    too_large = NoisyMoments(n=20, mean=0.5, variance=20 / 76 + 0.1, epsilon_mean=1.0, epsilon_variance=1.0)
    assert math.exp(too_large.log_chance_of_variance) == pytest.approx((noise >= 0.1).mean(), rel=0.05)
    assert too_large.log_chance_of_mean == 0.0


def test_bounds_whose_squares_no_number_holds_are_refused() -> None:
    told = infer_view(InferInputs(lower=0.0, upper=1e-300), PLAIN).refusal
    assert told == "The upper bound must lie from 1e-100 to 1e+100 above lower = 0; got 1e-300."


def test_what_no_number_holds_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def beyond(*_: object) -> None:
        raise OverflowError("math range error")

    monkeypatch.setattr(learned, "_posterior", beyond)
    assert "cannot be computed" in (infer_view(InferInputs(), PLAIN).refusal or "")


def test_the_small_print_says_what_the_budgets_count() -> None:
    for inputs in (InferInputs(), InferInputs(part="regression")):
        assert "replaced by any other" in infer_view(inputs, PLAIN).small_print
        assert "replacement of one" in infer_view(inputs, TECHNICAL).small_print


@pytest.mark.parametrize("power", [0.5, 0.0, -1.0])
def test_a_power_of_the_variance_is_told_to_experts(power: float) -> None:
    assert f"σ^(−2a), a = {power:g}" in infer_view(InferInputs(prior="power", power=power), PLAIN).computed


def test_all_that_a_part_publishes_is_what_it_tries() -> None:
    """Two moments as typed, two of the study alike, five sums."""
    typed = InferInputs(epsilon_mean=0.25, epsilon_variance=0.5)
    assert typed.epsilon == 0.75
    assert InferInputs(part="coverage", study_epsilon="1").epsilon == 2.0
    assert InferInputs(part="regression", epsilon_each=0.2).budget == (1.0, "epsilon")
    assert InferInputs(part="regression", currency="rho", rho_sums=0.2).budget == (0.2, "rho")
    assert InferInputs(currency="rho", rho_mean=0.25, rho_variance=0.5).budget == (0.75, "rho")
    assert InferInputs(part="coverage", currency="rho").budget == (0.2, "epsilon")


@pytest.mark.parametrize("prior", ["conjugate", "flat", "power"])
def test_mean_and_variance_follow_the_currency_of_their_noise(prior: str) -> None:
    """43 values in a range of 100 under ρ of 0.02: σ = 100/(43 √0.04) = 11.6 of the mean; nothing speaks of an ε."""
    inputs = InferInputs(currency="rho", prior=prior)
    assert inputs.release.std == pytest.approx((100 / 43 / 0.2, 10_000 / 43 / 0.2))
    low, high = posterior(inputs.release, inputs.chosen_prior).mean.shortest_interval(0.95)
    for style in (PLAIN, TECHNICAL):
        view = infer_view(inputs, style)
        assert view.refusal is None
        told = " ".join((view.answer, view.small_print, view.computed, view.main.reading, view.spread.reading))
        assert "ε" not in told
        assert "Laplace" not in told
        assert "ρ" in view.small_print
        assert all(f"**{end}**" in view.main.reading for end in outwards(low, high))
        np.testing.assert_allclose(run_lines(view.python), (low, high))
        assert "rho_mean=0.02, rho_variance=0.02" in view.python.text
        assert "sd 11.6 and 1,160 at ρ₁ = 0.02, ρ₂ = 0.02" in view.computed
    assert "Gaussian noise (ours), zCDP with ρ = 0.04 in all; n public, ρ under replacement" in view.small_print
    assert "Laplace noise; n public, ε under" in infer_view(InferInputs(prior=prior), TECHNICAL).small_print


def test_noise_that_no_possible_variance_reaches_is_asked_about_under_its_own_law() -> None:
    """σ of the variance is 1,163; 40,000 below 0 is 34 of them, whose normal tail lies between e^-603 and e^-589."""
    said = infer_view(InferInputs(currency="rho", variance=-40_000.0), TECHNICAL).answer
    assert "10^(−258)" in said
    assert "Is S* = **-40,000** a typing error?" in said


@pytest.mark.usefixtures("few_draws")
def test_a_line_follows_the_currency_of_its_sums() -> None:
    """Five sums of points of the unit square move by √5 together, so σ = √(5/(2ρ)); nothing speaks of an ε."""
    for sums in ("cirrhosis", "own"):
        inputs = InferInputs(part="regression", currency="rho", rho_sums=0.1, sums=sums)
        draws = regression_draws(inputs)
        assert not isinstance(draws, str)
        assert inputs.noisy_sums.std.tolist() == pytest.approx([5.0] * 5)
        for style in (PLAIN, TECHNICAL):
            for made in (None, draws):
                view = infer_view(inputs, style, made)
                said = f"{view.answer} {view.small_print} {view.main.reading} {view.main.alt}"
                assert "ρ = 0.1" in view.small_print
                assert "ε" not in said
                assert "Laplace" not in said
    found = run_lines(infer_view(inputs, PLAIN, draws).python)
    np.testing.assert_allclose(found, np.quantile(draws.slope, [0.025, 0.975]))
    waiting = infer_view(InferInputs(part="regression", currency="rho", rho_sums=0.1), TECHNICAL)
    assert "noise sd **5** each (√(5/(2ρ)))" in waiting.main.reading
    assert "Gaussian noise (ours: L2 sensitivity √5), ρ-zCDP with ρ = 0.1 in all, under" in waiting.small_print


def test_an_interval_says_nothing_only_where_it_is_longer_than_the_range() -> None:
    for style, words in (
        (PLAIN, "**6.24** times as long as the range without the bounds, which says nothing"),
        (TECHNICAL, "longer than the range"),
    ):
        wide, narrow = (
            infer_view(InferInputs(part="coverage", measure="length", **choices), style).main
            for choices in ({"study_epsilon": "0.1"}, {"study_epsilon": "1", "population": "middle"})
        )
        assert wide is not None
        assert narrow is not None
        assert words in wide.reading
        assert "nothing" not in narrow.reading
        assert "longer than" not in narrow.reading
        assert "0.86" in narrow.reading


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL])
@pytest.mark.parametrize("sums", ["cirrhosis", "own"])
def test_before_the_lines_are_drawn_no_share_of_them_is_told(style: Style, sums: str) -> None:
    computed = infer_view(InferInputs(part="regression", sums=sums), style).computed
    assert "of 20,000" in computed
    assert "those are kept that meet" in computed
    assert "–" not in computed.replace("–x", "")


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({}, False),
        ({"epsilon_mean": 1.0}, False),
        ({"n": 100}, True),
        ({"mean": 40.0}, True),
        ({"upper": 90.0, "guess": 13.0}, True),
        ({"mean": 40.0, "prior": "flat"}, False),
    ],
)
def test_the_belief_of_the_example_is_not_held_against_other_values_unnoticed(
    choices: dict[str, Any], told: bool
) -> None:
    for style, words in (
        (PLAIN, "Still from the example"),
        (TECHNICAL, "Prior still that of the example"),
    ):
        notes = infer_view(replace(InferInputs(), **choices), style).notes
        assert any(words in note for note in notes) == told


@pytest.mark.parametrize(
    ("content", "values"),
    [(b"lead\n12.5\n8\n\n-3e1\n", [12.5, 8.0, -30.0]), (b'\xef\xbb\xbf"1"\r\n"2.25"\r\n', [1.0, 2.25])],
)
def test_values_are_read_one_a_line(content: bytes, values: list[float]) -> None:
    assert read_values(content, most=20_000, largest=1e9) == values


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"1\nx\n3", "line 2 must be one number, with a decimal point; got 'x'"),
        (b"1\n2,5\n3", "line 2 must be one number, with a decimal point; got '2,5'"),
        (b"1\n1/3\n3", "line 2 must be one number"),
        (b"1\n1e99\n3", "line 2 must be one number"),
        (b"1\ninf\n3", "line 2 must be one number"),
        (b"lead\n4\n", "must have 2 to 20,000 values; got 1"),
        (b"1\n" * 20_001, "must have 2 to 20,000 values; got 20,001"),
        (b"1" * 1_000_001, "the file must be at most 1,000,000 bytes"),
    ],
)
def test_a_file_that_holds_no_values_is_told(content: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_values(content, most=20_000, largest=1e9)


def test_a_release_of_own_values_is_their_clipped_mean_and_variance_with_noise_of_the_known_law() -> None:
    """4,000 draws for 0, 20 and 90 in [10, 60]: 10, 20 and 60 have mean 30 and variance 700; scales 50/3 and 2500/6."""
    generator = np.random.default_rng(5)
    drawn = [
        drawn_release([0, 20, 90], lower=10, upper=60, epsilon_mean=1, epsilon_variance=2, generator=generator)
        for _ in range(4000)
    ]
    for found, middle, scale in (
        ([one.mean for one in drawn], 30, 50 / 3),
        ([one.variance for one in drawn], 700, 2500 / 6),
    ):
        off = np.array(found) - middle
        assert np.median(off) == pytest.approx(0, abs=4 * scale / math.sqrt(4000))
        assert np.abs(off).mean() == pytest.approx(scale, rel=5 / math.sqrt(4000))  # of a Laplace law: its scale
    assert all(one.n == 3 for one in drawn)
    for one in drawn:  # no digit below the third of the noise
        assert (round(one.mean, 1), round(one.variance)) == (one.mean, one.variance)


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({}, ""),
        ({"n": 60}, "from the example: a mean near 12.5 and a spread near 3.8."),
        ({"n": 60, "guess": 30.0}, "from the example: a spread near 3.8."),
        ({"n": 60, "guess_spread": 9.0}, "from the example: a mean near 12.5."),
        ({"n": 60, "guess": 30.0, "guess_spread": 9.0}, ""),
        ({"n": 60, "prior": "flat"}, ""),
        ({"guess": 30.0}, ""),
    ],
)
def test_nobody_is_given_the_beliefs_of_the_example_unnoticed(choices: dict[str, Any], told: str) -> None:
    notes = " ".join(infer_view(InferInputs(**choices), PLAIN).notes)
    assert ("from the example" in notes) == bool(told)
    assert told in notes


def test_a_belief_before_that_reaches_beyond_the_bounds_says_that_it_does_not_know_them() -> None:
    """A mean before of −36 to 61 stood beside values between 0 and 100 as what was believed of them."""
    for voice, words in (("plain", ", without the bounds"), ("technical", ", without the bounds.")):
        bell, flat = (infer_view(InferInputs(prior=prior), Style(voice=voice)).main for prior in ("conjugate", "power"))
        assert bell is not None
        assert flat is not None
        assert words in bell.reading
        assert words not in flat.reading


# ---- a noisy folder --------------------------------------------------------------------------------------------------


def law_of(held: Held, area: int, cells: list[int], time: int = 0, table: int = 0) -> Any:
    """The law of a count of a folder by its own table, one entry of noise for each area."""
    one = list(held.folder.tables.values())[table]
    noise = [one.laws.get(one.areas.levels[level]) for level in one.areas.level_of]
    return count_posterior(one.noisy(one.times[time]), noise=noise, area=area, cells=cells)


def test_a_count_of_a_folder_is_said_with_its_range_beside_its_noisy_count() -> None:
    view, held = infer_view(InferInputs(part="folder", area=3, cell=1), PLAIN), example(EXAMPLE, 1)
    found = law_of(held, 7, [0])  # the third block, after the county and four groups
    low, high = found.interval(0.95)
    assert view.answer == (
        f"**Block 3, under voting age**: between **{low}** and **{high}** given all levels, "
        "except with a probability of 5 in 100."
    )
    assert view.main is not None
    noisy = int(held.folder.tables["People"].values[0, 7, 0])
    half = held.folder.tables["People"].half_width("block")
    assert f"**{noisy}**, alone **{noisy - half}** to **{noisy + half}**; all levels: most likely **{found.mode}**" in (
        view.main.reading.replace("\u2212", "-")
    )
    at, posterior, alone = (view.main.numbers.column(name).numbers for name in ("at", "posterior", "alone"))
    assert posterior[at == found.mode] == pytest.approx(found.probabilities.max())
    assert posterior[at < 0] == pytest.approx(0)
    assert alone[at == noisy] == pytest.approx(held.folder.tables["People"].laws["block"].probability_exact, rel=1e-6)
    assert view.command == "riskline estimate folder 'area=9103; age=under voting age' --posterior"
    assert "Depends on the belief before" in view.small_print


def test_several_cells_are_one_count_and_a_wider_level_is_read_with_its_parts() -> None:
    held = example(EXAMPLE, 1)
    for chosen, area in (({"cell": 3}, 5), ({"cell": 3, "of_level": 2, "area": 2}, 2), ({"cell": 2, "of_level": 3}, 0)):
        found = law_of(held, area, [1] if chosen["cell"] == 2 else [0, 1])
        low, high = found.interval(0.8)
        answer = infer_view(InferInputs(part="folder", level=0.8, **chosen), PLAIN).answer
        assert f"between **{low:,}** and **{high:,}** given all" in answer
        assert "20 in 100" in answer


def test_a_budget_in_rho_brings_its_own_noise() -> None:
    case = Case(secret="presence").decided(value=0.05, currency="rho")
    view = infer_view(InferInputs(part="folder", case=case), TECHNICAL)
    low, high = law_of(example(case, 1), 5, [0]).interval(0.95)
    assert f"x \u2208 [**{low}**, **{high}**]" in view.answer
    assert "Noise: discrete Gaussian noise" in view.small_print


def test_a_folder_of_ones_own_is_read_by_its_labels_and_totals(tmp_path: Any) -> None:
    held = read_upload(zipped(written(tmp_path, release(exact="nation"))))
    view = infer_view(InferInputs(part="folder", data="own", time=2, area=4, cell=2), PLAIN, None, held)
    low, high = law_of(held, 7, [1], time=1).interval(0.95)
    assert view.answer.startswith("**3 <b>, f, 1+ (Births, Feb)**: between ")
    assert f"**{low}** and **{high}**" in view.answer
    assert view.python is None
    assert "Simulated" not in view.small_print
    missing = infer_view(InferInputs(part="folder", data="own"), PLAIN)
    assert missing.notes == ("No folder yet: this is the invented county.",)


def test_counts_that_are_left_out_are_said(tmp_path: Any) -> None:
    held = read_upload(zipped(written(tmp_path, release())))
    view = infer_view(InferInputs(part="folder", data="own"), PLAIN, None, held)
    assert "Unread" not in view.small_print
    births, _ = release()
    areas = replace(
        births.areas,
        codes=(*births.areas.codes, "S9"),
        names=(*births.areas.names, ""),
        parents=(*births.areas.parents, "US"),
        level_of=(*births.areas.level_of, 1),
    )
    assert areas.levels[1] == "state"
    values = np.concatenate([births.values, births.values[:, :1] * 0 + 7], axis=1)
    odd = replace(births, areas=areas, values=values, totals=None, scales={**births.scales, "state": 3.0})
    (tmp_path / "odd").mkdir()
    held = read_upload(zipped(written(tmp_path / "odd", [odd])))
    view = infer_view(InferInputs(part="folder", data="own", cell=1, area=4), PLAIN, None, held)
    assert view.refusal is None
    assert re.search(r"Unread: \d+ counts of unequal parts\.", view.small_print)
