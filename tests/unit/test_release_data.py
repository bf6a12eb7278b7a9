"""Files of records and of true counts: how they are read, and what is said of a wrong one: the column and the row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore.errors import Refused
from riskline.release import data as data_module
from riskline.release.data import true_counts
from riskline.release.plan import Plan
from tests.release_plans import MONTHS, SEXES, made_up_people, plan_of, written

pyarrow = pytest.importorskip("pyarrow")
HEADS = ("person", "county", "sex", "month", "note")
ROW = ("p1", "01000", "f", "2025-01", "nothing")
SECRET = "91827364"
"""No refusal may hold it."""
PLAN = plan_of(
    {"levels": {"county": 0.1, "state": 0.1}, "times": {"column": "month", "values": MONTHS, "each": "one_time"}},
    record="person",
)


def parquet(path: Path, columns: dict[str, Any]) -> Path:
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    return path


def test_csv_and_parquet_in_pieces_give_the_same_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = made_up_people(3000)
    csv = written(tmp_path / "a.csv", list(people), zip(*people.values(), strict=True))
    monkeypatch.setattr(data_module, "PIECE", 4096)
    found = true_counts(csv, PLAN)
    typed = dict(people) | {"sex": pyarrow.array(people["sex"]).dictionary_encode(), "unused": [[1.5]] * 3000}
    again = true_counts(parquet(tmp_path / "a.parquet", typed), PLAN)
    for key, counts in found.counts.items():
        np.testing.assert_array_equal(counts, again.counts[key])
        assert counts.sum() == 3000
    by_hand = sum(
        row == ("01000", "f", MONTHS[1]) for row in zip(people["county"], people["sex"], people["month"], strict=True)
    )
    assert found.counts["Births", "county"][1, 0, 0] == by_hand


def test_records_of_one_person_are_found_in_different_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_module, "PIECE", 64)
    rows = [(f"p{number}", *ROW[1:]) for number in (*range(40), 3, *range(40, 60))]
    said = "row 41 of the data: person must be at most 1 times in a cell of 'Births'"
    assert refusal(written(tmp_path / "a.csv", HEADS, rows)) == said


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_blanks_and_a_byte_order_mark_are_read(tmp_path: Path, delimiter: str) -> None:
    text = " county |sex|person|month\r\n01000 | f|p|2025-01\r\n".replace("|", delimiter)
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert true_counts(tmp_path / "a.csv", PLAN).counts["Births", "county"][0, 0, 0] == 1


def test_whole_numbers_are_read_from_parquet_as_codes(tmp_path: Path) -> None:
    areas = [["1"], ["11", "", "1"]]
    plan = plan_of({"levels": {"state": 0.1}, "categories": {"age": [0, 1]}}, areas=areas)
    found = true_counts(parquet(tmp_path / "a.parquet", {"county": [11, 11], "age": [1, 0]}), plan)
    assert found.counts["Births", "state"].tolist() == [[[1, 1]]]


def refusal(path: Path, plan: Plan = PLAN, **how: Any) -> str:
    with pytest.raises(Refused) as refused:
        true_counts(path, plan, **how)
    assert SECRET not in repr(refused.value) + str(vars(refused.value))
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    return str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("p2", SECRET, "f", "2025-01", ""), "row 3 of the data: county must be the code of an area of the plan"),
        (("p2", "01", "f", "2025-01", ""), "row 3 of the data: county must be an area without parts"),
        (("p2", "01000", SECRET, "2025-01", ""), "row 3 of the data: sex must be one of the plan's values"),
        (("p2", "01000", "", "2025-01", ""), "row 3 of the data: sex must be one of the plan's values"),
        (("p2", "01000", "f", SECRET, ""), "row 3 of the data: month must be one of the plan's values"),
        (("", "01000", "f", "2025-01", SECRET), "row 3 of the data: person must not be empty"),
        (("p2", "01000", "f", SECRET), "row 3 of the data: the row must have a cell for each heading"),
        (("p0", "01000", "m", "2025-01", SECRET), "row 3 of the data: person must be in at most 1 cells of 'Births'"),
        (("p0", "01000", "f", "2025-02", SECRET), "row 3 of the data: person must be in at most 1 cells of 'Births'"),
        (
            ("p0", "01000", "f", "2025-01", SECRET),
            "row 3 of the data: person must be at most 1 times in a cell of 'Births'",
        ),
        (
            ("p0", "02001", "f", "2025-01", SECRET),
            "row 3 of the data: county must be one area for all rows of one person",
        ),
    ],
)
def test_a_wrong_row_is_named_by_its_number_and_column(tmp_path: Path, wrong: Any, said: str, monkeypatch: Any) -> None:
    for piece in (1 << 20, 64):
        monkeypatch.setattr(data_module, "PIECE", piece)
        rows = [("p0", *ROW[1:]), ROW, wrong, ("p3", *ROW[1:]), ("p4", *ROW[1:])]
        assert refusal(written(tmp_path / "a.csv", HEADS, rows)) == said


def test_one_person_whose_name_is_spelled_with_other_code_points_is_one_person(tmp_path: Path) -> None:
    rows = [(name, county, *ROW[2:]) for name, county in (("Jos\u00e9", "01000"), ("Jose\u0301", "02001"))]
    said = "row 2 of the data: county must be one area for all rows of one person"
    assert refusal(written(tmp_path / "a.csv", HEADS, rows)) == said
    columns = dict(zip(HEADS, zip(*rows, strict=True), strict=True))
    assert refusal(parquet(tmp_path / "a.parquet", columns)) == said


def test_a_row_that_only_a_wider_level_would_count_is_refused(tmp_path: Path) -> None:
    areas = [["US"], ["01", "", "US"], ["02", "", "US"], ["01000", "", "01"]]
    rows = written(tmp_path / "a.csv", ("county",), [("01000",), ("02",)])
    said = "row 2 of the data: county must be an area of the lowest level of 'Births', inside one, or in no area of its"
    for table in ({"levels": {"nation": 0.1, "county": 0.1}}, {"levels": {"county": 0.1}, "exact": "nation"}):
        plan = plan_of({"categories": {}, **table}, areas=areas)
        assert refusal(rows, plan).startswith(said)
    whole = plan_of({"categories": {}, "levels": {"nation": 0.1, "state": 0.1, "county": 0.1}}, areas=areas)
    assert true_counts(rows, whole).counts["Births", "nation"].sum() == 2
    alone = plan_of({"categories": {}, "levels": {"county": 0.1}}, areas=areas)
    assert true_counts(rows, alone).counts["Births", "county"].sum() == 1


def test_a_household_beyond_its_number_is_refused_at_the_row(tmp_path: Path) -> None:
    plan = plan_of({"categories": {}}, case={"unit": "household", "group": 4}, unit="home", record="person")
    rows = [(f"p{number}", "h", "01000") for number in range(5)]
    path = written(tmp_path / "a.csv", ("person", "home", "county"), rows)
    assert refusal(path, plan) == "row 5 of the data: home must have at most 4 records of one unit, as the case says"
    assert true_counts(path, plan, clip=True).counts["Births", "county"].sum() == 4
    assert true_counts(path, plan_of({"categories": {}})).counts["Births", "county"].sum() == 5


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "column 'county' must be a heading of the data"),
        (f"person,sex,month\n{SECRET},f,1\n".encode(), "column 'county' must be a heading of the data"),
        (f"{SECRET},{SECRET}\n".encode(), "column 'county' must be a heading of the data"),
        (b"person,county,sex,month,county\n", "column 'county' must be a heading of the data once"),
        (b"person,county,sex,month\n\xff,\xfe,1,1\n", "the data must be a CSV file in UTF-8 or a Parquet file"),
        (b"PAR1" + SECRET.encode(), "the data must be a CSV file in UTF-8 or a Parquet file"),
        (
            b'person,county,sex,month\n"' + SECRET.encode(),
            "row 1 of the data: the row must have a cell for each heading",
        ),
    ],
)
def test_a_file_that_cannot_be_read_keeps_what_it_holds_to_itself(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    assert refusal(tmp_path / "a.csv") == said


def test_a_file_that_is_not_there_and_columns_of_fractions_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.csv") == "the data must be a file that can be read"
    columns = {"person": ["p"], "county": [float(SECRET)], "sex": ["f"], "month": ["2025-01"]}
    assert refusal(parquet(tmp_path / "a", columns)) == "column 'county' must hold text or whole numbers"
    columns["county"] = pyarrow.array([None], pyarrow.string())
    assert (
        refusal(parquet(tmp_path / "b", columns)) == "row 1 of the data: county must be the code of an area of the plan"
    )


COUNTS = plan_of(
    {"levels": {"county": 0.1, "nation": 0.1}, "exact": "state"},
    {"name": "Deaths", "levels": {"state": 0.1}, "categories": {}},
    data="tables",
)
LABELS = ("table", "county", "sex", "count")


def test_true_counts_are_read_by_their_labels(tmp_path: Path) -> None:
    rows = [
        ("Births", "01000", "f", 7),
        ("Deaths", "01", "", 5),
        ("Deaths", "01000", "", 1),
        ("Births", "01005", "m", 4),
    ]
    found = true_counts(written(tmp_path / "a.csv", LABELS, rows), COUNTS)
    assert found.counts["Births", "nation"].tolist() == [[[7, 4]]]
    assert found.counts["Births", "county"][0, :6, 0].tolist() == [7, 0, 0, 0, 0, 0]
    assert found.totals["Births"].tolist() == [[11, 0, 0, 0, 0]]
    assert found.counts["Deaths", "state"].tolist() == [[[6], [0], [0], [0], [0]]]
    assert set(found.checked.values()) == {False}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            ("Births", "01", "f", 1),
            "row 2 of the data: county must be an area of the lowest level of 'Births', or inside one",
        ),
        ((SECRET, "01000", "f", 1), "row 2 of the data: table must be a table of the plan"),
        (("Births", "01000", SECRET, 1), "row 2 of the data: sex must be one of the plan's values"),
        (
            ("Births", "01000", "f", int(SECRET)),
            "row 2 of the data: count must be there once for each cell of 'Births'",
        ),
        *(
            (
                ("Births", "01005", "f", count),
                "row 2 of the data: count must be a whole number of at least 0, of at most 15 digits",
            )
            for count in (f"-{SECRET}", f"{SECRET}.0", SECRET * 2, "", "1e3", "٣")
        ),
    ],
)
def test_a_wrong_count_is_named_by_its_row(tmp_path: Path, wrong: Any, said: str) -> None:
    rows = [("Births", "01000", "f", 7), wrong, ("Births", "01010", "f", 7)]
    assert refusal(written(tmp_path / "a.csv", LABELS, rows), COUNTS) == said


def test_true_counts_whose_exact_total_no_float_holds_are_refused(tmp_path: Path) -> None:
    most = 2**53
    rows = [("Births", f"010{n}5", "f", most // 10) for n in range(9)]
    rows.append(("Births", "01000", "f", most - 9 * (most // 10)))
    found = true_counts(written(tmp_path / "a.csv", LABELS, rows), COUNTS)
    assert int(float(found.totals["Births"][0, 0])) == most
    said = "the counts of 'Births' must add up to at most 9,007,199,254,740,992"
    assert refusal(written(tmp_path / "a.csv", LABELS, [*rows, ("Births", "01000", "m", 1)]), COUNTS) == said


def test_what_cannot_be_imported_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert refusal(tmp_path / "a.csv") == "pyarrow must be installed to read data: pip install 'riskline[release]'"


def test_true_counts_are_not_printed(tmp_path: Path) -> None:
    rows = [("Births", "01000", "f", int(SECRET))]
    found = true_counts(written(tmp_path / "a.csv", LABELS, rows), COUNTS)
    assert found.counts["Births", "nation"].sum() == int(SECRET)
    assert SECRET not in f"{found!r}{found}"
    assert SEXES[0] in COUNTS.tables[0].categories["sex"]
