"""The memo tells of today's method what its page tells, beside what the budget of the case allows, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskline.answers import spent
from riskline.case.methods import RECORDED, MethodChoice
from riskline.case.value import Case
from tests.cases import memo_inputs
from tests.memo_words import page_text, slide_texts, word_text
from ui.documents.document import Block, Document, Link, Paragraph, Section, plain_words
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.memo import MemoView, memo_view
from ui.views.memo.choices import Memo
from ui.views.memo.line import Today, today_of
from ui.views.methods import MethodsInputs, beginning, methods_view

SCHOOL = Case(title="School absence", hidden="was absent more than 20 days", one="pupil", ratio=3.0)
THREE = MethodChoice("round_random").recorded
HEAD = "Today and then"
PLAIN, TECHNICAL = Style(), Style(voice="technical")


def seen(case: Case, style: Style = PLAIN, **method: Any) -> MemoView:
    return memo_view(memo_inputs(case=case.with_choices(method_today=MethodChoice(**method).recorded)), style)


def told(view: MemoView) -> tuple[list[str], Table | None]:
    """The paragraphs and the table of the section."""
    (section,) = (one for one in view.document.sections if one.heading == HEAD)
    table = next((block for block in section.blocks if isinstance(block, Table)), None)
    return [block.text for block in section.blocks if isinstance(block, Paragraph)], table


def test_the_memo_says_what_the_method_lets_happen_and_what_the_budget_does() -> None:
    words, table = told(seen(SCHOOL))
    assert words == [
        "**Rounding to base 3**: in **33 of 100** releases somebody becomes certain that a given pupil was absent more "
        "than 20 days, if true; your line stops at **25 in 100**.",
        "Exact for one cell, 0 others counted, where it gives away most. The attacker knows method, settings and "
        "everybody else, not the draws, and thinks it 8 in 100 likely. Today: one cell; many have no limit together. "
        "Then: everything released. Not compared: errors, empty cells, totals.",
    ]
    assert table is not None
    assert table.columns == ("", "today", "then, ε = 1.29")
    assert table.rows == (
        ("certain, if true", "33 of 100", "never"),
        ("certain, if not", "never", "never"),
        ("line passed, if true", "33 of 100", "never"),
        ("line passed, if not", "never", "never"),
        ("From 8 in 100, at most", "certain", "25 in 100"),
    )


@pytest.mark.parametrize(
    ("case", "then"),
    [
        (SCHOOL.decided(value=2.0, currency="epsilon"), ("never", "never", "possible", "possible", "40 in 100")),
        (SCHOOL.decided(value=1.3, currency="epsilon"), ("never", "never", "never", "never", "25 in 100")),
        (
            SCHOOL.with_choices(guarantee="zero_concentrated"),
            (
                *("never", "never", "at most 1 of 100", "at most 1 of 100"),
                "25 in 100, except with a probability of 1 in 100",
            ),
        ),
        (
            SCHOOL.with_choices(guarantee="approximate", delta=0.002),
            (
                *("at most 20 of 10,000", "at most 20 of 10,000", "at most 1 of 100", "at most 1 of 100"),
                "25 in 100, except with a probability of 1 in 100",
            ),
        ),
        (SCHOOL.with_choices(line="constant", ratio=2.0), ("never", "never", "never", "never", "15 in 100")),
        (SCHOOL.with_choices(secret="both"), ("never", "never", "24 in 100")),
    ],
    ids=[
        "passes its line",
        "passes elsewhere",
        "by ρ",
        "δ",
        "a line that only the smallest belief decides",
        "two beliefs",
    ],
)
def test_the_budget_beside_says_never_only_where_it_is_never(case: Case, then: tuple[str, ...]) -> None:
    _, table = told(seen(case))
    assert table is not None
    assert tuple(str(row[2]) for row in table.rows) == then


def test_certainty_with_a_budget_is_as_rare_as_the_delta_of_all_who_belong_together() -> None:
    case = Case(guarantee="approximate", delta=1e-3, unit="household", group=2, ratio=3.0)
    found = spent(case)
    assert found is not None
    whole = found.of_secret().delta
    assert whole > found.guarantee().delta  # of one record
    _, table = told(seen(case))
    assert table is not None
    rarely = str(table.rows[0][2]).removeprefix("at most ").replace(",", "")
    hit, of = map(int, rarely.split(" of "))
    assert hit / of >= whole
    assert (hit - 1) / of < whole


def test_without_a_budget_of_the_case_the_memo_tells_of_today_alone() -> None:
    for case in (SCHOOL.without("ratio", "line"), Case(secret="value", published="2020 Census DHC, persons")):
        words, table = told(seen(case))
        assert table is not None
        assert table.columns == ("", "today")
        assert "no line is drawn" in words[0]
        assert "Then" not in words[1]


def test_swapping_is_about_other_beliefs_and_gets_no_table() -> None:
    words, table = told(seen(SCHOOL, method="swap"))
    assert table is None
    assert "Whoever knows everybody else's place knows this one" in words[0]
    assert words[1].endswith("A budget limits other beliefs.")


def test_a_limit_for_plain_counts_alone_is_told_as_one() -> None:
    words, _ = told(seen(SCHOOL.with_choices(secret="value", release="count")))
    assert "The limit is for plain counts; other releases with this budget can go further." in words[1]
    assert "plain counts" not in told(seen(SCHOOL))[0][1]


def test_a_method_that_no_law_has_gets_a_sentence_and_the_memo_stands() -> None:
    view = seen(SCHOOL, method="cell_key", variance=3.0)
    assert view.refusal is None
    assert told(view) == (["No answer: Row 1: variance must lie in [0, 2]; got 3.0."], None)
    assert HEAD not in [slide.title for slide in view.deck.slides]


def test_every_kind_of_document_has_the_part_and_none_without_a_method(white_pictures: None) -> None:
    for method, there in ((THREE, True), (None, False)):
        view = memo_view(memo_inputs(case=SCHOOL.with_choices(method_today=method)), PLAIN)
        texts = (page_text(view), word_text(view), " ".join(text for slide in slide_texts(view) for text in slide))
        for text in texts:
            assert (HEAD in text) is there
            assert ("somebody becomes certain that a given pupil" in text) is there


def test_the_notes_of_its_slide_say_for_what_it_holds() -> None:
    view = seen(SCHOOL)
    (slide,) = (one for one in view.deck.slides if one.title == HEAD)
    words, table = told(view)
    assert (slide.sentence, slide.table) == (words[0], table)
    assert slide.notes.startswith(words[1])
    assert "one change adds or removes one record" in slide.notes


def test_the_method_changes_no_other_word_of_the_memo_and_no_decision() -> None:
    for case in (SCHOOL, SCHOOL.decided(value=1.0, currency="epsilon"), SCHOOL.without("ratio", "line")):
        without, view = memo_view(memo_inputs(case=case), PLAIN), seen(case)
        assert HEAD not in [one.heading for one in without.document.sections]
        others = [one for one in view.document.sections if one.heading != HEAD]
        kept, was = (
            [replace(one, blocks=_unlinked(one)) for one in each] for each in (others, without.document.sections)
        )
        assert [plain_words(Document("", "", (one,), "")) for one in kept] == [
            plain_words(Document("", "", (one,), "")) for one in was
        ]
        assert view.answer == without.answer


def _unlinked(section: Section) -> tuple[Block, ...]:
    """The blocks of a section but the link of the memo, which holds the method."""
    return tuple(block for block in section.blocks if not isinstance(block, Link))


@given(
    st.sampled_from([*RECORDED]),
    st.integers(2, 9),
    st.sampled_from([SCHOOL, SCHOOL.with_choices(line="increase"), SCHOOL.with_choices(unit="household", group=2)]),
    st.sampled_from([PLAIN, TECHNICAL]),
)
@settings(max_examples=40, deadline=None)
def test_the_number_of_the_memo_is_that_of_the_page(method: str, size: int, case: Case, style: Style) -> None:
    chosen = MethodChoice(method, base=size, largest_noise=size, threshold=size, classes=((0, size),)).recorded
    case = case.with_choices(method_today=chosen)
    today = today_of(Memo(memo_inputs(case=case), style))
    assert isinstance(today, Today)
    own = {field.name: field.default for field in beginning(case) if not field.of_case}
    page = methods_view(MethodsInputs(**own | vars(case.of(MethodsInputs)) | own | {"prior": today.memo.before}), style)
    assert today.view.told is not None
    assert page.told is not None
    for side in ("present", "absent"):
        assert today.view.told.certain(side) == page.told.certain(side)
        assert page.limit is not None
        ours = today.view.told.passed(page.limit, page.prior, side)
        assert ours == page.told.passed(page.limit, page.prior, side)
    assert today.view.answer == page.answer
    if today.table is not None:
        assert page.compared is not None
        of_page = {row[0]: row[1] for row in page.compared.rows}
        assert {row[0]: row[1] for row in today.table.rows[:-1]}.items() <= of_page.items()
        assert len(today.table.rows) == 5
