"""What every choice of every page takes and begins with is what a person has read and approved."""

from __future__ import annotations

from tests.approved.choices import choices_in_words, file_of_choices
from tests.approved.difference import fail_with_difference
from tests.approved.prose import chosen, inputs_and_view
from tests.each import each
from ui.link.page_table import PAGES, PageEntry


@each("entry", PAGES, ids=lambda entry: entry.stem)
def test_every_choice_takes_and_begins_with_what_was_approved(entry: PageEntry) -> None:
    fail_with_difference(file_of_choices(entry.stem), choices_in_words(entry), entry.stem)


@each("stem", [entry.stem for entry in PAGES if entry.fields])
def test_who_chooses_nothing_has_the_defaults_of_the_controls(stem: str) -> None:
    """Presets, other views and tests begin with the inputs' own defaults, a reader with those of the fields."""
    inputs_of, _ = inputs_and_view(stem)
    assert chosen(stem, "") == inputs_of()
