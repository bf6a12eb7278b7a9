"""The commands that answer: each is a page of the dashboard, read on a command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from riskline.answers import Answer
from riskline.choices import NotTaken
from ui.link.fields import Field
from ui.pictures.look import Look
from ui.words.failures import BEYOND_NUMBERS, TOO_FAR


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command that answers.

    Parameters
    ----------
    stem, fields, inputs
        The page whose question it asks, its choices, and what holds them.
    answer
        What it tells of those choices, in a voice.
    examples
        Arguments that a help shows.
    drawn
        Choices that only change what is drawn: links bring them, a help leaves them out.
    """

    stem: str
    fields: tuple[Field, ...]
    inputs: Callable[..., Any]
    answer: Callable[[Any, Look], Answer]
    examples: tuple[str, ...]
    drawn: tuple[str, ...] = ()


def refuse(refusal: str | None) -> None:
    """Ends a command where its page has no answer, in the page's words."""
    if refusal == BEYOND_NUMBERS:
        raise NotTaken(TOO_FAR, computable=False)
    if refusal:
        raise NotTaken(refusal)
