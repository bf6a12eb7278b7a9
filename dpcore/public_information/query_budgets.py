"""What a query release spends and how much noise that buys: one round, every marginal once, one best-mixture error.

All budgets are ½ẽ²-zero-concentrated for neighbours that differ in one replaced record, or pure where said; the number
of records is public.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcore import _checks
from dpcore._calls import call_hint

REPLACED = "The promise is about the value of one record, replaced while the number of records is public."

LARGEST_ROUNDS = 10_000


@call_hint
@dataclass(frozen=True)
class RoundBudget:
    """What one round of a query release spends: selection and measurement, each ½ selection_epsilon².

    The promise is about the value of one record, replaced while the number of records is public.
    Source: liu, Algorithm 1; ours, whole marginal: sensitivity √2 / records

    Attributes
    ----------
    selection_epsilon : float; parameter of the selection: score differences are multiplied by selection_epsilon *
        records / 2
    query_std : float; standard deviation of the Gaussian noise on one measured query
    marginal_std : float; standard deviation on each query when a whole marginal is measured at the same cost: √2 wider,
        because one replaced record changes two of its cells

    Examples
    --------
    >>> spent = round_budget(concentrated_epsilon=0.2, rounds=2, records=100)
    >>> spent.query_std, round(spent.marginal_std / spent.query_std, 6)  # 1/(0.1 * 100), and sqrt(2)
    (0.1, 1.414214)
    """

    selection_epsilon: float
    query_std: float
    marginal_std: float


@call_hint
def round_budget(*, concentrated_epsilon: float, rounds: int, records: int) -> RoundBudget:
    """Budget of one of `rounds` equal rounds that spend ½ẽ² in all (exact).

    The promise is about the value of one record, replaced while the number of records is public.
    Source: liu, Algorithm 1

    Parameters
    ----------
    concentrated_epsilon : float; ẽ of the whole release, greater than 0
    rounds : int; number of rounds, from 1 to 10,000
    records : int; number of private records, public; at least 1

    Examples
    --------
    >>> round_budget(concentrated_epsilon=0.2, rounds=2, records=100).selection_epsilon
    0.1
    """
    concentrated_epsilon = _checks.number("concentrated_epsilon", concentrated_epsilon, 0, open_low=True)
    rounds = _checks.count("rounds", rounds, 1, LARGEST_ROUNDS)
    records = _checks.count("records", records, 1)
    selection = concentrated_epsilon / math.sqrt(2 * rounds)
    std = 1 / (records * selection)
    return RoundBudget(selection_epsilon=selection, query_std=std, marginal_std=math.sqrt(2) * std)


@call_hint
def gaussian_marginals_std(*, marginals: int, records: int, concentrated_epsilon: float) -> float:
    """Standard deviation of the noise when every marginal is released once at ½ẽ² in all (exact).

    The promise is about the value of one record, replaced while the number of records is public.
    Source: ours, one replaced record moves two cells of each marginal by 1/records

    Parameters
    ----------
    marginals : int; number of marginals, at least 1
    records : int; number of private records, at least 1
    concentrated_epsilon : float; ẽ of the whole release, greater than 0

    Examples
    --------
    >>> gaussian_marginals_std(marginals=2, records=100, concentrated_epsilon=0.1)
    0.2
    """
    marginals = _checks.count("marginals", marginals, 1)
    records = _checks.count("records", records, 1)
    spend = _checks.number("concentrated_epsilon", concentrated_epsilon, 0, open_low=True)
    return math.sqrt(2 * marginals) / (records * spend)


@call_hint
def best_mixture_noise_std(*, records: int, epsilon: float) -> float:
    """Standard deviation of Laplace noise on the best-mixture error, whose sensitivity is 1/records (exact).

    The promise is about the value of one record, replaced while the number of records is public.
    Source: liu, Lemma 4.2 and section 5.5.1

    Parameters
    ----------
    records : int; number of private records, at least 1
    epsilon : float; pure budget spent, greater than 0

    Examples
    --------
    >>> round(best_mixture_noise_std(records=100_000, epsilon=0.01), 7)
    0.0014142
    """
    records = _checks.count("records", records, 1)
    return math.sqrt(2) / (records * _checks.number("epsilon", epsilon, 0, open_low=True))
