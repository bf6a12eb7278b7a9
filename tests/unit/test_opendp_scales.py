"""The noise scales of the memo's lines for OpenDP keep their budget when OpenDP itself says what they cost.

OpenDP is imported once and the lines run in this process: the scale is read back from the map of the measurement, not
from our own formula.
"""

from __future__ import annotations

import math
import random
import re

import pytest

from ui.documents.code_lines import NoiseChoice, release_lines

dp = pytest.importorskip("opendp.prelude")
SCALES = 100
"""Budgets of each of the four kinds of noise."""


@pytest.mark.parametrize("kind", ["geometric", "laplace", "gaussian", "discrete_gaussian"])
def test_a_rounded_scale_never_spends_more_than_the_budget(kind: str) -> None:
    dice = random.Random(f"{kind} scales")
    for _ in range(SCALES):
        budget = math.exp(dice.uniform(math.log(1e-3), math.log(10.0)))
        scope: dict[str, object] = {}
        exec(release_lines(NoiseChoice(kind, budget, 0.95), releases=1), scope)
        spent = scope["count"].map(d_in=1 if kind in ("geometric", "discrete_gaussian") else 1.0)  # type: ignore[attr-defined]
        assert spent <= budget
        assert spent > 0.999 * budget, "the scale is rounded up by a last digit, not by more"


def test_a_scale_that_is_a_digit_too_small_is_caught_by_the_line_itself() -> None:
    lines = release_lines(NoiseChoice("gaussian", 0.1, 0.95), releases=1)
    scale = re.search(r"scale=([\d.e+-]+)\)", lines)
    assert scale is not None
    with pytest.raises(AssertionError):
        exec(lines.replace(scale[1], repr(0.999 * float(scale[1]))), {})
