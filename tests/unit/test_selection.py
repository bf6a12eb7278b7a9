"""Every test file is in one lane, and the tests nearest to a change are those that would notice it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests import conftest
from tests.each import each
from tests.lanes import LANES, NEIGHBOURS, PROCESSORS, WITH_PAGES
from tests.selection import (
    ALSO,
    BROUGHT,
    EXAMPLES,
    FILED,
    FILES,
    MEETING,
    SAID,
    SHOWN,
    STRUCTURE,
    UNSAID,
    nearest_tests,
)
from ui.link.page_table import PAGES

ROOT = Path(__file__).resolve().parents[2]
STEMS = sorted(entry.stem for entry in PAGES)


def test_every_test_file_is_in_one_lane() -> None:
    parts = [part for lane in LANES.values() for part in lane]
    assert len(parts) == len(set(parts))
    apart = {part for part in parts if part.endswith(".py") and "=" not in part}
    assert all((ROOT / file).is_file() for file in apart)
    left_out = {lane: {part.removeprefix("--ignore=") for part in LANES[lane] if "=" in part} for lane in LANES}
    assert left_out == {"numbers": {PROCESSORS}, "pages": {NEIGHBOURS}, "browser": {*WITH_PAGES}}
    assert apart == {PROCESSORS, NEIGHBOURS, *WITH_PAGES}
    folders = [part for part in parts if not part.endswith(".py")]
    held = {path.relative_to(ROOT).parts[:2] for path in (ROOT / "tests").rglob("test_*.py")}
    assert {"/".join(parts) for parts in held} == {folder for folder in folders if folder.startswith("tests/")}
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["testpaths"]
    assert {folder for folder in folders if not folder.startswith("tests/")} == {*configured} - {"tests"}


@each("stem", STEMS)
def test_a_page_is_read_and_opened_after_a_change_of_its_own_files(stem: str) -> None:
    folder = ROOT / "ui" / "views" / stem
    view = next(folder.glob("*.py")) if folder.is_dir() else folder.with_suffix(".py")
    for changed in (view.relative_to(ROOT), f"pages/{stem}.py", f"ui/text/{stem}/en/plain.md"):
        near = nearest_tests([changed])
        assert {SAID.format(stem), SHOWN.format(stem), STRUCTURE} <= set(near), changed
        assert [test for test in near if test.startswith(SAID.partition("{")[0])] == [SAID.format(stem)], changed


def test_a_text_that_several_pages_share_is_read_on_all_that_show_it() -> None:
    near = nearest_tests(["ui/text/promise/en/plain.md"])
    assert {UNSAID, SAID.format("plan"), SAID.format("memo")} <= set(near)


@each(
    "changed, first, others",
    [
        ("ui/rooms/store.py", "tests/unit/test_rooms_store.py", "tests/unit/test_rooms_faults.py"),
        ("ui/frame/server.py", "tests/unit/test_server.py", "tests/unit/test_frame_case.py"),
        ("ui/runs/follow.py", "tests/unit/test_follow.py", "tests/unit/test_runs.py"),
    ],
)
def test_the_tests_of_a_modules_name_come_before_those_of_its_package(changed: str, first: str, others: str) -> None:
    near = nearest_tests([changed])
    assert near.index(first) < near.index(others)


@each(
    "changed, first, others",
    [
        ("ui/ask/case.py", SHOWN.format("home"), "tests/app/test_case.py"),
        ("ui/frame/upload.py", SHOWN.format("plan"), "tests/approved/test_approved_specimens.py"),
        ("ui/ask/room.py", MEETING, "tests/app/test_rooms.py"),
        ("ui/rooms/store.py", MEETING, "tests/unit/test_rooms_store.py"),
    ],
)
def test_what_asks_is_seen_on_its_pages_before_their_sentences_are_read(changed: str, first: str, others: str) -> None:
    near = nearest_tests([changed])
    assert {first, others} <= set(near)
    assert changed.startswith("ui/ask/room") or near.index(first) < near.index(SAID.format("home"))


@each(
    "changed, also",
    [
        ("ui/views/memo/register.py", FILED),
        ("ui/text/filing/en/technical.md", FILED),
        ("ui/views/memo/brief.py", FILES.format("word_file_says")),
        ("ui/ask/publish.py", BROUGHT),
        ("riskline/case/value.py", "tests/approved/test_approved_refusals.py"),
    ],
)
def test_what_a_page_files_or_is_brought_is_read_too(changed: str, also: str) -> None:
    assert also in nearest_tests([changed])


def test_every_test_that_is_named_is_there() -> None:
    for test in (FILED, BROUGHT, *(name for named in ALSO.values() for name in named)):
        file, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8") if name else (ROOT / file).is_file(), test


def test_what_imports_a_package_is_tried_between_the_pages_that_its_modules_reach() -> None:
    near = nearest_tests(["dpcore/mechanisms/losses.py"])
    said = [place for place, test in enumerate(near) if test.startswith(SAID.partition("{")[0])]
    assert said[0] < near.index("tests/unit/test_noise_protocol.py") < said[10]


def test_a_module_of_the_library_is_tried_by_its_examples_and_its_own_tests_first() -> None:
    near = nearest_tests(["dpcore/accuracy.py"])
    assert near[:2] == ["dpcore/accuracy.py", EXAMPLES.format("dpcore.accuracy")]
    reached = near.index(EXAMPLES.format("dpcore.publication.spending"))  # by way of others
    assert near.index("tests/unit/test_accuracy.py") < reached
    assert "tests/property/test_accuracy.py" in near
    assert SAID.format("accuracy") in near


def test_a_table_of_the_record_is_held_to_what_is_printed_of_it() -> None:
    assert "tests/published/test_record.py" in nearest_tests(["riskline/record/works/census.py"])


def test_several_changes_are_tried_in_turn_and_each_test_once() -> None:
    near = nearest_tests(["dpcore/accuracy.py", "dpcore/schema.py", "dpcore/accuracy.py"])
    assert near[:2] == ["dpcore/accuracy.py", "dpcore/schema.py"]
    assert len(near) == len(set(near))


def test_a_changed_test_is_run_and_one_that_is_gone_is_not() -> None:
    assert nearest_tests(["tests/unit/test_each.py"]) == ["tests/unit/test_each.py", STRUCTURE]
    assert nearest_tests(["tests/unit/test_gone.py", "dpcore/gone.py"]) == [STRUCTURE]
    assert nearest_tests([]) == []


@each("within", [None, 45.0])
def test_long_tests_begin_first_except_where_time_is_for_the_nearest_alone(within: float | None) -> None:
    config: Any = SimpleNamespace(getoption={"--within": within, "--study": True}.get)
    items: list[Any] = [SimpleNamespace(keywords=keywords) for keywords in ((), ("long",), ())]
    conftest.pytest_collection_modifyitems(config, items)
    assert [len(item.keywords) for item in items] == ([1, 0, 0] if within is None else [0, 1, 0])
    assert '"--no-loadscope-reorder"' in (ROOT / "scripts" / "quick").read_text(encoding="utf-8")
