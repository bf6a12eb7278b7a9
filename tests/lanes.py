"""The three lanes in which the tests run, by folder: each takes at most six minutes of two quiet cores.

They are shared out by the processor time they took when they were measured: 580 s, 520 s and 640 s.
"""

from __future__ import annotations

LANES = {
    "numbers": (
        *("dpcore", "riskline", "ui", "tests/unit", "tests/property"),
        *("tests/published", "tests/reference", "tests/architecture"),
    ),
    "pages": ("tests/app", "tests/approved", "tests/servers", "tests/docs"),
    "browser": ("tests/browser",),
}
