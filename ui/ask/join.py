"""A participant's device: finding the room, joining and leaving it, and answers, sent until the database has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from riskline.case.line import DEFAULT_POINTS
from ui.ask.line import draw_small_line, offer_answers
from ui.ask.room import choose_shown
from ui.ask.waiting import refusals_told, tried
from ui.components.coin_survey import coin_survey
from ui.frame import show
from ui.frame.form import Form, put
from ui.frame.run import style
from ui.frame.view_workers import computed_by_worker, computed_for_all
from ui.rooms.codes import new_key
from ui.rooms.meeting import Participant, Phase
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import store
from ui.views.join import ANSWER_FIELDS, FIELDS, NICKNAME, JoinView, Phone
from ui.views.room import attack, proof, understanding
from ui.views.room.activity import Activity, Wall, text_of, values_of
from ui.views.room.choices import activity_of
from ui.views.room.coin_survey import coins_on_device
from ui.views.room.line import BEGINNING, chosen_by, line_asked
from ui.views.room.prediction import options_of
from ui.views.room.view import ENDED, result_on_phones
from ui.words.catalogue import label, say
from ui.words.markdown import escape_markdown, with_bold
from ui.words.refusals import refusal_sentence, refusal_words

PENDING = "_join_pending"  # an answer that no database has confirmed yet: room and key of its giver, activity, text
TROUBLE = "_join_trouble"
KEPT = "_join_kept"  # a press on Keep that the database has confirmed
INSIDE = "_join_inside"  # room and key of the participant whom the database last had here
REMOVED = "_join_removed"  # the room that had this participant, and has them no longer
FRESH = "_join_key"  # made in this session for somebody who has not joined yet
PILLS, NAME, SURE = "join.pills", "join.nickname", "join.sure"
NOT_TAKEN = "_join_not_taken"
QUESTION = "_join_question"  # what the boxes of this session are about: room, participant, activity
NO_ROW = "_join_no_row"  # of the game: a stake was pressed before a row was chosen
WAY = "join.line_way"


def found_room(form: Form) -> tuple[Phone | None, str]:
    """The room of this address and who this is in it; else why there is none, if one was asked for."""
    code = form.values["code"]
    if not code:
        return None, st.session_state.pop(TROUBLE, "")
    try:
        key = form.values["me"]
        tried(code, holds_key=lambda: bool(key) and store().participant(code, key) is not None)
        rooms = store()
        send_waiting(form)
        seen = rooms.on_a_phone(code, key)
        removed = _is_removed(code, key, seen.participant)
        if seen.participant is None and key != st.session_state.get(FRESH):
            # made before anybody presses Join, so that a press that is sent twice is one person; and made here, so that
            # nobody joins by a key that came with somebody else's link
            form.values["me"] = st.session_state[FRESH] = new_key()
        running, wall = seen.room.activity, None
        if seen.answers:
            wall = computed_for_all(result_on_phones, running, seen.answers, seen.earlier, style())
        trouble = st.session_state.pop(TROUBLE, "")
        own = vars(seen) | {"answers": (), "earlier": ()}  # of others only what is shown
        phone = Phone(**own, kept=rooms.kept, zone=st.context.timezone or "", wall=wall)
        return phone, "removed" if removed else trouble
    except RoomRefused as refused:
        over = refused.code is RoomCode.UNKNOWN and bool(form.values["me"])  # whoever has a key was in it
        return None, f"ended_{store().kept}" if over else refused.code.value


def _is_removed(code: str, key: str, participant: Participant | None) -> bool:
    """Whether the room had this participant when this session last asked, and has nobody of that key since."""
    state = st.session_state
    if participant is not None:
        state[INSIDE] = (code, key)
        state.pop(REMOVED, None)
    elif state.get(INSIDE) == (code, key):
        del state[INSIDE]
        state[REMOVED] = code
    return bool(state.get(REMOVED) == code)


def is_outside(phone: Phone | None, reason: str) -> bool:
    """Whether nobody of this tab is in a room; false where that cannot be told at the moment."""
    return reason in ("", "left", RoomCode.UNKNOWN, *ENDED) if phone is None else phone.participant is None


def ask_code(form: Form) -> None:
    """The box for the code of another room."""
    before = form.values["code"]
    if form.number("code", pictured=False) != before:
        st.rerun()  # the room is looked for before the box is read
    if st.button(label("join", "find"), key="join.find", type="primary"):
        with suppress(ValueError):  # the box says why a code cannot be one
            if not form.made("code"):
                show.refused_below(label("join", "no_code"), box="join.find")


def offer_to_leave(phone: Phone | None) -> None:
    """The way out of a room that is gone, or that is another one than was meant: it deletes nothing there."""
    st.button(label("join", "another_room"), key="join.leave", on_click=forget, type="tertiary")
    if phone is not None and phone.participant is not None:
        show.caption(say("join", style().voice, "another"))


def ask_answer(form: Form, phone: Phone) -> None:
    """The activity that runs: its question, while it wants an answer of this participant, or what is left of it."""
    _offer_to_agree(form, phone)
    running, drawn = phone.room.activity, AFTERWARDS if phone.asked is None else ASKS
    if running is None or running.kind not in drawn:
        return
    activity, settings = activity_of(running)
    _begin_with_sent(form, activity, (phone.room.code, form.values["me"], running.number), phone.sent)

    def send(**values: Any) -> None:
        """Have the database take an answer; until it has confirmed it, the answer waits in this session."""
        text = text_of(activity.answers, values)
        try:
            activity.judged(settings, values_of(activity.answers, text))
        except ValueError as error:
            st.session_state[NOT_TAKEN] = refusal_sentence(error)
            return
        if not activity.first_answer_stays:  # of coins not even this session keeps what they said
            form.values.update(values)
        st.session_state[PENDING] = (_here(form), running.number, text)
        send_waiting(form)

    sent = values_of(activity.answers, phone.sent or "")
    drawn[running.kind](Question(form, settings, phone, sent, send))
    if NOT_TAKEN in st.session_state:
        reason = st.session_state.pop(NOT_TAKEN)
        show.refused(say("join", style().voice, "not_taken", reason=reason))


def looked_at(form: Form, phone: Phone | None) -> Phone | None:
    """The phone as it was when an earlier result was shown, where one is chosen to be looked at again."""
    if phone is None or phone.participant is None:
        return phone
    found = choose_shown(phone.room, form.values["me"])
    if found is None:
        return phone
    try:
        sent = store().own_answer(phone.room.code, form.values["me"], found.activity.number)
    except RoomRefused:
        return phone  # as it is now: the next look finds out why
    wall = computed_for_all(result_on_phones, found.activity, found.answers, found.earlier, style())
    room = replace(phone.room, activity=found.activity, answered=len(found.answers))
    people = (one.participant for one in found.answers)  # with what was drawn for them then
    who = next((one for one in people if one.number == phone.participant.number), phone.participant)
    return replace(phone, room=room, participant=who, sent=sent, wall=wall)


def show_result(view: JoinView, wall: Wall) -> None:
    """One's own answer beside the room's: the picture, what was asked, and what is said of it."""
    if view.own:
        show.sentence(view.own)
    show.picture(wall.picture, alone=True)
    for words in (view.small_print, *wall.sentences):
        show.sentence(words)
    show.caption(wall.small_print)


def _offer_to_agree(form: Form, phone: Phone) -> None:
    """The press of one of the one or two who answered, that the result be shown all the same."""
    running = phone.room.activity
    if running is None or phone.sent is None or not phone.room.withheld:
        return

    def agree() -> None:
        with refusals_told(TROUBLE):
            store().agree(form.values["code"], form.values["me"], running.number)

    if phone.agreed:
        show.told(say("join", style().voice, "agreed"))
    else:
        st.button(label("join", "agree"), key="join.agree", on_click=agree)


def _begin_with_sent(form: Form, activity: Activity, question: tuple[str, str, int], sent: str | None) -> None:
    """What is asked begins with the answer that the database has, or as it comes: not with that to another question."""
    if st.session_state.get(QUESTION) == question:
        return
    st.session_state[QUESTION] = question
    form.values.update({field.name: field.default for field in ANSWER_FIELDS} | values_of(activity.answers, sent or ""))
    for field in ANSWER_FIELDS:
        st.session_state.pop(f"join.{field.name}", None)


def send_waiting(form: Form) -> bool:
    """Give the waiting answer to the store, if there is one; true when it is no longer waiting."""
    if PENDING not in st.session_state:
        return False
    whose, number, text = st.session_state[PENDING]
    if whose == _here(form):
        try:
            store().answer(form.values["code"], form.values["me"], number, text)
        except RoomRefused as refused:
            if refused.code is RoomCode.UNAVAILABLE:
                return False
            st.session_state[TROUBLE] = refused.code.value
    del st.session_state[PENDING]
    return True


def waits(form: Form) -> bool:
    """Whether an answer is kept here that the room does not have yet."""
    return PENDING in st.session_state and st.session_state[PENDING][0] == _here(form)


def _here(form: Form) -> tuple[str, str]:
    """Room and key of this address: going back in a browser's history can lead to another person's."""
    return form.values["code"], form.values["me"]


def ask_to_join(form: Form, phone: Phone) -> None:
    """A group, and a nickname where the moderator takes them, and the press that joins; nothing while nobody may."""
    if phone.room.door_closed:
        return
    if phone.room.groups:
        _ask_group(phone)
    st.button(label("join", "join"), key="join.join", type="primary", on_click=_join, args=(form,))
    if phone.room.names_typed:
        with st.expander(label("join", "nickname_fold"), key="join.nickname_fold"):
            _ask_nickname()


def ask_who(form: Form, phone: Phone) -> None:
    """Another group or nickname of somebody who has joined, as long as they may change; and the way out for good."""
    who, running = phone.participant, phone.room.activity
    if who is None:
        return
    groups, typed = phone.room.groups, phone.room.names_typed
    changing = running is None or running.phase is Phase.OPEN  # what is about to be shown, or is, keeps its names
    with st.expander(label("join", "who"), key="join.who"):
        if changing and (groups or typed):
            if groups:
                st.session_state.setdefault(PILLS, who.group if who.group in groups else None)
                _ask_group(phone)
            if typed:
                st.session_state.setdefault(NAME, who.nickname)
                _ask_nickname()
            st.button(label("join", "keep"), key="join.keep", on_click=_join, args=(form,), kwargs={"again": True})
            if st.session_state.pop(KEPT, False):
                show.told(say("join", style().voice, "kept"))
        sure = st.checkbox(say("join", style().voice, "sure"), key=SURE)
        show.caption(say("join", style().voice, "leaving"))
        st.button(label("join", "delete"), key="join.delete", disabled=not sure, on_click=_leave, args=(form,))


def _ask_group(phone: Phone) -> None:
    st.pills(label("join", "group"), phone.room.groups, format_func=escape_markdown, key=PILLS)


def _ask_nickname() -> None:
    """The box for a nickname; what cannot be one stays in it with a sentence under it."""
    typed = st.text_input(NICKNAME.label, key=NAME, help=NICKNAME.help)
    try:
        NICKNAME.decode(typed or "")
    except ValueError as error:
        show.refused_below(refusal_words(error), box=NAME)


def _join(form: Form, *, again: bool = False) -> None:
    """Have the database know this participant, by a group and a nickname that stay out of the address."""
    with suppress(ValueError), refusals_told(TROUBLE):  # the box says why a nickname cannot be one
        nickname = NICKNAME.decode(st.session_state.get(NAME, ""))
        store().join(form.values["code"], form.values["me"], nickname, st.session_state.get(PILLS) or "")
        st.session_state[KEPT] = again


def _leave(form: Form) -> None:
    """Have the database delete this participant, and keep nothing here either; a room that is gone has deleted them."""
    try:
        store().leave(form.values["code"], form.values["me"])
    except RoomRefused as refused:
        if refused.code is not RoomCode.UNKNOWN:
            st.session_state[TROUBLE] = "not_left"
            return
    forget()
    st.session_state[TROUBLE] = "left"


def forget() -> None:
    """Nothing of it stays in this session or its address: the next one to use this device may be somebody else."""
    for held in (PENDING, INSIDE, REMOVED, FRESH, PILLS, NAME, SURE):
        st.session_state.pop(held, None)
    put("join", **{field.name: field.default for field in FIELDS})


@dataclass(frozen=True)
class Question:
    """An activity as it is drawn on a device: its settings, and the answer that the database has, or an empty one.

    `send` is called from a callback with the parts of an answer.
    """

    form: Form
    settings: Mapping[str, Any]
    phone: Phone
    sent: Mapping[str, Any]
    send: Callable[..., None]


def _ask_prediction(asked: Question) -> None:
    """A button for each number that the question names, or a box for any, and the press that sends it."""
    if options := options_of(asked.settings):
        _ask_options(asked, "number", options)
        return
    asked.form.number("number", pictured=False)

    def send() -> None:
        with suppress(ValueError):  # the box says why
            asked.send(number=asked.form.made("number"))

    st.button(label("join", "send"), key="join.send", type="primary", on_click=send)


def _ask_vote(asked: Question) -> None:
    _ask_options(asked, "vote_choice", {option: option for option in asked.settings["vote_options"]})


def _ask_options(asked: Question, name: str, options: Mapping[str, Any]) -> None:
    """A button for each option by its words; a press is the answer."""
    for place, (words, option) in enumerate(options.items()):
        kind: Literal["primary", "secondary"] = "primary" if option == asked.sent[name] else "secondary"
        send = partial(asked.send, **{name: option})
        st.button(escape_markdown(words), key=f"join.vote{place}", type=kind, on_click=send, width="stretch")


def _ask_coins(asked: Question) -> None:
    """Yes or no, the coins, and what was sent; the coins stay to be looked at when answers are closed."""
    room = asked.phone.room
    assert room.activity is not None
    number = room.activity.number
    coin_survey(
        coins_on_device(asked.settings, style()),
        key=f"join.coins.{room.code}.{number}",
        whose=(room.code, str(number), asked.form.values["me"]),
        on_answer=lambda said: asked.send(coin_survey_said=said),
        held=asked.phone.sent is not None,
        taken=asked.phone.asked is not None,
        large=style().large,
    )


def _ask_attack(asked: Question) -> None:
    """What the round before came to, and the next table; after the tenth, or the end of answers, all rounds.

    Nothing is told, and no further table shown, before the database has confirmed the bet.
    """
    who = asked.phone.participant
    assert who is not None
    bets: tuple[attack.Bet, ...] = asked.sent["attack_bets"]
    tables = attack.tables_of(asked.settings, who)
    if bets:
        show.sentence(attack.last_round(asked.settings, bets, tables, style()))
    if asked.phone.asked is None:
        if bets:
            show.show_table(attack.own_rounds(asked.settings, bets, tables))
    elif not waits(asked.form):
        _ask_bet(asked, bets, tables)
    show.caption(attack.called(who, style()))  # last: on a phone the answers are above the fold


def _ask_bet(asked: Question, bets: tuple[attack.Bet, ...], tables: int) -> None:
    """A row, which the phone keeps until one says how sure one is: a round is one question to the server.

    Keys carry the round: a late second tap is no bet on the next table.
    """
    told, rows = attack.next_round(asked.settings, bets, tables, style())
    show.sentence(told)
    with st.form(f"join.bet.{len(bets)}", border=False), st.container(key="riskline-rows", gap="small"):
        st.radio(
            label(attack.PAGE, "row"),
            range(len(rows)),
            index=None,
            format_func=lambda row: "  \n".join(with_bold(words) for words in rows[row]),
            key=f"join.row.{len(bets)}",
            label_visibility="collapsed",
            width="stretch",
        )
        if st.session_state.pop(NO_ROW, False):
            show.refused(say(attack.PAGE, style().voice, "no_row"))
        with st.container(horizontal=True, gap="small"):
            for stake, (name, worth) in attack.stakes(style()).items():
                words = with_bold(name) + "  \n" + with_bold(worth)
                bet = partial(_bet, asked, bets, stake)
                st.form_submit_button(words, key=f"join.stake.{len(bets)}.{stake}", on_click=bet, width="stretch")


def _bet(asked: Question, bets: tuple[attack.Bet, ...], stake: str) -> None:
    """Send the row that is chosen; where none is, say so."""
    row = st.session_state[f"join.row.{len(bets)}"]
    if row is None:
        st.session_state[NO_ROW] = True
    else:
        asked.send(attack_bets=(*bets, attack.Bet(row + 1, stake)))


def _ask_proof(asked: Question) -> None:
    """The noisy count of the next round and a press for each guess; with the result, what was right."""
    who, guesses = asked.phone.participant, asked.sent["proof_guesses"]
    assert who is not None
    if asked.phone.wall is not None and guesses:
        show.show_table(proof.own_rounds(asked.settings, guesses, who.own, style()))
    elif asked.phone.asked is not None and not waits(asked.form):
        show.sentence(proof.next_round(asked.settings, len(guesses), who.own, style()))
        for guess in (proof.IN, proof.OUT):
            key, send = f"join.guess.{len(guesses)}.{guess}", partial(asked.send, proof_guesses=guesses + guess)
            st.button(label(proof.PAGE, f"guess.{guess}"), key=key, on_click=send, width="stretch")


def _ask_understanding(asked: Question) -> None:
    """What this phone was dealt, and the next question, once the database has confirmed the answer before."""
    who = asked.phone.participant
    assert who is not None
    said: str = asked.sent["understanding_said"]
    dealt = understanding.shown_to(asked.settings, who.own, style())
    for words in dealt.sentences:
        show.sentence(words)
    show.icons(dealt.drawing, reading="", told=True, alone=True)
    if waits(asked.form):
        return
    questions = understanding.questions_of(asked.settings)
    place = {"place": len(said) + 1, "questions": len(questions), "words": questions[len(said)].words}
    show.sentence(say(understanding.PAGE, style().voice, "step", **place))
    for option, words in enumerate(questions[len(said)].options):
        send = partial(asked.send, understanding_said=f"{said}{option}")
        st.button(escape_markdown(words), key=f"join.understood.{len(said)}.{option}", on_click=send, width="stretch")


def _ask_line(asked: Question) -> None:
    """The editor or the next question, and the press that sends the line."""
    points, interview = (asked.form.values[name] for name in ("line_points", "line_interview"))
    begun = "questions" if interview != BEGINNING and interview else "draw"
    words = partial(label, "room_line")
    way = st.segmented_control(
        words("way"), ["draw", "questions"], default=begun, key=WAY, format_func=words, label_visibility="collapsed"
    )
    editor, asked_next = computed_by_worker(line_asked, asked.settings, points, interview or BEGINNING, style())
    if way == "questions":
        show.sentence(asked_next.question)
        show.caption(asked_next.note)
        offer_answers("join", asked_next, words, _take)
        if asked_next.options:
            return  # nothing to send before the last answer
    else:
        draw_small_line("join", editor, style(), name="line_points")
    untouched = way != "questions" and points == DEFAULT_POINTS and not interview and asked.phone.sent is None
    if untouched:
        show.caption(say("room_line", style().voice, "untouched"))

    def send() -> None:
        asked.send(**{name: asked.form.values[name] for name in ("line_points", "line_interview")})

    st.button(words("send"), key="join.send", type="primary", disabled=untouched, on_click=send)


def _take(answers: str) -> None:
    put("join", **chosen_by(answers))


AFTERWARDS = {"attack": _ask_attack, "coin_survey": _ask_coins, "proof": _ask_proof}
"""What is drawn also when nothing is asked any more: what coins did, what bets and guesses were worth."""
ASKS = {
    "line": _ask_line,
    "prediction": _ask_prediction,
    "vote": _ask_vote,
    "understanding": _ask_understanding,
    **AFTERWARDS,
}
