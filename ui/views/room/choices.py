"""What a moderator chooses on the page of a room: its groups, what happens next, how that is set; results as files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from urllib.parse import quote

import dpcore
from riskline.case.fields import Field, pairs_of, shown
from ui.documents.document import Block, Deck, Document, Figure, Paragraph, Section, Slide
from ui.link.page_table import PageLink, worded
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.codes import read_code, read_key
from ui.rooms.meeting import MOST_GROUPS, TEXT_LENGTH, Result, StartedActivity
from ui.views.lessons.class_guesses import word
from ui.views.lessons.view import LESSONS, STEPS, steps_of
from ui.views.room.activity import Activity, Values, Wall, fitting, read_groups, read_line, values_of
from ui.views.room.attack import Attack
from ui.views.room.coin_survey import CoinSurvey
from ui.views.room.line import DrawALine
from ui.views.room.prediction import ASKED_WORDS, Prediction
from ui.views.room.proof import Proof
from ui.views.room.understanding import Understanding
from ui.views.room.vote import Vote
from ui.words.catalogue import label, say
from ui.words.quantities import Typed, whole

ACTIVITIES: dict[str, Activity] = {
    activity.kind: activity
    for activity in (DrawALine(), Prediction(), CoinSurvey(), Attack(), Proof(), Vote(), Understanding())
}
"""In the order in which a moderator is offered them."""


def activity_of(started: StartedActivity) -> tuple[Activity, dict[str, Any]]:
    """An activity that was started, and its settings."""
    activity = ACTIVITIES[started.kind]
    return activity, values_of(activity.settings, started.settings)


def address_field(page: str, name: str) -> Field:
    """The code of a room in an address and in a box, or a key of one's own; empty where there is none yet."""
    decode = partial(_read_if_any, read_code if name == "code" else read_key)
    return worded(Field(name, "", "custom", "", read=decode, write=str, private=True), page)


def _read_if_any(read: Callable[[str], str], text: str) -> str:
    return read(text) if text.strip() else ""


VOTED = {"larger": "step_90_3", "keep": "step_methods_4"}
"""The steps of lessons that are voted on."""
MOST_LINES = 30
MOST_MINUTES = 300
PART = "; "
LINE = re.compile(r"\s*(\d{1,3})\s*;\s*([^;]+?)\s*(?:;\s*(.*?)\s*)?$")
_MEETING = ((12, "line"), (8, "vote"), (25, "debate"), (5, "vote"), (10, "memo"))
_LESSONS = {
    lesson: tuple((minutes, name) for parts, _, _ in steps for name, minutes in parts.items())
    for lesson, steps in STEPS.items()
}
SCRIPTS: dict[str, tuple[tuple[int, str], ...]] = dict(
    sorted({**_LESSONS, "60": _MEETING}.items(), key=lambda script: sum(minutes for minutes, _ in script[1]))
)
"""Lessons and a meeting by their minutes: activities, predictions by question, and what phones have no part in."""


@dataclass(frozen=True)
class Prepared:
    """A line of a script: `kind` is empty where phones have no part, `settings` are those that the line names.

    `asked` is the line without those that it names one by one: not everybody who sees a script may know the answer.
    """

    minutes: int
    words: str
    kind: str = ""
    settings: tuple[tuple[str, Any], ...] = ()
    asked: str = ""

    @property
    def said(self) -> str:
        """The line as it stands on the page."""
        return label("room", "prepared", minutes=self.minutes, words=(self.asked or self.words).replace(PART, ": ", 1))


Script = tuple[Prepared, ...]


def write_script(script: Script) -> str:
    """A script as it is typed: a line for each part, its minutes first."""
    return "\n".join(f"{part.minutes}{PART}{part.words}" for part in script)


def read_script(text: str) -> Script:
    r"""What is prepared, line by line: minutes, an activity by its title, and what it asks; or anything to be read out.

    >>> [(part.minutes, part.kind, part.settings) for part in read_script("5; Vote; Which?; a; b\n10; Break")]
    [(5, 'vote', (('vote_question', 'Which?'), ('vote_options', ('a', 'b')))), (10, '', ())]
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_LINES or len(quote(text)) > TEXT_LENGTH:
        raise ValueError(_no_script(text))
    return tuple(map(_prepared, lines))


def _no_script(got: str) -> str:
    bounds = {"lines": MOST_LINES, "minutes": MOST_MINUTES, "letters": f"{TEXT_LENGTH // 3:,}"}
    return label("room", "no_script", got=repr(shown(got)), **bounds)


def _prepared(line: str) -> Prepared:
    found = LINE.match(line)
    if not found or not 1 <= int(found[1]) <= MOST_MINUTES:
        raise ValueError(_no_script(line))
    minutes, rest = int(found[1]), read_line(found[3] or "", len(line))
    title = read_line(found[2], len(line))
    kind = {activity.title.casefold(): kind for kind, activity in ACTIVITIES.items()}.get(title.casefold(), "")
    words = f"{title}{PART}{rest}" if rest else title
    if not kind:
        return Prepared(minutes, words)
    activity = ACTIVITIES[kind]
    fields = {field.name: field for field in activity.settings}
    named, asked = activity.named_in_script(rest)
    typed = {**activity.in_script(asked), **named}
    settings = tuple((name, fields[name].decode(value)) for name, value in typed.items())
    return Prepared(minutes, words, kind, settings, PART.join(filter(None, (title, asked))))


def lesson_script(lesson: str, first: str = "") -> Script:
    """A lesson or the meeting as it comes, from one of its questions on where that is named."""
    names = [name for _, name in SCRIPTS[lesson]]
    lines = SCRIPTS[lesson][names.index(first) if first else 0 :]
    return tuple(_prepared(f"{minutes}{PART}{_words(name)}") for minutes, name in lines)


def _words(name: str) -> str:
    if name in ACTIVITIES:
        return ACTIVITIES[name].title
    if name in ASKED_WORDS:
        return f"{ACTIVITIES['prediction'].title}{PART}{ASKED_WORDS[name]}"
    if name in VOTED:
        return PART.join((ACTIVITIES["vote"].title, word(VOTED[name]), label("room", "yes_no")))
    if name == "rounded":
        return PART.join((ACTIVITIES["attack"].title, "noise = round_random", "base = 3"))
    return word(name) if name.startswith("step") else label("room", name)


def next_on_phones(script: Script) -> tuple[Script, Prepared | None, Script]:
    """What comes before the next activity on phones, that activity if there is one, and what comes after it."""
    at = next((place for place, part in enumerate(script) if part.kind), len(script))
    return script[:at], (script[at] if at < len(script) else None), script[at + 1 :]


@lru_cache(maxsize=1)
def pages_of_steps() -> dict[str, PageLink]:
    """The page that a step of a lesson opens, by the words of the step."""
    steps = [step for lesson in LESSONS for step in steps_of(lesson) if step.stem]
    return {step.words: PageLink(step.stem, word("open", title=step.title), step.query) for step in steps}


SCRIPT = worded(
    Field("script", "", "custom", (), read=read_script, write=write_script, in_address=False),
    "room",
    example=" / ".join(
        (write_script(lesson_script("60")[1:2]), f"10{PART}{ACTIVITIES['attack'].title}{PART}rho = 0.1{PART}seed = 7")
    ),
)
"""It stands in scenario files and in no address, which it would fill."""

SETTINGS = tuple(
    field for activity in ACTIVITIES.values() for field in activity.settings if field.name not in activity.late
)

FIELDS: tuple[Field, ...] = (
    *(address_field("room", name) for name in ("code", "key", "next_key", "wall")),
    worded(
        Field("groups", "", "custom", (), read=read_groups, write="; ".join), "room", most=Typed(MOST_GROUPS, whole)
    ),
    SCRIPT,
    worded(Field("activity", "", "choice", next(iter(ACTIVITIES)), options=tuple(ACTIVITIES)), "room"),
    *SETTINGS,
)


@dataclass(frozen=True)
class RoomInputs:
    """What a moderator set: the next activity and the settings of all of them. No key and no code."""

    activity: str = next(iter(ACTIVITIES))
    settings: tuple[tuple[str, Any], ...] = tuple((field.name, field.default) for field in SETTINGS)

    @classmethod
    def of(cls, values: Values) -> RoomInputs:
        """The choices of a page's values."""
        return cls(values["activity"], tuple((name, values[name]) for name, _ in cls.settings))


COLUMNS = ("activity", "kind", "group", "answer")


def as_csv(results: Iterable[Result]) -> str:
    """One line for each answer, as a link spells it."""
    rows = [(result.activity.number, result.activity.kind, *told) for result in results for told in _told(result)]
    return Table("", COLUMNS, tuple(rows)).as_csv()


def as_json(results: Iterable[Result]) -> str:
    """Every activity with its settings and answers, as links spell them."""
    held = [
        {
            "activity": result.activity.number,
            "kind": result.activity.kind,
            "settings": dict(pairs_of(result.activity.settings)),
            "answers": [{"group": group, "answer": answer} for group, answer in _told(result)],
        }
        for result in results
    ]
    return json.dumps({"riskline_room": 2, "activities": held}, indent=2, ensure_ascii=False) + "\n"


def _told(result: Result) -> list[tuple[str, str]]:
    activity, settings = activity_of(result.activity)
    return activity.handed_on(settings, fitting(activity, settings, result.answers))


Shown = tuple[tuple[str, Wall], ...]
"""The question and the result of each activity."""


def shown_again(results: Iterable[Result], style: Style) -> Shown:
    """What the projector view had of these results, each with its question; of answers that fit no question nothing."""
    found = []
    for result in results:
        activity, settings = activity_of(result.activity)
        answers, earlier = (fitting(activity, settings, given) for given in (result.answers, result.earlier))
        if answers:
            question = activity.asked(settings, style).question
            found.append((question, activity.summary(settings, answers, style, earlier)))
    return tuple(found)


def report(shown: Shown, style: Style) -> Document:
    """All results with their pictures and tables, to be read."""
    foot = say("memo", style.voice, "foot", version=dpcore.__version__)
    sections = tuple(Section(question, tuple(_blocks(wall))) for question, wall in shown)
    return Document(label("room", "report"), say("room", style.voice, "files"), sections, foot)


def _blocks(wall: Wall) -> Iterable[Block]:
    yield Paragraph(wall.answer, "lead")
    for picture in filter(None, (wall.picture, *wall.more)):
        yield Figure(picture, picture.reading)
    yield from map(Paragraph, wall.sentences)
    yield from wall.tables
    yield Paragraph(wall.small_print, "quiet")


def slides(shown: Shown, style: Style) -> Deck:
    """A slide for each result."""
    title = label("room", "report")
    made = (
        Slide(question, wall.answer, wall.picture, notes="\n".join((*wall.sentences, wall.small_print)))
        for question, wall in shown
    )
    return Deck(title, "", (Slide(title, say("room", style.voice, "files")), *made))
