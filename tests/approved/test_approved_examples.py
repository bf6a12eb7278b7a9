"""The neighbours of every example, of the reference and of our own modules, come to what was approved."""

from __future__ import annotations

import re

import pytest

from tests.approved.difference import fail_with_difference
from tests.approved.examples import FOLDER, ROOT, as_approved, examples_in_words

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("dpcore", "riskline", "ui")
    for path in sorted((ROOT / package).rglob("*.py"))
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("module", MODULES)
def test_examples_and_their_neighbours_come_to_what_was_approved(module: str) -> None:
    file = FOLDER / f"{module}.txt"
    said = examples_in_words(module)
    fail_with_difference(file, as_approved(said, file.read_text(encoding="utf-8") if file.exists() else ""), module)


def test_only_modules_with_examples_are_approved() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(MODULES)
