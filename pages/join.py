"""Join a room."""

import streamlit as st

from ui.ask.join import (
    ask_answer,
    ask_code,
    ask_to_join,
    ask_who,
    found_room,
    is_outside,
    looked_at,
    offer_to_leave,
    send_waiting,
    show_result,
    waits,
)
from ui.ask.room import tell
from ui.ask.waiting import PHONE, watch
from ui.components.coin_survey import forget_coins
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.join import FIELDS, JoinInputs, join_view
from ui.views.room.view import ENDED
from ui.words.catalogue import label, say

require_frame()
form = Form("join", FIELDS)
show.refusals(form.refusals)
phone, reason = found_room(form)
top = st.container()
if is_outside(phone, reason):
    forget_coins()
if phone is None:
    if reason not in ENDED:
        ask_code(form)
elif phone.participant is None:
    ask_to_join(form, phone)
else:
    ask_answer(form, phone)
told = st.container()
view = show.view_of(join_view, JoinInputs.of(form.close()), style(), looked_at(form, phone), reason)
with top:
    show.page_question("join", view.question)
    tell(reason)
    show.answer(view.answer, "")
    if view.result is not None:
        show_result(view, view.result)
    else:
        show.sentence(view.small_print)
    show.sentence(view.help)
with told:  # beside the press that sent it
    show.sentence(view.draft)
    if waits(form):
        show.notice(say("join", style().voice, "waiting"))
    elif view.sent:
        show.told(view.sent)
    if view.own and not view.draft and view.result is None:
        show.sentence(view.own)
if view.stored:
    joined = phone is not None and phone.participant is not None
    if not joined:  # told in full before anybody joins, then a press away
        show.caption(view.stored)
    with st.expander(label("join", "all_stored"), key="join.stored"):
        for words in (view.stored, view.stored_more)[not joined :]:
            show.caption(words)
show.begin_at_top(view.moment)
if phone is not None:
    ask_who(form, phone)
if form.values["code"]:
    offer_to_leave(phone)
if phone is not None:
    watch(phone.room.code, phone.room.versions, every=PHONE, whole=False, also=lambda: send_waiting(form))
elif reason == "unavailable":
    watch(form.values["code"], None, every=PHONE, whole=False, also=lambda: send_waiting(form))
