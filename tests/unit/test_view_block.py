"""The view of an attack on one block: its numbers are dpcore's, both voices, every kind of noise, refusals."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore.attacks.any_release import belief_upper
from dpcore.census import SECRETS, census_tables
from dpcore.guarantees import Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.populations import census_rho, read_counts
from dpcore.privacy_loss import ExactPosterior
from dpcore.promise import Promise, Secret
from riskline.case.fields import number_text, read_query, write_query
from riskline.case.methods import control_of
from tests.gaussian_counts import SIDE_OF, gaussian, gaussians
from ui.link.page_table import page_entry
from ui.pictures.marks import Line
from ui.pictures.style import Style
from ui.views.block import FIELDS, BlockInputs, block_view
from ui.views.block.attack import Attack, attack_of, times_as_likely
from ui.words.phrasing import UP, frequency, how_often, rate

PLAIN, TECHNICAL = Style(), Style(voice="technical")
RHO = census_rho("block")
PRESENCE = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)


def of_thesis(**chosen: object) -> BlockInputs:
    """The attack on one count of a block as the thesis reads it: presence, a record added or removed, Table 2.2."""
    return BlockInputs(**{"asked": "presence", "level": "own", "rho": RHO, "seed": 7, **chosen})  # type: ignore[arg-type]


def attack(**chosen: object) -> Attack:
    return attack_of(of_thesis(**chosen), PLAIN)


def test_the_first_sentence_says_before_and_after_and_the_cards_right_guessing_and_the_bound() -> None:
    view = block_view(of_thesis(), PLAIN)
    assert view.answer == (
        "After this published count, somebody who thought it **50 in 100** likely that this person is counted believes "
        "it **57 in 100** likely."
    )
    assert view.numbers == (
        ("Right guesses", "59 in 100", "50 in 100 without the count"),
        ("Average belief, at most", "55 in 100", "any release with this budget"),
    )


@pytest.mark.parametrize(
    "protected", [{"noise": "round_random"}, {"noise": "round_nearest", "base": 2}, {"noise": "cell_key"}]
)
@pytest.mark.parametrize("person", [1, 3])
def test_a_count_that_a_method_published_is_attacked_by_its_two_laws(protected: dict[str, object], person: int) -> None:
    one = attack(**protected, person=person, prior=0.2)
    worlds = control_of(one.inputs.noise, one.inputs).presence(one.target.known)
    published = int(one.drawn[0])
    assert one.after[0] == worlds.posterior_after(published, prior=0.2)
    view = block_view(one.inputs, PLAIN)
    after = worlds.posterior_after(published, prior=0.2)
    certain = {1.0: "is now **certain**.", 0.0: "**rules it out**."}
    said = certain.get(after, f"believes it **{PLAIN.belief(after)}** likely.")
    assert view.answer.endswith(f"likely that this person is counted {said}")
    assert view.release is not None
    laws = [mark for mark in view.release.marks if isinstance(mark, Line)]
    assert [(mark.joined, bool(mark.symbols)) for mark in laws] == [(False, True)] * 2
    assert [card[1] for card in view.numbers] == [
        PLAIN.belief(worlds.right_guess(prior=0.2)),
        rate(worlds.probability_certain()),
        rate(worlds.probability_certain(side="absent")),
    ]
    assert (view.risk, view.repeats, view.stated, view.explained) == (None, None, (), None)
    assert "promises nothing" in view.small_print
    many = one.law.simulate_counts(1, known=one.target.known, size=20_000, seed=1)
    assert one.count.marginal_posterior() == pytest.approx(one.posterior(many).mean(), abs=0.01)


@pytest.mark.parametrize(
    ("counted", "after", "said"), [(True, 1.0, "is now **certain**."), (False, 0.0, "**rules it out**.")]
)
def test_certainty_is_called_so_and_is_no_belief_of_100_in_100(counted: bool, after: float, said: str) -> None:
    drawn = [attack(noise="cell_key", person=1, counted=counted, seed=seed) for seed in range(40)]
    one = next(found for found in drawn if found.after[0] == after)
    assert block_view(one.inputs, PLAIN).answer.endswith(f"is counted {said}")
    nearly = attack(noise="cell_key", largest_noise=50, variance=1.0, person=1, prior=0.5)
    evidence = dict(zip(nearly.worlds.values, nearly.worlds.evidence, strict=True))
    last = max(value for value, each in evidence.items() if each < np.inf)
    assert evidence[last] > 40  # its belief is 1 as a float, and not certain
    object.__setattr__(nearly, "drawn", np.full(100, last))
    assert nearly.after[0] == 1.0
    assert nearly.context["believes"] == "believes it **100 in 100** likely"


def test_about_a_value_the_first_sentence_is_of_one_count_and_a_card_of_the_whole_table() -> None:
    """The right calls by their own sums: 0.5889 of one count, 0.6226 of two cells."""
    view = block_view(of_thesis(asked="value"), PLAIN)
    assert view.answer.startswith("After this count alone, somebody who thought it **50 in 100** likely that this")
    assert "person has the value believes it **57 in 100** likely" in view.answer
    assert [card[:2] for card in view.numbers[:2]] == [
        ("Right guesses", "59 in 100"),
        ("From the whole table", "62 in 100"),
    ]
    hundred = block_view(of_thesis(asked="value", draws="hundred"), PLAIN).answer
    assert hundred.startswith(
        "Over a hundred releases, each seen alone, a belief of **50 in 100** that this person has"
    )


@pytest.mark.parametrize(
    ("chosen", "kind"),
    [({}, "1940 census"), ({"table": "synthetic"}, "invented"), ({"table": "39-14"}, "1940 census")],
)
def test_the_small_print_says_who_the_people_are(chosen: dict[str, object], kind: str) -> None:
    assert f"Data: {kind}." in block_view(of_thesis(**chosen), PLAIN).small_print


def test_repeats_change_the_average_and_the_right_calls_by_the_law_of_so_many() -> None:
    view = block_view(of_thesis(prior=0.2, repeats=4), PLAIN)
    assert view.repeats is not None
    present = gaussians([RHO] * 4, 0.2).probability_right()
    absent = gaussians([RHO] * 4, 0.2).probability_right(side="absent")
    assert f"Guesses from all are right **{how_often(0.2 * present + 0.8 * absent)}**" in view.repeats.reading


def test_the_default_release_is_the_two_that_the_source_reads() -> None:
    shown = attack()
    assert shown.drawn[0] == 2
    assert shown.after[0] == pytest.approx(0.5739, abs=5e-5)
    assert "0.5739" in block_view(of_thesis(), TECHNICAL).answer


def test_one_seed_gives_one_picture_and_the_next_another() -> None:
    first, again, other = (block_view(of_thesis(seed=seed), PLAIN) for seed in (3, 3, 4))
    assert first.release is not None
    assert again.release is not None
    assert other.release is not None
    assert first.release.figure.to_json() == again.release.figure.to_json()
    assert first.release.figure.to_json() != other.release.figure.to_json()


def test_the_first_of_a_hundred_is_the_release_shown_alone() -> None:
    alone, hundred = attack(seed=11), attack(seed=11, draws="hundred")
    assert (alone.drawn == hundred.drawn).all()
    view = block_view(of_thesis(seed=11, draws="hundred"), TECHNICAL)
    assert f"averages **{frequency(float(hundred.after.mean()))}**" in block_view(hundred.inputs, PLAIN).answer
    hits = int((hundred.after > 0.5).sum())
    assert f"**{hits} of the 100**" in view.answer


def test_the_likelihood_ratio_on_the_picture_is_the_ratio_of_the_two_laws() -> None:
    for chosen in ({}, {"noise": "geometric"}, {"person": 1, "seed": 5}, {"hides": "answers"}):
        one = attack(**chosen)
        noisy, known = int(one.drawn[0]), one.target.known
        assert math.exp(one.evidence) == pytest.approx(one.noise.pmf(noisy - known - 1) / one.noise.pmf(noisy - known))


def test_laws_are_drawn_at_every_count_or_at_some_hundred_of_a_wide_one() -> None:
    narrow, wide = (attack(rho=rho).laws[0] for rho in (1e-3, 1e-8))
    assert set(np.diff(narrow)) == {1.0}
    assert 400 < wide.size <= 802


@pytest.mark.parametrize(("epsilon", "ends"), [(1.0, (0.01, 10.0)), (8.0, (0.01, 24.0)), (0.015, (0.005, 10.0))])
def test_the_curves_reach_a_factor_of_three_beyond_the_choice(epsilon: float, ends: tuple[float, float]) -> None:
    assert attack(noise="geometric", epsilon=epsilon).ends == pytest.approx(ends)


@pytest.mark.parametrize("chosen", [{}, {"noise": "geometric"}])
def test_names_of_the_risk_picture_stand_on_no_curve(chosen: dict[str, Any]) -> None:
    risk = block_view(BlockInputs(**chosen), PLAIN).risk
    assert risk is not None
    curves = [np.asarray(risk.numbers.column(mark.y).numbers) for mark in risk.marks if isinstance(mark, Line)]
    shares = np.linspace(0, 1, 400)
    budgets = np.log10(risk.numbers.column("budget").numbers)
    along = (budgets - budgets[0]) / (budgets[-1] - budgets[0])
    crossed = {}
    for mark, own in zip([one for one in risk.marks if isinstance(one, Line)], curves, strict=True):
        row = np.flatnonzero(np.isfinite(own))[mark.label]
        wide, (across, up) = 0.006 * len(risk.numbers.column(mark.y).name), mark.beside
        left = along[row] - wide * {"left": 0.0, "center": 0.5, "right": 1.0}[across]
        low = own[row] - 0.07 * {"bottom": 0.0, "middle": 0.5, "top": 1.0}[up]
        under = (shares > left + 0.005) & (shares < left + wide)
        heights = np.array([np.interp(shares, along, curve)[under] for curve in curves])
        crossed[mark.y] = ((heights > low + 0.025) & (heights < low + 0.055)).any()
    # between two curves that run close to each other there is no room
    assert [name for name in crossed if crossed[name] and name not in ("average", "table")] == []


def test_risk_picture_holds_bound_exact_and_average_in_order() -> None:
    risk = block_view(of_thesis(), PLAIN).risk
    lines = {trace.name: np.asarray(trace.y, dtype=float) for trace in risk.figure.data if trace.name}
    assert (lines["average: bound"] >= lines["average: exact"] - 1e-6).all()
    drawn = ~np.isnan(lines["5 in 100 higher"])
    assert (lines["5 in 100 higher"] >= lines["5 in 100 lower"])[drawn].all()
    marked = [shape for shape in risk.figure.layout.shapes if shape.yref == "paper"]
    assert [shape.x0 for shape in marked] == [RHO]
    assert risk.figure.layout.xaxis.ticktext == ("0.001", "0.01", "0.1", "1", "10")
    assert frequency(float(gaussian(RHO, 0.5).marginal_posterior())) in risk.reading


def test_an_answer_hidden_halves_the_budget_of_one_count() -> None:
    assert attack(hides="answers").rate == pytest.approx(RHO / 2)
    assert attack(hides="answers", noise="geometric").rate == 0.25
    view = block_view(of_thesis(hides="answers"), PLAIN)
    assert "half the budget" in view.sensitivity
    assert "as in 2020" in view.sensitivity


@pytest.mark.parametrize("noise", ["gaussian", "geometric"])
def test_repeats_multiply_to_the_last_belief(noise: str) -> None:
    view = block_view(of_thesis(noise=noise, repeats=8), PLAIN)
    assert view.repeats is not None
    rows = view.repeats.table.rows
    assert len(rows) == 8
    product = math.prod(float(str(row[2])) for row in rows)
    assert 0.5 * product == pytest.approx(float(str(rows[-1][3])), rel=2e-3)
    said = re.search(r"\*\*([^*]+) times\*\* as likely as before \((.+)\)", view.repeats.reading)
    assert said is not None
    told, factors = said.groups()
    assert f"{math.prod(map(float, factors.split(' × '))):.2f}" == told
    mechanism = Geometric(epsilon=0.5) if noise == "geometric" else DiscreteGaussian(rho=RHO)
    mean = ExactPosterior.of(mechanism, prior=0.5, releases=8).mean()
    assert float(str(rows[-1][4])) == pytest.approx(mean, abs=1e-5)


def test_the_question_keeps_the_numbers_of_one_count_and_sets_the_promise() -> None:
    views = {asked: block_view(of_thesis(asked=asked), PLAIN) for asked in ("presence", "value")}
    assert all("**57 in 100** likely" in view.answer for view in views.values())
    assert len({view.release.reading for view in views.values() if view.release}) == 2
    assert all(view.stated[0].promise.secret.value == asked for asked, view in views.items())


@pytest.mark.parametrize(
    ("former", "asked"),
    [("characteristics", "presence"), ("answered", "presence"), ("truthful", "value"), ("unknown_variable", "value")],
)
def test_the_four_questions_of_former_links_are_read_as_what_they_ask(former: str, asked: str) -> None:
    reading = read_query(FIELDS, {"question": former})
    assert reading.refusals == ()
    assert reading.values["asked"] == asked


def test_one_of_only_two_gives_the_belief_of_one_alone_and_its_count_stays_out_of_links() -> None:
    alone, two = (block_view(of_thesis(alike=people), PLAIN) for people in (None, 2))
    assert two.answer == alone.answer
    assert "The true count is **1** without the person and **2** with the person" in two.release.reading
    assert "your area" in two.release.reading
    assert two.small_print.endswith("Data: yours.")
    assert "or not in the data: the one you mean?" in two.release.reading
    assert alone.notes
    assert two.notes == ()  # they tell of a table that was printed
    assert "being one of many hides nobody" in two.alone
    assert write_query(FIELDS, vars(BlockInputs(alike=2))) == {}


BOUNDS = [
    # question, hides, noise: the bound by hand at one half, the changes, what the small print says of a change
    ("presence", "presence", "gaussian", 2 * RHO, "one change adds or removes one record"),
    ("value", "presence", "gaussian", 8 * RHO, "one change adds or removes one record"),
    ("value", "answers", "gaussian", 2 * RHO, "one change replaces one record"),
    ("presence", "presence", "geometric", 0.5, "one change adds or removes one record"),
    ("value", "presence", "geometric", 1.0, "one change adds or removes one record"),
    ("value", "answers", "geometric", 0.5, "one change replaces one record"),
]


@pytest.mark.parametrize(("question", "hides", "noise", "shift", "change"), BOUNDS)
def test_the_bound_on_any_release_follows_the_question_and_what_the_noise_hides(
    question: str, hides: str, noise: str, shift: float, change: str
) -> None:
    chosen = of_thesis(asked=question, hides=hides, noise=noise)
    view = block_view(chosen, PLAIN)
    bound = 1 / (1 + math.exp(-shift))
    assert view.stated[0].at_most == pytest.approx(bound)
    mean = "" if noise == "geometric" else " on average"
    assert f"Any release with this budget: at most **{frequency(bound, UP)}**{mean};" in view.risk.reading
    assert view.numbers[-1][1] == frequency(bound, UP)
    assert change in view.small_print
    assert bound <= float(block_view(chosen, TECHNICAL).numbers[-1][1]) <= bound + 1.1e-4
    assert ("count alone" in view.answer) == (question == "value")
    steps = 2 if question == "value" and hides == "presence" else 1
    assert f"changes between: {steps}." in view.risk.reading
    assert view.explained is not None
    asked = dict(view.explained.query)
    assert asked["prior"] == "0.5"
    assert asked["epsilon" if noise == "geometric" else "rho"] == ("0.5" if noise == "geometric" else number_text(RHO))


@pytest.mark.parametrize("hides", ["presence", "answers"])
@pytest.mark.parametrize("noise", ["gaussian", "geometric"])
def test_explicit_releases_of_a_value_stay_below_the_bound_and_one_count_is_not_all(hides: str, noise: str) -> None:
    """The histogram and the difference of the two cells, by their own sums."""
    one = attack(asked="value", hides=hides, noise=noise)
    view = block_view(one.inputs, PLAIN)
    z = np.arange(-80.0, 81.0)
    rate = one.budget / (2 if hides == "answers" else 1)
    mass = np.exp(-rate * (np.abs(z) if noise == "geometric" else z * z))
    mass /= mass.sum()
    loss = rate * ((np.abs(z) - np.abs(z + 1)) * -1 if noise == "geometric" else 2 * z + 1)
    both = np.add.outer(loss, loss).ravel()
    weights = np.outer(mass, mass).ravel()
    average = float(weights @ (1 / (1 + np.exp(-both))))
    assert f"from the whole table **{frequency(average)}**" in view.risk.reading
    top = view.stated[0].at_most
    assert average <= top
    if noise == "geometric":
        assert 1 / (1 + math.exp(-both.max())) == pytest.approx(top)  # the table reaches it
    elif hides == "presence":
        difference = float(mass @ (1 / (1 + np.exp(-rate * (4 * z + 4)))))
        assert belief_upper(ZeroConcentratedDP(rho=RHO), prior=0.5, promise=PRESENCE) < difference <= top


def test_noise_that_hides_answers_promises_nothing_about_who_is_in_the_data() -> None:
    view = block_view(of_thesis(hides="answers"), PLAIN)
    assert view.stated == ()
    assert view.explained is None
    assert view.numbers[-1][1:] == ("no bound", "answers are hidden, not presence")
    assert "promises nothing about presence" in view.small_print
    assert "Other releases: **no bound**, presence is not hidden." in view.risk.reading
    for picture in (view.risk, view.repeats):
        assert picture is not None
        assert not [trace.name for trace in picture.figure.data if "bound" in str(trace.name)]
        assert "bound, rounded up" not in picture.table.columns
    assert block_view(of_thesis(hides="answers", noise="geometric"), PLAIN).risk.reading.endswith(
        "presence is not hidden."
    )


def test_the_jump_of_the_curve_of_one_in_twenty_is_a_gap_and_is_said() -> None:
    risk = block_view(of_thesis(), PLAIN).risk
    low = next(trace for trace in risk.figure.data if trace.name == "5 in 100 lower")
    x, y = np.asarray(low.x, dtype=float), np.asarray(low.y, dtype=float)
    gaps = x[np.isnan(y)]
    assert gaps.max() == pytest.approx(2.89, abs=5e-3)
    assert "Gaps are jumps, the last at ρ = 2.89." in risk.reading
    at = int(np.flatnonzero(np.isnan(y))[-1])
    assert y[at - 1] == pytest.approx(1 / (1 + math.exp(2.8905)), abs=1e-3)  # noise of -1: odds e^-rho
    assert y[at + 1] == pytest.approx(1 / (1 + math.exp(-2.8905)), abs=1e-3)  # noise of 0: odds e^rho
    assert "ρ = 5.78" in block_view(of_thesis(hides="answers"), PLAIN).risk.reading
    assert "gap" not in block_view(of_thesis(noise="geometric"), PLAIN).risk.reading


def test_a_way_to_what_the_budget_means_carries_the_secret() -> None:
    way = block_view(of_thesis(asked="value", hides="answers", noise="geometric"), PLAIN).explained
    assert way is not None
    assert way.stem == "explain"
    names = {field.name for field in page_entry("explain").fields}
    handed = dict(way.query)
    assert set(handed) <= names
    if {"secret", "relation"} <= names:
        assert handed["secret"] == "value"
        assert handed["relation"] == "replace"


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL, Style(dark=True, large=True)])
@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"draws": "hundred", "counted": False},
        {"noise": "geometric", "prior": 0.02},
        {"table": "synthetic", "prior": 1e-6},
        {"level": "own", "rho": 1e-5, "prior": 0.999},
        {"level": "own", "rho": 100.0, "prior": 0.999999},
        {"noise": "geometric", "epsilon": 50.0, "repeats": 12},
        {"table": "39-14", "alike": 1_000_000_000},
    ],
)
def test_every_picture_of_extreme_choices_is_valid_and_has_words_and_rows(
    style: Style, chosen: dict[str, object]
) -> None:
    view = block_view(of_thesis(**chosen), style)
    assert view.refusal is None
    for picture in (view.release, view.risk, view.repeats):
        if picture is None:
            continue
        go.Figure(picture.figure.to_plotly_json())  # Plotly's own check of every property
        assert picture.reading
        assert "**" not in picture.alt
        assert picture.table.rows
        assert len(picture.table.rows) <= 400


def test_a_person_who_is_not_there_is_refused_in_a_sentence() -> None:
    view = block_view(of_thesis(person=99), PLAIN)
    assert view.refusal == "Person must be a cell with somebody in it; got 99."
    assert view.release is None


def test_labels_of_an_uploaded_table_stay_text() -> None:
    own = read_counts("block,<b>x</b>,=cmd\n<script>alert(1)</script>,1,2\n")
    view = block_view(of_thesis(table="own", person=2), PLAIN, own)
    assert view.release is not None
    assert "=cmd" in view.release.reading
    assert "<script>" in view.release.reading  # escaped where it is shown, in ui/frame/show.py


def test_a_ratio_reads_as_times() -> None:
    assert times_as_likely(1e-9) == "less than a millionth"
    assert times_as_likely(0.05) == "0.05 times"


def test_where_the_secret_is_a_value_nobody_is_told_to_be_missing_from_the_data() -> None:
    view = block_view(of_thesis(asked="value"), PLAIN)
    assert view.release is not None
    pictures = (view.release, view.risk)
    for picture in pictures:
        said = f"{picture.reading} {picture.alt} {picture.table.columns} {picture.figure.to_json()}"
        assert "not counted" not in said
        assert "counted" not in said.replace("counted in", "")
        assert "Without the person" not in said
    assert "has another" in str(view.release.table.columns)
    presence = block_view(of_thesis(), PLAIN)
    assert presence.release is not None
    assert "not counted" in str(presence.release.table.columns)


def test_the_sentences_put_each_number_in_its_own_place() -> None:
    view = block_view(of_thesis(prior=0.2, asked="value"), PLAIN)
    one = gaussian(census_rho("block"), 0.2)
    both = gaussians([census_rho("block")] * 2, 0.2)  # two cells teach as much as two releases of one
    rates = [frequency(float(law.marginal_posterior())) for law in (one, both)]
    assert rates[0] != rates[1]
    assert view.risk is not None
    assert f"averages **{rates[0]}**, from the whole table **{rates[1]}**." in view.risk.reading
    assert view.numbers[0][1:] == (frequency(one.average_probability_right()), "80 in 100 without the count")


@pytest.mark.parametrize("text", ["5e-324", "1e-300", "0"])
def test_a_prior_that_is_almost_nothing_is_refused_by_name(text: str) -> None:
    (refusal,) = read_query(FIELDS, {"prior": text}).refusals
    assert refusal.sentence.startswith("Belief before must be at least 1e-13 % and less than 100 %")


def test_under_geometric_noise_nothing_falls_between_jumps() -> None:
    for prior in (0.1, 0.9):
        found = attack(noise="geometric", prior=prior).count
        (jump,) = found.decision_jumps(lowest=0.01, highest=20.0)
        for budgets in (np.geomspace(0.01, jump * 0.999, 40), np.geomspace(jump * 1.001, 20, 40)):
            for side in SIDE_OF:
                assert (np.diff(found.over(budgets).probability_right(side=side)) >= -1e-12).all()


def test_the_alternative_text_of_a_hundred_releases_gives_no_average_to_one_of_them() -> None:
    hundred = attack(draws="hundred")
    told = block_view(of_thesis(draws="hundred"), PLAIN).release.told
    context = hundred.context
    assert f"between {context['lowest']} and {context['highest']}, on average {context['mean']}." in told
    alone = block_view(of_thesis(), PLAIN).release.told
    assert "on average" not in alone
    assert "After: 57 in 100." in alone


def test_a_question_about_a_value_never_says_that_somebody_is_not_counted() -> None:
    told = block_view(of_thesis(asked="value"), PLAIN).release.told
    assert "has the value and has another" in told
    assert "not counted" not in told


def test_as_in_2020_a_block_is_its_eleven_tables_and_noise_hides_a_replaced_record() -> None:
    opened, one = attack_of(BlockInputs(), PLAIN), attack_of(BlockInputs(tables="detailed"), PLAIN)
    assert opened.budget == pytest.approx(0.102897589869107, rel=1e-9)  # of census_2020.md: eleven tables
    assert one.budget == pytest.approx(float(census_tables(levels=["block"], queries=["detailed"])[0].rho), rel=1e-9)
    for attacked in (opened, one):
        assert attacked.relation is Relation.REPLACE
        assert attacked.rate == attacked.budget / 2
        assert attacked.promise == Promise(secret=Secret.VALUE, relation=Relation.REPLACE)
    assert (opened.of_readings, one.of_readings) == (True, False)
    state = attack_of(BlockInputs(level="state"), PLAIN).budget
    assert state == pytest.approx(0.0710170776, rel=1e-8), "its totals were published exactly"
    view = block_view(BlockInputs(), PLAIN)
    assert view.answer.endswith("this person has the value believes it **54 in 100** likely.")
    assert [card[1] for card in view.numbers] == ["56 in 100", "59 in 100", "56 in 100"]
    assert "for one count with all tables' budget" in view.small_print
    assert "tables'" not in block_view(BlockInputs(tables="detailed"), PLAIN).small_print
    assert "two counts: each has half the budget" in view.sensitivity
    assert int(opened.drawn[0]) == 2
    both = float(opened.whole_table.average_probability_right())
    bracket = SECRETS["record_within_state"].privacy_loss(census_tables(levels=["block"])).right_guess_bracket()
    assert bracket.low - 0.002 < both < bracket.high + 0.002


def test_who_is_in_the_data_is_not_promised_by_a_level_of_2020_whatever_is_said_to_be_hidden() -> None:
    for hides in ("presence", "answers"):
        view = block_view(BlockInputs(asked="presence", hides=hides), PLAIN)
        assert view.stated == ()
        assert "hiding answers promises nothing about presence" in view.small_print
    assert block_view(BlockInputs(asked="presence", level="own"), PLAIN).stated != ()


@pytest.mark.parametrize("prior", [0.5, 0.01, 0.999, 0.0005])
@pytest.mark.parametrize("draws", ["one", "hundred"])
def test_the_beliefs_before_and_after_are_told_out_of_one_number_of_people(prior: float, draws: str) -> None:
    view = block_view(BlockInputs(prior=prior, draws=draws, noise="geometric", epsilon=0.2), Style())
    assert len(set(re.findall(r"\d in ([\d,]*\d)", view.answer))) == 1, view.answer
