"""Budgets that others published: facts, what was checked, and one stated conversion beside them.

A bare epsilon cannot be compared across units: a device for ever, a day and six hours are different promises. The
table is read as it was published; `converted` sets one formula and one delta beside it, and `ranked_by_budget`
refuses to rank what differs in unit, model or definition.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from scipy.special import expit, logit, ndtr

from dpcore import _checks
from dpcore.guarantees import (
    approximate_epsilon_from_rho,
    approximate_epsilon_from_rho_best_order,
    approximate_epsilon_from_rho_refined,
)

DEFINITIONS = ("pure", "approximate", "probabilistic", "zCDP")
SECTORS = ("government", "company", "non-profit")


@dataclass(frozen=True)
class Deployment:
    """One published release and its budget, as reported.

    Attributes
    ----------
    name, year, organisation, sector : str, int, str, str
        What, when, who; sector is one of `SECTORS`.
    protected_unit, unit_kind : str
        What the promise protects, in the source's words and grouped.
    definition : str
        One of `DEFINITIONS`.
    epsilon, delta, rho : float or None
        As reported; None when not reported.
    epsilon_printed, rho_printed : str
        The digits as printed, empty when not reported.
    model : str
        'central' or 'local'.
    as_reported, source, verification : str
        The parameters in the source's words, where, and what was checked.
    """

    name: str
    year: int
    organisation: str
    sector: str
    protected_unit: str
    unit_kind: str
    definition: str
    epsilon: float | None
    delta: float | None
    rho: float | None
    epsilon_printed: str
    rho_printed: str
    model: str
    as_reported: str
    source: str
    verification: str

    @property
    def verified_at_source(self) -> bool:
        """Whether the source itself was read, not only a list that cites it."""
        return "page" in self.verification.split() or "primary" in self.verification.split()


@dataclass(frozen=True)
class ConversionFormula:
    """A formula from ρ-zero-concentrated privacy to (epsilon, delta) that publishers use.

    Attributes
    ----------
    key, statement, citation : str
        Short name, the formula in words and symbols, and the work and place.
    """

    key: str
    statement: str
    citation: str

    def epsilon(self, *, rho: float, delta: float) -> float:
        """Epsilon at `delta` by this formula (upper bound).

        Parameters
        ----------
        rho : float
            Zero-concentrated budget, greater than 0.
        delta : float
            In (0, 1).

        Raises
        ------
        ValueError
            ``rho must be greater than 0 and finite; got ...``, ``delta must lie in (0, 1); got ...``.

        References
        ----------
        canonne_kamath_steinke, Corollary 13
        bun_steinke, Proposition 1.3 and Lemma 3.5

        Examples
        --------
        >>> round(FORMULAS["simple"].epsilon(rho=7.70, delta=1e-10), 2)
        34.33
        """
        rho = _checks.number("rho", rho, 0, open_low=True)
        delta = _checks.number("delta", delta, 0, 1, open_low=True, open_high=True)
        return float(_CONVERSIONS[self.key](rho=rho, delta=delta))


_CONVERSIONS: Mapping[str, Callable[..., Any]] = {
    "best_order": approximate_epsilon_from_rho_best_order,
    "simple": approximate_epsilon_from_rho,
    "refined": approximate_epsilon_from_rho_refined,
}

FORMULAS: Mapping[str, ConversionFormula] = {
    formula.key: formula
    for formula in (
        ConversionFormula(
            "best_order",
            "the smallest over orders α of ρα + log(1/(αδ))/(α − 1) + log(1 − 1/α)",
            "canonne_kamath_steinke, Corollary 13",
        ),
        ConversionFormula("simple", "ρ + 2√(ρ log(1/δ))", "bun_steinke, Proposition 1.3"),
        ConversionFormula("refined", "ρ + √(4ρ log(√(πρ)/δ))", "bun_steinke, Lemma 3.5"),
    )
}
"""The three formulas in use, from the tightest to the ones with a closed form."""


def _number(text: str) -> float | None:
    return float(text) if text else None


@lru_cache(maxsize=1)
def published() -> tuple[Deployment, ...]:
    """Every published budget in the table, in its order.

    References
    ----------
    ours, dpcore/data/deployments.csv, each line with its own source and state of checking

    Examples
    --------
    >>> published()[0].organisation
    'US Census Bureau'
    """
    text = resources.files("dpcore").joinpath("data/deployments.csv").read_text(encoding="utf-8")
    return tuple(
        Deployment(
            **{
                key: row[key] for key in ("name", "organisation", "sector", "protected_unit", "unit_kind", "definition")
            },
            year=int(row["year"]),
            epsilon=_number(row["epsilon"]),
            delta=_number(row["delta"]),
            rho=_number(row["rho"]),
            epsilon_printed=row["epsilon"],
            rho_printed=row["rho"],
            **{key: row[key] for key in ("model", "as_reported", "source", "verification")},
        )
        for row in csv.DictReader(text.splitlines())
    )


def deployment(name: str) -> Deployment:
    """The deployment of that name.

    Raises
    ------
    ValueError
        ``name must be a listed deployment; got '...'``.

    References
    ----------
    ours, dpcore/data/deployments.csv

    Examples
    --------
    >>> deployment("Google symptom search trends").epsilon
    1.68
    """
    for entry in published():
        if entry.name == name:
            return entry
    raise ValueError(f"name must be a listed deployment; got {name!r}")


def matching(
    *,
    unit_kind: str | None = None,
    definition: str | None = None,
    sector: str | None = None,
    model: str | None = None,
) -> tuple[Deployment, ...]:
    """The deployments with the given unit, definition, sector and model; what is left out does not filter.

    Parameters
    ----------
    unit_kind, definition, sector, model : str, optional
        Values that occur in the table.

    Raises
    ------
    ValueError
        ``unit_kind must be one of 'birth', ...; got ...`` and its like.

    References
    ----------
    ours, dpcore/data/deployments.csv

    Examples
    --------
    >>> [entry.name for entry in matching(unit_kind="household")]
    ['2020 Census Detailed DHC-B']
    """
    wanted = {"unit_kind": unit_kind, "definition": definition, "sector": sector, "model": model}
    kept = published()
    for column, value in wanted.items():
        if value is not None:
            _checks.choice(column, value, sorted({getattr(entry, column) for entry in published()}))
            kept = tuple(entry for entry in kept if getattr(entry, column) == value)
    return kept


@dataclass(frozen=True)
class Converted:
    """A published budget expressed as epsilon at a chosen delta, or the reason why it cannot be.

    Attributes
    ----------
    epsilon, delta : float or None
        The converted budget (an upper bound); None when it cannot be expressed at the chosen delta.
    formula : str
        Key of the formula used; 'none needed' for a pure budget; empty when not converted.
    reason : str
        Why there is no value; empty otherwise.
    """

    epsilon: float | None
    delta: float | None
    formula: str
    reason: str


def converted(entry: Deployment, *, delta: float, formula: str = "best_order") -> Converted:
    """The deployment's budget at `delta`, by one stated formula.

    A pure budget holds at every delta. A zero-concentrated one is converted. An approximate or probabilistic one is
    stated at its own delta and says nothing about a smaller one.

    Parameters
    ----------
    entry : Deployment
        A published budget.
    delta : float
        Delta for all, in (0, 1).
    formula : {"best_order", "simple", "refined"}
        Key in `FORMULAS`.

    Raises
    ------
    ValueError
        ``delta must lie in (0, 1); got ...``, ``formula must be one of 'best_order', ...; got ...``.

    References
    ----------
    canonne_kamath_steinke, Corollary 13
    bun_steinke, Proposition 1.3 and Lemma 3.5

    Examples
    --------
    >>> round(converted(deployment("2020 Census redistricting data, persons"), delta=1e-10).epsilon, 2)
    17.16
    """
    delta = _checks.number("delta", delta, 0, 1, open_low=True, open_high=True)
    _checks.choice("formula", formula, FORMULAS)
    if entry.rho is not None:
        return Converted(FORMULAS[formula].epsilon(rho=entry.rho, delta=delta), delta, formula, "")
    if entry.definition == "pure":
        return Converted(entry.epsilon, delta, "none needed", "")
    if entry.definition == "approximate" and entry.delta is not None and entry.delta <= delta:
        return Converted(entry.epsilon, delta, "none needed", "")
    if entry.definition == "probabilistic":
        reason = "stated as probabilistic differential privacy, with a delta that was not verified"
    else:
        reason = f"stated at delta {entry.delta:g} only; the mechanism's budget at a smaller delta was not published"
    return Converted(None, None, "", reason)


@dataclass(frozen=True)
class FormulaFit:
    """How one conversion formula meets a published pair of rho and epsilon.

    Attributes
    ----------
    formula : str
        Key in `FORMULAS`.
    epsilon : float
        Epsilon of the formula at the printed rho and delta.
    fits : bool
        Whether the printed digits of epsilon are met by some rho that rounds to the printed digits of rho.
    """

    formula: str
    epsilon: float
    fits: bool


def formula_fits(entry: Deployment) -> tuple[FormulaFit, ...]:
    """Which conversion formulas explain a published epsilon, closest first (at the printed rho and delta).

    Parameters
    ----------
    entry : Deployment
        A deployment that reports rho, epsilon and delta.

    Raises
    ------
    ValueError
        ``entry must report rho, epsilon and delta; got ...``.

    References
    ----------
    ours, both printed numbers read as intervals of half a unit of their last digit

    Examples
    --------
    >>> [fit.formula for fit in formula_fits(deployment("2020 Census DHC, housing units")) if fit.fits]
    ['simple']
    """
    if entry.rho is None or entry.epsilon is None or entry.delta is None:
        raise ValueError(f"entry must report rho, epsilon and delta; got {entry.as_reported!r}")
    rho_slack, epsilon_slack = _half_unit(entry.rho_printed), _half_unit(entry.epsilon_printed)
    fits = []
    for formula in FORMULAS.values():
        low = formula.epsilon(rho=entry.rho - rho_slack, delta=entry.delta)
        high = formula.epsilon(rho=entry.rho + rho_slack, delta=entry.delta)
        inside = low <= entry.epsilon + epsilon_slack and high >= entry.epsilon - epsilon_slack
        fits.append(FormulaFit(formula.key, formula.epsilon(rho=entry.rho, delta=entry.delta), inside))
    published_epsilon = entry.epsilon
    return tuple(sorted(fits, key=lambda fit: abs(fit.epsilon - published_epsilon)))


def _half_unit(printed: str) -> float:
    """Half a unit of the last printed digit."""
    decimals = len(printed.partition(".")[2])
    return 0.5 * 10.0**-decimals


def right_guess(entry: Deployment, *, prior: float = 0.5) -> float:
    """Largest chance that a bet on one unit's secret is right, for a holder of the prior who sees the whole release.

    Pure, approximate: an upper bound over all mechanisms with the budget. Zero-concentrated: exact for continuous
    Gaussian noise that spends the whole budget on one worst-case unit, as an estimate of the discrete noise in use.

    Parameters
    ----------
    entry : Deployment
        A published budget; probabilistic ones are read as approximate ones, which they imply.
    prior : float
        Belief that the secret is true, in (0, 1).

    Raises
    ------
    ValueError
        ``prior must lie in (0, 1); got ...``.

    References
    ----------
    kairouz, trade-off of (epsilon, delta)
    ours, optimal decision under the trade-off; Gaussian: Φ(√(2ρ)/2) on a fifty-fifty bet

    Examples
    --------
    >>> round(right_guess(deployment("2020 Census redistricting data, persons")), 2)
    0.87
    """
    prior = _checks.number("prior", prior, 0, 1, open_low=True, open_high=True)
    if entry.rho is not None:
        separation = math.sqrt(2 * entry.rho)
        shift = float(logit(prior)) / separation
        return float(prior * ndtr(separation / 2 + shift) + (1 - prior) * ndtr(separation / 2 - shift))
    epsilon, delta = entry.epsilon or 0.0, entry.delta or 0.0
    # The mistakes of the best test lie on the trade-off's corners: never, evenly, always.
    return 1 - (1 - delta) * min(prior, 1 - prior, float(expit(-epsilon)))


def posterior_upper(entry: Deployment, *, prior: float) -> float | None:
    """Largest posterior that the promise allows at a prior; None where the definition sets no such limit.

    Parameters
    ----------
    entry : Deployment
        A published budget.
    prior : float
        Belief before the release, in [0, 1].

    Returns
    -------
    float or None
        Upper bound for pure budgets. Approximate, probabilistic and zero-concentrated budgets allow rare releases with
        any posterior; `right_guess` says what they mean on average.

    Raises
    ------
    ValueError
        ``prior must lie in [0, 1]; got ...``.

    References
    ----------
    thesis, Theorem 5

    Examples
    --------
    >>> round(posterior_upper(deployment("Google symptom search trends"), prior=0.01), 3)
    0.051
    """
    prior = _checks.number("prior", prior, 0, 1)
    if entry.definition != "pure" or entry.epsilon is None:
        return None
    return float(expit(logit(prior) + entry.epsilon))


def ranked_by_budget(entries: Iterable[Deployment]) -> tuple[Deployment, ...]:
    """The deployments from the smallest budget to the largest, if unit, model, definition and delta are alike.

    Parameters
    ----------
    entries : iterable of Deployment
        At least one.

    Raises
    ------
    ValueError
        ``entries must share one unit_kind to be ranked; got event, person`` and its like for model, definition and
        delta.

    References
    ----------
    ours, budgets of different units are different promises

    Examples
    --------
    >>> alike = matching(unit_kind="user-day", definition="pure", model="central")
    >>> ranked_by_budget(alike)[0].name
    'Google symptom search trends'
    """
    chosen = tuple(entries)
    if not chosen:
        raise ValueError("entries must hold at least one deployment; got none")
    columns: Sequence[str] = ("unit_kind", "model", "definition")
    if chosen[0].definition != "zCDP":
        columns = (*columns, "delta")
    for column in columns:
        values = sorted({str(getattr(entry, column)) for entry in chosen})
        if len(values) > 1:
            raise ValueError(f"entries must share one {column} to be ranked; got {', '.join(values)}")
    return tuple(sorted(chosen, key=lambda entry: (entry.rho if entry.rho is not None else entry.epsilon) or 0.0))


@dataclass(frozen=True)
class AddingUp:
    """What two releases cost together: epsilons added after conversion, and rho added before it.

    Attributes
    ----------
    added_epsilons : float
        Sum of the two published epsilons.
    rho : float
        Sum of the two budgets, which is exact.
    converted_once : float
        Epsilon of the summed rho by the tightest formula.
    right_guess : float
        Chance of a right fifty-fifty bet under the first budget, exact for continuous Gaussian noise.
    read_as_pure : float
        The same if the first published epsilon were a pure budget.
    """

    added_epsilons: float
    rho: float
    converted_once: float
    right_guess: float
    read_as_pure: float


def adding_up(first: Deployment, second: Deployment) -> AddingUp:
    """Two zero-concentrated releases together, the lossy way and the right way.

    Parameters
    ----------
    first, second : Deployment
        Deployments that report rho and epsilon at the same delta.

    Raises
    ------
    ValueError
        ``first and second must report rho and epsilon at one delta; got ...``.

    References
    ----------
    bun_steinke, Lemma 2.3
    canonne_kamath_steinke, Corollary 13

    Examples
    --------
    >>> persons = deployment("2020 Census redistricting data, persons")
    >>> both = adding_up(persons, deployment("2020 Census redistricting data, housing units"))
    >>> round(both.added_epsilons, 2), round(both.rho, 2), round(both.converted_once, 1)
    (19.61, 2.63, 17.4)
    """
    values = (first.rho, second.rho, first.epsilon, second.epsilon)
    if any(value is None for value in values) or first.delta is None or first.delta != second.delta:
        raise ValueError(
            "first and second must report rho and epsilon at one delta; "
            f"got {first.as_reported!r} and {second.as_reported!r}"
        )
    rho = float(first.rho or 0) + float(second.rho or 0)
    return AddingUp(
        added_epsilons=float(first.epsilon or 0) + float(second.epsilon or 0),
        rho=rho,
        converted_once=FORMULAS["best_order"].epsilon(rho=rho, delta=first.delta),
        right_guess=right_guess(first),
        read_as_pure=float(expit(first.epsilon or 0.0)),
    )
