"""What is installed: the library on numpy and scipy, the dashboard beside it, both of one version, nothing unlocked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import dpcore
from dpcore.sources import WORKS

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = (ROOT / "pyproject.toml", ROOT / "packaging" / "app" / "pyproject.toml")
CORE, APP = (tomllib.loads(path.read_text())["project"] for path in PROJECTS)


def _names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", requirement)[0] for requirement in requirements}


def test_both_wheels_have_the_version_that_the_library_says_and_ask_for_each_other_at_it() -> None:
    assert CORE["version"] == APP["version"] == dpcore.__version__
    assert CORE["optional-dependencies"]["app"] == [f"riskline-app=={dpcore.__version__}"]
    assert CORE["optional-dependencies"]["postgres"] == [f"riskline-app[postgres]=={dpcore.__version__}"]
    assert APP["dependencies"][0] == f"riskline=={dpcore.__version__}"
    assert CORE["requires-python"] == APP["requires-python"]


CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_the_citation_names_the_latest_release_its_day_and_the_licence() -> None:
    """A version of development is nobody's to cite: while one is made, the citation names the release before it."""
    named = dict(re.findall(r"^([a-z-]+): +(\S.*)$", CITATION, flags=re.MULTILINE))
    assert named["cff-version"] == "1.2.0"
    assert (named["license"], named["type"]) == (CORE["license"], "software")
    released = next(heading for heading in HEADINGS if ".dev" not in heading)
    assert released == f"{named['version']} ({named['date-released']})"
    assert ".dev" in dpcore.__version__ or named["version"] == dpcore.__version__
    assert re.findall(r"^  - ([a-z ]+)$", CITATION, flags=re.MULTILINE) == CORE["keywords"]
    assert WORKS["kazan_reiter"].title in CITATION


def test_the_accessibility_report_is_of_the_version_that_is_released() -> None:
    told = (ROOT / "docs" / "accessibility.md").read_text(encoding="utf-8")
    assert ".dev" in dpcore.__version__ or f"What was tested of Riskline {dpcore.__version__}," in told


def test_the_changelog_begins_with_this_version() -> None:
    """One of development has no day yet."""
    assert HEADINGS[0].split(" ")[0] == dpcore.__version__
    assert (".dev" in dpcore.__version__) is ("(" not in HEADINGS[0])


def test_the_changelog_of_a_version_is_short_enough_to_be_read() -> None:
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(versions) == len(HEADINGS)
    assert {version.split()[0]: len(version.split()) for version in versions if len(version.split()) > 1500} == {}


def test_the_library_asks_for_numpy_and_scipy_alone() -> None:
    assert _names(CORE["dependencies"]) == {"numpy", "scipy"}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_a_lock_file_holds_what_both_ask_for_and_names_no_host(lock: str) -> None:
    text = (ROOT / lock).read_text()
    locked = set(re.findall(r"^([\w.-]+)==", text, flags=re.MULTILINE))
    postgres = APP["optional-dependencies"]["postgres"]  # the container serves several replicas too
    assert locked >= _names(CORE["dependencies"] + APP["dependencies"] + postgres) - {"riskline"}
    assert not locked & {"riskline", "riskline-app"}
    assert "://" not in text
