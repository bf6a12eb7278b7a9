"""A method of disclosure control as it is chosen: rounding, cell keys, suppression or swapping, and its settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

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
from riskline.case.declaration import DECLARED, count, custom, number, of_session, option
from riskline.case.fields import Field, number_text, parse_number, shown

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
    """Probabilities, between semicolons, spaces, or commas with a space after them; none where nothing is typed.

    >>> read_shares("0.2, 0.8"), read_shares("20 %; 80 %"), read_shares("0,2 0,8")
    ((0.2, 0.8), (0.2, 0.8), (0.2, 0.8))
    """
    parts = re.split(r"(?:;|,(?=\s|$)|\s)+", re.sub(r"\s+%", "%", text))
    return tuple(parse_number(part, share=True) for part in parts if part)


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

    @property
    def recorded(self) -> MethodChoice | None:
        """The method with its own settings alone, as a case holds it; None with a table, which stays in the session.

        >>> MethodChoice(base=5, rate=0.5).recorded == MethodChoice(base=5)
        True
        """
        if self.method not in RECORDED:
            return None
        return MethodChoice(self.method, **{name: getattr(self, name) for name in RECORDED[self.method]})


SETTING = {
    choice.name: replace(choice.metadata[DECLARED], name=choice.name, label=choice.name)
    for choice in fields(MethodChoice)
}
"""The declaration of each setting, which a refusal calls by its name."""
RECORDED = {
    method: tuple(name for name in names if name != "others") for method, names in SETTINGS.items() if method != "table"
}
"""The methods that a case can hold, and the settings of each."""


def method_table(method: MethodChoice) -> dict[str, Any]:
    """A recorded method as a table of JSON or TOML: its name and its settings.

    >>> method_table(MethodChoice(method="cell_key"))
    {'method': 'cell_key', 'largest_noise': 2, 'variance': 1.0, 'never_published': 0}
    """
    told = {name: getattr(method, name) for name in ("method", *RECORDED[method.method])}
    return {name: SETTING[name].encode(value) if isinstance(value, tuple) else value for name, value in told.items()}


def method_from_table(table: Mapping[str, Any]) -> MethodChoice:
    """The method that a table of JSON or TOML holds; a setting that it leaves out is as at first.

    Raises ValueError: ``must be one of round_random, …; got …`` for another method; ``must have the settings …; got
    …``; what a setting or the method itself refuses.

    >>> method_from_table({"method": "round_nearest", "base": 5}).control
    NearestRounding(base=5)
    """
    method = table.get("method") if isinstance(table, Mapping) else table
    if not isinstance(method, str) or method not in RECORDED:
        raise ValueError(f"must be one of {', '.join(RECORDED)}; got {shown(str(method))!r}")
    names, given = RECORDED[method], {name: value for name, value in table.items() if name != "method"}
    if not set(given) <= set(names):
        raise ValueError(f"must have the settings {', '.join(names)}; got {shown(', '.join(given))!r}")
    found = MethodChoice(method, **{name: _setting(SETTING[name], value) for name, value in given.items()})
    if found.control is None:
        _ = found.swapping  # refused here, and not where something is computed of it
    return found


def _setting(field: Field, value: Any) -> Any:
    """What a file holds of a setting: a number, a name, or what has a codec of its own as text."""
    if field.kind != "custom":
        return field.checked(value)
    if not isinstance(value, str):
        raise ValueError(f"{field.name} must be text; got {shown(str(value))!r}")
    return field.decode(value)


def write_method(method: MethodChoice | None) -> str:
    """A recorded method as text of a link; nothing where there is none.

    >>> write_method(MethodChoice(method="round_random", base=5))
    'round_random~base=5~down='
    """
    if method is None:
        return ""
    return "~".join(
        [method.method, *(f"{name}={SETTING[name].encode(getattr(method, name))}" for name in RECORDED[method.method])]
    )


def read_method(text: str) -> MethodChoice | None:
    """The method that a link spells; None where it spells nothing.

    Raises ValueError as `method_from_table`.

    >>> read_method("suppress~threshold=10").threshold, read_method("")
    (10, None)
    """
    if not text:
        return None
    method, *settings = text.split("~")
    given = {name: value for name, _, value in (each.partition("=") for each in settings)}
    known = [name for name in RECORDED.get(method, ()) if name in given and SETTING[name].kind != "custom"]
    return method_from_table({"method": method} | given | {name: SETTING[name].decode(given[name]) for name in known})
