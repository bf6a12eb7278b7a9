"""Estimates from a folder of noisy tables, and its adjusted tables: sums, ranges, and how often they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.errors import Refused
from riskline.release.adjusting import adjusted_release
from riskline.release.areas import areas_of_rows
from riskline.release.estimates import Estimates, normal_level
from riskline.release.folder import PublishedTable, ReleaseFolder, law_of
from tests.each import each

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
    rng, releases = np.random.default_rng(8), 400
    held = dict.fromkeys(ASKED, 0)
    for _ in range(releases):
        estimates = Estimates(folder(rng, noise))
        for name, (*_, true) in ASKED.items():
            found = asked(estimates, name)
            held[name] += found.low <= true + 1e-9 and true - 1e-9 <= found.high
    for name, number in held.items():
        assert number / releases > 0.93, name
    assert held["sum"] / releases < 0.99
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


def test_what_is_left_out_is_all_of_it() -> None:
    estimates = Estimates(folder(np.random.default_rng(1)))
    every, named = (estimates.selection(text) for text in ("table=Births", "table=Births;area=10,24;sex=f,m"))
    assert estimates.count(every) == estimates.count(named)
    assert every.holds(estimates.selection("table=Births; area=24001; time=Feb"))
    assert not estimates.selection("table=Births; time=Jan").holds(every)


@each(
    "text, words",
    [
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
    rng, releases = np.random.default_rng(4), 150
    held = np.zeros(TRUE.shape)
    for _ in range(releases):
        births, deaths = adjusted_release(list(folder(rng, noise).tables.values()))
        for when, time in enumerate(("Jan", "Feb")):
            counts = births.found[time].counts
            low, high = births.ranges[time]
            assert (AREAS.tree.added_up(counts) == counts).all()
            assert counts.min() >= 0
            assert ((low <= counts) & (counts <= high)).all()
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
