"""One budget over a whole publication: tables, totals and means about the same people, and how wide their ranges are.

`rows` says what is published and how far one unit moves it; `errors` how wrong a number is at a budget, and the budget
a range needs; `sharing` divides a total by one rule; `trees` adds up the levels of a geography; `spending` says what
the whole spends and means for a secret; `frontier` draws risk against use; `readings` is about differences, orders and
shares of noisy counts, `lists` about many of them: wrong sides of targets, ranks, medians, means; `clipping` weighs the
noise that wide bounds need against what narrow ones cut off; `presets` holds publications as they were made.
"""

from dpcore.publication.clipping import ClippingError, best_bounds, bounds_ladder, clipping_errors
from dpcore.publication.errors import (
    PublicationErrors,
    RangeError,
    budget_for_range,
    publication_errors,
    range_error,
)
from dpcore.publication.frontier import Frontier, frontier, totals_of_caps
from dpcore.publication.lists import (
    EventCount,
    WrongOrders,
    WrongSides,
    clamping_biases,
    errors_beyond,
    mean_half_width,
    median_half_width,
    negative_counts,
    rank_law,
    wrong_orders,
    wrong_sides,
)
from dpcore.publication.presets import PublishedLevels, census_levels_2020
from dpcore.publication.readings import (
    NoiseDifference,
    OrderChances,
    ShareRange,
    difference_half_width,
    order_chances,
    share_half_width,
    share_range,
)
from dpcore.publication.rows import (
    ClippedMean,
    ClippedTotal,
    CountTable,
    Publication,
    Row,
    Wish,
)
from dpcore.publication.sharing import (
    Allocation,
    Rule,
    Stretch,
    allocate,
    least_stretch,
    least_weighted_variance,
    total_for_wishes,
)
from dpcore.publication.spending import (
    belief_upper,
    guarantee_of_secret,
    guarantee_of_unit,
    ledger,
    steps_of_secret,
)
from dpcore.publication.trees import LevelErrors, level_errors, tree_variances

__all__ = [
    "Allocation",
    "ClippedMean",
    "ClippedTotal",
    "ClippingError",
    "CountTable",
    "Frontier",
    "EventCount",
    "LevelErrors",
    "NoiseDifference",
    "OrderChances",
    "Publication",
    "PublicationErrors",
    "PublishedLevels",
    "RangeError",
    "Row",
    "Rule",
    "ShareRange",
    "Stretch",
    "Wish",
    "WrongOrders",
    "WrongSides",
    "allocate",
    "belief_upper",
    "best_bounds",
    "bounds_ladder",
    "budget_for_range",
    "census_levels_2020",
    "clipping_errors",
    "difference_half_width",
    "errors_beyond",
    "frontier",
    "guarantee_of_secret",
    "guarantee_of_unit",
    "least_stretch",
    "least_weighted_variance",
    "ledger",
    "level_errors",
    "mean_half_width",
    "median_half_width",
    "negative_counts",
    "order_chances",
    "publication_errors",
    "clamping_biases",
    "range_error",
    "rank_law",
    "share_half_width",
    "share_range",
    "steps_of_secret",
    "total_for_wishes",
    "totals_of_caps",
    "tree_variances",
    "wrong_orders",
    "wrong_sides",
]
