"""The one group of questions that sets the case, the way of a decision through it step by step, and the interview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from riskline.answers import CaseBudget, standing
from riskline.case.choices import FIELDS as CASE
from riskline.case.choices import LINE_NAMES
from riskline.case.fields import Field
from riskline.case.interview import line_of
from riskline.case.value import Case, State
from ui.ask.line import ask_secret, ask_whom, choose_secret, draw_line, offer_answers
from ui.frame import show
from ui.frame.case import MADE_HERE, held_case, hold_case, is_claim, touch
from ui.frame.form import Form, put
from ui.link.page_table import PageLink
from ui.pictures.style import Style
from ui.views.accuracy import FIELDS as ACCURACY
from ui.views.accuracy import INVENTED
from ui.views.choose import FIELDS as CHOOSE
from ui.views.choose import ChooseInputs, choose_view
from ui.views.choose.view import Questions
from ui.views.home import STEPS
from ui.views.memo import FIELDS as MEMO
from ui.views.shared.strip import budget_each, decided_when
from ui.views.shared.typed_table import Districts, districts_as_lines
from ui.words.catalogue import label, option_words, say


def interview_fold(form: Form) -> DeltaGenerator:
    """The fold, open when the link brought answers."""
    begun = st.session_state.setdefault(f"{form.stem}.interview_begun", bool(form.values["interview"]))
    return st.expander(label(form.stem, "questions"), key=f"{form.stem}.interview", expanded=begun)


def ask_interview(form: Form, asked: Questions | None, voice: str, *, begun: bool = False) -> None:
    """The question that comes next, `begun` where the secret is told already; or why there is none."""
    stem = form.stem
    if asked is None:
        show.sentence(say(stem, voice, "interview_none"))
        return
    if not begun:
        form.text("hidden")
    show.sentence(asked.question)
    show.caption(asked.note)
    if asked.tables is not None:
        _ask_tables(stem, form.fields["releases"], asked.tables, asked.counted)
    if begun and asked.back == "c":  # how many tables was told before
        asked = replace(asked, back=None)
    offer_answers(stem, asked, lambda name: label(stem, f"questions.{name}"), partial(_take, stem))


def _ask_tables(stem: str, releases: Field, tables: int, counted: str) -> None:
    key = f"{stem}.interview_tables"
    least, most = int(releases.low), int(releases.high)
    st.number_input(label(stem, "questions.tables"), least, most, tables, step=1, key=key)

    def take() -> None:
        put(stem, releases=st.session_state[key] or tables, interview=counted)

    st.button(label(stem, "questions.counted"), key=f"{stem}.interview_counted", on_click=take)


def _take(stem: str, answers: str) -> None:
    put(stem, **line_of(answers))


BY, DATE, REASON = "case.by", "case.date_of_decision", "case.reason"


def ask_case() -> None:
    """The questions that set the case, the same on every page."""
    form = Form("case", tuple(CASE.values()), of_page=False)
    form.ask("title", "released", "hidden", "one", "many", "office")
    choose_secret(form)
    ask_whom(form)
    form.ask("relation", "release")
    release = form.values["release"]
    form.ask(*{"table": ("areas", "moves"), "tables": ("moves",)}.get(release, ()), "prior", "failure")


def take_line(stem: str, line: Mapping[str, Any], voice: str) -> None:
    """A button that makes one of several lines the case's."""

    def take() -> None:
        hold_case(held_case().without(*LINE_NAMES, "interview").with_choices(**line))
        touch()

    st.button(say("case", voice, "take_line"), key=f"{stem}.take_line", on_click=take)


def ask_decision(page: str, voice: str) -> bool:
    """Whether the case's budget was just decided on: by whom, when and why, and one button where there is a budget."""
    case = held_case()
    decision, budget = case.decision, None if case.is_example else _to_decide_on(case)
    if case.state in (State.DECIDED, State.DECIDED_FOR_ANOTHER) and decision is not None:
        was = budget_each(decision.value, decision.currency, case["releases"])
        name = "decide_done" if case.state is State.DECIDED else "decide_again"
        show.sentence(say("case", voice, name, budget=was, when=decided_when(case, voice)))
    if budget is None:
        if decision is None:
            show.caption(say("case", voice, "decide_nothing"))
        return False
    done, said = None if is_claim(case) else decision, budget_each(budget.value, budget.currency, case["releases"])
    before = ("", "", "") if done is None else (done.by, done.date, done.reason)
    for key, name, held in zip((BY, DATE, REASON), ("decided_by", "decided_on", "reason"), before, strict=True):
        st.text_input(label("case", name), held, key=key, max_chars=300)
    kind: Literal["primary", "secondary"] = "secondary" if case.state is State.DECIDED else "primary"
    words = say("case", voice, "decide", budget=said)
    return st.button(words, type=kind, key=f"{page}.decide", on_click=_decide, args=(page,))


def _to_decide_on(case: Case) -> CaseBudget | None:
    """The budget of the line as it is now, whatever was decided or published before."""
    return standing(case.without("chosen", "published")).budget


def _decide(page: str) -> None:
    case, state = held_case(), st.session_state
    budget = _to_decide_on(case)
    if budget is None:
        return
    words = {name: str(state.get(key, "")) for name, key in (("by", BY), ("date", DATE), ("reason", REASON))}
    decided = case.without("published").decided(value=budget.value, currency=budget.currency, page=page, **words)
    hold_case(decided)
    state[MADE_HERE] = (*state.get(MADE_HERE, ()), decided.decision)
    touch()


def ask_step(step: str, style: Style) -> None:
    """One step with its question, and the ways to the one before and the one after."""
    form = Form("choose", (*CHOOSE, *(CASE[name] for name in ("title", "released", "office", "many"))), of_page=False)
    place = STEPS.index(step)
    st.header(label("home", "step_of", number=place + 1, all=len(STEPS), asked=label("home", f"asked.{step}")))
    {"publish": _ask_publish, "secret": _ask_secret, "line": _ask_line}[step](form, style)
    with st.container(horizontal=True, gap="small"):
        for name, led in (("on", STEPS[place + 1 : place + 2]), ("back", STEPS[:place][-1:]), ("leave", ("",))):
            for at in led:
                kind: Literal["primary", "tertiary"] = "primary" if name == "on" else "tertiary"
                st.button(label("home", name), key=f"home.{name}", type=kind, on_click=_go, args=(at,))


def _go(step: str) -> None:
    """Go to a step; the questions about the line begin with what was said of the counts.

    Districts that cannot be read stay in their box, with the sentence under it that says why.
    """
    if step and st.session_state.get("accuracy.places", "").strip():
        try:
            places = _districts().made("places")
        except ValueError:
            return
        put("accuracy", places=places)
        put("choose", areas=len(places))
    case = held_case()
    if step == "line" and not case["interview"] and case["release"] in ("count", "table"):
        put("choose", interview="ct")
    put("home", step=step)


def _ask_publish(form: Form, style: Style) -> None:
    form.ask("released", "title", "office")
    options = option_words("case", "release")
    form.choice("release", {name: options[name] for name in ("anything", "count", "table")})
    if form.values["release"] == "table":
        districts, sample = _districts(), districts_as_lines(INVENTED[:2])

        def own_as_lines(held: Districts) -> str:
            return "" if held == INVENTED else districts_as_lines(held)  # no decision is about what we invented

        districts.lines("places", own_as_lines, commas_part_counts=False, sample=sample)
        smallest = _smallest_district()
        if smallest is None:
            form.number("areas")
            return
        form.values["areas"] = len(districts.values["places"])
        if not districts.refused:
            name, count = smallest
            read = f"{len(districts.values['places']):,}"
            show.caption(label("home", "read", districts=read, name=name, count=f"{count:,}"))


def _ask_secret(form: Form, style: Style) -> None:
    form.ask("hidden", "one", "many")
    if form.values["hidden"]:
        show.told(say("home", style.voice, "secret_back", **_chosen(form).words(style.voice)))
    ask_secret(form)
    show.caption(choose_view(_chosen(form), style).halved)
    form.ask("moves")


def _ask_line(form: Form, style: Style) -> None:
    view = choose_view(_chosen(form), style)
    asked, seen = st.columns([1, 1.4], gap="large")
    with asked:
        show.refused(view.refusal)
        ask_interview(form, None if view.refusal else view.questions, style.voice, begun=True)
        if view.budget is not None:
            Form("memo", MEMO, of_page=False).text("until")
            if ask_decision("home", style.voice):
                show.go_to("memo")
        if held_case().decision is not None:
            show.way(PageLink("memo", label("home", "brief")))
    with seen:
        show.sentence(view.answer)
        if view.editor is not None:
            draw_line("choose", view.editor, style, view="posterior", log_prior=False, height=280)
        show.numbers(view.numbers)
        show_smallest(next(((value, note) for _, value, note in view.numbers if value.startswith("±")), None))


def _chosen(form: Form) -> ChooseInputs:
    return ChooseInputs(**{field.name: form.values[field.name] for field in CHOOSE})


def _districts() -> Form:
    """The reader's own districts, which stay in the session, as the page about accuracy holds them."""
    return Form("accuracy", ACCURACY, of_page=False)


def _smallest_district() -> tuple[str, int] | None:
    """The smallest of the reader's own districts, by its name or its place in the list; None where there are none."""
    districts = _districts().values["places"]
    if districts == INVENTED:
        return None
    place, (name, count) = min(enumerate(districts, start=1), key=lambda found: found[1][1])
    return name or label("accuracy", "district", number=place), count


def show_smallest(noise: tuple[str, str] | None) -> None:
    """The smallest of the districts beside the noise that it is published with, where the case is a table of them.

    Its count is the session's alone, so no document says it.
    """
    case, smallest, number = held_case(), _smallest_district(), len(_districts().values["places"])
    if (case["release"], case["areas"]) != ("table", number) or noise is None or smallest is None:
        return
    (name, count), (spread, note) = smallest, noise
    said = f"{count:,} {spread}", label("home", "unprinted", note=note)
    show.numbers([(label("home", "smallest", name=name), *said)])
