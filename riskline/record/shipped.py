"""What the page *How we know* ships: the tables and the errata with every value computed now, as JSON.

A page does not wait for three hundred computations: `scripts/write_published_table` writes this to
`ui/data/published.json`, and `test_record.py` holds the committed file to it.
"""

from __future__ import annotations

import json
from typing import Any

from riskline.record.errata import ERRATA, OWN_ERRATA, Erratum, OwnErratum
from riskline.record.tables import PublishedValue, all_rows


def _printed(row: PublishedValue) -> str:
    return f"{row.printed:,.{max(row.digits, 0)}f}"


def record() -> dict[str, Any]:
    """Rows and errata, their values computed by this call."""
    rows = [
        {
            "source": row.source,
            "locator": row.locator,
            "quantity": row.quantity,
            "printed": _printed(row),
            "computed": float(f"{float(row.compute()):.6g}"),
            "verdict": row.verdict,
            "reading": row.reading,
        }
        for row in all_rows()
    ]
    return {
        "rows": rows,
        "errata": [_told(note, "source", "locator") | {"inferred": note.inferred} for note in ERRATA],
        "own_errata": [_told(note, "version", "where") for note in OWN_ERRATA],
    }


def _told(note: Erratum | OwnErratum, *where: str) -> dict[str, Any]:
    """A note with its result of now."""
    names = ("title", *where, "printed", "reason", "line")
    return {name: getattr(note, name) for name in names} | {"result": note.result()}


def as_text(content: dict[str, Any]) -> str:
    """The file's text: one row a line, so that a change reads well in a diff."""
    parts = []
    for name in ("rows", "errata", "own_errata"):
        lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in content[name])
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{" + ",\n".join(parts) + "}\n"
