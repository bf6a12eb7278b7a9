"""The label and the annexes of a case: what they say stands on other pages, fits, and keeps scope and exception."""

from __future__ import annotations

import html
import math
import re
import xml.etree.ElementTree as xml
from dataclasses import replace
from typing import Any

import pytest

from riskline.case.tables import TableRow
from riskline.case.value import EXAMPLE, Case
from tests.filed_cases import CASES, SAID
from tests.filed_cases import SCHOOL as OPEN_SCHOOL
from tests.read_aloud import unheard
from ui.documents.document import plain_words
from ui.documents.label import HEIGHT, POINT, SIZES, WIDTH, Label
from ui.documents.word import word_file
from ui.pictures.palette import LIGHT
from ui.pictures.style import Style
from ui.views.memo import FIELDS, MemoInputs, memo_view
from ui.views.memo.filing import QUESTIONS, FilingView, filing_view
from ui.views.public import PublicInputs, public_view

SCHOOL = OPEN_SCHOOL.decided(value=1.29, currency="epsilon", by="The board", date="12 May")
BY_RHO = Case(ratio=2.0, guarantee="zero_concentrated", noise="gaussian")
SVG = "{http://www.w3.org/2000/svg}"


def inputs(case: Case, **own: Any) -> MemoInputs:
    values = {field.name: field.default for field in FIELDS if not field.of_case}
    return MemoInputs.of(values | {"until": "2030", "reasons": "A fifth of it was too coarse."} | own, case)


def filed(case: Case = SCHOOL, voice: str = "plain", **own: Any) -> FilingView:
    return filing_view(inputs(case, **own), Style(voice=voice))


def card(case: Case = SCHOOL, voice: str = "plain") -> Label:
    found = filed(case, voice).card
    assert found is not None
    return found


def test_the_label_says_both_directions_from_the_typed_budget_in_one_number_of_people() -> None:
    lead = card().lead.replace("**", "")
    assert "8 in 100" in lead
    odds = 8 / 92
    up, down = (odds * math.exp(shift) for shift in (1.29, -1.29))
    assert f"at most {math.ceil(100 * up / (1 + up))} in 100" in lead
    assert f"at least {math.floor(100 * down / (1 + down))} in 100" in lead


def test_the_label_is_what_the_public_is_told_with_its_scope_and_its_exception() -> None:
    for case in (SCHOOL, BY_RHO, Case(ratio=2.5, guarantee="approximate", delta=1e-7, failure=0.02)):
        told = public_view(PublicInputs(until="2030", case=case), Style())
        label = card(case)
        assert label.lead.startswith(told.answer)
        assert label.small_print == told.small_print
        texts = dict(label.rows)
        assert (texts["Accuracy"], texts["Limits"]) == told.sentences
        assert texts["Budget"] == told.budget
        assert told.decided in texts["Decision"]
        assert texts["Over time"] == told.answer_to("next")
    assert card(BY_RHO).lead.count("except with a probability of 1 in 100") == 2  # up and down, each with its own


def test_the_label_names_secret_unit_budget_decision_and_over_time() -> None:
    texts = dict(card().rows)
    assert list(texts) == ["Secret", "Budget", "Accuracy", "Limits", "Over time", "Decision"]
    assert "whether a given pupil was absent more than 20 days" in texts["Secret"]
    assert "ε = 1.29" in texts["Budget"]
    assert "The board" in texts["Decision"]
    assert "until 2030" in texts["Decision"]
    assert "12 May" in texts["Decision"]


def lines_of(label: Label) -> list[xml.Element]:
    return list(xml.fromstring(label.svg).iter(f"{SVG}text"))


LONG = {
    "title": "Hospital admissions of people above sixty by district, month, cause and kind of insurance, 2019 to 2025",
    "released": "Hospital admissions of people above sixty by district, month, cause and kind of insurance",
    "office": "Ministry of Health, Directorate for Statistics, Division of Hospital Care and Long-Term Care",
    "hidden": "was admitted to a psychiatric ward at least twice within the same calendar year",
}


@pytest.mark.parametrize("case", [EXAMPLE, SCHOOL, BY_RHO, *CASES, SCHOOL.with_choices(**LONG)])
@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_the_drawing_is_90_by_130_and_its_type_is_legible(case: Case, voice: str) -> None:
    drawing = xml.fromstring(card(case, voice).svg)
    _, _, wide, high = map(float, drawing.attrib["viewBox"].split())
    assert wide == pytest.approx(90 * POINT, abs=0.05)
    assert high == pytest.approx(130 * POINT, abs=0.05)
    for line in drawing.iter(f"{SVG}text"):
        assert float(line.attrib["font-size"]) >= 6
        assert float(line.attrib["y"]) < high - 3
        assert contrast(line.attrib["fill"], LIGHT.ground) >= 4.5


def contrast(first: str, second: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_everything_that_the_label_says_stands_in_its_drawing_and_on_its_page() -> None:
    for case in (SCHOOL, BY_RHO, SCHOOL.with_choices(**LONG)):
        label = card(case)
        drawn = " ".join(line.text or "" for line in lines_of(label))
        page = html.unescape(re.sub(r"<[^>]+>", "", label.page.partition("<main>")[2]))
        parts = (part for row in label.rows for part in row)
        for words in (label.over, label.title, label.lead, *parts, label.small_print):
            assert words.replace("**", "").split() == [
                word for word in words.replace("**", "").split() if word in drawn
            ]
            assert words.replace("**", "") in page
        assert all(text.replace("**", "") in label.alt for _, text in label.rows)


@pytest.mark.parametrize(
    ("title", "widest"),
    [("地区別の生徒の長期欠席に関する統計調査の結果", 1.0), ("X" * 90, 0.667), ("Absence of pupils " * 4, 0.6)],
)
def test_no_line_of_the_label_runs_out_of_its_frame(title: str, widest: float) -> None:
    """Full-width signs are as wide as high; a capital X is two thirds of that in Arial's bold."""
    drawing = xml.fromstring(card(SCHOOL.with_choices(title=title)).svg)
    lines = [line for line in drawing.iter(f"{SVG}text") if set(line.text or "") <= set(title)]
    assert title.replace(" ", "") in "".join(line.text or "" for line in lines).replace(" ", "")
    for line in lines:
        assert float(line.attrib["x"]) + len(line.text or "") * widest * float(line.attrib["font-size"]) <= WIDTH


def test_a_label_that_fits_in_no_type_grows_and_drops_nothing() -> None:
    label = card()
    long = replace(label, rows=(*label.rows, *(("More", "word " * 60) for _ in range(6))))
    drawing = xml.fromstring(long.svg)
    assert float(drawing.attrib["viewBox"].split()[3]) > HEIGHT
    assert sum((line.text or "").split().count("word") for line in drawing.iter(f"{SVG}text")) == 360
    assert {float(line.attrib["font-size"]) for line in drawing.iter(f"{SVG}text")} >= {SIZES[-1]}


def test_what_is_typed_stays_text_on_the_label() -> None:
    label = card(SCHOOL.with_choices(title="<b>&</b> **x**", office='"><script>'))
    assert "<script>" not in label.page + label.svg
    assert "<b>&" not in label.page + label.svg
    assert xml.fromstring(label.svg) is not None


def test_the_label_has_a_code_where_phones_find_its_address() -> None:
    view = filed()
    found = view.label_at("https://riskline.example/")
    assert found.address.startswith("https://riskline.example/memo?")
    nested = list(xml.fromstring(found.svg).iter(f"{SVG}svg"))
    assert len(nested) == 4  # itself, two panels of people, a code
    assert len(list(xml.fromstring(view.label_at("http://localhost:8501/").svg).iter(f"{SVG}svg"))) == 3
    assert f'href="{html.escape(found.address)}"' in found.page
    assert "href=" not in view.label_at("").page  # a link without its host leads nowhere
    right = max(float(each.attrib["x"]) + float(each.attrib["width"]) for each in nested if "x" in each.attrib)
    assert right <= WIDTH


@pytest.mark.parametrize("kind", QUESTIONS)
def test_an_annex_answers_each_of_its_questions_from_the_case_or_leaves_it_open(kind: str) -> None:
    document = filed(SCHOOL.with_choices(**SAID)).annexes[kind]
    table = document.sections[0].blocks[-1]
    rows = {question: (answer, place) for question, answer, place in table.rows}  # type: ignore[union-attr]
    assert len(rows) == len(QUESTIONS[kind])
    missing = [question for question, (answer, _) in rows.items() if answer.startswith("**Open:**")]
    said = document.sections[0].blocks[1].text  # type: ignore[union-attr]
    assert f"{len(missing)} of {len(rows)} questions are open." in said
    assert "no conformity" in said
    assert missing == (
        ["Which measures stand against side channels (timing, floating point)?"] if kind == "nist" else []
    )
    memo = memo_view(inputs(SCHOOL.with_choices(**SAID)), Style())
    headings = {section.heading for section in memo.document.sections}
    assert {place for _, place in rows.values()} - {""} <= headings
    assert all(not place for answer, place in rows.values() if answer.startswith("**Open:**"))
    assert unheard(word_file(document)) == []


def test_an_annex_of_a_bare_case_leaves_open_what_only_the_office_knows() -> None:
    annexes = filed(Case(ratio=3.0), until="", reasons="").annexes
    missing = {
        kind: [row[0] for row in annex.sections[0].blocks[-1].rows if row[1].startswith("**Open:**")]  # type: ignore[union-attr]
        for kind, annex in annexes.items()
    }
    assert [len(missing[kind]) for kind in ("nist", "impact", "w3c")] == [3, 4, 4]
    assert "Who accepted it?" in missing["impact"]


def test_an_annex_says_the_belief_with_its_exception_and_its_scope() -> None:
    for kind in ("nist", "impact"):
        words = plain_words(filed(BY_RHO).annexes[kind])
        told = public_view(PublicInputs(case=BY_RHO), Style())
        assert told.answer.replace("**", "") in words
        assert told.small_print in words


def test_an_annex_of_a_line_that_is_decided_near_nothing_leaves_no_gap_where_no_belief_can_fall() -> None:
    found = filed(Case(line="constant", ratio=3.0))
    assert found.card is not None
    assert [kind for kind, annex in found.annexes.items() if "  " in plain_words(annex)] == []


def test_an_annex_says_under_which_heading_of_the_memo_an_answer_stands() -> None:
    rows = filed(SCHOOL.with_choices(**SAID)).annexes["impact"].sections[0].blocks[-1].rows  # type: ignore[union-attr]
    assert {question: place for question, _, place in rows} == {
        "What is it for?": "",
        "Why is nothing else enough?": "What we did not take",
        "What is protected, and for whom?": "What somebody could learn",
        "What can somebody learn about one person?": "What somebody could learn",
        "Which harm does the line accept?": "The line we accepted",
        "Which measures reduce the risk?": "For a public register",
        "What risk remains?": "What somebody could learn",
        "Who accepted it?": "Who decided, until when",
        "When is it looked at again?": "Who decided, until when",
    }


def test_an_annex_tells_the_budget_of_each_release_of_all_and_its_exception() -> None:
    rows = {row[0]: row[1] for row in filed(BY_RHO).annexes["nist"].sections[0].blocks[-1].rows}  # type: ignore[union-attr]
    assert rows["Which parameters?"].endswith("may fail with probability 0.01")
    several = filed(Case(ratio=3.0, releases=2)).annexes["nist"].sections[0].blocks[-1].rows  # type: ignore[union-attr]
    assert "all together ε = 1.28" in dict(row[:2] for row in several)["Which parameters?"]


def test_a_budget_of_records_that_belong_together_says_for_whom_it_is() -> None:
    case = Case(ratio=3.0, unit="household", group=4, releases=12)  # each 0.027
    said = "Budgets are for one record; 4 that belong together, in all releases: ε = 1.296."
    assert dict(card(case).rows)["Budget"].endswith(said)
    rows = {row[0]: row[1] for row in filed(case).annexes["nist"].sections[0].blocks[-1].rows}  # type: ignore[union-attr]
    assert rows["Which parameters?"].endswith(said)
    assert filed(case).record["deployment"]["privacy_loss"]["privacy_parameters"] == {"epsilon": 1.296}  # type: ignore[index]


def test_the_impact_assessment_says_what_remains_for_a_household() -> None:
    memo = memo_view(inputs(SCHOOL), Style())
    said = next(
        block.text for block in memo.document.sections[1].blocks if "household of 4" in getattr(block, "text", "")
    )
    rows = {row[0]: row[1] for row in filed().annexes["impact"].sections[0].blocks[-1].rows}  # type: ignore[union-attr]
    assert rows["What risk remains?"] == said


def test_a_record_names_the_mechanism_of_coins_and_counts_planned_releases_as_many() -> None:
    coins = filed(Case(release="coins", secret="value", relation="replace", ratio=3.0)).record["deployment"]
    assert coins["implementation"]["mechanisms"].startswith("randomised response")  # type: ignore[index]
    planned = filed(Case(ratio=3.0, release="plan")).record["deployment"]
    assert planned["deployment_model"]["release_type"] == "Many releases"  # type: ignore[index]
    details = planned["privacy_loss"]["privacy_parameters_details"]  # type: ignore[index]
    assert "all planned releases together" in details
    assert "Each release" not in details


def test_nothing_is_filed_without_a_budget_or_of_somebody_elses() -> None:
    assert filed(Case(unit="household")).refusal == "Nothing to file: there is no budget yet."
    entry = Case(published="2020 Census redistricting data, persons", secret="value")
    assert filed(entry).refusal == "Nothing to file: somebody else published this budget."
    example = filed(EXAMPLE)
    assert example.refusal is None  # the example is marked as such
    assert "built-in example" in example.record_at("")
    assert "Example" in dict(card(EXAMPLE).rows)["Decision"]


def test_nobody_accepts_in_an_annex_or_a_record_what_was_decided_for_another_case() -> None:
    said = {"value": 0.5, "currency": "epsilon", "by": "The board", "date": "12 May", "reason": "It is enough."}
    decided = Case(ratio=2.0).decided(**said)

    def told(case: Case) -> tuple[str, str]:
        rows = {row[0]: row[1] for row in filed(case).annexes["impact"].sections[0].blocks[-1].rows}  # type: ignore[union-attr]
        return rows["Who accepted it?"], filed(case).record["deployment"]["implementation"]["justification"]  # type: ignore[index]

    accepted, reason = told(decided)
    assert accepted.startswith("Decided by: The board. Decided on: 12 May. Why: It is enough. Holds until: 2030.")
    assert "It is enough." in reason
    accepted, reason = told(decided.with_choices(unit="household", group=3))
    assert accepted == "**Open:** nobody has said it."
    assert "It is enough" not in reason


def test_exact_totals_stand_in_every_limit_in_what_is_not_protected_and_in_the_record() -> None:
    births = TableRow("Births", areas="40", cells="3", exact="40", wish="9")
    for secret, relation, said in (
        ("value", "replace", ", if no exact total changes"),
        ("presence", "add_or_remove", ", by noisy numbers alone"),
    ):
        case = Case(secret=secret, relation=relation, ratio=3.0, tables=(births,), noise="geometric")
        assert said not in card(case.with_choices(tables=(replace(births, exact=""),))).lead
        label = card(case)
        assert label.lead.count(said) == 2
        assert "Not protected: exact totals, " in dict(label.rows)["Limits"]
        told = filed(case).record["deployment"]["dp_variant"]["unprotected_quantities"]  # type: ignore[index]
        assert told.startswith("Exact totals of Births (40).")
        assert ("How many records" in told) == (relation == "replace")
        memo = memo_view(inputs(case), Style()).words
        assert said in memo
        assert "Not protected: exact totals, " in memo
        assert said in public_view(PublicInputs(case=case), Style()).answer
