"""Every promise of a case, on every page: secret, relation, unit, one or three records, ε or ρ, counted by hand."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest

from dpcore.guarantees import Relation
from dpcore.promise import Secret
from riskline.answers import case_budget, line_budget
from riskline.answers.budgets import Terms
from riskline.case.tables import TableRow
from riskline.case.value import Case
from tests.each import each
from tests.pages_of_cases import view_of
from tests.reached_beliefs import changes, reached, spoken
from ui.pictures.style import Style

PAGES = ("choose", "explain", "accuracy", "publication")
COUNTS = (TableRow("Cases", wish="5", times="2", cells="3"), TableRow("Deaths", wish="9"))
WHOSE = (("person", 1), ("records", 1), ("records", 3), ("household", 1), ("household", 3), ("days", 3))
ABOUT = (("presence", "add_or_remove"), ("value", "add_or_remove"), ("value", "replace"))
CASES = [
    Case(secret=secret, relation=relation, unit=unit, group=group, ratio=2.5, cap=0.2, guarantee=guarantee, prior=0.1)
    for (secret, relation), (unit, group), guarantee in itertools.product(ABOUT, WHOSE, ("pure", "zero_concentrated"))
    if guarantee == "pure" or secret == "presence" or relation == "replace"
]


def unrounded(case: Case) -> float:
    """The budget of each release for one record, before it is rounded down."""
    assert case.line is not None
    budget = line_budget(case.line, case.of(Terms)).budget
    assert budget is not None
    return float(getattr(budget.each, case.currency))


@each("case", CASES, ids=repr)
def test_the_budget_of_a_line_is_shared_by_the_records_between_the_two_worlds(case: Case) -> None:
    """An ε by their number, a ρ by its square; then rounded down, and by less than its last digit."""
    together = 1 if case["unit"] == "person" else case["group"]
    shares = together if case["guarantee"] == "pure" else together**2
    exact, budget = unrounded(case), case_budget(case)
    assert exact == pytest.approx(unrounded(case.without("unit", "group")) / shares, rel=1e-9)
    assert budget is not None
    assert budget.value <= exact < budget.value + 10.0 ** -max(2, 1 - math.floor(math.log10(exact)))


@pytest.mark.parametrize("stem", PAGES)
def test_no_page_states_less_than_a_release_with_the_budget_of_the_case_reaches(stem: str) -> None:
    told = Counter[tuple[str, str, int]]()
    for case, voice in zip(CASES, itertools.cycle(("plain", "plain", "technical", "technical")), strict=False):
        told_of = case.with_choices(tables=COUNTS) if stem == "publication" else case
        view = view_of(stem, told_of, Style(voice=voice))
        if view.refusal is not None:
            continue
        for stated in view.stated:
            promise = stated.promise
            assert promise.secret is Secret(case["secret"])
            assert promise.relation is Relation(case["relation"])
            assert promise.group == (1 if case["unit"] == "person" else case["group"])
            assert promise.steps == changes(promise)
            reach = reached(stated)
            assert stated.at_most >= reach - 1e-12, (case, stated)
            if stated.words:
                assert spoken(stated.words) >= reach - 1e-12, (case, stated)
            told[case["secret"], case["relation"], promise.group] += 1
    assert set(told) == {(*about, group) for about in ABOUT for group in (1, 3)}, told
