"""The three lanes in which the tests run, by folder: each takes at most six minutes of two quiet cores.

They are shared out by processor time: six files of the browser's folder, which start servers or another browser, print
documents, try every page once more or open a component by itself, run with the pages, and so do the examples as on
older processors; what the neighbours of examples come to runs with the numbers. Folders with long tests come first, and
so do tests marked as long: a core that ends with one leaves the other idle.
"""

from __future__ import annotations

REPLICAS = "tests/browser/test_replicas.py"
FIREFOX = "tests/browser/test_firefox.py"
ON_ONE_SERVER = (FIREFOX, "tests/browser/test_typed_addresses.py")
"""Files that one process of tests runs, so that it starts the app for both."""
WITH_PAGES = (
    REPLICAS,
    *ON_ONE_SERVER,
    *(f"tests/browser/test_{name}.py" for name in ("memo_renders", "line_editor", "coin_survey")),
)
PROCESSORS = "tests/unit/test_processors.py"
NEIGHBOURS = "tests/approved/test_approved_examples.py"
LANES = {
    "numbers": (
        *("tests/reference", "tests/property", "tests/unit", "tests/published"),
        *(NEIGHBOURS, "dpcore", "riskline", "ui", f"--ignore={PROCESSORS}"),
    ),
    "pages": (
        *("tests/app", "tests/approved", "tests/architecture", "tests/servers", "tests/docs"),
        *(PROCESSORS, *WITH_PAGES, f"--ignore={NEIGHBOURS}"),
    ),
    "browser": ("tests/browser", *(f"--ignore={file}" for file in WITH_PAGES)),
}
PROCESSES = {"numbers": 2, "pages": 3, "browser": 3}
"""How many run a lane's tests beside each other.

Where servers and browsers are waited for, two leave from a tenth to a third of two cores idle.
"""
