"""The game's controls: which game, the bet, the next round, and the class table that stays in the session."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.populations import CountTable
from ui.ask.method import ask_protection
from ui.ask.table_choice import ask_table, begin_again
from ui.frame import show
from ui.frame.case import STORE
from ui.frame.form import Form, choice_button, put, touch
from ui.views.play import PROTECTED, PlayView, class_table, word
from ui.words.catalogue import say
from ui.words.markdown import with_bold

NAMES = "_class_names"
GAME = ("place", "noise", "rho", "base", "largest_noise", "variance", "prior", "seed")


def ask_game(form: Form) -> CountTable | None:
    """Which block, how much noise, which seed. Another game starts without bets."""
    before = [form.values[name] for name in GAME]
    own = ask_table(form)
    if ask_protection(form) not in PROTECTED:
        form.number("rho")
    form.ask("prior", "seed")
    if before != [form.values[name] for name in GAME]:  # by a widget, just now: a link brings its own bets
        begin_again(form, ("bets", "told"))
    return own


def _bet_on(row: int) -> None:
    held = st.session_state[STORE]["play"]
    if not held["told"]:
        put("play", bets=(*held["bets"], row), told=True)


def bet(view: PlayView, seed: int) -> None:
    """A button for each row, or the way to the next round; digits and N do the same from the keyboard."""
    if view.over:
        again: dict[str, Any] = {"bets": (), "told": False}
        with st.container(horizontal=True):
            choice_button(word("same_again"), "play", "again", again)
            choice_button(word("new_rounds"), "play", "other", again | {"seed": seed + 1})
    elif view.told:
        words = word("next", round=view.round + 1)
        choice_button(words, "play", "next", {"told": False}, type="primary", shortcut="N")
    else:
        for row, (name, counts) in enumerate(view.rows, 1):
            words, key = with_bold(name) + "  \n" + with_bold(counts), f"play.row{row}"
            st.button(words, key=key, on_click=_bet_on, args=(row,), shortcut=str(row), width="stretch")


def names_are_held() -> bool:
    """Whether this session has names for the class table."""
    return bool(st.session_state.get(NAMES))


def class_board(view: PlayView, voice: str) -> None:
    """The names a teacher types and the table to project; nothing of it is in the link."""
    st.markdown(say("play", voice, "board"))
    names = st.text_area(word("names"), key=NAMES, on_change=touch, max_chars=4000, persist_state="session")
    board, faults = class_table(names, *view.beside_the_class)
    for fault in faults:
        show.refused(fault)
    show.show_table(board)
