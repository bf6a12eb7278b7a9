"""A method of disclosure control beside kinds of noise: its name and what it is called where it hides somebody."""

from __future__ import annotations

from riskline.case.methods import SETTINGS
from ui.pictures.style import Style
from ui.words.catalogue import label


def method_named(method: str, chosen: object, style: Style) -> str:
    """A method with its settings, as a sentence begins with it."""
    shown = {name: getattr(chosen, name, "") for name in ("base", "largest_noise", "threshold")}
    return label("methods", f"named.{method}", **shown, rate=style.belief(getattr(chosen, "rate", 0.0)))


def what_hides(method: str) -> str:
    """What hides somebody in a table: noise, or what the method does."""
    return label("by_method", f"hides.{method if method in SETTINGS else 'noise'}")
