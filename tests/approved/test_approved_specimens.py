"""How a picture, a row of icons and a document are drawn, in every way there is, is what a person has approved.

Pages hold what is drawn of which numbers; the specimens hold sizes, strokes, places, both grounds and both forms of a
document, so that a slip in a renderer shows wherever it is used.
"""

from __future__ import annotations

from tests.approved import document_specimen, specimens
from tests.approved.difference import fail_with_difference


def test_every_way_of_drawing_is_drawn_as_approved() -> None:
    fail_with_difference(specimens.FILE, specimens.specimens_in_words(), "")


def test_a_document_has_every_kind_of_part_as_approved() -> None:
    fail_with_difference(document_specimen.FILE, document_specimen.documents_in_words(), "")
