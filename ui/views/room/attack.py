"""Ten rounds of the game against one room's noisy tables: each phone bets, the scores are counted here.

The tables follow from the room's seed, which no phone is given: a phone is told one noisy table at a time, and where
the person was only with the result. Everybody sees the same tables, so a truth told after each round would be the
neighbour's next bet.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from dpcore.scope import Scope
from riskline.case.declaration import count, custom, number, option
from riskline.case.fields import number_text, parse_number, shown
from ui.link.page_fields import fields_of
from ui.link.page_table import PageLink
from ui.pictures.columns import Column, Numbers, side_by_side, single, written
from ui.pictures.marks import Axis, Bars, Panel, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.meeting import FEWEST
from ui.views.play import (
    LARGEST_SEED,
    PROMISE,
    ROUNDS,
    Game,
    PlayInputs,
    game_in_python,
    more_or_fewer,
    read_bets,
    rounds_table,
    scoreboard,
    verdict,
)
from ui.views.room.activity import Activity, Answered, Asked, Wall, passage_of, step_of_people
from ui.views.shared.promise import promise_words
from ui.views.shared.table_choice import TableChoice, chosen_table, kind_in_words
from ui.words.catalogue import label, option_words, say
from ui.words.phrasing import decimal_belief, how_often, plain_number

PAGE = "room_attack"
OVER_BARS = 1.25
"""The axis goes so far above the highest bar that what is written beside the two lines stands over no bar."""
BLOCKS = 28
"""Blocks of the synthetic county; each has at least two rows with people in them."""
TABLE_CODES = ("28-21", "39-14", "synthetic")
passage = partial(passage_of, PAGE)


def _read_seed(text: str) -> int | None:
    if not text.strip():
        return None
    value = parse_number(text, whole=True)
    if not (0 <= value <= LARGEST_SEED and value.is_integer()):
        raise ValueError(f"must be a whole number from 0 to {LARGEST_SEED:,}, or nothing; got {shown(text)!r}")
    return int(value)


def _write_seed(seed: int | None) -> str:
    return "" if seed is None else number_text(seed)


def _write_bets(bets: tuple[int, ...]) -> str:
    return "".join(map(str, bets))


@dataclass(frozen=True)
class PhoneRow:
    """A row of a noisy table, as it is bet on."""

    number: int
    name: str
    words: str


@dataclass(frozen=True)
class PhoneRound:
    """What a phone shows while bets are made: a noisy table, or that all ten are there."""

    told: str
    rows: tuple[PhoneRow, ...]


@dataclass(frozen=True)
class AttackSettings:
    """What a moderator sets of a game."""

    attack_table: str = option(*TABLE_CODES)
    attack_place: int = count(1, low=1, high=BLOCKS)
    attack_rho: float = number(0.5, low=1e-4, high=50)
    attack_prior: str = option("flat", "shares")
    attack_seed: int | None = custom(None, read=_read_seed, write=_write_seed)


@dataclass(frozen=True)
class AttackAnswer:
    """What a participant bets on."""

    attack_bets: tuple[int, ...] = custom((), read=read_bets, write=_write_bets)


class Attack(Activity):
    """Ten bets of everybody on the same noisy tables."""

    kind = "attack"
    first_answer_stays = True
    settings = fields_of(PAGE, AttackSettings)
    answers = fields_of(PAGE, AttackAnswer)

    def options(self, setting: str) -> Mapping[str, str]:
        """The tables by their names, everything else in words of the game."""
        if setting == "attack_table":
            return {name: words for name, words in option_words("table_choice", "table").items() if name in TABLE_CODES}
        return super().options(setting)

    def begun(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """A seed that nobody typed is drawn."""
        seed = settings["attack_seed"]
        return dict(settings) | {"attack_seed": secrets.randbelow(LARGEST_SEED + 1) if seed is None else seed}

    def asked(self, settings: Mapping[str, Any], style: Style) -> Asked:
        """Who is looked for, and that the truth comes last."""
        words = _words(game_of(settings), style)
        before = passage(style, f"before_{settings['attack_prior']}")
        return Asked(passage(style, "question", **words), passage(style, "help", before=before))

    def judged(self, settings: Mapping[str, Any], values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ten bets on rows of this table."""
        bets, rows = values["attack_bets"], game_of(settings).known.size
        if len(bets) != ROUNDS:
            raise ValueError(f"Bets must be {ROUNDS}, one a round; got {len(bets)}")
        if max(bets) > rows:
            raise ValueError(f"Bets must be rows from 1 to {rows}; got {max(bets)}")
        return values

    def own_words(self, settings: Mapping[str, Any], values: Mapping[str, Any], style: Style) -> str:
        """The bets; what they were worth comes with the result."""
        return passage(style, "own", bets=_listed(values["attack_bets"]))

    def handed_on(self, settings: Mapping[str, Any], answers: Sequence[Answered]) -> list[tuple[str, str]]:
        """The rounds right of each: bets would tell whose they are by the table of scores."""
        return [("", str(score)) for score in sorted(scores_of(settings, answers))]

    def summary(
        self, settings: Mapping[str, Any], answers: Sequence[Answered], style: Style, earlier: Sequence[Answered] = ()
    ) -> Wall:
        """How many rounds were right, beside the ideal player and guessing, and the scores of those with a nickname."""
        game = game_of(settings)
        words = _words(game, style)
        ideal, guess = game.beside_the_class
        scores = scores_of(settings, answers)
        words |= {
            "people": f"{len(scores):,}",
            "middle": plain_number(median(scores), 3),
            "ideal": str(ideal),
            "guess": str(guess),
            "as_good": f"{sum(score >= ideal for score in scores):,}",
        }
        named = _named(scores, answers)
        held_back = not named and any(answer.nickname for answer in answers)
        return Wall(
            answer=passage(style, "answer", **words),
            small_print=passage(style, "small_print", **words),
            picture=_picture(scores, ideal, guess, style, words),
            tables=(scoreboard(named, ideal, guess),) if named else (),
            sentences=(
                passage(style, "as_good", **words),
                *((passage(style, "held_back"),) if held_back else ()),
                passage(style, "long_run", **words),
            ),
            ways=(PageLink("play", passage(style, "way"), played_in(settings)),),
            python=game_in_python(game, style),
        )


def _inputs(settings: Mapping[str, Any], bets: tuple[int, ...] = ()) -> PlayInputs:
    return PlayInputs(
        table=settings["attack_table"],
        place=settings["attack_place"] if settings["attack_table"] == "synthetic" else 1,
        rho=settings["attack_rho"],
        prior=settings["attack_prior"],
        seed=settings["attack_seed"] or 0,
        bets=bets,
    )


def game_of(settings: Mapping[str, Any], bets: tuple[int, ...] = ()) -> Game:
    """The game of these settings, with these bets."""
    inputs = _inputs(settings, bets)
    return Game(inputs, chosen_table(TableChoice(table=inputs.table, county=inputs.county, place=inputs.place)))


def played_in(settings: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The same game as the link of *Be the attacker* says it, without anybody's bets or names."""
    inputs = _inputs(settings)
    told = {"table": inputs.table, "place": str(inputs.place), "rho": number_text(inputs.rho), "prior": inputs.prior}
    return (*told.items(), ("seed", str(inputs.seed)))


def scores_of(settings: Mapping[str, Any], answers: Sequence[Answered]) -> list[int]:
    """Rounds right of each answer."""
    truths = np.array([played.truth for played in game_of(settings, (1,) * ROUNDS).played])
    return [int((np.array(answer.values["attack_bets"]) - 1 == truths).sum()) for answer in answers]


def class_lines(settings: Mapping[str, Any], answers: Sequence[Answered]) -> str:
    """Nicknames and scores as a teacher would type them on *Be the attacker*, best first; the nameless are left out."""
    named = sorted(_named(scores_of(settings, answers), answers), key=lambda one: -one[0])
    return "\n".join(f"{nickname} {score}" for score, nickname in named)


def _named(scores: Sequence[int], answers: Sequence[Answered]) -> list[tuple[int, str]]:
    """Scores with the nickname beside; none where one or two have no nickname: what is left of the bars is theirs."""
    named = [(score, answer.nickname) for score, answer in zip(scores, answers, strict=True) if answer.nickname]
    return [] if 0 < len(answers) - len(named) < FEWEST else named


def phone_round(settings: Mapping[str, Any], bets: tuple[int, ...], style: Style) -> PhoneRound:
    """The table that is bet on next; nothing in it tells where the person is but the noisy counts."""
    if len(bets) >= ROUNDS:
        return PhoneRound(passage(style, "all_made", bets=_listed(bets)), ())
    game = game_of(settings)
    published = game.round(len(bets)).published
    rows = zip(_row_names(game), game.known.tolist(), published.tolist(), strict=True)
    return PhoneRound(
        passage(style, "round", round=len(bets) + 1, of=ROUNDS),
        tuple(
            PhoneRow(
                number,
                name,
                passage(
                    style,
                    "row",
                    known=f"{known:,}",
                    published=f"{count:,}".replace("-", "−"),
                    more=more_or_fewer(count - known),
                ),
            )
            for number, (name, known, count) in enumerate(rows, 1)
        ),
    )


def _row_names(game: Game) -> list[str]:
    """What tells the rows apart: words that all of them share are left out."""
    labels = [kind_in_words(game.table.cells[cell]).replace("*", "·").split(", ") for cell in game.cells]
    if len({len(label) for label in labels}) > 1:
        return [", ".join(label) for label in labels]
    telling = [place for place in range(len(labels[0])) if len({label[place] for label in labels}) > 1]
    return [", ".join(label[place] for place in telling) for label in labels]


def own_rounds(settings: Mapping[str, Any], bets: tuple[int, ...], style: Style) -> tuple[str, Table]:
    """What the bets of one participant were worth, for when the result is on the wall."""
    game = game_of(settings, bets)
    you, ideal, guess = game.score
    told = passage(style, "score", you=you, of=ROUNDS, ideal=ideal, guess=guess)
    return told, rounds_table(game, passage(style, "rounds_caption"))


def _listed(bets: Sequence[int]) -> str:
    return ", ".join(map(str, bets))


def _words(game: Game, style: Style) -> dict[str, Any]:
    """What every passage may say of a game; the numbers of a long run are exact."""
    often = decimal_belief if style.technical else how_often
    long_ideal, long_guess = game.right, float(game.prior.max())
    place = game.table.places[game.inputs.place - 1].replace("*", "·")
    return {
        "place": place if game.inputs.table == "synthetic" else label(PAGE, "district", place=place),
        "people": f"{int(game.known.sum()):,}",
        "rows": str(game.known.size),
        "of": str(ROUNDS),
        "rho": plain_number(game.inputs.rho, 4),
        "seed": str(game.inputs.seed),
        "promise": promise_words(PROMISE, style.voice, scope=Scope.TABLE)["promise"],
        "long_ideal": often(long_ideal),
        "long_guess": often(long_guess),
        "verdict": say("play", style.voice, f"verdict_{verdict(long_ideal, long_guess)}"),
    }


def _picture(scores: Sequence[int], ideal: int, guess: int, style: Style, words: Mapping[str, Any]) -> Picture:
    """People by rounds right, with the two that nobody can beat or need look for."""
    right, counted = label(PAGE, "rounds_right"), np.bincount(scores, minlength=ROUNDS + 1)
    people = Column("people", label(PAGE, "people"), counted.astype(float), said=written(",.0f"), hover=",d")
    most = int(max(counted.max(), 1))
    marked = (("ideal", label(PAGE, "ideal"), ideal, 1.02), ("guess", label(PAGE, "guessing"), guess, 0.94))
    return Picture(
        key="attack-scores",
        numbers=Numbers(
            passage(style, "reading", **words),
            (
                side_by_side(Column("right", right, list(range(ROUNDS + 1)), said=int), people),
                *(side_by_side(single(key, name, at, quantity=right)) for key, name, at, _ in marked),
            ),
        ),
        marks=(
            Bars(x="right", y="people"),
            *(
                Upright(x=key, role="reach", at=height, dash="dash", beside="right" if 2 * at > ROUNDS else "left")
                for key, _, at, height in marked
            ),
        ),
        panels=(
            Panel(
                x=Axis(every=1, range=(-0.6, ROUNDS + 0.6), grid=False),
                y=Axis(every=step_of_people(most), range=(0.0, OVER_BARS * most)),
            ),
        ),
        reading=passage(style, "reading", **words),
        told=label(PAGE, "beside", ideal=ideal, guess=guess),
        style=style,
        height=320,
    )
