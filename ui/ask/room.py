"""A room as its moderator runs it: opened, set going, closed, shown, taken away, ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import streamlit as st

from riskline.case.fields import Field
from ui.ask.room_late import ask_late, means_something, settings_with_late
from ui.ask.room_people import ask_people
from ui.ask.room_wall import offer_wall, tell_reach
from ui.ask.waiting import tried
from ui.frame import show
from ui.frame.case import held_case
from ui.frame.form import Form, put
from ui.frame.run import style
from ui.pictures.style import Style
from ui.rooms.meeting import Phase, Room, StartedActivity, StoredAnswer
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import store
from ui.views.room import (
    ACTIVITIES,
    AFTER,
    LATE,
    WALL_ENDED,
    Activity,
    Held,
    RoomInputs,
    begun,
    refusal_of_room,
    text_of,
    values_of,
)
from ui.views.room.choices import FIELDS
from ui.views.room.download import as_csv, as_json
from ui.views.room.line_question import beginning_with_case
from ui.words.catalogue import say

TROUBLE = "_room_trouble"
ASKED_BEFORE = "asked_before"
STARTING = "_room_start"  # an activity that another page asked for: kind and settings
NOTICES = {"ended": "room", "left": "join", "not_left": "join", "removed": "join"}
"""What is no refusal of the store, and the page whose passage says it."""
ALL_THE_SAME = "Show it all the same: everybody here agrees"
PHASES = {
    Phase.OPEN: (("Close answers", Phase.CLOSED),),
    Phase.CLOSED: (("Show the result", Phase.SHOWN), ("Take answers again", Phase.OPEN)),
    Phase.SHOWN: (("Hide the result", Phase.HIDDEN),),
    Phase.HIDDEN: (("Show the result again", Phase.SHOWN),),
    Phase.GONE: (),
}


def held_room(form: Form) -> tuple[Held | None, str]:
    """The room that this address moderates or shows, as the database has it; else why there is none, if one was asked
    for.
    """
    code, key, wall = (form.values[name] for name in ("code", "key", "wall"))
    trouble = st.session_state.pop(TROUBLE, "")
    if not code:
        return None, trouble
    try:
        tried(code, holds_key=lambda: store().is_moderator(code, key) or store().on_the_wall(code, wall) is not None)
        rooms = store()
        projected = bool(wall and not key)
        if not projected and not rooms.is_moderator(code, key):
            return None, RoomCode.WRONG_KEY.value
        seen = rooms.on_the_wall(code, wall if projected else key)
        return Held(
            seen.room,
            seen.answers,
            seen.earlier,
            where=rooms.where,
            root=show.root_address(),
            zone=st.context.timezone or "",
            projected=projected,
        ), trouble
    except RoomRefused as refused:
        ended = wall and not key and refused.code is RoomCode.UNKNOWN
        return None, WALL_ENDED if ended else refused.code.value


def room_form() -> Form:
    """The choices of a room, which begin with the question of the session's case."""
    return Form("room", beginning_with_case(FIELDS, held_case()))


def _open(form: Form) -> None:
    try:
        opened = store().open_room(form.made("groups"))
    except ValueError:
        return  # the box says why
    except RoomRefused as refused:
        st.session_state[TROUBLE] = refused.code.value
        return
    put("room", code=opened.code, key=opened.moderator_key, wall="")


def ask_to_open(form: Form) -> None:
    """The groups, and the press that opens a room; before it that no phone could join, where none could."""
    tell_reach()
    form.number("groups", pictured=False)
    st.button("Open a room", type="primary", key="room.open", on_click=_open, args=(form,))


def _leave() -> None:
    put("room", code="", key="", wall="")


def offer_to_leave(reason: str) -> None:
    """The way out of an address whose room is gone; none from a wall, which nobody presses."""
    if reason == WALL_ENDED:
        return
    st.button("Open another room", key="room.leave", on_click=_leave)


def _moderate(form: Form, action: Callable[[str, str], object]) -> None:
    """Have the store do something for the moderator; what it refuses is told with the page."""
    try:
        action(form.values["code"], form.values["key"])
    except RoomRefused as refused:
        st.session_state[TROUBLE] = refused.code.value


def ask_phase(form: Form, room: Room) -> None:
    """The next step of the activity that runs, and the way to the wall."""
    running = room.activity
    if running is None:
        offer_wall(form)
        return
    if running.phase in (Phase.CLOSED, Phase.HIDDEN):
        ask_late(running)
    all_the_same = room.withheld
    steps = PHASES[running.phase]
    if all_the_same and running.phase is Phase.SHOWN:  # somebody left since
        steps = (("", Phase.SHOWN), *steps)
    with st.container(horizontal=True, gap="small"):
        for place, (words, phase) in enumerate(steps):
            st.button(
                ALL_THE_SAME if all_the_same and phase is Phase.SHOWN else words,
                key=f"room.phase.{phase.value}",
                type="primary" if place == 0 and running.phase is not Phase.SHOWN else "secondary",
                on_click=_set_phase,
                args=(form, running, phase, all_the_same),
            )
        offer_wall(form)


def ask_after(form: Form, room: Room) -> None:
    """What may still be asked of a result that is on the wall."""
    running = room.activity
    if running is None or running.phase is not Phase.SHOWN or room.withheld:
        return
    names = AFTER.get(running.kind, ())
    for name in names:
        form.number(name)
    on_the_wall = values_of(ACTIVITIES[running.kind].settings, running.settings)
    if any(form.values[name] != on_the_wall[name] for name in names):
        st.button("Show this on the wall, too", key="room.on_the_wall", on_click=_put_on_the_wall, args=(form, running))


def _put_on_the_wall(form: Form, running: StartedActivity) -> None:
    activity = ACTIVITIES[running.kind]
    try:
        after = {name: form.made(name) for name in AFTER.get(running.kind, ())}
    except ValueError:
        return  # the box says why
    settings = text_of(activity.settings, values_of(activity.settings, running.settings) | after)
    _moderate(form, lambda code, key: store().set_phase(code, key, running.number, Phase.SHOWN, settings=settings))


def _set_phase(form: Form, running: StartedActivity, phase: Phase, all_the_same: bool) -> None:
    try:
        settings = settings_with_late(running) if phase is Phase.SHOWN else None
    except ValueError:
        return  # the box says why
    few = all_the_same and phase is Phase.SHOWN
    _moderate(
        form,
        lambda code, key: store().set_phase(code, key, running.number, phase, settings=settings, minimum_waived=few),
    )


def ask_next(form: Form, room: Room) -> None:
    """Which activity comes next, how it is set, and the press that starts it on every phone."""
    choice, start = st.columns([3, 1], vertical_alignment="bottom")
    with choice:
        kind = form.choice("activity", {kind: activity.title for kind, activity in ACTIVITIES.items()}, style="select")
    activity = ACTIVITIES[kind]
    press: Literal["primary", "secondary"] = "secondary" if room.activity else "primary"
    # beside the choice, so that it is in sight however many settings follow
    start.button("Start", type=press, key="room.start", on_click=_start_made, args=(form, activity), width="stretch")
    show.caption(f"{activity.purpose[0].upper()}{activity.purpose[1:]}.")
    for field in activity.settings:
        if field.name not in (*AFTER.get(kind, ()), *LATE.get(kind, ())) and means_something(field, form.values):
            _ask_setting(form, field, activity)


def _ask_setting(form: Form, field: Field, activity: Activity) -> None:
    if field.kind == "choice":
        form.choice(field.name, activity.option_words[field.name], style="select")
    elif field.kind == "flag":
        form.flag(field.name)
    elif field.name == "vote_before":
        form.pick("vote_before", earlier_votes(form))
    else:
        form.number(field.name, pictured=False)


def earlier_votes(form: Form) -> dict[int, str]:
    """None, and the votes of this room between the same options, by number."""
    found = {0: "no earlier vote"}
    vote = ACTIVITIES["vote"]
    try:
        activities = store().activities(form.values["code"], form.values["key"])
    except RoomRefused:
        return found
    for started in activities:
        if started.kind == "vote":
            held = values_of(vote.settings, started.settings)
            if held["vote_options"] == form.values["vote_options"]:
                found[started.number] = f"{started.number}: {held['vote_question']}"
    return found


def _start_made(form: Form, activity: Activity) -> None:
    try:
        settings = {field.name: form.made(field.name) for field in _settings_of_page(activity)}
    except ValueError:
        return  # the box says why
    if activity.first_answer_stays and _was_asked(form, activity, settings):
        st.session_state[TROUBLE] = ASKED_BEFORE
        return
    _start(form, activity, settings)


def _settings_of_page(activity: Activity) -> list[Field]:
    """What is set before an activity starts, and what may be changed of its result: choices of this page."""
    return [field for field in activity.settings if field.name not in LATE.get(activity.kind, ())]


def _was_asked(form: Form, activity: Activity, settings: Mapping[str, Any]) -> bool:
    """Whether this room has had the same question already: many answers of one person to it would undo the noise."""
    try:
        earlier = store().activities(form.values["code"], form.values["key"])
    except RoomRefused:
        return False
    asked = (
        activity.asked(values_of(activity.settings, old.settings), Style())
        for old in earlier
        if old.kind == activity.kind
    )
    question = activity.asked(settings, Style()).question
    return any(one.question.casefold() == question.casefold() for one in asked)


def _start(form: Form, activity: Activity, settings: Mapping[str, Any]) -> None:
    text = text_of(activity.settings, begun(activity, settings))
    stays = activity.first_answer_stays
    beside = activity.earlier_activity(settings)
    _moderate(
        form,
        lambda code, key: store().start(code, key, activity.kind, text, first_answer_stays=stays, beside=beside),
    )


def start_if_asked(form: Form) -> None:
    """Begin what another page asked for: in the room of this session, or in one opened for it."""
    asked = st.session_state.pop(STARTING, None)
    if asked is None:
        return
    kind, settings = asked
    activity = ACTIVITIES[kind]
    if not form.values["key"] or _is_gone(form.values["code"]):
        _open(form)
    all_settings = {field.name: settings.get(field.name, field.default) for field in _settings_of_page(activity)}
    put("room", activity=kind, **all_settings)
    if form.values["key"]:
        _start(form, activity, all_settings)


def _is_gone(code: str) -> bool:
    """Whether the room that this session had has ended; not where nobody can tell at the moment."""
    try:
        return store().standing(code) is None
    except RoomRefused:
        return False


def ask_rest(form: Form, room: Room) -> None:
    """What is seldom wanted, folded: who is in the room, other groups, all answers as files, the end."""
    ask_people(form, room, _moderate)
    with st.expander("Groups, download, end", key="room.rest"):
        _ask_groups(form)
        _offer_everything(form)


def _ask_groups(form: Form) -> None:
    """Other groups, while people already are in the room."""
    form.number("groups", pictured=False)
    st.button("Set these groups", key="room.set_groups", on_click=_set_groups, args=(form,))


def _set_groups(form: Form) -> None:
    try:
        groups = form.made("groups")
    except ValueError:
        return  # the box says why
    _moderate(form, lambda code, key: store().set_groups(code, key, groups))


def _offer_everything(form: Form) -> None:
    """All answers of the room as files, and the press that ends it."""
    code, key = form.values["code"], form.values["key"]

    def everything() -> list[tuple[StartedActivity, tuple[StoredAnswer, ...]]]:
        rooms = store()
        # nothing of what is still open: a peek would change what others answer
        closed = (each for each in rooms.activities(code, key) if each.phase is not Phase.OPEN)
        return [(activity, rooms.answers(code, key, activity.number)) for activity in closed]

    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "All answers (CSV)", lambda: as_csv(everything()), "riskline-room.csv", "text/csv", on_click="ignore"
        )
        st.download_button(
            "All answers (JSON)",
            lambda: as_json(everything()),
            "riskline-room.json",
            "application/json",
            on_click="ignore",
        )
    sure = st.checkbox("End the room and delete everything it stored", key="room.sure")
    st.button("End the room", key="room.end", disabled=not sure, on_click=_end, args=(form,))


def _end(form: Form) -> None:
    try:
        store().end(form.values["code"], form.values["key"])
    except RoomRefused as refused:
        st.session_state[TROUBLE] = refused.code.value
        return
    put("room", code="", key="")
    st.session_state[TROUBLE] = "ended"


def tell(reason: str) -> None:
    """What the store refused, in words; nothing where it refused nothing."""
    if reason in NOTICES:
        show.notice(say(NOTICES[reason], style().voice, reason))
    elif reason and reason != WALL_ENDED:
        show.refused(refusal_of_room(reason, style().voice))


def inputs(form: Form) -> RoomInputs:
    """The choices of the page, written into its address."""
    return RoomInputs.of(form.close())
