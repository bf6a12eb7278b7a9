"""A loop over names is as strict as a test for each: it runs for all, and tells all that fail."""

from __future__ import annotations

import inspect

import pytest

from tests.each import each


def test_all_are_run_and_all_that_fail_are_told() -> None:
    run = []

    @each("number, root", [(4, 2), (9, 4), (16, 4), (25, 6), (25, 7)])
    def squares(number: int, root: int) -> None:
        run.append(number)
        assert root * root == number

    with pytest.raises(ExceptionGroup, match=r"^3 of 5: 9, 25, 25 \(4\)") as caught:
        squares()
    assert run == [4, 9, 16, 25, 25]
    assert [error.__notes__ for error in caught.value.exceptions] == [["for 9"], ["for 25"], ["for 25"]]


def test_a_loop_over_nothing_fails() -> None:
    @each("name", [])
    def nothing(name: str) -> None: ...

    with pytest.raises(AssertionError, match="nothing to run nothing for"):
        nothing()


def test_what_raises_nothing_or_is_skipped_fails_and_stops_no_other() -> None:
    run = []

    @each("text", ["x", "1", "2", "", "y"])
    def refused(text: str) -> None:
        run.append(text)
        if not text:
            pytest.skip("nothing to read")
        with pytest.raises(ValueError, match="invalid literal"):
            int(text)

    with pytest.raises(BaseExceptionGroup, match=r"^3 of 5: 1, 2, "):
        refused()
    assert run == ["x", "1", "2", "", "y"]


def test_what_no_value_fills_is_asked_of_fixtures() -> None:
    @each("name", ["a"], ids=str.upper)
    def both(name: str, tmp_path: str) -> None:
        assert name == tmp_path

    assert list(inspect.signature(both).parameters) == ["tmp_path"]
    both(tmp_path="a")
    with pytest.raises(ExceptionGroup, match="1 of 1: A"):
        both(tmp_path="b")
