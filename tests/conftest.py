"""Shared test settings: studies run on demand, Hypothesis profiles, one Chromium for all browser tests."""

from __future__ import annotations

import gc
import io
import os
import pickle
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from sqlalchemy import URL, Engine, event
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import app_test, local_script_runner
from xdist.scheduler import LoadScopeScheduling

from tests.browser.chromium import FLAGS, executable
from tests.lanes import ON_ONE_SERVER, WITH_PAGES
from tests.postgresql import PostgreSQL, find_postgresql
from ui.documents.charts import Drawing
from ui.frame import show
from ui.rooms import database as databases
from ui.runs import worker
from ui.runs.run import Run
from ui.views.shared.session_results import results_kept_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType
    from xdist.workermanage import WorkerController

ROOT = Path(__file__).resolve().parents[1]

gc.set_threshold(100_000, 20, 20)  # thousands of tests are no garbage; not frozen: some look through all objects
os.environ["RISKLINE_REFERENCE"] = os.devnull  # keep built documentation off the pages under test

# AppTest asks all installed packages for components, for each page anew, and compiles its script
manifest_scanner.scan_component_manifests = list
local_script_runner.ScriptCache = cache(local_script_runner.ScriptCache)


class LaterPagesManager(PagesManager):
    """As from a server's second run on: the frame names the pages, and AppTest does not ask for their folder anew."""


PagesManager.uses_pages_directory = False
app_test.PagesManager = LaterPagesManager


def _wait_for(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
    """Until a page is drawn: AppTest asks a thousand times a second, each time in the way of the drawing."""
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        raise RuntimeError(f"a page was not drawn in {timeout} s")


local_script_runner.require_widgets_deltas = _wait_for

settings.register_profile("fresh", max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.register_profile("default", settings.get_profile("fresh"), max_examples=10, derandomize=True)  # repeatable
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
if settings.default.derandomize:  # otherwise it also draws constants of whatever modules earlier tests imported
    providers.is_local_module_file = lambda path: False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--study", action="store_true", help="also run the long studies")
    parser.addoption("--within", type=float, metavar="SECONDS", help="begin no further test after so many")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--within") is None:
        items.sort(key=lambda item: "long" not in item.keywords)
    if config.getoption("--study"):
        return
    kept = [item for item in items if "study" not in item.keywords]
    config.hook.pytest_deselected(items=[item for item in items if "study" in item.keywords])
    items[:] = kept


def pytest_unconfigure() -> None:
    """A process ends without a last look through all tests for garbage."""
    gc.freeze()


class TogetherWhereShared(LoadScopeScheduling):
    """Tests go to whichever process is free; those of a file that starts something once for all stay together.

    So do the examples of a module and the cases of a unit test, which are quick: to hand out each takes longer. And
    those files of the browser that run among the pages, so that one process starts a server and a browser for each.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        if file in ON_ONE_SERVER:
            return ON_ONE_SERVER[0]
        if starts_once(file) or file in WITH_PAGES or not file.startswith("tests/"):
            return file
        return nodeid.split("[")[0] if file.startswith(("tests/unit/", "tests/published/")) else nodeid

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        """What is done is forgotten: xdist counts all that a process was ever given, after each test anew."""
        super().mark_test_complete(node, item_index, duration)
        given, scope = self.assigned_work[node], self._split_scope(self.registered_collections[node][item_index])
        if all(given[scope].values()):
            del given[scope]


@cache
def starts_once(file: str) -> bool:
    """Whether a test file has a fixture of its module: a server, a wheel, workers."""
    return 'scope="module"' in (ROOT / file).read_text(encoding="utf-8")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """How tests are shared out among processes: the groups by marks are lost between pytest 9 and xdist 3.8."""
    return TogetherWhereShared(config, log)


@pytest.fixture(autouse=True, scope="module")
def results_of_one_file() -> Iterator[None]:
    """Views keep their results for the tests of one file, as they do for one session: many ask for the same."""
    with results_kept_in({}):
        yield


@pytest.fixture(autouse=True, scope="module")
def views_of_one_file() -> Iterator[None]:
    """What pages are given again they show again, as to readers who open them: a view takes longest."""
    compute = show.computed_by_worker
    kept: dict[tuple[Any, ...], Any] = {}

    def computed(*asked: Any) -> Any:
        try:
            known = asked in kept
        except TypeError:  # a list of what a run has found so far
            return compute(*asked)
        kept[asked] = kept.pop(asked) if known else compute(*asked)
        if len(kept) > 64:
            del kept[next(iter(kept))]
        return kept[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(show, "computed_by_worker", computed)
        yield


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """One PostgreSQL for a process of tests, started when the first of them asks for it."""
    if find_postgresql() is None and os.environ.get("RISKLINE_REQUIRE_BROWSER") != "1":
        pytest.skip("no PostgreSQL: install Debian's")
    server = PostgreSQL()
    try:
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserType]:
    """How a headless Chromium or Chrome is started, with the path of the one that is installed."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    """A browser for tests that need a reader nobody has seen before."""
    running = chromium.launch(executable_path=executable(), args=list(FLAGS))
    yield running
    running.close()


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
)


def draw_white_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the words of a file are read: to draw its pictures takes most of the time."""
    monkeypatch.setattr("ui.documents.charts.Drawing.png", PIXEL)
    monkeypatch.setattr("ui.documents.charts.Drawing.svg", "<svg/>")
    monkeypatch.setattr("ui.documents.charts.drawing_of", lambda picture, **size: Drawing(picture.key, {}))


@pytest.fixture
def white_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents of this test have white pictures."""
    draw_white_pictures(monkeypatch)


@pytest.fixture
def patient_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that stalls, as shared ones do, is waited for: what a test says of rooms is not about speed.

    And no commit of SQLite waits for the disk: what was written outlives every process, only not a power cut.
    """
    monkeypatch.setattr(databases, "PATIENCE", 60)
    opened = databases._sqlite

    def unsynchronised(url: URL) -> Engine:
        engine = opened(url)
        event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
        return engine

    monkeypatch.setattr(databases, "_sqlite", unsynchronised)


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def rooms_database(request: pytest.FixtureRequest, tmp_path: Path, patient_rooms: None) -> str:
    """The address of a database for rooms, of each kind; what a test leaves in PostgreSQL the next one finds."""
    if request.param == "PostgreSQL":
        return str(request.getfixturevalue("postgresql").url)
    return f"sqlite:///{tmp_path / 'new' / 'rooms.sqlite3'}"


@pytest.fixture
def runs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work is computed in this process, its messages packed and read as ever: a process of its own takes seconds.

    What a process of its own is for (limits, Stop, a reader who leaves) is tested in `tests/unit/test_runs.py`.
    """

    def compute(run: Run, job: tuple[Any, ...]) -> None:
        work, arguments, _, _ = pickle.loads(pickle.dumps(job))
        told = io.BytesIO()
        worker.compute(work, arguments, lambda *message: pickle.dump(message, told))
        told.seek(0)
        run._receive(told)

    monkeypatch.setattr(Run, "_compute", compute)


_MAIN = sys.modules["__main__"]
_BEGAN = time.monotonic()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Undo what Streamlit's AppTest leaves behind: worker processes are started from the module that is main."""
    sys.modules["__main__"] = _MAIN
    within = item.config.getoption("--within")
    if within is not None and time.monotonic() > _BEGAN + within:
        pytest.skip(f"NOT run: {within:g} s are over")
