"""`riskline adjust FOLDER --out FOLDER`: the noisy tables of a release, made to add up without negative counts."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import dpcore
from dpcore.adjustment import Method
from dpcore.errors import Refused
from riskline.case.fields import as_sentence, shown
from riskline.choices import NotTaken
from riskline.release.adjusting import FORMAT, VERSION, adjusted_release
from riskline.release.folder import FORMATS, RECORD, is_unwritable, read_folder, write_folder

METHODS: dict[str, Method] = {"nearest": "global", "top-down": "top_down"}
"""What the ways to adjust are called on a command line."""
OPTIONS = ("out",)
"""Inputs that are options of the command."""


def adjusted(folder: str, out: str, *, method: str, form: str) -> str:
    """What is said of adjusted tables once they are written.

    Raises NotTaken for whatever is refused.
    """
    if method not in METHODS:
        raise NotTaken(f"--method must be {' or '.join(METHODS)}; got {shown(method)!r}.")
    if form not in FORMATS:
        raise NotTaken(f"--format must be {' or '.join(FORMATS)}; got {shown(form)!r}.")
    path = Path(folder)
    try:
        released = read_folder(path)
        tables = adjusted_release(list(released.tables.values()), method=METHODS[method])
        source = hashlib.sha256((path / RECORD).read_bytes()).hexdigest()
        record: dict[str, Any] = {"riskline": dpcore.__version__, "record_of_the_release": source}
        written = write_folder(Path(out), released.areas, tables, record=record, form=form, kind=(FORMAT, VERSION))
    except Refused as refusal:
        named = f"--{refusal}" if refusal.name in OPTIONS else str(refusal)
        raise NotTaken(as_sentence(named), computable=not is_unwritable(refusal)) from None
    except OSError as error:
        raise NotTaken(f"A file could not be used: {(error.strerror or 'it is no file').lower()}.") from None
    counts = sum(one.counts.size for table in tables for one in table.found.values())
    one_or_more = "table" if len(tables) == 1 else "tables"
    return "\n".join(
        (
            f"Adjusted: {counts:,} counts in {len(tables):,} {one_or_more}, in the folder {shown(out)!r}.",
            "In each table, cells and areas add up, no count is negative, and exact totals are kept. This reads"
            " published numbers only and costs no budget; no longer being negative adds bias.",
            "In 95 of 100 releases low and high hold the true count; about sums, shares and rates ask riskline"
            " estimate.",
            f"The record's SHA-256 is {written}.",
        )
    )
