"""A command line as somebody at a terminal meets it: what is printed, what is complained of, and how it ends."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any

from riskline.command import run


@dataclass(frozen=True)
class Told:
    """What a command printed, what it complained of, and its exit code."""

    out: str
    complaint: str
    code: int

    @property
    def document(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


def told(*arguments: str) -> Told:
    """What the command `riskline` does with these arguments, in this process."""
    out, complaint = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(complaint):
        code = run(list(arguments))
    return Told(out.getvalue(), complaint.getvalue(), code)
