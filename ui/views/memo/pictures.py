"""Pictures of dots: what somebody can come to believe, and how far off the districts of a table are."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ui.pictures.columns import Column, Numbers, side_by_side
from ui.pictures.description import Description
from ui.pictures.marks import Axis, Dots, Panel
from ui.pictures.style import Style
from ui.views.memo.brief import Districts
from ui.words.catalogue import label

word = partial(label, "memo")
ACROSS = 20
MOST = 100
"""Dots of a picture at most: of more districts, a dot stands for several."""
STYLES = (("accent", "circle"), ("reach", "diamond"), ("quiet", "circle"))
"""Colour and shape of each kind of dot, in the order in which they are laid; the last are small."""


def people_dots(before: float, after: float, reading: str) -> Description:
    """Of a hundred, those who stand for the belief before, and how many more at most after; rounded outwards.

    Below 1 in 100 a dot is one of 10,000, and only the dots of the beliefs are drawn.
    """
    of = MOST if after >= 1 / MOST else MOST**2
    held, reached = math.floor(before * of + 1e-9), math.ceil(after * of - 1e-9)
    kinds = {"before": held, "after": max(reached - held, 0), "rest": of - max(held, reached) if of == MOST else 0}
    return _dots("people", {word(f"dots.{name}", of=f"{of:,}"): count for name, count in kinds.items()}, reading)


def district_dots(found: Districts, reading: str) -> Description:
    """How many districts are exactly right, further off than the range, and between, on average."""
    number = found.number if found.number > 1 else MOST  # of one count, a hundred times
    each = math.ceil(number / MOST)
    share = number / found.number / each
    right, off = (math.floor(count * share + 0.5) for count in (found.right, found.off))
    names = ("dots.right", "dots.off", "dots.within")
    counts = (right, off, max(round(number / each) - right - off, 0))
    several = word("dots.several", each=f"{each:,}") if each > 1 else ""
    said = word("dots.once") if found.number == 1 else several
    named = (word(name, wide=f"{found.wide:,}", each=said) for name in names)
    return _dots("districts", dict(zip(named, counts, strict=True)), reading)


def _dots(key: str, kinds: dict[str, int], reading: str) -> Description:
    rows, marks, at = [], [], 0
    for (name, count), (role, symbol), size in zip(kinds.items(), STYLES, (9, 9, 4), strict=True):
        place = np.arange(at, at + count)
        x, y = f"across_{role}", f"down_{role}"
        across = Column(x, name, (place % ACROSS).astype(float), quantity=word("dots.across"))
        rows.append(side_by_side(across, Column(y, name, -(place // ACROSS).astype(float), quantity=word("dots.down"))))
        if count:
            marks.append(Dots(x=x, y=y, role=role, symbol=symbol, size=size))
        at += count
    lines = max(-(-at // ACROSS), 1)
    sides = Axis(range=(-0.8, ACROSS - 0.2), shown=False, grid=False)
    heights = Axis(range=(0.2 - lines, 0.8), shown=False, grid=False)
    return Description(
        key=key,
        numbers=Numbers(reading.replace("**", ""), tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=sides, y=heights),),
        reading=reading,
        style=Style(),
        legend="above",
    )
