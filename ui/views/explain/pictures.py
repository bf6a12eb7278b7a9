"""Pictures of what an ε means: beliefs by the belief before, the law of the belief after, found against accused."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.privacy_loss import ExactPosterior, Side
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single, told
from ui.pictures.marks import ON_LINE, Axis, Line, Mark, Panel, Spot, Upright
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.explain.choices import READINGS
from ui.views.explain.meaning import Meaning
from ui.views.explain.told import belief_digits
from ui.views.shared.trade_off import NamedTradeOff, trade_off_picture
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency, percent
from ui.words.quantities import Exact, Lower, Upper


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
            (word("at_most"), word("at_least")),
            meaning.evidence.beliefs(reading, prior),
            (Upper, Lower),
            (None if below else at, 160 - at if below else None),
            strict=True,
        ):
            key = f"{reading}_{side}"
            said = told(way, belief_digits)
            columns.append(
                Column(key, word(f"curve.{reading}"), np.asarray(values), quantity=after, aspect=aspect, said=said)
            )
            marks.append(Line(x="prior", y=key, role=role, dash=dash, label=where, beside=ON_LINE))
    reached = f"{meaning.counts[1]:,} in {meaning.of:,}"
    from_to = word("from_to", before=meaning.before.removesuffix(f" in {meaning.of:,}"), after=reached)
    spot = side_by_side(
        single("this_prior", word("before_here"), meaning.inputs.prior, quantity=before),
        single("here", from_to, meaning.here[0], quantity=after),
    )
    caption = word("by_prior", promise=meaning.words["promise"])
    return Picture(
        key="belief-by-prior",
        numbers=Numbers(caption, (side_by_side(*columns, listed=range(8, prior.size - 8, 8)), spot)),
        marks=(*marks, Spot(x="this_prior", y="here")),
        panels=(Panel(y=Axis(range=(0.0, 1.02))),),
        reading=say("explain", style.voice, "reading_curve", **context),
        style=style,
        height=380,
    )


LEVELS = (0.5, 0.9, 0.95, 0.99, 0.999)


def law_picture(meaning: Meaning) -> Picture:
    """The exact law of the belief after the release, in both worlds, with the bound beside it."""
    style, loss, prior = meaning.style, meaning.evidence.loss, meaning.inputs.prior
    assert loss is not None
    sides: tuple[Side, Side] = ("present", "absent")
    ends = [
        float(ExactPosterior(loss, prior=prior).quantile(level, side=side))
        for level in (5e-4, 0.9995)
        for side in sides
    ]
    bound_up, bound_down = (float(end) for end in meaning.evidence.beliefs("bound", prior))
    low, high = max(min(*ends, bound_down) - 0.03, 0.0), min(max(*ends, bound_up) + 0.03, 1.0)
    belief: NDArray[np.float64] = np.linspace(low, high, 241)
    atoms = not loss.is_normal
    after, at_or_below = word("after"), word("at_or_below")
    worlds = tuple(zip(meaning.worlds(), sides, ("fourth", "accent"), ("solid", "dashdot"), (150, 60), strict=True))
    law = side_by_side(
        Column("belief", after, belief, said=told(Upper, belief_digits)),
        *(
            Column(
                side, name, np.asarray(ExactPosterior(loss, prior=prior).cdf(belief, side=side)), quantity=at_or_below
            )
            for name, side, *_ in worlds
        ),
    )
    bounds = side_by_side(
        single("bound_down", word("bound"), bound_down, quantity=after, aspect=word("at_least")),
        single("bound_up", word("bound"), bound_up, quantity=after, aspect=word("at_most")),
    )

    def quantiles(level: float) -> list[Any]:
        return [ExactPosterior(loss, prior=prior).quantile(level, side=side) for side in sides]

    rows = [
        (
            word("are_below", share=percent(level, 1).replace(".0", "")),
            *(Upper(float(belief), belief_digits).digits for belief in quantiles(level)),
        )
        for level in LEVELS
    ]
    means = meaning.evidence.beliefs("average", prior)
    rows.append((word("mean"), *map(belief_digits, means)))
    caption = word("law", promise=meaning.words["promise"])
    return Picture(
        key="belief-law",
        numbers=Numbers(caption, (law, bounds), Table(caption, (word("share"), *meaning.worlds()), tuple(rows))),
        marks=(
            *(
                Line(
                    x="belief",
                    y=side,
                    role=role,
                    dash=dash,
                    shape="hv" if atoms else "linear",
                    label=at,
                    beside=ON_LINE,
                )
                for _, side, role, dash, at in worlds
            ),
            Upright(x="bound_down", role="reach", dash="dash", at=1.0, beside="left"),
            Upright(x="bound_up", role="reach", dash="dash", at=1.0, beside="left"),
        ),
        panels=(Panel(y=Axis(range=(0.0, 1.05))),),
        reading=say("explain", style.voice, "reading_law", **_law_facts(meaning)),
        style=style,
        height=330,
    )


def _law_facts(meaning: Meaning) -> dict[str, Any]:
    loss, prior = meaning.evidence.loss, meaning.inputs.prior
    assert loss is not None
    belief = belief_digits if meaning.style.technical else frequency
    sides: tuple[Side, Side] = ("present", "absent")
    medians = [float(ExactPosterior(loss, prior=prior).quantile(0.5, side=side)) for side in sides]
    means = meaning.evidence.beliefs("average", prior)
    side = Exact if meaning.style.technical else Upper  # "at that or below" in the plain voice
    return meaning.context | {
        "median_present": side(medians[0], belief),
        "median_absent": side(medians[1], belief),
        "mean_present": belief(means[0]),
        "mean_absent": belief(means[1]),
    }
