"""The questions about a promise: what must stay secret, about whom, what is one change; which guarantee, how often."""

from __future__ import annotations

import streamlit as st

from riskline.case.choices import GROUPS
from ui.frame.form import Form
from ui.words.catalogue import option_words


def ask_whom(form: Form) -> None:
    """About whom, and how many records belong together."""
    unit = form.choice("unit", style="select")
    if unit in GROUPS:
        form.number("group")


def ask_change(form: Form) -> None:
    """What counts as one change of the data."""
    form.choice("relation", style="select")


def choose_secret(form: Form) -> None:
    """What must stay secret; both beliefs at once only where a line made the case about both."""
    words = option_words("case", "secret")
    if form.values["secret"] != "both":
        del words["both"]
    form.choice("secret", words, style="select")


def ask_secret(form: Form, *, beside: bool = True) -> None:
    """The three questions about a promise, the same on every page; `beside` puts them side by side."""
    columns = st.columns(3, gap="medium") if beside else [st.container()] * 3
    with columns[0]:
        choose_secret(form)
    with columns[1]:
        ask_whom(form)
    with columns[2]:
        ask_change(form)


def ask_promise(form: Form) -> None:
    """Guarantee, unit of protection and number of releases, in three columns."""
    kind, unit, other = st.columns(3, gap="medium")
    with kind:
        form.choice("guarantee", style="select")
        if form.values["guarantee"] == "zero_concentrated":
            form.choice("route", style="select")
        if form.values["guarantee"] == "approximate":
            form.number("delta")
        if form.values["guarantee"] != "pure":
            form.number("failure")
    with unit:
        ask_whom(form)
        ask_change(form)
    with other:
        form.number("releases")
        if form.choice("release", style="select") == "table":
            form.number("areas")
