"""The three lanes in which the tests run, by folder: each takes at most six minutes of two quiet cores."""

from __future__ import annotations

LANES = {
    "numbers": (
        *("dpcore", "riskline", "ui", "tests/unit", "tests/property"),
        *("tests/published", "tests/reference", "tests/architecture"),
    ),
    "pages": ("tests/app", "tests/approved"),
    "browser": ("tests/browser", "tests/servers", "tests/docs"),
}
