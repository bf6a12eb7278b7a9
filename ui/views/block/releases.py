"""The picture of a release of one count."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import Axis, Dots, Glass, Line, Mark, Panel, Upright
from ui.pictures.picture import Picture
from ui.views.block.attack import Attack, word
from ui.words.phrasing import count_of_hundred, decimal_belief

MOST_MARKS = 61
"""With more possible counts than this, marks would merge: a line stands for them."""


def release_picture(attack: Attack) -> Picture:
    """Every count that could be published, the one that was, and the belief before and after it."""
    inputs, style, target = attack.inputs, attack.style, attack.target
    reach = max(3.0, 3.6 * attack.noise.std)
    first = int(min(target.known - reach, attack.drawn[0] - 1))
    last = int(max(target.known + 1 + reach, attack.drawn[0] + 1))
    counts = np.arange(first, last + 1, max(1, (last - first) // 400), dtype=float)
    counts = np.union1d(counts, [float(attack.drawn[0])])
    present = np.asarray(attack.noise.pmf(counts - target.known - 1))
    absent = np.asarray(attack.noise.pmf(counts - target.known))
    hundred = inputs.draws == "hundred"
    after = float(attack.after.mean()) if hundred else float(attack.after[0])
    short = decimal_belief if style.technical else count_of_hundred
    yes, no = attack.in_case("case"), attack.in_case("no")
    peak = float(max(present.max(), absent.max()))
    count, chance = word("noisy_count"), word("probability")
    shown = np.flatnonzero(present + absent > 1e-3 * (present + absent).max())[:400]
    releases = side_by_side(
        Column("count", word("noisy_count"), counts, quantity=count, said=int, hover=","),
        Column("present", yes, present, quantity=chance, said=digits(4), hover=".3~g"),
        Column("absent", no, absent, quantity=chance, said=digits(4), hover=".3~g"),
        Column("posterior", word("belief_after"), np.asarray(attack.posterior(counts)), said=digits(5)),
        listed=shown.tolist(),
    )
    published = word("published", **attack.context)
    this = side_by_side(single("published", published, int(attack.drawn[0]), quantity=count))
    belief = word("belief")
    glasses = side_by_side(
        single("before", word("before"), inputs.prior, quantity=belief, said=short),
        single("after", word("after_average" if hundred else "after"), after, quantity=belief, said=short),
        single("after_low", word("lowest_after"), float(attack.after.min()), quantity=belief),
        single("after_high", word("highest_after"), float(attack.after.max()), quantity=belief),
    )
    rows = [releases, this, glasses]
    few = "circle" if counts.size <= MOST_MARKS else ""
    right = attack.drawn[0] >= (counts[0] + counts[-1]) / 2
    marks: list[Mark] = [
        Line(
            panel=1,
            x="count",
            y="absent",
            role="reach",
            dash="dot",
            width=0.72,
            symbols=few and "square-open",
            label=int(np.flatnonzero(absent >= 0.6 * absent.max())[0]),
            beside=("right", "middle"),
        ),
        Line(
            panel=1,
            x="count",
            y="present",
            width=0.72,
            symbols=few,
            label=int(np.flatnonzero(present >= 0.6 * present.max())[-1]),
            beside=("left", "middle"),
        ),
        Upright(panel=1, x="published", role="mark", flag=True, beside="left" if right else "right"),
    ]
    low = 0.0
    if hundred:
        stacked = _stacked(attack.drawn, peak)
        low = float(stacked.min() - (0.0 if stacked.size == 0 else abs(stacked).min()))
        rows.append(
            side_by_side(
                Column("others", word("others"), attack.drawn, quantity=count, hover=","),
                Column("stacked", word("stacked"), stacked, quantity=chance),
            )
        )
        marks.append(Dots(panel=1, x="others", y="stacked", role="quiet", size=5))
    marks += [
        Glass(panel=0, y="before", role="quiet"),
        Glass(panel=2, y="after", low="after_low" if hundred else "", high="after_high" if hundred else ""),
    ]
    top = 1.24 * peak
    glass = Panel(x=Axis(range=(-0.5, 0.5), shown=False), y=Axis(range=(low / top, 1.08), shown=False), share=0.12)
    law = Panel(
        x=Axis(range=(float(counts[0]), float(counts[-1])), grid=False),
        y=Axis(range=(low, top), shown=False),
        share=0.66,
    )
    after_told = word("after_hundred", **attack.context) if hundred else attack.style.belief(after)
    return Picture(
        key="release",
        numbers=Numbers(word("release"), tuple(rows)),
        marks=tuple(marks),
        panels=(glass, law, glass),
        reading=attack.say("reading_release"),
        told=word("release_told", yes=yes, no=no, after_told=after_told, before=attack.context["before"]),
        style=style,
        height=400,
        gap=0.05,
    )


def _stacked(others: NDArray[np.int64], peak: float) -> NDArray[np.float64]:
    """Heights below the axis at which releases of one count stand on each other."""
    _, inverse, times = np.unique(others, return_inverse=True, return_counts=True)
    seen = np.zeros(times.size, dtype=int)
    height = np.empty(others.size)
    for index, value in enumerate(inverse):
        seen[value] += 1
        height[index] = -0.55 * peak / max(int(times.max()), 12) * (seen[value] + 0.5)
    return height
