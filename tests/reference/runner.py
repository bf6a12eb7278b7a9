"""Answers a reference case through public dpcore calls: `compute(what, inputs)`.

`what` is a case's kind, `<area>:<what>` (`risk:eps_constant`), or the part after the colon. One module per area maps
each kind to a call; no formula lives here. Refused input raises `ValueError`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # the runner is also loaded by path, from outside the project
    sys.path.insert(0, str(ROOT))

from tests.reference import (  # noqa: E402
    attack,
    audit,
    census,
    filters,
    first_passage,
    inference,
    methods,
    promise,
    public_information,
    publication,
    relatives,
    risk,
    schema,
    totals,
    tradeoff,
    trial,
)

Answer = Callable[..., Any]

AREAS: Mapping[str, Mapping[str, Answer]] = {
    "risk": risk.ANSWERS,
    "attack": attack.ANSWERS,
    "audit": audit.ANSWERS,
    "census": census.ANSWERS,
    "filters": filters.ANSWERS,
    "inference": inference.ANSWERS,
    "methods": methods.ANSWERS,
    "promise": {**promise.ANSWERS, **tradeoff.ANSWERS, **first_passage.ANSWERS},
    "publication": publication.ANSWERS,
    "relatives": relatives.ANSWERS,
    "schema": schema.ANSWERS,
    "steps": schema.STEPS,
    "totals": {**totals.ANSWERS, **public_information.ANSWERS},
    "trial": trial.ANSWERS,
}


def _answer(what: str, inputs: Mapping[str, Any]) -> Answer:
    area, colon, kind = what.partition(":")
    if colon:
        if kind in AREAS.get(area, {}):
            return AREAS[area][kind]
        raise ValueError(f"what must be a known kind of case; got {what!r}")
    found = [answers[what] for answers in AREAS.values() if what in answers]
    if what == "posterior":  # the one name two areas share: only the attack has a noisy count
        return AREAS["attack" if "x_star" in inputs else "inference"][what]
    if len(found) != 1:
        raise ValueError(f"what must be a known kind of case; got {what!r}")
    return found[0]


def compute(what: str, inputs: Mapping[str, Any]) -> Any:
    """The answer of dpcore to a case, in the shape of the case's `expected`."""
    try:
        return _answer(what, inputs)(**inputs)
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:  # a case that no call can be made of
        raise ValueError(f"inputs must have the form of {what}; {type(error).__name__}: {error}") from error
