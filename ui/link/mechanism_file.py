"""A mechanism in a reader's file: what is known of it, as a CSV file whose headings say which of these it is.

A file is hostile input: its size, rows and cells are checked before anything is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dpcore.errors import Code, Refused
from dpcore.mechanisms import (
    CURVES,
    Curve,
    EstimatedCurve,
    ExponentialMechanism,
    KnownCurve,
    ShuffledRandomizedResponse,
    SubsampledGaussian,
)
from riskline.case.fields import written_number
from ui.link.sheet_file import head_words, read_sheet_csv

MOST_ROWS = 20_000
OWN = "own_mechanism"
"""What a choice among guarantees calls the mechanism of a file."""
SIMULATED = "simulated_loss"
Columns = dict[str, list[float]]


@dataclass(frozen=True)
class Known:
    """One thing that may be known of a mechanism: its headings, and the curve of rows under them."""

    heads: tuple[str, ...]
    curve: Callable[[Columns], Curve]
    optional: tuple[str, ...] = ()
    one_row: bool = False


def _of_losses(columns: Columns) -> Curve:
    """Losses in one order of two neighbours, or in both; rows with an infinite loss are added up."""
    loss, mass, order = (np.array(columns[name]) for name in ("loss", "probability", "reverse"))
    laws = []
    for which in (0.0, 1.0):
        own, infinite = order == which, np.isinf(loss)
        laws.append((loss[own & ~infinite], mass[own & ~infinite], float(mass[own & infinite].sum())))
    one, other = laws
    return KnownCurve.of_losses(one[0], one[1], infinity_mass=one[2], reverse=other if other[0].size else None)


def _of_draws(columns: Columns) -> Curve:
    """Losses of outputs that were drawn, in one order of two neighbours or in both."""
    loss, reverse = (np.array(columns[name]) for name in (SIMULATED, "reverse"))
    other = loss[reverse == 1.0]
    return EstimatedCurve.of_draws(loss[reverse == 0.0], reverse=other if other.size else None)


def _of_one_row(kind: Callable[..., Curve]) -> Callable[[Columns], Curve]:
    return lambda columns: kind(**{name: values[0] for name, values in columns.items()})


KNOWN = (
    Known(
        ("epsilon", "delta"),
        lambda columns: KnownCurve(epsilons=tuple(columns["epsilon"]), deltas=tuple(columns["delta"])),
    ),
    Known(
        ("false_alarms", "missed"),
        lambda columns: KnownCurve.of_trade_off(false_alarms=columns["false_alarms"], missed=columns["missed"]),
    ),
    Known(("loss", "probability", "reverse"), _of_losses, optional=("reverse",)),
    Known((SIMULATED, "reverse"), _of_draws, optional=("reverse",)),
    Known(("noise_multiplier", "rate", "steps"), _of_one_row(SubsampledGaussian), one_row=True),
    Known(("epsilon", "people"), _of_one_row(ShuffledRandomizedResponse), one_row=True),
    Known(("loss_range",), lambda columns: ExponentialMechanism(epsilon=columns["loss_range"][0]), one_row=True),
)
"""What a file may hold, by its headings."""


def read_mechanism(content: bytes) -> Curve:
    r"""The mechanism of a file; `ValueError` says in a sentence what cannot be read, and where.

    >>> read_mechanism(b"epsilon,delta\n1,0\n0.2,0.3\n")
    KnownCurve(epsilons=(1.0, 0.2), deltas=(0.0, 0.3))
    >>> read_mechanism(b"Rate;Noise multiplier;Steps\n0.01;1;1000\n")
    SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=1000)
    """
    known = _kind_of(content)
    rows = read_sheet_csv(content, heads=known.heads, most_rows=1 if known.one_row else MOST_ROWS)
    columns: Columns = {name: [] for name in known.heads}
    for number, row in enumerate(rows, 1):
        for name, text in zip(known.heads, row, strict=True):
            columns[name].append(0.0 if name in known.optional and not text.strip() else _number(name, text, number))
    return known.curve(columns)


def read_choices(content: bytes, largest_epsilon: float) -> tuple[dict[str, Any], Curve | None]:
    r"""What a file chooses: a mechanism on the list with its parameters, or one of its own, which stays beside them.

    >>> read_choices(b"people,epsilon\n90,1.5\n", 100.0)
    ({'guarantee': 'shuffled_response', 'epsilon': 1.5, 'people': 90}, None)
    """
    own = read_mechanism(content)
    parameters: dict[str, Any] = asdict(own) if type(own) in CURVES else {}  # type: ignore[call-overload]
    if parameters and parameters.get("epsilon", 0.0) <= largest_epsilon:
        return {"guarantee": own.name} | parameters, None
    return {"guarantee": OWN}, own


def holds_mechanism(content: bytes, others: Collection[str]) -> bool:
    """Whether a file's first line names more headings of a mechanism than of these others.

    >>> holds_mechanism(b"epsilon,delta", ["name", "delta"]), holds_mechanism(b"name;delta", ["name", "delta"])
    (True, False)
    """
    return _named(content, _kind_of(content).heads) > _named(content, others)


def _kind_of(content: bytes) -> Known:
    """What the first line names most headings of; points of epsilon and delta where it names none."""
    return max(KNOWN, key=lambda known: _named(content, known.heads))


def _named(content: bytes, heads: Collection[str]) -> int:
    """How many of these headings the first line names that is not blank."""
    lines = content[:1000].decode("utf-8-sig", errors="replace").splitlines()
    first = next((line for line in lines if line.strip()), "")
    return len({head_words(cell) for cell in re.split("[,;\t]", first)} & {head_words(head) for head in heads})


def _number(name: str, text: str, row: int) -> float:
    """A number as it is written; a loss may be infinite, and an order of two neighbours is 0 or 1."""
    typed: Any = text.strip()
    try:
        value = written_number(typed)
    except ValueError:
        raise Refused(name, "be a number", typed, Code.NOT_A_NUMBER, at=f"row {row}") from None
    if name == "reverse" and value not in (0.0, 1.0):
        raise Refused(name, "be 0 or 1", typed, Code.OUT_OF_RANGE, at=f"row {row}")
    may_be_infinite = name in ("loss", SIMULATED)
    if not (np.isfinite(value) or (may_be_infinite and value > 0.0)):
        rule = "be finite" + (", or inf" if may_be_infinite else "")
        raise Refused(name, rule, typed, Code.NOT_FINITE, at=f"row {row}")
    return value
