"""The examples of the laws: the same wherever and in whichever order the tests run; `make fresh` draws others."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

repeatable = pytest.mark.skipif(not settings.default.derandomize, reason="other examples were asked for")


def drawn() -> list[int]:
    """The whole numbers that a law would be tried with now."""
    found: list[int] = []

    @settings(max_examples=300)
    @given(st.integers())
    def law(number: int) -> None:
        found.append(number)

    law()
    return found


@repeatable
def test_a_law_is_tried_with_the_same_examples_again() -> None:
    assert drawn() == drawn()


@repeatable
def test_examples_do_not_follow_what_tests_before_have_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    file = tmp_path / "constants.py"
    file.write_text(f"ODD = {[7_919 * number for number in range(1, 400)]}", encoding="utf-8")
    spec = spec_from_file_location("constants", file)
    assert spec is not None
    monkeypatch.setitem(sys.modules, "constants", module_from_spec(spec))
    assert drawn() == before
