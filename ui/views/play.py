"""Be the attacker: ten rounds against a seeded block, beside the ideal player and beside guessing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.attacks import all_cells
from dpcore.census import level_rho
from dpcore.guarantees import Relation
from dpcore.mechanisms import CountLaw, DiscreteGaussian
from dpcore.populations import CountTable
from dpcore.promise import Promise, Secret
from riskline.case import declaration
from riskline.case.declaration import count, custom, flag, option
from riskline.case.fields import shown
from riskline.case.methods import MethodSettings, control_of
from ui.link.page_table import fields_of
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import PERCENT, Axis, Bars, Dots, Mark, Panel, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.promise import PageAnswer, refusing
from ui.views.shared.table_choice import (
    PlaceChoice,
    TableChoice,
    chosen_table,
    chosen_target,
    data_in_words,
    kind_in_words,
    method_named,
    what_hides,
)
from ui.words.catalogue import heads, label, say
from ui.words.phrasing import decimal_belief, how_often, plain_number
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Exact, Typed, whole

word = partial(label, "play")
ROUNDS = 10
MOST_ROWS = 6
MOST_NAMES = 60
LONGEST_NAME = 40
PROTECTED = ("round_random", "round_nearest", "cell_key")
"""Methods that publish a number, and so can stand in the place of the noise."""
NEARLY = 1e-9
"""Beliefs that differ by no more than this share of them are equal: it is the error of the computation."""
VERDICTS = ("wrong", "right")
"""What is said of a bet, by whether it is right."""
LARGEST_SEED = 2**53 - 1  # too many to try them all on the tables of a room; the largest that every link spells


def read_bets(text: str) -> tuple[int, ...]:
    """The rows bet on so far, one digit a round.

    >>> read_bets("213")
    (2, 1, 3)
    """
    if not re.fullmatch(rf"[1-{MOST_ROWS}]{{0,{ROUNDS}}}", text):
        raise ValueError(word("digits_refused", most=Typed(ROUNDS, whole), rows=MOST_ROWS, typed=repr(shown(text))))
    return tuple(int(digit) for digit in text)


@dataclass(frozen=True, kw_only=True)
class PlayInputs(PlaceChoice, MethodSettings):
    """What a reader chose on this page, and every bet so far."""

    noise: str = option("discrete_gaussian", *PROTECTED)
    rho: float = declaration.number(0.5, low=1e-4, high=50)
    prior: str = option("flat", "shares")
    seed: int = count(1, low=0, high=LARGEST_SEED)
    bets: tuple[int, ...] = custom((), read=read_bets, write=lambda bets: "".join(map(str, bets)))
    told: bool = flag()


FIELDS = fields_of("play", PlayInputs, "table_choice", "by_method")


@dataclass(frozen=True, kw_only=True)
class PlayView(PageAnswer):
    """Everything the page shows."""

    question: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    round: int = 1
    told: bool = False
    over: bool = False
    release: Picture | None = None
    rounds: Table | None = None
    beside_the_class: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = ()
    long_run: str = ""


@dataclass(frozen=True)
class Round:
    """One draw: where the missing person is and what was published for every row."""

    truth: int
    published: NDArray[np.int64]
    beliefs: NDArray[np.float64]

    @property
    def ideal(self) -> int:
        """The row an ideal player bets on: the likeliest after the release, the first of equals."""
        return int(np.argmax(self.beliefs >= self.best * (1 - NEARLY)))

    @property
    def best(self) -> float:
        """How likely that row is after the release."""
        return float(self.beliefs.max())


@dataclass(frozen=True)
class Game:
    """A block of at most six rows, one person whose row is drawn in secret in every round, and the bets so far.

    `phone` is whose tables of a room they are; 0 for those that everybody with the seed sees.
    """

    inputs: PlayInputs
    table: CountTable
    phone: int = 0

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """The most populated rows of the place, in the order of the table."""
        counts = self.table.counts[self.inputs.place - 1]
        largest = np.argsort(-counts, kind="stable")[: min(MOST_ROWS, int((counts > 0).sum()))]
        return np.asarray(np.sort(largest))

    @cached_property
    def known(self) -> NDArray[np.int64]:
        """The people everybody knows, by row."""
        return np.asarray(self.table.counts[self.inputs.place - 1][self.cells])

    @property
    def by_method(self) -> bool:
        """Whether a method of disclosure control stands in the place of the noise."""
        return self.inputs.noise in PROTECTED

    @cached_property
    def law(self) -> CountLaw:
        """The law of what is published for each row."""
        return control_of(self.inputs.noise, self.inputs) or DiscreteGaussian(rho=self.inputs.rho)

    @cached_property
    def prior(self) -> NDArray[np.float64]:
        """How likely each row is before the release."""
        weights = np.ones(self.known.size) if self.inputs.prior == "flat" else self.known.astype(float)
        return np.asarray(weights / weights.sum())

    @property
    def guess(self) -> int:
        """The row of somebody who does not look at the release."""
        return int(np.argmax(self.prior))

    def round(self, number: int) -> Round:
        """A round (from 0): the same seed gives everybody, or everybody with this phone, the same one."""
        drawn_for = [self.phone, number + 1] if self.phone else [number]  # no 0 at the end: it would make no difference
        generator = np.random.default_rng([self.inputs.seed, *drawn_for])
        truth = int(generator.choice(self.known.size, p=self.prior))
        counts = self.known + (np.arange(self.known.size) == truth)
        published = self.law.simulate_counts(0, known=counts, size=counts.size, seed=generator)
        beliefs = all_cells.posterior(published - self.known, mechanism=self.law, prior=self.prior, known=self.known)
        return Round(truth, published, beliefs)

    @cached_property
    def played(self) -> list[Round]:
        """The rounds that were bet on."""
        return [self.round(number) for number in range(len(self.inputs.bets))]

    @cached_property
    def score(self) -> tuple[int, int, int]:
        """Rounds right: the player, the ideal player, guessing."""
        return (
            sum(bet - 1 == played.truth for bet, played in zip(self.inputs.bets, self.played, strict=True)),
            sum(played.ideal == played.truth for played in self.played),
            sum(self.guess == played.truth for played in self.played),
        )

    @cached_property
    def right(self) -> float:
        """How often an ideal player is right in the long run."""
        return all_cells.probability_right(mechanism=self.law, prior=self.prior, known=self.known)

    @property
    def beside_the_class(self) -> tuple[int, int]:
        """Rounds right of all ten, whoever has bet on how many here: the ideal player, guessing."""
        every = [self.round(number) for number in range(ROUNDS)]
        return (sum(drawn.ideal == drawn.truth for drawn in every), sum(self.guess == drawn.truth for drawn in every))


@refusing(PlayView)
def play_view(inputs: PlayInputs, style: Style, own: CountTable | None = None) -> PlayView:
    """The game as it stands; `own` is the table this session has read, if any."""
    table = chosen_table(inputs, own)
    chosen_target(table, TableChoice(table=inputs.table, county=inputs.county, place=inputs.place))
    game = Game(inputs, table)
    rows = game.known.size
    if rows < 2:
        return PlayView(refusal=word("one_row"))
    if any(bet > rows for bet in inputs.bets):
        return PlayView(refusal=word("bets_refused", rows=rows, bet=max(inputs.bets)))
    over = len(inputs.bets) == ROUNDS
    told = over or (inputs.told and bool(inputs.bets))
    at = len(inputs.bets) - told
    context = _context(game, style, at)
    passage = partial(say, "play", style.voice, **context)
    played = game.round(at)
    return PlayView(
        answer=passage("answer" if inputs.bets else "answer_start"),
        small_print=passage("small_print"),
        question=round_told(game, at, style) if told else passage("question"),
        rows=bets_in_words(game, played),
        round=at + 1,
        told=told,
        over=over,
        release=_picture(game, played, told, style, context),
        rounds=rounds_table(game) if inputs.bets else None,
        beside_the_class=game.beside_the_class,
        notes=table.notes,
        long_run=passage("long_run", direction=passage("no_budget" if game.by_method else "direction")),
        computed=say("play", "technical", "computed_method" if game.by_method else "computed", **context),
        python=game_in_python(game, style),
    )


def game_in_python(game: Game, style: Style) -> CodeLines:
    """The lines for how often an ideal player is right in the long run."""
    code = CodeWriter()
    law = code.let("method" if game.by_method else "noise", game.law)
    known = {"known": game.known} if game.by_method else {}
    right = code(all_cells.probability_right, mechanism=law, prior=game.prior, **known)
    return code.ending(right, Exact(game.right, style.belief))


def _context(game: Game, style: Style, number: int) -> dict[str, str]:
    """Words and numbers every passage may use."""
    you, ideal, guess = game.score
    census = float(level_rho("block", queries=["detailed"]))
    return long_run_words(game, style) | {
        "promise": say("play", style.voice, "no_promise")
        if game.by_method
        else say("play", style.voice, "promise", relation=say("promise", style.voice, RELATION)),
        "census_rho": plain_number(census, 3),
        "census_half": plain_number(census / 2, 3),
        "rounds": str(len(game.inputs.bets)),
        "of": str(ROUNDS),
        "round": str(number + 1),
        "you": str(you),
        "ideal": str(ideal),
        "guess": str(guess),
        "rows": str(game.known.size),
        "people": f"{int(game.known.sum()):,}",
        "place": game.table.places[game.inputs.place - 1].replace("*", "·"),
        "law": law_words(game, style),
        "seed": str(game.inputs.seed),
        "kind": data_in_words(game.inputs, game.table),
    }


def long_run_words(game: Game, style: Style) -> dict[str, str]:
    """How often the ideal player and a guess are right in the long run, and how much the noise hides."""
    often = decimal_belief if style.technical else how_often
    ideal, guess = game.right, float(game.prior.max())
    verdict_words = say("play", style.voice, f"verdict_{verdict(ideal, guess)}", veil=what_hides(game.inputs.noise))
    return {"long_ideal": often(ideal), "long_guess": often(guess), "verdict": verdict_words}


def law_words(game: Game, style: Style) -> str:
    """What protects each count, with its settings."""
    by_noise = word("law", rho=plain_number(game.inputs.rho, 4))
    return method_named(game.inputs.noise, game.inputs, style) if game.by_method else by_noise


def bets_in_words(game: Game, drawn: Round) -> tuple[tuple[str, str], ...]:
    """What can be bet on: each row by what tells it apart, and the people known there beside the noisy count."""
    labels = [kind_in_words(game.table.cells[cell]).replace("*", "·").split(", ") for cell in game.cells]
    telling = list(range(max(map(len, labels))))
    if len({len(label) for label in labels}) == 1:  # words that all of them share are left out
        telling = [place for place in telling if len({label[place] for label in labels}) > 1]
    found = []
    counts = zip(labels, game.known.tolist(), drawn.published.tolist(), strict=True)
    for row, (words, known, published) in enumerate(counts, 1):
        who = ", ".join(words[place] for place in telling if place < len(words))
        said, more = f"{published:,}".replace("-", "−"), more_or_fewer(published - known)
        found.append((f"**{row}** {who}", word("bet_row", known=f"{known:,}", published=said, more=more)))
    return tuple(found)


def round_told(game: Game, number: int, style: Style) -> str:
    """Whether the bet of a round (from 0) was right, and what an ideal player bets on and why."""
    drawn, bet = game.played[number], game.inputs.bets[number]
    best, why = {"best": drawn.ideal + 1, "best_belief": style.belief(drawn.best)}, reason_of(game, drawn)
    ideal = say("play", style.voice, "ideal", **best, reason=why)
    told = {"round": number + 1, "truth": drawn.truth + 1, "bet": bet, "ideal": ideal}
    return say("play", style.voice, VERDICTS[bet - 1 == drawn.truth], **told)


def reason_of(game: Game, drawn: Round) -> str:
    """Why an ideal player bets on this row and not on another one that the numbers speak as much for, or more."""
    ideal, telling = drawn.ideal, drawn.beliefs / game.prior
    if game.by_method and drawn.best == 1.0:
        return word("reason.only")
    law = "_method" if game.by_method else ""
    rivals = telling >= telling[ideal] * (1 - NEARLY)
    rivals[ideal] = False
    if not rivals.any():
        return word(f"reason{law}.largest")
    most = telling[rivals].max()
    rival = int(np.argmax(np.where(rivals & (telling >= most * (1 - NEARLY)), game.prior, -1.0)))
    rows = {"row": ideal + 1, "other": rival + 1}
    if most > telling[ideal] * (1 + NEARLY):
        return word(f"reason{law}.likelier", **rows)
    return word(f"reason{law}.tie_likelier" if game.prior[ideal] > game.prior[rival] else "reason.tie", **rows)


PROMISE = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE)
"""The person is known to be in the table; the row is the secret, and the noise of a row is for one record added."""
RELATION = f"relation_{PROMISE.relation.value}"


def verdict(ideal: float, guess: float) -> str:
    """How much the noise hides: the share of the guess's errors that the ideal player still makes.

    >>> verdict(0.54, 0.5), verdict(0.56, 0.5), verdict(0.94, 0.5), verdict(0.96, 0.5)
    ('hidden', 'partly', 'partly', 'found')
    """
    left = (1 - ideal) / (1 - guess)
    return "hidden" if left >= 0.9 else "partly" if left > 0.1 else "found"


def _picture(game: Game, played: Round, told: bool, style: Style, context: dict[str, str]) -> Picture:
    names = [kind_in_words(game.table.cells[cell]).replace("*", "·") for cell in game.cells]
    surplus = played.published - game.known
    bet = game.inputs.bets[-1] - 1 if told else None
    reading = say("play", style.voice, "reading", **context, veil=what_hides(game.inputs.noise))
    believed, row = word("believes"), word("row")
    labels = [word("row_number", number=number) for number in range(1, len(names) + 1)]
    columns = [
        Column("named", word("named"), [f"{number}  {name}" for number, name in enumerate(names, 1)]),
        Column("row", row, labels, quantity=row, listed=False),
        Column("known", word("known"), game.known.tolist(), said=int),
        Column("published", word("published"), played.published.tolist(), said=int),
        Column("surplus", word("surplus"), surplus, said=more_or_fewer, hover="+d"),
    ]
    marks: list[Mark] = [Bars(x="surplus", y="row", flat=True, thin=True), Dots(x="surplus", y="row", size=14)]
    reach = max(3, int(np.abs(surplus).max()) + 1)
    signed = {at: f"{at:+d}".replace("-", "−") if at else "0" for at in range(-reach, reach + 1)}
    ticks = tuple((at, words) for at, words in signed.items() if reach < 12 or at % 5 == 0)
    across = Axis(range=(-reach, reach), ticks=ticks, zero=True, grid=False)
    panels = [Panel(x=across, y=Axis(rows=True), share=0.55)]
    rows = []
    if told:
        here = [word("is_here") if at == played.truth else "" for at in range(len(names))]
        columns += [
            Column("belief", believed, played.beliefs, said=digits(3), hover=".3~g"),
            Column("person", word("person"), here),
        ]
        marks.append(Bars(panel=1, x="belief", y="row", role="quiet", flat=True, thin=True))
        beliefs = Axis(range=(0.0, 1.0), ticks=PERCENT[::5], grid=False)
        panels.append(Panel(x=beliefs, y=Axis(rows=True), share=0.37, same_rows=True))
        for key, words, at, role, symbol in (
            ("truth", word("truth_here"), played.truth, "mark", "star-diamond"),
            ("bet", word("bet_here"), bet, "reach", "x-thin-open"),
        ):
            if at is not None and (key == "truth" or at != played.truth):
                here_at = single(f"{key}_at", words, 0.0, quantity=believed, aspect=word("drawn_at"))
                rows.append(side_by_side(here_at, single(key, words, labels[at], quantity=row)))
                marks.append(Spot(panel=1, x=f"{key}_at", y=key, role=role, symbol=symbol, beside=("left", "bottom")))
    listed = "; ".join(
        word("row_more", row=number, more=more_or_fewer(int(value))) for number, value in enumerate(surplus, 1)
    )
    return Picture(
        key="bets",
        numbers=Numbers(word("picture", **context), (side_by_side(*columns), *rows)),
        marks=tuple(marks),
        panels=tuple(panels),
        reading=reading,
        told=word("picture_told", rows=listed),
        style=style,
        height=80 + 44 * len(names),
        gap=0.08,
    )


def more_or_fewer(surplus: int) -> str:
    """A difference in words, so that a spreadsheet does not take it for a formula."""
    return word("same" if surplus == 0 else "more" if surplus > 0 else "fewer", count=f"{abs(surplus):,}")


def rounds_table(game: Game) -> Table:
    """The rounds that were bet on: the bet, the truth, and who was right."""
    rows: list[tuple[object, ...]] = []
    for number, (bet, played) in enumerate(zip(game.inputs.bets, game.played, strict=True), 1):
        bets = (bet - 1, played.ideal, game.guess)
        own, *others = (word(f"verdict.{VERDICTS[row == played.truth]}") for row in bets)
        told = (word("verdict_row", verdict=one, row=row + 1) for one, row in zip(others, bets[1:], strict=True))
        rows.append((str(number), str(bet), str(played.truth + 1), own, *told))
    rows.append((word("all"), "", "", *(word("count_right", count=right) for right in game.score)))
    return Table(word("rounds"), heads("play", "head"), tuple(rows))


def class_table(text: str, ideal: int, guess: int) -> tuple[Table | None, tuple[str, ...]]:
    r"""The scoreboard of lines such as ``Ada 7``, best first, with the ideal player and guessing, and what is unread.

    Who has as many rounds right has the same place.

    >>> board, _ = class_table("Ada 7\nBob 4\nCem 7", 6, 4)
    >>> [(row[0], row[1]) for row in board.rows]
    [('1', 'Ada'), ('1', 'Cem'), ('3', 'ideal player'), ('4', 'Bob'), ('4', 'guessing')]
    """
    entries: list[tuple[int, str]] = []
    faults = []
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_NAMES:
        faults.append(word("names_left_out", most=MOST_NAMES, others=f"{len(lines) - MOST_NAMES:,}"))
    for number, line in enumerate(lines[:MOST_NAMES], 1):
        found = re.fullmatch(r"\s*(.*?)[\s,;:]+(\d{1,2})\s*", line)
        if found is None or not found[1] or int(found[2]) > ROUNDS:
            faults.append(word("line_refused", number=number, most=ROUNDS, line=repr(shown(line))))
            continue
        entries.append((int(found[2]), found[1][:LONGEST_NAME]))
    if not entries:
        return None, tuple(faults)
    entries += [(ideal, word("head.ideal")), (guess, word("head.guessing"))]
    entries.sort(key=lambda entry: -entry[0])
    scores = [right for right, _ in entries]
    rows = tuple((str(scores.index(right) + 1), name.replace("*", "·"), str(right)) for right, name in entries)
    return Table(word("scoreboard", rounds=ROUNDS), heads("play", "board_head"), rows), tuple(faults)
