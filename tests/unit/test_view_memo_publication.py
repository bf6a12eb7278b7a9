"""The publication in the memo: page one, the annex and the slides say its page's numbers, about the right people."""

from __future__ import annotations

import io
import json
import math
import random
import re
from string import ascii_letters
from typing import Any

import numpy as np
import pytest
from docx import Document as WordDocument
from pptx import Presentation

from riskline.case.fields import MAX_VALUE_LENGTH, pairs_of, read_pairs
from ui.documents.document import Figure, Paragraph, Section
from ui.documents.page import html_page
from ui.documents.slides import slides_file
from ui.documents.word import word_file
from ui.link import scenario
from ui.pictures.look import Look
from ui.pictures.table import Table
from ui.views.memo import FIELDS, OPTIONAL, MemoInputs, MemoView, carried_query, memo_view
from ui.views.memo.choices import LONGEST_LINK
from ui.views.memo.published import EVERY_TABLE, PUBLISHED
from ui.views.publication import PublicationInputs, TableRow, publication_view

ROWS = (TableRow("**A**", wish="9", typical="3", areas="40"), TableRow("B", wish="20", cells="6", times="3"))
DECIDED, SEEN = "What was decided", "What readers of the tables will see"


def memo(publication: dict[str, Any], choose: str = "guarantee=zero_concentrated", **fields: Any) -> MemoView:
    return memo_view(MemoInputs(choose=choose, publication=carried_query("publication", publication), **fields), Look())


def section(view: MemoView, heading: str) -> Section:
    (found,) = (one for one in view.document.sections if one.heading == heading)
    return found


def words(view: MemoView, heading: str) -> str:
    return " ".join(block.text for block in section(view, heading).blocks if isinstance(block, Paragraph))


def table(view: MemoView, heading: str) -> Table:
    (found,) = (block for block in section(view, heading).blocks if isinstance(block, Table))
    return found


def _charts(view: MemoView, title: str) -> list[Any]:
    """The native charts of a slide."""
    slides = Presentation(io.BytesIO(slides_file(view.deck))).slides
    (slide,) = (one for one in slides if one.shapes.title.text_frame.text == title)
    return [shape.chart for shape in slide.shapes if shape.has_chart]


def test_a_publication_that_shares_the_decided_budget_is_on_page_one_in_the_annex_and_on_slides() -> None:
    """Gaussian ranges: z²/(2ρ) is the square of each, so both are √(need/ρ) of what was asked for."""
    view = memo({"tables": ROWS, "noise": "gaussian"}, phrase="is ill")
    need = 1.959964**2 / 2 * (1 / 9**2 + 3 / 20**2)
    stretch = math.sqrt(need / 0.077)
    told = f"**ρ = 0.077** for **2** tables together: every range asked for is kept, with at least **{100 - 50} %**"
    assert math.floor(100 * (1 - need / 0.077)) == 50
    assert told in words(view, DECIDED)
    person = "someone who thinks it **8 in 100** likely that a given person is ill can come to think it **25 in 100**"
    assert person in words(view, DECIDED)
    assert "budget of its own" not in words(view, DECIDED)
    assert "districts" not in words(view, SEEN)
    ranges = [f"± {math.ceil(10**places * stretch * wish) / 10**places:g}" for wish, places in ((9, 2), (20, 1))]
    relative = f"{math.ceil(1000 * stretch * 9 / 3) / 10:.1f} %"
    assert table(view, SEEN).rows == (("∗∗A∗∗", "± 9", ranges[0], relative), ("B", "± 20", ranges[1], "–"))
    assert "the tables of the publication share" in words(view, "What it costs")
    share = (1 / 9**2) / (1 / 9**2 + 3 / 20**2)
    assert table(view, EVERY_TABLE).rows == (
        ("∗∗A∗∗", "counts", "40", "1", f"{share:.1%}".replace("%", " %"), "± 9", ranges[0], relative),
        ("B", "counts", "1 × 6", "3", f"{1 - share:.1%}".replace("%", " %"), "± 20", ranges[1], "–"),
    )
    assert any(isinstance(block, Figure) for block in section(view, PUBLISHED).blocks)
    first, second = (slide for slide in view.deck.slides if slide.title in ("The publication", PUBLISHED))
    assert told in first.texts[0]
    assert first.table is not None
    assert first.table.rows == table(view, SEEN).rows
    assert second.picture is not None
    page = publication_view(PublicationInputs(tables=ROWS, noise="gaussian"), Look()).frontier
    assert page is not None
    for name in ("cap", "stretch", "cap_today", "stretch_today"):
        assert second.picture.numbers.column(name).numbers == pytest.approx(page.numbers.column(name).numbers)
    (chart,) = _charts(view, PUBLISHED)
    curve, level, today = chart.plots[0].series
    drawn = page.numbers.column("stretch").numbers
    assert list(curve.values) == pytest.approx(drawn[np.isfinite(drawn)].tolist())
    assert (level.name, list(level.values)) == ("as asked", [1.0, 1.0])
    assert list(today.values) == pytest.approx(page.numbers.column("stretch_today").numbers.tolist())
    assert chart.value_axis._element.find(".//{*}logBase").get("val") == "10"
    assert chart.category_axis._element.find(".//{*}logBase") is None
    assert dict(view.addresses)["Plan a publication"].startswith("publication?tables=")
    assert json.loads(view.scenario)["pages"]["publication"]["noise"] == "gaussian"


def test_a_budget_beside_the_decided_one_and_other_people_are_told_apart() -> None:
    beside = memo({"tables": ROWS, "noise": "geometric"}, phrase="is ill")
    assert "This is a budget of its own and not the one decided above." in words(beside, DECIDED)
    assert "that a given person is ill" in words(beside, DECIDED)
    assert "districts" in words(beside, SEEN)
    for other in ({"unit": "household", "group": 4}, {"secret": "value", "relation": "replace"}):
        apart = memo({"tables": ROWS, **other}, phrase="is ill")
        assert "is about another secret, other people or another change" in words(apart, DECIDED)
        assert "is ill" not in words(apart, DECIDED).partition("**ρ = ")[2].partition("What must stay secret")[0]
    unused = memo_view(MemoInputs(publication=" "), Look())
    assert len(unused.deck.slides) == 8
    assert "tables together" not in unused.words


def test_a_households_budget_is_the_same_only_as_that_of_the_household() -> None:
    both = {"unit": "household", "group": 3}
    shared = memo({"tables": ROWS, **both}, "guarantee=zero_concentrated&unit=household&group=3")
    assert "budget of its own" not in words(shared, DECIDED)
    assert "districts" not in words(shared, SEEN)
    (each,) = re.findall(r"The release is made with \*\*ρ = (.*?)\*\*", words(shared, DECIDED))
    assert f"(**ρ = {each}** for one record) for **2** tables together" in words(shared, DECIDED)


@pytest.mark.parametrize(
    ("publication", "told"),
    [
        ({"rule": "same_budget"}, "**1 of 2** ranges asked for is kept"),
        ({"reserve": 0.05}, "**2 of 2** ranges asked for are kept"),
        ({"tables": (TableRow("A", share="1"),)}, "for one table; no range was asked for"),
        ({"tables": (TableRow("A", wish="x"),)}, "gives no answer. Row 1 (A): ± wanted must be a number; got 'x'."),
        ({"relation": "replace"}, "gives no answer."),
    ],
)
def test_other_rules_and_refusals_are_told(publication: dict[str, Any], told: str) -> None:
    rows = (TableRow("A", wish="9"), TableRow("B", wish="90"))
    assert told in words(memo({"tables": rows, "start": "budget", "rho": 0.03, **publication}), DECIDED)


def test_two_hundred_tables_are_five_on_page_one_and_all_in_the_annex() -> None:
    rows = tuple(TableRow(f"Table {place} of many", wish="9", typical=f"{place}") for place in range(1, 201))
    view = memo({"tables": rows, "noise": "gaussian"})
    assert [row[0] for row in table(view, SEEN).rows] == [f"Table {place} of many" for place in range(1, 6)]
    assert "5 of 200 tables" in table(view, SEEN).caption
    assert len(table(view, EVERY_TABLE).rows) == 200
    assert html_page(view.document).count(" of many</th>") == 205
    held = WordDocument(io.BytesIO(word_file(view.document))).tables
    assert max(len(one.rows) for one in held) == 201
    assert slides_file(view.deck).startswith(b"PK")


def test_what_is_too_long_for_a_link_is_told_and_goes_with_the_scenario_file() -> None:
    """Names without a pattern do not deflate: each letter is worth more than five bits of the link."""
    dice = random.Random(7)
    rows = tuple(TableRow("".join(dice.choices(ascii_letters, k=50)), wish="9") for _ in range(95))
    view = memo({"tables": rows, "noise": "gaussian"}, plan="rounds=60", positions="parties=2&name1=Mayor")
    assert MAX_VALUE_LENGTH < len(carried_query("publication", {"tables": rows})) < LONGEST_LINK - 1000
    assert len(table(view, EVERY_TABLE).rows) == 95
    assert view.notice.startswith("What this memo takes from Plan a publication is too long for a link")
    assert view.notice in words(view, "Link and version")
    addresses = dict(view.addresses)
    assert "Plan a publication" not in addresses
    reading = read_pairs(FIELDS, pairs_of(addresses["This memo"].partition("?")[2]))
    assert not reading.refusals
    assert (reading.values["publication"], reading.values["plan"]) == ("", "rounds=60")
    loaded = scenario.read(view.scenario)
    assert not any(loaded.refusals.values())
    assert loaded.pages["publication"]["tables"] == rows
    assert loaded.pages["memo"]["publication"] == ""
    assert memo({"tables": rows[:5]}).notice == ""


def test_a_link_that_is_too_long_as_a_whole_leaves_the_longest_out() -> None:
    dice = random.Random(8)
    rows = tuple(TableRow("".join(dice.choices(ascii_letters, k=50)), wish="9") for _ in range(60))
    plan = "rows=" + "!".join(["d~0.1~1~~A%20name%20of%20a%20row"] * 100)
    inputs = MemoInputs(publication=carried_query("publication", {"tables": rows}), plan=plan, decision="é" * 400)
    assert len(plan) < MAX_VALUE_LENGTH
    assert len(inputs.publication) < MAX_VALUE_LENGTH
    assert inputs.too_long == ("Several releases",)
    assert inputs.in_link.publication == inputs.publication


def test_positions_plan_and_publication_can_be_left_out() -> None:
    left: dict[str, Any] = {f"tell_{stem}": False for stem in OPTIONAL}
    used = {"plan": "rounds=60", "positions": "parties=2&name1=Mayor"}
    view, without = memo({"tables": ROWS}, **used), memo({"tables": ROWS}, **used, **left)
    for words_of_one in ("Mayor", "day 112", "tables together"):
        assert words_of_one in view.words
        assert words_of_one not in without.words
    assert len(without.deck.slides) == 8
    assert set(json.loads(without.scenario)["pages"]) == {"choose", "memo"}
    assert set(dict(without.addresses)) == {"This memo", "Choose a budget", "What it costs"}
    assert "Mayor" not in str(without.addresses)
