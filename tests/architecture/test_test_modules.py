"""What several tests share stands in a module of its own: a test module is imported by nobody."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.conftest import TogetherWhereShared, starts_once
from tests.each import each
from tests.lanes import ON_ONE_SERVER, WITH_PAGES

TESTS = Path(__file__).resolve().parents[1]


@each("path", sorted(TESTS.rglob("*.py")), ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_module_is_imported(path: Path) -> None:
    imported = {
        node.module or ""
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    assert not {name for name in imported if name.rpartition(".")[2].startswith("test_")}


def test_a_file_that_starts_something_once_is_run_by_one_process() -> None:
    whole, free = "tests/browser/test_replicas.py", "tests/unit/test_cache.py"
    assert starts_once(whole)
    assert not starts_once(free)
    share = TogetherWhereShared._split_scope
    assert share(None, f"{whole}::test_one") == share(None, f"{whole}::test_two[a::b]") == whole  # type: ignore[arg-type]
    assert share(None, f"{free}::test_one") != share(None, f"{free}::test_two")  # type: ignore[arg-type]
    assert share(None, f"{free}::test_one[a]") == share(None, f"{free}::test_one[b::c]")  # type: ignore[arg-type]
    coins = "tests/browser/test_coin_survey.py"
    assert share(None, f"{coins}::test_one") == share(None, f"{coins}::test_two") == coins  # type: ignore[arg-type]
    assert len({share(None, f"{file}::test_one") for file in ON_ONE_SERVER}) == 1  # type: ignore[arg-type]
    assert set(ON_ONE_SERVER) <= set(WITH_PAGES)
    page = "tests/app/test_controls.py::test_a_control"
    assert share(None, f"{page}[explain]") != share(None, f"{page}[rebuild]")  # type: ignore[arg-type]


@each("path", sorted((TESTS / "browser").glob("test_*.py")), ids=lambda path: path.name)
def test_a_place_is_measured_when_it_is_at_rest(path: Path) -> None:
    """A page that still grows has another place for the mouse a moment later: `resting_box` waits."""
    assert ".bounding_box(" not in path.read_text(encoding="utf-8")


@each("path", sorted((TESTS / "browser").glob("test_*.py")), ids=lambda path: path.name)
def test_words_are_looked_for_where_they_are_shown(path: Path) -> None:
    """A sentence that is said again for screen readers stands twice for a moment: `shown` leaves that place out."""
    assert ".get_by_text(" not in path.read_text(encoding="utf-8")
