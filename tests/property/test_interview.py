"""Laws of the interview: whatever is answered, the line keeps every answer."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dpcore.profiles import DrawnLine
from riskline.case.interview import LEVELS, Interview, line_of, odds, read_answers
from riskline.case.points import checked_points
from ui.pictures.style import Style
from ui.views.choose import ChooseInputs
from ui.views.choose.answer import answered


@st.composite
def interviews(draw: st.DrawFn) -> tuple[Interview, tuple[tuple[float, float, bool], ...]]:
    """A finished interview, with each (prior, belief, accepted) that was said; contradictions mended in either way."""
    answers = draw(st.sampled_from("co")) + "t"
    said: list[tuple[float, float, bool]] = []
    while not (now := Interview(answers)).finished:
        if now.contradiction is not None:
            answers = draw(st.sampled_from((now.contradiction.raised, now.contradiction.lowered)))
        elif now.asked is not None:
            answers += str(draw(st.integers(0, len(LEVELS[now.asked]) - 1)))
        else:
            assert now.halving is not None
            letter = draw(st.sampled_from("yn"))
            said.append((*now.halving, letter == "y"))
            answers += letter
    for digit, (prior, levels) in zip(now.chosen, LEVELS.items(), strict=True):
        said += [(prior, level, place <= int(digit)) for place, level in enumerate(levels)]
    return now, tuple(said)


@given(interviews())
def test_the_line_of_a_finished_interview_rises_and_keeps_every_answer(
    found: tuple[Interview, tuple[tuple[float, float, bool], ...]],
) -> None:
    interview, said = found
    assert checked_points(interview.points) == interview.points
    assert all(before[1] <= after[1] for before, after in pairwise(interview.points))
    value = dict(interview.points)
    for prior, belief, accepted in said:
        assert value[prior] >= belief if accepted else value[prior] < belief
    assert 5 <= len(interview.answers) - 2 <= 7
    assert read_answers(interview.answers) == interview.answers


@given(interviews())
def test_the_budget_is_that_of_the_drawn_line_and_keeps_everything_that_was_refused(
    found: tuple[Interview, tuple[tuple[float, float, bool], ...]],
) -> None:
    interview, said = found
    answer = answered(ChooseInputs(**line_of(interview.answers)), Style())
    implied = DrawnLine(interview.points, kind="posterior", interpolation="posterior", along="membership", held=1.0)
    assert answer.implied.epsilon == implied.implied_epsilon().epsilon
    gaps = [odds(belief) - odds(prior) for prior, belief in interview.points]
    if answer.budget is None:
        assert min(gaps) == math.inf
        return
    assert 0.8 * min(gaps) <= answer.implied.epsilon <= min(gaps) + 1e-12
    for prior, belief, accepted in said:
        assert accepted or answer.reach(prior) < belief


@given(st.text("cotyn0123456", max_size=11))
def test_whatever_a_link_spells_is_refused_or_goes_on(text: str) -> None:
    try:
        interview = Interview(read_answers(text))
    except ValueError:
        return
    left = [interview.asked, interview.halving, interview.contradiction]
    assert interview.finished == (len(interview.chosen) == len(LEVELS) and left == [None] * 3)
    assert interview.finished or len(text) < 2 or any(step is not None for step in left)
    assert interview.finished or interview.left >= 1
    if interview.chosen and interview.contradiction is None:
        assert Interview(interview.back).left == interview.left + 1


def test_strict_answers_are_not_offered_below_the_belief_before() -> None:
    assert all(prior < level <= 1.0 for prior, levels in LEVELS.items() for level in levels)
    assert all(list(levels) == sorted(set(levels)) and levels[-1] == 1.0 for levels in LEVELS.values())


def test_either_way_out_of_a_contradiction_leaves_none() -> None:
    pairs = [Interview(f"ct{first}{second}") for first in range(7) for second in range(7)]
    found = [interview.contradiction for interview in pairs if interview.contradiction is not None]
    assert len(found) > 10
    assert all(Interview(one.raised).contradiction is None for one in found)
    assert all(Interview(one.lowered).contradiction is None for one in found)
