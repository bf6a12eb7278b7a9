"""What was spent on a plan: a folder beside it, with a file for each draw, written before the draw begins.

A draw that began counts as spent, whatever happened to it. The name of a file is the plan's digest and the number of
the draw; it is created only if no other draw has it, so that of two that begin at once one is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpcore.errors import Code, Refused
from riskline.release.folder import as_json, fsync_folder

LEDGER = "riskline-ledger"
FORMAT, VERSION = "riskline_ledger", 1
BEGUN, PUBLISHED = "begun", "published"
UNREADABLE = "unreadable"
KEPT = ("draw", "drawn", "currency", "spent", "out", "state")
"""What later draws say of an earlier one."""


def entries(folder: Path, digest: str) -> list[dict[str, Any]]:
    """The draws of a plan so far; one whose file cannot be read is one of them all the same."""
    return [_entry(path) for path in _files(folder, digest)]


def others(folder: Path, digest: str) -> list[dict[str, Any]]:
    """The draws of other plans so far that stand in the same ledger: about the same people, their budgets add up."""
    own = f"{digest[:16]}-"
    return [_entry(path) for path in sorted((folder / LEDGER).glob("*.json")) if not path.name.startswith(own)]


def next_number(folder: Path, digest: str) -> int:
    """The number of the next draw, also where the file of an earlier one is gone."""
    return 1 + max((_number(path)[0] for path in _files(folder, digest)), default=0)


def _files(folder: Path, digest: str) -> list[Path]:
    return sorted((folder / LEDGER).glob(f"{digest[:16]}-*.json"), key=_number)


def _entry(path: Path) -> dict[str, Any]:
    try:
        entry = json.loads(path.read_bytes())
        kept = {name: entry[name] for name in KEPT}
        return kept | {"spent": float(kept["spent"])}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {"state": UNREADABLE}


def _number(path: Path) -> tuple[int, str]:
    number = path.stem.rpartition("-")[2]
    return (int(number) if number.isdecimal() else 0, path.stem)


def begin(folder: Path, digest: str, number: int, entry: Mapping[str, Any]) -> Path:
    """Writes down that a draw begins, before it does.

    Raises Refused where another draw of that number has begun; OSError where nothing can be written.
    """
    place = folder / LEDGER
    place.mkdir(exist_ok=True)
    path = place / f"{digest[:16]}-{number}.json"
    try:
        file = open(path, "x", encoding="utf-8")  # noqa: SIM115
    except FileExistsError:
        rule = "be drawn once at a time: another draw of it has begun"
        raise Refused("the plan", rule, None, Code.REPEATED, got="") from None
    try:
        with file:
            file.write(as_json({FORMAT: VERSION, **entry, "state": BEGUN}))
            file.flush()
            os.fsync(file.fileno())
    except BaseException:  # nothing is drawn yet
        path.unlink()
        raise
    fsync_folder(place)
    fsync_folder(folder)
    return path


def finish(path: Path, record: str) -> None:
    """Adds to an entry that its tables are published, with the digest of their record."""
    entry = json.loads(path.read_bytes()) | {"state": PUBLISHED, "record": record}
    beside = path.with_suffix(".unfinished")
    with open(beside, "w", encoding="utf-8") as file:
        file.write(as_json(entry))
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    fsync_folder(path.parent)
