"""Mechanisms that are known by their curve, among the choices of a page: their kinds, parameters and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from dpcore.mechanisms import CURVES, Curve, KnownCurve, curve_kind
from dpcore.tradeoff import trade_off_over_steps
from riskline.case import declaration
from riskline.case.declaration import count
from ui.link.mechanism_file import OWN
from ui.words.catalogue import label, labels, say
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeWriter, Source

CURVE_KINDS = (*(kind.name for kind in CURVES), OWN)
LARGEST_EPSILON = 100.0
NOTHING = "nothing"
ALSO = (NOTHING, *CURVE_KINDS)
"""What may be released beside something else."""
MOST_LISTED = 50  # points of a curve that somebody would read among lines of Python


def parameters_of(kind: type[Curve]) -> tuple[str, ...]:
    """The parameters of a mechanism that is known by them alone, which are choices of the page."""
    return tuple(field.name for field in fields(kind))  # type: ignore[arg-type]


def epsilon_called(values: Mapping[str, Any]) -> tuple[str, str]:
    """What ε is of the chosen mechanism."""
    of_kind = f"epsilon_of.{values.get('also') or values['guarantee']}"
    return label("explain", of_kind if of_kind in labels("explain") else "epsilon"), ""


@dataclass(frozen=True, kw_only=True)
class MechanismChoice:
    """The parameters of a mechanism that is known by its curve; a page that has others of ε shares it with them."""

    epsilon: float = declaration.number(
        1.0, low=0, high=LARGEST_EPSILON, span=(0.05, 8.0), step=0.05, called=epsilon_called
    )
    noise_multiplier: float = declaration.number(1.0, low=0.1, high=1e6)
    rate: float = declaration.number(0.01, low=0, open_low=True, high=1)
    steps: int = count(1000, low=1, high=1_000_000)
    people: int = count(10_000, low=1, high=1_000_000)

    def curve_of(self, kind: str, own: Curve | None) -> Curve | None:
        """The mechanism of a kind: with these parameters, or that of a file; None of a kind that is none."""
        found = curve_kind(kind)
        if found is not None:
            return found(**{name: getattr(self, name) for name in parameters_of(found)})
        return own if kind == OWN else None


def is_long(curve: Curve) -> bool:
    """Whether a curve has more points than somebody would read among lines of Python."""
    return curve.corners is not None and curve.corners.size > MOST_LISTED


def between_in_python(code: CodeWriter, curve: Curve, steps: int) -> Source:
    """The lines for a curve between the two worlds of a secret, from that of one step."""
    known = code.let("mechanism", curve)
    if steps == 1:
        return known
    tests = code.let("tests", code(trade_off_over_steps, known, steps=steps))
    near, far = code(np.linspace, 0.0, 8.0, 400, endpoint=False), code(np.linspace, 8.0, 300.0, 293)
    epsilons = code.let("epsilons", code(np.concatenate, [near, far]))
    return code.let("between", code(KnownCurve, epsilons=epsilons, deltas=Source(f"{tests}.delta_at({epsilons})")))


def curve_in_words(kind: str, curve: Curve, voice: str) -> str:
    """A mechanism of a kind with its parameters, as a sentence names it."""
    values = {name: getattr(curve, name) for name in parameters_of(type(curve))}
    words = {name: f"{value:,}" for name, value in values.items() if isinstance(value, int)}
    words |= {name: plain_number(value, 6) for name, value in values.items() if isinstance(value, float)}
    return say("explain", voice, f"named_{kind}", **words)
