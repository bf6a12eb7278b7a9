"""The case as one value: what it holds, how it is written into links and files, and what a decision is for."""

from __future__ import annotations

import json
import pickle
import random
import re
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from string import ascii_letters
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.schema import Level
from riskline.answers.budgets import case_budget
from riskline.case.choices import FIELDS, LINE_NAMES, NO_LINE, PROMISE_FIELDS, case_field
from riskline.case.decision import Decision, decision_from_table, read_decision, write_decision
from riskline.case.fields import MAX_VALUE_LENGTH, Field
from riskline.case.file import case_from_table, case_table, read_file, write_json, write_toml
from riskline.case.line import LINES, LineChoice, chosen_profile
from riskline.case.link import EXAMPLE_ASKED, LONGEST_CASE, MARK, MISSING, OWN, read_case, write_case
from riskline.case.methods import RECORDED, MethodChoice, read_method, write_method
from riskline.case.releases import LedgerRow
from riskline.case.spending import SUMS, AskedRelease, Spending
from riskline.case.tables import TableRow
from riskline.case.value import EXAMPLE, Case, State
from tests.each import each

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=40)
CELL = WORDS.map(lambda text: " ".join(text.split()))
NAMED = st.text("abcdefgh 0123~.%&=é", min_size=1, max_size=12).map(lambda text: " ".join(text.split()))
SHARE = st.floats(1e-12, 0.999)


def _decisions() -> st.SearchStrategy[Decision]:
    return st.builds(
        Decision,
        value=st.floats(1e-9, 1000),
        currency=st.sampled_from(["epsilon", "rho"]),
        **dict.fromkeys(("by", "date", "page", "reason", "digest"), CELL),
    )


def _points() -> st.SearchStrategy[Any]:
    beliefs = st.lists(st.integers(1, 999), min_size=2, max_size=8, unique=True).map(sorted)
    return beliefs.map(lambda places: tuple((place / 1000, (place + 1000) / 2000) for place in places))


def _methods() -> st.SearchStrategy[MethodChoice | None]:
    """Every method that a case can hold, with settings of its own."""
    settings = {
        "base": st.integers(2, 50),
        "largest_noise": st.integers(2, 9),
        "variance": st.floats(0, 2),
        "threshold": st.integers(1, 99),
        "rate": st.floats(0.001, 0.999),
        "classes": st.sampled_from([((0, 3),), ((0, 5), (10, 10))]),
    }
    return st.builds(MethodChoice, st.sampled_from([*RECORDED]), **settings).map(lambda choice: choice.recorded)


def _spendings() -> st.SearchStrategy[Spending]:
    typed = st.sampled_from(["0.1", "2", "1/3", "1e-6"])
    asked = st.builds(AskedRelease, st.sampled_from(["", "Births ~!%"]), st.sampled_from(["", "press"]), typed)
    return st.builds(Spending, st.sampled_from(SUMS), typed, st.just("1e-6"), st.lists(asked, max_size=3).map(tuple))


def _value(field: Field) -> st.SearchStrategy[Any]:
    """What may be chosen of a choice of the case."""
    if field.kind == "text":
        return WORDS
    if field.kind == "choice":
        return st.sampled_from(field.offered)
    if field.kind == "count":
        return st.integers(int(field.low), int(field.high))
    if field.kind == "number":
        return st.floats(field.low, field.high, exclude_min=field.open_low, exclude_max=field.open_high)
    custom: dict[str, st.SearchStrategy[Any]] = {
        "points": _points(),
        "interview": st.sampled_from(["", "c", "ct", "ct11110yn"]),
        "chosen": st.none() | _decisions(),
        "method_today": st.none() | _methods(),
        "spent": st.none() | _spendings(),
        "tables": st.lists(
            st.builds(TableRow, CELL, wish=st.sampled_from(["", "5", "1/2"])), min_size=1, max_size=4
        ).map(tuple),
        "geography": st.lists(
            st.builds(Level, st.from_regex(r"[a-zé][a-z é,~!]{0,8}[a-z]", fullmatch=True), st.integers(1, 10**9)),
            min_size=1,
            max_size=4,
            unique_by=lambda level: level.name.casefold(),
        ).map(tuple),
        "rows": st.lists(
            st.builds(LedgerRow, CELL, st.sampled_from(["pure", "gaussian"]), st.sampled_from(["0.1", "2"])),
            min_size=1,
            max_size=4,
        ).map(tuple),
    }
    return custom[field.name]


def cases() -> st.SearchStrategy[Case]:
    """Every kind of case: some choices made, some not."""
    made = st.fixed_dictionaries({}, optional={name: _value(field) for name, field in FIELDS.items()})
    return made.map(lambda choices: Case(**choices))


KEPT = st.dictionaries(
    st.text('abc_é "', min_size=1, max_size=8).filter(lambda name: name not in FIELDS),
    st.recursive(
        st.booleans() | st.integers(-(2**53), 2**53) | WORDS,
        lambda part: st.lists(part, max_size=3) | st.dictionaries(WORDS.filter(bool), part, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)


@each("field", FIELDS.values())
def test_what_a_choice_begins_with_comes_back_from_its_text(field: Field) -> None:
    assert field.of_case
    assert field.decode(field.default_text) == field.default
    assert field.checked(field.default) == field.default


@given(cases())
def test_a_link_gives_a_case_back(case: Case) -> None:
    query = write_case(case)
    assert query.get(MARK) == (None if case == EXAMPLE else EXAMPLE_ASKED if case.is_example else OWN)
    reading = read_case(query)
    assert reading.refusals == ()
    assert reading.missing == ()
    assert (reading.case or EXAMPLE) == case


@given(cases(), KEPT)
def test_a_file_gives_a_case_back_with_what_it_does_not_know(case: Case, kept: dict[str, Any]) -> None:
    held = Case(kept, **case.made)
    assert read_file(write_json(held).encode()) == held
    assert read_file(write_toml(held).encode()) == held
    assert tomllib.loads(write_toml(held)) == json.loads(write_json(held))
    assert case_from_table(case_table(held)) == held


@given(cases())
@settings(max_examples=30)
def test_a_case_is_a_value(case: Case) -> None:
    again = pickle.loads(pickle.dumps(case))
    assert again == case
    assert hash(again) == hash(case)
    assert again.digest == case.digest
    assert case.with_choices() == case
    assert case.without(*case) == EXAMPLE


def test_the_example_stands_until_somebody_makes_a_choice() -> None:
    assert EXAMPLE.state is State.EXAMPLE
    assert EXAMPLE["line"] == LINES[0]
    assert EXAMPLE.profile is not None
    for field in FIELDS.values():
        assert EXAMPLE[field.name] == field.default
    own = Case(unit="household", group=4)
    assert (own.state, own.line, own.profile, own["line"]) == (State.NO_LINE, None, None, NO_LINE)
    assert Case(title="") == EXAMPLE


@pytest.mark.parametrize("name", sorted(LINE_NAMES - {"line", "interview"}))
def test_a_part_of_a_line_draws_the_line(name: str) -> None:
    drawn = Case(**{name: FIELDS[name].default})
    assert drawn["line"] == LINES[0]
    assert drawn.state is State.UNDECIDED
    assert drawn.with_choices(line=NO_LINE) == EXAMPLE


def test_no_line_has_no_profile_and_is_offered_nowhere() -> None:
    with pytest.raises(ValueError, match="No line of acceptable risk is drawn"):
        chosen_profile(LineChoice(line=NO_LINE))
    assert FIELDS["line"].offered == LINES
    assert FIELDS["line"].rule == "be one of cap_or_ratio, constant, increase, box, drawn"
    assert "" not in FIELDS["moves"].offered + FIELDS["published"].offered


def test_a_decision_holds_for_its_own_case_alone() -> None:
    case = Case(ratio=2.0, unit="household", group=4, title="Absence")
    decided = case.decided(value=1.02, currency="epsilon", by="the board", date="12 May")
    assert decided.state is State.DECIDED
    for made in ({"title": "Other"}, {"author": "A. Smith"}, {"prior": 0.1}, {"interview": "c"}):
        assert decided.with_choices(**made).state is State.DECIDED
    for other in ({"ratio": 2.1}, {"group": 5}, {"secret": "value"}, {"release": "count"}, {"failure": 0.02}):
        changed = decided.with_choices(**other)
        assert changed.state is State.DECIDED_FOR_ANOTHER
        assert changed.with_choices(**{name: case[name] for name in other}).state is State.DECIDED
    assert decided.with_choices(published=FIELDS["published"].offered[0]).state is State.PUBLISHED


@each(
    "case",
    [
        Case(unit="household", group=4, releases=2, guarantee=guarantee, line=line)
        for guarantee, line in (
            ("approximate", "cap_or_ratio"),
            ("zero_concentrated", "box"),
            ("pure", "increase"),
            ("approximate", "drawn"),
        )
    ],
)
def test_a_choice_that_changes_what_the_line_implies_makes_another_case(case: Case) -> None:
    implied, changing = case_budget(case), set[str]()
    for name, field in FIELDS.items():
        others: Iterable[Any] = field.options if field.kind == "choice" else ()
        if field.kind in ("number", "count"):
            others = (2 * case[name], case[name] / 2) if field.kind == "number" else (case[name] + 1,)
        for value in others:
            with suppress(ValueError):
                other = case.with_choices(**{name: value})
                if other["published"] == "" and case_budget(other) != implied:
                    changing.add(name)
                    assert other.digest != case.digest, (name, value)
    assert {"unit", "group", "releases", "guarantee", "line"} <= changing
    assert ("delta" in changing) is (case["guarantee"] == "approximate")


def test_a_group_typed_for_another_unit_does_not_make_another_case() -> None:
    assert Case(ratio=2.0, group=7).digest == Case(ratio=2.0).digest
    assert Case(ratio=2.0, unit="days", group=7).digest != Case(ratio=2.0, unit="days").digest


@given(_decisions())
def test_a_decision_comes_back_from_a_link_and_a_table(decision: Decision) -> None:
    assert read_decision(write_decision(decision)) == decision
    assert decision_from_table(decision.as_table) == decision


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1", "must be a budget, its currency and who decided; got '1'"),
        ("1~euro", "must be a budget, its currency"),
        ("much~epsilon", "must be a budget, its currency"),
        ("0~epsilon", r"value must lie in \(0, 1000\]"),
        ("nan~rho", "value must"),
        ("1~rho~" + "x" * 301, "by must have at most 300 characters; got 301"),
        ("1~rho~a~b~c~d~e~f", "must be a budget, its currency"),
    ],
)
def test_what_is_no_decision_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_decision(text)


def test_words_of_a_decision_may_be_as_long_as_its_rule_says() -> None:
    assert read_decision("1~rho~" + "x" * 300).by == "x" * 300


@pytest.mark.parametrize(
    "table", [{"value": 1.0}, {"currency": "rho"}, {"value": 1.0, "currency": "rho", "mood": "good"}, [], "1"]
)
def test_a_table_that_is_no_decision_is_refused(table: Any) -> None:
    with pytest.raises(ValueError, match="must have value and currency, and may have by"):
        decision_from_table(table)
    with pytest.raises(ValueError, match="by must be text; got '3'"):
        decision_from_table({"value": 1.0, "currency": "rho", "by": 3})


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"mood": "good"}, "name must be a choice of a case; got 'mood'"),
        ({"unit": "town"}, "must be one of person, records, household, days; got 'town'"),
        ({"group": "4"}, "must be a number and not text; got '4'"),
        ({"prior": 1.0}, r"must be at least 1e-15 and less than 1; got"),
        ({"secret": "membership?"}, "must be one of presence, value, both"),
        ({"tables": (TableRow("Births", times=12),)}, "Tables must be a value that a link can hold; got "),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_choice_of_a_case_is_refused(choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Case(**choices)


def test_a_promise_that_contradicts_itself_is_refused_when_it_is_asked_for() -> None:
    with pytest.raises(ValueError, match="secret must be 'value' or 'answer'"):
        _ = Case(relation="replace").promise


def test_a_refused_choice_of_a_link_was_not_made() -> None:
    reading = read_case({MARK: "own", "unit": "town", "group": "4", "colour": "blue"})
    assert reading.case == Case(group=4)
    assert [refusal.name for refusal in reading.refusals] == ["unit"]
    assert read_case({"colour": "blue"}).case is None
    assert read_case({MARK: EXAMPLE_ASKED, "unit": "days"}).case == EXAMPLE
    assert read_case({MARK: "own", "line": NO_LINE, "unit": "days"}).case == Case(unit="days")


def test_former_names_of_choices_are_read() -> None:
    asked = {"neighbours": "bounded", "question": "membership"}
    fields = {field.former_name: field for field in PROMISE_FIELDS if field.former_name}
    assert {fields[name].name: fields[name].decode(text) for name, text in asked.items()} == {
        "relation": "replace",
        "secret": "presence",
    }


def test_a_choice_too_long_for_a_link_is_left_out_whole_and_named() -> None:
    dice = random.Random(5)
    rows = tuple(LedgerRow("".join(dice.choices(ascii_letters, k=58)), "pure", "0.1") for _ in range(200))
    case = Case(title="t" * 500, rows=rows, hidden="was absent")
    assert len(FIELDS["rows"].encode(rows)) > MAX_VALUE_LENGTH
    query = write_case(case)
    assert query[MISSING] == "rows"
    reading = read_case(query)
    assert (reading.case, reading.missing) == (case.without("rows"), ("rows",))


def test_a_case_takes_at_most_six_thousand_characters_of_a_link() -> None:
    texts = [name for name, field in FIELDS.items() if field.kind == "text"]
    case = Case(**{name: f"{name} é" + "x" * 1500 for name in texts})
    query = write_case(case)
    left_out = query[MISSING].split()
    kept = {name: text for name, text in query.items() if name not in (MARK, MISSING)}
    assert sum(len(name) + len(text) for name, text in kept.items()) <= LONGEST_CASE
    assert read_case(query).case == case.without(*left_out)
    assert set(kept) | set(left_out) == set(case)


def test_what_a_link_has_no_room_for_is_the_longest_of_its_choices() -> None:
    texts = [name for name, field in FIELDS.items() if field.kind == "text"]
    long = {name: "x" * (1200 + 10 * place) for place, name in enumerate(texts)}
    case = Case(unit="household", group=4, ratio=2.0, **long)
    left_out = write_case(case)[MISSING].split()
    assert min(len(case.texts[name]) for name in left_out) > max(
        len(case.texts[name]) for name in case.without(*left_out)
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff", "must be text that UTF-8 can write"),
        (b"{", "must be a case as JSON or TOML"),
        (b"= 1", "must be a case as JSON or TOML"),
        (b"ratio = 2.0", "it must say riskline_case = 1"),
        (b"riskline_case = true", "it must say riskline_case = 1"),
        (b"riskline_case = 2", "must be of format 1 or earlier; got 2"),
        (b'riskline_case = 1\nunit = "town"', "unit: .* must be one of person"),
        (b"riskline_case = 1\ntables = 3", "tables: must be a list of rows; got '3'"),
        (
            b'riskline_case = 1\ntables = [{mood = "good"}]',
            "tables: must have no cell 'mood' in a row; its cells are",
        ),
        (
            b'riskline_case = 1\ntables = [{name = "A", areas = "' + b"1000000000; " * 5 + b'1000000"}]',
            "tables: .* row 1 must have at most 60 characters a cell; got 67",
        ),
        (
            b'riskline_case = 1\nrows = [{name = "' + b"A" * 61 + b'"}]',
            "rows: .* row 1 must have at most 60 characters a cell; got 61",
        ),
        (b"riskline_case = 1\nrows = [3]", "rows: must have cells with names in each row; got '3'"),
        (
            b"riskline_case = 1\nrows = [{name = true}]",
            "rows: must have a text or a number as 'name' of a row",
        ),
        (b"riskline_case = 1\ngeography = [{areas = 6}]", "geography: must have a cell 'name' in each row"),
        (b"riskline_case = 1\npoints = [[0.5, 0.1]]", "points: "),
        (b"riskline_case = 1\nchosen = 3", "chosen: must have value and currency"),
        (b"riskline_case = 1\ngroup = true", "group: "),
        (b"riskline_case = 1\nshelf = [nan]", "shelf must hold finite numbers; got nan"),
        (b'{"riskline_case": 1, "shelf": 1e999}', "shelf must hold finite numbers; got inf"),
    ],
)
def test_a_file_that_is_no_case_gets_a_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_file(content)


def test_a_number_in_a_row_of_a_file_is_what_its_text_is() -> None:
    typed = read_file(b'riskline_case = 1\nrows = [{name = "A", budget = "0.1", often = "12"}]')
    assert read_file(b'riskline_case = 1\nrows = [{name = "A", budget = 0.1, often = 12}]') == typed


@given(st.binary(max_size=120) | st.text(max_size=80).map(lambda text: f"riskline_case = 1\n{text}".encode()))
def test_no_bytes_raise_anything_but_a_sentence(content: bytes) -> None:
    with suppress(ValueError):
        read_file(content)


@pytest.mark.parametrize("name", ["shelf", "number"])
def test_what_later_versions_hold_is_no_choice_of_this_one_and_is_kept(name: str) -> None:
    assert name not in FIELDS
    held = case_from_table({"unit": "days", name: {"more": [1, 2]}})
    assert case_table(held) == {"unit": "days", name: {"more": [1, 2]}}
    assert held.with_choices(group=2).kept == held.without("unit").kept == {name: {"more": [1, 2]}}


def test_a_date_that_no_choice_has_is_kept_as_text_that_every_file_can_hold() -> None:
    held = read_file(b"riskline_case = 1\nratio = 2.0\nfiled = {on = 2026-01-01, at = 10:00:00}")
    assert held.kept == {"filed": {"on": "2026-01-01", "at": "10:00:00"}}
    assert read_file(write_json(held).encode()) == held


def test_a_scenario_is_read_as_the_case_it_holds() -> None:
    document = {"riskline_scenario": 2, "case": {"ratio": 2.0}, "pages": {}}
    assert read_file(json.dumps(document).encode()) == Case(ratio=2.0)


def test_a_page_words_a_choice_of_the_case_in_its_own_way() -> None:
    asked = case_field("prior", label="What an attacker believes before", default=0.05)
    assert (asked.label, asked.default, asked.of_case) == ("What an attacker believes before", 0.05, True)
    with pytest.raises(KeyError):
        case_field("mood")


@each("method", RECORDED)
def test_a_method_in_a_case_keeps_its_own_settings_and_no_others(method: str) -> None:
    chosen = MethodChoice(method, base=7, threshold=9, rate=0.3, variance=1.5)
    assert chosen.recorded == read_method(write_method(chosen)) == read_method(write_method(chosen.recorded))
    assert {name for name in vars(chosen) if getattr(chosen.recorded, name) != getattr(MethodChoice(method), name)} == {
        *({"base", "threshold", "rate", "variance"} & set(RECORDED[method]))
    }
    case = Case(ratio=2.0)
    assert case.with_choices(method_today=chosen.recorded).digest == case.digest  # no decision is about it
    assert MethodChoice("table").recorded is None


@each(
    "told, reason",
    [
        (
            {"method": "table"},
            "must be one of round_random, round_nearest, graduated, cell_key, suppress, swap; got 'ta",
        ),
        ({"method": ["swap"]}, "must be one of round_random,"),
        ({"method": "suppress", "base": 3}, "must have the settings threshold, zero; got 'base'"),
        ({"method": "suppress", "threshold": 0}, "threshold must be a whole number from 1 to 1,000; got '0'"),
        ({"method": "graduated", "classes": [[0, 3]]}, "classes must be text; got '[[0, 3]]'"),
        ({"method": "graduated", "classes": "0:3, 20:7"}, "class must begin at a multiple of its base 7"),
        (
            {"method": "round_random", "down": ".3"},
            "probability_down must have 2 probabilities, one for each remainder",
        ),
        ({"method": "swap", "rate": 1.0}, "rate must be greater than 0 % and less than 100 %; got '1'"),
    ],
)
def test_a_method_that_cannot_be_recorded_is_refused_by_name(told: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^method_today: {re.escape(reason)}"):
        case_from_table({"method_today": told})


def test_a_link_with_such_a_method_says_what_it_must_be() -> None:
    (refused,) = read_case({"method_today": "cell_key~variance=-1"}).refusals
    assert refused.sentence == refused.why == "Method today: variance must be from 0 to 2,550; got '-1'."
    (refused,) = read_case({"method_today": "cell_key~threshold=3"}).refusals
    assert "must have the settings largest_noise, variance, never_published; got 'threshold'" in refused.why
