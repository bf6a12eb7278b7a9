"""A running app, a browser, and a page that fails its test when a request leaves the host."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, BrowserType, ConsoleMessage, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.chromium import FLAGS, executable

ROOT = Path(__file__).resolve().parents[2]
LONGEST_START = 180  # seconds; a start takes about eight of processor time, which others may be using
READY = '[data-testid="stApp"][data-test-script-state="notRunning"]:has([data-testid="stElementContainer"])'
"""An app at rest that has drawn something: before its first run it rests too, and shows nothing."""

ROOMS_FOLDER = tempfile.TemporaryDirectory(prefix="riskline-rooms-")
"""Where the servers of these tests keep rooms: none of ours, and gone with the process."""

WAITED_IN_VAIN = ["Timeout \\d+ms exceeded", "with timeout \\d+ms"]
"""What may be tried once more, and is counted in the report: a wait that ran out, as it does where a machine stalls.

A page that shows something wrong fails at once, and one that never shows what it should fails twice.
"""

STILL = """nodes => new Promise(told => {
    let seen = '', kept = 0, frames = 0;
    const look = () => {
        const boxes = nodes.map(node => node.getBoundingClientRect()).filter(box => box.width && box.height);
        const places = boxes.map(({x, y, width, height}) => ({x, y, width, height}));
        const now = JSON.stringify(places);
        kept = now === seen ? kept + 1 : 0;
        seen = now;
        if (kept >= 15 || frames++ > 900) told(nodes.every(node => node.isConnected) ? places : null);
        else requestAnimationFrame(look);
    };
    look();
})"""
"""Where elements lie that are seen, once they have stayed there for a quarter of a second."""

AXE = Axe().axe_script
SERIOUS = """async () => {
    const lesser = axe._audit.rules.filter(({impact}) => ['minor', 'moderate'].includes(impact));
    const rules = Object.fromEntries(lesser.map(({id}) => [id, {enabled: false}]));
    rules['target-size'] = {enabled: true};
    const {violations} = await axe.run({resultTypes: ['violations'], rules, preload: false});
    return violations
        .filter(({impact}) => ['serious', 'critical'].includes(impact))
        .map(({id, nodes}) => [id, nodes.slice(0, 3).map(({target}) => target)]);
}"""
"""What axe finds that is serious or critical, targets under 24 pixels too, a rule that axe leaves off by itself.

What a rule finds has its impact; lesser rules take half of the time.
"""

expect.set_options(timeout=15_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=WAITED_IN_VAIN))


@contextmanager
def running_app(script: Path = ROOT / "app.py") -> Iterator[str]:
    """The address of a server of its own for this script."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += ["--server.address", "127.0.0.1", "--server.headless", "true", "--browser.gatherUsageStats", "false"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "RISKLINE_ROOMS_FOLDER": ROOMS_FOLDER.name}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + LONGEST_START
        while True:
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=2)
                break
            except OSError:
                assert server.poll() is None, "the server ended by itself"
                assert time.monotonic() < deadline, f"the server did not answer within {LONGEST_START} seconds"
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


@dataclass(frozen=True)
class FirstSeen:
    """What the first browser saw that opened a server, and came by a link into a page."""

    navigation: bool
    answer: str


@pytest.fixture(scope="session")
def fresh_app() -> Iterator[str]:
    """The address of an app that nobody has opened yet; tests ask for `app`."""
    with running_app() as address:
        yield address


@pytest.fixture(scope="session")
def first_seen(fresh_app: str, known_reader: BrowserContext) -> FirstSeen:
    """A link into a page, opened before anything else of this server, and by a reader who has seen nothing yet."""
    page = known_reader.new_page()
    page.goto(f"{fresh_app}/choose?ratio=4")
    with suppress(PlaywrightTimeoutError):  # a page that never answers is for its own test to report
        page.wait_for_selector(".riskline-answer", timeout=60_000)
    settled(page)
    navigation = page.get_by_test_id("stTopNavLink").or_(page.get_by_test_id("stTopNavSection"))
    found = FirstSeen(navigation.first.is_visible(), " ".join(page.locator(".riskline-answer").all_inner_texts()))
    page.close()
    return found


@pytest.fixture(scope="session")
def app(fresh_app: str, first_seen: FirstSeen) -> str:
    """The address of the app, shared by the tests of one worker."""
    return fresh_app


@pytest.fixture(scope="session")
def known_reader(chromium: BrowserType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A reader who has been here before: the app's files are kept, and compiled, from test to test.

    To load and compile them anew takes a second of a processor each time, and to draw what fades a sixth of one.
    """
    folder = tmp_path_factory.mktemp("reader")
    context = chromium.launch_persistent_context(
        folder, executable_path=executable(), args=list(FLAGS), accept_downloads=True, reduced_motion="reduce"
    )
    yield context
    context.close()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(known_reader: BrowserContext, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Open an address in a window of its own; at the end no request left the host and no script failed.

    Windows are opened by one that stays, so that they share its process and the code that this has compiled. What pages
    keep in the browser is cleared after each test; a touched one has a browser without a past.
    """
    first = known_reader.pages[0]
    keeper = known_reader.new_cdp_session(first)
    contexts: list[BrowserContext] = []
    origins: set[str] = set()
    strangers: list[str] = []
    errors: list[str] = []

    def watch(page: Page) -> None:
        def asked(url: str) -> None:
            if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")):
                strangers.append(url)

        def console(message: ConsoleMessage) -> None:
            expected = "404" in message.text  # a deep link probes /<page>/_stcore/ on purpose
            if message.type == "error" and not expected:
                errors.append(message.text)

        page.on("request", lambda found: asked(found.url))
        page.on("websocket", lambda found: asked(found.url))
        page.on("console", console)
        page.on("pageerror", lambda error: errors.append(str(error)))

    def open_address(
        address: str, *, width: int = 1440, height: int = 900, dark: bool = False, touch: bool = False
    ) -> Page:
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(address))
        origins.add(origin)
        if touch:
            browser: Browser = request.getfixturevalue("browser")
            contexts.append(browser.new_context(has_touch=True, accept_downloads=True))
            page = contexts[-1].new_page()
        else:
            if first.url == "about:blank":
                first.goto(f"{origin}/_stcore/health")
            with known_reader.expect_page() as opened:
                first.evaluate("() => { window.open('about:blank'); }")
            page = opened.value
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light")
        watch(page)
        page.goto(address)
        settled(page)
        return page

    yield open_address
    for context in contexts:
        context.close()
    for page in known_reader.pages[1:]:
        page.close()
    for origin in origins:
        keeper.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "cookies,local_storage"})
    keeper.detach()
    assert strangers == []
    assert errors == []


def go_to(page: Page, group: str, title: str) -> None:
    """Choose a page from a group of the navigation."""
    page.get_by_test_id("stTopNavSection").filter(has_text=group).click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title).click()


def settled(page: Page) -> None:
    """Wait until the app has drawn and is at rest."""
    page.wait_for_selector(READY, timeout=60_000)
    expect(page.locator('[data-stale="true"]')).to_have_count(0)


def shown(page: Page, text: str | re.Pattern[str], *, exact: bool = False) -> Locator:
    """What the page shows with these words: not the place that says an answer again for screen readers."""
    return page.get_by_text(text, exact=exact).and_(page.locator(":not([aria-live])"))


def strip(page: Page) -> Locator:
    """The line about the case as a wide page shows it."""
    return page.locator(".riskline-strip-long")


def pick(page: Page, control: str, option: str) -> None:
    """Choose an option as a person does: open its list, and again where the page moved and closed it meanwhile."""
    settled(page)
    box = page.get_by_role("combobox", name=control)
    found = page.get_by_role("option", name=option)
    at_rest(page)
    for _ in range(3):
        box.click()
        with suppress(PlaywrightTimeoutError):
            found.click(timeout=5_000)
            return
    found.click()


def type_into(page: Page, box: str, text: str) -> None:
    """Fill a box and let the app read it."""
    found = page.get_by_label(box, exact=True)
    found.fill(text)
    found.press("Enter")
    settled(page)


def at_rest(page: Page) -> None:
    """Wait until the answer and the address have stayed the same for half a second: live updates have all arrived."""
    settled(page)
    page.wait_for_function(
        """() => {
            const now = (document.querySelector('.riskline-answer')?.innerText ?? '') + location.href;
            if (window.risklineSeen !== now) { window.risklineSeen = now; window.risklineSince = performance.now(); }
            return performance.now() - window.risklineSince > 500;
        }""",
        polling=50,
    )


def resting_boxes(parts: Locator) -> list[dict[str, float]]:
    """Where the parts lie in the window that can be seen, once none of them moves any more.

    What is measured while a page still grows is not there when the mouse comes.
    """
    parts.first.wait_for()
    while (found := parts.evaluate_all(STILL)) is None:  # redrawn meanwhile
        parts.first.wait_for()
    places: list[dict[str, float]] = found
    return places


def resting_box(part: Locator) -> dict[str, float]:
    """Where a part lies in the window, once it does not move any more."""
    (box,) = resting_boxes(part)
    return box


def violations(page: Page) -> list[tuple[str, list[Any]]]:
    """What axe finds that is serious or critical, once all is drawn."""
    expect(page.locator(".riskline-spoken").get_by_role("status")).not_to_have_text("")
    faded(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[tuple[str, list[Any]]] = page.evaluate(SERIOUS)
    return found


def faded(page: Page) -> None:
    """Wait until nothing fades in or out: half drawn, text counts as low contrast."""
    at_rest(page)
    page.wait_for_function(
        """() => document.getAnimations().every(
            one => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity
        )"""
    )
