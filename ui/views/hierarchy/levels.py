"""What the counts of each further level add."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.attacks import many_levels
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.census import LEVELS
from dpcore.mechanisms import DiscreteGaussian
from ui.pictures.columns import Column, digits, side_by_side
from ui.pictures.description import FloatArray
from ui.pictures.marks import Axis, Line
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.hierarchy.choices import SIBLINGS_ABOVE, HierarchyInputs, word
from ui.views.hierarchy.view import Attacked
from ui.words.catalogue import label
from ui.words.phrasing import plain_number
from ui.words.quantities import Upper, number


def _names(inputs: HierarchyInputs) -> tuple[str, ...]:
    """What each level is called: as in 2020, or by its number where there are others."""
    told = 6 if _as_in_2020(inputs) else 2
    names = [f"{'+ ' if place else ''}{label('block', f'level.{level}')}" for place, level in enumerate(LEVELS[::-1])]
    return (
        *names[: min(told, len(inputs.rhos))],
        *(word("level_own", place=place) for place in range(told + 1, len(inputs.rhos) + 1)),
    )


def _as_in_2020(inputs: HierarchyInputs) -> bool:
    return inputs.siblings_per_level[1:] == SIBLINGS_ABOVE


def gains(inputs: HierarchyInputs) -> tuple[FloatArray, FloatArray]:
    """What the counts of each further level add for an attacker who must guess the siblings.

    The ρ of one count that teaches as much, and the average belief about somebody who is counted.
    """
    rhos, siblings = inputs.rhos, inputs.siblings_per_level
    found = [
        many_levels.effective_rho(rhos[:levels], siblings=siblings[: levels - 1]) for levels in range(1, len(rhos) + 1)
    ]
    one = CountAttack(DiscreteGaussian(rho=found[0]), prior=inputs.prior)
    return np.array(found), np.asarray(one.over(found).marginal_posterior())


@lru_cache(maxsize=64)
def knowing(rhos: tuple[float, ...], prior: float) -> float:
    """The same for an attacker who knows everybody else, with one count of each of these ρ."""
    return float(RepeatedAttack([DiscreteGaussian(rho=rho) for rho in rhos], prior=prior).marginal_posterior())


def gains_in_words(inputs: HierarchyInputs, style: Style) -> dict[str, str]:
    """Beliefs before, from the block, with the group, with all levels; and knowing everybody else at each of them."""
    attacked, found = Attacked(inputs, style), gains(inputs)[1]
    said = {"before": inputs.prior, "first": found[0], "second": found[1], "last": found[-1]}
    said["unique"] = knowing(inputs.rhos, inputs.prior)
    return {name: attacked.fine(float(belief)) for name, belief in said.items()}


def build_up(inputs: HierarchyInputs, style: Style) -> Picture:
    """What each further level adds: for an attacker who must guess the siblings, and for one who knows everybody."""
    rhos, siblings = inputs.rhos, inputs.siblings_per_level
    effective, edge = gains(inputs)
    unique = np.array([knowing(rhos[:levels], inputs.prior) for levels in range(1, len(rhos) + 1)])
    attacked = Attacked(inputs, style)
    belief = attacked.say("level_axis")
    below = [*siblings[: len(rhos) - 1], None]
    rows = side_by_side(
        Column("level", word("up_to"), _names(inputs)),
        Column("rho", word("level_rho"), rhos, said=digits(4)),
        Column("siblings", word("level_siblings"), below, said=int),
        Column("effective", word("effective_rho"), effective, said=digits(10)),
        Column("edge", attacked.say("levels_edge"), edge, quantity=belief, said=digits(5)),
        Column("unique", attacked.say("levels_unique"), unique, quantity=belief, said=digits(5)),
    )
    reading = attacked.say(
        "reading_levels",
        **gains_in_words(inputs, style),
        levels=len(rhos),
        rho_first=plain_number(effective[0], 5),
        rho_second=plain_number(effective[1], 5),
        rho_last=plain_number(effective[-1], 5),
        rho_limit=Upper(rhos[0] * (1 + 1 / siblings[0]), number(5)),
    )
    unsure = Line(x="level", y="edge", label=3)
    return Picture.of(
        "hierarchy-levels",
        (rows,),
        (Line(x="level", y="unique", role="reach", dash="dash", label=2, beside=("left", "top")), unsure),
        reading=reading,
        caption=word("levels_2020" if _as_in_2020(inputs) else "levels"),
        x=Axis(rows=True, titled=False),
        style=style,
    )
