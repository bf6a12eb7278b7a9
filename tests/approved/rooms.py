"""Rooms as their pages are approved: what a wall says of made-up answers, and a phone at each step, in any setting."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from datetime import UTC, datetime
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from riskline.case.points import decode_points
from ui.ask import waiting
from ui.pictures.style import Style
from ui.rooms.meeting import Participant, Phase, Room, RoomVersions, StartedActivity, StoredAnswer
from ui.rooms.store import store
from ui.views.join import JoinInputs, Phone, join_view
from ui.views.play import ROUNDS
from ui.views.room import ACTIVITIES, RoomInputs, room_view
from ui.views.room.activity import Activity, Wall, text_of
from ui.views.room.attack import Bet, called, last_round, next_round, own_rounds, stakes
from ui.views.room.coin_survey import coins_on_device
from ui.views.room.comprehension import COMPUTED, IN_WORDS, PAGE, WAYS, computed_question, setting_of, shown_way
from ui.views.room.proof import next_round as next_count
from ui.views.room.proof import own_rounds as own_guesses
from ui.views.room.understanding import questions_of
from ui.views.room.view import Held, RoomView, reach_words, result_on_phones
from ui.views.room.vote import OPTIONS
from ui.words.catalogue import say

SECRETS = ("ui.components.coin_survey", "ui.rooms.codes", "ui.rooms.store", "ui.views.room.understanding")
"""Modules that draw what nobody may guess."""
ENDS = datetime(2026, 11, 23, 9, 5, tzinfo=UTC)
KEPT = {
    "file": ("in a file where Riskline runs", False),
    "database": ("in this Riskline's PostgreSQL", True),
}
"""Where a room is stored, in words, and whether copies can outlast it there."""
GROUPS = ("agency", "agency", "agency", "advocates", "advocates", "advocates", "")
LINES = ("0.1~0.25", "0.1~0.4_0.5~0.9", "0.05~0.2_0.3~0.6", "0.01~0.1_0.4~1", "0.2~0.5", "0.1~0.1_0.3~0.5", "0.5~1")
ANSWERS: dict[str, Sequence[dict[str, Any]]] = {
    "line": [{"line_points": decode_points(line), "line_interview": ""} for line in LINES],
    "vote": [{"vote_choice": OPTIONS[place]} for place in (0, 1, 1, 2, 1, 0, 1)],
    "prediction": [{"number": float(number)} for number in (3, 8, 8, 12, 15, 40, 100)],
    "coin_survey": [{"coin_survey_said": said} for said in ("yes", "no", "no", "yes", "no", "no", "yes")],
    "attack": [
        {"attack_bets": tuple(map(Bet, map(int, rows), 3 * "cfnc"))}
        for rows in (
            *("2112132131", "1111111111", "2223111332", "3213213"),
            *("1231231", "2312312312", "2132132"),
        )
    ],
    "proof": [{"proof_guesses": guesses} for guesses in ("ioioi", "iiiii", "ooooi", "oioio", "ioo", "ioiii", "iooio")],
    "understanding": [
        {"understanding_said": said} for said in ("000", "110", "010", "100", "", "110", "01", *7 * ("010", "110"))
    ],
}
"""Made-up answers of each kind, seven or three times as many, by participants of two groups and of none."""


def started(kind: str, settings: dict[str, Any], phase: Phase) -> StartedActivity:
    """The first activity of a room, as the database holds it."""
    activity = ACTIVITIES[kind]
    return StartedActivity(1, kind, text_of(activity.settings, settings), phase)


def stored(kind: str, settings: Mapping[str, Any] | None = None) -> tuple[StoredAnswer, ...]:
    """The made-up answers, as the database holds them; three participants typed no name, nor is one's shown."""
    activity = ACTIVITIES[kind]
    answers = ANSWERS[kind]
    if kind == "vote":
        options = OPTIONS if settings is None else settings["vote_options"]
        answers = [{"vote_choice": options[OPTIONS.index(one["vote_choice"]) % len(options)]} for one in answers]
    return tuple(
        StoredAnswer(
            _participant(kind, number, group),
            text_of(activity.answers, values),
        )
        for number, (group, values) in enumerate(zip(len(answers) // 7 * GROUPS, answers, strict=True), start=1)
    )


def _participant(kind: str, number: int, group: str) -> Participant:
    """Somebody of the room, dealt to a half by their number."""
    own = number if kind == "understanding" else 0
    name = f"N{number}" if number > 4 else ""
    return Participant(number, name, group, pending=number == 4, drawn=37 * number, own=own)


def earlier(kind: str, settings: dict[str, Any]) -> tuple[StoredAnswer, ...]:
    """Where an earlier activity stands beside this one: its answers, each what the next participant answers now."""
    if not ACTIVITIES[kind].earlier_activity(settings):
        return ()
    now = stored(kind, settings)
    return tuple(replace(one, answer=other.answer) for one, other in zip(now, (*now[1:], now[0]), strict=True))


def shown_wall(kind: str, style: Style) -> RoomView:
    """The wall with the made-up answers to an activity as it is set at first."""
    running = started(kind, dict(RoomInputs().settings), Phase.SHOWN)
    return room_view(RoomInputs(activity=kind), style, Held(room(running, len(GROUPS)), stored(kind)))


def room(activity: StartedActivity | None, answered: int = 0) -> Room:
    """A room of seven people."""
    return Room("ABC234", ("agency", "advocates"), activity, RoomVersions(1, 1), len(GROUPS), answered, ENDS)


def _parts(thing: Any) -> Iterator[Any]:
    """The parts of a view one by one, those of a wall among them; no drawing of a square."""
    for field in fields(thing):
        part = getattr(thing, field.name)
        if isinstance(part, Wall):
            yield from _parts(part)
        elif field.name not in ("square", "refusal", "stated", "moment"):
            yield part


def _projected(inputs: RoomInputs, style: Style) -> Any:
    """The wall for the projector, before anything is asked and with a result; what it does not have is not there."""
    running = started("vote", dict(RoomInputs().settings), Phase.SHOWN)
    context: dict[str, Any] = {"root": "http://localhost/", "projected": True}
    both = (Held(room(None), **context), Held(room(running, len(GROUPS)), stored("vote"), **context))
    return (None, *(part for held in both for part in _parts(room_view(inputs, style, held))))


def _wall(kind: str, phase: Phase) -> Callable[[RoomInputs, Style], Any]:
    def told(inputs: RoomInputs, style: Style) -> Any:
        if inputs.activity != kind:
            return ()
        shown = phase is Phase.SHOWN
        settings = dict(inputs.settings)
        late = {"prediction_truth": 12.0} if settings["prediction_question"] else {}
        running = started(kind, settings | late, phase)
        answers = stored(kind, dict(inputs.settings)) if shown else ()
        before = earlier(kind, dict(inputs.settings)) if shown else ()
        arriving = phase is Phase.OPEN and ACTIVITIES[kind].goes_on
        lengths = tuple(sorted(len(one.answer) for one in stored(kind))) if arriving else ()
        held = Held(room(running, len(GROUPS)), answers, before, lengths, root="http://localhost/")
        return (None, *_parts(room_view(inputs, style, held)))

    return told


def _waiting(inputs: RoomInputs, style: Style) -> Any:
    return (None, *_parts(room_view(inputs, style, Held(room(None), root="http://localhost/"))))


def _unreachable(inputs: RoomInputs, style: Style) -> Any:
    """What is told where the address is of the computer alone that serves it: at the usual port and at another one."""
    return (None, *(words for port in (8501, 8600) for words in reach_words(f"http://localhost:{port}/", style.voice)))


WALLS = {
    "an address that no phone can open": _unreachable,
    "a room before anything is asked": _waiting,
    "the wall for the projector": _projected,
} | {f"{kind}, {phase}": _wall(kind, phase) for kind in ACTIVITIES for phase in Phase}


def _fits(activity: Activity, settings: dict[str, Any], values: dict[str, Any]) -> bool:
    """Whether these values are an answer, so that one could have been sent."""
    try:
        activity.judged(settings, {field.name: values[field.name] for field in activity.answers})
    except ValueError:
        return False
    return True


def _phone(kind: str, phase: Phase, sent: bool) -> Callable[[JoinInputs, Style], Any]:
    def told(inputs: JoinInputs, style: Style) -> Any:
        activity = ACTIVITIES[kind]
        values = dict(inputs.answers)
        settings = {field.name: field.default for field in activity.settings}
        if sent and not _fits(activity, settings, values):
            return ()
        running = started(kind, settings, phase)
        answer = text_of(activity.answers, values) if sent else None
        wall = result_on_phones(running, stored(kind, settings), (), style) if phase is Phase.SHOWN else None
        phone = Phone(room(running), participant=Participant(1, "", ""), sent=answer, wall=wall)
        return (None, *_parts(join_view(inputs, style, phone)))

    return told


def _coins(inputs: JoinInputs, style: Style) -> Any:
    """What a browser is given to flip coins with; the same whoever answers what."""
    if style.large or dict(inputs.answers)["coin_survey_said"]:
        return ()
    given = coins_on_device({field.name: field.default for field in ACTIVITIES["coin_survey"].settings}, style)
    return (None, *_strings(given["words"]))


def _strings(words: Any) -> Iterator[str]:
    if isinstance(words, str):
        yield words
    else:
        for part in words.values() if isinstance(words, dict) else words:
            yield from _strings(part)


def _bets(inputs: JoinInputs, style: Style) -> Any:
    """What the round before came to and the next noisy table of a game; after ten bets, what they came to."""
    bets = dict(inputs.answers)["attack_bets"]
    settings = {field.name: field.default for field in ACTIVITIES["attack"].settings} | {"attack_seed": 5}
    who = Participant(1, "N1" if style.large else "", "", True, 37)
    before = (called(who, style), *((last_round(settings, bets, 1, style),) if bets else ()))
    if len(bets) == ROUNDS:
        return (None, *before, own_rounds(settings, bets, 1))
    told, rows = next_round(settings, bets, 1, style)
    return (None, *before, told, *(": ".join(words) for words in (*rows, *stakes(style).values())))


def _guesses(inputs: JoinInputs, style: Style) -> Any:
    """The noisy count of the next round of guesses; after five, what they came to."""
    guesses, settings = dict(inputs.answers)["proof_guesses"], {"proof_epsilon": 1.0, "proof_rounds": 5}
    if len(guesses) < 5:
        return (None, next_count(settings, len(guesses), 37, style))
    return (None, own_guesses(settings, guesses, 37, style))


def _questions(inputs: JoinInputs, style: Style) -> Any:
    """What the next question of a phone is; before the first, all ways to show and all questions that there are."""
    settings = {field.name: field.default for field in ACTIVITIES["understanding"].settings}
    said = dict(inputs.answers)["understanding_said"]
    asked = questions_of(settings)[len(said)]
    told = say(PAGE, style.voice, "step", place=len(said) + 1, questions=3, words=asked.words)
    if said:
        return (None, told, *asked.options)
    found: list[Any] = [None, told]
    for way in WAYS:
        shown = shown_way(way, 0.05, 1.0)
        found += [*shown.sentences, *((shown.drawing.legend,) if shown.drawing else ())]
    for name in (*COMPUTED, *IN_WORDS):
        question = computed_question(name, setting_of(settings), 0)
        found += [question.words, " / ".join(question.options)]
    return tuple(found)


def _joining(inputs: JoinInputs, style: Style) -> Any:
    return (None, *_parts(join_view(inputs, style, Phone(room(None), participant=None))))


def _joined(inputs: JoinInputs, style: Style) -> Any:
    return (None, *_parts(join_view(inputs, style, Phone(room(None), participant=Participant(1, "", "")))))


PHONES = {
    "a room that was found": _joining,
    "a room that was joined": _joined,
    "coins on a device": _coins,
    "bets on a device": _bets,
    "guesses on a device": _guesses,
    "ways and questions on a device": _questions,
} | {
    f"{kind}, {phase}{', sent' if sent else ''}": _phone(kind, phase, sent)
    for kind in ACTIVITIES
    for phase, sent in ((Phase.OPEN, False), *((phase, True) for phase in Phase))
}


@contextmanager
def rooms_of_their_own() -> Iterator[None]:
    """An empty folder for rooms, and letters of codes and keys that are the same each time."""
    drawn = Random(5)
    letters = SimpleNamespace(
        choice=drawn.choice,
        randbits=drawn.getrandbits,
        randbelow=drawn.randrange,
        token_urlsafe=lambda size: f"{drawn.getrandbits(128):022x}"[:22],
    )
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        here = {name: value for name, value in os.environ.items() if not name.startswith("RISKLINE_ROOMS")}
        stack.enter_context(patch.dict(os.environ, here | {"RISKLINE_ROOMS_FOLDER": folder}, clear=True))
        stack.enter_context(patch.object(waiting, "_of_addresses", {}))
        stack.enter_context(patch("streamlit.runtime.context.ContextProxy.ip_address", None))
        for module in SECRETS:
            stack.enter_context(patch(f"{module}.secrets", letters))
        yield
        store().close()
