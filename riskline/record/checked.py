"""A note that anyone can check: one line of dpcore, its result computed and never typed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Checked:
    """One line of dpcore and how its result is shown.

    Parameters
    ----------
    imports : the names of dpcore that the check uses
    check : one expression
    digits : significant digits in which the check's result is shown
    """

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
