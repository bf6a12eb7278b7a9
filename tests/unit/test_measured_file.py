"""A reader's own noisy tables: files by their headings, every fault a sentence, the page's words and the command."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from dpcore.census import MeasuredAttack, draw_measurements
from dpcore.errors import Code, Refused
from riskline.command import run
from ui.link import measured_file
from ui.link.measured_file import read_measurements
from ui.link.sheet_file import LARGEST_FILE, sheet_csv
from ui.pictures.style import Style
from ui.views.hierarchy import FIELDS, HierarchyInputs
from ui.views.hierarchy.view import measured_view
from ui.words.refusals import refusal_words

PLAIN, TECHNICAL = Style(), Style(voice="technical")
DRAWN = draw_measurements(seed=2, levels=["county", "block"])
ROWS = [
    (one.level, one.area, one.query, one.cell, str(one.value), repr(one.variance), str(one.known))
    for one in DRAWN.measurements.rows
]
HEADS = ("level", "area", "table", "cell", "value", "variance", "known")
HEAD = "level,area,table,cell,value,variance\n"


def as_parquet(columns: Any, **how: Any) -> bytes:
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns) if isinstance(columns, dict) else columns, out, **how)
    return out.getvalue()


def columns(rows: list[tuple[str, ...]] = ROWS) -> dict[str, list[Any]]:
    read = (str, str, str, str, int, float, int)
    return {
        head: [kind(row[place]) for row in rows] for place, (head, kind) in enumerate(zip(HEADS, read, strict=True))
    }


def test_a_file_is_what_was_written_in_either_form_and_any_order_of_columns() -> None:
    assert read_measurements(sheet_csv(HEADS, ROWS).encode()).rows == DRAWN.measurements.rows
    turned = [tuple(reversed(row)) for row in ROWS]
    assert read_measurements(sheet_csv([head.title() for head in HEADS[::-1]], turned).encode()).rows == (
        DRAWN.measurements.rows
    )
    assert read_measurements(as_parquet(columns())).rows == DRAWN.measurements.rows
    some = {head: values for head, values in columns().items() if head != "known"} | {"geography": ["x"] * len(ROWS)}
    assert {one.known for one in read_measurements(as_parquet(some)).rows} == {None}


def test_names_of_levels_and_tables_may_have_spaces_and_capitals() -> None:
    held = read_measurements(b"LEVEL;Area;Table;Cell;Value;Variance\nBlock group;7;Hispanic * CenRace;0 * 5;-3;12.5\n")
    (one,) = held.rows
    assert (one.level, one.query, one.cell, one.codes, one.value, one.known) == (
        "block_group",
        "hispanic*cenrace",
        "0*5",
        (0, 5),
        -3,
        None,
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file must hold a line of heads and at least one row; it is empty"),
        (b"a,b\n1,2\n", "must name the columns (level, area, table, cell, value, variance, known); got 'a, b'"),
        (HEAD.encode(), "the file must hold at least one row under its heads"),
        ((HEAD + "block,A,total,,x,3\n").encode(), "measurement 1: value must be a number; got 'x'"),
        ((HEAD + "block,A,total,,1.5,3\n").encode(), "measurement 1: value must be a whole number from"),
        ((HEAD + "block,A,total,,nan,3\n").encode(), "measurement 1: value must be a whole number from"),
        ((HEAD + "block,A,total,,1,inf\n").encode(), "measurement 1: variance must lie in [1e-06, 1e+12]; got inf"),
        ((HEAD + "block,A,total,,1,1_0\n").encode(), "measurement 1: variance must be a number; got '1_0'"),
        ((HEAD + "block,A,total,,1,\n").encode(), "measurement 1: variance must be a number; got ''"),
        (
            (HEAD + "block,A,total,,1,3\nblock,A,hhgq,8,1,3\n").encode(),
            "measurement 2: cell must be one of the table hhgq",
        ),
        ((HEAD + "street,A,total,,1,3\n").encode(), "measurement 1: level must be one of 'nation', 'state'"),
        (
            (HEAD + "block,A,total,,1,3\nblock,B,hhgq,1,1,3\n").encode(),
            "measurement 2: area must be the same on each row",
        ),
        ((HEAD + "block,A,total,,1,3\n" * 2).encode(), "the cell '' of the table total of the block must stand once"),
        ((HEAD + "block,A," + "x" * 200 + ",,1,3\n").encode(), "must be at most 60 characters"),
        (b"x" * (LARGEST_FILE + 1), "the file must be at most 2,000,000 bytes"),
        (b"PAR1" + b"\0" * 200, "the Parquet file must be one that can be read"),
        (as_parquet(columns(ROWS[:0])), "column 'level' must hold text or numbers; got null"),
        (as_parquet({"a": [1]}), "must name the columns"),
        (as_parquet(columns(), compression="zstd"), "be compressed as one of UNCOMPRESSED, SNAPPY; got ZSTD"),
        (as_parquet(columns(ROWS[:1]) | {"area": [["A"]]}), "column 'area' must hold text or numbers; got list"),
        (
            as_parquet(columns(ROWS[:1]) | {"area": ["x" * 1_000_000]}),
            "area: must be at most 60 characters; got 1000000",
        ),
        (as_parquet({"level": ["block"] * 20_001}), "the file must hold at most 20,000 rows; got 20,001"),
    ],
)
def test_every_fault_of_a_file_is_a_sentence(content: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]") as told:
        read_measurements(content)
    assert said in str(told.value)
    assert len(str(told.value)) < 400


def test_the_bounds_of_a_file_are_met_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusal(content: bytes) -> str:
        try:
            read_measurements(content)
        except ValueError as told:
            return str(told)
        return ""

    def of(rows: int, area: str = "A") -> dict[str, list[Any]]:
        return {name: (values * rows)[:rows] for name, values in columns(ROWS[:1]).items()} | {"area": [area] * rows}

    assert refusal(as_parquet(of(1, "x" * 60))) == ""
    assert "at most 60 characters; got 61" in refusal(as_parquet(of(1, "x" * 61)))
    assert "at least one row" in refusal(as_parquet(pyarrow.table(of(1)).slice(0, 0)))
    mixed = {name: "zstd" if name == "area" else "snappy" for name in HEADS}
    assert "be compressed as one of" in refusal(as_parquet(of(1), compression=mixed))
    monkeypatch.setattr(measured_file, "MOST_ROWS", 2)
    assert "at most 2 rows" not in refusal(as_parquet(of(2)))
    assert "at most 2 rows; got 3" in refusal(as_parquet(of(3)))
    content = (HEAD + "block,A,total,,1,3\n").encode()
    for most, refused in ((len(content), False), (len(content) - 1, True)):
        monkeypatch.setattr(measured_file, "LARGEST_FILE", most)
        assert ("bytes" in refusal(content)) is refused


def test_a_cell_that_a_parquet_file_leaves_empty_is_empty() -> None:
    (row,) = read_measurements(as_parquet(columns(ROWS[:1]) | {"known": pyarrow.array([None], pyarrow.int64())})).rows
    assert row.known is None


def test_a_parquet_file_cut_anywhere_is_refused() -> None:
    whole = as_parquet(columns())
    for cut in range(5, len(whole), 997):
        with pytest.raises(Refused, match="the Parquet file must be one that can be read"):
            read_measurements(whole[:cut])


def test_the_page_tells_before_and_after_and_each_level() -> None:
    attack = MeasuredAttack(DRAWN.measurements, DRAWN.person, prior=0.5)
    view = measured_view(DRAWN.measurements, DRAWN.person, "", 0.5, PLAIN)
    assert view.answer == (
        "**22** noisy counts take the belief that this person lives in this area from **50 in 100** to "
        f"**{round(100 * attack.posterior)} in 100**."
    )
    assert "Tried on drawn files only" in view.small_print
    assert "Elsewhere: in the same state, outside the smaller areas" in view.small_print
    assert "not on the Bureau's" in measured_view(DRAWN.measurements, DRAWN.person, "", 0.5, TECHNICAL).small_print
    assert view.levels is not None
    assert [row[0] for row in view.levels.rows] == ["county", "block"]
    assert [row[2] for row in view.levels.rows] == ["11 / 11", "11 / 11"]
    other = measured_view(DRAWN.measurements, DRAWN.person, DRAWN.person[:-1] + "9", 0.5, PLAIN)
    assert "is of this kind" in other.answer
    assert "Elsewhere" not in other.small_print
    refused = measured_view(DRAWN.measurements, "0*9*0*0", "", 0.5, PLAIN).refusal
    assert refused is not None
    assert refused.startswith(
        "Person must be one of the table detailed: 0 to 7 * 0 to 1 * 0 to 1 * 0 to 62; got '0*9*0*0'"
    )


@pytest.mark.parametrize(
    ("prior", "words", "printed"), [(0.123, "123 in 1,000", 0.123), (0.123456789, "12 in 100", 0.12)]
)
def test_the_belief_after_follows_from_the_one_before_as_printed_and_is_told_of_as_many(
    prior: float, words: str, printed: float
) -> None:
    view = measured_view(DRAWN.measurements, DRAWN.person, "", prior, PLAIN)
    of = int(words.rpartition(" ")[2].replace(",", ""))
    after = MeasuredAttack(DRAWN.measurements, DRAWN.person, prior=printed).posterior
    assert view.answer.endswith(f" from **{words}** to **{round(of * after)} in {of:,}**.")
    assert view.attack is not None
    assert view.attack.prior == printed


def test_where_nothing_reads_parquet_the_file_is_refused_by_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Refused) as refused:
        read_measurements(b"PAR1")
    assert (refused.value.name, refused.value.code) == ("pyarrow", Code.NOT_INSTALLED)
    assert refusal_words(refused.value) == "pyarrow must be installed to read Parquet; CSV needs nothing"
    assert read_measurements((HEAD + "block,A,total,,5,3\n").encode()).areas == {"block": "A"}


def test_who_is_meant_stays_out_of_links_and_scenarios() -> None:
    private = [field for field in FIELDS if field.name in ("person", "instead")]
    assert [(field.private, field.in_address) for field in private] == [(True, False)] * 2
    assert HierarchyInputs().person == "0*1*0*0"


def test_the_command_draws_a_file_and_attacks_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "drawn.csv"
    assert run(["census", "draw", "--seed", "2", "--block", "3", "--out", str(file)]) == 0
    drawn = draw_measurements(seed=2, block=3)
    assert f"--person '{drawn.person}'" in capsys.readouterr().err
    assert read_measurements(file.read_bytes()).rows == drawn.measurements.rows
    assert run(["census", str(file), "--person", drawn.person, "--prior", "0.2", "--json"]) == 0
    out = capsys.readouterr().out
    told = json.loads(out)["quantities"]
    attack = MeasuredAttack(drawn.measurements, drawn.person, prior=0.2)
    assert told["posterior"]["value"] == pytest.approx(attack.posterior)
    assert told["counts_with_others_known"]["value"] == 44
    assert told["right_guess"]["side"] == "upper"
    assert told["right_guess"]["value"] == pytest.approx(attack.privacy_loss.right_guess_bracket(prior=0.2).high)
    assert str(file) not in out


@pytest.mark.parametrize(
    ("given", "said", "code"),
    [
        (["--seed", "x"], "Seed and block must be whole numbers; got 'x' and '1'.", 2),
        (["--block", "29"], "Block must be a whole number from 1 to 28; got 29.", 2),
        (["--seed"], "The option --seed must be followed by a value; one that begins with - ", 2),
        (["--colour", "1"], "riskline census draw has no choice called '--colour'; riskline census draw --help", 2),
        (
            ["--out", "/nowhere/at/all.csv"],
            "The file '/nowhere/at/all.csv' was not written: no such file or directory.",
            1,
        ),
    ],
)
def test_what_cannot_be_drawn_is_a_sentence(
    given: list[str], said: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["census", "draw", *given]) == code
    assert said in capsys.readouterr().err


def test_a_file_that_does_not_show_the_person_is_refused_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.csv"
    file.write_text(HEAD + "state,A,total,,5,3\n", encoding="utf-8")
    assert run(["census", str(file)]) == 2
    assert "The measurements must show this person" in capsys.readouterr().err
