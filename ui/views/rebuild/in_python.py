"""The same in Python: a block's noisy tables drawn, the most likely people found, and how many of them are right."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.attacks.reconstruction import (
    draw_tables,
    marginal_tables,
    people_right,
    rebuild,
    redistricting_tables,
)
from dpcore.populations import ATTRIBUTES, CountTable, district_28_21, synthetic_block, synthetic_county
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, whole


def in_python(inputs: Any, made: CountTable, right: int) -> CodeLines:
    """The lines for the people of the most likely block who are right; `made` holds the block."""
    code = CodeWriter()
    counts, cells = _block(code, inputs, made)
    redistricting = made.attributes == ATTRIBUTES
    told = code(redistricting_tables, cells) if redistricting else code(marginal_tables, cells, made.attributes)
    tables = code.let("tables", told)
    asked = {"tables": tables, "noise": inputs.noise, "budget": inputs.budget}
    released = code.let("released", code(draw_tables, counts, **asked, seed=inputs.seed))
    people = {"people": Source(f"{counts}.sum()")} if inputs.size_known else {}
    found = code(rebuild, released, **asked, **people, time_limit=inputs.limit, check_unique=True)
    return code.ending(code(people_right, Source(f"{found}.counts"), counts), Exact(right, whole))


def _block(code: CodeWriter, inputs: Any, made: CountTable) -> tuple[Source, Source]:
    """The people of the block by kind, and the kinds."""
    if inputs.source == "block":
        block = code.let("block", code(synthetic_block, inputs.people, seed=inputs.block))
        return code.let("counts", Source(f"{block}.counts[0]")), code.let("cells", Source(f"{block}.cells"))
    place = inputs.place - 1
    if inputs.table == "own":
        there = np.flatnonzero(made.counts.sum(axis=0)).tolist()
        counts = code(np.array, made.counts[place, there].tolist())
        return code.let("counts", counts), code.let("cells", [made.cells[cell] for cell in there])
    known = code(synthetic_county, seed=inputs.county) if inputs.table == "synthetic" else code(district_28_21)
    table = code.let("table", known)
    kinds = code.let("there", Source(f"{table}.counts.sum(axis=0).nonzero()[0]"))
    counts = code.let("counts", Source(f"{table}.counts[{place}, {kinds}]"))
    return counts, code.let("cells", Source(f"[{table}.cells[cell] for cell in {kinds}]"))
