"""The questions of *What an ε means*: a promise or a mechanism, its budget, the belief before; published examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from dpcore.mechanisms import Curve, curve_kind, mechanism_kind
from riskline.case.releases import BY_RHO
from ui.ask.line import ask_secret, ask_whom, choose_secret
from ui.frame import show
from ui.frame.form import Form, choice_button, put
from ui.frame.upload import ask_file, by_worker, offer_to_forget, show_fault
from ui.link.mechanism_file import OWN, read_choices
from ui.link.sheet_file import LARGEST_FILE
from ui.views.explain.meaning import DEPLOYMENTS, MECHANISMS, word
from ui.views.shared.own_mechanism import CURVE_KINDS, LARGEST_EPSILON, NOTHING, parameters_of
from ui.words.catalogue import label, option_words, say
from ui.words.refusals import TOO_FAR

HELD = "_own_mechanism"
FILE = "own_mechanism_file"


def ask_budget(form: Form, voice: str) -> Curve | None:
    """The privacy budget, or whose published one, or a mechanism by its parameters; or that of a file."""
    kind = form.values["guarantee"]
    if kind == "deployment":
        form.choice("deployment", {name: name for name in DEPLOYMENTS}, style="select")
    elif kind not in CURVE_KINDS:
        form.slider("rho" if kind in BY_RHO else "epsilon")
    return ask_mechanism(form, "guarantee", voice)


def ask_mechanism(form: Form, choice: str, voice: str) -> Curve | None:
    """The parameters of a mechanism known by its curve, of the kind that is chosen; or that of a file."""
    kind = form.values[choice]
    if curve := curve_kind(kind):
        form.ask(*parameters_of(curve))
    own = _ask_file(form, choice) if kind == OWN else None
    if kind in CURVE_KINDS:
        show.caption(say("explain", voice, "uncovered"))
    return own


def ask_also(form: Form, voice: str) -> Curve | None:
    """A mechanism beside what the page is about, with its parameters; that of a file where it is one."""
    words = {kind: label("explain", f"guarantee.{kind}") for kind in CURVE_KINDS}
    form.choice("also", {NOTHING: label(form.stem, "also.nothing")} | words, style="select")
    return ask_mechanism(form, "also", voice)


def _ask_file(form: Form, choice: str) -> Curve | None:
    """The mechanism of a file, which stays in this session; parameters that it holds become the page's."""

    def take(content: bytes) -> None:
        choices, own = by_worker(read_choices, TOO_FAR)(content, LARGEST_EPSILON)
        st.session_state[HELD] = own
        put(form.stem, **{choice if name == "guarantee" else name: value for name, value in choices.items()})

    ask_file(word("own.file"), FILE, take, most=LARGEST_FILE, kind="csv")
    show_fault(FILE)
    show.caption(f"{word('own.help')} {label('audit', 'own.promise')}")
    held: Curve | None = st.session_state.get(HELD)
    if held is not None:
        offer_to_forget(label("audit", "own.forget"), f"{form.stem}.forget", held=[HELD], boxes=[FILE])
    return held


def ask_release(form: Form) -> None:
    """The belief before, what is known of the release, and what belongs to that kind."""
    kind = form.made("guarantee")
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
    mechanism, curve = mechanism_kind(kind), curve_kind(kind)
    if (mechanism is not None and mechanism.is_local) or (curve is not None and curve.is_local):
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


def offer_presets(stem: str, presets: Mapping[str, Mapping[str, Any]], *, make: Callable[..., None] = put) -> None:
    """One button for each published example; it sets every choice of the page."""
    with st.container(horizontal=True, key=f"riskline-presets-{stem}"):
        for place, (name, values) in enumerate(presets.items()):
            words = label(stem, f"preset.{name}")
            choice_button(words, stem, f"preset.{place}", values, make=make, type="tertiary")
