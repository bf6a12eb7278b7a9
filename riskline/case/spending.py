"""Budgets chosen as one goes: a total stated at the start, how budgets add up, and the releases asked for since.

Cells keep the text that was typed: a decimal is meant exactly. What was asked for stays: a published release is spent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from riskline.case.fields import shown
from riskline.case.sheet import LONGEST_CELL, cell_number, decode_sheet, encode_sheet, printable

SUMS = ("epsilon", "rho", "approximate", "squares", "mu")
"""What is summed: ε, ρ, ε and δ, squares of ε and δ, squares of Gaussian μ."""
WITH_DELTA = ("approximate", "squares")
"""The sums that have a δ."""
MOST_ASKED = 100
SMALLEST, LARGEST = 1e-9, 1000.0
_WHAT = "a total and the releases asked for"


@dataclass(frozen=True)
class AskedRelease:
    """A release that was asked for: what it is called, to whom it was promised, its budget, and its δ if it has one."""

    name: str = ""
    whom: str = ""
    budget: str = ""
    delta: str = ""


@dataclass(frozen=True)
class Spending:
    """A total that all releases together must not pass, and those that were asked for, in their order.

    sums : one of `SUMS`
    total, delta : as typed; δ of sums that have one
    asked : the releases

    Raises ValueError: ``sums must be one of …; got …``, ``total must be from 1e-09 to 1,000; got …``, ``must hold at
    most 100 releases; got …``, ``release 2: the budget must …``

    >>> Spending(total="0.3", asked=(AskedRelease("A", "", "0.1"),)).amount(0)
    (0.1, 0.0)
    """

    sums: str = "epsilon"
    total: str = "1"
    delta: str = ""
    asked: tuple[AskedRelease, ...] = ()

    def __post_init__(self) -> None:
        if self.sums not in SUMS:
            raise ValueError(f"sums must be one of {', '.join(SUMS)}; got {shown(str(self.sums))!r}")
        if len(self.asked) > MOST_ASKED:
            raise ValueError(f"must hold at most {MOST_ASKED} releases; got {len(self.asked)}")
        for cell in (self.total, self.delta, *(cell for one in self.asked for cell in vars(one).values())):
            if not isinstance(cell, str) or len(cell) > LONGEST_CELL or printable(cell) != cell:
                raise ValueError(f"must hold text of at most {LONGEST_CELL} characters; got {shown(str(cell))!r}")
        _ = self.whole
        for place in range(len(self.asked)):
            self.amount(place)

    @property
    def whole(self) -> tuple[float, float]:
        """The total and its δ, as numbers."""
        total = cell_number("total", self.total, SMALLEST, LARGEST)
        if self.sums not in WITH_DELTA:
            return total, 0.0
        return total, cell_number("δ", self.delta, 0.0, 1.0, open_low=True, open_high=True)

    def amount(self, place: int) -> tuple[float, float]:
        """The budget and the δ of a release, as numbers."""
        one, where = self.asked[place], f"release {place + 1}: "
        budget = cell_number(f"{where}the budget", one.budget, SMALLEST, LARGEST)
        delta = one.delta if self.sums in WITH_DELTA else ""
        return budget, cell_number(f"{where}δ", delta or "0", 0.0, 1.0, open_high=True)


def write_spending(spending: Spending | None) -> str:
    """Text of a link; nothing where nothing was begun.

    >>> write_spending(Spending(total="0.3", asked=(AskedRelease("A", "press", "0.1"),)))
    'epsilon~0.3!A~press~0.1'
    """
    if spending is None:
        return ""
    rows = [(spending.sums, spending.total, spending.delta)]
    return encode_sheet([*rows, *(tuple(vars(one).values()) for one in spending.asked)])


def read_spending(text: str) -> Spending | None:
    """What a link spells; None where it spells nothing.

    >>> read_spending("epsilon~0.3!A~press~0.1").asked[0].whom, read_spending("")
    ('press', None)
    """
    if not text:
        return None
    rows = decode_sheet(text, cells=4, most_rows=MOST_ASKED + 1, what=_WHAT)
    (sums, total, delta, more), *asked = rows
    if more:
        raise ValueError(f"must be {_WHAT}; got {shown(text)!r}")
    return Spending(sums, total, delta, tuple(AskedRelease(*cells) for cells in asked))


def spending_table(spending: Spending) -> dict[str, Any]:
    """A table of JSON or TOML.

    >>> spending_table(Spending(total="0.3"))
    {'sums': 'epsilon', 'total': '0.3', 'asked': []}
    """
    told = {name: cell for name, cell in vars(spending).items() if cell and name != "asked"}
    return told | {"asked": [{name: cell for name, cell in asdict(one).items() if cell} for one in spending.asked]}


def spending_from_table(table: Any) -> Spending:
    """What a table of JSON or TOML holds.

    Raises ValueError: ``must be a table of sums, total, delta, asked; got …``, and as `Spending`.

    >>> spending_from_table({"total": "0.3", "asked": [{"name": "A", "budget": "0.1"}]}).asked[0].budget
    '0.1'
    """
    asked = table.get("asked", []) if isinstance(table, Mapping) else None
    names, cells = ({field.name for field in fields(kind)} for kind in (Spending, AskedRelease))
    if not isinstance(asked, list) or not set(table) <= names or not all(_is_release(one, cells) for one in asked):
        raise ValueError(f"must be a table of {', '.join(sorted(names))}; got {shown(str(table))!r}")
    return Spending(**{**table, "asked": tuple(AskedRelease(**one) for one in asked)})


def _is_release(one: object, cells: set[str]) -> bool:
    return isinstance(one, Mapping) and set(one) <= cells
