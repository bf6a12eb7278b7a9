"""The questions of rebuilding a block, and its two runs: a search that takes longer, and many draws over the budget."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.attacks.reconstruction import NOISES
from dpcore.mechanisms import noise_kind
from dpcore.populations import CountTable
from ui.ask.method import ask_protection
from ui.ask.table_choice import ask_table, own_table
from ui.frame.form import Form
from ui.frame.run import after_page
from ui.runs.follow import asked, follow, forget
from ui.runs.run import State
from ui.views.rebuild.searches import RebuildInputs, keep, opened, refusal_of, search, sweep, unsettled
from ui.words.catalogue import label

word = partial(label, "rebuild")
DRAWN = tuple(kind for kind in NOISES if kind != "none")
"""Kinds of noise, which have a budget."""
KEPT = "_rebuilt"
SEARCH, SWEEP = "search for the most likely block", "rebuilding over the budget"


def ask_block(form: Form) -> CountTable | None:
    """Which block; returns the session's own table when one is asked for."""
    if form.choice("source", style="segmented") == "table":
        return ask_table(form)
    form.slider("people")
    form.number("block")
    return None


def ask_noise(form: Form) -> None:
    """The noise, its budget, and another draw of it."""
    noise = ask_protection(form)
    if noise in DRAWN:
        form.number(noise_kind(noise).budget_kind)
    if noise != "none":
        form.draw_again()


def kept() -> dict[Any, Any]:
    """What the page opens with and what this session has rebuilt; forgotten together with the reader's own table."""
    held = st.session_state.get(KEPT)
    if held is None or held[0] is not own_table():
        for name in (SEARCH, SWEEP):
            forget(name)
        held = st.session_state[KEPT] = (own_table(), dict(opened()))
    done: dict[Any, Any] = held[1]
    return done


def ask_sweep(chosen: RebuildInputs, own: CountTable | None, done: dict[Any, Any], place: Any) -> None:
    """Rebuild many draws over the budget if that is asked for; the view shows those that are done."""
    if not chosen.has_budget or not chosen.sweep or refusal_of(chosen, own) is not None:
        return
    key = replace(chosen, rho=1.0, epsilon=1.0)  # the budget of the page is none of the sweep's
    run = asked(SWEEP, key, sweep, lambda found: (chosen, own, len(found)))
    keep(done, run.pieces)
    follow(run, place, key="rebuild.sweep", words=word("waiting"), act=word("sweeping_act"))


def ask_search(chosen: RebuildInputs, own: CountTable | None, done: dict[Any, Any], place: Any) -> None:
    """Search on where the seconds that a page waits were not enough; the page is drawn again with what it finds."""
    if not unsettled(chosen, own, done):
        return
    run = asked(SEARCH, replace(chosen, sweep=False), search, lambda found: (chosen, own))
    keep(done, run.pieces)
    if run.state is State.FINISHED:
        after_page(st.rerun)
    words, act = word("searching"), word("searching_act")
    follow(run, place, key="rebuild.search", words=words, act=act, on_piece=lambda: keep(done, run.pieces))
