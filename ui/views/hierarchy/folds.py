"""What the page folds: level by level, counts made to add up, the noise of a sum, printed numbers beside exact ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.attacks import many_levels, post_processed, published_chain, two_levels
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.attacks.siblings import EXACT_NOISE_FROM, SiblingPrior
from dpcore.attacks.two_levels import TwoLevels
from dpcore.mechanisms import DiscreteGaussian
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single, told
from ui.pictures.marks import Axis, Line, Mark, Panel, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.hierarchy.attacked import SIBLINGS_ABOVE, Attacked, HierarchyInputs, sum_error, tiny, word
from ui.words.catalogue import heads
from ui.words.phrasing import percent, plain_number
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
    return word("of_draws", called=round(DRAWS * share), draws=DRAWS)


def _names(inputs: HierarchyInputs) -> tuple[str, ...]:
    """What each level is called: as in 2020, or by its number where there are others."""
    places = range(1, len(inputs.rhos) + 1)
    told = 6 if _as_in_2020(inputs) else 2
    return tuple(word(f"level.{place}") if place <= told else word("level_own", place=place) for place in places)


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
    attacked = Attacked(inputs, style)
    called = _drawn_calls(rhos, siblings, inputs.prior, inputs.seed)
    belief = attacked.say("level_axis")
    below = [*siblings[: len(rhos) - 1], None]
    rows = side_by_side(
        Column("level", word("up_to"), _names(inputs)),
        Column("rho", word("level_rho"), rhos, said=digits(4)),
        Column("siblings", word("level_siblings"), below, said=int),
        Column("effective", word("effective_rho"), effective, said=digits(10)),
        Column("edge", attacked.say("levels_edge"), edge, quantity=belief, said=digits(5)),
        Column("unique", attacked.say("levels_unique"), unique, quantity=belief, said=digits(5)),
        Column("called", word("called"), called, said=_of_draws),
    )
    reading = attacked.say(
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
    return Picture(
        key="hierarchy-levels",
        numbers=Numbers(word("levels_2020" if _as_in_2020(inputs) else "levels"), (rows,)),
        marks=(
            Line(x="level", y="unique", role="reach", dash="dash", label=2, beside=("left", "top")),
            Line(x="level", y="edge", label=3),
        ),
        panels=(Panel(x=Axis(rows=True, titled=False)),),
        reading=reading,
        style=style,
    )


def after_fitting(inputs: HierarchyInputs, style: Style) -> Picture:
    """What post-processing takes away: the block's count fitted to the group's, against the bound that holds."""
    attacked, rho = Attacked(inputs, style), inputs.rhos[0]
    groups = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200])
    d, prior = inputs.siblings, inputs.prior
    average = np.array(
        [post_processed.marginal_posterior(group=int(group), rho=rho, siblings=d, prior=prior) for group in groups]
    )
    bound = post_processed.marginal_posterior_upper(rho=rho, siblings=d, prior=prior)
    one = float(CountAttack(DiscreteGaussian(rho=rho), prior=inputs.prior).marginal_posterior())
    passing = int((average > one + 1e-9).sum())
    passed = attacked.say(
        "post_passed" if passing else "post_not_passed",
        many=passing,
        groups=groups.size,
    )
    words = {"one": attacked.fine(one), "bound": Upper(bound, attacked.fine), "passed": passed}
    belief = attacked.say("level_axis")
    fitted = side_by_side(
        Column("group", word("group_size"), groups, quantity=attacked.say("post_axis"), said=int),
        Column("fitted", attacked.say("post_curve"), average, quantity=belief, said=digits(6)),
        Column(
            "alone",
            attacked.say("post_one", **words),
            np.full(groups.size, one),
            quantity=belief,
            listed=False,
        ),
        Column(
            "bound",
            attacked.say("post_bound"),
            np.full(groups.size, bound),
            quantity=belief,
            listed=False,
        ),
    )
    reading = attacked.say(
        "reading_post",
        low=attacked.fine(float(average[0])),
        high=attacked.fine(float(average[-1])),
        small=int(groups[0]),
        large=int(groups[-1]),
        **words,
    )
    caption = word("fitted", one=plain_number(one, 6), bound=Upper(bound, number(6)).digits)
    ticks = tuple((float(group), str(group)) for group in (1, 2, 5, 10, 20, 50, 100, 200))
    return Picture(
        key="hierarchy-fitted",
        numbers=Numbers(caption, (fitted,)),
        marks=(
            Line(x="group", y="fitted", label=4, beside=("left", "top")),
            Line(x="group", y="alone", role="quiet", dash="dot", label=0, beside=("left", "top")),
            Line(x="group", y="bound", role="reach", dash="dash", label=1),
        ),
        panels=(Panel(x=Axis(log=True, ticks=ticks)),),
        reading=reading,
        style=style,
    )


def noise_of_sums(inputs: HierarchyInputs, style: Style) -> Picture:
    """How wrong the approximate law of the siblings' summed noise is, by budget."""
    attacked, rho = Attacked(inputs, style), inputs.rhos[0]
    rates = np.array([0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0])
    error = np.array([sum_error(inputs.siblings, float(rate)) for rate in rates])
    here = sum_error(inputs.siblings, rho)
    name = attacked.say("sums_error")
    rate_axis = attacked.say("sums_axis")
    seen = np.where(error > 1e-13, error, np.nan)  # less is the arithmetic's own
    rows = [
        side_by_side(
            Column("rate", word("sums_rate"), rates, quantity=rate_axis, said=digits(3)),
            Column("error", name, error, said=told(Upper, tiny)),
            Column("seen", word("sums_drawn", error=name), seen, quantity=name, listed=False),
        )
    ]
    marks: list[Mark] = [Line(x="rate", y="seen")]
    if rates[0] <= rho <= rates[-1] and here > 1e-13:
        rows.append(
            side_by_side(
                single("this_rate", word("sums_here"), rho, quantity=rate_axis),
                single("here", attacked.say("sums_spot"), here, quantity=name),
            )
        )
        marks.append(Spot(x="this_rate", y="here"))
    reading = attacked.say(
        "reading_sums",
        siblings=inputs.siblings,
        rho_block=plain_number(rho, 4),
        error=Upper(here, tiny),
        from_rho=EXACT_NOISE_FROM,
    )
    ticks = tuple((at, f"{at:g}") for at in (0.3, 0.5, 1, 2, 3, 5, 10))
    return Picture(
        key="hierarchy-sums",
        numbers=Numbers(word("sums", siblings=f"{inputs.siblings:,}"), tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True, ticks=ticks), y=Axis(log=True)),),
        reading=reading,
        style=style,
        height=300,
    )


@lru_cache(maxsize=1)
def printed_beside_exact() -> Table:
    """The printed numbers, the exact ones, and those of the chain that reproduces the printed ones."""
    design = TwoLevels(rho_block=0.0992, rho_group=0.2465, siblings=27, prior=0.5)
    release = (2, 1, -1)
    exact, chain = (
        two_levels.effects(block=1, group=1, design=design),
        published_chain.effects(block=1, group=1, design=design),
    )
    bounded = replace(design, sibling_prior=SiblingPrior("bounded", total=10))
    certain = replace(design, sibling_prior=SiblingPrior("point", total=1))

    def share(probability: float, digits: int = 1) -> str:
        return percent(float(probability), digits)

    rows: list[tuple[object, ...]] = [
        (
            word("printed_belief"),
            "57.0 %",
            share(float(two_levels.posterior(*release, design=design))),
            share(float(published_chain.posterior(*release, design=design))),
        )
    ]
    for group, printed in ((0, "11 %"), (1, "40 %"), (2, "30 %"), (3, "14 %")):
        rows.append(
            (
                word("printed_group", group=group),
                printed,
                *(
                    share(float(law.group_posterior(group, *release, design=design)))
                    for law in (two_levels, published_chain)
                ),
            )
        )
    rows += [
        (
            word("printed_counted"),
            "2.48 %",
            share(exact.switched_to_counted, 2),
            share(chain.switched_to_counted, 2),
        ),
        (
            word("printed_not"),
            "1.83 %",
            share(exact.switched_to_not, 2),
            share(chain.switched_to_not, 2),
        ),
        (word("printed_bounded"), "59 %", *_right_both(bounded, share)),
        (word("printed_certain"), "59 %", *_right_both(certain, share)),
    ]
    return Table(word("printed_table.caption"), heads("hierarchy", "printed_table"), tuple(rows))


def _right_both(design: TwoLevels, share: Callable[[float], str]) -> tuple[str, str]:
    exact = two_levels.effects(block=1, group=1, design=design)
    return share(exact.right), share(published_chain.effects(block=1, group=1, design=design).right)
