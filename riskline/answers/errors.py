"""How wrong a published number is: the noise that a budget puts on it, and its error."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcore._properties import cached_property
from dpcore.accuracy import AdditiveMechanism, CountError, Noise, count_error, noise_for_range, noise_with_budget
from riskline.answers.schema import USUAL_LEVEL
from riskline.answers.spent import Spent


@dataclass(frozen=True)
class RowError:
    """The noise on each number of a row, and its error: exact for that noise, whatever the numbers are.

    noise : on each number
    level : how often the range holds, in [0, 1)
    """

    noise: AdditiveMechanism
    level: float = USUAL_LEVEL

    @cached_property
    def error(self) -> CountError:
        """The error of one number."""
        return count_error(self.noise, level=self.level)

    @cached_property
    def whole_range(self) -> tuple[int, float]:
        """How far a count published as a whole number lies from the truth as often as asked, and exactly how often."""
        if self.noise.is_whole:
            return math.ceil(self.error.half_width), self.error.within
        wide = max(0, math.ceil(self.error.half_width - 0.5))
        return wide, float(self.noise.probability_within(wide + 0.5))


def noise_error(budget: float, noise: Noise, *, level: float = USUAL_LEVEL) -> RowError:
    """The error of a number with noise of this budget.

    >>> noise_error(1.29, "geometric").error.half_width
    2
    """
    return RowError(noise_with_budget(budget, noise), level)


def error_of_range(half_width: float, noise: Noise, *, level: float = USUAL_LEVEL) -> RowError:
    """The error of the noise with the smallest budget that keeps numbers within a range as often as asked."""
    return RowError(noise_for_range(half_width, noise, level=level), level)


def row_error(found: Spent, *, level: float = USUAL_LEVEL) -> RowError:
    """The error of each count that a case releases, with the budget that it spends.

    >>> from riskline.answers import spent
    >>> from riskline.case.value import Case
    >>> row_error(spent(Case(ratio=3.0))).error.half_width
    2
    """
    return noise_error(found.of_a_count, found.fitting_noise, level=level)
