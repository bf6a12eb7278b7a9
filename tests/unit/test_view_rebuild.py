"""The rebuild view: the most likely block beside the guess, uniqueness told, the sweep that can be stopped."""

from __future__ import annotations

import itertools
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from dpcore.attacks.reconstruction import draw_tables, guess_from_shares, people_right, rebuild, redistricting_tables
from dpcore.populations import public_shares_of_synthetic_blocks, read_counts, synthetic_block
from tests.each import each
from ui.pictures.people import PeopleGrid
from ui.pictures.style import Style
from ui.views.rebuild import AT_ONCE, RebuildInputs, rebuild_view
from ui.views.rebuild.searches import DRAWS, NOISES, SWEPT, chosen_block, keep, search, sweep, unsettled

PROTECTIONS = ["discrete_gaussian", "geometric", "none", "round_random", "round_nearest", "cell_key", "suppress"]
PLAIN, TECHNICAL = Style(), Style(voice="technical")


def test_the_answer_sets_the_rebuilt_block_beside_the_guess() -> None:
    made = synthetic_block(45, seed=1)
    tables = redistricting_tables(made.cells)
    released = draw_tables(made.counts[0], tables=tables, budget=0.1, seed=1)
    found = rebuild(released, tables=tables, budget=0.1)
    assert found.counts is not None
    right = people_right(found.counts, made.counts[0])
    guessed = people_right(guess_from_shares(public_shares_of_synthetic_blocks(), people=45), made.counts[0])
    for style in (PLAIN, TECHNICAL):
        answer = rebuild_view(RebuildInputs(), style, None, {}).answer
        assert f"**{right} of 45**" in answer
        assert f"**{guessed} of 45**" in answer
        assert right < guessed
        assert answer.endswith(" This rebuilding gained nothing.")
    better = rebuild_view(RebuildInputs(rho=50.0), PLAIN, None, {}).answer  # hardly any noise
    assert int(better.partition(" of 45")[0].rpartition("**")[2]) > guessed
    assert "did its work" not in better


def test_whether_the_block_is_the_only_one_is_said() -> None:
    assert "; other blocks fit as well." in rebuild_view(RebuildInputs(), PLAIN, None, {}).small_print
    own = read_counts("place,adult,child\nA,9,3\nB,4,4\n")
    inputs = RebuildInputs(source="table", table="own", rho=50.0)
    view = rebuild_view(inputs, PLAIN, own, {})
    assert "; no other block fits as well." in view.small_print
    assert "**12 of 12**" in view.answer


def test_how_many_blocks_fit_is_what_enumeration_finds() -> None:
    own = read_counts("place,adult,child\nA,4,3\nB,4,4\n")
    for chosen in (
        {"noise": "round_nearest", "base": 3},
        {"noise": "round_random"},
        {"noise": "suppress"},
        {"noise": "none"},
    ):
        inputs = RebuildInputs(source="table", table="own", **chosen)
        tables = chosen_block(inputs, own).tables
        released = draw_tables([4, 3], tables=tables, noise=inputs.protection, seed=inputs.seed)
        fitting = 0
        for block in itertools.product(range(20), repeat=2):
            sums = tables.answers(block).tolist()
            if inputs.method is None:
                fitting += sums == released.tolist()
            else:
                laws = [inputs.method.law(total).logs for total in sums]
                fitting += all(value in law for value, law in zip(released.tolist(), laws, strict=True))
        for style in (PLAIN, TECHNICAL):
            told = f"**{fitting}** {'block fits' if fitting == 1 else 'blocks fit'} these tables."
            view = rebuild_view(inputs, style, own, {})
            assert view.grids_reading.startswith(f"{told} ")
            assert view.answer.count("**") == 4  # two numbers: the third belongs in the next line


def test_where_too_many_blocks_fit_the_number_is_a_lower_bound() -> None:
    view = rebuild_view(RebuildInputs(noise="round_random"), PLAIN, None, {})
    assert view.grids_reading.startswith("At least **1,000,000** blocks fit these tables.")
    assert view.stated == ()
    assert not any("ρ" in " ".join(row) for row in view.numbers)  # nothing is spent that adds up


def test_the_same_seed_gives_the_same_block_and_another_seed_another() -> None:
    views = [rebuild_view(RebuildInputs(seed=seed), PLAIN, None, {}) for seed in (1, 1, 2)]
    assert views[0].grids == views[1].grids
    assert views[0].grids != views[2].grids


@pytest.mark.parametrize("noise", PROTECTIONS)
def test_every_noise_has_a_complete_view(noise: str) -> None:
    for style in (PLAIN, TECHNICAL):
        view = rebuild_view(RebuildInputs(noise=noise, people=20), style, None, {})
        assert view.refusal is None
        assert view.grids.html.count("<svg") == 2
        assert view.rate is not None
        assert view.grids is not None


def test_the_grids_count_what_their_table_lists() -> None:
    view = rebuild_view(RebuildInputs(seed=4), PLAIN, None, {})
    assert view.grids is not None
    assert view.grids.table.columns[:2] == ("kind", "there")
    panels = view.grids.html.split("<figure")[1:]
    for place, panel in enumerate(panels, start=2):
        assert f"<figcaption>{view.grids.table.columns[place]}</figcaption>" in panel
        rows = [(int(str(row[1])), int(str(row[place]))) for row in view.grids.table.rows]
        assert panel.count('class="right"') == sum(min(there, guessed) for there, guessed in rows)
        assert panel.count('class="missed"') == sum(max(there - guessed, 0) for there, guessed in rows)
        assert panel.count('class="invented"') == sum(max(guessed - there, 0) for there, guessed in rows)


def test_right_and_wrong_differ_by_shape_and_are_counted_in_words() -> None:
    grid = PeopleGrid("Guess", (("a <script>", 3, 2), ("b", 0, 2), ("c", 1, 1)))
    assert (grid.people, grid.right, grid.invented) == (4, 3, 2)
    drawn = grid.drawing(PLAIN)
    assert drawn.count('<path class="right"') == 3
    assert drawn.count('<g class="missed"') == 1
    assert drawn.count('<rect class="invented"') == 2
    assert "of 4 people, 3 right (filled), 1 missed (crossed out); 2 invented" in drawn
    assert "<script>" not in drawn


def test_a_table_of_ones_own_is_guessed_from_its_other_places() -> None:
    own = read_counts("place,adult,child,elder\nA,9,3,0\nB,4,4,1\n")
    block = chosen_block(RebuildInputs(source="table", table="own", place=1), own)
    assert block.shares.tolist() == [4, 4, 1]
    alone = chosen_block(RebuildInputs(source="table", table="own"), read_counts("place,adult,child\nA,9,3\n"))
    assert alone.shares.tolist() == [1, 1]
    small = read_counts("place,adult,child\nA,4,2\n")
    view = rebuild_view(RebuildInputs(source="table", table="own", noise="none"), PLAIN, small, {})
    assert view.grids is not None
    assert view.grids.table.columns[3] == "Guessed from equal shares"
    assert "equal shares" in view.small_print


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        (RebuildInputs(source="table", table="39-14"), "must hold from 1 to 100 people; got 209"),
        (RebuildInputs(source="table", place=7), "place must be a whole number from 1 to 1; got 7"),
    ],
)
def test_a_block_that_cannot_be_rebuilt_gets_a_sentence(inputs: RebuildInputs, words: str) -> None:
    refusal = rebuild_view(inputs, PLAIN, None, {}).refusal
    assert refusal is not None
    assert words in refusal.replace("Place", "place")


def test_too_many_kinds_get_a_sentence() -> None:
    header = ",".join(f"kind {number}" for number in range(400))
    own = read_counts(f"place,{header}\nA,{','.join(['1'] * 20 + ['0'] * 380)}\nB,{','.join(['1'] * 400)}\n")
    refusal = rebuild_view(RebuildInputs(source="table", table="own"), PLAIN, own, {}).refusal
    assert refusal == "Block must have at most 300 kinds of people; got 400."


def unheard(done: int, total: int) -> None:
    """Nobody follows."""


def test_a_stopped_sweep_keeps_what_is_done_and_goes_on_from_there() -> None:
    inputs, done, told = RebuildInputs(people=12, sweep=True), dict[Any, Any](), list[tuple[int, int]]()
    running = sweep(inputs, None, progress=lambda step, wanted: told.append((step, wanted)))
    keep(done, [next(running) for _ in range(len(SWEPT))])
    running.close()
    assert told == [(step, DRAWS * len(SWEPT)) for step in range(len(SWEPT))]
    view = rebuild_view(inputs, PLAIN, None, done)
    assert view.rate is not None
    assert f"in {len(SWEPT)} of {DRAWS * len(SWEPT)} draws" in view.rate.reading
    assert [row[1] for row in view.rate.table.rows] == [1] * len(SWEPT)
    keep(done, [next(sweep(inputs, None, len(SWEPT), progress=unheard))])
    again = rebuild_view(inputs, PLAIN, None, done)
    assert again.rate is not None
    assert [row[1] for row in again.rate.table.rows] == [2] + [1] * (len(SWEPT) - 1)


def test_tables_with_more_budget_are_right_more_often_in_this_block() -> None:
    inputs, done = RebuildInputs(people=20), dict[Any, Any]()
    keep(done, sweep(inputs, None, progress=unheard))
    view = rebuild_view(inputs, PLAIN, None, done)
    assert view.rate is not None
    average = [float(str(row[3])) for row in view.rate.table.rows]
    assert np.mean(average[-2:]) > np.mean(average[:2])


def test_a_page_waits_a_moment_and_leaves_the_rest_to_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    page = import_module("ui.views.rebuild.searches")

    real, allowed = page.rebuild, list[float]()

    def slow(*args: Any, time_limit: float, **words: Any) -> Any:
        """A block that takes four seconds to prove."""
        allowed.append(time_limit)
        found = real(*args, time_limit=time_limit, **words)
        return found if time_limit >= 4 else replace(found, status="best in time", unique=None)

    monkeypatch.setattr(page, "rebuild", slow)
    monkeypatch.setattr("ui.views.rebuild.view._in_python", lambda *_: None)  # its lines name the real one
    inputs, done = RebuildInputs(people=8, limit=20.0), dict[Any, Any]()
    assert "not proven the most likely" in rebuild_view(inputs, PLAIN, None, done, wait=AT_ONCE).small_print
    assert allowed == [AT_ONCE, AT_ONCE]
    assert unsettled(inputs, None, done)
    assert not unsettled(replace(inputs, limit=1.0), None, done)
    keep(done, search(inputs, None, progress=unheard))
    assert allowed == [AT_ONCE, AT_ONCE, 20.0, 20.0]
    assert not unsettled(inputs, None, done)
    assert "solved exactly" in rebuild_view(inputs, PLAIN, None, done).small_print
    assert len(allowed) == 4


@each("choices", [{"size_known": True}, {"rho": 0.2}, {"seed": 5}, {"noise": "geometric"}, {"people": 9}, {"block": 3}])
def test_a_search_for_other_choices_is_not_taken_for_these(choices: dict[str, Any]) -> None:
    shown, done = dict[str, Any](people=10, rho=0.02, seed=4), dict[Any, Any]()
    before = rebuild_view(RebuildInputs(**shown), PLAIN, None, done)
    inputs = RebuildInputs(**shown | choices)
    after, anew = (rebuild_view(inputs, PLAIN, None, found) for found in (done, dict[Any, Any]()))
    assert before.grids is not None
    assert after.grids is not None
    assert anew.grids is not None
    assert after.grids.table == anew.grids.table != before.grids.table


def test_a_proven_search_needs_no_more_time() -> None:
    done: dict[Any, Any] = {}
    rebuild_view(RebuildInputs(people=8, limit=30.0), PLAIN, None, done)
    assert not unsettled(RebuildInputs(people=8, limit=30.0), None, done)


def test_one_person_pays_for_every_count_they_stand_in() -> None:
    view = rebuild_view(RebuildInputs(), PLAIN, None, {})
    block = chosen_block(RebuildInputs())
    assert block.tables.matrix.sum(axis=0).max() == 7
    assert ("One person, all counts", "ρ = 0.7", "whether they are there") in view.numbers


def test_a_proven_search_says_so() -> None:
    assert "solved exactly" in rebuild_view(RebuildInputs(people=6), PLAIN, None, {}).small_print


def test_nothing_found_in_time_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    page = import_module("ui.views.rebuild.searches")

    real = page.rebuild
    monkeypatch.setattr(
        page, "rebuild", lambda *args, **words: replace(real(*args, **words), counts=None, status="not found")
    )
    view = rebuild_view(RebuildInputs(people=5, limit=0.5), PLAIN, None, {})
    assert view.refusal == "No block was found within 0.5 seconds: allow more time or fewer people."
    view = rebuild_view(RebuildInputs(people=5, limit=5.0), PLAIN, None, {}, wait=1.5)
    assert view.refusal == "No block was found within 1.5 seconds; the search goes on."


def test_a_search_that_ran_out_of_time_is_not_called_the_most_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    page = import_module("ui.views.rebuild.searches")

    real = page.rebuild
    monkeypatch.setattr(page, "rebuild", lambda *args, **words: replace(real(*args, **words), status="best in time"))
    monkeypatch.setattr("ui.views.rebuild.view._in_python", lambda *_: None)  # its lines name the real one
    view = rebuild_view(RebuildInputs(people=5), PLAIN, None, {})
    assert "not proven the most likely" in view.small_print


def test_the_budget_of_one_person_is_told_for_presence_and_for_a_value() -> None:
    """Seven counts hold a person: adding one changes seven by one. Another kind changes at most ten."""
    block = chosen_block(RebuildInputs())
    counts = block.tables.matrix
    added = max(int(abs(counts[:, kind]).sum()) for kind in range(counts.shape[1]))
    assert added == 7
    moved = max(
        int(abs(counts[:, one] - counts[:, other]).sum())
        for one in range(counts.shape[1])
        for other in range(counts.shape[1])
    )
    assert moved == 10
    view = rebuild_view(RebuildInputs(rho=0.1), PLAIN)
    spent = {note: value for _, value, note in view.numbers if note}
    assert spent == {"whether they are there": "ρ = 0.7", "which kind they are": "ρ = 1"}
    assert "Each count hides one record added or removed." in view.small_print
    assert "ρ = 0.7 in all by addition for presence (add or remove), ρ = 1 for a value (up to 10 rows" in view.computed


def test_an_exact_number_of_people_leaves_presence_without_a_promise() -> None:
    view = rebuild_view(RebuildInputs(size_known=True), PLAIN)
    assert "Presence is not protected: the size is exact." in view.small_print
    assert "hides one record added" not in view.small_print
    assert [note for _, _, note in view.numbers if note] == ["which kind they are"]
    assert "not protected" not in rebuild_view(RebuildInputs(), PLAIN).small_print


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_a_budget_is_missed_only_where_there_is_no_noise(style: Style) -> None:
    for noise in NOISES:
        reading = rebuild_view(RebuildInputs(noise=noise), style).rate.reading
        assert ("no budget" in reading.lower()) == (noise == "none")


def test_the_difference_to_the_guess_is_the_attacks_not_the_releases() -> None:
    """Worse than the guess is no negative disclosure: who has the tables can leave them aside."""
    view = rebuild_view(RebuildInputs(), PLAIN)
    assert "An attacker who uses tables and shares can do better." in view.grids_reading
    assert "the difference to the baseline is no bound on what q̃ and the shares tell together" in view.computed
    assert "gave away" not in view.answer + view.computed


def test_tables_without_noise_are_not_called_noisy_and_cost_no_number() -> None:
    view = rebuild_view(RebuildInputs(noise="none"), PLAIN)
    assert "Rebuilding the block from its tables without noise gets" in view.answer
    assert not [name for name, *_ in view.numbers if "all counts" in name or "without noise" in name]
    for words in (view.answer, view.small_print, *map(str, view.numbers)):
        assert "noisy" not in words
        assert "unlimited" not in words
        assert "draw (" not in words
    assert "No noise, no guarantee." in view.small_print
    assert "without noise there is no guarantee to add up" in view.computed
    assert "Rebuilding the block from its noisy tables gets" in rebuild_view(RebuildInputs(), PLAIN).answer
