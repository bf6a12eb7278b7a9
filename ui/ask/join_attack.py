"""The game on a participant's device: ten noisy tables, a tap on a row each, and what the bets were worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui.ask.join_who import PENDING
from ui.frame import show
from ui.frame.form import Form, put
from ui.frame.run import style
from ui.rooms.meeting import Phase
from ui.views.join import Phone
from ui.views.room import Activity, text_of, values_of
from ui.views.room.attack import TEXT, bets_made, own_rounds, phone_round
from ui.words.catalogue import say


def ask(form: Form, activity: Activity, settings: Mapping[str, Any], phone: Phone, send: Callable[[str], None]) -> None:
    """The next table; after the tenth the press that sends; with the result, what the bets were worth."""
    running = phone.room.activity
    assert running is not None
    if phone.asked is not None:
        _ask_bets(form, activity, settings, send)
    elif phone.sent is not None and running.phase is Phase.SHOWN:
        told, table = own_rounds(settings, values_of(activity.answers, phone.sent)["attack_bets"], style())
        show.sentence(told)
        show.show_table(table)
    elif phone.sent is None and form.values["attack_bets"] and PENDING not in st.session_state:
        show.sentence(say(TEXT, style().voice, "not_sent", made=bets_made(form.values["attack_bets"])))


def _ask_bets(form: Form, activity: Activity, settings: Mapping[str, Any], send: Callable[[str], None]) -> None:
    bets: tuple[int, ...] = form.values["attack_bets"]
    seen = phone_round(settings, bets, style())
    show.sentence(seen.told)
    with st.container(key="join.rows", gap="small"):
        for row in seen.rows:
            st.button(
                f"**{row.number}** {row.name}  \n{row.words}",
                key=f"join.bet.{len(bets)}.{row.number}",  # a second tap on the same table is no bet on the next one
                on_click=put,
                args=("join",),
                kwargs={"attack_bets": (*bets, row.number)},
                width="stretch",
            )
    with st.container(horizontal=True, gap="small"):
        if not seen.rows:
            text = text_of(activity.answers, {"attack_bets": bets})
            st.button(say(TEXT, style().voice, "send"), key="join.send", type="primary", on_click=send, args=(text,))
        if bets:
            st.button(
                say(TEXT, style().voice, "back"),
                key=f"join.back.{len(bets)}",
                type="tertiary",
                on_click=put,
                args=("join",),
                kwargs={"attack_bets": bets[:-1]},
            )
