"""What an analyst starts from: a noisy mean and variance, their bounds, a prior, and whether a posterior exists."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, betaln, stdtr, stdtrit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused
from dpcore.inference.measurements import GaussianMeasurement, LaplaceMeasurement, Measurement
from dpcore.mechanisms.gaussian import Gaussian

NARROWEST, WIDEST = 1e-100, 1e100
"""Widths of the bounds whose squares and cubes a number holds."""


@call_hint
class ImproperPosteriorError(Refused):
    """The posterior does not integrate to one: there is nothing to compute, and a sampler would not notice.

    It belongs to reading a release: no promise about anybody in the data is made by it.

    Examples
    --------
    >>> from dpcore.inference import posterior
    >>> release = NoisyMoments(n=43, mean=0.34, variance=0.22, epsilon_mean=0.25, epsilon_variance=0.25)
    >>> try:
    ...     posterior(release, PowerPrior(1.0))
    ... except ImproperPosteriorError as error:
    ...     print(error.code)
    improper
    """

    def __init__(self, reason: str, prior: Prior) -> None:
        super().__init__("prior", "give a posterior that integrates to one", prior, Code.IMPROPER, text=reason)


@call_hint
def to_unit(*, lower: float, upper: float, mean: float, variance: float) -> tuple[float, float]:
    """Mean and variance of the data rescaled to [0, 1]; noisy values are rescaled the same way.

    It belongs to reading a release: no promise about anybody in the data is made by it.
    Source: thesis, Theorem 13

    Parameters
    ----------
    lower, upper : float; known bounds of the data, lower < upper
    mean, variance : float; released mean and variance in the units of the data; any finite numbers, noise may push them
        out of range

    Examples
    --------
    >>> to_unit(lower=0, upper=100, mean=34, variance=2500)
    (0.34, 0.25)
    """
    low, width = _bounds(lower, upper)
    return (_checks.number("mean", mean) - low) / width, _checks.number("variance", variance) / width**2


@call_hint
def noise_scales(
    *,
    lower: float,
    upper: float,
    n: int,
    epsilon_mean: float | None = None,
    epsilon_variance: float | None = None,
    rho_mean: float | None = None,
    rho_variance: float | None = None,
) -> tuple[float, float]:
    """Scales of the noise of a mean and of a sample variance of n values in [lower, upper].

    The promise of each number is its epsilon or its rho, about the value of one record, replaced while n is public. The
    sensitivities are (upper - lower)/n and (upper - lower)^2/n when one record is replaced. Laplace noise has the scale
    sensitivity/epsilon, Gaussian noise the standard deviation sensitivity/sqrt(2 rho).
    Source: thesis, section 4.2.2
    Source: bun_steinke, Proposition 1.6, for Gaussian noise

    Parameters
    ----------
    lower, upper : float; the bounds, public
    n : int; number of values, at least 2
    epsilon_mean, epsilon_variance : float, optional; budgets of Laplace noise, greater than 0
    rho_mean, rho_variance : float, optional; budgets of Gaussian noise, greater than 0; these or the epsilons

    Examples
    --------
    >>> noise_scales(lower=0, upper=100, n=50, epsilon_mean=0.5, epsilon_variance=0.25)
    (4.0, 800.0)
    >>> noise_scales(lower=0, upper=100, n=50, rho_mean=0.5, rho_variance=0.125)
    (2.0, 400.0)
    """
    _, width = _bounds(lower, upper)
    size = _checks.count("n", n, 2)
    by_rho, first, second = _budgets(epsilon_mean, epsilon_variance, rho_mean, rho_variance)
    if by_rho:
        noises = Gaussian(rho=first, sensitivity=width / size), Gaussian(rho=second, sensitivity=width**2 / size)
        return noises[0].std, noises[1].std
    return width / (size * first), width**2 / (size * second)


def _budgets(
    epsilon_mean: float | None, epsilon_variance: float | None, rho_mean: float | None, rho_variance: float | None
) -> tuple[bool, float, float]:
    """Whether the budgets are rho, and both of them."""
    given = {
        "epsilon_mean": epsilon_mean,
        "epsilon_variance": epsilon_variance,
        "rho_mean": rho_mean,
        "rho_variance": rho_variance,
    }
    named = [name for name, value in given.items() if value is not None]
    if named not in (["epsilon_mean", "epsilon_variance"], ["rho_mean", "rho_variance"]):
        rule = "be epsilon_mean and epsilon_variance, or rho_mean and rho_variance"
        raise Refused("budget", rule, given, Code.INCONSISTENT, got=" and ".join(named) or "none")
    first, second = (_checks.number(name, given[name], 0.0, open_low=True) for name in named)
    return named[0] == "rho_mean", first, second


def _not_laplace(release: NoisyMoments) -> Refused:
    """That a way is for Laplace noise alone."""
    return Refused("release", "have Laplace noise here", release, Code.UNSUPPORTED, got="Gaussian noise")


def _bounds(lower: float, upper: float) -> tuple[float, float]:
    low = _checks.number("lower", lower)
    high = _checks.number("upper", upper)
    if high <= low:
        raise Refused("upper", f"be greater than lower = {low:g}", upper, Code.WRONG_ORDER)
    if not NARROWEST <= high - low <= WIDEST:
        raise Refused("upper", f"lie from {NARROWEST:g} to {WIDEST:g} above lower = {low:g}", upper, Code.OUT_OF_RANGE)
    return low, high - low


@call_hint
@dataclass(frozen=True)
class NoisyMoments:
    """A released mean and sample variance of n bounded values, both with Laplace noise or both with Gaussian noise.

    The promise is about the value of one record, replaced while n is public: both epsilons added, or zCDP of both rho
    added. The thesis has Laplace noise; with Gaussian noise only the density of the noise in its model changes.
    Source: thesis, section 4.2.2
    Source: bun_steinke, Proposition 1.6 and Lemma 1.7, for Gaussian noise
    Source: ours, the model with Gaussian noise

    Parameters
    ----------
    n : int; number of values, at least 2, public
    mean, variance : float; the noisy release in the units of the data. A variance that is negative or larger than the
        bounds allow is accepted: noise does that.
    epsilon_mean, epsilon_variance : float, optional; privacy-loss parameters of the two releases, greater than 0
    rho_mean, rho_variance : float, optional; zCDP budgets of the two, greater than 0; these or the epsilons
    lower, upper : float; known bounds of each value

    Examples
    --------
    >>> release = NoisyMoments(
    ...     n=43, mean=34.3, variance=2224.0, epsilon_mean=0.25, epsilon_variance=0.25, lower=0, upper=100
    ... )
    >>> round(release.unit_mean, 12)
    0.343
    >>> NoisyMoments(n=50, mean=0.3, variance=0.1, rho_mean=0.5, rho_variance=0.125).std
    (0.02, 0.04)
    """

    _: KW_ONLY
    n: int
    mean: float
    variance: float
    epsilon_mean: float | None = None
    epsilon_variance: float | None = None
    rho_mean: float | None = None
    rho_variance: float | None = None
    lower: float = 0.0
    upper: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", _checks.count("n", self.n, 2))
        for name in ("mean", "variance"):
            object.__setattr__(self, name, _checks.number(name, getattr(self, name)))
        by_rho, *budgets = _budgets(**self._paid)
        for name, budget in zip(list(self._paid)[2 * by_rho :], budgets, strict=False):
            object.__setattr__(self, name, budget)
        low, width = _bounds(self.lower, self.upper)
        object.__setattr__(self, "lower", low)
        object.__setattr__(self, "upper", low + width)

    @property
    def _paid(self) -> dict[str, Any]:
        """The four budgets by their names, two of them None."""
        return {name: getattr(self, name) for name in ("epsilon_mean", "epsilon_variance", "rho_mean", "rho_variance")}

    @property
    def width(self) -> float:
        """Upper bound less lower bound."""
        return self.upper - self.lower

    @property
    def std(self) -> tuple[float, float]:
        """Standard deviations of the noise of the mean and of the variance, in the units of the data."""
        first, second = noise_scales(lower=self.lower, upper=self.upper, n=self.n, **self._paid)
        return (first, second) if self.rho_mean is not None else (first * math.sqrt(2.0), second * math.sqrt(2.0))

    @property
    def laplace_rates(self) -> tuple[float, float]:
        """One over the scales of the Laplace noise of both numbers on the unit scale; Gaussian noise is refused."""
        if self.epsilon_mean is None or self.epsilon_variance is None:
            raise _not_laplace(self)
        return self.n * self.epsilon_mean, self.n * self.epsilon_variance

    def measurements(self, *, bounded: bool) -> tuple[Measurement, Measurement]:
        """Both numbers on the unit scale with the laws of their noise, pulled to what the bounds allow if `bounded`.

        Source: ours, beyond what is possible a release changes Laplace likelihoods by a constant and Gaussian ones by
            an exponential tilt
        """
        y, s, top = self.unit_mean, self.unit_variance, self.n / (4.0 * (self.n - 1.0))
        near = (min(max(y, 0.0), 1.0), min(max(s, 0.0), top)) if bounded else (y, s)
        if self.rho_mean is None:
            first, second = self.laplace_rates
            return LaplaceMeasurement(near[0], first, y - near[0]), LaplaceMeasurement(near[1], second, s - near[1])
        near = near[0], max(near[1], 0.0)
        first, second = noise_scales(lower=0.0, upper=1.0, n=self.n, **self._paid)
        return GaussianMeasurement(near[0], first, y - near[0]), GaussianMeasurement(near[1], second, s - near[1])

    @property
    def unit_mean(self) -> float:
        """The noisy mean on the unit scale."""
        return (self.mean - self.lower) / self.width

    @property
    def unit_variance(self) -> float:
        """The noisy variance on the unit scale."""
        return self.variance / self.width**2

    @property
    def largest_variance(self) -> float:
        """Largest sample variance n values within the bounds can have, in the units of the data."""
        return self.n / (4.0 * (self.n - 1.0)) * self.width**2

    @property
    def log_chance_of_mean(self) -> float:
        """Log of the chance of noise that puts a mean within the bounds at this release or further out; 0 if inside.

        The largest over all means within the bounds, exact: one tail of the law of the noise.
        Source: thesis, section 4.2.2; ours, the tail of the law beyond the nearer bound

        Examples
        --------
        >>> release = NoisyMoments(n=10, mean=1.5, variance=0.1, epsilon_mean=2.0, epsilon_variance=1.0)
        >>> round(math.exp(release.log_chance_of_mean) * 2 * math.exp(10), 12)
        1.0
        """
        away = max(self.unit_mean - 1.0, -self.unit_mean, 0.0)
        return self.measurements(bounded=True)[0].log_chance_beyond(away) if away > 0 else 0.0

    @property
    def log_chance_of_variance(self) -> float:
        """Log of the chance of noise that puts a possible variance at this release or further out; 0 if possible.

        Source: thesis, section 4.2.2; ours, the tail of the law below 0 or beyond the largest sample variance

        Examples
        --------
        >>> NoisyMoments(n=10, mean=0.5, variance=0.1, epsilon_mean=2.0, epsilon_variance=1.0).log_chance_of_variance
        0.0
        """
        away = max(self.unit_variance - self.largest_variance / self.width**2, -self.unit_variance, 0.0)
        return self.measurements(bounded=True)[1].log_chance_beyond(away) if away > 0 else 0.0

    def clipped(self) -> NoisyMoments:
        """The release pulled into the possible range: a constrained analysis of it is the same.

        That of Gaussian noise is not, and is refused.
        Source: ours, beyond the range the Laplace factors change by a constant; checked by equal posteriors

        Examples
        --------
        >>> NoisyMoments(n=5, mean=-0.2, variance=9.0, epsilon_mean=1, epsilon_variance=1).clipped().variance
        0.3125
        """
        if self.rho_mean is not None:
            raise _not_laplace(self)
        mean = min(max(self.mean, self.lower), self.upper)
        return replace(self, mean=mean, variance=min(max(self.variance, 0.0), self.largest_variance))


@call_hint
def draw_noisy_moments(
    values: ArrayLike,
    *,
    lower: float,
    upper: float,
    epsilon_mean: float | None = None,
    epsilon_variance: float | None = None,
    rho_mean: float | None = None,
    rho_variance: float | None = None,
    seed: int | np.random.Generator,
) -> NoisyMoments:
    """A simulated release of the mean and sample variance of values pulled into bounds; not for release.

    A simulation, not for release, makes no promise: who knows the seed can take the noise off. Both numbers with
    noise of `noise_scales`: Laplace for epsilons, Gaussian for rho.
    Source: thesis, section 4.2.2

    Parameters
    ----------
    values : array_like; a list of at least 2 numbers; one outside the bounds counts as the nearer bound
    lower, upper : float; the bounds, public
    epsilon_mean, epsilon_variance : float, optional; privacy-loss parameters of the two numbers, greater than 0
    rho_mean, rho_variance : float, optional; zCDP budgets of the two, greater than 0; these or the epsilons
    seed : int or numpy.random.Generator; whole number or generator

    Examples
    --------
    >>> release = draw_noisy_moments([1, 4, 30], lower=0, upper=10, epsilon_mean=1e9, epsilon_variance=1e9, seed=1)
    >>> release.n, round(release.mean, 6), round(release.variance, 6)  # of 1, 4 and 10
    (3, 5.0, 21.0)
    """
    given = _checks.array("values", values)
    if given.ndim != 1 or given.size < 2:
        raise Refused("values", "be a list of at least 2 numbers", given.shape, Code.WRONG_SHAPE)
    low, width = _bounds(lower, upper)
    known: dict[str, Any] = {"n": given.size, "lower": lower, "upper": upper}
    known |= {"epsilon_mean": epsilon_mean, "epsilon_variance": epsilon_variance}
    known |= {"rho_mean": rho_mean, "rho_variance": rho_variance}
    scales, generator = noise_scales(**known), _checks.seeded(seed)
    held = np.clip(given, low, low + width)
    noise = (generator.laplace if rho_mean is None else generator.normal)(0.0, scales)
    return NoisyMoments(mean=float(held.mean() + noise[0]), variance=float(held.var(ddof=1) + noise[1]), **known)


@call_hint
@dataclass(frozen=True)
class FlatPrior:
    """Every mean and variance equally likely: p(mu, sigma^2) = 1.

    It belongs to reading a release: no promise about anybody in the data is made by it.

    Examples
    --------
    >>> FlatPrior().power == PowerPrior(0.0).power
    True
    """

    @property
    def power(self) -> float:
        """Exponent a of sigma^(-2a)."""
        return 0.0


@call_hint
@dataclass(frozen=True)
class PowerPrior:
    """p(mu, sigma^2) = sigma^(-2 power): flat in mu; power 1 is the usual default without noise, improper with it.

    It belongs to reading a release: no promise about anybody in the data is made by it.

    Parameters
    ----------
    power : float; any finite number; `propriety` says which give a posterior

    Examples
    --------
    >>> [propriety(43, PowerPrior(power), constrained=True).proper for power in (0.5, 1.0)]
    [True, False]
    """

    power: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "power", _checks.number("power", self.power))


@call_hint
@dataclass(frozen=True)
class ConjugatePrior:
    """sigma^2 ~ inverse gamma(w/2, w s/2) and mu | sigma^2 ~ normal(m, sigma^2/k), in the units of the data.

    It belongs to reading a release: no promise about anybody in the data is made by it.

    Parameters
    ----------
    mean : float; m, the prior mean of mu
    mean_weight : float; k, greater than 0: the number of records the prior mean is worth
    variance : float; s, at least 0: the prior guess of the variance
    variance_weight : float; w, at least 0: the number of records that guess is worth

    Examples
    --------
    >>> prior = ConjugatePrior(mean=50, mean_weight=1, variance=100, variance_weight=4)
    >>> prior.on_unit_scale(lower=0, upper=100)
    ConjugatePrior(mean=0.5, mean_weight=1.0, variance=0.01, variance_weight=4.0)
    """

    mean: float
    mean_weight: float
    variance: float
    variance_weight: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", _checks.number("mean", self.mean))
        object.__setattr__(self, "mean_weight", _checks.number("mean_weight", self.mean_weight, 0.0, open_low=True))
        object.__setattr__(self, "variance", _checks.number("variance", self.variance, 0.0))
        object.__setattr__(self, "variance_weight", _checks.number("variance_weight", self.variance_weight, 0.0))

    def on_unit_scale(self, lower: float, upper: float) -> ConjugatePrior:
        """The same prior for the data rescaled to [0, 1]."""
        mean, variance = to_unit(lower=lower, upper=upper, mean=self.mean, variance=self.variance)
        return ConjugatePrior(mean, self.mean_weight, variance, self.variance_weight)

    @property
    def _mean_scale(self) -> float:
        """Scale of the t law of mu; refused where the prior has none."""
        if self.variance == 0 or self.variance_weight == 0:
            raise Refused(
                "variance and variance_weight",
                "be greater than 0 for mu to have a law of its own",
                (self.variance, self.variance_weight),
                Code.UNSUPPORTED,
                got="",
            )
        return math.sqrt(self.variance / self.mean_weight)

    @overload
    def mean_density(self, mean: Number) -> float: ...
    @overload
    def mean_density(self, mean: ArrayLike) -> FloatArray: ...
    def mean_density(self, mean: ArrayLike) -> FloatArray | float:
        """Prior density of mu alone: a t law with w degrees of freedom round m, scale the root of s/k. Exact.

        Source: thesis, section 4.2.1; ours, sigma^2 integrated out

        Parameters
        ----------
        mean : array_like; in the units of the data

        Examples
        --------
        >>> round(ConjugatePrior(0.0, 1.0, 1.0, 1.0).mean_density(1.0) * 2 * math.pi, 12)
        1.0
        """
        at, scale, w = _checks.array("mean", mean), self._mean_scale, self.variance_weight
        log_norm = -float(betaln(0.5 * w, 0.5)) - 0.5 * math.log(w) - math.log(scale)
        value = np.exp(log_norm - 0.5 * (w + 1) * np.log1p(((at - self.mean) / scale) ** 2 / w))
        return _checks.scalar_or_array(value, mean)

    def mean_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Shortest interval that holds the level of the prior of mu alone. Exact.

        Source: ours, sigma^2 integrated out

        Parameters
        ----------
        level : float; probability inside, in (0, 1)

        Examples
        --------
        >>> [round(end, 9) for end in ConjugatePrior(3.0, 1.0, 4.0, 1.0).mean_interval(0.5)]
        [1.0, 5.0]
        """
        share = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
        scale = self._mean_scale
        end = float(stdtrit(self.variance_weight, 0.5 + 0.5 * share))
        if not abs(2.0 * float(stdtr(self.variance_weight, end)) - 1.0 - share) < 1e-6:
            rule = "be so large that a float holds the interval of the mean"
            raise Refused("variance_weight", rule, self.variance_weight, Code.TOO_LARGE)
        reach = scale * end
        return self.mean - reach, self.mean + reach


Prior = FlatPrior | PowerPrior | ConjugatePrior
"""What is believed of the population's mean and variance before the release: one of the three classes."""


@call_hint
@dataclass(frozen=True)
class Propriety:
    """Whether a posterior exists, and the sentence that says why.

    It belongs to reading a release: no promise about anybody in the data is made by it.

    Attributes
    ----------
    proper
        True when the posterior integrates to one.
    reason
        The theorem and the condition, one sentence.
    warnings
        Sentences on proper posteriors that rest on the prior, or whose moments do not exist.

    Examples
    --------
    >>> found = propriety(3, FlatPrior(), constrained=False)
    >>> found.proper, found.reason
    (False, 'Improper: without constraints (n-1)/2 + a must exceed 1 (Theorem 18: n > 3 for a flat prior); it is 1.')
    """

    proper: bool
    reason: str
    warnings: tuple[str, ...] = ()


@call_hint
def propriety(n: int, prior: Prior, *, constrained: bool, variance_cap: float | None = None) -> Propriety:
    """Whether the posterior is proper: decided from n and the prior alone, before any data or computation.

    It belongs to reading a release: no promise about anybody in the data is made by it. Near sigma^2 = 0 the likelihood
    of a noisy release tends to a positive limit, so a prior sigma^(-2a) needs a < 1, with or without constraints. At
    infinity, without constraints and without a cap, it needs (n-1)/2 + a > 1.
    Source: thesis, Theorem 17; thesis, Theorem 18
    Source: ours, both ends for a general power; a prior of weight or guess zero behaves as 1/sigma^2 or steeper

    Parameters
    ----------
    n : int; number of values, at least 2
    prior
        `FlatPrior`, `PowerPrior` or `ConjugatePrior`.
    constrained : bool; whether mean, variance and their sample values are confined to what the bounds allow
    variance_cap : float, optional; largest sigma^2 considered, greater than 0; the thesis's footnote uses one, nothing
        here needs it

    Examples
    --------
    >>> propriety(43, PowerPrior(1.0), constrained=True).proper
    False
    >>> propriety(4, FlatPrior(), constrained=False).proper
    True
    """
    size = _checks.count("n", n, 2)
    _checks.flag("constrained", constrained)
    if variance_cap is not None:
        _checks.number("variance_cap", variance_cap, 0.0, open_low=True)
    if isinstance(prior, ConjugatePrior):
        if prior.variance_weight == 0 or prior.variance == 0:
            return Propriety(
                False,
                "Improper: with a variance weight or a variance guess of zero the prior behaves as 1/sigma^2 near "
                "zero, and noise leaves no evidence against sigma^2 = 0 (Theorem 17).",
            )
        warnings: tuple[str, ...] = ()
        if prior.variance_weight < 0.1:
            warnings = (
                "The prior's variance weight is close to zero: the posterior of the variance is proper, but its mass "
                "near zero comes from the prior.",
            )
        if not constrained and variance_cap is None and prior.variance_weight + size <= 4:
            warnings += ("The variance of sigma^2 does not exist: n plus the prior's variance weight is at most 4.",)
        return Propriety(True, "Proper: the inverse gamma prior vanishes at zero and at infinity.", warnings)
    if not isinstance(prior, (FlatPrior, PowerPrior)):
        raise Refused("prior", "be a FlatPrior, PowerPrior or ConjugatePrior", prior, Code.WRONG_TYPE)
    if prior.power >= 1:
        return Propriety(
            False,
            "Improper: a prior sigma^(-2a) needs a < 1 near zero (Theorem 17), constrained or not; "
            f"a is {prior.power:g}.",
        )
    bounded = constrained or variance_cap is not None
    tail = (size - 1) / 2 + prior.power
    if not bounded and tail <= 1:
        return Propriety(
            False,
            f"Improper: without constraints (n-1)/2 + a must exceed 1 (Theorem 18: n > 3 for a flat prior); "
            f"it is {tail:g}.",
        )
    warnings = ()
    if not bounded:
        if tail <= 1.5:
            warnings += ("The posterior mean of mu does not exist: the sample is too small.",)
        if tail <= 2:
            warnings += ("The posterior mean of sigma^2 and the variance of mu do not exist: the sample is too small.",)
        elif tail <= 3:
            warnings += ("The posterior variance of sigma^2 does not exist: the sample is too small.",)
    if prior.power > 0.9:
        warnings += ("The prior is close to 1/sigma^2: the mass near zero comes from the prior.",)
    return Propriety(True, "Proper: the prior is integrable near zero and the tail is bounded.", warnings)


@call_hint
def existing_moments(n: int, prior: Prior, *, bounded: bool) -> tuple[bool, bool, bool]:
    """Whether E mu, E sigma^2 (and Var mu), and Var sigma^2 exist.

    It belongs to reading a release: no promise about anybody in the data is made by it.
    """
    if bounded:
        return True, True, True
    if isinstance(prior, ConjugatePrior):
        return True, True, prior.variance_weight + n > 4
    tail = (n - 1) / 2 + prior.power
    return tail > 1.5, tail > 2, tail > 3


@call_hint
def log_inverse_gamma_norm(prior: ConjugatePrior) -> float:
    """Log normaliser of the inverse gamma prior.

    It belongs to reading a release: no promise about anybody in the data is made by it.
    """
    shape = 0.5 * prior.variance_weight
    return shape * math.log(shape * prior.variance) - math.lgamma(shape)


@call_hint
@dataclass(frozen=True)
class FeasiblePriorMean:
    """Marginal prior of mu, on the unit scale, that a power prior on the feasible region implies: a symmetric beta.

    It belongs to reading a release: no promise about anybody in the data is made by it.

    Attributes
    ----------
    shape
        Both shape parameters of the beta law: 2 - a, so 2 for the flat prior.
    mean, sd
        Of mu.
    mean_variance
        Prior mean of sigma^2.

    Examples
    --------
    >>> implied = feasible_prior_mean(FlatPrior())  # beta(2, 2)
    >>> implied.shape, implied.mean, implied.density(0.5)
    (2.0, 0.5, 1.5)
    """

    shape: float
    mean: float
    sd: float
    mean_variance: float

    def quantile(self, level: float) -> float:
        """Value of mu with the given prior probability below it."""
        p = _checks.number("level", level, 0.0, 1.0)
        return float(betaincinv(self.shape, self.shape, p))

    @overload
    def density(self, mean: Number) -> float: ...
    @overload
    def density(self, mean: ArrayLike) -> FloatArray: ...
    def density(self, mean: ArrayLike) -> FloatArray | float:
        """Prior density of mu in [0, 1]."""
        mu = _checks.array("mean", mean, 0.0, 1.0)
        with np.errstate(divide="ignore"):
            value = np.exp((self.shape - 1.0) * (np.log(mu) + np.log1p(-mu)) - betaln(self.shape, self.shape))
        return _checks.scalar_or_array(value, mean)


@call_hint
def feasible_prior_mean(prior: FlatPrior | PowerPrior) -> FeasiblePriorMean:
    """Law of mu that a flat or power prior on 0 < sigma^2 <= mu (1 - mu) implies.

    It belongs to reading a release: no promise about anybody in the data is made by it.
    Source: thesis, section 4.4.1; ours, beta(2 - a, 2 - a) for a power a

    Examples
    --------
    >>> round(feasible_prior_mean(FlatPrior()).mean_variance, 12)
    0.1
    """
    if not isinstance(prior, (FlatPrior, PowerPrior)) or prior.power >= 1:
        raise Refused("prior", "be a FlatPrior or a PowerPrior with power below 1", prior, Code.UNSUPPORTED)
    b = 2.0 - prior.power
    return FeasiblePriorMean(b, 0.5, 0.5 / math.sqrt(2.0 * b + 1.0), (b - 1.0) / (2.0 * (2.0 * b + 1.0)))
