"""Noisy tables of an area and those above it: cells, what is assumed of others, the attack with all of them, draws."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import logit

from dpcore.census import (
    FACTORS,
    LEVELS,
    CensusSecret,
    MeasuredAttack,
    Measurement,
    Measurements,
    cell_of,
    census_tables,
    draw_measurements,
)
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian

PERSON = "0*1*0*5"


def row(level: str, query: str, value: int, *, cell: str | None = None, **others: object) -> Measurement:
    """A measurement of the cell that counts `PERSON`, with noise of variance 8."""
    at = cell_of(query, PERSON) if cell is None else cell
    return Measurement(level, f"{level} A", query, at, value=value, **{"variance": 8.0, **others})  # type: ignore[arg-type]


def test_every_table_counts_a_person_in_the_cell_of_its_characteristics() -> None:
    cells = {table.query: cell_of(table.query, "6*0*1*62") for table in census_tables(levels=["block"])}
    assert cells == {
        "total": "",
        "cenrace": "62",
        "hispanic": "1",
        "votingage": "0",
        "hhinstlevels": "2",
        "hhgq": "6",
        "hispanic*cenrace": "1*62",
        "votingage*cenrace": "0*62",
        "votingage*hispanic": "0*1",
        "votingage*hispanic*cenrace": "0*1*62",
        "detailed": "6*0*1*62",
    }
    assert [cell_of("hhinstlevels", f"{kind}*0*0*0") for kind in range(8)] == list("01111222")
    assert math.prod(FACTORS[name] for name in ("hhgq", "votingage", "hispanic", "cenrace")) == 2016


def test_known_others_shift_the_odds_and_unknown_ones_are_summed_over() -> None:
    rows = [
        row("county", "detailed", 4),
        row("tract", "cenrace", 7, known=5),
        row("block", "total", 31, known=30),
        row("block", "detailed", 2, known=1),
    ]
    rho, k = 1 / 16, np.arange(0.0, 300.0)

    def law(value: int, counts: np.ndarray) -> float:
        return float(np.logaddexp.reduce(np.asarray(DiscreteGaussian(rho=rho).log_pmf(value - counts))))

    expected = law(4, 2 + k) - law(4, 1 + k)  # one is known in the same cell of the block
    expected += sum(rho * (2 * gap - 1) for gap in (2, 1, 1))
    attack = MeasuredAttack(Measurements(rows), PERSON, prior=0.2)
    assert attack.log_odds == pytest.approx(logit(0.2) + expected, abs=1e-10)
    assert attack.posterior == pytest.approx(1 / (1 + math.exp(-attack.log_odds)))
    block = attack.by_level[-1]
    assert (block.level, block.area, block.tables, block.cells, block.known) == ("block", "block A", 2, 2, 2)
    assert block.reading == 1.0
    assert block.rho == pytest.approx(1 / 8)
    assert [level.known for level in attack.by_level] == [0, 1, 2]
    assert sum(level.moved for level in attack.by_level) == pytest.approx(expected, abs=1e-10)


def test_another_value_is_read_in_both_cells_and_only_where_they_differ() -> None:
    other = "0*1*0*7"
    rows = [
        row("state", "total", 900, known=870),
        row("state", "cenrace", 4, known=3),
        row("state", "cenrace", 1, cell=cell_of("cenrace", other), known=2),
        row("block", "votingage", 9, known=2),
    ]
    attack = MeasuredAttack(Measurements(rows), PERSON, instead=other, prior=0.5)
    assert attack.log_odds == pytest.approx((2 * 1 - 1) / 16 - (2 * -1 - 1) / 16)
    back = MeasuredAttack(Measurements(rows), other, instead=PERSON, prior=0.5)
    assert back.log_odds == pytest.approx(-attack.log_odds)
    state = attack.by_level[0]
    assert (state.cells, state.tables, state.reading) == (2, 1, 1.5)  # one, and one less minus one, each half
    assert state.moved == pytest.approx(state.rho * (2 * 1.5 - 1))


def test_where_in_the_state_is_not_asked_of_the_state() -> None:
    held = Measurements([row(level, "cenrace", 50, known=0) for level in LEVELS])
    attack = MeasuredAttack(held, PERSON, prior=0.5)
    assert [level.cells for level in attack.by_level] == [0, 0, 1, 1, 1, 1]
    assert attack.by_level[0].reading is None


def test_drawn_tables_are_those_of_the_settings_and_their_noise_is_what_they_say() -> None:
    drawn = draw_measurements(seed=3, block=9)
    held = drawn.measurements
    assert held.areas == {
        "nation": "Nation",
        "state": "State 1",
        "county": "County 1",
        "tract": "Tract 1",
        "block_group": "Group 2",
        "block": "Block 9",
    }
    assert {(one.level, one.query) for one in held.rows} == {(table.level, table.query) for table in census_tables()}
    scaled = []
    for table in census_tables():
        here = [one for one in held.rows if (one.level, one.query) == (table.level, table.query)]
        assert {one.variance for one in here} == {float(1 / table.rho)}
        assert len(here) == math.prod(FACTORS[name] for name in (_factors(table.query)))
        gaps = [one.value - one.known - (one.cell == cell_of(table.query, drawn.person)) for one in here]  # type: ignore[operator]
        scaled += [gap / math.sqrt(one.variance) for gap, one in zip(gaps, here, strict=True)]
        people = sum(one.known for one in here)  # type: ignore[misc]
        total = sum(one.known for one in held.rows if (one.level, one.query) == (table.level, "detailed"))  # type: ignore[misc]
        assert people == total, "every table counts the same people"
    assert abs(np.mean(scaled)) < 4 / math.sqrt(len(scaled))
    assert abs(np.var(scaled) - 1) < 4 * math.sqrt(2 / len(scaled))
    again = draw_measurements(seed=3, block=9, levels=["block"])
    assert again.person == drawn.person
    assert draw_measurements(seed=4, block=9, levels=["block"]).measurements.rows != again.measurements.rows


def _factors(query: str) -> tuple[str, ...]:
    if query == "detailed":
        return ("hhgq", "votingage", "hispanic", "cenrace")
    return () if query == "total" else tuple(query.split("*"))


def test_the_odds_of_somebody_drawn_rise_by_the_rho_of_the_tables_on_average() -> None:
    rho = float(sum(table.rho for table in census_tables(levels=["tract"])) / 2)
    found = []
    for seed in range(16):
        drawn = draw_measurements(seed=seed, levels=["tract"])
        found.append(MeasuredAttack(drawn.measurements, drawn.person, prior=0.5).log_odds)
    assert abs(np.mean(found) - rho) < 4 * math.sqrt(2 * rho / len(found))
    assert 0.6 < np.std(found) / math.sqrt(2 * rho) < 1.4


def test_a_guess_from_a_whole_file_is_right_as_often_as_the_secret_allows() -> None:
    drawn = draw_measurements(seed=1, levels=["block"])
    race = drawn.person.rsplit("*", 1)[0] + "*9"
    attack = MeasuredAttack(drawn.measurements, drawn.person, instead=race, prior=0.5)
    ours = attack.privacy_loss.right_guess_bracket()
    secret = CensusSecret(characteristics=("race",)).privacy_loss(census_tables(levels=["block"])).right_guess_bracket()
    assert (ours.low, ours.high) == pytest.approx((secret.low, secret.high), abs=1e-9)


def test_what_cannot_be_read_is_refused_with_its_place() -> None:
    one = row("block", "total", 3)
    for call, code, text in (
        (lambda: Measurements([]), Code.EMPTY, "the measurements must hold at least one row$"),
        (
            lambda: Measurements([one, one]),
            Code.REPEATED,
            "measurement 2: the cell '' of the table total of the block must stand",
        ),
        (
            lambda: Measurements([one, replace(one, area="B", query="hispanic", cell="0")]),
            Code.INCONSISTENT,
            "measurement 2: area must be the same on each row of the level block",
        ),
        (lambda: row("street", "total", 3, cell=""), Code.UNKNOWN_CHOICE, "level must be one of 'nation'"),
        (lambda: row("block", "age", 3, cell="1"), Code.UNKNOWN_CHOICE, "query must be one of 'total', 'cenrace'"),
        (
            lambda: row("block", "cenrace", 3, cell="63"),
            Code.UNKNOWN_CHOICE,
            "one of the table cenrace: 0 to 62; got '63'",
        ),
        (lambda: row("block", "total", 3, cell="1"), Code.UNKNOWN_CHOICE, "of the table total: empty; got '1'"),
        (lambda: row("block", "hhgq", 3, cell="²"), Code.UNKNOWN_CHOICE, "cell must be one of the table hhgq"),
        (lambda: row("block", "total", 2.5), Code.NOT_WHOLE, "value must be a whole number"),  # type: ignore[arg-type]
        (lambda: row("block", "total", 2, variance=0.0), Code.OUT_OF_RANGE, "variance must lie in"),
        (lambda: row("block", "total", 2, variance=math.nan), Code.NOT_FINITE, "variance must lie in"),
        (lambda: row("block", "total", 2, known=-1), Code.OUT_OF_RANGE, "known must be a whole number from 0"),
        (lambda: Measurements([one] * 20_001), Code.REPEATED, "measurement 2"),
        (lambda: MeasuredAttack(Measurements([one]), "0*1", prior=0.5), Code.UNKNOWN_CHOICE, "person must be one of"),
        (
            lambda: MeasuredAttack(Measurements([one]), PERSON, prior=1),
            Code.OUT_OF_RANGE,
            r"prior must lie in \(0, 1\)",
        ),
        (
            lambda: MeasuredAttack(Measurements([one]), PERSON, instead=" 0*1*0*5", prior=0.5),
            Code.INCONSISTENT,
            "instead must differ from the person",
        ),
        (
            lambda: MeasuredAttack(Measurements([one]), PERSON, instead="0*1*0*6", prior=0.5),
            Code.EMPTY,
            "the measurements must show this person: a cell that counts her in one of the two cases$",
        ),
        (lambda: cell_of("hispanic", "3*1*0"), Code.UNKNOWN_CHOICE, "detailed must be one of the table detailed"),
        (lambda: Measurements([5]), Code.WRONG_TYPE, "the measurements must be a list of Measurement; got 5"),  # type: ignore[list-item]
        (lambda: MeasuredAttack(5, PERSON, prior=0.5), Code.WRONG_TYPE, "measurements must be Measurements; got 5"),  # type: ignore[arg-type]
        (
            lambda: (
                MeasuredAttack(
                    Measurements([replace(one, known=5), row("county", "total", 9, known=3)]), PERSON, prior=0.5
                ).posterior
            ),
            Code.INCONSISTENT,
            "known must be at least the 5 known in the same cell of a smaller area; got 3",
        ),
        (lambda: draw_measurements(seed=-1), Code.OUT_OF_RANGE, "seed must be"),
        (lambda: draw_measurements(seed=1, block=29), Code.OUT_OF_RANGE, "block must be a whole number from 1 to 28"),
    ):
        with pytest.raises(Refused, match=text) as told:
            call()
        assert told.value.code is code


def test_more_rows_than_may_be_read_are_refused_before_they_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcore.census.measurements.MOST_ROWS", 3)
    rows = [row("block", "cenrace", 1, cell=f"{race}") for race in range(4)]
    assert len(Measurements(rows[:3])) == 3
    with pytest.raises(Refused, match="the measurements must be at most 3; got more") as told:
        Measurements(rows)
    assert told.value.code is Code.TOO_LARGE
