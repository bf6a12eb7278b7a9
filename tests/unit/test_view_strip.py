"""The case in one line: each state as a reader reads it, what is marked, and what a narrow page keeps."""

from __future__ import annotations

import pytest

from riskline.answers import CaseBudget, Source
from riskline.case.choices import case_field
from riskline.case.decision import Decision
from riskline.case.methods import MethodChoice
from riskline.case.releases import DEFAULT_LEDGER, LedgerRow
from riskline.case.tables import TableRow
from riskline.case.value import Case, State
from ui.pictures.style import Style
from ui.views.memo.choices import Memo, MemoInputs
from ui.views.shared.strip import beginning_with_case, strip_of, tried

SCHOOL = {
    "title": "School absence by district",
    "hidden": "was absent more than 20 days",
    "one": "pupil",
    "secret": "value",
    "relation": "replace",
    "release": "table",
    "areas": 38,
    "noise": "geometric",
    "moves": "nowhere",
}
ABOUT = (
    "School absence by district · secret: was absent more than 20 days · one pupil · table of 38 districts, "
    "whole-number noise · "
)
DECIDED = Case(**SCHOOL, ratio=3.0).decided(value=1.29, currency="epsilon", by="A. Smith", date="12 May")
OTHERWISE = Case(**SCHOOL, ratio=3.0).decided(value=0.9, currency="epsilon", by="the board")
STATES = {
    "example": (
        Case(),
        "Example · secret: whether a given person is in the data · a given person · release not described · ε = 1.29",
    ),
    "no line": (Case(**SCHOOL), ABOUT + "no line drawn"),
    "implied, not decided": (Case(**SCHOOL, ratio=3.0), ABOUT + "ε = 1.29 follows from the line, not decided"),
    "decided as the line implies": (DECIDED, ABOUT + "ε = 1.29, decided 12 May by A. Smith"),
    "decided otherwise": (OTHERWISE, ABOUT + "ε = 0.90, decided by the board; the line gives 1.29"),
    "decided for another case": (
        OTHERWISE.with_choices(ratio=2.0),
        ABOUT + "ε = 0.90, decided by the board, before the case changed",
    ),
    "decided, for no case that is said": (
        Case(**SCHOOL, ratio=3.0, chosen=Decision(value=0.9, currency="epsilon")),
        ABOUT + "ε = 0.90, decided, for an unnamed case",
    ),
    "as published": (
        Case(**SCHOOL, published="2020 Census DHC, persons"),
        ABOUT + "ρ = 4.96, as published: 2020 Census DHC, persons",
    ),
    "a line that binds nothing": (
        Case(**SCHOOL, line="box", ratio=20.0, low=0.1, high=0.9),
        ABOUT + "the line sets no limit",
    ),
    "a line that nothing keeps": (Case(**SCHOOL, line="constant", ratio=1.0), ABOUT + "the line leaves no budget"),
    "a change that hides no presence": (
        Case(**SCHOOL | {"secret": "presence"}, ratio=3.0),
        ABOUT + "contradictory choices",
    ),
    "a box that ends before it begins": (
        Case(**SCHOOL, line="box", low=0.9, high=0.1),
        ABOUT + "contradictory choices",
    ),
    "a line with no room for its δ": (
        Case(**SCHOOL, line="constant", ratio=1.01, guarantee="approximate", delta=1e-3, failure=0.01),
        ABOUT + "the line leaves no budget",
    ),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_each_state_of_a_case_is_said_in_one_line(state: str, voice: str) -> None:
    case, said = STATES[state]
    neutral = "whether one person (one record) is present · one person (one record)"
    expected = said.replace("whether a given person is in the data · a given person", neutral)
    assert strip_of(case, voice).text == (expected if voice == "technical" else said)


def test_a_narrow_page_keeps_subject_and_budget() -> None:
    assert strip_of(DECIDED, "plain").short == ("School absence by district", "ε = 1.29")
    assert strip_of(OTHERWISE.with_choices(ratio=2.0), "plain").short[1] == "not decided"
    assert strip_of(Case(**SCHOOL, ratio=3.0), "plain").short[1] == "not decided"
    several = Case(**SCHOOL, ratio=3.0, releases=4).decided(value=0.33, currency="epsilon")
    assert strip_of(several, "plain").short[1] == "ε = 0.33 for each of 4 releases"
    of_all = several.with_choices(published="2020 Census DHC, persons")
    assert strip_of(of_all, "plain").short[1] == "ρ = 4.96"


def test_what_is_to_be_noticed_is_marked() -> None:
    undecided = Case(**(SCHOOL | {"moves": ""}), ratio=3.0)
    assert strip_of(undecided, "plain").marks == ("districts may change",)
    assert strip_of(undecided.with_choices(secret="presence", relation="add_or_remove"), "plain").marks == ()
    rounded = DECIDED.with_choices(method_today=MethodChoice(base=5).recorded)
    assert strip_of(rounded, "plain").marks == ("today: Rounding to base 5",)
    assert rounded.state is State.DECIDED
    trial = CaseBudget(2.0, "epsilon", Source.TRIED)
    assert strip_of(DECIDED, "plain", trial=trial, claimed=True).marks == ("according to this link", "trying ε = 2.00")


@pytest.mark.parametrize("state", ["example", "decided otherwise"])
def test_a_page_of_its_own_example_says_what_it_computes_with(state: str) -> None:
    case, _ = STATES[state]
    alone, trial = strip_of(case, "plain", page="play"), CaseBudget(0.5, "rho", Source.TRIED)
    assert alone.marks == ("here: a block (1940 census)",)
    assert ("ε = " in alone.text) is ("ε = " in alone.short[1]) is (state != "example")
    found = strip_of(case, "plain", page="play", trial=trial)
    assert found.text == alone.text.replace("here:", "trying ρ = 0.50 · here:")
    assert found.short[1] == "trying ρ = 0.50"


@pytest.mark.parametrize(
    ("page", "chosen", "kind"),
    [
        ("play", {"table": "synthetic"}, "invented"),
        ("block", {"table": "own"}, "yours"),
        ("rebuild", {"source": "block", "table": "28-21"}, "invented"),
        ("rebuild", {"source": "table", "table": "28-21"}, "1940 census"),
        ("public_information", {"data": "invented"}, "invented"),
        ("public_information", {"data": "own"}, "yours"),
    ],
)
def test_the_strip_says_whose_data_the_page_shows(page: str, chosen: dict[str, str], kind: str) -> None:
    assert strip_of(Case(), "plain", page=page, chosen=chosen).marks[-1].endswith(f"({kind})")


def test_the_strip_says_that_a_page_shows_a_folder_and_not_the_case() -> None:
    own, example = (strip_of(Case(), "plain", page="publish", chosen={"data": data}) for data in ("own", "example"))
    assert (own.marks, own.short[1]) == (("here: your files",), "here: your files")
    assert own.parts == example.parts[:-1]
    assert example.marks == ()


def test_the_strip_names_the_secret_that_a_page_begins_with_where_the_case_has_none() -> None:
    household = Case(unit="household", group=3, ratio=2.0)
    begun = strip_of(household, "plain", page="deployments", chosen={"secret": "value"})
    assert begun.parts == strip_of(household.with_choices(secret="value"), "plain").parts[:-1] + begun.parts[-1:]
    assert begun.parts[1] != strip_of(household, "plain").parts[1]


@pytest.mark.parametrize("case", [Case(), Case(secret="presence", hidden="is in the register", one="pupil")])
def test_the_strip_names_the_secret_that_a_page_of_its_own_question_asks_about(case: Case) -> None:
    theirs = strip_of(case, "plain", page="block", chosen={"asked": "presence"})
    assert theirs.parts[1:3] == strip_of(case, "plain").parts[1:3]
    other = strip_of(case, "plain", page="block", chosen={"asked": "value"})
    assert other.parts[1:3] == ("secret: which value a given person has", "a given person")


def test_a_page_begins_with_the_budget_of_the_case_and_marks_another() -> None:
    from ui.views.explain import FIELDS, ExplainInputs

    begins = {field.name: field.default for field in beginning_with_case(FIELDS, OTHERWISE)}
    assert (begins["guarantee"], begins["epsilon"], begins["prior"]) == ("pure", 0.9, 0.5)
    assert ExplainInputs(epsilon=begins["epsilon"]).trial(OTHERWISE) is None
    assert tried(2.0, "epsilon", OTHERWISE) == CaseBudget(2.0, "epsilon", Source.TRIED)
    assert tried(0.9, "rho", OTHERWISE) == CaseBudget(0.9, "rho", Source.TRIED)
    assert tried(2.0, "epsilon", Case()) == CaseBudget(2.0, "epsilon", Source.TRIED)
    concentrated = Case(ratio=3.0, guarantee="zero_concentrated")
    begins = {field.name: field.default for field in beginning_with_case(FIELDS, concentrated)}
    assert (begins["guarantee"], begins["rho"]) == ("zero_concentrated", 0.077)
    assert beginning_with_case(FIELDS, Case(unit="household")) == FIELDS
    thirds = Case(ratio=3.0, guarantee="approximate", delta=1e-5, releases=3)
    begins = {field.name: field.default for field in beginning_with_case(FIELDS, thirds)}
    assert begins["delta"] == 3.34e-6  # a third of it, as pages print it


def test_positions_that_nobody_drew_are_marked_as_an_examples() -> None:
    marks = strip_of(OTHERWISE, "plain", page="positions").marks
    assert "here: an example" in marks
    drawn = strip_of(OTHERWISE, "plain", page="positions", as_begun=False).marks
    assert set(marks) - set(drawn) == {"here: an example"}
    assert "here: an example" not in strip_of(Case(), "plain", page="positions").marks


def test_noise_begins_with_the_budget_only_while_the_case_has_none() -> None:
    for case, noise in ((Case(ratio=2.0), "geometric"), (Case(ratio=2.0, noise="laplace"), "discrete_gaussian")):
        assert beginning_with_case([case_field("noise")], case)[0].default == noise


def test_a_table_of_districts_is_counted_once_they_are() -> None:
    table = Case(title="School absence", release="table")
    assert "table of districts ·" in strip_of(table, "plain").text
    assert "table of 2 districts ·" in strip_of(table.with_choices(areas=2), "plain").text


def test_what_is_tried_is_said_in_the_short_line_too() -> None:
    trial = CaseBudget(0.5, "epsilon", Source.TRIED)
    assert strip_of(Case(), "plain", trial=trial).short == ("Example", "trying ε = 0.50")
    assert strip_of(Case(), "plain").short == ("Example", "ε = 1.29")


def test_a_row_that_nobody_has_filled_in_is_no_table() -> None:
    case = Case(release="tables", tables=(TableRow(), TableRow(kind="mean")))
    assert " · 0 tables" in strip_of(case, "plain").text
    assert " · 1 table · " in strip_of(case.with_choices(tables=(TableRow("Births"), TableRow())), "plain").text


def test_the_examples_rows_are_no_releases_of_the_examples_budget() -> None:
    example = strip_of(Case(), "plain", page="plan")
    assert example.text.endswith(" · here: an example")
    assert "ε" not in example.text
    planned = strip_of(Case(rows=DEFAULT_LEDGER), "plain", page="plan")
    assert "here: an example" not in planned.marks
    assert strip_of(Case(), "plain", page="publication").parts[-1] == "ε = 1.29"


def test_a_budget_of_several_releases_is_said_to_be_for_each() -> None:
    often = Case(**SCHOOL, ratio=3.0, releases=12).decided(value=0.1, currency="epsilon", by="the board")
    assert "ε = 0.10 for each of 12 releases, decided by the board" in strip_of(often, "plain").text
    published = Case(published="Assistive replies", releases=12)
    assert "for each of" not in strip_of(published, "plain").text


def test_a_large_number_of_districts_has_its_separator() -> None:
    assert "table of 1,000 districts" in strip_of(Case(release="table", areas=1000), "plain").text


@pytest.mark.parametrize(
    ("row", "rounds", "said"),
    [
        (LedgerRow("A", "laplace", "0.1", often="2"), 6, ""),
        (LedgerRow("A", "laplace", "0.1", often="2"), 12, "planned releases sum to more: ε = 2.4"),
        (LedgerRow("A", "gaussian", "0.01"), 1, "planned releases cannot be compared with it"),
        (LedgerRow("A", "approximate", "0.1", "1e-6"), 1, "planned releases cannot be compared with it"),
    ],
)
def test_what_planned_releases_spend_beside_the_budget_is_marked_where_rows_are_typed(
    row: LedgerRow, rounds: int, said: str
) -> None:
    case = Case(ratio=3.0, rows=(row,), rounds=rounds)
    marks = strip_of(case, "plain", page="plan").marks
    assert marks == ((said,) if said else ())
    beside = Memo(MemoInputs(case=case), Style()).planned_beside
    assert beside.replace("**", "").lower() == (f"{said}." if said else "")
