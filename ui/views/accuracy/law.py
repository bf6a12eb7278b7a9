"""What a budget's noise does to one count and to a list of districts: how far off they are published, how often."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.accuracy import AdditiveMechanism, CountError
from dpcore.publication import EventCount, clamping_biases, errors_beyond, negative_counts
from riskline.answers import schema_of_districts
from riskline.answers.errors import RowError, noise_error
from ui.pictures.columns import Column, Numbers, side_by_side, written
from ui.pictures.marks import Axis, Bars, Panel
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.accuracy.choices import AccuracyInputs, budget_words
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, frequency, how_often, on_average
from ui.words.quantities import Exact, Typed, Upper, number, whole

SMALL = 0.01
"""A district is called small where its count is published below zero at least so often."""
LEAST_CHANCE = 1e-300  # smaller ones are 0 in a float, and never impossible


def whole_range(mechanism: AdditiveMechanism, error: CountError) -> tuple[int, float]:
    """How far a count published as a whole number lies from the truth as often as asked, and exactly how often."""
    if not mechanism.is_whole:
        wide = max(0, math.ceil(error.half_width - 0.5))
        return wide, float(mechanism.probability_within(wide + 0.5))
    return math.ceil(error.half_width), error.within


def law_of_error(mechanism: AdditiveMechanism, error: CountError) -> dict[str, Any]:
    """Numbers and marks of a picture of the error's law: the central range filled, the tails hatched."""
    reach = int(min(max(mechanism.half_width(0.999), 3), 400))
    step = max(1, math.ceil(reach / 60))
    edge: NDArray[np.float64] = np.arange(-reach, reach + 1, step, dtype=float)
    # a bar is the probability of publishing a value in its step, continuous noise rounded to whole numbers
    probability = np.asarray(mechanism.cdf(edge + step - 0.5)) - np.asarray(mechanism.cdf(edge - 0.5))
    wide, _ = whole_range(mechanism, error)
    rows = side_by_side(
        Column(
            "error",
            label("accuracy", "error"),
            edge,
            quantity=label("accuracy", "error.quantity"),
            said=written("+.0f"),
            hover="d",
        ),
        Column("probability", label("accuracy", "probability"), np.maximum(probability, 0.0)),
        inside := Column(
            "inside",
            f"{Upper(wide, whole):within ± …}",
            (np.abs(edge) <= wide) & (np.abs(edge + step - 1) <= wide),
            listed=False,
        ),
    )
    caption = label("accuracy", "law_in_steps" if step > 1 else "law", step=step)
    return {
        "numbers": Numbers(caption, (rows,)),
        "marks": _inside_and_outside("error", inside.name, label("accuracy", "further_off")),
    }


def _inside_and_outside(x: str, inside: str, outside: str) -> tuple[Bars, ...]:
    return (
        Bars(x=x, y="probability", where=("inside", True), name=inside),
        Bars(x=x, y="probability", where=("inside", False), name=outside, role="reach", pattern="/"),
    )


def in_districts(inputs: AccuracyInputs, of_one: AdditiveMechanism, style: Style) -> dict[str, Any]:
    """What is said and drawn of a list of districts with noise for each, by its name in the view.

    `of_one` is the noise that the budget gives one count alone. Each district has half its budget where a record that
    is replaced can change two of them.
    """
    places, more_than, level = inputs.places, inputs.more_than, inputs.level
    schema = schema_of_districts(len(places), inputs.moves)
    changed = len(schema.largest_change(0, inputs.relation).amounts)
    mechanism = of_one if changed == 1 else noise_error(of_one.budget / changed, inputs.noise).noise
    shared = "" if not schema.asks_where(inputs.relation) else "_known" if changed == 1 else "_halved"
    counts = np.array([count for _, count in places])
    off = errors_beyond(len(places), mechanism=mechanism, more_than=more_than)
    below = negative_counts(counts, mechanism=mechanism)
    published = np.rint(mechanism.simulate_noise(len(places), seed=inputs.seed)).astype(int) + counts
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
        "raised": Exact(float(clamping_biases(counts, mechanism=mechanism).sum()), average),
        "raised_nobody": Exact(float(clamping_biases([0], mechanism=mechanism)[0]), average),
        "halved": budget_words(mechanism),
        "chance": often(float(off.chances[0])),
        "seed": f"{inputs.seed}",
        "missed": f"{int((np.abs(published - counts) > more_than).sum()):,}",
    }

    def said(passage: str) -> str:
        return say("accuracy", style.voice, passage, **context)

    wide, _ = whole_range(mechanism, RowError(mechanism, level).error)
    example = [
        (
            name or label("accuracy", "district", number=place + 1),
            f"{count:,}",
            f"**{_minus(drawn)}**" if abs(drawn - count) > more_than else _minus(drawn),
            label("accuracy", "range", low=_minus(count - wide), high=f"{count + wide:,}"),
            frequency(max(float(below.chances[place]), LEAST_CHANCE)),
        )
        for place, ((name, count), drawn) in enumerate(zip(places, published.tolist(), strict=True))
    ]
    heads = tuple(label("accuracy", f"example.{head}") for head in ("place", "true", "published", "range", "below"))
    return {
        "districts_print": said(f"small_print_districts{shared}"),
        "below_zero": said("below_zero"),
        "districts_off": _law_of_number(off, level, said("reading_districts"), style),
        "example": Table(said("example_districts"), heads, tuple(example)),
    }


def _spread(found: EventCount, level: float) -> str:
    low, high = found.central_range(level)
    return f"{low:,}" if low == high else label("accuracy", "range", low=f"{low:,}", high=f"{high:,}")


def _law_of_number(off: EventCount, level: float, reading: str, style: Style) -> Picture:
    low, high = off.central_range(level)
    shown = np.arange(max(low - 3, 0), min(high + 3, off.law.size - 1) + 1)
    inside = label("accuracy", "of_them", spread=_spread(off, level))
    rows = side_by_side(
        Column("number", label("accuracy", "too_far"), shown.astype(float), said=written(",.0f"), hover=",d"),
        Column("probability", label("accuracy", "probability"), off.law[shown]),
        Column("inside", inside, (shown >= low) & (shown <= high), listed=False),
    )
    return Picture(
        key="districts-off",
        numbers=Numbers(reading, (rows,)),
        marks=_inside_and_outside("number", inside, label("accuracy", "more_or_fewer")),
        panels=(Panel(x=Axis(grid=False), y=Axis(zero=True)),),
        reading=reading,
        style=style,
        legend="above right",
        height=260,
    )


def _minus(value: int) -> str:
    return f"{value:,}".replace("-", "−")
