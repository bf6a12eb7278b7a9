"""The ledger of *Several releases*: rows as they were typed, their place in the link, and the plan they mean.

Cells keep the text that was typed, so that nothing is lost when it cannot be used yet; `plan_of` says which cell breaks
which rule. In the link a row is its kind and its cells; a long ledger is deflated. A link is hostile input: lengths,
kinds and the number of rows are checked before anything is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from dpcore.composition import LARGEST_PLAN, PlannedRelease, ReleasePlan
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import MECHANISMS, mechanism_kind, noise_kinds
from riskline.case.fields import shown
from riskline.case.labels import heads_of
from riskline.case.sheet import LONGEST_CELL, cell_number, escaped, packed, printable, unpacked

MOST_ROWS = 200
SMALLEST_BUDGET = 1e-15  # smaller ones are typing errors, and sums of floats no longer hold them
LONGEST_PLAIN = MOST_ROWS * 6 * 3 * LONGEST_CELL

_NAMED = sorted(MECHANISMS, key=lambda kind: (kind.is_local, kind.budget_kind != "rho"))
KINDS = {kind.name: f"{kind.label} ({kind.symbol()})" for kind in _NAMED} | {
    "pure": "any mechanism, pure ε",
    "approximate": "any mechanism, (ε, δ)",
    "zero_concentrated": "any mechanism, ρ",
}
CODE_OF = {kind.name: kind.letter for kind in _NAMED if kind.letter} | {
    "pure": "p",
    "approximate": "a",
    "zero_concentrated": "z",
}
CODES = {code: kind for kind, code in CODE_OF.items()}
BY_RHO = (*(kind.name for kind in _NAMED if kind.budget_kind == "rho"), "zero_concentrated")
NOISES = {kind.name: kind for kind in noise_kinds()}
"""Noise on numbers, of which a row says by how much a record moves them."""
LARGEST_MOVED = 1e12
TYPED = "x"
"""Code of a row whose noise is not known: what was typed follows it in the link."""

SPELLINGS = {kind.name: kind.spellings for kind in _NAMED} | {
    "pure": ("pure", "pure DP", "pure ε", "pure epsilon", "ε-DP", "any mechanism, ε", "any mechanism, epsilon"),
    "approximate": ("approximate", "approximate DP", "(ε, δ)", "(ε, δ)-DP", "any mechanism, (epsilon, delta)"),
    "zero_concentrated": ("zCDP", "ρ-zCDP", "zero-concentrated", "zero-concentrated DP", "any mechanism, rho"),
}
"""Usual names of a row's noise besides the page's own; none says a unit that the kind does not have."""


def _plain(noise: str) -> str:
    """A name of noise without case, without the word noise, hyphens and double spaces."""
    return " ".join(noise.casefold().replace("-", " ").replace("noise", " ").replace("mechanism", " ").split())


_READ = {_plain(word): kind for kind, words in SPELLINGS.items() for word in (kind, KINDS[kind], *words)} | {
    _plain(kind.replace("_", " ")): kind for kind in KINDS
}


def kind_read(text: str) -> str:
    """The kind whose name this is, or the text as it was typed where it names none; nothing stands for nothing.

    >>> kind_read("Discrete Laplace"), kind_read("Gaussian noise (ε)"), kind_read("")
    ('geometric', 'Gaussian noise (ε)', '')
    """
    return _READ.get(_plain(text), text)


@dataclass(frozen=True)
class LedgerRow:
    """One row as typed: what is released, by which kind of mechanism, its budget, its δ, how often a round.

    `moved` is by how much one record moves a number of it, 1 where nothing is typed: a count by 1, days by up to 30.
    A kind that is none of `KINDS` is what somebody typed; the row is then refused, not counted as something else.
    """

    name: str = ""
    kind: str = "gaussian"
    budget: str = ""
    delta: str = ""
    often: str = "1"
    moved: str = ""


HEADS = heads_of("release_head")
"""What the columns of a spreadsheet of rows are called."""


def row_of(cells: tuple[str, ...]) -> LedgerRow | None:
    """The row that cells under the heads mean; None where nothing is typed.

    >>> row_of(("A count", "Laplace", "0.1", "", "", "")), row_of(("",) * 6)
    (LedgerRow(name='A count', kind='laplace', budget='0.1', delta='', often='1', moved=''), None)
    """
    name, kind, budget, delta, often, moved = cells
    return LedgerRow(name, kind_read(kind), budget, delta, often or "1", moved) if any(cells) else None


def cells_of(row: LedgerRow) -> tuple[str, ...]:
    """The cells of a row under the heads, its kind in words."""
    return row.name, KINDS.get(row.kind, row.kind), row.budget, row.delta, row.often, row.moved


Ledger = tuple[LedgerRow, ...]
DEFAULT_LEDGER: Ledger = (LedgerRow("Daily count", "gaussian", "0.01", "", "1"),)


def encode_ledger(rows: Ledger) -> str:
    """The rows as text of a link.

    >>> encode_ledger((LedgerRow("A count", "pure", "0.1", "", "12"),))
    'p~0.1~12~~A count'
    """
    plain = "!".join(
        "~".join((_code(row.kind), *map(escaped, (row.budget, row.often, row.delta, row.name, row.moved)))).rstrip("~")
        for row in rows
    )
    return packed(plain)


def _code(kind: str) -> str:
    return CODE_OF.get(kind) or TYPED + escaped(kind)


def decode_ledger(text: str) -> Ledger:
    """The rows a link spells.

    Raises ValueError: ``must be a list of releases; got '…'``, ``must hold at most 200 rows; got …`` and the like.

    >>> decode_ledger("p~0.1~12~~A%20count")
    (LedgerRow(name='A count', kind='pure', budget='0.1', delta='', often='12', moved=''),)
    """
    plain = unpacked(text, LONGEST_PLAIN, "a list of releases")
    number = plain.count("!") + 1 if plain else 0
    if number > MOST_ROWS:
        raise ValueError(f"must hold at most {MOST_ROWS} rows; got {number:,}")
    return tuple(_row(place, piece) for place, piece in enumerate(plain.split("!"), 1)) if plain else ()


def _row(place: int, piece: str) -> LedgerRow:
    code, *cells = piece.split("~")
    kind = CODES.get(code) or (kind_read(printable(unquote(code[1:]))) if code.startswith(TYPED) else None)
    if kind is None or len(cells) > 5:
        raise ValueError(f"row {place} must be a release; got {shown(piece)!r}")
    budget, often, delta, name, moved = (printable(unquote(cell)) for cell in cells + [""] * (5 - len(cells)))
    for cell in (kind, budget, often, delta, name, moved):
        if len(cell) > LONGEST_CELL:
            raise ValueError(f"row {place} must have at most {LONGEST_CELL} characters a cell; got {len(cell)}")
    return LedgerRow(name, kind, budget, delta, often, moved)


def unfinished(rows: Ledger) -> tuple[int, ...]:
    """The rows, counted from 1, that somebody is still filling in: without a kind or without a budget.

    >>> unfinished((LedgerRow("A", "pure", "0.1"), LedgerRow("B", "", "0.1"), LedgerRow("C", "pure")))
    (2, 3)
    """
    return tuple(place for place, row in enumerate(rows, 1) if not row.kind.strip() or not row.budget.strip())


def ignored(rows: Ledger) -> tuple[tuple[int, str], ...]:
    """The rows, counted from 1, with what is typed for a number their noise does not have: a δ, what a record moves.

    >>> ignored((LedgerRow("A", "gaussian", "0.1", delta="1e-6"), LedgerRow("B", "approximate", "1", delta="1e-6")))
    ((1, '1e-6'),)
    """
    return tuple(
        (place, typed)
        for place, row in enumerate(rows, 1)
        for typed, read in zip((row.delta, row.moved), _numbers_of(row), strict=True)
        if row.kind in KINDS and typed != read and typed.strip() not in ("", "0")
    )


def _numbers_of(row: LedgerRow) -> tuple[str, str]:
    """What is typed as δ and as what a record moves, as far as the row's noise has them."""
    return row.delta if row.kind == "approximate" else "", row.moved if row.kind in NOISES else ""


def first_fault(rows: Ledger) -> int | None:
    """The first row, counted from 1, whose cells break a rule; None where every row is a release."""
    for place, row in enumerate(rows, 1):
        try:
            _planned(place, row)
        except ValueError:
            return place
    return None


def plan_of(rows: Ledger) -> ReleasePlan:
    """The plan that the rows mean, one round of it.

    Raises ValueError with a sentence that names the row, the cell, the rule and what was typed.
    """
    if not rows:
        raise ValueError("The list must hold at least one release; got none")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"The list must hold at most {MOST_ROWS} rows; got {len(rows):,}")
    return ReleasePlan(tuple(_planned(place, row) for place, row in enumerate(rows, 1)))


def _planned(place: int, row: LedgerRow) -> PlannedRelease:
    where = f"Row {place}" + (f" ({row.name})" if row.name else "")
    if row.kind not in KINDS:
        typed = f"got {shown(row.kind)!r}" if row.kind.strip() else "the cell is empty"
        raise ValueError(f"{where}: which noise? It must be one of {'; '.join(KINDS.values())}; {typed}")
    budget = cell_number(f"{where}: the budget", row.budget, SMALLEST_BUDGET, 100.0)
    often = cell_number(f"{where}: how often", row.often, 1.0, float(LARGEST_PLAN), whole=True)
    delta, moved = 0.0, 1.0
    typed_delta, typed_moved = _numbers_of(row)
    if typed_delta:
        delta = cell_number(f"{where}: δ", typed_delta, 0.0, 1.0, open_high=True)
    if typed_moved.strip():
        whole = NOISES[row.kind].is_whole
        moved = cell_number(f"{where}: what a record moves", typed_moved, SMALLEST_BUDGET, LARGEST_MOVED, whole=whole)
    return PlannedRelease(_source(row.kind, budget, delta, moved), int(often), row.name)


def _source(kind: str, budget: float, delta: float, moved: float) -> Any:
    if kind in NOISES:
        return NOISES[kind].with_budget(budget, sensitivity=int(moved) if moved == int(moved) else moved)
    if kind == "approximate":
        return ApproximateDP(epsilon=budget, delta=delta)
    if kind == "zero_concentrated":
        return ZeroConcentratedDP(rho=budget)
    named = mechanism_kind(kind)
    return PureDP(epsilon=budget) if named is None else named.with_budget(budget)
