"""Levels that add up: their errors alone and together, and what an attacker gains from them all."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from dpcore.mechanisms import noise_kind
from dpcore.publication import CountTable
from riskline.case.fields import write_query
from ui.link.page_table import PageLink, page_entry
from ui.pictures.columns import Numbers, columns_of, digits, side_by_side
from ui.pictures.marks import Axis, Dots, Joins, Panel
from ui.pictures.picture import Picture
from ui.views.hierarchy import attacked
from ui.views.hierarchy.attacked import HierarchyInputs
from ui.views.hierarchy.levels import gains_in_words
from ui.views.publication.results import named, picture_height
from ui.views.publication.shared import Shared
from ui.words.catalogue import label, say
from ui.words.phrasing import plain_number
from ui.words.quantities import Allowed, number
from ui.words.refusals import refusal_sentence


def levels_picture(shared: Shared) -> Picture:
    """Typical error of each level, alone and with all levels used together."""
    found = shared.level_errors
    names = [named(shared, place) for place in range(len(shared.publication.rows))]
    column = columns_of("publication", "levels_picture", symbol=shared.symbol)
    error = label("publication", "levels_error")
    budgets = [Allowed(one, number(4)).digits for one in shared.allocation.budgets.tolist()]
    rows = side_by_side(
        column("level", names),
        column("areas", [f"{row.areas:,}" for row in shared.publication.rows]),
        column("budget", budgets),
        column("before", found.before, quantity=error, said=digits(3)),
        column("after", found.after, quantity=error, said=digits(3)),
    )
    return Picture(
        key="publication-levels",
        numbers=Numbers(shared.say("levels_caption"), (rows,)),
        marks=(
            Joins(start="before", end="after", y="level"),
            Dots(x="before", y="level", role="quiet", symbol="circle-open"),
            Dots(x="after", y="level"),
        ),
        panels=(Panel(x=Axis(zero=True), y=Axis(rows=True)),),
        reading=shared.say("reading_levels"),
        style=shared.style,
        legend="above right",
        height=picture_height(names),
    )


def attack_on_levels(shared: Shared) -> HierarchyInputs | None:
    """The attack through the counts of all levels; nothing where the other page has no such attack.

    Each level's ρ is that of a count which one person moves by one, whatever change the budget hides: its noise counts.
    """
    rows, noise = shared.publication.rows, noise_kind(shared.inputs.noise)
    if not 2 <= len(rows) <= attacked.MOST_LEVELS or not (noise.is_whole and noise.log_power == 2):
        return None
    if not all(isinstance(row, CountTable) and row.cells_per_person == 1 for row in rows):
        return None
    budgets = shared.allocation.budgets.tolist()
    rhos = [shared.publication.budget_of_one(place, budget=budget) for place, budget in enumerate(budgets)]
    block, group, *above = rhos[::-1]
    siblings = [below.areas // wider.areas - 1 for wider, below in pairwise(rows)][::-1]
    if (
        not all(attacked.LEAST_RHO <= rho <= attacked.MOST_RHO for rho in rhos)
        or not attacked.LEAST_PRIOR <= shared.prior <= attacked.MOST_PRIOR
    ):
        return None
    most = (attacked.MOST_BLOCKS, *(attacked.MOST_SIBLINGS for _ in above))
    if not all(1 <= beside <= largest for beside, largest in zip(siblings, most, strict=True)):
        return None
    return HierarchyInputs(
        budget="own",
        rho_block=block,
        rho_group=group,
        siblings=siblings[0],
        rho_above=tuple(above),
        siblings_above=tuple(siblings[1:]),
        prior=shared.prior,
    )


def of_levels(shared: Shared) -> dict[str, Any]:
    """What is drawn and said of levels that add up, by its name in the view, with the way to the attack on them."""
    if not shared.inputs.levels:
        return {}
    try:
        drawn = levels_picture(shared)
    except ValueError as error:
        return {"levels_refusal": refusal_sentence(error, "publication")}
    attack = attack_on_levels(shared)
    if attack is None:
        limits = {
            "levels": attacked.MOST_LEVELS,
            "least_rho": attacked.LEAST_RHO,
            "most_rho": f"{attacked.MOST_RHO:g}",
            "least_prior": plain_number(attacked.LEAST_PRIOR),
            "most_prior": attacked.MOST_PRIOR,
            "siblings": attacked.MOST_BLOCKS,
        }
        return {
            "levels": drawn,
            "levels_attack": say("publication", "technical", "levels_attack_none", **limits),
        }
    query = write_query(page_entry("hierarchy").fields, vars(attack))
    return {
        "levels": drawn,
        "levels_attack": shared.say("levels_attack", **gains_in_words(attack, shared.style)),
        "to_hierarchy": PageLink("hierarchy", label("frame", "hierarchy"), tuple(query.items())),
    }
