"""What the line editor, the ranges and the coins draw, say and send, from their own scripts without a browser."""

from __future__ import annotations

import subprocess
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

from ui.components.lean import lean

FILE = Path(__file__).with_name("editor.txt")
RANGES_FILE = Path(__file__).with_name("ranges.txt")
COINS_FILE = Path(__file__).with_name("coins.txt")


def editor_in_words() -> str:
    """Every look of the editor and what each hand movement, key and button makes it draw, say and send."""
    return _in_words("editor_in_words.mjs", "editor.js")


def ranges_in_words() -> str:
    """Every look of the ranges and what each hand movement and key makes them draw, say and send."""
    return _in_words("ranges_in_words.mjs", "ranges.js")


def coins_in_words() -> str:
    """Every look of the survey with coins, what each tap draws, keeps and sends, and how often coins fall how."""
    return _in_words("coins_in_words.mjs", "coins.js")


def _in_words(steps: str, script: str) -> str:
    node = compute_driver_executable()[0]  # the JavaScript that browser tests are driven with
    command, sent = [node, Path(__file__).with_name(steps)], lean("element.js", script)
    return subprocess.run(command, input=sent, capture_output=True, check=True, text=True, timeout=120).stdout
