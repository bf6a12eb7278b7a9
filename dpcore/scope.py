"""How far a bound reaches: for which releases, for which readers, and for which view of what is released.

A bound on one noisy count says nothing about "any release"; one on a reader who knows every other record says nothing
about one who does not. A `Bound` carries its reach, and `Bound.claimed_as` refuses a sentence that claims more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.promise import Promise


class Scope(StrEnum):
    """For which releases a bound holds, from the narrowest to the widest.

    It says how far a bound reaches; the promise is the one about a secret that the bound carries. `COUNT`: this noise
    on one count, and nothing else published. `TABLE`: this noise on a whole table, all its cells in all its areas.
    `PLAN`: all named rows together. `ANY_MECHANISM`: every release with the budget.

    Examples
    --------
    >>> Scope.ANY_MECHANISM.contains("table"), Scope.COUNT.contains("table")
    (True, False)
    """

    COUNT = "count"
    TABLE = "table"
    PLAN = "plan"
    ANY_MECHANISM = "any_mechanism"

    def contains(self, other: str) -> bool:
        """Whether a bound of this scope holds for the other one too."""
        order = list(Scope)
        return order.index(self) >= order.index(Scope(_checks.choice("scope", other, order)))


class View(StrEnum):
    """What of a release a reader looks at: the noisy numbers themselves, or anything that is computed from them.

    It says how far a bound reaches; the promise is the one about a secret that the bound carries.

    Examples
    --------
    >>> View.ANY_FUNCTION.contains("raw"), View.RAW.contains("any_function")
    (True, False)
    """

    RAW = "raw"
    ANY_FUNCTION = "any_function"

    def contains(self, other: str) -> bool:
        """Whether a bound on this view holds for the other one too."""
        asked = View(_checks.choice("view", other, list(View)))
        return self is View.ANY_FUNCTION or self is asked


@call_hint
@dataclass(frozen=True)
class Reader:
    """Whom a bound speaks of, by what they know of everybody else.

    It says how far a bound reaches; the promise is the one about a secret that the bound carries.

    Parameters
    ----------
    name : str; a short name in lower case
    covers : tuple of Reader, optional; readers that are a special case of this one: a bound for it holds for them

    Examples
    --------
    >>> UNSURE_INDEPENDENTLY.contains(KNOWS_ALL), KNOWS_ALL.contains(UNSURE_INDEPENDENTLY)
    (True, False)
    """

    name: str
    covers: tuple[Reader, ...] = ()

    def __post_init__(self) -> None:
        _checks.kind_of("covers", self.covers, tuple, "readers such as (KNOWS_ALL,)")
        for reader in self.covers:
            _checks.kind_of("covers", reader, Reader, "readers such as KNOWS_ALL")

    def contains(self, other: Reader) -> bool:
        """Whether a bound for this reader holds for the other one too."""
        return self == other or any(reader.contains(other) for reader in self.covers)


KNOWS_ALL = Reader("knows_all")
"""Knows every record but the secret's: exact tails of a loss are for this reader alone."""
UNSURE_INDEPENDENTLY = Reader("unsure_independently", (KNOWS_ALL,))
"""Is unsure about other records, independently of the secret: bounds from a privacy profile, and pure epsilons."""


class Side(StrEnum):
    """On which side of the truth a bound lies.

    It says how far a bound reaches; the promise is the one about a secret that the bound carries. `AT_MOST` and
    `AT_LEAST` hold for everything in their scope; `EXACT` is the number of the named release itself.

    Examples
    --------
    >>> Side("at_most")
    <Side.AT_MOST: 'at_most'>
    """

    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    EXACT = "exact"


@call_hint
@dataclass(frozen=True, kw_only=True)
class Bound:
    """A belief, a right guess or a chance, with everything that says how far it reaches.

    It says how far a bound reaches; the promise is the one about a secret that the bound carries.
    Source: ours, the scope of a bound as part of its value

    Parameters
    ----------
    value : float; a probability, in [0, 1]
    side : {"at_most", "at_least", "exact"}; see `Side`
    scope : {"count", "table", "plan", "any_mechanism"}; see `Scope`
    promise : Promise; whose secret it is about; its failure probability is that of the bound
    reader : Reader, optional; `KNOWS_ALL` without it
    view : {"raw", "any_function"}, optional; see `View`

    Examples
    --------
    >>> presence = Promise(secret="presence", relation="add_or_remove")
    >>> one_count = Bound(value=0.25, side="at_most", scope="count", promise=presence)
    >>> one_count.claimed_as("any_mechanism")
    Traceback (most recent call last):
        ...
    dpcore.errors.Refused: scope must be one that a bound for 'count' holds for; got 'any_mechanism'
    """

    value: float
    side: Side
    scope: Scope
    promise: Promise
    reader: Reader = KNOWS_ALL
    view: View = View.RAW

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _checks.number("value", self.value, 0.0, 1.0))
        object.__setattr__(self, "side", Side(_checks.choice("side", self.side, list(Side))))
        object.__setattr__(self, "scope", Scope(_checks.choice("scope", self.scope, list(Scope))))
        object.__setattr__(self, "view", View(_checks.choice("view", self.view, list(View))))
        _checks.kind_of("promise", self.promise, Promise, "a Promise")
        _checks.kind_of("reader", self.reader, Reader, "a reader such as KNOWS_ALL")
        if self.side is Side.EXACT and self.scope is Scope.ANY_MECHANISM:
            rule = "be that of named noise for an exact number"
            raise Refused("scope", rule, self.scope.value, Code.INCONSISTENT)

    def claimed_as(self, scope: str, *, reader: Reader | None = None, view: str | None = None) -> Self:
        """The bound, as a sentence claims it: for a scope, a reader and a view that it holds for.

        With the scope, reader and view of the sentence. An exact number stays exact only where nothing changes; it
        bounds a narrower release or reader from neither side.

        Parameters
        ----------
        scope : {"count", "table", "plan", "any_mechanism"}; of the sentence
        reader : Reader, optional; of the sentence; the bound's own without it
        view : {"raw", "any_function"}, optional; of the sentence; the bound's own without it
        """
        asked = replace(
            self,
            scope=Scope(_checks.choice("scope", scope, list(Scope))),
            reader=self.reader if reader is None else reader,
            view=self.view if view is None else View(_checks.choice("view", view, list(View))),
        )
        if not self.scope.contains(asked.scope):
            raise _too_narrow("scope", self.scope.value, asked.scope.value)
        if not self.reader.contains(asked.reader):
            raise _too_narrow("reader", self.reader.name, asked.reader.name)
        if not self.view.contains(asked.view):
            raise _too_narrow("view", self.view.value, asked.view.value)
        if self.side is Side.EXACT and asked != self:
            rule = "be a bound to be claimed of anything else than its own release"
            raise Refused("side", rule, self.side.value, Code.TOO_NARROW)
        return asked


def _too_narrow(name: str, held: str, asked: str) -> Refused:
    return Refused(name, f"be one that a bound for {held!r} holds for", asked, Code.TOO_NARROW)
