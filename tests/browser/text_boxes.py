"""Labels that lie on each other, stick out, are cut or are squeezed: found from the boxes of all text on a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").partition("\n")[2].rstrip()


@dataclass(frozen=True)
class Fault:
    """What is wrong with one label."""

    kind: str
    words: str
    other: str

    def __str__(self) -> str:
        return f"“{self.words}” {self.kind}" + (f" “{self.other}”" if self.other else "")


def faults_of_text(page: Page) -> list[Fault]:
    """Every label of the page as it stands that a reader cannot read whole, once nothing moves any more."""
    page.evaluate(f"{SCRIPT}.still()")
    return [Fault(*found) for found in page.evaluate(f"{SCRIPT}.faults()")]
