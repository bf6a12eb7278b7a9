"""Kinds of case in the area `inference`, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpcore import inference
from dpcore.inference.coverage import simulate_setting, unconstrained_length_slope, unconstrained_rmse

Prior = inference.FlatPrior | inference.PowerPrior | inference.ConjugatePrior


def number(value: Any) -> Any:
    """Cases spell what JSON cannot hold as text: "inf", "-inf", "nan"."""
    return float(value) if value in ("inf", "-inf", "nan") else value


def printed(law: Any) -> dict[str, Any]:
    """The parameters of a law to the twelve digits in which the cases print them."""
    return {name: value if value is None else float(f"{value:.12g}") for name, value in vars(law).items()}


def prior_of(prior: Mapping[str, Any]) -> Prior:
    """The prior a case describes."""
    kind = prior["kind"]
    if kind == "flat":
        return inference.FlatPrior()
    if kind == "power":
        return inference.PowerPrior(number(prior["a"]))
    if kind == "conjugate":
        return inference.ConjugatePrior(*(number(prior[key]) for key in ("mu0", "k0", "s20", "v0")))
    raise ValueError(f"kind must be 'flat', 'power' or 'conjugate'; got {kind!r}")


def solved(
    n: Any,
    ystar: Any,
    s2star: Any,
    eps1: Any,
    eps2: Any,
    prior: Mapping[str, Any],
    constrained: bool = True,
    sigma2_cap: Any = None,
    a: Any = 0,
    b: Any = 1,
) -> inference.Posterior:
    """The posterior a case asks about."""
    release = inference.NoisyMoments(
        n=n,
        mean=number(ystar),
        variance=number(s2star),
        epsilon_mean=number(eps1),
        epsilon_variance=number(eps2),
        lower=number(a),
        upper=number(b),
    )
    cap = None if sigma2_cap is None else number(sigma2_cap)
    return inference.posterior(release, prior_of(prior), constrained=constrained, variance_cap=cap)


def posterior(level: Any = 0.95, **inputs: Any) -> dict[str, Any]:
    result = solved(**inputs)
    mu, s2 = result.mean, result.variance
    answer = {
        "mean_mu": mu.mean,
        "mode_mu": mu.mode,
        "mean_s2": s2.mean,
        "sd_mu": mu.sd,
        "sd_s2": s2.sd,
        "log_evidence": result.log_evidence,
    }
    for name, marginal in (("mu", mu), ("s2", s2)):
        answer[f"q025_{name}"], answer[f"q50_{name}"], answer[f"q975_{name}"] = (
            float(value) for value in marginal.quantile([0.025, 0.5, 0.975])
        )
        answer[f"hpd95_{name}"] = list(marginal.shortest_interval(level))
    if not result.constrained and result.variance_cap is None:
        answer["prob_sigma2_infeasible_mu_inside"] = result.infeasible.variance_too_large
        answer["prob_mu_outside"] = result.infeasible.mean_outside
    return answer


def hpd(level: Any = 0.95, **inputs: Any) -> dict[str, Any]:
    result = solved(**inputs)
    return {
        "hpd_mu": list(result.mean.shortest_interval(level)),
        "hpd_s2": list(result.variance.shortest_interval(level)),
    }


def density(mu: Any, s2: Any, **inputs: Any) -> dict[str, Any]:
    result = solved(**inputs)
    return {
        "pdf_mu": np.asarray(result.mean.density(mu)).tolist(),
        "cdf_mu": np.asarray(result.mean.cdf(mu)).tolist(),
        "pdf_s2": np.asarray(result.variance.density(s2)).tolist(),
        "cdf_s2": np.asarray(result.variance.cdf(s2)).tolist(),
    }


def modes(**inputs: Any) -> dict[str, Any]:
    result = solved(**inputs)
    mean, variance = result.joint_mode
    return {
        "marginal_mode_mu": result.mean.mode,
        "marginal_mode_s2": result.variance.mode,
        "joint_mode_mu": mean,
        "joint_mode_s2": variance,
    }


def predictive(**inputs: Any) -> dict[str, Any]:
    result = solved(**inputs)
    new = result.predictive
    answer = {"mean": new.mean, "sd": new.sd, "below": new.below, "above": new.above}
    if not result.constrained:
        answer |= {"sd_clipped": new.sd_recoded, "sd_if_cut_normal": new.sd_cut_normal}
    return answer


def example4_predictive(**inputs: Any) -> dict[str, Any]:
    new = solved(**inputs).predictive
    return {
        "below": new.below,
        "above": new.above,
        "sd": new.sd,
        "sd_recoded": new.sd_recoded,
        "sd_cut_normal": new.sd_cut_normal,
    }


def prob_infeasible(**inputs: Any) -> dict[str, Any]:
    share = solved(**inputs).infeasible
    return {"inside": share.variance_too_large, "mu_outside": share.mean_outside}


def hpd_sigma(**inputs: Any) -> list[float]:
    return [math.sqrt(end) for end in solved(**inputs).variance.shortest_interval(0.95)]


def closed_form(n: Any, ystar: Any, s2star: Any, eps1: Any, eps2: Any) -> dict[str, Any]:
    release = inference.NoisyMoments(
        n=n, mean=number(ystar), variance=number(s2star), epsilon_mean=number(eps1), epsilon_variance=number(eps2)
    )
    form = inference.flat_closed_form(release)
    return {
        "mean_sample_variance": form.mean_sample_variance,
        "mean_s2": form.mean_variance,
        "mean_mu": form.mean_mean,
        "var_mu": form.variance_mean,
        "predictive_sd": form.predictive_sd,
        "evidence": form.evidence,
    }


def _summary(result: inference.Posterior) -> tuple[np.ndarray, np.ndarray]:
    levels = [0.025, 0.25, 0.5, 0.75, 0.975]
    return np.asarray(result.mean.quantile(levels)), np.asarray(result.variance.quantile(levels))


def _identity(claim: str, tolerance: float, expected_mean: Callable[..., Any]) -> Callable[..., str]:
    def answer(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
        (mean, variance), (other_mean, other_variance) = (_summary(solved(**inputs)) for inputs in (first, second))
        wanted = expected_mean(mean, first, second)
        same = np.allclose(variance, other_variance, rtol=0, atol=tolerance)
        if wanted is not None:
            same = same and np.allclose(wanted, other_mean, rtol=0, atol=tolerance)
        return claim if same else "different"

    return answer


def translation(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    shift = second["ystar"] - first["ystar"]
    claim = f"mu shifts by {shift:g}, sigma2 unchanged"
    return _identity(claim, 1e-9, lambda mean, *_: mean + shift)(first, second)


def tgm(alpha: Any, beta: Any, lam: Any, tau: Any, upper: Any = None) -> dict[str, Any]:
    law = inference.TruncatedGammaMixture(
        number(alpha), number(beta), number(lam), number(tau), math.inf if upper is None else number(upper)
    )
    quantiles = [float(value) for value in np.asarray(law.quantile([0.1, 0.5, 0.9]))]
    return {
        "mean": law.mean,
        "weight_lower": law.weight_lower,
        "quantiles_10_50_90": quantiles,
        "log_norm": law.log_norm,
        "pdf_at_median": law.density(quantiles[1]),
        "cdf_at_mean": law.cdf(law.mean),
    }


def propriety(prior: Mapping[str, Any], constrained: bool, n: Any, sigma2_cap: Any = None) -> str:
    cap = None if sigma2_cap is None else number(sigma2_cap)
    decision = inference.propriety(n, prior_of(prior), constrained=constrained, variance_cap=cap)
    return "proper" if decision.proper else "improper"


def conditional_mu(n: Any, sigma2: Any, ybar: Any, prior: Mapping[str, Any], constrained: bool) -> dict[str, Any]:
    return printed(
        inference.conditional_mean(
            n=n, variance=sigma2, sample_mean=ybar, prior=prior_of(prior), constrained=constrained
        )
    )


def conditional_sigma2(
    n: Any, mu: Any, ybar: Any, s2: Any, prior: Mapping[str, Any], constrained: bool
) -> dict[str, Any]:
    return printed(
        inference.conditional_variance(
            n=n, mean=mu, sample_mean=ybar, sample_variance=s2, prior=prior_of(prior), constrained=constrained
        )
    )


def conditional_ybar(
    n: Any, mu: Any, sigma2: Any, ystar: Any, inv_omega2: Any, s2: Any, constrained: bool
) -> dict[str, Any]:
    return printed(
        inference.conditional_sample_mean(
            n=n,
            mean=mu,
            variance=sigma2,
            noisy_mean=ystar,
            inverse_omega2=inv_omega2,
            sample_variance=s2,
            constrained=constrained,
        )
    )


def conditional_inv_omega2(n: Any, eps1: Any, ystar: Any, ybar: Any) -> dict[str, Any]:
    return printed(inference.conditional_inverse_omega2(n=n, epsilon_mean=eps1, noisy_mean=ystar, sample_mean=ybar))


def conditional_s2(
    n: Any, sigma2: Any, eps2: Any, s2star: Any, ybar: Any = 0.5, constrained: bool = True
) -> dict[str, Any]:
    law = printed(
        inference.conditional_sample_variance(
            n=n,
            variance=sigma2,
            epsilon_variance=eps2,
            noisy_variance=s2star,
            sample_mean=ybar,
            constrained=constrained,
        )
    )
    return dict(zip(("alpha", "beta", "lam", "tau", "upper"), law.values(), strict=True))


def prior_marginal_mu(prior: Mapping[str, Any], constrained: bool) -> dict[str, Any]:
    if not constrained:
        raise ValueError(f"constrained must be True: the unconstrained prior has no law; got {constrained!r}")
    law = inference.feasible_prior_mean(prior_of(prior))  # type: ignore[arg-type]
    return {
        "distribution": f"Beta({law.shape:g},{law.shape:g})",
        "mean": law.mean,
        "sd": law.sd,
        "q025": law.quantile(0.025),
        "q975": law.quantile(0.975),
        "mean_s2": law.mean_variance,
        "prob_s2_above_quarter": 0,
    }


def to_unit(a: Any, b: Any, ystar: Any, s2star: Any) -> dict[str, float]:
    mean, variance = inference.to_unit(lower=number(a), upper=number(b), mean=number(ystar), variance=number(s2star))
    return {"ystar": mean, "s2star": variance}


def noise_scale(a: Any, b: Any, n: Any, eps1: Any, eps2: Any) -> dict[str, float]:
    mean, variance = inference.noise_scales(lower=a, upper=b, n=n, epsilon_mean=eps1, epsilon_variance=eps2)
    return {"mean_scale": mean, "var_scale": variance}


def sums_of(sums: Mapping[str, Any]) -> list[Any]:
    return [number(sums[name]) for name in ("x", "xx", "y", "xy", "yy")]


def regression_prior(prior: Mapping[str, Any]) -> inference.RegressionPrior:
    return inference.RegressionPrior(prior["m0"], prior["L0"], prior["a0"], prior["b0"])


def regression_posterior(
    n: Any,
    noisy_sums: Mapping[str, Any],
    eps_each: Any,
    prior: Mapping[str, Any],
    include_missing_inequality: bool = True,
    parameter_constraints: bool = True,
) -> dict[str, Any]:
    result = inference.regression_posterior(
        inference.NoisySums(n, *sums_of(noisy_sums), epsilon_each=number(eps_each)),
        regression_prior(prior),
        include_missing_inequality=include_missing_inequality,
        parameter_constraints=parameter_constraints,
    )
    return {
        "mean": result.mean(),
        "sd": result.sd(),
        "q025": result.quantile(0.025),
        "q975": result.quantile(0.975),
    }


def regression_no_noise(n: Any, sums: Mapping[str, Any], prior: Mapping[str, Any]) -> dict[str, Any]:
    fit = inference.conjugate_regression(n, sums_of(sums), regression_prior(prior))
    return {
        "theta_mean": list(fit.mean),
        "theta_sd": list(fit.sd),
        "shape": fit.shape,
        "rate": fit.rate,
        "mean_s2": fit.mean_variance,
        "ols": list(fit.least_squares),
    }


def param_feasible(points: Any) -> dict[str, Any]:
    return {"feasible": inference.feasible_parameters(*np.asarray(points, dtype=float).T).tolist()}


def population(data: str) -> tuple[float, float]:
    """Mean and standard deviation of "normal(0.1, 0.04^2) cut to [0,1]"."""
    found = re.fullmatch(r"normal\(([\d.]+), ([\d.]+)\^2\) cut to \[0, ?1\]", data)
    if found is None:
        raise ValueError(f"data must name a normal law cut to [0,1]; got {data!r}")
    return float(found[1]), float(found[2])


def coverage(
    n: Any,
    eps1: Any,
    eps2: Any,
    data: str,
    prior: Mapping[str, Any],
    level: Any = 0.95,
    estimator: str = "posterior mode of mu",
) -> dict[str, Any]:
    if prior["kind"] != "flat":
        raise ValueError(f"prior must be flat in the study; got {prior['kind']!r}")
    mean, sd = population(data)
    result = simulate_setting(
        np.random.default_rng(4),
        n=n,
        epsilon_mean=number(eps1),
        epsilon_variance=number(eps2),
        mean=mean,
        sd=sd,
        points=5,
        level=level,
    )
    return {"unconstrained": vars(result.unconstrained), "constrained": vars(result.constrained)}


def length_slope(eps1: Any, eps2: Any, data: str, n: Any, constrained: bool = False) -> dict[str, Any]:
    if constrained:
        raise ValueError(f"constrained must be False: footnote 4 is about the unconstrained length; got {constrained}")
    mean, sd = population(data)
    slope = unconstrained_length_slope(
        np.random.default_rng(4), sizes=n, epsilon_mean=eps1, epsilon_variance=eps2, mean=mean, sd=sd
    )
    return {"slope_log_length_on_log_n": slope}


def rmse_closed_form(n: Any, eps1: Any, sigma: Any, constrained: bool = False) -> float:
    if constrained:
        raise ValueError(f"constrained must be False for the closed form; got {constrained}")
    return unconstrained_rmse(n=n, epsilon_mean=number(eps1), sd=number(sigma))


def likelihood_constrained(
    n: Any, ystar: Any, s2star: Any, eps1: Any, eps2: Any, prior: Mapping[str, Any]
) -> dict[str, Any]:
    release = inference.NoisyMoments(
        n=n, mean=number(ystar), variance=number(s2star), epsilon_mean=number(eps1), epsilon_variance=number(eps2)
    )
    result = inference.likelihood_constrained_posterior(release, prior_of(prior))  # type: ignore[arg-type]
    return {
        "mean_mu": result.mean,
        "sd_mu": result.mean_sd,
        "mean_s2": result.variance,
        "sd_s2": result.variance_sd,
    }


ANSWERS: dict[str, Callable[..., Any]] = {
    "conditional.inv_omega2": conditional_inv_omega2,
    "conditional.mu": conditional_mu,
    "conditional.s2": conditional_s2,
    "conditional.sigma2": conditional_sigma2,
    "conditional.ybar": conditional_ybar,
    "example4.hpd_mu": lambda **inputs: list(solved(**inputs).mean.shortest_interval(0.95)),
    "example4.hpd_sigma": hpd_sigma,
    "example4.predictive": example4_predictive,
    "example4.prob_infeasible": prob_infeasible,
    "flat_unconstrained.closed_form": closed_form,
    "identity.equal_posteriors": _identity("equal", 1e-9, lambda mean, *_: mean),
    "identity.mirror": _identity("mu -> 1 - mu, sigma2 unchanged", 1e-6, lambda mean, *_: 1.0 - mean[::-1]),
    "identity.s2_ignores_ystar": _identity("same sigma2 marginal", 1e-9, lambda *_: None),
    "identity.translation": translation,
    "likelihood_constrained.posterior": likelihood_constrained,
    "log_sstar_given_sigma2": lambda s2star, sigma2, n, eps2: inference.log_noisy_variance_likelihood(
        noisy_variance=number(s2star), variance=number(sigma2), n=n, epsilon_variance=number(eps2)
    ),
    "normal_laplace": lambda d, sd, rate: {
        "logpdf": inference.normal_laplace_log_density(d, sd, rate),
        "cdf": inference.normal_laplace_cdf(d, sd, rate),
    },
    "posterior": posterior,
    "posterior.density": density,
    "posterior.hpd": hpd,
    "posterior.modes": modes,
    "posterior.predictive": predictive,
    "prior.marginal_mu": prior_marginal_mu,
    "propriety": propriety,
    "regression.feasible": lambda n, sums: {"feasible": inference.feasible_sums(n, sums_of(sums))},
    "regression.no_noise": regression_no_noise,
    "regression.param_feasible": param_feasible,
    "regression.posterior": regression_posterior,
    "rescale.noise_scale": noise_scale,
    "rescale.to_unit": to_unit,
    "simulation.coverage": coverage,
    "simulation.length_slope": length_slope,
    "simulation.rmse_closed_form": rmse_closed_form,
    "tgm.summary": tgm,
}
