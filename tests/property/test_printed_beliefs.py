"""A belief before and the limit beside it are whole people of one number of them, true as printed and no looser."""

from __future__ import annotations

import math
import re

from hypothesis import assume, example, given
from hypothesis import strategies as st

from dpcore.semantics import posterior_upper
from ui.pictures.style import Style
from ui.views.shared.belief_before import LEAST_KEPT, rise
from ui.words.phrasing import decimal_belief, frequency, is_nearly_certain
from ui.words.quantities import Upper

WHOLE = re.compile(r"(\d[\d,]*) in (1[0,]*00)")
PRIORS = st.floats(1e-12, 1e-6) | st.floats(1e-6, 1 - 1e-6) | st.integers(1, 9_999).map(lambda many: many / 10_000)


def reach(prior: float, epsilon: float) -> float:
    """The limit from its odds: another route than the page's."""
    odds = prior / (1 - prior) * math.exp(epsilon)
    return odds / (1 + odds)


def whole(words: str) -> tuple[int, int]:
    """How many people of how many the words say."""
    said = WHOLE.fullmatch(words)
    assert said is not None, words
    return int(said[1].replace(",", "")), int(said[2].replace(",", ""))


@given(PRIORS, st.floats(0.001, 12), st.booleans())
@example(prior=1 / 6, epsilon=1.0, typed=False)
@example(prior=0.125, epsilon=math.log(4), typed=False)
@example(prior=1 / 12, epsilon=1.29, typed=True)
@example(prior=0.5, epsilon=5.0, typed=True)
@example(prior=0.75, epsilon=9.0, typed=False)
@example(prior=1.9e-12, epsilon=1.0, typed=False)
@example(prior=0.0119, epsilon=0.01, typed=False)
def test_the_printed_limit_is_the_tightest_at_the_printed_belief(prior: float, epsilon: float, typed: bool) -> None:
    def after(at: float) -> Upper:
        return Upper(posterior_upper(prior=at, epsilon=epsilon), frequency)

    found = rise(prior, after, Style(), typed=typed)
    (count, of), true = whole(found.words), reach(found.prior, epsilon)
    assert count / of == found.prior
    assert LEAST_KEPT * prior <= found.prior <= prior * (1 + 1e-12)
    if typed and round(prior * 10_000, 9) % 1 == 0:
        assert round(found.prior * 10_000, 9) == round(prior * 10_000, 9)
    if is_nearly_certain(found.after.value):  # above 9,999 in 10,000, no number of people is worth telling
        assert found.after.digits == f"nearly {of:,} in {of:,}"
        assert true > 0.9999 - 1e-12
        return
    most, of_as_many = whole(found.after.digits)
    assert of_as_many == of
    assert (most - 1) / of < true + 1e-12
    assert true - 1e-12 <= most / of < 1


@given(PRIORS, st.floats(0.001, 6), st.floats(0, 0.02))
def test_a_limit_that_keeps_a_line_is_not_printed_beyond_it(prior: float, epsilon: float, room: float) -> None:
    def accepted(at: float) -> float:
        return min(reach(at, epsilon) * (1 + room) + 1e-9, 1.0)

    found = rise(prior, lambda at: Upper(reach(at, epsilon), frequency), Style(), accepted=accepted)
    assume(not is_nearly_certain(found.after.value) and room > 1e-4)
    most, of = whole(found.after.digits)
    assert most <= accepted(found.prior) * of + 1e-6


@given(PRIORS, st.floats(0.001, 12))
def test_in_decimals_the_limit_is_that_of_the_printed_belief_too(prior: float, epsilon: float) -> None:
    found = rise(prior, lambda at: Upper(reach(at, epsilon), decimal_belief), Style(voice="technical"))
    assert float(found.words) == found.prior <= prior * (1 + 1e-12)
    assert float(found.after.digits) >= reach(float(found.words), epsilon) * (1 - 1e-12)
