"""The line to be drawn, the largest ε each belief before allows, and maps over two beliefs."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore.profiles import Status
from ui.pictures.columns import Column, Numbers, Rows, digits, side_by_side, single
from ui.pictures.description import Description
from ui.pictures.marks import PERCENT, Axis, Heat, Level, Line, Mark, Panel, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.choose.answer import AnsweredLine
from ui.views.shared.drawing import Editor, where_limited
from ui.words.catalogue import label, say
from ui.words.quantities import Allowed, Upper

word = partial(label, "choose")


def line_with_reach(answer: AnsweredLine) -> Editor | None:
    """The line to draw, what an attacker reaches and where the budget is decided; none for two beliefs at once."""
    inputs, implied = answer.inputs, answer.implied
    if inputs.secret == "both":
        return None
    reachable = np.empty((0, 2))
    if implied.status is not Status.BINDS_NOTHING:
        reachable = np.column_stack([answer.curve.prior, answer.curve.reached])
    place = implied.binding
    mark = None
    if place is not None and 0 < place.prior < 1:
        mark = (place.prior, answer.reached_where_decided)
    interpolation = inputs.interpolation if inputs.line == "drawn" else "linear"
    return Editor(answer.points, interpolation, reachable, mark)


def accepted_line(answer: AnsweredLine, reading: str) -> Description:
    """The line over one belief with what an attacker can reach, for files: the page draws it in its editor."""
    curve, place = answer.curve_along(log=False), answer.implied.binding
    end = float(min(1.0, answer.inputs.held))
    before, after = word("before_hundred"), word("after_hundred")
    rows = [
        side_by_side(
            Column("prior", word("before"), 100 * curve.prior, quantity=before),
            Column("nothing", word("nothing"), 100 * curve.prior, quantity=after),
            Column(
                "line", word("accepted"), 100 * where_limited(curve.accepted), quantity=after, absent=word("no_limit")
            ),
            Column("reach", word("reachable"), 100 * curve.reached, quantity=after),
        )
    ]
    marks: list[Mark] = [
        Line(x="prior", y="nothing", role="quiet", hairline=True),
        Line(x="prior", y="line"),
        Line(x="prior", y="reach", role="reach", dash="dash"),
    ]
    if place is not None and place.prior > 0:
        top = answer.reached_where_decided
        rows.append(
            side_by_side(
                single("decides_prior", word("decides_at"), 100 * place.prior, quantity=before),
                single("decides", word("decides"), 100 * top, quantity=after),
            )
        )
        marks.append(Spot(x="decides_prior", y="decides"))
    top_seen = float(min(1.0, np.nanmax(np.where(np.isfinite(curve.accepted), curve.accepted, 0.0)) * 1.04))
    return Description(
        key="profile",
        numbers=Numbers(word("accepted_and_reached", exception=answer.context["exception"]), tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(range=(0.0, 100 * end)), y=Axis(range=(0.0, 100 * top_seen))),),
        reading=reading,
        style=Style(),
    )


def line_pictures(answer: AnsweredLine) -> tuple[Picture, ...]:
    """The largest ε each belief before allows, or maps over two beliefs."""
    if answer.implied.status is Status.BINDS_NOTHING:
        return ()
    return _maps(answer) if answer.inputs.secret == "both" else (_epsilon_by_prior(answer),)


def _epsilon_by_prior(answer: AnsweredLine) -> Picture:
    curve, implied, style, context = answer.curve, answer.implied, answer.style, answer.context
    place = implied.binding
    measured, largest, after = word("before_hundred"), word("largest"), word("after_hundred")
    beside = [_level(answer)]
    marks: list[Mark] = [Line(x="prior", y="largest"), Level(y="level")]
    if place is not None and place.prior > 0:
        spot = say("choose", style.voice, "spot")
        beside.append(
            side_by_side(
                single("decides_prior", word("decides_at"), 100 * place.prior, quantity=measured),
                single("decides", spot, implied.epsilon, quantity=largest),
            )
        )
        marks.append(Spot(x="decides_prior", y="decides"))
    drawn = side_by_side(
        Column("prior", word("before"), 100 * curve.prior, quantity=measured),
        Column("line", word("your_line"), 100 * where_limited(curve.accepted), quantity=after, absent=word("no_limit")),
        Column("reach", word("reachable"), 100 * curve.reached, said=digits(4, Upper), quantity=after),
        Column("largest", largest, np.asarray(implied.largest_epsilon(curve.belief)), said=digits(5, Allowed)),
        listed=range(0, curve.prior.size, 8),
    )
    return Picture(
        key="epsilon-by-prior",
        numbers=Numbers(word("by_prior", exception=context["exception"]), (drawn, *beside)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=answer.inputs.log), y=Axis(range=(0.0, max(4 * implied.epsilon, 1e-3)))),),
        reading=say("choose", style.voice, "reading_epsilon", **context),
        style=style,
        height=300,
    )


def _level(answer: AnsweredLine) -> Rows:
    """The ε of the whole line."""
    named = word("level", epsilon=answer.context["epsilon"])
    return side_by_side(single("level", named, answer.implied.lower, quantity=word("largest")))


def _maps(answer: AnsweredLine) -> tuple[Picture, ...]:
    implied, style = answer.implied, answer.style
    grid: NDArray[np.float64] = np.linspace(0.01, 1.0, 100)
    membership, value = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    largest = np.asarray(implied.largest_epsilon(membership, value))
    ratio = np.asarray(implied.profile.highest_posterior(membership, value)) / (membership * value)
    place = implied.binding
    pictures = []
    ceiling = float(np.clip(8 * implied.epsilon, 1e-2, 100))
    ends = Axis(range=(0.0, 1.005), ticks=PERCENT, grid=False)
    across, up = word("believed_in"), word("believed_value")
    for key, quantity, name, top in (
        ("allowed-ratio", ratio, word("allowed_ratio"), max(4 * implied.strictest_ratio, 2.0)),
        ("allowed-epsilon", largest, word("largest"), ceiling),
    ):
        reading = say("choose", style.voice, f"reading_{key.replace('-', '_')}", **answer.context)
        tens = [100 * i + j for i in range(9, 100, 10) for j in range(9, 100, 10)]
        rows = [
            side_by_side(
                Column("membership", word("in_data"), membership, quantity=across, said=digits(2)),
                Column("value", word("value"), value, quantity=up, said=digits(2)),
                Column("allowed", name, quantity, said=digits(4, Allowed)),
                listed=tens,
            )
        ]
        marks: list[Mark] = [Heat(x="membership", y="value", z="allowed", ceiling=min(top, 100.0))]
        if place is not None:
            held, has_value = (max(prior, 0.005) for prior in (place.membership_prior, place.value_prior))
            rows.append(
                side_by_side(
                    single("decides_membership", word("in_data_decides"), held, quantity=across),
                    single("decides", word("decides"), has_value, quantity=up),
                )
            )
            marks.append(Spot(x="decides_membership", y="decides", boxed=True))
        pictures.append(
            Picture(
                key=key,
                numbers=Numbers(reading, tuple(rows)),
                marks=tuple(marks),
                panels=(Panel(x=ends, y=ends),),
                reading=reading,
                style=style,
                height=380,
            )
        )
    return tuple(pictures)
