"""The questions of *Test a claim*, and the one place where a reader's draws or guesses are read.

Files that were uploaded are kept in this session's memory and nowhere else: they are not written, logged or linked.
"""

from __future__ import annotations

import streamlit as st

from riskline.answers.audit import InOrder
from ui.frame.form import Form
from ui.frame.upload import ask_file, by_worker, offer_to_forget, show_fault
from ui.views.audit.held import LARGEST_UPLOAD, Held, read_upload, word
from ui.words.refusals import TOO_FAR

OWN = "_own_evidence"
FILE = "own_evidence_file"
BUDGETS = {"pure": ("epsilon",), "approximate": ("epsilon", "delta")}


def ask_evidence(form: Form) -> Held | None:
    """What is held against the claim; that of a file, where this session has one."""
    evidence = form.choice("evidence", style="select")
    if evidence == "guesses":
        form.beside("right", "guesses")
        form.number("coins")
        form.lines("chances", lambda chances: "\n".join(map(str, chances)), commas_part_counts=False)
        return None
    if evidence == "example":
        form.choice("mechanism", style="select")
        form.beside("draws", "seed")
        form.draw_again()
        return None
    with st.popover(word("own"), width="stretch"):
        read = by_worker(read_upload, TOO_FAR)
        ask_file(word("own.file"), FILE, read, most=LARGEST_UPLOAD, several=True, held=OWN)
        st.caption(word("own.help"))
        st.caption(word("own.promise"))
    show_fault(FILE)
    held: Held | None = st.session_state.get(OWN)
    if held is not None:
        offer_to_forget(word("own.forget"), f"{form.stem}.forget", held=[OWN], boxes=[FILE])
    return held


def ask_claim(form: Form) -> None:
    """What is claimed; a δ too where a ρ is bet against."""
    named = BUDGETS.get(form.choice("guarantee", style="select"), ("rho",))
    bets = form.values["order"] == "one_by_one" and named == ("rho",)
    form.ask(*named, *(["delta"] if bets else []))


def ask_reading(form: Form) -> None:
    """How the evidence is read, and how sure a refusal has to be."""
    form.choice("order", style="segmented")
    form.number("level")


def ask_before(form: Form, own: Held | None) -> None:
    """What is supposed before any draw; of guesses, pure claims alone are planned with."""
    guessed = form.values["evidence"] == "guesses" or isinstance(own, InOrder)
    if not guessed or form.values["guarantee"] == "pure":
        form.ask("supposed", "power")
