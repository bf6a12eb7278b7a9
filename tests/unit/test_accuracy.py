"""What a budget costs and what an accuracy needs: known values, closed forms, refusals."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import pytest
from scipy.special import ndtri

from dpcore import accuracy as a
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP, gaussian_delta
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace


@pytest.mark.parametrize("noise", a.NOISES)
def test_a_budget_buys_the_named_noise(noise: Any) -> None:
    mechanism = a.noise_with_budget(0.7, noise, sensitivity=2)
    assert type(mechanism).__name__.lower() == noise.replace("_", "")
    assert mechanism.sensitivity == 2
    assert getattr(mechanism, "epsilon", None) == 0.7 or getattr(mechanism, "rho", None) == 0.7


def test_noise_under_a_guarantee_gives_it() -> None:
    approximate = ApproximateDP(epsilon=1.0, delta=1e-6)
    gaussian = a.noise_under(approximate, "gaussian")
    assert isinstance(gaussian, Gaussian)
    assert gaussian_delta(epsilon=1.0, rho=gaussian.rho) == pytest.approx(1e-6, rel=1e-9)
    discrete = a.noise_under(approximate, "discrete_gaussian")
    assert isinstance(discrete, DiscreteGaussian)
    assert discrete.rho < gaussian.rho
    assert discrete.guarantee.epsilon_at(1e-6) == pytest.approx(1.0)
    probabilistic = ProbabilisticDP(epsilon=1.0, delta=0.01)
    for noise in ("gaussian", "discrete_gaussian"):
        shift = a.noise_under(probabilistic, noise).guarantee.probabilistic_epsilon(0.01)  # type: ignore[arg-type]
        assert shift >= 1.0 - 1e-9 if noise == "gaussian" else shift == pytest.approx(1.0)
    assert a.noise_under(ZeroConcentratedDP(rho=0.5), "geometric") == Geometric(epsilon=1.0)
    assert a.noise_under(ZeroConcentratedDP(rho=0.5), "gaussian", sensitivity=3) == Gaussian(rho=0.5, sensitivity=3)
    assert a.noise_under(PureDP(epsilon=0.3), "laplace") == Laplace(epsilon=0.3)


def test_the_error_of_a_count_holds_together() -> None:
    error = a.count_error(Geometric(epsilon=0.5108256237659907), level=0.9)
    assert round(error.root_mean_square, 2) == 2.74
    assert error.probability_exact == pytest.approx(0.25)
    assert error.within >= 0.9
    assert a.count_error(Gaussian(rho=0.5)).half_width == pytest.approx(ndtri(0.975))


def test_the_target_of_example_3() -> None:
    target = a.RateTarget(total=4012, target_per_thousand=6.0)
    assert target.target_count == 24
    assert target.deviation_counts([0.25, 0.5, 1, 2]) == (1, 2, 4, 8)


def test_ties_go_to_the_even_count_on_decimal_digits() -> None:
    assert a.RateTarget(total=1000, target_per_thousand=2.5).target_count == 2
    assert a.RateTarget(total=1000, target_per_thousand=3.5).target_count == 4
    assert a.RateTarget(total=100, target_per_thousand=1.15).deviation_counts(1.15) == (0,)
    assert a.RateTarget(total=10_000, target_per_thousand=0.35).target_count == 4  # 3.5 on digits, 3.4999 in floats


@pytest.mark.parametrize("noise", a.NOISES)
def test_the_wrong_side_is_counted_by_listing_the_published_counts(noise: Any) -> None:
    mechanism, target = a.noise_with_budget(0.6, noise), 24
    for truth in (16, 23, 24, 25, 32):
        published = range(target - 400, target + 401)

        def chance(count: int, truth: int = truth) -> float:
            difference = count - truth
            if noise in ("geometric", "discrete_gaussian"):
                return float(mechanism.pmf(difference))  # type: ignore[union-attr]
            return float(mechanism.cdf(difference + 0.5) - mechanism.cdf(difference - 0.5))

        wrong = sum(chance(count) for count in published if (count <= target) != (truth <= target))
        assert a.wrong_side_probability(mechanism, excess=truth - target) == pytest.approx(wrong, rel=1e-9, abs=1e-14)


def test_the_other_direction_is_safer_by_the_factor_e_to_the_epsilon() -> None:
    mechanism = Geometric(epsilon=0.747214401830221)
    above, below = (a.wrong_side_probability(mechanism, excess=k) for k in (4, -4))
    assert above / below == pytest.approx(math.exp(mechanism.epsilon))
    assert above == pytest.approx(0.034162622623039596)


@pytest.mark.parametrize("noise", a.NOISES)
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_the_smallest_budget_suffices_and_slightly_less_does_not(noise: Any, sensitivity: int) -> None:
    def budget(mechanism: Any) -> float:
        return float(mechanism.epsilon if hasattr(mechanism, "epsilon") else mechanism.rho)

    def reached(mechanism: Any, name: str) -> bool:
        return bool(
            {
                "std": mechanism.std <= 2.5,
                "range": mechanism.half_width(0.95) <= 10,
                "exact": mechanism.probability_exact >= 0.7 * (1 - 1e-13),
                "side": a.wrong_side_probability(mechanism, excess=-2) <= 0.05 * (1 + 1e-13),
            }[name]
        )

    found = {
        "std": a.noise_for_std(2.5, noise, sensitivity=sensitivity),
        "range": a.noise_for_range(10, noise, sensitivity=sensitivity),
        "exact": a.noise_for_exact(0.7, noise, sensitivity=sensitivity),
        "side": a.noise_for_wrong_side(0.05, noise, excess=-2, sensitivity=sensitivity),
    }
    for name, mechanism in found.items():
        assert reached(mechanism, name), name
        less = a.noise_with_budget(budget(mechanism) * (1 - 1e-9), noise, sensitivity=sensitivity)
        assert not reached(less, name), name


def test_closed_forms_agree_with_the_roots() -> None:
    geometric = a.noise_for_std(1.7, "geometric")
    assert isinstance(geometric, Geometric)
    assert geometric.epsilon == pytest.approx(2 * math.asinh(1 / (math.sqrt(2) * 1.7)), rel=1e-12)
    exact = a.noise_for_exact(0.6, "geometric", sensitivity=2)
    assert isinstance(exact, Geometric)
    assert exact.epsilon == pytest.approx(2 * 2 * math.atanh(0.6), rel=1e-12)
    laplace = a.noise_for_range(10, "laplace", level=0.9)
    assert isinstance(laplace, Laplace)
    assert laplace.epsilon == pytest.approx(math.log(10) / 10, rel=1e-12)
    gaussian = a.noise_for_range(10, "gaussian", level=0.9)
    assert gaussian.std == pytest.approx(10 / ndtri(0.95), rel=1e-12)


def exactly_within(mechanism: Any, width: float) -> Any:
    """P[|noise| <= width] in mpmath, from the definition of each law."""
    size = mpmath.mpf(mechanism.sensitivity)
    if isinstance(mechanism, Laplace):
        return -mpmath.expm1(-width * mpmath.mpf(mechanism.epsilon) / size)
    if isinstance(mechanism, Gaussian):
        return mpmath.erf(width * mpmath.sqrt(mpmath.mpf(mechanism.rho)) / size)
    if isinstance(mechanism, Geometric):
        fall = mpmath.exp(-mpmath.mpf(mechanism.epsilon) / size)
        return (1 + fall - 2 * fall ** (int(width) + 1)) / (1 + fall)
    c = mpmath.mpf(mechanism.rho) / size**2
    normaliser = (
        mpmath.jtheta(3, 0, mpmath.exp(-c))
        if c > 1
        else mpmath.sqrt(mpmath.pi / c) * mpmath.jtheta(3, 0, mpmath.exp(-(mpmath.pi**2) / c))
    )
    return (1 + 2 * mpmath.fsum(mpmath.exp(-c * k * k) for k in range(1, int(width) + 1))) / normaliser


@pytest.mark.parametrize("noise", a.NOISES)
@pytest.mark.parametrize("chance", [1e-12, 3e-12, 1e-8, 1e-3, 0.499, 0.7, 1 - 1e-9])
def test_a_wanted_chance_is_never_missed(noise: str, chance: float) -> None:
    """Neither of a small chance nor of a small chance of the opposite, by more than 1e-11 of it."""
    wishes = [(a.noise_for_exact(chance, noise, sensitivity=size), 0) for size in (1, 3)]  # type: ignore[arg-type]
    wishes += [(a.noise_for_range(width, noise, level=chance), width) for width in (1, 7, 1500)]  # type: ignore[arg-type]
    with mpmath.workdps(50):
        for mechanism, width in wishes:
            reach = width or (0 if mechanism.is_whole else 0.5)
            found = exactly_within(mechanism, reach)
            over = (found - mpmath.mpf(chance)) / min(chance, 1 - chance)
            assert 0 <= over < 1e-11, (mechanism, width)
            assert mechanism.probability_within(reach) == pytest.approx(float(found), rel=1e-13)


def test_far_wishes_are_met_too() -> None:
    assert a.noise_for_std(1e8, "discrete_gaussian").std == pytest.approx(1e8)
    assert a.noise_for_std(1e-3, "geometric").std <= 1e-3
    assert a.noise_for_range(0, "geometric", level=0.999999).half_width(0.999999) == 0


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: a.noise_with_budget(1.0, "uniform"), "noise must be one of 'geometric', .*; got 'uniform'"),  # type: ignore[arg-type]
        (lambda: a.noise_with_budget(0.0, "laplace"), r"epsilon must be greater than 0 and finite; got 0\.0"),
        (
            lambda: a.noise_with_budget(1.0, "geometric", sensitivity=0.5),
            r"sensitivity must be a whole number of at least 1; got 0\.5",
        ),
        (
            lambda: a.noise_under(PureDP(epsilon=1.0), "gaussian"),
            "guarantee must allow a failure probability for Gaussian noise; got PureDP",
        ),
        (
            lambda: a.noise_under(ApproximateDP(epsilon=1.0, delta=0.0), "discrete_gaussian"),
            "guarantee must allow a failure probability for Gaussian noise; got ApproximateDP",
        ),
        (lambda: a.count_error(Geometric(epsilon=1.0), level=1.0), r"level must lie in \[0, 1\); got 1\.0"),
        (lambda: a.RateTarget(total=0, target_per_thousand=6.0), "total must be a whole number of at least 1; got 0"),
        (
            lambda: a.RateTarget(total=10, target_per_thousand=-1.0),
            r"target_per_thousand must be at least 0 and finite; got -1\.0",
        ),
        (
            lambda: a.wrong_side_probability(Geometric(epsilon=1.0), excess=0.5),
            r"excess must be a whole number; got 0\.5",
        ),
        (lambda: a.noise_for_std(0.0, "laplace"), r"std must lie in \(0, 1e\+100\]; got 0\.0"),
        (lambda: a.noise_for_range(-1.0, "geometric"), r"half_width must lie in \[0, 1e\+100\]; got -1\.0"),
        (lambda: a.noise_for_range(0.0, "gaussian"), r"half_width must lie in \(0, 1e\+100\]; got 0\.0"),
        (lambda: a.noise_for_range(1.0, "gaussian", level=1.0), r"level must lie in \[1e-12, 1\); got 1\.0"),
        (lambda: a.noise_for_exact(1.0, "gaussian"), r"probability_exact must lie in \[1e-12, 1\); got 1\.0"),
        (
            lambda: a.noise_for_exact(1e-16, "discrete_gaussian"),
            r"probability_exact must lie in \[1e-12, 1\); got 1e-16",
        ),
        (lambda: a.noise_for_range(3, "geometric", level=1e-16), r"level must lie in \[1e-12, 1\); got 1e-16"),
        (lambda: a.noise_for_wrong_side(0.5, "gaussian", excess=1), r"largest must lie in \(0, 0\.5\); got 0\.5"),
    ],
)
def test_a_refusal_names_the_argument_the_rule_and_the_value(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()
