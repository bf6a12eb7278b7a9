"""A budget that somebody decided on: how large, by whom, when, where, why, and for which case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal
from urllib.parse import unquote

from dpcore._checks import choice, number
from riskline.case.fields import number_text, shown
from riskline.case.sheet import escaped

Currency = Literal["epsilon", "rho"]
CURRENCIES = ("epsilon", "rho")
LARGEST_BUDGET = 1000.0
LONGEST_WORDS = 300
_CELL = "~"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A budget that was decided on, with its source; no privacy promise of its own.

    value : the budget, in (0, 1000], of each release
    currency : {'epsilon', 'rho'}; whether it is an ε or the ρ of zero-concentrated differential privacy
    by, date, page, reason : who decided, when in their own words, on which page, and why; at most 300 characters each
    digest : `Case.digest` of the case it was decided for: promise, schema, release and line

    Raises ValueError: ``value must lie in (0, 1000]; got …``, ``currency must be one of …``, ``reason must have at most
    300 characters; got …``

    >>> Decision(value=1.02, currency="epsilon", by="A. Smith", date="12 May").value
    1.02
    """

    value: float
    currency: Currency
    by: str = ""
    date: str = ""
    page: str = ""
    reason: str = ""
    digest: str = ""

    def __post_init__(self) -> None:
        number("value", self.value, 0.0, LARGEST_BUDGET, open_low=True)
        choice("currency", self.currency, CURRENCIES)
        for name in ("by", "date", "page", "reason", "digest"):
            words = getattr(self, name)
            if len(words) > LONGEST_WORDS:
                raise ValueError(f"{name} must have at most {LONGEST_WORDS} characters; got {len(words)}")

    @property
    def symbol(self) -> str:
        """The letter of the currency: ε or ρ."""
        return "ρ" if self.currency == "rho" else "ε"

    @property
    def as_table(self) -> dict[str, Any]:
        """The decision as a table of JSON or TOML: its parts by name, without those that are empty."""
        return {name: value for name, value in asdict(self).items() if value != ""}


def decision_from_table(table: Mapping[str, Any]) -> Decision:
    """The decision that a table of JSON or TOML holds.

    Raises ValueError as `Decision`; ``must have value and currency, and may have …; got …`` for a part it has no place
    for, or without one of these two.

    >>> decision_from_table({"value": 0.5, "currency": "rho"}).symbol
    'ρ'
    """
    known = [field.name for field in fields(Decision)]
    if not isinstance(table, Mapping) or not {"value", "currency"} <= set(table) <= set(known):
        others = ", ".join(name for name in known if name not in ("value", "currency"))
        raise ValueError(f"must have value and currency, and may have {others}; got {shown(str(table))!r}")
    for name, part in table.items():
        if name != "value" and not isinstance(part, str):
            raise ValueError(f"{name} must be text; got {shown(str(part))!r}")
    return Decision(**{**table, "value": number("value", table["value"], 0.0, LARGEST_BUDGET, open_low=True)})


def write_decision(decision: Decision | None) -> str:
    """A decision as text of a link; nothing where there is none.

    >>> write_decision(Decision(value=1.02, currency="epsilon", by="A. Smith"))
    '1.02~epsilon~A. Smith'
    """
    if decision is None:
        return ""
    words = (decision.by, decision.date, decision.page, decision.reason, decision.digest)
    return _CELL.join((number_text(decision.value), decision.currency, *map(escaped, words))).rstrip(_CELL)


def read_decision(text: str) -> Decision | None:
    """The decision that a link spells; None where it spells nothing.

    Raises ValueError: ``must be a budget, its currency and who decided; got '…'``, or as `Decision`.

    >>> read_decision("1.02~epsilon~A.%20Smith").by, read_decision("")
    ('A. Smith', None)
    """
    if not text:
        return None
    value, currency, *words = [*text.split(_CELL), ""][:2] + text.split(_CELL)[2:]
    try:
        amount = float(value)
    except ValueError:
        amount = None
    if amount is None or currency not in CURRENCIES or len(words) > 5:
        raise ValueError(f"must be a budget, its currency and who decided; got {shown(text)!r}")
    by, date, page, reason, digest = (" ".join(unquote(each).split()) for each in words + [""] * (5 - len(words)))
    return Decision(
        value=amount,
        currency="rho" if currency == "rho" else "epsilon",
        by=by,
        date=date,
        page=page,
        reason=reason,
        digest=digest,
    )
