"""The questions about an attack: the noise and its budget, the draw, the meaning of the belief."""

from __future__ import annotations

from functools import partial

from ui.ask.method import ask_protection
from ui.frame.form import Form, choice_button
from ui.views.block.attack import NOISES
from ui.words.catalogue import label

word = partial(label, "block")


def ask_noise(form: Form) -> None:
    """What protects the count, and its budget or settings."""
    kind = NOISES.get(ask_protection(form))
    if kind is None:
        return
    if kind.budget_kind == "epsilon":
        form.number("epsilon")
        return
    if form.choice("level", style="select") == "own":
        form.number("rho")
    else:
        form.choice("tables", style="segmented")


def ask_draw(form: Form) -> None:
    """Draw again, draw a hundred."""
    seed, hundred = form.values["seed"], form.values["draws"] == "hundred"
    again = {"seed": seed + 1 if seed < form.fields["seed"].high else 0, "draws": "one"}
    choice_button(label("frame", "again"), form.stem, "again_button", again, type="primary", width="stretch")
    other = {"draws": "one" if hundred else "hundred"}
    choice_button(
        word("first_alone" if hundred else "draw_hundred"), form.stem, "hundred_button", other, width="stretch"
    )


def ask_more(form: Form) -> None:
    """The noise and its budget, what the belief means, what is true, what the noise hides, and the draw."""
    kind = NOISES.get(form.made("noise"))
    hides = ("hides",) if kind and (form.made("level") == "own" or kind.budget_kind == "epsilon") else ()
    form.beside(("asked", *hides), partial(ask_noise, form), ("seed", "counted"), gap="medium")
