"""The questions about positions: whose line, and what all of them share."""

from __future__ import annotations

from functools import partial
from typing import Any

from ui.ask.line import ask_held, ask_template, ask_whom
from ui.frame.form import Form
from ui.views.positions.standing import told_apart


def ask_whose(form: Form) -> None:
    """Which position the editor shows, its name and its line."""
    parties = _newest(form, "parties")
    for number in range(1, parties + 1):
        # a name can arrive together with the choice of another position, and its box is then drawn no more
        form.values[f"name{number}"] = _newest(form, f"name{number}")
    called = told_apart(tuple(str(form.values[f"name{number}"]) for number in range(1, parties + 1)))
    number = form.pick("edited", dict(enumerate(called, start=1)))
    form.number(f"name{number}")
    ask_template(form, suffix=str(number))


def _newest(form: Form, name: str) -> Any:
    """A choice as just made, before its widget is drawn again; the last good one when it cannot be used."""
    try:
        return form.made(name)
    except ValueError:
        return form.values[name]


def ask_all(form: Form, *, technical: bool) -> None:
    """What all positions share: how many, about what, the one line for all."""
    about = "secret", partial(ask_held, form, technical=technical), partial(ask_whom, form), "relation"
    form.beside((partial(form.slider, "parties"), "middle"), about, gap="medium")
