"""The reference cases as they are written in the files beside this module."""

from __future__ import annotations

import json
from pathlib import Path

CASES = [
    case for path in sorted((Path(__file__).parent / "cases").glob("*.json")) for case in json.loads(path.read_text())
]
