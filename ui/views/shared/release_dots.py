"""Beliefs after a hundred releases as dots: one a release, stacked where it ends."""

from __future__ import annotations

import math

import numpy as np

from dpcore._checks import FloatArray
from dpcore.methods import TwoWorlds
from dpcore.methods.worlds import TOUCHES
from dpcore.privacy_loss import Side

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
