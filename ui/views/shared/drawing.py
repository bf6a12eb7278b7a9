"""What the editor of a line shows, and how far a line is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riskline.case.points import Line


@dataclass(frozen=True)
class Editor:
    """What the line editor shows."""

    points: Line
    interpolation: str
    reachable: NDArray[np.float64]
    binding: tuple[float, float] | None
    others: tuple[tuple[str, NDArray[np.float64]], ...] = ()
    example: bool = False
    """Whether the line is nobody's yet."""


def priors_for_curves(highest: float, log: bool) -> NDArray[np.float64]:
    """Priors at which a curve is drawn: dense near 0, up to the highest that can occur."""
    top = min(highest, 0.9995)
    if log:
        return np.geomspace(min(1e-4, top / 10), top, 160)
    steps: NDArray[np.float64] = np.linspace(0.0, 1.0, 161)[1:]
    return top * steps**1.5


def where_limited(after: ArrayLike) -> NDArray[np.float64]:
    """Highest beliefs after as they are drawn: nothing where a line sets no limit, since nobody was asked there.

    >>> where_limited([0.25, 1.0])
    array([0.25,  nan])
    """
    values = np.asarray(after, dtype=float)
    return np.where(values < 1, values, np.nan)
