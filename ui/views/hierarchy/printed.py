"""The printed numbers of the attack beside the exact ones and those of the chain behind the printed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from dpcore.attacks import published_chain, two_levels
from dpcore.attacks.siblings import SiblingPrior
from dpcore.attacks.two_levels import TwoLevels
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.words.catalogue import say
from ui.words.phrasing import percent


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
            "belief after block 2, group 1, others −1 (Table 2.7)",
            "57.0 %",
            share(float(two_levels.posterior(*release, design=design))),
            share(float(published_chain.posterior(*release, design=design))),
        )
    ]
    for group, printed in ((0, "11 %"), (1, "40 %"), (2, "30 %"), (3, "14 %")):
        rows.append(
            (
                f"belief that the group holds {group}, same release (Table 2.8)",
                printed,
                *(
                    share(float(law.group_posterior(group, *release, design=design)))
                    for law in (two_levels, published_chain)
                ),
            )
        )
    rows += [
        (
            "releases in which the group turns the call to counted (Figure 2.4)",
            "2.48 %",
            share(exact.switched_to_counted, 2),
            share(chain.switched_to_counted, 2),
        ),
        (
            "releases in which it turns the call to not counted",
            "1.83 %",
            share(exact.switched_to_not, 2),
            share(chain.switched_to_not, 2),
        ),
        ("right, at most 10 in the group (chapter 2.9)", "59 %", *_right_both(bounded, share)),
        ("right, exactly 1 in the group", "59 %", *_right_both(certain, share)),
    ]
    return Table(
        "Printed, exact, and the chain we infer behind the printed numbers",
        ("what", "printed", "exact", "inferred chain"),
        tuple(rows),
    )


def _right_both(design: TwoLevels, share: Callable[[float], str]) -> tuple[str, str]:
    exact = two_levels.effects(block=1, group=1, design=design)
    return share(exact.right), share(published_chain.effects(block=1, group=1, design=design).right)


def printed_words(style: Style) -> str:
    """What the table of printed numbers says."""
    return say("hierarchy", style.voice, "printed")
