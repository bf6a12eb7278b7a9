"""What an exact total does to the promise: the loss between tables that share it, and the cells it gives away.

One person who moves between two cells changes both by one, so with a budget of epsilon a cell the plain release costs 2
epsilon for that person, and with a rho a cell 2 rho. Conditioning on exact totals alone never raises it; on
non-negativity too it multiplies epsilon by 1 + gamma; projection never raises it. A change that alters a total is not
protected at all. Moving a person keeps the number of people (bounded neighbours); adding or removing one changes a
total (unbounded neighbours): the two are never mixed here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaln, logit, logsumexp

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused
from dpcore.guarantees import probabilistic_epsilon_from_rho
from dpcore.mechanisms import Geometric, WholeNoise
from dpcore.totals._counts import neither_or_both, noise_power, whole_counts
from dpcore.totals._partial_sums import IntArray, add_term, check_weights, geometric_sum, window_reach

ExactTotals = Literal["none", "grand total", "row totals", "row and column totals"]
"""Which totals of a table are published exactly."""

EXACT_CHOICES: tuple[ExactTotals, ...] = get_args(ExactTotals)
"""What a table may publish exactly."""

CELLS_HELD = 20_000_000
"""Most cells of all the tables that are compared."""

LARGEST_PAIR = 20_000
"""Largest total of two counts whose pairs of neighbours are all compared."""

ENUMERATION_LIMIT = 10_000
"""Most multisets of cells whose pairs are all compared while a reader waits (a quarter of a second)."""


@call_hint
@dataclass(frozen=True)
class ConditioningLoss:
    """Privacy loss of a conditioned release, and how far it exceeds the plain one.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone.

    Attributes
    ----------
    loss : float; largest log-ratio between two neighbouring tables that share the totals, of those compared, or the
        rho of any two; or its bound
    gamma : float; loss / (plain loss) - 1
    kind : str; 'exact' (every pair compared), 'exact pair' (the pair that is worst in every table compared), or 'bound'

    Examples
    --------
    >>> ConditioningLoss(loss=1.5, gamma=0.5, kind="exact").proved
    1.5
    """

    loss: float
    gamma: float
    kind: str

    @property
    def proved(self) -> float:
        """Loss that no pair exceeds: `loss`, or twice the plain loss where not every pair was compared.

        The normalisers of two tables differ by no more than the plain loss once again (Gong and Meng, Theorem 2.1).
        """
        return 2 * self.loss / (1 + self.gamma) if self.kind == "exact pair" else self.loss


@overload
def nonnegative_count_loss(epsilon: Number) -> float: ...
@overload
def nonnegative_count_loss(epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def nonnegative_count_loss(epsilon: ArrayLike) -> Any:
    """Largest privacy loss of one noisy count conditioned on being at least 0 (neighbours differ by one).

    The promise is about one step, which moves the count by one. The value is epsilon + log(1 + a - a^2), a =
    exp(-epsilon). Exact. It tends to 2 epsilon for small budgets.
    Source: seeman, Lemma 5; ours, closed form; checked by enumeration

    Parameters
    ----------
    epsilon : float or array_like of float; budget of the double-geometric noise, greater than 0

    Examples
    --------
    >>> round(nonnegative_count_loss(1.0), 4)
    1.2091
    """
    values = _checks.array("epsilon", epsilon, 0.0, open_low=True)
    a = np.exp(-values)
    return _checks.scalar_or_array(values + np.log1p(-a * np.expm1(-values)), epsilon)


@call_hint
def bounded_count_loss(*, epsilon: float, largest: int) -> float:
    """Largest privacy loss of one noisy count conditioned on lying in 0..largest.

    The promise is about one step, which moves the count by one. The largest over neighbouring counts of epsilon + log
    of the ratio of their normalisers. Exact.
    Source: seeman, Lemma 5; ours, closed form; checked by enumeration

    Parameters
    ----------
    epsilon : float; budget of the double-geometric noise, greater than 0
    largest : int; largest count, at least 0. With 0 the count is given away by the range and nothing is left to lose.

    Examples
    --------
    >>> round(bounded_count_loss(epsilon=0.25, largest=1), 12)
    0.25
    """
    budget = _checks.number("epsilon", epsilon, 0.0, open_low=True)
    top = _checks.count("largest", largest)
    if top == 0:
        return 0.0

    # normaliser of x: 1 + sum of a^j to the left (x terms) and right; it rises to the middle, fastest at the end
    def normaliser(x: int) -> float:
        a = math.exp(-budget)
        return 1.0 + a * (math.expm1(-budget * x) + math.expm1(-budget * (top - x))) / math.expm1(-budget)

    return budget + math.log(normaliser(1) / normaliser(0))


def _log_agreements(total: int, cells: int, epsilon: float) -> dict[tuple[int, ...], float]:
    """Log weight of the non-negative tables with the same total, sum of a^|y - s|, for every multiset of cells s.

    Cells are added one after another, in falling order, to all partial tables at once; the last cell is what is left.
    """
    reach = max(1, min(total, window_reach(np.full(cells, epsilon))))
    weights = np.zeros((1, 2 * reach + 1))
    weights[0, reach] = 1.0
    tables: list[tuple[int, ...]] = [()]
    for left in range(cells, 1, -1):
        extended: dict[int, list[int]] = {}  # next cell -> partial tables that it may follow
        for place, table in enumerate(tables):
            rest = total - sum(table)
            for cell in range(-(-rest // left), min(rest, table[-1] if table else total) + 1):
                extended.setdefault(cell, []).append(place)
        weights = np.concatenate([add_term(weights[rows], epsilon, -cell) for cell, rows in extended.items()])
        tables = [(*tables[row], cell) for cell, rows in extended.items() for row in rows]
    last = np.array([total - sum(table) for table in tables])
    back = np.arange(-reach, reach + 1)  # the last cell's noise is minus the partial sum
    closing = np.exp(-epsilon * np.abs(back)) * (back <= last[:, None])
    logs = np.log((weights * closing).sum(axis=1))
    return {(*table, rest): log for table, rest, log in zip(tables, last.tolist(), logs.tolist(), strict=True)}


def _neighbours(table: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Multisets of cells one move away, in falling order: the last cell of a size gives, the first of a size takes."""
    first = {size: place for place, size in reversed(list(enumerate(table)))}
    last = {size: place for place, size in enumerate(table)}
    for giving, giver in last.items():
        for taking, taker in first.items():
            if giving > 0 and giver != taker and taking != giving - 1:
                moved = list(table)
                moved[giver] -= 1
                moved[taker] += 1
                yield tuple(moved)


def _log_concentrated(cells: int, total: int, epsilon: float) -> tuple[float, float]:
    """Log weights of the tables with the total around (total, 0, ..) and around (total - 1, 1, 0, ..).

    m empty cells together hold j with weight C(j + m - 1, m - 1) a^j.
    """

    def empty(m: int, j: FloatArray) -> FloatArray:
        if m == 0:
            return np.where(j == 0, 0.0, -np.inf)
        return np.asarray(gammaln(j + m) - gammaln(m) - gammaln(j + 1) - epsilon * j)

    # people outside cell 1 have weight C(j + m - 1, m - 1) e^(-2 epsilon j): beyond `most` less than exp(-80) is left
    most = math.ceil((cells * math.log1p(math.exp(-epsilon)) + 80) / epsilon)
    check_weights(4 * (min(total, most) + 1))
    j = np.arange(min(total, most) + 1, dtype=float)
    everyone = logsumexp(empty(cells - 1, j) - epsilon * j)
    # cell 2 holds y (weight a^|1 - y|), the other empty cells hold the rest of j; cell 1: weight a^|j - 1|
    others = empty(cells - 2, j)
    weights = np.exp(others - others.max())
    both = math.exp(-epsilon) * weights
    both[1:] += geometric_sum(weights, epsilon, forward=True)[:-1]
    with np.errstate(divide="ignore"):
        moved = others.max() + logsumexp(np.log(both) - epsilon * np.abs(j - 1))
    return float(everyone), float(moved)


@call_hint
def concentrated_gamma(*, cells: int, total: int, epsilon: float) -> float:
    """Gamma of conditioning on a grand total and non-negative cells, from 'all in one cell' against 'one moved out'.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone. The value is
    gamma: the loss for one person who moves is (1 + gamma) 2 epsilon. Exact for this pair, which is the worst in every
    table enumerated (up to 5 cells and 12 people); that it always is the worst is a conjecture. 0 when the total leaves
    nothing free (one cell, or nobody).
    Source: gong_meng, (2.5); ours, closed form for the concentrated pair; checked by enumeration of all pairs

    Parameters
    ----------
    cells : int; number of cells, at least 1
    total : int; grand total, at least 0
    epsilon : float; budget of each cell's noise, greater than 0

    Examples
    --------
    >>> round(concentrated_gamma(cells=2, total=10, epsilon=1.0), 6)
    0.055332
    """
    size = _checks.count("cells", cells, 1)
    people = _checks.count("total", total)
    budget = _checks.number("epsilon", epsilon, 0.0, open_low=True)
    if size == 1 or people == 0:
        return 0.0
    everyone, moved = _log_concentrated(size, people, budget)
    return max(0.0, moved - everyone) / (2 * budget)


def _multiset_count(total: int, parts: int) -> int:
    """Number of ways to write the total as at most `parts` positive counts."""
    ways = [1] + [0] * total
    for part in range(1, min(parts, total) + 1):
        for amount in range(part, total + 1):
            ways[amount] += ways[amount - part]
    return ways[total]


@call_hint
def worst_conditioning_loss(
    *, cells: int, total: int, epsilon: float, enumerated: int = ENUMERATION_LIMIT
) -> ConditioningLoss:
    """Largest loss, for one person who moves, of cells conditioned on their grand total and on being non-negative.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone. 'exact' when all
    tables with this total are compared (up to `enumerated` multisets of cells, of 20 million cells together); otherwise
    'exact pair': the exact loss of the concentrated pair, the worst one wherever it was enumerated. With one cell, or
    with nobody, no change keeps the total: the loss is 0.
    Source: gong_meng, (2.5); ours, exact enumeration

    Parameters
    ----------
    cells : int; number of cells, at least 1
    total : int; grand total, at least 0
    epsilon : float; budget of each cell's noise, greater than 0
    enumerated : int; most multisets of cells to enumerate before the concentrated pair is used, at least 0

    Examples
    --------
    >>> worst_conditioning_loss(cells=2, total=10, epsilon=1.0).kind
    'exact'
    """
    size = _checks.count("cells", cells, 1)
    people = _checks.count("total", total)
    budget = _checks.number("epsilon", epsilon, 0.0, open_low=True)
    if size == 1 or people == 0:
        return ConditioningLoss(0.0, 0.0, "exact")
    most = min(_checks.count("enumerated", enumerated), CELLS_HELD // size)
    if people > 500 or _multiset_count(people, size) > most:
        gamma = concentrated_gamma(cells=size, total=people, epsilon=budget)
        return ConditioningLoss(2 * budget * (1 + gamma), gamma, "exact pair")
    weight = _log_agreements(people, size, budget)
    losses = [weight[moved] - here for table, here in weight.items() for moved in _neighbours(table)]
    worst = max(losses, default=0.0)
    return ConditioningLoss(2 * budget + worst, worst / (2 * budget), "exact")


@call_hint
def two_bin_projection_loss(
    *, total: int, epsilon: float, rounding: Literal["halves down", "halves up", "none"] = "halves down"
) -> float:
    """Largest loss of two noisy counts projected onto their total, for one person who moves between them.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone. Exact; never
    above 2 epsilon.
    Source: gong_meng, Section 4 (projection)
    Source: ours, exact law of the rounded difference; post-processing keeps it at or below 2 epsilon

    Parameters
    ----------
    total : int; exact total of the two counts, from 0 to 20,000
    epsilon : float; budget of each count's double-geometric noise, greater than 0; the plain release costs 2 epsilon
    rounding : {'halves down', 'halves up', 'none'}; what happens to the half counts that the projection leaves

    Examples
    --------
    >>> two_bin_projection_loss(total=10, epsilon=1.0) <= 2.0
    True
    """
    people = _checks.count("total", total, 0, LARGEST_PAIR)
    budget = _checks.number("epsilon", epsilon, 0.0, open_low=True)
    rule = _checks.choice("rounding", rounding, ("halves down", "halves up", "none"))
    if people == 0:
        return 0.0
    # log law of d = u1 - u2: f(d) ~ a^|d| (|d| + c), c = (1 + a^2)/(1 - a^2); tail P(d >= k) ~ a^k (k + c +
    # a/(1-a))/(1-a)
    a = math.exp(-budget)
    level = (1 + a * a) / -math.expm1(-2 * budget)
    odds = a / -math.expm1(-budget)

    def log_point(d: FloatArray) -> FloatArray:
        return np.asarray(-budget * np.abs(d) + np.log(np.abs(d) + level))

    mass = level + 2 * odds * (1 + odds + level)  # sum of a^|d| (|d| + level)

    def log_above(k: FloatArray) -> FloatArray:
        """Log weight of d >= k."""
        k = np.asarray(k, dtype=float)
        right = -budget * np.abs(k) + np.log((np.abs(k) + level + odds) * (1 + odds))
        left = -budget * np.abs(k - 1) + np.log((np.abs(k - 1) + level + odds) * (1 + odds))
        return np.where(k > 0, right, np.log(mass - np.exp(np.where(k > 0, -np.inf, left))))

    # the first cell moves by d/2; `span` neighbouring d give one released value, the first of them at `first_d`
    if rule == "none":
        released, span, offset = np.arange(2 * people + 1, dtype=float) / 2, 1, 0
    else:
        released, span, offset = np.arange(people + 1, dtype=float), 2, 0 if rule == "halves down" else -1
    worst, before = 0.0, None
    for first in range(people + 1):
        start = 2 * (released - first) + offset
        law = log_point(start) if span == 1 else np.logaddexp(log_point(start), log_point(start + 1))
        law[-1] = log_above(start[-1])
        law[0] = log_above(-(start[0] + span - 1))  # symmetric: P(d <= k) = P(d >= -k)
        if before is not None:
            worst = max(worst, float(np.abs(law - before).max()))
        before = law
    return min(worst, 2 * budget)


@overload
def posterior_band(
    *,
    prior: Number,
    epsilon: Number | None = ...,
    factor: float = ...,
    rho: Number | None = ...,
    delta_prime: Number | None = ...,
) -> tuple[float, float]: ...
@overload
def posterior_band(
    *,
    prior: ArrayLike,
    epsilon: ArrayLike | None = ...,
    factor: float = ...,
    rho: ArrayLike | None = ...,
    delta_prime: Number | None = ...,
) -> tuple[FloatArray, FloatArray]: ...
@call_hint
def posterior_band(
    *,
    prior: ArrayLike,
    epsilon: ArrayLike | None = None,
    factor: float = 1.0,
    rho: ArrayLike | None = None,
    delta_prime: Number | None = None,
) -> tuple[Any, Any]:
    """Smallest and largest posterior of a belief after a release with loss `factor * epsilon`, or with a rho.

    The promise is about one person's value, to somebody for whom it is independent of everyone else's.
    Source: gong_meng, Theorem 1.3; ours, sharp form on the log-odds scale
    Source: bun_steinke, Lemma 3.5 (the tail of the loss of any release with a rho)

    Parameters
    ----------
    prior : float or array_like of float; belief before the release, in [0, 1]
    epsilon : float or array_like of float, optional; privacy loss of the release before conditioning, at least 0
    factor : float; what conditioning multiplies the loss with, 1 + gamma, at least 0
    rho : float or array_like of float, optional; zCDP of the release, instead of `epsilon`, at least 0
    delta_prime : float, optional; with a rho: probability that the band may fail, in (0, 1)

    Returns
    -------
    (lower, upper) : tuple of float or numpy.ndarray
        The prior's log odds moved down and up by the loss. Exact bounds for a person whose value is independent of
        everyone else's; they lie inside [prior e^-loss, prior e^loss].

    Examples
    --------
    >>> [round(x, 4) for x in posterior_band(prior=0.01, epsilon=1.0)]
    [0.0037, 0.0267]
    >>> [round(x, 4) for x in posterior_band(prior=0.01, rho=0.1, delta_prime=0.01)]
    [0.0023, 0.0428]
    """
    belief = _checks.probability("prior", prior)
    if (epsilon is None) is (rho is None):
        raise Refused("epsilon", "be given, or else a rho", epsilon, Code.INCONSISTENT)
    if epsilon is not None:
        budget: ArrayLike = epsilon
        loss = _checks.array("epsilon", epsilon, 0.0) * _checks.number("factor", factor, 0.0)
    else:
        assert rho is not None
        budget = rho
        failure = _checks.number("delta_prime", delta_prime, 0.0, 1.0, open_low=True, open_high=True)
        loss = np.asarray(probabilistic_epsilon_from_rho(rho=_checks.array("rho", rho, 0.0), delta_prime=failure))
    odds = logit(belief)
    bounds = (expit(odds - loss), expit(odds + loss))
    return (
        _checks.scalar_or_array(np.asarray(bounds[0]), prior, budget),
        _checks.scalar_or_array(np.asarray(bounds[1]), prior, budget),
    )


@call_hint
def copied_record_loss(*, copies: int, epsilon: float) -> float:
    """Shift of log odds about a value that several records repeat.

    The promise of epsilon is about one record; this loss is about a value that all copies of it share. The value is
    copies * epsilon: the promise is about one record, whatever the prior about the others. Exact for a prior under
    which the records are equal.
    Source: gong_meng, Theorem 1.3; ours, its 'every prior' needs the value to be independent of the other records

    Parameters
    ----------
    copies : int; records that hold the same value, at least 1
    epsilon : float; loss for one record, greater than 0

    Examples
    --------
    >>> copied_record_loss(copies=5, epsilon=0.5)
    2.5
    """
    return _checks.count("copies", copies, 1) * _checks.number("epsilon", epsilon, 0.0, open_low=True)


@call_hint
@dataclass(frozen=True)
class TwoBinPrice:
    """Distance of the nearest tables that share a total of two bins, and gamma, in one accounting of neighbours.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone.

    Attributes
    ----------
    distance : int; neighbouring steps between the two tables: 1 when a step replaces a record, 2 when it adds or
        removes one
    gamma : float; exact; 0 in either accounting

    Examples
    --------
    >>> two_bin_price("add_or_remove").distance  # one removed, one added
    2
    """

    distance: int
    gamma: float


@call_hint
def two_bin_price(relation: Literal["replace", "add_or_remove"]) -> TwoBinPrice:
    """Gamma of conditioning two bins on their total, budget and distance in the same accounting.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone. Noise
    Lap(2/epsilon) costs epsilon for a replaced record and epsilon/2 for an added one. The tables are one replacement or
    two additions and removals apart, so the plain loss is epsilon either way, and so is the conditioned one: gamma is
    0. The published -0.5 takes the budget from one accounting and the distance from the other.

    Source: gong_meng, Section 5.1

    Parameters
    ----------
    relation : {'replace', 'add_or_remove'}; whether a neighbouring step replaces a record or adds or removes one

    Examples
    --------
    >>> two_bin_price("replace")
    TwoBinPrice(distance=1, gamma=0.0)
    """
    distance = {"replace": 1, "add_or_remove": 2}[_checks.choice("relation", relation, ("replace", "add_or_remove"))]
    budget_per_step = 1.0 / distance  # of Lap(2/epsilon), in units of epsilon
    return TwoBinPrice(distance, 1.0 / (distance * budget_per_step) - 1.0)


@call_hint
def rounded_sum_loss(*, lowest: int, highest: int, group: int, epsilon: float = 1.0) -> ConditioningLoss:
    """Loss of a count in groups (rounded up) with double-geometric noise, once its range is published.

    The promise is about one step, which moves the number of groups by one; it leaves out the published range. When the
    range leaves one number of groups, the release tells nothing more: loss 0, gamma -1. Otherwise the loss of a count
    conditioned on its range. Exact.
    Source: gong_meng, Example 5.2; ours, ranges that leave several numbers of groups

    Parameters
    ----------
    lowest, highest : int; published range of the true sum, 0 <= lowest <= highest
    group : int; people a group, at least 1; the query is ceil(sum / group)
    epsilon : float; budget of the noise on the number of groups, greater than 0

    Examples
    --------
    >>> rounded_sum_loss(lowest=41, highest=50, group=10).gamma
    -1.0
    """
    low = _checks.count("lowest", lowest)
    high = _checks.count("highest", highest, low)
    size = _checks.count("group", group, 1)
    budget = _checks.number("epsilon", epsilon, 0.0, open_low=True)
    loss = bounded_count_loss(epsilon=budget, largest=-(-high // size) - -(-low // size))
    return ConditioningLoss(loss, loss / budget - 1.0, "exact")


@call_hint
@dataclass(frozen=True)
class CellBounds:
    """What the published totals say about every cell by themselves.

    What exact totals give away by themselves: no promise covers it.

    Attributes
    ----------
    lower, upper : array of int, shape of the table; smallest and largest value that the totals allow

    Examples
    --------
    >>> bounds = cell_bounds([[2, 1], [3, 5]], "row and column totals")
    >>> bounds.lower.tolist(), bounds.upper.tolist()
    ([[0, 0], [2, 3]], [[3, 3], [5, 6]])
    """

    lower: IntArray
    upper: IntArray

    @property
    def determined(self) -> np.ndarray:
        """Cells with one possible value: no noise protects them."""
        return np.asarray(self.lower == self.upper)

    @property
    def determined_count(self) -> int:
        """Number of cells that the totals determine outright."""
        return int(self.determined.sum())


def _table(table: ArrayLike) -> IntArray:
    values = _checks.array("table", table, 0.0)
    if values.ndim == 1:
        values = values[None, :]
    if values.ndim != 2 or values.size == 0:
        raise Refused("table", "have rows and columns", values.shape, Code.WRONG_SHAPE, got=f"shape {values.shape}")
    return whole_counts("table", values.ravel()).reshape(values.shape)


@call_hint
def cell_bounds(table: ArrayLike, exact: ExactTotals) -> CellBounds:
    """Smallest and largest value of every cell, given only the totals that are published exactly.

    What exact totals give away by themselves: no promise covers it. Exact. With row and column totals a cell lies in
    [max(0, row + column - total), min(row, column)]. With nothing exact the upper ends are the largest integer of 64
    bits.
    Source: ours, Frechet's bounds

    Parameters
    ----------
    table : array_like of int, shape (rows, columns) or (columns,); true counts, at least 0; only their published totals
        are used
    exact : {'none', 'grand total', 'row totals', 'row and column totals'}; what is published exactly

    Examples
    --------
    >>> cell_bounds([[0, 0], [3, 5]], "row and column totals").determined_count
    4
    """
    counts = _table(table)
    choice = _checks.choice("exact", exact, EXACT_CHOICES)
    lower = np.zeros_like(counts)
    if choice == "none":
        return CellBounds(lower, np.full_like(counts, np.iinfo(np.int64).max))
    total = counts.sum()
    rows = counts.sum(axis=1, keepdims=True) + lower
    columns = counts.sum(axis=0, keepdims=True) + lower
    if choice == "grand total":
        return CellBounds(lower + (total if counts.size == 1 else 0), lower + total)
    if choice == "row totals":
        return CellBounds(rows if counts.shape[1] == 1 else lower, rows)
    return CellBounds(np.maximum(0, rows + columns - total), np.minimum(rows, columns))


@call_hint
@dataclass(frozen=True)
class TotalsPrice:
    """Worst-case loss for one person who moves between cells, by method (bounded neighbours).

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone. Losses are
    epsilons, or rhos (of zero-concentrated DP) where the noise has a rho.

    Attributes
    ----------
    plain : float; loss of the noisy table before anything is made exact: 2 epsilon, or 2 rho
    projected : float; loss after projection for the smallest change that leaves the totals alone: 2 epsilon for a move,
        4 epsilon for a swap of two people (row and column totals); 2 rho and 4 rho alike. A bound.
    conditioned : ConditioningLoss; loss after conditioning for such a change
    changes_left : bool; whether any change leaves the totals alone; otherwise the totals give away the whole table
    exact_numbers : int; totals published as they are. A change that alters one of them is not protected by any budget.

    Examples
    --------
    >>> price = price_of_totals([[8, 6], [3, 5]], "row and column totals", epsilon=0.5)
    >>> price.plain, price.projected, price.changes_left  # 2 epsilon for a move, 4 epsilon for a swap
    (1.0, 2.0, True)
    """

    plain: float
    projected: float
    conditioned: ConditioningLoss
    changes_left: bool
    exact_numbers: int


@call_hint
def price_of_totals(
    table: ArrayLike,
    exact: ExactTotals,
    *,
    epsilon: float | None = None,
    noise: WholeNoise | None = None,
    non_negative: bool = True,
) -> TotalsPrice:
    """What publishing totals exactly costs a person whose move leaves the totals alone.

    The promise is about the cell of one person (a value), for moves that leave the exact totals alone. Conditioning: (1
    + gamma) 2 epsilon, 'exact' or 'exact pair' for a grand total and for row totals (the worst row). For row and column
    totals the smallest change swaps two people, four cells: 4 epsilon after projection, at most 8 epsilon after
    conditioning (gamma, against one move, at most 3): a 'bound'.

    Conditioned on the totals alone (`non_negative` False), every two tables have the same normaliser, and the loss is
    that of the noise: 2 epsilon a move, 4 epsilon a swap. Discrete Gaussian noise of a rho a cell then costs |a - b|^2
    rho, a and b the two tables: 2 rho a move, 4 rho a swap, 'exact'. Proof: on the lattice y in a + L that shares the
    totals, the Renyi divergence of order s is s rho |a - b|^2 + log(W(c)/W(a))/(s - 1), W(c) = sum over y of
    exp(-rho |y - c|^2), c = b + s(a - b), W(a) = W(b). By Poisson summation W is a sum of cosines with positive
    weights, largest at points of the lattice: W(c) <= W(a), with equality at whole orders.

    With discrete Gaussian noise and non-negativity the loss is at most twice that, a 'bound'. Proof: in partial sums of
    the cells (of a row; of the first of two rows with exact columns, whose cells are bounded above too) the weight
    exp(-rho |y - b - t(a - b)|^2) on tables that fit is a product of log-concave functions of differences, two with t
    among them, so log-concave in the sense of discrete midpoints on whole numbers, jointly with t. Then its sum over y
    is log-concave in whole t (the four functions theorem of Klartag and Lehec, Poisson processes and a four-functions
    theorem, Theorem 1.4): at a whole order s the divergence is at most s rho |a - b|^2, and an order in between has at
    most that of the next, and s + 1 <= 2 s. No table that was enumerated needs more than |a - b|^2 rho. Row and column
    totals with more than two of each are refused.
    Source: gong_meng, Theorem 2.1 and (2.5); ours, worst case over the tables that share the totals
    Source: ours, discrete Gaussian noise; checked against enumerated Renyi divergences

    Parameters
    ----------
    table : array_like of int, shape (rows, columns) or (columns,); true counts, at least 0. Only the totals matter: the
        price is the worst case over all tables that share them (a value at the true table would itself be
        confidential).
    exact : {'none', 'grand total', 'row totals', 'row and column totals'}; what is published exactly
    epsilon : float, optional; budget of each cell's noise, greater than 0; 2 epsilon a person
    noise : WholeNoise, optional; geometric or discrete Gaussian noise of each cell, instead of `epsilon`
    non_negative : bool; whether conditioned tables are also conditioned on having no negative cell

    Examples
    --------
    >>> price = price_of_totals([[8, 6, 4], [3, 5, 8]], "grand total", epsilon=0.5)
    >>> round(price.conditioned.gamma, 2)
    0.45
    >>> from dpcore.mechanisms import DiscreteGaussian
    >>> price = price_of_totals(
    ...     [[8, 6, 4], [3, 5, 8]], "grand total", noise=DiscreteGaussian(rho=0.05), non_negative=False
    ... )
    >>> price.plain, price.projected, price.conditioned.loss  # each a rho
    (0.1, 0.1, 0.1)
    """
    counts = _table(table)
    choice = _checks.choice("exact", exact, EXACT_CHOICES)
    _checks.flag("non_negative", non_negative)
    if (epsilon is None) is (noise is None):
        raise neither_or_both("epsilon", epsilon)
    of_cells = noise or Geometric(epsilon=_checks.number("epsilon", epsilon, 0.0, open_low=True))
    concentrated, budget = noise_power("noise", of_cells) == 2, of_cells.strength
    plain = 2 * budget
    if choice == "none":
        return TotalsPrice(plain, plain, ConditioningLoss(plain, 0.0, "exact"), True, 0)
    if concentrated or not non_negative:
        return _price_by_distance(counts, choice, plain, non_negative=non_negative)
    if choice == "grand total":
        totals = 1
        worst = worst_conditioning_loss(cells=counts.size, total=int(counts.sum()), epsilon=budget)
    elif choice == "row totals":
        sums = counts.sum(axis=1)
        totals = len(sums)
        distinct = sorted(set(sums.tolist()))
        each = ENUMERATION_LIMIT // len(distinct)
        found = [
            worst_conditioning_loss(cells=counts.shape[1], total=total, epsilon=budget, enumerated=each)
            for total in distinct
        ]
        compared = all(item.kind == "exact" for item in found)
        worst = replace(max(found, key=lambda item: item.loss), kind="exact" if compared else "exact pair")
    else:
        totals = sum(counts.shape)
        free = cell_bounds(counts, choice).determined_count < counts.size
        # the smallest change swaps two people; the normalisers differ by no more than the raw loss once again
        swap = 2 * plain
        worst = ConditioningLoss(2 * swap, 3.0, "bound") if free else ConditioningLoss(0.0, 0.0, "exact")
    left = worst.loss > 0
    projected = 2 * plain if choice == "row and column totals" else plain
    return TotalsPrice(plain, projected if left else 0.0, worst, left, totals)


def _price_by_distance(counts: IntArray, choice: ExactTotals, plain: float, *, non_negative: bool) -> TotalsPrice:
    """The price that depends on how far apart two tables are alone, and twice it for a rho with no negative cell."""
    both = choice == "row and column totals"
    if non_negative and both and min(counts.shape) > 2:
        rule = "be False for a rho, where more than two rows and columns have exact totals"
        raise Refused("non_negative", rule, non_negative, Code.UNSUPPORTED)
    exact_numbers = {"grand total": 1, "row totals": counts.shape[0]}.get(choice, sum(counts.shape))
    if cell_bounds(counts, choice).determined_count == counts.size:
        return TotalsPrice(plain, 0.0, ConditioningLoss(0.0, 0.0, "exact"), False, exact_numbers)
    change = 2 * plain if both else plain  # a swap moves twice as many cells as a move
    loss = 2 * change if non_negative else change
    conditioned = ConditioningLoss(loss, loss / plain - 1.0, "bound" if non_negative else "exact")
    return TotalsPrice(plain, change, conditioned, True, exact_numbers)
