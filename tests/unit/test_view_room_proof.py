"""A class proves an epsilon: what is dealt, what a phone is told and when, and what the wall makes of the guesses."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from dpcore.audit import guess_epsilon_lower
from dpcore.mechanisms import Geometric
from tests.approved.rooms import room, started
from ui.pictures.style import Style
from ui.rooms.codes import new_key
from ui.rooms.meeting import Participant, Phase, drawn
from ui.rooms.store import RoomStore
from ui.views.join import JoinInputs, Phone, join_view
from ui.views.room import proof
from ui.views.room.activity import ParticipantAnswer, fitting, text_of, values_of
from ui.views.room.proof import IN, OTHERS, OUT, Proof, is_in, next_round, outcomes, own_rounds, published

PROOF, PLAIN = Proof(), Style()


def settings(epsilon: float = 1.0, rounds: int = 5) -> dict[str, Any]:
    return {"proof_epsilon": epsilon, "proof_rounds": rounds}


def class_of(people: int, chosen: dict[str, Any], seed: int = 7) -> list[ParticipantAnswer]:
    """People who guess the nearer count in all rounds: nobody is right more often on average."""
    found = []
    for who in drawn(seed, *(Participant(number, "", "") for number in range(1, people + 1))):
        counts = [published(chosen, who.own, played) for played in range(chosen["proof_rounds"])]
        guesses = "".join(IN if count > OTHERS else OUT for count in counts)
        found.append(ParticipantAnswer(who, {"proof_guesses": guesses}))
    return found


def right_and_wrong(right: int, made: int) -> list[ParticipantAnswer]:
    """People of one guess each, so many of them right."""
    return [
        ParticipantAnswer(
            Participant(own, "", "", own=own), {"proof_guesses": IN if is_in(own, 0) == (own <= right) else OUT}
        )
        for own in range(1, made + 1)
    ]


def test_coins_are_fair_and_every_one_falls_by_itself() -> None:
    people = drawn(99, *(Participant(number, "", "") for number in range(1, 301)))
    coins = np.array([[is_in(who.own, played) for played in range(10)] for who in people])
    assert binomtest(int(coins.sum()), coins.size).pvalue > 1e-3
    pairs = [coins[:-1] == coins[1:], coins[:, :-1] == coins[:, 1:], coins[::2] == coins[1::2]]
    assert all(binomtest(int(alike.sum()), alike.size).pvalue > 1e-3 for alike in pairs)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
def test_the_noise_has_the_law_of_the_budget_and_tells_nothing_of_the_coin(epsilon: float) -> None:
    chosen, noise = settings(epsilon), Geometric(epsilon=epsilon)
    drawn_noise = np.array([published(chosen, own, 2) - OTHERS - is_in(own, 2) for own in range(6_000)])
    ends = np.arange(-3, 4)
    seen = [(drawn_noise <= end).sum() for end in ends]
    expected = np.diff([0.0, *noise.cdf(ends), 1.0]) * drawn_noise.size
    assert chisquare(np.diff([0, *seen, drawn_noise.size]), expected).pvalue > 1e-3
    coins = np.array([is_in(own, 2) for own in range(6_000)])
    assert (
        binomtest(int((coins == (drawn_noise > 0))[drawn_noise != 0].sum()), int((drawn_noise != 0).sum())).pvalue
        > 1e-3
    )


def test_what_is_dealt_stays_the_same_and_differs_by_person_and_round() -> None:
    dealt = [[published(settings(0.1), own, played) for played in range(10)] for own in (37, 38)]
    assert dealt == [[published(settings(0.1), own, played) for played in range(10)] for own in (37, 38)]
    assert dealt[0] == [7, -5, -15, 9, 9, 7, 13, 33, 10, 2]  # a room that is open when Riskline is renewed goes on
    assert len(set(dealt[0])) > 5
    assert dealt[0] != dealt[1]


def test_the_wall_says_what_guesses_prove_beside_the_true_budget() -> None:
    wall = PROOF.summary(settings(), right_and_wrong(73, 100), PLAIN)
    right = outcomes(right_and_wrong(73, 100))
    bounds = guess_epsilon_lower(right)
    assert (right.sum(), right.size) == (73, 100)
    assert wall.answer.startswith(f"**73 of 100** guesses right: ε is at least **{bounds[-1]:.2g}** (95 in 100 sure).")
    assert wall.answer.endswith("The true ε is **1**.")
    assert "never a proof of privacy" in wall.small_print
    assert "In at most 5 of 100 rooms this limit is above the true ε." in wall.sentences[0]
    assert "can show no more than **3.07**" in wall.sentences[1]
    assert "right 73 of 100 times" in wall.sentences[1]
    assert wall.picture is not None
    columns = wall.picture.numbers
    assert np.array_equal(columns.column("bound").values, bounds.round(2))
    assert list(columns.column("guess").values) == list(range(1, 101))
    assert columns.column("true").values == (1.0,)
    assert columns.column("most").values[-1] == guess_epsilon_lower(np.ones(100))[-1].round(2)


def test_guesses_that_prove_nothing_say_so_and_a_large_room_is_drawn_by_some_points() -> None:
    assert "no ε is ruled out" in PROOF.summary(settings(), right_and_wrong(5, 12), PLAIN).answer
    wall = PROOF.summary(settings(rounds=10), class_of(100, settings(rounds=10)), PLAIN)
    assert wall.picture is not None
    drawn_at = wall.picture.numbers.column("guess").values
    assert (len(drawn_at), drawn_at[0], drawn_at[-1]) == (proof.MOST_DRAWN, 1, 1_000)


def test_the_order_of_the_line_tells_nobodys_guess() -> None:
    """Whoever exchanges a right guess for another's wrong one changes nothing, and early guesses are no safer."""
    answers = right_and_wrong(12, 40)
    other = [
        ParticipantAnswer(
            Participant(own, "", "", own=own), {"proof_guesses": IN if is_in(own, 0) == (own > 28) else OUT}
        )
        for own in range(1, 41)
    ]
    assert np.array_equal(outcomes(answers), outcomes(other))
    assert np.array_equal(outcomes(answers), outcomes(answers[::-1]))
    orders = [outcomes([one, *answers]) for one in right_and_wrong(300, 300)[50:]]
    assert len({order.tobytes() for order in orders}) > 200
    first = Counter(order[0] for order in orders)
    assert binomtest(first[1.0], len(orders), 13 / 41).pvalue > 1e-3


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_a_limit_of_the_line_is_above_the_truth_in_at_most_5_of_100_classes(epsilon: float) -> None:
    """As many classes as that, dealt and guessed as in a room; how often is counted here and not computed there."""
    chosen, tried = settings(epsilon, rounds=5), 150
    above = 0
    for seed in range(1, tried + 1):
        answers = class_of(12, chosen, seed=1_000 * seed)
        above += bool(guess_epsilon_lower(outcomes(answers), level=proof.LEVEL).max() > epsilon)
    assert binomtest(above, tried, 0.05, alternative="greater").pvalue > 1e-3
    assert above < 0.1 * tried


def test_more_than_a_lucky_class_is_proved_by_many_guesses() -> None:
    """Half of the true budget is passed by 200 people: a limit that is always 0 would be covered, too."""
    wall = PROOF.summary(settings(), class_of(200, settings()), PLAIN)
    assert wall.picture is not None
    assert 0.5 < wall.picture.numbers.column("bound").values[-1] <= 1.0


def test_a_class_that_is_told_a_smaller_budget_than_its_noise_has_refutes_it() -> None:
    answers = class_of(100, settings(2.0))
    wall = PROOF.summary(settings(1.0), answers, PLAIN)
    assert wall.picture is not None
    assert wall.picture.numbers.column("bound").values[-1] > 1.0


def test_the_nearer_count_is_right_as_often_as_the_budget_lets_anybody_be() -> None:
    right = outcomes(class_of(300, settings(rounds=10)))
    assert binomtest(int(right.sum()), right.size, 1 / (1 + math.exp(-1.0))).pvalue > 1e-3


def test_an_answer_is_a_guess_for_each_of_the_first_rounds_and_goes_on() -> None:
    for typed in ("i", "oi", "ioioi"):
        values = values_of(PROOF.answers, f"proof_guesses={typed}")
        assert PROOF.judged(settings(), values) == values
        assert text_of(PROOF.answers, values) == f"proof_guesses={typed}"
        assert PROOF.finished(settings(), values) == (len(typed) == 5)
    for typed in ("", "ioioii"):
        with pytest.raises(ValueError, match="1 to 5 guesses"):
            PROOF.judged(settings(), values_of(PROOF.answers, f"proof_guesses={typed}"))
    for typed in ("x", "I", "i" * 11, "1"):
        with pytest.raises(ValueError, match="must be i or o, at most 10 times"):
            values_of(PROOF.answers, f"proof_guesses={typed}")
    assert PROOF.goes_on
    sent = [text_of(PROOF.answers, {"proof_guesses": "ioioi"[:made]}) for made in range(1, 6)]
    assert all(later.startswith(earlier) for earlier, later in pairwise(sent))
    lengths = sorted(map(len, [sent[0], sent[4], sent[4]]))
    assert PROOF.progress(settings(), 4, lengths, PLAIN) == "**2 of 4** finished, 1 at round 2, 1 at round 1."


@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_a_phone_is_told_no_coin_before_the_result(voice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is asked and told is the same whichever way the coins fell, as long as published counts are."""
    style, chosen = Style(voice=voice), settings()
    monkeypatch.setattr(proof, "published", lambda _, own, played: 9 + played)

    def told(phase: Phase) -> list[Any]:
        found: list[Any] = []
        for made in range(6):
            text = f"proof_guesses={'ioioi'[:made]}" if made else None
            phone = Phone(room(started("proof", chosen, phase)), participant=Participant(3, "", "", own=37), sent=text)
            found += [join_view(JoinInputs(), style, phone), next_round(chosen, made, 37, style)]
        return found

    kept = {phase: told(phase) for phase in Phase}
    solved = own_rounds(chosen, "ioioi", 37, style)
    monkeypatch.setattr(proof, "is_in", lambda own, played: not is_in(own, played))
    assert {phase: told(phase) for phase in Phase} == kept
    assert own_rounds(chosen, "ioioi", 37, style) != solved


def test_ones_own_rounds_say_what_was_right() -> None:
    guesses = "".join(IN if is_in(37, played) else OUT for played in range(4)) + (OUT if is_in(37, 4) else IN)
    table = own_rounds(settings(), guesses, 37, PLAIN)
    assert table.caption == "Right in **4 of 5** rounds."
    assert [row[2] == row[3] for row in table.rows] == [True] * 4 + [False]
    assert [int(str(row[1]).replace("−", "-")) for row in table.rows] == [
        published(settings(), 37, at) for at in range(5)
    ]
    assert "Published: **" in next_round(settings(), 0, 37, PLAIN)
    assert f"**{OTHERS + 1}** with Ada, **{OTHERS}** without" in next_round(settings(), 0, 37, PLAIN)


def test_either_database_keeps_the_first_guesses_and_every_replica_deals_the_same(rooms_database: str) -> None:
    one, other = RoomStore(rooms_database), RoomStore(rooms_database)
    opened = one.open_room()
    code, key, people = opened.code, opened.moderator_key, [new_key() for _ in range(3)]
    one.start(code, key, "proof", text_of(PROOF.settings, settings()), **PROOF.kept(settings()))
    own = []
    for place, me in enumerate(people):
        one.join(code, me)
        (one, other)[place % 2].answer(code, me, 1, "proof_guesses=io")
        assert other.answer(code, me, 1, "proof_guesses=oooo").kept_first
        dealt = [store.on_a_phone(code, me).participant for store in (one, other)]
        own += [who.own for who in dealt if who is not None]
    assert own[::2] == own[1::2]
    assert len(set(own)) == 3
    other.answer(code, people[0], 1, "proof_guesses=ioi")
    one.set_phase(code, key, 1, Phase.SHOWN)
    (result,) = other.results(code, key)
    answers = fitting(PROOF, settings(), result.answers)
    assert [(answer.who.own, answer.values["proof_guesses"]) for answer in answers] == [
        *zip(own[::2], ("ioi", "io", "io"), strict=True)
    ]
    assert outcomes(answers).size == 7
    one.end(code, key)
    for store in (one, other):
        store.close()
