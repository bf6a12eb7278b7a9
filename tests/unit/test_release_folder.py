"""A folder of noisy tables: what is written is read back, and what was changed is refused."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore.adjustment import adjusted_table
from dpcore.errors import Code, Refused
from riskline.release.areas import AreaList, areas_of_rows, parents_of_prefixes, read_areas
from riskline.release.folder import FORMATS, RECORD, PublishedTable, read_folder, write_folder

LEVELS = ("nation", "state", "county")
AREAS = areas_of_rows(
    [
        {"code": "US", "name": "The whole, in quotation marks: “US”"},
        {"code": "24", "name": "Maryland", "parent": "US"},
        {"code": "10", "name": "Delaware\x0b\u2028", "parent": "US"},
        {"code": "24003", "name": "Anne Arundel", "parent": "24"},
        {"code": "24001", "name": 'Alle"gany, MD', "parent": "24"},
        {"code": "10001", "name": "Kent", "parent": "10"},
    ],
    LEVELS,
)


def tables() -> list[PublishedTable]:
    counts = np.arange(2 * 6 * 4).reshape(2, 6, 4) - 7
    counts[:, 1:3] = 0
    totals = np.full((2, 6), np.nan)
    totals[:, 1:3] = [[40, 2], [7, 0]]
    sexes = {"sex": ("f", "m"), "age, in years": ("0-17", "18+")}
    scales = {"nation": 3.5, "county": 2.25}
    wide = AREAS.down_to(["state"])
    return [
        PublishedTable("Births", AREAS, sexes, ("Jan", "Feb"), "discrete_gaussian", scales, counts, "state", totals),
        PublishedTable("Deaths", wide, {}, ("",), "geometric", {"state": 0.5}, np.array([[[0], [5], [-2]]])),
    ]


def written(folder: Path, form: Any = "csv") -> Path:
    write_folder(folder / "out", AREAS, tables(), plan={"riskline_plan": 1}, record={"spent": 0.5}, form=form)
    return folder / "out"


def test_no_file_is_written_that_a_spreadsheet_would_run(tmp_path: Path) -> None:
    named = replace(AREAS, names=("=cmd", *AREAS.names[1:]))
    births = replace(tables()[1], categories={"sex": ("@f",)})
    for areas, table, name in ((named, tables()[1], "areas"), (AREAS, births, "Deaths")):
        with pytest.raises(Refused, match="a spreadsheet would run it") as refused:
            write_folder(tmp_path / "out", areas, [table], record={})
        assert refused.value.name == name
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", FORMATS)
def test_a_folder_is_read_back_as_it_was_written(tmp_path: Path, form: Any) -> None:
    found = read_folder(written(tmp_path, form))
    assert found.areas == AREAS
    assert found.record["spent"] == 0.5
    for before, after in zip(tables(), found.tables.values(), strict=True):
        assert (before.about, before.areas) == (after.about, after.areas)
        np.testing.assert_array_equal(before.values, after.values)
        np.testing.assert_array_equal(np.asarray(before.totals), np.asarray(after.totals))
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


def test_a_table_of_several_levels_is_ready_to_be_adjusted(tmp_path: Path) -> None:
    births = read_folder(written(tmp_path)).tables["Births"]
    noisy = births.noisy("Feb")
    assert np.isinf(np.asarray(noisy.variances)[1:3]).all()
    assert np.asarray(noisy.variances)[:, 0][[0, 3]].tolist() == [
        births.laws["nation"].variance,
        births.laws["county"].variance,
    ]
    adjusted = adjusted_table(noisy).counts
    assert adjusted.sum(axis=1)[1:3].tolist() == [7, 0]
    np.testing.assert_array_equal(adjusted, births.areas.tree.added_up(adjusted))


def test_ranges_hold_95_of_100_by_the_law_of_the_noise(tmp_path: Path) -> None:
    head, *lines = (written(tmp_path) / "01-births.csv").read_text(encoding="utf-8").split("\n")[:2]
    assert head == 'level,area,area_name,time,sex,"age, in years",value,noise_scale,low,high,exact'
    births = tables()[0]
    wide = births.half_width("nation")
    assert lines[0].endswith(f",Jan,f,0-17,-7,3.5,{-7 - wide},{-7 + wide},no")
    law = births.laws["nation"]
    inside = np.exp(law.log_noise(np.arange(-wide, wide + 1))).sum()
    nearer = np.exp(law.log_noise(np.arange(1 - wide, wide))).sum()
    assert nearer < 0.95 <= inside


@pytest.mark.parametrize("name", ["01-births.csv", "areas.csv", "plan.json"])
def test_a_file_that_was_changed_is_refused(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path)
    content = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(content.replace("1", "2", 1), encoding="utf-8")
    with pytest.raises(Refused, match="must be as it was written") as refused:
        read_folder(folder)
    assert refused.value.code is Code.INCONSISTENT
    (folder / name).unlink()
    with pytest.raises(Refused, match=f"{name} must be in the folder"):
        read_folder(folder)


def forged(folder: Path, **said: Any) -> None:
    """Another record, with the right digests of what else is in the folder."""
    import hashlib

    record = json.loads((folder / RECORD).read_text(encoding="utf-8")) | said
    record["files"] = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in record["files"]}
    (folder / RECORD).write_text(json.dumps(record), encoding="utf-8")


def test_each_number_is_there_once(tmp_path: Path) -> None:
    folder = written(tmp_path)
    lines = (folder / "02-deaths.csv").read_text(encoding="utf-8").rstrip("\n").split("\n")
    for wrong, said in (
        (lines[:-1], "each number of its plan; got fewer"),
        ([*lines, lines[-1]], "each number of its plan once; got 10 twice"),
        ([*lines, lines[-1].replace("10,", "US,")], "once; got US twice, or at another level"),
        ([*lines[:-1], lines[-1].replace("-2,", "two,")], "labels and numbers"),
        ([lines[0].replace("low", "lowest"), *lines[1:]], "the columns"),
    ):
        (folder / "02-deaths.csv").write_text("\n".join(wrong), encoding="utf-8")
        forged(folder)
        with pytest.raises(Refused, match=said):
            read_folder(folder)


def test_what_is_no_folder_of_a_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_folder(tmp_path)
    assert str(refused.value) == f"the folder must hold a record.json of riskline release; got {tmp_path.name!r}"
    folder = written(tmp_path)
    forged(folder, riskline_release=2)
    with pytest.raises(Refused, match="be of format 1 or earlier; got 2"):
        read_folder(folder)
    forged(folder, riskline_release=1, files={"../out/plan.json": ""})
    with pytest.raises(Refused, match="must be in the folder"):
        read_folder(folder)


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    folder = written(tmp_path)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(Refused, match="out must be a folder that does not exist yet"):
        written(tmp_path)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_run_removes_what_killed_runs_into_its_folder_left_and_nothing_else(tmp_path: Path) -> None:
    class Slow(PublishedTable):
        """A table that another run into the same folder overtakes while it is written."""

        def rows(self) -> Any:
            yield from super().rows()
            if not (tmp_path / "out").exists():
                written(tmp_path)

    kept = {".out.2.0123abcd.unfinished", ".other.0123abcd.unfinished", ".out.0123abcd.unfinished~", "tables"}
    for name in {*kept, ".out.0123abcd.unfinished", ".out.4567cdef.unfinished"}:
        (tmp_path / name).mkdir()
        (tmp_path / name / RECORD).write_text("{}", encoding="utf-8")
    (tmp_path / ".out.89abcdef.unfinished").symlink_to(tmp_path / "tables")
    births, deaths = tables()
    overtaken = Slow(**{field.name: getattr(births, field.name) for field in fields(births)})
    with pytest.raises(OSError, match=r"not empty|exists"):  # the other was there first
        write_folder(tmp_path / "out", AREAS, [overtaken, deaths], record={})
    kept |= {"out", ".out.89abcdef.unfinished"}
    assert {path.name for path in tmp_path.iterdir()} == kept
    assert all((tmp_path / name / RECORD).exists() for name in kept)
    read_folder(tmp_path / "out")


def test_areas_say_what_is_wrong_with_them() -> None:
    rows = [{"code": "a"}, {"code": "b", "parent": "a"}]
    for wrong, levels, said in (
        ([*rows, {"code": "b"}], ["x", "y"], "once"),
        ([*rows, {"code": "c", "parent": "d"}], ["x", "y"], "have parents among the codes, also 'c'; got 'd'"),
        ([{"code": "a", "parent": "b"}, {"code": "b", "parent": "a"}], ["x", "y"], "no other"),
        (rows, ["x"], "areas lie 2 deep; got 1 names"),
        ([{"code": "a", "level": "z"}], ["x"], "levels among x; got 'z'"),
        ([{"code": "a", "level": "x"}, {"code": "b", "parent": "a", "level": "x"}], ["x", "y"], "below that of their"),
        ([{"code": "a", "level": "x"}, {"code": "b", "parent": "a"}], ["x", "y"], "each have a level"),
        ([{"code": ""}], ["x"], "a code each"),
        ([], ["x"], "be from 1"),
    ):
        with pytest.raises(Refused, match=said):
            areas_of_rows(wrong, levels)


def test_codes_with_prefixes_make_the_same_tree() -> None:
    codes = [{"code": code} for code in ("24", "24003", "24001", "10", "10001")]
    found = areas_of_rows(parents_of_prefixes(codes, [0, 2, 5], LEVELS), LEVELS)
    assert found.inside("state").tolist() == [-1, 1, 1, 1, 4, 4]
    assert found.inside("nation").tolist() == [0] * 6
    with pytest.raises(Refused, match="codes of 2, 5 letters; got '240'"):
        parents_of_prefixes([{"code": "240"}], [2, 5], LEVELS[1:])
    with pytest.raises(Refused, match="one rising length of code for each level"):
        parents_of_prefixes(codes, [5, 2], LEVELS[1:])


def test_an_area_may_lie_at_a_lower_level_than_the_next() -> None:
    rows = read_areas(
        b"\xef\xbb\xbfCode;,Level\n".replace(b";", b"") + b"US,nation\nDC,county\n24,state\n24001,county\n"
    )
    parents = {"DC": "US", "24": "US", "24001": "24"}
    areas = areas_of_rows([{**row, "parent": parents.get(row["code"], "")} for row in rows], LEVELS)
    assert areas.at("county").tolist() == [1, 3]
    assert areas.inside("state").tolist() == [-1, -1, 2, 2]
    assert areas.down_to(["state"]).codes == ("US", "24")
    assert isinstance(areas, AreaList)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff", "CSV file in UTF-8"),
        (b"name\nx\n", "headings code"),
        (b"code,code\nx,y\n", "headings code"),
        (b"code,size\nx,9\n", "got 'code, size'"),
        (b"code,name\nx\n", "have 2 cells in row 2; got 1"),
    ],
)
def test_a_file_of_areas_says_what_is_wrong_with_it(content: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said):
        read_areas(content)
