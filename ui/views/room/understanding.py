"""The activity that asks whether people understood: one number, shown in two ways to two halves dealt at random.

Whose half is whose follows from what was drawn for each phone (`ui/rooms/meeting.py`): of every four in the order of
joining, two see one way and two the other. Everybody in the room counts in the half they were dealt to.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from dpcore._cache import MEGABYTE, cached_by_size
from dpcore.trial import dealing_test, difference_interval, fisher_power
from riskline.case.declaration import count, number, option
from ui.link.page_table import declared
from ui.pictures.columns import Column, side_by_side, written
from ui.pictures.marks import Axis, Bars, Dots
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.meeting import BLOCK, FEWEST
from ui.views.room.activity import Answers, Asked, InRounds, ParticipantAnswer, Values, Wall, letters, passage_of
from ui.views.room.comprehension import (
    COMPUTED,
    IN_WORDS,
    PAGE,
    WAYS,
    ComputedQuestion,
    ShownWay,
    computed_question,
    setting_of,
    shown_way,
)
from ui.words.catalogue import label, option_words
from ui.words.phrasing import how_often
from ui.words.quantities import Upper

passage = partial(passage_of, PAGE)
NONE = "none"
MOST_QUESTIONS, FEWEST_QUESTIONS = 4, 2
ASKED = tuple(f"understanding_question{place}" for place in range(1, MOST_QUESTIONS + 1))
DEFAULTS = ("at_most", "bound", "at_least")
FEWEST_TESTED = 20
"""People of whom a test is told; of fewer, hardly any difference could show."""
MOST_IN_INTERVAL = 60
"""People of an interval on a page: of more, it takes too long."""
LEVEL, POWER = 0.95, 0.8
LARGEST_ORDER = 2**31 - 1


class Understanding(InRounds):
    """Two ways of showing, two to four questions; the wall tells whether the way made a difference."""

    kind = "understanding"
    progress_page = PAGE
    counts_all = True
    late = ("understanding_order",)
    settings = declared(
        PAGE,
        understanding_a=option(*WAYS),
        understanding_b=option(*WAYS, default="picture"),
        understanding_question1=option(*COMPUTED, *IN_WORDS, default=DEFAULTS[0]),
        understanding_question2=option(*COMPUTED, *IN_WORDS, default=DEFAULTS[1]),
        understanding_question3=option(NONE, *COMPUTED, *IN_WORDS, default=DEFAULTS[2]),
        understanding_question4=option(NONE, *COMPUTED, *IN_WORDS),
        understanding_prior=count(5, low=1, high=50),
        understanding_epsilon=number(1.0, low=0.05, high=4),
        understanding_other=number(0.5, low=0.05, high=4),
        understanding_releases=count(3, low=2, high=1000),
        understanding_level=count(95, low=1, high=99),
        understanding_delta=number(1e-5, low=0, high=0.1),
        understanding_people=count(10_000, low=1, high=10**9),
        understanding_order=count(0, low=0, high=LARGEST_ORDER),
    )
    answers = declared(
        PAGE,
        understanding_said=letters(f"[0-9]{{0,{MOST_QUESTIONS}}}", f"the places of at most {MOST_QUESTIONS} options"),
    )

    def options(self, setting: str) -> Mapping[str, str]:
        """Both halves choose among the same ways, all places among the same questions."""
        if setting not in ASKED:
            return super().options("understanding_a")
        words = {NONE: label(PAGE, "no_question"), **super().options(ASKED[0])}
        return words if ASKED.index(setting) >= FEWEST_QUESTIONS else super().options(ASKED[0])

    def begun(self, settings: Values) -> Values:
        """With an order of the options that nobody knows from another room, unless a script names one."""
        order = settings.get("understanding_order") or 1 + secrets.randbelow(LARGEST_ORDER)
        return {**settings, "understanding_order": order}

    def asked(self, settings: Values, style: Style) -> Asked:
        """To look, and how many questions follow."""
        questions = len(questions_of(settings))
        return Asked(passage(style, "question", questions=questions), passage(style, "help"))

    def judged(self, settings: Values, values: Values) -> Mapping[str, Any]:
        """As many places as questions, or fewer, each of an option that there is."""
        said, questions = values["understanding_said"], questions_of(settings)
        if len(said) > len(questions):
            raise ValueError(f"There must be at most {len(questions)} answers; got {len(said)}")
        for place, question in zip(map(int, said), questions, strict=False):
            if place >= len(question.options):
                raise ValueError(f"Answers must be options of their question; got place {place}")
        return values

    def rounds(self, settings: Values) -> int:
        """A round for each question."""
        return len(questions_of(settings))

    def forecast(self, people: int, style: Style) -> str:
        """The smallest difference that so many people show with one question."""
        low = found_from(people // 2)
        found = "not_apart" if low is None else "forecast"
        few = f" {passage(style, 'untested', fewest=FEWEST_TESTED)}" if people < FEWEST_TESTED else ""
        shares = {"low": low, "high": 100 - (low or 0)}
        return passage(style, found, people=f"{people:,}", **shares) + few

    def handed_on(self, settings: Values, answers: Answers) -> list[tuple[str, str]]:
        """Of everybody the way, each answer and how many were right, in an order that tells nothing.

        No blocks: of the two in a half of one, each could be told from who joined when.
        """
        questions, rows, dealt = questions_of(settings), [], dealt_answers(settings, answers)
        for one in dealt:
            said = [question.options[place] for question, place in zip(questions, one.said, strict=False)]
            told = {question.name: words for question, words in zip(questions, said, strict=False)}
            way = {"way": way_of(settings, one.half)} if apart(dealt) else {}
            rows.append(("", urlencode({**way, **told, "right": one.score})))
        return sorted(rows)

    def summary(self, settings: Values, answers: Answers, style: Style, earlier: Answers = ()) -> Wall:
        """The difference with its interval, then the test; shares by half and question, who did not answer."""
        result = _Result(settings, dealt_answers(settings, answers), style)
        return Wall(
            answer=result.answer,
            small_print=passage(style, "small_print", block=BLOCK, half=BLOCK // 2),
            picture=result.picture if result.apart else None,
            tables=(result.table,),
            sentences=(*result.verdict, result.right_answers),
        )


def questions_of(settings: Values) -> tuple[ComputedQuestion, ...]:
    """The questions that are asked, each once; where fewer than two are chosen, usual ones beside them."""
    chosen = [name for name in dict.fromkeys(settings[place] for place in ASKED) if name != NONE]
    chosen += [name for name in DEFAULTS if name not in chosen][: max(FEWEST_QUESTIONS - len(chosen), 0)]
    return _computed(tuple(chosen), setting_of(settings), settings["understanding_order"])


@cached_by_size(MEGABYTE)
def _computed(names: tuple[str, ...], setting: Any, order: int) -> tuple[ComputedQuestion, ...]:
    return tuple(computed_question(name, setting, order) for name in names)


def way_of(settings: Values, half: int) -> str:
    """The way that a half sees."""
    return str(settings["understanding_b" if half else "understanding_a"])


def shown_to(settings: Values, own: int, style: Style) -> ShownWay:
    """What somebody sees, by the number drawn for them."""
    prior, epsilon = settings["understanding_prior"] / 100, settings["understanding_epsilon"]
    return shown_way(way_of(settings, own & 1), prior, epsilon, style.dark)


@dataclass(frozen=True)
class DealtAnswer:
    """Somebody's half and block, the places they chose, and whether each answer is right."""

    half: int
    block: int
    said: tuple[int, ...]
    right: tuple[bool, ...]

    @property
    def score(self) -> int:
        """How many answers are right; none that was not given."""
        return sum(self.right)


def dealt_answers(settings: Values, answers: Answers) -> list[DealtAnswer]:
    """Everybody where they were dealt."""
    questions = questions_of(settings)

    def of(one: ParticipantAnswer) -> DealtAnswer:
        said = tuple(map(int, one.values["understanding_said"]))
        right = [place == question.right for place, question in zip(said, questions, strict=False)]
        right += [False] * (len(questions) - len(said))
        return DealtAnswer(one.who.own & 1, (one.who.number - 1) // BLOCK, said, tuple(right))

    return [of(one) for one in answers]


def apart(answers: Sequence[DealtAnswer]) -> bool:
    """Whether the halves are told apart: of fewer than three answers in one, they could be somebody's."""
    return all(sum(one.half == half and bool(one.said) for one in answers) >= FEWEST for half in (0, 1))


@cached_by_size(MEGABYTE)
def found_from(each: int) -> int | None:
    """The smallest difference that so many people in each half find 80 of 100 times with one question.

    It lies between this share in 100 and as much below 100; None where they find none.

    >>> found_from(15), found_from(3)
    (22, None)
    """
    if each < 1:
        return None
    for low in range(49, -1, -1):
        if fisher_power(share_a=low / 100, share_b=1 - low / 100, people=each) >= POWER:
            return low
    return None


@dataclass(frozen=True)
class _Result:
    """The answers of both halves on the way to words and pictures."""

    settings: Values
    answers: Sequence[DealtAnswer]
    style: Style

    @property
    def halves(self) -> list[list[DealtAnswer]]:
        return [[one for one in self.answers if one.half == half] for half in (0, 1)]

    @property
    def questions(self) -> tuple[ComputedQuestion, ...]:
        return questions_of(self.settings)

    @property
    def apart(self) -> bool:
        return apart(self.answers)

    @property
    def tested(self) -> bool:
        return self.apart and len(self.answers) >= FEWEST_TESTED

    def all_right(self, answers: Sequence[DealtAnswer]) -> int:
        return sum(all(one.right) for one in answers)

    def way(self, half: int) -> str:
        ways = [way_of(self.settings, one) for one in (0, 1)]
        name = option_words(PAGE, "understanding_a")[ways[half]]
        return name if len(set(ways)) == 2 else label(PAGE, "same_way", way=name, half=half + 1)

    @property
    def answer(self) -> str:
        right, people = zip(*((self.all_right(half), len(half)) for half in self.halves), strict=True)
        if not self.apart:
            return passage(self.style, "answer_together", right=sum(right), people=sum(people))
        words: dict[str, Any] = {f"way_{name}": self.way(half) for name, half in (("a", 0), ("b", 1))}
        words |= {"right_a": right[0], "people_a": people[0], "right_b": right[1], "people_b": people[1]}
        if not self.tested:
            return passage(self.style, "answer_few", **words)
        more = right[0] / people[0] - right[1] / people[1]
        ahead = 0 if more >= 0 else 1
        words |= {"ahead": self.way(ahead), "difference": round(100 * abs(more))}
        if sum(people) > MOST_IN_INTERVAL:
            words["range"] = passage(self.style, "no_interval", most=MOST_IN_INTERVAL)
        else:
            low, high = interval_in_hundred(right[ahead], people[ahead], right[1 - ahead], people[1 - ahead])
            words["range"] = passage(
                self.style, "interval", low=_signed(low), high=_signed(high), level=round(100 * LEVEL)
            )
        return passage(self.style, "answer", **words)

    @property
    def verdict(self) -> tuple[str, ...]:
        """What the dealing test says; or that there is none, and what so many people could have shown."""
        if not self.apart:
            return (passage(self.style, "not_apart"),)
        if not self.tested:
            return (Understanding().forecast(len(self.answers), self.style),)
        p_value = dealt_again(self.answers, len(self.questions))
        name = "made_a_difference" if p_value <= 1 - LEVEL else "cannot_tell"
        chance = passage(self.style, "chance", rare=Upper(p_value, how_often))
        return (passage(self.style, name, chance=chance),)

    @property
    def right_answers(self) -> str:
        told = (f"{self.named(one)}: **{one.options[one.right]}**" for one in self.questions)
        return passage(self.style, "right_answers", answers="; ".join(told))

    def named(self, question: ComputedQuestion) -> str:
        return option_words(PAGE, ASKED[0])[question.name]

    @property
    def rows(self) -> list[tuple[str, list[int]]]:
        """What is counted, and how many of each half, or of all where the halves are not told apart."""
        halves = self.halves if self.apart else [list(self.answers)]
        found = [
            (self.named(question), [sum(one.right[place] for one in half) for half in halves])
            for place, question in enumerate(self.questions)
        ]
        found.append((label(PAGE, "row.all"), [self.all_right(half) for half in halves]))
        return [*found, (label(PAGE, "row.none"), [sum(not one.said for one in half) for half in halves])]

    @property
    def table(self) -> Table:
        sizes = [*map(len, self.halves)] if self.apart else [len(self.answers)]
        heads = [self.way(0), self.way(1)] if self.apart else [label("room", "everybody")]
        rows = tuple(
            (name, *(label(PAGE, "of", n=n, people=people) for n, people in zip(counts, sizes, strict=True)))
            for name, counts in self.rows
        )
        return Table(passage(self.style, "table"), (label(PAGE, "question"), *heads), rows)

    @property
    def picture(self) -> Picture:
        """Right in 100, question by question: bars for one half, marks for the other."""
        quantity, sizes = label(PAGE, "right"), [*map(len, self.halves)]
        rows = self.rows[:-1]
        columns = [Column("question", label(PAGE, "question"), [name for name, _ in rows])]
        for half, key in enumerate("ab"):
            shares = [100 * counts[half] / sizes[half] for _, counts in rows]
            columns.append(Column(key, self.way(half), shares, quantity=quantity, said=written(".0f")))
        marks = (
            Bars(x="a", y="question", flat=True),
            Dots(x="b", y="question", role="reach", symbol="diamond", size=13, outlined=True),
        )
        reading = passage(self.style, "reading", way_a=self.way(0), way_b=self.way(1))
        x, y = Axis(range=(0.0, 104.0), every=20), Axis(rows=True, titled=False)
        look: dict[str, Any] = {"style": self.style, "height": 90 + 45 * len(rows)}
        return Picture.of("room-understanding", (side_by_side(*columns),), marks, reading=reading, x=x, y=y, **look)


def _signed(whole: int) -> str:
    return f"{whole}".replace("-", "−")


def interval_in_hundred(right: int, people: int, other: int, others: int) -> tuple[int, int]:
    """The exact interval of the share all right with one way less with the other, in 100, rounded outwards.

    >>> interval_in_hundred(9, 10, 3, 10)
    (15, 80)
    """
    low, high = difference_interval(people_a=people, right_a=right, people_b=others, right_b=other, level=LEVEL)
    everybody = people + others  # both ends are whole numbers of people
    return 100 * round(low * everybody) // everybody, -(-100 * round(high * everybody) // everybody)


def dealt_again(answers: Sequence[DealtAnswer], questions: int) -> float:
    """How often dealing the blocks again sets the halves as far apart in the number right, both sides.

    Blocks with one half alone can be dealt in one way and change nothing.
    """
    ordered = sorted(answers, key=lambda one: one.block)
    blocks = []
    for _, block in groupby(ordered, key=lambda one: one.block):
        people = list(block)
        halves = tuple([one.score for one in people if one.half == half] for half in (0, 1))
        if all(halves):
            blocks.append(halves)
    return dealing_test(blocks, answers=questions).two_sided if blocks else 1.0
