"""The interview in words, and what a line does not object to: from which belief on it lets somebody become certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.profiles import Status
from riskline.case.interview import LEVELS, PRIORS, Contradiction, Held, Interview, odds
from riskline.case.points import same_line
from ui.pictures.table import Table
from ui.views.choose.answer import Answered, along_prior
from ui.views.choose.choices import ChooseInputs
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, frequency, typed_frequency
from ui.words.quantities import Upper, in_people


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


def believed(belief: float, voice: str) -> str:
    """A belief of the interview, as it is asked: a decimal, or people out of 100 or 1,000; certainty by its name."""
    if voice == "technical":
        return decimal_belief(belief)
    if belief == 1.0:
        return say("choose", voice, "interview_certain")
    return in_people(1000)(belief, "nearest") if belief < 0.01 else typed_frequency(belief)


def questions(answer: Answered) -> Questions:
    """The next question of the interview, or why there is none."""
    inputs, voice = answer.inputs, answer.style.voice
    if inputs.secret == "both":
        return Questions(say("choose", voice, "interview_none"))
    interview = Interview(inputs.interview)
    back = interview.back if interview.answers else None

    def passage(name: str, **words: Any) -> str:
        return say("choose", voice, f"interview_{name}", **words)

    def belief(value: float) -> str:
        return believed(value, voice)

    if not interview.answers:
        kinds = (passage("kind_count"), "c"), (passage("kind_anything"), "o")
        return Questions(passage("kind"), passage("kind_note"), kinds)
    if len(interview.answers) == 1:
        return Questions(
            passage("tables", one=_noun(inputs)),
            passage("tables_note"),
            tables=inputs.releases,
            counted=f"{interview.answers}t",
            back=back,
        )
    if interview.contradiction is not None:
        return _contradicted(interview.contradiction, answer, back)
    if interview.asked is not None:
        prior = interview.asked
        options = tuple((belief(level), f"{interview.answers}{at}") for at, level in enumerate(LEVELS[prior]))
        note = passage("level_note")
        if interview.given:
            most = max(interview.given, key=lambda held: held.accepted)
            words = {"rarer": belief(most.prior), "accepted": belief(most.accepted), "prior": belief(prior)}
            note = passage("level_follows", **words)
        words = {"prior": belief(prior), "what": answer.context["what"]}
        words |= {"number": str(len(interview.chosen) + 1), "all": str(len(PRIORS))}
        return Questions(passage("level", **words), note, options, back=back)
    if interview.halving is not None:
        return _halved(interview, answer, back)
    return _done(interview, answer, back)


def _contradicted(found: Contradiction, answer: Answered, back: str | None) -> Questions:
    voice = answer.style.voice
    raised, lowered = Interview(found.raised), Interview(found.lowered)
    rarer = next(held for held in lowered.given if held.prior == found.rarer.prior)
    words = {
        "rarer": believed(found.rarer.prior, voice),
        "accepted": believed(found.rarer.accepted, voice),
        "likelier": believed(found.likelier.prior, voice),
        "less": believed(found.likelier.accepted, voice),
        "refused": believed(found.likelier.refused, voice),
        "raised": believed(raised.given[-1].accepted, voice),
        "lowered": believed(rarer.accepted, voice),
    }
    options = tuple(
        (say("choose", voice, f"interview_{name}", **words), answers)
        for name, answers in (("raise", found.raised), ("lower", found.lowered))
    )
    question = say("choose", voice, "interview_contradiction", **words)
    return Questions(question, say("choose", voice, "interview_contradiction_note"), options, back=back)


def _halved(interview: Interview, answer: Answered, back: str | None) -> Questions:
    voice = answer.style.voice
    assert interview.halving is not None
    prior, between = interview.halving
    at = next(held for held in interview.held if held.prior == prior)
    words = {
        "prior": believed(prior, voice),
        "what": answer.context["what"],
        "accepted": believed(at.accepted, voice),
        "refused": believed(at.refused, voice),
        "between": believed(between, voice),
    }
    yes, no = say("choose", voice, "interview_yes"), say("choose", voice, "interview_no")
    return Questions(
        say("choose", voice, "interview_halving", **words),
        say("choose", voice, "interview_halving_note"),
        ((yes, f"{interview.answers}y"), (no, f"{interview.answers}n")),
        back=back,
    )


def _done(interview: Interview, answer: Answered, back: str | None) -> Questions:
    inputs, voice = answer.inputs, answer.style.voice
    strictest = min(interview.held, key=lambda held: odds(held.accepted) - odds(held.prior))
    words = {"prior": believed(strictest.prior, voice), "accepted": believed(strictest.accepted, voice)}
    if inputs.line != "drawn" or not same_line(inputs.points, interview.points):
        options = ((say("choose", voice, "interview_redraw"), interview.answers),)
        return Questions(say("choose", voice, "interview_moved"), options=options, back=back, again="")
    name = "interview_done_nothing" if strictest.accepted == 1.0 else "interview_done"
    return Questions(say("choose", voice, name, **words), back=back, again="", held=_held(interview, answer))


def _held(interview: Interview, answer: Answered) -> Table | None:
    """What the answers hold at each belief, beside what the budget of the whole line lets an attacker reach."""
    if answer.budget is None:
        return None
    voice = answer.style.voice
    rows = tuple(
        (
            believed(held.prior, voice),
            believed(held.accepted, voice),
            _refused(held, voice),
            reached(answer, held.prior).digits,
        )
        for held in interview.held
        if held.prior <= answer.inputs.held
    )
    columns = tuple(say("choose", voice, f"interview_{name}") for name in ("before", "accept", "refuse", "reach"))
    return Table(say("choose", voice, "interview_table", **answer.context), columns, rows)


def _noun(inputs: ChooseInputs) -> str:
    """Whom the case is about, as one of them is called."""
    return inputs.one.strip() or label("choose", "interview.person")


def _refused(held: Held, voice: str) -> str:
    return believed(held.refused, voice) if held.refused <= 1.0 else "–"


def reached(answer: Answered, prior: float) -> Upper:
    """The highest belief after, from this belief before, at the recommended budget."""
    said = decimal_belief if answer.style.technical else frequency
    return Upper(float(answer.reach(*along_prior(answer.inputs, prior))), said)


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
