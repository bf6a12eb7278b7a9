"""The memo is complete for every kind of scenario, says the views' numbers, and its code lines reproduce them."""

from __future__ import annotations

import contextlib
import html
import io
import json
import math
import random
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from docx import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn

from dpcore.accuracy import noise_with_budget
from dpcore.mechanisms import DiscreteGaussian, Gaussian, noise_kind
from dpcore.privacy_loss import PrivacyLoss
from riskline.case.fields import pairs_of, read_query
from riskline.case.tables import TableRow
from riskline.case.value import Case
from tests.cases import case_of, memo_inputs
from tests.memo_words import page_text, slide_texts, word_text
from tests.read_aloud import unheard
from ui.documents.code_lines import NoiseChoice, release_lines
from ui.documents.document import (
    Code,
    Document,
    Facts,
    Figure,
    Listing,
    Paragraph,
    Row,
    Section,
    plain_words,
    printable,
)
from ui.documents.page import html_page
from ui.documents.word import word_file
from ui.link.case_links import parts_of
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose import ChooseInputs, choose_view
from ui.views.choose.answer import answered
from ui.views.memo import FIELDS, MemoInputs, MemoView, memo_view
from ui.views.memo.brief import alternatives
from ui.views.public import PublicInputs, public_view
from ui.views.shared.room_minutes import OptionVotes, RoomMinutes
from ui.views.shared.strip import strip_of
from ui.words.catalogue import VOICES, label
from ui.words.phrasing import exact_budget
from ui.words.quantities import number_named

POSITIONS, PLANNED = (label("memo", name) for name in ("heading.positions", "tell_plan"))
VOTES = (OptionVotes("one", 3, None), OptionVotes("two", 4, None))
SCENARIOS = {
    "default": "",
    "two beliefs": "secret=both",
    "drawn": "line=drawn&points=0.01~0.25_0.1~0.3_0.5~0.9",
    "twelve releases, rho": "guarantee=zero_concentrated&releases=12&line=increase",
    "household, approximate": "guarantee=approximate&unit=household&group=4&releases=4",
    "sampled value": "secret=value&held=0.05",
    "count, Gaussian": "secret=value&held=0.05&release=count&guarantee=zero_concentrated&route=gaussian",
    "household, integer noise": "guarantee=zero_concentrated&route=discrete_gaussian&unit=household&group=2&releases=3",
    "replaced record": "secret=value&relation=replace&guarantee=approximate",
    "box": "line=box&low=0.05&high=0.2",
    "several records": "unit=records&group=3&secret=value",
}
HEADINGS = (
    "Where it stands",
    "What somebody could learn",
    "Other budgets",
    "Who decided, until when",
    "The line",
    "Household and year",
    "Assumptions and scope",
    "For a public register",
    "Check it yourself",
    "Sources",
)


def memo(query: str, voice: str = "plain", **chosen: Any) -> MemoView:
    return memo_view(memo_inputs(query, **chosen), Style(voice=voice))


def choices_of(query: str) -> ChooseInputs:
    """The line of a link as *Choose a budget* has it."""
    found: ChooseInputs = case_of(query).of(ChooseInputs)
    return found


@pytest.mark.parametrize(
    ("query", "rule", "work", "size"),
    [
        ("releases=3", "ε adds", "Dwork and Roth", "epsilon"),
        ("guarantee=approximate&releases=3", "ε and δ add", "Dwork and Roth", "epsilon"),
        ("guarantee=zero_concentrated&releases=3", "ρ adds", "Bun and Steinke", "rho"),
    ],
)
def test_the_rule_that_added_the_releases_up_has_its_source_in_the_list(
    query: str, rule: str, work: str, size: str
) -> None:
    """Equal shares add up to the whole: basic composition, not the optimal one of Kairouz, Oh and Viswanath."""
    view = memo(query)
    budget = choose_view(choices_of(query), Style()).budget
    assert budget is not None
    assert getattr(budget.total, size) == pytest.approx(3 * getattr(budget.each, size))
    assert getattr(budget.total, "delta", 0.0) == pytest.approx(3 * getattr(budget.each, "delta", 0.0))
    (accounting,) = re.findall("^Accounting (.+)$", view.words, re.MULTILINE)
    assert re.search(rf"3 releases: {rule}(, basic composition)? \({work}, ", accounting)
    (sources,) = [section for section in view.document.sections if section.heading == "Sources"]
    added_up = [
        line for line in plain_words(replace(view.document, sections=(sources,))).splitlines() if "added up" in line
    ]
    assert len(added_up) == 1
    assert work in added_up[0]


def units_of(view: MemoView) -> dict[str, tuple[str, ...]]:
    """The rows of the table of units, by unit."""
    (people,) = [part for part in view.document.sections if part.heading == "Household and year"]
    (table,) = [block for block in people.blocks if isinstance(block, Table) and block.columns[0] == "for"]
    return {str(row[0]): tuple(str(cell) for cell in row[1:]) for row in table.rows}


def test_the_memo_states_the_budget_at_every_unit() -> None:
    """Budget 1.29 from 8 in 100: four records are 5.16, and odds of 8 to 92 times e^5.16 are 93.81 in 100."""
    rows = units_of(memo("", household=4, yearly=2))
    assert rows["one record, one release"] == ("1 × 1", "ε = 1.29", "25 in 100")
    assert rows["one person, a year"] == ("1 × 2", "ε = 2.58", "54 in 100")
    assert rows["a household of 4"] == ("4 × 1", "ε = 5.16", "94 in 100")
    assert rows["a household of 4, a year"][1] == "ε = 10.4"


def test_a_unit_that_repeats_another_is_left_out_and_page_one_tells_the_household() -> None:
    """Once a year, a year of one person is one record; odds of 8 to 92 times e^5.16 are 93.81 in 100."""
    view = memo("", household=4, yearly=1)
    assert list(units_of(view)) == ["one record, one release", "a household of 4"]
    told = "Not protected: what the release teaches about groups. For a household of 4 together: at most 94 in 100."
    assert told in page_one(view)
    replaced = page_one(memo("secret=value&relation=replace", household=30))
    assert "Not protected: who is in the data, and what the release teaches about groups. " in replaced
    assert "For a household of 30 together: nearly certain." in replaced
    assert "For a household" not in page_one(memo("unit=household&group=6", household=4))
    exception = page_one(memo("guarantee=zero_concentrated", household=2))
    assert re.search(r"household of 2 together: at most \d+ in 100, except with a probability of", exception)


def test_page_one_tells_what_the_readers_phrase_stands_for_and_no_page_says_it_otherwise() -> None:
    view = memo("line=cap_or_ratio", hidden="was absent", one="pupil", many="pupils", areas=38)
    told = "Protected is whether a given pupil is in the data; these pages call that “was absent”."
    assert told in page_one(view)
    assert "Protected: whether a given pupil was absent;" in view.words
    assert "a given person" not in view.words
    assert re.search(r"off by more than ± \d+ pupils", page_one(view))


def test_only_what_was_decided_is_headed_so() -> None:
    decided = ("What we decided", "The line we accepted", "What we did not take")
    for case in (Case(), OURS, DECIDED.with_choices(ratio=2.5)):
        view = memo("", case=case)
        headed = {*(one.heading for one in view.document.sections), *(slide.title for slide in view.deck.slides)}
        assert {"Where it stands", "The line", "Other budgets"} <= headed
        assert headed.isdisjoint(decided)
    view = memo("", case=DECIDED)
    assert {one.heading for one in view.document.sections} >= set(decided)
    assert {slide.title for slide in view.deck.slides} >= set(decided[1:])


def test_a_drawn_line_is_told_out_of_a_hundred_where_what_decides_is() -> None:
    drawn = "line=drawn&points=0.001~0.05_0.01~0.1_0.05~0.25_0.2~0.4_0.5~0.75"
    (points,) = (
        block for one in memo(drawn).document.sections for block in one.blocks if "the line accepts" in str(block)
    )
    assert "From **1 in 100** the line accepts up to **10 in 100**" in str(points)
    assert "in 1,000" not in str(points)
    for more in ("", "_0.1~0.7"):  # though three points are not rare
        rare = memo(f"line=drawn&points=0.001~0.002_0.01~0.5{more}_0.5~0.9").document
        assert "From **1 in 1,000** the line accepts up to **2 in 1,000**" in str(rare)


def test_the_units_follow_the_guarantee_and_the_secret() -> None:
    concentrated = units_of(memo("guarantee=zero_concentrated&releases=12&line=increase", household=3))
    each = float(concentrated["one record, one release"][1].removeprefix("ρ = "))
    assert float(concentrated["one record, all releases"][1].removeprefix("ρ = ")) == pytest.approx(12 * each)
    assert float(concentrated["a household of 3"][1].removeprefix("ρ = ")) == pytest.approx(9 * 12 * each, rel=0.02)
    value = units_of(memo("secret=value", household=2))
    assert value["one record, one release"][1:] == ("ε = 0.64", "24 in 100")
    assert value["a household of 2"][1:] == ("ε = 1.28", "53 in 100")  # four changes of .64
    approximate = units_of(memo("guarantee=approximate&unit=household&group=4&releases=4", household=4, yearly=12))
    assert approximate["a household of 4"][2] == "25 in 100"
    assert approximate["a household of 4, a year"][2] == "no bound at δ′ = 0.01"


def test_what_a_person_with_several_records_is_promised_has_its_own_row() -> None:
    rows = units_of(memo("unit=records&group=3", yearly=2))
    assert rows["a given person with 3 records"] == ("3 × 1", "ε = 1.29", "25 in 100")
    assert rows["one person, a year"][0] == "3 × 2"


def test_a_household_or_a_year_is_never_told_less_than_one_of_its_members() -> None:
    """Ten records a person: a household of four owns forty. A year holds the thirty days, a household has them each."""
    records = units_of(memo("unit=records&group=10", household=4))
    assert records["a household of 4"][0] == "40 × 1"
    assert records["a household of 4"][2] == "92 in 100"  # odds of 8 to 92 times e^4.8
    days = units_of(memo("unit=days&group=30", household=4, yearly=12))
    assert days["one person, a year"][0] == "30 × 12"
    assert days["a household of 4"][0] == "120 × 1"
    household = units_of(memo("unit=household&group=6", household=4))
    assert household["a given household of 6"] == ("6 × 1", "ε = 1.26", "24 in 100")


def test_the_memos_own_unit_is_told_with_the_noise_it_names() -> None:
    view = memo("guarantee=zero_concentrated&route=gaussian&unit=household&group=4&releases=12", household=4)
    assert units_of(view)["a household of 4"][2] == "25 in 100"
    assert "memo's own row continuous Gaussian noise, against somebody who knows everyone else's" in view.words


def test_tables_of_beliefs_name_their_exception() -> None:
    words = memo("guarantee=zero_concentrated&failure=0.0149").words
    assert (
        words.count(", except with a probability of 2 in 100") >= 5
    )  # person, not taken, three points, picture, units
    assert "One record changes a count by at most 1." in words


def test_what_all_releases_spend_is_what_each_spends_times_their_number() -> None:
    view = memo("guarantee=zero_concentrated&route=discrete_gaussian&releases=12")
    each = float(units_of(view)["one record, one release"][1].removeprefix("ρ = "))
    told = re.search(r"All together\W+ρ = ([\d.]+)", view.words)
    assert told is not None
    assert float(told[1]) == pytest.approx(12 * each, rel=1e-6)


def test_a_cap_is_told_as_it_was_typed() -> None:
    assert "Any belief may rise up to 125 in 1,000" in memo("cap=0.125").words


@pytest.mark.parametrize("query", SCENARIOS.values(), ids=SCENARIOS)
def test_a_memo_has_every_section_and_the_numbers_of_the_views(query: str) -> None:
    view = memo(query)
    assert view.refusal is None
    assert tuple(section.heading for section in view.document.sections) == HEADINGS
    seen = choose_view(choices_of(query), Style(voice="technical"))
    assert seen.answer.replace("**", "") in view.words
    assert seen.budget is not None
    assert exact_budget(seen.budget.recommended_each) in view.answer
    figures = [
        block for section in view.document.sections for block in flat(section.blocks) if isinstance(block, Figure)
    ]
    assert [figure.drawing.key for figure in figures] == [
        "people",
        "districts",
        "map" if "both" in query else "profile",
    ]
    if "both" not in query:
        assert json.dumps(figures[2].drawing.specification).count(', in 100"') >= 2  # both axes count people
    page = page_one(view).replace(view.address, "")
    assert not re.search(r"posterior|prior\b|Theorem|neighbour|differential privacy|relation", page)
    prose = view.words.replace(view.reproducing, "").replace(view.releasing, "")
    assert not re.search(r"\b(eps|epsilon|rho|delta)\b", prose)


def flat(blocks: tuple[Any, ...]) -> list[Any]:
    """Blocks, those of a row one after the other."""
    return [one for block in blocks for one in (flat(sum(block.cells, ())) if isinstance(block, Row) else [block])]


def printed_by(code: str) -> list[float]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    return [float(line) for line in out.getvalue().split()]


REPLACED_TOGETHER = "secret=value&relation=replace&unit=records&group=3&guarantee=zero_concentrated&release=count"


@pytest.mark.parametrize(
    "query", [*SCENARIOS.values(), "line=constant&ratio=1", "line=box&low=0.5&high=0.9", REPLACED_TOGETHER]
)
def test_the_lines_for_dpcore_print_what_their_comments_say(query: str) -> None:
    view = memo(query)
    said = [float(number) for number in re.findall(r"^print.*# (\S+)$", view.reproducing, re.MULTILINE)]
    assert said
    assert printed_by(view.reproducing) == pytest.approx(said, rel=1e-5)


def test_the_lines_for_dpcore_hold_the_promise_of_the_memo() -> None:
    scope: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(memo(REPLACED_TOGETHER).reproducing, scope)
    total = scope["chosen"].total
    assert (total.relation.value, scope["chosen"].group) == ("replace", 3)


def test_the_lines_for_dpcore_print_the_numbers_of_the_memo() -> None:
    view = memo("")
    seen = choose_view(ChooseInputs(), Style())
    assert seen.budget is not None
    said = printed_by(view.reproducing)
    assert said[:3] == pytest.approx([1.29, 1.29, seen.budget.answer.epsilon])
    assert said[4] == pytest.approx(seen.budget.answer.binding.prior)  # type: ignore[union-attr]
    assert f"± {said[6]:.0f}" in view.words


@pytest.mark.parametrize(
    ("query", "noise", "drawn"),
    [
        ("", "", "geometric"),
        ("ratio=3", "laplace", "laplace"),
        ("guarantee=zero_concentrated", "", "discrete_gaussian"),
        ("guarantee=zero_concentrated", "gaussian", "gaussian"),
        ("guarantee=zero_concentrated&route=gaussian", "", "gaussian"),
        ("guarantee=zero_concentrated&route=discrete_gaussian", "discrete_gaussian", "discrete_gaussian"),
        ("guarantee=approximate&releases=4", "", "geometric"),
    ],
)
def test_the_lines_for_opendp_release_the_noise_of_the_memo(query: str, noise: str, drawn: str) -> None:
    pytest.importorskip("opendp")
    view = memo(query, **({"noise": noise} if noise else {}))
    scope: dict[str, object] = {}
    exec(view.releasing, scope)  # the assertion in it holds the budget
    assert view.noise is not None
    assert view.noise.kind == drawn
    law = noise_with_budget(view.noise.budget, view.noise.kind)
    count, whole = scope["count"], view.noise.kind in ("geometric", "discrete_gaussian")
    size = 1000
    error = np.array([count(200 if whole else 200.0) - 200 for _ in range(size)], dtype=float)  # type: ignore[operator]
    edges = np.unique(np.round(np.array([-1.5, -0.7, -0.2, 0.2, 0.7, 1.5]) * law.std)) + 0.5
    expected = np.diff(np.r_[0.0, np.asarray(law.cdf(edges)), 1.0])
    found = np.diff(np.r_[0.0, np.searchsorted(np.sort(error), edges, side="right") / size, 1.0])
    # six standard errors of each of a handful of bins: about one false alarm in a million runs
    assert (np.abs(found - expected) <= 6 * np.sqrt(expected * (1 - expected) / size)).all()


ROUTE_NOISE = {"gaussian": Gaussian, "discrete_gaussian": DiscreteGaussian}


@pytest.mark.parametrize("route", ["gaussian", "discrete_gaussian", "direct", "published"])
def test_the_scale_of_the_opendp_lines_keeps_the_budget_for_the_noise_they_draw(route: str) -> None:
    """For many lines the noise as written, at its rounded scale, breaks the promise no more often than it says."""
    dice = random.Random(route)
    for _ in range(3):  # each makes a memo; `test_opendp_scales` tries hundreds of scales
        choices = ChooseInputs(
            cap=dice.uniform(0.05, 0.9),
            ratio=dice.uniform(1.2, 8),
            guarantee="zero_concentrated",
            route=route,
            failure=math.exp(dice.uniform(math.log(1e-4), math.log(0.2))),
            releases=dice.choice([1, 1, 2, 5, 30]),
            unit="household",
            group=dice.choice([1, 1, 2, 4]),
        )
        noise = "" if route in ROUTE_NOISE else dice.choice(["gaussian", "discrete_gaussian"])
        line = vars(choices.line_choice) | vars(choices.terms) | ({"noise": noise} if noise else {})
        view = memo_view(MemoInputs(Case(**line)), Style())
        assert view.noise is not None
        scale = float(re.search(r"scale=([\d.e+-]+)\)", view.releasing)[1])  # type: ignore[index]
        whole = "T=int" in view.releasing
        assert view.noise.kind == ("discrete_gaussian" if whole else "gaussian")
        if route in ROUTE_NOISE:
            assert view.noise.kind == route
        law = ROUTE_NOISE[view.noise.kind](rho=choices.group**2 / (2 * scale**2), sensitivity=choices.group)
        answer = answered(choices, Style())
        failing = PrivacyLoss.of(law, choices.releases).exceedance(answer.implied.epsilon, direction="either")
        assert failing <= choices.failure, (choices, view.noise)


def test_the_opendp_lines_say_for_which_noise_the_budget_holds() -> None:
    asked = "guarantee=zero_concentrated&route="
    assert "certified for this integer noise at this scale" in memo(asked + "discrete_gaussian").releasing
    assert "holds for this continuous noise, not for integer noise" in memo(asked + "gaussian").releasing
    assert "# the budget" not in memo(asked + "direct").releasing
    assert "verified at the ρ of each and this group" in memo(asked + "discrete_gaussian").words
    assert "with continuous Gaussian noise" in memo(asked + "gaussian").words
    with pytest.raises(ValueError, match="noise must be the one the budget holds for, 'gaussian'; got 'discrete_gau"):
        release_lines(NoiseChoice("discrete_gaussian", 0.12, 0.95), releases=1, holds_for="gaussian")


def test_the_memo_of_one_plain_count_compares_like_with_like() -> None:
    assert "Strictest ratio everywhere ε = 1.09" in memo("secret=both&release=count").words


@pytest.mark.parametrize("query", ["line=box&low=0.9&high=0.1", "secret=both&guarantee=approximate"])
def test_a_refused_line_gives_a_memo_that_says_why(query: str) -> None:
    view = memo(query, title="Nothing")
    seen = choose_view(choices_of(query), Style())
    assert seen.refusal is not None
    assert view.refusal == seen.refusal
    assert seen.refusal in view.words
    assert not any(isinstance(block, Code) for section in view.document.sections for block in section.blocks)
    assert seen.refusal.split(";")[0][:20] in html_page(view.document)
    assert unheard(word_file(view.document)) == []


@pytest.mark.parametrize("query", ["line=constant&ratio=1", "line=box&low=0.5&high=0.9"])
def test_a_line_without_a_budget_gives_a_memo_without_noise(query: str) -> None:
    view = memo(query)
    assert view.refusal is None
    assert view.releasing == ""
    assert "districts" not in view.words
    assert "±" not in view.words


def test_what_a_reader_typed_is_text_in_the_page_and_in_word() -> None:
    bad = '<script>alert(1)</script> & "quotes" **\x00\x0b'
    typed = ("title", "office", "author", "date", "released", "reasons", "hidden", "one", "until")
    decided = Case(ratio=2.0).decided(value=0.9, currency="epsilon", by=bad, date=bad, reason=bad)
    view = memo("", case=decided, **dict.fromkeys(typed, bad))
    page = html_page(view.document)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 12
    assert unheard(word_file(view.document)) == []
    blocks = Paragraph(bad), Listing((bad,)), Code(bad), Facts(((bad, bad),))
    page = html_page(Document(bad, bad, (Section(bad, blocks),), bad))
    assert page == printable(page)
    assert page != html.unescape(page)


def test_the_page_asks_no_other_host_for_anything() -> None:
    page = html_page(memo("").document)
    assert page.count('src="data:image/svg+xml;base64,') == 3
    assert not re.search(r"(?:src|href)=.(?!#|data:image/svg)|@import|url\((?!#)", page)


@pytest.mark.parametrize("query", ["", "secret=both"])
def test_a_printed_memo_has_its_link_under_the_address_of_its_reader(query: str) -> None:
    view = memo(query, title="Ours", until="2030")
    printed = view.printed_at("https://riskline.example/office/")
    assert f'<a href="https://riskline.example/office/{html.escape(view.address)}">This memo</a>' in html_page(printed)
    assert "https://" not in plain_words(printed)  # nobody types it: its letters filled half a side
    assert plain_words(printed) == view.words.replace(f"This memo: {view.address}", "This memo")
    assert view.printed_at("") == view.document
    alone = html_page(view.printed_at("http://127.0.0.1:8501/"))
    assert f'<a href="http://127.0.0.1:8501/{html.escape(view.address)}">This memo</a>' in alone
    codes = html_page(printed).count('src="data:image/svg') - alone.count('src="data:image/svg')
    assert codes == (view.refusal is None)
    assert view.shown_at("http://127.0.0.1:8501/").slides[-1].square is None
    assert (view.shown_at("https://riskline.example/").slides[-1].square is None) is (view.refusal is not None)


def test_the_link_of_a_memo_leads_back_to_its_case_and_its_own_fields() -> None:
    inputs = memo_inputs("line=constant&ratio=2", title="Ours", until="2030", room=RoomMinutes(None, "x", VOTES))
    pairs = pairs_of(memo_view(inputs, Style()).address.partition("?")[2])
    parts = parts_of("memo", FIELDS, pairs)
    own = read_query([field for field in FIELDS if not field.of_case], dict(parts.own)).values
    assert parts.case.case is not None
    assert MemoInputs.of(own, parts.case.case) == inputs


@pytest.mark.parametrize(
    ("cap", "words"),
    [
        (
            0.1,
            [
                "up to 5 in 100 or at most 3 times",
                "up to 20 in 100 or at most 3 times",
            ],
        ),
        (
            0.475,
            [
                "up to 23 in 100 or at most 3 times",
                "up to 95 in 100 or at most 3 times",
            ],
        ),
        (
            0.6,
            [
                "up to 30 in 100 or at most 3 times",
                "up to 95 in 100 or at most 3 times",
            ],
        ),
    ],
)
def test_other_caps_are_half_and_twice_as_high_up_to_the_end_of_the_slider(cap: float, words: list[str]) -> None:
    assert [said for said, _ in alternatives(ChooseInputs(cap=cap)) if "or at most" in said] == words


def not_taken(view: MemoView) -> dict[str, tuple[str, ...]]:
    """The rows of what was not taken, by their names; the heads under none."""
    (section,) = (one for one in view.document.sections if one.heading in ("What we did not take", "Other budgets"))
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    return {str(row[0]): tuple(map(str, row[1:])) for row in (table.columns, *table.rows)}


def test_more_protection_and_more_accuracy_stand_beside_what_was_taken_with_the_same_two_numbers() -> None:
    """Odds of 8 to 92 times e^ε; a count is exactly right with (1 - r)/(1 + r), r = e^-ε."""
    rows = not_taken(memo(""))
    assert rows[""] == ("More protection", "This budget", "More accuracy")
    assert rows["Budget"] == ("ε = 1.18", "ε = 1.29", "ε = 1.60")
    budgets = [1.18, 1.29, 1.6]
    odds = [math.exp(epsilon) * 8 / 92 for epsilon in budgets]
    reached = tuple(f"{math.ceil(100 * one / (1 + one))} in 100" for one in odds)
    assert rows["From 8 in 100, at most"] == reached == ("23 in 100", "25 in 100", "31 in 100")
    right = [(1 - math.exp(-epsilon)) / (1 + math.exp(-epsilon)) for epsilon in budgets]
    assert rows["Count right"] == tuple(f"{round(100 * one)} of 100" for one in right)


def test_a_budget_that_is_not_the_lines_stands_beside_the_lines_own() -> None:
    rows = not_taken(memo("", case=DECIDED.with_choices(areas=10).decided(value=0.9, currency="epsilon")))
    assert rows[""] == ("This budget", "More accuracy")
    assert rows["Line"] == ("as it stands", "the line's own")
    assert rows["Budget"] == ("ε = 0.90", "ε = 1.29")
    assert rows["From 8 in 100, at most"] == ("18 in 100", "25 in 100")


def test_the_lines_for_dpcore_print_what_all_releases_spend_together() -> None:
    """The total of the line, 1.09, is split into three of 0.36 rounded down: they spend 1.08."""
    view = memo("secret=both&releases=3")
    each = float(view.reproducing.partition("print(chosen.recommended_each)  # ")[2].split()[0])
    assert f"print(round(3 * chosen.recommended_each, 15))  # {round(3 * each, 15)}" in view.reproducing
    assert "recommended_total" not in view.reproducing


def test_the_units_of_plain_counts_are_not_said_to_hold_for_any_release() -> None:
    """Of two counts whose difference is published a moved value changes more than of one plain count."""
    count, anything = "secret=both&release=count&guarantee=zero_concentrated&route=gaussian", "secret=both"
    assert "; any release" not in memo(count).words
    assert "; one plain count in each release" in memo(count).words
    assert "; any release" in memo(anything).words


def page_one(view: MemoView) -> str:
    """The words of the brief: what stands before the second part."""
    until = next(at for at, section in enumerate(view.document.sections) if section.part)
    return plain_words(replace(view.document, sections=view.document.sections[:until]))


def first_line(case: Case, voice: str = "plain", **chosen: Any) -> str:
    """What stands above everything else in the document, on the first slide and on the page."""
    view = memo_view(memo_inputs(case=case, **chosen), Style(voice=voice))
    (lead,) = (block.text for block in view.document.sections[0].blocks if isinstance(block, Paragraph))
    assert lead.startswith(view.answer.partition(" Still missing: ")[0])
    assert view.deck.slides[0].sentence.startswith(view.answer.partition(" Still missing: ")[0])
    return view.answer.replace("**", "")


OURS = Case(ratio=3.0, released="Births")
DECIDED = OURS.decided(value=0.9, currency="epsilon", by="the board", date="12 May", reason="It is enough.")


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize(
    ("case", "begins", "says"),
    [
        (Case(), "Example.", ""),
        (OURS, "Draft.", "implies ε = 1.29"),
        (OURS.with_choices(line="box", ratio=20.0, low=0.1, high=0.9), "Draft.", "no limit"),
        (DECIDED, "Decided 12 May by the board:", "ε = 0.90"),
        (DECIDED.with_choices(ratio=4.0), "Draft. ε = 0.90 was decided 12 May by the board, ", "case"),
        (Case(secret="value", published="Recurve energy, corrected"), "As published: ε = 4.72", "Recurve"),
    ],
)
def test_the_first_line_says_whether_anything_was_decided(case: Case, begins: str, says: str, voice: str) -> None:
    found = first_line(case, voice)
    assert found.startswith(begins)
    assert says in found


def test_the_presence_of_a_census_that_replaces_records_is_refused_in_plain_words() -> None:
    case = Case(published="2020 Census redistricting data, persons")
    memo, public = memo_view(memo_inputs(case=case), Style()), public_view(PublicInputs(case=case), Style())
    for refusal in (memo.refusal, public.refusal):
        assert refusal is not None
        assert refusal.startswith("Replacing a record does not hide who is in the data")
        assert "'" not in refusal


def test_a_published_budget_is_its_publishers_and_says_nothing_of_the_readers_own_count() -> None:
    case = Case(secret="value", published="2020 Census redistricting data, persons", office="The county")
    view = memo("", case=case)
    for said in (page_text(view), word_text(view), "\n".join(text for _, text in slide_texts(view))):
        assert "US Census Bureau, 2021" in said
        assert not re.search("Decided by|missing|One count alone|Still missing|The line is", said)
    assert "The line is a judgement." in page_text(memo("", case=OURS))
    assert "Whose budget" in [title for title, _ in slide_texts(view)]
    assert view.releasing == ""
    assert "noise_with_budget" not in view.reproducing


@pytest.mark.parametrize(("by", "told"), [("The board", "decided 12 May by The board"), ("", "decided 12 May")])
def test_a_decision_beside_a_published_budget_is_told_as_unused(by: str, told: str) -> None:
    case = Case(secret="value", ratio=2.0).decided(value=0.5, currency="epsilon", by=by, date="12 May")
    case = case.with_choices(published="2020 Census redistricting data, persons")
    for claimed, then in ((False, ""), (True, " The link or file says so.")):
        view = memo_view(memo_inputs(case=case, claimed=claimed), Style())
        assert view.answer.endswith(f"(2020 Census redistricting data, persons). Unused: **ε = 0.50**, {told}.{then}")
        assert "link" not in public_view(PublicInputs(case=case, claimed=claimed), Style()).decided
        assert not any("link" in mark for mark in strip_of(case, "plain", claimed=claimed).marks)


def test_stars_in_a_name_leave_the_marks_of_the_sentence_alone() -> None:
    case = Case(ratio=2.0, released="Births").decided(value=0.5, currency="epsilon", by="A ** B", date="*12* May")
    view = memo_view(memo_inputs(case=case, until="2030"), Style())
    assert view.answer == "**Decided** ∗12∗ May by A ∗∗ B: **ε = 0.50**."
    assert "<strong>Decided</strong> ∗12∗ May by A ∗∗ B: <strong>ε = 0.50</strong>" in html_page(view.document)
    told = public_view(PublicInputs("2*0", case=case), Style()).decided
    assert told == "**Decided:** ∗12∗ May, by A ∗∗ B, until 2∗0."


@pytest.mark.parametrize(
    ("ratio", "words"), [(3.0, "The line allows only ε = 1.29."), (300.0, "The line allows ε = 5.99.")]
)
def test_only_a_line_that_allows_less_than_was_published_allows_only_that(ratio: float, words: str) -> None:
    case = Case(published="Assistive replies", ratio=ratio)
    assert f"As published: ε = 4.00, δ = 1e-7 (Assistive replies). {words}" in page_text(
        memo_view(MemoInputs(case=case), Style())
    )


@pytest.mark.parametrize("decided", [{"value": 0.3, "currency": "epsilon"}, {"value": 0.1, "currency": "rho"}])
def test_why_there_is_no_memo_is_told_without_marks(decided: dict[str, Any]) -> None:
    """It is shown as it stands, for a reader's words may be in it."""
    case = Case(ratio=3.0, noise="gaussian" if decided["currency"] == "epsilon" else "laplace").decided(**decided)
    refusal = memo_view(MemoInputs(case=case), Style()).refusal
    assert refusal is not None
    assert "*" not in refusal


def test_the_first_line_says_what_is_missing_until_it_is_filled() -> None:
    assert first_line(Case(ratio=2.0)).endswith("Still missing: an end date, what is released.")
    assert first_line(OURS).endswith("Still missing: an end date.")
    nobody = OURS.decided(value=0.9, currency="epsilon")
    unnamed = "Nobody is named. Still missing: who decided, the date."
    assert first_line(nobody, until="2030").endswith(unnamed)
    assert "missing" not in first_line(DECIDED, until="2030")
    filled = page_one(memo("", case=DECIDED, until="2030"))
    assert "Decided by the board" in filled
    assert "It is enough." in filled
    assert "missing" not in filled
    assert "missing" not in first_line(Case())


@pytest.mark.parametrize(
    ("described", "told"),
    [
        ({"release": "count"}, "one count"),
        ({"areas": 38}, "table of 38 districts"),
        ({"tables": (TableRow("Deaths"), TableRow("Ages"))}, "2 tables"),
        ({"release": "tables"}, ""),
        ({"release": "table"}, ""),
        ({"title": "Births"}, ""),
    ],
)
def test_what_the_case_describes_as_released_is_not_missing(described: dict[str, Any], told: str) -> None:
    case = Case(ratio=3.0, **described)
    assert ("what is released" in first_line(case)) == (not told)
    assert f"What is released {told or 'missing'}" in page_one(memo("", case=case))


@pytest.mark.parametrize("released", ["", "Births"])
@pytest.mark.parametrize("until", ["", "2030"])
def test_what_a_brief_calls_missing_its_first_sentence_names(released: str, until: str) -> None:
    case = Case(ratio=3.0, released=released)
    (lead,) = (
        block.text for block in memo_view(memo_inputs(case=case, until=until), Style()).document.sections[0].blocks
    )
    brief = page_one(memo("", case=case, until=until))
    for name, head, text in (("what is released", "What is released", released), ("an end date", "Holds until", until)):
        assert (f"{head} missing" in brief) == (name in lead) == (not text)


def test_a_decision_that_came_with_a_link_is_told_as_its_claim() -> None:
    assert "link or file" not in first_line(DECIDED)
    assert "link or file" in first_line(DECIDED, claimed=True)
    assert "link or file" not in first_line(OURS, claimed=True)


def errors_of(mechanism: Any, reach: int) -> dict[int, float]:
    """The law of the error of a count published as a whole number, from the law of the noise."""
    errors = np.arange(-reach, reach + 1)
    chances = np.asarray(mechanism.cdf(errors + 0.5)) - np.asarray(mechanism.cdf(errors - 0.5))
    return dict(zip(errors.tolist(), chances.tolist(), strict=True))


@pytest.mark.parametrize(
    ("query", "noise"),
    [
        ("ratio=3", "geometric"),
        ("ratio=3", "laplace"),
        ("guarantee=zero_concentrated", "gaussian"),
        ("guarantee=zero_concentrated&releases=3", "discrete_gaussian"),
    ],
)
def test_districts_off_by_more_are_counted_by_the_law_of_the_noise(query: str, noise: str) -> None:
    """Of 1,000 districts as many as the probabilities of all larger errors say, one by one."""
    view = memo(query, noise=noise, areas=1000)
    found = re.search(
        r"on average ([\d.,]+) are exactly right and ([\d.,]+) off by more than ± (\d+) people", page_one(view)
    )
    assert found is not None
    assert view.noise is not None
    law = errors_of(noise_with_budget(view.noise.budget, view.noise.kind), 400)
    right, off, wide = (float(number.replace(",", "")) for number in found.groups())
    assert off == pytest.approx(1000 * sum(chance for k, chance in law.items() if abs(k) > wide), rel=0.06)
    assert right == pytest.approx(1000 * law[0], rel=0.06)
    assert sum(chance for k, chance in law.items() if abs(k) <= wide) >= view.noise.level


def test_one_count_is_too_far_off_no_more_often_than_is_said_and_drawn() -> None:
    """Geometric noise of ε = 1.29 is off by more than 2 with 2a³/(1 + a), a = e^-1.29: 3.27 of 100 times, said as 4."""
    ratio = math.exp(-1.29)
    assert 0.03 < 2 * ratio**3 / (1 + ratio) < 0.033
    view = memo("ratio=3")
    assert "exactly right 57 of 100 times, off by more than ± 2 people at most 4 of 100 times." in page_one(view)
    assert view.noise_said == ("± 2", "at least 96 of 100 times")


def test_only_a_table_of_districts_says_what_its_numbers_stand_on() -> None:
    assert "District numbers" not in memo("ratio=3").words
    assert "District numbers are rounded averages" in memo("ratio=3", areas=38).words


def test_the_readers_own_reasons_stand_under_what_was_not_taken() -> None:
    (section,) = (one for one in memo("", reasons="Too late.").document.sections if one.heading == "Other budgets")
    assert section.blocks[-1] == Paragraph("Too late.")


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("query", ["", "secret=both", "secret=value&relation=replace", "line=box&low=0.5&high=0.9"])
def test_the_memo_says_the_secret_in_the_readers_own_phrase(query: str, voice: str) -> None:
    usual, own = memo(query, voice), memo(query or "line=cap_or_ratio", voice, hidden="has **Fabry** disease.")
    words = choices_of(query).words(voice)
    formal = {"Protected:", "Secret", "these pages call that"}
    lines = [line for line in own.words.splitlines() if not any(start in line for start in formal)]
    told = [name for name in ("secret", "that") if any(words[name] in line for line in lines)]
    assert told == []
    assert "**" not in own.words
    said = max(usual.words.count(words[name]) for name in ("secret", "that"))
    assert own.words.count("has Fabry disease") >= said >= 2
    assert "of the whether" not in own.words


def test_the_word_file_keeps_a_budget_on_its_line_and_its_title_clear_of_the_bands_edge() -> None:
    word = WordDocument(io.BytesIO(word_file(memo("").document)))
    words = " ".join(paragraph.text for paragraph in word.paragraphs)
    assert "implies ε\u00a0=\u00a01.29." in words
    byline, title = word.paragraphs[:2]
    for band in (byline, title):
        edges = band._p.pPr.find(qn("w:pBdr"))
        assert [edge.get(qn("w:space")) for edge in edges] == ["6"] * 4
        assert {edge.get(qn("w:color")) for edge in edges} == {band._p.pPr.find(qn("w:shd")).get(qn("w:fill"))}


def test_letters_from_right_to_left_have_the_size_and_the_weight_of_those_beside_them() -> None:
    case = Case(title="היעדרות", ratio=3.0).decided(value=1.0, currency="epsilon", by="הועדה", date="12 במאי")
    word = WordDocument(io.BytesIO(word_file(memo_view(memo_inputs(case=case), Style()).document)))
    runs = [run._r for paragraph in word.paragraphs for run in paragraph.runs]
    ours = [one.rPr for one in (*runs, *(word.styles[name].element for name in ("Normal", "Heading 1", "Heading 2")))]
    for alone, of_complex, number in (("w:sz", "w:szCs", 20), ("w:b", "w:bCs", 40)):
        found = [each for each in ours if each is not None and each.find(qn(alone)) is not None]
        pairs = [(each.find(qn(alone)), each.find(qn(of_complex))) for each in found]
        assert len(pairs) > number
        assert all(beside is not None and one.get(qn("w:val")) == beside.get(qn("w:val")) for one, beside in pairs)


def test_the_word_file_has_links_page_numbers_and_the_authors_name() -> None:
    printed = memo("", author="A. Clerk", title="Ours").printed_at("https://riskline.example/")
    word = WordDocument(io.BytesIO(word_file(printed)))
    targets = [part.target_ref for part in word.part.rels.values() if part.reltype == RELATIONSHIP_TYPE.HYPERLINK]
    assert targets == [f"https://riskline.example/{memo('', author='A. Clerk', title='Ours').address}"]
    assert len(word.element.body.findall(f".//{qn('w:hyperlink')}")) == 1
    fields = [part.get(qn("w:instr")) for part in word.sections[0].footer._element.iter(qn("w:fldSimple"))]
    assert fields == ["PAGE", "NUMPAGES"]
    assert (word.core_properties.title, word.core_properties.author) == ("Ours", "A. Clerk")
    page = html_page(printed)
    assert '<a href="https://riskline.example/memo?case=own&amp;title=Ours&amp;author=A.+Clerk">This memo</a>' in page
    assert '<meta name="author" content="A. Clerk">' in page
    assert "<a " not in html_page(memo("").document)  # no link to nowhere


def _minutes(positions: str, choices: str = "", voice: str = "plain") -> tuple[str, dict[str, tuple[object, ...]]]:
    """The sentences of the minutes, and each position's row."""
    view = memo(choices, voice, positions=positions)
    (section,) = (one for one in view.document.sections if one.heading == POSITIONS)
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    words = " ".join(block.text for block in section.blocks if isinstance(block, Paragraph))
    return words, {str(row[0]): row[1:] for row in table.rows}


def test_the_minutes_say_whose_line_is_drawn() -> None:
    words, rows = _minutes("parties=4&name1=Mayor&line4=box&ratio4=20&low4=0.1&high4=0.9&name4=Press", "ratio=3")
    assert "**4** positions." in words
    assert "The line of **Mayor** is drawn." in words
    assert rows["Mayor"] == ("ε = 1.29", "8 in 100")
    assert rows["Advocates"][0] == "ε = 0.69"
    assert rows["Data users"][0] == "ε = 1.69"
    assert rows["Press"] == ("no limit", "–")


def test_a_line_of_its_own_is_nobodys_and_positions_nobody_compared_have_no_minutes() -> None:
    words, _ = _minutes("parties=2", "ratio=2.5")
    assert "None is drawn." in words
    for unused in ("", "unit=household&group=2"):
        view = memo(unused, positions=unused)
        assert POSITIONS not in view.words


def test_positions_without_a_line_are_told_in_a_draft_without_a_budget() -> None:
    """0.3 made a memo of ε = 1.29 for one person of positions of a household, 0.64, 0.34 and 0.84."""
    words, rows = _minutes("unit=household&group=2&parties=3&name1=Mayor")
    assert [row[0] for row in rows.values()] == ["ε = 0.64", "ε = 0.34", "ε = 0.84"]
    assert "None is drawn." in words
    view = memo("", positions="unit=household&group=2&parties=3&name1=Mayor")
    assert view.answer.startswith("**Draft.** No line is drawn")
    assert "1.29" not in view.words
    assert "a given household of 2" in view.words
    assert view.reproducing == view.releasing == ""


def test_the_minutes_name_parties_as_text_and_the_memo_says_that_its_link_lacks_them() -> None:
    view = memo("", positions="parties=2&name1=**Mayor**")
    _, rows = _minutes("parties=2&name1=**Mayor**")
    assert "∗∗Mayor∗∗" in rows
    assert view.notice == "Only the scenario file holds Compare positions."
    assert view.notice in view.words
    assert "Mayor" not in view.address


DAILY = "rows=g~0.01~1~~Daily"


def _planned(plan: str, voice: str = "plain", **chosen: Any) -> Section:
    view = memo("", voice, plan=plan, **chosen)
    (section,) = (one for one in view.document.sections if one.heading == PLANNED)
    return section


def _sentences(section: Section) -> str:
    return plain_words(Document("", "", (section,), ""))


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        # thesis, Example 7: daily counts of ρ = 0.01; the log odds of 99 in 100 are ln 99 = 4.595, and on day t their
        # largest shift in 99 of 100 cases is t/100 + 2.3263 √(t/50): 4.576 on day 111, 4.602 on day 112
        (f"{DAILY}&rounds=60", "day 112"),
        # at ε = 0.5 a release 0.5·3 = 1.5 > ln 3 = 1.0986 ≥ 0.5·2: two rounds keep a cap of 75 in 100 by plain addition
        ("rows=p~0.5~1&cap=0.75&every=year&rounds=2&failure=1e-9&delta=1e-9", "year 2"),
    ],
)
def test_the_plan_says_when_its_promise_breaks_or_until_when_it_holds(plan: str, told: str) -> None:
    assert told in _sentences(_planned(plan))


def test_the_plan_has_its_rows_with_noise_budget_and_share() -> None:
    """12 · 0.01 of 12 · 0.01 + ½ · 0.3² = 0.165 is 72.7 %; σ is 1/√0.02, and 1.96 of them are 13.86."""
    section = _planned("rows=g~0.01~12~~**Monthly**!n~0.3~1!a~0.1~1~1e-6")
    _, table = (block for block in section.blocks if isinstance(block, Table))
    assert [row[:4] for row in table.rows] == [
        ("∗∗Monthly∗∗", "Gaussian noise (ρ)", "ρ = 0.01", "12"),
        ("geometric noise (ε)", "geometric noise (ε)", "ε = 0.3", "1"),
        ("any mechanism, (ε, δ)", "any mechanism, (ε, δ)", "ε = 0.1, δ = 1e-06", "1"),
    ]
    assert table.rows[0][4] == "± 13.9"
    _, table = (block for block in _planned("rows=g~0.01~12!n~0.3~1").blocks if isinstance(block, Table))
    assert table.rows[0][5] == "72.7 %"


def test_a_plan_of_many_different_releases_is_told_by_its_bound() -> None:
    few, many = ("!".join(f"d~0.0{size}~1" for size in range(1, 1 + rows)) for rows in (3, 4))
    assert "A limit for any release" not in _sentences(_planned(f"rows={few}"))
    told = _sentences(_planned(f"rows={many}"))
    assert "A limit for any release with these budgets" in told


def test_a_plan_is_told_where_somebody_planned_it() -> None:
    for unplanned in (
        memo(""),
        memo("ratio=2"),
        memo("ratio=2", plan=DAILY, tell_plan=False),
        memo("ratio=2", plan="rounds=60"),
    ):
        assert PLANNED not in [section.heading for section in unplanned.document.sections]
    unnamed = memo("ratio=2", release="plan")
    assert PLANNED not in unnamed.words
    assert unnamed.answer.endswith("what is released, which releases.")


def test_the_plan_is_told_about_the_case() -> None:
    own = _sentences(_planned(f"{DAILY}&rounds=60", hidden="is ill"))
    assert "that a given person is ill" in own
    other = _sentences(_planned(f"{DAILY}&unit=household&group=4", hidden="is ill"))
    assert "that a given household of 4 is ill" in other


def test_a_plan_too_long_or_refused_is_told_and_not_computed() -> None:
    section = _planned("rows=" + "!".join(["d~0.1~1"] * 21))
    assert "21 rows: see Several releases" in _sentences(section)
    assert len(section.blocks) == 1
    assert "No answer: Row 1: the budget must be a number; got 'many'." in _sentences(_planned("rows=p~many"))


TABLES = [
    "secret=value&relation=replace",
    "secret=value&relation=replace&releases=3",
    "secret=value&relation=replace&unit=household&group=3",
    "secret=value&relation=replace&guarantee=zero_concentrated&route=gaussian",
    "secret=value&relation=replace&guarantee=zero_concentrated&route=gaussian&failure=0.02&releases=2",
]
COUNTS = [
    "secret=value&relation=replace&release=count&releases=3",
    "secret=value&release=count&unit=household&group=3",
    "secret=value&relation=replace&release=count&guarantee=zero_concentrated&route=discrete_gaussian",
    "secret=value&release=count&guarantee=zero_concentrated&route=discrete_gaussian&cap=0.17&failure=0.03",
]


@pytest.mark.parametrize("query", TABLES)
def test_the_noise_of_a_table_of_districts_keeps_the_line_when_somebody_is_in_another_district(query: str) -> None:
    """Two counts change then: with the noise of one count 54.5 in 100 were reached for 25, or 2.41 % for 2 %."""
    view = memo(query, areas=40)
    _assert_noise_keeps_the_line(view, query, counts=(1, 2))
    assert "moving districts changes two counts" in view.words
    assert "two of a table may change" in view.releasing
    assert "two of a table changed by 1 each" in view.words
    for one in (memo(query), memo(query, areas=40, moves="nowhere")):
        assert one.noise is not None
        assert view.noise is not None
        assert one.noise.budget == answered(choices_of(query), Style()).budget.recommended_each > view.noise.budget  # type: ignore[union-attr]
        assert "moving districts" not in one.words


@pytest.mark.parametrize("query", COUNTS)
def test_the_noise_of_one_count_keeps_its_line_and_tells_no_districts(query: str) -> None:
    view = memo(query, areas=40)
    _assert_noise_keeps_the_line(view, query, counts=(1,))
    assert "districts" not in view.words
    assert "two of a table" not in view.releasing + view.words


def _assert_noise_keeps_the_line(view: MemoView, query: str, *, counts: tuple[int, ...]) -> None:
    choices = choices_of(query)
    answer = answered(choices, Style())
    assert view.noise is not None
    for changed in counts:
        of_group = choices.group**2 if noise_kind(view.noise.kind).budget_kind == "rho" else choices.group
        law = noise_with_budget(view.noise.budget * of_group, view.noise.kind, sensitivity=choices.group)
        loss = PrivacyLoss.of(law, changed * choices.releases)
        allowed = answer.implied.epsilon * (1 + 1e-12)
        failing = loss.exceedance(allowed, direction="either")
        assert failing <= (choices.failure if choices.guarantee == "zero_concentrated" else 0), (changed, failing)


def test_of_a_line_that_is_approached_it_is_told_how_many_times_as_strong_a_belief_becomes() -> None:
    rows = not_taken(memo("line=constant&guarantee=zero_concentrated"))
    assert rows["Times as strong, at most, except with a probability of 1 in 100"] == ("2 times", "3 times", "5 times")


@pytest.mark.parametrize("cap", [0.505, 0.123, 0.2505, 0.337])
def test_what_somebody_may_come_to_is_never_printed_beyond_the_line(cap: float) -> None:
    view = memo(f"cap={cap}")
    told = re.search(r"can believe it at most (\d+ in [\d,]+) likely", view.words)
    assert told is not None
    assert number_named(told[1]) <= cap + 1e-9
    assert units_of(view)["one record, one release"][2] == told[1]
    points = re.findall(r"accepts up to (\d+ in [\d,]+); this budget allows at most (\d+ in [\d,]+)", view.words)
    assert len(points) == 3
    assert all(number_named(reached) <= number_named(accepted) for accepted, reached in points)


def test_a_drawn_line_ends_where_its_points_end() -> None:
    line = risk_picture_of("line=drawn&points=0.01~0.1_0.5~0.7")
    prior, accepted = (line.numbers.column(key).numbers for key in ("prior", "line"))
    asked = (prior >= 1) & (prior <= 50)
    assert np.isnan(accepted[~asked]).all()
    assert (accepted[asked] < 70.0001).all()
    box = risk_picture_of("line=box&low=0.1&high=0.3")
    prior, accepted = (box.numbers.column(key).numbers for key in ("prior", "line"))
    assert np.isnan(accepted[(prior < 10) | (prior > 30)]).all()
    whole = risk_picture_of("")
    prior, accepted = (whole.numbers.column(key).numbers for key in ("prior", "line"))
    assert (np.isfinite(accepted) == (prior < 100 / 3)).all()  # from a third on it accepts anything


def risk_picture_of(query: str) -> Any:
    return next(slide.picture for slide in memo(query).deck.slides if slide.title == "The line")


def test_a_box_over_two_beliefs_is_told_of_each_of_them_and_its_points_of_both() -> None:
    words = memo("secret=both&line=box").words
    assert "Where beliefs in presence and value are each from 1 in 100 to 50 in 100" in words
    assert "From 1 in 100 (for both, if presence is certain) the line accepts anything" in words
    one = memo("line=box").words
    assert "Beliefs from 1 in 100 to 50 in 100 may become" in one
    assert "presence is certain" not in one


def test_what_the_attacker_knows_is_assumed_as_the_limit_needs_it() -> None:
    named = memo("secret=value&release=count&guarantee=zero_concentrated&route=gaussian").words
    assert "Others may pass the limit more often" in named
    assert "rows or not" not in named
    assert "may know everyone else's data or not" in memo("").words


def test_a_budget_rounded_down_is_not_said_to_touch_the_line() -> None:
    words = memo("").words
    assert "The line is strictest at 8 in 100 before." in words
    assert "They touch" not in words


def test_a_limit_for_plain_counts_says_that_other_releases_go_further() -> None:
    words = "plain counts; other releases with this budget can go further"
    assert words in memo("secret=value&release=count").words
    for other in ("", "secret=value", "secret=value&release=count&relation=replace", "release=count"):
        assert words not in memo(other).words


def test_a_cap_that_nobody_set_is_not_told_as_a_wish() -> None:
    unset, rows = "The limit is a preset", "rows=g~0.01~1~~Count"
    assert unset in memo("", plan=rows).words
    assert unset not in memo("", plan=rows + "&cap=0.9").words
    assert unset in memo("", plan=rows + "&promise=difference").words
    assert unset not in memo("ratio=1.5", plan=rows).words  # the line's own
    assert "75 in 100" in memo("ratio=1.5", plan=rows).words.partition(PLANNED)[2]


@pytest.mark.parametrize(
    ("noise", "rounded"), [("geometric", False), ("laplace", True), ("gaussian", True), ("discrete_gaussian", False)]
)
def test_a_count_is_said_to_be_rounded_where_the_noise_is_continuous_and_the_lines_round_it_too(
    noise: str, rounded: bool
) -> None:
    currency = "rho" if "gaussian" in noise else "epsilon"
    case = Case(noise=noise, release="count").decided(value=0.2, currency=currency)
    view = memo("", case=case)
    assert ("One count alone (rounded) is exactly right" in page_one(view)) is rounded
    assert ("published = round(count(true_count))" in view.releasing) is rounded
    public = public_view(PublicInputs(case=case), Style())
    assert ("count (rounded) is within" in public.sentences[0]) is rounded
