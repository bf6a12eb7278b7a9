"""The plan of a release: what it means, what it costs, and what is refused by name, rule and value."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcore.errors import Refused
from riskline.case.file import case_table
from riskline.case.value import Case
from riskline.release.drawing import checked_spending, measured
from riskline.release.plan import MARK, PARTS, Plan, plan_from_table, read_plan, root_up
from tests.release_plans import AREAS, MONTHS, SEXES, TABLE, plan_of, table_of

ROOT = Path(__file__).resolve().parents[2]
MONTHLY = {"column": "month", "values": MONTHS}
HOUSEHOLD = {"unit": "household", "group": 4}


def distances(plan: Plan) -> list[float]:
    return [release.distance for release in plan.releases]


def test_a_record_in_one_of_three_months_is_paid_for_once() -> None:
    once, always = (plan_of({"times": MONTHLY | {"each": each}}).releases[0] for each in ("one_time", "every_time"))
    assert (once.times, always.times) == (1, 3)
    assert once.distance == always.distance == 1.0
    replaced = {"case": {"relation": "replace", "secret": "value", "moves": "nowhere"}}
    months = [
        plan_of({"categories": {}, "times": MONTHLY | {"each": each}}, **replaced)
        for each in ("one_time", "every_time")
    ]
    assert [plan.releases[0].distance ** 2 for plan in months] == pytest.approx([2, 1])


def test_distances_follow_the_schema() -> None:
    four = {"places": 2, "records": 3, "categories": {"sex": SEXES, "age": ["0", "1"]}}
    assert distances(plan_of(four)) == [root_up(18)]
    assert distances(plan_of(four, case=HOUSEHOLD)) == [root_up(16 * 18)]
    assert distances(plan_of(four, case={"noise": "geometric"})) == [6.0]
    moved = {"relation": "replace", "secret": "value"}
    assert distances(plan_of(four, case=moved)) == [root_up(36)]
    everywhere = plan_of(TABLE | {"places": 2, "levels": {"nation": 0.1, "county": 0.2}}, case=moved)
    assert distances(everywhere) == [root_up(2), root_up(4)]
    units = {"counts": "units", "categories": {}}
    assert distances(plan_of(units, case=HOUSEHOLD, unit="household")) == [1.0]
    assert distances(plan_of(units, case=HOUSEHOLD, data="tables")) == [1.0]


def test_scales_are_rounded_up_and_waste_next_to_nothing() -> None:
    for budget in (1e-6, 0.0123, 1 / 3, 7.0):
        for noise, power in (("discrete_gaussian", 2), ("geometric", 1)):
            plan = plan_of({"levels": {"county": budget}}, budget=budget, case={"noise": noise})
            scale = plan.releases[0].scale
            assert 1 <= scale / (1 / math.sqrt(2 * budget) if power == 2 else 1 / budget) < 1 + 1e-6
            assert budget * (1 - 1e-6) < checked_spending(plan, measured(plan, plan.releases)) <= budget


@pytest.mark.parametrize(
    ("tables", "changes"),
    [
        (({"levels": {"county": 0.6}},), {}),
        (({"levels": {"county": 0.25, "state": 0.26}},), {}),
        (({"levels": {"county": 0.2}, "times": MONTHLY | {"each": "every_time"}},), {}),
        (({"levels": {"county": 0.3}}, {"name": "Deaths", "levels": {"county": 0.3}}), {}),
        (
            ({"levels": {"county": 0.3}}, {"name": "Deaths", "levels": {"county": 0.3}}),
            {"case": {"noise": "geometric"}},
        ),
        (({"levels": {"county": 0.500001}},), {"case": HOUSEHOLD}),
    ],
    ids=["one budget", "levels", "times", "tables", "epsilon", "household"],
)
def test_budgets_above_the_plans_are_stopped_by_opendps_map(tables: Any, changes: Any) -> None:
    plan = plan_of(*tables, **changes)
    with pytest.raises(
        Refused, match=r"budget must cover all releases, which cost (rho|epsilon) = 0\.[56]\d* by OpenDP"
    ):
        checked_spending(plan, measured(plan, plan.releases))


@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
@pytest.mark.parametrize(
    ("table", "case"),
    [
        ({}, {"unit": "household", "group": 2}),
        ({}, {"relation": "replace", "secret": "value"}),
        ({"places": 2}, {}),
        ({"records": 2}, {}),
        ({"places": 2}, {"relation": "replace", "secret": "value", "moves": "anywhere"}),
    ],
    ids=["household", "replaced", "cells", "records", "moved"],
)
def test_noise_made_for_less_is_stopped_by_opendps_map(noise: str, table: Any, case: Any) -> None:
    full = {"levels": {"county": 0.5}}
    small = plan_of(full, case={"noise": noise})
    large = plan_of(full | table, case={"noise": noise} | case)
    assert checked_spending(large, measured(large, large.releases)) <= 0.5
    mixed = [replace(needed, scale=one.scale) for needed, one in zip(large.releases, small.releases, strict=True)]
    with pytest.raises(Refused, match="budget must cover all releases"):
        checked_spending(large, measured(large, mixed))


def test_the_digest_is_that_of_the_meaning() -> None:
    two = ({"exact": "state"}, {"name": "Deaths", "levels": {"state": 0.1, "nation": 0.2}})
    plan = plan_of(*two)
    areas = "\n".join(",".join([*row, ""][:3]) for row in [["code", "name", "parent"], *reversed(AREAS)])
    other = table_of(*reversed(two), case={"title": "Another title", "office": "Another office"}, areas="areas.csv")
    other["tables"][1]["categories"] = {"sex": SEXES[::-1]}
    other["budget"] = 0.50
    reordered = json.dumps(dict(reversed(other.items()))).encode()
    assert read_plan(reordered, lambda name: areas.encode()).digest == plan.digest
    assert plan_of(*two, case={"moves": "anywhere"}).digest == plan.digest


@pytest.mark.parametrize(
    "other",
    [
        lambda: plan_of(budget=0.6),
        lambda: plan_of(case=HOUSEHOLD),
        lambda: plan_of(case={"relation": "replace", "secret": "value"}),
        lambda: plan_of(case={"noise": "geometric"}),
        lambda: plan_of({"exact": "state"}),
        lambda: plan_of({"places": 2}),
        lambda: plan_of({"levels": {"county": 0.11}}),
        lambda: plan_of({"times": MONTHLY | {"each": "one_time"}}),
        lambda: plan_of(areas=AREAS[:-1]),
        lambda: plan_of(area="home"),
        lambda: plan_of({}, {"name": "Again"}),
    ],
)
def test_another_question_has_another_digest(other: Callable[[], Plan]) -> None:
    assert other().digest != plan_of().digest


def decided(value: float, **made: Any) -> dict[str, Any]:
    case = Case(noise="discrete_gaussian", **made).decided(value=value, currency="rho", by="the board")
    return {"riskline_case": 1} | case_table(case)


def test_a_budget_stays_below_what_was_decided_for_everybody_together() -> None:
    assert plan_of(case=decided(0.5)).budget == 0.5
    assert plan_of(case=decided(0.03125, unit="household", group=4)).budget == 0.5
    with pytest.raises(Refused, match=r"budget must be at most what was decided: ρ = 0.4 .* got 0.5"):
        plan_of(case=decided(0.4))
    changed = decided(0.6) | {"relation": "replace", "secret": "value"}
    with pytest.raises(Refused, match=r"case.chosen must be a decision for this case"):
        plan_of(case=changed)
    changed = decided(0.6)
    changed["chosen"] = changed["chosen"] | {"currency": "epsilon"}
    with pytest.raises(Refused, match=r"case.chosen.currency must be that of the noise"):
        plan_of(case=changed)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "unknown part": (
        lambda: plan_of(tabels=[]),
        r"the plan must have no other parts; got 'tabels': did you mean 'tables'\?",
    ),
    "unknown part of a table": (
        lambda: plan_of({"catgories": {}}),
        r"tables\[0\] must .*'catgories': did you mean 'categories'",
    ),
    "unknown part of times": (
        lambda: plan_of({"times": MONTHLY | {"eahc": "one_time"}}),
        "'eahc': did you mean 'each'",
    ),
    "unknown part of the case": (
        lambda: plan_of(case={"untit": "person"}),
        r"case must .* got 'untit' \(did you mean 'unit'\?\)",
    ),
    "no version": (lambda: read_plan(b"{}", lambda name: b""), "the plan must say riskline_plan: 1"),
    "later version": (lambda: plan_of(riskline_plan=2), "riskline_plan must be 1; got 2"),
    "true for one": (lambda: plan_of(riskline_plan=True), "riskline_plan must be 1; got True"),
    "half a surrogate pair": (
        lambda: read_plan(json.dumps(table_of(TABLE | {"name": "\ud800"})).encode(), lambda name: b""),
        "the plan must be a file of JSON in UTF-8",
    ),
    "no JSON": (lambda: read_plan(b"{", lambda name: b""), "the plan must be a file of JSON"),
    "twice": (
        lambda: read_plan(b'{"budget": 1, "budget": 2}', lambda name: b""),
        "the plan must have each part once; got 'budget'",
    ),
    "infinite": (lambda: read_plan(b'{"budget": Infinity}', lambda name: b""), "finite numbers; got 'Infinity'"),
    "mark": (
        lambda: plan_of({"categories": {"sex": [f"{MARK}: values"]}}),
        rf"tables\[0\].categories.sex\[0\] must be filled in, not {MARK}",
    ),
    "mark as a name": (lambda: plan_of({"levels": {f"{MARK}: a level": 0.1}}), r"tables\[0\].levels must be filled in"),
    "no case": (lambda: plan_of(case={"riskline_case": "1"}), "case must be a case as Riskline saves it"),
    "a later case": (lambda: plan_of(case={"riskline_case": 2}), "case.riskline_case must be 1 or earlier; got 2"),
    "empty case": (
        lambda: plan_from_table(table_of() | {"case": {"riskline_case": 1}}, lambda name: b""),
        "say whose promise",
    ),
    "wrong case": (lambda: plan_of(case={"unit": "hous"}), r"case.unit: .*must be one of.*got 'hous'"),
    "presence replaced": (
        lambda: plan_of(case={"relation": "replace"}),
        "case: Replacing a record does not hide who is in",
    ),
    "continuous noise": (
        lambda: plan_of(case={"noise": "gaussian"}),
        "case.noise must be one of .* for counts; got 'gaussian'",
    ),
    "another currency": (lambda: plan_of(case={"noise": "geometric", "guarantee": "zero_concentrated"}), "paid in rho"),
    "no budget": (lambda: plan_of(budget=0), r"budget must lie in \(0, .*got 0"),
    "budget in words": (lambda: plan_of(budget="0.5"), "budget must .*got '0.5'"),
    "no level": (lambda: plan_of({"levels": {}}), "hold the budget of one release for each level"),
    "unknown level": (lambda: plan_of({"levels": {"town": 0.1}}), "one of 'nation', 'state', 'county'; got 'town'"),
    "no budget of a level": (lambda: plan_of({"levels": {"county": None}}), "levels.county must"),
    "level without areas": (
        lambda: plan_of({"levels": {"block": 0.1}}, levels=[*["nation", "state", "county"], "block"]),
        "have areas; got 'block'",
    ),
    "a column twice": (
        lambda: plan_of({"categories": {"sex": SEXES, " sex": SEXES}}),
        r"tables\[0\] \(.*\): categories must name each column once; got 'sex, sex'",
    ),
    "same value twice": (lambda: plan_of({"categories": {"sex": ["f", "f"]}}), "hold different texts; got 'f'"),
    "empty value": (lambda: plan_of({"categories": {"sex": ["f", " "]}}), r"categories.sex\[1\] must be text"),
    "true as a value": (
        lambda: plan_of({"categories": {"sex": ["f", True]}}),
        r"categories.sex\[1\] must be text; got 'True'",
    ),
    "reserved column": (lambda: plan_of({"categories": {"value": ["f"]}}), "columns of their own; got 'value'"),
    "column of the area": (lambda: plan_of({"categories": {"county": ["f"]}}), "columns of their own; got 'county'"),
    "too many places": (lambda: plan_of({"places": 3}), r"places must be at most the cells of an area \(2\)"),
    "no places": (lambda: plan_of({"places": 0}), "places must be a whole number of at least 1; got 0"),
    "same name": (lambda: plan_of({}, {}), "tables must have different names; got 'Births'"),
    "no name": (lambda: plan_of({"name": " "}), "be the table's name"),
    "each": (lambda: plan_of({"times": MONTHLY}), r"times.each must be one_time \(.*got 'None'"),
    "time without column": (lambda: plan_of({"times": {"values": MONTHS, "each": "one_time"}}), "times.column must"),
    "units of a person": (
        lambda: plan_of({"counts": "units"}),
        "counts must be records where the case's unit is a person",
    ),
    "units without column": (lambda: plan_of({"counts": "units"}, case=HOUSEHOLD), "unit must name the column"),
    "unit of a person": (lambda: plan_of(unit="household"), "unit must be left out"),
    "units in records": (
        lambda: plan_of({"counts": "units", "records": 2}, case=HOUSEHOLD, unit="h"),
        "be 1 where units are counted",
    ),
    "one column for two": (lambda: plan_of(record="county"), "be another column than area and unit"),
    "exact below": (
        lambda: plan_of({"levels": {"state": 0.1}, "exact": "county"}),
        "be a published level or a wider one",
    ),
    "exact table": (
        lambda: plan_of({"categories": {}, "exact": "county"}),
        "would be published at this one without noise",
    ),
    "exact nowhere": (lambda: plan_of({"exact": "town"}), "exact must be one of"),
    "file elsewhere": (lambda: plan_of(areas="../areas.csv"), "name of a file beside the plan; got '../areas.csv'"),
    "wrong row of areas": (lambda: plan_of(areas=[["1", 2]]), r"areas\[0\] must be a list of texts"),
    "prefixes and parents": (lambda: plan_of(prefixes=[0, 2, 5]), "prefixes must stand alone"),
    "no tables": (lambda: plan_of(tables=[]), "tables must be a list of at least one table"),
    "too many numbers": (
        lambda: plan_of({"categories": {"x": list(range(9000)), "y": list(range(9))}}),
        "at most 20,000,000",
    ),
}


@pytest.mark.parametrize("wrong", REFUSED)
def test_a_wrong_plan_is_refused_by_name_rule_and_value(wrong: str) -> None:
    made, said = REFUSED[wrong]
    with pytest.raises(Refused, match=said):
        made()


def test_codes_with_prefixes_need_no_parents() -> None:
    rows = [[code, name] for code, name, *_ in AREAS if code != "US"]
    plan = plan_of(areas=rows, prefixes=[0, 2, 5])
    assert [plan.areas.parents[plan.areas.place[code]] for code in ("01000", "01")] == ["01", "all"]
    assert plan_from_table(plan.as_written, lambda name: _csv(plan)).digest == plan.digest


def _csv(plan: Plan) -> bytes:
    return "\n".join(",".join(row) for row in [("code", "name", "parent", "level"), *plan.areas.rows]).encode()


def test_the_plan_of_the_docs_is_one() -> None:
    docs = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    plan = docs.partition("```json\n")[2].partition("```")[0]
    areas = "\n".join(",".join([*row, ""][:3]) for row in [["code", "name", "parent"], *AREAS])
    found = read_plan(plan.encode(), lambda name: areas.encode())
    assert [table.name for table in found.tables] == ["Births", "Households"]
    assert checked_spending(found, measured(found, found.releases)) <= 0.5
    parts = re.findall(r"^\| (`.*?) \|", docs.partition("| part | says |")[2].partition("\n\n")[0], re.MULTILINE)
    told = {name for part in parts for name in re.findall(r"`(\w+)`", part)}
    assert told == set(PARTS) - {"riskline_plan", "prefixes"} | {"times"}


def test_a_column_is_named_without_the_spaces_around_it() -> None:
    assert plan_of({"categories": {" sex ": SEXES}}).tables == plan_of({"categories": {"sex": SEXES}}).tables


@pytest.mark.parametrize(
    ("table", "changes", "name"),
    [
        ({}, {"areas": [["US", "=HYPERLINK(1)"], ["01", "A", "US"], ["01001", "B", "01"]]}, "areas"),
        ({}, {"areas": [["US", "A; +1+1"], ["01", "A", "US"], ["01001", "B", "01"]]}, "areas"),
        ({}, {"areas": [["US", ""], ["01", "", "US"], ["@1", "", "01"]]}, "areas"),
        ({"categories": {"sex": ["f", "-m"]}}, {}, "Births"),
        ({"categories": {"+sex": SEXES}}, {}, "Births"),
        ({"times": {"column": "month", "values": ["=1", "2"], "each": "one_time"}}, {}, "Births"),
    ],
)
def test_a_text_that_a_spreadsheet_would_run_is_refused_by_name(
    table: dict[str, Any], changes: dict[str, Any], name: str
) -> None:
    with pytest.raises(Refused, match="a spreadsheet would run it") as refused:
        plan_of(table, **changes)
    assert refused.value.name == name


def test_a_signed_number_and_a_sign_inside_are_no_formula() -> None:
    plan = plan_of({"categories": {"change": ["-1", "+2.5", "65+", "a-b", "x=y"]}})
    assert plan.tables[0].cells == 5
