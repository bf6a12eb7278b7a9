"""What the page 'add_up' claims is what dpcore computes."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.mechanisms import DiscreteGaussian
from dpcore.totals import SampledPosterior, posterior_from_noisy, simulate_releases
from ui.pictures.style import Style
from ui.views import add_up
from ui.views.add_up import (
    DEFAULT_COUNTS,
    MOST_LEARNED,
    RULES,
    AddUpInputs,
    add_up_view,
    learned,
    learned_picture,
)

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def test_the_default_sentence_is_the_simulation() -> None:
    view = add_up_view(AddUpInputs(), PLAIN)
    drawn = simulate_releases(
        DEFAULT_COUNTS[0], epsilon_total=1, epsilon_parts=1, ties="lowest_index", size=2000, seed=1
    )
    bias = drawn.parts[:, 0].mean() - 435
    assert bias > 0.5
    assert f"With the likeliest split, the largest part's errors average **{bias:+.1f}** people" in view.answer
    assert f"(sd **{drawn.parts[:, 0].std():.2g}**)" in add_up_view(AddUpInputs(), TECHNICAL).answer
    assert view.spread is not None
    error, share = (
        np.abs(drawn.parts - DEFAULT_COUNTS[0]).mean(),
        np.abs(drawn.parts - np.maximum(drawn.noisy_parts, 0)),
    )
    assert f"Typical error: **{error:.3g}** with the likeliest split" in view.spread.reading
    assert f"The largest part takes **{100 * share[:, 0].sum() / share.sum():.0f} in 100**" in view.spread.reading


def test_the_even_handed_rule_is_nearer_on_the_largest_part() -> None:
    view = add_up_view(AddUpInputs(rule="remainder"), PLAIN)
    assert "With the even-handed rule" in view.answer
    assert "with the likeliest split" in view.answer
    assert view.spread is not None
    rows = view.spread.table.rows
    assert len(rows) == 10


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("source", ["own", "parts"])
@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_every_rule_adds_up_to_the_published_total(rule: str, source: str, style: Style) -> None:
    view = add_up_view(AddUpInputs(rule=rule, source=source, epsilon_total=0.5), style)
    assert view.one_draw is not None
    for row in view.one_draw.rows:
        if row[0] != "noisy":
            *parts, total_of_parts, total = (int(str(cell)) for cell in row[1:])
            assert sum(parts) == total_of_parts == total
            assert min(parts) >= 0


def test_a_total_that_the_parts_cannot_change_is_said() -> None:
    same = add_up_view(AddUpInputs(source="parts", epsilon_total=1, epsilon_parts=1), PLAIN)
    assert "the parts cannot change the total" in same.note
    assert add_up_view(AddUpInputs(source="parts", epsilon_total=0.5), PLAIN).note == ""


def test_all_zero_counts_and_a_single_part_are_answered() -> None:
    assert "shared equally" in add_up_view(AddUpInputs(counts=((0, 0),)), PLAIN).note
    assert add_up_view(AddUpInputs(counts=((7,),)), PLAIN).answer.startswith(
        "One part is its own total: its errors average **"
    )


def test_a_new_seed_is_a_new_draw() -> None:
    first, second = (add_up_view(AddUpInputs(seed=seed), PLAIN).one_draw for seed in (1, 2))
    assert first is not None
    assert second is not None
    assert first.rows[1] != second.rows[1]


def test_noisy_counts_tell_at_least_as_much_as_published_ones() -> None:
    inputs = AddUpInputs(counts=((250, 357),))
    found = learned(inputs)
    assert found.known == "exact"
    drawn = simulate_releases([250, 357], epsilon_total=1, epsilon_parts=1, ties="lowest_index", seed=1)
    exact = posterior_from_noisy(
        int(drawn.noisy_totals[0]), drawn.noisy_parts[0], epsilon_total=1, epsilon_parts=1
    ).standard_deviations
    assert found.noisy_deviation == pytest.approx(exact)
    assert found.released_deviation.sum() >= found.noisy_deviation.sum()
    for style in (PLAIN, TECHNICAL):
        assert "exact" in learned_picture(inputs, found, style).reading


def test_progress_can_stop_the_sampler() -> None:
    calls = []

    def tell(done: int, every: int) -> bool:
        calls.append(done)
        return done >= 120

    found = learned(AddUpInputs(counts=((5, 3, 2),)), tell)
    assert max(calls) == 120
    assert np.all(np.isfinite(found.released))


def test_a_total_noisier_than_its_parts_has_a_range() -> None:
    """The link /add_up?learn=yes&epsilon_parts=10 once said: within about 0, worth at least 1 independent draw."""
    inputs = AddUpInputs(learn=True, epsilon_total=1.0, epsilon_parts=10.0)
    found = learned(inputs)
    worth = int(found.known.split("at least ")[1].split(" ")[0])
    assert worth >= 300
    assert found.released_deviation[0] > 0.4
    assert "within about **0**" not in learned_picture(inputs, found, PLAIN).reading.split(" from the")[0]


def test_draws_worth_too_little_get_a_sentence_instead_of_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = SampledPosterior(np.tile(np.repeat(np.arange(4), 250).reshape(4, 250, 1), (1, 1, 3)))
    seen = []

    def stuck(*_: object, **asked: object) -> SampledPosterior:
        seen.append(asked["sweeps"])
        return apart

    monkeypatch.setattr(add_up.totals, "posterior_from_released", stuck)
    with pytest.raises(ValueError, match=r"worth only [0-9]+ independent draws; a range needs 100 whose chains agree"):
        learned(AddUpInputs(counts=((5, 3, 2),)))
    assert seen == [250, 1000]


def test_each_budget_is_said_with_its_secret_and_its_change() -> None:
    view = add_up_view(AddUpInputs(epsilon_total=0.5, epsilon_parts=0.7), PLAIN)
    assert "ε = 1.2 on whether somebody is there" in view.small_print
    assert "ε = 1.4 on which part" in view.small_print
    assert "Presence, one person added or removed: ε = 1.2" in view.computed
    assert "one person in another part and the total unchanged: ε = 1.4" in view.computed
    assert "ε = 1.2 on whether somebody is there" in view.small_print
    assert "ε = 1.4 on which part" in view.small_print


def test_what_would_take_too_long_or_means_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=f"parts must be at most {MOST_LEARNED}; got 25"):
        learned(AddUpInputs(counts=((1,) * 25,)))
    with pytest.raises(ValueError, match="one part is its own total"):
        learned(AddUpInputs(counts=((1,),)))


RHO = {"guarantee": "zero_concentrated", "rho_total": 0.05, "rho_parts": 0.2}


def test_a_rho_of_total_and_parts_is_the_simulation_and_is_said_for_its_change() -> None:
    view = add_up_view(AddUpInputs(**RHO), PLAIN)
    noises = {"noise_total": DiscreteGaussian(rho=0.05), "noise_parts": DiscreteGaussian(rho=0.2)}
    drawn = simulate_releases(DEFAULT_COUNTS[0], **noises, ties="lowest_index", size=2000, seed=1)
    assert f"errors average **{drawn.parts[:, 0].mean() - 435:+.1f}** people" in view.answer.replace("−", "-")
    assert "2,000 simulated releases, discrete Gaussian noise" in view.small_print
    assert "ρ = 0.25 on whether somebody is there, ρ = 0.4 on which part" in view.small_print
    assert view.python is not None
    found: dict[str, float] = {}
    exec(view.python.text, found)
    assert found["answer"] == drawn.parts[:, 0].mean() - 435


def test_the_budgets_of_a_rho_are_renyi_divergences_of_the_noisy_counts() -> None:
    """Order 3, by enumeration: a person added changes the total and a part, one who moves two parts."""
    u = np.arange(-80.0, 81.0)

    def divergence(rho: float) -> float:
        noise = DiscreteGaussian(rho=rho)
        return float(np.logaddexp.reduce(3 * noise.log_pmf(u) - 2 * noise.log_pmf(u - 1)) / 2)

    inputs = AddUpInputs(**RHO)
    total, parts = (divergence(rho) / 3 for rho in inputs.spent)
    view = add_up_view(inputs, TECHNICAL)
    assert f"ρ_total + ρ_parts = {total + parts:.2g}" in view.small_print
    assert f"2 ρ_parts = {2 * parts:.1g}" in view.small_print


def test_the_parts_can_always_change_a_total_under_a_rho() -> None:
    one, other = (add_up_view(AddUpInputs(source=source, **RHO), PLAIN) for source in ("own", "parts"))
    assert other.note == ""
    assert one.one_draw is not None
    assert other.one_draw is not None
    assert one.one_draw.rows[2] != other.one_draw.rows[2]


def test_noisy_counts_tell_at_least_as_much_as_published_ones_under_a_rho() -> None:
    inputs = AddUpInputs(counts=((9, 4),), learn=True, **RHO)
    found = learned(inputs)
    assert (found.noisy_deviation <= found.released_deviation + 1e-9).all()
    assert "exact" in learned_picture(inputs, found, PLAIN).reading
