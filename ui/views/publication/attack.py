"""What an attacker gains from the counts of all levels at the budgets of this allocation, as *hierarchy* tells it."""

from __future__ import annotations

from itertools import pairwise

from dpcore.publication import CountTable
from ui.link.fields import number_text, read_query, write_query
from ui.link.page_table import page_entry
from ui.link.way import Way
from ui.views.hierarchy import MOST_LEVELS, HierarchyInputs, encode_levels, gains_in_words
from ui.views.publication.shared import Shared
from ui.words.passages import say


def attack_on_levels(shared: Shared) -> HierarchyInputs | None:
    """The attack through the counts of all levels; nothing where the other page has no such attack.

    Each level's ρ is that of a count which one person moves by one, whatever change the budget hides: its noise counts.
    """
    publication, rows = shared.publication, shared.publication.rows
    if not shared.inputs.levels or shared.inputs.noise != "discrete_gaussian" or not 2 <= len(rows) <= MOST_LEVELS:
        return None
    if not all(isinstance(row, CountTable) and row.cells_per_person == 1 for row in rows):
        return None
    rhos = []
    for row, budget in zip(rows, shared.allocation.budgets.tolist(), strict=True):
        moved = row.sensitivity(publication.relation, group=publication.group)
        rhos.append(budget / moved.cells / moved.change**2)
    block, group, *above = rhos[::-1]
    siblings = [below.areas // wider.areas - 1 for wider, below in pairwise(rows)][::-1]
    asked = {
        "budget": "own",
        "rho_block": number_text(block),
        "rho_group": number_text(group),
        "siblings": str(siblings[0]),
        "rho_above": encode_levels(tuple(above)),
        "siblings_above": encode_levels(tuple(siblings[1:])),
        "prior": number_text(shared.prior),
    }
    reading = read_query(page_entry("hierarchy").fields, asked)
    return None if reading.refusals else HierarchyInputs(**reading.values)


def to_hierarchy(shared: Shared) -> tuple[Way, ...]:
    """The attack on these levels on its own page, where it has one."""
    attack = attack_on_levels(shared)
    if attack is None:
        return ()
    query = write_query(page_entry("hierarchy").fields, vars(attack))
    return (Way("hierarchy", say("publication", shared.look.voice, "way_hierarchy"), tuple(query.items())),)


def attack_in_words(shared: Shared) -> str:
    """What the attacker gains, beside the errors of the levels."""
    attack = attack_on_levels(shared)
    if attack is None:
        return ""
    return say("publication", shared.look.voice, "levels_attack", **gains_in_words(attack, shared.look))
