"""Noisy tables on a tree of areas, adjusted: they add up, have no negative count, keep exact totals, and are whole.

All of it is post-processing: it reads noisy counts and exact totals, keeps whatever promise the noise keeps, and adds
none. Least squares is unbiased and has exact covariances; no longer being negative or broken adds bias, so that errors
after it are estimated by drawing the noise again.

`trees` holds areas in areas, `tables` a noisy table with what is exact in it, `least_squares` the unbiased estimate in
two passes, `programs` the nearest table without negative counts (by Clarabel, the extra ``adjust``) and its rounding,
`adjusted` the whole chain, for all areas at once or from each area down to its parts, `bootstrap` intervals after it,
`posterior` the exact law of one count given them all.
"""

from dpcore.adjustment.adjusted import AdjustedTable, Method, adjusted_table
from dpcore.adjustment.bootstrap import bootstrap_interval_estimate
from dpcore.adjustment.least_squares import LeastSquares, ratio_interval
from dpcore.adjustment.posterior import CountPosterior, count_posterior
from dpcore.adjustment.tables import NoisyTable, TotalBounds
from dpcore.adjustment.trees import AreaTree, Level

__all__ = [
    "AdjustedTable",
    "AreaTree",
    "CountPosterior",
    "LeastSquares",
    "Level",
    "Method",
    "NoisyTable",
    "TotalBounds",
    "adjusted_table",
    "bootstrap_interval_estimate",
    "count_posterior",
    "ratio_interval",
]
