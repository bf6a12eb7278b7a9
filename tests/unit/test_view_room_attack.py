"""The game in a room: tables of one's own, rounds told one by one, points, and how far a room has come."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.methods import NearestRounding, RandomRounding
from tests.approved.rooms import room, started
from tests.each import each
from ui.pictures.marks import Upright
from ui.pictures.style import Style
from ui.rooms.meeting import DRAWN_NAMES, FEWEST, Participant, Phase
from ui.views.join import JoinInputs, Phone, join_view
from ui.views.play import FIELDS, LARGEST_SEED, ROUNDS, Game, PlayInputs, Round, reason_of
from ui.views.room import attack
from ui.views.room.activity import ParticipantAnswer, Wall, text_of, values_of
from ui.views.room.attack import (
    BLOCKS,
    STAKES,
    Attack,
    Bet,
    drawn_name,
    game_of,
    last_round,
    nearest_stake,
    next_round,
    own_rounds,
    rounds_counted,
    score_of,
    scores_of,
    tables_of,
)

GAME, PLAIN = Attack(), Style()
TABLES = ("attack_seed=7", "attack_table=39-14&attack_seed=8", "attack_table=synthetic&attack_place=3&attack_seed=9")


def settings(text: str = "attack_seed=7") -> dict[str, Any]:
    return values_of(GAME.settings, text)


def truths(chosen: dict[str, Any], phone: int) -> list[int]:
    return truths_of(Game.round, chosen, phone)


def truths_of(drawn: Callable[[Game, int], Round], chosen: dict[str, Any], phone: int) -> list[int]:
    return [drawn(game_of(chosen, (), phone), number).truth + 1 for number in range(ROUNDS)]


def bets(chosen: dict[str, Any], phone: int, wrong: int, rounds: int = ROUNDS, stake: str = "f") -> tuple[Bet, ...]:
    """Bets of a participant who is wrong in so many of the first rounds."""
    rows = game_of(chosen).known.size
    told = enumerate(truths(chosen, phone)[:rounds])
    return tuple(Bet(truth % rows + 1 if number < wrong else truth, stake) for number, truth in told)


def answered(
    chosen: dict[str, Any], wrong: list[int], names: list[str] | None = None, **how: Any
) -> list[ParticipantAnswer]:
    return [
        ParticipantAnswer(
            Participant(at, names[at - 1] if names else "", "", drawn=at),
            {"attack_bets": bets(chosen, at, missed, **how)},
        )
        for at, missed in enumerate(wrong, 1)
    ]


def wall(chosen: dict[str, Any], wrong: list[int], names: list[str] | None = None, voice: str = "plain") -> Wall:
    return GAME.summary(chosen, answered(chosen, wrong, names), Style(voice=voice))


def test_every_phone_has_draws_of_its_own_in_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A truth that was told is nobody's next one: no two phones, rounds, or the page *play*, share a stream."""
    drawn: list[Any] = []
    begin = np.random.default_rng

    def recorded(seed: Any) -> np.random.Generator:
        drawn.append(tuple(np.random.SeedSequence(seed).generate_state(8)))
        return begin(seed)

    for seed in (7, LARGEST_SEED):
        chosen = settings(f"attack_seed={seed}")
        with monkeypatch.context() as watched:
            watched.setattr(np.random, "default_rng", recorded)
            for phone in (*range(40), 300):
                truths(chosen, phone)
    assert len(drawn) == len(set(drawn)) == 2 * 41 * ROUNDS
    assert truths(chosen, 3) == truths(chosen, 3) != truths(chosen, 4)


@pytest.mark.parametrize("text", TABLES)
def test_a_phone_bets_on_the_counts_of_its_own_round(text: str) -> None:
    chosen = settings(text)
    for phone in (1, 2):
        for number in range(ROUNDS):
            _, rows = next_round(chosen, (Bet(1, "n"),) * number, phone, Style())
            game = game_of(chosen, (), phone)
            for (name, counts), known, published in zip(rows, game.known, game.round(number).published, strict=True):
                assert name.startswith("**")
                assert f"you know {known}, published {published}:".replace("-", "−") in counts


@each("place", range(1, BLOCKS + 1))
def test_every_block_that_is_offered_gives_a_game(place: int) -> None:
    chosen = settings(f"attack_table=synthetic&attack_place={place}")
    assert game_of(chosen).known.size >= 2
    assert len({name for name, _ in next_round(chosen, (), 1, Style())[1]}) == game_of(chosen).known.size


def test_a_block_is_asked_of_the_county_alone() -> None:
    assert game_of(settings("attack_place=5")).inputs.place == 1


def phone_of(chosen: dict[str, Any], sent: tuple[Bet, ...] | None, phase: Phase = Phase.OPEN) -> Phone:
    text = None if sent is None else text_of(GAME.answers, {"attack_bets": sent})
    return Phone(room(started("attack", chosen, phase)), participant=Participant(3, "", ""), sent=text)


@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_a_phone_is_not_told_the_seed_nor_where_the_person_of_the_next_round_is(
    voice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, style = settings("attack_seed=123457"), Style(voice=voice)
    sent = bets(chosen, 3, 2, rounds=9)

    def shown(upto: int) -> list[Any]:
        told: list[Any] = [GAME.asked(chosen, style)]
        for number in range(upto + 1):
            view = join_view(JoinInputs(), style, phone_of(chosen, sent[:number] or None))
            told += [view, next_round(chosen, sent[:number], 3, style)]
            told += [last_round(chosen, sent[:number], 3, style)] if number else []
        return told

    drawn = Game.round
    for round_at in range(ROUNDS):

        def elsewhere(game: Game, number: int, at: int = round_at) -> Round:
            """The same noisy tables, with the person of one round in another row."""
            seen = drawn(game, number)
            return replace(seen, truth=(seen.truth + (number == at)) % game.known.size)

        before = shown(round_at)
        assert "123457" not in repr(before).replace(",", "")
        with monkeypatch.context() as moved:
            moved.setattr(Game, "round", elsewhere)
            assert shown(round_at) == before
            if round_at < 9:
                assert shown(round_at + 1)[-1] != before[-1]


def test_an_unfinished_game_goes_on_from_what_the_database_has_confirmed() -> None:
    chosen = settings()
    whole = bets(chosen, 3, 0)
    for made in (1, 9):
        assert phone_of(chosen, whole[:made]).asked is not None
        view = join_view(JoinInputs(), Style(), phone_of(chosen, whole[:made]))
        assert (view.sent, view.help, view.draft) == ("", "", "")
    assert phone_of(chosen, whole).asked is None
    assert phone_of(chosen, whole[:5], Phase.CLOSED).asked is None
    assert join_view(JoinInputs(), Style(), phone_of(chosen, whole)).sent.startswith("**Sent.**")


def test_without_a_typed_seed_tables_follow_from_what_was_drawn_for_a_phone_alone() -> None:
    typed, empty = settings("attack_seed=7"), settings("")
    assert values_of(GAME.settings, text_of(GAME.settings, empty))["attack_seed"] is None
    assert [
        tables_of(chosen, Participant(3, "", "", own=12_345)) for chosen in (typed, settings("attack_seed=0"), empty)
    ] == [3, 3, 12_345]
    assert truths(settings("attack_seed=1"), 1) != truths(settings("attack_seed=2"), 1)
    answers = [
        ParticipantAnswer(Participant(number, "", "", own=own), {"attack_bets": bets(empty, own, 0)})
        for number, own in enumerate((12_345, 67_890, 13_579), 1)
    ]
    shown = GAME.summary(empty, answers, Style())
    assert shown.answer.startswith("Right in **30 of 30** rounds")
    assert "seed" not in shown.small_print
    assert shown.picture is not None
    own_picture = GAME.with_own(shown.picture, empty, answers[1], Style())
    assert own_picture.numbers.column("own").values == (10,)
    theirs = replace(
        phone_of(empty, answers[1].values["attack_bets"], Phase.SHOWN), participant=Participant(2, "", "", own=67_890)
    )
    on_the_phone = join_view(JoinInputs(), Style(), replace(theirs, wall=shown)).result
    assert on_the_phone is not None
    assert on_the_phone.picture is not None
    assert on_the_phone.picture.numbers.column("own").values == (10,)


@pytest.mark.parametrize("seed", ["-1", str(2**53), "1.5", "abc"])
def test_other_seeds_are_refused(seed: str) -> None:
    with pytest.raises(ValueError, match="Room seed"):
        settings(f"attack_seed={seed}")


@pytest.mark.parametrize("typed", ["1", "1x", "7n", "n1", "1n2", "1n" * 11, "1N", "1 n"])
def test_other_bets_are_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="must be a row and how sure of it, at most 10 times"):
        values_of(GAME.answers, f"attack_bets={typed}")


def test_from_one_to_ten_bets_on_rows_of_the_table_are_an_answer() -> None:
    chosen = settings()
    for typed in ("3c", "1n2f3c", "1n" * 10):
        values = values_of(GAME.answers, f"attack_bets={typed}")
        assert GAME.judged(chosen, values) == values
        assert text_of(GAME.answers, values) == f"attack_bets={typed}"
        assert GAME.finished(settings(), values) == (len(typed) == 20)
    with pytest.raises(ValueError, match="must be a bet"):
        GAME.judged(chosen, values_of(GAME.answers, ""))
    with pytest.raises(ValueError, match="from 1 to 3; got 4"):
        GAME.judged(chosen, values_of(GAME.answers, "attack_bets=1n4f"))
    assert GAME.goes_on


def test_what_is_sent_after_each_round_begins_with_what_was_sent_before() -> None:
    """The store keeps an answer that goes on, and tells how long it is: both rest on how bets are spelled."""
    whole = bets(settings(), 1, 4)
    sent = [text_of(GAME.answers, {"attack_bets": whole[:made]}) for made in range(1, ROUNDS + 1)]
    assert all(later.startswith(earlier) for earlier, later in pairwise(sent))
    lengths = [len(text) for text in sent]
    assert GAME.progress(settings(), 24, sorted([lengths[-1]] * 19 + [lengths[5]] * 5), Style()) == (
        "**19 of 24** finished, 5 at round 7."
    )
    assert GAME.progress(settings(), 9, [lengths[0], *[lengths[8]] * 3], Style()) == (
        "**0 of 9** finished, 3 at round 10, 1 at round 2, 5 at round 1."
    )
    assert GAME.progress(settings(), 2, lengths[-1:] * 2, Style()) == "**2 of 2** finished."


@pytest.mark.parametrize("text", TABLES)
def test_a_score_is_how_many_bets_were_the_truth_on_ones_own_tables(text: str) -> None:
    chosen = settings(text)
    assert [score.right for score, _ in scores_of(chosen, answered(chosen, [0, 3, 10]))] == [10, 7, 0]
    table = own_rounds(chosen, bets(chosen, 5, 3), 5)
    assert [row[2] for row in table.rows[:-1]] == [str(truth) for truth in truths(chosen, 5)]
    assert table.rows[-1][3] == "7 right"


def test_points_are_those_of_the_stake_on_the_side_of_the_truth() -> None:
    chosen = settings()
    for stake, right, wrong in (("n", 0, 0), ("f", 16, -24), ("c", 24, -56)):
        score = score_of(chosen, bets(chosen, 4, 2, rounds=6, stake=stake), 4)
        assert score.points == 4 * right + 2 * wrong
        assert (score.rounds, score.certain, score.certain_right) == (6, 6 * (stake == "c"), 4 * (stake == "c"))
    words = {stake: worth for stake, (_, worth) in attack.stakes(Style()).items()}
    assert words == {"n": "0 either way", "f": "70 in 100: +16 or −24", "c": "90 in 100: +24 or −56"}


@each("belief", [place / 100 for place in range(101)])
def test_the_ideal_player_states_what_has_the_most_expected_points(belief: float) -> None:
    worth = {stake: belief * Bet(1, stake).points(0) + (1 - belief) * Bet(1, stake).points(1) for stake in STAKES}
    assert worth[attack.nearest_stake(belief)] >= max(worth.values()) - 1e-9


def test_a_round_is_told_with_its_points_and_what_an_ideal_player_bets_on() -> None:
    chosen = settings()
    game = game_of(chosen, (), 3)
    right, wrong = bets(chosen, 3, 0, stake="c"), bets(chosen, 3, 10, stake="f")
    for made in (1, 2, 7):
        drawn = game.round(made - 1)
        for sent, worth, said in (
            (right, 24, f"**right**, row **{drawn.truth + 1}**"),
            (wrong, -24, f"you bet on row **{wrong[made - 1].row}**, not **{drawn.truth + 1}**"),
        ):
            told = last_round(chosen, sent[:made], 3, Style())
            drawns = [game.round(number) for number in range(made)]
            ideal = sum(Bet(one.ideal + 1, attack.nearest_stake(one.best)).points(one.truth) for one in drawns)
            points = f"**{worth:+}** points, **{made * worth:+}** so far; the ideal player {ideal:+}. "
            assert told.startswith(points.replace("-", "−").replace(" +0.", " 0."))
            assert f"Round **{made}**: {said}. Ideal player: row **{drawn.ideal + 1}**, **" in told
            assert f"**{round(100 * drawn.beliefs.max())} in 100** likely: {reason_of(game, drawn)}." in told


def drawn_with(surplus: list[int], prior: str) -> tuple[Game, Round]:
    """A round of the table 34, 10, 1 with these surpluses, as `Game.round` would weigh it."""
    from dpcore.attacks import all_cells
    from dpcore.mechanisms import DiscreteGaussian

    game = game_of(settings(f"attack_prior={prior}"))
    beliefs = all_cells.posterior(surplus, mechanism=DiscreteGaussian(rho=0.5), prior=game.prior)
    return game, Round(0, game.known + np.array(surplus), beliefs)


@pytest.mark.parametrize(
    ("surplus", "prior", "best", "reason"),
    [
        ([0, 1, -1], "flat", 2, "its surplus is the largest"),
        ([-2, -1, -3], "flat", 2, "its surplus is the largest"),
        ([1, 1, 0], "flat", 1, "row 2 is as likely"),
        ([0, 2, 2], "flat", 2, "row 3 is as likely"),
        ([3, 1, 0], "shares", 1, "its surplus is the largest"),
        ([0, 1, 0], "shares", 1, "row 2 has the larger surplus, but row 1 was likelier before"),
        ([0, 0, 1], "shares", 1, "row 3 has the larger surplus, but row 1 was likelier before"),
        ([0, 1, 2], "shares", 1, "row 3 has the larger surplus, but row 1 was likelier before"),
        ([1, 1, 0], "shares", 1, "no surplus is larger, and it was likelier before"),
        ([0, 3, 0], "shares", 2, "its surplus is the largest"),
    ],
)
def test_the_reason_of_the_ideal_player_is_why_that_row(surplus: list[int], prior: str, best: int, reason: str) -> None:
    game, drawn = drawn_with(surplus, prior)
    assert drawn.ideal + 1 == best
    assert reason_of(game, drawn) == reason


def test_as_it_comes_the_largest_surplus_is_often_not_the_answer() -> None:
    """What there is to learn after the second round."""
    chosen = settings()
    assert chosen["attack_prior"] == "shares"
    assert PlayInputs().prior == "flat"  # links say nothing else
    games = [game_of(chosen, (), phone) for phone in range(1, 31)]
    rounds = [(game, game.round(number)) for game in games for number in range(ROUNDS)]
    other = sum("likelier before" in reason_of(game, drawn) for game, drawn in rounds)
    assert 0.1 < other / len(rounds) < 0.6
    assert sum(drawn.ideal == drawn.truth for _, drawn in rounds) > sum(
        int(np.argmax(drawn.published - game.known)) == drawn.truth for game, drawn in rounds
    )


def test_the_wall_counts_the_room_beside_the_ideal_player_and_guessing_as_far_as_three_came() -> None:
    chosen = settings()
    answers = [
        *answered(chosen, [0, 3, 3]),
        *answered(chosen, [9, 9, 9, 5, 1, 0], rounds=6, stake="c")[3:],
        *answered(chosen, [0] * 8, rounds=2, stake="c")[6:],  # two who stopped before all others
    ]
    shown = GAME.summary(chosen, answers, Style())
    games = [game_of(chosen, answer.values["attack_bets"], answer.who.number) for answer in answers[:6]]
    ideal, guess = (sum(game.score[place] for game in games) for place in (1, 2))
    assert shown.answer == f"Right in **36 of 48** rounds, the ideal player in **{ideal}**."
    assert shown.sentences[0] == (
        f"Guessing is right in **{guess}**. Of **18** bets called nearly certain, **12** were right."
    )
    assert shown.picture is not None
    counted = {10: "1", 7: "2", 6: "1", 5: "1", 1: "1"}
    assert shown.picture.table.rows == tuple((score, counted.get(score, "0")) for score in range(11))
    numbers = shown.picture.numbers
    assert numbers.column("ideal").values == (pytest.approx(ideal / 6),)
    assert numbers.column("guess").values == (pytest.approx(guess / 6),)
    up = shown.picture.panels[0].y
    assert up.every == 1
    assert up.range is not None
    uprights = [mark for mark in shown.picture.marks if isinstance(mark, Upright)]
    assert 2 / up.range[1] < min(mark.at for mark in uprights) - 0.1  # no bar reaches what is written beside the lines
    assert [row[1] for row in shown.tables[0].rows] == [drawn_name(place) for place in (1, 6, 5, 2, 3, 4)]
    assert (
        "48 random draws, different on each phone, in rounds that three people reached (seed 7)." in shown.small_print
    )
    assert GAME.handed_on(chosen, answers) == [("", right) for right in ("1", "5", "6", "7", "7", "10")]


def test_who_came_as_far_as_two_others_is_not_told_from_them_and_who_stopped_before_all_is_not_told() -> None:
    chosen = settings()

    def told(wrong: list[int]) -> Any:
        far = enumerate(zip(wrong, (10, 10, 10, 6, 7, 6, 2), strict=True), 1)
        answers = [
            ParticipantAnswer(Participant(at, "", ""), {"attack_bets": bets(chosen, at, missed, made)})
            for at, (missed, made) in far
        ]
        shown = GAME.summary(chosen, answers, Style())
        assert shown.picture is not None
        return shown.answer, shown.sentences, shown.picture.numbers.as_csv(), GAME.handed_on(chosen, answers)

    assert told([9, 3, 0, 1, 4, 6, 0]) == told([0, 9, 3, 4, 6, 1, 0]) == told([9, 3, 0, 1, 4, 6, 2])
    assert told([9, 3, 0, 1, 4, 6, 0]) != told([9, 3, 1, 1, 4, 6, 0])


@given(st.lists(st.integers(1, ROUNDS), min_size=1, max_size=12))
def test_where_somebody_stopped_tells_them_from_fewer_than_two_others_nowhere(made: list[int]) -> None:
    counts = rounds_counted(made)
    assert all(count <= length for count, length in zip(counts, made, strict=True))
    if len(made) < FEWEST:
        assert counts == made
    else:
        assert all(counts.count(count) >= FEWEST for count in counts if count)
        assert counts.count(0) < FEWEST
        assert max(counts) == sorted(made)[-FEWEST]
    if all(made.count(length) >= FEWEST for length in made):
        assert counts == made


@pytest.mark.parametrize(
    ("ideal", "guess", "beside"),
    [(7.0, 4.0, "left right"), (4.9, 5.1, "right left"), (9.5, 1.0, "right left"), (9, 9, "right right")],
)
def test_names_beside_the_lines_cross_neither_the_other_line_nor_the_edge(
    ideal: float, guess: float, beside: str
) -> None:
    assert f"{attack._outside(ideal, guess)} {attack._outside(guess, ideal)}" == beside


def test_the_long_run_is_told_and_python_comes_to_it() -> None:
    shown = wall(settings("attack_seed=7&attack_prior=flat"), [1, 2], voice="technical")
    assert "**0.6215**" in shown.sentences[1]
    assert "**0.3333**" in shown.sentences[1]
    names: dict[str, Any] = {}
    assert shown.python is not None
    exec(shown.python.text, names)
    assert math.isclose(names["answer"], shown.python.answer[0].value)


def test_scores_stand_by_points_under_the_names_that_are_shown_or_else_drawn() -> None:
    shown = wall(settings(), [3, 0, 0, 0, 3, 5], ["Ada", "", "", "", "Cem*", "Eve"])
    ideal = [(name, "+160", "10 of 10") for name in ("beige badger", "black badger", "blue badger")]
    assert list(shown.tables[0].rows) == [
        *(("1", *row) for row in ideal),
        ("4", "Ada", "+40", "7 of 10"),
        ("4", "Cem·", "+40", "7 of 10"),
        ("6", "Eve", "−40", "5 of 10"),
    ]
    early = GAME.summary(
        settings(), [replace(one, who=replace(one.who, drawn=None)) for one in answered(settings(), [0] * 3)], Style()
    )
    assert early.tables == ()  # an earlier Riskline drew no names


def test_the_same_points_stand_by_name_and_not_by_who_joined_first() -> None:
    answers = [replace(one, who=replace(one.who, drawn=9 - one.who.number)) for one in answered(settings(), [0] * 3)]
    names = [row[1] for row in GAME.summary(settings(), answers, Style()).tables[0].rows]
    assert names == sorted(names) == [drawn_name(place) for place in (6, 7, 8)]


def test_there_are_as_many_names_as_are_drawn_from_and_more_people_are_told_apart_by_numbers() -> None:
    assert len({drawn_name(place) for place in range(3 * DRAWN_NAMES)}) == 3 * DRAWN_NAMES
    assert all(len(drawn_name(place).split()) == 2 for place in range(DRAWN_NAMES))


def test_a_phone_is_told_by_which_name_it_stands_in_the_scores() -> None:
    told = [attack.called(Participant(1, name, "", True, 3), Style()) for name in ("", "*Ada*")]
    assert told == [
        "The scores call you **black badger**.",
        "The scores call you **black badger**, or ·Ada· where the moderator shows it.",
    ]
    assert attack.called(Participant(1, "", ""), Style()) == ""


def test_the_way_to_the_game_has_this_table_and_no_name_seed_or_bet() -> None:
    chosen = settings("attack_table=synthetic&attack_place=4&attack_rho=0.7&attack_seed=9")
    (way,) = GAME.summary(chosen, answered(chosen, [3, 0, 1], ["Ada", "Cem", "Eve"]), Style()).ways
    assert dict(way.query) == {"table": "synthetic", "place": "4", "rho": "0.7", "prior": "shares"}
    inputs = game_of(chosen).inputs
    for field in fields(PlayInputs):
        if field.name in dict(way.query):
            assert str(getattr(inputs, field.name)) == dict(way.query)[field.name]


@pytest.mark.parametrize("nameless", range(5))
def test_one_or_two_who_typed_no_name_are_not_told_by_the_names_of_all_others(nameless: int) -> None:
    chosen = settings()
    names = ["Ada", "Cem", "Eve", *[""] * nameless]

    def named(answers: list[ParticipantAnswer]) -> set[str]:
        return {row[1] for row in GAME.summary(chosen, answers, Style()).tables[0].rows} & {"Ada", "Cem", "Eve", "Max"}

    answers = answered(chosen, list(range(len(names))), names)
    held_back = nameless in (1, 2)
    assert named(answers) == (set() if held_back else {"Ada", "Cem", "Eve"})
    typed = [
        replace(one, who=replace(one.who, nickname="", pending=True)) if one.who.nickname == "Cem" else one
        for one in answers
    ]
    assert named(typed) == (set() if held_back else {"Ada", "Eve"})  # as before the moderator showed it
    fewer = [*answered(chosen, [0] * 3, names[:3]), *answered(chosen, [0] * len(names), names, rounds=6)[3:]]
    among = [*fewer, *answered(chosen, [1] * (len(names) + 3), ["Max"] * (len(names) + 3), rounds=6)[-3:]]
    assert (not named(among)) == held_back  # of those who came as far


def test_what_is_likely_before_is_said_before_the_bets() -> None:
    assert "fuller rows are likelier" in GAME.asked(settings(), Style()).help
    assert "all rows are equally likely" in GAME.asked(settings("attack_prior=flat"), Style()).help


def test_every_link_spells_the_largest_seed() -> None:
    for name, choices in (("attack_seed", GAME.settings), ("seed", FIELDS)):
        field = next(field for field in choices if field.name == name)
        assert field.decode(field.encode(LARGEST_SEED)) == LARGEST_SEED
        with pytest.raises(ValueError, match="9,007,199,254,740,991"):
            field.decode(str(LARGEST_SEED + 1))


@pytest.mark.parametrize("rounded", ["round_random", "round_nearest"])
def test_against_rounded_tables_scores_ideal_player_and_reasons_follow_from_their_law(rounded: str) -> None:
    chosen = settings(f"attack_noise={rounded}&attack_base=3&attack_seed=9&attack_prior=flat")
    reasons = set()
    for phone in range(1, 25):
        game = game_of(chosen, (), phone)
        law = {"round_random": RandomRounding, "round_nearest": NearestRounding}[rounded](base=3)
        right, points, bets = 0, 0, []
        for number in range(ROUNDS):
            drawn = game.round(number)
            likelihood = np.array(
                [
                    np.prod(
                        [
                            np.exp(law.log_law([int(published)], count=int(known) + (at == row)))[0]
                            for at, (published, known) in enumerate(zip(drawn.published, game.known, strict=True))
                        ]
                    )
                    for row in range(game.known.size)
                ]
            )
            beliefs = likelihood / likelihood.sum()
            best = int(np.flatnonzero(beliefs >= beliefs.max() * (1 - 1e-9))[0])
            right += best == drawn.truth
            points += Bet(best + 1, nearest_stake(float(beliefs.max()))).points(drawn.truth)
            bets.append(Bet(best + 1, "f"))
            told = last_round(chosen, bets, phone, PLAIN)
            assert f"Ideal player: row **{best + 1}**, **{PLAIN.belief(float(beliefs.max()))}** likely" in told
            assert "surplus" not in told
            reasons.add(told.rpartition("likely: ")[2])
        score = score_of(chosen, bets, phone)
        assert (score.ideal, score.ideal_points, score.right) == (right, points, right)
    assert len(reasons) > (rounded == "round_random")


def test_a_room_against_rounded_tables_says_so_and_leads_to_the_same_game() -> None:
    chosen = settings("attack_noise=round_nearest&attack_base=5&attack_seed=9")
    wall = GAME.summary(chosen, answered(chosen, [3, 0, 1], ["Ada", "Cem", "Eve"]), PLAIN)
    assert "known; Rounding to the nearest 5. The method promises nothing." in wall.small_print
    [way] = wall.ways
    assert {"play_noise": "round_nearest", "base": "5"}.items() <= dict(way.query).items()
    assert "rho" not in dict(way.query)
