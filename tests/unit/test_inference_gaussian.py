"""Mean and variance with Gaussian noise of rho: the quadrature against integrals in another order, draws and limits."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad, simpson
from scipy.special import expit, gammaln, ndtr
from scipy.stats import beta, invgamma, norm, normaltest
from scipy.stats import t as student_t

from dpcore import inference
from dpcore.errors import Code, Refused
from dpcore.inference import ConjugatePrior, FlatPrior, NoisyMoments, PowerPrior, posterior
from dpcore.inference.measurements import GaussianMeasurement

Array = NDArray[np.float64]

GUESS = ConjugatePrior(0.3, 2.0, 0.03, 3.0)
CASES: dict[str, tuple[dict[str, float], inference.Prior]] = {
    "two values": ({"n": 2, "mean": 0.4, "variance": 0.1, "rho_mean": 1.0, "rho_variance": 1.0}, FlatPrior()),
    "few values, much noise": (
        {"n": 6, "mean": 0.35, "variance": 0.06, "rho_mean": 0.02, "rho_variance": 0.01},
        PowerPrior(0.5),
    ),
    "few values, little noise": ({"n": 7, "mean": 0.3, "variance": 0.05, "rho_mean": 8, "rho_variance": 30}, GUESS),
    "as on the page": ({"n": 43, "mean": 0.343, "variance": 0.2225, "rho_mean": 0.02, "rho_variance": 0.02}, GUESS),
    "many values": ({"n": 800, "mean": 0.6, "variance": 0.02, "rho_mean": 0.3, "rho_variance": 0.1}, PowerPrior(-1.0)),
    "beyond the bounds": ({"n": 30, "mean": 1.2, "variance": -0.1, "rho_mean": 0.05, "rho_variance": 0.1}, FlatPrior()),
    "too spread for its mean": (
        {"n": 60, "mean": 0.05, "variance": 0.4, "rho_mean": 2.0, "rho_variance": 2.0},
        FlatPrior(),
    ),
}


def log_prior(prior: inference.Prior, mu: Array, v: Array) -> Array:
    """Written out again: normalised where it can be."""
    if not isinstance(prior, ConjugatePrior):
        return np.asarray(-prior.power * np.log(v) + 0.0 * mu)
    half, spread = 0.5 * prior.variance_weight, v / prior.mean_weight
    inverse_gamma = half * np.log(half * prior.variance) - gammaln(half) - (half + 1) * np.log(v)
    normal = -0.5 * (mu - prior.mean) ** 2 / spread - 0.5 * np.log(2 * np.pi * spread)
    return np.asarray(inverse_gamma - half * prior.variance / v + normal)


def boxed(
    log_height: Callable[..., Array], low: list[float], high: list[float]
) -> tuple[list[Array], NDArray[np.float64], float]:
    """Nodes, masses and log integral of a smooth density in a box, which shrinks to where it is above e^-26."""
    for _ in range(5):
        grid = np.meshgrid(*(np.linspace(a, b, 42)[1:-1] for a, b in zip(low, high, strict=True)), indexing="ij")
        height = log_height(*grid)
        inside = np.nonzero(height > height.max() - 26.0)
        for axis, at in enumerate(inside):
            step = (high[axis] - low[axis]) / 41
            low[axis], high[axis] = low[axis] + step * at.min(), low[axis] + step * (at.max() + 2)
    nodes, weights = np.polynomial.legendre.leggauss(16)
    points, masses = [], []
    for a, b, panels in zip(low, high, (2, 8, 8) if len(low) == 3 else (12, 12), strict=True):
        half = 0.5 * (b - a) / panels
        points.append((a + half * (2 * np.arange(panels) + 1)[:, None] + half * nodes).ravel())
        masses.append(np.tile(half * weights, panels))
    grid = np.meshgrid(*points, indexing="ij")
    height = log_height(*grid)
    top = float(height.max())
    mass = np.exp(height - top)
    for axis, weight in enumerate(masses):
        mass *= weight.reshape([-1 if k == axis else 1 for k in range(len(masses))])
    return list(grid), mass / mass.sum(), top + math.log(mass.sum())


def whole(release: NoisyMoments, prior: inference.Prior) -> tuple[Array, Array, Array, float]:
    """Nodes of mu and sigma^2, masses and log evidence with the bounds, on [0, 1]: the sample mean in closed form.

    Three dimensions are left: mu as a share of its interval, sigma^2 and the sample variance by their smallest means.
    """
    n, (std_mean, std_variance) = release.n, release.std

    def unpacked(t: Array, x: Array, u: Array) -> tuple[Array, Array, Array, Array]:
        smallest, q = expit(x), expit(u)
        return smallest + (1 - 2 * smallest) * t, smallest * (1 - smallest), q, n / (n - 1) * q * (1 - q)

    def log_height(t: Array, x: Array, u: Array) -> Array:
        mu, v, q, s = unpacked(t, x, u)
        slopes = np.log(1 - 2 * expit(x)) + np.log(v * (1 - 2 * expit(x))) + np.log(s * (1 - 2 * q))
        shape = 0.5 * (n - 1)
        gamma = shape * np.log(shape / v) - gammaln(shape) + (shape - 1) * np.log(s) - shape * s / v
        noise = -0.5 * ((release.variance - s) / std_variance) ** 2 - math.log(std_variance * math.sqrt(2 * math.pi))
        total = std_mean**2 + v / n
        noisy_mean = -0.5 * (release.mean - mu) ** 2 / total - 0.5 * np.log(2 * np.pi * total)
        sd = np.sqrt(1 / (1 / std_mean**2 + n / v))
        centre = sd**2 * (release.mean / std_mean**2 + n * mu / v)
        a, b = (q - centre) / sd, (1 - q - centre) / sd
        a, b = np.where(a > 0, -b, a), np.where(a > 0, -a, b)
        with np.errstate(divide="ignore"):
            possible = np.log(ndtr(b) - ndtr(a))
        return np.asarray(slopes + gamma + noise + noisy_mean + possible + log_prior(prior, mu, v))

    grid, mass, log_evidence = boxed(log_height, [0.0, -60.0, -60.0], [1.0, 0.0, 0.0])
    mu, v, _, _ = unpacked(*grid)
    return mu, v, mass, log_evidence


@pytest.mark.parametrize("name", CASES)
def test_the_posterior_with_the_bounds_is_that_of_brute_force(name: str) -> None:
    chosen, prior = CASES[name]
    release = NoisyMoments(**chosen)  # type: ignore[arg-type]
    found = posterior(release, prior)
    mu, v, mass, log_evidence = whole(release, prior)
    assert found.quadrature_error < 2e-5
    assert found.log_evidence == pytest.approx(log_evidence, abs=1e-5)
    for marginal, value in ((found.mean, mu), (found.variance, v)):
        mean = float((mass * value).sum())
        sd = math.sqrt(float((mass * (value - mean) ** 2).sum()))
        assert marginal.mean == pytest.approx(mean, abs=1e-6)
        assert marginal.sd == pytest.approx(sd, abs=1e-5 if name == "few values, much noise" else 1e-6)


@pytest.mark.parametrize("prior", [GUESS, ConjugatePrior(0.8, 0.1, 0.3, 0.5)])
@pytest.mark.parametrize(
    "release",
    [
        NoisyMoments(n=3, mean=0.4, variance=0.1, rho_mean=0.1, rho_variance=0.1),
        NoisyMoments(n=43, mean=0.343, variance=0.2225, rho_mean=0.02, rho_variance=0.02),
        NoisyMoments(n=500, mean=0.2, variance=-0.05, rho_mean=4.0, rho_variance=0.001),
    ],
    ids=["3", "43", "500"],
)
def test_the_posterior_without_the_bounds_is_that_of_nested_integrals(
    release: NoisyMoments, prior: ConjugatePrior
) -> None:
    """Two dimensions: log sigma^2 and the log of the sample variance in units of it; mu and the mean in closed form."""
    n, (std_mean, std_variance) = release.n, release.std
    shape = 0.5 * (n - 1)

    def log_height(x: Array, u: Array) -> Array:
        v = np.exp(x)
        s = v * np.exp(u)
        gamma = shape * np.log(shape) - gammaln(shape) + shape * (u - np.exp(u))
        noise = -0.5 * ((release.variance - s) / std_variance) ** 2 - math.log(std_variance * math.sqrt(2 * math.pi))
        total = std_mean**2 + v / n + v / prior.mean_weight
        noisy_mean = -0.5 * (release.mean - prior.mean) ** 2 / total - 0.5 * np.log(2 * np.pi * total)
        half = 0.5 * prior.variance_weight
        inverse_gamma = half * math.log(half * prior.variance) - gammaln(half) - half * x - half * prior.variance / v
        return np.asarray(gamma + noise + noisy_mean + inverse_gamma)

    (x, _), mass, log_evidence = boxed(log_height, [-40.0, -40.0], [40.0, 8.0])
    v = np.exp(x)
    found = posterior(release, prior, constrained=False)
    assert found.quadrature_error < 1e-5
    assert found.log_evidence == pytest.approx(log_evidence, abs=1e-5)
    for level in (0.1, 0.5, 0.9):
        at = float(found.variance.quantile(level))
        assert float(mass[v <= at].sum()) == pytest.approx(level, abs=0.02)  # a sum over nodes steps
        smooth = _share_below(log_height, math.log(at), log_evidence)
        assert smooth == pytest.approx(level, abs=1e-5)
    spread = 1 / (1 / std_mean**2 + 1 / (v / n + v / prior.mean_weight))
    sample_mean = prior.mean + spread / std_mean**2 * (release.mean - prior.mean)
    centre = (n * sample_mean + prior.mean_weight * prior.mean) / (n + prior.mean_weight)
    assert found.mean.mean == pytest.approx(float((mass * centre).sum()), abs=1e-6)


def _share_below(log_height: Callable[..., Array], end: float, log_evidence: float) -> float:
    _, _, log_part = boxed(log_height, [-40.0, -40.0], [end, 8.0])
    return math.exp(log_part - log_evidence)


@pytest.mark.parametrize("prior", [FlatPrior(), PowerPrior(0.6), ConjugatePrior(0.4, 3.0, 0.04, 4.0)])
def test_weighted_data_sets_from_the_prior_have_the_posterior(prior: inference.Prior) -> None:
    """No law of a sample mean or variance: truths, five values each, and the density of the noise as a weight."""
    dice = np.random.default_rng(11)
    release = NoisyMoments(n=5, mean=0.3, variance=0.08, rho_mean=0.4, rho_variance=0.4)
    count = 400_000
    if isinstance(prior, ConjugatePrior):
        v = prior.variance_weight * prior.variance / dice.chisquare(prior.variance_weight, count)
        mu = prior.mean + np.sqrt(v / prior.mean_weight) * dice.standard_normal(count)
    else:
        v = 0.25 * dice.random(count) ** (1 / (1 - prior.power))
        mu = dice.random(count)
    values = mu[:, None] + np.sqrt(v)[:, None] * dice.standard_normal((count, 5))
    y, s = values.mean(axis=1), values.var(axis=1, ddof=1)
    weight = np.exp(
        -0.5 * (((release.mean - y) / release.std[0]) ** 2 + ((release.variance - s) / release.std[1]) ** 2)
    )
    for constrained in (True, False):
        if not constrained and not isinstance(prior, ConjugatePrior):
            continue
        possible = (v <= mu * (1 - mu)) & (s <= 5 / 4 * y * (1 - y))
        mass = weight * (possible if constrained else 1.0)
        mass /= mass.sum()
        error = 4 * math.sqrt(float((mass**2).sum()))
        found = posterior(release, prior, constrained=constrained)
        for marginal, value in ((found.mean, mu), (found.variance, v)):
            for level in (0.1, 0.5, 0.9):
                assert float(mass[value <= float(marginal.quantile(level))].sum()) == pytest.approx(level, abs=error)


@pytest.mark.parametrize("n", [4, 6, 9, 60])
def test_a_flat_prior_without_the_bounds_has_its_closed_form_also_under_gaussian_noise(n: int) -> None:
    release = NoisyMoments(n=n, mean=3.0, variance=-9.0, rho_mean=0.3, rho_variance=0.1, lower=-10, upper=10)
    form, found = inference.flat_closed_form(release), posterior(release, FlatPrior(), constrained=False)
    assert found.quadrature_error < 1e-4
    assert math.log(form.evidence) == pytest.approx(found.log_evidence, abs=1e-9)
    assert found.variance.mean == form.mean_variance
    mu, variance = inference.draw_flat_unconstrained(release, 20_000, seed=n)
    for marginal, draws in ((found.mean, mu), (found.variance, variance)):
        for level in (0.1, 0.5, 0.9):
            assert float((draws <= float(marginal.quantile(level))).mean()) == pytest.approx(level, abs=0.012)
    std = release.std[1]
    total = quad(lambda s: math.exp(-0.5 * ((s + 9.0) / std) ** 2), 0, 12 * std)[0]
    first = quad(lambda s: s * math.exp(-0.5 * ((s + 9.0) / std) ** 2), 0, 12 * std)[0] / total
    assert form.mean_sample_variance == pytest.approx(first, rel=1e-7)


@pytest.mark.parametrize("at", [-1e9, -60.0, -49.0, -1.0, 0.0, 3.0, 40.0])
def test_the_moments_of_a_cut_normal_keep_their_digits(at: float) -> None:
    import mpmath

    mpmath.mp.dps = 60
    chance, first, second = GaussianMeasurement(max(at, 0.0), 1.0, min(at, 0.0)).positive_part()
    x = mpmath.mpf(at)
    below = mpmath.ncdf(x)
    hazard = mpmath.npdf(x) / below if at > -1e4 else -x + 1 / -x
    assert chance == pytest.approx(float(mpmath.log(below)), rel=1e-12) if at > -1e4 else chance < -1e17
    assert first == pytest.approx(float(x + hazard), rel=1e-8)
    if at > -1e4:
        assert second == pytest.approx(float(1 + x * (x + hazard)), rel=1e-8)


@pytest.mark.parametrize("shape", [0.5, 1.0, 1.5, 30.0, 5000.0])
@pytest.mark.parametrize("beyond", [-3.0, 0.0, 3.0])
def test_the_integral_over_a_sample_variance_is_right_up_to_every_end(shape: float, beyond: float) -> None:
    """Against Simpson's rule in the logarithm of the variance, where it is above e^-45."""
    for std, rate in ((0.01, 40.0), (0.3, 1.0), (40.0, 2e4)):
        noisy = GaussianMeasurement(0.0 if beyond < 0 else 0.2, std, beyond * std)
        tops = np.array([1e-6, 0.01, 0.17, 0.2, 0.25, 4.0])
        found = noisy.log_gamma_cut(shape, np.array([rate]), np.zeros(len(tops), dtype=int), tops)
        for top, value in zip(tops.tolist(), found.tolist(), strict=True):

            def height(x: Array, std: float = std, rate: float = rate, noisy: GaussianMeasurement = noisy) -> Array:
                s = np.exp(x)
                moved = (s - noisy.value) / std
                return np.asarray(shape * x - rate * s + moved * (beyond - 0.5 * moved))

            low = math.log(top) - 100.0
            for _ in range(3):
                x = np.linspace(low, math.log(top), 40_001)
                inside = np.flatnonzero(height(x) > height(x).max() - 45.0)
                low, high = x[max(int(inside[0]) - 1, 0)], x[min(int(inside[-1]) + 1, 40_000)]
            x = np.linspace(low, high, 40_001)
            wanted = height(x).max() + math.log(float(simpson(np.exp(height(x) - height(x).max()), x=x)))
            assert value == pytest.approx(wanted, rel=1e-12, abs=1e-8), (std, rate, top)


LEVELS = [0.05, 0.5, 0.95]


@pytest.mark.parametrize("prior", [FlatPrior(), PowerPrior(0.3)])
def test_much_of_rho_leaves_the_posterior_of_the_exact_moments(prior: FlatPrior | PowerPrior) -> None:
    """mu is a t law and sigma^2 an inverse gamma law: at n = 200, far from the bounds."""
    n, mean, variance = 200, 0.45, 0.01
    release = NoisyMoments(n=n, mean=mean, variance=variance, rho_mean=1e9, rho_variance=1e9)
    freedom = n - 3 + 2 * prior.power
    for constrained in (True, False):
        found = posterior(release, prior, constrained=constrained)
        inverse = invgamma(0.5 * freedom, scale=0.5 * (n - 1) * variance)
        student = student_t(freedom, loc=mean, scale=math.sqrt((n - 1) / freedom * variance / n))
        np.testing.assert_allclose(found.variance.quantile(LEVELS), inverse.ppf(LEVELS), atol=1e-7)
        np.testing.assert_allclose(found.mean.quantile(LEVELS), student.ppf(LEVELS), atol=1e-7)


def test_no_rho_leaves_the_prior() -> None:
    """Without the bounds that stated; with them a flat one on what can be, at many values: beta(2, 2) of mu."""
    prior = ConjugatePrior(0.3, 2.0, 0.03, 3.0)
    nothing = NoisyMoments(n=50, mean=0.9, variance=0.2, rho_mean=1e-15, rho_variance=1e-15)
    found = posterior(nothing, prior, constrained=False)
    np.testing.assert_allclose(found.variance.quantile(LEVELS), invgamma(1.5, scale=0.045).ppf(LEVELS), rtol=1e-4)
    np.testing.assert_allclose(
        found.mean.quantile(LEVELS), student_t(3.0, loc=0.3, scale=math.sqrt(0.015)).ppf(LEVELS), atol=1e-4
    )
    many = NoisyMoments(n=20_000, mean=0.9, variance=0.2, rho_mean=1e-15, rho_variance=1e-15)
    np.testing.assert_allclose(posterior(many, FlatPrior()).mean.quantile(LEVELS), beta(2, 2).ppf(LEVELS), atol=1e-3)


def test_both_laws_of_noise_agree_where_there_is_hardly_any() -> None:
    known = {"n": 30, "mean": 0.4, "variance": 0.06}
    laplace = posterior(NoisyMoments(**known, epsilon_mean=1e5, epsilon_variance=1e5), FlatPrior())  # type: ignore[arg-type]
    gauss = posterior(NoisyMoments(**known, rho_mean=1e9, rho_variance=1e9), FlatPrior())  # type: ignore[arg-type]
    np.testing.assert_allclose(laplace.mean.quantile(LEVELS), gauss.mean.quantile(LEVELS), atol=1e-5)
    np.testing.assert_allclose(laplace.variance.quantile(LEVELS), gauss.variance.quantile(LEVELS), atol=1e-5)


def test_replacing_a_value_is_paid_by_both_rho() -> None:
    """Half the squared moves, in standard deviations, are at most the rho, and some pair of data sets spends each."""
    dice = np.random.default_rng(3)
    release = NoisyMoments(n=6, mean=1.0, variance=2.0, rho_mean=0.2, rho_variance=0.7, lower=-1, upper=4)
    most = np.zeros(2)
    for values in [*(dice.choice([-1.0, 4.0, 1.5], 6) for _ in range(200)), *(dice.uniform(-1, 4, (200, 6)))]:
        for other in (-1.0, 4.0):
            moved = np.append(values[:5], other)
            means, variances = ((f(values), f(moved)) for f in (np.mean, lambda x: np.var(x, ddof=1)))
            steps = np.array([abs(np.subtract(*means)), abs(np.subtract(*variances))]) / release.std
            assert (0.5 * steps**2 <= np.array([0.2, 0.7]) * (1 + 1e-12)).all()
            most = np.maximum(most, 0.5 * steps**2)
    np.testing.assert_allclose(most, [0.2, 0.7])


def test_a_simulated_release_has_noise_of_its_rho() -> None:
    dice = np.random.default_rng(8)
    drawn = [
        inference.draw_noisy_moments([0, 20, 90], lower=10, upper=60, rho_mean=0.5, rho_variance=2.0, seed=dice)
        for _ in range(4000)
    ]
    for found, middle, std in (
        ([one.mean for one in drawn], 30, 50 / 3),
        ([one.variance for one in drawn], 700, 2500 / 6),
    ):
        assert normaltest((np.array(found) - middle) / std).pvalue > 0.001
        assert float(np.std(found)) == pytest.approx(std, rel=0.05)
    assert drawn[0].std == pytest.approx((50 / 3, 2500 / 6))


@pytest.mark.parametrize(
    ("budget", "got"),
    [
        ({}, "none"),
        ({"rho_mean": 1.0}, "rho_mean"),
        ({"rho_mean": 1.0, "epsilon_variance": 1.0}, "epsilon_variance and rho_mean"),
    ],
)
def test_a_release_has_the_budgets_of_one_law(budget: dict[str, float], got: str) -> None:
    with pytest.raises(Refused, match=f"rho_mean and rho_variance; got {got}$") as caught:
        NoisyMoments(n=5, mean=0.5, variance=0.1, **budget)  # type: ignore[arg-type]
    assert caught.value.code is Code.INCONSISTENT
    with pytest.raises(ValueError, match="rho_mean must be greater than 0"):
        NoisyMoments(n=5, mean=0.5, variance=0.1, rho_mean=0.0, rho_variance=1.0)


@pytest.mark.parametrize(
    "way",
    [
        lambda release: inference.gibbs(release, FlatPrior(), constrained=True, draws=5, seed=1),
        lambda release: inference.likelihood_constrained_posterior(release, FlatPrior()),
        lambda release: release.clipped(),
    ],
    ids=["gibbs", "likelihood constrained", "clipped"],
)
def test_what_is_for_laplace_noise_alone_refuses_gaussian_noise(way: Callable[[NoisyMoments], object]) -> None:
    release = NoisyMoments(n=20, mean=0.4, variance=0.1, rho_mean=1.0, rho_variance=1.0)
    with pytest.raises(Refused, match="release must have Laplace noise here; got Gaussian noise") as caught:
        way(release)
    assert caught.value.code is Code.UNSUPPORTED


@pytest.mark.parametrize("constrained", [True, False])
def test_draws_predictions_and_infeasible_shares_are_of_the_same_law(constrained: bool) -> None:
    release = NoisyMoments(n=12, mean=0.35, variance=0.15, rho_mean=0.1, rho_variance=0.1)
    found = posterior(release, ConjugatePrior(0.4, 3.0, 0.06, 4.0), constrained=constrained)
    mu, v = found.draw(1500, seed=4)
    for marginal, draws in ((found.mean, mu), (found.variance, v)):
        for level in LEVELS:
            assert float((draws <= float(marginal.quantile(level))).mean()) == pytest.approx(level, abs=0.05)
    if constrained:
        assert ((v <= mu * (1 - mu) + 1e-12) & (mu > 0) & (mu < 1)).all()
        return
    shares = found.infeasible
    inside = (mu > 0) & (mu < 1)
    assert shares.mean_outside == pytest.approx(float((~inside).mean()), abs=0.03)
    assert shares.variance_too_large == pytest.approx(float((inside & (v > mu * (1 - mu))).mean()), abs=0.03)
    values = mu + np.sqrt(v) * np.random.default_rng(5).standard_normal(len(mu))
    assert found.predictive.below == pytest.approx(float((values < 0).mean()), abs=0.03)
    assert found.predictive.sd == pytest.approx(float(np.std(values)), rel=0.1)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("n", "rho"), [(2, 1e-15), (43, 1e-3), (20_000, 1e-15), (20_000, 1e3)])
@pytest.mark.parametrize(("mean", "variance"), [(-1e10, 1e14), (1e10, -1e14), (0.0, 0.0)])
def test_absurd_releases_are_refused_by_code_or_answered_within_the_bounds(
    n: int, rho: float, mean: float, variance: float
) -> None:
    release = NoisyMoments(n=n, mean=mean, variance=variance, rho_mean=rho, rho_variance=rho)
    codes = set()
    try:
        found = posterior(release, GUESS)
        assert 0 <= found.mean.lower <= found.mean.upper <= 1
        assert mean != 0 or found.quadrature_error < 1e-3
    except Refused as refusal:
        codes.add(refusal.code)
    assert codes <= ({Code.INFEASIBLE} if mean else set())


def test_the_chance_of_noise_beyond_the_bounds_is_a_normal_tail() -> None:
    release = NoisyMoments(n=10, mean=-3.0, variance=0.0, rho_mean=0.5, rho_variance=0.5, lower=0.0, upper=2.0)
    assert release.std[0] == pytest.approx(0.2)
    assert release.log_chance_of_mean == pytest.approx(float(norm.logsf(15.0)))
    assert release.log_chance_of_variance == 0.0
