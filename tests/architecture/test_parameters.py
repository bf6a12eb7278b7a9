"""How the public calls of dpcore take what they are given (docs/decisions/010): by name, by place, in which order."""

from __future__ import annotations

import inspect
import re

from tests.architecture.public_names import taken

TAKEN = taken()
PRIVACY = re.compile(r"(\w+_)?(epsilon|rho|delta|prior)s?(_\w+)?|budgets?|level|rate_if_\w+|forced_\w+")
"""Names of what would be a wrong answer without an error in the place of another number."""
NUMBER = re.compile(
    r"(float|int|Number|ArrayLike|FloatArray|Sequence\[(float|int)\]|tuple\[(float|int), \.\.\.\])( \| .+)?"
)
COORDINATES = ["prior", "value_prior"]
"""Of a place on a line of acceptable risk, in the order of `dpcore.profiles.Place`."""


def _by_place(given: dict[str, inspect.Parameter]) -> list[inspect.Parameter]:
    return [one for one in given.values() if one.kind is one.POSITIONAL_OR_KEYWORD]


def _made_by_callers(called: object) -> bool:
    """Whether people call it: a class that checks what it is given; one that does not is an answer of dpcore."""
    return not inspect.isclass(called) or hasattr(called, "__post_init__")


def test_beside_another_number_a_budget_a_belief_and_a_level_are_taken_by_name() -> None:
    asked, wrong = 0, []
    for name, called, given in TAKEN:
        numbers = [one.name for one in _by_place(given) if NUMBER.fullmatch(str(one.annotation))]
        asked += any(PRIVACY.fullmatch(number) for number in numbers)
        if not _made_by_callers(called) or len(numbers) < 2 or numbers == COORDINATES:
            continue
        wrong += [f"{name}: {number}" for number in numbers if PRIVACY.fullmatch(number)]
    assert asked > 60
    assert wrong == []


def test_two_calls_that_take_the_same_by_place_take_it_in_one_order() -> None:
    orders: dict[tuple[str, str], str] = {}
    for name, called, given in TAKEN:
        places = [one.name for one in _by_place(given)] if _made_by_callers(called) else []
        for place, first in enumerate(places):
            orders |= {(first, second): name for second in places[place + 1 :]}
    assert len(orders) > 100
    assert [(here, orders[pair[::-1]], pair) for pair, here in orders.items() if pair[::-1] in orders] == []


def test_every_seed_is_a_number_or_a_generator_taken_by_name() -> None:
    seeds = [
        (name, called, given[key]) for name, called, given in TAKEN for key in ("seed", "tie_seed") if key in given
    ]
    assert len(seeds) > 30
    kind = "int | np.random.Generator"
    assert [name for name, _, seed in seeds if str(seed.annotation).removesuffix(" | None") != kind] == []
    assert [name for name, _, seed in seeds if seed.kind is not seed.KEYWORD_ONLY] == []
    told = [(name, seed.name, inspect.getdoc(called) or "") for name, called, seed in seeds]
    untold = [
        name
        for name, seed, words in told
        if "\nParameters\n" in words and f"\n{seed} : int or numpy.random.Generator" not in words
    ]
    assert untold == []
