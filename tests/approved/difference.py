"""A difference from approved words, as a person reads it; or what is said now, written for a person to read."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

RENEW = "RISKLINE_APPROVE"
"""Set to 1, what is said now is written where it would be compared (`scripts/approve`)."""


def fail_with_difference(approved_file: Path, said: str, stem: str) -> None:
    """Fail with every line that differs and the command that approves it."""
    if os.environ.get(RENEW) == "1":
        approved_file.parent.mkdir(exist_ok=True)
        approved_file.write_text(said, encoding="utf-8")
    approved = approved_file.read_text(encoding="utf-8")
    if said != approved:
        change = difflib.unified_diff(
            approved.splitlines(), said.splitlines(), str(approved_file.name), "said now", lineterm="", n=1
        )
        pytest.fail("\n".join([*change, "", f"If this is meant: scripts/approve {stem}"]), pytrace=False)
