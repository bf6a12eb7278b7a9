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


def control_of(method: str, chosen: object) -> DisclosureControl | None:
    """A method by its name as a law of one count, with what somebody chose of its settings; the rest as at first.

    None for swapping, which leaves counts as they are, and for a name that is no method's, such as a noise's.

    >>> control_of("round_nearest", MethodChoice(base=5)), control_of("discrete_gaussian", MethodChoice())
    (NearestRounding(base=5), None)
    """
    known = MethodChoice()
    of = {name: getattr(chosen, name, getattr(known, name)) for name in SETTINGS.get(method, ()) if name != "others"}
    if method == "round_random":
        return RandomRounding(base=of["base"], probability_down=of["down"] or None)
    if method == "round_nearest":
        return NearestRounding(base=of["base"])
    if method == "graduated":
        return GraduatedRounding(classes=of["classes"], random=of["rounding"] == "random")
    if method == "cell_key":
        return CellKey(**of)
    if method == "table":
        return PerturbationTable(of["table"])
    return SmallCountSuppression(**of) if method == "suppress" else None


@dataclass(frozen=True)
class MethodSettings:
    """What is asked of a method that stands beside kinds of noise: of rounding and of cell keys."""

    base: int = count(3, low=1, high=LARGEST_BASE)
    largest_noise: int = count(2, low=1, high=LARGEST_NOISE)
    variance: float = number(1.0, low=0, high=LARGEST_NOISE * (LARGEST_NOISE + 1))


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
        return control_of(self.method, self)

    @property
    def swapping(self) -> PermutationSwapping:
        """The swapping of records."""
        return PermutationSwapping(rate=self.rate, single=self.single)
