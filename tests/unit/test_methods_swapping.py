"""Permutation swapping: its procedure followed step by step, the bound, and what a published place is worth."""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.methods import PermutationSwapping

RATES = (0.01, 0.05, 0.2, 0.5, 0.7, 0.97)
BOTH = ("stays", "redo")


def followed(places: Sequence[str], rate: float, single: str) -> dict[tuple[str, ...], float]:
    """The law of the published places, by every selection and every derangement of it."""
    size = len(places)
    law: dict[tuple[str, ...], float] = defaultdict(float)
    weights: list[tuple[tuple[int, ...], float]] = []
    for chosen in itertools.product((False, True), repeat=size):
        selected = tuple(record for record in range(size) if chosen[record])
        weights.append((selected, rate ** len(selected) * (1 - rate) ** (size - len(selected))))
    if single == "redo":
        weights = [(selected, weight) for selected, weight in weights if len(selected) != 1]
    total = sum(weight for _, weight in weights)
    for selected, weight in weights:
        if len(selected) < 2:
            law[tuple(places)] += weight / total
            continue
        moves = [
            order
            for order in itertools.permutations(selected)
            if all(there != here for here, there in zip(selected, order, strict=True))
        ]
        for order in moves:
            published = list(places)
            for here, there in zip(selected, order, strict=True):
                published[here] = places[there]
            law[tuple(published)] += weight / total / len(moves)
    return dict(law)


@pytest.mark.parametrize("single", BOTH)
@pytest.mark.parametrize("places", ["ab", "aa", "abc", "aab", "abcd", "aabb", "abcde", "aabbb"])
def test_the_law_of_an_arrangement_is_that_of_the_procedure(places: str, single: Any) -> None:
    for rate in RATES:
        law = PermutationSwapping(rate=rate, single=single).arrangement_law(list(places))
        assert law == pytest.approx(followed(places, rate, single), rel=1e-12)


@pytest.mark.parametrize("size", [6, 7, 8])
def test_the_law_of_many_records_sums_to_one(size: int) -> None:
    for rate in (0.05, 0.97):
        law = PermutationSwapping(rate=rate).arrangement_law(list("abcdefgh")[:size])
        assert len(law) == math.factorial(size)
        assert math.fsum(law.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("single", BOTH)
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_bound_holds_for_every_two_arrangements_and_an_exchange_reaches_its_epsilon(size: int, single: Any) -> None:
    everybody = tuple(range(size))
    for rate in RATES:
        swapping = PermutationSwapping(rate=rate, single=single)
        laws = {there: followed(there, rate, single) for there in itertools.permutations(everybody)}  # type: ignore[arg-type]
        largest = 0.0
        for there, law in laws.items():
            differ = sum(one != other for one, other in zip(everybody, there, strict=True))
            ratio = max(abs(math.log(law[seen] / chance)) for seen, chance in laws[everybody].items())
            assert ratio <= differ * swapping.epsilon_per_record(size) + 1e-9
            if differ == 2:
                largest = max(largest, ratio)
        assert swapping.exchange_epsilon(size) == pytest.approx(largest, abs=1e-10)


@pytest.mark.parametrize("single", BOTH)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_published_place_is_the_true_one_as_often_as_said(size: int, single: Any) -> None:
    places = [str(place) for place in range(size)]
    for rate in RATES:
        swapping = PermutationSwapping(rate=rate, single=single)
        law = followed(places, rate, single)
        kept = sum(chance for published, chance in law.items() if published[0] == places[0])
        assert swapping.probability_kept(size) == pytest.approx(kept)
        belief = swapping.place_posterior(places, person=0)
        assert belief["0"] == pytest.approx(kept)
        assert [belief[place] for place in places[1:]] == pytest.approx([(1 - kept) / (size - 1)] * (size - 1))


def test_the_belief_in_a_place_is_that_of_bayes_over_all_arrangements() -> None:
    published = ("a", "a", "b", "c", "b")
    for single in BOTH:
        swapping = PermutationSwapping(rate=0.3, single=single)  # type: ignore[arg-type]
        arrangements = sorted(set(itertools.permutations(published)))
        likelihood = {there: followed(there, 0.3, single).get(published, 0.0) for there in arrangements}
        total = sum(likelihood.values())
        for person in range(5):
            by_bayes: dict[str, float] = defaultdict(float)
            for there, chance in likelihood.items():
                by_bayes[there[person]] += chance / total
            assert swapping.place_posterior(published, person=person) == pytest.approx(dict(by_bayes))


def test_two_worlds_have_the_laws_of_both_arrangements() -> None:
    swapping = PermutationSwapping(rate=0.05)
    worlds = swapping.two_worlds(present=list("bacd"), absent=list("abcd"))
    here, there = followed("bacd", 0.05, "stays"), followed("abcd", 0.05, "stays")
    for value, p, q in zip(worlds.values, worlds.present, worlds.absent, strict=True):
        assert p == pytest.approx(here[value])  # type: ignore[index]
        assert q == pytest.approx(there[value])  # type: ignore[index]
    assert worlds.epsilon(0.0) == pytest.approx(swapping.exchange_epsilon(4))
    assert worlds.right_guess() == pytest.approx(0.9975, abs=5e-5)
    apart = swapping.two_worlds(present=list("aab"), absent=list("aab"))
    assert apart.right_guess() == pytest.approx(0.5)


def test_large_strata_have_their_closed_form() -> None:
    assert PermutationSwapping(rate=0.05).exchange_epsilon(50) == pytest.approx(13.69, abs=5e-3)
    count = [1, 0]
    for k in range(2, 61):
        count.append((k - 1) * (count[-1] + count[-2]))  # derangements, exactly
    log_odds = math.log(0.01 / 0.99)
    for size in (20, 21, 60):
        nobody = math.log1p(size * 0.01 / 0.99)  # one who is selected alone stays
        exact = max(
            abs(-j * log_odds + math.log(count[k + j]) - math.log(count[k]) + (nobody if k == 0 else 0.0))
            for j in (1, 2)
            for k in range(size + 1 - j)
            if 1 not in (k, k + j)
        )
        assert PermutationSwapping(rate=0.01).exchange_epsilon(size) == pytest.approx(exact, rel=1e-12)
    huge = PermutationSwapping(rate=0.1)
    assert huge.exchange_epsilon(1_000_000) <= 2 * huge.epsilon_per_record(1_000_000)
    assert huge.probability_kept(1_000_000) == pytest.approx(0.9)


@pytest.mark.parametrize("single", BOTH)
@pytest.mark.parametrize("size", range(2, 7))
def test_the_worlds_of_an_exchange_are_those_of_all_arrangements(size: int, single: Any) -> None:
    places = list("abcdef"[:size])
    for rate in RATES:
        swapping = PermutationSwapping(rate=rate, single=single)
        found = swapping.exchange(size)
        wanted = swapping.two_worlds(present=[places[1], places[0], *places[2:]], absent=places)
        for prior in (0.1, 0.5):
            assert found.right_guess(prior=prior) == pytest.approx(wanted.right_guess(prior=prior))
            assert found.mean_posterior(prior=prior) == pytest.approx(wanted.mean_posterior(prior=prior))
        assert found.delta([0.1, 1.0, 4.0]) == pytest.approx(wanted.delta([0.1, 1.0, 4.0]))
        assert found.epsilon() == pytest.approx(swapping.exchange_epsilon(size), rel=1e-12)
        assert found.present.sum() == pytest.approx(1)


def test_the_worlds_of_an_exchange_reach_their_epsilon_in_large_strata() -> None:
    for size, rate in ((7, 0.05), (60, 0.3), (1000, 0.05), (1000, 1e-9), (50, 0.999)):
        swapping = PermutationSwapping(rate=rate)
        assert swapping.exchange(size).present.sum() == pytest.approx(1, abs=1e-9)
        assert swapping.exchange(size).epsilon() == pytest.approx(swapping.exchange_epsilon(size), rel=1e-12)
        assert swapping.exchange(size).probability_certain() == 0.0


TENTH = PermutationSwapping(rate=0.1)
STRATUM = "stratum must be a whole number from 2 to 1000000; got "


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda: PermutationSwapping(rate=0.0), "rate must lie in (0, 1); got 0.0"),
        (lambda: PermutationSwapping(rate=1.0), "rate must lie in (0, 1); got 1.0"),
        (lambda: TENTH.exchange_epsilon(1), STRATUM + "1"),
        (lambda: TENTH.epsilon_per_record(1), STRATUM + "1"),
        (lambda: TENTH.probability_kept(0), STRATUM + "0"),
        (lambda: TENTH.exchange(1), STRATUM + "1"),
        (lambda: TENTH.arrangement_law(["a"]), "places must be of 2 to 8 records; got 1"),
        (lambda: TENTH.arrangement_law(list("abcdefghi")), "places must be of 2 to 8 records; got 9"),
        (lambda: TENTH.arrangement_law("ab"), "places must be the places of the records, in order; got 'ab'"),
        (lambda: TENTH.arrangement_law([[], []]), "places must be names of places, such as text; got [[], []]"),
        (lambda: TENTH.place_posterior(["a", "b"], person=2), "person must be a whole number from 0 to 1; got 2"),
        (
            lambda: TENTH.two_worlds(present=["a", "b"], absent=["a", "a"]),
            "present and absent must have the same places; got ((",
        ),
    ],
)
def test_what_cannot_be_swapped_is_refused_by_name(ask: Any, text: str) -> None:
    with pytest.raises(Refused, match=f"^{re.escape(text)}"):
        ask()


@pytest.mark.study
@pytest.mark.parametrize("single", BOTH)
def test_a_million_swapped_strata_publish_the_law(single: Any) -> None:
    rng, runs, rate = np.random.default_rng(4), 1_000_000, 0.2
    places = np.array(list("aabc"))
    selected = rng.random((runs, 4)) < rate
    if single == "redo":
        while (alone := selected.sum(axis=1) == 1).any():
            selected[alone] = rng.random((int(alone.sum()), 4)) < rate
    orders = np.tile(np.arange(4), (runs, 1))
    open_rows = np.flatnonzero(selected.sum(axis=1) > 1)
    while open_rows.size:  # shuffle the selected ones again until none stays
        keys = np.where(selected[open_rows], rng.random((open_rows.size, 4)), np.inf)
        ranks = np.argsort(keys, axis=1)
        homes = np.argsort(~selected[open_rows], axis=1, kind="stable")
        size = selected[open_rows].sum(axis=1)
        tried = np.tile(np.arange(4), (open_rows.size, 1))
        for k in range(4):
            inside = k < size
            tried[inside, homes[inside, k]] = ranks[inside, k]
        deranged = ((tried != np.arange(4)) | ~selected[open_rows]).all(axis=1)
        orders[open_rows[deranged]] = tried[deranged]
        open_rows = open_rows[~deranged]
    published, counts = np.unique(places[orders], axis=0, return_counts=True)
    law = PermutationSwapping(rate=rate, single=single).arrangement_law(places.tolist())
    drawn = {tuple(row.tolist()): count / runs for row, count in zip(published, counts, strict=True)}
    assert drawn == pytest.approx(law, abs=0.0025)
