"""Laws of combined profiles: the minimum is the strictest, the mean is never stricter, its bracket holds everywhere."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpcore.profiles import CapOrRatio, LargestIncrease, LogOddsMean, PointwiseMinimum, RiskProfile

HELD = st.sampled_from([{"value_prior": 1.0}, {"value_prior": 0.3}, {"membership_prior": 0.05}])


@st.composite
def lines(draw: st.DrawFn) -> list[RiskProfile]:
    """Two to four templates along one belief."""
    held = draw(HELD)
    top = next(iter(held.values()))

    def one() -> RiskProfile:
        if draw(st.booleans()):
            return CapOrRatio(draw(st.floats(0, 0.9)) * top, draw(st.floats(1.01, 20)), **held)
        return LargestIncrease(draw(st.floats(0.001, 0.9)), **held)

    return [one() for _ in range(draw(st.integers(2, 4)))]


@given(lines(), st.floats(1e-6, 0.999))
def test_the_bracket_of_a_mean_holds_at_every_prior(members: list[RiskProfile], prior: float) -> None:
    mean = LogOddsMean(members)
    answer = mean.implied_epsilon()
    assert answer.lower <= mean.largest_epsilon(prior) * (1 + 1e-9)
    assert answer.lower <= answer.epsilon


@given(lines(), st.floats(1e-6, 0.999))
def test_the_minimum_is_never_looser_than_a_member_or_the_mean(members: list[RiskProfile], prior: float) -> None:
    least, mean = PointwiseMinimum(members), LogOddsMean(members)
    allowed = [member.highest_posterior(prior) for member in members]
    assert least.highest_posterior(prior) == min(allowed)
    assert min(allowed) - 1e-12 <= mean.highest_posterior(prior) <= max(allowed) + 1e-12
    assert least.implied_epsilon().epsilon <= mean.implied_epsilon().epsilon * (1 + 1e-9)
