"""Commands about a case in a file: what the case gives, what an option changes, and the memo."""

from __future__ import annotations

import builtins
import math
import re
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml
from docx import Document
from pptx import Presentation

from riskline.case.decision import Decision
from riskline.case.file import case_from_table, read_file, write_json, write_toml
from riskline.case.link import write_case
from riskline.case.methods import MethodChoice
from riskline.case.releases import LedgerRow
from riskline.case.tables import TableRow
from riskline.case.value import Case
from tests.cases import case_of
from tests.command_line import Told, told
from ui.link import scenario
from ui.views.explain import ExplainInputs
from ui.views.shared.session_results import results_kept_in

LINE = Case(line="constant", ratio=2.0)
DRAWING = ("altair", "vl_convert", "docx", "pptx", "ui.documents.charts", "ui.documents.word", "ui.documents.slides")


def decided(case: Case, value: float, currency: str = "epsilon") -> Case:
    """The case with a decision that was made for it."""
    made = Decision(value=value, currency=currency, by="M. Ek", date="3 May", reason="enough", digest=case.digest)  # type: ignore[arg-type]
    return case.with_choices(chosen=made)


@pytest.fixture
def of(tmp_path: Path) -> Any:
    """What a command tells about a case in a file."""

    def run(name: str, case: Case, *options: str, content: str | None = None) -> Told:
        file = tmp_path / "case.toml"
        file.write_text(write_toml(case) if content is None else content, encoding="utf-8")
        return told(name, "--case", str(file), *options)

    return run


@pytest.mark.parametrize("guarantee", ["pure", "zero_concentrated"])
def test_a_case_gives_the_choices_of_a_command(of: Any, guarantee: str) -> None:
    document = of("budget", LINE.with_choices(guarantee=guarantee), "--json").document
    name = {"pure": "epsilon", "zero_concentrated": "rho"}[guarantee]
    bound = document["quantities"][f"{name}_of_each_release"]["value"]
    assert 0 < bound <= {"pure": math.log(2), "zero_concentrated": 1.0}[guarantee]
    assert case_from_table(document["case"]) == LINE.with_choices(guarantee=guarantee)
    assert document["choices"]["ratio"] == 2.0
    assert case_of(document["link"].partition("?")[2]) == LINE.with_choices(guarantee=guarantee)


@pytest.mark.parametrize(
    ("options", "ratio"), [((), 2.0), (("--ratio", "3"), 3.0), (("--link", "choose?ratio=4"), 4.0)]
)
def test_an_option_counts_before_the_case(of: Any, options: tuple[str, ...], ratio: float) -> None:
    document = of("budget", LINE, *options, "--json").document
    assert document["quantities"]["epsilon_unrounded_of_all"]["value"] == pytest.approx(math.log(ratio))
    assert case_of(document["link"].partition("?")[2])["ratio"] == document["case"]["ratio"] == ratio


@pytest.mark.parametrize(
    ("case", "options", "epsilon"),
    [
        (LINE, (), 0.69),
        (decided(LINE, 0.5), (), 0.5),
        (decided(LINE, 0.5), ("--epsilon", "0.4"), 0.4),
        (Case(unit="household", group=4), ("--epsilon", "0.4"), 1.6),
    ],
    ids=["line", "decided", "option", "household"],
)
def test_a_case_gives_its_budget_unless_an_option_names_one(
    of: Any, case: Case, options: tuple[str, ...], epsilon: float
) -> None:
    document = of("explain", case, "--prior", "0.5", *options, "--json").document
    reached = document["quantities"]["posterior_if_true"]["value"]
    assert reached == pytest.approx(1 / (1 + math.exp(-epsilon)))


def test_every_answer_about_a_case_says_which_and_who_decided(of: Any) -> None:
    assert "ε = 0.69 follows from the line, not decided" in " ".join(of("explain", LINE).out.split())
    assert "M. Ek" in of("explain", decided(LINE, 0.5)).out
    assert "not decided" not in told("explain").out


@pytest.mark.parametrize("name", ["explain", "budget"])
def test_a_case_without_line_and_decision_has_no_budget(of: Any, name: str) -> None:
    for options in ((), ("--relation", "add_or_remove")):  # an option that names no budget gives none
        found = of(name, Case(unit="household"), *options)
        assert (found.code, found.out) == (2, "")
        assert ("no line yet" if name == "budget" else "no line has been drawn") in found.complaint.lower()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"line": "box", "ratio": 20.0, "low": 0.1, "high": 0.9}, "sets no limit"),
        ({"line": "constant", "ratio": 1.0}, "leaves none"),
    ],
)
def test_a_line_without_a_budget_is_not_said_to_be_missing(of: Any, line: dict[str, Any], why: str) -> None:
    found = of("explain", Case(**line))
    assert found.code == 2
    assert f"The case has no budget, because the line {why} and nobody has decided: add --epsilon." in found.complaint


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (
            Case(secret="value", guarantee="approximate", ratio=2.3),
            "This kind of guarantee needs a question about two ",
        ),
        (
            Case(secret="presence", relation="replace", ratio=2.0, held=0.5),
            "Replacing a record does not hide who is in ",
        ),
    ],
)
def test_a_case_that_contradicts_itself_is_told_why_it_has_no_budget(of: Any, case: Case, why: str) -> None:
    found = of("explain", case)
    assert found.code == 2
    assert f"The case has no budget, and nobody has decided: add --epsilon. {why}" in found.complaint


def test_what_a_test_finds_in_one_of_several_releases_is_said_to_be_that(of: Any) -> None:
    assert "One of 4 releases; all together can tell more." in of("tradeoff", LINE.with_choices(releases=4)).out
    assert "One of" not in of("tradeoff", LINE).out


ROWS = Case(ratio=3.0, prior=0.1, rows=(LedgerRow("Survey", "geometric", "0.3"),))
HOUSEHOLD = LINE.with_choices(unit="household", group=4)
TABLES = HOUSEHOLD.with_choices(tables=(TableRow("Cases", wish="30"),), noise="geometric")
ROUNDED = LINE.with_choices(method_today=MethodChoice(base=7))


@pytest.mark.parametrize(
    ("name", "case", "options", "choice", "value"),
    [
        ("accuracy", decided(LINE, 0.5), (), "epsilon", 0.5),
        ("accuracy", decided(LINE, 0.05, "rho"), ("--level", "0.9"), "rho", 0.05),
        ("accuracy", decided(LINE, 0.5), ("--epsilon", "0.4"), "epsilon", 0.4),
        ("accuracy", Case(unit="household"), ("--start", "accuracy", "--half-width", "20"), "half_width", 20.0),
        ("tradeoff", LINE, (), "epsilon", 0.69),
        ("census", decided(LINE, 2.0, "rho"), (), "total_rho", 2.0),
        ("census", LINE, ("--budget", "own", "--rho-block", "0.2"), "rho_block", 0.2),
        ("plan", ROWS, ("--rounds", "3"), "cap", 0.3),
        ("explain", LINE, (), "epsilon", 0.69),
        ("methods", ROUNDED, (), "base", 7),
        ("publication", decided(TABLES, 0.5), ("--start=budget",), "epsilon", 2.0),
        ("audit", decided(HOUSEHOLD, 0.5), (), "epsilon", 0.5),
        ("audit", decided(LINE, 0.05, "rho"), ("--order=one_by_one",), "rho", 0.05),
        ("audit", LINE.with_choices(guarantee="approximate", delta=1e-7), ("--right=70",), "delta", 1e-7),
    ],
)
def test_an_answer_about_a_case_begins_as_its_page_and_its_link_answers_the_same(
    of: Any, name: str, case: Case, options: tuple[str, ...], choice: str, value: float
) -> None:
    document = of(name, case, *options, "--json").document
    assert document["choices"][choice] == pytest.approx(value)
    again = told(name, "--link", document["link"], "--json").document
    assert (again["quantities"], again["case"]) == (document["quantities"], document["case"])


@pytest.mark.parametrize(
    ("name", "case", "options", "fault"),
    [
        ("accuracy", Case(unit="household"), (), "--epsilon."),
        ("accuracy", decided(LINE.with_choices(noise="laplace"), 0.05, "rho"), (), "budget, ρ = 0.050: add --epsilon."),
        ("explain", LINE, ("--guarantee", "zero_concentrated", "--epsilon=1"), "budget, ε = 0.69: add --rho."),
        ("tradeoff", Case(ratio=2.0).with_choices(line="none"), (), "add --epsilon."),
        ("census", LINE, (), "This answer cannot take the case's budget, ε = 0.69: add --total-rho."),
        ("plan", LINE, (), "The case has no rows: add --rows."),
        ("publication", decided(LINE, 0.5), (), "The case has no tables: add --tables or a file."),
        ("audit", Case(unit="household"), (), "has no budget, because no line has been drawn and nobody has decided"),
        ("audit", decided(LINE, 0.5), ("--guarantee=gaussian",), "cannot take the case's budget, ε = 0.50: add --rho."),
        ("attack", LINE, (), "has no choice called '--case'; riskline attack --help lists its choices."),
        ("cases", LINE, (), "has no choice called '--case'; riskline cases --help lists its choices."),
    ],
)
def test_what_a_case_cannot_answer_is_refused_by_name(
    of: Any, name: str, case: Case, options: tuple[str, ...], fault: str
) -> None:
    found = of(name, case, *options)
    assert (found.code, found.out) == (2, "")
    assert fault in found.complaint


FILES = {
    "audit": "world,output\n" + "0,0\n1,1\n" * 50,
    "methods": "i,j,p\n0,0,1\n1,0,0.5\n1,2,0.5\n2,2,1\n",
    "publication": "table,what,± wanted\nBeds,counts,9\n",
}


@pytest.mark.parametrize(
    ("name", "case", "choice", "value"),
    [
        ("audit", decided(HOUSEHOLD, 0.5), "epsilon", 0.5),
        ("methods", ROUNDED, "ratio", 2.0),
        ("publication", decided(HOUSEHOLD, 0.5), "tables", "Beds~counts~9"),
        ("publication", decided(TABLES, 0.5), "tables", "Beds~counts~9"),  # before the tables of the case
    ],
)
def test_a_file_without_a_budget_stands_beside_a_case(
    of: Any, name: str, case: Case, choice: str, value: Any, tmp_path: Path
) -> None:
    file = tmp_path / "file.csv"
    file.write_text(FILES[name], encoding="utf-8")
    document = of(name, case, str(file), "--json").document
    assert document["choices"][choice] == value
    assert document["case"].items() >= {"line": "constant", "ratio": 2.0}.items()
    if name == "publication":
        assert document["quantities"]["epsilon_of_everything"]["value"] == 2.0
        assert [row["name"] for row in document["case"]["tables"]] == ["Beds"]


def test_a_case_in_a_file_and_one_in_a_link_are_not_mixed(of: Any) -> None:
    for name, link in (("explain", "explain?case=own&ratio=5"), ("budget", "choose?case=own&unit=household")):
        found = of(name, LINE, f"--link={link}")
        assert (found.code, found.complaint) == (2, "Give a case in a file or one in a link, not both.\n")
    assert of("budget", LINE, "--link=choose?case=example").code == 0


@pytest.mark.parametrize("name", ["explain", "tradeoff", "plan", "census"])
def test_a_file_with_a_budget_of_its_own_stands_beside_no_case(of: Any, name: str) -> None:
    found = of(name, LINE, "file.csv")
    assert (found.code, found.out) == (2, "")
    assert found.complaint == "Give a file or a case, not both: each brings a budget of its own.\n"


@pytest.mark.parametrize("case", [HOUSEHOLD, TABLES])
def test_a_link_to_a_case_without_tables_is_answered_for_tables_that_are_called_an_example(case: Case) -> None:
    link = f"--link=publication?{urlencode(write_case(case))}"
    document, text = told("publication", link, "--json").document, told("publication", link).out
    said = ["here: an example" in words for words in (document["notes"][0], " ".join(text.split()))]
    assert said == 2 * ["tables" not in case]


def test_a_scenario_is_read_for_its_case(of: Any) -> None:
    content = scenario.write({"explain": {"epsilon": 3.0}}, decided(LINE, 0.5))
    document = of("explain", LINE, "--json", content=content).document
    assert case_from_table(document["case"]) == decided(LINE, 0.5)
    assert document["choices"]["epsilon"] == 0.5 != ExplainInputs().epsilon
    assert of("explain", LINE, "--json", content=write_json(decided(LINE, 0.5))).document == document


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("ratio = 2", "it must be a case as JSON or TOML; it must say riskline_case = 1"),
        ("a case", "it must be a case as JSON or TOML; got 'a case' in line 1"),
        ("riskline_case = 1\nratio = 2,5", "it must be a case as JSON or TOML; got 'ratio = 2,5' in line 2"),
        ('riskline_case = 1\ntitle = """\nopen', "it must be a case as JSON or TOML; got 'riskline_case = 1"),
        ("riskline_case = 1\ncap = '25 %'", "cap: “Always acceptable up to” must be a number and not text; got '25 %'"),
        ("riskline_case = 1\nratio = nan", "ratio must hold finite numbers; got nan"),
        ("riskline_case = 1\n[filing]\nshelf = [1, -inf]", "filing must hold finite numbers; got -inf"),
        ('{"riskline_case": 1, "filing": {"shelf": NaN}}', "the file must hold finite numbers; got 'NaN'"),
        ('{"riskline_case": 1, "ratio": 2, "ratio": 3}', "the file must have each part once; got 'ratio'"),
        ("riskline_case = 2", "it must be of format 1 or earlier; got 2"),
        ("riskline_case = 1\nunit = 'town'", "unit: "),
        ('{"riskline_scenario": 1, "pages": {"choose": {"ratio": 3}}}', "it must hold a case"),
        ('{"riskline_scenario": 2, "pages": {}, "case": []}', "it must hold a case"),
    ],
)
@pytest.mark.parametrize("name", ["explain", "memo"])
def test_a_file_that_holds_no_case_is_told(of: Any, name: str, content: str, fault: str) -> None:
    found = of(name, LINE, content=content)
    assert (found.code, found.out) == (2, "")
    assert re.fullmatch(rf"The file '.*' was not taken: {re.escape(fault)}.*\.\n", found.complaint)


@pytest.mark.parametrize("name", ["explain", "memo"])
def test_what_a_file_holds_beside_the_choices_of_a_case_is_told(of: Any, name: str) -> None:
    found = of(name, LINE, content="riskline_case = 1\nratio = 2.0\nratoi = 4.0\n[filing]\nshelf = 1\n")
    told_of = " ".join(f"{found.out} {found.complaint}".split())
    assert found.code == 0
    assert "'ratoi' (did you mean 'ratio'?) and 'filing' are no choices of a case" in told_of
    assert "no choice of a case" not in f"{of(name, LINE).out} {of(name, LINE).complaint}"


def test_a_file_is_read_as_windows_writes_it(of: Any) -> None:
    for content in (write_toml(LINE), write_json(LINE)):
        document = of("budget", LINE, "--json", content=f"\ufeff{content}".replace("\n", "\r\n")).document
        assert case_from_table(document["case"]) == LINE


def test_a_date_that_is_no_choice_of_a_case_is_kept_as_text(of: Any, tmp_path: Path) -> None:
    content = "riskline_case = 1\nratio = 2.0\ndate = 2026-05-12\n[filing]\nseen = [2026-05-13, 12:30:00]\n"
    document = of("budget", LINE, "--json", content=content).document
    assert document["case"].items() >= {"date": "2026-05-12", "filing": {"seen": ["2026-05-13", "12:30:00"]}}.items()
    assert read_file(write_toml(case_from_table(document["case"])).encode()) == case_from_table(document["case"])
    plan = tmp_path / "plan.json"
    found = of("publication", LINE, "--tables", "Births~counts~5", "--plan", str(plan), content=content)
    assert (found.code, found.complaint) == (0, "")


def text_of(name: str, content: bytes) -> str:
    """What a memo says."""
    if name.endswith("docx"):
        return "\n".join(paragraph.text for paragraph in Document(BytesIO(content)).paragraphs)
    if name.endswith("pptx"):
        shapes = [shape for slide in Presentation(BytesIO(content)).slides for shape in slide.shapes]
        return "\n".join(shape.text_frame.text for shape in shapes if shape.has_text_frame)
    return re.sub("<[^>]*>", "", content.decode("utf-8"))


@pytest.mark.parametrize("name", ["memo.html", "memo.DOCX", "memo.pptx"])
def test_a_memo_is_written_as_its_files_name_asks(of: Any, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    found = of("memo", LINE.with_choices(title="Bathing water"), "--out", str(file), "--until", "2031")
    assert (found.code, found.out, found.complaint) == (0, "", "")
    text = text_of(name.lower(), file.read_bytes())
    assert "Bathing water" in text
    assert "0.69" in text
    assert "1.29" not in text


def test_a_memo_without_a_file_is_printed_as_a_page(of: Any) -> None:
    found = of("memo", decided(LINE, 0.5), "--until", "2031", "--reasons", "It is <cheap>", "--voice", "technical")
    assert found.out.startswith("<!doctype html>")
    assert found.complaint == ""
    for words in ("M. Ek", "0.5", "2031", "It is &lt;cheap&gt;"):
        assert words in found.out
    assert "<cheap>" not in found.out


def test_a_memo_without_what_draws_says_what_it_leaves_out(
    of: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in list(sys.modules):
        if name.startswith(DRAWING):
            monkeypatch.delitem(sys.modules, name)
    found = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith(DRAWING):
            raise ModuleNotFoundError(name)
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with results_kept_in({}):  # nothing that an earlier test drew
        page = of("memo", LINE)
    assert page.code == 0
    assert "0.69" in page.out
    assert "<img" not in page.out
    assert page.complaint == "The pictures are left out: drawing them needs pip install 'riskline[app]'.\n"
    file = tmp_path / "memo.docx"
    refused = of("memo", LINE, "--out", str(file))
    assert (refused.code, file.exists()) == (2, False)
    assert refused.complaint.endswith("pip install 'riskline[app]'.\n")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--out", "memo.pdf"), "--out must end with .html, .docx, .pptx; got 'memo.pdf'."),
        (("--yearly", "0"), "--yearly must be a whole number from 1 to 1,000; got '0'."),
        (("--registry", "--out", "record.json"), "--out must end with .yaml, .yml; got 'record.json'."),
        (("--label", "--out", "label.docx"), "--out must end with .html, .svg, .png; got 'label.docx'."),
        (("--annex", "iso"), "--annex must be one of nist, impact, w3c; got 'iso'."),
        (("--epsilon", "1"), "riskline memo has no choice called '--epsilon'; riskline memo --help lists its choices."),
        (("--out",), "The option --out must be followed by a value; one that begins with - is joined to it by =."),
        (("--label", "--annex", "nist"), "Choose --label or --annex, not both."),
        (("--hh",), "riskline memo has no choice called '--hh'; did you mean -h?"),
        (("--registry=yes",), "The option --registry takes no value."),
    ],
)
def test_a_memo_refuses_what_it_cannot_take(of: Any, options: tuple[str, ...], fault: str) -> None:
    found = of("memo", LINE, *options)
    assert (found.code, found.out, found.complaint) == (2, "", fault + "\n")


@pytest.mark.parametrize(
    ("options", "name", "begins"),
    [
        (("--label",), "label.html", b"<!doctype html>"),
        (("--label",), "label.svg", b"<svg "),
        (("--label",), "label.png", b"\x89PNG"),
        (("--registry",), "record.yaml", b"# A draft for a public register"),
        (("--annex", "nist"), "nist.html", b"<!doctype html>"),
        (("--annex", "impact"), "impact.docx", b"PK"),
        (("--annex", "w3c"), "w3c.HTML", b"<!doctype html>"),
    ],
)
def test_what_is_filed_beside_the_memo_is_written_as_its_files_name_asks(
    of: Any, options: tuple[str, ...], name: str, begins: bytes, tmp_path: Path
) -> None:
    file = tmp_path / name
    found = of("memo", LINE.with_choices(title="Bathing water", author="A. Clerk"), *options, "--out", str(file))
    assert (found.code, found.out) == (0, ""), found
    assert file.read_bytes().startswith(begins)


def test_a_record_names_what_is_open_and_holds_the_budget_of_the_case(of: Any) -> None:
    found = of("memo", decided(LINE, 0.5), "--registry", "--until", "2031")
    record = yaml.safe_load(found.out)
    assert record["deployment"]["privacy_loss"]["privacy_parameters"] == {"epsilon": 0.5}
    assert "Until 2031" in record["deployment"]["deployment_model"]["release_type_details"]
    assert "Open in the record: " in found.complaint
    assert "basic.intended_use" in found.complaint


def test_a_memo_is_of_a_case_that_is_named() -> None:
    found = told("memo")
    assert (found.code, found.out) == (2, "")
    assert "needs --case FILE" in found.complaint
    assert told("memo", "--help") == told("help", "memo")
    assert "riskline memo --case" in told("memo", "--help").out


@pytest.mark.parametrize(
    ("name", "fault"), [("none/memo.html", "no such file or directory"), ("x.html", "is a directory")]
)
def test_a_memo_that_cannot_be_written_ends_in_a_sentence(of: Any, name: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "x.html").mkdir()
    found = of("memo", LINE, "--out", str(tmp_path / name))
    assert (found.code, found.out) == (1, "")
    assert found.complaint.endswith(f"was not written: {fault}.\n")


def test_a_link_gives_a_publication_its_case() -> None:
    """The budget is the case's decision, not what the template of a line would leave."""
    case = decided(LINE.with_choices(tables=(TableRow("Cases", wish="30"),), noise="geometric"), 0.2)
    told_of = told("publication", "--link", f"publication?{urlencode(write_case(case))}", "--json").document
    assert told_of["quantities"]["epsilon_of_everything"]["value"] == 0.2
    assert case_from_table(told_of["case"]) == case
    other = told("publication", "--link", "publication?tables=Cases~counts~30", "--json").document
    assert other["quantities"].keys() != {"epsilon_of_everything"}
    assert "case" not in other
