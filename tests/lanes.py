"""The three lanes in which the tests run, by folder: each takes at most six minutes of two quiet cores.

They are shared out by processor time: three files of the browser's folder, which start servers, print documents or try
every page once more, run with the pages. Folders with long tests come first, and so do tests marked as long: a core
that ends with one leaves the other idle.
"""

from __future__ import annotations

REPLICAS = "tests/browser/test_replicas.py"
WITH_PAGES = (REPLICAS, "tests/browser/test_memo_renders.py", "tests/browser/test_typed_addresses.py")
LANES = {
    "numbers": (
        *("tests/reference", "tests/property", "tests/unit", "tests/published"),
        *("dpcore", "riskline", "ui"),
    ),
    "pages": ("tests/app", "tests/approved", "tests/architecture", "tests/servers", "tests/docs", *WITH_PAGES),
    "browser": ("tests/browser", *(f"--ignore={file}" for file in WITH_PAGES)),
}
