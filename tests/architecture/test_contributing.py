"""CONTRIBUTING's three short recipes name what is there: each path for every page, each name in the code."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ui.link.page_table import PAGES

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = ("How to add a page", "How to add a number", "How to add a sentence")
CODE = "\n".join(
    path.read_text(encoding="utf-8")
    for place in ("dpcore", "ui", "pages", "tests/approved")
    for path in sorted((ROOT / place).rglob("*.py"))
)


def steps(recipe: str) -> list[str]:
    """The numbered lines below a heading."""
    below = TEXT.partition(f"## {recipe}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. (.*)$", below, re.MULTILINE)


def named(recipe: str) -> list[str]:
    """What stands in backticks there, without a command's arguments."""
    found = [token for step in steps(recipe) for token in re.findall(r"`([^`]+)`", step)]
    return [token for token in found if not token.startswith(("{", ".", "git "))]


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_has_at_most_ten_lines(recipe: str) -> None:
    assert 5 <= len(steps(recipe)) <= 10


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_place_a_recipe_names_is_there_for_every_page(recipe: str) -> None:
    places = [token.split()[0] for token in named(recipe) if "/" in token or token.endswith(".md")]
    assert places
    for place in places:
        for entry in PAGES:
            path = ROOT / place.replace("<stem>", entry.stem)
            assert path.exists() or (path.with_suffix("") / "__init__.py").exists(), place


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_name_a_recipe_uses_is_in_the_code(recipe: str) -> None:
    for name in (token for token in named(recipe) if re.fullmatch(r"[A-Za-z_]+", token)):
        assert re.search(rf"\b{name}\b", CODE), name


def test_every_room_of_ui_is_described() -> None:
    rooms = {
        path.name for path in (ROOT / "ui").iterdir() if path.is_dir() and path.name not in ("__pycache__", "data")
    }
    assert {f"`ui/{room}/`" for room in rooms} <= set(re.findall(r"^\| (`ui/[a-z_]+/`)", TEXT, re.MULTILINE))


def test_every_command_a_recipe_uses_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in re.findall(r"`make ([a-z]+)", TEXT):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command


NAMED_FILE = re.compile(r"\b((?:benchmarks|docs|dpcore|packaging|pages|riskline|scripts|tests|ui)/[\w./-]+\.[a-z]+)")


def test_every_file_that_the_documents_name_is_there() -> None:
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    documents += sorted((ROOT / "docs" / "decisions").glob("*.md"))
    named = {(path.name, place) for path in documents for place in NAMED_FILE.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 50
    assert sorted((name, place) for name, place in named if not (ROOT / place).exists()) == []


LONG_SUBJECTS_END = "69a1bc950812e2f57e1f887a95433f2ea895b647"
"""The last commit before subjects were held to a length."""
LONGEST_SUBJECT = 72


def test_the_subject_of_a_commit_fits_a_line() -> None:
    def git(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)

    if not (ROOT / ".git").exists():
        pytest.skip("no repository: an archive of the sources")
    known = git("cat-file", "-e", f"{LONG_SUBJECTS_END}^{{commit}}").returncode == 0  # a shallow clone need not have it
    subjects = git("log", "--format=%s", *([f"{LONG_SUBJECTS_END}.."] if known else [])).stdout.splitlines()
    assert subjects
    assert [subject for subject in subjects if len(subject) > LONGEST_SUBJECT] == []
