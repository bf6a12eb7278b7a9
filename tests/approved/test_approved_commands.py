"""Every command tells what a person has read and approved, of its examples, of cases, and where it refuses."""

from __future__ import annotations

from tests.approved.commands import FILE, commands_in_words
from tests.approved.difference import fail_with_difference


def test_commands_tell_what_was_approved() -> None:
    fail_with_difference(FILE, commands_in_words(), "commands")
