"""Codes are read as people write them, keys are kept as hashes, wrong codes run out, the clock runs steadily."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.rooms import codes
from ui.rooms.clock import steady_clock
from ui.rooms.codes import CODE_LETTERS, Tries, hashed, new_code, new_key, read_code, read_key, same, wall_key
from ui.rooms.meeting import Phase, Room, RoomVersions, StartedActivity, dealt
from ui.rooms.refusals import RoomCode, RoomRefused


def test_a_code_has_six_letters_and_digits_that_nobody_confuses() -> None:
    drawn = [new_code() for _ in range(500)]
    assert {len(code) for code in drawn} == {6}
    assert set("".join(drawn)) == set(CODE_LETTERS) == set("ABCDEFGHJKMNPQRSTUVWXYZ23456789")
    assert len(set(drawn)) == 500


@given(st.lists(st.sampled_from(CODE_LETTERS), min_size=6, max_size=6), st.data())
def test_a_code_is_read_however_it_is_spaced(letters: list[str], data: st.DataObject) -> None:
    between = st.sampled_from(["", " ", "-", "\u00a0", "–", "\u200b", "\t"])
    written = "".join(data.draw(between) + data.draw(st.sampled_from([one, one.lower()])) for one in letters)
    assert read_code(written) == "".join(letters)


@pytest.mark.parametrize("text", ["", "ABC23", "ABC2345", "ABC10D", "ABCILO", "ÄBC234", "ABC.34"])
def test_what_is_no_code_is_refused_with_its_rule(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_code(text)
    assert str(refused.value) == f"must be six letters and digits without 0, O, 1, I and L; got {text!r}"


def test_a_long_text_is_not_repeated_whole() -> None:
    with pytest.raises(ValueError) as refused:
        read_code("A" * 10_000)
    assert len(str(refused.value)) < 120


def test_a_key_has_128_random_bits_and_is_read_as_it_was_made() -> None:
    drawn = [new_key() for _ in range(200)]
    assert len(set(drawn)) == 200
    assert [read_key(key) for key in drawn] == drawn


KEY = "WebYhHunK_C9fj5f5VJAiQ"


@pytest.mark.parametrize("text", ["", "short", KEY + "A", KEY[:-1], KEY[:-1] + " ", KEY + "\n"])
def test_what_is_no_key_is_refused_without_being_repeated(text: str) -> None:
    assert read_key(KEY) == KEY
    with pytest.raises(ValueError) as refused:
        read_key(text)
    assert str(refused.value) == "must be the 22 letters and digits of a key"


def test_a_key_is_kept_as_its_hash_and_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[Any, Any]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(codes, "compare_digest", compare)
    key = new_key()
    assert len(hashed(key)) == 32
    assert key.encode() not in hashed(key)
    assert same(key, hashed(key))
    assert not same(new_key(), hashed(key))
    assert len(compared) == 2
    assert not same("\ud800 no text that can be sent", hashed(key))


def test_the_eleventh_wrong_code_within_a_minute_is_refused() -> None:
    tries = Tries()
    for second in range(10):
        tries.check(now=1000.0 + second)
        tries.add_wrong(now=1000.0 + second)
    with pytest.raises(RoomRefused) as refused:
        tries.check(now=1059.9)
    assert refused.value.code is RoomCode.TOO_MANY_TRIES
    tries.check(now=1060.0)  # the first of them was a minute ago
    tries.add_wrong(now=1060.0)
    with pytest.raises(RoomRefused):
        tries.check(now=1060.5)
    tries.check(now=1200.0)
    for second in range(100):
        tries.add_wrong(now=2000.0 + second)
    assert len(tries.wrong) == tries.most, "no more of them are remembered than decide"


def test_a_refusal_goes_to_another_process_whole() -> None:
    for code in RoomCode:
        again = pickle.loads(pickle.dumps(RoomRefused(code)))
        assert (again.code, str(again)) == (code, str(RoomRefused(code)))
        assert str(again)


def test_the_clock_is_set_once_and_runs_by_itself() -> None:
    wall, steady = [5_000_000.0], [70.0]
    clock = steady_clock(lambda: wall[0], lambda: steady[0])
    assert clock() == 5_000_000.0
    wall[0] += 40 * 86_400  # somebody changes the system clock
    assert clock() == 5_000_000.0
    steady[0] += 30.0
    wall[0] = 0.0
    assert clock() == 5_000_030.0


def test_the_walls_key_is_a_key_of_its_own_that_the_moderators_key_alone_makes() -> None:
    moderator = "AAECAwQFBgcICQoLDA0ODw"
    assert wall_key(moderator) == read_key(wall_key(moderator)) == "_AFXof_YofzL4CvKXTNp9g"
    drawn = [new_key() for _ in range(200)]
    made = {wall_key(key) for key in drawn}
    assert len(made) == 200
    assert not made & set(drawn)


def test_what_is_dealt_is_the_same_anywhere_and_another_for_everybody_and_each_purpose() -> None:
    assert dealt(37, "proof 1 coin").hex() == "f3c9972c8dc5f3e88a6e3770e775f1a7be7592f0c3c7a45c442f1f28a03e5514"
    made = [dealt(own, purpose) for own in (0, 1, 37, 2**52) for purpose in ("coin", "noise", "")]
    assert len(set(made)) == len(made)
    ones = sum(int.from_bytes(dealt(own, "coin")).bit_count() for own in range(400))
    assert abs(ones - 128 * 400) < 6 * (64 * 400) ** 0.5  # six standard deviations of fair bits


@pytest.mark.parametrize(
    ("phase", "answered", "agreed", "withheld"),
    [
        *((Phase.CLOSED, 2, False, True), (Phase.CLOSED, 1, False, True), (Phase.CLOSED, 3, False, False)),
        *((Phase.CLOSED, 0, False, False), (Phase.CLOSED, 2, True, False), (Phase.OPEN, 2, False, False)),
        *((Phase.GONE, 2, False, False), (Phase.HIDDEN, 2, False, True), (None, 2, False, False)),
    ],
)
def test_a_result_of_one_or_two_answers_is_withheld_unless_they_agree(
    phase: Phase | None, answered: int, agreed: bool, withheld: bool
) -> None:
    running = None if phase is None else StartedActivity(1, "vote", "", phase)
    there = Room("ABC234", (), running, RoomVersions(1, 1), 9, answered, datetime.now(UTC), agreed=agreed)
    assert there.withheld is withheld
