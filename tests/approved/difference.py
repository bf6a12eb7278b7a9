"""A difference from approved words, as a person reads it."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest


def fail_with_difference(approved_file: Path, said: str, stem: str) -> None:
    """Fail with every line that differs and the command that approves it."""
    approved = approved_file.read_text(encoding="utf-8")
    if said != approved:
        change = difflib.unified_diff(
            approved.splitlines(), said.splitlines(), str(approved_file.name), "said now", lineterm="", n=1
        )
        pytest.fail("\n".join([*change, "", f"If this is meant: scripts/approve {stem}"]), pytrace=False)
