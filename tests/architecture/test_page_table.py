"""The page table is complete: every stem has its file, view, choices, and text in both voices with equal numbers."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

import pytest

from tests.approved.reading import passages_in
from tests.each import each
from tests.said import SAID, placeholders
from ui.link.page_table import PAGES, PageEntry, page_entry
from ui.words.catalogue import FOLDER, LANGUAGE, VOICES, labels, passages

ROOT = Path(__file__).resolve().parents[2]
STEMS = [entry.stem for entry in PAGES]


def test_every_page_file_is_in_the_table() -> None:
    assert sorted(path.stem for path in (ROOT / "pages").glob("*.py")) == sorted(STEMS)


def test_every_view_and_text_folder_belongs_to_a_page() -> None:
    views = {found.name for found in iter_modules([str(ROOT / "ui" / "views")])}
    assert views == {*STEMS, "shared"}
    texts = {path.name for path in (ROOT / "ui" / "text").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert texts == {*SAID, "noises"}  # words of each noise, for all pages


IN_OTHER_WORDS: dict[tuple[str, str], dict[str, set[str]]] = {
    **{("accuracy", name): {"holds": {"chance"}} for name in ("answer_budget", "reading_law")},  # exactly
    ("accuracy", "counted"): {"range": {"low", "high"}},
    **{("exact_totals", f"answer{kind}"): {"reach": {"prior", "after"}} for kind in ("", "_same", "_none")},
    ("exact_totals", "answer_all"): {"fixed": {"determined"}},
    ("exact_totals", "reading_losses"): {"prior": {"ways"}},
    ("exact_totals", "ways"): {"before": {"after_project"}},  # what is adjusted tells as much
    ("block", "answer"): {"believes": {"after"}},
    ("block", "speaks_times"): {"with": set()},  # under which hypothesis: said before
    ("accuracy", "answer_accuracy"): {"rounding": set()},  # rounded up
    ("choose", "answer"): {"split_below": {"p", "q"}},
    **{("play", f"verdict_{found}"): {"veil": set()} for found in ("hidden", "partly", "found")},  # a share of errors
    ("publication", "small_print"): {"spending": {"budget"}},
    **{("plan", f"small_print_{kind}"): {"relation": {"change"}} for kind in ("exact", "bound")},
    **{("plan", f"answer_{kind}"): {"who": {"headline"}} for kind in ("cap", "difference")},  # whose rule it is
    ("how_we_know", "peers_head"): {"share": {"excess"}},  # the difference itself
    **{("memo", name): {"many": set()} for name in ("districts", "one_district")},  # of what a count is: in its title
    **{("infer", name): {"beyond": {"level"}} for name in ("answer", "folder")},  # the probability inside, not outside
}
"""Numbers and words of the plain voice that the technical one says by others, and by which."""


@each("stem", SAID)
def test_the_technical_voice_says_every_number_that_the_plain_voice_says(stem: str) -> None:
    plain, technical = (passages(stem, voice) for voice in VOICES)
    for name in plain:
        instead, said = IN_OTHER_WORDS.get((stem, name), {}), placeholders(technical[name])
        assert placeholders(plain[name]) - said == set(instead), (stem, name)
        assert set().union(*instead.values()) <= said, (stem, name)


def own_passages(stem: str, voice: str) -> set[tuple[str, str]]:
    """Names and words of what stands in a voice's own file."""
    return {passage for file in (FOLDER / stem / LANGUAGE).glob(f"{voice}.md") for passage in passages_in(file)}


@each("stem", SAID)
def test_the_technical_voice_repeats_no_passage_of_the_plain_one(stem: str) -> None:
    assert (
        own_passages(stem, "plain") & own_passages(stem, "technical") == set()
    )  # what is left out is said as in plain


def test_a_passage_without_words_of_its_own_is_the_plain_one() -> None:
    plain, technical = (passages("explain", voice) for voice in VOICES)
    own = dict(own_passages("explain", "technical"))
    assert set(own) - set(plain)  # what only experts open stands in technical.md alone
    assert set(plain) - set(own) - set(labels("explain"))
    assert technical == plain | own


@each("stem", SAID)
def test_the_plain_voice_shows_no_formula(stem: str) -> None:
    for name, text in passages(stem, "plain").items():
        assert "$" not in text, (stem, name)


@each("entry", PAGES, ids=lambda entry: entry.stem)
def test_every_default_survives_its_own_link(entry: PageEntry) -> None:
    names = [field.name for field in entry.fields]
    assert len(names) == len(set(names))
    for field in entry.fields:
        assert field.encode(field.decode(field.encode(field.default))) == field.encode(field.default), field.name


def test_an_unknown_page_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"page must be one of home.*; got 'nowhere'"):
        page_entry("nowhere")
