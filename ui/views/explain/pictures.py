"""Pictures of what an ε means: beliefs by the belief before, found against accused."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ui.pictures.columns import Column, Numbers, digits, side_by_side, single, told
from ui.pictures.marks import ON_LINE, PERCENT, Axis, Line, Mark, Panel, Spot
from ui.pictures.picture import Picture
from ui.views.explain.choices import READINGS
from ui.views.explain.meaning import Meaning
from ui.views.explain.told import belief_digits
from ui.views.shared.trade_off import NamedTradeOff, trade_off_picture
from ui.words.catalogue import label, say
from ui.words.quantities import Lower, Upper


def detection_picture(meaning: Meaning) -> Picture:
    """What the best test of the secret finds for what it accuses wrongly: this noise, and every release as private."""
    inputs, promise = meaning.inputs, meaning.promise
    curves = [NamedTradeOff(meaning.say("line_bound", **meaning.context), meaning.evidence.most_telling)]
    if meaning.evidence.tests is not None:
        curves.insert(0, NamedTradeOff(meaning.say("line_exact"), meaning.evidence.tests))
    return trade_off_picture(
        curves,
        false_alarm=inputs.false_alarm,
        style=meaning.style,
        secret=promise.secret,
        log_accused=inputs.log_accused,
    )


word = partial(label, "explain")
STYLES = {"bound": ("reach", "dash"), "every_view": ("third", "dot"), "exact": ("fourth", "solid")}


def _priors() -> NDArray[np.float64]:
    steps: NDArray[np.float64] = np.linspace(0.0, 1.0, 161)
    return 3 * steps**2 - 2 * steps**3  # dense at both ends


def curve_picture(meaning: Meaning) -> Picture:
    """The interval of beliefs after the release, for every belief before it."""
    style, context = meaning.style, meaning.context
    prior = _priors()
    before, after = word("before"), word("after")
    columns = [
        Column("prior", before, prior, said=digits(3)),
        Column("nothing", word("nothing"), prior, quantity=after, listed=False),
    ]
    marks: list[Mark] = [Line(x="prior", y="nothing", role="quiet", hairline=True)]
    kinds = READINGS[:3] if meaning.evidence.loss is not None else READINGS[:1]
    below = meaning.inputs.prior < 0.6  # the names stand on the side that the marked spot leaves free
    for place, reading in reversed(list(enumerate(kinds))):  # dashes over the solid line, where they coincide
        role, dash = STYLES[reading]
        at = 70 - 17 * place
        for side, aspect, values, way, where in zip(
            ("upper", "lower"),
            (word("people.most"), word("people.least")),
            meaning.evidence.beliefs(reading, prior),
            (Upper, Lower),
            (None if below else at, 160 - at if below else None),
            strict=True,
        ):
            key = f"{reading}_{side}"
            said = told(way, belief_digits)
            columns.append(
                Column(key, word(f"reading.{reading}"), np.asarray(values), quantity=after, aspect=aspect, said=said)
            )
            marks.append(Line(x="prior", y=key, role=role, dash=dash, label=where, beside=ON_LINE))
    reached = f"{meaning.counts[1]:,} in {meaning.of:,}"
    from_to = word("from_to", before=meaning.before.removesuffix(f" in {meaning.of:,}"), after=reached)
    beside = ("right", "bottom") if meaning.inputs.prior >= 0.3 else ("left", "top")  # where no curve runs
    spot = side_by_side(
        single("this_prior", word("chosen"), meaning.inputs.prior, quantity=before),
        single("here", from_to, meaning.here[0], quantity=after),
    )
    caption = word("by_prior", promise=meaning.words["promise"])
    return Picture(
        key="belief-by-prior",
        numbers=Numbers(caption, (side_by_side(*columns, listed=range(8, prior.size - 8, 8)), spot)),
        marks=(*marks, Spot(x="this_prior", y="here", beside=beside)),
        panels=(Panel(x=Axis(range=(0.0, 1.0), ticks=PERCENT), y=Axis(range=(0.0, 1.12), ticks=PERCENT)),),
        reading=say("explain", style.voice, "reading_curve", **context),
        style=style,
        height=380,
    )
