"""Plan a publication."""

import streamlit as st

from ui.ask import publication as ask
from ui.ask.case import ask_decision
from ui.ask.explain import offer_presets
from ui.ask.plan import take_over
from ui.ask.sheet import edit_sheet, rows_before
from ui.frame.case import held_case
from ui.frame.form import Form, put_example
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.publication import IN_RHO, PRESETS, PublicationInputs, beginning, publication_view
from ui.words.catalogue import label

require_frame()
form = Form("publication", beginning(held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-publication"):
    left, centre = st.columns([1.5, 2.4], gap="medium")
with left:
    asked = st.container()
with st.expander(ask.words("rows.grid"), key="publication.grid"):
    sheet = edit_sheet(form, ask.TABLES, sentence=ask.words("last_tables"))
    form.flag("levels")
    levels_told = st.container()
with asked:
    ask.ask_in_words(form.values["tables"], form.values["geography"])
    told = st.container()
    ask.ask_budget(form)
offer_presets("publication", PRESETS, make=put_example)
below = st.container()
with st.expander(ask.words("fold.risk"), key="publication.risk"):
    ask.ask_line_and_promise(form)
clipping = ask.ask_clipping(form)
chosen = PublicationInputs(**form.close(), case=held_case())
show.tries(chosen.trial)
rows = rows_before(ask.TABLES, chosen.tables)
view, refusal = show.view_or_last_good("publication", publication_view, chosen, style(), rows, finished=chosen.finished)
with told:
    ask.tell(refusal, form.values["tables"])
    show.notice(view.exact)
    ask.offer("enough", dict(view.enough), "" if refusal else view.to_enough)
with levels_told:
    show.refused(view.levels_refusal)
with top:
    show.answer(view.answer, view.small_print, stale=refusal is not None)
    show.notice(view.notice)
with centre:
    if view.ranges is not None:
        ask.drag_ranges(view.ranges, chosen.tables, chosen.geography, noise=chosen.noise, stale=refusal is not None)
        show.reading(view.ranges)
    for sentence in (view.paid, view.keeping, view.other_noise):
        show.sentence(sentence)
    ask.offer("other_noise", {"noise": IN_RHO}, "" if refusal else view.to_other_noise)
    show.way(view.next)
    show.way(PageLink("publish", label("frame", "publish")))
with below:
    show.show_table(view.results)
    ask_decision("publication", style().voice)
    if view.frontier is not None:
        show.picture(view.frontier)
    if view.levels is not None:
        show.picture(view.levels)
        show.sentence(view.levels_attack)
    show.refused(view.levels_refusal)
if refusal is None:
    ask.show_advice(clipping, chosen)
for way in (view.to_line, view.to_hierarchy):
    show.way(way)
if view.ledger:
    take_over(view.ledger, view.released, view.to_ledger, stem="publication")
if view.computed:
    show.computed(view.computed, key="publication")
show.python_lines(ask.words("fold.opendp"), view.python_opendp, key="publication.opendp")
if refusal is None and view.results is not None:
    ask.offer_plan(chosen)
