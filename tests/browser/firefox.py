"""A Firefox as Debian packages it, driven by WebDriver BiDi over its own socket: nothing stands in between."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox-esr", "firefox")
PREFERENCES: dict[str, bool | int | str] = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.download.alwaysOpenPanel": False,
    "browser.download.folderList": 2,
    "browser.newtabpage.enabled": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.prefersReducedMotion": 1,
}
"""It asks nobody outside for anything, opens nothing by itself, and saves without a question."""

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "ArrowUp": "\ue013", "ArrowDown": "\ue015", "Home": "\ue011"}
"""Keys as WebDriver names them."""

DEEP = """() => {
    window.deep = (what, root = document) => [
        ...root.querySelectorAll(what),
        ...[...root.querySelectorAll('*')].filter(one => one.shadowRoot).flatMap(one => deep(what, one.shadowRoot)),
    ];
}"""
"""What a page is given to look for something inside components too."""

MIDDLE = """one => {
    if (!one) return null;
    one.scrollIntoView({block: 'center'});
    const {x, y, width, height} = one.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""

Condition = Callable[[], Any]
EVENTS = ("log.entryAdded", "network.beforeRequestSent")
"""What is told without being asked for."""


def find_firefox() -> str | None:
    """Path of the browser: the first of its names on the PATH."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """A running Firefox with a profile and downloads in a folder of its own; what it tells by itself is kept."""

    def __init__(self, folder: Path, **more: bool | int | str) -> None:
        path = find_firefox()
        assert path is not None, "no Firefox: install Debian's firefox-esr"
        self.saved = folder / "saved"
        profile = folder / "profile"
        profile.mkdir()
        chosen = PREFERENCES | {"browser.download.dir": str(self.saved)} | more
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in chosen.items()]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [path, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.told: list[dict[str, Any]] = []
        self._sent = 0
        self._socket = self._connected(profile / "WebDriverBiDiServer.json")
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=EVENTS)
        self.send("script.addPreloadScript", functionDeclaration=DEEP)

    def _connected(self, told: Path) -> ClientConnection:
        """The socket at the port that Firefox writes into its profile."""

        def port() -> int | None:
            assert self._process.poll() is None, "Firefox ended by itself"
            with suppress(FileNotFoundError, ValueError, KeyError):
                return int(json.loads(told.read_text(encoding="utf-8"))["ws_port"])
            return None

        found = waited(port, "Firefox listens", seconds=120)
        return connect(f"ws://127.0.0.1:{found}/session", max_size=None, proxy=None)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command; what is told meanwhile is kept."""
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": parameters}))
        while True:
            told: dict[str, Any] = json.loads(self._socket.recv(timeout=120))
            if told.get("id") != self._sent:
                self.told.append(told)
                continue
            assert told["type"] == "success", f"{method}: {told}"
            result: dict[str, Any] = told["result"]
            return result

    def opened(self, address: str, width: int = 1280, height: int = 720) -> Tab:
        """A tab of this size that shows an address."""
        tab = Tab(self, self.send("browsingContext.create", type="tab")["context"])
        tab.resize(width, height)
        tab.goto(address)
        return tab

    def close(self) -> None:
        with suppress(Exception):
            self.send("browser.close")
        self._socket.close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def waited(condition: Condition, what: str, *, seconds: float = 30) -> Any:
    """What a condition gives once it holds."""
    ends = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > ends:
            raise AssertionError(f"Timeout {1000 * seconds:.0f}ms exceeded: {what}")
        time.sleep(0.05)
    return found


@dataclass(frozen=True)
class Tab:
    """A tab: what a reader does in it, and what its page answers."""

    firefox: Firefox
    context: str

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.firefox.send(method, context=self.context, **parameters)

    def goto(self, address: str) -> None:
        self.send("browsingContext.navigate", url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        self.send("browsingContext.setViewport", viewport={"width": width, "height": height})

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, or of a promise of one, as JSON carries it."""
        asked = f"(async () => JSON.stringify({{found: await ({expression})}}))()"
        told = self.firefox.send(
            "script.evaluate", expression=asked, target={"context": self.context}, awaitPromise=True
        )
        assert told["type"] == "success", f"{expression}: {told['exceptionDetails']['text']}"
        return json.loads(told["result"]["value"]).get("found")

    def wait_for(self, expression: str, *, seconds: float = 30) -> Any:
        """What an expression gives once that is something; a page that is being left has no answer yet."""
        return waited(lambda: self.evaluate(expression), expression, seconds=seconds)

    def box(self, expression: str) -> tuple[int, int]:
        """The middle of an element, brought into the window, once it has stayed there."""
        seen: list[tuple[int, int]] = []

        def resting() -> bool:
            if place := self.evaluate(f"({MIDDLE})({expression})"):
                seen.append((round(place[0]), round(place[1])))
            return len(seen) > 4 and len(set(seen[-4:])) == 1

        waited(resting, f"{expression} rests")
        return seen[-1]

    def click(self, expression: str) -> None:
        self.drag(self.box(expression))

    def drag(self, *places: tuple[int, int]) -> None:
        """Press the mouse at the first place and let go at the last."""
        first, *others = ({"type": "pointerMove", "x": x, "y": y} for x, y in places)
        pressed = [first, {"type": "pointerDown", "button": 0}, *others, {"type": "pointerUp", "button": 0}]
        source = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": pressed}
        self.send("input.performActions", actions=[source])

    def press(self, *keys: str) -> None:
        """Press keys by their names, or letters, one after the other."""
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.send("input.performActions", actions=[{"type": "key", "id": "keyboard", "actions": strokes}])

    def picture(self) -> bytes:
        """The window in pixels, as PNG."""
        return base64.b64decode(self.send("browsingContext.captureScreenshot")["data"])

    def close(self) -> None:
        self.send("browsingContext.close")
