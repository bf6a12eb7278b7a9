"""The best test of a secret as a picture: from named trade-offs and one rate of wrong accusations to what is read.

Pages hand in `NamedTradeOff`s of the guarantee of *their* secret (`dpcore.tradeoff.trade_off` answers for one step).
Everything printed about detection is rounded up and about missed down, the safe side for the people in the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.promise import Secret
from dpcore.tradeoff import TradeOff
from ui.pictures.curves import Spot
from ui.pictures.look import Look
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.pictures.trade_off import SMALLEST_DRAWN, DetectionCurve, trade_off_figure
from ui.words.passages import say
from ui.words.phrasing import decimal_belief, frequency, plain_number, rounded, typed_frequency
from ui.words.quantities import Lower, Upper

GRID: NDArray[np.float64] = np.unique(
    np.concatenate([np.linspace(0.0, 1.0, 161), np.geomspace(SMALLEST_DRAWN, 1.0, 81)])
)
LISTED = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)  # rates of wrong accusations in the table
CERTAINTIES = ("exact", "tight", "bound")


@dataclass(frozen=True)
class NamedTradeOff:
    """A curve with the name it has on the page; `certainty` replaces the curve's own where the page knows better."""

    name: str
    curve: TradeOff
    certainty: str = ""

    @property
    def held(self) -> str:
        """exact, tight or bound."""
        certainty = self.certainty or self.curve.certainty
        if certainty not in CERTAINTIES:
            raise ValueError(f"certainty must be one of 'exact', 'tight', 'bound'; got {certainty!r}")
        return certainty


def _rate(value: float, look: Look) -> str:
    return decimal_belief(value) if look.technical else typed_frequency(value)


def people_of(value: float, direction: str) -> str:
    """A share of those accused or not, as "24 of 100"; at least none where it is that small.

    Examples
    --------
    >>> people_of(0.231, "up"), people_of(0.00001, "down")
    ('24 of 100', '0 of 10,000')
    """
    if direction == "down" and value < 1e-4:
        return "0 of 10,000"
    return frequency(value, direction).replace(" in ", " of ")


def _facts(one: NamedTradeOff, false_alarm: float, secret: Secret, look: Look) -> dict[str, Any]:
    spoken = decimal_belief if look.technical else people_of
    found = Upper(float(one.curve.detection(false_alarm)), spoken)
    missed = Lower(float(one.curve.missed(false_alarm)), spoken)
    exact = one.held == "exact"  # its sentence says that the first is rounded up
    return {
        "line": one.name,
        "accused": _rate(false_alarm, look),
        "found": found.digits if exact else found,
        "missed": missed.digits if exact else missed,
        "who": say("trade_off", look.voice, f"who_{secret.value}"),
    }


def trade_off_reading(
    curves: Sequence[NamedTradeOff], *, false_alarm: float, look: Look, secret: Secret = Secret.PRESENCE
) -> str:
    """The sentence about the first curve at a rate of wrong accusations, and what the others give there."""
    first, *others = curves
    sentence = say("trade_off", look.voice, f"reading_{first.held}", **_facts(first, false_alarm, secret, look))
    told = [
        say("trade_off", look.voice, f"other_{one.held}", **_facts(one, false_alarm, secret, look)) for one in others
    ]
    if not told:
        return sentence
    return f"{sentence} {say('trade_off', look.voice, 'others', others='; '.join(told))}"


def trade_off_picture(
    curves: Sequence[NamedTradeOff],
    *,
    false_alarm: float,
    look: Look,
    secret: Secret = Secret.PRESENCE,
    log_accused: bool = False,
    key: str = "trade-off",
) -> Picture:
    """The picture of one or several trade-offs with a marked point on the first, its sentence and its table.

    `false_alarm` is in [0, 1]; a logarithmic axis begins at one wrong accusation in a million.
    """
    if not curves:
        raise ValueError("curves must hold at least one trade-off; got ()")
    look_up = {name: say("trade_off", look.voice, name) for name in ("accused_title", "found_title", "coin")}
    first = curves[0]
    facts = _facts(first, false_alarm, secret, look)
    spot = Spot(
        false_alarm,
        float(first.curve.detection(false_alarm)),
        say("trade_off", look.voice, f"spot_{first.held}", **facts),
    )
    figure = trade_off_figure(
        [DetectionCurve(one.name, GRID, np.asarray(one.curve.detection(GRID)), one.held == "exact") for one in curves],
        accused_title=look_up["accused_title"],
        found_title=look_up["found_title"],
        coin=look_up["coin"],
        look=look,
        spot=spot,
        log_accused=log_accused,
    )
    reading = trade_off_reading(curves, false_alarm=false_alarm, look=look, secret=secret)
    alt = say(
        "trade_off",
        look.voice,
        "alt",
        names="; ".join(say("trade_off", look.voice, f"line_{one.held}", line=one.name) for one in curves),
        reading=reading.replace("**", ""),
    )
    return Picture(key, figure, reading, alt, _table(curves, false_alarm, look))


def _in_100(value: float, direction: str) -> str:
    return f"{rounded(100 * value, 1, direction):.1f}"


def _table(curves: Sequence[NamedTradeOff], false_alarm: float, look: Look) -> Table:
    """Found (rounded up) and missed (rounded down) per curve at the listed rates and at the chosen one."""
    rates: NDArray[np.float64] = np.unique(np.append(LISTED, false_alarm))
    columns = [say("trade_off", look.voice, "column_accused")]
    cells = [[plain_number(100 * float(x), 4) for x in rates]]
    for one in curves:
        words = {"line": one.name}
        columns += [say("trade_off", look.voice, f"column_{kind}", **words) for kind in ("found", "missed")]
        found, missed = np.asarray(one.curve.detection(rates)), np.asarray(one.curve.missed(rates))
        cells.append([Upper(float(y), _in_100).digits for y in found])
        cells.append([Lower(float(m), _in_100).digits for m in missed])
    return Table(say("trade_off", look.voice, "table"), tuple(columns), tuple(zip(*cells, strict=True)))
