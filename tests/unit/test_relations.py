"""From guarantee to guarantee the relation stays: every public function that answers with a guarantee is walked."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from dpcore.composition import PlannedRelease, ReleasePlan, basic_composition, concentrated_composition
from dpcore.composition.rules import OptimalComposition
from dpcore.deployments import deployment, guarantee_of
from dpcore.errors import Refused
from dpcore.guarantees import (
    ApproximateDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
    Relation,
    ZeroConcentratedDP,
    group_privacy,
    replace_from_add_or_remove,
)
from dpcore.mechanisms import (
    DiscreteGaussian,
    ExponentialMechanism,
    Gaussian,
    Geometric,
    Laplace,
    RandomizedResponse,
)
from dpcore.promise import Promise, Secret
from dpcore.publication import CountTable, Publication, guarantee_of_secret, guarantee_of_unit
from dpcore.randomized_response import RandomizedAnswer
from tests.architecture.public_names import EVERY
from tests.each import each

KINDS: tuple[Any, ...] = (PureDP, ApproximateDP, ProbabilisticDP, ZeroConcentratedDP)
BUDGETS: tuple[dict[str, float], ...] = (
    {"epsilon": 0.5},
    {"epsilon": 0.5, "delta": 1e-6},
    {"epsilon": 0.5, "delta": 1e-6},
    {"rho": 0.1},
)


def _guarantees(relation: Relation) -> list[Guarantee]:
    return [kind(**budget, relation=relation) for kind, budget in zip(KINDS, BUDGETS, strict=True)]


def _each(answer: Callable[[Guarantee], Guarantee], *kinds: Any) -> Callable[[Relation], list[Guarantee]]:
    return lambda relation: [answer(one) for one in _guarantees(relation) if not kinds or isinstance(one, kinds)]


def _promise(relation: Relation) -> Promise:
    return Promise(secret=Secret.VALUE, relation=relation, group=2)


def _tables(relation: Relation) -> Publication:
    return Publication((CountTable(cells=3), CountTable(areas=4)), relation, 2)


KEPT: dict[str, Callable[[Relation], list[Guarantee]]] = {
    "composition.plans.PlannedRelease.guarantee": _each(lambda one: PlannedRelease(one, 2).guarantee),
    "composition.plans.ReleasePlan.basic": _each(lambda one: ReleasePlan.repeated(one, 3).basic(1e-6)),
    "composition.plans.ReleasePlan.concentrated": _each(
        lambda one: ReleasePlan.repeated(one, 3).concentrated(), PureDP, ZeroConcentratedDP
    ),
    "guarantees.PureDP.for_group": _each(lambda one: one.for_group(3), PureDP),
    "guarantees.ApproximateDP.for_group": _each(lambda one: one.for_group(3), ApproximateDP),
    "guarantees.ProbabilisticDP.for_group": _each(lambda one: one.for_group(3), ProbabilisticDP),
    "guarantees.ProbabilisticDP.as_approximate": _each(lambda one: one.as_approximate(), ProbabilisticDP),  # type: ignore[union-attr]
    "guarantees.ZeroConcentratedDP.for_group": _each(lambda one: one.for_group(3), ZeroConcentratedDP),
    "guarantees.group_privacy": _each(lambda one: group_privacy(one, 3)),
    "promise.Promise.guarantee_of_secret": _each(lambda one: _promise(one.relation).guarantee_of_secret(one)),
    "promise.Promise.guarantee_of_count": lambda relation: [
        _promise(relation).guarantee_of_count(noise) for noise in (Geometric(epsilon=1.0), Gaussian(rho=0.1))
    ],
    "promise.Promise.guarantee_of_cells": lambda relation: [
        _promise(relation).guarantee_of_cells(noise) for noise in (Geometric(epsilon=1.0), Gaussian(rho=0.1))
    ],
    "publication.spending.guarantee_of_unit": lambda relation: [guarantee_of_unit(_tables(relation), [0.1, 0.2])],
    "publication.spending.guarantee_of_secret": lambda relation: [
        guarantee_of_secret(_tables(relation), [0.1, 0.2], _promise(relation))
    ],
    "deployments.guarantee_of": lambda relation: [guarantee_of(deployment("Google symptom search trends"), relation)],
}
"""What keeps the relation that it is given, by its name below dpcore."""

OWN: dict[str, tuple[Callable[[], list[Guarantee]], Relation]] = {
    "guarantees.replace_from_add_or_remove": (
        lambda: [replace_from_add_or_remove(one) for one in _guarantees(Relation.ADD_OR_REMOVE)],
        Relation.REPLACE,
    ),
    "composition.rules.basic_composition": (lambda: [basic_composition([0.1, 0.2])], Relation.ADD_OR_REMOVE),
    "composition.rules.concentrated_composition": (lambda: [concentrated_composition([0.1])], Relation.ADD_OR_REMOVE),
    "composition.rules.OptimalComposition.guarantee": (
        lambda: [OptimalComposition(epsilon=0.2, steps=1, delta=1e-6).guarantee],
        Relation.ADD_OR_REMOVE,
    ),
    "mechanisms.geometric.Geometric.guarantee": (lambda: [Geometric(epsilon=1.0).guarantee], Relation.ADD_OR_REMOVE),
    "mechanisms.laplace.Laplace.guarantee": (lambda: [Laplace(epsilon=1.0).guarantee], Relation.ADD_OR_REMOVE),
    "mechanisms.exponential.ExponentialMechanism.guarantee": (
        lambda: [ExponentialMechanism(epsilon=1.0).guarantee],
        Relation.ADD_OR_REMOVE,
    ),
    "mechanisms.gaussian.Gaussian.guarantee": (lambda: [Gaussian(rho=1.0).guarantee], Relation.ADD_OR_REMOVE),
    "mechanisms.discrete_gaussian.DiscreteGaussian.guarantee": (
        lambda: [DiscreteGaussian(rho=1.0).guarantee],
        Relation.ADD_OR_REMOVE,
    ),
    "mechanisms.randomized_response.RandomizedResponse.guarantee": (
        lambda: [RandomizedResponse(epsilon=1.0).guarantee],
        Relation.REPLACE,
    ),
    "randomized_response.RandomizedAnswer.guarantee": (
        lambda: [RandomizedAnswer(forced_yes=0.25, forced_no=0.25).guarantee],
        Relation.REPLACE,
    ),
}
"""What is given no relation and answers with its own: numbers and noise speak of a record added or removed, an answer
of one replaced, and one conversion is about changing it."""
ABSTRACT = {"mechanisms.additive.NoiseMechanism.guarantee", "mechanisms.layers.Mechanism.guarantee"}


def _names(hint: Any) -> set[Any]:
    """The classes that a return type names."""
    return {hint} | {one for part in typing.get_args(hint) for one in _names(part)}


def answering_with_a_guarantee() -> Iterator[str]:
    """Public functions, methods and properties whose return type is a guarantee, by their names below dpcore."""
    for name, value in EVERY:
        inner = vars(value).items() if inspect.isclass(value) else ()
        members = [(f"{name}.{key}", member) for key, member in inner if not key.startswith("_")]
        for place, member in [(name, value), *members]:
            call = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
            if inspect.isfunction(call):
                answered = typing.get_type_hints(call).get("return")
                of_any = answered is Any and place.rpartition(".")[2] == "guarantee"
                if of_any or _names(answered) & set(KINDS):
                    yield place.removeprefix("dpcore.")


def test_every_function_that_answers_with_a_guarantee_is_walked() -> None:
    assert set(answering_with_a_guarantee()) == set(KEPT) | set(OWN) | ABSTRACT


@pytest.mark.parametrize("name", KEPT)
@each("relation", Relation)
def test_a_relation_is_kept(name: str, relation: Relation) -> None:
    answered = KEPT[name](relation)
    assert answered
    assert {one.relation for one in answered} == {relation}


@pytest.mark.parametrize("name", OWN)
def test_what_is_given_no_relation_has_its_own(name: str) -> None:
    call, relation = OWN[name]
    assert {one.relation for one in call()} == {relation}


def test_a_replaced_record_gives_no_guarantee_for_one_added() -> None:
    for guarantee in _guarantees(Relation.REPLACE):
        with pytest.raises(Refused, match=r"guarantee must be for added or removed records; got 'replace'"):
            replace_from_add_or_remove(guarantee)
        added = replace(guarantee, relation=Relation.ADD_OR_REMOVE)
        with pytest.raises(Refused, match=r"relation must be that of the guarantee \('add_or_remove'\); got 'replace'"):
            _promise(Relation.REPLACE).guarantee_of_secret(added)
