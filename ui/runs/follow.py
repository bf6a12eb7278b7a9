"""A run on a page: asked for, followed with a bar and a *Stop*, kept for the session, taken up again."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import streamlit as st

from ui.frame import show
from ui.frame.form import touch
from ui.frame.run import after_page
from ui.frame.view_workers import reader_present
from ui.runs.run import TICK, Run, State
from ui.words.catalogue import label

Chosen = TypeVar("Chosen")
RUNS = "_runs"
SHOWN = "_runs_shown"
KEPT = 4
"""Runs of one page whose results this session keeps: the latest."""


def asked(
    name: str, key: Hashable, work: Callable[..., Any], arguments: Callable[[Sequence[Any]], tuple[Any, ...]]
) -> Run:
    """The run of a page for these choices: the one that goes on or has ended, or a new one."""
    held: dict[Hashable, Run] = st.session_state.setdefault(RUNS, {}).setdefault(name, {})
    run = held.pop(key, None)
    leave(name)
    if run is None or run.state is State.LEFT:
        found = [] if run is None else run.pieces
        run = Run(work, arguments(found), found=found, present=reader_present())
    held[key] = run  # last, as the most recent
    for old in list(held)[:-KEPT]:
        del held[old]
    run.follow()
    run.end_is_shown = not run.going
    return run


def leave(name: str) -> None:
    """End what still runs under this name; what it has found stays."""
    for run in st.session_state.get(RUNS, {}).get(name, {}).values():
        run.leave()


def forget(name: str) -> None:
    """Drop what was found under this name, and with it what it was found from."""
    leave(name)
    for kept in (RUNS, SHOWN):
        st.session_state.get(kept, {}).pop(name, None)


def latest(name: str, run: Run | None, chosen: Chosen) -> tuple[Chosen, Sequence[Any], bool]:
    """Choices and the pieces found for them, and whether they are older: the last stay while a run has none yet."""
    last: dict[str, tuple[Chosen, Sequence[Any]]] = st.session_state.setdefault(SHOWN, {})
    pieces = [] if run is None else list(run.pieces)
    if pieces:
        last[name] = (chosen, pieces)
    return (*last[name], not pieces) if name in last else (chosen, (), False)


def _press(act: Callable[[], None]) -> None:
    act()
    touch()


def follow(run: Run, place: Any, *, key: str, words: str, act: str, on_piece: Callable[[], None] | None = None) -> None:
    """Show how far a run is, with *Stop*; or why it ended, with *Go on*. The page is drawn again when it ends.

    `place` is an `st.empty` above the picture, drawn in every run of the page, so that the picture keeps its place;
    `act` is what *Stop* stops; `on_piece` draws the page with what has arrived.
    """
    if run.state is State.FINISHED and run.end_is_shown:
        return
    with place.container():
        if not run.going and run.end_is_shown:
            show.refused(run.failure)
            if run.may_resume:
                st.button(label("frame", "go_on", act=act), on_click=_press, args=(run.resume,), key=f"{key}.go_on")
            return
        told, halt = st.columns([4, 1.3], vertical_alignment="center")
        bar = told.progress(run.share, words)
        halt.button(label("frame", "stop", act=act), on_click=_press, args=(run.stop,), key=f"{key}.stop")
    after_page(lambda: _until_its_end(run, bar, words, on_piece))


def _until_its_end(run: Run, bar: Any, words: str, on_piece: Callable[[], None] | None) -> None:
    """Follow a run; a change of any choice, or a reader who has left, ends this in one of the calls of `progress`."""
    shown = len(run.pieces)
    while run.going:
        run.follow()
        done = {"words": words, "done": f"{run.done:,}", "total": f"{run.total:,}"}
        told = label("frame", "progress", **done) if run.total else words
        bar.progress(run.share, label("frame", "waiting", words=told) if run.state is State.WAITING else told)
        if on_piece is not None and len(run.pieces) > shown:
            shown = len(run.pieces)
            on_piece()
        time.sleep(TICK)
    if on_piece is not None and len(run.pieces) > shown:
        on_piece()
    st.rerun()
