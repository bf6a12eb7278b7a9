"""What the page 'accuracy' claims is what dpcore computes."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from dpcore.accuracy import count_error, noise_for_range
from dpcore.mechanisms import DiscreteGaussian, Geometric
from riskline.case.fields import read_query
from ui.link.page_table import page_entry
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.words.phrasing import how_often
from ui.words.quantities import number_named

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def test_the_default_sentence_is_true_and_plain() -> None:
    view = accuracy_view(AccuracyInputs(), PLAIN)
    assert view.answer == "Each published count is within **± 2** of the truth at least 96 of 100 times."
    assert "Exact for geometric noise with ε = 1.29. A record adds at most 1 to a count." in view.small_print
    assert view.law is not None
    assert "exactly right 57 of 100 times" in view.law.reading
    error = count_error(Geometric(epsilon=1.29))
    assert error.half_width == 2
    assert error.probability_exact == pytest.approx(0.5683, abs=5e-5)


def test_example_3_of_the_thesis_is_on_the_page() -> None:
    view = accuracy_view(AccuracyInputs(epsilon=2.1972245773362196), TECHNICAL)
    assert view.wrong_side is not None
    assert "24 = round(6·4,012/1000)" in view.wrong_side.reading
    assert "k = 1 above: **0.1**" in view.wrong_side.reading
    assert "k = 1 below: **0.01111**" in view.wrong_side.reading


def test_a_needed_budget_is_rounded_up_and_is_enough() -> None:
    view = accuracy_view(AccuracyInputs(start="accuracy", half_width=10), PLAIN)
    exact = noise_for_range(10, "geometric")
    assert isinstance(exact, Geometric)
    assert isinstance(view.mechanism, Geometric)
    assert exact.epsilon <= view.mechanism.epsilon <= exact.epsilon + 0.01
    assert view.mechanism.half_width(0.95) <= 10
    assert "**ε = 0.29**" in view.answer


def test_a_rho_is_named_rho_and_its_belief_has_an_exception() -> None:
    view = accuracy_view(AccuracyInputs(start="accuracy", noise="discrete_gaussian"), PLAIN)
    assert isinstance(view.mechanism, DiscreteGaussian)
    assert "**ρ = 0.018**" in view.answer
    assert "except with a probability of 1 in 100" in view.small_print


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({}, "a given person is in the data gets to at most **7 in 100**"),
        ({"secret": "value"}, "a given person has a certain value gets to at most **9 in 100**"),
        ({"secret": "value", "relation": "replace"}, "a given person has a certain value gets to at most **7 in 100**"),
        ({"unit": "household", "group": 4}, "a given household of 4 is in the data gets to at most **15 in 100**"),
    ],
)
def test_the_belief_belongs_to_the_secret_that_was_asked_about(choices: dict[str, Any], sentence: str) -> None:
    """Budget .29: e^.29 for presence, e^.58 for a value of an added record, e^1.16 for a household of four."""
    view = accuracy_view(AccuracyInputs(start="accuracy", **choices), PLAIN)
    assert f"Whoever knows everyone else's data and thinks it **5 in 100** likely that {sentence}." in view.small_print
    assert view.kinds is not None
    assert "Protected:" in view.kinds.caption


def test_a_failure_probability_is_rounded_up_wherever_it_is_printed() -> None:
    view = accuracy_view(AccuracyInputs(start="accuracy", noise="gaussian", failure=0.0149), PLAIN)
    assert "except with a probability of 2 in 100" in view.small_print
    assert view.kinds is not None
    assert "except with a probability of 2 in 100" in view.kinds.caption


@pytest.mark.parametrize(
    ("choices", "row"),
    [
        ({"half_width": 3.0, "secret": "value"}, 0),
        ({"half_width": 4.0, "secret": "value", "noise": "gaussian", "prior": 0.2}, 2),
        ({"half_width": 2.0, "secret": "value", "noise": "discrete_gaussian"}, 3),
    ],
)
def test_the_table_and_the_sentence_agree_about_the_budget_that_is_printed(choices: dict[str, Any], row: int) -> None:
    view = accuracy_view(AccuracyInputs(start="accuracy", **choices), PLAIN)
    assert view.kinds is not None
    budget, belief = view.kinds.rows[row][1], str(view.kinds.rows[row][3])
    assert f"**{str(budget)[:2]}= {float(str(budget)[4:]):g}** is enough. It keeps" in view.answer
    said = re.search(r"gets to at most \*\*(.+?)\*\*", view.small_print)
    assert said is not None
    assert 0 <= number_named(said[1]) - number_named(belief.split("→")[1].strip().rstrip("*")) < 0.01
    before = [str(row[3]).split(" → ")[0] for row in view.kinds.rows]
    assert len(set(before)) == 1  # all noises out of one number of people


def test_presence_is_not_hidden_by_replacing() -> None:
    refusal = accuracy_view(AccuracyInputs(relation="replace"), PLAIN).refusal
    assert refusal is not None
    assert "Replacing a record does not hide who is in the data" in refusal


def test_coins_are_no_noise_on_counts() -> None:
    view = accuracy_view(AccuracyInputs(release="coins"), PLAIN)
    assert (view.refusal, view.answer) == ("A survey with coins puts no noise on counts.", "")


@pytest.mark.parametrize(
    ("named", "more_than", "off", "added"),
    [
        ({}, 2, "more than 2 people off", " people on"),
        ({}, 1, "more than 1 person off", " people on"),
        ({"one": "a pupil", "many": "pupils"}, 2, "more than 2 pupils off", " pupils on"),
        ({"one": "a pupil", "many": "pupils"}, 1, "more than 1 pupil off", " pupils on"),
    ],
)
def test_errors_of_districts_are_of_those_whom_the_case_is_about(
    named: dict[str, str], more_than: int, off: str, added: str
) -> None:
    view = accuracy_view(AccuracyInputs(more_than=more_than, **named), PLAIN)
    assert view.districts_off is not None
    assert off in view.districts_off.reading
    assert f"**{added}" in view.below_zero


@pytest.mark.parametrize("noise", ["geometric", "laplace", "gaussian", "discrete_gaussian"])
@pytest.mark.parametrize("start", ["budget", "accuracy"])
def test_every_kind_of_noise_answers_in_both_voices(noise: str, start: str) -> None:
    for style in (PLAIN, TECHNICAL):
        view = accuracy_view(AccuracyInputs(noise=noise, start=start), style)
        assert view.refusal is None
        assert view.law is not None
        shown = sum(float(row[1]) for row in view.law.table.rows)
        assert shown == pytest.approx(1.0, abs=5e-3)


def test_a_target_just_missed_and_just_met_are_kept_apart() -> None:
    view = accuracy_view(AccuracyInputs(deviation=0.0), PLAIN)
    assert view.wrong_side is not None
    assert "A true count on the target wrongly misses it" in view.wrong_side.reading
    assert view.wrong_side.reading.count("of 100 times") == 1


def test_a_target_that_is_no_whole_count_says_how_it_is_taken() -> None:
    """6.2 per 1,000 of 4,012 is 24.87: 25 would be above it, so the page says that the nearest whole number is used."""
    view = accuracy_view(AccuracyInputs(target=6.2), PLAIN)
    assert view.wrong_side is not None
    assert "taken as up to 25 of 4,012, rounded" in view.wrong_side.reading


def test_a_level_that_was_chosen_is_not_the_chance_of_a_whole_range() -> None:
    """Geometric noise at 1.29: P[|Z| <= 2] = 1 - 2a^3/(1 + a) with a = e^-1.29, 96.7 in 100."""
    ratio = math.exp(-1.29)
    within = 1 - 2 * ratio**3 / (1 + ratio)
    assert within == pytest.approx(0.9673, abs=5e-5)
    plain, technical = (accuracy_view(AccuracyInputs(), style) for style in (PLAIN, TECHNICAL))
    assert plain.law is not None
    assert "within ± 2 at least 96 of 100 times, exactly right 57 of 100 times" in plain.law.reading
    assert f"P[|published − true| ≤ **2**] = {within:.4f} ≥ 0.95" in technical.answer


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("budget", [0.0031, 0.05, 0.3, 2.0])
def test_the_bars_of_a_range_hold_its_level_after_rounding(noise: str, budget: float) -> None:
    """Whole numbers within k have P[|Z| < k + 1/2]: for rho = 0.0031, 24.9 holds 0.946 and 25 holds 0.955."""
    inputs = AccuracyInputs(noise=noise, epsilon=budget, rho=budget)
    view = accuracy_view(inputs, PLAIN)
    spread = (lambda x: 1 - math.exp(-budget * x)) if noise == "laplace" else lambda x: math.erf(x * math.sqrt(budget))
    wide = next(k for k in range(10_000) if spread(k + 0.5) >= 0.95)
    assert f"within **± {wide}** of the truth at least {how_often(spread(wide + 0.5), 'down')}." in view.answer
    assert view.law is not None
    assert f"A count of 200 becomes {200 - wide:,} to {200 + wide:,}.".replace("-", "−") in view.law.reading
    inside = next(trace for trace in view.law.figure.data if trace.name.startswith("within"))
    assert inside.name == f"within ± {wide}"
    first, second = view.law.numbers.column("error").numbers[:2]
    assert -wide <= min(inside.x) <= max(inside.x) + second - first - 1 <= wide  # every error of a bar that is filled
    if len(inside.x) == 2 * wide + 1:  # a bar for every whole number
        assert sum(inside.y) == pytest.approx(spread(wide + 0.5), abs=1e-9)


def test_a_ledger_of_several_releases_is_the_next_step_and_the_memo_follows() -> None:
    """The ledger begins with this noise; the memo takes the line and the cost of this visit: its link says nothing."""
    inputs = AccuracyInputs(noise="discrete_gaussian", rho=0.02, secret="value", unit="household", group=4)
    several, memo = accuracy_view(inputs, Style()).next
    taken = read_query(page_entry("plan").fields, dict(several.query))
    assert not taken.refusals
    [row] = taken.values["rows"]
    assert (row.kind, float(row.budget), row.often) == ("discrete_gaussian", 0.02, "1")
    assert dict(several.query).keys() == {"rows"}
    assert (memo.stem, memo.query) == ("memo", ())


def test_the_districts_of_the_page_are_counted_by_another_route() -> None:
    """Geometric noise at ln 3: P[Z = z] = 3^-|z|/2, P[Z <= -k] = 3^(1-k)/4; four districts of 0, 1, 5 and 900."""
    places = (("Ash", 0), ("", 1), ("Elm", 5), ("Oak", 900))
    chosen = AccuracyInputs(epsilon=math.log(3), places=places, more_than=1)
    plain, technical = accuracy_view(chosen, PLAIN), accuracy_view(chosen, TECHNICAL)
    far = 2 * 1 / 12  # P[|Z| > 1]
    below = [3.0**-count / 4 for _, count in places]
    raised = [3.0**-count * 3 / 8 for _, count in places]
    chances = [math.comb(4, k) * far**k * (1 - far) ** (4 - k) for k in range(5)]
    assert plain.districts_off is not None
    assert list(plain.districts_off.numbers.column("probability").numbers) == pytest.approx(chances, rel=1e-12)
    assert plain.districts_off.reading == (
        "Of **4** districts, on average **0.67** will be more than 1 person off; at least 95 of 100 times **0 to 2**."
    )
    assert sum(chances[:3]) >= 0.975 > sum(chances[:2])
    assert "P[published < 0] ≥ 0.01 for **2** of the **4** listed" in technical.below_zero  # 1/4 and 1/12; 1/972 of Elm
    assert f"**{sum(below):.2f}** fall below zero on average" in plain.below_zero
    assert f"zeros would add **{sum(raised):.1f}** people on average" in plain.below_zero
    assert "**0.375** where c = 0" in technical.below_zero
    assert f"E[#negative] = **{sum(below):.4g}**" in technical.below_zero
    assert plain.example is not None
    assert [row[4] for row in plain.example.rows] == [
        "25 in 100",
        "8 in 100",
        "fewer than 1 in 100",
        "fewer than 1 in 100",
    ]


def test_the_example_of_the_districts_is_a_seeded_draw_with_ranges() -> None:
    noise = Geometric(epsilon=1.29)
    example = accuracy_view(AccuracyInputs(seed=7), PLAIN).example
    assert example is not None
    drawn = noise.simulate_noise(12, seed=7).astype(int)
    for (name, true, published, spread, _), noisy in zip(example.rows, drawn.tolist(), strict=True):
        count = int(str(true))
        assert str(published).strip("*").replace("−", "-") == str(count + noisy), name
        assert str(published).startswith("**") == (abs(noisy) > 2)
        assert spread == f"{count - 2} to {count + 2}".replace("-", "−")
    assert "not for release" in example.caption
    again = accuracy_view(AccuracyInputs(seed=8), PLAIN).example
    assert again is not None
    assert again.rows != example.rows


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_continuous_noise_of_a_district_is_rounded_before_it_is_too_far_off(noise: str) -> None:
    view = accuracy_view(AccuracyInputs(noise=noise, epsilon=0.5, rho=0.125, more_than=3), PLAIN)
    beyond = math.exp(-0.5 * 3.5) if noise == "laplace" else math.erfc(3.5 * math.sqrt(0.125))
    assert view.districts_off is not None
    assert f"on average **{12 * beyond:.2g}** will be" in view.districts_off.reading


def test_where_hardly_anything_comes_out_below_zero_the_advice_stays() -> None:
    below = accuracy_view(AccuracyInputs(places=(("", 4000),)), PLAIN).below_zero
    assert "**less than 0.001** fall below zero on average" in below
    assert "Publish them" in below


@pytest.mark.parametrize("noise", ["geometric", "laplace", "gaussian", "discrete_gaussian"])
def test_a_table_of_districts_in_which_a_record_is_replaced_is_priced_as_a_table(noise: str) -> None:
    """A replaced record changes two districts' counts, so the range of each is that of half the budget."""
    chosen: dict[str, Any] = {"noise": noise, "epsilon": 1.0, "rho": 0.1, "secret": "value"}
    one, halved = (
        accuracy_view(AccuracyInputs(**chosen | more), PLAIN) for more in ({}, {"epsilon": 0.5, "rho": 0.05})
    )
    replaced = accuracy_view(AccuracyInputs(**chosen, relation="replace"), PLAIN)
    assert replaced.answer == one.answer
    said = [view.districts_off.reading for view in (replaced, halved, one) if view.districts_off is not None]
    assert said[0] == said[1] != said[2]
    assert replaced.example == halved.example
    assert (
        f"half the budget: **{'ε = 0.5' if noise in ('geometric', 'laplace') else 'ρ = 0.05'}**"
        in replaced.districts_print
    )
    alone = accuracy_view(AccuracyInputs(**chosen, relation="replace", places=(("Ash", 12),)), PLAIN)
    assert "half the budget" not in alone.districts_print
    assert "by district it can change two (twice the budget), unless districts are known" in replaced.small_print


def test_where_a_record_changes_two_counts_the_range_is_told_with_the_budget_of_one_count() -> None:
    view = accuracy_view(AccuracyInputs(secret="value", relation="replace", areas=38, release="table"), PLAIN)
    assert view.law is not None
    assert view.law.reading.startswith("With ε = 0.645 for each count: within ± ")
    assert "with ε = 1.29. Each of 38 counts has ε = 0.645 of it" in view.small_print


def test_the_districts_are_as_many_as_the_case_has_and_the_listed_ones_are_told_apart() -> None:
    of_case = accuracy_view(AccuracyInputs(areas=38, release="table"), PLAIN)
    assert of_case.districts_off is not None
    assert of_case.districts_off.reading.startswith("Of **38** districts, ")
    assert of_case.below_zero.startswith("Of **12** invented counts, ")
    own = accuracy_view(AccuracyInputs(areas=38, release="table", places=(("North", 4), ("South", 90))), PLAIN)
    assert own.districts_off is not None
    assert own.districts_off.reading.startswith("Of **2** districts, ")
    assert own.below_zero.startswith("Of **2** listed counts, ")
    assert accuracy_view(AccuracyInputs(areas=1_000_000, release="table"), PLAIN).refusal is None


def test_a_count_that_noise_leaves_as_it_is_has_no_range() -> None:
    view = accuracy_view(AccuracyInputs(epsilon=8.0, noise="geometric", count=200), Style())
    assert "A count of 200 becomes 200." in view.law.reading


@pytest.mark.parametrize(
    ("release", "opening"), [("tables", "One count with the whole budget"), ("table", "Each published count")]
)
def test_a_budget_that_several_releases_share_is_said_of_one_count_alone(release: str, opening: str) -> None:
    assert accuracy_view(AccuracyInputs(release=release), Style()).answer.startswith(opening)
