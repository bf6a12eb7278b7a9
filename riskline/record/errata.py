"""What is wrong in print and what earlier versions of Riskline said wrongly, each with one line that checks it.

The page *How we know* is made from these notes and from the rows of the tables. `check` is one line of `dpcore` that
anyone can run; its result is computed when the page's data are written and again by a test, never typed.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Checked:
    """A note that anyone can check: one line of dpcore and how its result is shown.

    title : the fault in a few words
    printed : what is printed there
    reason : what is right, and why
    imports : the names of dpcore that the check uses
    check : one expression
    digits : significant digits in which the check's result is shown
    """

    title: str
    printed: str
    reason: str
    imports: str
    check: str
    digits: int = 4

    @property
    def line(self) -> str:
        """The check as one line of Python."""
        return f"{self.imports}; print({self.check})"

    def result(self) -> str:
        """What the check gives now, to the note's digits."""
        scope: dict[str, object] = {}
        exec(self.imports, scope)
        value = eval(self.check, scope)
        values = value if isinstance(value, tuple | list | np.ndarray) else [value]
        return ", ".join(f"{float(one):.{self.digits}g}" for one in values)


@dataclass(frozen=True, kw_only=True)
class Erratum(Checked):
    """One disagreement between print and computation.

    source : key in dpcore.sources.WORKS
    locator : where it is printed
    inferred : whether the reason is our inference from the numbers
    """

    source: str
    locator: str
    inferred: bool = False


@dataclass(frozen=True, kw_only=True)
class OwnErratum(Checked):
    """One thing an earlier version said wrongly.

    version : which version said it
    where : the page or function
    said : the wrong number, in the unit of the check's result
    """

    version: str
    where: str
    said: float


def _notes(name: str) -> list[dict[str, Any]]:
    """The notes of a file beside this one."""
    notes: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))["notes"]
    return notes


ERRATA = tuple(Erratum(**note) for note in _notes("errata.toml"))
OWN_ERRATA = tuple(OwnErratum(**note) for note in _notes("own_errata.toml"))
