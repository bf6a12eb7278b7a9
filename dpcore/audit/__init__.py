"""Evidence against a claimed privacy: what outputs, or guesses about secrets, contradict, and how surely.

A promise is proved; evidence can only contradict it. Every number here is a lower bound on a budget, or a p-value of a
claim, at a level that is stated; none shows that a release is private. A weak attack, few draws or the wrong pair of
tables all give a low bound, so what is not contradicted is told with the chance that it would have been (`AlarmRates`,
`GuessRate`).

`guesses` judges guesses about secrets that fair coins decided; `alarms` the alarms of a rule in two worlds that differ
by one step of a promise, over draws of the whole release in each, and `joint` does so more sharply for one epsilon and
delta; `betting` reads either kind of evidence one by one and may stop at any time; `claimed_law` asks another question,
whether noise has the law that it is said to have.

Claims are values: a guarantee such as ``PureDP(epsilon=1.0)``, a mechanism, a plan or a trade-off. At a level such as
0.95 a claim is contradicted where its p-value is at most 0.05; true claims are so by chance in at most 5 of 100 audits.
"""

from dpcore.audit.alarms import AlarmRates, Alarms, RateBounds, ThresholdRule, chosen_rule
from dpcore.audit.betting import Wealth, guess_epsilon_lower, guess_wealth, pair_epsilon_lower, pair_wealth
from dpcore.audit.claimed_law import LawTest, joined_cells, law_test
from dpcore.audit.guesses import Guesses, GuessRate, UnevenGuesses
from dpcore.audit.joint import joint_epsilon_lower, joint_p_value

__all__ = [
    "AlarmRates",
    "Alarms",
    "GuessRate",
    "Guesses",
    "LawTest",
    "RateBounds",
    "ThresholdRule",
    "UnevenGuesses",
    "Wealth",
    "chosen_rule",
    "guess_epsilon_lower",
    "guess_wealth",
    "joined_cells",
    "joint_epsilon_lower",
    "joint_p_value",
    "law_test",
    "pair_epsilon_lower",
    "pair_wealth",
]
