"""What the line editor and the ranges draw, say and send, from their own scripts on a page that is no browser."""

from __future__ import annotations

import subprocess
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

FILE = Path(__file__).with_name("editor.txt")
RANGES_FILE = Path(__file__).with_name("ranges.txt")
UI = Path(__file__).resolve().parents[2] / "ui"


def editor_in_words() -> str:
    """Every look of the editor and what each hand movement, key and button makes it draw, say and send."""
    return _in_words("editor_in_words.mjs", UI / "line_editor/editor.js")


def ranges_in_words() -> str:
    """Every look of the ranges and what each hand movement and key makes them draw, say and send."""
    return _in_words("ranges_in_words.mjs", UI / "range_editor/ranges.js")


def _in_words(steps: str, script: Path) -> str:
    node = compute_driver_executable()[0]  # the JavaScript that browser tests are driven with
    command = [node, Path(__file__).with_name(steps), script]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=120).stdout
