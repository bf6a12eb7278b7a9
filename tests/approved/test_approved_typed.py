"""Every reader of typed text takes and refuses what a person has read and approved."""

from __future__ import annotations

from tests.approved.difference import fail_with_difference
from tests.approved.typed import FILE, typed_in_words


def test_what_is_typed_is_read_and_refused_as_was_approved() -> None:
    fail_with_difference(FILE, typed_in_words(), "typed")
