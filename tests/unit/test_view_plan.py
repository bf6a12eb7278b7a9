"""What the page *Several releases* says: totals of dpcore, crossings, the inverse, published examples, refusals."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest

from dpcore.composition import BeliefPromise, PlannedRelease, PlanRule, ReleasePlan, largest_rho_each
from dpcore.errors import Refused
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from dpcore.scope import Scope
from riskline.answers.composed import reached_by_shift, whole_step
from riskline.case.choices import EVERY
from riskline.case.fields import read_query
from riskline.case.releases import (
    BY_RHO,
    DEFAULT_LEDGER,
    KINDS,
    MOST_ROWS,
    SPELLINGS,
    LedgerRow,
    decode_ledger,
    encode_ledger,
    first_fault,
    kind_read,
    plan_of,
    unfinished,
)
from tests.each import each
from ui.ask.plan import SHEET
from ui.ask.sheet import moved
from ui.pictures.marks import Level
from ui.pictures.style import Style
from ui.views.plan import FIELDS, PRESETS, PlanInputs, plan_summary, plan_view
from ui.views.plan.accounts import Accounts
from ui.views.plan.view import LENSES
from ui.words.catalogue import say
from ui.words.phrasing import limits_nothing, people_for, rounded_budget
from ui.words.quantities import Upper, in_people

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def inputs(**rows: str) -> PlanInputs:
    return PlanInputs(rows=(LedgerRow(**({"name": "A", "budget": "0.1"} | rows)),))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_every_published_scenario_answers(preset, style: Style) -> None:
    view = plan_view(PlanInputs(**PRESETS[preset]), style)
    assert view.refusal is None
    assert view.notice == ""
    assert view.totals is not None
    assert "**" in view.answer


def test_daily_counts_cross_on_day_112_exactly_and_on_day_58_as_published() -> None:
    view = plan_view(PlanInputs(), PLAIN)
    assert "to at most **96 in 100**, except with a probability of at most 1 in 100" in view.answer
    assert "after 58 days" in view.small_print
    assert view.readers is not None
    assert "exception at most 1 in 100" in view.readers.caption
    assert [row[1:] for row in view.readers.rows] == [
        ("96 in 100", "first broken: day 112"),
        ("97 in 100", "first broken: day 105"),
        ("98 in 100", "guaranteed up to day 78"),
    ]
    accounts = Accounts(PlanInputs(), PLAIN)
    assert {rule: found.given for rule, found in accounts.passings.items()} == {
        "basic": 7, "advanced": 7, "optimal": 7, "published": 58, "direct": 79, "exact": 112
    }  # fmt: skip


def test_the_three_readings_of_a_total_are_in_order() -> None:
    accounts = Accounts(PlanInputs(), PLAIN)
    loss = PrivacyLoss.of(Gaussian(rho=0.01), 58)
    exact = float(ExactPosterior(loss, prior=0.5).quantile(0.99))
    assert accounts.after("exact").value == pytest.approx(exact, rel=1e-9)
    view = float(ExactPosterior(loss, prior=0.5).every_view(0.01))
    assert accounts.every_view is not None
    assert accounts.every_view.value == pytest.approx(view, rel=1e-9)
    direct, published = (accounts.after(method).value for method in ("direct", "published"))
    assert exact < view < direct < published


@pytest.mark.parametrize("promise", ["cap", "difference"])
def test_the_answer_says_whose_number_of_the_three_it_is(promise: str) -> None:
    exact = plan_view(PlanInputs(promise=promise), PLAIN)
    assert exact.answer.startswith("Read once, they ")
    assert exact.readers is not None
    who, reached, _ = exact.readers.rows[0]
    assert (who, f"at most **{reached}**" in exact.answer) == ("looks once", True)
    bound = plan_view(replace(inputs(kind="zero_concentrated", budget="0.01"), promise=promise), PLAIN)
    assert bound.answer.startswith("All releases ")


def test_what_the_named_noise_shows_is_never_said_of_any_release() -> None:
    accounts = Accounts(PlanInputs(), PLAIN)
    assert accounts.every_view is not None
    for of_this_noise in (accounts.after("exact"), accounts.every_view):
        with pytest.raises(Refused, match="scope"):
            accounts.said(of_this_noise, Scope.ANY_MECHANISM)
    assert accounts.after("exact").promise.failure_probability == 0.01
    assert accounts.said(accounts.after("direct"), Scope.ANY_MECHANISM).digits == "98 in 100"
    mixed = Accounts(PlanInputs(rows=(LedgerRow("A", "pure", "0.1"), LedgerRow("B", "geometric", "0.1"))), PLAIN)
    assert mixed.every_view is not None
    assert mixed.every_view.scope is Scope.PLAN


def test_the_inverse_gives_budgets_that_keep_the_promise() -> None:
    view = plan_view(PlanInputs(), PLAIN)
    assert view.inverse is not None
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01, direction="rise")
    each = largest_rho_each(promise, releases=58, route="gaussian")
    found = {str(row[0]): row for row in view.inverse.rows}
    continuous = found["ρ, continuous Gaussian noise exactly"]
    assert continuous[1] == "0.019"
    assert float(str(continuous[3])) <= each
    assert ExactPosterior(PrivacyLoss.of(Gaussian(rho=each), 58), prior=0.5).quantile(0.99) <= 0.99
    integer = found["ρ, discrete Gaussian noise on one count, certified"]
    for rho in (float(str(integer[1])), float(str(integer[3])), float(str(integer[2])) / 58):
        shift = promise.epsilon_prime
        assert PrivacyLoss.of(DiscreteGaussian(rho=rho), 58).exceedance(shift, direction="rise") <= 0.01


@pytest.mark.parametrize("chosen", [{}, {"every": "week", "rounds": 4}])
def test_beliefs_of_a_column_are_told_out_of_one_number_of_people(chosen: dict[str, Any]) -> None:
    view = plan_view(PlanInputs(**chosen), PLAIN)
    assert view.totals is not None
    assert view.lens is not None
    for told in ([row[2] for row in view.totals.rows], [cell for row in view.lens.rows for cell in row[2:]]):
        of = {str(cell).partition(" in ")[2] for cell in told if " in " in str(cell)}
        assert len(of) == 1, told


@pytest.mark.parametrize(("cap", "left"), [(0.99, True), (0.73, False)])
def test_the_name_of_the_limit_stands_where_no_line_crosses_it(cap: float, left: bool) -> None:
    view = plan_view(PlanInputs(cap=cap), PLAIN)
    assert [mark.left for mark in view.pictures[0].marks if isinstance(mark, Level)] == [left]


@pytest.mark.parametrize(
    ("kind", "noise"),
    [
        ("gaussian", "Gaussian noise, exact"),
        ("discrete_gaussian", "discrete Gaussian noise on one count, certified"),
        ("zero_concentrated", "any release"),
    ],
)
def test_what_each_release_could_spend_names_the_noise_it_was_computed_for(kind: str, noise: str) -> None:
    rows = (LedgerRow("One count", kind, "0.05", "", "1"),)
    view = plan_view(PlanInputs(rows=rows, rounds=2, promise="cap", prior=0.1, cap=0.25), PLAIN)
    _, amount, note = view.numbers[-1]
    assert noise in note
    promise = BeliefPromise.posterior_cap(prior=0.1, cap=0.25, delta_prime=0.01, direction="rise")
    spent = float(amount.removeprefix("ρ = "))
    failing = {
        mechanism: PrivacyLoss.of(mechanism(rho=spent), 2).exceedance(promise.epsilon_prime, direction="rise")
        for mechanism in (Gaussian, DiscreteGaussian)
    }
    assert failing[Gaussian if kind == "gaussian" else DiscreteGaussian] <= 0.01


def test_a_budget_certified_for_one_count_of_a_person_is_offered_to_no_household() -> None:
    rows = (LedgerRow("One count", "discrete_gaussian", "0.05", "", "1"),)
    promised = PlanInputs(rows=rows, rounds=2, promise="cap", prior=0.1, cap=0.25)
    for unit, note in (("person", "discrete Gaussian noise on one count, certified"), ("household", "any release")):
        assert plan_view(replace(promised, unit=unit, group=2), PLAIN).numbers[-1][2].startswith(note)


def test_a_mixed_plan_is_the_sum_of_its_rows() -> None:
    rows = (
        LedgerRow("a", "discrete_gaussian", "0.01", "", "12"),
        LedgerRow("b", "laplace", "1/10", "", "5"),
        LedgerRow("c", "geometric", "3/10", "", "1"),
    )
    plan = plan_of(rows)
    assert plan == ReleasePlan(
        (
            PlannedRelease(DiscreteGaussian(rho=0.01), 12, "a"),
            PlannedRelease(Laplace(epsilon=0.1), 5, "b"),
            PlannedRelease(Geometric(epsilon=0.3), 1, "c"),
        )
    )
    accounts = Accounts(PlanInputs(rows=rows, rounds=2, every="year", cap=0.9), PLAIN)
    assert "optimal" not in accounts.methods
    assert accounts.shifts["exact"] < accounts.shifts["direct"]


def test_nothing_is_called_exact_where_the_law_stands_on_a_grid() -> None:
    rows = (LedgerRow("a", "discrete_gaussian", "0.01", "", "1"), LedgerRow("b", "laplace", "0.1", "", "1"))
    view = plan_view(PlanInputs(rows=rows, rounds=3, cap=0.7), PLAIN)
    assert view.small_print.startswith("A close estimate")
    assert view.totals is not None
    assert ("Estimated accounting", "close estimate") in [(row[0], row[-1]) for row in view.totals.rows]
    assert view.lens is not None
    words = (view.answer, view.pictures[0].reading, *view.totals.columns, *view.lens.columns)
    words += tuple(column.name for rows in view.pictures[0].numbers.rows for column in rows.columns)
    assert not [said for said in words if "exact" in said]
    kept = plan_view(PlanInputs(rounds=3), PLAIN)
    assert kept.small_print.startswith("Exact for this noise and a reader who looks once, after 3 days,")
    assert kept.totals is not None
    assert ("Exact accounting", "exact") in [(row[0], row[-1]) for row in kept.totals.rows]


def test_the_range_of_a_row_is_that_of_one_record() -> None:
    """A count takes a record as its unit: what a person with several records adds is the promise's matter."""
    rows = plan_view(PlanInputs(unit="records", group=3), PLAIN).rows
    assert rows is not None
    assert "one number that a record moves by at most 1, or as typed" in rows.caption


def test_a_promise_alone_has_bounds_and_no_exact_law() -> None:
    view = plan_view(inputs(kind="pure", budget="0.05"), PLAIN)
    assert "exact" not in Accounts(inputs(kind="pure", budget="0.05"), PLAIN).methods
    assert view.totals.rows[-1][0] == "Any mechanisms, every view"
    view = plan_view(inputs(kind="zero_concentrated"), PLAIN)
    assert view.refusal is None
    assert view.small_print.startswith("A limit for any release with these budgets")
    view = plan_view(inputs(kind="approximate", delta="1e-9"), PLAIN)
    assert view.refusal is None
    assert all("ρ" not in str(row[0]) for row in view.totals.rows)


THREE_KINDS = (
    LedgerRow("Survey", "pure", "0.1", "", "2"),
    LedgerRow("Table", "approximate", "0.2", "1e-07", "1"),
    LedgerRow("Counts", "zero_concentrated", "0.01", "", "3"),
)


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL])
@pytest.mark.parametrize("promise", ["cap", "difference"])
def test_of_promises_alone_it_is_said_what_can_be_promised_and_never_when_it_breaks(promise: str, style: Style) -> None:
    chosen = PlanInputs(rows=THREE_KINDS, every="release", rounds=5, promise=promise, cap=0.9, difference=0.4)
    accounts, view = Accounts(chosen, style), plan_view(chosen, style)
    assert accounts.headline == "divergences"
    kept = (accounts.passings["divergences"].given or 0) - 1
    assert view.readers is not None
    assert [row[2] for row in view.readers.rows] == [f"guaranteed up to round {kept}"]
    said = (view.answer, view.small_print, *(f"{title} {note}" for title, _, note in view.numbers))
    assert not any(word in told for told in said for word in ("break", "broken", "first", "exceed"))
    assert kept == 3 or promise == "difference"


def test_where_nothing_can_be_promised_it_is_not_said_that_it_is_passed() -> None:
    view = plan_view(replace(inputs(kind="pure", budget="3"), cap=0.6, rounds=1), PLAIN)
    assert view.readers is not None
    assert [row[2] for row in view.readers.rows] == ["guaranteed for no day"]


def test_a_ledger_of_very_many_different_releases_is_answered_by_bounds_and_says_so() -> None:
    many = tuple(LedgerRow("", "discrete_gaussian", f"{0.001 * n:g}", "", "1") for n in range(1, 60))
    view = plan_view(PlanInputs(rows=many, rounds=3), PLAIN)
    assert view.refusal is None
    assert "More than 40 different releases: limits only" in view.notice
    accounts = Accounts(PlanInputs(rows=many, rounds=3), PLAIN)
    assert accounts.methods == ("published", "direct")
    assert not accounts.exact
    same = tuple(LedgerRow(f"{n}", "gaussian", "0.001", "", "1") for n in range(60))
    assert plan_view(PlanInputs(rows=same, rounds=3), PLAIN).notice == ""
    with_delta = (*many, LedgerRow("", "approximate", "0.1", "1e-9", "1"))
    assert Accounts(PlanInputs(rows=with_delta, rounds=3), PLAIN).methods == ("basic", "divergences")
    assert plan_view(PlanInputs(rows=with_delta, rounds=3), TECHNICAL).refusal is None


@pytest.mark.parametrize(("kind", "every"), zip(KINDS, EVERY + EVERY[:2], strict=True))
def test_every_kind_of_row_and_round_answers(kind: str, every: str) -> None:
    chosen = PlanInputs(rows=(LedgerRow("", kind, "0.05", "1e-9", "2"),), every=every, rounds=3, secret="value")
    assert plan_view(chosen, TECHNICAL).refusal is None


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"often": "-3"}, "Row 1 (A): how often must be from 1 to 100,000; got '-3'"),
        ({"often": "1.5"}, "Row 1 (A): how often must be a whole number; got '1.5'"),
        ({"often": "1e9"}, "how often must be from 1 to 100,000"),
        ({"budget": "0"}, "the budget must be from 1e-15 to 100; got '0'"),
        ({"budget": ""}, "the budget must be a number; the cell is empty"),
        ({"budget": "lots"}, "the budget must be a number; got 'lots'"),
        ({"kind": "approximate", "delta": "1"}, "δ must be at least 0 and less than 1; got '1'"),
        ({"kind": "approximate", "delta": "nan"}, "δ must be a finite number; got 'nan'"),
    ],
)
def test_a_bad_cell_gets_a_sentence_that_names_it(row: dict[str, str], words: str) -> None:
    refusal = plan_view(inputs(**row), PLAIN).refusal
    assert refusal is not None
    assert words in refusal


def test_bad_plans_get_a_sentence() -> None:
    assert plan_view(PlanInputs(rows=()), PLAIN).refusal == "The list must hold at least one release; got none."
    many = (LedgerRow("x", "pure", "0.1", "", "1"),) * 1_000_000
    assert plan_view(PlanInputs(rows=many), PLAIN).refusal == "The list must hold at most 200 rows; got 1,000,000."
    refusal = plan_view(PlanInputs(rounds=100_000, rows=(LedgerRow("x", "pure", "0.1", "", "2"),)), PLAIN).refusal
    assert refusal == "All rounds together must be at most 100,000 releases; got 200,000."
    refusal = plan_view(PlanInputs(prior=0.6, cap=0.5), PLAIN).refusal
    assert refusal == "The highest acceptable belief must be at least the belief before."


def test_extreme_plans_still_answer() -> None:
    assert plan_view(PlanInputs(rounds=100_000), PLAIN).refusal is None
    assert plan_view(PlanInputs(rows=(LedgerRow("x", "laplace", "100", "", "1"),)), PLAIN).refusal is None
    assert plan_view(PlanInputs(delta=0.5, failure=0.01), PLAIN).refusal is None


def test_a_ledger_comes_back_from_its_link_as_typed() -> None:
    rows = (
        LedgerRow("A ~ B!", "approximate", "1/20", "1e-9", "7"),
        LedgerRow("Zählung, 100 %", "laplace", "-3", "", "x"),
        LedgerRow("", "gaussian", "", "", "1"),
    )
    assert decode_ledger(encode_ledger(rows)) == rows
    assert decode_ledger(encode_ledger(DEFAULT_LEDGER)) == DEFAULT_LEDGER
    many = tuple(LedgerRow(f"Table {n}", "discrete_gaussian", f"0.0{n}", "", str(n)) for n in range(1, MOST_ROWS + 1))
    text = encode_ledger(many)
    assert text.startswith(".")
    assert len(text) < 4000
    assert decode_ledger(text) == many


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("q~1~1", "row 1 must be a release; got 'q~1~1'"),
        ("g~1~1~1~1~1~1", "row 1 must be a release"),
        (".notbase64!!", "must be a list of releases"),
        (".AAAA", "must be a list of releases"),
        ("!".join(["g~1"] * 1_000_000), "must hold at most 200 rows; got 1,000,000"),
        ("g~" + "9" * 61, "at most 60 characters a cell; got 61"),
    ],
)
def test_a_hostile_link_gets_a_sentence(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        decode_ledger(text)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("prior", "5e-324", "Belief before must be at least 1e-15 and less than 1"),
        ("failure", "1e-300", "Exception δ′ must be at least 1e-15 and less than 1"),
        ("delta", "1e-16", "must be at least 1e-15 and less than 1"),
        ("rows", "g~1e-300~1", "the budget must be from 1e-15 to 100; got '1e-300'"),
        ("rows", "n~0~1", "the budget must be from 1e-15 to 100; got '0'"),
    ],
)
def test_numbers_below_the_floor_get_a_sentence(name: str, text: str, words: str) -> None:
    reading = read_query(FIELDS, {name: text})
    told = [refusal.sentence for refusal in reading.refusals]
    (sentence,) = told or [plan_view(PlanInputs(**reading.values), PLAIN).refusal]
    assert words in str(sentence)


def test_a_deflated_bomb_is_not_blown_up() -> None:
    import base64
    import zlib

    bomb = "." + base64.urlsafe_b64encode(zlib.compress(b"g~1!" * 5_000_000, 9)).decode()
    with pytest.raises(ValueError, match="must be a list of releases"):
        decode_ledger(bomb)


def test_an_edited_table_is_read_as_typed() -> None:
    import pandas as pd

    frame = pd.DataFrame(
        [
            ["A", "Laplace noise (ε)", "0.1", None, "3", 30],
            [None, None, None, None, None, None],
            ["B", None, 5, float("nan"), "", ""],
        ],
        columns=["name", "kind", "budget", "delta", "often", "moved"],
        dtype="object",
    )
    assert SHEET.rows_of(frame) == (LedgerRow("A", "laplace", "0.1", "", "3", "30"), LedgerRow("B", "", "5", "", "1"))
    heads = ["How often in a round", "δ, if it has one", "What is released", "Budget of one release", "", ""]
    pasted = pd.DataFrame([heads, ["3", "", "A", "0.1", None, ""]], columns=frame.columns, dtype="object")
    assert SHEET.rows_of(pasted) == (LedgerRow("A", "", "0.1", "", "3"),)


@pytest.mark.parametrize("kind", ["geometric", "laplace", "discrete_gaussian", "gaussian"])
def test_a_row_keeps_by_how_much_a_record_moves_it(kind: str) -> None:
    """Pay from 0 to 9,000 has 9,000 times the noise of a count at the same budget, and tells as much of a secret."""
    count, pay = (plan_of((LedgerRow("Pay", kind, "0.1", "", "2", moved),)) for moved in ("", "9000"))
    wide, narrow = (plan.rows[0].source for plan in (pay, count))
    assert wide.sensitivity == 9000
    assert wide.std == pytest.approx(9000 * narrow.std, rel=0.02)
    assert (pay.relation, pay.rows[0].guarantee) == (count.relation, count.rows[0].guarantee)
    assert decode_ledger(encode_ledger((LedgerRow("Pay", kind, "0.1", "", "2", "9000"),)))[0].moved == "9000"
    for typed, refusal in (("-1", "what a record moves must"), ("x", "what a record moves must")):
        with pytest.raises(ValueError, match=refusal):
            plan_of((LedgerRow("Pay", kind, "0.1", "", "2", typed),))
    if kind in ("geometric", "discrete_gaussian"):
        with pytest.raises(ValueError, match="what a record moves must be a whole number"):
            plan_of((LedgerRow("Pay", kind, "0.1", "", "2", "2.5"),))
    else:
        assert plan_of((LedgerRow("Pay", kind, "0.1", "", "2", "2.5"),)).rows[0].source.sensitivity == 2.5


NOISES = {
    "Gaussian": "gaussian",
    "gaussian noise (ρ)": "gaussian",
    "Discrete Gaussian": "discrete_gaussian",
    "discrete-Gaussian noise": "discrete_gaussian",
    "LAPLACE": "laplace",
    "Laplacian mechanism": "laplace",
    "discrete Laplace": "geometric",
    "two-sided geometric": "geometric",
    "Randomized response": "randomised_response",
    "zCDP": "zero_concentrated",
    "any mechanism, pure ε": "pure",
    "any mechanism, (ε, δ)": "approximate",
}


@pytest.mark.parametrize(("typed", "kind"), NOISES.items())
def test_usual_names_of_noise_are_read(typed: str, kind: str) -> None:
    assert kind_read(typed) == kind


def test_every_name_of_the_list_is_read_and_none_stands_for_two_kinds() -> None:
    for kind, words in SPELLINGS.items():
        assert {kind_read(word) for word in (kind, KINDS[kind], *words)} == {kind}


@pytest.mark.parametrize("typed", ["Gaussian noise (ε)", "Gaussian, (ε, δ)", "Laplace noise (ρ)", "Exponential", "x"])
def test_noise_of_another_name_or_unit_is_refused_by_its_row_and_counts_as_nothing(typed: str) -> None:
    rows = (LedgerRow("A", "pure", "0.1"), LedgerRow("B", kind_read(typed), "0.1"))
    assert decode_ledger(encode_ledger(rows)) == rows
    refusal = str(plan_view(PlanInputs(rows=rows), PLAIN).refusal)
    assert refusal.startswith("Row 2 (B): which noise?")
    assert f"got '{typed}'" in refusal
    assert (first_fault(rows), unfinished(rows)) == (2, ())


def test_a_row_without_noise_or_budget_is_waited_for() -> None:
    for row in (LedgerRow("B", "", "0.1"), LedgerRow("B", "pure", "")):
        rows = (LedgerRow("A", "pure", "0.1"), row)
        assert plan_view(PlanInputs(rows=rows), PLAIN).refusal is not None
        assert (first_fault(rows), unfinished(rows)) == (2, (2,))
        assert decode_ledger(encode_ledger(rows)) == rows


def test_each_row_says_the_noise_it_brings_and_its_share_of_the_budget() -> None:
    rows = (
        LedgerRow("Day", "gaussian", "0.01", "", "30"),
        LedgerRow("Month", "geometric", "0.5", "", "1"),
        LedgerRow("Other", "pure", "0.1", "", "1"),
    )
    table = plan_view(PlanInputs(rows=rows, rounds=2), PLAIN).rows
    assert table is not None
    cells = {str(row[0]): row[1:] for row in table.rows}
    whole = 0.3 + 0.125 + 0.005
    assert cells["Day"] == ("± 13.9", "30", f"{100 * 0.3 / whole:.1f} %")  # 1.95996 / sqrt(0.02) = 13.859
    alpha = math.exp(-0.5)
    reach = next(k for k in range(99) if 1 - 2 * alpha ** (k + 1) / (1 + alpha) >= 0.95)
    assert cells["Month"] == (f"± {reach}", "1", f"{100 * 0.125 / whole:.1f} %")
    assert cells["Other"] == ("no noise named", "1", f"{100 * 0.005 / whole:.1f} %")
    assert "a row of ε counts as ½ε²" in table.caption
    pure = plan_view(PlanInputs(rows=rows[1:], rounds=2), PLAIN).rows
    assert pure is not None
    assert [row[3] for row in pure.rows] == ["83.3 %", "16.7 %"]
    assert "of ε" in pure.caption
    with_delta = plan_view(PlanInputs(rows=(*rows, LedgerRow("D", "approximate", "1", "1e-6")), rounds=2), PLAIN).rows
    assert with_delta is not None
    assert {row[3] for row in with_delta.rows} == {"–"}


def test_a_row_moves_by_one_place_and_stops_at_the_ends() -> None:
    a, b, c = (LedgerRow(name) for name in "abc")
    assert moved((a, b, c), 1, -1) == (b, a, c)
    assert moved((a, b, c), 1, 1) == (a, c, b)
    assert moved((a, b, c), 0, -1) == (a, b, c)


def test_longer_units_of_protection_reveal_more() -> None:
    lens = plan_view(PlanInputs(), PLAIN).lens
    assert lens is not None
    assert [row[0] for row in lens.rows] == ["1 day", "7 days", "30 days", "91 days", "365 days"]
    assert lens.caption == "For a given person, exception at most 1 in 100; belief at most"
    rhos = [float(str(row[1])) for row in lens.rows]
    assert rhos == [0.01, 0.07, 0.3, 0.91, 3.65]


@pytest.mark.parametrize(
    ("choices", "that", "first"),
    [
        ({}, "that a given person is in the data", "day 112"),
        ({"secret": "value"}, "that a given person has a certain value", "day 112"),  # one plain count moves by one
        ({"secret": "value", "released": "cells"}, "that a given person has a certain value", "day 56"),  # twice the ρ
        ({"secret": "value", "relation": "replace"}, "that a given person has a certain value", "day 112"),
        ({"unit": "household", "group": 3}, "that a given household of 3 is in the data", "day 13"),  # nine times the ρ
    ],
)
def test_the_ledger_bears_on_the_secret_that_is_asked_about(choices: dict[str, Any], that: str, first: str) -> None:
    view = plan_view(PlanInputs(**choices), PLAIN)
    assert that in view.answer
    assert view.readers is not None
    assert view.readers.rows[0][2] == f"first broken: {first}"
    assert f"{'replaces' if choices.get('relation') else 'adds or removes'} one record" in view.small_print


def test_a_guarantee_takes_the_steps_of_the_secret() -> None:
    rows = (LedgerRow("Any", "pure", "0.05", "", "1"),)
    presence, value, replaced = (
        plan_view(PlanInputs(rows=rows, cap=0.8, rounds=5, **choices), PLAIN)
        for choices in ({}, {"secret": "value"}, {"secret": "value", "relation": "replace"})
    )
    assert "**57 in 100**" in presence.answer  # five times .05
    assert "**63 in 100**" in value.answer  # five times .1
    assert "**57 in 100**" in replaced.answer
    assert "; one change adds or removes one record. Kazan" in value.small_print
    assert "the secret takes 2 such changes. One" in value.computed


def test_presence_is_not_hidden_by_replacing() -> None:
    refusal = plan_view(PlanInputs(relation="replace"), PLAIN).refusal
    assert refusal is not None
    assert "Replacing a record does not hide who is in the data" in refusal


def test_the_threshold_of_a_crossing_is_exact_and_the_exception_rounded_up() -> None:
    technical = plan_view(PlanInputs(failure=0.0149), Style(voice="technical"))
    assert "δ′ = 0.0149" in technical.answer
    assert "except with a probability of at most 2 in 100" in plan_view(PlanInputs(failure=0.0149), PLAIN).answer


def test_what_each_release_could_spend_is_told_for_one_record_or_one_step() -> None:
    """A household of three moves a count by three: a third of the ε, a ninth of the ρ; a cell is one of two."""

    def each(**choices: Any) -> float:
        view = plan_view(PlanInputs(**choices), PLAIN)
        (value,) = (number for name, number, _ in view.numbers if name == "Each release may spend")
        return float(value.partition("= ")[2])

    alone = each()
    assert each(unit="household", group=3) == pytest.approx(alone / 9, rel=0.05)
    assert each(secret="value", released="cells") == pytest.approx(alone / 2, rel=0.05)
    rows = (LedgerRow("Any", "pure", "0.05", "", "1"),)
    step, value = (each(rows=rows, cap=0.8, rounds=5, secret=secret) for secret in ("presence", "value"))
    assert value == pytest.approx(step / 2, rel=0.05)


def test_the_ledger_counts_its_own_releases_and_its_own_spending() -> None:
    view = plan_view(PlanInputs(secret="value", released="cells"), PLAIN)
    assert view.totals is not None
    assert view.inverse is not None
    assert "58 releases" in view.totals.caption
    assert "each of 58 equal releases" in view.inverse.caption
    assert [name for name, *_ in view.numbers] == ["Each release may spend"]
    assert "ρ = 0.58" in str(plan_view(PlanInputs(secret="value", released="cells"), Style(voice="technical")).numbers)
    assert "if that is so" in str(view.pictures[0].figure.layout.yaxis.title.text)


def test_what_stands_on_a_grid_is_said_with_all_that_the_grid_may_have_rounded_away() -> None:
    rows = (LedgerRow("A", "geometric", "0.3", "", "2"), LedgerRow("B", "laplace", "0.1", "", "1"))
    chosen = PlanInputs(rows=rows, rounds=4)
    accounts = Accounts(chosen, PLAIN)
    loss = accounts.whole.privacy_loss
    assert loss.certainty == "bracketed"
    upper = float(loss.loss_quantile_bracket(1 - chosen.failure)[1])
    assert accounts.largest_shift("exact") >= upper > accounts.shifts["exact"] - loss.resolution
    assert accounts.context["belief"].value >= reached_by_shift(upper, chosen.prior)
    assert accounts.largest_shift("direct") == accounts.shifts["direct"]


def test_a_plan_with_answers_that_show_who_gave_them_is_asked_about_a_value() -> None:
    rows = (LedgerRow("Survey", "randomised_response", "0.5", "", "6"), LedgerRow("Count", "geometric", "0.1", "", "1"))
    for told in (plan_view(PlanInputs(rows=rows), PLAIN), plan_summary(PlanInputs(rows=rows), PLAIN)):
        assert told.refusal is not None
        assert re.match("Randomised response hides a value, not who is in the data", told.refusal)
    assert plan_view(PlanInputs(rows=rows[:1], rounds=1, secret="value"), PLAIN).refusal is None
    assert plan_view(PlanInputs(rows=rows[1:], rounds=1), PLAIN).refusal is None


@pytest.mark.parametrize(
    ("choices", "steps"),
    [
        ({}, 1),
        ({"secret": "value"}, 2),
        ({"secret": "value", "released": "cells"}, 2),
        ({"secret": "value", "relation": "replace"}, 1),
        ({"secret": "value", "unit": "household", "group": 3}, 6),
    ],
)
@pytest.mark.parametrize("kind", ["gaussian", "geometric", "pure", "zero_concentrated"])
def test_what_any_mechanism_may_do_is_reckoned_from_the_budgets_as_typed_over_all_steps(
    choices: dict[str, Any], steps: int, kind: str
) -> None:
    """For a value that is another record removed and added, one count's noise moves by one step and 0.013 was said."""
    chosen = PlanInputs(rows=(LedgerRow("Count", kind, "0.01", "", "1"),), **choices)
    accounts = Accounts(chosen, PLAIN)
    step = ZeroConcentratedDP(rho=0.01 if kind in BY_RHO else 0.01**2 / 2)
    direct = step.for_group(steps)
    rule = PlanRule(ReleasePlan.repeated(direct, 58), "direct")
    assert accounts.shifts["direct"] == pytest.approx(rule.shift(1, delta_prime=0.01, direction="rise"), rel=1e-9)
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01, direction="rise")
    any_each = largest_rho_each(promise, releases=58) / steps**2
    view = plan_view(chosen, PLAIN)
    assert view.inverse is not None
    row = next(row for row in view.inverse.rows if row[0] == "ρ, direct bound for any mechanism")
    assert float(str(row[-1])) == pytest.approx(any_each, rel=1e-6)
    assert float(str(row[-1])) <= any_each
    if kind == "gaussian":
        assert view.numbers[-1][2].endswith(f"; any release: {rounded_budget(any_each)}")
    if steps == 2 and kind == "gaussian":
        assert "any release: 0.0033" in view.numbers[-1][2]


def test_noise_on_each_cell_of_a_table_is_two_steps_of_noise_where_a_record_is_replaced() -> None:
    chosen = PlanInputs(secret="value", relation="replace", released="cells")
    accounts = Accounts(chosen, PLAIN)
    assert accounts.of_any.rows[0].source == ZeroConcentratedDP(rho=0.02, relation="replace")
    assert accounts.shifts["exact"] <= accounts.shifts["direct"]
    assert "any release: 0.0067" in plan_view(chosen, PLAIN).numbers[-1][2]


def test_a_survey_with_coins_is_about_an_answer_that_another_one_replaces() -> None:
    coins = LedgerRow("Survey", "randomised_response", "0.5", "", "1")
    for style, words in (
        (PLAIN, "one change replaces one answer"),
        (TECHNICAL, "one answer replaced by another"),
    ):
        alone = plan_view(PlanInputs(rows=(coins,), secret="value", rounds=3, unit="household", group=2), style)
        assert words in alone.small_print
        assert "adds or removes" not in alone.small_print
        assert "unbounded" not in alone.small_print
        both = plan_view(PlanInputs(rows=(coins, LedgerRow("Count", "geometric", "0.1")), secret="value"), style)
        assert say("plan", style.voice, "answers_too") in both.small_print
    one = Accounts(PlanInputs(rows=(coins,), secret="value", rounds=3, unit="household", group=2), PLAIN)
    assert one.shifts["basic"] == pytest.approx(3 * 2 * 0.5)  # an answer of each of two, three times


def test_a_longer_time_is_told_for_whom_the_promise_is_about_by_the_best_rule_for_any_mechanism() -> None:
    chosen = PlanInputs(rows=(LedgerRow("Count", "pure", "0.1", "", "1"),), every="month", unit="household", group=4)
    accounts, lens = Accounts(chosen, PLAIN), plan_view(chosen, PLAIN).lens
    assert lens is not None
    assert lens.columns[1] == "ρ of one record"
    assert lens.caption.startswith("For a given household of 4")
    shifts = [min(accounts.shift(method, rounds) for method in accounts.methods) for rounds in LENSES["month"]]
    beliefs = [float(reached_by_shift(shift, chosen.prior)) for shift in shifts]
    for row, rounds, reached in zip(lens.rows, LENSES["month"], beliefs, strict=True):
        assert row[0] == accounts.rounds(rounds)
        told = Upper(reached, in_people(people_for(*beliefs))).digits
        assert row[2] == ("no useful limit" if limits_nothing(reached) else told)
    assert lens.rows[-1][2] == "no useful limit"
    assert accounts.best_bound_after(1) == "basic"  # for one round nothing beats addition: e^.4
    assert lens.rows[0][2] == "599 in 1,000"


def test_a_limit_next_to_certainty_is_told_as_none() -> None:
    rows = (LedgerRow("Count", "pure", "30", "", "1"),)
    view = plan_view(PlanInputs(rows=rows, rounds=1, prior=0.5), PLAIN)
    assert view.answer.startswith("**No useful limit: nearly 100 in 100**. Whoever thinks it **50 in 100** likely")
    assert view.readers is not None
    assert view.readers.rows[-1][1] == "no useful limit"
    below = plan_view(PlanInputs(rows=(LedgerRow("Count", "pure", "9", "", "1"),), rounds=1, prior=0.5), PLAIN)
    assert "at most **9,999 in 10,000**" in below.answer


@each("rounds, whole", [(1, True), (3, True), (58, False)])
def test_the_rounds_of_a_short_plan_are_numbered_one_by_one(rounds: int, whole: bool) -> None:
    view = plan_view(PlanInputs(rows=(LedgerRow("A", "gaussian", "0.3", "", "1"),), rounds=rounds), PLAIN)
    assert (view.pictures[0].panels[0].x.every == 1.0) is whole


def test_quantiles_of_the_picture_are_named_in_times_out_of_a_hundred() -> None:
    names = [column.name for column in plan_view(PlanInputs(), PLAIN).pictures[0].numbers.rows[0].columns]
    assert {"5 of 100 times below", "half the time below", "99 of 100 times below"} < set(names)
    names = [column.name for column in plan_view(PlanInputs(failure=0.0015), PLAIN).pictures[0].numbers.rows[0].columns]
    assert "9,985 of 10,000 times below" in names


@pytest.mark.parametrize("budget", ["0.005", "0.01", "0.03", "0.3"])
def test_every_belief_of_an_answer_and_of_a_row_is_told_out_of_one_number_of_people(budget: str) -> None:
    view = plan_view(PlanInputs(rows=(LedgerRow("Counts", "gaussian", budget),)), PLAIN)
    assert view.readers is not None
    assert view.lens is not None
    answer = view.answer.partition(", except")[0]
    told = [[answer, *(row[1] for row in view.readers.rows)], *(row[2:] for row in view.lens.rows)]
    for group in told:
        people = {
            found for cell in group for found in re.findall(r"\d in ([\d,]*\d)", str(cell)) if "nearly" not in str(cell)
        }
        assert len(people) <= 1, group


def test_one_number_says_all_that_is_released_for_sums_of_rho_and_for_one_epsilon_alone() -> None:
    rho, pure = ZeroConcentratedDP(rho=0.1), PureDP(epsilon=0.5)
    approximate = ApproximateDP(epsilon=0.5, delta=1e-6)
    assert whole_step(ReleasePlan((PlannedRelease(rho, 3),))).rho == pytest.approx(0.3)
    assert whole_step(ReleasePlan((PlannedRelease(pure, 1),))) == pure
    for sources in ((pure, 2), (approximate, 1)):
        assert whole_step(ReleasePlan((PlannedRelease(*sources),))) is None
    assert whole_step(ReleasePlan((PlannedRelease(pure, 1), PlannedRelease(rho, 1)))) is None
