"""Estimates from a folder of noisy tables, and its adjusted tables: sums, ranges, and how often they hold."""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore.adjustment import LeastSquares
from dpcore.errors import Refused
from riskline.release.adjusting import adjusted_release
from riskline.release.areas import areas_of_rows
from riskline.release.estimates import Estimates, normal_level
from riskline.release.folder import PublishedTable, ReleaseFolder, law_of, write_folder
from tests.command_line import told
from tests.each import each
from tests.noisy_folders import release
from tests.noisy_folders import written as written_folder

AREAS = areas_of_rows(
    [
        {"code": "24", "name": "Maryland"},
        {"code": "10", "name": "Delaware"},
        {"code": "24001", "name": "Allegany", "parent": "24"},
        {"code": "24003", "name": "Anne Arundel", "parent": "24"},
        {"code": "10001", "name": "Kent", "parent": "10"},
    ],
    ("state", "county"),
)
COUNTIES = [[0, 0], [0, 0], [30, 25], [0, 3], [90, 300]]
TRUE = np.stack([AREAS.tree.added_up(counts) for counts in (COUNTIES, 2 * np.array(COUNTIES))])
SCALES = {"state": 3.0, "county": 2.0}


def folder(rng: np.random.Generator, noise: str = "discrete_gaussian") -> ReleaseFolder:
    """One release of two tables, the first of two months."""
    spread = np.array([SCALES[AREAS.levels[level]] for level in AREAS.level_of])

    def drawn(true: Any) -> Any:
        found = np.array(true)
        for scale in set(spread.tolist()):
            at = spread == scale
            found[:, at] += law_of(noise, scale).simulate_noise(found[:, at].shape, seed=rng).astype(int)
        return found

    sexes = {"sex": ("f", "m")}
    births = PublishedTable("Births", AREAS, sexes, ("Jan", "Feb"), noise, SCALES, drawn(TRUE))
    deaths = PublishedTable("Deaths", AREAS, {}, ("",), noise, SCALES, drawn(TRUE[:1].sum(axis=2, keepdims=True) // 5))
    return ReleaseFolder(AREAS, {"Births": births, "Deaths": deaths}, {})


ASKED = {
    "count": ("table=Births; area=24003; sex=f; time=Jan", "", 0),
    "sum": ("table=Births; area=24; time=Jan,Feb", "", 174),
    "difference": ("table=Births; area=10; time=Feb", "table=Births; area=24; time=Feb", 664),
    "share": ("table=Births; area=24; sex=m; time=Jan", "table=Births; area=24; time=Jan", 28 / 58),
    "share of few": ("table=Births; area=24003; sex=f; time=Jan", "table=Births; area=24003; time=Jan", 0.0),
    "rate": ("table=Deaths; area=10", "table=Births; area=10; time=Jan", 78 / 390),
}


def asked(estimates: Estimates, name: str) -> Any:
    first, second, _ = ASKED[name]
    chosen = estimates.selection(first)
    if not second:
        return estimates.count(chosen)
    other = estimates.selection(second)
    return estimates.difference(chosen, other) if name == "difference" else estimates.ratio(chosen, other)


@each("noise", ["discrete_gaussian", "geometric"])
def test_a_range_of_an_estimate_holds_the_true_number_as_often_as_it_says(noise: str) -> None:
    rng, releases = np.random.default_rng(8), 200
    held = dict.fromkeys(ASKED, 0)
    for _ in range(releases):
        estimates = Estimates(folder(rng, noise))
        for name, (*_, true) in ASKED.items():
            found = asked(estimates, name)
            held[name] += found.low <= true + 1e-9 and true - 1e-9 <= found.high
    for name, number in held.items():
        assert number / releases > 0.93, name
    assert held["sum"] < releases
    assert held["rate"] / releases < 0.99


def test_estimates_say_what_they_are_and_keep_what_is_possible() -> None:
    estimates = Estimates(folder(np.random.default_rng(1)))
    found = {name: asked(estimates, name) for name in ASKED}
    assert {name: one.kind for name, one in found.items()} == {
        "count": "count",
        "sum": "count",
        "difference": "difference",
        "share": "share",
        "share of few": "share",
        "rate": "rate",
    }
    assert found["count"].low == 0
    assert found["share of few"][2:] == (0.0, 1.0)
    assert found["sum"].value == pytest.approx(174, abs=25)


def test_a_range_of_a_difference_knows_what_the_two_have_in_common() -> None:
    births = folder(np.random.default_rng(1)).tables["Births"]
    estimates = Estimates(ReleaseFolder(AREAS, {"Births": births}, {}))
    jan, other, feb = (
        estimates.selection(text)
        for text in ("area=24001; sex=f; time=Jan", "area=24003; sex=f; time=Jan", "area=24001; sex=f; time=Feb")
    )
    fit, weights = LeastSquares(births.noisy("Jan")), np.zeros((5, 2))
    weights[2, 0], weights[3, 0] = 1.0, -1.0
    low, high = fit.interval(weights)[0]
    assert estimates.difference(jan, other)[2:] == (np.floor(low), np.ceil(high))
    found = estimates.difference(jan, feb)
    wide = 1.959964 * np.sqrt(fit.variances[2, 0] + LeastSquares(births.noisy("Feb")).variances[2, 0])
    assert found.high == np.ceil(found.value + wide), "noise of two times is independent"


@each(
    "noise, scale", [("discrete_gaussian", 0.53), ("discrete_gaussian", 1.0), ("geometric", 0.33), ("geometric", 1.0)]
)
def test_a_narrow_noise_of_whole_numbers_is_held_as_often_as_it_says(noise: str, scale: float) -> None:
    rng, releases = np.random.default_rng(3), 500
    areas = areas_of_rows([{"code": "a"}], ("all",))
    held, shares = 0, 0
    counts = 3 + law_of(noise, scale).simulate_noise((releases, 2), seed=rng).astype(int)
    for count, times in zip(*np.unique(counts, axis=0, return_counts=True), strict=True):
        both = np.add(count, [0, 94])[None, None, :]
        table = PublishedTable("A", areas, {"sex": ("f", "m")}, ("",), noise, {"all": scale}, both)
        estimates = Estimates(ReleaseFolder(areas, {"A": table}, {}))
        few, every = estimates.selection("sex=f"), estimates.selection("sex=f,m")
        one, share = estimates.count(few), estimates.ratio(few, every)
        held += times * (one.low <= 3 <= one.high)
        shares += times * (share.low <= 0.03 <= share.high)
    assert held / releases > 0.93
    assert shares / releases > 0.93


def test_nothing_is_known_of_a_ratio_whose_denominator_is_estimated_below_zero() -> None:
    counts = np.array([[[5], [0], [5], [0], [-90]]])
    table = PublishedTable("A", AREAS, {}, ("",), "discrete_gaussian", {"county": 2.0}, counts)
    estimates = Estimates(ReleaseFolder(AREAS, {"A": table}, {}))
    found = estimates.ratio(estimates.selection("area=24001"), estimates.selection("area=10001"))
    assert (found.low, found.high) == (0.0, np.inf)
    assert np.isnan(found.value)
    assert estimates.count(estimates.selection("area=24001")).low == 1


def test_a_level_beside_one_is_answered() -> None:
    estimates = Estimates(folder(np.random.default_rng(1), "geometric"), 1 - 1e-12)
    found = estimates.count(estimates.selection("table=Births"))
    assert np.isfinite(found.high)
    every = estimates.selection("table=Births")
    assert estimates.ratio(estimates.selection("table=Births; sex=f"), every).high <= 1


def test_an_estimate_lies_in_its_range_where_noise_is_below_zero() -> None:
    counts = np.array([[[-9, 40], [0, 0], [-9, 40], [0, 0], [0, 0]]])
    table = PublishedTable("A", AREAS, {"sex": ("f", "m")}, ("",), "discrete_gaussian", SCALES, counts)
    estimates = Estimates(ReleaseFolder(AREAS, {"A": table}, {}))
    few, every = (estimates.selection(text) for text in ("area=24; sex=f", "area=24"))
    assert estimates.count(few) == ("count", 0.0, 0.0, 0.0)
    assert estimates.ratio(few, every)[1:3] == (0.0, 0.0)


def test_a_share_of_itself_is_the_whole() -> None:
    estimates = Estimates(folder(np.random.default_rng(1)))
    girls = estimates.selection("table=Births; sex=f")
    assert estimates.ratio(girls, girls) == ("share", 1.0, 1.0, 1.0)


def test_an_area_named_twice_is_counted_once() -> None:
    estimates = Estimates(folder(np.random.default_rng(1)))
    once, twice = (estimates.selection(f"table=Births; area={area}") for area in ("24001", "24001, 24001"))
    assert once.areas == twice.areas
    assert estimates.count(once) == estimates.count(twice)


def test_a_rate_can_be_above_one() -> None:
    estimates = Estimates(folder(np.random.default_rng(1)))
    found = estimates.ratio(*map(estimates.selection, ("table=Births; area=10", "table=Deaths; area=10")))
    assert found.kind == "rate"
    assert 1 < found.low < found.value < found.high


def test_a_range_after_adjusting_holds_the_adjusted_count_where_it_moved_far() -> None:
    areas = areas_of_rows([{"code": "a"}, {"code": "b", "parent": "a"}, {"code": "c", "parent": "a"}], ("all", "part"))
    counts = np.array([[[0], [-30], [30]]])
    table = PublishedTable("A", areas, {}, ("",), "discrete_gaussian", {"all": 1.0, "part": 2.0}, counts)
    (found,) = adjusted_release([table])
    low, high = found.ranges[""]
    assert found.found[""].counts.ravel().tolist() == [6, 0, 6]
    assert (low[2, 0], high[2, 0]) == (6, 33)


def test_what_is_left_out_is_all_of_it() -> None:
    estimates = Estimates(folder(np.random.default_rng(1)))
    every, named = (estimates.selection(text) for text in ("table=Births", "table=Births;area=10,24;sex=f,m"))
    assert estimates.count(every) == estimates.count(named)
    assert every.holds(estimates.selection("table=Births; area=24001; time=Feb"))
    assert not estimates.selection("table=Births; time=Jan").holds(every)


SIGNS = ("Kent, East", "a; b", '6" pipe', '"quoted", once', "New York", "x=1")
"""Codes and labels that hold what parts others, and quotation marks themselves."""


@pytest.mark.parametrize("name", ["a=b", "sex; age", 'a"b', "x, y", "=", ";"])
def test_a_category_is_named_between_quotation_marks_whatever_its_name_holds(name: str) -> None:
    values = np.array([[[3, 5], *[[0, 0]] * (len(AREAS.codes) - 1)]])
    table = PublishedTable("Births", AREAS, {name: ("f", "m; x")}, ("",), "discrete_gaussian", SCALES, values)
    estimates, quoted = Estimates(ReleaseFolder(AREAS, {"Births": table}, {})), '"' + name.replace('"', '""') + '"'
    for text, cells in ((f"{quoted}=f", (0,)), (f' {quoted} = "m; x" ;area=24', (1,)), (f"area=24;{quoted}=f", (0,))):
        assert estimates.selection(text).cells == cells


def test_codes_and_labels_with_commas_semicolons_and_quotation_marks_can_be_named() -> None:
    areas = areas_of_rows([{"code": code} for code in (*SIGNS, "24")], ("place",))
    counts = np.arange(7 * len(SIGNS)).reshape(1, 7, len(SIGNS))
    table = PublishedTable("Births; deaths", areas, {"cause": SIGNS}, ("",), "geometric", {"place": 1.0}, counts)
    estimates = Estimates(ReleaseFolder(areas, {table.name: table}, {}))
    for place, sign in enumerate(SIGNS):
        doubled = '"' + sign.replace('"', '""') + '"'
        found = estimates.selection(f'table="Births; deaths"; area={doubled}, 24; cause={doubled}')
        assert (found.areas, found.cells) == ((place, 6), (place,))
        if ";" not in sign:
            assert estimates.selection(f"area={sign}").areas == (place,)
    assert estimates.selection('area=24,New York, "a; b"').areas == (1, 4, 6)


@each(
    "text, words",
    [
        ("table=Births; area= , ", "a part must be a name, = and values; got 'area= ,'"),
        ('table=Births; area="24,10', "area must be codes of areas of Births; got '\"24'"),
        ("area=24", "table must be one of Births; Deaths; got ''"),
        ("table=Births; sx=f", "a part must be one of table, area, time, sex (did you mean sex?); got 'sx'"),
        ("table=Births; sex=x", "sex must be one of f, m; got 'x'"),
        ("table=Births; area=99", "area must be codes of areas of Births; got '99'"),
        ("table=Births; area=24,24001", "none of which lies in another; got 24001, which lies in 24"),
        ("table=Births; sex", "a part must be a name, = and values; got 'sex'"),
    ],
)
def test_a_selection_that_names_nothing_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refused) as refusal:
        Estimates(folder(np.random.default_rng(1))).selection(text)
    assert words in str(refusal.value)


def test_noise_of_an_epsilon_gets_the_range_of_laplace_noise() -> None:
    half = law_of("geometric", 50.0)
    wide = np.sqrt(float(half.variance)) * 2.118370  # the logarithm of 20 over the root of 2
    assert wide == pytest.approx(half.half_width(0.95), rel=0.02)
    assert normal_level("geometric", 0.95) > normal_level("discrete_gaussian", 0.95) == 0.95


@each("noise", ["discrete_gaussian", "geometric"])
def test_adjusted_tables_add_up_and_their_ranges_hold_the_true_counts(noise: str) -> None:
    rng, releases = np.random.default_rng(4), 50
    held = np.zeros(TRUE.shape)
    for _ in range(releases):
        births, deaths = adjusted_release(list(folder(rng, noise).tables.values()))
        for when, time in enumerate(("Jan", "Feb")):
            counts = births.found[time].counts
            low, high = births.ranges[time]
            assert (AREAS.tree.added_up(counts) == counts).all()
            assert counts.min() >= 0
            assert ((low <= counts) & (counts <= high)).all()
            assert low.min() >= 0
            held[when] += (low <= TRUE[when]) & (TRUE[when] <= high)
        assert len(list(deaths.rows())) == 5
    assert (held / releases).min() > 0.9
    assert (held / releases).mean() > 0.95


def test_rows_of_an_adjusted_table_carry_its_labels() -> None:
    births = adjusted_release([folder(np.random.default_rng(1)).tables["Births"]])[0]
    first = next(iter(births.rows()))
    assert births.heads == ("level", "area", "area_name", "time", "sex", "value", "low", "high")
    assert first[:5] == ("state", "24", "Maryland", "Jan", "f")
    assert first[5] == births.found["Jan"].counts[0, 0]
    assert births.about["method"] == "global"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of noisy tables on the disk."""
    found, out = folder(np.random.default_rng(2)), tmp_path_factory.mktemp("release") / "births"
    write_folder(out, AREAS, list(found.tables.values()), plan={"riskline_plan": 1}, record={})
    return out


def test_adjust_writes_tables_that_add_up(written: Path, tmp_path: Path) -> None:
    out = tmp_path / "adjusted"
    done = told("adjust", str(written), "--out", str(out))
    assert (done.code, done.complaint) == (0, "")
    assert done.out.startswith("Adjusted: 25 counts in 2 tables, in the folder ")
    record = json.loads((out / "record.json").read_text(encoding="utf-8"))
    assert record["riskline_adjusted"] == 1
    assert record["record_of_the_release"] == hashlib.sha256((written / "record.json").read_bytes()).hexdigest()
    for name, digest in record["files"].items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    with open(out / "01-births.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 20
    of = {(row["area"], row["time"], row["sex"]): int(row["value"]) for row in rows}
    for time, sex in itertools.product(("Jan", "Feb"), "fm"):
        assert of["24", time, sex] == of["24001", time, sex] + of["24003", time, sex]
    assert min(of.values()) >= 0
    assert all(int(row["low"]) <= int(row["value"]) <= int(row["high"]) for row in rows)


def test_adjust_refuses_what_it_cannot_read_and_leaves_nothing(written: Path, tmp_path: Path) -> None:
    out = tmp_path / "adjusted"
    for given, words in (
        ((str(tmp_path), "--out", str(out)), "must hold a record.json of riskline release"),
        ((str(written), "--out", str(written)), "--out must be a folder that does not exist yet"),
        ((str(written), "--out", str(out), "--method", "best"), "--method must be nearest or top-down; got 'best'."),
        ((str(written), "--out", str(out), "--format", "xls"), "--format must be csv or parquet; got 'xls'."),
        ((str(written),), "riskline adjust needs a folder and --out FOLDER"),
        ((str(written), "--outt", "a"), "riskline adjust has no choice called '--outt'"),
    ):
        refused = told("adjust", *given)
        assert refused.code == 2
        assert words in refused.complaint
    assert list(tmp_path.iterdir()) == []


def test_estimate_tells_each_kind_as_its_numbers_are(written: Path) -> None:
    estimates = Estimates(folder(np.random.default_rng(2)))
    for name, (first, second, _) in ASKED.items():
        more = () if not second else ("--minus" if name == "difference" else "--over", second)
        found = asked(estimates, name)
        document = json.loads(told("estimate", str(written), first, *more, "--json").out)
        assert document["kind"] == found.kind
        assert [document[key] for key in ("value", "low", "high")] == pytest.approx(list(found[1:]))
    chosen = ASKED["rate"]
    per_1000 = told("estimate", str(written), chosen[0], "--over", chosen[1], "--per", "1000")
    numbers = re.findall(r"(?:About|between|and) (\d[\d,.]*\d)", per_1000.out)
    value, low, high = (float(one.replace(",", "")) for one in numbers)
    rate = asked(estimates, "rate")
    assert low <= 1000 * rate.low <= value <= 1000 * rate.high <= high
    assert low == pytest.approx(1000 * rate.low, rel=0.01)
    assert " per 1,000, between " in per_1000.out


def test_estimate_says_whole_people_and_when_nothing_is_known(written: Path) -> None:
    found = asked(Estimates(folder(np.random.default_rng(2))), "sum")
    said = told("estimate", str(written), ASKED["sum"][0]).out
    low, high = math.floor(found.low), math.ceil(found.high)
    assert said.startswith(f"About {found.value:.0f}, between {low} and {high} in 95 of 100 releases.")
    few = ASKED["share of few"]
    sure = told("estimate", str(written), few[0], "--over", few[1], "--level", "99.99%").out
    assert sure.startswith("Nothing is known of this ratio: what it is divided by could be 0.")
    wide = told("estimate", str(written), ASKED["sum"][0], "--level", "99%").out
    assert "in 99 of 100 releases" in wide
    share = told("estimate", str(written), ASKED["share"][0], "--over", ASKED["share"][1]).out
    assert re.match(r"About \d+(\.\d)? %, between \d+(\.\d)? and \d+(\.\d)? in 95", share)


def test_estimate_says_of_sums_of_exact_totals_that_no_noise_is_in_them(tmp_path: Path) -> None:
    at = str(written_folder(tmp_path, release(6, exact="state")))
    area, other = "table=Births; area=S0; time=Jan", "table=Births; area=S1; time=Jan"
    exactly = "From exact totals, without noise:"
    assert told("estimate", at, area).out.strip() == f"{exactly} 3,000."
    assert told("estimate", at, area, "--minus", other).out.strip() == f"{exactly} 0."
    assert told("estimate", at, area, "--over", other, "--per", "100").out.strip() == f"{exactly} 100 per 100."
    assert told("estimate", at, "table=Births; area=S0; sex=f; time=Jan").out.startswith("About ")


def test_a_rate_of_more_than_a_thousand_is_told_in_whole_numbers(written: Path) -> None:
    first, second, _ = ASKED["rate"]
    rate = asked(Estimates(folder(np.random.default_rng(2))), "rate")
    per = 10_000 / rate.high
    said = told("estimate", str(written), first, "--over", second, "--per", f"{per:.0f}").out
    low, high = (int(one.replace(",", "")) for one in re.findall(r"(?:between|and) (\d[\d,]*)", said)[:2])
    assert low == math.floor(round(per) * rate.low)
    assert high == math.ceil(round(per) * rate.high)


def test_estimate_tells_the_law_of_one_count(written: Path) -> None:
    """The law of girls in a county of 30 whose noisy counts are those of the folder, by counting up."""
    released = folder(np.random.default_rng(2)).tables["Births"]
    own = "table=Births; area=24001; sex=f; time=Feb"
    document = json.loads(told("estimate", str(written), own, "--posterior", "--json").out)
    (state, _, county, beside, _) = released.values[1, :, 0].tolist()
    rho = {level: 0.5 / scale**2 for level, scale in SCALES.items()}
    counts = np.arange(150)
    logs = -rho["county"] * ((county - counts[:, None]) ** 2 + (beside - counts) ** 2)
    law = np.exp(logs - rho["state"] * (state - counts[:, None] - counts) ** 2).sum(axis=1)
    law /= law.sum()
    found = np.zeros(150)
    found[document["first"] :][: len(document["probabilities"])] = document["probabilities"]
    assert found == pytest.approx(law, abs=1e-10)
    assert document["kind"] == "posterior"
    assert document["left_out"] == 0
    held = law[document["low"] : document["high"] + 1].sum()
    assert 0.95 <= held < 0.95 + law[document["low"]] + law[document["high"]]
    said = told("estimate", str(written), own, "--posterior").out
    low, high, mode = (document[name] for name in ("low", "high", "mode"))
    assert said.startswith(
        f"Between {low} and {high} with a probability of 95 %, given the noisy counts of all levels;"
    )
    assert f"most likely {mode}.\nExact" in said
    both = told("estimate", str(written), "table=Births; area=24001; time=Feb", "--posterior", "--json").out
    assert json.loads(both)["mode"] > mode


def test_estimate_refuses_in_a_sentence(written: Path, tmp_path: Path) -> None:
    births = "table=Births"
    for given, words in (
        ((str(written), "sex=f"), "Table must be one of Births; Deaths; got ''"),
        ((str(tmp_path), births), "must hold a record.json"),
        ((str(written), births, "--over", births, "--minus", births), "Choose --over or --minus, not both."),
        ((str(written), births, "--posterior"), "Area must be one for a posterior; got 2"),
        ((str(written), f"{births}; area=24", "--posterior"), "Time must be one for a posterior; got 2"),
        ((str(written), births, "--minus", births, "--posterior"), "--posterior is of one count, without --over"),
        ((str(written), births, "--per", "1000"), "--per is for a rate; this is a count."),
        ((str(written), births, "--level", "1"), "--level must be greater than 0 and less than 1; got '1'"),
        ((str(written),), "riskline estimate needs a folder and counts"),
    ):
        refused = told("estimate", *given)
        assert refused.code == 2
        assert words in refused.complaint
