"""Levels that add up: their errors alone and together, and what an attacker gains from them all."""

from __future__ import annotations

from itertools import pairwise

from dpcore.mechanisms import noise_kind
from dpcore.publication import CountTable
from riskline.case.fields import number_text, write_query
from ui.link.page_table import PageLink, page_entry
from ui.pictures.columns import Numbers, columns_of, digits, side_by_side
from ui.pictures.marks import Axis, Dots, Joins, Panel
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.hierarchy.attacked import (
    LEAST_PRIOR,
    LEAST_RHO,
    MOST_BLOCKS,
    MOST_LEVELS,
    MOST_PRIOR,
    MOST_RHO,
    MOST_SIBLINGS,
    HierarchyInputs,
)
from ui.views.hierarchy.levels import gains_in_words
from ui.views.publication.results import WIDTH, named, picture_height
from ui.views.publication.shared import Shared
from ui.words.catalogue import heads
from ui.words.phrasing import plain_number
from ui.words.quantities import Allowed, Exact, number


def levels_table(shared: Shared) -> Table | None:
    """Typical error of one number on each level, alone and with all levels used together."""
    found = shared.level_errors
    if found is None:
        return None
    rows = tuple(
        (
            named(shared, place),
            f"{row.areas:,}",
            Allowed(float(shared.allocation.budgets[place]), number(4)).digits,
            Exact(float(found.before[place]), WIDTH).digits,
            Exact(float(found.after[place]), WIDTH).digits,
        )
        for place, row in enumerate(shared.publication.rows)
    )
    return Table(shared.say("levels_caption"), heads("publication", "levels_table", symbol=shared.symbol), rows)


def levels_picture(shared: Shared) -> Picture | None:
    """Typical error of each level, alone and with all levels used together."""
    found = shared.level_errors
    if found is None:
        return None
    names = [named(shared, place) for place in range(len(shared.publication.rows))]
    column = columns_of("publication", "levels_picture")
    rows = side_by_side(
        column("level", names),
        column("before", found.before, said=digits(3)),
        column("after", found.after, said=digits(3)),
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
    """The attack through the counts of all levels; nothing where the other page has no such attack."""
    return _attack_or_why(shared)[0]


def _attack_or_why(shared: Shared) -> tuple[HierarchyInputs | None, str]:
    """The attack, or in a sentence why the other page has none; neither where nothing adds up.

    Each level's ρ is that of a count which one person moves by one, whatever change the budget hides: its noise counts.
    """
    rows = shared.publication.rows

    def none(why: str, **words: object) -> tuple[None, str]:
        return None, shared.say(f"levels_attack_{why}", **words)

    if not shared.inputs.levels or len(rows) < 2:
        return None, ""
    noise = noise_kind(shared.inputs.noise)
    if not noise.is_whole or noise.log_power != 2:
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
    return (PageLink("hierarchy", shared.say("way_hierarchy"), tuple(query.items())),)


def attack_in_words(shared: Shared) -> str:
    """What the attacker gains, beside the errors of the levels, or why that is not told."""
    attack, why = _attack_or_why(shared)
    if attack is None:
        return why
    return shared.say("levels_attack", **gains_in_words(attack, shared.style))
