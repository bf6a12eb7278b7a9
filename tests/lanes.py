"""The three lanes in which the tests run, by folder: each takes at most six minutes of two quiet cores.

They are shared out by processor time. Two files of the browser's folder, which start servers and print documents more
than they open pages, run with the pages.
"""

from __future__ import annotations

REPLICAS = "tests/browser/test_replicas.py"
WITH_PAGES = (REPLICAS, "tests/browser/test_memo_renders.py")
LANES = {
    "numbers": (
        *("dpcore", "riskline", "ui", "tests/unit", "tests/property"),
        *("tests/published", "tests/reference"),
    ),
    "pages": ("tests/app", "tests/approved", "tests/architecture", "tests/servers", "tests/docs", *WITH_PAGES),
    "browser": ("tests/browser", *(f"--ignore={file}" for file in WITH_PAGES)),
}
