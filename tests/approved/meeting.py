"""A meeting in a room as `AppTest` renders it: each activity from its choice to its result, on all three screens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, open_page, sound
from tests.approved.outline import downloads, lines_of
from tests.approved.rooms import ANSWERS, GROUPS, rooms_of_their_own
from ui.rooms.codes import new_key, wall_key
from ui.rooms.store import store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import text_of

FILE = Path(__file__).with_name("meeting.outline.md")
DAY = re.compile(r"(?<=until )\d+ .*")


def meeting_in_words() -> str:
    """What the moderator, a phone and the projector show at each step of each activity and did not show before."""
    lines, known = ["# A meeting", ""], set[tuple[str, str]]()
    with rooms_of_their_own(), downloads() as files:
        for screen, step, test in _steps():
            sound(test)
            told = [DAY.sub("…", line) for line in lines_of(test, files)]
            fresh = [line for line in told if (screen, line.strip()) not in known]
            known |= {(screen, line.strip()) for line in told}
            lines += [f"## {screen}, {step}", "", *fresh, ""] if fresh else []
    return "\n".join(lines).rstrip() + "\n"


def _steps() -> Iterator[tuple[str, str, AppTest]]:
    """Each step: the screen, what has just happened, and the page."""
    moderator = open_page("room")
    moderator.text_input(key="room.groups").set_value("; ".join(dict.fromkeys(filter(None, GROUPS)))).run()
    moderator.button(key="room.open").click().run()
    code, key = (address(moderator)[name] for name in ("code", "key"))
    yield "Moderator", "the room is open", moderator
    projector = open_page("room", code=code, wall=wall_key(key))
    yield "Projector", "the room is open", projector
    phone = open_page("join", code=code)
    yield "Phone", "the room is found", phone
    phone.button(key="join.join").click().run()
    yield "Phone", "inside", phone
    people = [address(phone)["me"], *(new_key() for _ in GROUPS[1:])]
    for own, group in zip(people[1:], GROUPS[1:], strict=True):
        store().join(code, own, "", group)
    for kind, activity in ACTIVITIES.items():
        moderator.selectbox(key="room.activity").set_value(kind).run()
        if kind == "prediction":
            moderator.text_input(key="room.prediction_question").set_value("How many of a hundred?").run()
        yield "Moderator", f"{kind} is chosen", moderator
        moderator.button(key="room.start").click().run()
        yield "Moderator", f"{kind} is asked", moderator
        yield "Projector", f"{kind} is asked", projector.run()
        yield "Phone", f"{kind} is asked", phone.run()
        running = store().room(code).activity
        assert running is not None
        for own, answer in zip(people, ANSWERS[kind], strict=False):
            store().answer(code, own, running.number, text_of(activity.answers, answer))
        yield "Phone", f"{kind} is answered", phone.run()
        yield "Moderator", f"{kind} is answered", moderator.run()
        for phase in ("closed", "shown"):
            moderator.button(key=f"room.phase.{phase}").click().run()
            yield "Moderator", f"{kind} is {phase}", moderator
            yield "Projector", f"{kind} is {phase}", projector.run()
            yield "Phone", f"{kind} is {phase}", phone.run()
