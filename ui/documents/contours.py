"""Where a quantity on a grid passes a height, as short straight pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
CORNERS = ((0, 0), (0, 1), (1, 1), (1, 0))


def contour_segments(across: FloatArray, up: FloatArray, values: FloatArray, height: float) -> FloatArray:
    """Pieces (x, y, x2, y2) of the line along which values of shape (up, across) equal a height.

    Marching squares with linear interpolation along the sides of each cell.

    Examples
    --------
    >>> import numpy as np
    >>> grid = np.array([0.0, 1.0])
    >>> contour_segments(grid, grid, np.array([[0.0, 1.0], [0.0, 1.0]]), 0.25).tolist()
    [[0.25, 0.0, 0.25, 1.0]]
    """
    above = values >= height
    count = above.astype(int)
    mixed = count[:-1, :-1] + count[:-1, 1:] + count[1:, :-1] + count[1:, 1:]
    pieces = []
    for row, column in np.argwhere((mixed > 0) & (mixed < 4)).tolist():
        crossings = []
        for (r1, c1), (r2, c2) in zip(CORNERS, (*CORNERS[1:], CORNERS[0]), strict=True):
            first, second = (row + r1, column + c1), (row + r2, column + c2)
            if above[first] != above[second]:
                share = (height - values[first]) / (values[second] - values[first])
                x = across[first[1]] + share * (across[second[1]] - across[first[1]])
                y = up[first[0]] + share * (up[second[0]] - up[first[0]])
                crossings.append((float(x), float(y)))
        pieces += [(*one, *other) for one, other in zip(crossings[::2], crossings[1::2], strict=True)]
    return np.array(pieces, dtype=float).reshape(-1, 4)
