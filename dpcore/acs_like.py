"""Invented microdata with the look of the American Community Survey, shifted in time and place at will.

The joint law of eight categorical attributes is a log-linear model that is written out below, so every divergence
between two shifted populations is known exactly. No real person and no published estimate stands behind it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._cache import cached_by_size
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused

LARGEST_SHIFT = 2.0
LARGEST_DRAW = 5_000_000

LEVELS: dict[str, tuple[str, ...]] = {
    "age": ("0-9", "10-17", "18-24", "25-34", "35-44", "45-54", "55-64", "65-74", "75-84", "85+"),
    "education": ("no school", "some school", "high school", "some college", "bachelor", "graduate"),
    "race": ("group A", "group B", "group C", "group D"),
    "income": ("lowest", "low", "middle", "high", "highest"),
    "insured": ("no", "yes"),
    "citizen": ("no", "yes"),
    "sex": ("female", "male"),
    "marital": ("never married", "married", "divorced", "widowed"),
}
"""Levels of each attribute; the first six attributes have 4,800 combinations, all eight 38,400."""

_MAIN: dict[str, tuple[float, ...]] = {
    "age": (5, 7, 10, 14, 13, 13, 13, 10, 6, 2),
    "education": (6, 10, 26, 24, 18, 12),
    "race": (72, 12, 6, 10),
    "income": (20, 20, 20, 20, 20),
    "insured": (1, 10),
    "citizen": (1, 14),
    "sex": (51, 49),
    "marital": (34, 48, 11, 7),
}
"""Relative frequency of each level before the attributes are tied together."""

_CENTRED: dict[str, tuple[float, ...]] = {
    "age": (-1.6, -1.0, -0.3, 0.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4),
    "education": (-1.0, -0.6, -0.1, 0.1, 0.5, 0.8),
    "race": (-0.3, 0.5, 0.2, 0.7),
    "income": (-1.0, -0.5, 0.0, 0.5, 1.0),
    "insured": (-1.0, 1.0),
    "citizen": (1.0, -0.1),
    "sex": (-0.5, 0.5),
    "marital": (-1.2, 0.4, 0.5, 1.0),
}
"""Position of each level on the scale on which two attributes pull on each other."""

_TIES: tuple[tuple[str, str, float], ...] = (
    ("age", "education", 1.0),
    ("education", "income", 0.7),
    ("age", "income", 0.4),
    ("race", "income", -0.4),
    ("income", "insured", 0.35),
    ("age", "insured", 0.25),
    ("citizen", "insured", -0.4),
    ("race", "citizen", 0.9),
    ("sex", "income", 0.2),
    ("age", "marital", 0.8),
)
"""Pairs of attributes and the strength of their tie: the log weight gains strength times both positions."""

_TIME: dict[str, tuple[float, ...]] = {
    "age": (-0.10, -0.05, 0.0, 0.0, 0.0, -0.05, 0.10, 0.25, 0.15, 0.10),
    "education": (-0.20, -0.15, -0.10, 0.0, 0.20, 0.30),
    "insured": (-0.70, 0.0),
    "income": (-0.10, -0.05, 0.0, 0.05, 0.15),
}
"""Log weights that one unit of time adds."""

_PLACE: dict[str, tuple[float, ...]] = {
    "race": (-0.25, 0.20, 0.30, 0.80),
    "citizen": (0.60, 0.0),
    "insured": (0.15, 0.0),
    "income": (0.10, 0.0, 0.0, 0.0, 0.10),
}
"""Log weights that one unit of place adds."""

DEFAULT_ATTRIBUTES = ("age", "education", "race", "income", "insured", "citizen")


@call_hint
@dataclass(frozen=True, eq=False)
class AcsLikePopulation:
    """A population of categorical records with a known joint law.

    The people are invented: it makes no promise and needs none.

    Attributes
    ----------
    attributes : tuple of str; names of the attributes, in the order of a record's columns
    time_shift, place_shift : float; how far the law is moved from the base population, each in [-2, 2]
    probabilities : array, one axis per attribute; joint law; adds up to 1

    Examples
    --------
    >>> insured = AcsLikePopulation(("insured",), 0.0, 0.0, np.array([0.25, 0.75]))
    >>> insured.cells, insured.draw(3, seed=1).shape
    (2, (3, 1))
    """

    attributes: tuple[str, ...]
    time_shift: float
    place_shift: float
    probabilities: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", _names(self.attributes))
        for name in ("time_shift", "place_shift"):
            object.__setattr__(self, name, _shift(name, getattr(self, name)))
        law = _checks.probability("probabilities", self.probabilities)
        if law.shape != self.sizes:
            got = str(law.shape)
            raise Refused("probabilities", f"have the shape {self.sizes}", law.tolist(), Code.WRONG_SHAPE, got=got)
        if abs(float(law.sum()) - 1.0) > 1e-9:
            got = f"a sum of {float(law.sum()):g}"
            raise Refused("probabilities", "add up to 1", law.tolist(), Code.INCONSISTENT, got=got)
        law.setflags(write=False)
        object.__setattr__(self, "probabilities", law)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of levels of each attribute."""
        return tuple(len(LEVELS[name]) for name in self.attributes)

    @property
    def cells(self) -> int:
        """Number of possible records."""
        return math.prod(self.sizes)

    def marginal(self, attribute: str) -> FloatArray:
        """Exact share of each level of an attribute.

        Source: ours, sum of the joint law

        Examples
        --------
        >>> float(acs_like().marginal("insured").sum().round(12))
        1.0
        """
        axis = self.attributes.index(_checks.choice("attribute", attribute, self.attributes))
        others = tuple(other for other in range(len(self.attributes)) if other != axis)
        result: FloatArray = self.probabilities.sum(axis=others)
        return result

    def divergence_from(self, other: AcsLikePopulation, *, order: float) -> float:
        """Exact Rényi divergence of this population from another, in nats.

        Source: liu, Definition 2.4 with the sign put right

        Parameters
        ----------
        other : AcsLikePopulation; a population with the same attributes
        order : float; greater than 1; infinity gives the largest log ratio

        Examples
        --------
        >>> acs_like(time_shift=1).divergence_from(acs_like(), order=2) > 0
        True
        """
        order = _checks.number("order", order, 1, open_low=True, allow_infinite=True)
        _checks.kind_of("other", other, AcsLikePopulation, "a population such as acs_like()")
        if other.attributes != self.attributes:
            raise Refused("other", "have the same attributes", other.attributes, Code.INCONSISTENT)
        happens = self.probabilities > 0
        law = self.probabilities[happens]
        with np.errstate(divide="ignore"):
            ratio = np.log(law) - np.log(other.probabilities[happens])
        largest = float(ratio.max())
        if math.isinf(order) or math.isinf(largest):
            return max(0.0, largest)
        power = order - 1
        if power * largest < 0.5:  # the moment is close to 1
            return max(0.0, math.log1p(law @ np.expm1(power * ratio)) / power)
        with np.errstate(over="ignore"):  # of what counts for nothing beside the largest ratio
            below = np.exp(power * (ratio - largest))
        return max(0.0, largest + math.log(law @ below) / power)

    @cached_property
    def _cumulative(self) -> FloatArray:
        cumulative: FloatArray = np.cumsum(self.probabilities.ravel())
        return cumulative / cumulative[-1]

    def draw(self, records: int, *, seed: int | np.random.Generator) -> NDArray[np.int64]:
        """Simulated records, shape (records, attributes): levels counted from 0.

        Source: ours, independent draws from the joint law

        Parameters
        ----------
        records : int; number of records, from 1 to 5,000,000
        seed : int or numpy.random.Generator; seed of the generator; equal seeds give equal records

        Examples
        --------
        >>> acs_like().draw(3, seed=1).shape
        (3, 6)
        """
        records = _checks.count("records", records, 1, LARGEST_DRAW)
        generator = _checks.seeded(seed)
        cells = np.searchsorted(self._cumulative, generator.random(records), side="right")
        return np.stack(np.unravel_index(cells, self.sizes), axis=1).astype(np.int64)


@call_hint
def acs_like(
    *, time_shift: float = 0.0, place_shift: float = 0.0, attributes: Sequence[str] = DEFAULT_ATTRIBUTES
) -> AcsLikePopulation:
    """A population of ACS-like records, moved in time and place.

    The people are invented: it makes no promise and needs none. The log weight of a record is the sum of its levels'
    log frequencies, of the ties between its attributes, and of the time and place terms times their shifts. Shifting
    time raises age, education and insurance; shifting place changes race and citizenship. The law over fewer attributes
    is the marginal of the law over all eight.
    Source: ours, log-linear model; every number in this module is invented

    Parameters
    ----------
    time_shift, place_shift : float; each in [-2, 2]; 0 is the base population
    attributes : sequence of str; names from `LEVELS`, distinct; six of them by default (4,800 possible records)

    Examples
    --------
    >>> acs_like().cells, acs_like(attributes=tuple(LEVELS)).cells
    (4800, 38400)
    """
    time_shift, place_shift = _shift("time_shift", time_shift), _shift("place_shift", place_shift)
    names = _names(attributes)
    joint = _joint(time_shift, place_shift)
    order = tuple(LEVELS)
    kept = joint.sum(axis=tuple(axis for axis, name in enumerate(order) if name not in names))
    remaining = [name for name in order if name in names]
    law = np.ascontiguousarray(kept.transpose([remaining.index(name) for name in names]))
    return AcsLikePopulation(attributes=names, time_shift=time_shift, place_shift=place_shift, probabilities=law)


def _shift(name: str, value: float) -> float:
    return _checks.number(name, value, -LARGEST_SHIFT, LARGEST_SHIFT)


def _names(attributes: Sequence[str]) -> tuple[str, ...]:
    _checks.kind_of("attributes", attributes, Sequence, "names such as ('age', 'income')")
    names = tuple(_checks.choice("attributes", name, LEVELS) for name in attributes)
    if not names or len(set(names)) != len(names):
        raise Refused("attributes", "be distinct and at least one", list(attributes), Code.REPEATED)
    return names


@cached_by_size()
def _joint(time_shift: float, place_shift: float) -> FloatArray:
    """Law of all eight attributes."""
    order = tuple(LEVELS)

    def along(values: FloatArray, *names: str) -> FloatArray:
        shape = [len(LEVELS[name]) if name in names else 1 for name in order]
        return values.reshape(shape)

    log_weight = np.zeros([len(LEVELS[name]) for name in order])
    for name in order:
        levels = np.log(np.asarray(_MAIN[name], dtype=float))
        for shift, terms in ((time_shift, _TIME), (place_shift, _PLACE)):
            if name in terms:
                levels = levels + shift * np.asarray(terms[name])
        log_weight = log_weight + along(levels, name)
    for first, second, strength in _TIES:  # `first` stands before `second` or after it in the order of the axes
        pair = np.multiply.outer(np.asarray(_CENTRED[first]), np.asarray(_CENTRED[second]))
        if order.index(first) > order.index(second):
            pair = pair.T
        log_weight = log_weight + along(strength * pair, first, second)
    weight = np.exp(log_weight - log_weight.max())
    result: FloatArray = weight / weight.sum()
    return result
