"""What an attacker gains from the counts of all levels at the budgets of this allocation, as *hierarchy* tells it."""

from __future__ import annotations

from itertools import pairwise

from dpcore.publication import CountTable
from riskline.case.fields import number_text, write_query
from ui.link.page_link import PageLink
from ui.link.page_table import page_entry
from ui.views.hierarchy.choices import (
    LEAST_PRIOR,
    LEAST_RHO,
    MOST_BLOCKS,
    MOST_LEVELS,
    MOST_PRIOR,
    MOST_RHO,
    MOST_SIBLINGS,
    HierarchyInputs,
)
from ui.views.hierarchy.folds import gains_in_words
from ui.views.publication.shared import Shared
from ui.words.catalogue import say
from ui.words.phrasing import plain_number
from ui.words.quantities import Exact, number


def attack_on_levels(shared: Shared) -> HierarchyInputs | None:
    """The attack through the counts of all levels; nothing where the other page has no such attack."""
    return _attack_or_why(shared)[0]


def _attack_or_why(shared: Shared) -> tuple[HierarchyInputs | None, str]:
    """The attack, or in a sentence why the other page has none; neither where nothing adds up.

    Each level's ρ is that of a count which one person moves by one, whatever change the budget hides: its noise counts.
    """
    rows = shared.publication.rows

    def none(why: str, **words: object) -> tuple[None, str]:
        return None, say("publication", shared.style.voice, f"levels_attack_{why}", **words)

    if not shared.inputs.levels or len(rows) < 2:
        return None, ""
    if shared.inputs.noise != "discrete_gaussian":
        return none("noise")
    if len(rows) > MOST_LEVELS or not all(isinstance(row, CountTable) and row.cells_per_person == 1 for row in rows):
        return none("rows", most=MOST_LEVELS)
    budgets = shared.allocation.budgets.tolist()
    rhos = [shared.publication.budget_of_one(place, budget=budget) for place, budget in enumerate(budgets)]
    block, group, *above = rhos[::-1]
    siblings = [below.areas // wider.areas - 1 for wider, below in pairwise(rows)][::-1]
    for rho in rhos:
        if not LEAST_RHO <= rho <= MOST_RHO:
            return none("rho", found=Exact(rho, number(7)), least=LEAST_RHO, most=f"{MOST_RHO:g}")
    if not LEAST_PRIOR <= shared.prior <= MOST_PRIOR:
        return none("prior", found=number_text(shared.prior), least=plain_number(LEAST_PRIOR), most=MOST_PRIOR)
    for beside, most in zip(siblings, (MOST_BLOCKS, *(MOST_SIBLINGS for _ in above)), strict=True):
        if not 1 <= beside <= most:
            return none("areas", found=f"{beside:,}", most=f"{most:,}")
    return HierarchyInputs(
        budget="own",
        rho_block=block,
        rho_group=group,
        siblings=siblings[0],
        rho_above=tuple(above),
        siblings_above=tuple(siblings[1:]),
        prior=shared.prior,
    ), ""


def to_hierarchy(shared: Shared) -> tuple[PageLink, ...]:
    """The attack on these levels on its own page, where it has one."""
    attack = attack_on_levels(shared)
    if attack is None:
        return ()
    query = write_query(page_entry("hierarchy").fields, vars(attack))
    return (PageLink("hierarchy", say("publication", shared.style.voice, "way_hierarchy"), tuple(query.items())),)


def attack_in_words(shared: Shared) -> str:
    """What the attacker gains, beside the errors of the levels, or why that is not told."""
    attack, why = _attack_or_why(shared)
    if attack is None:
        return why
    return say("publication", shared.style.voice, "levels_attack", **gains_in_words(attack, shared.style))
