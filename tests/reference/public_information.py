"""Kinds of case on public information, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from dpcore import public_information as public
from dpcore.acs_like import acs_like
from dpcore.guarantees import (
    approximate_epsilon_from_concentrated,
    approximate_epsilon_from_concentrated_best_order,
    concentrated_epsilon_from_approximate,
    concentrated_epsilon_from_approximate_best_order,
)

Table = Sequence[int]


def _correlated(n: int, z0: float, z1: float) -> public.CorrelatedAnswers:
    return public.CorrelatedAnswers(people=n, rate_if_no=z0, rate_if_yes=z1)


def _exact_loss(n: int, z0: float, z1: float, eps: float) -> dict[str, float]:
    answers = _correlated(n, z0, z1)
    return {"exact": answers.loss(eps), "wasserstein_bound": answers.loss_bound(eps)}


def _noise_for_target(n: int, z0: float, z1: float, target: float) -> dict[str, float]:
    answers = _correlated(n, z0, z1)
    return {"exact": answers.noise_epsilon(target), "wasserstein": answers.noise_epsilon_bound(target)}


def _expected_l1(
    true: Table,
    eps_over_delta: float,
    total: int | None = None,
    base: str = "naive",
    previous: Table | None = None,
    alpha: float | None = None,
) -> list[float]:
    if total is not None and total != sum(true):
        raise ValueError(f"total must be the table's total ({sum(true)}); got {total!r}")
    if previous is not None and len(previous) != len(true):
        raise ValueError(f"previous must have one count per cell ({len(true)}); got {len(previous)}")
    concentrations = None
    if base == "dirmult":
        if previous is None or alpha is None:
            raise ValueError(f"previous and alpha must be given with base 'dirmult'; got {previous!r}, {alpha!r}")
        base = "dirichlet_multinomial"
        concentrations = tuple(public.concentrations_from(previous=previous, strength=alpha))
    release = public.CountTableRelease(
        true=tuple(true), epsilon_per_unit=eps_over_delta, base=base, concentrations=concentrations
    )
    return release.expected_absolute_error().tolist()


def _table_loss(cells: int, total: int, eps: float, alpha: Sequence[float] | float | None = None) -> float:
    if isinstance(alpha, (int, float)):
        alpha = [alpha] * cells
    return public.worst_table_loss(cells=cells, total=total, epsilon_per_unit=eps, concentrations=alpha)


def _rate(
    n: int, release: int, eps: float, prior: Sequence[float] = (1, 1), conditioned_to_range: bool = False
) -> public.RatePosterior:
    count = public.RangedCount(people=n, epsilon=eps, treatment="conditioned" if conditioned_to_range else "raw")
    return count.rate_posterior(release, prior=tuple(prior))


def _rate_moments(**inputs: Any) -> dict[str, float]:
    posterior = _rate(**inputs)
    return {"mean": posterior.mean, "variance": posterior.variance}


def _workload(sizes: Sequence[int], sets: Sequence[Sequence[int]]) -> public.Workload:
    return public.Workload(sizes=tuple(sizes), sets=tuple(tuple(chosen) for chosen in sets))


def _trace(support: Any, sizes: Any, sets: Any, steps: Any, weights: Any = None) -> dict[str, list[float]]:
    release = public.replayed_measurements(_workload(sizes, sets), support, weights, steps)
    return {"final": release.weights.tolist(), "averaged_answers": release.answers.tolist()}


def _per_round(eps_tilde: float, rounds: int, n: int) -> dict[str, float]:
    budget = public.round_budget(concentrated_epsilon=eps_tilde, rounds=rounds, records=n)
    return {"select_eps": budget.selection_epsilon, "gauss_sd": budget.query_std}


def _sufficient(alpha: float, queries: int, beta: float, D2: float, Dinf: float) -> dict[str, int]:
    found = public.sufficient_records(
        error=alpha, queries=queries, failure=beta, divergence_2=D2, divergence_infinity=Dinf
    )
    return {"n": found.private, "m": found.public}


def _selection(scores: Sequence[float], eps: float, sens: float = 1) -> dict[str, list[float]]:
    return {
        rule: public.selection_probabilities(scores, epsilon=eps, sensitivity=sens, rule=rule).tolist()
        for rule in ("exponential", "permute_and_flip")
    }


def _acs_like(time_shift: float, place_shift: float) -> dict[str, Any]:
    base, population = acs_like(), acs_like(time_shift=time_shift, place_shift=place_shift)
    marginals = {name: population.marginal(name).tolist() for name in ("race", "income", "insured", "citizen")}
    return marginals | {
        "D2_from_base": population.divergence_from(base, order=2),
        "Dinf_from_base": population.divergence_from(base, order=math.inf),
    }


def _order(order: float | str) -> float:
    return float(order)


ANSWERS: dict[str, Callable[..., Any]] = {
    "public.delta_z": lambda n, z0, z1: _correlated(n, z0, z1).distance,
    "public.exact_loss": _exact_loss,
    "public.noise_eps_for_target": _noise_for_target,
    "base.expected_l1": _expected_l1,
    "base.exact_loss": _table_loss,
    "base.dirmult_logpmf": lambda y, alpha: public.dirichlet_multinomial_log_pmf(y, alpha),
    "rate.posterior": _rate_moments,
    "rate.rejection_acceptance": lambda **inputs: _rate(**inputs).acceptance,
    "pmw.acs_like": _acs_like,
    "pmw.zcdp_to_dp": lambda eps_tilde, delta: {
        "exact": approximate_epsilon_from_concentrated_best_order(concentrated_epsilon=eps_tilde, delta=delta),
        "simple": approximate_epsilon_from_concentrated(concentrated_epsilon=eps_tilde, delta=delta),
    },
    "pmw.dp_to_zcdp": lambda eps, delta: {
        "exact": concentrated_epsilon_from_approximate_best_order(epsilon=eps, delta=delta),
        "simple": concentrated_epsilon_from_approximate(epsilon=eps, delta=delta),
    },
    "pmw.per_round": _per_round,
    "pmw.selection": _selection,
    "pmw.answers": lambda support, sizes, sets, weights=None: _workload(sizes, sets).answers(support, weights).tolist(),
    "pmw.update": lambda weights, query_mask, answer: public.updated_weights(
        weights, query_mask, answer=answer
    ).tolist(),
    "pmw.trace": _trace,
    "pmw.renyi": lambda mu, nu, order: public.renyi_divergence(mu, nu, order=_order(order)),
    "pmw.best_mixture": lambda support, sizes, sets, target: public.best_mixture_error(
        _workload(sizes, sets), support, target
    ),
    "pmw.prop43": _sufficient,
    "pmw.laplace_sd": lambda n, eps: public.best_mixture_noise_std(records=n, epsilon=eps),
    "pmw.gaussian_all_marginals": lambda marginals, n, eps_tilde: public.gaussian_marginals_std(
        marginals=marginals, records=n, concentrated_epsilon=eps_tilde
    ),
}

UNDETERMINED: dict[str, str] = {
    "pmw.acs_like": (
        "the cases print marginals of a generator whose definition is not part of them; "
        "dpcore.acs_like is a generator of our own, written out in full, so its numbers differ"
    ),
}
"""Kinds that no public definition determines, with the reason; answering them would mean copying the numbers."""
