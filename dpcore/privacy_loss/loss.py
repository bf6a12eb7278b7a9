"""The privacy loss of many releases: how its law is composed, delta and epsilon, and the loss an output may have."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, minimize_scalar

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.guarantees import gaussian_delta, gaussian_epsilon
from dpcore.mechanisms.losses import Lattice, LossParts, Part
from dpcore.privacy_loss.laws import TRANSFORMED, FiniteLaw, LaplaceLaw, finite_share
from dpcore.privacy_loss.one_release import parts_of
from dpcore.privacy_loss.sums import (
    LARGEST_TILTED,
    LOG_TAIL,
    LossSum,
    check_points,
    common_step,
    convolved,
    laplace_onto_grid,
    lattice_units,
    onto_grid,
    points_needed,
    self_composed,
)

Side = Literal["present", "absent", "prior_predictive"]
"""The world in which a release is drawn: the secret is true, it is not, or as likely as the reader believes."""
Direction = Literal["rise", "fall", "either"]
"""Whether the log odds of a belief move further up than a shift, further down, or either."""
SIDES = ("present", "absent", "prior_predictive")
"""What a `Side` may be."""
DIRECTIONS = ("rise", "fall", "either")
"""What a `Direction` may be."""
TILT_BELOW = 1e-3  # smaller tails are computed from a tilted law
ENUMERATE_UP_TO = 1 << 16  # up to this many combinations of losses are listed rather than rounded
COMMON_LATTICE_UP_TO = 1 << 18  # up to this many points of a common lattice are convolved rather than rounded
MIXED_LATTICE_UP_TO = 1 << 14  # fewer where a normal part is mixed in, which every question evaluates at every point
MIXED_GRID_UP_TO = 1 << 15  # and this many points of a grid where a normal part is mixed in
_PAIRS = "pairs of a mechanism and how often it is released, such as ((Gaussian(rho=0.1), 12),)"
LARGEST_COUNT = 10**15  # releases of one mechanism
MOST_KEPT = 1 << 20  # points of the laws that one object caches


@call_hint
@dataclass(frozen=True)
class Bracket:
    """Two numbers between which the exact value lies.

    The promise is about one secret that every release tells of, by one step of full sensitivity, to an observer of all
    raw outputs.

    Examples
    --------
    >>> Bracket(0.25, 0.5).width
    0.25
    """

    low: float
    high: float

    @property
    def width(self) -> float:
        """High minus low, at least 0."""
        return self.high - self.low


@call_hint
@dataclass(frozen=True, eq=False)
class RoundParts:
    """The losses of one round in parts: a normal one, lattices with counts, Laplace epsilons with counts.

    The promise is about one secret that every release tells of, by one step of full sensitivity, to an observer of all
    raw outputs. The normal part may stand for discrete Gaussian noise; its sums then lie within `slack` of the true
    ones.

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian, Laplace
    >>> parts = PrivacyLoss(((Gaussian(rho=0.1), 3), (Laplace(epsilon=0.5), 2))).round_parts
    >>> round(parts.rho, 12), parts.laplaces, parts.lattices
    (0.3, ((0.5, 2),), ())
    """

    rho: float
    lattices: tuple[tuple[Lattice, int], ...]
    laplaces: tuple[tuple[float, int], ...]
    slack: float = 0.0


@call_hint
@dataclass(frozen=True)
class PrivacyLoss:
    """The law of the summed privacy loss of independent releases.

    The promise is about one secret that every release tells of, by one step of full sensitivity, to an observer of all
    raw outputs. A pure or approximate guarantee stands for the worst mechanism with it, as far as `delta_at`,
    `epsilon_at`, the bounds over every view and the mean belief go (a bound for any mechanism). Quantiles, cdfs and
    exceedances of a guarantee do not exist and are refused.

    `certainty` says whether the numbers are ``"exact"`` or come from a grid or a limit (``"bracketed"``). There,
    `delta_at` and `epsilon_at` are upper bounds: losses are split onto neighbouring points so that both laws keep their
    mass, which dominates the true pair. Quantiles and cdfs are estimates there; the ``..._bracket`` methods give
    rigorous ends.
    Source: thesis, Theorem 27
    Source: ours, exact lattice composition, closed-form Gaussian group, tilted transform; checked against enumeration,
        mpmath, dp-accounting, prv-accountant and simulation

    Parameters
    ----------
    releases : tuple of tuple of object, int; pairs of a mechanism (or a pure or approximate guarantee, which stands for
        the worst mechanism that has it) and the number of times it is released
    points : int, optional; number of grid points used when different losses have to be rounded; None chooses it

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> twice = PrivacyLoss.of(Geometric(epsilon=1.0), count=2)  # losses 2, 0, -2
    >>> round(twice.epsilon_at(0.0), 12)
    2.0
    >>> round(twice.loss_quantile(0.99), 12)
    2.0
    """

    releases: tuple[tuple[Any, int], ...]
    points: int | None = None
    _laws: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        _checks.kind_of("releases", self.releases, (tuple, list), _PAIRS)
        if not self.releases:
            raise Refused("releases", "name at least one release", (), Code.EMPTY)
        merged: dict[Any, int] = {}
        for pair in self.releases:
            if not isinstance(pair, tuple | list) or len(pair) != 2 or not isinstance(pair[0], Hashable):
                raise Refused("releases", f"be {_PAIRS}", pair, Code.WRONG_TYPE)
            source, count = pair
            merged[source] = merged.get(source, 0) + _checks.count("count", count, 1, LARGEST_COUNT)
        object.__setattr__(self, "releases", tuple(merged.items()))
        if self.points is not None:
            _checks.count("points", self.points, 16, 1 << 22)

    @classmethod
    def of(cls, mechanism: Any, count: int = 1, *, points: int | None = None) -> PrivacyLoss:
        """The privacy loss of `count` releases of one mechanism."""
        return cls(((mechanism, count),), points)

    def __add__(self, other: PrivacyLoss) -> PrivacyLoss:
        """The privacy loss of both sets of releases."""
        if not isinstance(other, PrivacyLoss):
            return NotImplemented
        return PrivacyLoss(self.releases + other.releases, self.points or other.points)

    def times(self, count: int) -> PrivacyLoss:
        """The privacy loss of the same releases `count` times over."""
        times = _checks.count("count", count, 1, LARGEST_COUNT // max(number for _, number in self.releases))
        return PrivacyLoss(tuple((source, times * number) for source, number in self.releases), self.points)

    # ---- parts ------------------------------------------------------------------------------------------------

    @cached_property
    def _each_parts(self) -> tuple[tuple[LossParts, float, int], ...]:
        """The loss of each source, the slack of all its releases, and how many they are."""
        return tuple((*parts_of(source, count), count) for source, count in self.releases)

    @cached_property
    def _parts(self) -> tuple[float, LossSum | None, float]:
        """Total rho of the Gaussians, the sum of the other finite losses, ln of the mass that is finite."""
        rho, log_finite = 0.0, 0.0
        finite: list[tuple[Part, int]] = []
        for part, _, count in self._each_parts:
            rho += count * part.rho
            log_finite += count * math.log1p(-part.infinite) if part.infinite < 1 else -math.inf
            if part.finite is not None:
                finite.append((part.finite, count))
        return rho, LossSum(finite) if finite else None, log_finite

    @property
    def round_parts(self) -> RoundParts:
        """The finite losses in parts, for whoever carries them out again and again; refused for guarantees alone."""
        self.check_law_of_tails()
        rho, finite, _ = self._parts
        if finite is None:
            return RoundParts(rho, (), (), self._slack)
        laplaces = tuple((part.epsilon, count) for part, count in finite.laplaces)
        return RoundParts(rho, tuple(finite.lattices), laplaces, self._slack)

    @property
    def smooth_round_parts(self) -> RoundParts:
        """`round_parts` with discrete Gaussian noise at its normal limit, where sums of it are a discrete Gaussian."""
        wide, others = [], []
        for source, count in self.releases:
            parts, slack = parts_of(source, count, smooth=True)
            if slack > 0.0 and parts.finite is None:
                wide.append((count * parts.rho, slack))
            else:
                others.append((source, count))
        rest = PrivacyLoss(tuple(others)).round_parts if others else RoundParts(0.0, (), ())
        rho = rest.rho + math.fsum(rho for rho, _ in wide)
        return RoundParts(rho, rest.lattices, rest.laplaces, rest.slack + math.fsum(slack for _, slack in wide))

    def log_moment(self, order: float) -> float:
        """ln E[e^(order Z)] of the finite losses, the target in the data."""
        return self._moments(_checks.number("order", order))[0]

    def log_moments(self, orders: FloatArray) -> FloatArray:
        """`log_moment` at many orders."""
        rho, finite, _ = self._parts
        return rho * orders * (1 + orders) + (finite.log_moments(orders) if finite is not None else 0.0)

    @cached_property
    def _slack(self) -> float:
        """By how much the loss may lie above or below the one computed, all releases together."""
        return math.fsum(slack for _, slack, _ in self._each_parts)

    @cached_property
    def _slack_above(self) -> float:
        """The slack of deltas and epsilons from above: none of losses that dominate the true ones."""
        return math.fsum(0.0 if parts.dominates else slack for parts, slack, _ in self._each_parts)

    @property
    def is_moved(self) -> bool:
        """Whether a loss was moved to the points of a lattice: then delta and epsilon alone are bounds."""
        return any(parts.finite is not None and parts.slack > 0.0 for parts, _, _ in self._each_parts)

    @property
    def is_normal(self) -> bool:
        """Whether the finite loss is exactly normal."""
        return all(parts.finite is None and slack == 0.0 for parts, slack, _ in self._each_parts)

    @property
    def infinite_mass(self) -> float:
        """Probability that the target's presence is revealed for certain."""
        return -math.expm1(self._parts[2])

    @property
    def largest(self) -> float:
        """Largest finite loss, or infinity where losses are unbounded."""
        rho, finite, _ = self._parts
        if rho > 0 or (finite is not None and not finite.bounded):
            return math.inf
        return finite.support[1] if finite is not None else 0.0

    @property
    def certainty(self) -> str:
        """``"exact"`` or ``"bracketed"``."""
        return "bracketed" if self._form[0] == "grid" or self._slack > 0.0 else "exact"

    @property
    def resolution(self) -> float:
        """By how much a quantile of the loss, as computed, may at most lie below that of its law; 0 where it is exact.

        Examples
        --------
        >>> from dpcore.mechanisms import Gaussian
        >>> PrivacyLoss.of(Gaussian(rho=0.1), 12).resolution
        0.0
        """
        return self._shifts()[1]

    @property
    def has_law_of_tails(self) -> bool:
        """Whether every source is a mechanism with a law: a guarantee or a curve alone bounds delta, and no tail."""
        return all(parts.has_tails for parts, _, _ in self._each_parts)

    def check_law_of_tails(self) -> None:
        """Refuse a plan in which a source is a guarantee alone."""
        for (source, _), (parts, _, _) in zip(self.releases, self._each_parts, strict=True):
            if not parts.has_tails:
                raise Refused(
                    "source", "be a mechanism, a guarantee alone has no law of tails", source, Code.UNSUPPORTED
                )

    @cached_property
    def _form(self) -> tuple[str, float]:
        """How the finite losses are composed (closed, two-sided, lattice, list or grid) and with which step."""
        rho, finite, _ = self._parts
        if finite is None:
            return "closed", 0.0
        if finite.laplaces:
            if rho == 0.0 and not finite.lattices and finite.laplaces[0][1] == 1 and len(finite.laplaces) == 1:
                return "two-sided", 0.0
        else:
            step = common_step([part.step for part, _ in finite.lattices])
            if step is not None:
                low, high = finite.window(0.0)
                alone = len(finite.parts) == 1 and rho == 0.0
                if (high - low) / step <= (MIXED_LATTICE_UP_TO if rho > 0.0 else COMMON_LATTICE_UP_TO) or alone:
                    check_points((high - low) / step)
                    return "lattice", step
            sizes = 1
            for part, count in finite.lattices:
                sizes *= count * (part.size - 1) + 1
                if sizes > ENUMERATE_UP_TO:
                    break
            if sizes <= ENUMERATE_UP_TO:
                return "list", 0.0
        return "grid", self._grid_step(finite, rho)

    def _grid_step(self, finite: LossSum, rho: float) -> float:
        low, high = finite.window(0.0)
        cap = MIXED_GRID_UP_TO if rho > 0 else COMMON_LATTICE_UP_TO
        points = self.points or min(max((1 << 23) // len(finite.parts), 1 << 14), cap)
        step = (high - low) / points
        if len(finite.laplaces) == 1 and finite.laplaces[0][0].epsilon >= step:  # puts both of its atoms on the grid
            end = finite.laplaces[0][0].epsilon
            step = 2 * end / math.ceil(2 * end / step)
        return step

    @property
    def _rounded(self) -> float:
        """By how much all losses together may have been rounded: each by up to one grid step, or its own width."""
        finite, step = self._parts[1], self._form[1]
        assert finite is not None
        return len(finite.lattices) * step + math.fsum(
            count * min(step, 2 * laplace.epsilon) for laplace, count in finite.laplaces
        )

    @property
    def _pieces(self) -> float:
        """How many steps above their largest values the losses on the grid may reach but with a chance of 1e-18.

        A Laplace loss narrower than a step moves up a whole one with a chance of at most its width over the step;
        how many of them do is bounded by Bernstein's inequality.
        """
        finite, step = self._parts[1], self._form[1]
        assert finite is not None
        mean = math.fsum(count * min(2 * laplace.epsilon / step, 1.0) for laplace, count in finite.laplaces)
        number = sum(count for _, count in finite.laplaces)
        return len(finite.lattices) + min(number, mean + math.sqrt(2 * LOG_TAIL * mean) + LOG_TAIL)

    def _law(self, order: float = 0.0, *, connect: bool = True) -> FiniteLaw | LaplaceLaw:
        """The law of the finite loss, tilted by e^(order z); on a grid connected, or rounded down."""
        key = (order, connect or self._form[0] != "grid")
        if key not in self._laws:
            found = self._computed_law(order, connect=connect)
            kept = [name for name in self._laws if name != "centres"]
            while kept and sum(getattr(self._laws[name], "values", np.zeros(0)).size for name in kept) > MOST_KEPT:
                del self._laws[kept.pop(0)]
            self._laws[key] = found
        return self._laws[key]

    def _computed_law(self, order: float, *, connect: bool) -> FiniteLaw | LaplaceLaw:
        rho, finite, _ = self._parts
        form, step = self._form
        if finite is None:
            return FiniteLaw(np.zeros(1), np.ones(1), rho)
        if form == "two-sided":
            return LaplaceLaw(finite.laplaces[0][0])
        scale = finite.moments(order)[0]
        if form == "list":
            values, weights = np.zeros(1), np.ones(1)
            for part, count in finite.lattices:
                more, mass = self_composed(part, count, order)
                values = np.add.outer(values, more).ravel()
                weights = np.multiply.outer(weights, mass).ravel()
            ascending = np.argsort(values, kind="stable")
            return FiniteLaw(values[ascending], weights[ascending], rho, order, scale)
        if form == "lattice" and rho == 0.0 and [count for _, count in finite.parts] == [1]:
            alone = finite.lattices[0][0]
            return FiniteLaw(alone.values, alone.tilted(order), rho, order, scale)
        window = finite.window(order)
        offset, pieces = 0.0, []
        if form == "lattice":
            for part, count in finite.lattices:
                stride = round(part.step / step)
                mass = np.zeros((part.size - 1) * stride + 1)
                mass[::stride] = part.tilted(order)
                offset += count * part.offset
                pieces.append((part.lowest * stride, mass, count))
        else:
            most = MIXED_GRID_UP_TO if rho > 0 else COMMON_LATTICE_UP_TO
            step = max(step, (window[1] - window[0]) / (2 * most))  # a tilted law may be far wider than the law itself
            for part, count in finite.lattices:
                if order != 0.0 and points_needed(part, count, order) > LARGEST_TILTED:
                    anchor, mass, log_total = onto_grid(part.values, part.tilted(order), step, order, connect=connect)
                    offset, scale = offset + count * anchor, scale + count * log_total
                    pieces.append((0, mass, count))
                    continue
                own, own_mass = self_composed(part, count, order)
                anchor, mass, log_total = onto_grid(own, own_mass, step, order, connect=connect)
                offset, scale = offset + anchor, scale + log_total
                pieces.append((0, mass, 1))
            for laplace, count in finite.laplaces:
                first, mass, log_total = laplace_onto_grid(laplace, step, order, connect=connect)
                offset, scale = offset - count * laplace.epsilon, scale + count * log_total
                pieces.append((first, mass, count))
            again = sum(count for _, _, count in pieces[: len(finite.lattices)]) - len(finite.lattices)
            window = (window[0] - self._rounded - step * again, window[1] + step * (self._pieces + again))
        units = lattice_units(window, offset, step)
        weights = convolved(pieces, units)
        values = np.asarray(offset + step * np.arange(units[0], units[1] + 1))
        return FiniteLaw(values, weights, rho, order, scale, TRANSFORMED if order == 0.0 else 0.0)

    def _moments(self, order: float) -> tuple[float, float, float]:
        rho, finite, _ = self._parts
        log_moment, mean, variance = finite.moments(order) if finite is not None else (0.0, 0.0, 0.0)
        return (
            log_moment + rho * order * (1 + order),
            mean + rho * (1 + 2 * order),
            variance + 2 * rho,
        )

    def _order_for_mean(self, mean: float) -> float:
        """The tilt that centres the finite loss on `mean`; 0 when the untilted law is centred there or beyond."""
        low_mean = self._moments(0.0)[1]
        if low_mean >= mean:
            return 0.0
        rho, finite, _ = self._parts
        largest = finite.support[1] if finite is not None and rho == 0.0 else math.inf
        if mean > largest - 1e-3 * (largest - low_mean):
            mean = largest - 1e-3 * (largest - low_mean)
        upper, most = 1.0, math.inf
        if self._form[0] == "grid":  # a stronger tilt would spread the grid's weights beyond a float's range
            most = 600.0 / self._form[1]
            if self._moments(most)[1] < mean:
                return most
        while self._moments(upper)[1] < mean:
            upper *= 2
        return float(brentq(lambda order: self._moments(order)[1] - mean, 0.0, upper, rtol=1e-2, xtol=1e-3))

    def _law_near(self, epsilon: float, *, connect: bool = True) -> FiniteLaw | LaplaceLaw:
        """A tilted law centred within a standard deviation and a half of `epsilon`; laws found are kept."""
        if self._form[0] in ("closed", "two-sided", "list"):
            return self._law(connect=connect)
        centres = self._laws.setdefault("centres", [])
        for order, mean, deviation in centres:
            if abs(epsilon - mean) <= 1.5 * deviation:
                return self._law(order, connect=connect)
        order = self._order_for_mean(epsilon)
        _, mean, variance = self._moments(order)
        if order > 0.0:
            centres.append((order, mean, math.sqrt(variance)))
        return self._law(order, connect=connect)

    @property
    def rho(self) -> float:
        """Total rho of the Gaussian releases, whose losses stay in closed form: N(rho, 2 rho)."""
        return self._parts[0]

    def tilted(self, order: float) -> tuple[float, float, float]:
        """Mean and standard deviation of the finite loss tilted by e^(order z), and ln E[e^(order Z)]."""
        log_moment, mean, variance = self._moments(_checks.number("order", order))
        return mean, math.sqrt(max(variance, 0.0)), log_moment

    def atoms(
        self, order: float = 0.0, *, connect: bool = True, at_most: int | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Finite losses other than Gaussian ones, rising, and their log masses given that the loss is finite.

        Parameters
        ----------
        order : float, optional; the tilt the masses are computed under; masses near the mean of the law tilted by
            e^(order z) keep their relative accuracy
        connect : bool, optional; on a grid, losses split onto both neighbours, which dominates the true pair; otherwise
            rounded down
        at_most : int, optional; so many atoms, at least 16; where there are more, they move to a grid as `connect` says
        """
        law = self._law(_checks.number("order", order), connect=connect)
        if isinstance(law, LaplaceLaw):
            raise Refused("atoms", "not be asked of a Laplace release alone", self.releases, Code.UNSUPPORTED)
        values, weights, scale = law.values, law.weights, law.log_scale
        if at_most is not None and values.size > _checks.count("at_most", at_most, 16):
            step = float(values[-1] - values[0]) / (at_most - 2)
            anchor, weights, log_total = onto_grid(values, weights, step, law.order, connect=connect)
            values, scale = np.asarray(anchor + step * np.arange(weights.size), dtype=np.float64), scale + log_total
        with np.errstate(divide="ignore"):
            return values, np.log(weights) + scale - law.order * values

    # ---- approximate differential privacy -----------------------------------------------------------------------

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> Any:
        """Smallest delta for which the releases are (epsilon, delta)-DP.

        Exact, with a relative accuracy of about 1e-12 down to 1e-40, when `certainty` is ``"exact"``; otherwise an
        upper bound.

        Parameters
        ----------
        epsilon : array_like; at least 0; scalar or array

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> round(PrivacyLoss.of(PureDP(epsilon=1.0)).delta_at(0.0), 6)  # tanh(1/2)
        0.462117
        """
        return self._delta(_checks.array("epsilon", epsilon, 0.0), epsilon, connect=True)

    def _delta(self, at: FloatArray, original: ArrayLike, *, connect: bool) -> Any:
        if self.is_normal:  # all at once
            found = np.asarray(gaussian_delta(epsilon=at, rho=self._parts[0])).reshape(at.shape)
        else:
            found = np.array([self._finite_delta(float(e), connect) for e in at.ravel()]).reshape(at.shape)
        log_finite = self._parts[2]
        total = found * math.exp(log_finite) - math.expm1(log_finite)
        return _checks.scalar_or_array(np.minimum(total, 1.0), original)

    def _finite_delta(self, epsilon: float, connect: bool) -> float:
        epsilon += -self._slack_above if connect else self._slack
        if epsilon < 0.0:  # delta falls by at most 1 - e^epsilon between epsilon below 0 and 0
            return min(self._finite_delta(self._slack_above, connect=True) - math.expm1(epsilon), 1.0)
        if epsilon >= self.largest:
            return 0.0
        if self._form[0] == "closed":
            rho = self._parts[0]
            return float(gaussian_delta(epsilon=epsilon, rho=rho))
        plain = self._law(connect=connect).delta(epsilon)
        if plain > TILT_BELOW:
            return plain
        return self._law_near(epsilon, connect=connect).delta(epsilon)

    @overload
    def epsilon_at(self, delta: Number) -> float: ...
    @overload
    def epsilon_at(self, delta: ArrayLike) -> FloatArray: ...
    def epsilon_at(self, delta: ArrayLike) -> Any:
        """Smallest epsilon for which the releases are (epsilon, delta)-DP.

        Exact when `certainty` is ``"exact"``, otherwise an upper bound; infinite when `delta` is below the probability
        of a certain disclosure, or zero for noise with unbounded losses.

        Parameters
        ----------
        delta : array_like; in [0, 1]; scalar or array
        """
        return self._epsilon(_checks.probability("delta", delta), delta, connect=True)

    def _epsilon(self, at: FloatArray, original: ArrayLike, *, connect: bool) -> Any:
        found = np.array([self._one_epsilon(float(d), connect) for d in at.ravel()]).reshape(at.shape)
        return _checks.scalar_or_array(found, original)

    def _one_epsilon(self, delta: float, connect: bool) -> float:
        log_finite = self._parts[2]
        if math.exp(log_finite) == 0.0:
            return 0.0 if delta >= 1.0 else math.inf
        if abs(beyond := delta + math.expm1(log_finite)) <= 4e-16 * delta * math.exp(log_finite):
            return self.largest
        if beyond < 0.0 or (rest := finite_share(delta, log_finite)) <= 0.0:
            return math.inf
        if self._slack > 0.0:
            found = self._one_finite_epsilon(rest, connect) + (self._slack_above if connect else -self._slack)
            return max(found, 0.0)
        return self._one_finite_epsilon(rest, connect)

    def _one_finite_epsilon(self, rest: float, connect: bool) -> float:
        if self._form[0] == "closed":
            rho = self._parts[0]
            return float(gaussian_epsilon(rho=rho, delta=rest)) if rho > 0 else 0.0
        if rest > TILT_BELOW or self._form[0] in ("two-sided", "list"):
            return min(self._law(connect=connect).epsilon(rest), self.largest)
        found = self._told_near(rest, lambda law: law.epsilon(rest), connect=connect)
        return min(found, self.largest)  # the last grid point may lie beyond the largest loss

    def _told_near(self, tail: float, ask: Callable[[Any], float], *, connect: bool = True) -> float:
        """A loss at a small tail, told by a tilted law that is centred near it: first near Chernoff's bound."""
        found, law = self._chernoff_epsilon(tail), None
        for _ in range(8):
            near = self._law_near(found, connect=connect)
            if near is law:
                break
            found, law = ask(near), near
        return found

    def _chernoff_epsilon(self, delta: float) -> float:
        """min over s of (ln E[e^(s Z)] + ln 1/delta)/s: an epsilon somewhat above the exact one."""
        log_inverse = -math.log(delta)
        log_deviation = math.log(max(self._moments(0.0)[2], 1e-300)) / 2  # orders are in units of its inverse
        best = minimize_scalar(
            lambda log_order: (self._moments(math.exp(log_order))[0] + log_inverse) / math.exp(log_order),
            bounds=(-12.0 - max(log_deviation, 0.0), 8.0 - min(log_deviation, 0.0)),
            method="bounded",
            options={"xatol": 0.05},
        )
        return min(float(best.fun), self.largest)

    def delta_bracket(self, epsilon: float) -> Bracket:
        """Numbers between which the smallest delta lies; equal when it is exact."""
        at = np.asarray(_checks.number("epsilon", epsilon, 0.0))
        return self._ordered(self._delta(at, epsilon, connect=False), self._delta(at, epsilon, connect=True))

    def epsilon_bracket(self, delta: float) -> Bracket:
        """Numbers between which the smallest epsilon lies; equal when it is exact."""
        at = np.asarray(_checks.number("delta", delta, 0.0, 1.0))
        return self._ordered(self._epsilon(at, delta, connect=False), self._epsilon(at, delta, connect=True))

    def right_guess_bracket(self, *, prior: float = 0.5) -> Bracket:
        """Probabilities between which that of the best guess about the secret lies; equal where it is exact.

        Source: ours, Neyman-Pearson: with the likelier answer h, h + (1 - h) delta(ln(h/(1 - h)))

        Parameters
        ----------
        prior : float, optional; probability that the secret is true, in [0, 1]

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> round(PrivacyLoss.of(PureDP(epsilon=1.0)).right_guess_bracket().high, 6)  # e/(1 + e)
        0.731059
        """
        p = _checks.number("prior", prior, 0.0, 1.0)
        unlikelier, likelier = min(p, 1.0 - p), max(p, 1.0 - p)
        if unlikelier == 0.0:
            return Bracket(1.0, 1.0)
        delta = self.delta_bracket(math.log(likelier) - math.log(unlikelier))
        return Bracket(likelier + unlikelier * delta.low, likelier + unlikelier * delta.high)

    @staticmethod
    def _ordered(low: float, high: float) -> Bracket:
        return Bracket(min(low, high), high)

    # ---- the loss itself ------------------------------------------------------------------------------------------

    @overload
    def loss_cdf(self, loss: Number, *, side: Side = ...) -> float: ...
    @overload
    def loss_cdf(self, loss: ArrayLike, *, side: Side = ...) -> FloatArray: ...
    def loss_cdf(self, loss: ArrayLike, *, side: Side = "present") -> Any:
        """Probability that the privacy loss is at most `loss` on one side ("present" or "absent").

        Parameters
        ----------
        loss : array_like; in log-odds units; infinite values allowed; scalar or array
        side : str, optional; whether the target is in the data
        """
        self.check_law_of_tails()
        z = _checks.array("loss", loss, allow_infinite=True)
        return _checks.scalar_or_array(self._cdf(z, _checks.choice("side", side, SIDES[:2]), self._law()), loss)

    def _cdf(self, z: FloatArray, side: str, law: FiniteLaw | LaplaceLaw, shift: float = 0.0) -> FloatArray:
        """Pr[Z + shift <= z]; on the absent side Z is minus the loss on the present side."""
        finite = math.exp(self._parts[2])
        if side == "present":
            return np.where(z == math.inf, 1.0, finite * law.cdf(z - shift))
        below = law.strictly_below(-z - shift) if finite > 0 else np.ones(z.shape)
        return np.where(z == -math.inf, self.infinite_mass, 1.0 - finite * below)

    @overload
    def exceedance(self, shift: Number, *, side: Side = ..., direction: Direction = ...) -> float: ...
    @overload
    def exceedance(self, shift: ArrayLike, *, side: Side = ..., direction: Direction = ...) -> FloatArray: ...
    def exceedance(self, shift: ArrayLike, *, side: Side = "present", direction: Direction = "rise") -> Any:
        """Probability that the log odds of the attacker's belief move by more than `shift`.

        The failure probability, after these releases, of a promise that allows `shift`. Exact, or an estimate on a
        grid. Somebody who reads every release passes the shift on *some* of them more often: `dpcore.first_passage`.

        Parameters
        ----------
        shift : array_like; at least 0, in log-odds units; scalar or array. A loss within 1e-12 of it counts as equal to
            it
        side : str, optional; whether the target is in the data
        direction : str, optional; ``"rise"``, ``"fall"`` or ``"either"``

        Examples
        --------
        >>> from dpcore.mechanisms import Geometric
        >>> round(PrivacyLoss.of(Geometric(epsilon=1.0)).exceedance(0.5), 6)  # e/(1 + e)
        0.731059
        """
        self.check_law_of_tails()
        _checks.choice("side", side, SIDES[:2])
        _checks.choice("direction", direction, DIRECTIONS)
        allowed = _checks.array("shift", shift, 0.0, allow_infinite=True)
        c = allowed + 1e-12 * np.maximum(1.0, allowed)
        telling = (side == "present") == (direction == "rise") or direction == "either"
        misleading = (side == "present") != (direction == "rise") or direction == "either"
        found = np.zeros(c.shape)
        if telling:  # up when the target is in the data, down when not
            found = self._above(c, "present")
        if misleading:
            found = found + self._above(c, "absent")
        return _checks.scalar_or_array(np.minimum(found, 1.0), shift)

    @overload
    def loss_tail(self, loss: Number, *, side: Side = ...) -> float: ...
    @overload
    def loss_tail(self, loss: ArrayLike, *, side: Side = ...) -> FloatArray: ...
    def loss_tail(self, loss: ArrayLike, *, side: Side = "present") -> Any:
        """Probability that the privacy loss exceeds `loss` on one side; small tails keep their relative accuracy.

        Parameters
        ----------
        loss : array_like; in log-odds units; infinite values allowed; scalar or array
        side : str, optional; whether the target is in the data
        """
        self.check_law_of_tails()
        z = _checks.array("loss", loss, allow_infinite=True)
        found = np.where(z == math.inf, 0.0, self._above(z, _checks.choice("side", side, SIDES[:2])))
        return _checks.scalar_or_array(np.minimum(found, 1.0), loss)

    def _above(self, loss: FloatArray, side: str) -> FloatArray:
        """Pr[Z > loss], a certain disclosure included; on the absent side Z is minus the loss on the present side."""
        finite = math.exp(self._parts[2])
        if side == "present":
            return finite * self._survival(loss) + self.infinite_mass
        return finite * self._law().strictly_below(-loss)

    def _survival(self, loss: FloatArray) -> FloatArray:
        """Pr[Z > loss] of the finite losses, small tails from tilted laws."""
        found = np.asarray(self._law().survival(loss), dtype=float)
        small = (found < TILT_BELOW) & (loss < self.largest)
        if small.any() and self._form[0] in ("lattice", "grid"):
            flat, values = found.ravel().copy(), loss.ravel()
            for index in np.flatnonzero(small.ravel()):
                flat[index] = float(self._law_near(float(values[index])).survival(values[index]))
            found = flat.reshape(found.shape)
        return found

    @overload
    def loss_quantile(self, level: Number, *, side: Side = ...) -> float: ...
    @overload
    def loss_quantile(self, level: ArrayLike, *, side: Side = ...) -> FloatArray: ...
    def loss_quantile(self, level: ArrayLike, *, side: Side = "present") -> Any:
        """Smallest loss that is not exceeded with probability at least `level`; infinite where the presence is certain.

        Parameters
        ----------
        level : array_like; in [0, 1]; scalar or array
        side : str, optional; whether the target is in the data
        """
        self.check_law_of_tails()
        u = _checks.probability("level", level)
        _checks.choice("side", side, SIDES[:2])
        return _checks.scalar_or_array(self._quantile(u, side, self._law()), level)

    def _quantile(self, level: FloatArray, side: str, law: FiniteLaw | LaplaceLaw, shift: float = 0.0) -> FloatArray:
        finite = math.exp(self._parts[2])
        if finite == 0.0:
            return np.full(level.shape, math.inf if side == "present" else -math.inf)
        if side == "present":
            inside = law.quantile(np.minimum(level / finite, 1.0)) + shift
            return np.where(level > finite, math.inf, inside)
        # minus the present loss: the smallest z with infinite mass + finite Pr[Z >= -z] >= level
        mirrored = -(law.upper_quantile(np.clip((level - self.infinite_mass) / finite, 0.0, 1.0)) + shift)
        return np.where(level <= self.infinite_mass, -math.inf, mirrored) if self.infinite_mass > 0 else mirrored

    def loss_cdf_bracket(self, loss: ArrayLike, *, side: Side = "present") -> tuple[FloatArray, FloatArray]:
        """Probabilities between which `loss_cdf` lies; equal where it is exact."""
        self.check_law_of_tails()
        z = _checks.array("loss", loss, allow_infinite=True)
        _checks.choice("side", side, SIDES[:2])
        law = self._law(connect=False)
        one, other = (self._cdf(z, side, law, shift) for shift in self._shifts())
        return np.minimum(one, other), np.maximum(one, other)

    def loss_quantile_bracket(self, level: ArrayLike, *, side: Side = "present") -> tuple[FloatArray, FloatArray]:
        """Losses between which `loss_quantile` lies; equal where it is exact."""
        self.check_law_of_tails()
        u = _checks.probability("level", level)
        _checks.choice("side", side, SIDES[:2])
        law = self._law(connect=False)
        one, other = (self._quantile(u, side, law, shift) for shift in self._shifts())
        return np.minimum(one, other), np.maximum(one, other)

    def _shifts(self) -> tuple[float, float]:
        """By how much the computed loss may have to move: a rounded-down one up, one at its limit either way."""
        return -self._slack, self._slack + (self._rounded if self._form[0] == "grid" else 0.0)

    def expectation(self, function: Callable[[FloatArray], FloatArray], *, side: Side = "present") -> float:
        """Mean of a function of the loss; a certain disclosure counts as a loss of plus or minus infinity.

        Exact for named mechanisms, up to quadrature. A guarantee stands for the worst mechanism for delta.

        Parameters
        ----------
        function : callable; of an array of losses, bounded, with limits at both infinities
        side : str, optional; whether the target is in the data
        """
        _checks.choice("side", side, SIDES[:2])
        law, finite = self._law(), math.exp(self._parts[2])
        sign = 1.0 if side == "present" else -1.0
        certain = self.infinite_mass * float(function(np.array([sign * math.inf]))[0]) if finite < 1.0 else 0.0
        return certain + finite * law.mean_of(lambda z: function(sign * z))

    # ---- whatever is computed from the output ------------------------------------------------------------------

    @overload
    def every_view_epsilon(self, delta_prime: Number) -> float: ...
    @overload
    def every_view_epsilon(self, delta_prime: ArrayLike) -> FloatArray: ...
    def every_view_epsilon(self, delta_prime: ArrayLike) -> Any:
        """Smallest epsilon' that no view of the output can exceed with probability above delta'.

        The value is ln(delta'/Q(S)), where S is the most telling event of probability delta' under P. It bounds the
        posterior of an attacker who sees the output, or anything computed from it; an upper bound on a grid. Infinite
        when delta' is at most the probability of certain disclosure.
        Source: ours, Neyman-Pearson: equals the minimum over epsilon of epsilon - ln(1 - delta(epsilon)/delta')

        Parameters
        ----------
        delta_prime : array_like; allowed failure probability, in (0, 1]; scalar or array

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> round(PrivacyLoss.of(PureDP(epsilon=1.0)).every_view_epsilon(0.05), 12)
        1.0
        """
        dp = _checks.probability("delta_prime", delta_prime, open_low=True)
        found = np.array([self._one_view(float(d)) for d in dp.ravel()]).reshape(dp.shape)
        return _checks.scalar_or_array(found, delta_prime)

    def _one_view(self, delta_prime: float) -> float:
        log_finite, certain = self._parts[2], self.infinite_mass / delta_prime
        tail = min(finite_share(delta_prime, log_finite), 1.0)
        if certain >= 1.0 or tail <= 0.0:
            return math.inf
        shift = 0.0  # where every loss is in the event, or all are none
        if tail < 1.0 and not (self._form[0] == "closed" and self._parts[0] == 0.0):
            law = self._law()
            if tail < TILT_BELOW and self._form[0] in ("lattice", "grid"):
                cut = self._told_near(tail, lambda law: float(law.upper_quantile(np.array(tail))))
                law = self._law_near(cut)
            shift = law.upper_tail_shift(tail)
        by_certain = -math.log1p(-certain) if certain < 0.5 else math.log(delta_prime) - log_finite - math.log(tail)
        return max(by_certain + shift + self._slack_above, 0.0)
