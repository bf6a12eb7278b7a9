"""Two worlds and a rule: how often it gives alarm in each, what that contradicts, and how many draws it takes.

World *absent* and world *present* are two fixed tables that differ by one step of a promise. A rule is fixed before the
tested draws are seen; a draw is a whole release. The bounds on both rates share the level, and together they serve
both directions: no alarm points to the other world. Draws that share a seed, or that were averaged, void all of it, and
so does a rule chosen on the tested draws: `chosen_rule` chooses on others.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtrc, ndtri

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._roots import bracketed_root
from dpcore.audit._claims import (
    LARGEST_COUNTED,
    claimed_curve,
    failure_of,
    rate_lower,
    rate_upper,
    smallest_failure,
)
from dpcore.errors import Code, Refused
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms import NoiseMechanism
from dpcore.mechanisms.losses import IntArray
from dpcore.tradeoff import TradeOff, trade_off

Side = Literal["large", "small"]
"""Which outputs give alarm."""
Sides = Literal["large", "small", "either"]
Ties = Literal["smallest", "apart"]
"""Which rule is chosen where several show as much."""

LARGEST_DRAWS = 10**9
"""Most draws of each world that `AlarmRates.draws_needed` looks for."""

_RARE = 1e-10  # quantiles of rarer alarms are those of this rate: none or few, and SciPy warns that it looks in vain
_UNLIKELY = 1e-15  # counts outside two quantiles at this chance are left out of a power, which lowers it


class RateBounds(NamedTuple):
    """An upper bound on the false-alarm rate and a lower bound on the detection, which hold together at the level.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it.

    Examples
    --------
    >>> Alarms(draws_absent=50, alarms_absent=0, draws_present=50, alarms_present=0).rates().detection_lower
    0.0
    """

    false_alarm_upper: float
    detection_lower: float


@call_hint
@dataclass(frozen=True, kw_only=True)
class Alarms:
    """How often a rule gave alarm in two worlds, over independent draws of the whole release in each.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it.
    Source: clopper_pearson, one-sided limits; kairouz, Theorem 2.1 (the region of epsilon and delta)

    Parameters
    ----------
    draws_absent, draws_present : int; how many draws of each world, at least 1
    alarms_absent, alarms_present : int; how many of them gave alarm

    Examples
    --------
    >>> from dpcore.guarantees import PureDP
    >>> seen = Alarms(draws_absent=1000, alarms_absent=100, draws_present=1000, alarms_present=600)
    >>> round(seen.epsilon_lower(), 3), round(math.log(600 / 100), 3)  # below what the shares themselves say
    (1.554, 1.792)
    >>> seen.p_value(PureDP(epsilon=1.0)) < 1e-9, seen.p_value(PureDP(epsilon=2.0))
    (True, 1.0)
    """

    draws_absent: int
    alarms_absent: int
    draws_present: int
    alarms_present: int

    def __post_init__(self) -> None:
        for side in ("absent", "present"):
            draws = _checks.count(f"draws_{side}", getattr(self, f"draws_{side}"), 1, LARGEST_COUNTED)
            object.__setattr__(self, f"draws_{side}", draws)
            alarms = _checks.count(f"alarms_{side}", getattr(self, f"alarms_{side}"), 0, draws)
            object.__setattr__(self, f"alarms_{side}", alarms)

    def rates(self, level: float = 0.95) -> RateBounds:
        """Bounds on both rates, right together with at least the level; each has half of what may fail.

        Examples
        --------
        >>> seen = Alarms(draws_absent=50, alarms_absent=0, draws_present=50, alarms_present=50)
        >>> [round(rate, 4) for rate in seen.rates()]  # a rate of .0711 gives no alarm in 50 draws 2.5 times in 100
        [0.0711, 0.9289]
        """
        upper, lower, _, _ = self._bounds(failure_of(level))
        return RateBounds(float(upper), float(lower))

    def _bounds(self, failure: float | FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        return _bounds(self.draws_absent, self.alarms_absent, self.draws_present, self.alarms_present, failure)

    def epsilon_lower(self, *, level: float = 0.95, delta: float = 0.0) -> float:
        """Lower bound on epsilon of every (epsilon, delta)-DP that the release can have, right with at least the level.

        At least 0; the larger one of both directions. `delta` is fixed before the draws are seen, or each value looked
        at is told: the bounds on the rates serve all of them at once.

        Parameters
        ----------
        level : float, optional; in (0, 1)
        delta : float, optional; of the claim, in [0, 1)
        """
        lost = _checks.number("delta", delta, 0.0, 1.0, open_high=True)
        return float(_epsilon_lower(self._bounds(failure_of(level)), lost))

    def rho_lower(self, *, level: float = 0.95, gaussian: bool = False) -> float:
        """Lower bound on rho of every zero-concentrated DP that the release can have, right with at least the level.

        At least 0: below it no release, whatever its noise, has these two rates. Gaussian noise needs more.

        Parameters
        ----------
        level : float, optional; in (0, 1)
        gaussian : bool, optional; whether the claim is of Gaussian noise, not of any release
        """
        rates = self.rates(level)
        apart = rates.detection_lower - rates.false_alarm_upper
        if apart <= 0.0:
            return 0.0
        if gaussian:  # y = Phi(Phi^-1(x) + sqrt(2 rho))
            return float(ndtri(rates.detection_lower) - ndtri(rates.false_alarm_upper)) ** 2 / 2
        epsilon = self.epsilon_lower(level=level)

        def too_far(rho: FloatArray) -> FloatArray:
            curve = trade_off(ZeroConcentratedDP(rho=float(rho[0])))
            return np.array([curve.detection(rates.false_alarm_upper) - rates.detection_lower])

        # two coins: 2 apart^2 is at most their divergence (Pinsker), epsilon tanh(epsilon/2) its largest
        high = np.array([epsilon * math.tanh(epsilon / 2)])
        return float(bracketed_root(too_far, np.minimum(np.array([2 * apart * apart]), high), high)[0])

    def p_value(self, claim: Any) -> float:
        """Chance, at most, that a true claim gives rates as far outside it as these.

        In (0, 1]: the claim is contradicted at every level up to 1 minus it. The two bounds on the rates share the
        chance, so it is an upper bound. A rho is tested by all of its epsilons and deltas together.

        Parameters
        ----------
        claim : guarantee or mechanism or ReleasePlan or TradeOff; what the release is said to keep between the two
            worlds
        """
        curve = claimed_curve(claim)

        def contradicted(failure: FloatArray) -> NDArray[np.bool_]:
            upper, lower, _, missed = self._bounds(failure)
            found, least = curve.found_and_missed(upper)
            return np.where(found < 0.5, lower > found, missed < least)

        return smallest_failure(contradicted)


def _bounds(
    draws_absent: ArrayLike, alarms_absent: ArrayLike, draws_present: ArrayLike, alarms_present: ArrayLike, failure: Any
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """False alarm at most, detection at least, no false alarm at least, missed at most."""
    none, silent = np.subtract(draws_absent, alarms_absent), np.subtract(draws_present, alarms_present)
    return (
        rate_upper(alarms_absent, draws_absent, failure / 2),
        rate_lower(alarms_present, draws_present, failure / 2),
        rate_lower(none, draws_absent, failure / 2),
        rate_upper(silent, draws_present, failure / 2),
    )


def _epsilon_lower(bounds: tuple[FloatArray, FloatArray, FloatArray, FloatArray], delta: float) -> FloatArray:
    upper, lower, rest, missed = bounds
    with np.errstate(divide="ignore", invalid="ignore"):
        alarm = np.where(lower > delta, np.log((lower - delta) / upper), 0.0)
        silence = np.where(rest > delta, np.log((rest - delta) / missed), 0.0)
    return np.maximum(np.maximum(alarm, silence), 0.0)


# ---- rules ----------------------------------------------------------------------------------------------------------


@call_hint
@dataclass(frozen=True)
class ThresholdRule:
    """A rule that gives alarm for outputs on one side of a threshold.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it.

    Parameters
    ----------
    threshold : float; an output that still gives alarm
    alarm : {"large", "small"}, optional; whether outputs of at least the threshold do, or those of at most the
        threshold

    Examples
    --------
    >>> ThresholdRule(1).alarms(absent=[0, 0, 1, -1], present=[1, 0, 2, 1])
    Alarms(draws_absent=4, alarms_absent=1, draws_present=4, alarms_present=3)
    """

    threshold: float
    _: KW_ONLY
    alarm: Side = "large"

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", _checks.number("threshold", self.threshold))
        _checks.choice("alarm", self.alarm, get_args(Side))

    def alarms(self, *, absent: ArrayLike, present: ArrayLike) -> Alarms:
        """The rule's alarms over the draws of both worlds, one number for each draw of the whole release."""
        (none, false), (some, found) = (
            (answers.size, int(answers.sum()))
            for answers in (self._answers("absent", absent), self._answers("present", present))
        )
        return Alarms(draws_absent=none, alarms_absent=false, draws_present=some, alarms_present=found)

    def gives_alarm(self, outputs: ArrayLike) -> FloatArray:
        """1 for each output that gives alarm and 0 for the others, in their order, as bets take them.

        Examples
        --------
        >>> ThresholdRule(1, alarm="small").gives_alarm([0, 3, 1])
        array([1., 0., 1.])
        """
        return self._answers("outputs", outputs)

    def _answers(self, name: str, values: ArrayLike) -> FloatArray:
        outputs = _outputs(name, values)
        found = outputs >= self.threshold if self.alarm == "large" else outputs <= self.threshold
        return found.astype(np.float64)

    def rates(self, noise: NoiseMechanism, *, absent: float = 0.0, present: float = 1.0) -> AlarmRates:
        """The rule's exact rates over a number with this noise, when its true values in the two worlds are these.

        Examples
        --------
        >>> from dpcore.mechanisms import Geometric
        >>> rates = ThresholdRule(1).rates(Geometric(epsilon=math.log(3)))
        >>> round(rates.false_alarm, 6), round(rates.detection, 6)
        (0.25, 0.75)
        """
        _checks.kind_of("noise", noise, NoiseMechanism, "noise such as Geometric(epsilon=1.0)")
        at = [self.threshold - _checks.number(name, true) for name, true in (("absent", absent), ("present", present))]
        chance = noise.tail if self.alarm == "large" else noise.cdf
        return AlarmRates(false_alarm=chance(at[0]), detection=chance(at[1]))


def _outputs(name: str, values: ArrayLike) -> FloatArray:
    outputs = _checks.array(name, values)
    if outputs.ndim != 1 or not outputs.size:
        raise Refused(name, "be a list of one number for each draw", np.shape(values), Code.WRONG_SHAPE)
    return outputs


@call_hint
def chosen_rule(
    *,
    absent: ArrayLike,
    present: ArrayLike,
    level: float = 0.95,
    delta: float = 0.0,
    alarm: Sides = "large",
    ties: Ties = "smallest",
) -> ThresholdRule:
    """The threshold, among the outputs seen, at which these draws show the largest epsilon: the rule to test on others.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. Ties go to the
    smallest threshold, and to large outputs. What a rule shows on the draws that it was chosen on is no evidence: count
    its alarms on draws that had no part in the choice.
    Source: clopper_pearson, one-sided limits; ours, all thresholds at once

    Parameters
    ----------
    absent, present : array_like; one number for each draw of the whole release in either world; a release of several
        numbers is scored first
    level, delta : float, optional; of the test that follows, in (0, 1) and [0, 1)
    alarm : {"large", "small", "either"}, optional; the side that gives alarm, or ``"either"`` to choose it too
    ties : {"smallest", "apart"}, optional; where no rule shows anything, the smallest threshold or the one whose rates
        lie farthest apart, which is far better where few draws choose

    Examples
    --------
    >>> rule = chosen_rule(absent=[0] * 30 + [1] * 2, present=[0] * 2 + [1] * 30)
    >>> rule.threshold
    1.0
    >>> rule.alarms(absent=[0, 1, 0, 0], present=[1, 1, 0, 1])  # other draws
    Alarms(draws_absent=4, alarms_absent=1, draws_present=4, alarms_present=3)
    """
    none, some = np.sort(_outputs("absent", absent)), np.sort(_outputs("present", present))
    failure, lost = failure_of(level), _checks.number("delta", delta, 0.0, 1.0, open_high=True)
    _checks.choice("alarm", alarm, get_args(Sides))
    _checks.choice("ties", ties, get_args(Ties))
    thresholds = np.unique(np.concatenate([none, some]))

    def shown(side: Side) -> FloatArray:
        if side == "large":
            false, found = (draws.size - np.searchsorted(draws, thresholds, "left") for draws in (none, some))
        else:
            false, found = (np.searchsorted(draws, thresholds, "right") for draws in (none, some))
        bounds = _epsilon_lower(_bounds(none.size, false, some.size, found, failure), lost)
        if ties == "smallest":
            return bounds
        apart = np.maximum(found * none.size - false * some.size, 0) / (none.size * some.size)
        return np.where(bounds > 0.0, 1.0 + bounds, apart)  # at most 1 apart

    sides: tuple[Side, ...] = ("large", "small") if alarm == "either" else (alarm,)
    bounds = {side: shown(side) for side in sides}
    best = max(sides, key=lambda side: float(bounds[side].max()))
    return ThresholdRule(float(thresholds[int(bounds[best].argmax())]), alarm=best)


# ---- before the draws -----------------------------------------------------------------------------------------------


@call_hint
@dataclass(frozen=True, kw_only=True)
class AlarmRates:
    """The chances that a rule gives alarm in two worlds: what an audit could find, before anything is drawn.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it.

    Parameters
    ----------
    false_alarm, detection : float; chance of an alarm in world absent and in world present, in [0, 1]

    Examples
    --------
    >>> from dpcore.guarantees import PureDP
    >>> from dpcore.mechanisms import Geometric
    >>> rates = ThresholdRule(1).rates(Geometric(epsilon=1.0))
    >>> rates.draws_needed(PureDP(epsilon=0.8))  # to show .8 of an epsilon of 1
    509
    """

    false_alarm: float
    detection: float

    def __post_init__(self) -> None:
        for name in ("false_alarm", "detection"):
            object.__setattr__(self, name, _checks.number(name, getattr(self, name), 0.0, 1.0))

    def power(self, claim: Any, *, draws: int, level: float = 0.95) -> float:
        """Chance that so many draws of each world contradict a claim.

        Exact to 1e-14, a sum over both binomials. It is a sawtooth in the number of draws: more can have less.

        Parameters
        ----------
        claim : guarantee or mechanism or ReleasePlan or TradeOff; as in `Alarms.p_value`; of ``PureDP(epsilon=0.8)`` it
            is the chance of a lower bound of at least .8
        draws : int; of each world, at least 1
        level : float, optional; in (0, 1)
        """
        return self._power(claimed_curve(claim), _checks.count("draws", draws, 1, LARGEST_DRAWS), failure_of(level))

    def _power(self, curve: TradeOff, draws: int, failure: float) -> float:
        from scipy.stats import binom  # takes as long to import as all else here

        rate = max(self.false_alarm, _RARE)
        first, last = (int(binom.ppf(chance, draws, rate)) for chance in (_UNLIKELY, 1.0 - _UNLIKELY))
        false = np.arange(max(first, 0), last + 1)
        needed = np.asarray(curve.detection(rate_upper(false, draws, failure / 2)))
        # so many alarms in world present have a lower bound of at least the needed detection
        alarms = np.where(needed < 1.0, binom.isf(failure / 2, draws, np.minimum(needed, 1.0)), draws)
        found = np.where(alarms < draws, bdtrc(np.minimum(alarms, draws - 1), draws, self.detection), 0.0)
        return min(float(binom.pmf(false, draws, self.false_alarm) @ found), 1.0)

    def draws_needed(self, claim: Any, *, level: float = 0.95, power: float | None = None) -> int:
        """Draws of each world that contradict a claim with a given chance, or where both counts fall as expected.

        Without a power the smallest number with which floor(n detection) and ceil(n false_alarm) alarms contradict the
        claim. With one, a number at which the chance is at least that high; it is a sawtooth, so a smaller number may
        do.

        Parameters
        ----------
        claim : guarantee or mechanism or ReleasePlan or TradeOff; as in `power`
        level : float, optional; in (0, 1)
        power : float or None, optional; the chance, in (0, 1); without it, that of the expected counts, about one half

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> rates = AlarmRates(false_alarm=0.25, detection=0.75)
        >>> rates.draws_needed(PureDP(epsilon=0.5)), rates.draws_needed(PureDP(epsilon=0.5), power=0.9)
        (64, 108)
        """
        curve, failure = claimed_curve(claim), failure_of(level)
        if not self.detection > float(curve.detection(self.false_alarm)):
            raise Refused("claim", "be broken by these rates", claim, Code.INFEASIBLE)
        if power is None:
            start = self._first(lambda draws: bool(self._shown(curve, np.array(draws), failure, whole=False)), claim)
            while True:
                numbers = np.arange(start, start + 4096)
                enough = self._shown(curve, numbers, failure, whole=True)
                if enough.any():
                    return _within(int(numbers[enough.argmax()]), claim)
                start += 4096
        wanted = _checks.number("power", power, 0.0, 1.0, open_low=True, open_high=True)
        return self._first(lambda draws: self._power(curve, draws, failure) >= wanted, claim)

    def _shown(self, curve: TradeOff, draws: IntArray, failure: float, *, whole: bool) -> NDArray[np.bool_]:
        """Whether the expected counts contradict a claim, as they are or with fractions taken against it."""
        found, false = draws * self.detection, draws * self.false_alarm
        if whole:
            found, false = np.floor(found + 1e-9), np.ceil(false - 1e-9)
        lower, upper = rate_lower(found, draws, failure / 2), rate_upper(false, draws, failure / 2)
        return np.asarray(lower >= curve.detection(upper))

    def _first(self, enough: Any, claim: Any) -> int:
        """A number of draws that is enough where one less is not."""
        low, high = 0, 1
        while not enough(high):
            low, high = _within(high, claim), 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return _within(high, claim)


def _within(draws: int, claim: Any) -> int:
    """A number of draws, refused beyond the largest."""
    if draws > LARGEST_DRAWS:
        raise Refused("claim", f"need at most {LARGEST_DRAWS} draws", claim, Code.TOO_LARGE)
    return draws
