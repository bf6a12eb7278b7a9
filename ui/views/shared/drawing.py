"""What the editor of a line shows, how far a line is drawn, where its name stands, and a hundred releases as dots."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._checks import FloatArray
from dpcore.methods import TwoWorlds
from dpcore.methods.worlds import TOUCHES
from dpcore.privacy_loss import Side
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
    budget: str = ""
    """The budget of the line, which a small window shows beside the point that moves."""


def priors_for_curves(highest: float, log: bool) -> NDArray[np.float64]:
    """Priors at which a curve is drawn: dense near 0, up to the highest that can occur."""
    top = min(highest, 0.9995)
    if log:
        return np.geomspace(min(1e-4, top / 10), top, 160)
    return top * np.linspace(0.0, 1.0, 161)[1:] ** 1.5


def where_limited(after: ArrayLike) -> NDArray[np.float64]:
    """Highest beliefs after as they are drawn: nothing where a line sets no limit, since nobody was asked there.

    >>> where_limited([0.25, 1.0])
    array([0.25,  nan])
    """
    values = np.asarray(after, dtype=float)
    return np.where(values < 1, values, np.nan)


LETTER_WIDE, NAME_HIGH = 0.03, 0.1
"""The room that names beside lines take on a telephone, as shares of the picture."""
IN_A_WINDOW, FIRST = 0.4, 100
"""So much of that width in a window, where what is in the way counts so many times as much."""


def clear_places(
    along: NDArray[np.float64], curves: NDArray[np.float64], letters: list[int]
) -> list[tuple[int, tuple[str, str]]]:
    """The visible row and the corner for the name of each curve, where fewest curves and names are in its way.

    Places and heights are shares of the picture. Curves beyond those that have `letters` are only in the way.

    >>> clear_places(np.linspace(0, 1, 5), np.array([[0.4] * 5, [0.45] * 5]), [6, 9])
    [(2, ('left', 'top')), (2, ('left', 'bottom'))]
    """
    # what runs steeply has few rows: curves are followed through more, as they are drawn
    fine = np.linspace(0, 1, 400)
    drawn = np.array([np.interp(fine, along, np.minimum(curve, 2.0)) for curve in curves])
    taken: list[tuple[float, float, float]] = []
    found = []
    for curve, count in zip(curves, letters, strict=False):
        wide = LETTER_WIDE * count
        visible = np.flatnonzero((curve >= 0) & (curve <= 1))  # only those can carry a name
        left, narrow = (along[visible, None] - np.array([0, room]) for room in (wide, IN_A_WINDOW * wide))
        low = curve[visible, None] - np.array([0, NAME_HIGH])
        within = (fine > left[..., None] + 0.01) & (fine < left[..., None] + wide)
        within = within + FIRST * ((fine > narrow[..., None]) & (fine < narrow[..., None] + IN_A_WINDOW * wide))
        heights = low[..., None, None]
        inside = ((drawn > heights + 0.01) & (drawn < heights + NAME_HIGH - 0.01)).sum(axis=2)
        cost = within.astype(float) @ inside.astype(float).mT + np.abs(along[visible, None, None] - 0.5)
        for x, y, w in taken:
            near = ((left < x + w) & (x < left + wide))[..., None] & (np.abs(low - y) < NAME_HIGH)[:, None]
            cost += 1e6 * near
        fits = ((left >= 0) & (left + wide <= 1))[..., None] & ((low >= 0) & (low + NAME_HIGH <= 1))[:, None]
        cost[~fits] = np.inf
        row, across, up = np.unravel_index(np.argmin(cost), cost.shape) if fits.any() else (0, 0, 0)
        taken.append((left[row, across], low[row, up], wide) if fits.any() else (0.0, 0.0, 0.0))
        found.append((int(row), (("left", "right")[across], ("bottom", "top")[up])))
    return found


STEP = 0.02
"""Beliefs are drawn to the nearest so much."""
RELEASES, ROWS, WIDE, DOT = 100, 20, 0.018, 7
"""So many releases, in stacks of so many where there is room beside; how far apart, and how large a dot."""
CLEAR = 0.045
"""How far the middle of a dot keeps from the line: half a dot where the picture is narrowest."""


def dots_of(worlds: TwoWorlds, prior: float, side: Side, limit: float) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Where a hundred releases are drawn: stacked at their belief, side by side where there is room; the certain apart.

    Whole releases by largest remainders; each stack lies on its own side of the line.
    """
    beliefs = worlds.posteriors(prior=prior)
    over = beliefs > limit * (1 + TOUCHES)
    kind = 4 * np.rint(beliefs / STEP).astype(int) + 2 * over + np.isinf(worlds.evidence)
    found = worlds.tally(kind, releases=RELEASES, side=side)
    counts = np.pad(found, (0, found.size % 2)).reshape(-1, 2)
    each, centres = counts.sum(axis=1), np.arange(len(counts)) // 2 * STEP
    gap = float(np.diff(centres[each > 0]).min(initial=1.0))
    abreast = int(np.clip(gap / WIDE, 1, math.ceil(each.max() / ROWS)))
    beside = (abreast - 1) * WIDE / 2 + CLEAR
    stacks = np.where(np.arange(len(counts)) % 2, np.maximum(centres, limit + beside), centres)
    stacks[::2] = np.minimum(stacks[::2], limit - beside)
    place = np.concatenate([np.arange(many) for many in each])
    across = np.repeat(stacks, each) + (place % abreast - (abreast - 1) / 2) * WIDE
    certain, up = place >= np.repeat(counts[:, 0], each), place // abreast + 1.0
    return {"dots": (across[~certain], up[~certain]), "sure": (across[certain], up[certain])}
