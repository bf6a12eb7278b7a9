"""The publication in the memo: page one, the annex and the slides say its page's numbers, about the right people."""

from __future__ import annotations

import io
import math
import random
import re
from string import ascii_letters
from typing import Any

import pytest
from docx import Document as WordDocument
from docx.shared import Cm

from riskline.case.tables import TableRow
from riskline.case.value import Case
from tests.cases import case_of, memo_inputs
from tests.read_aloud import unheard
from ui.documents.document import Facts, Figure, Paragraph, Section
from ui.documents.page import html_page
from ui.documents.slides import slides_file
from ui.documents.word import word_file
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.memo import FIELDS, MemoInputs, MemoView, memo_view
from ui.views.publication import PublicationInputs, publication_view
from ui.words.catalogue import label, say
from ui.words.phrasing import exact_budget

ROWS = (TableRow("**A**", wish="9", typical="3", areas="40"), TableRow("B", wish="20", cells="6", times="3"))
OWN = {field.name: field.default for field in FIELDS if not field.of_case}
DECIDED, SEEN = "Where it stands", "What the tables still tell"
EVERY_TABLE, PUBLISHED = say("memo", "technical", "heading.every_table"), label("memo", "heading.published")


def memo(
    tables: tuple[TableRow, ...] = ROWS, choose: str = "guarantee=zero_concentrated", *, own: str = "", **chosen: Any
) -> MemoView:
    """A memo of a line and tables, with the publication's own choices as its link writes them."""
    return memo_view(memo_inputs(choose, publication=own, tables=tables, **chosen), Style())


def section(view: MemoView, heading: str) -> Section:
    (found,) = (one for one in view.document.sections if one.heading == heading)
    return found


def words(view: MemoView, heading: str) -> str:
    return " ".join(block.text for block in section(view, heading).blocks if isinstance(block, Paragraph))


def table(view: MemoView, heading: str) -> Table:
    (found,) = (block for block in section(view, heading).blocks if isinstance(block, Table))
    return found


def test_a_register_and_the_units_do_not_give_each_release_of_a_table_the_budget_of_all() -> None:
    """One budget for all releases of all tables, four here: a registry must not read it as that of each."""
    view = memo()
    (facts,) = (block for block in section(view, "For a public register").blocks if isinstance(block, Facts))
    rows = dict(facts.rows)
    assert rows["Releases"] == "all releases of 2 tables, each any kind"
    assert "Each release" not in rows
    assert rows["Mechanism"] == "discrete Gaussian noise on every number of the tables"
    assert rows["The whole publication"].strip("*") == rows["All together"] == "ρ = 0.077"
    (units,) = (block for block in section(view, "Household and year").blocks if isinstance(block, Table))
    assert next(row[0] for row in units.rows) == "one record, all releases"
    assert "one record, one release" not in str(units.rows)
    alone = memo(())
    (facts,) = (block for block in section(alone, "For a public register").blocks if isinstance(block, Facts))
    assert dict(facts.rows)["Each release"] == "**ρ = 0.077**"


def test_a_register_names_the_secret_of_the_guarantee_and_not_what_pages_call_it() -> None:
    """Where presence is protected, an entry that protects *is ill* would claim more than was proved."""
    entry = section(memo(hidden="is ill", one="pupil"), "For a public register")
    (facts,) = (block for block in entry.blocks if isinstance(block, Facts))
    assert "present" in dict(facts.rows)["Secret"]
    assert words(memo(hidden="is ill", one="pupil"), "For a public register").endswith(
        "Protected: whether a given pupil is in the data; one change adds or removes one record."
    )
    assert "is ill" not in str(facts)


def test_a_publication_that_shares_the_decided_budget_is_on_side_one_in_the_annex_and_on_a_slide() -> None:
    """Gaussian ranges: z²/(2ρ) is the square of each, so both are √(need/ρ) of what was asked for."""
    view = memo(noise="gaussian", hidden="is ill")
    need = 1.959964**2 / 2 * (1 / 9**2 + 3 / 20**2)
    stretch = math.sqrt(need / 0.077)
    page = publication_view(PublicationInputs(tables=ROWS, noise="gaussian"), Style())
    assert page.answer in words(view, SEEN)
    assert page.small_print.replace("is in the data", "is ill") in words(view, PUBLISHED)
    assert stretch < 1
    assert "rises from **8 in 100** to at most **25 in 100**" in words(view, SEEN)
    assert "districts" not in words(view, SEEN)
    ranges = [f"± {math.ceil(10**places * stretch * wish) / 10**places:g}" for wish, places in ((9, 2), (20, 1))]
    relative = f"{math.ceil(1000 * stretch * 9 / 3) / 10:.1f} %"
    assert table(view, SEEN).rows == (("∗∗A∗∗", "± 9", ranges[0], relative), ("B", "± 20", ranges[1], "–"))
    share = (1 / 9**2) / (1 / 9**2 + 3 / 20**2)
    assert table(view, EVERY_TABLE).rows == (
        ("∗∗A∗∗", "counts", "40", "1", f"{share:.1%}".replace("%", " %"), "± 9", ranges[0], relative),
        ("B", "counts", "1 × 6", "3", f"{1 - share:.1%}".replace("%", " %"), "± 20", ranges[1], "–"),
    )
    (figure,) = (block for block in section(view, PUBLISHED).blocks if isinstance(block, Figure))
    assert page.frontier is not None
    for name in ("cap", "stretch", "cap_today", "stretch_today"):
        assert figure.picture.numbers.column(name).numbers == pytest.approx(page.frontier.numbers.column(name).numbers)
    (slide,) = (slide for slide in view.deck.slides if slide.title == SEEN)
    assert slide.sentence == page.answer
    assert isinstance(slide.table, Table)
    assert slide.table.rows == table(view, SEEN).rows
    assert "spent <= 0.077" in view.releasing
    assert "count = dp.m" not in view.releasing


@pytest.mark.parametrize(("choose", "spent"), [("guarantee=zero_concentrated", 0.05), ("ratio=3", 0.9)])
def test_the_tables_share_the_budget_that_was_decided_and_no_other(choose: str, spent: float) -> None:
    """0.3 told a publication beside a decision that *choose* had made by itself, with OpenDP lines for one count."""
    case = case_of(choose, tables=ROWS)
    view = memo_view(MemoInputs.of(OWN, case.decided(value=spent, currency=case.currency)), Style())
    assert f"spent <= {spent!r}" in view.releasing
    assert f"= {exact_budget(spent)}**" in view.answer
    believed = case.with_choices(prior=0.4).decided(value=spent, currency=case.currency)
    assert words(memo_view(MemoInputs.of(OWN, believed), Style()), SEEN) == words(view, SEEN), "from the line's belief"


def test_a_households_budget_is_shared_for_the_household() -> None:
    choose = "guarantee=zero_concentrated&unit=household&group=3"
    view = memo(choose=choose)
    (each,) = re.findall(r"The line implies \*\*ρ = (.*?)\*\*", words(view, DECIDED))
    assert f"spent <= {9 * float(each)!r}" in view.releasing
    pytest.importorskip("opendp")
    exec(view.releasing, {})  # its own assertion adds up what OpenDP says that the tables cost


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"own": "rule=same_budget"}, "1 of 2"),
        ({"own": "reserve=0.05"}, "Ranges are kept as asked"),
        ({"tables": (TableRow("A", share="1"),)}, "No range was asked for"),
        ({"tables": (TableRow("A", wish="x"),)}, "No answer: Row 1 (A): ± wanted must be a number; got 'x'."),
    ],
)
def test_other_rules_and_refusals_are_told(chosen: dict[str, Any], told: str) -> None:
    rows = (TableRow("A", wish="9"), TableRow("B", wish="90"))
    decided = case_of("guarantee=zero_concentrated", tables=chosen.get("tables", rows))
    decision = decided.decided(value=0.03, currency="rho").decision
    view = memo(**{"tables": rows, **chosen}, chosen=decision)
    assert told in words(view, SEEN)
    assert ("holds Plan a publication" in view.notice) == ("own" in chosen)


def test_tables_that_were_not_told_are_not_in_the_memo() -> None:
    for view in (
        memo_view(memo_inputs("guarantee=zero_concentrated"), Style()),
        memo(tell_publication=False),
        memo_view(memo_inputs("", tables=ROWS), Style()),  # no line, and so nothing that they could share
    ):
        assert not any("asked for" in one for one in view.words.splitlines())
        assert EVERY_TABLE not in view.words
    unnamed = memo_view(memo_inputs("guarantee=zero_concentrated", release="tables"), Style())
    assert "asked for" not in unnamed.words
    assert "Infant" not in unnamed.words
    assert unnamed.answer.endswith("what is released, which tables.")
    assert unnamed.releasing == ""


def test_two_hundred_tables_are_five_on_page_one_and_all_in_the_annex() -> None:
    rows = tuple(TableRow(f"Table {place} of many", wish="9", typical=f"{place}") for place in range(1, 201))
    view = memo(rows, noise="gaussian")
    assert [row[0] for row in table(view, SEEN).rows] == [f"Table {place} of many" for place in range(1, 6)]
    assert "5 of 200 tables" in table(view, SEEN).caption
    assert len(table(view, EVERY_TABLE).rows) == 200
    assert html_page(view.document).count(" of many</th>") == 205
    held = WordDocument(io.BytesIO(word_file(view.document))).tables
    assert max(len(one.rows) for one in held) == 201
    assert unheard(slides_file(view.deck)) == []


def test_no_column_of_a_word_file_is_narrower_than_its_longest_word() -> None:
    names = ("Causes of death by age group, sex and district of residence", "Pupils absent more than 20 days by school")
    case = Case(ratio=3.0, tables=tuple(TableRow(name, wish="9", areas="38", typical="90") for name in names))
    word = WordDocument(io.BytesIO(word_file(memo_view(memo_inputs(case=case), Style()).document)))
    narrow = []
    for table in (table for table in word.tables if table.rows[0].cells[0].text == "table"):
        for column in table.columns:
            longest = max((part for cell in column.cells for part in cell.text.split()), key=len)
            narrow += [longest] if column.width < Cm(0.2 * len(longest) + 0.38) else []
        assert sum(column.width for column in table.columns) == pytest.approx(Cm(17), rel=0.001)
    assert narrow == []


def test_tables_that_no_link_can_hold_are_told_and_named() -> None:
    """Names without a pattern do not deflate: each letter is worth more than five bits of the link."""
    dice = random.Random(7)
    rows = tuple(TableRow("".join(dice.choices(ascii_letters, k=50)), wish="9") for _ in range(150))
    view = memo(rows, noise="gaussian")
    assert len(table(view, EVERY_TABLE).rows) == 150
    assert "holds tables" in view.notice
    assert view.notice in words(view, "Who decided, until when")
    assert "missing=tables" in view.address
    assert memo(rows[:5]).notice == ""
