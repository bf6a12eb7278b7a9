"""The questions about an attack: the noise and its budget, the draw, the meaning of the belief."""

from __future__ import annotations

import streamlit as st

from ui.frame.form import Form, put

NOISES = {"gaussian": "as in the census", "geometric": "for pure ε"}
LEVELS = {
    "block": "2020 census, block: 0.0992",
    "block_group": "2020 census, block group: 0.2465",
    "tract": "2020 census, tract: 0.0504",
    "county": "2020 census, county: 0.0514",
    "state": "2020 census, state: 0.0505",
    "nation": "2020 census, nation: 0.0509",
    "own": "another budget",
}
HIDES = {
    "presence": "who is in (one added or removed)",
    "answers": "answers (one record replaced)",
}
QUESTIONS = {
    "characteristics": "Is one more such person there?",
    "answered": "Did they answer at all?",
    "truthful": "Did they answer truthfully?",
    "unknown_variable": "What is the one characteristic I do not know?",
}


def ask_noise(form: Form) -> None:
    """Kind of noise and its budget."""
    form.choice("noise", NOISES, style="segmented")
    if form.values["noise"] == "geometric":
        form.number("epsilon")
        return
    form.choice("level", LEVELS, style="select")
    if form.values["level"] == "own":
        form.number("rho")


def ask_draw(form: Form) -> None:
    """Draw again, draw a hundred; the seed is in the link."""
    stem, seed = form.stem, form.values["seed"]
    st.button(
        "Draw again",
        on_click=put,
        args=(stem,),
        kwargs={"seed": seed + 1 if seed < form.fields["seed"].high else 0, "draws": "one"},
        key=f"{stem}.again_button",
        type="primary",
        width="stretch",
    )
    hundred = form.values["draws"] == "hundred"
    st.button(
        "Show the first alone" if hundred else "Draw 100",
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
        form.choice("question", QUESTIONS, style="select")
    with second:
        form.flag("counted")
    with third:
        form.choice("hides", HIDES, style="select")
    with fourth:
        form.choice("scale", {"belief": "belief", "risk": "times the belief before"}, style="segmented")


def ask_missing(form: Form) -> None:
    """How many more people are unknown to the attacker, and what is believed about each."""
    first, second = st.columns(2)
    with first:
        form.slider("missing")
    with second:
        form.slider("missing_belief")
