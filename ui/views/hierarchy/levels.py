"""What each further level of the hierarchy adds, up to the nation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.attacks import many_levels
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.mechanisms import DiscreteGaussian
from ui.pictures.columns import Column, Numbers, digits, side_by_side
from ui.pictures.marks import Axis, Line, Panel
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.hierarchy.attacked import Attacked
from ui.views.hierarchy.choices import SIBLINGS_ABOVE, HierarchyInputs
from ui.words.catalogue import say
from ui.words.phrasing import plain_number
from ui.words.quantities import Upper, number

FloatArray = NDArray[np.float64]
DRAWS = 100


@lru_cache(maxsize=8)
def _drawn_calls(rhos: tuple[float, ...], siblings: tuple[int, ...], prior: float, seed: int) -> tuple[float, ...]:
    """Share of drawn releases in which a target who is alone everywhere is called, with 1, 2, ... levels."""
    noise = [
        DiscreteGaussian(rho=rho).simulate_noise(DRAWS, seed=1000 * seed + 10 * level) for level, rho in enumerate(rhos)
    ]
    sums = [
        DiscreteGaussian(rho=rho)
        .simulate_noise(DRAWS * number, seed=1000 * seed + 10 * level + 5)
        .reshape(DRAWS, number)
        .sum(1)
        for level, (rho, number) in enumerate(zip(rhos, siblings, strict=False))
    ]
    called = []
    for levels in range(1, len(rhos) + 1):
        odds = [
            many_levels.log_odds(
                [1 + int(noise[level][draw]) for level in range(levels)],
                [int(sums[level][draw]) for level in range(levels - 1)],
                rhos=rhos[:levels],
                siblings_per_level=siblings[: levels - 1],
                prior=prior,
            )
            for draw in range(DRAWS)
        ]
        called.append(float(np.mean(np.array(odds) > 0)))
    return tuple(called)


def _of_draws(share: float) -> str:
    """A share of the drawn releases as so many of them."""
    return f"{round(DRAWS * share)} of {DRAWS}"


LEVEL_NAMES = ("block", "+ block group", "+ tract", "+ county", "+ state", "+ nation")


def _names(inputs: HierarchyInputs) -> tuple[str, ...]:
    """What each level is called: as in 2020, or by its number where there are others."""
    own = tuple(f"+ level {place}" for place in range(3, len(inputs.rhos) + 1))
    return LEVEL_NAMES if _as_in_2020(inputs) else (*LEVEL_NAMES[:2], *own)


def _as_in_2020(inputs: HierarchyInputs) -> bool:
    return inputs.siblings_per_level[1:] == SIBLINGS_ABOVE


@dataclass(frozen=True)
class Gains:
    """What somebody who is counted is believed to be, on average, with the counts of the first levels, of one more, …

    Parameters
    ----------
    effective : the ρ of one count that teaches as much to an attacker who must guess the siblings
    guessing : the belief of that attacker
    """

    effective: FloatArray
    guessing: FloatArray


def gains(inputs: HierarchyInputs) -> Gains:
    """What the counts of each further level add for an attacker who must guess the siblings."""
    rhos, siblings = inputs.rhos, inputs.siblings_per_level
    found = [
        many_levels.effective_rho(rhos[:levels], siblings=siblings[: levels - 1]) for levels in range(1, len(rhos) + 1)
    ]
    one = CountAttack(DiscreteGaussian(rho=found[0]), prior=inputs.prior)
    return Gains(np.array(found), np.asarray(one.over(found).marginal_posterior()))


@lru_cache(maxsize=64)
def knowing(rhos: tuple[float, ...], prior: float) -> float:
    """The same for an attacker who knows everybody else, with one count of each of these ρ."""
    return float(RepeatedAttack([DiscreteGaussian(rho=rho) for rho in rhos], prior=prior).marginal_posterior())


def gains_in_words(inputs: HierarchyInputs, style: Style) -> dict[str, str]:
    """Beliefs before, from the block, with the group, with all levels; and knowing everybody else at each of them."""
    attacked, found = Attacked(inputs, style), gains(inputs).guessing
    said = {"before": inputs.prior, "first": found[0], "second": found[1], "last": found[-1]}
    said["unique"] = knowing(inputs.rhos, inputs.prior)
    return {name: attacked.fine(float(belief)) for name, belief in said.items()}


def build_up(inputs: HierarchyInputs, style: Style) -> Picture:
    """What each further level adds: for an attacker who must guess the siblings, and for one who knows everybody."""
    rhos, siblings, found = inputs.rhos, inputs.siblings_per_level, gains(inputs)
    effective, edge = found.effective, found.guessing
    unique = np.array([knowing(rhos[:levels], inputs.prior) for levels in range(1, len(rhos) + 1)])
    called = _drawn_calls(rhos, siblings, inputs.prior, inputs.seed)
    belief = say("hierarchy", style.voice, "level_axis")
    every = range(len(rhos))
    rows = side_by_side(
        Column("level", "up to", _names(inputs)),
        Column("rho", "ρ", rhos, said=digits(4)),
        Column("siblings", "siblings", [siblings[at] if at + 1 < len(rhos) else None for at in every], said=int),
        Column("effective", "effective ρ", effective, said=digits(10)),
        Column("edge", say("hierarchy", style.voice, "levels_edge"), edge, quantity=belief, said=digits(5)),
        Column("unique", say("hierarchy", style.voice, "levels_unique"), unique, quantity=belief, said=digits(5)),
        Column("called", "called", called, said=_of_draws),
    )
    reading = say(
        "hierarchy",
        style.voice,
        "reading_levels",
        **gains_in_words(inputs, style),
        levels=len(rhos),
        rho_first=plain_number(effective[0], 5),
        rho_second=plain_number(effective[1], 5),
        rho_last=plain_number(effective[-1], 5),
        rho_limit=Upper(rhos[0] * (1 + 1 / siblings[0]), number(5)),
        called_first=round(DRAWS * called[0]),
        called_last=round(DRAWS * called[-1]),
        draws=DRAWS,
    )
    caption = (
        f"Level by level.{' Siblings above the block group are round numbers of ours.' if _as_in_2020(inputs) else ''} "
        "Right calls are counted in seeded draws of a target alone at every level, under a flat belief at each"
    )
    return Picture(
        key="hierarchy-levels",
        numbers=Numbers(caption, (rows,)),
        marks=(
            Line(x="level", y="unique", role="reach", dash="dash", label=2, beside=("left", "top")),
            Line(x="level", y="edge", label=3),
        ),
        panels=(Panel(x=Axis(rows=True, titled=False)),),
        reading=reading,
        style=style,
    )
