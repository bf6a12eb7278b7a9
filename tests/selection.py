"""Which tests are nearest to a change: by the modules that import what was changed, and the pages that these make."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from itertools import zip_longest
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
PAGES = frozenset(path.stem for path in (ROOT / "pages").glob("*.py"))
STRUCTURE = "tests/architecture"
SAID = "tests/approved/test_approved_sentences.py::test_a_page_says_what_was_approved[{}]"
DRAWN = "tests/approved/test_approved_sentences.py::test_a_page_says_what_was_approved_of_settings_that_were_drawn[{}]"
UNSAID = "tests/approved/test_approved_sentences.py::test_a_passage_that_no_setting_says_is_approved_as_it_is_written"
SHOWN = "tests/approved/test_approved_outlines.py::test_a_page_asks_and_shows_what_was_approved[{}]"
MEETING = "tests/approved/test_approved_outlines.py::test_a_meeting_asks_and_shows_what_was_approved_on_each_screen"
JOURNEYS = (
    "tests/approved/test_approved_outlines.py::test_journeys_through_the_frame_show_what_was_approved_at_each_step"
)
COMMANDS = "tests/approved/test_approved_commands.py"
TYPED = "tests/approved/test_approved_typed.py"
EXAMPLES = "tests/approved/test_approved_examples.py::test_examples_and_their_neighbours_come_to_what_was_approved[{}]"
FILED = "tests/approved/test_approved_filing.py"
FILES = "tests/approved/test_approved_memo_files.py::test_the_{}_what_was_approved"
BROUGHT = (
    "tests/approved/test_approved_outlines.py::"
    "test_files_that_are_brought_show_what_was_approved_and_leave_nothing_behind"
)
ALSO = {
    "memo": (FILED, FILES.format("slides_say_and_draw"), FILES.format("word_file_says")),
    "public": (FILED,),
    **dict.fromkeys(("room", "join"), (MEETING,)),
    **dict.fromkeys(("publish", "infer"), (BROUGHT,)),
}
"""What else is approved of a page: what it files and prints, shows on several screens, or makes of brought files."""
ANSWERED = "tests/approved/test_every_choice_is_answered.py::test_every_choice_changes_what_the_page_says[{}]"
BY_ROOM = {
    ("ui", "pictures"): ("tests/approved/test_approved_specimens.py",),
    ("ui", "components"): ("tests/approved/test_approved_specimens.py",),
    ("ui", "frame"): (
        *(JOURNEYS, "tests/approved/test_approved_specimens.py"),
        *(f"tests/app/test_{name}.py" for name in ("uploads", "notices", "case", "controls")),
    ),
    ("ui", "documents"): ("tests/approved/test_approved_specimens.py", "tests/approved/test_approved_memo_files.py"),
    ("ui", "rooms"): (MEETING, TYPED),
    ("ui", "link"): (JOURNEYS,),
    ("riskline", "record"): ("tests/published/test_record.py",),
    ("riskline", "case"): (TYPED, "tests/approved/test_approved_refusals.py", COMMANDS, JOURNEYS),
    ("riskline",): (COMMANDS, JOURNEYS),
    ("ui", "views"): (TYPED, "tests/approved/test_approved_choices.py", "tests/unit/test_field_ends.py"),
    ("ui", "text", "filing"): (FILED,),
    ("docs", "deploy"): ("tests/architecture/test_configuration.py",),
    (".streamlit",): ("tests/architecture/test_configuration.py",),
}
"""What nothing imports by name: files of approved looks, fields and settings, by the folder that they are about."""
ASKING = (("ui", "ask"), ("ui", "frame"))
"""Folders of which an outline tells more than what is said: it is the view that says it."""
CLOSE = 4
"""Test files that import a module itself and little else of ours: they come before the pages that it reaches."""
BESIDE = 8
"""Modules that import a module themselves, whose examples and their neighbours are tried before its own tests."""
NEIGHBOURS = 40
"""Modules of which they are tried at all: it takes a tenth of a second for most."""
FULLY = 3
"""Pages that are also opened and tried choice by choice; of others that a change reaches, the sentences are read."""


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def _imports(path: Path) -> frozenset[str]:
    """Modules that a file imports, and the names that it imports from them, which may be modules."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("dpcore", "riskline", "ui", cache_dir=None)


def _users(module: str) -> frozenset[str]:
    """A module and all that import it, themselves or through others."""
    graph = _graph()
    return frozenset({module, *(graph.find_downstream_modules(module) if module in graph.modules else ())})


@cache
def _readers(folder: str) -> frozenset[str]:
    """Modules that name a folder of texts, and all that import them."""
    naming = [path.relative_to(ROOT) for path in (ROOT / "ui").rglob("*.py") if f'"{folder}"' in path.read_text()]
    return frozenset().union(*(_users(_module(path)) for path in naming))


def _pages_of(modules: Iterable[str]) -> set[str]:
    users = set(modules)
    return {stem for stem in PAGES if _imports(ROOT / "pages" / f"{stem}.py") & users}


def _length(stem: str) -> int:
    """How much a page says in its approved settings."""
    approved = ROOT / "tests" / "approved" / f"{stem}.md"
    return approved.stat().st_size if approved.exists() else 0


def _own_page(path: Path) -> str | None:
    """The page whose own file this is."""
    parts = path.parts
    if parts[0] == "pages" or parts[:2] == ("tests", "approved"):
        stem = path.name.partition(".")[0]
    elif len(parts) > 2 and parts[:2] in (("ui", "views"), ("ui", "ask"), ("ui", "text")):
        stem = parts[2].removesuffix(".py")
    else:
        return None
    return stem if stem in PAGES else None


def _importing(module: str) -> tuple[list[str], list[str], list[str]]:
    """Test files that import a module or its package: of its name, then of its package's; few others; all others.

    Of these those come first that import most of the package, and little else of ours.
    """
    package, _, name = module.rpartition(".")
    wanted = {module, package} if package.count(".") else {module}
    found = [
        str(path.relative_to(ROOT))
        for folder in ("unit", "property", "published", "app")
        for path in sorted((ROOT / "tests" / folder).glob("**/test_*.py"))
        if _imports(path) & wanted
    ]
    of_package = package.rpartition(".")[2]
    named = [test for test in found if name in Path(test).stem]
    named += [test for test in found if of_package in Path(test).stem and test not in named]
    others = [test for test in found if test not in named]
    others.sort(key=lambda test: (-sum(name.startswith(package) for name in _ours(test)), len(_ours(test))))
    close = [test for test in others if module in _imports(ROOT / test)][:CLOSE]
    return named, close, [test for test in others if test not in close]


def _ours(test: str) -> list[str]:
    """What of ours a test file imports."""
    return [name for name in _imports(ROOT / test) if name.partition(".")[0] in ("dpcore", "riskline", "ui")]


def _neighbours(module: str) -> list[str]:
    """The examples of a module, of those of its package that import it themselves, then of all that come to it."""
    itself = _graph().find_modules_that_directly_import(module) if module in _graph().modules else set()
    inside = {name for name in _users(module) if name.partition(".")[0] == module.partition(".")[0]}
    there = ROOT / "tests" / "approved" / "examples"
    in_turn = sorted(inside, key=lambda name: (name != module, name not in itself, name))
    return [EXAMPLES.format(name) for name in in_turn if (there / f"{name}.txt").exists()][:NEIGHBOURS]


def _said(stem: str) -> list[str]:
    """What a page says in settings that were chosen, and in drawn ones where it computes any."""
    drawn = (ROOT / "tests" / "approved" / f"{stem}.drawn.md").exists()
    return [SAID.format(stem), *([DRAWN.format(stem)] if drawn else [])]


def _fully(stem: str) -> list[str]:
    """All that is about one page: what it says, its own tests, what it asks and shows, and every choice tried."""
    own = [f"tests/unit/test_view_{stem}.py", f"tests/app/test_{stem}.py"]
    shown = [SHOWN.format(stem), *ALSO.get(stem, ())]
    return [*_said(stem), *own, *shown, *([ANSWERED.format(stem)] if stem != "home" else [])]


def _near(path: Path) -> list[str]:
    """The tests nearest to one changed file, nearest first."""
    there = (ROOT / path).exists()
    if path.parts[0] == "tests" and path.name.startswith("test_"):
        return [str(path)] if there else []
    own, python = _own_page(path), path.suffix == ".py" and path.parts[0] in ("dpcore", "riskline", "ui")
    if own:
        pages = {own}
    elif path.parts[:2] == ("ui", "text"):
        pages = _pages_of(_readers(path.parts[2]))
    else:
        pages = _pages_of(_users(_module(path))) if python else set()
    named, close, others = _importing(_module(path)) if python else ([], [], [])
    by_length = sorted(pages, key=_length)
    examples = [str(path)] if python and there else []
    neighbours = _neighbours(_module(path)) if python else []
    of_its_name = [f"tests/{folder}/test_{path.stem}.py" for folder in ("unit", "app")] if python else []
    chosen = [*examples, *neighbours[:BESIDE], *named, *of_its_name, *close, *(_fully(own) if own else [])]
    chosen += neighbours[BESIDE:]
    chosen += next((BY_ROOM[path.parts[:depth]] for depth in (3, 2, 1) if path.parts[:depth] in BY_ROOM), ())
    asking = path.parts[:2] in ASKING
    read = [test for stem in by_length for test in ([SHOWN.format(stem)] if asking else _said(stem))]
    chosen += [test for pair in zip_longest(read, others) for test in pair if test is not None]
    chosen += [UNSAID] if path.parts[:2] == ("ui", "text") else []
    return chosen + [test for stem in by_length[:FULLY] for test in _fully(stem)]


def nearest_tests(changed: Iterable[str | Path]) -> list[str]:
    """Files and names of tests that could notice a change of these files, nearest first; the structure's last."""
    near = [_near(Path(path)) for path in changed]
    longest = max((len(tests) for tests in near), default=0)
    in_turn = [tests[place] for place in range(longest) for tests in near if place < len(tests)]
    there = [test for test in in_turn if (ROOT / test.partition("::")[0]).exists()]
    return list(dict.fromkeys([*there, STRUCTURE] if near else []))
