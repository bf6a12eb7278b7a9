"""Kinds of case in the area `attack`, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dpcore import guarantees, mechanisms
from dpcore.attacks import all_cells, many_levels, post_processed, published_chain, siblings, two_levels
from dpcore.attacks.any_release import belief_upper
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.siblings import SiblingPrior
from dpcore.guarantees import Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.populations import census_rho
from dpcore.privacy_loss import PrivacyLoss
from dpcore.promise import Promise, Secret
from tests.gaussian_counts import gaussians
from tests.reference.choices import one_of

_KINDS = {"uniform": "flat", "uniform_max": "bounded", "point": "point", "pmf_y": "siblings"}
_PRESENCE = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)
_NOISE = {"approx": "approximate", "exact": "exact"}


def _plain(value: Any) -> Any:
    """A case spells NaN and infinity as text."""
    if isinstance(value, str) and value in ("nan", "inf", "-inf"):
        return float(value)
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _side(truth: int) -> Any:
    return one_of("truth", truth, {0: "absent", 1: "present"})


def _count(rho: float, p: float, known: int = 0) -> CountAttack:
    return CountAttack(DiscreteGaussian(rho=rho), prior=p, known=known)


def _geometric(eps: float, p: float, known: int = 0) -> CountAttack:
    return CountAttack(Geometric(epsilon=eps), prior=p, known=known)


def _with_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    def answer(**inputs: Any) -> Any:
        return function(**{name: _plain(value) for name, value in inputs.items()})

    return answer


def _prior(prior: Mapping[str, Any] | None) -> SiblingPrior:
    given = dict(prior or {"kind": "uniform"})
    kind = given.get("kind")
    if kind not in _KINDS:
        raise ValueError(f"kind must be one of {sorted(_KINDS)}; got {kind!r}")
    return SiblingPrior(_KINDS[str(kind)], total=_plain(given.get("K")), weights=_plain(given.get("w")))


def _design(
    rho1: float,
    rho2: float,
    d: int,
    p: float,
    known: int = 0,
    prior: Mapping[str, Any] | None = None,
    noise: str = "approx",
) -> two_levels.TwoLevels:
    if noise not in _NOISE:
        raise ValueError(f"noise must be one of {sorted(_NOISE)}; got {noise!r}")
    return two_levels.TwoLevels(
        rho_block=rho1,
        rho_group=rho2,
        siblings=d,
        prior=p,
        known=known,
        sibling_prior=_prior(prior),
        noise=_NOISE[noise],
    )


def _effects(x1: int, x2: int, **design: Any) -> two_levels.Effects:
    return two_levels.effects(block=x1, group=x2, design=_design(**design))


def _chain_effects(x1: int, x2: int, **design: Any) -> list[float]:
    result = published_chain.effects(block=x1, group=x2, design=_design(**design))
    return [result.decides_counted, result.switched_to_counted, result.switched_to_not]


def _all_effects(**inputs: Any) -> list[float]:
    result = _effects(**inputs)
    return [
        result.decides_counted,
        result.marginal_posterior,
        result.switched_to_counted,
        result.switched_to_not,
    ]


def _chain(
    x_stars: Sequence[int],
    s_stars: Sequence[int],
    ds: Sequence[int],
    rhos: Sequence[float],
    known: int = 0,
    noise: str = "approx",
) -> float:
    if noise not in _NOISE:
        raise ValueError(f"noise must be one of {sorted(_NOISE)}; got {noise!r}")
    return many_levels.log_odds(x_stars, s_stars, rhos=rhos, siblings_per_level=ds, known=known, noise=_NOISE[noise])


def _total_risk(x_stars: Sequence[int], rhos: Sequence[float], p: float, knowns: Any = None) -> float:
    return float(gaussians(rhos, p, knowns).risks(x_stars).prod())


def _decision_pair(**inputs: Any) -> list[float]:
    result = _effects(**inputs)
    return [result.decides_counted, result.tie]


def _switches(**inputs: Any) -> list[float]:
    result = _effects(**inputs)
    return [result.switched_to_counted, result.switched_to_not]


ANSWERS: dict[str, Callable[..., Any]] = {
    name: _with_numbers(function)
    for name, function in {
        "dg_pmf": lambda z, rho: np.exp(mechanisms.discrete_gaussian_log_pmf(z, rho=rho)),
        "dg_logpmf": lambda z, rho: mechanisms.discrete_gaussian_log_pmf(z, rho=rho),
        "dg_log_normaliser": lambda rho: mechanisms.discrete_gaussian_log_normaliser(rho),
        "dg_variance": lambda rho: mechanisms.discrete_gaussian_variance(rho),
        "dg_tail_ge": lambda k, rho: np.exp(mechanisms.discrete_gaussian_log_tail(k, rho=rho)),
        "dg_delta": lambda eps, rho: float(PrivacyLoss.of(DiscreteGaussian(rho=rho)).delta_at(eps)),
        "gauss_delta": lambda eps, rho: guarantees.gaussian_delta(epsilon=eps, rho=rho),
        "zcdp_to_eps": lambda rho, delta: guarantees.approximate_epsilon_from_rho(rho=rho, delta=delta),
        "zcdp_to_eps_best_order": lambda rho, delta: guarantees.approximate_epsilon_from_rho_best_order(
            rho=rho, delta=delta
        ),
        "census_rho": lambda level, query="GVHR", total_rho=2.56: census_rho(level, query=query, total_rho=total_rho),
        "log_odds": lambda x_star, rho, p, known=0: CountAttack(
            DiscreteGaussian(rho=rho), prior=p, known=known
        ).log_odds(x_star),
        "posterior": lambda x_star, rho, p, known=0: CountAttack(
            DiscreteGaussian(rho=rho), prior=p, known=known
        ).posterior(x_star),
        "risk": lambda x_star, rho, p, known=0: _count(rho, p, known).risk(x_star),
        "prob_release": lambda x_star, rho, truth=1, known=0: CountAttack(
            DiscreteGaussian(rho=rho), prior=0.5, known=known
        ).release_probability(x_star, side=_side(truth)),
        "marginal_posterior": lambda rho, p, truth=1: CountAttack(
            DiscreteGaussian(rho=rho), prior=p
        ).marginal_posterior(side=_side(truth)),
        "marginal_risk": lambda rho, p: _count(rho, p).marginal_risk(),
        "marginal_bound": lambda rho, p: belief_upper(
            ZeroConcentratedDP(rho=rho),
            prior=p,
            promise=_PRESENCE,
        ),
        "decision_threshold": lambda rho, p, known=0: CountAttack(
            DiscreteGaussian(rho=rho), prior=p, known=known
        ).decision_threshold(),
        "prob_correct": lambda rho, p, truth=1: _count(rho, p).probability_right(side=_side(truth)),
        "geometric_posterior": lambda x_star, eps, p, known=0: CountAttack(
            Geometric(epsilon=eps), prior=p, known=known
        ).posterior(x_star),
        "geometric_marginal": lambda eps, p, truth=1: _geometric(eps, p).marginal_posterior(side=_side(truth)),
        "missing_people_posterior": lambda x_star, rho, p, others, known=0: CountAttack(
            DiscreteGaussian(rho=rho), prior=p, known=known
        ).missing_people_posterior(x_star, others=others),
        "all_cells_posterior": lambda resid, rho, prior: all_cells.posterior(
            resid, mechanism=DiscreteGaussian(rho=rho), prior=prior
        ).tolist(),
        "unique_posterior": lambda x_stars, rhos, p, knowns=None: gaussians(rhos, p, knowns).posterior(x_stars),
        "unique_marginal": lambda rhos, p, truth=1: gaussians(rhos, p).marginal_posterior(side=_side(truth)),
        "unique_prob_decide_h1": lambda rhos, p, truth=1: gaussians(rhos, p).probability_decides_counted(
            side=_side(truth)
        ),
        "composed_risks": lambda x_stars, rhos, p, knowns=None: gaussians(rhos, p, knowns).risks(x_stars).tolist(),
        "composed_total_risk": _total_risk,
        "sum_noise_logpmf": lambda n, rho, s: siblings.sum_noise_log_probability(s, terms=n, rho=rho),
        "sum_noise_tv": lambda n, rho: siblings.sum_noise_error(terms=n, rho=rho),
        "prior": lambda **given: _prior(given),
        "hier_posterior": lambda x1_star, x2_star, y_star, **design: two_levels.posterior(
            x1_star, x2_star, y_star, design=_design(**design)
        ),
        "hier_x2_posterior": lambda x1_star, x2_star, y_star, k2, **design: two_levels.group_posterior(
            k2, x1_star, x2_star, y_star, design=_design(**design)
        ).tolist(),  # type: ignore[union-attr]
        "published_chain_posterior": lambda x1_star, x2_star, y_star, **design: published_chain.posterior(
            x1_star, x2_star, y_star, design=_design(**design)
        ),
        "published_chain_effects": _chain_effects,
        "hier_effects": _all_effects,
        "hier_marginal_posterior": lambda **inputs: _effects(**inputs).marginal_posterior,
        "hier_prob_decide_h1": lambda **inputs: _effects(**inputs).decides_counted,
        "hier_prob_decide_h1_and_tie": _decision_pair,
        "hier_switch_mass": _switches,
        "effective_rho": lambda rhos, ds: many_levels.effective_rho(rhos, siblings=ds),
        "chain_log_odds": _chain,
        "sibling_kernel_posterior": lambda x1_star, x2_star, y_stars, leaf_prior, rho1, rho2, p, known=0: (
            two_levels.sibling_kernel_posterior(
                x1_star,
                x2_star,
                y_stars,
                sibling_weights=leaf_prior,
                rho_block=rho1,
                rho_group=rho2,
                prior=p,
                known=known,
            )
        ),
        "postprocess_count": lambda x1_star, y_star, x2_tilde, d, rounding="half_even": post_processed.fitted_count(
            x1_star, y_star, group=x2_tilde, siblings=d, rounding=rounding
        ),
        "postprocess_marginal": lambda x2_tilde, rho1, d, p, x2=1, rounding="half_even": (
            post_processed.marginal_posterior(
                group=x2_tilde, rho=rho1, siblings=d, prior=p, true_group=x2, rounding=rounding
            )
        ),
        "postprocess_bound": lambda rho1, d, p: post_processed.marginal_posterior_upper(rho=rho1, siblings=d, prior=p),
    }.items()
}
