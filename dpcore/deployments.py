"""Budgets that others published: facts, what was checked, what each promises about a secret, and one stated conversion.

A bare epsilon cannot be compared across units: a device for ever, a day and six hours are different promises. Nor does
it say which secret it hides: `protection` gives the guarantee between the two worlds of a secret, from the relation in
the table, and where that relation is unknown or only recalled the guarantee that is safe for both. The table is read as
it was published; `converted` sets one formula and one delta beside it, and `ranked_by_budget` refuses to rank what
differs in unit, relation, model or definition.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import Any

from scipy.special import expit, logit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.guarantees import (
    ApproximateDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
    Relation,
    ZeroConcentratedDP,
    approximate_epsilon_from_rho,
    approximate_epsilon_from_rho_best_order,
    approximate_epsilon_from_rho_refined,
)
from dpcore.mechanisms import Gaussian
from dpcore.promise import Promise, Secret, Unit
from dpcore.tradeoff import TradeOff, trade_off, trade_off_of_secret

DEFINITIONS = ("pure", "approximate", "probabilistic", "zCDP")
SECTORS = ("government", "company", "non-profit")
RELATIONS = ("add_or_remove", "replace", "local", "unknown")
READ = ("read in the primary source", "read in the registry record")
CONFIDENCES = (*READ, "from general knowledge", "not found")


@call_hint
@dataclass(frozen=True)
class Deployment:
    """One published release and its budget, as reported.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.

    Attributes
    ----------
    name, year, organisation, sector : str, int, str, str; what, when, who; sector is one of `SECTORS`
    protected_unit, unit_kind : str; what the promise protects, in a few words and grouped
    unit_as_defined, period : str; the unit as its source defines it; the time or part of a release that the budget
        covers
    relation : str; what counts as one change, one of `RELATIONS`; 'local' protects each answer, and taking part is
        visible
    relation_evidence, relation_confidence : str; what says so, and how far it was read: one of `CONFIDENCES`
    definition : str; one of `DEFINITIONS`
    epsilon, delta, rho : float or None; as reported; None when not reported
    epsilon_printed, rho_printed : str; the digits as printed, empty when not reported
    model : str; 'central' or 'local'
    as_reported, source, verification : str; the parameters in the source's words, where, and what was checked

    Examples
    --------
    >>> trends = deployment("Google symptom search trends")
    >>> trends.definition, trends.epsilon, trends.protected_unit, trends.relation_was_read
    ('pure', 1.68, 'user on one day', True)
    """

    name: str
    year: int
    organisation: str
    sector: str
    protected_unit: str
    unit_kind: str
    unit_as_defined: str
    period: str
    relation: str
    relation_evidence: str
    relation_confidence: str
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
        words = self.verification.replace(";", " ").split()
        return "page" in words or "primary" in words

    @property
    def relation_was_read(self) -> bool:
        """Whether the relation was read in a source or a register, not recalled and not missing."""
        return self.relation != "unknown" and self.relation_confidence in READ


@call_hint
@dataclass(frozen=True)
class ConversionFormula:
    """A formula from ρ-zero-concentrated privacy to (epsilon, delta) that publishers use.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.

    Attributes
    ----------
    key, statement, citation : str; short name, the formula in words and symbols, and the work and place

    Examples
    --------
    >>> FORMULAS["simple"].statement
    'ρ + 2√(ρ log(1/δ))'
    >>> round(FORMULAS["simple"].epsilon(rho=0.25, delta=1e-4), 3)  # 0.25 + 2 sqrt(0.25 * 9.21)
    3.285
    """

    key: str
    statement: str
    citation: str

    def epsilon(self, *, rho: float, delta: float) -> float:
        """Epsilon at `delta` by this formula (upper bound).

        Source: canonne_kamath_steinke, Corollary 13; bun_steinke, Proposition 1.3 and Lemma 3.5

        Parameters
        ----------
        rho : float; zero-concentrated budget, greater than 0
        delta : float; in (0, 1)

        Examples
        --------
        >>> round(FORMULAS["simple"].epsilon(rho=7.70, delta=1e-10), 2)
        34.33
        """
        rho = _checks.number("rho", rho, 0, open_low=True)
        delta = _checks.number("delta", delta, 0, 1, open_low=True, open_high=True)
        return _converted_once(_checks.choice("key", self.key, _CONVERSIONS), rho, delta)


@lru_cache(maxsize=1024)
def _converted_once(formula: str, rho: float, delta: float) -> float:
    """The same, kept: the published budgets are asked for again with every change of a page that lists them."""
    return float(_CONVERSIONS[formula](rho=rho, delta=delta))


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


_WORDS = (
    *("name", "organisation", "sector", "protected_unit", "unit_kind", "unit_as_defined", "period"),
    *("relation", "relation_evidence", "relation_confidence"),
    *("definition", "model", "as_reported", "source", "verification"),
)


@lru_cache(maxsize=1)
def published() -> tuple[Deployment, ...]:
    """Every published budget in the table, in its order.

    Source: ours, dpcore/data/deployments.csv, each line with its own source and state of checking

    Examples
    --------
    >>> published()[0].organisation
    'US Census Bureau'
    """
    text = resources.files("dpcore").joinpath("data/deployments.csv").read_text(encoding="utf-8")
    return tuple(
        Deployment(
            **{key: row[key] for key in _WORDS},
            year=int(row["year"]),
            epsilon=_number(row["epsilon"]),
            delta=_number(row["delta"]),
            rho=_number(row["rho"]),
            epsilon_printed=row["epsilon"],
            rho_printed=row["rho"],
        )
        for row in csv.DictReader(text.splitlines())
    )


@call_hint
def deployment(name: str) -> Deployment:
    """The deployment of that name.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.
    Source: ours, dpcore/data/deployments.csv

    Examples
    --------
    >>> deployment("Google symptom search trends").epsilon
    1.68
    """
    for entry in published():
        if entry.name == name:
            return entry
    raise Refused("name", "be a listed deployment", name, Code.UNKNOWN_CHOICE)


@call_hint
def matching(
    *,
    unit_kind: str | None = None,
    definition: str | None = None,
    sector: str | None = None,
    model: str | None = None,
    relation: str | None = None,
) -> tuple[Deployment, ...]:
    """The deployments with the given unit, definition, sector, model and relation; what is left out does not filter.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.
    Source: ours, dpcore/data/deployments.csv

    Parameters
    ----------
    unit_kind, definition, sector, model, relation : str, optional; values that occur in the table

    Examples
    --------
    >>> [entry.name for entry in matching(unit_kind="household")]
    ['2020 Census Detailed DHC-B']
    """
    wanted = {"unit_kind": unit_kind, "definition": definition, "sector": sector, "model": model}
    wanted["relation"] = relation
    kept = published()
    for column, value in wanted.items():
        if value is not None:
            _checks.choice(column, value, sorted({getattr(entry, column) for entry in published()}))
            kept = tuple(entry for entry in kept if getattr(entry, column) == value)
    return kept


@call_hint
@dataclass(frozen=True)
class Converted:
    """A published budget expressed as epsilon at a chosen delta, or the reason why it cannot be.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.

    Attributes
    ----------
    epsilon, delta : float or None; the converted budget (an upper bound); None when it cannot be expressed at the
        chosen delta
    formula : str; key of the formula used; 'none needed' for a pure budget; empty when not converted
    reason : str; why there is no value; empty otherwise

    Examples
    --------
    >>> converted(deployment("Google symptom search trends"), delta=1e-6)  # a pure budget holds at every delta
    Converted(epsilon=1.68, delta=1e-06, formula='none needed', reason='')
    """

    epsilon: float | None
    delta: float | None
    formula: str
    reason: str


def _deployment(name: str, entry: Deployment) -> None:
    _checks.kind_of(name, entry, Deployment, "a deployment such as deployment('2020 Census DHC, housing units')")


@call_hint
def converted(entry: Deployment, *, delta: float, formula: str = "best_order") -> Converted:
    """The deployment's budget at `delta`, by one stated formula.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.
    A pure budget holds at every delta. A zero-concentrated one is converted. An approximate or probabilistic one is
    stated at its own delta and says nothing about a smaller one.
    Source: canonne_kamath_steinke, Corollary 13; bun_steinke, Proposition 1.3 and Lemma 3.5

    Parameters
    ----------
    entry : Deployment; a published budget
    delta : float; Delta for all, in (0, 1)
    formula : {"best_order", "simple", "refined"}; key in `FORMULAS`

    Examples
    --------
    >>> round(converted(deployment("2020 Census redistricting data, persons"), delta=1e-10).epsilon, 2)
    17.16
    """
    _deployment("entry", entry)
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


@call_hint
@dataclass(frozen=True)
class FormulaFit:
    """How one conversion formula meets a published pair of rho and epsilon.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.

    Attributes
    ----------
    formula : str; key in `FORMULAS`
    epsilon : float; epsilon of the formula at the printed rho and delta
    fits : bool; whether the printed digits of epsilon are met by some rho that rounds to the printed digits of rho

    Examples
    --------
    >>> closest = formula_fits(deployment("2020 Census DHC, housing units"))[0]
    >>> closest.formula, round(closest.epsilon, 2), closest.fits
    ('simple', 34.33, True)
    """

    formula: str
    epsilon: float
    fits: bool


@call_hint
def formula_fits(entry: Deployment) -> tuple[FormulaFit, ...]:
    """Which conversion formulas explain a published epsilon, closest first (at the printed rho and delta).

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.
    Source: ours, both printed numbers read as intervals of half a unit of their last digit

    Parameters
    ----------
    entry : Deployment; a deployment that reports rho, epsilon and delta

    Examples
    --------
    >>> [fit.formula for fit in formula_fits(deployment("2020 Census DHC, housing units")) if fit.fits]
    ['simple']
    """
    if entry.rho is None or entry.epsilon is None or entry.delta is None:
        raise Refused("entry", "report rho, epsilon and delta", entry.as_reported, Code.UNSUPPORTED)
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


@call_hint
def guarantee_of(entry: Deployment, relation: str) -> Guarantee:
    """The published budget as a guarantee for one step of a relation: one unit added or removed, or one replaced.

    The promise is the published one, for one step of the relation that is given.
    Source: ours, dpcore/data/deployments.csv

    Parameters
    ----------
    entry : Deployment; a published budget
    relation : {"add_or_remove", "replace"}; what one step changes; `protection` chooses it from the table

    Examples
    --------
    >>> guarantee_of(deployment("2020 Census DHC, persons"), "replace").rho
    4.96
    """
    _checks.choice("relation", relation, [option.value for option in Relation])
    change = Relation(relation)
    if entry.rho is not None:
        return ZeroConcentratedDP(rho=entry.rho, relation=change)
    epsilon, delta = entry.epsilon or 0.0, entry.delta or 0.0
    if entry.definition == "pure":
        return PureDP(epsilon=epsilon, relation=change)
    kind = ProbabilisticDP if entry.definition == "probabilistic" else ApproximateDP
    return kind(epsilon=epsilon, delta=delta, relation=change)


class Basis(StrEnum):
    """What a statement about a published budget rests on.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.
    `READ`: the relation was read. `SAFE_FOR_BOTH`: the relation is unknown or only recalled, and the statement holds
    for both. `ASSUMED`: it holds if the relation is the assumed one. `ONLY_IF_ADDED_OR_REMOVED`: nothing is promised
    unless records are added or removed. `NOT_PROMISED`: the secret is no secret.

    Examples
    --------
    >>> protection(deployment("2020 Census DHC, persons"), secret="presence").basis
    <Basis.NOT_PROMISED: 'not promised'>
    """

    READ = "read"
    SAFE_FOR_BOTH = "safe for both"
    ASSUMED = "assumed"
    ONLY_IF_ADDED_OR_REMOVED = "only if added or removed"
    NOT_PROMISED = "not promised"


@call_hint
@dataclass(frozen=True)
class Protection:
    """What a published budget promises about one secret of a unit.

    Attributes
    ----------
    secret : Secret; the secret answered for: in a local survey the answer, where the value was asked for
    basis : Basis; what the statement rests on
    promise : Promise or None; secret, relation and steps; None where nothing is promised
    guarantee : PureDP, ApproximateDP, ProbabilisticDP, ZeroConcentratedDP or None; between the two worlds of the
        secret, however the release is made (upper bound); None where nothing is promised
    reason : str; why nothing is promised, or why both relations are allowed for, as a sentence without its full stop;
        empty where the relation was read and a promise follows

    Examples
    --------
    >>> value = protection(deployment("Google symptom search trends"), secret="value")
    >>> value.promise.steps, value.guarantee.epsilon  # one record removed, another added: twice 1.68
    (2, 3.36)
    """

    secret: Secret
    basis: Basis
    promise: Promise | None
    guarantee: Guarantee | None
    reason: str


_PARTICIPATION = "taking part is visible to whoever collects the answers; what is protected is the answer"
_ABOUT_REPLACED = "the published promise is about a unit replaced and says nothing about who is in"


@call_hint
def protection(entry: Deployment, *, secret: str, group: int = 1, assuming: str | None = None) -> Protection:
    """What the published budget promises about a secret of one unit, or of a group of units, from its relation.

    Value: one step where a unit is replaced, two where it is added or removed (2 epsilon, 4 rho). Presence: one step
    where a unit is added or removed, nothing where it is replaced. Local: the answer, one step. A relation that is
    unknown or only recalled is not relied on: the value then takes the two steps that are safe for both, presence is
    promised only if units are added or removed.
    Source: thesis, Theorem 4; ours, of two relations the one with more steps is safe for both

    Parameters
    ----------
    entry : Deployment; a published budget
    secret : {"presence", "value", "answer"}; whether the unit is in the data, which value it has, or (local model only)
        what it said. In the local model 'value' is read as 'answer'.
    group : int; number of units that belong together, at least 1
    assuming : {"add_or_remove", "replace"}, optional; a relation to assume where none was read

    Examples
    --------
    >>> trends = deployment("Google symptom search trends")
    >>> protection(trends, secret="value").guarantee.epsilon, protection(trends, secret="presence").guarantee.epsilon
    (3.36, 1.68)
    """
    _checks.choice("secret", secret, [option.value for option in Secret])
    asked = Secret(secret)
    if entry.model == "local":
        if assuming is not None:
            raise Refused("assuming", "be left out in the local model", assuming, Code.INCONSISTENT)
        if asked is Secret.PRESENCE:
            return Protection(asked, Basis.NOT_PROMISED, None, None, _PARTICIPATION)
        return _promised(entry, Secret.ANSWER, Relation.REPLACE, group, Basis.READ)
    if asked is Secret.ANSWER:
        raise Refused(
            "secret", "be 'presence' or 'value' in the central model", asked.value, Code.INCONSISTENT, got="'answer'"
        )
    if entry.relation_was_read:
        if assuming not in (None, entry.relation):
            known = assuming in [option.value for option in Relation]
            code = Code.INCONSISTENT if known else Code.UNKNOWN_CHOICE
            raise Refused("assuming", f"be the relation that was read, {entry.relation!r}", assuming, code)
        relation, basis, reason = Relation(entry.relation), Basis.READ, ""
    elif assuming is not None:
        _checks.choice("assuming", assuming, [option.value for option in Relation])
        relation, basis, reason = Relation(assuming), Basis.ASSUMED, ""
    elif asked is Secret.PRESENCE:
        reason = f"{_unread(entry)}; presence is promised only if units are added or removed"
        return Protection(asked, Basis.ONLY_IF_ADDED_OR_REMOVED, None, None, reason)
    else:
        relation, basis = Relation.ADD_OR_REMOVE, Basis.SAFE_FOR_BOTH
        reason = f"{_unread(entry)}; the number holds for units replaced and for units added or removed"
    if asked is Secret.PRESENCE and relation is Relation.REPLACE:
        return Protection(asked, Basis.NOT_PROMISED, None, None, _ABOUT_REPLACED)
    return _promised(entry, asked, relation, group, basis, reason)


def _unread(entry: Deployment) -> str:
    """Why the relation in the table is not relied on."""
    if entry.relation == "unknown":
        return "what counts as one change was not found"
    change = "a unit replaced" if entry.relation == "replace" else "a unit added or removed"
    return f"what counts as one change ({change}) is recalled, not read"


def _promised(
    entry: Deployment, secret: Secret, relation: Relation, group: int, basis: Basis, reason: str = ""
) -> Protection:
    promise = Promise(secret=secret, relation=relation, unit=Unit.HOUSEHOLD if group > 1 else Unit.PERSON, group=group)
    return Protection(secret, basis, promise, promise.guarantee_of_secret(guarantee_of(entry, relation)), reason)


def _guarantee(entry: Deployment, secret: str, group: int, assuming: str | None) -> Guarantee:
    """The guarantee of the secret, or a refusal that says why there is none."""
    found = _protected(entry, secret, group, assuming).guarantee
    assert found is not None
    return found


def _protected(entry: Deployment, secret: str, group: int, assuming: str | None) -> Protection:
    """What is promised about the secret, or a refusal that says why nothing is."""
    found = protection(entry, secret=secret, group=group, assuming=assuming)
    if found.guarantee is None:
        raise Refused("secret", f"be one that {entry.name!r} protects ({found.reason})", str(secret), Code.UNSUPPORTED)
    return found


@call_hint
def right_guess(
    entry: Deployment, *, secret: str, prior: float = 0.5, group: int = 1, assuming: str | None = None
) -> float:
    """Largest chance that a guess at a unit's secret is right, for a holder of the prior who sees the whole release.

    The promise is about the secret that is named, of one unit or a group, by its relation. The largest over *all*
    releases with the published budget, for the secret named; no conversion formula is needed. Some release reaches it
    (see `secret_trade_off`): one step away, on an even bet, randomised response, whose epsilon for a zero-concentrated
    budget solves epsilon tanh(epsilon/2) = rho.
    Source: kairouz, trade-off of (epsilon, delta)
    Source: ours, the best of all zero-concentrated releases on an even bet is randomised response

    Parameters
    ----------
    entry : Deployment; a published budget; probabilistic ones are read as approximate ones, which they imply
    secret : {"presence", "value", "answer"}; as in `protection`
    prior : float; belief that the secret is true, in (0, 1)
    group, assuming
        As in `protection`.

    Examples
    --------
    >>> round(right_guess(deployment("2020 Census redistricting data, persons"), secret="value"), 4)
    0.9463
    """
    prior = _checks.number("prior", prior, 0, 1, open_low=True, open_high=True)
    return float(secret_trade_off(entry, secret=secret, group=group, assuming=assuming).right_guess(prior=prior))


@call_hint
def secret_trade_off(entry: Deployment, *, secret: str, group: int = 1, assuming: str | None = None) -> TradeOff:
    """How many true secrets a test can find at each rate of wrong accusations, over all releases with the budget.

    The promise is about the secret that is named, of one unit or a group, by its relation. The largest over all
    releases, which one of them reaches, also where the secret is several steps away (up to eight for a rho, an upper
    bound beyond: `dpcore.tradeoff.trade_off_of_secret`).
    Source: kairouz, trade-off of (epsilon, delta)
    Source: ours, any zero-concentrated release as a pair of coins, and several steps (`dpcore.tradeoff`)

    Parameters
    ----------
    entry, secret, group, assuming
        As in `protection`.

    Examples
    --------
    >>> persons = deployment("2020 Census redistricting data, persons")
    >>> round(secret_trade_off(persons, secret="value").detection(0.05), 3)
    0.934
    """
    promise = _protected(entry, secret, group, assuming).promise
    assert promise is not None
    return trade_off_of_secret(guarantee_of(entry, promise.relation), promise)


@call_hint
def gaussian_right_guess(
    entry: Deployment, *, secret: str, prior: float = 0.5, group: int = 1, assuming: str | None = None
) -> float | None:
    """Chance of a right guess if the release were one number with continuous Gaussian noise; None without a rho.

    The promise is about the secret that is named, of one unit or a group, by its relation. One mechanism's number,
    exact for that mechanism in its worst case: the whole budget on one number that the unit moves as far as it can. It
    is no bound: discrete noise and other releases with the same rho give more (see `right_guess`), tables of many cells
    less.
    Source: ours, optimal decision between two normal laws: Φ(√(2ρ)/2) on an even bet, with the rho of the secret

    Parameters
    ----------
    entry, secret, prior, group, assuming
        As in `right_guess`.

    Examples
    --------
    >>> round(gaussian_right_guess(deployment("2020 Census redistricting data, persons"), secret="value"), 4)
    0.8711
    """
    prior = _checks.number("prior", prior, 0, 1, open_low=True, open_high=True)
    guarantee = _guarantee(entry, secret, group, assuming)
    if not isinstance(guarantee, ZeroConcentratedDP):
        return None
    return float(trade_off(Gaussian(rho=guarantee.rho)).right_guess(prior=prior))


@call_hint
def posterior_upper(
    entry: Deployment, *, secret: str, prior: float, group: int = 1, assuming: str | None = None
) -> float | None:
    """Largest posterior about a unit's secret that the promise allows; None where the definition sets no such limit.

    The promise is about the secret that is named, of one unit or a group, by its relation. Upper bound for pure
    budgets. Approximate, probabilistic and zero-concentrated budgets allow rare releases with any posterior;
    `right_guess` says what they mean on average.
    Source: thesis, Theorems 4 and 5

    Parameters
    ----------
    entry : Deployment; a published budget
    secret : {"presence", "value", "answer"}; as in `protection`
    prior : float; belief before the release, in [0, 1]
    group, assuming
        As in `protection`.

    Examples
    --------
    >>> trends = deployment("Google symptom search trends")
    >>> [round(posterior_upper(trends, secret=secret, prior=0.01), 4) for secret in ("presence", "value")]
    [0.0514, 0.2253]
    """
    prior = _checks.number("prior", prior, 0, 1)
    guarantee = _guarantee(entry, secret, group, assuming)
    if not isinstance(guarantee, PureDP):
        return None
    return float(expit(logit(prior) + guarantee.epsilon))


@call_hint
class UnlikeDeployments(Refused):
    """Budgets of different kinds, which no order compares; `column` says in what they differ, `value` how.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.

    Examples
    --------
    >>> try:
    ...     ranked_by_budget(deployment(name) for name in ("Google symptom search trends", "2020 Census DHC, persons"))
    ... except UnlikeDeployments as error:
    ...     print(error.column)
    unit_kind
    """

    def __init__(self, column: str, values: Sequence[str]) -> None:
        rule = f"share one {column} to be ranked"
        super().__init__("entries", rule, tuple(values), Code.INCONSISTENT, got=", ".join(values))
        self.column = column


@call_hint
def ranked_by_budget(entries: Iterable[Deployment]) -> tuple[Deployment, ...]:
    """The deployments from the smallest budget to the largest, if unit, model, definition, relation, delta are alike.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.
    Source: ours, budgets of different units or relations are different promises

    Parameters
    ----------
    entries : iterable of Deployment; at least one

    Examples
    --------
    >>> alike = matching(unit_kind="user-day", definition="pure", relation="add_or_remove")
    >>> ranked_by_budget(alike)[0].name
    'Google symptom search trends'
    """
    chosen = tuple(entries)
    if not chosen:
        raise Refused("entries", "hold at least one deployment", (), Code.EMPTY, got="none")
    for entry in chosen:
        _deployment("entries", entry)
    columns: Sequence[str] = ("unit_kind", "model", "definition", "relation")
    if chosen[0].definition != "zCDP":
        columns = (*columns, "delta")
    for column in columns:
        values = sorted({str(getattr(entry, column)) for entry in chosen})
        if len(values) > 1:
            raise UnlikeDeployments(column, values)
    unread = [entry.name for entry in chosen if not entry.relation_was_read]
    if len(chosen) > 1 and unread:
        raise Refused(
            "entries",
            "have a relation that was read to be ranked",
            unread,
            Code.INCONSISTENT,
            got=", ".join(unread),
        )
    return tuple(sorted(chosen, key=lambda entry: (entry.rho if entry.rho is not None else entry.epsilon) or 0.0))


@call_hint
@dataclass(frozen=True)
class AddingUp:
    """What two releases cost together: epsilons added after conversion, and rho added before it.

    The promise is about the value of one unit that is in both releases, by the relation that was read in both.

    Attributes
    ----------
    units : tuple of str; what each protects. Where they differ no unit has the sum; what follows is for a unit that is
        in both, with the same relation.
    added_epsilons : float; sum of the two published epsilons
    rho : float; sum of the two budgets: the exact zero-concentrated budget of a unit in both
    converted_once : float; epsilon of the summed rho by the tightest formula
    right_guess, right_guess_in_both : float; largest chance of a right even bet on a value under the first budget, and
        under both; upper bounds over all releases
    gaussian_right_guess : float; the same as the first if the release were one number with continuous Gaussian noise
    read_as_pure : float; the same if the first published epsilon were a pure budget

    Examples
    --------
    >>> names = ("2020 Census redistricting data, persons", "2020 Census redistricting data, housing units")
    >>> both = adding_up(*(deployment(name) for name in names))
    >>> round(both.rho, 2), round(both.added_epsilons, 2)  # 2.56 + 0.07, 17.14 + 2.47
    (2.63, 19.61)
    """

    units: tuple[str, str]
    added_epsilons: float
    rho: float
    converted_once: float
    right_guess: float
    right_guess_in_both: float
    gaussian_right_guess: float
    read_as_pure: float


@call_hint
def adding_up(first: Deployment, second: Deployment) -> AddingUp:
    """Two zero-concentrated releases together, the lossy way and the right way, for a unit that is in both.

    The promise is about the value of one unit that is in both releases, by the relation that was read in both.
    Source: bun_steinke, Lemma 2.3; canonne_kamath_steinke, Corollary 13

    Parameters
    ----------
    first, second : Deployment; deployments that report rho and epsilon at the same delta, with one relation that was
        read

    Examples
    --------
    >>> persons = deployment("2020 Census redistricting data, persons")
    >>> both = adding_up(persons, deployment("2020 Census redistricting data, housing units"))
    >>> round(both.added_epsilons, 2), round(both.rho, 2), round(both.converted_once, 1)
    (19.61, 2.63, 17.4)
    >>> both.units
    ('person', 'housing unit')
    """
    values = (first.rho, second.rho, first.epsilon, second.epsilon)
    if any(value is None for value in values) or first.delta is None or first.delta != second.delta:
        raise Refused(
            "first and second",
            "report rho and epsilon at one delta",
            (first.as_reported, second.as_reported),
            Code.UNSUPPORTED,
            got=f"{first.as_reported!r} and {second.as_reported!r}",
        )
    if first.relation != second.relation or not (first.relation_was_read and second.relation_was_read):
        raise Refused(
            "first and second",
            "have one relation that was read",
            (first.relation, second.relation),
            Code.INCONSISTENT,
            got=f"{first.relation!r} and {second.relation!r}",
        )
    rho = float(first.rho or 0) + float(second.rho or 0)
    return AddingUp(
        units=(first.protected_unit, second.protected_unit),
        added_epsilons=float(first.epsilon or 0) + float(second.epsilon or 0),
        rho=rho,
        converted_once=FORMULAS["best_order"].epsilon(rho=rho, delta=first.delta),
        right_guess=right_guess(first, secret="value"),
        right_guess_in_both=right_guess(replace(first, rho=rho), secret="value"),
        gaussian_right_guess=float(gaussian_right_guess(first, secret="value") or 0),
        read_as_pure=float(expit(first.epsilon or 0.0)),
    )


@call_hint
@dataclass(frozen=True)
class ProductionBudget:
    """What a Census product spent in production, a record added or removed, beside its published figure.

    The promise is the published one: one step of its relation, where that was read, for the unit that the source names.

    Attributes
    ----------
    name : str; as in `published`
    rho, rho_printed : float, str; sum of the production configuration, for one record added or removed
    factor : int; published rho over this one
    factor_evidence, factor_confidence : str; why, and how far that was read

    Examples
    --------
    >>> budget = production_budgets()[0]
    >>> budget.published.rho, budget.factor, budget.spent.relation
    (19.776, 4, 'add_or_remove')
    """

    name: str
    rho: float
    rho_printed: str
    factor: int
    factor_evidence: str
    factor_confidence: str

    @property
    def published(self) -> Deployment:
        """The published figure, for one record replaced."""
        return deployment(self.name)

    @property
    def spent(self) -> Deployment:
        """The same release at its production budget, for one record added or removed."""
        return replace(self.published, rho=self.rho, rho_printed=self.rho_printed, relation="add_or_remove")


@lru_cache(maxsize=1)
def production_budgets() -> tuple[ProductionBudget, ...]:
    """The production configurations of three Census products, for one record added or removed.

    Source: ours, dpcore/data/census_production.csv, each line with its evidence

    Examples
    --------
    >>> [(entry.rho, entry.factor, entry.published.rho) for entry in production_budgets()]
    [(4.944, 4, 19.776), (8.895, 2, 17.79), (1.2573, 2, 2.515)]
    """
    text = resources.files("dpcore").joinpath("data/census_production.csv").read_text(encoding="utf-8")
    return tuple(
        ProductionBudget(
            name=row["name"],
            rho=float(row["production_rho"]),
            rho_printed=row["production_rho"],
            factor=int(row["factor"]),
            factor_evidence=row["factor_evidence"],
            factor_confidence=row["factor_confidence"],
        )
        for row in csv.DictReader(text.splitlines())
    )
