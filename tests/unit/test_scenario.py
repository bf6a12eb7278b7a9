"""The scenario file: what is saved loads back; a damaged or foreign file gets a sentence."""

from __future__ import annotations

import json
import random
from string import ascii_letters
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskline.case.fields import MAX_VALUE_LENGTH
from riskline.case.releases import LedgerRow, decode_ledger, encode_ledger
from riskline.case.tables import TableRow, encode_tables
from riskline.case.value import Case
from tests.each import each
from ui.link import scenario
from ui.link.page_table import PAGES, page_entry


def _defaults() -> dict[str, dict[str, Any]]:
    return {entry.stem: {field.name: field.default for field in entry.fields} for entry in PAGES}


def test_what_is_saved_loads_back() -> None:
    pages, case = _defaults(), Case({"filing": {"shelf": 1}}, ratio=12.0, title="Absence")
    pages["choose"]["view"] = "ratio"
    loaded = scenario.read(scenario.write(pages, case, voice="technical"))
    assert loaded.voice == "technical"
    assert loaded.case == case
    own = [field.name for field in page_entry("choose").fields if field.in_address and not field.of_case]
    assert loaded.pages["choose"] == {name: pages["choose"][name] for name in own}
    assert loaded.refusals["choose"] == ()


def test_areas_typed_for_a_table_are_saved_beside_another_release() -> None:
    case = Case(areas=38, release="plan", ratio=2.0)
    assert scenario.read(scenario.write({}, case)).case == case
    assert json.loads(scenario.write({}, case))["case"]["areas"] == 38


def test_a_file_of_version_1_is_read_and_its_pages_make_one_case() -> None:
    pages = {
        "choose": {"ratio": "2.5", "question": "value", "view": "ratio"},
        "plan": {"unit": "household", "group": "4", "rows": "g~0.01~1~~Daily%20count"},
    }
    loaded = scenario.read(json.dumps({"riskline_scenario": 1, "pages": pages}))
    rows = decode_ledger("g~0.01~1~~Daily%20count")
    assert loaded.case == Case(line="cap_or_ratio", ratio=2.5, secret="value", unit="household", group=4, rows=rows)
    assert loaded.pages["choose"]["view"] == "ratio"
    assert not any(loaded.refusals.values())


def test_a_file_s_case_wins_over_its_pages_and_choosing_a_budget_over_the_other_pages() -> None:
    pages = {
        "explain": {"unit": "records", "group": "3", "prior": "0.2"},
        "plan": {"unit": "household", "group": "4"},
        "choose": {"unit": "days", "group": "7"},
    }
    first = scenario.read(json.dumps({"riskline_scenario": 1, "pages": pages})).case
    assert (first["unit"], first["group"], first["prior"]) == ("days", 7, 0.2)
    held = {"riskline_scenario": 2, "pages": pages, "case": {"unit": "person", "prior": 0.3}}
    second = scenario.read(json.dumps(held)).case
    assert (second["unit"], second["group"], second["prior"]) == ("person", 7, 0.3)


def test_what_a_memo_of_old_carried_is_a_pages_own_where_the_file_says_nothing_of_that_page() -> None:
    for pages, half_width in (({}, 4.0), ({"accuracy": {"half_width": "57"}}, 57.0)):
        document = {"riskline_scenario": 1, "pages": {"memo": {"accuracy": "half_width=4"}} | pages}
        assert scenario.read(json.dumps(document)).pages["accuracy"]["half_width"] == half_width
    assert json.loads(scenario.write(_defaults()))["pages"] == {}


def test_what_a_file_says_wrongly_of_its_case_is_named() -> None:
    document = {"riskline_scenario": 2, "pages": {}, "case": {"unit": "town"}}
    with pytest.raises(ValueError, match=r"damaged at case: unit: .* must be one of person, records"):
        scenario.read(json.dumps(document))


def test_the_file_keeps_its_own_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(scenario.SCHEMA)
    jsonschema.validate(json.loads(scenario.write(_defaults())), scenario.SCHEMA)


@each(
    "content, sentence",
    [
        (b"", "cannot be read as JSON"),
        (b"{", "cannot be read as JSON"),
        (b"\xff\xfe\x00", "cannot be read as JSON"),
        (b"[" * 100_000, "cannot be read as JSON"),
        (b"[]", "not a Riskline scenario file"),
        (b'{"version": 1}', "not a Riskline scenario file"),
        (b'{"riskline_scenario": 99, "pages": {}}', "made by a later Riskline"),
        (b'{"riskline_scenario": 1}', "damaged at the top level"),
        (b'{"riskline_scenario": 1, "pages": {"choose": {"releases": 12}}}', "damaged at pages / choose / releases"),
        (b'{"riskline_scenario": 1, "pages": [], "x": 1}', "damaged"),
        (b'{"riskline_scenario": 1, "pages": {"choose": {"ratio": "2", "ratio": "3"}}}', "names 'ratio' twice"),
        (b'{"riskline_scenario": Infinity, "pages": {}}', "cannot be read as JSON"),
        (b'{"riskline_scenario": 1e999, "pages": {}}', "not a Riskline scenario file"),
        (b'{"riskline_scenario": 2.0, "pages": {}}', "not a Riskline scenario file"),
        (b'{"riskline_scenario": true, "pages": {}}', "not a Riskline scenario file"),
        (b'{"riskline_scenario": ' + b"9" * 400 + b', "pages": {}}', "format 9{39}…; this one reads 2"),
        (b'{"riskline_scenario": 1, "pages": {"choose": {"\\ud800": 3}}}', "damaged at pages / choose / \ufffd"),
        (b'{"riskline_scenario": 1, "pages": {"' + b"x" * 9000 + b'": 3}}', "damaged at pages / x{39}…"),
        (b" " * 300_000, "the file must be at most 200,000 bytes; got 300,000"),
    ],
)
def test_a_file_that_is_not_a_scenario_gets_a_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        scenario.read(content)


def test_a_file_holds_at_most_so_many_names_and_says_which_it_does_not_know() -> None:
    case = {f"later{at}": at for at in range(100)}
    kept = scenario.read(json.dumps({"riskline_scenario": 2, "case": case, "pages": {}}))
    assert dict(kept.case.kept) == case
    assert "later99" in " ".join(refusal.sentence for refusal in kept.unknown)
    with pytest.raises(ValueError, match="damaged at case"):
        scenario.read(json.dumps({"riskline_scenario": 2, "case": case | {"one": 1}, "pages": {}}))
    pages = {f"page{at}": {} for at in range(50)}
    assert len(scenario.read(json.dumps({"riskline_scenario": 2, "pages": pages})).unknown) == 50
    with pytest.raises(ValueError, match="damaged at pages"):
        scenario.read(json.dumps({"riskline_scenario": 2, "pages": pages | {"choose": {}}}))


def test_half_a_surrogate_pair_in_a_file_is_refused_by_name_and_every_sentence_can_be_sent() -> None:
    document = rb'{"riskline_scenario": 1, "pages": {"memo": {"title": "\ud800x", "\udc00": "1"}, "\udfff": {}}}'
    loaded = scenario.read(document)
    assert "title" not in loaded.case
    said = [refusal.sentence for refusal in (*loaded.refusals["memo"], *loaded.unknown)]
    assert "Title must be text that UTF-8 can write" in said[0]
    assert len(said) == 3
    for sentence in said:
        sentence.encode("utf-8")
    scenario.write(loaded.pages).encode("utf-8")


def test_a_refused_value_in_the_file_is_named_and_the_rest_loads() -> None:
    document = {"riskline_scenario": 1, "pages": {"choose": {"ratio": "many"}, "future": {"x": "1"}}}
    loaded = scenario.read(json.dumps(document))
    assert "must be a number; got 'many'" in loaded.refusals["choose"][0].sentence
    assert "no page called 'future'" in loaded.unknown[0].sentence


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_a_sentence(content: bytes) -> None:
    with pytest.raises(ValueError):
        scenario.read(content)


def test_a_file_holds_a_list_that_no_link_can_hold() -> None:
    dice = random.Random(5)
    names = ["".join(dice.choices(ascii_letters, k=58)) for _ in range(200)]
    rows = tuple(LedgerRow(name, "pure", "0.1") for name in names)
    tables = tuple(TableRow(name, wish="5") for name in names)
    assert min(len(encode_ledger(rows)), len(encode_tables(tables))) > MAX_VALUE_LENGTH
    held = scenario.read(scenario.write({}, Case(rows=rows, tables=tables)))
    assert (held.case["rows"], held.case["tables"]) == (rows, tables)
    assert not any(held.refusals.values())
