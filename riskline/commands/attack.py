"""`riskline attack`: what a noisy count tells about one person, exactly, as *Attack one block* answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.populations import CountTable, read_counts
from riskline.commands import Command, File, refuse
from riskline.output import Answer, Said
from ui.pictures.style import Style
from ui.views.block import FIELDS, BlockInputs, block_view
from ui.views.block.attack import attack_of
from ui.words.quantities import Estimate, Exact, Typed, Upper, as_told, whole


def answer(inputs: BlockInputs, style: Style, own: CountTable | None = None) -> Answer:
    """The belief after one release of the seed, over all releases, and what binds every attacker."""
    view = block_view(inputs, style, own)
    refuse(view.refusal)
    assert view.python is not None
    attack = attack_of(inputs, style, own)
    count, belief = attack.count, style.belief
    over_all = Estimate if attack.of_readings else Exact
    quantities: dict[str, Said] = {
        "prior": Typed(inputs.prior, as_told(attack.context["before"])),
        "published_count": Exact(int(attack.drawn[0]), whole),
        "posterior" if inputs.draws == "one" else "mean_of_a_hundred_posteriors": view.python.answer[0],
        "average_posterior_if_counted": over_all(float(count.marginal_posterior()), belief),
        "average_posterior_if_not_counted": over_all(float(count.marginal_posterior(side="absent")), belief),
        "chance_of_a_right_call": over_all(float(count.average_probability_right()), belief),
    }
    bound = attack.bound(np.asarray(attack.budget))
    if bound is not None:
        quantities["posterior_of_any_release"] = Upper(float(bound), belief)
    pictures = (view.release, view.repeats)  # what can be read without being seen
    return Answer(
        sentence=view.answer,
        small_print=view.small_print,
        quantities=quantities,
        cards=view.numbers,
        notes=(view.sensitivity, *(picture.reading for picture in pictures if picture is not None), *view.notes),
        lines=view.python,
    )


def _own(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"table": "own"}, {"own": read_counts(content)}


COMMAND = Command(
    stem="block",
    fields=FIELDS,
    inputs=BlockInputs,
    answer=answer,
    examples=(
        "attack --level block --prior 0.5",
        "attack --noise geometric --epsilon 0.5 --seed 3",
        "attack --level own --rho 0.1 --asked value --hides answers --json",
    ),
    file=File(
        "A CSV file of counts to attack, columns in any order: place, age, count (one row per cell), "
        "or place, adult, child (one row per place).",
        _own,
    ),
)
