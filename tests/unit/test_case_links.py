"""The address of a page: the case, the same everywhere, and the page's own choices under names of their own."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import pytest

from riskline.case.choices import FIELDS, LINE_NAMES, NO_LINE, case_field
from riskline.case.fields import Field, pairs_of, read_pairs, read_query
from riskline.case.link import MARK, NAMES, read_case, write_case
from riskline.case.releases import decode_ledger
from riskline.case.tables import TableRow, decode_tables, encode_tables
from riskline.case.value import EXAMPLE, Case
from ui.link.case_links import (
    DREW_A_LINE,
    WITHOUT_CASE,
    address,
    own_name,
    page_query,
    page_query_of,
    parts_of,
    write_own,
)
from ui.link.page_table import FRAME_FIELDS, PAGES, PageEntry, PageLink, page_entry

CASE = Case(ratio=2.0, unit="household", group=4, secret="value", prior=0.2, title="Absence")
ENTRIES = pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.stem)


@ENTRIES
def test_no_name_of_a_page_means_two_things(entry: PageEntry) -> None:
    named = [own_name(entry.stem, field) for field in entry.fields if not field.of_case]
    assert not set(named) & (NAMES | {field.name for field in FRAME_FIELDS})
    assert len(set(named)) == len(named)
    for field in entry.fields:
        if field.of_case:
            of_case = FIELDS[field.name]
            assert (field.kind, field.low, field.high) == (of_case.kind, of_case.low, of_case.high)
            assert set(field.options) == set(of_case.options)


@ENTRIES
def test_an_address_says_the_case_and_the_pages_own_choices(entry: PageEntry) -> None:
    own = {
        field.name: field.offered[-1] if field.kind == "choice" else True
        for field in entry.fields
        if field.kind in ("choice", "flag") and not field.of_case and field.in_address
    }
    own = {field.name: own.get(field.name, field.default) for field in entry.fields if not field.of_case}
    query = address(CASE, entry.stem, entry.fields, own)
    parts = parts_of(entry.stem, entry.fields, query.items())
    assert parts.case.case == (None if entry.stem == WITHOUT_CASE else CASE)
    reading = read_query([field for field in entry.fields if not field.of_case], dict(parts.own))
    assert reading.refusals == ()
    assert reading.values == own
    assert address(EXAMPLE, entry.stem, entry.fields, own) == write_own(entry.stem, entry.fields, own)


def test_a_way_carries_the_case_and_says_the_rest_itself() -> None:
    query = page_query_of(CASE, PageLink("block", "", (("noise", "gaussian"), ("unit", "person"))))
    assert query == write_case(CASE) | {"unit": "person", "block_noise": "gaussian"}
    parts = parts_of("block", page_entry("block").fields, query.items())
    assert parts.case.case == CASE.with_choices(unit="person")
    assert ("noise", "gaussian") in parts.own


def test_a_way_that_draws_a_line_draws_the_whole_of_it() -> None:
    query = page_query_of(CASE, PageLink("choose", "", (("line", "box"), ("low", "0.1"))))
    case = read_case(query).case
    assert case is not None
    assert {name: case[name] for name in LINE_NAMES & set(case)} == {"line": "box", "low": 0.1}
    assert case.without(*LINE_NAMES) == CASE.without(*LINE_NAMES)


def test_a_way_out_of_the_example_says_its_own_choices_alone() -> None:
    assert page_query_of(EXAMPLE, PageLink("plan", "", (("released", "cells"),))) == {"plan_released": "cells"}
    assert page_query_of(CASE, PageLink("join", "")) == {}
    assert page_query_of(CASE, PageLink("memo", "")) == write_case(CASE)
    assert page_query_of(CASE, PageLink("choose", "", ((MARK, "example"),))) == {MARK: "example"}
    drawn = page_query_of(Case(ratio=2.0), PageLink("choose", "", (("line", "box"),)))
    assert read_case(drawn).case == Case(line="box")


def test_a_case_that_a_way_leaves_without_a_choice_of_its_own_is_still_a_case() -> None:
    query = page_query_of(Case(line="box"), PageLink("choose", "", (("line", "constant"), ("ratio", "2"))))
    assert query[MARK] == "own"
    assert read_case(query).case == Case(line="constant", ratio=2.0)


@pytest.mark.parametrize("stem", ["choose", "publication", "positions", "accuracy", "explain", "plan"])
def test_an_old_link_is_a_case_where_it_says_one(stem: str) -> None:
    fields = page_entry(stem).fields
    old = [("neighbours", "bounded"), ("secret", "value"), ("unit", "days"), ("group", "30")]
    drawn = {"line": "cap_or_ratio"} if stem in DREW_A_LINE else {}
    if stem == "publication":
        drawn["noise"] = "discrete_gaussian"  # which its links left out
    expected = Case(relation="replace", secret="value", unit="days", group=30, **drawn)
    assert parts_of(stem, fields, old).case.case == expected
    assert parts_of(stem, fields, []).case.case is None


@pytest.mark.parametrize("mark", [[], [(MARK, "own")]])
def test_a_choice_of_the_case_that_a_link_names_twice_is_told(mark: list[tuple[str, str]]) -> None:
    given = [("ratio", "2"), *mark, ("ratio", "5"), ("view", "ratio"), ("view", "difference")]
    reading = parts_of("choose", page_entry("choose").fields, given).case
    assert [refusal.sentence for refusal in reading.refusals] == [
        "The link names 'ratio' 2 times; the last value, '5', counts."
    ]
    assert reading.case == Case(ratio=5.0)


def test_an_old_question_is_the_secret_of_today() -> None:
    reading = parts_of("choose", page_entry("choose").fields, [("question", "membership"), ("held", "0.5")]).case
    assert reading.case == Case(secret="presence", held=0.5, line="cap_or_ratio")
    refused = parts_of("choose", page_entry("choose").fields, [("question", "mood")]).case
    assert [refusal.name for refusal in refused.refusals] == ["question"]
    block = parts_of("block", page_entry("block").fields, [("question", "unknown_variable"), ("noise", "geometric")])
    assert block.case.case is None
    assert block.own == [("question", "unknown_variable"), ("noise", "geometric"), ("tables", "detailed")]


def test_a_link_of_old_means_the_question_and_the_tables_that_its_page_began_with() -> None:
    fields = page_entry("block").fields
    old = parts_of("block", fields, [("prior", "0.2")]).own
    assert old == [("prior", "0.2"), ("tables", "detailed"), ("asked", "presence")]
    assert page_query("block", fields, [("prior", "0.2")]) == dict(old)
    assert parts_of("block", fields, [("voice", "technical")]).own == [("voice", "technical")]
    begun = {field.name: field.default for field in fields}
    assert address(EXAMPLE, "block", fields, begun) == {}
    for values in ({"prior": 0.2}, {"asked": "presence"}, {"tables": "detailed", "seed": 3}):
        said = address(EXAMPLE, "block", fields, begun | values)
        assert read_pairs(fields, parts_of("block", fields, said.items()).own).values == begun | values
        assert read_query(fields, page_query("block", fields, said.items())).values == begun | values


def test_a_memo_of_old_says_the_case_of_the_pages_it_carried() -> None:
    carried = {
        "choose": "question=value&neighbours=bounded&unit=household&group=4",
        "plan": "rows=g~0.01~1~~Daily%20count&group=9",
        "title": "Old",
    }
    parts = parts_of("memo", page_entry("memo").fields, carried.items())
    rows = decode_ledger("g~0.01~1~~Daily%20count")
    line = {"secret": "value", "relation": "replace", "unit": "household", "group": 4, "line": "cap_or_ratio"}
    assert parts.case.case == Case(title="Old", rows=rows, **line)
    assert parts.own == []


def test_what_a_memo_of_old_carried_wrongly_and_who_it_says_has_decided_is_told() -> None:
    carried = {"choose": "unit=town", "accuracy": "half_width=4", "decided_by": "the board", "decision": ""}
    parts = parts_of("memo", page_entry("memo").fields, carried.items())
    assert [refusal.name for refusal in parts.case.refusals] == ["unit", "decided_by"]
    assert "'the board'" in parts.case.refusals[1].sentence
    assert (parts.own, parts.beside) == ([], {"choose": [], "accuracy": [("half_width", "4")]})


def test_a_link_with_a_case_reads_as_the_choices_of_one_page() -> None:
    fields = (case_field("line"), case_field("unit"), Field("noise", "Noise", "text", ""))
    said = pairs_of("case=own&unit=days&title=A&block_noise=x&voice=technical")
    assert page_query("block", fields, said) == {"unit": "days", "line": NO_LINE, "noise": "x", "voice": "technical"}
    assert page_query("block", fields, pairs_of("case=own&ratio=2")) == {}
    assert page_query("block", fields, pairs_of("case=example&unit=days&block_noise=x")) == {"noise": "x"}
    assert page_query("block", fields, pairs_of("noise=x&unit=days")) == {"noise": "x", "unit": "days"}


def test_text_in_a_link_is_escaped_once() -> None:
    case = Case(ratio=2.0, tables=(TableRow("Births, 5 % ~ all!", wish="5"), TableRow(".5"))).decided(
        value=0.9, currency="epsilon", by="the board"
    )
    text = urlencode(write_case(case))
    assert "%2520" not in text
    assert "the+board" in text
    read = read_case(dict(parse_qsl(text))).case
    assert read is not None
    assert (read["tables"], read.decision) == (case["tables"], case.decision)
    assert decode_tables(encode_tables((TableRow(".5"),))) == (TableRow(".5"),)


def test_a_way_begins_rows_only_where_nobody_has_any_and_nobody_decided() -> None:
    """What was decided stays decided, and a plan stays as it was typed, when a link is followed."""
    way = PageLink("plan", "", (("rows", "n~1~1~~A count"),))
    assert page_query_of(CASE, way)["rows"] == "n~1~1~~A count"
    for case in (CASE.decided(value=0.2, currency="epsilon"), CASE.with_choices(rows=decode_ledger("p~0.1~12~~Own"))):
        there = read_case(page_query_of(case, way)).case
        assert there is not None
        assert there == case
        assert there.state == case.state
