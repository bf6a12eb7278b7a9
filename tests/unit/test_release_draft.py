"""A plan that *Plan a publication* begins: its budgets, its marks, and what it takes to draw from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpcore.publication import CountTable, Publication
from riskline.case.file import write_json
from riskline.case.tables import TableRow, at_levels
from riskline.case.value import Case
from riskline.release.draft import draft
from riskline.release.folder import read_folder
from riskline.release.making import plan_of_file
from riskline.release.plan import MARK
from tests.command_line import told
from tests.release_plans import AREAS, MONTHS, SEXES, made_up_people, written

TABLES = "Births~counts~5~3~437!By sex~counts~~~5~2!Days~total~400~~437~~~~0~30!All~counts~20"
PUBLICATION = (
    "publication",
    "--link",
    f"publication?tables={TABLES}",
    "--noise",
    "discrete_gaussian",
    "--rule",
    "same_budget",
)
FILLED = {
    f"{MARK}: name of the level that has 1 area": "nation",
    f"{MARK}: name of the level that has 5 areas": "state",
    f"{MARK}: name of the level that has 437 areas": "county",
    f"{MARK}: a CSV file beside this one with code, name and parent of each area of these levels": "areas.csv",
    f"{MARK}: the data's column of the area's code": "county",
    f"{MARK}: the data's column that says whose record a row is; without it each row is one of its own": "person",
    f"{MARK}: the data's column that says to which household a row belongs": "household",
    f"{MARK}: a column, or several with 2 cells together": "sex",
    f"{MARK}: a value": SEXES,
    f"{MARK}: the data's column of the time": "month",
    f"{MARK}: 3 values": MONTHS,
}


def filled(part: Any) -> Any:
    """A plan whose marks somebody has replaced."""
    if isinstance(part, dict):
        return {filled(name): filled(value) for name, value in part.items()}
    if isinstance(part, list):
        found = [filled(each) for each in part]
        return found[0] if len(found) == 1 and isinstance(found[0], list) else found
    if isinstance(part, str) and part.startswith(f"{MARK}: every_time"):
        return "every_time"
    return FILLED.get(part, part) if isinstance(part, str) else part


def test_a_plan_is_begun_filled_in_and_drawn(tmp_path: Path) -> None:
    pytest.importorskip("opendp.prelude")
    case = Case(unit="household", group=4, noise="discrete_gaussian")
    (tmp_path / "case.json").write_text(write_json(case), encoding="utf-8")
    plan = tmp_path / "plan.json"
    asked = (*PUBLICATION, "--start", "budget", "--rho", "0.5", "--json", "--case", str(tmp_path / "case.json"))
    answer = told(*asked, "--plan", str(plan))
    assert (answer.code, answer.complaint) == (0, "")
    assert answer.document["notes"][-1] == (
        f"The plan is begun: replace every text that begins with {MARK}, then draw it with riskline release. A release "
        "draws counts, so the plan leaves out row 3 ('Days')."
    )
    people = made_up_people(500)
    written(tmp_path / "people.csv", list(people), zip(*people.values(), strict=True))
    written(tmp_path / "areas.csv", ("code", "name", "parent"), ([*row, ""][:3] for row in AREAS))
    draw = ("release", str(plan), str(tmp_path / "people.csv"), "--out", str(tmp_path / "out"))
    assert f"Levels[0] must be filled in, not {MARK}; got 'FILL IN: name of the level" in told(*draw).complaint
    begun = json.loads(plan.read_bytes())
    plan.write_text(json.dumps(filled(begun)), encoding="utf-8")
    assert told(*draw).code == 0
    record = read_folder(tmp_path / "out").record
    each = answer.document["quantities"]["rho_of_one_release"]["value"]
    costs = {one["table"]: one["cost"] for one in record["releases"]}
    assert [costs[name] for name in ("Births", "By sex", "All")] == pytest.approx([each[0], each[1], each[3]], rel=1e-6)
    assert record["spent"] == pytest.approx(3 * each[0] + each[1] + each[3], rel=1e-6)
    assert record["promise"]["group"] == 4


def test_a_plan_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("mine", encoding="utf-8")
    answer = told(*PUBLICATION, "--plan", str(tmp_path / "plan.json"))
    assert (answer.code, answer.out) == (2, "")
    assert answer.complaint == "The file 'plan.json' was not written: file exists.\n"
    assert (tmp_path / "plan.json").read_text(encoding="utf-8") == "mine"
    nowhere = told(*PUBLICATION, "--plan", str(tmp_path / "none" / "plan.json"))
    assert nowhere.complaint == "The file 'plan.json' was not written: no such file or directory.\n"
    assert nowhere.code == 1  # as for every file that cannot be written


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ("--noise", "gaussian"),
            "Noise must be of whole numbers for a release: geometric or discrete_gaussian; got 'gaussian'.",
        ),
        (
            ("--link", "publication?tables=Visits~~9~~40~~2"),
            "Visits: cells a person is in must be at most the cells of an area (1), since a record lies in one area; ",
        ),
        (("--link", "publication?tables=Days~total~400~~40~~~~0~30"), "Tables must have a table of counts"),
    ],
)
def test_what_cannot_be_drawn_begins_no_plan(tmp_path: Path, given: Any, said: str) -> None:
    answer = told("publication", *given, "--start", "budget", "--plan", str(tmp_path / "plan.json"))
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.complaint
    assert not list(tmp_path.iterdir())


def test_a_decided_case_keeps_its_decision(tmp_path: Path) -> None:
    case = Case(noise="geometric", release="tables").decided(value=0.4, currency="epsilon", by="the board")
    table = CountTable(areas=437, noise="geometric")
    begun = filled(draft(case, at_levels((TableRow(areas="437"),)), Publication((table,), "add_or_remove"), [0.4], 0.4))
    written(tmp_path / "areas.csv", ("code", "name", "parent"), ([*row, ""][:3] for row in AREAS))
    begun["levels"] = ["nation", "state", "county"]
    (tmp_path / "plan.json").write_text(json.dumps(begun), encoding="utf-8")
    plan = plan_of_file(tmp_path / "plan.json")
    assert plan.case.decision is not None
    assert (plan.case.decision.by, plan.tables[0].name, plan.budget) == ("the board", "Table 1", 0.4)


def test_a_plan_begins_with_budgets_as_short_as_they_were_typed(tmp_path: Path) -> None:
    """Nine times 0.0061 is 0.054900000000000004 as it is computed."""
    case = Case(unit="household", group=3, noise="discrete_gaussian").decided(value=0.0061, currency="rho")
    (tmp_path / "case.json").write_text(write_json(case), encoding="utf-8")
    plan = tmp_path / "plan.json"
    rows = ("--tables", "Births~counts~9~40")
    answer = told("publication", *rows, "--case", str(tmp_path / "case.json"), "--plan", str(plan))
    assert (answer.code, answer.complaint) == (0, "")
    begun = json.loads(plan.read_bytes())
    assert begun["budget"] == 0.0549 < 9 * 0.0061
