"""Kinds of case about today's methods of disclosure control, answered by `dpcore.methods`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dpcore.accuracy import noise_with_budget
from dpcore.errors import Code, Refused
from dpcore.methods import (
    CellKey,
    DisclosureControl,
    GraduatedRounding,
    NearestRounding,
    PermutationSwapping,
    PerturbationTable,
    RandomRounding,
    SmallCountSuppression,
    SuppressedTable,
    TwoWorlds,
    certain_somewhere,
    combine,
    equal_error_budget,
)
from dpcore.tradeoff import trade_off
from tests.reference.choices import one_of

_METHODS: Mapping[str, Callable[..., DisclosureControl]] = {
    "cell_key": lambda D, V, js=0: CellKey(largest_noise=D, variance=V, never_published=js),
    "table": lambda rows: PerturbationTable(rows),
    "round_nearest": lambda base: NearestRounding(base=base),
    "round_random": lambda base, p_down=None: RandomRounding(base=base, probability_down=p_down),
    "round_graduated": lambda classes, random: GraduatedRounding(classes=classes, random=random),
    "suppress": lambda threshold, zero: SmallCountSuppression(threshold=threshold, zero=zero),
}


def _method(release: Mapping[str, Any]) -> DisclosureControl:
    given = dict(release)
    return one_of("method", given.pop("method", None), _METHODS)(**given)


def _listed(values: Sequence[Any], numbers: Any) -> list[list[Any]]:
    return [[value, float(number)] for value, number in zip(values, numbers, strict=True)]


def _law(release: Mapping[str, Any], n: int) -> list[list[Any]]:
    law = _method(release).law(n)
    return _listed(law.values, law.probability)


def _worlds(release: Mapping[str, Any], n: int) -> TwoWorlds:
    return _method(release).presence(n)


def _certain(worlds: TwoWorlds) -> dict[str, float]:
    return {
        "presence": worlds.probability_certain(side="present"),
        "absence": worlds.probability_certain(side="absent"),
    }


def _mean_belief(release: Mapping[str, Any], n: int, prior: float) -> dict[str, float]:
    worlds = _worlds(release, n)
    return {side: worlds.mean_posterior(prior=prior, side=side) for side in ("present", "absent")}


def _profile(release: Mapping[str, Any], n: int, eps: float) -> dict[str, float]:
    worlds = _worlds(release, n)
    return {"presence": worlds.delta(eps, side="present"), "absence": worlds.delta(eps, side="absent")}


def _passes_line(
    release: Mapping[str, Any], n: int, priors: Sequence[float], limits: Sequence[float]
) -> dict[str, Any]:
    worlds = _worlds(release, n)
    if len(priors) != len(limits):
        raise Refused("limits", f"be one for each of {len(priors)} priors", limits, Code.WRONG_SHAPE)
    found = {side: worlds.probability_above(limits, prior=priors, side=side) for side in ("present", "absent")}
    answer: dict[str, Any] = {side: np.asarray(chance).tolist() for side, chance in found.items()}
    return answer | {f"largest_{side}": float(np.max(chance)) for side, chance in found.items()}


def _several_cells(cells: Sequence[Mapping[str, Any]], prior: float, limit: float) -> dict[str, float]:
    pairs = []
    for cell in cells:
        worlds = _worlds(cell["release"], cell["n"])
        pairs.append((one_of("change", cell["change"], {1: worlds, -1: worlds.exchanged}), cell["times"]))
    together = combine(pairs)
    return {
        "certain_presence": certain_somewhere(pairs, side="present"),
        "certain_absence": certain_somewhere(pairs, side="absent"),
        "right_guess": together.right_guess(prior=prior),
        "passes_present": together.probability_above(limit, prior=prior, side="present"),
        "passes_absent": together.probability_above(limit, prior=prior, side="absent"),
    }


def _unknown_count(release: Mapping[str, Any], others: Sequence[Sequence[float]], prior: float) -> dict[str, Any]:
    weights: dict[Any, float] = {}
    for count, weight in others:
        weights[count] = weights.get(count, 0.0) + weight
    worlds = _method(release).presence_if_unknown(weights)
    return {
        "posterior": _listed(worlds.values, worlds.posteriors(prior=prior)),
        "certain_presence": worlds.probability_certain(side="present"),
        "certain_absence": worlds.probability_certain(side="absent"),
        "right_guess": worlds.right_guess(prior=prior),
    }


def _difference(release: Mapping[str, Any], n: int, prior: float, same_key: bool) -> dict[str, Any]:
    worlds = _method(release).difference(n, same_key=same_key)

    def law(probability: Any) -> list[list[Any]]:
        return [pair for pair in _listed(worlds.values, probability) if pair[1] > 0.0]

    return {
        "absent": law(worlds.absent),
        "present": law(worlds.present),
        "certain_presence": worlds.probability_certain(side="present"),
        "belief_after_no_difference": worlds.posterior_after(0, prior=prior),
        "right_guess": worlds.right_guess(prior=prior),
    }


def _intervals(table: SuppressedTable) -> dict[str, Any]:
    cells = table.intervals()
    return {
        "intervals": [[*cell.place, cell.least, cell.largest] for cell in cells],
        "exact": [[*cell.place, cell.least] for cell in cells if cell.is_known],
    }


def _feasible(
    table: Sequence[Sequence[int | None]],
    row_totals: Sequence[int | None],
    col_totals: Sequence[int | None],
    low: int,
    high: int | None,
) -> dict[str, Any]:
    return _intervals(
        SuppressedTable.two_way(table, row_totals=row_totals, column_totals=col_totals, low=low, high=high)
    )


def _suppress_and_audit(table: Sequence[Sequence[int]], threshold: int, zero: Any) -> dict[str, Any]:
    published = SmallCountSuppression(threshold=threshold, zero=zero).publish(table)
    return {"suppressed": len(published.hidden)} | _intervals(published)


def _swap_posterior(published: Sequence[str], person: int, p: float, single: Any) -> list[list[Any]]:
    belief = PermutationSwapping(rate=p, single=single).place_posterior(published, person=person)
    return [[place, belief[place]] for place in sorted(belief, key=str)]


def _swap_two_worlds(
    world0: Sequence[str], world1: Sequence[str], p: float, single: Any, prior: float
) -> dict[str, float]:
    worlds = PermutationSwapping(rate=p, single=single).two_worlds(present=world1, absent=world0)
    return {
        "smallest_eps": worlds.epsilon(0.0),
        "right_guess": worlds.right_guess(prior=prior),
        "belief_after_world1_published": worlds.posterior_after(tuple(world1), prior=prior),
        "mean_belief_present": worlds.mean_posterior(prior=prior, side="present"),
        "delta_at_1": worlds.delta(1.0),
    }


def _swap_eps(b: int, p: float, single: Any) -> dict[str, float]:
    swapping = PermutationSwapping(rate=p, single=single)
    bound = swapping.epsilon_per_record(b)
    return {
        "bound_per_record": bound,
        "bound_exchange": 2 * bound,
        "exact_exchange": swapping.exchange_epsilon(b),
    }


def _swap_kept(m: int, p: float, single: Any) -> dict[str, float]:
    kept = PermutationSwapping(rate=p, single=single).probability_kept(m)
    return {"stays": kept, "other_each": (1 - kept) / (m - 1)}


_MEASURES: Mapping[str, Any] = {"rmse": "root_mean_square", "half_width": "half_width"}


def _equal_error(
    release: Mapping[str, Any], counts: Sequence[int], noise: Any, measure: str, level: float = 0.95
) -> float:
    error = one_of("measure", measure, _MEASURES)
    return equal_error_budget(_method(release), counts=counts, noise=noise, measure=error, level=level)


def _equal_error_guess(release: Mapping[str, Any], n: int, noise: Any, prior: float) -> dict[str, float]:
    budget = equal_error_budget(_method(release), counts=[n], noise=noise)
    worlds = _worlds(release, n)
    return {
        "budget": budget,
        "right_guess": worlds.right_guess(prior=prior),
        "right_guess_noise": trade_off(noise_with_budget(budget, noise)).right_guess(prior=prior),
        "certain_presence": worlds.probability_certain(side="present"),
    }


ANSWERS: Mapping[str, Callable[..., Any]] = {
    "law": _law,
    "posterior": lambda release, n, y, prior: _worlds(release, n).posterior_after(y, prior=prior),
    "certain": lambda release, n: _certain(_worlds(release, n)),
    "mean_belief": _mean_belief,
    "right_guess": lambda release, n, prior: _worlds(release, n).right_guess(prior=prior),
    "profile": _profile,
    "smallest_eps": lambda release, n, delta: _worlds(release, n).epsilon(delta),
    "passes_line": _passes_line,
    "several_cells": _several_cells,
    "unknown_count": _unknown_count,
    "difference": _difference,
    "feasible": _feasible,
    "suppress_and_audit": _suppress_and_audit,
    "swap_posterior": _swap_posterior,
    "swap_two_worlds": _swap_two_worlds,
    "swap_eps": _swap_eps,
    "swap_kept": _swap_kept,
    "equal_error": _equal_error,
    "equal_error_guess": _equal_error_guess,
}
