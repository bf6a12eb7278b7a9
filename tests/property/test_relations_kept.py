"""Every function that makes a guarantee of a guarantee keeps its relation: found by their types, none left out."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import dpcore
from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, Relation, ZeroConcentratedDP, group_privacy
from dpcore.mechanisms import Geometric
from dpcore.promise import Promise

KINDS = re.compile(r"\b(Guarantee|PureDP|ApproximateDP|ProbabilisticDP|ZeroConcentratedDP)\b")
GUARANTEES = (
    lambda relation: PureDP(epsilon=0.5, relation=relation),
    lambda relation: ApproximateDP(epsilon=0.5, delta=1e-6, relation=relation),
    lambda relation: ProbabilisticDP(epsilon=0.5, delta=1e-6, relation=relation),
    lambda relation: ZeroConcentratedDP(rho=0.1, relation=relation),
)


def with_relation(relation: Relation) -> Promise:
    return Promise(secret="value", relation=relation, unit="household", group=3)


KEPT: dict[str, Callable[[Any], Any]] = {
    "dpcore.guarantees.PureDP.for_group": lambda given: given.for_group(3),
    "dpcore.guarantees.ApproximateDP.for_group": lambda given: given.for_group(3),
    "dpcore.guarantees.ProbabilisticDP.for_group": lambda given: given.for_group(3),
    "dpcore.guarantees.ProbabilisticDP.as_approximate": lambda given: given.as_approximate(),
    "dpcore.guarantees.ZeroConcentratedDP.for_group": lambda given: given.for_group(3),
    "dpcore.guarantees.group_privacy": lambda given: group_privacy(given, 3),
    "dpcore.promise.Promise.guarantee_of_secret": lambda given: with_relation(given.relation).guarantee_of_secret(
        given
    ),
    "dpcore.composition.plans.ReleasePlan.basic": lambda given: ReleasePlan((PlannedRelease(given),) * 2).basic(1e-3),
    "dpcore.composition.plans.ReleasePlan.concentrated": lambda given: (
        ReleasePlan((PlannedRelease(given),) * 2).concentrated()
        if isinstance(given, PureDP | ZeroConcentratedDP)
        else given
    ),
}
"""How each is called with a guarantee; the classes' own methods only with guarantees of their class."""
TURNED = {"dpcore.guarantees.replace_from_add_or_remove": "that is what it is for; another relation is refused"}


def taking_and_making() -> Iterator[str]:
    """Functions and methods of dpcore that make a guarantee and take one, or belong to one."""
    for found in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
        if found.name.rpartition(".")[2].startswith("_"):
            continue
        module = importlib.import_module(found.name)
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", None) != found.name or name.startswith("_"):
                continue
            if inspect.isfunction(thing) and makes(thing) and takes(thing):
                yield f"{found.name}.{name}"
            elif inspect.isclass(thing):
                whole = bool(KINDS.fullmatch(name)) or name == "ReleasePlan"
                for method, function in vars(thing).items():
                    own = inspect.isfunction(function) and not method.startswith("_")
                    if own and makes(function) and (whole or takes(function)):
                        yield f"{found.name}.{name}.{method}"


def makes(function: Callable[..., Any]) -> bool:
    return bool(KINDS.search(str(function.__annotations__.get("return", ""))))


def takes(function: Callable[..., Any]) -> bool:
    return any(KINDS.search(str(kind)) for name, kind in function.__annotations__.items() if name != "return")


def test_every_function_from_guarantee_to_guarantee_is_tried() -> None:
    assert set(taking_and_making()) == set(KEPT) | set(TURNED)


@pytest.mark.parametrize("relation", Relation)
def test_a_guarantee_made_of_another_hides_the_same_change(relation: Relation) -> None:
    for name, made in KEPT.items():
        owner = name.split(".")[-2]
        tried = 0
        for make in GUARANTEES:
            given = make(relation)
            if KINDS.fullmatch(owner) and type(given).__name__ != owner:
                continue
            assert made(given).relation is relation, (name, given)
            tried += 1
        assert tried, name


@pytest.mark.parametrize("relation", Relation)
def test_what_is_made_of_a_noise_hides_the_change_that_is_promised(relation: Relation) -> None:
    promise = with_relation(relation)
    assert promise.guarantee_of_count(Geometric(epsilon=0.5)).relation is relation
    assert promise.guarantee_of_cells(Geometric(epsilon=0.5)).relation is relation
