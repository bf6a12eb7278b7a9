"""A refusal becomes a sentence in one place: a capital, one full stop, and the page's own words by code."""

from __future__ import annotations

import pytest

from dpcore.errors import Code, Refused
from dpcore.inference import FlatPrior, ImproperPosteriorError
from ui.words.refusals import ON_PAGES, refusal_sentence, refusal_words


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (Refused("prior", "lie in [0, 1]", 1.2, Code.OUT_OF_RANGE), "Prior must lie in [0, 1]; got 1.2."),
        (ImproperPosteriorError("Improper: a is 1.", FlatPrior()), "Improper: a is 1."),
        (ValueError("δ must be a number; got 'x'"), "δ must be a number; got 'x'."),
        (ValueError("ε must be a number; got 'x'"), "ε must be a number; got 'x'."),
    ],
)
def test_a_refusal_is_a_sentence_with_one_full_stop(refusal: ValueError, sentence: str) -> None:
    assert refusal_sentence(refusal) == sentence
    assert refusal_words(refusal) == str(refusal)


@pytest.mark.parametrize(("page", "name", "code"), ON_PAGES, ids="-".join)
def test_a_page_says_its_own_words_for_its_name_and_code_only(page: str, name: str, code: Code) -> None:
    refusal = Refused(name, "be otherwise", 200_000, code)
    own = refusal_sentence(refusal, page)
    assert own != refusal_sentence(refusal)
    assert "{" not in own
    other = next(each for each in Code if (page, name, each) not in ON_PAGES)
    assert refusal_sentence(Refused(name, "be otherwise", 200_000, other), page) == (
        f"{name.capitalize()} must be otherwise; got 200000."
    )


def test_own_words_show_the_value_or_the_text_where_they_need_it() -> None:
    rows = Refused("rows", "hold at most 100000 releases", 200_000, Code.TOO_LARGE)
    assert refusal_sentence(rows, "plan") == "All rounds together must be at most 100,000 releases; got 200,000."
    delta = Refused("delta", "leave room", 0.5, Code.INFEASIBLE)
    assert refusal_sentence(delta, "choose").endswith("may fail (delta must leave room; got 0.5).")
