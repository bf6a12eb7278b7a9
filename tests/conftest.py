"""Shared test settings: studies run on demand, Hypothesis profiles, one Chromium for all browser tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from ui.views.session_results import results_kept_in

settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.register_profile("repeatable", settings.get_profile("default"), derandomize=True)  # a verdict is repeatable
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable" if os.environ.get("CI") else "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--study", action="store_true", help="also run the long studies")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:  # the tests of a file share a process and what it started, but for those marked `by_itself`
        alone = item.get_closest_marker("by_itself") is not None
        item.add_marker(pytest.mark.xdist_group(item.nodeid if alone else item.nodeid.split("::")[0]))
    if config.getoption("--study"):
        return
    kept = [item for item in items if "study" not in item.keywords]
    config.hook.pytest_deselected(items=[item for item in items if "study" in item.keywords])
    items[:] = kept


@pytest.fixture(autouse=True)
def results_of_one_test() -> Iterator[None]:
    """Views keep their results for one test, as they do for one session."""
    with results_kept_in({}):
        yield


_MAIN = sys.modules["__main__"]


def pytest_runtest_setup() -> None:
    """Undo what Streamlit's AppTest leaves behind: worker processes are started from the module that is main."""
    sys.modules["__main__"] = _MAIN
