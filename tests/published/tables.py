"""The literature's printed numbers as data: what was printed, what Riskline computes, and the verdict.

A module of this folder per source or chapter (`chapter_5.py`, `lee_clifton.py`) exports ``ROWS``, a list of
`PublishedValue`. `test_published_values.py` finds them all and tests every row; the page *How we know* is made from the
same rows, so each must make sense on its own.

Verdicts:

`agrees`     the computed value rounds to the printed one (or lies within `tolerance`).
`misrounded` the printed value is the computed one rounded to the unsafe side; `reading` says so.
`erratum`    the printed value is not what the source's own definitions give; `computed` is the right value.
`reading`    the printed value comes out only under the reading described; `compute` uses that reading.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["agrees", "misrounded", "erratum", "reading"]


@dataclass(frozen=True, kw_only=True)
class PublishedValue:
    """One printed number.

    Parameters
    ----------
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

    @property
    def name(self) -> str:
        """The row's name in a test report."""
        return f"{self.source} {self.locator}: {self.quantity}"


def thesis_row(
    locator: str,
    quantity: str,
    printed: float,
    digits: int,
    compute: Callable[[], float],
    verdict: Verdict = "agrees",
    reading: str = "",
    computed: float | None = None,
    tolerance: float | None = None,
) -> PublishedValue:
    """One printed number of the thesis."""
    return PublishedValue(
        source="thesis",
        locator=locator,
        quantity=quantity,
        printed=printed,
        digits=digits,
        compute=compute,
        verdict=verdict,
        reading=reading,
        computed=computed,
        tolerance=tolerance,
    )


def all_rows() -> list[PublishedValue]:
    """The rows of every module of this folder that exports ROWS, in the order of the modules' names."""
    package = importlib.import_module("tests.published")
    rows: list[PublishedValue] = []
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda item: item.name):
        if not found.name.startswith("test_") and found.name not in (
            "tables",
            "checked",
            "errata",
            "own_errata",
            "record",
        ):
            rows += importlib.import_module(f"tests.published.{found.name}").ROWS
    return rows
