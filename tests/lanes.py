"""The three lanes in which the tests run, by folder: each takes at most six minutes of two quiet cores.

They are shared out by processor time: about 680 s and 560 s, as two processors took them on the clock, and 770 s,
counted in the processes of a run beside which others kept the machine busy.
"""

from __future__ import annotations

LANES = {
    "numbers": (
        *("dpcore", "riskline", "ui", "tests/unit", "tests/property"),
        *("tests/published", "tests/reference"),
    ),
    "pages": ("tests/app", "tests/approved", "tests/architecture", "tests/servers", "tests/docs"),
    "browser": ("tests/browser",),
}
