"""Every number of every page takes its closed ends and refuses its open ones and what lies beyond, in its own words."""

from __future__ import annotations

import math

from riskline.case.fields import Field, number_text, without_sign
from tests.each import each
from ui.link.page_table import PAGES

NUMBERS = [
    (f"{entry.stem}-{field.name}", field)
    for entry in PAGES
    for field in entry.fields
    if field.kind in ("number", "count")
]


def refuses(field: Field, value: float | None) -> bool:
    """Whether the field refuses the number, or an empty box, naming itself, its rule and what it got."""
    text = "" if value is None else number_text(value)
    try:
        field.decode(text)
    except ValueError as error:
        told = str(error)
    else:
        return False
    assert told.removesuffix(without_sign(text)) == f"{field.named} must {field.rule}; got {text!r}"
    return True


@each("name, field", NUMBERS)
def test_an_end_is_taken_where_it_is_closed_and_refused_where_it_is_open(name: str, field: Field) -> None:
    for end, is_open in ((field.low, field.open_low), (field.high, field.open_high)):
        if math.isfinite(end):
            assert refuses(field, end) == is_open, end
    inside = (field.low + field.high) / 2
    assert not refuses(field, math.floor(inside) if field.kind == "count" else inside)


@each("name, field", NUMBERS)
def test_what_lies_beyond_an_end_is_refused(name: str, field: Field) -> None:
    step = 1.0 if field.kind == "count" else 0.0
    for end, outwards in ((field.low, -math.inf), (field.high, math.inf)):
        if math.isfinite(end):
            assert refuses(field, end + math.copysign(step, outwards) if step else math.nextafter(end, outwards)), end


@each("name, field", NUMBERS)
def test_the_default_and_the_span_of_the_slider_lie_in_the_range(name: str, field: Field) -> None:
    for value in (field.default, *(field.span or ())):
        assert not refuses(field, value), value


@each("name, field", NUMBERS)
def test_the_rule_says_which_ends_belong_to_it(name: str, field: Field) -> None:
    if field.kind == "number" and math.isfinite(field.high):
        opened = "be greater than " if field.open_low else "be at least " if field.open_high else "be from "
        assert field.rule.startswith(opened)
        assert (" and less than " in field.rule) == field.open_high
