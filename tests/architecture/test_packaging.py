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


def test_the_citation_names_this_version_and_licence() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    named = dict(re.findall(r"^([a-z-]+): +(\S.*)$", text, flags=re.MULTILINE))
    assert named["cff-version"] == "1.2.0"
    assert (named["version"], named["license"], named["type"]) == (dpcore.__version__, CORE["license"], "software")
    assert re.findall(r"^  - ([a-z ]+)$", text, flags=re.MULTILINE) == CORE["keywords"]
    assert WORKS["kazan_reiter"].title in text


def test_the_changelog_begins_with_this_version_and_the_day_that_the_citation_names() -> None:
    """What is not released yet may stand above it, under a version of development without a day."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## (?!\S+\.dev\d+$)(.+)$", text, flags=re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    day = re.search(r"^date-released: (\d{4}-\d\d-\d\d)$", citation, flags=re.MULTILINE)
    assert first is not None
    assert day is not None
    assert first[1] == f"{dpcore.__version__} ({day[1]})"


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
