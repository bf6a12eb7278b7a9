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


def where_limited(after: ArrayLike) -> NDArray[np.float64]:
    """Highest beliefs after as they are drawn: nothing where a line sets no limit, since nobody was asked there.

    >>> where_limited([0.25, 1.0])
    array([0.25,  nan])
    """
    values = np.asarray(after, dtype=float)
    return np.where(values < 1, values, np.nan)
