"""The promise in words and in links: the same everywhere, old links still read."""

from __future__ import annotations

import pytest

from dpcore.errors import Code, Refused
from dpcore.promise import Promise
from dpcore.scope import Scope
from riskline.case.choices import PROMISE_FIELDS
from riskline.case.fields import read_query
from riskline.case.link import read_case, write_case
from riskline.case.promise import PromiseChoice, contradiction, promise_of
from riskline.case.value import Case
from tests.said import placeholders
from ui.views.shared.promise import PageAnswer, promise_words, refusing
from ui.words.catalogue import passages
from ui.words.refusals import BEYOND_NUMBERS


def test_the_plain_words_name_secret_whose_and_change() -> None:
    words = promise_words(promise_of("value", "household", 4, "add_or_remove"), "plain")
    assert words["whose"] == "a given household of 4"
    assert words["that"] == "that a given household of 4 has a certain value"
    assert words["promise"] == (
        "Protected: which value a given household of 4 has; one change adds or removes one record, and the "
        "secret takes 8 such changes."
    )


def test_one_step_is_not_counted_aloud() -> None:
    words = promise_words(PromiseChoice().promise, "plain")
    assert words["promise"] == (
        "Protected: whether a given person is in the data; one change adds or removes one record."
    )
    replaced = promise_words(PromiseChoice(secret="value", relation="replace").promise, "plain")
    assert replaced["promise"].endswith("one change replaces one record (number known).")


@pytest.mark.parametrize(
    ("scope", "technical"),
    [
        (Scope.ANY_MECHANISM, "n = 6 steps (nε, n²ρ)"),
        (Scope.COUNT, "group of 3 on one count"),
        (Scope.TABLE, "L₁ distance 6 over the cells"),
    ],
)
def test_the_technical_words_count_the_steps_of_what_is_released(scope: Scope, technical: str) -> None:
    words = promise_words(promise_of("value", "records", 3, "add_or_remove"), "technical", scope=scope)
    assert technical in words["promise"]


def test_a_group_typed_for_another_unit_does_not_count_for_one_person() -> None:
    assert promise_of("presence", "person", 7, "add_or_remove").group == 1
    assert promise_of("presence", "days", 7, "add_or_remove").group == 7


def test_the_promise_goes_into_a_link_and_comes_back() -> None:
    choice = PromiseChoice("value", "household", 4, "replace")
    read = read_case(write_case(Case(**vars(choice)))).case
    assert read is not None
    assert read.of(PromiseChoice) == choice
    assert read.promise == choice.promise
    assert Case(group=7).promise == PromiseChoice().promise


def test_links_of_version_0_1_are_still_read() -> None:
    reading = read_query(PROMISE_FIELDS, {"neighbours": "bounded", "unit": "days", "group": "30"})
    assert reading.refusals == ()
    assert reading.values["relation"] == "replace"
    assert read_query(PROMISE_FIELDS, {"neighbours": "unbounded"}).values["relation"] == "add_or_remove"
    assert read_query(PROMISE_FIELDS, {"question": "membership"}).values["secret"] == "presence"
    both = read_query(PROMISE_FIELDS, {"neighbours": "bounded", "relation": "add_or_remove"})
    assert both.values["relation"] == "add_or_remove"


def test_what_contradicts_itself_is_a_sentence() -> None:
    hidden = PromiseChoice(relation="replace")
    assert "Replacing a record does not hide who is in the data" in (contradiction(hidden) or "")
    with pytest.raises(ValueError, match="secret must be 'value' or 'answer'"):
        _ = hidden.promise
    assert contradiction(PromiseChoice(secret="value", relation="replace")) is None


def test_both_voices_have_the_same_passages_and_numbers() -> None:
    plain, technical = passages("promise", "plain"), passages("promise", "technical")
    assert set(plain) == set(technical)
    for name, passage in plain.items():
        assert placeholders(passage) <= placeholders(technical[name]), name


def test_every_kind_of_promise_has_its_words() -> None:
    for unit, group in (("record", 1), ("person", 1), ("person", 2), ("household", 1), ("person_over_time", 9)):
        for secret, relation in (("presence", "add_or_remove"), ("value", "replace"), ("answer", "replace")):
            promise = Promise(secret=secret, relation=relation, unit=unit, group=group)  # type: ignore[arg-type]
            for voice in ("plain", "technical"):
                assert all(promise_words(promise, voice).values())


@pytest.mark.parametrize(
    ("page", "error", "also", "told"),
    [
        ("", ValueError("rows must be fewer"), (), "Rows must be fewer."),
        ("", Refused("prior", "lie in [0, 1]", 2.0, Code.OUT_OF_RANGE), (), "Prior must lie in [0, 1]; got 2.0."),
        (
            "plan",
            Refused("cap", "be at least the prior", 0.1, Code.INFEASIBLE),
            (),
            "The highest acceptable belief must be at least the belief before.",
        ),
        ("", OverflowError("too large"), (ArithmeticError,), BEYOND_NUMBERS),
    ],
)
def test_what_is_refused_on_the_way_to_a_view_is_a_view_that_says_so_in_the_words_of_its_page(
    page: str, error: Exception, also: tuple[type[Exception], ...], told: str
) -> None:
    @refusing(PageAnswer, page, *also)
    def answer(raised: Exception | None) -> PageAnswer:
        if raised is not None:
            raise raised
        return PageAnswer(answer="yes")

    assert answer(None) == PageAnswer(answer="yes")
    assert answer(error) == PageAnswer(refusal=told)


def test_a_fault_of_ours_is_no_refusal() -> None:
    @refusing(PageAnswer)
    def answer() -> PageAnswer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answer()
