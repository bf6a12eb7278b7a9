"""A room as its moderator runs it: opened, set going, closed, shown, ended; its people; its wall for the projector."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Literal
from urllib.parse import urlencode

import streamlit as st

from riskline.case.choices import GROUPS
from riskline.case.fields import Field, comma_reading, write_query
from ui.ask.waiting import opened_room, refusals_told, tried
from ui.documents.page import html_page
from ui.documents.slides import KIND as POWERPOINT
from ui.documents.slides import slides_file
from ui.documents.word import KIND as WORD
from ui.documents.word import word_file
from ui.frame import show
from ui.frame.case import STORE, touch
from ui.frame.form import Form, pick_one, put
from ui.frame.form import held as chosen_on
from ui.frame.run import style
from ui.link.page_table import PageLink
from ui.pictures.style import Style
from ui.rooms.codes import new_key, wall_key
from ui.rooms.meeting import SEEN, Participant, Phase, Result, Room, StartedActivity
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import RoomStore, rooms_off, store
from ui.views import memo
from ui.views.lessons.class_guesses import word
from ui.views.room import choices, understanding
from ui.views.room.activity import Activity, Wall, text_of, values_of
from ui.views.room.attack import ROUNDED
from ui.views.room.choices import ACTIVITIES, SCRIPT, SCRIPTS, Script, activity_of
from ui.views.room.comprehension import TABLES
from ui.views.room.view import ENDED, MOST_BESIDE, Held, RoomView, reach_words, refusal_of_room
from ui.views.shared.room_minutes import both, read_minutes, write_minutes
from ui.words.catalogue import label, say
from ui.words.refusals import refusal_words

TROUBLE = "_room_trouble"
STARTING = "_room_start"  # an activity, a script or both that another page asked for
DRAWN = "_room_script"  # the room and its script as the box for it was last drawn from the database
PREPARED = "room.prepared"
NOTICES = {"ended": "room", "left": "join", "not_left": "join", "removed": "join"}
"""What is no refusal of the store, and the page whose passage says it."""
REOPEN = "reopen_answers"
PHASES = {
    Phase.OPEN: (("show_result", Phase.SHOWN), ("close_answers", Phase.CLOSED)),
    Phase.CLOSED: (("show_result", Phase.SHOWN), (REOPEN, Phase.OPEN)),
    Phase.SHOWN: (("hide_result", Phase.HIDDEN),),
    Phase.HIDDEN: (("show_again", Phase.SHOWN),),
    Phase.GONE: (),
}
ONLY_WITH = {
    "line_group": ("line_unit", tuple(GROUPS)),
    "attack_place": ("attack_table", ("synthetic",)),
    "attack_rho": ("attack_noise", ("discrete_gaussian",)),
    "attack_base": ("attack_noise", ROUNDED),
    "understanding_other": (understanding.ASKED, TABLES),
    "understanding_releases": (understanding.ASKED, ("together", "after_all")),
    "understanding_level": (understanding.ASKED, ("half_width",)),
    "understanding_delta": (understanding.ASKED, ("failures",)),
    "understanding_people": (understanding.ASKED, ("failures",)),
    "understanding_order": ((), ()),  # drawn when it starts
} | dict.fromkeys(("prediction_question", "prediction_unit", "prediction_truth"), ("prediction_lesson", ("own",)))
"""Settings that mean something only beside certain values of another one, or of one of several."""
OFFERED = "_minutes_offered"
"""Which room each text of minutes was offered for in this session: those of another room are not mixed in."""
SHORT = 80
"""Characters of a sentence that has room above a table beside the picture."""


def held_room(form: Form) -> tuple[Held | None, str]:
    """The room that this address moderates or shows, as the database has it, with what another page asked it to begin.

    Else why there is none, if one was asked for.
    """
    _start_if_asked(form)
    _take_next_key(form)
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
        page: dict[str, Any] = {"kept": rooms.kept, "root": show.root_address(), "zone": st.context.timezone or ""}
        return Held(**vars(seen), **page, projected=projected), trouble
    except RoomRefused as refused:
        ended = wall and not key and refused.code is RoomCode.UNKNOWN
        return None, f"ended_{store().kept}" if ended else refused.code.value


def has_next_key(form: Form) -> bool:
    """Whether the browser has the address with the next key: of one that never reached it, nobody would know."""
    following = form.values["next_key"]
    return bool(following) and st.query_params.get("next_key") == following


def _take_next_key(form: Form) -> None:
    """Moderate by the next key alone, once the browser has it; also where the answer to this is lost on its way."""
    if has_next_key(form):
        code, key, following = (form.values[name] for name in ("code", "key", "next_key"))
        with refusals_told(TROUBLE):
            if not store().is_moderator(code, following):
                store().renew_key(code, key, following)
            form.values.update(key=following, next_key="")


def _open(form: Form) -> None:
    with suppress(ValueError), refusals_told(TROUBLE):  # a box says why it cannot be used
        script = form.made("script")
        opened = opened_room(form.made("groups"))
        form.values.update(code=opened.code, key=opened.moderator_key)
        put("room", code=opened.code, key=opened.moderator_key, wall="", next_key="")
        if script:
            _moderate(form, RoomStore.set_script, _script_text(script))


def ask_to_open(form: Form, reason: str) -> None:
    """The groups, what is prepared, and the press that opens a room.

    From an address whose room is gone, only the way out; none from a wall, which nobody presses.
    """
    if form.values["code"]:
        if reason not in ENDED:
            nowhere = dict.fromkeys(("code", "key", "wall", "next_key"), "")
            st.button(label("room", "open_another"), key="room.leave", on_click=put, args=("room",), kwargs=nowhere)
        return
    form.number("groups", pictured=False)
    _ask_prepared(form)
    st.button(label("frame", "room"), type="primary", key="room.open", on_click=_open, args=(form,))


def _moderate(form: Form, action: Callable[..., object], *given: Any, **named: Any) -> None:
    """Have the store do something for the moderator; what it refuses is told with the page."""
    with refusals_told(TROUBLE):
        action(store(), form.values["code"], form.values["key"], *given, **named)


def ask_phase(form: Form, room: Room) -> None:
    """The next step of the activity that runs, and the way to the wall."""
    running = room.activity
    before, following, _ = choices.next_on_phones(form.values["script"])
    done = running is None or running.phase in (*SEEN, Phase.GONE) or room.withheld
    steps = () if running is None else PHASES[running.phase]
    if running is not None:
        if running.phase in (Phase.CLOSED, Phase.HIDDEN):
            ask_late(running)
        if running.phase is Phase.OPEN and any(held == field.default for _, field, held in _late(running)):
            steps = steps[1:]  # what is told with the result is asked before it, unless it was prepared
        steps = tuple(step for step in steps if not (running.tallied and step[0] == REOPEN))
    for part in (*before, *filter(None, [following])) if done else ():
        show.sentence(part.said)
        show.way(choices.pages_of_steps().get(part.words))
    with st.container(horizontal=True, gap="small"):
        if done and following is not None:
            words = label("room", "start_next")
            st.button(words, key="room.start_next", type="primary", on_click=_start_next, args=(form, running))
        for place, (words, phase) in enumerate(steps):
            kind: Literal["primary", "secondary"] = "primary" if place == 0 and not done else "secondary"
            key, step = f"room.phase.{phase.value}", (form, running, phase)
            st.button(label("room", words), key=key, type=kind, on_click=_set_phase, args=step)
        offer_wall(form)


def _start_next(form: Form, running: StartedActivity | None) -> None:
    """Start what is prepared next on every phone.

    A vote whose line names no options is between budgets of the room's own lines. One between the options of an earlier
    vote stands beside it.
    """
    try:
        _, following, rest = choices.next_on_phones(form.made("script"))
    except ValueError:
        return  # the box says why
    if following is None:
        return
    activity = ACTIVITIES[following.kind]
    named = dict(following.settings)
    if following.kind == "vote" and "vote_options" not in named:
        named = {**_vote_on_lines(form), **named}
        if "vote_options" not in named:
            st.session_state.setdefault(TROUBLE, "no_lines")
            return
    settings = {field.name: form.fields.get(field.name, field).default for field in activity.settings} | named
    if following.kind == "vote":
        earlier = earlier_votes(form, settings["vote_options"])
        settings["vote_before"] = named["vote_before"] if named.get("vote_before") in earlier else max(earlier)
    _start(form, activity, settings, script=_script_text(rest), after=running.number if running else 0)


def _vote_on_lines(form: Form) -> Mapping[str, Any]:
    """Question and options of a vote on the lines that the room was shown last; nothing where they give no two."""
    results: list[Result] = []
    _moderate(form, lambda *room: results.extend(RoomStore.results(*room)))
    lines = [result for result in results if result.activity.kind == "line"]
    return next((wall.vote_settings for _, wall in choices.shown_again(lines[-1:], style())), {})


def _script_text(script: Script) -> str:
    return text_of([SCRIPT], {"script": script})


def take_script(form: Form, held: Held) -> None:
    """The script as the database has it, where that is another one than was last drawn here."""
    now = (held.room.code, held.script)
    if st.session_state.get(DRAWN) != now:
        st.session_state[DRAWN] = now
        form.values["script"] = values_of([SCRIPT], held.script)["script"]
        form.renew("script")


def _ask_prepared(form: Form) -> None:
    """A lesson or a meeting to begin with, and each line of it to be changed, moved or taken out."""

    def take() -> None:
        put("room", script=choices.lesson_script(st.session_state[PREPARED]))
        st.session_state[PREPARED] = None

    with st.expander(label("room", "to_come"), key="room.to_come"):
        words = {lesson: label("room", "meeting") if lesson == "60" else word(f"lesson.{lesson}") for lesson in SCRIPTS}
        pick_one(label("room", "prepare"), words, key=PREPARED, on_change=take)
        form.lines("script", choices.write_script, commas_part_counts=False)
    code, kept = st.session_state.get(DRAWN, ("", ""))
    if code and code == form.values["code"] and form.values["script"] != values_of([SCRIPT], kept)["script"]:
        st.session_state[DRAWN] = (code, _script_text(form.values["script"]))
        _moderate(form, RoomStore.set_script, st.session_state[DRAWN][1])


def ask_after(form: Form, room: Room) -> None:
    """What may still be asked of a result that is on the wall."""
    running = room.activity
    if running is None or running.phase is not Phase.SHOWN or room.withheld:
        return
    activity, on_the_wall = activity_of(running)
    for name in activity.after:
        form.number(name)

    def put_on_the_wall() -> None:
        with suppress(ValueError):  # the box says why
            settings = text_of(activity.settings, on_the_wall | {name: form.made(name) for name in activity.after})
            _moderate(form, RoomStore.set_phase, running.number, Phase.SHOWN, settings=settings)

    if any(form.values[name] != on_the_wall[name] for name in activity.after):
        st.button(label("room", "on_the_wall"), key="room.on_the_wall", on_click=put_on_the_wall)


def _set_phase(form: Form, running: StartedActivity, phase: Phase) -> None:
    try:
        settings = settings_with_late(running) if phase is Phase.SHOWN else None
    except ValueError:
        return  # the box says why
    _moderate(form, RoomStore.set_phase, running.number, phase, settings=settings)
    if running.phase is Phase.OPEN and st.session_state.get(TROUBLE) == RoomCode.TOO_FEW:
        del st.session_state[TROUBLE]  # the page says so once answers are closed
        _moderate(form, RoomStore.set_phase, running.number, Phase.CLOSED)


def means_something(field: Field, values: Mapping[str, Any]) -> bool:
    """Whether a setting is one beside these values of the others."""
    if field.name not in ONLY_WITH:
        return True
    asked, wanted = ONLY_WITH[field.name]
    return any(values[one] in wanted for one in ((asked,) if isinstance(asked, str) else asked))


def ask_late(running: StartedActivity) -> None:
    """A box for each setting that is told with the result: it stands in no address, and nobody sees it before."""
    for key, field, held in _late(running):
        typed = st.text_input(field.label, field.encode(held), key=key, help=field.help)
        try:
            value = field.decode(typed or "")
            reading = comma_reading(typed, value) if typed and value is not None else None
            if reading:
                show.caption(reading)
        except ValueError as error:
            show.refused_below(refusal_words(error), box=key)


def settings_with_late(running: StartedActivity) -> str:
    """The settings of the activity with what was asked for late, for the database; `ValueError` as the box says it."""
    activity, settings = activity_of(running)
    for key, field, held in _late(running):
        settings[field.name] = field.decode(st.session_state.get(key, field.encode(held)))
    return text_of(activity.settings, settings)


def _late(running: StartedActivity) -> Iterator[tuple[str, Field, Any]]:
    """The box of each such setting, and what the database holds of it."""
    activity, settings = activity_of(running)
    for field in activity.settings:
        if field.name in activity.late and means_something(field, settings):
            yield f"room.late.{running.number}.{field.name}", field, settings[field.name]


def ask_next(form: Form, room: Room) -> None:
    """Which activity comes next, how it is set, and the press that starts it on every phone."""
    choice, start = st.columns([3, 1], vertical_alignment="bottom")
    with choice:
        kind = form.choice("activity", {kind: activity.title for kind, activity in ACTIVITIES.items()}, style="select")
    activity = ACTIVITIES[kind]
    press: Literal["primary", "secondary"] = "secondary" if room.activity else "primary"
    # beside the choice, so that it is in sight however many settings follow
    words = label("room", "start")
    start.button(words, key="room.start", type=press, width="stretch", on_click=_start_made, args=(form, activity))
    show.caption(f"{activity.purpose[0].upper()}{activity.purpose[1:]}.")
    show.caption(activity.forecast(room.people, style()))
    for field in activity.settings:
        if field.name not in (*activity.after, *activity.late) and means_something(field, form.values):
            _ask_setting(form, field, activity)


def _ask_setting(form: Form, field: Field, activity: Activity) -> None:
    if field.kind == "choice":
        form.choice(field.name, activity.options(field.name), style="select")
    elif field.kind == "flag":
        form.flag(field.name)
    elif field.name == "vote_before":
        form.pick("vote_before", earlier_votes(form, form.values["vote_options"]))
    else:
        form.number(field.name, pictured=False)


def earlier_votes(form: Form, options: tuple[str, ...]) -> dict[int, str]:
    """None, and the votes of this room between these options, by number."""
    found = {0: label("room", "no_earlier_vote")}
    with suppress(RoomRefused):
        for started in store().activities(form.values["code"], form.values["key"]):
            held = activity_of(started)[1] if started.kind == "vote" else {}
            if held.get("vote_options") == options:
                words = {"number": started.number, "question": held["vote_question"]}
                found[started.number] = label("room", "earlier_vote", **words)
    return found


def _start_made(form: Form, activity: Activity) -> None:
    with suppress(ValueError):  # the box says why
        _start(form, activity, {field.name: form.made(field.name) for field in _settings_of_page(activity)})


def _settings_of_page(activity: Activity) -> list[Field]:
    """What is set before an activity starts, and what may be changed of its result: choices of this page."""
    return [field for field in activity.settings if field.name not in activity.late]


def _start(form: Form, activity: Activity, settings: Mapping[str, Any], **prepared: Any) -> None:
    text = text_of(activity.settings, activity.begun(settings))
    put("room", **{name: settings[name] for name in activity.after})  # the result is looked at as everybody has it
    _moderate(form, RoomStore.start, activity.kind, text, **activity.kept(settings), **prepared)


def offer_room(
    words: str, new: str, *, key: str, first: tuple[str, Mapping[str, Any]] | None = None, script: Script = ()
) -> None:
    """A button that leads to a room: in it the first activity is started, and a script is prepared, if rooms are on.

    `new` are its words where this session moderates no room, so that one will be opened for it.
    """
    if rooms_off():
        return
    moderates = bool(st.session_state.get(STORE, {}).get("room", {}).get("key"))
    st.button(words if moderates else new, key=key, on_click=_ask_for, args=(first, script))
    if script and first is None:
        show.caption(word("phones_few"))
    if STARTING in st.session_state:
        show.go_to("room")


def _ask_for(first: tuple[str, Mapping[str, Any]] | None, script: Script) -> None:
    st.session_state[STARTING] = (first, script)
    touch()


def _start_if_asked(form: Form) -> None:
    """Begin what another page asked for: in the room of this session, or in one opened for it."""
    first, script = st.session_state.pop(STARTING, (None, ()))
    if (first or script) and (not form.values["key"] or _is_gone(form.values["code"])):
        _open(form)
    if script:
        _moderate(form, RoomStore.set_script, _script_text(script))
    if first:
        _begin(form, *first)


def show_result(form: Form, view: RoomView) -> None:
    """The result as its moderator has it, and the press that puts budgets of its lines to the vote."""
    show_wall(view)
    if view.wall is not None and view.wall.vote is not None:
        words = label("room", "vote_on_lines")
        st.button(words, key="room.vote_on_lines", on_click=_begin, args=(form, "vote", view.wall.vote_settings))


def _begin(form: Form, kind: str, settings: Mapping[str, Any]) -> None:
    """Set an activity so, and start it where the room is there."""
    activity = ACTIVITIES[kind]
    all_settings = {field.name: settings.get(field.name, field.default) for field in _settings_of_page(activity)}
    put("room", activity=kind, **all_settings)
    if form.values["key"]:
        _start(form, activity, all_settings)


def _is_gone(code: str) -> bool:
    """Whether the room that this session had has ended; not where nobody can tell at the moment."""
    with suppress(RoomRefused):
        return store().versions(code) is None
    return False


def ask_rest(form: Form, room: Room) -> None:
    """What is seldom wanted, folded: what is to come, who is in the room, groups, all answers as files, the end."""
    _ask_prepared(form)
    _ask_people(form, room)

    def set_groups() -> None:
        with suppress(ValueError):  # the box says why
            _moderate(form, RoomStore.set_groups, form.made("groups"))

    with st.expander(label("room", "rest"), key="room.rest"):
        form.number("groups", pictured=False)
        st.button(label("room", "set_groups"), key="room.set_groups", on_click=set_groups)
        _offer_everything(form)


def _ask_people(form: Form, room: Room) -> None:
    """Folded: who is there, whether more may join and type names, what can be taken; never what anybody answered."""
    folded = st.expander(label("room", "people"), key="room.people", on_change="rerun")  # up to 300 rows
    with folded:
        show.caption(say("room", style().voice, "door"))
        words = label("room", "door_open" if room.door_closed else "door_close")
        turned = {"closed": not room.door_closed}
        st.button(words, key="room.door", on_click=_moderate, args=(form, RoomStore.set_door), kwargs=turned)
        words = label("room", "names_off" if room.names_typed else "names_on")
        turned = {"typed": not room.names_typed}
        st.button(words, key="room.names", on_click=_moderate, args=(form, RoomStore.set_names), kwargs=turned)
        if folded.open:
            _list_people(form)
        show.caption(say("room", style().voice, "new_address"))

        def renew() -> None:
            put("room", next_key=new_key())

        st.button(label("room", "renew"), key="room.renew", on_click=renew)


def _list_people(form: Form) -> None:
    """A row for each of those in the room, by group and number, with what can be done about them."""
    people: tuple[Participant, ...] = ()
    with suppress(RoomRefused):
        people = store().people(form.values["code"], form.values["key"])
    show.caption(say("room", style().voice, "removing") if people else "")
    for one in sorted(people, key=lambda one: (one.group.casefold(), one.number)):
        told, *places = st.columns([2, 1, 1, 1], vertical_alignment="center")
        with told:
            show.caption(row_of(one))
        presses: tuple[tuple[str, bool, Callable[..., object], tuple[Any, ...]], ...] = (
            ("show_name", one.pending, RoomStore.show_name, (one.number, one.nickname)),
            ("take_name", bool(one.nickname), RoomStore.take_nickname, (one.number,)),
            ("remove", True, RoomStore.remove, (one.number,)),
        )
        for place, (words, offered, action, given) in zip(places, presses, strict=True):
            if offered:
                key = f"room.{words}.{one.number}"
                place.button(label("room", words), key=key, on_click=_moderate, args=(form, action, *given))


def row_of(person: Participant) -> str:
    """Somebody in a room as the moderator tells them apart.

    >>> row_of(Participant(3, "Ada", "agency", answered=True)), row_of(Participant(4, "", ""))
    ('3 · agency · Ada · has answered', '4')
    """
    answered = label("room", "has_answered") if person.answered else ""
    return " · ".join(filter(None, (str(person.number), person.group, person.nickname, answered)))


def _offer_everything(form: Form) -> None:
    """The results that were shown as files, and the press that ends the room."""
    code, key = form.values["code"], form.values["key"]
    show.caption(say("room", style().voice, "files"))
    with st.container(horizontal=True, gap="small"):
        for kind, mime, written in (
            ("csv", "text/csv", choices.as_csv),
            ("json", "application/json", choices.as_json),
            ("html", "text/html", partial(_report, html_page, choices.report)),
            ("docx", WORD, partial(_report, word_file, choices.report)),
            ("pptx", POWERPOINT, partial(_report, slides_file, choices.slides)),
        ):
            made = partial(_written, written, code, key)
            st.download_button(label("room", f"all_{kind}"), made, f"riskline-room.{kind}", mime, on_click="ignore")
    sure = st.checkbox(label("room", "sure_to_end"), key="room.sure")
    st.button(label("room", "end"), key="room.end", disabled=not sure, on_click=_end, args=(form,))


def _written(written: Callable[[Iterable[Result]], str | bytes], code: str, key: str) -> str | bytes:
    return written(store().results(code, key))


def _report(file: Callable[[Any], str | bytes], made: Callable[..., Any], results: Iterable[Result]) -> str | bytes:
    """A file of what was shown, in the voice of this page and drawn for paper."""
    on_paper = Style(voice=style().voice)
    return file(made(choices.shown_again(results, on_paper), on_paper))


def _end(form: Form) -> None:
    st.session_state[TROUBLE] = "ended"
    _moderate(form, RoomStore.end)
    if st.session_state[TROUBLE] in ("ended", RoomCode.STILL_HELD):
        put("room", code="", key="")


def tell(reason: str) -> None:
    """What the store refused, in words; nothing where it refused nothing."""
    if reason in NOTICES:
        show.notice(say(NOTICES[reason], style().voice, reason))
    elif reason and reason not in ENDED:
        show.refused(refusal_of_room(reason, style().voice))


def offer_wall(form: Form) -> None:
    """The way to the page for the projector, in a tab of its own: by its own key, which does nothing else."""
    query = {"code": form.values["code"], "wall": wall_key(form.values["key"])} | show.switches_query()
    address = f"{show.root_address()}room?{urlencode(query | {'type': 'large'})}"
    st.link_button(label("room", "projector"), address)


def show_projected(view: RoomView) -> None:
    """All that everybody sees: the way in, the question and the count; then the result, and no control."""
    with st.container(key="riskline-wall"):
        if view.wall is not None:
            _show_projected_result(view, view.wall)
        else:
            way_in, asked = st.columns([1, 1.7], gap="large", vertical_alignment="center")
            with way_in:
                show_way_in(view, projected=True)
            with asked:
                if view.question:
                    show.question(view.question, view.question_help)
                show.answer(view.answer, "")
                show.sentence(view.small_print)  # nobody presses on a projector
        show.caption(view.stored)


def _show_projected_result(view: RoomView, wall: Wall) -> None:
    """The result as far as it fits the height of a projector: the picture beside what is said of it, the rest below."""
    show.sentence(view.question)
    show.answer(view.answer, "")
    narrow = [table for table in wall.tables if len(table.columns) <= MOST_BESIDE]
    wide = [table for table in wall.tables if table not in narrow]
    # a long sentence would push the table off the wall, and a long table what is said
    leading = [words for words in wall.sentences if not narrow or len(words) <= SHORT][: 1 if narrow else None]
    drawn, told = st.columns([1.7, 1], gap="medium")
    with drawn:
        show.picture(wall.picture, alone=True)
        for words in wall.sentences:
            if words not in leading:
                show.sentence(words)
    with told:
        for words in (view.joining, *leading):
            show.sentence(words)
        for table in narrow:
            show.show_table(table, alone=True)
    for table in wide:
        show.show_table(table, alone=True)
    for picture in wall.more:
        show.picture(picture, alone=True)
    show.caption(view.small_print)


def choose_shown(room: Room, key: str) -> Result | None:
    """An earlier result of the room that is looked at once more, until something else happens there; None for none."""
    questions = {}
    for one in room.shown:
        activity, settings = activity_of(one)
        question = activity.asked(settings, style()).question
        questions[one.number] = label("room", "earlier_vote", number=one.number, question=question)
    if not questions or room.activity is None:
        return None
    place = f"room.earlier.{room.activity.number}.{room.activity.phase}"
    number = pick_one(label("room", "earlier"), questions, key=place)
    with suppress(RoomRefused):
        return None if number is None else store().result(room.code, key, number)
    return None


def tell_reach(part: slice = slice(None)) -> bool:
    """That phones cannot open the address of this page, and what to do, where they cannot; whether it is so."""
    told = reach_words(show.root_address(), style().voice)
    for words in told[part]:
        show.sentence(words)
    return bool(told)


def show_way_in(view: RoomView, *, projected: bool = False) -> None:
    """Where and by which code people join, and the square that says the same; none that no phone can open.

    What to do about that is long, and stands below the code.
    """
    if view.door_closed:
        show.sentence(view.door_closed)
        return
    if not tell_reach(slice(1)):
        show.square(view.square, view.square_words)
    show.code(view.code, view.address)
    if not projected:
        tell_reach(slice(1, None))


def show_wall(view: RoomView) -> None:
    """The result as its moderator has it, its question above the picture."""
    show.sentence(view.question)
    wall = view.wall
    if wall is None:
        return
    show.picture(wall.picture)
    for words in wall.sentences:
        show.sentence(words)
    for table in wall.tables:
        show.show_table(table)
    for picture in wall.more:
        show.picture(picture)
    for way in wall.ways:
        if way.stem == "memo":  # it brings what its writer chose, and what it holds of this room
            way = with_earlier(way, view.code, chosen_on("memo"), st.session_state.setdefault(OFFERED, {}))
        show.way(way)


def with_earlier(way: PageLink, code: str, chosen: Mapping[str, Any], offered: MutableMapping[str, str]) -> PageLink:
    """The way to a memo that holds these choices already; `offered` is told which room the minutes are of."""
    minutes = read_minutes(dict(way.query)["room"])
    earlier = chosen.get("room")
    if earlier is not None and offered.get(write_minutes(earlier)) == code:
        minutes = both(earlier, minutes)
    offered[write_minutes(minutes)] = code
    return replace(way, query=tuple(write_query(memo.FIELDS, {**chosen, "room": minutes}).items()))
