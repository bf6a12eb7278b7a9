"""The points of a drawn line: what is accepted, and how a link spells it.

A point is a pair (prior, highest acceptable posterior). A line is 1 to 64 points with rising priors, none below
the diagonal "learns nothing". The same rules hold for a link, a scenario file and whatever a browser sends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from dpcore._checks import number
from riskline.case.fields import shown

Point = tuple[float, float]
Line = tuple[Point, ...]

MOST_POINTS = 64
_DIGITS = 12  # significant digits a link spends on a number
_LONGEST_TEXT = MOST_POINTS * 50  # two numbers of at most 24 characters and their separators
_NUMBER = re.compile(r"(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e-?\d{1,3})?", re.ASCII)


def checked_points(points: Sequence[Sequence[float]]) -> Line:
    """The points as a tuple of (prior, posterior) pairs of floats, once every rule holds.

    points : 1 to 64 pairs (prior in (0, 1], posterior in [prior, 1]), priors strictly rising

    Raises ValueError: the first rule broken, by place: ``point 3: prior must lie above the one before, 0.2; got 0.1``.

    >>> checked_points([[0.01, 0.1], [0.5, 0.7]])
    ((0.01, 0.1), (0.5, 0.7))
    >>> checked_points([[0.5, 0.4]])
    Traceback (most recent call last):
        ...
    ValueError: point 1: posterior must lie in [0.5, 1], from its prior up; got 0.4
    """
    if not isinstance(points, (list, tuple)):
        raise ValueError("points must be a list of pairs (prior, posterior)")
    if not 1 <= len(points) <= MOST_POINTS:
        raise ValueError(f"points must be 1 to {MOST_POINTS} in number; got {len(points)}")
    line: list[Point] = []
    for place, pair in enumerate(points, start=1):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError(f"point {place} must be a pair (prior, posterior)")
        prior = number(f"point {place}: prior", pair[0], 0.0, 1.0, open_low=True)
        posterior = number(f"point {place}: posterior", pair[1], 0.0, 1.0)
        if line and prior <= line[-1][0]:
            raise ValueError(f"point {place}: prior must lie above the one before, {line[-1][0]:g}; got {prior:g}")
        if posterior < prior:
            raise ValueError(
                f"point {place}: posterior must lie in [{prior:g}, 1], from its prior up; got {posterior:g}"
            )
        line.append((prior, posterior))
    return tuple(line)


def encode_points(points: Sequence[Sequence[float]]) -> str:
    """The line as text for a link, such as ``0.01~0.1_0.5~0.7``: letters, digits and ``- . _ ~`` only.

    Numbers carry up to 12 significant digits. Where that would merge two priors or put a prior on 1, all digits
    are kept. Decoding the text and encoding it again gives the same text.

    >>> encode_points([(0.01, 0.1), (0.5, 0.7)])
    '0.01~0.1_0.5~0.7'
    """
    short = [[format(value, f".{_DIGITS}g") for value in point] for point in points]
    priors = [float(prior) for prior, _ in short]  # rounding keeps every order but may make two numbers equal
    merged = any(after == before for before, after in pairwise(priors))
    if merged or (priors[-1] == 1.0) != (points[-1][0] == 1.0):
        short = [[repr(value) for value in point] for point in points]
    return "_".join("~".join(point) for point in short)


def same_line(first: Line, second: Line) -> bool:
    """Whether two lines are one to a link: equal, or different only beyond the digits it spends.

    >>> same_line(((0.1, 0.3),), ((0.1, 0.3 + 1e-16),)), same_line(((0.1, 0.3),), ((0.1, 0.31),))
    (True, False)
    """
    return first == second or encode_points(first) == encode_points(second)


def decode_points(text: str) -> Line:
    """The line a link spells.

    Raises ValueError: by place: ``point 2 must read prior~posterior; got '0.5'``, or as `checked_points`.

    >>> decode_points("0.01~0.1_0.5~0.7")
    ((0.01, 0.1), (0.5, 0.7))
    """
    if not isinstance(text, str) or not text:
        raise ValueError("points must be text such as 0.01~0.1_0.5~0.7")
    if len(text) > _LONGEST_TEXT:
        raise ValueError(f"points must take at most {_LONGEST_TEXT} characters; got {len(text)}")
    pairs: list[list[float]] = []
    for place, piece in enumerate(text.split("_"), start=1):
        parts = piece.split("~")
        if len(parts) != 2:
            raise ValueError(f"point {place} must read prior~posterior; got {shown(piece)!r}")
        pairs.append(
            [_decoded(part, f"point {place}: {name}") for part, name in zip(parts, ("prior", "posterior"), strict=True)]
        )
    return checked_points(pairs)


def sent_points(value: Any) -> Line:
    """The line a browser sent, treated as hostile: anything but a plain JSON list of number pairs is refused."""
    if not isinstance(value, list):
        raise ValueError("points must be a list of pairs (prior, posterior)")
    return checked_points(value)


def _decoded(text: str, name: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{name} must be a number; got {shown(text)!r}")
    return float(text)
