"""What is filed of a case says what a person has read: a part that is left out is a difference."""

from __future__ import annotations

from tests.approved.difference import fail_with_difference
from tests.approved.filed import FILE, filed_in_words


def test_record_label_and_annexes_say_what_was_approved() -> None:
    fail_with_difference(FILE, filed_in_words(), "memo")
