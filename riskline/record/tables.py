"""The literature's printed numbers as data: what was printed, what Riskline computes, and the verdict.

A module of `works` per source or chapter exports ``ROWS``, a list of `PublishedValue`. `tests/published` tests every
row, `riskline cases` computes them again anywhere, and the page *How we know* is made from them, so each must make
sense on its own.

Verdicts:

`agrees`     the computed value rounds to the printed one (or lies within `tolerance`).
`misrounded` the printed value is the computed one rounded to the unsafe side; `reading` says so.
`erratum`    the printed value is not what the source's own definitions give; `computed` is the right value.
`reading`    the printed value comes out only under the reading described; `compute` uses that reading.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Literal

from riskline.record import works

Verdict = Literal["agrees", "misrounded", "erratum", "reading"]


@dataclass(frozen=True)
class PublishedValue:
    """One printed number.

    source : key in dpcore.sources.WORKS
    locator : where it is printed ("Table 3.1, row A")
    quantity : what it is, in words, with its unit
    printed : the number as printed
    digits : decimals printed (negative for hundreds, ...); the tolerance is half a unit of the last
    compute : the call that computes it, in the unit of `printed`
    verdict : see the module
    reading : what a reader must know: the reading used, or why the printed value is wrong; may be empty for `agrees`
    computed : for `erratum` and `misrounded`, the value computed here, tested to its own printed digits
    tolerance : replaces half a unit of the last printed digit, where the source says why (Monte Carlo)
    """

    source: str
    locator: str
    quantity: str
    printed: float
    digits: int
    compute: Callable[[], float]
    verdict: Verdict = "agrees"
    reading: str = ""
    computed: float | None = None
    tolerance: float | None = None

    @property
    def printed_tolerance(self) -> float:
        """Half a unit of the last printed digit, unless the row says otherwise."""
        return self.tolerance if self.tolerance is not None else 0.5 * 10.0**-self.digits

    def fault(self, value: float) -> str:
        """Why a value computed now is not what the row says of it; nothing where it is.

        >>> row = PublishedValue(source="thesis", locator="", quantity="", printed=1.3, digits=1, compute=lambda: 1.29)
        >>> row.fault(row.compute()), row.fault(1.24)
        ('', 'not the printed 1.3')
        """
        if not math.isfinite(value):
            return "not finite"
        near = abs(value - self.printed) <= self.printed_tolerance * (1 + 1e-9)
        if self.verdict in ("agrees", "reading"):
            return "" if near else f"not the printed {self.printed:g}"
        assert self.computed is not None
        if abs(value - self.computed) > 0.5 * _unit(self.computed) * (1 + 1e-9):
            return f"not {self.computed:g} as before"
        if self.verdict == "erratum":
            return f"the printed {self.printed:g} after all" if near else ""
        misrounded = value != self.printed and abs(value - self.printed) < 10.0**-self.digits
        return "" if misrounded else f"not next to the printed {self.printed:g}"

    @property
    def name(self) -> str:
        """The row's name in a test report."""
        return f"{self.source} {self.locator}: {self.quantity}"


def _unit(value: float) -> float:
    """One unit of the last digit in which a number is written."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return 10.0 ** min(exponent, 0)


thesis_row = partial(PublishedValue, "thesis")
"""One printed number of the thesis."""


def all_rows() -> list[PublishedValue]:
    """The rows of every work, in the order of the modules' names."""
    names = sorted(found.name for found in pkgutil.iter_modules(works.__path__))
    return [row for name in names for row in importlib.import_module(f"{works.__name__}.{name}").ROWS]
