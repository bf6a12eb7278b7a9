"""The command `riskline`: what each of its commands answers, refuses and documents."""

from __future__ import annotations

import itertools
import math
import os
import re
import resource
import shlex
import signal
import socket
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import dpcore
from dpcore.census import level_rho
from dpcore.sources import WORKS
from riskline import command, dashboard
from riskline.case.fields import shown
from riskline.choices import option
from riskline.command import ANSWERING
from riskline.commands import Command, refuse
from riskline.limits import TooLong, within_limits
from riskline.output import Answer, as_text
from riskline.record.tables import PublishedValue
from riskline.signs import IN_WORDS
from tests.command_line import Told, told
from tests.each import each
from tests.release_plans import AREAS, made_up_people, written
from ui.link.page_table import page_entry
from ui.pictures.table import Table
from ui.views.how_we_know import published_rows
from ui.words.refusals import BEYOND_NUMBERS, TOO_FAR

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = [(name, example) for name in ANSWERING for example in command.command_of(name).examples]


@cache
def as_ever(*arguments: str) -> Told:
    """What a command tells where nothing is patched; told as text and as JSON, an answer is computed once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "command_of", answering_once)
        return told(*arguments)


@cache
def answering_once(name: str, found: Callable[[str], Command] = command.command_of) -> Command:
    asked = found(name)
    kept = cache(asked.answer)

    def answer(inputs: Any, style: Any, **brought: Any) -> Any:
        return asked.answer(inputs, style, **brought) if brought else kept(inputs, style)

    return replace(asked, answer=answer)


def value(document: dict, name: str) -> float:
    return document["quantities"][name]["value"]


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=lambda part: part.replace(" ", "_"))
def test_each_example_of_a_help_is_answered(name: str, example: str) -> None:
    found = as_ever(*shlex.split(example))
    assert (found.code, found.complaint) == (0, "")
    assert len(found.out) > 100
    assert "**" not in found.out
    assert f"  riskline {example}" in told(name, "--help").out.splitlines()


def test_each_example_of_the_overview_is_answered() -> None:
    text = told().out
    assert text == told("--help").out == told("help").out
    lines = re.findall(r"^  riskline (.*?)(?:   .*)?$", text, re.MULTILINE)
    assert len(lines) >= 4
    for line in lines:
        assert told(*shlex.split(line)).code == 0, line


@pytest.mark.parametrize("page", ["README.md", "docs/command-line.md"])
def test_each_command_of_the_documentation_is_answered(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, white_pictures: None
) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for case in re.findall(r"^```toml\n(.*?)```$", text, re.MULTILINE | re.DOTALL):
        (tmp_path / "case.toml").write_text(case, encoding="utf-8")
    for plan in re.findall(r"^```json\n(.*?)```$", text, re.MULTILINE | re.DOTALL):
        (tmp_path / "plan.json").write_text(plan, encoding="utf-8")
    people = made_up_people(500) | {"month": ["2025-01", "2025-02"] * 250}
    written(tmp_path / "births.csv", list(people), zip(*people.values(), strict=True))
    written(tmp_path / "areas.csv", ("code", "name", "parent"), ([*row, ""][:3] for row in AREAS))
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^riskline (.*?) *(?:# (.*))?$", text, re.MULTILINE)
    assert lines
    for line, note in lines:
        words = [word for word in shlex.split(line) if not word.endswith(".csv") or Path(word).exists()]
        found = as_ever(*words)
        assert (found.code, found.complaint) == (0, ""), line
        if "=" in note:
            assert note.rpartition(": ")[2] in found.out


def test_every_command_is_in_the_overview_and_begins_its_own_help() -> None:
    text = told().out
    for name, purpose in command.PURPOSES.items():
        assert re.search(rf"^  {name} +{re.escape(purpose)}$", text, re.MULTILINE)
        own = told(name, "--help").out
        assert own.startswith(f"usage: riskline {name} ")
        in_own_words = name in ("app", "class", "completion", "release")
        assert in_own_words or f" {purpose[0].upper()}{purpose[1:]}." in " ".join(own.split())
        assert told("help", name).out == own


def test_the_line_of_the_readme_leaves_the_budget_of_the_readme() -> None:
    found = told("budget", "--cap", "0.25", "--ratio", "3", "--json").document
    assert value(found, "epsilon_of_each_release") == 1.29
    assert value(found, "binding_prior") == 0.08  # 1 in 12, as it is printed
    assert value(found, "epsilon_unrounded_of_all") == pytest.approx(math.log(11 / 3), rel=1e-12)
    assert value(found, "posterior_reached") == pytest.approx(8 / (8 + 92 * math.exp(-1.29)), rel=1e-12)
    assert found["quantities"]["epsilon_of_each_release"]["side"] == "allowed"


def test_releases_share_the_delta_of_a_budget() -> None:
    found = told("budget", "--guarantee", "approximate", "--delta", "1e-6", "--releases", "4", "--json").document
    assert value(found, "delta_of_each_release") == pytest.approx(2.5e-7, rel=1e-12)


def test_the_company_of_example_9_comes_to_its_published_belief() -> None:
    given = "--guarantee approximate --epsilon 1.8 --delta 1e-5 --failure 0.05 --prior 0.1"
    found = told("explain", *given.split(), "--json").document
    assert value(found, "posterior_if_true") == pytest.approx(0.402, abs=5e-4)
    assert value(found, "failure_probability") == 0.05


def test_a_pure_budget_moves_a_belief_as_bayes_rule_says() -> None:
    found = told("explain", "--epsilon", "1", "--prior", "0.1", "--json").document
    up, down = (0.1 * factor / (0.9 + 0.1 * factor) for factor in (math.e, 1 / math.e))
    wanted = {
        "posterior_if_true": up,
        "posterior_if_false": down,
        "ratio_upper": up / 0.1,
        "ratio_lower": down / 0.1,
        "difference_upper": up - 0.1,
        "difference_lower": down - 0.1,
        "epsilon_of_the_secret": 1.0,
    }
    assert {name: value(found, name) for name in wanted} == pytest.approx(wanted)
    rising = {"posterior_if_true", "ratio_upper", "difference_upper", "epsilon_of_the_secret"}
    sides = {name: found["quantities"][name]["side"] for name in wanted}
    assert sides == {name: "upper" if name in rising else "lower" for name in wanted}


def test_geometric_noise_errs_as_its_law_says() -> None:
    found = told("accuracy", "--epsilon", "1.29", "--prior", "0.2", "--json").document
    tail = math.exp(-1.29)
    wanted = {
        "epsilon": 1.29,
        "whole_count_within": 2,
        "chance_within": 1 - 2 * tail**3 / (1 + tail),
        "half_width": 2,
        "standard_deviation": math.sqrt(2 * tail) / (1 - tail),
        "chance_exactly_right": (1 - tail) / (1 + tail),
        "posterior_reached": 0.2 / (0.2 + 0.8 * tail),
    }
    assert {name: value(found, name) for name in wanted} == pytest.approx(wanted)


def test_a_range_of_ten_takes_the_budget_that_the_page_rounds_up() -> None:
    found = told("accuracy", "--start", "accuracy", "--noise", "laplace", "--json").document
    assert value(found, "epsilon") == 0.3
    assert found["quantities"]["epsilon"]["side"] == "least"
    assert value(found, "half_width") <= 10


def test_a_gaussian_count_is_told_apart_as_its_law_says() -> None:
    given = ("--guarantee", "gaussian", "--rho", "0.125", "--false-alarm", "0.01", "--json")
    found = told("tradeoff", *given).document
    assert value(found, "found") == pytest.approx(norm.sf(norm.isf(0.01) - math.sqrt(2 * 0.125)), rel=1e-9)
    assert value(found, "found") + value(found, "missed") == pytest.approx(1)
    assert value(found, "found_by_any_release") > value(found, "found")


def test_a_trade_off_takes_the_failure_probability_that_its_page_asks_for() -> None:
    given = ("tradeoff", "--guarantee", "approximate", "--epsilon", "1", "--delta", "0.01")
    refused, found = told(*given), told(*given, "--failure", "0.05", "--json")
    assert refused.code == 2
    assert "must be larger than δ" in refused.complaint
    assert found.code == 0
    assert found.document["quantities"]["found"]["value"] == pytest.approx(math.e * 0.05 + 0.01)
    assert "--failure" in told("tradeoff", "--help").out


def test_a_refused_choice_is_called_by_its_option_and_not_by_a_control_of_the_page() -> None:
    assert told("explain", "--epsilon", "1e6").complaint == "--epsilon must be from 0 to 100; got '1e6'.\n"


def test_the_block_of_the_census_comes_to_the_average_of_its_law() -> None:
    found = told("attack", "--json").document
    noise = np.exp(-float(level_rho("block")) / 2 * np.arange(-60, 62) ** 2)
    counted, not_counted = noise[:-1] / noise.sum(), noise[1:] / noise.sum()
    average = np.sum(counted**2 / (counted + not_counted))
    assert value(found, "average_posterior_if_counted") == pytest.approx(average, rel=1e-9)
    assert value(found, "average_posterior_if_not_counted") == pytest.approx(1 - average, rel=1e-9)
    assert value(found, "chance_of_a_right_call") == pytest.approx(np.sum(np.maximum(counted, not_counted)) / 2)
    assert value(found, "published_count") == 2


def test_daily_counts_break_their_promise_on_the_days_of_example_7() -> None:
    found = told("plan", "--json").document
    assert value(found, "first_round_over") == 112
    assert value(found, "first_round_over_reading_every_round") == 105
    by_rule = {row[0]: row[3] for row in found["tables"][0]["rows"]}
    assert by_rule["Adding ρ, published formula"] == "day 58"
    never = told("plan", "--link", "plan?rows=g~1e-9~1", "--json").document
    assert value(never, "first_round_over") is None


def test_every_table_of_a_publication_has_its_numbers() -> None:
    found = told("publication", "--start", "budget", "--rho", "0.5", "--json").document
    rows = len(found["tables"][0]["rows"])
    for name in ("share_of_the_budget", "rho_of_one_release", "range_within"):
        assert len(value(found, name)) == len(found["quantities"][name]["said"]) == rows
    assert sum(value(found, "share_of_the_budget")) == pytest.approx(1)
    said = [found["quantities"][name]["said"] for name in ("range_within", "share_of_the_budget", "rho_of_one_release")]
    columns = zip(*((row[2].removeprefix("± "), row[5], row[6]) for row in found["tables"][0]["rows"]), strict=True)
    assert said == [list(column) for column in columns]
    assert f"at most {found['quantities']['posterior_reached']['said']}" in found["small_print"]
    assert value(found, "rho_of_everything") == 0.5
    assert value(found, "prior") == found["choices"]["prior"]
    assert value(found, "rho_that_keeps_every_range") == pytest.approx(0.5 * (1 - value(found, "spare")))


def of_a_whole(words: str) -> Fraction:
    """The number of people told as so many of a whole: *957 in 1,000*."""
    part, whole = words.replace(",", "").rsplit(" in ", 1)
    return Fraction(part.split()[-1]) / Fraction(whole)


def test_what_a_plan_leaves_after_all_rounds_is_told_by_rule() -> None:
    found = told("plan", "--json").document
    said = {row[0]: row[2] for row in found["tables"][0]["rows"]}
    for quantity, row in (("after_all_rounds", "Exact accounting"), ("by_any_mechanism", "Adding ρ, direct bound")):
        headline, listed = (
            of_a_whole(words) for words in (found["quantities"][f"posterior_{quantity}"]["said"], said[row])
        )
        assert 0 <= headline - listed < 0.01  # the rows of a table are told of one number of people
    assert value(found, "releases") == 58
    rho, normal = 58 * 0.01, NormalDist()
    spread = math.sqrt(2 * rho)
    assert value(found, "shift_of_log_odds") == pytest.approx(rho + normal.inv_cdf(0.99) * spread, rel=1e-9)
    total = value(found, "total_epsilon")
    beyond = normal.cdf((rho - total) / spread) - math.exp(total) * normal.cdf((-rho - total) / spread)
    assert beyond == pytest.approx(1e-6, rel=1e-6)


def test_every_printed_number_is_computed_again_and_is_what_the_page_shows() -> None:
    found = as_ever("cases", "--json").document
    rows = published_rows()
    shown = [(f"{WORKS[row.source].short}, {row.locator}", row.quantity, row.printed) for row in rows]
    assert [tuple(row[:3]) for row in found["tables"][0]["rows"]] == shown
    assert value(found, "computed") == pytest.approx([row.computed for row in rows], rel=2e-5, abs=1e-12)
    assert (value(found, "recomputed"), value(found, "not_as_recorded")) == (len(rows), 0)
    assert found["answer"].startswith(f"{len(rows)} of {len(rows)} printed numbers were recomputed here: as printed")


def test_a_case_that_no_longer_comes_out_is_told_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PublishedValue, "fault", lambda row, value: "not the printed 1" if "nation" in row.name else "")
    found = told("cases", "--find", "Table 2.2")
    assert found.code == 1
    text = " ".join(found.out.split())
    assert "6 of 316 printed numbers were recomputed here: as printed 5, not as recorded 1." in text
    assert "verdict not as recorded: not the printed 1" in text


def test_text_and_json_say_the_same() -> None:
    for name in ANSWERING:
        text, document = " ".join(as_ever(name).out.split()), as_ever(name, "--json").document
        assert document["answer"] in text
        assert " ".join(document["small_print"].split()) in text
        assert document["link"] in text
        assert all(" ".join(note.split()) in text for note in document["notes"])
        assert all(row[0] in text for table in document["tables"] for row in table["rows"])


def test_the_lines_of_python_come_to_the_number_of_the_json() -> None:
    lines = told("budget", "--ratio", "2.5", "--python").out
    names: dict = {}
    exec(lines, names)
    document = told("budget", "--ratio", "2.5", "--json").document
    assert names["answer"] == value(document, "epsilon_of_each_release")
    assert document["python"] == lines.strip()


@each("name", ["explain", "accuracy", "tradeoff", "budget"])
def test_the_json_names_as_choices_what_the_help_lists(name: str) -> None:
    choices = told(name, "--json").document["choices"]
    assert {option(choice) for choice in choices} == set(
        re.findall("^  (--[a-z-]+)", told(name, "--help").out.partition("output:")[0].partition("choices:")[2], re.M)
    )


def test_a_link_is_answered_and_an_option_beside_it_counts() -> None:
    link = "http://localhost:8501/choose?ratio=2.5&unit=household&group=4&voice=technical"
    found = told("budget", "--link", link, "--group", "2", "--json").document
    assert found["link"] == "choose?ratio=2.5&unit=household&group=2&voice=technical"
    assert found["choices"]["group"] == 2
    assert told("budget", "--link", found["link"], "--json").document == found


def test_a_line_that_sets_no_limit_has_an_unlimited_budget() -> None:
    found = told("budget", "--line", "box", "--ratio", "20", "--low", "0.1", "--high", "0.9", "--json")
    unlimited = {"value": None, "side": "allowed", "said": "unlimited"}
    assert (found.code, found.document["quantities"]) == (0, {"epsilon_of_each_release": unlimited})


@each(
    "arguments, sentence",
    [
        ("budget --ratio 0.5", "--ratio must be from 1 to 1,000,000; got '0.5'."),
        ("budget --cap abc", "--cap must be a number; got 'abc'."),
        ("budget --releases 1.5", "--releases must be a whole"),
        ("budget --line wavy", "--line must be one of cap_or_ratio, constant"),
        ("budget --line box --low 0.6", "Lowest belief that matters must lie below the highest, 0.5; got 0.6."),
        ("explain --epsilon 1e-400", "--epsilon must not be so small that it is read as 0; got '1e-400'."),
        ("explain --eps 1", "riskline explain has no choice called '--eps'; did you mean --epsilon?"),
        ("explain –epsilon 1", "riskline explain has no choice called '–epsilon'; did you mean --epsilon?"),
        ("pub", "There is no command 'pub'; did you mean riskline publication?"),
        ("budget --rtio 3", "riskline budget has no choice called '--rtio'; did you mean --ratio?"),
        ("budget 3", "riskline budget has no choice called '3'; riskline budget --help lists its choices."),
        ("budget --ratio", "The option --ratio must be followed by a value; one that begins with -"),
        ("help bugdet", "did you mean riskline budget?"),
        ("budget --json=yes", "The option --json takes no value."),
        ("budget --voice loud", "Voice must be one of plain, technical; got 'loud'."),
        ("budget --link choose?x=1", "This page has no choice called 'x'."),
        ("budget --link explain?prior=1", "The link must lead to the page 'Choose a budget'; it leads to the page"),
        ("budget --link elsewhere?prior=1", "it leads to 'elsewhere'."),
        ("budget --link http://[x", "The link must be an address of Riskline; got 'http://[x'."),
        ("explain --guarantee geometric --epsilon 0", "Noise needs an ε above 0."),
        ("explain --relation replace", "Replacing a record does not hide who is in the data"),
        ("explain --deployment=2020", "'2020 Census DHC, persons', '2020 Census DHC, housing units',"),
        ("explain --deployment=2020", "or 15 others; got '2020'. riskline explain --help lists all."),
        ("bugdet", "There is no command 'bugdet'; did you mean riskline budget?"),
        ("xyz", "There is no command 'xyz'; riskline --help lists all."),
    ],
)
def test_what_is_refused_is_told_in_the_words_of_the_page(arguments: str, sentence: str) -> None:
    found = told(*arguments.split())
    assert sentence in found.complaint
    assert (found.code, found.out) == (2, "")


SHEETS = {
    "plan": ("what is released;budget of one release;how\nMonthly;0,01;Laplace\n", "rows", "l~0,01~1~~Monthly"),
    "publication": ("table,± wanted\nBirths,5\n", "tables", "Births~counts~5"),
}


@pytest.mark.parametrize("name", SHEETS)
def test_a_file_of_rows_is_read_as_the_page_reads_it(name: str, tmp_path: Path) -> None:
    content, choice, as_link = SHEETS[name]
    file = tmp_path / "rows.csv"
    file.write_text(content, encoding="utf-8")
    found = told(name, str(file), "--json").document
    assert found["choices"][choice] == as_link
    assert told(name, "--link", found["link"], "--json").document == found


@pytest.mark.parametrize("name", SHEETS)
def test_a_file_is_read_beside_a_link_that_holds_a_case(name: str, tmp_path: Path) -> None:
    content, choice, as_link = SHEETS[name]
    file = tmp_path / "rows.csv"
    file.write_text(content, encoding="utf-8")
    found = told(name, str(file), f"--link={name}?case=own&ratio=2", "--json").document
    assert found["choices"][choice] == as_link
    assert found["case"]["ratio"] == 2
    assert [row["name"] in as_link for row in found["case"][choice]] == [True]


def test_a_file_whose_name_is_empty_is_none() -> None:
    """What a script says where its variable is not set."""
    for name in ("explain", "audit", "plan"):
        found = told(name, "")
        assert (found.code, found.out) == (2, ""), name
        assert found.complaint == "The file '' was not taken: no such file or directory.\n"


@pytest.mark.parametrize("given", ["--right=3", "--evidence=guesses"])
def test_what_a_file_sets_is_named_by_the_option_that_says_otherwise(given: str, tmp_path: Path) -> None:
    file = tmp_path / "draws.csv"
    file.write_text("world,output\n" + "0,0\n1,1\n" * 20, encoding="utf-8")
    name = given.partition("=")[0]
    wanted = f"{name}: The file sets evidence; leave out {name}, and leave it out of the link.\n"
    assert told("audit", str(file), given).complaint == wanted


def test_a_comma_that_may_have_been_a_decimal_one_is_told() -> None:
    said = "--half-width: Read as 1500: the comma stands between thousands."
    given = ("accuracy", "--start=accuracy", "--half-width=1,500")
    assert told(*given, "--json").document["notes"][0] == said
    assert said in told(*given).out
    assert "Read as" not in told("accuracy", "--start=accuracy", "--half-width=1,5").out


@pytest.mark.parametrize("given", ["--rows=g~0.1~1~~A", "--link=plan?rows=g~0.1~1~~A"])
def test_what_a_file_sets_is_not_asked_for_in_another_way(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content, _, as_link = SHEETS["plan"]
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content.encode())))
    found = told("plan", "-", given)
    assert (found.code, found.out) == (2, "")
    assert found.complaint == "--rows: The file sets rows; leave out --rows, and leave it out of the link.\n"
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content.encode())))
    assert told("plan", "-", f"--rows={as_link}").code == 0


def test_a_file_may_be_piped_in(monkeypatch: pytest.MonkeyPatch) -> None:
    content, _, as_link = SHEETS["plan"]
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content.encode())))
    assert told("plan", "-", "--json").document["choices"]["rows"] == as_link


def test_a_table_of_one_s_own_is_attacked(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("adult,place,child\n1,Ash,12\n4,Elm,3\n")
    found = told("attack", str(file), "--place", "2", "--person", "2", "--asked", "presence", "--json").document
    assert "in Elm, or not in the data: child? The true count is 2 without the person and 3 with" in (
        " ".join(found["notes"])
    )


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("plan", None, "no such file or directory"),
        ("plan", b"", "the file must hold a line of heads and at least one row; it is empty"),
        ("plan", b"what is released,age\nA,3\n", "line 1 names 'age'; its columns may be what is released, how, "),
        ("publication", b"table\n\xff\xfe\n", "it is not text in UTF-8"),
        ("publication", b"table\n" + b"x" * 2_000_000, "the file must be at most 2,000,000 bytes; got 2,000,001"),
        ("attack", b"place,adult\nAsh,-1\n", "a count must be a whole number"),
        ("attack", b"name,population,area\nA,120,33\n", "row 1: the header must have a column of places, called place"),
    ],
)
def test_a_file_that_cannot_be_taken_is_told(name: str, content: bytes | None, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    if content is not None:
        file.write_bytes(content)
    found = told(name, str(file))
    assert fault in found.complaint
    assert "was not taken: " in found.complaint
    assert (found.code, found.out) == (2, "")


def test_a_name_that_no_file_can_have_is_told() -> None:
    assert "there is no file of that name" in told("plan", "a\0b").complaint


def test_files_that_are_read_together_are_refused_by_all_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, outputs in (("a.csv", "1"), ("b.csv", "2")):
        Path(name).write_text(f"output\n{outputs}\n", encoding="utf-8")
    assert told("audit", "a.csv", "b.csv").complaint.startswith("The file 'a.csv b.csv' was not taken: world absent")


def test_every_refusal_of_several_is_told() -> None:
    found = told("budget", "--ratio", "0.5", "--cap", "2", "--json")
    assert [one["choice"] for one in found.document["refused"]] == ["ratio", "cap"]
    assert found.document["computable"] is True
    assert found.complaint.count("\n") == 2
    assert found.code == 2


def test_an_answer_is_not_told_in_two_ways() -> None:
    found = told("budget", "--json", "--python")
    assert found.complaint.startswith("Choose --json or --python, not both;")
    assert found.code == 2


def test_numbers_that_cannot_be_computed_with_end_otherwise_than_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    beyond = replace(command.command_of("budget"), answer=lambda inputs, style: refuse(BEYOND_NUMBERS))
    monkeypatch.setattr(command, "command_of", lambda name: beyond)
    found = told("budget", "--json")
    assert (found.code, found.document["computable"]) == (1, False)
    assert "address" not in found.complaint


def test_an_answer_that_needs_more_than_a_page_has_is_refused_in_the_words_of_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hungry = replace(command.command_of("budget"), answer=lambda inputs, style: bytearray(400 * 2**20))
    monkeypatch.setattr(command, "command_of", lambda name: hungry)
    assert told("budget") == Told("", f"{TOO_FAR}\n", 1)
    assert len(bytearray(400 * 2**20)) == 400 * 2**20  # the limit ends with the answer


def test_a_memo_that_cannot_be_computed_with_ends_as_other_answers_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def endless(inputs: object, style: object) -> None:
        raise TooLong

    (tmp_path / "case.toml").write_text('riskline_case = 1\nline = "constant"\nratio = 2\n')
    monkeypatch.setattr("riskline.commands.memo.memo_view", endless)
    assert told("memo", "--case", str(tmp_path / "case.toml")) == Told("", f"{TOO_FAR}\n", 1)


def test_work_that_takes_more_processor_time_than_a_page_has_is_ended() -> None:
    before, began = resource.getrlimit(resource.RLIMIT_DATA), time.process_time()
    with pytest.raises(TooLong), within_limits(seconds=0.5):
        any(time.process_time() - began > 30 for _ in itertools.count())
    assert time.process_time() - began < 3
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_what_a_process_has_done_before_is_not_counted_whatever_its_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    began, clock = time.process_time(), time.process_time
    monkeypatch.setattr(time, "process_time", lambda: clock() - began)
    with within_limits(seconds=3):
        any(clock() - began > 0.2 for _ in itertools.count())


def test_thirty_records_at_a_budget_of_fifty_take_little_memory() -> None:
    """Sixty moves at 50 each: two cells whose loss spreads over 3,000 at the width of a window's grid."""
    link = "explain?guarantee=laplace&secret=value&unit=records&released=cells&epsilon=50&group=30"
    told("explain", "--epsilon", "1")  # reads the code
    tracemalloc.start()
    try:
        found = told("explain", "--link", link, "--json")
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert value(found.document, "epsilon_of_the_secret") == 3000
    assert taken < 60e6


@pytest.mark.parametrize("name", ANSWERING)
def test_every_choice_of_the_page_is_an_option_unless_it_changes_nothing_that_is_told(name: str) -> None:
    found = command.command_of(name)
    text = told(name, "--help").out
    assert found.fields == page_entry(found.stem).fields
    for field in found.fields:
        assert (f"  {option(field.name)} " in text) == (field.name not in found.left_out), field.name


def test_a_help_begins_with_what_its_examples_ask_and_ends_with_the_pages_own() -> None:
    begins = {"budget": ["cap", "ratio", "line"], "explain": ["epsilon", "prior"], "plan": ["rounds", "cap"]}
    for name, first in begins.items():
        text = told(name, "--help").out.partition("output:")[0]
        listed = re.findall(r"^  --([a-z-]+)", text, re.MULTILINE)
        assert listed[: len(first)] == first, name
        of_case = {field.name: field.of_case for field in command.command_of(name).fields}
        others = [each for each in listed if not re.search(rf"--{each}\b", " ".join(command.command_of(name).examples))]
        own = [not of_case[each.replace("-", "_")] for each in others]
        assert own == sorted(own), name


@pytest.mark.parametrize("name", ANSWERING)
def test_every_key_of_the_json_is_documented(name: str) -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    keys: set[str] = set()
    for example in command.command_of(name).examples:
        document = as_ever(*shlex.split(example), *(() if "--json" in example else ("--json",))).document
        keys |= set(document) | set(document["quantities"])
    assert {key for key in keys if f"`{key}`" not in text} == set()


def test_every_documented_quantity_is_told_in_some_setting() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8").partition("| command | quantities |")[2]
    for name in ANSWERING:
        (row,) = re.findall(rf"^\| `{name}` \| (.*) \|$", text, re.MULTILINE)
        seen = {name, "rounds_looked_at"}
        for extra in EVERY_QUANTITY[name]:
            seen |= set(as_ever(name, *shlex.split(extra), "--json").document["quantities"])
        assert set(re.findall(r"`([a-z_]+)`", row)) - seen == set(), name


EVERY_QUANTITY = {
    "budget": ("", "--guarantee zero_concentrated", "--guarantee approximate"),
    "explain": ("", f"'{ROOT / 'tests/unit/noisy_training.csv'}'"),
    "accuracy": ("", "--noise gaussian"),
    "plan": ("", "--promise difference"),
    "publication": ("", "--noise geometric"),
    "attack": ("", "--draws hundred"),
    "methods": ("", "--against discrete_gaussian"),
    "audit": ("", "--guarantee gaussian", "--order one_by_one"),
    "census": ("", f"'{ROOT / 'tests/unit/census_measurements.csv'}'"),
    "tradeoff": ("", "--guarantee gaussian", f"'{ROOT / 'tests/unit/noisy_training.csv'}'"),
    "cases": ("",),
}
"""Settings in which every quantity of a command is told."""


def test_a_table_too_wide_for_the_terminal_is_told_row_by_row() -> None:
    answer = Answer(
        sentence="One.",
        quantities={},
        tables=(
            Table(
                "Two",
                ("a", "b"),
                (("x", "y" * 50), ("z", "")),
            ),
        ),
    )
    assert as_text(answer, link="choose", width=100).splitlines()[2:6] == [
        "Two",
        "a  b",
        f"-  {'-' * 50}",
        f"x  {'y' * 50}",
    ]
    assert as_text(answer, link="choose", width=40).splitlines()[2:5] == ["Two", "  x: b", f"    {'y' * 50}"]


def test_a_command_needs_nothing_that_draws_or_serves() -> None:
    lines = "import sys; from riskline.command import main; main(['budget']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", lines], cwd=ROOT, capture_output=True, text=True, timeout=60)
    modules = set(done.stdout.splitlines()[-1].split())
    assert "ui.views.choose.view" in modules
    assert not modules & {"plotly", "streamlit", "pandas", "altair", "jsonschema", "dpcore.inference"}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the dashboard is started with."""
    starts: list[list[str]] = []
    monkeypatch.setattr(dashboard, "start", lambda given: starts.append(given) or 0)
    return starts


def test_app_starts_the_dashboard_with_what_follows(started: list[list[str]]) -> None:
    assert told("app", "--port", "8600") == told("app", "--port", "8600")
    assert started == [["--port", "8600"]] * 2


def test_an_option_without_a_command_is_refused(started: list[list[str]]) -> None:
    found = told("--port", "8600")
    assert found.code == command.REFUSED
    assert not started
    assert "--port" in found.complaint


def test_only_share_lets_other_machines_in() -> None:
    assert dashboard.streamlit_arguments(["--port", "1"]) == ["--server.port", "1"]
    shared = ["--server.address", "0.0.0.0", "--browser.serverAddress"]
    assert dashboard.streamlit_arguments(["--share"]) == [*shared, socket.gethostname()]
    assert dashboard.streamlit_arguments(["--share", "stats.example"]) == [*shared, "stats.example"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("--port 70000", "The port must be a whole number from 1 to 65,535; got '70000'."),
        ("--port abc", "The port must be a whole number from 1 to 65,535; got 'abc'."),
        ("--port", "The option --port must be followed by a number."),
    ],
)
def test_a_port_that_is_none_is_told(given: str, sentence: str) -> None:
    found = told("app", *given.split())
    assert (found.code, found.complaint) == (2, f"{sentence}\n")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            "--bogus",
            "riskline app has no option '--bogus'; riskline app --help lists its own; streamlit run --help lists",
        ),
        ("--prot=8600", "riskline app has no option '--prot'; did you mean --port?"),
        ("--server.prot=8600", "riskline app has no option '--server.prot'; did you mean --server.port?"),
        ("--server.port=abc", "riskline app: Invalid value for '--server.port'"),
    ],
)
def test_an_option_that_the_dashboard_lacks_is_told(given: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["riskline"])
    found = told("app", given)
    assert found.complaint.startswith(sentence)
    assert (found.code, found.out) == (2, "")


def completed(*words: str) -> list[str]:
    """What bash offers behind these words."""
    typed = " ".join(shlex.quote(word) for word in ("riskline", *words))
    lines = f'COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _riskline; echo "${{COMPREPLY[@]}}"'
    script = f"{told('completion', 'bash').out}\n{lines}"
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=30, cwd=ROOT)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("",), [*command.PURPOSES, "--help", "--version"]),
        (("ex",), ["explain"]),
        (("budget", "--ro"), ["--route"]),
        (("budget", "--line", ""), ["cap_or_ratio", "constant", "increase", "box", "drawn"]),
        (("accuracy", "--noise", "g"), ["geometric", "gaussian"]),
        (("attack", "--noise", "g"), ["gaussian", "geometric"]),
        (("plan", "READ"), ["README.md"]),
        (("budget", "READ"), []),
        (("budget", "--case", "READ"), ["README.md"]),
        (("memo", "--out", "READ"), ["README.md"]),
        (("memo", "--annex", ""), ["nist", "impact", "w3c"]),
        (("adjust", "--m"), ["--method"]),
        (("adjust", "--method", ""), ["nearest", "top-down"]),
        (("estimate", "ris"), ["riskline"]),
        (("estimate", "--p"), ["--posterior", "--per"]),
        (("app", "--s"), ["--share"]),
        (("completion", "f"), ["fish"]),
    ],
)
def test_a_shell_completes_commands_options_values_and_files(words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("2020\\ Census\\ DHC", "2020\\ Census\\ DHC\\,\\ persons 2020\\ Census\\ DHC\\,\\ housing\\ units"),
        ("'2020 Census DHC", "2020 Census DHC, persons 2020 Census DHC, housing units"),
        ("Wikimedia\\ g", "Wikimedia\\ geoeditors\\ monthly"),
    ],
)
def test_a_shell_completes_a_name_of_several_words(typed: str, offered: str) -> None:
    assert " ".join(completed("explain", "--deployment", typed)) == offered


def test_a_help_lists_every_name_of_several_words() -> None:
    lines = told("explain", "--help").out.splitlines()
    names = next(field.options for field in command.command_of("explain").fields if field.name == "deployment")
    place = lines.index("--deployment takes one of these, in quotation marks:")
    assert lines[place + 1 : place + len(names) + 1] == [f"  {name}" for name in names]


def options_of(name: str) -> set[str]:
    """The options that the help of a command lists."""
    return set(re.findall(r"^  --([a-z0-9-]+)", told(name, "--help").out, re.MULTILINE))


def test_bash_offers_every_option_of_every_help() -> None:
    for name in command.PURPOSES:
        assert options_of(name) <= {word.removeprefix("--") for word in completed(name, "--")}, name


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_know_every_option_of_every_help(shell: str) -> None:
    text = told("completion", shell).out
    for name in command.PURPOSES:
        for wanted in options_of(name):
            assert re.search(rf"(--| -l ){wanted}\b", text), wanted


def test_a_shell_that_is_none_is_told() -> None:
    assert told("completion", "csh").complaint == "riskline completion must be followed by one of bash, zsh, fish.\n"


def test_a_fault_of_ours_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "overview", lambda: {}["nothing"])
    for unset in ("", "0"):
        monkeypatch.setenv("RISKLINE_DEBUG", unset)
        assert command.main(["--help"]) == 1
        said = "This is a bug in Riskline (KeyError): please tell its maintainers what you typed, "
        assert capsys.readouterr().err == f"{said}and what RISKLINE_DEBUG=1 shows.\n"


def test_a_fault_of_ours_shows_where_it_is_to_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "overview", lambda: {}["nothing"])
    monkeypatch.setenv("RISKLINE_DEBUG", "1")
    with pytest.raises(KeyError, match="nothing"):
        command.main(["--help"])


@pytest.mark.parametrize("closed", [False, True])
def test_an_answer_that_cannot_be_written_ends_in_a_sentence(
    closed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115 - what is left in it cannot be written
    monkeypatch.setattr(sys, "stdout", None if closed else full)
    assert command.main(["--version"]) == 1
    why = "the output is closed" if closed else "no space left on device"
    assert capsys.readouterr().err == f"The answer could not be written: {why}.\n"
    full.close()


def test_without_any_stream_the_exit_code_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert [command.main(words) for words in (["budget"], ["bugdet"], ["plan", "-"])] == [1, 2, 2]


def test_a_closed_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert told("plan", "-").complaint == "The file '-' was not taken: nothing is piped in.\n"


def test_a_case_sends_no_commands_to_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "case.json"
    file.write_text('{"riskline_case": 1, "ratio": 2, "title": "a\\u001b[2Jb\\u009bc\\u0007"}', encoding="utf-8")
    found = told("budget", "--case", str(file))
    assert "a\ufffd[2Jb\ufffdc\ufffd · " in found.out
    assert not set(found.out) & {"\x1b", "\x9b", "\x07"}


def test_a_drawn_file_is_told_how_to_attack_once_it_is_written(tmp_path: Path) -> None:
    failed, done = (told("census", "draw", "--out", str(place)) for place in (tmp_path, tmp_path / "drawn.csv"))
    assert (failed.code, done.code) == (1, 0)
    assert failed.complaint == f"The file {shown(str(tmp_path))!r} was not written: is a directory.\n"
    assert "Attack the file with: " in done.complaint


STOPPED_IN_AN_IMPORT = """
import os, signal, sys
from riskline import command
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins with it ignored
def run(given):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        signal.sigtimedwait([], 10)
    except KeyboardInterrupt:
        raise ImportError("numpy")
command.run = run
sys.exit(command.main(sys.argv[1:]))
"""


def test_ctrl_c_ends_a_command_wherever_it_comes() -> None:
    words = [sys.executable, "-c", STOPPED_IN_AN_IMPORT]
    stopped, cleared_up = (
        subprocess.run([*words, name], cwd=ROOT, capture_output=True, timeout=60) for name in ("budget", "release")
    )
    assert (stopped.returncode, stopped.stdout, stopped.stderr) == (130, b"", b"")
    assert cleared_up.returncode == 1  # it heard of it, and may undo what it had begun


def test_signs_that_an_encoding_lacks_are_told_in_words() -> None:
    words = ("--guarantee", "zero_concentrated", "--rho", "0.1", "--voice", "technical")
    variables = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "riskline", "explain", *words], cwd=ROOT, env=variables, capture_output=True, timeout=60
    )
    text = done.stdout.decode("ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "? " not in text
    assert "rho = 0.1" in text
    seen = "".join(as_ever(name, "--voice", voice).out for name in ANSWERING for voice in ("plain", "technical"))
    signs = "".join(sorted({sign for sign in seen if not sign.isascii()}))
    assert "ε" in signs
    assert "?" not in signs.encode("ascii", IN_WORDS).decode()


def test_there_are_no_lines_where_a_page_has_none() -> None:
    assert told("tradeoff", "--python").complaint == "There are no lines of Python for this answer.\n"


def test_the_version_is_the_library_s() -> None:
    assert told("--version").out == f"Riskline {dpcore.__version__}\n"
