"""What the editor of a line shows, how far a line is drawn, and a hundred releases as dots."""

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
