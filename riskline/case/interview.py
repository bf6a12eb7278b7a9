"""An interview that draws a line of acceptable risk: what is asked next, what the answers hold, and their line.

At each of five beliefs a reader says how sure somebody may become; the two questions after them halve, on the scale of
odds, what the strictest answer left open. Who is surer before a release is surer after it, so a belief that is accepted
for a rare guess is accepted for a likelier one, and one that is refused for a likelier guess is refused for a rarer.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from riskline.case.fields import shown
from riskline.case.points import Line

LEVELS: dict[float, tuple[float, ...]] = {
    0.001: (0.002, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0),
    0.01: (0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0),
    0.05: (0.1, 0.15, 0.25, 0.35, 0.5, 0.75, 1.0),
    0.2: (0.25, 0.3, 0.4, 0.5, 0.75, 0.9, 1.0),
    0.5: (0.55, 0.6, 0.7, 0.8, 0.9, 0.99, 1.0),
}
PRIORS = tuple(LEVELS)
KINDS = {"c": "count", "o": "anything"}
HALVINGS = 2
REFUSED_BY_NOBODY = math.inf
# beliefs that are easily said, between which an answer is halved
_SAID = tuple(n / 1000 for n in range(1, 10)) + tuple(n / 100 for n in range(1, 100))
_FORM = re.compile(r"([co](t([0-6]{0,4}|[0-6]{5}[yn]{0,2}))?)?", re.ASCII)


def odds(belief: float) -> float:
    """The natural logarithm of the odds of a belief below 1; infinite at 1."""
    return math.inf if belief == 1.0 else math.log(belief) - math.log1p(-belief)


@dataclass(frozen=True)
class Held:
    """What the answers hold at one belief before: accepted up to a belief after, and refused from one on."""

    prior: float
    accepted: float
    refused: float

    @property
    def between(self) -> float | None:
        """The belief nearest to the middle of what is open, on the scale of odds; None where none is easily said."""
        if self.accepted == 1.0:
            return None
        inside = _SAID[bisect_right(_SAID, self.accepted) :]
        inside = tuple(belief for belief in inside if belief < self.refused)
        middle = (odds(self.accepted) + min(odds(min(self.refused, 1.0)), odds(_SAID[-1]))) / 2
        return min(inside, key=lambda belief: abs(odds(belief) - middle)) if inside else None


@dataclass(frozen=True)
class Contradiction:
    """Two answers that cannot both be kept: accepted for a rarer guess, refused for a likelier one."""

    rarer: Held
    likelier: Held
    raised: str
    lowered: str


@dataclass(frozen=True)
class Interview:
    """The answers so far, as the link spells them.

    answers : ``c`` or ``o``, counts or something else; ``t`` once it is said for how many tables; five digits, the
        place of each level in `LEVELS`; ``y`` or ``n`` for each halving

    >>> done = Interview("ct11110yn")
    >>> done.finished, done.points
    (True, ((0.001, 0.01), (0.01, 0.05), (0.05, 0.15), (0.2, 0.3), (0.5, 0.58)))
    """

    answers: str = ""

    @property
    def chosen(self) -> str:
        """The digits: one for each belief that was asked."""
        return "".join(letter for letter in self.answers if letter.isdigit())

    @property
    def halved(self) -> str:
        """The answers to the halvings."""
        return self.answers.lstrip("cot").lstrip("0123456789")

    @property
    def asked(self) -> float | None:
        """The belief before that is asked now, when it is one of the five."""
        place = len(self.chosen)
        if (not self.answers.endswith("t") and not place) or place == len(PRIORS) or self.contradiction:
            return None
        return PRIORS[place]

    @property
    def given(self) -> tuple[Held, ...]:
        """The answers as they were given, each by itself."""
        return tuple(_level(prior, int(digit)) for prior, digit in zip(PRIORS, self.chosen, strict=False))

    @property
    def held(self) -> tuple[Held, ...]:
        """What the answers hold together, after the halvings."""
        held = _together(self.given)
        for letter in self.halved:
            place, belief = _halving(held)
            if belief is None:
                break
            at = held[place]
            halved = Held(at.prior, belief, at.refused) if letter == "y" else Held(at.prior, at.accepted, belief)
            held = _together((*held[:place], halved, *held[place + 1 :]))
        return held

    @property
    def halving(self) -> tuple[float, float] | None:
        """The belief before and after that is asked now, when an answer is halved."""
        if len(self.chosen) < len(PRIORS) or len(self.halved) == HALVINGS or self.contradiction:
            return None
        place, belief = _halving(self.held)
        return None if belief is None else (PRIORS[place], belief)

    @property
    def contradiction(self) -> Contradiction | None:
        """The last answer against an earlier one; None where they can all be kept."""
        given = self.given
        if not given:
            return None
        last = given[-1]
        for earlier in given[:-1]:
            if earlier.accepted >= last.refused:
                return Contradiction(earlier, last, self._raised(), self._lowered())
        return None

    def _raised(self) -> str:
        """The answers with the last one no lower than what was accepted before it."""
        most = max(held.accepted for held in self.given[:-1])
        prior = self.given[-1].prior
        digit = next(place for place in range(len(LEVELS[prior])) if _level(prior, place).refused > most)
        return f"{self.answers[:-1]}{digit}"

    def _lowered(self) -> str:
        """The answers with each earlier one below what the last one refuses."""
        refused = self.given[-1].refused
        digits = [
            max(place for place in range(int(digit) + 1) if LEVELS[prior][place] < refused)
            for prior, digit in zip(PRIORS, self.chosen[:-1], strict=False)
        ]
        return f"{self.answers[:2]}{''.join(map(str, digits))}{self.chosen[-1]}"

    @property
    def finished(self) -> bool:
        """Whether nothing is left to ask."""
        return len(self.chosen) == len(PRIORS) and self.contradiction is None and self.halving is None

    @property
    def left(self) -> int:
        """How many questions are left at most; an answer that contradicts an earlier one counts as not yet given."""
        kept = len(self.chosen) - (self.contradiction is not None)
        return len(PRIORS) + HALVINGS - kept - len(self.halved)

    @property
    def points(self) -> Line:
        """The line of a finished interview: at each belief, the highest that was accepted."""
        return tuple((held.prior, held.accepted) for held in self.held)

    @property
    def back(self) -> str:
        """The answers without the last one."""
        return self.answers[:-1]


def _level(prior: float, place: int) -> Held:
    levels = LEVELS[prior]
    return Held(prior, levels[place], levels[place + 1] if place + 1 < len(levels) else REFUSED_BY_NOBODY)


def _together(held: tuple[Held, ...]) -> tuple[Held, ...]:
    """What is accepted for a rare guess holds for a likelier one; what is refused for a likely one for a rarer."""
    return tuple(
        Held(at.prior, max(other.accepted for other in held[: place + 1]), min(other.refused for other in held[place:]))
        for place, at in enumerate(held)
    )


def _halving(held: tuple[Held, ...]) -> tuple[int, float | None]:
    """The place whose odds may grow least, and the belief that halves it."""
    place = min(range(len(held)), key=lambda at: odds(held[at].accepted) - odds(held[at].prior))
    return place, held[place].between


def read_answers(text: str) -> str:
    """The answers a link spells.

    Raises ValueError: ``must be answers such as ct23344yn``; ``must not contradict itself before its last answer``;
    ``must end with its last question``.

    >>> read_answers("ct233")
    'ct233'
    """
    if not _FORM.fullmatch(text):
        raise ValueError(f"must be answers such as ct23344yn; got {shown(text)!r}")
    for end in range(1, len(text)):
        before = Interview(text[:end])
        if before.contradiction:
            raise ValueError(f"must not contradict itself before its last answer; got {shown(text)!r}")
        if before.finished:
            raise ValueError(f"must end with its last question; got {shown(text)!r}")
    return text


def line_of(answers: str) -> dict[str, Any]:
    """The choices that answers set: the kind of release, and once nothing is left to ask the drawn points.

    >>> line_of("c")
    {'interview': 'c', 'release': 'count'}
    """
    chosen: dict[str, Any] = {"interview": answers}
    if answers in KINDS:
        chosen["release"] = KINDS[answers]
    interview = Interview(answers)
    if interview.finished:
        chosen |= {"line": "drawn", "points": interview.points, "interpolation": "linear"}
    return chosen
