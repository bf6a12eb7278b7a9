"""The same in Python: the range of a published count, or the budget that a range needs."""

from __future__ import annotations

import math
from typing import Any

from dpcore.accuracy import AdditiveMechanism, count_error, noise_for_range, noise_with_budget
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Laplace
from dpcore.rounding import round_up
from ui.words.phrasing import decimals_for
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Upper, number


def in_python(inputs: Any, mechanism: AdditiveMechanism, wide: Upper) -> CodeLines:
    """The lines for what the page of these choices answers with this noise."""
    code = CodeWriter()
    spent = mechanism.rho if isinstance(mechanism, (Gaussian, DiscreteGaussian)) else mechanism.epsilon
    if inputs.start == "accuracy":
        noise = noise_for_range(inputs.half_width, inputs.noise, level=inputs.level)
        exact = noise.rho if isinstance(noise, (Gaussian, DiscreteGaussian)) else noise.epsilon
        found = code.let("noise", code(noise_for_range, inputs.half_width, inputs.noise, level=inputs.level))
        needed = Source(f"{found}.{'rho' if inputs.concentrated else 'epsilon'}")
        return code.ending(code(round_up, needed, decimals_for(exact)), Exact(spent, number(4)))
    chosen = code.let("noise", code(noise_with_budget, spent, inputs.noise))
    width = code.let("width", Source(f"{code(count_error, chosen, level=inputs.level)}.half_width"))
    if isinstance(mechanism, (Laplace, Gaussian)):  # whole numbers are published
        return code.ending(Source(f"max(0, {code(math.ceil, Source(f'{width} - 0.5'))})"), wide)
    return code.ending(code(math.ceil, width), wide)
