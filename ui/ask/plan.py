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
    form.choice("every", EVERY, style="select")
    form.slider("rounds")
    if form.choice("promise", PROMISES, style="select") == "cap":
        form.slider("cap")
    else:
        form.slider("difference")


def ask_small_print(form: Form) -> None:
    """Prior and both failure probabilities."""
    form.number("prior")
    form.number("failure")
    form.number("delta")
