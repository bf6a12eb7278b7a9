"""The questions of *What an ε means*: a promise or a mechanism, its budget, the belief before; published examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui.ask.promise import ask_secret, ask_whom, choose_secret
from ui.frame.form import Form, put
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
RELEASED = {
    "count": "one plain count",
    "cells": "a table of counts, noise on each cell",
    "difference": "the difference of two counts",
}
UNITS = {
    "person": "one unit, as published",
    "records": "several units of one person",
    "household": "the units of a household",
    "days": "the units of several days",
}
READING_WORDS = dict(zip(READINGS, ("any mechanism", "any view", "this one exactly", "on average"), strict=True))


def ask_guarantee(form: Form) -> None:
    """What is released, its budget, the belief before, and what belongs to that kind."""
    kind = form.choice("guarantee", KINDS, style="select")
    if kind == "deployment":
        form.choice("deployment", {name: name for name in DEPLOYMENTS}, style="select")
    elif kind in ("zero_concentrated", "gaussian", "discrete_gaussian"):
        form.slider("rho")
    else:
        form.slider("epsilon")
    form.slider("prior")
    if kind in MECHANISMS:
        form.choice("reading", READING_WORDS, style="select")
    if kind in ("approximate", "probabilistic"):
        form.number("delta")
    if kind != "pure":
        form.number("failure")
    if kind in ("geometric", "discrete_gaussian"):
        form.number("sensitivity")
    if kind == "randomised_response":
        form.number("categories")


def ask_whose_secret(form: Form) -> None:
    """What must stay secret, about whom, what one change is, and what the noise is on: only what is open for the kind.

    The answer of a local survey is its secret, and a published budget brings its own unit and its own change.
    """
    kind = form.values["guarantee"]
    if kind == "randomised_response":
        ask_whom(form)
    elif kind == "deployment":
        secret, unit = st.columns(2, gap="medium")
        with secret:
            choose_secret(form)
        with unit:
            if form.choice("unit", UNITS, style="select") != "person":
                form.number("group")
    else:
        ask_secret(form)
    if kind in MECHANISMS and kind != "randomised_response":
        form.choice("released", RELEASED, style="segmented")


def ask_test(form: Form) -> None:
    """How many a test of the secret may accuse wrongly: the point on the picture of what it then finds."""
    st.header("What can a test of the secret find?")
    rate, axis = st.columns([2, 1], gap="medium", vertical_alignment="center")
    with rate:
        form.slider("false_alarm")
    with axis:
        form.flag("log_accused")


def offer_presets(stem: str, presets: Sequence[Preset], *, set_all: Callable[..., None] = put) -> None:
    """One button for each published example; it sets every choice of the page."""
    with st.container(horizontal=True, key=f"riskline-presets-{stem}"):
        for place, preset in enumerate(presets):
            st.button(
                preset.label,
                key=f"{stem}.preset.{place}",
                on_click=set_all,
                args=(stem,),
                kwargs=preset.values,
                type="tertiary",
            )
