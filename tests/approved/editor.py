"""The line editor's drawing, words and messages, from its own script on a page that is no browser."""

from __future__ import annotations

import subprocess
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

FILE = Path(__file__).with_name("editor.txt")
STEPS = Path(__file__).with_name("editor_in_words.mjs")
SCRIPT = Path(__file__).resolve().parents[2] / "ui/line_editor/editor.js"


def editor_in_words() -> str:
    """Every look of the editor and what each hand movement, key and button makes it draw, say and send."""
    node = compute_driver_executable()[0]  # the JavaScript that browser tests are driven with
    return subprocess.run([node, STEPS, SCRIPT], capture_output=True, check=True, text=True, timeout=120).stdout
