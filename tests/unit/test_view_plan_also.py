"""A mechanism of one's own released beside the rows of *Several releases*: in every number, or refused by name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.mechanisms import Curve, EstimatedCurve, ExponentialMechanism, KnownCurve, SubsampledGaussian
from dpcore.scope import Scope
from dpcore.semantics import largest_difference, posterior_upper
from riskline.case.releases import LedgerRow, plan_of
from riskline.commands.plan import answer
from ui.pictures.style import Style
from ui.views.explain import ExplainInputs
from ui.views.plan import PlanInputs, plan_summary, plan_view
from ui.views.plan.accounts import Accounts
from ui.views.shared.own_mechanism import CURVE_KINDS, MechanismChoice
from ui.words.quantities import Exact, Upper

PLAIN, TECHNICAL = Style(), Style(voice="technical")
TRAINING: dict[str, Any] = {"also": "subsampled_gaussian", "steps": 100}
FILE = KnownCurve(epsilons=(1.0, 0.2), deltas=(0.0, 0.3))
ROWS = st.lists(
    st.builds(
        LedgerRow,
        st.just("A"),
        st.sampled_from(["gaussian", "laplace", "geometric", "pure"]),
        st.sampled_from(["0.01", "0.1"]),
        st.just(""),
        st.sampled_from(["1", "3"]),
    ),
    min_size=1,
    max_size=2,
).map(tuple)


def accounts_of(own: Curve | None = None, **chosen: Any) -> Accounts:
    return Accounts(PlanInputs(**chosen), PLAIN, own=own)


@given(rows=ROWS, rounds=st.integers(1, 40), promise=st.sampled_from(["cap", "difference"]))
@settings(max_examples=8, deadline=None)
def test_the_pages_numbers_are_those_of_the_plan_with_the_mechanism_once(rows: Any, rounds: int, promise: str) -> None:
    for kind, source in (
        ("subsampled_gaussian", SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=100)),
        ("exponential", ExponentialMechanism(epsilon=1.0)),
    ):
        accounts = accounts_of(rows=rows, rounds=rounds, promise=promise, also=kind, steps=100)
        whole = ReleasePlan((*plan_of(rows).times(rounds).rows, PlannedRelease(source)))
        assert accounts.headline == "every_view"
        assert accounts.rule("every_view").total(rounds) == whole.exact_epsilon(accounts.inputs.delta)
        assert accounts.rule("basic").total(rounds) >= accounts.rule("every_view").total(rounds)
        shift = whole.privacy_loss.every_view_epsilon(accounts.inputs.failure)
        found = accounts.after("every_view").value
        if promise == "cap":
            assert found == posterior_upper(prior=0.5, epsilon=shift)
        else:  # rises and falls of any belief
            assert found >= largest_difference(epsilon=shift)


def test_it_is_in_the_answer_the_total_the_tables_and_the_python_lines() -> None:
    view, without = plan_view(PlanInputs(**TRAINING), PLAIN), plan_view(PlanInputs(), PLAIN)
    assert view.answer.startswith("With noisy training (DP-SGD), they raise a belief of **50 in 100**")
    assert "noisy training (σ = 1, q = 0.01, 100 steps)" in view.small_print
    assert view.numbers[0][0] == "total ε"
    assert view.rows is not None
    assert view.rows.rows[-1] == ("noisy training (σ = 1, q = 0.01, 100 steps)", "–", "once", "–")
    assert view.totals is not None
    assert "59 releases" in view.totals.caption
    assert view.readers is not None
    assert view.readers.rows[0][0] == "These mechanisms, every view"
    assert (view.inverse, view.stated) == (None, ())
    assert "Refused beside noisy training" in view.notice
    assert without.inverse is not None
    assert view.python is not None
    names: dict[str, Any] = {}
    exec(view.python.text, names)
    assert names["answer"] == accounts_of(**TRAINING).after("every_view").value


def test_a_secret_of_two_steps_takes_the_curve_of_two() -> None:
    one, two = accounts_of(**TRAINING), accounts_of(**TRAINING, secret="value")
    assert two.once is not None
    rows = two.plan.rows
    assert (
        two.once.privacy_loss.epsilon_at(1e-5)
        > SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=100).epsilon_bounds(1e-5)[1]
    )
    assert two.rule("every_view").total(58) == ReleasePlan(
        (*ReleasePlan(rows).times(58).rows, *two.once.rows)
    ).exact_epsilon(1e-6)
    assert two.after("every_view").value > one.after("every_view").value
    view = plan_view(two.inputs, TECHNICAL)
    assert view.python is not None
    names: dict[str, Any] = {}
    exec(view.python.text, names)
    assert names["answer"] == pytest.approx(two.after("every_view").value, rel=1e-12)


def test_shuffled_answers_are_steps_of_their_own_and_hide_no_presence() -> None:
    chosen: dict[str, Any] = {"also": "shuffled_response", "people": 500, "unit": "household", "group": 2}
    refused = plan_view(PlanInputs(**chosen, secret="presence"), PLAIN).refusal
    assert refused == "Randomised response hides a value, not who is in the data."
    accounts = accounts_of(**chosen, secret="value", relation="replace")
    assert accounts.whose_also.steps == 2
    view = plan_view(accounts.inputs, PLAIN)
    assert "One change replaces one coin answer; taking part is visible." in view.small_print
    coins = (LedgerRow("A", "randomised_response", "0.5"),)
    assert accounts_of(**chosen, secret="value", rows=coins).answers
    assert not accounts_of(**TRAINING, secret="value", rows=coins).answers


def test_the_mechanism_of_a_file_is_a_release_like_the_others() -> None:
    inputs = PlanInputs(also="own_mechanism")
    assert plan_view(inputs, PLAIN).refusal == "A link holds no file: give the mechanism's."
    view = plan_view(inputs, PLAIN, FILE)
    assert view.refusal is None
    assert "a mechanism in your file" in view.answer
    whole = ReleasePlan((*plan_of(inputs.rows).times(58).rows, PlannedRelease(FILE)))
    assert accounts_of(FILE, also="own_mechanism").rule("every_view").total(58) == whole.exact_epsilon(1e-6)
    drawn = EstimatedCurve.of_draws([0.1, -0.1])
    assert plan_view(inputs, PLAIN, drawn).refusal == "Simulated losses are estimates, and bound no sum."
    long = KnownCurve(epsilons=tuple(x / 50 for x in range(100)), deltas=tuple(0.5 / (1 + x) for x in range(100)))
    assert plan_view(inputs, PLAIN, long).python is None
    assert "file" in str(plan_summary(inputs, PLAIN).refusal)


def test_what_does_not_add_up_is_refused_by_name() -> None:
    refused = plan_view(PlanInputs(**TRAINING, relation="replace", secret="value"), PLAIN).refusal
    assert refused == "One change must be a record added or removed."
    by_rho = (LedgerRow("Tables", "zero_concentrated", "0.01"),)
    accounts = accounts_of(**TRAINING, rows=by_rho, rounds=2)
    assert accounts.methods == ("basic", "advanced")
    view = plan_view(accounts.inputs, PLAIN)
    assert "Rows of ρ add up with it only as ε" in view.notice
    assert accounts.scope is Scope.ANY_MECHANISM
    assert "any release with these budgets" in view.small_print
    named = accounts_of(**TRAINING)
    assert not {"direct", "published", "divergences", "optimal", "exact"} & set(named.methods)
    assert "Rows of ρ" not in plan_view(named.inputs, PLAIN).notice


def test_summary_and_command_say_the_same() -> None:
    inputs = PlanInputs(**TRAINING)
    view = plan_view(inputs, PLAIN)
    told = plan_summary(inputs, PLAIN)
    assert told.answer == view.answer
    assert told.rows is not None
    assert told.rows.rows[-1][1] == "noisy training (DP-SGD)"
    said = answer(inputs, PLAIN)
    assert said.sentence == view.answer
    total, releases = said.quantities["total_epsilon"], said.quantities["releases"]
    assert isinstance(total, Upper)
    assert total.value == accounts_of(**TRAINING).rule("every_view").total(58)
    assert isinstance(releases, Exact)
    assert releases.value == 59
    assert any("Refused beside" in note for note in said.notes)


def test_parameters_are_declared_once_for_both_pages() -> None:
    shared = set(MechanismChoice.__dataclass_fields__)
    assert shared == {"epsilon", "noise_multiplier", "rate", "steps", "people"}
    for page in (ExplainInputs, PlanInputs):
        assert issubclass(page, MechanismChoice)
        assert not shared & set(page.__annotations__)
    assert {
        kind: MechanismChoice().curve_of(kind, FILE) is not None for kind in (*CURVE_KINDS, "nothing")
    } == dict.fromkeys(CURVE_KINDS, True) | {"nothing": False}
