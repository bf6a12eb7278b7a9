"""The one palette: Okabe and Ito's colours by role, on light and dark grounds; and the bare chart they sit on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Palette:
    """Colours by role, on a light ground unless others are given."""

    ink: str = "#1b1f24"
    quiet: str = "#5b646e"
    grid: str = "#e3e6ea"
    ground: str = "#ffffff"
    accent: str = "#0072B2"  # the accepted line
    reach: str = "#B34A00"  # what an attacker can reach
    mark: str = "#1b1f24"  # what decides
    third: str = "#007a58"
    fourth: str = "#a8527f"
    fifth: str = "#7d6608"
    band: str = "rgba(0,114,178,0.12)"
    shades: tuple[str, str] = ("#e4eff8", "#003a63")  # least and most of a quantity


LIGHT = Palette()
DARK = Palette(
    ink="#eceff2",
    quiet="#a3adb8",
    grid="#2b333b",
    ground="#101418",
    accent="#56B4E9",
    reach="#F0904A",
    mark="#eceff2",
    third="#2fc79b",
    fourth="#e39cc3",
    fifth="#f0e442",
    band="rgba(86,180,233,0.18)",
    shades=("#14344d", "#c4e6ff"),
)
ROLES = ("accent", "reach", "third", "fourth", "ink")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def palette(dark: bool) -> Palette:
    """Colours for a light or a dark ground."""
    return DARK if dark else LIGHT


def veiled(colour: str, share: float) -> str:
    """A colour in hexadecimal that lets what is below it shine through."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:g})"


def shaded(colours: Palette, share: float) -> str:
    """The shade of a share of what is most, in equal steps of red, green and blue as charts mix them.

    >>> shaded(LIGHT, 0), shaded(LIGHT, 1)
    ('#e4eff8', '#003a63')
    """
    least, most = ([int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in colours.shades)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(least, most, strict=True))


def bare_layout(*, dark: bool, large: bool, height: int = 380) -> dict[str, Any]:
    """A layout with axes, type and ground set: figures are built from plain dictionaries and made once.

    Setting properties of a finished Plotly figure one by one costs several times what the numbers cost.
    """
    colours = palette(dark)
    size = 18 if large else 14

    def axis() -> dict[str, Any]:
        return {
            "gridcolor": colours.grid,
            "zeroline": False,
            "linecolor": colours.quiet,
            "ticks": "outside",
            "tickcolor": colours.grid,
            "title": {"font": {"size": size}, "standoff": 8, "text": ""},
            "automargin": True,
            "fixedrange": True,
        }

    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "Source Sans, Source Sans Pro, sans-serif", "size": size, "color": colours.ink},
        "margin": {"l": 8, "r": 16, "t": 12, "b": 8},
        "height": int(height * (1.25 if large else 1)),
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "xaxis": axis(),
        "yaxis": axis(),
        "hoverlabel": {"font": {"size": size}},
        "annotations": [],
        "shapes": [],
    }
