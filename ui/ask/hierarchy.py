"""The questions of the attack through the hierarchy: the belief about the other blocks, the release, the setting."""

from __future__ import annotations

import streamlit as st

from ui.frame.form import Form
from ui.views.hierarchy import encode_levels


def ask_attack(form: Form) -> None:
    """What the attacker believes about the other blocks."""
    chosen = form.choice("belief")
    if chosen == "bounded":
        form.number("largest")
    elif chosen == "point":
        form.number("total")
    elif chosen == "sparse":
        form.number("empty")


def ask_setting(form: Form) -> None:
    """What is published, budgets, blocks, what is known."""
    left, middle, right = st.columns(3)
    with left:
        if form.choice("budget", style="segmented") == "census":
            form.number("total_rho")
        else:
            form.number("rho_block")
            form.number("rho_group")
            form.lines("rho_above", encode_levels, commas_part_counts=False)
            form.lines("siblings_above", encode_levels, commas_part_counts=False)
    with middle:
        form.number("x1")
        form.number("x2")
        form.number("y")
    with right:
        form.number("siblings")
        form.number("prior")
        form.number("known")
