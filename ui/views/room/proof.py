"""A class proves an epsilon: every phone guesses a coin of its own in every round, from one noisy count about it.

Coin and noise are dealt by the server (`ui.rooms.meeting.dealt`): they are the same after a reload, and no two guesses
share noise, so that one coin is one guess. What was right is told with the result alone. Until then whoever stops or
goes on does so by published counts, which no bound on right guesses minds, and no order of them is better than another.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.audit import guess_epsilon_lower
from dpcore.guarantees import Relation
from dpcore.mechanisms import Geometric
from dpcore.promise import Promise, Secret
from riskline.case.declaration import count, number
from ui.link.page_table import declared
from ui.pictures.columns import Column, side_by_side, single, told
from ui.pictures.marks import Axis, Level, Line
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.meeting import dealt
from ui.views.room.activity import Answers, Asked, InRounds, Values, Wall, letters, passage_of, step_of_people
from ui.views.shared.promise import promise_words
from ui.words.catalogue import heads, label, say
from ui.words.phrasing import decimal_belief, how_often, plain_number, rate, typed_frequency
from ui.words.quantities import Exact, Failure, Lower, Typed, Upper, whole
from ui.words.quantities import number as digits

PAGE = "room_proof"
passage = partial(passage_of, PAGE)
OTHERS = 10
"""People who are in the table anyway, so that few published counts are negative."""
MOST_ROUNDS = 10
LEVEL = 0.95
MOST_DRAWN = 300
"""Points of a line that are drawn."""
IN, OUT = "i", "o"
PROMISE = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)


class Proof(InRounds):
    """Is Ada in the table? The wall shows what so many right guesses prove of the budget."""

    kind = "proof"
    settings = declared(
        PAGE,
        proof_epsilon=number(1.0, low=0.05, high=5),
        proof_rounds=count(5, low=1, high=MOST_ROUNDS),
    )
    answers = declared(
        PAGE,
        proof_guesses=letters(f"[{IN}{OUT}]{{0,{MOST_ROUNDS}}}", f"{IN} or {OUT}, at most {MOST_ROUNDS} times"),
    )

    def asked(self, settings: Values, style: Style) -> Asked:
        """Who is looked for, how the table came about, and how far noise goes."""
        noise = Geometric(epsilon=settings["proof_epsilon"])
        width = noise.half_width(LEVEL)
        often = Lower(noise.probability_within(width), decimal_belief if style.technical else rate)
        words = {"others": OTHERS, "width": plain_number(width), "often": often}
        return Asked(passage(style, "question"), passage(style, "help", **words))

    def judged(self, settings: Values, values: Values) -> Mapping[str, Any]:
        """A guess for each of the first rounds, one or more."""
        if not 1 <= len(values["proof_guesses"]) <= settings["proof_rounds"]:
            raise ValueError(f"There must be 1 to {settings['proof_rounds']} guesses")
        return values

    def rounds(self, settings: Values) -> int:
        """As many as the moderator set."""
        return int(settings["proof_rounds"])

    def handed_on(self, settings: Values, answers: Answers) -> list[tuple[str, str]]:
        """1 for a right guess and 0 for a wrong one, in the order of the line; whose they are, nobody can tell."""
        return [("", f"{right:.0f}") for right in outcomes(answers)]

    def summary(self, settings: Values, answers: Answers, style: Style, earlier: Answers = ()) -> Wall:
        """What the guesses prove of the budget, beside it and what they could have."""
        right, epsilon = outcomes(answers), settings["proof_epsilon"]
        bounds, most = (guess_epsilon_lower(seen, level=LEVEL).round(2) for seen in (right, np.ones(right.size)))
        words = {
            "right": f"{right.sum():,.0f}",
            "made": f"{right.size:,}",
            "bound": Lower(float(bounds[-1]), digits(3)),
            "sure": Typed(LEVEL, typed_frequency),
            "epsilon": plain_number(epsilon, 4),
            "failing": Failure(round(1 - LEVEL, 9), rate),
            "most": Upper(float(most[-1]), digits(3)),
            "nearer": Exact(Geometric(epsilon=epsilon).cdf(0), decimal_belief if style.technical else how_often),
        }
        promise, coins = promise_words(PROMISE, style.voice)["promise"], say("audit", style.voice, "coins")
        return Wall(
            answer=passage(style, "answer" if bounds[-1] else "answer_none", **words),
            small_print=say("audit", style.voice, "small_print", worlds=coins, promise=promise),
            picture=_picture(bounds, most, epsilon, style),
            sentences=tuple(passage(style, name, **words) for name in ("level", "most")),
        )


def is_in(own: int, played: int) -> bool:
    """Whether the coin of a round (from 0) put Ada into the table of whom this number was drawn for."""
    return bool(dealt(own, f"proof {played} coin")[0] & 1)


def published(settings: Values, own: int, played: int) -> int:
    """The count of that table with its noise, exactly of the law of `Geometric`."""
    draw, fall = Random(dealt(own, f"proof {played} noise")), Fraction(settings["proof_epsilon"])
    return OTHERS + is_in(own, played) + _lasted(draw, fall) - _lasted(draw, fall)


def _lasted(draw: Random, fall: Fraction) -> int:
    lasted = 0
    while _lasts(draw, fall):
        lasted += 1
    return lasted


def _lasts(draw: Random, fall: Fraction) -> bool:
    """True with probability e^-fall, exactly: of bets with chances fall/1, fall/2, ... the first lost one is odd."""
    if fall > 1:
        return _lasts(draw, Fraction(1)) and _lasts(draw, fall - 1)
    bet = 1
    while draw.randrange(bet * fall.denominator) < fall.numerator:
        bet += 1
    return bet % 2 == 1


def rounds_right(own: int, guesses: str) -> list[bool]:
    """Which rounds of one participant were right."""
    return [(guess == IN) == is_in(own, played) for played, guess in enumerate(guesses)]


def outcomes(answers: Answers) -> NDArray[np.float64]:
    """1 for every right guess of the room and 0 for a wrong one, in an order drawn by lot.

    It is drawn from what was drawn for those who answered: coins play no part in it, nor who was right. So each guess
    is right with the same limit to its chance, whatever those before it were, and nobody's place in the line is known.
    """
    right = [one for answer in answers for one in rounds_right(answer.who.own, answer.values["proof_guesses"])]
    right.sort()
    Random(dealt(sum(answer.who.own for answer in answers), "proof order")).shuffle(right)
    return np.array(right, dtype=float)


def next_round(settings: Values, played: int, own: int, style: Style) -> str:
    """What is published in the next round, and what the count can be without noise."""
    counts = {"published": published(settings, own, played), "outside": OTHERS, "inside": OTHERS + 1}
    words = {name: plain_number(value, 9).replace("-", "−") for name, value in counts.items()}
    at = say("room_attack", style.voice, "round", round=played + 1, of=settings["proof_rounds"])
    return f"{at} {passage(style, 'round', **words)}"


def own_rounds(settings: Values, guesses: str, own: int, style: Style) -> Table:
    """All rounds of one participant, once the result is shown."""
    right = rounds_right(own, guesses)
    rows = tuple(
        (
            str(played + 1),
            plain_number(published(settings, own, played), 9).replace("-", "−"),
            label(PAGE, f"guess.{guess}"),
            label(PAGE, f"guess.{IN if is_in(own, played) else OUT}"),
        )
        for played, guess in enumerate(guesses)
    )
    return Table(passage(style, "own_right", right=sum(right), made=len(right)), heads(PAGE, "head"), rows)


def _picture(bounds: NDArray[Any], most: NDArray[Any], epsilon: float, style: Style) -> Picture:
    """The limit after every guess, with what it could have been and the true budget."""
    kept = np.unique(np.linspace(0, bounds.size - 1, min(bounds.size, MOST_DRAWN)).round().astype(int))
    named = label(PAGE, "bound")
    rows = (
        side_by_side(
            Column("guess", label(PAGE, "guesses"), kept + 1, said=told(Exact, whole), hover=",d"),
            Column("bound", named, bounds[kept], said=told(Lower, digits(3))),
            Column("most", label(PAGE, "all_right"), most[kept], quantity=named, said=told(Upper, digits(3))),
            listed=range(0, kept.size, max(kept.size // 20, 1)),
        ),
        side_by_side(single("true", label(PAGE, "true"), epsilon, quantity=named)),
    )
    x, y = Axis(every=step_of_people(bounds.size)), Axis(zero=True)
    marks = (Line(x="guess", y="most", role="quiet", hairline=True), Line(x="guess", y="bound"), Level(y="true"))
    reading = passage(style, "reading")
    look: dict[str, Any] = {"style": style, "legend": "above", "height": 320}
    return Picture.of("proof-bound", rows, marks, reading=reading, x=x, y=y, **look)
