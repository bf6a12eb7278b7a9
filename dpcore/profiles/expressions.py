"""Profiles written as arithmetic, with a certified smallest epsilon.

The text is parsed, never executed: numbers, the beliefs p (membership) and q (value) or their product x, + - * / and
powers, min, max, exp, log, sqrt, abs. The infimum is found by branch and bound: an epsilon is allowed at a place when
H = bound F - prior >= 0; interval arithmetic with slopes shows H >= 0 over whole boxes, and boxes where it does not
are cut. What is left between the best place found and the certified bound is the bracket.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import reduce
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.profiles.base import ProfileOfBound
from dpcore.profiles.intervals import NO_SLOPE, Interval, Sloped
from dpcore.profiles.point import epsilon_from_shift, weights
from dpcore.profiles.results import Axis, Certainty, ImpliedEpsilon, InfeasibleProfile, Place, Status

Quantity = TypeVar("Quantity", FloatArray, Sloped)
"""What an expression is worked out in: floats, or boxes with slopes."""

LONGEST_TEXT = 400
DEEPEST_TREE = 40

_NEARLY_ZERO = 1e-100  # stands for the open end 0 when a place is evaluated
_TOLERANCE = 1e-10  # relative width of the certified bracket
_ROUNDINGS = 1e-13  # an epsilon this small cannot be told from 0 by intervals of doubles
_LOOSEST = 1e-3  # the bracket widens to this when a whole curve of places is equally strict
_MANY_BOXES = 3_000
_FEW_BOXES = 100
_PATIENT_ROUNDS = 40  # after these, boxes are left only where roundings hide the proof: allow it more room
_MOST_ROUNDS = 120
_MOST_PASSES = 7
_MOST_WORK = 120_000  # boxes, each round counted as 100 more: about a second
_FUNCTIONS: dict[str, tuple[int, int]] = {
    "min": (2, 8),
    "max": (2, 8),
    "exp": (1, 1),
    "log": (1, 1),
    "sqrt": (1, 1),
    "abs": (1, 1),
}
_ALLOWED = "numbers, p, q, x, + - * / ^, min, max, exp, log, sqrt and abs"


def parsed_expression(text: str) -> ast.expr:
    """The expression tree of a profile's text; anything but the arithmetic named in the error is refused.

    It reads a text: no promise belongs to it.
    Source: ours, a small grammar instead of evaluating the reader's text

    Examples
    --------
    >>> ast.unparse(parsed_expression("max(0.25 / x, 3)^2"))
    'max(0.25 / x, 3) ** 2'
    """
    if not isinstance(text, str):
        raise Refused("expression", "be text", text, Code.WRONG_TYPE, got=_checks._shown(text))
    if not text.strip() or len(text) > LONGEST_TEXT:
        raise Refused("expression", f"have 1 to {LONGEST_TEXT} characters", len(text), Code.TOO_LARGE)
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Refused("expression", "be arithmetic", text, Code.WRONG_FORM, got=_checks._shown(text)) from None
    _refuse_unknown(tree, 0)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(_FUNCTIONS)
    if "x" in names and len(names) > 1:
        raise Refused("expression", "use either x or p and q", text, Code.WRONG_FORM, got=_checks._shown(text))
    return tree


def _refuse_unknown(node: ast.expr, depth: int) -> None:
    if depth > DEEPEST_TREE:
        raise Refused("expression", f"be nested at most {DEEPEST_TREE} deep", depth, Code.TOO_LARGE, got="more")
    match node:
        case ast.Constant(value=value):
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(_as_float(value)):
                raise Refused("expression", f"use only {_ALLOWED}", value, Code.WRONG_FORM, got=_checks._shown(value))
        case ast.Name(id=name):
            if name not in ("p", "q", "x"):
                raise Refused("expression", f"use only {_ALLOWED}", name, Code.WRONG_FORM, got=_checks._shown(name))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            _refuse_unknown(operand, depth + 1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            _refuse_unknown(left, depth + 1)
            _refuse_unknown(right, depth + 1)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            _refuse_unknown(left, depth + 1)
            _refuse_unknown(right, depth + 1)
            power = _constant_of(right)
            if power is None or not abs(power) <= 100.0:
                raise Refused(
                    "expression", "raise to a constant power from -100 to 100", ast.unparse(right), Code.WRONG_FORM
                )
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            fewest, most = _FUNCTIONS[name]
            if not fewest <= len(args) <= most:
                raise Refused("expression", f"give {name} {fewest} to {most} arguments", len(args), Code.WRONG_FORM)
            for argument in args:
                _refuse_unknown(argument, depth + 1)
        case _:
            raise Refused(
                "expression",
                f"use only {_ALLOWED}",
                ast.unparse(node),
                Code.WRONG_FORM,
                got=_checks._shown(ast.unparse(node)),
            )


def _as_float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _constant_of(node: ast.expr) -> float | None:
    """The number an expression without beliefs stands for."""
    if any(isinstance(part, ast.Name) and part.id in ("p", "q", "x") for part in ast.walk(node)):
        return None
    with np.errstate(all="ignore"):
        value = float(_number(node, np.zeros(()), np.zeros(())))
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class _Arithmetic(Generic[Quantity]):
    """What the operations of an expression mean for one kind of quantity."""

    constant: Callable[[float], Quantity]
    power: Callable[[ast.BinOp, Callable[[ast.expr], Quantity]], Quantity]
    smaller: Callable[[Quantity, Quantity], Quantity]
    larger: Callable[[Quantity, Quantity], Quantity]
    functions: Mapping[str, Callable[[Quantity], Quantity]]

    def value(self, node: ast.expr, p: Quantity, q: Quantity) -> Quantity:
        """The expression at the two beliefs."""

        def of(part: ast.expr) -> Any:
            return self.value(part, p, q)

        match node:
            case ast.Constant(value=value):
                return self.constant(float(value))  # type: ignore[arg-type]
            case ast.Name(id=name):
                return p if name == "p" else q if name == "q" else OPERATIONS[ast.Mult](p, q)
            case ast.UnaryOp(op=op, operand=operand):
                return -of(operand) if isinstance(op, ast.USub) else of(operand)
            case ast.BinOp(op=ast.Pow()):
                return self.power(node, of)
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATIONS[type(op)](of(left), of(right))
            case ast.Call(func=ast.Name(id=name), args=args):
                if name in ("min", "max"):
                    return reduce(self.smaller if name == "min" else self.larger, map(of, args))
                return self.functions[name](of(args[0]))
        raise AssertionError(ast.dump(node))


OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _power_of_floats(node: ast.BinOp, of: Callable[[ast.expr], FloatArray]) -> FloatArray:
    return np.asarray(np.power(of(node.left), of(node.right)))


def _power_of_boxes(node: ast.BinOp, of: Callable[[ast.expr], Sloped]) -> Sloped:
    exponent = _constant_of(node.right)
    assert exponent is not None
    return of(node.left).power(exponent)


_FLOATS: _Arithmetic[FloatArray] = _Arithmetic(
    np.asarray,
    _power_of_floats,
    np.minimum,
    np.maximum,
    {"exp": np.exp, "log": np.log, "sqrt": np.sqrt, "abs": np.abs},
)
_BOXES = _Arithmetic(
    Sloped.constant,
    _power_of_boxes,
    Sloped.smaller,
    Sloped.larger,
    {"exp": Sloped.exp, "log": Sloped.log, "sqrt": Sloped.sqrt, "abs": Sloped.abs},
)


def _number(node: ast.expr, p: FloatArray, q: FloatArray) -> FloatArray:
    """The expression in floats."""
    return np.asarray(_FLOATS.value(node, p, q))


def _sloped(node: ast.expr, p: Sloped, q: Sloped) -> Sloped:
    """The expression over boxes, with slopes."""
    return _BOXES.value(node, p, q)


@dataclass(frozen=True)
class ExpressionProfile(ProfileOfBound):
    """A profile written as arithmetic in p and q, or in x = p q.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    `implied_epsilon` returns a certified bracket: `epsilon` is the value at the best place found, `lower` is proven by
    interval arithmetic to hold everywhere. They agree to 1e-10 relatively, or to as much as 1e-3 when a whole curve of
    places is equally strict; `lower` is 0 when about a second's work proves nothing. A dip of any width is found.
    `recommended` rounds the proven value down.
    Source: thesis, (3.15)
    Source: ours, certified branch and bound; checked against closed forms and an adversarial dip 1e-4 wide

    Parameters
    ----------
    text : str; numbers, p (membership prior), q (value prior) or x (their product), + - * / ^, min, max, exp, log,
        sqrt, abs. Powers are constant. At most 400 characters.
    kind : {"ratio", "posterior", "increase"}; what the value is: the largest posterior / prior, the highest posterior
        (1 and above: no requirement), or the largest posterior - prior
    membership_prior, value_prior : float, optional; hold one belief at this value in (0, 1]; left out, it runs over (0,
        1]. With both left out the profile is about being in and having the value: the smallest budget of the three
        readings.

    Raises
    ------
    InfeasibleProfile
        From `implied_epsilon`, a `ValueError` with the place: ``expression must accept at least the prior``.

    Examples
    --------
    >>> answer = ExpressionProfile("max(0.25/(p*q), 3)").implied_epsilon()  # log(2.75 / 0.75) / 2
    >>> round(answer.epsilon, 6), answer.certainty.value
    (0.649641, 'certified bracket')
    """

    text: str
    kind: Literal["ratio", "posterior", "increase"] = "ratio"
    _: KW_ONLY
    membership_prior: float | None = None
    value_prior: float | None = None
    _tree: ast.expr = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tree", parsed_expression(self.text))
        self._check_kind_and_beliefs()

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        membership, value = np.broadcast_arrays(np.asarray(membership, float), np.asarray(value, float))
        with np.errstate(all="ignore"):
            bound = np.broadcast_to(_number(self._tree, membership, value), membership.shape)
        return self._shift_for(bound, membership, value)

    def _shift_for(self, bound: FloatArray, membership: FloatArray, value: FloatArray) -> FloatArray:
        """Log-odds shift to the bound; a bound below the prior is refused by its place."""
        prior = membership * value
        unknown = np.isnan(bound)
        if unknown.any():
            p, q = float(membership[unknown].flat[0]), float(value[unknown].flat[0])
            raise Refused(
                "expression",
                "be defined everywhere",
                (p, q),
                Code.WRONG_FORM,
                got=f"no number at p = {p:.6g}, q = {q:.6g}",
            )
        least = self._least(prior)
        low = bound < least - 1e-12 * np.maximum(least, prior)
        if low.any():
            wanted = np.broadcast_to(least, low.shape)
            p, q, r, floor = (float(array[low].flat[0]) for array in (membership, value, bound, wanted))
            raise InfeasibleProfile(
                "expression",
                f"accept at least the prior ({self.kind} {floor:.6g} at p = {p:.6g}, q = {q:.6g})",
                r,
                membership_prior=p,
                value_prior=q,
                got=f"{r:.6g}",
            )
        return self._shift_to(bound, membership, value)

    def implied_epsilon(self, *, value_exponent: float = 2.0) -> ImpliedEpsilon:
        """Certified bracket for the largest epsilon that keeps every attacker under this profile."""
        exponent = _checks.number("value_exponent", value_exponent, 0.0, 2.0)
        return _Search(self, exponent).answer()


class _Search:
    """Branch and bound over boxes of priors: columns of `boxes` are p low, p high, q low, q high."""

    def __init__(self, profile: ExpressionProfile, value_exponent: float) -> None:
        self.profile, self.exponent = profile, value_exponent
        names = {node.id for node in ast.walk(profile._tree) if isinstance(node, ast.Name)}
        p0, p1 = (0.0, 1.0) if profile.membership_prior is None else (profile.membership_prior,) * 2
        q0, q1 = (0.0, 1.0) if profile.value_prior is None else (profile.value_prior,) * 2
        if "x" in names and profile.axis is Axis.BOTH:  # a product profile is strictest on one edge: one dimension
            if value_exponent > 1.0:
                p0 = p1 = 1.0
            else:
                q0 = q1 = 1.0
        self.whole = np.array([[p0], [p1], [q0], [q1]])
        self.epsilon, self.place, self.attained = math.inf, (p1, q1), True
        self.strictest = math.inf
        self.tolerance, self.target, self.passes, self.work = _TOLERANCE, 0.0, 0, 0

    def answer(self) -> ImpliedEpsilon:
        """Run passes until one proves its target from beginning to end, then report both ends.

        Where H is least in a box depends on the target, so a pass that lowers its target on the way proves nothing:
        its better target is what the next pass sets out with.
        """
        proven = False
        with np.errstate(all="ignore"):
            self._look_at_limit_of_certainty()
            self._look(*self._corners(self.whole))
            while not proven and self.epsilon > 0.0 and self.passes < _MOST_PASSES and self.work <= _MOST_WORK:
                self.passes += 1
                proven = self._prove()
        lower = self.target if proven else 0.0
        vacuous = math.isinf(self.epsilon)
        place = None if vacuous else Place(*(0.0 if x <= _NEARLY_ZERO else float(x) for x in self.place))
        return ImpliedEpsilon(
            epsilon=self.epsilon,
            lower=max(lower, 0.0),
            certainty=Certainty.BRACKET,
            status=Status.BINDS_NOTHING if vacuous else Status.ZERO_BUDGET if self.epsilon == 0.0 else Status.BINDS,
            binding=place,
            attained=self.attained and not vacuous,
            formula="branch_and_bound",
            strictest_ratio=self.strictest,
            value_exponent=self.exponent,
            profile=self.profile,
        )

    def _prove(self) -> bool:
        """One pass over all boxes; True when every box was proven to allow one and the same target."""
        self.target, steady = self._wanted(), True
        boxes = self.whole
        for done in range(_MOST_ROUNDS):
            self.work += boxes.shape[1] + 100
            if self.work > _MOST_WORK:
                return False
            boxes = self._round(boxes)
            if not boxes.size:
                return steady
            if done > _PATIENT_ROUNDS and self.tolerance < _LOOSEST:
                self.tolerance = min(self.tolerance * 100.0, _LOOSEST)
                return False
            if boxes.shape[1] > _MANY_BOXES:
                self.tolerance = min(self.tolerance * 10.0, _LOOSEST)
                self.target, steady = min(self.target, self._wanted()), False
            if self.epsilon < self.target:
                self.target, steady = self._wanted(), False
            if self.epsilon == 0.0 or boxes.shape[1] > 20 * _MANY_BOXES:
                break
        return False

    def _wanted(self) -> float:
        """What every box is to be proven to allow."""
        if math.isinf(self.epsilon):
            return 700.0  # nothing has bound yet: prove the largest budget whose e^-epsilon is a number
        return self.epsilon * (1.0 - self.tolerance) - _ROUNDINGS

    def _look(self, p: FloatArray, q: FloatArray) -> None:
        """Evaluate places, keep the smallest epsilon; the bound is taken at its upper end, so the value is certain."""
        if not p.size:
            return
        at_p, at_q = np.maximum(p, _NEARLY_ZERO), np.maximum(q, _NEARLY_ZERO)
        fixed = Sloped(Interval(at_p, at_p), None, None), Sloped(Interval(at_q, at_q), None, None)
        bound = np.broadcast_to(_sloped(self.profile._tree, *fixed).value.high, at_p.shape)
        bound = np.where(np.isnan(_number(self.profile._tree, at_p, at_q)), np.nan, bound)
        shift = self.profile._shift_for(bound, at_p, at_q)
        epsilon = epsilon_from_shift(shift, *weights(at_p, at_q), self.exponent)
        x = at_p * at_q
        ratio = bound if self.profile.kind == "ratio" else bound / x + (self.profile.kind == "increase")
        self.strictest = min(self.strictest, float(np.min(np.maximum(ratio, 1.0))))
        best = int(np.argmin(epsilon))
        if epsilon[best] < self.epsilon:
            self.epsilon, self.place = float(epsilon[best]), (float(at_p[best]), float(at_q[best]))
            if self.epsilon < 4.0 * _ROUNDINGS:  # the profile touches the prior
                self.epsilon = 0.0
            self.attained = bool(p[best] > _NEARLY_ZERO and q[best] > _NEARLY_ZERO)

    def _look_at_limit_of_certainty(self) -> None:
        """Epsilon approached where prior and bound both run into 1: from the slopes of prior / bound there."""
        p1, q1 = float(self.whole[1, 0]), float(self.whole[3, 0])
        if p1 * q1 != 1.0:
            return
        one = np.ones(1)
        p, q = _beliefs(one, one, one, one)
        bound = _as_posterior(self.profile.kind, _sloped(self.profile._tree, p, q), p, q)
        if abs(float(bound.value.low.max()) - 1.0) > 1e-12 or abs(float(bound.value.high.max()) - 1.0) > 1e-12:
            return
        share = (p * q) / bound
        rates = []
        if self.whole[0, 0] < 1.0 and share.by_membership is not None:
            rates.append((float(share.by_membership.low.max()), 1.0))
        if self.whole[2, 0] < 1.0 and share.by_value is not None:
            rates.append((float(share.by_value.low.max()), self.exponent))
        for slope, exponent in rates:
            if 0.0 < slope < 1.0 and exponent > 0.0:
                found = -math.log1p(-slope) / exponent
                if found < self.epsilon:
                    self.epsilon, self.place, self.attained = found, (1.0, 1.0), False

    def _round(self, boxes: FloatArray) -> FloatArray:
        """Prove what can be proven, look inside the rest, cut it: the boxes that are left.

        Where H only rises or only falls in a belief, a box shrinks to that end of it. At prior 0 a bound on the
        posterior holds whatever it is, and at prior 1 nothing is left to learn.
        """
        p0, p1, q0, q1 = boxes
        p, q = _beliefs(p0, p1, q0, q1)
        bound = _sloped(self.profile._tree, p, q)
        allowed = math.exp(-self.target), math.exp(-self.target * self.exponent)
        need = _excess(self.profile.kind, bound, p, q, *allowed)
        by_p, by_q = need.by_membership or NO_SLOPE, need.by_value or NO_SLOPE
        done = self._natural(bound.value, boxes, allowed) | (need.value.low >= 0.0)
        c_p0, c_p1, least_p = _shrunk(by_p, p0, p1)
        c_q0, c_q1, least_q = _shrunk(by_q, q0, q1)
        mid_p, mid_q = 0.5 * (c_p0 + c_p1), 0.5 * (c_q0 + c_q1)
        at_p = Sloped(Interval(mid_p, mid_p), None, None)
        at_q = Sloped(Interval(mid_q, mid_q), None, None)
        there = _sloped(self.profile._tree, at_p, at_q)
        centre = _excess(self.profile.kind, there, at_p, at_q, *allowed).value.low
        done |= centre - self._drop(by_p, c_p1 - c_p0) - self._drop(by_q, c_q1 - c_q0) >= 0.0
        done |= (c_p0 == 1.0) & (c_q0 == 1.0)
        if self.profile.kind != "ratio":
            done |= (least_p | least_q) & (bound.value.low >= 0.0)
        left = ~done
        self._look(mid_p[left], mid_q[left])
        boxes = _cut(np.stack([c_p0, c_p1, c_q0, c_q1])[:, left])
        return _cut(boxes) if boxes.shape[1] < _FEW_BOXES else boxes  # few boxes cost a round the same as one

    @staticmethod
    def _drop(slope: Interval, width: FloatArray) -> FloatArray:
        """How far a quantity can fall within half a width of its middle."""
        steepest = np.maximum(np.abs(slope.low), np.abs(slope.high))
        return np.where(width > 0.0, steepest * width * (0.5 * (1.0 + 1e-12)), 0.0)

    def _corners(self, boxes: FloatArray) -> tuple[FloatArray, FloatArray]:
        p0, p1, q0, q1 = boxes
        return np.concatenate([p0, p0, p1, p1]), np.concatenate([q0, q1, q0, q1])

    def _natural(self, bound: Interval, boxes: FloatArray, allowed: tuple[float, float]) -> Any:
        """Whether the lowest bound of a box allows the target at all four corners (F is bilinear)."""
        p, q = (part.reshape(4, -1) for part in self._corners(boxes))
        t, t_c = allowed
        smallest_f = np.min(p * q + p * (1.0 - q) * t_c + (1.0 - p) * t, axis=0) * (1.0 - 1e-15)
        largest_prior = boxes[1] * boxes[3] * (1.0 + 1e-15)
        if self.profile.kind == "ratio":
            return bound.low * smallest_f >= 1.0
        cap = bound.low if self.profile.kind == "posterior" else (boxes[0] * boxes[2]) + bound.low
        return cap * smallest_f >= largest_prior


_UNIT = Interval(np.ones(()), np.ones(()))


def _beliefs(p0: FloatArray, p1: FloatArray, q0: FloatArray, q1: FloatArray) -> tuple[Sloped, Sloped]:
    return Sloped(Interval(p0, p1), _UNIT, None), Sloped(Interval(q0, q1), None, _UNIT)


def _as_posterior(kind: str, bound: Sloped, p: Sloped, q: Sloped) -> Sloped:
    """The bound as a highest posterior."""
    if kind == "posterior":
        return bound
    return bound * p * q if kind == "ratio" else bound + p * q


def _excess(kind: str, bound: Sloped, p: Sloped, q: Sloped, t: float, t_c: float) -> Sloped:
    """H = bound F - prior (for a ratio: bound F - 1) over boxes: the target is allowed where it is nowhere negative.

    F and its slopes are linear in each belief: they are taken at corners, which is tighter than their expression.
    """
    p0, p1, q0, q1 = p.value.low, p.value.high, q.value.low, q.value.high
    corners = [a * b + a * (1.0 - b) * t_c + (1.0 - a) * t for a in (p0, p1) for b in (q0, q1)]
    f_value = Interval(np.minimum.reduce(corners), np.maximum.reduce(corners))
    by_p = [b + (1.0 - b) * t_c - t for b in (q0, q1)]
    by_q = [a * (1.0 - t_c) for a in (p0, p1)]
    f = Sloped(
        _padded(f_value, 1.0),
        _padded(Interval(np.minimum(*by_p), np.maximum(*by_p)), 1.0),
        _padded(Interval(np.minimum(*by_q), np.maximum(*by_q)), 1.0),
    )
    if kind == "ratio":
        return bound * f - Sloped.constant(1.0)
    prior = p * q
    return (bound if kind == "posterior" else bound + prior) * f - prior


def _padded(interval: Interval, size: float) -> Interval:
    """The interval with room for the roundings of a few operations on numbers up to `size`."""
    room = 8 * np.finfo(float).eps * size
    return Interval(interval.low - room, interval.high + room)


def _shrunk(slope: Interval, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray, Any]:
    """The part of each side where H is least, and whether that is the open end 0."""
    rises, falls = slope.low >= 0.0, slope.high <= 0.0
    at_zero = rises & (low == 0.0)
    new_low = np.where(falls & ~rises, high, low)
    new_high = np.where(rises, np.where(at_zero, np.minimum(high, _NEARLY_ZERO), low), high)
    return new_low, new_high, at_zero


def _cut(boxes: FloatArray) -> FloatArray:
    """Each box in two along both beliefs, or along the one that has width."""
    for low, high in ((0, 1), (2, 3)):
        if not boxes.size:
            return boxes
        middle = 0.5 * (boxes[low] + boxes[high])
        wide = (middle > boxes[low]) & (middle < boxes[high]) & (boxes[high] > _NEARLY_ZERO)
        first, second = boxes.copy(), boxes[:, wide].copy()
        first[high] = np.where(wide, middle, boxes[high])
        second[low] = middle[wide]
        boxes = np.concatenate([first, second], axis=1)
    return boxes
