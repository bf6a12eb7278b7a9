"""The questions about a promise: what must stay secret, about whom, what is one change; which guarantee, how often."""

from __future__ import annotations

import streamlit as st

from ui.frame.form import Form
from ui.views.promise import RELATION, SECRET, UNIT

GUARANTEES = {"pure": "pure ε", "approximate": "(ε, δ)", "zero_concentrated": "zero-concentrated, ρ"}
ROUTES = {
    "direct": "direct bound, any mechanism",
    "gaussian": "continuous Gaussian noise, exact",
    "discrete_gaussian": "discrete Gaussian noise, certified",
    "published": "published route",
}
SECRETS = {"presence": "whether somebody is in the data", "value": "which value somebody has"}
UNITS = {
    "person": "one person, one record",
    "records": "one person with several records",
    "household": "a household",
    "days": "one person over several days",
}
GROUPS = {"records": "Records of one person", "household": "People in it", "days": "Days"}
RELATIONS = {"add_or_remove": "one record added or removed", "replace": "one record replaced"}
PROMISE = "What must stay secret, about whom, and what counts as one change?"  # the fold around the questions
RELEASES = {"anything": "anything", "count": "one plain count"}


def ask_whom(form: Form) -> None:
    """About whom, and how many records belong together."""
    unit = form.choice("unit", UNITS, style="select", label=UNIT.label)
    if unit in GROUPS:
        form.number("group", label=GROUPS[unit])


def ask_change(form: Form) -> None:
    """What counts as one change of the data."""
    form.choice("relation", RELATIONS, style="select", label=RELATION.label)


def ask_secret(form: Form, *, beside: bool = True) -> None:
    """The three questions about a promise, the same on every page; `beside` puts them side by side."""
    columns = st.columns(3, gap="medium") if beside else [st.container()] * 3
    with columns[0]:
        form.choice("secret", SECRETS, style="select", label=SECRET.label)
    with columns[1]:
        ask_whom(form)
    with columns[2]:
        ask_change(form)


def ask_promise(form: Form) -> None:
    """Guarantee, unit of protection and number of releases, in three columns."""
    kind, unit, other = st.columns(3, gap="medium")
    with kind:
        form.choice("guarantee", GUARANTEES, style="select", label="For what guarantee?")
        if form.values["guarantee"] == "zero_concentrated":
            form.choice("route", ROUTES, style="select", label="From ρ to a belief by")
        if form.values["guarantee"] == "approximate":
            form.number("delta", label="δ, of all releases together")
        if form.values["guarantee"] != "pure":
            form.number("failure", label="Probability with which the promise may fail (δ′)")
    with unit:
        ask_whom(form)
        ask_change(form)
    with other:
        form.number("releases", label="How many releases share the budget?")
        form.choice("release", RELEASES, style="select", label="Each release is")
