"""The questions about a promise: which guarantee, for whom, for how many releases."""

from __future__ import annotations

import streamlit as st

from ui.inputs import Form

GUARANTEES = {"pure": "pure ε", "approximate": "(ε, δ)", "zero_concentrated": "zero-concentrated, ρ"}
ROUTES = {"direct": "direct bound, any mechanism", "gaussian": "Gaussian noise, exact", "published": "published route"}
UNITS = {"person": "one person", "household": "a household", "days": "one person over several days"}
NEIGHBOURS = {"unbounded": "adding or removing a record", "bounded": "replacing a record"}
RELEASES = {"anything": "anything", "count": "one plain count"}


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
        form.choice("unit", UNITS, style="select", label="Who is protected?")
        if form.values["unit"] != "person":
            form.number("group", label="People in it" if form.values["unit"] == "household" else "Days")
        form.choice("neighbours", NEIGHBOURS, style="select", label="Tables differ by")
    with other:
        form.number("releases", label="How many releases share the budget?")
        form.choice("release", RELEASES, style="select", label="Each release is")
