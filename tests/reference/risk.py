"""Kinds of case in the area `risk`, gathered from the three modules that answer them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.reference import risk_composition, risk_profiles, risk_semantics

ANSWERS: dict[str, Callable[..., Any]] = {
    **risk_semantics.ANSWERS,
    **risk_profiles.ANSWERS,
    **risk_composition.ANSWERS,
}
