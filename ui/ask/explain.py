"""The questions of *What an ε means*: a promise or a mechanism, its budget, the belief before; published examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from dpcore.mechanisms import mechanism_kind
from riskline.case.releases import BY_RHO
from ui.ask.line import ask_secret, ask_whom, choose_secret
from ui.frame.form import Form, choice_button, put
from ui.views.explain.meaning import DEPLOYMENTS, MECHANISMS, Preset
from ui.words.catalogue import label, option_words


def ask_budget(form: Form) -> None:
    """The privacy budget, or whose published one."""
    kind = form.values["guarantee"]
    if kind == "deployment":
        form.choice("deployment", {name: name for name in DEPLOYMENTS}, style="select")
    else:
        form.slider("rho" if kind in BY_RHO else "epsilon")


def ask_release(form: Form) -> None:
    """The belief before, what is known of the release, and what belongs to that kind."""
    kind = form.values["guarantee"]
    mechanism = mechanism_kind(kind)
    more: tuple[str, ...] = ("delta",) if kind in ("approximate", "probabilistic") else ()
    more += ("failure",) if kind != "pure" else ()
    more += mechanism.choices() if mechanism is not None else ()
    known = ("guarantee", "reading") if kind in MECHANISMS else ("guarantee",)
    form.beside(partial(form.slider, "prior"), known, more, gap="medium")


def ask_whose_secret(form: Form) -> None:
    """What must stay secret, about whom, what one change is, and what the noise is on: only what is open for the kind.

    The answer of a local survey is its secret, and a published budget brings its own unit and its own change.
    """
    kind = form.values["guarantee"]
    mechanism = mechanism_kind(kind)
    if mechanism is not None and mechanism.is_local:
        ask_whom(form)
    elif kind == "deployment":

        def ask_unit() -> None:
            if form.choice("unit", option_words("explain", "published_unit"), style="select") != "person":
                form.number("group")

        form.beside(partial(choose_secret, form), ask_unit, gap="medium")
    else:
        ask_secret(form)
    if mechanism is not None and not mechanism.is_local:
        form.choice("released", style="segmented")


def ask_test(form: Form) -> None:
    """How many a test of the secret may accuse wrongly: the point on the picture of what it then finds."""
    st.header(label("explain", "heading.test"))
    rate, axis = st.columns([2, 1], gap="medium", vertical_alignment="center")
    with rate:
        form.slider("false_alarm")
    with axis:
        form.flag("log_accused")


def offer_presets(stem: str, presets: Sequence[Preset], *, make: Callable[..., None] = put) -> None:
    """One button for each published example; it sets every choice of the page."""
    with st.container(horizontal=True, key=f"riskline-presets-{stem}"):
        for place, preset in enumerate(presets):
            choice_button(preset.label, stem, f"preset.{place}", preset.values, make=make, type="tertiary")
