"""The memo's budget beside published ones."""

from __future__ import annotations

from dpcore.deployments import Deployment, converted
from riskline.answers.published import Beside, beside, meaning_of
from ui.documents.document import Section
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.memo.draft import Memo, spent_together
from ui.views.shared.published_budgets import RELATION_NAMES, guess_words, in_symbols
from ui.words.phrasing import plain_number
from ui.words.quantities import Upper, number

COMPARED_DELTA = 1e-10  # the δ at which the 2020 Census publications convert
COMPARED = 6
BESIDE = "Beside published budgets"


def _deployment_row(item: Beside) -> tuple[str, ...]:
    entry = item.entry
    name = f"{entry.name} ({entry.year})" if entry.year else f"**{entry.name}**"
    at = converted(entry, delta=COMPARED_DELTA)
    epsilon = "not stated" if at.epsilon is None else Upper(at.epsilon, number(4)).digits
    unit = f"{item.unit_words}; {RELATION_NAMES[entry.relation]}"
    return name, unit, in_symbols(entry.as_reported), epsilon, guess_words(item.meaning, Style())


def comparison_section(memo: Memo) -> Section:
    """This budget beside published ones."""
    case, rows = memo.case, []
    promise, ours = case.promise, _as_deployment(memo)
    if ours is not None:
        own = meaning_of(ours, secret=promise.secret.value, group=promise.group)
        rows.append(_deployment_row(Beside(ours, promise.group, own)))
    found = beside(secret=promise.secret.value, unit=case["unit"], group=promise.group, most=COMPARED)
    rows += [_deployment_row(item) for item in found]
    several = promise.group > 1
    heads = (
        "release",
        "unit; one change",
        "as published, for one unit" if several else "as published",
        f"ε at δ = {plain_number(COMPARED_DELTA, 2)}{', for one unit' if several else ''}",
        f"right guess{' about ' + memo.words()['whose'] if several else ''}, after any release",
    )
    words = memo.say("comparison", secret=memo.words()["secret"])
    return Section(BESIDE, (Table(words, heads, tuple(rows)),))


def _as_deployment(memo: Memo) -> Deployment | None:
    """The budget as one of the list, for one record; nothing without one, and of one that stands in the list itself."""
    spent = memo.spent
    if spent is None or spent.entry is not None:
        return None
    total = round(spent.value * spent.releases, 15)
    delta = min(spent.budget.delta * spent.releases, 1.0)
    reported = f"{'ρ' if spent.by_rho else 'ε'} = {spent_together(spent)}"
    return Deployment(
        name="This release, all together",
        year=0,
        organisation=memo.case["office"],
        sector="government",
        protected_unit="one record",
        unit_kind="person",
        unit_as_defined="one record",
        period="this release",
        relation=memo.case["relation"],
        relation_evidence="this memo",
        relation_confidence="read in the primary source",
        definition="zCDP" if spent.by_rho else "approximate" if delta else "pure",
        epsilon=None if spent.by_rho else total,
        delta=delta,
        rho=total if spent.by_rho else None,
        epsilon_printed="",
        rho_printed="",
        model="central",
        as_reported=reported + (f", δ = {plain_number(delta, 2)}" if delta else ""),
        source="this memo",
        verification="computed",
    )
