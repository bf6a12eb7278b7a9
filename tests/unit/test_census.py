"""The 2020 census as it was run: its settings, what each secret moves, and what the noisy tables tell of it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy.special import ndtr

from dpcore.census import (
    CHARACTERISTICS,
    DEMONSTRATION_RHO,
    DEMONSTRATION_SHARES,
    GLOBAL_SCALE,
    LEVELS,
    SECRETS,
    TOTAL_RHO,
    CensusSecret,
    census_tables,
    demonstration_loss,
    level_rho,
)
from dpcore.errors import Code, Refused
from dpcore.guarantees import approximate_epsilon_from_rho_best_order, gaussian_epsilon
from dpcore.populations import CENSUS_LEVELS
from dpcore.tradeoff import trade_off
from riskline.record.tables import all_rows

BLOCK = census_tables(levels=["block"])

# The settings


def test_the_65_tables_share_the_whole_budget_exactly() -> None:
    tables = census_tables()
    assert [sum(table.level == level for table in tables) for level in LEVELS] == [10, 11, 11, 11, 11, 11]
    assert sum(table.share for table in tables) == 1
    for level in LEVELS:
        assert sum(table.query_share for table in census_tables(levels=[level])) == 1
    assert sum(table.rho for table in tables) == TOTAL_RHO == (Fraction(542) / 339) ** 2
    assert round(float(TOTAL_RHO), 2) == 2.56, "as it was published"


def test_the_published_epsilon_is_the_conversion_of_the_rho_that_was_rounded_later() -> None:
    readings = [
        row.reading for row in all_rows() if row.printed == 17.14 and "17.14" in row.reading and "rho" in row.reading
    ]
    assert len(readings) == 2
    assert all("2.556226" in reading for reading in readings)
    assert f"{float(TOTAL_RHO):.6f}" == "2.556226"
    converted = approximate_epsilon_from_rho_best_order(rho=float(TOTAL_RHO), delta=1e-10)
    assert f"{converted:.2f}" == "17.14"
    assert f"{approximate_epsilon_from_rho_best_order(rho=2.56, delta=1e-10):.2f}" == "17.16"


def test_the_levels_and_the_detailed_query_have_the_shares_that_the_thesis_prints() -> None:
    detailed = {table.level: table for table in census_tables(queries=["detailed"])}
    assert [(level.key, level.share, level.gvhr_share) for level in CENSUS_LEVELS] == [
        (level, detailed[level].level_share, detailed[level].query_share) for level in LEVELS
    ]


def test_a_cell_has_the_noise_of_the_global_scale_over_the_share() -> None:
    for table in census_tables():
        assert table.noise.sigma**2 == pytest.approx(float(GLOBAL_SCALE**2 / table.share), rel=1e-12)


# What a secret moves, by making every table of two censuses

Person = tuple[int, int, int, int]
"""Race, Hispanic origin, voting age, and quarters: a household, two kinds of institution, another kind."""
World = list[tuple[Person, str]]
PEOPLE: list[Person] = list(product(range(2), range(2), range(2), range(4)))  # type: ignore[arg-type]
BLOCKS = ["".join(digits) for digits in product("01", repeat=5)]
"""State, county, tract, block group and block, two in each."""
INSTITUTIONS = (0, 1, 1, 2)
CROSSED = {
    "cenrace": lambda person: person[0],
    "hispanic": lambda person: person[1],
    "votingage": lambda person: person[2],
    "hhgq": lambda person: person[3],
    "hhinstlevels": lambda person: INSTITUTIONS[person[3]],
}


@cache
def _cell(query: str, person: Person) -> tuple[int, ...]:
    factors = {"total": [], "detailed": ["cenrace", "hispanic", "votingage", "hhgq"]}.get(query, query.split("*"))
    return tuple(CROSSED[factor](person) for factor in factors)


RHO: dict[tuple[str, str], Fraction] = {(table.level, table.query): table.rho for table in census_tables()}


def moved(one: World, other: World) -> dict[tuple[str, str], list[int]]:
    """By level and query, by how much each cell differs that differs."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for level, query in RHO:
        change: dict[tuple[str, tuple[int, ...]], int] = defaultdict(int)
        for sign, world in ((1, other), (-1, one)):
            for person, block in world:
                change[block[: LEVELS.index(level)], _cell(query, person)] += sign
        found[level, query] = [by for by in change.values() if by]
    return found


def _alternatives(secret: CensusSecret) -> Iterator[tuple[World, World]]:
    """Censuses of one person that the secret leaves possible beside one: all of them, by symmetry."""
    home, herself = BLOCKS[0], PEOPLE[0]
    known = len(home) if secret.place is None else LEVELS.index(secret.place) - 1
    for person, block in product(PEOPLE, BLOCKS):
        same = (
            a == b
            for a, b, name in zip(person, herself, CHARACTERISTICS, strict=True)
            if name not in secret.characteristics
        )
        if all(same) and block[:known] == home[:known]:
            yield [(herself, home)], [(person, block)]


def _exchanges() -> Iterator[tuple[World, World]]:
    """Two people of two states, and the same two with their states exchanged, wherever they go there."""
    nearer = ("0" * depth + "1" + "0" * (4 - depth) for depth in range(1, 5))
    there = ["00000", *nearer]
    for somebody, b, c in product(PEOPLE, there, there):
        yield [(PEOPLE[0], "00000"), (somebody, "10000")], [(PEOPLE[0], "1" + b[1:]), (somebody, c)]


def _rho(changes: dict[tuple[str, str], list[int]]) -> Fraction:
    squares = {place: sum(by * by for by in changes[place]) for place in RHO}
    return sum((RHO[place] / 2 * square for place, square in squares.items() if square), Fraction(0))


def test_two_people_who_change_alike_beside_their_states_move_cells_of_the_nation_by_two() -> None:
    before, after = PEOPLE[0], PEOPLE[-1]
    changes = moved([(before, "00000"), (before, "10000")], [(after, "11111"), (after, "01111")])
    assert ("state", "total") not in {place for place, by in changes.items() if by}
    within, alike = SECRETS["record_within_state"].rho(), _rho(changes)
    assert alike == 2 * within + 2 * level_rho("nation")
    assert round(float(alike), 3) == 3.588
    assert max(abs(by) for by in changes["nation", "detailed"]) == 2


ANY = [
    *SECRETS.values(),
    CensusSecret(characteristics=("race", "voting_age"), place="tract"),
    CensusSecret(characteristics=("hispanic", "group_quarters")),
]


@pytest.mark.parametrize("secret", ANY, ids=str)
def test_a_secret_moves_the_cells_that_its_largest_pair_of_censuses_moves(secret: CensusSecret) -> None:
    pairs: Iterable[tuple[World, World]] = _exchanges() if secret.exchanged else _alternatives(secret)
    largest = Fraction(0)
    most = {(table.level, table.query): secret.cells(table) for table in census_tables()}
    for one, other in pairs:
        changes = moved(one, other)
        for place, by in changes.items():
            assert set(by) <= {-1, 1}
            assert len(by) <= most[place]
        largest = max(largest, _rho(changes))
        if secret.exchanged:
            assert not changes["state", "total"]
    assert largest == secret.rho()


# What the tables tell

PRINTED = {
    "race": ("1.008801", ".102144", 76.2, 59.0),
    "hispanic": ("1.000674", ".101642", 76.1, 59.0),
    "voting_age": (".600995", ".101642", 70.9, 59.0),
    "group_quarters": (".555377", ".099331", 70.1, 58.9),
    "place_within_state": ("1.593354", ".102898", 81.4, 59.0),
    "record_within_state": ("1.729227", ".102898", 82.4, 59.0),
    "record": ("2.556226", ".102898", 87.1, 59.0),
    "exchange_between_states": ("3.328741", ".205795", 90.2, 62.6),
}
"""ρ of all levels and of the block's tables, right guesses of 100 at an even prior, rounded up: by a second program."""


def _of_100(guess: float) -> float:
    return math.ceil(1000 * guess) / 10


@cache
def _loss(name: str):  # type: ignore[no-untyped-def]
    return SECRETS[name].privacy_loss()


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_has_the_rho_and_the_right_guess_of_a_second_program(name: str) -> None:
    secret = SECRETS[name]
    rho, rho_block, guess, guess_block = PRINTED[name]
    assert f"{float(secret.rho()):.6f}".lstrip("0") == rho
    assert f"{float(secret.rho(BLOCK)):.6f}".lstrip("0") == rho_block
    for loss, printed in ((_loss(name), guess), (secret.privacy_loss(BLOCK), guess_block)):
        bracket = loss.right_guess_bracket()
        assert 0 <= bracket.width < 2e-4
        assert _of_100(bracket.high) == printed


def test_the_totals_of_the_states_had_a_third_of_the_budget() -> None:
    totals = census_tables(levels=["state"], queries=["total"])
    within, any_record = SECRETS["record_within_state"], SECRETS["record"]
    assert any_record.rho() - within.rho() == any_record.rho(totals) == sum(table.rho for table in totals)
    assert round(float(any_record.rho(totals)), 6) == 0.826998


def test_one_table_tells_less_than_the_eleven_of_its_level() -> None:
    record = SECRETS["record"]
    assert round(float(record.rho(census_tables(queries=["detailed"]))), 6) == 0.548121
    of_tract = [
        float(record.rho(census_tables(levels=["tract"], queries=[query])))
        for query in ("hispanic*cenrace", "detailed")
    ]
    assert [round(rho, 6) for rho in of_tract] == [0.201890, 0.050342]


@pytest.mark.parametrize(
    ("name", "low", "high"), [("record", 16.4624, 16.4652), ("record_within_state", 13.122, 13.130)]
)
def test_epsilon_lies_between_brackets_round_its_normal_limit(name: str, low: float, high: float) -> None:
    bracket = _loss(name).epsilon_bracket(1e-10)
    assert low < bracket.low < bracket.high < high
    limit = gaussian_epsilon(rho=float(SECRETS[name].rho()), delta=1e-10)
    assert bracket.low < limit < bracket.high + 1e-5
    at_low, at_high = (_loss(name).delta_bracket(epsilon) for epsilon in (bracket.low, bracket.high))
    assert at_low.high >= 1e-10 * (1 - 1e-6)
    assert at_high.low <= 1e-10 * (1 + 1e-6)


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["race", "record"])
def test_the_numbers_lie_between_those_of_dp_accounting(name: str) -> None:
    secret, law = SECRETS[name], {}
    for pessimistic in (False, True):
        for table in census_tables():
            if cells := secret.cells(table):
                one = pld.from_discrete_gaussian_mechanism(
                    sigma=table.noise.sigma,
                    value_discretization_interval=2e-3,
                    pessimistic_estimate=pessimistic,
                    use_connect_dots=False,
                ).self_compose(cells)
                law[pessimistic] = law[pessimistic].compose(one) if pessimistic in law else one
    found, theirs = _loss(name).epsilon_bracket(1e-10), [law[side].get_epsilon_for_delta(1e-10) for side in law]
    assert theirs[0] < found.low < found.high < theirs[1]
    guess = _loss(name).right_guess_bracket()
    assert law[False].get_delta_for_epsilon(0.0) / 2 + 0.5 < guess.low < guess.high
    assert guess.high < law[True].get_delta_for_epsilon(0.0) / 2 + 0.5


def test_its_trade_off_is_that_of_the_law() -> None:
    loss = SECRETS["race"].privacy_loss(BLOCK)
    curve = trade_off(loss)
    assert curve.certainty == "bound"
    for prior in (0.02, 0.5, 0.7):
        assert curve.right_guess(prior=prior) == pytest.approx(loss.right_guess_bracket(prior=prior).high, abs=1e-9)
    epsilon = math.log(3)
    best = max(curve.detection(x / 1000) - 3 * x / 1000 for x in range(1, 1000))
    assert best <= loss.delta_at(epsilon) < best + 2e-5


def test_levels_that_do_not_show_the_secret_tell_nothing() -> None:
    secret, nation = SECRETS["place_within_state"], census_tables(levels=["nation", "state"])
    loss = secret.privacy_loss(nation)
    assert secret.rho(nation) == 0
    assert (loss.epsilon_at(0.0), loss.delta_at(0.0), loss.right_guess_bracket(prior=0.3).high) == (0.0, 0.0, 0.7)
    assert trade_off(loss).right_guess() == 0.5


# The published computation


def test_the_demonstration_plan_spends_its_budget() -> None:
    assert sum(share * releases for share, releases in DEMONSTRATION_SHARES) == 1
    assert float(DEMONSTRATION_RHO) == 3.65


def test_the_published_epsilon_of_the_plan_is_larger_by_the_term_it_leaves_out() -> None:
    loss, published = demonstration_loss(), 0.9485 * 21.97
    assert round(published, 2) == 20.84
    assert round(loss.loss_tail(published), 12) == 1e-10, "what was held to be delta"
    first, second = ndtr((np.array([3.65, -3.65]) - published) / math.sqrt(7.3))  # the normal limit in both worlds
    assert loss.loss_tail(published) == pytest.approx(first, rel=1e-5)
    assert loss.delta_at(published) == pytest.approx(first - math.exp(published) * second, rel=1e-5)
    assert loss.epsilon_at(1e-10) == pytest.approx(20.32469, abs=1e-5)
    assert loss.epsilon_at(1e-10) == pytest.approx(gaussian_epsilon(rho=3.65, delta=1e-10), abs=1e-5)


# Refusals


def test_what_is_not_there_is_refused() -> None:
    for call, code, text in (
        (lambda: census_tables(levels=["street"]), Code.UNKNOWN_CHOICE, "levels must be one of 'nation', 'state'"),
        (
            lambda: census_tables(levels="block"),
            Code.WRONG_TYPE,
            "levels must be a list of at least one name; got 'block'",
        ),
        (lambda: census_tables(levels=[]), Code.EMPTY, r"levels must be a list of at least one name; got \[\]"),
        (lambda: census_tables(queries=["detailed"] * 2), Code.REPEATED, "queries must name each once; got"),
        (lambda: CensusSecret(characteristics=["age"]), Code.UNKNOWN_CHOICE, "characteristics must be one of 'race'"),
        (lambda: CensusSecret(place="nation"), Code.OUT_OF_RANGE, "place must not be the nation, there is one"),
        (lambda: CensusSecret(), Code.EMPTY, "characteristics or place must differ between the two possibilities"),
        (
            lambda: CensusSecret(characteristics=["race"], place="state", exchanged=True),
            Code.INCONSISTENT,
            "exchanged must come with a place alone; got True",
        ),
        (
            lambda: CensusSecret(place="county").rho(["a"]),
            Code.WRONG_TYPE,
            r"tables must be tables of census_tables\(\)",
        ),
        (lambda: _loss("race").right_guess_bracket(prior=2), Code.OUT_OF_RANGE, r"prior must lie in \[0, 1\]"),
    ):
        with pytest.raises(Refused, match=text) as told:
            call()
        assert told.value.code is code
