"""The hierarchy view: what the upper level adds, that the belief about the siblings decides, printed beside exact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcore.attacks import two_levels
from dpcore.attacks.many_levels import effective_rho
from dpcore.attacks.siblings import FLAT, sparse_prior, sum_noise_error
from dpcore.census import LEVELS, TOTAL_RHO, census_tables
from riskline.case.fields import read_query
from ui.pictures.style import Style
from ui.views.block import BlockInputs, block_view
from ui.views.block.attack import Attack, attack_of
from ui.views.hierarchy import FIELDS, HierarchyInputs, hierarchy_view
from ui.views.hierarchy.choices import BELIEFS, SIBLINGS_ABOVE, encode_levels
from ui.views.hierarchy.view import Attacked, build_up, clicked_release, gains, map_axes
from ui.words.phrasing import UP, frequency, plain_number

PLAIN, TECHNICAL = Style(), Style(voice="technical")


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (
            {},
            "With nothing known of other blocks, the larger area makes",
        ),
        ({"belief": "bounded", "largest": 6}, "With at most 6 such people in the group, the larger area makes"),
        ({"belief": "point", "total": 3}, "With exactly 3 in the group, the larger area makes"),
        ({"belief": "sparse"}, "With hardly anybody else nearby, the larger area makes"),
    ],
)
def test_the_first_sentence_says_under_which_belief_the_larger_area_adds_what(
    chosen: dict[str, object], said: str
) -> None:
    attacked = Attacked(HierarchyInputs(**chosen), PLAIN)
    answer = hierarchy_view(attacked.inputs, PLAIN).answer
    alone, after = frequency(attacked.alone), frequency(attacked.belief(attacked.inputs.belief))
    assert answer.startswith(f"The block alone makes it **{alone}** likely that somebody is counted. {said}")
    assert answer.endswith(f" it **{after}**.")


def attack_on_the_block(inputs: BlockInputs) -> Attack:
    return attack_of(inputs, PLAIN)


def test_as_both_pages_open_the_block_alone_is_told_as_the_page_about_one_block_tells_it() -> None:
    opened, block = hierarchy_view(HierarchyInputs(), PLAIN), block_view(BlockInputs(), PLAIN)
    assert "The block alone makes it **54 in 100** likely that somebody is counted." in opened.answer
    assert "believes it **54 in 100** likely" in block.answer
    attack = attack_on_the_block(BlockInputs())
    assert attack.rate == pytest.approx(HierarchyInputs().rhos[0], rel=1e-6)
    assert int(attack.drawn[0]) == HierarchyInputs().x1
    assert block.numbers[0][1] == "56 in 100"
    assert opened.numbers[-1][1:] == ("24 in 100", "56 in 100 from the block alone")


def test_as_in_2020_every_table_is_read_and_one_count_has_half_of_what_a_record_costs() -> None:
    every, one = HierarchyInputs(), HierarchyInputs(budget="table")
    settings = {
        name: [t for t in census_tables(levels=[name]) if t.query != "total" or name != "state"] for name in LEVELS
    }
    for rho, alone, level in zip(every.rhos, one.rhos, LEVELS[::-1], strict=True):
        assert rho == pytest.approx(sum(float(table.rho) for table in settings[level]) / 2, rel=1e-6)
        assert alone == pytest.approx(float(settings[level][-1].rho) / 2, rel=1e-6)
    assert sum(every.rhos) == pytest.approx(1.7292273288643758 / 2, rel=1e-6)
    half = replace(every, total_rho=every.total_rho / 2)
    assert half.rhos == pytest.approx([rho / 2 for rho in every.rhos])
    assert [HierarchyInputs(budget=code).of_readings for code in ("census", "table", "own")] == [True, False, False]


def test_averages_of_readings_are_called_estimates_and_those_of_one_table_are_not() -> None:
    for inputs, said in ((HierarchyInputs(), True), (HierarchyInputs(budget="table"), False), (OWN, False)):
        plain, technical = (hierarchy_view(inputs, style).small_print for style in (PLAIN, TECHNICAL))
        assert ("right guesses estimated" in plain) is said
        assert ("normal noise (estimate)" in technical) is said
        assert ("everyone of other kinds" in plain) is said
    attacked = Attacked(HierarchyInputs(), PLAIN)
    assert attacked.effects("flat") == two_levels.effects_of_readings(
        block=1, group=1, design=attacked.inputs.design("flat")
    )
    single = Attacked(HierarchyInputs(budget="table"), PLAIN)
    assert single.effects("flat") == two_levels.effects(block=1, group=1, design=single.inputs.design("flat"))


@pytest.mark.parametrize(("prior", "rho", "seed"), [(0.5, 0.0992, 7), (0.1, 0.5, 3), (0.8, 0.05, 4), (0.02, 2.0, 11)])
def test_the_block_alone_has_the_numbers_of_the_page_about_one_block(prior: float, rho: float, seed: int) -> None:
    attack = attack_on_the_block(BlockInputs(prior=prior, level="own", rho=rho, seed=seed))
    known, published = attack.target.known, int(attack.drawn[0])
    here = Attacked(HierarchyInputs(prior=prior, budget="own", rho_block=rho, x1=published, known=known), PLAIN)
    assert here.alone == pytest.approx(float(attack.after[0]), rel=1e-9)
    right = float(attack.count.probability_right())
    assert here.effects("flat").block_only == pytest.approx(right, rel=1e-9)


def test_the_answer_shows_the_exact_posterior_of_the_core() -> None:
    design = two_levels.TwoLevels(
        rho_block=HierarchyInputs().rhos[0], rho_group=HierarchyInputs().rhos[1], siblings=27, prior=0.5
    )
    exact = float(two_levels.posterior(2, 1, -1, design=design))
    assert frequency(exact) in hierarchy_view(HierarchyInputs(), PLAIN).answer
    assert f"{exact:.4f}" in hierarchy_view(HierarchyInputs(), TECHNICAL).answer


@pytest.mark.parametrize(("belief", "right"), [("flat", "24"), ("sparse", "68")])
def test_the_belief_about_the_siblings_turns_the_conclusion(belief: str, right: str) -> None:
    view = hierarchy_view(HierarchyInputs(belief=belief), PLAIN)
    assert view.beliefs is not None
    assert (
        f"**{right} in 100** guesses about somebody counted, the only one in the group, are right."
        in view.beliefs.reading
    )
    other = "With hardly anybody else nearby" if belief == "flat" else "With nothing known of other blocks"
    assert f"{other}, this release leads to **{'63' if belief == 'flat' else '46'} in 100**" in view.beliefs.reading


@pytest.mark.parametrize("belief", BELIEFS)
@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_every_belief_has_a_complete_view(belief: str, style: Style) -> None:
    view = hierarchy_view(HierarchyInputs(belief=belief), style)
    assert view.refusal is None
    assert view.map is not None
    assert view.beliefs is not None
    assert len(view.beliefs.table.rows) == len(BELIEFS)


@pytest.mark.parametrize(("belief", "name"), [("bounded", "largest"), ("point", "total")])
def test_a_group_that_cannot_hold_the_target_is_refused(belief: str, name: str) -> None:
    inputs = replace(HierarchyInputs(belief=belief, known=4), **{name: 4})
    assert "must hold one more than the 4 known" in (hierarchy_view(inputs, PLAIN).refusal or "")
    assert hierarchy_view(replace(inputs, belief="flat"), PLAIN).refusal is None


def test_the_picture_is_the_decision_map_of_the_core() -> None:
    inputs = HierarchyInputs(belief="sparse")
    view = hierarchy_view(inputs, PLAIN)
    assert view.map is not None
    panels, across, up = map_axes(inputs)
    exact = two_levels.decision_map(
        design=two_levels.TwoLevels(
            rho_block=inputs.rhos[0],
            rho_group=inputs.rhos[1],
            siblings=27,
            prior=0.5,
            sibling_prior=sparse_prior(empty=0.99),
        ),
        block_counts=panels,
        group_counts=across,
        sibling_sums=up,
    )
    tiles = np.asarray(view.map.figure.data[0].z)
    assert np.allclose(tiles[:, :9], exact.posteriors[0].T, atol=1e-6)
    assert np.isnan(tiles[:, 9]).all()
    dark_line = np.asarray(view.map.figure.data[1].x, dtype=float)
    assert (~np.isnan(dark_line)).sum() > 0
    assert "<b>−2</b><br>no" in view.map.figure.layout.xaxis.ticktext
    assert str(view.map.figure.layout.xaxis.title.text).endswith("panels: group, −3 to 5")


def test_a_clicked_tile_is_the_release_it_shows() -> None:
    inputs = HierarchyInputs()
    view = hierarchy_view(inputs, PLAIN)
    assert view.map is not None
    marks = view.map.figure.data[2]
    for index in (0, 500, 2222):
        released = dict(zip(("x1", "x2", "y"), (int(value) for value in marks.customdata[index][:3]), strict=True))
        assert clicked_release(inputs, float(marks.x[index]), float(marks.y[index])) == released
    assert clicked_release(inputs, 9, 0) == {}
    assert clicked_release(inputs, -5, 0) == {} == clicked_release(inputs, 0, 900)


def test_the_map_follows_the_release_and_a_point_belief() -> None:
    panels, across, up = map_axes(HierarchyInputs(x1=8, x2=9, y=-37))
    assert 8 in panels
    assert 9 in across
    assert -37 in up
    _, across, up = map_axes(HierarchyInputs(belief="point", total=25, x2=25, y=24))
    assert 25 in across
    assert 24 in up
    far = hierarchy_view(HierarchyInputs(x1=500), PLAIN)
    assert far.refusal is None
    assert far.map is not None
    assert len(far.map.figure.data) == 3


def test_the_error_of_the_approximate_noise_is_told() -> None:
    told = "total variation distance of at most one in a billion here"
    assert told in hierarchy_view(HierarchyInputs(), PLAIN).computed
    assert "off by" not in hierarchy_view(HierarchyInputs(), PLAIN).small_print
    lavish = HierarchyInputs(total_rho=100.0, siblings=2)
    attacked = Attacked(lavish, PLAIN)
    assert attacked.error == pytest.approx(
        sum(
            sum_noise_error(terms=2, rho=100 * float(table.rho / TOTAL_RHO) / 2)
            for table in census_tables(levels=["block"])
        )
    )
    assert attacked.error > 0.05
    assert (
        f"others' noise approximated: error at most {plain_number(attacked.error, 2, UP)}"
        in hierarchy_view(lavish, PLAIN).small_print
    )
    assert lavish.design("flat").noise == "approximate"
    loud = HierarchyInputs(budget="own", rho_block=1.0, rho_group=1.0)
    assert loud.design("flat").noise == "exact"
    assert "off by" not in hierarchy_view(loud, PLAIN).small_print
    assert "total variation distance of at most 0.00057 here" in hierarchy_view(loud, PLAIN).computed


def test_six_levels_add_almost_nothing_to_two_unless_everybody_is_known() -> None:
    picture = build_up(HierarchyInputs(), TECHNICAL)
    assert "0.051449 → 0.053345 → 0.053347" in picture.reading
    assert "**0.6573**" in picture.reading
    assert [row[5] for row in picture.table.rows] == ["0.51254", "0.59222", "0.62735", "0.64787", "0.65284", "0.65729"]


def test_the_flat_belief_is_the_design_without_any_choice() -> None:
    assert HierarchyInputs().design("flat").sibling_prior is FLAT


OWN = HierarchyInputs(budget="own", rho_block=3.0, rho_group=10.0, siblings=2)


@pytest.mark.parametrize("inputs", [HierarchyInputs(), OWN])
def test_the_small_print_says_the_change_and_experts_read_what_the_production_file_hides(
    inputs: HierarchyInputs,
) -> None:
    plain, technical = (hierarchy_view(inputs, style) for style in (PLAIN, TECHNICAL))
    assert "Against somebody who knows the rest of the block" in plain.small_print
    change = "adds or removes one record" if inputs.budget == "own" else "replaces one record (number known)"
    assert plain.small_print.endswith(f"one change {change}.")
    assert "one count moves by 1 on each level" in technical.small_print
    for view in (plain, technical):
        assert "so one count has half of its ρ (production settings, `dpcore.census`)" in view.computed


@pytest.mark.parametrize("inputs", [HierarchyInputs(), OWN])
def test_what_the_levels_add_is_told_in_numbers_and_stays_below_the_limit(inputs: HierarchyInputs) -> None:
    reading = build_up(inputs, TECHNICAL).reading
    rho = inputs.rhos[0]
    last = effective_rho(inputs.rhos, siblings=(inputs.siblings, *SIBLINGS_ABOVE))
    limit = rho * (1 + 1 / inputs.siblings)
    assert rho < last < limit
    assert f"→ {plain_number(last, 5)} (" in reading
    assert f"≤ {plain_number(limit, 5, UP)} whatever lies above; presence of one person, add or remove" in reading
    beliefs = [Attacked(inputs, PLAIN).fine(float(belief)) for belief in gains(inputs)[1][[0, 1, -1]]]
    plain = build_up(inputs, PLAIN).reading
    assert f"**{beliefs[0]}** from the block, **{beliefs[1]}** with the group, **{beliefs[2]}** with all" in plain
    assert "almost nothing" not in plain  # with one's own budgets the group can add a third


def test_levels_above_can_be_of_ones_own_or_none() -> None:
    none = replace(OWN, rho_above=(), siblings_above=())
    assert [row[0] for row in build_up(none, PLAIN).table.rows] == ["block", "+ block group"]
    three = replace(OWN, rho_above=(0.5,), siblings_above=(4,))
    picture = build_up(three, PLAIN)
    assert [row[0] for row in picture.table.rows] == ["block", "+ block group", "+ level 3"]
    last = effective_rho((3.0, 10.0, 0.5), siblings=(2, 4))
    assert "with all 3 levels; knowing everyone else" in picture.reading
    assert f"→ {last:.5g} (" in build_up(three, TECHNICAL).reading
    assert "round numbers of ours" not in picture.numbers.caption
    refused = hierarchy_view(replace(OWN, rho_above=(0.5, 0.5), siblings_above=(4,)), PLAIN).refusal
    assert refused == "Levels above the group need as many ρ as areas; got 2 and 1."
    assert hierarchy_view(replace(HierarchyInputs(), rho_above=(0.5,)), PLAIN).refusal is None  # those of 2020 count


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "rho_above",
            "0.1 20",
            "“ρ on each level above”: must be from 0.005 to 10; got 20.",
        ),
        ("siblings_above", "2.5", "must be whole numbers from 1 to 10,000; got 2.5"),
        ("rho_above", "1 " * 9, "must be at most 8 numbers; got 9"),
    ],
)
def test_levels_above_that_cannot_be_used_are_refused(name: str, text: str, told: str) -> None:
    (refusal,) = read_query(FIELDS, {name: text}).refusals
    assert told in refusal.sentence
    assert "was replaced by " + encode_levels(HierarchyInputs.__dataclass_fields__[name].default) in refusal.sentence


def test_the_block_alone_does_not_protect_at_a_large_budget() -> None:
    view = hierarchy_view(OWN, PLAIN)
    assert view.beliefs is not None
    assert "**96 in 100** guesses about somebody counted" in view.beliefs.reading
    assert "are right." in view.beliefs.reading


def test_a_belief_that_is_almost_nothing_is_told_as_that() -> None:
    inputs = HierarchyInputs(belief="sparse", x1=-7815, prior=0.6)
    told = hierarchy_view(inputs, TECHNICAL).answer
    assert "x₁* = -7815: **below 1e-15**; at D = (-7815, 1, -1): **below 1e-15**" in told
    assert "e-1" not in hierarchy_view(inputs, PLAIN).answer
