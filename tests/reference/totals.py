"""Kinds of case in the area `totals`, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpcore import totals
from dpcore._checks import count
from dpcore.mechanisms import Geometric
from dpcore.totals import Totals, controlled_rounding, project_onto_totals_nonnegative

TIES = {
    "finucan_first_index": "finucan_first_index",
    "finucan": "finucan_first_index",
    "first_index": "finucan_first_index",
    "any": "finucan_first_index",
    "lowest_index": "lowest_index",
    "lowest": "lowest_index",
}
FLAVOURS = {"indep": "independent", "independent": "independent", "sum": "summed", "summed": "summed"}


def _named(name: str, value: Any, table: dict[str, str]) -> str:
    if value not in table:
        raise ValueError(f"{name} must be one of {', '.join(table)}; got {value!r}")
    return table[value]


def _same_length(left: Sequence[Any], right: Sequence[Any]) -> None:
    if len(left) != len(right):
        raise ValueError(f"lists must be equally long; got {len(left)} and {len(right)}")


# apportionment


def _mode(m: Any, weights: Any, ties: Any = "finucan_first_index") -> list[int]:
    return totals.multinomial_mode(m, weights, ties=_named("ties", ties, TIES))


# projection


def _held(block: Sequence[Sequence[int]], values: dict[str, float]) -> Totals:
    """The grand total, women (first label 0) and voting age (second label 1) of the published table."""
    rows = {
        "all": [1.0 for _ in block],
        "female": [float(sex == 0) for sex, _ in block],
        "voting": [float(age == 1) for _, age in block],
    }
    names = [_named("totals", name, {row: row for row in rows}) for name in values]
    return Totals(np.array([rows[name] for name in names]), np.array([float(values[name]) for name in names]))


def _table1_projection(noisy: Any, block: Any, totals: dict[str, float]) -> list[float]:
    return list(project_onto_totals_nonnegative(noisy, _held(block, totals)))


def _controlled_round_cost(real: Any, block: Any, totals: dict[str, float]) -> dict[str, Any]:
    rounded = controlled_rounding(real, _held(block, totals))
    return {"l1": rounded.distance, "example": rounded.cells.tolist()}


RULES = {
    "L2 + largest remainder": "L2 + largest remainder",
    "l2_largest_remainder": "L2 + largest remainder",
    "mode": "multinomial mode",
    "multinomial mode": "multinomial mode",
    "mode rule": "multinomial mode",
    "webster": "Webster",
    "Webster": "Webster",
    "proportional": "proportional share",
    "proportional_share": "proportional share",
    "proportional share": "proportional share",
}


def _largest_cell(true: Any, eps: Any, rule: str = "L2 + largest remainder") -> dict[str, float]:
    name = _named("rule", rule, RULES)
    drawn = totals.simulate_releases(true, epsilon_total=eps, epsilon_parts=eps, rule=name, size=50_000, seed=1)
    cell = int(np.argmax(true))
    if name == "L2 + largest remainder":  # the plain reading, in floats: ties of equal remainders as they are stored
        projected = totals.project_onto_total_nonnegative(drawn.noisy_parts, drawn.totals)
        parts = totals.round_with_largest_remainder(projected, drawn.totals)
    else:
        parts = drawn.parts
    return {"bias": float(parts[:, cell].mean() - true[cell]), "variance": float(parts[:, cell].var())}


# noise


def _noise(eps: Any, sens: Any = 1) -> Geometric:
    return Geometric(epsilon=eps, sensitivity=sens)


def _tail(k: Any, eps: Any, sens: Any = 1) -> float:
    """P(|noise| >= k)."""
    noise = _noise(eps, sens)
    return float(2 * noise.tail(k)) if k > 0 else 1.0


# release


def _post_process(
    n: Any,
    parts: Any,
    flavour: str = "indep",
    eps: Any = 1.0,
    eps_total: Any = None,
    eps_parts: Any = None,
    ties: Any = "any",
) -> dict[str, Any]:
    released = totals.release_additive(
        n,
        parts,
        flavour=_named("flavour", flavour, FLAVOURS),
        epsilon_total=eps if eps_total is None else eps_total,
        epsilon_parts=eps if eps_parts is None else eps_parts,
        ties=_named("ties", ties, TIES),
    )
    return {"total": released.total, "parts": list(released.parts)}


def _total_mode_summed(n: Any, nstar: Any, eps: Any, eps_parts: Any) -> int:
    return int(totals.released_totals(n, nstar, epsilon_total=eps, epsilon_parts=eps_parts))


def _negative_rate(true: Sequence[Any], eps: Sequence[Any], runs: Any) -> list[float]:
    _same_length(true, eps)
    return [runs * float(_noise(budget).cdf(-count - 1)) for count, budget in zip(true, eps, strict=True)]


def _largest_cell_bias(true: Any, eps: Any, runs: int = 50_000) -> dict[str, float]:
    cell, size = int(np.argmax(true)), min(runs, 50_000)
    found = {}
    for key in ("mode", "webster", "proportional_share"):
        drawn = totals.simulate_releases(true, epsilon_total=eps, epsilon_parts=eps, rule=RULES[key], size=size, seed=1)
        found[key] = float(drawn.parts[:, cell].mean() - true[cell])
    return found


def _table2(
    true: Any,
    eps_total: Any,
    eps_parts: Any,
    index: Sequence[int],
    flavour: str = "indep",
    report: Any = None,
    scenario: Any = None,
    ties: Any = "any",
    runs: int = 10_000,
) -> dict[str, list[float]]:
    drawn = totals.simulate_releases(
        true,
        epsilon_total=eps_total,
        epsilon_parts=eps_parts,
        flavour=_named("flavour", flavour, FLAVOURS),
        ties="random" if ties == "any" else _named("ties", ties, TIES),
        size=runs,
        seed=2021,
    )
    columns = np.column_stack([drawn.parts[:, list(index)], drawn.totals])
    return {"mean": columns.mean(axis=0).tolist(), "variance": columns.var(axis=0).tolist()}


# conditioning


def _table1(true: Any, block: Sequence[Sequence[int]], eps_per_cell: Any) -> totals.ConditionedTable:
    _same_length(true, block)
    return totals.condition_on_totals(
        true, epsilon=eps_per_cell, parts=[age for _, age in block], crossing=[sex for sex, _ in block]
    )


def _table1_summary(true: Any, block: Any, eps_per_cell: Any) -> dict[str, float]:
    table = _table1(true, block, eps_per_cell)
    return {
        "log_prob_invariants": table.log_probability,
        "expected_l1": table.mean_absolute_error(),
        "t_mean": table.block_law(0, 0).mean,
    }


def _table1_cell(true: Any, block: Any, eps_per_cell: Any, cell: int) -> dict[str, float]:
    law = _table1(true, block, eps_per_cell).law(cell)
    return {"mean": law.mean, "variance": law.variance, "p_zero": law.probability(0)}


def _total_only(true: Any, total: Any, eps_per_cell: Any) -> dict[str, list[float]]:
    law = totals.condition_on_totals(true, epsilon=eps_per_cell, total=total).law(0)
    return {"pmf_first": [law.probability(value) for value in range(int(total) + 1)]}


def _zero_sum_variance(cells: Any, eps_per_cell: Any) -> dict[str, float]:
    raw = totals.summed_noise_variance([eps_per_cell])
    conditional = (
        totals.condition_on_totals([0] * count("cells", cells, 1), epsilon=eps_per_cell, non_negative=False)
        .law(0)
        .variance
    )
    return {"conditional": conditional, "projection": raw * (1 - 1 / cells), "raw": raw}


def _index_set(text: str | Sequence[int]) -> list[int]:
    """'2..22 and 24..45' (counted from 1) as places counted from 0."""
    if not isinstance(text, str):
        return [int(place) - 1 for place in text]
    ranges = re.findall(r"(\d+)(?:\.\.(\d+))?", text)
    return [place - 1 for first, last in ranges for place in range(int(first), int(last or first) + 1)]


TABLE1_BLOCKS = [[sex, age] for sex in (0, 1) for age in [0] * 4 + [1] * 19]


def _mis_acceptance(true: Sequence[int], eps_per_cell: Any, eps_proposal: Any, index_set: Any) -> float:
    held = {
        "all": sum(true),
        "female": sum(cell for cell, (sex, _) in zip(true, TABLE1_BLOCKS, strict=True) if sex == 0),
        "voting": sum(cell for cell, (_, age) in zip(true, TABLE1_BLOCKS, strict=True) if age == 1),
    }
    chain = totals.draw_by_independent_proposals(
        true,
        epsilon=eps_per_cell,
        totals=_held(TABLE1_BLOCKS, held),
        free=_index_set(index_set),
        proposal_epsilon=eps_proposal,
        steps=50_000,
        seed=1,
    )
    return chain.acceptance


def _figure1_order(tables: int, methods: Sequence[str]) -> dict[str, list[float]]:
    generator = np.random.default_rng(2020)
    errors: dict[str, list[float]] = {method: [] for method in methods}
    for _ in range(tables):
        true = generator.negative_binomial(100, 0.95, len(TABLE1_BLOCKS))
        for method in methods:
            budget = float(method.split()[-1])
            if method.startswith("raw"):
                error = len(true) * Geometric(epsilon=budget).mean_absolute
            elif method.startswith("conditional"):
                error = _table1(true, TABLE1_BLOCKS, budget).mean_absolute_error()
            elif method.startswith("nonneg L2"):
                sex, age = zip(*TABLE1_BLOCKS, strict=True)
                held = totals.totals_of_parts(sex, age, true=true)
                drawn = totals.draw_projected(true, epsilon=budget, size=100, seed=int(true.sum()), totals=held)
                error = float(np.abs(drawn - true).sum(axis=1).mean())
            else:
                raise ValueError(f"methods must be raw, nonneg L2 or conditional; got {method!r}")
            errors[method].append(error)
    return {"mean_l1": [float(np.mean(errors[method])) for method in methods]}


# posterior


def _noisy_means(
    n: Any, parts: Any, eps_total: Any, eps_parts: Any, prior: str = "uniform on N >= 0"
) -> dict[str, Any]:
    _named("prior", prior, {"uniform on N >= 0": prior, "uniform": prior})
    found = totals.posterior_from_noisy(n, parts, epsilon_total=eps_total, epsilon_parts=eps_parts)
    return {"mean": found.means, "total_mean": found.total.mean}


def _released_loglik(released: Any, true: Any, eps_total: Any, eps_parts: Any, ties: Any = "lowest_index") -> float:
    return totals.released_log_likelihood(
        released,
        true,
        epsilon_total=eps_total,
        epsilon_parts=eps_parts,
        ties=_named("ties", ties, TIES),
        share_equally=False,  # the cases leave the undefined event "no positive part" out
    )


def _released_pair(released: Any, eps_total: Any, eps_parts: Any, ties: Any, window: Any) -> totals.TwoPartPosterior:
    return totals.posterior_from_released_pair(
        released, epsilon_total=eps_total, epsilon_parts=eps_parts, ties=_named("ties", ties, TIES), window=window
    )


def _released_two(
    released: Any,
    eps_total: Any,
    eps_parts: Any,
    at: Sequence[Any] = (),
    ties: Any = "finucan_first_index",
    window: Any = None,
) -> dict[str, list[float]]:
    found = _released_pair(released, eps_total, eps_parts, ties, window)
    return {"p": [found.probability(pair) for pair in at]}


def _released_two_moments(
    released: Any, eps_total: Any, eps_parts: Any, ties: Any = "finucan_first_index", window: Any = None
) -> dict[str, list[float]]:
    laws = _released_pair(released, eps_total, eps_parts, ties, window).laws
    return {"mean": [law.mean for law in laws], "variance": [law.variance for law in laws]}


# price


def _loss_and_gamma(price: totals.ConditioningLoss) -> dict[str, float]:
    return {"loss": price.loss, "gamma": price.gamma}


def _nonneg_count(eps: Any) -> dict[str, float]:
    loss = totals.nonnegative_count_loss(eps)
    return {"loss": loss, "gamma": loss / eps - 1}


def _gamma_two_bin(neighbours: Any) -> dict[str, float]:
    price = totals.two_bin_price({"bounded": "replace", "unbounded": "add_or_remove"}.get(neighbours, neighbours))
    return {"k": price.distance, "gamma": price.gamma}


def _gamma_rounding(true_sum_range: Sequence[int], group: Any, eps: Any = 1.0) -> dict[str, float]:
    lowest, highest = true_sum_range
    return _loss_and_gamma(totals.rounded_sum_loss(lowest=lowest, highest=highest, group=group, epsilon=eps))


# two bins

METHODS = {"conditional": "conditional", "l1": "l1", "l2": "l2", "L1": "l1", "L2": "l2"}


def _two_bins(call: Callable[..., Any]) -> Callable[..., Any]:
    def answer(eps: Any, method: Any, beta: Any = 0.5) -> float:
        return float(call(eps, method=_named("method", method, METHODS), share=beta))

    return answer


ANSWERS: dict[str, Callable[..., Any]] = {
    "apportion.all_modes": lambda m, weights: totals.all_multinomial_modes(m, weights),
    "apportion.dhondt": lambda m, weights: totals.dhondt(m, weights),
    "apportion.hamilton": lambda m, weights: totals.hamilton(m, weights),
    "apportion.multinomial_mode": _mode,
    "apportion.webster": lambda m, weights: totals.webster(m, weights),
    "condition.figure1_order": _figure1_order,
    "condition.mis_acceptance": _mis_acceptance,
    "condition.table1": _table1_summary,
    "condition.table1_cell": _table1_cell,
    "condition.total_only": _total_only,
    "condition.zero_sum_variance": _zero_sum_variance,
    "noise.cdf": lambda u, eps, sens=1: _noise(eps, sens).cdf(u),
    "noise.mean_abs": lambda eps, sens=1: _noise(eps, sens).mean_absolute,
    "noise.pmf": lambda u, eps, sens=1: _noise(eps, sens).pmf(u),
    "noise.quantile": lambda p, eps, sens=1: _noise(eps, sens).quantile(p),
    "noise.sum_pmf": lambda eps, at: np.exp(totals.summed_noise_log_pmf(at, epsilons=eps)).tolist(),
    "noise.tail": _tail,
    "noise.truncated_variance": lambda eps, H: totals.truncated_noise_variance(eps, limit=H),
    "noise.variance": lambda eps, count=1: count * totals.summed_noise_variance([eps]),
    "posterior.noisy_means": _noisy_means,
    "posterior.released_loglik": _released_loglik,
    "posterior.released_two": _released_two,
    "posterior.released_two_moments": _released_two_moments,
    "price.bounded_count": lambda eps, n: totals.bounded_count_loss(epsilon=eps, largest=n),
    "price.concentrated_gamma": lambda cells, total, eps_per_cell: totals.concentrated_gamma(
        cells=cells, total=total, epsilon=eps_per_cell
    ),
    "price.copies": lambda copies, eps: totals.copied_record_loss(copies=copies, epsilon=eps),
    "price.gamma_rounding": _gamma_rounding,
    "price.gamma_two_bin": _gamma_two_bin,
    "price.nonneg_count": _nonneg_count,
    "price.posterior_band": lambda prior, eps, factor=1: list(
        totals.posterior_band(prior=prior, epsilon=eps, factor=factor)
    ),
    "price.projection_two_cells": lambda total, eps_per_cell, rounding="halves down": totals.two_bin_projection_loss(
        total=total, epsilon=eps_per_cell, rounding=rounding
    ),
    "price.total_and_nonneg": lambda cells, total, eps_per_cell: _loss_and_gamma(
        totals.worst_conditioning_loss(cells=cells, total=total, epsilon=eps_per_cell)
    ),
    "project.controlled_round_cost": _controlled_round_cost,
    "project.l2_largest_remainder": lambda noisy, total: totals.project_with_largest_remainder(noisy, total).tolist(),
    "project.largest_cell": _largest_cell,
    "project.sum_nonneg": lambda noisy, total: totals.project_onto_total_nonnegative(noisy, total).tolist(),
    "project.sum_only": lambda noisy, total: totals.project_onto_total(noisy, total).tolist(),
    "project.table1_nonneg_l2": _table1_projection,
    "release.clamp_bias": lambda true, eps: totals.clamping_bias(true, epsilon=eps),
    "release.largest_cell_bias": _largest_cell_bias,
    "release.negative_rate": _negative_rate,
    "release.post_process": _post_process,
    "release.table2_simulation": _table2,
    "release.total_mode_summed": _total_mode_summed,
    "twobin.attained_eps": _two_bins(totals.two_bin_loss),
    "twobin.density_conditional": lambda u, eps: totals.conditional_density(u, epsilon=eps),
    "twobin.density_projected": lambda u, eps, beta=0.5: totals.projected_density(u, epsilon=eps, share=beta),
    "twobin.l2_point": lambda noisy, total: totals.project_onto_total(noisy, total).tolist(),
    "twobin.variance": _two_bins(totals.two_bin_variance),
}
