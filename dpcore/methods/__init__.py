"""Today's methods of disclosure control under the same Bayesian reading: cell keys, rounding, suppression, swapping.

Most tables are protected today by noise that is looked up by keys, by rounding, by hiding small counts or by swapping
records. Each of these is a law of what is published given the true count, and is asked here what noise is asked: what
a stated attacker believes after each published value, how often somebody becomes certain, how often a line is passed.

The attacker is the one of every bound: whoever knows the method, its parameters and every other record; not the keys
and draws. Certainty is possible with nearly all of these methods, and then no epsilon is finite: that does not say that
everything is told, so `TwoWorlds` has how often it happens, in each world. One cell's small chance grows over many
(`certain_somewhere`), and nothing adds up to a bound over a whole publication.

`worlds` holds the two laws and what a reader learns, `laws` what all methods share, `cell_keys`, `rounded_counts`,
`suppression` and `swapping` the methods, `equal_error` the noise that is as wrong as they are.
"""

from dpcore.methods.cell_keys import CellKey, PerturbationTable
from dpcore.methods.equal_error import ErrorMeasure, equal_error_budget
from dpcore.methods.laws import DisclosureControl, PublishedLaw
from dpcore.methods.rounded_counts import GraduatedRounding, NearestRounding, RandomRounding
from dpcore.methods.suppression import HiddenCell, SmallCountSuppression, SuppressedTable, Zero
from dpcore.methods.swapping import PermutationSwapping, Single
from dpcore.methods.worlds import HIDDEN, TwoWorlds, certain_somewhere, combine

__all__ = [
    "HIDDEN",
    "CellKey",
    "DisclosureControl",
    "ErrorMeasure",
    "GraduatedRounding",
    "HiddenCell",
    "NearestRounding",
    "PermutationSwapping",
    "PerturbationTable",
    "PublishedLaw",
    "RandomRounding",
    "Single",
    "SmallCountSuppression",
    "SuppressedTable",
    "TwoWorlds",
    "Zero",
    "certain_somewhere",
    "combine",
    "equal_error_budget",
]
