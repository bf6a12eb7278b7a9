"""The memo's budget beside published ones."""

from __future__ import annotations

from dpcore.deployments import Deployment, converted
from dpcore.guarantees import ZeroConcentratedDP
from ui.documents.document import Section
from ui.pictures.look import Look
from ui.pictures.table import Table
from ui.views.memo.draft import Memo
from ui.views.memo.question import spent_together
from ui.views.shared.published_budgets import RELATION_NAMES, Beside, beside, guess_words, in_symbols, meaning_of
from ui.words.phrasing import plain_number
from ui.words.quantities import Upper, number

COMPARED_DELTA = 1e-10  # the δ at which the 2020 Census publications convert
COMPARED = 6


def _deployment_row(item: Beside) -> tuple[str, ...]:
    entry = item.entry
    name = f"{entry.name} ({entry.year})" if entry.year else f"**{entry.name}**"
    at = converted(entry, delta=COMPARED_DELTA)
    epsilon = "not stated" if at.epsilon is None else Upper(at.epsilon, number(4)).digits
    unit = f"{item.unit_words}; {RELATION_NAMES[entry.relation]}"
    return name, unit, in_symbols(entry.as_reported), epsilon, guess_words(item.meaning, Look())


def comparison_section(memo: Memo) -> Section:
    """This budget beside published ones."""
    choices, rows = memo.inputs.choices, []
    promise, ours = choices.promise, _as_deployment(memo)
    if ours is not None:
        own = meaning_of(ours, secret=promise.secret.value, group=promise.group)
        rows.append(_deployment_row(Beside(ours, promise.group, own)))
    found = beside(secret=promise.secret.value, unit=choices.unit, group=promise.group, most=COMPARED)
    rows += [_deployment_row(item) for item in found]
    heads = (
        "release",
        "unit; one change",
        "as published",
        f"ε at δ = {plain_number(COMPARED_DELTA, 2)}",
        "right guess",
    )
    words = memo.say("comparison", secret=memo.words(memo.look.voice)["secret"])
    return Section("Beside published budgets", (Table(words, heads, tuple(rows)),))


def _as_deployment(memo: Memo) -> Deployment | None:
    budget = memo.budget
    if budget is None:
        return None
    total = budget.total
    spent = round(budget.recommended_each * budget.releases, 15)
    rho = spent if isinstance(total, ZeroConcentratedDP) else None
    epsilon = None if rho is not None else spent
    delta = getattr(total, "delta", 0.0) if rho is None and memo.inputs.choices.guarantee == "approximate" else 0.0
    reported = f"{'ε' if rho is None else 'ρ'} = {spent_together(budget)}"
    definitions = {"pure": "pure", "approximate": "approximate", "zero_concentrated": "zCDP"}
    return Deployment(
        name="This release, all together",
        year=0,
        organisation=memo.inputs.organisation,
        sector="government",
        protected_unit="one record",
        unit_kind="person",
        unit_as_defined="one record",
        period="this release",
        relation=memo.inputs.choices.relation,
        relation_evidence="this memo",
        relation_confidence="read in the primary source",
        definition=definitions[memo.inputs.choices.guarantee],
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        epsilon_printed="",
        rho_printed="",
        model="central",
        as_reported=reported + (f", δ = {plain_number(delta, 2)}" if delta else ""),
        source="this memo",
        verification="computed",
    )
