"""The questions about an attack: the noise and its budget, the draw, the meaning of the belief."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ui.frame.form import Form, put
from ui.views.block.attack import NOISES
from ui.words.catalogue import label

word = partial(label, "block")


def ask_noise(form: Form) -> None:
    """Kind of noise and its budget."""
    form.choice("noise", style="segmented")
    if NOISES[form.values["noise"]].asked[1] == "epsilon":
        form.number("epsilon")
        return
    form.choice("level", style="select")
    if form.values["level"] == "own":
        form.number("rho")


def ask_draw(form: Form) -> None:
    """Draw again, draw a hundred; the seed is in the link."""
    stem, seed = form.stem, form.values["seed"]
    st.button(
        word("again"),
        on_click=put,
        args=(stem,),
        kwargs={"seed": seed + 1 if seed < form.fields["seed"].high else 0, "draws": "one"},
        key=f"{stem}.again_button",
        type="primary",
        width="stretch",
    )
    hundred = form.values["draws"] == "hundred"
    st.button(
        word("first_alone" if hundred else "draw_hundred"),
        on_click=put,
        args=(stem,),
        kwargs={"draws": "one" if hundred else "hundred"},
        key=f"{stem}.hundred_button",
        width="stretch",
    )
    form.number("seed")


def ask_more(form: Form) -> None:
    """What the belief means, what is true, what the noise hides, how the curve is shown."""
    first, second, third, fourth = st.columns(4, gap="medium")
    with first:
        form.choice("question", style="select")
    with second:
        form.flag("counted")
    with third:
        form.choice("hides", style="select")
    with fourth:
        form.choice("scale", style="segmented")


def ask_missing(form: Form) -> None:
    """How many more people are unknown to the attacker, and what is believed about each."""
    first, second = st.columns(2)
    with first:
        form.slider("missing")
    with second:
        form.slider("missing_belief")
