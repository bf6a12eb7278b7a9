"""A mechanism in a file, asked as *What an ε means* asks a guarantee: what its curve allows about the secret."""

from __future__ import annotations

from typing import Any

from riskline.choices import NotTaken
from riskline.commands import File
from ui.link.mechanism_file import KNOWN, read_choices
from ui.views.explain.meaning import Meaning
from ui.views.shared.own_mechanism import LARGEST_EPSILON

NO_TAILS = "must be bound for a mechanism by its curve, which says nothing of how often a belief moves."


def _take(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The mechanism as the page's choices; one that they cannot hold beside them."""
    choices, own = read_choices(content, LARGEST_EPSILON)
    return choices, {} if own is None else {"own": own}


FILE = File(
    "A CSV file of a mechanism, known by one of: "
    + "; ".join(", ".join(known.heads) for known in KNOWN)
    + ". It then answers instead of a guarantee.",
    _take,
    holds_budget=True,
)


def notes_of(meaning: Meaning, right_guess: str) -> tuple[str, ...]:
    """What the best guess finds by the curve and by its usual point, and what no such curve covers."""
    if meaning.curve is None:
        return ()
    if meaning.inputs.reading != "bound":
        raise NotTaken(NO_TAILS, "reading")
    return right_guess, meaning.say("uncovered")
