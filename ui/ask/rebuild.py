"""The questions of rebuilding a block, and the run over many draws: started, followed and stopped by buttons."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.populations import CountTable
from ui.ask.table_choice import ask_table, own_table
from ui.frame.form import Form, put
from ui.views.rebuild import RebuildInputs, sweep

SOURCES = {"block": "A synthetic block", "table": "A table"}
NOISES = {"discrete_gaussian": "Discrete Gaussian", "geometric": "Geometric", "none": "None"}
RUNNING = "_rebuild_running"
KEPT = "_rebuilt"


def ask_block(form: Form) -> CountTable | None:
    """Which block; returns the session's own table when one is asked for."""
    if form.choice("source", SOURCES, style="segmented") == "table":
        return ask_table(form, person=False)
    form.slider("people", low=5, high=60)
    form.number("block")
    return None


def ask_noise(form: Form) -> None:
    """The noise, its budget, and another draw of it."""
    noise = form.choice("noise", NOISES, style="select", label="Noise of each count")
    if noise != "none":
        form.number("epsilon" if noise == "geometric" else "rho")
        st.button(
            f"Draw again (now seed {form.values['seed']})",
            on_click=put,
            args=("rebuild",),
            kwargs={"seed": (form.values["seed"] + 1) % 1_000_000},
            key="rebuild.again",
        )


def ask_rules(form: Form) -> None:
    """What else the attacker knows, the seed and the time limit."""
    left, right = st.columns(2)
    with left:
        form.flag("size_known")
        form.number("seed")
    with right:
        form.number("limit")


def _set_running(chosen: RebuildInputs | None) -> None:
    st.session_state[RUNNING] = chosen


def kept() -> dict[Any, Any]:
    """What this session has rebuilt; forgotten together with the reader's own table."""
    held = st.session_state.get(KEPT)
    if held is None or held[0] is not own_table():
        held = st.session_state[KEPT] = (own_table(), {})
    done: dict[Any, Any] = held[1]
    return done


def sweep_controls(chosen: RebuildInputs, own: CountTable | None, done: dict[Any, Any]) -> None:
    """A button that starts the draws over the budget, one that stops them, and their progress."""
    if chosen.noise == "none":
        return
    running = st.session_state.get(RUNNING) == chosen
    start = "Rebuild at seven budgets, ten draws each"
    with st.container(horizontal=True):
        st.button(start, on_click=_set_running, args=(chosen,), key="rebuild.run", disabled=running)
        st.button("Stop", on_click=_set_running, args=(None,), key="rebuild.stop", disabled=not running)
    if not running:
        return
    bar = st.progress(0.0, "Rebuilding")
    for share in sweep(chosen, own, done):
        bar.progress(share, f"Rebuilding: {share:.0%} done")
    _set_running(None)
    st.rerun(scope="fragment")
