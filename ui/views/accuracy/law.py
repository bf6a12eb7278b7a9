"""The noise of a count: its budget, the whole range in which it stays as often as asked, and its law drawn."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcore.accuracy import AdditiveMechanism, CountError
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Laplace
from ui.pictures.columns import Column, Numbers, side_by_side, written
from ui.pictures.marks import Bars
from ui.words.quantities import Upper, whole


def budget_of(mechanism: AdditiveMechanism) -> float:
    """The ε or ρ of the noise."""
    return mechanism.rho if isinstance(mechanism, (Gaussian, DiscreteGaussian)) else mechanism.epsilon


def whole_range(mechanism: AdditiveMechanism, error: CountError) -> tuple[int, float]:
    """How far a count published as a whole number lies from the truth as often as asked, and exactly how often."""
    if isinstance(mechanism, (Laplace, Gaussian)):
        wide = max(0, math.ceil(error.half_width - 0.5))
        return wide, float(mechanism.probability_within(wide + 0.5))
    return math.ceil(error.half_width), error.within


def law_of_error(
    mechanism: AdditiveMechanism, error: CountError
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Errors in steps, their probabilities, and which lie in the central range: what is drawn here and in the memo."""
    reach = int(min(max(mechanism.half_width(0.999), 3), 400))
    step = max(1, math.ceil(reach / 60))
    edge: NDArray[np.float64] = np.arange(-reach, reach + 1, step, dtype=float)
    # a bar is the probability of publishing a value in its step, continuous noise rounded to whole numbers
    lower, upper = edge - 0.5, edge + step - 0.5
    probability = np.asarray(mechanism.cdf(upper)) - np.asarray(mechanism.cdf(lower))
    wide, _ = whole_range(mechanism, error)
    inside = (np.abs(edge) <= wide) & (np.abs(edge + step - 1) <= wide)
    return edge, np.maximum(probability, 0.0), inside


def _central(mechanism: AdditiveMechanism, error: CountError) -> str:
    """What the central range is called."""
    return f"{Upper(whole_range(mechanism, error)[0], whole):within ± …}"


def law_of_error_numbers(mechanism: AdditiveMechanism, error: CountError) -> Numbers:
    """The law of the error as columns."""
    edge, probability, inside = law_of_error(mechanism, error)
    step = int(edge[1] - edge[0])
    return Numbers(
        "Probability of each error" + (f" (steps of {step})" if step > 1 else ""),
        (
            side_by_side(
                Column(
                    "error",
                    "error",
                    edge,
                    quantity="published count minus true count",
                    said=written("+.0f"),
                    hover="d",
                ),
                Column("probability", "probability", probability),
                Column("inside", _central(mechanism, error), inside, listed=False),
            ),
        ),
    )


def bars_of_error(mechanism: AdditiveMechanism, error: CountError) -> tuple[Bars, ...]:
    """The law of the error as bars: the central range filled, the tails hatched."""
    return (
        Bars(x="error", y="probability", where=("inside", True), name=_central(mechanism, error)),
        Bars(x="error", y="probability", where=("inside", False), name="further off", role="reach", pattern="/"),
    )
