"""Laws of profiles: the answer is below every prior's own epsilon, a higher line never costs budget, forms agree."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dpcore.profiles import (
    Axis,
    Box,
    Boxes,
    CapOrRatio,
    Constant,
    DrawnGrid,
    DrawnLine,
    ExpressionProfile,
    InfeasibleProfile,
    LargestIncrease,
    RiskProfile,
    Status,
    largest_epsilon,
    reachable_posterior,
)

beliefs = st.floats(1e-9, 1.0)
shares = st.floats(0.0, 1.0)
ratios = st.floats(1.0, 50.0)
exponents = st.sampled_from([2.0, 1.0, 1.5, 0.5])
ONE_STEP_FREE = DrawnLine(  # its first step asks for something, its second for nothing
    [(0.25, 0.45703125), (0.5, 0), (0.5, 0), (0.5, 0), (0.5, 0.625), (1, 0)],
    kind="increase",
    interpolation="step",
    along="membership",
    held=0.75,
)


@st.composite
def drawn_lines(draw: st.DrawFn) -> DrawnLine:
    """Lines of every kind, with jumps, nodes at the ends of the scale, and caps that touch the prior."""
    prior = sorted(
        draw(st.lists(st.one_of(beliefs, st.sampled_from([1e-12, 0.5, 1 - 1e-12, 1.0])), min_size=1, max_size=6))
    )
    held = draw(st.one_of(st.just(1.0), st.floats(0.01, 1.0)))
    kind = draw(st.sampled_from(["posterior", "ratio", "increase"]))
    x = np.array(prior) * held
    rise = np.array(draw(st.lists(shares, min_size=len(prior), max_size=len(prior)))) ** 2
    cap = x + (1.0 - x) * rise
    value = {"posterior": np.maximum(cap, x), "ratio": np.maximum(cap / x, 1.0), "increase": np.maximum(cap - x, 0.0)}[
        kind
    ]
    try:
        return DrawnLine(
            list(zip(prior, value, strict=True)),
            kind=kind,
            interpolation=draw(st.sampled_from(["posterior", "ratio", "log-log", "step"])),
            along=draw(st.sampled_from(["membership", "value"])),
            held=held,
            outside=draw(st.sampled_from(["no requirement", "extend"])),
        )
    except InfeasibleProfile:  # a step or an extended cap that ends below the prior
        assume(False)
        raise


def _dense(line: DrawnLine) -> np.ndarray:
    """Places all along a line, crowded around its nodes and towards both ends."""
    nodes = np.array(line.nodes)[:, 0]
    low, high = (nodes[0], nodes[-1]) if line.outside == "no requirement" else (1e-13, 1.0)
    around = (nodes[:, None] * (1 + np.concatenate([-(steps := np.geomspace(1e-13, 0.3, 30)), [0.0], steps]))).ravel()
    places = np.concatenate(
        [np.linspace(low, high, 2001), np.geomspace(low, high, 801), around, 1 - np.geomspace(1e-13, 0.5, 60)]
    )
    return np.clip(places, low, high)


@example(line=DrawnLine(((0.5, 0.625), (1 - 1e-16, 1.0)), along="membership"), exponent=1.0)
@example(line=ONE_STEP_FREE, exponent=2.0)
@given(line=drawn_lines(), exponent=exponents)
def test_no_dense_scan_finds_a_smaller_epsilon_and_none_stays_far_above(line: DrawnLine, exponent: float) -> None:
    answer = line.implied_epsilon(value_exponent=exponent)
    places = _dense(line)
    own = np.asarray(answer.largest_epsilon(places))
    sure = places * line.held < 1 - 1e-9  # nearer to certainty 1 - posterior has no digits left to scan with
    scanned = np.min(own[sure], initial=np.inf)
    # where ratio times prior is 1 all along, its rounding in the scan leaves a large epsilon
    assert answer.epsilon <= scanned * (1 + 1e-9) + 1e-13 or (np.isinf(answer.epsilon) and scanned > 10)
    if np.isfinite(answer.epsilon):
        assert answer.epsilon >= np.min(own) * (1 - 0.02) - 1e-4  # the scan comes close


@given(line=drawn_lines())
def test_the_binding_prior_has_the_answer_as_its_own_epsilon(line: DrawnLine) -> None:
    answer = line.implied_epsilon()
    if answer.status is Status.BINDS and answer.attained:
        place = answer.binding.membership_prior if line.along == "membership" else answer.binding.value_prior
        assert line.largest_epsilon(place) == pytest.approx(answer.epsilon, rel=1e-9)


@given(line=drawn_lines(), exponent=exponents)
def test_the_reachable_curve_stays_under_the_line(line: DrawnLine, exponent: float) -> None:
    answer = line.implied_epsilon(value_exponent=exponent)
    places = _dense(line)[::7]
    assert np.all(answer.reachable(places) <= line.highest_posterior(places) * (1 + 1e-9) + 1e-12)


@given(line=drawn_lines(), lift=shares)
def test_raising_the_line_never_lowers_epsilon(line: DrawnLine, lift: float) -> None:
    assume(line.interpolation in ("posterior", "step"))
    x = np.array(line.nodes)[:, 0] * line.held
    value = np.array(line.nodes)[:, 1]
    ceiling = {"posterior": np.ones(x.size), "ratio": np.maximum(1 / x, value), "increase": np.maximum(1 - x, value)}
    higher = value + lift * (ceiling[line.kind] - value)
    raised = DrawnLine(
        list(zip(np.array(line.nodes)[:, 0], np.maximum(higher, value), strict=True)),
        kind=line.kind,
        interpolation=line.interpolation,
        along=line.along,
        held=line.held,
        outside=line.outside,
    )
    assert raised.implied_epsilon().epsilon >= line.implied_epsilon().epsilon * (1 - 1e-12)


@given(p=beliefs, q=beliefs, ratio=ratios, cap=st.floats(0.0, 0.99), increase=st.floats(1e-6, 0.99), exponent=exponents)
def test_templates_are_below_every_priors_own_epsilon(
    p: float, q: float, ratio: float, cap: float, increase: float, exponent: float
) -> None:
    templates: list[RiskProfile] = [
        Constant(ratio, value_prior="any"),
        CapOrRatio(cap, ratio, value_prior="any"),
        LargestIncrease(increase, value_prior="any"),
        Boxes((Box(ratio, (0.0, p), (0.0, q)), Box(ratio, (p, 1.0), (q, 1.0)))),
    ]
    for profile in templates:
        answer = profile.implied_epsilon(value_exponent=exponent)
        # a prior's own epsilon above 30 is a difference of caps within 1e-13 of certainty: its digits end at 1e-8
        assert answer.epsilon <= answer.largest_epsilon(p, q) * (1 + 1e-8)
    for line in (
        Constant(ratio, value_prior=q),
        CapOrRatio(cap, ratio, value_prior=q),
        LargestIncrease(increase, value_prior=q),
        CapOrRatio(cap, ratio, membership_prior=q),
        LargestIncrease(increase, membership_prior=q),
    ):
        assert line.implied_epsilon(value_exponent=exponent).epsilon <= line.largest_epsilon(
            p, value_exponent=exponent
        ) * (1 + 1e-10)


@given(ratio=st.floats(1.001, 50.0), cap=st.floats(0.001, 0.99), held=st.floats(0.01, 1.0), along=st.booleans())
def test_a_template_drawn_through_its_nodes_is_the_same_profile(
    ratio: float, cap: float, held: float, along: bool
) -> None:
    switch = cap / ratio / held
    name, other = ("membership", "value_prior") if along else ("value", "membership_prior")
    if switch >= 1.0:
        nodes = [(1e-9, cap / (1e-9 * held)), (1.0, max(cap / held, 1.0))]
    else:
        nodes = [(1e-9 * switch, cap / (1e-9 * switch * held)), (switch, ratio), (1.0, ratio)]
    drawn = DrawnLine(nodes, kind="ratio", interpolation="log-log", along=name, held=held)
    template = CapOrRatio(cap, ratio, **{other: held})
    assert drawn.implied_epsilon().epsilon == pytest.approx(template.implied_epsilon().epsilon, rel=1e-9)


@settings(max_examples=10)
@example(intercept=0.22390388943371756, slope=1.3979696848155285)  # its end is 1 + 2.2e-16 in floating point
@given(intercept=st.floats(0.01, 0.9), slope=st.floats(0.01, 1.5))
def test_the_log_odds_identity_gives_the_product_profile_half_the_line(intercept: float, slope: float) -> None:
    assume(intercept + slope >= 1.0)
    end = min((1.0 - intercept) / slope, 1.0)
    line = DrawnLine(
        [(1e-9, intercept + slope * 1e-9), (end, min(intercept + slope * end, 1.0))]
        if end < 1
        else [(1e-9, intercept + slope * 1e-9), (1.0, 1.0)],
        along="membership",
    )
    product = ExpressionProfile(f"{intercept!r} + {slope!r}*x", kind="posterior").implied_epsilon()
    assert product.lower <= line.implied_epsilon().epsilon / 2 * (1 + 1e-9)
    assert product.epsilon == pytest.approx(line.implied_epsilon().epsilon / 2, rel=1e-4)


@given(
    p=st.lists(beliefs, min_size=3, max_size=3, unique=True),
    q=st.lists(beliefs, min_size=2, max_size=2, unique=True),
    values=st.lists(ratios, min_size=6, max_size=6),
    at=st.lists(shares, min_size=8, max_size=8),
)
def test_a_grid_is_decided_at_a_node(p: list[float], q: list[float], values: list[float], at: list[float]) -> None:
    grid = DrawnGrid(membership_priors=sorted(p), value_priors=sorted(q), ratios=np.reshape(values, (3, 2)))
    answer = grid.implied_epsilon()
    inside_p = min(p) + (max(p) - min(p)) * np.array(at[:4])
    inside_q = min(q) + (max(q) - min(q)) * np.array(at[4:])
    assert np.all(answer.epsilon <= answer.largest_epsilon(inside_p, inside_q) * (1 + 1e-9) + 1e-13)


@settings(max_examples=12)
@given(ratio=st.floats(1.01, 20.0), cap=st.floats(0.01, 0.95), exponent=st.sampled_from([2.0, 1.5]))
def test_branch_and_bound_brackets_the_closed_form(ratio: float, cap: float, exponent: float) -> None:
    found = ExpressionProfile(f"max({cap!r}/(p*q), {ratio!r})").implied_epsilon(value_exponent=exponent)
    exact = CapOrRatio(cap, ratio, value_prior="any").implied_epsilon(value_exponent=exponent).epsilon
    assert found.lower <= exact * (1 + 1e-13)
    assert found.epsilon == pytest.approx(exact, rel=1e-8)


coefficients = st.floats(0.0, 3.0)
texts = st.one_of(
    st.builds(
        "1 + {}*exp(-((p-{})^2+(q-{})^2)/{}) + {}*p*(1-q)".format,
        coefficients,
        shares,
        shares,
        st.floats(1e-3, 2.0),
        coefficients,
    ).map(lambda text: (text, "ratio")),
    st.builds("1.001 + abs(p-{}) + {}*sqrt(q) + {}*(p-q)^2".format, shares, coefficients, coefficients).map(
        lambda text: (text, "ratio")
    ),
    st.builds("x + (1-x)*({} + {}*x^2)/4".format, shares, coefficients).map(lambda text: (text, "posterior")),
    st.builds("max({}*p, min({}, q/2), 0.01)".format, shares, shares).map(lambda text: (text, "increase")),
)


@settings(max_examples=8)
@given(written=texts, exponent=st.sampled_from([2.0, 1.0, 0.7]), at=st.lists(beliefs, min_size=4, max_size=4))
def test_what_is_certified_holds_at_every_place_looked_at(
    written: tuple[str, str], exponent: float, at: list[float]
) -> None:
    profile = ExpressionProfile(written[0], kind=written[1])
    answer = profile.implied_epsilon(value_exponent=exponent)
    grid = np.concatenate([np.arange(1, 61) / 60, np.geomspace(1e-9, 1e-2, 12), at])
    p, q = (axis.ravel() for axis in np.meshgrid(grid, grid))
    looked = np.min(answer.largest_epsilon(p, q))
    assert answer.lower <= looked * (1 + 1e-9) + 1e-15
    assert answer.lower == 0.0 or answer.lower >= answer.epsilon * (1 - 1.1e-3) - 1e-12
    if answer.attained and answer.status is Status.BINDS:
        there = answer.largest_epsilon(answer.binding.membership_prior, answer.binding.value_prior)
        assert answer.epsilon == pytest.approx(there, rel=1e-6, abs=1e-12)


@given(p=beliefs, q=beliefs, epsilon=st.floats(1e-9, 30.0), exponent=exponents)
def test_the_largest_epsilon_inverts_the_reachable_posterior(
    p: float, q: float, epsilon: float, exponent: float
) -> None:
    at = {"membership_prior": p, "value_prior": q}
    posterior = reachable_posterior(**at, epsilon=epsilon, value_exponent=exponent)
    assume(p * q < posterior < 1 - 1e-6 and posterior - p * q > 1e-6 * p * q)
    back = largest_epsilon(**at, posterior_cap=posterior, value_exponent=exponent)
    assert math.isclose(back, epsilon, rel_tol=1e-6)


@given(
    low=st.floats(0.0, 0.4),
    high=st.floats(0.5, 1.0),
    held=st.none() | st.floats(0.01, 1.0),
    along=st.booleans(),
    epsilon=st.floats(0.0, 5.0),
    exponent=exponents,
)
def test_the_largest_ratio_is_reached_by_some_belief_and_passed_by_none(
    low: float, high: float, held: float | None, along: bool, epsilon: float, exponent: float
) -> None:
    """Also where the profile asks for nothing: a box says nothing of the beliefs outside it."""
    ends, fixed = (low, high), (held, held)
    if held is None:
        profile = Box(3, ends, ends)
    else:
        profile = Box(3, ends, fixed) if along else Box(3, fixed, ends)  # type: ignore[arg-type]
    answer = profile.implied_epsilon(value_exponent=exponent)
    every = np.geomspace(1e-14, 1, 60)
    membership, value = (axis.ravel() for axis in np.meshgrid(every, every))
    if profile.fixed is not None:
        membership, value = (
            (every, np.full(60, held)) if profile.axis is Axis.MEMBERSHIP else (np.full(60, held), every)
        )
    ratios = 1 / (
        membership * value
        + membership * (1 - value) * np.exp(-exponent * epsilon)
        + (1 - membership) * np.exp(-epsilon)
    )
    largest = answer.largest_ratio(epsilon=epsilon)
    assert (ratios <= largest * (1 + 1e-12)).all()
    assert ratios.max() == pytest.approx(largest, rel=1e-6)


@given(p=st.lists(beliefs, min_size=1, max_size=5), q=beliefs, ratio=ratios, exponent=exponents)
def test_an_array_of_priors_is_the_priors_one_by_one(p: list[float], q: float, ratio: float, exponent: float) -> None:
    together = largest_epsilon(membership_prior=p, value_prior=q, ratio_bound=ratio, value_exponent=exponent)
    alone = [
        largest_epsilon(membership_prior=one, value_prior=q, ratio_bound=ratio, value_exponent=exponent) for one in p
    ]
    assert together.tolist() == pytest.approx(alone, rel=1e-14)
    assert all(isinstance(value, float) for value in alone)
