"""Probabilities that are typed may miss 1 by a rounding: by half of what is allowed they are taken, by a little more
than it, ten and a thousand times it they are refused, whether the sum is too large or too small."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcore
from dpcore.acs_like import AcsLikePopulation, acs_like
from dpcore.attacks import all_cells
from dpcore.errors import Refused
from dpcore.mechanisms import Geometric
from dpcore.methods.cell_keys import PRINTED_TO, PerturbationTable
from dpcore.methods.rounded_counts import RandomRounding
from dpcore.methods.worlds import SUMS_TO_ONE, TwoWorlds
from dpcore.public_information.best_mixture import renyi_divergence
from dpcore.public_information.workloads import checked_weights
from dpcore.relatives import Relative, joint_shift_limits

TYPED = 1e-9

TAKEN: dict[str, tuple[float, Callable[[float], Any]]] = {
    "a prior over cells": (
        TYPED,
        lambda off: all_cells.posterior([1, 0], mechanism=Geometric(epsilon=1.0), prior=[0.4, 0.6 + off]),
    ),
    "a row of a perturbation table": (
        PRINTED_TO,
        lambda off: PerturbationTable(((0, 0, 1.0), (1, 0, 0.5), (1, 2, 0.5 + off))),
    ),
    "an attacker's law of others": (
        SUMS_TO_ONE,
        lambda off: RandomRounding(base=3).presence_if_unknown({1: 0.5, 2: 0.5 + off}),
    ),
    "the law of one world": (
        SUMS_TO_ONE,
        lambda off: TwoWorlds.from_laws(present={0: 0.5, 1: 0.5 + off}, absent={0: 0.5, 1: 0.5}),
    ),
    "a law of a divergence": (TYPED, lambda off: renyi_divergence([0.5, 0.5 + off], [0.5, 0.5], order=2.0)),
    "the law of a population": (TYPED, lambda off: _population(off)),
    "weights of records": (1e-6, lambda off: checked_weights([0.5, 0.5 + off], 2)),
    "a relative's law": (TYPED, lambda off: Relative(if_yes=(0.5, 0.5 + off), if_no=(0.9, 0.1))),
    "a law of several relatives": (
        TYPED,
        lambda off: joint_shift_limits(if_yes=np.diag([0.5, 0.5 + off]), if_no=np.diag([0.9, 0.1]), epsilon=1.0),
    ),
}


def _population(off: float) -> AcsLikePopulation:
    found = acs_like(attributes=("sex",))
    return replace(found, probabilities=found.probabilities + np.array([off, 0.0]))


@pytest.mark.parametrize("name", TAKEN)
def test_what_misses_one_by_more_than_a_rounding_is_refused(name: str) -> None:
    allowed, ask = TAKEN[name]
    for sign in (1, -1):
        ask(sign * allowed / 2)
        for times in (1.01, 10, 1000):
            with pytest.raises(Refused, match=r"must (add up|sum) to 1"):
                ask(sign * times * allowed)


def test_every_sum_to_one_of_dpcore_is_tried() -> None:
    asked = re.compile(r'Refused\(\s*"?\w+"?,\s*"(?:add up|sum) to 1"')
    found = sum(len(asked.findall(path.read_text(encoding="utf-8"))) for path in Path(dpcore.__path__[0]).rglob("*.py"))
    assert found == len(TAKEN)
