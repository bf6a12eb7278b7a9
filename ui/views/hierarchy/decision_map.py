"""Belief and decision by release: the tiles of block, group and siblings, and the release of a tile."""

from __future__ import annotations

import numpy as np

from dpcore.attacks import published_chain, two_levels
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.decision_tiles import tile_release
from ui.pictures.marks import Tiles
from ui.pictures.picture import Picture
from ui.views.hierarchy.attacked import Attacked
from ui.views.hierarchy.choices import HierarchyInputs
from ui.words.catalogue import say

MAPS = {"exact": two_levels.decision_map, "published": published_chain.decision_map}


def map_axes(inputs: HierarchyInputs) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The counts the decision map shows: block, group, siblings; moved where a belief or the release lies."""
    known = inputs.known
    others = inputs.total - known - 1 if inputs.belief == "point" else 0

    def around(first: int, size: int, value: int) -> tuple[int, ...]:
        first = min(max(first, value - size + 1), value) if first - 20 <= value < first + size + 20 else first
        return tuple(range(first, first + size))

    half = min(max(round(2.6 * float(np.sqrt(inputs.siblings / (2 * inputs.rhos[0])))), 6), 30)
    return (
        around(known - 2, 7, inputs.x1),
        around(known - 3 + others, 9, inputs.x2),
        around(others - half, 2 * half + 1, inputs.y),
    )


def clicked_release(inputs: HierarchyInputs, x: float, y: float) -> dict[str, int]:
    """The release of the tile that was clicked, as choices; nothing between the panels."""
    panels, across, up = map_axes(inputs)
    found = tile_release(x, y, panels=panels, across=across, up=up)
    return {} if found is None else dict(zip(("x1", "x2", "y"), found, strict=True))


def map_picture(attacked: Attacked, context: dict[str, object]) -> Picture:
    """Belief and decision for every release round the one that was chosen."""
    inputs, style = attacked.inputs, attacked.style
    panels, across, up = map_axes(inputs)
    shown = MAPS[inputs.chain](
        design=inputs.design(inputs.belief), block_counts=panels, group_counts=across, sibling_sums=up
    )
    ends = {"low": across[0], "high": across[-1]}
    words = {
        name: say("hierarchy", style.voice, f"map_{name}", **ends)
        for name in ("across", "up", "counted", "not", "hover")
    }
    x1, x2, y = (axis.ravel() for axis in np.meshgrid(panels, across, up, indexing="ij"))
    alone = ["yes" if one else "no" for one in np.repeat(np.asarray(shown.block_only), len(across) * len(up))]
    belief, decided = np.asarray(shown.posteriors).ravel(), np.asarray(shown.decisions).ravel()
    rows = [
        side_by_side(
            Column("block", "block x₁*", x1.tolist(), said=int),
            Column("group", "group x₂*", x2.tolist(), quantity=words["across"].replace("<br>", "\n"), said=int),
            Column("siblings", "siblings y*", y.tolist(), quantity=words["up"], said=int),
            Column("belief", "belief", belief, said=digits(4)),
            Column("decides", "decides counted", decided, said=int),
            Column("alone", "the block alone decides so", alone, listed=False),
            listed=np.flatnonzero((y % 5 == 0) | (y == inputs.y)).tolist(),
        )
    ]
    chosen = None
    if inputs.x1 in panels and inputs.x2 in across and inputs.y in up:
        chosen = ("this_block", "this_group", "this_siblings")
        rows.append(
            side_by_side(
                single("this_block", "this release, block x₁*", inputs.x1),
                single("this_group", "this release, group x₂*", inputs.x2),
                single("this_siblings", "this release, siblings y*", inputs.y),
            )
        )
    tiles = Tiles(
        group="block",
        x="group",
        y="siblings",
        z="belief",
        words="alone",
        names=(words["not"], words["counted"]),
        hover=words["hover"],
        chosen=chosen,
    )
    switched = float((shown.decisions != shown.block_only[:, None, None]).mean())
    reading = say(
        "hierarchy",
        style.voice,
        f"reading_map_{inputs.chain}",
        switched=attacked.number(switched),
        **context,
    )
    return Picture(
        key="hierarchy-map",
        numbers=Numbers("Belief and decision by release (every fifth sum)", tuple(rows)),
        marks=(tiles,),
        reading=reading,
        style=style,
        height=430,
    )
