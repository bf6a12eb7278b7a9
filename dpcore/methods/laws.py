"""A method of disclosure control as a law: what is published given the true count, and the two worlds of a person."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.mechanisms import CountLaw
from dpcore.methods.evidence import LawEvidence
from dpcore.methods.worlds import HIDDEN, SUMS_TO_ONE, TwoWorlds, in_order


@call_hint
@dataclass(frozen=True, eq=False)
class PublishedLaw:
    """The law of what is published in the place of one true count.

    The method makes no promise: this is its exact law, and what it tells of one person to whoever knows every other
    record.

    Parameters
    ----------
    count : int; the true count
    values : tuple of object; what can be published: whole numbers, rising, and ``"x"`` for a suppressed cell
    log_probability : array; natural logarithm of the probability of each

    Examples
    --------
    >>> from dpcore.methods import RandomRounding
    >>> law = RandomRounding(base=3).law(7)  # 7 = 2 x 3 + 1 goes down twice as often as up
    >>> law.values, law.probability.round(4).tolist()
    ((6, 9), [0.6667, 0.3333])
    >>> round(law.bias, 9), round(law.mean_square_error, 9), law.half_width(0.95)
    (0.0, 2.0, 2)
    """

    count: int
    values: tuple[Any, ...]
    log_probability: FloatArray

    @classmethod
    def of(cls, count: int, probability: Mapping[Any, float]) -> PublishedLaw:
        """From the probability of each value; what has none is left out."""
        values = in_order([value for value, mass in probability.items() if mass > 0.0])
        return cls(count, tuple(values), np.log([probability[value] for value in values]))

    @property
    def probability(self) -> FloatArray:
        """Probability of each value."""
        return np.exp(self.log_probability)

    @property
    def logs(self) -> dict[Any, float]:
        """The logarithm of the probability of each value, by the value."""
        return dict(zip(self.values, self.log_probability.tolist(), strict=True))

    @property
    def error(self) -> FloatArray:
        """Published less true count for each value; refused where the cell may be suppressed."""
        if HIDDEN in self.values:
            raise Refused("count", "be one that is published as a number", self.count, Code.UNSUPPORTED)
        return np.array([value - self.count for value in self.values], dtype=np.float64)

    @property
    def bias(self) -> float:
        """Mean of the error."""
        return float(self.probability @ self.error)

    @property
    def mean_square_error(self) -> float:
        """Mean of the squared error, bias included."""
        return float(self.probability @ self.error**2)

    def half_width(self, level: float) -> int:
        """Smallest h of at least 0 with an error of at most h either way with at least this probability, in [0, 1)."""
        return half_width_of([self], level)

    def simulate(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> NDArray[Any]:
        """Seeded draws of what is published, for teaching and checking; not for release."""
        listed = np.array(self.values, dtype=object if HIDDEN in self.values else None)
        return np.asarray(_checks.seeded(seed).choice(listed, size=size, p=self.probability / self.probability.sum()))


@call_hint
def half_width_of(laws: Sequence[PublishedLaw], level: float) -> int:
    """Smallest h of at least 0 with an error of at most h with this probability, for one of the counts at random.

    The method makes no promise: this is its exact law, and what it tells of one person to whoever knows every other
    record.
    """
    asked = _checks.number("level", level, 0.0, 1.0, open_high=True)
    size = np.abs(np.concatenate([law.error for law in laws]))
    mass = np.concatenate([law.probability for law in laws]) / len(laws)
    order = np.argsort(size, kind="stable")
    within = np.append(0.0, np.cumsum(mass[order]))  # the level 0 is kept by no error at all, whatever the law
    # a probability that misses the level only by rounding reaches it
    return int(np.append(0, size[order])[min(int(np.searchsorted(within, asked * (1 - 1e-12))), size.size)])


class DisclosureControl(CountLaw):
    """A method of disclosure control that publishes one count, as its law given the true count.

    The method makes no promise: this is its exact law, and what it tells of one person to whoever knows every other
    record. The attacker of every answer knows the method and its parameters and every other record. Not known are keys
    and draws.

    Examples
    --------
    >>> from dpcore.methods import NearestRounding
    >>> isinstance(NearestRounding(base=5), DisclosureControl)
    True
    """

    @abstractmethod
    def _law(self, count: int) -> PublishedLaw:
        """The law at a count that was checked."""

    @property
    @abstractmethod
    def representative_counts(self) -> tuple[int, ...]:
        """Counts of the others that show every pair of neighbouring laws there is: the rest are shifts of these."""

    def law(self, count: float) -> PublishedLaw:
        """What is published in the place of a true count, a whole number of at least 0."""
        return self._law(_checks.count("count", count))

    def log_law(self, published: ArrayLike, *, count: float) -> FloatArray:
        """Log probability of published values given the true count."""
        logs = self.law(count).logs
        found = [logs.get(value, -math.inf) for value in np.asarray(published, dtype=object).ravel().tolist()]
        return np.array(found).reshape(np.shape(published))

    @property
    def budget(self) -> float:
        """Refused: nothing of it is a budget."""
        raise self._unanswered("have a budget")

    def evidence(self, budgets: ArrayLike | None = None, *, known: ArrayLike | None = None) -> LawEvidence:
        """What one count tells of a person in it beside those known, one number; there are no budgets."""
        if budgets is not None:
            raise self._unanswered("have a budget")
        if known is None or np.ndim(known):
            raise Refused("known", "be one count, on which depends what is published", known, Code.WRONG_SHAPE)
        others = _checks.count("known", np.asarray(known).item())
        return LawEvidence(np.ones(()), self.presence(others), others)

    def simulate_counts(
        self, counted: int, *, size: int, seed: int | np.random.Generator, known: ArrayLike = 0
    ) -> NDArray[Any]:
        """Seeded releases about a person who is counted so often, 1 or 0, beside those known; not for release."""
        if not np.ndim(known):
            others = _checks.count("known", np.asarray(known).item())
            return self.law(others + counted).simulate(size, seed=seed)
        generator = _checks.seeded(seed)
        counts = np.asarray(known).tolist()
        if np.shape(known) != (size,):
            raise Refused("known", f"be one count, or one for each of {size}", counts, Code.WRONG_SHAPE)
        counts = [_checks.count("known", count) for count in counts]
        return np.concatenate([self.law(count + counted).simulate(1, seed=generator) for count in counts])

    def counts_of_others(self, people: int = 1) -> tuple[int, ...]:
        """Counts of the others that show every pair of laws so many people apart: `representative_counts`, for groups.

        Of classes of size also the counts from which the group reaches into the next class.
        """
        together = _checks.count("people", people, 1)
        found: list[int] = []
        for count in sorted(self.representative_counts):
            found += range(max(count - together + 1, found[-1] + 1 if found else 0), count + 1)
        return tuple(found)

    def presence(self, others: int, *, people: int = 1) -> TwoWorlds:
        """The worlds in which one person is counted beside so many others, and is not; exact.

        Where the secret is that the person is in another cell, this cell's worlds are `TwoWorlds.exchanged`.

        Parameters
        ----------
        others : int; people who are counted in both worlds, at least 0
        people : int, optional; those who are counted together or not at all, such as a household
        """
        absent = self._law(_checks.count("others", others))
        return TwoWorlds.from_logs(self._law(absent.count + _checks.count("people", people, 1)).logs, absent.logs)

    def presence_if_unknown(self, others: Mapping[int, float]) -> TwoWorlds:
        """As `presence`, for an attacker who has a law of the others' count: the weight of each, summing to 1.

        The person is there independently of how many others are. Exact for that attacker; every profile and every
        right guess is at most the largest of those who know the count, though one belief may be higher.
        """
        _checks.kind_of("others", others, Mapping, "counts with their weights, such as {7: 0.5, 8: 0.5}")
        counts = [_checks.count("others", count) for count in others]
        weights = _checks.array("weights", list(others.values()), 0.0, 1.0)
        if abs(math.fsum(weights) - 1.0) > SUMS_TO_ONE:
            raise Refused("weights", "sum to 1", others, Code.INCONSISTENT, got=f"{math.fsum(weights):g}")
        met = [(count, math.log(weight)) for count, weight in zip(counts, weights, strict=True) if weight > 0.0]
        return TwoWorlds.from_logs(
            _mixed([(self._law(count + 1), weight) for count, weight in met]),
            _mixed([(self._law(count), weight) for count, weight in met]),
        )

    def difference(self, others: int, *, same_key: bool = True) -> TwoWorlds:
        """The difference of two published cells, the second one with the person if they are in it; exact.

        The first cell has so many others. The second has the same people, and the person where they are in it. Its
        values are the differences, second less first.

        Parameters
        ----------
        others : int; people of the first cell, at least 0
        same_key : bool, optional; whether cells of the same people are published with the same noise, as cell keys do:
            then any difference but 0 proves the person; without, noise is drawn anew for each cell
        """
        without = self._law(_checks.count("others", others))
        with_person = self._law(without.count + 1)
        if HIDDEN in (*without.values, *with_person.values):
            raise Refused("others", "be a count whose cells are both published as numbers", others, Code.UNSUPPORTED)
        absent = {0: 0.0} if same_key else _differences(without, without)
        return TwoWorlds.from_logs(_differences(with_person, without), absent)


def _gathered(entries: Sequence[tuple[Any, float]]) -> dict[Any, float]:
    """The logarithm of the sum of the probabilities of each value."""
    logs: dict[Any, list[float]] = {}
    for value, log in entries:
        logs.setdefault(value, []).append(log)
    return {value: float(logsumexp(several)) if len(several) > 1 else several[0] for value, several in logs.items()}


def _mixed(laws: Sequence[tuple[PublishedLaw, float]]) -> dict[Any, float]:
    return _gathered([(value, weight + log) for law, weight in laws for value, log in law.logs.items()])


def _differences(second: PublishedLaw, first: PublishedLaw) -> dict[Any, float]:
    """The law of the difference of two independent published counts."""
    return _gathered([(y - x, p + q) for y, p in second.logs.items() for x, q in first.logs.items()])
