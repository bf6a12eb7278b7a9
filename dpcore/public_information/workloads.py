"""Categorical records and the marginal questions asked of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused

IntArray = NDArray[np.int64]
LARGEST_DOMAIN = 2_000_000
LARGEST_QUERIES = 200_000


@dataclass(frozen=True)
class Workload:
    """A list of marginals: for each set of attributes, the share of records in every combination of their levels.

    It says what is asked: no promise belongs to it. Queries are numbered set by set; within a set the last attribute
    runs fastest.
    Source: liu, Definition 2.2

    Parameters
    ----------
    sizes : sequence of int; number of levels of each attribute, at least 1
    sets : sequence of sequence of int; attributes (by position) of each marginal, distinct within a set

    Examples
    --------
    >>> workload = Workload(sizes=(2, 3), sets=((0,), (0, 1)))
    >>> workload.queries
    8
    >>> workload.answers([[0, 0], [1, 2]], [0.25, 0.75]).tolist()
    [0.25, 0.75, 0.25, 0.0, 0.0, 0.0, 0.0, 0.75]
    """

    sizes: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        _checks.kind_of("sizes", self.sizes, Iterable, "numbers of levels such as (2, 3)")
        _checks.kind_of("sets", self.sets, Sequence, "sets of attributes such as ((0,), (0, 1))")
        sizes = tuple(_checks.count(f"sizes[{i}]", size, 1) for i, size in enumerate(self.sizes))
        if not sizes:
            raise Refused("sizes", "name at least one attribute", (), Code.EMPTY, got="none")
        if len(self.sets) == 0:
            raise Refused("sets", "name at least one marginal", (), Code.EMPTY, got="none")
        sets = []
        for chosen in self.sets:
            _checks.kind_of("sets", chosen, Iterable, "sets of attributes such as ((0,), (0, 1))")
            positions = tuple(_checks.count("sets", position, 0, len(sizes) - 1) for position in chosen)
            if not positions or len(set(positions)) != len(positions):
                raise Refused("sets", "name distinct attributes in each marginal", list(chosen), Code.REPEATED)
            sets.append(positions)
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "sets", tuple(sets))
        if self.queries > LARGEST_QUERIES:
            raise Refused("sets", f"ask at most {LARGEST_QUERIES} queries", self.queries, Code.TOO_LARGE)

    @classmethod
    def all_marginals(cls, sizes: Sequence[int], *, order: int) -> Workload:
        """Every marginal of `order` attributes.

        Source: liu, Definition 2.2

        Parameters
        ----------
        sizes : sequence of int; number of levels of each attribute
        order : int; attributes per marginal, from 1 to their number

        Examples
        --------
        >>> Workload.all_marginals((2, 2, 2), order=2).sets
        ((0, 1), (0, 2), (1, 2))
        """
        _checks.kind_of("sizes", sizes, Sequence, "numbers of levels such as (2, 3)")
        order = _checks.count("order", order, 1, len(sizes))
        asked = math.comb(len(sizes), order)
        if asked > LARGEST_QUERIES:
            raise Refused("order", f"give at most {LARGEST_QUERIES} marginals", asked, Code.TOO_LARGE)
        return cls(tuple(sizes), tuple(itertools.combinations(range(len(sizes)), order)))

    @cached_property
    def set_sizes(self) -> tuple[int, ...]:
        """Number of queries of each marginal."""
        return tuple(math.prod(self.sizes[position] for position in chosen) for chosen in self.sets)

    @property
    def queries(self) -> int:
        """Number of queries in all."""
        return sum(self.set_sizes)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Number of the first query of each marginal."""
        return tuple(itertools.accumulate((0, *self.set_sizes[:-1])))

    @property
    def domain(self) -> int:
        """Number of possible records."""
        return math.prod(self.sizes)

    def checked_rows(self, rows: ArrayLike, *, name: str = "rows") -> IntArray:
        """The records as an integer array of shape (records, attributes), each value inside its attribute's levels."""
        try:
            table: Any = np.asarray(rows)
        except ValueError:  # rows of different lengths
            table = np.empty(())
        if table.ndim != 2 or table.shape[1] != len(self.sizes) or table.shape[0] == 0:
            raise Refused(
                name,
                f"have at least one record and {len(self.sizes)} columns",
                table.shape,
                Code.WRONG_SHAPE,
                got=f"shape {table.shape}",
            )
        if table.dtype.kind not in "iu" and not (
            table.dtype.kind == "f" and np.isfinite(table).all() and (table == np.floor(table)).all()
        ):
            raise Refused(name, "hold whole numbers", str(table.dtype), Code.NOT_WHOLE, got=str(table.dtype))
        for position, size in enumerate(self.sizes):
            outside = (table[:, position] < 0) | (table[:, position] >= size)
            if outside.any():
                raise Refused(
                    name,
                    f"lie in the levels of attribute {position} (0 to {size - 1})",
                    int(table[outside, position][0]),
                    Code.OUT_OF_RANGE,
                )
        return table.astype(np.int64)

    def query_of(self, rows: ArrayLike) -> IntArray:
        """Number of the query that each record answers in each marginal, shape (records, marginals)."""
        table = self.checked_rows(rows)
        result = np.empty((len(table), len(self.sets)), dtype=np.int64)
        for column, (chosen, offset) in enumerate(zip(self.sets, self.offsets, strict=True)):
            code = np.zeros(len(table), dtype=np.int64)
            for position in chosen:
                code = code * self.sizes[position] + table[:, position]
            result[:, column] = code + offset
        return result

    def answers(self, rows: ArrayLike, weights: ArrayLike | None = None) -> FloatArray:
        """Answer to every query: the weight of the records that match (exact).

        Source: liu, Definition 2.2

        Parameters
        ----------
        rows : array, shape (records, attributes); levels of each record, counted from 0
        weights : array, shape (records,), optional; probabilities of the records, adding up to 1; equal when left out
        """
        found = self.query_of(rows)
        shares = checked_weights(weights, len(found))
        counted = np.bincount(found.ravel(), weights=np.repeat(shares, found.shape[1]), minlength=self.queries)
        return np.asarray(counted, dtype=np.float64)

    def label(self, query: int) -> tuple[tuple[int, int], ...]:
        """What a query asks: pairs of attribute and level.

        Parameters
        ----------
        query : int; number of the query

        Examples
        --------
        >>> Workload(sizes=(2, 3), sets=((0,), (0, 1))).label(7)
        ((0, 1), (1, 2))
        """
        query = _checks.count("query", query, 0, self.queries - 1)
        which = int(np.searchsorted(self.offsets, query, side="right")) - 1
        chosen = self.sets[which]
        levels = np.unravel_index(query - self.offsets[which], tuple(self.sizes[position] for position in chosen))
        return tuple((position, int(level)) for position, level in zip(chosen, levels, strict=True))

    def every_record(self) -> IntArray:
        """All possible records, the last attribute running fastest."""
        if self.domain > LARGEST_DOMAIN:
            raise Refused("sizes", f"give at most {LARGEST_DOMAIN} possible records", self.domain, Code.TOO_LARGE)
        return np.stack(np.unravel_index(np.arange(self.domain), self.sizes), axis=1).astype(np.int64)


def check_workload(workload: Any) -> None:
    """Refuse what is no workload.

    It says what is asked: no promise belongs to it.
    """
    _checks.kind_of("workload", workload, Workload, "a workload such as Workload(sizes=(2, 3), sets=((0, 1),))")


def checked_weights(weights: ArrayLike | None, records: int) -> FloatArray:
    """Probabilities of the records: non-negative, adding up to 1 within 1e-6, one per record.

    It says what is asked: no promise belongs to it.
    Source: liu, Definition 2.1

    Parameters
    ----------
    weights : array, shape (records,), optional; equal shares when left out
    records : int; number of records
    """
    if weights is None:
        return np.full(records, 1 / records)
    shares = _checks.array("weights", weights, 0)
    if shares.shape != (records,):
        raise Refused("weights", f"have one value per record ({records})", shares.size, Code.WRONG_SHAPE)
    if not abs(shares.sum() - 1) <= 1e-6:
        raise Refused("weights", "add up to 1", float(shares.sum()), Code.OUT_OF_RANGE)
    return shares


def distinct_records(rows: IntArray) -> tuple[IntArray, FloatArray]:
    """Each different record once, with its share of the records.

    It says what is asked: no promise belongs to it.
    Source: liu, section 2, the public data domain

    Parameters
    ----------
    rows : array, shape (records, attributes); levels of each record

    Examples
    --------
    >>> records, shares = distinct_records(np.array([[0, 1], [0, 1], [1, 0], [0, 1]]))
    >>> records.tolist(), shares.tolist()
    ([[0, 1], [1, 0]], [0.75, 0.25])
    """
    records, counts = np.unique(rows, axis=0, return_counts=True)
    return records, counts / counts.sum()
