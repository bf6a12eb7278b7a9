"""What the page 'choose' claims is what dpcore computes, in both voices, and its refusals are sentences."""

from __future__ import annotations

import itertools
import math
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.accuracy import count_error, noise_with_budget
from dpcore.guarantees import ZeroConcentratedDP, gaussian_probabilistic_epsilon
from dpcore.mechanisms import DiscreteGaussian, Gaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.profiles import Route
from dpcore.semantics import posterior_upper
from riskline.answers import spent
from riskline.case.fields import read_query
from riskline.case.interview import line_of
from riskline.case.line import LineChoice, chosen_profile, points_within, template_points
from riskline.case.value import Case
from tests import pages_of_cases
from ui.pictures.style import Style
from ui.views.choose import FIELDS, ChooseInputs, ChooseView, choose_view
from ui.views.choose.answer import answered, believed, spend_words
from ui.views.public import PublicInputs, public_view

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def view_of(**choices: object) -> ChooseView:
    return choose_view(ChooseInputs(**choices), PLAIN)


def test_the_default_sentence_is_one_a_mayor_understands() -> None:
    assert view_of().answer == (
        "**At most 25 in 100**. Somebody who thinks it **8 in 100** likely that a given person is in the data "
        "cannot get beyond that."
    )
    assert view_of().numbers[0] == ("Privacy budget", "ε = 1.29", "")


def test_without_a_line_each_voice_says_that_what_is_shown_is_no_choice() -> None:
    begun = [choose_view(ChooseInputs(line="none"), style).small_print for style in (PLAIN, TECHNICAL)]
    assert begun[0].startswith("The line is only a start. Protected: whether a given person")
    assert begun[1].startswith("The template shown is no choice. ")


def test_the_small_print_says_exact_and_assumption_and_experts_read_the_source() -> None:
    small_print = view_of().small_print
    for words in (
        "Exact; against anybody who knows the method",
        "if other people’s data tell nothing about a given person",
        "one change adds or removes one record",
    ):
        assert words in small_print
    assert "Kazan and Reiter, Theorem 12" in choose_view(ChooseInputs(), TECHNICAL).small_print
    assert "Theorem 12" in view_of().computed


@pytest.mark.parametrize("secret", ["presence", "value", "both"])
@pytest.mark.parametrize("relation", ["add_or_remove", "replace"])
@pytest.mark.parametrize("release", ["anything", "count", "table"])
def test_half_the_budget_is_explained_just_where_it_is_half(secret: str, relation: str, release: str) -> None:
    if secret != "value" and relation == "replace":
        pytest.skip("contradict each other")
    choices = {"secret": secret, "relation": relation, "release": release}
    answer = answered(ChooseInputs(**choices), PLAIN)
    assert answer.budget is not None
    one_change = answer.implied.profile.implied_epsilon(value_exponent=1.0).lower
    is_half = secret == "value" and answer.budget.each.epsilon == pytest.approx(one_change / 2, rel=1e-12)
    assert bool(view_of(**choices).halved) == is_half
    assert view_of(**choices, line="none").halved == view_of(**choices).halved
    assert not view_of(**choices, guarantee="approximate").halved


@pytest.mark.parametrize("choices", [{}, {"line": "increase"}, {"secret": "both"}, {"line": "drawn"}])
def test_both_voices_give_the_same_budget(choices: dict[str, object]) -> None:
    plain = choose_view(ChooseInputs(**choices), PLAIN)
    technical = choose_view(ChooseInputs(**choices), TECHNICAL)
    assert plain.budget == technical.budget
    assert plain.numbers[0][1] == technical.numbers[0][1]
    assert f"**{plain.numbers[0][1]}**" in technical.answer
    if "in 100" in plain.answer:
        assert [stated.words for stated in plain.decided] == [re.search(r"At most (.*?)\*\*", plain.answer)[1]]


LINES = st.builds(
    LineChoice,
    secret=st.sampled_from(["presence", "value"]),
    held=st.floats(0.01, 1),
    line=st.sampled_from(["constant", "cap_or_ratio", "increase"]),
    ratio=st.floats(1.01, 50),
    cap=st.floats(0.01, 0.95),
    increase=st.floats(0.01, 0.9),
)


@given(LINES)
@settings(max_examples=40)
def test_what_an_attacker_reaches_never_passes_the_line(choice: LineChoice) -> None:
    view = view_of(**choice.__dict__)
    assert view.editor is not None
    prior, reached = view.editor.reachable.T
    allowed = chosen_profile(choice).highest_posterior(np.minimum(prior / choice.held, 1.0))
    assert (reached <= allowed * (1 + 1e-12)).all()


@given(LINES)
@settings(max_examples=40)
def test_the_points_of_a_template_draw_the_template(choice: LineChoice) -> None:
    points = template_points(choice)
    profile = chosen_profile(choice)
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        for share in (0.0, 0.5):
            x = x0 + share * (x1 - x0)
            drawn = y0 + share * (y1 - y0)
            assert float(profile.highest_posterior(min(x / choice.held, 1.0))) == pytest.approx(
                min(drawn, 1.0), rel=1e-6
            )


def test_a_ratio_of_one_is_drawn_up_to_the_highest_prior() -> None:
    for line in ("cap_or_ratio", "constant"):
        assert template_points(LineChoice(line=line, ratio=1.0))[-1] == (0.999, 0.999)
        assert template_points(LineChoice(line=line, ratio=1.0, held=0.6))[-1] == (0.6, 0.6)


def test_the_marked_place_lies_on_the_reachable_curve() -> None:
    view = view_of(line="increase")
    assert view.editor is not None
    assert view.editor.binding is not None
    prior, posterior = view.editor.binding
    assert posterior == pytest.approx(np.interp(prior, *view.editor.reachable.T), abs=1e-3)


def test_a_line_that_touches_the_prior_leaves_no_budget_and_says_where() -> None:
    view = view_of(line="drawn", points=((0.01, 0.2), (0.3, 0.3), (0.6, 0.9)))
    assert "**No budget.** Your line lets no belief of **30 in 100** rise" in view.answer
    assert view.budget is not None
    assert view.budget.recommended_total == 0.0


def test_a_line_that_accepts_certainty_sets_no_limit() -> None:
    view = view_of(line="box", ratio=3.0, low=0.6, high=0.9)
    assert "**No limit.** Your line accepts even certainty that a given person is in the data" in view.answer
    assert view.budget is None


def test_a_limit_on_nobody_holds_for_beliefs_of_which_the_line_asks_nothing() -> None:
    """A box of 3 times up to .6: somebody sure that she is in the data comes to 4.22 times as much about the value."""
    chosen: dict[str, Any] = {"secret": "both", "line": "box", "ratio": 3.0, "low": 0.0, "high": 0.6}
    assert view_of(**chosen).answer.startswith("**At most 4.3 times as strong**. No belief that a given person is")
    assert "is at most 4.3 times, whatever p and q" in choose_view(ChooseInputs(**chosen), TECHNICAL).answer
    answer = answered(ChooseInputs(**chosen), PLAIN)
    assert float(answer.reach(1.0, 1e-9)) / 1e-9 == pytest.approx(4.2207, abs=5e-5)


def test_an_infimum_that_is_only_approached_is_not_said_to_be_reached() -> None:
    view = view_of(line="constant", secret="both")
    assert view.numbers[0][1] == "ε = 0.54"
    assert view.answer.startswith("**At most 3 times as strong**. No belief")


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        (
            {"line": "box", "low": 0.6, "high": 0.5},
            "Lowest belief that matters must lie below the highest, 0.5; got 0.6.",
        ),
        ({"secret": "value", "held": 0.05, "line": "box", "low": 0.2}, "below 0.05, the highest that can occur"),
        ({"secret": "both", "line": "drawn"}, "A drawn line is about one belief"),
        ({"secret": "value", "held": 0.05, "line": "drawn", "points": ((0.2, 0.5),)}, "at a belief of at most 0.05"),
        ({"secret": "value", "guarantee": "approximate"}, "needs a question about two worlds"),
        ({"relation": "replace"}, "Replacing a record does not hide who is in the data"),
        ({"guarantee": "approximate", "delta": 0.5, "failure": 0.01}, "δ must be smaller than δ′"),
        ({"population": "1 2 x"}, "Each public value must be a number; got 'x'"),
        ({"population": "1, 2"}, "must hold 3 to 2000 values"),
    ],
)
def test_choices_that_do_not_fit_get_a_sentence(choices: dict[str, object], sentence: str) -> None:
    view = view_of(**choices)
    assert view.refusal is not None
    assert sentence in view.refusal
    assert view.refusal.endswith(".")


@pytest.mark.parametrize(
    ("choices", "that", "promise"),
    [
        (
            {},
            "likely that a given person is in the data cannot get",
            "; one change adds or removes one record.",
        ),
        (
            {"secret": "value"},
            "likely that a given person has a certain value cannot get",
            "; one change adds or removes one record, and the secret takes 2 such changes.",
        ),
        (
            {"secret": "value", "relation": "replace"},
            "likely that a given person has a certain value cannot get",
            "one change replaces one record (number known).",
        ),
        (
            {"secret": "value", "held": 0.05},
            "likely that a given person is in the data and has a certain value, split as below, cannot get",
            "and the secret takes up to 2.",
        ),
        (
            {"secret": "value", "release": "count", "unit": "days", "group": 7},
            "likely that a given person over 7 days has a certain value cannot get",
            "one change adds or removes one record, and 7 records move the count together.",
        ),
    ],
)
def test_the_answer_is_about_the_secret_that_was_asked_about(choices: dict[str, Any], that: str, promise: str) -> None:
    view = view_of(**choices)
    assert that in view.answer
    assert promise in view.small_print


def test_one_step_between_values_is_not_told_as_the_theorem_with_two() -> None:
    for choices in ({"relation": "replace"}, {"release": "count"}):
        technical = choose_view(ChooseInputs(secret="value", **choices), TECHNICAL)
        assert "Theorem 11 with one step between values, ours" in technical.small_print
        assert "here c = 1)" in technical.computed
    two = choose_view(ChooseInputs(secret="value"), TECHNICAL)
    assert "one step between values" not in two.small_print
    assert "here c = 2)" in two.computed


def test_the_ways_to_what_it_costs_and_to_tables_leave_the_budget_to_the_case() -> None:
    view = view_of(secret="value", relation="replace", unit="household", group=3)
    assert [(way.stem, way.query) for way in view.next] == [("accuracy", ()), ("publication", ()), ("methods", ())]


def test_the_exception_is_rounded_up() -> None:
    view = view_of(guarantee="zero_concentrated", failure=0.0149)
    assert "except with a probability of 2 in 100" in view.answer


def test_a_household_and_several_releases_share_the_budget() -> None:
    alone, household, monthly = view_of(), view_of(unit="household", group=4), view_of(releases=12)
    assert alone.budget is not None
    assert household.budget is not None
    assert monthly.budget is not None
    assert household.budget.total.epsilon == pytest.approx(alone.budget.total.epsilon / 4, rel=1e-12)
    assert monthly.budget.each.epsilon == pytest.approx(alone.budget.total.epsilon / 12, rel=1e-12)
    assert "for each of 12 releases" in monthly.numbers[0][1]
    assert "a given household of 4" in household.answer


@pytest.mark.parametrize("releases", [2, 12, 365])
def test_budgets_of_all_releases_are_so_many_times_that_of_each_as_printed(releases: int) -> None:
    """Twelve of 0.014 are 0.168: a page that said 0.17 together would allow more than it says for each."""
    table = view_of(releases=releases).several
    assert table is not None
    assert len(table.rows) > 3
    for _, each, together, unrounded, _ in table.rows:
        assert Decimal(str(together)) == releases * Decimal(str(each)), each
        assert Decimal(str(each)) <= Decimal(str(unrounded))


def test_gaussian_noise_keeps_the_promise_that_the_page_states() -> None:
    view = view_of(guarantee="zero_concentrated", route="gaussian", failure=0.01)
    assert view.budget is not None
    assert isinstance(view.budget.total, ZeroConcentratedDP)
    shift = float(gaussian_probabilistic_epsilon(rho=view.budget.total.rho, delta_prime=0.01))
    assert shift == pytest.approx(math.log(2.75 / 0.75), rel=1e-9)
    assert "except with a probability of 1 in 100" in view.answer


def failing_at(view: ChooseView, mechanism: type[Gaussian] | type[DiscreteGaussian]) -> float:
    """How often the releases at the budget the page prints move the log odds beyond the line's own shift."""
    assert view.budget is not None
    budget = view.budget
    noise = mechanism(rho=budget.recommended_each * budget.group**2, sensitivity=budget.group)
    return float(PrivacyLoss.of(noise, budget.releases).exceedance(budget.answer.epsilon, direction="either"))


@pytest.mark.parametrize(
    "choices", [{}, {"releases": 2}, {"releases": 12, "failure": 0.05}, {"unit": "household", "group": 3}]
)
@pytest.mark.parametrize("voice", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_each_gaussian_route_names_its_noise_and_keeps_the_promise_with_it(
    choices: dict[str, Any], voice: Style
) -> None:
    asked = {"guarantee": "zero_concentrated"} | choices
    integer = choose_view(ChooseInputs(**asked, route="discrete_gaussian"), voice)
    continuous = choose_view(ChooseInputs(**asked, route="gaussian"), voice)
    failure = ChooseInputs(**asked).failure
    assert failing_at(integer, DiscreteGaussian) <= failure
    assert failing_at(continuous, Gaussian) <= failure
    assert "discrete Gaussian" in integer.small_print
    assert "on one count" in integer.small_print
    assert integer.small_print.startswith("Exact line, certified budget")
    assert "continuous Gaussian noise" in continuous.small_print
    assert "continuous" not in integer.small_print
    assert "discrete Gaussian" in integer.numbers[-1][2]
    assert "continuous Gaussian" in continuous.numbers[-1][2]


def test_the_certified_budget_says_that_less_can_fail_and_up_to_where_it_cannot() -> None:
    view = view_of(guarantee="zero_concentrated", route="discrete_gaussian")
    assert view.budget is not None
    assert view.numbers[0] == (
        "Privacy budget",
        "ρ = 0.14",
        "certified at exactly this and up to ρ = 0.11, not between",
    )
    assert "except with a probability of 1 in 100" in view.answer
    assert "Certified at exactly ρ = 0.14, exceedance 0.009611" in view.computed
    assert "a smaller ρ can exceed more often; every ρ up to 0.11 is certified too" in view.computed
    certificate = view.budget.certificate
    assert certificate is not None
    assert certificate.exceedance(0.13) > 0.01
    assert max(certificate.exceedance(rho) for rho in np.linspace(0.001, 0.11, 300)) <= 0.01


def test_the_continuous_budget_says_how_often_whole_number_noise_would_fail() -> None:
    view = view_of(guarantee="zero_concentrated", route="gaussian")
    assert view.numbers[0][1] == "ρ = 0.12"
    assert view.numbers[1] == (
        "Against attackers unsure of other data",
        "ρ = 0.10",
        "same limit and exception, if other data tell nothing of the secret",
    )
    assert failing_at(view, DiscreteGaussian) == pytest.approx(0.0162, abs=5e-5)
    assert "exceeds ε′ at ρ = 0.12 with probability 0.0162" in view.computed


def test_a_replaced_record_in_any_table_gets_no_certificate_of_one_count() -> None:
    asked = {"secret": "value", "relation": "replace", "guarantee": "zero_concentrated", "route": "discrete_gaussian"}
    assert "certified for releases that are one plain count each" in str(view_of(**asked).refusal)
    assert view_of(**asked, release="count").refusal is None


def test_links_of_the_old_gaussian_route_still_mean_continuous_noise() -> None:
    values = read_query(FIELDS, {"guarantee": "zero_concentrated", "route": "gaussian"}).values
    view = choose_view(ChooseInputs(**values), PLAIN)
    assert view.budget is not None
    assert view.budget.route is Route.GAUSSIAN


@pytest.mark.parametrize(
    ("choices", "baseline", "gain"),
    [
        ({"secret": "both"}, "0.54", math.log(11 / 3) / 2 - math.log(3) / 2),
        ({"secret": "both", "release": "count"}, "1.09", math.log(11 / 3) - math.log(3)),
        ({"secret": "value", "release": "count"}, "1.09", math.log(11 / 3) - math.log(3)),
        ({}, "1.09", math.log(11 / 3) - math.log(3)),
    ],
)
def test_what_a_line_gains_is_measured_against_the_same_question_and_release(
    choices: dict[str, object], baseline: str, gain: float
) -> None:
    view = view_of(**choices)
    assert view.comparisons is not None
    _, epsilon, note = view.comparisons.rows[1]
    assert epsilon == baseline
    gained = re.search(r"your line gains at least ([0-9.]+) ε$", str(note))
    assert gained is not None
    assert float(gained[1]) == pytest.approx(gain, abs=1e-3)


def test_one_plain_count_may_spend_more() -> None:
    anything, count = view_of(secret="both"), view_of(secret="both", release="count")
    assert anything.budget is not None
    assert count.budget is not None
    assert count.budget.total.epsilon == pytest.approx(2 * anything.budget.total.epsilon, rel=1e-9)


def test_lee_and_clifton_stand_beside_the_line() -> None:
    view = view_of(population="1, 2, 3, 4", cap=1 / 3)
    assert view.comparisons is not None
    row = view.comparisons.rows[-1]
    assert row[1] == "0.33"  # 0.3379, printed as .34, rounded down
    assert "any statistic: ε = 0.40" in str(row[2])


def test_a_segment_is_cut_where_the_prior_cannot_go_further() -> None:
    points = ((0.01, 0.2), (0.1, 0.2))
    assert points_within(points, 0.05, "ratio")[-1] == pytest.approx((0.05, 0.05 * (20 - 18 * 4 / 9)))
    assert points_within(points, 0.05, "loglog")[-1] == pytest.approx((0.05, 0.2))
    assert points_within(points, 0.05, "step")[-1] == pytest.approx((0.05, 1.0))
    assert points_within((*points, (0.2, 0.9)), 0.1, "linear") == points  # a point of its own ends the last segment


def test_every_picture_has_words_and_a_table() -> None:
    for choices in ({}, {"secret": "both"}):
        view = view_of(**choices)
        assert view.pictures
        for picture in view.pictures:
            assert len(picture.alt) > 40
            assert picture.table.rows
            assert "**" not in picture.alt


def test_the_noise_shown_is_that_of_the_budget_that_is_said() -> None:
    view = view_of(releases=12, unit="household", group=4, guarantee="zero_concentrated", route="gaussian")
    card, note = next(told for title, *told in view.numbers if title == "Noise in a count")
    wide, std = int(card.removeprefix("± ")), 1 / math.sqrt(2 * view.budget.recommended_each)
    assert wide - 0.5 < 1.959963 * std <= wide + 0.5  # whole numbers are published
    chance = math.erf((wide + 0.5) / std / math.sqrt(2))
    assert f"{round(100 * chance)} of 100 times; exactly right" in note


def test_a_line_from_answers_is_told_out_of_a_hundred_where_it_decides_between_them() -> None:
    """Three answers of five leave the line lowest at 29.2 in 100, a belief that nobody was asked about."""
    view = view_of(**line_of("ct22211yn"))
    assert view.answer.startswith("**At most 41 in 100**. Somebody who thinks it **29 in 100** likely")
    assert posterior_upper(prior=0.29, epsilon=view.budget.each.epsilon) <= 0.41


def test_a_count_is_said_to_be_off_as_often_as_the_public_is_told() -> None:
    """Noise of ε = 1.29 is within 2 of the truth 96.73 times of 100: a range holds at least so often, rounded down."""
    (note,) = [note for title, _, note in view_of().numbers if title == "Noise in a count"]
    told = public_view(PublicInputs(case=Case(ratio=3.0)), PLAIN).sentences[0].replace("**", "")
    chances = ["at least 96 of 100 times", "57 of 100 times"]
    assert [re.findall(r"(?:at least )?[0-9]+ of 100 times", said) for said in (note, told)] == [chances, chances]


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL])
def test_the_shift_of_all_releases_is_not_said_as_the_budget_of_each(style: Style) -> None:
    view = choose_view(ChooseInputs(releases=3, unit="household", group=7), style)
    assert "3 releases and 7 records together" in view.pictures[0].reading
    assert view.comparisons.columns[1] == "ε of everything together"
    assert "together" not in choose_view(ChooseInputs(), style).pictures[0].reading


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL])
def test_a_line_that_asks_for_nothing_leaves_no_empty_place(style: Style) -> None:
    view = choose_view(ChooseInputs(line="box", ratio=3.0, low=0.6, high=0.9), style)
    assert " of  " not in view.computed + view.small_print
    assert "No prior binds" in view.computed
    assert ("No prior binds" if style.technical else "Protected: ") in view.small_print


def test_an_exact_tail_does_not_speak_of_those_who_know_less() -> None:
    exact = view_of(guarantee="zero_concentrated", route="gaussian").computed
    assert "can raise the chance of exceeding" in exact
    assert "special case" not in exact
    assert "special case" in view_of(guarantee="zero_concentrated", route="direct").computed


@pytest.mark.parametrize(
    ("choices", "prior", "reached"),
    [
        ({}, "34 in 100", "66 in 100"),  # a third, rounded up to where three times as much is certainty
        ({"line": "increase"}, "80 in 100", "90 in 100"),
        ({"line": "drawn", "points": ((0.01, 0.2), (0.5, 0.75))}, "51 in 100", "73 in 100"),  # nothing is asked above
    ],
)
def test_the_line_says_what_it_does_not_object_to(choices: dict[str, object], prior: str, reached: str) -> None:
    view = view_of(**choices)
    assert f"From **{prior}** on, your line limits no belief" in view.permitted
    assert f"; there this budget allows at most **{reached}**" in view.permitted
    assert view.permitted.endswith(", from higher beliefs more.")
    assert any(stated.prior == int(prior[:2]) / 100 and stated.words == reached for stated in view.stated)


def test_the_limit_of_a_belief_made_of_two_is_that_of_one_split() -> None:
    """Sure of 83 times 60 in 100: at most 696 in 1,000; sure of presence, e^(2 × 0.52) makes 738 of the same 498."""
    view = view_of(line="drawn", points=((0.01, 0.1), (0.5, 0.7)), interpolation="loglog", held=0.6)
    assert view.answer.startswith("**At most 696 in 1,000**. Somebody who thinks it **498 in 1,000** likely ")
    assert view.answer.endswith(", split as below, cannot get beyond that.")
    assert (
        "The belief before: presence 83 in 100, the value then 60 in 100; another split can go further."
        in view.small_print
    )
    away = 0.83 * 0.4 * math.exp(-2 * 0.52) + 0.17 * math.exp(-0.52)
    assert 0.695 < 0.498 / (0.498 + away) <= 0.696
    assert 0.696 < posterior_upper(prior=0.498, epsilon=2 * 0.52) < 0.74
    assert "split" not in view_of(line="drawn", points=((0.01, 0.1), (0.5, 0.7))).answer


@pytest.mark.parametrize("choices", [{"secret": "both"}, {"line": "box", "ratio": 2.0, "high": 0.4, "held": 0.4}])
def test_a_line_that_never_accepts_certainty_says_none(choices: dict[str, object]) -> None:
    assert view_of(**choices).permitted == ""


@pytest.mark.parametrize("held", [1.0, 0.5])
def test_choices_that_make_no_promise_are_refused_before_a_line_is_drawn(held: float) -> None:
    for secret in ("presence", "value"):
        refusal = view_of(line="none", secret=secret, relation="replace", held=held).refusal
        if secret == "value" and held == 1.0:
            assert refusal is None
        else:
            assert refusal is not None
            assert "Replacing a record does not hide who is in the data" in refusal


@pytest.mark.parametrize(("answers", "decides"), [("ct22222yn", "30 in 100"), ("ct11110yn", ""), ("ct01234nn", "")])
def test_a_belief_that_decides_and_that_nobody_was_asked_about_is_named(answers: str, decides: str) -> None:
    """Between two answers the line is straight and the reachable curve bends, so they touch where nobody was asked."""
    view = view_of(**line_of(answers))
    assert view.questions is not None
    assert (" decides." in view.questions.question) == bool(decides)
    assert ("strictest: " in view.questions.question) != bool(decides)
    assert f"**{decides}**" in view.questions.question or not decides


def test_beliefs_of_the_interview_are_stated_as_far_as_they_can_occur_beside_the_one_permitted() -> None:
    held = view_of(**line_of("ot11110yn") | {"held": 0.1, "secret": "value"})
    permitting = view_of(**line_of("ot11110yn"))
    for view, priors in ((held, (0.001, 0.01, 0.05)), (permitting, (0.001, 0.01, 0.05, 0.2, 0.5))):
        assert view.questions is not None
        assert view.questions.held is not None
        stated = view.stated[-len(priors) :]
        assert tuple(one.prior for one in stated) == priors
        assert [(row[0], row[-1]) for row in view.questions.held.rows] == [(one.before, one.words) for one in stated]
    assert permitting.permitted.startswith("From **51 in 100** on")
    assert [one.prior for one in permitting.stated[:-5]] == [0.5, 0.51]


def test_a_belief_of_the_interview_is_certainty_only_where_it_is_1() -> None:
    assert [believed(one, "plain") for one in (0.99, 0.995, 1.0)] == ["99 in 100", "995 in 1,000", "certainty"]
    assert believed(0.5, "plain", 0.005) == "500 in 1,000"
    assert [believed(one, "technical") for one in (0.995, 1.0)] == ["0.995", "1"]


def test_what_a_release_spends_rounds_a_chosen_delta_down_and_says_a_published_one_whole() -> None:
    chosen = Case(guarantee="approximate", delta=2e-6, releases=3).decided(value=0.9, currency="epsilon")
    published = Case(published="Recurve energy, as published")
    said = [spend_words(found) for found in (spent(chosen), spent(published)) if found is not None]
    assert said == ["ε = 0.90, δ = 6.6e-7 for each of 3 releases", "ε = 0.843, δ = 4.08e-8"]


@pytest.mark.parametrize(
    ("choices", "shared"),
    [
        ({}, False),
        ({"unit": "household", "group": 4}, True),
        ({"releases": 2}, True),
        ({"guarantee": "zero_concentrated"}, True),
    ],
)
def test_other_rules_are_compared_by_the_epsilon_of_everything_where_releases_or_records_share_it(
    choices: dict[str, object], shared: bool
) -> None:
    compared = view_of(**choices).comparisons
    assert compared is not None
    assert compared.columns[1] == ("ε of everything together" if shared else "ε")


@pytest.mark.parametrize("noise", ["laplace", "geometric", "gaussian"])
def test_the_noise_in_a_count_is_the_cases_own_where_its_budget_is_of_that_kind(noise: str) -> None:
    """As the memo and the sheet for the public tell it; whole numbers where the noise spends another budget."""
    case = Case(ratio=3.0, release="count", noise=noise, guarantee="pure")
    row = count_error(noise_with_budget(1.29, "geometric" if noise == "gaussian" else noise))
    right = f"exactly right {round(100 * row.probability_exact)} of 100 times"
    (_, _, note) = pages_of_cases.view_of("choose", case, Style()).numbers[-1]
    assert note.endswith(right)
    if noise != "gaussian":
        assert right.replace("right ", "right **") in public_view(PublicInputs(case=case), Style()).sentences[0]


def test_a_survey_with_coins_has_no_count_with_noise_of_its_own() -> None:
    case = Case(ratio=3.0, release="coins")
    assert [name for name, *_ in pages_of_cases.view_of("choose", case, Style()).numbers] == ["Privacy budget"]
    assert "no count has its own noise" in public_view(PublicInputs(case=case), Style()).sentences[0]


@pytest.mark.parametrize("release", ["tables", "plan"])
def test_several_tables_a_release_do_not_each_have_its_whole_budget(release: str) -> None:
    (_, _, note) = pages_of_cases.view_of("choose", Case(ratio=3.0, release=release, releases=12), Style()).numbers[-1]
    assert note.startswith("each release, one count with the whole budget, ")
