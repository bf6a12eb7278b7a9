"""Ten rounds of the game in a room: each is a row and how sure one is, sent and solved at once.

Every phone has noisy tables of its own: a truth that is told is no neighbour's next bet. They follow from what was
drawn for that phone in this activity, and the round; where the moderator typed a seed, from this, the participant's
number and the round. No phone is given a seed before the result.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dpcore.attacks.all_cells import points_of_bet
from dpcore.scope import Scope
from riskline.case.declaration import count, custom, number, option
from riskline.case.fields import number_text, parse_number, shown
from riskline.case.methods import LARGEST_BASE
from ui.link.page_table import PageLink, declared
from ui.pictures.columns import Column, side_by_side, single, written
from ui.pictures.marks import Axis, Bars, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.meeting import DRAWN_NAMES, FEWEST, Participant
from ui.views import play
from ui.views.play import ROUNDS, Game, PlayInputs
from ui.views.room.activity import Answers, Asked, InRounds, ParticipantAnswer, Values, Wall, passage_of, step_of_people
from ui.views.shared.promise import promise_words
from ui.views.shared.table_choice import chosen_table
from ui.words.catalogue import heads, label, option_words, say
from ui.words.phrasing import plain_number

PAGE = "room_attack"
OVER_BARS = 1.25
"""The axis goes so far above the highest bar that what is written beside the two lines stands over no bar."""
BLOCKS = 28
"""Blocks of the synthetic county; each has at least two rows with people in them."""
ROUNDED = ("round_random", "round_nearest")
TABLE_CODES = ("28-21", "39-14", "synthetic")
STAKES = {"n": 0.5, "f": 0.7, "c": 0.9}
"""How sure one can say to be, by the letter of an answer: not sure, fairly sure, nearly certain."""
passage = partial(passage_of, PAGE)


class Bet(NamedTuple):
    """A row, and how sure one is of it."""

    row: int
    stake: str

    def points(self, truth: int) -> int:
        """What the bet is worth where the person is in this row (from 0).

        >>> [Bet(2, stake).points(truth) for stake in STAKES for truth in (1, 0)]
        [0, 0, 16, -24, 24, -56]
        """
        return round(points_of_bet(STAKES[self.stake], right=self.row - 1 == truth))


def nearest_stake(belief: float) -> str:
    """How sure an ideal player says to be, who believes so much in a row: no other stake has more expected points.

    >>> nearest_stake(0.34), nearest_stake(0.65), nearest_stake(0.97)
    ('n', 'f', 'c')
    """
    return min(STAKES, key=lambda stake: abs(STAKES[stake] - belief))


def _read_bets(text: str) -> tuple[Bet, ...]:
    if not re.fullmatch(rf"(?:[1-{play.MOST_ROWS}][{''.join(STAKES)}]){{0,{ROUNDS}}}", text):
        raise ValueError(f"must be a row and how sure of it, at most {ROUNDS} times; got {shown(text)!r}")
    return tuple(Bet(int(row), stake) for row, stake in zip(text[::2], text[1::2], strict=True))


def _read_seed(text: str) -> int | None:
    if not text.strip():
        return None
    value = parse_number(text, whole=True)
    if not (0 <= value <= play.LARGEST_SEED and value.is_integer()):
        raise ValueError(f"must be a whole number from 0 to {play.LARGEST_SEED:,}, or nothing; got {shown(text)!r}")
    return int(value)


def _write_seed(seed: int | None) -> str:
    return "" if seed is None else number_text(seed)


def _write_bets(bets: tuple[Bet, ...]) -> str:
    return "".join(f"{bet.row}{bet.stake}" for bet in bets)


class Attack(InRounds):
    """Ten bets of everybody, each on noisy tables of their own."""

    kind = "attack"
    letters = len(_write_bets((Bet(1, "n"),)))
    settings = declared(
        PAGE,
        attack_table=option(*TABLE_CODES),
        attack_place=count(1, low=1, high=BLOCKS),
        attack_noise=option("discrete_gaussian", *ROUNDED),
        attack_rho=number(0.5, low=1e-4, high=50),
        attack_base=count(3, low=1, high=LARGEST_BASE),
        attack_prior=option("shares", "flat"),
        attack_seed=custom(None, read=_read_seed, write=_write_seed),
    )
    answers = declared(PAGE, attack_bets=custom((), read=_read_bets, write=_write_bets))

    def options(self, setting: str) -> Mapping[str, str]:
        """The tables by their names, everything else in words of the game."""
        if setting == "attack_table":
            return {name: words for name, words in option_words("table_choice", "table").items() if name in TABLE_CODES}
        if setting == "attack_noise":
            return {**super().options(setting), **{name: label("methods", f"method.{name}") for name in ROUNDED}}
        return super().options(setting)

    def asked(self, settings: Values, style: Style) -> Asked:
        """Who is looked for, and how that is played."""
        words = _words(game_of(settings), style)
        before = passage(style, f"before_{settings['attack_prior']}")
        return Asked(passage(style, "question", **words), passage(style, "help", before=before))

    def judged(self, settings: Values, values: Values) -> Mapping[str, Any]:
        """From one to ten bets on rows of this table."""
        bets, rows = values["attack_bets"], game_of(settings).known.size
        if not bets:
            raise ValueError("There must be a bet")
        if max(bet.row for bet in bets) > rows:
            raise ValueError(f"Bets must be rows from 1 to {rows}; got {max(bet.row for bet in bets)}")
        return values

    def rounds(self, settings: Values) -> int:
        """Ten."""
        return ROUNDS

    def handed_on(self, settings: Values, answers: Answers) -> list[tuple[str, str]]:
        """The rounds right of each: bets would tell whose they are by the table of scores, rounds who stopped when."""
        return [("", str(right)) for right in sorted(score.right for score, _ in scores_of(settings, answers))]

    def counted(self, wall: Wall, values: Values) -> Values:
        """The rounds that three people reached, as the result counts them."""
        bets = values["attack_bets"]
        return {"attack_bets": bets[: dict(wall.counted).get(len(bets))]}

    def with_own(self, picture: Picture, settings: Values, own: ParticipantAnswer, style: Style) -> Picture:
        """How many rounds one was right in, among the others; nothing where none of them counts."""
        if not own.values["attack_bets"]:
            return picture
        right = score_of(settings, own.values["attack_bets"], tables_of(settings, own.who)).right
        column = single("own", label(PAGE, "own"), right, quantity=label(PAGE, "rounds_right"))
        mark = Upright(x="own", role="mark", at=0.88, beside=_outside(right, ROUNDS / 2))
        return picture.with_more(side_by_side(column), mark, label(PAGE, "own_right", right=right))

    def summary(self, settings: Values, answers: Answers, style: Style, earlier: Answers = ()) -> Wall:
        """Rounds right of those that were sent, beside the ideal player and guessing; scores by name."""
        game = game_of(settings)
        scored, made = scores_of(settings, answers), [len(one.values["attack_bets"]) for one in answers]
        scores = [score for score, _ in scored]
        words = _words(game, style) | {
            name: f"{sum(getattr(score, name) for score in scores):,}" for name in Score._fields
        }
        table, long_run = _scoreboard(scored), say("play", style.voice, "long_run", **words, direction="")
        seed = "" if settings["attack_seed"] is None else f" {label(PAGE, 'seeded', seed=settings['attack_seed'])}"
        return Wall(
            answer=passage(style, "answer", **words),
            small_print=passage(style, "small_print", seed=seed, **words),
            picture=_picture(scores, style, words),
            counted=tuple(sorted({*zip(made, rounds_counted(made), strict=True)})),
            tables=(table,) if table.rows else (),
            sentences=(passage(style, "beside", **words), long_run.rstrip()),
            ways=(_way_to_play(game, style),),
            python=play.game_in_python(game, style),
        )


class Score(NamedTuple):
    """What one answer came to, and what the ideal player and guessing did in the same rounds."""

    right: int
    rounds: int
    points: int
    certain: int  # bets that were called nearly certain
    certain_right: int
    ideal: int
    ideal_points: int
    guess: int


def game_of(settings: Values, bets: Sequence[Bet] = (), phone: int = 0) -> Game:
    """The game of these settings as this participant plays it, with these bets."""
    own = {field.name.removeprefix("attack_"): settings[field.name] for field in Attack.settings}
    own |= {"seed": own["seed"] or 0, "place": own["place"] if own["table"] == "synthetic" else 1}
    inputs = PlayInputs(**own, bets=tuple(bet.row for bet in bets))
    return Game(inputs, chosen_table(inputs), phone)


def tables_of(settings: Values, who: Participant) -> int:
    """Whose tables a participant has: by what was drawn for them, or by their number where a seed was typed."""
    return who.own if settings["attack_seed"] is None else who.number


def _way_to_play(game: Game, style: Style) -> PageLink:
    """*Be the attacker* with the same table, noise and beliefs; its draws are others."""
    told = {name: str(getattr(game.inputs, name)) for name in ("table", "place", "prior")}
    if game.by_method:
        told |= {"play_noise": game.inputs.noise, "base": str(game.inputs.base)}
    else:
        told["rho"] = number_text(game.inputs.rho)
    return PageLink("play", passage(style, "way"), tuple(told.items()))


def score_of(settings: Values, bets: Sequence[Bet], phone: int) -> Score:
    """What the bets of one participant came to."""
    return _score(game_of(settings, bets, phone), bets)


def _score(game: Game, bets: Sequence[Bet]) -> Score:
    told = list(zip(bets, game.played, strict=True))
    certain = [bet.row - 1 == drawn.truth for bet, drawn in told if bet.stake == "c"]
    right, ideal, guess = game.score
    return Score(
        right=right,
        rounds=len(told),
        points=sum(bet.points(drawn.truth) for bet, drawn in told),
        certain=len(certain),
        certain_right=sum(certain),
        ideal=ideal,
        ideal_points=sum(Bet(drawn.ideal + 1, nearest_stake(drawn.best)).points(drawn.truth) for _, drawn in told),
        guess=guess,
    )


def rounds_counted(made: Sequence[int]) -> list[int]:
    """Of how many rounds each answer counts: as far as three people came, so that nobody is told by where they stopped.

    One or two who stopped before all others do not count. Of fewer than three answers, all who gave them agreed.

    >>> rounds_counted([10, 10, 10, 7, 6, 7]), rounds_counted([10, 2, 10, 9])
    ([10, 10, 10, 6, 6, 6], [9, 0, 9, 9])
    """
    if len(made) < FEWEST:
        return list(made)
    left, found = sorted(made, reverse=True), {0: 0}
    while len(left) >= FEWEST:
        least = left[FEWEST - 1]
        found |= {rounds: least for rounds in left if rounds >= least}
        left = [rounds for rounds in left if rounds < least]
    return [found.get(rounds, 0) for rounds in made]


def scores_of(settings: Values, answers: Answers) -> list[tuple[Score, Participant]]:
    """What each answer came to as far as it counts, on the tables of whoever gave it."""
    made = [answer.values["attack_bets"] for answer in answers]
    counted = [bets[:rounds] for bets, rounds in zip(made, rounds_counted([*map(len, made)]), strict=True)]
    return [
        (score_of(settings, bets, tables_of(settings, answer.who)), answer.who)
        for answer, bets in zip(answers, counted, strict=True)
        if bets
    ]


def drawn_name(drawn: int | None) -> str:
    """A colour and an animal, and a number where the room had more people than such names; nothing for none drawn.

    >>> drawn_name(0), drawn_name(421)
    ('amber badger', 'azure bear 2')
    """
    if drawn is None:
        return ""
    colours, animals = (label(PAGE, name).split(",") for name in ("colours", "animals"))
    turn, place = divmod(drawn, DRAWN_NAMES)
    animal, colour = divmod(place, len(colours))
    return f"{colours[colour]} {animals[animal]}" + (f" {turn + 1}" if turn else "")


def called(who: Participant, style: Style) -> str:
    """By which name somebody finds their own score; nothing where none was drawn."""
    if who.drawn is None:
        return ""
    name = "called_own" if who.nickname else "called"
    return passage(style, name, drawn=drawn_name(who.drawn), own=who.nickname.replace("*", "·"))


def _scoreboard(scored: Sequence[tuple[Score, Participant]]) -> Table:
    """Points and names, best first; who has as many points has the same place.

    A nickname that the moderator shows stands for its drawn name. Where one or two of those who count equally far typed
    none, drawn names stand for all: the scores that are left would be theirs. A nickname that is shown or taken later
    changes nothing of that for those who typed none: while answers are closed, nobody types one.
    """
    without = Counter(score.rounds for score, who in scored if not (who.nickname or who.pending))
    apart = all(people >= FEWEST for people in without.values())
    named = [(score, (who.nickname if apart else "") or drawn_name(who.drawn)) for score, who in scored]
    # by name, where points are the same: the order of joining would tell who is who
    ranked = sorted(((score, name) for score, name in named if name), key=lambda one: (-one[0].points, one[1]))
    points = [score.points for score, _ in ranked]
    rows = tuple(
        (
            str(points.index(score.points) + 1),
            name.replace("*", "·"),
            _signed(score.points),
            label(PAGE, "right_of", right=score.right, rounds=score.rounds),
        )
        for score, name in ranked
    )
    return Table(label(PAGE, "scoreboard"), heads(PAGE, "head"), rows)


def _signed(points: int) -> str:
    return f"{points:+,}".replace("-", "−") if points else "0"


def stakes(style: Style) -> dict[str, tuple[str, str]]:
    """How sure one can say to be, by the letter of an answer, and what it gains or loses."""
    found = {}
    for stake, belief in STAKES.items():
        right, wrong = (_signed(Bet(1, stake).points(truth)) for truth in (0, 1))
        worth = label(PAGE, "worth", belief=style.belief(belief), right=right, wrong=wrong)
        found[stake] = label(PAGE, f"stake.{stake}"), label(PAGE, "worth_nothing") if right == wrong else worth
    return found


def next_round(
    settings: Values, bets: Sequence[Bet], phone: int, style: Style
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """What is asked after these bets, and the rows: nothing in them tells where the person is but the noisy counts."""
    game = game_of(settings, (), phone)
    told = passage(style, "round", round=len(bets) + 1, of=ROUNDS)
    return told, play.bets_in_words(game, game.round(len(bets)))


def last_round(settings: Values, bets: Sequence[Bet], phone: int, style: Style) -> str:
    """What the last of these bets came to, what an ideal player bets on and why, and the points so far."""
    game = game_of(settings, bets, phone)
    score = _score(game, bets)
    words = {"points": bets[-1].points(game.played[-1].truth), "total": score.points, "ideal": score.ideal_points}
    told = passage(style, "points", **{name: _signed(points) for name, points in words.items()})
    return f"{told} {play.round_told(game, len(bets) - 1, style)}"


def own_rounds(settings: Values, bets: Sequence[Bet], phone: int) -> Table:
    """All rounds of one participant."""
    return play.rounds_table(game_of(settings, bets, phone))


def _words(game: Game, style: Style) -> dict[str, Any]:
    """What every passage may say of a game; the numbers of a long run are exact."""
    place = game.table.places[game.inputs.place - 1].replace("*", "·")
    return play.long_run_words(game, style) | {
        "place": place if game.inputs.table == "synthetic" else label(PAGE, "district", place=place),
        "known": f"{int(game.known.sum()):,}",
        "rows": str(game.known.size),
        "of": str(ROUNDS),
        "law": play.law_words(game, style)
        if game.by_method
        else passage(style, "law", rho=plain_number(game.inputs.rho, 4)),
        "promise": passage(style, "no_promise")
        if game.by_method
        else promise_words(play.PROMISE, style.voice, scope=Scope.TABLE)["promise"],
    }


def _picture(scores: Sequence[Score], style: Style, words: Mapping[str, Any]) -> Picture:
    """People by rounds right, with the averages of the two that nobody can beat or need look for."""
    right, counted = label(PAGE, "rounds_right"), np.bincount([score.right for score in scores], minlength=ROUNDS + 1)
    people = Column("people", label(PAGE, "people"), counted.astype(float), said=written(",.0f"), hover=",d")
    most = int(max(counted.max(), 1))
    ideal, guess = (float(np.mean([getattr(score, name) for score in scores])) for name in ("ideal", "guess"))
    marked = (
        ("ideal", label(PAGE, "ideal"), ideal, 1.02, _outside(ideal, guess)),
        ("guess", label(PAGE, "guessing"), guess, 0.94, _outside(guess, ideal)),
    )
    beside = [Upright(x=key, role="reach", at=up, dash="dash", beside=side) for key, _, _, up, side in marked]
    rows = [side_by_side(Column("right", right, list(range(ROUNDS + 1)), said=int), people)]
    rows += [side_by_side(single(key, name, at, quantity=right)) for key, name, at, *_ in marked]
    marks, reading = (Bars(x="right", y="people"), *beside), passage(style, "reading", **words)
    told = label(PAGE, "averages", ideal=plain_number(ideal, 2), guess=plain_number(guess, 2))
    x = Axis(every=1, range=(-0.6, ROUNDS + 0.6), grid=False)
    y = Axis(every=step_of_people(most), range=(0.0, OVER_BARS * most))
    return Picture.of("attack-scores", rows, marks, reading=reading, told=told, x=x, y=y, style=style, height=320)


def _outside(at: float, other: float) -> str:
    """Which end of its name a line carries: the name lies away from the other line, unless the picture ends there."""
    return "right" if at > (2 if at < other else ROUNDS - 2) else "left"
