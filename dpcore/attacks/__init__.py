"""Attacks on noisy tables, exactly: what an attacker believes, how often they are right, what more data would add.

`one_count` attacks one noisy count with any mechanism's noise, `moved_value` the two counts between which a value
moves, `all_cells` a whole histogram; `any_release` bounds what every release with a guarantee permits. `repeated`
attacks several counts of one person, `weighted` makes one reading of them; `two_levels` a block with the count of its
block group, `many_levels` with every count above; `published_chain` is the law behind the printed tables; `siblings`
holds what is believed about the rest of the block group and the noise of a sum; `post_processed` attacks counts that
were made to add up; `reconstruction` rebuilds a whole block from its tables, and `fitting` counts the blocks that fit
tables without noise, rounded or otherwise protected. `one_count`, `all_cells` and these two also attack what a method
of `dpcore.methods` publishes.

A module is read when it is first named.

Examples
--------
>>> import dpcore
>>> attack = dpcore.attacks.one_count.CountAttack(dpcore.Geometric(epsilon=1.0), prior=0.5)
>>> round(attack.posterior(1), 4)
0.7311
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcore.attacks import all_cells as all_cells
    from dpcore.attacks import any_release as any_release
    from dpcore.attacks import fitting as fitting
    from dpcore.attacks import many_levels as many_levels
    from dpcore.attacks import moved_value as moved_value
    from dpcore.attacks import one_count as one_count
    from dpcore.attacks import post_processed as post_processed
    from dpcore.attacks import published_chain as published_chain
    from dpcore.attacks import reconstruction as reconstruction
    from dpcore.attacks import repeated as repeated
    from dpcore.attacks import siblings as siblings
    from dpcore.attacks import two_levels as two_levels
    from dpcore.attacks import weighted as weighted

_MODULES = (
    "all_cells",
    "any_release",
    "fitting",
    "many_levels",
    "moved_value",
    "one_count",
    "post_processed",
    "published_chain",
    "reconstruction",
    "repeated",
    "siblings",
    "two_levels",
    "weighted",
)


def __getattr__(name: str) -> Any:
    """A module of this package, read when it is first asked for."""
    if name in _MODULES:
        return import_module(f"dpcore.attacks.{name}")
    raise AttributeError(
        f"dpcore.attacks has no {name!r}; its modules are {', '.join(_MODULES)}", name=name, obj=sys.modules[__name__]
    )


def __dir__() -> list[str]:
    return list(_MODULES)
