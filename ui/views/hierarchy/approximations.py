"""What fitting the block to its group takes away, and how wrong the approximate noise of a sum is."""

from __future__ import annotations

import numpy as np

from dpcore.attacks import post_processed
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.siblings import EXACT_NOISE_FROM
from dpcore.mechanisms import DiscreteGaussian
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single, told
from ui.pictures.marks import Axis, Line, Mark, Panel, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.hierarchy.attacked import Attacked, sum_error, tiny
from ui.views.hierarchy.choices import HierarchyInputs
from ui.words.catalogue import say
from ui.words.phrasing import plain_number, so_many
from ui.words.quantities import Upper, number


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
    passed = say(
        "hierarchy",
        style.voice,
        "post_passed" if passing else "post_not_passed",
        many=passing,
        groups=groups.size,
    )
    words = {"one": attacked.fine(one), "bound": Upper(bound, attacked.fine), "passed": passed}
    belief = say("hierarchy", style.voice, "level_axis")
    fitted = side_by_side(
        Column("group", "group", groups, quantity=say("hierarchy", style.voice, "post_axis"), said=int),
        Column("fitted", say("hierarchy", style.voice, "post_curve"), average, quantity=belief, said=digits(6)),
        Column(
            "alone",
            say("hierarchy", style.voice, "post_one", **words),
            np.full(groups.size, one),
            quantity=belief,
            listed=False,
        ),
        Column(
            "bound",
            say("hierarchy", style.voice, "post_bound"),
            np.full(groups.size, bound),
            quantity=belief,
            listed=False,
        ),
    )
    reading = say(
        "hierarchy",
        style.voice,
        "reading_post",
        low=attacked.fine(float(average[0])),
        high=attacked.fine(float(average[-1])),
        small=int(groups[0]),
        large=int(groups[-1]),
        **words,
    )
    caption = (
        f"After fitting; the block alone gives {plain_number(one, 6)}, the bound is {Upper(bound, number(6)).digits}"
    )
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
    rho = inputs.rhos[0]
    rates = np.array([0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0])
    error = np.array([sum_error(inputs.siblings, float(rate)) for rate in rates])
    here = sum_error(inputs.siblings, rho)
    name = say("hierarchy", style.voice, "sums_error")
    rate_axis = say("hierarchy", style.voice, "sums_axis")
    seen = np.where(error > 1e-13, error, np.nan)  # less is the arithmetic's own
    rows = [
        side_by_side(
            Column("rate", "ρ of each count", rates, quantity=rate_axis, said=digits(3)),
            Column("error", name, error, said=told(Upper, tiny)),
            Column("seen", f"{name}, drawn", seen, quantity=name, listed=False),
        )
    ]
    marks: list[Mark] = [Line(x="rate", y="seen")]
    if rates[0] <= rho <= rates[-1] and here > 1e-13:
        rows.append(
            side_by_side(
                single("this_rate", "ρ of the block", rho, quantity=rate_axis),
                single("here", say("hierarchy", style.voice, "sums_spot"), here, quantity=name),
            )
        )
        marks.append(Spot(x="this_rate", y="here"))
    reading = say(
        "hierarchy",
        style.voice,
        "reading_sums",
        siblings=inputs.siblings,
        rho_block=plain_number(rho, 4),
        error=Upper(here, tiny),
        from_rho=EXACT_NOISE_FROM,
    )
    ticks = tuple((at, f"{at:g}") for at in (0.3, 0.5, 1, 2, 3, 5, 10))
    summed = so_many(inputs.siblings, "noise")
    return Picture(
        key="hierarchy-sums",
        numbers=Numbers(f"Largest error of approximation (2.9) for a sum of {summed}", tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True, ticks=ticks), y=Axis(log=True)),),
        reading=reading,
        style=style,
        height=300,
    )
