"""Additive noise: what is asked of every one, and what whole and continuous noise answer alike.

A noise of one's own is a class with a name, a label, a kind of budget, `log_tail` and `log_pmf` or `log_pdf`: all else
follows from these here, by bisection and quadrature; a closed form in its file takes the place of any of it. The noise
is symmetric about zero, and its loss never falls with the published number (its law is log-concave): that is checked
where it is used.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_expit

from dpcore import _checks
from dpcore._checks import FloatArray, Number, array, probability, scalar_or_array, seeded
from dpcore._roots import bracketed_root
from dpcore.errors import Code, Refused
from dpcore.guarantees import (
    ApproximateDP,
    Guarantee,
    PureDP,
    ZeroConcentratedDP,
    rho_from_approximate_best_order,
    rho_from_probabilistic,
)
from dpcore.mechanisms._evidence import Evidence, NoiseEvidence
from dpcore.mechanisms.layers import CountLaw
from dpcore.mechanisms.losses import OMITTED, IntArray, LossParts
from dpcore.rounding import round_up

_LOST = 1e-15  # of a probability that is one less another
_FARTHEST = -750.0  # log probability below that of any float
_PANELS = 200
_MOST_PLACES = 1 << 20
MOST_SUMMED = 2**23  # values of a sum of noises held at once
_LEAST_MISSED = 1e-12  # by the range of a sum: the tails of a convolution are good to 1e-13
_KNOTS, _WEIGHTS = np.polynomial.legendre.leggauss(12)


class NoiseMechanism(CountLaw):
    """What every additive mechanism answers; the noise is symmetric about zero.

    The promise is for one step, which moves the number by the sensitivity at most.

    Examples
    --------
    >>> from dpcore.mechanisms import Laplace, RandomizedResponse
    >>> isinstance(Laplace(epsilon=1.0), NoiseMechanism), isinstance(RandomizedResponse(epsilon=1.0), NoiseMechanism)
    (True, False)
    """

    is_whole: ClassVar[bool]
    """Whether it is added to whole numbers, and is one."""
    kinks: ClassVar[tuple[float, ...]] = ()
    """Where its density has a corner."""
    variance_power: ClassVar[float | None] = None
    """The power of its strength that its variance falls with, where it is one."""
    log_power: ClassVar[int | None] = None
    """The power of its size that its log probability falls with, times its strength, where it is one."""
    is_spherical: ClassVar[bool] = False
    """Whether several together depend on the length of a change alone: of independent noises only normal ones do."""
    measurement: ClassVar[str] = ""
    """How OpenDP calls its measurement; empty where it has none."""
    sensitivity: float

    # ---- its budget ---------------------------------------------------------------------------------------------

    @classmethod
    def choices(cls) -> tuple[str, ...]:
        """A whole sensitivity; a change of continuous noise is a choice of its unit."""
        return ("sensitivity",) if cls.is_whole else ()

    @classmethod
    def steps_power(cls) -> int:
        """The power of the steps that the budget grows with: an epsilon with the first, a rho with the second."""
        return 1 if cls.budget_kind == "epsilon" else 2

    @classmethod
    def with_budget(cls, budget: float, *, sensitivity: float = 1) -> Self:  # type: ignore[override]
        """The noise of this kind with a budget for one step of the sensitivity."""
        whole = _checks.count("sensitivity", sensitivity, 1) if cls.is_whole else sensitivity
        return cls(**{cls.budget_kind: budget, "sensitivity": whole})

    @classmethod
    def under(cls, guarantee: Guarantee, *, sensitivity: float = 1) -> Self:
        """The noise of this kind with the largest budget that a guarantee allows, by the conversion named here.

        Noise with an epsilon takes the guarantee's, or sqrt(2 rho), which is enough; noise with a rho the largest one
        whose general conversion suffices.
        Source: bun_steinke, Proposition 1.4 (epsilon-DP is epsilon^2/2-zCDP)
        Source: canonne_kamath_steinke, Corollary 13
        """
        if cls.budget_kind == "rho":
            return cls.with_budget(cls._rho_under(guarantee), sensitivity=sensitivity)
        concentrated = isinstance(guarantee, ZeroConcentratedDP)
        epsilon = math.sqrt(2 * guarantee.rho) if concentrated else guarantee.epsilon  # type: ignore[union-attr]
        return cls.with_budget(epsilon, sensitivity=sensitivity)

    @classmethod
    def _rho_under(cls, guarantee: Guarantee) -> float:
        if isinstance(guarantee, ZeroConcentratedDP):
            return guarantee.rho
        if isinstance(guarantee, PureDP) or guarantee.delta == 0:
            raise Refused("guarantee", "allow a failure probability for Gaussian noise", guarantee, Code.UNSUPPORTED)
        if isinstance(guarantee, ApproximateDP):
            return float(rho_from_approximate_best_order(epsilon=guarantee.epsilon, delta=guarantee.delta))
        return float(rho_from_probabilistic(epsilon_prime=guarantee.epsilon, delta_prime=guarantee.delta))

    def scaled(self, steps: float) -> Self:
        """The same noise, asked about so many steps: they move the number so much farther."""
        size = self.sensitivity * (_checks.count("steps", steps, 1) if self.is_whole else steps)
        return replace(  # type: ignore[type-var]
            self,
            **{
                self.budget_kind: self.budget * steps ** self.steps_power(),
                "sensitivity": int(size) if self.is_whole else size,
            },
        )

    def stretched(self, factor: float) -> Self:
        """The noise times a factor, for a number that moves so much farther: continuous noise alone."""
        return replace(self, sensitivity=self.sensitivity * factor)  # type: ignore[type-var]

    @property
    def guarantee(self) -> PureDP | ZeroConcentratedDP:
        """The guarantee a release with this noise gives, in its native definition."""
        return PureDP(epsilon=self.budget) if self.budget_kind == "epsilon" else ZeroConcentratedDP(rho=self.budget)

    def release_lines(self) -> tuple[str, ...]:
        """Lines of Python that make the measurement in OpenDP, at a scale rounded up in its eighth digit, and check it.

        Examples
        --------
        >>> from dpcore.mechanisms import Geometric
        >>> print(Geometric(epsilon=0.5).release_lines()[-2])
        count = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2.0)
        """
        if not self.measurement:
            return super().release_lines()
        scale = self.sensitivity / (self.budget if self.steps_power() == 1 else math.sqrt(2 * self.budget))
        kind, domain = ("int", "T=int") if self.is_whole else ("float", "T=float, nan=False")
        rounded = round_up(scale, max(7 - math.floor(math.log10(scale)), 0))
        return (
            "import opendp.prelude as dp",
            "",
            'dp.enable_features("contrib")',
            f"count = dp.m.make_{self.measurement}(dp.atom_domain({domain}), dp.absolute_distance(T={kind}),"
            f" scale={rounded!r})",
            f"assert count.map(d_in={self.sensitivity!r}) <= {self.budget!r}",
        )

    # ---- its law ------------------------------------------------------------------------------------------------

    @abstractmethod
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""

    @abstractmethod
    def log_noise(self, value: ArrayLike) -> FloatArray:
        """Log probability of a value of whole noise, log density of continuous noise."""

    @abstractmethod
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value]."""

    @abstractmethod
    def quantile(self, level: ArrayLike) -> Any:
        """Smallest value v with P[noise <= v] of at least the given probability."""

    @abstractmethod
    def half_width(self, level: ArrayLike) -> Any:
        """Smallest h of at least 0 with P[|noise| <= h] of at least `level`, in [0, 1): the range is value +- h."""

    @property
    @abstractmethod
    def probability_exact(self) -> float:
        """Probability that a published count is exactly right (continuous noise: after rounding to a whole number)."""

    @abstractmethod
    def _places(self, turns: Sequence[float] = ()) -> tuple[FloatArray, FloatArray]:
        """Values of the noise and weights that sum a function of it with these turns: all, or knots of a quadrature."""

    @abstractmethod
    def _tried(self) -> FloatArray:
        """Values of the noise, rising, at which its loss is seen not to fall."""

    @classmethod
    def off_by(cls, count: ArrayLike) -> FloatArray:
        """The least noise that puts a published count, rounded to a whole number, off by at least so many people."""
        return np.asarray(count, dtype=np.float64) - (0.0 if cls.is_whole else 0.5)

    def log_law(self, published: ArrayLike, *, count: float) -> FloatArray:
        """Log probability, or log density, of published numbers given the true count."""
        told, true = array("published", published), _checks.number("count", count)
        if self.is_whole:
            _checks.refuse_fractions("count", np.asarray(true))
        return np.asarray(self.log_noise(told - true))

    @property
    def variance(self) -> float:
        """Variance of the noise."""
        places, weights = self._places()
        return float(weights @ places**2)

    @property
    def mean_absolute(self) -> float:
        """Mean absolute size of the noise."""
        return self.mean_absolute_about(0.0)

    def mean_absolute_about(self, shift: float) -> float:
        """Mean of |noise + shift| for a shift of at least 0, whole for whole noise."""
        places, weights = self._places((-_checks.number("shift", shift, 0.0),))
        return float(weights @ np.abs(places + shift))

    @property
    def std(self) -> float:
        """Standard deviation of the noise; the root mean square error of a published count."""
        return math.sqrt(self.variance)

    @overload
    def tail(self, value: Number) -> float: ...
    @overload
    def tail(self, value: ArrayLike) -> FloatArray: ...
    def tail(self, value: ArrayLike) -> Any:
        """P[noise >= value]."""
        return scalar_or_array(np.exp(np.asarray(self.log_tail(value))), value)

    @overload
    def cdf(self, value: Number) -> float: ...
    @overload
    def cdf(self, value: ArrayLike) -> FloatArray: ...
    def cdf(self, value: ArrayLike) -> Any:
        """P[noise <= value]; by symmetry P[noise >= -value]."""
        return self.tail(np.negative(np.asarray(value)) if np.ndim(value) else -value)  # type: ignore[operator]

    @overload
    def log_cdf(self, value: Number) -> float: ...
    @overload
    def log_cdf(self, value: ArrayLike) -> FloatArray: ...
    def log_cdf(self, value: ArrayLike) -> Any:
        """log P[noise <= value]."""
        return self.log_tail(np.negative(np.asarray(value)) if np.ndim(value) else -value)  # type: ignore[operator]

    @overload
    def survival(self, value: Number) -> float: ...
    @overload
    def survival(self, value: ArrayLike) -> FloatArray: ...
    def survival(self, value: ArrayLike) -> Any:
        """P[noise > value]."""
        return scalar_or_array(np.exp(np.asarray(self.log_survival(value))), value)

    @overload
    def probability_within(self, half_width: Number) -> float: ...
    @overload
    def probability_within(self, half_width: ArrayLike) -> FloatArray: ...
    def probability_within(self, half_width: ArrayLike) -> Any:
        """P[|noise| <= half_width]."""
        width = array("half_width", half_width, 0.0)
        within = np.maximum(1 - 2 * np.exp(np.asarray(self.log_survival(width))), 0.0)
        if (within < 0.5).any():
            within = np.where(within < 0.5, self._rarely_within(width, within), within)
        return scalar_or_array(within, half_width)

    def _rarely_within(self, width: FloatArray, within: FloatArray) -> FloatArray:
        """P[|noise| <= width] where it is small: at least that, given one less both tails, which has lost digits."""
        return np.maximum(within - _LOST, 0.0)

    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> Any:
        """Seeded draws of the noise, for teaching and checking; not for release."""
        return self.quantile(np.maximum(seeded(seed).random(size), 1e-300))

    def simulate_counts(
        self, counted: int, *, size: int, seed: int | np.random.Generator, known: ArrayLike = 0
    ) -> NDArray[Any]:
        """Seeded releases about a person who is counted so often, 1 or 0, beside those known; not for release."""
        return np.asarray(self.simulate_noise(size, seed=seed) + (np.asarray(known) + counted))

    # ---- several numbers ----------------------------------------------------------------------------------------

    def tail_sum(self, start: FloatArray) -> FloatArray:
        """Sum of P[noise >= start + j] over j = 0, 1, ...; the starts are whole steps apart."""
        far = max(10 * self.std, -float(self.quantile(1e-18)))  # the rest is below a float's last digit
        first, last = start.min(), min(start.max(), 40 * self.std) + far + 2
        tails = self._tails_from(np.arange(first, last))
        sums = np.append(_summed_from_the_end(tails), 0.0)
        return np.asarray(sums[np.minimum(start - first, tails.size).astype(int)])

    def _tails_from(self, steps: FloatArray) -> FloatArray:
        return np.asarray(self.tail(steps))

    def half_width_of_mean(self, terms: int, *, level: float) -> float:
        """Smallest h with P[|mean of so many independent noises| <= h] of at least the level.

        Refused where no closed form is known and the law is continuous.
        """
        if _checks.count("terms", terms, 1) == 1:
            return float(self.half_width(level))
        raise self._unanswered("have a law of sums that is known")

    def log_sum_pmf(self, total: FloatArray, terms: int) -> FloatArray:
        """log P[so many independent noises add up to a whole total], also far in the tails.

        Refused where the noise is not whole, or no such law of sums is known.
        """
        raise self._unanswered("have a law of whole sums that is known")

    def log_difference_tail(self, other: Self, distance: FloatArray) -> FloatArray:
        """log P[noise - other noise >= distance] for a distance above 0 and noise of one kind."""
        return self._log_mean(self.log_tail, other, distance)

    def log_difference_pmf(self, other: Self, distance: FloatArray) -> FloatArray:
        """log P[noise - other noise = distance] for whole noise of one kind."""
        return self._log_mean(self.log_noise, other, distance)

    def _log_mean(self, law: Callable[[FloatArray], Any], other: Self, distance: FloatArray) -> FloatArray:
        """log of the mean of a law at a distance from the other noise."""
        found = []
        for far in np.ravel(distance).tolist():
            places, weights = other._places([kink - far for kink in self.kinks])
            found.append(float(np.exp(np.asarray(law(far + places))) @ weights))
        with np.errstate(divide="ignore"):
            return np.log(np.array(found)).reshape(np.shape(distance))

    # ---- what it tells ------------------------------------------------------------------------------------------

    def _loss(self, noise: FloatArray) -> FloatArray:
        """The loss of an output by the noise in it, with the person present."""
        return np.asarray(self.log_noise(noise)) - np.asarray(self.log_noise(noise + self.sensitivity))

    def _check_loss(self) -> None:
        loss = self._loss(self._tried())
        if (np.diff(loss) < -1e-9 * np.maximum(1.0, np.abs(loss[1:]))).any():
            raise self._unanswered("have a loss that never falls with the published number")

    def evidence(self, budgets: ArrayLike | None = None, *, known: ArrayLike | None = None) -> Evidence:
        """What one count tells of a person who moves it by one, whoever else is known, at its own or these budgets."""
        if budgets is None:
            return self._evidence(np.asarray(self.strength))
        given = array(self.budget_kind, budgets, 0.0, open_low=True)
        return self._evidence(given * (self.strength / self.budget))

    def _evidence(self, strength: FloatArray) -> Evidence:
        self._check_loss()
        return NoiseEvidence(strength, type(self))

    # ---- many noises at once, by their strength -----------------------------------------------------------------

    @property
    def strength(self) -> float:
        """The budget that the same noise has for a step of one: epsilon/sensitivity, or rho/sensitivity^2."""
        return self.budget / self.sensitivity ** self.steps_power()

    @classmethod
    def _each(cls, strength: ArrayLike, *others: ArrayLike, ask: Callable[..., Any]) -> FloatArray:
        """An answer of the noise at each strength."""
        rows = np.broadcast(strength, *others)
        found = [ask(cls.with_budget(float(row[0])), *row[1:]) for row in rows]
        return np.array(found, dtype=np.float64).reshape(rows.shape)

    @classmethod
    def stds(cls, strength: FloatArray) -> FloatArray:
        """Standard deviation at each strength."""
        return cls._each(strength, ask=lambda noise: noise.std)

    @classmethod
    def half_widths(cls, strength: FloatArray, *, level: FloatArray) -> FloatArray:
        """Smallest h with P[|noise| <= h] of at least the level, at each strength."""
        return cls._each(strength, level, ask=lambda noise, of: noise.half_width(float(of)))

    @classmethod
    def log_survivals(cls, strength: FloatArray, width: FloatArray) -> FloatArray:
        """log P[noise > width] at each strength; whole widths for whole noise."""
        return cls._each(strength, width, ask=lambda noise, of: noise.log_survival(float(of)))

    @classmethod
    def strengths_for_width(cls, width: FloatArray, *, level: FloatArray) -> FloatArray:
        """Smallest strength whose half width at the level is at most the width; whole widths for whole noise."""
        width, level = np.broadcast_arrays(np.asarray(width, dtype=float), np.asarray(level, dtype=float))
        allowed = log_tail_allowed(level)

        def short(log_strength: FloatArray) -> FloatArray:
            return cls.log_survivals(np.exp(log_strength), width) - allowed

        near = cls.steps_power() * -np.log(np.maximum(width, 0.5))
        return np.asarray(np.exp(_falling_root(short, near)) * (1 + MARGIN / level))

    @classmethod
    def about_strengths_for_width(cls, width: FloatArray, *, level: FloatArray) -> FloatArray:
        """`strengths_for_width` to some digits and quickly, to start a search with; it never decides one."""
        return cls.strengths_for_width(width, level=level)

    @classmethod
    def log_variance_slope(cls, log_strength: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log(-dV/dx), its derivative in log x) of the variance V at the strength x; both fall as x rises."""
        h = 1e-3

        def slope(at: FloatArray) -> FloatArray:
            fall = cls.stds(np.exp(at - h)) ** 2 - cls.stds(np.exp(at + h)) ** 2
            return np.log(fall / (2 * h)) - at

        y = np.asarray(log_strength, dtype=np.float64)
        return slope(y), (slope(y + h) - slope(y - h)) / (2 * h)

    @classmethod
    def log_strength_of_slope(cls, target: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log of the strength at which log(-dV/dx) is the target, the slope there)."""
        target = np.asarray(target, dtype=np.float64)
        found = _falling_root(lambda y: cls.log_variance_slope(y)[0] - target, -target / (1 + 2 / cls.steps_power()))
        return found, cls.log_variance_slope(found)[1]

    @classmethod
    def log_strength_of_std(cls, wanted: float) -> float:
        """log of the strength at which the noise has the standard deviation."""
        near = np.array([-cls.steps_power() * math.log(wanted)])
        return float(_falling_root(lambda y: np.log(cls.stds(np.exp(y))) - math.log(wanted), near)[0])


MARGIN = 4e-13  # a needed strength is this much over the level (relative) above its root: the range is kept in floats


def log_tail_allowed(level: ArrayLike) -> FloatArray:
    """log of what each tail may hold: (1 - level)/2."""
    return np.asarray(np.log1p(-np.asarray(level, dtype=float)) - math.log(2))


def newton_of_slope(
    log_slope: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
    target: FloatArray,
    *,
    power: float,
    constant: float,
) -> tuple[FloatArray, FloatArray]:
    """Where log(-dV/dx) is the target: it is near constant - power log x at small x, and near log 2 - x at large x."""
    y = np.where(target > 0, (constant - target) / power, np.log(np.maximum(math.log(2) - target, 0.3)))
    for _ in range(60):
        value, slope = log_slope(y)
        step = np.clip((target - value) / slope, -1.0, 1.0)
        y = y + step
        if (np.abs(step) <= 1e-14 * np.maximum(1.0, np.abs(y))).all():
            break
    return y, log_slope(y)[1]


def bisected(rising: Callable[[float], float], low: float, high: float) -> float:
    """The root of a rising function between two ends, by bisection to the last digits of a float."""
    while high - low > 1e-15 * max(1.0, abs(low), abs(high)) * 4:
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return high


def _falling_root(function: Callable[[FloatArray], FloatArray], near: FloatArray) -> FloatArray:
    low, high = np.array(near, dtype=np.float64), np.array(near, dtype=np.float64)
    while (short := function(low) < 0).any():
        low = np.where(short, low - 2.0, low)
    while (spare := function(high) > 0).any():
        high = np.where(spare, high + 2.0, high)
    return bracketed_root(function, low, high)


def _summed_from_the_end(values: FloatArray) -> FloatArray:
    return np.asarray(np.cumsum(values[::-1])[::-1])


class WholeNoise(NoiseMechanism):
    """Whole-number noise: tails start at the next integer, and quantiles are integers.

    The promise is for one step, which moves the number by the sensitivity at most.

    Examples
    --------
    >>> from dpcore.mechanisms import DiscreteGaussian, Laplace
    >>> isinstance(DiscreteGaussian(rho=0.1), WholeNoise), isinstance(Laplace(epsilon=1.0), WholeNoise)
    (True, False)
    """

    is_whole = True

    @abstractmethod
    def log_pmf(self, value: ArrayLike) -> Any:
        """Log probability of an integer value of the noise."""

    def log_noise(self, value: ArrayLike) -> FloatArray:
        """Log probability of an integer value of the noise."""
        return np.asarray(self.log_pmf(value))

    def _farthest(self) -> float:
        """An integer beyond which the tail is zero in floats."""
        far = 1.0
        while float(self.log_tail(far)) > _FARTHEST:
            far *= 2
        return far

    def _tried(self) -> FloatArray:
        return np.arange(-self._reach, self._reach + 1.0)

    def _places(self, turns: Sequence[float] = ()) -> tuple[FloatArray, FloatArray]:
        reach = float(self._smallest_with_survival(np.asarray(math.log(1e-18)))) + 1
        if reach > _MOST_PLACES:
            rule, got = f"reach at most {_MOST_PLACES:,} to each side", f"{reach:,.0f}"
            raise Refused("mechanism", rule, self, Code.TOO_LARGE, got=got)
        values = np.arange(-reach, reach + 1.0)
        return values, np.exp(np.asarray(self.log_pmf(values)))

    def loss_parts(self) -> LossParts:
        """The privacy loss of one release, each loss moved to the nearest point of a lattice."""
        values = self._tried()
        self._check_loss()
        return LossParts.of_law(self._loss, values, np.asarray(self.log_pmf(values)))

    @classmethod
    def half_widths(cls, strength: FloatArray, *, level: FloatArray) -> FloatArray:
        """Smallest whole h with P[|noise| <= h] of at least the level, at each strength."""
        allowed = log_tail_allowed(level)
        width = np.maximum(np.ceil(cls._near_half_widths(strength, allowed)), 0.0)
        while (short := cls.log_survivals(strength, width) > allowed).any():
            width = np.where(short, np.maximum(width + 1, np.nextafter(width, np.inf)), width)
        while (spare := (width > 0) & (cls.log_survivals(strength, np.maximum(width - 1, 0)) <= allowed)).any():
            width = np.where(spare, np.minimum(width - 1, np.nextafter(width, -np.inf)), width)
        return width

    @classmethod
    def _near_half_widths(cls, strength: FloatArray, allowed: FloatArray) -> FloatArray:
        level = -np.expm1(allowed + math.log(2))
        return cls._each(strength, level, ask=lambda noise, of: noise.half_width(float(of)))

    @property
    def _reach(self) -> float:
        return float(self._smallest_with_survival(np.asarray(math.log(OMITTED)))) + self.sensitivity

    def _tails_from(self, steps: FloatArray) -> FloatArray:
        return _summed_from_the_end(np.exp(np.asarray(self.log_pmf(steps))))

    def half_width_of_mean(self, terms: int, *, level: float) -> float:
        """Smallest h with P[|mean of so many independent noises| <= h] of at least the level, to 1e-13 of probability.

        The law goes round a circle so long that its ends do not meet. Of several noises the level is at most 1 - 1e-12.
        """
        allowed = _checks.number("level", level, 0.0, 1.0, open_high=True)
        if _checks.count("terms", terms, 1) == 1:
            return float(self.half_width(allowed))
        if 1.0 - allowed < _LEAST_MISSED:
            raise Refused("level", f"be at most 1 - {_LEAST_MISSED:g} for a sum of noises", level, Code.TOO_LARGE)
        reach = 12 * self.std * math.sqrt(terms) + 45 * self.std + 64
        size = 2 ** math.ceil(math.log2(2 * reach))
        if size > MOST_SUMMED:
            rule = f"sum to at most {MOST_SUMMED} values"
            raise Refused("counts and mechanism", rule, size, Code.TOO_LARGE)
        half = np.exp(np.asarray(self.log_pmf(np.arange(size // 2 + 1))))
        circle = np.concatenate([half, half[1:-1][::-1]])
        law = np.fft.irfft(np.fft.rfft(circle).real ** terms, size)[: size // 2]
        tails = np.asarray(np.cumsum(law[::-1])[::-1])
        return float(np.argmax(tails[1:] <= (1.0 - allowed) / 2 * (1 + 1e-9))) / terms

    @overload
    def pmf(self, value: Number) -> float: ...
    @overload
    def pmf(self, value: ArrayLike) -> FloatArray: ...
    def pmf(self, value: ArrayLike) -> Any:
        """Probability of an integer value of the noise."""
        return scalar_or_array(np.exp(np.asarray(self.log_pmf(value))), value)

    @overload
    def log_survival(self, value: Number) -> float: ...
    @overload
    def log_survival(self, value: ArrayLike) -> FloatArray: ...
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value] = log P[noise >= floor(value) + 1]."""
        return scalar_or_array(np.asarray(self.log_tail(np.floor(array("value", value)) + 1)), value)

    def _smallest_with_survival(self, log_allowed: FloatArray) -> FloatArray:
        """Smallest integer v with log P[noise > v] of at most the allowed log probability."""
        return self._first_integer(
            *self._survival_bracket(log_allowed), lambda v: np.asarray(self.log_tail(v + 1)) <= log_allowed
        )

    def _survival_bracket(self, log_allowed: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Integers below and from which on log P[noise > v] is at most the allowed log probability."""
        return np.full(log_allowed.shape, -self._farthest()), np.full(log_allowed.shape, self._farthest())

    def _first_integer(
        self, low: FloatArray, high: FloatArray, holds: Callable[[FloatArray], NDArray[np.bool_]]
    ) -> FloatArray:
        """Smallest integer in (low, high] at which a rising condition holds, by bisection; beyond 2^53, a float."""
        while True:
            middle = np.floor(low / 2 + high / 2)
            if ((middle <= low) | (middle >= high) | (high - low <= 1)).all():
                return high
            enough = holds(middle)
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)

    @overload
    def quantile(self, level: Number) -> int: ...
    @overload
    def quantile(self, level: ArrayLike) -> IntArray: ...
    def quantile(self, level: ArrayLike) -> Any:
        """Smallest integer v with P[noise <= v] of at least the given probability, in (0, 1); exact."""
        p = probability("level", level, open_low=True, open_high=True)
        upper = self._smallest_with_survival(np.log1p(-p))
        # Below one half work with P[noise <= v] itself: P[noise <= v] = P[noise >= -v], by symmetry.
        log_p = np.log(p)
        farthest = np.full(p.shape, self._farthest())
        lower = self._first_integer(-farthest, farthest, lambda v: np.asarray(self.log_tail(-v)) >= log_p)
        return _whole(np.where(p > 0.5, upper, lower), level)

    @overload
    def half_width(self, level: Number) -> int: ...
    @overload
    def half_width(self, level: ArrayLike) -> IntArray: ...
    def half_width(self, level: ArrayLike) -> Any:
        """Smallest whole h of at least 0 with P[|noise| <= h] of at least `level`, in [0, 1); exact."""
        p = probability("level", level, open_high=True)
        return _whole(np.maximum(self._smallest_with_survival(np.log1p(-p) - math.log(2)), 0.0), level)

    @property
    def probability_exact(self) -> float:
        """P[noise = 0]."""
        return float(self.pmf(0))


def _whole(values: FloatArray, argument: ArrayLike) -> Any:
    """Integers: an int for a scalar argument, an array otherwise."""
    return int(values) if np.ndim(argument) == 0 else values.astype(np.int64)


class ContinuousNoise(NoiseMechanism):
    """Continuous noise: a point has probability zero.

    The promise is for one step, which moves the number by the sensitivity at most.

    Examples
    --------
    >>> from dpcore.mechanisms import Laplace
    >>> isinstance(Laplace(epsilon=1.0), ContinuousNoise)
    True
    """

    is_whole = False

    @abstractmethod
    def log_pdf(self, value: ArrayLike) -> Any:
        """Log density at a value of the noise."""

    def log_noise(self, value: ArrayLike) -> FloatArray:
        """Log density at a value of the noise."""
        return np.asarray(self.log_pdf(value))

    @overload
    def log_survival(self, value: Number) -> float: ...
    @overload
    def log_survival(self, value: ArrayLike) -> FloatArray: ...
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value]."""
        return self.log_tail(value)

    @overload
    def half_width(self, level: Number) -> float: ...
    @overload
    def half_width(self, level: ArrayLike) -> FloatArray: ...
    def half_width(self, level: ArrayLike) -> Any:
        """The h with P[|noise| <= h] equal to `level`, in [0, 1); exact."""
        p = probability("level", level, open_high=True)
        return scalar_or_array(-np.asarray(self._log_quantile(np.log1p(-p) - math.log(2))) + 0.0, level)

    @overload
    def quantile(self, level: Number) -> float: ...
    @overload
    def quantile(self, level: ArrayLike) -> FloatArray: ...
    def quantile(self, level: ArrayLike) -> Any:
        """The value v with P[noise <= v] equal to the given probability, in (0, 1); exact."""
        p = probability("level", level, open_low=True, open_high=True)
        lower = np.asarray(self._log_quantile(np.log(np.minimum(p, 0.5))))
        upper = -np.asarray(self._log_quantile(np.log1p(-np.maximum(p, 0.5))))
        return scalar_or_array(np.where(p <= 0.5, lower, upper), level)

    def _log_quantile(self, log_probability: FloatArray) -> FloatArray:
        """The value v of at most zero with log P[noise <= v] as given, at most log(1/2)."""
        wanted = np.asarray(log_probability, dtype=np.float64)
        high = np.ones(wanted.shape)
        while (short := np.asarray(self.log_tail(high)) > wanted).any():
            high = np.where(short, 2 * high, high)
        return -bracketed_root(lambda v: np.asarray(self.log_tail(v)) - wanted, np.zeros(wanted.shape), high)

    def _tried(self) -> FloatArray:
        lower = self._log_quantile(log_expit(np.linspace(-40.0, 0.0, 401)))
        return np.concatenate([lower, -lower[::-1]])

    def _places(self, turns: Sequence[float] = ()) -> tuple[FloatArray, FloatArray]:
        far = -float(self._log_quantile(np.asarray(math.log(1e-18))))
        ends = np.unique(np.concatenate([np.linspace(-far, far, _PANELS + 1), self.kinks, turns]))
        half, middle = np.diff(ends)[:, None] / 2, (ends[:-1, None] + ends[1:, None]) / 2
        values = (middle + half * _KNOTS).ravel()
        return values, (half * _WEIGHTS).ravel() * np.exp(np.asarray(self.log_pdf(values)))

    def loss_parts(self) -> LossParts:
        """The privacy loss of one release, each loss moved to the nearest point of a lattice."""
        self._check_loss()
        reach = -float(self._log_quantile(np.asarray(math.log(OMITTED)))) + self.sensitivity
        return LossParts.of_rising_loss(self._loss, lambda v: np.asarray(self.log_tail(v)), reach)

    @property
    def probability_exact(self) -> float:
        """P[|noise| < 1/2]: the count is right after rounding to a whole number."""
        return float(self.probability_within(0.5))
