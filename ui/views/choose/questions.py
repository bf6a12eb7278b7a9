"""The interview in words, and what a line does not object to: from which belief on it lets somebody become certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.profiles import Status
from riskline.case.interview import LEVELS, PRIORS, Interview, odds
from riskline.case.points import same_line
from ui.pictures.table import Table
from ui.views.choose.answer import Answered, believed
from ui.views.shared.promise import StatedBelief, called
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief


@dataclass(frozen=True)
class Questions:
    """What the interview shows: `options` are words of an answer and the answers with it.

    `tables` is the number of tables a box begins with, where that is asked; `counted` the answers once it is told.
    """

    question: str
    note: str = ""
    options: tuple[tuple[str, str], ...] = ()
    tables: int | None = None
    counted: str = ""
    back: str | None = None
    again: str | None = None
    held: Table | None = None


def questions(answer: Answered) -> Questions:
    """The next question of the interview, or why there is none."""
    inputs, voice = answer.inputs, answer.style.voice
    interview = Interview(inputs.interview)
    answers, given = interview.answers, interview.given
    back = interview.back if answers else None

    def passage(name: str, **words: object) -> str:
        told = [word for word in words.values() if isinstance(word, float)]
        beliefs = {key: believed(word, voice, *told) for key, word in words.items() if isinstance(word, float)}
        return say("choose", voice, f"interview_{name}", **answer.context | words | beliefs)

    if inputs.secret == "both":
        asked = Questions(passage("none"))
    elif not answers:
        kinds = (passage("kind_count"), "c"), (passage("kind_anything"), "o")
        asked = Questions(passage("kind"), passage("kind_note"), kinds)
    elif len(answers) == 1:
        one = called(inputs.one) or label("choose", "interview.person")
        note, counted = passage("tables_note"), f"{answers}t"
        asked = Questions(passage("tables", one=one), note, tables=inputs.releases, counted=counted, back=back)
    elif (found := interview.contradiction) is not None:
        raised, lowered = Interview(found.raised), Interview(found.lowered)
        rarer = next(held for held in lowered.given if held.prior == found.rarer.prior)
        words = {"rarer": found.rarer.prior, "accepted": found.rarer.accepted, "likelier": found.likelier.prior}
        words |= {"less": found.likelier.accepted, "refused": found.likelier.refused}
        words |= {"raised": raised.given[-1].accepted, "lowered": rarer.accepted}
        options = (passage("raise", **words), found.raised), (passage("lower", **words), found.lowered)
        asked = Questions(passage("contradiction", **words), passage("contradiction_note"), options, back=back)
    elif (prior := interview.asked) is not None:
        levels = tuple((believed(level, voice, prior), f"{answers}{at}") for at, level in enumerate(LEVELS[prior]))
        note = passage("level_note")
        if given:
            most = max(given, key=lambda held: held.accepted)
            note = passage("level_follows", rarer=decimal_belief(most.prior), accepted=most.accepted, prior=prior)
        place = {"number": str(len(interview.chosen) + 1), "all": str(len(PRIORS))}
        asked = Questions(passage("level", prior=prior, **place), note, levels, back=back)
    elif interview.halving is not None:
        prior, between = interview.halving
        at = next(held for held in interview.held if held.prior == prior)
        halves = (passage("yes"), f"{answers}y"), (passage("no"), f"{answers}n")
        told = {"prior": prior, "accepted": at.accepted, "refused": at.refused, "between": between}
        asked = Questions(passage("halving", **told), options=halves, back=back)
    elif inputs.line != "drawn" or not same_line(inputs.points, interview.points):
        asked = Questions(passage("moved"), options=((passage("redraw"), answers),), back=back, again="")
    else:
        strictest = min(interview.held, key=lambda held: odds(held.accepted) - odds(held.prior))
        name = "done_nothing" if strictest.accepted == 1.0 else "done"
        said = passage(name, prior=strictest.prior, accepted=strictest.accepted)
        binding = answer.implied.binding
        unasked = binding is not None and not np.isclose(binding.prior, PRIORS, rtol=1e-9, atol=0).any()
        note = passage("unasked") if unasked else ""
        asked = Questions(said, note, back=back, again="", held=_held(answer))
    return asked


def _held(answer: Answered) -> Table | None:
    """What the answers hold at each belief, beside what the budget of the whole line lets an attacker reach."""
    if answer.budget is None:
        return None
    voice, rows = answer.style.voice, []
    for held, reached in answer.interviewed:
        refused = believed(held.refused, voice, held.prior) if held.refused <= 1.0 else "–"
        rows.append((reached.before, believed(held.accepted, voice, held.prior), refused, reached.words))
    columns = tuple(say("choose", voice, f"interview_{name}") for name in ("before", "accept", "refuse", "reach"))
    return Table(say("choose", voice, "interview_table", **answer.context), columns, tuple(rows))


@dataclass(frozen=True)
class Permitted:
    """From which belief before on the line lets somebody become certain: the lowest that is easily said."""

    stated: StatedBelief
    sentence: str


def _asks_nothing(answer: Answered, prior: Any) -> Any:
    """Whether the line accepts certainty at each of several priors."""
    return np.asarray(answer.implied.profile.highest_posterior(np.asarray(prior) / answer.inputs.held)) >= 1.0 - 1e-12


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
    stated = answer.stated_from(prior, believed(prior, answer.style.voice))
    words = answer.context | {"prior": answer.style.belief(prior), "reached": stated.said}
    return Permitted(stated, say("choose", answer.style.voice, "permitted", **words))
