"""The survey with coins: what is asked, what a participant's own device is told, and what the room's answers come to.

The coins fall in the participant's browser (`ui/components/coin_survey.py`). What arrives here is the noisy answer and
nothing else, so nothing here could tell a true yes from a forced one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from dpcore.guarantees import PureDP, Relation
from dpcore.randomized_response import RandomizedAnswer, SharePosterior, guaranteed_interval
from riskline.case.declaration import custom
from riskline.case.fields import between, number_text, parse_number, shown
from ui.link.page_table import PageLink, declared
from ui.pictures.columns import Column, side_by_side, written
from ui.pictures.marks import Axis, Bars
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.room.activity import Activity, Answers, Asked, Values, Wall, letters, passage_of, step_of_people
from ui.views.shared.promise import StatedBelief, promise_words
from ui.words.catalogue import label, say
from ui.words.phrasing import NEAREST, decimal_belief, frequency, how_often, rounded
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Estimate, Exact, Lower, Typed, Upper, number, whole

PAGE = "room_coin_survey"
passage = partial(passage_of, PAGE)
LONGEST_STATEMENT = 200
PARTS = 1_000_000
"""Probabilities are whole millionths, so that coins made of whole numbers can have exactly these."""
LEAST, MOST = 0.05, 0.45
"""Of a forced answer: enough of each kind that no answer comes near to giving a person away; and some truth is left."""
LEVEL = 0.95
RARELY = 0.25
"""How often answers come about at most that are told to be rare."""
ASKED_BEFORE = 0.2
"""The belief before for which a participant is told, above the buttons, what a yes makes of it."""
BEFORE = (0.05, 0.2, 0.5)
"""Beliefs before, for which it is told what an answer makes of them."""


def read_statement(text: str) -> str:
    """What is asked, as it stands on every device: one line of at most 200 characters.

    >>> read_statement("  I have copied homework. ")
    'I have copied homework.'
    """
    statement = text.strip()
    if not 1 <= len(statement) <= LONGEST_STATEMENT:
        raise ValueError(f"must have 1 to {LONGEST_STATEMENT} characters; got {len(statement)}")
    if not statement.isprintable():
        raise ValueError("must be one line without control characters")
    return statement


def read_probability(text: str) -> float:
    """The probability of a forced answer, in whole millionths.

    >>> read_probability("1/3"), read_probability("25 %")
    (0.333333, 0.25)
    """
    value = parse_number(text, share=True)
    if not LEAST <= value <= MOST:
        raise ValueError(f"must {between(LEAST, MOST)}; got {shown(text)!r}")
    return round(value * PARTS) / PARTS


class CoinSurvey(Activity):
    """Yes or no, through coins that fall on each participant's own device."""

    kind = "coin_survey"
    first_answer_stays = True
    tallied = True
    scripted = ("coin_survey_statement",)
    settings = declared(
        PAGE,
        {"longest": Typed(LONGEST_STATEMENT, whole)},
        coin_survey_statement=custom(label(PAGE, "statement"), read=read_statement),
        coin_survey_forced_yes=custom(0.25, read=read_probability, write=number_text),
        coin_survey_forced_no=custom(0.25, read=read_probability, write=number_text),
    )
    answers = declared(PAGE, coin_survey_said=letters("(yes|no)?", "yes or no"))

    def asked(self, settings: Values, style: Style) -> Asked:
        """The statement, that coins fall, and how much they leave of the truth."""
        coins = coins_of(settings)
        often, belief = _spoken(style)
        truthful, after = Exact(coins.truthful, often), Upper(coins.belief_after_yes(ASKED_BEFORE), belief)
        help = passage(style, "help", truthful=truthful, before=belief(ASKED_BEFORE), after=after)
        return Asked(str(settings["coin_survey_statement"]).replace("*", "·"), help)

    def judged(self, settings: Values, values: Values) -> Mapping[str, Any]:
        """Every yes and every no fits; nothing is not an answer."""
        if not values["coin_survey_said"]:
            raise ValueError("An answer must be yes or no")
        return values

    def own_words(self, settings: Values, values: Values, style: Style) -> str:
        """That an answer is counted and may be the coins': which one, the room does not keep."""
        return passage(style, "own")

    def summary(self, settings: Values, answers: Answers, style: Style, earlier: Answers = ()) -> Wall:
        """The noisy share, the coins taken out of it, and what one answer tells anybody."""
        coins, people = coins_of(settings), len(answers)
        said_yes = sum(answer.values["coin_survey_said"] == "yes" for answer in answers)
        found = SharePosterior(answer=coins, people=people, said_yes=said_yes)
        low, high = (round(end * people) for end in found.count_interval(LEVEL))
        ends = {"said": f"{said_yes:,}", "people": f"{people:,}", "low": f"{low:,}", "high": f"{high:,}"}
        words = ends | {"sure": Lower(LEVEL, _spoken(style)[1])}
        few = high - low == people  # no number is ruled out
        estimated = () if few and not style.technical else (_estimate(coins, people, said_yes, style),)
        return Wall(
            answer=passage(style, "answer_few" if few else "answer", **words),
            small_print=passage(style, "small_print", promise=_promise(coins, style)),
            picture=_posterior(found, (low, high), style, ends),
            tables=(Table(passage(style, "beliefs_caption"), *_beliefs(coins, style)),),
            sentences=(*estimated, passage(style, "beliefs_told")),
            ways=(_to_explain(coins, style),),
            python=_in_python(coins, people, said_yes, low),
        )


def coins_of(settings: Values) -> RandomizedAnswer:
    """The coins of these settings."""
    return RandomizedAnswer(forced_yes=settings["coin_survey_forced_yes"], forced_no=settings["coin_survey_forced_no"])


def _spoken(style: Style) -> tuple[Any, Any]:
    """How a chance and a belief are said."""
    return (decimal_belief, decimal_belief) if style.technical else (how_often, frequency)


def _promise(coins: RandomizedAnswer, style: Style) -> str:
    return promise_words(coins.promise(), style.voice)["promise"]


def _estimate(coins: RandomizedAnswer, people: int, said_yes: int, style: Style) -> str:
    """The coins taken out again, and the range that needs no belief before."""
    estimate = people * coins.estimate(people=people, said_yes=said_yes)
    near = rounded(estimate, 3, NEAREST)  # thirds are whole millionths: none and all are missed by as little
    range_ = guaranteed_interval(coins, people=people, said_yes=said_yes, level=LEVEL)
    often, _ = _spoken(style)
    words = {
        "estimate": Estimate(estimate if near else 0.0, number(3)),
        "people": f"{people:,}",
        "level": Lower(LEVEL, often),
        "guaranteed_low": f"{round(range_.low * people):,}",
        "guaranteed_high": f"{round(range_.high * people):,}",
    }
    few, many = (tail(people=people, said_yes=said_yes) for tail in (coins.so_few_if_none, coins.so_many_if_all))
    side, rarity = ("few", few) if few <= many else ("many", many)
    told = [passage(style, "estimate", **words)]
    beyond = not 0 <= near <= people
    if style.technical:
        told.append(passage(style, "left" if rarity > (1 - LEVEL) / 2 else "none_left", **words))
    if beyond:
        words |= {"rare": Upper(rarity, often), "outcome": say(PAGE, "technical", f"outcome_{side}")}
        told.append(passage(style, "beyond", **words))
    if beyond and rarity <= RARELY:
        told.append(passage(style, "rarely"))
    return " ".join(told)


def _posterior(found: SharePosterior, ends: tuple[int, int], style: Style, words: Mapping[str, str]) -> Picture:
    """How likely each number of true yeses is; at the ends of the picture nothing much is left."""
    law, (low, high) = found.count_probabilities, ends
    margin = max(3, (high - low) // 4)
    shown_counts = np.arange(max(low - margin, 0), min(high + margin, found.people) + 1)
    named = label(PAGE, "from_to", low=f"{low:,}", high=f"{high:,}")
    rows = side_by_side(
        Column("count", label(PAGE, "true_yes"), shown_counts.astype(float), said=written(",.0f"), hover=",d"),
        Column("probability", label(PAGE, "probability"), law[shown_counts]),
        Column("inside", named, (shown_counts >= low) & (shown_counts <= high), listed=False),
    )
    bars = partial(Bars, x="count", y="probability")
    marks: tuple[Bars, ...] = (bars(name=named),)
    if low > shown_counts.min() or high < shown_counts.max():
        beyond = bars(where=("inside", False), name=label(PAGE, "beyond_range"), role="reach", pattern="/")
        marks = (bars(where=("inside", True), name=named), beyond)
    reading, caption = (passage(style, name, **words) for name in ("reading", "reading_caption"))
    x, y = Axis(grid=False, every=step_of_people(shown_counts.size)), Axis(zero=True)
    look: dict[str, Any] = {"style": style, "legend": "above right", "height": 320}
    return Picture.of("coin-survey", (rows,), marks, reading=reading, caption=caption, x=x, y=y, **look)


def stated_beliefs(coins: RandomizedAnswer, style: Style) -> tuple[StatedBelief, ...]:
    """What a yes lets anybody come to think, as it is printed on every device and on the wall."""
    _, belief = _spoken(style)
    yes = PureDP(epsilon=coins.log_odds_of_yes, relation=Relation.REPLACE)
    after = {prior: Upper(float(coins.belief_after_yes(prior)), belief) for prior in BEFORE}
    promise = coins.promise()
    return tuple(StatedBelief(prior, said, promise, yes, before=belief(prior)) for prior, said in after.items())


def _beliefs(coins: RandomizedAnswer, style: Style) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Heads and rows: a belief before, after a yes, after a no."""
    _, belief = _spoken(style)
    yes = [(stated.prior, stated.words) for stated in stated_beliefs(coins, style)]
    no = [Lower(float(coins.belief_after_no(prior)), belief).digits for prior, _ in yes]
    rows = tuple((Exact(prior, belief).digits, after, other) for (prior, after), other in zip(yes, no, strict=True))
    return tuple(passage(style, f"head_{name}") for name in ("before", "yes", "no")), rows


def coins_on_device(settings: Values, style: Style) -> dict[str, Any]:
    """What the browser of a participant is given: two coins in whole numbers, all its words, what an answer tells.

    Nothing of it depends on anybody's answer.
    """
    coins = coins_of(settings)
    parts = [round(probability * PARTS) for probability in (coins.forced_yes, coins.forced_no)]
    shared = int(np.gcd.reduce([*parts, PARTS]))
    heads, rows = _beliefs(coins, style)

    said = partial(passage, style)

    def both(name: str) -> dict[str, str]:
        return {answer: said(name, said=said(f"face_{answer}")) for answer in ("yes", "no")}

    often, _ = _spoken(style)
    chances = {name: Exact(getattr(coins, name), often) for name in ("truthful", "forced_yes", "forced_no")}
    once = ("yes", "no", "flip", "private", "counted", "stays", "show", "hide", "idle", "kept", "about", "caption")
    words: dict[str, Any] = {name: said(name) for name in once}
    words |= {name: both(name) for name in ("sending", "late", "held")}
    words |= {
        "statement": settings["coin_survey_statement"],
        "firstCoin": said("first_coin"),
        "secondCoin": said("second_coin"),
        "faces": {face: said(f"face_{face}") for face in ("truth", "second", "yes", "no")},
        "means": {"first": {face: said(f"means_{face}") for face in ("truth", "second")}, "second": both("means_said")},
        "promise": [
            said("how_coins_fall", epsilon=Upper(coins.epsilon, number(3)), **chances),
            said("local", promise=_promise(coins, style)),
        ],
    }
    fall = {"forcedYes": parts[0] // shared, "forcedNo": parts[1] // shared, "outOf": PARTS // shared}
    return {"coins": fall, "words": words, "beliefs": {"heads": list(heads), "rows": [list(row) for row in rows]}}


def _to_explain(coins: RandomizedAnswer, style: Style) -> PageLink:
    """The page on what a budget means, with this one: as a survey with coins where both are forced alike."""
    unequal = (("secret", "value"), ("relation", Relation.REPLACE.value))
    kind = (("guarantee", "randomised_response"),) if coins.forced_yes == coins.forced_no else unequal
    return PageLink("explain", passage(style, "way"), (*kind, ("epsilon", number_text(coins.epsilon))))


def _in_python(coins: RandomizedAnswer, people: int, said_yes: int, low: int) -> CodeLines:
    """The lines for the fewest true yeses of the range."""
    code = CodeWriter()
    after = code.let("after", code(SharePosterior, answer=coins, people=people, said_yes=said_yes))
    return code.ending(Source(f"{people} * {after}.count_interval({LEVEL}).low"), Exact(low, whole))
