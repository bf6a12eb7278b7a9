"""What the parts of a comparison take: lists of scores, levels meant as the decimals that were typed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dpcore import _checks
from dpcore.errors import Code, Refused


def items_of(name: str, values: Any, rule: str, *, or_none: bool = False) -> list[Any]:
    """The items of a list that is not empty, unless there may be none."""
    listed = isinstance(values, (list, tuple)) or (isinstance(values, np.ndarray) and values.ndim > 0)
    if not listed:
        raise Refused(name, rule, values, Code.WRONG_TYPE)
    if len(values) == 0 and not or_none:
        raise Refused(name, rule, values, Code.EMPTY)
    return list(values)


def pair_of(name: str, value: Any, rule: str) -> list[Any]:
    """The two items of a pair."""
    items = items_of(name, value, rule)
    if len(items) != 2:
        raise Refused(name, rule, value, Code.WRONG_SHAPE)
    return items


def scores_of(name: str, values: Any, answers: int | None) -> list[int]:
    """Numbers of right answers, at most as many as there were answers."""
    found = [_checks.count(name, score) for score in items_of(name, values, "hold a score for each person")]
    if answers is not None and max(found) > answers:
        raise Refused(name, f"be at most the {answers} answers of each person", max(found), Code.OUT_OF_RANGE)
    return found


def most_right(answers: int | None) -> int | None:
    """The largest score, where it is known how many answers each person gave."""
    return None if answers is None else _checks.count("answers", answers, 1)


def typed(value: float) -> Fraction:
    """The decimal that was typed: 0.1 is a tenth."""
    return Fraction(repr(float(value)))


def chance_of(name: str, value: Any) -> Fraction:
    """A chance in (0, 1), as the decimal that was typed."""
    return typed(_checks.number(name, value, 0.0, 1.0, open_low=True, open_high=True))


def mean(values: Sequence[Fraction] | Sequence[int]) -> Fraction:
    return Fraction(sum(values)) / len(values)
