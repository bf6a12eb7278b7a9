"""Permutation swapping: places of some records of a stratum exchanged at random, and what the published file tells.

Records with the same matching variables are a stratum. Each is selected with one probability; the places of the
selected ones are permuted by a uniformly random derangement of them. What is counted by stratum and place stays exact
(the invariants), so neither is presence hidden nor, from whoever knows every other record, a place. What is said here
is about exchanging: two arrangements of the same places over the same people. It holds for the swapped file, record by
record; tables made of it tell no more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.methods.worlds import TwoWorlds

Single = Literal["stays", "redo"]
"""What is done where exactly one record is selected: nothing, or the selection again until it is not one."""
LARGEST_ENUMERATED = 8
"""Most records of a stratum whose permutations are enumerated."""
LARGEST_STRATUM = 1_000_000
"""Most records of a stratum."""
EXACT_FACTORIALS = 20  # from here on k!/e equals the number of derangements to a float's last digit


def _log_derangements(most: int) -> FloatArray:
    """log of the number of permutations of k things that leave none in its place, for k = 0 ... most."""
    k = np.arange(most + 1.0)
    found = gammaln(k + 1) - 1
    count = 1
    for number in range(min(most, EXACT_FACTORIALS) + 1):
        count = 1 if number == 0 else number * count + (-1) ** number
        found[number] = math.log(count) if count else -math.inf
    return found


@call_hint
@dataclass(frozen=True, kw_only=True)
class PermutationSwapping:
    """Swapping of the places of randomly selected records within each stratum.

    The promise is about the place of one person exchanged with another's: presence, and all counts by stratum and
    place, are told exactly.
    Source: bailie_gong_meng, pure differential privacy subject to invariants
    Source: ours, proof of the bound and exact laws; checked by enumeration and by simulation of the procedure

    Parameters
    ----------
    rate : float; probability that a record is selected, in (0, 1)
    single : {"stays", "redo"}, optional; what is done where exactly one record of a stratum is selected

    Examples
    --------
    >>> swapping = PermutationSwapping(rate=0.05)
    >>> round(swapping.probability_kept(10), 4)  # of ten records; 1 in 10 before
    0.9815
    >>> round(swapping.epsilon_per_record(4), 4), round(swapping.exchange_epsilon(4), 4)  # at most twice the first
    (4.5539, 8.0861)
    """

    rate: float
    single: Single = "stays"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", _checks.number("rate", self.rate, 0.0, 1.0, open_low=True, open_high=True))
        _checks.choice("single", self.single, ("stays", "redo"))

    @property
    def _log_odds(self) -> float:
        return math.log(self.rate) - math.log1p(-self.rate)

    def _log_weights(self, stratum: int) -> FloatArray:
        """log probability of one permutation that moves k records, by k; minus infinity for k = 1."""
        k = np.arange(stratum + 1.0)
        derangements = _log_derangements(stratum)
        weights = k * self._log_odds - derangements
        weights[1] = -math.inf
        weights += stratum * math.log1p(-self.rate)
        alone = stratum * self.rate * (1.0 - self.rate) ** (stratum - 1)  # exactly one is selected
        if self.single == "stays":
            weights[0] += math.log1p(stratum * math.exp(self._log_odds))
        else:
            weights -= math.log1p(-alone)
        return weights

    # ---- the bound, and the exact epsilon of an exchange ------------------------------------------------------

    def epsilon_per_record(self, stratum: int) -> float:
        """The published bound for each record whose place differs, for strata of at most so many records.

        Two arrangements of the same places that differ for h records give any published file probabilities whose
        logarithms differ by at most h times this. Two people who exchange their places are h = 2.
        """
        size = _stratum(stratum)
        return max(math.log(size + 1) - self._log_odds, self._log_odds)

    def exchange_epsilon(self, stratum: int) -> float:
        """Smallest epsilon of two people exchanging their places in a stratum of so many records; exact.

        It is reached where all places differ, and bounds the others. A larger stratum has a larger one.
        """
        size = _stratum(stratum)
        weights = self._log_weights(size)
        steps = [weights[:-2] - weights[2:], weights[2:-1] - weights[3:]]  # one moved by two more, and by one more
        return float(max(np.abs(step[np.isfinite(step)]).max(initial=0.0) for step in steps))

    # ---- what the swapped file tells --------------------------------------------------------------------------

    def probability_kept(self, stratum: int) -> float:
        """Probability that a record's published place is the true one, all places of the stratum differing; exact.

        Each other place is equally likely. To a reader who knows the places of the stratum and nothing more, who had 1
        over the number of records before, it is the belief in the published place.
        """
        size = _stratum(stratum)
        moved = -self.rate * math.expm1((size - 1) * math.log1p(-self.rate))
        if self.single == "redo":
            moved /= 1.0 - size * self.rate * (1.0 - self.rate) ** (size - 1)
        return 1.0 - moved

    def arrangement_law(self, places: Sequence[Hashable]) -> dict[tuple[Hashable, ...], float]:
        """Probability of each published arrangement of a stratum with these true places; exact, at most 8 records."""
        return {arrangement: math.exp(log) for arrangement, log in self._arrangement_logs(places).items()}

    def _arrangement_logs(self, places: Sequence[Hashable]) -> dict[tuple[Any, ...], float]:
        given = _places("places", places)
        names = list(dict.fromkeys(given))
        codes = np.array([names.index(place) for place in given])
        orders = _permutations(len(given))
        moved = (orders != np.arange(len(given))).sum(axis=1)
        arranged, which = np.unique(codes[orders], axis=0, return_inverse=True)
        logs = np.full(len(arranged), -math.inf)
        np.logaddexp.at(logs, which.ravel(), self._log_weights(len(given))[moved])
        return {
            tuple(names[code] for code in row): float(log)
            for row, log in zip(arranged, logs, strict=True)
            if log > -math.inf
        }

    def two_worlds(self, *, present: Sequence[Hashable], absent: Sequence[Hashable]) -> TwoWorlds:
        """The published arrangement of a stratum in two worlds, each with the place of every record; exact.

        Both must have the same places, whoever lives there: others are told apart for certain by the invariants.
        """
        here, there = _places("present", present), _places("absent", absent)
        if Counter(here) != Counter(there):
            raise Refused("present and absent", "have the same places", (here, there), Code.INCONSISTENT)
        logs = self._arrangement_logs(here), self._arrangement_logs(there)
        values = tuple(dict.fromkeys([*logs[0], *logs[1]]))
        return TwoWorlds(values, *(np.array([law.get(value, -math.inf) for value in values]) for law in logs))

    def exchange(self, stratum: int) -> TwoWorlds:
        """The worlds in which two people of a stratum of so many records have exchanged their places, and have not.

        Exact, for places that all differ. A value is how many records the published arrangement moves from the true one
        of either world, where they have exchanged and where they have not; "other" where both move as many. A belief
        depends on nothing else. The reader knows the place of everybody else.
        """
        size = _stratum(stratum)
        weights, derangements = self._log_weights(size), _log_derangements(size)
        k = np.arange(size - 1)  # of the size - 2 others
        choices = gammaln(size - 1) - gammaln(k + 1) - gammaln(size - 1 - k)
        both = zip(k, k + 2, choices + derangements[k], strict=True)  # both people have the places of one world
        single = zip(k + 1, k + 2, math.log(2) + choices + derangements[k + 1], strict=True)  # one of them has
        nearer: dict[tuple[Any, Any], tuple[float, float]] = {
            (int(near), int(far)): (log + weights[near], log + weights[far])
            for near, far, log in (*both, *single)
            if log > -math.inf
        }
        logs = nearer | {(far, near): pair[::-1] for (near, far), pair in nearer.items()}
        if size > 3:  # both people have places of others, and so many records move in either world
            k = np.arange(4, size + 1)
            ways = np.logaddexp(np.log(k - 3) + derangements[k - 1], np.log(k - 2) + derangements[k - 2])
            rest = float(logsumexp(choices[k - 2] + ways + weights[k]))
            logs["other", "other"] = rest, rest
        return TwoWorlds(tuple(logs), *np.array(list(logs.values())).T)

    def place_posterior(self, published: Sequence[Hashable], *, person: int) -> dict[Hashable, float]:
        """Belief in each place of one record after a stratum was published, every arrangement equally likely before.

        Exact. A permutation and its inverse are equally likely, so it is the law of the record's place if the published
        arrangement were swapped.

        Parameters
        ----------
        published : sequence of object; the published place of each record; at most 8
        person : int; the record, from 0
        """
        given = _places("published", published)
        asked = _checks.count("person", person, 0, len(given) - 1)
        belief = dict.fromkeys(given, 0.0)
        for arrangement, probability in self.arrangement_law(given).items():
            belief[arrangement[asked]] += probability
        return belief


def _stratum(size: int) -> int:
    return _checks.count("stratum", size, 2, LARGEST_STRATUM)


def _places(name: str, given: Sequence[Hashable]) -> tuple[Hashable, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise Refused(name, "be the places of the records, in order", given, Code.WRONG_TYPE)
    if not 2 <= len(given) <= LARGEST_ENUMERATED:
        raise Refused(name, f"be of 2 to {LARGEST_ENUMERATED} records", len(given), Code.TOO_LARGE)
    try:
        hash(tuple(given))
    except TypeError:
        raise Refused(name, "be names of places, such as text", given, Code.WRONG_TYPE) from None
    return tuple(given)


def _permutations(size: int) -> NDArray[np.int64]:
    return np.array(list(permutations(range(size))))
