"""Where a Chromium or Chrome is, and how it is started so that it asks nobody outside for anything."""

from __future__ import annotations

import os
import shutil

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # else the shell makes letters wider than a Chromium with windows does
    # optimizing takes a twentieth more, as pages stay for seconds, and so does looking for garbage often, in threads
    "--js-flags=--no-opt --no-maglev --min-semi-space-size=64 --max-semi-space-size=128 --single-threaded-gc",
)

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""The shell, which has no windows, first: to open a page takes it a sixth less of a processor."""


def find_chromium() -> str | None:
    """Path of the browser: RISKLINE_BROWSER, else the first of its names on the PATH."""
    named = os.environ.get("RISKLINE_BROWSER")
    if named:
        return named if os.path.exists(named) else None
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    return None


def executable() -> str:
    """Path of the browser; without one the test fails and says what to install."""
    path = find_chromium()
    assert path is not None, "no Chromium or Chrome: set RISKLINE_BROWSER or install Debian's chromium"
    return path
