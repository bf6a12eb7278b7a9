"""The questions that set the case: what each press makes of it, what is asked beside what, and what nobody is asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.deployments import published
from riskline.case.value import EXAMPLE, Case
from ui.ask import case as ask
from ui.frame.case import CASE, MADE_HERE, STORE, TOUCHED, held_case
from ui.pictures.style import Style
from ui.views.accuracy import INVENTED
from ui.views.choose.view import Questions
from ui.words.catalogue import label, say
from ui.words.markdown import with_bold

CASE_OF_READER = Case(ratio=2.0, unit="household")


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    arrival = SimpleNamespace(own_otherwise=False, touched=False, loaded=False, own=(), asked=())
    state: dict[str, Any] = {"_arrival": arrival}
    monkeypatch.setattr(ask.st, "session_state", state)
    return state


def test_a_decision_is_on_the_budget_of_the_case_by_whom_when_and_why_and_is_of_this_session(
    session: dict[str, Any],
) -> None:
    session |= {
        CASE: CASE_OF_READER,
        ask.BY: " the  board ",
        ask.DATE: "3\tMay",
        ask.REASON: " as before\n\nand now \n",
    }
    session[MADE_HERE] = ("earlier",)
    ask._decide("memo")
    decision = held_case().decision
    assert decision is not None
    budget = ask.standing(CASE_OF_READER).budget
    assert budget is not None
    assert (decision.value, decision.currency, decision.page) == (budget.value, budget.currency, "memo")
    assert (decision.by, decision.date, decision.reason) == ("the board", "3 May", "as before and now")
    assert (session[MADE_HERE], session[TOUCHED]) == (("earlier", decision), True)
    ask.hold_case(held_case().with_choices(ratio=3.0))
    ask._decide("memo")
    again = held_case().decision
    assert again is not None
    assert again.value > decision.value, "on the budget of the line as it is now"
    assert session[MADE_HERE] == ("earlier", decision, again)


def test_a_decision_takes_the_place_of_a_published_budget(session: dict[str, Any]) -> None:
    session[CASE] = CASE_OF_READER.with_choices(published=published()[0].name)
    ask._decide("choose")
    budget = ask.standing(CASE_OF_READER).budget
    decision = held_case().decision
    assert budget is not None
    assert decision is not None
    assert (decision.value, "published" in held_case()) == (budget.value, False)


@pytest.mark.parametrize("begun", ["", "ct2"])
def test_the_questions_stand_open_where_a_link_brought_answers_and_stay_so(
    begun: str, session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    folds: list[Any] = []
    monkeypatch.setattr(ask.st, "expander", lambda words, **how: folds.append((words, how["key"], how["expanded"])))
    form: Any = SimpleNamespace(stem="choose", values={"interview": begun})
    ask.interview_fold(form)
    form.values["interview"] = "ct22"
    ask.interview_fold(form)
    assert folds == [(label("choose", "questions"), "choose.interview", bool(begun))] * 2


def test_where_a_case_has_no_budget_nothing_is_decided(session: dict[str, Any]) -> None:
    session[CASE] = Case(unit="household")
    ask._decide("memo")
    assert set(session) == {CASE, "_arrival"}
    assert held_case() == Case(unit="household")


def deciding() -> None:
    import streamlit as st

    from ui.ask.case import ask_decision

    st.session_state["pressed"] = ask_decision("memo", "plain")


def decision_of(case: Case, *, here: bool = True) -> AppTest:
    test = AppTest.from_function(deciding, default_timeout=30)
    test.session_state[CASE] = case
    if here:
        test.session_state[MADE_HERE] = (case.decision,)
    test.run()
    assert not test.exception, test.exception
    return test


def test_who_decided_is_asked_where_there_is_a_budget_and_begins_with_a_decision_made_here() -> None:
    for nothing in (EXAMPLE, Case(unit="household")):
        test = decision_of(nothing)
        assert [one.value for one in test.caption] == [with_bold(say("case", "plain", "decide_nothing"))]
        assert not [*test.text_input, *test.button]
    told = {"by": "the board", "date": "3 May", "reason": "why"}
    budget = ask.standing(CASE_OF_READER).budget
    assert budget is not None
    decided = CASE_OF_READER.decided(value=budget.value, currency=budget.currency, **told)
    for case, here, boxes, kind, said in (
        (CASE_OF_READER, True, ["", "", ""], "primary", None),
        (decided, True, ["the board", "3 May", "why"], "secondary", "decide_done"),
        (decided, False, ["", "", ""], "secondary", "decide_done"),
        (decided.with_choices(ratio=3.0), True, ["the board", "3 May", "why"], "primary", "decide_again"),
        (CASE_OF_READER.decided(value=0.3, currency="epsilon"), False, ["", "", ""], "secondary", "decide_done"),
    ):
        test = decision_of(case, here=here)
        assert [box.value for box in test.text_input] == boxes
        assert [box.label for box in test.text_input] == [
            label("case", name) for name in ("decided_by", "decided_on", "reason")
        ]
        (button,), line = test.button, ask.standing(case.without("chosen")).budget
        assert line is not None
        offered = say("case", "plain", "decide", budget=ask.budget_each(line.value, line.currency, case["releases"]))
        assert (button.label, button.proto.type, test.session_state["pressed"]) == (offered, kind, False)
        sentences = [one.proto.body for one in test.get("html")]
        assert len(sentences) == (said is not None)
        now = ask.standing(case).budget
        assert now is not None
        words = ask.budget_each(now.value, now.currency, case["releases"])
        if said is not None:
            when = "before the case changed" if said == "decide_again" else ""
            assert sentences[0] == ask_sentence(say("case", "plain", said, budget=words, when=when))
    without_line = decision_of(Case(unit="household").decided(value=0.3, currency="epsilon"))
    assert [one.proto.body for one in without_line.get("html")] == [
        ask_sentence(say("case", "plain", "decide_done", budget="ε = 0.30"))
    ]
    assert not [*without_line.caption, *without_line.text_input, *without_line.button]


def ask_sentence(words: str) -> str:
    return f'<p class="riskline-sentence">{ask.show.bold_html(words)}</p>'


class Pressed:
    """What a page would do: its buttons by key, its texts, and what is asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.buttons: dict[str, tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {}
        self.said: list[str] = []
        monkeypatch.setattr(ask.st, "button", self.button)
        for name in ("sentence", "caption", "told", "refused"):
            monkeypatch.setattr(ask.show, name, self.said.append)

    def button(
        self, words: str, *, key: str, on_click: Callable[..., Any], args: tuple[Any, ...] = (), **look: Any
    ) -> bool:
        self.buttons[key] = words, on_click, args, look
        return False

    def press(self, key: str) -> None:
        _, act, given, _ = self.buttons[key]
        act(*given)


@pytest.fixture
def page(session: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Pressed:
    return Pressed(monkeypatch)


def test_a_line_that_is_taken_over_takes_the_place_of_the_whole_line(session: dict[str, Any], page: Pressed) -> None:
    session[CASE] = Case(unit="household", line="drawn", points=((0.1, 0.2),), interview="ct", held=0.5)
    ask.take_line("positions", {"line": "constant", "ratio": 3.0}, "plain")
    page.press("positions.take_line")
    assert page.buttons["positions.take_line"][0] == say("case", "plain", "take_line")
    assert dict(held_case()) == {"unit": "household", "line": "constant", "ratio": 3.0} | (
        {} if "held" in ask.LINE_NAMES else {"held": 0.5}
    )
    assert session[TOUCHED]


def test_the_steps_lead_on_back_and_out_and_begin_the_questions_with_what_was_said(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    put: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(ask, "put", lambda stem, **made: put.append((stem, made)))

    def goes(step: str, **case: Any) -> list[tuple[str, dict[str, Any]]]:
        put.clear()
        session[CASE] = Case(**case)
        ask._go(step)
        return put

    home = ("home", {"step": "line"})
    assert goes("line", release="count") == [("choose", {"interview": "ct"}), home]
    assert goes("line", release="table") == [("choose", {"interview": "ct"}), home]
    assert goes("line", release="count", interview="ct2") == [home]
    assert goes("line", release="tables") == goes("line") == [home]
    assert goes("secret", release="count") == [("home", {"step": "secret"})]
    session["accuracy.places"] = "Ash; 12\nElm; 7"
    found = goes("secret", release="table")
    places = (("Ash", 12), ("Elm", 7))
    assert found == [("accuracy", {"places": places}), ("choose", {"areas": 2}), ("home", {"step": "secret"})]
    session["accuracy.places"] = "Ash; many"
    assert goes("secret", release="table") == [], "what cannot be read stays in its box"
    assert goes("", release="table") == [("home", {"step": ""})], "and holds nobody up who leaves"
    session["accuracy.places"] = "  "
    assert goes("secret", release="table") == [("home", {"step": "secret"})]


@pytest.mark.parametrize(
    ("step", "ways"),
    [
        ("publish", {"on": "secret", "leave": ""}),
        ("secret", {"on": "line", "back": "publish", "leave": ""}),
        ("line", {"back": "secret", "leave": ""}),
    ],
)
def test_each_step_has_its_ways(
    step: str, ways: dict[str, str], page: Pressed, monkeypatch: pytest.MonkeyPatch
) -> None:
    headed: list[str] = []
    for name in ("_ask_publish", "_ask_secret", "_ask_line"):
        monkeypatch.setattr(ask, name, lambda form, style, name=name: headed.append(name))
    monkeypatch.setattr(ask.st, "header", headed.append)
    ask.ask_step(step, Style())
    number = ask.STEPS.index(step) + 1
    assert headed == [
        label("home", "step_of", number=number, all=3, asked=label("home", f"asked.{step}")),
        f"_ask_{step}",
    ]
    assert {key: given for key, (_, _, given, _) in page.buttons.items()} == {
        f"home.{name}": (at,) for name, at in ways.items()
    }
    for key, (words, act, _, look) in page.buttons.items():
        assert (words, act) == (label("home", key.partition(".")[2]), ask._go)
        assert look["type"] == ("primary" if key == "home.on" else "tertiary")


@pytest.mark.parametrize("begun", [True, False])
def test_the_interview_asks_what_is_not_told_yet(begun: bool, page: Pressed, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    offered: list[Questions] = []
    taken: list[tuple[str, dict[str, Any]]] = []

    class Form:
        stem, fields, text = "choose", {field.name: field for field in ask.CHOOSE}, asked.append

    def offer(stem: str, one: Questions, words: Callable[[str], str], take: Callable[[str], None]) -> None:
        offered.append(one)
        assert (stem, words("back")) == ("choose", label("choose", "questions.back"))
        take("ct4")

    monkeypatch.setattr(ask, "offer_answers", offer)
    monkeypatch.setattr(ask, "put", lambda stem, **made: taken.append((stem, made)))
    monkeypatch.setattr(ask.st, "number_input", lambda *given, **look: asked.append(f"{given[1:]} {look['step']}"))
    tables = Questions("How many?", "A note", tables=4, counted="ct", back="c")
    ask.ask_interview(Form, tables, "plain", begun=begun)  # type: ignore[arg-type]
    releases = Form.fields["releases"]
    box = f"({int(releases.low)}, {int(releases.high)}, 4) 1"
    assert asked == ([] if begun else ["hidden"]) + [box]
    assert page.said == ["How many?", "A note"]
    assert [one.back for one in offered] == [None if begun else "c"]
    assert taken[0] == ("choose", dict(ask.line_of("ct4")))
    for typed, releases_of in ((7, 7), (None, 4)):
        ask.st.session_state["choose.interview_tables"] = typed
        page.press("choose.interview_counted")
        assert taken[-1] == ("choose", {"releases": releases_of, "interview": "ct"})
    ask.ask_interview(Form, None, "plain", begun=begun)  # type: ignore[arg-type]
    assert page.said[2:] == [say("choose", "plain", "interview_none")]
    assert len(offered) == 1


def test_the_smallest_district_is_told_beside_the_noise_only_of_the_readers_own_table(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(ask.show, "numbers", shown.extend)

    def told(places: Any, noise: Any = ("± 3", "a note"), **case: Any) -> list[Any]:
        shown.clear()
        session[STORE] = {"accuracy": {"places": places}}
        session[CASE] = Case(**case)
        ask.show_smallest(noise)
        return list(shown)

    own = (("Ash", 12), ("", 7), ("Elm", 1_200))
    smallest = label("home", "smallest", name=label("accuracy", "district", number=2))
    note = label("home", "unprinted", note="a note")
    assert told(own, release="table", areas=3) == [(smallest, "7 ± 3", note)]
    assert told((("Elm", 1_200),), release="table", areas=1)[0][1] == "1,200 ± 3"
    assert told(own, release="table", areas=4) == []
    assert told(own, release="count") == []
    assert told(own, None, release="table", areas=3) == []
    assert told(INVENTED, release="table", areas=len(INVENTED)) == []


def strip_page() -> None:
    from ui.ask.case import ask_case
    from ui.frame.case import arrive

    arrive("demo", ())
    ask_case()


@pytest.mark.parametrize(
    ("release", "more"), [("table", {"areas", "moves"}), ("tables", {"moves"}), ("count", set()), ("plan", set())]
)
def test_the_strip_asks_of_a_release_what_it_needs(release: str, more: set[str]) -> None:
    test = AppTest.from_function(strip_page, default_timeout=30)
    test.session_state[CASE] = Case(release=release)
    test.run()
    assert not test.exception, test.exception
    asked = {one.key.removeprefix("case.") for one in (*test.text_input, *test.selectbox)}
    always = {"title", "released", "hidden", "one", "many", "office", "secret", "unit", "relation", "release"}
    assert asked == always | more | {"prior", "failure"}
    test.selectbox(key="case.unit").set_value("household").run()
    assert test.text_input(key="case.group").value == "1"


def publishing() -> None:
    import streamlit as st

    from ui.ask.case import ask_step
    from ui.frame.case import arrive
    from ui.pictures.style import Style

    arrive("home", ())
    st.session_state["_page"] = "home"
    ask_step(st.session_state["step"], Style())


def step(name: str, *, places: Any = None, **case: Any) -> AppTest:
    test = AppTest.from_function(publishing, default_timeout=30)
    test.session_state["step"] = name
    test.session_state[CASE] = Case(**case)
    test.session_state[STORE] = {"accuracy": {"places": places}} if places else {}
    test.run()
    assert not test.exception, test.exception
    return test


def test_what_is_published_is_asked_with_districts_only_of_a_table_and_none_that_we_invented() -> None:
    test = step("publish", release="count")
    kinds = test.radio(key="choose.release")
    assert kinds.options == [label("case", f"release.{kind}") for kind in ("anything", "count", "table")]
    assert [box.key for box in test.text_input] == ["choose.released", "choose.title", "choose.office"]
    assert not test.text_area
    table = step("publish", release="table")
    assert (table.text_area(key="accuracy.places").value, table.text_input(key="choose.areas").value) == ("", "1")
    assert not table.caption
    own = step("publish", places=(("Ash", 1_012), ("Elm", 1_007)), release="table")
    assert own.text_area(key="accuracy.places").value == "Ash; 1012\nElm; 1007"
    assert not [box for box in own.text_input if box.key == "choose.areas"]
    assert own.session_state[CASE]["areas"] == 2
    read = label("home", "read", districts="2", name="Elm", count="1,007")
    assert [one.value.replace("\\", "") for one in own.caption] == [read]
    own.text_area(key="accuracy.places").set_value("Ash; many").run()
    assert not own.caption, "what was read before is not what stands in the box"


def test_a_secret_that_is_told_is_said_back_and_where_people_move_is_asked() -> None:
    silent = step("secret", secret="presence", release="table", areas=3)
    assert not [one for one in silent.get("html") if "riskline-told" in one.proto.body]
    told = step("secret", secret="value", release="table", areas=3, hidden="was absent")
    (back,) = [one.proto.body for one in told.get("html") if "riskline-told" in one.proto.body]
    assert "was absent" in back
    assert {"choose.hidden", "choose.one", "choose.many"} <= {box.key for box in told.text_input}
    assert [box.key for box in told.selectbox][-1] == "choose.moves"
    halved = [[one.value for one in test.caption if "two changes" in one.value] for test in (silent, told)]
    assert [len(one) for one in halved] == [0, 1]


@pytest.mark.parametrize(
    ("refusal", "budget", "decided", "pressed"),
    [(None, "ε", False, False), (None, "ε", True, True), (None, None, True, False), ("Not so.", None, False, False)],
)
def test_the_last_step_asks_for_the_line_then_until_when_and_who_decides(
    refusal: str | None, budget: Any, decided: bool, pressed: bool, page: Pressed, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Any] = []
    view = SimpleNamespace(
        refusal=refusal, questions="the question", budget=budget, answer="The answer", editor="editor",
        numbers=[("a", "5", "x"), ("b", "± 3", "note")],
    )  # fmt: skip
    form: Any = SimpleNamespace(values={field.name: field.default for field in ask.CHOOSE})
    monkeypatch.setattr(ask, "choose_view", lambda chosen, style: view)
    monkeypatch.setattr(ask, "ask_interview", lambda form, asked, voice, begun: done.append(("asks", asked, begun)))
    monkeypatch.setattr(ask, "ask_decision", lambda page, voice: done.append(("decision", page)) or pressed)
    monkeypatch.setattr(ask, "draw_line", lambda stem, editor, style, **look: done.append((stem, editor, look)))
    monkeypatch.setattr(ask, "show_smallest", lambda noise: done.append(("smallest", noise)))
    monkeypatch.setattr(ask.Form, "text", lambda form, name: done.append((form.stem, name)))
    monkeypatch.setattr(ask.show, "go_to", lambda stem: done.append(("goes", stem)))
    monkeypatch.setattr(ask.show, "way", lambda way: done.append(("way", way.stem, way.words)))
    monkeypatch.setattr(ask.show, "numbers", lambda numbers: done.append(("numbers", numbers)))
    monkeypatch.setattr(ask.st, "columns", lambda sizes, **look: [nullcontext(), nullcontext()])
    case = CASE_OF_READER
    ask.hold_case(case.decided(value=0.5, currency="epsilon") if decided else case)
    ask._ask_line(form, Style())
    deciding = [("memo", "until"), ("decision", "home"), *([("goes", "memo")] if pressed else [])]
    assert done == [
        ("asks", None if refusal else "the question", True),
        *(deciding if budget else []),
        *([("way", "memo", label("home", "brief"))] if decided else []),
        ("choose", "editor", {"view": "posterior", "log_prior": False, "height": 280}),
        ("numbers", view.numbers),
        ("smallest", ("± 3", "note")),
    ]
    assert page.said == [refusal, "The answer"]
