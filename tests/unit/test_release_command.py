"""`riskline release`: from made-up people of 437 counties to a folder; what it says, and what is left when it stops."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from dpcore.adjustment import adjusted_table
from riskline.command import main
from riskline.release import drawing, making
from riskline.release.folder import PLAN, RECORD, PublishedTable, law_of, read_folder
from riskline.release.ledger import LEDGER
from riskline.release.making import make_release, plan_of_file
from tests.command_line import Told, told
from tests.release_plans import AGES, COUNTIES, LEVELS, MONTHS, SEXES, STATES, made_up_people, written, written_plan

pytest.importorskip("opendp.prelude")
ROOT = Path(__file__).resolve().parents[2]
SECRET = "91827364"
"""A true count, which nothing but an exact total may hold."""
SPENT = "rho = 0.5 counts as spent, as draw 1 in riskline-ledger, and "


def of_births(folder: Path, data: str = "births.csv", out: str = "out", *more: str) -> Told:
    return told("release", str(folder / "plan.json"), str(folder / data), "--out", str(folder / out), *more)


def secret_counts(folder: Path, **changes: Any) -> Path:
    """A plan, and true counts of which one is the secret number."""
    written_plan(folder / "plan.json", {"levels": {"county": 0.5}}, data="tables", **changes)
    written(folder / "births.csv", ("county", "sex", "count"), [("01000", "f", SECRET), ("02001", "m", 7)])
    return folder


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"plan.json", "births.csv"}


def ledger_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_bytes()) for path in sorted((folder / LEDGER).iterdir())]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_from_people_of_437_counties_to_tables_that_add_up(tmp_path: Path, form: str) -> None:
    people = made_up_people(20_000)
    by_month = {"column": "month", "values": MONTHS, "each": "one_time"}
    written_plan(
        tmp_path / "plan.json",
        {"levels": dict(zip(LEVELS, (0.02, 0.08, 0.2), strict=True)), "times": by_month, "exact": "state"},
        {"name": "By age", "levels": {"county": 0.1}, "categories": {"sex": SEXES, "age": AGES}},
        {"name": "Households", "levels": {"county": 0.1}, "categories": {}, "counts": "units"},
        case={"unit": "household", "group": 4},
        record="person",
        unit="household",
    )
    written(tmp_path / "births.csv", list(people), zip(*people.values(), strict=True))
    answer = of_births(tmp_path, "births.csv", "out", "--format", form)
    assert (answer.code, answer.complaint) == (0, "")
    numbers = 443 * 2 * 3 + 437 * 6 + 437
    assert f"{numbers:,} noisy numbers in 3 tables, in the folder" in answer.out
    assert (
        "Spent: ρ = 0.5 of 0.5, by OpenDP's own maps, for one household of up to 4 records, added or removed."
        in answer.out
    )
    assert (
        "NOT PROTECTED: 'Births' publishes the true total of each area of the level 'state', without noise."
        in answer.out
    )
    found = read_folder(tmp_path / "out")
    assert found.record["not_protected"][0] in answer.out
    assert 0.4999 < found.record["spent"] <= 0.5
    assert found.record["limits_checked"] == {"records of a unit": True, "cells of a record": True}
    assert [release["distance"] for release in found.record["releases"]] == [4, 4, 4, 4, 1]
    births = found.tables["Births"]
    assert (births.areas.codes[:2], births.times, births.cells) == (("US", "01"), tuple(MONTHS), (("f",), ("m",)))
    for month in MONTHS:
        in_states = [
            sum(
                at == month and county[:2] == state
                for at, county in zip(people["month"], people["county"], strict=True)
            )
            for state in STATES
        ]
        noisy = births.noisy(month)
        assert np.asarray(noisy.totals)[1:6].tolist() == in_states
        adjusted = adjusted_table(noisy).counts
        assert adjusted.min() >= 0
        assert adjusted.sum(axis=1)[1:6].tolist() == in_states
    off = true_table(people, "household") - found.tables["Households"].values[0, 6:, 0]
    assert (np.abs(off) <= found.tables["Households"].half_width("county")).mean() > 0.9


def true_table(people: dict[str, list[str]], whose: str) -> Any:
    pairs = set(zip(people[whose], people["county"], strict=True))
    return np.array([sum(at == county for _, at in pairs) for county in COUNTIES])


@pytest.mark.parametrize(("noise", "budget"), [("discrete_gaussian", 0.06), ("geometric", 0.4)])
def test_the_noise_of_the_outputs_has_its_law(tmp_path: Path, noise: str, budget: float) -> None:
    cells = {"sex": SEXES, "age": list(range(38))}
    table = {
        "levels": {"county": budget},
        "categories": cells,
        "times": {"column": "month", "values": ["1", "2"], "each": "every_time"},
    }
    plan = written_plan(tmp_path / "plan.json", table, case={"noise": noise}, budget=2 * budget, data="tables")
    data = written(tmp_path / "a.csv", ("county", "month", "sex", "age", "count"), [("01000", "1", "f", 0, 1_000_000)])
    make_release(plan, data, tmp_path / "out")
    published = read_folder(tmp_path / "out").tables["Births"]
    noisy = published.values[:, published.areas.at("county")].copy()
    noisy[0, 0, 0] -= 1_000_000
    assert noisy.size == 2 * 437 * 76
    law = law_of(noise, published.scales["county"])
    assert law.budget <= budget
    assert np.abs(noisy).max() <= law.quantile(1 - 1e-15), "the true count is in its own cell alone"
    reach = int(law.quantile(1 - 20 / noisy.size))
    values = np.arange(-reach, reach + 1)
    expected = noisy.size * np.exp(law.log_noise(values))
    expected = np.concatenate(
        [[noisy.size * np.exp(law.log_survival(reach))], expected, [noisy.size * np.exp(law.log_survival(reach))]]
    )
    seen = np.bincount(np.clip(noisy, -reach - 1, reach + 1).ravel() + reach + 1, minlength=expected.size)
    statistic = ((seen - expected) ** 2 / expected).sum()
    assert 1e-9 < chi2.sf(statistic, expected.size - 1) < 1 - 1e-9
    wide = published.half_width("county")
    outside = (np.abs(noisy) > wide).mean()
    assert outside <= 0.05 + 0.006
    together = np.corrcoef(noisy[0].ravel(), noisy[1].ravel())[0, 1]
    assert abs(together) < 6 / np.sqrt(noisy[0].size)


def test_no_true_number_is_said_anywhere(tmp_path: Path) -> None:
    answer = of_births(secret_counts(tmp_path))
    assert answer.code == 0
    assert SECRET not in answer.out + answer.complaint
    for path in (*(tmp_path / LEDGER).iterdir(), *(tmp_path / "out" / name for name in (RECORD, PLAN))):
        assert SECRET not in path.read_text(encoding="utf-8")
    assert (
        "Not checked, because the data do not say whose a row is: records of a unit, cells of a record." in answer.out
    )


def fail(*_: Any, **__: Any) -> Any:
    raise ValueError(SECRET)


@pytest.mark.parametrize("where", ["making.drawn_tables", "making.write_folder", "data._of_tables"])
def test_no_true_number_is_said_where_something_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any, where: str
) -> None:
    given = ["release", str(secret_counts(tmp_path) / "plan.json"), str(tmp_path / "births.csv"), "--out"]
    monkeypatch.setattr(f"riskline.release.{where}", fail)
    assert main([*given, str(tmp_path / "out")]) == 1
    said = capfd.readouterr()
    assert said.out == ""
    assert "ValueError" in said.err or "This is a bug in Riskline" in said.err
    assert SECRET not in said.err


def test_a_developer_sees_the_kind_of_a_fault_and_no_true_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ["release", str(secret_counts(tmp_path) / "plan.json"), str(tmp_path / "births.csv"), "--out"]
    monkeypatch.setenv("RISKLINE_DEBUG", "1")
    monkeypatch.setattr("riskline.release.data._of_tables", fail)
    with pytest.raises(RuntimeError, match="ValueError while data were read") as fault:
        main([*given, str(tmp_path / "out")])
    assert SECRET not in "".join(traceback.format_exception(fault.value))


def test_what_fails_says_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret_counts(tmp_path)
    monkeypatch.setattr(drawing, "PublishedTable", lambda *_: {}[SECRET])
    answer = of_births(tmp_path)
    assert (answer.code, answer.out) == (1, "")
    assert answer.complaint == f"Stopped after the draw began (KeyError): {SPENT}no table was written.\n"
    assert left_in(tmp_path) == {LEDGER}


def interrupted_at(step: int, fault: BaseException, original: Callable[..., Any]) -> Callable[..., Any]:
    calls = iter(range(1, 10_000))

    def call(*given: Any, **named: Any) -> Any:
        if next(calls) == step:
            raise fault
        return original(*given, **named)

    return call


def steps_of(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str) -> int:
    """How often a whole release calls a function of the system."""
    calls: list[int] = []
    original = getattr(os, name)
    with monkeypatch.context() as patch:
        patch.setattr(os, name, lambda *given, **named: calls.append(1) or original(*given, **named))
        assert of_births(secret_counts(folder)).code == 0
    return len(calls)


@pytest.mark.parametrize("name", ["fsync", "replace"])
@pytest.mark.parametrize("fault", [OSError("No space left on device"), KeyboardInterrupt()], ids=["full", "stopped"])
def test_a_release_that_is_stopped_leaves_all_tables_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, fault: BaseException
) -> None:
    (tmp_path / "whole").mkdir()
    many = steps_of(monkeypatch, tmp_path / "whole", name)
    assert many >= (7 if name == "fsync" else 2)
    original = getattr(os, name)
    for step in range(1, many + 1):
        folder = tmp_path / str(step)
        folder.mkdir()
        with monkeypatch.context() as patch:
            patch.setattr(os, name, interrupted_at(step, fault, original))
            try:
                answer = of_births(secret_counts(folder))
            except KeyboardInterrupt:
                answer = None
        left = left_in(folder)
        begun = bool(list((folder / LEDGER).iterdir())) if LEDGER in left else False
        assert left <= {LEDGER, "out"}, "nothing unfinished is left"
        if "out" in left:
            read_folder(folder / "out")
        if not begun:
            assert "out" not in left
            assert answer is None or answer.code == 2
            continue
        assert len(list((folder / LEDGER).glob("*.json"))) == 1
        again = of_births(folder, "births.csv", "second")
        assert (again.code, again.out) == (2, "")
        assert "drawing it again costs rho = 0.5 once more, with --again." in again.complaint
        if answer is not None and answer.code:  # where a system cannot make a folder last, it is left to it
            assert (
                f"{SPENT}{'its folder is complete' if 'out' in left else 'no table was written'}." in answer.complaint
            )
            assert answer.code == (130 if isinstance(fault, KeyboardInterrupt) else 1)


KILLED = """
import os, sys
calls, original = [], os.fsync
def fsync(handle):
    calls.append(1)
    if len(calls) == 4:
        os._exit(9)
    return original(handle)
os.fsync = fsync
from riskline.command import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_release_that_is_killed_counts_as_spent(tmp_path: Path) -> None:
    secret_counts(tmp_path)
    given = ["release", *(str(tmp_path / name) for name in ("plan.json", "births.csv")), "--out", str(tmp_path / "out")]
    done = subprocess.run([sys.executable, "-c", KILLED, *given], cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == 9
    assert "out" not in left_in(tmp_path)
    answer = of_births(tmp_path)
    assert answer.code == 2
    assert "The plan was drawn before (once, last at 20" in answer.complaint
    assert "; it is not recorded as published): drawing it again" in answer.complaint
    assert any(name.startswith(".out.") for name in left_in(tmp_path))
    assert of_births(tmp_path, "births.csv", "out", "--again").code == 0
    assert left_in(tmp_path) == {LEDGER, "out"}, "what was left is removed by the next run into that folder"


def test_a_second_draw_is_refused_and_costs_again(tmp_path: Path) -> None:
    secret_counts(tmp_path)
    assert of_births(tmp_path).code == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    told_again = of_births(tmp_path, "births.csv", "second")
    assert told_again.code == 2
    assert (
        "; its tables were published): drawing it again costs rho = 0.5 once more, with --again.\n"
        in told_again.complaint
    )
    plan = json.loads((tmp_path / "plan.json").read_bytes())
    (tmp_path / "plan.json").write_text(json.dumps(dict(reversed(plan.items())), indent=3), encoding="utf-8")
    assert of_births(tmp_path, "births.csv", "second").code == 2, "the same plan, spelt otherwise"
    assert of_births(tmp_path, "births.csv", "out", "--again").complaint.startswith(
        "--out must be a folder that does not exist"
    )
    answer = of_births(tmp_path, "births.csv", "second", "--again")
    assert "With earlier draws of this plan: ρ = 1." in answer.out
    record = read_folder(tmp_path / "second").record
    assert 0.999 < record["spent_in_all_draws"] <= 1
    assert [one["out"] for one in record["earlier"]] == ["out"]
    assert [(one["draw"], one["state"]) for one in ledger_of(tmp_path)] == [(1, "published"), (2, "published")]
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    first, second = (read_folder(tmp_path / name).tables["Births"] for name in ("out", "second"))
    assert (first.values != second.values).any()
    assert "The plan was drawn before (2 times, last at 20" in of_births(tmp_path, "births.csv", "third").complaint


def test_what_other_plans_beside_it_spent_is_told_and_recorded(tmp_path: Path) -> None:
    secret_counts(tmp_path)
    assert "other plans" not in of_births(tmp_path).out
    written_plan(tmp_path / "plan.json", {"levels": {"county": 0.25}}, data="tables")
    second = of_births(tmp_path, "births.csv", "second")
    text = " ".join(second.out.split())
    assert "Draws of other plans in riskline-ledger: ρ = 0.5. About the same people, all of them add up." in text
    (entry,) = read_folder(tmp_path / "second").record["other_plans"]
    assert (round(entry["spent"], 6), entry["currency"], entry["out"]) == (0.5, "rho", "out")
    next((tmp_path / LEDGER).glob("*-1.json")).write_text("lost")
    written_plan(tmp_path / "plan.json", {"levels": {"county": 0.125}}, data="tables")
    text = " ".join(of_births(tmp_path, "births.csv", "third").out.split())
    assert "1 that cannot be read. About the same people" in text


def test_a_folder_without_its_ledger_still_refuses_a_second_draw(tmp_path: Path) -> None:
    secret_counts(tmp_path)
    assert of_births(tmp_path).code == 0
    for path in (tmp_path / LEDGER).iterdir():
        path.unlink()
    answer = of_births(tmp_path)
    assert "The plan was drawn before (once" in answer.complaint
    (tmp_path / LEDGER / f"{plan_of_file(tmp_path / 'plan.json').digest[:16]}-1.json").write_text("", encoding="utf-8")
    assert "an unknown time; it is not recorded as published" in of_births(tmp_path, "births.csv", "new").complaint
    answer = of_births(tmp_path, "births.csv", "new", "--again")
    assert "With earlier draws of this plan: ρ = 1." in answer.out


def test_a_ledger_that_lost_an_entry_goes_on_with_the_next_number(tmp_path: Path) -> None:
    secret_counts(tmp_path)
    for out, *more in (("out",), ("second", "--again")):
        assert of_births(tmp_path, "births.csv", out, *more).code == 0
    min((tmp_path / LEDGER).iterdir()).unlink()
    assert of_births(tmp_path, "births.csv", "third", "--again").code == 0
    assert [one["draw"] for one in ledger_of(tmp_path)] == [2, 3]


def test_of_two_draws_that_begin_at_once_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret_counts(tmp_path)
    assert of_births(tmp_path).code == 0
    monkeypatch.setattr("riskline.release.ledger._files", lambda *_: [])
    answer = of_births(tmp_path, "births.csv", "other")
    assert answer.complaint == "The plan must be drawn once at a time: another draw of it has begun.\n"
    assert left_in(tmp_path) == {LEDGER, "out"}


def test_nothing_is_spent_where_anything_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret_counts(tmp_path)
    for given, said in (
        (("--format", "xls"), "--format must be one of csv, parquet; got 'xls'."),
        (("--format",), "The option --format must be followed by a value; one that begins with - "),
        (("--seed", "1"), "riskline release has no choice called '--seed'"),
    ):
        answer = of_births(tmp_path, "births.csv", "out", *given)
        assert (answer.code, answer.out) == (2, "")
        assert answer.complaint.startswith(said)
    assert of_births(tmp_path, "none.csv").complaint == "The data must be a file that can be read.\n"
    unwritable = of_births(tmp_path, "births.csv", "none/out")
    assert unwritable.complaint.startswith("--out must lie in a folder")
    assert unwritable.code == 1  # as for every file that cannot be written
    assert "needs a plan, data and --out" in told("release", "plan.json").complaint
    written_plan(tmp_path / "plan.json", {"levels": {"county": 0.6}}, data="tables")
    assert "Budget must cover all releases, which cost rho = 0.59999" in of_births(tmp_path).complaint
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    assert (
        of_births(tmp_path).complaint
        == "OpenDP must be installed to draw a release: pip install 'riskline[release]'.\n"
    )
    assert left_in(tmp_path) == set()


def test_of_two_draws_that_overlap_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret_counts(tmp_path)
    read, others = making.true_counts, [False]

    def another_draws_meanwhile(*given: Any, **named: Any) -> Any:
        if not others[0]:
            others[0] = True
            assert of_births(tmp_path, "births.csv", "other").code == 0
        return read(*given, **named)

    monkeypatch.setattr(making, "true_counts", another_draws_meanwhile)
    answer = of_births(tmp_path)
    assert answer.complaint == "The plan must be drawn once at a time: another draw of it has begun.\n"
    assert left_in(tmp_path) == {LEDGER, "other"}
    assert [entry["state"] for entry in ledger_of(tmp_path)] == ["published"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "--clip must be used with records, and a column of the plan that says whose a row is."),
        ({"data": "tables", "record": "person"}, "--clip must be used with records"),
        (
            {"record": "person", "case": {"relation": "replace", "secret": "value", "moves": "nowhere"}},
            "--clip must not be used where a replaced record stays in its area",
        ),
    ],
)
def test_clipping_that_could_say_more_than_is_paid_for_is_refused(tmp_path: Path, changes: Any, said: str) -> None:
    written_plan(tmp_path / "plan.json", {"levels": {"county": 0.5}}, **changes)
    written(tmp_path / "births.csv", ("person", "county", "sex"), [("p", "01000", "f")])
    answer = of_births(tmp_path, "births.csv", "out", "--clip")
    assert (answer.code, left_in(tmp_path)) == (2, set())
    assert answer.complaint.startswith(said)


def test_exact_totals_of_clipped_records_are_called_so(tmp_path: Path) -> None:
    written_plan(tmp_path / "plan.json", {"levels": {"county": 0.5}, "exact": "state"}, record="person")
    written(tmp_path / "births.csv", ("person", "county", "sex"), [("p", "01000", "f")])
    assert "publishes the total of what was kept of each area" in of_births(tmp_path, "births.csv", "out", "--clip").out


def test_clipping_is_said_and_not_how_much(tmp_path: Path) -> None:
    written_plan(tmp_path / "plan.json", {"levels": {"county": 0.5}}, record="person")
    written(
        tmp_path / "births.csv",
        ("person", "county", "sex"),
        [("p", "01000", "f"), ("p", "01000", "f"), ("q", "01000", "m")],
    )
    assert of_births(tmp_path).complaint == "Row 2 of the data: person must be at most 1 times in a cell of 'Births'.\n"
    assert left_in(tmp_path) == set()
    answer = of_births(tmp_path, "births.csv", "out", "--clip")
    assert "Whatever was beyond a unit's limits was left out." in answer.out
    assert read_folder(tmp_path / "out").record["clipped_where_needed"] is True
    assert "--clip" in told("release", "--help").out


def test_a_table_keeps_its_labels_whatever_they_are(tmp_path: Path) -> None:
    odd = ["1=1", 'a "b", c', "ü\u2028x"]
    written_plan(
        tmp_path / "plan.json",
        {"name": "Ärzte / 2025", "levels": {"county": 0.5}, "categories": {"what, exactly": odd}},
    )
    written(tmp_path / "births.csv", ("county", "what, exactly"), [("01000", value) for value in odd])
    assert of_births(tmp_path).code == 0
    table = read_folder(tmp_path / "out").tables["Ärzte / 2025"]
    assert isinstance(table, PublishedTable)
    assert [cell for (cell,) in table.cells] == odd
