"""Every reference case: the number agrees within its tolerance, or the input is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpcore.errors import Refused
from tests.each import each
from tests.reference.public_information import UNDETERMINED
from tests.reference.runner import AREAS, compute
from tests.reference.written_cases import CASES


def _number(value: Any) -> float:
    return {"inf": math.inf, "-inf": -math.inf}[value] if isinstance(value, str) else float(value)


def _in_absolute_terms(tolerance: Any, expected: dict[str, Any]) -> Any:
    """Tolerances given as a fraction of the standard deviations that stand beside the expected values."""
    if isinstance(tolerance, dict) and "sd_fraction" in tolerance:
        return {name: {"abs": tolerance["sd_fraction"] * sd} for name, sd in expected["sd"].items()}
    return tolerance


def _tolerance_of(tolerance: dict[str, Any], part: str | int) -> Any:
    """The tolerance of one field ("mean_abs", or an object of its own) or of one item (a list of tolerances)."""
    if isinstance(part, int):
        return {side: value[part] if isinstance(value, list) else value for side, value in tolerance.items()}
    named = {side: tolerance[f"{part}_{side}"] for side in ("abs", "rel") if f"{part}_{side}" in tolerance}
    return tolerance.get(part, named or tolerance)


def _agrees(actual: Any, expected: Any, tolerance: Any) -> bool:
    if isinstance(expected, dict):
        tolerance = {name: _in_absolute_terms(part, expected) for name, part in (tolerance or {}).items()}
        return set(actual) == set(expected) and all(
            _agrees(actual[key], expected[key], _tolerance_of(tolerance, key)) for key in expected
        )
    if isinstance(expected, list):
        return len(actual) == len(expected) and all(
            _agrees(left, right, tolerance[i] if isinstance(tolerance, list) else _tolerance_of(tolerance, i))
            for i, (left, right) in enumerate(zip(actual, expected, strict=True))
        )
    if (
        isinstance(expected, bool)
        or expected is None
        or (isinstance(expected, str) and expected not in ("inf", "-inf"))
    ):
        return actual == expected
    wanted, got = _number(expected), _number(actual)
    if math.isinf(wanted):
        return got == wanted
    error = abs(got - wanted)
    return error <= tolerance.get("abs", 0) or error <= tolerance.get("rel", 0) * abs(wanted)


def _shape(answer: Any) -> Any:
    """Keys, lengths, which numbers are zero, and which lists are distributions."""
    if isinstance(answer, dict):
        return {key: _shape(value) for key, value in answer.items()}
    if isinstance(answer, list):
        return len(answer), all(item >= 0 for item in answer), round(sum(answer), 9)
    return answer == 0


NO_CALL = ("A300", "INV-BASE-11")
"""Refused cases that name what no call of dpcore can be asked: another kind of prior, a total beside its own table."""


SIMULATED_MORE = (*(f"BAY-SIM-{number}" for number in ("03", "05", "09", "11", "15", "17")), "BAY-REG-11", "BAY-REG-15")
"""Draws of seconds that differ from others of their kind in sizes and budgets alone: with --study."""


def _area(case: dict[str, Any]) -> str:
    return str(case["kind"]).partition(":")[0]


@pytest.mark.parametrize("area", sorted({_area(case) for case in CASES}))
def test_dpcore_answers_the_cases_of_an_area(area: str) -> None:
    cases = [case for case in CASES if _area(case) == area and case["id"] not in SIMULATED_MORE]
    each("case", cases, ids=lambda case: f"{case['id']}-{case['kind']}")(_is_answered)()


@pytest.mark.study
@pytest.mark.parametrize("case", [case for case in CASES if case["id"] in SIMULATED_MORE], ids=lambda case: case["id"])
def test_dpcore_answers_further_simulated_cases(case: dict[str, Any]) -> None:
    _is_answered(case)


def test_kinds_that_only_the_notes_name_are_answered() -> None:
    block = {"secret": "race", "levels": ["block"]}
    guess = compute("census:right_guess", {**block, "prior": 0.5})
    assert compute("census:advantage", block) == pytest.approx(2 * guess - 1, abs=1e-6)
    epsilon = compute("census:epsilon", {**block, "delta": 1e-6})
    assert compute("census:delta_at", {**block, "epsilon": epsilon}) == pytest.approx(1e-6, rel=1e-4)


UNKNOWN_WORDS: list[tuple[str, dict[str, Any]]] = [
    ("attack:marginal_posterior", {"rho": 0.1, "p": 0.5, "truth": "x"}),
    ("audit:power", {"noise": "x", "budget": 1, "threshold": 1, "draws": 9, "level": 0.9, "goal": 1}),
    ("census:rho_of_secret", {"secret": "x", "levels": ["block"]}),
    ("methods:law", {"release": {"method": "x"}, "n": 1}),
    ("promise:power", {"mechanism": "x", "epsilon": 1, "false_alarm": 0.2}),
    ("relatives:count", {"noise": "x", "budget": 1, "prior": 0.5, "share_if_yes": [0.5], "share_if_no": [0.5]}),
]


def test_unknown_words_are_refused_by_name() -> None:
    for kind, inputs in UNKNOWN_WORDS:
        with pytest.raises(Refused, match=r"^\w+ must be one of .*; got 'x'$"):
            compute(kind, inputs)
    rounding = {"method": "round_random", "base": 3}
    cells = [{"release": rounding, "n": 1, "change": 2, "times": 1}]
    with pytest.raises(Refused, match="change"):
        compute("methods:several_cells", {"cells": cells, "prior": 0.1, "limit": 0.5})
    with pytest.raises(Refused, match="whole"):
        compute("methods:unknown_count", {"release": rounding, "others": [[3.5, 1]], "prior": 0.1})


def test_lists_of_the_wrong_length_are_refused_and_no_bets_leave_the_first_wealth() -> None:
    claim = {"epsilon": 0.5, "level": 0.9}
    with pytest.raises(Refused, match=r"^pairs must"):
        compute("audit:wealth_pairs", {**claim, "pairs": [[1, 0, 1]], "bet": 0.1})
    rounding = {"release": {"method": "round_random", "base": 3}, "n": 1}
    with pytest.raises(Refused, match=r"^limits must"):
        compute("methods:passes_line", {**rounding, "priors": [0.2, 0.3], "limits": [0.5]})
    none = {"wealth": 1.0, "largest": 1.0, "rejected_at": 0}
    assert compute("audit:wealth_guesses", {**claim, "right": [], "share": 0.9}) == none
    assert compute("audit:wealth_pairs", {**claim, "pairs": [], "bet": 0.1}) == none


def _is_answered(case: dict[str, Any]) -> None:
    area, what = case["kind"].split(":")
    assert what in AREAS[area], f"no answer for {case['kind']}"
    if "refused" in case:
        with pytest.raises(ValueError if case["id"] in NO_CALL else Refused):
            compute(case["kind"], case["inputs"])
        return
    actual = compute(case["kind"], case["inputs"])
    if what in UNDETERMINED:  # only what the definition leaves no choice about
        assert _shape(actual) == _shape(case["expected"]), UNDETERMINED[what]
        return
    assert _agrees(actual, case["expected"], case["tolerance"]), (actual, case["expected"])
