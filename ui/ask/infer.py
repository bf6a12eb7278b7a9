"""The questions of learning from a noisy release: the release, the prior, the sums of a regression, the study."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from riskline.case.value import EXAMPLE
from ui.ask.publish import ask_parts, ask_release
from ui.frame.form import Form, put, touch
from ui.frame.upload import ask_file, empty_box, show_fault
from ui.runs.follow import asked, follow, latest, leave
from ui.views.infer.learned import BUDGETS, LARGEST, MOST_VALUES, SUMS, InferInputs, drawn_release
from ui.views.infer.view import SEED, regression_draws
from ui.views.publish.held import Held, example
from ui.views.shared.typed_table import LARGEST_FILE, read_values
from ui.words.catalogue import label

VALUES = "own_values_file"
DRAWS = "draws of the regression"
ASKED = "_regression_asked"
"""The numbers that a reader last had computed: typed sums wait for the button, because they come one by one."""


def ask(form: Form) -> Held | None:
    """The control that matters most for the chosen question, and what belongs beside it; the noisy folder held."""
    if form.values["part"] == "folder":
        own = ask_release(form)
        shown = own or example(EXAMPLE, SEED)  # its parts have the same names under every case
        ask_parts(form, shown, "table", "time", "level", "cell", "area", level="of_level")
        return own
    if form.values["part"] == "regression":
        form.number("rho_sums" if form.choice("currency", style="segmented") == "rho" else "epsilon_each")
        form.flag("compute")
    elif form.values["part"] == "coverage":
        form.choice("study_epsilon", {"0.1": "0.1", "1": "1"}, style="segmented")
        form.choice("population")
        form.choice("measure")
    else:
        if form.choice("prior", style="select") == "conjugate":
            low, high = _bounds(form)
            if low < high:
                form.slider("guess", low=low, high=high)
        elif form.values["prior"] == "power":
            form.slider("power")
        form.ask(*BUDGETS[form.choice("currency", style="segmented")])
    return None


def _bounds(form: Form) -> list[float]:
    """The bounds of the values in their order, as they are typed further down just now; if not, as they were."""
    try:
        return sorted((form.made("lower"), form.made("upper")))
    except ValueError:
        return sorted((form.values["lower"], form.values["upper"]))


def _ask_own_values(form: Form) -> None:
    """A file of values, from which a noisy mean and variance are drawn; nothing else of it is kept."""
    with st.popover(label("infer", "own_values"), width="stretch"):
        file, layout = (label("infer", f"own_values.{name}") for name in ("file", "layout"))
        ask_file(file, VALUES, partial(_draw, form), most=LARGEST_FILE, kind="csv", help=layout)
        st.caption(label("infer", "own_values.promise"))
    show_fault(VALUES)


def _draw(form: Form, content: bytes) -> None:
    """Put the noisy mean and variance in the place of the published ones, and let go of the values."""
    given = {name: form.values[name] for name in ("lower", "upper", *BUDGETS[form.values["currency"]])}
    values = read_values(content, most=MOST_VALUES, largest=LARGEST)
    drawn = drawn_release(values, **given, generator=np.random.default_rng())
    choices = {"n": drawn.n, "mean": drawn.mean, "variance": drawn.variance}
    for name, value in choices.items():
        form.fields[name].decode(form.fields[name].encode(value))  # refused where no link could hold it
    put(form.stem, **choices)
    empty_box(VALUES)


def ask_more(form: Form) -> None:
    """The data and the rest of the belief: the sums of a regression, or what was published of values in bounds."""
    if form.values["part"] == "folder":
        form.ask("level")
        return
    if form.values["part"] == "regression":
        sums = "points", *SUMS, partial(form.choice, "sums")
        form.beside(sums, ("intercept_guess", "slope_guess", "line_weight"), ("shape", "rate", "draw_seed"))
        return
    published = "n", "mean", "variance", partial(_ask_own_values, form)
    weight = (partial(form.slider, "guess_weight"),) if form.values["prior"] == "conjugate" else ()
    form.beside(published, ("lower", "upper", "level"), ("guess_spread", "spread_weight", *weight))


def drawn(chosen: InferInputs, place: Any, *, afresh: bool) -> tuple[InferInputs, Any, bool]:
    """What the regression shows: the choices, their draws if there are any, and whether newer ones are to come.

    Choices that came `afresh` from a link are computed at once.
    """
    if chosen.part != "regression" or not chosen.compute:
        st.session_state.pop(ASKED, None)
        return chosen, None, False
    if not usable(chosen):
        return chosen, regression_draws(chosen), False  # a sentence, at once
    key = (chosen.noisy_sums, chosen.line_prior, chosen.draw_seed)
    if chosen.sums == "own" and not afresh and st.session_state.get(ASKED, key) != key:
        leave(DRAWS)
        place.button(label("infer", "compute_typed"), on_click=_ask_for, args=(key,), key="infer.with_these")
        run = None
    else:
        st.session_state[ASKED] = key
        run = asked(DRAWS, key, regression_draws, lambda found: (chosen,))
        follow(run, place, key="infer", words=label("infer", "drawing"), act=label("infer", "drawing.act"))
    told, pieces, older = latest(DRAWS, run, chosen)
    return told, next(iter(pieces), None), older


def _ask_for(key: object) -> None:
    st.session_state[ASKED] = key
    touch()


def usable(chosen: InferInputs) -> bool:
    """Whether the choices of the regression make a release at all."""
    try:
        return bool(chosen.noisy_sums.n and chosen.line_prior)
    except ValueError:
        return False
