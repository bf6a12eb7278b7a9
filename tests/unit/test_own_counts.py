"""A reader's own counts stay in the session: in no address, no file and no other page's link; old links still open."""

from __future__ import annotations

import json

import pytest

from riskline.case.choices import FIELDS as CASE_FIELDS
from riskline.case.fields import Field
from riskline.case.value import EXAMPLE
from ui.frame.run import _own_keys
from ui.link import scenario
from ui.link.case_links import address, own_name
from ui.link.page_table import PAGES, page_entry

OWN = {
    "choose": {"population": "1, 2, 3, 17"},
    "accuracy": {"count": "17", "total": "17", "target": "17", "places": "Ash~17"},
    "exact_totals": {"table": "17~2_3~4"},
    "add_up": {"counts": "17~2~3"},
    "block": {"alike": "17"},
    "methods": {"others": "17", "places": "Ash~17", "table": "i;j;p\n0;0;1\n1;2;1"},
    "hierarchy": {"person": "1*1*0*17", "instead": "1*1*0*7"},
}
"""Every choice that holds counts or values of the people in a reader's own data, with one that somebody typed."""


def own_fields(stem: str) -> list[Field]:
    return [field for field in page_entry(stem).fields if field.in_old_links]


def test_every_choice_of_own_counts_is_one_of_these_and_none_belongs_to_the_case() -> None:
    found = {entry.stem: {field.name for field in entry.fields if field.in_old_links} for entry in PAGES}
    assert {stem: names for stem, names in found.items() if names} == {stem: set(names) for stem, names in OWN.items()}
    assert not any(field.in_old_links or field.private for field in CASE_FIELDS.values())


@pytest.mark.parametrize("stem", OWN)
def test_own_counts_are_in_no_address_and_no_file(stem: str) -> None:
    fields = page_entry(stem).fields
    values = {field.name: field.decode(OWN[stem][field.name]) for field in own_fields(stem)}
    assert all(values[field.name] != field.default for field in own_fields(stem))
    assert address(EXAMPLE, stem, fields, values) == {}
    assert json.loads(scenario.write({stem: values}))["pages"] == {}
    assert all(field.private and not field.in_address and not field.of_case for field in own_fields(stem))


@pytest.mark.parametrize("stem", OWN)
def test_a_file_of_0_3_that_holds_counts_is_read_and_another_leaves_those_of_the_session(stem: str) -> None:
    old = scenario.read(json.dumps({"riskline_scenario": 1, "pages": {stem: OWN[stem]}}))
    assert not any(old.refusals.values())
    expected = {field.name: field.decode(OWN[stem][field.name]) for field in own_fields(stem)}
    assert {name: old.pages[stem][name] for name in expected} == expected
    before = {stem: {field.name: field.default for field in page_entry(stem).fields}}
    assert scenario.with_private(old.pages, before)[stem].items() >= expected.items()
    other = scenario.read(json.dumps({"riskline_scenario": 2, "case": {}, "pages": {}}))
    assert scenario.with_private(other.pages, {stem: before[stem] | expected})[stem].items() >= expected.items()


def test_a_copied_link_loses_no_choice_whose_name_another_page_gives_to_own_counts() -> None:
    addressed = {own_name(entry.stem, field) for entry in PAGES for field in entry.fields if not field.private}
    assert not addressed & set(_own_keys())
    assert "key" in _own_keys()
