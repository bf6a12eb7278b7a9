"""Who pays for a range that is asked for otherwise: the sentence is the difference of two pages."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from riskline.case.tables import HEALTH_YEAR, Sheet, TableRow, asked_otherwise
from ui.pictures.marks import Dots
from ui.pictures.style import Style
from ui.views.publication import PublicationInputs, PublicationView, publication_view

PLAIN, TECHNICAL = Style(), Style(voice="technical")
BEFORE = PublicationInputs()
VACCINATIONS = 4


def paid(after: PublicationInputs, before: Sheet, style: Style = PLAIN) -> str:
    view = publication_view(after, style, before)
    assert view.refusal is None
    return view.paid


def ranges(view: PublicationView) -> dict[object, object]:
    assert view.results is not None
    return {row[0]: row[2] for row in view.results.rows}


@pytest.mark.parametrize(("wish", "verb"), [(18.0, "Paid for by"), (12.0, "Paid for by"), (60.0, "More for")])
def test_ranges_before_and_after_are_those_of_both_pages(wish: float, verb: str) -> None:
    tables = asked_otherwise(HEALTH_YEAR, {VACCINATIONS: wish})
    after = replace(BEFORE, tables=tables)
    said = paid(after, HEALTH_YEAR)
    got, gets = ranges(publication_view(BEFORE, PLAIN)), ranges(publication_view(after, PLAIN))
    assert said.startswith(
        f"**Vaccinations by kind** asks for ± {wish:g} instead of ± 25: now within "
        f"**{gets['Vaccinations by kind']}**, before within {got['Vaccinations by kind']}. {verb} "
    )
    others = re.findall(r"\*\*([^*]+)\*\* \(now within \*\*(± \d+)\*\*, before within (± \d+)\)", said)
    assert others == [(name, gets[name], got[name]) for name, _, _ in others]
    ratio = {name: int(str(gets[name])[2:]) / int(str(got[name])[2:]) for name in got}
    assert all(ratio[name] > 1 if wish < 25 else ratio[name] < 1 for name, _, _ in others)
    moved = [name for name in got if got[name] != gets[name] and name != "Vaccinations by kind"]
    furthest = sorted(moved, key=lambda name: -abs(math.log(ratio[name])))
    assert [name for name, _, _ in others] == furthest[:3]
    assert said.endswith(f"), and {len(moved) - 3} more.") == (len(moved) > 3)


def test_symbols_say_the_same() -> None:
    after = replace(BEFORE, tables=asked_otherwise(HEALTH_YEAR[:2], {0: 15.0}))
    assert paid(after, HEALTH_YEAR[:2], TECHNICAL) == (
        "**Births, each month**: wish ± 20 → ± 15, half width ≤ 12 → ≤ **10**. Wider: "
        "**Infant deaths by district** ≤ 5 → ≤ **6**."
    )


@pytest.mark.parametrize(
    ("changes", "share", "wish"), [({"rule": "same_error"}, "", "18"), ({}, "20 %", "18"), ({}, "", "25.000001")]
)
def test_where_nobody_pays_no_range_changes(changes: dict[str, str], share: str, wish: str) -> None:
    before = tuple(replace(row, share=share if place == VACCINATIONS else "") for place, row in enumerate(HEALTH_YEAR))
    after = tuple(replace(row, wish=wish if place == VACCINATIONS else row.wish) for place, row in enumerate(before))
    said = paid(replace(BEFORE, tables=after, **changes), before)
    assert re.search(r"now within \*\*(± \d+)\*\*, before within \1\. No other range changes\.", said)
    assert "Paid" not in said


def test_a_table_that_moves_alone_says_so() -> None:
    before = (TableRow("A", wish="5"), TableRow("B", wish="9"))
    assert paid(PublicationInputs(tables=asked_otherwise(before, {0: 6.0}), noise="geometric"), before) == (
        "**A** asks for ± 6 instead of ± 5: now within **± 4**, before within ± 3. No other range changes."
    )


@pytest.mark.parametrize(
    "before",
    [
        None,
        HEALTH_YEAR,
        HEALTH_YEAR[:-1],
        tuple(replace(row, name=row.name + "!") for row in HEALTH_YEAR),
        tuple(replace(row, wish=f"{row.wish}0") for row in HEALTH_YEAR),
        asked_otherwise(HEALTH_YEAR, {0: 21.0, 1: 9.0, 2: 61.0, 3: 13.0}),
        (replace(HEALTH_YEAR[0], wish="", share="9 %"), *HEALTH_YEAR[1:]),
        (replace(HEALTH_YEAR[0], wish="twenty"), *HEALTH_YEAR[1:]),
        (replace(HEALTH_YEAR[0], wish="30", times="11"), *HEALTH_YEAR[1:]),
    ],
)
def test_nothing_is_said_of_rows_that_were_changed_otherwise(before: Sheet | None) -> None:
    assert paid(BEFORE, before) == ""  # type: ignore[arg-type]


def test_the_file_of_the_picture_draws_what_is_asked_for_open_and_what_is_got_filled() -> None:
    view = publication_view(BEFORE, PLAIN)
    assert view.ranges is not None
    dots = {mark.x: mark.symbol for mark in view.ranges.marks if isinstance(mark, Dots)}
    assert dots == {"asked": "circle-open", "gets": "circle"}
    assert view.ranges.numbers.column("asked").numbers.tolist() == [20, 8, 60, 12, 25, 400, 10]


def test_a_table_that_came_or_went_is_no_other_wish() -> None:
    for after, before in ((HEALTH_YEAR[:-1], HEALTH_YEAR), (HEALTH_YEAR, HEALTH_YEAR[:-1])):
        assert paid(replace(BEFORE, tables=after), before) == ""
