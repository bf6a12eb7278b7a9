"""The trade-off between accusing wrongly and finding: what the best test of a secret can do after a release.

A test looks at the release and says "the secret is true" or "it is not". Two numbers describe it: x, the probability
that it says so where the secret is false (*false alarm*, wrongly accused), and y, the probability that it says so
where the secret is true (*detection*, found; 1 - y is *missed*). A `TradeOff` is the largest y for every x.

It answers for **one step** of a promise: for the two worlds that the given guarantee or mechanism itself compares.
Whether these are the two worlds of a reader's secret is for the caller to say: the value of a record is two steps under
add-or-remove guarantees, a household of g takes g steps. What any release with a guarantee allows over several steps is
said by `trade_off_of_secret` and `trade_off_over_steps`, sharply. A histogram with one noise per cell is sharper than
its steps: `cells`, which is `Promise.cells`.

Every pair of worlds here is symmetric: exchanging "true" and "false" gives the same curve, so one curve answers both
questions, how many are found at a false-alarm rate and how many wrong accusations finding so many costs.
"""

from dpcore.tradeoff.concentrated import randomized_response_epsilon
from dpcore.tradeoff.curves import BOUND, EXACT, TIGHT, TradeOff
from dpcore.tradeoff.sources import trade_off
from dpcore.tradeoff.steps import trade_off_of_secret, trade_off_over_steps

__all__ = [
    "BOUND",
    "EXACT",
    "TIGHT",
    "TradeOff",
    "randomized_response_epsilon",
    "trade_off",
    "trade_off_of_secret",
    "trade_off_over_steps",
]
