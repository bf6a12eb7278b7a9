"""The page for the public: its numbers are recomputed here by other routes, its sentences keep scope and exception."""

from __future__ import annotations

import html
import math
import re
import xml.etree.ElementTree as xml
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore.deployments import published, right_guess
from dpcore.mechanisms import Geometric
from riskline.answers.published import units_protected
from riskline.case.releases import LedgerRow
from riskline.case.value import EXAMPLE, Case
from tests.filed_cases import SCHOOL
from tests.memo_words import page_text
from ui.documents.document import Paragraph
from ui.documents.page import html_page
from ui.pictures.people import IconArray
from ui.pictures.style import Style
from ui.views.memo import MemoInputs, memo_view
from ui.views.public import PublicInputs, PublicView, public_view
from ui.words.catalogue import VOICES

BOARD: dict[str, Any] = {"currency": "epsilon", "by": "The board", "date": "12 May"}
DECIDED = SCHOOL.decided(value=1.29, **BOARD)
PRIOR = 0.08


def seen(case: Case = DECIDED, voice: str = "plain", **own: Any) -> PublicView:
    return public_view(PublicInputs(case=case, **own), Style(voice=voice))


def answers(view: PublicView) -> dict[str, str]:
    names = ("rare", "open", "left_out", "next", "relatives", "right", "compare")
    return dict(zip(names, (answer for _, answer, *_ in view.asked), strict=True))


def reached(shift: float, prior: float = PRIOR) -> str:
    """A belief that so large a shift of the log odds leads to, in people, rounded up."""
    odds = prior / (1 - prior) * math.exp(shift)
    return f"at most **{math.ceil(100 * odds / (1 + odds) - 1e-9)} in 100**"


def test_the_first_sentence_has_two_numbers_few_words_and_the_case_in_its_own_words() -> None:
    view = seen()
    assert view.answer == (
        "Suppose somebody thinks it **8 in 100** likely that a given pupil was absent more than 20 days. "
        "Through “School absence by district”, they can become at most **25 in 100** sure."
    )
    assert reached(1.29) == "at most **25 in 100**"
    spoken = re.sub(r"[0-9.]+ in [0-9]+", "number", view.answer)
    assert all(len(sentence.split()) <= 25 for sentence in spoken.split(". "))
    assert spoken.count("**number**") == 2
    assert "ρ" not in " ".join((view.answer, *view.sentences, view.budget, *answers(view).values()))


def test_its_numbers_are_those_of_the_memo() -> None:
    for case in (EXAMPLE, DECIDED, SCHOOL, DECIDED.with_choices(unit="household", group=3)):
        memo = page_text(memo_view(MemoInputs(case), Style())).replace("*", "")
        view = seen(case)
        (before,) = re.findall(r"thinks it \*\*([0-9.]+ in [0-9]+)", view.answer)
        (after,) = re.findall(r"most \*\*([0-9.]+ in [0-9]+)", view.answer)
        assert before in memo
        assert after in memo
        budget, *together = re.findall(r"ε = [0-9.]+", view.budget)
        assert len(together) == (case["unit"] == "household")  # the budget of one record, and that of all together
        assert budget in memo


def test_accuracy_is_that_of_the_noise_on_each_count() -> None:
    noise = Geometric(epsilon=1.29)
    wide = next(wide for wide in range(99) if noise.probability_within(wide) >= 0.95)
    within, right = math.floor(100 * noise.probability_within(wide)), round(100 * noise.probability_within(0))
    assert seen().sentences[0] == (
        f"Each published count is within **± {wide}** of the truth at least {within} of 100 times, "
        f"exactly right **{right} of 100 times**."
    )
    often = f"at least {within} of 100 times"
    moved = f"Noise moves a count by at most **{wide}**, {often}: a published 2 may be another number"
    assert answers(seen())["right"].endswith(f"{moved}.")
    assert "".join(answers(seen()).values()).count("Noise moves") == 1
    moving = seen(SCHOOL.with_choices(moves="anywhere").decided(value=1.29, **BOARD))
    half = Geometric(epsilon=1.29 / 2)
    wider = next(wide for wide in range(99) if half.probability_within(wide) >= 0.95)
    assert wider > wide
    assert f"± {wider}**" in moving.sentences[0]


def test_the_budget_says_for_how_many_releases_it_is_and_its_delta() -> None:
    four = SCHOOL.with_choices(guarantee="zero_concentrated", releases=4)
    assert re.match(r"\*\*ρ = [0-9.]+ for each of 4 releases\*\* is the privacy budget", seen(four).budget)
    failing = seen(SCHOOL.with_choices(guarantee="approximate")).budget
    assert re.match(r"\*\*ε = [0-9.]+, δ = [0-9.e-]+\*\* is the privacy budget", failing), failing


def test_a_budget_that_nobody_knows_the_noise_of_promises_no_accuracy() -> None:
    published_one = Case(secret="value", published="2020 Census redistricting data, persons")
    for case in (published_one, Case(ratio=3.0, release="coins", secret="value", relation="replace")):
        view = seen(case)
        assert "±" not in " ".join(view.sentences)
        assert "Noise moves" not in " ".join(answers(view).values())


@pytest.mark.parametrize("household", [1, 2, 4])
def test_a_household_multiplies_the_budget(household: int) -> None:
    assert (
        f"For a household of {household} together: {reached(1.29 * household)}."
        in answers(seen(household=household))["rare"]
    )


def test_a_limit_about_a_household_counts_it_whole() -> None:
    view = seen(DECIDED.with_choices(unit="household", group=3))
    assert "whole household" in answers(view)["rare"]
    assert "counts your household together" in answers(view)["relatives"]
    assert reached(3 * 1.29).lower().replace("at most **", "at most ").rstrip("*") in view.answer.lower().replace(
        "*", ""
    )


def test_where_the_deciding_belief_is_only_approached_further_limits_begin_at_an_even_one() -> None:
    """Two times as strong is ε = 0.69 for one step; a value lies two steps from another, four people's eight."""
    said = answers(seen(Case(secret="value", release="count", line="constant", ratio=2.0)))
    household = math.ceil(1_000 / (1 + math.exp(-8 * 0.69)))
    assert said["rare"].endswith(f"at most **{household} in 1,000**, from 500 in 1,000 before, whatever is released.")
    assert " from 500 in 1,000; " in said["relatives"]
    assert f"; at most **{household} in 1,000**, however alike, whatever is released." in said["relatives"]
    assert said["relatives"].count("in 1,000**") == 2
    assert f"{reached(2 * 2 * 0.69, 0.5)}, from 50 in 100 before, whatever is released." in said["next"]
    assert "**0" not in " ".join(said.values())
    assert "from 50 in 100 before" not in " ".join(answers(seen()).values())


@pytest.mark.parametrize(("budget", "people"), [(4.0, 100), (6.0, 1_000), (8.0, 10_000), (10.0, 100), (12.0, 100)])
def test_a_belief_and_its_limit_are_out_of_no_more_people_than_keep_it_below_all_of_them(
    budget: float, people: int
) -> None:
    """A budget of 10 leads from an even belief to 99,996 in 100,000: nearly 100 in 100, which is no more exact."""
    case = Case(prior=0.5, secret="value", relation="replace").decided(value=budget, currency="epsilon")
    told = re.findall(r"\*\*(?:nearly )?([0-9,]+) in ([0-9,]+)", seen(case).answer)
    (before, of), (after, beside) = (tuple(int(part.replace(",", "")) for part in one) for one in told)
    assert of == beside == people
    assert before / of == 0.5
    assert after == math.ceil(people / (1 + math.exp(-budget)))
    assert ("nearly" in seen(case).answer) == (after == people)


def test_a_limit_of_a_belief_made_of_two_names_the_two_on_the_sheet_and_in_the_memo() -> None:
    case = Case(secret="both", release="count", line="box", ratio=3.0, low=0.01, high=0.5)
    two = "The belief before: presence 1 in 100, the value then 1 in 100; another split can go further."
    assert two in seen(case).small_print
    assert two in page_text(memo_view(MemoInputs(case), Style()))
    assert two not in seen().small_print


def test_as_much_again_next_year_doubles_the_shift() -> None:
    assert "counts 1 release." in answers(seen())["next"]
    assert "The same budget again on the same people: at most " in answers(seen())["next"]
    assert reached(2 * 1.29) in answers(seen())["next"]
    twice = SCHOOL.with_choices(releases=2).decided(value=0.5, **BOARD)
    assert "counts 2 releases." in answers(seen(twice))["next"]
    assert reached(4 * 0.5) in answers(seen(twice))["next"]
    entry = Case(secret="value", published="2020 Census redistricting data, persons")
    assert "Another year adds" in answers(seen(entry))["next"]
    (way,) = (one.way for one in seen().asked if one.way is not None)
    assert (way.stem, [one.question for one in seen().asked if one.way is way]) == ("plan", ["And next year?"])


@pytest.mark.parametrize(("releases", "through"), [(1, "this release"), (4, "these releases")])
def test_a_sheet_without_a_name_is_of_as_many_releases_as_the_case_has(releases: int, through: str) -> None:
    sheet = seen(Case(ratio=3.0, releases=releases)).sheet
    assert sheet is not None
    assert sheet.title.lower() == through


@pytest.mark.parametrize(("releases", "through"), [(1, "this release"), (4, "these releases")])
def test_the_limit_is_said_of_as_many_releases_as_it_counts(releases: int, through: str) -> None:
    case = Case(line="constant", ratio=3.0, releases=releases).decided(value=0.2, **BOARD)
    view = seen(case)
    assert f" through {through}." in view.answer
    assert f"counts {releases} release" in answers(view)["next"]
    drawn = seen(Case(line="cap_or_ratio", releases=releases)).picture
    assert drawn is not None
    assert f"Orange: what {through} can add" in drawn.legend


@pytest.mark.parametrize(("rounds", "more"), [(6, ""), (12, " Planned releases sum to more: **ε = 2.4**.")])
def test_planned_releases_that_spend_more_than_the_budget_are_said_beside_it(rounds: int, more: str) -> None:
    """Two releases of 0.1 each round: 1.2 of 1.29 in six rounds, 2.4 in twelve."""
    case = Case(ratio=3.0, rows=(LedgerRow("A", "laplace", "0.1", often="2"),), rounds=rounds)
    view = seen(case)
    assert view.decided == f"**Draft:** nobody has decided.{more}"
    assert answers(view)["next"].startswith("The limit counts planned releases.")
    # two of rho = 0.005 each round
    of_rho = case.with_choices(guarantee="zero_concentrated").decided(value=0.1, currency="rho")
    assert ("Planned releases sum to more: **ρ = 0.12**" in seen(of_rho).decided) == bool(more)


@pytest.mark.parametrize(("others", "yes", "no"), [(1, 0.6, 0.05), (3, 0.54, 0.04), (2, 0.9, 0.3)])
def test_relatives_reach_what_a_noisy_count_of_them_all_reaches(others: int, yes: float, no: float) -> None:
    """Geometric noise on the household's count attains the limit: found by enumeration of the noisy counts."""
    household, laws = others + 1, []
    for own, share in ((1, yes), (0, no)):
        law = np.array([1.0])
        for _ in range(others):
            law = np.convolve(law, [1 - share, share])
        laws.append({own + people: float(chance) for people, chance in enumerate(law)})
    noise = Geometric(epsilon=1.29)
    so, not_so = (
        sum(chance * math.exp(float(noise.log_pmf(household + 3 - people))) for people, chance in law.items())
        for law in laws
    )
    case = DECIDED.with_choices(relatives=others, share_if_yes=yes, share_if_no=no)
    said = answers(seen(case))["relatives"]
    assert f"{reached(math.log(so / not_so))} from 8 in 100; " in said
    assert f"; {reached(1.29 * household)}, however alike." in said
    who = "relative," if others == 1 else "relatives, each"
    shares = f"{round(100 * yes)} in 100 likely to have it if the person does, {round(100 * no)} in 100 if not"
    assert f"With {others} {who} {shares}" in said
    assert said.endswith("given the person; otherwise only “however alike” holds.")


def test_no_relatives_and_no_exact_limit_are_said() -> None:
    assert "without relatives" in answers(seen(DECIDED.with_choices(relatives=0)))["relatives"]
    rho = Case(secret="value", relation="replace", guarantee="zero_concentrated").decided(value=0.02, currency="rho")
    told = answers(seen(rho))["relatives"]
    assert told.count("at most") == 2
    assert "however alike, except with a probability of 1 in 100." in told
    may_fail = Case(guarantee="approximate", line="cap_or_ratio", delta=1e-6, failure=0.01, relatives=1)
    told = answers(seen(may_fail))["relatives"]
    assert told.count("at most") == 1
    assert "however alike, except with a probability of 1 in 100." in told


@pytest.mark.parametrize("voice", VOICES)
def test_an_exception_stands_with_every_limit_that_has_one(voice: str) -> None:
    rho = SCHOOL.with_choices(guarantee="zero_concentrated").decided(value=0.05, currency="rho", by="The board")
    view = seen(rho, voice)
    told = answers(view)
    exception = "except with a probability of " + ("1 in 100" if voice == "plain" else "0.01")
    for sentence in (view.answer, told["rare"], told["next"], told["relatives"]):
        assert exception in sentence
    for sentence in (seen(voice=voice).answer, *answers(seen(voice=voice)).values()):
        assert "except" not in sentence


def test_a_budget_without_a_limit_for_a_household_says_so() -> None:
    may_fail = Case(guarantee="approximate", line="cap_or_ratio", delta=0.001, failure=0.01)
    told = answers(seen(may_fail, household=6))
    assert "no useful limit" in told["rare"]
    assert "no useful limit" in told["relatives"]


def test_its_place_is_counted_among_budgets_for_the_same_secret_and_unit() -> None:
    said = answers(seen())["compare"]
    own = math.exp(1.29) / (1 + math.exp(1.29))
    guesses = [
        right_guess(entry, secret="value", prior=0.5, group=1)
        for entry in published()
        if entry.model == "central" and units_protected(entry.unit_kind, unit="person", group=1) == 1
    ]
    promised = [guess for guess in guesses if guess is not None]
    less, more = sum(guess < own for guess in promised), sum(guess > own for guess in promised)
    assert said.startswith(f"Here a guess from 50 in 100 is right at most **{math.ceil(100 * own)} of 100 times**.")
    assert f"of {len(promised)} published budgets that answer the same question" in said
    assert f"With {less} of" in said
    assert f"that limit is lower; with {more}, higher." in said
    assert "no ranking" in said


def test_the_own_published_budget_is_not_compared_with_itself() -> None:
    entry = Case(secret="value", published="2020 Census redistricting data, persons")
    assert "No published budget" in answers(seen(entry))["compare"]


def test_nobody_is_said_to_have_decided_who_has_not() -> None:
    assert seen(SCHOOL).decided == "**Draft:** nobody has decided."
    assert seen(EXAMPLE).decided.startswith("**Example:**")
    assert seen(DECIDED).decided == "**Decided:** 12 May, by The board, no end date."
    assert seen(until="2030").decided == "**Decided:** 12 May, by The board, until 2030."
    other = seen(DECIDED.with_choices(ratio=2.0))
    assert other.decided == "**Draft:** decided before the case changed."
    assert seen(claimed=True).decided.endswith("no end date, as the link says.")
    nobody = seen(SCHOOL.decided(value=1.0, currency="epsilon"))
    assert nobody.decided == "**Decided:** no date, no name, no end date."
    for view in (seen(SCHOOL), other):
        assert view.picture is not None
        assert "Draft:" in view.picture.under
    claimed = seen(claimed=True).picture
    assert claimed is not None
    assert "as the link says" in claimed.under


def test_a_belief_that_nobody_was_asked_about_is_named() -> None:
    without = Case(secret="value", relation="replace").decided(value=1.0, currency="epsilon")
    assert "Nobody chose that belief." in seen(without).small_print
    assert "**50 in 100**" in seen(without).answer
    chosen = without.with_choices(prior=0.1)
    assert "That belief was chosen." in seen(chosen).small_print
    assert "The line is strictest there." in seen().small_print


def test_without_a_budget_there_is_no_number() -> None:
    for case in (Case(title="A"), Case(line="constant", ratio=1.0)):
        view = seen(case)
        assert view.answer.startswith("**Draft.**")
        assert view.picture is None
        assert view.asked == ()
        assert not re.search(r"\d", view.answer)


def test_scope_of_the_limit_is_that_of_the_release() -> None:
    plain_count = Case(line="constant", ratio=2.0, release="count", secret="value")
    assert "one plain count" in seen(plain_count).small_print
    assert "other releases can go further" in seen(plain_count).small_print
    assert "any release with this budget" in seen().small_print
    named = SCHOOL.with_choices(
        release="count", guarantee="zero_concentrated", route="discrete_gaussian", areas=1, moves=""
    )
    assert "seen raw by somebody who knows everyone else's data" in seen(named).small_print


def test_a_further_limit_of_any_release_says_so_beside_one_of_a_count_or_of_a_noise() -> None:
    narrow = Case(ratio=3.0, release="count", secret="value")
    for case, further in ((narrow, True), (narrow.with_choices(secret="presence", release="anything"), False)):
        said = answers(seen(case))
        limits = [said[name] for name in ("rare", "next", "relatives")]
        assert all("at most **" in limit for limit in limits)
        assert [", whatever is released." in limit for limit in limits] == [further] * 3


def test_what_is_not_protected_follows_the_promise() -> None:
    assert seen().sentences[1].startswith("Not protected: who is in the data, and what")
    assert answers(seen())["open"].startswith(seen().sentences[1])
    assert "who is in the data" not in seen(EXAMPLE).sentences[1]
    coins = Case(release="coins", secret="value", relation="replace", line="cap_or_ratio")
    assert seen(coins).sentences[1].startswith("Not protected: who took part, and what")


def test_the_picture_draws_the_sentence_and_stands_alone() -> None:
    view = seen()
    assert view.picture is not None
    before, after = view.picture.panels
    assert isinstance(before, IconArray)
    assert isinstance(after, IconArray)
    assert (before.before, before.after, after.before, after.after, after.of) == (8, 8, 8, 25, 100)
    assert "at most" in " ".join(after.words)
    assert view.picture.under == (
        "Education Office · Decided: 12 May, by The board, no end date. "
        "Not protected: who is in the data, and what the release teaches about groups."
    )
    assert view.picture.title == "What can be learned about one pupil?"
    assert view.picture.legend.startswith("How sure somebody is, out of 100; not a share of people.")
    drawn = view.picture.svg(reading=view.answer, source="Riskline 0")
    root = xml.fromstring(drawn)
    assert root[0].tag.endswith("title")
    assert root[0].text == view.answer.replace("**", "")
    shown = " ".join("".join(text.itertext()) for text in root.iter() if text.tag.endswith("}text"))
    for words in (view.picture.title, view.answer, view.picture.under):
        assert shown.count(words.replace("**", "")) == 1
    assert "ε" not in shown
    assert "Riskline" not in shown
    assert "ε" in view.budget
    assert "Riskline 0" in replace(view.picture, under="").svg(reading=view.answer, source="Riskline 0")


def test_a_picture_says_that_its_people_are_no_share_of_those_whom_the_case_names() -> None:
    named = seen(DECIDED.with_choices(many="pupils"))
    assert named.picture is not None
    sheet = html_page(named.sheet_at(""))
    for shown in (named.picture.html, named.picture.svg(reading=named.answer, source=""), sheet):
        assert "not a share of pupils" in shown


def test_what_the_press_quotes_ends_where_it_should_with_a_name_in_quotation_marks() -> None:
    view = seen(SCHOOL.with_choices(released="A table of absences in 38 districts"))
    told = (view.answer, *view.sentences)
    assert [len(re.findall(r"[.!?](?:\s|$)", sentence)) for sentence in told] == [2, 1, 1]
    assert "Through “A table of absences in 38 districts”, they" in view.answer
    assert view.sheet is not None
    first, second = view.sheet.sections
    said = [block.text for block in first.blocks if isinstance(block, Paragraph)]
    assert said == [*told, view.decided]
    assert view.sheet.byline == "Education Office · Draft"
    decided = seen().sheet
    assert decided is not None
    assert decided.byline == "Education Office · Decided 12 May"
    last = second.blocks[-1]
    assert isinstance(last, Paragraph)
    assert last.text == view.budget


@pytest.mark.parametrize(("prior", "people", "before"), [(0.002, 1_000, 2), (0.00123, 10_000, 12), (0.12345, 100, 12)])
def test_rare_beliefs_share_one_denominator_and_the_limit_is_that_of_the_belief_shown(
    prior: float, people: int, before: int
) -> None:
    rare = Case(secret="value", relation="replace", prior=prior).decided(value=1.0, currency="epsilon")
    view = seen(rare)
    assert view.picture is not None
    _, after = view.picture.panels
    assert isinstance(after, IconArray)
    assert after.of == people
    assert after.before == before
    assert f"**{before} in {people:,}** likely" in view.answer
    shown = before / people
    assert after.after == math.ceil(people * shown * math.e / (1 - shown + shown * math.e))


def test_the_sheet_says_everything_and_has_its_link() -> None:
    view = seen(until="2030")
    sheet = html_page(view.sheet_at("https://riskline.example/"))
    told = re.sub(r"<[^>]+>", "", sheet)
    for words in (view.answer, *view.sentences, view.budget, *(part for one in view.asked for part in one[:2])):
        assert words.replace("**", "") in told
    assert 'href="https://riskline.example/public?case=own' in sheet
    assert "https://" not in told  # its QR code stands beside the picture
    assert f'alt="https://riskline.example/{html.escape(view.address)}"' in sheet
    assert "until=2030" in sheet
    assert 'src="data:image/svg+xml;base64,' in sheet
    assert view.small_print in told


def test_a_sheet_made_at_this_computer_alone_has_its_link_and_no_code() -> None:
    local, public = (html_page(seen().sheet_at(root)) for root in ("http://localhost:8501/", "http://10.0.0.7:8501/"))
    assert 'href="http://localhost:8501/public?case=own' in local
    assert public.count('src="data:image/svg+xml;base64,') == local.count('src="data:image/svg+xml;base64,') + 1
    assert ('class="row"' in public, 'class="row"' in local) == (True, False)  # nothing stands beside the picture


def test_a_choice_stands_under_the_question_whose_answer_follows_it() -> None:
    follows = {one.question: one.follows for one in seen().asked if one.follows}
    assert list(follows.values()) == ["household", "relatives"]
    for question, name in follows.items():
        other = seen(household=2) if name == "household" else seen(DECIDED.with_choices(share_if_yes=0.5))
        changed = next(one.answer for one in other.asked if one.question == question)
        assert changed != next(one.answer for one in seen().asked if one.question == question)
    assert not any(one.follows for one in seen(Case(unit="household", group=3, line="cap_or_ratio")).asked)


def test_answers_are_short() -> None:
    for case in (EXAMPLE, DECIDED, Case(unit="household", group=3, line="cap_or_ratio")):
        for answer in answers(seen(case)).values():
            assert len(answer.split()) <= 50


def test_a_limit_next_to_certainty_is_told_as_none() -> None:
    decided = SCHOOL.decided(**BOARD | {"value": 30.0})
    assert seen(decided).answer.startswith("**No useful limit: nearly 100 in 100**. Whoever thinks it")
    assert seen(decided, "technical").answer.startswith("Posterior ≤ **0.9999")
    published_one = answers(seen(Case(secret="value", published="2020 Census redistricting data, persons")))
    assert "For a household of 4 together: no useful limit." in published_one["rare"]


def test_every_limit_beside_the_answer_counts_all_the_releases() -> None:
    """Twelve releases of ε = 0.25 each: a right guess of even odds is as likely as after one of ε = 3."""
    case = SCHOOL.with_choices(releases=12).decided(value=0.25, **BOARD)
    assert f"at most **{math.ceil(100 / (1 + math.exp(-3.0)))} of 100 times**" in answers(seen(case))["compare"]
    assert answers(seen(case))["compare"] == answers(seen(SCHOOL.decided(value=3.0, **BOARD)))["compare"]


def test_a_published_budget_is_for_all_that_it_covers_however_often_the_case_would_release() -> None:
    often = Case(published="Assistive replies", releases=12, ratio=3.0)
    once = often.with_choices(releases=1)
    assert seen(often).budget == seen(once).budget
    assert "for each of" not in seen(often).budget
    words = page_text(memo_view(MemoInputs(case=often), Style()))
    assert "As published: ε = 4.00, δ = 1e-7 (Assistive replies). The line allows only ε = 0.10 for each of 12" in words


@pytest.mark.parametrize("voice", VOICES)
def test_the_split_of_a_belief_in_two_is_a_sentence_of_its_own(voice: str) -> None:
    case = Case(secret="both", line="box", ratio=1000.0, low=0.01, high=1.0)
    small = seen(case, voice).small_print
    assert re.search(r"\.\.|[a-z] [A-Z][a-z]+ [a-z]", small) is None
    if voice == "plain":
        assert "strictest there. The belief before: presence 1 in 100, the value then 1 in 100; another split" in small
