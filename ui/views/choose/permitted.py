"""What a line does not object to: from which belief on it lets somebody become certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.profiles import Status
from ui.views.choose.answer import Answered
from ui.views.choose.questions import reached
from ui.words.catalogue import say
from ui.words.phrasing import decimal_belief, frequency


@dataclass(frozen=True)
class Permitted:
    """The lowest belief before that is easily said from which on the line lets somebody become certain."""

    prior: float
    sentence: str


def _asks_nothing(answer: Answered, prior: Any) -> Any:
    """Whether the line accepts certainty at each of several priors."""
    return np.asarray(answer.profile.highest_posterior(np.asarray(prior) / answer.inputs.held)) >= 1.0 - 1e-12


def certain_from(answer: Answered) -> float | None:
    """The lowest of the priors a page says from which on a line over one belief accepts certainty; None without one.

    Looked for above the last of many priors, every point of a drawn line among them, at which it asks for something.
    """
    inputs = answer.inputs
    points = [prior for prior, _ in inputs.points if prior <= inputs.held] if inputs.line == "drawn" else []
    many = np.union1d(inputs.held * np.linspace(0.0, 1.0, 2001)[1:-1], points)
    asking = many[~_asks_nothing(answer, many)]
    if not asking.size:
        return None
    said = np.arange(1, 10_000) / 10_000
    if not answer.style.technical:
        said = np.concatenate([said[:99], np.arange(1, 100) / 100])
    said = said[(said > asking[-1]) & (said < inputs.held)]
    found = said[_asks_nothing(answer, said)]
    return float(found[0]) if found.size else None


def permitted(answer: Answered) -> Permitted | None:
    """What the line does not object to, with what its budget allows there; None where it always asks for something."""
    if answer.inputs.secret == "both" or answer.implied.status is not Status.BINDS:
        return None
    prior = certain_from(answer)
    if prior is None:
        return None
    belief = decimal_belief if answer.style.technical else frequency
    words = answer.context | {"prior": belief(prior), "reached": reached(answer, prior)}
    return Permitted(prior, say("choose", answer.style.voice, "permitted", **words))
