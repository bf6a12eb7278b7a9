"""No document of a case states a budget, target, place or date that is neither in the case nor marked as an example."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from riskline.answers import budget_for_unsure, spent
from riskline.answers.budgets import Terms, implied_by_line
from riskline.case.choices import FIELDS as CASE
from riskline.case.methods import MethodChoice
from riskline.case.releases import DEFAULT_LEDGER, LedgerRow
from riskline.case.tables import HEALTH_YEAR, TableRow
from riskline.case.value import EXAMPLE, Case
from tests.cases import memo_inputs
from tests.memo_words import page_text, slide_texts, word_text
from ui.documents.document import Code, plain_words
from ui.link import scenario
from ui.pictures.style import Style
from ui.views.accuracy import FIELDS as ACCURACY
from ui.views.accuracy import INVENTED as DISTRICTS
from ui.views.memo import FIELDS, MemoInputs, MemoView, memo_view
from ui.views.positions.standing import STARTS
from ui.words.catalogue import VOICES

pytestmark = pytest.mark.usefixtures("white_pictures")
BOARD: dict[str, Any] = {"by": "The board", "date": "12 May 2031", "reason": "It is enough."}
SCHOOL = Case(title="School absence", released="Absence", hidden="was absent more than 20 days", one="pupil")
RATIO = SCHOOL.with_choices(ratio=2.0)
LINED = RATIO.with_choices(areas=38)
CASES = {
    "no line": SCHOOL,
    "a household without a line": Case(unit="household", group=2),
    "not decided": LINED,
    "no limit": SCHOOL.with_choices(line="box", ratio=20.0, low=0.1, high=0.9),
    "decided": LINED.decided(value=0.84, currency="epsilon", **BOARD),
    "decided otherwise": LINED.decided(value=0.5, currency="epsilon", **BOARD),
    "decided for another": LINED.decided(value=0.84, currency="epsilon", **BOARD).with_choices(unit="days", group=3),
    "decided without a line": SCHOOL.decided(value=0.7, currency="epsilon"),
    "of several releases by ρ": Case(guarantee="zero_concentrated", releases=4, unit="household", group=3, ratio=2.5),
    "exact noise, decided smaller": Case(guarantee="zero_concentrated", route="gaussian", ratio=3.0).decided(
        value=0.05, currency="rho"
    ),
    "a method of today": LINED.with_choices(method_today=MethodChoice("cell_key").recorded),
    "a value that moves": Case(secret="value", relation="replace", areas=12, ratio=2.0),
    "published": Case(secret="value", published="2020 Census redistricting data, persons"),
    "tables": RATIO.with_choices(tables=(TableRow("Absent by class", wish="9", areas="38"),)),
    "a plan": RATIO.with_choices(rows=(LedgerRow("Weekly absence", "geometric", "0.01", "", "4"),)),
    "tables that nobody has named": RATIO.with_choices(release="tables"),
    "a plan that nobody has made": RATIO.with_choices(release="plan"),
}
OF_EXAMPLES = {
    *(name for name, *_ in DISTRICTS),
    *(row.name for row in (*HEALTH_YEAR, *DEFAULT_LEDGER)),
    *(name for name, _ in STARTS),
    *("4,012", "4012", "per 1,000", "infant", "Infant", "deaths"),
} - {""}
"""Places, tables, releases, parties and numbers that pages begin with, and nobody's case has."""
OTHER_LINES = ("What we did not take", "Other budgets")
"""The section and slide on lines that were not taken, each with the budget that it would have had."""
CITING = ("Sources", "For a public register")
"""Sections and slides that name published works and budgets by their years."""
BUDGET = re.compile(r"[ερ] = ([0-9][0-9.]*(?:e-?[0-9]+)?)")
YEAR = re.compile(r"(?<![0-9.,])(?:19|20)[0-9]{2}(?![0-9.,]*[0-9])")


@cache
def memo_of(name: str, voice: str = "plain") -> MemoView:
    """The memo of one of the cases; of none, that of an example."""
    return memo_view(memo_inputs(case=CASES[name]) if name else MemoInputs(), Style(voice=voice))


def parts(view: MemoView) -> Iterator[tuple[str, str]]:
    """Sections of the document and slides, each with its heading and its words; the first line and the title first."""
    document = view.document
    yield "", f"{document.title} {document.byline}"
    for section in document.sections:
        alone = type(document)("", "", (section,), "")
        yield section.heading, plain_words(alone)
    yield from slide_texts(view)


def said(case: Case) -> str:
    """Everything that a case says, as text."""
    return " ".join(f"{value}" for value in case.values())


def budgets_of(case: Case) -> set[float]:
    """Budgets that a case has: decided, implied, published; of a release, of all, a count, its rows, unsure readers."""
    found, implied = spent(case), implied_by_line(case)
    values: set[float] = {float(row.budget) for row in case["rows"]} if "rows" in case else set()
    values |= {0.0} if implied is None or implied.value is None else {implied.value}
    if found is not None:
        values |= {found.value, found.value * found.releases, found.of_a_count, found.planned or 0.0}
    if case.line is not None and (unsure := budget_for_unsure(case.line, case.of(Terms))) is not None:
        values.add(unsure)
    return values


def amounts_of_units(case: Case) -> set[float]:
    """What the budget amounts to for more records and releases: the memo's own table, from four in a household."""
    found = spent(case)
    if found is None:
        return set()
    power = 2 if found.by_rho else 1
    own = found.group if case["unit"] in ("records", "days") else 1
    records = {1, found.group, own, 4 * own}
    return {float(one**power * many * found.value) for one in records for many in {1, found.releases}}


def stated(text: str) -> set[float]:
    """The budgets that a text states."""
    return {float(number.rstrip(".")) for number in BUDGET.findall(text)}


def near(value: float, allowed: set[float]) -> bool:
    """Whether a printed number is one of these, rounded as it is printed."""
    return any(abs(value - one) <= 0.006 * abs(one) + 1e-12 for one in allowed)


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("name", CASES)
def test_every_document_states_the_budgets_of_the_case_and_no_other(name: str, voice: str) -> None:
    case = CASES[name]
    view = memo_of(name, voice)
    assert view.refusal is None
    allowed = budgets_of(case)
    for heading, words in parts(view):
        if heading in OTHER_LINES:
            continue
        more = amounts_of_units(case) if heading == "Household and year" else set()
        if heading == "For a public register":  # the line's ε before rounding, and that of one ratio for all
            words = re.sub(r"(ε′ = |unrounded|Strictest ratio everywhere)[^\n]*", "", words)
        found = stated(words.replace(",", ""))
        assert all(near(one, allowed | more) for one in found), (heading, found, allowed | more)
    counted = Counter(BUDGET.findall(plain_words(view.document)))
    assert Counter(BUDGET.findall(page_text(view))) == counted
    assert Counter(BUDGET.findall(word_text(view))) == counted


@pytest.mark.parametrize("name", CASES)
def test_no_document_tells_what_pages_begin_with_as_if_it_were_the_readers(name: str) -> None:
    case = CASES[name]
    view = memo_of(name)
    for words in (page_text(view), word_text(view), *(text for _, text in slide_texts(view))):
        assert {one for one in OF_EXAMPLES if one in words} == set()
    for heading, words in parts(view):
        if heading not in CITING:
            assert {year for year in YEAR.findall(words) if year not in said(case)} <= (
                {"2020", "2021"} if case["published"] else set()  # in its name, and when it was published
            ), heading
    assert not view.answer.startswith("**Example.**")
    marked = memo_of("")
    for words in (page_text(marked), word_text(marked), slide_texts(marked)[0][1]):
        assert "Example." in words


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.line is None and spent(case) is None])
def test_without_a_line_there_is_no_budget_and_no_code(name: str, voice: str) -> None:
    view = memo_of(name, voice)
    for words in (page_text(view), word_text(view), *(text for _, text in slide_texts(view))):
        assert not re.search("[ερ]" if voice == "plain" else "[ερ] ?[=<≤]", words)
    assert not any(isinstance(block, Code) for section in view.document.sections for block in section.blocks)
    assert view.python is None
    assert view.releasing == view.reproducing == ""
    assert view.stated == ()


@pytest.mark.parametrize("name", ["no line", "not decided", "tables"])
def test_what_other_pages_try_is_no_part_of_a_memo(name: str) -> None:
    """A budget, a count, districts, noise and a target that *What it costs* tries."""
    own = {field.name: field.default for field in FIELDS if not field.of_case}
    tried = {field.name: field.default for field in ACCURACY} | {"epsilon": 9.87, "count": 777, "level": 0.6}
    plain = MemoInputs.of(own, CASES[name])
    assert MemoInputs.of(own, CASES[name], {"accuracy": tried}) == plain
    assert MemoInputs.of(own, CASES[name], {"accuracy": tried | {"total": 900, "target": 20.0}}) == plain


@pytest.mark.parametrize("name", CASES)
def test_the_scenario_of_a_case_holds_the_case_and_nothing_else(name: str) -> None:
    case = CASES[name]
    text = scenario.write({}, case)
    assert scenario.read(text).case == case
    held = json.loads(text)
    assert set(held["case"]) == set(case) <= set(CASE)
    assert held["pages"] == {}
    assert json.loads(scenario.write({}, EXAMPLE))["case"] == {}
