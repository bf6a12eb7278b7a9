"""Did people understand what they were shown? A randomised comparison of two ways to show one number.

The people of a room are dealt at random to two ways of showing the same number, arm A and arm B, and answer the same
questions. Every answer here holds for these people in this room: what is random is the dealing, and nothing is said
about other people. No law of a population and no normal approximation stands behind it.

`dealing` deals, and asks how often another dealing of the same people would have shown as much; `difference` says how
large the difference is; `power` how many people it takes; `betting` may be looked at after every pair; `confidence`
holds how sure people were against how often they were right; `questions` are ten questions with computed answers, and
wrong ones that each come from a known misreading.
"""

from dpcore.trial.betting import PairBets, pair_bets
from dpcore.trial.confidence import Confidence
from dpcore.trial.dealing import Arm, DealingTest, dealing_test, dealt_arms, next_arm, surplus_test
from dpcore.trial.difference import LARGEST_ROOM, difference_interval
from dpcore.trial.power import LARGEST_ARM, fisher_power, people_needed, people_needed_estimate
from dpcore.trial.questions import Misreading, Question, Setting, WrongAnswer

__all__ = [
    "LARGEST_ARM",
    "LARGEST_ROOM",
    "Arm",
    "Confidence",
    "DealingTest",
    "Misreading",
    "PairBets",
    "Question",
    "Setting",
    "WrongAnswer",
    "dealing_test",
    "dealt_arms",
    "difference_interval",
    "fisher_power",
    "next_arm",
    "pair_bets",
    "people_needed",
    "people_needed_estimate",
    "surplus_test",
]
