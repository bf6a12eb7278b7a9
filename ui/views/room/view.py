"""The wall of a room: where to join, what is asked, how many have answered, and the result once it is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ui.documents.document import Square, of_this_computer_alone
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.meeting import OnTheWall, Phase, Result, StartedActivity, StoredAnswer
from ui.rooms.store import LIFETIME, LONGEST, MOST_ACTIVITIES, MOST_PEOPLE, MOST_ROOMS
from ui.views.room.activity import Wall, fitting
from ui.views.room.choices import RoomInputs, activity_of, shown_again
from ui.words.catalogue import label, say
from ui.words.phrasing import people
from ui.words.python_lines import CodeLines

BOUNDS = {
    "most_people": f"{MOST_PEOPLE}",
    "most_rooms": f"{MOST_ROOMS}",
    "most_activities": f"{MOST_ACTIVITIES}",
    "hours": f"{LIFETIME // 3600}",
    "days": f"{LONGEST // (24 * 3600)}",
}
"""What a room and the rooms together may hold, and for how long, in digits."""

ENDED = {f"ended_{kept}": kept for kept in ("file", "database")}
"""Why there is no room any more, and what it was kept in: no error on a wall, as nothing can be done from there."""
WALL_HEIGHT = 290
"""Of a picture on the wall: with the answer and the question above it, in large type, it ends above 720."""
LOWEST, ROW = 170, 30
"""Of a picture with a table below it, and of a row of that: every row takes its height from the picture."""
MOST_ROWS = 10
"""Of a table on the wall."""
MOST_BESIDE = 4
"""Columns of a table that has room beside the picture; a wall is not moved to the side."""
EXAMPLE = "192.168.1.20"
START = f"riskline app{{port}} --share {EXAMPLE}"
START_CHECKOUT = f'make run ARGS="{{port}}--server.address 0.0.0.0 --browser.serverAddress {EXAMPLE}"'
"""How Riskline lets others in who call this computer so (`riskline/dashboard.py`, `.streamlit/config.toml`)."""
USUAL_PORT = 8501


@dataclass(frozen=True)
class Held(OnTheWall):
    """What the database holds of a room, as its moderator or projected wall sees it; answers once they are shown."""

    kept: str = "file"
    root: str = ""
    zone: str = ""
    projected: bool = False
    past: bool = False  # an earlier result, as it was shown

    def with_result(self, found: Result) -> Held:
        """The room as it was when an earlier result was on the wall."""
        room = replace(self.room, activity=found.activity, answered=len(found.answers))
        return replace(self, room=room, answers=found.answers, earlier=found.earlier, past=True)


@dataclass(frozen=True)
class RoomView:
    """Everything the page shows."""

    answer: str
    small_print: str
    stored: str = ""
    code: str = ""
    address: str = ""
    square: str = ""
    square_words: str = ""
    door_closed: str = ""
    joining: str = ""  # that nobody can join, or where and by which code
    question: str = ""
    question_help: str = ""
    wall: Wall | None = None
    moment: str = ""  # another one whenever the page shows something else
    python: CodeLines | None = None
    refusal: str | None = None


def room_view(inputs: RoomInputs, style: Style, held: Held | None = None, reason: str = "") -> RoomView:
    """The page before a room is opened, or the wall of one, or what a wall says that has none for this reason."""
    told = partial(say, "room", style.voice)
    if reason in ENDED:
        return RoomView(told("wall_ended"), "")
    if held is None:
        return RoomView(told("invitation"), told("invitation_small"), told("stored_before", **BOUNDS))
    room = held.room
    context = {
        "code": spaced(room.code),
        "address": f"{held.root.partition('://')[2] or held.root}join",
        "people": people(room.people),
        "answered": label("room", "answers", n=f"{room.answered:,}"),
        "where": label("room", f"kept.{held.kept}"),
        "ends": at(room.ends, held.zone),
        "days": BOUNDS["days"],
    }
    context |= {name: told(name, **context) for name in ("until", "stores")}
    context["deletion"] = when_deleted("deletion", held.kept, style.voice)
    closed = told("nobody_more") if room.door_closed else ""
    context["joining"] = closed or told("waiting", **context)
    view: dict[str, Any] = {
        "stored": told("stored_wall" if held.projected else "stored", **context),
        "code": context["code"],
        "address": context["address"],
        "square": Square(f"{held.root}join?code={room.code}").svg,
        "square_words": told("square", **context),
        "door_closed": closed,
        "joining": context["joining"],
    }
    running = room.activity
    if running is None:
        return RoomView(context["joining"], told("waiting_small", **context), **view)
    activity, settings = activity_of(running)
    asked = activity.asked(settings, style)
    view |= {"question": asked.question, "question_help": asked.help, "moment": f"{running.number} {running.phase}"}
    shown = running.phase is Phase.SHOWN and not room.withheld
    answers, earlier = (fitting(activity, settings, given) for given in (held.answers, held.earlier))
    if not shown or not answers:
        counted = Phase.HIDDEN if running.phase is Phase.SHOWN else running.phase
        above, below = f"counted_{counted}", "too_few" if room.withheld else "counted_small"
        if running.phase is Phase.GONE:
            above, below = "gone", "gone_small"
        elif shown:
            above = "nobody"
        if held.lengths:
            return RoomView(
                activity.progress(settings, room.people, held.lengths, style), told("counted_small"), **view
            )
        return RoomView(told(above, **context), told(below, **context), **view)
    if not (held.projected or held.past):  # the wall shows what the database holds; its moderator may look at more
        settings |= {name: value for name, value in inputs.settings if name in activity.after}
    wall = activity.summary(settings, answers, style, earlier)
    if held.projected:
        tables = tuple(shortened_table(table, style) for table in wall.tables)
        rows = sum(len(table.rows) for table in tables if len(table.columns) > MOST_BESIDE)
        wall = replace(wall, ways=(), python=None, picture=fitted(wall.picture, rows), tables=tables)
    return RoomView(answer=wall.answer, small_print=wall.small_print, wall=wall, python=wall.python, **view)


def result_on_phones(
    running: StartedActivity, answers: tuple[StoredAnswer, ...], earlier: tuple[StoredAnswer, ...], style: Style
) -> Wall | None:
    """What every phone shows of a result, as the wall has it; nothing where nobody has answered."""
    for _, wall in shown_again([Result(running, answers, earlier)], style):
        return Wall(wall.answer, wall.small_print, wall.picture, sentences=wall.sentences, counted=wall.counted)
    return None


def fitted(picture: Picture | None, rows: int = 0) -> Picture | None:
    """A picture no higher than what a projector leaves below the answer and above so many rows of a table."""
    height = max(LOWEST, WALL_HEIGHT - ROW * rows)
    if picture is None or picture.height <= height:
        return picture
    return replace(picture, height=height)


def shortened_table(table: Table, style: Style) -> Table:
    """A table no longer than what a projector shows beside the picture: its first rows, and how many more there are."""
    more = len(table.rows) - MOST_ROWS
    if more <= 0:
        return table
    rest = ("", say("room", style.voice, "and_more", more=f"{more:,}"), *("" for _ in table.columns[2:]))
    return replace(table, rows=(*table.rows[:MOST_ROWS], rest))


def refusal_of_room(reason: str, voice: str) -> str:
    """What the store of the rooms refused, in words.

    >>> refusal_of_room("room_full", "plain")
    'This room is full: it holds 300 people.'
    """
    return say("room", voice, f"refusal_{reason}", **BOUNDS)


def spaced(code: str) -> str:
    """A code as it is read out: two times three.

    >>> spaced("ABC234")
    'ABC 234'
    """
    return f"{code[:3]} {code[3:]}"


def when_deleted(name: str, kept: str, voice: str) -> str:
    """That what a room stored is deleted, or will be, and what can outlast that where it is kept."""
    told = say("room", voice, name)
    return f"{told} {say('room', voice, 'copies')}" if kept == "database" else told


def at(moment: datetime, zone: str) -> str:
    """A moment as it is told to people: day and minute where they are; in UTC, and called so, where that is not known.

    >>> moment = datetime(2026, 11, 23, 9, 5, tzinfo=UTC)
    >>> at(moment, "Europe/Zurich"), at(moment, "")
    ('23 November, 10:05', '23 November, 09:05 UTC')
    """
    try:
        local, name = moment.astimezone(ZoneInfo(zone)), "moment"
    except (ValueError, OSError, ZoneInfoNotFoundError):
        local, name = moment.astimezone(UTC), "moment_utc"
    return label("room", name, day=local.day, month=label("room", f"month.{local.month}"), time=f"{local:%H:%M}")


def reach_words(root: str, voice: str) -> tuple[str, ...]:
    """That phones cannot open this address, and how Riskline is started so that they can; nothing where they can.

    >>> reach_words("https://stats.example/", "plain")
    ()
    """
    if not of_this_computer_alone(root):
        return ()
    here = urlsplit(root)
    port = here.port or USUAL_PORT  # without one something stands in front of Riskline, at this computer alone
    usual = port == USUAL_PORT
    start = START.format(port="" if usual else f" --port {port}")
    checkout = START_CHECKOUT.format(port="" if usual else f"--server.port {port} ")
    room = f"http://{EXAMPLE}:{port}/room"
    how = say("room", voice, "reachable", example=EXAMPLE, start=start, checkout=checkout, open=room)
    return say("room", voice, "unreachable", address=here.netloc), how
