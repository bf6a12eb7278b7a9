"""The hierarchy view: what the upper level adds, that the belief about the siblings decides, printed beside exact."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from dpcore.attacks import two_levels
from dpcore.attacks.many_levels import effective_rho
from dpcore.attacks.siblings import FLAT, sparse_prior
from riskline.case.fields import read_query
from tests.gaussian_counts import gaussian
from ui.pictures.style import Style
from ui.views.block import BlockInputs, block_view
from ui.views.block.attack import Attack
from ui.views.hierarchy import FIELDS, HierarchyInputs, hierarchy_view
from ui.views.hierarchy.attacked import BELIEFS, PRESENCE, SIBLINGS_ABOVE, Attacked, encode_levels
from ui.views.hierarchy.folds import after_fitting, build_up, noise_of_sums, printed_beside_exact
from ui.views.hierarchy.view import clicked_release, map_axes
from ui.views.shared.table_choice import chosen_table, chosen_target
from ui.words.catalogue import say
from ui.words.phrasing import UP, frequency, plain_number

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def test_the_first_sentence_says_what_the_hierarchy_adds_and_what_decides() -> None:
    answer = hierarchy_view(HierarchyInputs(), PLAIN).answer
    assert "57 in 100" in answer
    assert "50 in 100" in answer
    assert "63 in 100" in answer
    assert answer.startswith("Say the attacker has no idea how many such people live nearby, any number being as ")
    assert "depends on this belief about the other blocks" in answer


def attack_on_the_block(inputs: BlockInputs) -> Attack:
    table = chosen_table(inputs)
    return Attack(inputs, table, chosen_target(table, inputs), PLAIN)


def test_as_both_pages_open_the_block_alone_is_told_as_the_page_about_one_block_tells_it() -> None:
    opened, block = hierarchy_view(HierarchyInputs(), PLAIN), block_view(BlockInputs(), PLAIN)
    told = re.match(r"(Before: \S+ in 100\*\*\.) (After this release)(: \*\*57 in 100\*\*)", block.answer)
    assert told is not None
    assert f"{told[1]} {told[2]} of the block alone{told[3]}" in opened.answer
    attack = attack_on_the_block(BlockInputs())
    assert attack.budget == HierarchyInputs().rhos[0]
    assert int(attack.drawn[0]) == HierarchyInputs().x1
    assert attack.promise == PRESENCE
    right = "call is right: **59 of 100 times** about somebody who is counted"
    assert any(right in picture.reading for picture in block.pictures)
    assert right.replace(": **59 of 100 times**", " **32 of 100 times**") in opened.conclusion
    assert "from the block alone **59 of 100 times**" in opened.conclusion


@pytest.mark.parametrize(("prior", "rho", "seed"), [(0.5, 0.0992, 7), (0.1, 0.5, 3), (0.8, 0.05, 4), (0.02, 2.0, 11)])
def test_the_block_alone_has_the_numbers_of_the_page_about_one_block(prior: float, rho: float, seed: int) -> None:
    attack = attack_on_the_block(BlockInputs(prior=prior, level="own", rho=rho, seed=seed))
    known, published = attack.target.known, int(attack.drawn[0])
    here = Attacked(HierarchyInputs(prior=prior, budget="own", rho_block=rho, x1=published, known=known), PLAIN)
    assert here.alone == pytest.approx(float(attack.after[0]), rel=1e-9)
    right = float(attack.right(np.asarray(rho), "present"))
    assert here.effects("flat").block_only == pytest.approx(right, rel=1e-9)


def test_the_answer_shows_the_exact_posterior_of_the_core() -> None:
    design = two_levels.TwoLevels(
        rho_block=HierarchyInputs().rhos[0], rho_group=HierarchyInputs().rhos[1], siblings=27, prior=0.5
    )
    exact = float(two_levels.posterior(2, 1, -1, design=design))
    assert frequency(exact) in hierarchy_view(HierarchyInputs(), PLAIN).answer
    assert f"{exact:.4f}" in hierarchy_view(HierarchyInputs(), TECHNICAL).answer


def test_the_belief_about_the_siblings_turns_the_conclusion() -> None:
    flat = hierarchy_view(HierarchyInputs(), PLAIN).conclusion
    sparse = hierarchy_view(HierarchyInputs(belief="sparse"), PLAIN).conclusion
    assert "is right **32 of 100 times** about somebody who is counted, the only one of their kind" in flat
    assert "from the block alone **59 of 100 times**" in flat
    assert "is right **66 of 100 times** about somebody who is counted, the only one of their kind" in sparse
    assert "from the block alone **59 of 100 times**" in sparse


@pytest.mark.parametrize("belief", BELIEFS)
@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_every_belief_has_a_complete_view(belief: str, style: Style) -> None:
    view = hierarchy_view(HierarchyInputs(belief=belief), style)
    assert view.refusal is None
    assert view.map is not None
    assert view.beliefs is not None
    assert len(view.beliefs.table.rows) == len(BELIEFS)


def test_the_chain_is_said_to_be_inferred_and_differs_from_the_exact_belief() -> None:
    view = hierarchy_view(HierarchyInputs(chain="published"), PLAIN)
    assert view.map is not None
    assert "by our inference" in view.map.reading
    assert "58 in 100" in view.map.reading
    table = printed_beside_exact()
    assert table.rows[0][1:] == ("57.0 %", "50.3 %", "57.8 %")
    assert "inference of ours" in say("hierarchy", "plain", "printed")
    assert "inferred by us" in say("hierarchy", "technical", "printed")


def test_a_sparse_belief_has_no_printed_chain_and_the_page_says_so() -> None:
    view = hierarchy_view(HierarchyInputs(belief="sparse", chain="published"), PLAIN)
    assert view.refusal is not None
    assert "no version for a sparse belief" in view.refusal


@pytest.mark.parametrize(("belief", "name"), [("bounded", "largest"), ("point", "total")])
def test_a_group_that_cannot_hold_the_target_is_refused(belief: str, name: str) -> None:
    inputs = replace(HierarchyInputs(belief=belief, known=4), **{name: 4})
    assert "must be able to hold the 4 people" in (hierarchy_view(inputs, PLAIN).refusal or "")
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
    assert "off by at most one in a billion" in hierarchy_view(HierarchyInputs(), PLAIN).small_print
    loud = HierarchyInputs(budget="own", rho_block=1.0, rho_group=1.0)
    assert "follows its exact law" in hierarchy_view(loud, PLAIN).small_print
    assert "0.00057" in hierarchy_view(replace(loud, noise="approximate"), PLAIN).small_print


def test_six_levels_add_almost_nothing_to_two_unless_everybody_is_known() -> None:
    picture = build_up(HierarchyInputs(), TECHNICAL)
    assert "0.099226 → 0.10285 → 0.10285" in picture.reading
    assert "**0.6102**" in picture.reading
    assert [row[5] for row in picture.table.rows] == ["0.52367", "0.57455", "0.58385", "0.593", "0.60169", "0.61017"]
    assert build_up(HierarchyInputs(seed=2), PLAIN).reading != build_up(HierarchyInputs(), PLAIN).reading


def test_post_processing_stays_under_the_bound_and_passes_the_block_alone() -> None:
    picture = after_fitting(HierarchyInputs(), PLAIN)
    average = [float(str(row[1])) for row in picture.table.rows]
    assert average[0] == pytest.approx(0.5161, abs=5e-5)
    assert 0.52367 < average[-1] < 0.524503
    assert "5,246 in 10,000" in picture.reading
    assert "not a bound" in picture.reading


def test_no_sentence_promises_that_more_budget_never_helps() -> None:
    for style in (PLAIN, TECHNICAL):
        view = hierarchy_view(HierarchyInputs(), style)
        assert "never lowers" not in " ".join((view.answer, view.conclusion, view.computed))


def test_the_flat_belief_is_the_design_without_any_choice() -> None:
    assert HierarchyInputs().design("flat").sibling_prior is FLAT


def test_the_approximate_noise_of_a_sum_gets_worse_with_the_budget() -> None:
    rows = noise_of_sums(HierarchyInputs(), TECHNICAL).table.rows
    errors = {str(row[0]): str(row[1]) for row in rows}
    assert errors["1"] == "0.00057"
    assert float(errors["2"]) == pytest.approx(0.040, abs=1e-3)
    assert float(errors["3"]) == pytest.approx(0.16, abs=1e-2)
    assert "one in a billion" in noise_of_sums(HierarchyInputs(), PLAIN).reading


OWN = HierarchyInputs(budget="own", rho_block=3.0, rho_group=10.0, siblings=2)


@pytest.mark.parametrize("inputs", [HierarchyInputs(), OWN])
def test_the_small_print_says_secret_change_and_what_the_production_file_hides(inputs: HierarchyInputs) -> None:
    plain, technical = (hierarchy_view(inputs, style).small_print for style in (PLAIN, TECHNICAL))
    assert "whether a given person is in the data; one change is one record added or removed" in plain
    assert "(one record replaced by another): each count is then protected as with half of the ρ" in plain
    assert "Sensitivity 1" in technical
    assert "(replace) as in the public description" in technical


@pytest.mark.parametrize("inputs", [HierarchyInputs(), OWN])
def test_what_the_levels_add_is_told_in_numbers_and_stays_below_the_limit(inputs: HierarchyInputs) -> None:
    reading = build_up(inputs, PLAIN).reading
    rho = inputs.rhos[0]
    last = effective_rho(inputs.rhos, siblings=(inputs.siblings, *SIBLINGS_ABOVE))
    limit = rho * (1 + 1 / inputs.siblings)
    assert rho < last < limit
    assert f"one count with ρ = {plain_number(last, 5)} tells" in reading
    assert f"bring it over {plain_number(limit, 5, UP)}" in reading
    assert "one person added or removed" in reading
    assert "almost nothing" not in reading  # with one's own budgets the group can add a third


def test_levels_above_can_be_of_ones_own_or_none() -> None:
    none = replace(OWN, rho_above=(), siblings_above=())
    assert [row[0] for row in build_up(none, PLAIN).table.rows] == ["block", "+ block group"]
    three = replace(OWN, rho_above=(0.5,), siblings_above=(4,))
    picture = build_up(three, PLAIN)
    assert [row[0] for row in picture.table.rows] == ["block", "+ block group", "+ level 3"]
    last = effective_rho((3.0, 10.0, 0.5), siblings=(2, 4))
    assert f"with all 3 levels: about one person added or removed that is as much as one count with ρ = {last:.5g}" in (
        picture.reading
    )
    assert "round numbers of ours" not in picture.numbers.caption
    refused = hierarchy_view(replace(OWN, rho_above=(0.5, 0.5), siblings_above=(4,)), PLAIN).refusal
    assert refused == "Each level above the group needs a ρ and a number of other areas; got 2 ρ and 1 numbers."
    assert hierarchy_view(replace(HierarchyInputs(), rho_above=(0.5,)), PLAIN).refusal is None  # those of 2020 count


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "rho_above",
            "0.1 20",
            "“ρ of a count on each level above”: must lie in [0.005, 10]; got 20.",
        ),
        ("siblings_above", "2.5", "must be whole numbers from 1 to 10,000; got 2.5"),
        ("rho_above", "1 " * 9, "must be at most 8 numbers; got 9"),
    ],
)
def test_levels_above_that_cannot_be_used_are_refused(name: str, text: str, told: str) -> None:
    (refusal,) = read_query(FIELDS, {name: text}).refusals
    assert told in refusal.sentence
    assert "was replaced by " + encode_levels(HierarchyInputs.__dataclass_fields__[name].default) in refusal.sentence


def test_the_four_beliefs_are_told_by_their_numbers() -> None:
    view = hierarchy_view(OWN, PLAIN)
    assert view.beliefs is not None
    assert "if every number is as likely **96 of 100 times**" in view.beliefs.reading
    assert "from the block alone **95 of 100 times**" in view.beliefs.reading  # alone does not protect here


@pytest.mark.parametrize("rho", [0.1, 3.0, 10.0])
def test_whether_fitted_counts_pass_the_block_alone_is_counted(rho: float) -> None:
    inputs = HierarchyInputs(budget="own", rho_block=rho, siblings=27)
    picture = after_fitting(inputs, PLAIN)
    values = [float(str(row[1])) for row in picture.table.rows]
    alone = gaussian(rho, 0.5).marginal_posterior()
    passing = sum(value > alone + 1e-6 for value in values)
    assert (f"and {passing} of the 14 groups shown pass it" in picture.reading) == (passing > 0)
    assert ("none of the 14 groups shown passes it" in picture.reading) == (passing == 0)
    assert "the person is known to be in the group" in picture.reading


def test_a_belief_that_is_almost_nothing_is_told_as_that() -> None:
    inputs = HierarchyInputs(belief="sparse", x1=-7815, prior=0.6)
    told = hierarchy_view(inputs, TECHNICAL).answer
    assert "x₁* = -7815: **below 1e-15**; at D = (-7815, 1, -1): **below 1e-15**" in told
    assert "e-1" not in hierarchy_view(inputs, PLAIN).answer
