"""Every control, label, help, option, fold and place of a page is what a person has read and approved."""

from __future__ import annotations

import pytest

from tests.approved import brought, journeys, meeting
from tests.approved.difference import fail_with_difference
from tests.approved.outline import file_of_outline, outline_in_words
from ui.link.page_table import PAGES, PageEntry

pytestmark = pytest.mark.usefixtures("runs_here")


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.stem)
def test_a_page_asks_and_shows_what_was_approved(entry: PageEntry) -> None:
    fail_with_difference(file_of_outline(entry.stem), outline_in_words(entry), entry.stem)


def test_a_meeting_asks_and_shows_what_was_approved_on_each_screen(patient_rooms: None) -> None:
    fail_with_difference(meeting.FILE, meeting.meeting_in_words(), "room")


def test_files_that_are_brought_show_what_was_approved_and_leave_nothing_behind() -> None:
    fail_with_difference(brought.FILE, brought.brought_in_words(), "")


def test_journeys_through_the_frame_show_what_was_approved_at_each_step() -> None:
    fail_with_difference(journeys.FILE, journeys.journeys_in_words(), "")
