"""What readers of a publication's tables are told, against sums that are made from the noise one by one."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from riskline.case.fields import read_pairs
from riskline.case.tables import TableRow
from riskline.case.value import Case
from ui.link.page_table import page_entry
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.publication import (
    PublicationInputs,
    PublicationView,
    publication_view,
    reading_told,
)
from ui.views.publication.choices import PUBLIC, READINGS
from ui.views.publication.noisy_readings import Reading
from ui.views.shared.typed_districts import Area, decode_areas, decode_districts, encode_areas

OWN = (Area("Ash", 4, 1000), Area("Birch", 1, 90), Area("Elm", 9, 2000), Area("", 0, 30))
REACH = 100


def view_of(**choices: Any) -> PublicationView:
    return publication_view(PublicationInputs(**({"start": "budget", "areas": OWN} | choices)), Style())


def column(table: Any, head: str) -> list[str]:
    return [str(row[table.columns.index(head)]) for row in table.rows]


def geometric(rate: float) -> dict[int, float]:
    weights = {k: math.exp(-rate * abs(k)) for k in range(-REACH, REACH + 1)}
    return {k: weight / sum(weights.values()) for k, weight in weights.items()}


def discrete_gaussian(variance: float) -> dict[int, float]:
    weights = {k: math.exp(-k * k / (2 * variance)) for k in range(-REACH, REACH + 1)}
    return {k: weight / sum(weights.values()) for k, weight in weights.items()}


def rounded_laplace(scale: float) -> dict[int, float]:
    def below(x: float) -> float:
        return 0.5 * math.exp(x / scale) if x < 0 else 1 - 0.5 * math.exp(-x / scale)

    return {k: below(k + 0.5) - below(k - 0.5) for k in range(-REACH, REACH + 1)}


def met(count: int, people: int | None, chosen: dict[str, Any]) -> bool:
    value = Fraction(count) if people is None else Fraction(1000 * count, people)
    aim = Fraction(str(chosen.get("target", 20) if people is None else chosen.get("rate", 4.0)))
    return value >= aim if chosen.get("met") == "at_least" else value <= aim


def chances(areas: tuple[Area, ...], law: dict[int, float], chosen: dict[str, Any]) -> list[float]:
    """Chance of each area to be published on the other side of the target, noise by noise."""
    return [
        sum(
            chance
            for noise, chance in law.items()
            if met(area.count + noise, area.people, chosen) != met(area.count, area.people, chosen)
        )
        for area in areas
    ]


CASES: list[tuple[dict[str, Any], dict[int, float]]] = [
    ({"noise": "geometric", "epsilon": 0.6, "tables": (TableRow("A", wish="9", times="2"),)}, geometric(0.3)),
    (
        {
            "noise": "geometric",
            "epsilon": 2.4,
            "tables": (TableRow("A", wish="9", areas="4", places="2"),),
            "unit": "household",
            "group": 3,
        },
        geometric(2.4 / 6),
    ),
    (
        {
            "noise": "discrete_gaussian",
            "rho": 0.2,
            "tables": (TableRow("A", wish="9", areas="4"),),
            "secret": "value",
            "relation": "replace",
        },
        discrete_gaussian(1 / 0.2),
    ),
    (
        {
            "noise": "discrete_gaussian",
            "rho": 0.4,
            "tables": (TableRow("A", wish="9", areas="2"),),
            "unit": "household",
            "group": 2,
        },
        discrete_gaussian(2**2 / 0.8),
    ),
    ({"noise": "laplace", "epsilon": 0.5, "tables": (TableRow("A", wish="9"),)}, rounded_laplace(2.0)),
]


@pytest.mark.parametrize(
    ("choices", "law"), CASES, ids=["geometric", "household", "replace", "concentrated_household", "laplace"]
)
def test_the_areas_on_the_wrong_side_are_those_of_the_noise(choices: dict[str, Any], law: dict[int, float]) -> None:
    own_counts = tuple(Area(area.name, area.count) for area in OWN)
    for areas, aim in (
        *product([OWN], ({}, {"rate": 0.0}, {"rate": 4.5, "met": "at_least"}, {"met": "at_least"})),
        *product([own_counts], ({"target": 4}, {"target": 4, "met": "at_least"}, {"target": 0})),
    ):
        view = view_of(areas=areas, **choices, **aim)
        expected = chances(areas, law, aim)
        assert view.wrong_sides is not None
        assert view.wrong_sides.numbers.column("chance").numbers.tolist() == pytest.approx(expected, abs=1e-9)
        number_wrong = view.wrong_python.answer[0].value  # type: ignore[union-attr]
        assert number_wrong == pytest.approx(math.fsum(expected), abs=1e-9)
        assert f"**{number_wrong:.2g} of 4** areas" in view.wrong
        law_of_number = [0.0] * 5
        for happens in product((False, True), repeat=4):
            law_of_number[sum(happens)] += math.prod(
                p if wrong else 1 - p for p, wrong in zip(expected, happens, strict=True)
            )
        low = max(k for k in range(5) if sum(law_of_number[:k]) <= 0.025)
        high = min(k for k in range(5) if sum(law_of_number[k + 1 :]) <= 0.025)
        assert (f"**{low} to {high}**" if low < high else f"**{low}**") in view.wrong


def test_the_areas_at_risk_stand_the_smallest_first_and_no_other_does() -> None:
    view = view_of(noise="geometric", epsilon=1.0, tables=(TableRow("A", wish="9"),))
    expected = chances(OWN, geometric(1.0), {})
    risky = sorted((area.people, area.name) for area, chance in zip(OWN, expected, strict=True) if chance >= 0.05)
    assert column(view.at_risk, "area") == [name or "area 4" for _, name in risky]
    assert column(view.at_risk, "people") == [f"{people:,}" for people, _ in risky]
    assert view_of(noise="geometric", epsilon=60.0, tables=(TableRow("A", wish="9"),)).at_risk is None


def test_the_first_view_tells_of_areas_that_were_given_and_never_of_invented_ones() -> None:
    view = view_of(noise="geometric", epsilon=1.0, tables=(TableRow("Cases", wish="9"),))
    assert view.small_places.startswith("**")
    assert "areas of “Cases” are published on the wrong side of 4 in a thousand people" in view.small_places
    assert view.wrong.startswith("Your areas")
    invented = publication_view(PublicationInputs(), Style())
    assert invented.small_places == ""
    assert invented.wrong.startswith("An example with invented areas")


def test_a_row_alone_is_told_as_a_bound_and_what_it_takes_to_be_safe() -> None:
    rows = (TableRow("Cases", wish="9", areas="40", typical="12"),)
    view = publication_view(PublicationInputs(noise="geometric", start="budget", epsilon=0.5, tables=rows), Style())
    law = geometric(0.5)
    beside = max(chances((Area("x", 20 + excess),), law, {"target": 20})[0] for excess in range(-30, 31))
    far = next(d for d in range(1, 99) if chances((Area("x", 20 + d),), law, {"target": 20})[0] <= 0.01)
    assert chances((Area("x", 20 - far),), law, {"target": 20})[0] <= 0.01
    assert "Only a typical number, 12, is given of 40 areas in “Cases”" in view.wrong_unknown
    assert f"lies at least {far} off its target does so at most 1 of 100 times" in view.wrong_unknown
    assert f"no more than {math.ceil(400 * beside) / 10:g} of them" in view.wrong_unknown
    assert view_of(tables=rows).wrong_unknown == ""


def test_the_table_is_the_one_that_is_chosen_or_the_one_whose_noise_weighs_most() -> None:
    rows = (
        TableRow("Total", "total", wish="5", low="0", high="9", typical="1"),
        TableRow("Wide", wish="90", typical="900"),
        TableRow("Weighs most", wish="30", typical="20"),
    )
    assert "“Weighs most”" in view_of(tables=rows).wrong
    assert "“Wide”" in view_of(tables=rows, row=2).wrong
    assert "“Weighs most”" in view_of(tables=rows, row=1).wrong  # a total has no counts to compare
    untyped = (TableRow("Narrow", wish="5"), TableRow("Wide", wish="50"))
    assert "“Wide”" in view_of(tables=untyped).wrong
    view = view_of(tables=rows[:1])
    assert view.wrong == "What readers make of areas is told for a table of counts; none is published here."
    assert view.wrong_sides is None


@pytest.mark.parametrize("choices", [choices for choices, _ in CASES])
def test_one_count_is_handed_on_with_the_noise_that_it_has_here(choices: dict[str, Any]) -> None:
    rows = choices["tables"]
    choices = choices | {"tables": (TableRow(**(vars(rows[0]) | {"typical": "40"})),), "level": 0.9}
    said = ("noise", "secret", "relation", "unit", "group")
    view = view_of(**choices, case=Case(**{name: choices[name] for name in said if name in choices}))
    assert view.one_count is not None
    assert view.one_count.stem == "accuracy"
    reading = read_pairs(page_entry("accuracy").fields, view.one_count.query)
    assert not reading.refusals
    promise = {name: choices[name] for name in ("secret", "relation", "unit", "group") if name in choices}
    inputs = AccuracyInputs(**reading.values | promise | {"noise": choices["noise"]})
    assert inputs.level == 0.9
    assert (inputs.count, inputs.places) == (AccuracyInputs().count, AccuracyInputs().places)
    error = accuracy_view(inputs, Style()).error
    assert error is not None
    assert view.ranges is not None
    assert error.half_width == pytest.approx(view.ranges.numbers.column("gets").numbers[0], rel=1e-12)


def test_a_count_whose_budget_the_other_page_cannot_hold_is_not_handed_on() -> None:
    rows = (TableRow("A", wish="9", times="50"),)
    assert view_of(tables=rows, noise="geometric", epsilon=0.001).one_count is None
    assert view_of(tables=rows, noise="geometric", epsilon=1.0).one_count is not None


def test_one_count_is_not_handed_on_to_a_page_that_would_show_another_noise() -> None:
    rows = (TableRow("A", wish="9"),)
    assert view_of(tables=rows, noise="laplace").one_count is None
    assert view_of(tables=rows, noise="laplace", case=Case(noise="laplace")).one_count is not None


def test_many_areas_need_no_link_to_hold_them() -> None:
    many = tuple(Area(f"{math.sin(place):.12f}".replace(".", " "), 7 * place, 900 + 13 * place) for place in range(412))
    view = view_of(areas=many, tables=(TableRow("A", wish="9"),))
    assert "of 412** areas" in view.wrong
    assert view.notice == ""


# ---- readings -------------------------------------------------------------------------------------------------------

THREE = (Area("Ash", 9, 40), Area("Birch", 6, 50), Area("Elm", 6, 7))
NEAR = 24
ONE_TABLE = (TableRow("Cases", wish="9"),)
ONE = {"noise": "geometric", "epsilon": 0.9, "tables": ONE_TABLE}


def reading_of(**choices: Any) -> Reading:
    told = reading_told(PublicationInputs(**({"start": "budget", "areas": THREE} | choices)), Style())
    assert told is not None
    return told


def near(law: dict[int, float]) -> dict[int, float]:
    return {k: chance for k, chance in law.items() if abs(k) <= NEAR}


LAWS: list[tuple[dict[str, Any], dict[int, float]]] = [
    (ONE, near(geometric(0.9))),
    ({"noise": "discrete_gaussian", "rho": 0.1, "tables": ONE_TABLE}, near(discrete_gaussian(5.0))),
]
BOTH = pytest.mark.parametrize(("choices", "law"), LAWS, ids=["geometric", "discrete_gaussian"])


def half_width(outcomes: dict[float, float], level: float) -> float:
    """Smallest distance that holds the level, from the outcomes one by one."""
    held = 0.0
    for distance in sorted({abs(k) for k in outcomes}):
        held += sum(chance for k, chance in outcomes.items() if abs(k) == distance)
        if held >= level:
            return distance
    raise AssertionError("the noise does not reach so far")


def answers(told: Reading) -> list[float]:
    assert told.python is not None
    return [number.value for number in told.python.answer]


@BOTH
def test_an_order_is_that_of_two_noises(choices: dict[str, Any], law: dict[int, float]) -> None:
    told = reading_of(**choices, first=2, second=1)
    wrong = sum(law[x] * law[y] for x in law for y in law if 9 + x < 6 + y)
    tied = sum(law[x] * law[y] for x in law for y in law if 9 + x == 6 + y)
    assert answers(told) == pytest.approx([wrong], abs=1e-9)
    assert (
        f"“Ash”, with 9, and “Birch”, with 6, are published in the wrong order **{round(100 * wrong)} of" in told.words
    )
    assert f"with the same count {round(100 * tied)} of 100 times" in told.words
    assert f"Of all 2 pairs of areas with different counts {2 * wrong:.2g} are" in told.small_print
    assert told.picture is not None
    assert told.picture.numbers.column("wrong_here").numbers[0] == pytest.approx(wrong, abs=1e-9)
    same = reading_of(**choices, first=2, second=3)
    assert answers(same) == pytest.approx([sum(chance**2 for chance in law.values())], abs=1e-9)
    assert reading_of(**choices, first=2, second=2).words == "Two areas are needed for this: choose another one."


@BOTH
def test_a_difference_is_that_of_two_noises(choices: dict[str, Any], law: dict[int, float]) -> None:
    outcomes: dict[float, float] = {}
    for x, y in product(law, law):
        outcomes[x - y] = outcomes.get(x - y, 0.0) + law[x] * law[y]
    told = reading_of(**choices, reading="difference", level=0.9)
    assert answers(told) == [half_width(outcomes, 0.9)]
    each = half_width({float(k): chance for k, chance in law.items()}, 0.9)
    assert f"of the true one, 3, at least 90 of 100 times; each of the two counts is within ± {each:g}" in told.words


@BOTH
def test_a_share_leaves_out_what_its_noise_rules_out_and_nothing_else(
    choices: dict[str, Any], law: dict[int, float]
) -> None:
    def as_far(share: float, area: Area, of: dict[int, float]) -> float:
        """Chance of noise as far from nought as was published, if this were the share."""
        distance = abs(area.count - share * (area.people or 0))
        return sum(law[x] * of[y] for x in law for y in of if abs(x - share * y) >= distance - 1e-9)

    told = reading_of(**choices, reading="share")
    low, high = (end / 100 for end in answers(told))
    for end, outwards in ((low, -1e-5), (high, 1e-5)):
        assert as_far(end + outwards, THREE[0], law) <= 0.05
        assert as_far(end - outwards, THREE[0], law) > 0.05
    public = reading_of(**choices, reading="share", whole=PUBLIC)
    width = half_width({float(k): chance for k, chance in law.items()}, 0.95)
    assert answers(public) == pytest.approx([100 * (9 - width) / 40, 100 * (9 + width) / 40])
    assert "of 40, the latter public, its true share is no less than" in public.words
    whole = {0: 1.0}
    assert as_far((9 + width + 0.01) / 40, THREE[0], whole) <= 0.05
    assert "holds the true share at least 95 of 100 times, whatever the true counts are" in public.small_print
    top = reading_of(**choices, reading="share", first=3, level=0.8)
    assert top.table is not None
    assert [row[0] for row in top.table.rows] == ["Elm", "Birch"]
    assert float(str(top.table.rows[0][-1]).removesuffix(" %")) <= 100


def test_a_share_has_the_noise_of_the_table_that_its_whole_is_published_in() -> None:
    rows = (TableRow("Cases", share="10 %"), TableRow("Births", share="90 %"))
    common = {"noise": "geometric", "epsilon": 1.0, "tables": rows, "row": 1, "reading": "share"}
    same, other = reading_of(**common), reading_of(**common, whole=2)
    assert "the latter in “Cases” with noise of its own" in same.words
    assert "the latter in “Births” with noise of its own" in other.words
    assert answers(other)[1] < answers(same)[1]
    assert other.python is not None
    assert "whole_noise = Geometric(epsilon=0.9)" in other.python.text


@BOTH
def test_a_rank_is_that_of_all_noises_together(choices: dict[str, Any], law: dict[int, float]) -> None:
    by_rank = [0.0] * 3
    for x, y, z in product(law, law, law):
        by_rank[(6 + y > 9 + x) + (6 + z > 9 + x)] += law[x] * law[y] * law[z]
    told = reading_of(**choices, reading="rank")
    assert answers(told) == pytest.approx(by_rank[:1], abs=1e-9)
    low = max(k for k in range(3) if sum(by_rank[:k]) <= 0.025) + 1
    high = min(k for k in range(3) if sum(by_rank[k + 1 :]) <= 0.025) + 1
    assert f"stands at rank **1** by its true count. Its published rank is **{low} to {high}**" in told.words
    assert told.picture is not None
    shown = told.picture.numbers.column("probability").numbers
    assert shown.tolist() == pytest.approx(by_rank, abs=1e-9)
    second = reading_of(**choices, reading="rank", first=2)
    assert "stands at rank **2**" in second.words


@BOTH
def test_averages_are_those_of_all_noises_together(choices: dict[str, Any], law: dict[int, float]) -> None:
    medians: dict[float, float] = {}
    means: dict[float, float] = {}
    for x, y, z in product(law, law, law):
        chance = law[x] * law[y] * law[z]
        middle = sorted((9 + x, 6 + y, 6 + z))[1] - 6
        medians[middle] = medians.get(middle, 0.0) + chance
        means[x + y + z] = means.get(x + y + z, 0.0) + chance
    told = reading_of(**choices, reading="average", level=0.9)
    assert answers(told) == pytest.approx([half_width(medians, 0.9), half_width(means, 0.9) / 3])
    assert "The median of the 3 counts, **6**" in told.words
    assert "their mean, **7**" in told.words


def test_readings_that_cannot_be_told_are_a_sentence() -> None:
    def words(**choices: Any) -> str:
        return reading_of(**(ONE | choices)).words

    assert words(reading="share", areas=(Area("Ash", 3),)).startswith("A share needs the number of people")
    assert words(reading="share", areas=(Area("Ash", 3, 2),), exceeding=True).startswith(
        "“Ash” has a larger count than people"
    )
    assert words(reading="order", areas=(Area("Ash", 3),)).startswith("Two areas are needed")
    assert words(reading="rank", areas=(Area("Ash", 3),)).startswith("Two areas are needed")
    many = tuple(Area("", place) for place in range(500))
    assert words(reading="rank", areas=many, epsilon=0.01).startswith("The noise is too wide")
    wide = {"tables": (TableRow("A", wish="9", times="2000"),), "epsilon": 0.5}
    assert words(reading="share", **wide).startswith("The noise is too wide")
    assert words(reading="average", **wide | {"epsilon": 1e-4}).startswith("The noise is too wide")
    assert "must lie in [0.01, 0.999999]" in words(reading="average", level=0.9999999)
    assert (
        reading_told(PublicationInputs(tables=(TableRow("T", "total", wish="5", low="0", high="9"),)), Style()) is None
    )
    assert reading_told(PublicationInputs(line="constant", ratio=1.0), Style()) is None


ROWS = "\n".join(f"Area {place},{500 + 40 * place},{1 + place % 9}" for place in range(100))


def test_columns_in_another_order_are_read_by_their_heads_and_refused_without_them() -> None:
    """0.3 took the people for the counts under these heads, and told that no area is on the wrong side."""
    right = tuple(Area(f"Area {place}", 1 + place % 9, 500 + 40 * place) for place in range(100))
    headed = decode_areas(f"area,people,true count\n{ROWS}")
    assert headed == right
    view, swapped = view_of(areas=headed), decode_areas(ROWS)
    expected = float(view.wrong.partition("**")[2].partition(" of")[0])
    assert expected > 20
    refused = view_of(areas=swapped)
    assert refused.wrong.startswith("Area 0: 500 are counted of 1 person. Where columns stand in another order")
    assert refused.wrong_sides is refused.at_risk is refused.wrong_python is refused.one_count is None
    assert refused.small_places == ""
    assert refused.answer == view.answer
    for reading in READINGS:
        told = reading_of(areas=swapped, reading=reading)
        assert told == Reading(refused.wrong)
    confirmed = view_of(areas=swapped, exceeding=True)
    assert "**less than 0.001 of 100** areas" in confirmed.wrong
    assert reading_of(areas=swapped, exceeding=True, reading="rank").picture is not None


def test_as_many_cases_as_people_need_no_word() -> None:
    assert view_of(areas=(Area("Ash", 9, 9), Area("Elm", 3, 40))).at_risk is not None
    assert view_of(areas=(Area("Ash", 10, 9), Area("Elm", 3, 40))).at_risk is None


@pytest.mark.parametrize("rated", [True, False])
@pytest.mark.parametrize("name", ["Ash", "=Ash, North", "-1", "St. Mary; South"])
def test_the_table_of_areas_at_risk_reads_back_as_it_leaves(rated: bool, name: str) -> None:
    areas = tuple(Area(f"{name} {place}", 1000 + place, 250_000 + place if rated else None) for place in range(6))
    told = view_of(areas=areas, target=1002).at_risk
    assert told is not None
    found = decode_areas(told.as_csv())
    assert len(found) == len(told.rows) > 3
    assert set(found) <= set(decode_areas(encode_areas(areas)))


def test_the_example_of_districts_reads_back_as_it_leaves() -> None:
    view = accuracy_view(AccuracyInputs(), Style())
    assert decode_districts(view.example.as_csv()) == AccuracyInputs().places
