"""What the page 'publish' claims: recomputed densely, by loops, from the law of the noise, and by the commands."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from dpcore.populations import synthetic_county
from riskline.case.value import Case
from riskline.commands.estimate import estimated
from riskline.release.areas import areas_of_rows
from riskline.release.estimates import normal_level
from riskline.release.folder import RECORD, PublishedTable
from riskline.release.making import make_release
from riskline.release.shapes import shapes_of_file
from tests.each import each
from tests.noisy_folders import files_of, release, shapes_file, written, zipped
from tests.release_plans import made_up_people, written_plan
from tests.release_plans import written as data_file
from ui.pictures.marks import Areas
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.publish import PublishInputs, publish_view
from ui.views.publish.held import MOST_NUMBERS, Held, Offered, example, read_upload
from ui.views.publish.view import MOST_ADJUSTED, MOST_DRAWN, MOST_MAPPED

PLAIN = Style()


def column(picture: Picture | None, key: str) -> np.ndarray:
    assert picture is not None
    return picture.numbers.column(key).numbers


def own(folder: Path, **chosen: Any) -> Any:
    return publish_view(PublishInputs(data="own", **chosen), PLAIN, read_upload(zipped(folder)))


def dense(held: Held, weights: np.ndarray) -> tuple[float, float]:
    """A weighted sum of counts of the first table and time, and its standard deviation, by the normal equations."""
    table = next(iter(held.folder.tables.values()))
    parents = np.asarray(table.areas.tree.parents)
    leaves = np.flatnonzero(table.areas.tree.undivided)
    design = np.zeros((len(parents), len(leaves)))
    for place, leaf in enumerate(leaves):
        above = leaf
        while above >= 0:
            design[above, place], above = 1, parents[above]
    precision = np.zeros(len(parents))
    for level, law in table.laws.items():
        precision[table.areas.at(level)] = 1 / law.variance
    spread = np.linalg.inv(design.T @ (precision[:, None] * design))
    counts = design @ spread @ design.T @ (precision[:, None] * table.values[0])
    variance = sum(float(one @ design @ spread @ design.T @ one) for one in weights.T)
    return float((counts * weights).sum()), math.sqrt(variance)


def ends(held: Held, weights: np.ndarray) -> tuple[int, int]:
    middle, deviation = dense(held, weights)
    wide = norm.ppf((1 + normal_level(next(iter(held.folder.tables.values())).noise, 0.95)) / 2) * deviation
    return math.floor(middle - wide), math.ceil(middle + wide)


# ---- the example -----------------------------------------------------------------------------------------------------


def test_a_range_of_the_answer_is_that_of_the_normal_equations() -> None:
    held, weights = example(Case(), 1), np.zeros((33, 2))
    weights[5, 0] = 1
    low, high = ends(held, weights)
    assert (
        f"**Block 1, under voting age**: between **{max(low, 0)}** and **{high}**"
        in publish_view(PublishInputs(), PLAIN).answer
    )
    weights[:] = 0
    weights[11], weights[7] = 1, -1
    low, high = ends(held, weights)
    less = publish_view(PublishInputs(wanted="difference", cell=3, area=7, other_area=3), PLAIN)
    said = f"**Block 7 less Block 3**: between **{low}** and **{high}**".replace("-", "−")
    assert said in less.answer
    assert less.estimates is not None
    assert less.estimates.numbers.column("value").values[list(column(less.estimates, "chosen")).index(1)] == (
        pytest.approx(dense(held, weights)[0])
    )


def test_the_counts_of_the_example_are_those_of_the_synthetic_county_and_its_noise() -> None:
    county, view = synthetic_county(), publish_view(PublishInputs(seed=2), PLAIN)
    young = {
        place: sum(int(count) for count, cell in zip(row, county.cells, strict=True) if cell[1] != "Of voting age")
        for place, row in zip(county.places, county.counts, strict=True)
    }
    assert view.noisy is not None
    names = view.noisy.numbers.column("area").values
    assert dict(zip(names, column(view.noisy, "true"), strict=True)) == young
    noisy, true = column(view.noisy, "noisy"), column(view.noisy, "true")
    half = int(re.search(r"at most \*\*(\d+)\*\* off", view.noisy.reading)[1])  # type: ignore[index]
    missed = sum(abs(a - b) > half for a, b in zip(noisy, true, strict=True))
    assert f"Of 28 true counts, **{missed}** " in view.noisy.reading
    assert column(view.noisy, "high").tolist() == (noisy + half).tolist()
    assert column(view.noisy, "low").tolist() == (noisy - half).tolist()


def test_the_ranges_of_the_plan_follow_from_the_budget_by_the_law_of_the_noise() -> None:
    """Geometric noise at a third of ε = 1.29: its tail beyond h is 2 a^(h+1) / (1 + a)."""
    view = publish_view(PublishInputs(), PLAIN)
    a = math.exp(-1.29 / 3)
    half = next(h for h in range(99) if 2 * a ** (h + 1) / (1 + a) <= 0.05)
    assert column(view.ranges, "half").tolist() == [half] * 3
    assert column(view.ranges, "paid").tolist() == pytest.approx([0.43] * 3)
    assert view.ranges is not None
    assert [words for _, words in view.ranges.panels[0].x.ticks] == ["10", "100"]
    assert (
        f"For **ε = 0.43**, noise moves a block count by at most **{half}** in 95 of 100 releases"
        in view.ranges.reading
    )
    assert (
        "**ε = 1.29** in all for a given person, not decided. Protected: whether a given person is in the data"
        in view.plan
    )


def test_the_example_is_paid_from_the_budget_of_the_case_for_everybody_who_belongs_together() -> None:
    """ρ = 2 a record is 8 for two; two replaced records move two counts by two each, so L2 is √8 at each level."""
    case = Case(secret="value", unit="household", group=2, relation="replace").decided(value=2.0, currency="rho")
    held = example(case, 1)
    (table,) = held.folder.tables.values()
    assert list(table.scales.values()) == pytest.approx([math.sqrt(8) / math.sqrt(2 * 8 / 3)] * 3)
    view = publish_view(PublishInputs(case=case), PLAIN)
    assert (
        "**ρ = 8.00** in all for a given household of 2, decided. Protected: which value a given household of 2 has"
        in view.plan
    )
    undecided = publish_view(PublishInputs(case=Case(unit="household", group=4)), PLAIN)
    assert "**ε = 1.29** in all for a given household of 4, not decided (the example's)" in undecided.plan


@each("seed", [1, 2, 3, 4])
def test_what_adjusting_changes_is_counted_by_hand(seed: int) -> None:
    view, held = publish_view(PublishInputs(seed=seed), PLAIN), example(Case(), seed)
    (table,) = held.folder.tables.values()
    counts, groups = table.values[0], synthetic_county().groups
    below = sum(int(count) < 0 for row in counts[5:] for count in row)
    gaps = [abs(int(counts[0, cell]) - int(counts[5:, cell].sum())) for cell in (0, 1)]
    for group in range(4):
        blocks = [5 + place for place, one in enumerate(groups) if one == group]
        gaps += [abs(int(counts[1 + group, cell]) - sum(int(counts[at, cell]) for at in blocks)) for cell in (0, 1)]
    assert view.adjusted is not None
    assert f"**{max(gaps)}** noisy, **0** adjusted; negative block counts: **{below}** before, **0** after" in (
        view.adjusted.reading
    )
    said = f"**{below}** noisy block count" if below else "No noisy block count is below zero"
    assert view.answer.startswith(said)
    assert (column(view.adjusted, "after") >= 0).all()
    everybody = publish_view(PublishInputs(seed=seed, level=3, cell=3), PLAIN)
    parts = publish_view(PublishInputs(seed=seed, cell=3), PLAIN)
    assert column(parts.adjusted, "after").sum() == column(everybody.adjusted, "after").sum()


def test_what_could_be_divided_by_nothing_is_not_said() -> None:
    view = publish_view(PublishInputs(cell=2, area=25, wanted="ratio", other_cell=2), PLAIN)
    assert "nothing is known, as what it is divided by could be 0" in view.answer
    assert np.isnan(column(view.estimates, "high")).any()


# ---- a folder of one's own -------------------------------------------------------------------------------------------


def test_a_folder_is_read_as_files_or_as_a_zip_and_says_what_was_paid(tmp_path: Path) -> None:
    folder = written(tmp_path, release(), decision={"value": 0.6})
    view = own(folder)
    assert view.plan.startswith(
        "**1 Plan.** **ρ = 0.60** in all for a given person, decided, **ρ = 0.50** spent. Protected:"
    )
    assert column(view.ranges, "paid").tolist() == [0.125, 0.125]
    for files in (files_of(folder), zipped(folder, "here/out/", people="name\nAda\n")):
        again = publish_view(PublishInputs(data="own"), PLAIN, read_upload(files))
        assert (again.answer, again.plan) == (view.answer, view.plan)
    assert view.python is None
    assert "simulated" not in view.make
    assert "true" not in view.noisy.numbers.by_key


def test_what_was_spent_is_that_of_all_draws_where_a_record_says_it(tmp_path: Path) -> None:
    assert (
        ", not decided, **ρ = 0.55** spent. Protected:"
        in own(written(tmp_path, release(), spent_in_all_draws=0.55)).plan
    )


def test_only_a_table_of_the_same_areas_at_the_same_time_is_offered_as_what_is_divided_by(tmp_path: Path) -> None:
    births, deaths = release()
    quarters = replace(deaths, name="Quarters", times=("Q1", "Q2"), values=np.repeat(deaths.values, 2, axis=0))
    months = replace(quarters, name="Months", times=("Feb", "Jan"))
    nation = replace(
        deaths,
        name="Nation",
        areas=deaths.areas.down_to(["nation"]),
        scales={"nation": 2.0},
        values=deaths.values[:, :1],
        totals=None,
    )
    folder = read_upload(files_of(written(tmp_path, [births, deaths, quarters, months, nation]))).folder

    def offered(**chosen: Any) -> Offered:
        return Offered(folder, vars(PublishInputs(wanted="ratio", **chosen)))

    assert offered().words["other_table"] == {1: "Births", 2: "Deaths", 4: "Months"}
    assert offered(level=2).words["other_table"] == {1: "Births", 2: "Deaths", 4: "Months", 5: "Nation"}
    assert offered(table=2, level=2).words["other_table"] == {2: "Deaths", 5: "Nation"}
    assert offered(other_table=3).other_table.name == "Births"
    assert offered(other_table=4).others(4) == "table=Months; area=C0; time=Jan"


def test_the_answer_names_the_table_and_the_time_where_there_are_several(tmp_path: Path) -> None:
    folder = written(tmp_path, release())
    for chosen, words in (
        ({"time": 2}, "**0 <b>, f, 0+ (Births, Feb)**:"),
        ({"table": 2}, "**0 <b> (Deaths)**:"),
        ({"wanted": "difference"}, "**0 <b>, f, 0+ less 1 <b>, f, 0+ (Births, Jan)**:"),
        ({"wanted": "ratio", "other_table": 2}, "**0 <b>, f, 0+ (Births, Jan), for each one of 0 <b> (Deaths)**:"),
    ):
        assert words in own(folder, **chosen).answer
    assert "**Block 1, under voting age**:" in publish_view(PublishInputs(), PLAIN).answer


def test_noise_too_narrow_to_move_a_count_is_left_out_of_a_logarithmic_axis(tmp_path: Path) -> None:
    births, deaths = release()
    view = own(written(tmp_path, [replace(births, scales={"nation": 0.01, "county": 4.0}), deaths]), level=2)
    half = column(view.ranges, "half")
    assert np.isnan(half[0])
    assert half[1] > 0
    assert "at most **0** in 95 of 100" in view.ranges.reading


def test_of_a_level_with_one_area_no_difference_is_said(tmp_path: Path) -> None:
    folder = written(tmp_path, release())
    one, count = (own(folder, level=2, wanted=wanted) for wanted in ("difference", "count"))
    assert one.answer == count.answer
    assert " less " in own(folder, wanted="difference").answer


@each(
    "chosen",
    [
        {"area": 7, "cell": 3, "time": 2},
        {"area": 7, "cell": 5, "wanted": "difference", "other_area": 9},
        {"area": 2, "cell": 1, "wanted": "ratio"},
        {"area": 7, "cell": 5, "wanted": "ratio", "other_table": 2},
        {"table": 2, "level": 2},
        {"area": 7, "more_areas": (2, 9, 11), "cell": 3},
        {"area": 7, "more_areas": (2, 9), "cell": 5, "wanted": "difference", "other_area": 4},
        {"area": 2, "more_areas": (3,), "cell": 1, "wanted": "ratio"},
    ],
)
def test_the_command_of_the_page_says_the_same(chosen: dict[str, Any]) -> None:
    import shlex
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        folder = written(Path(place), release())
        view = own(folder, **chosen)
        _, _, _, counts, *more = shlex.split(view.commands[-1])
        options = {name.removeprefix("--"): value for name, value in zip(more[::2], more[1::2], strict=True)}
        both = {"over": options.get("over"), "minus": options.get("minus")}
        said = estimated(str(folder), counts, **both, per="1", level="0.95", as_json=False)  # type: ignore[arg-type]
        found = json.loads(estimated(str(folder), counts, **both, per="1", level="0.95", as_json=True))  # type: ignore[arg-type]
    place_of = list(column(view.estimates, "chosen")).index(1)
    if found["value"] is None:
        assert np.isnan(column(view.estimates, "value")[place_of])
        assert said.startswith("Nothing is known")
        assert "nothing is known" in view.answer
        return
    if more := chosen.get("more_areas"):  # the picture is of each, the answer of all together
        assert f" and {len(more)} more" in view.answer
        assert list(column(view.estimates, "chosen")).count(1) == 1 + len(more)
    for key in () if more else ("value", "low", "high"):
        assert column(view.estimates, key)[place_of] == pytest.approx(found[key], abs=1e-9)
    assert not (column(view.estimates, "value") < column(view.estimates, "low")).any()
    if found["kind"] != "rate":
        low, high = re.search(r"between (\S+)(?: %)? and (\S+)(?: %)? in", said).groups()  # type: ignore[union-attr]
        printed = re.search(r"between \*\*(\S+?)(?: %)?\*\* and \*\*(\S+?)(?: %)?\*\*", view.answer)
        assert [float(one.replace("−", "-")) for one in printed.groups()] == [float(low), float(high)]  # type: ignore[union-attr]


def test_labels_with_signs_that_part_others_are_read_and_their_command_takes_them(tmp_path: Path) -> None:
    import shlex

    areas = areas_of_rows([{"code": code} for code in ("Kent; East", "a,b", '6" pipe', "x")], ("place",))
    causes = {"cause; age=band": ("accidents; violence", '"other"', "1=1+1")}
    values = np.arange(24).reshape(2, 4, 3)
    table = PublishedTable("Births; deaths", areas, causes, ("Jan; Feb", "1="), "geometric", {"place": 1.0}, values)
    folder = written(tmp_path, [table, replace(table, name="A, b")])
    for chosen in ({"area": 1, "cell": 1}, {"area": 2, "more_areas": (1, 3), "cell": 2, "time": 2, "table": 2}):
        view = own(folder, **chosen)
        told = estimated(
            str(folder), shlex.split(view.commands[-1])[3], over=None, minus=None, per="1", level="0.95", as_json=True
        )
        added = [chosen["area"], *chosen.get("more_areas", ())]
        true = sum(values[chosen.get("time", 1) - 1, at - 1, chosen["cell"] - 1] for at in added)
        assert json.loads(told)["value"] == pytest.approx(true)


def test_exact_totals_are_said_to_be_unprotected_and_kept(tmp_path: Path) -> None:
    view = own(written(tmp_path, release(exact="nation")), level=2, cell=5)
    assert "Not protected: exact totals of each nation (Births)." in view.plan
    assert "Not protected: exact totals of each nation (Births)." in own(tmp_path / "out", table=2).plan
    assert column(view.adjusted, "after").tolist() == [500 * 60]


def test_what_has_no_noise_is_said_to_be_exact_and_a_range_that_was_cut_off_is_not(tmp_path: Path) -> None:
    births, deaths = release(exact="nation")
    births.values[:, 4] = -1000  # a county far below zero: its range ends below
    folder = written(tmp_path, [births, deaths])
    assert "**All (Births, Jan)**: exactly **30,000**." in own(folder, level=2, cell=5).answer
    assert (
        "as a share of 2 <b> (Births, Jan)**: exactly **100.0 %**."
        in own(folder, area=3, cell=5, wanted="ratio").answer
    )
    assert "between **0** and **0**, a range that holds in 95" in own(folder, cell=1).answer
    assert "a range that holds in 95" in own(folder, level=2, cell=1).answer


def test_several_areas_are_summed_by_the_normal_equations_and_only_once() -> None:
    held, weights = example(Case(), 1), np.zeros((33, 2))
    weights[[5, 8, 20], 0] = 1
    low, high = ends(held, weights)
    for more in ((4, 16), (1, 4, 16, 900)):
        answer = publish_view(PublishInputs(area=1, more_areas=more), PLAIN).answer
        assert f"**Block 1 and 2 more, under voting age**: between **{low}** and **{high}**" in answer
    whole = publish_view(PublishInputs(area=1, more_areas=tuple(range(2, 29)), wanted="difference"), PLAIN)
    assert "Block 1 and 27 more, under voting age**: between" in whole.answer


def test_of_many_areas_some_are_drawn_and_the_chosen_one_is_among_them(tmp_path: Path) -> None:
    view = own(written(tmp_path, release(300)), area=123)
    assert len(column(view.estimates, "value")) == MOST_DRAWN
    assert list(column(view.estimates, "chosen")).count(1) == 1
    for picture in (view.noisy, view.adjusted, view.estimates):
        assert picture.reading.endswith(f" {MOST_DRAWN} of 300 areas.")
    assert "areas" not in publish_view(PublishInputs(), PLAIN).noisy.reading  # type: ignore[union-attr]
    values = column(view.estimates, "value")
    assert (np.diff(values) >= 0).all()
    assert "**122** <b>" not in view.answer
    assert "122 <b>" in view.answer


def test_a_map_has_every_area_of_the_level_and_says_how_shapes_were_joined(tmp_path: Path) -> None:
    folder = read_upload(files_of(written(tmp_path, release())))

    def mapped(*codes: str, **chosen: Any) -> Any:
        shapes = shapes_of_file(shapes_file(*codes))
        return publish_view(PublishInputs(data="own", **chosen), PLAIN, folder, shapes)

    every = [f"C{at}" for at in range(60)]
    view = mapped(*every)
    assert view.adjust.endswith("Shapes joined by **AREA_ID**.")
    for picture in (view.adjusted, view.estimates):
        assert [type(mark) for mark in picture.marks] == [Areas]
        assert sorted(set(column(picture, "of").tolist())) == list(range(60))
        rows = [str(row[0]) for row in picture.table.rows]
        assert len(rows) == 60
    assert [type(mark) for mark in view.noisy.marks] != [Areas]
    counts = column(view.adjusted, "after")
    assert counts.sum() == column(mapped("US", level=2).adjusted, "after").sum()
    values = view.adjusted.numbers.column("after")
    first, last = (f"{rows[at]}: {values.cell(at)}" for at in (0, -1))
    assert view.adjusted.alt.startswith(f"{first}; ")
    assert f"; …; {rows[36]}: {values.cell(36)}; " in view.adjusted.alt
    assert f"; {last}. Largest gap" in view.adjusted.alt
    fewer = mapped(*every[2:], "X<1>", "X<1>", *map(str, range(1, 7)))
    assert "2 areas have no shape: C0, C1." in fewer.adjust
    assert "8 shapes are of no area: X<1>, 1, 2, 3, 4, …." in fewer.adjust
    assert len(set(column(fewer.adjusted, "of").tolist())) == 58
    assert len(fewer.adjusted.table.rows) == 60
    assert "1 area has no shape: C0." in mapped(*every[1:]).adjust
    assert "1 shape is of no area: (nothing)." in mapped(*every, "").adjust


def test_without_a_shape_of_the_level_or_with_too_many_areas_dots_are_drawn(tmp_path: Path) -> None:
    folder = read_upload(files_of(written(tmp_path, release())))
    nowhere = publish_view(PublishInputs(data="own", level=2), PLAIN, folder, shapes_of_file(shapes_file("C1")))
    assert nowhere.adjust.endswith("No shape has the code of a nation: dots.")
    assert Areas not in map(type, nowhere.adjusted.marks)  # type: ignore[union-attr]
    dots = publish_view(PublishInputs(data="own", shown="dots"), PLAIN, folder, shapes_of_file(shapes_file("C1")))
    assert dots.adjust == publish_view(PublishInputs(data="own"), PLAIN, folder).adjust
    (tmp_path / "many").mkdir()
    many = read_upload(files_of(written(tmp_path / "many", release(MOST_MAPPED + 1))))
    view = publish_view(PublishInputs(data="own"), PLAIN, many, shapes_of_file(shapes_file("C1")))
    assert view.adjust.endswith("More than 600 areas: dots.")
    assert len(column(view.estimates, "value")) == MOST_DRAWN


def test_the_example_is_a_map_of_its_blocks_groups_and_county() -> None:
    for level, areas, pieces in ((1, 28, 1), (2, 4, 7), (3, 1, 28)):
        view = publish_view(PublishInputs(level=level), PLAIN)
        assert "Shapes joined" not in view.adjust
        of, x = (column(view.adjusted, key) for key in ("of", "east"))
        assert np.bincount(of[np.isnan(x)].astype(int)).tolist() == [pieces] * areas
        assert view.adjusted.title == "Adjusted counts"


def test_what_takes_long_to_adjust_is_left_to_the_command(tmp_path: Path) -> None:
    view = own(written(tmp_path, release(1500, ages=18)))
    assert MOST_ADJUSTED < 1504 * 36
    assert view.adjusted is None
    assert "Not here: too many counts" in view.adjust
    assert view.answer.startswith("**0 <b>, f, 0+ (Births, Jan)**: between")


def forged(folder: Path, **said: Any) -> list[tuple[str, bytes]]:
    record = json.loads((folder / RECORD).read_text(encoding="utf-8")) | said
    files = dict(files_of(folder))
    record["files"] = {name: hashlib.sha256(files[name]).hexdigest() for name in record["files"]}
    return [*(files | {RECORD: json.dumps(record).encode()}).items()]


def emptied(folder: Path, levels: Sequence[str] = (), **said: Any) -> list[tuple[str, bytes]]:
    """A folder with no number in its first table, or with a level that has no area."""
    record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    about, files = record["tables"][0], dict(files_of(folder))
    head, *lines = files[about["file"]].splitlines(keepends=True)
    files[about["file"]] = head if said else head + b"".join(lines)
    if levels:
        about["scales"] |= {levels[-1]: 1.0}
        record["releases"].append({"table": about["name"], "level": levels[-1], "spent": 0.1})
        record["levels"] = list(levels)
    about |= said
    record["files"] = {name: hashlib.sha256(files[name]).hexdigest() for name in record["files"]}
    return [*(files | {RECORD: json.dumps(record).encode()}).items()]


def test_whatever_is_no_such_folder_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, release())
    files = dict(files_of(folder))
    about = json.loads(files[RECORD])["tables"]
    huge = {**about[0], "categories": {str(at): list(map(str, range(99))) for at in range(9)}}
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("record.json", b"0" * 40_000_000)
    changed = files | {"01-births.csv": files["01-births.csv"].replace(b",f,", b",m,", 1)}
    adjusted = {RECORD: files[RECORD].replace(b"riskline_release", b"riskline_adjusted")}
    for brought, words in (
        ([("people.csv", b"person,county\n1,C1\n")], "no folder that riskline release wrote"),
        ([("people.zip", b"PK\x03\x04")], "no folder that riskline release wrote"),
        ([*(files | adjusted).items()], "hold a record.json of riskline release"),
        ([*changed.items()], "01-births.csv must be as it was written"),
        ([one for one in files.items() if one[0] != "areas.csv"], "no folder that riskline release wrote"),
        (forged(folder, tables=[huge]), f"numbers must be at most {MOST_NUMBERS:,}"),
        ([*(files | {"areas.csv": b"code\n" * 10_001}).items()], "areas must be at most 10,000"),
        (forged(folder, releases=[]), "no folder that riskline release wrote"),
        (forged(folder, tables=[]), "no folder that riskline release wrote"),
        (forged(folder, budget="1e999"), "no folder that riskline release wrote"),
        (forged(folder, promise={"secret": "all"}), "no folder that riskline release wrote"),
        (forged(folder, tables=[{**about[0], "scales": {"county": "-1"}}]), "no folder|must"),
        (forged(folder, tables=[{**about[0], "scales": {"nation": 0.0, "county": 4.0}}]), "^this is no folder"),
        (forged(folder, tables=[{**about[0], "scales": {"nation": math.inf, "county": 4.0}}]), "^this is no folder"),
        (forged(folder, tables=[{**about[0], "noise": "none of ours"}]), "^this is no folder"),
        (emptied(folder, times=[]), "^this is no folder"),
        (emptied(folder, categories={"sex": [], "age, years": ["0+"]}), "^this is no folder"),
        (emptied(folder, levels=["nation", "state", "county", "block"]), "^this is no folder"),
        ([("bomb.zip", bomb.getvalue())], "bytes must be at most 30,000,000"),
        ([("big.csv", b" " * 5_000_001)], "bytes must be at most 5,000,000"),
    ):
        with pytest.raises(ValueError, match=words):
            read_upload(brought)


def test_without_a_folder_the_example_is_shown_and_said_to_be() -> None:
    view = publish_view(PublishInputs(data="own"), PLAIN)
    assert view.notice == "No folder yet: this is the invented county."
    assert view.answer == publish_view(PublishInputs(), PLAIN).answer


def test_a_folder_that_opendp_drew_is_taken(tmp_path: Path) -> None:
    pytest.importorskip("opendp.prelude")
    levels = {"state": 0.1, "county": 0.2}
    plan = written_plan(tmp_path / "plan.json", {"levels": levels}, case={"unit": "household", "group": 2})
    people = made_up_people(2000)
    heads = list(people)
    data = data_file(tmp_path / "data.csv", heads, zip(*people.values(), strict=True))
    made = make_release(plan, data, tmp_path / "drawn")
    view = publish_view(PublishInputs(data="own"), PLAIN, read_upload(files_of(tmp_path / "drawn")))
    assert view.refusal is None
    assert "**ρ = 0.50** in all for a given household of 2, not decided, **ρ = " in view.plan
    assert column(view.ranges, "paid").tolist() == [one["spent"] for one in made.record["releases"]]
    assert "county" in view.answer
