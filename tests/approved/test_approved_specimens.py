"""How pictures, documents, the line editor and ranges are drawn, in every way there is, a person has approved.

Pages hold what is drawn of which numbers; the specimens hold sizes, strokes, places, both grounds and both forms of a
document, so that a slip in a renderer shows wherever it is used.
"""

from __future__ import annotations

from tests.approved import document_specimen, editor, shown_specimen, specimens
from tests.approved.difference import fail_with_difference


def test_every_way_of_drawing_is_drawn_as_approved() -> None:
    fail_with_difference(specimens.FILE, specimens.specimens_in_words(), "")


def test_a_document_has_every_kind_of_part_as_approved() -> None:
    fail_with_difference(document_specimen.FILE, document_specimen.documents_in_words(), "")


def test_what_the_frame_puts_on_a_page_is_as_approved() -> None:
    fail_with_difference(shown_specimen.FILE, shown_specimen.shown_in_words(), "")


def test_the_line_editor_draws_says_and_sends_what_was_approved() -> None:
    fail_with_difference(editor.FILE, editor.editor_in_words(), "")


def test_the_ranges_are_drawn_said_and_sent_as_approved() -> None:
    fail_with_difference(editor.RANGES_FILE, editor.ranges_in_words(), "")


def test_the_coins_fall_keep_and_send_as_approved() -> None:
    fail_with_difference(editor.COINS_FILE, editor.coins_in_words(), "")
