"""Noisy counts conditioned on exact totals (congenial privacy), exactly.

Whole-number noise (double-geometric, or discrete Gaussian) is added to every cell and the table is conditioned on the
totals being the true ones and, if wanted, on no cell being negative. The conditioned law is proportional to the product
of a^|released - true|, or of a^((released - true)^2), on the tables that satisfy the totals. For one partition, and for
two crossing partitions of which one has two parts (sex by voting age), the normaliser, the law of every cell and
independent draws follow exactly from convolutions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore.errors import Code, Refused
from dpcore.totals._counts import Noise, cell_noise, whole_counts
from dpcore.totals._partial_sums import Chain, FloatArray, IntArray, convolve, draw_previous

CELL_LIMIT = 400
"""Most cells of a table: beyond, the weights of partial sums of small counts may leave the range of a double."""


@dataclass(frozen=True)
class CellLaw:
    """Exact law of a released cell: whole numbers and their probabilities.

    A law of a released number: no promise by itself.

    Examples
    --------
    >>> law = CellLaw(np.array([3, 4, 5]), np.array([0.25, 0.5, 0.25]))
    >>> law.mean, law.variance, law.probability(4)
    (4.0, 0.5, 0.5)
    """

    values: IntArray
    probabilities: FloatArray

    @property
    def mean(self) -> float:
        """Mean of the cell."""
        return float(self.values @ self.probabilities)

    @property
    def variance(self) -> float:
        """Variance of the cell."""
        return float((self.values - self.mean) ** 2 @ self.probabilities)

    def probability(self, value: int) -> float:
        """Probability of one value (0 outside the support)."""
        at = _checks.count("value", value, -(2**40)) - int(self.values[0])
        return float(self.probabilities[at]) if 0 <= at < len(self.values) else 0.0

    def mean_absolute_error(self, true: float) -> float:
        """Mean distance between the released cell and the true one."""
        return float(np.abs(self.values - true) @ self.probabilities)

    def interval(self, level: float = 0.9) -> tuple[int, int]:
        """Equal-tailed range: each side outside holds at most (1 - level)/2."""
        level = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
        cumulated = np.cumsum(self.probabilities)
        low = int(np.searchsorted(cumulated, (1 - level) / 2, side="right"))
        high = int(np.searchsorted(cumulated, 1 - (1 - level) / 2, side="left"))
        last = len(self.values) - 1
        return int(self.values[min(low, last)]), int(self.values[min(high, last)])


def _law(weights: FloatArray, offset: int) -> CellLaw:
    """The law with these weights on -reach..reach, moved by the offset, without empty ends."""
    kept = np.flatnonzero(weights)
    low, high = int(kept[0]), int(kept[-1])
    reach = (len(weights) - 1) // 2
    probabilities = weights[low : high + 1] / weights.sum()
    return CellLaw(np.arange(low, high + 1) - reach + offset, probabilities)


@dataclass(frozen=True)
class ConditionedTable:
    """Law of a noisy table given that its totals are exact. Build it with `condition_on_totals`.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone.

    Attributes
    ----------
    true : array of int; the true cells, in the order given
    budgets : array of float; budget of each cell's noise before conditioning, for one person in it
    log_probability : float; log of the probability that the unconditioned noisy table meets the totals (and is
        non-negative)

    Examples
    --------
    >>> table = condition_on_totals([4, 4], epsilon=1.0)
    >>> round(table.law(0).mean, 9), table.draw(2, seed=1).sum(axis=1).tolist()
    (4.0, [8, 8])
    """

    true: IntArray
    budgets: FloatArray
    log_probability: float
    _members: tuple[tuple[IntArray, ...], ...]
    _chains: tuple[tuple[Chain, ...], ...]
    _forward: tuple[FloatArray, ...]
    _transfers: tuple[FloatArray, ...]

    @property
    def _reach(self) -> int:
        return self._chains[0][0].reach

    def _transfer_laws(self) -> list[FloatArray]:
        """Weights of each column's transfer: how much its upper block releases above its true sum."""
        reach = self._reach
        backward = np.zeros(2 * reach + 1)
        backward[reach] = 1.0
        laws: list[FloatArray] = []
        for column in reversed(range(len(self._transfers))):
            arrived = convolve(self._forward[column], backward)[::-1]
            laws.append(self._transfers[column] * arrived)
            if column:
                backward = convolve(backward, self._transfers[column])
                backward /= backward.max()
        return laws[::-1]

    def _block_weights(self) -> list[tuple[int, int, FloatArray]]:
        """(row, column, terminal weights of the block's noise sum) for every block that has cells."""
        found = []
        for column, law in enumerate(self._transfer_laws()):
            share = law / law.sum()
            for row in range(len(self._chains)):
                if len(self._members[row][column]):
                    sums = self._chains[row][column].law
                    wanted = share if row == 0 else share[::-1]
                    found.append(
                        (row, column, np.divide(wanted, sums, out=np.zeros_like(sums), where=(sums > 0) & (wanted > 0)))
                    )
        return found

    def laws(self) -> list[CellLaw]:
        """Exact law of every released cell, in the order of the true cells."""
        result: list[CellLaw | None] = [None] * len(self.true)
        for row, column, terminal in self._block_weights():
            members = self._members[row][column]
            for cell, weights in zip(members, self._chains[row][column].marginals(terminal), strict=True):
                result[cell] = _law(weights, int(self.true[cell]))
        return [law for law in result if law is not None]

    def law(self, cell: int) -> CellLaw:
        """Exact law of one released cell (its index counts from 0)."""
        return self.laws()[_checks.count("cell", cell, 0, len(self.true) - 1)]

    def mean_absolute_error(self) -> float:
        """Expected sum over cells of |released - true|, exact."""
        return float(sum(law.mean_absolute_error(int(s)) for law, s in zip(self.laws(), self.true, strict=True)))

    def block_law(self, row: int = 0, column: int = 0) -> CellLaw:
        """Exact law of the released sum of a block of two crossing partitions."""
        row = _checks.count("row", row, 0, len(self._chains) - 1)
        column = _checks.count("column", column, 0, len(self._transfers) - 1)
        weights = self._transfer_laws()[column]
        weights = weights if row == 0 else weights[::-1]
        return _law(weights, int(self.true[self._members[row][column]].sum()))

    def draw(self, size: int, *, seed: int | np.random.Generator) -> IntArray:
        """Independent draws from the exact law, shape (size, cells). A simulation, not for release.

        Parameters
        ----------
        size : int; number of tables, at least 1
        seed : int or numpy.random.Generator; seed of the generator
        """
        size = _checks.count("size", size, 1)
        generator = _checks.seeded(seed)
        released = np.tile(self.true, (size, 1))
        left = np.zeros(size, dtype=np.int64)
        for column in reversed(range(len(self._transfers))):
            if column:
                before = draw_previous(left, self._forward[column], self._transfers[column], generator)
                transfer, left = left - before, before
            else:
                transfer = left
            for row, chains in enumerate(self._chains):
                members = self._members[row][column]
                if len(members):
                    noise = chains[column].draw(transfer if row == 0 else -transfer, generator)
                    released[:, members] += noise
        return released


def cell_labels(name: str, labels: Sequence[Any] | None, cells: int) -> tuple[list[Any], IntArray]:
    """Distinct labels in order of appearance and each cell's place among them."""
    if labels is None:
        return [None], np.zeros(cells, dtype=np.int64)
    items = [tuple(item) if isinstance(item, list) else item for item in labels]
    if len(items) != cells:
        raise Refused(name, f"have one label for each of the {cells} cells", len(items), Code.WRONG_SHAPE)
    distinct = list(dict.fromkeys(items))
    place = {label: i for i, label in enumerate(distinct)}
    return distinct, np.array([place[item] for item in items], dtype=np.int64)


def condition_on_totals(
    true: ArrayLike,
    *,
    epsilon: ArrayLike | None = None,
    noise: Noise | None = None,
    parts: Sequence[Any] | None = None,
    crossing: Sequence[Any] | None = None,
    total: int | None = None,
    non_negative: bool = True,
) -> ConditionedTable:
    """Law of the noisy table, given that its totals are the true ones.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone. The price of
    conditioning is not part of the law: see `dpcore.totals.price_of_totals`. Exact to rounding: log-probability of the
    totals, law of each cell, independent draws.
    Source: gong_meng, Sections 2.2 and 3
    Source: ours, exact normaliser, marginals and draws by convolution; checked against enumeration

    Parameters
    ----------
    true : array_like of int, shape (cells,); true counts, each at least 0
    epsilon : float or array_like of float, shape (cells,), optional; budget of each cell's double-geometric noise,
        greater than 0. One person who moves between cells changes two of them.
    noise : WholeNoise or sequence of WholeNoise, optional; geometric or discrete Gaussian noise, instead of `epsilon`
    parts : sequence of object, shape (cells,), optional; label of the part whose total is exact. Without it there is
        one part: the grand total is exact.
    crossing : sequence of object, shape (cells,), optional; label of a second partition whose totals are exact too. One
        of the two partitions must have two parts.
    total : int, optional; the grand total to hold; when given it must be the sum of the true counts
    non_negative : bool; whether the released counts are also conditioned on being at least 0

    Examples
    --------
    Two cells: the noise has weight exp(-2 epsilon) a unit, so the middle has tanh(epsilon) before the ends are cut.

    >>> table = condition_on_totals([4, 4], epsilon=1.0)
    >>> round(table.law(0).probability(4), 4)
    0.7617
    >>> table.draw(3, seed=1).sum(axis=1).tolist()
    [8, 8, 8]

    With discrete Gaussian noise u and -u have weight exp(-2 rho u^2) together: the noise of twice the rho.

    >>> from dpcore.mechanisms import DiscreteGaussian
    >>> table = condition_on_totals([4, 4], noise=DiscreteGaussian(rho=0.1), non_negative=False)
    >>> round(table.law(0).probability(4), 9) == round(DiscreteGaussian(rho=0.2).pmf(0), 9)
    True
    """
    _checks.flag("non_negative", non_negative)
    counts = whole_counts("true", true)
    if counts.size > CELL_LIMIT:
        raise Refused("true", f"have at most {CELL_LIMIT} cells", counts.size, Code.TOO_LARGE)
    of_cells = cell_noise(epsilon, noise, counts.size)
    if total is not None and _checks.count("total", total) != counts.sum():
        raise Refused("total", f"be the sum of the true counts ({int(counts.sum())})", total, Code.INCONSISTENT)
    columns, column_of = cell_labels("parts", parts, counts.size)
    rows, row_of = cell_labels("crossing", crossing, counts.size)
    if len(rows) > 2:
        if len(columns) > 2:
            raise Refused(
                "crossing",
                "leave one partition with two parts",
                (len(columns), len(rows)),
                Code.TOO_LARGE,
                got=f"{len(columns)} by {len(rows)} (draw_by_lattice_gibbs samples larger systems)",
            )
        columns, column_of, rows, row_of = rows, row_of, columns, column_of

    reach = of_cells.reach
    if non_negative:  # no partial sum of non-negative cells with these totals strays further than the grand total
        reach = min(reach, max(1, int(counts.sum())))
    members = tuple(
        tuple(np.flatnonzero((row_of == row) & (column_of == column)) for column in range(len(columns)))
        for row in range(len(rows))
    )
    chains = tuple(
        tuple(
            Chain.of(of_cells.of(inside), tuple(-int(s) if non_negative else None for s in counts[inside]), reach)
            for inside in row
        )
        for row in members
    )
    identity = np.zeros(2 * reach + 1)
    identity[reach] = 1.0
    transfers = tuple(
        chains[0][column].law * chains[1][column].law[::-1] if len(rows) == 2 else identity * chains[0][column].law
        for column in range(len(columns))
    )
    log_scale = sum(chain.log_scale for row in chains for chain in row)
    forward = [identity]
    for transfer in transfers:
        arrived = convolve(forward[-1], transfer)
        log_scale += math.log(arrived.max())
        forward.append(arrived / arrived.max())
    log_probability = float(of_cells.log_constants.sum()) + log_scale + math.log(forward[-1][reach])
    return ConditionedTable(counts, of_cells.strengths, log_probability, members, chains, tuple(forward), transfers)
