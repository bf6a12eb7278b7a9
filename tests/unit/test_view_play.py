"""The game's view: the same draws for a seed, a fair score, the exact long run, refusals, the class table."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore.attacks import all_cells
from dpcore.mechanisms import DiscreteGaussian
from dpcore.populations import read_counts
from ui.pictures.style import Style
from ui.views.block import BlockInputs, block_view
from ui.views.play import Game, PlayInputs, class_table, play_view, read_bets, reason_of
from ui.views.shared.table_choice import chosen_table
from ui.words.phrasing import decimal_belief, how_often

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def game(**chosen: object) -> Game:
    inputs = PlayInputs(**chosen)
    return Game(inputs, chosen_table(inputs))


METHODS = [{"noise": "round_random", "base": 5}, {"noise": "round_nearest"}, {"noise": "cell_key"}]


@pytest.mark.parametrize("protected", METHODS, ids=lambda one: one["noise"])
@pytest.mark.parametrize("prior", ["flat", "shares"])
def test_a_game_against_a_method_is_exact(protected: dict[str, object], prior: str) -> None:
    one = game(**protected, prior=prior)
    rounds = [one.round(number) for number in range(500)]
    within = 4 * (one.right * (1 - one.right) / len(rounds)) ** 0.5
    assert np.mean([drawn.ideal == drawn.truth for drawn in rounds]) == pytest.approx(one.right, abs=within)
    assert np.mean([drawn.best for drawn in rounds]) == pytest.approx(one.right, abs=within)
    assert one.right >= one.prior.max()
    for drawn in rounds[:60]:
        chances = [  # of what was published where a cell holds the known people, and one more
            [float(np.exp(one.law.log_law([published], count=int(known) + more))[0]) for more in (0, 1)]
            for published, known in zip(drawn.published, one.known, strict=True)
        ]
        likelihood = [
            one.prior[row] * np.prod([chance[int(at == row)] for at, chance in enumerate(chances)])
            for row in range(one.known.size)
        ]
        assert drawn.beliefs == pytest.approx(np.array(likelihood) / sum(likelihood), abs=1e-12)
        assert drawn.ideal == int(np.flatnonzero(np.array(likelihood) >= max(likelihood) * (1 - 1e-9))[0])


def test_the_reason_under_a_method_is_its_evidence_and_not_the_surplus() -> None:
    one = game(noise="round_nearest", base=5, table="synthetic", place=4)
    said = set()
    for number in range(200):
        drawn = one.round(number)
        reason, others = reason_of(one, drawn), np.delete(drawn.beliefs, drawn.ideal)
        said.add(reason)
        assert ("no other row" in reason) == (others.max() == 0.0)
        assert "surplus" not in reason
    assert len(said) > 1


def test_a_method_that_cannot_be_is_refused_in_a_sentence() -> None:
    view = play_view(PlayInputs(noise="cell_key", variance=3.0), PLAIN)
    assert view.refusal is not None
    assert view.refusal.startswith("Row 1: variance must lie in [0, 2]")


def test_before_the_first_bet_nothing_tells_where_the_person_is() -> None:
    view = play_view(PlayInputs(), PLAIN)
    assert view.release is not None
    assert not view.told
    assert "is here" not in str(view.release.table) + view.question + view.release.alt
    assert view.rows == (
        ("**1** Of voting age, White", "you know 34, published 33: **1 fewer**"),
        ("**2** Not of voting age, White", "you know 10, published 10: **the same**"),
        ("**3** Of voting age, Black", "you know 1, published 2: **1 more**"),
    )
    assert len(view.release.figure.data) == 2


def test_a_link_that_tells_a_round_before_any_bet_tells_nothing() -> None:
    asked, untold = (play_view(PlayInputs(told=told), Style()) for told in (True, False))
    assert (asked.told, asked.answer, asked.rows) == (False, untold.answer, untold.rows)


def test_a_seed_gives_everybody_the_same_rounds_whatever_they_bet() -> None:
    first, second = game(bets=(1, 1, 1)), game(bets=(3, 2, 1))
    for one, other in zip(first.played, second.played, strict=True):
        assert one.truth == other.truth
        assert (one.published == other.published).all()
    assert [r.published.tolist() for r in first.played] != [
        r.published.tolist() for r in game(seed=2, bets=(1,) * 3).played
    ]


def test_the_score_counts_right_rows() -> None:
    truths = [game().round(number).truth + 1 for number in range(10)]
    view = play_view(PlayInputs(bets=tuple(truths), told=True), PLAIN)
    assert view.over
    assert "You are right in **10 of 10** rounds, the ideal player in" in view.answer
    ideal = sum(game().round(n).ideal == game().round(n).truth for n in range(10))
    assert view.beside_the_class[0] == ideal
    before_the_third = play_view(PlayInputs(bets=tuple(truths[:2])), PLAIN)
    assert "You are right in **2 of 2** rounds" in before_the_third.answer
    assert before_the_third.question.startswith("Round **3** of 10.")


def test_the_class_is_compared_with_all_rounds_whoever_has_played_how_many_here() -> None:
    whole = game(bets=(1,) * 10).score[1:]
    for bets in ((), (1,), (2, 1, 3), (1,) * 10):
        assert play_view(PlayInputs(bets=bets, told=bool(bets)), PLAIN).beside_the_class == whole
    assert min(whole) > 0


def test_the_long_run_is_what_many_rounds_come_to() -> None:
    one = game(prior="shares", rho=0.3)
    exact = all_cells.probability_right(mechanism=DiscreteGaussian(rho=0.3), prior=one.prior)
    rounds = [one.round(number) for number in range(4000)]
    assert np.mean([r.ideal == r.truth for r in rounds]) == pytest.approx(exact, abs=4 * 0.5 / 4000**0.5)


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL])
@pytest.mark.parametrize(
    ("rho", "plain"), [(0.01, "little more than a guess"), (1.0, "in some tables"), (20.0, "next to nothing")]
)
def test_what_is_said_of_the_ideal_player_follows_the_budget(rho: float, plain: str, style: Style) -> None:
    view = play_view(PlayInputs(rho=rho), style)
    right = all_cells.probability_right(mechanism=DiscreteGaussian(rho=rho), prior=game().prior)
    words = decimal_belief(right) if style.technical else how_often(right)
    assert f"**{words}**" in view.long_run
    assert (plain in view.long_run) == (not style.technical)
    assert "less noise and less privacy" in view.long_run


def test_the_census_is_described_to_experts_as_on_the_page_of_one_block() -> None:
    game_words = play_view(PlayInputs(), PLAIN).computed
    block_words = block_view(BlockInputs(), TECHNICAL).sensitivity
    assert "ρ = 0.0991 for one record replaced" in game_words
    assert "a count here has 0.0495" in game_words
    for words in ("σ² = 1/ρ", "in each cell", "production settings"):
        assert words in game_words
        assert words in block_words
    assert "not seen" not in game_words + block_words


def test_the_small_print_says_that_the_row_is_the_secret() -> None:
    plain, technical = (play_view(PlayInputs(), style).small_print for style in (PLAIN, TECHNICAL))
    assert "knows everyone else's data in 28-21. The row is the secret; one change adds or removes one record" in plain
    assert "two cells between values" in technical


def test_the_first_sentence_sets_the_table_beside_the_guess() -> None:
    found = all_cells.probability_right(mechanism=DiscreteGaussian(rho=0.5), prior=game().prior)
    start = play_view(PlayInputs(), PLAIN).answer
    assert f"finds this person **{how_often(found)}**; guessing without it, **33 of 100 times**" in start


def test_a_told_round_shows_the_truth_and_what_to_believe() -> None:
    view = play_view(PlayInputs(bets=(2,), told=True), PLAIN)
    assert view.told
    assert view.round == 1
    assert view.release is not None
    assert sum("is here" in str(row) for row in view.release.table.rows) == 1
    assert [panel.same_rows for panel in view.release.panels] == [False, True], "a belief stands in its row"
    assert {"−1", "0", "+1"} <= {words for _, words in view.release.panels[0].x.ticks}
    assert view.question == (
        "Round **1**: **right**, row **2**. Ideal player: row **3**, **67 in 100** likely: its surplus is the largest."
    )
    next_round = play_view(PlayInputs(bets=(2,)), PLAIN)
    assert next_round.round == 2
    assert not next_round.told


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL, Style(dark=True, large=True)])
@pytest.mark.parametrize(
    "chosen", [{}, {"table": "synthetic", "bets": (6,), "told": True}, {"table": "39-14", "rho": 50.0}]
)
def test_pictures_are_valid(style: Style, chosen: dict[str, object]) -> None:
    view = play_view(PlayInputs(**chosen), style)
    assert view.release is not None
    go.Figure(view.release.figure.to_plotly_json())
    assert view.refusal is None


def test_a_bet_on_a_row_that_is_not_there_is_refused() -> None:
    assert play_view(PlayInputs(bets=(4,)), PLAIN).refusal == "Bets must be rows from 1 to 3; got 4."


def test_a_block_of_one_row_is_no_game() -> None:
    own = read_counts("block,adult,child\nA,3,0\n")
    assert "at least two rows" in str(play_view(PlayInputs(table="own"), PLAIN, own).refusal)


def test_a_link_with_other_bets_is_refused() -> None:
    assert read_bets("") == ()
    for text in ("7", "12345612345", "1,2", "a"):
        with pytest.raises(ValueError, match="must be at most 10 digits from 1 to 6; got"):
            read_bets(text)


def test_the_class_table_sorts_names_and_tells_bad_lines() -> None:
    board, faults = class_table("Ada 7\n=cmd, 3\nnobody\nMax 11\nEve 7", 5, 3)
    assert board is not None
    found = [(row[0], row[1]) for row in board.rows]
    assert found == [("1", "Ada"), ("1", "Eve"), ("3", "ideal player"), ("4", "=cmd"), ("4", "guessing")]
    assert "of 10" in board.caption
    assert "'=cmd" in board.as_csv()
    assert faults == (
        "Line 3 must be a name and a number from 0 to 10; got 'nobody'.",
        "Line 4 must be a name and a number from 0 to 10; got 'Max 11'.",
    )
    assert class_table("", 0, 0) == (None, ())
    assert "60 names" in class_table("A 1\n" * 70, 0, 0)[1][0]
