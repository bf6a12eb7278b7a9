"""Does public information help or hurt?"""

from dataclasses import replace

import streamlit as st

from ui.ask.public_information import LINES, ask_rest, ask_side, own_records
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.runs.follow import asked, follow, latest
from ui.views.public_information import FIELDS, PublicInformationInputs, arriving, public_information_view
from ui.views.shared.strip import tried
from ui.words.catalogue import label, say

require_frame()
form = Form("public_information", FIELDS)
show.refusals(form.refusals)
top = st.empty()
with st.container(key="riskline-stage-public_information"):
    left, centre = st.columns([1.0, 2.4], gap="medium")
with left:
    helping = ask_side(form)
with centre:
    running, main = st.empty(), st.empty()
    show.way(PageLink("publication", label("public_information", "next")))
ask_rest(form, helping=helping)
folded = st.container()
own = own_records(form) if helping else None
chosen = PublicInformationInputs(**form.close())
if not helping:
    show.tries(tried(chosen.target, "epsilon", held_case()))
drawn: set[tuple[bool, str]] = set()


def draw() -> str:
    """The page with what has arrived so far; a picture that is there stays as it is."""
    (told, files), pieces, older = latest(LINES, run, (chosen, own)) if run else ((chosen, own), (), False)
    view, refusal = show.view_or_last_good("public_information", public_information_view, told, style(), pieces, files)
    with top.container():
        show.refused(refusal)
        show.answer(view.answer, view.small_print, stale=older or refusal is not None)
        if older:
            show.notice(say("public_information", style().voice, "older"))
        show.sentence(view.note)
    picture = view.picture
    if picture is not None and (older, picture.key) not in drawn:
        drawn.add((older, picture.key))
        with main.container():
            show.picture(replace(picture, key=f"older-{picture.key}") if older else picture)
    elif picture is None:
        main.empty()
    return view.computed


run = asked(LINES, (chosen.study, own), arriving, lambda found: (chosen, own, found)) if helping else None
with folded:
    show.computed(draw(), key="public_information")
if run:
    words, act = label("public_information", "drawing"), label("public_information", "drawing_act")
    follow(run, running, key="public_information", words=words, act=act, on_piece=draw)
