"""The line to be drawn, the largest ε each belief before allows, and maps over two beliefs."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore.profiles import Status
from ui.pictures.columns import Column, digits, side_by_side
from ui.pictures.description import Description
from ui.pictures.marks import PERCENT, Axis, Heat, Level, Line, Mark, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.choose.answer import AnsweredLine
from ui.views.shared.drawing import Editor, where_limited
from ui.words.catalogue import label, say
from ui.words.quantities import Allowed, Upper

word = partial(label, "choose")
before = partial(Column, quantity=word("before_hundred"))
after = partial(Column, quantity=word("after_hundred"))
"""Columns of beliefs before and after, out of a hundred."""


def line_with_reach(answer: AnsweredLine) -> Editor | None:
    """The line to draw, what an attacker reaches and where the budget is decided; none for two beliefs at once."""
    inputs, implied = answer.inputs, answer.implied
    if inputs.secret == "both":
        return None
    reachable = np.empty((0, 2))
    if implied.status is not Status.BINDS_NOTHING:
        reachable = np.column_stack([answer.curve.prior, answer.curve.reached])
    place = implied.binding
    mark = (place.prior, answer.reached_where_decided) if place is not None and 0 < place.prior < 1 else None
    between = inputs.interpolation if inputs.line == "drawn" else "linear"
    return Editor(answer.points, between, reachable, mark, budget=answer.spend)


def accepted_line(answer: AnsweredLine, reading: str) -> Description:
    """The line over one belief with what an attacker can reach, for files: the page draws it in its editor."""
    curve = answer.curve_along(log=False)
    curves = side_by_side(
        before("prior", word("before"), 100 * curve.prior),
        after("nothing", word("nothing"), 100 * curve.prior),
        after("line", word("accepted"), 100 * where_limited(curve.accepted), absent=word("no_limit")),
        after("reach", word("reachable"), 100 * curve.reached),
    )
    rows = [curves]
    marks: list[Mark] = [
        Line(x="prior", y="nothing", role="quiet", hairline=True),
        Line(x="prior", y="line"),
        Line(x="prior", y="reach", role="reach", dash="dash"),
    ]
    decides = _decides(answer)
    if decides is not None:
        rows.append(side_by_side(decides, after("decides", word("decides"), [100 * answer.reached_where_decided])))
        marks.append(Spot(x="decides_prior", y="decides"))
    top_seen = min(1.0, float(np.nanmax(np.where(np.isfinite(curve.accepted), curve.accepted, 0.0))) * 1.04)
    x, y = Axis(range=(0.0, 100 * min(1.0, answer.inputs.held))), Axis(range=(0.0, 100 * top_seen))
    caption = word("accepted_and_reached", exception=answer.context["exception"])
    return Description.of("profile", rows, marks, reading=reading, caption=caption, x=x, y=y, style=Style())


def _decides(answer: AnsweredLine) -> Column | None:
    """The belief before that decides the budget, where it can be marked."""
    place = answer.implied.binding
    if place is None or place.prior == 0:
        return None
    return before("decides_prior", word("decides_at"), [100 * place.prior])


def line_pictures(answer: AnsweredLine) -> tuple[Picture, ...]:
    """The largest ε each belief before allows, or maps over two beliefs."""
    if answer.implied.status is Status.BINDS_NOTHING:
        return ()
    return _maps(answer) if answer.inputs.secret == "both" else (_epsilon_by_prior(answer),)


def _epsilon_by_prior(answer: AnsweredLine) -> Picture:
    curve, implied, style, context = answer.curve, answer.implied, answer.style, answer.context
    largest = partial(Column, quantity=word("largest"))
    rows = [
        side_by_side(
            before("prior", word("before"), 100 * curve.prior),
            after("line", word("your_line"), 100 * where_limited(curve.accepted), absent=word("no_limit")),
            after("reach", word("reachable"), 100 * curve.reached, said=digits(4, Upper)),
            largest("largest", word("largest"), implied.largest_epsilon(curve.belief), said=digits(5, Allowed)),
            listed=range(0, curve.prior.size, 8),
        ),
        side_by_side(largest("level", word("level", epsilon=context["epsilon"]), [implied.lower])),
    ]
    marks: list[Mark] = [Line(x="prior", y="largest"), Level(y="level")]
    decides = _decides(answer)
    if decides is not None:
        rows.append(side_by_side(decides, largest("decides", say("choose", style.voice, "spot"), [implied.epsilon])))
        marks.append(Spot(x="decides_prior", y="decides"))
    reading = say("choose", style.voice, "reading_epsilon", **context)
    caption = word("by_prior", exception=context["exception"])
    x, y = Axis(log=answer.inputs.log), Axis(range=(0.0, max(4 * implied.epsilon, 1e-3)))
    return Picture.of(
        "epsilon-by-prior", rows, marks, reading=reading, caption=caption, x=x, y=y, style=style, height=300
    )


def _maps(answer: AnsweredLine) -> tuple[Picture, ...]:
    implied, style = answer.implied, answer.style
    grid: NDArray[np.float64] = np.linspace(0.01, 1.0, 100)
    membership, value = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    largest = np.asarray(implied.largest_epsilon(membership, value))
    ratio = np.asarray(implied.profile.highest_posterior(membership, value)) / (membership * value)
    place = implied.binding
    pictures = []
    ends = Axis(range=(0.0, 1.005), ticks=PERCENT, grid=False)
    present, valued = (partial(Column, quantity=word(name)) for name in ("believed_in", "believed_value"))
    tens = [100 * i + j for i in range(9, 100, 10) for j in range(9, 100, 10)]
    for key, quantity, name, top in (
        ("allowed-ratio", ratio, word("allowed_ratio"), max(4 * implied.strictest_ratio, 2.0)),
        ("allowed-epsilon", largest, word("largest"), float(np.clip(8 * implied.epsilon, 1e-2, 100))),
    ):
        reading = say("choose", style.voice, f"reading_{key.replace('-', '_')}", **answer.context)
        rows = [
            side_by_side(
                present("membership", word("in_data"), membership, said=digits(2)),
                valued("value", word("value"), value, said=digits(2)),
                Column("allowed", name, quantity, said=digits(4, Allowed)),
                listed=tens,
            )
        ]
        marks: list[Mark] = [Heat(x="membership", y="value", z="allowed", ceiling=min(top, 100.0))]
        if place is not None:
            held = present("decides_membership", word("in_data_decides"), [max(place.membership_prior, 0.005)])
            rows.append(side_by_side(held, valued("decides", word("decides"), [max(place.value_prior, 0.005)])))
            marks.append(Spot(x="decides_membership", y="decides", boxed=True))
        pictures.append(Picture.of(key, rows, marks, reading=reading, x=ends, y=ends, style=style, height=380))
    return tuple(pictures)
