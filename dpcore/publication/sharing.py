"""Sharing one budget over the rows of a publication: one stretch of all wishes, least weighted error, equal error,
equal budgets, shares by hand, a reserve.

Rules here speak of accuracy alone; each spends the total, less its reserve, and not more. More budget for a row means
smaller ranges in that row. It is not more protection for the people in it, who are in all rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseKind, NoiseMechanism, noise_kind
from dpcore.mechanisms.additive import bisected, log_tail_allowed
from dpcore.publication.errors import budget_for_range
from dpcore.publication.rows import LEAST_LEVEL, Publication, check_publication

_TIE = 1e-12  # widths and sums this close (relative) to a limit count as the limit: decimals are rounded
_WIDEST = 1e12  # a range this wide has no whole numbers left in floats
_SECTIONS = 32


class Rule(StrEnum):
    """How a total is shared.

    It is about accuracy: the promise about a secret depends on the total alone, however it is shared. `MEET_WISHES`:
    one stretch of all wishes. `LEAST_WEIGHTED_ERROR`: least sum of weight times variance. `SAME_ERROR`: the same
    standard deviation in all rows. `SAME_BUDGET`: the same budget for one release of each.

    Examples
    --------
    >>> Rule("same_error") is Rule.SAME_ERROR
    True
    """

    MEET_WISHES = "meet_wishes"
    LEAST_WEIGHTED_ERROR = "least_weighted_error"
    SAME_ERROR = "same_error"
    SAME_BUDGET = "same_budget"


@dataclass(frozen=True)
class _Problem:
    """Rows as arrays: noise, releases, and the budget of a strength of 1."""

    noises: tuple[type[NoiseMechanism], ...]
    times: FloatArray
    unit: FloatArray

    @property
    def in_epsilon(self) -> bool:
        return self.noises[0].budget_kind == "epsilon"

    @property
    def whole(self) -> np.ndarray:
        return np.array([noise.is_whole for noise in self.noises])

    @property
    def cost(self) -> FloatArray:
        """What a strength of 1 in all releases of a row takes from the total."""
        return self.times * self.unit

    def kinds(self) -> list[tuple[type[NoiseMechanism], np.ndarray]]:
        listed = np.array(self.noises)
        return [(kind, listed == kind) for kind in dict.fromkeys(self.noises)]


def _problem(
    noise: NoiseKind | Sequence[NoiseKind], times: ArrayLike, sensitivity: ArrayLike, **columns: ArrayLike
) -> tuple[_Problem, dict[str, FloatArray]]:
    releases = _checks.array("times", times, 1.0)
    if releases.ndim != 1 or not releases.size or (releases != np.floor(releases)).any():
        raise Refused("times", "be a list of whole numbers of at least 1", times, Code.NOT_WHOLE)
    listed = (noise,) * releases.size if isinstance(noise, str | type) or not isinstance(noise, Iterable) else noise
    kinds = tuple(noise_kind(one) for one in listed)
    deltas = _checks.array("sensitivity", sensitivity, 0.0, open_low=True)
    found = {name: _checks.array(name, values, 0.0, open_low=True) for name, values in columns.items()}
    for name, values in {"noise": np.array(kinds), "sensitivity": deltas, **found}.items():
        if values.shape != releases.shape:
            raise Refused(name, f"hold one entry for each row ({releases.size})", values.size, Code.WRONG_SHAPE)
    if len({kind.budget_kind for kind in kinds}) > 1:
        names = sorted({kind.name for kind in kinds})
        raise Refused("noise", "be of one currency, epsilon or rho", names, Code.INCONSISTENT)
    return _Problem(kinds, releases, deltas ** kinds[0].steps_power()), found


def _of_publication(publication: Publication, places: Sequence[int]) -> _Problem:
    chosen = list(places)
    deltas = publication.sensitivities[chosen]
    kinds = tuple(noise_kind(publication.rows[place].noise) for place in chosen)
    return _Problem(kinds, publication.times[chosen], deltas ** kinds[0].steps_power())


def _total(total: float) -> float:
    return _checks.number("total", total, 0.0, open_low=True)


def _spending(budgets: FloatArray, times: FloatArray, total: float) -> FloatArray:
    """The budgets, scaled so that all releases together spend the total, and in exact sums never more."""
    spent = math.fsum(float(f) * float(b) for f, b in zip(times, budgets, strict=True))
    return _no_more(budgets * (total / spent), times, total)


def _no_more(budgets: FloatArray, times: FloatArray, total: float) -> FloatArray:
    """The budgets, lowered to where all releases together spend no more than the total, in floats and in exact sums."""
    while True:
        pairs = [(float(f), float(b)) for f, b in zip(times, budgets, strict=True)]
        spent = max(sum(Fraction(f) * Fraction(b) for f, b in pairs), Fraction(math.fsum(f * b for f, b in pairs)))
        if spent <= total:
            return budgets
        budgets = np.nextafter(budgets * float(total / spent), 0.0)


# ---- one stretch of all wishes --------------------------------------------------------------------------------------


@call_hint
@dataclass(frozen=True, eq=False)
class Stretch:
    """Smallest factor on all wished half widths at which a total suffices, with what the ranges need.

    It is about accuracy: the promise about a secret depends on the total alone, however it is shared.

    Parameters
    ----------
    stretch : float; at most 1 where all wishes are met
    half_widths : array; the ranges kept: stretch times wish, for whole noise the whole part
    budgets : array; what one release of each row needs for its range
    needed : float; what all releases need together, at most the total

    Examples
    --------
    >>> found = least_stretch(noise="geometric", half_widths=[36], times=[2], sensitivity=[2], total=1.027)
    >>> round(found.stretch, 6), found.needed < 1.027  # 12 of the 36 wished
    (0.333333, True)
    """

    stretch: float
    half_widths: FloatArray
    budgets: FloatArray
    needed: float


@call_hint
def least_stretch(
    *,
    noise: NoiseKind | Sequence[NoiseKind],
    half_widths: ArrayLike,
    times: ArrayLike,
    sensitivity: ArrayLike,
    total: float,
    level: ArrayLike = 0.95,
) -> Stretch:
    """Smallest factor s on all wished half widths at which a total suffices.

    Exact. Continuous noise in closed form. Whole noise keeps +- the whole part of s E, so s is one of j/E (0 when the
    total keeps every number exact); products within 1e-12 of a whole number count as that number, breakpoints within
    1e-11 of each other as one. Budgets lie above the exact need by less than 1e-12 of themselves (divided by the
    level). About accuracy; no promise about a secret belongs to it.
    Source: ours, the smallest breakpoint at which the needs fit; checked by an exhaustive scan

    Parameters
    ----------
    noise : str or sequence of str; one kind of noise, or one for each row; of one currency
    half_widths : array_like; wished +-, one for each row, above 0
    times : array_like; releases of each row, whole numbers of at least 1
    sensitivity : array_like; L1 of each row for an epsilon, L2 for a rho, above 0
    total : float; the budget, above 0
    level : array_like, optional; of the ranges, one or one for each row, in [0.01, 1)

    Examples
    --------
    >>> found = least_stretch(noise="geometric", half_widths=[36], times=[2], sensitivity=[2], total=1.027)
    >>> round(found.stretch, 6), found.half_widths, round(found.needed, 6)
    (0.333333, array([12.]), 0.956353)
    """
    problem, columns = _problem(noise, times, sensitivity, half_widths=half_widths)
    levels = _checks.array("level", level, LEAST_LEVEL, 1.0, open_high=True)
    if levels.shape not in ((), problem.times.shape):
        raise Refused("level", f"hold one entry for each row ({problem.times.size})", levels.size, Code.WRONG_SHAPE)
    return _least_stretches(
        problem,
        columns["half_widths"],
        np.broadcast_to(levels, problem.times.shape),
        np.array([_total(total)]),
    )[0]


def _floor(widths: FloatArray) -> FloatArray:
    return np.floor(widths + np.minimum(_TIE * widths, 1e-3))


def _ceil(widths: FloatArray) -> FloatArray:
    return np.ceil(widths - np.minimum(_TIE * widths, 1e-3))


class _Wishes:
    """The need of all rows at a stretch, for whole arrays of stretches at once: shapes (points, rows)."""

    def __init__(self, problem: _Problem, widths: FloatArray, levels: FloatArray) -> None:
        self.problem, self.widths, self.levels = problem, widths, levels
        self.whole = problem.whole
        self.power = 1 if problem.in_epsilon else 2
        # continuous rows: need = share / s^power
        ones = np.zeros(widths.shape)
        for kind, at in problem.kinds():
            if not kind.is_whole:
                ones[at] = kind.strengths_for_width(widths[at], level=levels[at]) * problem.cost[at]
        self.continuous = math.fsum(ones)

    def budgets(self, stretch: FloatArray, whole_widths: FloatArray, *, exact: bool = True) -> FloatArray:
        """Budget of one release at stretches; whole rows keep the widths given."""
        found = np.empty(whole_widths.shape)
        for kind, at in self.problem.kinds():
            levels = np.broadcast_to(self.levels[at], whole_widths[:, at].shape)
            if kind.is_whole:
                law = kind.strengths_for_width if exact else kind.about_strengths_for_width
                found[:, at] = law(whole_widths[:, at], level=levels)
            else:
                found[:, at] = kind.strengths_for_width(stretch[:, None] * self.widths[at], level=levels)
        return found * self.problem.unit

    def kept(self, stretch: FloatArray) -> FloatArray:
        """The widths kept at stretches: the whole part for whole noise."""
        wide = stretch[:, None] * self.widths
        return np.where(self.whole, _floor(wide), wide)

    def need_of_whole(self, stretch: FloatArray, *, exact: bool = True) -> FloatArray:
        """What the whole rows need together; stretches may be 0."""
        found = np.zeros(stretch.shape)
        kept = self.kept(stretch)
        for kind, at in self.problem.kinds():
            if kind.is_whole:
                law = kind.strengths_for_width if exact else kind.about_strengths_for_width
                levels = np.broadcast_to(self.levels[at], kept[:, at].shape)
                found += law(kept[:, at], level=levels) @ self.problem.cost[at]
        return found

    def need(self, stretch: FloatArray, *, exact: bool = True) -> FloatArray:
        """What all rows need together."""
        with np.errstate(divide="ignore"):
            continuous = self.continuous / stretch**self.power if self.continuous else 0.0
        return self.need_of_whole(stretch, exact=exact) + continuous

    def largest(self, totals: FloatArray) -> FloatArray:
        """A stretch that surely suffices: whole noise within +- t needs at most log(2/(1 - level)) / t^power."""
        bound = -log_tail_allowed(self.levels) / self.widths**self.power * self.problem.cost
        return ((math.fsum(bound[self.whole]) + self.continuous) / totals) ** (1 / self.power) * (1 + 1e-9)

    def after(self, stretch: FloatArray) -> FloatArray:
        """The next breakpoint above each stretch."""
        widths = self.widths[self.whole]
        return ((_floor(stretch[:, None] * widths) + 1) / widths).min(axis=1)

    def before(self, stretch: FloatArray) -> FloatArray:
        """The last breakpoint below each stretch, at least 0."""
        widths = self.widths[self.whole]
        return np.maximum((_ceil(stretch[:, None] * widths) - 1) / widths, 0.0).max(axis=1)


def _least_stretches(problem: _Problem, widths: FloatArray, levels: FloatArray, totals: FloatArray) -> list[Stretch]:
    wishes = _Wishes(problem, widths, levels)
    if wishes.whole.any():
        stretch, whole_at = _whole_stretches(wishes, totals)
    else:
        stretch = whole_at = (wishes.continuous / totals) ** (1 / wishes.power)
    kept = np.where(wishes.whole, wishes.kept(whole_at), stretch[:, None] * widths)
    budgets = wishes.budgets(stretch, kept)
    return [
        Stretch(
            stretch=float(stretch[point]),
            half_widths=kept[point],
            budgets=budgets[point],
            needed=math.fsum(float(f) * float(b) for f, b in zip(problem.times, budgets[point], strict=True)),
        )
        for point in range(totals.size)
    ]


def _whole_stretches(wishes: _Wishes, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(smallest stretches at which the needs fit, stretch at which the whole rows' widths are read)."""
    enough = totals * (1 + _TIE / 10)
    breakpoints = _smallest_breakpoints(wishes, totals, enough)
    # Between the breakpoint before and this one the whole rows need the same; continuous rows may fit earlier.
    if not wishes.continuous:
        return breakpoints, breakpoints
    earlier = wishes.before(breakpoints)
    left = enough - wishes.need_of_whole(earlier)
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.where(left > 0, (wishes.continuous / left) ** (1 / wishes.power), np.inf)
    fits = (inside < breakpoints) & (breakpoints > 0)
    return np.where(fits, np.maximum(inside, earlier), breakpoints), np.where(fits, earlier, breakpoints)


def _smallest_breakpoints(wishes: _Wishes, totals: FloatArray, enough: FloatArray) -> FloatArray:
    """Smallest breakpoint of the whole rows (or 0) at which the needs fit, for each total."""
    zero = np.zeros(1)
    fits_at_zero = wishes.need(zero)[0] <= enough
    high = wishes.largest(totals)
    if high.max() * wishes.widths[wishes.whole].max() > _WIDEST:
        raise Refused("total", f"keep ranges below {_WIDEST:g}", float(totals.min()), Code.TOO_LARGE)
    low = np.minimum(1 / wishes.widths[wishes.whole].max() * 0.5, high / 2) * np.ones(totals.shape)
    dense = float(wishes.widths[wishes.whole].sum())
    steps = np.linspace(0.0, 1.0, _SECTIONS + 1)[1:-1]
    for _ in range(12):  # sections on a quick estimate of the needs
        if (dense * (high - low) < 1e-3).all() or (high - low <= 1e-13 * high).all():
            break
        grid = low[:, None] * (high / low)[:, None] ** steps
        fits = wishes.need(grid.ravel(), exact=False).reshape(grid.shape) <= enough[:, None]
        first = np.where(fits.any(axis=1), fits.argmax(axis=1), steps.size)
        padded = np.concatenate([low[:, None], grid, high[:, None]], axis=1)
        place = np.arange(totals.size)
        low, high = padded[place, first], padded[place, first + 1]
    guess = wishes.before(high * (1 + 1e-9))  # the last breakpoint up to the end that fits
    found = _exactly(wishes, enough, np.where(guess > 0, guess, wishes.after(guess)))
    return np.where(fits_at_zero, 0.0, found)


def _exactly(wishes: _Wishes, enough: FloatArray, guess: FloatArray) -> FloatArray:
    """The smallest breakpoint at which the exact needs fit, from a guess near it: steps that double, then bisection."""
    bad, good = wishes.before(guess), guess.copy()
    both = wishes.need(np.concatenate([bad, good])) <= np.concatenate([enough, enough])
    bad_fits, good_fits = both[: guess.size] & (bad > 0), both[guess.size :]
    factor = 1e-9
    while (up := ~good_fits).any():  # the guess is too small
        bad = np.where(up, good, bad)
        good = np.where(up, wishes.after(good * (1 + factor)), good)
        bad_fits = bad_fits & ~up
        good_fits = good_fits | (wishes.need(good) <= enough)
        factor *= 8
    factor = 1e-9
    while (down := bad_fits).any():  # the guess is too large
        good = np.where(down, bad, good)
        bad = np.where(down, wishes.before(bad / (1 + factor)), bad)
        bad_fits = down & (bad > 0) & (wishes.need(bad) <= enough)
        factor *= 8
    while (apart := (wishes.before(good) > bad * (1 + _TIE)) & (good - bad > 10 * _TIE * good)).any():
        middle = wishes.after((bad + good) / 2)
        middle = np.where(middle * (1 + _TIE) >= good, wishes.before(good), middle)
        fits = wishes.need(middle) <= enough
        good, bad = np.where(apart & fits, middle, good), np.where(apart & ~fits, middle, bad)
    return good


# ---- least weighted error -------------------------------------------------------------------------------------------


@call_hint
def least_weighted_variance(
    *,
    noise: NoiseKind | Sequence[NoiseKind],
    weights: ArrayLike,
    times: ArrayLike,
    sensitivity: ArrayLike,
    total: float,
) -> FloatArray:
    """Budgets of one release of each row with the least sum of weight times variance under a total.

    It is about accuracy: the promise about a secret depends on the total alone, however it is shared. Exact to some
    1e-12. Gaussian noise: in proportion to sensitivity (weight/times)^(1/2); Laplace: (weight
    sensitivity²/times)^(1/3); other noise by one multiplier on the slope of the variance, in log space. All releases
    together spend the total, in exact sums never more. About accuracy; no promise belongs to it.
    Source: ours, the condition of Lagrange; checked against SciPy's SLSQP

    Parameters
    ----------
    noise : str or sequence of str; one kind of noise, or one for each row; of one currency
    weights : array_like; importance of each row, above 0
    times : array_like; releases of each row, whole numbers of at least 1
    sensitivity : array_like; L1 of each row for an epsilon, L2 for a rho, above 0
    total : float; the budget, above 0

    Examples
    --------
    >>> least_weighted_variance(noise="gaussian", weights=[4, 1], times=[1, 1], sensitivity=[1, 1], total=0.3).round(12)
    array([0.2, 0.1])
    """
    problem, columns = _problem(noise, times, sensitivity, weights=weights)
    return _least_weighted_variance(problem, columns["weights"], _total(total))


def _least_weighted_variance(problem: _Problem, weights: FloatArray, total: float) -> FloatArray:
    # w V'(x) = -lambda cost at the strength x, so log(-V'(x)) = mu + shift with mu = log lambda
    shift = np.log(problem.cost) - np.log(weights)
    kinds = problem.kinds()
    if len(kinds) == 1 and (power := kinds[0][0].variance_power) is not None:
        strength = np.exp((shift.min() - shift) / (power + 1))
        return _spending(strength * problem.unit, problem.times, total)

    def log_strength(mu: float) -> tuple[FloatArray, FloatArray]:
        found, slope = np.empty(shift.shape), np.empty(shift.shape)
        for kind, at in kinds:
            found[at], slope[at] = kind.log_strength_of_slope(mu + shift[at])
        return found, slope

    log_cost, log_total = np.log(problem.cost), math.log(total)
    alike = np.full(shift.shape, log_total - math.log(math.fsum(problem.cost)))
    slopes = np.concatenate([kind.log_variance_slope(alike[at])[0] - shift[at] for kind, at in kinds])
    low, high = float(slopes.min()), float(slopes.max())  # the multiplier lies between the rows' own at equal strength
    mu = (low + high) / 2
    for _ in range(200):
        y, slope = log_strength(mu)
        parts = log_cost + y
        peak = float(parts.max())
        share = np.exp(parts - peak)
        excess = peak + math.log(share.sum()) - log_total
        if excess > 0:
            low = mu
        else:
            high = mu
        step = -excess / float((share / slope).sum() / share.sum())
        new = mu + step
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - mu) <= 1e-14 * max(1.0, abs(mu)) or abs(excess) <= 1e-14:
            break
        mu = new
    return _spending(np.exp(y) * problem.unit, problem.times, total)


# ---- equal error, equal budgets -------------------------------------------------------------------------------------


def _same_error(problem: _Problem, total: float) -> FloatArray:
    kinds = [kind for kind, _ in problem.kinds()]
    if len(kinds) == 1:  # one law for all rows
        return _spending(problem.unit, problem.times, total)
    costs = {kind: math.fsum(problem.cost[at]) for kind, at in problem.kinds()}

    def excess(log_std: float) -> float:
        spent = [costs[kind] * math.exp(kind.log_strength_of_std(math.exp(log_std))) for kind in kinds]
        return math.log(total) - math.log(math.fsum(spent))

    rough = math.log(math.fsum(costs.values()) / total) / (1 if problem.in_epsilon else 2)
    low = high = rough
    while excess(low) > 0:
        low -= 1.0
    while excess(high) < 0:
        high += 1.0
    log_std = bisected(excess, low, high)
    strength = np.empty(problem.times.shape)
    for kind, at in problem.kinds():
        strength[at] = math.exp(kind.log_strength_of_std(math.exp(log_std)))
    return _spending(strength * problem.unit, problem.times, total)


def _same_budget(problem: _Problem, total: float) -> FloatArray:
    return _spending(np.ones(problem.times.shape), problem.times, total)


# ---- a publication --------------------------------------------------------------------------------------------------


@call_hint
@dataclass(frozen=True, eq=False)
class Allocation:
    """A total shared over the rows of a publication.

    It is about accuracy: the promise about a secret depends on the total alone, however it is shared.

    Parameters
    ----------
    publication : Publication; the rows
    total : float; the budget, an epsilon or a rho
    rule : Rule; for the rows without a share typed by hand
    budgets : array; of one release of each row
    stretch : float or None; factor on the wishes of the rows that the rule shares, or None for another rule
    kept : array or None; ranges that the stretch keeps (nan for other rows), or None; what is left over makes them
        smaller still
    needed : float or None; what those ranges need, or None
    reserve : float; share of the total kept back

    Examples
    --------
    >>> from dpcore.publication import CountTable, Publication
    >>> rows = (CountTable(), CountTable(times=3))
    >>> found = allocate(Publication(rows, "add_or_remove"), 1.0, rule="same_budget")
    >>> found.budgets.tolist(), found.shares.tolist()
    ([0.25, 0.25], [0.25, 0.75])
    """

    publication: Publication
    total: float
    rule: Rule
    budgets: FloatArray
    stretch: float | None
    kept: FloatArray | None
    needed: float | None
    reserve: float

    @property
    def spent(self) -> float:
        """What all releases spend together, at most the total."""
        return math.fsum(f * b for f, b in zip(self.publication.times.tolist(), self.budgets.tolist(), strict=True))

    @property
    def shares(self) -> FloatArray:
        """The share of the total that all releases of each row spend."""
        return self.publication.times * self.budgets / self.total


@call_hint
def allocate(
    publication: Publication,
    total: float,
    *,
    rule: str = "meet_wishes",
    shares: Sequence[float | None] | None = None,
    reserve: float = 0.0,
) -> Allocation:
    """Share of a total for each row of a publication, by one rule, with shares typed by hand kept as they are.

    It is about accuracy: the promise about a secret depends on the total alone, however it is shared. Exact; it spends
    the total less the reserve, and in exact sums never more (less, where every share is typed). About accuracy: what
    the total means for a secret is said by `guarantee_of_secret`.
    Source: ours, the rules of `least_stretch` and `least_weighted_variance`; equal error is one law for all rows

    Parameters
    ----------
    publication : Publication; the rows
    total : float; the budget, an epsilon or a rho, above 0
    rule : {"meet_wishes", "least_weighted_error", "same_error", "same_budget"}; for the rows whose share is not typed.
        What the stretch of "meet_wishes" leaves over scales these rows up.
    shares : sequence of float or None, optional; for each row the share of the total its releases get, in (0, 1], or
        None; without it no share is typed
    reserve : float, optional; share of the total kept back, in [0, 1)

    Examples
    --------
    >>> from dpcore.publication import CountTable, Publication, Wish
    >>> rows = (CountTable(wish=Wish(10)), CountTable(wish=Wish(20), times=2))
    >>> found = allocate(Publication(rows, "add_or_remove"), 1.0)
    >>> round(found.stretch, 3), found.kept, round(found.spent, 12)
    (0.6, array([ 6., 12.]), 1.0)
    """
    check_publication(publication)
    whole = _total(total)
    chosen = Rule(_checks.choice("rule", rule, [option.value for option in Rule]))
    kept_back = _checks.number("reserve", reserve, 0.0, 1.0, open_high=True)
    size = len(publication.rows)
    typed: list[float | None] = [None] * size if shares is None else list(shares)
    if len(typed) != size:
        raise Refused("shares", f"hold one entry for each row ({size})", len(typed), Code.WRONG_SHAPE)
    budgets = np.zeros(size)
    for place, share in enumerate(typed):
        if share is not None:
            of_row = _checks.number(f"share of {publication.called(place)}", share, 0.0, 1.0, open_low=True)
            budgets[place] = of_row * whole / publication.rows[place].times
    locked = math.fsum(share for share in typed if share is not None)
    if locked + kept_back > 1 + _TIE:
        raise Refused(
            "shares",
            "add to at most 1 with the reserve",
            locked + kept_back,
            Code.OUT_OF_RANGE,
            got=f"{locked + kept_back:.12g}",
        )
    places = [place for place, share in enumerate(typed) if share is None]
    if not places:
        budgets = _no_more(budgets, publication.times, whole)
        return Allocation(publication, whole, chosen, budgets, None, None, None, kept_back)
    left = whole * (1 - kept_back - locked)
    if 1 - kept_back - locked <= _TIE:
        raise Refused(
            "shares",
            "leave budget for the rows without one",
            locked + kept_back,
            Code.INFEASIBLE,
            got=f"{locked + kept_back:.12g}",
        )
    problem = _of_publication(publication, places)
    stretch = kept = needed = None
    if chosen is Rule.MEET_WISHES:
        widths, levels = publication.wishes(places)
        found = _least_stretches(problem, widths, levels, np.array([left]))[0]
        stretch, needed = found.stretch, found.needed
        kept = np.full(size, np.nan)
        kept[places] = found.half_widths
        own = _spending(found.budgets, problem.times, left)
    else:
        rules: dict[Rule, Callable[[], FloatArray]] = {
            Rule.LEAST_WEIGHTED_ERROR: lambda: _least_weighted_variance(problem, publication.weights[places], left),
            Rule.SAME_ERROR: lambda: _same_error(problem, left),
            Rule.SAME_BUDGET: lambda: _same_budget(problem, left),
        }
        own = rules[chosen]()
    budgets[places] = own
    budgets = _no_more(budgets, publication.times, whole)
    return Allocation(publication, whole, chosen, budgets, stretch, kept, needed, kept_back)


@call_hint
def total_for_wishes(publication: Publication, *, stretch: float = 1.0) -> float:
    """Smallest total that keeps every wish of a publication, times one factor.

    It is about accuracy: the promise about a secret depends on the total alone, however it is shared. The epsilon or
    rho, above the exact need by less than 1e-12 of itself over the level. Round it up. It is needed for accuracy; what
    it would mean for a secret is said by `guarantee_of_secret`.
    Source: ours, the sum of the rows' needs

    Parameters
    ----------
    publication : Publication; rows that all have a wish
    stretch : float, optional; factor on the wished half widths, above 0

    Examples
    --------
    >>> from dpcore.publication import CountTable, Publication, Wish
    >>> rows = (CountTable(wish=Wish(10)), CountTable(wish=Wish(20), times=2))
    >>> round(total_for_wishes(Publication(rows, "add_or_remove")), 6)
    0.576355
    """
    check_publication(publication)
    factor = _checks.number("stretch", stretch, 0.0, open_low=True)
    widths, levels = publication.wishes()
    problem = _of_publication(publication, range(len(publication.rows)))
    kept = np.where(problem.whole, _floor(factor * widths), factor * widths)
    deltas = publication.sensitivities
    needs = [
        row.times * float(budget_for_range(kept[at], row.noise, level=float(levels[at]), sensitivity=deltas[at]))
        for at, row in enumerate(publication.rows)
    ]
    return math.fsum(needs)
