"""What the noise of a budget does to a list of districts: how many are far off, which come out below zero."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.accuracy import AdditiveMechanism, count_error, noise_with_budget
from dpcore.publication import EventCount, clamping_biases, errors_beyond, negative_counts
from riskline.answers import schema_of_districts
from riskline.case.fields import Field, of_session
from ui.pictures.columns import Column, Numbers, side_by_side, written
from ui.pictures.marks import Axis, Bars, Panel
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.accuracy.law import budget_of, whole_range
from ui.views.shared.typed_districts import Districts, decode_districts, encode_districts
from ui.words.catalogue import say
from ui.words.phrasing import decimal_belief, frequency, how_often, on_average, plain_number
from ui.words.quantities import Exact, Typed, number

INVENTED: Districts = (
    ("Ash", 412),
    ("Beech", 187),
    ("Birch", 96),
    ("Elm", 240),
    ("Hazel", 33),
    ("Larch", 8),
    ("Lime", 2),
    ("Maple", 0),
    ("Oak", 1),
    ("Pine", 57),
    ("Rowan", 130),
    ("Willow", 3),
)
DISTRICT_FIELDS: tuple[Field, ...] = (
    of_session(
        Field(
            "places",
            "Your districts",
            "custom",
            INVENTED,
            read=decode_districts,
            write=encode_districts,
            help="A line for each: its count, or its name and its count. Invented to begin with. They stay in this "
            "session: the link does not hold them.",
        )
    ),
    Field("more_than", "Too far off: by more than so many people", "count", 2, low=0, high=100_000),
    Field("seed", "Seed of the example", "count", 1, low=0, high=1_000_000),
)
SMALL = 0.01
"""A district is called small where its count is published below zero at least so often."""

LEAST_CHANCE = 1e-300  # smaller ones are 0 in a float, and never impossible


def of_each_district(inputs: Any, mechanism: AdditiveMechanism) -> AdditiveMechanism:
    """The noise of each district: with half the budget where a record that is replaced can change two of them."""
    change = schema_of_districts(len(inputs.places), inputs.moves).largest_change(0, inputs.relation)
    changed = len(change.amounts)
    return mechanism if changed == 1 else noise_with_budget(budget_of(mechanism) / changed, inputs.noise)


def in_districts(inputs: Any, of_one: AdditiveMechanism, style: Style) -> dict[str, Any]:
    """What is said and drawn of a list of districts with noise for each, by its name in the view.

    `of_one` is the noise that the budget gives one count alone.
    """
    places, more_than, seed, level = inputs.places, inputs.more_than, inputs.seed, inputs.level
    mechanism = of_each_district(inputs, of_one)
    wide, _ = whole_range(mechanism, count_error(mechanism, level=level))
    replaced = schema_of_districts(len(places), inputs.moves).asks_where(inputs.relation)
    shared = "" if not replaced else "_known" if mechanism is of_one else "_halved"
    counts = np.array([count for _, count in places])
    off = errors_beyond(len(places), mechanism=mechanism, more_than=more_than)
    below = negative_counts(counts, mechanism=mechanism)
    raised = float(clamping_biases(counts, mechanism=mechanism).sum())
    published = np.rint(mechanism.simulate_noise(len(places), seed=seed)).astype(int) + counts
    often, average = (decimal_belief, number(4)) if style.technical else (how_often, on_average)
    small = int((below.chances >= SMALL).sum())
    context: dict[str, Any] = {
        "number": f"{len(places):,}",
        "more_than": Typed(more_than, number(6)),
        "off": Exact(off.expected, average),
        "spread": _spread(off, level),
        "level": Typed(level, often),
        "small": f"{small:,}",
        "seldom": Typed(SMALL, often),
        "below": Exact(below.expected, average),
        "below_spread": _spread(below, level),
        "raised": Exact(raised, average),
        "raised_nobody": Exact(float(clamping_biases([0], mechanism=mechanism)[0]), average),
        "halved": f"{'ρ' if inputs.concentrated else 'ε'} = {plain_number(budget_of(mechanism), 4)}",
        "chance": often(float(off.chances[0])),
        "seed": f"{seed}",
        "missed": f"{int((np.abs(published - counts) > more_than).sum()):,}",
    }

    def said(passage: str) -> str:
        return say("accuracy", style.voice, passage, **context)

    return {
        "districts": said("districts"),
        "districts_print": said(f"small_print_districts{shared}"),
        "below_zero": said("below_zero" if small else "none_below_zero"),
        "districts_off": _law(off, level, said("reading_districts"), style),
        "example": _example(places, published, more_than, wide, below, said("example_districts")),
    }


def _spread(found: EventCount, level: float) -> str:
    low, high = found.central_range(level)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _law(off: EventCount, level: float, reading: str, style: Style) -> Picture:
    low, high = off.central_range(level)
    shown = np.arange(max(low - 3, 0), min(high + 3, off.law.size - 1) + 1)
    inside = (shown >= low) & (shown <= high)
    named = f"{_spread(off, level)} of them"
    rows = side_by_side(
        Column("number", "districts too far off", shown.astype(float), said=written(",.0f"), hover=",d"),
        Column("probability", "probability", off.law[shown]),
        Column("inside", named, inside, listed=False),
    )
    return Picture(
        key="districts-off",
        numbers=Numbers(reading, (rows,)),
        marks=(
            Bars(x="number", y="probability", where=("inside", True), name=named),
            Bars(x="number", y="probability", where=("inside", False), name="more or fewer", role="reach", pattern="/"),
        ),
        panels=(Panel(x=Axis(grid=False), y=Axis(zero=True)),),
        reading=reading,
        style=style,
        legend="above right",
        height=260,
    )


def _example(
    places: Districts, published: NDArray[np.int_], more_than: int, wide: int, below: EventCount, caption: str
) -> Table:
    """One publication, district by district."""
    rows = []
    for place, (name, count) in enumerate(places):
        drawn = _minus(int(published[place]))
        rows.append(
            (
                name or f"district {place + 1}",
                f"{count:,}",
                f"**{drawn}**" if abs(int(published[place]) - count) > more_than else drawn,
                f"{_minus(count - wide)} to {count + wide:,}",
                frequency(max(float(below.chances[place]), LEAST_CHANCE)),
            )
        )
    return Table(caption, ("district", "true count", "published, example", "range", "below zero"), tuple(rows))


def _minus(value: int) -> str:
    return f"{value:,}".replace("-", "−")
