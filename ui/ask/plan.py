"""The questions of *Several releases* beside the ledger: how many rounds, which promise, how rarely it may fail."""

from __future__ import annotations

from ui.frame.form import Form

EVERY = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "release": "single release",
}
RELEASED = {"count": "one plain count", "cells": "each cell of a table"}
PROMISES = {"cap": "one belief stays below a cap", "difference": "no belief changes by more than"}


def ask_promise(form: Form) -> None:
    """Rounds, promise and prior."""
    every = form.choice("every", EVERY, style="select", label="The ledger is one")
    form.slider("rounds", low=1, high=400, step=1, label=f"How many {every}s?")
    if form.choice("promise", PROMISES, style="select", label="You promise that") == "cap":
        form.slider("cap", low=0.5, high=0.99, step=0.01, format="percent", label="Cap on the belief")
    else:
        form.slider("difference", low=0.01, high=0.98, step=0.01, format="percent", label="Largest change")


def ask_small_print(form: Form) -> None:
    """Prior and both failure probabilities."""
    form.number("prior", label="Belief before")
    form.number("failure", label="The promise may fail with probability δ′")
    form.number("delta", label="δ of everything together, for totals in ε")
