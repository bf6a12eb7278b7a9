"""A reader's own two files: what is taken, what is refused, and which lines are drawn from them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dpcore.public_information import METHODS, error_lines
from ui.pictures.style import Style
from ui.views import public_information
from ui.views.public_information import (
    EPSILONS,
    OwnRecords,
    PublicInformationInputs,
    arriving,
    public_information_view,
    read_private,
    with_public,
)

PLAIN, TECHNICAL = Style(), Style(voice="technical")
CHOSEN = PublicInformationInputs(side="helps", data="own", rounds=3, repeats=2)


def file_of(records: int, *, columns: int = 3, levels: int = 3, seed: int = 1) -> bytes:
    drawn = np.random.default_rng(seed).integers(0, levels, size=(records, columns))
    head = ",".join(f"c{column}" for column in range(columns))
    every = [[level] * columns for level in range(levels)]  # so that each column has all its levels
    return "\n".join([head, *(",".join(f"v{level}" for level in row) for row in [*every, *drawn.tolist()])]).encode()


@pytest.fixture(scope="module")
def alone() -> OwnRecords:
    return read_private(file_of(997))


@pytest.fixture(scope="module")
def both(alone: OwnRecords) -> OwnRecords:
    return with_public(alone, file_of(97, seed=2))


def test_the_lines_are_those_of_the_files(both: OwnRecords) -> None:
    assert both.public is not None
    found = list(arriving(CHOSEN, both))
    direct = error_lines(
        both.workload,
        both.private.rows,
        both.public.rows,
        epsilons=EPSILONS,
        delta=CHOSEN.delta,
        rounds=3,
        marginal_rounds=3,
        repeats=2,
        seed=1,
    )
    assert found == list(direct)
    assert tuple(line.method for line in found) == METHODS
    for style in (PLAIN, TECHNICAL):
        view = public_information_view(CHOSEN, style, found, both)
        assert view.refusal is None
        assert "invented" not in view.small_print + view.computed + view.answer
        assert "27" in view.small_print  # 3 tables of 9 shares
        assert view.picture is not None


def test_without_a_public_file_the_others_are_drawn_and_the_page_says_why(alone: OwnRecords) -> None:
    found = list(arriving(CHOSEN, alone))
    assert tuple(line.method for line in found) == alone.methods == ("gaussian", "no_public_data")
    for style in (PLAIN, TECHNICAL):
        view = public_information_view(CHOSEN, style, found, alone)
        assert ("need a public file" if style is PLAIN else "need a second file") in view.note
        assert "**1,000** records" in view.answer
        assert view.picture is not None


def test_before_a_file_is_there_the_page_says_whom_it_shows() -> None:
    assert "No file" in public_information_view(CHOSEN, PLAIN).note


@pytest.mark.parametrize("bound", ["MOST_FLOOR_PAIRS", "MOST_FLOOR_SHARES"])
def test_lines_that_would_take_too_long_are_left_out_and_told(alone: OwnRecords, monkeypatch, bound: str) -> None:
    many = read_private(file_of(60, columns=12))
    assert many.workload.domain == 3**12
    assert "no_public_data" not in many.methods
    assert "531,441 possible records" in public_information_view(CHOSEN, PLAIN, (), many).note
    monkeypatch.setattr(public_information, bound, 10)
    wide = with_public(alone, file_of(97, seed=2))
    assert "best_mixture" not in wide.methods
    assert "“Best these rows allow” takes too long" in public_information_view(CHOSEN, PLAIN, (), wide).note


def test_few_private_records_are_warned_about_at_the_same_delta(alone: OwnRecords) -> None:
    loose = PublicInformationInputs(side="helps", data="own", delta=0.001)
    assert "1,000 records" in public_information_view(loose, PLAIN, (), alone).note


def test_what_the_page_cannot_draw_is_refused_with_a_sentence(alone: OwnRecords, monkeypatch) -> None:
    with pytest.raises(ValueError, match="columns must be at least 2; got 1"):
        read_private(b"sex\nf\nm\n")
    with pytest.raises(ValueError, match="shares must be at most 5,000; got 10,000"):
        read_private("\n".join(["a,b", *(f"{i},{i}" for i in range(100))]).encode())
    with monkeypatch.context() as smaller:
        smaller.setattr(public_information, "MOST_COUNTED", 20)
        with pytest.raises(ValueError, match="records times tables must be at most 20; got 21"):
            read_private(file_of(4))
    with pytest.raises(ValueError, match="row 2, column 'c1': a category must be one of the levels of the other file"):
        with_public(alone, b"c0,c1,c2\nv0,v9,v0\n")
    rows = "\n".join(",".join(f"v{level}" for level in row) for row in product(range(3), repeat=3))
    with pytest.raises(ValueError, match="public records must be at most 20,000; got 20,007"):
        with_public(alone, ("c0,c1,c2\n" + "\n".join([rows] * 741)).encode())
