"""A release is refused where a built file would be; it is never uploaded or tagged by the script that checks it."""

from __future__ import annotations

import runpy
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import dpcore

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "release"
VERSION = dpcore.__version__
RIGHT = f"""\
Metadata-Version: 2.4
Name: riskline
Version: {VERSION}
Summary: A line.
License-Expression: MIT
Requires-Python: >=3.11
Description-Content-Type: text/markdown

# Riskline
"""


@pytest.fixture
def release() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def wheel(folder: Path, metadata: str, name: str = f"riskline-{VERSION}-py3-none-any.whl") -> Path:
    with zipfile.ZipFile(folder / name, "w") as file:
        file.writestr(f"riskline-{VERSION}.dist-info/METADATA", metadata)
    return folder / name


def test_a_sound_file_has_no_fault(release: dict[str, Any], tmp_path: Path) -> None:
    assert release["faults_of"](wheel(tmp_path, RIGHT)) == []


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("Summary: A line.\n", "", "lacks a summary"),
        ("MIT", "the best licence", "license-expression"),
        ("License-Expression: MIT\n", "", "lacks a summary, a licence"),
        ("Requires-Python: >=3.11\n", "", "or the Pythons"),
        (">=3.11", "snake", "requires-python"),
        ("text/markdown", "text/plain", "not be shown as Markdown"),
        ("# Riskline\n", "", "not be shown as Markdown"),
        (f"Version: {VERSION}", "Version: 0.3.0", f"for {VERSION}"),
        ("Name: riskline", "Name: cliskrine", "is of cliskrine"),
        ("Version: 2.4", "Version: 2.4\nDynamic: Name", "dynamic"),
    ],
)
def test_what_an_index_would_refuse_is_told(
    right: str, wrong: str, words: str, release: dict[str, Any], tmp_path: Path
) -> None:
    assert right in RIGHT
    (told,) = release["faults_of"](wheel(tmp_path, RIGHT.replace(right, wrong)))
    assert words in told.lower() or words in told


def test_every_python_at_hand_is_one_that_the_project_admits(release: dict[str, Any]) -> None:
    found = [Path(path).name for path in release["pythons"]()]
    assert f"python3.{sys.version_info.minor}" in found
    assert len(found) == len(set(found))
    assert all(int(name.rpartition(".")[2]) >= 11 for name in found)


@pytest.mark.parametrize(("version", "tags"), [("0.4.0", True), ("0.4.0.dev0", False)])
def test_the_command_that_tags_is_printed_and_nothing_is_tagged_or_uploaded(
    version: str,
    tags: bool,
    release: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run: list[list[str]] = []
    space = release["main"].__globals__
    (tmp_path / "dist").mkdir()
    for name, value in {
        "VERSION": version,
        "ROOT": tmp_path,
        "DIST": tmp_path / "dist",
        "faults_of_the_checkout": list,
        "tried_on": lambda python, built: python,
    }.items():
        monkeypatch.setitem(space, name, value)

    def recorded(command: list[Any], **_: Any) -> None:
        run.append([str(word) for word in command])
        (tmp_path / "dist").mkdir()
        (tmp_path / "dist" / "riskline-0.4.0.txt").touch()

    monkeypatch.setattr(space["subprocess"], "run", recorded)
    monkeypatch.setitem(space, "faults_of", lambda built: [])
    monkeypatch.setattr(sys, "argv", ["release", "--python", "python3.11"])
    assert release["main"]() == 0
    assert [command[1:] for command in run] == [[str(tmp_path / "scripts" / "wheels"), str(tmp_path / "dist")]]
    assert ("git tag --annotate v0.4.0" in capsys.readouterr().out) is tags
    assert "twine upload" not in SCRIPT.read_text(encoding="utf-8")


def test_what_is_not_committed_or_has_no_day_is_told(
    release: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = release["main"].__globals__
    space["subprocess"].run(["git", "init", "--quiet", tmp_path], check=True)
    monkeypatch.setitem(space, "ROOT", tmp_path)
    monkeypatch.setitem(space, "VERSION", "0.4.0")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.4.0\n")
    told = release["faults_of_the_checkout"]()
    assert told == ["not committed: CHANGELOG.md", "CHANGELOG.md does not begin with 0.4.0 and its day"]
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.4.0 (2026-12-01)\n")
    assert release["faults_of_the_checkout"]() == ["not committed: CHANGELOG.md"]
