"""The game in a room: the same tables for everybody, scores from bets and seed, and what stays untold until then."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from tests.each import each
from ui.pictures.marks import Upright
from ui.pictures.style import Style
from ui.views.play import FIELDS, LARGEST_SEED, ROUNDS, Game, PlayInputs, Round, class_table, play_view
from ui.views.room import attack
from ui.views.room.activity import Answered, Wall, text_of, values_of
from ui.views.room.attack import (
    BLOCKS,
    Attack,
    class_lines,
    game_of,
    own_rounds,
    phone_round,
    played_in,
    scores_of,
)

GAME = Attack()
TABLES = ("attack_seed=7", "attack_table=39-14&attack_seed=8", "attack_table=synthetic&attack_place=3&attack_seed=9")


def settings(text: str = "attack_seed=7") -> dict[str, Any]:
    return values_of(GAME.settings, text)


def truths(chosen: dict[str, Any]) -> tuple[int, ...]:
    return truths_of(Game.round, chosen)


def truths_of(drawn: Callable[[Game, int], Round], chosen: dict[str, Any]) -> tuple[int, ...]:
    return tuple(drawn(game_of(chosen), number).truth + 1 for number in range(ROUNDS))


def answered(chosen: dict[str, Any], wrong: list[int], names: list[str] | None = None) -> list[Answered]:
    """Participants who are wrong in so many of the first rounds."""
    rows, right = game_of(chosen).known.size, truths(chosen)
    return [
        Answered(
            at + 1,
            names[at] if names else "",
            "",
            {"attack_bets": (*(bet % rows + 1 for bet in right[:missed]), *right[missed:])},
        )
        for at, missed in enumerate(wrong)
    ]


def wall(chosen: dict[str, Any], wrong: list[int], names: list[str] | None = None, voice: str = "plain") -> Wall:
    return GAME.summary(chosen, answered(chosen, wrong, names), Style(voice=voice))


@pytest.mark.parametrize("text", TABLES)
def test_everybody_bets_on_the_tables_that_play_draws_from_the_same_seed(text: str) -> None:
    chosen = settings(text)
    asked = {field.name: field.default for field in FIELDS} | dict(played_in(chosen))
    inputs = PlayInputs(
        **{
            field.name: type(getattr(PlayInputs, field.name))(asked[field.name])
            for field in fields(PlayInputs)
            if field.name not in ("bets", "told")
        }
    )
    game = Game(inputs, game_of(chosen).table)
    for number in range(ROUNDS):
        rows = phone_round(chosen, (1,) * number, Style()).rows
        seen = game.round(number)
        assert [row.number for row in rows] == list(range(1, game.known.size + 1))
        for row, known, published in zip(rows, game.known, seen.published, strict=True):
            assert f"you know {known}, published {published}:".replace("-", "−") in row.words
    assert truths(chosen) == tuple(game.round(number).truth + 1 for number in range(ROUNDS))


@each("place", range(1, BLOCKS + 1))
def test_every_block_that_is_offered_gives_a_game(place: int) -> None:
    chosen = settings(f"attack_table=synthetic&attack_place={place}")
    assert game_of(chosen).known.size >= 2
    assert len({row.name for row in phone_round(chosen, (), Style()).rows}) == game_of(chosen).known.size


def test_a_block_is_asked_of_the_county_alone() -> None:
    assert game_of(settings("attack_place=5")).inputs.place == 1


@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_a_phone_is_not_told_the_seed_nor_where_the_person_is(voice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, style = settings("attack_seed=123457"), Style(voice=voice)

    def shown() -> list[Any]:
        return [GAME.asked(chosen, style), *(phone_round(chosen, (1,) * number, style) for number in range(ROUNDS))]

    before, drawn = shown(), Game.round
    assert "123457" not in repr(before).replace(",", "")

    def elsewhere(game: Game, number: int) -> Round:
        """The same noisy table, with the person in another row."""
        seen = drawn(game, number)
        return replace(seen, truth=(seen.truth + 1) % game.known.size)

    monkeypatch.setattr(Game, "round", elsewhere)
    assert shown() == before
    assert truths(chosen) != truths_of(drawn, chosen)


def test_after_ten_bets_there_is_no_further_table() -> None:
    assert phone_round(settings(), (1,) * 9, Style()).rows
    last = phone_round(settings(), (1, 2, 3, 1, 2, 3, 1, 2, 3, 1), Style())
    assert last.rows == ()
    assert "1, 2, 3, 1, 2, 3, 1, 2, 3, 1" in last.told


def test_an_empty_seed_is_drawn_and_a_typed_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def below(end: int) -> int:
        drawn.append(end)
        return 424_242

    monkeypatch.setattr(attack.secrets, "randbelow", below)
    assert Attack().begun(settings(""))["attack_seed"] == 424_242
    assert drawn == [2**53]
    assert Attack().begun(settings("attack_seed=0"))["attack_seed"] == 0
    assert Attack().begun(settings("attack_seed=7"))["attack_seed"] == 7
    assert drawn == [2**53]
    assert values_of(GAME.settings, text_of(GAME.settings, settings("")))["attack_seed"] is None
    assert truths(settings("attack_seed=1")) != truths(settings("attack_seed=2"))


@pytest.mark.parametrize("seed", ["-1", str(2**53), "1.5", "abc"])
def test_other_seeds_are_refused(seed: str) -> None:
    with pytest.raises(ValueError, match="Seed of the room"):
        settings(f"attack_seed={seed}")


@pytest.mark.parametrize(
    ("bets", "told"),
    [("", "must be 10, one a round; got 0"), ("123", "got 3"), ("1111111114", "from 1 to 3; got 4")],
)
def test_other_bets_are_refused(bets: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        GAME.judged(settings(), values_of(GAME.answers, f"attack_bets={bets}"))
    with pytest.raises(ValueError, match="must be at most 10 digits"):
        values_of(GAME.answers, "attack_bets=" + "1" * 11)
    assert GAME.first_answer_stays


@pytest.mark.parametrize("text", TABLES)
def test_a_score_is_how_many_bets_were_the_truth(text: str) -> None:
    chosen = settings(text)
    assert scores_of(chosen, answered(chosen, [0, 3, 10])) == [10, 7, 0]
    told, table = own_rounds(chosen, answered(chosen, [3])[0].values["attack_bets"], Style())
    assert "right in **7** of 10" in told
    assert [row[2] for row in table.rows[:-1]] == [str(truth) for truth in truths(chosen)]
    assert table.rows[-1][3] == "7 right"


def test_the_wall_counts_the_room_beside_the_ideal_player_and_guessing() -> None:
    chosen = settings()
    ideal, guess = game_of(chosen).beside_the_class
    shown = wall(chosen, [0, 3, 3, 5, 9])
    assert "**5** played. The middle score is **7** of 10 rounds" in shown.answer
    assert f"the ideal player's **{ideal}**" in shown.answer
    assert f"**{sum(score >= ideal for score in (10, 7, 7, 5, 1))}** of 5 equalled or beat" in shown.sentences[0]
    assert shown.picture is not None
    counted = {10: "1", 7: "2", 5: "1", 1: "1"}
    assert shown.picture.table.rows == tuple((score, counted.get(score, "0")) for score in range(11))
    names = {mark.x: mark.beside for mark in shown.picture.marks if isinstance(mark, Upright)}
    assert names == {"ideal": "right", "guess": "left"}  # towards the middle of the picture
    up = shown.picture.panels[0].y
    assert up.every == 1
    assert up.range is not None
    lowest = min(mark.at for mark in shown.picture.marks if isinstance(mark, Upright) and mark.at is not None)
    assert 2 / up.range[1] < lowest - 0.1  # no bar reaches what is written beside the lines
    numbers = shown.picture.numbers
    assert (numbers.column("ideal").values, numbers.column("guess").values) == ((ideal,), (guess,))
    assert shown.tables == ()  # nobody gave a nickname
    assert "seed 7:" in shown.small_print


def test_the_long_run_is_told_and_python_comes_to_it() -> None:
    shown = wall(settings(), [1, 2], voice="technical")
    assert "**0.6215**" in shown.sentences[1]
    assert "**0.3333**" in shown.sentences[1]
    names: dict[str, Any] = {}
    assert shown.python is not None
    exec(shown.python.text, names)
    assert math.isclose(names["answer"], shown.python.answer[0].value)


def test_who_gave_a_nickname_is_in_the_table_with_shared_places() -> None:
    chosen = settings()
    ideal, guess = game_of(chosen).beside_the_class
    assert (ideal, guess) == (7, 4)
    shown = wall(chosen, [3, 0, 0, 0, 3, 5], ["Ada", "", "", "", "Cem*", "Eve"])
    assert list(shown.tables[0].rows) == [
        ("1", "Ada", "7"),
        ("1", "Cem·", "7"),
        ("1", "ideal player", "7"),
        ("4", "Eve", "5"),
        ("5", "guessing", "4"),
    ]


def test_the_class_table_of_play_reads_the_rooms_scores_and_no_link_has_a_name() -> None:
    chosen = settings()
    answers = answered(chosen, [3, 0, 0, 0, 1, 5], ["Ada 7", "", "", "", "Cem", "Eve"])
    lines = class_lines(chosen, answers)
    assert lines == "Cem 9\nAda 7 7\nEve 5"
    board = class_table(lines, *game_of(chosen).beside_the_class)
    assert board.faults == ()
    assert board.table == GAME.summary(chosen, answers, Style()).tables[0]
    assert all(
        name not in repr(way.query) for way in GAME.summary(chosen, answers, Style()).ways for name in ("Ada", "Cem")
    )
    asked = dict(played_in(chosen))
    view = play_view(PlayInputs(seed=int(asked["seed"]), rho=float(asked["rho"]), table=asked["table"]), Style())
    assert view.beside_the_class == game_of(chosen).beside_the_class


@pytest.mark.parametrize("nameless", range(5))
def test_one_or_two_without_a_nickname_are_not_told_by_a_table_of_all_others(nameless: int) -> None:
    chosen = settings()
    names = ["Ada", "Cem", "Eve", *[""] * nameless]
    answers = answered(chosen, list(range(len(names))), names)
    shown = GAME.summary(chosen, answers, Style())
    held_back = nameless in (1, 2)
    assert (not shown.tables) == held_back == any("No table of scores" in said for said in shown.sentences)
    assert (class_lines(chosen, answers) == "") == held_back


def test_a_long_run_without_help_is_said_before_the_bets() -> None:
    assert "all rows are equally likely" in GAME.asked(settings(), Style()).help
    assert "fuller rows are likelier" in GAME.asked(settings("attack_prior=shares"), Style()).help


def test_every_link_spells_the_largest_seed() -> None:
    for name, choices in (("attack_seed", GAME.settings), ("seed", FIELDS)):
        field = next(field for field in choices if field.name == name)
        assert field.decode(field.encode(LARGEST_SEED)) == LARGEST_SEED
        with pytest.raises(ValueError, match="9,007,199,254,740,991"):
            field.decode(str(LARGEST_SEED + 1))
