"""Mechanisms that are known by their curve, among the choices of the page: their kinds, parameters and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from dpcore.mechanisms import CURVES, Curve
from ui.link.mechanism_file import OWN
from ui.words.catalogue import label, labels
from ui.words.phrasing import plain_number

CURVE_KINDS = (*(kind.name for kind in CURVES), OWN)
LARGEST_EPSILON = 100.0


def parameters_of(kind: type[Curve]) -> tuple[str, ...]:
    """The parameters of a mechanism that is known by them alone, which are choices of the page."""
    return tuple(field.name for field in fields(kind))  # type: ignore[arg-type]


def epsilon_called(values: Mapping[str, Any]) -> tuple[str, str]:
    """What ε is of the chosen mechanism."""
    of_kind = f"epsilon_of.{values['guarantee']}"
    return label("explain", of_kind if of_kind in labels("explain") else "epsilon"), ""


def parameters_in_words(curve: Curve) -> dict[str, str]:
    """The numbers among the parameters of a mechanism, as a sentence says them."""
    values = {name: getattr(curve, name) for name in parameters_of(type(curve))}
    whole = {name: f"{value:,}" for name, value in values.items() if isinstance(value, int)}
    return whole | {name: plain_number(value, 6) for name, value in values.items() if isinstance(value, float)}
