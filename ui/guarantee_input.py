"""The questions of *What an ε means*: a promise or a mechanism, its budget, the belief before; published examples."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui import inputs
from ui.views.explain import DEPLOYMENTS, MECHANISMS, READINGS, Preset

KINDS = {
    "pure": "a promise: pure ε",
    "approximate": "a promise: (ε, δ)",
    "probabilistic": "a promise: probabilistic (ε, δ)",
    "zero_concentrated": "a promise: zero-concentrated, ρ",
    "geometric": "a mechanism: geometric noise",
    "laplace": "a mechanism: Laplace noise",
    "randomised_response": "a mechanism: randomised response",
    "gaussian": "a mechanism: Gaussian noise",
    "discrete_gaussian": "a mechanism: discrete Gaussian noise",
    "deployment": "a published budget",
}
READING_WORDS = dict(zip(READINGS, ("any mechanism", "any view", "this one exactly", "on average"), strict=True))


def ask_guarantee(form: inputs.Form) -> None:
    """What is released, its budget, the belief before, and what belongs to that kind."""
    kind = form.choice("guarantee", KINDS, style="select", label="What is released?")
    if kind == "deployment":
        form.choice("deployment", {name: name for name in DEPLOYMENTS}, style="select", label="Which one?")
    elif kind in ("zero_concentrated", "gaussian", "discrete_gaussian"):
        form.slider("rho", low=0.005, high=3.0, step=0.005, format="%.3f", label="Budget ρ: right is less private")
    else:
        form.slider("epsilon", low=0.05, high=8.0, step=0.05, label="Budget ε: right is less private")
    form.slider("prior", low=0.01, high=0.99, step=0.01, format="percent", label="Belief before the release")
    if kind in MECHANISMS:
        form.choice("reading", READING_WORDS, style="select", label="Read it for")
    if kind in ("approximate", "probabilistic"):
        form.number("delta", label="δ")
    if kind not in ("pure", "probabilistic"):
        form.number("failure", label="May fail with probability δ′")
    if kind in ("geometric", "discrete_gaussian"):
        form.number("sensitivity", label="One person changes the count by up to")
    if kind == "randomised_response":
        form.number("categories", label="Possible answers")


def offer_presets(stem: str, presets: Sequence[Preset]) -> None:
    """One button for each published example; it sets every choice of the page."""
    with st.container(horizontal=True, key=f"riskline-presets-{stem}"):
        for place, preset in enumerate(presets):
            st.button(
                preset.label,
                key=f"{stem}.preset.{place}",
                on_click=inputs.put,
                args=(stem,),
                kwargs=preset.values,
                type="tertiary",
            )
