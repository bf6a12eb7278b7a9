"""A method of disclosure control as it is chosen: rounding, cell keys, suppression or swapping, and its settings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpcore.methods import (
    CellKey,
    DisclosureControl,
    GraduatedRounding,
    NearestRounding,
    PermutationSwapping,
    PerturbationTable,
    RandomRounding,
    Single,
    SmallCountSuppression,
    Zero,
)
from riskline.case.declaration import count, custom, number, of_session, option
from riskline.case.fields import number_text, parse_number

LARGEST_BASE, LARGEST_NOISE, LARGEST_STRATUM = 1000, 50, 1000
LONGEST_TABLE = 200_000
"""Bytes of a table that is read from a file."""
SETTINGS = {
    "round_random": ("base", "down", "others"),
    "round_nearest": ("base", "others"),
    "graduated": ("classes", "rounding", "others"),
    "cell_key": ("largest_noise", "variance", "never_published", "others"),
    "table": ("table", "others"),
    "suppress": ("threshold", "zero", "others"),
    "swap": ("rate", "stratum", "single"),
}
"""What each method asks."""
Rows = tuple[tuple[float, float, float], ...]
EXAMPLE_TABLE: Rows = tuple(
    (row, published, round(mass, 8)) for row, published, mass in CellKey(largest_noise=2, variance=1.0).table.rows
)
"""A table as offices have them, to begin with."""


def read_table(text: str) -> Rows:
    """The rows of a perturbation table in the common format: columns i, j and p under their names, in any order."""
    return tuple(PerturbationTable.from_text(text).rows)


def table_as_lines(rows: Rows) -> str:
    """The same as text."""
    return "\n".join(["i;j;p", *(f"{true:g};{published:g};{mass:.10g}" for true, published, mass in rows)])


def read_classes(text: str) -> tuple[tuple[int, int], ...]:
    """The classes of rounding by size.

    >>> read_classes("0:3, 18:2")
    ((0, 3), (18, 2))
    """
    pairs = [re.fullmatch(r"\s*(\d{1,9})\s*:\s*(\d{1,9})\s*", part) for part in text.split(",")]
    if None in pairs:
        raise ValueError("must be pairs of a first count and a base, such as 0:3, 18:2")
    return tuple((int(pair[1]), int(pair[2])) for pair in pairs if pair is not None)


def write_classes(classes: tuple[tuple[int, int], ...]) -> str:
    """The same as text."""
    return ", ".join(f"{start}:{base}" for start, base in classes)


def read_shares(text: str) -> tuple[float, ...]:
    """Probabilities, parted by semicolons or spaces; none where nothing is typed."""
    return tuple(parse_number(part, share=True) for part in re.split(r"[;\s]+", text.strip()) if part)


def write_shares(shares: tuple[float, ...]) -> str:
    """The same as text."""
    return " ".join(map(number_text, shares))


@dataclass(frozen=True)
class MethodChoice:
    """The method that somebody uses today, and its settings; a table of cell keys stays in the session."""

    method: str = option(*SETTINGS)
    base: int = count(3, low=1, high=LARGEST_BASE)
    down: tuple[float, ...] = custom((), read=read_shares, write=write_shares)
    classes: tuple[tuple[int, int], ...] = custom(
        ((0, 3), (18, 2), (20, 5), (100, 10)), read=read_classes, write=write_classes
    )
    rounding: str = option("random", "nearest")
    largest_noise: int = count(2, low=1, high=LARGEST_NOISE)
    variance: float = number(1.0, low=0, high=LARGEST_NOISE * (LARGEST_NOISE + 1))
    never_published: int = count(0, low=0, high=LARGEST_NOISE - 1)
    table: Rows = of_session(custom(EXAMPLE_TABLE, read=read_table, write=table_as_lines))
    threshold: int = count(5, low=1, high=LARGEST_BASE)
    zero: Zero = option("shown", "hidden")
    rate: float = number(0.05, low=0, high=1, open_low=True, open_high=True, format="percent")
    stratum: int = count(10, low=2, high=LARGEST_STRATUM)
    single: Single = option("stays", "redo")

    @property
    def control(self) -> DisclosureControl | None:
        """The method as a law of one count; None for swapping, which leaves counts as they are."""
        if self.method == "round_random":
            return RandomRounding(base=self.base, probability_down=self.down or None)
        if self.method == "round_nearest":
            return NearestRounding(base=self.base)
        if self.method == "graduated":
            return GraduatedRounding(classes=self.classes, random=self.rounding == "random")
        if self.method == "cell_key":
            keys = (self.largest_noise, self.variance, self.never_published)
            return CellKey(largest_noise=keys[0], variance=keys[1], never_published=keys[2])
        if self.method == "table":
            return PerturbationTable(self.table)
        return SmallCountSuppression(threshold=self.threshold, zero=self.zero) if self.method == "suppress" else None

    @property
    def swapping(self) -> PermutationSwapping:
        """The swapping of records."""
        return PermutationSwapping(rate=self.rate, single=self.single)
