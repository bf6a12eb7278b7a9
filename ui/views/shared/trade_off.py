"""The best test of a secret as a picture: from named trade-offs and one rate of false accusations to what is read.

Pages hand in `NamedTradeOff`s of *their* secret (`dpcore.tradeoff.trade_off` answers for one step of it).
A bound on detection is rounded up and on missed down, the safe side for the people in the data, as is everything in
the table; a sentence about an exact curve rounds to the nearest, so that found and missed go together. The share
falsely accused is rounded down: what limits a share found limits it for every smaller one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.promise import Secret
from dpcore.tradeoff import TradeOff
from ui.pictures.columns import Column, side_by_side, single, told
from ui.pictures.marks import PERCENT, Axis, Line, Mark, Spot
from ui.pictures.palette import ROLES
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.words.catalogue import say
from ui.words.phrasing import decimal_belief, plain_number, rate, rounded, typed_frequency
from ui.words.quantities import Estimate, Exact, Lower, Upper

SMALLEST_DRAWN = 1e-6  # where the axis of false accusations begins when it is logarithmic
GRID: NDArray[np.float64] = np.unique(
    np.concatenate([np.linspace(0.0, 1.0, 161), np.geomspace(SMALLEST_DRAWN, 1.0, 81)])
)
SHARES = Axis(range=(-0.02, 1.02), ticks=PERCENT)
LISTED = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)  # rates of false accusations in the table


@dataclass(frozen=True)
class NamedTradeOff:
    """A curve with the name it has on the page."""

    name: str
    curve: TradeOff

    @property
    def told(self) -> str:
        """How it is told: exact, or an estimate, or a bound, also where some release attains that."""
        return self.curve.certainty if self.curve.certainty in ("exact", "estimate") else "bound"


def people_of(value: float, direction: str) -> str:
    """A share of those accused or not, as "24 of 100"; at least none where it is that small.

    >>> people_of(0.231, "up"), people_of(0.00001, "down")
    ('24 of 100', '0 of 100')
    """
    if direction == "down" and value < 1e-4:
        return rate(0.0)
    return rate(value, direction)


Point = tuple[float, float, float]  # a rate of wrong accusations, the share found and the share missed there


def _context(one: NamedTradeOff, point: Point, secret: Secret, style: Style) -> dict[str, Any]:
    spoken = decimal_belief if style.technical else people_of
    false_alarm, finding, missing = point
    upper, lower = {"exact": (Exact, Exact), "estimate": (Estimate, Estimate)}.get(one.told, (Upper, Lower))
    return {
        "line": one.name,
        "accused": Lower(false_alarm, decimal_belief if style.technical else typed_frequency).digits,
        "found": upper(finding, spoken),
        "missed": lower(missing, spoken),
        "who": say("trade_off", style.voice, f"who_{secret.value}"),
    }


def _reading(curves: Sequence[NamedTradeOff], points: Sequence[Point], secret: Secret, style: Style) -> str:
    """The sentence about the first curve at its point, and what the others give there."""
    words = partial(say, "trade_off", style.voice)
    (first, here), *others = zip(curves, points, strict=True)
    said = [words(f"reading_{first.told}", **_context(first, here, secret, style))]
    if first.curve.certainty == "tight":
        said.append(words("attained"))
    if others:
        beside = (words(f"other_{one.told}", **_context(one, at, secret, style)) for one, at in others)
        said.append(words("others", others="; ".join(beside)))
    return " ".join(said)


def trade_off_picture(
    curves: Sequence[NamedTradeOff],
    *,
    false_alarm: float,
    style: Style,
    secret: Secret = Secret.PRESENCE,
    log_accused: bool = False,
) -> Picture:
    """The picture of one or several trade-offs with a marked point on the first, its sentence and its table.

    `false_alarm` is in [0, 1]; a logarithmic axis begins at one false accusation in a million.
    """
    words = partial(say, "trade_off", style.voice)
    first = curves[0]
    rates: NDArray[np.float64] = np.unique(np.concatenate([GRID, LISTED, [false_alarm]]))
    drawn = [one.curve.found_and_missed(rates) for one in curves]
    at = int(np.searchsorted(rates, false_alarm))
    points = [(false_alarm, float(shares[at]), float(lost[at])) for shares, lost in drawn]
    listed = np.flatnonzero(np.isin(rates, [*LISTED, false_alarm])).tolist()
    across, up, missed = words("accused_title"), words("found_title"), words("column_missed")
    listed_in = partial(Column, said_in=words("column_hundred"))
    columns = [listed_in("accused", across, rates, quantity=across, said=_rate_in_100, hover=".3~g")]
    upper, lower = told(Upper, _in_100), told(Lower, _in_100)
    for place, (one, (shares, lost)) in enumerate(zip(curves, drawn, strict=True)):
        columns += [
            listed_in(f"found_{place}", one.name, shares, quantity=up, aspect=up, said=upper, hover=".3~g"),
            listed_in(f"missed_{place}", one.name, lost, aspect=missed, said=lower),
        ]
    spot = words(f"spot_{first.told}", **_context(first, points[0], secret, style))
    ends = GRID[GRID > 0] if log_accused else np.linspace(0.0, 1.0, 101)
    rows = (
        side_by_side(*columns, listed=listed),
        side_by_side(
            Column("coin_accused", words("coin_accused"), ends, quantity=across),
            Column("coin", words("coin"), ends, quantity=up),
        ),
        side_by_side(
            single("this_rate", words("accused_here"), false_alarm, quantity=across),
            single("here", spot, points[0][1], quantity=up),
        ),
    )
    named: dict[str, Any] = {"wrapped": 10, "label": int(np.searchsorted(ends, 0.62)), "beside": ("left", "top")}
    if log_accused:
        named = {"label": int(np.searchsorted(ends, 0.02)), "beside": ("right", "bottom")}
    coin = Line(x="coin_accused", y="coin", role="quiet", hairline=True, in_legend=False, hover=False, **named)
    marks: list[Mark] = [coin]
    for place, one in enumerate(curves):
        dash = "solid" if one.told == "exact" else "dash"
        marks.append(Line(x="accused", y=f"found_{place}", role=ROLES[place], dash=dash))
    marks.append(Spot(x="this_rate", y="here", wrapped=27))
    return Picture.of(
        "trade-off",
        rows,
        marks,
        reading=_reading(curves, points, secret, style),
        caption=words("table"),
        told=words("alt", names="; ".join(words(f"line_{one.curve.certainty}", line=one.name) for one in curves)),
        x=Axis(log=True, range=(SMALLEST_DRAWN, 1.05)) if log_accused else SHARES,
        y=SHARES,
        style=style,
        legend="above",
        height=360,
    )


def _in_100(share: float, direction: str) -> str:
    """A share as so many of a hundred, to one decimal."""
    return f"{rounded(100 * float(share), 1, direction):.1f}"


def _rate_in_100(rate: float) -> str:
    """A rate of false accusations as so many of a hundred, with all its digits."""
    return plain_number(100 * float(rate), 4)
