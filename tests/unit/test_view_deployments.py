"""What the page 'deployments' claims: published digits kept, conversions named, nothing ranked across units."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from dpcore.census import SECRETS
from dpcore.deployments import converted, deployment, guarantee_of, published
from dpcore.guarantees import Relation, ZeroConcentratedDP
from dpcore.promise import Promise, Secret
from riskline.answers.published import census_as_run, meaning_of
from riskline.case.fields import read_query
from riskline.case.value import Case
from tests.each import each
from tests.reached_beliefs import changes, reached
from ui.pictures.style import Style
from ui.views.deployments.choices import (
    FIELDS,
    HOUSING,
    NAMES,
    PERSONS,
    SHORT,
    UNIT_KINDS,
    DeploymentsInputs,
    code_of,
)
from ui.views.deployments.view import DeploymentsView, deployments_view
from ui.views.public import PublicInputs, public_view
from ui.views.shared.promise import StatedBelief
from ui.views.shared.published_budgets import RELATION_NAMES
from ui.words.phrasing import frequency
from ui.words.quantities import Upper

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def told(name: str, secret: str = "value", prior: float = 0.5, style: Style = PLAIN) -> DeploymentsView:
    view = deployments_view(DeploymentsInputs(chosen=code_of(name), secret=secret, prior=prior), style)
    assert view.refusal is None
    return view


def belief_card(view: DeploymentsView) -> tuple[str, str]:
    """The highest belief after the release, and what stands below it."""
    ((value, note),) = ((value, note) for name, value, note in view.numbers if name == "Highest belief after")
    return value, note


@pytest.mark.parametrize("secret", ["presence", "value"])
@pytest.mark.parametrize("of", [{}, {"unit": "household", "group": 4}, {"unit": "days", "group": 7}])
def test_a_case_of_ones_own_comes_first_among_those_that_the_public_is_told_of(secret: str, of: dict[str, Any]) -> None:
    case = Case(ratio=3.0, secret=secret, **of)
    view = deployments_view(DeploymentsInputs(secret=secret), PLAIN, case)
    assert view.answer == public_view(PublicInputs(case=case), PLAIN).asked[-1].answer
    (told,) = re.findall(r"of ([0-9]+) published budgets", view.answer)
    names = {entry.name for entry in view.entries}
    assert len(names) == int(told) < len(published())
    assert view.about_chosen.startswith("**2020 Census redistricting data, persons**: ")
    every = deployments_view(DeploymentsInputs(secret=secret, every=True), PLAIN, case)
    assert len(every.entries) == len(published())
    assert every.answer == view.answer
    found = {name: value for name, value, _ in view.numbers}
    (guess,) = re.findall(r"right at most \*\*(.*?)\*\*", view.answer)
    assert next(value for name, value in found.items() if name.startswith("your case")) == guess


def test_a_case_without_a_budget_comes_first_too() -> None:
    view = deployments_view(DeploymentsInputs(), PLAIN, Case(title="School absence"))
    assert view.answer == "Your case has **no budget** yet."
    assert view.about_chosen == told("2020 Census redistricting data, persons").answer
    assert view.numbers[0] == ("your case: no budget", "–", "")
    assert view.small_print == "Draw a line first."
    assert view.covered.startswith(told("2020 Census redistricting data, persons").small_print)


def test_a_line_that_leaves_no_budget_is_refused_in_words_of_a_reader() -> None:
    case = Case(secret="value", line="constant", noise="discrete_gaussian")
    refusal = deployments_view(DeploymentsInputs(), PLAIN, case).refusal
    assert refusal is not None
    assert refusal.startswith("This kind of guarantee needs a question about two worlds: ")


def test_the_default_sentence_begins_with_what_a_guess_achieves() -> None:
    view = deployments_view(DeploymentsInputs(), PLAIN)
    assert view.answer == (
        "**2020 Census redistricting data, persons**: a value (person) is guessed right at most "
        "**95 of 100 times**, instead of **50 of 100 times**."
    )
    assert view.small_print.startswith(
        "A limit for any release with this budget, from 50 in 100 before. One change: one unit r"
    )
    cards = {name: value for name, value, _ in view.numbers}
    assert cards["This budget, Gaussian noise"] == "87 of 100 times"
    assert cards["As published"] == "ρ = 2.56; ε = 17.14 at δ = 1e-10"
    assert view.meaning is not None
    assert view.meaning.right_guess is not None
    assert view.meaning.right_guess.value == pytest.approx(0.9462570601570996)
    # Φ(√(2ρ)/2) by the error function, not by the library's own route
    assert view.meaning.gaussian == pytest.approx(0.5 * (1 + math.erf(math.sqrt(2 * 2.56) / 2 / math.sqrt(2))))


def test_one_budget_has_one_epsilon_at_one_delta_but_for_experts() -> None:
    def last(style: Style, delta: float) -> tuple[str, str]:
        view = deployments_view(DeploymentsInputs(delta=delta), style)
        assert view.listing is not None
        at = view.listing.columns.index("converted")
        (row,) = (row for row in view.listing.rows if str(row[0]).startswith(PERSONS))
        return view.numbers[-1][0], str(row[at])

    assert last(PLAIN, 1e-10) == ("As published", "as published")
    assert last(TECHNICAL, 1e-10) == ("Converted", "ε = 17.16")
    assert last(PLAIN, 1e-6)[0] == "Converted"


def test_the_case_stands_on_the_picture_and_the_card_as_a_bound_for_any_release() -> None:
    mine = Case(ratio=3.0, secret="value", relation="replace", unit="person")
    view = deployments_view(DeploymentsInputs(), PLAIN, mine)
    assert view.guesses is not None
    # one step of ε = 1.29: randomised response is right 1/(1 + e^-1.29) of the time
    right = 1 / (1 + math.exp(-1.29))
    assert view.numbers[0] == ("your case, ε = 1.29", "79 of 100 times", "right guess, at most")
    (drawn,) = view.guesses.numbers.column("case").values
    assert drawn == pytest.approx(right / (1 - right))
    assert view.guesses.numbers.column("case").name == "your case, ε = 1.29"
    assert "vertical line: your case, ε = 1.29" in view.guesses.reading
    example = deployments_view(DeploymentsInputs(), PLAIN)
    assert example.numbers[0][0] == "the example, ε = 1.29"
    local = next(entry.name for entry in example.entries if entry.model == "local")
    beside = deployments_view(DeploymentsInputs(chosen=code_of(local)), PLAIN)
    assert beside.numbers[0] == example.numbers[0]  # about the case's secret, whatever the chosen budget hides
    undecided = deployments_view(DeploymentsInputs(), PLAIN, Case(secret="value"))
    assert undecided.guesses is not None
    assert "vertical line: your case: no budget" in undecided.guesses.reading
    assert undecided.numbers[0][0] == "your case: no budget"


def test_a_value_of_symptom_searches_is_two_changes_away() -> None:
    view = told("Google symptom search trends", prior=0.01)
    assert belief_card(view) == ("23 in 100", "at most; from 1 in 100 before")  # 0.2253 by two steps; one step says 6
    assert "A value takes **2** changes." in view.small_print
    presence = told("Google symptom search trends", "presence", 0.01)
    assert belief_card(presence) == ("6 in 100", "at most; from 1 in 100 before")  # 0.0514
    assert "A value takes" not in presence.small_print
    technical = told("Google symptom search trends", prior=0.01, style=TECHNICAL)
    assert "**ε = 3.36** between the two worlds; published: **ε = 1.68**" in technical.answer
    assert belief_card(technical)[0] == "0.2253"


def test_replaced_records_hide_no_presence_and_what_ran_is_told() -> None:
    for style in (PLAIN, TECHNICAL):
        view = told(PERSONS, "presence", style=style)
        assert "says nothing about who is in" in view.answer
        assert "hidden from nobody" not in view.answer  # what ran hid it
        assert not any(name in ("This budget, Gaussian noise", "Highest belief after") for name, _, _ in view.numbers)
        assert "in 100" not in view.answer
    ran = told("2020 Census Supplemental DHC", "presence")
    # ε tanh(ε/2) = 1.2573 at ε = 1.7726, where randomised response is right 0.8548 of the time
    assert (
        "As run (records added or removed, **ρ = 1.2573**), presence is guessed right at most "
        "**86 of 100 times**" in (ran.small_print)
    )
    assert "1.2573" not in told("2020 Census Supplemental DHC").small_print
    rare = told("2020 Census Supplemental DHC", "presence", prior=0.1)
    assert "presence is guessed right at most **93 of 100 times**" in rare.small_print
    far = math.sqrt(2 * 1.2573)  # Gaussian noise with this rho: two bells so far apart, and the best threshold
    threshold = far / 2 + math.log(9) / far
    assert 0.91 < 0.9 * ndtr(threshold) + 0.1 * ndtr(far - threshold) < 0.93


def test_an_unknown_relation_is_said_with_what_holds_for_both() -> None:
    value = told("Meta Movement Range Maps", prior=0.1)
    assert belief_card(value)[0] == "86 in 100"  # 0.8585 by twice 2
    assert "What counts as one change was not found; the number holds for units replaced and for units added" in (
        value.covered
    )
    presence = told("Meta Movement Range Maps", "presence")
    assert (
        "presence (user on one day) is guessed right at most **89 of 100 times**, if units are added or removed."
        in presence.answer
    )
    assert presence.small_print.startswith("A limit, if added or removed, for any release with this budget, ")
    assert "presence is promised only if units are added or removed." in presence.covered
    recalled = told("LinkedIn hiring reports", "presence")
    assert "(a unit added or removed) is recalled, not read" in recalled.covered


def test_in_the_local_model_the_secret_is_the_answer() -> None:
    assert ": an answer (user, six hours) is guessed right at most" in told("Windows telemetry").answer
    assert "taking part is visible to whoever collects the answers" in told("Windows telemetry", "presence").answer


@pytest.mark.parametrize("secret", ["presence", "value"])
@each("code", NAMES)
def test_relation_confidence_unit_and_period_stand_beside_the_answer(code: str, secret: str) -> None:
    entry = deployment(NAMES[code])
    for style in (PLAIN, TECHNICAL):
        view = told(entry.name, secret, style=style)
        for part in (f"Unit: {entry.unit_as_defined}.", f"Covers: {entry.period}.", entry.source, f"({entry.year})"):
            assert part in view.covered, part
        assert f"{RELATION_NAMES[entry.relation]} ({entry.relation_confidence})." in view.small_print
        if style is PLAIN:
            assert len(view.small_print.split()) <= 32  # thirty, signs between words counted too
            assert len(view.answer.removeprefix(f"**{entry.name}**").split()) <= 26  # its colon among them


@pytest.mark.parametrize("secret", ["presence", "value"])
@pytest.mark.parametrize("prior", [0.01, 0.3, 0.5])
@each("code", NAMES)
def test_no_release_with_the_budget_reaches_more_than_the_page_says(code: str, secret: str, prior: float) -> None:
    """Against the explicit releases of the test of all pages, whose steps are counted record by record."""
    entry = deployment(NAMES[code])
    meaning = meaning_of(entry, secret=secret, prior=prior)  # what the view's sentence, cards and tables are made of
    if meaning.right_guess is None:
        assert entry.relation == "local" or (entry.relation == "replace" and secret == "presence")
        return
    # where it is not known which, the page must be right for both; presence is one added record
    relations = {"replace"} if entry.relation in ("replace", "local") and entry.relation_was_read else {"add_or_remove"}
    if not entry.relation_was_read and entry.model == "central" and secret == "value":
        relations.add("replace")
    for relation in relations if entry.model == "central" else {"replace"}:
        kind = "answer" if entry.model == "local" else secret
        promise = Promise(secret=Secret(kind), relation=Relation(relation))
        source = guarantee_of(entry, relation)
        belief = reached(StatedBelief(prior, Upper(0.0, frequency), promise, source))
        if meaning.posterior is not None:
            assert meaning.posterior.value >= belief - 1e-12
        if isinstance(source, ZeroConcentratedDP):
            steps = changes(promise)
            separation = math.sqrt(2 * steps**2 * source.rho)  # Gaussian noise on the difference of two cells
            shift = math.log(prior / (1 - prior)) / separation
            best = prior * ndtr(separation / 2 + shift) + (1 - prior) * ndtr(separation / 2 - shift)
            assert meaning.right_guess.value >= best - 1e-12
            assert meaning.gaussian is not None
            assert meaning.gaussian >= best - 1e-12
        else:  # Laplace noise on the difference of two cells: each test says yes above a threshold
            shift = changes(promise) * source.epsilon
            cuts = np.linspace(-30, 30, 2001)
            above = np.where(cuts > 0, np.exp(-np.abs(cuts)) / 2, 1 - np.exp(-np.abs(cuts)) / 2)
            moved = cuts - shift
            found = np.where(moved > 0, np.exp(-np.abs(moved)) / 2, 1 - np.exp(-np.abs(moved)) / 2)
            assert meaning.right_guess.value >= (prior * found + (1 - prior) * (1 - above)).max() - 1e-12


def test_the_lesson_adds_rho_before_it_converts() -> None:
    for style in (PLAIN, TECHNICAL):
        view = deployments_view(DeploymentsInputs(), style)
        for words in ("19.61", "2.63", "ε ≤ 17.44", "≤ 94.7 %", "99.999996 %", "ε = 17.14 fits the first (17.16 at"):
            assert words in view.computed, words
        assert "no unit has" in view.computed
        assert "person" in view.computed
        assert "housing unit" in view.computed


def test_what_ran_stands_beside_what_was_published_for_experts() -> None:
    for words in (
        "2020 Census Detailed DHC-A ρ = 4.944 → 19.776 (4, inferred from the digits)",
        "2020 Census Detailed DHC-B ρ = 8.895 → 17.79 (2, equal to the printed digits)",
        "2020 Census Supplemental DHC ρ = 1.2573 → 2.515 (2, read in the production code)",
    ):
        assert words in deployments_view(DeploymentsInputs(), PLAIN).computed


def test_the_chosen_formula_and_delta_convert_and_are_named() -> None:
    inputs = DeploymentsInputs(chosen=code_of("Facebook URLs, total"), formula="refined", delta=1e-5)
    view = deployments_view(inputs, TECHNICAL)
    assert ("Converted", "ε = 1.845", "δ = 1e-5; refined closed form") in view.numbers  # 1.84417, rounded up
    assert "√(4ρ log(√(πρ)/δ))" in view.computed
    assert "Bun and Steinke, Lemma 3.5" in view.computed
    assert view.conversion == converted(deployment("Facebook URLs, total"), delta=1e-5, formula="refined")


def test_a_converted_budget_is_rounded_up() -> None:
    view = deployments_view(DeploymentsInputs(), TECHNICAL)
    assert view.conversion is not None
    assert view.conversion.epsilon is not None
    shown = float(view.numbers[-1][1].removeprefix("ε = "))
    assert view.conversion.epsilon <= shown <= view.conversion.epsilon + 0.011


def test_mixed_units_are_not_ranked_and_a_sentence_says_why() -> None:
    view = deployments_view(DeploymentsInputs(order="budget"), PLAIN)
    assert view.not_ranked.startswith("Not ranked: 13 units (birth, device")
    assert view.refusal is None
    groups = [entry.unit_kind for entry in view.entries]
    assert len(groups) == len(published())
    assert sum(a != b for a, b in itertools.pairwise(groups)) == len(set(groups)) - 1  # groups stay together


def test_one_unit_with_two_models_of_trust_is_not_ranked_either() -> None:
    view = deployments_view(DeploymentsInputs(order="budget", unit="user-day"), PLAIN)
    assert "2 models of trust (central, local)" in view.not_ranked


def test_a_guess_without_the_release_is_told_out_of_as_many_times_as_one_with_it() -> None:
    answers = [deployments_view(DeploymentsInputs(chosen=code), PLAIN).answer for code in NAMES]
    pairs = [re.findall(r"[\d,]+ of ([\d,]+) times", answer) for answer in answers if "instead of" in answer]
    assert {len({*pair}) for pair in pairs} == {1}
    assert {of for pair in pairs for of in pair} == {"100", "10,000"}
    assert any("almost always, instead of **50 of 100 times**" in answer for answer in answers)


def test_what_is_alike_is_ranked() -> None:
    view = deployments_view(
        DeploymentsInputs(order="budget", unit="person", definition="zCDP", change="replace"), PLAIN
    )
    assert view.not_ranked == ""
    rhos = [entry.rho or 0.0 for entry in view.entries]
    assert rhos == sorted(rhos)


def test_filters_keep_what_they_say() -> None:
    view = deployments_view(DeploymentsInputs(sector="government", definition="pure"), PLAIN)
    assert [entry.name for entry in view.entries] == ["Israel live births 2014"]
    assert view.guesses is not None
    assert "**1 kind of unit**" in view.guesses.reading
    nothing = deployments_view(DeploymentsInputs(unit="birth", sector="company"), PLAIN)
    assert nothing.refusal == "No budget fits."


def test_a_pure_budget_limits_belief_and_the_others_say_that_they_do_not() -> None:
    approximate = told("LinkedIn Audience Engagements")
    assert belief_card(approximate) == ("not limited", "in rare outcomes")
    assert approximate.conversion is not None
    assert approximate.conversion.epsilon is None
    assert approximate.numbers[-1][2].startswith("stated at delta 7e-09 only")


def test_a_relation_that_was_not_read_is_not_ranked() -> None:
    inputs = DeploymentsInputs(order="budget", unit="person", definition="zCDP", change="add_or_remove")
    assert deployments_view(inputs, PLAIN).not_ranked.startswith("Not ranked: some changes are unknown")
    mixed = deployments_view(DeploymentsInputs(order="budget", unit="person", definition="zCDP"), PLAIN)
    assert "2 changes (one unit added or removed, one unit replaced)" in mixed.not_ranked


def test_every_budget_has_a_place_for_its_guess_or_a_reason() -> None:
    for secret, silent in (("value", 0), ("presence", 14)):
        view = deployments_view(DeploymentsInputs(secret=secret), PLAIN)
        assert view.guesses is not None
        without = [row for row in view.guesses.table.rows if str(row[5]).startswith("not promised")]
        assert len(without) == silent
        assert (f"**{silent}** promise nothing" in view.guesses.reading) is bool(silent)
        _, promised, conditional = view.guesses.figure.data
        assert len(promised.x) + len(conditional.x) == len(published()) - silent
    # on the odds scale an even bet on the redistricting data stands at expit^-1 of its right guess
    view = deployments_view(DeploymentsInputs(), PLAIN)
    assert view.guesses is not None
    at = view.guesses.figure.data[1].x[[row[0] for row in view.guesses.table.rows].index(PERSONS)]
    assert at == pytest.approx(0.9462570601570996 / (1 - 0.9462570601570996))


def test_each_kind_of_unit_heads_its_budgets_once_and_the_chosen_one_is_marked() -> None:
    view = deployments_view(DeploymentsInputs(), PLAIN)
    picture = view.guesses
    assert picture is not None
    labels = list(picture.figure.layout.yaxis.ticktext)
    kinds = list(dict.fromkeys(entry.unit_kind for entry in view.entries))
    assert [label for label in labels if label.startswith("<b>") and "▸" not in label] == [
        f"<b>{kind}</b>" for kind in kinds
    ]
    assert [label for label in labels if "▸" in label] == ["<b>▸ Redistricting, persons</b>"]
    assert len(labels) == len(view.entries) + len(kinds)
    first = labels.index(f"<b>{kinds[0]}</b>")
    sizes = picture.figure.data[1].marker.size
    largest = [text for text, size in zip(picture.figure.data[1].hovertext, sizes, strict=True) if size == max(sizes)]
    assert [text.partition("<br>")[0] for text in largest] == [f"{PERSONS}, 2021"]
    assert labels[first + 1] == SHORT.get(view.entries[0].name, view.entries[0].name)


@pytest.mark.parametrize("code", NAMES)
def test_every_budget_is_told_in_both_voices(code: str) -> None:
    for style in (PLAIN, TECHNICAL):
        view = deployments_view(DeploymentsInputs(chosen=code, prior=0.05), style)
        assert view.refusal is None
        assert view.answer.startswith(f"**{NAMES[code]}**")
        assert view.listing is not None
        assert len(view.listing.rows) == len(published())
        for column in (2, 3):
            told = [str(row[column]) for row in view.listing.rows if " in 1" in str(row[column])]
            assert len({words.rpartition(" in ")[2] for words in told}) <= 1, told


@pytest.mark.parametrize("name", ["prior", "delta"])
@pytest.mark.parametrize("text", ["0", "1"])
def test_a_belief_or_a_delta_of_nothing_or_all_is_refused_in_the_link(name: str, text: str) -> None:
    reading = read_query(FIELDS, {name: text})
    assert [refusal.name for refusal in reading.refusals] == [name]


def test_codes_and_short_names_belong_to_one_budget_each() -> None:
    assert len(NAMES) == len(published())
    assert set(SHORT) <= {entry.name for entry in published()}
    shown = [SHORT.get(entry.name, entry.name) for entry in published()]
    assert len(set(shown)) == len(shown)
    assert max(map(len, shown)) <= 26  # room for the ruler on a phone
    assert set(UNIT_KINDS.values()) == {entry.unit_kind for entry in published()}


def test_the_choices_of_the_inputs_are_those_of_the_link() -> None:
    defaults = DeploymentsInputs()
    assert {field.name: field.default for field in FIELDS} == defaults.__dict__


def test_the_table_twin_keeps_printed_digits_and_badges_become_words_in_a_spreadsheet() -> None:
    view = deployments_view(DeploymentsInputs(), PLAIN)
    assert view.listing is not None
    (listed,) = [line for line in view.listing.as_csv().splitlines() if line.startswith(f'"{HOUSING}')]
    assert "housing unit; zCDP; central model; government" in listed
    (dhc,) = [row for row in view.listing.rows if str(row[0]).startswith("2020 Census DHC, housing units")]
    assert "ρ = 7.70" in str(dhc[6])


def test_a_guess_that_gains_nothing_or_has_no_useful_limit_is_told_in_words() -> None:
    """With ε = 1 a belief of 10 in 100 ends below 50 in 100: who always says no is right as often."""
    none = told("Wikimedia page views, current", "presence", 0.1)
    assert none.answer.endswith("is guessed right no more often than without it: **90 of 100 times**.")
    assert "instead of" not in none.answer
    vast = told("Apple QuickType")
    assert vast.answer.endswith("is perhaps guessed right almost always, instead of **50 of 100 times**.")
    assert "nearly" not in vast.answer


def test_the_row_of_the_redistricting_file_tells_what_ran_and_under_which_condition() -> None:
    plain, technical = (told(PERSONS, style=style) for style in (PLAIN, TECHNICAL))
    said = "As run, ε is about **16.465** for the noisy tables, about **13.126** if the state is known."
    assert said in plain.covered
    assert "Exact totals (0.827 of the budget, 2.556) tell it to whoever knows everyone else." in plain.covered
    assert "published ε = 17.14. (i) Noisy tables alone, any record replaced, ρ = 2.556: ε ≈ **16.465**" in (
        technical.covered
    )
    assert "right guess at an even prior ≈ 87.1 %" in technical.covered
    assert "(ii) State known, record replaced within it, ρ = 1.729: ε ≈ **13.126**, ≈ 82.4 %" in technical.covered
    assert "(iii) The state is the secret: with everybody else known the exact totals settle it" in technical.covered
    assert "ρ = 3.329 (ε ≈ **19.24**, ≈ 90.1 %) to 3.458" in technical.covered
    assert "no cell by more than one" in technical.covered, "else the nation's cells may move by two"
    assert any(number[1] == "ρ = 2.56; ε = 17.14 at δ = 1e-10" for number in plain.numbers)


def test_what_is_said_of_the_run_lies_in_the_brackets_of_the_exact_law() -> None:
    for name, found in census_as_run(delta=1e-10).items():
        secret = {"noisy": "record", "within": "record_within_state", "exchanged": "exchange_between_states"}.get(name)
        if secret is None:
            assert found.rho == pytest.approx(2 * 1.7292273288643758)
            continue
        loss = SECRETS[secret].privacy_loss()
        epsilon, guess = loss.epsilon_bracket(1e-10), loss.right_guess_bracket()
        assert found.rho == pytest.approx(float(SECRETS[secret].rho()))
        assert epsilon.low < found.epsilon < epsilon.high + 1e-5
        assert epsilon.width < 0.003
        assert guess.low - 1e-5 < found.right_guess < guess.high + 1e-5


def test_the_other_census_files_stay_as_published_and_are_marked() -> None:
    for name in NAMES.values():
        marked = told(name).covered.endswith("As published.")
        assert marked == (name.startswith("2020 Census") and name != PERSONS)
        assert ("As run, ε" in told(name).covered) == (name == PERSONS)
